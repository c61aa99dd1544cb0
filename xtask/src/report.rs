//! The output of long measurements: lines on stdout, and files.

use anyhow::{Context, Error, Result, ensure};
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Prints a line. If stdout is full, that is an error, not a panic.
pub fn say(line: impl Display) -> Result<()> {
    cushmem_command_line::print(format!("{line}\n")).map_err(Error::msg)
}

/// Fails if this file cannot be written, so that results that take minutes to measure are not lost. The content of an
/// existing file is kept.
pub fn try_file(file: impl AsRef<Path>) -> Result<()> {
    let file = file.as_ref();
    let why = || format!("write {}", file.display());
    ensure!(!file.is_dir(), "{}: it is a folder", why());
    let is_new = !file.exists();
    OpenOptions::new().append(true).create(true).open(file).with_context(why)?;
    if is_new {
        fs::remove_file(file).with_context(why)?;
    }
    Ok(())
}

//! What long measurements leave: lines on stdout, and files.

use anyhow::{Context, Error, Result, ensure};
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Prints a line. That stdout is full is an error, not a panic.
pub fn say(line: impl Display) -> Result<()> {
    cushmem_command_line::print(format!("{line}\n")).map_err(Error::msg)
}

/// Fails if this file cannot be written: what takes minutes to measure has to have a place. The content of a file that
/// is there stays.
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

//! The output of long measurements: lines on stdout, and files.

use anyhow::{Context, Error, Result, ensure};
use cushmem_command_line::printable;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Prints a line. If stdout is full, that is an error, not a panic.
pub fn say(line: impl Display) -> Result<()> {
    cushmem_command_line::print(format!("{line}\n")).map_err(Error::msg)
}

/// Fails if this file cannot be written, so that results that take minutes to measure are not lost. The content of an
/// existing file is kept.
pub fn try_file(file: impl AsRef<Path>) -> Result<()> {
    let file = file.as_ref();
    let why = || format!("write {}", shown(file));
    let there = fs::metadata(file);
    ensure!(!there.as_ref().is_ok_and(|there| there.is_dir()), "{}: it is a folder", why());
    // To open it waits for a reader, and each of several results would need another.
    ensure!(!there.as_ref().is_ok_and(|there| there.file_type().is_fifo()), "{}: it is a FIFO", why());
    OpenOptions::new().append(true).create(true).open(file).with_context(why)?;
    if there.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        // A link to a file that did not exist stays.
        fs::canonicalize(file).and_then(fs::remove_file).with_context(why)?;
    }
    Ok(())
}

/// Writes a file. If that fails, a regular file keeps its old content.
pub fn write_file(file: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    write_whole(file, content.as_ref()).with_context(|| format!("write {}", shown(file)))
}

fn write_whole(file: &Path, content: &[u8]) -> io::Result<()> {
    if fs::metadata(file).is_ok_and(|there| !there.is_file()) {
        return fs::write(file, content);
    }
    // The target of a link, which stays.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.into());
    let part = file.with_added_extension("part");
    let written = fs::write(&part, content).and_then(|()| fs::rename(&part, &file));
    written.inspect_err(|_| drop(fs::remove_file(&part)))
}

/// The name of a file, for a line of output.
pub fn shown(file: &Path) -> String {
    printable(&file.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Catches a link that is lost, a FIFO without a reader that is waited for, and results that are lost because those
    /// that follow do not fit.
    #[test]
    fn files_of_all_kinds_are_tried_and_written() {
        let folder = cushmem_scratch::Folder::new("report").expect("a folder");
        let [new, old, link, fifo, odd] = ["new", "old", "link", "fifo", "odd\nname"].map(|name| folder.join(name));
        let tried = |file: &Path| try_file(file).map_err(|why| format!("{why:#}"));
        fs::write(&old, "old").expect("room");
        assert_eq!((tried(&new), tried(&old), new.exists()), (Ok(()), Ok(()), false));
        symlink("new", &link).expect("a link");
        assert_eq!((tried(&link), link.is_symlink(), new.exists()), (Ok(()), true, false));
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("coreutils").success());
        assert!(tried(&fifo).is_err_and(|why| why.ends_with("fifo: it is a FIFO")));
        fs::create_dir(&odd).expect("a folder");
        assert!(tried(&odd).is_err_and(|why| why.ends_with("odd\\x0aname: it is a folder")));
        symlink("old", folder.join("to-old")).expect("a link");
        write_file(&folder.join("to-old"), "first").expect("room");
        assert!(folder.join("to-old").is_symlink());
        fs::create_dir(folder.join("old.part")).expect("a folder");
        let why = write_file(&old, "second").expect_err("the file beside it cannot be made");
        assert!(format!("{why:#}").contains("old: "), "{why:#}");
        assert_eq!(fs::read_to_string(&old).expect("the file"), "first");
        let why = write_file(Path::new("/dev/full"), "third").expect_err("it is full");
        assert!(format!("{why:#}").starts_with("write /dev/full: No space left"), "{why:#}");
    }
}

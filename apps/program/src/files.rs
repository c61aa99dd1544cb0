//! Files that a program writes at its end.

use anyhow::{Context, Result, ensure};
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Fails if `written` cannot be written, which becomes the `file` that an option names: a run whose result has no place
/// is lost. The content of a file that is there stays.
pub fn try_file(option: &str, file: &Path, written: &Path) -> Result<()> {
    let why = || format!("{option} {}", file.display());
    ensure!(!file.is_dir(), "{}: it is a folder", why());
    let is_new = !written.exists();
    OpenOptions::new().append(true).create(true).open(written).with_context(why)?;
    if is_new {
        fs::remove_file(written).with_context(why)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_cannot_be_written_are_found_and_the_others_are_left_alone() {
        let folder = std::env::temp_dir().join(format!("cushmem-program-files-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let tried = |file: &Path| try_file("--png", file, file).map_err(|why| format!("{why:#}"));
        fs::write(folder.join("old"), "old").expect("a file");
        assert_eq!(tried(&folder.join("new")), Ok(()));
        assert_eq!(tried(&folder.join("old")), Ok(()));
        let why = tried(&folder.join("none/new")).unwrap_err();
        assert!(why.starts_with("--png") && why.contains("No such file"), "{why}");
        assert!(tried(&folder).unwrap_err().ends_with("it is a folder"));
        assert_eq!(fs::read(folder.join("old")).expect("the file"), b"old");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
        fs::remove_dir_all(&folder).expect("the folder");
    }
}

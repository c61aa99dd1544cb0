//! Folders for the files of tests and of `xtask`'s chores, which are removed with their values, also if a test fails.
//!
//! They are in the folder for temporary files (`TMPDIR`), and not in cargo's target folder: a bundle's suites also run
//! where there is none, and runs beside each other would have the same one. `cargo xtask test`, `ci` and `endure` set
//! `TMPDIR` to a folder of their own, and fail if something is left in it.
#![forbid(unsafe_code)]

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the names of all folders begin with.
pub const PREFIX: &str = "cushmem-";

/// A folder that is removed with this value, with all that it contains.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes an empty folder that has `what` in its name.
    pub fn new(what: &str) -> std::io::Result<Folder> {
        Self::within(&std::env::temp_dir(), what)
    }

    /// The same in another folder, for large files.
    pub fn within(folder: &Path, what: &str) -> std::io::Result<Folder> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // Relaxed: only the number has to be unique.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PREFIX}{what}-{}-{number}", std::process::id()));
        // A process that had this number may have been killed.
        match std::fs::remove_dir_all(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => std::fs::create_dir(&path)?,
        }
        // Programs that start in it say its name without symbolic links.
        path.canonicalize().map(Folder)
    }

    /// Leaves the folder where it is.
    pub fn keep(self) {
        std::mem::forget(self);
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays is found at the end of the suites.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_empty_and_goes_with_its_value() {
        let [one, other] = [(); 2].map(|()| Folder::new("same name").expect("room"));
        std::fs::create_dir(one.join("inner"))
            .and_then(|()| std::fs::write(one.join("inner/file"), "x"))
            .expect("room");
        assert_eq!(
            (one.read_dir().expect("it is there").count(), other.read_dir().expect("it is there").count()),
            (1, 0)
        );
        let (path, kept) = (one.to_path_buf(), other.to_path_buf());
        let failed = std::thread::spawn(move || {
            let _one = one;
            panic!("as a test that fails");
        });
        assert!(failed.join().is_err() && !path.exists(), "a failure leaves nothing either");
        other.keep();
        std::fs::remove_dir(&kept).expect("it was kept");
    }

    /// Catches files of a process that was killed, which a later one with its number takes for its own.
    #[test]
    fn what_another_process_has_left_is_removed() {
        let first = Folder::new("left").expect("room");
        let name = first.file_name().and_then(|name| name.to_str()).expect("text");
        let (head, number) = name.rsplit_once('-').expect("a number");
        // Other tests may take numbers at the same time.
        for number in (number.parse::<u32>().expect("a number") + 1..).take(20) {
            let path = first.with_file_name(format!("{head}-{number}"));
            std::fs::create_dir(&path).and_then(|()| std::fs::write(path.join("old"), "x")).expect("room");
        }
        let next = Folder::new("left").expect("room");
        let is_empty = next.read_dir().expect("it is there").count() == 0;
        for number in (number.parse::<u32>().expect("a number") + 1..).take(20) {
            let _ = std::fs::remove_dir_all(first.with_file_name(format!("{head}-{number}")));
        }
        assert!(is_empty);
    }
}

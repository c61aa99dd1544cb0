//! Folders for the files of tests and of `xtask`'s chores, which are removed with their values, also if a test fails.
//!
//! They are in the folder for temporary files (`TMPDIR`), and not in cargo's target folder: a bundle's suites also run
//! where there is none, and runs beside each other would have the same one. `cargo xtask test`, `ci` and `endure` set
//! `TMPDIR` to a folder of their own, and fail if something is left in it.
#![forbid(unsafe_code)]

use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What the names of all folders begin with.
pub const PREFIX: &str = "cushmem-";

/// A folder that is removed with this value, with all that it contains.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    is_kept: AtomicBool,
}

impl Folder {
    /// Makes an empty folder that has `what` in its name.
    pub fn new(what: &str) -> std::io::Result<Folder> {
        Self::within(&std::env::temp_dir(), what)
    }

    /// The same in another folder, for large files.
    pub fn within(folder: &Path, what: &str) -> std::io::Result<Folder> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            // Relaxed: only the number has to be unique.
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{PREFIX}{what}-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                // A process of a container that shares `folder` may have the same number, or one that was killed.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                // Programs that start in it say its name without symbolic links.
                Ok(()) => return Ok(Folder { path: path.canonicalize()?, is_kept: AtomicBool::new(false) }),
            }
        }
    }

    /// Leaves the folder where it is when this value goes.
    pub fn keep(&self) {
        // Relaxed: whoever drops the value has it alone, and so sees this.
        self.is_kept.store(true, Ordering::Relaxed);
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !*self.is_kept.get_mut() {
            // What stays is found at the end of the suites.
            let _ = std::fs::remove_dir_all(&self.path);
        }
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
        drop(other);
        std::fs::remove_dir(&kept).expect("it was kept");
    }

    /// Catches a process that removes the folder of one in another container, which has the same number.
    #[test]
    fn a_folder_that_is_there_stays() {
        let parent = Folder::new("parent").expect("room");
        let first = Folder::within(&parent, "taken").expect("room");
        let name = first.file_name().and_then(|name| name.to_str()).expect("text");
        let (head, number) = name.rsplit_once('-').expect("a number");
        let number = number.parse::<u32>().expect("a number");
        let taken = parent.join(format!("{head}-{}", number + 1));
        std::fs::create_dir(&taken).and_then(|()| std::fs::write(taken.join("file"), "x")).expect("room");
        let next = [(); 3].map(|()| Folder::within(&parent, "taken").expect("room"));
        assert!(next.iter().all(|next| **next != *taken && next.read_dir().expect("it is there").count() == 0));
        assert!(taken.join("file").exists());
    }
}

//! The shared files of this process and of its peers. A file has one descriptor here, however many regions are in it.
//!
//! This saves descriptors, and it keeps the locks of atomic operations: a process loses its locks on a file when it
//! closes any descriptor of it.

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The files that are open, by device and inode.
#[derive(Default)]
pub(super) struct Files(HashMap<(u64, u64), Weak<OwnedFd>>);

impl Files {
    /// Notes a file of this process. If that fails, its peers' part of it gets a descriptor of its own.
    pub(super) fn keep(&mut self, file: &Arc<OwnedFd>) {
        if let Ok(identity) = identity(file) {
            let known = self.0.entry(identity).or_default();
            // What is in use stays: to close it would release the locks on the file.
            if known.strong_count() == 0 {
                *known = Arc::downgrade(file);
            }
        }
    }

    /// The file at a path, for reading and writing.
    pub(super) fn open(&mut self, path: &str) -> io::Result<Arc<OwnedFd>> {
        self.0.retain(|_, file| file.strong_count() > 0);
        make_room(self.0.len() + OPENED_AT_ONCE);
        // Says which file it is, whatever happens to the path. To close it releases no locks.
        let found: OwnedFd = File::options().read(true).custom_flags(libc::O_PATH).open(path)?.into();
        let identity = identity(&found)?;
        if let Some(file) = self.0.get(&identity).and_then(Weak::upgrade) {
            return Ok(file);
        }
        let own = format!("/proc/self/fd/{}", found.as_raw_fd());
        let file: Arc<OwnedFd> = Arc::new(File::options().read(true).write(true).open(own)?.into());
        self.0.insert(identity, Arc::downgrade(&file));
        Ok(file)
    }
}

/// Device and inode.
fn identity(file: &OwnedFd) -> io::Result<(u64, u64)> {
    let stat = nix::sys::stat::fstat(file)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// A file, and the descriptor that says which one it is.
const OPENED_AT_ONCE: usize = 2;

/// By how much this process's limit of open files was raised: by the most files that a network here has had open.
static ROOM: Mutex<usize> = Mutex::new(0);

/// Raises the limit so far that the program keeps what it had beside this many files. A file that is closed leaves its
/// room to the next one, also of a later job. Where the system refuses, the first file that does not fit is an error.
fn make_room(files: usize) {
    let mut room = ROOM.lock().unwrap_or_else(PoisonError::into_inner);
    let more = files.saturating_sub(*room);
    if more > 0
        && let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
    {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, soft.saturating_add(more as u64).min(hard), hard);
        *room = files;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::memfd::{MFdFlags, memfd_create};

    /// Catches a descriptor that takes the place of another one in use: when the older one is closed, the locks of
    /// atomic operations on the file are released.
    #[test]
    fn a_file_has_one_descriptor() {
        let file = Arc::new(memfd_create("cushmem-test", MFdFlags::MFD_CLOEXEC).expect("make a file in memory"));
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let mut files = Files::default();
        let first = files.open(&path).expect("it is there");
        assert!(!Arc::ptr_eq(&first, &file), "nobody said that it is open");
        files.keep(&file);
        assert!(Arc::ptr_eq(&first, &files.open(&path).expect("it is there")), "the first one is in use");
        drop(first);
        files.keep(&file);
        assert!(Arc::ptr_eq(&file, &files.open(&path).expect("it is there")), "nobody uses the first one");
        assert!(files.open("/proc/self/fd/1000000").is_err());
    }
    /// Catches a limit that grows with each card that a peer sends, with each file that comes when another has gone,
    /// and with each job of the process: programs that close all descriptors up to their limit would take ever longer.
    #[test]
    fn the_limit_grows_with_the_files_that_are_open() {
        /// More than any test that runs beside this one has.
        const FILES: usize = 25;
        const TIMES: usize = 4;
        let (before, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
        let lower = before.min(most.saturating_sub((FILES * TIMES) as u64));
        setrlimit(Resource::RLIMIT_NOFILE, lower, most).expect("a lower limit");
        let mut files = Files::default();
        for time in 0..TIMES {
            if time == TIMES / 2 {
                files = Files::default();
            }
            let open = || memfd_create("cushmem-test", MFdFlags::MFD_CLOEXEC).expect("make a file in memory");
            let theirs: Vec<OwnedFd> = (0..FILES).map(|_| open()).collect();
            let cards = theirs.iter().chain(&theirs).map(|file| format!("/proc/self/fd/{}", file.as_raw_fd()));
            let held: Vec<_> = cards.map(|path| files.open(&path).expect("it is there")).collect();
            assert_eq!(held.len(), 2 * FILES);
        }
        let (after, _) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
        // A network of another test may have raised it for some of them before.
        assert!((lower + 1..=lower + (FILES + OPENED_AT_ONCE) as u64).contains(&after), "{lower} became {after}");
        setrlimit(Resource::RLIMIT_NOFILE, before, most).expect("the limit as it was");
    }
}

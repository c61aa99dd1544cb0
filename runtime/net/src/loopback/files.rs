//! The shared files of this process and of its peers. A file has one descriptor here, however many regions are in it.
//!
//! This saves descriptors, and it keeps the locks of atomic operations: a process loses its locks on a file when it
//! closes any descriptor of it.

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::collections::HashMap;
use std::fs::{File, metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Weak};

/// The files that are open, by device and inode.
#[derive(Default)]
pub(super) struct Files(HashMap<(u64, u64), Weak<OwnedFd>>);

impl Files {
    /// Notes a file of this process. If that fails, its peers' part of it gets a descriptor of its own.
    pub(super) fn keep(&mut self, file: &Arc<OwnedFd>) {
        if let Ok(stat) = nix::sys::stat::fstat(file) {
            self.0.insert((stat.st_dev, stat.st_ino), Arc::downgrade(file));
        }
    }

    /// The file at a path, for reading and writing.
    pub(super) fn open(&mut self, path: &str) -> io::Result<Arc<OwnedFd>> {
        let found = metadata(path)?;
        let identity = (found.dev(), found.ino());
        if let Some(file) = self.0.get(&identity).and_then(Weak::upgrade) {
            return Ok(file);
        }
        make_room();
        let file: Arc<OwnedFd> = Arc::new(File::options().read(true).write(true).open(path)?.into());
        self.0.retain(|_, file| file.strong_count() > 0);
        self.0.insert(identity, Arc::downgrade(&file));
        Ok(file)
    }
}

/// Raises the limit of open files by one, so that the program keeps what it had. Where the system refuses, the first
/// file that does not fit is an error.
fn make_room() {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, soft.saturating_add(1).min(hard), hard);
    }
}

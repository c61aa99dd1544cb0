//! Atomic operations of a NIC: a load, a pause and a store, under a lock that only NICs take.
//!
//! They are deliberately not atomic with the CPU's, because no real NIC promises that. The lock is a record lock on the
//! word's bytes in its file, so the NICs of all processes exclude each other, and the lock of a process that dies is
//! released. Record locks belong to processes, so a second lock, `OF_THIS_PROCESS`, excludes the engines of one process
//! from each other. An engine that does not get a lock does not wait: it does something else and tries again later.

use crate::loopback::memory::{Backing, Remote};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Mutex, TryLockError};

/// Excludes the NICs of this process from each other.
static OF_THIS_PROCESS: Mutex<()> = Mutex::new(());

/// Whether the network can change a word of this size there; otherwise the reason why not.
pub(crate) fn check(word: &Remote, width: usize) -> Result<(), String> {
    if !matches!(width, 4 | 8) || !word.address().addr().is_multiple_of(width) {
        return Err(format!(
            "an atomic operation of {width} bytes at offset {}: it needs an aligned word of 4 or 8",
            word.at
        ));
    }
    match word.mapped.backing {
        Backing::File(_) => Ok(()),
        Backing::Process(_) => Err("an atomic operation on memory that only the system copies".to_owned()),
    }
}

/// Changes a word of 4 or 8 bytes and returns its old value. Returns `None`, having done nothing, while another NIC has
/// the word locked. `pause` runs between load and store.
pub(crate) fn execute(
    word: &Remote,
    width: usize,
    change: impl FnOnce(u64) -> Option<u64>,
    pause: impl FnOnce(),
) -> Result<Option<u64>, String> {
    check(word, width)?;
    let address = word.address();
    let Backing::File(memory) = &word.mapped.backing else { return Ok(None) };
    let _others_here = match OF_THIS_PROCESS.try_lock() {
        Ok(lock) => lock,
        Err(TryLockError::Poisoned(lock)) => lock.into_inner(),
        Err(TryLockError::WouldBlock) => return Ok(None),
    };
    let Some(_others) = RecordLock::take(&memory.file, memory.offset + word.inside(), width)? else { return Ok(None) };
    // SAFETY: the bytes are mapped while `word` exists, and the test above checked their alignment. Relaxed: the fences
    // order the accesses.
    let old = unsafe {
        match width {
            4 => u64::from(AtomicU32::from_ptr(address.cast()).load(Ordering::Relaxed)),
            _ => AtomicU64::from_ptr(address.cast()).load(Ordering::Relaxed),
        }
    };
    // SYNC(net-target) acquire: pairs with the release of the NIC or the CPU that stored this value.
    fence(Ordering::Acquire);
    pause();
    if let Some(new) = change(old) {
        // SYNC(net-target) release: pairs with the acquire of whoever sees the new value.
        fence(Ordering::Release);
        // SAFETY: the bytes are mapped while `word` exists, and the test above checked their alignment.
        unsafe {
            match width {
                4 => AtomicU32::from_ptr(address.cast()).store(new as u32, Ordering::Relaxed),
                _ => AtomicU64::from_ptr(address.cast()).store(new, Ordering::Relaxed),
            }
        }
    }
    Ok(Some(old))
}

/// A lock on some bytes of a file, which excludes other processes.
struct RecordLock<'a> {
    file: &'a OwnedFd,
    record: libc::flock,
}

impl<'a> RecordLock<'a> {
    /// Returns `None` if another process holds the lock.
    fn take(file: &'a OwnedFd, offset: u64, bytes: usize) -> Result<Option<Self>, String> {
        let record = libc::flock {
            l_type: libc::F_WRLCK as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: offset as libc::off_t,
            l_len: bytes as libc::off_t,
            l_pid: 0,
        };
        match fcntl(file, FcntlArg::F_SETLK(&record)) {
            Ok(_) => Ok(Some(Self { file, record })),
            Err(Errno::EAGAIN | Errno::EACCES | Errno::EINTR) => Ok(None),
            Err(e) => Err(format!("lock a word for an atomic operation: fcntl failed: {e}")),
        }
    }
}

impl Drop for RecordLock<'_> {
    fn drop(&mut self) {
        self.record.l_type = libc::F_UNLCK as libc::c_short;
        // Unlocking exactly the bytes of a lock needs no memory, so it does not fail.
        let _ = fcntl(self.file, FcntlArg::F_SETLK(&self.record));
    }
}

//! What this process knows about its shared globals: the image and the file behind it, before and after a fork.

use super::image::Image;
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of mapping the globals onto shared memory.
pub(super) struct Remapped {
    pub(super) image: Image,
    /// The file behind the globals, or the operating system's error number.
    pub(super) file: Result<SharedFile, i32>,
}

/// A descriptor that the program might close, and the identity of the file that it names while it is open.
#[derive(Clone, Copy)]
pub(super) struct SharedFile {
    number: i32,
    identity: (u64, u64),
}

pub(super) static REMAPPED: OnceLock<Remapped> = OnceLock::new();
/// Whether this process is a forked child, whose globals are private again.
static FORKED: AtomicBool = AtomicBool::new(false);

/// The globals and the descriptor of their file, or the error if there is no file; `None` if the globals were not to be
/// shared.
pub(super) fn shared() -> Option<(&'static Image, Result<BorrowedFd<'static>, i32>)> {
    // Relaxed: a child sets it before its own code runs.
    let remapped = REMAPPED.get().filter(|_| !FORKED.load(Ordering::Relaxed))?;
    // SAFETY: it is open, because it still names the same file.
    let borrow = |number| unsafe { BorrowedFd::borrow_raw(number) };
    let file = remapped.file.and_then(|file| file.still_open().map(borrow).ok_or(libc::EBADF));
    Some((&remapped.image, file))
}

/// Whether this process is a child of one whose globals are shared. It was forked, so its own are private.
pub(super) fn is_forked() -> bool {
    // Relaxed: as in `shared`.
    FORKED.load(Ordering::Relaxed)
}

/// Notes that this process is a child whose globals are private again.
pub(super) fn forget() {
    // Relaxed: the child has no other thread, and reads it after this.
    FORKED.store(true, Ordering::Relaxed);
}

impl SharedFile {
    pub(super) fn of(number: i32) -> Result<Self, i32> {
        identity(number).map(|identity| Self { number, identity })
    }

    /// The descriptor, unless the program has closed it.
    fn still_open(&self) -> Option<i32> {
        (identity(self.number) == Ok(self.identity)).then_some(self.number)
    }
}

fn identity(number: i32) -> Result<(u64, u64), i32> {
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: room for the answer.
    check(unsafe { libc::fstat(number, stat.as_mut_ptr()) })?;
    // SAFETY: the call filled it in.
    let stat = unsafe { stat.assume_init() };
    Ok((stat.st_dev, stat.st_ino))
}

pub(super) fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

pub(super) fn check(result: i32) -> Result<i32, i32> {
    if result < 0 { Err(errno()) } else { Ok(result) }
}

/// Prints a line without allocating, and ends the process.
pub(super) fn end(line: &[u8]) -> ! {
    // SAFETY: the line is readable for its length, and a failed write has no consequence. The process ends without
    // running handlers.
    unsafe {
        libc::write(2, line.as_ptr().cast(), line.len());
        libc::_exit(1)
    }
}

//! Maps the program's globals onto shared memory, before `main`.
//!
//! The constructor of the C library calls [`share`] if the executable carries the mark of `shmemcc`, whoever started
//! the process: it may become a PE by a unique id, too. At that point there is no other thread, and none of the
//! program's own code has run. The globals are copied into an anonymous file, which is then mapped over them. Addresses
//! and values stay the same, but peers can map these pages too. Pages that were never touched remain holes in the file.
//! Nothing here allocates, and between copying and mapping nothing writes a global, because with `libcushmem.a` the
//! library's own globals are among them.

use super::fork;
use super::image::{Image, page_bytes};
use libc::{MAP_FAILED, MAP_FIXED, MAP_NORESERVE, MAP_SHARED, PROT_READ, PROT_WRITE, c_void};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of [`share`].
struct Remapped {
    image: Image,
    /// The file behind the globals, or the operating system's error number.
    file: Result<SharedFile, i32>,
}

/// A descriptor that the program might close, and the identity of the file that it names while it is open.
#[derive(Clone, Copy)]
struct SharedFile {
    number: i32,
    identity: (u64, u64),
}

static REMAPPED: OnceLock<Remapped> = OnceLock::new();
/// Whether this process is a forked child, whose globals are private again.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Maps the executable's globals onto shared memory. Does not allocate.
///
/// # Safety
/// The process has one thread, and none of the executable's own code runs during the call.
pub unsafe fn share() {
    let Some(image) = Image::find().filter(|image| image.is_dynamic) else { return };
    // Globals behind standard output would be overwritten by what the program prints.
    cushmem_bootstrap::fill_standard_streams();
    // SAFETY: the caller guarantees that there is one thread and that none of the executable's own code runs.
    let file = unsafe { onto_shared_file(&image) };
    let _ = REMAPPED.set(Remapped { image, file });
    if file.is_ok() {
        fork::register();
    }
}

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
    fn of(number: i32) -> Result<Self, i32> {
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

fn check(result: i32) -> Result<i32, i32> {
    if result < 0 { Err(errno()) } else { Ok(result) }
}

/// # Safety
/// As for [`share`].
unsafe fn onto_shared_file(image: &Image) -> Result<SharedFile, i32> {
    // SAFETY: a name that ends in zero.
    let number = check(unsafe { libc::memfd_create(c"cushmem-globals".as_ptr(), libc::MFD_CLOEXEC) })?;
    // SAFETY: the caller guarantees that nobody writes a global during the call.
    let copied = SharedFile::of(number).and_then(|file| unsafe { copy_globals(image, number) }.map(|()| file));
    if copied.is_err() {
        // SAFETY: it was opened above, and nobody else knows it.
        unsafe { libc::close(number) };
        return copied;
    }
    for part in image.parts() {
        let (at, offset) = (std::ptr::with_exposed_provenance_mut(part.start), (part.start - image.start()) as i64);
        // SAFETY: the same bytes at the same place, with the same protection; the caller guarantees that nobody writes
        // a global during the call.
        let mapped = unsafe {
            libc::mmap(at, part.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, number, offset)
        };
        if mapped == MAP_FAILED {
            // The operating system may have removed the old pages already.
            end(b"cushmem: the program's globals could not be mapped onto shared memory\n");
        }
    }
    copied
}

/// # Safety
/// As for [`share`].
unsafe fn copy_globals(image: &Image, file: i32) -> Result<(), i32> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: 0 };
    // SAFETY: room for the answer; if the call fails, there is no limit.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    if image.bytes() as u64 > limit.rlim_cur {
        // The operating system would end the process.
        return Err(libc::EFBIG);
    }
    // SAFETY: the file was created here.
    check(unsafe { libc::ftruncate(file, image.bytes() as i64) })?;
    // SAFETY: a name that ends in zero.
    let pagemap = unsafe { libc::open(c"/proc/self/pagemap".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    let mut result = Ok(());
    for part in image.parts() {
        let end = part.start + part.bytes;
        result = result.and_then(|()| write_to(file, image, part.start, part.start + part.initialised));
        let mut at = part.start + part.initialised;
        while at < end && result.is_ok() {
            let step = (BATCH * page_bytes()).min(end - at);
            result = copy_touched(pagemap, file, image, at, at + step);
            at += step;
        }
    }
    if pagemap >= 0 {
        // SAFETY: opened above.
        unsafe { libc::close(pagemap) };
    }
    result
}

/// The number of pages whose state is read at once.
const BATCH: usize = 512;

/// Copies the nonzero pages from `start` to `end`, at most [`BATCH`]. Reading a page allocates it, and there may be
/// millions, so if the operating system says which pages exist, only those are read.
fn copy_touched(pagemap: i32, file: i32, image: &Image, start: usize, end: usize) -> Result<(), i32> {
    const EXISTS: u64 = 0b11 << 62; // in memory or swapped out
    let page = page_bytes();
    let mut states = [EXISTS; BATCH];
    let (n, from) = ((end - start) / page, (start / page * 8) as i64);
    // SAFETY: room for as many words. If it fails, all pages count as touched.
    if unsafe { libc::pread(pagemap, states.as_mut_ptr().cast(), n * 8, from) } != (n * 8) as isize {
        states = [EXISTS; BATCH];
    }
    for (i, _) in states[..n].iter().enumerate().filter(|(_, state)| **state & EXISTS != 0) {
        let at = start + i * page;
        let words = std::ptr::with_exposed_provenance::<u64>(at);
        // SAFETY: the word lies in a mapped page of globals, which nobody writes during `share`.
        if (0..page / 8).any(|word| unsafe { words.add(word).read() } != 0) {
            write_to(file, image, at, at + page)?;
        }
    }
    Ok(())
}

/// Writes the globals from `start` to `end` to their place in the file.
fn write_to(file: i32, image: &Image, mut start: usize, end: usize) -> Result<(), i32> {
    while start < end {
        let from = std::ptr::with_exposed_provenance::<c_void>(start);
        // SAFETY: the range is mapped memory, which the operating system reads.
        match unsafe { libc::pwrite(file, from, end - start, (start - image.start()) as i64) } {
            written @ 1.. => start += written as usize,
            0 => return Err(libc::ENOSPC),
            _ if errno() == libc::EINTR => {}
            _ => return Err(errno()),
        }
    }
    Ok(())
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

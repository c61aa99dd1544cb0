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
use super::shared::{REMAPPED, Remapped, SharedFile, check, end, errno};
use libc::{MAP_FAILED, MAP_FIXED, MAP_NORESERVE, MAP_SHARED, PROT_READ, PROT_WRITE, c_void};

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

/// # Safety
/// The conditions of [`share`].
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
/// The conditions of [`share`].
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

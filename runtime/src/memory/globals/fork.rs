//! Gives a forked child private globals again.
//!
//! A shared mapping stays shared in a child. But the child's writes must reach neither its parent nor the peers, and it
//! must see the values at the moment of the fork:
//!
//! | when, where | what |
//! |---|---|
//! | before the fork, the forking thread | copies what the file holds into a private snapshot |
//! | after it, in the child | moves the snapshot over the globals |
//! | after it, in the parent | drops the snapshot |
//!
//! The snapshot's address is passed on in a thread-local variable. With `libcushmem.a` an ordinary global of the
//! library would be one of the program's globals, which parent and child share until the child has moved its snapshot.
//! Before a fork, handlers run in the reverse order of their registration; after it, in the order of registration.
//! These handlers are registered first, so the snapshot contains what the program's own handlers did, and the program's
//! handlers find private globals in the child.
//!
//! `vfork` and `posix_spawn`, and hence `system` and `popen`, leave the memory to the parent and need nothing. `_Fork`
//! and bare system calls run no handlers, so their children must not write globals.

use super::image::Image;
use super::shared::{end, errno, forget, shared};
use libc::{MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, PROT_READ, PROT_WRITE, c_void};
use std::cell::Cell;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::null_mut;

/// What the forking thread leaves for the handlers after the fork.
#[derive(Clone, Copy)]
enum Snapshot {
    Nothing,
    Taken(*mut u8),
    Failed,
}

thread_local! {
    // It is neither allocated nor dropped, so that it works in a child.
    static SNAPSHOT: Cell<Snapshot> = const { Cell::new(Snapshot::Nothing) };
}

/// The message of a child that cannot continue.
const NO_SNAPSHOT: &[u8] = b"cushmem: fork: the child has no copy of the program's globals: no memory is left, or \
    the program closed the library's descriptors\n";

pub(super) fn register() {
    // SAFETY: the handlers live as long as the library, which is never unloaded.
    unsafe { libc::pthread_atfork(Some(before), Some(after_in_parent), Some(after_in_child)) };
}

extern "C" fn before() {
    let Some((image, file)) = shared() else { return };
    let snapshot = file.ok().and_then(|file| take(image, file));
    SNAPSHOT.set(snapshot.map_or(Snapshot::Failed, Snapshot::Taken));
}

extern "C" fn after_in_parent() {
    if let (Snapshot::Taken(snapshot), Some((image, _))) = (SNAPSHOT.replace(Snapshot::Nothing), shared()) {
        // SAFETY: `before` mapped it, and nobody else knows it.
        unsafe { libc::munmap(snapshot.cast(), image.bytes()) };
    }
}

extern "C" fn after_in_child() {
    match (SNAPSHOT.get(), shared()) {
        (Snapshot::Nothing, _) | (_, None) => {}
        (Snapshot::Taken(snapshot), Some((image, file))) => {
            let file = file.ok().map(|file| file.as_raw_fd());
            // SAFETY: `before` made it for this moment: the child has one thread and runs nothing else.
            unsafe { put_back(image, snapshot) };
            forget();
            SNAPSHOT.set(Snapshot::Nothing);
            if let Some(file) = file {
                // SAFETY: it is the globals' file, which the child does not need.
                unsafe { libc::close(file) };
            }
        }
        (Snapshot::Failed, Some(_)) => end(NO_SNAPSHOT),
    }
}

/// Copies the current globals; `None` if there is not enough memory.
fn take(image: &Image, file: BorrowedFd<'_>) -> Option<*mut u8> {
    let (protection, flags) = (PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
    // SAFETY: a new mapping at an address that the operating system chooses touches no memory in use.
    let room = unsafe { libc::mmap(null_mut(), image.bytes(), protection, flags, -1, 0) };
    if room == MAP_FAILED {
        return None;
    }
    // SAFETY: the room is as large as the file.
    if unsafe { fill(room.cast(), file.as_raw_fd(), image.bytes()) } {
        return Some(room.cast());
    }
    // SAFETY: mapped above.
    unsafe { libc::munmap(room, image.bytes()) };
    None
}

/// Reads the data of the file and skips its holes.
///
/// # Safety
/// `to` is writable for `bytes` bytes.
unsafe fn fill(to: *mut u8, file: i32, bytes: usize) -> bool {
    let mut at = 0;
    while at < bytes {
        // SAFETY: only finds out where data start. The file's offset belongs to this library alone.
        let start = unsafe { libc::lseek(file, at as i64, libc::SEEK_DATA) };
        if start < 0 {
            // Only holes are left.
            return errno() == libc::ENXIO;
        }
        // SAFETY: only finds out where a hole starts. The file's offset belongs to this library alone.
        let end = unsafe { libc::lseek(file, start, libc::SEEK_HOLE) };
        if end < start {
            return false;
        }
        at = start as usize;
        while at < (end as usize).min(bytes) {
            // SAFETY: inside `room`; holes and data add up to the file's length.
            match unsafe { libc::pread(file, to.add(at).cast(), end as usize - at, at as i64) } {
                read @ 1.. => at += read as usize,
                _ if errno() == libc::EINTR => {}
                _ => return false,
            }
        }
    }
    true
}

/// # Safety
/// `snapshot` is what [`take`] made of this image, and nothing else uses the globals during the call.
unsafe fn put_back(image: &Image, snapshot: *mut u8) {
    for part in image.parts() {
        let to = std::ptr::with_exposed_provenance_mut::<c_void>(part.start);
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: part of the snapshot, over the globals that it was copied from.
        let moved = unsafe {
            let from = snapshot.add(part.start - image.start());
            libc::mremap(from.cast(), part.bytes, part.bytes, flags, to)
        };
        if moved == MAP_FAILED {
            end(b"cushmem: fork: the child's copy of the program's globals could not be moved into place\n");
        }
    }
    // The gaps between the parts are left.
    // SAFETY: the range is the snapshot's own; what was moved away is no longer mapped there.
    unsafe { libc::munmap(snapshot.cast(), image.bytes()) };
}

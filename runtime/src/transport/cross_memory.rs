//! Cross-memory attach: the operating system copies between this process and a peer. It serves globals that the peer
//! does not share, which no load or store reaches from here. The peer takes no part, and a copy is complete when the
//! call returns.

use crate::memory::Attached;
use libc::{c_int, c_void, iovec};

/// Copies `bytes` bytes to the globals of a peer, from `offset` on. The error is the operating system's.
///
/// # Safety
/// `from` is readable for `bytes` bytes.
pub(crate) unsafe fn put(to: &Attached, offset: usize, from: *const u8, bytes: usize) -> Result<(), c_int> {
    in_pieces(to, offset, bytes, |there, done, left| {
        let here = iovec { iov_base: from.wrapping_add(done).cast_mut().cast(), iov_len: left };
        // SAFETY: the caller guarantees that the memory here is readable, and the operating system checks the memory
        // there.
        unsafe { libc::process_vm_writev(to.pid, &raw const here, 1, &raw const there, 1, 0) }
    })
}

/// Copies `bytes` bytes from the globals of a peer, from `offset` on. The error is the operating system's.
///
/// # Safety
/// `to` is writable for `bytes` bytes.
pub(crate) unsafe fn get(to: *mut u8, from: &Attached, offset: usize, bytes: usize) -> Result<(), c_int> {
    in_pieces(from, offset, bytes, |there, done, left| {
        let here = iovec { iov_base: to.wrapping_add(done).cast(), iov_len: left };
        // SAFETY: the caller guarantees that the memory here is writable, and the operating system checks the memory
        // there.
        unsafe { libc::process_vm_readv(from.pid, &raw const here, 1, &raw const there, 1, 0) }
    })
}

/// Calls `copy` with the remaining range of the peer, the bytes done, and the bytes left, until all are copied: the
/// operating system may copy only a part at a time.
fn in_pieces(
    peer: &Attached,
    offset: usize,
    bytes: usize,
    copy: impl Fn(iovec, usize, usize) -> isize,
) -> Result<(), c_int> {
    let mut done = 0;
    while done < bytes {
        let left = bytes - done;
        let there = std::ptr::without_provenance_mut::<c_void>(peer.start + offset + done);
        match copy(iovec { iov_base: there, iov_len: left }, done, left) {
            copied @ 1.. => done += copied as usize,
            0 => return Err(libc::EFAULT),
            _ => return Err(std::io::Error::last_os_error().raw_os_error().unwrap_or(0)),
        }
    }
    Ok(())
}

//! Cross-memory attach: the kernel copies between this process and a peer. For globals that the peer does not share, which no
//! load or store reaches from here. The peer takes no part in it.

use super::remap::errno;
use libc::{c_int, c_void, iovec, pid_t};

/// A peer whose globals are where its executable put them.
#[derive(Debug)]
pub(crate) struct Attached {
    pub(super) pid: pid_t,
    /// Where its globals begin, there.
    pub(super) start: usize,
    /// Why they are not mapped here.
    pub(super) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The executable is not marked, or it was not started as a PE.
    NotShared,
    /// It is marked, but the system refused, with this error.
    Refused(c_int),
}

/// Which way.
#[derive(Clone, Copy)]
pub(super) enum Copy {
    ToPeer,
    FromPeer,
}

impl Attached {
    /// Copies between memory here and globals at `offset` of the peer. The error is the system's.
    ///
    /// # Safety
    /// `here` is valid for `bytes` bytes, to be read or written as the direction has it.
    pub(super) unsafe fn copy(&self, way: Copy, here: *mut u8, offset: usize, bytes: usize) -> Result<(), c_int> {
        let mut done = 0;
        while done < bytes {
            let there = std::ptr::without_provenance_mut::<c_void>(self.start + offset + done);
            let left = bytes - done;
            let local = iovec { iov_base: here.wrapping_add(done).cast(), iov_len: left };
            let remote = iovec { iov_base: there, iov_len: left };
            // SAFETY: the caller vouches for the memory here, and the kernel checks that there.
            let copied = unsafe {
                match way {
                    Copy::ToPeer => libc::process_vm_writev(self.pid, &raw const local, 1, &raw const remote, 1, 0),
                    Copy::FromPeer => libc::process_vm_readv(self.pid, &raw const local, 1, &raw const remote, 1, 0),
                }
            };
            match copied {
                1.. => done += copied as usize,
                0 => return Err(libc::EFAULT),
                _ => return Err(errno()),
            }
        }
        Ok(())
    }
}

/// Lets every process of this user that the system would let otherwise copy from and to this one: where only parents may
/// attach, peers, which are siblings, could not.
pub(super) fn allow_peers() {
    // SAFETY: sets a property of this process. It fails where there is no such restriction, and nothing is needed.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
}

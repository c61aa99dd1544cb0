//! Reads and writes by `io_uring`, and without it. The memory is that of the command ring's chunks, which exist until
//! the proxy has ended, and as long as the process if requests are still under way then; the proxy keeps a chunk for a
//! request until the request is done.

use io_uring::{IoUring, opcode, types};
use std::fs::File;
use std::io::{Error, Result};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

/// Entries of the queue: as many as there are chunks, so that it is never too full for one more request.
const ENTRIES: u32 = cushmem_abi::RING_CHUNKS as u32;

/// A queue of requests to the system.
pub(super) struct Uring(IoUring);

impl Uring {
    pub(super) fn new() -> Result<Self> {
        let uring = IoUring::new(ENTRIES)?;
        let mut known = io_uring::Probe::new();
        uring.submitter().register_probe(&mut known)?;
        // Older systems have the queue, but not these requests.
        if !known.is_supported(opcode::Read::CODE) || !known.is_supported(opcode::Write::CODE) {
            return Err(Error::from_raw_os_error(libc::ENOSYS));
        }
        Ok(Self(uring))
    }

    /// Enqueues a request: the memory, the number of bytes, and the place in the file. `number` comes back with the
    /// result.
    pub(super) fn push(&mut self, number: usize, file: &File, writes: bool, (at, n, offset): (usize, usize, u64)) {
        let (fd, n) = (types::Fd(file.as_raw_fd()), n as u32);
        let entry = if writes {
            opcode::Write::new(fd, std::ptr::with_exposed_provenance(at), n).offset(offset).build()
        } else {
            opcode::Read::new(fd, std::ptr::with_exposed_provenance_mut(at), n).offset(offset).build()
        };
        let entry = entry.user_data(number as u64);
        // SAFETY: the chunk and the file are kept until the request is done.
        let pushed = unsafe { self.0.submission().push(&entry) };
        // A chunk has one request at a time, and there is an entry for each chunk.
        pushed.expect("an entry for each chunk");
    }

    /// Tells the system of what was enqueued.
    pub(super) fn submit(&mut self) -> Result<()> {
        if self.0.submission().is_empty() {
            return Ok(());
        }
        match self.0.submit() {
            Err(error) if !matches!(error.raw_os_error(), Some(libc::EINTR | libc::EBUSY | libc::EAGAIN)) => Err(error),
            _ => Ok(()),
        }
    }

    /// A request that is done: its number and its result.
    pub(super) fn take(&mut self) -> Option<(usize, Result<usize>)> {
        let entry = self.0.completion().next()?;
        let result = usize::try_from(entry.result()).map_err(|_| Error::from_raw_os_error(-entry.result()));
        Some((entry.user_data() as usize, result))
    }
}

/// Carries out a request without the queue.
pub(super) fn one(file: &File, writes: bool, (at, n, offset): (usize, usize, u64)) -> Result<usize> {
    if writes {
        // SAFETY: the chunk is the request's, and its bytes were written before.
        let bytes = unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<u8>(at), n) };
        return file.write_at(bytes, offset);
    }
    // SAFETY: the chunk is the request's until it is done, so nobody else accesses it.
    let bytes = unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut::<u8>(at), n) };
    file.read_at(bytes, offset)
}

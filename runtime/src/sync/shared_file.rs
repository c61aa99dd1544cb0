//! Memory that the PEs of a node share: sparse files without a name, which the first PE of the node creates.

use crate::error::Cause;
use crate::job::Job;
use crate::{Error, Result};
use cushmem_bootstrap::{Contribution, WaitLimit};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, munmap};
use nix::sys::resource::{Resource, getrlimit};
use std::ffi::{CStr, c_void};
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::Arc;

/// Collective: the first PE of each node creates a file of `bytes` bytes, which all PEs of the node get.
pub(crate) fn share_file(
    job: &Job,
    operation: &'static str,
    bytes: u64,
    make: impl FnOnce() -> Result<OwnedFd>,
) -> Result<Arc<OwnedFd>> {
    let leader = job.leader(job.my_node());
    let own = if leader == job.me() { Some(make()?) } else { None };
    let mut file = Err("it is missing");
    let mut take = |pe: u32, part: Contribution| {
        if pe == leader.number() {
            let lacks = part.descriptor().err().unwrap_or("it is missing");
            file = part.fd.map(Arc::new).ok_or(lacks);
        }
    };
    let own = own.as_ref().map(AsFd::as_fd);
    job.bootstrap().share_each(operation, &bytes.to_ne_bytes(), own, WaitLimit::Limited, &mut take)?;
    file.map_err(|why| Error::new(operation, Cause::Mismatch(format!("PE {}'s contribution: {why}", leader.number()))))
}

/// A sparse file without a name.
pub(crate) fn shared_file(name: &CStr, bytes: u64) -> std::result::Result<OwnedFd, String> {
    file_with(name, MFdFlags::empty(), bytes)
}

/// A sparse file without a name, made with these flags.
pub(crate) fn file_with(name: &CStr, flags: MFdFlags, bytes: u64) -> std::result::Result<OwnedFd, String> {
    // Otherwise the system would end the process.
    if let Ok((limit, _)) = getrlimit(Resource::RLIMIT_FSIZE)
        && bytes > limit
    {
        return Err(format!("shared memory is a file, and the limit of file sizes is {limit} bytes (ulimit -f)"));
    }
    let file = memfd_create(name, flags | MFdFlags::MFD_CLOEXEC).map_err(|e| e.to_string())?;
    nix::unistd::ftruncate(&file, bytes as i64).map_err(|e| e.to_string())?;
    Ok(file)
}

/// A part of a shared file that is mapped here.
pub(crate) struct Mapping {
    base: NonNull<c_void>,
    bytes: NonZeroUsize,
}

// SAFETY: it is an address range.
unsafe impl Send for Mapping {}
// SAFETY: it is an address range.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps this many bytes of the file from an offset, which is a multiple of the page size.
    pub(crate) fn of(file: &OwnedFd, offset: usize, bytes: NonZeroUsize) -> std::result::Result<Self, String> {
        let (protection, flags) =
            (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE);
        // SAFETY: a new mapping at an address that the operating system chooses touches no memory in use.
        let base =
            unsafe { mmap(None, bytes, protection, flags, file, offset as libc::off_t) }.map_err(|e| e.to_string())?;
        not_in_core_dumps(base, bytes.get());
        Ok(Self { base, bytes })
    }

    /// The address at which it starts.
    pub(crate) fn address(&self) -> usize {
        self.base.expose_provenance().get()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // In a panic, a copy of the emulated GPU may still use the mapping, and the process is about to end.
        if !std::thread::panicking() {
            // SAFETY: the mapping is ours, and nothing that refers to it outlives the library's handle.
            let _ = unsafe { munmap(self.base, self.bytes.get()) };
        }
    }
}

/// Keeps a mapping out of core dumps. Dumping a sparse file would allocate all its pages, and each PE has all segments
/// mapped. If this fails, dumps are larger.
pub(crate) fn not_in_core_dumps(start: NonNull<c_void>, bytes: usize) {
    // SAFETY: the advice does not change the memory.
    let _ = unsafe { madvise(start, bytes, MmapAdvise::MADV_DONTDUMP) };
}

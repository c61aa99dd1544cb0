use crate::{Chunk, GpuError, Result};
use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::stat::fstat;
use nix::unistd::ftruncate;
use std::os::fd::{BorrowedFd, OwnedFd};

type Outcome<T> = std::result::Result<T, String>;

/// The unit of chunks, in bytes.
pub(super) const GRANULARITY: u64 = 64 << 10;

/// An anonymous file. Its size is sealed, so that no other process can make an access here fail by truncating the file.
pub(super) struct SoftChunk {
    fd: OwnedFd,
    bytes: u64,
}

impl SoftChunk {
    pub fn create(bytes: u64) -> Outcome<Self> {
        check_size(bytes)?;
        // Exceeding the limit would kill the process.
        if let Ok((limit, _)) = getrlimit(Resource::RLIMIT_FSIZE)
            && bytes > limit
        {
            return Err(format!("the limit of file sizes is {limit} bytes (ulimit -f), and a chunk is a file"));
        }
        let size = i64::try_from(bytes).map_err(|_| "the size is out of range")?;
        let fd = memfd_create(c"cushmem device memory", MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING)
            .map_err(|e| format!("memfd_create failed: {e}"))?;
        ftruncate(&fd, size).map_err(|e| format!("ftruncate failed: {e}"))?;
        let seals = SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_GROW | SealFlag::F_SEAL_SEAL;
        fcntl(&fd, FcntlArg::F_ADD_SEALS(seals)).map_err(|e| format!("sealing failed: {e}"))?;
        Ok(Self { fd, bytes })
    }

    /// Checks everything about the descriptor, because it came from another process.
    pub fn import(fd: BorrowedFd<'_>, bytes: u64) -> Outcome<Self> {
        check_size(bytes)?;
        let seals = fcntl(fd, FcntlArg::F_GET_SEALS)
            .map_err(|_| "the descriptor is not a chunk of an emulated GPU".to_owned())?;
        if seals & libc::F_SEAL_SHRINK == 0 {
            return Err("the descriptor is not a chunk of an emulated GPU: its size is not sealed".to_owned());
        }
        let size = fstat(fd).map_err(|e| format!("fstat failed: {e}"))?.st_size;
        if u64::try_from(size) != Ok(bytes) {
            return Err(format!("the chunk has {size} bytes"));
        }
        let fd = fd.try_clone_to_owned().map_err(|e| format!("duplicating the descriptor failed: {e}"))?;
        Ok(Self { fd, bytes })
    }
}

fn check_size(bytes: u64) -> Outcome<()> {
    if bytes == 0 || !bytes.is_multiple_of(GRANULARITY) {
        return Err(format!("not a multiple of the granularity of {GRANULARITY} bytes"));
    }
    Ok(())
}

impl Chunk for SoftChunk {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn share(&self) -> Result<OwnedFd> {
        self.fd.try_clone().map_err(|e| {
            GpuError::new(
                format!("share a chunk of {} bytes", self.bytes),
                format!("duplicating the descriptor failed: {e}"),
            )
        })
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

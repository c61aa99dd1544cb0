//! The copy engine without the library: a copy through the driver, and the wait for it.

use anyhow::{Result, ensure};
use cudarc::driver::sys;
use cushmem::Shmem;
use std::ffi::c_void;

/// A stream, and pinned memory.
pub struct ByHand {
    stream: sys::CUstream,
    pinned: *mut c_void,
    words: usize,
}

impl ByHand {
    /// `None` on an emulated GPU. Uses the context that the library has made or found.
    pub fn create(shmem: &Shmem, words: usize) -> Result<Option<Self>> {
        if shmem.gpu().is_none_or(|gpu| gpu.emulated) {
            return Ok(None);
        }
        let (mut context, mut stream, mut pinned) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the driver is open, because the library uses it, and the pointers are valid.
        unsafe {
            sys::cuDevicePrimaryCtxRetain(&mut context, shmem.gpu().map_or(0, |gpu| gpu.ordinal as i32)).result()?;
            sys::cuCtxSetCurrent(context).result()?;
            sys::cuStreamCreate(&mut stream, sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32).result()?;
            sys::cuMemAllocHost_v2(&mut pinned, 8 * words).result()?;
            pinned.cast::<u64>().write_bytes(1, words);
        }
        Ok(Some(Self { stream, pinned, words }))
    }

    /// The pinned memory.
    pub fn pinned(&mut self) -> &mut [u64] {
        // SAFETY: it was allocated and filled, and every copy from or to it has been waited for.
        unsafe { std::slice::from_raw_parts_mut(self.pinned.cast(), self.words) }
    }

    pub fn pinned_address(&self) -> u64 {
        self.pinned as u64
    }

    /// Copies, and waits. Both ends have `bytes` bytes, as the caller has allocated them.
    pub fn copy(&self, dst: u64, src: u64, bytes: usize) -> Result<()> {
        ensure!(dst != 0 && src != 0, "an end of a copy is not mapped");
        // SAFETY: the ends are the benchmark's own memory, which nothing else uses at the same time.
        unsafe {
            sys::cuMemcpyAsync(dst, src, bytes, self.stream).result()?;
            sys::cuStreamSynchronize(self.stream).result()?;
        }
        Ok(())
    }
}

impl Drop for ByHand {
    fn drop(&mut self) {
        // SAFETY: both were made above, and nothing runs any more. If either call fails, the resources are released
        // with the process.
        unsafe {
            let _ = sys::cuMemFreeHost(self.pinned);
            let _ = sys::cuStreamDestroy_v2(self.stream);
        }
    }
}

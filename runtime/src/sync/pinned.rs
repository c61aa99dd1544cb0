//! Words of this process that its GPU can access: kernels and streams write them, and the CPU reads them.

use crate::error::{Cause, Error, Result};
use cushmem_gpu::Gpu;
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The memory, pinned for this PE's GPU; all zeros at the start.
pub(crate) struct PinnedWords {
    base: NonNull<u8>,
    bytes: NonZeroUsize,
    gpu: Arc<dyn Gpu>,
}

// SAFETY: it is an address range that belongs to no thread.
unsafe impl Send for PinnedWords {}
// SAFETY: the only accesses here are atomic; everything else only hands out addresses.
unsafe impl Sync for PinnedWords {}

const PAGE: usize = 4096;

impl PinnedWords {
    /// `words` words, rounded up to whole pages. They are left out of core dumps.
    pub(crate) fn create(gpu: &Arc<dyn Gpu>, words: usize) -> Result<Self> {
        let operation = "pin words for the GPU";
        let bytes = NonZeroUsize::new((8 * words).next_multiple_of(PAGE)).expect("there are words");
        let (protection, flags) = (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED);
        // SAFETY: a new mapping at an address that the system chooses touches no memory in use.
        let base = unsafe { mmap_anonymous(None, bytes, protection, flags) }
            .map_err(|error| Error::new(operation, Cause::System(error.to_string())))?;
        super::shared_file::not_in_core_dumps(base, bytes.get());
        let pinned = gpu.register_host(base.expose_provenance().get() as u64, bytes.get() as u64);
        pinned.map_err(Error::of(operation)).inspect_err(|_| {
            // SAFETY: the mapping is ours, and nothing refers to it.
            let _ = unsafe { munmap(base, bytes.get()) };
        })?;
        Ok(Self { base: base.cast(), bytes, gpu: gpu.clone() })
    }

    /// The address of a word for the GPU.
    pub(crate) fn address(&self, word: usize) -> u64 {
        (self.base.expose_provenance().get() + 8 * word) as u64
    }

    #[inline]
    pub(crate) fn word(&self, word: usize) -> &AtomicU64 {
        assert!(8 * word < self.bytes.get());
        // SAFETY: the word is aligned, lies inside the mapping, which lives as long as `self`, and is only used as an
        // atomic.
        unsafe { AtomicU64::from_ptr(self.base.as_ptr().add(8 * word).cast()) }
    }
}

impl Drop for PinnedWords {
    fn drop(&mut self) {
        // A kernel may still write, possibly for ever, and the process is about to end.
        if std::thread::panicking() || !cushmem_bootstrap::joined_here() {
            return;
        }
        // If this fails, the pages only stay pinned until the process ends.
        if self.gpu.unregister_host(self.address(0)).is_ok() {
            // SAFETY: the mapping is ours, and nothing refers to it any more.
            let _ = unsafe { munmap(self.base.cast::<c_void>(), self.bytes.get()) };
        }
    }
}

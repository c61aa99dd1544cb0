//! The symmetric host heap: a window with a segment for each PE of the node, all of which every PE maps.
//!
//! | job | made of | grows | kernels and copy engines |
//! |---|---|---|---|
//! | without a GPU | one anonymous file, mapped as a whole; sparse | when a page is touched | – |
//! | with a GPU | chunks of host memory of the driver's making, side by side | a chunk when it must | reach all of it, and a copy may cross any chunks |
//! | with a GPU whose driver makes no such memory | the file, pinned as a whole when the PE joins | not at all: pinning takes every page | the same |
//!
//! A copy must not cross a border between two pinned ranges, so nothing is pinned piece by piece, and growth neither moves nor unpins
//! what kernels may be using.

use super::chunks::{self, Chunks};
use super::window::{self, Window};
use crate::error::Cause;
use crate::job::{Job, Pe};
use crate::sync::control::{not_in_core_dumps, shared_file};
use crate::{Error, Result};
use cushmem_bootstrap::{Contribution, WaitLimit};
use cushmem_gpu::{Gpu, MemoryLocation};
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What segments begin at a multiple of, on each PE; strides are multiples of it, so an object that is aligned on one PE is on all, seen
/// from each.
pub(crate) const BASE_ALIGNMENT: u64 = 2 << 20;
/// A heap of chunks grows by at least this much, so that small allocations seldom involve all PEs.
const LEAST_GROWTH: u64 = 8 << 20;

/// The segments of all PEs of this node.
pub(crate) struct HostHeap {
    job: Arc<Job>,
    window: Window,
    bytes: u64,
    store: Store,
}

enum Store {
    /// Of this PE's segment, a core dump holds the bytes that objects had so far.
    File {
        base: NonNull<u8>,
        length: NonZeroUsize,
        pinned_by: Option<Arc<dyn Gpu>>,
        dumped: AtomicU64,
    },
    Chunks {
        gpu: Arc<dyn Gpu>,
        granularity: u64,
        mapped: Mutex<Chunks>,
    },
}

// SAFETY: it is an address range; access to the bytes goes through the functions of `transport::mapped`.
unsafe impl Send for HostHeap {}
// SAFETY: it is an address range; access to the bytes goes through the functions of `transport::mapped`.
unsafe impl Sync for HostHeap {}

impl HostHeap {
    /// Collective. A heap of up to `bytes` bytes, of which no PE may have more than `largest`; of chunks if `gpu` is given and all PEs' drivers make them.
    pub(crate) fn create(
        job: &Arc<Job>,
        bytes: u64,
        largest: u64,
        gpu: Option<&Arc<dyn Gpu>>,
        chunks: bool,
    ) -> Result<Self> {
        let operation = "create the host heap";
        let granularity = match gpu {
            Some(gpu) if chunks => gpu.host_granularity().map_err(|why| Error::new(operation, Cause::System(why)))?,
            _ => BASE_ALIGNMENT,
        };
        let stride = window::stride(largest, granularity.max(BASE_ALIGNMENT))?;
        let all = stride * u64::from(job.node_pes());
        let (base, store) = match gpu {
            Some(gpu) if chunks => {
                let base = gpu.reserve(MemoryLocation::Host, all, BASE_ALIGNMENT.max(granularity));
                let store = Store::Chunks { gpu: gpu.clone(), granularity, mapped: Mutex::default() };
                (base.map_err(Error::of(operation))?, store)
            }
            pinned_by => {
                let (base, length) = map_file(job, all)?;
                let store = Store::File { base, length, pinned_by: pinned_by.cloned(), dumped: AtomicU64::new(0) };
                (base.expose_provenance().get() as u64, store)
            }
        };
        let heap = Self { job: job.clone(), window: Window::new(job, base, stride), bytes, store };
        heap.pin()?;
        Ok(heap)
    }

    /// Where the segments are.
    #[inline(always)]
    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// Bytes of every segment that exist, of those that the program may have.
    pub(crate) fn existing(&self) -> u64 {
        self.mapped().map_or(self.bytes, |chunks| chunks.bytes().min(self.bytes))
    }

    /// Most bytes that a segment can have.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Pins the file of a heap that a GPU uses, segment by segment: each PE begins with its own, so that its pages are near it.
    fn pin(&self) -> Result<()> {
        let Store::File { pinned_by: Some(gpu), .. } = &self.store else { return Ok(()) };
        let length = self.bytes.next_multiple_of(BASE_ALIGNMENT).min(self.window.stride());
        let mine = self.job.me();
        for pe in std::iter::once(mine).chain(self.job.pes().filter(|pe| *pe != mine)) {
            if let Some(start) = self.window.at(pe, 0) {
                gpu.register_host(start, length).map_err(Error::of("pin the host heap"))?;
            }
        }
        Ok(())
    }

    /// Collective if something is missing: makes sure that `needed` bytes of every segment exist.
    pub(crate) fn grow(&self, needed: u64) -> Result<()> {
        let (gpu, granularity) = match &self.store {
            Store::Chunks { gpu, granularity, .. } => (gpu, granularity),
            Store::File { dumped, .. } => {
                self.dump(dumped, needed);
                return Ok(());
            }
        };
        let mapped = self.mapped().map_or(0, |chunks| chunks.bytes());
        if needed <= mapped {
            return Ok(());
        }
        let bytes = chunks::growth(*granularity, LEAST_GROWTH, mapped, needed, self.window.stride());
        chunks::grow(&self.job, &**gpu, MemoryLocation::Host, &self.window, |_| true, (mapped, bytes))?;
        if let Some(mut chunks) = self.mapped() {
            chunks.push(bytes);
        }
        Ok(())
    }

    /// Lets core dumps hold this PE's segment up to `end`. A failure has no other consequence than that they do not.
    fn dump(&self, dumped: &AtomicU64, end: u64) {
        let end = end.next_multiple_of(BASE_ALIGNMENT).min(self.window.stride());
        // Relaxed: one thread at a time changes the heap.
        let start = dumped.load(Ordering::Relaxed);
        if let Some(from) = NonNull::new(self.own(start).cast::<c_void>()).filter(|_| start < end) {
            // SAFETY: a part of this PE's segment; what a dump holds changes nothing in the memory.
            let _ = unsafe { madvise(from, (end - start) as usize, MmapAdvise::MADV_DODUMP) };
            dumped.store(end, Ordering::Relaxed);
        }
    }

    /// The chunks; one thread at a time changes them.
    fn mapped(&self) -> Option<MutexGuard<'_, Chunks>> {
        match &self.store {
            Store::Chunks { mapped, .. } => Some(mapped.lock().unwrap_or_else(PoisonError::into_inner)),
            Store::File { .. } => None,
        }
    }

    /// The byte at `offset` of this PE's segment.
    #[inline]
    pub(crate) fn own(&self, offset: u64) -> *mut u8 {
        self.of(self.job.me(), offset).expect("a PE is on its own node")
    }

    #[inline]
    fn of(&self, pe: Pe, offset: u64) -> Option<*mut u8> {
        self.window.at(pe, offset).map(|at| std::ptr::with_exposed_provenance_mut(at as usize))
    }

    /// Overwrites an object of this PE that no peer uses, as far as its memory exists.
    pub(crate) fn fill(&self, offset: u64, value: u8, bytes: u64) {
        let bytes = bytes.min(self.existing().saturating_sub(offset)) as usize;
        // SAFETY: it lies in this PE's segment, and the collective call that it belongs to lets nobody else use the object.
        unsafe { self.own(offset).write_bytes(value, bytes) };
    }

    /// Unmaps and unpins all. A failure has no consequence but that the memory goes with the process.
    pub(crate) fn give_back(&self) {
        match &self.store {
            Store::Chunks { gpu, .. } => {
                if let Some(chunks) = self.mapped() {
                    chunks.unmap(&self.job, &**gpu, &self.window, |_| true);
                }
            }
            Store::File { base, length, pinned_by, .. } => {
                if let Some(gpu) = pinned_by {
                    for start in self.window.starts().iter().filter(|start| **start != 0) {
                        let _ = gpu.unregister_host(*start as u64);
                    }
                }
                // SAFETY: the mapping is ours, and nothing that refers to it outlives the library's handle.
                let _ = unsafe { munmap(base.cast::<c_void>(), length.get()) };
            }
        }
    }
}

/// Collective. PE 0 makes the file, all map it.
fn map_file(job: &Job, bytes: u64) -> Result<(NonNull<u8>, NonZeroUsize)> {
    let failed = |what: &str, e: String| {
        let remedy = "SHMEM_SYMMETRIC_SIZE makes it smaller";
        Error::new(format!("create the host heap: {what} {bytes} bytes ({remedy})"), Cause::System(e))
    };
    let own = match job.my_pe() {
        0 => Some(shared_file(c"cushmem-host-heap", bytes).map_err(|e| failed("share", e))?),
        _ => None,
    };
    let parts =
        job.bootstrap().share("host heap", &bytes.to_ne_bytes(), own.as_ref().map(AsFd::as_fd), WaitLimit::Limited)?;
    let part = parts.into_iter().next();
    let file = part.as_ref().map_or(Err("it is missing"), Contribution::descriptor);
    let file =
        file.map_err(|why| Error::new("create the host heap", Cause::Mismatch(format!("PE 0's contribution: {why}"))))?;
    let length = NonZeroUsize::new(bytes as usize).ok_or_else(|| failed("map", nix::Error::EINVAL.to_string()))?;
    Ok((map(file, bytes).map_err(|e| failed("map", e.to_string()))?, length))
}

/// Maps the file at a multiple of [`BASE_ALIGNMENT`].
fn map(file: BorrowedFd<'_>, bytes: u64) -> nix::Result<NonNull<u8>> {
    let (length, spare) = (bytes as usize, BASE_ALIGNMENT as usize);
    let (Some(size), Some(roomy)) = (NonZeroUsize::new(length), NonZeroUsize::new(length + spare)) else {
        return Err(nix::Error::EINVAL);
    };
    // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
    let room =
        unsafe { mmap_anonymous(None, roomy, ProtFlags::PROT_NONE, MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE)? };
    let before = room.addr().get().next_multiple_of(spare) - room.addr().get();
    // SAFETY: both are at most the mapping's length.
    let (base, end) = unsafe { (room.byte_add(before), room.byte_add(before + length)) };
    for (start, unused) in [(room, before), (end, spare - before)] {
        if unused > 0 {
            // SAFETY: a part of the mapping above, in which there is nothing. A failure leaves addresses unused.
            let _ = unsafe { munmap(start, unused) };
        }
    }
    let (protection, flags) =
        (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE);
    // SAFETY: it takes the place of what is left of the mapping above.
    let base = unsafe { mmap(Some(base.addr()), size, protection, flags | MapFlags::MAP_FIXED, file, 0)? };
    not_in_core_dumps(base, length);
    Ok(base.cast())
}

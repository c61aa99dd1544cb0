//! Symmetric allocation.
//!
//! Each call is one meeting of all PEs ([`agreement`](crate::agreement)), at which they find out whether they ask for the same;
//! what has to grow then grows on all, and ends in an agreement of its own. So nobody waits in a meeting while another waits in
//! the growth, and nobody returns before the memory exists everywhere.
//!
//! | call | before the meeting | after it |
//! |---|---|---|
//! | allocate | chooses the place, clears it if asked | grows the heap if it must |
//! | free | | gives the place back: nobody uses it any more |
//! | reallocate | | shortens it, or allocates, copies, frees the old place, and meets once more |
//!
//! The lock of the allocator is held while a place is looked up or chosen, never while PEs wait for each other: in check mode
//! other threads of this PE ask it about their addresses.

use crate::agreement::{Argument, Call};
use crate::check::{POISON, POISONED_BYTES};
use crate::host_heap::HostArea;
use crate::shmem::GpuSide;
use crate::sym::{Kind, SymSlice};
use crate::{DeviceBuffer, Error, Result, Shmem, mapped};
use cushmem_bootstrap::Patience;
use cushmem_device::Word;
use cushmem_environment as environment;
use std::sync::{MutexGuard, PoisonError};

/// Host memory is pinned for GPUs in pieces of at least this many bytes.
const LEAST_PINNED: u64 = 4 << 20;
const PAGE: u64 = 4096;

/// What a new object is to be like.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) bytes: u64,
    /// A power of two.
    pub(crate) alignment: u64,
    /// Whether it is all zero; host memory only.
    pub(crate) cleared: bool,
}

impl Shmem {
    /// `n` elements of symmetric host memory, zero when the heap is fresh (`shmem_malloc`, OpenSHMEM 1.6, 9.3.1).
    ///
    /// Collective: all PEs ask for the same, else the job ends with a message. It succeeds on all or fails on all, and no PE
    /// returns before all have called it.
    pub fn malloc<T: Word>(&self, n: usize) -> Result<SymSlice<'_, T>> {
        self.allocate_elements("malloc", Kind::Host, n)
    }

    /// `n` elements of symmetric GPU memory, not cleared. Collective, as [`Shmem::malloc`].
    pub fn malloc_gpu<T: Word>(&self, n: usize) -> Result<SymSlice<'_, T>> {
        self.gpu_side("malloc_gpu")?;
        self.allocate_elements("malloc_gpu", Kind::Gpu, n)
    }

    /// Gives symmetric memory back (`shmem_free`, OpenSHMEM 1.6, 9.3.1). Collective; begins with a barrier, so that no PE
    /// still uses it. Refused without one if it is not the whole object.
    pub fn free<T: Word>(&self, slice: SymSlice<'_, T>) -> Result<()> {
        if !slice.belongs_to(self) {
            return Err(Error::new("free", "the symmetric object belongs to another job handle"));
        }
        let (kind, offset) = (slice.kind(), slice.offset());
        self.free_in(&Call::new("free", &[Argument::Object("slice", Some((kind, offset)))]), kind, offset)
    }

    /// Collective: gives back the object at this offset.
    pub(crate) fn free_in(&self, call: &Call, kind: Kind, offset: u64) -> Result<()> {
        let _one = self.change();
        self.known_bytes(call.routine, kind, offset)?;
        self.meet_in(call)?;
        self.forget(kind, offset);
        Ok(())
    }

    /// Bytes of the object that starts at this offset.
    fn known_bytes(&self, routine: &str, kind: Kind, offset: u64) -> Result<u64> {
        let known = self.heaps().of(kind).get(offset).map(|object| object.bytes);
        known.ok_or_else(|| Error::new(routine, format!("no symmetric object starts at offset {offset} of the heap")))
    }

    /// Local: gives back an object that nobody uses any more.
    fn forget(&self, kind: Kind, offset: u64) {
        let mut heaps = self.heaps();
        let bytes = heaps.of(kind).get(offset).map_or(0, |object| object.bytes);
        heaps.of_mut(kind).free(offset);
        if self.check && kind == Kind::Host {
            let at = self.host.at(self.my_pe(), offset);
            // SAFETY: this PE's part of an object that was just freed; it is used again after this call only.
            unsafe { at.write_bytes(POISON, bytes.min(POISONED_BYTES) as usize) };
        }
    }

    fn allocate_elements<T: Word>(&self, routine: &'static str, kind: Kind, n: usize) -> Result<SymSlice<'_, T>> {
        let bytes = byte_count::<T>(routine, n)?;
        let call = Call::new(routine, &[Argument::Number("bytes", bytes)]);
        let offset = self.allocate(&call, kind, Layout { bytes, alignment: 1, cleared: false })?;
        Ok(SymSlice::new(self, kind, offset, n))
    }

    /// Collective: offset of a new object.
    pub(crate) fn allocate(&self, call: &Call, kind: Kind, layout: Layout) -> Result<u64> {
        let _one = self.change();
        let (place, limit) = self.choose(kind, layout);
        if let (Some(offset), Kind::Host, true) = (place, kind, layout.cleared) {
            let at = self.host.at(self.my_pe(), offset);
            // SAFETY: this PE's part of an object that no peer knows of yet.
            unsafe { at.write_bytes(0, layout.bytes as usize) };
        }
        self.meet_in(call)?;
        let offset = place.ok_or_else(|| does_not_fit(call.routine, kind, layout.bytes, limit))?;
        self.grow(kind, offset, layout.bytes)?;
        Ok(offset)
    }

    /// Collective: changes the size of the object at this offset, and returns where it is then. If there is no room for it, it is
    /// as it was.
    pub(crate) fn reallocate(&self, call: &Call, kind: Kind, offset: u64, bytes: u64) -> Result<u64> {
        let _one = self.change();
        let old_bytes = self.known_bytes(call.routine, kind, offset)?;
        self.meet_in(call)?;
        if self.heaps().of_mut(kind).resize(offset, bytes) {
            return Ok(offset);
        }
        let (place, limit) = self.choose(kind, Layout { bytes, alignment: 1, cleared: false });
        let new = place.ok_or_else(|| does_not_fit(call.routine, kind, bytes, limit))?;
        self.grow(kind, new, bytes)?;
        let (to, from) = (self.seen_at(kind, new, self.my_pe()), self.seen_at(kind, offset, self.my_pe()));
        let kept = old_bytes.min(bytes) as usize;
        let copied = match kind {
            Kind::Host => {
                // SAFETY: both are this PE's parts of objects of at least as many bytes.
                unsafe { mapped::copy(self.host.at(self.my_pe(), new), self.host.at(self.my_pe(), offset), kept) };
                Ok(())
            }
            // SAFETY: as above; it is waited for.
            Kind::Gpu => unsafe { self.copy_and_wait(to, from, kept) },
        };
        // The others go on to the barrier below.
        copied.unwrap_or_else(|error| self.end(call.routine, &error));
        self.forget(kind, offset);
        self.barrier_all()?;
        Ok(new)
    }

    /// Only one thread at a time changes the heaps.
    fn change(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Local: takes a place in the heap, if there is one; and the heap's limit.
    fn choose(&self, kind: Kind, layout: Layout) -> (Option<u64>, u64) {
        let mut heaps = self.heaps();
        heaps.allocations += 1;
        let number = heaps.allocations;
        let heap = heaps.of_mut(kind);
        // The library's own part of the host heap is beside what the program may have.
        let own = if kind == Kind::Host { HostArea::BYTES } else { 0 };
        (heap.allocate(layout.bytes, layout.alignment, number), heap.limit() - own)
    }

    /// Collective if something is missing: makes sure that the new object's memory exists on all PEs. If that fails, it fails on all
    /// and the object is gone.
    fn grow(&self, kind: Kind, offset: u64, bytes: u64) -> Result<()> {
        let grown = match kind {
            Kind::Host => self.pin_host(offset + bytes),
            Kind::Gpu => self.grow_gpu(offset + bytes),
        };
        grown.inspect_err(|_| {
            self.heaps().of_mut(kind).free(offset);
        })
    }

    /// `n` elements of private GPU memory, not cleared; freed on drop.
    pub fn device_alloc<T: Word>(&self, n: usize) -> Result<DeviceBuffer<'_, T>> {
        let gpu = self.gpu_side("device_alloc")?;
        let bytes = byte_count::<T>("device_alloc", n)?;
        let address = gpu.heap.gpu.alloc(bytes.max(1)).map_err(Error::of("device_alloc"))?;
        Ok(DeviceBuffer::new(self, address, n))
    }

    /// Collective: makes sure that `needed` bytes of every GPU slice exist.
    pub(crate) fn grow_gpu(&self, needed: u64) -> Result<()> {
        let Some(GpuSide { heap, .. }) = &self.gpu else { return Ok(()) };
        let mapped = self.heaps().gpu_chunks.last().copied().unwrap_or(0);
        if needed <= mapped {
            return Ok(());
        }
        let bytes = heap.growth(mapped, needed, self.stride);
        heap.grow(&self.bootstrap, mapped, bytes)?;
        self.heaps().gpu_chunks.push(mapped + bytes);
        self.windows.set_gpu_bytes(mapped + bytes);
        Ok(())
    }

    /// Collective where there is a GPU: makes sure that kernels and copy engines reach `needed` bytes of every host slice.
    pub(crate) fn pin_host(&self, needed: u64) -> Result<()> {
        let Some(GpuSide { heap, .. }) = &self.gpu else { return Ok(()) };
        let pinned = self.host_pinned.read().unwrap_or_else(PoisonError::into_inner).last().copied().unwrap_or(0);
        if needed <= pinned {
            return Ok(());
        }
        let bytes = (needed - pinned).max(LEAST_PINNED).next_multiple_of(PAGE).min(self.stride - pinned);
        let mut problem = None;
        let mut done = vec![];
        // Pinning takes memory that was not touched yet, so each begins with its own slice, which is then near it.
        for pe in (self.my_pe()..self.n_pes()).chain(0..self.my_pe()) {
            let address = self.host.at(pe, pinned).addr() as u64;
            match heap.gpu.register_host(address, bytes) {
                Ok(()) => done.push(address),
                Err(error) => {
                    problem = Some(error.to_string());
                    break;
                }
            }
        }
        let own = problem.unwrap_or_default();
        // A PE may come to its allocation much later than another.
        let verdict = self.bootstrap.allgather_with("pinned host memory", own.as_bytes(), None, Patience::Unlimited)?;
        if let Some((pe, why)) = verdict.iter().enumerate().find(|(_, part)| !part.bytes.is_empty()) {
            for address in done {
                // The error that matters is the one above.
                let _ = heap.gpu.unregister_host(address);
            }
            let cause = format!("PE {pe}: {}", String::from_utf8_lossy(&why.bytes));
            return Err(Error::new(format!("grow the pinned host heap by {bytes} bytes"), cause));
        }
        self.host_pinned.write().unwrap_or_else(PoisonError::into_inner).push(pinned + bytes);
        Ok(())
    }
}

#[cold]
fn does_not_fit(routine: &str, kind: Kind, bytes: u64, limit: u64) -> Error {
    let variable = if kind == Kind::Host { environment::SYMMETRIC_SIZE } else { environment::GPU_HEAP_SIZE }.name;
    let cause = format!("{bytes} bytes do not fit into the heap of {limit} bytes ({variable} enlarges it)");
    Error::new(routine, cause)
}

fn byte_count<T>(operation: &str, n: usize) -> Result<u64> {
    let bytes = n.checked_mul(size_of::<T>()).filter(|&b| b <= isize::MAX as usize);
    bytes
        .map(|b| b as u64)
        .ok_or_else(|| Error::new(operation, format!("{n} elements of {} bytes are too many", size_of::<T>())))
}

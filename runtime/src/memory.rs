//! Symmetric allocation.

use crate::host_heap::HostArea;
use crate::shmem::{GpuSide, Heaps};
use crate::sym::{Kind, SymSlice};
use crate::{DeviceBuffer, Error, Result, Shmem};
use cushmem_bootstrap::Patience;
use cushmem_device::Word;
use cushmem_environment as environment;
use std::sync::PoisonError;

/// Host memory is pinned for GPUs in pieces of at least this many bytes.
const LEAST_PINNED: u64 = 4 << 20;

impl Shmem {
    /// `n` elements of symmetric host memory, zero when the heap is fresh (`shmem_malloc`, OpenSHMEM 1.6, 9.3.1).
    ///
    /// Collective: all PEs ask for the same. It succeeds on all or fails on all, and ends in a barrier.
    pub fn malloc<T: Word>(&self, n: usize) -> Result<SymSlice<'_, T>> {
        self.allocate(Kind::Host, n, 1)
    }

    /// `n` elements of symmetric GPU memory, not cleared. Collective, as [`Shmem::malloc`].
    pub fn malloc_gpu<T: Word>(&self, n: usize) -> Result<SymSlice<'_, T>> {
        self.gpu_side("malloc_gpu")?;
        self.allocate(Kind::Gpu, n, 1)
    }

    /// Gives symmetric memory back (`shmem_free`, OpenSHMEM 1.6, 9.3.1). Collective; begins with a barrier, so that no PE
    /// still uses it.
    pub fn free<T: Word>(&self, slice: SymSlice<'_, T>) -> Result<()> {
        if !slice.belongs_to(self) {
            return Err(Error::new("free", "the symmetric object belongs to another job handle"));
        }
        self.barrier_all()?;
        self.free_at(slice.kind(), slice.offset())
    }

    /// Local: gives back the object at this offset.
    pub(crate) fn free_at(&self, kind: Kind, offset: u64) -> Result<()> {
        let mut heaps = self.heaps();
        let heap = if kind == Kind::Host { &mut heaps.host } else { &mut heaps.gpu };
        if heap.free(offset) {
            return Ok(());
        }
        Err(Error::new("free", format!("no symmetric object starts at offset {offset} of the heap")))
    }

    /// `n` elements of private GPU memory, not cleared; freed on drop.
    pub fn device_alloc<T: Word>(&self, n: usize) -> Result<DeviceBuffer<'_, T>> {
        let gpu = self.gpu_side("device_alloc")?;
        let bytes = byte_count::<T>("device_alloc", n)?;
        let address = gpu.heap.gpu.alloc(bytes.max(1)).map_err(Error::of("device_alloc"))?;
        Ok(DeviceBuffer::new(self, address, n))
    }

    pub(crate) fn allocate<T: Word>(&self, kind: Kind, n: usize, alignment: u64) -> Result<SymSlice<'_, T>> {
        let operation = if kind == Kind::Host { "malloc" } else { "malloc_gpu" };
        let bytes = byte_count::<T>(operation, n)?;
        let mut heaps = self.heaps();
        let heap = if kind == Kind::Host { &mut heaps.host } else { &mut heaps.gpu };
        let limit = heap.limit();
        let offset = heap.allocate(bytes, alignment).ok_or_else(|| {
            let variable =
                if kind == Kind::Host { environment::SYMMETRIC_SIZE } else { environment::GPU_HEAP_SIZE }.name;
            Error::new(
                operation,
                format!("{bytes} bytes do not fit into the heap of {limit} bytes ({variable} enlarges it)"),
            )
        })?;
        let grown = match kind {
            Kind::Host => self.pin_host(offset + bytes),
            Kind::Gpu => self.grow_gpu(&mut heaps, offset + bytes),
        };
        if let Err(error) = grown {
            let heap = if kind == Kind::Host { &mut heaps.host } else { &mut heaps.gpu };
            heap.free(offset);
            return Err(error);
        }
        drop(heaps);
        self.barrier_all()?;
        Ok(SymSlice::new(self, kind, offset, n))
    }

    /// Collective: makes sure that `needed` bytes of every GPU slice exist.
    pub(crate) fn grow_gpu(&self, heaps: &mut Heaps, needed: u64) -> Result<()> {
        let Some(GpuSide { heap, .. }) = &self.gpu else { return Ok(()) };
        let mapped = heaps.gpu_chunks.last().copied().unwrap_or(0);
        if needed <= mapped {
            return Ok(());
        }
        let bytes = heap.growth(mapped, needed, self.stride);
        heap.grow(&self.bootstrap, mapped, bytes)?;
        heaps.gpu_chunks.push(mapped + bytes);
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
        let bytes = (needed - pinned).max(LEAST_PINNED).next_multiple_of(HostArea::BYTES).min(self.stride - pinned);
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

fn byte_count<T>(operation: &str, n: usize) -> Result<u64> {
    let bytes = n.checked_mul(size_of::<T>()).filter(|&b| b <= isize::MAX as usize);
    bytes
        .map(|b| b as u64)
        .ok_or_else(|| Error::new(operation, format!("{n} elements of {} bytes are too many", size_of::<T>())))
}

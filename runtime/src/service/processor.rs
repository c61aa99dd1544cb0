//! The command processor: a block of the library on this GPU that carries out copies for lanes of its kernels, in jobs
//! whose user asks for it (`CUSHMEM_COMMAND_PROCESSOR`). [`cushmem_protocol::ring`] has the protocol, and the device
//! crate's `processor.rs` and `serving.rs` its two ends; [`super::resident`] launches it. Its ring is in GPU memory, so
//! the CPU only copies its counts, when a fence, quiet or barrier of the CPU has to complete what kernels have left.

use super::Services;
use super::launches::Launches;
use super::resident::{Resident, Runs};
use crate::error::{Error, Result};
use crate::transfer::Transfers;
use crate::transport::library::Library;
use cushmem_abi::ProcessorRing;
use cushmem_bootstrap::waits::Wait;
use cushmem_gpu::{Gpu, Grid};
use cushmem_kernels::processor_serve;
use cushmem_path::ThreadCopy;
use cushmem_record::Cause as Recorded;
use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Lanes of its block, on a GPU and on the emulation, where each lane costs time.
const THREADS: [u32; 2] = [512, 64];

/// The processor of this PE's GPU.
pub(crate) struct Processor {
    resident: Arc<Resident>,
    ring: u64,
    launches: Launches,
    /// [`Launches::idle_since`] when all commands were last seen complete, plus 1.
    settled: AtomicU64,
    ended: AtomicBool,
}

/// What kernels know of it: the address of its ring, 0 if there is none, and the least bytes of a put and
/// of a get for it.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) ring: u64,
    pub(super) least: [u32; 2],
}

impl Services {
    /// Makes room for the ring, if the user has asked for a processor.
    pub(super) fn make_processor_ring(&self, operation: &'static str, gpu: &dyn Gpu) -> Result<Known> {
        if !self.wants_processor {
            return Ok(Known { ring: 0, least: [u32::MAX; 2] });
        }
        let ring = gpu.alloc(size_of::<ProcessorRing>() as u64).map_err(Error::of(operation))?;
        let policy = self.transfers.paths().policy();
        let least = [ThreadCopy::Put, ThreadCopy::Get].map(|copy| policy.machine().costs.least_for_processor(copy));
        Ok(Known { ring, least })
    }

    /// What the processor carries out, if there is one; for `CUSHMEM_EXPLAIN`.
    pub(crate) fn processor_in_words(&self) -> Option<String> {
        self.processor.get()?;
        Some(format!(
            "the command processor of this GPU copies for single threads of kernels, between memory that is mapped, on \
             contexts that the kernel has made: {}",
            self.transfers.paths().policy().machine().costs.processor_in_words()
        ))
    }

    /// Launches the processor, if it has a ring, which is all zeros.
    pub(super) fn start_processor(
        self: &Arc<Self>,
        operation: &'static str,
        ring: u64,
        library: &Library,
    ) -> Result<()> {
        if ring == 0 {
            return Ok(());
        }
        let [on_gpu, emulated] = THREADS;
        let properties = self.memory().own_gpu(operation)?.properties();
        let grid = Grid::linear(1, if properties.emulated { emulated } else { on_gpu });
        let function = library.function(processor_serve).clone();
        let resident = self.make_resident(operation, (function, None), grid, Runs::Processor)?;
        let reports = [resident.reports()];
        let (to, from) =
            (ring + offset_of!(ProcessorRing, reports) as u64, reports.as_ptr().expose_provenance() as u64);
        // SAFETY: a word of the ring, and one that lives until the copy is complete.
        unsafe { self.transfers.copy_and_wait(to, from, size_of_val(&reports))? };
        let processor = Arc::new(Processor {
            resident,
            ring,
            launches: self.launches.clone(),
            settled: AtomicU64::new(0),
            ended: AtomicBool::new(false),
        });
        // Only one thread of a PE starts the GPUs.
        let _ = self.processor.set(processor.clone());
        self.finish_with(processor.clone());
        processor.resident.begin(ring, None)
    }

    /// Ends the processor, if there is one, once no kernel of the program runs and it has carried out everything. What
    /// kernels have left is complete then.
    pub(super) fn stop_processor(&self) {
        let Some(processor) = self.processor.get() else { return };
        processor.resident.begin_to_yield();
        let Some(gpu) = self.memory().opened_gpu() else { return };
        let in_driver = self.launches().in_driver();
        let passed = gpu.synchronize().is_ok();
        drop(in_driver);
        let ended = processor.resident.end(passed);
        // SYNC(processor-ended) release: pairs with the acquire in `finish`.
        if !processor.ended.swap(true, Ordering::AcqRel) && passed && ended.is_ok() {
            let _ = gpu.free(processor.ring);
        }
    }
}

impl Processor {
    /// Waits for what kernels had posted before this call. If the GPU has failed, nobody carries out anything.
    pub(super) fn finish(&self, transfers: &Transfers) {
        // SYNC(processor-ended) acquire: pairs with the release in `stop_processor`: the ring is gone.
        if self.ended.load(Ordering::Acquire) {
            return;
        }
        let idle = self.launches.idle_since();
        // Relaxed: whoever has seen a kernel end has synchronised with it, and the number has changed.
        if idle.is_some_and(|idle| self.settled.load(Ordering::Relaxed) == idle.wrapping_add(1)) {
            return;
        }
        if let Some((posted, done)) = self.counts(transfers)
            && done < posted
        {
            let look = || self.counts(transfers).is_none_or(|(_, done)| done >= posted).then_some(());
            let what = || Wait { what: "the command processor of this GPU".into(), late: vec![] };
            transfers.sync().wait_policy().wait_unwoken(look, (Recorded::Proxy, true), what);
        }
        if let Some(idle) = idle {
            self.settled.store(idle.wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// How many commands were posted, and how many are complete; `None` if the GPU has failed. A lane that has taken a
    /// ticket posts its command without waiting for a CPU.
    fn counts(&self, transfers: &Transfers) -> Option<(u64, u64)> {
        const WORDS: usize = offset_of!(ProcessorRing, posted) / 8;
        let mut words = [0u64; WORDS];
        let to = words.as_mut_ptr().expose_provenance() as u64;
        // SAFETY: the ring has these words, and the copy is complete when this returns.
        unsafe { transfers.copy_aside(to, self.ring, size_of_val(&words)) }.ok()?;
        let words = std::hint::black_box(words);
        Some((words[offset_of!(ProcessorRing, tickets) / 8], words[offset_of!(ProcessorRing, done) / 8]))
    }
}

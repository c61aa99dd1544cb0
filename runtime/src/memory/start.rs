//! The start of the job's GPUs. From then on PEs share GPU memory, and every GPU reaches the host heap. It happens in
//! the first collective call that needs a GPU, on all PEs or on none.

use super::allocator::Heap;
use super::stage_area::StageArea;
use super::{GpuHeap, Memory};
use crate::error::{Cause, Error, Result};
use crate::job::Job;
use crate::sync::network::Network;
use cushmem_abi::{COLLECTIVE_BLOCKS, CollectiveArea};
use cushmem_gpu::Gpu;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A PE's GPU, as the others are told of it: no byte is padding, and any bytes are a value. If there is no GPU, the
/// reason follows as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct GpuFacts {
    /// Identifies it across processes; all zero if there is no GPU.
    uuid: [u8; 16],
    /// The most bytes of symmetric memory.
    heap_bytes: u64,
    /// 1 for a real GPU, 2 for the emulated one, 0 for none.
    kind: u64,
}

impl GpuFacts {
    fn of(gpu: &dyn Gpu, heap_bytes: u64) -> Self {
        let properties = gpu.properties();
        Self { uuid: properties.uuid, heap_bytes, kind: if properties.emulated { 2 } else { 1 } }
    }

    /// Collective. Exchanges the GPUs of all PEs. The error, the same on all, says why the job has no GPUs: a PE has
    /// none, or they are of two kinds.
    fn exchange(job: &Job, own: std::result::Result<Self, String>, operation: &'static str) -> Result<Vec<Self>> {
        const NONE: GpuFacts = GpuFacts { uuid: [0; 16], heap_bytes: 0, kind: 0 };
        let (facts, why) = own.map_or_else(|why| (NONE, why), |facts| (facts, String::new()));
        let mut all: Vec<Self> = vec![];
        let mut problem = None;
        for (pe, part) in
            job.bootstrap().allgather("GPUs", &[facts.as_bytes(), why.as_bytes()].concat())?.iter().enumerate()
        {
            let Ok((theirs, why)) = Self::read_from_prefix(part) else {
                let text = format!("PE {pe} sent {} bytes about its GPU", part.len());
                return Err(Error::new("compare GPUs", Cause::Mismatch(text)));
            };
            if theirs.kind == 0 {
                problem.get_or_insert_with(|| format!("PE {pe}: {}", String::from_utf8_lossy(why)));
            }
            all.push(theirs);
        }
        let other = all.iter().position(|theirs| theirs.kind != all[0].kind);
        let kinds = other.map(|pe| {
            let name = |pe: usize| if all[pe].kind == 2 { "an emulated GPU" } else { "an NVIDIA GPU" };
            format!("PE 0 uses {} and PE {pe} uses {}; set the same CUSHMEM_GPU on all PEs", name(0), name(pe))
        });
        problem.or(kinds).map_or(Ok(all), |why| Err(Error::new(operation, Cause::NoGpu(why))))
    }
}

impl Memory {
    /// Collective. Opens this PE's GPU, reserves the window of the GPU heap, allocates what the library needs there,
    /// and lets the GPU reach the host heap. If that fails on one PE, it fails on all, and may be tried again.
    pub(crate) fn start_gpus(&self, operation: &'static str, network: Option<&Network>) -> Result<()> {
        // The words of more teams than usual lie before the heap, which is as large as without them.
        let (words, more) = (self.words_in_gpu(), self.own_gpu.more);
        let own = self.own_gpu(operation).map(|gpu| GpuFacts::of(&**gpu, self.own_gpu.heap_bytes(&**gpu)));
        let all = GpuFacts::exchange(&self.job, own.map_err(|error| error.cause().to_string()), operation)?;
        let bytes = all.iter().map(|facts| facts.heap_bytes);
        let (least, largest) = (bytes.clone().min().unwrap_or(0), bytes.max().unwrap_or(0));
        // A reservation is kept even if another PE has none.
        let reserved = self.reserve_window(operation, (largest, more), &all).map_err(|error| error.to_string());
        self.job.agree(operation, reserved)?;
        let gpu = self.gpu().expect("the window is reserved");
        gpu.grow(words)?;
        self.start_stage(gpu, network)?;
        if let Some(network) = network.filter(|_| self.is_on_network()) {
            gpu.share(network)?;
        }
        let used = self.heaps().host.end();
        // It is already attached if a later step failed the last time.
        if let Some(border) = self.host.attach(gpu.gpu(), used)? {
            self.heaps().host.divide(border);
        }
        // The library's own words come in addition: segments lie that much further apart.
        let own = size_of::<CollectiveArea>() as u64;
        self.heaps().gpu = Heap::new(words, least.saturating_add(own + more), self.check).with_reported_limit(least);
        Ok(())
    }

    /// Collective. If some PE does not reach all GPU memory, all PEs create the memory through which it travels.
    fn start_stage(&self, gpu: &GpuHeap, network: Option<&Network>) -> Result<()> {
        let reaches_all = self.job.pes().all(|pe| gpu.reach(pe).is_ok());
        let adds_to_all = self.job.pes().all(|pe| self.has_native_atomics(pe));
        // The rest leaves room for the GPU agent and for kernels of other teams.
        let blocks = gpu.properties().sm_count.saturating_sub(4).clamp(1, COLLECTIVE_BLOCKS).ilog2() as u8;
        let on_network = network.is_some_and(Network::reaches_gpus);
        let own = [u8::from(reaches_all), u8::from(adds_to_all), blocks, u8::from(on_network)];
        let all = self.job.bootstrap().allgather("reach of GPUs", &own)?;
        if self.stage.get().is_none() && all.iter().any(|part| part.first() != Some(&1)) {
            self.keep_stage(Arc::new(StageArea::create(&self.job, network)?));
            self.far.store(true, Ordering::Relaxed);
        }
        self.on_network.store(all.iter().all(|part| part.get(3) == Some(&1)), Ordering::Relaxed);
        let of = |part: &[u8]| if let [1, 1, blocks, _] = part { Some(1 << blocks) } else { None };
        let least = all.iter().map(|part| of(part)).min().flatten();
        let _ = self.collective_blocks.set(least);
        Ok(())
    }

    fn reserve_window(&self, operation: &'static str, bytes: (u64, u64), all: &[GpuFacts]) -> Result<()> {
        if self.gpu().is_none() {
            let uuids: Vec<_> = all.iter().map(|facts| facts.uuid).collect();
            let heap = GpuHeap::reserve(&self.job, self.own_gpu(operation)?.clone(), bytes, &uuids, self.own_gpu.p2p)?;
            // Only one thread of a PE starts the GPUs.
            let _ = self.gpu.set(heap);
        }
        Ok(())
    }
}

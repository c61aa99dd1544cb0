//! Symmetric memory: segments of each kind, what lies at an address, and how a peer's segment is reached.

pub(crate) mod allocator;
mod check;
mod chunks;
pub(crate) mod device_tables;
#[expect(unsafe_code, reason = "the program's own segments, and the system calls that share them")]
pub(crate) mod globals;
mod gpu_heap;
#[expect(unsafe_code, reason = "maps memory that all PEs share")]
mod host_heap;
mod locate;
mod near;
mod window;

pub(crate) use check::{POISON, POISONED_BYTES};
pub(crate) use globals::Attached;
pub(crate) use gpu_heap::GpuHeap;
pub(crate) use host_heap::{BASE_ALIGNMENT, HostHeap};
pub(crate) use near::Near;

use crate::error::Cause;
use crate::job::{Job, Settings};
use crate::{Error, Result};
use allocator::Heap;
use cushmem_abi::{Agent, DeviceContext, SyncArea};
use cushmem_gpu::Gpu;
use cushmem_gpu::soft::SoftGpu;
use device_tables::{Access, Own, PeFacts};
use globals::{Globals, Language};
use near::KnownHost;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use window::Window;

/// A kind of symmetric memory. Each PE has one segment of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// The heap in host memory.
    Host,
    /// The heap in GPU memory.
    Gpu,
    /// The globals of a C program.
    Globals,
}

/// How far into its segment a byte is: the same on every PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SymOffset(pub(crate) u64);

/// A symmetric address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) segment: Segment,
    pub(crate) offset: SymOffset,
}

impl At {
    pub(crate) const fn new(segment: Segment, offset: u64) -> Self {
        Self { segment, offset: SymOffset(offset) }
    }
}

/// A PE's copy of an object, as this PE reaches it.
#[derive(Debug)]
pub(crate) enum Remote<'a> {
    /// The CPU's loads and stores reach it at this address; so does a copy engine.
    Near(usize),
    /// This GPU and its copy engine reach it at this device address.
    Device(u64),
    /// The kernel copies between it and this process; holds where in those globals it is.
    Attached(&'a Attached, usize),
    /// Nothing here reaches it; says why.
    Far(&'a str),
}

/// Whether the windows of both heaps, for PEs with these settings, find room where the emulated GPU has its addresses.
pub(crate) fn try_out(gpu: &SoftGpu, settings: &Settings, n_pes: u32) -> Result<()> {
    let granularity = gpu.properties().granularity;
    let device = window::stride(settings.gpu_bytes, granularity)?.saturating_mul(n_pes.into());
    let host = window::stride(settings.host_bytes, granularity.max(BASE_ALIGNMENT))?.saturating_mul(n_pes.into());
    gpu.try_out(device, host).map_err(Error::of("open the emulated GPU"))
}

/// All symmetric memory of this PE, and its view of the peers'.
pub(crate) struct Memory {
    near_host: Near,
    near_globals: Near,
    known: KnownHost,
    job: Arc<Job>,
    // The GPU goes before the host memory that its copies may use.
    gpu: std::result::Result<GpuHeap, String>,
    host: HostHeap,
    globals: Globals,
    heaps: Mutex<Heaps>,
    /// `CUSHMEM_CHECK` of any PE.
    check: bool,
}

/// The allocation state, the same on all PEs.
pub(crate) struct Heaps {
    host: Heap,
    gpu: Heap,
    /// Allocations so far, of both heaps.
    pub(crate) allocations: u64,
}

impl Heaps {
    /// That of a heap; globals have none.
    pub(crate) fn of(&self, segment: Segment) -> &Heap {
        if segment == Segment::Gpu { &self.gpu } else { &self.host }
    }

    /// The same, to change it.
    pub(crate) fn of_mut(&mut self, segment: Segment) -> &mut Heap {
        if segment == Segment::Gpu { &mut self.gpu } else { &mut self.host }
    }
}

impl Memory {
    /// Collective: makes or maps all segments. The GPU heap exists as far as the library needs it for itself; without a GPU there is the
    /// reason.
    pub(crate) fn create(
        job: &Arc<Job>,
        all: &[Settings],
        gpu: std::result::Result<Arc<dyn Gpu>, String>,
        language: Language,
    ) -> Result<Self> {
        let check = all.iter().any(Settings::check);
        let least = |of: fn(&Settings) -> u64| all.iter().map(of).min().unwrap_or(0);
        let (host_bytes, gpu_bytes) = (least(|s| s.host_bytes), least(|s| s.gpu_bytes));
        let largest = |of: fn(&Settings) -> u64| all.iter().map(of).max().unwrap_or(0);
        let chunks = all.iter().all(Settings::host_chunks);
        let host = HostHeap::create(job, host_bytes, largest(|s| s.host_bytes), gpu.as_ref().ok(), chunks)?;
        let globals = Globals::exchange(job, language)?;
        let uuids: Vec<_> = all.iter().map(|s| s.gpu_uuid).collect();
        let gpu = match gpu {
            Ok(gpu) => Ok(GpuHeap::reserve(job, gpu, largest(|s| s.gpu_bytes), &uuids)?),
            Err(why) => Err(why),
        };
        if let Ok(gpu) = &gpu {
            gpu.grow(SyncArea::BYTES)?;
        }
        let starts = if check { Box::default() } else { host.window().starts().into() };
        let heaps = Heaps {
            host: Heap::new(0, host_bytes, check),
            gpu: Heap::new(SyncArea::BYTES, gpu_bytes, check),
            allocations: 0,
        };
        Ok(Self {
            near_host: Near::new(host.own(0).addr(), host.existing() as usize, starts),
            near_globals: globals.near(check),
            known: KnownHost::new(gpu.is_ok()),
            job: job.clone(),
            gpu,
            host,
            globals,
            heaps: Mutex::new(heaps),
            check,
        })
    }

    /// The host heap, as loads and stores reach it.
    #[inline(always)]
    pub(crate) fn near_host(&self) -> &Near {
        &self.near_host
    }

    /// The globals, as loads and stores reach them.
    #[inline(always)]
    pub(crate) fn near_globals(&self) -> &Near {
        &self.near_globals
    }

    /// Whether a private address is host memory for certain, found by comparing alone.
    #[inline(always)]
    pub(crate) fn surely_host(&self, address: usize) -> bool {
        self.known.has(address, &self.near_host)
    }

    /// Whether this job runs in check mode.
    #[inline(always)]
    pub(crate) fn checks(&self) -> bool {
        self.check
    }

    /// Whether this PE has such a segment.
    pub(crate) fn has(&self, segment: Segment) -> bool {
        match segment {
            Segment::Host => true,
            Segment::Gpu => self.gpu.is_ok(),
            Segment::Globals => self.globals.exist(),
        }
    }

    /// The host heap.
    pub(crate) fn host(&self) -> &HostHeap {
        &self.host
    }

    /// The GPU heap, if the job has GPUs.
    #[inline]
    pub(crate) fn gpu(&self) -> Option<&GpuHeap> {
        self.gpu.as_ref().ok()
    }

    /// The error of an operation that needs a GPU.
    #[cold]
    pub(crate) fn no_gpu(&self, operation: &'static str) -> Error {
        Error::new(operation, Cause::NoGpu(self.gpu.as_ref().err().cloned().unwrap_or_default()))
    }

    /// The allocation state. A panic elsewhere leaves it as it was between two calls.
    pub(crate) fn heaps(&self) -> MutexGuard<'_, Heaps> {
        self.heaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Collective if something is missing: makes sure that `needed` bytes of the segment exist on all PEs.
    pub(crate) fn grow(&self, segment: Segment, needed: u64) -> Result<()> {
        match (segment, &self.gpu) {
            (Segment::Gpu, Ok(gpu)) => gpu.grow(needed),
            (Segment::Host, _) => {
                self.host.grow(needed)?;
                self.near_host.set_length(self.host.existing() as usize);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What kernels know of the job: constants, and tables for their GPU's memory.
    pub(crate) fn device_tables(&self, gpu: &GpuHeap, own: Own) -> (DeviceContext, Vec<u8>) {
        let facts = |pe| {
            let (place, reach) = (self.job.place(pe), gpu.reach(pe));
            // The CPU is what changes words of the host heap.
            let host = Access { loads_stores: place.is_some(), atomics: false };
            let atomics = reach.is_ok_and(|reach| reach.native_atomics);
            PeFacts { place, host, gpu: Access { loads_stores: reach.is_ok(), atomics } }
        };
        let pes: Vec<_> = self.job.pes().map(facts).collect();
        let window = |window: &Window, agent| device_tables::Window {
            base: window.base(),
            stride: window.stride(),
            places: self.job.node_pes(),
            agent,
        };
        let (host, gpu) = (window(self.host.window(), Agent::Cpu), window(gpu.window(), Agent::Gpu));
        device_tables::build(own, host, gpu, &pes)
    }

    /// Unmaps all.
    pub(crate) fn give_back(&self) {
        if let Ok(gpu) = &self.gpu {
            gpu.give_back();
        }
        self.host.give_back();
    }

    /// Leaves the GPU as it is: kernels and copies may still run, perhaps for ever.
    pub(crate) fn abandon_gpu(&mut self) {
        std::mem::forget(std::mem::replace(&mut self.gpu, Err("it was left as it was".to_owned())));
    }
}

//! Symmetric memory: segments of each kind, what lies at an address, and how a peer's segment is reached.

pub(crate) mod allocator;
mod check;
mod chosen;
mod chunks;
pub(crate) mod device_tables;
#[expect(unsafe_code, reason = "accesses the program's own segments and makes the system calls that share them")]
pub(crate) mod globals;
mod gpu_heap;
mod gpu_net;
#[expect(unsafe_code, reason = "maps memory that all PEs share")]
mod host_heap;
#[expect(unsafe_code, reason = "reserves and advises pages of that memory")]
mod huge_pages;
mod imported;
mod local_ends;
mod locate;
mod near;
mod objects;
mod own_gpu;
mod registered;
mod registered_peers;
#[expect(unsafe_code, reason = "maps memory that PEs share")]
mod stage_area;
mod start;
mod window;

use check::{POISON, POISONED_BYTES};
pub(crate) use globals::Attached;
pub(crate) use gpu_heap::GpuHeap;
pub(crate) use host_heap::HostHeap;
pub(crate) use local_ends::LocalEnds;
pub(crate) use near::Near;
pub(crate) use objects::Layout;
pub(crate) use own_gpu::{OwnGpu, no_driver};
pub(crate) use stage_area::{LINE, Pair, SLOT_BYTES, SLOTS, StageArea};

use crate::error::Cause;
use crate::job::{HugePages, Job, Pe, Settings, record};
use crate::sync::child::refuse_children;
use crate::sync::locked;
use crate::sync::network::Network;
use crate::sync::network_lane::RemoteAddr;
use crate::{Error, Result};
use allocator::{Heap, Object};
use cushmem_abi::{Agent, DeviceContext, SyncArea};
use cushmem_gpu::Gpu;
use cushmem_record::Subject;
use device_tables::{Access, Own, PeFacts};
use globals::{Globals, Language};
use near::KnownHost;
use nix::sched::CpuSet;
use registered::Registered;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use window::Window;
pub(crate) use window::{BASE_ALIGNMENT, own_alignment};

/// A kind of symmetric memory. Each PE has one segment of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// The heap in host memory.
    Host,
    /// The heap in GPU memory.
    Gpu,
    /// The globals of a C program.
    Globals,
    /// Host memory of the program that all PEs registered.
    RegisteredHost,
    /// GPU memory of the program that all PEs registered.
    RegisteredGpu,
    /// In a job of several nodes, host memory behind the heap on which the network executes the atomic operations of
    /// all PEs.
    Network,
}

impl Segment {
    /// Whether it is in GPU memory.
    #[inline]
    pub(crate) fn is_gpu(self) -> bool {
        matches!(self, Self::Gpu | Self::RegisteredGpu)
    }

    /// Whether it is a range that the program registered.
    #[inline]
    pub(crate) fn is_registered(self) -> bool {
        matches!(self, Self::RegisteredHost | Self::RegisteredGpu)
    }
}

/// The offset of a byte in its segment, the same on every PE.
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

    /// The word there, in the record of this PE.
    pub(crate) fn recorded(self) -> Subject {
        Subject::Word(self.segment as u8, self.offset.0)
    }
}

/// A PE's copy of an object, as this PE reaches it.
#[derive(Debug)]
pub(crate) enum Remote<'a> {
    /// The CPU's loads and stores reach it at this address, and so does a copy engine.
    Near(usize),
    /// This GPU and its copy engine reach it at this device address.
    Device(u64),
    /// The operating system copies between it and this process. Holds the offset in those globals.
    Attached(Attached, usize),
    /// The network reaches it.
    Net(RemoteAddr),
    /// GPU memory that only its owner reaches, through the stage. Holds the reason.
    Staged(&'a str),
    /// Nothing here reaches it. Holds the reason.
    Unreachable(&'a str),
}

/// The address of words, and how many bytes there are.
pub(crate) type Words = (usize, u64);

/// The size of [`Segment::Network`], which is for counters and the like.
const NETWORK_BYTES: u64 = 1 << 20;

/// All symmetric memory of this PE, and its view of the peers' memory.
pub(crate) struct Memory {
    near_host: Near,
    near_globals: Near,
    near_nothing: Near,
    /// The tests for the host heap and the globals that collectives use, which serve also if this PE records.
    shared_host: Near,
    shared_globals: Near,
    known: KnownHost,
    job: Arc<Job>,
    gpu: OnceLock<GpuHeap>,
    own_gpu: OwnGpu,
    /// Through it travels GPU memory that some PE does not reach.
    stage: OnceLock<Arc<StageArea>>,
    /// Whether the stage area was created with the GPUs because some PE does not reach all GPU memory.
    far: AtomicBool,
    /// Whether GPU memory is registered with the network, on those PEs where it can be.
    on_network: AtomicBool,
    /// The number of blocks of kernels that carry out a collective, if the GPUs of all PEs can load, store and add to
    /// all PEs' GPU memory.
    collective_blocks: OnceLock<Option<u32>>,
    /// Why the job has no GPUs, if the user disabled them.
    no_gpus: Option<String>,
    host: HostHeap,
    globals: Globals,
    registered: Registered,
    heaps: Mutex<Heaps>,
    /// Whether any PE has set `CUSHMEM_CHECK`.
    check: bool,
}

/// The allocation state, the same on all PEs.
pub(crate) struct Heaps {
    host: Heap,
    gpu: Heap,
    network: Heap,
    /// The number of allocations so far, in both heaps.
    pub(crate) allocations: u64,
}

impl Heaps {
    /// The allocator of a heap; globals have none.
    pub(crate) fn of(&self, segment: Segment) -> &Heap {
        match segment {
            Segment::Gpu => &self.gpu,
            Segment::Network => &self.network,
            Segment::Host | Segment::Globals | Segment::RegisteredHost | Segment::RegisteredGpu => &self.host,
        }
    }

    /// The allocator of a heap, to change it.
    pub(crate) fn of_mut(&mut self, segment: Segment) -> &mut Heap {
        match segment {
            Segment::Gpu => &mut self.gpu,
            Segment::Network => &mut self.network,
            Segment::Host | Segment::Globals | Segment::RegisteredHost | Segment::RegisteredGpu => &mut self.host,
        }
    }
}

impl Memory {
    /// Collective. Maps the host heap and the globals. GPU memory is added when it is needed ([`Memory::start_gpus`]);
    /// whether that is ruled out is known from the start.
    pub(crate) fn create(
        job: &Arc<Job>,
        network: Option<&Network>,
        all: &[Settings],
        own_gpu: OwnGpu,
        pages: HugePages,
        language: Language,
    ) -> Result<Self> {
        let check = all.iter().any(Settings::check);
        let host_bytes = all.iter().map(|s| s.host_bytes);
        let (least, largest) = (host_bytes.clone().min().unwrap_or(0), host_bytes.max().unwrap_or(0));
        let host = HostHeap::create(job, least, largest, NETWORK_BYTES, pages)?;
        let globals = Globals::exchange(job, network, language)?;
        // An operation of the inline fast path would not be recorded.
        let without_fast_path = check || record::counting().is_some();
        let starts = |none| -> Box<[usize]> { if none { Box::default() } else { host.window().starts().into() } };
        let no_gpus = Settings::no_gpus(all);
        let behind = if network.is_some() { NETWORK_BYTES } else { 0 };
        let heap = |limit| Heap::new(0, limit, check);
        let heaps = Heaps { host: heap(least), gpu: heap(0), network: heap(behind), allocations: 0 };
        Ok(Self {
            near_host: Near::new(host.own(0).addr(), host.bytes() as usize, starts(without_fast_path)),
            near_globals: globals.near(without_fast_path),
            shared_host: Near::new(host.own(0).addr(), host.bytes() as usize, starts(check)),
            shared_globals: globals.near(check),
            near_nothing: Near::new(0, 0, Box::default()),
            known: KnownHost::new(no_gpus.is_none()),
            job: job.clone(),
            gpu: OnceLock::new(),
            own_gpu,
            stage: OnceLock::new(),
            far: AtomicBool::new(false),
            on_network: AtomicBool::new(false),
            collective_blocks: OnceLock::new(),
            no_gpus,
            host,
            globals,
            registered: Registered::default(),
            heaps: Mutex::new(heaps),
            check,
        })
    }

    /// The test of the inline fast path for the host heap.
    #[inline(always)]
    pub(crate) fn near_host(&self) -> &Near {
        &self.near_host
    }

    /// The test of the inline fast path for the globals.
    #[inline(always)]
    pub(crate) fn near_globals(&self) -> &Near {
        &self.near_globals
    }

    /// The test for the host heap that collectives use.
    pub(crate) fn shared_host(&self) -> &Near {
        &self.shared_host
    }

    /// The test for the globals that collectives use.
    pub(crate) fn shared_globals(&self) -> &Near {
        &self.shared_globals
    }

    /// A test that never finds anything.
    pub(crate) fn near_nothing(&self) -> &Near {
        &self.near_nothing
    }

    /// Whether a private address is certainly host memory, decided by comparisons alone.
    #[inline(always)]
    pub(crate) fn is_known_host(&self, address: usize) -> bool {
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
            Segment::Network => self.job.nodes() > 1,
            Segment::Gpu => self.gpu().is_some(),
            Segment::Globals => self.globals.exist(),
            Segment::RegisteredHost | Segment::RegisteredGpu => false,
        }
    }

    /// The host heap.
    pub(crate) fn host(&self) -> &HostHeap {
        &self.host
    }

    /// The GPU heap, if the GPUs were started.
    #[inline]
    pub(crate) fn gpu(&self) -> Option<&GpuHeap> {
        self.gpu.get()
    }

    /// The memory through which GPU memory travels that some PE does not reach. None before the GPUs are started, or if
    /// every PE reaches all GPU memory, including what was registered.
    pub(crate) fn stage(&self) -> Option<&Arc<StageArea>> {
        self.stage.get()
    }

    /// Whether some PE does not reach the GPU heaps of all PEs.
    pub(crate) fn is_far(&self) -> bool {
        // Relaxed: set when the GPUs are started, before anybody knows that they are.
        self.far.load(Ordering::Relaxed)
    }

    /// Whether all PEs register their GPU memory with the network, if it takes it.
    pub(crate) fn is_on_network(&self) -> bool {
        // Relaxed: as above.
        self.on_network.load(Ordering::Relaxed)
    }

    /// What is added for the network to these addresses of GPU memory of this PE, of its segment or registered, if it
    /// reaches all of them.
    pub(crate) fn network_distance(&self, gpu: &GpuHeap, address: usize, bytes: usize) -> Option<usize> {
        gpu.net().distance(address, bytes).or_else(|| self.registered.distance(address, bytes))
    }

    /// Whether the network reaches registered GPU memory of a PE of another node.
    pub(crate) fn network_reaches_range(&self, at: At, pe: Pe) -> bool {
        self.registered.is_reached(at, pe)
    }

    /// Collective. Creates memory for staging, which is used once it is passed to [`Memory::keep_stage`].
    pub(crate) fn make_stage(&self) -> Result<Arc<StageArea>> {
        Ok(Arc::new(StageArea::create(&self.job, None)?))
    }

    /// Called when all PEs have it.
    pub(crate) fn keep_stage(&self, area: Arc<StageArea>) {
        // Only one thread of a PE makes collective calls.
        let _ = self.stage.set(area);
    }

    /// The most blocks of a kernel that carries out a collective of all PEs, a power of two that is the same on all
    /// PEs. None before the GPUs are started, or if the GPU of some PE cannot load, store and add to all PEs' GPU
    /// memory.
    pub(crate) fn collective_blocks(&self) -> Option<u32> {
        self.collective_blocks.get().copied().flatten()
    }

    /// This PE's GPU, which is opened if it was not.
    pub(crate) fn own_gpu(&self, operation: &'static str) -> Result<&Arc<dyn Gpu>> {
        if let Some(why) = self.no_gpus() {
            return Err(Error::new(operation, Cause::NoGpu(why.to_owned())));
        }
        refuse_children(self.job.my_pe(), operation);
        let opened = self.own_gpu.open();
        let (gpu, now) =
            opened.map_err(|why| Error::new(operation, Cause::System(format!("this PE has no GPU: {why}"))))?;
        if now {
            // The driver has used addresses for device memory.
            self.known.forget();
        }
        Ok(gpu)
    }

    /// This PE's GPU, if it was opened.
    #[inline]
    pub(crate) fn opened_gpu(&self) -> Option<&Arc<dyn Gpu>> {
        self.own_gpu.opened()
    }

    /// Bytes of the library's own words at the start of each segment of GPU memory.
    pub(crate) fn words_in_gpu(&self) -> u64 {
        SyncArea::bytes(self.job.teams() as u32)
    }

    /// How many threads may copy pageable memory, and on which cores.
    pub(crate) fn copy_threads(&self) -> (usize, Option<CpuSet>) {
        self.own_gpu.copy_threads()
    }

    /// Why the job has no GPUs, if the user disabled them.
    pub(crate) fn no_gpus(&self) -> Option<&str> {
        self.no_gpus.as_deref()
    }

    /// The allocation state. A panic elsewhere leaves it as it was between two calls.
    pub(crate) fn heaps(&self) -> MutexGuard<'_, Heaps> {
        locked(&self.heaps)
    }

    /// Collective if something is missing. Ensures that the object at this offset of the segment exists on all PEs.
    pub(crate) fn grow(&self, segment: Segment, offset: u64, network: Option<&Network>) -> Result<()> {
        let end = self.heaps().of(segment).get(offset).map_or(0, Object::end);
        match (segment, self.gpu()) {
            (Segment::Gpu, Some(gpu)) => {
                gpu.grow(end)?;
                match network.filter(|_| self.is_on_network()) {
                    Some(network) => gpu.share(network),
                    None => Ok(()),
                }
            }
            (Segment::Host, _) => {
                network.map_or(Ok(()), |network| self.host.share(network, end))?;
                if let Some(border) = self.host.grow(end)? {
                    self.heaps().of_mut(segment).divide(border);
                }
                Ok(())
            }
            (Segment::Network, _) => network.map_or(Ok(()), |network| self.host.share_behind(network, NETWORK_BYTES)),
            _ => Ok(()),
        }
    }

    /// Whether atomic operations of this PE's GPU work on the GPU memory of a PE.
    pub(crate) fn has_native_atomics(&self, pe: Pe) -> bool {
        self.gpu().is_some_and(|gpu| gpu.reach(pe).is_ok_and(|reach| reach.native_atomics))
    }

    /// What kernels know about the job: constants, and tables for GPU memory.
    pub(crate) fn device_tables(&self, gpu: &GpuHeap, own: Own) -> (DeviceContext, Vec<u8>) {
        let facts = |pe| {
            let (place, reach) = (self.job.place(pe), gpu.reach(pe));
            // The CPU changes words of the host heap.
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

    /// By PE, the address and size of the host memory that PEs of this node share: the heap and the globals.
    pub(crate) fn words_here(&self) -> Box<[[Option<Words>; 2]]> {
        let of = |pe| {
            let start = |segment, bytes| match self.remote(At::new(segment, 0), pe) {
                Remote::Near(start) => Some((start, bytes)),
                _ => None,
            };
            [start(Segment::Host, self.host.bytes()), start(Segment::Globals, self.globals.bytes())]
        };
        self.job.pes().map(of).collect()
    }

    /// Unmaps everything.
    pub(crate) fn give_back(&self, network: Option<&Network>) {
        self.unregister_all(network);
        if let Some(gpu) = self.gpu() {
            gpu.give_back();
        }
        self.host.give_back();
    }
}

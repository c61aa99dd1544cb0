//! What moves, by which path, and when it is complete.
//!
//! Every put, get, atomic operation and signal of the CPU is one [`Transfer`] here, whether it is typed or by plain
//! address, blocking or not, or part of a collective. The exception is an operation whose ends the CPU can both load
//! and store: the inlined test in front of the funnel ([`Near`](crate::memory::Near)) finds these. Words that PEs of a
//! node wait for, including those of locks, are shared memory and need no transfer.
//!
//! ```text
//!   resolve     address or object ── At (segment, offset), Local, or what is wrong with them
//!   issue       At and PE ── Remote ── policy ── Path ── transport, which posts
//!   complete    tickets of a context's lane ── waits, quiet, fence
//! ```

#[expect(unsafe_code, reason = "sends the agent commands on words whose addresses were checked")]
mod agent;
mod complete;
pub(crate) mod context;
mod far_words;
#[expect(unsafe_code, reason = "issues transfers whose local ends the caller guarantees to be valid")]
mod issue;
#[expect(unsafe_code, reason = "copies words whose addresses were found")]
mod left;
#[expect(unsafe_code, reason = "copies between ends that the caller guarantees to be valid")]
mod moves;
pub(crate) mod operation;
#[expect(unsafe_code, reason = "copies between ends that the caller guarantees to be valid")]
mod pageable;
pub(crate) mod resolve;
#[expect(unsafe_code, reason = "issues transfers whose local ends the caller guarantees to be valid")]
mod signal;
mod staged;
#[expect(unsafe_code, reason = "copies blocks that the caller guarantees to be valid")]
pub(crate) mod strided;

use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::memory::{At, Memory, Remote, Segment};
use crate::sync::Sync;
use crate::sync::locked;
use crate::sync::tracker::Tracker;
pub(crate) use crate::transport::Local;
use crate::transport::WordOp;
use crate::transport::agent::Agent;
use crate::transport::atomics::{Atomics, Server};
use crate::transport::copy_engine::{CopyEngine, Lane, Words};
use crate::transport::library::Library;
use crate::transport::pageable::Pump;
pub(crate) use complete::Pending;
use context::{Context, ContextOptions};
use cushmem_gpu::Gpu;
use cushmem_path::{BadOverride, Class, GpuLink, Machine, Measured, Overrides, Path, Policy, RemoteKind};
use left::Left;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, Weak};
use strided::Blocks;

/// The point at which a transfer is complete.
/// The module [`raw`](crate::raw) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// On return: the local end may be reused, and a get has its data.
    Blocking,
    /// After the next `quiet` of the transfer's context.
    Nbi,
}

/// One operation on a PE's symmetric memory.
pub(crate) struct Transfer {
    pub(crate) operation: Operation,
    pub(crate) pe: Pe,
    /// The symmetric end; for blocks, that of the first one.
    pub(crate) remote: At,
    pub(crate) when: Completion,
}

/// What a transfer does.
#[derive(Clone, Copy)]
pub(crate) enum Operation {
    /// Bytes travel to the PE.
    Put(Local, Shape),
    /// Bytes travel from the PE.
    Get(Local, Shape),
    /// A word of `width` bytes (1, 2, 4 or 8) changes atomically.
    Amo { op: WordOp, width: usize, operand: u64, condition: u64 },
}

/// Which bytes.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// This many contiguous bytes.
    Bytes(usize),
    /// Blocks at equal distances.
    Blocks(Blocks),
}

impl Shape {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Bytes(bytes) => *bytes,
            Self::Blocks(blocks) => blocks.bytes().saturating_mul(blocks.count),
        }
    }
}

/// The one place that every transfer goes through.
pub(crate) struct Transfers {
    job: Arc<Job>,
    // Declared before the memory, so that it is dropped first: contexts have streams, whose copies may use the memory.
    default: Context,
    /// For the library's own looks at words in GPU memory; none before the first.
    looks: OnceLock<Context>,
    words: Words,
    lanes: Mutex<Vec<Weak<Lane>>>,
    /// This PE's GPU in the context of the library's own threads, once these threads copy.
    internal_gpu: OnceLock<Arc<dyn Gpu>>,
    /// Trackers of contexts that have staged something.
    trackers: Mutex<Vec<Weak<Tracker>>>,
    engine: OnceLock<CopyEngine>,
    /// Copies pageable memory; created when first needed.
    pump: Mutex<Option<Pump>>,
    overrides: Overrides,
    /// `CUSHMEM_COSTS`.
    measured: Measured,
    policy: RwLock<Policy>,
    memory: Memory,
    sync: Sync,
    /// Atomic operations on words of other nodes, if there are other nodes.
    atomics: Option<Atomics>,
    /// Atomic operations of other nodes on words of this one, until the end of the job.
    server: Mutex<Option<Server>>,
    /// The proxy, once kernels have been loaded.
    pending: OnceLock<Arc<dyn Pending>>,
    /// Copies of the proxy that are under way.
    left: Left,
    /// The library's own kernels, once the GPUs are started.
    library: OnceLock<Library>,
    /// Carries out atomic operations on GPU memory for the CPU, once the GPUs are started.
    agent: OnceLock<Arc<Agent>>,
}

impl Transfers {
    /// Builds the policy from what this machine can do, and creates the default context. Opens no GPU.
    pub(crate) fn create(
        job: &Arc<Job>,
        sync: Sync,
        memory: Memory,
        overrides: Overrides,
        measured: Measured,
    ) -> Result<Self> {
        let machine = machine(job, &sync, &memory, &measured);
        let bad = |error: BadOverride| Error::new("choose paths", Cause::Environment(error.to_string()));
        overrides.check(&with_gpu_memory(&machine)).map_err(bad)?;
        let policy = Policy::new(&machine, &overrides);
        // The inlined test does not ask the policy, and need not.
        debug_assert!(issue::keeps_near(&policy), "nothing is quicker than loads and stores between host memories");
        let words = Words::new();
        let word = if memory.no_gpus().is_none() { words.take() } else { None };
        let default = Context::new(crate::PeSet::all(job.n_pes()), ContextOptions::default(), word);
        let (lanes, engine, policy) = (Mutex::default(), OnceLock::new(), RwLock::new(policy));
        let (atomics, server) = match sync.network() {
            None => (None, None),
            Some(network) => {
                let server = Server::start(job, sync.control(), network, memory.words_here())?;
                (Some(Atomics::new(job, network, *sync.wait_policy())), Some(server))
            }
        };
        let (job, server) = (job.clone(), Mutex::new(server));
        Ok(Self {
            job,
            default,
            looks: OnceLock::new(),
            words,
            lanes,
            internal_gpu: OnceLock::new(),
            trackers: Mutex::default(),
            engine,
            pump: Mutex::default(),
            overrides,
            measured,
            policy,
            memory,
            sync,
            atomics,
            server,
            pending: OnceLock::new(),
            left: Left::default(),
            library: OnceLock::new(),
            agent: OnceLock::new(),
        })
    }

    /// A new context of these PEs. It gets its own lane with its first copy.
    pub(crate) fn context(&self, pes: crate::PeSet, options: ContextOptions) -> Result<Context> {
        if self.memory.no_gpus().is_some() {
            return Ok(Context::new(pes, options, None));
        }
        let Some(word) = self.words.take() else {
            let most = crate::sync::control::MOST_LANES - 1;
            let text = format!("the limit of {most} contexts is reached");
            return Err(Error::new("create a context", Cause::Exhausted(text)));
        };
        Ok(Context::new(pes, options, Some(word)))
    }

    /// The lane of a context. If there is none yet, creates it, and opens the GPU if nobody has.
    pub(super) fn lane<'a>(&self, context: &'a Context) -> Result<&'a Arc<Lane>> {
        match context.lane() {
            Some(lane) => Ok(lane),
            None => self.begin(context),
        }
    }

    #[cold]
    fn begin<'a>(&self, context: &'a Context) -> Result<&'a Arc<Lane>> {
        let operation = "prepare the copy engine";
        let gpu = self.memory.own_gpu("copy")?;
        let word = context.word().ok_or_else(|| unfit(Path::CopyEngine))?;
        let mut lanes = locked(&self.lanes);
        // Another thread may have been faster.
        if let Some(lane) = context.lane() {
            return Ok(lane);
        }
        let engine = self.engine(gpu)?;
        let lane = engine.lane(self.sync.control(), word).map_err(Error::of(operation))?;
        let lane = context.begin(lane);
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Arc::downgrade(lane));
        Ok(lane)
    }

    /// The lane of a context for long copies in a direction, created if there is none. If no more lanes are available,
    /// the first one.
    pub(super) fn side<'a>(&self, context: &'a Context, direction: usize) -> Result<&'a Arc<Lane>> {
        let first = self.lane(context)?;
        let side = &context.sides()[direction];
        if let Some(lane) = side.get() {
            return Ok(lane);
        }
        // Its first lane belongs to another context of the GPU.
        if context.is_internal() {
            return Ok(first);
        }
        let mut lanes = locked(&self.lanes);
        // Another thread may have been faster.
        if side.get().is_none() {
            let Some(word) = self.words.take_side() else { return Ok(first) };
            let engine = self.engine(self.memory.own_gpu("copy")?)?;
            let lane =
                engine.lane(self.sync.control(), &Arc::new(word)).map_err(Error::of("prepare the copy engine"))?;
            lanes.push(Arc::downgrade(side.get_or_init(|| Arc::new(lane))));
        }
        Ok(side.get().unwrap_or(first))
    }

    /// The GPU that tells what lies at an address that a kernel names, once there are kernels.
    pub(crate) fn gpu_of_kernels(&self) -> Option<&Arc<dyn Gpu>> {
        self.internal_gpu.get().or_else(|| self.memory.opened_gpu())
    }

    /// This PE's GPU, in the context of the library's own threads.
    pub(super) fn internal_gpu(&self, operation: &'static str) -> Result<&Arc<dyn Gpu>> {
        if self.internal_gpu.get().is_none() {
            let gpu = self.memory.own_gpu(operation)?.in_own_context().map_err(Error::of(operation))?;
            let _ = self.internal_gpu.set(gpu);
        }
        Ok(self.internal_gpu.get().expect("it was set above, if not before"))
    }

    /// A context for a thread of the library.
    pub(crate) fn internal_context(&self) -> Result<Context> {
        Ok(self.context(crate::PeSet::all(self.job.n_pes()), ContextOptions::default())?.make_internal())
    }

    /// Gives a thread of the library a lane of its own for copies on its context.
    pub(crate) fn let_copy(&self, context: &Context, operation: &'static str) -> Result<()> {
        let mut lanes = locked(&self.lanes);
        if context.lane().is_none() {
            let word = context.word().ok_or_else(|| unfit(Path::CopyEngine))?;
            let engine = self.engine(self.memory.own_gpu(operation)?)?;
            let gpu = self.internal_gpu(operation)?;
            let lane = engine.lane_of(&**gpu, self.sync.control(), word).map_err(Error::of(operation))?;
            lanes.push(Arc::downgrade(context.begin(lane)));
        }
        Ok(())
    }

    /// What lanes are made from. Called by one thread at a time.
    fn engine(&self, gpu: &Arc<dyn Gpu>) -> Result<&CopyEngine> {
        if self.engine.get().is_none() {
            let engine = CopyEngine::create(gpu, self.sync.control()).map_err(Error::of("prepare the copy engine"))?;
            let _ = self.engine.set(engine);
        }
        Ok(self.engine.get().expect("it was set above, if not before"))
    }

    /// The default context.
    #[inline(always)]
    pub(crate) fn default_context(&self) -> &Context {
        &self.default
    }

    /// The context on which the library looks at words in GPU memory that somebody changes, so that no look queues
    /// behind copies of the program. If there are no more contexts, the default one.
    pub(super) fn looks(&self) -> &Context {
        if self.looks.get().is_none()
            && let Ok(context) = self.context(crate::PeSet::all(self.job.n_pes()), ContextOptions::default())
        {
            // Another thread may have been faster.
            let _ = self.looks.set(context);
        }
        self.looks.get().unwrap_or(&self.default)
    }

    /// This PE and the others.
    #[inline(always)]
    pub(crate) fn job(&self) -> &Arc<Job> {
        &self.job
    }

    /// Symmetric memory.
    #[inline(always)]
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// How PEs synchronise.
    #[inline(always)]
    pub(crate) fn sync(&self) -> &Sync {
        &self.sync
    }

    /// The library's own kernels; none before the GPUs are started.
    pub(crate) fn library(&self) -> Option<&Library> {
        self.library.get()
    }

    /// Called when all PEs have started their GPUs.
    pub(crate) fn keep_library(&self, library: Library) {
        let _ = self.library.set(library);
    }

    /// Describes the costs that the table of paths uses.
    pub(crate) fn table(&self) -> String {
        let gpu = self.memory.opened_gpu().map(|gpu| gpu.properties()).filter(|gpu| !gpu.emulated);
        self.policy().machine().costs.table(gpu.map(|gpu| gpu.name.as_str()))
    }

    /// Makes the table of paths anew, once the GPUs are started.
    pub(crate) fn renew_policy(&self) {
        let machine = machine(&self.job, &self.sync, &self.memory, &self.measured);
        *self.policy.write().unwrap_or_else(PoisonError::into_inner) = Policy::new(&machine, &self.overrides);
    }

    /// The table of paths.
    pub(crate) fn policy(&self) -> RwLockReadGuard<'_, Policy> {
        self.policy.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves to the proxy, from now on, what only it can do.
    pub(crate) fn leave_to(&self, proxy: Arc<dyn Pending>) {
        // Only one thread of a PE starts the GPUs.
        let _ = self.pending.set(proxy);
    }

    /// Releases everything except what the operating system reclaims when the process ends. The heaps stay if a thread
    /// may still use them.
    pub(crate) fn give_back(&self, heaps_too: bool) {
        if let Some(mut server) = locked(&self.server).take() {
            server.stop();
        }
        self.stop_pump();
        if let Some(agent) = self.agent.get() {
            agent.settle();
        }
        for lane in self.lanes() {
            // Its stream may still have to write a report to memory that is about to be unpinned.
            let _ = lane.settle();
        }
        if !heaps_too {
            return;
        }
        if let Some(engine) = self.engine.get() {
            engine.give_back(self.sync.control());
        }
        self.memory.give_back();
    }
}

/// This machine, in the policy's terms.
fn machine(job: &Job, sync: &Sync, memory: &Memory, measured: &Measured) -> Machine {
    // Of the links between GPUs, NVLink has native atomics, and PCIe seldom has.
    let by_nvlink = |pe| memory.gpu().is_none_or(|gpu| gpu.reach(pe).is_ok_and(|reach| reach.native_atomics));
    // GPUs of other nodes are not linked to this one.
    let mut here = job.pes().filter(|pe| job.place(*pe).is_some());
    let link = if memory.no_gpus().is_none() && here.all(by_nvlink) { GpuLink::NvLink } else { GpuLink::Pcie };
    let mut machine = Machine::today(link);
    measured.apply(&mut machine.costs);
    if let Some(why) = memory.no_gpus() {
        machine.gpu = Err(Cause::NoGpu(why.to_owned()).to_string());
    }
    if sync.network().is_some() {
        machine.set_transport(Path::Nic, Ok(()));
    }
    if sync.network().is_some() || memory.gpu().is_some() {
        machine.set_transport(Path::Proxy, Ok(()));
    }
    if memory.gpu().is_some_and(|gpu| gpu.pes_on_my_gpu() > 1) {
        machine.agent_copies = Err("several PEs share this GPU, on which their kernels take turns".into());
    }
    // Between nodes, a thread copies through a buffer until there is a stage.
    if memory.is_far() || sync.network().is_some() {
        machine.set_transport(Path::Staged, Ok(()));
    }
    if memory.is_far() {
        machine.kernel_commands = Ok(());
    }
    machine.kernel_atomics_on_host = Err("a GPU's atomics on host memory lose updates of CPUs and other GPUs".into());
    for pe in job.pes() {
        for (segment, kind) in SEGMENTS {
            if !memory.has(segment) {
                continue;
            }
            let remote = memory.remote(At::new(segment, 0), pe);
            let why = if let Remote::Far(why) | Remote::Staged(why) = &remote { Some(*why) } else { None };
            if let (Segment::Globals, Remote::Far(why)) = (segment, &remote) {
                machine.far_globals = Err(format!("PE {} {why}", pe.number()));
            }
            machine.add_reach(kind, class(job, memory, &remote, pe), why);
        }
    }
    machine
}

/// A machine like this one, but with GPU memory, as far as it can be known in advance.
fn with_gpu_memory(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    if machine.gpu.is_ok() {
        machine.set_transport(Path::Proxy, Ok(()));
        machine.add_reach(RemoteKind::Gpu, Class::Own, None);
        machine.add_reach(RemoteKind::Gpu, Class::Mapped { atomics: true }, None);
        if machine.transport(Path::Nic).is_ok() {
            machine.add_reach(RemoteKind::Gpu, Class::Far, None);
        }
    }
    machine
}

const SEGMENTS: [(Segment, RemoteKind); 3] =
    [(Segment::Host, RemoteKind::Host), (Segment::Gpu, RemoteKind::Gpu), (Segment::Globals, RemoteKind::Globals)];

/// The class of a PE's memory, in the policy's terms.
pub(crate) fn class(job: &Job, memory: &Memory, remote: &Remote<'_>, pe: Pe) -> Class {
    match remote {
        _ if pe == job.me() => Class::Own,
        Remote::Near(_) => Class::Mapped { atomics: true },
        Remote::Device(_) => {
            let reach = memory.gpu().and_then(|gpu| gpu.reach(pe).ok());
            Class::Mapped { atomics: reach.is_some_and(|reach| reach.native_atomics) }
        }
        Remote::Attached(..) => Class::Attached,
        Remote::Net(_) => Class::Far,
        Remote::Staged(_) | Remote::Far(_) if job.place(pe).is_some() => Class::Unmapped,
        Remote::Staged(_) | Remote::Far(_) => Class::Far,
    }
}

/// An error for a path that the policy must never choose. It should never be seen.
pub(crate) fn unfit(path: Path) -> Error {
    Error::new("choose a path", Cause::Mismatch(format!("{path} does not fit this memory")))
}

//! What moves, by which path, and when it is complete.
//!
//! Every put, get, atomic operation and signal of the CPU is one [`Transfer`] here, whether it is typed or by plain
//! address, blocking or not, or part of a collective. The exception is an operation whose ends the CPU can both load
//! and store: the inline fast path in front of the common path ([`Near`](crate::memory::Near)) finds these. Words that
//! PEs of a node wait for, including those of locks, are shared memory and need no transfer.
//! Threads of the library make transfers too ([`crate::service`]). What only the proxy can do is left to it through
//! [`Pending`].
//!
//! ```text
//!   resolve     address or object ── At (segment, offset), Local, or what is wrong with them
//!   paths       Remote and kinds of memory ── Path
//!   issue       At and PE ── Remote ── Path ── transport, which posts
//!   complete    tickets of a context's lane ── waits, quiet, fence
//! ```

#[expect(unsafe_code, reason = "sends the agent commands on words whose addresses were checked")]
mod agent;
#[expect(unsafe_code, reason = "copies between ends that the caller guarantees to be valid")]
mod by_engine;
#[expect(unsafe_code, reason = "copies to and from memory that the caller guarantees to be valid")]
mod by_network;
mod complete;
pub(crate) mod context;
#[expect(unsafe_code, reason = "copies between ends that the caller guarantees to be valid")]
mod copy_plan;
#[expect(unsafe_code, reason = "copies to and from memory that the caller guarantees to be valid")]
mod direct;
mod far_words;
#[expect(unsafe_code, reason = "issues transfers whose local ends the caller guarantees to be valid")]
mod issue;
mod lanes;
#[expect(unsafe_code, reason = "issues operations on memory that the caller guarantees to be valid")]
pub(crate) mod operation;
#[expect(unsafe_code, reason = "copies between ends that the caller guarantees to be valid")]
mod pageable;
pub(crate) mod paths;
#[expect(unsafe_code, reason = "copies words whose addresses were found")]
mod proxy_copies;
pub(crate) mod resolve;
#[expect(unsafe_code, reason = "issues transfers whose local ends the caller guarantees to be valid")]
mod signal;
mod staged;
#[expect(unsafe_code, reason = "copies blocks that the caller guarantees to be valid")]
pub(crate) mod strided;

use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::memory::{At, Memory};
use crate::sync::Sync;
use crate::sync::control::Control;
use crate::sync::locked;
use crate::sync::tracker::Tracker;
pub(crate) use crate::transport::Local;
use crate::transport::agent::Agent;
use crate::transport::atomics::Atomics;
use crate::transport::atomics_server::Server;
use crate::transport::copy_engine::Lane;
use crate::transport::library::Library;
use crate::transport::pageable::Pump;
pub(crate) use complete::Pending;
use context::{Context, ContextOptions};
use cushmem_abi::WordOp;
use cushmem_bootstrap::WaitLimit;
use cushmem_gpu::Gpu;
use cushmem_path::Path;
use lanes::{Lanes, StageLanes};
use paths::Paths;
use proxy_copies::ProxyCopies;
use std::sync::{Arc, Mutex, OnceLock, Weak};
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
    polling: OnceLock<Context>,
    lanes: Lanes,
    /// Trackers of contexts that have staged something.
    trackers: Mutex<Vec<Weak<Tracker>>>,
    /// Copies pageable memory; created when first needed.
    pump: Mutex<Option<Pump>>,
    paths: Paths,
    memory: Memory,
    sync: Sync,
    /// Atomic operations on words of other nodes, if there are other nodes.
    atomics: Option<Atomics>,
    /// Atomic operations of other nodes on words of this one, until the end of the job.
    atomics_server: Mutex<Option<Server>>,
    /// The proxy, once kernels have been loaded.
    pending: OnceLock<Arc<dyn Pending>>,
    /// Copies of the proxy that are under way.
    proxy_copies: ProxyCopies,
    /// The library's own kernels, once the GPUs are started.
    library: OnceLock<Library>,
    /// Carries out atomic operations on GPU memory for the CPU, once the GPUs are started.
    agent: OnceLock<Arc<Agent>>,
}

impl Transfers {
    /// Creates the default context. Opens no GPU.
    pub(crate) fn create(job: &Arc<Job>, sync: Sync, memory: Memory, paths: Paths) -> Result<Self> {
        let lanes = Lanes::new();
        let word = if memory.no_gpus().is_none() { lanes.take_word() } else { None };
        let default = Context::new(crate::PeSet::all(job.n_pes()), ContextOptions::default(), word);
        let (atomics, server) = match sync.network() {
            None => (None, None),
            Some(network) => {
                let server = Server::start(job, sync.control(), network, memory.words_here())?;
                (Some(Atomics::new(job, network, sync.wait_policy().clone())), Some(server))
            }
        };
        let (job, atomics_server) = (job.clone(), Mutex::new(server));
        Ok(Self {
            job,
            default,
            polling: OnceLock::new(),
            lanes,
            trackers: Mutex::default(),
            pump: Mutex::default(),
            paths,
            memory,
            sync,
            atomics,
            atomics_server,
            pending: OnceLock::new(),
            proxy_copies: ProxyCopies::default(),
            library: OnceLock::new(),
            agent: OnceLock::new(),
        })
    }

    /// A new context of these PEs. It gets its own lane with its first copy.
    pub(crate) fn context(&self, pes: crate::PeSet, options: ContextOptions) -> Result<Context> {
        if self.memory.no_gpus().is_some() {
            return Ok(Context::new(pes, options, None));
        }
        let Some(word) = self.lanes.take_word() else {
            let most = crate::sync::control::MOST_LANES - 1;
            let text = format!("the limit of {most} contexts is reached");
            return Err(Error::new("create a context", Cause::Exhausted(text)));
        };
        Ok(Context::new(pes, options, Some(word)))
    }

    /// Where lanes come from.
    fn lane_sources(&self) -> (&Memory, &Control) {
        (&self.memory, self.sync.control())
    }

    /// The lane of a context. If there is none yet, creates it, and opens the GPU if nobody has.
    pub(super) fn lane<'a>(&self, context: &'a Context) -> Result<&'a Arc<Lane>> {
        match context.lane() {
            Some(lane) => Ok(lane),
            None => self.lanes.begin(self.lane_sources(), context),
        }
    }

    /// The lane of a context for long copies in a direction, created if there is none. If no more lanes are available,
    /// the first one.
    pub(super) fn side<'a>(&self, context: &'a Context, direction: usize) -> Result<&'a Arc<Lane>> {
        let first = self.lane(context)?;
        match context.sides()[direction].get() {
            Some(lane) => Ok(lane),
            // Its first lane belongs to another context of the GPU.
            None if context.is_internal() => Ok(first),
            None => Ok(self.lanes.begin_side(self.lane_sources(), context, direction)?.unwrap_or(first)),
        }
    }

    /// The lanes for copies through host memory, and this PE's GPU in their context.
    pub(crate) fn stage_lanes(&self, operation: &'static str) -> Result<(StageLanes, &Arc<dyn Gpu>)> {
        let lanes = self.lanes.for_stage(self.lane_sources(), operation)?;
        Ok((lanes, self.lanes.internal_gpu(&self.memory, operation)?))
    }

    /// The GPU that tells what lies at an address that a kernel names, once there are kernels.
    pub(crate) fn kernel_gpu(&self) -> Option<&Arc<dyn Gpu>> {
        self.lanes.opened_gpu(&self.memory)
    }

    /// Gives a thread of the library a lane of its own for copies on its context.
    pub(crate) fn begin_internal_lane(&self, context: &Context, operation: &'static str) -> Result<()> {
        self.lanes.begin_internal(self.lane_sources(), context, operation)
    }

    /// The default context.
    #[inline(always)]
    pub(crate) fn default_context(&self) -> &Context {
        &self.default
    }

    /// The context on which the library looks at words in GPU memory that somebody changes, so that no look queues
    /// behind copies of the program. If there are no more contexts, the default one.
    pub(super) fn polling_context(&self) -> &Context {
        if self.polling.get().is_none()
            && let Ok(context) = self.context(crate::PeSet::all(self.job.n_pes()), ContextOptions::default())
        {
            // Another thread may have been faster.
            let _ = self.polling.set(context);
        }
        self.polling.get().unwrap_or(&self.default)
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
    pub(crate) fn set_library(&self, library: Library) {
        let _ = self.library.set(library);
    }

    /// Which paths transfers take.
    pub(crate) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Leaves to the proxy, from now on, what only it can do.
    pub(crate) fn set_proxy(&self, proxy: Arc<dyn Pending>) {
        // Only one thread of a PE starts the GPUs.
        let _ = self.pending.set(proxy);
    }

    /// Called when this PE has completed its last operation. A PE that carries out operations for others says so after
    /// they have their results, so it may still put words to PEs that wait for nothing any more. These must not leave
    /// the network, with the memory that the words go to, before the words have arrived. So first all PEs complete
    /// their operations, then each ends its service and waits for what that has put, and for the answers of PEs that it
    /// has asked whether they are there. The last meeting follows.
    pub(crate) fn end_service(&self) -> Result<()> {
        let Some(network) = self.sync.network() else { return Ok(()) };
        self.job.bootstrap().fence_with("the last operations between nodes", WaitLimit::Unlimited)?;
        if let Some(mut server) = locked(&self.atomics_server).take() {
            server.stop(network)?;
        }
        network.drain_all().and_then(|()| network.await_answers())
    }

    /// Releases everything except what the operating system reclaims when the process ends. The heaps stay if a thread
    /// may still use them.
    pub(crate) fn give_back(&self, heaps_too: bool) {
        if let Some(network) = self.sync.network() {
            if let Some(mut server) = locked(&self.atomics_server).take() {
                // Only after an error, so nobody waits for what it has put.
                let _ = server.stop(network);
            }
            // Its memory is unmapped below. Nobody uses it any more, since the last meeting.
            network.forget_shared();
        }
        // Ends its threads.
        drop(locked(&self.pump).take());
        if let Some(agent) = self.agent.get() {
            agent.settle();
        }
        self.lanes.settle();
        if !heaps_too {
            return;
        }
        self.lanes.give_back(self.sync.control());
        self.memory.give_back(self.sync.network());
    }
}

/// An error for a path that the policy must never choose. It should never be seen.
pub(crate) fn unfit(path: Path) -> Error {
    Error::new("choose a path", Cause::Mismatch(format!("{path} does not fit this memory")))
}

//! Communication contexts (OpenSHMEM 1.6, section 9.5). The operations of a context are ordered and completed
//! independently of those of other contexts.
//!
//! Loads and stores of the CPU take effect at once. Only other operations can be pending. Copies by the GPU's engine
//! are pending on the copy lane of the context that issued them, which is created with the first one.

use crate::PeSet;
use crate::sync::network::Network;
use crate::sync::network_lane::NetLane;
use crate::sync::tracker::Tracker;
use crate::transport::copy_engine::{Lane, LaneWord, SIDES};
use crate::transport::stage::Changes;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What the program promises about a context (OpenSHMEM 1.6, 9.5).
/// [`Shmem::context`](crate::Shmem::context) has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextOptions {
    /// Only one thread at a time uses the context.
    pub serialized: bool,
    /// Only the thread that created the context uses it.
    pub private: bool,
    /// The context's fence and quiet need not cover the CPU's stores to symmetric memory.
    pub nostore: bool,
}

/// A communication context. Its operations number the PEs as its team does.
/// [`Shmem::context`](crate::Shmem::context) has an example.
pub struct Context {
    pes: PeSet,
    options: ContextOptions,
    /// The lane of its copies; none before the first copy.
    lane: OnceLock<Arc<Lane>>,
    /// Additional lanes for long copies in other directions. They exist only if the first lane does.
    sides: [OnceLock<Arc<Lane>>; SIDES],
    /// The lane of its operations on other nodes; none before the first one.
    net: OnceLock<Arc<NetLane>>,
    /// Tracks which of its staged operations are complete; none before the first one.
    staged: OnceLock<Arc<Tracker>>,
    /// The number of its last put that the GPU agent carries out; 0 before the first.
    agent: AtomicU64,
    /// The word in which the lane counts; none in a job without GPUs.
    word: Option<Arc<LaneWord>>,
    /// Whether it belongs to a thread of the library for which the program's streams wait.
    internal: bool,
    /// Only if it is the proxy's: the queue of the thread that changes words of GPU memory.
    changes: Option<Arc<Changes>>,
}

impl Context {
    pub(super) fn new(pes: PeSet, options: ContextOptions, word: Option<LaneWord>) -> Self {
        Self {
            pes,
            options,
            lane: OnceLock::new(),
            sides: Default::default(),
            net: OnceLock::new(),
            staged: OnceLock::new(),
            agent: AtomicU64::new(0),
            word: word.map(Arc::new),
            internal: false,
            changes: None,
        }
    }

    /// Marks the context as belonging to a thread of the library for which streams of the program wait, perhaps
    /// together with a driver call that holds the driver's locks. Such a context copies in a GPU context that the
    /// program does not use, and launches no kernel.
    pub(crate) fn make_internal(mut self) -> Self {
        self.internal = true;
        self
    }

    /// Marks it as the proxy's, which waits for nothing: words of GPU memory are changed by the thread of this queue.
    pub(crate) fn make_proxy(mut self, changes: &Arc<Changes>) -> Self {
        self.changes = Some(changes.clone());
        self
    }

    /// The queue of the thread that changes words of GPU memory, if this is the context of what the proxy issues.
    pub(super) fn changes(&self) -> Option<&Changes> {
        self.changes.as_deref()
    }

    /// Whether this is the context of what the proxy issues.
    pub(super) fn is_proxy(&self) -> bool {
        self.changes.is_some()
    }

    #[inline]
    pub(super) fn is_internal(&self) -> bool {
        self.internal
    }

    /// Returns the PEs that the context's operations number.
    #[inline(always)]
    pub fn pes(&self) -> PeSet {
        self.pes
    }

    /// Returns what the program promised about the context.
    pub fn options(&self) -> ContextOptions {
        self.options
    }

    #[inline]
    pub(super) fn lane(&self) -> Option<&Arc<Lane>> {
        self.lane.get()
    }

    /// The additional lanes, each if it exists.
    pub(super) fn sides(&self) -> &[OnceLock<Arc<Lane>>; SIDES] {
        &self.sides
    }

    #[inline]
    pub(super) fn net(&self) -> Option<&Arc<NetLane>> {
        self.net.get()
    }

    /// The lane to other nodes, created if there is none yet.
    pub(crate) fn net_on(&self, network: &Network) -> &Arc<NetLane> {
        self.net.get_or_init(|| network.lane())
    }

    #[inline]
    pub(crate) fn staged(&self) -> Option<&Arc<Tracker>> {
        self.staged.get()
    }

    /// The tracker of staged operations, created if there is none yet.
    pub(super) fn begin_staged(&self, begin: impl FnOnce() -> Arc<Tracker>) -> &Arc<Tracker> {
        self.staged.get_or_init(begin)
    }

    /// The number of the last put of the GPU agent to wait for.
    #[inline]
    pub(super) fn agent(&self) -> u64 {
        // Relaxed: a thread that completes what another one issued has synchronised with it.
        self.agent.load(Ordering::Relaxed)
    }

    pub(super) fn note_agent(&self, number: u64) {
        // Relaxed: as for the load.
        self.agent.fetch_max(number, Ordering::Relaxed);
    }

    pub(super) fn word(&self) -> Option<&Arc<LaneWord>> {
        self.word.as_ref()
    }

    /// Sets its lane. Called by one thread at a time.
    pub(super) fn begin(&self, lane: Lane) -> &Arc<Lane> {
        self.lane.get_or_init(|| Arc::new(lane))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // From here on local ends must not be used. In a panic the end of the process stops the proxy; a forked child
        // has none.
        if let Some(tracker) = self.staged.get()
            && !std::thread::panicking()
            && cushmem_bootstrap::joined_here()
        {
            tracker.wait(tracker.begun(), Vec::new);
        }
    }
}

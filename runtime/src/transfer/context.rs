//! Communication contexts (OpenSHMEM 1.6, section 9.5): operations that are ordered and completed apart from those of
//! other contexts.
//!
//! Loads and stores of the CPU take effect at once. What is pending is copies of a GPU's engine, and those belong to
//! the lane of the context that issued them, which begins with the first one.

use crate::PeSet;
use crate::sync::network::{NetLane, Network};
use crate::sync::tracker::Tracker;
use crate::transport::copy_engine::{Lane, LaneWord, SIDES};
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
    /// Where its copies are pending; none before the first.
    lane: OnceLock<Arc<Lane>>,
    /// Lanes for long copies of other directions than the first has; only where there is a first.
    sides: [OnceLock<Arc<Lane>>; SIDES],
    /// Where its operations on other nodes are pending; none before the first.
    net: OnceLock<Arc<NetLane>>,
    /// Which of its staged operations are complete; none before the first.
    staged: OnceLock<Arc<Tracker>>,
    /// The last of its puts that the GPU agent has; 0 before the first.
    agent: AtomicU64,
    /// In which the lane counts; none in a job without GPUs.
    word: Option<Arc<LaneWord>>,
    /// Whether a thread of the library has it, for which streams of the program wait.
    apart: bool,
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
            apart: false,
        }
    }

    /// The same for a thread of the library, for which streams of the program wait, and with them perhaps a call of the
    /// driver that holds its locks: its copies are made in a context of the GPU that the program does not use, and it
    /// launches no kernel.
    pub(super) fn set_apart(mut self) -> Self {
        self.apart = true;
        self
    }

    #[inline]
    pub(super) fn is_apart(&self) -> bool {
        self.apart
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

    /// The others, each if it has begun.
    pub(super) fn sides(&self) -> &[OnceLock<Arc<Lane>>; SIDES] {
        &self.sides
    }

    #[inline]
    pub(super) fn net(&self) -> Option<&Arc<NetLane>> {
        self.net.get()
    }

    /// The same; it begins now if there is none.
    pub(super) fn net_on(&self, network: &Network) -> &Arc<NetLane> {
        self.net.get_or_init(|| network.lane())
    }

    #[inline]
    pub(super) fn staged(&self) -> Option<&Arc<Tracker>> {
        self.staged.get()
    }

    /// The same; it begins now if there is none.
    pub(super) fn begin_staged(&self, begin: impl FnOnce() -> Arc<Tracker>) -> &Arc<Tracker> {
        self.staged.get_or_init(begin)
    }

    /// Which puts of the GPU agent to wait for.
    #[inline]
    pub(super) fn agent(&self) -> u64 {
        // Relaxed: a thread that completes what another one issued has met that one.
        self.agent.load(Ordering::Relaxed)
    }

    pub(super) fn note_agent(&self, number: u64) {
        // Relaxed: as where it is loaded.
        self.agent.fetch_max(number, Ordering::Relaxed);
    }

    pub(super) fn word(&self) -> Option<&Arc<LaneWord>> {
        self.word.as_ref()
    }

    /// Gives it a lane; one thread at a time.
    pub(super) fn begin(&self, lane: Lane) -> &Arc<Lane> {
        self.lane.get_or_init(|| Arc::new(lane))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Local ends must not be used any more. In a panic the process's end stops the proxy; a forked child has none.
        if let Some(tracker) = self.staged.get()
            && !std::thread::panicking()
            && cushmem_bootstrap::joined_here()
        {
            tracker.wait(tracker.begun(), Vec::new);
        }
    }
}

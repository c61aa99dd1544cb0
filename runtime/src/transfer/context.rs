//! Communication contexts (OpenSHMEM 1.6, section 9.5): operations that are ordered and completed apart from those of other contexts.
//!
//! Loads and stores of the CPU take effect at once. What is pending is copies of a GPU's engine, and those belong to the lane of the
//! context that issued them.

use crate::PeSet;
use crate::transport::copy_engine::Lane;
use std::sync::Arc;

/// What the program promises about a context (9.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextOptions {
    /// One thread at a time uses it.
    pub serialized: bool,
    /// Only the thread that made it uses it.
    pub private: bool,
    /// Neither fence nor quiet is called on it.
    pub nostore: bool,
}

/// A context: PE numbers of its operations are those of its team.
pub struct Context {
    pes: PeSet,
    options: ContextOptions,
    /// Where its copies are pending; none without a GPU.
    lane: Option<Arc<Lane>>,
}

impl Context {
    pub(super) fn new(pes: PeSet, options: ContextOptions, lane: Option<Arc<Lane>>) -> Self {
        Self { pes, options, lane }
    }

    /// The PEs that it numbers.
    #[inline(always)]
    pub fn pes(&self) -> PeSet {
        self.pes
    }

    /// What was promised about it.
    pub fn options(&self) -> ContextOptions {
        self.options
    }

    pub(super) fn lane(&self) -> Option<&Arc<Lane>> {
        self.lane.as_ref()
    }

    pub(super) fn take_lane(&mut self) -> Option<Arc<Lane>> {
        self.lane.take()
    }
}

//! Communication contexts (OpenSHMEM 1.6, section 9.5).
//!
//! A context gives operations an order of their own. Here, loads and stores of the CPU take effect at once, and copies of the GPU's
//! engine are in one order, so a context needs no state beside the PEs that it numbers: completing the operations of one context
//! completes those of all, which is more than was asked and never less.

use crate::{PeSet, Result, Shmem};

/// What the program promises about a context (9.5.1).
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
#[derive(Clone, Copy, Debug)]
pub struct Context {
    pes: PeSet,
    options: ContextOptions,
}

impl Context {
    /// A context of these PEs.
    pub fn new(pes: PeSet, options: ContextOptions) -> Self {
        Self { pes, options }
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

    /// Orders what was issued on it (`shmem_ctx_fence`, 9.12.1); also what was issued elsewhere.
    pub fn fence(&self, shmem: &Shmem) -> Result<()> {
        shmem.fence()
    }

    /// Completes what was issued on it (`shmem_ctx_quiet`, 9.12.2); also what was issued elsewhere.
    pub fn quiet(&self, shmem: &Shmem) -> Result<()> {
        shmem.quiet()
    }
}

use crate::arch;

/// What operations are completed against: [`Ctx::quiet`] and [`Ctx::fence`] are about the operations that this lane issued on the
/// same context. The free functions and the methods of a [`Scope`](crate::Scope) are operations on [`Ctx::DEFAULT`].
///
/// A kernel makes a context for operations that it completes together, for example one for each block: a block that waits for its own
/// operations then need not wait for those of others.
///
/// In this version a kernel does all operations itself, with loads, stores and atomics that one fence completes, whatever context
/// they are on. So a context holds nothing and costs nothing. It is there because an operation that the GPU cannot do itself will be
/// a command to a thread of the runtime, and its number is what a quiet has to wait for: that belongs to a context.
#[derive(Debug)]
pub struct Ctx(());

impl Ctx {
    /// The context of all operations that name none.
    pub const DEFAULT: Self = Self(());

    /// A context without operations.
    #[inline(always)]
    #[allow(clippy::new_without_default)] // "default" means [`Ctx::DEFAULT`] here
    pub const fn new() -> Self {
        Self(())
    }

    /// Orders this lane's puts to each PE before its later ones to the same PE (`shmem_ctx_fence`, OpenSHMEM 1.6, 9.12).
    #[inline(always)]
    pub fn fence(&self) {
        arch::fence_acq_rel_sys();
    }

    /// Completes this lane's operations: they are visible to all PEs, and what the lane reads afterwards is not older
    /// (`shmem_ctx_quiet`, OpenSHMEM 1.6, 9.12). After the block's own barrier it covers the other lanes' operations too.
    #[inline(always)]
    pub fn quiet(&self) {
        arch::fence_sc_sys();
    }
}

/// [`Ctx::fence`] of the default context.
#[inline(always)]
pub fn fence() {
    Ctx::DEFAULT.fence();
}

/// [`Ctx::quiet`] of the default context.
#[inline(always)]
pub fn quiet() {
    Ctx::DEFAULT.quiet();
}

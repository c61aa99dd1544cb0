use crate::arch;
use crate::command::{Pending, context_of_block};

/// What operations are completed against: [`Ctx::quiet`] and [`Ctx::fence`] are about the operations that this lane
/// issued on the same context. The free functions and the methods of a [`Scope`](crate::Scope) are operations on
/// [`Ctx::DEFAULT`].
///
/// A kernel makes a context for operations that it completes together, for example one for each block: a block that
/// waits for its own operations then need not wait for those of others.
///
/// Loads, stores and atomics that the GPU carries out itself are completed by one fence, whatever context they are on.
/// Of what the CPU carries out, atomic operations on host memory are complete on return on [`Ctx::DEFAULT`], and
/// [`Ctx::post`] says when those are that were prepared; nobody waits there for those of triggers. On another context
/// all is left to the context's fence and quiet, and a lane can ask for much before it waits. In jobs with PEs that are
/// not mapped, the CPU also puts, gets, loads and stores there; all of it is left to the context's fence and quiet, on
/// the default context too, but for what an operation returns. Barriers complete the default context. A context is a
/// number, that of the block, of 1,023. So contexts of blocks that are 1,023 apart are one, and all that a block makes
/// are. Making one costs nothing; its fence and quiet look at a word of GPU memory.
///
/// What a kernel leaves to a context at its end, a `quiet` or barrier of the CPU completes.
///
/// ```
/// use cushmem_device::{Block, Ctx, DevPtr, Scope, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Puts both halves of `2 * n` elements to PE 0, and completes the first before the second begins.
///     pub unsafe fn send(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize) {
///         let context = Ctx::new();
///         context.put(Block, inbox, outbox, n, 0);
///         context.quiet();
///         context.put(Block, inbox.add(n), outbox.add(n), n, 0);
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Ctx(u32);

impl Ctx {
    /// The context of all operations that name none.
    pub const DEFAULT: Self = Self(0);

    /// The context of this block.
    #[inline(always)]
    #[allow(clippy::new_without_default)] // "default" means [`Ctx::DEFAULT`] here
    pub fn new() -> Self {
        Self(context_of_block())
    }

    #[inline(always)]
    pub(crate) const fn number(&self) -> u32 {
        self.0
    }

    /// Orders this lane's puts to each PE before its later ones to the same PE (`shmem_ctx_fence`, OpenSHMEM 1.6,
    /// 9.12).
    #[inline(always)]
    pub fn fence(&self) {
        let commands = Pending::of(self.0);
        arch::fence_acq_rel_sys();
        // They are waited for, as what comes next may go another way.
        commands.finish();
    }

    /// Completes this lane's operations: they are visible to all PEs, and what the lane reads afterwards is not older
    /// (`shmem_ctx_quiet`, OpenSHMEM 1.6, 9.12). After the block's own barrier it covers the other lanes' operations
    /// too.
    #[inline(always)]
    pub fn quiet(&self) {
        let commands = Pending::of(self.0);
        // SYNC(commands-seen) acquire fence, and more: pairs with the release fence in `complete`.
        arch::fence_sc_sys();
        commands.finish();
    }
}

/// [`Ctx::fence`] of the default context.
///
/// ```
/// use cushmem_device::{DevPtr, fence, kernels, p};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Whoever sees `ready` of PE 0 as 1 sees both numbers.
///     pub unsafe fn tell(numbers: DevPtr<u32>, ready: DevPtr<u64>) {
///         p(numbers, 2, 0);
///         p(numbers.add(1), 3, 0);
///         fence();
///         p(ready, 1, 0);
///     }
/// }
/// ```
#[inline(always)]
pub fn fence() {
    Ctx::DEFAULT.fence();
}

/// [`Ctx::quiet`] of the default context.
///
/// ```
/// use cushmem_device::{DevPtr, g, kernels, my_pe, p, quiet};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Takes the number that it has just stored on this PE.
///     pub unsafe fn check(number: DevPtr<u32>, copy: DevPtr<u32>) {
///         p(number, 42, my_pe());
///         quiet();
///         copy.write(g(number, my_pe()));
///     }
/// }
/// ```
#[inline(always)]
pub fn quiet() {
    Ctx::DEFAULT.quiet();
}

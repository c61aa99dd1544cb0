use crate::arch;
use crate::command::{Pending, context_of_block};
use crate::processor::Left;
use crate::recorded::{Begun, NO_PE};
use cushmem_abi::KernelOperation;

/// A set of operations that are completed together: [`Ctx::quiet`] and [`Ctx::fence`] apply to the operations that this
/// lane issued on the same context. The free functions and the methods of a [`Scope`](crate::Scope) issue their
/// operations on [`Ctx::DEFAULT`].
///
/// A kernel can create a context for operations that it completes together, for example one per block: a block that
/// waits for its own operations then need not wait for those of other blocks.
///
/// What fence and quiet of a context wait for depends on who carries out the operation:
///
/// * Loads, stores and atomics that the GPU carries out itself are completed by one fence, whatever their context.
/// * Of the operations that the CPU carries out, atomic operations on host memory are complete on return on
///   [`Ctx::DEFAULT`]. [`Ctx::post`] says when prepared operations are complete there, and nothing waits there for the
///   operations of triggers. On any other context, the context's fence and quiet complete all of them, so a lane can
///   issue many before it waits.
/// * In jobs in which not all PEs are mapped, the CPU also puts, gets, loads and stores on PEs that are not mapped. In
///   these jobs the context's fence and quiet complete everything that the CPU carries out, on the default context too,
///   except that an operation which returns a value is complete on return.
///
/// * With a command processor (`CUSHMEM_COMMAND_PROCESSOR`), long `put_nbi`, `get_nbi` and `put_signal_nbi` of a
///   [`Thread`](crate::Thread) on any other context than the default one are carried out by another block of the GPU,
///   and the context's fence and quiet wait for it.
///
/// Barriers complete the default context.
///
/// A context is one of 1,023 numbers, which follows from the block's number. Thus blocks whose numbers differ by a
/// multiple of 1,023 share a context, and all contexts that a block creates are the same one. Creating a context costs
/// nothing; its fence and quiet load a word of GPU memory.
///
/// A `quiet` or a barrier on the CPU completes what a kernel has left to a context at its end.
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
    /// The context of all operations that do not name one.
    pub const DEFAULT: Self = Self(0);

    /// The context of this block.
    #[inline(always)]
    #[allow(clippy::new_without_default)] // "default" means [`Ctx::DEFAULT`] here
    pub fn new() -> Self {
        Self(context_of_block())
    }

    /// The context with this number.
    #[inline(always)]
    pub(crate) const fn numbered(number: u32) -> Self {
        Self(number)
    }

    #[inline(always)]
    pub(crate) const fn number(&self) -> u32 {
        self.0
    }

    /// Orders this lane's earlier puts to each PE before its later ones to the same PE (`shmem_ctx_fence`, OpenSHMEM
    /// 1.6, 9.12).
    #[inline(always)]
    pub fn fence(&self) {
        let (commands, left) = (Pending::of(self.0), Left::by(self.0));
        arch::fence_acq_rel_sys();
        // Wait for commands too, because what follows may take another path.
        commands.finish();
        left.finish();
    }

    /// Completes this lane's operations (`shmem_ctx_quiet`, OpenSHMEM 1.6, 9.12): they are visible to all PEs, and
    /// later reads of the lane do not return older values. After a barrier of the block, it covers the operations of
    /// the block's other lanes too.
    #[inline(always)]
    pub fn quiet(&self) {
        let from = Begun::alone();
        self.quiet_plain();
        from.end(KernelOperation::Quiet, NO_PE, 0, 0);
    }

    /// [`Ctx::quiet`], without the record.
    #[inline(always)]
    pub(crate) fn quiet_plain(&self) {
        let (commands, left) = (Pending::of(self.0), Left::by(self.0));
        // SYNC(commands-seen) acquire fence, and more: pairs with the release fence in `complete`.
        arch::fence_sc_sys();
        commands.finish();
        left.finish();
    }
}

/// Orders puts, like [`Ctx::fence`], on the default context.
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

/// Completes operations, like [`Ctx::quiet`], on the default context.
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

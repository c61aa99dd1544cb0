//! Fence and quiet by the lanes of a scope together, of which lane 0 executes the fence for all, and quiet for some
//! PEs.
//!
//! ```text
//!   lane i:  W, an operation   B1                                            B2   A, a later access
//!   lane 0:                    B1   load the count of commands, fence F,     B2
//!                                   wait for the commands
//! ```
//!
//! B1 and B2 are [`Scope::sync`]. In the terms of PTX's memory model:
//!
//! * *F covers the stores of all lanes.* A barrier of a block or a warp orders the memory accesses of its lanes, so W
//!   comes before F in base causality order. A fence at system scope, with a store of the same lane behind it, is a
//!   release, and releases are cumulative: whoever acquires what lane 0 stores behind F sees W, whichever lane issued
//!   it. What another lane stores behind B2 with a release of its own, such as the signal of a put or a barrier, comes
//!   after W for the same reason.
//! * *Loads of all lanes come after F.* W comes before F, and A after it, in base causality order, and any two fences
//!   of `fence.sc` are ordered. So of two PEs whose lanes store, call quiet and load, at least one sees the other's
//!   store, whichever lanes stored and loaded.
//! * *A plain store by another lane than lane 0, behind B2,* is no release in the model, because that lane executed no
//!   fence. That it does not overtake W rests on what the GPU does: F ends when the stores before it have been
//!   performed at every observer, and the lane stores after that. NVSHMEM rests on the same.
//! * *Commands.* A lane that posts a command adds its ticket to the count of the context by an atomic operation on a
//!   word of this GPU ([`crate::command::track`]), which comes before B1. The count only grows, so what lane 0 loads
//!   behind B1 includes the commands of all lanes. Lane 0 acquires their completion before B2, so what they did is
//!   visible to all lanes behind it.

use crate::fail::fail;
use crate::{Ctx, DevPtr, Scope, my_pe, n_pes};
use cushmem_abi::ErrorCode;

impl Ctx {
    /// Orders the puts of the lanes of `scope`, like [`Scope::fence`], on this context.
    #[inline(always)]
    pub fn fence_by<S: Scope>(&self, scope: S) {
        scope.sync();
        if scope.lane() == 0 {
            self.fence();
        }
        scope.sync();
    }

    /// Completes the operations of the lanes of `scope`, like [`Scope::quiet`], on this context.
    ///
    /// ```
    /// use cushmem_device::{Block, Ctx, DevPtr, Scope, atomic_inc, kernels, n_pes};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Each lane adds to the `counts` of some PEs, and the last lane then says that all have.
    ///     pub unsafe fn count(counts: DevPtr<u64>, done: DevPtr<u64>) {
    ///         let context = Ctx::new();
    ///         let mut pe = Block.lane() as u32;
    ///         while pe < n_pes() {
    ///             context.atomic_inc(counts, pe);
    ///             pe += Block.lanes() as u32;
    ///         }
    ///         context.quiet_by(Block);
    ///         if Block.lane() + 1 == Block.lanes() {
    ///             atomic_inc(done, 0);
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn quiet_by<S: Scope>(&self, scope: S) {
        scope.sync();
        if scope.lane() == 0 {
            self.quiet();
        }
        scope.sync();
    }

    /// Completes this lane's operations on the PEs of a list, as [`Ctx::quiet`] does (`shmem_ctx_pe_quiet`, OpenSHMEM
    /// 1.6, 9.12). It completes those on all other PEs too, because this costs nothing more. If the list is empty, it
    /// does nothing. A number in the list that is no PE ends the kernel with a message.
    ///
    /// # Safety
    /// `target_pes` has `npes` elements.
    #[inline(always)]
    pub unsafe fn pe_quiet(&self, target_pes: DevPtr<u32>, npes: usize) {
        // SAFETY: the caller guarantees the list.
        if unsafe {
            check_list(target_pes, npes, n_pes(), |pe| {
                fail(ErrorCode::PeOutOfRange, pe, my_pe().into(), n_pes().into())
            })
        } {
            self.quiet();
        }
    }
}

/// Completes operations on the PEs of a list, like [`Ctx::pe_quiet`], on the default context (`shmem_pe_quiet`).
///
/// ```
/// use cushmem_device::{DevPtr, kernels, p, pe_quiet};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Stores a number to `n` PEs, and then tells PE 0 that they have it.
///     pub unsafe fn tell(number: DevPtr<u32>, pes: DevPtr<u32>, n: usize, done: DevPtr<u64>) {
///         for i in 0..n {
///             p(number, 42, pes.add(i).read());
///         }
///         pe_quiet(pes, n);
///         p(done, 1, 0);
///     }
/// }
/// ```
///
/// # Safety
/// The conditions of [`Ctx::pe_quiet`].
#[inline(always)]
pub unsafe fn pe_quiet(target_pes: DevPtr<u32>, npes: usize) {
    // SAFETY: the caller guarantees the list.
    unsafe { Ctx::DEFAULT.pe_quiet(target_pes, npes) }
}

/// Calls `refuse` for a number in the list that is not below `limit`. Returns whether there are any numbers.
///
/// # Safety
/// The list has `npes` elements.
#[inline(always)]
pub(crate) unsafe fn check_list(list: DevPtr<u32>, npes: usize, limit: u32, refuse: impl Fn(u32)) -> bool {
    let mut at = 0;
    while at < npes {
        // SAFETY: the caller guarantees the list.
        let pe = unsafe { list.add(at).read() };
        if pe >= limit {
            refuse(pe);
        }
        at += 1;
    }
    npes > 0
}

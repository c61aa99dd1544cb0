use crate::command::post_named;
use crate::{Ctx, arch};
use cushmem_abi::{CommandKind, DevicePrepared};

impl Ctx {
    /// Makes the CPU carry out an operation that it described before (`shmemx_prepare`), after everything that this
    /// lane wrote. One lane calls it, and each call runs the operation once. The operation is complete after
    /// [`Ctx::quiet`]. In jobs in which all PEs are mapped, a call on [`Ctx::DEFAULT`] itself waits until the
    /// operation's memory may be reused. Posting an operation that no longer exists ends the job with a message.
    ///
    /// # Safety
    /// The memory that the operation names is valid until the operation is complete, and nobody else accesses it in a
    /// way that an operation of its kind forbids.
    #[inline(always)]
    pub unsafe fn post(&self, prepared: DevicePrepared) {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
        post_named(CommandKind::Prepared, self.number(), prepared, 0, true);
    }
}

/// Posts a prepared operation, like [`Ctx::post`], on the default context.
///
/// ```
/// use cushmem_device::{DevPtr, DevicePrepared, kernels, post};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Writes `result`, which the prepared operation puts to another PE.
///     pub unsafe fn publish(result: DevPtr<u64>, put: DevicePrepared) {
///         result.write(42);
///         post(put);
///     }
/// }
/// ```
///
/// # Safety
/// The conditions of [`Ctx::post`].
#[inline(always)]
pub unsafe fn post(prepared: DevicePrepared) {
    // SAFETY: the caller guarantees that the operation is valid.
    unsafe { Ctx::DEFAULT.post(prepared) }
}

use crate::command::post_named;
use crate::{Ctx, arch};
use cushmem_abi::{CommandKind, DevicePrepared};

impl Ctx {
    /// Has the CPU carry out an operation that it described before (`shmemx_prepare`), behind what this lane wrote. One
    /// lane calls it; each call is one operation. It is complete after [`Ctx::quiet`]; on [`Ctx::DEFAULT`] this waits
    /// until its memory may be used again. An operation that does not exist any more ends the job with a message.
    ///
    /// # Safety
    /// What the operation names is valid until it is complete, and nobody else accesses it as an operation of its kind
    /// forbids.
    #[inline(always)]
    pub unsafe fn post(&self, prepared: DevicePrepared) {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
        post_named(CommandKind::Prepared, self.number(), prepared, 0, true);
    }
}

/// [`Ctx::post`] on the default context.
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
/// As for [`Ctx::post`].
#[inline(always)]
pub unsafe fn post(prepared: DevicePrepared) {
    // SAFETY: the caller vouches for the operation.
    unsafe { Ctx::DEFAULT.post(prepared) }
}

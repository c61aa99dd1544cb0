//! The end of the job from a kernel. The lane asks the proxy thread of its PE by a command, in every kind of job: that
//! thread looks for commands whatever kernels and the program's threads are doing, and ends the job as the host's
//! routine does. An error record ([`crate::fail`]) would not do, because nobody reads it before the program checks its
//! stream.

use crate::command::Ring;
use crate::fail::fail;
use crate::{Word, arch, my_pe};
use cushmem_abi::{CommandHead, CommandKind, ErrorCode};

/// Ends the whole job with `status`, whatever other lanes, kernels and PEs are doing (`shmem_global_exit`, OpenSHMEM
/// 1.6, 9.1). Any lane may call it; it does not return. All PEs flush standard output and the streams of C. As with
/// the host's routine, the exit status is the low byte, or 1 if only that is 0.
///
/// ```
/// use cushmem_device::{DevPtr, global_exit, kernels, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Ends the job if a residual is not a number.
///     pub unsafe fn check(residuals: DevPtr<f32>) {
///         if residuals.add(thread_idx_x() as usize).read().is_nan() {
///             global_exit(3);
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn global_exit(status: i32) -> ! {
    ask_to_exit(u64::from(status.cast_unsigned()))
}

/// The proxy never replies: this process ends while the lane waits. It is generic because a function called from
/// another crate must be.
#[cold]
#[inline(never)]
fn ask_to_exit<T: Word + Into<u64>>(status: T) -> ! {
    if arch::context_ring() == 0 {
        fail(ErrorCode::NoProxy, my_pe(), 0, 0);
    }
    let ring = Ring::new(None);
    let head = CommandHead { kind: CommandKind::GlobalExit.number(), width: 0, context: 0, pe: 0 }.bits();
    let (_, reply) = ring.send(head, [status.into(), 0, 0], true);
    ring.answer(reply);
    arch::trap()
}

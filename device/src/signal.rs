use crate::command::post;
use crate::recorded::Begun;
use crate::{Ctx, DevPtr, Need, Word, arch, far, peer};
use cushmem_abi::{CommandKind, KernelOperation, SignalOp, WordOp};

impl Ctx {
    /// Updates the signal `sig` on PE `pe` (`shmem_signal_set`, `shmem_signal_add`, OpenSHMEM 1.6, 9.8). It is not
    /// ordered after earlier puts: use [`crate::Scope::put_signal`], or a [`Ctx::fence`] between them.
    ///
    /// # Safety
    /// `sig` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn signal_op(&self, sig: DevPtr<u64>, value: u64, op: SignalOp, pe: u32) {
        let from = Begun::alone();
        // SAFETY: the caller guarantees the same.
        unsafe { self.signal_op_plain(sig, value, op, pe) };
        from.end(KernelOperation::Signal, pe, 8, far::word_of(sig, pe));
    }

    /// [`Ctx::signal_op`], without the record.
    ///
    /// # Safety
    /// The conditions of [`Ctx::signal_op`].
    #[inline(always)]
    pub(crate) unsafe fn signal_op_plain(&self, sig: DevPtr<u64>, value: u64, op: SignalOp, pe: u32) {
        match op {
            SignalOp::Set if far::is_needed(sig, pe) => {
                post(self.head::<u64>(CommandKind::Word(WordOp::Set)), pe, sig, value)
            }
            // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
            SignalOp::Set => unsafe { u64::store_relaxed_sys(peer::direct(sig, pe, Need::LoadStore), value) },
            // SAFETY: the caller guarantees that the word is valid.
            SignalOp::Add => unsafe { self.atomic_add(sig, value, pe) },
        }
    }
}

/// Updates a signal, like [`Ctx::signal_op`], on the default context.
///
/// ```
/// use cushmem_device::{Cmp, DevPtr, SignalOp, kernels, n_pes, signal_op, signal_wait_until, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block with a lane for each PE. Adds to the signal of every PE, and waits until all have come here.
///     pub unsafe fn meet(arrived: DevPtr<u64>) {
///         signal_op(arrived, 1, SignalOp::Add, thread_idx_x());
///         signal_wait_until(arrived, Cmp::Eq, n_pes().into());
///     }
/// }
/// ```
///
/// # Safety
/// The conditions of [`Ctx::signal_op`].
#[inline(always)]
pub unsafe fn signal_op(sig: DevPtr<u64>, value: u64, op: SignalOp, pe: u32) {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.signal_op(sig, value, op, pe) }
}

/// Returns the current value of this PE's signal word (`shmem_signal_fetch`, OpenSHMEM 1.6, 9.8).
///
/// ```
/// use cushmem_device::{DevPtr, kernels, signal_fetch};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Notes how many have come so far.
///     pub unsafe fn look(arrived: DevPtr<u64>, count: DevPtr<u64>) {
///         count.write(signal_fetch(arrived));
///     }
/// }
/// ```
///
/// # Safety
/// `sig` is a valid, aligned word.
#[inline(always)]
pub unsafe fn signal_fetch(sig: DevPtr<u64>) -> u64 {
    // SAFETY: the caller guarantees that the word is valid.
    // SYNC(signal) acquire.sys: pairs with the releases in `update_behind` and `gate_add`.
    unsafe { u64::load_acquire_sys(sig) }
}

/// Updates the signal of a put, after what this lane stored and what others stored before they synchronised with it. If
/// the CPU puts the data, it also updates the signal, wherever the word is, because an instruction would overtake the
/// data.
///
/// # Safety
/// `sig` is a symmetric, aligned word.
#[inline(always)]
pub(crate) unsafe fn update_behind<const BY_CPU: bool>(ctx: &Ctx, sig: DevPtr<u64>, value: u64, op: SignalOp, pe: u32) {
    // SYNC(signal) release.sys: pairs with the acquire loads of `signal_fetch` and `wait_until`; orders the data before
    // the signal. The scope's barrier before it makes the release cumulative over the other lanes' stores.
    match op {
        SignalOp::Set if BY_CPU || far::is_needed(sig, pe) => {
            post(ctx.head::<u64>(CommandKind::SetBehind), pe, sig, value)
        }
        SignalOp::Set => {
            let there = peer::direct(sig, pe, Need::LoadStore);
            // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
            unsafe { arch::st_release_sys_u64(there.raw(), value) }
        }
        SignalOp::Add => match peer::find(sig, pe, Need::Atomic) {
            Some(there) => {
                if BY_CPU {
                    // Until the data has arrived.
                    ctx.fence();
                }
                // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
                unsafe { arch::red_add_release_sys_u64(there.raw(), value) }
            }
            None => post(ctx.head::<u64>(CommandKind::AddBehind), pe, sig, value),
        },
    }
}

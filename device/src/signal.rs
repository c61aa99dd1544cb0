use crate::{DevPtr, Word, arch, peer};

/// How a signal changes its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum SignalOp {
    /// Stores the value.
    Set = 9,
    /// Adds the value, atomically with respect to other signals on a word in GPU memory. On a word in host memory only the lanes of
    /// one GPU are atomic among themselves: a CPU or another GPU that adds at the same time may get lost.
    Add = 10,
}

/// Updates the signal `sig` on PE `pe`. It has no order with puts before it: use [`crate::Scope::put_signal`], or
/// [`crate::fence`] between them (`shmem_signal_set`, `shmem_signal_add`, OpenSHMEM 1.6, 9.8.3).
///
/// # Safety
/// `sig` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn signal_op(sig: DevPtr<u64>, value: u64, op: SignalOp, pe: u32) {
    let sig = peer::mapped(sig, pe);
    // SAFETY: the caller vouches for the word.
    unsafe {
        match op {
            SignalOp::Set => arch::st_relaxed_sys_u64(sig.raw(), value),
            SignalOp::Add => arch::red_add_relaxed_sys_u64(sig.raw(), value),
        }
    }
}

/// The present value of this PE's signal word (`shmem_signal_fetch`, OpenSHMEM 1.6, 9.8.4).
///
/// # Safety
/// `sig` is a valid, aligned word.
#[inline(always)]
pub unsafe fn signal_fetch(sig: DevPtr<u64>) -> u64 {
    // SAFETY: the caller vouches for the word.
    // SYNC(signal) acquire.sys: pairs with the release in `update_release`.
    unsafe { u64::load_acquire_sys(sig) }
}

/// The signal of a put: what this lane stored, and what others stored before they synchronised with it, comes first.
///
/// # Safety
/// `sig` is a valid, aligned word, here or on a peer.
#[inline(always)]
pub(crate) unsafe fn update_release(sig: DevPtr<u64>, value: u64, op: SignalOp) {
    // SAFETY: the caller vouches for the word.
    // SYNC(signal) release.sys: pairs with the acquire loads of `signal_fetch` and `wait_until`; orders the data before the
    // signal. The scope's barrier before it makes the release cumulative over the other lanes' stores.
    unsafe {
        match op {
            SignalOp::Set => arch::st_release_sys_u64(sig.raw(), value),
            SignalOp::Add => arch::red_add_release_sys_u64(sig.raw(), value),
        }
    }
}

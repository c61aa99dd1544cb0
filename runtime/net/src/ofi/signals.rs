//! Keeps libfabric from changing what the program does about signals.

use cushmem_thread::with_signals_blocked;
use std::mem::MaybeUninit;

/// The number of the last signal.
const LAST: i32 = 64;

/// Runs a function that loads libraries or opens objects of libfabric. Threads that it starts take none of the
/// program's signals, and afterwards each signal has the handler that it had before: libinfinipath, which libfabric
/// may load, and the provider `shm` install their own for signals such as SIGSEGV and SIGINT. A handler that another
/// thread installs meanwhile is lost.
pub(super) fn with_signals_kept<T>(run: impl FnOnce() -> T) -> T {
    let before: Vec<_> = (1..=LAST).map(|signal| (signal, action(signal))).collect();
    let result = with_signals_blocked(run);
    for (signal, before) in before {
        if let (Some(before), Some(after)) = (before, action(signal))
            && (before.sa_sigaction, before.sa_flags) != (after.sa_sigaction, after.sa_flags)
        {
            // SAFETY: the action is one that the signal had.
            unsafe { libc::sigaction(signal, &before, std::ptr::null_mut()) };
        }
    }
    result
}

/// What the process does about a signal. `None` for those of the C library.
fn action(signal: i32) -> Option<libc::sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: it only asks; the structure outlives the call.
    let code = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: it was filled in.
    (code == 0).then(|| unsafe { action.assume_init() })
}

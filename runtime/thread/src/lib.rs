//! Threads of the library. They take none of the program's signals, except the six that a thread may cause itself. A
//! handler that runs on one of them would find a stack and thread-local values that it does not expect. Also, the
//! program may block a signal in its own threads in order to wait for it; one of the library's threads would then take
//! the signal, and it would be lost.
#![forbid(unsafe_code)]

use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use std::io;
use std::thread::{Builder, JoinHandle};

/// Signals that the operating system sends to the thread that causes them. If that thread blocks such a signal, the
/// process dies without running its handler.
const CAUSED: [Signal; 6] =
    [Signal::SIGBUS, Signal::SIGFPE, Signal::SIGILL, Signal::SIGSEGV, Signal::SIGSYS, Signal::SIGTRAP];

/// Starts a thread that blocks, from its first instruction on, all signals except those that it may cause itself:
/// SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS and SIGTRAP. Of these six, it blocks those that the calling thread blocks.
/// The mask of the calling thread is the same afterwards.
///
/// # Errors
///
/// If the operating system cannot start a thread.
pub fn start<T: Send + 'static>(
    builder: Builder,
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    // A new thread inherits the mask of the thread that starts it.
    with_signals_blocked(|| builder.spawn(run))
}

/// Runs a function that may start threads of its own, and blocks the same signals as [`start`] while it runs, because
/// those threads inherit them.
pub fn with_signals_blocked<T>(run: impl FnOnce() -> T) -> T {
    let mut blocked = SigSet::all();
    CAUSED.into_iter().for_each(|signal| blocked.remove(signal));
    // If the call fails, a handler may run on the new threads.
    let before = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let result = run();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SIGKILL, SIGSTOP, and the signals that the C library keeps for itself.
    const NEVER_BLOCKED: [i32; 4] = [9, 19, 32, 33];

    /// Returns which of all 64 signals the calling thread blocks: signal `n` is bit `n - 1`.
    fn mask() -> u64 {
        let status = std::fs::read_to_string("/proc/thread-self/status").expect("a thread sees its own status");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).expect("the status has the mask");
        u64::from_str_radix(mask.trim(), 16).expect("the mask is a number")
    }

    fn bits(signals: impl IntoIterator<Item = i32>) -> u64 {
        signals.into_iter().fold(0, |all, signal| all | 1 << (signal - 1))
    }

    /// Runs the test in a thread of its own, which blocks some signals and not others.
    fn in_a_thread_with_a_mask(test: impl FnOnce(u64) + Send + 'static) {
        let starter = std::thread::spawn(|| {
            let blocked: SigSet = [Signal::SIGUSR1, Signal::SIGSEGV].into_iter().collect();
            blocked.thread_set_mask().expect("a thread may block these");
            let before = mask();
            assert_eq!(before, bits([Signal::SIGUSR1 as i32, Signal::SIGSEGV as i32]));
            test(before);
        });
        starter.join().expect("the test passes");
    }

    #[test]
    fn a_thread_takes_only_signals_that_it_causes() {
        let thread = start(Builder::new(), mask).expect("a thread");
        let taken = !thread.join().expect("it reads its mask");
        assert_eq!(taken, bits(CAUSED.map(|signal| signal as i32).into_iter().chain(NEVER_BLOCKED)));
    }

    #[test]
    fn the_mask_of_the_starter_is_unchanged() {
        in_a_thread_with_a_mask(|before| {
            let thread = start(Builder::new(), mask).expect("a thread");
            assert_eq!(mask(), before);
            let blocked = thread.join().expect("it reads its mask");
            assert_eq!(blocked & before, before);
        });
    }

    #[test]
    fn the_mask_is_unchanged_if_no_thread_starts() {
        in_a_thread_with_a_mask(|before| {
            let larger_than_memory = Builder::new().stack_size(1 << 60);
            assert!(start(larger_than_memory, || ()).is_err());
            assert_eq!(mask(), before);
        });
    }

    #[test]
    fn a_thread_has_its_name_and_returns_its_value() {
        let named = Builder::new().name("cushmem-test".to_owned());
        let thread = start(named, || std::thread::current().name().map(str::to_owned)).expect("a thread");
        assert_eq!(thread.join().expect("it returns"), Some("cushmem-test".to_owned()));
    }
}

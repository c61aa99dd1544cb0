//! How the processes of a job handle signals, and the signals that the processes of the launcher read from a
//! `signalfd`.
//!
//! All of it is set here, whatever the process that started `shmemrun` had chosen. If SIGCHLD were still ignored, for
//! example, the operating system would reap children itself and report no end.

use std::mem::MaybeUninit;
use std::ptr;

use nix::libc;
use nix::sys::signal::{SigHandler, SigSet, Signal, signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};

/// Signals that ask the job to end. The first one is passed on, the second one kills the PEs.
pub const ENDING: [Signal; 4] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
/// Signals that are passed on and mean nothing to the launcher.
pub const PLAIN: [Signal; 2] = [Signal::SIGUSR1, Signal::SIGUSR2];
/// Signals that stay ignored if they were: `nohup` ignores SIGHUP, and a shell without job control ignores SIGINT and
/// SIGQUIT for what it runs in the background.
const KEPT: [Signal; 3] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT];

/// What a process of the launcher ignores for itself alone: a write beyond the limit of file sizes or to a pipe without
/// a reader is an error like any other, with a line that says where, and must not end the job.
pub const OWN: [Signal; 2] = [Signal::SIGPIPE, Signal::SIGXFSZ];

/// Sets the dispositions of signals, blocks exactly the signals that the launcher reads, and returns the descriptor to
/// read them from. The PEs inherit the dispositions but for [`OWN`]; their mask is empty.
pub fn take() -> Result<SignalFd, String> {
    for number in 1..=libc::SIGRTMAX() {
        if is_ignored(number) && !KEPT.iter().any(|kept| *kept as i32 == number) {
            // SAFETY: the default action runs no code in this process.
            unsafe { libc::signal(number, libc::SIG_DFL) };
        }
    }
    for own in OWN {
        // SAFETY: to ignore a signal runs no code in this process either.
        unsafe { signal(own, SigHandler::SigIgn) }.map_err(|error| format!("ignore {own}: {}", error.desc()))?;
    }
    let listed = ENDING.into_iter().chain(PLAIN).chain([Signal::SIGTSTP, Signal::SIGCONT, Signal::SIGCHLD]);
    let taken: SigSet = listed.filter(|signal| !is_ignored(*signal as i32)).collect();
    taken.thread_set_mask().map_err(|error| format!("block signals: {}", error.desc()))?;
    SignalFd::with_flags(&taken, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)
        .map_err(|error| format!("create a signalfd: {}", error.desc()))
}

/// Lets this thread, and threads that it starts, write to the terminal from the background under `stty tostop`.
pub fn write_from_background() -> Result<(), String> {
    SigSet::from(Signal::SIGTTOU).thread_block().map_err(|error| format!("block SIGTTOU: {}", error.desc()))
}

/// The signals that have arrived, each listed once.
pub fn arrived(signals: &SignalFd) -> Vec<Signal> {
    let mut arrived = Vec::new();
    while let Ok(Some(info)) = signals.read_signal() {
        arrived.extend(i32::try_from(info.ssi_signo).ok().and_then(|number| Signal::try_from(number).ok()));
    }
    arrived
}

/// A signal's number and name, `11 (SIGSEGV)`.
pub fn describe(number: i32) -> String {
    match Signal::try_from(number) {
        Ok(signal) => format!("{number} ({})", signal.as_str()),
        Err(_) => number.to_string(),
    }
}

/// Whether this process ignores the signal; false for the signals that the C library reserves.
fn is_ignored(number: i32) -> bool {
    let mut found = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the call changes nothing and writes the current action to a variable that outlives it.
    let result = unsafe { libc::sigaction(number, ptr::null(), found.as_mut_ptr()) };
    // SAFETY: all zeros is a valid value, and the call has either written a valid value or left it unchanged.
    let found = unsafe { found.assume_init() };
    result == 0 && found.sa_sigaction == libc::SIG_IGN
}

//! The signals that both processes of the launcher take from a `signalfd`.

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};

/// Signals that ask the job to end: the first is passed on, the second kills the PEs.
pub const ENDING: [Signal; 4] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
/// Signals that are passed on and have no meaning for the launcher.
pub const PLAIN: [Signal; 2] = [Signal::SIGUSR1, Signal::SIGUSR2];

/// Blocks the signals and returns the descriptor to read them from. Signals that were ignored when this process started (`nohup`) stay ignored.
pub fn take() -> Result<SignalFd, String> {
    let ignored = ignored_mask();
    let mut taken = SigSet::empty();
    for signal in ENDING.into_iter().chain(PLAIN).chain([Signal::SIGTSTP, Signal::SIGCONT]) {
        if ignored & (1 << (signal as u32 - 1)) == 0 {
            taken.add(signal);
        }
    }
    taken.add(Signal::SIGCHLD);
    taken.thread_block().map_err(|error| format!("block signals: {}", error.desc()))?;
    SignalFd::with_flags(&taken, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)
        .map_err(|error| format!("make a signalfd: {}", error.desc()))
}

/// The signals that have arrived, each once.
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

/// The kernel's mask of ignored signals; 0 if it cannot be read.
fn ignored_mask() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|text| u64::from_str_radix(text.trim(), 16).ok()).unwrap_or(0)
}

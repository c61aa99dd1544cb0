//! How many file descriptors the process that keeps a job together needs, and for what; which the library leaves alone.

use std::fs::OpenOptions;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::fs::OpenOptionsExt;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// How many connections may be without a proof at a time. If more come, the oldest is dropped, so that strangers keep
/// no PE out: a PE gives its proof at once. A PE that was dropped nevertheless connects again.
const MAX_STRANGERS: usize = 256;
/// Descriptors that the process needs for other purposes than PEs.
const SPARE_DESCRIPTORS: u64 = 128;

/// How many connections may be without a proof: fewer if this process may open few descriptors.
pub(crate) fn max_strangers() -> usize {
    let (soft, _) = getrlimit(Resource::RLIMIT_NOFILE).unwrap_or_default();
    MAX_STRANGERS.min(soft as usize / 4).max(1)
}

/// Makes sure that this process may open a descriptor for each connection of `n_pes` PEs, and raises its soft limit if
/// necessary.
pub(crate) fn room_for(n_pes: u32) -> Result<(), String> {
    // For each PE: its connection for rounds, its lifeline, and its connection to the node's channel.
    let needed = 3 * u64::from(n_pes) + max_strangers() as u64 + SPARE_DESCRIPTORS;
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).map_err(|error| error.desc().to_owned())?;
    if soft >= needed || hard >= needed && setrlimit(Resource::RLIMIT_NOFILE, needed, hard).is_ok() {
        return Ok(());
    }
    Err(format!(
        "the process that keeps {n_pes} PEs together needs {needed} file descriptors but may open only {hard}: raise ulimit -n"
    ))
}

/// Opens `/dev/null` as standard input, output and error where they are closed. A file, socket or shared memory that
/// the library opens would get these numbers otherwise, and what the program prints would be written there. Programs
/// that this one executes find them closed. Does not allocate.
pub fn fill_standard_streams() {
    let null = || OpenOptions::new().read(true).write(true).open("/dev/null");
    // Where there is no such file, a descriptor that can neither be read nor written takes the number.
    let nothing = |_| OpenOptions::new().read(true).custom_flags(nix::libc::O_PATH).open("/");
    // The system gives the lowest number that is free.
    while let Ok(null) = null().or_else(nothing) {
        if null.as_raw_fd() > 2 {
            return;
        }
        // It stays open.
        let _ = null.into_raw_fd();
    }
}

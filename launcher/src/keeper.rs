//! The process between the front and the supervisor: it ends the job if both of them are killed.
//!
//! It starts the supervisor as a copy of itself, passes on the signals that it gets, and exits with the supervisor's
//! status. It does nothing else, so it keeps no job waiting. As a child subreaper, it gets all processes below a killed
//! supervisor, including those in sessions of their own, and kills them.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use cushmem_bootstrap::socket::timeout_until;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::signalfd::SignalFd;
use nix::unistd::{Pid, getppid};

use crate::front::{self, End};
use crate::spawn::reap;
use crate::{processes, signals};

/// How long the supervisor may take to end the job after the death of the front.
const FRONT_GONE_LIMIT: Duration = Duration::from_secs(5);

/// Waits for the end of the supervisor, and returns the status for the front. `front` was this process's parent at its
/// start, and its parent-death signal wakes this process.
pub fn run(supervisor: Pid, front: Pid, signals: &SignalFd) -> u8 {
    let mut give_up_at = None;
    loop {
        let timeout = give_up_at.map_or(PollTimeout::NONE, timeout_until);
        let _ = poll(&mut [PollFd::new(signals.as_fd(), PollFlags::POLLIN)], timeout);
        for signal in signals::arrived(signals).into_iter().filter(|signal| *signal != Signal::SIGCHLD) {
            let _ = kill(supervisor, signal);
        }
        if let Some(end) = reap(supervisor).map_or(Some(End::Lost), |status| status.map(front::end_of)) {
            // Usually nothing is left, and looking for it would take a while.
            let left = if processes::has_children() { front::sweep(&[]) } else { 0 };
            return if let End::Exited(status) = end { status } else { front::report("the supervisor", &end, left) };
        }
        if give_up_at.is_none() && getppid() != front {
            // The supervisor notices this too, unless it is stopped.
            let _ = kill(supervisor, Signal::SIGCONT);
            give_up_at = Some(Instant::now() + FRONT_GONE_LIMIT);
        }
        if give_up_at.is_some_and(|at| Instant::now() >= at) {
            front::sweep(&[]);
            return crate::STATUS_LAUNCHER;
        }
    }
}

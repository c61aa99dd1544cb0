//! The first process: it passes signals on, returns the exit status, and cleans up if the supervisor is killed.

use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Command;
use std::time::Duration;

use cushmem_bootstrap::env;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill, raise};
use nix::unistd::Pid;
use std::os::fd::AsFd;

use crate::{processes, signals};

/// How long to try to end the processes that a killed supervisor has left.
const SWEEP_LIMIT: Duration = Duration::from_secs(5);

/// Starts the supervisor with the same arguments and waits for its end.
pub fn run() -> Result<u8, String> {
    prctl::set_child_subreaper(true).map_err(|error| format!("become a subreaper: {}", error.desc()))?;
    let signals = signals::take()?;
    let (read_end, write_end) = std::io::pipe().map_err(|error| format!("make a pipe: {error}"))?;
    // This process starts nothing but the supervisor, so nothing else inherits the pipe.
    fcntl(&read_end, FcntlArg::F_SETFD(FdFlag::empty())).map_err(|error| format!("share a pipe: {}", error.desc()))?;
    let mut supervisor = Command::new("/proc/self/exe")
        .arg0("cushmem-supervisor")
        .args(std::env::args_os().skip(1))
        .env(env::SUPERVISOR_FD, read_end.as_raw_fd().to_string())
        // So that signals from the terminal and from `kill -- -group` reach one of the two processes, not both.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("start the supervisor: {error}"))?;
    drop(read_end);
    let pid = Pid::from_raw(supervisor.id().cast_signed());
    let status = loop {
        let mut polled = [PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
        let _ = poll(&mut polled, PollTimeout::NONE);
        for signal in signals::arrived(&signals) {
            match signal {
                Signal::SIGCHLD => {}
                Signal::SIGTSTP => {
                    let _ = kill(pid, Signal::SIGTSTP);
                    let _ = raise(Signal::SIGSTOP);
                }
                other => {
                    let _ = kill(pid, other);
                }
            }
        }
        if let Some(status) = supervisor.try_wait().map_err(|error| format!("wait for the supervisor: {error}"))? {
            break status;
        }
    };
    // The supervisor held the read end, and it has ended.
    drop(write_end);
    let Some(signal) = status.signal() else {
        return Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::STATUS_LAUNCHER));
    };
    let left = processes::sweep(SWEEP_LIMIT);
    eprintln!("shmemrun: the supervisor was killed by signal {}; its PEs were killed", signals::describe(signal));
    if left > 0 {
        eprintln!("shmemrun: {left} processes of the job could not be ended within {} s", SWEEP_LIMIT.as_secs());
    }
    Ok(u8::try_from(128 + signal).unwrap_or(crate::STATUS_LAUNCHER))
}

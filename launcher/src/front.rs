//! The first process: it passes signals on, returns the exit status, and cleans up if the supervisor is killed or stops
//! answering.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

use cushmem_bootstrap::env;
use cushmem_bootstrap::socket::{Progress, SeqPacket};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::signalfd::SignalFd;
use nix::unistd::{Pid, getpgrp};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::outlet::last_words;
use crate::spawn::{Spawned, reap, spawn};
use crate::{processes, signals, terminal};

/// How long to try to end the processes that a supervisor has left behind.
const SWEEP_LIMIT: Duration = Duration::from_secs(5);
/// How long a stopped supervisor may take to answer a signal that asks the job to end.
const STOPPED_LIMIT: Duration = Duration::from_secs(2);
/// How long a supervisor that is not stopped may take. It never waits for anybody, but the machine may be slow, or
/// pause.
const BUSY_LIMIT: Duration = Duration::from_secs(15);
/// How long each poll waits for an answer. One more poll follows after the limit, because this process may have been
/// paused while the answer arrived.
const ANSWER_POLL_MS: u8 = 100;

/// The terminal's settings, which are restored when this is dropped.
struct Terminal(Termios);

impl Terminal {
    /// Saves the settings of the terminal that is standard input; `None` if this process is not in its foreground.
    fn lend() -> Option<Terminal> {
        let is_ours = terminal::owner() == Some(getpgrp());
        is_ours.then(|| tcgetattr(std::io::stdin()).ok().map(Terminal)).flatten()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A process in the background may do this only if it blocks this signal.
        let _ = signals::write_from_background();
        // The groups that borrowed the terminal have ended. If anything fails here, the shell does the same.
        if terminal::pass(getpgrp(), getpgrp()) {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.0);
        }
    }
}

/// How the supervisor ended.
enum End {
    /// It exited on its own, with this status.
    Exited(u8),
    /// A signal killed it.
    Killed(i32),
    /// It is stopped or stuck: it did not answer this signal within this time.
    Silent(Signal, Duration),
    /// It has ended, and the operating system does not report how.
    Lost,
}

/// Starts the supervisor with the same arguments and waits for its end. `lends_terminal` says that a PE will get the
/// terminal.
pub fn run(lends_terminal: bool) -> Result<u8, String> {
    let lent = if lends_terminal { Terminal::lend() } else { None };
    prctl::set_child_subreaper(true).map_err(|error| format!("become a subreaper: {}", error.desc()))?;
    let signals = signals::take()?;
    // A shell that became this process by `exec` may have left children behind, which do not belong to the job. A
    // process that such a child leaves behind cannot be distinguished from one of the job.
    let inherited = processes::children();
    let (channel, theirs) =
        SeqPacket::pair().map_err(|error| format!("make a socket pair for the supervisor: {}", error.desc()))?;
    // This process starts nothing but the supervisor, so nothing else inherits the socket.
    fcntl(&theirs, FcntlArg::F_SETFD(FdFlag::empty())).map_err(|error| format!("share a socket: {}", error.desc()))?;
    let mut command = Command::new("/proc/self/exe");
    command.args(std::env::args_os().skip(1)).env(env::SUPERVISOR_FD, theirs.as_fd().as_raw_fd().to_string());
    let cannot = |error: std::io::Error| format!("start the supervisor: {error}");
    // It has a process group of its own, so that signals from the terminal and from `kill -- -group` reach only one of
    // the two processes.
    // SAFETY: the closure does nothing.
    let spawned = unsafe { spawn(&command, Some(OsStr::new("cushmem-supervisor")), [None, None, None], || Ok(())) };
    let Spawned { pid, mut outcome } = spawned.map_err(cannot)?;
    drop(theirs);
    let end = watch(pid, &signals, &channel);
    if let End::Exited(status) = end {
        return match outcome.look() {
            Some(Err(error)) => Err(cannot(error)),
            _ => Ok(status),
        };
    }
    // If the supervisor is still running, it is the first to be killed.
    let left = processes::sweep(SWEEP_LIMIT, &inherited, || {});
    drop(lent);
    let (what, status) = match end {
        End::Exited(_) | End::Lost => ("the supervisor ended, and the system does not report how".into(), 1),
        End::Killed(signal) => {
            (format!("the supervisor was killed by signal {}", signals::describe(signal)), 128 + signal)
        }
        End::Silent(signal, limit) => {
            let (name, limit) = (signal.as_str(), limit.as_secs());
            (format!("the supervisor did not answer {name} within {limit} s"), 128 + signal as i32)
        }
    };
    last_words(&format!("{what}; its PEs were killed"));
    if left > 0 {
        last_words(&format!("{left} processes of the job could not be ended within {} s", SWEEP_LIMIT.as_secs()));
    }
    Ok(u8::try_from(status).unwrap_or(crate::STATUS_LAUNCHER))
}

/// Passes signals on until the supervisor has ended, or has failed to answer one of them. With each signal that asks
/// for the end of the job, this process sends a message that the supervisor returns.
fn watch(pid: Pid, signals: &SignalFd, channel: &SeqPacket) -> End {
    let mut unanswered: VecDeque<(Signal, Instant)> = VecDeque::new();
    let mut is_last_poll = false;
    loop {
        let timeout = if unanswered.is_empty() { PollTimeout::NONE } else { PollTimeout::from(ANSWER_POLL_MS) };
        let mut polled =
            [PollFd::new(signals.as_fd(), PollFlags::POLLIN), PollFd::new(channel.as_fd(), PollFlags::POLLIN)];
        let is_quiet = poll(&mut polled, timeout) == Ok(0);
        for signal in signals::arrived(signals) {
            match signal {
                Signal::SIGCHLD => {}
                Signal::SIGTSTP => {
                    let _ = kill(pid, Signal::SIGTSTP);
                    let _ = raise(Signal::SIGSTOP);
                }
                other => {
                    let _ = kill(pid, other);
                    // If the socket is full, it holds earlier messages that are not answered either.
                    if signals::ENDING.contains(&other)
                        && matches!(channel.try_send(&[0], None), Ok(Progress::Done(())))
                    {
                        unanswered.push_back((other, Instant::now()));
                    }
                }
            }
        }
        while let Ok(Progress::Done(_)) = channel.try_receive(&mut [0]) {
            unanswered.pop_front();
        }
        match reap(pid) {
            Ok(Some(status)) => return status.signal().map_or_else(|| exited(status.code()), End::Killed),
            Ok(None) => {}
            Err(_) => return End::Lost,
        }
        if let Some((signal, asked)) = unanswered.front() {
            let limit = if processes::is_stopped(pid) { STOPPED_LIMIT } else { BUSY_LIMIT };
            let is_late = asked.elapsed() >= limit;
            if is_late && is_last_poll && is_quiet {
                return End::Silent(*signal, limit);
            }
            is_last_poll = is_late;
        }
    }
}

fn exited(code: Option<i32>) -> End {
    End::Exited(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::STATUS_LAUNCHER))
}

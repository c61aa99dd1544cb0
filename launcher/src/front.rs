//! The first process: it passes signals on, returns the exit status, and cleans up if the keeper is killed or the
//! supervisor stops answering.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
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

use crate::outlet::write_last_line;
use crate::spawn::{Failures, reap, spawn};
use crate::{processes, signals, terminal};

/// How long to try to end the processes that a supervisor has left behind.
const SWEEP_LIMIT: Duration = Duration::from_secs(5);
/// How long a stopped supervisor may take to answer a signal that asks the job to end.
const STOPPED_LIMIT: Duration = Duration::from_secs(2);
/// How long a supervisor that is not stopped may take. It never waits for anybody, but the machine may be slow, or
/// pause.
const BUSY_LIMIT: Duration = Duration::from_secs(15);
/// On a host of several: how long the supervisor may take to end the job when standard input has ended, over which the
/// launcher that started the job talks to it.
const HUNG_UP_LIMIT: Duration = Duration::from_secs(5);
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
        if terminal::change_owner(getpgrp(), getpgrp()) {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.0);
        }
    }
}

/// How the supervisor, or its keeper, ended.
pub enum End {
    /// It exited on its own, with this status.
    Exited(u8),
    /// A signal killed it.
    Killed(i32),
    /// It is stopped or stuck: it did not answer this signal within this time.
    Silent(Signal, Duration),
    /// It goes on although the launcher that started the job on several hosts has gone.
    HungUp,
    /// It has ended, and the operating system does not report how.
    Lost,
}

/// Starts the keeper with these arguments and additional variables, which starts the supervisor, and waits for its end.
/// `lends_terminal` says that a PE will get the terminal.
pub fn run(lends_terminal: bool, words: Vec<OsString>, variables: &[(OsString, OsString)]) -> Result<u8, String> {
    let lent = if lends_terminal { Terminal::lend() } else { None };
    prctl::set_child_subreaper(true).map_err(|error| format!("become a subreaper: {}", error.desc()))?;
    let signals = signals::take()?;
    // A shell that became this process by `exec` may have left children behind, which do not belong to the job. A
    // process that such a child leaves behind cannot be distinguished from one of the job.
    let inherited = processes::children();
    let (channel, theirs) =
        SeqPacket::pair().map_err(|error| format!("create a socket pair for the supervisor: {}", error.desc()))?;
    // This process starts nothing but the keeper, so nothing else inherits the socket.
    fcntl(&theirs, FcntlArg::F_SETFD(FdFlag::empty())).map_err(|error| format!("share a socket: {}", error.desc()))?;
    let mut command = Command::new("/proc/self/exe");
    command.args(words).envs(variables.iter().map(|(name, value)| (name, value)));
    command.env(env::SUPERVISOR_FD, theirs.as_fd().as_raw_fd().to_string());
    let cannot = |error: std::io::Error| format!("start the supervisor: {error}");
    // Each of the three has a process group of its own, so that signals from the terminal and from `kill -- -group`
    // reach only one of them.
    // Keeper and supervisor have the same arguments; the names that `ps -c` shows tell them apart.
    let failures = Failures::new().map_err(cannot)?;
    let name = OsStr::new("cushmem-launcher");
    // SAFETY: the closure does nothing.
    let spawned = unsafe { spawn(&command, Some(name), [None, None, None], &failures, || Ok(())) };
    let pid = spawned.map_err(cannot)?;
    drop(theirs);
    let is_agent = variables.iter().any(|(name, _)| name == env::HOST_PART);
    let end = watch(pid, &signals, &channel, is_agent);
    if let End::Exited(status) = end {
        return failures.next().map_or(Ok(status), |(_, error)| Err(cannot(error)));
    }
    let left = sweep(&inherited);
    drop(lent);
    Ok(report("the supervisor's keeper", &end, left))
}

/// Ends all processes below this one; if the keeper and the supervisor are still running, they are killed first.
/// Returns how many could not be ended.
pub fn sweep(inherited: &[Pid]) -> usize {
    processes::sweep(SWEEP_LIMIT, inherited, || {})
}

/// Reports how `who` ended, and returns the launcher's exit status.
pub fn report(who: &str, end: &End, left: usize) -> u8 {
    let (what, status) = match end {
        End::HungUp => ("the supervisor went on without the launcher that started the job".to_owned(), 1),
        End::Exited(_) | End::Lost => (format!("{who} ended, and the system does not report how"), 1),
        End::Killed(signal) => (format!("{who} was killed by signal {}", signals::describe(*signal)), 128 + signal),
        End::Silent(signal, limit) => {
            let (name, limit) = (signal.as_str(), limit.as_secs());
            (format!("the supervisor did not answer {name} within {limit} s"), 128 + *signal as i32)
        }
    };
    write_last_line(&format!("{what}; its PEs were killed"));
    if left > 0 {
        write_last_line(&format!("{left} processes of the job could not be ended within {} s", SWEEP_LIMIT.as_secs()));
    }
    u8::try_from(status).unwrap_or(crate::STATUS_LAUNCHER)
}

/// Passes signals on until the keeper has ended, or the supervisor has failed to answer one of them. A signal that asks
/// for the end of the job is sent to the supervisor as a message, which the supervisor returns. If this `is_agent`, the
/// end of standard input must end the supervisor too, which reads it.
fn watch(pid: Pid, signals: &SignalFd, channel: &SeqPacket, is_agent: bool) -> End {
    let stdin = std::io::stdin();
    let mut hung_up: Option<Instant> = None;
    let mut unanswered: VecDeque<(Signal, Instant)> = VecDeque::new();
    let mut is_last_poll = false;
    // A stopped keeper does not notice that the supervisor has ended. Once the job is to end, or the supervisor has
    // closed the socket, the keeper is looked at. (The socket alone would not do: a keeper that is stopped right after
    // it has started the supervisor has a copy.)
    let (mut is_watchful, mut is_closed) = (false, false);
    loop {
        let timeout = if is_watchful { PollTimeout::from(ANSWER_POLL_MS) } else { PollTimeout::NONE };
        let mut polled = vec![PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
        polled.extend((!is_closed).then(|| PollFd::new(channel.as_fd(), PollFlags::POLLIN)));
        // No event is asked for, so what arrives there wakes the supervisor only; its end is always reported.
        let watches_input = is_agent && hung_up.is_none();
        polled.extend(watches_input.then(|| PollFd::new(stdin.as_fd(), PollFlags::empty())));
        let is_quiet = poll(&mut polled, timeout) == Ok(0);
        if watches_input && polled.last().and_then(PollFd::any) == Some(true) {
            (is_watchful, hung_up) = (true, Some(Instant::now()));
        }
        for signal in signals::arrived(signals) {
            match signal {
                Signal::SIGCHLD => {}
                Signal::SIGTSTP => {
                    let _ = kill(pid, Signal::SIGTSTP);
                    let _ = raise(Signal::SIGSTOP);
                }
                ending if signals::ENDING.contains(&ending) => {
                    is_watchful = true;
                    match channel.try_send(&[ending as u8], None) {
                        Ok(Progress::Done(())) => unanswered.push_back((ending, Instant::now())),
                        // The socket is full of earlier messages that are not answered either.
                        _ => drop(kill(pid, ending)),
                    }
                }
                other => drop(kill(pid, other)),
            }
        }
        loop {
            match channel.try_receive(&mut [0]) {
                Ok(Progress::Done(_)) => drop(unanswered.pop_front()),
                Ok(Progress::Closed) => {
                    (is_watchful, is_closed) = (true, true);
                    break;
                }
                _ => break,
            }
        }
        match reap(pid) {
            Ok(Some(status)) => return end_of(status),
            Ok(None) if is_watchful && processes::is_stopped(pid) => drop(kill(pid, Signal::SIGCONT)),
            Ok(None) => {}
            Err(_) => return End::Lost,
        }
        if hung_up.is_some_and(|at| at.elapsed() >= HUNG_UP_LIMIT) {
            return End::HungUp;
        }
        if let Some((signal, asked)) = unanswered.front() {
            let is_stopped = processes::children_of(&[pid]).into_iter().chain([pid]).any(processes::is_stopped);
            let limit = if is_stopped { STOPPED_LIMIT } else { BUSY_LIMIT };
            let is_late = asked.elapsed() >= limit;
            if is_late && is_last_poll && is_quiet {
                return End::Silent(*signal, limit);
            }
            is_last_poll = is_late;
        }
    }
}

/// How a process ended that has this status.
pub fn end_of(status: ExitStatus) -> End {
    let code = || status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::STATUS_LAUNCHER);
    status.signal().map_or_else(|| End::Exited(code()), End::Killed)
}

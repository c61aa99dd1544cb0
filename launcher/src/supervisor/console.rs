//! What connects a supervisor with the user: signals, the front, stdout and stderr, and the time limit.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use cushmem_bootstrap::socket::{Progress, SeqPacket};
use cushmem_command_line::printable;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;

use super::{Cause, Ending, RETRY, StatusServer};
use crate::outlet::Outlet;
use crate::signals;

/// At the end, how long output may make no progress if the front has ended, a signal asked for the end, or the time
/// limit has passed.
const STANDSTILL_LIMIT: Duration = Duration::from_secs(1);

/// The user's side of a supervisor.
pub struct Console {
    /// Signals to this process.
    pub signals: SignalFd,
    /// The socket to the front.
    pub front: SeqPacket,
    /// Standard output.
    pub stdout: Outlet,
    /// Standard error.
    pub stderr: Outlet,
    /// The time limit, and when it is reached.
    pub time_limit: Option<(Duration, Instant)>,
    /// Whether a signal has asked for the end of the job.
    pub was_signalled: bool,
    /// The host, in lines of the launcher on a host of several.
    pub host: Option<String>,
}

impl Console {
    /// Answers the front's messages. Returns the signals in them, and whether the front has ended.
    pub fn hear_front(&self) -> (Vec<Signal>, bool) {
        let (mut signals, mut number) = (Vec::new(), [0]);
        loop {
            match self.front.try_receive(&mut number) {
                Ok(Progress::Done(_)) => {
                    signals.extend(Signal::try_from(i32::from(number[0])).ok());
                    let _ = self.front.try_send(&number, None);
                }
                Ok(Progress::Closed) => return (signals, true),
                // The operating system may have run out of something.
                Ok(Progress::WouldBlock) | Err(_) => return (signals, false),
            }
        }
    }

    /// Passes on the socket for `--status`, if there is one, and says why if there should be one and is not.
    pub fn take_status_server(&self, opened: Option<Result<StatusServer, String>>) -> Option<StatusServer> {
        let failed = |why: &String| self.say(&format!("shmemrun --status will not find this job: {why}"));
        opened?.inspect_err(failed).ok()
    }

    /// Resets the news of stdout and stderr.
    pub fn take_news(&self) {
        self.stdout.take_news();
        self.stderr.take_news();
    }

    /// Adds a line by the launcher itself, which may contain what a PE has sent.
    pub fn say(&self, line: &str) {
        let host = self.host.iter().map(|host| format!("host {host}: ")).next().unwrap_or_default();
        self.stderr.put(format!("shmemrun: {host}{}\n", printable(line)).as_bytes());
    }

    /// Says why the job has ended. `tail` are the last lines on stderr of the PE that failed.
    pub fn report(&self, ending: &Ending, tail: &[String]) {
        let text = ending.cause.to_string();
        self.say(&if tail.is_empty() { text } else { format!("{text}; its last lines on stderr:") });
        // What the PE has written may be coloured, as it was the first time.
        tail.iter().for_each(|line| self.stderr.put(format!("shmemrun:   | {line}\n").as_bytes()));
        ending.states.iter().for_each(|line| self.say(line));
    }

    /// Why stdout cannot be written, unless its reader closed it because it wanted no more.
    pub fn stdout_error(&self) -> Option<Errno> {
        self.stdout.error().filter(|error| *error != Errno::EPIPE)
    }

    /// Waits for the readers of stdout and stderr, as any program does. If the front has ended, a signal asked for the
    /// end, or the time limit has passed, waits only as long as they make progress. At the time limit, says so if this
    /// `is_first` to end the job. Returns whether it has.
    pub fn write_all_output(&self, is_first: bool) -> Option<Cause> {
        let mut late = None;
        let limit = || Instant::now() + STANDSTILL_LIMIT;
        let mut deadline = self.was_signalled.then(limit);
        let mut least = usize::MAX;
        loop {
            let waiting = self.stdout.waiting() + self.stderr.waiting();
            if waiting == 0 {
                return late;
            }
            if waiting < least {
                least = waiting;
                deadline = deadline.map(|_| limit());
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return late;
            }
            if let Some((limit_of_job, _)) = self.time_limit.filter(|(_, at)| now >= *at && deadline.is_none()) {
                deadline = Some(limit());
                if is_first {
                    let cause = Cause::TimeLimit { limit: limit_of_job, running: vec![], round: None };
                    self.say(&cause.to_string());
                    late = Some(cause);
                }
            }
            let mut polled = [self.signals.as_fd(), self.front.as_fd(), self.stdout.news(), self.stderr.news()]
                .map(|fd| PollFd::new(fd, PollFlags::POLLIN));
            let _ = poll(&mut polled, PollTimeout::from(100u16));
            self.take_news();
            let (mut asked, front_is_gone) = self.hear_front();
            asked.extend(signals::arrived(&self.signals));
            if front_is_gone || asked.iter().any(|signal| signals::ENDING.contains(signal)) {
                deadline.get_or_insert_with(limit);
                // With a closed socket, the poll does not wait.
                std::thread::sleep(RETRY);
            }
        }
    }
}

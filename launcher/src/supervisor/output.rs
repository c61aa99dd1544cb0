//! What the user sees: the output of the PEs, and the report at the end.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::ending::Cause;
use super::{KILL_LIMIT, RETRY, Supervisor};
use crate::{processes, signals};
use cushmem_command_line::printable;

/// At the end, how long output may make no progress if the front has ended, a signal asked for the end, or the time
/// limit has passed.
const STANDSTILL_LIMIT: Duration = Duration::from_secs(1);

impl Supervisor {
    /// If stdout cannot be written, closes the PEs' pipes, so that they get SIGPIPE.
    pub(super) fn leave_broken_stdout(&mut self) {
        if self.stdout.error().is_some() {
            self.pes.iter_mut().for_each(|pe| pe.stdout = None);
        }
    }

    /// Passes on some of what the PE has written.
    pub(super) fn relay_output(&mut self, pe: u32) {
        let pe = &mut self.pes[pe as usize];
        if let Some(stderr) = pe.stderr.as_mut().filter(|_| !self.stderr.is_full()) {
            stderr.relay(&self.stderr);
        }
        if let Some(stdout) = pe.stdout.as_mut().filter(|_| !self.stdout.is_full()) {
            stdout.relay(&self.stdout);
        }
    }

    /// Ends all remaining processes, then reports.
    pub(super) fn clean_up(&mut self) {
        let mut is_asked = false;
        let left = processes::sweep(KILL_LIMIT, &[], || is_asked |= !self.hear_front().0.is_empty());
        self.was_signalled |= is_asked;
        for pe in &mut self.pes {
            if let Some(stderr) = &mut pe.stderr {
                stderr.drain(&self.stderr);
                stderr.close(&self.stderr);
            }
            if let Some(stdout) = &mut pe.stdout {
                stdout.drain(&self.stdout);
                stdout.close(&self.stdout);
            }
        }
        if let Some(ending) = &self.ending {
            let text = ending.cause.to_string();
            let pe = ending.cause.pe().and_then(|number| self.pes.iter().find(|pe| pe.number == number));
            let stderr = pe.and_then(|pe| pe.stderr.as_ref());
            let tail = stderr.iter().flat_map(|stderr| stderr.tail_unless_seen(&self.stderr));
            let tail: Vec<String> = tail.map(|line| format!("  | {line}")).collect();
            let states = ending.states.clone();
            self.say(&if tail.is_empty() { text } else { format!("{text}; its last lines on stderr:") });
            // What the PE has written may be coloured, as it was the first time.
            tail.iter().for_each(|line| self.stderr.put(format!("shmemrun: {line}\n").as_bytes()));
            states.iter().for_each(|line| self.say(line));
        }
        if left > 0 {
            self.say(&format!("{left} processes of the job could not be ended within {} s", KILL_LIMIT.as_secs()));
        }
        self.write_all_output();
        if let Some(error) = self.stdout_error() {
            self.say(&format!("write to stdout: {}", error.desc()));
            self.write_all_output();
        }
    }

    /// Why stdout cannot be written, unless its reader closed it because it wanted no more.
    pub(super) fn stdout_error(&self) -> Option<Errno> {
        self.stdout.error().filter(|error| *error != Errno::EPIPE)
    }

    /// Adds a line by the launcher itself, which may contain what a PE has sent.
    pub(super) fn say(&self, line: &str) {
        self.stderr.put(format!("shmemrun: {}\n", printable(line)).as_bytes());
    }

    /// Waits for the readers of stdout and stderr, as any program does. If the front has ended, a signal asked for the
    /// end, or the time limit has passed, waits only as long as they make progress.
    fn write_all_output(&mut self) {
        let limit = || Instant::now() + STANDSTILL_LIMIT;
        let mut deadline = self.was_signalled.then(limit);
        let mut least = usize::MAX;
        loop {
            let waiting = self.stdout.waiting() + self.stderr.waiting();
            if waiting == 0 {
                return;
            }
            if waiting < least {
                least = waiting;
                deadline = deadline.map(|_| limit());
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return;
            }
            if let Some((time_limit, _)) = self.time_limit.filter(|(_, at)| now >= *at && deadline.is_none()) {
                deadline = Some(limit());
                if self.ending.is_none() {
                    let cause = Cause::TimeLimit { limit: time_limit, running: vec![], round: None };
                    self.say(&cause.to_string());
                    self.end(cause);
                }
            }
            let mut polled = [self.signals.as_fd(), self.front.as_fd(), self.stdout.news(), self.stderr.news()]
                .map(|fd| PollFd::new(fd, PollFlags::POLLIN));
            let _ = poll(&mut polled, PollTimeout::from(100u16));
            self.stdout.take_news();
            self.stderr.take_news();
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

//! What the user sees: the PEs' output, and the report at the end.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::{KILL_LIMIT, RETRY, Supervisor};
use crate::processes;

/// How long output may take at the end if the front is gone.
const LAST_OUTPUT_LIMIT: Duration = Duration::from_secs(1);

impl Supervisor {
    /// If the reader of stdout is gone: closes the PEs' pipes, so that they get SIGPIPE as they would without a launcher.
    pub(super) fn leave_broken_stdout(&mut self) {
        if self.stdout.is_broken() {
            self.pes.iter_mut().for_each(|pe| pe.stdout = None);
        }
    }

    /// Passes on some of what the PE has written.
    pub(super) fn relay_output(&mut self, pe: u32) {
        let pe = &mut self.pes[pe as usize];
        if !self.stderr.is_full() {
            pe.stderr.relay(&mut self.stderr);
        }
        if let Some(stdout) = pe.stdout.as_mut().filter(|_| !self.stdout.is_full()) {
            stdout.relay(&mut self.stdout);
        }
    }

    /// Ends all processes that are left, then reports.
    pub(super) fn clean_up(&mut self) {
        let left = processes::sweep(KILL_LIMIT);
        for pe in &mut self.pes {
            pe.stderr.drain(&mut self.stderr);
            pe.stderr.close(&mut self.stderr);
            if let Some(stdout) = &mut pe.stdout {
                stdout.drain(&mut self.stdout);
                stdout.close(&mut self.stdout);
            }
        }
        if let Some(ending) = &self.ending {
            let text = ending.cause.to_string();
            let pe = ending.cause.pe().map(|pe| &self.pes[pe as usize]);
            let tail = pe.iter().flat_map(|pe| pe.stderr.tail_unless_last(&self.stderr));
            let tail: Vec<String> = tail.map(|line| format!("  | {line}")).collect();
            let states = ending.states.clone();
            self.say(&if tail.is_empty() { text } else { format!("{text}; its last lines on stderr:") });
            tail.iter().chain(&states).for_each(|line| self.say(line));
        }
        if left > 0 {
            self.say(&format!("{left} processes of the job could not be ended within {} s", KILL_LIMIT.as_secs()));
        }
        self.write_all_output();
    }

    /// Adds a line of the launcher itself.
    pub(super) fn say(&mut self, line: &str) {
        self.stderr.put(format!("shmemrun: {line}\n").as_bytes());
    }

    /// Waits for the readers of stdout and stderr, as any program does, but not for long if the front is gone.
    fn write_all_output(&mut self) {
        let deadline = Instant::now() + LAST_OUTPUT_LIMIT;
        for outlet in [&mut self.stdout, &mut self.stderr] {
            while outlet.has_waiting() {
                let mut polled = [
                    PollFd::new(outlet.as_fd(), PollFlags::POLLOUT),
                    PollFd::new(self.front.as_fd(), PollFlags::POLLIN),
                ];
                let is_polled = poll(&mut polled, PollTimeout::from(100u16)).is_ok();
                let [can_write, front_is_gone] = polled.map(|fd| is_polled && fd.any().unwrap_or(false));
                if can_write {
                    outlet.write_piece();
                } else if front_is_gone {
                    if Instant::now() >= deadline {
                        return;
                    }
                    std::thread::sleep(RETRY);
                }
            }
        }
    }
}

//! What the user sees: the output of the PEs, and the report at the end.

use super::{KILL_LIMIT, Known, Supervisor, Uplink};
use crate::hosts::Frame;
use crate::processes;

impl Supervisor {
    /// If stdout cannot be written, closes the PEs' pipes, so that they get SIGPIPE.
    pub(super) fn leave_broken_stdout(&mut self) {
        if self.console.stdout.error().is_some() {
            self.pes.iter_mut().for_each(|pe| pe.stdout = None);
        }
    }

    /// Passes on some of what the PE has written.
    pub(super) fn relay_output(&mut self, pe: u32) {
        let pe = &mut self.pes[pe as usize];
        if let Some(stderr) = pe.stderr.as_mut().filter(|_| !self.console.stderr.is_full()) {
            stderr.relay(&self.console.stderr);
        }
        if let Some(stdout) = pe.stdout.as_mut().filter(|_| !self.console.stdout.is_full()) {
            stdout.relay(&self.console.stdout);
        }
    }

    /// Ends all remaining processes, then says why the job has ended, and what the PEs have recorded.
    pub(super) fn clean_up(&mut self) {
        let mut is_asked = false;
        let console = &self.console;
        let left = processes::sweep(KILL_LIMIT, &[], || is_asked |= !console.hear_front().0.is_empty());
        self.console.was_signalled |= is_asked;
        for pe in &mut self.pes {
            if let Some(stderr) = &mut pe.stderr {
                stderr.drain(&self.console.stderr);
                stderr.close(&self.console.stderr);
            }
            if let Some(stdout) = &mut pe.stdout {
                stdout.drain(&self.console.stdout);
                stdout.close(&self.console.stdout);
            }
        }
        if let Some(ending) = &self.ending {
            let pe = ending.cause.pe().and_then(|number| self.pes.iter().find(|pe| pe.number == number));
            let stderr = pe.and_then(|pe| pe.stderr.as_ref());
            let tail = stderr.iter().flat_map(|stderr| stderr.tail_unless_seen(&self.console.stderr));
            let tail: Vec<String> = tail.map(str::to_owned).collect();
            match &self.uplink {
                Some(uplink) => {
                    pe.iter().for_each(|pe| uplink.send(&Frame::Tail { pe: pe.number, lines: tail.clone() }));
                }
                None => self.console.report(ending, &tail),
            }
        }
        if self.uplink.is_none() {
            self.print_records();
        }
        if left > 0 {
            let limit = KILL_LIMIT.as_secs();
            self.console.say(&format!("{left} processes of the job could not be ended within {limit} s"));
        }
        self.uplink.iter().for_each(Uplink::have_pes_ended);
        self.send_records();
        self.write_all_output();
        if let Some(error) = self.console.stdout_error() {
            self.console.say(&format!("write to stdout: {}", error.desc()));
            self.write_all_output();
        }
    }

    /// Prints or writes what the PEs have recorded, all of which have ended.
    fn print_records(&mut self) {
        let Some(records) = self.template.records.as_ref().filter(|_| self.not_started.is_none()) else { return };
        let pes = (0..).zip(&self.template.pes);
        let known = pes.map(|(index, (pe, _))| Known { index, pe: *pe, host: None }).collect();
        self.lost_records = records.print(known, &mut self.console);
    }

    /// Waits for the readers of stdout and stderr. The time limit counts for them too.
    fn write_all_output(&mut self) {
        if let Some(cause) = self.console.write_all_output(self.ending.is_none()) {
            self.end(cause);
        }
    }
}

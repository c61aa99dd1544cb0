//! Handles processes that have ended: PEs, and orphans that the supervisor inherited.

use nix::errno::Errno;
use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;

use super::Supervisor;
use super::ending::Cause;
use crate::{processes, spawn, terminal};

impl Supervisor {
    /// Handles each process that has ended. A PE is examined before it is reaped; an orphan is only reaped.
    pub(super) fn reap(&mut self) {
        loop {
            let status = waitid(Id::All, WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT);
            let pid = match status {
                Ok(WaitStatus::StillAlive) => return,
                Ok(status) => status.pid(),
                // A real-time signal, which `WaitStatus` cannot express: check each PE.
                Err(Errno::EINVAL) => None,
                Err(Errno::ECHILD) => return self.all_are_lost(),
                Err(_) => return,
            };
            let ended = match pid {
                Some(pid) => self.pes.iter().position(|pe| pe.pid == pid && !pe.has_ended),
                None => self.pes.iter().position(|pe| !pe.has_ended && has_ended(pe.pid)),
            };
            match (ended, pid) {
                (Some(index), _) => self.pe_has_ended(index),
                (None, Some(orphan)) => drop(waitpid(orphan, Some(WaitPidFlag::WNOHANG))),
                (None, None) => return,
            }
        }
    }

    /// This process has no children left: any PE whose end it has not seen has been reaped by someone else.
    fn all_are_lost(&mut self) {
        self.take_failures();
        for pe in 0..self.pes.len() as u32 {
            if !self.pes[pe as usize].has_ended {
                self.take_messages(pe);
                self.has_no_process(pe);
                self.end(Cause::Lost { pe: self.pes[pe as usize].number });
            }
        }
    }

    fn pe_has_ended(&mut self, index: usize) {
        // Messages that PEs sent before this one ended count: an abort, or the end of finalize. Reading them also shows
        // which other PEs are dying.
        for pe in 0..self.pes.len() as u32 {
            self.take_messages(pe);
        }
        // If it has not executed its program, its exit status says nothing.
        self.take_failures();
        let pe = &mut self.pes[index];
        if let Some(stderr) = &mut pe.stderr {
            stderr.drain(&self.console.stderr);
        }
        // This comes before the PE is reaped: until then, no other group can have its number.
        processes::signal_group(pe.pid, Signal::SIGKILL);
        let (number, status) = (pe.number, spawn::reap(pe.pid));
        self.has_no_process(index as u32);
        if let Ok(Some(status)) = status
            && self.not_started.is_none()
            && let Some(cause) = Cause::of_exit(number, status, self.rendezvous.stage(index as u32))
        {
            self.end(cause);
        }
    }

    /// If gdb has stopped itself, as it does on Ctrl-Z, stops the job as Ctrl-Z does elsewhere, so that the shell takes
    /// the terminal back.
    pub(super) fn stop_with_gdb(&self) {
        let Some((gdb, front)) = self.gdb_and_front() else { return };
        let stopped = waitid(Id::Pid(gdb), WaitPidFlag::WSTOPPED | WaitPidFlag::WNOHANG);
        if matches!(stopped, Ok(WaitStatus::Stopped(_, Signal::SIGTSTP))) && terminal::change_owner(gdb, front) {
            processes::signal_group(front, Signal::SIGTSTP);
        }
    }

    /// When the job continues in the foreground, gives the terminal back to gdb.
    pub(super) fn go_on_with_gdb(&self) {
        if let Some((gdb, front)) = self.gdb_and_front() {
            terminal::change_owner(front, gdb);
        }
    }

    /// The process groups of gdb, while it is running, and of the front, if the terminal belongs to the job.
    fn gdb_and_front(&self) -> Option<(Pid, Pid)> {
        let gdb = self.gdb?;
        let pe = self.pes.iter().find(|pe| pe.number == gdb && !pe.has_ended)?;
        Some((pe.pid, self.foreground?))
    }

    fn has_no_process(&mut self, pe: u32) {
        self.rendezvous.ended(pe);
        let pe = &mut self.pes[pe as usize];
        if let Some(front) = self.foreground.filter(|_| self.gdb == Some(pe.number)) {
            // So that Ctrl-C reaches the job again.
            terminal::change_owner(pe.pid, front);
        }
        pe.has_ended = true;
        pe.socket = None;
    }
}

/// Whether a child has ended and has not been reaped, even if a real-time signal ended it.
fn has_ended(pid: Pid) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(pid), flags), Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD))
}

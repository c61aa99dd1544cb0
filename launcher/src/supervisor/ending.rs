//! Why a job ends before its PEs do, and how this is reported.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use cushmem_bootstrap::rendezvous::Stage;
use cushmem_bootstrap::{PeList, Seconds};
use nix::sys::signal::Signal;

use crate::signals;

/// Exit status when the time limit has passed.
const STATUS_TIME_LIMIT: u8 = 124;
/// Exit status for failures of a PE that have no status of their own.
const STATUS_FAILED: u8 = 1;

/// The signals of a crash, and SIGKILL, which comes from outside the program.
const FAULTS: [Signal; 5] = [Signal::SIGSEGV, Signal::SIGBUS, Signal::SIGILL, Signal::SIGFPE, Signal::SIGKILL];

/// The first thing that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A PE exited with a status other than 0.
    Exited { pe: u32, status: i32 },
    /// A signal killed a PE.
    Killed { pe: u32, signal: i32 },
    /// A PE joined the job and exited with status 0 before finalize.
    NotFinalized { pe: u32 },
    /// A PE has ended, and the operating system does not report how.
    Lost { pe: u32 },
    /// A PE asked for the job to end.
    Aborted { pe: u32, code: i32, message: String },
    /// A PE sent a message that the library never sends.
    Violation { pe: u32, what: String },
    /// The time limit has passed. If no PE was running any more, output was still waiting.
    TimeLimit { limit: Duration, running: Vec<u32>, round: Option<String> },
    /// The user sent a second signal.
    SecondSignal { signal: Signal },
    /// The front has ended, or on a host of several, the launcher that started the job.
    FrontGone,
    /// The job ends with this status for a reason that another launcher reports.
    Elsewhere { status: u8 },
    /// A host has ended, or cannot be reached. It has these PEs.
    HostLost { host: String, pes: Vec<u32>, how: String },
}

impl Cause {
    /// What the end of a PE's process means; `None` if it is no failure.
    pub fn of_exit(pe: u32, status: ExitStatus, stage: Stage) -> Option<Cause> {
        match (status.code(), status.signal()) {
            (Some(0), _) if stage == Stage::Joined => Some(Cause::NotFinalized { pe }),
            (Some(0), _) => None,
            (Some(status), _) => Some(Cause::Exited { pe, status }),
            (None, signal) => Some(Cause::Killed { pe, signal: signal.unwrap_or(Signal::SIGKILL as i32) }),
        }
    }

    /// The launcher's exit status.
    pub fn status(&self) -> u8 {
        match self {
            Cause::Exited { status, .. } => low_byte(*status),
            Cause::Killed { signal, .. } => low_byte(128 + signal),
            Cause::Aborted { code, .. } => low_byte(*code),
            Cause::TimeLimit { .. } => STATUS_TIME_LIMIT,
            Cause::SecondSignal { signal } => low_byte(128 + *signal as i32),
            Cause::Elsewhere { status } => *status,
            Cause::NotFinalized { .. }
            | Cause::Lost { .. }
            | Cause::Violation { .. }
            | Cause::FrontGone
            | Cause::HostLost { .. } => STATUS_FAILED,
        }
    }

    /// The PE at fault, whose last lines help the user to find the reason.
    pub fn pe(&self) -> Option<u32> {
        match self {
            Cause::Exited { pe, .. }
            | Cause::Killed { pe, .. }
            | Cause::NotFinalized { pe }
            | Cause::Lost { pe }
            | Cause::Aborted { pe, .. }
            | Cause::Violation { pe, .. } => Some(*pe),
            Cause::TimeLimit { .. }
            | Cause::SecondSignal { .. }
            | Cause::FrontGone
            | Cause::Elsewhere { .. }
            | Cause::HostLost { .. } => None,
        }
    }

    /// What a failure of a PE consists of: its kind, the PE, a number and a text. The kind is 0 for other causes, which
    /// no launcher reports to another.
    pub fn parts(&self) -> (u32, u32, i32, &str) {
        match self {
            Cause::Exited { pe, status } => (1, *pe, *status, ""),
            Cause::Killed { pe, signal } => (2, *pe, *signal, ""),
            Cause::NotFinalized { pe } => (3, *pe, 0, ""),
            Cause::Lost { pe } => (4, *pe, 0, ""),
            Cause::Aborted { pe, code, message } => (5, *pe, *code, message),
            Cause::Violation { pe, what } => (6, *pe, 0, what),
            _ => (0, 0, 0, ""),
        }
    }

    /// The inverse of [`Self::parts`].
    pub fn from_parts(kind: u32, pe: u32, number: i32, text: String) -> Option<Cause> {
        match kind {
            1 => Some(Cause::Exited { pe, status: number }),
            2 => Some(Cause::Killed { pe, signal: number }),
            3 => Some(Cause::NotFinalized { pe }),
            4 => Some(Cause::Lost { pe }),
            5 => Some(Cause::Aborted { pe, code: number, message: text }),
            6 => Some(Cause::Violation { pe, what: text }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cause::Exited { pe, status } => write!(f, "PE {pe} exited with status {status}"),
            Cause::Killed { pe, signal } => write!(f, "PE {pe} was killed by signal {}", signals::describe(*signal)),
            Cause::NotFinalized { pe } => write!(f, "PE {pe} exited with status 0 without finalize"),
            Cause::Lost { pe } => write!(f, "PE {pe} ended, and the system does not report how"),
            Cause::Aborted { pe, code, message } => {
                write!(f, "PE {pe} ended the job with status {code}")?;
                if message.is_empty() { Ok(()) } else { write!(f, ": {message}") }
            }
            Cause::Violation { pe, what } => write!(f, "PE {pe} violated the rendezvous protocol: {what}"),
            Cause::TimeLimit { limit, running, .. } if running.is_empty() => {
                write!(f, "time limit of {} reached: output was still waiting for its reader", Seconds(*limit))
            }
            Cause::TimeLimit { limit, running, round } => {
                let were = if running.len() == 1 { "was" } else { "were" };
                write!(f, "time limit of {} reached: {} {were} still running", Seconds(*limit), PeList(running))?;
                round.iter().try_for_each(|round| write!(f, "; {round}"))
            }
            Cause::SecondSignal { signal } => write!(f, "second signal ({}): the PEs were killed", signal.as_str()),
            Cause::FrontGone => write!(f, "shmemrun was killed: the PEs were killed"),
            Cause::Elsewhere { status } => write!(f, "the job ended elsewhere with status {status}"),
            Cause::HostLost { host, pes, how } => write!(f, "host {host} ({}) {how}", PeList(pes)),
        }
    }
}

/// A job that is ending.
#[derive(Debug)]
pub struct Ending {
    /// Why.
    pub cause: Cause,
    /// When to kill the remaining PEs, or to ask them first to end by themselves.
    pub kill_at: Instant,
    /// Whether they were asked.
    pub asked: bool,
    /// When they were killed, if they have been.
    pub killed_at: Option<Instant>,
    /// PEs that were dying when the end began: the operating system closes a process's files before it reports its end.
    pub suspects: Vec<u32>,
    /// If the PEs were asked, one line for each PE that says what it was waiting in.
    pub states: Vec<String>,
}

impl Ending {
    /// Records that another PE has ended badly.
    ///
    /// PEs react to the death of another within microseconds, by an exit or an abort, and the operating system may
    /// report that reaction before the death itself. So an exit or an abort is replaced as the cause by a death by
    /// signal that had started earlier, or that cannot be a reaction: a crash, or SIGKILL, which the system sends when
    /// memory runs out. The loss of a host explains what PEs of other hosts say of its PEs.
    pub fn reconsider(&mut self, cause: Cause) {
        let is_not_an_answer = match &cause {
            Cause::Killed { pe, signal } => {
                self.suspects.contains(pe) || FAULTS.iter().any(|fault| *fault as i32 == *signal)
            }
            Cause::HostLost { .. } => true,
            _ => return,
        };
        let can_be_an_answer = match self.cause {
            Cause::Exited { .. } | Cause::NotFinalized { .. } => true,
            Cause::Aborted { code, .. } => code != 0,
            _ => false,
        };
        if can_be_an_answer && is_not_an_answer && !self.asked && self.killed_at.is_none() {
            self.cause = cause;
        }
    }
}

fn low_byte(number: i32) -> u8 {
    number.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_statuses_and_words() {
        let of = |raw, stage| Cause::of_exit(3, ExitStatus::from_raw(raw), stage);
        assert_eq!(of(0, Stage::Silent), None);
        assert_eq!(of(0, Stage::Finalized), None);
        for (raw, stage, status, words) in [
            (0, Stage::Joined, 1, "PE 3 exited with status 0 without finalize"),
            (7 << 8, Stage::Finalized, 7, "PE 3 exited with status 7"),
            (11, Stage::Joined, 139, "PE 3 was killed by signal 11 (SIGSEGV)"),
            (40, Stage::Silent, 168, "PE 3 was killed by signal 40"),
        ] {
            let cause = of(raw, stage).unwrap();
            assert_eq!((cause.status(), cause.to_string()), (status, words.to_string()));
        }
    }

    #[test]
    fn a_death_that_explains_a_failure_takes_its_place() {
        let after = |cause, suspects, killed_at, signal| {
            let kill_at = Instant::now();
            let mut ending = Ending { cause, kill_at, asked: false, killed_at, suspects, states: vec![] };
            ending.reconsider(Cause::Killed { pe: 2, signal });
            ending.cause.pe()
        };
        let exit = || Cause::Exited { pe: 0, status: 1 };
        let abort = |code| Cause::Aborted { pe: 0, code, message: String::new() };
        assert_eq!(after(exit(), vec![], None, 9), Some(2), "a kill explains an exit");
        assert_eq!(after(abort(1), vec![], None, 11), Some(2), "a crash explains an abort");
        assert_eq!(after(exit(), vec![2], None, 6), Some(2), "so does what had begun before");
        assert_eq!(after(exit(), vec![], None, 6), Some(0), "SIGABRT may be an answer itself");
        assert_eq!(
            after(exit(), vec![2], Some(Instant::now()), 9),
            Some(0),
            "the launcher's own kill explains nothing"
        );
        assert_eq!(after(abort(0), vec![], None, 9), Some(0), "a good end stays one");
        assert_eq!(after(Cause::Killed { pe: 0, signal: 11 }, vec![2], None, 9), Some(0), "the first death counts");
        let kill_at = Instant::now();
        let mut ending =
            Ending { cause: abort(1), kill_at, asked: false, killed_at: None, suspects: vec![], states: vec![] };
        let lost = Cause::HostLost { host: "a".into(), pes: vec![2], how: "has gone".into() };
        ending.reconsider(lost.clone());
        assert_eq!(ending.cause, lost, "the loss of a host explains an abort");
    }

    #[test]
    fn time_limit_names_who_was_running() {
        let cause = Cause::TimeLimit { limit: Duration::from_secs(5), running: vec![1, 3], round: None };
        assert_eq!(cause.to_string(), "time limit of 5 s reached: PEs 1, 3 were still running");
    }
}

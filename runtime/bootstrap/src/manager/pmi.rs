//! PMI version 1 as MPICH, Slurm (`srun --mpi=pmi2`) and flux speak it: lines of text over an inherited socket, a
//! question and an answer at a time.
//!
//! The manager takes a process that closes the socket without a last word for one that has failed, so that word is said
//! when the process exits. If MPI is in the same program, it uses the same socket, and the manager may be greeted and
//! left only once: Slurm does not answer a second greeting. What MPI has said is therefore not said again. No other
//! thread may initialise MPI during the conversation: each would read the other's answers.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cushmem_environment as environment;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{MsgFlags, recv, send};

use super::Manager;
use crate::env;
use crate::error::BootstrapError;
use crate::exit::{self, Mpi};
use crate::socket::{ONE_PROCESS_PER_PE, duplicate_of_stream, is_stream, not_for_programs, timeout_until};

/// A longer answer is no answer.
const MAX_LINE_BYTES: usize = 64 << 10;
/// How long the manager may take to answer the last word.
const GOODBYE_LIMIT: Duration = Duration::from_secs(1);

/// The conversation with the manager, for the last word.
static CONNECTION: Mutex<Option<Connected>> = Mutex::new(None);

/// What the environment says.
pub(super) struct Environment {
    fd: RawFd,
    rank: u32,
    size: u32,
}

impl Environment {
    pub(super) fn read() -> Result<Self, BootstrapError> {
        let number = |variable: &environment::Variable| -> Result<u32, BootstrapError> {
            let text = env::text(variable.name)?.unwrap_or_default();
            text.trim().parse().map_err(|_| BootstrapError::Environment {
                variable: variable.name,
                cause: format!("PMI_FD is set, and '{}' is not a number", text.escape_debug()),
            })
        };
        let fd = env::descriptor(environment::PMI_FD.name)?.unwrap_or(-1);
        Ok(Self { fd, rank: number(&environment::PMI_RANK)?, size: number(&environment::PMI_SIZE)? })
    }

    /// Whether the manager that set the variables is at the other end of the descriptor, as far as can be seen.
    pub(super) fn is_connected(&self) -> bool {
        is_stream(self.fd)
    }
}

struct Connected {
    line: Line,
    /// The name of the job's keys and values.
    space: String,
}

/// The manager of this process.
pub(super) struct Pmi {
    rank: u32,
    size: u32,
}

impl Pmi {
    /// Greets the manager, unless MPI has done so, or there is nobody to meet.
    pub(super) fn connect(of_environment: &Environment) -> Result<Self, String> {
        let Environment { fd, rank, size } = *of_environment;
        let pmi = Pmi { rank, size };
        if size == 1 {
            return Ok(pmi);
        }
        let mpi = exit::mpi();
        if mpi == Mpi::Finalized {
            return Err("MPI_Finalize has ended the connection: call shmem_init before it".into());
        }
        let line = Line::inherited(fd)?;
        *CONNECTION.lock().unwrap_or_else(PoisonError::into_inner) = Some(Connected::new(line, mpi == Mpi::Runs)?);
        exit::at_exit(say_goodbye);
        Ok(pmi)
    }
}

/// Tells the manager that this process ends well.
fn say_goodbye() {
    // A thread that still waits for the manager holds the lock: then this process has not joined the job.
    let Ok(mut connection) = CONNECTION.try_lock() else { return };
    // MPI says it itself, or has said it.
    if let Some(mut connected) = connection.take().filter(|_| exit::mpi() == Mpi::NotStarted) {
        connected.line.deadline = Some(Instant::now() + GOODBYE_LIMIT);
        // The process ends; nobody could do anything about an error.
        let _ = connected.line.ask("cmd=finalize", "finalize_ack");
    }
}

impl Connected {
    fn new(mut line: Line, is_greeted: bool) -> Result<Self, String> {
        if !is_greeted {
            line.ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init")?;
        }
        let answer = line.ask("cmd=get_my_kvsname", "my_kvsname")?;
        let space = answer.value("kvsname").ok_or("it has not named a space of keys")?.to_owned();
        Ok(Self { line, space })
    }

    fn put(&mut self, key: &str, value: &str) -> Result<(), String> {
        let question = format!("cmd=put kvsname={} key={key} value={value}", self.space);
        self.line.ask(&question, "put_result").map(drop)
    }

    fn get(&mut self, key: &str) -> Result<String, String> {
        let question = format!("cmd=get kvsname={} key={key}", self.space);
        let answer = self.line.ask(&question, "get_result")?;
        answer.value("value").map(str::to_owned).ok_or_else(|| format!("{key} has no value"))
    }
}

/// Runs a question of the only conversation with the manager.
fn with<T>(run: impl FnOnce(&mut Connected) -> Result<T, String>) -> Result<T, String> {
    let mut connection = CONNECTION.lock().unwrap_or_else(PoisonError::into_inner);
    run(connection.as_mut().ok_or("the process ends")?)
}

impl Manager for Pmi {
    fn numbers(&self) -> (u32, u32) {
        (self.rank, self.size)
    }

    fn put(&mut self, key: &str, value: &str) -> Result<(), String> {
        with(|connected| connected.put(key, value))
    }

    fn fence(&mut self) -> Result<(), String> {
        with(|connected| connected.line.ask("cmd=barrier_in", "barrier_out").map(drop))
    }

    fn get(&mut self, _: u32, key: &str) -> Result<String, String> {
        // Keys are the job's, not a process's.
        with(|connected| connected.get(key))
    }
}

/// Lines to and from the manager.
struct Line {
    fd: OwnedFd,
    /// When to give up, if ever: a conversation has a limit as a whole.
    deadline: Option<Instant>,
}

/// A line of the manager: `cmd=NAME key=value ...`.
struct Answer(String);

impl Answer {
    fn value(&self, key: &str) -> Option<&str> {
        let words = self.0.split_ascii_whitespace();
        words.filter_map(|word| word.split_once('=')).find_map(|(name, value)| (name == key).then_some(value))
    }
}

impl Line {
    /// The descriptor stays open for MPI, but not for programs that this process executes: they are not PEs.
    fn inherited(number: RawFd) -> Result<Self, String> {
        let named = |error: Errno| format!("PMI_FD={number}: {}: {ONE_PROCESS_PER_PE}", error.desc());
        let fd = duplicate_of_stream(number).map_err(named)?;
        not_for_programs(number).map_err(named)?;
        Ok(Line { fd, deadline: None })
    }

    /// Sends a question and returns the answer, if it is the one that is expected and reports no failure.
    fn ask(&mut self, question: &str, expected: &str) -> Result<Answer, String> {
        let named = |cause: String| {
            let command = question.split_ascii_whitespace().next().unwrap_or_default();
            format!("{command}: {cause}")
        };
        let answer = self.exchange(question).map_err(|error| named(error.to_string()))?;
        let failed = answer.value("rc").is_some_and(|code| code != "0");
        if failed || answer.value("cmd") != Some(expected) {
            return Err(named(format!("it answers '{}'", answer.0.trim_end().escape_debug())));
        }
        Ok(answer)
    }

    fn exchange(&mut self, question: &str) -> io::Result<Answer> {
        let text = format!("{question}\n");
        let mut left = text.as_bytes();
        while !left.is_empty() {
            match send(self.fd.as_raw_fd(), left, MsgFlags::MSG_NOSIGNAL | MsgFlags::MSG_DONTWAIT) {
                Ok(written) => left = &left[written..],
                Err(error) => self.wait_after(error, PollFlags::POLLOUT)?,
            }
        }
        let mut line = vec![];
        // A byte at a time: what follows the line is not ours.
        let mut byte = [0];
        while line.last() != Some(&b'\n') {
            match recv(self.fd.as_raw_fd(), &mut byte, MsgFlags::MSG_DONTWAIT) {
                Ok(0) => return Err(io::Error::other("it has closed the connection")),
                Ok(_) if line.len() >= MAX_LINE_BYTES => {
                    return Err(io::Error::other(format!("its answer is longer than {MAX_LINE_BYTES} bytes")));
                }
                Ok(_) => line.push(byte[0]),
                Err(error) => self.wait_after(error, PollFlags::POLLIN)?,
            }
        }
        Ok(Answer(String::from_utf8_lossy(&line).into_owned()))
    }

    /// Waits after an error that passes.
    fn wait_after(&self, error: Errno, until: PollFlags) -> io::Result<()> {
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        match error {
            Errno::EINTR => Ok(()),
            Errno::EAGAIN if is_late => Err(io::Error::other("it does not answer")),
            Errno::EAGAIN => {
                let limit = self.deadline.map_or(PollTimeout::NONE, timeout_until);
                match poll(&mut [PollFd::new(self.fd.as_fd(), until)], limit) {
                    Ok(_) | Err(Errno::EINTR) => Ok(()),
                    Err(error) => Err(error.into()),
                }
            }
            error => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;

    /// A manager that gives these answers, one for each question.
    fn talk(answers: &'static [&'static str]) -> (Line, std::thread::JoinHandle<Vec<String>>) {
        let (own, theirs) = UnixStream::pair().expect("a pair");
        let manager = std::thread::spawn(move || {
            let mut lines = BufReader::new(theirs.try_clone().expect("a copy")).lines();
            let answer = |answer: &&str| {
                let question = lines.next()?.ok()?;
                (&theirs).write_all(answer.as_bytes()).ok()?;
                Some(question)
            };
            answers.iter().map_while(answer).collect()
        });
        (Line { fd: own.into(), deadline: None }, manager)
    }

    #[test]
    fn a_conversation_with_slurm() {
        let (line, manager) = talk(&[
            "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1\n",
            "cmd=my_kvsname rc=0 kvsname=7.0\n",
            "cmd=put_result rc=0\n",
            "cmd=barrier_out rc=0\n",
            "cmd=get_result rc=0 value=one\n",
            "cmd=get_result rc=1\n",
        ]);
        let mut connected = Connected::new(line, false).expect("a greeting");
        assert_eq!(connected.put("key", "one"), Ok(()));
        assert!(connected.line.ask("cmd=barrier_in", "barrier_out").is_ok());
        assert_eq!(connected.get("key"), Ok("one".to_owned()));
        assert_eq!(connected.get("other"), Err("cmd=get: it answers 'cmd=get_result rc=1'".to_owned()));
        drop(connected);
        let questions = manager.join().expect("no panic");
        assert_eq!(
            questions[2..5],
            ["cmd=put kvsname=7.0 key=key value=one", "cmd=barrier_in", "cmd=get kvsname=7.0 key=key"]
        );
    }

    /// Catches a process that does not end because its manager has been stopped.
    #[test]
    fn a_manager_that_does_not_answer_is_left() {
        let (own, _theirs) = UnixStream::pair().expect("a pair");
        let mut line = Line { fd: own.into(), deadline: Some(Instant::now()) };
        let error = line.ask("cmd=finalize", "finalize_ack").map(drop);
        assert_eq!(error, Err("cmd=finalize: it does not answer".to_owned()));
    }

    #[test]
    fn wrong_answers_are_named() {
        for (answer, cause) in [
            ("", "cmd=get_my_kvsname: it has closed the connection"),
            ("cmd=my_kvsname rc=0\n", "it has not named a space of keys"),
            ("cmd=barrier_out\u{1b}[2J\n", "cmd=get_my_kvsname: it answers 'cmd=barrier_out\\u{1b}[2J'"),
        ] {
            let (line, manager) = talk(Box::leak(Box::new([answer])));
            assert_eq!(Connected::new(line, true).map(drop), Err(cause.to_owned()));
            manager.join().expect("no panic");
        }
    }
}

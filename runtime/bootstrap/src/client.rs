//! The PE's side of the rendezvous.

use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::env;
use crate::error::{BootstrapError, PeList, Seconds};
use crate::lifeline;
use crate::socket::{Progress, SeqPacket, inherit_descriptor};
use crate::wire::{Kind, MAX_MESSAGE_BYTES, Message, check_lengths};

/// How long a launcher that is alive may take to answer a question. It never waits for a PE, so this is generous.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How long an abort tries to reach the launcher.
const ABORT_LIMIT: Duration = Duration::from_secs(1);
/// The longest part of an abort's message that is passed on, in bytes.
const MAX_ABORT_TEXT_BYTES: usize = 4096;

/// What a PE knows of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// This PE's number, from 0.
    pub my_pe: u32,
    /// The number of PEs.
    pub n_pes: u32,
    /// This PE's number among the PEs of its machine, from 0.
    pub local_pe: u32,
    /// Whether the machine has fewer hardware threads than the job has PEs: who waits should yield early.
    pub oversubscribed: bool,
    /// The job's identifier, unique among jobs; empty without a launcher.
    pub id: String,
}

/// What a PE gave to an allgather.
#[derive(Debug)]
pub struct Contribution {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its file descriptor, if it passed one: a copy of this process's own, closed on exec.
    pub fd: Option<OwnedFd>,
}

/// What happens when other PEs do not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// The call fails after the wait limit and names them. For steps that all PEs take together without the user's
    /// code in between.
    Limited,
    /// The call names them on stderr after each wait limit, and goes on waiting. For calls that a PE may reach much later
    /// than another for good reason.
    Unlimited,
}

/// A PE's connection to its job.
#[derive(Debug)]
pub struct Bootstrap {
    job: Job,
    /// Absent without a launcher.
    link: Option<Link>,
}

#[derive(Debug)]
struct Link {
    socket: SeqPacket,
    wait_limit: Duration,
    rounds: Mutex<Rounds>,
}

#[derive(Debug)]
struct Rounds {
    next_seq: u64,
    broken: Option<String>,
    buffer: Vec<u8>,
}

/// Makes sure that a process takes the inherited descriptors once: taken twice, they would be closed twice.
static CLAIMED: AtomicBool = AtomicBool::new(false);

impl Bootstrap {
    /// Joins the job that the environment names. Without a launcher this is a job of one PE.
    ///
    /// A process can join once. Fails if the inherited socket is not there, or the launcher does not answer.
    pub fn from_env() -> Result<Bootstrap, BootstrapError> {
        let wait_limit = env::wait_limit()?;
        let Some(socket_number) = env::descriptor(env::BOOTSTRAP_FD)? else {
            let job = Job { my_pe: 0, n_pes: 1, local_pe: 0, oversubscribed: false, id: String::new() };
            return Ok(Bootstrap { job, link: None });
        };
        let absent = |variable| BootstrapError::Environment { variable, cause: "it is not set".into() };
        let lifeline_number = env::descriptor(env::LIFELINE_FD)?.ok_or_else(|| absent(env::LIFELINE_FD))?;
        let id = env::text(env::JOB)?.ok_or_else(|| absent(env::JOB))?;
        check_lengths("", id.as_bytes()).map_err(|cause| BootstrapError::Environment { variable: env::JOB, cause })?;
        // Relaxed: only one caller gets `false`; nothing else is published by it.
        if CLAIMED.swap(true, Ordering::Relaxed) {
            return Err(BootstrapError::AlreadyJoined);
        }
        let socket = SeqPacket::inherit(socket_number)
            .map_err(|cause| BootstrapError::Environment { variable: env::BOOTSTRAP_FD, cause })?;
        // SAFETY: the launcher left the pipe open for the library, and `CLAIMED` lets it through here once.
        let lifeline = unsafe { inherit_descriptor(lifeline_number) }
            .map_err(|cause| BootstrapError::Environment { variable: env::LIFELINE_FD, cause })?;
        lifeline::watch(lifeline).map_err(|error| system("start the lifeline's watcher", error))?;
        let (mut job, link) = join(socket, wait_limit, &id)?;
        job.id = id;
        Ok(Bootstrap { job, link: Some(link) })
    }

    /// What this PE knows of its job.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Gives every PE's bytes, and descriptor if it passed one, to every PE; the result is indexed by PE.
    ///
    /// All PEs call it in the same order with the same `what` (up to 128 bytes); `bytes` has up to 64 KiB. Waits up to
    /// the wait limit; the error names the PEs that have not arrived. After an error every later call fails.
    pub fn allgather(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
    ) -> Result<Vec<Contribution>, BootstrapError> {
        self.allgather_with(what, bytes, fd, Patience::Limited)
    }

    /// As [`Self::allgather`], with a choice of what happens when others do not arrive.
    pub fn allgather_with(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        patience: Patience,
    ) -> Result<Vec<Contribution>, BootstrapError> {
        let operation = operation(Kind::Gather, what);
        check_lengths(what, bytes).map_err(|cause| BootstrapError::Argument { operation: operation.clone(), cause })?;
        match &self.link {
            Some(link) => link.round(self.job.n_pes, Kind::Gather, what, bytes, fd, patience),
            None => {
                let fd = fd.map(|fd| fd.try_clone_to_owned()).transpose();
                let fd = fd.map_err(|error| system(&operation, error))?;
                Ok(vec![Contribution { bytes: bytes.to_vec(), fd }])
            }
        }
    }

    /// Waits until all PEs have called it with the same `what`, up to the wait limit.
    pub fn fence(&self, what: &str) -> Result<(), BootstrapError> {
        self.fence_with(what, Patience::Limited)
    }

    /// As [`Self::fence`], with a choice of what happens when others do not arrive.
    pub fn fence_with(&self, what: &str, patience: Patience) -> Result<(), BootstrapError> {
        self.wordless(Kind::Fence, what, patience)
    }

    /// Waits until all PEs have called it; exiting with status 0 is normal afterwards, and a failure before.
    ///
    /// PEs may have much or little left to do, so it has no limit; late PEs are named on stderr.
    pub fn finalize(&self) -> Result<(), BootstrapError> {
        self.wordless(Kind::Finalize, "", Patience::Unlimited)
    }

    /// Ends the whole job with exit status `code` and a message, and this process at once, without running exit
    /// handlers. Any thread may call it, also while another waits in a collective call.
    ///
    /// As with `exit`, the status is the low byte of `code`; a code other than 0 whose low byte is 0 becomes 1.
    pub fn abort(&self, code: i32, message: &str) -> ! {
        let status = if code != 0 && code & 0xff == 0 { 1 } else { code & 0xff };
        let told = self.link.as_ref().is_some_and(|link| link.send_abort(status, message));
        if !told && !message.is_empty() {
            // A closed stderr must not turn an abort into a panic.
            let _ = writeln!(std::io::stderr(), "cushmem: PE {}: {message}", self.job.my_pe);
        }
        // SAFETY: `_exit` ends the process; no destructor or handler runs, so no state is seen half-done.
        unsafe { libc::_exit(status) }
    }

    fn wordless(&self, kind: Kind, what: &str, patience: Patience) -> Result<(), BootstrapError> {
        check_lengths(what, &[])
            .map_err(|cause| BootstrapError::Argument { operation: operation(kind, what), cause })?;
        match &self.link {
            Some(link) => link.round(self.job.n_pes, kind, what, &[], None, patience).map(drop),
            None => Ok(()),
        }
    }
}

/// Says hello and waits for the welcome.
fn join(socket: SeqPacket, wait_limit: Duration, id: &str) -> Result<(Job, Link), BootstrapError> {
    let operation = "join the job";
    let rounds = Rounds { next_seq: 1, broken: None, buffer: vec![0; MAX_MESSAGE_BYTES] };
    let link = Link { socket, wait_limit, rounds: Mutex::new(rounds) };
    let deadline = Instant::now() + wait_limit;
    let hello = Message { value: std::process::id(), body: id.as_bytes(), ..Message::new(Kind::Hello, 0) };
    link.send(operation, &hello, None, deadline)?;
    let mut rounds = link.rounds.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((message, _)) = link.receive(operation, &mut rounds.buffer, deadline)? else {
        return Err(BootstrapError::LauncherSilent { operation: operation.into(), waited: wait_limit });
    };
    if message.kind != Kind::Welcome || message.pe >= message.value {
        return Err(unexpected(operation, &message));
    }
    let job = Job {
        my_pe: message.pe,
        n_pes: message.value,
        local_pe: message.pe,
        oversubscribed: message.oversubscribed,
        id: String::new(),
    };
    drop(rounds);
    Ok((job, link))
}

impl Link {
    /// Takes part in one round; a fence's result is empty.
    fn round(
        &self,
        n_pes: u32,
        kind: Kind,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        patience: Patience,
    ) -> Result<Vec<Contribution>, BootstrapError> {
        let operation = operation(kind, what);
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = rounds.broken.clone() {
            return Err(BootstrapError::Broken { operation, earlier });
        }
        let seq = rounds.next_seq;
        rounds.next_seq += 1;
        let message = Message { has_descriptor: fd.is_some(), tag: what, body: bytes, ..Message::new(kind, seq) };
        let result = self
            .send(&operation, &message, fd, Instant::now() + self.wait_limit)
            .and_then(|()| self.collect(n_pes, kind, &operation, seq, &mut rounds.buffer, patience));
        if let Err(error) = &result {
            rounds.broken = Some(error.to_string());
        }
        result
    }

    /// Receives the answers of a round.
    fn collect(
        &self,
        n_pes: u32,
        kind: Kind,
        operation: &str,
        seq: u64,
        buffer: &mut [u8],
        patience: Patience,
    ) -> Result<Vec<Contribution>, BootstrapError> {
        let began = Instant::now();
        let mut pieces = Vec::new();
        let mut deadline = began + self.wait_limit;
        let mut has_asked = false;
        loop {
            let Some((message, fd)) = self.receive(operation, buffer, deadline)? else {
                if has_asked {
                    return Err(BootstrapError::LauncherSilent {
                        operation: operation.into(),
                        waited: began.elapsed(),
                    });
                }
                has_asked = true;
                deadline = Instant::now() + ANSWER_LIMIT;
                self.send(operation, &Message::new(Kind::WhoIsLate, seq), None, deadline)?;
                continue;
            };
            if message.seq != seq {
                return Err(unexpected(operation, &message));
            }
            match message.kind {
                Kind::Piece if kind == Kind::Gather && message.pe as usize == pieces.len() => {
                    pieces.push(Contribution { bytes: message.body.to_vec(), fd });
                    if pieces.len() == n_pes as usize {
                        return Ok(pieces);
                    }
                    deadline = Instant::now() + self.wait_limit;
                    has_asked = false;
                }
                Kind::Done if kind != Kind::Gather => return Ok(Vec::new()),
                Kind::Refused => {
                    let reason = String::from_utf8_lossy(message.body).into_owned();
                    return Err(BootstrapError::Refused { operation: operation.into(), reason });
                }
                Kind::Late if has_asked => {
                    let pes: Vec<u32> =
                        message.body.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
                    if patience == Patience::Limited {
                        let waited = self.wait_limit;
                        return Err(BootstrapError::Late { operation: operation.into(), pes, waited });
                    }
                    let waited = Seconds(began.elapsed());
                    let _ = writeln!(
                        std::io::stderr(),
                        "cushmem: {operation}: still waiting for {} after {waited}",
                        PeList(&pes)
                    );
                    deadline = Instant::now() + self.wait_limit;
                    has_asked = false;
                }
                _ => return Err(unexpected(operation, &message)),
            }
        }
    }

    fn send(
        &self,
        operation: &str,
        message: &Message<'_>,
        fd: Option<BorrowedFd<'_>>,
        deadline: Instant,
    ) -> Result<(), BootstrapError> {
        let bytes = message.encode();
        let began = Instant::now();
        loop {
            match self.socket.try_send(&bytes, fd) {
                Ok(Progress::Done(())) => return Ok(()),
                Ok(Progress::Closed) => return Err(BootstrapError::LauncherGone { operation: operation.into() }),
                Ok(Progress::WouldBlock) if Instant::now() >= deadline => {
                    let waited = began.elapsed();
                    return Err(BootstrapError::LauncherSilent { operation: operation.into(), waited });
                }
                Ok(Progress::WouldBlock) => self.wait_for(PollFlags::POLLOUT, deadline, operation)?,
                Err(error) => return Err(system(operation, error.into())),
            }
        }
    }

    /// The next message, or none if the deadline passes. What has arrived counts even after the deadline, so that a process
    /// which was stopped meanwhile does not report others as late.
    fn receive<'b>(
        &self,
        operation: &str,
        buffer: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Option<(Message<'b>, Option<OwnedFd>)>, BootstrapError> {
        let mut received = loop {
            match self.socket.try_receive(buffer) {
                Ok(Progress::Done(received)) => break received,
                Ok(Progress::Closed) => return Err(BootstrapError::LauncherGone { operation: operation.into() }),
                Ok(Progress::WouldBlock) if Instant::now() >= deadline => return Ok(None),
                Ok(Progress::WouldBlock) => self.wait_for(PollFlags::POLLIN, deadline, operation)?,
                Err(error) => return Err(system(operation, error.into())),
            }
        };
        let message = Message::decode(&buffer[..received.bytes], received.descriptors.len())
            .map_err(|error| BootstrapError::Malformed { operation: operation.into(), cause: error.to_string() })?;
        Ok(Some((message, received.descriptors.pop())))
    }

    /// Waits until the socket may be ready or the deadline has passed; the caller looks which.
    fn wait_for(&self, what: PollFlags, deadline: Instant, operation: &str) -> Result<(), BootstrapError> {
        // One millisecond more, as the rest of a millisecond would be cut off; hours are taken in steps.
        let left_ms = deadline.saturating_duration_since(Instant::now()).as_millis() + 1;
        let timeout = PollTimeout::from(u16::try_from(left_ms).unwrap_or(u16::MAX));
        let mut polled = [PollFd::new(self.socket.as_fd(), what)];
        match poll(&mut polled, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(system(operation, error.into())),
        }
        // Writable but refused means that the kernel is short of something else: do not spin on it.
        if what == PollFlags::POLLOUT {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Whether the launcher was told. Takes no lock: a thread may be waiting in a round.
    fn send_abort(&self, status: i32, message: &str) -> bool {
        let end = message.floor_char_boundary(MAX_ABORT_TEXT_BYTES);
        let abort =
            Message { value: status.cast_unsigned(), body: &message.as_bytes()[..end], ..Message::new(Kind::Abort, 0) };
        self.send("abort", &abort, None, Instant::now() + ABORT_LIMIT).is_ok()
    }
}

fn operation(kind: Kind, what: &str) -> String {
    if what.is_empty() { kind.word().to_string() } else { format!("{} {what}", kind.word()) }
}

fn system(operation: &str, error: std::io::Error) -> BootstrapError {
    BootstrapError::System { operation: operation.into(), cause: error.to_string() }
}

fn unexpected(operation: &str, message: &Message<'_>) -> BootstrapError {
    let cause = format!("unexpected {:?} of PE {} in round {}", message.kind, message.pe, message.seq);
    BootstrapError::Malformed { operation: operation.into(), cause }
}

//! The PE's end of the connection: rounds, waits, and finding out which PEs are late.

use cushmem_environment::log;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cushmem_environment::{MAX_PES, printable};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};

use crate::channel::{Contribution, Each, JobChannel, NodeChannel, WaitLimit};
use crate::client::Job;
use crate::error::{BootstrapError, PeList, Seconds};
use crate::socket::{MessageSocket, Progress, timeout_until};
use crate::waits::{Wait, publish};
use crate::wire::{MAX_MESSAGE_BYTES, Message, MessageKind, unpack};

/// The operation's name in errors.
pub(crate) const JOIN: &str = "join the job";
/// How long a live launcher may take to answer a question. It never waits for a PE, so this is ample.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How long an abort tries to send its message to the launcher.
const ABORT_LIMIT: Duration = Duration::from_secs(1);
/// The longest message of an abort that is passed on, in bytes.
const MAX_ABORT_TEXT_BYTES: usize = 4096;

/// The socket to the party that keeps the job together (called the launcher here), and how far the rounds have
/// advanced.
#[derive(Debug)]
pub(crate) struct Connection<S> {
    socket: S,
    n_pes: u32,
    wait_limit: Duration,
    rounds: Mutex<Rounds>,
}

#[derive(Debug)]
struct Rounds {
    next_seq: u64,
    broken: Option<String>,
    buffer: Vec<u8>,
}

/// Joins the job over a new connection. `claim` is this PE's number and the number of PEs, or zeros if the launcher
/// already knows them.
pub(crate) fn join<S: MessageSocket>(
    socket: S,
    wait_limit: Duration,
    id: &str,
    claim: (u32, u32),
) -> Result<(Job, Connection<S>), BootstrapError> {
    let rounds = Rounds { next_seq: 1, broken: None, buffer: vec![0; MAX_MESSAGE_BYTES] };
    let mut connection = Connection { socket, n_pes: 0, wait_limit, rounds: Mutex::new(rounds) };
    let (pe, value) = claim;
    let job =
        connection.greet(&Message { pe, value, body: id.as_bytes(), ..Message::new(MessageKind::Hello, 0) }, id)?;
    connection.n_pes = job.n_pes;
    Ok((job, connection))
}

impl<S: MessageSocket> Connection<S> {
    /// Joins the job again after its last finalize, over the same connection.
    pub(crate) fn join_again(&self, id: &str) -> Result<Job, BootstrapError> {
        let rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = rounds.broken.clone() {
            return Err(BootstrapError::Broken { operation: JOIN.into(), earlier });
        }
        // Shows that this is the process that took part in the last round.
        let seq = rounds.next_seq;
        drop(rounds);
        self.greet(&Message { body: id.as_bytes(), ..Message::new(MessageKind::Hello, seq) }, id)
    }

    /// Sends the hello and waits for the welcome.
    fn greet(&self, hello: &Message<'_>, id: &str) -> Result<Job, BootstrapError> {
        let deadline = Instant::now() + self.wait_limit;
        self.send(JOIN, hello, None, deadline)?;
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((message, _)) = self.receive(JOIN, &mut rounds.buffer, deadline)? else {
            return Err(BootstrapError::LauncherSilent { operation: JOIN.into(), waited: self.wait_limit });
        };
        if message.kind == MessageKind::Refused {
            let reason = String::from_utf8_lossy(message.body).into_owned();
            return Err(BootstrapError::Refused { operation: JOIN.into(), reason });
        }
        let (my_pe, n_pes) = (message.pe, message.value);
        let &[place, host] = message.body.as_chunks::<4>().0 else { return Err(unexpected(JOIN, &message)) };
        let [local_pe, host] = [place, host].map(u32::from_le_bytes);
        if message.kind != MessageKind::Welcome || n_pes > MAX_PES || my_pe.max(local_pe).max(host) >= n_pes {
            return Err(unexpected(JOIN, &message));
        }
        Ok(Job { my_pe, n_pes, host, local_pe, oversubscribed: message.oversubscribed, id: id.to_owned() })
    }

    /// Takes part in one round. The contributions of an allgather go to `each` as they arrive, in the order of the PEs.
    fn round(
        &self,
        kind: MessageKind,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
        each: Each<'_>,
    ) -> Result<(), BootstrapError> {
        let operation = operation(kind, what);
        // The launcher knows which PEs are late, and adds them.
        let _published = publish(Instant::now(), Wait { what: operation.clone(), late: vec![] });
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = rounds.broken.clone() {
            return Err(BootstrapError::Broken { operation, earlier });
        }
        let seq = rounds.next_seq;
        rounds.next_seq += 1;
        let message = Message { has_descriptor: fd.is_some(), tag: what, body: bytes, ..Message::new(kind, seq) };
        let result = self
            .send(&operation, &message, fd, Instant::now() + self.wait_limit)
            .and_then(|()| self.collect(kind, &operation, seq, &mut rounds.buffer, limit, each));
        if let Err(error) = &result {
            rounds.broken = Some(error.to_string());
        }
        result
    }

    /// Receives the answers of a round.
    fn collect(
        &self,
        kind: MessageKind,
        operation: &str,
        seq: u64,
        buffer: &mut [u8],
        limit: WaitLimit,
        each: Each<'_>,
    ) -> Result<(), BootstrapError> {
        let began = Instant::now();
        let mut pieces = 0;
        let mut deadline = began + self.wait_limit;
        let mut has_asked = false;
        loop {
            let Some((message, fd)) = self.receive(operation, buffer, deadline)? else {
                if has_asked && limit == WaitLimit::Unlimited {
                    // Its process may be stopped. If it ends, the connection closes.
                    let waited = Seconds(began.elapsed());
                    warn(&format!("{operation}: {} after {waited}", crate::error::SILENT));
                    deadline = Instant::now() + self.wait_limit;
                    continue;
                }
                if has_asked {
                    return Err(BootstrapError::LauncherSilent {
                        operation: operation.into(),
                        waited: began.elapsed(),
                    });
                }
                has_asked = true;
                deadline = Instant::now() + ANSWER_LIMIT;
                self.send(operation, &Message::new(MessageKind::WhoIsLate, seq), None, deadline)?;
                continue;
            };
            if message.seq != seq {
                return Err(unexpected(operation, &message));
            }
            match message.kind {
                MessageKind::Piece | MessageKind::Pieces if kind == MessageKind::Gather && message.pe == pieces => {
                    let found = if message.kind == MessageKind::Piece {
                        Some(vec![message.body])
                    } else {
                        unpack(message.body)
                    };
                    let found = found.filter(|found| found.len() <= (self.n_pes - pieces) as usize);
                    let lost = message.has_descriptor && fd.is_none();
                    let mut fd = fd;
                    for bytes in found.ok_or_else(|| unexpected(operation, &message))? {
                        each(pieces, Contribution { bytes: bytes.to_vec(), lost, fd: fd.take() });
                        pieces += 1;
                    }
                    if pieces == self.n_pes {
                        return Ok(());
                    }
                    deadline = Instant::now() + self.wait_limit;
                    has_asked = false;
                }
                MessageKind::Done if kind != MessageKind::Gather => return Ok(()),
                MessageKind::Refused => {
                    let reason = String::from_utf8_lossy(message.body).into_owned();
                    return Err(BootstrapError::Refused { operation: operation.into(), reason });
                }
                MessageKind::Late if has_asked => {
                    // The limit counts from the last arrival of a PE: on a busy machine, many PEs can be slow together.
                    let since = Duration::from_millis(message.value.into());
                    if since < self.wait_limit {
                        deadline = Instant::now() + (self.wait_limit - since);
                        has_asked = false;
                        continue;
                    }
                    let pes: Vec<u32> =
                        message.body.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
                    if limit == WaitLimit::Limited {
                        let waited = self.wait_limit;
                        return Err(BootstrapError::Late { operation: operation.into(), pes, waited });
                    }
                    let waited = Seconds(began.elapsed());
                    warn(&format!("{operation}: still waiting for {} after {waited}", PeList(&pes)));
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
        let mut is_taken = false;
        loop {
            // Before the attempt, so that one follows after the deadline: the process may have been stopped for long.
            let is_late = Instant::now() >= deadline;
            let progress = if is_taken { self.socket.try_flush() } else { self.socket.try_send(&bytes, fd) };
            match progress {
                Ok(Progress::Done(())) if is_taken => return Ok(()),
                Ok(Progress::Done(())) => is_taken = true,
                Ok(Progress::Closed) => return Err(BootstrapError::LauncherGone { operation: operation.into() }),
                Ok(Progress::WouldBlock) if is_late => {
                    let waited = began.elapsed();
                    return Err(BootstrapError::LauncherSilent { operation: operation.into(), waited });
                }
                Ok(Progress::WouldBlock) => self.wait_for(PollFlags::POLLOUT, deadline, operation)?,
                Err(error) => return Err(system(operation, error.into())),
            }
        }
    }

    /// The next message, or `None` if the deadline passes first. A message that has already arrived counts even after
    /// the deadline, so that a process that was stopped for a while does not report others as late.
    fn receive<'b>(
        &self,
        operation: &str,
        buffer: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Option<(Message<'b>, Option<OwnedFd>)>, BootstrapError> {
        let mut received = loop {
            // Before the attempt, as in `send`.
            let is_late = Instant::now() >= deadline;
            match self.socket.try_receive(buffer) {
                Ok(Progress::Done(received)) => break received,
                Ok(Progress::Closed) => return Err(BootstrapError::LauncherGone { operation: operation.into() }),
                Ok(Progress::WouldBlock) if is_late => return Ok(None),
                Ok(Progress::WouldBlock) => self.wait_for(PollFlags::POLLIN, deadline, operation)?,
                Err(error) => return Err(system(operation, error.into())),
            }
        };
        // No message carries more than one.
        let descriptors = received.descriptors.len().max(received.lost_descriptors.into());
        let message = Message::decode(&buffer[..received.bytes], descriptors)
            .map_err(|error| BootstrapError::Malformed { operation: operation.into(), cause: error.to_string() })?;
        Ok(Some((message, received.descriptors.pop())))
    }

    /// Waits until the socket may be ready or the deadline has passed; the caller finds out which it is.
    fn wait_for(&self, what: PollFlags, deadline: Instant, operation: &str) -> Result<(), BootstrapError> {
        let mut polled = [PollFd::new(self.socket.as_fd(), what)];
        match poll(&mut polled, timeout_until(deadline)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(system(operation, error.into())),
        }
        // If the socket polls as writable but refuses a message, the operating system has run out of something else: do
        // not spin.
        if what == PollFlags::POLLOUT {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

impl<S: MessageSocket> JobChannel for Connection<S> {
    fn allgather(&self, what: &str, bytes: &[u8], limit: WaitLimit, each: Each<'_>) -> Result<(), BootstrapError> {
        self.round(MessageKind::Gather, what, bytes, None, limit, each)
    }

    fn fence(&self, what: &str, limit: WaitLimit) -> Result<(), BootstrapError> {
        self.round(MessageKind::Fence, what, &[], None, limit, &mut |_, _| {})
    }

    fn finalize(&self) -> Result<(), BootstrapError> {
        self.round(MessageKind::Finalize, "", &[], None, WaitLimit::Unlimited, &mut |_, _| {})
    }

    /// Takes no lock, because another thread may be waiting in a round.
    fn abort(&self, status: i32, message: &str) -> bool {
        let end = message.floor_char_boundary(MAX_ABORT_TEXT_BYTES);
        let abort = Message {
            value: status.cast_unsigned(),
            body: &message.as_bytes()[..end],
            ..Message::new(MessageKind::Abort, 0)
        };
        self.send("abort", &abort, None, Instant::now() + ABORT_LIMIT).is_ok()
    }
}

impl<S: MessageSocket> NodeChannel for Connection<S> {
    fn share(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
        each: Each<'_>,
    ) -> Result<(), BootstrapError> {
        self.round(MessageKind::Gather, what, bytes, fd, limit, each)
    }
}

/// The name of an operation in errors.
pub(crate) fn operation(kind: MessageKind, what: &str) -> String {
    if what.is_empty() { kind.word().to_string() } else { format!("{} {what}", kind.word()) }
}

/// An error from the operating system.
pub(crate) fn system(operation: &str, error: std::io::Error) -> BootstrapError {
    BootstrapError::System { operation: operation.into(), cause: error.to_string() }
}

/// Prints a line about a wait that goes on. A closed stderr is ignored.
fn warn(text: &str) {
    log!(Warn, "{}", printable(text));
}

fn unexpected(operation: &str, message: &Message<'_>) -> BootstrapError {
    let cause = format!("unexpected {:?} of PE {} in round {}", message.kind, message.pe, message.seq);
    BootstrapError::Malformed { operation: operation.into(), cause }
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;

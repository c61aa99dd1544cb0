//! The PE's end of the connection: rounds, waiting, and who is late.

use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::client::{Contribution, Job, Patience};
use crate::error::{BootstrapError, PeList, Seconds};
use crate::socket::{Progress, SeqPacket};
use crate::waits::{Wait, publish};
use crate::wire::{Kind, MAX_MESSAGE_BYTES, Message};

/// How long a launcher that is alive may take to answer a question. It never waits for a PE, so this is generous.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How long an abort tries to reach the launcher.
const ABORT_LIMIT: Duration = Duration::from_secs(1);
/// The longest part of an abort's message that is passed on, in bytes.
const MAX_ABORT_TEXT_BYTES: usize = 4096;

/// The socket to the launcher, and how far the rounds have come.
#[derive(Debug)]
pub(crate) struct Link {
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

/// Says hello and waits for the welcome.
pub(crate) fn join(socket: SeqPacket, wait_limit: Duration, id: &str) -> Result<(Job, Link), BootstrapError> {
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
    /// Takes part in one round. An allgather's contributions go to `each` as they come, in the order of the PEs.
    #[expect(clippy::too_many_arguments, reason = "the parts of a message, and what becomes of the answers")]
    pub(crate) fn round(
        &self,
        n_pes: u32,
        kind: Kind,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        patience: Patience,
        each: &mut dyn FnMut(u32, Contribution),
    ) -> Result<(), BootstrapError> {
        let operation = operation(kind, what);
        // Who is late the launcher knows, and adds it.
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
            .and_then(|()| self.collect(n_pes, kind, &operation, seq, &mut rounds.buffer, patience, each));
        if let Err(error) = &result {
            rounds.broken = Some(error.to_string());
        }
        result
    }

    /// Receives the answers of a round.
    #[expect(clippy::too_many_arguments, reason = "the parts of a message, and what becomes of the answers")]
    fn collect(
        &self,
        n_pes: u32,
        kind: Kind,
        operation: &str,
        seq: u64,
        buffer: &mut [u8],
        patience: Patience,
        each: &mut dyn FnMut(u32, Contribution),
    ) -> Result<(), BootstrapError> {
        let began = Instant::now();
        let mut pieces = 0;
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
                Kind::Piece if kind == Kind::Gather && message.pe == pieces => {
                    each(pieces, Contribution { bytes: message.body.to_vec(), fd });
                    pieces += 1;
                    if pieces == n_pes {
                        return Ok(());
                    }
                    deadline = Instant::now() + self.wait_limit;
                    has_asked = false;
                }
                Kind::Done if kind != Kind::Gather => return Ok(()),
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
    pub(crate) fn send_abort(&self, status: i32, message: &str) -> bool {
        let end = message.floor_char_boundary(MAX_ABORT_TEXT_BYTES);
        let abort =
            Message { value: status.cast_unsigned(), body: &message.as_bytes()[..end], ..Message::new(Kind::Abort, 0) };
        self.send("abort", &abort, None, Instant::now() + ABORT_LIMIT).is_ok()
    }
}

/// How an operation is called in errors.
pub(crate) fn operation(kind: Kind, what: &str) -> String {
    if what.is_empty() { kind.word().to_string() } else { format!("{} {what}", kind.word()) }
}

/// An error of the operating system.
pub(crate) fn system(operation: &str, error: std::io::Error) -> BootstrapError {
    BootstrapError::System { operation: operation.into(), cause: error.to_string() }
}

fn unexpected(operation: &str, message: &Message<'_>) -> BootstrapError {
    let cause = format!("unexpected {:?} of PE {} in round {}", message.kind, message.pe, message.seq);
    BootstrapError::Malformed { operation: operation.into(), cause }
}

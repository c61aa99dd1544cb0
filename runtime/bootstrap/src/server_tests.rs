//! A server that keeps one job after the other together, and how long it waits for new connections.

use super::*;
use crate::channel::JobChannel;
use crate::connection::{Connection, join};
use crate::node::{LocalSocket, accept_at, connect_to, listen_at};
use crate::socket::Received;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const JOB: &str = "job";
const N: u32 = 2;
/// Far longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(20);
/// A hello, a watch and a finalize of each PE.
const ALL_MESSAGES: usize = 3 * N as usize;

/// How many messages the server has received.
static RECEIVED: AtomicUsize = AtomicUsize::new(0);

/// A socket with something left to send from the last message of the first job until the first one of the second.
#[derive(Debug)]
struct Slow(LocalSocket);

impl AsFd for Slow {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl MessageSocket for Slow {
    fn try_send(&self, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<Progress<()>, Errno> {
        self.0.try_send(bytes, descriptor)
    }

    fn try_flush(&self) -> Result<Progress<()>, Errno> {
        // Relaxed: only the server's thread changes it.
        if RECEIVED.load(Ordering::Relaxed) == ALL_MESSAGES { Ok(Progress::WouldBlock) } else { self.0.try_flush() }
    }

    fn try_receive(&self, buffer: &mut [u8]) -> Result<Progress<Received>, Errno> {
        let received = self.0.try_receive(buffer);
        if matches!(received, Ok(Progress::Done(_))) {
            // Relaxed: only the server's thread changes it.
            RECEIVED.fetch_add(1, Ordering::Relaxed);
        }
        received
    }
}

struct Meeting(OwnedFd);

impl AsFd for Meeting {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Listener for Meeting {
    type Socket = Slow;
    type Pending = LocalSocket;

    fn accept(&self) -> io::Result<Option<LocalSocket>> {
        accept_at(&self.0)
    }

    fn prove(&self, _: &mut LocalSocket) -> Progress<()> {
        Progress::Done(())
    }

    fn proved(pending: LocalSocket) -> Slow {
        Slow(pending)
    }
}

/// Joins, and opens the lifeline.
fn joined(name: &str, pe: u32) -> (Connection<LocalSocket>, LocalSocket) {
    let connect = || connect_to(name).unwrap().expect("the server listens");
    let (_, rounds) = join(connect(), LONG, JOB, (pe, N)).unwrap();
    let lifeline = connect();
    let watch = Message { pe, value: N, body: JOB.as_bytes(), ..Message::new(MessageKind::Watch, 0) };
    assert!(matches!(lifeline.try_send(&watch.encode(), None), Ok(Progress::Done(()))));
    (rounds, lifeline)
}

/// Catches a process that waits in finalize for its own server to say that all have been told, because the next job has
/// begun before the server has said so.
#[test]
fn all_have_been_told_of_a_job_before_the_next_one_begins() {
    let name = format!("cushmem-test-told-{}", std::process::id());
    let (no_more, _last) = SeqPacket::pair().unwrap();
    let server = Server::start(Meeting(listen_at(&name).unwrap()), JOB.into(), None, Some(no_more)).unwrap();
    let pes = [0, 1].map(|pe| joined(&name, pe));
    let limit = Instant::now() + LONG;
    // Nobody answers a watch. Relaxed: the number says all.
    while RECEIVED.load(Ordering::Relaxed) < 2 * N as usize {
        assert!(Instant::now() < limit, "the server hears no watch");
        thread::yield_now();
    }
    thread::scope(|scope| {
        for (rounds, _) in &pes {
            scope.spawn(|| rounds.finalize().unwrap());
        }
    });
    assert!(!server.has_told(), "something is left to send");
    let again = [0, 1].map(|pe| joined(&name, pe));
    assert!(server.has_told());
    drop((pes, again));
}

/// The other ends of connections that have a greeting to send, and no proof.
struct Callers;

struct Caller {
    socket: SeqPacket,
    sends: Option<[u8; NONCE_BYTES]>,
    sent: Option<[u8; NONCE_BYTES]>,
}

impl AsFd for Callers {
    fn as_fd(&self) -> BorrowedFd<'_> {
        unreachable!("nobody waits for callers")
    }
}

impl AsFd for Caller {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Listener for Callers {
    type Socket = SeqPacket;
    type Pending = Caller;

    fn accept(&self) -> io::Result<Option<Caller>> {
        Ok(None)
    }

    fn prove(&self, caller: &mut Caller) -> Progress<()> {
        caller.sent = caller.sends;
        Progress::WouldBlock
    }

    fn greeting(caller: &Caller) -> Option<[u8; NONCE_BYTES]> {
        caller.sent
    }

    fn proved(caller: Caller) -> SeqPacket {
        caller.socket
    }
}

fn job() -> Job<Callers> {
    Job::new(Callers, JOB.into(), Server { told: Arc::default(), job: 0 }, None)
}

/// A caller whose greeting has this number, and which has been connected for so long.
fn caller(number: usize, since: Duration) -> Arrival<Caller> {
    let mut greeting = [0; NONCE_BYTES];
    greeting[..8].copy_from_slice(&number.to_le_bytes());
    let socket = Caller { socket: SeqPacket::pair().unwrap().0, sends: Some(greeting), sent: None };
    Arrival { since: Instant::now().checked_sub(since).unwrap(), ..Arrival::new(socket, true) }
}

/// Catches recorded greetings that are repeated and each hold a descriptor.
#[test]
fn greetings_that_are_repeated_hold_few_descriptors() {
    let mut job = job();
    for number in [1, 1, 2, 1] {
        job.prove(caller(number, Duration::ZERO));
    }
    assert_eq!(job.greeted.len(), 2, "each counts once");
    job.look_at_strangers();
    assert_eq!(job.greeted.len(), 2, "a second look does not take a connection for its own repetition");
}

/// Catches greetings of which each is another one, and which hold more descriptors than the PEs of any job.
#[test]
fn the_oldest_connections_with_a_greeting_make_room() {
    let mut job = job();
    // Few descriptors are enough here.
    job.max_greeted = 4;
    for number in 0..7 {
        job.prove(caller(number, Duration::ZERO));
    }
    let kept: Vec<u8> = job.greeted.iter().map(|kept| kept.socket.sent.unwrap()[0]).collect();
    assert_eq!(kept, [3, 4, 5, 6]);
}

/// Catches a server that drops a PE which was stopped before its greeting, and has no time left for its proof.
#[test]
fn the_greeting_renews_the_time() {
    let mut job = job();
    job.prove(caller(1, PROOF_LIMIT));
    job.look_at_strangers();
    assert_eq!(job.greeted.len(), 1);
    let mut silent = caller(2, PROOF_LIMIT);
    silent.socket.sends = None;
    job.prove(silent);
    assert!(job.greeted.len() == 1 && job.strangers.is_empty(), "but without a greeting there is no more time");
}

/// Catches a server that drops a PE which was stopped between its proof and its first message: the PE takes the
/// connection for one that stays open.
#[test]
fn after_the_proof_there_is_no_limit() {
    let mut job = job();
    let (socket, _other) = SeqPacket::pair().unwrap();
    let since = Instant::now().checked_sub(2 * PROOF_LIMIT).unwrap();
    job.arrivals.push(Arrival { socket, since, is_ready: false });
    job.identify_arrivals(&mut vec![0; MAX_MESSAGE_BYTES]);
    assert_eq!(job.arrivals.len(), 1);
}

//! A server that keeps one job after the other together.

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

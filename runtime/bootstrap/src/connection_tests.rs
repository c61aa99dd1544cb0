//! Tests of a PE's end of the connection. The answers are in the socket before the PE asks.

use super::*;
use crate::socket::{Received, SeqPacket};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

fn piece(pe: u32, body: &[u8]) -> Message<'_> {
    Message { pe, body, ..Message::new(MessageKind::Piece, 1) }
}

/// The result of an allgather among three PEs that receives these answers.
fn gathered(answers: &[Message<'_>]) -> Result<Vec<(u32, Vec<u8>)>, String> {
    let (ours, theirs) = SeqPacket::pair().expect("a pair");
    let place = [0; 8];
    let welcome = Message { value: 3, body: &place, ..Message::new(MessageKind::Welcome, 0) };
    for message in [&welcome].into_iter().chain(answers) {
        assert!(matches!(theirs.try_send(&message.encode(), None), Ok(Progress::Done(()))), "there is room");
    }
    let (_, connection) = join(ours, Duration::from_secs(20), "job", (0, 0)).expect("a welcome");
    let mut all = vec![];
    let each: Each<'_> = &mut |pe, contribution: Contribution| all.push((pe, contribution.bytes));
    // Do not use `round`: it publishes a wait, and other tests of this process check that there are none.
    let mut buffer = vec![0; MAX_MESSAGE_BYTES];
    let collected = connection.collect(MessageKind::Gather, "x", 1, &mut buffer, WaitLimit::Limited, each);
    collected.map(|()| all).map_err(|error| error.to_string())
}

/// Catches a contribution that is attributed to another PE, belongs to another round, or is one too many.
#[test]
fn pieces_come_in_the_order_of_the_pes() {
    let two = [2, 0, 0, 0, 7, 8, 1, 0, 0, 0, 9];
    let pieces = |pe, body| Message { kind: MessageKind::Pieces, ..piece(pe, body) };
    let expected = Ok(vec![(0, vec![6]), (1, vec![7, 8]), (2, vec![9])]);
    assert_eq!(gathered(&[piece(0, &[6]), piece(1, &[7, 8]), piece(2, &[9])]), expected);
    assert_eq!(gathered(&[piece(0, &[6]), pieces(1, &two)]), expected);
    let wrong = [
        (vec![piece(1, &[7, 8]), piece(0, &[6]), piece(2, &[9])], "unexpected Piece of PE 1"),
        (vec![piece(0, &[6]), piece(0, &[6]), piece(2, &[9])], "unexpected Piece of PE 0"),
        (vec![piece(0, &[6]), piece(2, &[9])], "unexpected Piece of PE 2"),
        (vec![piece(0, &[6]), piece(1, &[7, 8]), pieces(2, &two)], "unexpected Pieces of PE 2"),
        (vec![pieces(1, &two)], "unexpected Pieces of PE 1"),
        (vec![pieces(0, &two[..10])], "unexpected Pieces of PE 0"),
        (vec![Message { seq: 2, ..piece(0, &[6]) }], "in round 2"),
    ];
    for (answers, part) in wrong {
        let error = gathered(&answers).expect_err(part);
        assert!(error.contains(part), "'{error}' lacks '{part}'");
    }
}

const SHORT: Duration = Duration::from_millis(20);

/// A process that is stopped after an attempt to send or receive has failed, until its limit has passed.
#[derive(Debug)]
struct Stopped {
    socket: SeqPacket,
    stops_sending: AtomicBool,
    stops_receiving: AtomicBool,
}

impl AsFd for Stopped {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn stops(once: &AtomicBool) -> bool {
    // Relaxed: only one thread uses it.
    let stops = once.swap(false, Ordering::Relaxed);
    if stops {
        std::thread::sleep(2 * SHORT);
    }
    stops
}

impl MessageSocket for Stopped {
    fn try_send(&self, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<Progress<()>, Errno> {
        if stops(&self.stops_sending) { Ok(Progress::WouldBlock) } else { self.socket.try_send(bytes, descriptor) }
    }

    fn try_flush(&self) -> Result<Progress<()>, Errno> {
        self.socket.try_flush()
    }

    fn try_receive(&self, buffer: &mut [u8]) -> Result<Progress<Received>, Errno> {
        if stops(&self.stops_receiving) { Ok(Progress::WouldBlock) } else { self.socket.try_receive(buffer) }
    }
}

/// Catches a process that was stopped for a while, and then takes the launcher for silent without another look.
#[test]
fn what_has_come_while_a_process_was_stopped_is_not_late() {
    for stops_sending in [true, false] {
        let (socket, theirs) = SeqPacket::pair().expect("a pair");
        let place = [0; 8];
        let welcome = Message { value: 3, body: &place, ..Message::new(MessageKind::Welcome, 0) };
        assert!(matches!(theirs.try_send(&welcome.encode(), None), Ok(Progress::Done(()))), "there is room");
        let (stops_sending, stops_receiving) = (stops_sending.into(), (!stops_sending).into());
        let stopped = Stopped { socket, stops_sending, stops_receiving };
        let joined = join(stopped, SHORT, "job", (0, 0)).map(|(job, _)| job.n_pes);
        assert_eq!(joined.map_err(|error| error.to_string()), Ok(3));
    }
}

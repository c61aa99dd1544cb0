//! Damaged messages, unique ids and proofs, as a stranger or a damaged peer could send them.

use crate::channel::{JobChannel, WaitLimit};
use crate::connection::join;
use crate::meeting::{answer, answer_of_member};
use crate::socket::{MessageSocket, Progress, Received};
use crate::tcp;
use crate::unique_id::{NONCE_BYTES, Side, UNIQUE_ID_BYTES, UniqueId};
use crate::wire::{MAX_BODY_BYTES, MAX_MESSAGE_BYTES, Message, MessageKind, pack, unpack};
use cushmem_environment::MAX_PES;
use cushmem_fuzz::{Parser, is_one_line, within};
use nix::errno::Errno;
use std::collections::VecDeque;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

pub(crate) const JOB: &str = "00ff";
const N_PES: u32 = 3;

pub(crate) fn parser(name: &'static str) -> Parser {
    Parser::new(name, env!("CARGO_PKG_NAME"))
}

/// A connection over which these messages come. An empty one stands for a time in which nothing comes.
#[derive(Debug)]
pub(crate) struct Script {
    incoming: Mutex<VecDeque<Vec<u8>>>,
    closes: bool,
}

impl Script {
    /// The connection closes after the last message if it says so.
    pub(crate) fn new(messages: impl IntoIterator<Item = Vec<u8>>, closes: bool) -> Self {
        Self { incoming: Mutex::new(messages.into_iter().collect()), closes }
    }
}

impl AsFd for Script {
    fn as_fd(&self) -> BorrowedFd<'_> {
        // Whoever polls it looks at once what comes next.
        static ALWAYS_READY: OnceLock<File> = OnceLock::new();
        ALWAYS_READY.get_or_init(|| File::open("/dev/null").expect("there is a /dev/null")).as_fd()
    }
}

impl MessageSocket for Script {
    fn try_send(&self, bytes: &[u8], _: Option<BorrowedFd<'_>>) -> Result<Progress<()>, Errno> {
        let message = Message::decode(bytes, 0).expect("what is sent is a message");
        assert!(message.body.len() <= MAX_BODY_BYTES);
        Ok(Progress::Done(()))
    }

    fn try_flush(&self) -> Result<Progress<()>, Errno> {
        Ok(Progress::Done(()))
    }

    fn try_receive(&self, buffer: &mut [u8]) -> Result<Progress<Received>, Errno> {
        let next = self.incoming.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        match next {
            Some(message) if message.is_empty() => Ok(Progress::WouldBlock),
            Some(message) if message.len() > buffer.len() => Err(Errno::EMSGSIZE),
            Some(message) => {
                buffer[..message.len()].copy_from_slice(&message);
                Ok(Progress::Done(Received { bytes: message.len(), descriptors: vec![], lost_descriptors: false }))
            }
            None if self.closes => Ok(Progress::Closed),
            None => Ok(Progress::WouldBlock),
        }
    }
}

/// One message of each kind.
fn samples() -> [Message<'static>; 4] {
    let gather = Message { tag: "gpu-heap", body: b"abc", ..Message::new(MessageKind::Gather, 7) };
    let descriptor = Message { has_descriptor: true, pe: 3, ..gather.clone() };
    let welcome = Message { pe: 1, value: 3, oversubscribed: true, ..Message::new(MessageKind::Welcome, 0) };
    [gather, descriptor, welcome, Message { value: 9, ..Message::new(MessageKind::Abort, 0) }]
}

#[test]
fn message() {
    let [gather, descriptor, welcome, abort] = samples().map(|message| message.encode());
    let parser = parser("message").sample("gather", gather).sample("descriptor", descriptor);
    parser.sample("welcome", welcome).sample("abort", abort).run(|bytes| {
        for descriptors in 0..3 {
            match within(1024, || Message::decode(bytes, descriptors)) {
                Ok(message) => assert_eq!(message.encode(), bytes),
                Err(why) => is_one_line(&why.to_string(), bytes),
            }
        }
    });
}

#[test]
fn pieces() {
    let parts = [&b"one"[..], b"", &[7; 40]];
    let (_, body) = pack(parts.into_iter());
    parser("pieces").sample("three", body).run(|body| {
        // Each has at least the four bytes of its length.
        let Some(found) = within(16 * body.len() + 64, || unpack(body)) else { return };
        assert_eq!(pack(found.iter().copied()), (found.len() as u32, body.to_vec()));
    });
}

#[test]
fn messages_of_tcp() {
    let [first, second, ..] = samples().map(|message| message.encode());
    let stream: Vec<u8> =
        [first, second].iter().flat_map(|bytes| [&(bytes.len() as u32).to_le_bytes(), &bytes[..]].concat()).collect();
    parser("messages_of_tcp").sample("two", stream).run(|stream| {
        let mut rest = stream;
        while let Ok(Some(message)) = within(0, || tcp::first(rest, MAX_MESSAGE_BYTES)) {
            assert!((1..=MAX_MESSAGE_BYTES).contains(&message.len()));
            let (length, after) = rest.split_at(rest.len() - rest[4..].len());
            assert_eq!(u32::from_le_bytes(length.try_into().expect("four bytes")) as usize, message.len());
            rest = &after[message.len()..];
        }
    });
}

/// An id whose secret is known.
fn id() -> UniqueId {
    let addresses = ["192.168.1.7".parse().expect("an address"), "2001:db8::5".parse().expect("an address")];
    let mut bytes = UniqueId::new(&addresses, 4711, "one").expect("an id").to_bytes();
    bytes[20..52].fill(9);
    UniqueId::from_bytes(bytes).expect("an id")
}

#[test]
fn unique_id() {
    let id = id();
    let text = id.to_string();
    let parser = parser("unique_id").sample("text", text.clone()).sample("bytes", id.to_bytes());
    parser.tokens(&["g", "F", "\n", "ü", &text[..8]]).run(|bytes| {
        let of_bytes = <[u8; UNIQUE_ID_BYTES]>::try_from(bytes).map_err(|_| "another length".to_owned());
        let of_bytes = of_bytes.and_then(UniqueId::from_bytes);
        let of_text = String::from_utf8_lossy(bytes).parse::<UniqueId>();
        for found in [of_bytes, of_text] {
            match found {
                Ok(id) => {
                    assert_eq!(id.to_string().parse(), Ok(id));
                    assert!(!id.addresses().is_empty() && id.addresses().iter().all(|address| address.port() != 0));
                    assert!(!format!("{id:?}").contains(&id.to_string()[40..104]));
                }
                Err(why) => is_one_line(&why, b""),
            }
        }
    });
}

/// Catches a connection that is taken for one of the job although its other end does not have the secret.
#[test]
fn proof() {
    let (id, server, member) = (id(), [1; NONCE_BYTES], [2; NONCE_BYTES]);
    let greeting = [member, id.greeting(&member)].concat();
    let proof = id.proof(Side::Member, &server, &member).to_vec();
    let of_server = [server, id.proof(Side::Server, &server, &member)].concat();
    let right = [greeting.clone(), proof.clone()];
    parser("proof")
        .messages("right", &right)
        .messages("server", std::slice::from_ref(&of_server))
        .costly(10)
        .run_messages(|messages| {
            let (mut nonces, mut is_proved) = (None, false);
            for message in messages {
                match answer(&id, &mut nonces, server, message) {
                    (_, Progress::Done(())) => is_proved = true,
                    (_, Progress::WouldBlock) => continue,
                    (_, Progress::Closed) => {}
                }
                break;
            }
            assert_eq!(is_proved, messages.starts_with(&right));
            for message in messages {
                match answer_of_member(&id, &member, message) {
                    Ok(answer) => assert_eq!((message, &answer[..]), (&of_server, &proof[..])),
                    Err(why) => is_one_line(why, message),
                }
            }
        });
}

/// What a PE makes of the answers to its hello, an allgather and a fence.
#[test]
fn answers() {
    let place = [0_u32.to_le_bytes(), 0_u32.to_le_bytes()].concat();
    let welcome = Message { pe: 1, value: N_PES, body: &place, ..Message::new(MessageKind::Welcome, 0) };
    let piece = Message { body: b"first", ..Message::new(MessageKind::Piece, 1) };
    let (count, rest) = pack([&b"second"[..], b"third"].into_iter());
    let pieces = Message { pe: 1, value: count, body: &rest, ..Message::new(MessageKind::Pieces, 1) };
    let done = Message::new(MessageKind::Done, 2);
    let late_pes = [0_u32.to_le_bytes(), 2_u32.to_le_bytes()].concat();
    let late = Message { value: 5, body: &late_pes, ..Message::new(MessageKind::Late, 1) };
    let refused = Message { body: b"PE 2 has ended", ..Message::new(MessageKind::Refused, 1) };
    let bytes = |messages: &[&Message<'_>]| messages.iter().map(|message| message.encode()).collect::<Vec<_>>();
    let silence = vec![vec![]];
    let parser = parser("answers")
        .messages("all", &bytes(&[&welcome, &piece, &pieces, &done]))
        .messages("late", &[bytes(&[&welcome, &piece]), silence, bytes(&[&late])].concat())
        .messages("refused", &bytes(&[&welcome, &refused]));
    parser.run_messages(|messages| {
        let input = messages.concat();
        let joined = join(Script::new(messages.to_vec(), true), Duration::ZERO, JOB, (1, N_PES));
        let (job, connection) = match joined {
            Ok(joined) => joined,
            Err(why) => return is_one_line(&why.to_string(), &input),
        };
        assert!(job.n_pes <= MAX_PES && job.my_pe.max(job.host).max(job.local_pe) < job.n_pes);
        let mut next = 0;
        let gathered = connection.allgather("x", b"own", WaitLimit::Limited, &mut |pe, _| {
            assert_eq!(pe, next, "in the order of the PEs");
            next += 1;
        });
        assert!(next <= job.n_pes && (gathered.is_err() || next == job.n_pes));
        for result in [gathered, connection.fence("x", WaitLimit::Limited)] {
            result.unwrap_or_else(|why| is_one_line(&why.to_string(), &input));
        }
    });
}

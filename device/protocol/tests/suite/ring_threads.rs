//! Many lanes that post into one ring, as threads that the operating system interleaves; and the encoding of a slot's
//! words.

use cushmem_protocol::ring::{
    ARGUMENTS, Chunks, Command, HEAD_BITS, Posting, Reader, Replies, Taking, WORDS, await_reply, claim_reply,
    encode_reply, lap, post, words_of,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::*};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);

struct Ring {
    tickets: AtomicU64,
    read_seen: AtomicU64,
    read: AtomicU64,
    slots: Vec<[AtomicU64; WORDS]>,
    reply_tickets: AtomicU64,
    replies: Vec<[AtomicU64; 2]>,
    given_back: Vec<AtomicU64>,
    start: Instant,
    /// Whether a lane had to wait for room.
    full: AtomicBool,
}

impl Ring {
    fn new(slots: usize, replies: usize) -> Self {
        let word = || AtomicU64::new(0);
        Self {
            tickets: word(),
            read_seen: word(),
            read: word(),
            slots: (0..slots).map(|_| std::array::from_fn(|_| word())).collect(),
            reply_tickets: word(),
            replies: (0..replies).map(|_| [word(), word()]).collect(),
            given_back: (0..replies).map(|_| word()).collect(),
            start: Instant::now(),
            full: AtomicBool::new(false),
        }
    }

    fn goes_on(&self) -> bool {
        std::thread::yield_now();
        self.start.elapsed() < LIMIT
    }
}

impl Posting for Ring {
    fn slots(&self) -> u64 {
        self.slots.len() as u64
    }
    fn take_ticket(&self) -> u64 {
        self.tickets.fetch_add(1, Relaxed)
    }
    fn read_seen(&self) -> u64 {
        self.read_seen.load(Relaxed)
    }
    fn look_at_read(&self) -> u64 {
        let read = self.read.load(Acquire);
        self.read_seen.fetch_max(read, Relaxed);
        read
    }
    fn store(&self, slot: u64, words: [u64; WORDS]) {
        let slot = &self.slots[slot as usize];
        // From last to first, because no order is guaranteed.
        slot.iter().zip(words).rev().for_each(|(to, word)| to.store(word, Relaxed));
    }
    fn pause(&self) -> bool {
        self.full.store(true, Relaxed);
        self.goes_on()
    }
}

impl Taking for Ring {
    fn slots(&self) -> u64 {
        self.slots.len() as u64
    }
    fn words(&self, slot: u64, lap: u64) -> Option<[u64; WORDS]> {
        words_of(|word| self.slots[slot as usize][word].load(Acquire), lap)
    }
    fn publish_read(&self, tickets: u64) {
        self.read.store(tickets, Release);
    }
}

impl Replies for Ring {
    fn replies(&self) -> u64 {
        self.replies.len() as u64
    }
    fn take_reply_ticket(&self) -> u64 {
        self.reply_tickets.fetch_add(1, Relaxed)
    }
    fn given_back(&self, reply: u64) -> u64 {
        self.given_back[reply as usize].load(Relaxed)
    }
    fn give_back(&self, reply: u64, times: u64) {
        self.given_back[reply as usize].store(times, Relaxed);
    }
    fn load_reply(&self, reply: u64) -> [u64; 2] {
        let [low, high] = &self.replies[reply as usize];
        [low.load(Relaxed), high.load(Relaxed)]
    }
    fn pause(&self) -> bool {
        self.goes_on()
    }
}

/// The value of argument `i` of a command: all bits are used.
fn argument(lane: u64, round: u64, i: u64) -> u64 {
    (lane << 32 | round).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32 * 7)
}

/// Each lane posts `rounds` commands, and every `ask_each`-th of them asks for a reply. Returns whether a lane had to
/// wait for room.
fn run(lanes: u64, rounds: u64, slots: usize, replies: usize, ask_each: u64) -> bool {
    let ring = Ring::new(slots, replies);
    std::thread::scope(|threads| {
        for lane in 0..lanes {
            let ring = &ring;
            threads.spawn(move || {
                for round in 0..rounds {
                    let asks = round.is_multiple_of(ask_each);
                    let reply = if asks { claim_reply(ring).expect("a reply in time") + 1 } else { 0 };
                    let mut arguments = std::array::from_fn(|i| argument(lane, round, i as u64));
                    arguments[0] = reply;
                    post(ring, &Command { head: lane << 32 | round, arguments }).expect("room in time");
                    if asks {
                        let found = await_reply(ring, reply - 1).expect("an answer in time");
                        assert_eq!(found, argument(lane, round, 9), "another's answer");
                    }
                }
            });
        }
        let (mut reader, mut next) = (Reader::default(), vec![0; lanes as usize]);
        while next.iter().sum::<u64>() < lanes * rounds {
            let Some((_, Command { head, arguments })) = reader.take(&ring) else {
                reader.publish(&ring);
                assert!(ring.goes_on(), "commands were lost: {next:?}");
                continue;
            };
            let (lane, round) = (head >> 32, head & 0xffff_ffff);
            assert_eq!(round, next[lane as usize], "a command of lane {lane} twice, never, or out of order");
            next[lane as usize] += 1;
            for i in 1..ARGUMENTS as u64 {
                assert_eq!(
                    arguments[i as usize],
                    argument(lane, round, i),
                    "argument {i} of lane {lane}, round {round}"
                );
            }
            if let Some(reply) = arguments[0].checked_sub(1) {
                let words = encode_reply(argument(lane, round, 9), reply, replies as u64);
                let to = &ring.replies[(reply % replies as u64) as usize];
                to.iter().zip(words).for_each(|(to, word)| to.store(word, Relaxed));
            }
        }
    });
    ring.full.into_inner()
}

/// Catches a command that is lost, overwritten, taken twice or mixed from two, and a reply to another lane.
#[test]
fn every_command_arrives_once_and_whole() {
    assert!(run(4, 10_000, 8, 2, 5), "the ring was never full: the trial tries nothing");
    run(2, 20_000, 1024, 64, 1000);
    assert!(run(3, 2_000, 1, 1, 3), "a ring of one slot was never full");
}

/// Catches a bit of an argument or head that gets lost among the bits of the lap.
#[test]
fn words_keep_all_bits() {
    for bit in 0..64 {
        for i in 0..ARGUMENTS {
            let mut command = Command { head: 1 << (bit % HEAD_BITS), arguments: [0; ARGUMENTS] };
            command.arguments[i] = 1 << bit;
            for lap in [0, 1] {
                let mut words = command.encode(lap);
                assert_eq!(Command::decode(&words, lap), Some(command));
                assert_eq!(Command::decode(&words, 1 - lap), None);
                words[i + 1] ^= 1;
                assert_eq!(Command::decode(&words, lap), None, "word {} is of the lap before", i + 1);
            }
        }
    }
    assert_eq!([lap(0, 4), lap(3, 4), lap(4, 4), lap(8, 4)], [1, 1, 0, 1]);
}

/// Catches taking a chunk that no lane can have, or taking one twice, and a count that passes a chunk in use.
#[test]
fn chunks_are_taken_once_and_freed_in_order() {
    let mut chunks = Chunks::<4>::default();
    assert_eq!(chunks.take(4), None, "its place has not been freed");
    assert_eq!([chunks.take(1), chunks.take(0), chunks.take(3)], [Some(1), Some(0), Some(3)]);
    assert_eq!(chunks.take(1), None, "it is in use");
    assert_eq!(chunks.free(1), 0);
    assert_eq!([chunks.take(1), chunks.take(5)], [None; 2], "no lane can have claimed it yet");
    assert_eq!(chunks.free(0), 2);
    assert_eq!([chunks.take(4), chunks.take(5), chunks.take(0), chunks.take(u64::MAX)], [Some(0), Some(1), None, None]);
    assert_eq!(chunks.free(3), 2);
    assert_eq!(chunks.take(2), Some(2));
    assert_eq!(chunks.free(2), 4);
}

//! Lanes that post into a tiny ring, and the thread that takes commands. A participant that polls too often drops out.

use crate::{LOOKS, Looks};
use cushmem_protocol::ring::{
    ARGUMENTS, Command, Posting, Reader, Replies, Taking, WORDS, await_reply, claim_reply, encode_reply, post, words_of,
};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};
use loom::thread;

struct Ring {
    tickets: AtomicU64,
    read_seen: AtomicU64,
    read: AtomicU64,
    /// The first word of a slot, and one for all others, since the lanes here send equal ones.
    slots: Vec<[AtomicU64; 2]>,
    /// What each lane's commands name. Loom reports an error if it is accessed without order.
    named: Vec<UnsafeCell<u64>>,
    reply_tickets: AtomicU64,
    replies: Vec<[AtomicU64; 2]>,
    given_back: Vec<AtomicU64>,
}

impl Ring {
    fn new(slots: usize, replies: usize, lanes: usize) -> Self {
        let word = || AtomicU64::new(0);
        Self {
            tickets: word(),
            read_seen: word(),
            read: word(),
            slots: (0..slots).map(|_| [word(), word()]).collect(),
            named: (0..lanes).map(|_| UnsafeCell::new(0)).collect(),
            reply_tickets: word(),
            replies: (0..replies).map(|_| [word(), word()]).collect(),
            given_back: (0..replies).map(|_| word()).collect(),
        }
    }
}

/// A lane or the thread, with the polls that it has left.
struct Side<'a>(&'a Ring, Looks);

impl Posting for Side<'_> {
    fn slots(&self) -> u64 {
        self.0.slots.len() as u64
    }
    fn take_ticket(&self) -> u64 {
        self.0.tickets.fetch_add(1, Relaxed)
    }
    fn read_seen(&self) -> u64 {
        self.0.read_seen.load(Relaxed)
    }
    fn look_at_read(&self) -> u64 {
        let read = self.0.read.load(Acquire);
        self.0.read_seen.fetch_max(read, Relaxed);
        read
    }
    fn store(&self, slot: u64, words: [u64; WORDS]) {
        let slot = &self.0.slots[slot as usize];
        // In either order: a GPU guarantees none.
        slot[1].store(words[1], Relaxed);
        slot[0].store(words[0], Relaxed);
    }
    fn pause(&self) -> bool {
        self.1.go_on()
    }
}

impl Taking for Side<'_> {
    fn slots(&self) -> u64 {
        self.0.slots.len() as u64
    }
    fn words(&self, slot: u64, lap: u64) -> Option<[u64; WORDS]> {
        words_of(|word| self.0.slots[slot as usize][word.min(1)].load(Acquire), lap)
    }
    fn publish_read(&self, tickets: u64) {
        self.0.read.store(tickets, Release);
    }
}

impl Replies for Side<'_> {
    fn replies(&self) -> u64 {
        self.0.replies.len() as u64
    }
    fn take_reply_ticket(&self) -> u64 {
        self.0.reply_tickets.fetch_add(1, Relaxed)
    }
    fn given_back(&self, reply: u64) -> u64 {
        self.0.given_back[reply as usize].load(Relaxed)
    }
    fn give_back(&self, reply: u64, times: u64) {
        self.0.given_back[reply as usize].store(times, Relaxed);
    }
    fn load_reply(&self, reply: u64) -> [u64; 2] {
        let [low, high] = &self.0.replies[reply as usize];
        [low.load(Relaxed), high.load(Relaxed)]
    }
    fn pause(&self) -> bool {
        self.1.go_on()
    }
}

/// A number whose highest bit is used too.
fn number(lane: u64, round: u64) -> u64 {
    1 << 63 | lane << 8 | round
}

/// Each lane posts `rounds` commands and, if there are replies, waits for a reply to each. The thread takes all of
/// them, or drops out.
fn explore(lanes: u64, rounds: u64, slots: usize, replies: usize, preemptions: usize) {
    crate::explore(preemptions, move || {
        let ring = Arc::new(Ring::new(slots, replies, lanes as usize));
        let lane = move |lane: u64, ring: &Ring| {
            let side = Side(ring, Looks::new(LOOKS));
            for round in 0..rounds {
                if round == 0 {
                    // SAFETY: loom fails the test if the thread reads it at the same time, or without order.
                    ring.named[lane as usize].with_mut(|named| unsafe { *named = lane + 1 });
                    fence(Release);
                }
                let reply = if replies == 0 { 0 } else { claim_reply(&side)? };
                let command = Command { head: lane << 32 | reply, arguments: [number(lane, round); ARGUMENTS] };
                post(&side, &command)?;
                if replies > 0 {
                    assert_eq!(await_reply(&side, reply)?, number(lane, round), "another's reply");
                }
            }
            Some(())
        };
        let threads: Vec<_> = (0..lanes)
            .map(|number| {
                let ring = ring.clone();
                thread::spawn(move || lane(number, &ring).is_some())
            })
            .collect();
        let side = Side(&ring, Looks::new(LOOKS * lanes as usize));
        let mut reader = Reader::default();
        let mut seen = vec![0; lanes as usize];
        while seen.iter().sum::<u64>() < lanes * rounds {
            let Some((_, Command { head, arguments })) = reader.take(&side) else {
                reader.publish(&side);
                if !side.1.go_on() {
                    break;
                }
                continue;
            };
            let (lane, reply) = (head >> 32, head & 0xffff_ffff);
            let round = seen[lane as usize];
            seen[lane as usize] += 1;
            assert_eq!(arguments, [number(lane, round); ARGUMENTS], "a command twice, never, or mixed with another");
            // SAFETY: loom fails the test if the lane writes it at the same time, or without order.
            ring.named[lane as usize].with(|named| assert_eq!(unsafe { *named }, lane + 1));
            if replies > 0 {
                let [low, high] = encode_reply(arguments[0], reply, replies as u64);
                let words = &ring.replies[(reply % replies as u64) as usize];
                words[1].store(high, Relaxed);
                words[0].store(low, Relaxed);
            }
        }
        reader.publish(&side);
        let all = seen.iter().sum::<u64>() == lanes * rounds;
        let lanes_passed =
            threads.into_iter().map(|lane| lane.join().expect("a lane")).filter(|passed| *passed).count();
        all && lanes_passed == lanes as usize
    });
}

/// One lane wraps around the ring: it must wait for the thread, lap after lap.
#[test]
fn one_lane_fills_the_ring() {
    explore(1, 3, 1, 0, 3);
}

#[test]
fn two_lanes_and_a_lap() {
    explore(2, 2, 2, 0, 2);
}

#[test]
fn two_lanes_share_a_slot() {
    explore(2, 1, 1, 0, 3);
}

#[test]
fn replies_are_used_again() {
    explore(2, 1, 2, 1, 2);
}

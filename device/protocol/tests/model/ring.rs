//! Lanes that post into a tiny ring, and whoever takes the commands. Every wait has to end.
//!
//! On a GPU, `read_seen` is relaxed: the loads of a lane decide whether it stores into its slot, so the store does not
//! come before them. Loom knows no such order. It would let the store come before that of the slot's lap before, and
//! the command would be lost. So `read_seen` is an acquire and a release here.

use crate::{LOOKS, Patience, join, many, start, words};
use cushmem_protocol::ring::{
    ARGUMENTS, Command, Posting, Reader, Replies, Taking, WORDS, await_reply, claim_reply, encode_reply, post, words_of,
};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};

/// The ring, its replies, and what the commands of its lanes name.
pub(crate) struct Ring {
    tickets: AtomicU64,
    /// `None` if `read` is in the lanes' own memory, because lanes take the commands as well.
    read_seen: Option<AtomicU64>,
    pub(crate) read: AtomicU64,
    /// The first word of a slot, and one for all others, since the lanes here send equal ones.
    slots: Vec<[AtomicU64; 2]>,
    /// What each lane's commands name. Loom reports an error if it is accessed without order.
    pub(crate) named: Vec<UnsafeCell<u64>>,
    reply_tickets: AtomicU64,
    replies: Vec<[AtomicU64; 2]>,
    given_back: Vec<AtomicU64>,
}

impl Ring {
    /// A ring from which a thread of the CPU takes commands.
    fn new(slots: usize, replies: usize, lanes: usize) -> Self {
        let [tickets, read, read_seen, reply_tickets] = words();
        Self {
            tickets,
            read_seen: Some(read_seen),
            read,
            slots: many(slots, words),
            named: many(lanes, || UnsafeCell::new(0)),
            reply_tickets,
            replies: many(replies, words),
            given_back: many(replies, || AtomicU64::new(0)),
        }
    }

    /// A ring from which lanes take commands.
    pub(crate) fn of_lanes(slots: usize, lanes: usize) -> Self {
        Self { read_seen: None, ..Self::new(slots, 0, lanes) }
    }
}

/// A lane, or whoever takes its commands.
pub(crate) struct Side<'a>(pub(crate) &'a Ring, pub(crate) Patience);

impl Posting for Side<'_> {
    fn slots(&self) -> u64 {
        self.0.slots.len() as u64
    }
    fn take_ticket(&self) -> u64 {
        self.0.tickets.fetch_add(1, Relaxed)
    }
    fn read_seen(&self) -> u64 {
        self.0.read_seen.as_ref().unwrap_or(&self.0.read).load(Acquire)
    }
    fn look_at_read(&self) -> u64 {
        let read = self.0.read.load(Acquire);
        if let Some(seen) = &self.0.read_seen {
            seen.fetch_max(read, Release);
        }
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
        // A lane of a warp acquires a part of the words.
        let first = if self.0.read_seen.is_some() { Acquire } else { Relaxed };
        words_of(|word| self.0.slots[slot as usize][word.min(1)].load([first, Acquire][word.min(1)]), lap)
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
/// them.
fn explore(lanes: u64, rounds: u64, slots: usize, replies: usize, preemptions: usize) {
    crate::explore(preemptions, move || {
        let ring = Arc::new(Ring::new(slots, replies, lanes as usize));
        let first = Patience::first(LOOKS * lanes as usize);
        let threads = start(lanes as usize, &ring, (&first, LOOKS), move |lane, ring: &Ring, patience| {
            let (side, lane) = (Side(ring, patience), lane as u64);
            for round in 0..rounds {
                if round == 0 {
                    // SAFETY: loom fails the test if the thread reads it at the same time, or without order.
                    ring.named[lane as usize].with_mut(|named| unsafe { *named = lane + 1 });
                    fence(Release);
                }
                let reply = if replies == 0 { 0 } else { claim_reply(&side).expect("a reply") };
                let command = Command { head: lane << 32 | reply, arguments: [number(lane, round); ARGUMENTS] };
                post(&side, &command).expect("a slot");
                if replies > 0 {
                    assert_eq!(await_reply(&side, reply), Some(number(lane, round)), "another's reply");
                }
            }
        });
        let side = Side(&ring, first);
        let mut reader = Reader::default();
        let mut seen = vec![0; lanes as usize];
        while seen.iter().sum::<u64>() < lanes * rounds {
            let Some((_, Command { head, arguments })) = reader.take(&side) else {
                reader.publish(&side);
                side.1.go_on();
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
        drop(side);
        join(threads);
        true
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

//! Lanes that post into a tiny ring in GPU memory, and a command processor that takes commands in two launches: its
//! loads are relaxed, with a fence behind them, and one count says what is complete. A participant that polls too often
//! drops out.

use crate::{LOOKS, Looks};
use cushmem_protocol::ring::{ARGUMENTS, Command, Posting, Reader, Taking, WORDS, post, words_of};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};
use loom::thread;

struct Ring {
    tickets: AtomicU64,
    read: AtomicU64,
    done: AtomicU64,
    /// The first word of a slot, and one for all others, since the lanes here send equal ones.
    slots: Vec<[AtomicU64; 2]>,
    /// What each lane has copied from, and to. Loom reports an error if one is accessed without order.
    from: Vec<UnsafeCell<u64>>,
    to: Vec<UnsafeCell<u64>>,
}

/// A lane or the processor, with the polls that it has left.
struct Side<'a>(&'a Ring, Looks);

impl Posting for Side<'_> {
    fn slots(&self) -> u64 {
        self.0.slots.len() as u64
    }
    fn take_ticket(&self) -> u64 {
        self.0.tickets.fetch_add(1, Relaxed)
    }
    fn read_seen(&self) -> u64 {
        self.0.read.load(Relaxed)
    }
    fn look_at_read(&self) -> u64 {
        self.0.read.load(Acquire)
    }
    fn store(&self, slot: u64, words: [u64; WORDS]) {
        let slot = &self.0.slots[slot as usize];
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
        let words = words_of(|word| self.0.slots[slot as usize][word.min(1)].load(Relaxed), lap)?;
        if words.iter().any(|word| word & 1 != lap) {
            return None;
        }
        fence(Acquire);
        Some(words)
    }
    fn publish_read(&self, tickets: u64) {
        self.0.read.store(tickets, Release);
    }
}

/// Each lane has `rounds` copies made, one after the other. The processor ends after `first` commands, and a second
/// launch of it takes the rest; it stores `done` for up to `together` of them at once.
fn explore(lanes: u64, rounds: u64, slots: usize, first: u64, together: u64, preemptions: usize) {
    crate::explore(preemptions, move || {
        let word = || AtomicU64::new(0);
        let cells = || (0..lanes).map(|_| UnsafeCell::new(0)).collect();
        let ring = Arc::new(Ring {
            tickets: word(),
            read: word(),
            done: word(),
            slots: (0..slots).map(|_| [word(), word()]).collect(),
            from: cells(),
            to: cells(),
        });
        let lane = move |lane: u64, ring: &Ring| {
            let side = Side(ring, Looks::new(LOOKS));
            for round in 1..=rounds {
                // SAFETY: loom fails the test if the processor reads it at the same time, or without order.
                ring.from[lane as usize].with_mut(|from| unsafe { *from = round });
                fence(Release);
                let ticket = post(&side, &Command { head: lane, arguments: [lane; ARGUMENTS] })?;
                while ring.done.load(Acquire) <= ticket {
                    if !side.1.go_on() {
                        return None;
                    }
                }
                // SAFETY: loom fails the test if the processor writes it at the same time, or without order.
                ring.to[lane as usize].with(|to| assert_eq!(unsafe { *to }, round, "an older copy"));
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
        let mut all = true;
        for until in [first, lanes * rounds] {
            // Launches are in the order of their stream.
            let begin = ring.read.load(Relaxed);
            let (mut reader, mut completed) = (Reader::starting_at(begin), begin);
            let complete = |tickets| {
                fence(SeqCst);
                ring.done.store(tickets, Relaxed);
            };
            while all && reader.next_ticket() < until {
                match reader.take(&side) {
                    Some((_, command)) => {
                        let lane = command.head as usize;
                        assert_eq!(command.arguments, [lane as u64; ARGUMENTS], "a command that is mixed with another");
                        // SAFETY: loom fails the test if the lane accesses them at the same time, or without order.
                        let value = ring.from[lane].with(|from| unsafe { *from });
                        // SAFETY: as above.
                        ring.to[lane].with_mut(|to| unsafe { *to = value });
                        if reader.next_ticket() - completed < together {
                            continue;
                        }
                    }
                    None => all = side.1.go_on(),
                }
                if completed != reader.next_ticket() {
                    completed = reader.next_ticket();
                    complete(completed);
                }
                reader.publish(&side);
            }
            complete(reader.next_ticket());
            reader.publish(&side);
        }
        let passed = threads.into_iter().map(|lane| lane.join().expect("a lane")).filter(|passed| *passed).count();
        all && passed == lanes as usize
    });
}

/// One lane goes around the ring, and a launch ends in between.
#[test]
fn one_lane_and_two_launches() {
    explore(1, 3, 1, 2, 1, 3);
}

#[test]
fn two_lanes_share_a_slot() {
    explore(2, 1, 1, 1, 1, 3);
}

#[test]
fn commands_that_are_completed_together() {
    explore(2, 1, 2, 1, 2, 3);
}

#[test]
fn two_lanes_and_a_lap() {
    explore(2, 2, 2, 2, 2, 2);
}

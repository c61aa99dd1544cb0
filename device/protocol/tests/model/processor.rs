//! Lanes that post into a tiny ring in GPU memory, and a command processor that takes commands in two launches: its
//! lanes each acquire a part of the words, and one count says what is complete. Every wait has to end.

use crate::ring::{Ring, Side};
use crate::{LOOKS, Patience, join, many, start};
use cushmem_protocol::ring::{ARGUMENTS, Command, Reader, post};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};

struct Served {
    /// What each lane has copied from is what its commands name.
    ring: Ring,
    done: AtomicU64,
    /// What each lane has copied to. Loom reports an error if one is accessed without order.
    to: Vec<UnsafeCell<u64>>,
}

/// Each lane has `rounds` copies made, one after the other. The processor ends after `first` commands, and a second
/// launch of it takes the rest; it stores `done` for up to `together` of them at once.
fn explore(lanes: usize, rounds: u64, slots: usize, first: u64, together: u64, preemptions: usize) {
    crate::explore(preemptions, move || {
        let served = Arc::new(Served {
            ring: Ring::of_lanes(slots, lanes),
            done: AtomicU64::new(0),
            to: many(lanes, || UnsafeCell::new(0)),
        });
        let patience = Patience::first(LOOKS * lanes);
        let threads = start(lanes, &served, (&patience, LOOKS), move |lane, Served { ring, done, to }, patience| {
            let side = Side(ring, patience);
            for round in 1..=rounds {
                // SAFETY: loom fails the test if the processor reads it at the same time, or without order.
                ring.named[lane].with_mut(|from| unsafe { *from = round });
                fence(Release);
                let command = Command { head: lane as u64, arguments: [lane as u64; ARGUMENTS] };
                let ticket = post(&side, &command).expect("a slot");
                while done.load(Acquire) <= ticket {
                    side.1.go_on();
                }
                // SAFETY: loom fails the test if the processor writes it at the same time, or without order.
                to[lane].with(|to| assert_eq!(unsafe { *to }, round, "an older copy"));
            }
        });
        let Served { ring, done, to } = &*served;
        let side = Side(ring, patience);
        for until in [first, lanes as u64 * rounds] {
            // Launches are in the order of their stream.
            let begin = ring.read.load(Relaxed);
            let (mut reader, mut completed) = (Reader::starting_at(begin), begin);
            let complete = |tickets| {
                fence(SeqCst);
                done.store(tickets, Relaxed);
            };
            while reader.next_ticket() < until {
                match reader.take(&side) {
                    Some((_, command)) => {
                        let lane = command.head as usize;
                        assert_eq!(command.arguments, [lane as u64; ARGUMENTS], "a command that is mixed with another");
                        // SAFETY: loom fails the test if the lane writes it at the same time, or without order.
                        let value = ring.named[lane].with(|from| unsafe { *from });
                        // SAFETY: loom fails the test if the lane reads it at the same time, or without order.
                        to[lane].with_mut(|to| unsafe { *to = value });
                        if reader.next_ticket() - completed < together {
                            continue;
                        }
                    }
                    None => _ = side.1.go_on(),
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
        drop(side);
        join(threads);
        true
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

//! Lanes that leave bytes in a tiny ring of chunks, or get bytes through it, and the thread that frees chunks in any
//! order. Every wait has to end.

use crate::{LOOKS, Patience, join, many, start, words};
use cushmem_protocol::ring::{Carrying, Chunks, claim_chunk};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};

struct Ring {
    tickets: AtomicU64,
    freed_seen: AtomicU64,
    freed: AtomicU64,
    /// Two words each, because a GPU's stores arrive in any order.
    chunks: Vec<[AtomicU64; 2]>,
    /// What commands name, by lane: the ticket plus 1. The command ring has a model of its own.
    posted: Vec<AtomicU64>,
}

impl Ring {
    fn new(chunks: usize, posts: u64) -> Self {
        let [tickets, freed_seen, freed] = words();
        let posted = many(posts as usize, || AtomicU64::new(0));
        Self { tickets, freed_seen, freed, chunks: many(chunks, words), posted }
    }
}

/// A lane.
struct Side<'a>(&'a Ring, Patience);

impl Carrying for Side<'_> {
    fn chunks(&self) -> u64 {
        self.0.chunks.len() as u64
    }
    fn take_chunk_ticket(&self) -> u64 {
        self.0.tickets.fetch_add(1, Relaxed)
    }
    fn freed_seen(&self) -> u64 {
        self.0.freed_seen.load(Acquire)
    }
    fn look_at_freed(&self) -> u64 {
        let freed = self.0.freed.load(Acquire);
        self.0.freed_seen.fetch_max(freed, Release);
        freed
    }
    fn pause(&self) -> bool {
        self.1.go_on()
    }
}

/// Each lane leaves a number `rounds` times, in one of `N` chunks, and the thread takes it. Lanes have no order. The
/// thread keeps the first `late` chunks until it has others.
fn explore<const N: usize>(lanes: u64, rounds: u64, late: usize, preemptions: usize) {
    crate::explore(preemptions, move || {
        let ring = Arc::new(Ring::new(N, lanes * rounds));
        let patience = Patience::first(LOOKS * lanes as usize);
        let threads = start(lanes as usize, &ring, (&patience, LOOKS), move |lane, ring: &Ring, patience| {
            let (side, lane) = (Side(ring, patience), lane as u64);
            for round in lane * rounds..(lane + 1) * rounds {
                let ticket = claim_chunk(&side).expect("a chunk");
                let chunk = &ring.chunks[ticket as usize % N];
                chunk[1].store(round + 1, Relaxed);
                chunk[0].store(round + 1, Relaxed);
                fence(Release);
                ring.posted[round as usize].store(ticket + 1, Relaxed);
            }
        });
        let (mut chunks, mut kept) = (Chunks::<N>::default(), vec![]);
        let mut seen = vec![false; (lanes * rounds) as usize];
        let free = |chunks: &mut Chunks<N>, chunk: usize, round: usize| {
            // This is the last read of the chunk, which must not have been overwritten before it is freed.
            let found = [0, 1].map(|i| ring.chunks[chunk][i].load(Relaxed));
            assert_eq!(found, [round as u64 + 1; 2], "bytes of another lane, or of none");
            ring.freed.store(chunks.free(chunk), Release);
        };
        while seen.iter().any(|seen| !seen) {
            let mut moved = false;
            for round in 0..seen.len() {
                let Some(ticket) = ring.posted[round].load(Acquire).checked_sub(1).filter(|_| !seen[round]) else {
                    continue;
                };
                (seen[round], moved) = (true, true);
                let chunk = chunks.take(ticket).expect("the lane has it");
                assert_eq!(chunks.take(ticket), None, "a chunk is taken once");
                if kept.len() < late {
                    kept.push((chunk, round));
                } else {
                    free(&mut chunks, chunk, round);
                }
            }
            if !moved && kept.is_empty() {
                patience.go_on();
            }
            if !moved {
                kept.drain(..).for_each(|(chunk, round)| free(&mut chunks, chunk, round));
            }
        }
        kept.drain(..).for_each(|(chunk, round)| free(&mut chunks, chunk, round));
        drop(patience);
        join(threads);
        true
    });
}

/// One lane wraps around the chunks: it must wait for the thread, lap after lap.
#[test]
fn one_lane_fills_the_chunks() {
    explore::<1>(1, 3, 0, 3);
}

#[test]
fn two_lanes_share_a_chunk() {
    explore::<1>(2, 1, 0, 3);
}

/// The first chunk is freed after the second: its next lap must not start earlier.
#[test]
fn chunks_are_freed_in_any_order() {
    explore::<2>(2, 2, 1, 2);
}

/// Lanes that alternately leave a number in one of `N` chunks and get one through it. A reply is a word of the lane's
/// own; replies have a model of their own, with the command ring.
fn explore_gets<const N: usize>(lanes: u64, rounds: u64, preemptions: usize) {
    crate::explore(preemptions, move || {
        let replies = many((lanes * rounds) as usize, || AtomicU64::new(0));
        let shared = Arc::new((Ring::new(N, 2 * lanes * rounds), replies));
        let patience = Patience::first(2 * LOOKS * lanes as usize);
        let lane = move |lane, (ring, replies): &(Ring, Vec<AtomicU64>), patience| {
            let (side, lane) = (Side(ring, patience), lane as u64);
            for round in lane * rounds..(lane + 1) * rounds {
                let (puts, answered) = (round % 2 == 0, &replies[round as usize]);
                let [asks, frees] = [0, 1].map(|second| &ring.posted[2 * round as usize + second]);
                let ticket = claim_chunk(&side).expect("a chunk");
                let chunk = &ring.chunks[ticket as usize % N];
                if puts {
                    [1, 0].into_iter().for_each(|i| chunk[i].store(round + 1, Relaxed));
                    fence(Release);
                    asks.store(ticket + 1, Relaxed);
                    continue;
                }
                asks.store(ticket + 1, Relaxed);
                while answered.load(Relaxed) == 0 {
                    side.1.go_on();
                }
                fence(Acquire);
                let found = [0, 1].map(|i| chunk[i].load(Relaxed));
                assert_eq!(found, [round + 1; 2], "the bytes of this get, which nobody overwrites");
                fence(Release);
                frees.store(ticket + 1, Relaxed);
            }
        };
        let threads = start(lanes as usize, &shared, (&patience, LOOKS), lane);
        let (ring, replies) = &*shared;
        let mut chunks = Chunks::<N>::default();
        let mut seen: Vec<bool> = (0..2 * lanes * rounds).map(|at| at % 4 == 1).collect();
        while seen.iter().any(|seen| !seen) {
            let mut moved = false;
            for at in 0..seen.len() {
                let Some(ticket) = ring.posted[at].load(Acquire).checked_sub(1).filter(|_| !seen[at]) else { continue };
                (seen[at], moved) = (true, true);
                let round = at / 2;
                if at % 4 == 0 {
                    let chunk = chunks.take(ticket).expect("the lane has it");
                    assert_eq!([0, 1].map(|i| ring.chunks[chunk][i].load(Relaxed)), [round as u64 + 1; 2], "a put");
                    ring.freed.store(chunks.free(chunk), Release);
                } else if at % 4 == 2 {
                    let chunk = chunks.take(ticket).expect("the lane has it");
                    assert_eq!(chunks.take(ticket), None, "a chunk is taken once");
                    [1, 0].into_iter().for_each(|i| ring.chunks[chunk][i].store(round as u64 + 1, Relaxed));
                    assert_eq!(chunks.give_back(ticket), None, "a chunk that is being filled cannot be given back");
                    chunks.lend(chunk);
                    replies[round].store(1, Release);
                } else {
                    let freed = chunks.give_back(ticket).expect("it was lent");
                    assert_eq!(chunks.give_back(ticket), None, "a chunk is given back once");
                    ring.freed.store(freed, Release);
                }
            }
            if !moved {
                patience.go_on();
            }
        }
        drop(patience);
        join(threads);
        true
    });
}

/// One lane puts, gets and puts through the same chunk.
#[test]
fn a_get_follows_a_put() {
    explore_gets::<1>(1, 3, 3);
}

/// A lane that puts waits for the chunk of one that gets.
#[test]
fn a_put_waits_for_a_get() {
    explore_gets::<1>(2, 1, 3);
}

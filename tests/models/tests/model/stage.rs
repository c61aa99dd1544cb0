//! The words of a pair through which GPU memory is staged. Two PEs send requests to each other at the same time; each
//! has one thread that acts as initiator and owner alternately, as their proxies do.
//!
//! The code is the library's own, compiled with loom's words. Chunks are cells, and loom reports an error if one is
//! accessed without order, for example if it is written while the owner still reads it. A GPU's copy takes place in a
//! later round than the one in which it was started, and later copies may complete before it.

#[allow(dead_code)]
#[path = "../../../../runtime/src/transport/stage/request.rs"]
mod request;

use crate::all_of;
use cushmem_abi::WordOp;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;
use request::Kind::{Get, Put};
use request::{Kind, REQUEST_WORDS, Request, acknowledge, has_room, is_acknowledged, store};

const SET: Kind = Kind::Word(WordOp::Set);

/// What one PE keeps for the other.
struct Pair {
    requests: Vec<[AtomicU64; REQUEST_WORDS]>,
    acks: Vec<AtomicU64>,
    chunks: Vec<UnsafeCell<u64>>,
}

impl Pair {
    fn new(slots: usize) -> Self {
        let word = || AtomicU64::new(0);
        Self {
            requests: (0..slots).map(|_| [(); REQUEST_WORDS].map(|()| word())).collect(),
            acks: (0..slots).map(|_| word()).collect(),
            chunks: (0..slots).map(|_| UnsafeCell::new(0)).collect(),
        }
    }
}

/// What a test tries.
#[derive(Clone, Copy)]
struct Trial {
    slots: usize,
    /// The requests of each PE.
    kinds: &'static [Kind],
    /// Rounds in which a PE polls.
    rounds: usize,
    /// The order in which a network delivers the words of a request, and in which copies complete.
    backwards: bool,
    preemptions: usize,
}

/// The contents of a chunk, or of a word of a request.
fn datum(by: usize, number: u64) -> u64 {
    number << 33 | 1 << by
}

/// A PE's own state.
struct Pe<'a> {
    me: usize,
    trial: Trial,
    /// What this PE keeps for the other, and what the other keeps for this one.
    own: &'a Pair,
    theirs: &'a Pair,
    asked: u64,
    ended: usize,
    /// Number, slot and kind of requests that have not been acknowledged.
    chunks: Vec<(u64, usize, Kind)>,
    /// The number of the other PE's next request, and its requests that are under way.
    next: u64,
    under_way: Vec<(u64, Request)>,
    /// Words on their way to this PE's GPU.
    values: Vec<u64>,
}

impl Pe<'_> {
    fn line(&self, number: u64) -> usize {
        number as usize % self.trial.slots
    }

    /// As the owner: takes requests.
    fn take(&mut self) {
        while let Some(request) = Request::read(self.own.requests[self.line(self.next)].each_ref(), self.next) {
            let (request, line) = (request.expect("a request that makes sense"), self.line(self.next));
            assert_eq!((request.at, request.value), (self.next, datum(1 - self.me, self.next)), "a request of two");
            if request.kind == SET {
                self.values[line] = request.value;
            }
            self.under_way.push((self.next, request));
            self.next += 1;
        }
    }

    /// As the owner: completes a copy.
    fn finish(&mut self) {
        let at = if self.trial.backwards { self.under_way.len().checked_sub(1) } else { Some(0) };
        let Some((number, request)) = at.filter(|at| *at < self.under_way.len()).map(|at| self.under_way.remove(at))
        else {
            return;
        };
        let (chunk, line) = (&self.own.chunks[usize::from(request.slot)], self.line(number));
        match request.kind {
            // SAFETY: only the model uses the cell, and loom watches it.
            Kind::Put => chunk.with(|chunk| assert_eq!(unsafe { *chunk }, datum(1 - self.me, number), "what was put")),
            // SAFETY: the owner writes it; loom reports an error if the other PE uses it at the same time.
            Kind::Get => chunk.with_mut(|chunk| unsafe { *chunk = datum(self.me, number) }),
            Kind::Word(_) => assert_eq!(self.values[line], request.value, "a word"),
        }
        acknowledge(&self.theirs.acks[line], number);
    }

    /// As the initiator: checks what is complete.
    fn advance(&mut self) {
        let chunks = std::mem::take(&mut self.chunks);
        for (number, slot, kind) in chunks {
            if !is_acknowledged(&self.own.acks[self.line(number)], number) {
                self.chunks.push((number, slot, kind));
                continue;
            }
            if kind == Kind::Get {
                let expected = datum(1 - self.me, number);
                // SAFETY: only read; loom reports an error if another thread writes it at the same time.
                self.theirs.chunks[slot].with(|chunk| assert_eq!(unsafe { *chunk }, expected, "what was got"));
            }
            self.ended += 1;
        }
    }

    /// As the initiator: sends requests as long as there is room.
    fn begin(&mut self) {
        while let Some(&kind) = self.trial.kinds.get(self.asked as usize) {
            let free = (0..self.trial.slots).find(|slot| self.chunks.iter().all(|(_, used, _)| used != slot));
            let oldest = self.chunks.iter().map(|(number, ..)| *number).min();
            let Some(slot) = free.filter(|_| has_room(self.asked, oldest, self.trial.slots)) else { return };
            self.asked += 1;
            let (number, value) = (self.asked, datum(self.me, self.asked));
            if kind == Kind::Put {
                // SAFETY: the initiator writes a chunk that no request uses; loom reports an error if the owner still
                // reads it.
                self.theirs.chunks[slot].with_mut(|chunk| unsafe { *chunk = value });
            }
            let request =
                Request { kind, slot: slot as u8, space: 0, range: 0, at: number, bytes: 8, value, condition: 0 };
            let mut line = self.theirs.requests[self.line(number)].each_ref();
            let mut words = request.encode(number);
            if self.trial.backwards {
                line.reverse();
                words.reverse();
            }
            store(line, words);
            self.chunks.push((number, slot, kind));
        }
    }

    /// Returns whether everything that both want was done, as far as this PE can see.
    fn run(&mut self) -> bool {
        let all = self.trial.kinds.len();
        for _ in 0..self.trial.rounds {
            self.take();
            self.finish();
            self.advance();
            self.begin();
            if self.ended == all && self.next as usize == all + 1 && self.under_way.is_empty() {
                return true;
            }
            thread::yield_now();
        }
        false
    }
}

fn explore(trial: Trial) {
    all_of(trial.preemptions, move |count| {
        let pairs: Arc<[Pair; 2]> = Arc::new([(); 2].map(|()| Pair::new(trial.slots)));
        let run = move |pairs: &[Pair; 2], me: usize| {
            let (own, theirs) = (&pairs[me], &pairs[1 - me]);
            let (chunks, under_way, values) = (vec![], vec![], vec![0; trial.slots]);
            Pe { me, trial, own, theirs, asked: 0, ended: 0, chunks, next: 1, under_way, values }.run()
        };
        let theirs = pairs.clone();
        let other = thread::spawn(move || run(&theirs, 1));
        let [mine, others] = [run(&pairs, 0), other.join().unwrap()];
        if mine && others {
            count.fetch_add(1, Relaxed);
        }
    });
}

#[test]
fn puts_through_one_slot() {
    explore(Trial { slots: 1, kinds: &[Put, Put], rounds: 6, backwards: false, preemptions: 2 });
}

#[test]
fn a_put_behind_a_get_through_one_slot() {
    explore(Trial { slots: 1, kinds: &[Get, Put], rounds: 6, backwards: true, preemptions: 2 });
}

#[test]
fn a_get_behind_a_put_through_one_slot() {
    explore(Trial { slots: 1, kinds: &[Put, Get, SET], rounds: 7, backwards: true, preemptions: 2 });
}

#[test]
fn puts_and_gets_through_two_slots() {
    explore(Trial { slots: 2, kinds: &[Put, Get, Put, Get], rounds: 7, backwards: false, preemptions: 2 });
}

#[test]
fn words_among_puts_backwards() {
    explore(Trial { slots: 2, kinds: &[SET, Put, SET, Put], rounds: 8, backwards: true, preemptions: 2 });
}

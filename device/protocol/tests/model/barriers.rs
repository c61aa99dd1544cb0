//! The barriers between PEs and between blocks. A participant that has dropped out no longer signals or checks.

use crate::LOOKS;
use cushmem_protocol::{barrier, grid};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering::*, fence};
use loom::thread;
use std::cell::Cell;

/// Whether `arrived` held at one of a few polls.
fn look(mut arrived: impl FnMut() -> bool) -> bool {
    (0..LOOKS).any(|_| {
        let seen = arrived();
        if !seen {
            thread::yield_now();
        }
        seen
    })
}

struct Job {
    /// The counters of the steps, for each PE.
    signals: Vec<Vec<AtomicU64>>,
    data: Vec<AtomicU64>,
}

struct Pe<'a> {
    job: &'a Job,
    me: u32,
    number: Cell<u64>,
    dropped_out: Cell<bool>,
}

impl barrier::Memory for Pe<'_> {
    fn lane(&self) -> u32 {
        0
    }
    fn lanes(&self) -> u32 {
        1
    }
    fn sync_lanes(&self) {}
    fn release(&self) {
        fence(Release);
    }
    fn signal(&self, pe: u32, step: u32) {
        if !self.dropped_out.get() {
            self.job.signals[pe as usize][step as usize].fetch_add(1, Relaxed);
        }
    }
    fn wait(&self, step: u32, signals: u32, _distance: u32) {
        if self.dropped_out.get() {
            return;
        }
        let own = &self.job.signals[self.me as usize];
        let arrived = look(|| own[step as usize].load(Acquire) >= self.number.get() * u64::from(signals));
        self.dropped_out.set(!arrived);
    }
}

/// Returns whether it did not drop out.
fn run_pe(me: u32, n: u32, rounds: u64, job: &Job) -> bool {
    let pe = Pe { job, me, number: Cell::new(0), dropped_out: Cell::new(false) };
    for number in 1..=rounds {
        pe.number.set(number);
        job.data[me as usize].store(number, Relaxed);
        barrier::enter(&pe, me, n);
        if pe.dropped_out.get() {
            return false;
        }
        for word in &job.data {
            assert!(word.load(Relaxed) >= number, "a PE left barrier {number} before another had entered it");
        }
    }
    true
}

/// Each PE writes its word, enters, and must see the words of all; twice, so that one PE can be a barrier ahead.
fn all_see_all(n: u32, rounds: u64, preemptions: usize) {
    crate::explore(preemptions, move || {
        let job = Arc::new(Job {
            signals: (0..n).map(|_| vec![AtomicU64::new(0)]).collect(),
            data: (0..n).map(|_| AtomicU64::new(0)).collect(),
        });
        let others: Vec<_> = (1..n)
            .map(|me| {
                let job = job.clone();
                thread::spawn(move || run_pe(me, n, rounds, &job))
            })
            .collect();
        let passes = run_pe(0, n, rounds, &job);
        others.into_iter().fold(passes, |all, pe| pe.join().expect("a PE") && all)
    });
}

#[test]
fn two_pes_twice() {
    all_see_all(2, 2, 3);
}

/// Catches a counter that takes an early signal of one PE for the missing signal of another.
#[test]
fn three_pes_twice() {
    all_see_all(3, 2, 1);
}

struct Blocks(AtomicU32);

/// One block's view of the counter.
struct Block<'a> {
    blocks: &'a Blocks,
    dropped_out: Cell<bool>,
}

impl grid::Counter for Block<'_> {
    fn add(&self, n: u32) -> u32 {
        // Wraps around, as on the GPU.
        self.blocks.0.fetch_add(n, AcqRel)
    }
    fn wait_phase_change(&self, before: u32) {
        self.dropped_out.set(!look(|| grid::phase_changed(before, self.blocks.0.load(Acquire))));
    }
}

/// A word of each block, and one of whoever is the last to arrive.
struct Words(Vec<AtomicU64>, AtomicU64);

/// Returns whether it did not drop out. In odd rounds the last block to arrive does something before the others go on.
fn run_block(me: u64, blocks: u64, rounds: u64, (counter, Words(data, between)): &(Blocks, Words)) -> bool {
    let block = Block { blocks: counter, dropped_out: Cell::new(false) };
    let all_arrived = |round| data.iter().all(|w| w.load(Relaxed) >= round);
    for round in 1..=rounds {
        data[me as usize].store(round, Relaxed);
        if round % 2 == 0 {
            grid::enter(&block, me, blocks);
        } else if grid::arrive(&block, blocks) {
            assert!(all_arrived(round), "a block is the last one before another arrived");
            between.store(round, Relaxed);
            grid::let_go(&block, blocks);
        }
        if block.dropped_out.get() {
            return false;
        }
        assert!(all_arrived(round), "a block passed before another arrived");
        assert!(between.load(Relaxed) + 1 >= round, "a block passed before the last one had done its part");
    }
    true
}

fn grid_rounds(blocks: u64, rounds: u64, preemptions: usize) {
    crate::explore(preemptions, move || {
        let state = Arc::new((
            Blocks(AtomicU32::new(0)),
            Words((0..blocks).map(|_| AtomicU64::new(0)).collect(), AtomicU64::new(0)),
        ));
        let others: Vec<_> = (1..blocks)
            .map(|me| {
                let state = state.clone();
                thread::spawn(move || run_block(me, blocks, rounds, &state))
            })
            .collect();
        let passes = run_block(0, blocks, rounds, &state);
        others.into_iter().fold(passes, |all, block| block.join().expect("a block") && all)
    });
}

#[test]
fn two_blocks_three_rounds() {
    grid_rounds(2, 3, 3);
}

#[test]
fn three_blocks() {
    grid_rounds(3, 1, 2);
}

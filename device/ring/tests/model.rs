//! Explores every interleaving (and every value that a relaxed load may return) of the barriers with loom:
//! `RUSTFLAGS="--cfg loom" cargo test -p cushmem-ring --test model --release`.
#![cfg(loom)]

use cushmem_ring::{barrier, grid};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering::*, fence};
use loom::thread;

struct Job {
    arrivals: Vec<Vec<AtomicU64>>,
    data: Vec<AtomicU64>,
}

struct Pe<'a> {
    job: &'a Job,
    me: u32,
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
    fn signal(&self, pe: u32, slot: u32, epoch: u64) {
        self.job.arrivals[pe as usize][slot as usize].store(epoch, Relaxed);
    }
    fn wait(&self, _from: u32, slot: u32, epoch: u64) {
        while self.job.arrivals[self.me as usize][slot as usize].load(Acquire) < epoch {
            thread::yield_now();
        }
    }
}

/// Each PE writes its word, enters, and must see the words of all; twice, so that one PE can run a barrier ahead.
fn all_see_all(n: u32, rounds: u64, preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let slots = barrier::slots(n) as usize;
        let job = Arc::new(Job {
            arrivals: (0..n).map(|_| (0..slots).map(|_| AtomicU64::new(0)).collect()).collect(),
            data: (0..n).map(|_| AtomicU64::new(0)).collect(),
        });
        let run = |me: u32, job: &Job| {
            let pe = Pe { job, me };
            for epoch in 1..=rounds {
                job.data[me as usize].store(epoch, Relaxed);
                barrier::enter(&pe, me, n, epoch);
                for word in &job.data {
                    assert!(word.load(Relaxed) >= epoch, "a PE left barrier {epoch} before another had entered it");
                }
            }
        };
        let others: Vec<_> = (1..n)
            .map(|me| {
                let job = job.clone();
                thread::spawn(move || run(me, &job))
            })
            .collect();
        run(0, &job);
        others.into_iter().for_each(|t| t.join().unwrap());
    });
}

#[test]
fn two_pes_twice() {
    all_see_all(2, 2, 3);
}

#[test]
fn three_pes() {
    all_see_all(3, 1, 2);
}

struct Blocks(AtomicU32);

impl grid::Counter for &Blocks {
    fn add(&self, n: u32) -> u32 {
        // Wraps, as the GPU's does.
        self.0.fetch_add(n, AcqRel)
    }
    fn wait_phase_change(&self, before: u32) {
        while !grid::phase_changed(before, self.0.load(Acquire)) {
            thread::yield_now();
        }
    }
}

fn grid_rounds(blocks: u64, rounds: u64) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let state = Arc::new((Blocks(AtomicU32::new(0)), (0..blocks).map(|_| AtomicU64::new(0)).collect::<Vec<_>>()));
        let run = move |me: u64, state: &(Blocks, Vec<AtomicU64>)| {
            for round in 1..=rounds {
                state.1[me as usize].store(round, Relaxed);
                grid::enter(&&state.0, me, blocks);
                assert!(state.1.iter().all(|w| w.load(Relaxed) >= round), "a block passed before another arrived");
            }
        };
        let others: Vec<_> = (1..blocks)
            .map(|me| {
                let state = state.clone();
                thread::spawn(move || run(me, &state))
            })
            .collect();
        run(0, &state);
        others.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(state.0.0.load(Relaxed) & !grid::PHASE, 0, "the counter is not ready for the next barrier");
    });
}

#[test]
fn two_blocks_three_rounds() {
    grid_rounds(2, 3);
}

#[test]
fn three_blocks() {
    grid_rounds(3, 1);
}

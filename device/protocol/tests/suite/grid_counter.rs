//! The barrier between blocks, for more blocks than the model checker can reach: the last arrival flips the phase, and
//! no other does.

use cushmem_protocol::grid::{self, Counter, PHASE, phase_changed};
use std::cell::Cell;

/// Records the value that a block waits to see changed.
struct Arrivals {
    counter: Cell<u32>,
    waits_from: Cell<Option<u32>>,
}

impl Counter for Arrivals {
    fn add(&self, n: u32) -> u32 {
        self.counter.replace(self.counter.get().wrapping_add(n))
    }
    fn wait_phase_change(&self, before: u32) {
        self.waits_from.set(Some(before));
    }
}

#[test]
fn the_last_block_opens_the_barrier_again_and_again() {
    for blocks in (1..=9).chain([128, 1000]) {
        let arrivals = Arrivals { counter: Cell::new(0), waits_from: Cell::new(None) };
        for round in 0..2 * blocks {
            let start = arrivals.counter.get();
            assert_eq!(start, if round % 2 == 0 { 0 } else { PHASE }, "{blocks} blocks: nothing is left over");
            for arrived in 0..blocks {
                // Block 0, which adds a different amount, arrives at any position.
                grid::enter(&arrivals, (arrived + round) % blocks, blocks);
                let before = arrivals.waits_from.take().expect("a block waits");
                assert!(!phase_changed(start, before), "a block waits for the phase in which it came");
                let opened = phase_changed(before, arrivals.counter.get());
                assert_eq!(opened, arrived + 1 == blocks, "{blocks} blocks, round {round}, arrival {arrived}");
            }
        }
    }
}

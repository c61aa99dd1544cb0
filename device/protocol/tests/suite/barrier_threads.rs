//! The barrier on more PEs than meet in one step, which the model checker cannot reach: the operating system
//! interleaves real threads, some of which run ahead by one barrier.

use cushmem_protocol::barrier::{self, Memory};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::*};
use std::time::{Duration, Instant};

const ROUNDS: u64 = 100;
/// A signal that takes longer never arrives; on a busy machine it takes milliseconds.
const LIMIT: Duration = Duration::from_secs(30);

#[derive(Default)]
struct Slot {
    signals: [AtomicU64; barrier::MAX_STEPS as usize],
    data: AtomicU64,
}

struct Pe<'a> {
    slots: &'a [Slot],
    me: usize,
    number: u64,
    /// Some thread has waited in vain, so all stop waiting.
    late: &'a AtomicBool,
}

impl Memory for Pe<'_> {
    fn lane(&self) -> u32 {
        0
    }
    fn lanes(&self) -> u32 {
        1
    }
    fn sync_lanes(&self) {}
    fn release(&self) {}
    fn signal(&self, pe: u32, step: u32) {
        // Some threads are slow, also in the middle of a step.
        if (self.me as u64 + self.number).is_multiple_of(5) {
            std::thread::yield_now();
        }
        self.slots[pe as usize].signals[step as usize].fetch_add(1, Release);
    }
    fn wait(&self, step: u32, signals: u32, _distance: u32) {
        let counter = &self.slots[self.me].signals[step as usize];
        let start = Instant::now();
        // Relaxed: it ends the waits and orders nothing.
        while counter.load(Acquire) < self.number * u64::from(signals) && !self.late.load(Relaxed) {
            if start.elapsed() > LIMIT {
                self.late.store(true, Relaxed);
            }
            std::thread::yield_now();
        }
    }
}

/// Catches a counter that takes an early signal for a missing one, in a job of two or three steps.
#[test]
fn nobody_leaves_before_all_have_entered() {
    for n in [2, 16, 17, 20, 33, 65] {
        let slots: Vec<Slot> = (0..n).map(|_| Slot::default()).collect();
        // Not an assertion in a thread: the others would wait forever for its signals.
        let problem = Mutex::new(None);
        let late = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for me in 0..n {
                let (slots, problem, late) = (&slots, &problem, &late);
                scope.spawn(move || {
                    for number in 1..=ROUNDS {
                        slots[me].data.store(number, Relaxed);
                        barrier::enter(&Pe { slots, me, number, late }, me as u32, n as u32);
                        for (pe, slot) in slots.iter().enumerate() {
                            if slot.data.load(Relaxed) < number {
                                *problem.lock().unwrap() = Some((me, number, pe));
                            }
                        }
                    }
                });
            }
        });
        assert!(!late.into_inner(), "{n} PEs: a signal never came");
        let problem = problem.into_inner().unwrap();
        assert_eq!(problem, None, "{n} PEs: the first left the barrier of this number before the other had entered it");
    }
}

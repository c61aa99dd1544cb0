//! PEs at a lock. A PE that has dropped out does nothing any more.

use crate::LOOKS;
use cushmem_protocol::lock::{Memory, NEXT, clear, set, test};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::*};
use loom::thread;
use std::cell::Cell;
use std::sync::Arc as StdArc;
use std::sync::atomic::AtomicUsize as StdAtomicUsize;

struct Lock {
    tail: AtomicU32,
    nodes: Vec<AtomicU32>,
    /// What the lock guards: loom reports an error if two PEs access it without order between them.
    guarded: UnsafeCell<u32>,
    /// How often one PE gave the lock to another that waited.
    handed_over: StdArc<StdAtomicUsize>,
}

struct Pe<'a> {
    lock: &'a Lock,
    me: u32,
    dropped_out: Cell<bool>,
}

impl Memory for Pe<'_> {
    fn my_pe(&self) -> u32 {
        self.me
    }
    fn n_pes(&self) -> u32 {
        self.lock.nodes.len() as u32
    }
    fn tail(&self) -> u32 {
        self.lock.tail.load(Relaxed)
    }
    fn swap_tail(&self, ticket: u32) -> u32 {
        self.lock.tail.swap(ticket, AcqRel)
    }
    fn compare_swap_tail(&self, expected: u32, ticket: u32) -> Result<(), u32> {
        self.lock.tail.compare_exchange(expected, ticket, AcqRel, Acquire).map(drop)
    }
    fn claim(&self) -> bool {
        self.lock.nodes[self.me as usize].compare_exchange(0, cushmem_protocol::lock::CLAIMED, Acquire, Relaxed).is_ok()
    }
    fn node(&self) -> u32 {
        self.lock.nodes[self.me as usize].load(Acquire)
    }
    fn reset_node(&self) {
        if !self.dropped_out.get() {
            self.lock.nodes[self.me as usize].store(0, Release);
        }
    }
    fn set_node(&self, pe: u32, bits: u32) {
        if !self.dropped_out.get() {
            self.lock.nodes[pe as usize].fetch_or(bits, Release);
        }
    }
    fn wait_node(&self, bits: u32, _ahead: Option<u32>) -> u32 {
        for _ in 0..LOOKS {
            let node = self.node();
            if node & bits != 0 {
                self.lock.handed_over.fetch_add(usize::from(bits & NEXT == 0), Relaxed);
                return node;
            }
            thread::yield_now();
        }
        self.dropped_out.set(true);
        // Any PE other than this one: what follows has no effect.
        if self.me == 0 { 2 } else { 1 }
    }
}

impl Pe<'_> {
    /// The critical section. Returns whether it was entered and left.
    fn section(&self) -> bool {
        if self.dropped_out.get() {
            return false;
        }
        self.lock.guarded.with_mut(|count| {
            // SAFETY: loom fails the test if another thread has access at the same time, or without order.
            unsafe { *count += 1 }
        });
        clear(self).expect("it holds the lock");
        !self.dropped_out.get()
    }
}

/// Each PE enters and leaves the section `rounds` times; the first PE uses `test`, if `first_tests`.
fn expect_exclusion(n: u32, rounds: u32, preemptions: usize, first_tests: bool) {
    let handed_over = StdArc::new(StdAtomicUsize::new(0));
    let count = handed_over.clone();
    crate::explore(preemptions, move || {
        let lock = Arc::new(Lock {
            tail: AtomicU32::new(0),
            nodes: (0..n).map(|_| AtomicU32::new(0)).collect(),
            guarded: UnsafeCell::new(0),
            handed_over: handed_over.clone(),
        });
        let run = move |me: u32, lock: &Lock| {
            let pe = Pe { lock, me, dropped_out: Cell::new(false) };
            for _ in 0..rounds {
                if me == 0 && first_tests {
                    if test(&pe) && !pe.section() {
                        return false;
                    }
                    continue;
                }
                set(&pe).expect("it does not hold the lock");
                if !pe.section() {
                    return false;
                }
            }
            true
        };
        let others: Vec<_> = (1..n)
            .map(|me| {
                let lock = lock.clone();
                thread::spawn(move || run(me, &lock))
            })
            .collect();
        let passes = run(0, &lock);
        others.into_iter().fold(passes, |all, pe| pe.join().expect("a PE") && all)
    });
    assert!(count.load(Relaxed) > 0, "no PE waited for another");
}

#[test]
fn two_pes_twice() {
    expect_exclusion(2, 2, 3, false);
}

#[test]
fn three_pes() {
    expect_exclusion(3, 1, 2, false);
}

#[test]
fn one_tests_and_two_wait() {
    expect_exclusion(3, 1, 2, true);
}

#[test]
fn one_tests_again_and_again() {
    expect_exclusion(2, 2, 3, true);
}

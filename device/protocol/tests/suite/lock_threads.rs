//! Many PEs at a lock, as threads that the operating system interleaves; and the errors of invalid calls.

use cushmem_protocol::lock::{CLAIMED, GRANTED, Memory, Misuse, clear, set, test};
use std::sync::atomic::{AtomicU32, Ordering::*};

struct Lock {
    tail: AtomicU32,
    nodes: [AtomicU32; 8],
    /// Read and written in two steps, only under the lock.
    guarded: AtomicU32,
}

struct Pe<'a>(&'a Lock, u32);

impl Memory for Pe<'_> {
    fn my_pe(&self) -> u32 {
        self.1
    }
    fn n_pes(&self) -> u32 {
        self.0.nodes.len() as u32
    }
    fn tail(&self) -> u32 {
        self.0.tail.load(Relaxed)
    }
    fn swap_tail(&self, ticket: u32) -> u32 {
        self.0.tail.swap(ticket, AcqRel)
    }
    fn compare_swap_tail(&self, expected: u32, ticket: u32) -> Result<(), u32> {
        self.0.tail.compare_exchange(expected, ticket, AcqRel, Acquire).map(drop)
    }
    fn claim(&self) -> bool {
        self.0.nodes[self.1 as usize].compare_exchange(0, CLAIMED, Acquire, Relaxed).is_ok()
    }
    fn node(&self) -> u32 {
        self.0.nodes[self.1 as usize].load(Acquire)
    }
    fn reset_node(&self) {
        self.0.nodes[self.1 as usize].store(0, Release);
    }
    fn set_node(&self, pe: u32, bits: u32) {
        self.0.nodes[pe as usize].fetch_or(bits, Release);
    }
    fn wait_node(&self, bits: u32, _ahead: Option<u32>) -> u32 {
        loop {
            match self.node() {
                node if node & bits != 0 => return node,
                _ => std::thread::yield_now(),
            }
        }
    }
}

fn lock() -> Lock {
    Lock { tail: AtomicU32::new(0), nodes: [const { AtomicU32::new(0) }; 8], guarded: AtomicU32::new(0) }
}

/// Catches two holders at a time, which would lose additions.
#[test]
fn one_at_a_time() {
    const ROUNDS: u32 = 3000;
    let lock = lock();
    std::thread::scope(|scope| {
        for me in 0..8 {
            let pe = Pe(&lock, me);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    if (me + round) % 4 == 0 {
                        while !test(&pe) {
                            std::thread::yield_now();
                        }
                    } else {
                        set(&pe).expect("it does not hold the lock");
                    }
                    let before = pe.0.guarded.load(Relaxed);
                    if round % 64 == 0 {
                        std::thread::yield_now();
                    }
                    pe.0.guarded.store(before + 1, Relaxed);
                    clear(&pe).expect("it holds the lock");
                }
            });
        }
    });
    assert_eq!(lock.guarded.into_inner(), 8 * ROUNDS);
    assert_eq!(lock.tail.into_inner(), 0);
    assert!(lock.nodes.iter().all(|node| node.load(Relaxed) == 0), "nothing stays in the words");
}

#[test]
fn wrong_calls_are_errors_and_change_nothing() {
    let lock = lock();
    let (one, other) = (Pe(&lock, 1), Pe(&lock, 2));
    assert_eq!(clear(&one), Err(Misuse::NotHeld));
    set(&one).expect("it is free");
    assert_eq!((set(&one), test(&one), test(&other)), (Err(Misuse::Claimed), false, false));
    assert_eq!(clear(&other), Err(Misuse::NotHeld));
    clear(&one).expect("PE 1 holds it");
    assert!(test(&other));
    clear(&other).expect("PE 2 holds it");
}

/// Catches a word that was not 0 before the first use.
#[test]
fn damaged_words_are_found() {
    for tail in [9, GRANTED, 2] {
        let lock = lock();
        lock.tail.store(tail, Relaxed);
        assert_eq!(set(&Pe(&lock, 1)), Err(Misuse::Damaged(tail)), "a queue that ends with ticket {tail}");
    }
    let lock = lock();
    lock.nodes[1].store(77, Relaxed);
    assert_eq!(set(&Pe(&lock, 1)), Err(Misuse::Claimed));
    lock.nodes[1].store(GRANTED | 77, Relaxed);
    assert_eq!(clear(&Pe(&lock, 1)), Err(Misuse::Damaged(77)));
    lock.nodes[1].store(GRANTED, Relaxed);
    assert_eq!(clear(&Pe(&lock, 1)), Err(Misuse::Damaged(0)), "it is not in the queue");
}

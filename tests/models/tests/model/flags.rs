//! Flags that a network puts in pieces, with data behind them, into the same words one after the other. A piece that
//! has the same value as what was there before may be written late, but before the next flag. The network reads the
//! pieces where the sender has written them, and may do so late, too: when the flag is believed without them, the
//! sender may be writing the next one there. The reader must find the data that belong to the value that it believes.

use crate::sealed::SealedFlag;
use crate::{all_of, within_some_looks};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*};
use loom::thread;

/// How many flags are put.
const FLAGS: u64 = 3;

/// The data of the first two flags are the same, so the second one is believed without its data.
fn data(value: u64) -> u64 {
    77 + value / 3
}

/// The words of a flag, at its sender or its reader.
struct Words([AtomicU64; 3]);

impl Words {
    fn new() -> Self {
        Self([0; 3].map(AtomicU64::new))
    }

    fn flag(&self) -> SealedFlag<'_, AtomicU64> {
        SealedFlag { head: &self.0[0], seal: &self.0[1], data: &self.0[2..] }
    }
}

struct Memory {
    source: Words,
    target: Words,
    /// The last flag that was posted to the network.
    posted: AtomicU64,
    /// The last flag that the reader is done with, which it tells the sender.
    read: AtomicU64,
}

/// Returns the last flag that was posted, when the reader stops to take them.
fn send(memory: &Memory) -> u64 {
    for value in 1..=FLAGS {
        // The next flag of these words may be written when the reader has taken this one, and not before.
        if !within_some_looks(|| memory.read.load(Acquire) == value - 1) {
            return value - 1;
        }
        memory.source.0[2].store(data(value), Relaxed);
        memory.source.flag().seal(value, 1);
        memory.posted.store(value, Release);
    }
    FLAGS
}

/// `order` says in which order the pieces of a flag are read and stored.
fn carry(memory: &Memory, order: [usize; 3]) {
    for value in 1..=FLAGS {
        if !within_some_looks(|| memory.posted.load(Acquire) >= value) {
            return;
        }
        for at in order {
            memory.target.0[at].store(memory.source.0[at].load(Relaxed), Release);
        }
    }
}

fn explore(order: [usize; 3]) {
    all_of(2, move |count| {
        let [posted, read] = [0; 2].map(AtomicU64::new);
        let memory = Arc::new(Memory { source: Words::new(), target: Words::new(), posted, read });
        let sender = thread::spawn({
            let memory = memory.clone();
            move || send(&memory)
        });
        let network = thread::spawn({
            let memory = memory.clone();
            move || carry(&memory, order)
        });
        let mut least = 1;
        for _ in 0..FLAGS {
            if let Some(value) = memory.target.flag().reached(least) {
                assert_eq!(value, least, "nobody overwrites a flag that is not read");
                assert_eq!(memory.target.0[2].load(Relaxed), data(value), "the data of flag {value}");
                memory.read.store(value, Release);
                least = value + 1;
            } else {
                thread::yield_now();
            }
        }
        network.join().unwrap();
        assert!(sender.join().unwrap() >= least - 1, "a flag that was never put");
        count.fetch_add(usize::from(least > 2), Relaxed);
    });
}

#[test]
fn a_flag_is_believed_with_its_data() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        explore(order);
    }
}

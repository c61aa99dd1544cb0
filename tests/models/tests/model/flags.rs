//! Flags that a network puts in pieces, with data behind them, into the same words one after the other. A piece that
//! has the same value as what was there before may be written late, but before the next flag. The reader must find the
//! data that belong to the value that it believes.

use crate::sealed::{FlagMessage, SealedFlag};
use crate::{all_of, within_some_looks};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*};
use loom::thread;

/// How many words of data a flag brings. Two numbers, because the message does not say how many it has.
fn beside(value: u64) -> usize {
    value as usize % 2
}

/// The data of two flags are the same, so that their pieces need not be written.
fn data() -> u64 {
    77
}

/// `order` says in which order the network stores the pieces of a flag.
fn explore(order: [usize; 3]) {
    all_of(2, move |count| {
        let words = Arc::new([0; 3].map(AtomicU64::new));
        let read = Arc::new(AtomicU64::new(0));
        let network = thread::spawn({
            let (words, read) = (words.clone(), read.clone());
            move || {
                for value in 1..=3 {
                    let message = FlagMessage::new(value, std::iter::repeat_n(data() + value / 3, beside(value)));
                    for at in order.into_iter().filter(|at| *at < message.words().len()) {
                        words[at].store(message.words()[at], Release);
                    }
                    // The next flag of these words may come when the reader has taken this one, and not before.
                    if !within_some_looks(|| read.load(Acquire) >= value) {
                        return value;
                    }
                }
                4
            }
        });
        let flag = || SealedFlag { value: &words[0], seal: &words[1], beside: &words[2..] };
        let mut least = 1;
        for _ in 0..3 {
            if let Some(value) = flag().reached(least) {
                assert_eq!(value, least, "nobody overwrites a flag that is not read");
                if beside(value) > 0 {
                    assert_eq!(words[2].load(Relaxed), data() + value / 3, "the data of flag {value}");
                }
                read.store(value, Release);
                least = value + 1;
            } else {
                thread::yield_now();
            }
        }
        let reached = network.join().unwrap();
        assert!(reached >= least - 1, "a flag that was never put");
        count.fetch_add(usize::from(least > 2), Relaxed);
    });
}

#[test]
fn a_flag_is_believed_with_its_data() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        explore(order);
    }
}

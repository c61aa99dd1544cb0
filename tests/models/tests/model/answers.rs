//! Answers to the requests of one PE, which two PEs of a node write into the same slot, in pieces and without an order
//! between the two. A piece that has the same value as what was there before may be written late: the reader believes
//! the answer before. It must not be written into the next answer.

use crate::carried_out::request_queue::Answered;
use crate::sealed::{sealed, unsealed};
use crate::{all_of, within_some_looks};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*};
use loom::thread;

/// The slot of all requests.
const SLOT: u64 = 0;

/// The initiator's words.
struct Initiator {
    answer: [AtomicU64; 3],
    /// By PE of the node.
    done: [AtomicU64; 2],
    answered: Answered<AtomicU64>,
    /// How many requests are put.
    asked: AtomicU64,
}

/// The result of a request: the first one is what is in its place before.
fn result(number: u64) -> u64 {
    if number == 1 { !number } else { 7 * number }
}

impl Initiator {
    /// Asks, and returns whether the answer comes.
    fn ask(&self, number: u64) -> bool {
        self.answer.iter().for_each(|word| word.store(!number, Relaxed));
        self.asked.store(number, Release);
        let mut found = None;
        within_some_looks(|| {
            found = unsealed(number, self.answer.each_ref());
            found.is_some()
        });
        let Some([value, pe, _]) = found else { return false };
        assert_eq!(value, result(number));
        self.answered.note(SLOT, number, pe);
        true
    }

    fn is_written(&self) -> bool {
        self.answered.is_written(SLOT, |pe| self.done[pe as usize].load(Acquire))
    }

    /// What a PE's network does for a request: the pieces of its answer, the result last, and `done` behind them.
    fn serve(&self, pe: u64, number: u64) -> bool {
        if !within_some_looks(|| self.asked.load(Acquire) >= number) {
            return false;
        }
        let words = sealed(number, [result(number), pe, 0]);
        [2, 1, 0].into_iter().for_each(|at| self.answer[at].store(words[at], Release));
        self.done[pe as usize].store(number, Release);
        true
    }
}

/// PE 0 answers the first request, and PE 1 the second one.
fn explore(waits: bool) {
    all_of(2, move |count| {
        let initiator = Arc::new(Initiator {
            answer: Default::default(),
            done: Default::default(),
            answered: Answered::new(1),
            asked: AtomicU64::new(0),
        });
        let servers = [0, 1].map(|pe| {
            let initiator = initiator.clone();
            thread::spawn(move || initiator.serve(pe, pe + 1))
        });
        let asks_twice = initiator.ask(1) && (!waits || within_some_looks(|| initiator.is_written()));
        let both = asks_twice && initiator.ask(2);
        let served = servers.map(|server| server.join().unwrap());
        if asks_twice && served == [true; 2] {
            // Everything is written by now.
            let found = unsealed(2, initiator.answer.each_ref());
            assert_eq!(found.map(|[value, ..]| value), Some(result(2)), "the second answer was overwritten");
        }
        if both {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
}

#[test]
fn a_late_piece_of_an_answer_meets_no_other_answer() {
    explore(true);
}

/// The model finds what happens if the slot is used again as soon as the answer was read.
#[test]
#[should_panic(expected = "the second answer was overwritten")]
fn an_answer_that_was_read_may_not_be_written_completely() {
    explore(false);
}

//! Atomic operations on GPU memory that the proxy has to start: on words of this PE for other PEs, and on words that
//! this GPU reaches for the PE's kernels and streams. A separate thread has the GPU agent carry them out, because the
//! proxy never waits and launches nothing.
//!
//! * *Who writes*: the proxy appends to the queue; the thread takes from it, in order, and stores the old value of each
//!   word, all with the lock held.
//! * *When the GPU has no room* for the agent, the thread waits, and so do these operations; copies continue.

use crate::sync::locked;
use crate::sync::tracker::Tracker;
use crate::transport::agent::Word;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The queue of operations, and the results.
#[derive(Default)]
pub(crate) struct Changes {
    state: Mutex<State>,
    wake: Condvar,
}

/// Who is notified that a word was changed.
pub(crate) enum Notify {
    /// Whoever looks for this number and for the old value.
    Number(u64),
    /// Whoever waits for this operation of a context.
    Operation(Arc<Tracker>, u64),
}

#[derive(Default)]
struct State {
    asked: u64,
    queue: VecDeque<(Notify, Word)>,
    found: HashMap<u64, u64>,
    is_closed: bool,
}

impl Changes {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic of the thread ends the process.
        locked(&self.state)
    }

    /// Requests a change, and returns its number.
    pub(super) fn ask(&self, word: Word) -> u64 {
        let mut state = self.lock();
        state.asked += 1;
        let number = state.asked;
        state.queue.push_back((Notify::Number(number), word));
        self.wake.notify_one();
        number
    }

    /// Requests a change that is, or ends, an operation of a context.
    pub(crate) fn ask_for(&self, tracker: Arc<Tracker>, number: u64, word: Word) {
        self.lock().queue.push_back((Notify::Operation(tracker, number), word));
        self.wake.notify_one();
    }

    /// The old value of the word, if it has been changed. It is returned once.
    pub(super) fn found(&self, number: u64) -> Option<u64> {
        self.lock().found.remove(&number)
    }

    /// For the thread: waits for the next change, and returns it; `None` at the end.
    pub(crate) fn next(&self) -> Option<(Notify, Word)> {
        let state = self.lock();
        let waits = |state: &mut State| state.queue.is_empty() && !state.is_closed;
        let mut state = self.wake.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner);
        state.queue.pop_front()
    }

    /// For the thread: reports the old value of a word.
    pub(crate) fn finish(&self, asked: Notify, found: u64) {
        match asked {
            Notify::Number(number) => drop(self.lock().found.insert(number, found)),
            Notify::Operation(tracker, number) => tracker.finish(number),
        }
    }

    /// Lets the thread end once the queue is empty.
    pub(crate) fn end(&self) {
        self.lock().is_closed = true;
        self.wake.notify_one();
    }
}

//! A stream's queue: callers push operations, one worker takes them in order, and anyone can wait for a position.

use super::exec::Launch;
use super::pace;
use crate::Rows;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a thread looks at the other side's counter before it goes to sleep. This is enough for a short operation,
/// and each look yields the core to other threads.
const LOOKS: u32 = 32;
/// After this time it goes to sleep in any case. Where many threads share a core, each yield waits until all others
/// have had it, while a thread that sleeps gets the core soon after it is woken. A stream that ends waits for its
/// worker.
const AWAKE: Duration = Duration::from_micros(200);

/// Looks a few times whether something has come.
fn look(has_come: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    for _ in 0..LOOKS {
        if has_come() {
            return true;
        }
        if start.elapsed() > AWAKE {
            return false;
        }
        thread::yield_now();
    }
    false
}

#[derive(Clone)]
pub(super) enum Operation {
    Copy(Rows),
    Write {
        address: u64,
        value: u64,
    },
    Wait {
        address: u64,
        value: u64,
    },
    Set {
        address: u64,
        value: u64,
        bytes: u64,
    },
    Launch(Arc<Launch>),
    Mark(Arc<OnceLock<Instant>>),
    /// Waits until the worker of another queue has reached the position.
    After {
        queue: Arc<Queue>,
        position: u64,
    },
}

#[derive(Default)]
struct State {
    operations: VecDeque<Operation>,
    closing: bool,
    worker_sleeps: bool,
    waiters: u32,
}

#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    submitted: AtomicU64,
    completed: AtomicU64,
    work: Condvar,
    done: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends an operation and returns its position.
    pub fn push(&self, operation: Operation) -> u64 {
        let mut state = self.lock();
        state.operations.push_back(operation);
        // Relaxed: the lock orders everything that belongs to the operation.
        let position = self.submitted.fetch_add(1, Ordering::Relaxed) + 1;
        let wake = state.worker_sleeps;
        drop(state);
        if wake {
            self.work.notify_one();
        }
        pace::after_push(position, || self.has_passed(position));
        position
    }

    /// Returns the position of the last operation that was pushed.
    pub fn submitted(&self) -> u64 {
        // Relaxed: this is only a number, and a caller that needs its own pushes to be counted made them itself.
        self.submitted.load(Ordering::Relaxed)
    }

    /// Whether the operation at `position` and all before it are done.
    pub fn has_passed(&self, position: u64) -> bool {
        // SYNC(soft-stream-done) acquire: pairs with the release in Queue::complete; orders what the operation wrote
        // before what the waiting thread reads.
        self.completed.load(Ordering::Acquire) >= position
    }

    pub fn wait_for(&self, position: u64) {
        if look(|| self.has_passed(position)) {
            return;
        }
        let mut state = self.lock();
        state.waiters += 1;
        while !self.has_passed(position) {
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiters -= 1;
    }

    /// For the worker: returns the next operation, or `None` when the queue is empty and closed.
    pub fn next(&self) -> Option<Operation> {
        // Relaxed: this is only a hint; the operation itself is taken under the lock.
        look(|| self.submitted.load(Ordering::Relaxed) > self.completed.load(Ordering::Relaxed));
        let mut state = self.lock();
        loop {
            if let Some(operation) = state.operations.pop_front() {
                drop(state);
                // Relaxed: only this thread changes it.
                pace::before_work(self.completed.load(Ordering::Relaxed) + 1);
                return Some(operation);
            }
            if state.closing {
                return None;
            }
            state.worker_sleeps = true;
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.worker_sleeps = false;
        }
    }

    /// For the worker: marks the operation that [`Self::next`] returned last as done.
    pub fn complete(&self) {
        let state = self.lock();
        // SYNC(soft-stream-done) release: pairs with the acquire in Queue::has_passed. Done under the lock, so that no
        // waiter misses it between its last look and going to sleep.
        self.completed.fetch_add(1, Ordering::Release);
        let wake = state.waiters > 0;
        drop(state);
        if wake {
            self.done.notify_all();
        }
    }

    /// Lets the worker end once it has done everything.
    pub fn close(&self) {
        self.lock().closing = true;
        self.work.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Catches a thread that goes on yielding although other threads take the core for long each time. A stream that
    /// ended had 32 such yields; a start that failed on a busy machine ended many, until the other PEs gave up.
    #[test]
    fn a_thread_that_gets_its_core_late_does_not_yield_again() {
        let looks = Cell::new(0);
        let is_away = || {
            looks.set(looks.get() + 1);
            let start = Instant::now();
            while start.elapsed() <= AWAKE {
                std::hint::spin_loop();
            }
            false
        };
        assert!(!look(is_away));
        assert_eq!(looks.get(), 1);
        assert!(look(|| true));
    }
}

//! Explores the interleavings of the protocols, and the values that a relaxed load may return, with loom:
//! `RUSTFLAGS="--cfg loom" cargo test -p cushmem-protocol --test model --release`.
//!
//! A loop that waits would never end in a model. So a participant polls a few times and then drops out: what it does
//! afterwards has no effect, and everyone who depends on it drops out as well. The executions in which nobody dropped
//! out are checked, and counted to make sure that there are some.
#![cfg(loom)]

mod agent;
mod barriers;
mod chunks;
mod crews;
mod deal;
mod inbox;
mod lines;
mod lock;
mod processor;
mod ring;
mod roles;
mod tasks;
mod trigger;
mod unequal;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The largest models are explored only for this long, and not to their end.
const LONGEST: Duration = Duration::from_secs(3);
/// Polls before a participant drops out.
const LOOKS: usize = 3;

/// The polls that a participant has left.
struct Looks(Cell<usize>);

impl Looks {
    fn new(looks: usize) -> Self {
        Self(Cell::new(looks))
    }

    /// Uses one up, while others run. Returns whether any are left.
    fn go_on(&self) -> bool {
        loom::thread::yield_now();
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() > 0
    }
}

/// Explores the executions of `run`, which returns whether all participants passed. Fails if they never do.
fn explore(preemptions: usize, run: impl Fn() -> bool + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_duration = Some(LONGEST);
    let passed = Arc::new(AtomicUsize::new(0));
    let count = passed.clone();
    model.check(move || {
        if run() {
            passed.fetch_add(1, Relaxed);
        }
    });
    assert!(count.load(Relaxed) > 0, "all executions dropped out: nothing was checked");
}

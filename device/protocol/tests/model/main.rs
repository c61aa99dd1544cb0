//! Explores the interleavings of the protocols, and the values that a relaxed load may return, with loom:
//! `RUSTFLAGS="--cfg loom" cargo test -p cushmem-protocol --test model --release`.
//!
//! Loops that wait have no end in a model, so a participant looks a few times and then drops out: what it does
//! afterwards has no effect, and whoever depends on it drops out as well. Executions in which all pass remain, and are
//! checked. A count of those makes sure that there are some.
#![cfg(loom)]

mod agent;
mod barriers;
mod chunks;
mod deal;
mod inbox;
mod lock;
mod ring;
mod roles;
mod trigger;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The largest model is not explored to its end, but this long.
const LONGEST: Duration = Duration::from_secs(3);
/// Looks before a participant drops out.
const LOOKS: usize = 3;

/// The looks that a participant has left.
struct Looks(Cell<usize>);

impl Looks {
    fn new(looks: usize) -> Self {
        Self(Cell::new(looks))
    }

    /// Takes one of them, while others go on. Says whether some are left.
    fn go_on(&self) -> bool {
        loom::thread::yield_now();
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() > 0
    }
}

/// Explores the executions of `run`, which says whether all participants passed. Fails if they never do.
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

//! Explores, with loom, what PEs request from each other:
//!
//! A loop that waits would never end in a model, so every participant polls a few times. The executions in which
//! everything was done are counted.
#![cfg(loom)]

mod carried_out;
mod pageable;
mod stage;
mod threads;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A model with more executions is not explored to its end, and says so. A number and not a time, because the first
/// thousands of executions of some models are not done: on a busy machine no time suffices.
const MOST: usize = 12_000;

/// Explores executions with at most `preemptions` preemptions. The body counts those in which everything was done.
fn all_of(preemptions: usize, body: impl Fn(&AtomicUsize) + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_permutations = Some(MOST);
    let (all_done, all) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (done, begun) = (all_done.clone(), all.clone());
    model.check(move || {
        begun.fetch_add(1, Relaxed);
        body(&done);
    });
    if all.load(Relaxed) + 1 >= MOST {
        // Not with `eprintln`, whose output is hidden for tests that pass.
        let test = std::thread::current();
        let name = test.name().unwrap_or("a model");
        let _ = writeln!(std::io::stderr(), "{name}: {MOST} executions explored, not all");
    }
    assert!(all_done.load(Relaxed) > 0, "in no execution was all done, so nothing was checked");
}

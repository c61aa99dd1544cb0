//! Explores, with loom, what PEs request from each other:
//!
//! A loop that waits would never end in a model, so every participant polls a few times. The executions in which
//! everything was done are counted.
#![cfg(loom)]

mod carried_out;
mod pageable;
mod stage;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A model that takes longer than this is not explored to its end, and says so.
const LONGEST: Duration = Duration::from_secs(4);

/// Explores executions with at most `preemptions` preemptions. The body counts those in which everything was done.
fn all_of(preemptions: usize, body: impl Fn(&AtomicUsize) + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_duration = Some(LONGEST);
    // The number of executions between two readings of the clock.
    model.checkpoint_interval = 500;
    let (all_done, start) = (Arc::new(AtomicUsize::new(0)), Instant::now());
    let count = all_done.clone();
    model.check(move || body(&count));
    if start.elapsed() >= LONGEST {
        // Not with `eprintln`, whose output is hidden for tests that pass.
        let test = std::thread::current();
        let name = test.name().unwrap_or("a model");
        let _ = writeln!(std::io::stderr(), "{name}: explored for {LONGEST:?}, not to its end");
    }
    assert!(all_done.load(Relaxed) > 0, "in no execution was all done, so nothing was checked");
}

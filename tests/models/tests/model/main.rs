//! Explores with loom what PEs ask each other for:
//! `RUSTFLAGS="--cfg loom" cargo test -p cushmem-models --test model --release`.
//!
//! As loops that wait have no end in a model, everybody looks a few times; executions in which all was done remain, and
//! are counted.
#![cfg(loom)]

mod carried_out;
mod pageable;
mod stage;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A model is not explored to its end if that takes longer; it says so.
const LONGEST: Duration = Duration::from_secs(4);

/// Explores executions with so many preemptions. The body counts those in which all was done.
fn all_of(preemptions: usize, body: impl Fn(&AtomicUsize) + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_duration = Some(LONGEST);
    // How many executions from one look at the clock to the next.
    model.checkpoint_interval = 500;
    let (all_done, start) = (Arc::new(AtomicUsize::new(0)), Instant::now());
    let count = all_done.clone();
    model.check(move || body(&count));
    if start.elapsed() >= LONGEST {
        // Not by `eprintln`, which shows nothing of a test that passes.
        let test = std::thread::current();
        let name = test.name().unwrap_or("a model");
        let _ = writeln!(std::io::stderr(), "{name}: explored for {LONGEST:?}, not to its end");
    }
    assert!(all_done.load(Relaxed) > 0, "in no execution was all done, so nothing was checked");
}

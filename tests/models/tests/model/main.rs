//! Explores, with loom, what PEs request from each other:
//!
//! A loop that waits would never end in a model, so every participant polls a few times. The executions in which
//! everything was done are counted.
#![cfg(loom)]

mod answers;
mod carried_out;
mod flags;
mod pageable;
#[path = "../../../../runtime/src/sync/sealed.rs"]
mod sealed;
#[path = "../../../../runtime/src/sync/shared_word.rs"]
mod shared_word;
mod stage;
/// The place where the library's files look for these.
mod sync {
    pub(crate) use crate::{sealed, shared_word};
}
mod threads;

use loom::sync::atomic::{AtomicU64, Ordering};
use shared_word::SharedWord;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A model with more executions is not explored to its end, and says so. A number and not a time, because the first
/// thousands of executions of some models are not done: on a busy machine no time suffices.
const MOST: usize = 12_000;

impl SharedWord for AtomicU64 {
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }
    fn store(&self, value: u64, order: Ordering) {
        self.store(value, order);
    }
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.compare_exchange(from, to, success, failure)
    }
    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.fetch_add(value, order)
    }
    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.fetch_max(value, order)
    }
}

/// Polls a few times; returns whether something became so.
fn within_some_looks(mut is_so: impl FnMut() -> bool) -> bool {
    (0..3).any(|_| {
        let is_so = is_so();
        if !is_so {
            loom::thread::yield_now();
        }
        is_so
    })
}

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

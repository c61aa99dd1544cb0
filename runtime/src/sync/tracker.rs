//! Tracks which operations of a context are complete if they may complete in any order.

use super::spin::WaitPolicy;
use crate::sync::locked;
use cushmem_bootstrap::waits::Wait;
use cushmem_record::Cause;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The operations of one context, numbered from 1.
pub(crate) struct Tracker {
    wait_policy: WaitPolicy,
    /// The last number, and the numbers of operations that are not complete.
    open: Mutex<(u64, BTreeSet<u64>)>,
    /// The last number.
    begun: AtomicU64,
    /// All operations up to this number are complete.
    complete: AtomicU64,
}

impl Tracker {
    pub(crate) fn new(wait_policy: WaitPolicy) -> Self {
        Self { wait_policy, open: Mutex::default(), begun: AtomicU64::new(0), complete: AtomicU64::new(0) }
    }

    /// Starts an operation; returns its number.
    pub(crate) fn begin(&self) -> u64 {
        let mut open = self.open();
        open.0 += 1;
        let number = open.0;
        open.1.insert(number);
        // Relaxed: a thread that learned of an operation from the thread that started it sees its number.
        self.begun.store(number, Ordering::Relaxed);
        number
    }

    /// Records that an operation is complete.
    pub(crate) fn finish(&self, number: u64) {
        let mut open = self.open();
        open.1.remove(&number);
        let complete = open.1.first().map_or(open.0, |first| first - 1);
        // SYNC(tracker) release: pairs with the acquires in `completed` and `is_complete`; orders what the operations
        // did before.
        self.complete.store(complete, Ordering::Release);
    }

    /// The last number.
    pub(crate) fn begun(&self) -> u64 {
        // Relaxed: as in `begin`.
        self.begun.load(Ordering::Relaxed)
    }

    /// The number up to which all operations are complete.
    pub(crate) fn completed(&self) -> u64 {
        // SYNC(tracker) acquire: pairs with the release in `finish`.
        self.complete.load(Ordering::Acquire)
    }

    /// Whether all operations up to this number are complete.
    pub(crate) fn is_complete(&self, number: u64) -> bool {
        // SYNC(tracker) acquire: pairs with the release in `finish`.
        self.complete.load(Ordering::Acquire) >= number
    }

    /// Waits for all operations up to this number. `late` returns the PEs that take part in them, for reports.
    pub(crate) fn wait(&self, number: u64, late: impl Fn() -> Vec<u32>) {
        let what = || Wait { what: "copies through host memory".into(), late: late() };
        let look = || self.is_complete(number).then_some(());
        self.wait_policy.wait_unwoken(look, (Cause::Proxy, true), what);
    }

    fn open(&self) -> MutexGuard<'_, (u64, BTreeSet<u64>)> {
        // A panic elsewhere leaves it consistent.
        locked(&self.open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a quiet that returns while an operation older than the one that has just ended is still under way.
    #[test]
    fn what_is_behind_an_open_operation_is_not_complete() {
        let tracker = Tracker::new(WaitPolicy::new(0, false, true, std::time::Duration::from_secs(60)));
        assert!(tracker.is_complete(tracker.begun()), "there are none");
        let [first, second, third] = [(); 3].map(|()| tracker.begin());
        tracker.finish(second);
        assert!(!tracker.is_complete(first) && !tracker.is_complete(second));
        tracker.finish(first);
        assert!(tracker.is_complete(second) && !tracker.is_complete(third));
        tracker.finish(third);
        assert!(tracker.is_complete(tracker.begun()));
    }
}

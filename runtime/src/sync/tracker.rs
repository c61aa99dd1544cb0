//! Which operations of a context are complete, where they may complete in any order.

use super::spin::WaitPolicy;
use crate::sync::locked;
use cushmem_bootstrap::waits::Wait;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The operations of one context, numbered from 1.
pub(crate) struct Tracker {
    wait_policy: WaitPolicy,
    /// The last number, and those that are not complete.
    open: Mutex<(u64, BTreeSet<u64>)>,
    /// The last number.
    begun: AtomicU64,
    /// Up to this number all are complete.
    complete: AtomicU64,
}

impl Tracker {
    pub(crate) fn new(wait_policy: WaitPolicy) -> Self {
        Self { wait_policy, open: Mutex::default(), begun: AtomicU64::new(0), complete: AtomicU64::new(0) }
    }

    /// A new operation's number.
    pub(crate) fn begin(&self) -> u64 {
        let mut open = self.open();
        open.0 += 1;
        let number = open.0;
        open.1.insert(number);
        // Relaxed: whoever learnt of an operation from its thread sees its number.
        self.begun.store(number, Ordering::Relaxed);
        number
    }

    /// Notes that an operation is complete.
    pub(crate) fn finish(&self, number: u64) {
        let mut open = self.open();
        open.1.remove(&number);
        let complete = open.1.first().map_or(open.0, |first| first - 1);
        // SYNC(tracker) release: pairs with the acquire in `is_complete`; what the operations did comes first.
        self.complete.store(complete, Ordering::Release);
    }

    /// The last number.
    pub(crate) fn begun(&self) -> u64 {
        // Relaxed: as in `begin`.
        self.begun.load(Ordering::Relaxed)
    }

    /// Up to which number all are complete.
    pub(crate) fn completed(&self) -> u64 {
        // SYNC(tracker) acquire: pairs with the release in `finish`.
        self.complete.load(Ordering::Acquire)
    }

    /// Whether all operations up to this number are complete.
    pub(crate) fn is_complete(&self, number: u64) -> bool {
        // SYNC(tracker) acquire: pairs with the release in `finish`.
        self.complete.load(Ordering::Acquire) >= number
    }

    /// Waits for all operations up to this number. `late` are the PEs that take part in them, for people.
    pub(crate) fn wait(&self, number: u64, late: impl Fn() -> Vec<u32>) {
        let what = || Wait { what: "copies through host memory".into(), late: late() };
        self.wait_policy.wait_for_network(|| self.is_complete(number).then_some(()), what);
    }

    fn open(&self) -> MutexGuard<'_, (u64, BTreeSet<u64>)> {
        // A panic elsewhere leaves it as it was between two calls.
        locked(&self.open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a quiet that passes while an older operation than the one that has just ended is under way.
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

//! The words through which PEs exchange requests. The models of these protocols replace them by their own.

use std::sync::atomic::{AtomicU64, Ordering};

/// A word that several PEs, or threads of one, share.
pub(crate) trait SharedWord {
    fn load(&self, order: Ordering) -> u64;
    fn store(&self, value: u64, order: Ordering);
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>;
    fn fetch_add(&self, value: u64, order: Ordering) -> u64;
    fn fetch_max(&self, value: u64, order: Ordering) -> u64;
}

impl SharedWord for AtomicU64 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }
    #[inline(always)]
    fn store(&self, value: u64, order: Ordering) {
        self.store(value, order);
    }
    #[inline(always)]
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.compare_exchange(from, to, success, failure)
    }
    #[inline(always)]
    fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.fetch_add(value, order)
    }
    #[inline(always)]
    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.fetch_max(value, order)
    }
}

//! Flags: words of symmetric host memory that one PE writes and that only grow. All waits of barriers and collectives are here.

use crate::Shmem;
use std::sync::atomic::{AtomicU64, Ordering};

/// For whom a PE waits, and in what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Awaited {
    pub(crate) operation: &'static str,
    pub(crate) number: u64,
    /// The PE of the job that is to post.
    pub(crate) pe: u32,
}

impl Shmem {
    /// Sets a flag of which this PE is the only writer; what it stored before is visible to whoever sees it.
    #[inline(always)]
    pub(crate) fn post(&self, flag: &AtomicU64, value: u64) {
        // SYNC(host-flag) release: pairs with the acquire in `await_flag`.
        flag.store(value, Ordering::Release);
    }

    /// Waits until a flag has come to `value` or beyond.
    #[inline(always)]
    pub(crate) fn await_flag(&self, flag: &AtomicU64, value: u64, awaited: impl FnOnce() -> Awaited) {
        // SYNC(host-flag) acquire: pairs with the release in `post`.
        if flag.load(Ordering::Acquire) < value {
            self.await_flag_long(flag, value, awaited());
        }
    }

    #[inline(never)]
    fn await_flag_long(&self, flag: &AtomicU64, value: u64, awaited: Awaited) {
        // SYNC(host-flag) acquire: pairs with the release in `post`.
        let look = || (flag.load(Ordering::Acquire) >= value).then_some(());
        // A PE may come late for good reason, so the wait goes on; but somebody who looks should learn for whom.
        let mut waited = self.wait_limit;
        while self.patience.wait(Some(self.wait_limit), look).is_none() {
            let Awaited { operation, number, pe } = awaited;
            let (my_pe, seconds) = (self.my_pe(), waited.as_secs());
            eprintln!("cushmem: PE {my_pe}: {operation} {number}: waiting for PE {pe} since {seconds} s");
            waited += self.wait_limit;
        }
    }
}

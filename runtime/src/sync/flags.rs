//! Flags: words in the control areas that one PE writes and whose value only grows. All waits of barriers and
//! collectives are here.
//!
//! ```text
//!   sender:   store flag (release) ── load the area's `sleepers` ── if not 0: FUTEX_WAKE flag
//!   receiver: sleepers += 1 ── look at flag ── FUTEX_WAIT flag for 1 to 10 ms ── sleepers -= 1 ── look at flag …
//! ```
//!
//! *Writers.* A flag has one sender. It lies in the area of its only receiver or, if many PEs look at it, in the area
//! of its sender. `sleepers` counts the threads that sleep for flags of this area; only they write it, and senders read
//! it. It has a cache line of its own, so as long as nobody sleeps, all senders have that line in their caches.
//!
//! *A wake-up can be missed.* The sender's load may pass its own store: it can read 0 just before the receiver counts
//! itself, and the store can reach memory after the operating system has compared the flag. A full fence between the
//! two would exclude this, but would cost each post several times as much as the post itself. Instead, each sleep ends
//! after at most 10 ms, and the receiver looks again. A miss adds a few milliseconds to a wait that was long already,
//! and it requires a store that stays in the sender's store buffer for the duration of a system call.
//!
//! *Stores of the network* wake nobody, so sleeps for flags of PEs of other nodes end after at most 1 ms.
//!
//! *When a sender dies*, the receiver continues to wait, and reports for whom, until the launcher ends the job.

use crate::PeSet;
use crate::job::Pe;
use crate::sync::Sync;
use crate::sync::park::{self, FutexWord};
use crate::sync::sealed::SealedFlag;
use crate::sync::spin::Parking;
use cushmem_bootstrap::PeList;
use cushmem_bootstrap::waits::Wait;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which PE is waited for, and in which operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Awaited {
    pub(crate) operation: &'static str,
    /// The members of the operation.
    pub(crate) pes: PeSet,
    /// The PE of the job that must post.
    pub(crate) pe: Pe,
    /// The PE whose area contains the flag.
    pub(crate) area: Pe,
    /// Whether the network writes the flag.
    pub(crate) by_network: bool,
}

impl Awaited {
    fn wait(&self, n_pes: u32) -> Wait {
        let Self { operation, pes, .. } = *self;
        let what = if pes == PeSet::all(n_pes) {
            format!("{operation} of all PEs")
        } else {
            let pes: Vec<u32> = (0..pes.size()).map(|number| pes.at(number).number()).collect();
            format!("{operation} of {}", PeList(&pes))
        };
        Wait { what, late: vec![self.pe.number()] }
    }
}

impl Sync {
    /// Sets a flag in the area of PE `area`; this PE is its only writer. Whoever sees the new value also sees
    /// everything that this PE stored before.
    #[inline(always)]
    pub(crate) fn post(&self, area: Pe, flag: &AtomicU64, value: u64) {
        // SYNC(host-flag) release: pairs with the acquire in `await_flag`.
        flag.store(value, Ordering::Release);
        self.wake(area, FutexWord::Long(flag));
    }

    /// Wakes the threads that sleep for a word in the area of PE `area`, which the caller has just stored to.
    #[inline(always)]
    pub(crate) fn wake(&self, area: Pe, word: FutexWord<'_>) {
        // Relaxed: the load may come too early, as the module's documentation explains; the limit of the sleep covers
        // that.
        if self.control.sleepers(area).load(Ordering::Relaxed) != 0 {
            park::wake(word);
        }
    }

    /// Waits until a flag has reached `value`; returns the flag's value.
    #[inline(always)]
    pub(crate) fn await_flag(&self, flag: &AtomicU64, value: u64, awaited: impl FnOnce() -> Awaited) -> u64 {
        // SYNC(host-flag) acquire: pairs with the release in `post`.
        let seen = flag.load(Ordering::Acquire);
        if seen >= value { seen } else { self.await_flag_long(flag, value, awaited()) }
    }

    #[inline(never)]
    fn await_flag_long(&self, flag: &AtomicU64, value: u64, awaited: Awaited) -> u64 {
        // SYNC(host-flag) acquire: pairs with the release in `post`, or with that of the network.
        let look = || Some(flag.load(Ordering::Acquire)).filter(|&seen| seen >= value);
        let parking = self.parking(awaited.area, FutexWord::Long(flag), awaited.by_network);
        self.wait_policy.wait(look, Some(parking), || awaited.wait(self.job.n_pes()))
    }

    /// Waits until a flag that a PE of another node puts has reached `value`; returns the flag's value.
    pub(crate) fn await_sealed(
        &self,
        flag: SealedFlag<'_, AtomicU64>,
        value: u64,
        awaited: impl Fn() -> Awaited,
    ) -> u64 {
        let long = || {
            let parking = self.parking(awaited().area, FutexWord::Long(flag.head), true);
            self.wait_policy.wait(|| flag.reached(value), Some(parking), || awaited().wait(self.job.n_pes()))
        };
        flag.reached(value).unwrap_or_else(long)
    }

    /// How a thread of this PE sleeps for a word in the area of PE `area`. `by_network` says whether a PE of another
    /// node may write the word.
    pub(crate) fn parking<'a>(&'a self, area: Pe, word: FutexWord<'a>, by_network: bool) -> Parking<'a> {
        Parking { word, sleepers: self.control.sleepers(area), by_network }
    }
}

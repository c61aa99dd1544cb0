//! Flags: words of symmetric host memory that one PE writes and that only grow. All waits of barriers and collectives are here.
//!
//! ```text
//!   sender:   store flag (release) ── load the slice's `sleepers` ── if not 0: FUTEX_WAKE flag
//!   receiver: sleepers += 1 ── look at flag ── FUTEX_WAIT flag for 1 to 10 ms ── sleepers -= 1 ── look at flag …
//! ```
//!
//! *Who writes what*: a flag has one sender. It lies in the slice of its only receiver, or in that of its sender, when many look at it.
//! `sleepers` counts the threads that sleep for flags of this slice, is written by these alone and read by the senders. It has a cache
//! line of its own, so as long as nobody sleeps, all senders have it in their caches.
//!
//! *A wake-up can be missed.* The sender's load may pass its own store: it can read 0 just before the receiver counts itself, and the store
//! come to memory after the kernel has compared the flag. A full fence between the two would exclude that, and cost each
//! post several times what the post itself costs. Instead each sleep ends after 10 ms at most, and the receiver looks again: a miss costs a wait
//! that was long already a few milliseconds more, and it needs a store that stays in the sender's buffer for the time of a system call.
//!
//! *When a sender dies* the receiver waits on until the launcher ends the job; meanwhile it says for whom it waits.

use crate::futex::{self, Word};
use crate::spin::Bed;
use crate::{PeSet, Shmem};
use cushmem_bootstrap::PeList;
use cushmem_bootstrap::waits::Wait;
use std::sync::atomic::{AtomicU64, Ordering};

/// For whom a PE waits, and in what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Awaited {
    pub(crate) operation: &'static str,
    /// Who takes part.
    pub(crate) pes: PeSet,
    /// The PE of the job that is to post.
    pub(crate) pe: u32,
    /// The PE in whose slice the flag lies.
    pub(crate) slice: u32,
}

impl Awaited {
    fn wait(&self, n_pes: u32) -> Wait {
        let Self { operation, pes, .. } = *self;
        let what = if pes == PeSet::all(n_pes) {
            format!("{operation} of all PEs")
        } else {
            let pes: Vec<u32> = (0..pes.size()).map(|number| pes.at(number)).collect();
            format!("{operation} of {}", PeList(&pes))
        };
        Wait { what, late: vec![self.pe] }
    }
}

impl Shmem {
    /// Sets a flag in the slice of PE `slice`, of which this PE is the only writer; what it stored before is visible to whoever sees it.
    #[inline(always)]
    pub(crate) fn post(&self, slice: u32, flag: &AtomicU64, value: u64) {
        // SYNC(host-flag) release: pairs with the acquire in `await_flag`.
        flag.store(value, Ordering::Release);
        self.wake(slice, Word::Long(flag));
    }

    /// Wakes the threads that sleep for a word in the slice of PE `slice` which was just stored to.
    #[inline(always)]
    pub(crate) fn wake(&self, slice: u32, word: Word<'_>) {
        // Relaxed: as argued above, it may come too early.
        if self.host.sleepers(slice).load(Ordering::Relaxed) != 0 {
            futex::wake(word);
        }
    }

    /// Waits until a flag has come to `value` or beyond; returns where it is.
    #[inline(always)]
    pub(crate) fn await_flag(&self, flag: &AtomicU64, value: u64, awaited: impl FnOnce() -> Awaited) -> u64 {
        // SYNC(host-flag) acquire: pairs with the release in `post`.
        let seen = flag.load(Ordering::Acquire);
        if seen >= value { seen } else { self.await_flag_long(flag, value, awaited()) }
    }

    #[inline(never)]
    fn await_flag_long(&self, flag: &AtomicU64, value: u64, awaited: Awaited) -> u64 {
        // SYNC(host-flag) acquire: pairs with the release in `post`.
        let look = || Some(flag.load(Ordering::Acquire)).filter(|&seen| seen >= value);
        let bed = self.bed(awaited.slice, Word::Long(flag));
        self.patience.wait(look, Some(bed), || awaited.wait(self.n_pes()))
    }

    /// Where a thread of this PE sleeps that waits for this word, which lies in the slice of PE `slice`.
    pub(crate) fn bed<'a>(&'a self, slice: u32, word: Word<'a>) -> Bed<'a> {
        Bed { word, sleepers: self.host.sleepers(slice) }
    }
}

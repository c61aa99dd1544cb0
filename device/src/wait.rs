use crate::cmp::Cmp;
use crate::recorded::{Begun, NO_PE};
use crate::{DevPtr, Word, arch, report};
use core::cell::Cell;
use cushmem_abi::KernelOperation;

/// Polls before [`wait_until`] reads the clock: some milliseconds.
pub(crate) const LOOKS_WITHOUT_CLOCK: u32 = 4096;
/// Shorter waits in a barrier are not reported.
pub(crate) const REPORT_AFTER_NS: u64 = 10_000_000;
/// Polls between two reports.
pub(crate) const LOOKS_PER_REPORT: u32 = 1024;

/// Waits until the word `ivar` of this PE compares with `value` as `cmp` says, and returns the word
/// (`shmem_wait_until`, OpenSHMEM 1.6, 9.11). Everything that the writer stored before, as ordered by its fences, is
/// then visible to this lane. The wait has no limit; `shmemrun --status` shows what a hanging lane waits for.
///
/// ```
/// use cushmem_device::{Cmp, DevPtr, kernels, wait_until};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Waits for a number above 0 and takes it.
///     pub unsafe fn take(word: DevPtr<i64>, taken: DevPtr<i64>) {
///         taken.write(wait_until(word, Cmp::Gt, 0));
///     }
/// }
/// ```
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub unsafe fn wait_until<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T) -> T {
    let from = Begun::alone();
    // SAFETY: the caller guarantees the same.
    let result = unsafe { wait_plain(ivar, cmp, value) };
    from.end(KernelOperation::Wait, NO_PE, 0, ivar.address());
    result
}

/// # Safety
/// The conditions of [`wait_until`].
#[inline(always)]
unsafe fn wait_plain<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T) -> T {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe {
        match look(ivar, cmp, value) {
            (word, true) => word,
            (_, false) => wait_long(ivar, cmp, value, u64::MAX),
        }
    }
}

/// The first polls of [`wait_until`]. Returns the last value that was read, and whether the wait is over.
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub(crate) unsafe fn look<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T) -> (T, bool) {
    let mut looks = 0u32;
    loop {
        // SAFETY: the caller guarantees that the word is valid.
        // SYNC(signal) acquire.sys: pairs with the release of the signal or fence before the peer's store.
        let word = unsafe { T::load_acquire_sys(ivar) };
        if cmp.holds(word, value) {
            return (word, true);
        }
        arch::pause();
        looks += 1;
        if looks == LOOKS_WITHOUT_CLOCK {
            return (word, false);
        }
    }
}

/// Waits like [`wait_until`], but gives up after `limit_ns` nanoseconds and returns `None`. `shmemrun --status` does
/// not show such a wait, only waits without a limit and barriers, so the kernel itself has to report it.
///
/// ```
/// use cushmem_device::{Cmp, DevPtr, kernels, wait_until_for};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Takes a number above 0, or -1 if none has come after a second.
///     pub unsafe fn take(word: DevPtr<i64>, taken: DevPtr<i64>) {
///         taken.write(wait_until_for(word, Cmp::Gt, 0, 1_000_000_000).unwrap_or(-1));
///     }
/// }
/// ```
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub unsafe fn wait_until_for<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T, limit_ns: u64) -> Option<T> {
    let from = Begun::alone();
    // SAFETY: the caller guarantees the same.
    let result = unsafe { wait_for_plain(ivar, cmp, value, limit_ns) };
    // One that is too late has not been ended by anybody.
    from.end(KernelOperation::Wait, NO_PE, 0, if result.is_some() { ivar.address() } else { 0 });
    result
}

/// # Safety
/// The conditions of [`wait_until_for`].
#[inline(always)]
unsafe fn wait_for_plain<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T, limit_ns: u64) -> Option<T> {
    let start = arch::globaltimer();
    let (mut looks, mut elapsed_ns) = (0u32, 0);
    loop {
        // SAFETY: the caller guarantees that the word is valid.
        // SYNC(signal) acquire.sys: pairs with the release of the signal or fence before the peer's store.
        let word = unsafe { T::load_acquire_sys(ivar) };
        if cmp.holds(word, value) {
            return Some(word);
        }
        // After a poll, so that a lane which was stopped for a while does not miss a value that has arrived.
        if elapsed_ns > limit_ns {
            return None;
        }
        arch::pause();
        looks = looks.wrapping_add(1);
        // Reading the clock is slow, so it is read only now and then.
        if looks.is_multiple_of(64) {
            elapsed_ns = arch::globaltimer().wrapping_sub(start);
        }
    }
}

/// Returns the limit of the library's own waits; the largest number if there is none.
#[inline(always)]
pub fn wait_limit_ns() -> u64 {
    match arch::context_wait_limit_ns() {
        0 => u64::MAX,
        limit => limit,
    }
}

/// The polls of a lane that waits for something other than a word of its own, such as a free slot, up to the limit of
/// the library's waits.
pub(crate) struct Polls {
    number: Cell<u32>,
    /// 0 before the wait reads the clock for the first time, and the highest number once its limit has passed.
    since: Cell<u64>,
}

impl Polls {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { number: Cell::new(0), since: Cell::new(0) }
    }

    /// Called between two polls. Returns how long the wait has lasted, in nanoseconds, when it reads the clock, which
    /// is slow: at the first of 64 calls.
    #[inline(always)]
    pub(crate) fn count(&self) -> Option<u64> {
        let number = self.number.get();
        self.number.set(number.wrapping_add(1));
        if !number.is_multiple_of(64) {
            return None;
        }
        let now = arch::globaltimer();
        if self.since.get() == 0 {
            self.since.set(now);
        }
        Some(now.wrapping_sub(self.since.get()))
    }

    /// Whether a wait of this length is too long. When the limit has passed, polls go on until the clock is read again:
    /// the lane may have been stopped for a while, and what came while it was not looking is not late.
    #[inline(always)]
    pub(crate) fn is_late(&self, elapsed: u64) -> bool {
        let limit = arch::context_wait_limit_ns();
        limit != 0 && elapsed > limit && self.since.replace(u64::MAX) == u64::MAX
    }

    /// The next wait begins, or there was progress.
    #[inline(always)]
    pub(crate) fn begin(&self) {
        self.since.set(0);
    }
}

/// [`wait_until_for`] for the library itself: the host can read what this lane waits for.
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub(crate) unsafe fn wait_reported_for<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T, limit_ns: u64) -> Option<T> {
    let short_ns = limit_ns.min(REPORT_AFTER_NS);
    // SAFETY: the caller guarantees that the word is valid.
    if let Some(word) = unsafe { wait_for_plain(ivar, cmp, value, short_ns) } {
        return Some(word);
    }
    let end = arch::globaltimer().saturating_add(limit_ns - short_ns);
    // SAFETY: the caller guarantees that the word is valid.
    let word = unsafe { wait_long(ivar, cmp, value, end) };
    cmp.holds(word, value).then_some(word)
}

/// The rest of a long wait, until the clock reaches `end`: the host can read what this lane waits for. Returns the last
/// value of the word. It is a call with little to remember, because kernels would otherwise need more registers for it.
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[cold]
#[inline(never)]
pub(crate) unsafe fn wait_long<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T, end: u64) -> T {
    let (mut looks, mut late, mut reported) = (0u32, false, false);
    let last = loop {
        // SAFETY: the caller guarantees that the word is valid.
        // SYNC(signal) acquire.sys: pairs with the release of the signal or fence before the peer's store.
        let word = unsafe { T::load_acquire_sys(ivar) };
        if late || cmp.holds(word, value) {
            break word;
        }
        if looks.is_multiple_of(LOOKS_PER_REPORT) {
            reported = report::write(reported, ivar, cmp, value, word);
        }
        arch::pause();
        looks = looks.wrapping_add(1);
        late = looks.is_multiple_of(64) && arch::globaltimer() > end;
    };
    if reported {
        report::withdraw();
    }
    last
}

/// Waits like [`wait_until`], on a signal word (`shmem_signal_wait_until`, OpenSHMEM 1.6, 9.11).
/// [`Block`](crate::Block) has an example.
///
/// # Safety
/// `sig` is a valid, aligned word.
#[inline(always)]
pub unsafe fn signal_wait_until(sig: DevPtr<u64>, cmp: Cmp, value: u64) -> u64 {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { wait_until(sig, cmp, value) }
}

/// Waits like [`signal_wait_until`], but gives up after `limit_ns` nanoseconds and returns `None`.
/// [`wait_until_for`] has an example.
///
/// # Safety
/// `sig` is a valid, aligned word.
#[inline(always)]
pub unsafe fn signal_wait_until_for(sig: DevPtr<u64>, cmp: Cmp, value: u64, limit_ns: u64) -> Option<u64> {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { wait_until_for(sig, cmp, value, limit_ns) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a limit that starts again when the number of polls wraps around, after 2³² of them.
    #[test]
    fn a_wait_begins_once() {
        arch::in_lane([0; 3], [1; 3]);
        let polls = Polls { number: Cell::new(0), since: Cell::new(5) };
        assert!(polls.count().is_some_and(|elapsed| elapsed > 0));
        assert_eq!(polls.since.get(), 5);
    }

    /// Catches a lane that was stopped until the limit had passed, and ends its kernel before it looks again.
    #[test]
    fn a_lane_that_was_stopped_looks_again() {
        arch::in_lane([0; 3], [1; 3]);
        let long = 2 * arch::context_wait_limit_ns();
        let polls = Polls { number: Cell::new(0), since: Cell::new(arch::globaltimer().wrapping_sub(long)) };
        let look = || polls.count().map(|elapsed| polls.is_late(elapsed));
        assert_eq!(look(), Some(false), "it looks once more");
        assert_eq!((1..64).find_map(|_| look()), None, "the clock is read at the first of 64 polls");
        assert_eq!(look(), Some(true));
        polls.begin();
        polls.number.set(64);
        assert_eq!(look(), Some(false), "the next wait has a limit of its own");
    }
}

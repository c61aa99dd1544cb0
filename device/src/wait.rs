use crate::{DevPtr, Word, arch};

/// Comparison of a word with a value (OpenSHMEM 1.6, table 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Cmp {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Greater.
    Gt = 2,
    /// Less or equal.
    Le = 3,
    /// Less.
    Lt = 4,
    /// Greater or equal.
    Ge = 5,
}

impl Cmp {
    /// Whether `word` compares so with `value`.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, word: T, value: T) -> bool {
        match self {
            Cmp::Eq => word == value,
            Cmp::Ne => word != value,
            Cmp::Gt => word > value,
            Cmp::Le => word <= value,
            Cmp::Lt => word < value,
            Cmp::Ge => word >= value,
        }
    }
}

/// Waits until the word `ivar` of this PE compares with `value` as wanted, and returns it. What the writer stored before (in the
/// order of its fences) is visible to this lane then (`shmem_wait_until`, OpenSHMEM 1.6, 9.11). Waits for ever.
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub unsafe fn wait_until<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T) -> T {
    loop {
        // SAFETY: the caller vouches for the word.
        // SYNC(signal) acquire.sys: pairs with the release of the signal or fence before the peer's store.
        let word = unsafe { T::load_acquire_sys(ivar) };
        if cmp.holds(word, value) {
            return word;
        }
        arch::pause();
    }
}

/// As [`wait_until`], but gives up after `limit_ns` nanoseconds and returns `None`.
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub unsafe fn wait_until_for<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T, limit_ns: u64) -> Option<T> {
    let start = arch::globaltimer();
    let (mut looks, mut elapsed_ns) = (0u32, 0);
    loop {
        // SAFETY: the caller vouches for the word.
        // SYNC(signal) acquire.sys: pairs with the release of the signal or fence before the peer's store.
        let word = unsafe { T::load_acquire_sys(ivar) };
        if cmp.holds(word, value) {
            return Some(word);
        }
        // After a look, so that a lane which was stopped for a while does not miss what has come.
        if elapsed_ns > limit_ns {
            return None;
        }
        arch::pause();
        looks = looks.wrapping_add(1);
        // The clock is slow to read: look at it now and then.
        if looks.is_multiple_of(64) {
            elapsed_ns = arch::globaltimer().wrapping_sub(start);
        }
    }
}

/// [`wait_until`] on a signal word (`shmem_signal_wait_until`, OpenSHMEM 1.6, 9.11).
///
/// # Safety
/// `sig` is a valid, aligned word.
#[inline(always)]
pub unsafe fn signal_wait_until(sig: DevPtr<u64>, cmp: Cmp, value: u64) -> u64 {
    // SAFETY: the caller vouches for the word.
    unsafe { wait_until(sig, cmp, value) }
}

/// As [`signal_wait_until`], but gives up after `limit_ns` nanoseconds and returns `None`.
///
/// # Safety
/// `sig` is a valid, aligned word.
#[inline(always)]
pub unsafe fn signal_wait_until_for(sig: DevPtr<u64>, cmp: Cmp, value: u64, limit_ns: u64) -> Option<u64> {
    // SAFETY: the caller vouches for the word.
    unsafe { wait_until_for(sig, cmp, value, limit_ns) }
}

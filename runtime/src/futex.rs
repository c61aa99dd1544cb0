//! Sleeping until a word in shared memory changes, with the kernel's help. The memory is shared between processes, so the calls do
//! without `FUTEX_PRIVATE_FLAG`.

use std::ptr::null;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// A word to sleep for.
#[derive(Clone, Copy)]
pub(crate) enum Word<'a> {
    /// All of it is compared.
    Short(&'a AtomicU32),
    /// The kernel compares 32 bits only: the lower ones, which change with each addition.
    Long(&'a AtomicU64),
}

impl Word<'_> {
    /// What [`wait`] compares, as it is now. A long word is loaded whole, as it is stored whole.
    pub(crate) fn value(self) -> u32 {
        match self {
            // Relaxed: only to be compared.
            Self::Short(word) => word.load(Ordering::Relaxed),
            // Relaxed: as above.
            Self::Long(word) => word.load(Ordering::Relaxed) as u32,
        }
    }

    fn address(self) -> *const u32 {
        match self {
            Self::Short(word) => word.as_ptr(),
            Self::Long(word) => word.as_ptr().cast::<u32>().wrapping_add(usize::from(cfg!(target_endian = "big"))),
        }
    }
}

/// Sleeps unless the word differs from `seen`: until somebody calls [`wake`], for `limit` at most. May return early.
pub(crate) fn wait(word: Word<'_>, seen: u32, limit: Duration) {
    let limit = libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(limit.subsec_nanos() as i32),
    };
    // SAFETY: the word is valid for the call, and the time outlives it. Whatever it returns, the caller looks again.
    unsafe {
        libc::syscall(libc::SYS_futex, word.address(), libc::FUTEX_WAIT, seen, &raw const limit, null::<u32>(), 0)
    };
}

/// Wakes all who sleep for this word, here or in other processes.
#[cold]
pub(crate) fn wake(word: Word<'_>) {
    // SAFETY: the kernel only looks the address up.
    unsafe {
        libc::syscall(libc::SYS_futex, word.address(), libc::FUTEX_WAKE, i32::MAX, null::<u32>(), null::<u32>(), 0)
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    const NEVER: Duration = Duration::from_secs(60);

    #[test]
    fn a_word_that_has_changed_lets_nobody_sleep() {
        let start = Instant::now();
        wait(Word::Short(&AtomicU32::new(2)), 1, NEVER);
        wait(Word::Long(&AtomicU64::new(2)), 1, NEVER);
        assert!(start.elapsed() < NEVER);
    }

    #[test]
    fn a_sleep_ends_by_itself_and_by_a_waker() {
        let long = AtomicU64::new(1 << 40 | 1);
        sleeps_and_wakes(Word::Short(&AtomicU32::new(1)));
        sleeps_and_wakes(Word::Long(&long));
        assert_eq!(Word::Long(&long).value(), 1);
    }

    fn sleeps_and_wakes(word: Word<'_>) {
        let is_awake = AtomicBool::new(false);
        wait(word, 1, Duration::from_millis(1));
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                wait(word, 1, NEVER);
                is_awake.store(true, Ordering::SeqCst);
            });
            // The word never changes, so only a wake ends the sleep, once it has begun.
            while !is_awake.load(Ordering::SeqCst) && start.elapsed() < NEVER {
                wake(word);
                std::thread::yield_now();
            }
        });
        assert!(start.elapsed() < NEVER);
    }
}

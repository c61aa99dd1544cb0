//! Sleeps until a word in shared memory changes, by futexes. The memory is shared between processes, so the calls do
//! not use `FUTEX_PRIVATE_FLAG`.

use std::ptr::null;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// A word that a thread sleeps for.
#[derive(Clone, Copy)]
pub(crate) enum FutexWord<'a> {
    /// The whole word is compared.
    Short(&'a AtomicU32),
    /// A futex compares only 32 bits: the lower ones, which change with each addition.
    Long(&'a AtomicU64),
}

impl FutexWord<'_> {
    /// The current value that [`wait`] compares. A long word is loaded as a whole, because it is stored as a whole.
    pub(crate) fn value(self) -> u32 {
        match self {
            // Relaxed: the value is only compared.
            Self::Short(word) => word.load(Ordering::Relaxed),
            // Relaxed: the value is only compared.
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

/// The length of a sleep for a word that a futex cannot watch. Futexes do not work in memory that a GPU's driver
/// allocated, and with a GPU, the host heap consists of such memory. Nobody can end this sleep early.
const UNKNOWN_SLEEP: Duration = Duration::from_millis(1);

/// Sleeps until somebody calls [`wake`], for at most `limit`. Does not sleep if the word differs from `seen`. May
/// return early.
pub(crate) fn wait(word: FutexWord<'_>, seen: u32, limit: Duration) {
    wait_at(word.address(), seen, limit);
}

fn wait_at(address: *const u32, seen: u32, limit: Duration) {
    let time = libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(limit.subsec_nanos() as i32),
    };
    // SAFETY: the system checks the address, and the time outlives the call. Whatever the call returns, the caller
    // looks again.
    let slept =
        unsafe { libc::syscall(libc::SYS_futex, address, libc::FUTEX_WAIT, seen, &raw const time, null::<u32>(), 0) };
    if slept < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT) {
        std::thread::sleep(limit.min(UNKNOWN_SLEEP));
    }
}

/// Wakes all threads, of this or other processes, that sleep for this word.
#[cold]
pub(crate) fn wake(word: FutexWord<'_>) {
    // SAFETY: the system only looks up the address.
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
        wait(FutexWord::Short(&AtomicU32::new(2)), 1, NEVER);
        wait(FutexWord::Long(&AtomicU64::new(2)), 1, NEVER);
        assert!(start.elapsed() < NEVER);
    }

    /// Catches a wait that spins with system calls if the word cannot be watched.
    #[test]
    fn a_word_that_the_kernel_cannot_watch_is_slept_for_by_the_clock() {
        // SAFETY: a new mapping that nobody accesses; the system refuses to watch its words.
        let hidden = unsafe { libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_NONE, HIDDEN, -1, 0) };
        assert_ne!(hidden, libc::MAP_FAILED);
        let start = Instant::now();
        wait_at(hidden.cast(), 0, UNKNOWN_SLEEP);
        assert!(start.elapsed() >= UNKNOWN_SLEEP);
        // SAFETY: mapped above.
        unsafe { libc::munmap(hidden, 4096) };
    }

    const HIDDEN: libc::c_int = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;

    #[test]
    fn a_sleep_ends_by_itself_and_by_a_waker() {
        let long = AtomicU64::new(1 << 40 | 1);
        sleeps_and_wakes(FutexWord::Short(&AtomicU32::new(1)));
        sleeps_and_wakes(FutexWord::Long(&long));
        assert_eq!(FutexWord::Long(&long).value(), 1);
    }

    fn sleeps_and_wakes(word: FutexWord<'_>) {
        let is_awake = AtomicBool::new(false);
        wait(word, 1, Duration::from_millis(1));
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                wait(word, 1, NEVER);
                is_awake.store(true, Ordering::SeqCst);
            });
            // The word never changes, so once the sleep has started, only a wake-up ends it.
            while !is_awake.load(Ordering::SeqCst) && start.elapsed() < NEVER {
                wake(word);
                std::thread::yield_now();
            }
        });
        assert!(start.elapsed() < NEVER);
    }
}

//! How a thread waits for a word that another will change: it looks, then looks and yields, then sleeps.
//!
//! | phase | as long as | what a late word costs |
//! |---|---|---|
//! | looks | 64 looks; none where there is a network | nothing |
//! | looks and yields | [`AWAKE`], or [`AWAKE_SHARING`] where PEs share cores | nothing, or a turn of the thread that has the core |
//! | sleeps | the rest | until the sleep ends: a waker ends it, or the clock |
//!
//! What ends a sleep depends on the word. **The library's own words** are written through
//! [`post`](crate::sync::Sync::post), which wakes the threads that sleep for them; `flags` argues why that may fail now
//! and then, so these sleeps end after 1 to 10 ms anyway. **The program's words** are written by plain stores, which
//! wake nobody: sleeps take a sixteenth of what has been waited so far, up to 1 ms, so that they lengthen a wait by
//! little and an idle wait costs about one look a millisecond. **Words of copies** are the library's, but a GPU's
//! stream writes them and wakes nobody either, so waits for them sleep in the same way; so do waits for words that the
//! network may write.
//!
//! A thread that has waited long publishes what for (`cushmem_bootstrap::waits`), in the phase of sleeping only.

use crate::sync::park::{self, FutexWord};
use cushmem_bootstrap::waits::{PUBLISH_AFTER, Published, Wait, publish};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Looks before the first turn of looks and a yield.
const LOOKS: u32 = 64;
/// How long a thread that has a core of its own stays awake. Waking takes tens of microseconds, so a wait of this
/// length is lengthened by a few per cent at most.
const AWAKE: Duration = Duration::from_millis(2);
/// The same where PEs share cores: a thread that yields still takes turns, which threads with something to do could
/// use.
const AWAKE_SHARING: Duration = Duration::from_micros(200);
/// A sleep's part of what has been waited.
const SLEEP_PART: u32 = 16;
const WOKEN_SLEEP: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(10));
const TIMED_SLEEP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));
/// How often a published wait is brought up to date.
const REFRESH: Duration = Duration::from_millis(100);

/// How the threads of a PE wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitPolicy {
    my_pe: u32,
    /// Looks at the word between two yields: few when PEs share cores, as the PE that is waited for may need this core;
    /// few too where there is a network, as its thread may.
    looks_per_yield: u32,
    first_looks: u32,
    awake: Duration,
    /// How often to complain on stderr about PEs that are late.
    complain: Duration,
}

/// Where a sleeping thread is woken.
#[derive(Clone, Copy)]
pub(crate) struct Parking<'a> {
    /// The word whose change ends the wait.
    pub(crate) word: FutexWord<'a>,
    /// How many threads sleep for words of the same area: the waker looks whether there are any.
    pub(crate) sleepers: &'a AtomicU32,
    /// Whether it may also be changed by the network, which wakes nobody.
    pub(crate) by_network: bool,
}

impl WaitPolicy {
    pub(crate) fn new(my_pe: u32, oversubscribed: bool, has_network: bool, complain: Duration) -> Self {
        let looks_per_yield = if oversubscribed || has_network { 16 } else { 4096 };
        let awake = if oversubscribed { AWAKE_SHARING } else { AWAKE };
        let first_looks = if has_network { 0 } else { LOOKS };
        Self { my_pe, looks_per_yield, first_looks, awake, complain }
    }

    /// Calls `look` until it returns something. `what` describes the wait, for reports. With a `parking` it is the
    /// library's own wait, which is reported on stderr after each wait limit; without, it is the program's.
    #[inline]
    pub(crate) fn wait<T>(
        &self,
        mut look: impl FnMut() -> Option<T>,
        parking: Option<Parking<'_>>,
        what: impl Fn() -> Wait,
    ) -> T {
        for _ in 0..self.first_looks {
            if let Some(found) = look() {
                return found;
            }
            std::hint::spin_loop();
        }
        self.wait_awake(look, parking, parking.is_some(), &what)
    }

    /// The library's own wait for what the network is to do: as [`WaitPolicy::wait`], without anybody who wakes.
    #[inline]
    pub(crate) fn wait_for_network<T>(&self, mut look: impl FnMut() -> Option<T>, what: impl Fn() -> Wait) -> T {
        look().unwrap_or_else(|| self.wait_awake(look, None, true, &what))
    }

    /// The same for what a GPU is to do.
    #[inline]
    pub(crate) fn wait_for_gpu<T>(&self, mut look: impl FnMut() -> Option<T>, what: impl Fn() -> Wait) -> T {
        for _ in 0..LOOKS {
            if let Some(found) = look() {
                return found;
            }
            std::hint::spin_loop();
        }
        self.wait_awake(look, None, true, &what)
    }

    #[cold]
    fn wait_awake<T>(
        &self,
        mut look: impl FnMut() -> Option<T>,
        parking: Option<Parking<'_>>,
        is_own: bool,
        what: &dyn Fn() -> Wait,
    ) -> T {
        // Where there is a network most waits end in the first turn, before anybody has asked for the time.
        let mut begun = (self.first_looks > 0).then(Instant::now);
        let start = loop {
            for _ in 0..self.looks_per_yield {
                if let Some(found) = look() {
                    return found;
                }
                std::hint::spin_loop();
            }
            match begun {
                Some(start) if start.elapsed() > self.awake => break start,
                Some(_) => std::thread::yield_now(),
                None => {
                    std::thread::yield_now();
                    begun = Some(Instant::now());
                }
            }
        };
        let mut long = LongWait {
            wait_policy: self,
            start,
            is_own,
            published: None,
            refresh: PUBLISH_AFTER,
            complain: self.complain,
        };
        loop {
            let waited = start.elapsed();
            long.note(waited, what);
            let (shortest, longest) = match parking {
                Some(Parking { by_network: false, .. }) => WOKEN_SLEEP,
                _ => TIMED_SLEEP,
            };
            if let Some(found) = sleep(&mut look, parking, (waited / SLEEP_PART).clamp(shortest, longest)) {
                return found;
            }
        }
    }
}

/// Sleeps once unless `look` finds something before; looks again after.
fn sleep<T>(look: &mut impl FnMut() -> Option<T>, parking: Option<Parking<'_>>, length: Duration) -> Option<T> {
    let Some(Parking { word, sleepers, .. }) = parking else {
        std::thread::sleep(length);
        return look();
    };
    // Relaxed: the kernel reads the word after a full fence of its own, and a waker that misses this is what the limit
    // is for.
    sleepers.fetch_add(1, Ordering::Relaxed);
    // A word that changes after this does not let the thread sleep.
    let seen = word.value();
    let found = look();
    if found.is_none() {
        park::wait(word, seen, length);
    }
    // Relaxed: a waker that still counts this thread makes a system call too many, no more.
    sleepers.fetch_sub(1, Ordering::Relaxed);
    found.or_else(look)
}

/// What others learn of a wait.
struct LongWait<'a> {
    wait_policy: &'a WaitPolicy,
    start: Instant,
    is_own: bool,
    published: Option<Published>,
    refresh: Duration,
    complain: Duration,
}

impl LongWait<'_> {
    /// Publishes and complains when it is time to.
    fn note(&mut self, waited: Duration, what: &dyn Fn() -> Wait) {
        if waited < self.refresh {
            return;
        }
        self.refresh = waited + REFRESH;
        let wait = what();
        // A PE may come late for good reason, so the wait goes on, but the user should learn which PE is late.
        if self.is_own && waited >= self.complain {
            eprintln!("cushmem: PE {}: {wait} since {} s", self.wait_policy.my_pe, self.complain.as_secs());
            self.complain += self.wait_policy.complain;
        }
        match &self.published {
            Some(published) => published.update(wait),
            None => self.published = Some(publish(self.start, wait)),
        }
    }
}

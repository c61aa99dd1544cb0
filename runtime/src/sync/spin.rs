//! How a thread waits for a word that another will change: it spins, then spins and yields, then sleeps.
//!
//! | phase | duration | cost if the word changes in it |
//! |---|---|---|
//! | spins | 64 looks; none if there is a network | none |
//! | spins and yields | [`AWAKE`], or [`AWAKE_SHARING`] if PEs share cores | none, or a time slice of the thread that has the core |
//! | sleeps | the rest | the rest of the sleep, which a waker or the clock ends |
//! | awake again | [`AWAKE_AGAIN`] after the network has ended a sleep; not if PEs share cores | none |
//!
//! What ends a sleep depends on the word.
//!
//! * **The library's own words** are written through [`post`](crate::sync::Sync::post), which wakes the threads that
//!   sleep for them. `flags` explains why this occasionally fails, so these sleeps also end after 1 to 10 ms.
//! * **The program's words** are written by plain stores, which wake nobody. A sleep takes a sixteenth of the time
//!   waited so far, up to 1 ms, so that sleeps lengthen a wait only a little and an idle wait costs about one look per
//!   millisecond.
//! * **Words of copies** are the library's, but a GPU's stream writes them and wakes nobody either, so waits for them
//!   sleep in the same way. The same holds for words that the network may write.
//!
//! *The network.* As long as a thread is awake, it lets the network between nodes work between two looks, whatever it
//! waits for: the word may depend on what this PE has posted, and a PE of another node may need this one's network to
//! reach its memory. When the thread sleeps, the network's own thread takes over; or the thread sleeps at the network's
//! descriptor, if there is one and the network may write the word, and goes on when something has come.
//!
//! A thread that has waited for a long time publishes what it waits for (`cushmem_bootstrap::waits`), but only while it
//! is in the sleeping phase. It also asks the PEs of other nodes for which it waits whether they are there (`probes`).

use crate::job::record::{self, Begun, Of, Words};
use crate::sync::child::is_child;
use crate::sync::park::{self, FutexWord};
use cushmem_bootstrap::waits::{PUBLISH_AFTER, Published, Wait, publish};
use cushmem_environment::log;
use cushmem_net::{Poller, Slept};
use cushmem_record::{Cause, Recorder};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How often to look before the first yield.
const LOOKS: u32 = 64;
/// How long a thread that has a core of its own stays awake. Waking takes tens of microseconds, so it lengthens a wait
/// of this length by a few per cent at most.
const AWAKE: Duration = Duration::from_millis(2);
/// How long a thread stays awake if PEs share cores: a yielding thread still takes time slices that threads with work
/// could use.
const AWAKE_SHARING: Duration = Duration::from_micros(200);
/// How long a thread with a core of its own stays awake after it was woken by the network: operations of peers often
/// follow one another, and each would have to wake it.
const AWAKE_AGAIN: Duration = Duration::from_micros(200);
/// A sleep takes this fraction of the time waited so far.
const SLEEP_PART: u32 = 16;
const WOKEN_SLEEP: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(10));
const TIMED_SLEEP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));
/// How often a published wait is updated.
const REFRESH: Duration = Duration::from_millis(100);

/// Called with the numbers of PEs.
type Ask = dyn Fn(&[u32]) + Send + Sync;

/// How the threads of a PE wait.
#[derive(Clone)]
pub(crate) struct WaitPolicy {
    my_pe: u32,
    /// How often to look at the word between two yields. Rarely if PEs share cores, because the PE that is waited for
    /// may need this core, and rarely if there is a network, because its thread may.
    looks_per_yield: u32,
    first_looks: u32,
    awake: Duration,
    /// How long it stays awake when something has come through the network.
    awake_again: Duration,
    /// How often to report PEs that are late on stderr.
    complain: Duration,
    network: Option<Poller>,
    /// Asks PEs that are late whether they are there.
    ask: Option<Arc<Ask>>,
}

/// How a sleeping thread can be woken.
#[derive(Clone, Copy)]
pub(crate) struct Parking<'a> {
    /// The word whose change ends the wait.
    pub(crate) word: FutexWord<'a>,
    /// The number of threads that sleep for words of the same area; the waker checks whether there are any.
    pub(crate) sleepers: &'a AtomicU32,
    /// Whether the network, which wakes nobody, may also change the word.
    pub(crate) by_network: bool,
}

impl WaitPolicy {
    pub(crate) fn new(my_pe: u32, oversubscribed: bool, has_network: bool, complain: Duration) -> Self {
        let looks_per_yield = if oversubscribed || has_network { 16 } else { 4096 };
        let awake = if oversubscribed { AWAKE_SHARING } else { AWAKE };
        let awake_again = if oversubscribed { Duration::ZERO } else { AWAKE_AGAIN };
        let first_looks = if has_network { 0 } else { LOOKS };
        Self { my_pe, looks_per_yield, first_looks, awake, awake_again, complain, network: None, ask: None }
    }

    /// Like this, but threads that wait let this network work.
    pub(crate) fn with_network(&self, network: Poller) -> Self {
        Self { network: Some(network), ..self.clone() }
    }

    /// Like this, but threads that have waited for a while call this with the PEs that are late.
    pub(crate) fn asking(&self, ask: impl Fn(&[u32]) + Send + Sync + 'static) -> Self {
        Self { ask: Some(Arc::new(ask)), ..self.clone() }
    }

    /// The network. A forked child has none.
    #[inline]
    fn network(&self) -> Option<&Poller> {
        self.network.as_ref().filter(|_| !is_child())
    }

    /// Lets the network work.
    #[inline]
    fn poll_network(&self) {
        if let Some(network) = self.network() {
            network.poll();
        }
    }

    /// Calls `look` until it returns something. `what` describes the wait, for reports. A wait with a `parking` is the
    /// library's own and is reported on stderr after each wait limit; one without is the program's.
    #[inline]
    pub(crate) fn wait<T>(
        &self,
        mut look: impl FnMut() -> Option<T>,
        parking: Option<Parking<'_>>,
        what: impl Fn() -> Wait,
    ) -> T {
        if let Some(found) = self.first_looks(&mut look) {
            return found;
        }
        let cause = if parking.is_some() { Cause::Peers } else { Cause::Word };
        self.wait_awake(look, parking, (cause, parking.is_some()), &what)
    }

    /// A wait of the program for words of this PE: like [`WaitPolicy::wait`], and `words` says which they are, for the
    /// record.
    #[inline]
    pub(crate) fn wait_for_words<T>(
        &self,
        mut look: impl FnMut() -> Option<T>,
        words: impl Fn() -> Option<Words>,
        what: impl Fn() -> Wait,
    ) -> T {
        if let Some(found) = self.first_looks(&mut look) {
            return found;
        }
        self.wait_recorded(look, None, (Cause::Word, false), &words, &what)
    }

    #[inline]
    fn first_looks<T>(&self, look: &mut impl FnMut() -> Option<T>) -> Option<T> {
        for _ in 0..self.first_looks {
            if let Some(found) = look() {
                return Some(found);
            }
            std::hint::spin_loop();
        }
        None
    }

    /// The library's own wait for the network: like [`WaitPolicy::wait`], but nobody wakes the thread.
    #[inline]
    pub(crate) fn wait_for_network<T>(&self, mut look: impl FnMut() -> Option<T>, what: impl Fn() -> Wait) -> T {
        look().unwrap_or_else(|| self.wait_awake(look, None, (Cause::Network, true), &what))
    }

    /// The library's own wait for a GPU.
    #[inline]
    pub(crate) fn wait_for_gpu<T>(&self, look: impl FnMut() -> Option<T>, what: impl Fn() -> Wait) -> T {
        self.wait_unwoken(look, (Cause::Gpu, true), what)
    }

    /// A wait for this cause that nobody ends by waking the thread; `is_own` says whether it is the library's own.
    #[inline]
    pub(crate) fn wait_unwoken<T>(
        &self,
        mut look: impl FnMut() -> Option<T>,
        (cause, is_own): (Cause, bool),
        what: impl Fn() -> Wait,
    ) -> T {
        for _ in 0..LOOKS {
            if let Some(found) = look() {
                return found;
            }
            std::hint::spin_loop();
        }
        self.wait_awake(look, None, (cause, is_own), &what)
    }

    fn long(&self, start: Instant, is_own: bool) -> LongWait<'_> {
        let complain = self.complain;
        LongWait { wait_policy: self, start, is_own, published: None, refresh: PUBLISH_AFTER, complain }
    }

    /// Sleeps once unless `look` finds something before; looks again afterwards.
    fn sleep<T>(
        &self,
        look: &mut impl FnMut() -> Option<T>,
        parking: Option<Parking<'_>>,
        length: Duration,
    ) -> Option<T> {
        if let Some(network) = self.network().filter(|_| parking.is_none_or(|parking| parking.by_network)) {
            match network.sleep(length, &mut *look) {
                Slept::Found(found) => return Some(found),
                Slept::Woken => return self.look_for_a_while(look),
                Slept::Again => return look(),
                Slept::NotHere => {}
            }
        }
        if let Some(parking) = parking {
            return park(look, parking, length);
        }
        std::thread::sleep(length);
        look()
    }

    /// Looks and lets the network work, after it has woken this thread.
    fn look_for_a_while<T>(&self, look: &mut impl FnMut() -> Option<T>) -> Option<T> {
        let woken = Instant::now();
        loop {
            for _ in 0..self.looks_per_yield {
                if let Some(found) = look() {
                    return Some(found);
                }
                self.poll_network();
                std::hint::spin_loop();
            }
            if woken.elapsed() >= self.awake_again {
                return None;
            }
            std::thread::yield_now();
        }
    }

    /// A wait that is not over after the first looks.
    #[inline]
    fn wait_awake<T>(
        &self,
        look: impl FnMut() -> Option<T>,
        parking: Option<Parking<'_>>,
        cause: (Cause, bool),
        what: &dyn Fn() -> Wait,
    ) -> T {
        self.wait_recorded(look, parking, cause, &|| None, what)
    }

    /// A wait that is not over after the first looks. It is recorded if this PE records.
    #[cold]
    fn wait_recorded<T>(
        &self,
        look: impl FnMut() -> Option<T>,
        parking: Option<Parking<'_>>,
        (cause, is_own): (Cause, bool),
        words: &dyn Fn() -> Option<Words>,
        what: &dyn Fn() -> Wait,
    ) -> T {
        let from = record::active().map(|recorder| (recorder, record::begun(Of::Wait(cause))));
        let found = self.go_on_waiting(look, parking, is_own, what);
        if let Some((recorder, from)) = from {
            record::note_wait(recorder, cause, words(), from);
        }
        found
    }

    #[inline]
    fn go_on_waiting<T>(
        &self,
        mut look: impl FnMut() -> Option<T>,
        parking: Option<Parking<'_>>,
        is_own: bool,
        what: &dyn Fn() -> Wait,
    ) -> T {
        // If there is a network, most waits end in the first turn, before the time is read.
        let mut begun = (self.first_looks > 0).then(Instant::now);
        let start = loop {
            for _ in 0..self.looks_per_yield {
                if let Some(found) = look() {
                    return found;
                }
                self.poll_network();
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
        let mut long = self.long(start, is_own);
        loop {
            let waited = start.elapsed();
            // The thread may have been stopped for a while: what has come by now is not late.
            if waited >= long.refresh
                && let Some(found) = look()
            {
                return found;
            }
            long.note(waited, what);
            let (shortest, longest) = match parking {
                Some(Parking { by_network: false, .. }) => WOKEN_SLEEP,
                _ => TIMED_SLEEP,
            };
            let length = (waited / SLEEP_PART).clamp(shortest, longest);
            if let Some(found) = self.sleep(&mut look, parking, length) {
                return found;
            }
        }
    }
}

/// The library's own wait for a GPU, if somebody else looks: whoever looks calls [`Pauses::pause`] between two looks.
pub(crate) struct Pauses<'a> {
    wait_policy: &'a WaitPolicy,
    looks: u32,
    begun: Option<Instant>,
    long: Option<LongWait<'a>>,
    /// When it began, if this PE records.
    recorded: Option<(&'static Recorder<'static>, Begun)>,
}

impl Drop for Pauses<'_> {
    fn drop(&mut self) {
        if let Some((recorder, from)) = self.recorded.take() {
            record::note_wait(recorder, Cause::Gpu, None, from);
        }
    }
}

impl<'a> Pauses<'a> {
    pub(crate) fn new(wait_policy: &'a WaitPolicy) -> Self {
        Self { wait_policy, looks: 0, begun: None, long: None, recorded: None }
    }

    /// Spins, later yields, and in the end sleeps. Returns whether it slept.
    pub(crate) fn pause(&mut self, what: &dyn Fn() -> Wait) -> bool {
        self.looks = self.looks.wrapping_add(1);
        self.wait_policy.poll_network();
        std::hint::spin_loop();
        if self.long.is_none() && !self.looks.is_multiple_of(LOOKS) {
            return false;
        }
        if self.begun.is_none() {
            self.recorded = record::active().map(|recorder| (recorder, record::begun(Of::Wait(Cause::Gpu))));
        }
        let start = *self.begun.get_or_insert_with(Instant::now);
        let waited = start.elapsed();
        if waited <= self.wait_policy.awake {
            std::thread::yield_now();
            return false;
        }
        self.long.get_or_insert_with(|| self.wait_policy.long(start, true)).note(waited, what);
        std::thread::sleep((waited / SLEEP_PART).clamp(TIMED_SLEEP.0, TIMED_SLEEP.1));
        true
    }
}

/// Sleeps for a word of the library. Its change, or the clock, ends the sleep.
fn park<T>(look: &mut impl FnMut() -> Option<T>, parking: Parking<'_>, length: Duration) -> Option<T> {
    let Parking { word, sleepers, .. } = parking;
    // Relaxed: the system reads the word after a full fence of its own, and the limit covers a waker that misses this.
    sleepers.fetch_add(1, Ordering::Relaxed);
    // If the word changes after this, the thread does not sleep.
    let seen = word.value();
    let found = look();
    if found.is_none() {
        park::wait(word, seen, length);
    }
    // Relaxed: a waker that still counts this thread only makes an unnecessary system call.
    sleepers.fetch_sub(1, Ordering::Relaxed);
    found.or_else(look)
}

/// The published side of a long wait.
struct LongWait<'a> {
    wait_policy: &'a WaitPolicy,
    start: Instant,
    is_own: bool,
    published: Option<Published>,
    refresh: Duration,
    complain: Duration,
}

impl LongWait<'_> {
    /// Publishes and reports the wait when it is time to, and asks the PEs that are late.
    fn note(&mut self, waited: Duration, what: &dyn Fn() -> Wait) {
        if waited < self.refresh {
            return;
        }
        self.refresh = waited + REFRESH;
        let wait = what();
        if let Some(ask) = self.wait_policy.ask.as_ref().filter(|_| !is_child()) {
            ask(&wait.late);
        }
        // A PE may be late for a good reason, so the wait continues, but the user should learn which PE is late.
        if self.is_own && waited >= self.complain {
            log!(Warn, "PE {}: {wait} for {} s", self.wait_policy.my_pe, self.complain.as_secs());
            self.complain += self.wait_policy.complain;
        }
        match &self.published {
            Some(published) => published.update(wait),
            None => self.published = Some(publish(self.start, wait)),
        }
    }
}

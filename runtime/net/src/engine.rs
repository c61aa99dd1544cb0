//! The engine's thread: it lets the provider work when no other thread does, and sleeps when there is nothing to do.

use crate::bell::Sleep;
use crate::driver::{Driver, Shared};
use crate::fabric::Fabric;
use crate::sync::yield_now;
use std::ops::DerefMut;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine does not sleep for anything due sooner than this, because the sleep would take longer.
const SOON: Duration = Duration::from_micros(50);
/// For how long the engine of a process that shares cores, and has to poll, does so for operations that are under way
/// before it sleeps at the network.
const AWAKE: Duration = if cfg!(loom) { Duration::MAX } else { Duration::from_millis(1) };
/// When the NIC is dropped and nothing has moved for this long, the engine stops waiting for peers.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 30 });
/// At most this much of the time between two idle turns counts, because the process itself may have been stopped.
const LONGEST_TURN: Duration = Duration::from_millis(10);
/// The engine stands by for this long after another thread's turn.
const STAND_BY: Duration = if cfg!(loom) { Duration::ZERO } else { Duration::from_micros(20) };
/// How long the engine of a process that has to poll sleeps at most if only the clock or the bell wakes it, and for how
/// long it sleeps while others take turns.
pub(crate) const NAP: Duration = Duration::from_millis(1);
/// For how long it sleeps at most where the network's descriptor wakes it. In tests, for ever: no test succeeds only
/// because the clock ends a sleep.
const LONG_NAP: Duration = Duration::from_millis(if cfg!(test) { 3_600_000 } else { 10 });
/// For how long it sleeps at most where the network's descriptor wakes it while operations are under way: another
/// thread's turn may take what makes the descriptor readable. In tests, for ever, as above.
const BUSY_NAP: Duration = if cfg!(test) { LONG_NAP } else { NAP };
/// Idle turns between two yields.
const LOOKS_PER_YIELD: u32 = 16;

/// The engine of a NIC.
pub(crate) struct Engine {
    shared: Arc<Shared>,
    spin: Duration,
    /// Whether this process shares its cores, and its engine has something to wait at or has to poll.
    shares: bool,
    /// Since when there has been nothing to do.
    idle: Option<Instant>,
    looks: u32,
    /// How many turns others had taken, and when that last changed.
    turns: u64,
    turned: Option<Instant>,
}

impl Engine {
    pub(crate) fn new(shared: Arc<Shared>, spin: Duration) -> Self {
        let shares = spin.is_zero() && (shared.is_polled || shared.hub.bell.descriptor.is_some());
        Self { shared, spin, shares, idle: None, looks: 0, turns: 0, turned: None }
    }

    /// Works until the NIC stops and everything is done.
    pub(crate) fn work(mut self) {
        let shared = self.shared.clone();
        shared.hub.bell.belongs_here();
        // How long nothing has moved since the NIC was dropped.
        let (mut still, mut last) = (Duration::ZERO, None);
        loop {
            // Read before the turn, so that the turn sees everything that was posted before the stop.
            let stopping = shared.hub.is_stopping();
            if !stopping && self.others_take_turns() {
                self.stand_by();
                continue;
            }
            // Threads that still take turns must not keep the engine from its end.
            let mut driver = if stopping { shared.lock() } else { shared.lock_behind_others() };
            if stopping {
                driver.provider().hurry();
            }
            if driver.turn(&shared.hub) {
                drop(driver);
                self.shared.serve(false);
                self.idle = None;
                (still, last) = (Duration::ZERO, None);
            } else if stopping && driver.is_idle() {
                return;
            } else {
                if stopping {
                    let now = Instant::now();
                    still += last.replace(now).map_or(Duration::ZERO, |last| LONGEST_TURN.min(now - last));
                }
                if still > PATIENCE {
                    let patience = PATIENCE.as_secs();
                    driver.lose_all(&format!("the network was closed, and nothing has moved for {patience} seconds"));
                    still = Duration::ZERO;
                }
                let due = driver.provider().next_due();
                self.rest(due, driver);
            }
        }
    }

    /// Spins for a while, then sleeps until somebody posts or something is due. Gives the lock back.
    fn rest(&mut self, due: Option<Instant>, mut driver: impl DerefMut<Target = Driver>) {
        let now = Instant::now();
        let due = due.map(|due| due.saturating_duration_since(now));
        let since = *self.idle.get_or_insert(now);
        let spins = due.is_some_and(|due| due < SOON) && !self.gives_way() || now - since < self.spin;
        if !spins {
            driver.forget_lanes();
        }
        drop(driver);
        if self.shared.serve(false) {
            self.idle = None;
        } else if spins {
            self.pause();
        } else {
            self.sleep();
        }
    }

    /// Whether it sleeps for moments only, or else until something is posted or due.
    fn naps(&self) -> bool {
        self.shared.is_polled || self.shares
    }

    /// Whether it has waited for a while on a shared core, and there is a descriptor at which it can sleep. Those who
    /// have to answer may need the core, and a yield does not give it to those of another session or container: the
    /// system divides the cores among these first.
    fn gives_way(&self) -> bool {
        let has_descriptor = self.shared.hub.bell.descriptor.is_some();
        self.shares && has_descriptor && self.idle.is_some_and(|since| since.elapsed() > AWAKE)
    }

    /// Whether another thread has taken a turn a moment ago.
    fn others_take_turns(&mut self) -> bool {
        let turns = self.shared.turns();
        if std::mem::replace(&mut self.turns, turns) != turns {
            self.turned = (STAND_BY > Duration::ZERO).then(Instant::now);
            return true;
        }
        let recently = self.turned.is_some_and(|turned| turned.elapsed() < STAND_BY);
        if !recently {
            self.turned = None;
        }
        recently
    }

    /// Leaves the provider and, as far as possible, the core to others.
    fn stand_by(&mut self) {
        self.idle = None;
        // An engine that does not nap would have to be woken by each post.
        if self.naps() { self.sleep() } else { self.pause() }
    }

    fn pause(&mut self) {
        self.looks = self.looks.wrapping_add(1);
        if self.looks.is_multiple_of(LOOKS_PER_YIELD) { yield_now() } else { std::hint::spin_loop() }
    }

    /// Sleeps until somebody posts: for a moment, or else until something is due.
    fn sleep(&self) {
        self.shared.hub.bell.sleep(|| self.may_sleep());
    }

    /// Until when the engine may sleep, asked after it has said that it sleeps. Another thread's turn may have taken
    /// what was posted a moment ago, without a word to the engine, and left something that is due later.
    pub(crate) fn may_sleep(&self) -> Sleep {
        let hub = &self.shared.hub;
        if hub.is_stopping() || hub.has_news() {
            return Sleep::No;
        }
        let mut driver = self.shared.lock_behind_others();
        if driver.has_posts() {
            return Sleep::No;
        }
        let due = driver.provider().next_due();
        let until = |due: Instant| due.saturating_duration_since(Instant::now());
        let is_idle = driver.is_idle();
        // Where nobody needs this process to poll, there is nothing to do for as long as nobody posts. But something
        // may wait that the provider could not start: another thread's turn may have made its connection.
        if !self.naps() || !self.shared.is_polled && due.is_none() && is_idle {
            return match due {
                Some(due) => Sleep::For(until(due)),
                None if driver.has_waiting() => Sleep::No,
                None => Sleep::UntilRung,
            };
        }
        // A nap is short enough for what is due, and the engine must not compete with the thread that takes turns.
        let has_descriptor = hub.bell.descriptor.is_some();
        // A thread that sleeps there takes a turn as soon as there is something to do.
        let is_free = has_descriptor && self.turned.is_none() && !self.shared.has_sleepers();
        let limit = if is_idle { LONG_NAP } else { BUSY_NAP };
        let gives_way = !is_idle && self.gives_way();
        let at_network = is_free && (is_idle || gives_way) && driver.may_sleep();
        let due = due.filter(|_| is_free && gives_way);
        drop(driver);
        match at_network {
            // The provider may have worked when it was asked.
            true if self.shared.serve(true) => Sleep::No,
            true => Sleep::AtNetwork(limit),
            // The provider has to be polled: the engine only yields.
            false if due.is_some_and(|due| until(due) < SOON) => Sleep::No,
            false => Sleep::For(NAP),
        }
    }
}

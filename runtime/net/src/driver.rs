//! The provider and what it has under way. One thread at a time has them, with a lock: the engine's thread for each of
//! its turns, or a thread that calls the [`Nic`](crate::Nic).
//!
//! *What a call sees.* The turns of the engine and the calls of other threads come one after another. A thread that
//! introduces memory and then posts to it therefore posts before the turn that takes the operation, and that turn finds
//! the memory. Posting itself takes no lock.
//!
//! *No thread starves.* The system's lock favours the thread that has just released it, and the engine takes turns
//! without a pause. So a thread that calls counts itself first ([`Shared::lock`]), and the engine does not take the
//! lock while the count is not zero ([`Shared::lock_behind_others`]). Calls are short and few, so the engine's turn
//! comes. The count decides only who goes first; what was written with the lock held, the lock itself passes on.
//!
//! *Sleep.* The engine sleeps without the lock. A call may leave something to report (a peer that is lost), so it tells
//! the engine ([`Hub::lose`]); a call that only introduces memory needs nobody.
//!
//! *Memory.* The provider is dropped with the last owner of this structure: the NIC, when the engine's thread has
//! ended. In a forked child that thread's share stays, so the child drops no provider.

use crate::fabric::{Fabric, Post, Tag};
use crate::hub::{Hub, News};
use crate::lane::{MOST_UNDER_WAY, Ring};
use crate::provider::Provider;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering, yield_now};
use crate::{Failure, Work};
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

/// What the NIC and its engine share.
pub(crate) struct Shared {
    pub(crate) hub: Hub,
    driver: Mutex<Driver>,
    /// How many threads other than the engine's wait for the lock.
    callers: AtomicU64,
}

/// The provider, and its side of all lanes.
pub(crate) struct Driver {
    pub(crate) provider: Provider,
    /// In the order of the lanes' numbers.
    sides: Vec<Side>,
}

/// The provider's side of a lane.
struct Side {
    taken: u64,
    complete: Complete,
    /// By peer: operations that the provider could not start yet.
    waiting: Vec<(u32, VecDeque<(u64, Work)>)>,
    /// Peers for which the provider refused an operation. Those behind it are not executed.
    stopped: Vec<u32>,
}

/// Keeps track of which operations are complete, and reports them in the order of tickets.
struct Complete {
    ring: Arc<Ring>,
    told: u64,
    ahead: [bool; MOST_UNDER_WAY as usize],
}

impl Complete {
    fn note(&mut self, ticket: u64, outcome: Result<(), Failure>) {
        if let Err(failure) = outcome {
            self.ring.fail(failure);
        }
        self.ahead[(ticket % MOST_UNDER_WAY) as usize] = true;
        let before = self.told;
        while std::mem::take(&mut self.ahead[((self.told + 1) % MOST_UNDER_WAY) as usize]) {
            self.told += 1;
        }
        if self.told > before {
            self.ring.complete(self.told);
        }
    }
}

impl Side {
    fn new(ring: Arc<Ring>) -> Self {
        let complete = Complete { ring, told: 0, ahead: [false; MOST_UNDER_WAY as usize] };
        Self { taken: 0, complete, waiting: Vec::new(), stopped: Vec::new() }
    }

    fn number(&self) -> u32 {
        self.complete.ring.number
    }

    fn has_posts(&self) -> bool {
        self.complete.ring.has_posts(self.taken)
    }

    /// Whether everything that was taken is complete.
    fn is_idle(&self) -> bool {
        self.complete.told == self.taken
    }

    /// The peers of operations that are not complete.
    fn peers(&self) -> impl Iterator<Item = u32> {
        let Complete { ring, told, ahead } = &self.complete;
        (told + 1..=self.taken)
            .filter(|ticket| !ahead[(ticket % MOST_UNDER_WAY) as usize])
            .filter_map(|ticket| Some(ring.take(ticket)?.peer))
    }

    /// Gives the provider what waits and what was posted since; returns whether it took anything.
    fn give(&mut self, provider: &mut Provider) -> bool {
        let mut any = false;
        for (peer, mut works) in std::mem::take(&mut self.waiting) {
            while let Some((ticket, work)) = works.front()
                && self.post(provider, *ticket, work)
            {
                works.pop_front();
                any = true;
            }
            if !works.is_empty() {
                self.waiting.push((peer, works));
            }
        }
        while let Some(work) = self.complete.ring.take(self.taken + 1) {
            self.taken += 1;
            let ticket = self.taken;
            any = true;
            if let Some((_, works)) = self.waiting.iter_mut().find(|(peer, _)| *peer == work.peer) {
                works.push_back((ticket, work));
            } else if !self.post(provider, ticket, &work) {
                self.waiting.push((work.peer, VecDeque::from([(ticket, work)])));
            }
        }
        any
    }

    /// Posts an operation; returns whether that is settled.
    fn post(&mut self, provider: &mut Provider, ticket: u64, work: &Work) -> bool {
        if self.stopped.contains(&work.peer) {
            self.complete.note(ticket, Ok(()));
            return true;
        }
        // SAFETY: the poster keeps the addresses valid until the ticket is complete. The source of an inline put is in
        // its slot, which stays as long.
        match unsafe { provider.post(work, Tag { lane: self.number(), ticket }) } {
            Post::Taken => true,
            Post::Later => false,
            Post::Refused(why) => {
                let Work { peer, region, what, .. } = *work;
                self.stopped.push(peer);
                self.complete.note(ticket, Err(Failure { peer, region, operation: what.to_string(), why }));
                true
            }
        }
    }
}

impl Shared {
    pub(crate) fn new(provider: Provider) -> Self {
        let driver = Mutex::new(Driver { provider, sides: Vec::new() });
        Self { hub: Hub::default(), driver, callers: AtomicU64::new(0) }
    }

    /// Takes the lock, before the engine's next turn.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Driver> {
        // Relaxed: it only makes the engine wait.
        self.callers.fetch_add(1, Ordering::Relaxed);
        let driver = self.driver.lock().unwrap_or_else(PoisonError::into_inner);
        // Relaxed: as above.
        self.callers.fetch_sub(1, Ordering::Relaxed);
        driver
    }

    /// Takes the lock for the engine, behind the threads that wait for it.
    pub(crate) fn lock_behind_others(&self) -> MutexGuard<'_, Driver> {
        while self.has_callers() {
            yield_now();
        }
        self.driver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether threads other than the engine's wait for the lock.
    pub(crate) fn has_callers(&self) -> bool {
        // Relaxed: as above.
        self.callers.load(Ordering::Relaxed) > 0
    }
}

impl Driver {
    /// Gives the provider what there is, and lets it work; returns whether anything was done.
    pub(crate) fn turn(&mut self, hub: &Hub) -> bool {
        let News { lanes, lost } = hub.news();
        if !lanes.is_empty() {
            self.forget_lanes();
            self.sides.extend(lanes.into_iter().map(Side::new));
            self.sides.sort_by_key(Side::number);
        }
        for (peer, why) in lost {
            self.provider.lost(peer, &why);
        }
        let mut any = false;
        for side in self.sides.iter_mut().rev() {
            any |= side.give(&mut self.provider);
        }
        let sides = &mut self.sides;
        let mut done = |tag: Tag, outcome| {
            if let Ok(index) = sides.binary_search_by_key(&tag.lane, Side::number) {
                sides[index].complete.note(tag.ticket, outcome);
            }
        };
        self.provider.poll(&mut done) || any
    }

    /// Whether everything that was taken is complete, and nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.sides.iter().all(Side::is_idle) && self.provider.is_idle()
    }

    /// Whether something was posted that was not taken.
    pub(crate) fn has_posts(&self) -> bool {
        self.sides.iter().any(Side::has_posts)
    }

    /// Ends the operations that are not complete.
    pub(crate) fn lose_all(&mut self, why: &str) {
        for peer in self.sides.iter().flat_map(Side::peers) {
            self.provider.lost(peer, why);
        }
    }

    /// Forgets lanes that were dropped and have nothing left to do.
    pub(crate) fn forget_lanes(&mut self) {
        let provider = &mut self.provider;
        self.sides.retain(|side| {
            let is_over = side.is_idle() && side.complete.ring.is_over(side.taken);
            if is_over {
                provider.forget_lane(side.number());
            }
            !is_over
        });
    }
}

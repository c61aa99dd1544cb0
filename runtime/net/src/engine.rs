//! The engine's thread: it takes what was posted, gives it to the provider, and sleeps when there is nothing to do.

use crate::Failure;
use crate::Work;
use crate::fabric::{Fabric, Post, Tag};
use crate::hub::{Hub, News};
use crate::lane::{MOST_UNDER_WAY, Ring};
use crate::provider::Provider;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine does not sleep for anything due sooner than this, because the sleep would take longer.
const SOON: Duration = Duration::from_micros(50);
/// When the NIC is dropped and nothing has moved for this long, the engine stops waiting for peers.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 30 });
/// At most this much of the time between two idle turns counts, because the process itself may have been stopped.
const LONGEST_TURN: Duration = Duration::from_millis(10);
/// Idle turns between two yields.
const LOOKS_PER_YIELD: u32 = 16;

/// The engine of a NIC.
pub(crate) struct Engine {
    hub: Arc<Hub>,
    provider: Provider,
    /// In the order of the lanes' numbers.
    sides: Vec<Side>,
    spin: Duration,
    /// Since when there has been nothing to do.
    idle: Option<Instant>,
    looks: u32,
}

/// The engine's side of a lane.
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

impl Engine {
    pub(crate) fn new(hub: Arc<Hub>, provider: Provider, spin: Duration) -> Self {
        Self { hub, provider, sides: Vec::new(), spin, idle: None, looks: 0 }
    }

    /// Works until the NIC stops and everything is done.
    pub(crate) fn work(mut self) {
        self.hub.bell.belongs_here();
        // How long nothing has moved since the NIC was dropped.
        let (mut still, mut last) = (Duration::ZERO, None);
        loop {
            // Read before the turn, so that the turn sees everything that was posted before the stop.
            let stopping = self.hub.is_stopping();
            if stopping {
                self.provider.hurry();
            }
            if self.turn() {
                self.idle = None;
                (still, last) = (Duration::ZERO, None);
            } else if stopping && self.sides.iter().all(Side::is_idle) && self.provider.is_idle() {
                return;
            } else {
                if stopping {
                    let now = Instant::now();
                    still += last.replace(now).map_or(Duration::ZERO, |last| LONGEST_TURN.min(now - last));
                }
                if still > PATIENCE {
                    self.lose_all();
                    still = Duration::ZERO;
                }
                self.rest();
            }
        }
    }

    /// Ends the operations that are not complete.
    fn lose_all(&mut self) {
        let why = format!("the network was closed, and nothing has moved for {} seconds", PATIENCE.as_secs());
        for peer in self.sides.iter().flat_map(Side::peers) {
            self.provider.lost(peer, &why);
        }
    }

    /// Gives the provider what there is, and lets it work; returns whether anything was done.
    fn turn(&mut self) -> bool {
        let News { lanes, lost } = self.hub.news();
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

    /// Forgets lanes that were dropped and have nothing left to do.
    fn forget_lanes(&mut self) {
        let provider = &mut self.provider;
        self.sides.retain(|side| {
            let is_over = side.is_idle() && side.complete.ring.is_over(side.taken);
            if is_over {
                provider.forget_lane(side.number());
            }
            !is_over
        });
    }

    /// Spins for a while, then sleeps until somebody posts or something is due.
    fn rest(&mut self) {
        let now = Instant::now();
        let due = self.provider.next_due().map(|due| due.saturating_duration_since(now));
        let since = *self.idle.get_or_insert(now);
        if due.is_some_and(|due| due < SOON) || now - since < self.spin {
            self.looks = self.looks.wrapping_add(1);
            if self.looks.is_multiple_of(LOOKS_PER_YIELD) {
                std::thread::yield_now()
            } else {
                std::hint::spin_loop()
            }
            return;
        }
        self.forget_lanes();
        let (hub, sides) = (&self.hub, &self.sides);
        hub.bell.sleep(due, || hub.is_stopping() || hub.has_news() || sides.iter().any(Side::has_posts));
    }
}

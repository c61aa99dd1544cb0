//! The engine's thread: it takes what was posted, runs each flow in turn, and sleeps when there is nothing to do.

use crate::Failure;
use crate::flow::Flow;
use crate::hub::Hub;
use crate::lane::{MOST_UNDER_WAY, Ring};
use crate::wire::Wire;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine does not sleep for anything due sooner than this, because the sleep would take longer.
const SOON: Duration = Duration::from_micros(50);
/// Idle turns between two yields.
const LOOKS_PER_YIELD: u32 = 16;

/// The engine of a NIC.
pub(crate) struct Engine {
    hub: Arc<Hub>,
    wire: Wire,
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
    flows: Vec<Flow>,
    /// The index of each peer's flow.
    of_peer: HashMap<u32, usize>,
    /// The result of the last look-up in `of_peer`.
    last: Option<(u32, usize)>,
    /// The flows that have something to do, in the order in which they became busy.
    busy: Vec<usize>,
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
        Self { taken: 0, complete, flows: Vec::new(), of_peer: HashMap::new(), last: None, busy: Vec::new() }
    }

    fn has_posts(&self) -> bool {
        self.complete.ring.has_posts(self.taken)
    }

    fn flow_of(&mut self, peer: u32) -> usize {
        if let Some((_, index)) = self.last.filter(|(last, _)| *last == peer) {
            return index;
        }
        let index = *self.of_peer.entry(peer).or_insert_with(|| {
            self.flows.push(Flow::default());
            self.flows.len() - 1
        });
        self.last = Some((peer, index));
        index
    }

    fn take(&mut self, wire: &mut Wire, now: Instant) {
        while let Some(work) = self.complete.ring.take(self.taken + 1) {
            self.taken += 1;
            let index = self.flow_of(if wire.profile.ordered() { work.peer } else { 0 });
            let flow = &mut self.flows[index];
            if flow.is_empty() {
                self.busy.push(index);
            }
            flow.push(wire.admit(self.complete.ring.number, self.taken, work, now));
        }
    }

    fn run(&mut self, wire: &mut Wire, now: Instant) -> bool {
        let mut ran = false;
        for position in (0..self.busy.len()).rev() {
            let flow = &mut self.flows[self.busy[position]];
            ran |= flow.run(wire, now, |ticket, outcome| self.complete.note(ticket, outcome));
            if flow.is_empty() {
                self.busy.swap_remove(position);
            }
        }
        ran
    }
}

impl Engine {
    pub(crate) fn new(hub: Arc<Hub>, wire: Wire, spin: Duration) -> Self {
        Self { hub, wire, sides: Vec::new(), spin, idle: None, looks: 0 }
    }

    /// Works until the NIC stops and everything is done.
    pub(crate) fn work(mut self) {
        self.hub.bell.belongs_here();
        loop {
            // Read before the turn, so that the turn sees everything that was posted before the stop.
            self.wire.closing = self.hub.is_stopping();
            let now = Instant::now();
            if self.turn(now) {
                self.idle = None;
            } else if self.wire.closing && self.sides.iter().all(|side| side.busy.is_empty()) {
                return;
            } else {
                self.rest(now);
            }
        }
    }

    /// Takes and runs what there is; returns whether anything was done.
    fn turn(&mut self, now: Instant) -> bool {
        let arrivals = self.hub.arrivals();
        if !arrivals.is_empty() {
            self.forget_lanes();
            self.sides.extend(arrivals.into_iter().map(Side::new));
        }
        let mut ran = false;
        for side in self.sides.iter_mut().rev() {
            side.take(&mut self.wire, now);
            ran |= side.run(&mut self.wire, now);
        }
        ran
    }

    /// Forgets lanes that were dropped and have nothing left to do.
    fn forget_lanes(&mut self) {
        self.sides.retain(|side| !(side.busy.is_empty() && side.complete.ring.is_over(side.taken)));
    }

    /// Spins for a while, then sleeps until somebody posts or something is due.
    fn rest(&mut self, now: Instant) {
        let flows = self.sides.iter().flat_map(|side| side.busy.iter().map(|&index| &side.flows[index]));
        let due =
            flows.filter_map(|flow| flow.next_due(&self.wire)).min().map(|due| due.saturating_duration_since(now));
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
        hub.bell.sleep(due, || hub.is_stopping() || hub.has_arrivals() || sides.iter().any(Side::has_posts));
    }
}

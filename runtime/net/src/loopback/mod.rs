//! A network within one machine: it copies between shared files, as a NIC would, in whichever thread has
//! the provider.

pub(crate) mod amo;
mod card;
pub(crate) mod faults;
mod files;
pub(crate) mod flow;
pub(crate) mod gate;
pub(crate) mod memory;
pub(crate) mod profile;
pub(crate) mod target;
pub(crate) mod wire;

use crate::fabric::{Fabric, GpuMemory, Local, Post, Promises, Tag};
use crate::pieces::wrong_card;
use crate::{Failure, Faults, Settings, Work};
use files::Files;
use flow::Flow;
#[cfg(test)]
use gate::Gates;
use memory::{Memory, Table};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
#[cfg(test)]
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::Wire;

/// The provider of a network within one machine.
pub struct Loopback {
    wire: Wire,
    /// In the order of their first operations.
    lanes: Vec<Flows>,
    /// The index of the lane that was used last.
    last: usize,
    /// Peers that were given up, and why.
    lost: HashMap<u32, String>,
    /// By region and piece: the files of this process's memory, which peers open by their descriptors here.
    own: HashMap<(u32, u32), Option<Memory>>,
    /// How often memory was to be registered.
    registrations: u64,
    files: Files,
    /// By peer that was used, if connections take time.
    connections: HashMap<u32, Connection>,
    /// The time of the last poll.
    now: Instant,
}

/// A connection that takes time.
struct Connection {
    /// From when operations can start.
    from: Instant,
    /// Whether an operation could not start, and is to be posted again.
    is_awaited: bool,
}

/// The flows of a lane.
struct Flows {
    lane: u32,
    flows: Vec<Flow>,
    /// The index of each peer's flow.
    of_peer: HashMap<u32, usize>,
    /// The result of the last look-up in `of_peer`.
    last: Option<(u32, usize)>,
    /// The flows that have something to do, in the order in which they became busy.
    busy: Vec<usize>,
    /// Whether the lane was dropped.
    is_over: bool,
}

impl Loopback {
    /// The network as process `me` sees it.
    pub fn new(settings: Settings, me: u32) -> Self {
        let (own, files) = (HashMap::new(), Files::default());
        Self {
            wire: Wire::new(me, settings, Table::default()),
            lanes: Vec::new(),
            last: 0,
            lost: HashMap::new(),
            own,
            registrations: 0,
            files,
            connections: HashMap::new(),
            now: Instant::now(),
        }
    }

    pub(crate) fn description(&self) -> String {
        let (Wire { profile, faults, .. }, nothing) = (&self.wire, Faults::default());
        let faults = if *faults == nothing { String::new() } else { format!(":{faults}") };
        format!("loopback:{profile}{faults}, emulated within this machine")
    }

    #[cfg(test)]
    pub(crate) fn gates(&self) -> Arc<Gates> {
        self.wire.gates.clone()
    }

    /// Whether operations to a peer cannot start yet.
    fn is_connecting(&mut self, peer: u32) -> bool {
        let Some(ms) = self.wire.faults.later.filter(|_| !self.wire.closing) else { return false };
        let now = Instant::now();
        let new = || Connection { from: now + Duration::from_millis(ms.into()), is_awaited: false };
        let connection = self.connections.entry(peer).or_insert_with(new);
        connection.is_awaited = now < connection.from;
        connection.is_awaited
    }

    fn lane(&mut self, number: u32) -> (&mut Flows, &mut Wire) {
        if self.lanes.get(self.last).is_none_or(|flows| flows.lane != number) {
            self.last = self.lanes.iter().position(|flows| flows.lane == number).unwrap_or_else(|| {
                self.lanes.push(Flows::new(number));
                self.lanes.len() - 1
            });
        }
        (&mut self.lanes[self.last], &mut self.wire)
    }
}

impl Flows {
    fn new(lane: u32) -> Self {
        let (flows, of_peer, busy) = (Vec::new(), HashMap::new(), Vec::new());
        Self { lane, flows, of_peer, last: None, busy, is_over: false }
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

    fn run(&mut self, wire: &mut Wire, now: Instant, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        let mut ran = false;
        for position in (0..self.busy.len()).rev() {
            let flow = &mut self.flows[self.busy[position]];
            ran |= flow.run(wire, now, |ticket, outcome| done(Tag { lane: self.lane, ticket }, outcome));
            if flow.is_empty() {
                self.busy.swap_remove(position);
            }
        }
        ran
    }
}

impl Fabric for Loopback {
    fn promises(&self) -> Promises {
        let profile = self.wire.profile;
        Promises {
            ordered: profile.ordered(),
            delivery: profile.delivery(),
            whole_words: profile.whole_words(),
            atomics: true,
            target_polls: false,
        }
    }

    fn name(&self) -> Vec<u8> {
        card::name()
    }

    fn peers(&mut self, names: &[Vec<u8>]) -> Result<(), String> {
        let named =
            |(number, name): (usize, &Vec<u8>)| card::process(name).map_err(|why| format!("peer {number}: {why}"));
        let processes = (self.wire.targets.peers()..).zip(names).map(named).collect::<Result<Vec<_>, _>>()?;
        self.wire.targets.add(processes);
        Ok(())
    }

    unsafe fn register(&mut self, region: u32, piece: u32, memory: Local) -> Result<Vec<u8>, String> {
        let Entry::Vacant(place) = self.own.entry((region, piece)) else {
            return Err(format!("piece {piece} of region {region} is registered already"));
        };
        self.registrations += 1;
        let after = self.registrations - 1;
        if self.wire.faults.refuse == Some((self.wire.me, after)) {
            return Err(format!("the settings of the network refuse this memory, after {after} registrations"));
        }
        let card = card::of(&memory);
        if let Some(own) = &memory.file {
            self.files.keep(&own.file);
        }
        place.insert(memory.file);
        Ok(card)
    }

    unsafe fn register_gpu(&mut self, region: u32, piece: u32, memory: Local, _: GpuMemory) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory. It is that of an emulated GPU, which is the host's.
        unsafe { self.register(region, piece, memory) }
    }

    fn learn(&mut self, peer: u32, region: u32, piece: u32, card: &[u8]) -> Result<(), String> {
        let key = (peer, region);
        let (at, backing) = card::read(card, &mut self.files).map_err(|why| wrong_card(key, piece, &why))?;
        self.wire.table.learn(key, piece, at, backing)
    }

    fn forget(&mut self, region: u32, piece: u32) {
        self.own.remove(&(region, piece));
        self.wire.table.forget(region, piece);
    }

    unsafe fn post(&mut self, work: &Work, tag: Tag) -> Post {
        if let Some(why) = self.lost.get(&work.peer) {
            return Post::Refused(why.clone());
        }
        if self.is_connecting(work.peer) {
            return Post::Later;
        }
        // The time matters only to an operation that is delayed. To look at the clock takes as long as a short put.
        let now = if self.wire.faults.seed == 0 { self.now } else { Instant::now() };
        let (flows, wire) = self.lane(tag.lane);
        let index = flows.flow_of(if wire.profile.ordered() { work.peer } else { 0 });
        let flow = &mut flows.flows[index];
        if flow.is_empty() {
            flows.busy.push(index);
        }
        flow.push(wire.admit(tag.lane, tag.ticket, *work, now));
        Post::Taken
    }

    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        if self.is_idle() {
            return false;
        }
        self.now = Instant::now();
        let mut ran = false;
        for flows in self.lanes.iter_mut().rev() {
            ran |= flows.run(&mut self.wire, self.now, done);
        }
        ran
    }

    fn retries(&self) -> u64 {
        self.wire.retries
    }

    fn next_due(&self) -> Option<Instant> {
        let flows = self.lanes.iter().flat_map(|lane| lane.busy.iter().map(|&index| &lane.flows[index]));
        let next = flows.filter_map(|flow| flow.next_due(&self.wire));
        // Also if the time has passed since: the operation is not posted again before the next turn.
        let awaited = self.connections.values().filter(|connection| connection.is_awaited);
        next.chain(awaited.map(|connection| connection.from)).min()
    }

    fn is_idle(&self) -> bool {
        self.lanes.iter().all(|flows| flows.busy.is_empty())
    }

    fn forget_lane(&mut self, lane: u32) {
        if let Some(flows) = self.lanes.iter_mut().find(|flows| flows.lane == lane) {
            flows.is_over = true;
        }
        // Bytes of complete puts may still have to be delivered.
        self.lanes.retain(|flows| !flows.is_over || !flows.busy.is_empty());
        self.last = 0;
    }

    fn hurry(&mut self) {
        self.wire.closing = true;
    }

    fn lost(&mut self, peer: u32, why: &str) {
        self.lost.entry(peer).or_insert_with(|| why.to_owned());
        self.connections.remove(&peer);
        self.wire.targets.lose(peer);
        for lane in &mut self.lanes {
            lane.flows.iter_mut().for_each(|flow| flow.lose(peer, why));
        }
    }
}

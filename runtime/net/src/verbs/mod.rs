//! InfiniBand and RoCE, through libibverbs, which is opened at run time.
//!
//! *Connections.* Each process has a listener ([`listener`]). On the first use of a peer, a queue pair is made and the
//! peer's listener is asked for the other end. Until it answers, operations for the peer are to come later. One pair
//! serves one direction: a process that never uses a peer has nothing for it but its name, and one that it uses costs
//! a queue of at most 128 requests here and of one there. All pairs report to one completion queue.
//!
//! *Order and arrival* ([`order`]). A reliable connection executes what is posted to it in order, and a fence closes
//! the gap that it leaves. A put that is complete has reached the peer's device. It has arrived in memory when a later
//! read from the same peer is complete, because the device reads behind its own writes ([`Delivery::Flushed`]).
//!
//! *Whole words.* A device writes to memory by the bus in requests of which none cuts an aligned word, unless the bytes
//! of the word come in two packets. All packets of a write but the last have the same length, a power of two. So a
//! write that takes several starts at an aligned address: bytes in front of that are a write of their own. A word that
//! is set is a write of its own too.
//!
//! *Atomic operations* of the device are those on 8 bytes that add, and that compare and swap. All others compare and
//! swap the 8 bytes that contain the word ([`word`]).
//!
//! *Posting.* Requests are collected for each peer and given to the device by the next poll, all of one peer with one
//! doorbell, of which the last one reports its completion ([`link`]). In each turn the driver polls behind all that was
//! posted.
//!
//! *Sleeping.* The queue of completions reports to a channel, whose descriptor becomes readable with the first
//! completion that comes behind a request to report ([`Device::arm`]). A thread that wants to sleep arms it and then
//! polls once more: what came before the request is found by that poll, and what comes after it makes the descriptor
//! readable, so nothing falls between. Only `may_sleep` takes events, with the driver's lock held, and always arms
//! behind that. So of two threads that sleep, the second one may take the event of the first, but its poll then deals
//! with what that was for; the first looks for what it waits for when its sleep is over, which has a limit
//! ([`crate::driver`]). Nobody may sleep while something is to be done without a completion: requests for which the
//! device had no room, peers that were asked for a connection, and devices that are late. All else that is held back
//! waits for a completion. What peers write here completes nothing here, so it wakes nobody, and threads that wait for
//! it look again.
//!
//! *Failure.* When a request fails, its connection is in the error state, and its peer is not used any more. When a
//! peer is lost ([`Fabric::lost`]), its queue pair is put into that state. Both ways, the device gives back each
//! request that it had, and uses the memory no more. An operation is reported only when all its requests have come
//! back, so its source may change then. A device that does not give them back in time loses the queue pair, after which
//! it cannot use the memory either. So does one whose queue of completions fails.

mod active;
mod choice;
mod device;
mod gpu_memory;
mod library;
mod link;
mod listener;
mod lost;
mod memory;
#[cfg(test)]
pub(crate) mod mock;
mod name;
mod order;
mod places;
mod ports;
mod queue;
mod requests;
mod survey;
mod sys;
mod word;

pub use choice::{Distance, Layer};
pub use ports::VerbsPort;
pub use survey::{VerbsPorts, VerbsSettings, gpu_addresses};

use crate::fabric::{Fabric, GpuMemory, Local, Post, Promises, Tag};
use crate::far::Far;
use crate::{Delivery, Failure, MOST_INLINE, Operation, Work, check_set};
use active::{Active, LocalEnd, State, Step};
use device::{About, Device, Registered};
use gpu_memory::{Before, Unread};
use link::Link;
use listener::{Dial, Listener};
use memory::{AllMemory, Own, Room};
use name::Name;
use order::{Flow, Kind};
use queue::Queue;
use requests::WHOLE;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};
use sys::*;

/// The maximum number of operations under way.
const MOST_POSTED: usize = 1024;
/// The completions that are taken from the queue at a time.
const AT_ONCE: usize = 32;
/// How long a device may take to give back the requests of a lost peer, and have no room although it has nothing to do.
const PATIENCE: Duration = Duration::from_secs(5);

/// A process's side of a network of InfiniBand or RoCE.
pub struct Verbs {
    peers: Vec<Name>,
    far: Far,
    operations: Vec<Active>,
    free: Vec<usize>,
    flows: FxHashMap<(u32, u32), Flow>,
    /// What was written to peers with GPU memory, of which no read has shown that it is there.
    unread: Unread,
    /// Peers that are not used any more, and why.
    gone: FxHashMap<u32, String>,
    /// Operations that are over but not reported.
    over: VecDeque<(Tag, Result<(), Failure>)>,
    /// Operations of which requests are still to be posted.
    stalled: Vec<usize>,
    /// Why operations fail that the device has not given back yet.
    reasons: FxHashMap<usize, String>,
    /// Peers whose links have requests for the device.
    pending: Vec<u32>,
    /// Peers that were asked for a connection.
    dialled: Vec<u32>,
    /// The requests of all links.
    requests: usize,
    /// Kept so that nothing is allocated.
    wrs: Vec<ibv_send_wr>,
    parts: Vec<ibv_sge>,
    found: Vec<ibv_wc>,
    ended: Vec<(usize, bool)>,
    /// Whether the device failed, which ends everything.
    broken: Option<String>,
    /// See [`PATIENCE`].
    pub(crate) patience: Duration,
    /// Peers whose requests the device is to give back, and since when.
    ending: Vec<(u32, Instant)>,
    // In this order: the device uses memory until the queue pairs are gone, those of the listener too.
    links: FxHashMap<u32, Link>,
    listener: Listener,
    running: Vec<Option<Registered>>,
    own: Own,
    /// For local ends that are not registered, if the device has this.
    all: Option<AllMemory>,
    room: Room,
    device: Arc<Device>,
}

// SAFETY: the pointers in `wrs` and `parts` are only used during a call, and everything else may be sent.
unsafe impl Send for Verbs {}

impl Verbs {
    /// The reason why an operation is impossible, if it is.
    fn check(&self, work: &Work) -> Result<(), String> {
        if let Some(why) = self.gone.get(&work.peer).or(self.broken.as_ref()) {
            return Err(why.clone());
        }
        if work.peer as usize >= self.peers.len() {
            return Err(format!("there is no peer {}", work.peer));
        }
        if let Operation::Inline { bytes, .. } = work.operation
            && bytes > MOST_INLINE
        {
            return Err(format!("at most {MOST_INLINE} bytes can be sent inline"));
        }
        let bytes = work.operation.bytes();
        self.far.check(work.peer, work.region, work.at, bytes)?;
        match work.operation {
            Operation::Amo { width, .. } if !matches!(width, 4 | 8) || !work.at.is_multiple_of(u64::from(width)) => {
                Err(format!(
                    "an atomic operation of {width} bytes at offset {}: it needs an aligned word of 4 or 8",
                    work.at
                ))
            }
            Operation::Set { width, .. } => check_set(width, work.at, work.at as usize),
            _ => Ok(()),
        }
    }

    /// Whether the aligned 8 bytes that contain a word of a peer belong to the piece that has the word, so that a
    /// change of them rewrites nothing else.
    fn has_whole_word(&mut self, work: &Work) -> bool {
        let mut find = |at, bytes| self.far.find(work.peer, work.region, at, bytes, 0);
        let Some((word, _)) = find(work.at, 1) else { return false };
        let before = word.address % WHOLE;
        let Some(start) = work.at.checked_sub(before) else { return false };
        let whole = find(start, WHOLE as usize);
        whole.is_some_and(|(there, here)| {
            here >= WHOLE as usize && there.key == word.key && there.address + before == word.address
        })
    }

    /// The link to a peer, if it can be used now. The first use makes it.
    fn link(&mut self, peer: u32) -> Result<Option<&mut Link>, String> {
        if !self.links.contains_key(&peer) {
            let queue = Queue::asking(&self.device)?;
            let dial = Dial::start(&self.peers[peer as usize], queue.end(self.device.about.reads))?;
            self.links.insert(peer, Link::new(peer, queue, dial));
            self.dialled.push(peer);
        }
        Ok(self.links.get_mut(&peer).filter(|link| link.dial.is_none()))
    }

    /// Goes on with connections that are being made; returns whether one is done.
    fn dial(&mut self) -> bool {
        let mut any = false;
        for peer in std::mem::take(&mut self.dialled) {
            let Some(link) = self.links.get_mut(&peer) else { continue };
            let Some(dial) = &mut link.dial else { continue };
            let outcome = match dial.step() {
                Ok(None) => {
                    self.dialled.push(peer);
                    continue;
                }
                Ok(Some(end)) => link.queue.start(&end),
                Err(why) => Err(why),
            };
            any = true;
            link.dial = None;
            if let Err(why) = outcome {
                let why = format!("no connection over {}: {why}", self.device.about.name);
                self.gone.entry(peer).or_insert(why);
            }
        }
        any
    }

    /// Deals with the end of a request of an operation.
    fn request_is_over(&mut self, index: usize) {
        let operation = &mut self.operations[index];
        operation.requests -= 1;
        self.requests -= 1;
        if operation.requests > 0 {
            return;
        }
        let Active { work, posted, step, state, .. } = *operation;
        match state {
            State::Over => {}
            State::Lost => self.end_lost(index),
            State::UnderWay if posted < work.operation.bytes() => {}
            State::UnderWay => {
                let found = if step == Step::None { 0 } else { self.brought(index) };
                match step {
                    Step::Swaps { expected } if found != expected => self.try_with(index, found),
                    Step::Reads => self.try_with(index, found),
                    _ => self.finish(index, Ok(())),
                }
            }
        }
    }

    /// Goes on with a loop when it knows what the bytes are.
    fn try_with(&mut self, index: usize, found: u64) {
        if self.change_of(index).of(found).is_none() {
            // The bytes in the slot are the result.
            self.finish(index, Ok(()));
            return;
        }
        let operation = &mut self.operations[index];
        operation.step = Step::Swaps { expected: found };
        operation.posted = 0;
        self.stalled.push(index);
    }

    fn release(&mut self, index: usize) {
        if let LocalEnd::Buffer(buffer) = self.operations[index].local {
            self.room.give_back(buffer);
        }
        self.operations[index].state = State::Over;
        self.running[index] = None;
        // Another operation may have the slot from now on, and is not to go on before its time.
        self.stalled.retain(|other| *other != index);
        self.free.push(index);
    }

    /// Reports an operation of which the device has no request.
    fn finish(&mut self, index: usize, outcome: Result<(), String>) {
        if outcome.is_ok() {
            self.bring(index);
        }
        self.report(index, outcome);
        self.release(index);
    }

    fn report(&mut self, index: usize, outcome: Result<(), String>) {
        let Active { work, tag, kind, .. } = self.operations[index];
        let key = (tag.lane, work.peer);
        self.hold_back(index, false);
        if let Some(flow) = self.flows.get_mut(&key) {
            flow.end(kind);
            if flow.is_empty() {
                self.flows.remove(&key);
            }
        }
        self.over.push_back((tag, outcome.map_err(|why| work.failure(why))));
    }

    /// Notes whether an operation holds back what is behind it.
    fn hold_back(&mut self, index: usize, holds_back: bool) {
        let Active { work, tag, holds_back: before, .. } = self.operations[index];
        if holds_back == before {
            return;
        }
        let flow = self.flows.entry((tag.lane, work.peer)).or_default();
        flow.unposted = if holds_back { flow.unposted + 1 } else { flow.unposted - 1 };
        self.operations[index].holds_back = holds_back;
    }

    /// Gives the device what was collected; returns whether it took anything.
    fn ring(&mut self) -> bool {
        let mut any = false;
        let mut pending = std::mem::take(&mut self.pending);
        for peer in pending.drain(..) {
            let Some(link) = self.links.get_mut(&peer) else { continue };
            let before = link.pending.len();
            // SAFETY: the operations are under way, so their memory is valid. An operation is reported only when the
            // device has no request of it any more, and those of a lost peer are not pending.
            let outcome = unsafe { link.post(&mut self.wrs, &mut self.parts, self.patience) };
            let after = link.pending.len();
            any |= after < before;
            match outcome {
                Ok(()) if after > 0 => self.pending.push(peer),
                Ok(()) => {}
                Err(why) => self.give_up(peer, &why),
            }
        }
        if self.pending.is_empty() {
            self.pending = pending;
        }
        any
    }

    /// Deals with what the device reports; returns whether there was anything.
    fn look(&mut self) -> bool {
        let mut any = false;
        while self.broken.is_none() {
            let count = match self.device.poll(&mut self.found) {
                Ok(count) => count,
                Err(why) => {
                    self.break_down(&why);
                    return true;
                }
            };
            for at in 0..count {
                let completion = self.found[at];
                self.settle(&completion);
            }
            any |= count > 0;
            if count < AT_ONCE {
                break;
            }
        }
        any
    }

    fn settle(&mut self, completion: &ibv_wc) {
        let (peer, number) = link::owner(completion.wr_id);
        let Some(link) = self.links.get_mut(&peer) else { return };
        let mut ended = std::mem::take(&mut self.ended);
        link.retire(number, |operation, is_last| ended.push((operation, is_last)));
        for (index, is_last) in ended.drain(..) {
            let failed = is_last && completion.status != IBV_WC_SUCCESS;
            if failed && self.operations[index].state == State::UnderWay {
                let why = self.reason(peer, completion);
                self.fail(index, why);
            }
            self.request_is_over(index);
        }
        self.ended = ended;
    }

    /// Goes on with operations of which requests are still to be posted.
    fn resume(&mut self) -> bool {
        let mut any = false;
        for index in std::mem::take(&mut self.stalled) {
            match self.operations[index].state {
                State::UnderWay => {}
                State::Lost | State::Over => continue,
            }
            let Active { work, posted, requests: before, .. } = self.operations[index];
            if posted >= work.operation.bytes() {
                continue;
            }
            // SAFETY: the operation is not complete, so its addresses are valid.
            if let Err(why) = unsafe { self.go_on(index) } {
                self.fail(index, why);
                continue;
            }
            let Active { work, step, posted, requests, .. } = self.operations[index];
            any |= requests > before;
            if posted < work.operation.bytes() {
                self.stalled.push(index);
            } else if step == Step::None {
                self.hold_back(index, false);
            }
        }
        any
    }
}

impl Fabric for Verbs {
    fn promises(&self) -> Promises {
        Promises { ordered: true, delivery: Delivery::Flushed, whole_words: true, atomics: true, target_polls: false }
    }

    fn name(&self) -> Vec<u8> {
        self.listener.name.bytes()
    }

    fn peers(&mut self, names: &[Vec<u8>]) -> Result<(), String> {
        let read = |(number, name): (usize, &Vec<u8>)| {
            Name::read(name).map_err(|why| format!("the name of peer {number} {why}"))
        };
        let peers: Vec<Name> = (self.peers.len()..).zip(names).map(read).collect::<Result<_, _>>()?;
        let About { name, port, layer, .. } = &self.device.about;
        if let Some((number, other)) = (self.peers.len()..).zip(&peers).find(|(_, other)| other.layer != *layer) {
            return Err(format!(
                "peer {number} at {} uses {}, and port {port} of {name} here is {layer}: have CUSHMEM_NICS name ports of \
                 one kind on all hosts",
                other.address.ip(),
                other.layer
            ));
        }
        self.peers.extend(peers);
        Ok(())
    }

    unsafe fn register(&mut self, region: u32, piece: u32, memory: Local) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        unsafe { self.own.register((region, piece), &memory, &self.device) }
    }

    unsafe fn register_gpu(
        &mut self,
        region: u32,
        piece: u32,
        memory: Local,
        gpu: GpuMemory,
    ) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        unsafe { self.own.register_gpu((region, piece), &memory, gpu, &self.device) }
    }

    fn learn(&mut self, peer: u32, region: u32, piece: u32, card: &[u8]) -> Result<(), String> {
        self.far.learn(peer, (region, piece), card, 1)?;
        self.unread.learn(peer, card);
        Ok(())
    }

    fn forget(&mut self, region: u32, piece: u32) {
        self.own.forget((region, piece));
        self.far.forget((region, piece));
    }

    unsafe fn post(&mut self, work: &Work, tag: Tag) -> Post {
        if let Err(why) = self.check(work) {
            return Post::Refused(why);
        }
        let (kind, bytes, peer) = (Kind::of(&work.operation), work.operation.bytes(), work.peer);
        if bytes == 0 {
            self.over.push_back((tag, Ok(())));
            return Post::Taken;
        }
        if matches!(work.operation, Operation::Amo { .. } | Operation::Set { .. }) {
            let (region, at) = (work.region, work.at);
            match self.far.find(peer, region, at, bytes, 0) {
                Some((there, here)) if here >= bytes && there.address.is_multiple_of(bytes as u64) => {}
                Some((_, here)) if here >= bytes => {
                    return Post::Refused(format!(
                        "the word of {bytes} bytes at offset {at} of region {region} lies at an address that is not aligned"
                    ));
                }
                _ => {
                    let why = format!("an atomic operation on a word that lies in two pieces of region {region}");
                    return Post::Refused(why);
                }
            }
            if kind == Kind::Loop && !self.has_whole_word(work) {
                return Post::Refused(format!(
                    "an atomic operation on the word of {bytes} bytes at offset {at} of region {region}: the device changes \
                     the 8 bytes that contain it, and they do not all belong to a piece of the region"
                ));
            }
        }
        let flow = self.flows.get(&(tag.lane, peer)).copied().unwrap_or_default();
        if flow.unposted > 0 {
            return Post::Later;
        }
        match self.link(peer) {
            Ok(Some(_)) => {}
            Ok(None) => return Post::Later,
            Err(why) => {
                let why = format!("no connection over {}: {why}", self.device.about.name);
                self.gone.insert(peer, why.clone());
                return Post::Refused(why);
            }
        }
        let (lane, to) = ((tag.lane, peer), self.destination(work));
        let before = to.map_or_else(Before::default, |to| self.unread.before(lane, kind, to));
        if self.room_for(peer) <= before.reads.iter().flatten().count() {
            return Post::Later;
        }
        let index = match self.free.pop() {
            Some(index) => index,
            None if self.operations.len() < MOST_POSTED => self.operations.len(),
            None => return Post::Later,
        };
        let operation = Active {
            work: *work,
            tag,
            kind,
            fence: before.fence || flow.needs_fence(kind),
            posted: 0,
            requests: 0,
            local: LocalEnd::Memory,
            step: if kind == Kind::Loop { Step::Reads } else { Step::None },
            holds_back: false,
            state: State::UnderWay,
        };
        match self.operations.get_mut(index) {
            Some(place) => *place = operation,
            None => {
                self.operations.push(operation);
                self.running.push(None);
            }
        }
        // SAFETY: the caller guarantees the source.
        self.operations[index].local = unsafe { self.place(index) };
        self.read_back(index, &before);
        // SAFETY: the caller guarantees the addresses.
        let outcome = unsafe { self.go_on(index) };
        if let Err(why) = &outcome
            && self.operations[index].posted == 0
        {
            let why = why.clone();
            self.take_back(index);
            self.release(index);
            return Post::Refused(why);
        }
        self.flows.entry((tag.lane, peer)).or_default().begin(kind);
        if let Some(to) = to {
            self.unread.note(lane, kind, to, (work.region, work.at));
        }
        match outcome {
            Ok(()) => {
                let is_partial = self.operations[index].posted < bytes;
                self.hold_back(index, is_partial || kind == Kind::Loop);
                if is_partial {
                    self.stalled.push(index);
                }
            }
            Err(why) => self.fail(index, why),
        }
        Post::Taken
    }

    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        let mut any = self.dial();
        any |= self.ring();
        any |= self.look();
        any |= !self.ending.is_empty() && self.end_links();
        if self.resume() {
            any = true;
            self.ring();
        }
        while let Some((tag, outcome)) = self.over.pop_front() {
            any = true;
            done(tag, outcome);
        }
        any
    }

    fn descriptor(&self) -> Option<OwnedFd> {
        self.device.descriptor()
    }

    fn may_sleep(&mut self) -> bool {
        // What the device is to be given or asked again, and what is over at some time without a completion.
        let has_none = self.over.is_empty() && self.pending.is_empty();
        let is_patient = self.dialled.is_empty() && self.ending.is_empty() && self.broken.is_none();
        has_none && is_patient && self.device.arm() && !self.look()
    }

    fn next_due(&self) -> Option<Instant> {
        // Completions come without notice.
        let is_busy = !self.is_idle() || !self.dialled.is_empty();
        is_busy.then(Instant::now)
    }

    fn is_idle(&self) -> bool {
        self.over.is_empty() && self.flows.is_empty()
    }

    fn forget_lane(&mut self, lane: u32) {
        self.unread.forget_lane(lane);
    }

    fn hurry(&mut self) {}

    fn lost(&mut self, peer: u32, why: &str) {
        self.give_up(peer, why);
    }
}

//! Several NICs of one process as one network. Long transfers are striped over all of them; everything else takes the
//! first, as if there were no others.
//!
//! *Order.* Each NIC keeps the order of a lane's operations on one peer, and none knows of the others. So a striped
//! transfer has its lane to the peer for itself:
//!
//! * It starts when everything in front of it is complete and has arrived at the peer: if the first NIC has written
//!   there since the last look, a get of one byte behind that shows it ([`Delivery::Flushed`]).
//! * On each NIC, a get of one byte follows the parts of a put. When all gets are complete, all parts have arrived, so
//!   the next transfer needs no such get in front of it.
//! * What is behind it is told to come later until then. It is posted again before anything else of its lane to the
//!   peer ([`Post::Later`]), so nothing overtakes the transfer and it waits only for what is in front of it.
//!
//! Other lanes and other peers go on. The price is a round trip for each long transfer, and one more behind short puts,
//! during which its lane to this peer has nothing under way.
//!
//! *Failure.* When an operation for a peer fails on one NIC, the peer is given up on all. A transfer is reported when
//! no NIC has a part of it any more.

use crate::fabric::{Fabric, GpuMemory, Local, Post, Promises, Tag};
use crate::{Delivery, Failure, Operation, Work};
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::time::Instant;

/// Transfers of so many bytes are striped. Shorter ones win less than the round trip costs.
const STRIPED: usize = 1 << 20;
/// Parts begin at multiples of this in the region. So no word is cut of a region that begins with a whole one, as all
/// regions of the library do; what a program registers may begin elsewhere.
const ALIGNMENT: u64 = 4096;
/// The tickets of parts have this bit, which no other ticket has.
const PART: u64 = 1 << 63;

/// The NICs of a process.
pub struct Rails<F> {
    pub(crate) rails: Vec<F>,
    /// How many NICs each peer has.
    counts: Vec<usize>,
    /// By lane and peer, if there are several NICs.
    flows: FxHashMap<(u32, u32), Flow>,
    /// The peers of the first NIC's operations that are not parts.
    peers: FxHashMap<Tag, u32>,
    /// The transfers under way, and gets that show that something has arrived.
    stripes: Vec<Stripe>,
    /// The number of the last part.
    parts: u64,
    /// What gets of one byte write to. Nobody reads it.
    byte: Box<u8>,
    /// The shortest transfer that is striped.
    pub(crate) striped: usize,
}

/// A lane to a peer.
#[derive(Default)]
struct Flow {
    /// How many operations the first NIC has that are not parts.
    plain: usize,
    /// Whether it may have written what has not been shown to have arrived.
    is_unshown: bool,
    /// Whether there is a stripe.
    is_striped: bool,
}

/// A transfer in parts; without a tag, a get that shows what has arrived.
struct Stripe {
    tag: Option<Tag>,
    lane: u32,
    work: Work,
    /// By NIC: what was not posted yet.
    waiting: Vec<VecDeque<Work>>,
    /// The tickets of what was posted and is not over.
    under_way: Vec<u64>,
    /// Why it fails.
    why: Option<String>,
}

impl<F: Fabric> Rails<F> {
    /// The first one of these is for all operations that are not striped.
    ///
    /// # Panics
    ///
    /// If there is none, or there are several that do not [flush](Delivery::Flushed) or keep no order.
    pub fn new(rails: Vec<F>) -> Self {
        let promises = rails.iter().map(Fabric::promises);
        let fits = |promises: Promises| promises.ordered && promises.delivery == Delivery::Flushed;
        assert!(
            rails.len() == 1 || !rails.is_empty() && promises.into_iter().all(fits),
            "they cannot be used together"
        );
        Self {
            rails,
            counts: Vec::new(),
            flows: FxHashMap::default(),
            peers: FxHashMap::default(),
            stripes: Vec::new(),
            parts: 0,
            byte: Box::default(),
            striped: STRIPED,
        }
    }

    /// Registers a piece with each NIC, or with none.
    fn register_with_all(
        &mut self,
        region: u32,
        piece: u32,
        mut register: impl FnMut(&mut F) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<u8>, String> {
        let mut cards = Vec::with_capacity(self.rails.len());
        for number in 0..self.rails.len() {
            match register(&mut self.rails[number]) {
                Ok(card) => cards.push(card),
                Err(why) => {
                    self.rails[..number].iter_mut().for_each(|rail| rail.forget(region, piece));
                    return Err(why);
                }
            }
        }
        Ok(packed(cards.into_iter()))
    }

    /// A get of one byte from where this work begins.
    fn look(&mut self, work: &Work) -> Work {
        let to = std::ptr::from_mut(&mut *self.byte).expose_provenance();
        Work { operation: Operation::Get { to, bytes: 1 }, delivery_complete: false, ..*work }
    }

    /// Begins a stripe, which is over when everything in `waiting` is. Returns why it is refused, if nothing of it was
    /// posted.
    ///
    /// # Safety
    /// The addresses are valid until it is over.
    unsafe fn begin(
        &mut self,
        tag: Option<Tag>,
        lane: u32,
        work: &Work,
        waiting: Vec<VecDeque<Work>>,
    ) -> Option<String> {
        self.flows.entry((lane, work.peer)).or_default().is_striped = true;
        self.stripes.push(Stripe { tag, lane, work: *work, waiting, under_way: Vec::new(), why: None });
        // SAFETY: the caller guarantees the addresses.
        unsafe { self.go_on(self.stripes.len() - 1) };
        let is_refused = |stripe: &mut Stripe| stripe.why.is_some() && stripe.under_way.is_empty();
        let refused = self.stripes.pop_if(is_refused)?;
        self.change(lane, work.peer, |flow| flow.is_striped = false);
        refused.why
    }

    /// Posts what is waiting of a stripe, as far as there is room; returns whether there was any.
    ///
    /// # Safety
    /// Its addresses are valid.
    unsafe fn go_on(&mut self, index: usize) -> bool {
        let stripe = &mut self.stripes[index];
        let mut any = false;
        for (rail, waiting) in self.rails.iter_mut().zip(&mut stripe.waiting) {
            while let Some(work) = waiting.front()
                && stripe.why.is_none()
            {
                let ticket = PART | (self.parts + 1);
                // SAFETY: the caller guarantees the addresses.
                match unsafe { rail.post(work, Tag { lane: stripe.lane, ticket }) } {
                    Post::Taken => {
                        self.parts += 1;
                        stripe.under_way.push(ticket);
                        waiting.pop_front();
                    }
                    Post::Later => break,
                    Post::Refused(why) => stripe.why = Some(why),
                }
                any = true;
            }
        }
        if stripe.why.is_some() {
            stripe.waiting.clear();
        }
        any
    }

    /// Starts a transfer that is to be striped, if everything in front of it has arrived.
    ///
    /// # Safety
    /// The addresses are valid until it is over.
    unsafe fn stripe(&mut self, work: &Work, tag: Tag) -> Post {
        let flow = self.flows.entry((tag.lane, work.peer)).or_default();
        if flow.plain > 0 || flow.is_striped {
            return Post::Later;
        }
        let look = self.look(work);
        if std::mem::take(&mut self.flows.entry((tag.lane, work.peer)).or_default().is_unshown) {
            // SAFETY: the byte is there as long as this.
            let refused = unsafe { self.begin(None, tag.lane, work, vec![VecDeque::from([look])]) };
            return refused.map_or(Post::Later, Post::Refused);
        }
        let is_put = matches!(work.operation, Operation::Put { .. });
        let parts = split(work, self.rails.len());
        let waiting =
            parts.into_iter().map(|part| VecDeque::from_iter([part].into_iter().chain(is_put.then_some(look))));
        let waiting = waiting.collect();
        // SAFETY: the caller guarantees the addresses.
        let refused = unsafe { self.begin(Some(tag), tag.lane, work, waiting) };
        refused.map_or(Post::Taken, Post::Refused)
    }

    /// Deals with the end of a part.
    fn part_is_over(&mut self, tag: Tag, outcome: Result<(), Failure>) {
        let is_of = |stripe: &&mut Stripe| stripe.under_way.contains(&tag.ticket);
        let Some(stripe) = self.stripes.iter_mut().find(is_of) else { return };
        stripe.under_way.retain(|ticket| *ticket != tag.ticket);
        if let Err(failure) = outcome {
            stripe.waiting.clear();
            stripe.why.get_or_insert(failure.why);
        }
    }

    /// Reports the stripes that are over.
    fn report(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        let mut any = false;
        let mut index = 0;
        while index < self.stripes.len() {
            let Stripe { waiting, under_way, .. } = &self.stripes[index];
            if !under_way.is_empty() || !waiting.iter().all(VecDeque::is_empty) {
                index += 1;
                continue;
            }
            let Stripe { tag, lane, work, why, .. } = self.stripes.swap_remove(index);
            self.change(lane, work.peer, |flow| flow.is_striped = false);
            let outcome = why.map_or(Ok(()), |why| Err(work.failure(why)));
            if let Err(failure) = &outcome {
                self.rails.iter_mut().for_each(|rail| rail.lost(work.peer, &failure.why));
            }
            // Without a tag, nobody waits for it: who posts again behind a failure is refused.
            tag.into_iter().for_each(|tag| done(tag, outcome.clone()));
            any = true;
        }
        any
    }

    fn change(&mut self, lane: u32, peer: u32, change: impl FnOnce(&mut Flow)) {
        let flow = self.flows.entry((lane, peer)).or_default();
        change(flow);
        if !flow.is_striped && !flow.is_unshown && flow.plain == 0 {
            self.flows.remove(&(lane, peer));
        }
    }
}

/// The parts of a transfer, at most as many as this.
fn split(work: &Work, count: usize) -> Vec<Work> {
    let all = work.operation.bytes();
    let mut parts = Vec::with_capacity(count);
    let mut start = 0;
    for number in 1..=count {
        let end = work.at + (all as u128 * number as u128 / count as u128) as u64;
        let end = if number == count { all } else { (end / ALIGNMENT * ALIGNMENT).saturating_sub(work.at) as usize };
        if end <= start {
            continue;
        }
        let bytes = end - start;
        let operation = match work.operation {
            Operation::Put { from, ordered, .. } => Operation::Put { from: from + start, bytes, ordered },
            Operation::Get { to, .. } => Operation::Get { to: to + start, bytes },
            other => other,
        };
        parts.push(Work { at: work.at + start as u64, operation, ..*work });
        start = end;
    }
    parts
}

/// Several texts as one.
fn packed(all: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let length = |one: &Vec<u8>| u16::try_from(one.len()).expect("names and cards are short").to_le_bytes();
    all.flat_map(|one| [&length(&one)[..], &one].concat()).collect()
}

/// The inverse. The error follows the words that say what they are of.
fn unpacked(bytes: &[u8]) -> Result<Vec<&[u8]>, String> {
    let malformed = || format!("has {} bytes that are not those of its NICs", bytes.len());
    let (mut all, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<2>().ok_or_else(malformed)?;
        let (one, after) = after.split_at_checked(u16::from_le_bytes(*length).into()).ok_or_else(malformed)?;
        all.push(one);
        rest = after;
    }
    if all.is_empty() { Err(malformed()) } else { Ok(all) }
}

impl<F: Fabric> Fabric for Rails<F> {
    fn promises(&self) -> Promises {
        self.rails[0].promises()
    }

    fn name(&self) -> Vec<u8> {
        packed(self.rails.iter().map(Fabric::name))
    }

    fn peers(&mut self, names: &[Vec<u8>]) -> Result<(), String> {
        let read = |(peer, name): (usize, _)| unpacked(name).map_err(|why| format!("the name of peer {peer} {why}"));
        let all: Vec<Vec<&[u8]>> =
            (self.counts.len()..).zip(names.iter().map(Vec::as_slice)).map(read).collect::<Result<_, _>>()?;
        // A NIC reaches one of each peer. Those of the same number are connected best.
        self.rails.iter_mut().enumerate().try_for_each(|(number, rail)| {
            let names: Vec<Vec<u8>> = all.iter().map(|name| name[number % name.len()].to_vec()).collect();
            rail.peers(&names)
        })?;
        self.counts.extend(all.iter().map(Vec::len));
        Ok(())
    }

    unsafe fn register(&mut self, region: u32, piece: u32, memory: Local) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        self.register_with_all(region, piece, |rail| unsafe { rail.register(region, piece, memory.clone()) })
    }

    unsafe fn register_gpu(
        &mut self,
        region: u32,
        piece: u32,
        memory: Local,
        gpu: GpuMemory,
    ) -> Result<Vec<u8>, String> {
        self.register_with_all(region, piece, |rail| {
            let copy = |(buffer, offset): &(OwnedFd, u64)| {
                let buffer = buffer.try_clone().map_err(|error| format!("copy the descriptor of a dma-buf: {error}"));
                buffer.map(|buffer| (buffer, *offset))
            };
            let dma_buf = gpu.dma_buf.as_ref().map_err(String::clone).and_then(copy);
            let gpu = GpuMemory { dma_buf, keeps_order: gpu.keeps_order };
            // SAFETY: the caller guarantees the memory.
            unsafe { rail.register_gpu(region, piece, memory.clone(), gpu) }
        })
    }

    fn learn(&mut self, peer: u32, region: u32, piece: u32, card: &[u8]) -> Result<(), String> {
        let wrong = |why: &str| crate::pieces::wrong_card((peer, region), piece, why);
        let cards = unpacked(card).map_err(|why| wrong(&why))?;
        let count = self.counts.get(peer as usize).copied().unwrap_or_default();
        if cards.len() != count {
            return Err(wrong(&format!("is {} cards for {count} NICs", cards.len())));
        }
        // If one of them refuses, whoever learns forgets the piece.
        let learn = |(number, rail): (usize, &mut F)| rail.learn(peer, region, piece, cards[number % count]);
        self.rails.iter_mut().enumerate().try_for_each(learn)
    }

    fn forget(&mut self, region: u32, piece: u32) {
        self.rails.iter_mut().for_each(|rail| rail.forget(region, piece));
    }

    #[inline]
    unsafe fn post(&mut self, work: &Work, tag: Tag) -> Post {
        if self.rails.len() == 1 {
            // SAFETY: the caller guarantees the addresses.
            return unsafe { self.rails[0].post(work, tag) };
        }
        let is_transfer = matches!(work.operation, Operation::Put { .. } | Operation::Get { .. });
        if is_transfer && work.operation.bytes() >= self.striped {
            // SAFETY: as above.
            return unsafe { self.stripe(work, tag) };
        }
        if self.flows.get(&(tag.lane, work.peer)).is_some_and(|flow| flow.is_striped) {
            return Post::Later;
        }
        // SAFETY: as above.
        let outcome = unsafe { self.rails[0].post(work, tag) };
        if outcome == Post::Taken {
            let flow = self.flows.entry((tag.lane, work.peer)).or_default();
            flow.plain += 1;
            flow.is_unshown |= !matches!(work.operation, Operation::Get { .. });
            self.peers.insert(tag, work.peer);
        }
        outcome
    }

    #[inline]
    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        if self.rails.len() == 1 {
            return self.rails[0].poll(done);
        }
        let mut any = false;
        let (mut parts, mut plain) = (Vec::new(), Vec::new());
        for rail in self.rails.iter_mut().rev() {
            any |= rail.poll(&mut |tag, outcome| {
                if tag.ticket & PART != 0 { &mut parts } else { &mut plain }.push((tag, outcome));
            });
        }
        for (tag, outcome) in plain {
            if let Some(peer) = self.peers.remove(&tag) {
                self.change(tag.lane, peer, |flow| flow.plain -= 1);
            }
            if let Err(failure) = &outcome {
                self.rails[1..].iter_mut().for_each(|rail| rail.lost(failure.peer, &failure.why));
            }
            done(tag, outcome);
        }
        parts.into_iter().for_each(|(tag, outcome)| self.part_is_over(tag, outcome));
        for index in 0..self.stripes.len() {
            // SAFETY: a stripe that is not over has addresses that are valid.
            any |= unsafe { self.go_on(index) };
        }
        self.report(done) || any
    }

    fn retries(&self) -> u64 {
        self.rails.iter().map(Fabric::retries).sum()
    }

    /// Of several NICs, one that is readable when one of theirs is.
    fn descriptor(&self) -> Option<OwnedFd> {
        if self.rails.len() == 1 {
            return self.rails[0].descriptor();
        }
        let all = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC).ok()?;
        for rail in &self.rails {
            // It watches what the descriptor stands for, which the NIC keeps open, so this one may be closed.
            all.add(rail.descriptor()?, EpollEvent::new(EpollFlags::EPOLLIN, 0)).ok()?;
        }
        Some(all.0)
    }

    fn may_sleep(&mut self) -> bool {
        let is_waiting = |stripe: &Stripe| stripe.waiting.iter().any(|waiting| !waiting.is_empty());
        !self.stripes.iter().any(is_waiting) && self.rails.iter_mut().all(Fabric::may_sleep)
    }

    fn next_due(&self) -> Option<Instant> {
        self.rails.iter().filter_map(Fabric::next_due).min()
    }

    fn is_idle(&self) -> bool {
        self.stripes.is_empty() && self.rails.iter().all(Fabric::is_idle)
    }

    fn forget_lane(&mut self, lane: u32) {
        self.flows.retain(|(other, _), _| *other != lane);
        self.rails.iter_mut().for_each(|rail| rail.forget_lane(lane));
    }

    fn hurry(&mut self) {
        self.rails.iter_mut().for_each(Fabric::hurry);
    }

    fn lost(&mut self, peer: u32, why: &str) {
        self.rails.iter_mut().for_each(|rail| rail.lost(peer, why));
    }
}

#[cfg(test)]
impl Rails<crate::Loopback> {
    pub(crate) fn description(&self) -> String {
        self.rails[0].description()
    }
}

#[cfg(test)]
mod fuzz {
    use super::*;
    use cushmem_fuzz::{Parser, is_one_line, within};

    #[test]
    fn rails_names() {
        let all = || [vec![1, 2, 3], vec![], vec![4]].into_iter();
        Parser::new("rails_names", env!("CARGO_PKG_NAME")).sample("three", packed(all())).run(|bytes| {
            // Each of them may be empty, and has a pointer and a length.
            match within(256 + 32 * bytes.len(), || unpacked(bytes)) {
                Ok(found) => assert!(packed(found.into_iter().map(<[u8]>::to_vec)) == bytes),
                Err(why) => is_one_line(&why, bytes),
            }
        });
    }
}

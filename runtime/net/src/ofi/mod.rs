//! Networks between machines, through libfabric, which is opened at run time.
//!
//! *Endpoints.* Each process has an endpoint for puts and gets. A second one has atomic operations, if they are asked
//! for: some providers keep no order between writes on an endpoint that has atomic operations. Both are reliable and
//! without connections (`FI_EP_RDM`); what connections the provider needs, it makes on the first use of a peer.
//!
//! *Order.* Operations of a lane to one peer take effect in order if the provider keeps the order of writes. Where it
//! does not keep another order, such as that of a read behind a write, the later operation is posted when the earlier
//! one is complete ([`Order`]). An operation of the second endpoint is always posted when those before it are complete.
//!
//! *A word that is set* ([`Operation::Set`]) is an atomic write, because a provider may store the bytes of a put in any
//! pieces. If it is ordered, it is posted when everything before it on its lane to that peer is complete, and so comes
//! behind all puts that report their arrival (`FI_DELIVERY_COMPLETE`).
//!
//! *Progress.* A target has to poll (`FI_PROGRESS_MANUAL`). The thread that `tcp;ofi_rxm` 1.17 has with
//! `FI_PROGRESS_AUTO` serves only the endpoint with atomic operations, and competes for it with the thread that polls.
//!
//! *Failure.* An operation that fails ends the use of its peer. When a peer is lost ([`Fabric::lost`]), its operations
//! fail at once, because the library may never report them. It may still use their memory, until the endpoint is
//! closed; the slots of such operations are not used again before the library has reported them.

mod active;
mod atomics;
mod endpoint;
mod library;
mod memory;
mod name;
mod order;
mod polling;
mod signals;
pub(crate) mod survey;
mod sys;
mod variables;
mod word_op;

use crate::fabric::{Fabric, Local, Post, Promises, Tag};
use crate::far::Far;
use crate::{Delivery, Failure, MOST_INLINE, Operation, WordOp, Work, check_set};
use active::{Active, Slot, Slots, State};
use endpoint::{Change, Endpoint, Here, Purpose, Registered};
use library::Wanted;
use memory::Own;
use name::Named;
use order::{Flow, Kind, Order};
use polling::Polling;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::os::fd::OwnedFd;
use std::ptr::null_mut;
use std::time::{Duration, Instant};
use sys::*;
use word_op::of_libfabric;

/// The maximum number of operations under way.
pub(crate) const MOST_POSTED: usize = 1024;
/// A process that has nothing under way polls this often, unless it sleeps at the descriptor.
const SERVE: Duration = Duration::from_millis(1);
/// The indices of the endpoints.
const MAIN: usize = 0;
const ATOMIC: usize = 1;
/// The words of a slot that an atomic operation uses.
const OPERAND: usize = 0;
const CONDITION: usize = 1;
const RESULT: usize = 2;

/// Which provider to use, and how.
#[derive(Clone, Debug)]
pub struct OfiSettings {
    /// The library's file, as the loader takes it: a path, or a name that it looks for, such as
    /// [`OfiSettings::LIBRARY`].
    pub library: String,
    /// The provider's name, such as `tcp;ofi_rxm`.
    pub provider: String,
    /// An address of this machine, by which peers reach it.
    pub address: String,
    /// Whether there are atomic operations.
    pub atomics: bool,
}

impl OfiSettings {
    /// The library's file if the user names none.
    pub const LIBRARY: &str = library::LIBRARY;
}

/// A process's side of a network of libfabric. The processes of a job have the same settings but for the address.
pub struct Ofi {
    order: Order,
    identity: Identity,
    peers: usize,
    operations: Vec<Active>,
    flows: FxHashMap<(u32, u32), Flow>,
    /// Peers that are not used any more, and why.
    gone: FxHashMap<u32, String>,
    /// Operations that are over but not reported.
    over: VecDeque<(Tag, Result<(), Failure>)>,
    /// Operations whose next part could not be posted yet.
    stalled: Vec<usize>,
    /// How often a part of an operation could not be posted.
    retries: u64,
    polling: Polling,
    /// Whether the provider has refused an operation for now, since a thread last wanted to sleep.
    is_blocked: bool,
    far: Far,
    // In this order: memory before the endpoints with which it is registered, and those before what they write.
    running: Vec<Option<Registered>>,
    /// By endpoint, if it needs registrations of local memory.
    of_slots: Vec<Option<Registered>>,
    own: Own,
    endpoints: Vec<Endpoint>,
    slots: Slots,
}

/// By what peers reach this process.
struct Identity {
    address: String,
    name: Vec<u8>,
}

// SAFETY: the addresses of slots point into memory that belongs to this structure, and everything else may be sent.
unsafe impl Send for Ofi {}

impl Ofi {
    /// Opens the endpoints.
    ///
    /// # Errors
    ///
    /// In one line, what is missing: the library, a provider, or what the provider should have.
    pub fn open(settings: &OfiSettings) -> Result<Self, String> {
        Self::open_with(settings, 0)
    }

    /// Registers the local end of each operation, although the provider may not need it.
    #[cfg(test)]
    pub(crate) fn open_with_local_keys(settings: &OfiSettings) -> Result<Self, String> {
        Self::open_with(settings, FI_MR_LOCAL)
    }

    fn open_with(settings: &OfiSettings, mr_mode: c_int) -> Result<Self, String> {
        let OfiSettings { library, provider, address, atomics } = settings;
        let open = |atomics| Endpoint::open(&Wanted { library, provider, address, atomics }, mr_mode);
        let mut endpoints = vec![open(false)?];
        if *atomics {
            endpoints.push(open(true)?);
        }
        let addresses: Vec<Vec<u8>> = endpoints.iter().map(Endpoint::name).collect::<Result<_, _>>()?;
        let providers: Vec<String> = endpoints.iter().map(Endpoint::provider).collect();
        let named = providers.iter().zip(&addresses);
        let named = named.map(|(provider, address)| Named { provider: provider.as_bytes(), address });
        let name = name::joined(&named.collect::<Vec<_>>());
        let slots = Slots::new(MOST_POSTED);
        let mut of_slots = Vec::new();
        for endpoint in &mut endpoints {
            let (address, bytes) = (slots.as_ptr().expose_provenance(), size_of_val(&*slots));
            // SAFETY: the slots stay until the registrations are dropped.
            let register =
                |endpoint: &mut Endpoint| unsafe { endpoint.register(address, bytes, Purpose::Source, None) };
            of_slots.push(if endpoint.needs(FI_MR_LOCAL) { Some(register(endpoint)?) } else { None });
        }
        let order = Order::of(endpoints[MAIN].info());
        Ok(Self {
            order,
            identity: Identity { address: address.clone(), name },
            peers: 0,
            operations: Vec::new(),
            flows: FxHashMap::default(),
            gone: FxHashMap::default(),
            over: VecDeque::new(),
            stalled: Vec::new(),
            retries: 0,
            polling: Polling::default(),
            is_blocked: false,
            far: Far::default(),
            running: Vec::new(),
            of_slots,
            own: Own::default(),
            endpoints,
            slots,
        })
    }

    /// The name of the provider in use, which may be longer than the one that was asked for.
    pub fn provider(&self) -> String {
        self.endpoints[MAIN].provider()
    }

    /// The library, the provider, the domain and the address.
    pub(crate) fn description(&self) -> String {
        let info = &self.endpoints[MAIN].info;
        let (version, provider, domain) = (info.version(), info.provider(), info.domain());
        let other = self.endpoints.get(ATOMIC).map(Endpoint::provider).filter(|other| *other != provider);
        let other = other.map_or_else(String::new, |other| format!(" ({other} for atomic operations)"));
        let address = &self.identity.address;
        format!("ofi, libfabric {version}, provider {provider}{other}, domain {domain}, address {address}")
    }

    /// The addresses of a peer's endpoints, from its name.
    fn addresses_of<'a>(&self, number: usize, name: &'a [u8]) -> Result<Vec<&'a [u8]>, String> {
        let endpoints =
            name::endpoints(name, self.endpoints.len()).map_err(|why| format!("the name of peer {number} {why}"))?;
        for (endpoint, named) in self.endpoints.iter().zip(&endpoints) {
            let own = endpoint.provider();
            if named.provider != own.as_bytes() {
                let other = String::from_utf8_lossy(named.provider);
                return Err(format!(
                    "peer {number}: its libfabric chose the provider {other:?}, that of this process {own:?}; install \
                     one version on all hosts, or name a provider that all have (ofi:PROVIDER)"
                ));
            }
            endpoint.check_name(named.address).map_err(|why| format!("peer {number}: {why}"))?;
        }
        Ok(endpoints.into_iter().map(|named| named.address).collect())
    }

    /// The reason why an operation is impossible, if it is.
    fn check(&self, work: &Work) -> Result<(), String> {
        if let Some(why) = self.gone.get(&work.peer) {
            return Err(why.clone());
        }
        if work.peer as usize >= self.peers {
            return Err(format!("there is no peer {}", work.peer));
        }
        if let Operation::Inline { bytes, .. } = work.operation
            && bytes > MOST_INLINE
        {
            return Err(format!("at most {MOST_INLINE} bytes can be sent inline"));
        }
        self.far.check(work.peer, work.region, work.at, work.operation.bytes())?;
        match work.operation {
            Operation::Amo { width, .. } if !matches!(width, 4 | 8) || !work.at.is_multiple_of(u64::from(width)) => {
                Err(format!(
                    "an atomic operation of {width} bytes at offset {}: it needs an aligned word of 4 or 8",
                    work.at
                ))
            }
            Operation::Amo { .. } | Operation::Set { .. } if self.endpoints.len() <= ATOMIC => {
                Err("an atomic operation on a network that was opened without them".to_owned())
            }
            Operation::Set { width, .. } => check_set(width, work.at, work.at as usize),
            _ => Ok(()),
        }
    }

    /// Posts the next part of an operation; returns what the library says, or why it is impossible.
    ///
    /// # Safety
    /// The addresses of the work are valid until its completion.
    unsafe fn post_part(&mut self, index: usize) -> Result<isize, String> {
        let Active { work, kind, done, .. } = self.operations[index];
        let which = kind.endpoint();
        let slot = &self.slots[index];
        let context: *mut c_void = slot.context.get().cast();
        let at = work.at + done as u64;
        let left = work.operation.bytes() - done;
        let (there, mut bytes) =
            self.far.find(work.peer, work.region, at, left, which).ok_or("its region was forgotten")?;
        let word = match work.operation {
            Operation::Amo { op, width, operand, condition, .. } => Some((op, width, operand, condition)),
            Operation::Set { width, value, .. } => Some((WordOp::Set, width, value, 0)),
            _ => None,
        };
        if let Some((op, width, operand, condition)) = word {
            if bytes < left {
                return Err(format!("an atomic operation on a word that lies in two pieces of region {}", work.region));
            }
            let few = slot.few.get().cast::<u64>();
            // SAFETY: the slot belongs to this operation, and the library does not use it yet.
            unsafe {
                few.add(OPERAND).write(operand);
                few.add(CONDITION).write(condition);
            }
            let word = |number: usize| few.wrapping_add(number).expose_provenance();
            let (datatype, code) = of_libfabric(op, width);
            let change = Change {
                datatype,
                op: code,
                operand: word(OPERAND),
                condition: (op == WordOp::CompareSwap).then(|| word(CONDITION)),
                result: word(RESULT),
                desc: self.of_slots[which].as_ref().map_or(null_mut(), Registered::desc),
            };
            self.operations[index].running = bytes;
            // SAFETY: the words are in the slot, which stays until the completion.
            return Ok(unsafe { self.endpoints[which].change(&change, there, context) });
        }
        let endpoint = &mut self.endpoints[which];
        // SAFETY: the offer has all its parts.
        bytes = bytes.min(unsafe { (*endpoint.info().ep_attr).max_msg_size });
        let (write, address) = match work.operation {
            Operation::Get { to, .. } => (false, to),
            Operation::Put { from, .. } | Operation::Inline { from, .. } => (true, from),
            Operation::Amo { .. } | Operation::Set { .. } => unreachable!("it was posted above"),
        };
        let (here, registered) = if matches!(work.operation, Operation::Inline { .. }) {
            let few = slot.few.get().cast::<u8>();
            // The copy stays until the library is done with it, even if the operation is reported before (`lost`).
            // SAFETY: the caller guarantees the source, and `check` that it fits into the slot.
            unsafe { few.copy_from_nonoverlapping(std::ptr::with_exposed_provenance(address + done), bytes) };
            let desc = self.of_slots[which].as_ref().map_or(null_mut(), Registered::desc);
            (Here { address: few.expose_provenance(), bytes, desc }, None)
        } else {
            let purpose = if write { Purpose::Source } else { Purpose::Destination };
            // SAFETY: the caller guarantees the memory, and the registration is dropped at the completion.
            unsafe { self.own.local(address + done, bytes, purpose, which, endpoint)? }
        };
        let flags = if write && work.delivery_complete { FI_DELIVERY_COMPLETE } else { 0 };
        self.operations[index].running = here.bytes;
        // SAFETY: the caller guarantees the memory; the context is in the slot.
        let said = unsafe { self.endpoints[which].transfer(write, here, there, context, flags) };
        if said == 0 {
            self.running[index] = registered;
        }
        Ok(said)
    }

    /// Posts the next part of an operation that is under way.
    fn go_on(&mut self, index: usize) {
        // SAFETY: the operation is not complete, so its addresses are valid.
        match unsafe { self.post_part(index) } {
            Ok(0) => self.note_parts(index),
            Ok(code) if code == -FI_EAGAIN => {
                self.retries += 1;
                self.stalled.push(index);
            }
            Ok(code) => self.finish(index, Err(self.endpoints[MAIN].error(code))),
            Err(why) => self.finish(index, Err(why)),
        }
    }

    /// Notes, after a part was posted, whether there are more.
    fn note_parts(&mut self, index: usize) {
        let Active { work, tag, done, running, is_partial, .. } = self.operations[index];
        let partial = done + running < work.operation.bytes();
        self.operations[index].is_partial = partial;
        let flow = self.flows.entry((tag.lane, work.peer)).or_default();
        flow.unposted = flow.unposted + usize::from(partial) - usize::from(is_partial);
    }

    /// Goes on with an operation of which the library says that a part is over.
    fn part_is_over(&mut self, index: usize, outcome: Result<(), String>) {
        self.running[index] = None;
        let operation = &mut self.operations[index];
        match (operation.state, outcome) {
            (State::Over, _) => {}
            (State::Lost, _) => self.release(index),
            (State::UnderWay, Err(why)) => self.finish(index, Err(why)),
            (State::UnderWay, Ok(())) => {
                operation.done += operation.running;
                if operation.done < operation.work.operation.bytes() {
                    self.go_on(index);
                } else {
                    self.finish(index, Ok(()));
                }
            }
        }
    }

    /// Deals with what the library reported. A failure without an operation may be that of any, so all that are under
    /// way fail: nobody would report the one that it belongs to.
    pub(crate) fn settle(&mut self, context: *mut c_void, outcome: Result<(), String>) {
        match (self.index_of(context), outcome) {
            (Some(index), outcome) => self.part_is_over(index, outcome),
            (None, Ok(())) => {}
            (None, Err(why)) => {
                for index in 0..self.operations.len() {
                    let Active { work, state, .. } = self.operations[index];
                    if state == State::UnderWay {
                        self.lost(work.peer, &why);
                    }
                }
            }
        }
    }

    fn release(&mut self, index: usize) {
        self.operations[index].state = State::Over;
        self.slots.free.push(index);
    }

    /// Reports an operation that is under way, and releases its slot.
    fn finish(&mut self, index: usize, outcome: Result<(), String>) {
        let Active { work, .. } = self.operations[index];
        if outcome.is_ok()
            && let Operation::Amo { width, to, .. } = work.operation
            && to != 0
        {
            let old = self.slots[index].few.get().cast::<u64>().wrapping_add(RESULT).cast::<u8>();
            let to = std::ptr::with_exposed_provenance_mut::<u8>(to);
            // SAFETY: the poster keeps `width` bytes valid. This processor is little-endian, so the word is in the
            // first `width` bytes of the result, which the library does not use any more.
            unsafe { to.copy_from_nonoverlapping(old, width as usize) };
        }
        if let Err(why) = &outcome {
            self.gone.entry(work.peer).or_insert_with(|| format!("an earlier operation failed: {why}"));
        }
        self.report(index, outcome);
        self.release(index);
    }

    fn report(&mut self, index: usize, outcome: Result<(), String>) {
        let Active { work, tag, kind, is_partial, .. } = self.operations[index];
        self.polling.busy[kind.endpoint()] -= 1;
        if let Some(flow) = self.flows.get_mut(&(tag.lane, work.peer)) {
            flow.end(kind);
            flow.unposted -= usize::from(is_partial);
            if flow.is_empty() {
                self.flows.remove(&(tag.lane, work.peer));
            }
        }
        self.over.push_back((tag, outcome.map_err(|why| work.failure(why))));
    }

    /// The index of the slot that a context belongs to.
    fn index_of(&self, context: *mut c_void) -> Option<usize> {
        let distance = context.addr().checked_sub(self.slots.as_ptr().addr())?;
        Some(distance / size_of::<Slot>()).filter(|index| *index < self.operations.len())
    }
}

impl Fabric for Ofi {
    fn promises(&self) -> Promises {
        Promises {
            ordered: self.order.keeps_order(),
            delivery: Delivery::OnRequest,
            whole_words: false,
            atomics: self.endpoints.len() > ATOMIC,
            target_polls: true,
        }
    }

    fn name(&self) -> Vec<u8> {
        self.identity.name.clone()
    }

    fn peers(&mut self, names: &[Vec<u8>]) -> Result<(), String> {
        let mut all = Vec::new();
        for (number, name) in (self.peers..).zip(names) {
            all.push((number, self.addresses_of(number, name)?));
        }
        for (number, addresses) in all {
            for (endpoint, address) in self.endpoints.iter_mut().zip(addresses) {
                if let Err(why) = endpoint.add_peer(address) {
                    let before = self.peers;
                    self.endpoints.iter_mut().for_each(|endpoint| endpoint.keep_peers(before));
                    return Err(format!("peer {number}: {why}"));
                }
            }
        }
        self.peers += names.len();
        Ok(())
    }

    unsafe fn register(&mut self, region: u32, piece: u32, memory: Local) -> Result<Vec<u8>, String> {
        // SAFETY: the caller guarantees the memory.
        unsafe { self.own.register((region, piece), memory, &mut self.endpoints) }
    }

    fn learn(&mut self, peer: u32, region: u32, piece: u32, card: &[u8]) -> Result<(), String> {
        self.far.learn(peer, (region, piece), card, self.endpoints.len())
    }

    fn forget(&mut self, region: u32, piece: u32) {
        self.own.forget((region, piece));
        self.far.forget((region, piece));
    }

    unsafe fn post(&mut self, work: &Work, tag: Tag) -> Post {
        if let Err(why) = self.check(work) {
            return Post::Refused(why);
        }
        let (kind, bytes) = (Kind::of(&work.operation), work.operation.bytes());
        if bytes == 0 {
            self.over.push_back((tag, Ok(())));
            return Post::Taken;
        }
        let flow = self.flows.get(&(tag.lane, work.peer)).copied().unwrap_or_default();
        if !self.order.may_start(&flow, kind, bytes) {
            return Post::Later;
        }
        let index = match self.slots.free.pop() {
            Some(index) => index,
            None if self.operations.len() < MOST_POSTED => self.operations.len(),
            // Only the library gives the slots of lost peers back, and it may never do so.
            None if self.operations.iter().all(|operation| operation.state == State::Lost) => {
                return Post::Refused(format!("{MOST_POSTED} operations for lost peers may still use their memory"));
            }
            None => return Post::Later,
        };
        let operation =
            Active { work: *work, tag, kind, done: 0, running: 0, is_partial: false, state: State::UnderWay };
        match self.operations.get_mut(index) {
            Some(place) => *place = operation,
            None => {
                self.operations.push(operation);
                self.running.push(None);
            }
        }
        // SAFETY: the caller guarantees the addresses.
        let outcome = unsafe { self.post_part(index) };
        if outcome == Ok(0) {
            self.flows.entry((tag.lane, work.peer)).or_default().begin(kind, bytes);
            self.polling.busy[kind.endpoint()] += 1;
            self.note_parts(index);
            return Post::Taken;
        }
        self.release(index);
        match outcome {
            Ok(code) if code == -FI_EAGAIN => {
                self.is_blocked = true;
                Post::Later
            }
            Ok(code) => Post::Refused(self.endpoints[MAIN].error(code)),
            Err(why) => Post::Refused(why),
        }
    }

    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        let looks = self.polling.next();
        let mut found = std::mem::take(&mut self.polling.found);
        for (endpoint, _) in self.endpoints.iter().zip(looks).filter(|(_, looks)| *looks) {
            endpoint.completions(|context, outcome| found.push((context, outcome)));
        }
        let mut any = !found.is_empty();
        for (context, outcome) in found.drain(..) {
            self.settle(context, outcome);
        }
        self.polling.found = found;
        for index in std::mem::take(&mut self.stalled) {
            match self.operations[index].state {
                State::UnderWay => self.go_on(index),
                State::Lost => self.release(index),
                State::Over => {}
            }
        }
        while let Some((tag, outcome)) = self.over.pop_front() {
            any = true;
            done(tag, outcome);
        }
        any
    }

    fn retries(&self) -> u64 {
        self.retries
    }

    fn descriptor(&self) -> Option<OwnedFd> {
        endpoint::descriptor_of(&self.endpoints)
    }

    fn may_sleep(&mut self) -> bool {
        self.over.is_empty()
            && self.stalled.is_empty()
            && !std::mem::take(&mut self.is_blocked)
            && self.endpoints.iter().all(Endpoint::may_sleep)
    }

    fn next_due(&self) -> Option<Instant> {
        // Completions come without notice, and so do the operations of peers.
        let busy = !self.is_idle();
        Some(Instant::now() + if busy { Duration::ZERO } else { SERVE })
    }

    fn is_idle(&self) -> bool {
        self.over.is_empty() && self.flows.is_empty()
    }

    fn forget_lane(&mut self, _: u32) {}

    fn hurry(&mut self) {}

    fn lost(&mut self, peer: u32, why: &str) {
        self.gone.entry(peer).or_insert_with(|| why.to_owned());
        for index in 0..self.operations.len() {
            let Active { work, state, .. } = self.operations[index];
            if work.peer == peer && state == State::UnderWay {
                self.report(index, Err(why.to_owned()));
                self.operations[index].state = State::Lost;
            }
        }
    }
}

impl Drop for Ofi {
    fn drop(&mut self) {
        self.own.forget_all();
    }
}

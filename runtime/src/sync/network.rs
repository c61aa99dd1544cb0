//! The network between nodes: what is registered with it, and lanes on which operations are posted.
//!
//! ```text
//!   thread:   post ── ticket …                      look: has the lane come to the ticket?
//!   network:  … reads the source … writes the target … the lane has come to the ticket
//! ```
//!
//! Each PE has one handle of the network (`cushmem_net::Nic`), with which it registers where the segments of PEs are. A
//! *lane of the network* is an order of operations to each PE; each context has one, collectives have one, and so has
//! whoever carries out atomic operations for other nodes.
//!
//! *Complete and arrived.* A lane that has come to a put's ticket has read its source. Whether the bytes have arrived
//! at the target depends on the network's promise: always, if the put asks for it, or never. In the last case a get on
//! the same lane, which comes back after the puts before it, tells ([`NetLane::drain`]). *Order.* Where the network
//! keeps the order of a lane's operations to one PE, a flag that is put behind data vouches for them; elsewhere the
//! data are waited for first ([`NetLane::order`]). Between PEs there is never an order: a flag for one PE says nothing
//! of data for another.
//!
//! *The network's stores wake nobody*: whoever waits for them looks again after a millisecond at most. *When a PE dies*
//! the launcher ends the job; a network that notices before fails the operation. As most operations are not waited for,
//! a thread of the library looks for failures of all lanes ([`Watch`]), and ends the job.

use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::sync::child::refuse_children;
use crate::sync::locked;
use crate::sync::spin::WaitPolicy;
use cushmem_bootstrap::waits::Wait;
use cushmem_net::{
    Delivery, Failure, Lane, MOST_INLINE, MOST_UNDER_WAY, Memory, Nic, NicOp, Posted, ProcessMemory, Profile, Settings,
    What, Work,
};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// Memory of a PE that is registered with the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// Its control area.
    Control,
    /// Its segment of the host heap.
    Host,
    /// Its globals.
    Globals,
    /// What is staged with it.
    Stage,
    /// Host memory of its program that was registered with this number.
    Registered(u32),
}

impl Region {
    /// Its number, the same on all PEs.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Control => 0,
            Self::Host => 1,
            Self::Globals => 2,
            Self::Stage => 3,
            Self::Registered(number) => 4 + number,
        }
    }
}

/// A place in the memory of a PE of another node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Far {
    pub(crate) pe: Pe,
    pub(crate) region: Region,
    pub(crate) at: u64,
}

/// This PE's handle of the network.
pub(crate) struct Network {
    nic: Nic,
    profile: Profile,
    wait_policy: WaitPolicy,
    lanes: Arc<Mutex<Vec<Weak<NetLane>>>>,
    /// What collectives put.
    collective: Arc<NetLane>,
}

/// Operations to PEs of other nodes, in an order of their own.
pub(crate) struct NetLane {
    lane: Lane,
    /// This PE.
    me: u32,
    profile: Profile,
    wait_policy: WaitPolicy,
    /// Up to this ticket all operations have arrived.
    arrived: AtomicU64,
    /// The last ticket of an operation that uses memory of this process.
    with_memory: AtomicU64,
    /// PEs to which puts may still be under way although they are complete. Locked while one is posted, so that a drain
    /// that finds the put finds its PE.
    unsure: Mutex<Vec<Pe>>,
    /// What gets bring of which only the end matters.
    nowhere: Box<AtomicU64>,
    /// Held during a drain: another may return only when this one's gets are back.
    draining: Mutex<Flush>,
}

/// What a drain works with, kept so that none has to ask for memory.
#[derive(Default)]
struct Flush {
    pes: Vec<Pe>,
    /// What was got of each.
    words: Vec<u64>,
}

/// How long the network's thread looks for work before it sleeps, where it has a core of its own.
const SPIN: Duration = Duration::from_micros(50);

impl Network {
    /// The network of a job of several nodes; `None` in others.
    pub(crate) fn start(job: &Job, wait_policy: WaitPolicy) -> Result<Option<Self>> {
        if job.nodes() == 1 {
            return Ok(None);
        }
        let operation = "start the network between nodes";
        let value = cushmem_environment::net()?;
        let wrong = |why: String| {
            let variable = cushmem_environment::NET.name;
            Error::new(operation, Cause::Environment(format!("{variable}='{value}': {why}")))
        };
        let loopback =
            value.strip_prefix("loopback:").ok_or_else(|| wrong("it does not begin with loopback:".into()))?;
        let settings: Settings = loopback.parse().map_err(|why: cushmem_net::BadSettings| wrong(why.to_string()))?;
        let profile = settings.profile;
        let spin = if job.is_oversubscribed() { Duration::ZERO } else { SPIN };
        let nic = Nic::start(settings, job.my_pe(), spin)
            .map_err(|error| Error::new(operation, Cause::System(error.to_string())))?;
        let collective = Arc::new(NetLane::new(nic.lane(), job.my_pe(), profile, wait_policy));
        let lanes = Arc::new(Mutex::new(vec![Arc::downgrade(&collective)]));
        Ok(Some(Self { nic, profile, wait_policy, lanes, collective }))
    }

    /// Says where PEs have a region: each in the file of its node, one behind the other in the order of places,
    /// `stride` bytes apart, with `bytes` bytes.
    pub(crate) fn register(&self, job: &Job, region: Region, files: &[Arc<OwnedFd>], stride: u64, bytes: u64) {
        for pe in job.pes() {
            let (node, place) = (job.node(pe), job.place_there(pe));
            let memory = Memory { file: files[node as usize].clone(), offset: u64::from(place) * stride, bytes };
            self.nic.register(pe.number(), region.number(), memory);
        }
    }

    /// Says that a PE of another node has a region in a file of its own.
    pub(crate) fn register_file(&self, pe: Pe, region: Region, file: OwnedFd, bytes: u64) {
        self.nic.register(pe.number(), region.number(), Memory { file: Arc::new(file), offset: 0, bytes });
    }

    /// Says that a PE of another node has registered memory of its process.
    pub(crate) fn register_process(&self, pe: Pe, region: Region, memory: ProcessMemory) {
        self.nic.register_process(pe.number(), region.number(), memory);
    }

    /// Forgets a region of a PE, to which nothing is under way.
    pub(crate) fn unregister(&self, pe: Pe, region: Region) {
        self.nic.unregister(pe.number(), region.number());
    }

    /// Where the first failure of any lane shows, for a thread that looks for it.
    pub(crate) fn watch(&self) -> Watch {
        Watch(self.lanes.clone())
    }

    /// A new lane.
    pub(crate) fn lane(&self) -> Arc<NetLane> {
        let lane = Arc::new(NetLane::new(self.nic.lane(), self.collective.me, self.profile, self.wait_policy));
        let mut lanes = locked(&self.lanes);
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Arc::downgrade(&lane));
        lane
    }

    /// The lane of collectives.
    pub(crate) fn collective(&self) -> &NetLane {
        &self.collective
    }

    /// Waits until everything that this PE posted has arrived; the first error counts.
    pub(crate) fn drain_all(&self) -> Result<()> {
        // Not locked during the waits: other threads may make lanes.
        let lanes: Vec<_> = locked(&self.lanes).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().map(|lane| lane.drain()).fold(Ok(()), Result::and)
    }
}

/// The lanes of a network, to look for failures.
pub(crate) struct Watch(Arc<Mutex<Vec<Weak<NetLane>>>>);

impl Watch {
    /// The first failure that is found: something that was posted will never arrive, and whoever waits for it would
    /// wait for ever.
    pub(crate) fn failure(&self) -> Result<()> {
        let lanes: Vec<_> = locked(&self.0).iter().filter_map(Weak::upgrade).collect();
        lanes.iter().try_for_each(|lane| lane.check())
    }
}

#[cold]
fn unreachable(failure: &Failure) -> Error {
    Error::new("network", Cause::Unreachable { memory: "memory", pe: failure.peer, why: failure.why.clone() })
}

impl NetLane {
    fn new(lane: Lane, me: u32, profile: Profile, wait_policy: WaitPolicy) -> Self {
        Self {
            lane,
            me,
            profile,
            wait_policy,
            arrived: AtomicU64::new(0),
            with_memory: AtomicU64::new(0),
            unsure: Mutex::default(),
            nowhere: Box::default(),
            draining: Mutex::default(),
        }
    }

    /// Posts a put; returns the ticket from which on its source may change. Few bytes travel with the operation, and
    /// may change at once: `None`.
    ///
    /// # Safety
    /// `from` is readable for `bytes` bytes until the lane has come to the ticket.
    #[inline]
    pub(crate) unsafe fn put(&self, to: Far, from: usize, bytes: usize) -> Result<Option<u64>> {
        // SAFETY: the caller keeps the source valid.
        unsafe {
            if bytes > MOST_INLINE {
                return self.post(to, What::Put { from, bytes }).map(Some);
            }
            self.post(to, What::Inline { from, bytes })?;
        }
        Ok(None)
    }

    /// Posts a put; returns the ticket from which on its bytes have arrived.
    ///
    /// # Safety
    /// As for [`NetLane::put`].
    pub(crate) unsafe fn put_to_arrive(&self, to: Far, from: usize, bytes: usize) -> Result<u64> {
        let what = if bytes > MOST_INLINE { What::Put { from, bytes } } else { What::Inline { from, bytes } };
        // SAFETY: the caller keeps the source valid.
        let ticket = unsafe { self.post(to, what)? };
        if self.profile.delivery() != Delivery::Flushed {
            return Ok(ticket);
        }
        let (from, word) = (Far { region: Region::Control, at: 0, ..to }, self.nowhere.as_ptr());
        // SAFETY: a word of this lane, which waits for what uses its memory before it ends; nobody looks at it.
        unsafe { self.get(from, word.expose_provenance(), size_of::<u64>()) }
    }

    /// Whether operations to one PE take effect in their order.
    pub(crate) fn is_ordered(&self) -> bool {
        self.profile.ordered()
    }

    /// Posts a put of at most [`MOST_INLINE`] bytes.
    pub(crate) fn put_inline(&self, to: Far, bytes: &[u8]) -> Result<()> {
        assert!(bytes.len() <= MOST_INLINE);
        let what = What::Inline { from: bytes.as_ptr().expose_provenance(), bytes: bytes.len() };
        // SAFETY: the bytes are borrowed, and travel with the operation.
        unsafe { self.post(to, what) }.map(drop)
    }

    /// As [`NetLane::put_inline`], if there is room on the lane now; whether there was.
    pub(crate) fn try_put_inline(&self, to: Far, bytes: &[u8]) -> Result<bool> {
        assert!(bytes.len() <= MOST_INLINE);
        refuse_children(self.me, "put");
        let what = What::Inline { from: bytes.as_ptr().expose_provenance(), bytes: bytes.len() };
        // SAFETY: the bytes are borrowed, and travel with the operation.
        let posted = unsafe { self.post_once(to.pe, self.work(to, what), self.is_unsure(&what)) };
        self.check()?;
        Ok(matches!(posted, Posted::Ticket(_)))
    }

    /// Posts a get; returns its ticket.
    ///
    /// # Safety
    /// `to` is writable for `bytes` bytes until the lane has come to the ticket.
    pub(crate) unsafe fn get(&self, from: Far, to: usize, bytes: usize) -> Result<u64> {
        // SAFETY: the caller keeps the target valid.
        unsafe { self.post(from, What::Get { to, bytes }) }
    }

    /// # Safety
    /// As the operation says.
    #[inline(always)]
    unsafe fn post(&self, far: Far, what: What) -> Result<u64> {
        refuse_children(self.me, "put or get");
        let (work, unsure) = (self.work(far, what), self.is_unsure(&what));
        loop {
            // SAFETY: the caller vouches for the local end.
            match unsafe { self.post_once(far.pe, work, unsure) } {
                Posted::Ticket(ticket) => {
                    if !matches!(what, What::Inline { .. }) {
                        // Relaxed: as in `settle`.
                        self.with_memory.fetch_max(ticket, Ordering::Relaxed);
                    }
                    return Ok(ticket);
                }
                // Half of what is under way makes room for many more.
                Posted::Again => self.wait(self.lane.posted().saturating_sub(MOST_UNDER_WAY / 2))?,
            }
        }
    }

    #[inline(always)]
    fn work(&self, Far { pe, region, at }: Far, what: What) -> Work {
        let delivered = self.profile.delivery() == Delivery::Asked;
        Work { peer: pe.number(), region: region.number(), at, what, delivered }
    }

    /// Whether an operation may still be under way when it is complete.
    #[inline(always)]
    fn is_unsure(&self, what: &What) -> bool {
        matches!(what, What::Inline { .. } | What::Put { .. }) && self.profile.delivery() == Delivery::Flushed
    }

    /// # Safety
    /// As the operation says.
    #[inline(always)]
    unsafe fn post_once(&self, pe: Pe, work: Work, unsure: bool) -> Posted {
        let mut list = unsure.then(|| locked(&self.unsure));
        // The same few PEs again and again.
        if let Some(list) = list.as_mut().filter(|list| !list.contains(&pe)) {
            list.push(pe);
        }
        // SAFETY: the caller vouches for the local end.
        unsafe { self.lane.post(work) }
    }

    /// Waits until the lane has come to a ticket: sources of puts may change, gets have their data.
    pub(crate) fn wait(&self, ticket: u64) -> Result<()> {
        let look = || (self.lane.done() >= ticket).then_some(());
        let what = || Wait { what: "operations on other nodes".into(), late: vec![] };
        self.wait_policy.wait_for_network(look, what);
        self.check()
    }

    /// Whether the lane has come to a ticket; fails if an operation has.
    pub(crate) fn has_come_to(&self, ticket: u64) -> Result<bool> {
        self.check()?;
        Ok(self.lane.done() >= ticket)
    }

    /// Waits until the source of a put may change. Without a ticket that takes a look at failures, and none at the word
    /// that tells of tickets, which is often in the cache of the network's thread.
    #[inline]
    pub(crate) fn wait_for_source(&self, ticket: Option<u64>) -> Result<()> {
        ticket.map_or_else(|| self.check(), |ticket| self.wait(ticket))
    }

    /// Whether all went well so far.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        self.lane.failure().map_or(Ok(()), |failure| Err(unreachable(failure)))
    }

    /// Changes a word of four or eight bytes, atomically among networks; returns what it was.
    pub(crate) fn amo(&self, word: Far, op: NicOp, width: usize, [operand, condition]: [u64; 2]) -> Result<u64> {
        let mut found = 0u64;
        let to = &raw mut found;
        assert!(width <= size_of::<u64>());
        let what = What::Amo { op, width: width as u32, operand, condition, to: to.expose_provenance() };
        // SAFETY: a variable of as many bytes, which is not touched before the operation is complete.
        let ticket = unsafe { self.post(word, what)? };
        self.wait(ticket)?;
        // SAFETY: as before; the operation is complete.
        Ok(unsafe { to.read_volatile() })
    }

    /// Posts a change of a word of four or eight bytes, atomic among networks, of which nobody wants to know what the
    /// word was; returns its ticket.
    pub(crate) fn change(&self, word: Far, op: NicOp, width: usize, operand: u64) -> Result<u64> {
        let what = What::Amo { op, width: width as u32, operand, condition: 0, to: 0 };
        // SAFETY: it uses no memory of this process.
        unsafe { self.post(word, what) }
    }

    /// Gets a word of at most eight bytes, and waits for it.
    pub(crate) fn get_word(&self, from: Far, bytes: usize) -> Result<u64> {
        let mut word = 0u64;
        let to = &raw mut word;
        assert!(bytes <= size_of::<u64>());
        // SAFETY: a variable of as many bytes, which is not touched before the get is complete.
        let ticket = unsafe { self.get(from, to.expose_provenance(), bytes)? };
        self.wait(ticket)?;
        // SAFETY: as before; the get is complete.
        Ok(unsafe { to.read_volatile() })
    }

    /// Gets words, and waits for them.
    pub(crate) fn get_words<const N: usize>(&self, from: Far) -> Result<[u64; N]> {
        let mut words = [0u64; N];
        let to = words.as_mut_ptr();
        // SAFETY: a variable of as many bytes, which is not touched before the get is complete.
        let ticket = unsafe { self.get(from, to.expose_provenance(), size_of_val(&words))? };
        self.wait(ticket)?;
        // SAFETY: as before; the get is complete.
        Ok(unsafe { to.cast::<[u64; N]>().read_volatile() })
    }

    /// Waits until all sources of puts may change and all gets have their data. What travels with its operation is not
    /// waited for.
    pub(crate) fn settle(&self) -> Result<()> {
        // Relaxed: whoever learned of a post from its poster sees its ticket.
        self.wait(self.with_memory.load(Ordering::Relaxed))
    }

    /// Waits until everything that was posted has arrived: nothing, most of the time.
    #[inline]
    pub(crate) fn drain(&self) -> Result<()> {
        let posted = self.lane.posted();
        // SYNC(network-arrived) acquire: pairs with the release in `drain_long`, of a thread that has waited.
        if self.arrived.load(Ordering::Acquire) >= posted { Ok(()) } else { self.drain_long() }
    }

    #[cold]
    fn drain_long(&self) -> Result<()> {
        refuse_children(self.me, "quiet");
        let mut flush = locked(&self.draining);
        let posted = {
            let mut unsure = locked(&self.unsure);
            std::mem::swap(&mut *unsure, &mut flush.pes);
            self.lane.posted()
        };
        let flushed = self.flush(&mut flush).and_then(|()| self.wait(posted));
        if flushed.is_err() {
            // A quiet that is tried again fails again.
            locked(&self.unsure).extend(&flush.pes);
        }
        flush.pes.clear();
        flushed?;
        // SYNC(network-arrived) release: pairs with the acquire in `drain`.
        self.arrived.fetch_max(posted, Ordering::Release);
        Ok(())
    }

    /// Gets a word of each PE behind the puts to it: when it is here, they are there.
    fn flush(&self, Flush { pes, words }: &mut Flush) -> Result<()> {
        words.resize(pes.len(), 0);
        let words = words.as_mut_ptr();
        let mut last = 0;
        let posted = pes.iter().enumerate().try_for_each(|(at, &pe)| {
            let from = Far { pe, region: Region::Control, at: 0 };
            // SAFETY: a word for each, which live until all were waited for.
            last = unsafe { self.get(from, words.wrapping_add(at).expose_provenance(), size_of::<u64>())? };
            Ok(())
        });
        let waited = self.wait(last);
        posted.and(waited)
    }

    /// Lets what is posted from now on come after all that was posted before, on each PE.
    #[inline]
    pub(crate) fn order(&self) -> Result<()> {
        if self.profile.ordered() { Ok(()) } else { self.drain() }
    }
}

impl Drop for NetLane {
    fn drop(&mut self) {
        // Local ends must not be used any more. In a panic the process's end stops the network.
        if !std::thread::panicking() && cushmem_bootstrap::joined_here() {
            let _ = self.settle();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: Far = Far { pe: Pe::member(1), region: Region::Host, at: 0 };

    /// A blocking put of few bytes that waits for nothing and asks nobody.
    #[test]
    fn a_blocking_put_of_few_bytes_reports_an_earlier_failure() {
        let profile = Profile::Verbs;
        let nic = Nic::start(Settings { profile, faults: None }, 0, Duration::ZERO).unwrap();
        let wait_policy = WaitPolicy::new(0, false, true, Duration::from_secs(60));
        let lane = NetLane::new(nic.lane(), 0, profile, wait_policy);
        let source = 7u64;
        let put = || {
            // SAFETY: the address is that of a variable, which has as many bytes.
            let ticket = unsafe { lane.put(FAR, (&raw const source).expose_provenance(), size_of_val(&source)) };
            assert_eq!(ticket.unwrap(), None);
            lane.wait_for_source(None)
        };
        lane.wait_for_source(None).unwrap();
        // Nobody has registered the region.
        let _ = put();
        assert!(lane.wait(1).is_err());
        let error = put().unwrap_err().to_string();
        assert!(error.contains("memory of PE 1") && error.contains("is not registered"), "{error}");
    }
}

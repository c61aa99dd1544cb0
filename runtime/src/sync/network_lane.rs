//! A lane of the network: a queue of operations on PEs of other nodes. Those to one PE may be ordered.
//!
//! ```text
//!   thread:   post ── ticket …                      look: has the lane come to the ticket?
//!   network:  … reads the source … writes the target … the lane has come to the ticket
//! ```
//!
//! *Complete and arrived.* When a lane has reached a put's ticket, it has read the put's source. Whether the bytes have
//! arrived at the target by then depends on what the network promises: always, only if the put asks for it, or never.
//! All puts ask for it but messages of the library for which nothing waits but their receiver ([`NetLane::send`]).
//! In the last case, a get on the same lane shows it, because it returns after the puts before it have arrived
//! ([`NetLane::drain`]).
//!
//! *Whole words.* A word that is set ([`NetLane::set`]) is stored as a whole, behind everything that was posted before
//! it on its lane to its PE, on every network. A put of several words may be seen while only a part of it has arrived.
//! Over a network that does not keep words whole, so may a put of one word; a put of the program that is one aligned
//! word is therefore set there ([`NetLane::put_words`]). Many such words may be under way to a PE, in no order; while
//! something from before a fence ([`NetLane::order`]) is under way, they come in order, one after the other.
//!
//! *Order.* If the network keeps the order of a lane's operations to one PE, a flag that is put after data guarantees
//! that the data have arrived. If it does not, the data are waited for first ([`NetLane::order`]). There is never an
//! order between PEs: a flag at one PE says nothing about data at another.
//!
//! *When an operation fails*, the network executes nothing that was posted behind it, on the same lane and for the same
//! PE. So a flag that travels behind data arrives with them or not at all. A flag on another lane is posted when the
//! data have arrived; the wait for them reports the failure instead.
//!
//! *The network's stores wake nobody*: a thread that waits for them looks again after at most a millisecond.

pub(crate) use super::region::{Region, RemoteAddr};
use crate::error::{Cause, Error, Result};
use crate::job::{Pe, record};
use crate::sync::child::refuse_children;
use crate::sync::locked;
use crate::sync::spin::WaitPolicy;
use cushmem_bootstrap::waits::Wait;
use cushmem_net::{Delivery, Failure, Lane, MOST_INLINE, MOST_UNDER_WAY, Operation, Posted, Promises, WordOp, Work};
use cushmem_record::Extra;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A queue of operations on PEs of other nodes, with an order of its own.
pub(crate) struct NetLane {
    lane: Lane,
    /// This PE.
    pub(super) me: u32,
    promises: Promises,
    wait_policy: WaitPolicy,
    /// The ticket up to which all operations have arrived.
    arrived: AtomicU64,
    /// The last ticket before a fence of the program.
    fenced: AtomicU64,
    /// The last ticket before which nothing may come that is posted from now on.
    ordered: AtomicU64,
    /// The last ticket of an operation that uses memory of this process.
    with_memory: AtomicU64,
    /// PEs to which complete puts may still be in flight. Locked while such a put is posted, so that a drain that
    /// covers the put also finds its PE.
    unsure: Mutex<Vec<Pe>>,
    /// The destination of gets whose data do not matter.
    nowhere: Box<AtomicU64>,
    /// Held during a drain: another drain may return only when the gets of this one have returned.
    draining: Mutex<Flush>,
}

/// The buffers of a drain, kept so that it need not allocate.
#[derive(Default)]
struct Flush {
    pes: Vec<Pe>,
    /// What was read from each PE.
    words: Vec<u64>,
}

/// Whether these bytes are one aligned word.
#[inline]
fn is_word(at: u64, bytes: usize) -> bool {
    matches!(bytes, 2 | 4 | 8) && at.is_multiple_of(bytes as u64)
}

fn set_of(word: RemoteAddr, width: usize, value: u64) -> Operation {
    // What is not a word the network could only put, in pieces.
    assert!(is_word(word.at, width), "a word of {width} bytes at {}", word.at);
    Operation::Set { width: width as u32, value, ordered: true }
}

/// The word of two, four or eight bytes at an address.
///
/// # Safety
/// The bytes are readable.
unsafe fn word_at(from: usize, bytes: usize) -> u64 {
    // SAFETY: the caller guarantees the source. It may have any alignment.
    unsafe {
        match bytes {
            2 => std::ptr::with_exposed_provenance::<u16>(from).read_unaligned().into(),
            4 => std::ptr::with_exposed_provenance::<u32>(from).read_unaligned().into(),
            _ => std::ptr::with_exposed_provenance::<u64>(from).read_unaligned(),
        }
    }
}

#[cold]
fn unreachable(failure: &Failure) -> Error {
    let Failure { peer, region, operation, why } = failure.clone();
    // Whoever finds the failure may be in another operation, and gives that operation's name to the error.
    let why = format!("{operation}: {why}");
    Error::new("network", Cause::Unreachable { memory: Region::name(region), pe: peer, why })
}

impl NetLane {
    pub(super) fn new(lane: Lane, me: u32, promises: Promises, wait_policy: WaitPolicy) -> Self {
        // In `word_of`, what is complete has arrived.
        assert!(promises.whole_words || promises.delivery != Delivery::Flushed, "{promises:?}");
        Self {
            lane,
            me,
            promises,
            wait_policy,
            arrived: AtomicU64::new(0),
            fenced: AtomicU64::new(0),
            ordered: AtomicU64::new(0),
            with_memory: AtomicU64::new(0),
            unsure: Mutex::default(),
            nowhere: Box::default(),
            draining: Mutex::default(),
        }
    }

    /// Posts a put; returns the ticket from which on its source may change. If there are few bytes, they travel with
    /// the operation and the source may change at once; the result is then `None`.
    ///
    /// # Safety
    /// `from` is readable for `bytes` bytes until the lane has reached the ticket.
    #[inline]
    pub(crate) unsafe fn put(&self, to: RemoteAddr, from: usize, bytes: usize) -> Result<Option<u64>> {
        // SAFETY: the caller guarantees that the source stays valid.
        unsafe { self.put_from(to, (from, bytes), false, true) }
    }

    /// Like [`NetLane::put`], but if the network keeps the order of puts, the put may be complete before the bytes have
    /// arrived, which saves an acknowledgement. Only later puts of this lane to their PE are sure to come behind it.
    ///
    /// # Safety
    /// The condition of [`NetLane::put`].
    pub(crate) unsafe fn send_long(&self, to: RemoteAddr, from: usize, bytes: usize) -> Result<Option<u64>> {
        // SAFETY: the caller guarantees that the source stays valid.
        unsafe { self.put_from(to, (from, bytes), false, false) }
    }

    /// Like [`NetLane::send_long`], but the bytes are written behind everything that was posted before on this lane to
    /// their PE, on every network. They may arrive in pieces.
    ///
    /// # Safety
    /// The condition of [`NetLane::put`].
    pub(crate) unsafe fn send_long_behind(&self, to: RemoteAddr, from: usize, bytes: usize) -> Result<Option<u64>> {
        // SAFETY: the caller guarantees that the source stays valid.
        unsafe { self.put_from(to, (from, bytes), true, false) }
    }

    /// # Safety
    /// The condition of [`NetLane::put`].
    #[inline(always)]
    unsafe fn put_from(
        &self,
        to: RemoteAddr,
        (from, bytes): (usize, usize),
        ordered: bool,
        reported: bool,
    ) -> Result<Option<u64>> {
        let is_short = bytes <= MOST_INLINE;
        let operation =
            if is_short { Operation::Inline { from, bytes, ordered } } else { Operation::Put { from, bytes, ordered } };
        // SAFETY: the caller guarantees that the source stays valid.
        let ticket = unsafe { self.post_as(to, operation, reported || !self.promises.ordered)? };
        Ok((!is_short).then_some(ticket))
    }

    /// Posts a put whose source is GPU memory, which the network alone reads; returns the ticket from which on it may
    /// change.
    ///
    /// # Safety
    /// The network reaches the source, until the lane has reached the ticket.
    pub(crate) unsafe fn put_of_gpu(&self, to: RemoteAddr, from: usize, bytes: usize) -> Result<u64> {
        // SAFETY: the caller guarantees that the source stays valid.
        unsafe { self.post(to, Operation::Put { from, bytes, ordered: false }) }
    }

    /// Whether a put of one word has to set it, so that it arrives as a whole. Registered memory may start at any
    /// address, so an offset does not say whether a word of it is aligned. A word of GPU memory is put
    /// like other bytes: the networks that reach real GPUs keep words whole.
    #[inline]
    fn sets_words_of(&self, region: Region) -> bool {
        !self.promises.whole_words && !matches!(region, Region::Registered(_) | Region::Gpu)
    }

    /// A word that the program puts: it may overtake all but what was posted before a fence.
    #[inline]
    fn word_of(&self, bytes: usize, value: u64) -> Operation {
        // Relaxed: whoever has told this thread of a fence had stored its ticket before.
        let ordered = self.lane.done() < self.ordered.load(Ordering::Relaxed);
        Operation::Set { width: bytes as u32, value, ordered }
    }

    /// Posts a put of the program, like [`NetLane::put`]. If it is one aligned word, and not in memory that the program
    /// registered, the word arrives whole, but may overtake what was posted since the last [`order`](NetLane::order).
    ///
    /// # Safety
    /// The conditions of [`NetLane::put`].
    #[inline]
    pub(crate) unsafe fn put_words(&self, to: RemoteAddr, from: usize, bytes: usize) -> Result<Option<u64>> {
        if self.sets_words_of(to.region) && is_word(to.at, bytes) {
            // SAFETY: the caller guarantees the source.
            let value = unsafe { word_at(from, bytes) };
            // SAFETY: the operation uses no memory of this process.
            return unsafe { self.post(to, self.word_of(bytes, value)) }.map(|_| None);
        }
        // SAFETY: the caller guarantees that the source stays valid.
        unsafe { self.put(to, from, bytes) }
    }

    /// Posts a put of the program, like [`NetLane::put_words`]; returns the ticket from which on its bytes have
    /// arrived.
    ///
    /// # Safety
    /// The conditions of [`NetLane::put`].
    pub(crate) unsafe fn put_to_arrive(&self, to: RemoteAddr, from: usize, bytes: usize) -> Result<u64> {
        let operation = if self.sets_words_of(to.region) && is_word(to.at, bytes) {
            // SAFETY: the caller guarantees the source.
            self.word_of(bytes, unsafe { word_at(from, bytes) })
        } else if bytes > MOST_INLINE {
            Operation::Put { from, bytes, ordered: false }
        } else {
            Operation::Inline { from, bytes, ordered: false }
        };
        // SAFETY: the caller guarantees that the source stays valid.
        let ticket = unsafe { self.post(to, operation)? };
        if self.promises.delivery != Delivery::Flushed {
            return Ok(ticket);
        }
        self.probe(to.pe)
    }

    /// Posts a get whose data do not matter; returns its ticket. When the lane has reached it, the PE has answered.
    fn probe(&self, pe: Pe) -> Result<u64> {
        let (from, get) = self.get_for_nothing(pe);
        // SAFETY: the word belongs to this lane, which waits before it ends for operations that use its memory; nobody
        // reads it.
        unsafe { self.post(from, get) }
    }

    /// Like [`NetLane::probe`], but only if the lane has room now; returns whether it had.
    pub(super) fn try_probe(&self, pe: Pe) -> bool {
        let (from, get) = self.get_for_nothing(pe);
        // SAFETY: the word belongs to this lane, which waits before it ends for operations that use its memory; nobody
        // reads it.
        matches!(unsafe { self.post_once(pe, self.work(from, get, true), false) }, Posted::Ticket(_))
    }

    fn get_for_nothing(&self, pe: Pe) -> (RemoteAddr, Operation) {
        let to = self.nowhere.as_ptr().expose_provenance();
        (RemoteAddr { pe, region: Region::Control, at: 0 }, Operation::Get { to, bytes: size_of::<u64>() })
    }

    /// Whether operations to one PE take effect in order.
    pub(crate) fn is_ordered(&self) -> bool {
        self.promises.ordered
    }

    /// Posts a put of at most [`MOST_INLINE`] bytes.
    pub(crate) fn put_inline(&self, to: RemoteAddr, bytes: &[u8]) -> Result<()> {
        self.put_copy(to, bytes, false, true)
    }

    /// Like [`NetLane::put_inline`], but if the network keeps the order of puts, the put may be complete before the
    /// bytes have arrived, which saves an acknowledgement. Only later puts of this lane to their PE are sure to come
    /// behind it.
    pub(crate) fn send(&self, to: RemoteAddr, bytes: &[u8]) -> Result<()> {
        self.put_copy(to, bytes, false, false)
    }

    /// Like [`NetLane::send`], but the bytes are written behind everything that was posted before on this lane to their
    /// PE, on every network. They may arrive in pieces.
    pub(crate) fn send_behind(&self, to: RemoteAddr, bytes: &[u8]) -> Result<()> {
        self.put_copy(to, bytes, true, false)
    }

    fn put_copy(&self, to: RemoteAddr, bytes: &[u8], ordered: bool, reported: bool) -> Result<()> {
        assert!(bytes.len() <= MOST_INLINE);
        let from = bytes.as_ptr().expose_provenance();
        let operation = Operation::Inline { from, bytes: bytes.len(), ordered };
        // SAFETY: the bytes are borrowed, and are copied into the operation.
        unsafe { self.post_as(to, operation, reported || !self.promises.ordered) }.map(drop)
    }

    /// Sets an aligned word of `width` bytes as a whole, behind everything that was posted before on this lane to its
    /// PE.
    pub(crate) fn set(&self, word: RemoteAddr, width: usize, value: u64) -> Result<()> {
        // SAFETY: the operation uses no memory of this process.
        unsafe { self.post(word, set_of(word, width, value)) }.map(drop)
    }

    /// Like [`NetLane::set`] of a word of eight bytes, but only if the lane has room now; returns whether it had.
    pub(crate) fn try_set(&self, to: RemoteAddr, value: u64) -> Result<bool> {
        refuse_children(self.me, "put");
        let operation = set_of(to, size_of::<u64>(), value);
        // SAFETY: the operation uses no memory of this process.
        let posted = unsafe { self.post_once(to.pe, self.work(to, operation, true), self.is_unsure(&operation)) };
        self.check()?;
        Ok(matches!(posted, Posted::Ticket(_)))
    }

    /// Whether so many operations can be posted without a wait, if no other thread posts.
    pub(crate) fn has_room(&self, operations: u64) -> bool {
        // The tickets that are done come first: other threads may post and complete more in between, and what is done
        // must have been posted.
        let done = self.lane.done();
        self.lane.posted() - done + operations <= MOST_UNDER_WAY
    }

    /// Posts a get; returns its ticket.
    ///
    /// # Safety
    /// `to` is writable for `bytes` bytes until the lane has reached the ticket.
    pub(crate) unsafe fn get(&self, from: RemoteAddr, to: usize, bytes: usize) -> Result<u64> {
        // SAFETY: the caller guarantees that the target stays valid.
        unsafe { self.post(from, Operation::Get { to, bytes }) }
    }

    /// # Safety
    /// As the operation requires.
    #[inline(always)]
    unsafe fn post(&self, far: RemoteAddr, operation: Operation) -> Result<u64> {
        // SAFETY: the caller guarantees it.
        unsafe { self.post_as(far, operation, true) }
    }

    /// Without `reported`, a put may be complete before it has arrived.
    ///
    /// # Safety
    /// As the operation requires.
    #[inline(always)]
    unsafe fn post_as(&self, far: RemoteAddr, operation: Operation, reported: bool) -> Result<u64> {
        refuse_children(self.me, "put or get");
        let (work, unsure) = (self.work(far, operation, reported), self.is_unsure(&operation));
        loop {
            // SAFETY: the caller guarantees the local end.
            match unsafe { self.post_once(far.pe, work, unsure) } {
                Posted::Ticket(ticket) => return Ok(ticket),
                // Waits until half of the operations under way are complete, which makes room for many more.
                Posted::Again => {
                    record::note_retry(Extra::NetworkLanes);
                    self.wait(self.lane.posted().saturating_sub(MOST_UNDER_WAY / 2))?;
                }
            }
        }
    }

    #[inline(always)]
    fn work(&self, RemoteAddr { pe, region, at }: RemoteAddr, operation: Operation, reported: bool) -> Work {
        let delivery_complete = reported && self.promises.delivery == Delivery::OnRequest;
        Work { peer: pe.number(), region: region.number(), at, operation, delivery_complete }
    }

    /// Whether an operation may still be in flight when it is complete.
    #[inline(always)]
    fn is_unsure(&self, operation: &Operation) -> bool {
        matches!(operation, Operation::Inline { .. } | Operation::Put { .. } | Operation::Set { .. })
            && self.promises.delivery == Delivery::Flushed
    }

    /// # Safety
    /// As the operation requires.
    #[inline(always)]
    unsafe fn post_once(&self, pe: Pe, work: Work, unsure: bool) -> Posted {
        let mut list = unsure.then(|| locked(&self.unsure));
        // The list stays short: it is usually the same few PEs.
        if let Some(list) = list.as_mut().filter(|list| !list.contains(&pe)) {
            list.push(pe);
        }
        // SAFETY: the caller guarantees the local end.
        let posted = unsafe { self.lane.post(work) };
        if let Posted::Ticket(ticket) = posted
            && !matches!(work.operation, Operation::Inline { .. } | Operation::Set { .. })
        {
            // Relaxed: as in `settle`.
            self.with_memory.fetch_max(ticket, Ordering::Relaxed);
        }
        posted
    }

    /// Waits until the lane has reached a ticket: the sources of puts may then change, and gets have their data.
    pub(crate) fn wait(&self, ticket: u64) -> Result<()> {
        self.wait_during(ticket, || self.any_wait())
    }

    #[cold]
    fn any_wait(&self) -> Wait {
        Wait { what: "operations on other nodes".into(), late: self.lane.waits_for() }
    }

    /// Like [`NetLane::wait`], as a part of the wait that `what` describes.
    fn wait_during(&self, ticket: u64, what: impl Fn() -> Wait) -> Result<()> {
        let look = || (self.lane.done() >= ticket).then_some(());
        self.wait_policy.wait_for_network(look, what);
        self.check()
    }

    /// Whether all operations up to a ticket are complete. Fails if any operation has failed.
    pub(crate) fn is_complete(&self, ticket: u64) -> Result<bool> {
        let is_complete = self.lane.done() >= ticket;
        // Only now: an operation that fails between two looks must not seem to have succeeded.
        self.check()?;
        Ok(is_complete)
    }

    /// Waits until the source of a put may change. Without a ticket this only looks for failures, and does not read the
    /// word that counts complete operations, which is often in another thread's cache.
    #[inline]
    pub(crate) fn wait_for_source(&self, ticket: Option<u64>) -> Result<()> {
        ticket.map_or_else(|| self.check(), |ticket| self.wait(ticket))
    }

    /// The last ticket that was issued.
    pub(crate) fn posted(&self) -> u64 {
        self.lane.posted()
    }

    /// Fails if an operation of this lane has failed.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        self.lane.failure().map_or(Ok(()), |failure| Err(unreachable(failure)))
    }

    /// Changes a word of four or eight bytes, atomically among networks; returns its old value.
    pub(crate) fn amo(&self, word: RemoteAddr, op: WordOp, width: usize, operands: [u64; 2]) -> Result<u64> {
        let mut found = 0u64;
        let to = &raw mut found;
        assert!(width <= size_of::<u64>());
        let ([operand, condition], to_at) = (operands, to.expose_provenance());
        let operation = Operation::Amo { op, width: width as u32, operand, condition, to: to_at };
        // SAFETY: the variable has enough bytes, and is not touched before the operation is complete.
        let ticket = unsafe { self.post(word, operation)? };
        self.wait(ticket)?;
        // SAFETY: as before; the operation is complete.
        Ok(unsafe { to.read_volatile() })
    }

    /// Posts a change of a word of four or eight bytes, atomic among networks, whose old value is not needed; returns
    /// its ticket.
    pub(crate) fn change(&self, word: RemoteAddr, op: WordOp, width: usize, operand: u64) -> Result<u64> {
        let operation = Operation::Amo { op, width: width as u32, operand, condition: 0, to: 0 };
        // SAFETY: the operation uses no memory of this process.
        unsafe { self.post(word, operation) }
    }

    /// Whether a word that is put is stored as a whole, behind what was put to its PE before.
    pub(crate) fn keeps_words_behind(&self) -> bool {
        self.promises.whole_words && self.promises.ordered
    }

    /// Whether [`NetLane::get_word`] loads an aligned word of this many bytes as a whole.
    pub(crate) fn loads_whole(&self, bytes: usize) -> bool {
        self.promises.whole_words || bytes != 2
    }

    /// Gets a word of at most eight bytes, and waits for it. One of 1, 4 or 8 bytes is loaded as a whole on all
    /// networks.
    pub(crate) fn get_word(&self, from: RemoteAddr, bytes: usize) -> Result<u64> {
        self.get_word_during(from, bytes, || self.any_wait())
    }

    /// Like [`NetLane::get_word`], as a part of the wait that `what` describes.
    pub(crate) fn get_word_during(&self, from: RemoteAddr, bytes: usize, what: impl Fn() -> Wait) -> Result<u64> {
        let mut word = 0u64;
        let to = &raw mut word;
        assert!(bytes <= size_of::<u64>());
        let to_at = to.expose_provenance();
        let operation = if self.promises.whole_words || !matches!(bytes, 4 | 8) {
            Operation::Get { to: to_at, bytes }
        } else {
            Operation::Amo { op: WordOp::Fetch, width: bytes as u32, operand: 0, condition: 0, to: to_at }
        };
        // SAFETY: the variable has enough bytes, and is not touched before the operation is complete.
        let ticket = unsafe { self.post(from, operation)? };
        self.wait_during(ticket, what)?;
        // SAFETY: as before; the get is complete.
        Ok(unsafe { to.read_volatile() })
    }

    /// Gets words, and waits for them.
    pub(crate) fn get_words<const N: usize>(&self, from: RemoteAddr) -> Result<[u64; N]> {
        let mut words = [0u64; N];
        let to = words.as_mut_ptr();
        // SAFETY: the variable has enough bytes, and is not touched before the get is complete.
        let ticket = unsafe { self.get(from, to.expose_provenance(), size_of_val(&words))? };
        self.wait(ticket)?;
        // SAFETY: as before; the get is complete.
        Ok(unsafe { to.cast::<[u64; N]>().read_volatile() })
    }

    /// Waits until the sources of all puts may change and all gets have their data. Does not wait for operations that
    /// carry their data with them.
    pub(crate) fn settle(&self) -> Result<()> {
        // Relaxed: a thread that learned of a post from its poster sees its ticket.
        self.wait(self.with_memory.load(Ordering::Relaxed))
    }

    /// Waits until everything that was posted has arrived. Most of the time there is nothing to wait for.
    #[inline]
    pub(crate) fn drain(&self) -> Result<()> {
        let posted = self.lane.posted();
        // SYNC(network-arrived) acquire: pairs with the release in `drain_long` of a thread that has waited.
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
            // So that a quiet that is tried again fails again.
            locked(&self.unsure).extend(&flush.pes);
        }
        flush.pes.clear();
        flushed?;
        // SYNC(network-arrived) release: pairs with the acquire in `drain`.
        self.arrived.fetch_max(posted, Ordering::Release);
        Ok(())
    }

    /// Gets a word from each PE after the puts to it. When the word is here, the puts have arrived there.
    fn flush(&self, Flush { pes, words }: &mut Flush) -> Result<()> {
        words.resize(pes.len(), 0);
        let words = words.as_mut_ptr();
        let mut last = 0;
        let posted = pes.iter().enumerate().try_for_each(|(at, &pe)| {
            let from = RemoteAddr { pe, region: Region::Control, at: 0 };
            // SAFETY: there is a word for each PE, and the words live until all gets were waited for.
            last = unsafe { self.get(from, words.wrapping_add(at).expose_provenance(), size_of::<u64>())? };
            Ok(())
        });
        let waited = self.wait(last);
        posted.and(waited)
    }

    /// Notes that a fence was called, for operations that take another way ([`Network::drain_fenced`]).
    #[inline]
    pub(crate) fn note_fence(&self) {
        // Relaxed: the fence is counted after this, and whoever drains has read the count (SYNC(atomics-fence)).
        self.fenced.fetch_max(self.lane.posted(), Ordering::Relaxed);
    }

    /// Whether something that was posted before a fence may not have arrived.
    pub(super) fn waits_for_fence(&self) -> bool {
        // Relaxed: as in `note_fence`. SYNC(network-arrived) acquire: as in `drain`.
        self.fenced.load(Ordering::Relaxed) > self.arrived.load(Ordering::Acquire)
    }

    /// Orders everything that is posted from now on after everything that was posted before, for each PE.
    #[inline]
    pub(crate) fn order(&self) -> Result<()> {
        if !self.promises.ordered {
            return self.drain();
        }
        if !self.promises.whole_words {
            // Relaxed: as in `word_of`.
            self.ordered.fetch_max(self.lane.posted(), Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Drop for NetLane {
    fn drop(&mut self) {
        // Local ends must not be used after this. After a panic, the end of the process stops the network.
        if !std::thread::panicking() && cushmem_bootstrap::joined_here() {
            let _ = self.settle();
        }
    }
}

#[cfg(test)]
#[path = "network_lane_tests.rs"]
mod tests;

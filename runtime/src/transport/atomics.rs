//! Atomic operations between nodes. The executor of the atomic operations on a word of host memory is the CPUs of its
//! node, because a network's atomic operations are not atomic with those of a CPU. So a PE asks the node, and any PE of
//! that node carries the operation out (`atomics_server.rs`).
//!
//! ```text
//!   initiator                                in the memory of the node's first PE   any PE of the node
//!   put request n, n + 1, … ───────────────▶  requests[initiator][n % 256]  ──────▶  takes turn[initiator]
//!   in its own area                                                                 changes the words of n, n + 1, …
//!   answers[node][n % 256] = found: goes on  ◀─────────────────────────────────────  put found, if it is wanted
//!   done[PE] >= n: quiet goes on  ◀────────────────────────────────────────────────  gives the turn back, put done
//! ```
//!
//! * *Posted.* An operation without a result is one put, like other puts: many are under way, and a quiet waits until
//!   they are carried out ([`Atomics::drain`]). So is one whose result may come later ([`Atomics::ask_later`]): the
//!   quiet stores it. The queue has a fixed size. When it is full, the initiator waits.
//! * *Who writes*: only the initiator writes its requests, through the network. The PEs of the node write `turn`, by
//!   which one of them carries out the requests, in order and once (`request_queue.rs` says why). That PE writes an
//!   answer. Each PE writes a `done` of its own, which only grows; the greatest of the node's counts.
//! * *Order*: a request and an answer are one put each, sealed with the number of the operation (`sealed.rs`), so they
//!   may arrive in pieces, and need no order from the network. Whoever finds a request sees what the initiator knew to
//!   have arrived before it asked. `done` is a sealed flag, put behind the answers of the PE that puts it. It covers
//!   the changes of all PEs of the node up to this number, because the turn passed them on. It does not cover their
//!   answers.
//! * *Reuse*: request `n + 256` is put when `n` is known to be carried out, and its answer, if it has one, was read and
//!   is written completely, as the `done` of the PE that answered says. Until then only the thread that asked reads the
//!   answer, or whoever stores results of operations that were posted.
//! * *Fences*: a fence waits for the operations posted before it. An operation behind a fence waits for the puts before
//!   the fence, because it takes another way than they ([`Atomics::fences`]).
//! * *When a put of a request fails*, the node finds a gap, and carries out nothing behind it. Results that a quiet has
//!   not stored by then are lost: the quiet returns the error, and nobody stores them later.
//! * *When a PE stops*, another PE of its node takes over, unless the stopped PE has the turn or has not put an answer.
//!   If it has given the turn back and has not put `done`, or its network has not, nobody else says it. So an initiator
//!   that has waited for [`PATIENCE`] gets `turn` itself, which counts the same. But the slot of an answer of that PE
//!   is not used again before it goes on, so after 255 more requests the initiator waits. So it does on a node of one
//!   PE; `shmemrun --status` names the node's PEs.
//! * *When it dies*, the launcher ends the job, or else its silence does (`sync/silence.rs`).
//! * *At the end of the job* a PE may put `done` when its initiator, which knew it already, has nothing left to wait
//!   for. So the PEs meet twice: when all operations are complete, each ends its service and waits for what that has
//!   put; then they leave (`Transfers::end_service`).

use super::mapped;
use super::pace::Pace;
use super::request_queue::{Answered, Fences, Numbers, PE_BITS, Posts, Unread, carried_out};
use crate::error::Result;
use crate::job::{Job, Pe};
use crate::sync::control::{Control, REQUEST_WORDS, REQUESTS};
use crate::sync::locked;
use crate::sync::network::Network;
use crate::sync::network_lane::{NetLane, Region, RemoteAddr};
use crate::sync::sealed::{sealed, unsealed};
use crate::sync::spin::WaitPolicy;
use cushmem_abi::WordOp;
use cushmem_bootstrap::waits::Wait;
use cushmem_environment::MAX_PES;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use zerocopy::IntoBytes;

// A larger number would be taken for that of another PE, and its answers for complete too early.
const _: () = assert!(MAX_PES <= 1 << PE_BITS);

/// An operation on a word on another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) op: WordOp,
    pub(crate) width: usize,
    pub(crate) operand: u64,
    pub(crate) condition: u64,
}

pub(super) const REGIONS: [Region; 2] = [Region::Host, Region::Globals];
const UNREAD_WORDS: usize = REQUESTS.div_ceil(64) as usize;
/// How long a thread waits for `done` before it reads the node's own count, and how often it reads that then.
const PATIENCE: Duration = Duration::from_millis(20);

impl Request {
    /// Whether the operation need not return a value.
    pub(crate) fn is_without_result(&self) -> bool {
        !matches!(self.op, WordOp::Fetch | WordOp::CompareSwap | WordOp::Swap)
    }

    /// The words of a request, and whether its result is wanted. The last one is for the seal.
    fn words(&self, word: RemoteAddr, wanted: bool) -> [u64; REQUEST_WORDS] {
        let what = u32::from_ne_bytes([self.op as u8, self.width as u8, word.region.number() as u8, u8::from(wanted)]);
        let head = u64::from(word.pe.number()) << 32 | u64::from(what);
        [head, word.at, self.operand, self.condition, 0]
    }

    pub(super) fn of_words([head, at, operand, condition, _]: [u64; REQUEST_WORDS], job: &Job) -> Option<Decoded> {
        let [op, width, region, wanted] = (head as u32).to_ne_bytes();
        let op = WordOp::of_number(op)?;
        let region = REGIONS.into_iter().find(|known| known.number() == u32::from(region))?;
        let (pe, width) = (job.pe((head >> 32) as u32)?, usize::from(width));
        let fits = matches!(width, 1 | 2 | 4 | 8) && at.is_multiple_of(width as u64) && wanted <= 1;
        fits.then_some((Self { op, width, operand, condition }, RemoteAddr { pe, region, at }, wanted == 1))
    }
}

/// The content of a request: an operation, its word, and whether its result is wanted.
pub(super) type Decoded = (Request, RemoteAddr, bool);

/// The initiator's side.
pub(crate) struct Atomics {
    lane: Arc<NetLane>,
    /// By node: made when the first request goes there.
    queues: Box<[OnceLock<Box<Queue>>]>,
    /// Operations that a quiet completes.
    posts: Posts<AtomicU64>,
    fences: Fences<AtomicU64>,
    wait_policy: WaitPolicy,
    /// Ends the job because a node says what cannot be.
    refuse: Box<dyn Fn(&str) + Send + Sync>,
}

/// The requests to one node.
#[repr(align(64))]
struct Queue {
    node: u32,
    numbers: Numbers<AtomicU64>,
    unread: Unread<AtomicU64, UNREAD_WORDS>,
    answered: Answered<AtomicU64>,
    /// Without an order of puts: the number up to which puts of requests are known to be complete.
    written: AtomicU64,
    /// The results that a quiet takes.
    results: Mutex<Vec<Expected>>,
    /// Where the node counts what it has carried out.
    turn: RemoteAddr,
    /// The node's PEs.
    pes: Box<[Pe]>,
}

/// A result of a request, and where to store it.
struct Expected {
    number: u64,
    to: usize,
    width: usize,
}

impl Atomics {
    pub(crate) fn new(job: &Arc<Job>, network: &Network, wait_policy: WaitPolicy) -> Self {
        let ended = job.clone();
        Self {
            lane: network.lane(),
            queues: (0..job.nodes()).map(|_| OnceLock::new()).collect(),
            posts: Posts::default(),
            fences: Fences::default(),
            wait_policy,
            refuse: Box::new(move |text| ended.bootstrap().abort(1, text)),
        }
    }

    #[inline]
    fn queue(&self, job: &Job, control: &Control, pe: Pe) -> &Queue {
        let node = job.node(pe);
        self.queues[node as usize].get_or_init(|| {
            let turn = RemoteAddr { pe: job.leader(node), region: Region::Requests, at: control.turn_at() as u64 };
            Box::new(Queue::new(node, turn, job.pes().filter(|pe| job.node(*pe) == node).collect()))
        })
    }

    /// Has the node of a word change it, and returns the old value.
    pub(crate) fn ask(&self, job: &Job, control: &Control, word: RemoteAddr, request: Request) -> Result<u64> {
        let queue = self.queue(job, control, word.pe);
        let number =
            self.request(job, control, queue, |number| queue.expect(control, number), request.words(word, true))?;
        let answer = control.answer(queue.node, number);
        let look = || {
            let found = unsealed(number, answer);
            (found.is_some() || self.lane.check().is_err()).then(|| found.unwrap_or_default())
        };
        let found =
            self.wait_policy.wait_for_network(look, || queue.wait(format!("operation on PE {}", word.pe.number())));
        self.lane.check()?;
        // Those before this one are carried out too.
        queue.numbers.note(number);
        queue.answered.note(slot_of(number), number, found[1]);
        queue.unread.clear(slot_of(number));
        Ok(found[0])
    }

    /// Has the node of a word change it. A quiet waits until it has, and stores the old value at `to`.
    ///
    /// # Safety
    /// Unless this returns an error, `to` is writable for the word's bytes until [`Atomics::drain`] has returned, and
    /// nobody else accesses it until then.
    pub(crate) unsafe fn ask_later(
        &self,
        job: &Job,
        control: &Control,
        word: RemoteAddr,
        request: Request,
        to: usize,
    ) -> Result<()> {
        let queue = self.queue(job, control, word.pe);
        let expect = |number| {
            queue.expect(control, number);
            locked(&queue.results).push(Expected { number, to, width: request.width });
        };
        let asked = self.request(job, control, queue, expect, request.words(word, true));
        if asked.is_err() {
            self.lose_results();
        }
        asked?;
        self.posts.add();
        Ok(())
    }

    /// Has the node of a word change it. A quiet waits until it has.
    #[inline]
    pub(crate) fn post(&self, job: &Job, control: &Control, word: RemoteAddr, request: Request) -> Result<()> {
        let queue = self.queue(job, control, word.pe);
        self.request(job, control, queue, |_| (), request.words(word, false))?;
        self.posts.add();
        Ok(())
    }

    /// Puts a request, once its slot is free; returns its number, which `before` gets before the put.
    #[inline]
    fn request(
        &self,
        job: &Job,
        control: &Control,
        queue: &Queue,
        before: impl FnOnce(u64),
        words: [u64; REQUEST_WORDS],
    ) -> Result<u64> {
        let first = job.leader(queue.node);
        let number = queue.numbers.assign(REQUESTS, |number| self.await_free(control, queue, number))?;
        if number == 1 {
            let known = RemoteAddr { pe: first, region: Region::Requests, at: control.known_at() as u64 };
            self.lane.set(known, size_of::<u64>(), 1)?;
        }
        before(number);
        let to = RemoteAddr { pe: first, region: Region::Requests, at: control.request_at(number) as u64 };
        self.lane.send(to, sealed(number, words).as_bytes())?;
        Ok(number)
    }

    /// Waits until the slot of a request can be used again.
    #[inline]
    fn await_free(&self, control: &Control, queue: &Queue, number: u64) -> Result<()> {
        let is_read = || !queue.unread.is_set(slot_of(number));
        let is_free = || {
            self.is_complete(control, queue, number)
                && (is_read() || {
                    queue.take_results(control, number);
                    is_read()
                })
                && queue.is_written(control, number)
        };
        if !is_free() {
            self.wait(queue, is_free)?;
        }
        if self.lane.is_ordered() { Ok(()) } else { self.await_puts(queue, number) }
    }

    /// Waits, for a network without order, until the put of a request that is carried out is complete.
    fn await_puts(&self, queue: &Queue, number: u64) -> Result<()> {
        // SYNC(requests-written) acquire: pairs with the release below, of a thread that has waited.
        if queue.written.load(Ordering::Acquire) < number {
            let seen = queue.numbers.seen();
            // Behind that number: these requests are posted, so their tickets are among these.
            self.lane.wait(self.lane.posted())?;
            // SYNC(requests-written) release: pairs with the acquire above.
            queue.written.fetch_max(seen, Ordering::Release);
        }
        Ok(())
    }

    /// Waits until all operations that were posted are carried out, and stores their results. Most of the time there is
    /// nothing to wait for. When this returns an error, no result is stored any more.
    #[inline]
    pub(crate) fn drain(&self, control: &Control) -> Result<()> {
        self.posts.drain(|| self.drain_long(control))
    }

    #[cold]
    fn drain_long(&self, control: &Control) -> Result<()> {
        let drained = self.used().try_for_each(|queue| {
            let assigned = queue.numbers.last_assigned();
            self.wait(queue, || self.is_complete(control, queue, assigned) && queue.take_results(control, assigned))
        });
        if drained.is_err() {
            self.lose_results();
        }
        drained
    }

    /// Forgets the results that have not been stored, because the memory for them may be used for something else soon.
    /// The lane has failed, so each later quiet of each thread with such a result returns the error too.
    #[cold]
    fn lose_results(&self) {
        self.used().for_each(|queue| locked(&queue.results).clear());
    }

    /// The queues of the nodes to which a request went. Whoever knows that a request was posted finds its queue: it was
    /// made before ([`Posts::add`]).
    fn used(&self) -> impl Iterator<Item = &Queue> {
        self.queues.iter().filter_map(OnceLock::get).map(Box::as_ref)
    }

    /// Whether requests for the node of a PE may not yet be carried out.
    pub(crate) fn is_busy(&self, job: &Job, control: &Control, pe: Pe) -> bool {
        let queue = self.queues[job.node(pe) as usize].get();
        queue.is_some_and(|queue| !self.is_complete(control, queue, queue.numbers.last_assigned()))
    }

    /// Waits for what the node carries out. A PE of the node may have been stopped before it put `done`, so a long wait
    /// also looks at the node's own count.
    #[cold]
    fn wait(&self, queue: &Queue, is_done: impl Fn() -> bool) -> Result<()> {
        let what = || queue.wait("operations".into());
        let mut pace = Pace::default();
        let look = || {
            // First, because results are not stored any more when the lane has failed.
            if self.lane.check().is_err() || is_done() {
                return Some(());
            }
            // An error is found by the next look.
            if pace.is_due(PATIENCE)
                && let Ok(turn) = self.lane.get_word_during(queue.turn, size_of::<u64>(), what)
            {
                self.note(queue, carried_out(turn));
            }
            None
        };
        self.wait_policy.wait_for_network(look, what);
        self.lane.check()
    }

    /// Whether requests up to this number are carried out.
    fn is_complete(&self, control: &Control, queue: &Queue, number: u64) -> bool {
        queue.numbers.seen() >= number || self.note(queue, queue.done(control)) >= number
    }

    /// Notes that requests up to this number are carried out, as the node says; returns up to which number they are.
    fn note(&self, queue: &Queue, done: u64) -> u64 {
        // Behind the node's count: whoever counts a request has it from the thread that gave it its number.
        let assigned = queue.numbers.last_assigned();
        if done > assigned {
            let node = queue.node;
            (self.refuse)(&format!(
                "node {node} says that {done} atomic operations are complete, of {assigned} requested"
            ));
        }
        queue.numbers.note(done)
    }

    /// Operations come behind the puts before each fence, because they take another way than puts.
    pub(crate) fn fences(&self) -> &Fences<AtomicU64> {
        &self.fences
    }
}

impl Queue {
    fn new(node: u32, turn: RemoteAddr, pes: Box<[Pe]>) -> Self {
        Self {
            node,
            numbers: Numbers::default(),
            unread: Unread::default(),
            answered: Answered::new(REQUESTS as usize),
            written: AtomicU64::new(0),
            results: Mutex::default(),
            turn,
            pes,
        }
    }

    /// Prepares the slot of a request for its answer.
    fn expect(&self, control: &Control, number: u64) {
        self.unread.expect(slot_of(number));
        // Relaxed: the network acquires the request, and the answer comes after it. The seal of an old answer
        // may have the same lower bits.
        control.answer(self.node, number).iter().for_each(|word| word.store(!number, Ordering::Relaxed));
    }

    /// Stores the results that have arrived; returns whether all up to this number have. They may come later than the
    /// news that their operations are carried out, from another PE.
    fn take_results(&self, control: &Control, number: u64) -> bool {
        let mut results = locked(&self.results);
        results.retain(|&Expected { number, to, width }| {
            let answer = control.answer(self.node, number);
            let Some([found, by, _]) = unsealed(number, answer) else { return true };
            let (to, from) = (std::ptr::with_exposed_provenance_mut(to), found.to_ne_bytes());
            // SAFETY: the caller of `ask_later` guarantees that these bytes are writable until a quiet has waited for
            // this, or has forgotten it under this lock because the network has failed.
            unsafe { mapped::copy(to, from.as_ptr(), width) };
            self.answered.note(slot_of(number), number, by);
            self.unread.clear(slot_of(number));
            false
        });
        results.iter().all(|expected| expected.number > number)
    }

    /// Whether the last answer in the slot of a request is written completely.
    fn is_written(&self, control: &Control, number: u64) -> bool {
        let done = |pe| control.carried_out(Pe::member(pe)).reached(1).unwrap_or(0);
        self.answered.is_written(slot_of(number), done)
    }

    /// The number up to which the node says that requests are carried out.
    fn done(&self, control: &Control) -> u64 {
        self.pes.iter().filter_map(|pe| control.carried_out(*pe).reached(1)).max().unwrap_or(0)
    }

    #[cold]
    fn wait(&self, what: String) -> Wait {
        let what = format!("atomic {what}, by a PE of node {}", self.node);
        Wait { what, late: self.pes.iter().map(|pe| pe.number()).collect() }
    }
}

fn slot_of(number: u64) -> u64 {
    number % REQUESTS
}

const _: () = assert!(REQUEST_WORDS * 8 <= cushmem_net::MOST_INLINE);

#[cfg(test)]
#[path = "atomics_tests.rs"]
mod tests;

//! Atomic operations between nodes. The agent of a word of host memory is the CPUs of its node, because a network's
//! atomic operations are not atomic with those of a CPU. So a PE asks the node, and any PE of that node carries the
//! operation out, in a thread of the library.
//!
//! ```text
//!   initiator                               in the area of the node's first PE     any PE of the node
//!   put request ─────────────────────────▶  requests[initiator]
//!   put asked := n, behind the request ──▶  asked[initiator]  ──── sees n ───────▶ taken[initiator]: n - 1 → n
//!   in its own area                                                               changes the word
//!   replies[node].found  ◀──────────────────────────────────────────────────────── put found
//!   replies[node].done = n: goes on  ◀──────────────────────────────────────────── put done := n, behind it
//! ```
//!
//! * *Who writes*: only the initiator writes `requests` and `asked`, through the network. The PEs of the node write
//!   `taken`, which ensures that one of them carries out an operation, once (`requests.rs` says why); that PE writes
//!   `replies`.
//! * *Order*: whoever sees `asked` also sees the request, because the same PE put both to the same PE, one behind the
//!   other. In the same way, `done` covers `found`, and the change itself, which came before.
//! * *Reuse*: an initiator has one operation at a time on a node, under a lock. It writes the next request only when
//!   the answer has arrived, and by then nobody reads the previous request any more.
//! * *When a PE stops*, another PE of its node takes over, unless the stopped PE has just taken an operation. On a node
//!   of one PE the initiator waits, and `shmemrun --status` names the node's PEs.
//! * *When it dies*, the launcher ends the job.

use super::requests::take;
use super::{AmoOp, WordOp, mapped};
use crate::error::{Error, Result};
use crate::job::{Job, Pe};
use crate::memory::Words;
use crate::sync::control::{AtomicsArea, AtomicsWords, Control, ControlArea};
use crate::sync::guard;
use crate::sync::locked;
use crate::sync::network::{Far, NetLane, Network, Region, Watch};
use crate::sync::spin::WaitPolicy;
use cushmem_bootstrap::waits::Wait;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use zerocopy::IntoBytes;

/// An operation on a word on another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) op: WordOp,
    pub(crate) width: usize,
    pub(crate) operand: u64,
    pub(crate) condition: u64,
}

const OPS: [WordOp; 8] = [
    WordOp::Fetch,
    WordOp::Set,
    WordOp::CompareSwap,
    WordOp::Update(AmoOp::Swap),
    WordOp::Update(AmoOp::Add),
    WordOp::Update(AmoOp::And),
    WordOp::Update(AmoOp::Or),
    WordOp::Update(AmoOp::Xor),
];
const REGIONS: [Region; 2] = [Region::Host, Region::Globals];
/// Words of a request.
const WORDS: usize = 7;

impl Request {
    fn words(&self, word: Far) -> [u64; WORDS] {
        let op = OPS.iter().position(|op| *op == self.op).unwrap_or(0) as u64;
        let pe = u64::from(word.pe.number());
        [op, self.width as u64, word.region.number().into(), pe, word.at, self.operand, self.condition]
    }

    fn of_words([op, width, region, pe, at, operand, condition]: [u64; WORDS], job: &Job) -> Option<(Self, Far)> {
        let op = *OPS.get(usize::try_from(op).ok()?)?;
        let region = REGIONS.into_iter().find(|known| u64::from(known.number()) == region)?;
        let (pe, width) = (job.pe(u32::try_from(pe).ok()?)?, usize::try_from(width).ok()?);
        let fits = matches!(width, 1 | 2 | 4 | 8) && at.is_multiple_of(width as u64);
        fits.then_some((Self { op, width, operand, condition }, Far { pe, region, at }))
    }
}

/// The initiator's side.
pub(crate) struct Atomics {
    lane: Arc<NetLane>,
    /// By node: the number of operations asked for. The lock is held until the last one is answered.
    asked: Box<[Mutex<u64>]>,
    wait_policy: WaitPolicy,
}

impl Atomics {
    pub(crate) fn new(job: &Job, network: &Network, wait_policy: WaitPolicy) -> Self {
        Self { lane: network.lane(), asked: (0..job.nodes()).map(|_| Mutex::new(0)).collect(), wait_policy }
    }

    /// Has the node of a word change it, and returns the old value.
    pub(crate) fn ask(&self, job: &Job, control: &Control, word: Far, request: Request) -> Result<u64> {
        let node = job.node(word.pe);
        let leader = job.leader(node);
        let to = |offset| Far { pe: leader, region: Region::Control, at: offset as u64 };
        // A panic elsewhere leaves the number as it was before or after a complete operation.
        let mut asked = locked(&self.asked[node as usize]);
        let number = *asked + 1;
        self.lane.put_inline(to(AtomicsWords::request(job.me())), request.words(word).as_bytes())?;
        self.lane.order()?;
        self.lane.put_inline(to(AtomicsWords::asked(job.me())), &number.to_ne_bytes())?;
        *asked = number;
        let reply = control.reply(node);
        let what = || {
            let late: Vec<u32> = job.pes().filter(|pe| job.node(*pe) == node).map(Pe::number).collect();
            let what = format!("atomic operation on PE {}, by a PE of node {node}", word.pe.number());
            Wait { what, late }
        };
        // SYNC(net-target) acquire: pairs with the network's release of `done`, which the answering PE put behind
        // `found`.
        let look = || (reply.done.load(Ordering::Acquire) == number || self.lane.check().is_err()).then_some(());
        self.wait_policy.wait_for_network(look, what);
        self.lane.check()?;
        // Relaxed: `done` orders it.
        Ok(reply.found.load(Ordering::Relaxed))
    }
}

/// The side of the node that has the words.
pub(crate) struct Server {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// By PE of this node and by region: where its words are, and how many bytes there are.
pub(crate) type Served = Box<[[Option<Words>; REGIONS.len()]]>;

/// How long the thread polls for requests after the last one before it naps, and for how long it naps.
const AWAKE: Duration = Duration::from_micros(200);
/// How long after a failure of the network the thread ends the job, if the program has not.
const GRACE: Duration = Duration::from_secs(1);
const NAP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));

impl Server {
    /// Starts the thread that carries out what PEs of other nodes ask of this node.
    pub(crate) fn start(job: &Arc<Job>, control: &Control, network: &Network, served: Served) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let words = control.atomics(job.leader(job.my_node()));
        let service = Service {
            job: job.clone(),
            words,
            lane: network.lane(),
            watch: network.watch(),
            served,
            stop: stop.clone(),
        };
        let thread = Builder::new().name("cushmem-atomics".to_owned());
        let thread = cushmem_thread::start(thread, move || {
            // Without this thread other nodes would wait for ever.
            guard::or_abort(|| service.run());
        });
        let failed = |error: std::io::Error| Error::new("start a thread", crate::Cause::System(error.to_string()));
        Ok(Self { stop, thread: Some(thread.map_err(failed)?) })
    }

    /// Ends the thread. All PEs have completed their last operation.
    pub(crate) fn stop(&mut self) {
        // Relaxed: the join orders it.
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Service {
    job: Arc<Job>,
    words: AtomicsWords,
    lane: Arc<NetLane>,
    watch: Watch,
    served: Served,
    stop: Arc<AtomicBool>,
}

impl Service {
    fn run(&self) {
        let others: Vec<Pe> = self.job.pes().filter(|pe| self.job.place(*pe).is_none()).collect();
        let mut last = Instant::now();
        let mut looked = last;
        // Relaxed: nothing else is inferred from it.
        while !self.stop.load(Ordering::Relaxed) {
            let served = others.iter().filter(|pe| self.serve(**pe)).count();
            let now = Instant::now();
            if served > 0 {
                last = now;
            }
            let idle = now.duration_since(last);
            if idle >= AWAKE || now.duration_since(looked) >= NAP.1 {
                looked = now;
                if let Err(error) = self.watch.failure() {
                    // The program may be about to report the failure more precisely.
                    std::thread::sleep(GRACE);
                    self.job.end("network", &error);
                }
            }
            if idle >= AWAKE {
                std::thread::sleep((idle / 16).clamp(NAP.0, NAP.1));
            } else if served == 0 {
                std::thread::yield_now();
            }
        }
    }

    /// Carries out what a PE asks for, unless it asks for nothing or another PE of this node has taken the request.
    fn serve(&self, initiator: Pe) -> bool {
        let look = || {
            let words = self.words.words_of(initiator);
            let request = Request::of_words(words, &self.job);
            let place = request.and_then(|(request, word)| self.place(&request, word));
            // Another PE of the node may have the word, if this one runs a different executable.
            let is_elsewhere = request.is_some_and(|(_, word)| self.may_have(word)) && place.is_none();
            (!is_elsewhere).then_some((words, request, place))
        };
        let taken = take(self.words.asked_by(initiator), self.words.taken_of(initiator), look);
        let Some((number, (words, request, place))) = taken else { return false };
        let (Some((request, _)), Some(start)) = (request, place) else { self.refuse(initiator, &words) };
        let address = std::ptr::with_exposed_provenance_mut(start);
        let Request { op, width, operand, condition } = request;
        // SAFETY: an aligned word of symmetric host memory of this node, as was checked.
        let found = unsafe { mapped::word_op(address, width, op, operand, condition) };
        let to = |at: usize| Far { pe: initiator, region: Region::Control, at: at as u64 };
        let (found_at, done_at) = Control::reply_at(self.job.my_node());
        let answered = self.lane.put_inline(to(found_at), &found.to_ne_bytes()).and_then(|_| self.lane.order());
        let answered = answered.and_then(|()| self.lane.put_inline(to(done_at), &number.to_ne_bytes()));
        answered.unwrap_or_else(|error| self.job.end("answer an atomic operation", &error));
        true
    }

    /// Where a word of this node is in this PE's address space.
    fn place(&self, request: &Request, word: Far) -> Option<usize> {
        let (start, bytes) = self.words_of(word)?;
        let end = word.at.checked_add(request.width as u64)?;
        (end <= bytes).then(|| start + word.at as usize)
    }

    fn words_of(&self, word: Far) -> Option<Words> {
        let region = REGIONS.iter().position(|region| *region == word.region)?;
        self.served[word.pe.index()][region]
    }

    /// Whether another PE of this node may have the word, which this PE does not.
    fn may_have(&self, word: Far) -> bool {
        self.job.place(word.pe).is_some() && word.pe != self.job.me() && self.words_of(word).is_none()
    }

    #[cold]
    fn refuse(&self, initiator: Pe, words: &[u64; WORDS]) -> ! {
        let text = format!("PE {} asks for an atomic operation that does not exist: {words:x?}", initiator.number());
        self.job.bootstrap().abort(1, &text)
    }
}

const _: () = assert!(WORDS * 8 <= 64 && offset_of!(ControlArea, atomics).is_multiple_of(align_of::<AtomicsArea>()));

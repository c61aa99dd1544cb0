//! The node's side of atomic operations between nodes, which `atomics` describes.
//!
//! Whoever lets the network work carries out what it has brought ([`Network::serve`]): another thread would have to be
//! woken first. Where processes need not poll for their peers, a thread of its own looks for requests too, as this PE
//! may compute for long.

use super::atomics::{Decoded, REGIONS, Request};
use super::mapped;
use super::request_queue::serve;
use crate::Error;
use crate::error::Result;
use crate::job::{Job, Pe};
use crate::memory::Words;
use crate::sync::control::{AtomicsWords, Control, REQUEST_WORDS, REQUESTS};
use crate::sync::guard;
use crate::sync::network::{Network, Watch};
use crate::sync::network_lane::{NetLane, Region, RemoteAddr};
use crate::sync::sealed::{flag_alone, sealed, unsealed};
use cushmem_net::Poller;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use zerocopy::IntoBytes;

/// The side of the node that has the words.
pub(crate) struct Server {
    stop: Arc<AtomicBool>,
    /// What it has put.
    lane: Arc<NetLane>,
    thread: Option<JoinHandle<()>>,
}

/// By PE of this node and by region: where its words are, and how many bytes there are.
pub(crate) type Served = Box<[[Option<Words>; REGIONS.len()]]>;

/// How long the thread polls for requests after the last one before it sleeps, and for how long it sleeps.
const AWAKE: Duration = Duration::from_micros(200);
/// How long after a failure of the network the thread ends the job, if the program has not.
const GRACE: Duration = Duration::from_secs(1);
const NAP: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));
/// How often the thread looks for failures if it has nothing else to do.
const SELDOM: Duration = Duration::from_millis(5);
/// The most requests of a PE that are carried out before others have their turn.
const IN_A_TURN: u64 = REQUESTS / 4;
/// Of how many PEs a look for requests learns whether they have ever requested anything, unless it is thorough.
const LEARNED_AT_ONCE: usize = 64;

impl Server {
    /// From now on, what PEs of other nodes ask of this node is carried out: by the threads that poll the network and,
    /// where none has to, by a thread of its own too. That thread also looks for failures of the network.
    pub(crate) fn start(job: &Arc<Job>, control: &Control, network: &Network, served: Served) -> Result<Self> {
        let (stop, lane) = (Arc::new(AtomicBool::new(false)), network.lane());
        let mut service = Service {
            job: job.clone(),
            words: control.atomics(),
            lane: lane.clone(),
            served,
            others: job.pes().filter(|pe| job.place(*pe).is_none()).collect(),
            known: 0,
            next: 0,
        };
        let look_out = LookOut { job: job.clone(), watch: network.watch(), stop: stop.clone() };
        network.serve(Some(Box::new(move |thorough| guard::or_abort(|| service.serve_all(thorough)))));
        let (is_polled, poller) = (network.is_polled(), network.poller());
        let thread = Builder::new().name("cushmem-atomics".to_owned());
        // Without it other nodes could wait for ever.
        let thread = cushmem_thread::start(thread, move || {
            guard::or_abort(|| if is_polled { look_out.run() } else { look_out.run_and_serve(&poller) });
        });
        let failed = |error: std::io::Error| Error::new("start a thread", crate::Cause::System(error.to_string()));
        if thread.is_err() {
            network.serve(None);
        }
        Ok(Self { stop, lane, thread: Some(thread.map_err(failed)?) })
    }

    /// Ends it, and waits for what it has put. All PEs have completed their last operation.
    pub(crate) fn stop(&mut self, network: &Network) -> Result<()> {
        network.serve(None);
        // Relaxed: the join orders it.
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.lane.drain()
    }
}

/// Looks for failures of the network, until it is stopped.
struct LookOut {
    job: Arc<Job>,
    watch: Watch,
    stop: Arc<AtomicBool>,
}

impl LookOut {
    fn is_stopped(&self) -> bool {
        // Relaxed: nothing else is inferred from it.
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the job if the network has failed.
    fn look(&self) {
        if let Err(error) = self.watch.failure() {
            // The program may be about to report the failure more precisely.
            std::thread::sleep(GRACE);
            self.job.bootstrap().abort(1, &error.to_string());
        }
    }

    fn run(&self) {
        while !self.is_stopped() {
            self.look();
            std::thread::sleep(SELDOM);
        }
    }

    /// Also carries out what PEs of other nodes ask for.
    fn run_and_serve(&self, poller: &Poller) {
        let mut last = Instant::now();
        let mut looked = last;
        while !self.is_stopped() {
            let served = poller.serve();
            let now = Instant::now();
            if served {
                last = now;
            }
            let idle = now.duration_since(last);
            if idle >= AWAKE || now.duration_since(looked) >= NAP.1 {
                looked = now;
                self.look();
            }
            if idle >= AWAKE {
                std::thread::sleep((idle / 16).clamp(NAP.0, NAP.1));
            } else if !served {
                std::thread::yield_now();
            }
        }
    }
}

/// Carries out what PEs of other nodes ask of this node.
struct Service {
    job: Arc<Job>,
    words: AtomicsWords,
    lane: Arc<NetLane>,
    served: Served,
    /// The PEs of other nodes. Those that have ever requested anything come first.
    others: Vec<Pe>,
    /// How many are known to have.
    known: usize,
    /// Which PE the next look begins with.
    next: usize,
}

impl Service {
    /// Carries out what there is; returns whether there was anything that no other PE of this node had taken.
    fn serve_all(&mut self, thorough: bool) -> bool {
        self.learn(if thorough { self.others.len() } else { LEARNED_AT_ONCE });
        self.others[..self.known].iter().filter(|pe| self.serve(**pe)).count() > 0
    }

    /// Looks at some of the PEs that have requested nothing so far.
    fn learn(&mut self, most: usize) {
        for _ in 0..most.min(self.others.len() - self.known) {
            self.next = if self.next + 1 < self.others.len() { self.next + 1 } else { self.known };
            // Relaxed: the requests say what they are.
            if self.words.known_of(self.others[self.next]).load(Ordering::Relaxed) != 0 {
                self.others.swap(self.known, self.next);
                self.known += 1;
            }
        }
    }

    /// Carries out what a PE asks for; returns whether there was anything that no other PE of this node had taken.
    fn serve(&self, initiator: Pe) -> bool {
        // Whoever polls must not wait here until a PE that is stopped goes on.
        if !self.lane.has_room(IN_A_TURN + 1) {
            return false;
        }
        let look = |number| {
            let words = unsealed(number, self.words.request_of(initiator, number))?;
            let decoded = Request::of_words(words, &self.job);
            let place = decoded.and_then(|(request, word, _)| self.place(&request, word));
            // Another PE of the node may have the word, if this one runs a different executable.
            let is_elsewhere = decoded.is_some_and(|(_, word, _)| self.may_have(word)) && place.is_none();
            (!is_elsewhere).then_some((words, decoded, place))
        };
        let answered = |error| self.job.end("answer an atomic operation", &error);
        let to = |at: usize| RemoteAddr { pe: initiator, region: Region::Control, at: at as u64 };
        let carry_out = |number, (words, decoded, place): ([u64; REQUEST_WORDS], Option<Decoded>, Option<usize>)| {
            let (Some((request, _, wanted)), Some(start)) = (decoded, place) else { self.refuse(initiator, &words) };
            let address = std::ptr::with_exposed_provenance_mut(start);
            let Request { op, width, operand, condition } = request;
            // SAFETY: an aligned word of symmetric host memory of this node, as was checked.
            let found = unsafe { mapped::word_op(address, width, op, operand, condition) };
            if wanted {
                let at = self.words.answer_at(self.job.my_node(), number);
                let answer = sealed(number, [found, self.job.my_pe().into(), 0]);
                self.lane.send(to(at), answer.as_bytes()).unwrap_or_else(answered);
            }
        };
        let Some(last) = serve(self.words.turn_of(initiator), IN_A_TURN, look, carry_out) else { return false };
        let done = to(self.words.carried_out_at(self.job.me()));
        self.lane.send_behind(done, flag_alone(last).as_bytes()).unwrap_or_else(answered);
        true
    }

    /// Where a word of this node is in this PE's address space.
    fn place(&self, request: &Request, word: RemoteAddr) -> Option<usize> {
        let (start, bytes) = self.words_of(word)?;
        let end = word.at.checked_add(request.width as u64)?;
        (end <= bytes).then(|| start + word.at as usize)
    }

    fn words_of(&self, word: RemoteAddr) -> Option<Words> {
        let region = REGIONS.iter().position(|region| *region == word.region)?;
        self.served[word.pe.index()][region]
    }

    /// Whether another PE of this node may have the word, which this PE does not.
    fn may_have(&self, word: RemoteAddr) -> bool {
        self.job.place(word.pe).is_some() && word.pe != self.job.me() && self.words_of(word).is_none()
    }

    #[cold]
    fn refuse(&self, initiator: Pe, words: &[u64; REQUEST_WORDS]) -> ! {
        let text = format!("PE {} asks for an atomic operation that does not exist: {words:x?}", initiator.number());
        self.job.bootstrap().abort(1, &text)
    }
}

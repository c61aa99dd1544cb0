//! Copies of GPU memory that not all PEs reach. They travel in chunks through host memory, with the help of the
//! *owner*, the PE that has the GPU memory.
//!
//! ```text
//!   initiator                                                    owner
//!   put: GPU ── copy engine ──▶ own chunk ── network ──▶ its chunk
//!        request n ────────────────────────────────────▶ requests[n mod SLOTS] ── sees all words ── chunk ── copy engine ──▶ GPU
//!        acks[n mod SLOTS] = n: the slots are free ◀─────────────────────────────────────────────────── complete
//!   get: request n ────────────────────────────────────▶ requests[…] ── GPU ── copy engine ──▶ its chunk
//!        own chunk, then acks[…] = n ◀── network ─────────────────────────────────────────────────────────┘
//!        own chunk ── copy engine ──▶ GPU
//! ```
//!
//! On one node there is only the owner's chunk, which both PEs map. Each PE runs this protocol in a thread of the
//! library, the proxy, with streams of its own. PEs of different nodes first tell each other where their chunks are
//! (`cards.rs`).
//!
//! * *Who writes.* A pair is what one PE keeps for one other PE. Its `requests` and `acks` are written by the other PE
//!   alone, with stores or through the network. The request that names a chunk determines who writes it: the initiator
//!   for a put, the owner for a get. The initiator gives out the slots, choosing ones that none of its own requests
//!   uses. The answer to a request goes into the request's own slots, so an owner never waits for room.
//! * *What pairs with what.* A request is sealed with its number, so it is complete when the seal agrees (`sealed.rs`).
//!   Whoever sees the request sees its chunk: the initiator stores the request after the chunk, with release, or puts
//!   it behind the chunk on the same lane of the network; if the network keeps no order, it puts the request only once
//!   the chunk has arrived. An ack covers the chunk of a get in the same way.
//! * *Reuse.* A line of requests is written again once its previous request was acknowledged, and an ack once the
//!   previous ack was seen, because a line has one request at a time.
//! * *Order.* An owner starts the requests of one PE in their order. Words that are set or changed behind puts come
//!   after these puts. In GPU memory, a word is set by a write on the stream that has the short copies, once the long
//!   copies before it are complete. A word in host memory is changed when all copies before it are complete. So are
//!   words of GPU memory that need the GPU agent; a separate thread asks the agent (`changes.rs`), and the old value
//!   goes into the chunk. Words come after each other. Operations of one context are started in their order where one
//!   has to come behind others. Otherwise the oldest operations with each PE take turns, one chunk each, so that long
//!   ones do not keep short ones waiting.
//! * *Blocks with gaps* travel without these: chunks end where rows do, and each side copies the rows between its
//!   memory and the chunk in one operation. A request says how wide the owner's rows are and how far apart.
//!   The copy engine does not cut an aligned word of a row; [`Stream::copy_in_rows`](cushmem_gpu::Stream) relies on the
//!   same.
//! * *Nobody waits.* Each round checks what has arrived and starts what can be started. There is one exception: on
//!   networks without order, a word that comes behind puts of the CPU waits for these puts, which wait for nobody. So
//!   two PEs that make requests to each other both make progress.
//! * *When a PE stops*, the transfers with its GPU memory stop too; `shmemrun --status` names it.
//! * *When it dies*, the launcher ends the job. An invalid request ends the job with a line that names PE
//!   and field.

mod cards;
mod changes;
mod copies;
mod initiator;
mod owner;
mod request;
mod span;

pub(crate) use changes::Changes;
pub(crate) use copies::LANES;
pub(crate) use initiator::{Done, Finished, StageOp, Staged};
pub(crate) use span::Span;

use super::copy_engine::Lane;
use crate::error::{Cause, Error, Result};
use crate::job::{Job, Pe};
use crate::memory::{Memory, Pair, SLOTS, StageArea};
use crate::sync::Sync;
use crate::sync::control::Control;
use crate::sync::network_lane::NetLane;
use cards::Cards;
use copies::Copies;
use cushmem_gpu::Gpu;
use cushmem_path::{Chunks, Class};
use std::sync::Arc;
use zerocopy::IntoBytes;

/// Rounds between two checks of the GPU's health while copies are under way: some milliseconds. A proxy that naps
/// between rounds checks after each nap.
const LOOKS: u64 = 4096;

/// Both sides of this PE, and what they copy with.
pub(crate) struct Stage {
    link: Link,
    owner: owner::Owner,
    initiator: initiator::Initiator,
    rounds: u64,
}

/// What both sides copy with.
struct Link {
    job: Arc<Job>,
    area: Arc<StageArea>,
    gpu: Arc<dyn Gpu>,
    /// Copies to this GPU, and from it.
    to_gpu: Copies,
    from_gpu: Copies,
    net: Option<Arc<NetLane>>,
    /// What changes words of this GPU's memory.
    changes: Arc<Changes>,
    cards: Cards,
    /// What is pinned: for each PE, this PE's pair for it, and its pair for this PE if it is on this node.
    pinned: Vec<[bool; 2]>,
}

impl Stage {
    /// `lanes` copy to the GPU and from it; `chunks` says how copies to memory of a class are cut.
    pub(crate) fn new(
        job: &Arc<Job>,
        area: &Arc<StageArea>,
        gpu: &Arc<dyn Gpu>,
        [to_gpu, from_gpu]: [[Lane; LANES]; 2],
        net: Option<Arc<NetLane>>,
        changes: Arc<Changes>,
        chunks: impl Fn(Class) -> Chunks,
    ) -> Self {
        let link = Link {
            job: job.clone(),
            area: area.clone(),
            gpu: gpu.clone(),
            to_gpu: Copies::new(to_gpu, true),
            from_gpu: Copies::new(from_gpu, false),
            net,
            changes,
            cards: Cards::new(job),
            pinned: vec![[false; 2]; job.n_pes() as usize],
        };
        let (owner, initiator) = (owner::Owner::new(job), initiator::Initiator::new(job, chunks));
        Self { link, owner, initiator, rounds: 0 }
    }

    /// Starts a transfer, in a later round.
    pub(crate) fn begin(&mut self, staged: Staged, memory: &Memory) {
        self.initiator.begin(staged, memory);
    }

    /// How many transfers have started and not ended.
    pub(crate) fn under_way(&self) -> usize {
        self.initiator.under_way()
    }

    /// The PEs with which transfers are under way.
    pub(crate) fn partners(&self) -> Vec<u32> {
        self.initiator.partners().map(Pe::number).collect()
    }

    /// Whether a transfer with this key to this PE is under way: a put, or the word that a put of few bytes becomes.
    pub(crate) fn has(&self, key: u64, pe: u32) -> bool {
        self.initiator.has(key, pe)
    }

    /// How many pairs have their chunks mapped here.
    pub(crate) fn pairs(&self) -> u64 {
        self.link.area.mapped_pairs()
    }

    /// Runs one round, and appends completed transfers to `finished`. Returns whether anything happened.
    pub(crate) fn progress(&mut self, memory: &Memory, sync: &Sync, finished: &mut Vec<Finished>) -> Result<bool> {
        let (area, control) = (self.link.area.clone(), sync.control());
        let met = match (sync.network(), &self.link.net) {
            (Some(network), Some(net)) => {
                self.link.cards.progress(&area, network, net, |pe| self.initiator.need(pe))?
            }
            _ => false,
        };
        let served = self.owner.progress(&mut self.link, &area, memory, control)?;
        let moved = self.initiator.progress(&mut self.link, &area, control, finished)?;
        let link = &mut self.link;
        link.to_gpu.flush(control)?;
        link.from_gpu.flush(control)?;
        self.rounds += 1;
        if self.rounds.is_multiple_of(LOOKS) {
            self.check(control)?;
        }
        Ok(met || served || moved)
    }

    /// Whether the GPU still works, if copies are under way.
    pub(crate) fn check(&self, control: &Control) -> Result<()> {
        self.link.to_gpu.check(control)?;
        self.link.from_gpu.check(control)
    }

    /// Unpins what was pinned. Nothing is under way any more. If it fails, the pages merely stay pinned until the
    /// process ends.
    pub(crate) fn give_back(&mut self) {
        let link = &mut self.link;
        link.to_gpu.settle();
        link.from_gpu.settle();
        for pe in link.job.pes() {
            let pairs = [link.area.pair(link.job.me(), pe), link.area.pair(pe, link.job.me())];
            for (pair, pinned) in pairs.into_iter().zip(&mut link.pinned[pe.index()]) {
                if let Some(pair) = pair.filter(|_| std::mem::take(pinned)) {
                    let _ = link.gpu.unregister_host(pair.range().0);
                }
            }
        }
    }
}

impl Link {
    /// Where this GPU's copies find the chunks of requests to a PE: in that PE's pair, if it is on this node.
    fn chunks<'a>(&mut self, area: &'a StageArea, pe: Pe) -> Result<Outgoing<'a>> {
        let me = self.job.me();
        let theirs = area.pair(pe, me);
        match theirs {
            Some(pair) => self.pin(pair, pe, 1)?,
            None => self.pin(own(area, me, pe), pe, 0)?,
        }
        Ok(Outgoing { pe, me, own: own(area, me, pe), theirs })
    }

    fn pin(&mut self, pair: Pair<'_>, pe: Pe, side: usize) -> Result<()> {
        let pinned = &mut self.pinned[pe.index()][side];
        if !*pinned {
            pair.make()?;
            let (address, bytes) = pair.range();
            self.gpu.register_host(address, bytes).map_err(Error::of("pin memory to stage in"))?;
            *pinned = true;
        }
        Ok(())
    }

    /// The lane to PEs of other nodes.
    fn net(&self) -> Result<&NetLane> {
        let none = || Error::new("copy", Cause::Mismatch("there is no network".to_owned()));
        self.net.as_deref().ok_or_else(none)
    }
}

/// This PE's pair for another one.
fn own(area: &StageArea, me: Pe, pe: Pe) -> Pair<'_> {
    area.pair(me, pe).expect("a PE is on its own node")
}

/// Requests of this PE to another one.
struct Outgoing<'a> {
    pe: Pe,
    me: Pe,
    /// This PE's pair for the other one and, on one node, the other's for this one.
    own: Pair<'a>,
    theirs: Option<Pair<'a>>,
}

impl Outgoing<'_> {
    fn is_far(&self) -> bool {
        self.theirs.is_none()
    }

    /// The chunk that this GPU copies to or from.
    fn chunk(&self, slot: usize) -> usize {
        self.theirs.map_or_else(|| self.own.outward(slot), |theirs| theirs.inward(slot))
    }

    /// Makes a request. Its chunk has been written, or is on its way if the network keeps the order. With `behind`, the
    /// request comes after whatever was put to the same PE on this lane.
    fn ask(&self, link: &Link, number: u64, request: &request::Request, behind: bool) -> Result<()> {
        let (line, words) = (number as usize % SLOTS, request.encode(number));
        match self.theirs {
            Some(theirs) => {
                request::store(theirs.request(line), words);
                Ok(())
            }
            None => {
                let net = link.net()?;
                if behind {
                    net.order()?;
                }
                net.put_inline(StageArea::request_at(self.pe, self.me, line), words.as_bytes())
            }
        }
    }

    /// Whether the other PE has carried out a request.
    fn is_acknowledged(&self, number: u64) -> bool {
        request::is_acknowledged(self.own.ack(number as usize % SLOTS), number)
    }
}

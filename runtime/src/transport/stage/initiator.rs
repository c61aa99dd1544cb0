//! The side of the PE that starts a transfer. All of it runs in that PE's proxy thread, which starts the copies of a
//! chunk and checks in later rounds whether they are complete:
//!
//! * *Put* ([`Transfer::first_step`]): from GPU memory, a copy lane copies to the chunk;
//!   [`Copies::post`](super::copies::Copies::post) only enqueues the copy. From host memory, this thread itself copies
//!   to the chunk if the owner is on the same node ([`streaming::copy`]). If the owner is on another node, the
//!   network copies the chunk there ([`Transfer::send`]).
//! * *Get*: the owner copies to the chunk (`Channel::step` and `Channel::answer` in `owner.rs`). Then a copy lane
//!   copies the chunk to GPU memory, or this thread to host memory ([`Transfer::land`]).
//! * *GPU memory here and host memory on another node*: there is no owner. The network copies between the
//!   chunk and the other node ([`Transfer::next_step`] for a put, [`Transfer::first_step`] for a get).

use super::cards::Need;
use super::copies::{LONG, Ticket};
use super::request::{Kind, Request, Space, has_room};
use super::span::{LEAST, Span, copy_rows};
use super::{Link, Outgoing};
use crate::error::Result;
use crate::job::{Job, Pe};
use crate::memory::{At, Memory, Remote, SLOT_BYTES, SLOTS, Segment, StageArea};
use crate::sync::control::Control;
use crate::sync::network_lane::RemoteAddr;
use crate::sync::tracker::Tracker;
use crate::transport::{Local, mapped, streaming};
use cushmem_abi::WordOp;
use cushmem_path::{Chunks, Class};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A transfer.
pub(crate) struct Staged {
    /// Where an operation has to come after earlier ones, it comes after those with the same key.
    pub(crate) key: u64,
    pub(crate) pe: Pe,
    pub(crate) what: StageOp,
    pub(crate) done: Done,
}

/// What moves. Local ends stay valid until the transfer is complete. The remote end is GPU memory that is not mapped
/// here, or memory on another node if the local end is in GPU memory; a word may be either.
pub(crate) enum StageOp {
    /// Bytes to the PE.
    Put(Local, At, Span),
    /// Bytes from the PE.
    Get(Local, At, Span),
    /// A word of this many bytes from the PE. [`Finished::found`] has the result.
    Load(At, usize),
    /// An atomic operation on a word of this many bytes of the PE. For GPU memory [`Finished::found`] has the old
    /// value, unless the word is set. It may have to come `behind` all earlier operations with its key.
    Word { to: At, bytes: usize, op: WordOp, value: u64, condition: u64, behind: bool },
}

/// Who is told that the transfer is complete.
pub(crate) enum Done {
    /// Those who wait for a context of the CPU.
    Number(Arc<Tracker>, u64),
    /// Those who wait for a context of the CPU, and whoever needs the old value of a word.
    Word(Arc<Tracker>, u64, Arc<AtomicU64>),
    /// A kernel: the command's ticket, its context, and the reply if a lane waits for one.
    Command { ticket: u64, context: usize, reply: Option<u64> },
}

/// A transfer that is complete.
pub(crate) struct Finished {
    pub(crate) done: Done,
    /// The loaded value, or the old value of a word of GPU memory; otherwise 0.
    pub(crate) found: u64,
}

/// Transfers with one PE that advance at the same time; later ones wait. This keeps a round short even when a hundred
/// thousand transfers have been started.
const TURNS: usize = 64;

/// This PE's transfers with others.
pub(super) struct Initiator {
    channels: Vec<Channel>,
    under_way: usize,
}

/// Its transfers with one PE.
struct Channel {
    pe: Pe,
    /// How transfers are cut into chunks.
    cut: Chunks,
    /// The number of the last request.
    asked: u64,
    /// In the order in which they were started. All chunks belong to the first [`TURNS`].
    transfers: VecDeque<Transfer>,
    /// The number of transfers with each key.
    of_key: HashMap<u64, usize>,
    /// Whether any transfer has needed the other PE's help.
    asks: bool,
    next_id: u64,
    /// Where the next turn starts.
    turn: usize,
    chunks: Vec<Chunk>,
}

struct Transfer {
    id: u64,
    staged: Staged,
    /// Where the remote bytes are, if the network copies them or changes the word without the owner's help.
    far: Option<RemoteAddr>,
    /// Bytes whose chunks were started, requested, and completed.
    begun: usize,
    asked: usize,
    bytes_done: usize,
    found: u64,
}

/// A chunk.
struct Chunk {
    id: u64,
    slot: usize,
    offset: usize,
    bytes: usize,
    step: Step,
}

impl Chunk {
    fn slots(&self) -> usize {
        self.bytes.div_ceil(SLOT_BYTES)
    }
}

#[derive(Clone, Copy)]
enum Step {
    /// A copy from this GPU to the chunk.
    Leaving(Ticket),
    /// A put of the chunk, on a network without order. The request waits until the put has arrived.
    Crossing(u64),
    /// A request with this number.
    Requested(u64),
    /// An operation of the network.
    Travelling(u64),
    /// Waiting for room among the copies.
    Arrived,
    /// A copy from the chunk to this GPU.
    Landing(Ticket),
}

impl StageOp {
    fn bytes(&self) -> usize {
        match *self {
            Self::Put(_, _, span) | Self::Get(_, _, span) => span.bytes,
            Self::Load(_, bytes) | Self::Word { bytes, .. } => bytes,
        }
    }

    fn at(&self) -> At {
        match *self {
            Self::Put(_, at, _) | Self::Get(_, at, _) | Self::Load(at, _) | Self::Word { to: at, .. } => at,
        }
    }
}

/// What is needed to move chunks.
struct Means<'a, 'b> {
    link: &'a mut Link,
    out: &'a Outgoing<'b>,
    control: &'a Control,
    /// The number of the last request, and of the oldest one that is not acknowledged.
    asked: &'a mut u64,
    oldest: Option<u64>,
}

impl Means<'_, '_> {
    /// Whether the other PE can be asked, and the line of the next request is free.
    fn may_ask(&self) -> bool {
        self.link.cards.has_met(self.out.pe) && has_room(*self.asked, self.oldest, SLOTS)
    }

    /// Makes a request.
    fn ask(&mut self, request: &Request, behind: bool) -> Result<Step> {
        debug_assert!(self.may_ask());
        *self.asked += 1;
        self.out.ask(self.link, *self.asked, request, behind)?;
        Ok(Step::Requested(*self.asked))
    }
}

impl Initiator {
    pub(super) fn new(job: &Job, chunks: impl Fn(Class) -> Chunks) -> Self {
        let cut = |pe| {
            let Chunks { bytes, depth } = chunks(if job.place(pe).is_some() { Class::Unmapped } else { Class::Far });
            Chunks { bytes: bytes.clamp(LEAST, SLOTS / 4 * SLOT_BYTES), depth: depth.clamp(1, SLOTS) }
        };
        let channel = |pe| Channel {
            pe,
            cut: cut(pe),
            asked: 0,
            transfers: VecDeque::new(),
            of_key: HashMap::new(),
            asks: false,
            next_id: 0,
            turn: 0,
            chunks: vec![],
        };
        Self { channels: job.pes().map(channel).collect(), under_way: 0 }
    }

    pub(super) fn begin(&mut self, staged: Staged, memory: &Memory) {
        let channel = &mut self.channels[staged.pe.index()];
        let at = staged.what.at();
        let far = match (memory.remote(at, staged.pe), &staged.what) {
            (_, StageOp::Word { .. }) if at.segment == Segment::Network => Some(memory.far(at, staged.pe)),
            (Remote::Net(far), StageOp::Put(..) | StageOp::Get(..)) => Some(far),
            _ => None,
        };
        channel.asks |= far.is_none();
        channel.next_id += 1;
        let id = channel.next_id;
        *channel.of_key.entry(staged.key).or_default() += 1;
        channel.transfers.push_back(Transfer { id, staged, far, begun: 0, asked: 0, bytes_done: 0, found: 0 });
        self.under_way += 1;
    }

    /// What transfers with a PE of another node need.
    pub(super) fn need(&self, pe: Pe) -> Need {
        let channel = &self.channels[pe.index()];
        match (channel.asks, channel.transfers.is_empty()) {
            (true, _) => Need::Owner,
            (false, false) => Need::Chunks,
            (false, true) => Need::Nothing,
        }
    }

    pub(super) fn under_way(&self) -> usize {
        self.under_way
    }

    pub(super) fn has(&self, key: u64, pe: u32) -> bool {
        self.channels.get(pe as usize).is_some_and(|channel| channel.of_key.contains_key(&key))
    }

    /// The PEs with which transfers are under way.
    pub(super) fn partners(&self) -> impl Iterator<Item = Pe> {
        self.channels.iter().filter(|channel| !channel.transfers.is_empty()).map(|channel| channel.pe)
    }

    pub(super) fn progress(
        &mut self,
        link: &mut Link,
        area: &StageArea,
        control: &Control,
        finished: &mut Vec<Finished>,
    ) -> Result<bool> {
        let mut moved = false;
        for channel in self.channels.iter_mut().filter(|channel| !channel.transfers.is_empty()) {
            let out = link.chunks(area, channel.pe)?;
            moved |= channel.advance(link, &out, control)?;
            moved |= channel.begin_chunks(link, &out, control)?;
            let before = finished.len();
            channel.take_finished(finished);
            self.under_way -= finished.len() - before;
        }
        Ok(moved)
    }
}

impl Channel {
    /// Starts chunks of transfers in turn, as long as there is room.
    fn begin_chunks(&mut self, link: &mut Link, out: &Outgoing<'_>, control: &Control) -> Result<bool> {
        let mut moved = false;
        while self.chunks.len() < self.cut.depth
            && let Some(at) = self.next_in_turn()
        {
            let oldest = self.oldest();
            let bytes = self.transfers[at].chunk(self.cut.bytes);
            let Some(slot) = self.free_slots(bytes) else { break };
            let transfer = &mut self.transfers[at];
            let mut chunk = Chunk { id: transfer.id, slot, offset: transfer.begun, bytes, step: Step::Arrived };
            let mut means = Means { link, out, control, asked: &mut self.asked, oldest };
            let Some(step) = transfer.first_step(&chunk, &mut means)? else { break };
            chunk.step = step;
            transfer.begun += bytes;
            self.chunks.push(chunk);
            self.turn = at + 1;
            moved = true;
            // The CPU may have made this copy itself, which takes time, so requests that have arrived meanwhile, from
            // here and from other PEs, come before the next chunk.
            if bytes >= LONG {
                break;
            }
        }
        Ok(moved)
    }

    /// The next transfer that has chunks left to start and may start one.
    fn next_in_turn(&self) -> Option<usize> {
        let n = self.transfers.len().min(TURNS);
        let may = |at: &usize| {
            let Transfer { staged, begun, far, .. } = &self.transfers[*at];
            let mut earlier = self.transfers.iter().take(*at).filter(|transfer| transfer.staged.key == staged.key);
            let waits = matches!(staged.what, StageOp::Word { behind: true, .. });
            // An owner keeps the order of requests, but does not know of words that the network changes.
            let passed = if far.is_some() { Transfer::is_done } else { Transfer::is_passed };
            *begun < staged.what.bytes() && (!waits || earlier.all(passed))
        };
        (0..n).map(|i| (self.turn + i) % n).find(may)
    }

    /// The first run of free slots for this many bytes.
    fn free_slots(&self, bytes: usize) -> Option<usize> {
        let n = bytes.div_ceil(SLOT_BYTES);
        let free = |first: usize| self.chunks.iter().all(|c| c.slot + c.slots() <= first || first + n <= c.slot);
        (0..=SLOTS - n).find(|first| free(*first))
    }

    /// The oldest request that is not acknowledged.
    fn oldest(&self) -> Option<u64> {
        let number = |chunk: &Chunk| if let Step::Requested(number) = chunk.step { Some(number) } else { None };
        self.chunks.iter().filter_map(number).min()
    }

    /// Checks how far chunks have come.
    fn advance(&mut self, link: &mut Link, out: &Outgoing<'_>, control: &Control) -> Result<bool> {
        let (mut moved, mut at) = (false, 0);
        let oldest = self.oldest();
        while let Some(chunk) = self.chunks.get_mut(at) {
            let transfer = self.transfers.iter_mut().find(|transfer| transfer.id == chunk.id).expect("it has a chunk");
            let mut means = Means { link, out, control, asked: &mut self.asked, oldest };
            match transfer.next_step(chunk, &mut means)? {
                Next::None => at += 1,
                Next::Step(step) => {
                    chunk.step = step;
                    moved = true;
                }
                Next::End => {
                    transfer.bytes_done += chunk.bytes;
                    // The order of the remaining chunks must stay: they make requests in that order.
                    self.chunks.remove(at);
                    moved = true;
                }
            }
        }
        Ok(moved)
    }

    fn take_finished(&mut self, finished: &mut Vec<Finished>) {
        let mut at = 0;
        while at < TURNS
            && let Some(transfer) = self.transfers.get(at)
        {
            if !transfer.is_done() {
                at += 1;
            } else if let Some(Transfer { staged, found, .. }) = self.transfers.remove(at) {
                if let Entry::Occupied(mut entry) = self.of_key.entry(staged.key) {
                    *entry.get_mut() -= 1;
                    if *entry.get() == 0 {
                        entry.remove();
                    }
                }
                finished.push(Finished { done: staged.done, found });
                self.turn -= usize::from(self.turn > at);
            }
        }
    }
}

/// What happens to a chunk next.
enum Next {
    /// Nothing yet.
    None,
    Step(Step),
    End,
}

impl Transfer {
    /// The size of the next chunk. It is small at both ends of the transfer, because nothing else is copied while the
    /// first chunk leaves and the last one lands. It is large in between, because each chunk costs some microseconds in
    /// addition to its copies.
    fn chunk(&self, most: usize) -> usize {
        let left = self.staged.what.bytes() - self.begun;
        let bytes = self.begun.min(left / 2).next_multiple_of(LEAST).clamp(LEAST, most).min(left);
        match self.staged.what {
            StageOp::Put(.., span) | StageOp::Get(.., span) if span.has_gaps() => bytes / span.width * span.width,
            _ => bytes,
        }
    }

    fn is_done(&self) -> bool {
        self.bytes_done == self.staged.what.bytes()
    }

    /// Whether a request that is made now comes after this transfer.
    fn is_passed(&self) -> bool {
        self.is_done() || self.asked == self.staged.what.bytes()
    }

    /// Starts a chunk; `None` if there is no room at present.
    fn first_step(&mut self, chunk: &Chunk, means: &mut Means<'_, '_>) -> Result<Option<Step>> {
        let may_ask = means.may_ask();
        let Means { link, out, control, .. } = means;
        let here = out.chunk(chunk.slot);
        match (&self.staged.what, self.far) {
            (StageOp::Put(from, _, span), _) if from.on_gpu => {
                let from = from.address + span.at(chunk.offset)[0];
                // SAFETY: the source stays valid until the transfer is complete, and the chunk's slots belong to it.
                let ticket = unsafe {
                    match span.rows(chunk.bytes, [here, from], [span.width, span.steps[0]]) {
                        Some(rows) => link.from_gpu.post_rows(control, &rows)?,
                        None => link.from_gpu.post(control, here as u64, from as u64, chunk.bytes)?,
                    }
                };
                return Ok(ticket.map(Step::Leaving));
            }
            (StageOp::Get(..), Some(far)) => {
                let far = RemoteAddr { at: far.at + chunk.offset as u64, ..far };
                // SAFETY: the chunk's slots belong to it until the get is complete.
                let ticket = unsafe { link.net()?.get(far, here, chunk.bytes)? };
                return Ok(Some(Step::Travelling(ticket)));
            }
            (StageOp::Word { bytes, value, op, .. }, Some(far)) => {
                return Ok(Some(Step::Travelling(link.net()?.change(far, *op, *bytes, *value)?)));
            }
            _ if !may_ask => return Ok(None),
            (StageOp::Put(from, _, span), _) => {
                let from = from.address + span.at(chunk.offset)[0];
                let rows = span.rows(chunk.bytes, [here, from], [span.width, span.steps[0]]);
                // SAFETY: the source stays valid until the transfer is complete; the chunk's slots belong to it and
                // have room for its bytes.
                unsafe {
                    if let Some(rows) = &rows {
                        copy_rows(rows);
                    }
                    if out.is_far() {
                        let from = if rows.is_some() { here } else { from };
                        return self.send(chunk, from, means).map(Some);
                    }
                    if rows.is_none() {
                        streaming::copy(with_exposed_provenance_mut(here), with_exposed_provenance(from), chunk.bytes);
                    }
                }
            }
            _ => {}
        }
        self.ask(chunk, means).map(Some)
    }

    /// Puts a chunk to the other node, and makes the request if it can come behind the put; there is room for a
    /// request.
    ///
    /// # Safety
    /// The source stays unchanged until the request is acknowledged.
    unsafe fn send(&mut self, chunk: &Chunk, from: usize, means: &mut Means<'_, '_>) -> Result<Step> {
        let link = &means.link;
        let (net, to) = (link.net()?, StageArea::inward_at(self.staged.pe, link.job.me(), chunk.slot));
        // SAFETY: the caller keeps the source unchanged.
        unsafe {
            if !net.is_ordered() {
                return Ok(Step::Crossing(net.put_to_arrive(to, from, chunk.bytes)?));
            }
            net.put(to, from, chunk.bytes)?;
        }
        self.ask(chunk, means)
    }

    /// Makes the request to the owner.
    fn ask(&mut self, chunk: &Chunk, means: &mut Means<'_, '_>) -> Result<Step> {
        let (mut at, mut rows) = (chunk.offset, (0, 0));
        if let StageOp::Put(.., span) | StageOp::Get(.., span) = self.staged.what {
            at = span.at(chunk.offset)[1];
            if chunk.bytes > span.width {
                rows = (span.steps[1] as u64, span.width as u64);
            }
        }
        let (kind, (value, condition)) = match self.staged.what {
            StageOp::Put(..) => (Kind::Put, rows),
            StageOp::Get(..) | StageOp::Load(..) | StageOp::Word { op: WordOp::Fetch, .. } => (Kind::Get, rows),
            StageOp::Word { op, value, condition, .. } => (Kind::Word(op), (value, condition)),
        };
        let to = self.staged.what.at();
        let (space, (range, offset)) = match to.segment {
            Segment::Gpu => (Space::Gpu, (0, to.offset.0)),
            Segment::Host => (Space::Host, (0, to.offset.0)),
            Segment::Globals => (Space::Globals, (0, to.offset.0)),
            Segment::RegisteredGpu => (Space::Registered, to.in_range()),
            Segment::Network | Segment::RegisteredHost => unreachable!("no owner changes it"),
        };
        let (at, bytes) = (offset + at as u64, chunk.bytes as u32);
        let request = Request { kind, slot: chunk.slot as u8, space: space as u8, range, at, bytes, value, condition };
        self.asked += chunk.bytes;
        means.ask(&request, matches!(self.staged.what, StageOp::Word { behind: true, .. }))
    }

    fn next_step(&mut self, chunk: &Chunk, means: &mut Means<'_, '_>) -> Result<Next> {
        let may_ask = means.may_ask();
        let Means { link, out, control, .. } = means;
        let here = out.chunk(chunk.slot);
        match chunk.step {
            Step::Leaving(ticket) if !link.from_gpu.is_complete(control, ticket) => Ok(Next::None),
            Step::Leaving(_) => match self.far {
                Some(far) => {
                    let to = RemoteAddr { at: far.at + chunk.offset as u64, ..far };
                    // SAFETY: the chunk's slots belong to it until the transfer is complete.
                    let ticket = unsafe { link.net()?.put_to_arrive(to, here, chunk.bytes)? };
                    Ok(Next::Step(Step::Travelling(ticket)))
                }
                None if !may_ask => Ok(Next::None),
                // SAFETY: the chunk's slots belong to it until the request is acknowledged.
                None if out.is_far() => unsafe { self.send(chunk, here, means) }.map(Next::Step),
                None => self.ask(chunk, means).map(Next::Step),
            },
            Step::Crossing(ticket) if !(may_ask && link.net()?.is_complete(ticket)?) => Ok(Next::None),
            Step::Crossing(_) => self.ask(chunk, means).map(Next::Step),
            Step::Requested(number) if !out.is_acknowledged(number) => Ok(Next::None),
            Step::Travelling(ticket) if !link.net()?.is_complete(ticket)? => Ok(Next::None),
            Step::Landing(ticket) => Ok(if link.to_gpu.is_complete(control, ticket) { Next::End } else { Next::None }),
            Step::Requested(_) | Step::Travelling(_) | Step::Arrived => self.land(chunk, here, link, control),
        }
    }

    /// Moves what was got to its destination. What was put has already arrived.
    fn land(&mut self, chunk: &Chunk, here: usize, link: &mut Link, control: &Control) -> Result<Next> {
        match &self.staged.what {
            StageOp::Put(..) => Ok(Next::End),
            StageOp::Word { to, op, .. } if !to.segment.is_gpu() || *op == WordOp::Set => Ok(Next::End),
            StageOp::Get(to, _, span) => {
                let address = to.address + span.at(chunk.offset)[0];
                let rows = span.rows(chunk.bytes, [address, here], [span.steps[0], span.width]);
                // SAFETY: the target belongs to the transfer until it is complete, and the chunk's slots to the chunk
                // until it has landed.
                let landing = unsafe {
                    match rows {
                        Some(rows) if to.on_gpu => link.to_gpu.post_rows(control, &rows)?,
                        None if to.on_gpu => link.to_gpu.post(control, address as u64, here as u64, chunk.bytes)?,
                        Some(rows) => {
                            copy_rows(&rows);
                            return Ok(Next::End);
                        }
                        None => {
                            let to = with_exposed_provenance_mut(address);
                            mapped::copy(to, with_exposed_provenance(here), chunk.bytes);
                            return Ok(Next::End);
                        }
                    }
                };
                Ok(Next::Step(landing.map_or(Step::Arrived, Step::Landing)))
            }
            StageOp::Load(..) | StageOp::Word { .. } => {
                let found = (&raw mut self.found).cast();
                // SAFETY: a word has at most eight bytes, and the chunk has as many.
                unsafe { mapped::copy(found, with_exposed_provenance(here), chunk.bytes) };
                Ok(Next::End)
            }
        }
    }
}

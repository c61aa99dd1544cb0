//! The side of the PE that has the GPU memory. All of it runs in that PE's proxy thread, which enqueues copies and
//! checks in later rounds whether they are complete. [`Channel::step`] starts a request: it enqueues the copy between
//! the chunk and the GPU on a copy lane or, for an aligned word of 4 or 8 bytes, the write of the word
//! ([`Channel::set`]). [`Channel::finish`] acknowledges what is complete, has the network copy the data of a
//! get to another node ([`Channel::answer`]), and changes words that come behind puts.

use super::copies::{Marks, Ticket};
use super::request::{self, Kind, Request, SPACES, Space};
use super::{Link, own};
use crate::error::Result;
use crate::job::{Job, Pe};
use crate::memory::{At, Memory, Pair, Remote, SLOT_BYTES, SLOTS, Segment, StageArea};
use crate::sync::control::Control;
use crate::transport::agent;
use crate::transport::mapped;
use cushmem_abi::WordOp;
use cushmem_gpu::Rows;
use std::collections::VecDeque;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::atomic::Ordering;

/// The requests of other PEs to this one.
pub(super) struct Owner {
    channels: Vec<Channel>,
}

/// The requests of one PE.
struct Channel {
    pe: Pe,
    /// The number of its next request.
    next: u64,
    under_way: VecDeque<UnderWay>,
    /// The last copies to the GPU that it requested.
    last_puts: Marks,
}

#[derive(Clone, Copy)]
struct UnderWay {
    number: u64,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    /// A copy to the GPU.
    Put(Ticket),
    /// A copy of this many bytes from the GPU to this chunk.
    Get(Ticket, u8, usize),
    /// A put of a get's data, on a network without order.
    Answer(u64),
    /// A word that changes once the GPU has completed these copies.
    Word(Marks, Word),
    /// A word that the GPU agent changes: the number of the change, and the chunk and width for the old value.
    Agent(u64, u8, usize),
}

#[derive(Clone, Copy)]
struct Word {
    address: u64,
    bytes: usize,
    value: u64,
    condition: u64,
    op: WordOp,
    on_host: bool,
    /// Memory of an allocator of the program, such as a pool: a stream cannot store into all such memory, so words are
    /// copied there.
    registered: bool,
    /// The chunk for the old value.
    slot: u8,
}

impl Owner {
    pub(super) fn new(job: &Job) -> Self {
        let channel = |pe| Channel { pe, next: 1, under_way: VecDeque::new(), last_puts: Marks::default() };
        Self { channels: job.pes().map(channel).collect() }
    }

    pub(super) fn progress(
        &mut self,
        link: &mut Link,
        area: &StageArea,
        memory: &Memory,
        control: &Control,
    ) -> Result<bool> {
        let mut moved = false;
        for channel in &mut self.channels {
            moved |= channel.take(link, area, memory, control)?;
            moved |= channel.finish(link, area, control)?;
        }
        Ok(moved)
    }
}

impl Channel {
    /// Starts the requests that have arrived.
    fn take(&mut self, link: &mut Link, area: &StageArea, memory: &Memory, control: &Control) -> Result<bool> {
        if !link.cards.has_met(self.pe) {
            return Ok(false);
        }
        let pair = own(area, link.job.me(), self.pe);
        let mut moved = false;
        while let Some(request) = Request::read(pair.request(self.next as usize % SLOTS), self.next) {
            let request = request.unwrap_or_else(|why| self.refuse(&link.job, &why));
            link.pin(pair, self.pe, 0)?;
            let Some(step) = self.step(&request, pair, link, memory, control)? else { break };
            self.under_way.push_back(UnderWay { number: self.next, step });
            self.next += 1;
            moved = true;
        }
        Ok(moved)
    }

    /// The first step of a request; `None` if there is no room for a copy at present.
    fn step(
        &mut self,
        request: &Request,
        pair: Pair<'_>,
        link: &mut Link,
        memory: &Memory,
        control: &Control,
    ) -> Result<Option<Step>> {
        let Request { kind, space, range, at, value, condition, .. } = *request;
        let (slot, bytes) = (usize::from(request.slot), request.bytes as usize);
        let Some(space) = SPACES.into_iter().find(|known| *known as u8 == space) else {
            self.refuse(&link.job, &format!("memory {space}"))
        };
        let on_host = matches!(space, Space::Host | Space::Globals);
        let is_copy = matches!(kind, Kind::Put | Kind::Get);
        let most = if is_copy { SLOTS.saturating_sub(slot) * SLOT_BYTES } else { size_of::<u64>() };
        if slot >= SLOTS || !(1..=most).contains(&bytes) || (is_copy && on_host) {
            self.refuse(&link.job, &format!("{request:?}"));
        }
        let rows = request.rows().filter(|(_, step, _)| *step <= Rows::MOST_STEP);
        let Some((width, step, count)) = rows else { self.refuse(&link.job, &format!("{request:?}")) };
        let span = usize::try_from((count - 1) * step + width).unwrap_or(usize::MAX);
        let Some(address) = place(memory, link.job.me(), (space, range), at, span) else {
            self.refuse(&link.job, &format!("{span} bytes at {at} of its {space:?} memory"))
        };
        let chunk = pair.inward(slot) as u64;
        let fits = matches!(bytes, 4 | 8) || matches!(bytes, 1 | 2) && kind == Kind::Word(WordOp::Set);
        if !(is_copy || fits && address.is_multiple_of(bytes as u64)) {
            self.refuse(&link.job, &format!("a word of {bytes} bytes at {at}"));
        }
        let registered = space == Space::Registered;
        let word = |op| Word { address, bytes, value, condition, op, on_host, registered, slot: request.slot };
        // SAFETY: the copy is between this PE's segment and a chunk that belongs to this request until it is
        // acknowledged.
        let copied = unsafe {
            match (kind, on_host) {
                (Kind::Put, _) if count == 1 && matches!(bytes, 4 | 8) && address.is_multiple_of(bytes as u64) => {
                    let mut value = 0u64;
                    let from = with_exposed_provenance(pair.inward(slot));
                    mapped::copy((&raw mut value).cast(), from, bytes);
                    // As a unit, because somebody may poll the word; a copy in rows would write it piece by piece.
                    return self.set(self.next, &Word { value, ..word(WordOp::Set) }, pair, link, control);
                }
                (Kind::Put, _) if count > 1 => {
                    let rows = Rows { dst: address, src: chunk, dst_step: step, src_step: width, width, count };
                    link.to_gpu.post_rows(control, &rows)?
                }
                (Kind::Put, _) => link.to_gpu.post(control, address, chunk, bytes)?,
                (Kind::Get, _) => {
                    let rows = Rows { dst: chunk, src: address, dst_step: width, src_step: step, width, count };
                    let ticket = match count {
                        1 => link.from_gpu.post(control, chunk, address, bytes)?,
                        _ => link.from_gpu.post_rows(control, &rows)?,
                    };
                    return Ok(ticket.map(|ticket| Step::Get(ticket, slot as u8, bytes)));
                }
                (Kind::Word(WordOp::Set), false) => {
                    let is_word = |earlier: &UnderWay| matches!(earlier.step, Step::Word(..) | Step::Agent(..));
                    if self.under_way.iter().any(is_word) || !link.to_gpu.short_lane_is_behind(control, &self.last_puts)
                    {
                        return Ok(Some(Step::Word(self.last_puts, word(WordOp::Set))));
                    }
                    return self.set(self.next, &word(WordOp::Set), pair, link, control);
                }
                (Kind::Word(op), _) => return Ok(Some(Step::Word(self.last_puts, word(op)))),
            }
        };
        Ok(copied.map(|ticket| self.put(ticket)))
    }

    fn put(&mut self, ticket: Ticket) -> Step {
        self.last_puts.note(ticket);
        Step::Put(ticket)
    }

    /// Sets a word of GPU memory; `None` if there is no room at present.
    fn set(
        &mut self,
        number: u64,
        word: &Word,
        pair: Pair<'_>,
        link: &mut Link,
        control: &Control,
    ) -> Result<Option<Step>> {
        let Word { address, bytes, value, registered, .. } = *word;
        // SAFETY: an aligned word of this PE's segment, as was checked; the value that is copied to it belongs to this
        // request until it is acknowledged.
        let ticket = unsafe {
            if bytes >= 4 && !registered {
                link.to_gpu.set(control, address, value, bytes)?
            } else {
                let from = pair.value(number as usize % SLOTS);
                // Relaxed: this thread enqueues the copy afterwards.
                from.store(value, Ordering::Relaxed);
                link.to_gpu.post_word(control, address, std::ptr::from_ref(from).expose_provenance() as u64, bytes)?
            }
        };
        Ok(ticket.map(|ticket| self.put(ticket)))
    }

    /// Acknowledges what is complete, in any order, except that a word comes after the puts and the words before it.
    fn finish(&mut self, link: &mut Link, area: &StageArea, control: &Control) -> Result<bool> {
        let pair = own(area, link.job.me(), self.pe);
        let (mut moved, mut word_waits, mut at) = (false, false, 0);
        while let Some(UnderWay { number, step }) = self.under_way.get(at).copied() {
            let ended = match step {
                Step::Put(ticket) => link.to_gpu.is_complete(control, ticket),
                Step::Get(ticket, ..) if !link.from_gpu.is_complete(control, ticket) => false,
                Step::Get(_, slot, bytes) => match self.answer(slot.into(), bytes, link, area)? {
                    Some(ticket) => {
                        (self.under_way[at].step, moved) = (Step::Answer(ticket), true);
                        false
                    }
                    None => true,
                },
                Step::Answer(ticket) => link.net()?.is_complete(ticket)?,
                Step::Word(behind, _) if word_waits || !link.to_gpu.are_complete(control, &behind) => {
                    word_waits = true;
                    false
                }
                Step::Word(_, Word { address, bytes, value, condition, op, on_host: true, .. }) => {
                    let word = with_exposed_provenance_mut(address as usize);
                    // SAFETY: an aligned word of symmetric host memory of this PE, as was checked.
                    unsafe { mapped::word_op(word, bytes, op, value, condition) };
                    true
                }
                Step::Word(_, Word { address, bytes, value, condition, op, slot, .. }) if op != WordOp::Set => {
                    let word = agent::Word::new(op, true, address, bytes, [value, condition]);
                    self.under_way[at].step = Step::Agent(link.changes.ask(word), slot, bytes);
                    (moved, word_waits) = (true, true);
                    false
                }
                Step::Agent(change, slot, bytes) => match link.changes.found(change) {
                    Some(found) => {
                        let chunk = with_exposed_provenance_mut(pair.inward(slot.into()));
                        // SAFETY: the chunk belongs to this request until it is acknowledged.
                        unsafe { mapped::copy(chunk, (&raw const found).cast(), bytes) };
                        match self.answer(slot.into(), bytes, link, area)? {
                            Some(ticket) => {
                                (self.under_way[at].step, moved) = (Step::Answer(ticket), true);
                                false
                            }
                            None => true,
                        }
                    }
                    None => {
                        word_waits = true;
                        false
                    }
                },
                Step::Word(_, word) => {
                    match self.set(number, &word, pair, link, control)? {
                        Some(step) => {
                            (self.under_way[at].step, moved) = (step, true);
                            // This word may be data that a later word has to come behind.
                            for later in self.under_way.range_mut(at + 1..) {
                                if let (Step::Word(behind, _), Step::Put(ticket)) = (&mut later.step, step) {
                                    behind.note(ticket);
                                }
                            }
                        }
                        None => word_waits = true,
                    }
                    false
                }
            };
            if ended {
                self.acknowledge(number, link, area)?;
                self.under_way.remove(at);
                moved = true;
            } else {
                at += 1;
            }
        }
        Ok(moved)
    }

    /// Puts the data of a get to another node. Returns `None` if the acknowledgement need not wait until they have
    /// arrived.
    fn answer(&self, slot: usize, bytes: usize, link: &Link, area: &StageArea) -> Result<Option<u64>> {
        let me = link.job.me();
        if area.pair(self.pe, me).is_some() {
            return Ok(None);
        }
        let (net, to, from) =
            (link.net()?, StageArea::outward_at(self.pe, me, slot), own(area, me, self.pe).inward(slot));
        // SAFETY: the chunk stays unchanged until the request is acknowledged and another one uses the slot.
        unsafe {
            if !net.is_ordered() {
                return net.put_to_arrive(to, from, bytes).map(Some);
            }
            net.put(to, from, bytes)?;
        }
        Ok(None)
    }

    fn acknowledge(&self, number: u64, link: &Link, area: &StageArea) -> Result<()> {
        let (me, line) = (link.job.me(), number as usize % SLOTS);
        match area.pair(self.pe, me) {
            Some(theirs) => request::acknowledge(theirs.ack(line), number),
            None => link.net()?.set(area.ack_at(self.pe, me, line), size_of::<u64>(), number)?,
        }
        Ok(())
    }

    #[cold]
    fn refuse(&self, job: &Job, what: &str) -> ! {
        let text = format!("PE {} asks for an invalid copy: {what}", self.pe.number());
        job.bootstrap().abort(1, &text)
    }
}

/// Where memory that another PE asks for is in this PE, if all of it exists.
fn place(memory: &Memory, me: Pe, (space, range): (Space, u32), at: u64, bytes: usize) -> Option<u64> {
    let is_below = |length| at.checked_add(bytes as u64).is_some_and(|end| end <= length);
    match space {
        Space::Gpu if !is_below(memory.gpu()?.bytes_here()) => return None,
        Space::Host if !is_below(memory.host().bytes()) => return None,
        _ => {}
    }
    let segment = match space {
        Space::Gpu => Segment::Gpu,
        Space::Host => Segment::Host,
        Space::Globals => Segment::Globals,
        Space::Registered => return memory.of_registration(range, at, bytes),
    };
    match memory.remote(At::new(segment, at), me) {
        // There may be gaps between parts of the globals.
        Remote::Near(address) if space == Space::Globals => {
            let found = memory.locate(address, bytes).is_ok_and(|found| found.segment == Segment::Globals);
            found.then_some(address as u64)
        }
        Remote::Near(address) => Some(address as u64),
        Remote::Device(address) => Some(address),
        _ => None,
    }
}

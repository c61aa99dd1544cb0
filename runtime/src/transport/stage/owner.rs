//! The side of the PE that has the GPU memory.

use super::request::{self, Kind, Request, SPACES, Space};
use super::{Link, own};
use crate::error::Result;
use crate::job::{Job, Pe};
use crate::memory::{At, CHUNK, Memory, Pair, Remote, SLOTS, Segment, StageArea};
use crate::sync::control::Control;
use crate::transport::{AmoOp, WordOp, mapped};
use std::collections::VecDeque;
use std::ptr::with_exposed_provenance_mut;
use std::sync::atomic::Ordering;

/// What other PEs ask of this one.
pub(super) struct Owner {
    channels: Vec<Channel>,
}

/// What one PE asks.
struct Channel {
    pe: Pe,
    /// The number of its next request.
    next: u64,
    under_way: VecDeque<UnderWay>,
    /// The last copy to the GPU that it asked for.
    last_put: u64,
}

struct UnderWay {
    number: u64,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    /// A copy to the GPU.
    Put(u64),
    /// A copy of so many bytes from the GPU to this chunk.
    Get(u64, u8, usize),
    /// A word of host memory that changes when the GPU has come to this copy.
    Word { behind: u64, address: usize, width: usize, op: WordOp, value: u64 },
}

impl Owner {
    pub(super) fn new(job: &Job) -> Self {
        let channel = |pe| Channel { pe, next: 1, under_way: VecDeque::new(), last_put: 0 };
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
    /// Begins what was asked for.
    fn take(&mut self, link: &mut Link, area: &StageArea, memory: &Memory, control: &Control) -> Result<bool> {
        let pair = own(area, link.job.me(), self.pe);
        let mut moved = false;
        while let Some(request) = Request::decode(request::load(pair.request(self.next as usize % SLOTS)), self.next) {
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
        let Request { kind, slot, space, at, bytes, value } = *request;
        let (slot, bytes) = (usize::from(slot), bytes as usize);
        let Some(space) = SPACES.into_iter().find(|known| *known as u8 == space) else {
            self.refuse(&link.job, &format!("memory {space}"))
        };
        let is_copy = matches!(kind, Kind::Put | Kind::Get);
        let most = if is_copy { CHUNK } else { size_of::<u64>() };
        if slot >= SLOTS || !(1..=most).contains(&bytes) || (is_copy && space != Space::Gpu) {
            self.refuse(&link.job, &format!("{request:?}"));
        }
        let Some(address) = place(memory, link.job.me(), space, at, bytes) else {
            self.refuse(&link.job, &format!("{bytes} bytes at {at} of its {space:?} memory"))
        };
        if !is_copy && (!matches!(bytes, 1 | 2 | 4 | 8) || !address.is_multiple_of(bytes as u64)) {
            self.refuse(&link.job, &format!("a word of {bytes} bytes at {at}"));
        }
        // SAFETY: what is copied lies in this PE's segment and in a chunk, or a word, that this request has until it is acknowledged.
        let copied = unsafe {
            match (kind, space) {
                (Kind::Put, _) => link.to_gpu.post(control, address, pair.inward(slot) as u64, bytes)?,
                (Kind::Get, _) => {
                    let ticket = link.from_gpu.post(control, pair.inward(slot) as u64, address, bytes)?;
                    return Ok(ticket.map(|ticket| Step::Get(ticket, slot as u8, bytes)));
                }
                (Kind::Set, Space::Gpu) if bytes >= 4 => link.to_gpu.set(control, address, value, bytes)?,
                (Kind::Set, Space::Gpu) => {
                    let word = pair.value(self.next as usize % SLOTS);
                    // Relaxed: the copy is enqueued afterwards, by this thread.
                    word.store(value, Ordering::Relaxed);
                    link.to_gpu.post(control, address, std::ptr::from_ref(word).expose_provenance() as u64, bytes)?
                }
                (Kind::Add, Space::Gpu) => self.refuse(&link.job, "an addition to GPU memory"),
                (Kind::Set | Kind::Add, Space::Host | Space::Globals) => {
                    let op = if kind == Kind::Set { WordOp::Set } else { WordOp::Update(AmoOp::Add) };
                    let (behind, address) = (self.last_put, address as usize);
                    return Ok(Some(Step::Word { behind, address, width: bytes, op, value }));
                }
            }
        };
        self.last_put = copied.unwrap_or(self.last_put);
        Ok(copied.map(Step::Put))
    }

    /// Acknowledges what is complete, in any order but that of words behind puts.
    fn finish(&mut self, link: &Link, area: &StageArea, control: &Control) -> Result<bool> {
        let mut moved = false;
        let mut at = 0;
        while let Some(UnderWay { number, step }) = self.under_way.get(at) {
            let (number, ready) = match *step {
                Step::Put(ticket) => (*number, link.to_gpu.has_come_to(control, ticket)),
                Step::Get(ticket, ..) => (*number, link.from_gpu.has_come_to(control, ticket)),
                Step::Word { behind, .. } => (*number, link.to_gpu.has_come_to(control, behind)),
            };
            if !ready {
                at += 1;
                continue;
            }
            if let Step::Word { address, width, op, value, .. } = *step {
                // SAFETY: a word of symmetric host memory of this PE, aligned, as was checked.
                unsafe { mapped::word_op(with_exposed_provenance_mut(address), width, op, value, 0) };
            }
            self.acknowledge(number, step, link, area)?;
            self.under_way.remove(at);
            moved = true;
        }
        Ok(moved)
    }

    fn acknowledge(&self, number: u64, step: &Step, link: &Link, area: &StageArea) -> Result<()> {
        let (me, line) = (link.job.me(), number as usize % SLOTS);
        if let Some(theirs) = area.pair(self.pe, me) {
            request::acknowledge(theirs.ack(line), number);
            return Ok(());
        }
        if let Step::Get(_, slot, bytes) = *step {
            let (slot, to) = (usize::from(slot), StageArea::outward_at(self.pe, me, slot.into()));
            // SAFETY: the chunk stays as it is until the request is acknowledged and another one uses the slot.
            unsafe { link.net()?.put(to, own(area, me, self.pe).inward(slot), bytes)? };
        }
        link.put_behind(StageArea::ack_at(self.pe, me, line), &number.to_ne_bytes())
    }

    #[cold]
    fn refuse(&self, job: &Job, what: &str) -> ! {
        let text = format!("PE {} asks for a copy that makes no sense: {what}", self.pe.number());
        job.bootstrap().abort(1, &text)
    }
}

/// Where this PE has memory that another one asks for, if all of it exists.
fn place(memory: &Memory, me: Pe, space: Space, at: u64, bytes: usize) -> Option<u64> {
    let (segment, length) = match space {
        Space::Gpu => (Segment::Gpu, memory.gpu()?.bytes_here()),
        Space::Host => (Segment::Host, memory.host().bytes()),
        Space::Globals => (Segment::Globals, memory.global_bytes()),
    };
    let fits = at.checked_add(bytes as u64).is_some_and(|end| end <= length);
    match memory.remote(At::new(segment, at), me) {
        Remote::Near(address) if fits => Some(address as u64),
        Remote::Device(address) if fits => Some(address),
        _ => None,
    }
}

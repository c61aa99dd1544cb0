//! Operations that are to take effect in one order, or in none: those of a lane to one peer, or all of a lane if the
//! profile has no order.

use crate::What;
use crate::amo;
use crate::copy::{from_shared, last_piece, piece_of};
use crate::faults::Part;
use crate::gate::Step;
use crate::memory::{Remote, between_processes};
use crate::wire::{Bytes, Late, Op, Wire};
use std::collections::VecDeque;
use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

/// How long bytes stay on their way that are complete already. Long enough for a caller to act on the completion.
const ON_THE_WAY: Duration = Duration::from_micros(3);
/// Bytes on their way at most: what finds no room is delivered before it is complete.
const MOST_ON_THE_WAY: usize = 4 << 20;
/// Operations on their way in a flow at most.
const MOST_LATE: usize = 256;
/// Operations of a flow that run before others have their turn.
const IN_A_TURN: usize = 16;
/// How long an atomic operation waits whose word another NIC has.
const TRY_AGAIN: Duration = Duration::from_micros(1);

/// See the top of the file.
#[derive(Default)]
pub(crate) struct Flow {
    /// In the order of their posts.
    fresh: VecDeque<Op>,
    /// In the order of their completion, which is that of the posts if the profile is ordered.
    late: VecDeque<Late>,
}

impl Flow {
    pub(crate) fn push(&mut self, op: Op) {
        self.fresh.push_back(op);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.late.is_empty()
    }

    /// When something is to be done next; `None`: never.
    pub(crate) fn next_due(&self, wire: &Wire) -> Option<Instant> {
        let (fresh, late) = (self.fresh.iter().map(|op| op.due), self.late.iter().map(|late| late.due));
        if wire.profile.ordered() { fresh.take(1).chain(late.take(1)).min() } else { fresh.chain(late).min() }
    }

    /// Executes and delivers what may run now, up to a piece of a long transfer; whether there was anything. Tells
    /// `complete` of each operation, and why it failed if it did.
    pub(crate) fn run(
        &mut self,
        wire: &mut Wire,
        now: Instant,
        mut complete: impl FnMut(u64, Result<(), (u32, String)>),
    ) -> bool {
        let mut ran = false;
        for _ in 0..IN_A_TURN {
            let Some(index) = self.next(wire, now).filter(|_| wire.gates.may(Step::Piece)) else { break };
            let Some(mut op) = self.fresh.remove(index) else { break };
            ran = true;
            match self.execute(&mut op, wire, now) {
                Ok(true) => complete(op.ticket, Ok(())),
                Ok(false) => {
                    self.fresh.insert(index, op);
                    break;
                }
                Err(why) => complete(op.ticket, Err((op.work.peer, why))),
            }
        }
        self.deliver_due(wire, now) || ran
    }

    /// The operation to execute: the oldest if there is an order, else the newest that is due.
    fn next(&self, wire: &Wire, now: Instant) -> Option<usize> {
        if wire.profile.ordered() {
            self.fresh.front().filter(|op| wire.is_due(op.due, now)).map(|_| 0)
        } else {
            self.fresh.iter().rposition(|op| wire.is_due(op.due, now))
        }
    }

    /// Executes an operation, or a piece of it; whether it is complete.
    fn execute(&mut self, op: &mut Op, wire: &mut Wire, now: Instant) -> Result<bool, String> {
        let remote = op.remote.clone()?;
        match &op.work.what {
            What::Put { from, .. } | What::Inline { from, .. } => {
                let from = std::ptr::with_exposed_provenance(*from);
                // SAFETY: the poster keeps the source valid until the operation is complete, and so does the slot with
                // few bytes, of which `admit` found no more than fit.
                unsafe { self.put(op, &remote, from, wire, now) }
            }
            What::Get { to, bytes } => {
                self.settle(wire);
                let start = last_piece(remote.address().addr(), op.left, piece_of(*bytes));
                let to = std::ptr::with_exposed_provenance_mut::<u8>(*to).wrapping_add(start);
                let there = remote.address().wrapping_add(start);
                // SAFETY: the range was checked; the poster keeps the other one valid and to itself.
                unsafe {
                    match remote.process() {
                        None => from_shared(to, there, op.left - start),
                        Some(pid) => between_processes(pid, there, to, op.left - start, false)?,
                    }
                }
                // SYNC(net-target) acquire: pairs with the release of whoever stored what was found; orders the gets
                // behind this one.
                fence(Ordering::Acquire);
                op.left = start;
                Ok(start == 0)
            }
            &What::Amo { op: change, width, operand, condition, to } => {
                let width = width as usize;
                self.settle(wire);
                let pause = || wire.pause();
                let change = |old| amo::changed(change, width, old, operand, condition);
                let Some(old) = amo::execute(&remote, width, change, pause)? else {
                    op.due = now + TRY_AGAIN;
                    return Ok(false);
                };
                if to != 0 {
                    let to = std::ptr::with_exposed_provenance_mut::<u8>(to);
                    // SAFETY: the poster keeps `width` bytes valid, and the word's bytes are the first of the number's
                    // on this processor.
                    unsafe { (&raw const old).cast::<u8>().copy_to_nonoverlapping(to, width) };
                }
                Ok(true)
            }
        }
    }

    /// Puts a piece; whether the put is complete.
    ///
    /// # Safety
    /// The source is readable.
    unsafe fn put(
        &mut self,
        op: &mut Op,
        remote: &Remote,
        from: *const u8,
        wire: &mut Wire,
        now: Instant,
    ) -> Result<bool, String> {
        let bytes = if let What::Put { bytes, .. } = op.work.what { bytes } else { op.left };
        let start = last_piece(remote.address().addr(), op.left, piece_of(bytes));
        let length = op.left - start;
        let room = self.late.len() < MOST_LATE && wire.on_the_way + length <= MOST_ON_THE_WAY;
        // What the system copies may fail, which is said while somebody listens.
        if start == 0 && wire.is_early(op.work.delivered) && room && remote.process().is_none() {
            // SAFETY: the caller guarantees the source.
            let bytes = unsafe { Bytes::copy(from, length) };
            let due = now + ON_THE_WAY + wire.faults.delay(wire.me, op.lane, op.ticket, Part::Deliver);
            self.late.push_back(Late { remote: remote.clone(), bytes, due });
            wire.on_the_way += length;
        } else {
            self.settle(wire);
            let (there, from) = (remote.address().wrapping_add(start), from.wrapping_add(start));
            // SAFETY: the caller guarantees the source, and the target was checked.
            unsafe {
                match remote.process() {
                    None => wire.store(there, from, length),
                    Some(pid) => between_processes(pid, there, from.cast_mut(), length, true)?,
                }
            }
        }
        op.left = start;
        Ok(start == 0)
    }

    /// Delivers what is on its way, before an operation takes effect that is ordered behind it.
    fn settle(&mut self, wire: &mut Wire) {
        if wire.profile.ordered() {
            self.late.drain(..).for_each(|late| wire.deliver(late));
        }
    }

    fn deliver_due(&mut self, wire: &mut Wire, now: Instant) -> bool {
        let before = self.late.len();
        if before == 0 || !wire.gates.may(Step::Deliver) {
            return false;
        }
        if wire.profile.ordered() {
            while let Some(late) = self.late.pop_front_if(|late| wire.is_due(late.due, now)) {
                wire.deliver(late);
            }
        } else {
            for index in (0..before).rev() {
                if wire.is_due(self.late[index].due, now)
                    && let Some(late) = self.late.swap_remove_back(index)
                {
                    wire.deliver(late);
                }
            }
        }
        self.late.len() < before
    }
}

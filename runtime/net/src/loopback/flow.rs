//! A flow: operations that take effect in one order, or in none. If the profile is ordered, a flow holds the operations
//! of a lane to one peer, otherwise all operations of a lane.

use crate::copy::{last_piece, piece_of, to_shared};
use crate::loopback::amo;
use crate::loopback::faults::Part;
use crate::loopback::gate::Step;
use crate::loopback::memory::{Remote, between_processes};
use crate::loopback::wire::{Bytes, Late, Op, Wire};
use crate::{Failure, Operation, Process};
use std::collections::VecDeque;
use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, Instant};

/// How long bytes of a put stay in flight after its completion: long enough for a caller to act on the completion.
const ON_THE_WAY: Duration = Duration::from_micros(3);
/// The maximum number of bytes in flight. Bytes that exceed it are delivered before their put is complete.
const MOST_ON_THE_WAY: usize = 4 << 20;
/// The maximum number of operations in flight in a flow.
const MOST_LATE: usize = 256;
/// Operations that a flow runs before others have their turn.
const IN_A_TURN: usize = 16;
/// How long an atomic operation waits if another NIC has locked its word.
const TRY_AGAIN: Duration = Duration::from_micros(1);

/// See the module's documentation.
#[derive(Default)]
pub(crate) struct Flow {
    /// In the order of their posts.
    fresh: VecDeque<Op>,
    /// In the order of their completion, which is the order of the posts if the profile is ordered.
    late: VecDeque<Late>,
    /// By peer: the ticket of the first operation that failed. Those behind it are not executed.
    failed: Vec<(u32, u64)>,
}

/// Whether it comes behind everything that was posted before it to its peer, on every network.
fn is_ordered(op: &Op) -> bool {
    matches!(
        op.work.operation,
        Operation::Put { ordered: true, .. }
            | Operation::Set { ordered: true, .. }
            | Operation::Inline { ordered: true, .. }
    )
}

impl Flow {
    pub(crate) fn push(&mut self, op: Op) {
        if op.remote.is_err() {
            self.stop(op.work.peer, op.ticket);
        }
        self.fresh.push_back(op);
    }

    /// Stops what is behind an operation that fails.
    fn stop(&mut self, peer: u32, ticket: u64) {
        match self.failed.iter_mut().find(|(other, _)| *other == peer) {
            Some((_, first)) => *first = ticket.min(*first),
            None => self.failed.push((peer, ticket)),
        }
    }

    /// Lets the operations for a peer fail that are not complete.
    pub(crate) fn lose(&mut self, peer: u32, why: &str) {
        let Some(first) = self.fresh.iter().position(|op| op.work.peer == peer) else { return };
        self.fresh[first].remote = Err(why.to_owned());
        for op in self.fresh.iter_mut().filter(|op| op.work.peer == peer) {
            op.is_silent = false;
            op.due = op.due.min(Instant::now());
        }
        self.stop(peer, self.fresh[first].ticket);
    }

    fn is_stopped(&self, op: &Op) -> bool {
        self.failed.iter().any(|(peer, ticket)| *peer == op.work.peer && *ticket < op.ticket)
    }

    /// The peer of this flow, if its operations need the peer to poll.
    fn polling_peer(&self, wire: &Wire) -> Option<u32> {
        let fresh = self.fresh.front().map(|op| op.work.peer);
        fresh.or(self.late.front().map(|late| late.peer)).filter(|_| wire.profile.target_polls())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.late.is_empty()
    }

    /// When there is something to do next, if ever.
    pub(crate) fn next_due(&self, wire: &Wire) -> Option<Instant> {
        if let Some(look) = self.polling_peer(wire).and_then(|peer| wire.targets.next_look(peer)) {
            return Some(look);
        }
        let (fresh, late) = (self.candidates(wire).map(|index| self.fresh[index].due), self.late.iter());
        let late = late.take(if wire.profile.ordered() { 1 } else { MOST_LATE }).map(|late| late.due);
        fresh.chain(late).min()
    }

    /// Executes and delivers what is due, up to one piece of a long transfer; returns whether there was anything.
    /// Reports each complete operation to `complete`, with the reason if it failed. One that was stopped by the failure
    /// of another has none.
    pub(crate) fn run(
        &mut self,
        wire: &mut Wire,
        now: Instant,
        mut complete: impl FnMut(u64, Result<(), Failure>),
    ) -> bool {
        match self.polling_peer(wire).map(|peer| (peer, wire.targets.look(peer, now))) {
            None | Some((_, Process::Runs)) => {}
            Some((_, Process::IsStopped)) => return false,
            Some((peer, Process::IsGone)) => self.lose(peer, "its process has ended"),
        }
        let mut ran = false;
        for _ in 0..IN_A_TURN {
            let Some(index) = self.next(wire, now).filter(|_| wire.gates.may(Step::Piece)) else { break };
            let Some(mut op) = self.fresh.remove(index) else { break };
            ran = true;
            if self.is_stopped(&op) {
                complete(op.ticket, Ok(()));
                continue;
            }
            match self.execute(&mut op, wire, now) {
                Ok(true) => complete(op.ticket, Ok(())),
                Ok(false) => {
                    self.fresh.insert(index, op);
                    break;
                }
                Err(why) => {
                    self.stop(op.work.peer, op.ticket);
                    complete(op.ticket, Err(op.work.failure(why)));
                }
            }
        }
        self.deliver_due(wire, now) || ran
    }

    /// The operation to execute.
    fn next(&self, wire: &Wire, now: Instant) -> Option<usize> {
        self.candidates(wire).find(|&index| wire.is_due(self.fresh[index].due, now))
    }

    /// The operations that may be executed next when they are due, the best one first. If the profile is ordered, it is
    /// the oldest, but for a put that may overtake the gets in front of it, and for words that may overtake anything;
    /// otherwise the newest. What is ordered comes behind everything that was posted before it to its peer.
    fn candidates(&self, wire: &Wire) -> impl Iterator<Item = usize> {
        let ordered = wire.profile.ordered();
        let is_get = |op: &Op| matches!(op.work.operation, Operation::Get { .. });
        let overtakes = ordered && wire.profile.overtakes_gets() && self.fresh.front().is_some_and(is_get);
        let first_other = if overtakes { self.fresh.iter().position(|op| !is_get(op)) } else { None };
        let is_free = |op: &Op| matches!(op.work.operation, Operation::Set { ordered: false, .. });
        let free = if ordered { self.fresh.iter().rposition(is_free) } else { None };
        let is_put = |index: &usize| {
            matches!(
                self.fresh[*index].work.operation,
                Operation::Put { ordered: false, .. } | Operation::Inline { ordered: false, .. }
            )
        };
        let newest = if ordered { self.fresh.len().min(1) } else { self.fresh.len() };
        let others = (0..newest).rev().filter(move |&index| ordered || self.may_come_next(&self.fresh[index]));
        free.into_iter().chain(first_other.filter(is_put)).chain(others).filter(|&index| !self.fresh[index].is_silent)
    }

    /// Whether no order keeps an operation behind another, on a network that has none but for what asks for it.
    fn may_come_next(&self, op: &Op) -> bool {
        let is_before = |other: &Op| other.work.peer == op.work.peer && other.ticket < op.ticket;
        !is_ordered(op) || !self.fresh.iter().any(is_before)
    }

    /// Executes an operation or a piece of it; returns whether it is complete.
    fn execute(&mut self, op: &mut Op, wire: &mut Wire, now: Instant) -> Result<bool, String> {
        let (remote, before) = wire.next_part(op)?;
        // In an ordered flow, what is in flight stays in order.
        if is_ordered(op) && !wire.profile.ordered() {
            while let Some(index) = self.late.iter().position(|late| late.peer == op.work.peer)
                && let Some(late) = self.late.remove(index)
            {
                wire.deliver(late);
            }
        }
        match &op.work.operation {
            Operation::Put { from, .. } | Operation::Inline { from, .. } => {
                let from = std::ptr::with_exposed_provenance(*from);
                // SAFETY: the poster keeps the source valid until the operation is complete. The source of an inline
                // put is in its slot, which stays valid as long, and `admit` has checked its length.
                unsafe { self.put(op, (&remote, before), from, wire, now) }
            }
            &Operation::Set { value, .. } => {
                // This processor is little-endian, so the word is in the first bytes.
                let from = (&raw const value).cast();
                // SAFETY: the source is this variable.
                unsafe { self.put(op, (&remote, before), from, wire, now) }
            }
            Operation::Get { to, bytes } => {
                self.settle(wire);
                let start = before + last_piece(remote.address().addr(), op.left - before, piece_of(*bytes));
                let to = std::ptr::with_exposed_provenance_mut::<u8>(*to).wrapping_add(start);
                let there = remote.address().wrapping_add(start - before);
                // SAFETY: the remote range was checked; the poster keeps the local one valid and does not share it.
                unsafe {
                    match remote.process() {
                        None => wire.load(to, there, op.left - start, wire.cut(op, op.left - start)),
                        Some(pid) => between_processes(pid, there, to, op.left - start, false)?,
                    }
                }
                // SYNC(net-target) acquire: pairs with the release of whoever stored the bytes; orders the gets that
                // follow this one.
                fence(Ordering::Acquire);
                op.left = start;
                Ok(start == 0)
            }
            &Operation::Amo { op: change, width, operand, condition, to } => {
                let width = width as usize;
                self.settle(wire);
                let pause = || wire.pause();
                let change = |old| change.changed(width, old, operand, condition);
                let Some(old) = amo::execute(&remote, width, change, pause)? else {
                    op.due = now + TRY_AGAIN;
                    wire.retries += 1;
                    return Ok(false);
                };
                if to != 0 {
                    let to = std::ptr::with_exposed_provenance_mut::<u8>(to);
                    // SAFETY: the poster keeps `width` bytes valid. This processor is little-endian, so the word is in
                    // the first `width` bytes of `old`.
                    unsafe { to_shared(to, (&raw const old).cast(), width) };
                }
                Ok(true)
            }
        }
    }

    /// Puts a part of the bytes at `remote`, in front of which the operation has `before` others; returns whether the
    /// put is complete.
    ///
    /// # Safety
    /// The source is readable.
    unsafe fn put(
        &mut self,
        op: &mut Op,
        (remote, before): (&Remote, usize),
        from: *const u8,
        wire: &mut Wire,
        now: Instant,
    ) -> Result<bool, String> {
        let bytes = if let Operation::Put { bytes, .. } = op.work.operation { bytes } else { op.left };
        let start = before + last_piece(remote.address().addr(), op.left - before, piece_of(bytes));
        let length = op.left - start;
        let room = self.late.len() < MOST_LATE && wire.on_the_way + length <= MOST_ON_THE_WAY;
        // A copy that the system makes can fail, and the failure must be reported before the put is complete.
        if start == 0 && wire.is_early(op.work.delivery_complete) && room && remote.process().is_none() {
            // SAFETY: the caller guarantees the source.
            let bytes = unsafe { Bytes::copy(from, length) };
            let due = now + ON_THE_WAY + wire.faults.delay(wire.me, op.lane, op.ticket, Part::Deliver);
            let cut = wire.cut(op, length);
            self.late.push_back(Late { peer: op.work.peer, remote: remote.clone(), bytes, cut, due });
            wire.on_the_way += length;
        } else {
            self.settle(wire);
            let (there, from) = (remote.address().wrapping_add(start - before), from.wrapping_add(start));
            // SAFETY: the caller guarantees the source, and the target was checked.
            unsafe {
                match remote.process() {
                    None => wire.store(there, from, length, wire.cut(op, length)),
                    Some(pid) => between_processes(pid, there, from.cast_mut(), length, true)?,
                }
            }
        }
        op.left = start;
        Ok(start == 0)
    }

    /// Delivers everything in flight, before an operation that is ordered behind it takes effect.
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

//! The connection to a peer, and the requests on it.

use crate::verbs::listener::Dial;
use crate::verbs::queue::Queue;
use crate::verbs::sys::*;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// Of a long row of requests that are posted together, each of so many reports its completion, and so does the last.
const SIGNALLED: usize = 16;

/// A request that is to be posted, or was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// The operation that it belongs to.
    pub(super) operation: usize,
    pub(super) opcode: i32,
    /// A fence, or that its bytes travel with it.
    pub(super) flags: i32,
    pub(super) address: usize,
    pub(super) bytes: usize,
    pub(super) local_key: u32,
    pub(super) there: u64,
    pub(super) key: u32,
    /// For atomic operations: what is compared or added, and what is stored.
    pub(super) compare_add: u64,
    pub(super) swap: u64,
}

/// The connection to a peer.
pub(super) struct Link {
    peer: u32,
    pub(super) queue: Queue,
    /// While the peer is being asked.
    pub(super) dial: Option<Dial>,
    /// What was not given to the device yet.
    pub(super) pending: VecDeque<Request>,
    /// What the device has: the number of each request, and its operation. The device ends them in this order.
    under_way: VecDeque<(u32, usize)>,
    next: u32,
    /// Since when the device has had no room although it had nothing of this link.
    full: Option<Instant>,
}

impl Link {
    pub(super) fn new(peer: u32, queue: Queue, dial: Dial) -> Self {
        Self {
            peer,
            queue,
            dial: Some(dial),
            pending: VecDeque::new(),
            under_way: VecDeque::new(),
            next: 0,
            full: None,
        }
    }

    /// How many requests it has.
    pub(super) fn requests(&self) -> usize {
        self.pending.len() + self.under_way.len()
    }

    /// Takes the queue pair away; returns the operations of the requests that the device had, one for each.
    pub(super) fn end(self) -> Vec<usize> {
        let Self { queue, pending, under_way, .. } = self;
        debug_assert!(pending.is_empty(), "they were dropped before");
        drop(queue);
        under_way.into_iter().map(|(_, operation)| operation).collect()
    }

    /// Gives what is pending to the device, with one doorbell. What it has no room for now stays. `wrs` and `parts` are
    /// only kept so that nothing is allocated. A device that has no room although nothing of this link is under way is
    /// asked again for as long as `patience`: no completion of the link will make room.
    ///
    /// *Which report their completion.* The device ends requests in order, so the completion of one says that those in
    /// front of it are complete. The last one of each row reports it, so each request is reported at the end, and one
    /// in [`SIGNALLED`] of a long row. If the device takes only a part of a row, up to [`SIGNALLED`] requests at the
    /// end of that part report nothing, until the rest is posted, which the next poll tries again. If their peer is
    /// lost before that, the queue pair is taken away in the end.
    ///
    /// # Safety
    /// The memory of the requests is valid until their completion.
    pub(super) unsafe fn post(
        &mut self,
        wrs: &mut Vec<ibv_send_wr>,
        parts: &mut Vec<ibv_sge>,
        patience: Duration,
    ) -> Result<(), String> {
        wrs.clear();
        parts.clear();
        let count = self.pending.len();
        parts.extend(self.pending.iter().map(|request| ibv_sge {
            addr: request.address as u64,
            length: request.bytes as u32,
            lkey: request.local_key,
        }));
        let parts = parts.as_mut_ptr();
        for (at, request) in self.pending.iter().enumerate() {
            let reports = at + 1 == count || (at + 1).is_multiple_of(SIGNALLED);
            let is_atomic = matches!(request.opcode, IBV_WR_ATOMIC_CMP_AND_SWP | IBV_WR_ATOMIC_FETCH_AND_ADD);
            let Request { there, key, compare_add, swap, .. } = *request;
            wrs.push(ibv_send_wr {
                wr_id: u64::from(self.peer) << 32 | u64::from(self.next.wrapping_add(at as u32)),
                next: std::ptr::null_mut(),
                sg_list: parts.wrapping_add(at),
                num_sge: 1,
                opcode: request.opcode,
                send_flags: request.flags | if reports { IBV_SEND_SIGNALED } else { 0 },
                imm_data: 0,
                wr: if is_atomic {
                    wr { atomic: atomic { remote_addr: there, compare_add, swap, rkey: key } }
                } else {
                    wr { rdma: rdma { remote_addr: there, rkey: key } }
                },
                others: [0; 7],
            });
        }
        let start = wrs.as_mut_ptr();
        for (at, request) in wrs.iter_mut().enumerate().take(count.saturating_sub(1)) {
            request.next = start.wrapping_add(at + 1);
        }
        // SAFETY: the caller guarantees the memory, and the parts outlive the call.
        let (taken, error) = match unsafe { self.queue.post(wrs) } {
            Ok(taken) => (taken, None),
            Err((taken, error)) => (taken, Some(error)),
        };
        for request in self.pending.drain(..taken) {
            self.under_way.push_back((self.next, request.operation));
            self.next = self.next.wrapping_add(1);
        }
        let Some(error) = error else {
            self.full = None;
            return Ok(());
        };
        if !is_full(&error) {
            return Err(format!("the device refuses it: {error}"));
        }
        if !self.under_way.is_empty() {
            self.full = None;
            return Ok(());
        }
        let since = self.full.get_or_insert_with(Instant::now).elapsed();
        if since < patience {
            return Ok(());
        }
        let seconds = since.as_secs_f64();
        Err(format!("the device has had no room for {seconds:.1} s, with nothing under way to the peer: {error}"))
    }

    /// The operations of the requests in front of the one with this number, and that of the one itself, all of which
    /// are over.
    pub(super) fn retire(&mut self, number: u32, mut over: impl FnMut(usize, bool)) {
        if !self.under_way.iter().any(|(other, _)| *other == number) {
            return;
        }
        while let Some((other, operation)) = self.under_way.pop_front() {
            over(operation, other == number);
            if other == number {
                return;
            }
        }
    }
}

/// The peer of a request, and its number on the link to that peer. No two queue pairs lead to one peer, one after the
/// other either, and only what is posted to them is ever complete.
pub(super) fn owner(wr_id: u64) -> (u32, u32) {
    ((wr_id >> 32) as u32, wr_id as u32)
}

/// Whether the device only has no room now.
fn is_full(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOMEM | libc::ENOSPC | libc::EAGAIN))
}

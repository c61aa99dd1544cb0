//! Lanes, where threads post operations and learn which ones are complete.

use crate::driver::Shared;
use crate::ring::Ring;
use crate::{Failure, Posted, UnderWay, Work};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A queue of operations with an order of its own, like one queue pair to each peer. Any thread may post. Once the
/// [`Nic`](crate::Nic) is dropped, nothing that is posted is executed.
pub struct Lane {
    ring: Arc<Ring>,
    shared: Arc<Shared>,
}

impl Lane {
    pub(crate) fn new(ring: Arc<Ring>, shared: Arc<Shared>) -> Self {
        Self { ring, shared }
    }

    /// Posts an operation and returns before it is executed. Never waits.
    ///
    /// # Safety
    /// The addresses in the work are valid for the number of bytes that it gives: the source of an inline put now, all
    /// others until the ticket is complete. Nobody else uses memory that a get or an AMO writes. If the peer was lost
    /// before ([`Nic::lost`](crate::Nic::lost)), all this holds until the [`Nic`](crate::Nic) is dropped.
    #[inline]
    pub unsafe fn post(&self, work: Work) -> Posted {
        // SAFETY: the caller guarantees the source.
        let Some(ticket) = (unsafe { self.ring.post(work) }) else { return Posted::Again };
        self.shared.note_post(self.ring.number);
        Posted::Ticket(ticket)
    }

    /// Lets the network work, on all lanes. A thread that waits calls this between two looks: the thread of the NIC
    /// stands by as long as somebody does. Does nothing while another thread does it.
    #[inline]
    pub fn poll(&self) {
        self.shared.poll();
    }

    /// The last ticket that was issued.
    #[inline]
    pub fn posted(&self) -> u64 {
        self.ring.posted()
    }

    /// The ticket up to which all operations are complete. Failed operations count as complete.
    #[inline]
    pub fn done(&self) -> u64 {
        self.ring.done()
    }

    /// The peers of operations that are not complete, in the order of their numbers, for people. Not to be called
    /// often.
    pub fn waits_for(&self) -> Vec<u32> {
        let own = |operation: &UnderWay| operation.tag.lane == self.ring.number;
        let under_way = self.shared.lock().under_way();
        let peers: BTreeSet<u32> = under_way.iter().filter(|operation| own(operation)).map(|it| it.peer).collect();
        peers.into_iter().collect()
    }

    /// The first failure on the lane. It is visible once its operation is complete.
    #[inline]
    pub fn failure(&self) -> Option<&Failure> {
        self.ring.failure()
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.ring.abandon();
    }
}

//! The PEs of a job that a server keeps together, and their connections to it.

use crate::rendezvous::Rendezvous;
use crate::socket::{MessageSocket, Progress};
use crate::wire::Message;

/// The PEs of a job.
pub(crate) struct Members<S> {
    pub(crate) rendezvous: Rendezvous,
    pub(crate) rounds: Vec<Connected<S>>,
    pub(crate) lifelines: Vec<Connected<S>>,
    /// Whether the lifelines have been told that all PEs have finalized.
    pub(crate) is_over: bool,
}

/// One of a PE's connections.
pub(crate) enum Connected<S> {
    Not,
    By(S),
    NoLonger,
}

impl<S> Connected<S> {
    pub(crate) fn socket(&self) -> Option<&S> {
        match self {
            Connected::By(socket) => Some(socket),
            _ => None,
        }
    }
}

impl<S: MessageSocket> Members<S> {
    pub(crate) fn new(n_pes: u32, job_id: &str) -> Self {
        let places: Vec<u32> = (0..n_pes).collect();
        let none = || (0..n_pes).map(|_| Connected::Not).collect();
        // A PE finds out on its own whether its node has fewer hardware threads than PEs.
        let rendezvous = Rendezvous::new(&places, job_id, false);
        Members { rendezvous, rounds: none(), lifelines: none(), is_over: false }
    }

    pub(crate) fn n_pes(&self) -> u32 {
        self.rounds.len() as u32
    }

    /// Sends what the rendezvous has for this PE, as far as its socket accepts it. True if something is left.
    pub(crate) fn send(&mut self, pe: u32) -> bool {
        let Some(socket) = self.rounds[pe as usize].socket() else { return false };
        while let Some(message) = self.rendezvous.next_outgoing(pe) {
            match socket.try_send(message.bytes(), message.descriptor()) {
                Ok(Progress::Done(())) => self.rendezvous.sent(pe),
                // A closed connection is handled when it is read from. Any other error may be temporary.
                Ok(Progress::Closed) => return false,
                Ok(Progress::WouldBlock) | Err(_) => return true,
            }
        }
        matches!(socket.try_flush(), Ok(Progress::WouldBlock))
    }

    /// Sends a message over a lifeline. Lifelines carry so little that only a dying process fails to take a message.
    pub(crate) fn tell(&mut self, pe: u32, message: &Message<'_>) {
        if let Some(socket) = self.lifelines[pe as usize].socket() {
            let _ = socket.try_send(&message.encode(), None);
        }
    }

    /// Whether the rendezvous still has messages for PEs that are connected.
    pub(crate) fn has_unsent(&self) -> bool {
        (0..self.n_pes()).any(|pe| self.wants_to_send(pe))
    }

    pub(crate) fn wants_to_send(&self, pe: u32) -> bool {
        self.rounds[pe as usize].socket().is_some_and(|socket| {
            self.rendezvous.next_outgoing(pe).is_some() || matches!(socket.try_flush(), Ok(Progress::WouldBlock))
        })
    }

    /// Whether all PEs have finalized and know it, so that the sockets are no longer needed.
    pub(crate) fn is_done(&self) -> bool {
        // A lifeline may arrive later than what the PE sends after it.
        let is_missing = |lifeline: &Connected<S>| matches!(lifeline, Connected::Not);
        self.is_over && !self.has_unsent() && !self.lifelines.iter().any(is_missing)
    }

    pub(crate) fn have_all_left(&self) -> bool {
        self.rounds.iter().all(|socket| matches!(socket, Connected::NoLonger))
    }
}

//! The launcher's side of the rendezvous, as a state machine that does no I/O of its own.
//!
//! The launcher's event loop feeds it the messages of each PE ([`Rendezvous::receive`]) and the ends of processes
//! ([`Rendezvous::ended`]), and sends what it finds in each PE's queue ([`Rendezvous::next_outgoing`]) as the sockets
//! accept it. A stopped PE therefore fills only its own queue. That queue is bounded, for two reasons: no round can
//! complete without the PE, so the queue holds at most the answers of one round; and a PE that calls or asks again
//! before it has taken the last answer gets no other.
//!
//! At most one round is open at a time, because a PE takes part in the next round only after its last PE has arrived in
//! the current one. The first contribution opens a round and fixes its kind and tag. A PE that calls something else
//! breaks the rendezvous: the PEs no longer agree on what comes next, so from then on every call of every PE is
//! refused, with the same reason.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::Instant;

use crate::error::PeList;
use crate::virtual_nodes::split;
use crate::wire::{Message, MessageKind, pack};

/// How a PE has ended for the others, which join again after the last finalize.
const NOT_AGAIN: &str = "without joining the job again";

/// How far a PE has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Its library has not sent a hello. The program may not use the library at all.
    Silent,
    /// It has joined the job.
    Joined,
    /// It has completed finalize, together with all other PEs. It may join again, with all of them.
    Finalized,
}

/// What the launcher has to do in response to a message.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Nothing beyond sending what is queued.
    Nothing,
    /// The PE wants the job to end.
    Abort {
        /// The exit status that the PE asks for.
        code: i32,
        /// Its message.
        message: String,
    },
}

/// A message on its way to a PE.
#[derive(Debug, Clone)]
pub struct Outgoing {
    bytes: Rc<[u8]>,
    descriptor: Option<Rc<OwnedFd>>,
}

impl Outgoing {
    fn new(message: &Message<'_>, descriptor: Option<Rc<OwnedFd>>) -> Outgoing {
        Outgoing { bytes: message.encode().into(), descriptor }
    }

    /// The bytes to send.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The descriptor to send with them.
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.descriptor.as_ref().map(|fd| fd.as_fd())
    }
}

#[derive(Debug)]
struct Peer {
    place: u32,
    stage: Stage,
    has_ended: bool,
    outgoing: VecDeque<Outgoing>,
}

#[derive(Debug)]
struct Round {
    kind: MessageKind,
    tag: String,
    opener: u32,
    last_arrival: Instant,
    /// Indexed by PE.
    arrived: Vec<Option<Arrived>>,
}

/// A PE's contribution to a round.
#[derive(Debug, Clone)]
struct Arrived {
    bytes: Vec<u8>,
    descriptor: Option<Rc<OwnedFd>>,
}

impl Arrived {
    /// What a PE gets of it that is on the same node or is not.
    fn within(&self, same_node: bool) -> Self {
        Self { bytes: self.bytes.clone(), descriptor: self.descriptor.clone().filter(|_| same_node) }
    }
}

impl Round {
    /// The PEs that have not arrived.
    fn missing(&self) -> Vec<u32> {
        (0u32..).zip(&self.arrived).filter(|(_, arrived)| arrived.is_none()).map(|(pe, _)| pe).collect()
    }
}

/// The answers of an allgather, which all PEs of a node get. A contribution that is large or has a descriptor travels
/// in a message of its own; the others are packed, as many to a message as fit.
fn pieces(seq: u64, arrived: &[Arrived]) -> Vec<Outgoing> {
    let mut answers = Vec::new();
    let mut at = 0;
    while let Some(next) = arrived.get(at) {
        let without = arrived[at..].iter().take_while(|piece| piece.descriptor.is_none());
        let (count, body) = pack(without.map(|piece| piece.bytes.as_slice()));
        let pe = at as u32;
        answers.push(if count > 1 {
            let message = Message { pe, value: count, body: &body, ..Message::new(MessageKind::Pieces, seq) };
            Outgoing::new(&message, None)
        } else {
            let has_descriptor = next.descriptor.is_some();
            let message = Message { pe, has_descriptor, body: &next.bytes, ..Message::new(MessageKind::Piece, seq) };
            Outgoing::new(&message, next.descriptor.clone())
        });
        at += count.max(1) as usize;
    }
    answers
}

/// The state of the rendezvous of one job.
#[derive(Debug)]
pub struct Rendezvous {
    job_id: String,
    oversubscribed: bool,
    /// The number of virtual nodes. Descriptors do not leave theirs.
    nodes: u32,
    peers: Vec<Peer>,
    /// Number of the open round, or of the next one to open.
    seq: u64,
    round: Option<Round>,
    broken: Option<String>,
}

impl Rendezvous {
    /// The rendezvous of a job with one PE for each of `places`; each PE is told its own place. Each must present
    /// `job_id`.
    pub fn new(places: &[u32], job_id: &str, oversubscribed: bool) -> Self {
        let peer =
            |place: &u32| Peer { place: *place, stage: Stage::Silent, has_ended: false, outgoing: VecDeque::new() };
        Rendezvous {
            job_id: job_id.to_string(),
            oversubscribed,
            nodes: 1,
            peers: places.iter().map(peer).collect(),
            seq: 1,
            round: None,
            broken: None,
        }
    }

    /// The rendezvous of a job on this many virtual nodes: a descriptor goes only to the PEs of the node that it is
    /// from.
    pub fn on_nodes(self, nodes: u32) -> Self {
        Rendezvous { nodes, ..self }
    }

    /// How far the PE has come.
    pub fn stage(&self, pe: u32) -> Stage {
        self.peers[pe as usize].stage
    }

    /// The next message for the PE, if any; [`Self::sent`] removes it.
    pub fn next_outgoing(&self, pe: u32) -> Option<&Outgoing> {
        self.peers[pe as usize].outgoing.front()
    }

    /// Removes the message that [`Self::next_outgoing`] returned.
    pub fn sent(&mut self, pe: u32) {
        self.peers[pe as usize].outgoing.pop_front();
    }

    /// Takes a message from a PE. `lost` says that a descriptor came with it for which this process had no room. The
    /// error describes how the PE broke the protocol.
    pub fn receive(
        &mut self,
        pe: u32,
        bytes: &[u8],
        mut descriptors: Vec<OwnedFd>,
        lost: bool,
    ) -> Result<Request, String> {
        // No message carries more than one.
        let message = Message::decode(bytes, descriptors.len().max(lost.into())).map_err(|error| error.to_string())?;
        let stage = self.stage(pe);
        match (message.kind, stage) {
            (MessageKind::Hello, Stage::Silent) => self.hello(pe, &message)?,
            // Only the process that took part in the last round knows its number.
            (MessageKind::Hello, Stage::Finalized) if message.seq == self.seq => self.hello(pe, &message)?,
            (MessageKind::Hello, _) => {
                // A second process of the PE is using an inherited copy of the socket: the answer could go to the
                // first.
                return Err("it joined twice: only one process of a PE can use the library".into());
            }
            (MessageKind::Gather | MessageKind::Fence | MessageKind::Finalize, Stage::Joined) => {
                self.arrive(pe, &message, descriptors.pop())?;
            }
            // The last round may complete while the question is on its way.
            (MessageKind::WhoIsLate, Stage::Joined | Stage::Finalized) => self.tell_who_is_late(pe, message.seq),
            (MessageKind::Abort, Stage::Joined | Stage::Finalized) => {
                let text = String::from_utf8_lossy(message.body).into_owned();
                return Ok(Request::Abort { code: message.value.cast_signed(), message: text });
            }
            (kind, stage) => return Err(format!("a message of kind {kind:?} from a PE that is {stage:?}")),
        }
        Ok(Request::Nothing)
    }

    /// Records that the PE's process has ended: a round that still needs it can never complete.
    pub fn ended(&mut self, pe: u32) {
        let peer = &mut self.peers[pe as usize];
        peer.has_ended = true;
        peer.outgoing.clear();
        let how = match self.stage(pe) {
            Stage::Silent => "without joining the job",
            Stage::Joined => "without finalize",
            Stage::Finalized if self.peers.iter().any(|peer| peer.stage == Stage::Joined) => NOT_AGAIN,
            Stage::Finalized => return,
        };
        self.break_with(format!("PE {pe} has ended {how}"));
    }

    fn hello(&mut self, pe: u32, message: &Message<'_>) -> Result<(), String> {
        if message.body != self.job_id.as_bytes() {
            return Err("it presented another job's identifier".into());
        }
        if self.stage(pe) == Stage::Finalized
            && let Some(gone) = self.peers.iter().position(|peer| peer.has_ended)
        {
            self.break_with(format!("PE {gone} has ended {NOT_AGAIN}"));
        }
        self.peers[pe as usize].stage = Stage::Joined;
        let welcome = Message {
            pe,
            value: self.peers.len() as u32,
            oversubscribed: self.oversubscribed,
            body: &self.peers[pe as usize].place.to_le_bytes(),
            ..Message::new(MessageKind::Welcome, 0)
        };
        self.queue(pe, &welcome);
        Ok(())
    }

    fn arrive(&mut self, pe: u32, message: &Message<'_>, descriptor: Option<OwnedFd>) -> Result<(), String> {
        if self.next_outgoing(pe).is_some() {
            return Err("it made another call before it had read the reply to its last one".into());
        }
        if let Some(reason) = self.broken.clone() {
            self.refuse(pe, message.seq, &reason);
            return Ok(());
        }
        if message.seq != self.seq {
            return Err(format!("it is in round {} while the job is in round {}", message.seq, self.seq));
        }
        let n_pes = self.peers.len();
        let round = self.round.get_or_insert_with(|| Round {
            kind: message.kind,
            tag: message.tag.to_string(),
            opener: pe,
            last_arrival: Instant::now(),
            arrived: vec![None; n_pes],
        });
        if round.arrived[pe as usize].is_some() {
            return Err(format!("it arrived twice in round {}", message.seq));
        }
        round.last_arrival = Instant::now();
        let is_lost = message.has_descriptor && descriptor.is_none();
        round.arrived[pe as usize] =
            Some(Arrived { bytes: message.body.to_vec(), descriptor: descriptor.map(Rc::new) });
        if round.kind != message.kind || round.tag != message.tag {
            let reason = format!(
                "PE {} called {} '{}' while PE {pe} called {} '{}'",
                round.opener,
                round.kind.word(),
                round.tag,
                message.kind.word(),
                message.tag
            );
            self.break_with(reason);
        } else if is_lost {
            self.break_with(format!(
                "the process that keeps the job together cannot receive a file descriptor of PE {pe}: it cannot open \
                 more files (ulimit -n)"
            ));
        } else if round.arrived.iter().all(Option::is_some) {
            self.complete();
        }
        Ok(())
    }

    /// Queues the answers for all PEs and closes the round.
    fn complete(&mut self) {
        let Some(round) = self.round.take() else { return };
        let n_pes = self.peers.len() as u32;
        let of_node: Vec<u32> = self.peers.iter().map(|peer| split(peer.place, n_pes, self.nodes).0).collect();
        let arrived: Vec<_> = round.arrived.into_iter().flatten().collect();
        let answers: Vec<Vec<Outgoing>> = match round.kind {
            MessageKind::Gather if arrived.iter().any(|piece| piece.descriptor.is_some()) => {
                let for_node =
                    |node| arrived.iter().zip(&of_node).map(move |(piece, from)| piece.within(*from == node));
                (0..self.nodes).map(|node| pieces(self.seq, &for_node(node).collect::<Vec<_>>())).collect()
            }
            MessageKind::Gather => vec![pieces(self.seq, &arrived)],
            _ => vec![vec![Outgoing::new(&Message::new(MessageKind::Done, self.seq), None)]],
        };
        for (peer, node) in self.peers.iter_mut().zip(of_node).filter(|(peer, _)| !peer.has_ended) {
            peer.outgoing.extend(answers[(node as usize).min(answers.len() - 1)].iter().cloned());
            if round.kind == MessageKind::Finalize {
                peer.stage = Stage::Finalized;
            }
        }
        self.seq += 1;
    }

    /// Refuses the open round to the PEs that wait in it, and refuses every later call.
    fn break_with(&mut self, reason: String) {
        if let Some(round) = self.round.take() {
            for pe in (0..self.peers.len() as u32).filter(|pe| round.arrived[*pe as usize].is_some()) {
                self.refuse(pe, self.seq, &reason);
            }
        }
        self.broken.get_or_insert(reason);
    }

    fn refuse(&mut self, pe: u32, seq: u64, reason: &str) {
        self.queue(pe, &Message { body: reason.as_bytes(), ..Message::new(MessageKind::Refused, seq) });
    }

    fn tell_who_is_late(&mut self, pe: u32, seq: u64) {
        // If the round is over, or the PE has already asked, an answer is on its way.
        let Some(round) = self.round.as_ref().filter(|_| seq == self.seq && self.next_outgoing(pe).is_none()) else {
            return;
        };
        let late: Vec<u8> = round.missing().into_iter().flat_map(u32::to_le_bytes).collect();
        let value = u32::try_from(round.last_arrival.elapsed().as_millis()).unwrap_or(u32::MAX);
        self.queue(pe, &Message { value, body: &late, ..Message::new(MessageKind::Late, seq) });
    }

    fn queue(&mut self, pe: u32, message: &Message<'_>) {
        let peer = &mut self.peers[pe as usize];
        if !peer.has_ended {
            peer.outgoing.push_back(Outgoing::new(message, None));
        }
    }

    /// The PEs that have not arrived in the round that this PE waits in.
    pub fn awaited_by(&self, pe: u32) -> Vec<u32> {
        let Some(round) = self.round.as_ref().filter(|round| round.arrived[pe as usize].is_some()) else {
            return Vec::new();
        };
        round.missing()
    }

    /// Which operation is open and which PEs it is waiting for, for the message that is printed at the time limit.
    pub fn describe_open_round(&self) -> Option<String> {
        let round = self.round.as_ref()?;
        let name = if round.tag.is_empty() { String::new() } else { format!(" '{}'", round.tag) };
        Some(format!("{}{name} was waiting for {}", round.kind.word(), PeList(&round.missing())))
    }
}

#[cfg(test)]
#[path = "rendezvous_tests.rs"]
mod tests;

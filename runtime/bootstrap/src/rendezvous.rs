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
//!
//! **On several hosts**, each launcher has the rendezvous of its own PEs only ([`Rendezvous::part_of`]). When the last
//! of them has arrived, their contributions go to the launcher that started the job ([`Rendezvous::gathered`]), which
//! returns those of all PEs ([`Rendezvous::complete_with`]). File descriptors stay on their host. PEs are called by
//! their index here, and named by their number in the job.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::error::PeList;
use crate::virtual_nodes::split;
use crate::wire::{MAX_BODY_BYTES, Message, MessageKind, pack};

/// The longest reason why every call is refused, in bytes.
const MAX_REASON_BYTES: usize = 8 * 1024;
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
    /// Its number in the job.
    number: u32,
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
    /// In the order of the PEs that this rendezvous serves.
    arrived: Vec<Option<Arrived>>,
    /// Whether the contributions have been passed on to the other hosts.
    is_passed_on: bool,
    /// Whether an inquiry has asked the other hosts who is late.
    is_inquired: bool,
    /// The PEs of the job that were late, as the last answer since then says.
    late: Option<Vec<u32>>,
}

/// The contributions of the PEs of one host to a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gathered {
    /// The number of the round.
    pub seq: u64,
    /// What the PEs called.
    pub kind: MessageKind,
    /// What the call is about.
    pub tag: String,
    /// Their bytes, in the order of their numbers.
    pub contributions: Vec<Vec<u8>>,
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
    /// The number of this host among those of the job.
    host: u32,
    /// The number of PEs of the job.
    n_pes: u32,
    /// Those that this rendezvous serves, in the order of their numbers.
    peers: Vec<Peer>,
    /// Number of the open round, or of the next one to open.
    seq: u64,
    round: Option<Round>,
    broken: Option<String>,
    /// A PE of another host that has ended after finalize.
    gone_elsewhere: Option<u32>,
    /// The first PE that has done so here, until that is passed on to the other hosts.
    gone: Option<u32>,
    /// Whether the other hosts know such a PE. One is enough for all.
    is_gone_known: bool,
    /// The open round about which somebody has asked who is late, until that is passed on to the other hosts.
    question: Option<u64>,
    /// The PEs that have asked this and have had no answer.
    askers: Vec<u32>,
}

impl Rendezvous {
    /// The rendezvous of a job with one PE for each of `places`; each PE is told its own place. Each must present
    /// `job_id`.
    pub fn new(places: &[u32], job_id: &str, oversubscribed: bool) -> Self {
        let numbered: Vec<(u32, u32)> = (0..).zip(places.iter().copied()).collect();
        Self::part_of(places.len() as u32, &numbered, job_id, oversubscribed)
    }

    /// The rendezvous of those PEs of a job of `n_pes` whose numbers and places on this host are given, in the order of
    /// their numbers. If these are not all PEs of the job, its rounds are completed from outside.
    pub fn part_of(n_pes: u32, pes: &[(u32, u32)], job_id: &str, oversubscribed: bool) -> Self {
        let peer = |&(number, place): &(u32, u32)| Peer {
            number,
            place,
            stage: Stage::Silent,
            has_ended: false,
            outgoing: VecDeque::new(),
        };
        Rendezvous {
            job_id: job_id.to_string(),
            oversubscribed,
            nodes: 1,
            host: 0,
            n_pes,
            peers: pes.iter().map(peer).collect(),
            seq: 1,
            round: None,
            broken: None,
            gone_elsewhere: None,
            gone: None,
            is_gone_known: false,
            question: None,
            askers: Vec::new(),
        }
    }

    /// The rendezvous of a job on this many virtual nodes: a descriptor goes only to the PEs of the node that it is
    /// from.
    pub fn on_nodes(self, nodes: u32) -> Self {
        Rendezvous { nodes, ..self }
    }

    /// The rendezvous on the host with this number.
    pub fn on_host(self, host: u32) -> Self {
        Rendezvous { host, ..self }
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
        let number = peer.number;
        if peer.stage == Stage::Finalized && !std::mem::replace(&mut self.is_gone_known, true) {
            self.gone = Some(number);
        }
        let how = match self.stage(pe) {
            Stage::Silent => "without joining the job",
            Stage::Joined => "without finalize",
            Stage::Finalized if self.peers.iter().any(|peer| peer.stage == Stage::Joined) => NOT_AGAIN,
            Stage::Finalized => return,
        };
        self.break_with(format!("PE {number} has ended {how}"));
    }

    /// A PE that has ended after finalize, once, unless one of another host has.
    pub fn gone(&mut self) -> Option<u32> {
        self.gone.take()
    }

    /// Records that a PE of another host has ended after finalize.
    pub fn ended_elsewhere(&mut self, number: u32) {
        self.gone_elsewhere.get_or_insert(number);
        self.is_gone_known = true;
        if self.peers.iter().any(|peer| peer.stage == Stage::Joined) {
            self.break_with(format!("PE {number} has ended {NOT_AGAIN}"));
        }
    }

    fn hello(&mut self, pe: u32, message: &Message<'_>) -> Result<(), String> {
        if message.body != self.job_id.as_bytes() {
            return Err("it presented another job's identifier".into());
        }
        if self.stage(pe) == Stage::Finalized {
            let gone = self.peers.iter().find(|peer| peer.has_ended).map(|peer| peer.number);
            if let Some(gone) = gone.or(self.gone_elsewhere) {
                self.break_with(format!("PE {gone} has ended {NOT_AGAIN}"));
            }
        }
        let peer = &mut self.peers[pe as usize];
        peer.stage = Stage::Joined;
        let (number, place) = (peer.number, [peer.place.to_le_bytes(), self.host.to_le_bytes()].concat());
        let welcome = Message {
            pe: number,
            value: self.n_pes,
            oversubscribed: self.oversubscribed,
            body: &place,
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
        let (here, is_alone) = (self.peers.len(), self.peers.len() == self.n_pes as usize);
        let number = self.peers[pe as usize].number;
        let round = self.round.get_or_insert_with(|| Round {
            kind: message.kind,
            tag: message.tag.to_string(),
            opener: number,
            last_arrival: Instant::now(),
            arrived: vec![None; here],
            is_passed_on: false,
            is_inquired: false,
            late: None,
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
                "PE {} called {} '{}' while PE {number} called {} '{}'",
                round.opener,
                round.kind.word(),
                round.tag,
                message.kind.word(),
                message.tag
            );
            self.break_with(reason);
        } else if is_lost {
            self.break_with(format!(
                "the process that keeps the job together cannot receive a file descriptor of PE {number}: it cannot \
                 open more files (ulimit -n)"
            ));
        } else if is_alone && round.arrived.iter().all(Option::is_some) {
            self.complete(None);
        }
        Ok(())
    }

    /// The contributions of all PEs of this host to the open round, once, when the last one has arrived. Not for a job
    /// whose PEs are all here.
    pub fn gathered(&mut self) -> Option<Gathered> {
        let (seq, is_alone) = (self.seq, self.peers.len() == self.n_pes as usize);
        let round = self.round.as_mut().filter(|round| !is_alone && !round.is_passed_on)?;
        let contributions: Option<Vec<_>> =
            round.arrived.iter().map(|arrived| arrived.as_ref().map(|arrived| arrived.bytes.clone())).collect();
        let contributions = contributions?;
        round.is_passed_on = true;
        Some(Gathered { seq, kind: round.kind, tag: round.tag.clone(), contributions })
    }

    /// Completes the open round, to which all PEs of the job have contributed these bytes, by number; none for a fence
    /// and for finalize. The caller has checked the lengths, as those of a PE are checked before it sends them
    /// ([`check_lengths`](crate::wire::check_lengths)). The error says why this is not possible.
    pub fn complete_with(&mut self, seq: u64, all: Vec<Vec<u8>>) -> Result<(), String> {
        if self.broken.is_some() {
            return Ok(());
        }
        let is_open = self.round.as_ref().is_some_and(|round| round.is_passed_on) && seq == self.seq;
        let is_gather = self.round.as_ref().is_some_and(|round| round.kind == MessageKind::Gather);
        let wanted = if is_gather { self.n_pes as usize } else { 0 };
        if !is_open || all.len() != wanted {
            return Err(format!("{} contributions to round {seq}, in round {}", all.len(), self.seq));
        }
        self.complete(Some(all));
        Ok(())
    }

    /// Queues the answers for all PEs of this host and closes the round. `all` are the bytes of all PEs of the job, if
    /// some are elsewhere.
    fn complete(&mut self, all: Option<Vec<Vec<u8>>>) {
        let Some(round) = self.round.take() else { return };
        self.question = None;
        self.askers.clear();
        let here = self.peers.len() as u32;
        let of_node: Vec<u32> = self.peers.iter().map(|peer| split(peer.place, here, self.nodes).0).collect();
        let own = round.arrived.into_iter().flatten();
        // Of all PEs of the job, with the node of those that are here.
        let (arrived, from): (Vec<Arrived>, Vec<Option<u32>>) = match all {
            None => own.zip(of_node.iter().copied().map(Some)).unzip(),
            Some(all) => {
                let mut all: Vec<_> =
                    all.into_iter().map(|bytes| (Arrived { bytes, descriptor: None }, None)).collect();
                for ((peer, node), own) in self.peers.iter().zip(&of_node).zip(own) {
                    // A fence has no contributions.
                    if let Some(of_pe) = all.get_mut(peer.number as usize) {
                        *of_pe = (own, Some(*node));
                    }
                }
                all.into_iter().unzip()
            }
        };
        let answers: Vec<Vec<Outgoing>> = match round.kind {
            MessageKind::Gather if arrived.iter().any(|piece| piece.descriptor.is_some()) => {
                let for_node =
                    |node| arrived.iter().zip(&from).map(move |(piece, from)| piece.within(*from == Some(node)));
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

    /// Why every call is refused, if it is.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Refuses the open round to the PEs that wait in it, and refuses every later call.
    pub fn break_with(&mut self, mut reason: String) {
        // It may come from another host.
        reason.truncate(reason.floor_char_boundary(MAX_REASON_BYTES));
        self.question = None;
        self.askers.clear();
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
        if self.round.is_none() || seq != self.seq || self.next_outgoing(pe).is_some() || self.askers.contains(&pe) {
            return;
        }
        self.askers.push(pe);
        if self.peers.len() == self.n_pes as usize {
            let (late, since) = self.late();
            self.tell_late(seq, &late, since);
        } else {
            self.question = Some(seq);
        }
    }

    /// The round about which a PE has asked who is late, once. The answer comes from the other hosts
    /// ([`Self::tell_late`]).
    pub fn question(&mut self) -> Option<u64> {
        self.question.take()
    }

    /// Asks the other hosts who is late in the open round, for an inquiry. The answer counts for [`Self::awaited_by`].
    pub fn inquire(&mut self) {
        let is_alone = self.peers.len() == self.n_pes as usize;
        if let Some(round) = self.round.as_mut().filter(|_| !is_alone) {
            (round.is_inquired, round.late) = (true, None);
            self.question = Some(self.seq);
        }
    }

    /// Whether that answer is still to come.
    pub fn is_inquiring(&self) -> bool {
        self.round.as_ref().is_some_and(|round| round.is_inquired && round.late.is_none())
    }

    /// The PEs of this host that have not arrived in the open round, and the time since the last one has. If no PE has
    /// arrived, all are late.
    pub fn late(&self) -> (Vec<u32>, Duration) {
        match &self.round {
            Some(round) => (self.missing(round), round.last_arrival.elapsed()),
            None => (self.peers.iter().map(|peer| peer.number).collect(), Duration::MAX),
        }
    }

    /// Tells the PEs that have asked which PEs are late in this round, and how long ago the last one arrived.
    pub fn tell_late(&mut self, seq: u64, late: &[u32], since: Duration) {
        let Some(round) = self.round.as_mut().filter(|_| seq == self.seq) else { return };
        round.late = round.is_inquired.then(|| late.to_vec());
        // As many as a message can name.
        let late: Vec<u8> = late.iter().copied().flat_map(u32::to_le_bytes).take(MAX_BODY_BYTES).collect();
        let value = u32::try_from(since.as_millis()).unwrap_or(u32::MAX);
        for pe in std::mem::take(&mut self.askers) {
            self.queue(pe, &Message { value, body: &late, ..Message::new(MessageKind::Late, seq) });
        }
    }

    /// The numbers of the PEs of this host that have not arrived.
    fn missing(&self, round: &Round) -> Vec<u32> {
        let missing = self.peers.iter().zip(&round.arrived).filter(|(_, arrived)| arrived.is_none());
        missing.map(|(peer, _)| peer.number).collect()
    }

    fn queue(&mut self, pe: u32, message: &Message<'_>) {
        let peer = &mut self.peers[pe as usize];
        if !peer.has_ended {
            peer.outgoing.push_back(Outgoing::new(message, None));
        }
    }

    /// The PEs that have not arrived in the round that this PE waits in: those of this host, and those of other hosts
    /// that an inquiry has found out.
    pub fn awaited_by(&self, pe: u32) -> Vec<u32> {
        let Some(round) = self.round.as_ref().filter(|round| round.arrived[pe as usize].is_some()) else {
            return Vec::new();
        };
        round.late.clone().unwrap_or_else(|| self.missing(round))
    }

    /// Which operation is open and which PEs it is waiting for, for the message that is printed at the time limit.
    pub fn describe_open_round(&self) -> Option<String> {
        let round = self.round.as_ref()?;
        let name = if round.tag.is_empty() { String::new() } else { format!(" '{}'", round.tag) };
        Some(format!("{}{name} was waiting for {}", round.kind.word(), PeList(&self.missing(round))))
    }
}

#[cfg(test)]
#[path = "rendezvous_tests.rs"]
mod tests;

//! The library's own words. Each node has one anonymous shared file, with an area for each of its PEs; every PE of the
//! node maps the whole file. PEs of other nodes reach the areas through the network.
//!
//! The area of the PE at place `i` starts at `base + areas + i * area`. It is a [`ControlArea`], followed by the words
//! of which there is one for each PE or node of the job (`Layout`). The file is sparse: memory is allocated when it is
//! first touched or pinned; a PE with a GPU pins a part of its own area. The file has no name, so it disappears with
//! the last process. In a job of several nodes, the file begins with the atomic operations that PEs of other nodes
//! request, and each area has the results of the owner's atomic operations on each node. It ends with *replicas*: for
//! each node, the words that the leaders of teams on that node write for the leader here. Symmetric memory is
//! elsewhere, because futexes need pages that the operating system manages, and the host heap may consist of memory
//! that a GPU's driver allocated.

use super::call::Announcement;
use super::network::Network;
use super::network_lane::Region;
use super::replica::{Replica, SEAL};
use super::sealed::SealedFlag;
use super::shared_file::{Mapping, share_file, shared_file};
use crate::error::Cause;
use crate::job::{Job, Pe};
use crate::{Error, Result};
use cushmem_abi::{ErrorCode, ErrorRecord, MOST_TEAMS, Reports, TEAM_SLOTS, WaitRecord};
use cushmem_bootstrap::Words;
use cushmem_collective::{FAR_STAGE_BYTES, Flag, STAGE_BYTES, STAGES, STEPS};
use cushmem_net::{Local, Memory};
use std::mem::offset_of;
use std::num::NonZeroUsize;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The words of one PE of which there are as many in every job.
#[repr(C, align(4096))]
pub(crate) struct ControlArea {
    /// Written by the owner's GPU. These words have pages of their own, which are pinned for the GPU.
    gpu: GpuWords,
    /// The number of threads, of any PE, that sleep for words of this area (see `flags`).
    sleepers: Line,
    /// In the area of a node's first PE: which lines PEs of the node have printed before they ended.
    said: SaidLines,
    /// The collective call that the owner is in, for odd and even numbers of barriers.
    pub(crate) announcements: [Announcement; 2],
    /// The words with which kernels of teams meet in barriers; see `service::device_sync`.
    meetings: [MeetingWords; TEAM_SLOTS],
}

/// Two rows of one word per step. A word is written by the PE that the owner waits for in this step.
#[repr(C, align(128))]
struct MeetingWords([[AtomicU64; MEETING_STEPS]; 2]);

impl ControlArea {
    /// The offset in each area of a word for barriers of kernels. Those of the slots beyond [`TEAM_SLOTS`] lie behind
    /// the [`ControlArea`].
    pub(crate) const fn meeting_word(slot: usize, row: usize, step: usize) -> usize {
        assert!(slot < MOST_TEAMS && row < 2 && step < MEETING_STEPS);
        let first = match slot.checked_sub(TEAM_SLOTS) {
            None => offset_of!(ControlArea, meetings) + slot * size_of::<MeetingWords>(),
            Some(more) => size_of::<ControlArea>() + more * size_of::<MeetingWords>(),
        };
        first + (row * MEETING_STEPS + step) * size_of::<AtomicU64>()
    }
}

#[repr(C, align(4096))]
struct GpuWords {
    /// What kernels report.
    reports: Reports,
    /// By copy lane: the ticket up to which its copies are complete. The lane's stream writes it.
    done: [AtomicU64; MOST_LANES + SIDE_LANES],
}

#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) AtomicU64);

#[repr(C, align(64))]
struct SaidLines([AtomicU64; SAID_LINES]);

/// Words that the owner writes for one other PE, which is their only reader.
#[repr(C, align(64))]
pub(crate) struct PairLine {
    /// How often the two PEs have met.
    pub(crate) meetings: AtomicU64,
    /// A number for the next meeting.
    pub(crate) number: AtomicU64,
}

/// A word that a PE of another node puts, with its seal; see `sealed`.
#[repr(C)]
pub(crate) struct SealedWord {
    head: AtomicU64,
    seal: AtomicU64,
}

/// Words of the owner for one team, which only the owner writes. The layout is that of `cushmem_collective`.
#[repr(C, align(64))]
pub(crate) struct TeamArea {
    steps: [Line; STEPS as usize],
    done: Line,
    stages: [Stage; STAGES as usize],
}

#[repr(C, align(64))]
struct Stage {
    round: AtomicU64,
    data: [u64; STAGE_BYTES / 8],
}

/// How many different lines the PEs of a node can print once for all of them.
const SAID_LINES: usize = 32;
/// The maximum number of requested operations that a PE has under way at a node.
pub(crate) const REQUESTS: u64 = 256;
/// Words of a request, which one put carries.
pub(crate) const REQUEST_WORDS: usize = 5;
/// Bytes from one request to the next: a cache line.
const REQUEST_STRIDE: usize = 64;
/// Bytes of an initiator's requests.
const REQUEST_BYTES: usize = REQUESTS as usize * REQUEST_STRIDE;
/// Bytes of the results of an initiator's requests to a node.
const ANSWER_BYTES: usize = REQUESTS as usize * ANSWER_STRIDE;
/// Words of an answer: the result, who answers, and the seal.
pub(crate) const ANSWER_WORDS: usize = 3;
/// Bytes from one answer to the next.
const ANSWER_STRIDE: usize = 32;
/// How often to look at a record that keeps changing.
const LOOKS: usize = 100;
/// The maximum number of copy lanes of a PE: one for each context.
pub(crate) const MOST_LANES: usize = 1025;
/// The maximum number of further copy lanes, which contexts use beside their first. A context that finds none left
/// makes do with its first.
pub(crate) const SIDE_LANES: usize = 96;
/// The slots of the predefined teams. Those of all PEs come first, because their replicas are registered together.
pub(crate) const WORLD_SLOT: usize = 0;
pub(crate) const ACTIVE_SLOT: usize = 1;
pub(crate) const SHARED_SLOT: usize = cushmem_abi::SHARED_TEAM_SLOT as usize;
/// The maximum number of steps of a barrier of kernels by the CPU.
pub(crate) const MEETING_STEPS: usize = 16;
const _: () = assert!(1 << MEETING_STEPS >= cushmem_environment::MAX_PES);

impl TeamArea {
    /// The offset of a flag.
    #[inline(always)]
    pub(crate) const fn flag(flag: Flag) -> usize {
        match flag {
            Flag::Step(turn) => offset_of!(TeamArea, steps) + turn * size_of::<Line>(),
            Flag::Done => offset_of!(TeamArea, done),
            Flag::Stage(stage) => Self::stage(stage) + offset_of!(Stage, round),
        }
    }

    /// The offset of a stage's data.
    #[inline(always)]
    pub(crate) const fn data(stage: usize) -> usize {
        Self::stage(stage) + offset_of!(Stage, data)
    }

    #[inline(always)]
    const fn stage(stage: usize) -> usize {
        assert!(stage < STAGES as usize);
        offset_of!(TeamArea, stages) + stage * size_of::<Stage>()
    }
}

/// The areas of all PEs of this node.
pub(crate) struct Control {
    mapping: Arc<Mapping>,
    file: Arc<OwnedFd>,
    /// By PE: the address of its area, or 0 for a PE of another node.
    areas: Box<[usize]>,
    layout: Layout,
    own: Pe,
}

/// Where things are in the file of a node and in each area, in a job of this size. Some exist in jobs of several nodes
/// only, and have no bytes otherwise.
#[derive(Clone, Copy)]
struct Layout {
    /// The number of nodes.
    nodes: usize,
    /// The number of slots for teams.
    slots: usize,
    /// In the file: for each initiator, how many of its operations are carried out, and whether a PE is at it. Before
    /// these words is one for each initiator that says whether it has ever requested an operation.
    turns: usize,
    /// In the file: the requests for atomic operations, by initiator.
    requests: usize,
    /// In the file: the areas.
    areas: usize,
    /// The size of an area in bytes.
    area: usize,
    /// In each area, whose [`ControlArea`] comes first: what each PE of another node writes for the owner in
    /// collectives of active sets. Only that PE writes it, through the network.
    far_pairs: usize,
    /// By PE of another node: how many operations of the owner were carried out when that PE last carried out some.
    done: usize,
    /// The results of the owner's atomic operations, by node. Up to their end, PEs of other nodes reach the area.
    answers: usize,
    /// What the owner writes for each PE in these collectives.
    pairs: usize,
    /// The words with which teams synchronise: an area for each slot, followed by one for each slot for what the
    /// team's streams hand to the CPU. Those that no team has used yet take no memory.
    teams: usize,
    /// By slot, for the team and for its streams, and by node: what the leader of the team on that node writes.
    replicas: usize,
}

impl Layout {
    const fn of(nodes: usize, pes: usize, slots: usize) -> Self {
        let (far_nodes, far_pes) = if nodes == 1 { (0, 0) } else { (nodes, pes) };
        let turns = far_pes * size_of::<AtomicU64>();
        let requests = (2 * turns).next_multiple_of(align_of::<ControlArea>());
        let areas = requests + far_pes * REQUEST_BYTES;
        let far_pairs = size_of::<ControlArea>() + (slots - TEAM_SLOTS) * size_of::<MeetingWords>();
        let done = far_pairs + far_pes * size_of::<PairLine>();
        let answers = (done + far_pes * size_of::<SealedWord>()).next_multiple_of(align_of::<Line>());
        let pairs = answers + far_nodes * ANSWER_BYTES;
        let teams = pairs + pes * size_of::<PairLine>();
        let replicas = teams + 2 * slots * size_of::<TeamArea>();
        let end = replicas + 2 * slots * far_nodes * size_of::<Replica>();
        let area = end.next_multiple_of(align_of::<ControlArea>());
        Self { nodes, slots, turns, requests, areas, area, far_pairs, done, answers, pairs, teams, replicas }
    }

    const fn bytes(&self, pes_of_node: usize) -> usize {
        self.areas + pes_of_node * self.area
    }

    /// The offset in each area of what the leader on a node writes for a team with this area.
    const fn replica(&self, area: usize, node: usize) -> usize {
        let place = 2 * (area % self.slots) + area / self.slots;
        self.replicas + (place * self.nodes + node) * size_of::<Replica>()
    }

    /// The replicas that are registered together: those of a slot, or of both teams of all PEs. No stream uses those
    /// of active sets.
    const fn replicas_of(&self, slot: usize) -> (usize, usize) {
        let areas = if slot == WORLD_SLOT { 3 } else { 2 };
        (self.replica(slot, 0), areas * self.nodes * size_of::<Replica>())
    }

    /// The offset, in the requests to a node, of the word that counts which operations of a PE are carried out.
    const fn turn(&self, initiator: Pe) -> usize {
        self.turns + initiator.index() * size_of::<AtomicU64>()
    }

    /// The offset, in the same place, of the request of a PE with a number.
    #[inline]
    const fn request(&self, initiator: Pe, number: u64) -> usize {
        self.requests + initiator.index() * REQUEST_BYTES + (number % REQUESTS) as usize * REQUEST_STRIDE
    }

    /// The offset in each area of the answer of a node to its owner's request with a number.
    const fn answer(&self, node: u32, number: u64) -> usize {
        self.answers + node as usize * ANSWER_BYTES + (number % REQUESTS) as usize * ANSWER_STRIDE
    }

    /// The offset in each area of the number of its owner's operations that were carried out, as that PE says.
    const fn carried_out(&self, by: Pe) -> usize {
        self.done + by.index() * size_of::<SealedWord>()
    }
}

const _: () = assert!(REQUEST_BYTES.is_multiple_of(align_of::<ControlArea>()) && align_of::<PairLine>() == 64);

impl Control {
    /// Collective. The first PE of each node creates its file, and all PEs of the node map it; other PEs reach it
    /// through the network.
    pub(crate) fn create(job: &Job, network: Option<&Network>) -> Result<Self> {
        let layout = Layout::of(job.nodes() as usize, job.n_pes() as usize, job.teams());
        let Layout { areas, area, .. } = layout;
        let bytes = NonZeroUsize::new(layout.bytes(job.node_pes() as usize)).unwrap_or(NonZeroUsize::MIN);
        let operation = "share the library's words";
        let failed = |what: &str, e: String| Error::new(format!("{operation}: {what} {bytes} bytes"), Cause::System(e));
        let make = || shared_file(c"cushmem-control", bytes.get() as u64).map_err(|e| failed("make", e));
        let file = share_file(job, operation, bytes.get() as u64, make)?;
        let mapping = Mapping::of(&file, 0, bytes).map_err(|e| failed("map", e))?;
        let start = mapping.address();
        let areas = job.by_pe(|place| start + areas + place as usize * area);
        let control = Self { mapping: Arc::new(mapping), file, areas, layout, own: job.me() };
        if let Some(network) = network {
            let words = control.local(control.areas[job.me().index()], 0, layout.pairs);
            let requests = (job.leader(job.my_node()) == job.me()).then(|| control.local(start, 0, layout.areas));
            // The leader of a team on a node is its first member there, at whatever place.
            let first = job.pes().find(|pe| job.place(*pe).is_some());
            let replicas = (first == Some(job.me())).then(|| control.replicas(WORLD_SLOT));
            let own = [(Region::Control, Some(words)), (Region::Requests, requests), (Region::Replicas, replicas)];
            network.share(job, 0, &own)?;
        }
        Ok(control)
    }

    /// A part of the file, for the network. `at` is its offset in the region, and its distance from an address.
    fn local(&self, from: usize, at: usize, bytes: usize) -> Local {
        let address = from + at;
        let offset = (address - self.mapping.address()) as u64;
        let memory = Memory { file: self.file.clone(), offset, bytes: bytes as u64 };
        Local { at: at as u64, address, bytes, file: Some(memory) }
    }

    /// This PE's replicas of a team with this slot, which stay mapped as long as the network.
    pub(super) fn replicas(&self, slot: usize) -> Local {
        let (at, bytes) = self.layout.replicas_of(slot);
        self.local(self.areas[self.own.index()], at, bytes)
    }

    #[inline(always)]
    fn at(&self, pe: Pe, offset: usize) -> usize {
        debug_assert!(offset < self.layout.area && self.areas[pe.index()] != 0);
        self.areas[pe.index()] + offset
    }

    /// Whether a PE's area is mapped here.
    #[inline(always)]
    pub(crate) fn is_near(&self, pe: Pe) -> bool {
        self.areas[pe.index()] != 0
    }

    /// The offset in every PE's area of what the leader on `node` writes for the team with this area.
    pub(crate) fn replica(&self, node: u32, area: usize) -> usize {
        debug_assert!(area < 2 * self.layout.slots && (node as usize) < self.layout.nodes);
        self.layout.replica(area, node as usize)
    }

    /// The offset in each area of the owner's words for the team with this area.
    #[inline(always)]
    pub(super) fn team(&self, area: usize) -> usize {
        self.layout.teams + area * size_of::<TeamArea>()
    }

    /// The offset in each area of the line that its owner writes for a PE in collectives of active sets.
    pub(super) fn pair(&self, to: Pe) -> usize {
        self.layout.pairs + to.index() * size_of::<PairLine>()
    }

    /// The offset in each area of the line that a PE of another node writes for its owner.
    pub(super) fn far_pair(&self, from: Pe) -> usize {
        self.layout.far_pairs + from.index() * size_of::<PairLine>()
    }

    /// The bytes at `offset` of a PE's area.
    #[inline(always)]
    pub(crate) fn data(&self, pe: Pe, offset: usize) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.at(pe, offset))
    }

    /// The word at `offset` of a PE's area.
    #[inline(always)]
    pub(crate) fn word(&self, pe: Pe, offset: usize) -> &AtomicU64 {
        debug_assert!(offset.is_multiple_of(8));
        // SAFETY: the word is aligned, lies inside the mapping, which lives as long as `self`, and is only used as an
        // atomic.
        unsafe { AtomicU64::from_ptr(self.data(pe, offset).cast()) }
    }

    /// The words at `offset` of a PE's area.
    pub(crate) fn words(&self, pe: Pe, offset: usize, number: usize) -> &[AtomicU64] {
        debug_assert!(offset + number * size_of::<AtomicU64>() <= self.layout.area);
        // SAFETY: the words are aligned, lie inside the mapping, which lives as long as `self`, and are only used as
        // atomics.
        unsafe { std::slice::from_raw_parts(self.word(pe, offset), number) }
    }

    /// A flag of the replica at this offset of a PE's area.
    pub(crate) fn replica_flag(&self, pe: Pe, replica: usize, flag: Flag) -> SealedFlag<'_, AtomicU64> {
        let at = replica + Replica::flag(flag);
        let data: &[AtomicU64] = match flag {
            Flag::Stage(stage) => self.words(pe, replica + Replica::data(stage), FAR_STAGE_BYTES / size_of::<u64>()),
            Flag::Step(_) | Flag::Done => &[],
        };
        SealedFlag { head: self.word(pe, at), seal: self.word(pe, at + SEAL), data }
    }

    /// The number of threads, of any PE, that sleep for words of a PE's area.
    #[inline(always)]
    pub(crate) fn sleepers(&self, pe: Pe) -> &AtomicU32 {
        // SAFETY: the word is aligned, lies inside the mapping, which lives as long as `self`, and is only used as an
        // atomic.
        unsafe { AtomicU32::from_ptr(self.data(pe, offset_of!(ControlArea, sleepers)).cast()) }
    }

    /// The call that a PE announced for a barrier.
    pub(super) fn announcement(&self, pe: Pe, number: u64) -> &Announcement {
        // SAFETY: it lies inside the mapping, which lives as long as `self`, and consists of atomics.
        unsafe { &*self.data(pe, Self::announcement_at(number)).cast::<Announcement>() }
    }

    /// The offset in each area of the call that its owner announces.
    pub(super) const fn announcement_at(number: u64) -> usize {
        offset_of!(ControlArea, announcements) + (number % 2) as usize * size_of::<Announcement>()
    }

    /// The words of the answer of a node to this PE's request with a number.
    pub(crate) fn answer(&self, node: u32, number: u64) -> [&AtomicU64; ANSWER_WORDS] {
        let at = self.layout.answer(node, number);
        std::array::from_fn(|word| self.word(self.own, at + word * size_of::<AtomicU64>()))
    }

    /// How many operations of this PE were carried out when a PE of another node last carried out some.
    pub(crate) fn carried_out(&self, by: Pe) -> SealedFlag<'_, AtomicU64> {
        let at = self.layout.carried_out(by);
        let seal = self.word(self.own, at + offset_of!(SealedWord, seal));
        SealedFlag { head: self.word(self.own, at + offset_of!(SealedWord, head)), seal, data: &[] }
    }

    /// The offset, in the requests to a node, of the word that says that this PE has requested operations.
    pub(crate) fn known_at(&self) -> usize {
        known(self.own)
    }

    /// The offset, in the requests to a node, of the word that counts which operations of this PE are carried out.
    pub(crate) fn turn_at(&self) -> usize {
        self.layout.turn(self.own)
    }

    /// The offset, in the requests to a node, of this PE's request with a number.
    #[inline]
    pub(crate) fn request_at(&self, number: u64) -> usize {
        self.layout.request(self.own, number)
    }

    /// The words of atomic operations that other nodes request from this one.
    pub(crate) fn atomics(&self) -> AtomicsWords {
        AtomicsWords { start: self.mapping.address(), layout: self.layout, _mapping: self.mapping.clone() }
    }

    /// The words about lines that have been printed; `first` is this node's first PE.
    pub(crate) fn said(&self, first: Pe) -> Arc<dyn Words> {
        let address = self.at(first, offset_of!(ControlArea, said));
        Arc::new(SaidWords { address, _mapping: self.mapping.clone() })
    }

    /// The address that this PE's kernels report to.
    pub(crate) fn reports(&self) -> u64 {
        self.at(self.own, offset_of!(ControlArea, gpu) + offset_of!(GpuWords, reports)) as u64
    }

    /// What a kernel of this PE recorded before it gave up.
    pub(crate) fn read_error_record(&self) -> Option<(ErrorCode, ErrorRecord)> {
        let record = ReportWords {
            address: self.reports() as usize + offset_of!(Reports, error),
            _mapping: self.mapping.clone(),
        };
        // SYNC(error-record) acquire: pairs with the fence in the kernel's `fail`.
        let code = ErrorCode::from_u32(record.half(offset_of!(ErrorRecord, code)).load(Ordering::Acquire))?;
        // Relaxed: the fields were written before the code.
        let (pe, field) =
            (record.half(offset_of!(ErrorRecord, pe)), |offset| record.word(offset).load(Ordering::Relaxed));
        let record = ErrorRecord {
            code: code as u32,
            pe: pe.load(Ordering::Relaxed),
            value: field(offset_of!(ErrorRecord, value)),
            limit: field(offset_of!(ErrorRecord, limit)),
            lane: field(offset_of!(ErrorRecord, lane)),
        };
        Some((code, record))
    }

    /// The words in which this PE's kernels record what they wait for; they can be read at any time.
    pub(crate) fn wait_record(&self) -> ReportWords {
        ReportWords { address: self.reports() as usize + offset_of!(Reports, wait), _mapping: self.mapping.clone() }
    }

    /// The word of a lane of this PE's copies.
    pub(crate) fn done(&self, lane: usize) -> &AtomicU64 {
        assert!(lane < MOST_LANES + SIDE_LANES);
        self.word(self.own, offset_of!(ControlArea, gpu) + offset_of!(GpuWords, done) + lane * size_of::<AtomicU64>())
    }

    /// Address and length of what this PE's GPU writes, in whole pages.
    pub(crate) fn gpu_words(&self) -> (u64, u64) {
        (self.at(self.own, offset_of!(ControlArea, gpu)) as u64, size_of::<GpuWords>() as u64)
    }
}

/// The offset, in the requests to a node, of the word that says that a PE has requested operations.
const fn known(initiator: Pe) -> usize {
    initiator.index() * size_of::<AtomicU64>()
}

/// The words of requests from other nodes, for a thread: they keep the mapping alive.
pub(crate) struct AtomicsWords {
    /// The address of the requests to this node, which are the first in its file.
    start: usize,
    layout: Layout,
    _mapping: Arc<Mapping>,
}

impl AtomicsWords {
    /// The offset in each area of the answer of a node to its owner's request with a number.
    pub(crate) fn answer_at(&self, node: u32, number: u64) -> usize {
        self.layout.answer(node, number)
    }

    /// The offset in each area of the number of its owner's operations that were carried out, as that PE says.
    pub(crate) fn carried_out_at(&self, by: Pe) -> usize {
        self.layout.carried_out(by)
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: the word is aligned, lies in the requests, inside the mapping, which lives as long as `self`, and is
        // only used as an atomic.
        unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(self.start + offset)) }
    }

    /// Not 0 if a PE has requested operations.
    pub(crate) fn known_of(&self, initiator: Pe) -> &AtomicU64 {
        self.word(known(initiator))
    }

    /// How many operations of a PE are carried out, and whether a PE is at it.
    pub(crate) fn turn_of(&self, initiator: Pe) -> &AtomicU64 {
        self.word(self.layout.turn(initiator))
    }

    /// The words of the slot for a PE's request with a number.
    #[inline]
    pub(crate) fn request_of(&self, initiator: Pe, number: u64) -> [&AtomicU64; REQUEST_WORDS] {
        const { assert!(REQUEST_WORDS * size_of::<AtomicU64>() <= REQUEST_STRIDE) };
        let start = self.layout.request(initiator, number);
        std::array::from_fn(|at| self.word(start + at * size_of::<AtomicU64>()))
    }
}

/// The words about lines that have been printed.
struct SaidWords {
    address: usize,
    _mapping: Arc<Mapping>,
}

impl Words for SaidWords {
    fn words(&self) -> &[AtomicU64] {
        let lines = std::ptr::with_exposed_provenance::<SaidLines>(self.address);
        // SAFETY: the words are aligned, lie inside the mapping, which lives as long as `self`, and are only used as
        // atomics.
        unsafe { &(*lines).0 }
    }
}

/// The words of a record that this PE's kernels write.
pub(crate) struct ReportWords {
    address: usize,
    _mapping: Arc<Mapping>,
}

impl ReportWords {
    fn half(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: the word is aligned, lies in the record, inside the mapping, which lives as long as `self`, and is
        // only used as an atomic.
        unsafe { AtomicU32::from_ptr(std::ptr::with_exposed_provenance_mut(self.address + offset)) }
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: the word is aligned, lies in the record, inside the mapping, which lives as long as `self`, and is
        // only used as an atomic.
        unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(self.address + offset)) }
    }

    /// What a lane of a kernel has been waiting for for a long time, if there is one.
    pub(crate) fn read_wait(&self) -> Option<WaitRecord> {
        let look = || {
            // SYNC(wait-record) acquire: pairs with the fence in the kernel's `report::write`.
            let comparison = self.half(offset_of!(WaitRecord, comparison)).load(Ordering::Acquire);
            // SYNC(wait-record) acquire: if this look finds part of a later record, the next look finds that record
            // complete.
            let field = |offset| self.word(offset).load(Ordering::Acquire);
            let kind = self.half(offset_of!(WaitRecord, kind)).load(Ordering::Acquire);
            WaitRecord {
                comparison,
                kind,
                lane: field(offset_of!(WaitRecord, lane)),
                address: field(offset_of!(WaitRecord, address)),
                wanted: field(offset_of!(WaitRecord, wanted)),
                seen: field(offset_of!(WaitRecord, seen)),
            }
        };
        // A record is withdrawn before the next one is written, so two looks with the same result found one complete
        // record.
        let mut before = look();
        let found = (0..LOOKS).find_map(|_| {
            let now = look();
            (now == std::mem::replace(&mut before, now)).then_some(now)
        });
        found.filter(|record| record.comparison != 0)
    }
}

#[cfg(test)]
#[path = "control_tests.rs"]
mod tests;

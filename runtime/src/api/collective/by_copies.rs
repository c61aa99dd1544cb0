//! Collectives on buffers that the CPU cannot load and store: the schedules that need no stages, run on transfers. They
//! work for any memory, including GPU memory on other nodes, and cost a transfer for each part.
//!
//! *Why nobody reads too early*: each of these transfers is complete when it returns, or is completed by the quiet in
//! [`Group::sync`], after which the members of the team meet.

use super::reduction::Reducer;
use super::{Collective, Participants};
use crate::error::ArgumentError;
use crate::job::Pe;
use crate::memory::{At, SymOffset};
use crate::transfer::context::Context;
use crate::transfer::strided::Blocks;
use crate::transfer::{Completion, Local, Operation, Shape, Transfer, Transfers};
use cushmem_collective::{self as schedule, Copies, Counts, Fold, Group, Take};

/// Bytes that a member combines at a time: enough for the copies to take longer than their start.
const CHUNK: usize = 1 << 20;

/// One cache line. A [`Reducer`] may rely on this alignment of what it changes.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

/// A member, with the symmetric addresses of its buffers.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) transfers: &'a Transfers,
    pub(super) context: &'a Context,
    pub(super) operation: &'static str,
    pub(super) who: Participants<'a>,
    pub(super) source: At,
    pub(super) dest: At,
}

impl<'a> Member<'a> {
    /// Carries out a collective. The error is the number of bytes that the dest of a collect needs, or the number of
    /// rows that the dest of an exchange of unequal size needs.
    pub(super) fn run(self, collective: Collective) -> std::result::Result<(), usize> {
        let mut copying = Folding { member: self, combine: None, elements: vec![], spare: vec![] };
        match collective {
            Collective::Broadcast { bytes, root, root_too } => {
                schedule::broadcast_direct(&mut copying, bytes, root);
                if root_too && copying.me() == root {
                    copying.get(root, 0, 0, bytes);
                }
            }
            Collective::Fcollect { bytes } => schedule::fcollect_direct(&mut copying, bytes),
            Collective::Collect { bytes, room } => return schedule::collect_direct(&mut copying, bytes, room),
            Collective::Alltoall { bytes } => schedule::alltoall_direct(&mut copying, bytes),
            Collective::Alltoalls { bytes, elements, strides: (1, 1) } => {
                schedule::alltoall_direct(&mut copying, bytes * elements);
            }
            Collective::Alltoalls { bytes, elements, strides } => copying.alltoalls(bytes, elements, strides),
            Collective::Alltoallv(what) => return self.unequal(what, &mut copying),
            Collective::Reduce { elements, reducer } => {
                let bytes = elements * reducer.element;
                schedule::reduce_direct(copying.with(reducer, bytes), bytes);
            }
            Collective::Scan { elements, sum, inclusive } => {
                let bytes = elements * sum.element;
                schedule::scan_direct(copying.with(sum, bytes), bytes, inclusive);
            }
            Collective::ReduceScatter { elements, reducer } => {
                let (me, size) = (copying.me(), copying.size());
                let bytes = elements * reducer.element;
                let folding = copying.with(reducer, bytes);
                folding.sync();
                let step = CHUNK / reducer.element * reducer.element;
                for at in (0..bytes).step_by(step) {
                    let (from, part) = (me as usize * bytes + at, step.min(bytes - at));
                    for member in 0..size {
                        folding.take(if member == 0 { Take::First } else { Take::Next }, member, from, part);
                    }
                    folding.give(me, at, part);
                }
                folding.sync();
            }
        }
        Ok(())
    }

    /// Carries out a collective for a stream or a kernel, when those of all members have come: until then, they use
    /// their buffers. No caller takes an error, so one ends the job.
    pub(super) fn run_or_end(self, collective: Collective) {
        let (job, operation) = (self.transfers.job(), self.operation);
        if let (true, Participants::Team(team)) = (puts_at_once(collective, self.who.size()), self.who) {
            self.transfers.sync().sync_team(operation, team);
        }
        if let (Err(needed), Collective::Alltoallv(what)) = (self.run(collective), collective) {
            let error = ArgumentError::TooManyRows(needed as u64, what.room as u64);
            job.end(operation, &crate::Error::argument(operation, "dest", error));
        }
    }

    /// Completes this member's transfers.
    pub(super) fn quiet(&self) {
        let Self { transfers, context, operation, .. } = self;
        if let Err(error) = transfers.quiet(context) {
            transfers.job().end(operation, &error);
        }
    }

    fn pe(&self, member: u32) -> Pe {
        self.who.pes().at(member)
    }

    /// This member's own part of an object.
    pub(super) fn own(&self, at: At) -> Local {
        let address = self.transfers.memory().own(at) as usize;
        Local { address, on_gpu: at.segment.is_gpu() }
    }

    /// Moves data. The others wait in the collective, so an error ends the job.
    ///
    /// # Safety
    /// The local end is valid for all bytes.
    pub(super) unsafe fn transfer(&self, operation: Operation, remote: At, member: u32) {
        if let Operation::Put(_, Shape::Bytes(0)) | Operation::Get(_, Shape::Bytes(0)) = operation {
            return;
        }
        let transfer = Transfer { operation, pe: self.pe(member), remote, when: Completion::Blocking };
        // SAFETY: the caller guarantees that the local end is valid; the schedules stay inside source and dest, which
        // were found to be symmetric memory.
        let done = unsafe { self.transfers.issue_part(self.context, &transfer) };
        if let Err(error) = done {
            self.transfers.job().end(self.operation, &crate::Error::argument(self.operation, "its buffer", error));
        }
    }
}

/// Whether a member writes to the others before it has heard from them. The other schedules begin with a
/// synchronisation.
fn puts_at_once(collective: Collective, members: u32) -> bool {
    match collective {
        Collective::Broadcast { bytes, .. } => schedule::root_puts(members, bytes),
        Collective::Fcollect { .. } | Collective::Collect { .. } | Collective::Alltoall { .. } => true,
        Collective::Alltoalls { strides, .. } => strides == (1, 1),
        Collective::Reduce { .. }
        | Collective::Scan { .. }
        | Collective::ReduceScatter { .. }
        | Collective::Alltoallv(_) => false,
    }
}

pub(super) fn shifted(at: At, bytes: usize) -> At {
    At { offset: SymOffset(at.offset.0 + bytes as u64), ..at }
}

/// A member together with its chunks for combining.
struct Folding<'a> {
    member: Member<'a>,
    combine: Option<Reducer>,
    elements: Vec<Line>,
    /// What was read and is to be combined.
    spare: Vec<Line>,
}

impl Folding<'_> {
    /// Makes room to combine the elements of a collective of `bytes` bytes, chunk by chunk.
    fn with(&mut self, reducer: Reducer, bytes: usize) -> &mut Self {
        let room = || vec![Line([0; 64]); CHUNK.min(bytes).div_ceil(size_of::<Line>())];
        (self.combine, self.elements, self.spare) = (Some(reducer), room(), room());
        self
    }

    fn read(&mut self, spare: bool, from: u32, at: usize, bytes: usize) {
        let room = if spare { &mut self.spare } else { &mut self.elements };
        assert!(bytes <= size_of_val(room.as_slice()));
        let local = Local { address: room.as_mut_ptr().expose_provenance(), on_gpu: false };
        let remote = shifted(self.member.source, at);
        // SAFETY: the chunk has room for `bytes` bytes.
        unsafe { self.member.transfer(Operation::Get(local, Shape::Bytes(bytes)), remote, from) };
    }

    /// Exchanges elements with gaps between them: a member gets those of another one in a single transfer.
    fn alltoalls(&mut self, size: usize, count: usize, (dst, sst): (usize, usize)) {
        let (me, member) = (self.me(), self.member);
        let [dst_step, sst_step] = [dst, sst].map(usize::cast_signed);
        let blocks = Blocks { count, elements: 1, size, dst: dst_step, sst: sst_step };
        let at = |block: u32, stride: usize| block as usize * count * stride * size;
        self.sync();
        for from in (me + 1..self.size()).chain(0..=me) {
            let local = member.own(shifted(member.dest, at(from, dst)));
            // SAFETY: this member's dest has as many elements at these distances.
            unsafe { member.transfer(blocks.operation(local, false), shifted(member.source, at(me, sst)), from) };
        }
        self.sync();
    }

    /// Combines the spare chunk into the other one.
    fn combine(&mut self, bytes: usize) {
        let Reducer { element, combine, .. } = self.combine.expect("a fold has a reducer");
        // SAFETY: both chunks hold as many elements, which were read before, and have the alignment that a reducer may
        // require.
        unsafe { combine(self.elements.as_mut_ptr().cast(), self.spare.as_ptr().cast(), bytes / element) };
    }
}

impl Group for Folding<'_> {
    fn size(&self) -> u32 {
        self.member.who.size()
    }

    fn me(&self) -> u32 {
        match self.member.who {
            Participants::Team(team) => team.my_pe(),
            Participants::Active(set) => set.me,
        }
    }

    fn sync(&mut self) {
        let Member { transfers, operation, who, .. } = self.member;
        self.member.quiet();
        match who {
            Participants::Team(team) => transfers.sync().sync_team(operation, team),
            Participants::Active(set) => transfers.sync().active_point(operation, set).sync(),
        }
    }
}

impl Counts for Folding<'_> {
    fn sums(&mut self, mine: usize) -> (usize, usize) {
        let Member { transfers, operation, who, .. } = self.member;
        match who {
            Participants::Team(team) => transfers.sync().sums(operation, team, mine),
            Participants::Active(set) => transfers.sync().active_point(operation, set).sums(mine),
        }
    }
}

impl Copies for Folding<'_> {
    fn put(&mut self, to: u32, dest_at: usize, source_at: usize, bytes: usize) {
        let local = self.member.own(shifted(self.member.source, source_at));
        let remote = shifted(self.member.dest, dest_at);
        // SAFETY: this member's source has `bytes` bytes.
        unsafe { self.member.transfer(Operation::Put(local, Shape::Bytes(bytes)), remote, to) };
    }

    fn get(&mut self, from: u32, dest_at: usize, source_at: usize, bytes: usize) {
        let local = self.member.own(shifted(self.member.dest, dest_at));
        let remote = shifted(self.member.source, source_at);
        // SAFETY: this member's dest has `bytes` bytes.
        unsafe { self.member.transfer(Operation::Get(local, Shape::Bytes(bytes)), remote, from) };
    }
}

impl Fold for Folding<'_> {
    fn element(&self) -> usize {
        self.combine.map_or(1, |reducer| reducer.element)
    }

    fn chunk(&self) -> usize {
        CHUNK
    }

    fn zero(&mut self, bytes: usize) {
        self.elements[..bytes.div_ceil(64)].fill(Line([0; 64]));
    }

    fn take(&mut self, how: Take, from: u32, source_at: usize, bytes: usize) {
        self.read(how == Take::Next, from, source_at, bytes);
        if how == Take::Next {
            self.combine(bytes);
        }
    }

    fn give(&mut self, to: u32, dest_at: usize, bytes: usize) {
        assert!(bytes <= size_of_val(self.elements.as_slice()));
        let local = Local { address: self.elements.as_ptr().expose_provenance(), on_gpu: false };
        let remote = shifted(self.member.dest, dest_at);
        // SAFETY: the chunk holds `bytes` bytes.
        unsafe { self.member.transfer(Operation::Put(local, Shape::Bytes(bytes)), remote, to) };
    }

    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize) {
        self.read(true, member, at, bytes);
        self.give(member, at, bytes);
        if how == Take::First {
            self.elements.copy_from_slice(&self.spare);
        } else {
            self.combine(bytes);
        }
    }
}

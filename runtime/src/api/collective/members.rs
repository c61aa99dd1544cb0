//! The members of a collective and their buffers, on which the schedules of `cushmem_collective` run.
//!
//! Memory that the CPU can load and store is copied or combined in place; everything else becomes a transfer. There are
//! no references to a peer's memory: a range is copied or combined while the schedule and the specification's rules for
//! `source` and `dest` let nobody write it.

use super::reduction::Reducer;
use crate::Shmem;
use crate::job::Pe;
use crate::memory::{At, Near, Remote, SymOffset};
use crate::sync::active_set::ActivePoint;
use crate::sync::level::LevelPoint;
use crate::sync::team::TeamPoint;
use crate::transfer::{Completion, Local, Operation, Shape, Transfer};
use crate::transport::mapped;
use cushmem_collective::{
    CHUNK_BYTES, Copies, Counts, Flag, Flags, Fold, Group, Layout, Level, Levels, Progress, STAGE_BYTES, Side,
    StagedFold, Stages, Take,
};
use std::mem::MaybeUninit;

/// Members of a collective: how they meet, their buffers, and, for a reduction, what they combine with.
pub(crate) struct Members<'a, P, A = ()> {
    pub(super) shmem: &'a Shmem,
    pub(super) operation: &'static str,
    pub(super) point: P,
    pub(super) source: End<'a>,
    pub(super) dest: End<'a>,
    pub(super) accumulator: A,
}

/// An object of all members.
#[derive(Clone, Copy)]
pub(crate) struct End<'a> {
    pub(super) at: At,
    pub(super) near: &'a Near,
}

/// Identifies the PE of a member.
pub(crate) trait Point: Group {
    fn pe(&self, member: u32) -> Pe;

    /// How much of an accumulator with room for this many bytes is used at a time.
    #[inline(always)]
    fn chunk(&self, room: usize) -> usize {
        room
    }

    /// Whether flags say that this member's puts have arrived, so that nothing else need say it.
    #[inline(always)]
    fn flag_follows(&self) -> bool {
        false
    }

    /// Which object is read, and which one is written.
    #[inline(always)]
    fn sides(&self) -> (Side, Side) {
        (Side::Source, Side::Dest)
    }
}

impl Point for TeamPoint<'_> {
    #[inline(always)]
    fn pe(&self, member: u32) -> Pe {
        Self::pe(self, member)
    }
}

impl Point for LevelPoint<'_> {
    fn pe(&self, member: u32) -> Pe {
        Self::pe(self, member)
    }

    fn chunk(&self, room: usize) -> usize {
        if self.is_on_node() { CHUNK_BYTES } else { room }
    }

    fn flag_follows(&self) -> bool {
        self.is_between_nodes()
    }

    fn sides(&self) -> (Side, Side) {
        self.sides
    }
}

impl Point for ActivePoint<'_> {
    #[inline(always)]
    fn pe(&self, member: u32) -> Pe {
        Self::pe(self, member)
    }
}

/// Elements that are combined with those of each member in turn, up to `N` bytes at a time.
pub(crate) struct Accumulator<const N: usize = CHUNK_BYTES> {
    combine: Reducer,
    /// The ticket of the last put that the network reads from the elements.
    given: Option<u64>,
    elements: Chunk<N>,
    /// For what must be read before it is overwritten, and what no load reaches.
    spare: Chunk<N>,
}

/// An accumulator for members between which a network moves the data. Each chunk waits for the one before, so there
/// should be few.
pub(crate) type LargeAccumulator = Accumulator<{ 512 << 10 }>;

#[repr(C, align(64))]
struct Chunk<const N: usize>(MaybeUninit<[u8; N]>);

impl<const N: usize> Chunk<N> {
    fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

impl<const N: usize> Accumulator<N> {
    #[inline(always)]
    pub(crate) fn new(combine: Reducer) -> Self {
        Self { combine, given: None, elements: Chunk(MaybeUninit::uninit()), spare: Chunk(MaybeUninit::uninit()) }
    }

    /// For one that is too large for the stack.
    pub(crate) fn boxed(combine: Reducer) -> Box<Self> {
        let mut new = Box::<Self>::new_uninit();
        // SAFETY: the field lies inside the box; the chunks may hold anything.
        unsafe {
            (&raw mut (*new.as_mut_ptr()).combine).write(combine);
            (&raw mut (*new.as_mut_ptr()).given).write(None);
            new.assume_init()
        }
    }

    /// # Safety
    /// `from` is readable for `bytes` bytes, and no more elements are combined than were taken first.
    #[inline(always)]
    unsafe fn take(&mut self, how: Take, from: *const u8, bytes: usize) {
        assert!(bytes <= N);
        let elements = self.elements.start();
        // SAFETY: the chunk has room for `bytes` bytes; the caller guarantees that the source is readable and that the
        // chunk has been filled.
        unsafe {
            match how {
                Take::First => mapped::copy(elements, from, bytes),
                Take::Next => (self.combine.combine)(elements, from, bytes / self.combine.element),
            }
        }
    }
}

impl<P: Point, A> Members<'_, P, A> {
    /// The address of a byte of a member's object, if the CPU reaches it.
    #[inline(always)]
    fn find(&self, end: End<'_>, member: u32, at: usize) -> Option<*mut u8> {
        let pe = self.point.pe(member);
        let offset = end.at.offset.0 as usize + at;
        let found = end.near.at(offset, pe.number()).or_else(|| end.near.look_up_at(offset, pe.number()));
        found.or_else(|| self.find_slow(shifted(end, at), pe))
    }

    /// Like [`Self::find`], if the inline fast path finds nothing, as in check mode.
    #[cold]
    #[inline(never)]
    fn find_slow(&self, at: At, pe: Pe) -> Option<*mut u8> {
        match self.shmem.memory().remote(at, pe) {
            Remote::Near(address) => Some(std::ptr::with_exposed_provenance_mut(address)),
            _ => None,
        }
    }

    /// This member's own object.
    #[inline(always)]
    fn own(&self, end: End<'_>, at: usize) -> *mut u8 {
        self.find(end, self.point.me(), at).expect("a PE reaches its own memory")
    }

    /// The object that this phase reads.
    #[inline(always)]
    fn from(&self) -> End<'_> {
        self.end(self.point.sides().0)
    }

    /// The object that this phase writes.
    #[inline(always)]
    fn to(&self) -> End<'_> {
        self.end(self.point.sides().1)
    }

    #[inline(always)]
    fn end(&self, side: Side) -> End<'_> {
        match side {
            Side::Source => self.source,
            Side::Dest => self.dest,
        }
    }

    /// Copies to a member's object. If the network does it and reads the source later, returns the ticket from which on
    /// the source may change.
    ///
    /// # Safety
    /// `from` is readable for `bytes` bytes until the lane has reached the ticket.
    #[inline(always)]
    unsafe fn write(&self, end: End<'_>, member: u32, at: usize, from: *const u8, bytes: usize) -> Option<u64> {
        match self.find(end, member, at) {
            Some(to) if to.cast_const() == from => None,
            Some(to) => {
                // SAFETY: the schedules stay inside source and dest, which were found to be symmetric memory of `bytes`
                // bytes.
                unsafe { mapped::copy(to, from, bytes) };
                None
            }
            None => {
                let local = Local { address: from.expose_provenance(), on_gpu: false };
                // SAFETY: the caller guarantees that the source is readable.
                unsafe { self.transfer(Operation::Put(local, Shape::Bytes(bytes)), shifted(end, at), member) }
            }
        }
    }

    /// Copies from a member's object.
    ///
    /// # Safety
    /// `to` is writable for `bytes` bytes.
    #[inline(always)]
    unsafe fn read(&self, end: End<'_>, member: u32, at: usize, to: *mut u8, bytes: usize) {
        match self.find(end, member, at) {
            Some(from) if from == to => {}
            // SAFETY: the schedules stay inside source and dest, which were found to be symmetric memory of `bytes`
            // bytes.
            Some(from) => unsafe { mapped::copy(to, from, bytes) },
            None => {
                let local = Local { address: to.expose_provenance(), on_gpu: false };
                let get = Operation::Get(local, Shape::Bytes(bytes));
                // SAFETY: the caller guarantees that the target is writable.
                if let Some(ticket) = unsafe { self.transfer(get, shifted(end, at), member) } {
                    self.wait_for(ticket);
                }
            }
        }
    }

    /// Moves data by a transfer. It is complete on return, unless the network moves the data and this returns a ticket.
    /// The others wait in the collective, so an error ends the job.
    ///
    /// # Safety
    /// The local end is valid for all bytes, until the lane has reached the ticket.
    #[cold]
    #[inline(never)]
    unsafe fn transfer(&self, operation: Operation, remote: At, member: u32) -> Option<u64> {
        let transfers = self.shmem.transfers();
        let pe = self.point.pe(member);
        if let (Remote::Net(far), Some(network)) = (transfers.memory().remote(remote, pe), transfers.sync().network()) {
            let lane = network.collective();
            // SAFETY: the caller guarantees that the local end is valid; the schedules stay inside source and dest.
            let posted = unsafe {
                match operation {
                    Operation::Put(local, shape) if self.point.flag_follows() => {
                        lane.send_long(far, local.address, shape.bytes())
                    }
                    Operation::Put(local, shape) => lane.put(far, local.address, shape.bytes()),
                    Operation::Get(local, shape) => lane.get(far, local.address, shape.bytes()).map(Some),
                    Operation::Amo { .. } => unreachable!("collectives move data"),
                }
            };
            return posted.unwrap_or_else(|error| self.shmem.job().end(self.operation, &error));
        }
        let transfer = Transfer { operation, pe, remote, when: Completion::Blocking };
        // SAFETY: the caller guarantees that the local end is valid; the schedules stay inside source and dest.
        let done = unsafe { transfers.issue_part(transfers.default_context(), &transfer) };
        if let Err(error) = done {
            self.shmem.job().end(self.operation, &crate::Error::argument(self.operation, "its buffer", error));
        }
        None
    }

    /// Waits until the network's lane of collectives has reached a ticket.
    fn wait_for(&self, ticket: u64) {
        if let Some(network) = self.shmem.sync().network() {
            let done = network.collective().wait(ticket);
            done.unwrap_or_else(|error| self.shmem.job().end(self.operation, &error));
        }
    }
}

fn shifted(end: End<'_>, at: usize) -> At {
    At { offset: SymOffset(end.at.offset.0 + at as u64), ..end.at }
}

/// A member with flags.
pub(crate) trait FlagPoint: Point + Flags {
    /// The address of the data in a member's stage.
    fn stage(&self, member: u32, stage: usize, at: usize, bytes: usize) -> *mut u8;
    /// The address at which this member writes its stage.
    fn own_stage(&mut self, stage: usize, at: usize, bytes: usize) -> *mut u8;
}

impl FlagPoint for TeamPoint<'_> {
    #[inline(always)]
    fn stage(&self, member: u32, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        Self::stage(self, member, stage, at, bytes)
    }

    #[inline(always)]
    fn own_stage(&mut self, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        Self::stage(self, self.me(), stage, at, bytes)
    }
}

impl FlagPoint for LevelPoint<'_> {
    fn stage(&self, member: u32, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        Self::stage(self, member, stage, at, bytes)
    }

    fn own_stage(&mut self, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        Self::own_stage(self, stage, at, bytes)
    }
}

impl<P: Point, A> Group for Members<'_, P, A> {
    #[inline(always)]
    fn size(&self) -> u32 {
        self.point.size()
    }

    #[inline(always)]
    fn me(&self) -> u32 {
        self.point.me()
    }

    #[inline(always)]
    fn sync(&mut self) {
        self.point.sync();
    }
}

impl<P: Point, A> Copies for Members<'_, P, A> {
    #[inline(always)]
    fn put(&mut self, to: u32, dest_at: usize, source_at: usize, bytes: usize) {
        // SAFETY: this member's source has `bytes` bytes.
        unsafe { self.write(self.to(), to, dest_at, self.own(self.from(), source_at), bytes) };
    }

    #[inline(always)]
    fn get(&mut self, from: u32, dest_at: usize, source_at: usize, bytes: usize) {
        // SAFETY: this member's dest has `bytes` bytes.
        unsafe { self.read(self.from(), from, source_at, self.own(self.to(), dest_at), bytes) };
    }
}

impl<P: Point, const N: usize> Members<'_, P, &mut Accumulator<N>> {
    /// Returns when the elements may change.
    #[inline(always)]
    fn await_given(&mut self) {
        if let Some(ticket) = self.accumulator.given.take() {
            self.wait_for(ticket);
        }
    }

    /// # Safety
    /// The conditions of [`Accumulator::take`].
    #[inline(always)]
    unsafe fn combine(&mut self, how: Take, from: *const u8, bytes: usize) {
        self.await_given();
        // SAFETY: the caller guarantees it.
        unsafe { self.accumulator.take(how, from, bytes) };
    }
}

impl<P: Point, const N: usize> Fold for Members<'_, P, &mut Accumulator<N>> {
    #[inline(always)]
    fn element(&self) -> usize {
        self.accumulator.combine.element
    }

    #[inline(always)]
    fn chunk(&self) -> usize {
        self.point.chunk(N)
    }

    fn zero(&mut self, bytes: usize) {
        assert!(bytes <= N);
        self.await_given();
        // SAFETY: the chunk has room for `bytes` bytes.
        unsafe { self.accumulator.elements.start().write_bytes(0, bytes) };
    }

    #[inline(always)]
    fn take(&mut self, how: Take, from: u32, source_at: usize, bytes: usize) {
        assert!(bytes <= N);
        let elements = match self.find(self.from(), from, source_at) {
            Some(found) => found,
            None if how == Take::First => {
                self.await_given();
                let elements = self.accumulator.elements.start();
                // SAFETY: the chunk has room for `bytes` bytes.
                return unsafe { self.read(self.from(), from, source_at, elements, bytes) };
            }
            None => {
                let spare = self.accumulator.spare.start();
                // SAFETY: the spare chunk has room for `bytes` bytes.
                unsafe { self.read(self.from(), from, source_at, spare, bytes) };
                spare
            }
        };
        // SAFETY: the source, or what was read of it, has `bytes` bytes; the schedules take the same number of bytes
        // from each member.
        unsafe { self.combine(how, elements, bytes) };
    }

    #[inline(always)]
    fn give(&mut self, to: u32, dest_at: usize, bytes: usize) {
        assert!(bytes <= N);
        let elements = self.accumulator.elements.start();
        // SAFETY: the schedules have taken `bytes` bytes before. The elements change only when the put has read them
        // (`await_given`), and are dropped only behind `settle` or `complete`, which end each schedule between nodes;
        // after a panic, the point waits (`LevelPoint`).
        let posted = unsafe { self.write(self.to(), to, dest_at, elements, bytes) };
        self.accumulator.given = posted.or(self.accumulator.given);
    }

    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize) {
        assert!(bytes <= N);
        let spare = self.accumulator.spare.start();
        // SAFETY: the spare chunk has room for `bytes` bytes.
        unsafe { self.read(self.from(), member, at, spare, bytes) };
        self.give(member, at, bytes);
        // SAFETY: `bytes` bytes were read into the spare chunk.
        unsafe { self.combine(how, spare, bytes) };
    }
}

impl<P: FlagPoint, A> Flags for Members<'_, P, A> {
    #[inline(always)]
    fn progress(&self) -> &Progress {
        self.point.progress()
    }

    #[inline(always)]
    fn post(&mut self, flag: Flag, value: u64) {
        self.point.post(flag, value);
    }

    #[inline(always)]
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        self.point.wait(member, flag, value)
    }

    #[inline(always)]
    fn stage_word(&mut self, stage: usize, index: usize, value: u64) {
        self.point.stage_word(stage, index, value);
    }

    #[inline(always)]
    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64 {
        self.point.staged_word(from, stage, index)
    }
}

impl<P: FlagPoint, A> Stages for Members<'_, P, A> {
    #[inline(always)]
    fn stage(&mut self, stage: usize, at: usize, source_at: usize, bytes: usize) {
        let to = self.point.own_stage(stage, at, bytes);
        // SAFETY: the stage has room for `bytes` bytes; this member's source has `bytes` bytes.
        unsafe { mapped::copy(to, self.own(self.from(), source_at), bytes) };
    }

    #[inline(always)]
    fn unstage(&mut self, from: u32, stage: usize, at: usize, dest_at: usize, bytes: usize) {
        let from = self.point.stage(from, stage, at, bytes);
        // SAFETY: the stage has `bytes` bytes; this member's dest has room for `bytes` bytes.
        unsafe { mapped::copy(self.own(self.to(), dest_at), from, bytes) };
    }
}

impl<P: FlagPoint, const N: usize> StagedFold for Members<'_, P, &mut Accumulator<N>> {
    #[inline(always)]
    fn take_stage(&mut self, how: Take, from: u32, stage: usize, bytes: usize) {
        let from = self.point.stage(from, stage, 0, bytes);
        // SAFETY: the stage has `bytes` bytes; the schedules take the same number of bytes from each member.
        unsafe { self.combine(how, from, bytes) };
    }

    #[inline(always)]
    fn give_stage(&mut self, stage: usize, bytes: usize) {
        assert!(bytes <= STAGE_BYTES);
        let to = self.point.own_stage(stage, 0, bytes);
        // SAFETY: the stage has room for `bytes` bytes; the schedules have taken `bytes` bytes before.
        unsafe { mapped::copy(to, self.accumulator.elements.start(), bytes) };
    }
}

impl<A> Levels for Members<'_, LevelPoint<'_>, A> {
    fn layout(&self) -> &Layout {
        self.point.layout()
    }

    fn enter(&mut self, level: Level, from: Side, to: Side) {
        self.point.enter(level, from, to);
    }

    fn complete(&mut self) {
        self.point.complete();
    }

    fn settle(&mut self) {
        self.point.settle();
    }
}

impl<A> Counts for Members<'_, ActivePoint<'_>, A> {
    fn sums(&mut self, mine: usize) -> (usize, usize) {
        self.point.sums(mine)
    }
}

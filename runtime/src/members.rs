//! The members of a collective on mapped host memory: what the schedules of `cushmem_collective` run on.
//!
//! No reference to a peer's memory exists. A range is copied to memory of this process, or combined with it, at a time when
//! the schedule and the specification's rules for `source` and `dest` let nobody write it.

use crate::flags::Awaited;
use crate::fold::Fold as Combine;
use crate::host_heap::TeamArea;
use crate::{PeSet, Shmem, Team, mapped};
use cushmem_collective::{CHUNK_BYTES, Flag, Flags, Fold, Group, Progress, STAGE_BYTES, StagedFold, Take, sync};
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;

/// Members of a collective, how they meet, and what they combine with, if they do.
pub(crate) struct Members<'a, M, A = ()> {
    pub(crate) shmem: &'a Shmem,
    pub(crate) operation: &'static str,
    pub(crate) pes: PeSet,
    pub(crate) me: u32,
    pub(crate) source: End,
    pub(crate) dest: End,
    pub(crate) meeting: M,
    pub(crate) accumulator: A,
}

/// Where an object is on all members: at equal distances, but for this PE's own, which may be elsewhere.
#[derive(Clone, Copy, Default)]
pub(crate) struct End {
    pub(crate) on_0: usize,
    pub(crate) stride: usize,
    pub(crate) own: usize,
}

/// How members wait for each other.
pub(crate) trait Meeting: Sized {
    fn sync<A>(members: &mut Members<'_, Self, A>);
}

/// Elements that are combined with those of all members in turn.
pub(crate) struct Accumulator {
    combine: Combine,
    elements: Chunk,
    /// For what must be read before it is overwritten.
    spare: Chunk,
}

#[repr(C, align(64))]
struct Chunk(MaybeUninit<[u8; CHUNK_BYTES]>);

impl Accumulator {
    #[inline(always)]
    pub(crate) fn new(combine: Combine) -> Self {
        Self { combine, elements: Chunk(MaybeUninit::uninit()), spare: Chunk(MaybeUninit::uninit()) }
    }

    /// # Safety
    /// `from` is readable for as many bytes, and no more elements are combined than were taken first.
    #[inline(always)]
    unsafe fn take(&mut self, how: Take, from: *const u8, bytes: usize) {
        assert!(bytes <= CHUNK_BYTES);
        let elements = self.elements.0.as_mut_ptr().cast();
        // SAFETY: the chunk has room for as many; the caller vouches for the source and for what is in the chunk.
        unsafe {
            match how {
                Take::First => mapped::copy(elements, from, bytes),
                Take::Next => (self.combine.combine)(elements, from, bytes / self.combine.element),
            }
        }
    }
}

impl<M, A> Members<'_, M, A> {
    #[inline(always)]
    fn at(&self, end: End, member: u32, at: usize) -> *mut u8 {
        let theirs = || end.on_0 + self.pes.at(member) as usize * end.stride;
        let start = if member == self.me { end.own } else { theirs() };
        std::ptr::with_exposed_provenance_mut(start + at)
    }
}

impl<M: Meeting, A> Group for Members<'_, M, A> {
    #[inline(always)]
    fn size(&self) -> u32 {
        self.pes.size()
    }

    #[inline(always)]
    fn me(&self) -> u32 {
        self.me
    }

    #[inline(always)]
    fn sync(&mut self) {
        M::sync(self);
    }

    #[inline(always)]
    fn put(&mut self, to: u32, dest_at: usize, source_at: usize, bytes: usize) {
        let (to, from) = (self.at(self.dest, to, dest_at), self.at(self.source, self.me, source_at));
        if to != from {
            // SAFETY: the schedules stay inside source and dest, which were found to be symmetric memory of as many bytes.
            unsafe { mapped::copy(to, from, bytes) };
        }
    }

    #[inline(always)]
    fn get(&mut self, from: u32, dest_at: usize, source_at: usize, bytes: usize) {
        let (to, from) = (self.at(self.dest, self.me, dest_at), self.at(self.source, from, source_at));
        if to != from {
            // SAFETY: as in `put`.
            unsafe { mapped::copy(to, from, bytes) };
        }
    }
}

impl<M: Meeting> Fold for Members<'_, M, &mut Accumulator> {
    #[inline(always)]
    fn element(&self) -> usize {
        self.accumulator.combine.element
    }

    fn zero(&mut self, bytes: usize) {
        assert!(bytes <= CHUNK_BYTES);
        // SAFETY: the chunk has room for as many.
        unsafe { self.accumulator.elements.0.as_mut_ptr().cast::<u8>().write_bytes(0, bytes) };
    }

    #[inline(always)]
    fn take(&mut self, how: Take, from: u32, source_at: usize, bytes: usize) {
        let from = self.at(self.source, from, source_at);
        // SAFETY: as in `put`; the schedules take as many bytes of each member.
        unsafe { self.accumulator.take(how, from, bytes) };
    }

    #[inline(always)]
    fn give(&mut self, to: u32, dest_at: usize, bytes: usize) {
        assert!(bytes <= CHUNK_BYTES);
        let to = self.at(self.dest, to, dest_at);
        // SAFETY: as in `put`; the schedules took as many bytes before.
        unsafe { mapped::copy(to, self.accumulator.elements.0.as_ptr().cast(), bytes) };
    }

    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize) {
        assert!(bytes <= CHUNK_BYTES);
        let from = self.at(self.source, member, at);
        // SAFETY: as in `take`; the spare chunk has room for as many.
        unsafe { mapped::copy(self.accumulator.spare.0.as_mut_ptr().cast(), from, bytes) };
        self.give(member, at, bytes);
        let spare = self.accumulator.spare.0.as_ptr().cast();
        // SAFETY: as many bytes were copied there.
        unsafe { self.accumulator.take(how, spare, bytes) };
    }
}

impl Meeting for &Team {
    #[inline(always)]
    fn sync<A>(members: &mut Members<'_, Self, A>) {
        sync(members);
    }
}

impl<A> Members<'_, &Team, A> {
    /// Place in a PE's slice.
    #[inline(always)]
    fn place(&self, in_area: usize) -> usize {
        self.meeting.area() + in_area
    }

    #[inline(always)]
    fn data(&self, member: u32, stage: usize, at: usize, bytes: usize) -> *mut u8 {
        assert!(at + bytes <= STAGE_BYTES);
        self.shmem.host.at(self.pes.at(member), (self.place(TeamArea::data(stage)) + at) as u64)
    }
}

impl<A> Flags for Members<'_, &Team, A> {
    #[inline(always)]
    fn progress(&self) -> &Progress {
        &self.meeting.progress
    }

    #[inline(always)]
    fn post(&mut self, flag: Flag, value: u64) {
        let my_pe = self.pes.at(self.me);
        self.shmem.post(my_pe, self.shmem.host.word(my_pe, self.place(TeamArea::flag(flag))), value);
    }

    #[inline(always)]
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        let pe = self.pes.at(member);
        let word = self.shmem.host.word(pe, self.place(TeamArea::flag(flag)));
        self.shmem.await_flag(word, value, || Awaited { operation: self.operation, pes: self.pes, pe, slice: pe })
    }

    #[inline(always)]
    fn stage(&mut self, stage: usize, at: usize, source_at: usize, bytes: usize) {
        let (to, from) = (self.data(self.me, stage, at, bytes), self.at(self.source, self.me, source_at));
        // SAFETY: the stage has room for as many; as in `put` for the source.
        unsafe { mapped::copy(to, from, bytes) };
    }

    #[inline(always)]
    fn unstage(&mut self, from: u32, stage: usize, at: usize, dest_at: usize, bytes: usize) {
        let (to, from) = (self.at(self.dest, self.me, dest_at), self.data(from, stage, at, bytes));
        // SAFETY: the stage has as many; as in `put` for the dest.
        unsafe { mapped::copy(to, from, bytes) };
    }

    #[inline(always)]
    fn stage_word(&mut self, stage: usize, index: usize, value: u64) {
        let word = self.data(self.me, stage, index * 8, 8).cast();
        // SAFETY: an aligned word of symmetric host memory. Relaxed: the round's flag orders it.
        unsafe { mapped::store(word, value, Ordering::Relaxed) };
    }

    #[inline(always)]
    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64 {
        // SAFETY: an aligned word of symmetric host memory. Relaxed: as above.
        unsafe { mapped::load(self.data(from, stage, index * 8, 8).cast(), Ordering::Relaxed) }
    }
}

impl StagedFold for Members<'_, &Team, &mut Accumulator> {
    #[inline(always)]
    fn take_stage(&mut self, how: Take, from: u32, stage: usize, bytes: usize) {
        let from = self.data(from, stage, 0, bytes);
        // SAFETY: the stage has as many; the schedules take as many bytes of each member.
        unsafe { self.accumulator.take(how, from, bytes) };
    }

    #[inline(always)]
    fn give_stage(&mut self, stage: usize, bytes: usize) {
        let to = self.data(self.me, stage, 0, bytes);
        // SAFETY: the stage has room for as many; the schedules took as many bytes before.
        unsafe { mapped::copy(to, self.accumulator.elements.0.as_ptr().cast(), bytes) };
    }
}

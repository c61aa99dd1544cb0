//! Fetches lines of cached arrays to their slots, and writes them back: out of line, from the addresses in the array's
//! head, so that a hit needs few registers.
//!
//! A line of another PE's memory is copied by a get and a put, by whatever path these take. A line of a file travels
//! in a chunk of the command ring, which the CPU reads from the file or writes to it.

use crate::command::{Ring, chunk_at, claim_chunk, send_chunk};
use crate::fail::fail;
use crate::wait::{Polls, REPORT_AFTER_NS};
use crate::{Ctx, DevPtr, Scope, Word, arch, bulk, my_pe, report};
use core::cell::Cell;
use core::mem::offset_of;
use cushmem_abi::{ArrayHead, CommandHead, CommandKind, ErrorCode, RING_CHUNKS};
use cushmem_protocol::lines::{self, CLEAN, Memory, THERE};

/// The cache of an array, and how a lane waits for a line or a slot.
pub(crate) struct Cache {
    states: u64,
    owners: u64,
    hand: u64,
    slots: u32,
    polls: Polls,
    reports: Cell<bool>,
}

impl Cache {
    /// What a hit needs.
    #[inline(always)]
    pub(crate) const fn states(states: u64) -> Self {
        Self::new([states, 0, 0], 1)
    }

    #[inline(always)]
    fn of(head: Head) -> Self {
        let owners = head.word(offset_of!(ArrayHead, owners));
        let hand = head.0 + offset_of!(ArrayHead, hand) as u64;
        let slots = head.word(offset_of!(ArrayHead, slots)) as u32;
        Self::new([head.word(offset_of!(ArrayHead, states)), owners, hand], slots)
    }

    #[inline(always)]
    const fn new([states, owners, hand]: [u64; 3], slots: u32) -> Self {
        Self { states, owners, hand, slots, polls: Polls::new(), reports: Cell::new(false) }
    }

    #[inline(always)]
    fn state_at(&self, line: u32) -> DevPtr<u64> {
        DevPtr::from_address(self.states + 8 * u64::from(line))
    }

    #[inline(always)]
    fn owner_at(&self, slot: u32) -> DevPtr<u64> {
        DevPtr::from_address(self.owners + 8 * u64::from(slot))
    }

    /// The result of a wait. A wait never gives up: it ends the kernel.
    #[inline(always)]
    fn given<T>(&self, found: Result<T, lines::GaveUp>) -> T {
        self.polls.begin();
        if self.reports.replace(false) {
            report::withdraw();
        }
        match found {
            Ok(found) => found,
            Err(lines::GaveUp(line)) => late(line),
        }
    }
}

/// Ends the kernel: a line, or a slot for it, did not come. It gets a number, as a reference would put the cache into
/// local memory.
#[cold]
#[inline]
fn late(line: u32) -> ! {
    fail(ErrorCode::LineTimeout, my_pe(), line.into(), arch::context_wait_limit_ns())
}

// SAFETY of all accesses: the words are in the array's memory, which exists until the kernel has ended, and change only
// by atomic operations.
impl Memory for Cache {
    #[inline(always)]
    fn slots(&self) -> u32 {
        self.slots
    }
    #[inline(always)]
    fn add_user(&self, line: u32) -> u64 {
        // SAFETY: see above. SYNC(lines) acquire: pairs with the releases of the state.
        unsafe { arch::atom_add_acquire_gpu_u64(self.state_at(line).raw(), 1) }
    }
    #[inline(always)]
    fn remove_user(&self, line: u32, after: u64) {
        // SAFETY: see above. SYNC(lines) relaxed: the subtrahend depends on what was read, and so comes behind.
        unsafe { arch::red_add_dependent_gpu_u64(self.state_at(line).raw(), (1 + after).wrapping_neg()) }
    }
    #[inline(always)]
    fn add(&self, line: u32, n: u64) {
        // SAFETY: see above. SYNC(lines) release: pairs with the acquires of the state.
        unsafe { arch::red_add_release_gpu_u64(self.state_at(line).raw(), n) }
    }
    #[inline(always)]
    fn set(&self, line: u32, bits: u64) {
        // SAFETY: see above. SYNC(lines) release: pairs with the acquires of the state.
        unsafe { arch::red_or_release_gpu_u64(self.state_at(line).raw(), bits) }
    }
    #[inline(always)]
    fn state(&self, line: u32) -> u64 {
        // SAFETY: see above. SYNC(lines) acquire: pairs with the releases of the state.
        unsafe { arch::ld_acquire_gpu_u64(self.state_at(line).raw()) }
    }
    #[inline(always)]
    fn change(&self, line: u32, expected: u64, new: u64) -> Result<(), u64> {
        // SAFETY: see above. SYNC(lines) acquire and release: pairs with the others.
        let before = unsafe { arch::atom_cas_acq_rel_gpu_u64(self.state_at(line).raw(), expected, new) };
        if before == expected { Ok(()) } else { Err(before) }
    }
    #[inline(always)]
    fn owner(&self, slot: u32) -> u64 {
        // SAFETY: see above. SYNC(lines) acquire: pairs with the changes of the owner.
        unsafe { arch::ld_acquire_gpu_u64(self.owner_at(slot).raw()) }
    }
    #[inline(always)]
    fn change_owner(&self, slot: u32, expected: u64, new: u64) -> bool {
        // SAFETY: see above. SYNC(lines) acquire and release: whoever takes the slot pairs with whoever gave it
        // up, or has forgotten what was there.
        unsafe { arch::atom_cas_acq_rel_gpu_u64(self.owner_at(slot).raw(), expected, new) == expected }
    }
    #[inline(always)]
    fn next_turn(&self) -> u32 {
        // SAFETY: see above.
        unsafe { arch::atom_add_relaxed_gpu_u64(DevPtr::from_address(self.hand).raw(), 1) as u32 }
    }
    /// Ends the kernel when the limit has passed, after a look that comes behind it.
    #[inline(always)]
    fn pause(&self, line: u32) -> bool {
        arch::pause_among_blocks();
        if let Some(elapsed) = self.polls.count() {
            if self.polls.is_late(elapsed) {
                late(line);
            }
            if elapsed > REPORT_AFTER_NS && !self.reports.get() {
                self.reports.set(report::write_line(self.state_at(line), line));
            }
        }
        true
    }
}

/// The address of an [`ArrayHead`].
#[derive(Clone, Copy)]
struct Head(u64);

impl Head {
    #[inline(always)]
    fn word(self, offset: usize) -> u64 {
        // SAFETY: the head exists as long as the array, and the host wrote it before the kernel.
        unsafe { arch::ld_weak_u64(DevPtr::from_address(self.0 + offset as u64).raw()) }
    }

    #[inline(always)]
    fn slot(self, slot: u32) -> DevPtr<u8> {
        let bytes = self.word(offset_of!(ArrayHead, line_bytes));
        DevPtr::from_address(self.word(offset_of!(ArrayHead, data)) + u64::from(slot) * bytes)
    }
}

/// Lanes of a warp, with a bit for each.
#[derive(Clone, Copy)]
struct Group(u32);

impl Group {
    #[inline(always)]
    fn leader(self) -> u32 {
        self.0.trailing_zeros()
    }

    #[inline(always)]
    fn leads(self) -> bool {
        arch::lane_id() == self.leader()
    }

    /// The leader's number.
    #[inline(always)]
    fn share(self, number: u32) -> u32 {
        arch::shfl_idx(self.0, number, self.leader())
    }
}

impl Scope for Group {
    const UNROLL: usize = 4;
    #[inline(always)]
    fn lane(self) -> usize {
        (self.0 & !(u32::MAX << arch::lane_id())).count_ones() as usize
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        arch::opaque(self.0.count_ones() as usize)
    }
    #[inline(always)]
    fn sync(self) {
        arch::syncwarp(self.0);
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        arch::syncwarp(self.0);
        arch::ballot(self.0, holds) != 0
    }
}

/// Pins a line that was not there a moment ago, and returns its slot, with its bytes. All lanes of `mask` call it
/// together; the first one pins.
#[cold]
#[inline(never)]
pub(crate) fn line<T: Word + Into<u64>>(head: T, mask: u32, line: u32) -> u32 {
    let (head, group) = (Head(head.into()), Group(mask));
    let cache = Cache::of(head);
    let (mut slot, mut what) = (0, 0);
    if group.leads() {
        let pinned = cache.given(lines::pin(&cache, line));
        (slot, what) = (pinned.slot(), pinned.what());
    }
    let (slot, what) = (group.share(slot), group.share(what));
    // What the leader has acquired, the others see after this.
    group.sync();
    if what == THERE {
        return slot;
    }
    if what != CLEAN {
        write_back(head, group, what, slot);
        if group.leads() {
            lines::written_back(&cache, what, slot, line);
        }
    }
    fetch(head, group, line, slot);
    if group.leads() {
        lines::fetched(&cache, line, slot);
    }
    group.sync();
    slot
}

/// Writes back the slots with these numbers that are dirty: `first`, and each `step`th behind it. Each lane calls it on
/// its own.
#[cold]
#[inline(never)]
pub(crate) fn flush<T: Word + Into<u64>>(head: T, first: T, step: T) {
    let head = Head(head.into());
    let (mut slot, cache) = (first.into(), Cache::of(head));
    while slot < u64::from(cache.slots) {
        if let Some(line) = cache.given(lines::flush(&cache, slot as u32)) {
            write_back(head, Group(1 << arch::lane_id()), line, slot as u32);
            lines::flushed(&cache, line);
        }
        slot += step.into();
    }
    if cache.slots == 0 {
        // Without a cache, the elements were stored where they belong.
        Ctx::DEFAULT.quiet();
    }
}

/// Forgets what is in the slots with these numbers, unless it is dirty; see [`flush`].
#[cold]
#[inline(never)]
pub(crate) fn forget<T: Word + Into<u64>>(head: T, first: T, step: T) {
    let (mut slot, cache) = (first.into(), Cache::of(Head(head.into())));
    while slot < u64::from(cache.slots) {
        cache.given(lines::forget(&cache, slot as u32));
        slot += step.into();
    }
}

/// Where a line is: the PE, and the address of its bytes there.
#[inline(always)]
fn place(head: Head, line: u32) -> (u32, DevPtr<u8>) {
    let per_pe = head.word(offset_of!(ArrayHead, lines_per_pe)) as u32;
    let bytes = head.word(offset_of!(ArrayHead, line_bytes));
    let at = head.word(offset_of!(ArrayHead, elements)) + u64::from(line % per_pe) * bytes;
    (line / per_pe, DevPtr::from_address(at))
}

/// Copies a line to its slot. On return, all lanes of the group may read it.
#[inline(always)]
fn fetch(head: Head, group: Group, line: u32, slot: u32) {
    let bytes = head.word(offset_of!(ArrayHead, line_bytes)) as usize;
    if head.word(offset_of!(ArrayHead, elements)) == 0 {
        return fetch_from_file(head, group, line, slot);
    }
    let (pe, from) = place(head, line);
    // SAFETY: the line is within the elements, and the slot is this group's.
    unsafe { Ctx::DEFAULT.get(group, head.slot(slot), from, bytes, pe) };
}

/// Copies a slot to where its line belongs. On return, it is there for whoever learns of it.
#[inline(always)]
fn write_back(head: Head, group: Group, line: u32, slot: u32) {
    let bytes = head.word(offset_of!(ArrayHead, line_bytes)) as usize;
    if head.word(offset_of!(ArrayHead, elements)) == 0 {
        return write_back_to_file(head, group, line, slot);
    }
    let (pe, to) = place(head, line);
    // SAFETY: the line is within the elements; the slot is this group's, or pinned by the line's `BUSY`. In a flush,
    // lanes may store to the slot meanwhile, by relaxed stores of words. Formally that is a race, because the copy
    // loads vectors; it finds each word old or new (docs/memory-model.md), and what it misses is dirty again.
    unsafe { Ctx::DEFAULT.put(group, to, head.slot(slot), bytes, pe) };
    Ctx::DEFAULT.quiet_by(group);
}

/// Where a line begins in its file, and how many bytes of it there are.
#[inline(always)]
fn place_in_file(head: Head, line: u32) -> (u64, u64) {
    let bytes = head.word(offset_of!(ArrayHead, line_bytes));
    let at = u64::from(line) * bytes;
    (at, bytes.min(head.word(offset_of!(ArrayHead, bytes)) - at))
}

/// Claims a chunk for the group. Returns its ticket, on the leader, and where it is.
#[inline(always)]
fn claim(group: Group) -> (u64, DevPtr<u8>) {
    let claimed = if group.leads() { claim_chunk(0u64) } else { 0 };
    (claimed, chunk_at(group.share((claimed % RING_CHUNKS as u64) as u32).into()))
}

#[inline(always)]
fn fetch_from_file(head: Head, group: Group, line: u32, slot: u32) {
    let ((claimed, chunk), (_, n)) = (claim(group), place_in_file(head, line));
    if group.leads() {
        ask(CommandKind::ReadFile.number().into(), head.0, line.into(), claimed);
    }
    group.sync();
    // SAFETY: the chunk is this group's until it is freed, and so is the slot until the line is fetched.
    unsafe { bulk::copy_from_there(group, head.slot(slot), chunk, n as usize) };
    group.sync();
    if group.leads() {
        let free = CommandHead { kind: CommandKind::FreeChunk.number(), width: 0, context: 0, pe: 0 };
        send_chunk(&Ring::new(None), free.bits(), 0, claimed, 0);
    }
}

#[inline(always)]
fn write_back_to_file(head: Head, group: Group, line: u32, slot: u32) {
    let ((claimed, chunk), (_, n)) = (claim(group), place_in_file(head, line));
    // SAFETY: the chunk is this group's until the command is posted; the slot is this group's, or pinned. For words
    // that lanes store meanwhile, see `write_back`.
    unsafe { bulk::copy_from_here(group, chunk, head.slot(slot), n as usize) };
    group.sync();
    if group.leads() {
        ask(CommandKind::WriteFile.number().into(), head.0, line.into(), claimed);
    }
    group.sync();
}

/// Makes the CPU read a line of a file to a chunk, or write it from there, and waits until it has. If it cannot, it
/// ends the job.
#[cold]
#[inline(never)]
fn ask<T: Word + Into<u64>>(kind: T, head: T, line: T, chunk: T) {
    let head = Head(head.into());
    let (at, n) = place_in_file(head, line.into() as u32);
    let ring = Ring::new(None);
    // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU. What the lanes have
    // stored in the chunk comes first.
    arch::fence_acq_rel_sys();
    let command = CommandHead { kind: kind.into() as u8, width: 0, context: 0, pe: 0 }.bits();
    let (_, reply) =
        ring.send_more(command, [head.word(offset_of!(ArrayHead, file)), chunk.into(), n], [at, 0, 0], true);
    ring.answer(reply);
    // SYNC(command-reply) fence: pairs with the release of the reply on the CPU; the bytes come before it.
    arch::fence_acq_rel_sys();
}

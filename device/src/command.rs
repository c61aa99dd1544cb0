//! What this GPU cannot do itself: a command to a thread of the CPU, which does it. [`cushmem_protocol::ring`] has the protocol.
//!
//! Commands are posted by calls, out of line, so that an operation which the GPU carries out itself pays for the test alone.

use crate::fail::fail;
use crate::peer::{refuse, segment_of};
use crate::wait::wait_reported_for;
use crate::{Cmp, DevPtr, Need, Word, arch, far, n_pes};
use core::cell::Cell;
use core::mem::offset_of;
use cushmem_abi::{
    CHUNK_BYTES, CommandHead, CommandKind, DevicePrepared, DeviceRing, ErrorCode, HostRing, RING_CHUNKS, RING_CONTEXTS,
    RING_REPLIES, RING_SLOTS, RingContext, SLOT_WORDS, Segment, SyncArea,
};
use cushmem_protocol::ring::{self, Command};

/// How a lane waits for something in the ring.
pub(crate) trait Wait {
    /// Between two looks at a word.
    fn pause(&self, word: DevPtr<u64>);
}

/// This PE's ring.
pub(crate) struct Ring<W>(pub(crate) W);

/// Since when a lane waits. The clock is slow to read.
pub(crate) struct Clock {
    looks: Cell<u32>,
    since: Cell<u64>,
}

impl Clock {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { looks: Cell::new(0), since: Cell::new(0) }
    }

    /// Between two looks; now and then how many nanoseconds have passed.
    #[inline(always)]
    pub(crate) fn pause(&self) -> Option<u64> {
        arch::pause();
        let looks = self.looks.get();
        self.looks.set(looks.wrapping_add(1));
        if !looks.is_multiple_of(64) {
            return None;
        }
        let now = arch::globaltimer();
        if looks == 0 {
            self.since.set(now);
        }
        Some(now.wrapping_sub(self.since.get()))
    }
}

/// Whether a wait of so many nanoseconds is longer than the limit of all waits, if there is one.
#[inline(always)]
pub(crate) fn is_too_long(elapsed: u64) -> bool {
    let limit = arch::context_wait_limit_ns();
    limit != 0 && elapsed > limit
}

/// To the limit of all waits.
struct ToLimit(Clock);

/// A word of the half in GPU memory.
#[inline(always)]
fn here(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_sync_area() + (offset_of!(SyncArea, ring) + offset) as u64)
}

/// A word of the half in host memory.
#[inline(always)]
fn there(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_ring() + offset as u64)
}

#[inline(always)]
fn context_at(context: u32) -> usize {
    offset_of!(DeviceRing, contexts) + context as usize * size_of::<RingContext>()
}

impl Wait for ToLimit {
    #[inline(always)]
    fn pause(&self, _word: DevPtr<u64>) {
        if self.0.pause().is_some_and(is_too_long) {
            silent(arch::context_wait_limit_ns());
        }
    }
}

impl<W: Wait> ring::Posting for Ring<W> {
    #[inline(always)]
    fn slots(&self) -> u64 {
        RING_SLOTS as u64
    }
    #[inline(always)]
    fn take_ticket(&self) -> u64 {
        // SAFETY: a word of the library's own memory.
        unsafe { arch::atom_add_relaxed_gpu_u64(here(offset_of!(DeviceRing, tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn read_seen(&self) -> u64 {
        // SAFETY: a word of the library's own memory.
        unsafe { u64::load_relaxed_sys(here(offset_of!(DeviceRing, read_seen))) }
    }
    #[inline(always)]
    fn look_at_read(&self) -> u64 {
        // SAFETY: words of the library's own memory, on the GPU and in host memory.
        // SYNC(command-ring) acquire.sys: pairs with the release of `publish_read` on the CPU.
        unsafe {
            let read = u64::load_acquire_sys(there(offset_of!(HostRing, read)));
            arch::red_max_relaxed_gpu_u64(here(offset_of!(DeviceRing, read_seen)).raw(), read);
            read
        }
    }
    #[inline(always)]
    fn store(&self, slot: u64, words: [u64; ring::WORDS]) {
        let at = offset_of!(HostRing, slots) + slot as usize * size_of::<[u64; SLOT_WORDS]>();
        // SAFETY: the slot is this lane's, aligned to its size.
        unsafe {
            arch::st_relaxed_sys_v2_u64(there(at).cast().raw(), [words[0], words[1]]);
            arch::st_relaxed_sys_v2_u64(there(at + 16).cast().raw(), [words[2], words[3]]);
            arch::st_relaxed_sys_v2_u64(there(at + 32).cast().raw(), [words[4], words[5]]);
            arch::st_relaxed_sys_v2_u64(there(at + 48).cast().raw(), [words[6], words[7]]);
        }
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        self.0.pause(there(offset_of!(HostRing, read)));
        true
    }
}

impl<W: Wait> ring::Replies for Ring<W> {
    #[inline(always)]
    fn replies(&self) -> u64 {
        RING_REPLIES as u64
    }
    #[inline(always)]
    fn take_reply_ticket(&self) -> u64 {
        // SAFETY: a word of the library's own memory.
        unsafe { arch::atom_add_relaxed_gpu_u64(here(offset_of!(DeviceRing, reply_tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn given_back(&self, reply: u64) -> u64 {
        // SAFETY: a word of the library's own memory.
        unsafe { u64::load_relaxed_sys(here(offset_of!(DeviceRing, given_back) + reply as usize * 8)) }
    }
    #[inline(always)]
    fn give_back(&self, reply: u64, times: u64) {
        // SAFETY: a word of the library's own memory.
        unsafe { u64::store_relaxed_sys(here(offset_of!(DeviceRing, given_back) + reply as usize * 8), times) }
    }
    #[inline(always)]
    fn load_reply(&self, reply: u64) -> [u64; 2] {
        // SAFETY: words of the library's own host memory.
        // SYNC(command-reply) relaxed: pairs with the release on the CPU by the fence or quiet behind which the lane tells of what it did.
        unsafe { arch::ld_relaxed_sys_v2_u64(there(offset_of!(HostRing, replies) + reply as usize * 16).cast().raw()) }
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        self.0.pause(there(offset_of!(HostRing, replies)));
        true
    }
}

impl<W: Wait> ring::Carrying for Ring<W> {
    #[inline(always)]
    fn chunks(&self) -> u64 {
        RING_CHUNKS as u64
    }
    #[inline(always)]
    fn take_chunk_ticket(&self) -> u64 {
        // SAFETY: the word is in the sync area, which is there as long as kernels run.
        unsafe { arch::atom_add_relaxed_gpu_u64(here(offset_of!(DeviceRing, chunk_tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn freed_seen(&self) -> u64 {
        // SAFETY: the word is in the sync area, and changes by atomic operations alone.
        // SYNC(chunks-seen) acquire: pairs with the fence in `look_at_freed`.
        unsafe { u64::load_acquire_sys(here(offset_of!(DeviceRing, freed_seen))) }
    }
    #[inline(always)]
    fn look_at_freed(&self) -> u64 {
        // SAFETY: one word is in the ring's host memory, which is pinned as long as kernels run, the other in the sync area.
        // SYNC(command-ring) acquire.sys: pairs with the release of `publish_freed` on the CPU.
        unsafe {
            let freed = u64::load_acquire_sys(there(offset_of!(HostRing, freed)));
            // SYNC(chunks-seen) release fence: pairs with the acquire in `freed_seen` of other lanes.
            arch::fence_acq_rel_gpu();
            arch::red_max_relaxed_gpu_u64(here(offset_of!(DeviceRing, freed_seen)).raw(), freed);
            freed
        }
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        self.0.pause(there(offset_of!(HostRing, freed)));
        true
    }
}

/// Where lanes write a chunk.
#[inline(always)]
pub(crate) fn chunk_at(chunk: u64) -> DevPtr<u8> {
    there(offset_of!(HostRing, chunks) + chunk as usize * CHUNK_BYTES).cast()
}

#[cold]
#[inline]
pub(crate) fn silent(limit: u64) -> ! {
    fail(ErrorCode::NoReply, crate::my_pe(), 0, limit)
}

/// Posts a command and, with `waits`, returns what the operation found. Ends the kernel if there is no such PE, or if the word does not belong to the CPU.
#[inline(always)]
fn carry<T: Word>(head: u64, pe: u32, word: DevPtr<T>, operand: T, condition: T, waits: bool) -> (u64, u64) {
    // The CPU is the agent of host memory, and of nothing else.
    if pe >= n_pes() || arch::context_ring() == 0 || segment_of(word.address()) != Segment::Host {
        refuse(word.address(), pe, Need::Atomic);
    }
    let ring = Ring(ToLimit(Clock::new()));
    let reply = if waits { given(ring::claim_reply(&ring)) + 1 } else { 0 };
    let arguments = [word.address(), operand.to_command(), condition.to_command(), reply, 0, 0, 0];
    let ticket = given(ring::post(&ring, &Command { head: head | u64::from(pe), arguments }));
    (ticket, if waits { given(ring::await_reply(&ring, reply - 1)) } else { 0 })
}

/// It does not give up: [`Wait::pause`] ends the kernel.
#[inline(always)]
pub(crate) fn given(number: Option<u64>) -> u64 {
    match number {
        Some(number) => number,
        None => silent(0),
    }
}

/// Has the CPU change a word of PE `pe`. `head` are the bits of a [`CommandHead`] for PE 0, in a register, as callers would put a structure into local
/// memory.
///
/// Where all PEs are mapped, it waits on the default context. Otherwise every fence and quiet would have to find out whether commands are pending. That takes a
/// load, and a call in the loops around it, which makes these loops slower.
#[cold]
#[inline(never)]
pub(crate) fn post<T: Word>(head: u64, pe: u32, word: DevPtr<T>, value: T) {
    if arch::far() {
        return far::post(head, pe, word, value);
    }
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    if kind == CommandKind::AddBehind as u8 {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
    }
    let context = u32::from(context);
    let (ticket, _) = carry(head, pe, word, value, value, !tracks(context));
    if tracks(context) {
        track(context, ticket);
    }
}

/// Leaves a command to fence and quiet of its context.
#[inline(always)]
pub(crate) fn track(context: u32, ticket: u64) {
    let posted = here(context_at(context) + offset_of!(RingContext, posted));
    // SAFETY: a word of the library's own memory.
    unsafe { arch::red_max_relaxed_gpu_u64(posted.raw(), 2 * (ticket + 1)) };
}

/// Has the CPU change a word of PE `pe`; returns what it was.
#[cold]
#[inline(never)]
pub(crate) fn ask<T: Word>(head: u64, pe: u32, word: DevPtr<T>, operand: T, condition: T) -> T {
    if arch::far() {
        return far::ask(head, pe, word, operand, condition);
    }
    T::of_command(carry(head, pe, word, operand, condition, true).1)
}

/// Has the CPU carry out an operation that it knows by name, behind what this lane wrote. On the default context it waits, if `waits`. Generic, as a call of
/// another crate's function must be.
#[cold]
#[inline(never)]
pub(crate) fn post_named<C: Into<u32>>(kind: CommandKind, context: C, name: DevicePrepared, epoch: u64, waits: bool) {
    let context = context.into();
    if arch::context_ring() == 0 {
        silent(0);
    }
    // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
    arch::fence_acq_rel_sys();
    let ring = Ring(ToLimit(Clock::new()));
    let waits = waits && !tracks(context);
    let reply = if waits { given(ring::claim_reply(&ring)) + 1 } else { 0 };
    let head = CommandHead { kind: kind as u8, width: 0, context: context as u16, pe: 0 }.bits();
    let arguments = [name.index.into(), name.generation.into(), epoch, reply, 0, 0, 0];
    let ticket = given(ring::post(&ring, &Command { head, arguments }));
    if waits {
        given(ring::await_reply(&ring, reply - 1));
    }
    if tracks(context) {
        track(context, ticket);
    }
}

/// Whether operations of this context are left to fence and quiet.
#[inline(always)]
fn tracks(context: u32) -> bool {
    arch::far() || context != 0
}

/// The last commands of a context, as far as this lane knows: [`Pending::finish`] waits for them.
pub(crate) struct Pending {
    context: u32,
    posted: u64,
    seen_done: u64,
}

impl Pending {
    /// One load, whose value is needed later.
    #[inline(always)]
    pub(crate) fn of(context: u32) -> Self {
        let [posted, seen_done] = if tracks(context) {
            // SAFETY: the pair is in the sync area, and its words change by atomic operations alone.
            unsafe { arch::ld_relaxed_gpu_v2_u64(here(context_at(context)).cast().raw()) }
        } else {
            [0, 0]
        };
        Self { context, posted, seen_done }
    }

    /// Waits until they are complete. What comes afterwards in this lane comes after what they did.
    #[inline(always)]
    pub(crate) fn finish(self) {
        if tracks(self.context) && self.posted > self.seen_done {
            complete(self.context, self.posted, self.seen_done);
        }
    }
}

/// Waits until all commands of a context below half of `posted` are complete. What they did is visible to this lane then. Generic, as a call of another crate's
/// function must be.
///
/// Others learn of it by `seen_done`, and the fence that they need for it takes as long as a fifth of all. Most contexts post again before they are completed
/// again. So the first lane that finds commands complete only says so, and the next one, for the same commands, fences for all others.
#[cold]
#[inline(never)]
fn complete<T: Word + Into<u64>>(context: u32, posted: T, seen_done: u64) {
    let posted = posted.into();
    let ticket = posted / 2;
    let done = there(offset_of!(HostRing, done) + context as usize * 8);
    // SAFETY: the word is in the ring's host memory, which is pinned as long as kernels run.
    // SYNC(command-ring) acquire.sys: pairs with the release of `done` on the CPU.
    if unsafe { u64::load_acquire_sys(done) } < ticket {
        await_done(done, ticket);
    }
    let again = seen_done == posted - 1;
    if again {
        // SYNC(commands-seen) release fence: pairs with the fence in quiet and fence of lanes that find the number.
        arch::fence_acq_rel_gpu();
    }
    let seen = here(context_at(context) + offset_of!(RingContext, seen_done));
    // SAFETY: the word is in the sync area, which is there as long as kernels run.
    unsafe { arch::red_max_relaxed_gpu_u64(seen.raw(), posted - u64::from(!again)) };
}

#[inline(always)]
fn await_done(done: DevPtr<u64>, ticket: u64) {
    let limit_ns = match arch::context_wait_limit_ns() {
        0 => u64::MAX,
        limit => limit,
    };
    // SAFETY: the word is in the ring's host memory, which is pinned as long as kernels run.
    // SYNC(command-ring) acquire.sys: pairs with the release of `done` on the CPU.
    if unsafe { wait_reported_for(done, Cmp::Ge, ticket, limit_ns) }.is_none() {
        silent(limit_ns);
    }
}

/// A context's number for this block: those of blocks that are far apart may be the same, which then wait for each other's operations too.
#[inline(always)]
pub(crate) fn context_of_block() -> u32 {
    let (x, y) = (arch::grid_dim_x(), arch::grid_dim_y());
    let plane = arch::block_idx_y().wrapping_add(y.wrapping_mul(arch::block_idx_z()));
    let block = arch::block_idx_x().wrapping_add(x.wrapping_mul(plane));
    1 + block % (RING_CONTEXTS as u32 - 1)
}

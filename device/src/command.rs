//! Commands, with which a kernel asks a thread on the CPU to do what this GPU cannot do itself.
//! [`cushmem_protocol::ring`] has the protocol.
//!
//! Commands are posted by out-of-line calls, so that an operation that the GPU carries out itself pays only for the
//! test.

use crate::fail::fail;
use crate::peer::{is_symmetric, ptr, refuse, segment_of, team_at};
use crate::wait::{Polls, REPORT_AFTER_NS, wait_limit_ns, wait_reported_for};
use crate::{Cmp, DevPtr, Need, Word, arch, my_pe, n_pes, report};
use core::cell::Cell;
use core::mem::offset_of;
use cushmem_abi::{
    CHUNK_BYTES, CommandHead, CommandKind, ContextDone, DevicePrepared, DeviceRing, ErrorCode, HostRing, RING_CHUNKS,
    RING_CONTEXTS, RING_REPLIES, RING_SLOTS, RingContext, SLOT_WORDS, Segment, SyncArea, WordOp,
};
use cushmem_protocol::ring::{self, Command};

/// This PE's ring, and how a lane waits for something in it: up to the limit of all waits, and in such a way that the
/// host can read what the lane waits for.
pub(crate) struct Ring {
    polls: Polls,
    /// Whether this lane holds the wait record.
    reports: Cell<bool>,
    /// The slot of the team for whose PEs the lane waits, if it waits for a team.
    team: Option<u64>,
    /// What has happened if the wait takes too long and is not for a team.
    code: ErrorCode,
}

impl Ring {
    #[inline(always)]
    pub(crate) const fn new(team: Option<u64>) -> Self {
        Self { polls: Polls::new(), reports: Cell::new(false), team, code: ErrorCode::NoReply }
    }

    /// For waits in the ring of the command processor.
    #[inline(always)]
    pub(crate) const fn of_processor() -> Self {
        Self { polls: Polls::new(), reports: Cell::new(false), team: None, code: ErrorCode::ProcessorTimeout }
    }

    /// Called between two polls of a word. When the limit has passed, the kernel ends, here rather than in a caller
    /// that would be told: a wait that returns has found something, so a command that waits for nothing has no second
    /// test behind each wait.
    #[inline(always)]
    pub(crate) fn wait_for(&self, word: DevPtr<u64>) -> bool {
        arch::pause();
        if let Some(elapsed) = self.polls.count() {
            if self.polls.is_late(elapsed) {
                match self.team {
                    Some(slot) => late(ErrorCode::MeetingTimeout, slot),
                    None => late(self.code, 0),
                }
            }
            if elapsed > REPORT_AFTER_NS && !self.reports.get() {
                // For a barrier, report the place of the team, for which no lane waits otherwise.
                let word = self.team.map_or(word, team_at);
                self.reports.set(report::write(false, word, Cmp::Ne, 0, 0));
            }
        }
        true
    }

    /// Posts a command, with or without a reply. Returns its ticket, and the reply's ticket plus 1 or else 0.
    #[inline(always)]
    pub(crate) fn send(&self, head: u64, arguments: [u64; 3], replies: bool) -> (u64, u64) {
        self.send_more(head, arguments, [0; 3], replies)
    }

    /// Posts a command like [`Ring::send`], with arguments behind the reply.
    #[inline(always)]
    pub(crate) fn send_more(&self, head: u64, [a, b, c]: [u64; 3], more: [u64; 3], replies: bool) -> (u64, u64) {
        let reply = if replies { self.given(ring::claim_reply(self)) + 1 } else { 0 };
        let [d, e, f] = more;
        (self.given(ring::post(self, &Command { head, arguments: [a, b, c, reply, d, e, f] })), reply)
    }

    /// Returns the result that this reply brings.
    #[inline(always)]
    pub(crate) fn answer(&self, reply: u64) -> u64 {
        self.given(ring::await_reply(self, reply - 1))
    }

    /// Unwraps the result of a wait, which never gives up: [`Ring::wait_for`] ends the kernel. The next wait gets a new
    /// limit.
    #[inline(always)]
    pub(crate) fn given(&self, number: Option<u64>) -> u64 {
        self.polls.begin();
        match number {
            Some(number) => number,
            None => late(self.code, 0),
        }
    }
}

impl Drop for Ring {
    #[inline(always)]
    fn drop(&mut self) {
        if self.reports.get() {
            report::withdraw();
        }
    }
}

/// A word of the half of the ring in GPU memory.
#[inline(always)]
fn here(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_sync_area() + (offset_of!(SyncArea, ring) + offset) as u64)
}

/// A word of the half in host memory.
#[inline(always)]
fn there(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_ring() + offset as u64)
}

/// Stores a command into its slot.
///
/// # Safety
/// The slot has room for it, belongs to this lane, and is aligned to its size.
#[inline(always)]
pub(crate) unsafe fn fill_slot(slot: DevPtr<u64>, words: [u64; ring::WORDS]) {
    // SAFETY: the caller guarantees it.
    unsafe {
        arch::st_relaxed_sys_v2_u64(slot.cast().raw(), [words[0], words[1]]);
        arch::st_relaxed_sys_v2_u64(slot.add(2).cast().raw(), [words[2], words[3]]);
        arch::st_relaxed_sys_v2_u64(slot.add(4).cast().raw(), [words[4], words[5]]);
        arch::st_relaxed_sys_v2_u64(slot.add(6).cast().raw(), [words[6], words[7]]);
    }
}

#[inline(always)]
fn context_at(context: u32) -> usize {
    offset_of!(DeviceRing, contexts) + context as usize * size_of::<RingContext>()
}

impl ring::Posting for Ring {
    #[inline(always)]
    fn slots(&self) -> u64 {
        RING_SLOTS as u64
    }
    #[inline(always)]
    fn take_ticket(&self) -> u64 {
        // SAFETY: the word is in the sync area, which exists as long as kernels run.
        unsafe { arch::atom_add_relaxed_gpu_u64(here(offset_of!(DeviceRing, tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn read_seen(&self) -> u64 {
        // SAFETY: the word is in the sync area, and is only accessed as a whole.
        unsafe { u64::load_relaxed_sys(here(offset_of!(DeviceRing, read_seen))) }
    }
    #[inline(always)]
    fn look_at_read(&self) -> u64 {
        // SAFETY: one word is in the ring's host memory, which is pinned as long as kernels run, the other in the sync
        // area. SYNC(command-ring) acquire.sys: pairs with the release of `publish_read` on the CPU.
        unsafe {
            let read = u64::load_acquire_sys(there(offset_of!(HostRing, read)));
            arch::red_max_relaxed_gpu_u64(here(offset_of!(DeviceRing, read_seen)).raw(), read);
            read
        }
    }
    #[inline(always)]
    fn store(&self, slot: u64, words: [u64; ring::WORDS]) {
        let at = offset_of!(HostRing, slots) + slot as usize * size_of::<[u64; SLOT_WORDS]>();
        // SAFETY: the slot of this lane's ticket, in the ring's host memory, which is pinned as long as kernels run.
        unsafe { fill_slot(there(at), words) };
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        self.wait_for(there(offset_of!(HostRing, read)))
    }
}

impl ring::Replies for Ring {
    #[inline(always)]
    fn replies(&self) -> u64 {
        RING_REPLIES as u64
    }
    #[inline(always)]
    fn take_reply_ticket(&self) -> u64 {
        // SAFETY: the word is in the sync area, which exists as long as kernels run.
        unsafe { arch::atom_add_relaxed_gpu_u64(here(offset_of!(DeviceRing, reply_tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn given_back(&self, reply: u64) -> u64 {
        // SAFETY: the word is in the sync area, and is only accessed as a whole.
        unsafe { u64::load_relaxed_sys(here(offset_of!(DeviceRing, given_back) + reply as usize * 8)) }
    }
    #[inline(always)]
    fn give_back(&self, reply: u64, times: u64) {
        // SAFETY: the word is in the sync area, and is only accessed as a whole.
        unsafe { u64::store_relaxed_sys(here(offset_of!(DeviceRing, given_back) + reply as usize * 8), times) }
    }
    #[inline(always)]
    fn load_reply(&self, reply: u64) -> [u64; 2] {
        // SAFETY: the pair is in the ring's host memory, which is pinned as long as kernels run, and aligned to its
        // size. SYNC(command-reply) relaxed: pairs with the release on the CPU through the fence or quiet after which
        // the lane reports what it did.
        unsafe { arch::ld_relaxed_sys_v2_u64(there(offset_of!(HostRing, replies) + reply as usize * 16).cast().raw()) }
    }
    #[inline(always)]
    fn pause(&self) -> bool {
        self.wait_for(there(offset_of!(HostRing, replies)))
    }
}

impl ring::Carrying for Ring {
    #[inline(always)]
    fn chunks(&self) -> u64 {
        RING_CHUNKS as u64
    }
    #[inline(always)]
    fn take_chunk_ticket(&self) -> u64 {
        // SAFETY: the word is in the sync area, which exists as long as kernels run.
        unsafe { arch::atom_add_relaxed_gpu_u64(here(offset_of!(DeviceRing, chunk_tickets)).raw(), 1) }
    }
    #[inline(always)]
    fn freed_seen(&self) -> u64 {
        // SAFETY: the word is in the sync area, and changes only by atomic operations.
        // SYNC(chunks-seen) acquire: pairs with the fence in `look_at_freed`.
        unsafe { u64::load_acquire_sys(here(offset_of!(DeviceRing, freed_seen))) }
    }
    #[inline(always)]
    fn look_at_freed(&self) -> u64 {
        // SAFETY: one word is in the ring's host memory, which is pinned as long as kernels run, the other in the sync
        // area. SYNC(command-ring) acquire.sys: pairs with the release of `publish_freed` on the CPU.
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
        self.wait_for(there(offset_of!(HostRing, freed)))
    }
}

/// Where lanes write a chunk.
#[inline(always)]
pub(crate) fn chunk_at(chunk: u64) -> DevPtr<u8> {
    there(offset_of!(HostRing, chunks) + chunk as usize * CHUNK_BYTES).cast()
}

/// Claims a chunk for this lane. The argument only makes it generic.
#[cold]
#[inline(never)]
pub(crate) fn claim_chunk<T: Word + Into<u64>>(_: T) -> u64 {
    let ring = Ring::new(None);
    ring.given(ring::claim_chunk(&ring))
}

/// Posts a command for a chunk, from a lane with which all other lanes of the chunk have synchronised. Returns the
/// ticket of the reply plus 1, if the command has one.
#[inline(always)]
pub(crate) fn send_chunk(ring: &Ring, head: u64, there: u64, chunk: u64, bytes: u64) -> u64 {
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU. What the lanes have
    // stored in the chunk, or loaded from it, comes first.
    arch::fence_acq_rel_sys();
    let (ticket, reply) = ring.send(head, [there, chunk, bytes], kind == CommandKind::GetChunk.number());
    if reply == 0 {
        track(context.into(), ticket);
    }
    reply
}

#[cold]
#[inline]
fn late(code: ErrorCode, value: u64) -> ! {
    fail(code, my_pe(), value, arch::context_wait_limit_ns())
}

/// Ends the kernel if the CPU cannot perform the operation on this word. The CPU can change words as the agent of host
/// memory, and it performs operations on memory that is not mapped.
#[inline(always)]
pub(crate) fn check<T>(head: u64, pe: u32, word: DevPtr<T>) {
    const FETCH: u8 = WordOp::Fetch as u8;
    const SET: u8 = WordOp::Set as u8;
    const SET_BEHIND: u8 = CommandKind::SetBehind.number();
    let is_atomic = !matches!(CommandHead::of_bits(head).kind, FETCH | SET | SET_BEHIND);
    let is_theirs = || segment_of(word.address()) == Segment::Host || arch::far() && ptr(word, pe).is_none();
    // Where all PEs are mapped, only words of the host window get here, except those to be refused below.
    let is_known = !arch::far() || is_symmetric(word.address());
    let is_possible = pe < n_pes() && arch::context_ring() != 0 && is_known;
    if !is_possible || is_atomic && !is_theirs() {
        refuse(word.address(), pe, if is_atomic { Need::Atomic } else { Need::LoadStore });
    }
}

/// Makes the CPU change or store a word of PE `pe`. `head` holds the bits of a [`CommandHead`] for PE 0, in a register,
/// because callers would put a structure into local memory.
///
/// Where all PEs are mapped, the lane waits on the default context. Otherwise every fence and quiet would have to check
/// whether commands are pending. That takes a load, and a call in the loops around it, which makes these loops slower.
#[cold]
#[inline(never)]
pub(crate) fn post<T: Word>(head: u64, pe: u32, word: DevPtr<T>, value: T) {
    const ADD_BEHIND: u8 = CommandKind::AddBehind.number();
    const SET_BEHIND: u8 = CommandKind::SetBehind.number();
    check(head, pe, word);
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    if kind == ADD_BEHIND || kind == SET_BEHIND {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
    }
    leave(&Ring::new(None), context.into(), head | u64::from(pe), [word.address(), value.to_command(), 0], true);
}

/// Leaves a command to the fence and quiet of its context. If these do not check that context, waits for it, if
/// `waits`.
#[inline(always)]
fn leave(ring: &Ring, context: u32, head: u64, arguments: [u64; 3], waits: bool) {
    let (ticket, reply) = ring.send(head, arguments, waits && !tracks(context));
    if tracks(context) {
        track(context, ticket);
    } else if waits {
        ring.answer(reply);
    }
}

/// Registers a command with the fence and quiet of a context.
#[inline(always)]
pub(crate) fn track(context: u32, ticket: u64) {
    let posted = here(context_at(context) + offset_of!(RingContext, posted));
    // SAFETY: the word is in the sync area, which exists as long as kernels run.
    unsafe { arch::red_max_relaxed_gpu_u64(posted.raw(), 2 * (ticket + 1)) };
}

/// Makes the CPU load or change a word of PE `pe`; returns the previous value.
#[cold]
#[inline(never)]
pub(crate) fn ask<T: Word>(head: u64, pe: u32, word: DevPtr<T>, operand: T, condition: T) -> T {
    check(head, pe, word);
    let ring = Ring::new(None);
    let arguments = [word.address(), operand.to_command(), condition.to_command()];
    let (_, reply) = ring.send(head | u64::from(pe), arguments, true);
    T::of_command(ring.answer(reply))
}

/// Makes the CPU carry out an operation on a word of PE `pe`, with a reply that was claimed or, if this is 0, for the
/// fence and quiet of the context.
#[inline(always)]
pub(crate) fn post_word(head: u64, pe: u32, word: u64, operand: u64, condition: u64, reply: u64) {
    const ADD_BEHIND: u8 = CommandKind::AddBehind.number();
    const SET_BEHIND: u8 = CommandKind::SetBehind.number();
    check(head, pe, DevPtr::<u8>::from_address(word));
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    if kind == ADD_BEHIND || kind == SET_BEHIND {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
    }
    let ring = Ring::new(None);
    let command = Command { head: head | u64::from(pe), arguments: [word, operand, condition, reply, 0, 0, 0] };
    let ticket = ring.given(ring::post(&ring, &command));
    if reply == 0 {
        track(context.into(), ticket);
    }
}

/// Makes the CPU carry out an operation that it knows by name, ordered after what this lane wrote before its last
/// system-scope fence. On the default context it waits, if `waits`. It is generic because a function called from
/// another crate must be.
#[cold]
#[inline(never)]
pub(crate) fn post_named<C: Into<u32>>(kind: CommandKind, context: C, name: DevicePrepared, epoch: u64, waits: bool) {
    let context = context.into();
    if arch::context_ring() == 0 {
        fail(ErrorCode::NoProxy, my_pe(), 0, 0);
    }
    let head = CommandHead { kind: kind.number(), width: 0, context: context as u16, pe: 0 }.bits();
    leave(&Ring::new(None), context, head, [name.index.into(), name.generation.into(), epoch], waits);
}

/// Whether fence and quiet complete the operations of this context.
#[inline(always)]
fn tracks(context: u32) -> bool {
    arch::far() || context != 0
}

/// The last commands of a context that this lane knows of; [`Pending::finish`] waits for them.
pub(crate) struct Pending {
    context: u32,
    posted: u64,
    seen_done: u64,
}

impl Pending {
    /// Loads the counts with a single load, whose value is needed later.
    #[inline(always)]
    pub(crate) fn of(context: u32) -> Self {
        let [posted, seen_done] = if tracks(context) {
            // SAFETY: the pair is in the sync area, and its words change only by atomic operations.
            unsafe { arch::ld_relaxed_gpu_v2_u64(here(context_at(context)).cast().raw()) }
        } else {
            [0, 0]
        };
        Self { context, posted, seen_done }
    }

    /// Waits until the commands are complete. Whatever this lane does afterwards is ordered after what they did.
    #[inline(always)]
    pub(crate) fn finish(self) {
        // An odd number: commands of others are complete, but nobody has fenced for this lane.
        if tracks(self.context) && (self.posted > self.seen_done || self.seen_done % 2 == 1) {
            complete(self.context, self.posted, self.seen_done);
        }
    }
}

/// Waits until all commands of a context below half of `posted` are complete; what they did is then visible to this
/// lane. It is generic because a function called from another crate must be.
///
/// `seen_done` tells other lanes about it, and the fence which that requires takes a fifth of the whole time. Most
/// contexts post again before they are completed again. So the first lane that finds commands complete only records
/// that they are, and the next one that finds the same commands fences for all others.
#[cold]
#[inline(never)]
fn complete<T: Word + Into<u64>>(context: u32, posted: T, seen_done: u64) {
    let posted = posted.into();
    let ticket = posted / 2;
    let done = there(offset_of!(HostRing, done) + context as usize * size_of::<ContextDone>());
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
    // SAFETY: the word is in the sync area, which exists as long as kernels run.
    unsafe { arch::red_max_relaxed_gpu_u64(seen.raw(), posted - u64::from(!again)) };
}

#[inline(always)]
fn await_done(done: DevPtr<u64>, ticket: u64) {
    // SAFETY: the word is in the ring's host memory, which is pinned as long as kernels run.
    // SYNC(command-ring) acquire.sys: pairs with the release of `done` on the CPU.
    if unsafe { wait_reported_for(done, Cmp::Ge, ticket, wait_limit_ns()) }.is_none() {
        late(ErrorCode::NoReply, 0);
    }
}

/// The number of this block's context. Blocks with distant numbers may share one, and then also wait for each other's
/// operations.
#[inline(always)]
pub(crate) fn context_of_block() -> u32 {
    let (x, y) = (arch::grid_dim_x(), arch::grid_dim_y());
    let plane = arch::block_idx_y().wrapping_add(y.wrapping_mul(arch::block_idx_z()));
    let block = arch::block_idx_x().wrapping_add(x.wrapping_mul(plane));
    1 + block % (RING_CONTEXTS as u32 - 1)
}

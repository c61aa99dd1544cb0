//! Requests to the CPU for memory that the kernel's own loads and stores do not reach: in jobs of several nodes, and on
//! a GPU without peer access.
//!
//! Kernels are compiled twice ([`arch::far`]). The version for jobs in which all PEs are mapped contains none of this
//! code, not even a test for it; it asks the CPU only for atomic operations on host memory and for operations that the
//! CPU described before. All code here that posts commands is out of line and generic, and takes numbers as parameters:
//! a call would put a structure into local memory, and a function that is called from another crate must be generic.

use crate::command::{self, Ring, check, chunk_at, claim_chunk, send_chunk, track};
use crate::peer::{find, find_at_once, is_symmetric, refuse};
use crate::{Ctx, DevPtr, Need, Scope, Word, arch, bulk, n_pes};
use cushmem_abi::{CHUNK_BYTES, CommandHead, CommandKind, RING_CHUNKS, SLOT_BYTES, WordOp};
use cushmem_protocol::ring::{self, Command};

/// A put that waits leaves at most this many bytes per lane in a chunk. With more, a single lane would take longer to
/// store the bytes than the CPU takes to fetch them.
const STORED_BY_LANE: usize = 2048;
/// The words of at least this many lanes are sent together.
const LEAST_LANES: u32 = 8;
const PUT: u8 = CommandKind::Put.number();

/// Whether the CPU must be asked for loads and stores of `object` on PE `pe`; never where all PEs are mapped.
#[inline(always)]
pub(crate) fn is_needed<T>(object: DevPtr<T>, pe: u32) -> bool {
    arch::far() && find(object, pe, Need::LoadStore).is_none()
}

/// The same without a branch, for operations that need it so: see `peer::direct`.
#[inline(always)]
pub(crate) fn is_needed_at_once<T>(object: DevPtr<T>, pe: u32) -> bool {
    arch::far() && find_at_once(object, pe, Need::LoadStore).is_none()
}

/// The word that an operation changes, for the record. What the CPU carries out has the word in the record of the CPU.
#[inline(always)]
pub(crate) fn word_of<T>(word: DevPtr<T>, pe: u32) -> u64 {
    let is_far = arch::HAS_FAR_CODE && arch::HAS_RECORD && arch::context_record() != 0 && is_needed(word, pe);
    if is_far { 0 } else { word.address() }
}

/// Makes the CPU load a word of PE `pe`.
#[inline(always)]
pub(crate) fn fetch<T: Word>(ctx: &Ctx, src: DevPtr<T>, pe: u32) -> T {
    let nothing = T::of_command(0);
    command::ask(ctx.head::<T>(CommandKind::Word(WordOp::Fetch)), pe, src, nothing, nothing)
}

/// Makes the CPU copy bytes between `there`, on PE `pe`, and `here`. All lanes of a scope call it. `head` is that of a
/// put or a get, for PE 0. If the caller `waits` until the local memory may be used, lane 0 gets the argument for
/// [`await_copy`]. The CPU reaches only global memory: from and to other memory, the lanes themselves copy.
#[inline(always)]
pub(crate) fn copy<S: Scope>(head: u64, scope: S, pe: u32, there: u64, here: u64, bytes: usize, waits: bool) -> u64 {
    // Never called in other builds. The test is on a constant, so that the compiler leaves out the call before it looks
    // for functions to compile: the PTX would otherwise contain those that are called below.
    if arch::HAS_FAR_CODE { copy_by_cpu(head, scope, pe, there, here, bytes, waits) } else { 0 }
}

#[inline(always)]
fn copy_by_cpu<S: Scope>(head: u64, scope: S, pe: u32, there: u64, here: u64, bytes: usize, waits: bool) -> u64 {
    // What other lanes did with the local memory comes before the command.
    scope.sync();
    if is_in_chunks(head, scope, here, bytes, waits) {
        if CommandHead::of_bits(head).kind == PUT {
            put_by_chunks(head, scope, pe, there, here, bytes as u64);
        } else {
            get_by_chunks(head, scope, pe, there, here, bytes as u64);
        }
        return 0;
    }
    if scope.lane() != 0 {
        return 0;
    }
    post_copy(head, pe, there, here, bytes as u64, waits)
}

/// Whether the lanes themselves copy from or to the memory of this PE: because the CPU does not reach it, or because a
/// put that waits is so short that it returns earlier.
#[inline(always)]
pub(crate) fn is_in_chunks<S: Scope>(head: u64, scope: S, here: u64, bytes: usize, waits: bool) -> bool {
    if CommandHead::of_bits(head).kind != PUT {
        return bytes > 0 && !arch::is_global(here);
    }
    let is_short = waits && bytes <= CHUNK_BYTES.min(scope.lanes() * STORED_BY_LANE);
    bytes > SLOT_BYTES && (is_short || !arch::is_global(here))
}

/// Waits until the local end of a copy may be used, if the copy has a reply: the source of a put may change, or the
/// data of a get has arrived.
#[inline(always)]
pub(crate) fn await_copy(reply: u64) {
    if arch::far() && reply != 0 {
        answered(reply);
    }
}

/// Posts a put or a get. Returns the ticket of its reply plus 1, or 0 if there is no need to wait.
#[cold]
#[inline(never)]
pub(crate) fn post_copy<T: Word + Into<u64>>(head: u64, pe: u32, there: u64, here: u64, bytes: T, waits: bool) -> u64 {
    let bytes = bytes.into();
    check_copy(pe, there);
    if bytes == 0 {
        return 0;
    }
    let CommandHead { kind, context, .. } = CommandHead::of_bits(head);
    let ring = Ring::new(None);
    let (ticket, reply) = if kind == PUT && bytes <= SLOT_BYTES as u64 {
        // These travel with the command, so that the source may change at once: a word that the CPU must store as a
        // whole, or a few bytes.
        let is_word = bytes <= 8 && bytes.is_power_of_two() && there.is_multiple_of(bytes);
        let kind = if is_word { CommandKind::Word(WordOp::Set) } else { CommandKind::PutHere };
        let head = CommandHead { kind: kind.number(), width: bytes as u8, context, pe }.bits();
        let word = |i: u64| word_at(here + 8 * i, bytes.saturating_sub(8 * i));
        let arguments = [there, word(0), word(1), word(2), word(3), word(4), word(5)];
        (ring.given(ring::post(&ring, &Command { head, arguments })), 0)
    } else {
        // SYNC(command-ring) release fence: pairs with the acquire loads of a slot's words on the CPU.
        arch::fence_acq_rel_sys();
        ring.send(head | u64::from(pe), [there, here, bytes], waits)
    };
    track(context.into(), ticket);
    reply
}

/// Puts words that travel with the command, of which there are up to six. `head` is that of a put, for PE 0. They are
/// numbers rather than an array, which would be in local memory.
#[cold]
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn put_words<T: Word + Into<u64>>(
    head: u64,
    pe: u32,
    there: u64,
    words: u32,
    a: T,
    b: T,
    c: T,
    d: T,
    e: T,
    f: T,
) {
    check_copy(pe, there);
    let context = CommandHead::of_bits(head).context;
    let head = CommandHead { kind: CommandKind::PutHere.number(), width: 8 * words as u8, context, pe }.bits();
    let arguments = [there, a.into(), b.into(), c.into(), d.into(), e.into(), f.into()];
    let ring = Ring::new(None);
    track(context.into(), ring.given(ring::post(&ring, &Command { head, arguments })));
}

/// The first eight of `bytes` bytes, or fewer if there are fewer.
#[inline(always)]
fn word_at(address: u64, bytes: u64) -> u64 {
    let at = DevPtr::<u8>::from_address(address);
    // SAFETY: the caller guarantees that the source of the put is valid, and this is a part of it.
    unsafe {
        if bytes >= 8 && address.is_multiple_of(8) {
            return arch::ld_generic_u64(at.cast().raw());
        }
        if bytes >= 8 && address.is_multiple_of(4) {
            let [low, high] = [at, at.add(4)].map(|half| u64::from(arch::ld_generic_u32(half.cast().raw())));
            return low | high << 32;
        }
        let (mut word, mut i) = (0, 0);
        while i < 8 && i < bytes {
            word |= u64::from(arch::ld_generic_u8(at.add(i as usize).raw())) << (8 * i);
            i += 1;
        }
        word
    }
}

/// Leaves the bytes of a put in chunks, with the lanes of a scope, and makes the CPU put them from there. On return the
/// source may change. It is a call because each put of a kernel would otherwise contain another copy of these loops.
#[cold]
#[inline(never)]
fn put_by_chunks<S: Scope, T: Word + Into<u64>>(head: u64, scope: S, pe: u32, mut there: u64, mut here: u64, bytes: T) {
    check_copy(pe, there);
    let (head, mut left) = (head_of(CommandKind::PutChunk, head | u64::from(pe)), bytes.into());
    while left > 0 {
        let n = left.min(CHUNK_BYTES as u64);
        put_chunk(head, scope, there, here, n);
        (there, here, left) = (there + n, here + n, left - n);
    }
}

/// Leaves up to [`CHUNK_BYTES`] bytes of a put in a chunk. `head` is that of the command.
#[inline(always)]
pub(crate) fn put_chunk<S: Scope>(head: u64, scope: S, there: u64, here: u64, n: u64) {
    let (claimed, chunk) = claim(scope);
    // SAFETY: the caller guarantees that the source is valid; the chunk belongs to this scope until the command is
    // posted, and has room.
    unsafe { bulk::copy_from_here(Few::<S, 4>(scope), chunk_at(chunk), DevPtr::from_address(here), n as usize) };
    scope.sync();
    if scope.lane() == 0 {
        post_chunk(head, there, claimed, n);
    }
}

/// Makes the CPU leave the bytes of a get in chunks, from which the lanes of a scope take them. On return they are at
/// the target. It is a call for the same reason as [`put_by_chunks`].
#[cold]
#[inline(never)]
fn get_by_chunks<S: Scope, T: Word + Into<u64>>(head: u64, scope: S, pe: u32, mut there: u64, mut here: u64, bytes: T) {
    check_copy(pe, there);
    let (head, mut left) = (head_of(CommandKind::GetChunk, head | u64::from(pe)), bytes.into());
    while left > 0 {
        let n = left.min(CHUNK_BYTES as u64);
        get_chunk(head, scope, there, here, n);
        (there, here, left) = (there + n, here + n, left - n);
    }
}

/// Takes up to [`CHUNK_BYTES`] bytes of a get from a chunk. `head` is that of the command.
#[inline(always)]
pub(crate) fn get_chunk<S: Scope>(head: u64, scope: S, there: u64, here: u64, n: u64) {
    let (claimed, chunk) = claim(scope);
    if scope.lane() == 0 {
        post_chunk(head, there, claimed, n);
    }
    scope.sync();
    // SAFETY: the caller guarantees that the target is valid; the chunk belongs to this scope until it is freed.
    unsafe { bulk::copy_from_there(Few::<S, 1>(scope), DevPtr::from_address(here), chunk_at(chunk), n as usize) };
    scope.sync();
    if scope.lane() == 0 {
        post_chunk(head_of(CommandKind::FreeChunk, head), 0, claimed, 0u64);
    }
}

/// The head of a command of this kind, with the context and PE of another head.
#[inline(always)]
fn head_of(kind: CommandKind, head: u64) -> u64 {
    CommandHead { kind: kind.number(), width: 0, ..CommandHead::of_bits(head) }.bits()
}

/// Ends the kernel if nobody can carry out a copy from or to `there`, before the number of the PE, which may be one
/// that does not fit, goes into a head.
#[inline(always)]
pub(crate) fn check_copy(pe: u32, there: u64) {
    if pe >= n_pes() || arch::context_ring() == 0 || !is_symmetric(there) {
        refuse(there, pe, Need::LoadStore);
    }
}

/// Claims a chunk for a scope. Returns its ticket, on lane 0, and its number.
#[inline(always)]
fn claim<S: Scope>(scope: S) -> (u64, u64) {
    let claimed = if scope.lane() == 0 { claim_chunk(0u64) } else { 0 };
    let (mut chunk, mut bit) = (0, 1);
    // The other lanes learn the chunk's number by votes, which a scope of any size has; it has no memory of its own.
    while bit < RING_CHUNKS as u64 {
        if scope.any(claimed & bit != 0) {
            chunk |= bit;
        }
        bit <<= 1;
    }
    (claimed, chunk)
}

/// Posts a command for a chunk. On return from a get, the bytes are in the chunk. It is a call, like [`claim_chunk`],
/// so that the copies need no registers for what it needs.
#[cold]
#[inline(never)]
fn post_chunk<T: Word + Into<u64>>(head: u64, there: u64, chunk: u64, bytes: T) {
    let ring = Ring::new(None);
    let reply = send_chunk(&ring, head, there, chunk, bytes.into());
    if reply != 0 {
        ring.answer(reply);
        // SYNC(command-reply) fence: pairs with the release of the reply on the CPU; the bytes come before it.
        arch::fence_acq_rel_sys();
    }
}

/// A scope whose copies need few registers: the compiler keeps no multiples of the number of lanes, and a lane has four
/// vectors in flight, `N` if the scope itself has no more than four, or none if it has none.
#[derive(Clone, Copy)]
struct Few<S, const N: usize>(S);

impl<S: Scope, const N: usize> Scope for Few<S, N> {
    const UNROLL: usize = match S::UNROLL {
        0 => 0,
        5.. => 4,
        _ => N,
    };
    #[inline(always)]
    fn lane(self) -> usize {
        self.0.lane()
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        arch::opaque(self.0.lanes())
    }
    #[inline(always)]
    fn sync(self) {
        self.0.sync();
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        self.0.any(holds)
    }
}

/// Makes the CPU store a word of PE `pe`. Lanes of a warp that do so together for adjacent words send a single request.
#[cold]
#[inline(never)]
pub(crate) fn store<T: Word>(head: u64, pe: u32, word: DevPtr<T>, value: T) {
    check(head, pe, word);
    let mask = arch::activemask();
    let below = mask & !(u32::MAX << arch::lane_id());
    // Lanes whose words are adjacent compute the same start.
    let start = word.address().wrapping_sub(u64::from(below.count_ones()) * size_of::<T>() as u64);
    let row = arch::match_any(mask, start) & arch::match_any(mask, head | u64::from(pe));
    let (first, last) = (row.trailing_zeros(), 31 - row.leading_zeros());
    // Only without lanes of other rows between them, and with enough lanes to make a chunk worth its fence.
    let has_gaps = mask & !row & (u32::MAX << first) & !(u32::MAX << last) != 0;
    if has_gaps || row.count_ones() < LEAST_LANES {
        return command::post(head, pe, word, value);
    }
    let ring = Ring::new(None);
    let is_first = arch::lane_id() == first;
    let claimed = if is_first { ring.given(ring::claim_chunk(&ring)) } else { 0 };
    let chunk = arch::shfl_idx(row, (claimed % RING_CHUNKS as u64) as u32, first);
    let place = (row & below).count_ones() as usize;
    // SAFETY: the chunk belongs to these lanes until the command is posted, and has room for a word of each.
    unsafe { T::store_relaxed_sys(chunk_at(chunk.into()).cast().add(place), value) };
    arch::syncwarp(row);
    if is_first {
        let head = CommandHead { kind: CommandKind::PutChunk.number(), width: 0, pe, ..CommandHead::of_bits(head) };
        send_chunk(&ring, head.bits(), word.address(), claimed, u64::from(row.count_ones()) * size_of::<T>() as u64);
    }
    // A quiet of any of these lanes finds the command.
    arch::syncwarp(row);
}

#[cold]
#[inline(never)]
fn answered<T: Word + Into<u64>>(reply: T) {
    Ring::new(None).answer(reply.into());
    // SYNC(command-reply) fence: pairs with the release of the reply on the CPU; the data of a get comes before it.
    arch::fence_acq_rel_sys();
}

//! Parts of operations, for kernels in CUDA C++. There, the common case of an operation is in the kernel and everything
//! else in a function, which the compiler of C++ has to see as one.

use crate::any::Any;
use crate::command::Ring;
use crate::fail::fail;
use crate::{
    Cmp, Ctx, DevPtr, Need, Scope, Word, arch, command, far, my_pe, peer, processor, recorded, strided, sync,
    team_world, wait,
};
use cushmem_abi::{CommandHead, CommandKind, ErrorCode, SignalOp};

/// The first polls of [`crate::wait_until`]. Returns the last value that was read, and whether the wait is over.
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub unsafe fn look<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T) -> (T, bool) {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { wait::look(ivar, cmp, value) }
}

/// The rest of [`crate::wait_until`].
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub unsafe fn wait_long<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T) -> T {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { wait::wait_long(ivar, cmp, value, u64::MAX) }
}

/// The address of an object on another PE for loads and stores, or 0. Compilers of C++ move these two out of loops as
/// they are. In a unit that knows no job they load nothing: no PE is above its limit, and no address in its windows.
#[inline(always)]
pub fn reach(object: u64, pe: u32) -> u64 {
    peer::find_at_once(DevPtr::<u8>::from_address(object), pe, Need::LoadStore).map_or(0, |there| there.address())
}

/// The address of an object on another PE for atomics, or 0.
#[inline(always)]
pub fn reach_atomics(object: u64, pe: u32) -> u64 {
    peer::find_at_once(DevPtr::<u8>::from_address(object), pe, Need::Atomic).map_or(0, |there| there.address())
}

/// Updates the signal `sig` on PE `pe` behind what this lane stored and what others stored before they synchronised
/// with it. Returns false if this GPU cannot.
///
/// # Safety
/// `sig` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn signal_behind(sig: u64, value: u64, op: SignalOp, pe: u32) -> bool {
    let need = if op == SignalOp::Set { Need::LoadStore } else { Need::Atomic };
    let Some(there) = peer::find_at_once(DevPtr::<u64>::from_address(sig), pe, need) else { return false };
    // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
    // SYNC(signal) release.sys: as in `signal::update_behind`.
    unsafe {
        match op {
            SignalOp::Set => arch::st_release_sys_u64(there.raw(), value),
            SignalOp::Add => arch::red_add_release_sys_u64(there.raw(), value),
        }
    }
    true
}

/// What happens to a signal, by its number in shmem.h.
pub(crate) const SET: u32 = 9;
pub(crate) const ADD: u32 = 10;

/// What happens to a signal, by that number.
#[inline(always)]
pub const fn signal_op(number: u32) -> Option<SignalOp> {
    match number {
        SET => Some(SignalOp::Set),
        ADD => Some(SignalOp::Add),
        _ => None,
    }
}

/// Ends the kernel because nothing that happens to a signal has this number.
#[inline(always)]
pub fn refuse_signal_op(number: u32) -> ! {
    fail(ErrorCode::SignalOp, my_pe(), number.into(), 0)
}

/// Claims a reply for [`post_op`]. Returns its ticket plus 1.
#[inline(always)]
pub fn claim_reply() -> u64 {
    let ring = Ring::new(None);
    ring.given(cushmem_protocol::ring::claim_reply(&ring)) + 1
}

/// Makes the CPU carry out an operation on a word of PE `pe`. The bytes of `what` are, from the lowest, those of the
/// word and the number of a [`CommandKind`]. Without a reply, fence and quiet wait for it.
///
/// # Safety
/// `word` is a symmetric, aligned word of that width. `reply` is 0 or what [`claim_reply`] returned to this lane, and is
/// passed to [`answer`] once.
#[inline(always)]
pub unsafe fn post_op(what: u32, pe: u32, word: u64, operand: u64, condition: u64, reply: u64) {
    let head = CommandHead { kind: (what >> 8) as u8, width: what as u8, context: 0, pe: 0 }.bits();
    command::post_word(head, pe, word, operand, condition, reply);
}

/// Returns the result that a reply brings. What the CPU did before it is visible to this lane.
///
/// # Safety
/// `reply` is that of a [`post_op`] or [`post_copy`] of this lane, and no other call has awaited it.
#[inline(always)]
pub unsafe fn answer(reply: u64) -> u64 {
    let answer = Ring::new(None).answer(reply);
    // SYNC(command-reply) fence: pairs with the release of the reply on the CPU.
    arch::fence_acq_rel_sys();
    answer
}

/// The context of this block, which is never 0.
#[inline(always)]
pub fn context_of_block() -> u32 {
    command::context_of_block()
}

/// Leaves a put on a context to the command processor: see [`Ctx::put_nbi`]. Returns false if it does not take it.
///
/// # Safety
/// The conditions of [`Scope::put`].
#[inline(always)]
pub unsafe fn leave_put(context: u32, dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
    leave::<true>(context, dst, src, bytes, (0, 0, 0), pe)
}

/// Leaves a get on a context to the command processor: see [`Ctx::get_nbi`]. Returns false if it does not take it.
///
/// # Safety
/// The conditions of [`Scope::get`].
#[inline(always)]
pub unsafe fn leave_get(context: u32, dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
    leave::<false>(context, src, dst, bytes, (0, 0, 0), pe)
}

/// Leaves a put with a signal on a context to the command processor: see [`Ctx::put_signal_nbi`]. Returns false if it
/// does not take it.
///
/// # Safety
/// The conditions of [`Scope::put_signal`].
#[inline(always)]
#[allow(clippy::too_many_arguments)] // the specification's
pub unsafe fn leave_put_signal(
    context: u32,
    dst: u64,
    src: u64,
    bytes: u64,
    sig: u64,
    value: u64,
    adds: bool,
    pe: u32,
) -> bool {
    let (op, need) = if adds { (SignalOp::Add, Need::Atomic) } else { (SignalOp::Set, Need::LoadStore) };
    let Some(sig) = peer::find_at_once(DevPtr::<u64>::from_address(sig), pe, need) else { return false };
    leave::<true>(context, dst, src, bytes, (op as u8 + 1, sig.address(), value), pe)
}

/// Leaves a copy between `there`, on PE `pe`, and `here`, with the width, the address and the value of a signal.
#[inline(always)]
fn leave<const IS_PUT: bool>(
    context: u32,
    there: u64,
    here: u64,
    bytes: u64,
    (width, sig, value): (u8, u64, u64),
    pe: u32,
) -> bool {
    if !processor::takes::<IS_PUT>(true, context, here, bytes as usize) {
        return false;
    }
    let Some(there) = peer::find_at_once(DevPtr::<u8>::from_address(there), pe, Need::LoadStore) else { return false };
    let kind = if IS_PUT { CommandKind::Put } else { CommandKind::Get }.number();
    let head = CommandHead { kind, width, context: context as u16, pe: 0 }.bits();
    processor::post(head, pe, there.address(), here, bytes, sig, value);
    true
}

/// Waits for what the lanes of this PE have left to the command processor on a context: a part of fence and quiet,
/// behind their fence.
#[inline(always)]
pub fn finish_left(context: u32) {
    processor::Left::by(context).finish();
}

/// A get, instead of a put.
pub const GET: u32 = 1;
/// Does not wait until the local memory may be used.
pub const NBI: u32 = 2;

/// Whether the lanes themselves copy from or to the memory of this PE, by [`put_chunk`] or [`get_chunk`].
#[inline(always)]
pub fn is_in_chunks<S: Scope>(scope: S, how: u32, here: u64, bytes: u64) -> bool {
    far::is_in_chunks(head_of(how), scope, here, bytes as usize, how & NBI == 0)
}

/// Makes the CPU copy bytes between `there`, on PE `pe`, and `here`. One lane calls it, with which those that wrote or
/// read `here` have synchronised. Returns 0, or what to pass to [`answer`] before `here` may be used.
///
/// # Safety
/// `there` is symmetric memory, and both are valid for `bytes` bytes until the copy is complete. Nobody writes the source
/// or accesses the target until then.
#[inline(always)]
pub unsafe fn post_copy(how: u32, pe: u32, there: u64, here: u64, bytes: u64) -> u64 {
    far::post_copy(head_of(how), pe, there, here, bytes, how & NBI == 0)
}

#[inline(always)]
fn head_of(how: u32) -> u64 {
    Ctx::DEFAULT.head::<()>(if how & GET == 0 { CommandKind::Put } else { CommandKind::Get })
}

/// A put of at most [`cushmem_abi::CHUNK_BYTES`], which the lanes leave for the CPU. All lanes of a scope call it.
///
/// # Safety
/// `there` is symmetric memory, and both are valid for `bytes` bytes. Nobody writes the source until it returns, or
/// accesses the target until the put is complete.
#[inline(always)]
pub unsafe fn put_chunk<S: Scope>(scope: S, pe: u32, there: u64, here: u64, bytes: u64) {
    far::check_copy(pe, there);
    far::put_chunk(head_of_chunk(CommandKind::PutChunk, pe), Slow(scope), there, here, bytes);
}

/// A get of at most [`cushmem_abi::CHUNK_BYTES`], which the lanes take from the CPU. All lanes of a scope call it.
///
/// # Safety
/// `there` is symmetric memory, and both are valid for `bytes` bytes. Nobody writes the source or accesses the target
/// until it returns.
#[inline(always)]
pub unsafe fn get_chunk<S: Scope>(scope: S, pe: u32, there: u64, here: u64, bytes: u64) {
    far::check_copy(pe, there);
    far::get_chunk(head_of_chunk(CommandKind::GetChunk, pe), Slow(scope), there, here, bytes);
}

#[inline(always)]
fn head_of_chunk(kind: CommandKind, pe: u32) -> u64 {
    Ctx::DEFAULT.head::<()>(kind) | u64::from(pe)
}

/// Makes the CPU copy `n` elements of `size` bytes at equal distances between `there`, on PE `pe`, and `here`, which is
/// global memory. One lane calls it, with which those that wrote or read `here` have synchronised. Returns 0, or what
/// to pass to [`answer`] before `here` may be used.
///
/// # Safety
/// `there` is symmetric memory, and all elements at these distances are valid at both ends until the copy is complete.
/// Nobody writes the source or accesses the target until then.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // those of a strided copy
pub unsafe fn post_strided(how: u32, pe: u32, there: u64, here: u64, n: u64, dst: u64, src: u64, size: u64) -> u64 {
    let kind = if how & GET == 0 { CommandKind::Iput } else { CommandKind::Iget };
    strided::post(Ctx::DEFAULT.head::<()>(kind), pe, there, here, n, dst, src, size)
}

/// A scope whose copies need few registers: each lane has one word in flight. The CPU's part takes longer.
#[derive(Clone, Copy)]
struct Slow<S>(S);

impl<S: Scope> Scope for Slow<S> {
    const UNROLL: usize = 0;
    #[inline(always)]
    fn lane(self) -> usize {
        self.0.lane()
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        self.0.lanes()
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

/// These lanes begin an operation: where it is recorded, or 0 if this lane does not. The context has a record.
#[inline(always)]
pub fn record_begin(scope: Any) -> u64 {
    recorded::begin_of(scope)
}

/// The operation recorded there has ended: the number of a [`cushmem_abi::KernelOperation`], its PE and bytes, and the
/// address here of its word, or 0.
#[inline(always)]
pub fn record_end(begun: u64, operation: u32, pe: u32, bytes: u64, word: u64) {
    recorded::end_of(begun, operation, pe, bytes, word);
}

/// [`Ctx::quiet`] of the default context, without the record.
#[inline(always)]
pub fn quiet_plain() {
    Ctx::DEFAULT.quiet_plain();
}

/// The barrier of all PEs, among the CPUs, and a quiet before it.
///
/// # Safety
/// One lane of this PE at a time calls it.
#[inline(always)]
pub unsafe fn meet() {
    quiet_plain();
    sync::meet(team_world());
}

//! Parts of operations, for kernels in CUDA C++. There, the common case of an operation is in the kernel and everything
//! else in a function, which the compiler of C++ has to see as one.

use crate::peer::find;
use crate::{Cmp, Ctx, DevPtr, Need, Scope, Word, arch, command, far, peer, signal, sync, team_world, wait};
use cushmem_abi::{CommandHead, CommandKind, SignalOp};

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

/// The address of an object on another PE for atomics, or 0.
#[inline(always)]
pub fn reach_atomics(object: u64, pe: u32) -> u64 {
    peer::find(DevPtr::<u8>::from_address(object), pe, Need::Atomic).map_or(0, |there| there.address())
}

/// Ends the kernel: this GPU does not reach the object `address` of PE `pe`.
#[inline(always)]
pub fn refuse(address: u64, pe: u32, need: Need) -> ! {
    peer::refuse(address, pe, need)
}

/// Makes the CPU carry out an operation on a word of PE `pe`, see [`command::word`]. The bytes of `what` are, from the
/// lowest: those of the word, the number of a [`CommandKind`], and 1 if the operation fetches.
#[inline(always)]
pub fn word(what: u32, pe: u32, word: u64, operand: u64, condition: u64) -> u64 {
    let head = CommandHead { kind: (what >> 8) as u8, width: what as u8, context: 0, pe: 0 }.bits();
    command::word(head, pe, word, operand, condition, what >> 16 != 0)
}

/// A get, instead of a put.
pub const GET: u32 = 1;
/// Does not wait until the local memory may be used.
pub const NBI: u32 = 2;
/// Adds to the signal, instead of setting it.
pub const ADD: u32 = 4;

/// Makes the CPU copy bytes between `there`, on PE `pe`, and `here`. All lanes of a scope call it.
#[inline(always)]
pub fn copy<S: Scope>(scope: S, how: u32, pe: u32, there: u64, here: u64, bytes: u64) {
    let (kind, waits) = (if how & GET == 0 { CommandKind::Put } else { CommandKind::Get }, how & NBI == 0);
    let head = Ctx::DEFAULT.head::<()>(kind);
    far::await_copy(far::copy(head, scope, pe, there, here, bytes as usize, waits));
    if waits {
        scope.sync();
    }
}

/// A put behind which the CPU updates a signal, or a put by the lanes behind which it does so because the signal is out
/// of their reach. All lanes of a scope call it.
///
/// # Safety
/// The conditions of [`Scope::put_signal`].
#[inline(always)]
#[allow(clippy::too_many_arguments)] // the specification's
pub unsafe fn put_signal<S: Scope>(
    scope: S,
    how: u32,
    op: SignalOp,
    pe: u32,
    dst: u64,
    src: u64,
    bytes: u64,
    sig: u64,
    value: u64,
) {
    let is_far = find(DevPtr::<u8>::from_address(dst), pe, Need::LoadStore).is_none();
    let sig = DevPtr::from_address(sig);
    let waits = how & NBI == 0;
    let reply = if is_far {
        far::copy(Ctx::DEFAULT.head::<()>(CommandKind::Put), scope, pe, dst, src, bytes as usize, waits)
    } else {
        // SAFETY: the caller guarantees what this requires of both ranges.
        unsafe {
            Ctx::DEFAULT.put(scope, DevPtr::<u8>::from_address(dst), DevPtr::from_address(src), bytes as usize, pe)
        };
        0
    };
    if scope.lane() == 0 {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe {
            match is_far {
                true => signal::update_behind::<true>(&Ctx::DEFAULT, sig, value, op, pe),
                false => signal::update_behind::<false>(&Ctx::DEFAULT, sig, value, op, pe),
            }
        }
        if arch::context_far() == 0 {
            // Quiet does not look for commands in this job.
            Ctx::DEFAULT.quiet();
        }
    }
    far::await_copy(reply);
    if waits {
        scope.sync();
    }
}

/// The barrier of all PEs, among the CPUs, and a quiet before it. One lane calls it.
#[inline(always)]
pub fn meet() {
    Ctx::DEFAULT.quiet();
    sync::meet(team_world());
}

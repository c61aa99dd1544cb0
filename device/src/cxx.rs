//! Parts of operations, for kernels in CUDA C++. There, the common case of an operation is in the kernel and everything
//! else in a function, which the compiler of C++ has to see as one.

use crate::{Cmp, DevPtr, Need, Word, command, peer, wait};
use cushmem_abi::{CommandHead, CommandKind, WordOp};

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

/// Makes the CPU change a word of `width` bytes of PE `pe`; returns the previous value.
#[inline(always)]
pub fn ask_word(op: WordOp, width: u8, pe: u32, word: u64, operand: u64, condition: u64) -> u64 {
    command::ask(head(op, width), pe, DevPtr::from_address(word), operand, condition)
}

/// Makes the CPU change a word of `width` bytes of PE `pe`.
#[inline(always)]
pub fn post_word(op: WordOp, width: u8, pe: u32, word: u64, value: u64) {
    command::post(head(op, width), pe, DevPtr::from_address(word), value);
}

/// The head of a command on the default context, without its PE.
#[inline(always)]
fn head(op: WordOp, width: u8) -> u64 {
    CommandHead { kind: CommandKind::Word(op).number(), width, context: 0, pe: 0 }.bits()
}

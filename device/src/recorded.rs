//! What kernels record of their operations, for a timeline: [`cushmem_abi::KernelRecord`] has the layout. Kernels for
//! jobs in which all PEs are mapped record only in a build of their own. The others test one word of the context.
//!
//! Lane 0 of a scope records what the scope does, and thread 0 of a block what it does alone. Of the blocks of a
//! launch, only one of several records.
//!
//! *Who writes what*: whoever takes a number writes the slot with it. An operation takes it when it begins, so that at
//! its end, for which others may be waiting, it only stores. Nobody reads the slots while kernels run. If so much is
//! recorded that a slot is taken again while its operation goes on, the end of the older event may overwrite that of
//! the newer one: an end says in which round of the slots its event began, so that readers leave out events with an end
//! of another round.

use crate::{DevPtr, Word, arch};
use core::mem::offset_of;
use cushmem_abi::{KernelEvent, KernelOperation, KernelRecord, KernelWork};

/// No PE, or several.
pub(crate) const NO_PE: u32 = KernelWork::NO_PE;

/// The lanes that carry out an operation together.
pub(crate) trait Lanes: Copy {
    /// Whether this is the first of them.
    fn is_first(self) -> bool;
    /// Whether it is the only one.
    fn is_alone(self) -> bool;
}

/// These lanes begin an operation that a unit of CUDA C++ records: see [`Begun::of`]. There must be a record.
#[inline(always)]
pub(crate) fn begin_of<L: Lanes>(lanes: L) -> u64 {
    if lanes.is_first() { begin(u64::from(lanes.is_alone())) } else { 0 }
}

/// See [`Begun::end`].
#[inline(always)]
pub(crate) fn end_of(begun: u64, operation: u32, pe: u32, bytes: u64, word: u64) {
    end(begun, u64::from(operation) | u64::from(pe) << 32, bytes, word);
}

/// Where an operation that has begun is recorded, as [`take`] says it; 0 if it is not. Of the command processor, when
/// it began. Without a record, none of this is in a kernel.
pub(crate) struct Begun(u64);

impl Begun {
    /// This lane begins something alone.
    #[inline(always)]
    pub(crate) fn alone() -> Self {
        if arch::HAS_RECORD && arch::context_record() != 0 {
            return Self(begin(1u64));
        }
        Self(0)
    }

    /// These lanes begin something.
    #[inline(always)]
    pub(crate) fn of<L: Lanes>(lanes: L) -> Self {
        Self(if arch::HAS_RECORD && arch::context_record() != 0 { begin_of(lanes) } else { 0 })
    }

    /// Lane 0 of the command processor begins a command.
    #[inline(always)]
    pub(crate) fn command() -> Self {
        Self(if arch::RECORDS_COMMANDS && arch::context_record() != 0 { arch::globaltimer() } else { 0 })
    }

    /// No operation that is to be recorded.
    #[inline(always)]
    pub(crate) const fn none() -> Self {
        Self(0)
    }

    /// It has carried out the command, whose other end is at an address of this or another PE.
    #[inline(always)]
    pub(crate) fn end_command(self, operation: KernelOperation, bytes: usize, there: u64) {
        if arch::RECORDS_COMMANDS && self.0 != 0 {
            let (operation, (block, warp)) = (operation as u8, KernelWork::PROCESSOR);
            end_command(self.0, KernelWork { operation, warp, block, pe: NO_PE }.bits(), bytes as u64, there);
        }
    }

    /// They have done it: on a PE, with so many bytes, and to the word at an address here, or 0.
    #[inline(always)]
    pub(crate) fn end(self, operation: KernelOperation, pe: u32, bytes: usize, word: u64) {
        if arch::HAS_RECORD && self.0 != 0 {
            end_of(self.0, operation as u32, pe, bytes as u64, word);
        }
    }
}

#[inline(always)]
fn word(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_record() + offset as u64)
}

/// Takes a slot; 0 if this lane does not record. It is generic because a function called from another crate must be.
#[cold]
#[inline(never)]
fn begin<T: Word + Into<u64>>(alone: T) -> u64 {
    let place = arch::block_and_thread();
    let (block, thread) = ((place >> 32) as u32, place as u32);
    if !block.is_multiple_of(arch::context_record_every()) || alone.into() != 0 && thread != 0 {
        return 0;
    }
    take(arch::globaltimer())
}

#[cold]
#[inline(never)]
fn end<T: Word + Into<u64>>(begun: T, what: T, bytes: T, at: T) {
    let until = arch::globaltimer();
    let mut work = KernelWork::of_bits(what.into());
    let place = arch::block_and_thread();
    (work.block, work.warp) = ((place >> 32) as u16, (place as u32 / 32) as u8);
    finish(begun.into(), until, work.bits(), bytes.into(), at.into());
}

/// See [`Begun::end_command`].
#[cold]
#[inline(never)]
fn end_command<T: Word + Into<u64>>(from: T, what: T, bytes: T, at: T) {
    let until = arch::globaltimer();
    finish(take(from.into()), until, what.into(), bytes.into(), at.into());
}

/// Takes the next slot for an event that began at this time. Returns its place in bytes of the record and, in the bits
/// from [`KernelEvent::ROUND_SHIFT`] on, how often each slot had been taken before.
#[inline(always)]
fn take(from: u64) -> u64 {
    // SAFETY: words of the record, which exists as long as kernels run. Relaxed: the end of the kernel orders them.
    unsafe {
        let number = arch::atom_add_relaxed_gpu_u64(word(offset_of!(KernelRecord, taken)).raw(), 1);
        let slots = u64::from(arch::context_record_slots());
        let slot = size_of::<KernelRecord>() as u64 + (number & (slots - 1)) * size_of::<KernelEvent>() as u64;
        arch::st_relaxed_sys_v2_u64(word(slot as usize).cast().raw(), [from, number + 1]);
        arch::st_relaxed_sys_v2_u64(word(slot as usize + 16).cast().raw(), [0, 0]);
        slot | number >> slots.trailing_zeros() << KernelEvent::ROUND_SHIFT
    }
}

/// The event that has taken a slot has ended.
#[inline(always)]
fn finish(taken: u64, until: u64, work: u64, bytes: u64, at: u64) {
    let (slot, round) = (taken as u32, taken >> KernelEvent::ROUND_SHIFT << KernelEvent::ROUND_SHIFT);
    // SAFETY: words of a slot of the record, which exists as long as kernels run.
    unsafe {
        arch::st_relaxed_sys_v2_u64(word(slot as usize + 16).cast().raw(), [until, work]);
        arch::st_relaxed_sys_v2_u64(word(slot as usize + 32).cast().raw(), [bytes | round, at]);
    }
}

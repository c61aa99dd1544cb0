//! What kernels record of their operations, for a timeline: [`cushmem_abi::KernelRecord`] has the layout. Kernels for
//! jobs in which all PEs are mapped record only in a build of their own. The others test one word of the context.
//!
//! Lane 0 of a scope records what the scope does, and thread 0 of a block what it does alone. Of the blocks of a
//! launch, only one of several records.
//!
//! *Who writes what*: an operation takes its number when it begins, and nothing waits for that until it ends; then it
//! stores all of its event in the slot of this number, and waits for nothing. Nobody reads the slots while kernels run.
//! If so much is recorded that a slot is taken again while its operation goes on, the event that ends later stays; if
//! both end at the same time, it may be a mixture. The number in it is that of one of both.

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

/// When an operation of these lanes began that a unit of CUDA C++ records: see [`Begun::of`]. There must be a record.
#[inline(always)]
pub(crate) fn begin_of<L: Lanes>(lanes: L) -> u64 {
    if lanes.is_first() { begin(u64::from(lanes.is_alone())) } else { 0 }
}

/// See [`Begun::end`].
#[inline(always)]
pub(crate) fn end_of(from: u64, number: u64, operation: u32, pe: u32, bytes: u64, word: u64) {
    end(from, number, u64::from(operation) | u64::from(pe) << 32, bytes, word);
}

/// The number of the next event.
#[inline(always)]
pub(crate) fn take() -> u64 {
    // SAFETY: a word of the record, which exists as long as kernels run. Relaxed: the end of the kernel orders it.
    unsafe { arch::atom_add_relaxed_gpu_u64(word(offset_of!(KernelRecord, taken)).raw(), 1) }
}

/// An operation that is to be recorded: when it began, or 0, and its number. Without a record, none of this is in a
/// kernel.
pub(crate) struct Begun {
    from: u64,
    number: u64,
}

impl Begun {
    /// This lane begins something alone.
    #[inline(always)]
    pub(crate) fn alone() -> Self {
        Self::at(if arch::HAS_RECORD && arch::context_record() != 0 { begin(1u64) } else { 0 })
    }

    /// These lanes begin something.
    #[inline(always)]
    pub(crate) fn of<L: Lanes>(lanes: L) -> Self {
        Self::at(if arch::HAS_RECORD && arch::context_record() != 0 { begin_of(lanes) } else { 0 })
    }

    /// Lane 0 of the command processor begins a command.
    #[inline(always)]
    pub(crate) fn command() -> Self {
        Self::at(if arch::RECORDS_COMMANDS && arch::context_record() != 0 { arch::globaltimer() } else { 0 })
    }

    /// No operation that is to be recorded.
    #[inline(always)]
    pub(crate) const fn none() -> Self {
        Self { from: 0, number: 0 }
    }

    #[inline(always)]
    fn at(from: u64) -> Self {
        Self { from, number: if from != 0 { take() } else { 0 } }
    }

    /// It has carried out the command, whose other end is at an address of this or another PE.
    #[inline(always)]
    pub(crate) fn end_command(self, operation: KernelOperation, bytes: usize, there: u64) {
        if arch::RECORDS_COMMANDS && self.from != 0 {
            let (operation, (block, warp)) = (operation as u8, KernelWork::PROCESSOR);
            let work = KernelWork { operation, warp, block, pe: NO_PE };
            end_command(self.from, self.number, work.bits(), bytes as u64, there);
        }
    }

    /// They have done it: on a PE, with so many bytes, and to the word at an address here, or 0.
    #[inline(always)]
    pub(crate) fn end(self, operation: KernelOperation, pe: u32, bytes: usize, word: u64) {
        if arch::HAS_RECORD && self.from != 0 {
            end_of(self.from, self.number, operation as u32, pe, bytes as u64, word);
        }
    }
}

#[inline(always)]
fn word(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_record() + offset as u64)
}

/// The time; 0 if this lane does not record. It is generic because a function called from another crate must be.
#[cold]
#[inline(never)]
fn begin<T: Word + Into<u64>>(alone: T) -> u64 {
    let place = arch::block_and_thread();
    let (block, thread) = ((place >> 32) as u32, place as u32);
    if !block.is_multiple_of(arch::context_record_every()) || alone.into() != 0 && thread != 0 {
        return 0;
    }
    arch::globaltimer()
}

#[cold]
#[inline(never)]
fn end<T: Word + Into<u64>>(from: T, number: T, what: T, bytes: T, at: T) {
    let until = arch::globaltimer();
    let mut work = KernelWork::of_bits(what.into());
    let place = arch::block_and_thread();
    (work.block, work.warp) = ((place >> 32) as u16, (place as u32 / 32) as u8);
    write([from.into(), until], number.into(), [work.bits(), bytes.into()], at.into());
}

/// See [`Begun::end_command`].
#[cold]
#[inline(never)]
fn end_command<T: Word + Into<u64>>(from: T, number: T, what: T, bytes: T, at: T) {
    write([from.into(), arch::globaltimer()], number.into(), [what.into(), bytes.into()], at.into());
}

#[inline(always)]
fn write(times: [u64; 2], number: u64, what: [u64; 2], at: u64) {
    let slot = number as u32 & (arch::context_record_slots() - 1);
    let slot = size_of::<KernelRecord>() + slot as usize * size_of::<KernelEvent>();
    // SAFETY: words of the record, which exists as long as kernels run. Relaxed: the end of the kernel orders them.
    unsafe {
        arch::st_relaxed_sys_v2_u64(word(slot).cast().raw(), times);
        arch::st_relaxed_sys_v2_u64(word(slot + 16).cast().raw(), what);
        arch::st_relaxed_sys_v2_u64(word(slot + 32).cast().raw(), [at, number + 1]);
    }
}

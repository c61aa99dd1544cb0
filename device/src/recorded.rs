//! What kernels record of their operations, for a timeline: [`cushmem_abi::KernelRecord`] has the layout. Kernels for
//! jobs in which all PEs are mapped record only in a build of their own. The others test one word of the context.
//!
//! Lane 0 of a scope records what the scope does, and thread 0 of a block what it does alone. Of the blocks of a
//! launch, only one of several records.
//!
//! *Who writes what*: whoever takes a number writes the slot with it, at the end of the operation. The number is taken
//! at its begin: the addition takes as long as a load from global memory, and in kernels that are built for timelines,
//! only a fence of the operation or its end waits for it. The slots are read when the program's kernels have ended; the
//! marks of events that the GPU agent stores meanwhile are those of whole events or of none. An operation that goes on
//! while others take its slot overwrites their event.

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

/// A lane by itself.
#[derive(Clone, Copy)]
struct Alone;

impl Lanes for Alone {
    #[inline(always)]
    fn is_first(self) -> bool {
        true
    }
    #[inline(always)]
    fn is_alone(self) -> bool {
        true
    }
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

/// An operation, or a command, that has begun. Without a record, none of this is in a kernel.
#[doc(hidden)]
pub struct Begun {
    /// When it has, in the build for timelines; otherwise what [`KernelEvent::begun`] makes of that and the number,
    /// because kernels that record nothing should not need more registers. 0 if it is not recorded.
    from: u64,
    number: u64,
}

impl Begun {
    /// This lane begins something by itself.
    #[inline(always)]
    pub(crate) fn alone() -> Self {
        Self::of(Alone)
    }

    /// These lanes begin something.
    #[inline(always)]
    pub(crate) fn of<L: Lanes>(lanes: L) -> Self {
        if !arch::HAS_RECORD || arch::context_record() == 0 || !lanes.is_first() {
            Self::none()
        } else if !arch::IS_RECORDED {
            Self { from: begin(u64::from(lanes.is_alone())), number: 0 }
        } else if is_asked(lanes.is_alone()) {
            Self { from: arch::globaltimer(), number: take() }
        } else {
            Self::none()
        }
    }

    /// Lane 0 of the command processor, or of the GPU agent, begins a command.
    #[inline(always)]
    pub fn command() -> Self {
        let is_recorded = arch::IS_RECORDED && arch::context_record() != 0;
        Self { from: if is_recorded { arch::globaltimer() } else { 0 }, number: 0 }
    }

    /// No operation that is to be recorded.
    #[inline(always)]
    pub const fn none() -> Self {
        Self { from: 0, number: 0 }
    }

    /// It has carried out the command, whose other end is at an address of this or another PE. Which of the two it is,
    /// [`KernelWork::server`] says.
    #[inline(always)]
    pub fn end_command(self, (block, warp): (u16, u8), operation: KernelOperation, bytes: usize, there: u64) {
        if arch::IS_RECORDED && self.from != 0 {
            let operation = operation as u8;
            end_command(self.from, KernelWork { operation, warp, block, pe: NO_PE }.bits(), bytes as u64, there);
        }
    }

    /// They have done it: on a PE, with so many bytes, and to the word at an address here, or 0.
    #[inline(always)]
    pub(crate) fn end(self, operation: KernelOperation, pe: u32, bytes: usize, word: u64) {
        if arch::HAS_RECORD && self.from != 0 {
            let begun = if arch::IS_RECORDED { KernelEvent::begun(self.from, self.number) } else { self.from };
            end_of(begun, operation as u32, pe, bytes as u64, word);
        }
    }
}

#[inline(always)]
fn word(offset: usize) -> DevPtr<u64> {
    DevPtr::from_address(arch::context_record() + offset as u64)
}

/// Whether this lane records what it does, alone or for its scope.
#[inline(always)]
fn is_asked(alone: bool) -> bool {
    let place = arch::block_and_thread();
    let (block, thread) = ((place >> 32) as u32, place as u32);
    block.is_multiple_of(arch::context_record_every()) && (!alone || thread == 0)
}

/// What an operation keeps, or 0 if this lane does not record. It is generic because a function called from another
/// crate must be.
#[cold]
#[inline(never)]
fn begin<T: Word + Into<u64>>(alone: T) -> u64 {
    if is_asked(alone.into() != 0) { KernelEvent::begun(arch::globaltimer(), take()) } else { 0 }
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
    finish(KernelEvent::begun(from.into(), take()), until, what.into(), bytes.into(), at.into());
}

/// Takes the next number.
#[inline(always)]
fn take() -> u64 {
    // SAFETY: a word of the record, which exists as long as kernels run. Relaxed: the end of the kernel orders it.
    unsafe { arch::atom_add_relaxed_gpu_u64(word(offset_of!(KernelRecord, taken)).raw(), 1) }
}

/// Stores the event of an operation that has ended.
#[inline(always)]
fn finish(begun: u64, until: u64, work: u64, bytes: u64, at: u64) {
    let slot = KernelEvent::number(begun) as usize & (arch::context_record_slots() as usize - 1);
    let slot = word(size_of::<KernelRecord>() + slot * size_of::<KernelEvent>());
    let [from, mark, lasted, what, bytes, at] = KernelEvent::ended(begun, until, work, bytes, at);
    // SAFETY: the words of a slot of the record, which exists as long as kernels run.
    unsafe {
        arch::st_relaxed_sys_v2_u64(slot.cast().raw(), [from, mark]);
        arch::st_relaxed_sys_v2_u64(slot.byte_offset(16).cast().raw(), [lasted, what]);
        arch::st_relaxed_sys_v2_u64(slot.byte_offset(32).cast().raw(), [bytes, at]);
    }
}

//! Reports to the host what a lane waits for, so that `shmemrun --status` can show where a kernel hangs.
//!
//! A PE has one record, in host memory. A lane that has waited for a long time claims it and writes it. Only one lane
//! at a time holds it, because the first lane that hangs is more informative than those that wait for it. The others
//! retry now and then, so another one takes over when the holder's wait has ended. The claim is in GPU memory, where
//! all lanes of the PE have atomics. The host reads the record at any time, and accepts it if two reads agree.

use crate::{Cmp, DevPtr, Word, arch};
use core::mem::offset_of;
use cushmem_abi::{Reports, SyncArea, WaitRecord, WordKind};

#[inline(always)]
fn claim() -> DevPtr<u64> {
    DevPtr::from_address(arch::context_sync_area() + offset_of!(SyncArea, wait_claim) as u64)
}

#[inline(always)]
fn field<T>(offset: usize) -> DevPtr<T> {
    DevPtr::from_address(arch::context_reports() + (offset_of!(Reports, wait) + offset) as u64)
}

/// Records what this lane waits for, unless another lane holds the record. `mine` says whether this lane holds it
/// already; the result says whether it holds it now.
#[cold]
#[inline]
pub(crate) fn write<T: Word>(mine: bool, word: DevPtr<T>, cmp: Cmp, wanted: T, seen: T) -> bool {
    if mine {
        // SAFETY: the record is the library's own memory, valid as long as the module is loaded.
        unsafe { u64::store_relaxed_sys(field(offset_of!(WaitRecord, seen)), seen.recorded()) };
        return true;
    }
    claim_and_write(T::KIND, word.address(), cmp, [wanted.recorded(), seen.recorded()])
}

/// Records that this lane waits for a line of a cached array, with this word, or a slot for it; as [`write`].
#[cold]
#[inline]
pub(crate) fn write_line(word: DevPtr<u64>, line: u32) -> bool {
    claim_and_write(WordKind::Line, word.address(), Cmp::Ne, [line.into(), 0])
}

/// Records that this lane waits for room in the queue of tasks of a PE, of which this word tells; as [`write`].
#[cold]
#[inline]
pub(crate) fn write_task_room(word: DevPtr<u64>, pe: u32) -> bool {
    claim_and_write(WordKind::TaskRoom, word.address(), Cmp::Ne, [pe.into(), 0])
}

#[inline(always)]
fn claim_and_write(kind: WordKind, address: u64, cmp: Cmp, [wanted, seen]: [u64; 2]) -> bool {
    // SAFETY: the sync area and the record are the library's own memory, valid as long as the module is loaded. Without
    // a job there is no record.
    unsafe {
        if arch::context_reports() == 0
            || u64::load_relaxed_sys(claim()) != 0
            || arch::atom_exch_relaxed_gpu_u64(claim().raw(), 1) != 0
        {
            return false;
        }
        // SYNC(wait-claim) fence: pairs with the fence in `withdraw` of the previous holder, whose last store comes
        // before these.
        arch::fence_acq_rel_sys();
        u64::store_relaxed_sys(field(offset_of!(WaitRecord, lane)), arch::block_and_thread());
        u64::store_relaxed_sys(field(offset_of!(WaitRecord, address)), address);
        u64::store_relaxed_sys(field(offset_of!(WaitRecord, wanted)), wanted);
        u64::store_relaxed_sys(field(offset_of!(WaitRecord, seen)), seen);
        u32::store_relaxed_sys(field(offset_of!(WaitRecord, kind)), kind as u32);
        // SYNC(wait-record) the fence orders the fields before the comparison, which the host loads with acquire.
        arch::fence_acq_rel_sys();
        u32::store_relaxed_sys(field(offset_of!(WaitRecord, comparison)), cmp as u32 + 1);
    }
    true
}

/// Withdraws the record: the wait of the lane that wrote it has ended.
#[cold]
#[inline]
pub(crate) fn withdraw() {
    // SAFETY: the record is the library's own memory, valid as long as the module is loaded, and this lane holds the
    // claim, so nobody else writes it.
    unsafe {
        u32::store_relaxed_sys(field(offset_of!(WaitRecord, comparison)), 0);
        // SYNC(wait-claim) fence: pairs with the fence in `write` of the lane that claims next.
        arch::fence_acq_rel_sys();
        u64::store_relaxed_sys(claim(), 0);
    }
}

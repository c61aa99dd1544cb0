use crate::{DevPtr, Word, arch};
use core::mem::offset_of;
use cushmem_abi::{ErrorCode, ErrorRecord, Reports, SyncArea};

/// Writes the error record in host memory and ends the kernel. Device memory is then lost, but host memory is not.
///
/// The first lane to claim the record fills it in. Others wait until it has, so that their trap does not come first:
/// for a tenth of a second at most, which is long even if several processes take turns on the GPU.
#[cold]
#[inline]
pub(crate) fn fail(code: ErrorCode, pe: u32, value: u64, limit: u64) -> ! {
    let claim = DevPtr::<u64>::from_address(arch::context_sync_area() + offset_of!(SyncArea, error_claim) as u64);
    let record = arch::context_reports() + offset_of!(Reports, error) as u64;
    // SAFETY: the sync area and the record are the library's own memory, valid as long as the module is loaded.
    unsafe {
        if arch::atom_exch_relaxed_gpu_u64(claim.raw(), 1) == 0 {
            let lane = arch::block_and_thread();
            u32::store_relaxed_sys(DevPtr::from_address(record + offset_of!(ErrorRecord, pe) as u64), pe);
            u64::store_relaxed_sys(DevPtr::from_address(record + offset_of!(ErrorRecord, value) as u64), value);
            u64::store_relaxed_sys(DevPtr::from_address(record + offset_of!(ErrorRecord, limit) as u64), limit);
            u64::store_relaxed_sys(DevPtr::from_address(record + offset_of!(ErrorRecord, lane) as u64), lane);
            // SYNC(error-record) the fence orders the fields before the code, which the host loads with acquire.
            arch::fence_acq_rel_sys();
            u32::store_relaxed_sys(DevPtr::from_address(record), code as u32);
            arch::fence_sc_sys();
        } else {
            let start = arch::globaltimer();
            while u32::load_relaxed_sys(DevPtr::from_address(record)) == 0
                && arch::globaltimer().wrapping_sub(start) < 100_000_000
            {
                arch::pause();
            }
        }
    }
    arch::trap()
}

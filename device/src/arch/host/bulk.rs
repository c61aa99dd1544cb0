//! Bulk copies and their barriers. A copy is made at once, so that all waits find it complete.

use super::{SharedAddress, ld_generic_v2_u64, ld_shared_u64, st_generic_v2_u64, st_shared_u64};
use core::ptr::with_exposed_provenance_mut;

/// Whether builds for this machine can copy in bulk.
pub const HAS_BULK_COPIES: bool = true;

/// Makes a barrier. Its word holds the number of phases that have ended, and above it the bytes for which the current
/// one waits.
/// # Safety
/// `barrier` is the address of 8 bytes of this block's shared memory, aligned to 8.
pub unsafe fn mbarrier_init(barrier: SharedAddress, arrivals: u32) {
    assert_eq!(arrivals, 1, "this model has barriers of one lane");
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { st_shared_u64(barrier, 0) }
}

/// Ends a barrier: the memory then holds a number that is no barrier's.
/// # Safety
/// `barrier` is the address of a barrier for which nobody waits.
pub unsafe fn mbarrier_inval(barrier: SharedAddress) {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { st_shared_u64(barrier, u64::MAX) }
}

/// Arrives at a barrier; the phase does not end before so many bytes have come.
/// # Safety
/// `barrier` is the address of a barrier.
pub unsafe fn mbarrier_arrive_expect_tx(barrier: SharedAddress, bytes: u32) {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe {
        let word = ld_shared_u64(barrier);
        assert_eq!(word >> 32, 0, "a phase has begun before the last one has ended, or this is no barrier");
        st_shared_u64(barrier, word | u64::from(bytes) << 32);
    }
}

/// Whether the phase with this parity (0 for the first one) has ended.
/// # Safety
/// `barrier` is the address of a barrier.
pub unsafe fn mbarrier_try_wait_parity(barrier: SharedAddress, parity: u32) -> bool {
    // SAFETY: the caller guarantees that the address is valid.
    let word = unsafe { ld_shared_u64(barrier) };
    // Nobody else ends it: the lane would wait for ever.
    assert!(word >> 32 == 0 && word % 2 != u64::from(parity), "the awaited phase has not ended");
    true
}

/// Copies from global to shared memory; the bytes arrive at the barrier.
/// # Safety
/// Both ranges are valid for `bytes` bytes. Both addresses and `bytes` are multiples of 16.
pub unsafe fn cp_async_bulk_shared_global(to: SharedAddress, from: *const u8, bytes: u32, barrier: SharedAddress) {
    // SAFETY: the caller guarantees that the ranges and the barrier are valid.
    unsafe {
        copy(with_exposed_provenance_mut(to as usize), from, bytes);
        let word = ld_shared_u64(barrier);
        assert_eq!(word >> 32, bytes.into(), "the phase waits for as many bytes as come");
        st_shared_u64(barrier, u64::from(word as u32) + 1);
    }
}

/// Copies from shared to global memory.
/// # Safety
/// Both ranges are valid for `bytes` bytes. Both addresses and `bytes` are multiples of 16.
pub unsafe fn cp_async_bulk_global_shared(to: *mut u8, from: SharedAddress, bytes: u32) {
    // SAFETY: the caller guarantees what this requires of both ranges.
    unsafe { copy(to, with_exposed_provenance_mut(from as usize), bytes) }
}

/// # Safety
/// Both ranges are valid for `bytes` bytes, and aligned to 16.
unsafe fn copy(to: *mut u8, from: *const u8, bytes: u32) {
    assert_eq!((to.addr() | from.addr() | bytes as usize) % 16, 0, "bulk copies are aligned");
    for i in 0..bytes as usize / 16 {
        // SAFETY: the vectors lie in the ranges.
        unsafe {
            st_generic_v2_u64(
                to.cast::<[u64; 2]>().wrapping_add(i),
                ld_generic_v2_u64(from.cast::<[u64; 2]>().wrapping_add(i)),
            );
        }
    }
}

/// Ends a group of copies.
pub fn cp_async_bulk_commit_group() {}

/// Waits until all groups but the last `PENDING` have read their sources.
pub fn cp_async_bulk_wait_group_read<const PENDING: u32>() {}

/// Waits until all groups are complete.
pub fn cp_async_bulk_wait_group() {}

/// Orders accesses by loads and stores before it and bulk copies after it: these are made in the same way.
pub fn fence_proxy_async() {}

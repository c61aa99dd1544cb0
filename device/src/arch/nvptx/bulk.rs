//! Bulk copies between global and shared memory, and the barriers that count their bytes. Only builds for GPUs from
//! sm_90 on may contain them.

use super::SharedAddress;
use core::arch::asm;

/// Whether this build can copy in bulk: whether it is for GPUs from sm_90 on.
pub const HAS_BULK_COPIES: bool = cfg!(cushmem_sm_90);

macro_rules! of_barrier { ($($name:ident: $instruction:literal, $doc:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`: ", $doc)]
    /// # Safety
    /// `barrier` is the address of 8 bytes of this block's shared memory, aligned to 8, and a barrier unless this makes
    /// one.
    #[inline(always)]
    pub unsafe fn $name(barrier: SharedAddress, number: u32) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { asm!(concat!($instruction, " [{0}], {1};"), in(reg32) barrier, in(reg32) number, options(nostack, preserves_flags)) }
    }
)*} }
of_barrier! {
    mbarrier_init: "mbarrier.init.shared.b64", "makes a barrier whose phases end with so many arrivals.";
    mbarrier_arrive_expect_tx: "mbarrier.arrive.expect_tx.shared.b64 _,", "arrives; the phase does not end before so many bytes have come.";
}

/// `mbarrier.inval`: the memory is no barrier any more.
/// # Safety
/// `barrier` is the address of a barrier for which nobody waits.
#[inline(always)]
pub unsafe fn mbarrier_inval(barrier: SharedAddress) {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { asm!("mbarrier.inval.shared.b64 [{0}];", in(reg32) barrier, options(nostack, preserves_flags)) }
}

/// `mbarrier.try_wait.parity`: whether the phase with this parity (0 for the first one) has ended. Waits for it for
/// some time, which the GPU chooses; acquires what came with the phase.
/// # Safety
/// `barrier` is the address of a barrier.
#[inline(always)]
pub unsafe fn mbarrier_try_wait_parity(barrier: SharedAddress, parity: u32) -> bool {
    let has_ended: u32;
    // SAFETY: the caller guarantees that the address is valid.
    unsafe {
        asm!("{{ .reg .pred ended; mbarrier.try_wait.parity.shared.b64 ended, [{1}], {2}; selp.u32 {0}, 1, 0, ended; }}",
             out(reg32) has_ended, in(reg32) barrier, in(reg32) parity, options(nostack, preserves_flags));
    }
    has_ended != 0
}

/// `cp.async.bulk` from global to shared memory; its bytes arrive at the barrier.
/// # Safety
/// Both ranges are valid for `bytes` bytes until the phase ends. Both addresses and `bytes` are multiples of 16.
#[inline(always)]
pub unsafe fn cp_async_bulk_shared_global(to: SharedAddress, from: *const u8, bytes: u32, barrier: SharedAddress) {
    // SAFETY: the caller guarantees what this requires of both ranges.
    unsafe {
        asm!("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{0}], [{1}], {2}, [{3}];", in(reg32) to,
             in(reg64) from, in(reg32) bytes, in(reg32) barrier, options(nostack, preserves_flags));
    }
}

/// `cp.async.bulk` from shared to global memory, as part of this lane's next group.
/// # Safety
/// Both ranges are valid for `bytes` bytes until the group is complete. Both addresses and `bytes` are multiples of 16.
#[inline(always)]
pub unsafe fn cp_async_bulk_global_shared(to: *mut u8, from: SharedAddress, bytes: u32) {
    // SAFETY: the caller guarantees what this requires of both ranges.
    unsafe {
        asm!("cp.async.bulk.global.shared::cta.bulk_group [{0}], [{1}], {2};", in(reg64) to, in(reg32) from,
             in(reg32) bytes, options(nostack, preserves_flags));
    }
}

/// `cp.async.bulk.commit_group`: the copies since the last one are a group.
#[inline(always)]
pub fn cp_async_bulk_commit_group() {
    // SAFETY: touches no memory itself.
    unsafe { asm!("cp.async.bulk.commit_group;", options(nostack, preserves_flags)) }
}

/// `cp.async.bulk.wait_group.read`: waits until all groups of this lane but the last `PENDING` have read their sources.
#[inline(always)]
pub fn cp_async_bulk_wait_group_read<const PENDING: u32>() {
    // SAFETY: touches no memory itself.
    unsafe { asm!("cp.async.bulk.wait_group.read {0};", const PENDING, options(nostack, preserves_flags)) }
}

/// `cp.async.bulk.wait_group 0`: waits until all groups of this lane are complete, and what they wrote is visible to
/// it.
#[inline(always)]
pub fn cp_async_bulk_wait_group() {
    // SAFETY: touches no memory itself.
    unsafe { asm!("cp.async.bulk.wait_group 0;", options(nostack, preserves_flags)) }
}

/// `fence.proxy.async`: orders accesses by loads, stores and atomics before it and bulk copies after it, and the other
/// way round.
#[inline(always)]
pub fn fence_proxy_async() {
    // SAFETY: orders memory accesses, touches none.
    unsafe { asm!("fence.proxy.async;", options(nostack, preserves_flags)) }
}

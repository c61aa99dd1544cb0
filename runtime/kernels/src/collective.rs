//! The kernels of collectives, which `cushmem_device::collective` describes. All members launch them with the same
//! arguments and the same number of blocks, a power of two up to [`COLLECTIVE_BLOCKS`](cushmem_abi::COLLECTIVE_BLOCKS).

use crate::combine::ByCode;
use cushmem_device::collective::{self, Blocks, Unequal};
use cushmem_device::{DevPtr, DeviceTeam, arch};

#[inline(always)]
pub(crate) unsafe fn fold(
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    width: u32,
    code: u32,
    folding: u32,
) {
    if arch::far() {
        return;
    }
    // SAFETY: whoever launches the kernel guarantees that source and dest of all members are valid.
    unsafe { collective::fold(Blocks, team, (dst, src), (bytes, width as usize), ByCode(code), folding) }
}

#[inline(always)]
pub(crate) unsafe fn copy(
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    step: usize,
    at: usize,
    root: u32,
) {
    if arch::far() {
        return;
    }
    // SAFETY: whoever launches the kernel guarantees that source and dest of all members are valid.
    unsafe { collective::copy(Blocks, team, (dst, src), (bytes, step, at), root) }
}

#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe fn strided(
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    size: usize,
    elements: usize,
    dst_stride: usize,
    src_stride: usize,
) {
    if arch::far() {
        return;
    }
    // SAFETY: whoever launches the kernel guarantees that source and dest of all members are valid.
    unsafe { collective::strided(Blocks, team, (dst, src), (elements, size), (dst_stride, src_stride)) }
}

#[inline(always)]
pub(crate) unsafe fn unequal(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, what: Unequal) {
    if arch::far() {
        return;
    }
    // SAFETY: whoever launches the kernel guarantees that source, dest and splits of all members are valid.
    unsafe { collective::unequal(Blocks, team, (dst, src), what) }
}

#[inline(always)]
pub(crate) unsafe fn reduce_short(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, code: u32) {
    if arch::far() {
        return;
    }
    // SAFETY: whoever launches the kernel guarantees that source and dest are valid; it is the kernel's first act.
    unsafe { collective::reduce_short(Blocks, team, (dst, src), bytes, ByCode(code)) }
}

#[inline(always)]
pub(crate) unsafe fn copy_short(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, step: usize) {
    if arch::far() {
        return;
    }
    // SAFETY: whoever launches the kernel guarantees that source and dest are valid; it is the kernel's first act.
    unsafe { collective::copy_short(Blocks, team, (dst, src), (bytes, step)) }
}

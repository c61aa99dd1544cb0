use crate::fail::fail;
use crate::{DevPtr, arch};
use cushmem_abi::{ErrorCode, MAPPED_WORDS};

/// This PE's number.
#[inline(always)]
pub fn my_pe() -> u32 {
    arch::context_my_pe()
}

/// PEs in the job.
#[inline(always)]
pub fn n_pes() -> u32 {
    arch::context_n_pes()
}

/// Where the symmetric object `object` of PE `pe` is for this GPU's loads and stores; `None` if the PE is not mapped or does
/// not exist (`shmem_ptr`, OpenSHMEM 1.6, 9.2.4).
#[inline(always)]
pub fn ptr<T>(object: DevPtr<T>, pe: u32) -> Option<DevPtr<T>> {
    is_mapped(pe).then(|| translate(object, pe))
}

/// As [`ptr`], but ends the kernel with a message where there is nothing to return.
#[inline(always)]
pub(crate) fn mapped<T>(object: DevPtr<T>, pe: u32) -> DevPtr<T> {
    // Before the test, so that the compiler may move it out of a loop.
    let there = translate(object, pe);
    if !is_mapped(pe) {
        unreachable_pe(pe);
    }
    there
}

/// One comparison where all PEs are mapped, as is usual.
#[inline(always)]
fn is_mapped(pe: u32) -> bool {
    pe < arch::context_mapped_pes() || in_map(pe)
}

#[cold]
#[inline]
fn in_map(pe: u32) -> bool {
    pe < 64 * MAPPED_WORDS as u32 && arch::context_mapped(pe as usize / 64) >> (pe % 64) & 1 != 0
}

#[inline(always)]
fn translate<T>(object: DevPtr<T>, pe: u32) -> DevPtr<T> {
    // Wraps for a PE that does not exist: the caller looks at the address only after the test.
    object.byte_offset((i64::from(pe) - i64::from(my_pe())).wrapping_mul(arch::context_stride() as i64) as isize)
}

#[cold]
#[inline]
fn unreachable_pe(pe: u32) -> ! {
    let code = if pe < n_pes() { ErrorCode::PeNotMapped } else { ErrorCode::PeOutOfRange };
    fail(code, pe, u64::from(my_pe()), u64::from(n_pes()))
}

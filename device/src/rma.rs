use crate::{DevPtr, Word, peer};

/// Stores `value` into the symmetric object `dst` on PE `pe` (`shmem_p`, OpenSHMEM 1.6, 9.5.2). Visible to all after
/// [`crate::quiet`].
///
/// # Safety
/// `dst` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn p<T: Word>(dst: DevPtr<T>, value: T, pe: u32) {
    // SAFETY: the caller vouches for the word.
    unsafe { T::store_relaxed_sys(peer::mapped(dst, pe), value) }
}

/// Loads the symmetric object `src` of PE `pe` (`shmem_g`, OpenSHMEM 1.6, 9.5.5).
///
/// # Safety
/// `src` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn g<T: Word>(src: DevPtr<T>, pe: u32) -> T {
    // SAFETY: the caller vouches for the word.
    unsafe { T::load_relaxed_sys(peer::mapped(src, pe)) }
}

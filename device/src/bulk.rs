//! Copying ranges of any length and alignment with the lanes of a scope.
//!
//! Where source and destination agree modulo 16, the middle goes in 16-byte vectors; else in the largest word that both
//! allow. A lane first loads a batch, then stores it, so that [`Scope::UNROLL`] loads are in flight at once; neighbouring
//! lanes touch neighbouring words.

use crate::{DevPtr, Scope, Word, arch};

/// What one load or store moves.
trait Piece: Copy {
    /// # Safety
    /// `from` is valid and aligned.
    unsafe fn load(from: DevPtr<Self>) -> Self;
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn store(to: DevPtr<Self>, value: Self);
}

impl Piece for [u32; 4] {
    #[inline(always)]
    unsafe fn load(from: DevPtr<Self>) -> Self {
        // SAFETY: the caller vouches for the address.
        unsafe { arch::ld_stream_v4(from.raw()) }
    }
    #[inline(always)]
    unsafe fn store(to: DevPtr<Self>, value: Self) {
        // SAFETY: the caller vouches for the address.
        unsafe { arch::st_stream_v4(to.raw(), value) }
    }
}

macro_rules! word_pieces { ($($t:ty)*) => {$(
    impl Piece for $t {
        #[inline(always)]
        unsafe fn load(from: DevPtr<Self>) -> Self {
            // SAFETY: the caller vouches for the address.
            unsafe { <$t>::load_relaxed_sys(from) }
        }
        #[inline(always)]
        unsafe fn store(to: DevPtr<Self>, value: Self) {
            // SAFETY: the caller vouches for the address.
            unsafe { <$t>::store_relaxed_sys(to, value) }
        }
    }
)*} }
word_pieces! { u8 u32 u64 }

/// Copies `bytes` bytes.
///
/// # Safety
/// Both ranges are valid for `bytes` bytes, and nobody writes either at the same time.
#[inline(always)]
pub(crate) unsafe fn copy<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    let both = dst.address() | src.address();
    // The two frequent cases come first and cost few instructions: a whole block of lanes goes through them for 8 bytes.
    // SAFETY: the pieces lie inside the ranges and are aligned as tested.
    unsafe {
        if (both | bytes as u64).is_multiple_of(16) {
            vectors(scope, dst.cast(), src.cast(), bytes / 16);
        } else if bytes == 8 && both.is_multiple_of(8) {
            if scope.rank() == 0 {
                u64::store(dst.cast(), u64::load(src.cast()));
            }
        } else {
            unaligned(scope, dst, src, bytes);
        }
    }
}

/// Copies ranges that do not consist of whole vectors.
///
/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn unaligned<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    let difference = dst.address() ^ src.address();
    // SAFETY: the pieces lie inside the ranges and are aligned for their type: the head ends at a multiple of 16 of the
    // destination, and the addresses differ by a multiple of the piece.
    unsafe {
        if difference.is_multiple_of(16) {
            let head = (dst.address().wrapping_neg() % 16) as usize;
            let head = if head < bytes { head } else { bytes };
            let middle = (bytes - head) / 16;
            let tail = bytes - head - middle * 16;
            edge(scope, dst, src, head);
            vectors(scope, dst.add(head).cast(), src.add(head).cast(), middle);
            edge(scope, dst.add(bytes - tail), src.add(bytes - tail), tail);
        } else if (difference | dst.address() | bytes as u64).is_multiple_of(8) {
            pieces::<S, u64>(scope, dst.cast(), src.cast(), bytes / 8);
        } else if (difference | dst.address() | bytes as u64).is_multiple_of(4) {
            pieces::<S, u32>(scope, dst.cast(), src.cast(), bytes / 4);
        } else {
            pieces::<S, u8>(scope, dst, src, bytes);
        }
    }
}

/// Fewer than 16 bytes before or after the vectors.
///
/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn edge<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    // SAFETY: every index is below `bytes`.
    unsafe { batches::<u8, 1>(dst, src, bytes, scope.rank(), scope.size()) };
}

/// Copies `n` vectors, [`Scope::UNROLL`] of them in flight a lane.
///
/// # Safety
/// Both ranges are valid for `n` vectors and aligned to 16 bytes.
#[inline(always)]
unsafe fn vectors<S: Scope>(scope: S, dst: DevPtr<[u32; 4]>, src: DevPtr<[u32; 4]>, n: usize) {
    let stride = scope.size();
    let mut i = scope.rank();
    // SAFETY: every index is below `n`.
    unsafe {
        if n <= stride {
            if i < n {
                <[u32; 4]>::store(dst.add(i), <[u32; 4]>::load(src.add(i)));
            }
            return;
        }
        if S::UNROLL >= 16 {
            i = batches::<[u32; 4], 16>(dst, src, n, i, stride);
        } else if S::UNROLL >= 8 {
            i = batches::<[u32; 4], 8>(dst, src, n, i, stride);
        }
        i = batches::<[u32; 4], 4>(dst, src, n, i, stride);
        batches::<[u32; 4], 1>(dst, src, n, i, stride);
    }
}

/// Copies `n` words where vectors do not fit.
///
/// # Safety
/// Both ranges are valid for `n` words and aligned for them.
#[inline(always)]
unsafe fn pieces<S: Scope, P: Piece>(scope: S, dst: DevPtr<P>, src: DevPtr<P>, n: usize) {
    let stride = scope.size();
    // SAFETY: every index is below `n`.
    unsafe {
        let i = batches::<P, 4>(dst, src, n, scope.rank(), stride);
        batches::<P, 1>(dst, src, n, i, stride);
    }
}

/// Copies pieces `i, i + stride, …` in batches of `U` as long as whole batches remain; returns the next index.
///
/// # Safety
/// As for [`pieces`].
#[inline(always)]
unsafe fn batches<P: Piece, const U: usize>(dst: DevPtr<P>, src: DevPtr<P>, n: usize, mut i: usize, stride: usize) -> usize {
    while i + (U - 1) * stride < n {
        // SAFETY: the largest index of the batch is below `n`.
        unsafe {
            // Indexed, as an array's iterator would put the batch into local memory.
            let batch: [P; U] = core::array::from_fn(|k| P::load(src.add(i + k * stride)));
            let mut k = 0;
            while k < U {
                P::store(dst.add(i + k * stride), batch[k]);
                k += 1;
            }
        }
        i += U * stride;
    }
    i
}

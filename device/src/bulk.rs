//! Copies of ranges of any length and alignment by the lanes of a scope.
//!
//! Where source and destination agree modulo 16, the middle is copied in vectors of two words of 8 bytes. The ends, and
//! other ranges, are copied in the largest word of which both starts and the length are multiples, so that elements of
//! up to 8 bytes arrive whole. A lane first loads a batch and then stores it, so that [`Scope::UNROLL`] loads
//! are in flight at once. Neighbouring lanes access neighbouring words. Lanes that have lent shared memory leave the
//! middle of a long range to the bulk engine.
//!
//! The end on this PE may be in any memory that its lanes reach: global, shared, or a lane's own stack. So it is
//! accessed by generic addresses, with the same instructions otherwise. The other end is global memory.

use crate::{DevPtr, Scope, arch, lent};

/// What one load or store moves.
trait Piece: Copy {
    /// Loads through the L1 cache, which an acquire empties. For sources on this PE: a lane that may read them has
    /// synchronised with their writer.
    /// # Safety
    /// `from` is valid and aligned.
    unsafe fn load_here(from: DevPtr<Self>) -> Self;
    /// Loads past the L1 cache (vectors: with that hint), because a peer's data is seldom read twice before an acquire.
    /// # Safety
    /// `from` is valid and aligned, and in global memory.
    unsafe fn load_there(from: DevPtr<Self>) -> Self;
    /// Stores on this PE, for lanes that synchronise with this one before they look.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn store_here(to: DevPtr<Self>, value: Self);
    /// # Safety
    /// `to` is valid and aligned, and in global memory.
    unsafe fn store_there(to: DevPtr<Self>, value: Self);
}

macro_rules! pieces { ($($t:ty: $here:ident $there:ident, $keep:ident $send:ident;)*) => {$(
    impl Piece for $t {
        #[inline(always)]
        unsafe fn load_here(from: DevPtr<Self>) -> Self {
            // SAFETY: the caller guarantees that the address is valid.
            unsafe { arch::$here(from.raw()) }
        }
        #[inline(always)]
        unsafe fn load_there(from: DevPtr<Self>) -> Self {
            // SAFETY: the caller guarantees that the address is valid.
            unsafe { arch::$there(from.raw()) }
        }
        #[inline(always)]
        unsafe fn store_here(to: DevPtr<Self>, value: Self) {
            // SAFETY: the caller guarantees that the address is valid.
            unsafe { arch::$keep(to.raw(), value) }
        }
        #[inline(always)]
        unsafe fn store_there(to: DevPtr<Self>, value: Self) {
            // SAFETY: the caller guarantees that the address is valid.
            unsafe { arch::$send(to.raw(), value) }
        }
    }
)*} }
pieces! {
    [u64; 2]: ld_generic_v2_u64 ld_stream_v2_u64, st_generic_v2_u64 st_stream_v2_u64;
    u64: ld_generic_u64 ld_relaxed_sys_u64, st_generic_u64 st_relaxed_sys_u64;
    u32: ld_generic_u32 ld_relaxed_sys_u32, st_generic_u32 st_relaxed_sys_u32;
    u16: ld_generic_u16 ld_relaxed_sys_u16, st_generic_u16 st_relaxed_sys_u16;
    u8: ld_generic_u8 ld_relaxed_sys_u8, st_generic_u8 st_relaxed_sys_u8;
}

/// Which way a copy goes.
trait Way {
    /// Copies by the bulk engine: see [`lent::copy`].
    /// # Safety
    /// The conditions of [`lent::copy`].
    unsafe fn in_bulk<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) -> bool;
    /// # Safety
    /// `from` is valid and aligned.
    unsafe fn load<P: Piece>(from: DevPtr<P>) -> P;
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn store<P: Piece>(to: DevPtr<P>, value: P);
}

struct FromHere;
struct FromThere;

impl Way for FromHere {
    #[inline(always)]
    unsafe fn in_bulk<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) -> bool {
        // SAFETY: the caller guarantees what this requires of both ranges.
        unsafe { lent::copy::<S, true>(scope, dst, src, bytes) }
    }
    #[inline(always)]
    unsafe fn load<P: Piece>(from: DevPtr<P>) -> P {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { P::load_here(from) }
    }
    #[inline(always)]
    unsafe fn store<P: Piece>(to: DevPtr<P>, value: P) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { P::store_there(to, value) }
    }
}

impl Way for FromThere {
    #[inline(always)]
    unsafe fn in_bulk<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) -> bool {
        // SAFETY: the caller guarantees what this requires of both ranges.
        unsafe { lent::copy::<S, false>(scope, dst, src, bytes) }
    }
    #[inline(always)]
    unsafe fn load<P: Piece>(from: DevPtr<P>) -> P {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { P::load_there(from) }
    }
    #[inline(always)]
    unsafe fn store<P: Piece>(to: DevPtr<P>, value: P) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { P::store_here(to, value) }
    }
}

/// Copies `bytes` bytes from any memory of this PE to global memory.
///
/// # Safety
/// Both ranges are valid for `bytes` bytes, and nobody writes either at the same time.
#[inline(always)]
pub(crate) unsafe fn copy_from_here<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    // SAFETY: the caller guarantees what this requires of both ranges.
    unsafe { copy::<S, FromHere>(scope, dst, src, bytes) }
}

/// Copies `bytes` bytes from global memory to any memory of this PE.
///
/// # Safety
/// Both ranges are valid for `bytes` bytes, and nobody writes either at the same time.
#[inline(always)]
pub(crate) unsafe fn copy_from_there<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    // SAFETY: the caller guarantees what this requires of both ranges.
    unsafe { copy::<S, FromThere>(scope, dst, src, bytes) }
}

/// # Safety
/// The conditions of [`copy_from_here`].
#[inline(always)]
unsafe fn copy<S: Scope, W: Way>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    if S::UNROLL == 0 {
        // SAFETY: the caller guarantees what this requires of both ranges.
        return unsafe { in_words::<S, W>(scope, dst, src, bytes) };
    }
    let both = dst.address() | src.address();
    // SAFETY: the pieces lie inside the ranges and are aligned as tested.
    unsafe {
        // Frequent, so it comes first and costs few instructions: a whole block of lanes goes through them.
        if bytes == 8 && both.is_multiple_of(8) {
            if scope.lane() == 0 {
                W::store::<u64>(dst.cast(), W::load(src.cast()));
            }
        } else if (dst.address() ^ src.address()).is_multiple_of(16) {
            // Most ranges have no ends, and looking for them takes a tenth of a short put.
            let has_ends = !(both | bytes as u64).is_multiple_of(16);
            let (first, n) = if has_ends { edges::<S, W>(scope, dst, src, bytes) } else { (0, bytes / 16) };
            let (dst, src) = (dst.add(first), src.add(first));
            if !W::in_bulk(scope, dst, src, n * 16) {
                vectors::<S, W>(scope, dst.cast(), src.cast(), n);
            }
        } else {
            in_words::<S, W>(scope, dst, src, bytes);
        }
    }
}

/// Copies ranges between which no vector is aligned on both sides, in the largest word of which both starts and the
/// length are multiples.
///
/// # Safety
/// The conditions of [`copy_from_here`].
#[inline(always)]
unsafe fn in_words<S: Scope, W: Way>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
    let units = dst.address() | src.address() | bytes as u64;
    // SAFETY: the words lie inside the ranges and are aligned as tested.
    unsafe {
        if units.is_multiple_of(8) {
            pieces::<S, W, u64>(scope, dst.cast(), src.cast(), bytes / 8);
        } else if units.is_multiple_of(4) {
            pieces::<S, W, u32>(scope, dst.cast(), src.cast(), bytes / 4);
        } else if units.is_multiple_of(2) {
            pieces::<S, W, u16>(scope, dst.cast(), src.cast(), bytes / 2);
        } else {
            pieces::<S, W, u8>(scope, dst, src, bytes);
        }
    }
}

/// Copies the fewer than 16 bytes before and after the vectors, in the largest word of which the start and the length
/// of the range are multiples: somebody who looks at a word of the range meanwhile sees all of it or nothing. Returns
/// where the vectors start, and how many they are. Both ends come before the vectors, so that these need no registers
/// for what is left.
///
/// # Safety
/// The conditions of [`copy_from_here`], and both starts are equal modulo 16.
#[inline(always)]
unsafe fn edges<S: Scope, W: Way>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) -> (usize, usize) {
    let head = (dst.address().wrapping_neg() % 16) as usize;
    let head = if head < bytes { head } else { bytes };
    let n = (bytes - head) / 16;
    let units = dst.address() as usize | bytes | 8;
    let unit = units & units.wrapping_neg();
    let mut i = scope.lane() * unit;
    while i < bytes - n * 16 {
        let at = if i < head { i } else { i + n * 16 };
        let (to, from) = (dst.add(at), src.add(at));
        // SAFETY: the word lies inside the ranges, and `at` and both starts are multiples of its size.
        unsafe {
            match unit {
                8 => W::store::<u64>(to.cast(), W::load(from.cast())),
                4 => W::store::<u32>(to.cast(), W::load(from.cast())),
                2 => W::store::<u16>(to.cast(), W::load(from.cast())),
                _ => W::store(to, W::load(from)),
            }
        }
        i += scope.lanes() * unit;
    }
    (head, n)
}

/// Copies `n` vectors; each lane has [`Scope::UNROLL`] of them in flight.
///
/// # Safety
/// Both ranges are valid for `n` vectors and aligned to 16 bytes.
#[inline(always)]
unsafe fn vectors<S: Scope, W: Way>(scope: S, dst: DevPtr<[u64; 2]>, src: DevPtr<[u64; 2]>, n: usize) {
    let stride = scope.lanes();
    let mut i = scope.lane();
    // SAFETY: every index is below `n`.
    unsafe {
        if n <= stride {
            if i < n {
                W::store(dst.add(i), W::load(src.add(i)));
            }
            return;
        }
        if S::UNROLL >= 16 {
            i = batches::<W, [u64; 2], 16>(dst, src, n, i, stride);
        } else if S::UNROLL >= 8 {
            i = batches::<W, [u64; 2], 8>(dst, src, n, i, stride);
        }
        if S::UNROLL >= 4 {
            i = batches::<W, [u64; 2], 4>(dst, src, n, i, stride);
        } else if S::UNROLL >= 2 {
            i = batches::<W, [u64; 2], 2>(dst, src, n, i, stride);
        }
        batches::<W, [u64; 2], 1>(dst, src, n, i, stride);
    }
}

/// Copies `n` words where vectors do not fit.
///
/// # Safety
/// Both ranges are valid for `n` words and aligned for them.
#[inline(always)]
unsafe fn pieces<S: Scope, W: Way, P: Piece>(scope: S, dst: DevPtr<P>, src: DevPtr<P>, n: usize) {
    let stride = scope.lanes();
    // SAFETY: every index is below `n`.
    unsafe {
        let mut i = scope.lane();
        if S::UNROLL >= 4 {
            i = batches::<W, P, 4>(dst, src, n, i, stride);
        } else if S::UNROLL >= 2 {
            i = batches::<W, P, 2>(dst, src, n, i, stride);
        }
        batches::<W, P, 1>(dst, src, n, i, stride);
    }
}

/// Copies pieces `i, i + stride, …` in batches of `U` as long as whole batches remain; returns the next index.
///
/// # Safety
/// The conditions of [`pieces`].
#[inline(always)]
unsafe fn batches<W: Way, P: Piece, const U: usize>(
    dst: DevPtr<P>,
    src: DevPtr<P>,
    n: usize,
    mut i: usize,
    stride: usize,
) -> usize {
    while i + (U - 1) * stride < n {
        // SAFETY: the largest index of the batch is below `n`.
        unsafe {
            // Indexed, because an array's iterator would put the batch into local memory.
            let batch: [P; U] = core::array::from_fn(|k| W::load(src.add(i + k * stride)));
            let mut k = 0;
            while k < U {
                W::store(dst.add(i + k * stride), batch[k]);
                k += 1;
            }
        }
        i += U * stride;
    }
    i
}

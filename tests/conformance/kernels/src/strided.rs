//! Copies of elements at equal distances: each lane, warp or block takes its share of a list.

use crate::place;
use cushmem_device::{Block, Ctx, DevPtr, Scope, Thread, Warp, kernels_of_module};

kernels_of_module! {
    /// `iput` by each lane: see [`copy`].
    pub unsafe fn iput_thread(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Thread, true>(Thread, Strided { dst, src, list, n, pe });
    }

    /// `iput` by each warp: see [`copy`].
    pub unsafe fn iput_warp(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Warp, true>(Warp, Strided { dst, src, list, n, pe });
    }

    /// `iput` by each block: see [`copy`].
    pub unsafe fn iput_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Block, true>(Block, Strided { dst, src, list, n, pe });
    }

    /// `iget` by each lane: see [`copy`].
    pub unsafe fn iget_thread(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Thread, false>(Thread, Strided { dst, src, list, n, pe });
    }

    /// `iget` by each warp: see [`copy`].
    pub unsafe fn iget_warp(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Warp, false>(Warp, Strided { dst, src, list, n, pe });
    }

    /// `iget` by each block: see [`copy`].
    pub unsafe fn iget_block(dst: DevPtr<u8>, src: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        copy::<Block, false>(Block, Strided { dst, src, list, n, pe });
    }
}

/// Words of an entry of the list: the number of bytes of an element, the offsets of the first elements in the target
/// and in the source in bytes, the distances there in elements, and the number of elements.
pub const STRIDED_WORDS: usize = 6;

/// What a launch copies.
#[derive(Clone, Copy)]
pub(crate) struct Strided {
    pub(crate) dst: DevPtr<u8>,
    pub(crate) src: DevPtr<u8>,
    /// [`STRIDED_WORDS`] words per copy.
    pub(crate) list: DevPtr<u64>,
    pub(crate) n: u64,
    pub(crate) pe: u32,
}

/// Group `g` of `groups` takes the copies `g, g + groups, …`: puts or gets.
///
/// # Safety
/// The elements are valid and aligned, and those of the targets disjoint.
#[inline(always)]
pub(crate) unsafe fn copy<S: Scope, const PUT: bool>(scope: S, strided: Strided) {
    let (mut i, groups) = place::group(scope);
    while i < strided.n {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { copy_one::<S, PUT>(scope, strided, i) };
        i += groups;
    }
}

/// Makes copy `i` of the list.
///
/// # Safety
/// The conditions of [`copy`], for this copy; `i` is below `n`.
#[inline(always)]
pub(crate) unsafe fn copy_one<S: Scope, const PUT: bool>(scope: S, strided: Strided, i: u64) {
    let entry = strided.list.add(STRIDED_WORDS * i as usize);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        match entry.read() {
            1 => elements::<S, PUT, u8>(scope, strided, entry),
            2 => elements::<S, PUT, u16>(scope, strided, entry),
            3 => elements::<S, PUT, [u8; 3]>(scope, strided, entry),
            4 => elements::<S, PUT, f32>(scope, strided, entry),
            8 => elements::<S, PUT, u64>(scope, strided, entry),
            12 => elements::<S, PUT, [u32; 3]>(scope, strided, entry),
            _ => elements::<S, PUT, [f64; 2]>(scope, strided, entry),
        }
    }
}

/// # Safety
/// The conditions of [`copy`], for an entry.
#[inline(always)]
unsafe fn elements<S: Scope, const PUT: bool, T: Copy>(scope: S, strided: Strided, entry: DevPtr<u64>) {
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        let [to, from] = [entry.add(1).read() as usize, entry.add(2).read() as usize];
        let [dst_stride, src_stride] = [entry.add(3).read() as isize, entry.add(4).read() as isize];
        let (n, pe) = (entry.add(5).read() as usize, strided.pe);
        let (dst, src) = (strided.dst.add(to).cast::<T>(), strided.src.add(from).cast::<T>());
        match (PUT, n % 2) {
            (true, 0) => scope.iput(dst, src, dst_stride, src_stride, n, pe),
            (true, _) => Ctx::new().iput(scope, dst, src, dst_stride, src_stride, n, pe),
            (false, 0) => scope.iget(dst, src, dst_stride, src_stride, n, pe),
            (false, _) => Ctx::new().iget(scope, dst, src, dst_stride, src_stride, n, pe),
        }
    }
}

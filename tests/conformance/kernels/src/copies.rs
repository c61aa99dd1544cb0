//! Puts and gets of many ranges in one launch: each lane, warp or block takes its share of a list.

use crate::place;
use cushmem_device::{Block, DevPtr, Scope};

/// What a launch copies.
#[derive(Clone, Copy)]
pub(crate) struct Copies {
    pub(crate) dst: DevPtr<u8>,
    pub(crate) src: DevPtr<u8>,
    /// Three words per copy: offset in `dst`, offset in `src`, bytes.
    pub(crate) list: DevPtr<u64>,
    pub(crate) n: u64,
    pub(crate) pe: u32,
}

impl Copies {
    /// # Safety
    /// `i` is below `n`, and the list was written before the launch.
    #[inline(always)]
    unsafe fn at(&self, i: u64) -> (DevPtr<u8>, DevPtr<u8>, usize) {
        let entry = self.list.add(3 * i as usize);
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            (
                self.dst.add(entry.read() as usize),
                self.src.add(entry.add(1).read() as usize),
                entry.add(2).read() as usize,
            )
        }
    }
}

/// Group `g` of `groups` takes the copies `g, g + groups, …`.
///
/// # Safety
/// The ranges are valid and disjoint.
#[inline(always)]
pub(crate) unsafe fn put<S: Scope>(scope: S, copies: Copies) {
    let (mut i, groups) = place::group(scope);
    while i < copies.n {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            let (dst, src, bytes) = copies.at(i);
            scope.put(dst, src, bytes, copies.pe);
        }
        i += groups;
    }
}

/// Like [`put`], in the other direction.
///
/// # Safety
/// The ranges are valid and disjoint.
#[inline(always)]
pub(crate) unsafe fn get<S: Scope>(scope: S, copies: Copies) {
    let (mut i, groups) = place::group(scope);
    while i < copies.n {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            let (dst, src, bytes) = copies.at(i);
            scope.get(dst, src, bytes, copies.pe);
        }
        i += groups;
    }
}

/// Checks that lengths count elements: one block puts `n` u16 and `n` f64 and gets `n` u32, in parts of `8 * n`
/// bytes.
///
/// # Safety
/// Both ranges have `24 * n` bytes.
#[inline(always)]
pub(crate) unsafe fn elements(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, pe: u32) {
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        Block.put::<u16>(dst.cast(), src.cast(), n, pe);
        Block.put::<f64>(dst.add(n).cast(), src.add(n).cast(), n, pe);
        Block.get::<u32>(dst.add(2 * n).cast(), src.add(2 * n).cast(), n, pe);
    }
}

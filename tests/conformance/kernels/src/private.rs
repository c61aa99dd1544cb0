//! Copies whose end on this PE is in memory that only lanes reach: puts of what a scope has just written there, and
//! gets that it looks at.

use crate::strided::{STRIDED_WORDS, Strided, copy_one};
use crate::{mix, place};
use cushmem_device::{
    Block, DevPtr, Scope, SignalOp, Thread, Warp, dynamic_shared, dynamic_shared_bytes, kernels_of_module, my_pe, quiet,
};

kernels_of_module! {
    /// Puts the list's ranges, each by a lane from its stack.
    pub unsafe fn put_from_stack(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, signal: DevPtr<u64>, pe: u32) {
        put_ranges_from_stack(Symmetric { object, list, n, pe }, signal);
    }

    /// Gets the list's ranges, each by a lane into its stack.
    pub unsafe fn get_into_stack(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, wrong: DevPtr<u64>, pe: u32) {
        get_ranges_into_stack(Symmetric { object, list, n, pe }, wrong);
    }

    /// One block: puts the list's ranges from its shared memory.
    pub unsafe fn put_from_shared_block(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, signal: DevPtr<u64>, pe: u32) {
        put(Block, dynamic_shared::<u8>().dev_ptr(), dynamic_shared_bytes() as usize, Symmetric { object, list, n, pe }, signal);
    }

    /// One warp: puts the list's ranges from its shared memory.
    pub unsafe fn put_from_shared_warp(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, signal: DevPtr<u64>, pe: u32) {
        put(Warp, dynamic_shared::<u8>().dev_ptr(), dynamic_shared_bytes() as usize, Symmetric { object, list, n, pe }, signal);
    }

    /// One block: gets the list's ranges into its shared memory.
    pub unsafe fn get_into_shared_block(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, wrong: DevPtr<u64>, pe: u32) {
        get(Block, dynamic_shared::<u8>().dev_ptr(), dynamic_shared_bytes() as usize, Symmetric { object, list, n, pe }, wrong);
    }

    /// One warp: gets the list's ranges into its shared memory.
    pub unsafe fn get_into_shared_warp(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, wrong: DevPtr<u64>, pe: u32) {
        get(Warp, dynamic_shared::<u8>().dev_ptr(), dynamic_shared_bytes() as usize, Symmetric { object, list, n, pe }, wrong);
    }

    /// Each lane makes its strided puts of the list from its stack.
    pub unsafe fn iput_from_stack(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        iput_elements_from_stack(Symmetric { object, list, n, pe });
    }

    /// Each lane makes its strided gets of the list into its stack.
    pub unsafe fn iget_into_stack(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, wrong: DevPtr<u64>, pe: u32) {
        iget_elements_into_stack(Symmetric { object, list, n, pe }, wrong);
    }

    /// One block: makes the list's strided puts from its shared memory.
    pub unsafe fn iput_from_shared_block(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, pe: u32) {
        iput(Block, dynamic_shared::<u8>().dev_ptr(), dynamic_shared_bytes() as usize, Symmetric { object, list, n, pe });
    }

    /// One block: makes the list's strided gets into its shared memory.
    pub unsafe fn iget_into_shared_block(object: DevPtr<u8>, list: DevPtr<u64>, n: u64, wrong: DevPtr<u64>, pe: u32) {
        iget(Block, dynamic_shared::<u8>().dev_ptr(), dynamic_shared_bytes() as usize, Symmetric { object, list, n, pe }, wrong);
    }
}

/// Bytes of an array on the stack.
pub const STACK_BYTES: usize = 2048;

/// What a launch copies.
#[derive(Clone, Copy)]
pub(crate) struct Symmetric {
    pub(crate) object: DevPtr<u8>,
    /// Three words per copy: offset in the object, offset in the private memory, bytes. For strided copies
    /// [`STRIDED_WORDS`].
    pub(crate) list: DevPtr<u64>,
    pub(crate) n: u64,
    pub(crate) pe: u32,
}

/// Byte `i` of private memory before copy `copy` of PE `pe`.
pub fn private_byte(pe: u32, copy: u64, i: usize) -> u8 {
    mix(u64::from(pe) + 1, copy << 32 | i as u64) as u8
}

impl Symmetric {
    /// # Safety
    /// `i` is below `n`, and the list was written before the launch.
    #[inline(always)]
    unsafe fn at(&self, i: u64) -> (DevPtr<u8>, usize, usize) {
        let entry = self.list.add(3 * i as usize);
        // SAFETY: the caller guarantees that the entry exists.
        unsafe {
            let [at, private, bytes] = [0, 1, 2].map(|word| entry.add(word).read() as usize);
            (self.object.add(at), private, bytes)
        }
    }
}

/// # Safety
/// `private` has `len` bytes, which belong to the scope.
#[inline(always)]
unsafe fn fill<S: Scope>(scope: S, private: DevPtr<u8>, len: usize, copy: u64) {
    let mut i = scope.lane();
    while i < len {
        // SAFETY: the caller guarantees that the byte exists.
        unsafe { private.add(i).write(private_byte(my_pe(), copy, i)) };
        i += scope.lanes();
    }
    scope.sync();
}

/// Group `g` of `groups` fills its private memory for each of the copies `g, g + groups, …`, and puts from there: in
/// turn by put, by `put_nbi`, and by `put_signal`, which adds 1 to `signal`.
///
/// # Safety
/// The ranges are valid and disjoint. `private` has `len` bytes, which belong to the scope.
#[inline(always)]
pub(crate) unsafe fn put<S: Scope>(scope: S, private: DevPtr<u8>, len: usize, to: Symmetric, signal: DevPtr<u64>) {
    let (mut i, groups) = place::group(scope);
    while i < to.n {
        // SAFETY: the caller guarantees what these require of the ranges and the word.
        unsafe {
            fill(scope, private, len, i);
            let (dst, at, bytes) = to.at(i);
            let src = private.add(at);
            match i % 3 {
                0 => scope.put(dst, src, bytes, to.pe),
                1 => {
                    scope.put_nbi(dst, src, bytes, to.pe);
                    quiet();
                    scope.sync();
                }
                _ => scope.put_signal(dst, src, bytes, signal, 1, SignalOp::Add, to.pe),
            }
        }
        i += groups;
    }
    quiet();
}

/// Group `g` of `groups` gets each of the copies `g, g + groups, …` into its private memory, by `get` and `get_nbi` in
/// turn. Each lane stores in `wrong` how many bytes it found wrong there.
///
/// # Safety
/// The ranges are valid. `private` has `len` bytes, which belong to the scope. Byte `i` of the object is that of
/// [`private_byte`] for copy 0. `wrong` has a word for each lane.
#[inline(always)]
pub(crate) unsafe fn get<S: Scope>(scope: S, private: DevPtr<u8>, len: usize, from: Symmetric, wrong: DevPtr<u64>) {
    let (mut i, groups) = place::group(scope);
    let mut count = 0;
    while i < from.n {
        // SAFETY: the caller guarantees what these require of the ranges.
        unsafe {
            fill(scope, private, len, i);
            let (src, at, bytes) = from.at(i);
            if i.is_multiple_of(2) {
                scope.get(private.add(at), src, bytes, from.pe);
            } else {
                scope.get_nbi(private.add(at), src, bytes, from.pe);
                quiet();
                scope.sync();
            }
            let first = (src.address() - from.object.address()) as usize;
            let mut j = scope.lane();
            while j < len {
                let expected = if at <= j && j < at + bytes {
                    private_byte(from.pe, 0, first + j - at)
                } else {
                    private_byte(my_pe(), i, j)
                };
                count += u64::from(private.add(j).read() != expected);
                j += scope.lanes();
            }
        }
        scope.sync();
        i += groups;
    }
    // SAFETY: the caller guarantees that there is a word for each lane.
    unsafe { wrong.add(place::lane()).write(count) };
}

/// [`put`] by each lane, from an array on its stack.
///
/// # Safety
/// The ranges are valid and disjoint.
#[inline(always)]
pub(crate) unsafe fn put_ranges_from_stack(to: Symmetric, signal: DevPtr<u64>) {
    let mut array = [0u64; STACK_BYTES / 8];
    // SAFETY: the caller vouches for the ranges, and the array is this lane's.
    unsafe { put(Thread, DevPtr::from_raw(&raw mut array).cast(), STACK_BYTES, to, signal) };
}

/// [`get`] by each lane, into an array on its stack.
///
/// # Safety
/// The ranges are valid.
#[inline(always)]
pub(crate) unsafe fn get_ranges_into_stack(from: Symmetric, wrong: DevPtr<u64>) {
    let mut array = [0u64; STACK_BYTES / 8];
    // SAFETY: the caller vouches for the ranges, and the array is this lane's.
    unsafe { get(Thread, DevPtr::from_raw(&raw mut array).cast(), STACK_BYTES, from, wrong) };
}

/// Group `g` of `groups` fills its private memory for each of the copies `g, g + groups, …`, and puts elements from
/// there.
///
/// # Safety
/// The elements are valid and aligned, and those of the targets disjoint. `private` has `len` bytes, which belong to
/// the scope.
#[inline(always)]
unsafe fn iput<S: Scope>(scope: S, private: DevPtr<u8>, len: usize, to: Symmetric) {
    let Symmetric { object, list, n, pe } = to;
    let (mut i, groups) = place::group(scope);
    while i < n {
        // SAFETY: the caller guarantees what these require of the elements.
        unsafe {
            fill(scope, private, len, i);
            copy_one::<S, true>(scope, Strided { dst: object, src: private, list, n, pe }, i);
        }
        i += groups;
    }
    quiet();
}

/// Group `g` of `groups` gets the elements of each of the copies `g, g + groups, …` into its private memory. Each lane
/// stores in `wrong` how many bytes it found wrong there.
///
/// # Safety
/// The elements are valid and aligned. `private` has `len` bytes, which belong to the scope. Byte `i` of the object is
/// that of [`private_byte`] for copy 0. `wrong` has a word for each lane.
#[inline(always)]
unsafe fn iget<S: Scope>(scope: S, private: DevPtr<u8>, len: usize, from: Symmetric, wrong: DevPtr<u64>) {
    let Symmetric { object, list, n, pe } = from;
    let (mut i, groups) = place::group(scope);
    let mut count = 0;
    while i < n {
        // SAFETY: the caller guarantees what these require of the elements.
        unsafe {
            fill(scope, private, len, i);
            copy_one::<S, false>(scope, Strided { dst: private, src: object, list, n, pe }, i);
            let entry = list.add(STRIDED_WORDS * i as usize);
            let (size, to, first) = (entry.read() as usize, entry.add(1).read() as usize, entry.add(2).read() as usize);
            let [dst, src] = [3, 4].map(|word| entry.add(word).read() as usize * size);
            let elements = entry.add(5).read() as usize;
            let mut j = scope.lane();
            while j < len {
                let (element, byte) = (j.wrapping_sub(to) / dst, j.wrapping_sub(to) % dst);
                let expected = if j >= to && element < elements && byte < size {
                    private_byte(pe, 0, first + element * src + byte)
                } else {
                    private_byte(my_pe(), i, j)
                };
                count += u64::from(private.add(j).read() != expected);
                j += scope.lanes();
            }
        }
        scope.sync();
        i += groups;
    }
    // SAFETY: the caller guarantees that there is a word for each lane.
    unsafe { wrong.add(place::lane()).write(count) };
}

/// [`iput`] by each lane, from an array on its stack.
///
/// # Safety
/// The elements are valid and aligned, and those of the targets disjoint.
#[inline(always)]
unsafe fn iput_elements_from_stack(to: Symmetric) {
    let mut array = [0u64; STACK_BYTES / 8];
    // SAFETY: the caller vouches for the elements, and the array is this lane's.
    unsafe { iput(Thread, DevPtr::from_raw(&raw mut array).cast(), STACK_BYTES, to) };
}

/// [`iget`] by each lane, into an array on its stack.
///
/// # Safety
/// The elements are valid and aligned.
#[inline(always)]
unsafe fn iget_elements_into_stack(from: Symmetric, wrong: DevPtr<u64>) {
    let mut array = [0u64; STACK_BYTES / 8];
    // SAFETY: the caller vouches for the elements, and the array is this lane's.
    unsafe { iget(Thread, DevPtr::from_raw(&raw mut array).cast(), STACK_BYTES, from, wrong) };
}

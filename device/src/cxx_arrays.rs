//! Cached arrays for kernels in CUDA C++: what the methods of [`DeviceArray`] are made of. What is rare is apart, so
//! that the header can call it.

use crate::any::Any;
use crate::array;
use crate::array_elements::Access;
use crate::{DeviceArray, Word};
use cushmem_abi::{ARRAY_ELSEWHERE, ARRAY_WORDS, ArrayMode};

/// Words of an array.
pub type Words = [u64; ARRAY_WORDS];

/// Reads an element in place or, if all lanes of the warp want one line that is at hand, in the cache. Returns it and
/// true, or a slot for [`apart`] and false, or [`ARRAY_ELSEWHERE`] and false, for [`place`].
///
/// # Safety
/// The array exists. With a slot, this lane calls [`apart`].
#[inline(always)]
pub unsafe fn read<T: Word>(words: Words, index: u64) -> (u64, bool) {
    let array = DeviceArray::<T>::of_words(words);
    if array.is_cached(index) {
        // SAFETY: the caller guarantees that the array exists, and the index is in range.
        return unsafe { at_hand(array, Access { index, writes: false, value: 0 }) };
    }
    match array.own(index) {
        // SAFETY: the caller guarantees that the array exists, and the element is in this PE's part.
        Some(own) if index < array.len() => (unsafe { T::load_relaxed_sys(own) }.to_command(), true),
        _ => (ARRAY_ELSEWHERE.into(), false),
    }
}

/// Writes an element like [`read`].
///
/// # Safety
/// The conditions of [`read`].
#[inline(always)]
pub unsafe fn write<T: Word>(words: Words, index: u64, value: u64) -> (u64, bool) {
    let array = DeviceArray::<T>::of_words(words);
    if array.mode() != ArrayMode::ReadWrite as u32 {
        return (ARRAY_ELSEWHERE.into(), false);
    }
    if array.is_cached(index) {
        // SAFETY: the caller guarantees that the array exists, and the index is in range.
        return unsafe { at_hand(array, Access { index, writes: true, value }) };
    }
    match array.own(index) {
        Some(own) if index < array.len() => {
            // SAFETY: the caller guarantees that the array exists, and the element is in this PE's part.
            unsafe { T::store_relaxed_sys(own, T::of_command(value)) };
            (0, true)
        }
        _ => (ARRAY_ELSEWHERE.into(), false),
    }
}

/// # Safety
/// The array exists, and the index is in range. With a slot, this lane calls [`apart`].
#[inline(always)]
unsafe fn at_hand<T: Word>(array: DeviceArray<T>, access: Access) -> (u64, bool) {
    // SAFETY: the caller guarantees the same.
    match unsafe { array.at_hand(access) } {
        Ok(read) => (read, true),
        Err(slot) => (slot.into(), false),
    }
}

/// Accesses an element in the cache. `how` has the slot in its upper half, and whether the element is written in its
/// lower one; `bytes_log` is the binary logarithm of its bytes. Returns what was read.
///
/// # Safety
/// [`read`] or [`write`] has returned the slot to this lane.
#[inline(always)]
pub unsafe fn apart(
    [head, data, states]: [u64; 3],
    shape: u64,
    index: u64,
    how: u64,
    value: u64,
    bytes_log: u32,
) -> u64 {
    // SAFETY: the caller guarantees that the slot is that of `at_hand`, for an element of the array.
    unsafe { array::apart_of_any(head, data, states, shape, index, how, value, bytes_log) }
}

/// Where an element is: its symmetric address, and the PE. Ends the kernel if there is none, or if the array does not
/// have the mode with the number `needed`; that of an array for reading is not looked for.
#[inline(always)]
pub fn place<T: Word>(words: Words, index: u64, needed: u32) -> (u64, u32) {
    let array = DeviceArray::<T>::of_words(words);
    array.check(index);
    if needed == ArrayMode::ReadWrite as u32 {
        array.check_mode(ArrayMode::ReadWrite);
    } else if needed == ArrayMode::Accumulate as u32 {
        array.check_mode(ArrayMode::Accumulate);
    }
    let (element, pe) = array.there(index);
    (element.address(), pe)
}

/// The index of the first element of a line, and the number of elements of a line.
#[inline(always)]
pub fn line_of(words: Words, index: u64) -> (u64, u64) {
    DeviceArray::<u8>::of_words(words).line_of(index)
}

/// The number of elements.
#[inline(always)]
pub fn len(words: Words) -> u64 {
    DeviceArray::<u8>::of_words(words).len()
}

/// Writes back what is in the cache: see [`DeviceArray::flush`]. The array is its head.
///
/// # Safety
/// The array exists, and all lanes of the scope call it.
#[inline(always)]
pub unsafe fn flush(scope: u32, head: u64) {
    // SAFETY: the caller guarantees the same.
    unsafe { of_head(head).flush(Any::of_bits(scope)) };
}

/// Forgets what is in the cache: see [`DeviceArray::invalidate`]. The array is its head.
///
/// # Safety
/// The array exists, and all lanes of the scope call it, while no lane of the kernel is in a call for the array that
/// waits for them.
#[inline(always)]
pub unsafe fn invalidate(scope: u32, head: u64) {
    // SAFETY: the caller guarantees the same.
    unsafe { of_head(head).invalidate(Any::of_bits(scope)) };
}

#[inline(always)]
fn of_head(head: u64) -> DeviceArray<u8> {
    DeviceArray::of_words([head, 0, 0, 0, 0, 0, 0, 0, 0])
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use crate::ArrayParts;

    /// Catches words in another order than that of the parameter of a kernel in Rust, which a C program passes.
    #[test]
    fn words_of_an_array_are_those_in_memory() {
        let (mode, is_file, in_place) = (ArrayMode::Accumulate, true, true);
        let [head, data, states, own, len, per_pe, first, direct] = [11, 12, 13, 14, 15, 16, 17, 18];
        let parts =
            ArrayParts { head, data, states, own, len, per_pe, first, direct, shift: 19, mode, is_file, in_place };
        let array = DeviceArray::<u16>::of(&parts);
        let words = array.to_words();
        // SAFETY: an array consists of these words, without padding, and is only read.
        let there: Words = unsafe { core::mem::transmute_copy(&array) };
        assert_eq!(words, there);
        assert_eq!(words[..8], [head, data, states, own, len, per_pe, first, direct]);
        assert_eq!((words[8] as u32, words[8] >> 32), (19, ArrayMode::Accumulate as u64 | 3 << 8));
        assert_eq!(DeviceArray::<u16>::of_words(words).to_words(), words);
    }
}

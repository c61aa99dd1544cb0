//! Cached arrays: each lane works through a list of reads, writes and additions.

use cushmem_device::any;
use cushmem_device::reexport::cushmem_abi::{ARRAY_ELSEWHERE, ArrayMode};
use cushmem_device::{
    AtomicNumber, Block, DevPtr, DeviceArray, Scope, Word, atomic_add, block_dim_x, block_idx_x, cxx_arrays, g,
    grid_dim_x, kernels_of_module, p, thread_idx_x,
};

kernels_of_module! {
    /// See [`work_list`].
    pub unsafe fn array_work(array: DeviceArray<u64>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        work_list(array, list, n, found);
    }

    /// See [`work_list`].
    pub unsafe fn array_work_f32(array: DeviceArray<f32>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        work_list(array, list, n, found);
    }

    /// See [`work_list`].
    pub unsafe fn array_work_u16(array: DeviceArray<u16>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        work_list(array, list, n, found);
    }

    /// See [`work_list`]. As kernels in CUDA C++ do it, like all whose names end so.
    pub unsafe fn array_work_in_cxx(array: DeviceArray<u64>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        work_list(InCxx(array), list, n, found);
    }

    /// See [`work_list`].
    pub unsafe fn array_work_f32_in_cxx(array: DeviceArray<f32>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        work_list(InCxx(array), list, n, found);
    }

    /// See [`work_list`].
    pub unsafe fn array_work_u16_in_cxx(array: DeviceArray<u16>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        work_list(InCxx(array), list, n, found);
    }

    /// See [`work_list`].
    pub unsafe fn array_work_u8_in_cxx(array: DeviceArray<u8>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        work_list(InCxx(array), list, n, found);
    }

    /// Each lane reads elements of either array: see [`read_either`].
    pub unsafe fn array_two(even: DeviceArray<u64>, odd: DeviceArray<u64>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
        read_either(even, odd, list, n, found);
    }

    /// One block. Lanes with even numbers store their number in a word of PE `pe`, while the others read an element.
    pub unsafe fn array_beside_puts(array: DeviceArray<u64>, words: DevPtr<u64>, pe: u32, found: DevPtr<u64>) {
        let lane = thread_idx_x();
        if lane.is_multiple_of(2) {
            p(words.add(lane as usize), u64::from(lane), pe);
        } else {
            found.add(lane as usize).write(array.read(u64::from(lane)));
        }
        Block.quiet();
    }

    /// Each lane adds its `n` pairs of an index and a number.
    pub unsafe fn array_add(array: DeviceArray<u64>, list: DevPtr<u64>, n: u64) {
        add_pairs(array, list, n);
    }

    /// Each lane adds its `n` pairs of an index and a number.
    pub unsafe fn array_add_in_cxx(array: DeviceArray<u64>, list: DevPtr<u64>, n: u64) {
        let mut i = 0;
        while i < n {
            let (lane, lanes) = lane_of_all();
            let pair = list.add(2 * (i * lanes + lane) as usize);
            let (element, pe) =
                cxx_arrays::place::<u64>(array.to_words(), pair.read(), ArrayMode::Accumulate as u32);
            atomic_add(DevPtr::<u64>::from_address(element), pair.add(1).read(), pe);
            i += 1;
        }
        Block.quiet();
    }

    /// Each lane adds its `n` pairs of an index and a number.
    pub unsafe fn array_add_f32(array: DeviceArray<f32>, list: DevPtr<u64>, n: u64) {
        add_pairs(array, list, n);
    }

    /// Each block writes back, and then forgets, what is in the cache.
    pub unsafe fn array_flush(array: DeviceArray<u64>) {
        array.flush(Block);
        array.invalidate(Block);
    }

    /// Each block writes back, and then forgets, what is in the cache.
    pub unsafe fn array_flush_in_cxx(array: DeviceArray<u64>) {
        let head = array.to_words()[0];
        cxx_arrays::flush(any::block(), head);
        cxx_arrays::invalidate(any::block(), head);
    }
}

/// How the elements of an array are accessed.
trait Elements: Copy {
    type Element: Word;
    /// # Safety
    /// The array exists.
    unsafe fn get(self, index: u64) -> Self::Element;
    /// # Safety
    /// The array exists.
    unsafe fn set(self, index: u64, value: Self::Element);
}

impl<T: Word> Elements for DeviceArray<T> {
    type Element = T;
    #[inline(always)]
    unsafe fn get(self, index: u64) -> T {
        // SAFETY: the caller guarantees the array.
        unsafe { self.read(index) }
    }
    #[inline(always)]
    unsafe fn set(self, index: u64, value: T) {
        // SAFETY: the caller guarantees that the array exists.
        unsafe { self.write(index, value) }
    }
}

/// Accesses elements as the header for CUDA C++ does.
#[derive(Clone, Copy)]
struct InCxx<T>(DeviceArray<T>);

impl<T: Word> InCxx<T> {
    /// # Safety
    /// The array exists, and this lane's call for the element has returned the slot.
    #[inline(always)]
    unsafe fn apart(self, index: u64, slot: u64, written: Option<T>) -> u64 {
        let [head, data, states, .., shape] = self.0.to_words();
        let (how, value) = (slot << 32 | u64::from(written.is_some()), written.map_or(0, Word::to_command));
        // SAFETY: the caller guarantees the slot.
        unsafe { cxx_arrays::apart([head, data, states], shape, index, how, value, size_of::<T>().ilog2()) }
    }
}

impl<T: Word> Elements for InCxx<T> {
    type Element = T;
    #[inline(always)]
    unsafe fn get(self, index: u64) -> T {
        // SAFETY: the caller guarantees the array, of which `place` finds an element; a slot goes to `apart`.
        unsafe {
            match cxx_arrays::read::<T>(self.0.to_words(), index) {
                (read, true) => T::of_command(read),
                (slot, false) if slot != u64::from(ARRAY_ELSEWHERE) => T::of_command(self.apart(index, slot, None)),
                _ => {
                    let (element, pe) = cxx_arrays::place::<T>(self.0.to_words(), index, ArrayMode::ReadOnly as u32);
                    g(DevPtr::from_address(element), pe)
                }
            }
        }
    }
    #[inline(always)]
    unsafe fn set(self, index: u64, value: T) {
        // SAFETY: the caller guarantees that the array exists, so `place` is that of an element; `apart` gets the slot.
        unsafe {
            match cxx_arrays::write::<T>(self.0.to_words(), index, value.to_command()) {
                (_, true) => {}
                (slot, false) if slot != u64::from(ARRAY_ELSEWHERE) => {
                    self.apart(index, slot, Some(value));
                }
                _ => {
                    let (element, pe) = cxx_arrays::place::<T>(self.0.to_words(), index, ArrayMode::ReadWrite as u32);
                    p(DevPtr::from_address(element), value, pe);
                }
            }
        }
    }
}

/// In a word of the list: the element is written, rather than read.
pub const ARRAY_WRITE: u64 = 1 << 63;

fn lane_of_all() -> (u64, u64) {
    let lane = block_idx_x() * block_dim_x() + thread_idx_x();
    (lane.into(), (grid_dim_x() * block_dim_x()).into())
}

/// Lane `l` of `lanes` takes pairs `l, l + lanes, …` of an index and a number, `n` of them: it writes the number to the
/// element, or reads the element to the word of `found` with the pair's number.
///
/// # Safety
/// The list and `found` have as many pairs and words.
#[inline(always)]
unsafe fn work_list<E: Elements>(array: E, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
    let (lane, lanes) = lane_of_all();
    let mut i = 0;
    while i < n {
        let at = (i * lanes + lane) as usize;
        // SAFETY: the caller guarantees the list and the words.
        unsafe {
            let (index, number) = (list.add(2 * at).read(), list.add(2 * at + 1).read());
            if index & ARRAY_WRITE != 0 {
                array.set(index & !ARRAY_WRITE, E::Element::of_command(number));
            } else {
                found.add(at).write(array.get(index).to_command());
            }
        }
        i += 1;
    }
}

/// As [`work_list`], with a number that says by its lowest bit in which array the element is.
///
/// # Safety
/// The list and `found` have as many pairs and words.
#[inline(always)]
unsafe fn read_either(even: DeviceArray<u64>, odd: DeviceArray<u64>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
    let (lane, lanes) = lane_of_all();
    let mut i = 0;
    while i < n {
        let at = (i * lanes + lane) as usize;
        // SAFETY: the caller guarantees the list and the words.
        unsafe {
            let (index, number) = (list.add(2 * at).read(), list.add(2 * at + 1).read());
            let array = if number & 1 == 0 { even } else { odd };
            found.add(at).write(array.read(index));
        }
        i += 1;
    }
}

/// See [`array_add`].
///
/// # Safety
/// The list has as many pairs.
#[inline(always)]
unsafe fn add_pairs<T: AtomicNumber>(array: DeviceArray<T>, list: DevPtr<u64>, n: u64) {
    let (lane, lanes) = lane_of_all();
    let mut i = 0;
    while i < n {
        let at = (i * lanes + lane) as usize;
        // SAFETY: the caller guarantees the list.
        unsafe { array.add(list.add(2 * at).read(), T::of_command(list.add(2 * at + 1).read())) };
        i += 1;
    }
    Block.quiet();
}

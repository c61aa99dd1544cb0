//! Cached arrays: each lane works through a list of reads, writes and additions.

use cushmem_device::{
    AtomicNumber, Block, DevPtr, DeviceArray, Scope, Word, block_dim_x, block_idx_x, grid_dim_x, kernels_of_module, p,
    thread_idx_x,
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
    pub unsafe fn array_add_f32(array: DeviceArray<f32>, list: DevPtr<u64>, n: u64) {
        add_pairs(array, list, n);
    }

    /// Each block writes back, and then forgets, what is in the cache.
    pub unsafe fn array_flush(array: DeviceArray<u64>) {
        array.flush(Block);
        array.invalidate(Block);
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
unsafe fn work_list<T: Word>(array: DeviceArray<T>, list: DevPtr<u64>, n: u64, found: DevPtr<u64>) {
    let (lane, lanes) = lane_of_all();
    let mut i = 0;
    while i < n {
        let at = (i * lanes + lane) as usize;
        // SAFETY: the caller guarantees the list and the words.
        unsafe {
            let (index, number) = (list.add(2 * at).read(), list.add(2 * at + 1).read());
            if index & ARRAY_WRITE != 0 {
                array.write(index & !ARRAY_WRITE, T::of_command(number));
            } else {
                found.add(at).write(array.read(index).to_command());
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

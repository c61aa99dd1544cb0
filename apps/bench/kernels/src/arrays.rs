//! Reads of a cached array beside plain loads: each warp reads, again and again, 32 words of a line that is drawn.

use cushmem_device::{
    DevPtr, DeviceArray, Scope, Warp, block_dim_x, block_idx_x, grid_dim_x, kernels_of_module, thread_idx_x,
};

kernels_of_module! {
    /// Each warp reads `n` times in one of the `lines` lines from element `first` on. `out` has a word for each lane.
    pub unsafe fn array_reads(array: DeviceArray<u64>, first: u64, lines: u64, n: u64, out: DevPtr<u64>) {
        reads((lines, array.line_of(0).1, 16), n, out, |element| array.read(first + element));
    }

    /// The same, but lanes read neighbouring words.
    pub unsafe fn array_near_reads(array: DeviceArray<u64>, first: u64, lines: u64, n: u64, out: DevPtr<u64>) {
        reads((lines, array.line_of(0).1, 1), n, out, |element| array.read(first + element));
    }

    /// [`array_reads`] by plain loads.
    pub unsafe fn array_loads(words: DevPtr<u64>, lines: u64, n: u64, out: DevPtr<u64>) {
        reads((lines, ARRAY_LINE, 16), n, out, |element| words.add(element as usize).read());
    }
}

/// Words of a line of 4 KiB.
pub const ARRAY_LINE: u64 = 512;

/// # Safety
/// `out` has a word for each lane, and `read` may be called for each element.
#[inline(always)]
unsafe fn reads((lines, words, apart): (u64, u64, u64), n: u64, out: DevPtr<u64>, read: impl Fn(u64) -> u64) {
    let lane = block_idx_x() * block_dim_x() + thread_idx_x();
    let warps = u64::from(grid_dim_x() * block_dim_x() / 32);
    let (mut i, mut sum) = (u64::from(lane / 32), 0u64);
    let end = n * warps;
    while i < end {
        let line = drawn(i) % lines;
        sum = sum.wrapping_add(read(line * words + apart * Warp.lane() as u64));
        i += warps;
    }
    // SAFETY: the caller guarantees the word.
    unsafe { out.add(lane as usize).write(sum) };
}

/// A number as good as drawn: the mixing of bits that ends MurmurHash3, which leaves no pattern in which numbers follow
/// each other. So a read finds its line in the cache as often as the cache's share of the lines says.
#[inline(always)]
fn drawn(i: u64) -> u64 {
    let i = (i ^ i >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let i = (i ^ i >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    i ^ i >> 33
}

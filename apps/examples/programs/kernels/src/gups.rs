//! HPCC's RandomAccess: the stream of random numbers, where each number goes, and the kernel that sends them there.
//!
//! The numbers are the powers of x among the polynomials over bits, modulo x⁶⁴ + x² + x + 1, so any of them can be
//! computed in a few steps.

use cushmem_device::{DevPtr, atomic_xor, block_dim_x, block_idx_x, g, n_pes, p, quiet, thread_idx_x};

/// The number after `ran`: its product with x.
#[inline(always)]
pub fn next(ran: u64) -> u64 {
    (ran << 1) ^ ((ran as i64 >> 63) as u64 & 7)
}

/// The product of two polynomials.
pub fn product(a: u64, b: u64) -> u64 {
    (0..64).rev().fold(0, |sum, bit| next(sum) ^ if b >> bit & 1 == 1 { a } else { 0 })
}

/// Number `k` of the stream: x to the power of `k`.
pub fn number(mut k: u64) -> u64 {
    let (mut power, mut square) = (1, 2);
    while k > 0 {
        if k & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        k >>= 1;
    }
    power
}

/// The PE and the word of its table of 2^`log2` words that `ran` changes. If the number of PEs is a power of two, this
/// is HPCC's rule. For other numbers of PEs, HPCC has tables of different sizes.
#[inline(always)]
pub fn place(ran: u64, log2: u32, n_pes: u32) -> (u32, usize) {
    ((ran >> log2) as u32 % n_pes, (ran & ((1 << log2) - 1)) as usize)
}

/// Each lane changes `each` words, of any PE, by the numbers that follow the one that `starts` has for the lane. If
/// `plain` is set, changes of the same word may get lost.
///
/// # Safety
/// `table` is symmetric, with 2^`log2` words; `starts` has a number for each lane.
#[inline(always)]
pub unsafe fn update(table: DevPtr<u64>, log2: u32, starts: DevPtr<u64>, each: u64, plain: bool) {
    let lane = block_idx_x() * block_dim_x() + thread_idx_x();
    // SAFETY: the caller guarantees that there is a number for each lane, and a word of the table at each place.
    unsafe {
        let mut ran = starts.add(lane as usize).read();
        let mut i = 0;
        while i < each {
            ran = next(ran);
            let (pe, index) = place(ran, log2, n_pes());
            let word = table.add(index);
            if plain {
                p(word, g(word, pe) ^ ran, pe);
            } else {
                atomic_xor(word, ran, pe);
            }
            i += 1;
        }
    }
    quiet();
}

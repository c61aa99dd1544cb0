//! The sum of all PEs' numbers on all PEs, in one kernel: each PE gets one part of the numbers from all others, adds it
//! up, and puts the sums to all.
//!
//! After the first barrier of all kernels, everybody may read every PE's `source`, which nobody writes. A part of
//! `dest` is written by one PE alone, while no other PE accesses it. At the second barrier, after all puts, everything
//! has arrived. A PE that calls the kernel again goes through the first barrier, so it does not write to the `dest` of
//! a PE that is still in the previous call.

use cushmem_device::{Block, DevPtr, Scope, block_idx_x, grid_dim_x, grid_sync, my_pe, n_pes};

/// Numbers that a block gets from each PE at a time: with 256 lanes, as many as a lane's registers can hold.
pub const PIECE: usize = 4096;

/// Where part `i` of `n` numbers starts, at a multiple of 16 bytes.
fn cut(n: usize, i: u32) -> usize {
    if i == n_pes() { n } else { n / 4 * i as usize / n_pes() as usize * 4 }
}

/// A cooperative launch. While one block adds, other blocks of its multiprocessor get and put.
///
/// # Safety
/// `dest` and `source` are symmetric, do not overlap, and have `n` numbers. `room`, this PE's own, has [`PIECE`]
/// numbers for each block and each other PE. `counter` belongs to the launch.
#[inline(always)]
pub unsafe fn sum(dest: DevPtr<f32>, source: DevPtr<f32>, n: usize, room: DevPtr<f32>, counter: DevPtr<u32>) {
    let (me, others, block) = (my_pe(), n_pes() - 1, block_idx_x() as usize);
    let room = room.add(block * others as usize * PIECE);
    let other = |k: u32| (me + 1 + k) % (others + 1);
    // SAFETY: the caller guarantees that the memory and the counter are valid; all indices are below `n`.
    unsafe {
        if block == 0 {
            Block.barrier_all();
        }
        grid_sync(counter);
        let end = cut(n, me + 1);
        let mut at = cut(n, me) + block * PIECE;
        while at < end {
            let len = PIECE.min(end - at);
            let mut k = 0;
            while k < others {
                Block.get(room.add(k as usize * PIECE), source.add(at), len, other(k));
                k += 1;
            }
            let mut i = Block.lane();
            while i < len {
                let mut sum = source.add(at + i).read();
                let mut k = 0;
                while k < others {
                    sum += room.add(k as usize * PIECE + i).read();
                    k += 1;
                }
                dest.add(at + i).write(sum);
                i += Block.lanes();
            }
            // The lanes put what other lanes have written, and get into what other lanes have read.
            Block.sync();
            let mut k = 0;
            while k < others {
                Block.put_nbi(dest.add(at), dest.add(at), len, other(k));
                k += 1;
            }
            at += grid_dim_x() as usize * PIECE;
        }
        grid_sync(counter);
        if block == 0 {
            Block.barrier_all();
        }
    }
}

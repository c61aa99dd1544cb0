//! The sum of all PEs' numbers on all PEs, in one kernel: each PE adds up one part of them, which it gets from the
//! others, and puts the sums to all.
//!
//! Everybody may read `source` of all when the kernels have met, and nobody writes it. A part of `dest` is written by
//! one PE alone, which does so while no other accesses it. When they meet again, behind all puts, everything is there.
//! A PE that calls the kernel again meets the others first, so it does not write `dest` of one that has not left the
//! kernel before.

use cushmem_device::{Block, DevPtr, Scope, block_idx_x, grid_dim_x, grid_sync, my_pe, n_pes};

/// Numbers that a block gets from each PE at a time: with 256 lanes as many as a lane's registers hold at once.
pub const PIECE: usize = 4096;

/// Where part `i` of `n` numbers begins, at a vector of 16 bytes.
fn cut(n: usize, i: u32) -> usize {
    if i == n_pes() { n } else { n / 4 * i as usize / n_pes() as usize * 4 }
}

/// A cooperative launch. While a block adds up, others of its multiprocessor get and put.
///
/// # Safety
/// `dest` and `source` are symmetric, apart, and have `n` numbers; `room`, this PE's own, has [`PIECE`] numbers for
/// each block and each other PE. `counter` is that of the launch.
#[inline(always)]
pub unsafe fn sum(dest: DevPtr<f32>, source: DevPtr<f32>, n: usize, room: DevPtr<f32>, counter: DevPtr<u32>) {
    let (me, others, block) = (my_pe(), n_pes() - 1, block_idx_x() as usize);
    let room = room.add(block * others as usize * PIECE);
    let other = |k: u32| (me + 1 + k) % (others + 1);
    // SAFETY: the caller vouches for the memory and the counter; all indices are below `n`.
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
            // The lanes put what others have written, and get into what others have read.
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

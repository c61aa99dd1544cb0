//! The sum of all PEs' numbers on all PEs: by one kernel ([`sum`]), or by tasks ([`add_part`]).
//!
//! In the kernel, each PE gets one part of the numbers from all others, adds it
//! up, and puts the sums to all.
//!
//! After the first barrier of all kernels, everybody may read every PE's `source`, which nobody writes. A part of
//! `dest` is written by one PE alone, while no other PE accesses it. At the second barrier, after all puts, everything
//! has arrived. A PE that calls the kernel again goes through the first barrier, so it does not write to the `dest` of
//! a PE that is still in the previous call.

use cushmem_device::{Block, DevPtr, Scope, SignalOp, block_idx_x, grid_dim_x, grid_sync, my_pe, n_pes};

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

/// A task. Adds the numbers that a PE has put, its part for this PE, to the sums of the other PEs' numbers. When those
/// of all have come, puts the sums to all, to their `dest`, and says in word `my_pe()` of their `come` in which round.
///
/// Nobody puts numbers of the next round before all sums of this round have come. So PEs do not mix rounds, and no
/// sums arrive at a PE that has not put its own numbers of their round.
///
/// # Safety
/// There are `n` numbers and `n` sums. `dest` and `come` are symmetric, with `n` numbers and a word for each PE. One
/// task at a time, with all lanes of a block; `count` is 0 before the first.
#[inline(always)]
pub unsafe fn add_part(
    numbers: DevPtr<f32>,
    n: usize,
    sums: DevPtr<f32>,
    count: DevPtr<u64>,
    dest: DevPtr<f32>,
    come: DevPtr<u64>,
) {
    let (pes, me) = (u64::from(n_pes()), my_pe());
    // SAFETY: the caller guarantees that the memory is valid; all indices are below `n`.
    unsafe {
        let before = count.read();
        let mut i = Block.lane();
        while i < n {
            let number = numbers.add(i).read();
            sums.add(i).write(if before.is_multiple_of(pes) { number } else { sums.add(i).read() + number });
            i += Block.lanes();
        }
        // All lanes have read the count, and put what other lanes have written.
        Block.sync();
        if Block.lane() == 0 {
            count.write(before + 1);
        }
        if before % pes == pes - 1 {
            let (mut k, round) = (0, before / pes + 1);
            while k < n_pes() {
                let pe = (me + 1 + k) % n_pes();
                Block.put_signal(dest, sums, n, come.add(me as usize), round, SignalOp::Set, pe);
                k += 1;
            }
        }
    }
}

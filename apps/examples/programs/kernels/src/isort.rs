//! The kernels of the integer sort: one that sends each key to the PE of its bucket, and one that counts keys.
//!
//! A sender first reserves room in the inbox by adding to the target's cursor, and is then the only one to write that
//! room. All PEs have sent when they reach the barrier after the kernel; the cursor is then the number of keys in the
//! inbox.

use cushmem_device::{
    DevPtr, Scope, Warp, atomic_add, atomic_fetch_add, block_dim_x, block_idx_x, grid_dim_x, my_pe, n_pes, quiet,
    shfl_idx, thread_idx_x,
};

/// Keys that a warp takes at a time.
const TILE: usize = 2048;

/// Takes blocks of whole warps. Sends `n` keys; PE `k` gets those from `k * width` on. When an inbox of `room` keys is
/// full, the cursor still grows but nothing is put.
///
/// # Safety
/// `outbox`, this PE's own, has `n` elements; `inbox`, of `room` elements, and `cursor`, which is 0, are symmetric.
#[inline(always)]
pub unsafe fn send(
    keys: DevPtr<u32>,
    n: usize,
    width: u32,
    outbox: DevPtr<u32>,
    inbox: DevPtr<u32>,
    room: u32,
    cursor: DevPtr<u32>,
) {
    let lane = Warp.lane();
    let (warp, warps) = (first_of(32), lanes() / 32);
    let mut tile = warp * TILE;
    while tile < n {
        let end = n.min(tile + TILE);
        let mut staged = tile;
        let mut k = 0;
        while k < n_pes() {
            // Each PE starts with itself, so that not all send to the same PE.
            let pe = (my_pe() + k) % n_pes();
            // SAFETY: the caller guarantees that the memory is valid; what a warp stages lies in its tile, and what it
            // puts lies in the room that it has reserved.
            unsafe {
                let (mut i, mut own) = (tile + lane, 0);
                while i < end {
                    own += u32::from(keys.add(i).read() / width == pe);
                    i += 32;
                }
                let up_to = sum_up_to(own);
                let all = shfl_idx(u32::MAX, up_to, 31);
                let (mut i, mut to) = (tile + lane, staged + (up_to - own) as usize);
                while i < end {
                    let key = keys.add(i).read();
                    if key / width == pe {
                        outbox.add(to).write(key);
                        to += 1;
                    }
                    i += 32;
                }
                let reserved = if lane == 0 { atomic_fetch_add(cursor, all, pe) } else { 0 };
                let at = shfl_idx(u32::MAX, reserved, 0);
                // The lanes put what other lanes have staged.
                Warp.sync();
                if at <= room && all <= room - at {
                    Warp.put_nbi(inbox.add(at as usize), outbox.add(staged), all as usize, pe);
                }
                staged += all as usize;
            }
            k += 1;
        }
        tile += warps * TILE;
    }
    quiet();
}

/// Counts `n` keys, none of which is below `first`.
///
/// # Safety
/// `counts` is symmetric and has a word for each key that occurs.
#[inline(always)]
pub unsafe fn count(keys: DevPtr<u32>, n: usize, first: u32, counts: DevPtr<u32>) {
    let mut i = first_of(1);
    while i < n {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { atomic_add(counts.add((keys.add(i).read() - first) as usize), 1, my_pe()) };
        i += lanes();
    }
}

/// This lane's number in the grid, in units of `unit` lanes.
#[inline(always)]
fn first_of(unit: u32) -> usize {
    ((block_idx_x() * block_dim_x() + thread_idx_x()) / unit) as usize
}

#[inline(always)]
fn lanes() -> usize {
    (grid_dim_x() * block_dim_x()) as usize
}

/// The sum of the numbers of this lane and of the lanes before it in the warp.
#[inline(always)]
fn sum_up_to(number: u32) -> u32 {
    let (lane, mut sum, mut distance) = (Warp.lane() as u32, number, 1);
    while distance < 32 {
        let below = shfl_idx(u32::MAX, sum, lane.wrapping_sub(distance) % 32);
        if lane >= distance {
            sum += below;
        }
        distance *= 2;
    }
    sum
}

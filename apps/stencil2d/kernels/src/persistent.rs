//! All iterations in one cooperative kernel, which sends its halos itself.
//!
//! Iteration `k` reads buffer `k mod 3` and writes buffer `(k + 1) mod 3`, on all PEs:
//!
//! ```text
//!   block 0           block 1           …   other blocks
//!   rim: job 0        rim: job 1            |
//!   put, signal k+1   put, signal k+1       |            a job is a piece of one side of the rim, or a corner
//!   tiles             tiles                 tiles        the cells inside the rim
//!   wait for all      |                     |
//!   signals k+1       |                     |
//!   ----------------- grid_sync -----------------------
//! ```
//!
//! So the exchange takes place while the inside is updated. If there are more tiles than blocks, tiles are dealt
//! ([`Deal`]): a block that has sent halos, or whose tiles take longer, gets fewer.
//!
//! **Who writes what.** Each cell of this PE is stored by exactly one job or tile. A halo cell is stored by one job of
//! one neighbour, and only that job sets its signal. The last iteration sends nothing, because nobody would read it.
//!
//! **Arrival.** Iteration `k` reads halos of buffer `k mod 3` that the neighbours stored in their iteration `k - 1`.
//! Block 0 has seen their signals `k` (acquire, system scope), and `grid_sync` passes this on to all blocks.
//!
//! **Why nobody overwrites what is still read.** This PE's cells are stored to a buffer that was last read two
//! iterations and two `grid_sync`s ago. For its halos: a neighbour stores to buffer `k mod 3` again in its iteration
//! `k + 2`, which it enters after it has seen this PE's signals `k + 2`. This PE sends those in its iteration `k + 1`,
//! which starts after the `grid_sync` that ends iteration `k`, and with it all reads. Two buffers would not be enough:
//! the neighbour would then store in its iteration `k + 1`, having seen signals `k + 1`. One job may have sent its
//! signal while another job, on the next side, still reads the halo around their common corner.
//!
//! **When a neighbour does not answer** within [`Run::limit_ns`], block 0 notes the iteration and the signal in
//! `outcome`, and its lanes stop waiting. The note of iteration `k` is complete at its `grid_sync`. Every few
//! iterations, all blocks check for a note. All leave in the same one, because a note of the current iteration, which
//! some blocks see early, does not count.

use crate::cell::Real;
use crate::edge;
use crate::layout::{Job, Run, Shape, Tiling};
use crate::step;
use cushmem_device::{
    Cmp, Deal, DevPtr, Word, block_dim_x, block_idx_x, grid_dim_x, grid_sync, signal_wait_until_for, syncthreads,
    thread_idx_x,
};

/// The number of buffers of a field.
pub const BUFFERS: u32 = 3;

/// Iterations between checks for whether to leave early.
const LOOK_EVERY: u64 = 16;

/// Words of `outcome`, all zero before the kernel starts.
pub mod outcome {
    /// What was late, encoded by [`late`]; 0 if nothing was.
    pub const LATE: usize = 0;
    /// In place of a signal: blocks of the PE have waited too long for each other.
    pub const OWN_BLOCKS: u32 = u32::MAX;
    /// Nanoseconds that block 0 spent on puts and signals. With roles nobody measures: others compute at the same time.
    pub const SENDING_NS: usize = 1;
    /// Nanoseconds that it waited for signals.
    pub const WAITING_NS: usize = 2;
    /// Tiles that have been drawn, in device mode; on a cache line of its own.
    pub const DEALT: usize = 16;
    /// The number of words.
    pub const WORDS: usize = 32;

    /// An iteration and a signal that did not arrive in it, packed into one word so that the notes of two lanes do not
    /// mix.
    #[inline(always)]
    pub fn late(iteration: u64, signal: u32) -> u64 {
        (iteration + 1) << 32 | signal as u64
    }

    /// Decodes such a word; `None` if nothing was late.
    #[inline(always)]
    pub fn was_late(word: u64) -> Option<(u64, u32)> {
        if word == 0 { None } else { Some(((word >> 32) - 1, word as u32)) }
    }
}

/// Runs all iterations; see the module's text.
///
/// # Safety
/// `fields` are [`BUFFERS`] symmetric buffers of this shape, filled on all PEs. The jobs of all PEs and `tiling` store
/// each cell and each halo cell once. `signals` are symmetric words that hold [`Run::signalled`], and `outbox` has a
/// part for each job. All PEs launch it cooperatively with the same [`Run::iterations`]; `counter` belongs to the
/// launch.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // a kernel's
pub unsafe fn iterate<T: Real, const N: usize>(
    fields: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    run: Run,
    jobs: DevPtr<Job>,
    signals: DevPtr<u64>,
    outbox: DevPtr<T>,
    counter: DevPtr<u32>,
    outcome: DevPtr<u64>,
    progress: DevPtr<u64>,
) {
    let (block, blocks) = (block_idx_x(), grid_dim_x());
    let is_leader = block == 0 && thread_idx_x() == 0;
    let noted = |word: usize| if block == 0 { Some(outcome.add(word)) } else { None };
    let mut limit_ns = run.limit_ns;
    let mut from = fields;
    let end = fields.add(BUFFERS as usize * shape.buffer as usize);
    // SAFETY: all memory is as the caller guarantees; the order is argued in the module's text.
    unsafe {
        let mut deal = Deal::begin(outcome.add(outcome::DEALT));
        // A block that has at most one tile takes its own, because dealing costs its lanes two barriers. The last
        // blocks take the first tiles, since the first blocks have jobs.
        let (tiles, is_dealt) = (tiling.tiles(), tiling.tiles() > blocks);
        let mut k = 0;
        while k < run.iterations {
            let mut to = from.add(shape.buffer as usize);
            if to == end {
                to = fields;
            }
            let value = run.signal_of(k);
            let mut number = block;
            while number < run.jobs {
                let job = jobs.add(number as usize);
                edge::run(job, from, to, outbox, value != 0, noted(outcome::SENDING_NS), || {
                    edge::put(job, to, outbox, signals, value);
                });
                number += blocks;
            }
            let mut own = Some(blocks - 1 - block).filter(|number| *number < tiles);
            while let Some(number) = if is_dealt { deal.next(tiles.into()).map(|n| n as u32) } else { own.take() } {
                step::tile::<T, N, { step::FEW_BLOCKS }>(from, to, shape, tiling, number);
            }
            if k % LOOK_EVERY == LOOK_EVERY - 1 {
                // No order needed: `grid_sync` has ordered all values that count.
                let late = u64::load_relaxed_sys(outcome.add(outcome::LATE));
                if late != 0 && late < outcome::late(k, 0) {
                    break;
                }
            }
            if block == 0 && value != 0 {
                if !is_dealt {
                    // The wait is timed once all lanes have updated their columns; where tiles are dealt, they
                    // have met.
                    syncthreads();
                }
                edge::begin(noted(outcome::WAITING_NS));
                limit_ns = wait_for_all(signals, run.signals, value, limit_ns, outcome, k);
                edge::end(noted(outcome::WAITING_NS));
            }
            grid_sync(counter);
            k += 1;
            from = to;
            if is_leader && run.progress_every != 0 && k % run.progress_every == 0 {
                u64::store_relaxed_sys(progress, k);
            }
        }
    }
}

/// The lanes of this block wait for all signals. On return either all have arrived, or `outcome` names one that has
/// not. Returns how long this lane may wait the next time.
///
/// # Safety
/// `signals` are `count` words, `outcome` is as in [`iterate`]; only one block calls it.
#[inline(always)]
pub unsafe fn wait_for_all(
    signals: DevPtr<u64>,
    count: u32,
    value: u64,
    mut limit_ns: u64,
    outcome: DevPtr<u64>,
    iteration: u64,
) -> u64 {
    let mut i = thread_idx_x();
    while i < count {
        // SAFETY: a word of `signals`, and those of `outcome`.
        unsafe {
            if signal_wait_until_for(signals.add(i as usize), Cmp::Ge, value, limit_ns).is_none() {
                limit_ns = 0;
                note_late(outcome, iteration, i);
            }
        }
        i += block_dim_x();
    }
    syncthreads();
    limit_ns
}

/// Notes that something was late in an iteration. A note of an earlier iteration stays, because other blocks may be
/// comparing it. Of two notes of the same iteration, either may stay.
///
/// # Safety
/// The conditions of [`wait_for_all`].
#[inline(always)]
pub unsafe fn note_late(outcome: DevPtr<u64>, iteration: u64, signal: u32) {
    let word = outcome.add(outcome::LATE);
    // SAFETY: the word is one of `outcome`.
    unsafe {
        if u64::load_relaxed_sys(word) == 0 {
            u64::store_relaxed_sys(word, outcome::late(iteration, signal));
        }
    }
}

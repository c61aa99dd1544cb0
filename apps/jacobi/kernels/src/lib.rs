//! Kernels of jacobi, and what they share with the program: how a PE's part of the grid lies in memory, and the
//! arithmetic of a cell.
//!
//! [`solve`] is the whole solver in one kernel: it exchanges halos and reduces the norm itself. [`update`] is one
//! iteration without communication, for a CPU or a stream that does both between kernels.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

mod part;
mod rows;

pub use part::{Edge, NOBODY, Part, Run, updated};
pub use rows::tiles;

use cushmem_device::{
    Block, Cmp, Collective, DevPtr, Grid, Max, Scope, SignalOp, Word, block_idx_x, grid_dim_x, grid_sync, kernels,
    signal_wait_until_for, team_world,
};

/// Iterations between looks at whether a neighbour is late.
const LOOK_EVERY: u32 = 16;

kernels! {
    /// One iteration, which reads the grid `from` and writes `to`, by any number of blocks. If `norm` is not null, its
    /// word is raised to the largest change of a cell.
    pub unsafe fn update(from: DevPtr<f32>, to: DevPtr<f32>, part: Part, norm: DevPtr<u32>) {
        let change = rows::update(from, to, part, (1, part.rows + 1), (block_idx_x(), grid_dim_x()));
        if norm.address() != 0 {
            rows::raise(norm, change);
        }
    }

    /// All iterations; a cooperative launch of at least three blocks, the same number on all PEs. Iteration `k` reads
    /// grid `k mod 2` and writes the other:
    ///
    /// ```text
    ///   block 0                      block 1                       other blocks
    ///   wait for signal k, ABOVE     wait for signal k, BELOW      |
    ///   update the first row         update the last row           update the rows between
    ///   put it, signal k+1           put it, signal k+1            |
    ///   --- all blocks meet: if a norm is due, in its reduction over all PEs, else in grid_sync ---
    /// ```
    ///
    /// So the halos travel while the inside is updated, and nobody but the blocks that need them waits for them.
    ///
    /// **Arrival.** A halo belongs to one block, which has seen its signal (acquire) before it reads it. Rows of this
    /// PE were written before all blocks met at the end of the iteration before.
    ///
    /// **Why nobody overwrites what is still read.** This PE's rows are written to a grid that was last read before
    /// that. A halo is written by the neighbour's iteration `k`, after the neighbour has seen signal `k` of the block
    /// that read this halo last, in iteration `k - 1`.
    ///
    /// **Why all PEs stop together.** They compare the same bits: the largest number is the same in any order.
    ///
    /// **When a neighbour does not answer** within `limit_ns`, the block that waits for its halo notes the iteration in
    /// its word of `late`, which was 0, and waits no more. Every few iterations, all blocks look at both words. All
    /// leave in the same one, because a note of the current iteration, which some blocks see early, does not count. A
    /// norm may be due before that: its reduction waits for the other PEs as long as collectives of the library do.
    pub unsafe fn solve(
        grids: DevPtr<f32>, part: Part, run: Run, signals: DevPtr<u64>, norms: DevPtr<u32>, counter: DevPtr<u32>,
        late: DevPtr<u32>, limit_ns: u64,
    ) {
        let (block, grid) = (block_idx_x(), Grid::new(counter));
        let edge = part.edge(block);
        let (rows, share) = match block {
            0 | 1 => ((edge.row, edge.row + 1), (0, 1)),
            _ => ((2, part.rows), (block - 2, grid_dim_x() - 2)),
        };
        let (mut k, mut limit_ns) = (0, limit_ns);
        while k < run.iterations {
            let (from, to) = (part.grid(grids, k), part.grid(grids, k + 1));
            if edge.has_neighbour() {
                if Block.lane() == 0 {
                    await_halo(edge, signals, k, late, &mut limit_ns);
                }
                Block.sync();
            }
            let change = rows::update(from, to, part, rows, share);
            if edge.has_neighbour() {
                Block.sync();
                let (own, halo) = (to.add(part.at(edge.row, 1)), to.add(part.at(edge.halo, 1)));
                let (signal, next) = (signals.add(edge.their_signal), u64::from(k) + 1);
                Block.put_signal(halo, own, part.cols as usize, signal, next, SignalOp::Set, edge.neighbour);
            }
            k += 1;
            if let Some(number) = run.norm_after(k) {
                let norm = norms.add(number as usize);
                rows::raise(norm, change);
                grid.reduce(team_world(), Max, norm, norm, 1);
                if f32::from_bits(norm.read()) <= run.tolerance {
                    break;
                }
            } else {
                grid_sync(counter);
            }
            if k.is_multiple_of(LOOK_EVERY) && has_given_up(late, k) {
                break;
            }
        }
        // The halos of the result: when the kernel ends, nothing of it is under way.
        if edge.has_neighbour() && Block.lane() == 0 {
            await_halo(edge, signals, k, late, &mut limit_ns);
        }
    }
}

/// Waits until `k` halos have come over an edge. If the limit passes, notes `k` and sets the limit to 0.
///
/// # Safety
/// There are a signal and a word of `late` for each edge. One lane calls this for an edge.
#[inline(always)]
unsafe fn await_halo(edge: Edge, signals: DevPtr<u64>, k: u32, late: DevPtr<u32>, limit_ns: &mut u64) {
    // SAFETY: the caller guarantees that the words are valid and that no other lane writes this one of `late`.
    unsafe {
        let came = signal_wait_until_for(signals.add(edge.own_signal), Cmp::Ge, k.into(), *limit_ns);
        if came.is_none() && *limit_ns != 0 {
            u32::store_relaxed_sys(late.add(edge.own_signal), k);
            *limit_ns = 0;
        }
    }
}

/// Whether a block has given up before iteration `k`. No order is needed: all blocks have met since.
///
/// # Safety
/// There is a word of `late` for each edge.
#[inline(always)]
unsafe fn has_given_up(late: DevPtr<u32>, k: u32) -> bool {
    // SAFETY: the caller guarantees that the words are valid.
    let [above, below] = unsafe { [u32::load_relaxed_sys(late), u32::load_relaxed_sys(late.add(1))] };
    (above != 0 && above < k) || (below != 0 && below < k)
}

//! One iteration over some rows, and the largest change in it.

use crate::part::{Part, updated};
use cushmem_device::{Block, DevPtr, Max, Scope, atomic_max, block_dim_x, my_pe, thread_idx_x};

/// Cells that a lane loads and stores at once.
const WIDE: u32 = 4;
/// Rows that a lane loads before it stores any, so that the loads are in flight together.
const TALL: u32 = 4;

/// [`WIDE`] adjacent cells.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Cells([f32; WIDE as usize]);

/// The tiles into which rows are divided: one update by each lane of a block.
#[inline(always)]
pub fn tiles(rows: u32, cols: u32, lanes: u32) -> u32 {
    rows.div_ceil(TALL) * cols.div_ceil(WIDE * lanes)
}

/// Updates rows `first..end`: the tiles with number `share`, `share + shares` and so on. Returns the largest change of
/// this lane's cells.
///
/// # Safety
/// Both grids are this part's. Nobody writes what is read, and nobody else accesses these rows in `to`.
#[inline(always)]
pub unsafe fn update(
    from: DevPtr<f32>,
    to: DevPtr<f32>,
    part: Part,
    (first, end): (u32, u32),
    (share, shares): (u32, u32),
) -> f32 {
    let (lanes, pitch) = (block_dim_x(), part.pitch());
    let across = part.cols.div_ceil(WIDE * lanes);
    let tiles = tiles(end - first, part.cols, lanes);
    let (mut tile, mut change) = (share, 0.0f32);
    while tile < tiles {
        let col = 1 + (tile % across * lanes + thread_idx_x()) * WIDE;
        let mut row = first + tile / across * TALL;
        let below = end.min(row + TALL);
        let left = (part.cols + 1).saturating_sub(col);
        while row < below {
            let at = part.at(row, col);
            let (from, to) = (from.add(at), to.add(at));
            // SAFETY: these are cells of both grids, with the ones around them; column 1 starts a line.
            let (rows, largest) = unsafe {
                match (left >= WIDE, below - row == TALL) {
                    (true, true) => (TALL, many::<{ TALL as usize }>(from, to, pitch)),
                    (true, false) => (1, many::<1>(from, to, pitch)),
                    (false, _) => (1, some(from, to, pitch, left)),
                }
            };
            change = change.max(largest);
            row += rows;
        }
        tile += shares;
    }
    change
}

/// Updates [`WIDE`] cells in each of `N` rows, and returns the largest change.
///
/// # Safety
/// The cells and the ones around them are valid, and the first is aligned to 16 bytes; nobody writes what is read.
#[inline(always)]
unsafe fn many<const N: usize>(from: DevPtr<f32>, to: DevPtr<f32>, pitch: usize) -> f32 {
    // SAFETY: the caller guarantees that the cells are valid and aligned.
    unsafe {
        let row = |below: usize| from.add(below * pitch);
        let cells = |first: DevPtr<f32>| first.cast::<Cells>().read().0;
        let (mut north, mut here) = (cells(from.offset(-(pitch as isize))), cells(from));
        let south: [_; N] = core::array::from_fn(|i| cells(row(i + 1)));
        let beside: [_; N] = core::array::from_fn(|i| (row(i).offset(-1).read(), row(i).add(WIDE as usize).read()));
        let (mut change, mut i) = (0.0f32, 0);
        while i < N {
            let west = [beside[i].0, here[0], here[1], here[2]];
            let east = [here[1], here[2], here[3], beside[i].1];
            let next = core::array::from_fn(|j| updated(west[j], east[j], north[j], south[i][j]));
            to.add(i * pitch).cast::<Cells>().write(Cells(next));
            let mut j = 0;
            while j < WIDE as usize {
                change = change.max((next[j] - here[j]).abs());
                j += 1;
            }
            (north, here) = (here, south[i]);
            i += 1;
        }
        change
    }
}

/// Updates the last cells of a row, and returns the largest change.
///
/// # Safety
/// The cells and the ones around them are valid; nobody writes what is read.
#[inline(always)]
unsafe fn some(from: DevPtr<f32>, to: DevPtr<f32>, pitch: usize, count: u32) -> f32 {
    let (mut change, mut i) = (0.0f32, 0);
    while i < count {
        let cell = from.add(i as usize);
        // SAFETY: the caller guarantees that the cells are valid.
        unsafe {
            let (west, east) = (cell.offset(-1).read(), cell.add(1).read());
            let next = updated(west, east, cell.offset(-(pitch as isize)).read(), cell.add(pitch).read());
            to.add(i as usize).write(next);
            change = change.max((next - cell.read()).abs());
        }
        i += 1;
    }
    change
}

/// Raises the word to the largest change of all lanes of the block. All of them call it. Numbers that are not negative
/// have the order of their bits.
///
/// # Safety
/// The word is valid.
#[inline(always)]
pub unsafe fn raise(norm: DevPtr<u32>, change: f32) {
    let largest = Block.fold(Max, change.to_bits());
    if Block.lane() == 0 {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { atomic_max(norm, largest, my_pe()) };
    }
}

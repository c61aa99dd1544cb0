//! One iteration over a rectangle of cells.

use crate::cell::{Real, Row, updated};
use crate::layout::{Shape, Tiling};
use cushmem_device::{DevPtr, block_dim_x, block_idx_x, grid_dim_x, thread_idx_x};

/// Rows that a lane loads before it computes and stores any, so that their loads are in flight together.
const BATCH: usize = 4;

/// Updates this block's share of the tiles. Tile 0 falls to block `first` modulo the grid: blocks just before it get the
/// fewest tiles.
///
/// # Safety
/// Both buffers have this shape; nobody writes `from` or touches the rectangle in `to` at the same time.
#[inline(always)]
pub unsafe fn tiles<T: Real>(from: DevPtr<T>, to: DevPtr<T>, shape: Shape, tiling: Tiling, first: u32) {
    let (lanes, blocks) = (block_dim_x(), grid_dim_x());
    let across = tiling.across(lanes);
    let count = across * tiling.down();
    let mut tile = (block_idx_x() + blocks - first % blocks) % blocks;
    while tile < count {
        let col = 1 + tile % across * lanes + thread_idx_x();
        let top = tiling.top + tile / across * tiling.tile_rows;
        let bottom = if tiling.bottom - top < tiling.tile_rows { tiling.bottom } else { top + tiling.tile_rows };
        if col >= tiling.left && col < tiling.right {
            let above = shape.at(top - 1, col) as usize;
            // SAFETY: the column and its neighbours lie inside the ring of both buffers.
            unsafe { column(from.add(above), to.add(above), shape.pitch as usize, (bottom - top) as usize) };
        }
        tile += blocks;
    }
}

/// Updates `rows` cells below each other; `from` and `to` point above the first. Each row is loaded once.
///
/// # Safety
/// The cells and the ring around them are valid in `from`, the cells in `to`.
#[inline(always)]
unsafe fn column<T: Real>(from: DevPtr<T>, to: DevPtr<T>, pitch: usize, rows: usize) {
    // SAFETY: the caller vouches for `rows + 2` rows from `from` on and their neighbours, and for `rows` below `to`.
    unsafe {
        let mut above = row(from);
        let mut here = row(from.add(pitch));
        let mut input = from.add(2 * pitch);
        let mut output = to.add(pitch);
        let mut left = rows;
        while left >= BATCH {
            let below: [Row<T>; BATCH] = core::array::from_fn(|i| row(input.add(i * pitch)));
            let mut i = 0;
            while i < BATCH {
                output.add(i * pitch).write(updated(above, here, below[i]));
                above = here;
                here = below[i];
                i += 1;
            }
            input = input.add(BATCH * pitch);
            output = output.add(BATCH * pitch);
            left -= BATCH;
        }
        while left > 0 {
            let below = row(input);
            output.write(updated(above, here, below));
            above = here;
            here = below;
            input = input.add(pitch);
            output = output.add(pitch);
            left -= 1;
        }
    }
}

/// # Safety
/// The cell and those beside it are valid, and nobody writes them at the same time.
#[inline(always)]
unsafe fn row<T: Real>(middle: DevPtr<T>) -> Row<T> {
    // SAFETY: as the caller says.
    unsafe { Row::new(middle.offset(-1).read(), middle.read(), middle.add(1).read()) }
}

/// The next value of one cell, whose address in the buffer is `at`.
///
/// # Safety
/// The nine cells are valid, and nobody writes them at the same time.
#[inline(always)]
pub unsafe fn one<T: Real>(at: DevPtr<T>, pitch: usize) -> T {
    // SAFETY: as the caller says.
    unsafe { updated(row(at.offset(-(pitch as isize))), row(at), row(at.add(pitch))) }
}

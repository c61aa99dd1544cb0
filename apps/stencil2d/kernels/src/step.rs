//! One iteration over a rectangle of cells.

use crate::cell::{Real, Row, updated};
use crate::layout::{Shape, Tiling};
use cushmem_device::{DevPtr, block_dim_x, block_idx_x, grid_dim_x, thread_idx_x};

/// Rows that a lane loads before it computes and stores any, so that their loads are in flight together: in kernels that end.
pub const MANY_BLOCKS: usize = 4;
/// The same in kernels that stay, which need more registers and so have fewer blocks.
pub const FEW_BLOCKS: usize = 8;

/// `N` cells beside each other, 16 bytes, loaded and stored at once.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Vector<T, const N: usize>([T; N]);

/// Updates this block's share of the tiles, `BATCH` rows at a time. Tile 0 falls to block `first` modulo the grid: blocks just before it get the fewest tiles.
///
/// # Safety
/// As for [`tile`].
#[inline(always)]
pub unsafe fn tiles<T: Real, const N: usize, const BATCH: usize>(
    from: DevPtr<T>,
    to: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    first: u32,
) {
    let blocks = grid_dim_x();
    let across = tiling.across(block_dim_x() * N as u32);
    let count = across * tiling.down();
    let mut number = (block_idx_x() + blocks - first % blocks) % blocks;
    while number < count {
        // SAFETY: the caller vouches for the buffers.
        unsafe { tile::<T, N, BATCH>(from, to, shape, tiling, across, number) };
        number += blocks;
    }
}

/// Updates one of the tiles, of which `across` are beside each other; a lane goes down `N` columns.
///
/// # Safety
/// Both buffers have this shape, and their rows start on a multiple of 16 bytes; nobody writes what the tile reads in `from` or touches its cells in
/// `to` at the same time.
#[inline(always)]
pub unsafe fn tile<T: Real, const N: usize, const BATCH: usize>(
    from: DevPtr<T>,
    to: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    across: u32,
    number: u32,
) {
    const { assert!(N as u32 == T::COLUMNS) };
    let lanes = block_dim_x();
    let col = 1 + (number % across * lanes + thread_idx_x()) * N as u32;
    let top = tiling.top + number / across * tiling.tile_rows;
    let rows = if tiling.bottom - top < tiling.tile_rows { tiling.bottom - top } else { tiling.tile_rows } as usize;
    let above = shape.at(top - 1, col) as usize;
    // SAFETY: the columns and their neighbours lie inside the ring of both buffers.
    unsafe {
        if col >= tiling.left && col + N as u32 <= tiling.right {
            columns::<T, N, BATCH>(from.add(above), to.add(above), shape.pitch as usize, rows);
        } else {
            let mut i = 0;
            while i < N {
                let single = col + i as u32;
                if single >= tiling.left && single < tiling.right {
                    column(from.add(above + i), to.add(above + i), shape.pitch as usize, rows);
                }
                i += 1;
            }
        }
    }
}

/// Updates `rows` rows of `N` cells; `from` and `to` point above the first. Each row is loaded once.
///
/// # Safety
/// The cells and the ring around them are valid in `from`, the cells in `to`; both are aligned to 16 bytes.
#[inline(always)]
unsafe fn columns<T: Real, const N: usize, const BATCH: usize>(
    from: DevPtr<T>,
    to: DevPtr<T>,
    pitch: usize,
    rows: usize,
) {
    const { assert!(BATCH == FOUR || BATCH == 2 * FOUR) };
    // SAFETY: the caller vouches for `rows + 2` rows from `from` on and their neighbours, and for `rows` below `to`.
    unsafe {
        let mut above = row::<T, N>(from);
        let mut here = row::<T, N>(from.add(pitch));
        let mut input = from.add(2 * pitch);
        let mut output = to.add(pitch);
        let mut left = rows;
        while left >= BATCH {
            let first = four(input, pitch);
            if BATCH == FOUR {
                (above, here) = store_four(output, pitch, above, here, first);
            } else {
                let second = four(input.add(FOUR * pitch), pitch);
                (above, here) = store_four(output, pitch, above, here, first);
                (above, here) = store_four(output.add(FOUR * pitch), pitch, above, here, second);
            }
            input = input.add(BATCH * pitch);
            output = output.add(BATCH * pitch);
            left -= BATCH;
        }
        if BATCH > FOUR && left >= FOUR {
            (above, here) = store_four(output, pitch, above, here, four(input, pitch));
            input = input.add(FOUR * pitch);
            output = output.add(FOUR * pitch);
            left -= FOUR;
        }
        while left > 0 {
            let below = row::<T, N>(input);
            store(output, above, here, below);
            above = here;
            here = below;
            input = input.add(pitch);
            output = output.add(pitch);
            left -= 1;
        }
    }
}

/// Rows for which the compiler unrolls a loop: more of them it would keep in local memory.
const FOUR: usize = 4;
type Four<T, const N: usize> = [[Row<T>; N]; FOUR];

/// Four rows from `first` on.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
unsafe fn four<T: Real, const N: usize>(first: DevPtr<T>, pitch: usize) -> Four<T, N> {
    // SAFETY: the caller vouches for the rows.
    core::array::from_fn(|i| unsafe { row::<T, N>(first.add(i * pitch)) })
}

/// Stores the next values of row `here` and of the first three `below` it, and returns the last two of these.
///
/// # Safety
/// As for [`store`].
#[inline(always)]
unsafe fn store_four<T: Real, const N: usize>(
    to: DevPtr<T>,
    pitch: usize,
    mut above: [Row<T>; N],
    mut here: [Row<T>; N],
    below: Four<T, N>,
) -> ([Row<T>; N], [Row<T>; N]) {
    let mut i = 0;
    while i < FOUR {
        // SAFETY: the caller vouches for the rows.
        unsafe { store(to.add(i * pitch), above, here, below[i]) };
        above = here;
        here = below[i];
        i += 1;
    }
    (above, here)
}

/// Updates `rows` cells below each other, at the edge of the rectangle; `from` and `to` point above the first.
///
/// # Safety
/// The cells and the ring around them are valid in `from`, the cells in `to`.
#[inline(always)]
unsafe fn column<T: Real>(from: DevPtr<T>, to: DevPtr<T>, pitch: usize, rows: usize) {
    let mut i = 0;
    while i < rows {
        i += 1;
        // SAFETY: the caller vouches for the cell in `to` and for the nine around it in `from`.
        unsafe { to.add(i * pitch).write(one(from.add(i * pitch), pitch)) };
    }
}

/// # Safety
/// The cells from `first` on and those beside them are valid, and nobody writes them at the same time; `first` is aligned to
/// 16 bytes.
#[inline(always)]
unsafe fn row<T: Real, const N: usize>(first: DevPtr<T>) -> [Row<T>; N] {
    // SAFETY: the caller vouches for `N` cells from `first` on, aligned to 16 bytes, and for one on each side.
    let (west, cells, east) =
        unsafe { (first.offset(-1).read(), first.cast::<Vector<T, N>>().read().0, first.add(N).read()) };
    core::array::from_fn(|i| {
        Row::new(if i == 0 { west } else { cells[i - 1] }, cells[i], if i == N - 1 { east } else { cells[i + 1] })
    })
}

/// Stores the next values of the cells in the middle of three rows.
///
/// # Safety
/// `to` is valid for them and aligned to 16 bytes.
#[inline(always)]
unsafe fn store<T: Real, const N: usize>(to: DevPtr<T>, above: [Row<T>; N], here: [Row<T>; N], below: [Row<T>; N]) {
    let next = Vector(core::array::from_fn(|i| updated(above[i], here[i], below[i])));
    // SAFETY: the caller vouches for `N` cells from `to` on, aligned to 16 bytes.
    unsafe { to.cast::<Vector<T, N>>().write(next) };
}

/// The next value of one cell, whose address in the buffer is `at`.
///
/// # Safety
/// The nine cells are valid, and nobody writes them at the same time.
#[inline(always)]
pub unsafe fn one<T: Real>(at: DevPtr<T>, pitch: usize) -> T {
    // SAFETY: the caller vouches for the cells around `at`, of which `middle` is one in the middle of a row.
    let row = |middle: DevPtr<T>| unsafe { Row::new(middle.offset(-1).read(), middle.read(), middle.add(1).read()) };
    updated(row(at.offset(-(pitch as isize))), row(at), row(at.add(pitch)))
}

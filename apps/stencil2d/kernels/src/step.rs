//! One iteration over a rectangle of cells.

use crate::cell::{Real, Row, updated};
use crate::layout::{Shape, Tiling};
use cushmem_device::{DevPtr, block_dim_x, block_idx_x, grid_dim_x, thread_idx_x};

/// Rows that a lane loads before it computes and stores any, so that the loads are in flight together. For kernels that
/// run one iteration.
pub const MANY_BLOCKS: usize = 4;
/// Rows that a lane of a kernel that runs all iterations loads. Such a kernel needs more registers and so has fewer
/// blocks.
pub const FEW_BLOCKS: usize = 8;
/// Rows that a lane of a kernel with roles in f64 loads: with eight rows the compiler runs out of registers, and loads
/// the last ones after the arithmetic of the first.
pub const ROLES_F64: usize = 6;

/// Lanes of a warp.
const WARP: u32 = 32;

/// `N` adjacent cells, 16 bytes, loaded and stored at once.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Vector<T, const N: usize>([T; N]);

/// Updates this block's tiles, `BATCH` rows at a time. The tiles are those with the block's number, plus any multiple
/// of the number of blocks.
///
/// # Safety
/// The conditions of [`tile`].
#[inline(always)]
pub unsafe fn tiles<T: Real, const N: usize, const BATCH: usize>(
    from: DevPtr<T>,
    to: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
) {
    let mut number = block_idx_x();
    while number < tiling.tiles() {
        // SAFETY: the caller guarantees what this requires of the buffers.
        unsafe { tile::<T, N, BATCH>(from, to, shape, tiling, number) };
        number += grid_dim_x();
    }
}

/// Updates one of the tiles; a lane goes down `N` columns.
///
/// # Safety
/// Both buffers have this shape, and their rows start on a multiple of 16 bytes; nobody writes what the tile reads in
/// `from` or touches its cells in `to` at the same time.
#[inline(always)]
pub unsafe fn tile<T: Real, const N: usize, const BATCH: usize>(
    from: DevPtr<T>,
    to: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    number: u32,
) {
    const { assert!(N as u32 == T::COLUMNS) };
    let lanes = block_dim_x();
    let col = 1 + (number % tiling.across * lanes + thread_idx_x()) * N as u32;
    let top = tiling.top + number / tiling.across * tiling.tile_rows;
    let rows = if tiling.bottom - top < tiling.tile_rows { tiling.bottom - top } else { tiling.tile_rows };
    let above = shape.at(top - 1, col) as usize;
    // Bit `i` for column `i`: at the edge of the rectangle some columns belong to others.
    let mut inside = 0;
    let mut i = 0;
    while i < N as u32 {
        inside |= u32::from(col + i >= tiling.left && col + i < tiling.right) << i;
        i += 1;
    }
    // SAFETY: the columns inside and their neighbours lie inside the ring of both buffers. Other elements that are
    // loaded with them are not used: cells of the ring among the rows, or padding of this row, of the next, or of
    // packed column 0. Nobody writes these after the start: neighbours store to rows 0 and `rows + 1` from column 1 on,
    // and to packed columns after their padding.
    unsafe {
        let (from, to, pitch) = (from.add(above), to.add(above), shape.pitch as usize);
        // Decided for the whole warp: otherwise its lanes would diverge through the whole tile.
        let first = col - thread_idx_x() % WARP * N as u32;
        if first >= tiling.left && first + WARP * N as u32 <= tiling.right {
            columns::<T, N, BATCH, true>(from, to, pitch, rows, inside);
        } else if inside != 0 {
            columns::<T, N, BATCH, false>(from, to, pitch, rows, inside);
        }
    }
}

/// Updates `rows` rows of `N` cells, where `inside` says which cells; `ALL` means that all of them are known to be
/// inside. `from` and `to` point to the row above the first. Each row is loaded once.
///
/// # Safety
/// The cells and the ring around them exist in `from`, and those that are used are valid, as are the cells inside in
/// `to`; both are aligned to 16 bytes.
#[inline(always)]
unsafe fn columns<T: Real, const N: usize, const BATCH: usize, const ALL: bool>(
    from: DevPtr<T>,
    to: DevPtr<T>,
    pitch: usize,
    rows: u32,
    inside: u32,
) {
    const { assert!(BATCH == FOUR || BATCH == TWO + FOUR || BATCH == FOUR + FOUR) };
    // SAFETY: the caller guarantees that `rows + 2` rows from `from` on, with their neighbours, and `rows` rows below
    // `to` are valid.
    unsafe {
        let mut above = row::<T, N>(from);
        let mut here = row::<T, N>(from.add(pitch));
        let mut input = from.add(2 * pitch);
        let mut output = to.add(pitch);
        let mut left = rows;
        while left >= BATCH as u32 {
            let behind = |rows: DevPtr<T>| rows.add((BATCH - FOUR) * pitch);
            if BATCH == FOUR {
                (above, here) = store_some::<T, N, FOUR, ALL>(output, pitch, inside, above, here, some(input, pitch));
            } else if BATCH == TWO + FOUR {
                let (first, second) = (some::<T, N, TWO>(input, pitch), some::<T, N, FOUR>(behind(input), pitch));
                (above, here) = store_some::<T, N, TWO, ALL>(output, pitch, inside, above, here, first);
                (above, here) = store_some::<T, N, FOUR, ALL>(behind(output), pitch, inside, above, here, second);
            } else {
                let (first, second) = (some::<T, N, FOUR>(input, pitch), some::<T, N, FOUR>(behind(input), pitch));
                (above, here) = store_some::<T, N, FOUR, ALL>(output, pitch, inside, above, here, first);
                (above, here) = store_some::<T, N, FOUR, ALL>(behind(output), pitch, inside, above, here, second);
            }
            input = input.add(BATCH * pitch);
            output = output.add(BATCH * pitch);
            left -= BATCH as u32;
        }
        if BATCH > FOUR && left >= FOUR as u32 {
            (above, here) = store_some::<T, N, FOUR, ALL>(output, pitch, inside, above, here, some(input, pitch));
            input = input.add(FOUR * pitch);
            output = output.add(FOUR * pitch);
            left -= FOUR as u32;
        }
        while left > 0 {
            let below = row::<T, N>(input);
            store::<T, N, ALL>(output, inside, above, here, below);
            above = here;
            here = below;
            input = input.add(pitch);
            output = output.add(pitch);
            left -= 1;
        }
    }
}

/// Rows for which the compiler unrolls a loop. With more it would keep them in local memory.
const FOUR: usize = 4;
/// The rows of a batch of six that come before its four. If they came after the four, `fused` in f64 would load some
/// rows too late.
const TWO: usize = 2;

/// `R` rows from `first` on.
///
/// # Safety
/// The conditions of [`row`].
#[inline(always)]
unsafe fn some<T: Real, const N: usize, const R: usize>(first: DevPtr<T>, pitch: usize) -> [[Row<T>; N]; R] {
    // SAFETY: the caller guarantees what this requires of the rows.
    core::array::from_fn(|i| unsafe { row::<T, N>(first.add(i * pitch)) })
}

/// Stores the next values of row `here` and of all rows `below` it but the last, and returns the last two rows.
///
/// # Safety
/// The conditions of [`store`].
#[inline(always)]
unsafe fn store_some<T: Real, const N: usize, const R: usize, const ALL: bool>(
    to: DevPtr<T>,
    pitch: usize,
    inside: u32,
    mut above: [Row<T>; N],
    mut here: [Row<T>; N],
    below: [[Row<T>; N]; R],
) -> ([Row<T>; N], [Row<T>; N]) {
    let mut i = 0;
    while i < R {
        // SAFETY: the caller guarantees what this requires of the rows.
        unsafe { store::<T, N, ALL>(to.add(i * pitch), inside, above, here, below[i]) };
        above = here;
        here = below[i];
        i += 1;
    }
    (above, here)
}

/// # Safety
/// The cells from `first` on and those beside them are valid, and nobody writes them at the same time; `first` is
/// aligned to 16 bytes.
#[inline(always)]
unsafe fn row<T: Real, const N: usize>(first: DevPtr<T>) -> [Row<T>; N] {
    // SAFETY: the caller guarantees that `N` cells from `first` on, aligned to 16 bytes, and one on each side are
    // valid.
    let (west, cells, east) =
        unsafe { (first.offset(-1).read(), first.cast::<Vector<T, N>>().read().0, first.add(N).read()) };
    core::array::from_fn(|i| {
        Row::new(if i == 0 { west } else { cells[i - 1] }, cells[i], if i == N - 1 { east } else { cells[i + 1] })
    })
}

/// Stores the next values of the cells in the middle of three rows: those inside, or all if `ALL` says that they are.
///
/// # Safety
/// `to` is valid for them and aligned to 16 bytes.
#[inline(always)]
unsafe fn store<T: Real, const N: usize, const ALL: bool>(
    to: DevPtr<T>,
    inside: u32,
    above: [Row<T>; N],
    here: [Row<T>; N],
    below: [Row<T>; N],
) {
    let next: [T; N] = core::array::from_fn(|i| updated(above[i], here[i], below[i]));
    // SAFETY: the caller guarantees that the cells inside are valid, and that `to` is aligned.
    unsafe {
        if ALL || inside == (1 << N) - 1 {
            to.cast::<Vector<T, N>>().write(Vector(next));
        } else {
            let mut i = 0;
            while i < N {
                if inside >> i & 1 != 0 {
                    to.add(i).write(next[i]);
                }
                i += 1;
            }
        }
    }
}

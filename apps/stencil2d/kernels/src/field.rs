//! What is done to a field other than iterating it: setting the start values, and sampling pixels.

use crate::cell::{Real, start_value};
use crate::layout::{Sampling, Shape, Whole, sampled};
use cushmem_device::{DevPtr, block_dim_x, block_idx_x, grid_dim_x, thread_idx_x};

/// This lane's number in the grid, and the number of lanes.
#[inline(always)]
fn lane_of_grid() -> (u64, u64) {
    let lanes = u64::from(block_dim_x());
    (u64::from(block_idx_x()) * lanes + u64::from(thread_idx_x()), u64::from(grid_dim_x()) * lanes)
}

/// Sets the start values. Buffer 0 gets all of them, halo included, so the first iteration needs no exchange. In the
/// other buffers only the fixed border is ever read before it is written. Everything else there is NaN, which reveals a
/// halo that never arrived.
///
/// # Safety
/// `fields` are `buffers` buffers of this shape that nobody else uses.
#[inline(always)]
pub unsafe fn fill<T: Real>(fields: DevPtr<T>, buffers: u32, shape: Shape, whole: Whole, seed: u64) {
    let mut row = block_idx_x();
    while row < shape.rows + 2 {
        let mut col = thread_idx_x();
        while col < shape.cols + 2 {
            let (grid_row, grid_col) = (whole.first_row + row, whole.first_col + col);
            let start = start_value::<T>(seed, grid_row.into(), grid_col.into());
            let later = if whole.is_border(grid_row, grid_col) { start } else { T::NAN };
            let packed = shape.seen_by_rim(row, col);
            let (mut cell, mut packed) = (fields.add(shape.at(row, col) as usize), fields.add(packed as usize));
            let mut value = start;
            let mut buffer = 0;
            while buffer < buffers {
                // SAFETY: the cell lies inside the ring of each buffer, and has at most one place in its packed
                // columns.
                unsafe {
                    cell.write(value);
                    packed.write(value);
                }
                (cell, packed) = (cell.add(shape.buffer as usize), packed.add(shape.buffer as usize));
                value = later;
                buffer += 1;
            }
            col += block_dim_x();
        }
        row += grid_dim_x();
    }
}

/// Copies the cell that each of this PE's pixels shows to `out`, row by row.
///
/// # Safety
/// The buffer has this shape, the pixels show cells of this PE, `out` has an element for each; nobody writes either.
#[inline(always)]
pub unsafe fn sample<T: Real>(field: DevPtr<T>, shape: Shape, whole: Whole, pixels: Sampling, out: DevPtr<f64>) {
    let (mut i, lanes) = lane_of_grid();
    let width = u64::from(pixels.right - pixels.left);
    while i < u64::from(pixels.bottom - pixels.top) * width {
        let row = sampled(pixels.top + (i / width) as u32, pixels.height, whole.rows) + 1 - whole.first_row;
        let col = sampled(pixels.left + (i % width) as u32, pixels.width, whole.cols) + 1 - whole.first_col;
        // SAFETY: the caller guarantees that pixels show cells of this PE, and that `out` has an element for each.
        unsafe { out.add(i as usize).write(field.add(shape.at(row, col) as usize).read().into()) };
        i += lanes;
    }
}

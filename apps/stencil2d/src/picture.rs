//! The picture of the final field: every PE puts its pixels into the memory of PE 0, which colours them.
//!
//! A pixel shows one cell. Its colour is the rank of the cell's value among all pixels, because the iterations smooth
//! the random start until most values are close to each other. White lines are the borders between PEs. A scale below
//! the field explains the colours.

use crate::cells::Cell;
use crate::decomposition::Decomposition;
use crate::field::Field;
use anyhow::{Context, Result};
use cushmem_numbers::quantile;
use cushmem_program::{Image, LETTER, SCALE_HEIGHT, WHITE, draw_scale, shade, text_width, write_file};
use std::path::Path;
use stencil2d_kernels::layout::{Sampling, sampled};

/// The longest side, in pixels.
const MAX_PIXELS: u32 = 1024;

/// The smallest width that has room for the scale's numbers.
const MIN_WIDTH: u32 = 320;
/// The title of the scale. All colours are equally frequent, so the values are not evenly spaced.
const SCALE_NAME: &str = "value of a cell, coloured by its rank";

/// Draws `buffer` into `file`. Collective; PE 0 writes.
pub fn draw<T: Cell>(field: &Field<'_, T>, buffer: u32, file: &Path) -> Result<()> {
    let shmem = field.job.shmem;
    let (height, width) = pixels(field.whole.rows, field.whole.cols);
    let (top, bottom) = own(height, field.whole.rows, field.part.first_row, field.part.rows);
    let (left, right) = own(width, field.whole.cols, field.part.first_col, field.part.cols);
    let values = field.sample(buffer, Sampling { height, width, top, bottom, left, right })?;
    let picture = shmem.malloc::<f64>(height as usize * width as usize)?;
    if left < right {
        for (row, line) in (top..bottom).zip(values.chunks_exact((right - left) as usize)) {
            let start = (row * width + left) as usize;
            shmem.put(picture.slice(start..start + line.len()), line, 0)?;
        }
    }
    shmem.barrier_all()?;
    let mut written = Ok(());
    if shmem.my_pe() == 0 {
        let image = compose(&picture.to_vec()?, height, width, &field.job.grid);
        let png = image.png().and_then(|png| write_file(file, &png));
        written = png.with_context(|| format!("write picture {}", file.display()));
    }
    shmem.free(picture)?;
    written
}

/// Height and width of the picture of a grid.
fn pixels(rows: u32, cols: u32) -> (u32, u32) {
    let shrink = rows.max(cols).div_ceil(MAX_PIXELS);
    (rows.div_ceil(shrink), cols.div_ceil(shrink))
}

/// The range of pixels that show the `count` rows (or columns) from `first` on, if `pixels` pixels show `cells` rows in
/// all.
fn own(pixels: u32, cells: u32, first: u32, count: u32) -> (u32, u32) {
    let before = |cell: u32| (0..pixels).take_while(|p| sampled(*p, pixels, cells) < cell).count() as u32;
    (before(first), before(first + count))
}

/// The field, the borders and numbers of the PEs, and the scale.
fn compose(values: &[f64], height: u32, width: u32, grid: &Decomposition) -> Image {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut image = Image::new(width.max(MIN_WIDTH), height + SCALE_HEIGHT);
    for (row, line) in (0..).zip(values.chunks_exact(width as usize)) {
        for (col, value) in (0..).zip(line) {
            image.set(row, col, shade(rank(&sorted, *value)));
        }
    }
    draw_borders(&mut image, height, width, grid);
    let values = std::array::from_fn(|quarter| quantile(&sorted, quarter as f64 / 4.0).unwrap_or(0.0));
    draw_scale(&mut image, height, values, SCALE_NAME);
    image
}

/// Draws a line before the first row and column of each PE, except at the edge of the grid, and the PE's number where
/// there is room.
fn draw_borders(image: &mut Image, height: u32, width: u32, grid: &Decomposition) {
    for pe in 0..grid.pe_rows * grid.pe_cols {
        let part = grid.part(pe);
        let (top, bottom) = own(height, grid.rows, part.first_row, part.rows);
        let (left, right) = own(width, grid.cols, part.first_col, part.cols);
        if top > 0 {
            (left..right).for_each(|col| image.set(top, col, WHITE));
        }
        if left > 0 {
            (top..bottom).for_each(|row| image.set(row, left, WHITE));
        }
        let name = format!("PE {pe}");
        let room = (bottom - top, right - left);
        if room.0 > 2 * LETTER.1 && room.1 > text_width(&name) + 2 * LETTER.0 {
            image.outlined_text(top + 5, left + 7, &name);
        }
    }
}

/// The fraction of values that are smaller, from 0 to 1.
fn rank(sorted: &[f64], value: f64) -> f64 {
    let last = sorted.len().saturating_sub(1).max(1) as f64;
    sorted.partition_point(|s| s.total_cmp(&value).is_lt()) as f64 / last
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_program::COLOURS;

    #[test]
    fn pictures_keep_the_proportions_and_fit() {
        assert_eq!(pixels(1000, 777), (1000, 777));
        assert_eq!(pixels(8192, 4096), (1024, 512));
        assert_eq!(pixels(1_000_000, 1), (1024, 1));
    }

    #[test]
    fn every_pixel_has_one_pe_and_shows_a_cell_of_it() {
        for (rows, cols, pes) in [(1000, 777, 6), (5000, 3, 7), (3000, 2000, 4), (2, 2, 4)] {
            let d = Decomposition::choose(rows, cols, pes).unwrap();
            let (height, width) = pixels(rows, cols);
            let mut shown = vec![0; (height * width) as usize];
            for pe in 0..pes {
                let part = d.part(pe);
                let (top, bottom) = own(height, rows, part.first_row, part.rows);
                let (left, right) = own(width, cols, part.first_col, part.cols);
                for row in top..bottom {
                    assert!((part.first_row..part.first_row + part.rows).contains(&sampled(row, height, rows)));
                    (left..right).for_each(|col| shown[(row * width + col) as usize] += 1);
                }
            }
            assert!(shown.iter().all(|n| *n == 1), "{rows} {cols}");
        }
    }

    #[test]
    fn colours_follow_the_rank() {
        let sorted = [1.0, 2.0, 3.0];
        assert_eq!([3.0, 1.0, 2.0].map(|v| shade(rank(&sorted, v))), [COLOURS[8], COLOURS[0], COLOURS[4]]);
        assert_eq!(shade(rank(&[7.0], 7.0)), COLOURS[0]);
    }

    /// Without borders and numbers this field would be dark everywhere, because all its values are the same.
    #[test]
    fn borders_lie_between_the_parts_of_the_pes() {
        let (rows, cols) = (200, 400);
        let grid = Decomposition::with_pe_grid(rows, cols, 2, 2).unwrap();
        let image = compose(&vec![0.5; (rows * cols) as usize], rows, cols, &grid);
        let border = grid.part(3);
        assert_eq!((border.first_row, border.first_col), (100, 200));
        assert!((0..cols).all(|col| image.at(border.first_row, col) == WHITE), "across");
        assert!((0..rows).all(|row| image.at(row, border.first_col) == WHITE), "down");
        for (row, col) in [(0, 0), (99, 199), (101, 201), (199, 399), (50, 150)] {
            assert_eq!(image.at(row, col), COLOURS[0], "row {row}, column {col}");
        }
        for pe in 0..4 {
            let part = grid.part(pe);
            let corner =
                (1..32).flat_map(|down| (1..80).map(move |right| (part.first_row + down, part.first_col + right)));
            assert!(corner.filter(|&(row, col)| image.at(row, col) == WHITE).count() > 50, "the number of PE {pe}");
        }
        let one = compose(&vec![0.5; 100], 10, 10, &Decomposition::with_pe_grid(10, 10, 1, 1).unwrap());
        assert!((0..100).all(|at| one.at(at / 10, at % 10) == COLOURS[0]), "no border, no room");
    }
}

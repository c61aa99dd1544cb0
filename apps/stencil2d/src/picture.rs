//! The picture of the final field: every PE puts its pixels into the memory of PE 0, which colours them.
//!
//! A pixel shows one cell. Its colour is the rank of the cell's value among all pixels, because the iterations smooth the random
//! start until most values are close to each other. White lines are the borders between PEs; below the field, a scale says which
//! values the colours are.

use crate::cells::Cell;
use crate::decomposition::Decomposition;
use crate::field::Field;
use anyhow::{Context, Result};
use font8x8::legacy::BASIC_LEGACY;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use stencil2d_kernels::layout::{Sampling, sampled};

/// Longest side, in pixels.
const MAX_PIXELS: u32 = 1024;

/// Viridis, dark to bright: red, green and blue at equal distances.
const COLOURS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];

/// Width and height of a letter. The font has half as many rows; each is drawn twice.
const LETTER: (u32, u32) = (8, 16);
/// The smallest width that has room for the scale's numbers.
const MIN_WIDTH: u32 = 320;
/// Height of the scale with its numbers and its name, the gap above it, and the height of its colours.
const SCALE: (u32, u32, u32) = (70, 10, 16);
/// What the scale shows. The colours are as frequent as each other, so the values are not evenly spaced.
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
    if shmem.my_pe() == 0 {
        let image = compose(&picture.to_vec()?, height, width, &field.job.grid);
        image.write(file).with_context(|| format!("write picture {}", file.display()))?;
    }
    Ok(shmem.free(picture)?)
}

/// Height and width of the picture of a grid.
fn pixels(rows: u32, cols: u32) -> (u32, u32) {
    let shrink = rows.max(cols).div_ceil(MAX_PIXELS);
    (rows.div_ceil(shrink), cols.div_ceil(shrink))
}

/// The pixels, from..to, that show one of `count` rows (or columns) from `first` on, of `cells`.
fn own(pixels: u32, cells: u32, first: u32, count: u32) -> (u32, u32) {
    let before = |cell: u32| (0..pixels).take_while(|p| sampled(*p, pixels, cells) < cell).count() as u32;
    (before(first), before(first + count))
}

/// An RGB image.
struct Image {
    width: u32,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    fn set(&mut self, row: u32, col: u32, colour: [u8; 3]) {
        let at = (row * self.width + col) as usize;
        if let Some(pixel) = self.pixels.get_mut(at).filter(|_| col < self.width) {
            *pixel = colour;
        }
    }

    /// Writes ASCII.
    fn text(&mut self, row: u32, col: u32, text: &str, colour: [u8; 3]) {
        for (first, glyph) in
            (col..).step_by(LETTER.0 as usize).zip(text.bytes().map(|c| BASIC_LEGACY[c as usize & 127]))
        {
            for (down, right) in (0..LETTER.1).flat_map(|down| (0..LETTER.0).map(move |right| (down, right))) {
                if glyph[down as usize / 2] >> right & 1 == 1 {
                    self.set(row + down, first + right, colour);
                }
            }
        }
    }

    fn write(&self, file: &Path) -> Result<()> {
        let height = self.pixels.len() as u32 / self.width;
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), self.width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::Adaptive);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        Ok(writer.finish()?)
    }
}

/// The field, the borders and numbers of the PEs, and the scale.
fn compose(values: &[f64], height: u32, width: u32, grid: &Decomposition) -> Image {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (full_width, full_height) = (width.max(MIN_WIDTH), height + SCALE.0);
    let mut image = Image { width: full_width, pixels: vec![WHITE; (full_width * full_height) as usize] };
    for (row, line) in (0..).zip(values.chunks_exact(width as usize)) {
        for (col, value) in (0..).zip(line) {
            image.set(row, col, shade(rank(&sorted, *value)));
        }
    }
    draw_borders(&mut image, height, width, grid);
    draw_scale(&mut image, height, &sorted);
    image
}

/// A line before the first row and column of each PE but the first ones, and the PE's number where there is room.
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
        if room.0 > 2 * LETTER.1 && room.1 > (name.len() as u32 + 2) * LETTER.0 {
            let (row, col) = (top + 5, left + 7);
            // Dark around it, so that it can be read on any colour.
            for (down, aside) in [(0, 1), (2, 1), (1, 0), (1, 2)] {
                image.text(row - 1 + down, col - 1 + aside, &name, BLACK);
            }
            image.text(row, col, &name, WHITE);
        }
    }
}

/// All colours in a bar, from the lowest value to the highest, and the values of its ends and quarters.
fn draw_scale(image: &mut Image, below: u32, sorted: &[f64]) {
    let (last, top) = (image.width - 1, below + SCALE.1);
    for col in 0..=last {
        (top..top + SCALE.2).for_each(|row| image.set(row, col, shade(f64::from(col) / f64::from(last))));
    }
    for quarter in 0..=4 {
        let value = sorted[(sorted.len() - 1) * quarter as usize / 4];
        // Large values have digits enough before the point.
        let digits = if value.abs() < 1000.0 { 3 } else { 0 };
        let (label, col) = (format!("{value:.digits$}"), last * quarter / 4);
        let length = label.len() as u32 * LETTER.0;
        let row = top + SCALE.2;
        (row..row + 4).for_each(|row| image.set(row, col, BLACK));
        image.text(row + 6, col.saturating_sub(length / 2).min(image.width.saturating_sub(length)), &label, BLACK);
    }
    let middle = image.width.saturating_sub(SCALE_NAME.len() as u32 * LETTER.0) / 2;
    image.text(below + SCALE.0 - LETTER.1, middle, SCALE_NAME, BLACK);
}

/// How many of the values are smaller, from 0 to 1.
fn rank(sorted: &[f64], value: f64) -> f64 {
    let last = sorted.len().saturating_sub(1).max(1) as f64;
    sorted.partition_point(|s| s.total_cmp(&value).is_lt()) as f64 / last
}

/// The colour at `place`, from 0 to 1.
fn shade(place: f64) -> [u8; 3] {
    let position = place.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let below = (position as usize).min(COLOURS.len() - 2);
    let part = position - below as f64;
    std::array::from_fn(|i| {
        let (a, b) = (f64::from(COLOURS[below][i]), f64::from(COLOURS[below + 1][i]));
        (a + (b - a) * part).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Without borders and numbers the field below is dark everywhere, as all its values are the same.
    #[test]
    fn borders_lie_between_the_parts_of_the_pes() {
        let (rows, cols) = (200, 400);
        let grid = Decomposition::with_pe_grid(rows, cols, 2, 2).unwrap();
        let image = compose(&vec![0.5; (rows * cols) as usize], rows, cols, &grid);
        let at = |row: u32, col: u32| image.pixels[(row * image.width + col) as usize];
        let border = grid.part(3);
        assert_eq!((border.first_row, border.first_col), (100, 200));
        assert!((0..cols).all(|col| at(border.first_row, col) == WHITE), "across");
        assert!((0..rows).all(|row| at(row, border.first_col) == WHITE), "down");
        for (row, col) in [(0, 0), (99, 199), (101, 201), (199, 399), (50, 150)] {
            assert_eq!(at(row, col), COLOURS[0], "row {row}, column {col}");
        }
        for pe in 0..4 {
            let part = grid.part(pe);
            let corner =
                (1..32).flat_map(|down| (1..80).map(move |right| (part.first_row + down, part.first_col + right)));
            assert!(corner.filter(|&(row, col)| at(row, col) == WHITE).count() > 50, "the number of PE {pe}");
        }
        let one = compose(&vec![0.5; 100], 10, 10, &Decomposition::with_pe_grid(10, 10, 1, 1).unwrap());
        assert!(
            (0..100).all(|at| one.pixels[(at / 10 * one.width + at % 10) as usize] == COLOURS[0]),
            "no border, no room"
        );
    }

    #[test]
    fn the_scale_goes_from_the_lowest_colour_to_the_highest_and_has_numbers() {
        let values: Vec<f64> = (0..100).map(|i| f64::from(i) / 99.0).collect();
        let image = compose(&values, 10, 10, &Decomposition::with_pe_grid(10, 10, 1, 1).unwrap());
        assert_eq!(image.width, MIN_WIDTH);
        assert_eq!(image.pixels.len() as u32, (10 + SCALE.0) * MIN_WIDTH);
        let row = |row: u32| &image.pixels[(row * image.width) as usize..][..image.width as usize];
        let colours = row(10 + SCALE.1 + SCALE.2 / 2);
        assert_eq!((colours[0], colours[MIN_WIDTH as usize - 1]), (COLOURS[0], COLOURS[8]));
        let numbers: Vec<_> = (10 + SCALE.1 + SCALE.2 + 6..10 + SCALE.0).flat_map(row).collect();
        assert!(numbers.iter().filter(|pixel| ***pixel == BLACK).count() > 5 * 3 * 20, "five numbers and the name");
    }
}

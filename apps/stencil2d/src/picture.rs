//! The picture of the final field: every PE puts its pixels into the memory of PE 0, which colours them.
//!
//! A pixel shows one cell. Its colour is the rank of the cell's value among all pixels, because the iterations smooth the random
//! start until most values are close to each other.

use crate::cells::Cell;
use crate::field::Field;
use anyhow::{Context, Result};
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
        let rgb = colour(&picture.to_vec()?);
        write(file, width, height, &rgb).with_context(|| format!("write picture {}", file.display()))?;
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

fn colour(values: &[f64]) -> Vec<u8> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1).max(1) as f64;
    values.iter().flat_map(|v| shade(sorted.partition_point(|s| s.total_cmp(v).is_lt()) as f64 / last)).collect()
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

fn write(file: &Path, width: u32, height: u32, rgb: &[u8]) -> Result<()> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::Decomposition;

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
        assert_eq!(colour(&[3.0, 1.0, 2.0]), [COLOURS[8], COLOURS[0], COLOURS[4]].concat());
        assert_eq!(colour(&[7.0]), COLOURS[0]);
    }
}

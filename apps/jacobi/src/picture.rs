//! The picture of the final grid: every PE puts its pixels into the memory of PE 0, which colours them.

use crate::problem::Problem;
use anyhow::{Context, Result};
use cushmem::Shmem;
use cushmem_program::{Image, SCALE_HEIGHT, draw_scale, shade, write_file};
use std::path::Path;

/// The side of the picture, in pixels.
const SIDE: u32 = 512;

/// Draws this PE's `cells` and those of the others into `file`. Collective; PE 0 writes.
pub fn draw(shmem: &Shmem, problem: Problem, cells: &[f32], file: &Path) -> Result<()> {
    let rows = problem.rows(shmem.my_pe());
    let shown = |pixel: u32| (u64::from(pixel) * u64::from(problem.size) / u64::from(SIDE)) as u32;
    let picture = shmem.malloc::<f32>((SIDE * SIDE) as usize)?;
    for pixel in (0..SIDE).filter(|&pixel| rows.contains(&(shown(pixel) + 1))) {
        let first = (shown(pixel) + 1 - rows.start) as usize * problem.size as usize;
        let line: Vec<f32> = (0..SIDE).map(|pixel| cells[first + shown(pixel) as usize]).collect();
        let start = (pixel * SIDE) as usize;
        shmem.put(picture.slice(start..start + line.len()), &line[..], 0)?;
    }
    shmem.barrier_all()?;
    let mut written = Ok(());
    if shmem.my_pe() == 0 {
        let mut image = Image::new(SIDE, SIDE + SCALE_HEIGHT);
        for (i, value) in (0..).zip(picture.to_vec()?) {
            image.set(i / SIDE, i % SIDE, shade(value.into()));
        }
        draw_scale(&mut image, SIDE, [0.0, 0.25, 0.5, 0.75, 1.0], "temperature");
        let png = image.png().and_then(|png| write_file(file, &png));
        written = png.with_context(|| format!("write picture {}", file.display()));
    }
    shmem.free(picture)?;
    written
}

//! `--png`: a slice through the middle of the drop, across y, with x to the right and z upwards.
//!
//! Colours show pressure, speed or φ, as the scale below the slice explains. The white line is φ = 0, and thin grey
//! lines are the borders between PEs. Small grids are enlarged; of large ones the picture shows only some of the cells.

use crate::decomposition::Region;
use anyhow::Result;
use clap::ValueEnum;
use cushmem::Shmem;
use cushmem_program::{Image, LETTER, SCALE_HEIGHT, WHITE, draw_scale, shade, text_width};
use lbm_kernels::cell::Observed;

/// Longest side of the slice, in pixels.
const MAX_PIXELS: u32 = 1024;
/// Small grids are enlarged to at least this.
const MIN_PIXELS: u32 = 384;
const GREY: [u8; 3] = [150; 3];

/// What the colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    Pressure,
    Speed,
    Phi,
}

impl Show {
    /// The value of a cell.
    pub fn of(self, cell: &Observed) -> f64 {
        match self {
            Self::Pressure => cell.pressure,
            Self::Speed => cell.velocity.iter().map(|u| u * u).sum::<f64>().sqrt(),
            Self::Phi => cell.phi,
        }
    }

    /// The name of the scale.
    pub fn title(self) -> &'static str {
        match self {
            Self::Pressure => "pressure",
            Self::Speed => "speed",
            Self::Phi => "order parameter",
        }
    }
}

/// A slice: columns along x, rows along z.
#[derive(Clone, Debug)]
pub struct Slice {
    pub width: u32,
    pub height: u32,
    /// What the colours show, row by row from z = 0 on.
    pub values: Vec<f64>,
    pub phi: Vec<f64>,
}

impl Slice {
    /// The slice at this y, on PE 0; on other PEs all values are zero. `row` returns both values of this PE's cells at
    /// a z, counted from the PE's first one. Collective.
    pub fn gather(
        shmem: &Shmem,
        extent: [u32; 3],
        region: Region,
        y: u32,
        mut row: impl FnMut(u32) -> Result<[Vec<f64>; 2]>,
    ) -> Result<Self> {
        let [width, _, height] = extent;
        let cells = width as usize * height as usize;
        let room = shmem.malloc::<f64>(2 * cells)?;
        if (region.first[1]..region.first[1] + region.size[1]).contains(&y) {
            for z in 0..region.size[2] {
                let start = (region.first[2] + z) as usize * width as usize + region.first[0] as usize;
                for (value, cells_of_row) in row(z)?.iter().enumerate() {
                    let start = value * cells + start;
                    shmem.put(room.slice(start..start + cells_of_row.len()), cells_of_row, 0)?;
                }
            }
        }
        shmem.barrier_all()?;
        let mut values = room.to_vec()?;
        let phi = values.split_off(cells);
        // All puts are complete, because a barrier follows them, so the memory can be freed.
        shmem.free(room)?;
        Ok(Self { width, height, values, phi })
    }

    /// φ, interpolated between cells.
    fn phi_at(&self, x: f64, z: f64) -> f64 {
        let clamp = |v: f64, n: u32| v.clamp(0.0, f64::from(n - 1));
        let (x, z) = (clamp(x, self.width), clamp(z, self.height));
        let (left, below) = (x.floor(), z.floor());
        let at = |dx: u32, dz: u32| {
            let (x, z) = ((left as u32 + dx).min(self.width - 1), (below as u32 + dz).min(self.height - 1));
            self.phi[z as usize * self.width as usize + x as usize]
        };
        let along = |dz| at(0, dz) + (at(1, dz) - at(0, dz)) * (x - left);
        along(0) + (along(1) - along(0)) * (z - below)
    }
}

/// Draws a slice and the borders of the PEs' regions in it.
pub fn compose(slice: &Slice, regions: &[Region], title: &str) -> Image {
    let longest = slice.width.max(slice.height);
    let scale = if longest > MAX_PIXELS {
        f64::from(MAX_PIXELS) / f64::from(longest)
    } else {
        f64::from(MIN_PIXELS.div_ceil(longest))
    };
    let [width, height] = [slice.width, slice.height].map(|n| ((f64::from(n) * scale) as u32).max(1));
    let range = slice.values.iter().filter(|v| v.is_finite());
    let (low, high) = range.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
    let span = if high > low { high - low } else { 1.0 };
    let (unit, title) = in_a_unit(low.abs().max(high.abs()), title);
    let full = width.max(text_width(&title) + 2 * LETTER.0);
    let mut image = Image::new(full, height + SCALE_HEIGHT);
    // The position of a pixel's middle, in cells.
    let cell = |pixel: u32| (f64::from(pixel) + 0.5) / scale - 0.5;
    let nearest = |pixel: u32, n: u32| (cell(pixel).round().max(0.0) as u32).min(n - 1);
    // Image rows count downwards, z upwards.
    let up = |row: u32| height - 1 - row;
    let is_inside = |row: u32, col: u32| slice.phi_at(cell(col), cell(up(row))) > 0.0;
    for (row, col) in (0..height).flat_map(|row| (0..width).map(move |col| (row, col))) {
        let at = nearest(up(row), slice.height) as usize * slice.width as usize + nearest(col, slice.width) as usize;
        image.set(row, col, shade((slice.values[at] - low) / span));
        let here = is_inside(row, col);
        let crosses = |row: u32, col: u32| row < height && col < width && is_inside(row, col) != here;
        if crosses(row + 1, col) || crosses(row, col + 1) {
            image.set(row, col, WHITE);
        }
    }
    for region in regions {
        let pixel = |cell: u32| (f64::from(cell) * scale) as u32;
        let (left, bottom) = (pixel(region.first[0]), pixel(region.first[2]));
        let (right, top) = (pixel(region.first[0] + region.size[0]), pixel(region.first[2] + region.size[2]));
        if region.first[0] > 0 {
            (bottom..top.min(height)).for_each(|z| image.set(up(z), left, GREY));
        }
        if region.first[2] > 0 {
            (left..right.min(width)).for_each(|col| image.set(up(bottom.min(height - 1)), col, GREY));
        }
    }
    draw_scale(&mut image, height, std::array::from_fn(|i| (low + (high - low) * i as f64 / 4.0) / unit), &title);
    image
}

/// A factor, a power of ten, that makes values up to this one readable in the scale's numbers, which have three
/// decimals, and the title that mentions it.
fn in_a_unit(largest: f64, title: &str) -> (f64, String) {
    let power = if largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
    if (-1..3).contains(&power) { (1.0, title.into()) } else { (10f64.powi(power), format!("{title} / 1e{power}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_program::{BLACK, COLOURS};

    /// A disc of radius 5 whose value is 1 inside and 0 outside.
    fn disc() -> Slice {
        let (width, height) = (24, 20);
        let cells = (0..height).flat_map(|z| (0..width).map(move |x| (f64::from(x) - 8.0, f64::from(z) - 6.0)));
        let phi: Vec<f64> = cells.map(|(x, z)| 5.0 - x.hypot(z)).collect();
        let values = phi.iter().map(|phi| if *phi > 0.0 { 1.0 } else { 0.0 }).collect();
        Slice { width, height, values, phi }
    }

    #[test]
    fn the_outline_is_a_closed_line_between_the_colours() {
        let image = compose(&disc(), &[], "pressure");
        assert_eq!(image.width(), 24 * 16);
        let height = 20 * 16;
        // z = 6 lies in the lower half of the picture.
        let (row, col) = (height - 1 - (6 * 16 + 8), 8 * 16 + 8);
        assert_eq!((image.at(row, col), image.at(0, image.width() - 1)), (COLOURS[8], COLOURS[0]));
        for (down, right) in [(0i32, 1i32), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1)] {
            let ray = (0..95).map(|i| image.at((row as i32 + i * down) as u32, (col as i32 + i * right) as u32));
            let whites: Vec<_> = (0..95).zip(ray).filter(|(_, c)| *c == WHITE).map(|(i, _)| i).collect();
            let expected = 80.0 / f64::from(down * down + right * right).sqrt();
            assert!(!whites.is_empty() && whites.iter().all(|i| (f64::from(*i) - expected).abs() < 3.0), "{whites:?}");
        }
    }

    #[test]
    fn small_values_are_shown_in_a_unit() {
        assert_eq!(in_a_unit(0.25, "p"), (1.0, "p".into()));
        assert_eq!(in_a_unit(2.5e-4, "p"), (1e-4, "p / 1e-4".into()));
        assert_eq!(in_a_unit(0.0, "p").0, 1.0);
    }

    #[test]
    fn borders_of_pes_lie_where_their_cells_begin() {
        let region = |x: u32, z: u32| Region { first: [12 * x, 0, 10 * z], size: [12, 5, 10] };
        let image = compose(&disc(), &[region(0, 0), region(1, 0), region(0, 1), region(1, 1)], "p");
        let is_border = |row: u32, col: u32| [GREY, WHITE].contains(&image.at(row, col));
        assert!((0..320).all(|row| is_border(row, 192)) && (0..384).all(|col| is_border(159, col)));
        assert!((0..320).filter(|row| is_border(*row, 300)).count() < 5);
    }

    #[test]
    fn large_grids_are_shrunk_and_flat_ones_have_one_colour() {
        let (width, height) = (3000, 2);
        let slice = Slice { width, height, values: vec![2.0; 6000], phi: vec![1.0; 6000] };
        let image = compose(&slice, &[], "p");
        assert_eq!((image.width(), image.height()), (MAX_PIXELS, 1 + SCALE_HEIGHT));
        assert_eq!(image.at(0, 5), COLOURS[0]);
        assert!((0..image.width()).any(|col| image.at(SCALE_HEIGHT - 5, col) == BLACK), "a name");
    }
}

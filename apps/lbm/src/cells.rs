//! What can be observed of a box of cells.

use lbm_kernels::cell::Observed;

/// A box of cells and their observed values.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// The first cell, in the coordinates of the whole grid.
    pub first: [u32; 3],
    /// Cells in each direction.
    pub size: [u32; 3],
    /// The values of each cell; x varies fastest, z slowest.
    pub shown: Vec<Observed>,
}

impl Cells {
    /// A box whose cells have the values that `shows` returns for their coordinates in the whole grid.
    #[cfg(test)]
    pub fn of(first: [u32; 3], size: [u32; 3], shows: impl FnMut([u32; 3]) -> Observed) -> Self {
        Self { first, size, shown: places(first, size).map(shows).collect() }
    }

    /// Each cell with its coordinates in the whole grid.
    pub fn places(&self) -> impl Iterator<Item = ([u32; 3], &Observed)> {
        places(self.first, self.size).zip(&self.shown)
    }
}

fn places([x0, y0, z0]: [u32; 3], [nx, ny, nz]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let rows = (z0..z0 + nz).flat_map(move |z| (y0..y0 + ny).map(move |y| (y, z)));
    rows.flat_map(move |(y, z)| (x0..x0 + nx).map(move |x| [x, y, z]))
}

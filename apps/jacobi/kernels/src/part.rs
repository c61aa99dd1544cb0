//! How a PE's part of the grid lies in memory, what a run is, and the arithmetic of a cell.

use cushmem_device::DevPtr;

/// The next value of a cell, from its neighbours beside it and those above and below. Kernels and the reference call
/// the same function, so their results agree to the last bit.
#[inline(always)]
pub fn updated(west: f32, east: f32, north: f32, south: f32) -> f32 {
    0.25 * ((west + east) + (north + south))
}

/// In place of a neighbour: there is the border of the grid, which is fixed.
pub const NOBODY: u32 = u32::MAX;
/// The signal that counts the halos that have come from the PE above, and that for the PE below.
const ABOVE: usize = 0;
/// See [`ABOVE`].
const BELOW: usize = 1;

/// Cells in a line of the GPU's cache. Column 1 starts a line, so that whole lines are updated and put.
const LINE: u32 = 32;

/// A PE's part of the grid: rows 1 to `rows`, and row 0 and row `rows + 1`, which are halos or the border; columns 1 to
/// `cols`, and one of the border on each side. There are two such grids, of which an iteration reads one and writes the
/// other.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Rows that this PE updates, at least two.
    pub rows: u32,
    /// Columns.
    pub cols: u32,
    /// The PE above, or [`NOBODY`].
    pub above: u32,
    /// The PE below, or [`NOBODY`].
    pub below: u32,
    /// Rows that the PE above updates.
    pub rows_above: u32,
    /// The most rows that any PE updates: the grids have the same size on all PEs.
    pub most_rows: u32,
}

impl Part {
    /// Elements from one row to the next.
    #[inline(always)]
    pub fn pitch(&self) -> usize {
        (LINE + self.cols + 1).next_multiple_of(LINE) as usize
    }

    /// The place of a cell in a grid.
    #[inline(always)]
    pub fn at(&self, row: u32, col: u32) -> usize {
        row as usize * self.pitch() + (LINE - 1 + col) as usize
    }

    /// The elements of a grid.
    #[inline(always)]
    pub fn elements(&self) -> usize {
        (self.most_rows as usize + 2) * self.pitch()
    }

    /// The grid that iteration `k` reads.
    #[inline(always)]
    pub fn grid(&self, grids: DevPtr<f32>, k: u32) -> DevPtr<f32> {
        if k.is_multiple_of(2) { grids } else { grids.add(self.elements()) }
    }

    /// The first row, for 0, or the last one, for 1; for other numbers, an edge without a neighbour.
    #[inline(always)]
    pub fn edge(&self, number: u32) -> Edge {
        match number {
            0 => Edge {
                row: 1,
                neighbour: self.above,
                halo: self.rows_above + 1,
                own_signal: ABOVE,
                their_signal: BELOW,
            },
            1 => Edge { row: self.rows, neighbour: self.below, halo: 0, own_signal: BELOW, their_signal: ABOVE },
            _ => Edge { row: 0, neighbour: NOBODY, halo: 0, own_signal: ABOVE, their_signal: ABOVE },
        }
    }
}

/// A row that a neighbour needs.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The row.
    pub row: u32,
    /// The PE on the other side of the edge, or [`NOBODY`].
    pub neighbour: u32,
    /// The row of the neighbour's grid where this one is its halo.
    pub halo: u32,
    /// The signal here that counts the halos that have come from the neighbour.
    pub own_signal: usize,
    /// The signal there that counts those from here.
    pub their_signal: usize,
}

impl Edge {
    /// Whether there is a PE on the other side.
    #[inline(always)]
    pub fn has_neighbour(&self) -> bool {
        self.neighbour != NOBODY
    }
}

/// How long to iterate.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The most iterations, at least one.
    pub iterations: u32,
    /// Iterations from one norm to the next.
    pub every: u32,
    /// The run ends with the first norm that is not larger.
    pub tolerance: f32,
}

impl Run {
    /// The number of the norm that is due after `k` iterations.
    #[inline(always)]
    pub fn norm_after(&self, k: u32) -> Option<u32> {
        if k.is_multiple_of(self.every) { Some(k / self.every - 1) } else { None }
    }

    /// The most norms of a run.
    pub fn norms(&self) -> usize {
        (self.iterations / self.every) as usize
    }

    /// The iterations of a finished run, and its norms. Words of `norms` are zero until they are written.
    pub fn ended<'n>(&self, norms: &'n [f32]) -> (u32, &'n [f32]) {
        match norms.iter().position(|&norm| norm <= self.tolerance) {
            Some(last) => ((last as u32 + 1) * self.every, &norms[..=last]),
            None => (self.iterations, norms),
        }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
mod arguments {
    use cushmem_device::KernelArg;

    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Part {}
    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Run {}
}

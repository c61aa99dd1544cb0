//! What a kernel is told about its PE's part of the grid. The program fills these values in, kernels read them.
//!
//! Cells have local coordinates in which row 0, row `rows + 1`, column 0 and column `cols + 1` are the ring around the
//! PE's own cells: halo where a neighbour is, fixed border where the grid ends.

/// Where the cells of a PE lie in a buffer. All but the first two are the same on all PEs, so that the address of a peer's
/// halo follows from the peer's `rows` and `cols`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows that this PE updates.
    pub rows: u32,
    /// Columns that this PE updates.
    pub cols: u32,
    /// Elements from a cell to the one below.
    pub pitch: u32,
    /// Elements before a row's ring cell, which put column 1 on a line of the cache.
    pub lead: u32,
    /// Elements of a buffer.
    pub buffer: u64,
}

impl Shape {
    /// Index of a cell in a buffer.
    #[inline(always)]
    pub fn at(&self, row: u32, col: u32) -> u64 {
        u64::from(row) * u64::from(self.pitch) + u64::from(self.lead) + u64::from(col)
    }
}

/// The whole grid, and where the PE's part is in it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Rows that are updated; the fixed border is around them.
    pub rows: u32,
    /// Columns that are updated.
    pub cols: u32,
    /// Row of the grid that local row 0 is; 0 is the fixed border.
    pub first_row: u32,
    /// Column of the grid that local column 0 is.
    pub first_col: u32,
}

impl Whole {
    /// Whether a cell, in the grid's coordinates, belongs to the fixed border.
    #[inline(always)]
    pub fn is_border(&self, row: u32, col: u32) -> bool {
        row == 0 || row == self.rows + 1 || col == 0 || col == self.cols + 1
    }
}

/// The cells that tiles cover, and how: each lane of a block goes down its columns, 16 bytes wide.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiling {
    /// First row.
    pub top: u32,
    /// Row after the last.
    pub bottom: u32,
    /// First column.
    pub left: u32,
    /// Column after the last.
    pub right: u32,
    /// Rows of a tile.
    pub tile_rows: u32,
}

impl Tiling {
    /// Tiles of `width` columns beside each other. They begin at column 1, so that loads are aligned.
    #[inline(always)]
    pub fn across(&self, width: u32) -> u32 {
        if self.left < self.right { (self.right - 1).div_ceil(width) } else { 0 }
    }

    /// Tiles above each other.
    #[inline(always)]
    pub fn down(&self) -> u32 {
        if self.top < self.bottom { (self.bottom - self.top).div_ceil(self.tile_rows) } else { 0 }
    }
}

/// Part of the rim of a PE's cells, which one block updates and sends to one neighbour.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The neighbour.
    pub pe: u32,
    /// Which of the neighbour's signals says that the cells have arrived.
    pub signal: u32,
    /// Cells.
    pub cells: u32,
    /// Elements from one to the next.
    pub step: u32,
    /// The job stores the cells from this one on in this PE's buffer; another job stores the others.
    pub own_from: u32,
    /// The job stores the cells before this one.
    pub own_to: u32,
    /// Index of the first cell in a buffer.
    pub from: u64,
    /// Index of the first cell's image in the neighbour's halo.
    pub to: u64,
}

impl Job {
    /// Words of 8 bytes that it takes.
    pub const WORDS: usize = size_of::<Self>() / 8;

    /// It, as it lies in memory.
    pub fn to_words(&self) -> [u64; Self::WORDS] {
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        [pair(self.pe, self.signal), pair(self.cells, self.step), pair(self.own_from, self.own_to), self.from, self.to]
    }
}

/// A run of the persistent kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Iterations.
    pub iterations: u64,
    /// Value of all signals before the run.
    pub signalled: u64,
    /// Longest wait for a neighbour, nanoseconds.
    pub limit_ns: u64,
    /// Iterations between reports of progress; 0 for none.
    pub progress_every: u64,
    /// Parts of the rim.
    pub jobs: u32,
    /// Signals that arrive in an iteration.
    pub signals: u32,
}

/// Pixels that a PE contributes to the picture.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Height of the whole picture.
    pub height: u32,
    /// Width of the whole picture.
    pub width: u32,
    /// First row of pixels.
    pub top: u32,
    /// Row after the last.
    pub bottom: u32,
    /// First column of pixels.
    pub left: u32,
    /// Column after the last.
    pub right: u32,
}

/// Which of `cells` rows (or columns), from 0, pixel `pixel` of `pixels` shows.
#[inline(always)]
pub fn sampled(pixel: u32, pixels: u32, cells: u32) -> u32 {
    ((2 * u64::from(pixel) + 1) * u64::from(cells) / (2 * u64::from(pixels))) as u32
}

#[cfg(not(target_arch = "nvptx64"))]
mod arguments {
    use cushmem_device::KernelArg;

    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Shape {}
    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Whole {}
    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Tiling {}
    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Run {}
    // SAFETY: `repr(C)`, numbers only.
    unsafe impl KernelArg for super::Sampling {}
}

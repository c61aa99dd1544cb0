//! What a kernel is told about its PE's part of the grid. The program fills in these values, and kernels read them.
//!
//! Cells have local coordinates. Row 0, row `rows + 1`, column 0 and column `cols + 1` are the ring around the PE's own
//! cells: halo where there is a neighbour, fixed border where the grid ends.
//!
//! A buffer holds the cells row by row, followed by copies of columns 0 and `cols + 1`, each packed:
//!
//! ```text
//!   row 0 … row rows + 1, each of `pitch` elements | column 0 | column cols + 1
//! ```
//!
//! A neighbour in the west or east, or at a corner, stores into the packed columns, in full cache lines and as one
//! contiguous block. Blocks that update the rim read the ring there. The columns among the rows hold the fixed border,
//! which tiles read where there is no neighbour.

/// Where the cells of a PE lie in a buffer. All fields but the first two are the same on all PEs, so that the address
/// of a peer's halo follows from the peer's `rows` and `cols`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows that this PE updates.
    pub rows: u32,
    /// Columns that this PE updates.
    pub cols: u32,
    /// Elements from a cell to the one below.
    pub pitch: u32,
    /// Elements before a row's ring cell, which put column 1 at the start of a cache line. Before a packed column they
    /// do the same for row 1.
    pub lead: u32,
    /// Index of the first element that belongs to the packed columns.
    pub columns: u64,
    /// Elements from one packed column to the other.
    pub column: u64,
    /// Elements of a buffer.
    pub buffer: u64,
}

impl Shape {
    /// Index of a cell in a buffer.
    #[inline(always)]
    pub fn at(&self, row: u32, col: u32) -> u64 {
        u64::from(row) * u64::from(self.pitch) + u64::from(self.lead) + u64::from(col)
    }

    /// Index of a cell of packed column 0.
    #[inline(always)]
    pub fn west(&self, row: u32) -> u64 {
        self.columns + u64::from(self.lead) + u64::from(row)
    }

    /// Index of a cell of packed column `cols + 1`.
    #[inline(always)]
    pub fn east(&self, row: u32) -> u64 {
        self.west(row) + self.column
    }

    /// Index of a cell in the place where the rim reads it.
    #[inline(always)]
    pub fn seen_by_rim(&self, row: u32, col: u32) -> u64 {
        if col == 0 {
            self.west(row)
        } else if col == self.cols + 1 {
            self.east(row)
        } else {
            self.at(row, col)
        }
    }
}

/// The whole grid, and where the PE's part lies in it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Rows that are updated; the fixed border is around them.
    pub rows: u32,
    /// Columns that are updated.
    pub cols: u32,
    /// The grid's row that is local row 0; the grid's row 0 is the fixed border.
    pub first_row: u32,
    /// The grid's column that is local column 0.
    pub first_col: u32,
}

impl Whole {
    /// Whether a cell, in the grid's coordinates, belongs to the fixed border.
    #[inline(always)]
    pub fn is_border(&self, row: u32, col: u32) -> bool {
        row == 0 || row == self.rows + 1 || col == 0 || col == self.cols + 1
    }
}

/// The cells that tiles cover, and how: each lane of a block goes down its columns, which are 16 bytes wide.
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
    /// Tiles in a row.
    pub across: u32,
    /// Tiles in a column.
    pub down: u32,
}

impl Tiling {
    /// The tiling of rows `top..bottom` and columns `left..right`, in tiles of so many rows and columns. Tiles start at
    /// column 1, so that loads are aligned.
    pub fn new([top, bottom]: [u32; 2], [left, right]: [u32; 2], tile_rows: u32, tile_columns: u32) -> Self {
        let across = if left < right { (right - 1).div_ceil(tile_columns) } else { 0 };
        let down = bottom.saturating_sub(top).div_ceil(tile_rows);
        Self { top, bottom, left, right, tile_rows, across, down }
    }

    /// The number of tiles. Less than 2³², as heights are chosen so that each block has few tiles.
    #[inline(always)]
    pub fn tiles(&self) -> u32 {
        self.across * self.down
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
    /// The number of cells.
    pub cells: u32,
    /// Elements from one to the next: 1 along a row, [`Shape::pitch`] down a column.
    pub step: u32,
    /// [`Shape::pitch`].
    pub pitch: u32,
    /// The job stores the cells from this one on in this PE's buffer; other jobs store the rest.
    pub own_from: u32,
    /// The job stores the cells before this one.
    pub own_to: u32,
    /// Cells before this one have packed column 0 to their west.
    pub west_until: u32,
    /// Cells from this one on have packed column `cols + 1` to their east.
    pub east_from: u32,
    /// Lanes of a block.
    pub lanes: u32,
    /// Index of the first cell in a buffer.
    pub at: u64,
    /// In packed column 0, the index of the element north-west of the first cell; that of the next cell follows it.
    pub west: u64,
    /// In packed column `cols + 1`, the index of the element north-east of the first cell.
    pub east: u64,
    /// Index of the first cell's image in the neighbour's buffer; that of the next cell follows it.
    pub to: u64,
    /// Index in the PE's outbox where the job packs the cells before it sends them.
    pub packed: u64,
}

impl Job {
    /// Its size in words of 8 bytes.
    pub const WORDS: usize = size_of::<Self>() / 8;

    /// Index of a cell.
    #[inline(always)]
    pub fn cell(&self, i: u32) -> u64 {
        self.at + u64::from(i) * u64::from(self.step)
    }

    /// The three columns of cells around a cell: to the west, its own, and to the east. Each is given by the index of
    /// its highest cell and the number of elements from one cell to the next.
    #[inline(always)]
    pub fn columns(&self, i: u32) -> [(u64, u32); 3] {
        let above = self.cell(i) - u64::from(self.pitch);
        let west = if i < self.west_until { (self.west + u64::from(i), 1) } else { (above - 1, self.pitch) };
        let east = if i >= self.east_from { (self.east + u64::from(i), 1) } else { (above + 1, self.pitch) };
        [west, (above, self.pitch), east]
    }

    /// The job as it lies in memory.
    pub fn to_words(&self) -> [u64; Self::WORDS] {
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        [
            pair(self.pe, self.signal),
            pair(self.cells, self.step),
            pair(self.pitch, self.own_from),
            pair(self.own_to, self.west_until),
            pair(self.east_from, self.lanes),
            self.at,
            self.west,
            self.east,
            self.to,
            self.packed,
        ]
    }
}

/// A run of a kernel that runs for all iterations.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Iterations, fewer than 2³².
    pub iterations: u64,
    /// Value of all signals before the run.
    pub signalled: u64,
    /// Longest wait for a neighbour, in nanoseconds.
    pub limit_ns: u64,
    /// Iterations between reports of progress; 0 for none.
    pub progress_every: u64,
    /// The number of jobs of the rim.
    pub jobs: u32,
    /// Signals that arrive in an iteration.
    pub signals: u32,
    /// Whether halos are exchanged: 1, or 0 to measure how long everything else takes. With 0 the result is wrong.
    pub exchange: u64,
}

impl Run {
    /// The value of the signals that iteration `k` sends; 0 if it sends none, as in the last iteration, whose halos
    /// nobody would read.
    #[inline(always)]
    pub fn signal_of(&self, k: u64) -> u64 {
        if self.exchange != 0 && k + 1 < self.iterations { self.signalled + k + 1 } else { 0 }
    }
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

/// Which of `cells` rows (or columns), counted from 0, pixel `pixel` of `pixels` shows.
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

//! What a PE does in each iteration: it updates and sends the rim in pieces, each with a neighbour and a signal, and
//! updates the rest in tiles.

use crate::decomposition::{Decomposition, Side};
use stencil2d_kernels::layout::{Job, Shape, Tiling};

/// The fewest cells in a piece, so that it is worth a signal, and the most pieces on a side.
const PIECE_CELLS: u32 = 1024;
const MAX_PIECES: u32 = 16;
/// The most cells in a line of the GPU's cache. Pieces and their place in the outbox start on a line, so that they are
/// put in full vectors.
const LINE_CELLS: u32 = 32;

/// One PE's work.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Pieces of the rim.
    pub jobs: Vec<Job>,
    /// The sender of each signal that arrives in an iteration.
    pub signals: Vec<(Side, u32)>,
    /// The cells inside the rim.
    pub inside: Rectangle,
    /// The number of elements that all jobs together pack.
    pub outbox: u64,
}

/// Rows `top..bottom`, columns `left..right`, in local coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    pub top: u32,
    pub bottom: u32,
    pub left: u32,
    pub right: u32,
}

impl Rectangle {
    /// All cells of a PE.
    pub fn all(shape: Shape) -> Self {
        Self { top: 1, bottom: shape.rows + 1, left: 1, right: shape.cols + 1 }
    }

    /// Divides the cells into tiles of `width` columns for `blocks` blocks. Tiles have at most `highest` rows if a
    /// block has several tiles. The best height leaves the busiest block the fewest rows to load; each tile loads two
    /// more rows than it updates.
    pub fn tiling(self, width: u32, blocks: u32, highest: u32) -> Tiling {
        let tiling = |tile_rows| self.tiles_of(tile_rows, width);
        // The number of tiles of the busiest block.
        let most = |tile_rows: u32| {
            let t = tiling(tile_rows);
            (u64::from(t.across) * u64::from(t.down)).div_ceil(blocks.into())
        };
        let cost = |tile_rows: &u32| {
            let rows = u64::from(*tile_rows).min(u64::from(self.bottom.saturating_sub(self.top)));
            most(*tile_rows) * (rows + 2)
        };
        let heights = TILE_ROWS.into_iter().filter(|rows| *rows <= highest || most(*rows) <= 1);
        tiling(heights.min_by_key(cost).unwrap_or(1))
    }

    fn tiles_of(self, rows: u32, columns: u32) -> Tiling {
        Tiling::new([self.top, self.bottom], [self.left, self.right], rows, columns)
    }

    /// The tiling for a kernel with one block per tile, of which `resident` run at a time.
    pub fn tiling_of_a_launch(self, width: u32, resident: u32) -> Tiling {
        let tiling = self.tiling(width, resident, LAUNCHED_ROWS);
        let high = self.tiles_of(LAUNCHED_ROWS, width);
        if high.tiles() > resident { high } else { tiling }
    }
}

/// The possible heights of tiles. Lanes load four, six or eight rows at a time.
const TILE_ROWS: [u32; 6] = [24, 16, 8, 4, 2, 1];
/// The most rows in a tile when a kernel has one block per tile. On an H200, 16384 × 16384 cells of f32 ran at 512
/// billion cells/s with tiles of 8 rows, at 485 with 4 and at 478 with 16.
const LAUNCHED_ROWS: u32 = 8;

/// What goes to one neighbour in an iteration, if it is sent in one put: everything that the jobs of a side have
/// packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// The neighbour.
    pub pe: u32,
    /// The index of this PE among the neighbour's neighbours, which is the number of its signal.
    pub signal: usize,
    /// The number of jobs of the side. Jobs are ordered by side.
    pub jobs: usize,
    /// The number of elements.
    pub cells: usize,
    /// Index of the first element in the neighbour's buffer.
    pub to: usize,
    /// Index of the first element in the outbox.
    pub packed: usize,
}

impl Plan {
    /// What goes to each neighbour, in the order of the jobs.
    pub fn parcels(&self, d: &Decomposition, pe: u32) -> Vec<Parcel> {
        // All neighbours are different PEs.
        let sides = self.jobs.chunk_by(|a, b| a.pe == b.pe).zip(neighbours(d, pe));
        let parcels = sides.map(|(jobs, (side, peer))| Parcel {
            pe: peer,
            signal: neighbours(d, peer).take_while(|(s, _)| *s != side.opposite()).count(),
            jobs: jobs.len(),
            cells: jobs.iter().map(|job| job.cells as usize).sum(),
            to: jobs[0].to as usize,
            packed: jobs[0].packed as usize,
        });
        parcels.collect()
    }

    /// The work of PE `pe`, for cells of `cell_bytes` bytes and blocks of `lanes` lanes.
    pub fn new(d: &Decomposition, pe: u32, cell_bytes: usize, lanes: u32) -> Self {
        let has = |side| u32::from(d.neighbour(pe, side).is_some());
        let own = Rectangle::all(d.shape(pe, cell_bytes));
        let inside = Rectangle {
            top: own.top + has(Side::North),
            bottom: own.bottom - has(Side::South),
            left: own.left + has(Side::West),
            right: own.right - has(Side::East),
        };
        let signals = neighbours(d, pe).flat_map(|(side, peer)| (0..pieces(d, pe, side)).map(move |_| (side, peer)));
        let jobs = jobs(d, pe, cell_bytes, lanes);
        let outbox = jobs.last().map_or(0, |job| job.packed + u64::from(job.cells));
        Self { jobs, signals: signals.collect(), inside, outbox }
    }
}

/// A PE's neighbours, in the order of [`Side::ALL`].
pub fn neighbours(d: &Decomposition, pe: u32) -> impl Iterator<Item = (Side, u32)> {
    Side::ALL.into_iter().filter_map(move |side| Some((side, d.neighbour(pe, side)?)))
}

/// The number of cells of a side.
fn length(d: &Decomposition, pe: u32, side: Side) -> u32 {
    let part = d.part(pe);
    match side {
        Side::North | Side::South => part.cols,
        Side::West | Side::East => part.rows,
        _ => 1,
    }
}

/// The number of pieces of a side. The neighbour's opposite side is equally long, so it has as many.
fn pieces(d: &Decomposition, pe: u32, side: Side) -> u32 {
    length(d, pe, side).div_ceil(PIECE_CELLS).min(MAX_PIECES)
}

/// The number of the first signal that PE `pe` receives from this side.
fn first_signal(d: &Decomposition, pe: u32, side: Side) -> u32 {
    neighbours(d, pe).take_while(|(s, _)| *s != side).map(|(s, _)| pieces(d, pe, s)).sum()
}

fn jobs(d: &Decomposition, pe: u32, cell_bytes: usize, lanes: u32) -> Vec<Job> {
    let shape = d.shape(pe, cell_bytes);
    let mut jobs = vec![];
    let mut packed = 0;
    for (side, peer) in neighbours(d, pe) {
        let (there, signal) = (d.shape(peer, cell_bytes), first_signal(d, peer, side.opposite()));
        let (row, col) = first_cell(side, shape);
        let (to, below) = (first_halo(side, there), matches!(side, Side::West | Side::East));
        let (length, count) = (length(d, pe, side), pieces(d, pe, side));
        let (own_from, own_to) = stored_by(d, pe, side);
        for piece in 0..count {
            // Pieces are as even as whole lines allow.
            let each = length.div_ceil(count).next_multiple_of(LINE_CELLS);
            let (start, end) = ((piece * each).min(length), ((piece + 1) * each).min(length));
            let (down, right) = if below { (1, 0) } else { (0, 1) };
            let (row, col) = (row + start * down, col + start * right);
            let cells = end - start;
            // In a row of cells, only the first can have the ring to its west, and only the last to its east.
            let last = (cells.max(1) - 1) * right;
            jobs.push(Job {
                pe: peer,
                signal: signal + piece,
                cells,
                step: if below { shape.pitch } else { 1 },
                pitch: shape.pitch,
                own_from: own_from.clamp(start, end) - start,
                own_to: own_to.clamp(start, end) - start,
                west_until: if col > 1 { 0 } else { (cells * down).max(1) },
                east_from: if col + last == shape.cols { last } else { cells },
                lanes,
                at: shape.at(row, col),
                west: shape.west(row - 1),
                east: shape.east(row - 1) - u64::from(last),
                to: there.seen_by_rim(to.0, to.1) + u64::from(start),
                packed,
            });
            packed += u64::from(each);
        }
    }
    jobs
}

/// The range of a side's cells that its jobs store in this PE's own buffer. Sides meet in corners, and in a part of one
/// row or column two sides are the same cells. Each cell is stored by the first side that has it, in the order of
/// [`Side::ALL`].
fn stored_by(d: &Decomposition, pe: u32, side: Side) -> (u32, u32) {
    let part = d.part(pe);
    let has = |side| u32::from(d.neighbour(pe, side).is_some());
    let between = (has(Side::North), part.rows - has(Side::South));
    match side {
        Side::North => (0, part.cols),
        Side::South if part.rows == 1 && has(Side::North) == 1 => (0, 0),
        Side::South => (0, part.cols),
        Side::East if part.cols == 1 && has(Side::West) == 1 => (0, 0),
        Side::West | Side::East if between.0 < between.1 => between,
        _ => (0, 0),
    }
}

/// Row and column of the first of this PE's cells that it sends to this side.
pub fn first_cell(side: Side, own: Shape) -> (u32, u32) {
    let (down, east) = side.offset();
    (if down > 0 { own.rows } else { 1 }, if east > 0 { own.cols } else { 1 })
}

/// Row and column of its image in the halo of the neighbour on this side.
pub fn first_halo(side: Side, there: Shape) -> (u32, u32) {
    let opposite_end = |direction: i32, last: u32| match direction {
        -1 => last + 1,
        0 => 1,
        _ => 0,
    };
    let (down, east) = side.offset();
    (opposite_end(down, there.rows), opposite_end(east, there.cols))
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;

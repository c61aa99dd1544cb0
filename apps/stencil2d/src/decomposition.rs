//! Which PE updates which cells: the grid is cut into rows and columns of rectangles, one for each PE.

use stencil2d_kernels::layout::{Shape, Whole};

/// The grid, and the rows and columns of PEs that share it. PEs are numbered along the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Rows of cells.
    pub rows: u32,
    /// Columns of cells.
    pub cols: u32,
    /// Rows of PEs.
    pub pe_rows: u32,
    /// Columns of PEs.
    pub pe_cols: u32,
}

/// The cells that one PE updates. Rows and columns of the grid count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub first_row: u32,
    pub rows: u32,
    pub first_col: u32,
    pub cols: u32,
}

/// The direction of a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    North,
    South,
    West,
    East,
    NorthWest,
    NorthEast,
    SouthWest,
    SouthEast,
}

impl Side {
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::South,
        Self::West,
        Self::East,
        Self::NorthWest,
        Self::NorthEast,
        Self::SouthWest,
        Self::SouthEast,
    ];

    /// How far down and how far east it leads.
    pub fn offset(self) -> (i32, i32) {
        match self {
            Self::North => (-1, 0),
            Self::South => (1, 0),
            Self::West => (0, -1),
            Self::East => (0, 1),
            Self::NorthWest => (-1, -1),
            Self::NorthEast => (-1, 1),
            Self::SouthWest => (1, -1),
            Self::SouthEast => (1, 1),
        }
    }

    /// The direction of this PE, seen from the neighbour.
    pub fn opposite(self) -> Self {
        let (down, east) = self.offset();
        Self::ALL.into_iter().find(|s| s.offset() == (-down, -east)).unwrap_or(self)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::South => "south",
            Self::West => "west",
            Self::East => "east",
            Self::NorthWest => "north-west",
            Self::NorthEast => "north-east",
            Self::SouthWest => "south-west",
            Self::SouthEast => "south-east",
        }
    }
}

/// Bytes in a line of the GPU's cache.
const LINE_BYTES: u32 = 128;
/// The cost of a cell in a north or south halo, in cell updates.
const ROW_COST: u64 = 8;
/// The cost of a cell in a west or east halo, in cell updates. These cells are sent packed, as rows are, but each lies
/// on its own cache line, and the update reads two such lines and stores one. This is a guess, to be replaced by a
/// measurement. It was 2,500 when each cell was also a separate store to the peer.
const COLUMN_COST: u64 = 32;

impl Decomposition {
    /// Divides the grid among `n_pes` PEs so that the slowest has the least to update and to send.
    pub fn choose(rows: u32, cols: u32, n_pes: u32) -> Result<Self, String> {
        let candidates =
            (1..=n_pes).filter(|d| n_pes.is_multiple_of(*d)).rev().map(|pe_rows| (pe_rows, n_pes / pe_rows));
        let fitting = candidates.filter(|&(pe_rows, pe_cols)| pe_rows <= rows && pe_cols <= cols);
        let chosen = fitting.map(|(pe_rows, pe_cols)| Self { rows, cols, pe_rows, pe_cols }).min_by_key(Self::cost);
        chosen.ok_or_else(|| {
            format!(
                "{rows} × {cols} cells cannot be divided among {n_pes} PEs: each PE needs a cell, so {n_pes} must be a number \
                 of rows from 1 to {rows} times a number of columns from 1 to {cols}"
            )
        })
    }

    /// A grid in which each of `n_pes` PEs has `side` × `side` cells, arranged so that the slowest has the least to
    /// send.
    pub fn of_squares(side: u32, n_pes: u32) -> Self {
        let all = (1..=n_pes).filter(|d| n_pes.is_multiple_of(*d)).rev().map(|pe_rows| (pe_rows, n_pes / pe_rows));
        let all = all.map(|(pe_rows, pe_cols)| Self { rows: side * pe_rows, cols: side * pe_cols, pe_rows, pe_cols });
        // A job has at least one PE, so there is a minimum.
        all.min_by_key(Self::cost).unwrap_or(Self { rows: side, cols: side, pe_rows: 1, pe_cols: 1 })
    }

    /// Divides the grid among `pe_rows` × `pe_cols` PEs.
    pub fn with_pe_grid(rows: u32, cols: u32, pe_rows: u32, pe_cols: u32) -> Result<Self, String> {
        if pe_rows > rows || pe_cols > cols {
            return Err(format!(
                "{rows} × {cols} cells cannot be divided among {pe_rows} × {pe_cols} PEs: each PE needs a cell"
            ));
        }
        Ok(Self { rows, cols, pe_rows, pe_cols })
    }

    fn cost(&self) -> u64 {
        let (rows, cols) = self.largest();
        let sides = |pes: u32| u64::from(pes.min(3) - 1);
        let halo =
            ROW_COST * sides(self.pe_rows) * u64::from(cols) + COLUMN_COST * sides(self.pe_cols) * u64::from(rows);
        u64::from(rows) * u64::from(cols) + halo
    }

    /// Rows and columns of the largest part.
    pub fn largest(&self) -> (u32, u32) {
        (self.rows.div_ceil(self.pe_rows), self.cols.div_ceil(self.pe_cols))
    }

    pub fn n_pes(&self) -> u32 {
        self.pe_rows * self.pe_cols
    }

    /// The part of PE `pe`.
    pub fn part(&self, pe: u32) -> Part {
        let (first_row, rows) = share(self.rows, self.pe_rows, pe / self.pe_cols);
        let (first_col, cols) = share(self.cols, self.pe_cols, pe % self.pe_cols);
        Part { first_row, rows, first_col, cols }
    }

    /// The PE on this side of PE `pe`; `None` where the grid ends.
    pub fn neighbour(&self, pe: u32, side: Side) -> Option<u32> {
        let (down, east) = side.offset();
        let row = (pe / self.pe_cols).checked_add_signed(down).filter(|r| *r < self.pe_rows)?;
        let col = (pe % self.pe_cols).checked_add_signed(east).filter(|c| *c < self.pe_cols)?;
        Some(row * self.pe_cols + col)
    }

    /// The layout of PE `pe`'s buffers, for cells of `cell_bytes` bytes.
    pub fn shape(&self, pe: u32, cell_bytes: usize) -> Shape {
        let part = self.part(pe);
        let (rows, cols) = self.largest();
        let line = LINE_BYTES / cell_bytes as u32;
        // The line before the first column holds the ring's cell; another cell follows the last column.
        let pitch = (line + cols + 1).next_multiple_of(line);
        let columns = (u64::from(rows) + 2) * u64::from(pitch);
        let column = u64::from((line + rows + 1).next_multiple_of(line));
        Shape { rows: part.rows, cols: part.cols, pitch, lead: line - 1, columns, column, buffer: columns + 2 * column }
    }

    /// The grid in the form that PE `pe`'s kernels take. Local row 0 is the ring around the part.
    pub fn whole(&self, pe: u32) -> Whole {
        let part = self.part(pe);
        Whole { rows: self.rows, cols: self.cols, first_row: part.first_row, first_col: part.first_col }
    }
}

/// The start and the length of part `index`, when `all` is divided into `parts` nearly equal parts.
fn share(all: u32, parts: u32, index: u32) -> (u32, u32) {
    let (each, rest) = (all / parts, all % parts);
    (each * index + index.min(rest), each + u32::from(index < rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRIDS: [(u32, u32); 6] = [(1000, 777), (64, 64), (7, 5), (1, 40), (40, 1), (13, 97)];

    fn all() -> impl Iterator<Item = Decomposition> {
        GRIDS.into_iter().flat_map(|(r, c)| (1..=24).filter_map(move |n| Decomposition::choose(r, c, n).ok()))
    }

    #[test]
    fn every_cell_has_one_owner() {
        for d in all() {
            let mut owners = vec![0u8; (d.rows * d.cols) as usize];
            for pe in 0..d.n_pes() {
                let part = d.part(pe);
                assert!(part.rows > 0 && part.cols > 0, "{d:?}");
                for row in part.first_row..part.first_row + part.rows {
                    let from = (row * d.cols + part.first_col) as usize;
                    owners[from..from + part.cols as usize].iter_mut().for_each(|n| *n += 1);
                }
            }
            assert!(owners.iter().all(|n| *n == 1), "{d:?}");
        }
    }

    #[test]
    fn neighbours_agree_about_each_other_and_about_their_common_side() {
        for d in all() {
            for pe in 0..d.n_pes() {
                for side in Side::ALL {
                    let Some(peer) = d.neighbour(pe, side) else { continue };
                    assert_eq!(d.neighbour(peer, side.opposite()), Some(pe));
                    let (own, other) = (d.part(pe), d.part(peer));
                    match side {
                        Side::North => assert_eq!(other.first_row + other.rows, own.first_row),
                        Side::West => assert_eq!(other.first_col + other.cols, own.first_col),
                        _ => {}
                    }
                    if side.offset().1 == 0 {
                        assert_eq!((own.first_col, own.cols), (other.first_col, other.cols));
                    }
                    if side.offset().0 == 0 {
                        assert_eq!((own.first_row, own.rows), (other.first_row, other.rows));
                    }
                }
            }
        }
    }

    #[test]
    fn columns_are_not_cut_where_rows_suffice() {
        let pes = |n| Decomposition::choose(1024, 1024, n).map(|d| (d.pe_rows, d.pe_cols));
        for n in [1, 2, 4, 6, 7] {
            assert_eq!(pes(n), Ok((n, 1)));
        }
        assert_eq!(Decomposition::choose(2, 2, 4).map(|d| (d.pe_rows, d.pe_cols)), Ok((2, 2)));
    }

    #[test]
    fn squares_are_as_large_as_asked_and_rows_are_preferred() {
        let pes = |n| Decomposition::of_squares(256, n);
        assert_eq!([1, 2, 3, 4].map(|n| (pes(n).pe_rows, pes(n).pe_cols)), [(1, 1), (2, 1), (3, 1), (4, 1)]);
        assert!((1..=24).all(|n| pes(n).n_pes() == n && pes(n).largest() == (256, 256)));
    }

    #[test]
    fn thin_grids_are_cut_along_their_length() {
        assert_eq!(Decomposition::choose(1, 40, 5).map(|d| (d.pe_rows, d.pe_cols)), Ok((1, 5)));
        assert_eq!(Decomposition::choose(3, 40, 5).map(|d| (d.pe_rows, d.pe_cols)), Ok((1, 5)));
    }

    #[test]
    fn too_many_pes_are_refused_with_the_numbers() {
        let message = Decomposition::choose(3, 2, 7).unwrap_err();
        assert!(message.contains("3 × 2 cells") && message.contains("7 PEs"), "{message}");
        assert!(Decomposition::choose(2, 2, 3).is_err());
        assert!(Decomposition::with_pe_grid(2, 9, 3, 1).is_err());
    }

    #[test]
    fn buffers_are_alike_everywhere_and_rows_start_on_a_line() {
        for d in all() {
            for cell_bytes in [4, 8] {
                let first = d.shape(0, cell_bytes);
                for pe in 0..d.n_pes() {
                    let shape = d.shape(pe, cell_bytes);
                    assert_eq!(Shape { rows: first.rows, cols: first.cols, ..shape }, first);
                    for start in [shape.at(1, 1), shape.west(1), shape.east(1), shape.buffer] {
                        assert_eq!(start * cell_bytes as u64 % u64::from(LINE_BYTES), 0);
                    }
                    assert!(shape.at(shape.rows + 1, shape.cols + 1) < shape.west(0));
                    assert!(shape.west(shape.rows + 1) < shape.east(0));
                    assert!(shape.east(shape.rows + 1) < shape.buffer);
                    assert!(shape.at(0, shape.cols + 1) < shape.at(1, 0));
                    // Lanes load 16 bytes and the next element, even where fewer columns are left. They must not reach
                    // the halos of another row.
                    let columns = 16 / cell_bytes as u32;
                    let behind = shape.at(0, 1 + (shape.cols - 1) / columns * columns + columns);
                    assert!(
                        behind < shape.at(1, 0)
                            && behind - shape.at(0, 0) + shape.at(shape.rows + 1, 0) < shape.west(0)
                    );
                }
            }
        }
    }
}

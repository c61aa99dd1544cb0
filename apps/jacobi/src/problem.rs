//! Which PE updates which rows, the start values, and the serial reference.

use cushmem_numbers::mixed;
use jacobi_kernels::{NOBODY, Part, Run, updated};
use std::ops::Range;

/// A square grid whose rows are shared by PEs. Rows and columns 1 to `size` are updated; those around them are the
/// border.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    pub size: u32,
    pub pes: u32,
}

/// The number of cell updates that the reference makes in a few seconds.
pub const QUICK_UPDATES: u64 = 1 << 31;

impl Problem {
    /// The problem, or why it does not fit the job.
    pub fn new(size: u32, pes: u32) -> Result<Self, String> {
        if u64::from(size) < 2 * u64::from(pes) {
            return Err(format!("--size {size}: each of {pes} PEs needs two rows, so at least {}", 2 * u64::from(pes)));
        }
        Ok(Self { size, pes })
    }

    /// The rows of a PE.
    pub fn rows(&self, pe: u32) -> Range<u32> {
        let first = |pe: u32| (u64::from(self.size) * u64::from(pe) / u64::from(self.pes)) as u32 + 1;
        first(pe)..first(pe + 1)
    }

    /// The most rows of a PE.
    pub fn most_rows(&self) -> u32 {
        self.size.div_ceil(self.pes)
    }

    /// A PE's part of the grid.
    pub fn part(&self, pe: u32) -> Part {
        Part {
            rows: self.rows(pe).len() as u32,
            cols: self.size,
            above: if pe == 0 { NOBODY } else { pe - 1 },
            below: if pe + 1 == self.pes { NOBODY } else { pe + 1 },
            rows_above: if pe == 0 { 0 } else { self.rows(pe - 1).len() as u32 },
            most_rows: self.most_rows(),
        }
    }

    /// The start value of a cell: random inside, so that each cell matters from the first iteration on.
    fn start_value(&self, row: u32, col: u32) -> f32 {
        let is_inside = |i: u32| (1..=self.size).contains(&i);
        match (row, is_inside(row) && is_inside(col)) {
            (_, true) => (mixed(u64::from(row) << 32 | u64::from(col)) >> 40) as f32 / (1 << 24) as f32,
            (0, false) => 1.0,
            (_, false) => 0.0,
        }
    }

    /// The start values of a PE's part, in the layout of its memory.
    pub fn start(&self, pe: u32) -> Vec<f32> {
        let (part, above) = (self.part(pe), self.rows(pe).start - 1);
        let mut grid = vec![0.0; part.elements()];
        for row in 0..part.rows + 2 {
            let first = part.at(row, 0);
            let cells = &mut grid[first..=part.at(row, part.cols + 1)];
            (0..).zip(cells).for_each(|(col, cell)| *cell = self.start_value(above + row, col));
        }
        grid
    }

    /// The serial reference: the grid after a run, as one part, and the norms.
    pub fn solve(&self, run: Run) -> (Vec<f32>, Vec<f32>) {
        let one = Self { pes: 1, ..*self };
        let (part, mut from) = (one.part(0), one.start(0));
        let (mut to, mut norms) = (from.clone(), vec![]);
        for k in 1..=run.iterations {
            let mut norm = 0.0f32;
            for row in 1..=part.rows {
                let line = |row: u32| &from[part.at(row, 0)..=part.at(row, part.cols + 1)];
                let (north, here, south) = (line(row - 1), line(row), line(row + 1));
                let cells = &mut to[part.at(row, 1)..=part.at(row, part.cols)];
                // The compiler cannot vectorise a maximum of floating-point numbers, but one of their bits.
                let mut change = 0;
                for (i, cell) in cells.iter_mut().enumerate() {
                    *cell = updated(here[i], here[i + 2], north[i + 1], south[i + 1]);
                    change = change.max((*cell - here[i + 1]).abs().to_bits());
                }
                norm = norm.max(f32::from_bits(change));
            }
            std::mem::swap(&mut from, &mut to);
            if run.norm_after(k).is_some() {
                norms.push(norm);
                if norm <= run.tolerance {
                    break;
                }
            }
        }
        (from, norms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_belongs_to_one_pe_and_neighbours_know_each_other() {
        for (size, pes) in [(8, 1), (8, 4), (9, 4), (1000, 7), (131_072, 256)] {
            let problem = Problem::new(size, pes).expect("two rows each");
            let mut next = 1;
            for pe in 0..pes {
                let (rows, part) = (problem.rows(pe), problem.part(pe));
                assert_eq!((rows.start, rows.len() as u32), (next, part.rows));
                assert!((2..=part.most_rows).contains(&part.rows), "{part:?}");
                assert_eq!((part.above == NOBODY, part.below == NOBODY), (pe == 0, pe + 1 == pes));
                assert!(pe == 0 || part.rows_above == problem.part(pe - 1).rows);
                next = rows.end;
            }
            assert_eq!(next, size + 1);
        }
        let why = Problem::new(7, 4).expect_err("too small");
        assert_eq!(why, "--size 7: each of 4 PEs needs two rows, so at least 8");
    }

    #[test]
    fn parts_start_with_the_rows_of_the_whole() {
        let (whole, problem) = (Problem { size: 11, pes: 1 }, Problem { size: 11, pes: 3 });
        let (all, of_all) = (whole.start(0), whole.part(0));
        for pe in 0..3 {
            let (part, grid, above) = (problem.part(pe), problem.start(pe), problem.rows(pe).start - 1);
            for (row, col) in (0..part.rows + 2).flat_map(|row| (0..13).map(move |col| (row, col))) {
                assert_eq!(grid[part.at(row, col)], all[of_all.at(above + row, col)], "PE {pe}, {row}, {col}");
            }
        }
        assert_eq!([all[of_all.at(0, 5)], all[of_all.at(12, 5)], all[of_all.at(5, 0)]], [1.0, 0.0, 0.0]);
    }

    /// Catches an iteration that changes the border, norms of other iterations, and a run that does not stop.
    #[test]
    fn the_reference_converges_to_the_solution() {
        let problem = Problem { size: 15, pes: 1 };
        let run = Run { iterations: 5000, every: 10, tolerance: 1e-6 };
        let (grid, norms) = problem.solve(run);
        assert!(norms.len() < 500 && norms[norms.len() - 1] <= 1e-6 && norms[norms.len() - 2] > 1e-6, "{norms:?}");
        // In the middle, each edge has the same weight.
        let middle = grid[problem.part(0).at(8, 8)];
        assert!((middle - 0.25).abs() < 1e-4, "{middle}");
        let mut all = vec![0.0; run.norms()];
        all[..norms.len()].copy_from_slice(&norms);
        assert_eq!(run.ended(&all), (10 * norms.len() as u32, &norms[..]));
    }

    /// One cell below the hot edge: its first norms can be computed by hand.
    #[test]
    fn norms_are_the_largest_changes() {
        let problem = Problem { size: 2, pes: 1 };
        let (start, part) = (problem.start(0), problem.part(0));
        let (_, norms) = problem.solve(Run { iterations: 1, every: 1, tolerance: 0.0 });
        let cell = |row, col| start[part.at(row, col)];
        let change = |row, col| {
            let next = 0.25 * ((cell(row, col - 1) + cell(row, col + 1)) + (cell(row - 1, col) + cell(row + 1, col)));
            (next - cell(row, col)).abs()
        };
        let largest = change(1, 1).max(change(1, 2)).max(change(2, 1)).max(change(2, 2));
        assert_eq!(norms, [largest]);
    }
}

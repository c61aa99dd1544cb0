//! The serial reference. It computes a few rows of a PE's part at a time, with a halo wide enough that no other PE's
//! results are needed.

use crate::decomposition::Part;
use stencil2d_kernels::cell::{Real, Row, start_value, updated};

/// What is computed.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    /// Rows of the whole grid.
    pub rows: u32,
    /// Columns of the whole grid.
    pub cols: u32,
    /// Seed of the start values.
    pub seed: u64,
    /// Iterations.
    pub iterations: u32,
}

/// The most memory that a band may take, in bytes.
const BAND_BYTES: u64 = 256 << 20;

impl Problem {
    /// Cuts `part` into bands of rows. High bands compute fewer cells twice; low bands need less memory.
    pub fn bands<T: Real>(&self, part: Part) -> Vec<Part> {
        let wide = u64::from(part.cols) + 2 * u64::from(self.iterations);
        let affordable = BAND_BYTES / (2 * size_of::<T>() as u64 * wide.min(u64::from(self.cols) + 2));
        let useful = u64::from(self.iterations) * 4;
        let room = affordable.saturating_sub(2 * u64::from(self.iterations));
        let height = room.min(useful).max(64).min(part.rows.into()) as u32;
        let starts = (0..part.rows).step_by(height as usize);
        starts.map(|row| Part { first_row: part.first_row + row, rows: height.min(part.rows - row), ..part }).collect()
    }

    /// The final values of the cells of `part`, row by row.
    pub fn solve<T: Real>(&self, part: Part) -> Vec<T> {
        let window = Window::around(self, part);
        let mut from = window.start::<T>(self.seed);
        // The border and the cells that no longer matter keep their start values.
        let mut to = from.clone();
        for left in (0..self.iterations).rev() {
            window.step(self, part, left, &from, &mut to);
            std::mem::swap(&mut from, &mut to);
        }
        let rows = (part.first_row + 1..=part.first_row + part.rows).map(|row| window.index(row, part.first_col + 1));
        rows.flat_map(|start| from[start..start + part.cols as usize].iter().copied()).collect()
    }
}

/// The cells that `part` depends on, in coordinates of the whole grid in which row 0 is the border.
struct Window {
    top: u32,
    bottom: u32,
    left: u32,
    right: u32,
}

impl Window {
    /// The part plus `iterations` cells on each side, but not beyond the border.
    fn around(problem: &Problem, part: Part) -> Self {
        let n = problem.iterations;
        Self {
            top: (part.first_row + 1).saturating_sub(n),
            bottom: (part.first_row + part.rows).saturating_add(n).min(problem.rows + 1),
            left: (part.first_col + 1).saturating_sub(n),
            right: (part.first_col + part.cols).saturating_add(n).min(problem.cols + 1),
        }
    }

    fn width(&self) -> usize {
        (self.right - self.left + 1) as usize
    }

    fn index(&self, row: u32, col: u32) -> usize {
        (row - self.top) as usize * self.width() + (col - self.left) as usize
    }

    fn start<T: Real>(&self, seed: u64) -> Vec<T> {
        let rows = self.top..=self.bottom;
        rows.flat_map(|row| (self.left..=self.right).map(move |col| start_value(seed, row.into(), col.into())))
            .collect()
    }

    /// Updates the cells on which `part` depends in the remaining `left` iterations.
    fn step<T: Real>(&self, problem: &Problem, part: Part, left: u32, from: &[T], to: &mut [T]) {
        let first_col = (part.first_col + 1).saturating_sub(left).max(1);
        let last_col = (part.first_col + part.cols).saturating_add(left).min(problem.cols);
        let first_row = (part.first_row + 1).saturating_sub(left).max(1);
        let last_row = (part.first_row + part.rows).saturating_add(left).min(problem.rows);
        let count = (last_col - first_col + 1) as usize;
        for row in first_row..=last_row {
            let start = self.index(row, first_col);
            // The inputs are three slices of known length, so that the compiler can omit bounds checks and vectorise.
            let input = |start: usize| &from[start - 1..start + count + 1];
            let (above, here, below) = (input(start - self.width()), input(start), input(start + self.width()));
            let output = &mut to[start..start + count];
            for (i, cell) in output.iter_mut().enumerate() {
                let around = |cells: &[T]| Row::new(cells[i], cells[i + 1], cells[i + 2]);
                *cell = updated(around(above), around(here), around(below));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of the plain definition, for the whole grid.
    fn naive<T: Real>(p: &Problem) -> Vec<Vec<T>> {
        let value = |row: u32, col: u32| start_value::<T>(p.seed, row.into(), col.into());
        let mut field: Vec<Vec<T>> = (0..p.rows + 2).map(|r| (0..p.cols + 2).map(|c| value(r, c)).collect()).collect();
        for _ in 0..p.iterations {
            let old = field.clone();
            let cells = (1..=p.rows as usize).flat_map(|r| (1..=p.cols as usize).map(move |c| (r, c)));
            for (r, c) in cells {
                let row = |r: usize| Row::new(old[r][c - 1], old[r][c], old[r][c + 1]);
                field[r][c] = updated(row(r - 1), row(r), row(r + 1));
            }
        }
        field
    }

    fn agrees<T: Real>(problem: Problem, parts: &[Part]) {
        let whole = naive::<T>(&problem);
        for &part in parts {
            for band in problem.bands::<T>(part) {
                let got = problem.solve::<T>(band);
                assert_eq!(got.len(), (band.rows * band.cols) as usize);
                for (i, value) in got.iter().enumerate() {
                    let row = band.first_row as usize + 1 + i / band.cols as usize;
                    let col = band.first_col as usize + 1 + i % band.cols as usize;
                    assert!(value.same_bits(whole[row][col]), "{problem:?} {part:?} row {row} column {col}");
                }
            }
        }
    }

    fn part(first_row: u32, rows: u32, first_col: u32, cols: u32) -> Part {
        Part { first_row, rows, first_col, cols }
    }

    #[test]
    fn parts_agree_with_the_whole_grid() {
        let parts = [part(0, 30, 0, 17), part(0, 10, 0, 9), part(10, 10, 9, 8), part(29, 1, 16, 1), part(12, 1, 0, 17)];
        for iterations in [0, 1, 2, 7, 40] {
            agrees::<f32>(Problem { rows: 30, cols: 17, seed: 3, iterations }, &parts);
            agrees::<f64>(Problem { rows: 30, cols: 17, seed: 4, iterations }, &parts);
        }
    }

    #[test]
    fn bands_cover_the_part_and_agree() {
        let problem = Problem { rows: 300, cols: 40, seed: 1, iterations: 5 };
        let all = part(7, 290, 3, 30);
        let bands = problem.bands::<f64>(all);
        assert!(bands.len() > 1);
        assert_eq!(bands.iter().map(|b| b.rows).sum::<u32>(), 290);
        agrees::<f64>(problem, &[all]);
    }

    #[test]
    fn a_grid_of_one_cell() {
        agrees::<f32>(Problem { rows: 1, cols: 1, seed: 9, iterations: 12 }, &[part(0, 1, 0, 1)]);
    }
}

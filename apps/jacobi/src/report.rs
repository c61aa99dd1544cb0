//! What PE 0 prints.

use crate::NAME;
use crate::args::Mode;
use crate::problem::Problem;
use cushmem_numbers::mixed;
use cushmem_program::json_line;
use jacobi_kernels::Run;
use serde::Serialize;
use std::ops::Range;

/// What all modes of a run have in common.
pub struct Heading<'a> {
    pub problem: Problem,
    pub run: Run,
    /// `soft` or `cuda`.
    pub backend: &'static str,
    /// The name of PE 0's GPU.
    pub gpu: &'a str,
    pub module_load_ms: f64,
}

/// The result of a mode.
pub struct Row {
    pub mode: Mode,
    /// Seconds of the slowest PE.
    pub seconds: f64,
    /// Iterations up to the norm that ends the run.
    pub iterations: u32,
    /// Iterations that were made in that time.
    pub made: u32,
    pub checksum: u64,
    /// The last norm.
    pub norm: Option<f32>,
    /// Wrong cells and norms of all PEs; `None` if nothing was compared.
    pub wrong: Option<u64>,
}

impl Heading<'_> {
    /// What stands above the table, and its head.
    pub fn text(&self) -> String {
        let Self { problem: Problem { size, pes }, run, .. } = self;
        let every = if run.every == 1 { "each".into() } else { format!("every {}", run.every) };
        format!(
            "grid      {size} × {size} cells of f32, up to {} iterations, norm after {every}, tolerance {:e}\n\
             PEs       {pes}, up to {} rows each\n\
             backend   {}: {}, kernels loaded in {:.0} ms\n\
             \n\
             {:<8}{:>12}{:>14}{:>10}{:>12}  {:<18}result",
            run.iterations,
            run.tolerance,
            self.problem.most_rows(),
            self.backend,
            self.gpu,
            self.module_load_ms,
            "mode",
            "iterations",
            "µs/iteration",
            "GB/s",
            "norm",
            "checksum",
        )
    }

    /// The line for programs.
    pub fn json(&self, row: &Row) -> String {
        json_line(&Line {
            app: NAME,
            mode: row.mode,
            size: self.problem.size,
            every: self.run.every,
            tolerance: self.run.tolerance,
            pes: self.problem.pes,
            backend: self.backend,
            gpu: self.gpu,
            iterations: row.iterations,
            iterations_made: row.made,
            seconds: row.seconds,
            us_per_iteration: row.us(),
            gb_per_s: row.gb_per_s(self.problem.size),
            norm: row.norm,
            checksum: format!("{:016x}", row.checksum),
            verified: row.wrong.map(|wrong| wrong == 0),
        })
    }
}

impl Row {
    /// A row of the table.
    pub fn text(&self, size: u32) -> String {
        let norm = self.norm.map_or("none".into(), |norm| format!("{norm:.3e}"));
        let result = match self.wrong {
            None => "not verified (use --verify)".into(),
            Some(0) => "verified".into(),
            Some(wrong) => format!("WRONG in {wrong} places"),
        };
        format!(
            "{:<8}{:>12}{:>14.2}{:>10.1}{norm:>12}  {:016x}  {result}",
            self.mode.name(),
            self.iterations,
            self.us(),
            self.gb_per_s(size),
            self.checksum,
        )
    }

    /// Microseconds of an iteration.
    fn us(&self) -> f64 {
        self.seconds * 1e6 / f64::from(self.made)
    }

    /// One load and one store of each cell in each iteration.
    fn gb_per_s(&self, size: u32) -> f64 {
        8.0 * f64::from(size).powi(2) / self.us() / 1e3
    }
}

/// The keys of the line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    app: &'static str,
    mode: Mode,
    size: u32,
    every: u32,
    tolerance: f32,
    pes: u32,
    backend: &'a str,
    gpu: &'a str,
    iterations: u32,
    iterations_made: u32,
    seconds: f64,
    us_per_iteration: f64,
    gb_per_s: f64,
    /// `null` if no norm was due.
    norm: Option<f32>,
    checksum: String,
    /// `null` if nothing was compared.
    verified: Option<bool>,
}

/// A sum over cells of numbers that depend on their place and all their bits. Checksums of PEs add up to that of the
/// whole.
pub fn checksum(rows: Range<u32>, cols: u32, cells: &[f32]) -> u64 {
    let places = rows.flat_map(|row| (0..cols).map(move |col| u64::from(row) << 32 | u64::from(col)));
    places.zip(cells).fold(0, |sum, (place, cell)| sum.wrapping_add(mixed(mixed(place) ^ u64::from(cell.to_bits()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_of_parts_add_up_and_see_each_bit_and_place() {
        let cells: Vec<f32> = (0..12).map(|i| i as f32).collect();
        let whole = checksum(1..4, 4, &cells);
        assert_eq!(whole, checksum(1..2, 4, &cells[..4]).wrapping_add(checksum(2..4, 4, &cells[4..])));
        let mut swapped = cells.clone();
        swapped.swap(1, 6);
        assert_ne!(whole, checksum(1..4, 4, &swapped));
        let mut negative = cells;
        negative[0] = -0.0;
        assert_ne!(whole, checksum(1..4, 4, &negative));
    }

    #[test]
    fn a_verdict_stands_in_text_and_json() {
        let run = Run { iterations: 10, every: 1, tolerance: 0.0 };
        let problem = Problem { size: 1000, pes: 2 };
        let heading = Heading { problem, run, backend: "soft", gpu: "a GPU", module_load_ms: 0.0 };
        let row = |wrong| Row {
            mode: Mode::Device,
            seconds: 1e-3,
            // A stream that does not stop makes more iterations than it needs.
            iterations: 2,
            made: 10,
            checksum: 7,
            norm: Some(0.5),
            wrong,
        };
        assert_eq!(row(None).text(1000).split_whitespace().nth(3), Some("80.0"));
        assert!(row(Some(0)).text(1000).ends_with("0000000000000007  verified"));
        assert!(row(Some(3)).text(1000).ends_with("WRONG in 3 places"));
        let json = |wrong| heading.json(&row(wrong));
        assert!(json(Some(0)).contains("\"us_per_iteration\":100.0,\"gb_per_s\":80.0"), "{}", json(Some(0)));
        assert!(json(Some(0)).contains("\"verified\":true") && json(None).contains("\"verified\":null"));
        assert!(json(Some(1)).contains("\"verified\":false"));
    }
}

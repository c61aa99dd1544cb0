//! `--sweep`: the time of an iteration in each mode, for squares of several sizes on each PE, or of all PEs together,
//! in one table.
//!
//! What the exchange takes is the time of an iteration less that of one without exchange: the same kernels, and the
//! same waits of the CPU for them, but nothing is sent and no PE waits for a neighbour. So what is hidden behind the
//! computing does not count. Both are medians of a few rounds, each as long as its slowest PE takes; in a round all
//! modes have their turns, if there is memory for all of them. The result of the last one is compared with the serial
//! reference. What is done once counts for neither: memory is allocated, in triggered mode triggers are described and
//! armed, and in stream mode a graph is recorded, before the first round.

use crate::NAME;
use crate::args::Args;
use crate::cells::Cell;
use crate::decomposition::Decomposition;
use crate::field::Job;
use crate::program::iterate;
use crate::reference::Problem;
use crate::solver::{self, Solver};
use crate::verify::{self, Findings};
use anyhow::{Result, bail};
use cushmem_program::{Mode, backend, copy_gb_s, gpu_name, is_emulated, json_line, say, to_all};
use serde::Serialize;

/// Rounds.
const RUNS: usize = 5;
/// Bytes of GPU memory that all modes of a round may take together, emulated or not; where they do not fit, each has
/// rounds of its own.
const MEMORY: [u64; 2] = [32 << 30, 1 << 30];
/// Buffers that a mode has at most.
const BUFFERS: u64 = 3;

/// One row of the table; the keys of its line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row<'a> {
    app: &'static str,
    mode: &'static str,
    /// Rows and columns that each PE has, or all together.
    side: u32,
    whole: bool,
    rows: u32,
    cols: u32,
    cells: u64,
    #[serde(rename = "type")]
    element: &'static str,
    backend: &'static str,
    gpu: &'a str,
    pes: u32,
    pe_rows: u32,
    pe_cols: u32,
    iterations: u32,
    iteration_us: f64,
    without_exchange_us: f64,
    /// Part of an iteration's time that the exchange takes. Below 0 if the difference is smaller than what two runs
    /// differ by.
    exchange_share: f64,
    /// What an iteration moves at least: each cell is read once and written once.
    bytes_per_cell: usize,
    /// What a copy engine moves in a GPU's memory.
    copy_gb_s: f64,
    max_difference: f64,
    verified: bool,
}

/// Runs all sizes, in all modes that serve or in the one that the user has chosen. Collective. `job` has the grid of
/// PEs; the grid of cells follows from the sizes.
pub fn run<T: Cell>(job: Job<'_>, args: &Args) -> Result<()> {
    let modes = args.options.choose_modes(job.shmem, NAME)?;
    let speaks = job.shmem.my_pe() == 0;
    let copy_gb_s = copy_gb_s(job.shmem, job.stream)?;
    if speaks && !args.options.json {
        say(&header(job.grid, args.whole))?;
    }
    let mut complaints = vec![];
    for &side in &args.sweep {
        let grid = match args.whole {
            true => Decomposition { rows: side, cols: side, ..job.grid },
            false => Decomposition { rows: side * job.grid.pe_rows, cols: side * job.grid.pe_cols, ..job.grid },
        };
        let job = Job { grid, ..job };
        let bytes = BUFFERS * grid.shape(0, size_of::<T>()).buffer * size_of::<T>() as u64;
        let fits = bytes * modes.len() as u64 <= MEMORY[usize::from(is_emulated(job.shmem))];
        for modes in modes.chunks(if fits { modes.len() } else { 1 }) {
            for (row, wrong) in measure::<T>(job, args, side, modes, copy_gb_s)? {
                if speaks && args.options.json {
                    say(&json_line(&row))?;
                } else if speaks {
                    say(&line(&row))?;
                }
                let named = |text| format!("{side} × {side} cells, mode {}: {text}", row.mode);
                complaints.extend(wrong.into_iter().map(named));
            }
        }
    }
    if speaks && !complaints.is_empty() {
        bail!("the result differs from the serial reference: {}", complaints.join("; "));
    }
    Ok(())
}

/// A mode, and seconds of this PE without exchange and with it.
struct Turn<'a, T> {
    mode: Mode,
    solver: Box<dyn Solver<'a, T> + 'a>,
    own: [[f64; RUNS]; 2],
}

/// Rows of the modes, and what is wrong with each result.
fn measure<'a, T: Cell>(
    job: Job<'a>,
    args: &Args,
    side: u32,
    modes: &[Mode],
    copy_gb_s: f64,
) -> Result<Vec<(Row<'a>, Vec<String>)>> {
    let (grid, (rows, cols)) = (job.grid, job.grid.largest());
    let iterations = args.iters.unwrap_or_else(|| iterations(rows, cols, is_emulated(job.shmem)));
    let problem = Problem { rows: grid.rows, cols: grid.cols, iterations, ..job.problem };
    let job = Job { problem, ..job };
    let warmup = args.warmup.unwrap_or(if is_emulated(job.shmem) { 0 } else { iterations });
    let mut turns = vec![];
    for &mode in modes {
        let mut solver = solver::new::<T>(job, mode, args.options.limit())?;
        if warmup > 0 {
            iterate(solver.as_mut(), warmup, true)?;
        }
        turns.push(Turn { mode, solver, own: [[0.0; RUNS]; 2] });
    }
    for run in 0..RUNS {
        for Turn { solver, own, .. } in &mut turns {
            for (exchange, seconds) in own.iter_mut().enumerate() {
                seconds[run] = iterate(solver.as_mut(), iterations, exchange == 1)?.total.as_secs_f64();
            }
        }
    }
    let results: Vec<_> = turns.iter().map(|turn| (turn.solver.field(), turn.solver.result(iterations))).collect();
    let findings = verify::findings(&results)?;
    let mut all = vec![];
    for (Turn { mode, solver, own }, findings) in turns.into_iter().zip(findings) {
        let slowest = |own| Ok::<_, anyhow::Error>(median_of_slowest(&to_all(job.shmem, own)?));
        let [without, with] = [slowest(own[0])?, slowest(own[1])?];
        solver.free()?;
        let us = |seconds: f64| seconds * 1e6 / f64::from(iterations);
        let complaints = verify::complaints(&findings);
        let row = Row {
            app: NAME,
            mode: mode.name(),
            side,
            whole: args.whole,
            rows: grid.rows,
            cols: grid.cols,
            cells: u64::from(grid.rows) * u64::from(grid.cols),
            element: T::NAME,
            backend: backend(job.shmem),
            gpu: gpu_name(job.shmem),
            pes: grid.n_pes(),
            pe_rows: grid.pe_rows,
            pe_cols: grid.pe_cols,
            iterations,
            iteration_us: us(with),
            without_exchange_us: us(without),
            exchange_share: 1.0 - without / with.max(1e-12),
            bytes_per_cell: 2 * size_of::<T>(),
            copy_gb_s,
            max_difference: Findings::largest(&findings),
            verified: complaints.is_empty(),
        };
        all.push((row, complaints));
    }
    Ok(all)
}

/// The median, over the runs, of the slowest PE's seconds.
fn median_of_slowest(seconds: &[[f64; RUNS]]) -> f64 {
    let mut slowest: [f64; RUNS] = std::array::from_fn(|run| seconds.iter().map(|pe| pe[run]).fold(0.0, f64::max));
    slowest.sort_by(f64::total_cmp);
    slowest[RUNS / 2]
}

/// So many that a run lasts long enough to be measured, and that the reference takes only a few seconds.
fn iterations(rows: u32, cols: u32, emulated: bool) -> u32 {
    let quick = verify::quick_iterations(rows, cols);
    if emulated { (quick >> 10).clamp(3, 20) } else { quick.clamp(30, 1000) }
}

fn header(grid: Decomposition, whole: bool) -> String {
    let first =
        format!("PEs {} = {} × {}; iteration time, median of {RUNS} rounds", grid.n_pes(), grid.pe_rows, grid.pe_cols);
    let columns = format!(
        "{:>13}  {:10}{:>12}{:>20}{:>11}  result",
        if whole { "cells" } else { "cells a PE" },
        "mode",
        "time",
        "without exchange",
        "exchange"
    );
    format!("{first}\n{columns}")
}

fn line(row: &Row<'_>) -> String {
    format!(
        "{:>13}  {:10}{:>9.1} µs{:>17.1} µs{:>9.1} %  {}",
        format!("{0} × {0}", row.side),
        row.mode,
        row.iteration_us,
        row.without_exchange_us,
        100.0 * row.exchange_share,
        if row.verified { "verified" } else { "WRONG" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_pe_of_the_middle_run_counts() {
        let pes = [[5.0, 1.0, 3.0, 2.0, 9.0], [1.0, 4.0, 1.0, 6.0, 1.0]];
        assert_eq!(median_of_slowest(&pes), 5.0);
        assert_eq!(median_of_slowest(&[]), 0.0);
    }

    #[test]
    fn iterations_are_many_for_small_squares_and_few_for_large_ones() {
        assert_eq!([256, 8192, 65536].map(|side| iterations(side, side, false)), [1000, 32, 30]);
        assert_eq!([16, 8192].map(|side| iterations(side, side, true)), [20, 3]);
    }
}

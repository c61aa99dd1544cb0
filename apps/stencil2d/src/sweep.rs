//! `--sweep`: a table of iteration times in each mode, for squares of several sizes. The squares are those of each PE,
//! or of all PEs together.
//!
//! The cost of the exchange is the time of an iteration less that of an iteration without exchange. The latter has the
//! same kernels, and the CPU waits for them in the same way, but nothing is sent and no PE waits for a neighbour. So
//! communication that overlaps with computation does not count. Both times are medians of a few rounds, and a round
//! takes as long as its slowest PE. In each round all modes have a turn, if there is memory for all of them at once. A
//! turn has enough runs to be timed, first with one of the two kinds and then with the other; the next round swaps
//! them. The result of the last run is compared with the serial reference. One-time work is done before the first round
//! and not timed: memory is allocated, in triggered mode triggers are described and armed, and in stream mode a graph
//! is recorded.

use crate::NAME;
use crate::args::Args;
use crate::cells::Cell;
use crate::decomposition::Decomposition;
use crate::field::Job;
use crate::reference::Problem;
use crate::solver::Solver;
use crate::start::{iterate, new_solver};
use crate::verify::{self, Findings};
use anyhow::{Result, bail};
use cushmem_numbers::quantile;
use cushmem_program::{Mode, backend, copy_gb_s, gpu_name, is_emulated, json_line, say, to_all};
use serde::Serialize;

/// The number of rounds, which is odd so that the last one ends with exchange.
const ROUNDS: usize = 3;
/// The least seconds of a turn: the first if a run has at least `MANY` iterations, the second if it has fewer, because
/// these are long and vary less.
const MANY: u32 = 500;
const LEAST_S: [f64; 2] = [0.05, 0.01];
/// The most GPU memory, in bytes, that all modes of a round may take together, on a GPU and on the emulated GPU. If
/// they do not fit, each mode has its own rounds.
const MEMORY: [u64; 2] = [32 << 30, 1 << 30];
/// The most buffers of any mode.
const BUFFERS: u64 = 3;

/// One row of the table. Its fields are the keys of the JSON line.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row<'a> {
    app: &'static str,
    mode: &'static str,
    /// Rows and columns of each PE, or of all together.
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
    rounds: usize,
    iteration_us: f64,
    /// Half of the range of the rounds' iteration times.
    spread_us: f64,
    without_exchange_us: f64,
    /// The share of an iteration's time that the exchange takes. May be below 0, if it is less than the variation
    /// between runs.
    exchange_share: f64,
    /// The least memory traffic of an iteration: each cell is read once and written once.
    bytes_per_cell: usize,
    /// The bandwidth of a copy engine in the GPU's memory.
    copy_gb_s: f64,
    max_difference: f64,
    verified: bool,
}

/// Runs all sizes, in all modes that work here or in the one that the user has chosen. `job` has the grid of PEs; the
/// grid of cells follows from the sizes. Collective.
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

/// A mode, and for each kind of run, without exchange and with it, the number of runs in a turn and this PE's seconds
/// per run in each round.
struct Turn<'a, T> {
    mode: Mode,
    solver: Box<dyn Solver<'a, T> + 'a>,
    runs: [u32; 2],
    own: [[f64; ROUNDS]; 2],
}

/// The row of each mode, and what is wrong with its result.
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
        let mut solver = new_solver::<T>(job, mode, args.options.limit())?;
        if warmup > 0 {
            iterate(solver.as_mut(), warmup, true)?;
        }
        let mut runs = [1; 2];
        if !is_emulated(job.shmem) {
            for (exchange, runs) in runs.iter_mut().enumerate() {
                let own = seconds(solver.as_mut(), iterations, exchange == 1, 1)?;
                let all = to_all(job.shmem, [own])?;
                *runs = enough(iterations, all.iter().map(|[pe]| *pe).fold(0.0, f64::max));
            }
        }
        turns.push(Turn { mode, solver, runs, own: [[0.0; ROUNDS]; 2] });
    }
    for round in 0..ROUNDS {
        for Turn { solver, runs, own, .. } in &mut turns {
            for exchange in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                own[exchange][round] = seconds(solver.as_mut(), iterations, exchange == 1, runs[exchange])?;
            }
        }
    }
    let results: Vec<_> = turns.iter().map(|turn| (turn.solver.field(), turn.solver.result(iterations))).collect();
    let findings = verify::findings(&results)?;
    let mut all = vec![];
    for (Turn { mode, solver, own, .. }, findings) in turns.into_iter().zip(findings) {
        let slowest = |own| Ok::<_, anyhow::Error>(slowest(&to_all(job.shmem, own)?));
        let [without, with] = [slowest(own[0])?, slowest(own[1])?];
        let spread = (with[ROUNDS - 1] - with[0]) / 2.0;
        let [without, with] = [without, with].map(|rounds| quantile(&rounds, 0.5).unwrap_or(0.0));
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
            rounds: ROUNDS,
            iteration_us: us(with),
            spread_us: us(spread),
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

/// The mean time of this many runs on this PE, in seconds. Collective.
fn seconds<'a, T: Cell>(solver: &mut dyn Solver<'a, T>, iterations: u32, exchange: bool, runs: u32) -> Result<f64> {
    let mut sum = 0.0;
    for _ in 0..runs {
        sum += iterate(solver, iterations, exchange)?.total.as_secs_f64();
    }
    Ok(sum / f64::from(runs))
}

/// How many runs make a turn that is long enough, if a run has this many iterations and takes this many seconds.
fn enough(iterations: u32, seconds: f64) -> u32 {
    let least = LEAST_S[usize::from(iterations < MANY)];
    (least / seconds.max(1e-6)).ceil().max(1.0) as u32
}

/// The slowest PE's seconds in each round, ascending.
fn slowest(seconds: &[[f64; ROUNDS]]) -> [f64; ROUNDS] {
    let mut slowest = std::array::from_fn(|round| seconds.iter().map(|pe| pe[round]).fold(0.0, f64::max));
    slowest.sort_by(f64::total_cmp);
    slowest
}

/// Enough iterations that a run is long enough to be timed, but the reference takes only a few seconds.
fn iterations(rows: u32, cols: u32, emulated: bool) -> u32 {
    let quick = verify::quick_iterations(rows, cols);
    if emulated { (quick >> 10).clamp(3, 20) } else { quick.clamp(30, 1000) }
}

fn header(grid: Decomposition, whole: bool) -> String {
    let first = format!(
        "PEs {} = {} × {}; iteration time, median of {ROUNDS} rounds ± half of their range",
        grid.n_pes(),
        grid.pe_rows,
        grid.pe_cols
    );
    let columns = format!(
        "{:>13}  {:10}{:>12}{:>8}{:>20}{:>11}  result",
        if whole { "cells" } else { "cells a PE" },
        "mode",
        "time",
        "±",
        "without exchange",
        "exchange"
    );
    format!("{first}\n{columns}")
}

fn line(row: &Row<'_>) -> String {
    format!(
        "{:>13}  {:10}{:>9.1} µs{:>8.1}{:>17.1} µs{:>9.1} %  {}",
        format!("{0} × {0}", row.side),
        row.mode,
        row.iteration_us,
        row.spread_us,
        row.without_exchange_us,
        100.0 * row.exchange_share,
        if row.verified { "verified" } else { "WRONG" },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_pe_of_each_round_counts() {
        assert_eq!(slowest(&[[5.0, 1.0, 3.0], [1.0, 4.0, 9.0]]), [4.0, 5.0, 9.0]);
        assert_eq!(slowest(&[]), [0.0; ROUNDS]);
    }

    /// Catches turns of only a few milliseconds, and turns that are needlessly long for squares whose times hardly
    /// vary.
    #[test]
    fn short_runs_are_repeated() {
        assert_eq!([0.0022, 0.049, 0.2].map(|seconds| enough(1000, seconds)), [23, 2, 1]);
        assert_eq!([0.0044, 0.016].map(|seconds| enough(30, seconds)), [3, 1]);
        assert!(enough(1000, 0.0) < 100_000, "not without end");
        const { assert!(ROUNDS % 2 == 1, "the last run is with exchange") };
    }

    #[test]
    fn iterations_are_many_for_small_squares_and_few_for_large_ones() {
        assert_eq!([256, 8192, 65536].map(|side| iterations(side, side, false)), [1000, 32, 30]);
        assert_eq!([16, 8192].map(|side| iterations(side, side, true)), [20, 3]);
    }
}

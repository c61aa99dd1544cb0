//! `--sweep`: the time of an iteration in each mode, for squares of several sizes on each PE, in one table.
//!
//! What the exchange takes is the time of an iteration less that of one without exchange: the same kernels, which then send nothing and wait for no
//! neighbour (in host mode, also pack and unpack nothing). So what is hidden behind the computing does not count. Both are medians of a few runs in
//! turn, each as long as its slowest PE takes. The result of the last run with exchange is compared with the serial reference. What is done once counts
//! for neither: memory is allocated, and in triggered mode triggers are described and armed, before the first run.

use crate::args::{Args, Mode};
use crate::cells::Cell;
use crate::decomposition::Decomposition;
use crate::field::Job;
use crate::program::iterate;
use crate::reference::Problem;
use crate::verify::{self, Findings};
use crate::{NAME, solver};
use anyhow::{Result, bail};
use cushmem_program::{backend, gather, gpu_name, json_line};
use serde::Serialize;
use std::time::Duration;

/// Runs with and without exchange.
const RUNS: usize = 5;

/// One row of the table; the keys of its line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row<'a> {
    app: &'static str,
    mode: &'static str,
    /// Rows and columns that each PE has.
    side: u32,
    rows: u32,
    cols: u32,
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
    /// Part of an iteration's time that the exchange takes. Below 0 if the difference is smaller than what two runs differ by.
    exchange_share: f64,
    max_difference: f64,
    verified: bool,
}

/// Runs all sizes in these modes. Collective. `job` has the grid of PEs; the grid of cells follows from the sizes.
pub fn run<T: Cell>(job: Job<'_>, args: &Args, modes: &[Mode]) -> Result<()> {
    let speaks = job.shmem.my_pe() == 0;
    if speaks && !args.json {
        println!("{}", header(job.grid));
    }
    let mut complaints = vec![];
    for &side in &args.sweep {
        for &mode in modes {
            let (row, wrong) = measure::<T>(job, args, side, mode)?;
            if speaks && args.json {
                println!("{}", json_line(&row));
            } else if speaks {
                println!("{}", line(&row));
            }
            complaints
                .extend(wrong.into_iter().map(|text| format!("{side} × {side} cells, mode {}: {text}", mode.name())));
        }
    }
    if !complaints.is_empty() {
        bail!("the result differs from the serial reference: {}", complaints.join("; "));
    }
    Ok(())
}

/// One row, and what is wrong with the result. Both are right on PE 0 only.
fn measure<'a, T: Cell>(job: Job<'a>, args: &Args, side: u32, mode: Mode) -> Result<(Row<'a>, Vec<String>)> {
    let emulated = job.shmem.gpu().is_some_and(|gpu| gpu.emulated);
    let iterations = args.iters.unwrap_or_else(|| iterations(side, emulated));
    let grid = Decomposition { rows: side * job.grid.pe_rows, cols: side * job.grid.pe_cols, ..job.grid };
    let problem = Problem { rows: grid.rows, cols: grid.cols, iterations, ..job.problem };
    let job = Job { grid, problem, ..job };
    let mut solver = solver::new::<T>(job, mode, Duration::from_secs(args.limit.into()))?;
    let warmup = args.warmup.unwrap_or(if emulated { 0 } else { iterations });
    if warmup > 0 {
        iterate(solver.as_mut(), warmup, true)?;
    }
    let mut own = [[0.0; RUNS]; 2];
    for run in 0..RUNS {
        for (exchange, seconds) in own.iter_mut().enumerate() {
            seconds[run] = iterate(solver.as_mut(), iterations, exchange == 1)?.total.as_secs_f64();
        }
    }
    let findings = verify::findings(solver.field(), solver.result(iterations))?;
    let slowest = |own| Ok::<_, anyhow::Error>(median_of_slowest(&gather::<RUNS>(job.shmem, own)?));
    let [without, with] = [slowest(own[0])?, slowest(own[1])?];
    solver.free()?;
    let us = |seconds: f64| seconds * 1e6 / f64::from(iterations);
    let complaints = verify::complaints(&findings);
    let row = Row {
        app: NAME,
        mode: mode.name(),
        side,
        rows: grid.rows,
        cols: grid.cols,
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
        max_difference: Findings::largest(&findings),
        verified: complaints.is_empty(),
    };
    Ok((row, complaints))
}

/// The median, over the runs, of the slowest PE's seconds; 0 if there are none.
fn median_of_slowest(seconds: &[[f64; RUNS]]) -> f64 {
    let mut slowest: [f64; RUNS] = std::array::from_fn(|run| seconds.iter().map(|pe| pe[run]).fold(0.0, f64::max));
    slowest.sort_by(f64::total_cmp);
    slowest[RUNS / 2]
}

/// So many that a run lasts long enough to be measured, and that the reference takes only a few seconds.
fn iterations(side: u32, emulated: bool) -> u32 {
    let quick = verify::quick_iterations(side, side);
    if emulated { (quick >> 10).clamp(3, 20) } else { quick.clamp(30, 1000) }
}

fn header(grid: Decomposition) -> String {
    let first =
        format!("PEs {} = {} × {}; an iteration, median of {RUNS} runs", grid.n_pes(), grid.pe_rows, grid.pe_cols);
    let columns = format!(
        "{:>13}  {:10}{:>12}{:>20}{:>11}  result",
        "cells a PE", "mode", "time", "without exchange", "exchange"
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
        assert_eq!([256, 8192, 65536].map(|side| iterations(side, false)), [1000, 32, 30]);
        assert_eq!([16, 8192].map(|side| iterations(side, true)), [20, 3]);
    }
}

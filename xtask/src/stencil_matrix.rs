//! `cargo xtask stencil-matrix`: runs stencil2d in every combination of backend, mode, type, PEs and grid, each
//! verified against the serial reference. With `--bin-dir` it needs neither cargo nor the sources.

use crate::build::{Profile, build};
use crate::demo::PROGRAMS;
use crate::kernels::{self, Kernels, Need};
use crate::machine::cuda_gpus;
use crate::process::{Ended, run_limited};
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Options of `cargo xtask stencil-matrix`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder that contains shmemrun and stencil2d; without it, they are built
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// Run only this backend [default: all that this machine has]
    #[arg(long, value_name = "soft|cuda", value_parser = ["soft", "cuda"])]
    pub backend: Option<String>,
    /// Number of iterations in each run
    #[arg(long, default_value_t = 20)]
    pub iters: u32,
    /// Time limit of each run in seconds
    #[arg(long, default_value_t = 120)]
    pub timeout: u64,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Combination {
    backend: &'static str,
    mode: &'static str,
    element: &'static str,
    pes: usize,
    rows: usize,
    cols: usize,
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { backend, mode, element, pes, rows, cols } = self;
        write!(f, "{backend} {mode:9} {element} {pes} PEs {rows}x{cols}")
    }
}

const MODES: [&str; 6] = ["staged", "host", "stream", "device", "fused", "triggered"];
const TYPES: [&str; 2] = ["f32", "f64"];
const GRIDS: [(usize, usize); 2] = [(1000, 777), (64, 64)];
const SOFT_PES: [usize; 5] = [1, 2, 3, 4, 6];
const CUDA_PES: [usize; 3] = [1, 2, 4];
/// Rows and columns of each PE in the big run.
const BIG: usize = 8192;

/// Runs all combinations; fails if one fails.
pub fn stencil_matrix(options: &Options) -> Result<()> {
    let mut kernels = Ok(());
    let bin_dir = match &options.bin_dir {
        Some(folder) => folder.clone(),
        None => {
            let workspace = Workspace::load()?;
            if options.backend.as_deref() != Some("soft")
                && let Kernels::LeftOut(reason) = kernels::ready(&workspace, Some(&["stencil2d-kernels"]), Need::Here)?
            {
                kernels = Err(reason);
            }
            build(&workspace, Profile::Release, &PROGRAMS)?
        }
    };
    let gpus = match (options.backend.as_deref(), kernels.and_then(|()| cuda_gpus())) {
        (Some("soft"), _) => 0,
        (Some("cuda"), Err(reason)) => bail!("--backend cuda: {reason}"),
        (_, Ok(gpus)) => gpus,
        (_, Err(reason)) => {
            println!("left out: cuda: {reason}");
            0
        }
    };
    let soft = options.backend.as_deref() != Some("cuda");
    let all = combinations(soft, gpus);
    let failed = all.iter().filter(|c| !run_one(options, &bin_dir, c)).count();
    println!("{} passed, {failed} failed", all.len() - failed);
    if failed > 0 {
        bail!("{failed} of {} runs of stencil2d failed", all.len());
    }
    Ok(())
}

fn combinations(soft: bool, gpus: usize) -> Vec<Combination> {
    let mut all = Vec::new();
    let soft_pes: &[usize] = if soft { &SOFT_PES } else { &[] };
    let cuda_pes: Vec<usize> = CUDA_PES.into_iter().filter(|&n| n <= gpus).collect();
    for (backend, pes) in [("soft", soft_pes), ("cuda", &cuda_pes)] {
        for mode in MODES {
            for element in TYPES {
                for &pes in pes {
                    all.extend(GRIDS.map(|(rows, cols)| Combination { backend, mode, element, pes, rows, cols }));
                }
            }
        }
    }
    if let Some(&pes) = cuda_pes.last() {
        let across = fewer_sides(pes);
        let (rows, cols) = (BIG * (pes / across), BIG * across);
        all.extend(MODES.map(|mode| Combination { backend: "cuda", mode, element: "f32", pes, rows, cols }));
    }
    all
}

/// The shorter side of the grid of `pes` PEs that is closest to a square.
fn fewer_sides(pes: usize) -> usize {
    (1..=pes).filter(|d| pes.is_multiple_of(*d) && d * d <= pes).max().unwrap_or(1)
}

/// Rows and columns of PEs. The grid is divided in both directions where possible, so that columns and corners are
/// exchanged too. With two PEs, a square grid is divided into columns, so that columns are exchanged even then.
fn pe_grid(c: &Combination) -> String {
    let fewer = fewer_sides(c.pes);
    let (rows, cols) = if c.rows == c.cols { (fewer, c.pes / fewer) } else { (c.pes / fewer, fewer) };
    format!("{rows}x{cols}")
}

fn run_one(options: &Options, bin_dir: &Path, c: &Combination) -> bool {
    let mut job = Command::new(bin_dir.join("shmemrun"));
    job.env("CUSHMEM_GPU", c.backend);
    job.args(["-n", &c.pes.to_string(), "--timeout", &options.timeout.to_string()]).arg(bin_dir.join("stencil2d"));
    job.args(["--rows", &c.rows.to_string(), "--cols", &c.cols.to_string(), "--iters", &options.iters.to_string()]);
    job.args(["--type", c.element, "--mode", c.mode, "--verify", "--pe-grid", &pe_grid(c)]);
    let start = Instant::now();
    // shmemrun enforces the limit itself; this one is for a shmemrun that fails to.
    let (ended, said) = match run_limited(&mut job, Duration::from_secs(options.timeout + 10)) {
        Ok(result) => result,
        Err(error) => (Ended::Failed(format!("{error:#}")), String::new()),
    };
    let seconds = start.elapsed().as_secs_f64();
    let Some(reason) = ended.failure() else {
        println!("ok     {c:39} {seconds:6.1} s");
        return true;
    };
    println!("FAILED {c:39} {seconds:6.1} s: {reason}");
    let lines: Vec<&str> = said.lines().collect();
    for line in &lines[lines.len().saturating_sub(8)..] {
        println!("         {line}");
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_once() {
        assert_eq!(combinations(true, 0).len(), 6 * 2 * 5 * 2);
        assert_eq!(combinations(false, 4).len(), 6 * 2 * 3 * 2 + 6);
        let all = combinations(true, 4);
        assert!((0..all.len()).all(|i| !all[i + 1..].contains(&all[i])));
    }

    #[test]
    fn the_big_run_gives_each_pe_its_square() {
        let big = |gpus| combinations(false, gpus).last().map(|c| (c.pes, c.rows, c.cols));
        assert_eq!(big(1), Some((1, 8192, 8192)));
        assert_eq!(big(3), Some((2, 16384, 8192)));
        assert_eq!(big(8), Some((4, 16384, 16384)));
    }
}

//! A job of the matrix: starts it, and compares what its PEs report about each cell with the list of all cells.

use crate::data::{Cell, Gpus, Job, Matrix};
use crate::one_sided::{WINDOWS, is_tried};
use crate::pe::MARK;
use crate::table::Shown;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a job went.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Cells that did what they should.
    pub passed: usize,
    /// The cells that did not, each with the reason.
    pub failed: Vec<String>,
    /// Cells that some PE did not try.
    pub skipped: Vec<String>,
    /// The number of cells about which nothing is known because the job failed.
    pub lost: usize,
    /// How the job failed.
    pub job: Option<String>,
}

/// Returns the launcher, which lies beside this program.
pub fn launcher() -> Result<PathBuf> {
    let here = std::env::current_exe().context("find this program")?;
    let shmemrun = here.with_file_name("shmemrun");
    anyhow::ensure!(
        shmemrun.exists(),
        "no shmemrun beside {}: run `cargo build --workspace --bins` first",
        here.display()
    );
    Ok(shmemrun)
}

/// Returns what the PEs printed, and how the job ended if it failed.
pub fn run(launcher: &Path, job: &Job, gpus: Gpus, limit_s: u32, more: &[&str]) -> Result<(String, Option<String>)> {
    let mut command = Command::new(launcher);
    command.args(["--tag", "-n", &job.pes.to_string(), "--timeout", &limit_s.to_string()]);
    if job.nodes > 1 {
        command.args(["--nodes", &job.nodes.to_string()]);
    }
    command.arg(std::env::current_exe()?).args(["--pe", &job.name, "--gpus", &gpus.to_string()]).args(more);
    if job.private_globals {
        command.arg(crate::PRIVATE_GLOBALS);
    }
    // The data define the job, whatever variables the user's shell has. Only the network can be chosen freely.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if (text.starts_with("CUSHMEM_") || text.starts_with("SHMEM_")) && text != "CUSHMEM_NET" {
            command.env_remove(name);
        }
    }
    command.env("CUSHMEM_GPU", gpus.to_string()).envs(&job.environment).stdin(Stdio::null());
    let output = command.output().with_context(|| format!("start {}", launcher.display()))?;
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let failure = (!output.status.success()).then(|| {
        let lines: Vec<&str> = said.lines().filter(|line| !line.contains(MARK)).collect();
        format!("{}; the last lines: {}", output.status, lines[lines.len().saturating_sub(12)..].join(" | "))
    });
    Ok((said, failure))
}

/// Tries all cells of a job.
pub fn try_cells(matrix: &Matrix, launcher: &Path, job: &Job, gpus: Gpus, limit_s: u32) -> Result<Outcome> {
    let (said, failure) = run(launcher, job, gpus, limit_s, &[])?;
    Ok(count(job, matrix.cells(job).iter().map(ToString::to_string), &said, failure))
}

/// Tries what can be done to a slow target, in each window of this many seconds. Also returns which cells were in time.
pub fn try_windows(
    matrix: &Matrix,
    launcher: &Path,
    job: &Job,
    gpus: Gpus,
    limit_s: u32,
    seconds: u64,
) -> Result<(Outcome, Shown)> {
    let (said, failure) = run(launcher, job, gpus, limit_s, &["--one-sided", "--seconds", &seconds.to_string()])?;
    let mut shown = Shown::new();
    for line in lines(&said).filter_map(|line| line.strip_prefix("window ")) {
        let mut parts = line.split('|').map(str::to_owned);
        if let (Some(window), Some(cell), Some(in_time)) = (parts.next(), parts.next(), parts.next()) {
            shown.insert((window, cell), in_time == "true");
        }
    }
    let tried = |cell: &&Cell| {
        let with_target = cell.relation == job.relation(0, 1) && is_tried(cell.op, cell.when);
        with_target && matrix.refusal(job, gpus, cell).is_none()
    };
    let cells = matrix.cells(job);
    let mut outcome = count(job, cells.iter().filter(tried).map(ToString::to_string), &said, failure);
    let all = cells.iter().filter(tried).flat_map(|cell| WINDOWS.map(|window| (window.to_owned(), cell.to_string())));
    outcome.failed.extend(
        all.filter(|key| !shown.contains_key(key)).map(|(w, c)| format!("{c}: not tried while the target {w}")),
    );
    Ok((outcome, shown))
}

fn lines(said: &str) -> impl Iterator<Item = &str> {
    said.lines().filter_map(|line| line.split_once(MARK).map(|(_, line)| line))
}

/// Compares what the PEs reported with the list of cells. Each PE takes part in each cell, and ends with the number of
/// its lines.
fn count(job: &Job, cells: impl Iterator<Item = String>, said: &str, failure: Option<String>) -> Outcome {
    let (mut tried, mut told, mut ends) = (BTreeMap::<&str, u32>::new(), 0, Vec::new());
    let mut failed: BTreeMap<&str, &str> = BTreeMap::new();
    for line in lines(said) {
        if let Some(cell) = line.strip_prefix("ok ") {
            *tried.entry(cell).or_default() += 1;
            told += 1;
        } else if let Some((cell, why)) = line.strip_prefix("FAILED ").and_then(|line| line.split_once(": ")) {
            failed.insert(cell, why);
            told += 1;
        } else if let Some(number) = line.strip_prefix("end ") {
            ends.push(number.parse::<u32>().unwrap_or(0));
        }
    }
    let is_whole = ends.len() == job.pes as usize && ends.iter().sum::<u32>() == told;
    let cut = || format!("{} of {} PEs told {told} cells of {}", ends.len(), job.pes, ends.iter().sum::<u32>());
    let mut outcome = Outcome { job: failure.or_else(|| (!is_whole).then(cut)), ..Outcome::default() };
    for name in cells {
        match (failed.get(&*name), &outcome.job) {
            (Some(why), _) => outcome.failed.push(format!("{name}: {why}")),
            (None, None) if tried.get(&*name) == Some(&job.pes) => outcome.passed += 1,
            (None, None) => outcome.skipped.push(name),
            (None, Some(_)) => outcome.lost += 1,
        }
    }
    outcome
}

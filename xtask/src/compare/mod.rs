//! `cargo xtask compare`: measures how long an iteration of stencil2d and a step of lbm take in each mode, and what
//! each mode gains over copies through host memory. It writes one table and one picture. With `--bin-dir` it needs
//! neither cargo nor the sources.
//!
//! Jobs run one after the other. A stencil2d job is a sweep, in which the modes take turns in rounds. An lbm job runs a
//! single mode, so each of its rounds consists of several jobs. The result is the median over the same number of rounds
//! for every mode of a case. In *weak scaling* the number of cells per PE is constant; in *strong scaling* the total
//! number of cells is. The table and the rows are written after each job, so that they survive whatever ends this
//! process.

mod figure;
mod rows;
mod table;

use crate::build::{Profile, build};
use crate::commit;
use crate::kernels::{self, Kernels, Need};
use crate::machine::cuda_gpus;
use crate::process::{Ended, run_limited};
use crate::report::{say, shown, try_file, write_file};
use crate::workspace::Workspace;
use anyhow::{Result, bail, ensure};
use rows::{App, Rows, Scaling};
use std::fmt;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What `cargo xtask compare` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder that contains shmemrun and the programs; without it, they are built
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// Backend that runs the kernels [default: cuda if this machine has a GPU, else soft]
    #[arg(long, value_name = "soft|cuda", value_parser = ["soft", "cuda"])]
    pub backend: Option<String>,
    /// Run only this program
    #[arg(long, value_name = "stencil2d|lbm", value_parser = ["stencil2d", "lbm"])]
    pub only: Option<String>,
    /// Type of the cells' values
    #[arg(long = "type", value_name = "f32|f64", value_parser = ["f32", "f64"], default_value = "f32")]
    pub element: String,
    /// PEs in the largest job; the others have 1, 2, 4, … [default: the number of GPUs, up to 8; 2 if emulated]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub pes: Option<u32>,
    /// Time limit for everything in seconds, of which two GPUs need 330; jobs that have not run by then are left out,
    /// which is not an error
    #[arg(long, value_name = "S", default_value_t = 420)]
    pub limit: u64,
    /// Write the table to this Markdown file
    #[arg(long, value_name = "FILE", default_value = "compare.md")]
    pub table: PathBuf,
    /// Write the picture to this SVG, PNG or HTML file, if several PEs were measured
    #[arg(long, value_name = "FILE.svg|FILE.png", default_value = "compare.svg", value_parser = cushmem_plot::file)]
    pub figure: PathBuf,
    /// Write the programs' lines of JSON to this file
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
}

/// Modes of both programs, in the order of the table.
const MODES: [&str; 6] = [BASELINE, "host", "stream", "device", "fused", "triggered"];
/// The mode that the others are compared with.
const BASELINE: &str = "staged";
/// Rounds of lbm, which runs one mode per job.
const ROUNDS: u32 = 3;
/// In seconds: the longest that a job may run, and the least time that must be left to start another job.
const LONGEST_S: u64 = 100;
const SHORTEST_S: u64 = 5;

/// A job to run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Job {
    app: App,
    scaling: Scaling,
    pes: u32,
    arguments: Vec<String>,
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {} PEs: {}", self.app.name(), self.scaling.name(), self.pes, self.arguments.join(" "))
    }
}

/// Runs all jobs that fit into the time limit and writes what they measured. Fails if a job failed.
pub fn compare(options: &Options) -> Result<()> {
    let kernels = kernels(options)?;
    let begin = Instant::now();
    let gpus = match kernels {
        Kernels::LeftOut(reason) => Err(reason),
        Kernels::Ready | Kernels::Unneeded(_) => cuda_gpus(),
    };
    let (backend, most) = backend(options.backend.as_deref(), options.pes, gpus)?;
    [Some(&options.table), Some(&options.figure), options.rows.as_ref()]
        .into_iter()
        .flatten()
        .try_for_each(try_file)?;
    let (bin_dir, commit) = match &options.bin_dir {
        Some(folder) => (folder.clone(), commit::of_programs(folder)),
        None => programs()?,
    };
    let wanted = |app: &App| options.only.as_deref().is_none_or(|only| only == app.name());
    let (apps, missing): (Vec<_>, Vec<_>) =
        App::ALL.into_iter().filter(wanted).partition(|app| bin_dir.join(app.name()).exists());
    for app in missing {
        say(format_args!("left out: {}: it is not in {}", app.name(), shown(&bin_dir)))?;
    }
    let jobs = jobs(&apps, backend == "cuda", most);
    let mut rows = Rows::default();
    let keep = |rows: &Rows, notes: &[String]| {
        write_file(&options.table, table::markdown(rows, &commit, notes))?;
        options.rows.as_ref().map_or(Ok(()), |file| write_file(file, rows.lines()))
    };
    let elapsed = || begin.elapsed().as_secs();
    let (failed, left_out) = run_all(&jobs, options.limit, elapsed, |job, limit| {
        let result = run_one((&bin_dir, backend, &options.element), job, limit, &mut rows);
        keep(&rows, &[])?;
        result
    })?;
    let mut notes: Vec<_> = failed.iter().map(|job| format!("failed: {job}")).collect();
    if let Some(first) = left_out.first() {
        let count = left_out.len();
        notes.push(format!(
            "{count} of {} jobs skipped, because the limit of {} s was reached; the first: {first}",
            jobs.len(),
            options.limit
        ));
    }
    keep(&rows, &notes)?;
    let drawn = match figure::plot(&rows) {
        Some(plot) => {
            write_file(&options.figure, plot.encode(&options.figure)?)?;
            shown(&options.figure)
        }
        None => {
            // A picture of an earlier run would look like the result of this one.
            if options.figure.is_file() {
                let _ = fs::remove_file(&options.figure);
            }
            "no picture: no gain was measured with more than one PE".into()
        }
    };
    say(format_args!("{} and {drawn}, in {:.0} s", shown(&options.table), begin.elapsed().as_secs_f64()))?;
    table::verdict(&rows).iter().try_for_each(say)?;
    match failed.len() {
        0 if rows.cases().next().is_none() => bail!("nothing was measured"),
        0 if rows.has_wrong() => bail!("a result is wrong"),
        0 => Ok(()),
        count => bail!("{count} of {} jobs failed", jobs.len()),
    }
}

/// Gets the kernels of the programs ready, unless the programs are built already. If they run on emulated GPUs for want
/// of PTX, says so.
fn kernels(options: &Options) -> Result<Kernels> {
    if options.bin_dir.is_some() || options.backend.as_deref() == Some("soft") {
        return Ok(Kernels::Unneeded("--bin-dir or --backend soft".into()));
    }
    let names: Vec<_> = App::ALL.map(|app| format!("{}-kernels", app.name())).into_iter().collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let kernels = kernels::ready(&Workspace::load()?, Some(&names), Need::Here)?;
    if options.backend.is_none() {
        kernels.say();
    }
    Ok(kernels)
}

/// The backend that runs the kernels, and the number of PEs of the largest job. On CUDA each PE needs a GPU of its own,
/// because kernels of PEs wait for each other.
fn backend(wanted: Option<&str>, pes: Option<u32>, gpus: Result<usize, String>) -> Result<(&'static str, u32)> {
    match (wanted, gpus) {
        (Some("cuda"), Err(reason)) => bail!("--backend cuda: {reason}"),
        (Some("soft"), _) | (_, Err(_)) => Ok(("soft", pes.unwrap_or(2))),
        (_, Ok(gpus)) => {
            let most = pes.unwrap_or(gpus.min(8) as u32);
            ensure!(most as usize <= gpus, "--pes {most}: each PE needs its own GPU, and this machine has {gpus}");
            Ok(("cuda", most))
        }
    }
}

/// Runs the jobs that fit into the time limit, each with its own limit in seconds. Returns the jobs that failed, and
/// those that were skipped or cut short.
fn run_all(
    jobs: &[Job],
    limit: u64,
    elapsed: impl Fn() -> u64,
    mut run: impl FnMut(&Job, u64) -> Result<usize>,
) -> Result<(Vec<&Job>, Vec<&Job>)> {
    let (mut failed, mut left_out) = (vec![], vec![]);
    for (number, job) in jobs.iter().enumerate() {
        let (before, left) = (Instant::now(), limit.saturating_sub(elapsed()));
        if left < SHORTEST_S {
            left_out.push(job);
            continue;
        }
        progress(&format!("[{}/{}] {job} ({left} s left)", number + 1, jobs.len()));
        let result = run(job, left.min(LONGEST_S));
        progress("");
        match result {
            Ok(lines) => say(format_args!("ok     {job}: {lines} rows in {:.1} s", before.elapsed().as_secs_f64()))?,
            // The overall time limit cut it short.
            Err(why) if elapsed() >= limit => {
                left_out.push(job);
                say(format_args!("cut    {job}: {why:#}"))?;
            }
            Err(why) => {
                failed.push(job);
                say(format_args!("FAILED {job}: {why:#}"))?;
            }
        }
    }
    Ok((failed, left_out))
}

/// The jobs: a first round of both programs, then further rounds of lbm, for which the time may not suffice. If there
/// are jobs with several PEs, those with one PE run in the first round only. Jobs with one PE count as weak scaling. In
/// the first round of lbm, hashes show whether the results are equal.
fn jobs(apps: &[App], cuda: bool, most: u32) -> Vec<Job> {
    let counts: Vec<_> = (0..).map(|power| 1 << power).take_while(|pes| *pes < most).chain([most]).collect();
    let cases = |first: bool| {
        let counts = counts.iter().rev().filter(move |pes| first || **pes == most || **pes > 1);
        counts.flat_map(|&pes| Scaling::ALL.map(|scaling| (scaling, pes))).filter(|case| *case != (Scaling::Strong, 1))
    };
    let mut jobs = vec![];
    for round in 0..ROUNDS {
        let is_first = round == 0;
        for (scaling, pes) in cases(is_first) {
            if is_first && apps.contains(&App::Stencil2d) {
                let mut arguments = vec![format!("--sweep={}", stencil2d_sizes(scaling, pes, cuda)), "--json".into()];
                arguments.extend((scaling == Scaling::Strong).then(|| "--whole".into()));
                jobs.push(Job { app: App::Stencil2d, scaling, pes, arguments });
            }
            let sizes = if apps.contains(&App::Lbm) { lbm_sizes(scaling, cuda) } else { &[] };
            for &(side, steps) in sizes {
                // The grid grows along z, which is divided first.
                let height = if scaling == Scaling::Weak { side * pes } else { side };
                for mode in MODES {
                    let mut words =
                        format!("--grid {side}x{side}x{height} --iters {steps} --mode {mode} --no-verify --json");
                    if is_first {
                        words += " --hash";
                    }
                    // On a GPU, lbm warms up by default.
                    if !cuda {
                        words += &format!(" --warmup {steps}");
                    }
                    let arguments = words.split(' ').map(str::to_owned).collect();
                    jobs.push(Job { app: App::Lbm, scaling, pes, arguments });
                }
            }
        }
    }
    jobs
}

/// Sides of squares. The sides for one PE include those for strong scaling. The memory of all modes is allocated at the
/// same time, so that a round can run them all.
fn stencil2d_sizes(scaling: Scaling, pes: u32, cuda: bool) -> &'static str {
    match (scaling, cuda) {
        (Scaling::Weak, true) if pes == 1 => "256,512,1024,2048,4096,8192,16384",
        (Scaling::Weak, true) => "256,512,1024,2048,4096,8192",
        (Scaling::Strong, true) => "1024,4096,16384",
        (Scaling::Weak, false) => "32,128",
        (Scaling::Strong, false) => "32,128",
    }
}

/// Sides of cubes, and numbers of steps, which take about 50 ms on a GPU. The sizes for one PE include those for strong
/// scaling.
fn lbm_sizes(scaling: Scaling, cuda: bool) -> &'static [(u32, u32)] {
    match (scaling, cuda) {
        (Scaling::Weak, true) => &[(64, 1000), (128, 300), (256, 50)],
        (Scaling::Strong, true) => &[(128, 300), (256, 50)],
        (_, false) => &[(8, 6), (12, 6)],
    }
}

/// Runs a job and adds its rows. Returns their number.
fn run_one((bin_dir, backend, element): (&Path, &str, &str), job: &Job, limit: u64, rows: &mut Rows) -> Result<usize> {
    let mut command = Command::new(bin_dir.join("shmemrun"));
    command.env("CUSHMEM_GPU", backend).args(["-n", &job.pes.to_string(), "--timeout", &limit.to_string()]);
    command.arg(bin_dir.join(job.app.name())).args(["--type", element]).args(&job.arguments);
    // shmemrun enforces the limit itself; this longer one is for a shmemrun that does not.
    let (ended, said) = run_limited(&mut command, Duration::from_secs(limit + 5))?;
    let added = rows.read(job.app, job.scaling, &said)?;
    let last = said.lines().rev().find(|line| !line.starts_with('{')).unwrap_or("the job printed nothing");
    match ended {
        Ended::Well if added > 0 => Ok(added),
        Ended::Well => bail!("no row: {last}"),
        ended => bail!("{}: {last}", ended.failure().unwrap_or_default()),
    }
}

/// Builds the programs. Returns their folder and their commit.
fn programs() -> Result<(PathBuf, String)> {
    let workspace = Workspace::load()?;
    let programs = build(&workspace, Profile::Release, &["cushmem-launcher", "stencil2d", "lbm"])?;
    Ok((programs, commit::of_sources(&workspace)))
}

/// Shows the progress in a line that the next one replaces, if stdout is a terminal.
fn progress(text: &str) {
    let mut out = std::io::stdout();
    if out.is_terminal() {
        // If the terminal is gone, the work continues.
        let _ = write!(out, "\r{text}\x1b[K").and_then(|()| out.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_begin_with_the_most_pes_and_each_runs_every_mode() {
        let all = jobs(&App::ALL, true, 5);
        assert_eq!((all[0].pes, all[0].app, all[0].scaling), (5, App::Stencil2d, Scaling::Weak));
        // The first round of both programs, which ends with the jobs of one PE, then the other rounds of lbm.
        let (first, later) = all.split_at(1 + all.iter().rposition(|job| job.pes == 1).unwrap());
        let again = first.iter().filter(|job| job.app == App::Lbm && job.pes > 1).count();
        assert!(
            again > 0 && later.len() == (ROUNDS as usize - 1) * again && later.iter().all(|job| job.app == App::Lbm)
        );
        let counts = |jobs: &[Job]| jobs.iter().map(|job| job.pes).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(counts(&all), [1, 2, 4, 5].into());
        assert_eq!([1, 2, 8].map(|most| counts(&jobs(&App::ALL, true, most)).len()), [1, 2, 4]);
        for mode in MODES {
            let runs = |job: &&Job| job.pes == 5 && job.arguments.contains(&mode.to_owned());
            assert_eq!(all.iter().filter(runs).count() as u32, ROUNDS * 5, "{mode}");
        }
        let alone = jobs(&[App::Lbm], true, 1);
        assert_eq!(alone.len(), ROUNDS as usize * 3 * MODES.len(), "three sizes");
        assert!(all.iter().chain(&alone).all(|job| job.pes > 1 || job.scaling == Scaling::Weak));
        let strong = all.iter().filter(|job| job.app == App::Stencil2d && job.scaling == Scaling::Strong);
        assert!(strong.into_iter().all(|job| job.arguments.contains(&"--whole".to_owned())));
        assert!(jobs(&[App::Stencil2d], false, 2).iter().all(|job| job.app == App::Stencil2d));
    }

    /// Catches rows of strong scaling without a speed-up.
    #[test]
    fn one_pe_has_the_sizes_of_strong_scaling() {
        for cuda in [false, true] {
            let of_one = lbm_sizes(Scaling::Weak, cuda);
            let strong = lbm_sizes(Scaling::Strong, cuda);
            assert!(strong.len() > 1 && strong.iter().all(|size| of_one.contains(size)));
            let of_one: Vec<_> = stencil2d_sizes(Scaling::Weak, 1, cuda).split(',').collect();
            assert!(stencil2d_sizes(Scaling::Strong, 2, cuda).split(',').all(|side| of_one.contains(&side)));
        }
    }

    #[test]
    fn a_pe_on_cuda_has_a_gpu() {
        let none = || Err("no GPU".to_owned());
        let chosen = |wanted, pes, gpus| backend(wanted, pes, gpus).map_err(|e| e.to_string());
        assert_eq!(chosen(None, None, Ok(16)), Ok(("cuda", 8)));
        assert_eq!(chosen(None, Some(16), Ok(16)), Ok(("cuda", 16)));
        assert_eq!(chosen(None, None, none()), Ok(("soft", 2)));
        assert_eq!(chosen(Some("soft"), Some(6), Ok(2)), Ok(("soft", 6)));
        assert_eq!(chosen(Some("cuda"), None, none()), Err("--backend cuda: no GPU".into()));
        let refused = "--pes 3: each PE needs its own GPU, and this machine has 2";
        assert_eq!(chosen(None, Some(3), Ok(2)), Err(refused.into()));
    }

    #[test]
    fn what_the_time_does_not_suffice_for_has_not_failed() {
        let all = jobs(&[App::Lbm], false, 2);
        let (clock, mut begun) = (std::cell::Cell::new(0), vec![]);
        let (failed, left_out) = run_all(
            &all,
            2 * LONGEST_S,
            || clock.get(),
            |_, limit| {
                begun.push(limit);
                // The first job fails by itself; the overall time limit cuts the second one short.
                clock.set(if begun.len() == 1 { LONGEST_S + 1 } else { 2 * LONGEST_S });
                bail!("no row")
            },
        )
        .expect("stdout takes it");
        assert_eq!(begun, [LONGEST_S, LONGEST_S - 1]);
        assert_eq!(failed, [&all[0]]);
        assert_eq!(left_out, all[1..].iter().collect::<Vec<_>>());
    }
}

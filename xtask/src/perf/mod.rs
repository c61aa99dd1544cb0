//! `cargo xtask perf`: measures performance, compares it with the targets in `docs/perf/targets.toml`, and writes
//! `docs/perf/README.md`.

pub mod count;
pub mod figure;
pub mod identical;
pub mod net;
pub mod peers;
pub mod recording;
pub mod rows;
pub mod table;
pub mod targets;
pub mod verdict;

use crate::report::shown;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use rows::Rows;
use std::fs;
use std::path::{Path, PathBuf};
use targets::Targets;
use verdict::{Filter, Line, judge, sum};

/// What to do about performance.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Perf {
    /// Compare measured rows with the targets; fail unless every target is met (a missing row is a failure)
    Check(CheckOptions),
    /// Write docs/perf/README.md from the newest run of each machine in docs/perf, and the figure in the README from
    /// the newest run that has its rows
    Table(TableOptions),
    /// Measure the host part on this machine, alternating with Debian's Open MPI if it is installed, and check it
    Peers(peers::Options),
    /// Measure operations between two virtual nodes on this machine, with each network in turn, and check them
    Net(net::Options),
    /// Count the instructions of 8-byte puts, gets and similar calls to a mapped peer with valgrind, in Rust and in C
    Count(count::Options),
    /// Compare the library, which can record and does not, with one that was built without recording, in turn
    Recording(recording::Options),
}

/// What `cargo xtask perf check` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckOptions {
    /// Files of JSON lines, as the benchmarks write them; several files count as one
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Which targets to check
    #[command(flatten)]
    pub filter: Filter,
    /// Print only targets that are not met
    #[arg(long)]
    pub missed: bool,
}

/// What `cargo xtask perf table` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct TableOptions {
    /// Change nothing; fail if the page or the figure does not match the files
    #[arg(long)]
    pub check: bool,
}

/// Runs one of the subcommands.
pub fn perf(chore: &Perf) -> Result<()> {
    // The files that the user names come first: an error in them needs no sources.
    match chore {
        Perf::Check(options) => {
            let rows = read(&options.files)?;
            check(&Workspace::load()?, &rows, &options.filter, options.missed)
        }
        Perf::Table(options) => table::table(&folder(&Workspace::load()?), options.check),
        Perf::Peers(options) => peers::peers(options),
        Perf::Net(options) => net::net(options),
        Perf::Count(options) => count::count(options),
        Perf::Recording(options) => recording::recording(options),
    }
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join("docs/perf")
}

fn load_targets(folder: &Path) -> Result<Targets> {
    let path = folder.join("targets.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    Targets::parse(&text).with_context(|| format!("read {}", path.display()))
}

fn read(files: &[PathBuf]) -> Result<Rows> {
    let mut rows = Rows::default();
    for path in files {
        let text = cushmem_environment::text_of(path).with_context(|| format!("read {}", shown(path)))?;
        rows.read(&text).with_context(|| format!("read {}", shown(path)))?;
    }
    Ok(rows)
}

/// Prints a line per target and the totals. Fails unless all targets are met.
fn check(workspace: &Workspace, rows: &Rows, filter: &Filter, missed: bool) -> Result<()> {
    let targets = load_targets(&folder(workspace))?;
    let lines: Vec<Line> = judge(&targets, rows, filter);
    if lines.is_empty() {
        let pes = filter.pes.map_or(String::new(), |n| format!(" for {n} PEs"));
        bail!("no target{pes} is in a group, or has a metric that begins with, `{}`", filter.only.join("`, `"));
    }
    for line in lines.iter().filter(|l| !(missed && l.is_met())) {
        println!("{line}");
    }
    let (passed, failed) = sum(&lines);
    println!("{passed} passed, {failed} failed");
    if failed > 0 {
        bail!("{failed} of {} targets are not met", lines.len());
    }
    Ok(())
}

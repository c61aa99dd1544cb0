//! `cargo xtask perf peers`: measures host memory and collectives on this machine, alternating between this library and
//! others.

use super::rows::Rows;
use super::table::pivot;
use super::verdict::Filter;
use crate::build::{Profile, bin_dir, build};
use crate::commit;
use crate::library::library;
use crate::process::{output_of, run_limited, show};
use crate::ptx::Outcome;
use crate::report::{say, shown, try_file, write_file};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use cushmem_environment as environment;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What `cargo xtask perf peers` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Keep the JSON lines in this file [default: perf/peers.jsonl in the target folder]
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Number of turns for each implementation; the median counts
    #[arg(long, default_value_t = 3)]
    pub turns: usize,
    /// Number of PEs
    #[arg(short, default_value_t = 2)]
    pub n: usize,
}

const LIMIT: Duration = Duration::from_secs(120);

/// A program to run, and the name that its rows carry.
pub(super) struct Peer {
    pub(super) name: &'static str,
    pub(super) command: Command,
    /// The file to which it writes its JSON lines; without one, it prints them.
    pub(super) json: Option<PathBuf>,
}

/// Measures, prints all figures, then checks the group `host`, if there are two PEs, and the group `coll`.
pub fn peers(options: &Options) -> Result<()> {
    options.json.as_ref().map_or(Ok(()), try_file)?;
    let workspace = &Workspace::load()?;
    let folder = workspace.target.join("perf");
    fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    // The host part only ever uses two PEs.
    let parts: &[&'static str] = if options.n == 2 { &["host", "coll"] } else { &["coll"] };
    let mut peers = ours(workspace, &folder, options.n, parts)?;
    let others = [
        ("openmpi", openmpi(workspace, &folder, options.n, parts)),
        ("cushmem-c", ours_in_c(workspace, &folder, options.n, parts)),
    ];
    for (name, found) in others {
        match found {
            Ok(found) => peers.extend(found),
            Err(reason) => println!("left out: {name}: {reason:#}"),
        }
    }
    let file = options.json.clone().unwrap_or_else(|| folder.join("peers.jsonl"));
    let filter = Filter { pes: Some(options.n as u64), ..Filter::groups(parts) };
    in_turns(workspace, peers, options.turns, &file, &filter)
}

/// Runs all programs in turn, `turns` times. Saves their rows as they come, prints them, and checks the targets.
pub(super) fn in_turns(
    workspace: &Workspace,
    mut peers: Vec<Peer>,
    turns: usize,
    file: &Path,
    filter: &Filter,
) -> Result<()> {
    let keep = |lines: &str| write_file(file, lines);
    let mut lines = format!("{}\n", header(workspace));
    keep(&lines)?;
    for turn in 1..=turns {
        for peer in &mut peers {
            say(format_args!("turn {turn} of {turns}: {}", peer.name))?;
            lines += &measure(peer)?;
            keep(&lines)?;
        }
    }
    let mut rows = Rows::default();
    rows.read(&lines)?;
    say(format_args!("\n{}\n{}\n", pivot(&rows, " ").trim_end(), shown(file)))?;
    super::check(workspace, &rows, filter, false)
}

/// Runs a program once. Returns its JSON lines.
fn measure(peer: &mut Peer) -> Result<String> {
    let (ended, said) = run_limited(&mut peer.command, LIMIT)?;
    if let Some(how) = ended.failure() {
        bail!("{}: {how}\n{}", show(&peer.command), said.trim_end());
    }
    let text = match &peer.json {
        Some(path) => fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?,
        None => said,
    };
    Ok(text.lines().filter(|l| l.starts_with('{')).map(|l| format!("{l}\n")).collect())
}

/// `shmem-bench` with this library.
fn ours(workspace: &Workspace, folder: &Path, n: usize, parts: &[&str]) -> Result<Vec<Peer>> {
    let bin = build(workspace, Profile::Release, &["cushmem-launcher", "shmem-bench"])?;
    let of = |part: &&str| {
        let json = folder.join(format!("{part}-cushmem.jsonl"));
        let mut command = Command::new(bin.join("shmemrun"));
        command.args(["-n", &n.to_string()]).arg(bin.join("shmem-bench")).args([part, "--json"]).arg(&json);
        command.env(environment::GPU.name, "none");
        Peer { name: "cushmem", command, json: Some(json) }
    };
    Ok(parts.iter().map(of).collect())
}

/// The C programs with our C library, if there is a C compiler. Our `shmemcc` is started by its path, because other
/// libraries have one, too.
fn ours_in_c(workspace: &Workspace, folder: &Path, n: usize, parts: &[&str]) -> Result<Vec<Peer>> {
    let of = |part: &&str| {
        let (mut command, program) = job_of_ours(workspace, folder, n, part)?;
        command.arg(program).args(["--impl", "cushmem-c"]);
        Ok(Peer { name: "cushmem-c", command, json: None })
    };
    parts.iter().map(of).collect()
}

/// A job of `n` PEs without GPUs, still without its program, and a C program with our C library.
pub(super) fn job_of_ours(workspace: &Workspace, folder: &Path, n: usize, part: &str) -> Result<(Command, PathBuf)> {
    build(workspace, Profile::Release, &["cushmem-launcher"])?;
    if let Outcome::LeftOut(reason) = library(Profile::Release)? {
        bail!("{reason}");
    }
    let bin = bin_dir(&workspace.target, Profile::Release);
    let program = compile(&mut Command::new(bin.join("shmemcc")), workspace, folder, part, "cushmem-c")?;
    let mut command = Command::new(bin.join("shmemrun"));
    command.args(["-n", &n.to_string()]).env(environment::GPU.name, "none");
    Ok((command, program))
}

/// The C programs with Open MPI's OpenSHMEM.
pub(super) fn openmpi(workspace: &Workspace, folder: &Path, n: usize, parts: &[&str]) -> Result<Vec<Peer>> {
    output_of(Command::new("oshrun").arg("--version"))
        .context("install it: apt-get install openmpi-bin libopenmpi-dev")?;
    let of = |part: &&str| {
        // Open MPI marks its routines on active sets as deprecated.
        let mut compiler = Command::new("oshcc");
        compiler.arg("-Wno-deprecated-declarations");
        let program = compile(&mut compiler, workspace, folder, part, "openmpi")?;
        let mut command = Command::new("oshrun");
        // Without `memory ^patcher`, programs crash at their end with Debian 12's version.
        command.args(["--allow-run-as-root", "--oversubscribe", "--mca", "memory", "^patcher", "-n", &n.to_string()]);
        command.arg(program).args(["--impl", "openmpi"]);
        Ok(Peer { name: "openmpi", command, json: None })
    };
    parts.iter().map(of).collect()
}

/// Compiles one of the C programs of `apps/bench/c`.
pub(super) fn compile(
    compiler: &mut Command,
    workspace: &Workspace,
    folder: &Path,
    part: &str,
    whose: &str,
) -> Result<PathBuf> {
    let source = workspace.root.join(format!("apps/bench/c/{part}_bench.c"));
    let program = folder.join(format!("{part}_bench-{whose}"));
    output_of(compiler.args(["-O3", "-Wall", "-Wextra", "-o"]).arg(&program).arg(source))?;
    Ok(program)
}

/// The facts about the run, for the first line of its file.
pub fn header(workspace: &Workspace) -> serde_json::Value {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> =
        cpus.lines().filter_map(|l| l.strip_prefix("model name")?.split_once(": ")).map(|m| m.1).collect();
    serde_json::json!({
        "commit": commit::of_sources(workspace),
        "machine": format!("{} × {}", models.len(), models.first().unwrap_or(&"unknown CPU")),
    })
}

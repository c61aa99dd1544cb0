//! `cargo xtask perf peers`: the host part of the benchmarks on this machine, by this library and by others in turn.

use super::rows::Rows;
use super::table::pivot;
use crate::demo::{Profile, bin_dir};
use crate::library::library;
use crate::process::{cargo, output_of, run, run_limited, show};
use crate::ptx::Outcome;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What `cargo xtask perf peers` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Also keep the JSON lines here (default: perf/peers.jsonl in the target folder)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// How often all take their turn; the median counts
    #[arg(long, default_value_t = 3)]
    pub turns: usize,
    /// PEs
    #[arg(short, default_value_t = 2)]
    pub n: usize,
}

const LIMIT: Duration = Duration::from_secs(120);

/// One program to run, under the name that its rows carry.
struct Peer {
    name: &'static str,
    command: Command,
    /// Where it leaves its JSON lines; otherwise it prints them.
    json: Option<PathBuf>,
}

/// Measures, prints the figures of all, then checks the group `host`.
pub fn peers(workspace: &Workspace, options: &Options) -> Result<()> {
    let folder = workspace.target.join("perf");
    fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    let mut peers = vec![ours(workspace, &folder, options.n)?];
    for (name, peer) in
        [("openmpi", openmpi(workspace, &folder, options.n)), ("cushmem-c", ours_in_c(workspace, &folder, options.n))]
    {
        match peer {
            Ok(peer) => peers.push(peer),
            Err(reason) => println!("left out: {name}: {reason:#}"),
        }
    }
    let mut lines = format!("{}\n", header(workspace));
    for turn in 1..=options.turns {
        for peer in &mut peers {
            println!("turn {turn} of {}: {}", options.turns, peer.name);
            lines += &measure(peer)?;
        }
    }
    let file = options.json.clone().unwrap_or_else(|| folder.join("peers.jsonl"));
    fs::write(&file, &lines).with_context(|| format!("write {}", file.display()))?;
    let mut rows = Rows::default();
    rows.read(&lines)?;
    println!("\n{}\n{}\n", pivot(&rows, " ").trim_end(), file.display());
    super::check(workspace, &rows, Some("host"), false)
}

/// Runs it once; its JSON lines.
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

/// `shmem-bench host`.
fn ours(workspace: &Workspace, folder: &Path, n: usize) -> Result<Peer> {
    let build = ["build", "--quiet", "--release", "-p", "cushmem-launcher", "-p", "shmem-bench"];
    run(cargo().current_dir(&workspace.root).args(build))?;
    let bin = bin_dir(&workspace.target, Profile::Release);
    let json = folder.join("cushmem.jsonl");
    let mut command = Command::new(bin.join("shmemrun"));
    command.args(["-n", &n.to_string()]).arg(bin.join("shmem-bench")).args(["host", "--no-gpu", "--json"]).arg(&json);
    Ok(Peer { name: "cushmem", command, json: Some(json) })
}

/// The C program with our C library, if there is a C compiler. Our `shmemcc` by its path, as others have one too.
fn ours_in_c(workspace: &Workspace, folder: &Path, n: usize) -> Result<Peer> {
    if let Outcome::LeftOut(reason) = library(Profile::Release)? {
        bail!("{reason}");
    }
    let bin = bin_dir(&workspace.target, Profile::Release);
    let program = compile(&mut Command::new(bin.join("shmemcc")), workspace, &folder.join("host_bench-cushmem"))?;
    let mut command = Command::new(bin.join("shmemrun"));
    command.args(["-n", &n.to_string()]).arg(program).args(["--impl", "cushmem-c"]);
    Ok(Peer { name: "cushmem-c", command, json: None })
}

/// The C program with Open MPI's OpenSHMEM.
fn openmpi(workspace: &Workspace, folder: &Path, n: usize) -> Result<Peer> {
    output_of(Command::new("oshrun").arg("--version"))
        .context("install it: apt-get install openmpi-bin libopenmpi-dev")?;
    let program = compile(&mut Command::new("oshcc"), workspace, &folder.join("host_bench-openmpi"))?;
    let mut command = Command::new("oshrun");
    // Without the third, programs of Debian 12's version crash when they end.
    command.args(["--allow-run-as-root", "--oversubscribe", "--mca", "memory", "^patcher", "-n", &n.to_string()]);
    command.arg(program).args(["--impl", "openmpi"]);
    Ok(Peer { name: "openmpi", command, json: None })
}

fn compile(compiler: &mut Command, workspace: &Workspace, program: &Path) -> Result<PathBuf> {
    let source = workspace.root.join("apps/bench/c/host_bench.c");
    output_of(compiler.args(["-O3", "-Wall", "-Wextra", "-o"]).arg(program).arg(source))?;
    Ok(program.to_owned())
}

/// What the run was, as the first line of its file.
pub fn header(workspace: &Workspace) -> serde_json::Value {
    let commit = output_of(Command::new("git").current_dir(&workspace.root).args(["rev-parse", "--short", "HEAD"]));
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> =
        cpus.lines().filter_map(|l| l.strip_prefix("model name")?.split_once(": ")).map(|m| m.1).collect();
    serde_json::json!({
        "commit": commit.map_or("unknown".into(), |c| c.trim().to_owned()),
        "machine": format!("{} × {}", models.len(), models.first().unwrap_or(&"unknown CPU")),
    })
}

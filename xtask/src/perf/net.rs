//! `cargo xtask perf net`: measures operations between two virtual nodes on this machine, with each network in turn.

use super::peers::{Peer, in_turns};
use super::verdict::Filter;
use crate::build::{Profile, build};
use crate::report::try_file;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use cushmem_environment as environment;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What `cargo xtask perf net` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Keep the JSON lines in this file [default: perf/net.jsonl in the target folder]
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Number of turns for each network; the median counts. Long transfers depend on where a job's memory and threads
    /// are placed
    #[arg(long, default_value_t = 9)]
    pub turns: usize,
}

const NETWORKS: [&str; 3] = ["verbs", "tcp", "efa"];

/// Measures, prints all figures, then checks the group `net`.
pub fn net(options: &Options) -> Result<()> {
    options.json.as_ref().map_or(Ok(()), try_file)?;
    let workspace = &Workspace::load()?;
    let folder = workspace.target.join("perf");
    fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    let bin = build(workspace, Profile::Release, &["cushmem-launcher", "shmem-bench"])?;
    let of = |name: &&'static str| {
        let json = folder.join(format!("net-{name}.jsonl"));
        let mut command = Command::new(bin.join("shmemrun"));
        command.args(["-n", "2", "--nodes", "2"]).arg(bin.join("shmem-bench")).args(["net", "--json"]).arg(&json);
        command.env(environment::GPU.name, "none").env(environment::NET.name, format!("loopback:{name}"));
        Peer { name, command, json: Some(json) }
    };
    let peers = NETWORKS.iter().map(of).collect();
    let file = options.json.clone().unwrap_or_else(|| folder.join("net.jsonl"));
    in_turns(workspace, peers, options.turns, &file, &Filter::groups(&["net"]))
}

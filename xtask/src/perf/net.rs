//! `cargo xtask perf net`: measures operations between two virtual nodes on this machine: with each network in turn, with
//! libfabric between two processes, and over TCP beside Open MPI.

use super::peers::{Peer, in_turns, job_of_ours, openmpi};
use super::verdict::Filter;
use crate::build::{Profile, bin_dir, build};
use crate::process::{cargo, output_of, run};
use crate::report::try_file;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use cushmem_environment as environment;
use std::fs;
use std::path::{Path, PathBuf};
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
    /// Measure only this group of targets: `net`, the library on the networks within one machine; `ofi`, a NIC over
    /// libfabric; or `nodes`, the C library over libfabric beside Open MPI over UCX, both over TCP
    #[arg(long, value_name = "GROUP", value_parser = GROUPS)]
    pub only: Option<String>,
}

const NETWORKS: [&str; 3] = ["verbs", "tcp", "efa"];
const GROUPS: [&str; 3] = ["net", "ofi", "nodes"];

/// Measures, prints all figures, then checks the groups that were measured.
pub fn net(options: &Options) -> Result<()> {
    options.json.as_ref().map_or(Ok(()), try_file)?;
    let workspace = &Workspace::load()?;
    let folder = workspace.target.join("perf");
    fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    let (mut peers, mut groups) = (Vec::new(), Vec::new());
    for group in GROUPS.into_iter().filter(|group| options.only.as_deref().is_none_or(|only| only == *group)) {
        let found = match group {
            "ofi" => libfabric(workspace),
            "nodes" => nodes(workspace, &folder),
            _ => networks(workspace, &folder),
        };
        match found {
            Ok(found) => {
                peers.extend(found);
                groups.push(group);
            }
            Err(reason) if options.only.is_none() && group != "net" => println!("left out: {group}: {reason:#}"),
            Err(reason) => return Err(reason),
        }
    }
    let file = options.json.clone().unwrap_or_else(|| folder.join("net.jsonl"));
    in_turns(workspace, peers, options.turns, &file, &Filter::groups(&groups))
}

/// `shmem-bench` on each network within one machine.
fn networks(workspace: &Workspace, folder: &Path) -> Result<Vec<Peer>> {
    let bin = build(workspace, Profile::Release, &["cushmem-launcher", "shmem-bench"])?;
    let of = |name: &&'static str| {
        let json = folder.join(format!("net-{name}.jsonl"));
        let mut command = Command::new(bin.join("shmemrun"));
        command.args(["-n", "2", "--nodes", "2"]).arg(bin.join("shmem-bench")).args(["net", "--json"]).arg(&json);
        command.env(environment::GPU.name, "none").env(environment::NET.name, format!("loopback:{name}"));
        Peer { name, command, json: Some(json) }
    };
    Ok(NETWORKS.iter().map(of).collect())
}

/// The program that measures libfabric, with nothing above it and with a NIC.
fn libfabric(workspace: &Workspace) -> Result<Vec<Peer>> {
    let mut build = cargo();
    build.current_dir(&workspace.root).args(["build", "--quiet", "--release", "-p", "cushmem-net", "--example", "ofi"]);
    run(&mut build)?;
    let program = bin_dir(&workspace.target, Profile::Release).join("examples/ofi");
    output_of(Command::new(&program).arg("found"))?;
    let of = |(name, way): (&'static str, &str)| {
        let mut command = Command::new(&program);
        command.arg(way);
        Peer { name, command, json: None }
    };
    Ok([("libfabric", "raw"), ("a NIC over libfabric", "nic")].map(of).into())
}

/// A C program between two nodes, with this library over libfabric's TCP and with Open MPI's OpenSHMEM over UCX's.
fn nodes(workspace: &Workspace, folder: &Path) -> Result<Vec<Peer>> {
    let (mut command, program) = job_of_ours(workspace, folder, 2, "nodes")?;
    command.args(["--nodes", "2"]).arg(program).args(["--impl", "cushmem"]).env(environment::NET.name, "ofi:tcp");
    let mut peers = openmpi(workspace, folder, 2, &["nodes"])?;
    for peer in &mut peers {
        // One-sided operations, and the messages of collectives, through UCX. It offers TCP only, although the PEs
        // could share memory. Without `any`, Open MPI takes UCX for fast networks only.
        peer.command.env("UCX_TLS", "tcp,self").env("UCX_NET_DEVICES", "lo");
        peer.command.env("OMPI_MCA_spml", "ucx").env("OMPI_MCA_pml", "ucx");
        peer.command.env("OMPI_MCA_opal_common_ucx_tls", "any").env("OMPI_MCA_opal_common_ucx_devices", "any");
    }
    peers.insert(0, Peer { name: "cushmem over libfabric", command, json: None });
    Ok(peers)
}

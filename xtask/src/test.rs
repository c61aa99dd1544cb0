//! `cargo xtask test`: runs all tests that this machine can run, then lists what was left out and why.

use crate::kernels::{self, Kernels, Need};
use crate::launch;
use crate::left_out::{List, Suites, VARIABLE};
use crate::machine::cuda_gpus;
use crate::process::{cargo, run, without_build_settings};
use crate::ptx::Outcome;
use crate::runner::{Runner, Without, doctests, leaving_nothing};
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// Options of `cargo xtask test`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// How test jobs place their PEs: a value of `shmemrun --map`
    #[arg(long, value_name = "MAP")]
    pub map: Option<String>,
    /// Number of virtual nodes of test jobs, at most one for each PE
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=i64::from(cushmem_environment::MAX_PES)))]
    pub nodes: Option<u32>,
}

/// Runs everything. Fails if a test fails, or was left out although this machine has what it needs.
pub fn test(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    let list = List::new(&workspace.target)?;
    let Prepared { kernels, left_out } = prepare(&workspace)?;
    let runner = Runner::find(&workspace);
    if matches!(runner, Runner::Cargo) {
        println!("suites run one after the other: with cargo-nextest (https://nexte.st) they would run side by side");
    }
    let mut suites = runner.all(&workspace, &Without::default());
    suites.env(VARIABLE, list.path());
    kernels.limit(&mut suites);
    if let Some(map) = &options.map {
        suites.env(launch::MAP, map);
    }
    if let Some(nodes) = options.nodes {
        suites.env(launch::NODES, nodes.to_string());
    }
    // Build the models at the same time: most tests wait, so a core is often idle.
    let early = explore(&workspace, &workspace.target.join("loom"))
        .args(["--no-run", "--quiet", "--jobs", "1"])
        .stderr(Stdio::null())
        .spawn();
    let suites = leaving_nothing(suites, |mut suites| run(&mut suites));
    let doctests = doctests(&workspace, &kernels);
    // Whatever this build did not finish is built below, where errors are reported.
    drop(early.and_then(|mut build| build.wait()));
    let models = run(&mut explore(&workspace, &workspace.target.join("loom")));
    let left_out = list.close(&left_out, Suites::All);
    let failed: Vec<String> =
        [suites, doctests, models, left_out].into_iter().filter_map(Result::err).map(|e| format!("{e:#}")).collect();
    if !failed.is_empty() {
        bail!("{}", failed.join("; "));
    }
    Ok(())
}

/// What was built for the suites.
pub struct Prepared {
    /// Whether suites can run their kernels on NVIDIA's GPUs.
    pub kernels: Kernels,
    /// What has to be left out, with the reasons.
    pub left_out: Vec<String>,
}

/// Builds what the suites start and contain: all programs and tests, the C library and, where there is a GPU, the PTX
/// of tests.
pub fn prepare(workspace: &Workspace) -> Result<Prepared> {
    let mut left_out = Vec::new();
    if let Err(reason) = cuda_gpus() {
        left_out.push(format!("suites on CUDA: {reason}"));
    }
    // This comes before the suites, because they contain the PTX.
    let kernels = kernels::ready(workspace, None, Need::Here)?;
    if let Kernels::LeftOut(reason) = &kernels {
        left_out.push(format!("PTX of tests and benchmarks: {reason}"));
    }
    run(cargo().current_dir(&workspace.root).args(["build", "--quiet", "--workspace", "--bins", "--tests"]))?;
    if let Outcome::LeftOut(reason) = crate::library::library(crate::build::Profile::Dev)? {
        left_out.push(format!("C programs: {reason}"));
    }
    Ok(Prepared { kernels, left_out })
}

/// The command that explores the protocols with loom: it runs every crate's test called `model`, which `--cfg loom`
/// enables. Its target folder is its own, because the other flags would make cargo rebuild everything each time.
pub fn explore(workspace: &Workspace, target: &Path) -> Command {
    let mut command = without_build_settings("cargo");
    command.current_dir(&workspace.root).env("RUSTFLAGS", "--cfg loom").env("CARGO_TARGET_DIR", target);
    command.args(["test", "--release", "--no-fail-fast", "--test", "model"]);
    command.args(modelled(workspace).iter().flat_map(|name| ["-p", name]));
    command
}

/// The members that have a model.
pub fn modelled(workspace: &Workspace) -> Vec<&str> {
    workspace.packages.iter().filter(|p| p.has_test("model")).map(|p| p.name.as_str()).collect()
}

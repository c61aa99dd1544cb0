//! `cargo xtask test`: runs all tests that this machine can run, then lists what was left out and why.

use crate::kernels::{self, Kernels, Need};
use crate::launch;
use crate::left_out::{List, Suites, VARIABLE};
use crate::machine::cuda_gpus;
use crate::process::{cargo, run, without_build_settings};
use crate::ptx::Outcome;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::process::{Command, Stdio};

/// Options of `cargo xtask test`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// How test jobs place their PEs: a value of `shmemrun --map`
    #[arg(long, value_name = "MAP")]
    pub map: Option<String>,
    /// Number of virtual nodes of test jobs, at most one for each PE
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub nodes: Option<u32>,
}

/// What ends the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The list of what was left out, for people.
    LeftOut,
    /// The test runner's own lines, for programs that read them.
    Runner,
}

/// More test threads only compete for the same cores, because a multi-PE test is already several processes.
const MAX_TEST_THREADS: usize = 4;

/// Runs everything. Fails if a test fails, or was left out although this machine has what it needs. `more` lists what
/// the caller left out.
pub fn test(options: &Options, closing: Closing, mut more: Vec<String>) -> Result<()> {
    let workspace = Workspace::load()?;
    let list = List::new(&workspace.target)?;
    if let Err(reason) = cuda_gpus() {
        more.push(format!("suites on CUDA: {reason}"));
    }
    // This comes before the suites, because they contain the PTX.
    let kernels = kernels::ready(&workspace, None, Need::Here)?;
    if let Kernels::LeftOut(reason) = &kernels {
        more.push(format!("PTX of tests and benchmarks: {reason}"));
    }
    // Tests start programs, above all shmemrun, that `cargo test` alone does not build.
    run(cargo().current_dir(&workspace.root).args(["build", "--workspace", "--bins"]))?;
    if let Outcome::LeftOut(reason) = crate::library::library(crate::demo::Profile::Dev)? {
        more.push(format!("C programs: {reason}"));
    }
    let mut suites = suites(&workspace, &list);
    suites.args(["--workspace", "--no-fail-fast"]);
    kernels.limit(&mut suites);
    if let Some(map) = &options.map {
        suites.env(launch::MAP, map);
    }
    if let Some(nodes) = options.nodes {
        suites.env(launch::NODES, nodes.to_string());
    }
    // Build the models at the same time: most tests wait, so a core is often idle.
    let early = explore(&workspace).args(["--no-run", "--quiet", "--jobs", "1"]).stderr(Stdio::null()).spawn();
    let suites = run(&mut suites);
    // Whatever this build did not finish is built below, where errors are reported.
    drop(early.and_then(|mut build| build.wait()));
    let (models, left_out) = match closing {
        Closing::LeftOut => (models(&workspace), list.close(&more, Suites::All)),
        Closing::Runner => {
            let left_out = list.close(&more, Suites::All);
            (models(&workspace), left_out)
        }
    };
    let failed: Vec<String> =
        [suites, models, left_out].into_iter().filter_map(Result::err).map(|e| format!("{e:#}")).collect();
    if !failed.is_empty() {
        bail!("{}", failed.join("; "));
    }
    Ok(())
}

fn suites(workspace: &Workspace, list: &List) -> Command {
    let mut command = cargo();
    command.current_dir(&workspace.root).arg("test").env(VARIABLE, list.path());
    limit_threads(&mut command);
    command
}

/// Runs as many tests at once as the machine can take, unless the user has set the number.
pub(crate) fn limit_threads(command: &mut Command) {
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        command.env("RUST_TEST_THREADS", cores.min(MAX_TEST_THREADS).to_string());
    }
}

/// Explores the protocols with loom.
fn models(workspace: &Workspace) -> Result<()> {
    run(&mut explore(workspace))
}

/// The command for that. It runs every crate's test called `model`, which `--cfg loom` enables.
fn explore(workspace: &Workspace) -> Command {
    let mut command = without_build_settings("cargo");
    command.current_dir(&workspace.root).env("RUSTFLAGS", "--cfg loom");
    // In a folder of its own, because the other flags would make cargo rebuild everything each time.
    command.env("CARGO_TARGET_DIR", workspace.target.join("loom"));
    command.args(["test", "--release", "--no-fail-fast", "--test", "model"]);
    let modelled = workspace.packages.iter().filter(|p| p.has_test("model"));
    command.args(modelled.flat_map(|p| ["-p", &p.name]));
    command
}

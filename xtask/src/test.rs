//! `cargo xtask test`: all tests that this machine can run, then what it could not and why.

use crate::left_out::{List, VARIABLE};
use crate::machine::cuda_gpus;
use crate::process::{cargo, run, without_build_settings};
use crate::ptx::Outcome;
use crate::ptx::toolchain::Toolchain;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::process::Command;

/// What comes last in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The list of what was left out, for people.
    LeftOut,
    /// The test runner's own lines, for programs that read them.
    Runner,
}

/// More of them at once only compete for the same cores: a multi-PE test is several processes already.
const MAX_TEST_THREADS: usize = 4;

/// Runs everything; an error if a test fails. `more` is what the caller left out.
pub fn test(closing: Closing, mut more: Vec<String>) -> Result<()> {
    let workspace = Workspace::load()?;
    let list = List::new(&workspace.target)?;
    if let Err(reason) = cuda_gpus() {
        more.push(format!("suites on CUDA: {reason}"));
    }
    if let Err(reason) = Toolchain::find() {
        more.push(format!("PTX from source: {reason}"));
    }
    // Tests start programs, shmemrun first of all, that `cargo test` alone does not build.
    run(cargo().current_dir(&workspace.root).args(["build", "--workspace", "--bins"]))?;
    if let Outcome::LeftOut(reason) = crate::library::library(crate::demo::Profile::Dev)? {
        more.push(format!("C programs: {reason}"));
    }
    let suites = run(&mut suites(&workspace, &list));
    if closing == Closing::Runner {
        list.print(&more)?;
    }
    let models = models(&workspace);
    if closing == Closing::LeftOut {
        list.print(&more)?;
    }
    match (suites, models) {
        (Ok(()), Ok(())) => Ok(()),
        (Err(e), Ok(())) | (Ok(()), Err(e)) => Err(e),
        (Err(a), Err(b)) => bail!("{a:#}; {b:#}"),
    }
}

fn suites(workspace: &Workspace, list: &List) -> Command {
    let mut command = cargo();
    command.current_dir(&workspace.root).args(["test", "--workspace", "--no-fail-fast"]).env(VARIABLE, list.path());
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        command.env("RUST_TEST_THREADS", cores.min(MAX_TEST_THREADS).to_string());
    }
    command
}

/// Explores the protocols with loom: every crate's test called `model`, which `--cfg loom` brings to life.
fn models(workspace: &Workspace) -> Result<()> {
    let is_model = |t: &crate::workspace::Target| t.name == "model" && t.kind.iter().any(|k| k == "test");
    for package in workspace.packages.iter().filter(|p| p.targets.iter().any(is_model)) {
        let mut command = without_build_settings("cargo");
        command.current_dir(&workspace.root).env("RUSTFLAGS", "--cfg loom");
        // Its own folder: other flags would make cargo build everything else again each time.
        command.env("CARGO_TARGET_DIR", workspace.target.join("loom"));
        run(command.args(["test", "--release", "-p", &package.name, "--test", "model"]))?;
    }
    Ok(())
}

//! `cargo xtask sanitize`: runs tests under the sanitizers and under Miri, with the pinned nightly compiler. It is not
//! part of `ci`, because the standard library has to be rebuilt for each of them.
//!
//! A sanitizer sees one process, so the races that it finds are those between threads of one PE. What happens between
//! PEs is left to the models, and to litmus tests on real machines. Miri runs the crates that neither share memory with
//! other processes nor make system calls.

use crate::process::{cargo, run, without_build_settings};
use crate::ptx::toolchain::Toolchain;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::fs;

/// Options of `cargo xtask sanitize`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Run only this tool
    #[arg(long, value_enum)]
    pub only: Option<Tool>,
}

/// One of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Tool {
    /// ThreadSanitizer: data races
    Thread,
    /// AddressSanitizer: invalid memory accesses
    Address,
    /// Miri: undefined behaviour
    Miri,
}

/// The sanitizers need an explicit target.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Tests without a GPU: the emulated GPU gives its lanes stacks of their own, which sanitizers do not know about.
const TESTS: &str = "host::";
/// Crates, and the prefix of the names of their tests that make no foreign calls and do not take Miri hours.
const PURE: [(&str, &str); 2] = [("cushmem-environment", ""), ("cushmem-bootstrap", "wire")];

/// Runs all tools, even after one has found something.
pub fn sanitize(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    let toolchain = Toolchain::find().map_err(anyhow::Error::msg)?;
    let mut failed = vec![];
    for tool in [Tool::Thread, Tool::Address, Tool::Miri].into_iter().filter(|t| options.only.is_none_or(|o| o == *t)) {
        println!("== {tool:?}");
        let found = match tool {
            Tool::Thread => sanitized(&workspace, &toolchain, "thread"),
            Tool::Address => sanitized(&workspace, &toolchain, "address"),
            Tool::Miri => miri(&workspace, &toolchain),
        };
        if let Err(error) = found {
            eprintln!("xtask: {tool:?}: {error:#}");
            failed.push(format!("{tool:?}"));
        }
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    println!("nothing found");
    Ok(())
}

/// The tests of the host API. The launcher is built as usual, without the sanitizer.
fn sanitized(workspace: &Workspace, toolchain: &Toolchain, sanitizer: &str) -> Result<()> {
    let target = workspace.target.join("sanitize").join(sanitizer);
    run(cargo().current_dir(&workspace.root).args([
        "build",
        "--quiet",
        "-p",
        "cushmem-launcher",
        "--bin",
        "shmemrun",
    ]))?;
    let beside = target.join(TARGET).join("debug");
    fs::create_dir_all(&beside)?;
    fs::copy(workspace.target.join("debug/shmemrun"), beside.join("shmemrun"))?;
    let mut test = without_build_settings("rustup");
    test.current_dir(&workspace.root).args(["run", toolchain.name(), "cargo", "test", "--quiet", "-Zbuild-std"]);
    test.args(["--target", TARGET, "-p", "cushmem-conformance", "--test", "host", "--", TESTS, "--test-threads=1"]);
    test.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", format!("-Zsanitizer={sanitizer}"));
    // Whatever a PE holds when it exits is released with the process.
    test.env("ASAN_OPTIONS", "detect_leaks=0");
    run(&mut test)
}

fn miri(workspace: &Workspace, toolchain: &Toolchain) -> Result<()> {
    for (package, tests) in PURE {
        let mut test = without_build_settings("rustup");
        test.current_dir(&workspace.root).args(["run", toolchain.name(), "cargo", "miri", "test", "--quiet"]);
        test.args(["-p", package, "--lib", "--", tests]);
        test.env("CARGO_TARGET_DIR", workspace.target.join("sanitize/miri"));
        // The flags are for tests that write files, and for randomized tests.
        test.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "16");
        run(&mut test)?;
    }
    Ok(())
}

//! `cargo xtask demo`: shows on whatever machine this is that the library works.

use crate::process::{cargo, run};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the programs are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// As tests are.
    Dev,
    /// For speed.
    Release,
}

/// How big the demo is.
pub struct Size {
    /// Rows and columns of the grid.
    pub cells: u32,
    /// Iterations.
    pub iterations: u32,
}

impl Size {
    /// For people.
    pub const FULL: Self = Self { cells: 1024, iterations: 100 };
    /// For CI.
    pub const SHORT: Self = Self { cells: 256, iterations: 20 };
}

/// Builds launcher and stencil2d, runs them on four PEs, verified, and says where the picture is.
pub fn demo(profile: Profile, size: &Size) -> Result<()> {
    let workspace = Workspace::load()?;
    let bin_dir = build(&workspace, profile)?;
    let picture = workspace.target.join("stencil2d.png");
    let mut job = Command::new(bin_dir.join("shmemrun"));
    job.current_dir(&workspace.root).args(["-n", "4", "--timeout", "120"]).arg(bin_dir.join("stencil2d"));
    job.args(["--size", &size.cells.to_string(), "--iters", &size.iterations.to_string(), "--verify", "--png"]);
    run(job.arg(&picture)).context("the demo failed")?;
    anyhow::ensure!(picture.exists(), "stencil2d ended well but {} is missing", picture.display());
    println!("picture: {}", workspace.relative(&picture).display());
    Ok(())
}

/// Builds launcher and stencil2d; the folder they lie in.
pub fn build(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    let mut build = cargo();
    build.current_dir(&workspace.root).args(["build", "--quiet", "-p", "cushmem-launcher", "-p", "stencil2d"]);
    if profile == Profile::Release {
        build.arg("--release");
    }
    run(&mut build)?;
    Ok(bin_dir(&workspace.target, profile))
}

/// Where cargo puts programs.
pub fn bin_dir(target: &Path, profile: Profile) -> PathBuf {
    target.join(if profile == Profile::Release { "release" } else { "debug" })
}

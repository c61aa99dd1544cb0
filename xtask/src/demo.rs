//! `cargo xtask demo`: shows that the library works on this machine.

use crate::process::{cargo, run};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the programs are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// As for tests.
    Dev,
    /// In release mode.
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

/// Builds the launcher and stencil2d, runs stencil2d on four PEs, verified, and prints where the picture is.
pub fn demo(profile: Profile, size: &Size) -> Result<()> {
    let workspace = Workspace::load()?;
    let bin_dir = build(&workspace, profile)?;
    let picture = workspace.target.join("stencil2d.png");
    draw(&bin_dir, size, &picture)?;
    println!("picture: {}", workspace.relative(&picture).display());
    Ok(())
}

/// Fails if the programs do not produce a new picture.
fn draw(bin_dir: &Path, size: &Size, picture: &Path) -> Result<()> {
    if picture.exists() {
        fs::remove_file(picture).with_context(|| format!("remove {}", picture.display()))?;
    }
    let mut job = Command::new(bin_dir.join("shmemrun"));
    job.args(["-n", "4", "--timeout", "120"]).arg(bin_dir.join("stencil2d"));
    job.args(["--size", &size.cells.to_string(), "--iters", &size.iterations.to_string(), "--verify", "--png"]);
    run(job.arg(picture)).context("the demo failed")?;
    ensure!(picture.exists(), "stencil2d succeeded but {} is missing", picture.display());
    Ok(())
}

/// Builds the launcher and stencil2d, and returns the folder that contains them.
pub fn build(workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
    let mut build = cargo();
    build.current_dir(&workspace.root).args(["build", "--quiet", "-p", "cushmem-launcher", "-p", "stencil2d"]);
    if profile == Profile::Release {
        build.arg("--release");
    }
    run(&mut build)?;
    Ok(bin_dir(&workspace.target, profile))
}

/// The folder into which cargo puts programs.
pub fn bin_dir(target: &Path, profile: Profile) -> PathBuf {
    target.join(if profile == Profile::Release { "release" } else { "debug" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_of_an_earlier_run_does_not_count() {
        let folder = std::env::temp_dir().join(format!("cushmem-demo-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        crate::executable::write(&folder.join("shmemrun"), "#!/bin/sh\n").expect("a script");
        let picture = folder.join("stencil2d.png");
        fs::write(&picture, "old").expect("a file");
        let drawn = draw(&folder, &Size::SHORT, &picture);
        fs::remove_dir_all(&folder).expect("our folder");
        assert!(drawn.is_err_and(|e| e.to_string().contains("is missing")));
    }
}

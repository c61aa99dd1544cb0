//! Builds programs.

use crate::process::{cargo, run};
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// How programs are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// With the profile that tests use.
    Dev,
    /// In release mode.
    Release,
}

/// Builds these packages, and returns the folder that contains their programs.
///
/// In the profile of tests, `xtask` is built along with them, if only because it was built before: its features of
/// shared crates are those of the whole workspace. For some packages alone, cargo would choose fewer features, and
/// build those crates and all that uses them once more.
pub fn build(workspace: &Workspace, profile: Profile, packages: &[&str]) -> Result<PathBuf> {
    let mut build = cargo();
    build.current_dir(&workspace.root).args(["build", "--quiet"]);
    match profile {
        Profile::Dev => build.args(["-p", "xtask"]),
        Profile::Release => build.arg("--release"),
    };
    run(build.args(packages.iter().flat_map(|package| ["-p", package])))?;
    Ok(bin_dir(&workspace.target, profile))
}

/// The folder into which cargo puts programs.
pub fn bin_dir(target: &Path, profile: Profile) -> PathBuf {
    target.join(if profile == Profile::Release { "release" } else { "debug" })
}

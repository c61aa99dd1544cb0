//! Builds the bundle's programs and asks cargo where they are.

use crate::build::Profile;
use crate::process::{cargo, show};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use cargo_metadata::{Artifact, Message, TargetKind};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program that cargo built.
#[derive(Debug, PartialEq, Eq)]
pub struct Executable {
    /// Name in the bundle.
    pub name: String,
    /// Where it is now.
    pub path: PathBuf,
}

/// Crates whose tests need cargo and the sources.
const NEED_SOURCES: [&str; 3] = ["xtask", "cushmem-outside", "cushmem-ptx-tests"];

/// All programs of the workspace.
pub fn programs(workspace: &Workspace) -> Result<Vec<Executable>> {
    let mut build = cargo();
    build.args(["build", "--release", "--workspace", "--bins"]);
    let built = executables(workspace, &mut build)?;
    Ok(built.into_iter().map(|(artifact, path)| Executable { name: artifact.target.name, path }).collect())
}

/// All test suites that run without the sources: those in a `tests` folder, and the unit tests of the runtime.
pub fn suites(workspace: &Workspace, profile: Profile) -> Result<Vec<Executable>> {
    let mut build = cargo();
    build.args(["test", "--workspace", "--no-run"]);
    if profile == Profile::Release {
        build.arg("--release");
    }
    for name in NEED_SOURCES.iter().filter(|n| workspace.package(n).is_some()) {
        build.args(["--exclude", name]);
    }
    let mut found = Vec::new();
    for (Artifact { package_id, target, .. }, path) in executables(workspace, &mut build)? {
        let package = workspace.member(&package_id).context("cargo built a crate that is no member")?;
        let of_runtime = workspace.relative(package.dir()).starts_with("runtime");
        let is_unit_test = target.is_kind(TargetKind::Lib);
        if target.is_kind(TargetKind::Test) || (is_unit_test && of_runtime) {
            let test = if is_unit_test { "unit" } else { &target.name };
            found.push(Executable { name: format!("{}.{test}", package.name), path });
        }
    }
    Ok(found)
}

/// The executables that the command builds.
pub fn executables(workspace: &Workspace, build: &mut Command) -> Result<Vec<(Artifact, PathBuf)>> {
    build.current_dir(&workspace.root).args(["--quiet", "--message-format=json-render-diagnostics"]);
    let shown = show(build);
    let out = build.stderr(Stdio::inherit()).output().with_context(|| format!("start {shown}"))?;
    if !out.status.success() {
        bail!("{shown}: {}", out.status);
    }
    let mut found = Vec::new();
    for message in Message::parse_stream(out.stdout.as_slice()) {
        let Message::CompilerArtifact(artifact) = message.with_context(|| format!("read what {shown} printed"))? else {
            continue;
        };
        if let Some(path) = artifact.executable.clone() {
            found.push((artifact, path.into()));
        }
    }
    Ok(found)
}

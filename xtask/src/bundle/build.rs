//! Builds what goes into the bundle and learns from cargo where it lies.

use crate::process::{cargo, show};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program that cargo built.
#[derive(Debug, PartialEq, Eq)]
pub struct Executable {
    /// Name in the bundle.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// Crates whose tests need cargo and the sources.
const NEED_SOURCES: [&str; 2] = ["xtask", "cushmem-ptx-tests"];

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    package_id: String,
    target: Option<MessageTarget>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct MessageTarget {
    name: String,
    kind: Vec<String>,
}

/// All programs of the workspace.
pub fn programs(workspace: &Workspace) -> Result<Vec<Executable>> {
    let mut build = cargo();
    build.args(["build", "--release", "--workspace", "--bins"]);
    let messages = messages(workspace, &mut build)?;
    Ok(executables(&messages).map(|(_, t, path)| Executable { name: t.name.clone(), path }).collect())
}

/// All test suites that run without the sources: those in a `tests` folder, and the unit tests of the runtime.
pub fn suites(workspace: &Workspace) -> Result<Vec<Executable>> {
    let mut build = cargo();
    build.args(["test", "--release", "--workspace", "--no-run"]);
    for name in NEED_SOURCES.iter().filter(|n| workspace.package(n).is_some()) {
        build.args(["--exclude", name]);
    }
    let messages = messages(workspace, &mut build)?;
    let mut found = Vec::new();
    for (id, target, path) in executables(&messages) {
        let is_suite = target.kind.iter().any(|k| k == "test");
        let is_unit_test = target.kind.iter().any(|k| k == "lib");
        let package =
            workspace.packages.iter().find(|p| p.id == id).context("cargo built a crate that is no member")?;
        let of_runtime = workspace.relative(package.dir()).starts_with("runtime");
        if is_suite || (is_unit_test && of_runtime) {
            let test = if is_unit_test { "unit" } else { &target.name };
            found.push(Executable { name: format!("{}.{test}", package.name), path });
        }
    }
    Ok(found)
}

fn executables(messages: &[Message]) -> impl Iterator<Item = (&str, &MessageTarget, PathBuf)> {
    messages.iter().filter_map(|m| Some((m.package_id.as_str(), m.target.as_ref()?, m.executable.clone()?)))
}

fn messages(workspace: &Workspace, build: &mut Command) -> Result<Vec<Message>> {
    build.current_dir(&workspace.root).args(["--quiet", "--message-format=json-render-diagnostics"]);
    let shown = show(build);
    let out = build.stderr(Stdio::inherit()).output().with_context(|| format!("start {shown}"))?;
    if !out.status.success() {
        bail!("{shown}: {}", out.status);
    }
    let text = String::from_utf8_lossy(&out.stdout);
    text.lines().map(|l| serde_json::from_str(l).with_context(|| format!("read what {shown} printed: {l}"))).collect()
}

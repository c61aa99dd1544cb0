//! Which commit programs were built from, for readers of their results.

use crate::process::output_of;
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The file beside a bundle's programs that names their commit, because a bundle lacks the sources.
pub const FILE: &str = "commit.txt";
const UNKNOWN: &str = "unknown";

/// The commit of the sources here.
pub fn of_sources(workspace: &Workspace) -> String {
    let commit = output_of(Command::new("git").current_dir(&workspace.root).args(["rev-parse", "--short", "HEAD"]));
    commit.map_or(UNKNOWN.into(), |text| text.trim().to_owned())
}

/// A number that differs from commit to commit, from which tests that take turns draw their share.
pub fn number(workspace: &Workspace) -> u32 {
    let commit = output_of(Command::new("git").current_dir(&workspace.root).args(["rev-parse", "HEAD"]));
    let first = commit.ok().and_then(|text| u32::from_str_radix(text.get(..8)?, 16).ok());
    first.unwrap_or(1)
}

/// The commit of the programs of a bundle.
pub fn of_programs(folder: &Path) -> String {
    fs::read_to_string(folder.join(FILE)).map_or(UNKNOWN.into(), |text| text.trim().to_owned())
}

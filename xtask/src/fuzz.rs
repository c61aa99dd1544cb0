//! Runs the tests called `fuzz`, which feed parsers with damaged inputs, with more inputs than by default.

use crate::process::{cargo, run};
use crate::workspace::Workspace;
use anyhow::Result;
use cushmem_environment::{TEST_INPUTS, TEST_SEED};

/// The crate that such tests use.
const CRATE: &str = "cushmem-fuzz";

/// Gives each parser so many inputs, drawn from a seed.
pub fn fuzz(workspace: &Workspace, inputs: u64, seed: u64) -> Result<()> {
    let uses_it = |dependency: &cargo_metadata::Dependency| dependency.name == CRATE;
    let members = workspace.packages.iter().filter(|package| package.cargo.dependencies.iter().any(uses_it));
    let mut command = cargo();
    command.current_dir(&workspace.root).args(["test", "--quiet", "--no-fail-fast", "--lib", "--bins"]);
    command.args(members.flat_map(|package| ["-p", package.name.as_str()])).arg("fuzz::");
    run(command.env(TEST_INPUTS.name, inputs.to_string()).env(TEST_SEED.name, seed.to_string()))
}

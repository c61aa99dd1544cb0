//! `cargo xtask matrix`: builds and runs `tests/matrix`.

use crate::build::{Profile, build};
use crate::kernels::{self, Need};
use crate::process::run;
use crate::workspace::Workspace;
use anyhow::Result;
use std::process::Command;

/// Options of `cargo xtask matrix`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// Options of the matrix itself; `cargo xtask matrix -- --help` lists them
    #[arg(last = true)]
    pub arguments: Vec<String>,
}

/// Tries all cells. Fails if one behaves differently from what the data says.
pub fn matrix(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    let kernels = kernels::ready(&workspace, Some(&["cushmem-conformance-kernels"]), Need::Here)?;
    kernels.say();
    let programs = build(&workspace, Profile::Dev, &["cushmem-launcher", "cushmem-matrix"])?;
    run(Command::new(programs.join("cushmem-matrix")).current_dir(&workspace.root).args(&options.arguments))
}

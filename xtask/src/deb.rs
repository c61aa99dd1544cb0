//! `cargo xtask deb`: makes a Debian package of an installation. It installs into `/opt/cushmem`, because
//! `/usr/bin/shmemrun` and `shmemcc` belong to Debian's Open MPI.

use crate::install::{self, Content, put};
use crate::machine::on_path;
use crate::process::{output_of, run};
use crate::ptx::Outcome;
use crate::report::shown;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of `cargo xtask deb`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder for the package [default: the target folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The folder that the package installs into, without the leading `/`.
pub const PREFIX: &str = "opt/cushmem";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Builds in release mode and packs; skipped where Debian's tool is missing.
pub fn deb(options: &Options) -> Result<Outcome> {
    if !on_path("dpkg-deb") {
        return Ok(Outcome::LeftOut("no dpkg-deb here".into()));
    }
    let workspace = Workspace::load()?;
    let from = install::build(&workspace)?;
    let out = options.out.as_ref().unwrap_or(&workspace.target);
    let package = pack(&workspace.root, &from, &workspace.target.join("deb"), out)?;
    println!("{}: installs to /{PREFIX}", shown(&package));
    Ok(Outcome::Done)
}

/// Packs what was built in the folder `from`, and returns the path of the package. `work` is a temporary folder.
pub fn pack(root: &Path, from: &Path, work: &Path, out: &Path) -> Result<PathBuf> {
    if work.exists() {
        fs::remove_dir_all(work).with_context(|| format!("empty {}", work.display()))?;
    }
    install::lay_out(root, from, &work.join(PREFIX), false)?;
    put(&Content::Text(control()?), &work.join("DEBIAN/control"))?;
    fs::create_dir_all(out).with_context(|| format!("make {}", out.display()))?;
    let package = out.join(format!("cushmem_{VERSION}_{}.deb", architecture()));
    // gzip, because xz takes ten times as long.
    run(Command::new("dpkg-deb").args(["--root-owner-group", "-Zgzip", "-z6", "--build"]).arg(work).arg(&package))?;
    fs::remove_dir_all(work).with_context(|| format!("remove {}", work.display()))?;
    Ok(package)
}

/// Debian's name for this machine's processor architecture.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

fn control() -> Result<String> {
    // The output is like `glibc 2.36`: programs need the C library of the machine on which they were linked, or a later
    // one.
    let libc = output_of(Command::new("getconf").arg("GNU_LIBC_VERSION"))?;
    let libc = libc.trim().rsplit(' ').next().unwrap_or_default().to_owned();
    Ok(format!(
        "Package: cushmem\nVersion: {VERSION}\nArchitecture: {}\nMaintainer: The cushmem developers <cushmem@invalid>\n\
         Section: devel\nPriority: optional\nDepends: libc6 (>= {libc}), libgcc-s1\nRecommends: gcc\n\
         Description: OpenSHMEM for hosts with GPUs\n \
         Programs, libraries, headers and manuals lie in /{PREFIX}: put /{PREFIX}/bin on your PATH.\n",
        architecture()
    ))
}

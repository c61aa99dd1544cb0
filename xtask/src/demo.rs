//! `cargo xtask demo`: shows that the library works on this machine.

use crate::build::{Profile, build};
use crate::kernels::{self, Kernels, Need};
use crate::machine::cuda_gpus;
use crate::process::{run, show};
use crate::report::shown;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

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
    let bin_dir = build(&workspace, profile, &PROGRAMS)?;
    let picture = workspace.target.join("stencil2d.png");
    // Without GPUs, kernels cannot be missing.
    let (may_lack, no_limit) = (cuda_gpus().is_ok(), Kernels::Ready);
    if draw(&bin_dir, size, &picture, &no_limit, may_lack)? == Drawn::LacksKernels {
        let kernels = kernels::ready(&workspace, Some(&[KERNELS]), Need::Here)?;
        kernels.say();
        build(&workspace, profile, &PROGRAMS)?;
        draw(&bin_dir, size, &picture, &kernels, false)?;
    }
    println!("picture: {}", shown(workspace.relative(&picture)));
    Ok(())
}

/// The packages of the programs that it runs.
pub const PROGRAMS: [&str; 2] = ["cushmem-launcher", "stencil2d"];

/// The kernels of stencil2d.
const KERNELS: &str = "stencil2d-kernels";

/// How a job of stencil2d ended that did not fail otherwise.
#[derive(Debug, PartialEq, Eq)]
enum Drawn {
    Picture,
    /// The committed PTX does not suffice, because GPUs here do not reach each other's memory, or is not that of the
    /// sources.
    LacksKernels,
}

/// Fails if the programs do not produce a new picture. If they `may_lack` kernels, their errors are shown at the end,
/// and not at all if kernels are what they lack.
fn draw(bin_dir: &Path, size: &Size, picture: &Path, kernels: &Kernels, may_lack: bool) -> Result<Drawn> {
    if picture.exists() {
        fs::remove_file(picture).with_context(|| format!("remove {}", picture.display()))?;
    }
    let mut job = Command::new(bin_dir.join("shmemrun"));
    job.args(["-n", "4", "--timeout", "120"]).arg(bin_dir.join("stencil2d"));
    job.args(["--size", &size.cells.to_string(), "--iters", &size.iterations.to_string(), "--verify", "--png"]);
    kernels.limit(job.arg(picture));
    if may_lack {
        let out = job.stderr(Stdio::piped()).spawn().and_then(std::process::Child::wait_with_output);
        let out = out.with_context(|| format!("start {}", show(&job)))?;
        let said = String::from_utf8_lossy(&out.stderr);
        // The library's error names the command that builds them.
        if !out.status.success() && said.contains(&format!("cargo shmem-ptx -p {KERNELS}")) {
            return Ok(Drawn::LacksKernels);
        }
        eprint!("{said}");
        if !out.status.success() {
            bail!("the demo failed: {}: {}", show(&job), out.status);
        }
    } else {
        run(&mut job).context("the demo failed")?;
    }
    ensure!(picture.exists(), "stencil2d succeeded but {} is missing", picture.display());
    Ok(Drawn::Picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;

    #[test]
    fn the_picture_of_an_earlier_run_does_not_count() {
        let folder = Folder::new("demo").expect("a folder");
        crate::executable::write(&folder.join("shmemrun"), "#!/bin/sh\n").expect("a script");
        let picture = folder.join("stencil2d.png");
        fs::write(&picture, "old").expect("a file");
        let drawn = draw(&folder, &Size::SHORT, &picture, &Kernels::Ready, false);
        assert!(drawn.is_err_and(|e| e.to_string().contains("is missing")));
    }

    /// Catches a demo that fails on GPUs for which the committed kernels do not suffice, and one that hides errors.
    #[test]
    fn missing_kernels_are_told_from_other_failures() {
        let folder = Folder::new("demo-kernels").expect("a folder");
        let picture = folder.join("stencil2d.png");
        let script = "#!/bin/sh\nfor last; do :; done\nif [ \"$CUSHMEM_GPU\" = soft ]; then echo > \"$last\"; exit; fi\n\
                      echo \"PE 0: run \\`cargo shmem-ptx -p $1-kernels\\`, and build again\" >&2; exit 1\n";
        let drawn = |crate_name: &str, kernels: &Kernels, may_lack| {
            crate::executable::write(&folder.join("shmemrun"), &script.replace("$1", crate_name)).expect("a script");
            draw(&folder, &Size::SHORT, &picture, kernels, may_lack).map_err(|error| format!("{error:#}"))
        };
        let lacks = drawn("stencil2d", &Kernels::Ready, true);
        let other = drawn("lbm", &Kernels::Ready, true);
        let soft = drawn("stencil2d", &Kernels::LeftOut("no network".into()), false);
        assert_eq!((lacks, soft), (Ok(Drawn::LacksKernels), Ok(Drawn::Picture)));
        assert!(other.as_ref().is_err_and(|error| error.contains("the demo failed")), "{other:?}");
    }
}

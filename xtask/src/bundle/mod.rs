//! `cargo xtask bundle`: makes one folder with everything that a machine without Rust needs to test and measure:
//! programs, test suites, PTX, cubins, and `run.sh`, which runs everything and prints one table.

mod build;

use crate::build::{Profile, bin_dir};
use crate::commit;
use crate::kernels::{self, Kernels, Need};
use crate::library::{FOLDER, library};
use crate::packages::SONAME;
use crate::process::run;
use crate::ptx::Outcome;
use crate::ptx::emit::{Ptx, current};
use crate::ptx::ptxas::Ptxas;
use crate::report::shown;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
pub(crate) use build::{Executable, executables, suites};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `cargo xtask bundle` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder to make [default: target/bundle]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The GPU architecture that cubins are made for; others compile the PTX when they load it.
pub(crate) const CUBIN_ARCH: &str = "sm_90";
/// The limit on the archive, which is copied to the machines with GPUs.
const MAX_COMPRESSED_BYTES: u64 = 32_000_000;
const RUN_SH: &str = include_str!("run.sh");
/// An empty file in each folder that this command makes.
const MARK: &str = ".cushmem-bundle";

/// Makes the folder, and a compressed archive of it beside it.
pub fn bundle(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    let out = options.out.clone().unwrap_or_else(|| workspace.target.join("bundle"));
    start_afresh(&out)?;
    let bin = out.join("bin");
    fs::create_dir_all(bin.join("deps")).with_context(|| format!("make {}", bin.display()))?;
    write_script(&out.join("run.sh"))?;
    // The PTX is built before the programs, which embed it.
    if let Kernels::LeftOut(reason) = kernels::ready(&workspace, None, Need::Always)? {
        bail!("a bundle needs PTX that is not committed: {reason}");
    }
    copy(&build::programs(&workspace)?, &bin)?;
    copy(&suites(&workspace, Profile::Release)?, &bin.join("deps"))?;
    let commit = bin.join(commit::FILE);
    fs::write(&commit, commit::of_sources(&workspace)).with_context(|| format!("write {}", commit.display()))?;
    c_library(&workspace, &bin)?;
    kernels(&workspace, &out.join("ptx"), &bin)?;
    let archive = archive(&out);
    compress(&out, &archive)?;
    let bytes = fs::metadata(&archive)?.len();
    println!("{}: {:.1} MB; {}: {:.1} MB", shown(&out), megabytes(size_of(&out)?), shown(&archive), megabytes(bytes));
    if bytes > MAX_COMPRESSED_BYTES {
        bail!("the bundle is larger than {} MB compressed", MAX_COMPRESSED_BYTES / 1_000_000);
    }
    println!("copy it to the machine with the GPUs and start run.sh there");
    Ok(())
}

/// Makes the folder, empty except for the mark. A bundle is replaced; any other folder that is not empty is left alone.
/// The mark is created first and never removed, so an incomplete bundle is replaced, too.
fn start_afresh(out: &Path) -> Result<()> {
    let mark = out.join(MARK);
    let is_empty = || out.read_dir().map_or(true, |mut entries| entries.next().is_none());
    if !mark.exists() && !is_empty() {
        bail!("{} is not empty and is not a bundle: remove it, or choose another folder with --out", out.display());
    }
    fs::create_dir_all(out).with_context(|| format!("make {}", out.display()))?;
    fs::write(&mark, "").with_context(|| format!("write {}", mark.display()))?;
    for entry in out.read_dir()? {
        let path = entry?.path();
        let removed = if path == mark {
            Ok(())
        } else if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.with_context(|| format!("remove the old {}", path.display()))?;
    }
    Ok(())
}

/// The compressed file beside a folder.
fn archive(folder: &Path) -> PathBuf {
    folder.with_added_extension("tar.xz")
}

fn copy(executables: &[Executable], folder: &Path) -> Result<()> {
    for executable in executables {
        let to = folder.join(&executable.name);
        fs::copy(&executable.path, &to)
            .with_context(|| format!("copy {} to {}", executable.path.display(), to.display()))?;
        let stripped = Command::new("strip").arg("--strip-all").arg(&to).status();
        if !stripped.is_ok_and(|s| s.success()) {
            println!("note: `strip` failed on {}, which stays larger (strip is in binutils)", shown(&to));
        }
    }
    Ok(())
}

/// The C libraries and headers, where `shmemcc` looks for them.
fn c_library(workspace: &Workspace, bin: &Path) -> Result<()> {
    if let Outcome::LeftOut(reason) = library(Profile::Release)? {
        println!("left out: C libraries: {reason}");
        return Ok(());
    }
    let from = bin_dir(&workspace.target, Profile::Release).join(FOLDER);
    run(Command::new("cp").arg("-r").arg(&from).arg(bin))?;
    run(Command::new("strip").arg("--strip-unneeded").arg(bin.join(FOLDER).join("lib").join(SONAME)))
}

/// Copies the PTX and makes a cubin of each module where the runtime looks for it: beside the programs. Its name
/// contains the module and a hash of the PTX it was made from, so a stale cubin is never loaded.
fn kernels(workspace: &Workspace, ptx_dir: &Path, bin: &Path) -> Result<()> {
    fs::create_dir_all(ptx_dir)?;
    let ptxas = Ptxas::find(&workspace.target.join("tools"));
    if ptxas.is_none() {
        println!("left out: cubins: no ptxas found ($PTXAS, PATH, /usr/local/cuda/bin, Python's packages)");
    }
    let crates = workspace.kernel_crates().into_iter();
    for (package, build) in crates.flat_map(|package| package.builds().map(move |build| (package, build))) {
        let Ptx::Text(text) = current(workspace, package, build)? else { bail!("{} has no PTX", package.name) };
        let ptx = ptx_dir.join(build.file(&package.name));
        fs::write(&ptx, &text).with_context(|| format!("write {}", ptx.display()))?;
        if let Some(ptxas) = &ptxas {
            let cubin = bin.join(cubin_name(&package.name, &text));
            ptxas.assemble(&ptx, CUBIN_ARCH, &cubin)?;
            // The library trusts no file that other users can write, so the mode must not depend on the umask here.
            fs::set_permissions(&cubin, fs::Permissions::from_mode(0o644))?;
        }
    }
    Ok(())
}

/// File name of the cubin that was made from this PTX.
pub(crate) fn cubin_name(module: &str, ptx: &str) -> String {
    format!("{module}-{:016x}.{CUBIN_ARCH}.cubin", fnv1a_64(ptx.as_bytes()))
}

fn fnv1a_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn write_script(path: &Path) -> Result<()> {
    fs::write(path, RUN_SH).with_context(|| format!("write {}", path.display()))?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

fn compress(folder: &Path, archive: &Path) -> Result<()> {
    let folder = folder.canonicalize()?;
    let (parent, name) = (folder.parent().context("the bundle has no parent folder")?, folder.file_name());
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(parent).arg("-cJf").arg(archive).arg(name.context("the bundle has no name")?);
    crate::process::run(&mut tar).context("compress the bundle (needs tar and xz)")
}

fn size_of(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.path().is_dir() { size_of(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubins_are_named_after_their_text() {
        // Published test vectors of FNV-1a.
        assert_eq!(fnv1a_64(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(cubin_name("stencil2d-kernels", "foobar"), "stencil2d-kernels-85944171f73967e8.sm_90.cubin");
    }

    #[test]
    fn a_folder_of_somebody_is_left_alone() {
        let within = cushmem_scratch::Folder::new("bundle").expect("room for a folder");
        let folder = within.join("bundle");
        let left = || -> Vec<_> {
            folder.read_dir().expect("it is there").map(|entry| entry.expect("it can be read").file_name()).collect()
        };
        start_afresh(&folder).expect("a new folder");
        assert_eq!(left(), [MARK]);
        fs::create_dir_all(folder.join("bin/deps")).expect("a folder");
        fs::write(folder.join("run.sh"), RUN_SH).expect("a file");
        start_afresh(&folder).expect("a bundle that was cut short");
        assert_eq!(left(), [MARK]);
        fs::rename(folder.join(MARK), folder.join("run.sh")).expect("a file of somebody's");
        assert!(start_afresh(&folder).is_err_and(|e| e.to_string().contains("is not a bundle")));
        assert_eq!(left(), ["run.sh"]);
        fs::remove_file(folder.join("run.sh")).expect("ours");
        start_afresh(&folder).expect("an empty folder");
    }

    #[test]
    fn folders_with_a_version_have_archives_of_their_own() {
        for (folder, file) in [("bundle-1.2", "bundle-1.2.tar.xz"), ("a/bundle/", "a/bundle.tar.xz")] {
            assert_eq!(archive(Path::new(folder)), Path::new(file));
        }
    }
}

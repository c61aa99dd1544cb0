//! `cargo shmem-ptx`: compiles the kernels of a workspace's crates to PTX, checks the PTX and puts it beside each
//! crate. There is one PTX file for jobs in which all PEs are mapped, one for other jobs and, if the crate says so, one
//! for newer GPUs. The reader and the lint of PTX are a library, because tests use them too.
#![forbid(unsafe_code)]

pub mod emit;
pub mod lint;
pub mod part;
pub mod process;
pub mod progress;
pub mod ptxas;
pub mod text;
pub mod toolchain;
pub mod workspace;

use crate::workspace::{Build, Package, Workspace};
use anyhow::{Context, Result, bail};
use cushmem_command_line::printable;
use emit::{committed, committed_part, emit, emitted_path};
use lint::{Allow, lint};
use part::part;
use progress::Progress;
use ptxas::Ptxas;
use std::fs;
use std::path::{Path, PathBuf};
use toolchain::Toolchain;

/// The GPU for which the assembler's figures are reported.
const REPORTED_ARCH: &str = "sm_90";

/// What `cargo shmem-ptx` is asked to do.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// Compare committed PTX with the sources instead of writing it; other PTX is built
    #[arg(long)]
    pub check: bool,
    /// Compile only this crate
    #[arg(short, long, value_name = "CRATE")]
    pub package: Option<String>,
    /// Features of the crate, the same ones that the program enables
    #[arg(short = 'F', long, value_name = "FEATURES", value_delimiter = ',', requires = "package")]
    pub features: Vec<String>,
    /// Write the PTX to this file instead, the PTX for jobs with PEs that are not mapped to a file that ends in
    /// .far.ptx, and, if there are any, that for GPUs from sm_90 on to one that ends in .sm_90.ptx, and that for
    /// timelines to one that ends in .recorded.ptx; needs --package
    #[arg(short, long, value_name = "FILE", requires = "package", conflicts_with = "check")]
    pub output: Option<PathBuf>,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that was asked for was done.
    Done,
    /// Something could not be done here, for this reason.
    LeftOut(String),
}

/// Emits the PTX of every kernel crate. With `check`, compares committed PTX with the sources instead of writing it.
pub fn ptx(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    let crates = chosen(&workspace, options.package.as_deref())?;
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) if options.check => {
            for (package, build) in all_builds(crates.iter().copied().filter(|p| p.settings.commits_all())) {
                check_text(package, build, &committed(&workspace, package, build)?)?;
            }
            for package in crates {
                if let Some(text) = committed_part(&workspace, package)? {
                    check_text(package, Build::Near, &text)?;
                }
            }
            return Ok(Outcome::LeftOut(format!("comparing committed PTX with the sources: {reason}")));
        }
        Err(reason) => bail!("{reason}"),
    };
    let ptxas = Ptxas::find(&workspace.target.join("tools"));
    let mut stale = Vec::new();
    for (package, build, text) in emit_all(&workspace, &toolchain, crates, &options.features)? {
        let emitted = emitted_path(&workspace, package, build, &options.features);
        check_text(package, build, &text).with_context(|| format!("see {}", workspace.relative(&emitted).display()))?;
        if let Some(ptxas) = ptxas.as_ref().filter(|_| !options.check) {
            report(&workspace, ptxas, package, build, &text)?;
        }
        let part = package.settings.committed_kernels().filter(|_| build == Build::Near && options.output.is_none());
        if let Some(kernels) = part {
            let (path, text) = (package.committed_part(), part_of(package, &text, kernels)?);
            if options.check {
                stale.extend(difference(&workspace, &path, &text)?);
            } else {
                println!("{}", printable(&write(&workspace, &path, &text)?));
            }
        }
        if options.check && package.settings.commits_all() {
            stale.extend(difference(&workspace, &package.prebuilt_ptx(build), &text)?);
        } else {
            let path = match &options.output {
                None => package.prebuilt_ptx(build),
                Some(path) if build == Build::Near => path.clone(),
                Some(path) => path.with_extension(build.extension()),
            };
            println!("{}", printable(&write(&workspace, &path, &text)?));
        }
    }
    if ptxas.is_none() && !options.check {
        println!("no ptxas found ($PTXAS, PATH, /usr/local/cuda/bin, Python's packages): registers and spills unknown");
    }
    if !stale.is_empty() {
        bail!("{}: run `cargo shmem-ptx` and commit what it writes", stale.join("; "));
    }
    Ok(Outcome::Done)
}

/// Builds the PTX that is not committed, of all crates or of those with these names, so that programs that are built
/// afterwards can run their kernels on CUDA.
pub fn build_uncommitted(workspace: &Workspace, toolchain: &Toolchain, names: Option<&[&str]>) -> Result<()> {
    let is_wanted = |p: &&Package| !p.settings.commits_all() && names.is_none_or(|names| names.contains(&&*p.name));
    let crates = workspace.kernel_crates().into_iter().filter(is_wanted).collect();
    for (package, build, text) in emit_all(workspace, toolchain, crates, &[])? {
        check_text(package, build, &text)?;
        write(workspace, &package.prebuilt_ptx(build), &text)?;
    }
    Ok(())
}

/// Cuts out the kernels of which PTX is committed.
fn part_of(package: &Package, text: &str, kernels: &[String]) -> Result<String> {
    part(text, kernels).with_context(|| format!("{}: [package.metadata.cushmem]", package.cargo.manifest_path))
}

/// The allow-lists in a crate's `Cargo.toml`.
pub fn allowed(package: &Package) -> Allow {
    let settings = package.settings.clone();
    Allow { local: settings.allow_local, nc: settings.allow_nc }
}

fn chosen<'a>(workspace: &'a Workspace, name: Option<&str>) -> Result<Vec<&'a Package>> {
    let crates = workspace.kernel_crates();
    let names = crates.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
    let there_are = if names.is_empty() { "this workspace has none".into() } else { format!("there are: {names}") };
    let mark = "[package.metadata.cushmem] kernels = true";
    let chosen: Vec<_> = crates.into_iter().filter(|p| name.is_none_or(|name| p.name == name)).collect();
    match (chosen.is_empty(), name) {
        (false, _) => Ok(chosen),
        (true, Some(name)) => bail!("`{name}` is not a crate whose Cargo.toml says {mark}; {there_are}"),
        (true, None) => bail!("no crate of this workspace says {mark} in its Cargo.toml"),
    }
}

/// Emits each crate's PTX.
fn emit_all<'a>(
    workspace: &Workspace,
    toolchain: &Toolchain,
    crates: Vec<&'a Package>,
    features: &[String],
) -> Result<Vec<(&'a Package, Build, String)>> {
    let builds: Vec<_> = all_builds(crates).collect();
    let mut progress = Progress::new(builds.len());
    let first = if workspace.target.join("nvptx/nvptx64-nvidia-cuda").exists() { "" } else { ", after Rust's core" };
    let mut all = Vec::new();
    for (package, build) in builds {
        let kind = match build {
            Build::Near => "",
            Build::Sm90 => " for sm_90",
            Build::Far => " for PEs that are not mapped",
            Build::Recorded => " for timelines",
        };
        let first = if all.is_empty() { first } else { "" };
        progress.next(&format!("compiling {} to PTX{kind}{first}", package.name));
        all.push((package, build, emit(workspace, toolchain, package, build, features)?));
    }
    Ok(all)
}

/// Pairs each crate with its builds.
fn all_builds<'a>(crates: impl IntoIterator<Item = &'a Package>) -> impl Iterator<Item = (&'a Package, Build)> {
    crates.into_iter().flat_map(|package| package.builds().map(move |build| (package, build)))
}

fn check_text(package: &Package, build: Build, text: &str) -> Result<()> {
    if !text.contains(".entry ") {
        bail!("{} holds no kernel: declare kernels with the macro `kernels!` of cushmem-device", package.name);
    }
    let faults = lint(text, &allowed(package));
    if faults.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = faults.iter().map(|f| format!("  {f}")).collect();
    bail!("{} has {} faults:\n{}", build.file(&package.name), faults.len(), lines.join("\n"))
}

/// Says how the committed PTX differs from what the sources compile to, if it does.
fn difference(workspace: &Workspace, path: &Path, text: &str) -> Result<Option<String>> {
    let shown = printable(&workspace.relative(path).display().to_string());
    let committed = emit::read(workspace, path)?;
    if without_places(&committed) == without_places(text) {
        println!("{shown}: up to date");
        return Ok(None);
    }
    let line = committed.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
    Ok(Some(format!("{shown} does not match the sources (first difference in line {line})")))
}

/// Returns PTX in which crates are numbered in the order in which they are named. The compiler's names contain a hash
/// that depends on the folder of a crate that lies outside its workspace.
fn without_places(text: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut parts = text.split("Cs");
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        let is_hash = part[end..].starts_with('_') && part[end + 1..].starts_with(|c: char| c.is_ascii_digit());
        if end == 0 || !is_hash {
            found += &format!("Cs{part}");
            continue;
        }
        let hash = &part[..end];
        let number = seen.iter().position(|one| *one == hash).unwrap_or_else(|| {
            seen.push(hash);
            seen.len() - 1
        });
        found += &format!("Cs#{number}{}", &part[end..]);
    }
    found
}

/// Writes a file and says what it did. If the text has not changed, the file keeps its time, so that nothing is
/// rebuilt.
fn write(workspace: &Workspace, path: &Path, text: &str) -> Result<String> {
    let shown = workspace.relative(path).display();
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(format!("{shown}: unchanged"));
    }
    fs::create_dir_all(path.parent().expect("has a parent"))?;
    fs::write(path, text).with_context(|| format!("write {shown}"))?;
    Ok(format!("{shown}: {} bytes", text.len()))
}

fn report(workspace: &Workspace, ptxas: &Ptxas, package: &Package, build: Build, text: &str) -> Result<()> {
    let folder = workspace.target.join("nvptx/assembled");
    fs::create_dir_all(&folder)?;
    let ptx = folder.join(build.file(&package.name));
    fs::write(&ptx, text)?;
    for kernel in ptxas.report(&ptx, REPORTED_ARCH)? {
        println!(
            "  {:40} {:3} registers, {} bytes spilled, {} bytes stack, {} bytes shared",
            kernel.name, kernel.registers, kernel.spill_bytes, kernel.stack_bytes, kernel.shared_bytes
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_told_apart_and_their_folders_are_not() {
        let ptx =
            |device: &str, ring: &str| format!("_RNvNtCs{device}_14cushmem_device4fail _RNvCs{ring}_4ring Cs_x AbCs");
        let one = without_places(&ptx("hBobIHYd1Ok", "abc"));
        assert_eq!(one, "_RNvNtCs#0_14cushmem_device4fail _RNvCs#1_4ring Cs_x AbCs");
        assert_eq!(one, without_places(&ptx("1", "2")));
        assert_ne!(one, without_places(&ptx("1", "1")));
    }

    /// Catches a crate whose kernels are all behind a feature, say, or not declared with the macro.
    #[test]
    fn ptx_without_kernels_is_a_fault() {
        let workspace = Workspace::load().expect("this workspace");
        let package = workspace.kernel_crates()[0];
        let error = check_text(package, Build::Near, ".version 7.8").expect_err("there is no entry").to_string();
        assert!(error.starts_with(&format!("{} holds no kernel", package.name)), "{error}");
    }
}

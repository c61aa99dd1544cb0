//! `cargo xtask ptx`: compiles the kernel crates to PTX, checks it, and keeps it beside each crate, so that only who
//! changes a kernel needs the nightly compiler.

pub mod lint;
pub mod ptxas;
pub mod text;
pub mod toolchain;

use crate::process::{run, show};
use crate::workspace::{Package, Workspace};
use anyhow::{Context, Result, bail};
use lint::{Allow, lint};
use ptxas::Ptxas;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::{RUSTC_VERSION, Toolchain};

/// The GPU that the assembler's figures are for.
const REPORTED_ARCH: &str = "sm_90";

/// What `cargo xtask ptx` is asked to do.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// Only compare with the committed PTX
    #[arg(long)]
    pub check: bool,
    /// Only this crate
    #[arg(short, long, value_name = "CRATE")]
    pub package: Option<String>,
}

/// How a check ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All that was asked for was done.
    Done,
    /// It could not be done here, for this reason.
    LeftOut(String),
}

/// Emits the PTX of every kernel crate, or compares it with what is committed.
pub fn ptx(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    let crates = chosen(&workspace, options.package.as_deref())?;
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) if options.check => {
            check_committed_text(&workspace, &crates)?;
            return Ok(Outcome::LeftOut(format!("comparing committed PTX with the sources: {reason}")));
        }
        Err(reason) => bail!("{reason}"),
    };
    let ptxas = Ptxas::find(&workspace.target.join("tools"));
    let mut stale = Vec::new();
    for package in crates {
        let text = emit(&workspace, &toolchain, package)?;
        check_text(package, &text)
            .with_context(|| format!("see {}", workspace.relative(&emitted_path(&workspace, package)).display()))?;
        if let Some(ptxas) = &ptxas {
            report(&workspace, ptxas, package, &text)?;
        }
        if options.check {
            stale.extend(difference(&workspace, package, &text)?);
        } else {
            write(&workspace, package, &text)?;
        }
    }
    if ptxas.is_none() {
        println!("no ptxas found ($PTXAS, PATH, /usr/local/cuda/bin, Python's packages): no registers and spills");
    }
    if !stale.is_empty() {
        bail!("{}: run `cargo xtask ptx` and commit what it writes", stale.join("; "));
    }
    Ok(Outcome::Done)
}

/// The allow-lists in a crate's `Cargo.toml`.
pub fn allowed(package: &Package) -> Allow {
    let settings = package.cushmem();
    Allow { local: settings.allow_local, nc: settings.allow_nc }
}

/// The committed PTX of a kernel crate.
pub fn read_prebuilt(workspace: &Workspace, package: &Package) -> Result<String> {
    let path = package.prebuilt_ptx();
    fs::read_to_string(&path)
        .with_context(|| format!("read {}: make it with `cargo xtask ptx`", workspace.relative(&path).display()))
}

fn chosen<'a>(workspace: &'a Workspace, name: Option<&str>) -> Result<Vec<&'a Package>> {
    let crates = workspace.kernel_crates();
    let names = crates.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
    let Some(name) = name else { return Ok(crates) };
    let chosen: Vec<_> = crates.into_iter().filter(|p| p.name == name).collect();
    if chosen.is_empty() {
        bail!(
            "`{name}` is no kernel crate (its Cargo.toml says [package.metadata.cushmem] kernels = true); there are: {names}"
        );
    }
    Ok(chosen)
}

fn emitted_path(workspace: &Workspace, package: &Package) -> PathBuf {
    workspace.target.join("nvptx/emitted").join(format!("{}.ptx", package.name))
}

/// Compiles one crate. cargo skips what is up to date, and rustc then writes nothing, so the file stays where it is.
fn emit(workspace: &Workspace, toolchain: &Toolchain, package: &Package) -> Result<String> {
    let target_dir = workspace.target.join("nvptx");
    let out = emitted_path(workspace, package);
    fs::create_dir_all(out.parent().expect("has a parent"))?;
    let target = ["--release", "-p", &package.name, "--target", "nvptx64-nvidia-cuda"];
    if !out.exists() {
        run(toolchain.cargo(&target_dir).current_dir(&workspace.root).args(["clean", "--quiet"]).args(target))?;
    }
    let mut build = toolchain.cargo(&target_dir);
    build.current_dir(&workspace.root).args(["rustc", "--quiet", "--lib"]).args(target);
    build.args(["-Zbuild-std=core", "--", "-Ccodegen-units=1"]).arg(format!("--emit=asm={}", out.display()));
    compile(&mut build).with_context(|| format!("compile {} to PTX", package.name))?;
    let body = fs::read_to_string(&out).with_context(|| format!("read {}", out.display()))?;
    Ok(format!("{}{body}", header(package)))
}

/// rustc warns that the choice of a PTX version is unstable; the compiler is pinned, so nobody needs to read that.
fn compile(build: &mut Command) -> Result<()> {
    let out = build.output().with_context(|| format!("start {}", show(build)))?;
    let said = String::from_utf8_lossy(&out.stderr);
    for paragraph in said.split("\n\n").filter(|p| !p.contains("unstable feature specified for `-Ctarget-feature`")) {
        eprintln!("{}", paragraph.trim_end());
    }
    anyhow::ensure!(out.status.success(), "{}: {}", show(build), out.status);
    Ok(())
}

fn header(package: &Package) -> String {
    format!("// Generated by `cargo xtask ptx` from the crate {}; do not edit.\n// {RUSTC_VERSION}\n", package.name)
}

fn check_text(package: &Package, text: &str) -> Result<()> {
    let faults = lint(text, &allowed(package));
    if faults.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = faults.iter().map(|f| format!("  {f}")).collect();
    bail!("the PTX of {} has {} faults:\n{}", package.name, faults.len(), lines.join("\n"))
}

fn check_committed_text(workspace: &Workspace, crates: &[&Package]) -> Result<()> {
    crates.iter().try_for_each(|package| check_text(package, &read_prebuilt(workspace, package)?))
}

/// How the committed PTX differs from what the sources give, if it does.
fn difference(workspace: &Workspace, package: &Package, text: &str) -> Result<Option<String>> {
    let path = package.prebuilt_ptx();
    let shown = workspace.relative(&path).display();
    let committed = read_prebuilt(workspace, package)?;
    if committed == text {
        println!("{shown}: as the sources give it");
        return Ok(None);
    }
    let line = committed.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
    Ok(Some(format!("{shown} is not what the sources give (first difference in line {line})")))
}

fn write(workspace: &Workspace, package: &Package, text: &str) -> Result<()> {
    let path = package.prebuilt_ptx();
    let shown = workspace.relative(&path).display();
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        println!("{shown}: unchanged");
        return Ok(());
    }
    fs::create_dir_all(path.parent().expect("has a parent"))?;
    fs::write(&path, text).with_context(|| format!("write {shown}"))?;
    println!("{shown}: {} bytes", text.len());
    Ok(())
}

fn report(workspace: &Workspace, ptxas: &Ptxas, package: &Package, text: &str) -> Result<()> {
    let folder = workspace.target.join("nvptx/assembled");
    fs::create_dir_all(&folder)?;
    let ptx = folder.join(format!("{}.ptx", package.name));
    fs::write(&ptx, text)?;
    for kernel in assemble(ptxas, &ptx, &folder.join(format!("{}.cubin", package.name)))? {
        println!(
            "  {:40} {:3} registers, {} bytes spilled, {} bytes stack, {} bytes shared",
            kernel.name, kernel.registers, kernel.spill_bytes, kernel.stack_bytes, kernel.shared_bytes
        );
    }
    Ok(())
}

fn assemble(ptxas: &Ptxas, ptx: &Path, cubin: &Path) -> Result<Vec<ptxas::KernelUse>> {
    ptxas.assemble(ptx, REPORTED_ARCH, cubin)
}

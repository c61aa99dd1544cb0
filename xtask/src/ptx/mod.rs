//! `cargo xtask ptx`: compiles the kernel crates to PTX, checks it, and puts it beside each crate. What the library and the examples
//! need is committed there; the PTX of tests and benchmarks is not, and is missing until somebody builds it.

pub mod emit;
pub mod lint;
pub mod ptxas;
pub mod text;
pub mod toolchain;

use crate::workspace::{Package, Workspace};
use anyhow::{Context, Result, bail};
use emit::{committed, emit, emitted_path};
use lint::{Allow, lint};
use ptxas::Ptxas;
use std::fs;
use toolchain::Toolchain;

/// The GPU that the assembler's figures are for.
const REPORTED_ARCH: &str = "sm_90";

/// What `cargo xtask ptx` is asked to do.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// Only compare committed PTX; the rest is built
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

/// Emits the PTX of every kernel crate; with `check`, compares what is committed instead of writing it.
pub fn ptx(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    let crates = chosen(&workspace, options.package.as_deref())?;
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) if options.check => {
            for package in crates.iter().filter(|p| p.settings.committed) {
                check_text(package, &committed(&workspace, package)?)?;
            }
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
        if options.check && package.settings.committed {
            stale.extend(difference(&workspace, package, &text)?);
        } else {
            println!("{}", write(&workspace, package, &text)?);
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

/// Builds the PTX that is not committed, so that programs built after it can run their kernels on CUDA.
pub fn build_uncommitted(workspace: &Workspace) -> Result<Outcome> {
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) => return Ok(Outcome::LeftOut(reason)),
    };
    for package in workspace.kernel_crates().into_iter().filter(|p| !p.settings.committed) {
        let text = emit(workspace, &toolchain, package)?;
        check_text(package, &text)?;
        write(workspace, package, &text)?;
    }
    Ok(Outcome::Done)
}

/// The allow-lists in a crate's `Cargo.toml`.
pub fn allowed(package: &Package) -> Allow {
    let settings = package.settings.clone();
    Allow { local: settings.allow_local, nc: settings.allow_nc }
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

fn check_text(package: &Package, text: &str) -> Result<()> {
    let faults = lint(text, &allowed(package));
    if faults.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = faults.iter().map(|f| format!("  {f}")).collect();
    bail!("the PTX of {} has {} faults:\n{}", package.name, faults.len(), lines.join("\n"))
}

/// How the committed PTX differs from what the sources give, if it does.
fn difference(workspace: &Workspace, package: &Package, text: &str) -> Result<Option<String>> {
    let path = package.prebuilt_ptx();
    let shown = workspace.relative(&path).display();
    let committed = committed(workspace, package)?;
    if committed == text {
        println!("{shown}: as the sources give it");
        return Ok(None);
    }
    let line = committed.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
    Ok(Some(format!("{shown} is not what the sources give (first difference in line {line})")))
}

/// Says what it did. A file that stays as it is keeps its time, so that nothing is built again.
fn write(workspace: &Workspace, package: &Package, text: &str) -> Result<String> {
    let path = package.prebuilt_ptx();
    let shown = workspace.relative(&path).display();
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(format!("{shown}: unchanged"));
    }
    fs::create_dir_all(path.parent().expect("has a parent"))?;
    fs::write(&path, text).with_context(|| format!("write {shown}"))?;
    Ok(format!("{shown}: {} bytes", text.len()))
}

fn report(workspace: &Workspace, ptxas: &Ptxas, package: &Package, text: &str) -> Result<()> {
    let folder = workspace.target.join("nvptx/assembled");
    fs::create_dir_all(&folder)?;
    let ptx = folder.join(format!("{}.ptx", package.name));
    fs::write(&ptx, text)?;
    for kernel in ptxas.assemble(&ptx, REPORTED_ARCH, &folder.join(format!("{}.cubin", package.name)))? {
        println!(
            "  {:40} {:3} registers, {} bytes spilled, {} bytes stack, {} bytes shared",
            kernel.name, kernel.registers, kernel.spill_bytes, kernel.stack_bytes, kernel.shared_bytes
        );
    }
    Ok(())
}

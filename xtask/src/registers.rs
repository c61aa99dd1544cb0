//! `cargo xtask registers`: how many registers each call of the device API costs. The kernels of `tests/registers` do
//! the same work around one call each; `device/registers.toml` has what NVIDIA's assembler says of them.

use crate::ptx::emit::emit;
use crate::ptx::ptxas::{KernelUse, Ptxas};
use crate::ptx::toolchain::Toolchain;
use crate::ptx::{Outcome, lint};
use crate::workspace::{Build, Workspace};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Options of `cargo xtask registers`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Options {
    /// Compare with the file instead of writing it
    #[arg(long)]
    pub check: bool,
}

const CRATE: &str = "cushmem-registers";
const FILE: &str = "device/registers.toml";
const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];
const HEAD: &str = "\
# Registers of kernels that do the same work around one call of the device API (tests/registers), for jobs in which all
# PEs are mapped (near) and for others (far). `nothing` is the work alone. `cargo xtask registers` writes this file;
# `cargo xtask ci` compares it, and fails if a kernel spills registers or uses a stack.
";

/// Registers by kernel, for each build: `near.sm_80` and so on.
type Table = BTreeMap<String, BTreeMap<String, u32>>;

/// Writes the file, or compares it with what the sources need.
pub fn registers(options: &Options) -> Result<Outcome> {
    let workspace = Workspace::load()?;
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) => return Ok(Outcome::LeftOut(reason)),
    };
    let Some(ptxas) = Ptxas::find(&workspace.target.join("tools")) else {
        let where_to = "$PTXAS, PATH, /usr/local/cuda/bin, Python's packages";
        return Ok(Outcome::LeftOut(format!("no ptxas found ({where_to})")));
    };
    let path = workspace.root.join(FILE);
    let old = fs::read_to_string(&path).unwrap_or_default();
    let version = ptxas.version()?;
    if let Some(reason) = other_version(&old, &version).filter(|_| options.check) {
        return Ok(Outcome::LeftOut(reason));
    }
    let new = text(&version, &measured(&workspace, &toolchain, &ptxas)?)?;
    if !options.check {
        fs::write(&path, new).with_context(|| format!("write {FILE}"))?;
        println!("{FILE} was written");
        return Ok(Outcome::Done);
    }
    let differences = differences(&old, &new);
    if !differences.is_empty() {
        bail!("{FILE} differs: {}; `cargo xtask registers` writes it", differences.join("; "));
    }
    println!("{FILE}: up to date");
    Ok(Outcome::Done)
}

/// Whether the assembler that is found here has the version that wrote the file, so that the numbers are comparable.
pub fn has_assembler(tools: &Path) -> bool {
    let file = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FILE)).unwrap_or_default();
    let version = Ptxas::find(tools).and_then(|ptxas| ptxas.version().ok());
    version.is_some_and(|version| other_version(&file, &version).is_none())
}

fn measured(workspace: &Workspace, toolchain: &Toolchain, ptxas: &Ptxas) -> Result<Table> {
    let package = workspace.package(CRATE).with_context(|| format!("{CRATE} is no member of the workspace"))?;
    let folder = workspace.target.join("nvptx/registers");
    fs::create_dir_all(&folder)?;
    let (mut table, mut faults) = (Table::new(), Vec::new());
    for build in [Build::Near, Build::Far] {
        let text = emit(workspace, toolchain, package, build, &[])?;
        faults.extend(lint::lint(&text, &lint::Allow::default()).iter().map(ToString::to_string));
        let ptx = folder.join(build.file(CRATE));
        fs::write(&ptx, text)?;
        for arch in ARCHITECTURES {
            let build = format!("{}.{arch}", if build == Build::Far { "far" } else { "near" });
            let kernels = ptxas.report(&ptx, arch)?;
            faults.extend(kernels.iter().filter_map(|kernel| in_local_memory(&build, kernel)));
            table.insert(build, kernels.into_iter().map(|kernel| (kernel.name, kernel.registers)).collect());
        }
    }
    if !faults.is_empty() {
        bail!("kernels of {CRATE}: {}", faults.join("; "));
    }
    Ok(table)
}

/// Says what a kernel keeps in local memory, if it does.
fn in_local_memory(build: &str, kernel: &KernelUse) -> Option<String> {
    let (spills, stack) = (kernel.spill_bytes, kernel.stack_bytes);
    (spills + stack > 0).then(|| format!("{build}: {} spills {spills} bytes and has a stack of {stack}", kernel.name))
}

/// Says that the file was written with another assembler, whose numbers are not comparable.
fn other_version(file: &str, version: &str) -> Option<String> {
    let written = file.lines().find_map(|line| line.strip_prefix("ptxas = ")).map(|text| text.trim_matches('"'));
    let differs = written.filter(|written| *written != version);
    differs.map(|written| format!("{FILE} was written with ptxas {written}, and here is {version}"))
}

fn text(version: &str, table: &Table) -> Result<String> {
    let mut text = HEAD.to_owned();
    writeln!(text, "ptxas = \"{version}\"")?;
    for (build, kernels) in table {
        writeln!(text, "\n[{build}]")?;
        for (kernel, registers) in kernels {
            writeln!(text, "{kernel} = {registers}")?;
        }
    }
    Ok(text)
}

/// Returns the lines that only one of the texts has, each with its build.
fn differences(old: &str, new: &str) -> Vec<String> {
    let lines = |text: &str| {
        let (mut build, mut lines) = (String::new(), BTreeMap::new());
        for line in text.lines().filter(|line| !line.is_empty()) {
            match (line.strip_prefix('['), line.split_once(" = ")) {
                (Some(name), _) => build = name.trim_end_matches(']').to_owned(),
                (None, Some((kernel, registers))) => {
                    lines.insert(format!("{build} {kernel}").trim().to_owned(), registers.to_owned());
                }
                _ => {}
            }
        }
        lines
    };
    let (old, new) = (lines(old), lines(new));
    let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let shown = |value: Option<&String>| value.cloned().unwrap_or_else(|| "nothing".to_owned());
    let differing = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    differing.map(|name| format!("{name} has {}, not {}", shown(new.get(name)), shown(old.get(name)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(p: u32) -> Table {
        let of = |registers| BTreeMap::from([("nothing".to_owned(), 14), ("p".to_owned(), registers)]);
        Table::from([("far.sm_80".to_owned(), of(40)), ("near.sm_80".to_owned(), of(p))])
    }

    /// Catches a kernel that is not compared, or is named without its build.
    #[test]
    fn what_differs_is_named() {
        let text = |p| text("13.0.88", &table(p)).expect("text");
        assert_eq!(differences(&text(18), &text(18)), [""; 0]);
        assert_eq!(differences(&text(18), &text(20)), ["near.sm_80 p has 20, not 18"]);
        let fewer = text(18).replace("nothing = 14\np = 40", "nothing = 14");
        assert_eq!(differences(&fewer, &text(18)), ["far.sm_80 p has 40, not nothing"]);
        toml::from_str::<toml::Table>(&text(18)).expect("TOML");
    }

    /// Catches numbers of two assemblers that are compared.
    #[test]
    fn another_assembler_is_told() {
        let file = text("13.0.88", &table(18)).expect("text");
        assert_eq!(other_version(&file, "13.0.88"), None);
        assert!(other_version(&file, "12.9.1").is_some_and(|reason| reason.contains("13.0.88")));
        assert_eq!(other_version("", "12.9.1"), None);
    }

    #[test]
    fn local_memory_is_a_fault() {
        let kernel = |spill_bytes| KernelUse { name: "p".into(), spill_bytes, ..KernelUse::default() };
        assert_eq!(in_local_memory("near.sm_90", &kernel(0)), None);
        assert!(in_local_memory("near.sm_90", &kernel(8)).is_some_and(|fault| fault.contains("p spills 8")));
    }
}

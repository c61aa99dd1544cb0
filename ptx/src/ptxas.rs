//! NVIDIA's assembler, if it is installed. The build does not need it, but it sees faults that a reader of text does
//! not.

use crate::process::{output_of, without_build_settings};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the assembler reports about one kernel.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct KernelUse {
    /// Name of the kernel.
    pub name: String,
    /// Registers per lane.
    pub registers: u32,
    /// Bytes of registers spilled: written to and read back from local memory.
    pub spill_bytes: u32,
    /// Bytes of local memory per lane.
    pub stack_bytes: u32,
    /// Bytes of static shared memory per block.
    pub shared_bytes: u32,
}

/// An assembler that is installed on this machine.
pub struct Ptxas {
    program: PathBuf,
    /// Whether it can use several cores, which assemblers before CUDA 12 cannot.
    splits: bool,
}

const SPLIT: &str = "--split-compile";

impl Ptxas {
    /// Looks for the assembler at `$PTXAS`, on the PATH, in CUDA's usual folder, in `tools` and among Python's
    /// packages.
    pub fn find(tools: &Path) -> Option<Self> {
        let wheel = "nvidia/cu13/bin/ptxas";
        let candidates = [
            std::env::var_os("PTXAS").map(PathBuf::from),
            Some(PathBuf::from("ptxas")),
            Some(PathBuf::from("/usr/local/cuda/bin/ptxas")),
            Some(tools.join(wheel)),
        ];
        let works = |program: PathBuf| {
            let help = output_of(Command::new(&program).arg("--help")).ok()?;
            Some(Self { program, splits: help.contains(SPLIT) })
        };
        let found = candidates.into_iter().flatten().find_map(works);
        found.or_else(|| site_packages().into_iter().map(|d| d.join(wheel)).find_map(works))
    }

    /// Returns the version, such as `13.0.88`.
    pub fn version(&self) -> Result<String> {
        let said = output_of(Command::new(&self.program).arg("--version"))?;
        let number = said.split_once(", V").map_or("", |(_, rest)| rest.trim());
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        match &number[..end] {
            "" => bail!("{} does not say its version: {}", self.program.display(), said.trim()),
            number => Ok(number.to_owned()),
        }
    }

    /// Assembles a file for `arch` and writes the result to `output`.
    pub fn assemble(&self, ptx: &Path, arch: &str, output: &Path) -> Result<()> {
        self.run(ptx, arch, output, None).map(drop)
    }

    /// Assembles a file for `arch` and reports on every kernel. This uses all cores. The code is as good for any number
    /// of cores, but not the same byte for byte.
    pub fn report(&self, ptx: &Path, arch: &str) -> Result<Vec<KernelUse>> {
        let all_cores = format!("{SPLIT}=0");
        let said = self.run(ptx, arch, &ptx.with_extension("cubin"), self.splits.then_some(all_cores.as_str()))?;
        Ok(parse_report(&said))
    }

    /// Runs the assembler and returns what it prints.
    fn run(&self, ptx: &Path, arch: &str, output: &Path, more: Option<&str>) -> Result<String> {
        let out = Command::new(&self.program)
            .args(["-v", "-O3"])
            .args(more)
            .arg(format!("-arch={arch}"))
            .arg(ptx)
            .arg("-o")
            .arg(output)
            .output()
            .with_context(|| format!("start {}", self.program.display()))?;
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        if !out.status.success() {
            bail!("ptxas does not accept {} for {arch}:\n{}", ptx.display(), said.trim_end());
        }
        Ok(said)
    }
}

fn site_packages() -> Vec<PathBuf> {
    let ask = "import site; print('\\n'.join(site.getsitepackages() + [site.getusersitepackages()]))";
    let said = output_of(without_build_settings("python3").args(["-c", ask])).unwrap_or_default();
    said.lines().map(PathBuf::from).collect()
}

/// Reads what the assembler says with `-v`.
pub fn parse_report(said: &str) -> Vec<KernelUse> {
    let mut kernels = Vec::<KernelUse>::new();
    // Skips properties of functions that are not kernels, which appear too.
    let mut in_kernel = false;
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let name = rest.split('\'').next().unwrap_or(rest).to_owned();
            kernels.push(KernelUse { name, ..KernelUse::default() });
            continue;
        }
        let Some(kernel) = kernels.last_mut() else { continue };
        if let Some((_, name)) = line.split_once("Function properties for ") {
            in_kernel = name.trim() == kernel.name;
        } else if in_kernel && line.contains("bytes stack frame") {
            kernel.stack_bytes = number_before(line, " bytes stack frame");
            kernel.spill_bytes = number_before(line, " bytes spill stores") + number_before(line, " bytes spill loads");
        } else if line.contains(": Used ") {
            kernel.registers = number_before(line, " registers");
            kernel.shared_bytes = number_before(line, " bytes smem");
        }
    }
    kernels
}

fn number_before(line: &str, what: &str) -> u32 {
    let Some((before, _)) = line.split_once(what) else { return 0 };
    before.rsplit(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_report() {
        let said = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'k_put' for 'sm_90'\n\
            ptxas info    : Function properties for k_put\n    \
            16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n\
            ptxas info    : Used 32 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem\n";
        let expected =
            KernelUse { name: "k_put".into(), registers: 32, spill_bytes: 12, stack_bytes: 16, shared_bytes: 1024 };
        assert_eq!(parse_report(said), [expected]);
    }
}

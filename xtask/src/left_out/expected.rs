//! The committed list of what tests may leave out, `tests/left-out.toml`, and the part of it that applies to this
//! machine.

use crate::cxx::nvcc::Nvcc;
use crate::ptx::ptxas::Ptxas;
use crate::ptx::toolchain::Toolchain;
use crate::{deny, launch, machine, outside, registers};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

// Compiled in, because it has to be known where the sources are not available.
const TEXT: &str = include_str!("../../../tests/left-out.toml");

/// Something that a machine can lack.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thing {
    /// An NVIDIA GPU that programs may use. One whose driver does not work counts as present.
    NvidiaGpu,
    /// As many GPUs as the job has PEs: `*` in the line is that number.
    GpuForEachPe,
    /// `cuda.h`.
    CudaToolkit,
    /// The pinned nightly compiler with its sources.
    PtxCompiler,
    /// NVIDIA's assembler.
    Ptxas,
    /// The same, in the version that wrote `device/registers.toml`.
    PtxasOfRegisters,
    /// NVIDIA's compiler of CUDA C++, with all that it needs.
    Nvcc,
    /// NVRTC and nvJitLink, beside nvcc.
    Nvrtc,
    /// A C and a C++ compiler, `ar` and `objcopy`.
    CToolchain,
    /// The C library as an archive.
    StaticLibc,
    /// ThreadSanitizer for C.
    ThreadSanitizer,
    /// cargo-deny, on the PATH or in `tools` of the target folder.
    CargoDeny,
    /// The list of advisories about crates, on the network.
    Advisories,
    /// The right to start programs as another user.
    Root,
    /// Hosts made of namespaces: root, its rights and sshd.
    Hosts,
    /// Jobs on one host: `CUSHMEM_TEST_HOSTS` is not set.
    OneHost,
    /// Huge pages that are reserved and free, as many as tests use.
    HugePages,
    /// Control groups of version 1, without which Slurm's daemons want systemd.
    #[serde(rename = "control-groups-v1")]
    ControlGroups,
    /// A device of InfiniBand or RoCE, such as soft-RoCE.
    RdmaDevice,
    /// A virtual machine with soft-RoCE: qemu, and a kernel of Debian.
    VirtualMachine,
    /// A processor of this kind.
    #[serde(rename = "x86-64")]
    X86,
    /// The folder that this program was built from.
    Sources,
    /// A registry that has the crates of `tests/outside/candle`, or local copies of these crates.
    Registry,
    /// A program on the PATH.
    Program(String),
    /// A library that programs open at run time.
    Library(String),
    /// A header of C that the compiler finds.
    Header(String),
    /// A module of `python3` that uses GPUs, and a GPU for it.
    PythonModule(String),
    /// A module of `python3`, or of the folder `python` of the tools.
    PythonPackage(String),
    /// A folder of the tools.
    Tool(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The kinds of jobs that every machine runs.
    runs: Vec<String>,
    machine: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    lacks: Thing,
    lines: Vec<String>,
    /// The kinds of jobs that run on every machine with this thing. They also need the things of the other rows that
    /// name them.
    #[serde(default)]
    runs: Vec<String>,
}

/// What may be left out on one machine.
pub struct Expected {
    /// Kinds of jobs that a run of all suites runs.
    pub demanded: Vec<String>,
    /// GPUs of the machine.
    gpus: usize,
    /// Rows whose thing is missing.
    rows: Vec<Row>,
}

impl Expected {
    /// Looks for everything that the list names, in some cases also in the folder `tools`.
    pub fn of_this_machine(tools: &Path) -> Result<Self> {
        let gpus = machine::visible_gpus();
        Self::new(TEXT, gpus, |thing| is_here(thing, gpus, tools))
    }

    fn new(text: &str, gpus: usize, is_here: impl Fn(&Thing) -> bool) -> Result<Self> {
        let table: Table = toml::from_str(text).context("read tests/left-out.toml")?;
        let (here, rows): (Vec<Row>, Vec<Row>) = table.machine.into_iter().partition(|row| is_here(&row.lacks));
        let mut demanded = table.runs;
        demanded.extend(here.into_iter().flat_map(|row| row.runs));
        demanded.retain(|kind| !rows.iter().any(|row| row.runs.contains(kind)));
        demanded.sort_unstable();
        demanded.dedup();
        Ok(Self { demanded, gpus, rows })
    }

    /// Whether something that the machine lacks explains this line, `name: reason`. The reason is for people and is not
    /// examined.
    pub fn explains(&self, line: &str) -> bool {
        let name = line.split_once(": ").map_or(line, |(name, _)| name);
        // A name may contain a colon itself, as in `ptx: crate`.
        let names = std::iter::once(name).chain(line.match_indices(": ").map(|(at, _)| &line[..at]));
        let names: Vec<&str> = names.collect();
        self.rows.iter().any(|row| {
            let mut pairs = row.lines.iter().flat_map(|pattern| names.iter().map(move |name| (pattern, name)));
            pairs.any(|(pattern, name)| match matched(pattern, name) {
                Some(star) if row.lacks == Thing::GpuForEachPe => star.parse().is_ok_and(|n: usize| n > self.gpus),
                found => found.is_some(),
            })
        })
    }
}

/// The text that `*` stands for if the name matches; empty if the pattern has no `*`.
fn matched<'a>(pattern: &str, name: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((before, after)) => name.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == name).then_some(""),
    }
}

fn is_here(thing: &Thing, gpus: usize, tools: &Path) -> bool {
    match thing {
        Thing::NvidiaGpu => gpus > 0,
        // Decided by the number in each line.
        Thing::GpuForEachPe => false,
        Thing::CudaToolkit => machine::cuda_toolkit().is_some(),
        Thing::PtxCompiler => Toolchain::find().is_ok(),
        Thing::Ptxas => Ptxas::find(tools).is_some(),
        Thing::PtxasOfRegisters => registers::has_assembler(tools),
        Thing::Nvcc => Nvcc::find(tools).is_ok(),
        Thing::Nvrtc => Nvcc::find(tools).is_ok_and(|nvcc| nvcc.jit().is_some()),
        Thing::CToolchain => machine::c_toolchain(),
        Thing::StaticLibc => machine::static_libc(),
        Thing::ThreadSanitizer => machine::thread_sanitizer().is_ok(),
        Thing::CargoDeny => {
            machine::runs("cargo-deny") || machine::runs(&tools.join("bin/cargo-deny").to_string_lossy())
        }
        Thing::Advisories => deny::has_advisories(),
        Thing::Root => machine::is_root(),
        Thing::Hosts => crate::hosts::Hosts::start(1).is_ok(),
        Thing::OneHost => !launch::is_on_hosts(),
        Thing::HugePages => machine::has_huge_pages(),
        Thing::ControlGroups => machine::has_control_groups(),
        Thing::RdmaDevice => machine::has_rdma_device(),
        Thing::VirtualMachine => crate::vm::is_here(tools),
        Thing::X86 => cfg!(target_arch = "x86_64"),
        Thing::Sources => Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").exists(),
        Thing::Registry => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            root.canonicalize().is_ok_and(|root| outside::candle(&root, &tools.with_file_name("candle")).is_ok())
        }
        Thing::Program(name) => machine::on_path(name),
        Thing::Library(file) => machine::has_library(file),
        Thing::Header(name) => machine::has_header(name),
        Thing::PythonPackage(name) => machine::has_python_package(name, tools),
        Thing::Tool(name) => tools.join(name).exists(),
        Thing::PythonModule(name) => gpus > 0 && machine::has_python_module(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
        runs = ["jobs"]
        [[machine]]
        lacks = "nvidia-gpu"
        lines = ["suites on CUDA", "ptx: kernels"]
        runs = ["jobs on CUDA"]
        [[machine]]
        lacks = "gpu-for-each-pe"
        lines = ["tests with * PEs on CUDA"]
        [[machine]]
        lacks = { program = "ld.mold" }
        lines = ["capi::*"]
        runs = ["jobs with mold", "jobs on CUDA"]
    "#;

    fn machine(gpus: usize, here: &[Thing]) -> Expected {
        Expected::new(SMALL, gpus, |thing| here.contains(thing)).expect("a table")
    }

    #[test]
    fn only_what_is_missing_explains() {
        let bare = machine(0, &[]);
        assert!(bare.explains("suites on CUDA: no NVIDIA GPU here"));
        assert!(bare.explains("capi::globals with mold: it is not here"));
        assert!(bare.explains("ptx: kernels: why: not"));
        assert!(!bare.explains("suites on CUDA and more: no NVIDIA GPU here"));
        assert!(!bare.explains("a test that nobody listed: it is Monday"));
        let full = machine(1, &[Thing::NvidiaGpu, Thing::Program("ld.mold".into())]);
        assert!(!full.explains("suites on CUDA: libcuda.so.1 is not found"));
        assert!(!full.explains("capi::globals with mold: it is not here"));
    }

    #[test]
    fn what_can_run_is_demanded() {
        let mold = Thing::Program("ld.mold".into());
        let both = [Thing::NvidiaGpu, mold.clone()];
        assert_eq!(machine(0, &[]).demanded, ["jobs"]);
        assert_eq!(machine(0, &[mold]).demanded, ["jobs", "jobs with mold"]);
        assert_eq!(machine(1, &both[..1]).demanded, ["jobs"]);
        assert_eq!(machine(1, &both).demanded, ["jobs", "jobs on CUDA", "jobs with mold"]);
    }

    #[test]
    fn a_job_larger_than_the_machine_is_left_out() {
        let two = machine(2, &[Thing::NvidiaGpu]);
        assert!(two.explains("tests with 3 PEs on CUDA: there are 2 GPUs"));
        assert!(!two.explains("tests with 2 PEs on CUDA: there are 1 GPUs"));
        assert!(!two.explains("tests with many PEs on CUDA: x"));
    }

    #[test]
    fn the_committed_list_is_readable() {
        let none = Expected::new(TEXT, 8, |thing| *thing != Thing::GpuForEachPe).expect("tests/left-out.toml");
        assert!(!none.explains("suites on CUDA: x") && none.explains("conformance tests with 16 PEs on CUDA: x"));
        let all = Expected::new(TEXT, 0, |_| false).expect("tests/left-out.toml");
        assert!(all.explains("deny: cargo-deny is not installed: cargo install cargo-deny --locked"));
    }

    /// Catches a check of `cargo xtask ci` that fails on a machine without what it needs, because the list has another
    /// name for it.
    #[test]
    fn what_checks_leave_out_is_explained() {
        let lines = [
            (Thing::PtxCompiler, "ptx: comparing committed PTX with the sources: no nightly-2026-01-01"),
            (Thing::PtxCompiler, "registers: no nightly-2026-01-01"),
            (Thing::PtxCompiler, "cxx: no nightly-2026-01-01"),
            (Thing::PtxasOfRegisters, "registers: no ptxas found ($PTXAS, PATH)"),
            (Thing::PtxasOfRegisters, "registers: device/registers.toml was written with ptxas 13.0.88"),
            (Thing::CargoDeny, "deny: cargo-deny is not installed: cargo install cargo-deny --locked"),
            (Thing::CargoDeny, "advisories: cargo-deny is not installed: cargo install cargo-deny --locked"),
            (Thing::Advisories, "advisories: the list of advisories cannot be fetched: no network"),
            (Thing::Library("libfabric.so.1".into()), "ofi: there is no libfabric.so.1"),
            (Thing::VirtualMachine, "vm: qemu-system-x86_64 is not here (package qemu-system-x86)"),
        ];
        for (thing, line) in lines {
            let lacks = Expected::new(TEXT, 8, |here| *here != thing).expect("tests/left-out.toml");
            assert!(lacks.explains(line), "{line}");
        }
    }

    #[test]
    fn misspelt_things_are_refused() {
        let read = |row: &str| Expected::new(&format!("runs = []\n[[machine]]\n{row}"), 0, |_| false).map(drop);
        assert!(read("lacks = \"root\"\nlines = []").is_ok());
        assert!(read("lacks = \"gpu\"\nlines = []").is_err());
        assert!(read("lacks = \"root\"\nline = []").is_err());
    }
}

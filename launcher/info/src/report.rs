//! The findings, as plain values. The field names are the keys of the JSON.

use crate::gpus::Gpus;
use crate::heaps::Heaps;
use crate::libraries::Library;
use crate::machine::MachineReport;
use crate::networks::Networks;
use crate::nics::Nics;
use cushmem_environment::{Audience, Default, GpuChoice, TABLE};
use serde::Serialize;

/// The whole report.
#[derive(Serialize)]
pub struct Report {
    pub version: &'static str,
    pub features: Features,
    pub gpus: Gpus,
    pub libraries: Vec<Library>,
    pub networks: Networks,
    pub nics: Nics,
    pub machine: MachineReport,
    pub heaps: Heaps,
    pub environment: Environment,
}

/// What was built into the library.
#[derive(Serialize)]
pub struct Features {
    /// The specification that names and semantics follow.
    pub specification: &'static str,
    /// Processor and operating system.
    pub target: String,
    /// Whether debug assertions are on.
    pub debug_assertions: bool,
    /// Version of the layouts that kernels and library share. Kernels of another version are refused.
    pub kernel_abi: u32,
    /// Kinds of GPUs.
    pub gpu_backends: [&'static str; 2],
}

/// The environment variables.
#[derive(Serialize)]
pub struct Environment {
    /// Those of the table that concern users; the project's own tests and chores have others.
    pub variables: Vec<Variable>,
    /// Names that start with `CUSHMEM_` but are not in the table.
    pub unknown: Vec<Unknown>,
}

/// A variable of the table.
#[derive(Serialize)]
pub struct Variable {
    pub name: &'static str,
    /// Whom it is for: `user`, `pe`, `launcher`, `internal`.
    pub audience: &'static str,
    pub value: Option<String>,
    /// The value that applies if it is not set.
    pub default: Option<&'static str>,
    /// What applies if it is not set, in words, if that is not a single value.
    pub default_words: Option<&'static str>,
    pub values: &'static str,
    pub meaning: &'static str,
}

/// A variable that is not in the table.
#[derive(Serialize)]
pub struct Unknown {
    pub name: String,
    pub nearest: Option<&'static str>,
}

impl Report {
    /// Collects all sections.
    pub fn collect() -> Self {
        let gpus = Gpus::find();
        let heaps = Heaps::in_force(&gpus);
        let nics = Nics::find(&gpus);
        Self {
            version: env!("CARGO_PKG_VERSION"),
            features: Features {
                specification: "OpenSHMEM 1.6",
                target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
                debug_assertions: cfg!(debug_assertions),
                kernel_abi: cushmem_abi::ABI_VERSION,
                gpu_backends: [GpuChoice::Cuda, GpuChoice::Soft].map(GpuChoice::name),
            },
            gpus,
            libraries: crate::libraries::look_for_all(),
            networks: Networks::find(),
            nics,
            machine: MachineReport::discover(),
            heaps,
            environment: Environment::read(),
        }
    }
}

impl Environment {
    fn read() -> Self {
        let variable = |v: &&cushmem_environment::Variable| Variable {
            name: v.name,
            audience: v.audience.word(),
            value: v.value(),
            default: v.default_value(),
            default_words: match v.default {
                Default::Words(words) => Some(words),
                Default::Value(_) => None,
            },
            values: v.values,
            meaning: v.meaning,
        };
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        let unknown = cushmem_environment::unknown(names).into_iter();
        Self {
            variables: TABLE.iter().filter(|v| v.audience != Audience::Chore).map(variable).collect(),
            unknown: unknown.map(|u| Unknown { name: u.name, nearest: u.nearest }).collect(),
        }
    }
}

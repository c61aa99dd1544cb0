//! The single table of cushmem's environment variables.
//!
//! All code that reads or sets a variable takes its name and default from here. `shmem-info` prints the table,
//! `cargo xtask environment` writes it into `docs/environment.md`, and [`unknown`] finds names that a user has
//! misspelt.
#![forbid(unsafe_code)]

mod bytes;
mod file;
mod lines;
pub mod log;
mod markdown;
mod settings;
mod standard;
mod table;
mod unknown;

pub use bytes::{HEAP_BYTES, parse_bytes, parse_heap_bytes};
pub use file::text_of;
pub use lines::{let_pe_0_speak, printable};
pub use log::check_log;
pub use markdown::{Outdated, with_tables};
pub use settings::{
    BadValue, Explain, GpuChoice, HugePages, check, command_processor, copy_threads, costs, explain,
    flushes_at_barriers, gpu_choice, gpu_heap_bytes, host_heap_bytes, huge_pages, ignored, libfabric, net,
    net_interface, net_limit, nics, nodes, p2p, path, stats, teams, trace_blocks,
};
pub use standard::{announcement, debugs};
pub use table::*;
pub use unknown::{Unknown, unknown};

use std::ffi::OsString;

/// The most PEs that a job may have. The library gives a PE's number 16 bits where it shares a word with something
/// else, and a barrier of kernels by the CPU has 16 steps.
pub const MAX_PES: u32 = 1 << 16;

/// One variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Who uses it.
    pub audience: Audience,
    /// What applies if it is not set.
    pub default: Default,
    /// Which values it may have, as Markdown.
    pub values: &'static str,
    /// What it does, as Markdown.
    pub meaning: &'static str,
}

impl Variable {
    /// Returns the value that applies if the variable is not set, provided that there is a single one.
    pub const fn default_value(&self) -> Option<&'static str> {
        match self.default {
            Default::Value(value) => Some(value),
            Default::Words(_) => None,
        }
    }

    /// Returns its value in this process. Bytes that are not UTF-8 are replaced.
    pub fn value(&self) -> Option<String> {
        self.raw_value().map(|value| value.to_string_lossy().into_owned())
    }

    /// Returns its value, or the value of the old name.
    fn raw_value(&self) -> Option<OsString> {
        std::env::var_os(self.name).or_else(|| std::env::var_os(self.old_name()?))
    }

    /// Returns the name that is set: the old one only if the new one is not.
    pub fn name_in_use(&self) -> String {
        let is_set = |name: &str| std::env::var_os(name).is_some();
        match self.old_name() {
            Some(old) if !is_set(self.name) && is_set(&old) => old,
            _ => self.name.to_owned(),
        }
    }

    /// Returns its name in OpenSHMEM before version 1.4, if the specification defines one.
    pub fn old_name(&self) -> Option<String> {
        self.name.strip_prefix("SHMEM_").map(|rest| format!("SMA_{rest}"))
    }
}

/// What applies if a variable is not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// What applies if it has this value.
    Value(&'static str),
    /// What these words describe.
    Words(&'static str),
}

/// Who uses a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Users may set it.
    User,
    /// `shmemrun` sets it for each PE; scripts and programs may read it.
    Pe,
    /// Another launcher sets it, and the library reads it.
    Launcher,
    /// It passes only between the launcher and the library.
    Internal,
    /// The project's own tests and tools use it.
    Chore,
}

impl Audience {
    /// All audiences, in the order in which the documents list them.
    pub const ALL: [Audience; 5] = [Self::User, Self::Pe, Self::Launcher, Self::Internal, Self::Chore];

    /// Returns one word, for other programs and for the markers in the document.
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Pe => "pe",
            Self::Launcher => "launcher",
            Self::Internal => "internal",
            Self::Chore => "chore",
        }
    }
}

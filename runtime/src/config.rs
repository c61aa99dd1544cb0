//! Settings from the environment.

use crate::{Error, Result};
use cushmem_environment as environment;
use std::env;

/// Which GPU a PE uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GpuChoice {
    /// NVIDIA if there is one, else the emulation.
    Auto,
    Cuda,
    Soft,
    None,
}

/// What the user chose, with defaults filled in.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// `CUSHMEM_GPU`
    pub gpu: GpuChoice,
    /// `SHMEM_SYMMETRIC_SIZE`: most bytes of symmetric host memory a PE can allocate.
    pub host_heap_bytes: u64,
    /// `CUSHMEM_GPU_HEAP_SIZE`: the same for GPU memory; the default is what the GPU has.
    pub gpu_heap_bytes: Option<u64>,
}

impl Config {
    pub(crate) fn from_env() -> Result<Self> {
        let given = text(&environment::GPU)?.filter(|t| !t.is_empty());
        let gpu = match given.as_deref().or(environment::GPU.default_value()) {
            None | Some("auto") => GpuChoice::Auto,
            Some("cuda") => GpuChoice::Cuda,
            Some("soft") => GpuChoice::Soft,
            Some("none") => GpuChoice::None,
            Some(other) => {
                let cause = format!("`{other}` is not one of auto, cuda, soft, none");
                return Err(Error::new(format!("read {}", environment::GPU.name), cause));
            }
        };
        let host = &environment::SYMMETRIC_SIZE;
        let without_default = || Error::new(format!("read {}", host.name), "it has no default");
        Ok(Self {
            gpu,
            host_heap_bytes: heap_bytes(host)?.ok_or_else(without_default)?,
            gpu_heap_bytes: heap_bytes(&environment::GPU_HEAP_SIZE)?,
        })
    }
}

fn text(variable: &environment::Variable) -> Result<Option<String>> {
    match env::var(variable.name) {
        Ok(text) => Ok(Some(text)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => {
            Err(Error::new(format!("read {}", variable.name), "it is not valid UTF-8"))
        }
    }
}

/// The size that the variable has, or its default if that is one.
fn heap_bytes(variable: &environment::Variable) -> Result<Option<u64>> {
    let given = text(variable)?.filter(|t| !t.is_empty());
    let bytes = given.as_deref().or(variable.default_value()).map(environment::parse_heap_bytes).transpose();
    bytes.map_err(|cause| Error::new(format!("read {}", variable.name), cause))
}

/// Says of each variable that looks like one of ours and is none that nobody reads it.
pub(crate) fn warn_of_unknown() {
    for unknown in environment::unknown(env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned())) {
        eprintln!("cushmem: {unknown}");
    }
}

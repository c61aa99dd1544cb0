//! Settings from the environment.

use crate::Result;
use cushmem_environment as environment;
use cushmem_environment::log;

pub(crate) use environment::{GpuChoice, HugePages};

/// The user's settings, with defaults filled in.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// `CUSHMEM_GPU`
    pub gpu: GpuChoice,
    /// `SHMEM_SYMMETRIC_SIZE`: how many bytes of symmetric host memory a PE can allocate.
    pub host_heap_bytes: u64,
    /// `CUSHMEM_HUGE_PAGES`: which huge pages the host heap has.
    pub huge_pages: HugePages,
    /// `CUSHMEM_GPU_HEAP_SIZE`: the same for GPU memory; by default, all that the GPU has.
    pub gpu_heap_bytes: Option<u64>,
    /// `CUSHMEM_P2P`
    pub p2p: bool,
    /// `CUSHMEM_COPY_THREADS`: how many threads may copy pageable memory.
    pub copy_threads: Option<usize>,
    /// `CUSHMEM_COMMAND_PROCESSOR`: whether a block of this PE's GPU copies for lanes of kernels.
    pub command_processor: bool,
    /// `CUSHMEM_CHECK`
    pub check: bool,
    /// `CUSHMEM_NODES`: how many virtual nodes the machine has.
    pub nodes: u32,
    /// `CUSHMEM_TEAMS`: how many teams a PE can be a member of.
    pub teams: u16,
}

impl Config {
    pub(crate) fn from_env() -> Result<Self> {
        Ok(Self {
            gpu: environment::gpu_choice()?,
            host_heap_bytes: environment::host_heap_bytes()?,
            huge_pages: environment::huge_pages()?,
            gpu_heap_bytes: environment::gpu_heap_bytes()?,
            p2p: environment::p2p()?,
            copy_threads: environment::copy_threads()?,
            command_processor: environment::command_processor()?,
            check: environment::check_log().and_then(|()| environment::check())?,
            nodes: environment::nodes()?,
            teams: environment::teams()?,
        })
    }
}

/// Warns about misspelt variables, and about parts of values that are ignored.
pub(crate) fn warn() {
    for warning in environment::ignored() {
        log!(Warn, "{warning}");
    }
    for unknown in environment::unknown(std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned())) {
        log!(Warn, "{unknown}");
    }
}

/// Prints what `SHMEM_VERSION` and `SHMEM_INFO` ask for.
pub(crate) fn announce() {
    if let Some(text) = environment::announcement() {
        eprint!("{text}");
    }
}

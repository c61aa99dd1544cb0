//! Layouts that host and GPU agree on, and the interface between a kernel that runs on the emulated GPU and the
//! emulation. Nothing here has behaviour: host code fills these values in, kernels read them.
//!
//! A layout changes only together with [`ABI_VERSION`]; the sizes are asserted below.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

mod context;
mod image;
#[cfg(not(target_arch = "nvptx64"))]
pub mod lane;
pub mod soft;

pub use context::{BarrierStep, DeviceContext, ErrorCode, ErrorRecord, MAPPED_WORDS, SyncArea, stride};
pub use image::{HostKernel, KernelEntry, ModuleImage};

/// Version of every layout in this crate; a kernel module built for another version is refused when it is loaded.
pub const ABI_VERSION: u32 = 1;

/// Name of the constant that holds the [`DeviceContext`] in every kernel module.
pub const CONTEXT_SYMBOL: &str = "cushmem_context";

/// Most steps of the barrier between PEs; see `cushmem-ring`.
pub const BARRIER_STEPS: usize = 14;

/// Name of the word that holds the [`ABI_VERSION`] a kernel module was built for.
pub const VERSION_SYMBOL: &str = "cushmem_abi_version";

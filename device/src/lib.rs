//! The device API: what a kernel calls to reach other PEs.
//!
//! One source serves two machines. For `nvptx64` every operation is a few PTX instructions; on the host the same functions
//! run as lanes of the emulated GPU. A kernel crate lists its kernels in [`kernels!`]:
//!
//! ```ignore
//! use cushmem_device::{kernels, my_pe, n_pes, p, DevPtr};
//! kernels! {
//!     /// Stores this PE's number into `dst` on the next PE.
//!     pub unsafe fn tell_next(dst: DevPtr<u32>) {
//!         p(dst, my_pe(), (my_pe() + 1) % n_pes());
//!     }
//! }
//! ```
//!
//! Operations that move bulk data are methods of a [`Scope`]: `Thread.put(…)` is one lane's own affair, while all lanes
//! of a warp or a block call `Warp.put(…)` or `Block.put(…)` together, with the same arguments.
//!
//! Pointers name symmetric memory of this PE (host or GPU); the library finds the same object on the peer. A peer must
//! be mapped, that is reachable by this GPU's loads and stores; naming another one ends the kernel with a message.
#![no_std]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(asm_experimental_arch, stdarch_nvptx, link_llvm_intrinsics, abi_unadjusted),
    allow(internal_features)
)]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

pub mod arch;
mod bulk;
mod fail;
mod kernel;
mod peer;
mod ptr;
mod rma;
mod scope;
mod signal;
mod sync;
mod wait;

const _: () = assert!(cushmem_ring::barrier::MAX_STEPS as usize <= cushmem_abi::BARRIER_STEPS);

#[doc(hidden)]
pub use kernel::reexport;
#[cfg(not(target_arch = "nvptx64"))]
pub use kernel::{Kernel, KernelArg, KernelArgs};

pub use arch::{
    activemask, ballot, block_dim_x, block_dim_y, block_dim_z, block_idx_x, block_idx_y, block_idx_z, globaltimer,
    grid_dim_x, grid_dim_y, grid_dim_z, lane_id, shfl_down, shfl_idx, syncthreads, syncwarp, thread_idx_x,
    thread_idx_y, thread_idx_z,
};
pub use peer::{my_pe, n_pes, ptr};
pub use ptr::{DevPtr, Word};
pub use rma::{g, p};
pub use scope::{Block, Scope, Thread, Warp, Wide};
pub use signal::{SignalOp, signal_fetch, signal_op};
pub use sync::{fence, grid_sync, quiet};
pub use wait::{Cmp, signal_wait_until, signal_wait_until_for, wait_until, wait_until_for};

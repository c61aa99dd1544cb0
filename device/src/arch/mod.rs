//! Every instruction that Rust itself lacks, under one name for both machines.
//!
//! The names of memory operations show their order and scope, as in PTX. Read-modify-write atomics are written by hand
//! here, because the compiler's own lose their order and scope on this target. Barriers, shuffles and votes are LLVM
//! intrinsics, because inline assembly is not convergent.
//!
//! ```
//! use cushmem_device::{DevPtr, arch, kernels};
//! # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
//!
//! kernels! {
//!     /// One warp. Adds up 32 numbers.
//!     pub unsafe fn sum(numbers: DevPtr<u32>) {
//!         let lane = arch::lane_id();
//!         let mut sum = numbers.add(lane as usize).read();
//!         for distance in [16, 8, 4, 2, 1] {
//!             sum += arch::shfl_down(u32::MAX, sum, distance);
//!         }
//!         if lane == 0 {
//!             numbers.write(sum);
//!         }
//!     }
//! }
//! ```

#[cfg(target_arch = "nvptx64")]
mod nvptx;
#[cfg(target_arch = "nvptx64")]
pub use nvptx::*;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;

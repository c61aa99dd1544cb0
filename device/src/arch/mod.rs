//! Every instruction that Rust itself does not have, under one name for both machines.
//!
//! Memory operations show their order and scope in the name, as in PTX. Read-modify-write atomics are written by hand
//! here, because the compiler's own lose their order and scope on this target; barriers, shuffles and votes are LLVM
//! intrinsics, because inline assembly is not convergent.

#[cfg(target_arch = "nvptx64")]
mod nvptx;
#[cfg(target_arch = "nvptx64")]
pub use nvptx::*;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::*;

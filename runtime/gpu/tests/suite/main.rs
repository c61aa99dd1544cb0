//! The emulated GPU.

mod contexts;
mod failures;
mod kernels;
mod memory;
mod processes;
#[path = "../rig/mod.rs"]
mod rig;

//! NVIDIA GPUs through the CUDA driver API.
//!
//! The driver library is opened at run time. If it is missing, [`device_count`] says so, and the process runs without
//! NVIDIA GPUs. The library retains the device's primary context, so that programs that use the CUDA runtime share
//! memory and streams with it, or uses the context that the program has chosen; a thread of the library can have a
//! context of its own. Only symbols that drivers since CUDA 11.8 provide are called, except for what a program itself
//! needs a newer one for.

mod binary;
mod cubin;
mod device;
pub mod driver;
mod facts;
mod graph;
mod library;
mod memory;
mod module;
mod network;
mod stream;

pub use device::{CudaGpu, Current, choose_eager_loading, current, device_count, is_in_use, uuids};
pub use facts::{Facts, Link, driver_version};

use crate::{GpuError, Result};
use driver::CUresult;
use std::ffi::{CStr, c_char};

/// Turns a driver call's status into an error that names the operation. `operation` runs on failure only.
fn check(status: CUresult, operation: impl FnOnce() -> String) -> Result<()> {
    if status == CUresult::CUDA_SUCCESS {
        return Ok(());
    }
    let error = if status.is_refusal() { GpuError::refusal } else { GpuError::new };
    Err(error(operation(), describe(status)))
}

/// Returns `CUDA_ERROR_…: <the driver's description>`.
fn describe(status: CUresult) -> String {
    let text = |get: unsafe fn(CUresult, *mut *const c_char) -> CUresult| {
        let mut text = std::ptr::null();
        // SAFETY: the driver sets the pointer to a string of its own that lives for ever, or leaves it null.
        unsafe {
            let found = get(status, &mut text) == CUresult::CUDA_SUCCESS && !text.is_null();
            found.then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    };
    match (text(driver::cuGetErrorName), text(driver::cuGetErrorString)) {
        (Some(name), Some(meaning)) => format!("{name}: {meaning}"),
        _ => format!("unknown CUDA error {}", status.0),
    }
}

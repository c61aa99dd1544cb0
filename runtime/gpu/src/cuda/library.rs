//! Libraries of kernels that the program loaded (`CUlibrary`). Drivers have them since CUDA 12.

use super::check;
use super::driver::{self, CUmodule, CUresult};
use crate::{GpuError, Result};
use libloading::Library;
use std::ffi::c_void;

type GetModule = unsafe extern "C" fn(*mut CUmodule, *mut c_void) -> CUresult;

/// Returns the module that the library is in the current context.
///
/// # Safety
/// `raw` is the handle of a loaded library.
pub(super) unsafe fn module_of(raw: usize) -> Result<usize> {
    let operation = || "find the kernels of a library".to_owned();
    // SAFETY: the program, which has such a library, has opened the driver.
    let driver = unsafe { Library::new(driver::LIBRARY) }.map_err(|why| GpuError::new(operation(), why.to_string()))?;
    // SAFETY: the type is that of `cuda.h` for the symbol of this name.
    let found = unsafe { driver.get::<GetModule>(b"cuLibraryGetModule\0") };
    let missing = || GpuError::new(operation(), "the driver lacks cuLibraryGetModule: it is older than CUDA 12");
    let get = found.map_err(|_| missing())?;
    let mut module = std::ptr::null_mut();
    // SAFETY: the pointer is valid, and the caller guarantees the handle.
    check(unsafe { get(&mut module, std::ptr::with_exposed_provenance_mut(raw)) }, operation)?;
    Ok(module.expose_provenance())
}

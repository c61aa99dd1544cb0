//! Kernels that the program loads itself, as modules or libraries of the CUDA driver.

use crate::registered::answer;
use crate::report;
use crate::state::job;
use cushmem::raw::Raw;
use std::ffi::{c_int, c_void};

/// # Safety
/// `module` is the handle of a loaded module.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_module_init(module: *mut c_void) -> c_int {
    // SAFETY: the caller guarantees the handle.
    each("shmemx_module_init", ("module", module), |raw, module| unsafe { raw.adopt_module(module) })
}

/// # Safety
/// `module` is the handle of a loaded module.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_module_finalize(module: *mut c_void) -> c_int {
    // SAFETY: the caller guarantees the handle.
    each("shmemx_module_finalize", ("module", module), |raw, module| unsafe { raw.disown_module(module) })
}

/// # Safety
/// `library` is the handle of a loaded library.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_library_init(library: *mut c_void) -> c_int {
    // SAFETY: the caller guarantees the handle.
    each("shmemx_library_init", ("library", library), |raw, library| unsafe { raw.adopt_library(library) })
}

/// # Safety
/// `library` is the handle of a loaded library.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_library_finalize(library: *mut c_void) -> c_int {
    // SAFETY: the caller guarantees the handle.
    each("shmemx_library_finalize", ("library", library), |raw, library| unsafe { raw.disown_library(library) })
}

fn each(
    routine: &'static str,
    (name, handle): (&str, *mut c_void),
    act: impl FnOnce(Raw<'_>, usize) -> cushmem::Result<()>,
) -> c_int {
    if handle.is_null() {
        report::end(routine, &format!("argument {name}: NULL is not a {name}"));
    }
    answer(routine, act(job(routine).raw(), handle.addr()))
}

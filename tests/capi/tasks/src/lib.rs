//! The C API and kernels with tasks in one library. The emulated GPU runs kernels that are a part of the program, so a
//! C program whose queue of tasks is tested there links this instead of `libcushmem`.

use cushmem_capi as _;
use cushmem_conformance_kernels::{IMAGE, tasks::TASKS};
use std::ffi::c_void;

/// The module for `shmemx_task_queue_create`.
#[unsafe(no_mangle)]
pub extern "C" fn test_module() -> *const c_void {
    (&raw const IMAGE).cast()
}

/// The names of its functions, in order.
pub fn functions() -> &'static [&'static str] {
    TASKS.names
}

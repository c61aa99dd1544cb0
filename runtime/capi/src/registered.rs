//! Memory that the program registers.

use crate::report;
use crate::state::job;
use cushmem::Error;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_buffer_register(addr: *mut c_void, bytes: usize) -> c_int {
    let routine = "shmemx_buffer_register";
    // SAFETY: the program guarantees the memory.
    answer(routine, unsafe { job(routine).raw().register_local(addr.cast(), bytes) })
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_buffer_unregister(addr: *mut c_void) -> c_int {
    let routine = "shmemx_buffer_unregister";
    answer(routine, job(routine).raw().unregister_local(addr.cast()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_buffer_register_symmetric(addr: *mut c_void, bytes: usize, flags: c_int) -> *mut c_void {
    let routine = "shmemx_buffer_register_symmetric";
    if flags != 0 {
        report::end(routine, &format!("argument flags: {flags} is not 0"));
    }
    // SAFETY: the program guarantees the memory.
    match answer(routine, unsafe { job(routine).raw().register(routine, addr.cast(), bytes) }) {
        0 => addr,
        _ => null_mut(),
    }
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_buffer_unregister_symmetric(addr: *mut c_void, _bytes: usize) -> c_int {
    let routine = "shmemx_buffer_unregister_symmetric";
    answer(routine, job(routine).raw().unregister(routine, addr.cast()))
}

/// Returns 0, or prints a line and returns 1.
pub(crate) fn answer(routine: &'static str, done: Result<(), Error>) -> c_int {
    let Err(error) = done else { return 0 };
    job(routine).raw().say(&format!("{routine}: {}", error.cause()));
    1
}

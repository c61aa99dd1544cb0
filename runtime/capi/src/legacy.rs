//! Routines that only old programs call, unless they are second names of routines that are still in use.

use crate::state;
use std::ffi::c_int;

/// How programs joined before 1.2. A second call has no effect.
#[unsafe(no_mangle)]
extern "C" fn start_pes(_: c_int) {
    if state::job_if_any().is_none() {
        state::join("start_pes", 0, cushmem::raw::init);
    }
}

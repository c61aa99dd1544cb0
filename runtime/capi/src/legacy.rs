//! What only old programs call, as far as it is not another name of a routine that programs still call.

use crate::state;
use std::ffi::c_int;

/// How programs joined before 1.2. A second call does nothing.
#[unsafe(no_mangle)]
extern "C" fn start_pes(_: c_int) {
    if state::job_if_any().is_none() {
        state::join("start_pes", 0, cushmem::raw::init);
    }
}

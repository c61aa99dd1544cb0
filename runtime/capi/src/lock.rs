//! Locks.

use crate::report::{Call, end_argument};
use crate::state::job;
use cushmem::ArgumentError;
use std::ffi::{c_int, c_long};

one_form! { ("set_lock") ROUTINE: (lock: *mut c_long) {
    done(ROUTINE, lock, job(ROUTINE).raw().set_lock(lock));
} }

one_form! { ("clear_lock") ROUTINE: (lock: *mut c_long) {
    done(ROUTINE, lock, job(ROUTINE).raw().clear_lock(lock));
} }

one_form! { ("test_lock") ROUTINE: (lock: *mut c_long) -> c_int {
    // 0 means that this PE now has the lock.
    c_int::from(!done(ROUTINE, lock, job(ROUTINE).raw().test_lock(lock)))
} }

fn done<T>(routine: &'static str, lock: *mut c_long, result: Result<T, ArgumentError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => end_argument(&Call { routine, symmetric: ("lock", lock.addr()), ..Call::default() }, &error),
    }
}

//! What this process has to say to the process manager that started it before it exits, and whether MPI says it.

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

use libloading::os::unix::Library;

/// What is to be run when this process exits.
static AT_EXIT: Mutex<Vec<AtExit>> = Mutex::new(vec![]);

struct AtExit {
    function: fn(),
    /// Where it is run: a forked child has copies of its parent's connections.
    process: u32,
}

/// Runs a function when the process exits: by `exit`, by returning from `main`, or by [`run`].
pub(crate) fn at_exit(function: fn()) {
    let mut all = AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner);
    if all.is_empty() {
        extern "C" fn exits() {
            run();
        }
        // SAFETY: the library is not unloaded while the process runs: its threads keep it. If there is no room for the
        // handler, the manager takes the process for one that has failed.
        let _ = unsafe { libc::atexit(exits) };
    }
    all.push(AtExit { function, process: std::process::id() });
}

/// Runs the functions of this process, once.
pub(crate) fn run() {
    // Nobody holds the lock for long, but the thread that does may have been ended by the process's end.
    let Ok(mut all) = AT_EXIT.try_lock() else { return };
    let here = std::process::id();
    for at_exit in std::mem::take(&mut *all).into_iter().filter(|at_exit| at_exit.process == here) {
        (at_exit.function)();
    }
}

/// Whether the program has MPI and has initialised it, perhaps finalised it since.
pub(crate) fn mpi_was_started() -> bool {
    let program = Library::this();
    // SAFETY: the MPI standard gives this function this type, in each of its libraries.
    let initialized = unsafe { program.get::<unsafe extern "C" fn(*mut c_int) -> c_int>(b"MPI_Initialized\0") };
    let Ok(initialized) = initialized else { return false };
    let mut flag = 0;
    // SAFETY: MPI allows the call at any time, from any thread.
    unsafe { initialized(&mut flag) == 0 && flag != 0 }
}

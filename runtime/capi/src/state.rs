//! The process's one job.

use crate::report;
use cushmem::Shmem;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering};

/// The job between `shmem_init` and `shmem_finalize`, else null.
static JOB: AtomicPtr<Shmem> = AtomicPtr::new(null_mut());
/// Calls of `shmem_init` without their `shmem_finalize`.
static INITS: AtomicU32 = AtomicU32::new(0);
/// Whether the job has been left.
static LEFT: AtomicU32 = AtomicU32::new(0);
/// What `shmem_init_thread` provided.
static THREADS: AtomicI32 = AtomicI32::new(0);
/// Who joined: a forked child is not a PE.
static PROCESS: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(i32, *mut std::ffi::c_void), argument: *mut std::ffi::c_void) -> i32;
}

/// The job, or the end if there is none.
#[inline(always)]
pub(crate) fn job(routine: &'static str) -> &'static Shmem {
    match job_if_any() {
        Some(job) => job,
        None => outside(routine),
    }
}

#[inline(always)]
pub(crate) fn job_if_any() -> Option<&'static Shmem> {
    // SYNC(capi-job) acquire: pairs with the release in `join`.
    let job = JOB.load(Ordering::Acquire);
    // SAFETY: it is null or what `join` stored, which lives until `leave`, after which the program may not call anything.
    unsafe { job.as_ref() }
}

#[cold]
fn outside(routine: &str) -> ! {
    // Relaxed: decides about the words of a message only.
    let when = if LEFT.load(Ordering::Relaxed) != 0 { "after shmem_finalize" } else { "before shmem_init" };
    report::end_outside(routine, &format!("called {when}"))
}

/// Joins the job, or counts one more caller that has.
pub(crate) fn join(routine: &'static str, threads: i32) {
    // Relaxed: the specification has the program call it from one thread at a time.
    if INITS.fetch_add(1, Ordering::Relaxed) > 0 {
        return;
    }
    // Relaxed: as above.
    if LEFT.load(Ordering::Relaxed) != 0 {
        report::end_outside(routine, "called after shmem_finalize; a process can join its job once");
    }
    match cushmem::init() {
        Ok(shmem) => {
            // Relaxed: published by the store below.
            PROCESS.store(std::process::id(), Ordering::Relaxed);
            THREADS.store(threads, Ordering::Relaxed);
            // SYNC(capi-job) release: pairs with the acquire in `job_if_any`.
            JOB.store(Box::into_raw(Box::new(shmem)), Ordering::Release);
            // SAFETY: the function lives as long as the library, which is never unloaded (`-z nodelete`).
            unsafe { on_exit(at_exit, null_mut()) };
        }
        Err(error) => report::end_without_job(routine, &error.to_string()),
    }
}

/// What `shmem_init_thread` provided.
pub(crate) fn threads() -> i32 {
    // Relaxed: it does not change after `join`.
    THREADS.load(Ordering::Relaxed)
}

/// Undoes one [`join`]; the last one waits for all PEs and leaves.
pub(crate) fn leave() {
    // Relaxed: as in `join`.
    if INITS.fetch_sub(1, Ordering::Relaxed) > 1 {
        return;
    }
    // Relaxed: as in `outside`.
    LEFT.store(1, Ordering::Relaxed);
    // SYNC(capi-job) acquire: pairs with the release in `join`.
    let job = JOB.swap(null_mut(), Ordering::Acquire);
    if !job.is_null() {
        // SAFETY: `join` made it from a box, and the swap gave it to this caller alone.
        drop(unsafe { Box::from_raw(job) });
    }
}

/// A program that ends well without `shmem_finalize` has left its job; one that fails, shmemrun ends.
extern "C" fn at_exit(status: i32, _: *mut std::ffi::c_void) {
    // Relaxed: written before this was registered.
    if status == 0 && PROCESS.load(Ordering::Relaxed) == std::process::id() && job_if_any().is_some() {
        // Relaxed: as in `join`.
        INITS.store(1, Ordering::Relaxed);
        leave();
    }
}

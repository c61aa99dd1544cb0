//! The process's job. There is one at a time; after the last `shmem_finalize`, another one may begin.

use crate::{arrays, context, described, own_stream, report, tasks, team};
use cushmem::Shmem;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The job between `shmem_init` and `shmem_finalize`, otherwise null.
static JOB: AtomicPtr<Shmem> = AtomicPtr::new(null_mut());
/// Calls of `shmem_init` that have no `shmem_finalize` yet. Locked while the job is joined or left, so that a second
/// thread that joins or leaves waits for the first.
static INITS: Mutex<u32> = Mutex::new(0);
/// Whether a job has been left, and no other has been joined since.
static LEFT: AtomicU32 = AtomicU32::new(0);
/// Registers [`at_exit`].
static AT_EXIT: Once = Once::new();
/// What `shmem_init_thread` provided.
static THREADS: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(i32, *mut std::ffi::c_void), argument: *mut std::ffi::c_void) -> i32;
}

/// The job; ends the process if there is none.
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
    // SAFETY: it is null or what `join` stored, which lives until `leave`; after that the program may not call
    // anything.
    unsafe { job.as_ref() }
}

#[cold]
fn outside(routine: &str) -> ! {
    // Relaxed: this only affects the text of a message.
    let when = if LEFT.load(Ordering::Relaxed) != 0 { "after shmem_finalize" } else { "before shmem_init" };
    report::end_outside(routine, &format!("called {when}"))
}

/// Joins the job, or counts one more call if it has already been joined.
pub(crate) fn join(routine: &'static str, threads: i32, init: impl FnOnce() -> cushmem::Result<Shmem>) {
    let mut inits = inits();
    if *inits > 0 {
        *inits += 1;
        return;
    }
    match init() {
        Ok(shmem) => {
            // Relaxed: published by the store below.
            THREADS.store(threads, Ordering::Relaxed);
            // SYNC(capi-job) release: pairs with the acquire in `job_if_any`.
            JOB.store(Box::into_raw(Box::new(shmem)), Ordering::Release);
            *inits = 1;
            // Relaxed: written while the lock is held.
            LEFT.store(0, Ordering::Relaxed);
            AT_EXIT.call_once(|| {
                // SAFETY: the function exists as long as the library, which is never unloaded (`-z nodelete`).
                unsafe { on_exit(at_exit, null_mut()) };
            });
        }
        Err(error) => report::end_without_job(routine, &error.to_string()),
    }
}

fn inits() -> MutexGuard<'static, u32> {
    INITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What `shmem_init_thread` provided.
pub(crate) fn threads() -> i32 {
    // Relaxed: it does not change between `join` and `leave`.
    THREADS.load(Ordering::Relaxed)
}

/// Undoes one [`join`]. Each call is "semantically equivalent to `shmem_barrier_all`" (1.6, 9.1.4), and the last one
/// leaves the job; further calls have no effect. Until then other threads may use the job, for example to end it.
pub(crate) fn leave(routine: &'static str) {
    let mut inits = inits();
    // Relaxed: written while the lock is held.
    if LEFT.load(Ordering::Relaxed) != 0 {
        return;
    }
    // Another thread may have joined first.
    let job = job(routine);
    *inits = inits.saturating_sub(1);
    if *inits > 0 {
        // The lock is held, so that no other thread leaves the job during the barrier.
        if let Err(error) = job.barrier_all() {
            report::end(routine, &error.cause().to_string());
        }
        return;
    }
    own_stream::destroy_all();
    job.raw().finalize(arrays::any().then_some(&arrays::remove_all));
    // Handles mean nothing in the next job, and what is behind them uses this one.
    described::remove_all();
    tasks::remove_all();
    context::remove_all();
    team::remove_all();
    // Relaxed: this only affects the text of a message.
    LEFT.store(1, Ordering::Relaxed);
    // SYNC(capi-job) acquire: pairs with the release in `join`.
    let job = JOB.swap(null_mut(), Ordering::Acquire);
    if !job.is_null() {
        // SAFETY: `join` created it from a box, and the swap gave it to this caller alone.
        drop(unsafe { Box::from_raw(job) });
    }
}

/// A program that exits successfully without `shmem_finalize` leaves its job here; shmemrun ends one that fails.
/// Nothing is released, because detached threads may use the job until the process is gone.
extern "C" fn at_exit(status: i32, _: *mut std::ffi::c_void) {
    // A forked child must not take a lock that another thread of its parent may have held.
    if status == 0 && cushmem::raw::joined_here() {
        let _inits = inits();
        if let Some(job) = job_if_any() {
            job.raw().finalize(arrays::any().then_some(&arrays::flush_all));
        }
    }
}

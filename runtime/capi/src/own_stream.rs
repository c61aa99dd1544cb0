//! Streams that C programs get from the library. Their handles are those of the GPU, so that a program may also pass
//! them to the CUDA driver. A stream that the program itself created is passed on as it is.

use crate::report;
use crate::state::job;
use cushmem::Stream;
use cushmem::raw::AnyStream;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

/// Those that were created and not destroyed, by their handles.
static STREAMS: RwLock<BTreeMap<usize, Arc<Stream<'static>>>> = RwLock::new(BTreeMap::new());

fn streams() -> RwLockWriteGuard<'static, BTreeMap<usize, Arc<Stream<'static>>>> {
    // Each change is one call of the map, so a panic elsewhere leaves it consistent.
    STREAMS.write().unwrap_or_else(PoisonError::into_inner)
}

/// A stream in the arguments of a call.
pub(crate) enum Given {
    Ours(Arc<Stream<'static>>),
    Handle(usize),
}

impl Given {
    pub(crate) fn any(&self) -> AnyStream<'_, 'static> {
        match self {
            Self::Ours(stream) => AnyStream::Ours(stream),
            Self::Handle(handle) => AnyStream::Handle(*handle),
        }
    }
}

pub(crate) fn on(stream: *mut c_void) -> Given {
    let found = STREAMS.read().unwrap_or_else(PoisonError::into_inner).get(&stream.addr()).cloned();
    found.map_or(Given::Handle(stream.addr()), Given::Ours)
}

/// Destroys what the program has left, when everything on it has finished.
pub(crate) fn destroy_all() {
    // Without the lock, because destroying waits.
    let left = std::mem::take(&mut *streams());
    drop(left);
}

/// # Safety
/// `stream` is NULL or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_stream_create(stream: *mut *mut c_void) -> c_int {
    let routine = "shmemx_stream_create";
    let job = job(routine);
    // SAFETY: the caller guarantees that it is NULL or writable.
    let Some(stream) = (unsafe { stream.as_mut() }) else {
        report::end(routine, "argument stream: NULL is not a valid address");
    };
    match job.stream() {
        Ok(made) => {
            let handle = made.handle();
            streams().insert(handle, Arc::new(made));
            *stream = std::ptr::without_provenance_mut(handle);
            0
        }
        Err(error) => {
            job.raw().say(&format!("{routine}: {}", error.cause()));
            *stream = null_mut();
            1
        }
    }
}

/// # Safety
/// `stream` is a stream.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_stream_synchronize(stream: *mut c_void) {
    let routine = "shmemx_stream_synchronize";
    // SAFETY: the caller guarantees the stream.
    let done = unsafe { job(routine).raw().on_stream(on(stream).any()).synchronize() };
    finish(routine, done);
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_stream_destroy(stream: *mut c_void) {
    let routine = "shmemx_stream_destroy";
    job(routine);
    let Some(removed) = streams().remove(&stream.addr()) else {
        let name = if stream.is_null() { "NULL".to_owned() } else { format!("{stream:p}") };
        let why = "is not a stream of shmemx_stream_create, or was destroyed";
        report::end(routine, &format!("argument stream: {name} {why}"))
    };
    finish(routine, removed.synchronize());
}

fn finish(routine: &'static str, done: cushmem::Result<()>) {
    if let Err(error) = done {
        report::end(routine, &error.cause().to_string());
    }
}

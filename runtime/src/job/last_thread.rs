//! Ends the process when only the library's own threads are left.
//!
//! A program may leave its first thread by `pthread_exit` and continue in others. The system ends a process when its
//! last thread returns, but the library's threads never return. When the first thread ends, it therefore starts one
//! more thread, which waits until none of the program's threads are left and then ends the process as the system would:
//! with status 0, after its exit handlers. This thread polls, because no event reports the end of other threads.
//!
//! This works if the first thread is the one that joined the process's first job.

use nix::errno::Errno;
use nix::sys::signal::SigSet;
use std::ffi::c_void;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Once;
use std::thread::Builder;
use std::time::Duration;

/// The names of all threads of the library start with this.
const OF_THE_LIBRARY: &[u8] = b"cushmem-";
/// The name of the CUDA driver's thread for events. The names of its other threads are `cuda` and a hexadecimal number.
const OF_THE_DRIVER: (&[u8], &[u8]) = (b"cuda-EvtHandlr", b"cuda");
const TASKS: &str = "/proc/self/task";
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Call this from the thread that joins the job. Later calls have no effect.
pub(super) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(watch_first);
}

fn watch_first() {
    // SAFETY: both calls only return a number.
    let is_first = unsafe { libc::gettid() == libc::getpid() };
    let mut key = 0;
    // SAFETY: there is room for the key, and the function exists as long as the library, which is never unloaded.
    if is_first && unsafe { libc::pthread_key_create(&raw mut key, Some(first_thread_ends)) } == 0 {
        // SAFETY: the key was just created. Nobody uses the value, which only has to differ from NULL.
        unsafe { libc::pthread_setspecific(key, std::ptr::without_provenance(1)) };
    }
}

/// Runs in `pthread_exit` of the first thread, but not in `exit`, and not when `main` returns.
unsafe extern "C" fn first_thread_ends(_: *mut c_void) {
    let before = SigSet::thread_get_mask();
    let thread = Builder::new().name("cushmem-last".to_owned());
    // If this thread cannot be started, the process stays until the launcher ends it.
    let _ = cushmem_thread::start(thread, move || {
        while !only_the_library_is_left().unwrap_or(false) {
            std::thread::sleep(LOOK_EVERY);
        }
        // The exit handlers belong to the program, so they run with its signal mask.
        if let Ok(before) = before {
            let _ = before.thread_set_mask();
        }
        std::process::exit(0);
    });
}

/// Whether none of the program's threads are left. On an error this is unknown.
fn only_the_library_is_left() -> io::Result<bool> {
    let first = Path::new(TASKS).join(std::process::id().to_string());
    let program = name(&first)?;
    for thread in fs::read_dir(TASKS)? {
        let thread = thread?.path();
        if thread == first {
            continue;
        }
        match name(&thread) {
            // A new thread has the name of the thread that started it, so a thread with the first thread's name is the
            // program's.
            Ok(name) if name == program || !is_not_counted(&name) => return Ok(false),
            Ok(_) => {}
            Err(error) if has_ended(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// The name of a thread, which need not be valid text.
fn name(thread: &Path) -> io::Result<Vec<u8>> {
    let mut name = fs::read(thread.join("comm"))?;
    name.pop_if(|last| *last == b'\n');
    Ok(name)
}

/// Whether this error means that the thread no longer exists.
fn has_ended(error: &io::Error) -> bool {
    [Errno::ENOENT, Errno::ESRCH].iter().any(|gone| error.raw_os_error() == Some(*gone as i32))
}

fn is_not_counted(name: &[u8]) -> bool {
    let (events, prefix) = OF_THE_DRIVER;
    let is_number = |rest: &[u8]| !rest.is_empty() && rest.iter().all(u8::is_ascii_hexdigit);
    name.starts_with(OF_THE_LIBRARY) || name == events || name.strip_prefix(prefix).is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_the_library_and_the_driver_are_known_by_their_names() {
        let others = ["cushmem-lifelin", "cushmem-server", "cushmem-stream", "cuda-EvtHandlr", "cuda00001400006"];
        assert!(others.iter().all(|name| is_not_counted(name.as_bytes())));
        let programs = ["cuda", "cuda-demo", "cuda-worker", "cudaworker", "cushmem", "stencil2d", ""];
        assert!(!programs.iter().any(|name| is_not_counted(name.as_bytes())));
    }
}

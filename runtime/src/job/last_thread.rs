//! A process ends with its last thread, and the library's own threads do not count.
//!
//! A program may leave its first thread by `pthread_exit` and go on in others. The system ends the process when the last thread returns, but
//! the library's threads never do. So the first thread's end starts one more, which looks whether any of the program's are left, and ends the
//! process as the system would: with status 0, after its exit handlers. It looks now and then, as no event tells.
//!
//! This works if the first thread is the one that joined the job.

use std::ffi::c_void;
use std::time::Duration;

/// Names of threads that do not count, as the system cuts them off. CUDA's driver has some too.
const NOT_COUNTED: [&str; 3] = ["cushmem-lifelin", "cushmem-stream", LAST];
const OF_THE_DRIVER: &str = "cuda";
const LAST: &str = "cushmem-last";
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// To be called by the thread that joins the job.
pub(super) fn watch() {
    // SAFETY: both only return a number.
    let is_first = unsafe { libc::gettid() == libc::getpid() };
    let mut key = 0;
    // SAFETY: there is room for the key, and the function lives as long as the library, which is never unloaded.
    if is_first && unsafe { libc::pthread_key_create(&raw mut key, Some(first_thread_ends)) } == 0 {
        // SAFETY: the key was just made. Nobody uses the value, which has to differ from NULL.
        unsafe { libc::pthread_setspecific(key, std::ptr::without_provenance(1)) };
    }
}

/// Runs in `pthread_exit` of the first thread, not in `exit`, and not when `main` returns.
unsafe extern "C" fn first_thread_ends(_: *mut c_void) {
    // If it cannot be started, the process stays until the launcher ends it.
    let _ = std::thread::Builder::new().name(LAST.to_owned()).spawn(|| {
        let _ = nix::sys::signal::SigSet::all().thread_block();
        while !only_the_library_is_left() {
            std::thread::sleep(LOOK_EVERY);
        }
        std::process::exit(0);
    });
}

fn only_the_library_is_left() -> bool {
    let first = std::process::id().to_string();
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return false };
    threads.flatten().filter(|thread| thread.file_name().to_str() != Some(&first)).all(|thread| {
        // A thread that ends meanwhile has no name any more.
        let name = std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
        let name = name.trim_end();
        name.is_empty() || NOT_COUNTED.contains(&name) || name.starts_with(OF_THE_DRIVER)
    })
}

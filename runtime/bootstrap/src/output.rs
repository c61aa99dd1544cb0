//! Flushes what this process has printed: at barriers, if the user wants it, and before it ends without its exit
//! handlers.
//!
//! While it ends, the program's own threads go on. One of them may hold the lock of a stream for ever: it waits for
//! input, or writes to a pipe that nobody reads. So each flush has a thread of its own, and nobody waits for them for
//! longer than [`FLUSH_LIMIT`]. The C library flushes its streams one after the other, the newest first, and standard
//! input is behind standard output. A stream behind one whose lock is held may therefore be lost, but standard output
//! is not.

use std::io::Write;
use std::sync::mpsc;
use std::thread::Builder;
use std::time::Duration;

/// How long a process that ends waits until its output is flushed. Without a lock that is held this takes microseconds.
pub const FLUSH_LIMIT: Duration = Duration::from_secs(1);

unsafe extern "C" {
    /// The C library's stream.
    static stdout: *mut libc::FILE;
}

/// Flushes the output streams of Rust and C, within the limit.
pub(crate) fn flush() {
    let (running, ends) = mpsc::channel::<()>();
    for flush in [of_rust, of_c, all_of_c] {
        let running = running.clone();
        // If the thread cannot be started, this output is lost.
        let _ = cushmem_thread::start(Builder::new().name("cushmem-flush".into()), move || {
            flush();
            drop(running);
        });
    }
    drop(running);
    // Nobody sends anything: the channel closes when the last thread is done.
    let _ = ends.recv_timeout(FLUSH_LIMIT);
}

/// Flushes standard output of Rust and C, as the program itself would: another thread that is printing is waited for.
pub fn flush_stdout() {
    of_rust();
    of_c();
}

fn of_rust() {
    let _ = std::io::stdout().flush();
}

/// Standard output alone, because [`all_of_c`] may have to wait for another stream before it gets to this one.
fn of_c() {
    // SAFETY: the C library sets the stream before `main`, and no program may change it; streams have locks of their
    // own.
    let _ = unsafe { libc::fflush(stdout) };
}

fn all_of_c() {
    // SAFETY: NULL stands for all streams, which have locks of their own.
    let _ = unsafe { libc::fflush(std::ptr::null_mut()) };
}

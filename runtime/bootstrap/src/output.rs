//! Flushes what this process has printed: at barriers, if the user wants it, and before it ends without its exit
//! handlers.
//!
//! While it ends, the program's own threads go on. One of them may hold the lock of a stream for ever: it waits for
//! input, or writes to a pipe that nobody reads. So each flush has a thread of its own, and nobody waits for one that
//! has been blocked for [`BLOCKED_LIMIT`]. The C library flushes its streams one after the other, the newest first, and
//! standard input is behind standard output. A stream behind one whose lock is held may therefore be lost, but standard
//! output is not.
//!
//! On a busy machine, a thread may get no core for longer than that. It is not blocked: then it is waited for until
//! [`FLUSH_LIMIT`].

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use nix::unistd::gettid;

/// How long a process that ends waits at most until its output is flushed. Without a lock that is held this takes
/// microseconds.
pub const FLUSH_LIMIT: Duration = Duration::from_secs(4);
/// How long it waits for threads that are all blocked.
const BLOCKED_LIMIT: Duration = Duration::from_secs(1);
/// How often it looks whether they are.
const LOOK_EVERY: Duration = Duration::from_millis(10);

unsafe extern "C" {
    /// The C library's stream.
    static stdout: *mut libc::FILE;
}

/// Flushes the output streams of Rust and C, within the limits.
pub(crate) fn flush() {
    run_all([of_rust, of_c, all_of_c], FLUSH_LIMIT);
}

/// Runs each in a thread of its own, and waits for them: until all that are left have been blocked for a while, or
/// until the limit.
fn run_all<const N: usize>(all: [impl FnOnce() + Send + 'static; N], limit: Duration) {
    let start = Instant::now();
    let (running, ends) = mpsc::channel::<()>();
    let threads = all.map(|run| {
        let (running, thread) = (running.clone(), Arc::new(AtomicI32::new(NOT_BEGUN)));
        let number = thread.clone();
        // If the thread cannot be started, this output is lost.
        let started = cushmem_thread::start(Builder::new().name("cushmem-flush".into()), move || {
            // Relaxed, here and where it is read: nothing else depends on it.
            number.store(gettid().as_raw(), Ordering::Relaxed);
            run();
            number.store(DONE, Ordering::Relaxed);
            drop(running);
        });
        if started.is_err() {
            thread.store(DONE, Ordering::Relaxed);
        }
        thread
    });
    drop(running);
    let mut blocked = Duration::ZERO;
    // Nobody sends anything: the channel closes when the last thread is done.
    while ends.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout)
        && blocked < BLOCKED_LIMIT
        && start.elapsed() < limit
    {
        // A process that was stopped, or had no core itself, has looked less often.
        if !threads.iter().any(|thread| wants_a_core(thread.load(Ordering::Relaxed))) {
            blocked += LOOK_EVERY;
        }
    }
}

/// In the place of a thread's number.
const NOT_BEGUN: i32 = 0;
const DONE: i32 = -1;

/// Whether a thread runs, or would run if it had a core.
fn wants_a_core(thread: i32) -> bool {
    match thread {
        NOT_BEGUN => true,
        DONE => false,
        number => {
            let stat = std::fs::read_to_string(format!("/proc/self/task/{number}/stat")).unwrap_or_default();
            // The state follows the thread's name, which is in parentheses.
            stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'))
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    /// A limit that no test reaches.
    const FAR: Duration = Duration::from_secs(10_000);

    /// Catches output that is lost because a thread that flushes has not had a core for as long as a blocked one is
    /// waited for. Here it computes for longer.
    #[test]
    fn a_thread_that_wants_a_core_is_waited_for() {
        static IS_FLUSHED: AtomicBool = AtomicBool::new(false);
        let start = Instant::now();
        let compute = move || {
            while start.elapsed() < 2 * BLOCKED_LIMIT {
                std::hint::spin_loop();
            }
            IS_FLUSHED.store(true, Ordering::Relaxed);
        };
        run_all([compute], FAR);
        assert!(IS_FLUSHED.load(Ordering::Relaxed));
    }

    /// Catches a process that does not end because a thread of the program holds a lock.
    #[test]
    fn a_blocked_thread_is_given_up() {
        static LOCK: Mutex<()> = Mutex::new(());
        let held = LOCK.lock().unwrap();
        run_all([|| drop(LOCK.lock())], FAR);
        drop(held);
    }
}

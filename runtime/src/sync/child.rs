//! Calls that a forked child must not make. A child has its parent's memory and connections, but not its threads and
//! not its GPU. What it does in a barrier would count for the parent, and what needs a thread of the library or the GPU
//! would never be complete.
//!
//! A handler of `fork` records that a process is a child, so the check costs a call one load. Children of `_Fork` and
//! of direct system calls are not detected.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status after a wrong call: that of `abort`.
pub(crate) const WRONG_CALL: i32 = 134;

static IN_CHILD: AtomicBool = AtomicBool::new(false);

/// Detects children from now on. Later calls have no effect.
pub(crate) fn find_children() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler exists as long as the library, which is never unloaded, and only stores a flag. If this
        // call fails, children are not detected.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

extern "C" fn in_child() {
    // Relaxed: the child has no other thread, and reads the flag later.
    IN_CHILD.store(true, Ordering::Relaxed);
}

/// Whether this process is a forked child.
#[inline(always)]
pub(crate) fn is_child() -> bool {
    // Relaxed: see `in_child`.
    IN_CHILD.load(Ordering::Relaxed)
}

/// Ends a forked child that makes such a call. Its parent is not affected.
#[inline(always)]
pub(crate) fn refuse_children(me: u32, operation: &str) {
    if is_child() {
        refuse(me, operation);
    }
}

#[cold]
fn refuse(me: u32, operation: &str) -> ! {
    let text =
        format!("cushmem: PE {me}: {operation}: a forked child is not a PE: only its parent can make such calls\n");
    // Not `eprintln`: a thread that the child does not have may hold the lock.
    let _ = nix::unistd::write(std::io::stderr(), text.as_bytes());
    // SAFETY: `_exit` ends the process without running destructors or handlers, which could affect the parent.
    unsafe { libc::_exit(WRONG_CALL) }
}

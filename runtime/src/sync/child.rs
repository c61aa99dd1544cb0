//! Forked children make no collective calls: a child has its parent's memory and connections, and what it did in a
//! barrier would count for the parent.
//!
//! The system tells a child of `fork` that it is one, which costs a collective call one load. Children of `_Fork` and
//! of bare system calls are not found.

use super::agreement::WRONG_CALL;
use std::sync::atomic::{AtomicBool, Ordering};

static IN_CHILD: AtomicBool = AtomicBool::new(false);

/// From now on children are found.
pub(crate) fn find_children() {
    // SAFETY: the handler lives as long as the library, which is never unloaded, and only stores. A failure means that
    // children are not found.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

extern "C" fn in_child() {
    // Relaxed: the child has no other thread, and reads it after this.
    IN_CHILD.store(true, Ordering::Relaxed);
}

/// Ends a forked child that makes a collective call, and leaves its parent alone.
#[inline(always)]
pub(crate) fn refuse_children(me: u32, operation: &'static str) {
    // Relaxed: as where it is stored.
    if IN_CHILD.load(Ordering::Relaxed) {
        refuse(me, operation);
    }
}

#[cold]
fn refuse(me: u32, operation: &str) -> ! {
    let text =
        format!("cushmem: PE {me}: {operation}: a forked child is not a PE: collective calls are its parent's\n");
    // Not `eprintln`: a thread that the child does not have may hold the lock.
    let _ = nix::unistd::write(std::io::stderr(), text.as_bytes());
    // SAFETY: `_exit` ends the process; no destructor or handler runs, which could concern the parent.
    unsafe { libc::_exit(WRONG_CALL) }
}

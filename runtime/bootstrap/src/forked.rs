//! Connections that a forked child must not keep open.
//!
//! A forked child has copies of all of its parent's descriptors. While the child held a connection open, the other side
//! would not see that the parent has died, and would wait for it. `exec` closes the copies. A child that only forks (a
//! worker of a Python program, say) replaces them with `/dev/null` in a handler of `fork`. The handler does not close
//! them, because the owner of a descriptor in the child's copy of memory may close its number a second time.
//!
//! The handler runs in the child of a process with several threads, so it only reads atomics and makes system calls
//! that are safe there. If the process forks after a descriptor is made and before it is noted here, the child keeps
//! its copy.

use std::fs::File;
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

const WORDS: usize = 1024;
const BITS: usize = u64::BITS as usize;

/// A bit for each descriptor to replace. Numbers from 65,536 on are not noted.
static NOTED: [AtomicU64; WORDS] = [const { AtomicU64::new(0) }; WORDS];
/// `/dev/null`, which replaces them.
static NOTHING: OnceLock<Option<File>> = OnceLock::new();

/// A socket that forked children of this process do not hold open.
#[derive(Debug)]
pub(crate) struct NotForked<S: AsFd>(S);

impl<S: AsFd> NotForked<S> {
    pub(crate) fn new(socket: S) -> Self {
        NOTHING.get_or_init(|| {
            let nothing = File::open("/dev/null").ok();
            // SAFETY: the handler is a function of this library, which is never unloaded while the process runs, and
            // everything it does is safe in the child of a process with several threads.
            unsafe { libc::pthread_atfork(None, None, Some(replace_in_child)) };
            nothing
        });
        note(socket.as_fd().as_raw_fd(), true);
        NotForked(socket)
    }
}

impl<S: AsFd> Drop for NotForked<S> {
    fn drop(&mut self) {
        note(self.0.as_fd().as_raw_fd(), false);
    }
}

impl<S: AsFd> Deref for NotForked<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

impl<S: AsFd> AsFd for NotForked<S> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn note(number: RawFd, is_kept: bool) {
    let number = number.cast_unsigned() as usize;
    let Some(word) = NOTED.get(number / BITS) else { return };
    let bit = 1 << (number % BITS);
    // Relaxed: a child reads what was noted before the fork, which copies memory as the forking thread sees it.
    if is_kept {
        word.fetch_or(bit, Ordering::Relaxed)
    } else {
        word.fetch_and(!bit, Ordering::Relaxed)
    };
}

extern "C" fn replace_in_child() {
    let Some(Some(nothing)) = NOTHING.get() else { return };
    for (index, word) in NOTED.iter().enumerate() {
        // Relaxed: see `note`. From now on these numbers mean nothing in the child: it may reuse them for something
        // else, and fork again.
        let mut bits = word.swap(0, Ordering::Relaxed);
        while bits != 0 {
            let number = index * BITS + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            // SAFETY: dup3 on a descriptor that this library owns affects nothing else, and is safe after a fork.
            unsafe { libc::dup3(nothing.as_raw_fd(), number as RawFd, libc::O_CLOEXEC) };
        }
    }
}

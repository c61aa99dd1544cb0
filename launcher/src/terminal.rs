//! The terminal that is standard input, and which process group is in its foreground.

use nix::errno::Errno;
use nix::libc::{tcgetpgrp, tcsetpgrp};
use nix::sys::signal::killpg;
use nix::unistd::Pid;
use std::io;
use std::os::fd::{AsFd, AsRawFd};

/// The process group in the foreground.
pub fn owner() -> Option<Pid> {
    // A group of another PID namespace is reported as 0.
    // SAFETY: the call only takes a descriptor, which may be invalid.
    let group = unsafe { tcgetpgrp(io::stdin().as_raw_fd()) };
    (group > 0).then(|| Pid::from_raw(group))
}

/// Puts a process group into the foreground. Async-signal-safe.
pub fn give_to(group: Pid, stdin: impl AsFd) -> io::Result<()> {
    // SAFETY: the call only takes numbers, which may be invalid.
    Ok(Errno::result(unsafe { tcsetpgrp(stdin.as_fd().as_raw_fd(), group.as_raw()) }).map(drop)?)
}

/// Passes the terminal from one process group to another; returns false if the first group does not have it. A terminal
/// that belongs to a group that no longer exists may be passed on too; one that belongs to any other group, such as the
/// shell's after `bg`, is left alone. The caller blocks SIGTTOU.
pub fn change_owner(from: Pid, to: Pid) -> bool {
    let Some(owner) = owner() else { return false };
    (owner == from || killpg(owner, None) == Err(Errno::ESRCH)) && give_to(to, io::stdin()).is_ok()
}

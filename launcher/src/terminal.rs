//! The terminal that is standard input, and which process group is in its foreground.

use nix::errno::Errno;
use nix::sys::signal::killpg;
use nix::unistd::{Pid, tcgetpgrp, tcsetpgrp};
use std::io;
use std::os::fd::AsFd;

/// The process group in the foreground.
pub fn owner() -> Option<Pid> {
    // A group of another PID namespace is reported as 0.
    tcgetpgrp(io::stdin()).ok().filter(|group| group.as_raw() != 0)
}

/// Puts a process group into the foreground. Async-signal-safe.
pub fn give_to(group: Pid, stdin: impl AsFd) -> io::Result<()> {
    Ok(tcsetpgrp(stdin, group)?)
}

/// Passes the terminal from one process group to another; returns false if the first group does not have it. A terminal
/// that belongs to a group that no longer exists may be passed on too; one that belongs to any other group, such as the
/// shell's after `bg`, is left alone. The caller blocks SIGTTOU.
pub fn pass(from: Pid, to: Pid) -> bool {
    let Some(owner) = owner() else { return false };
    (owner == from || killpg(owner, None) == Err(Errno::ESRCH)) && give_to(to, io::stdin()).is_ok()
}

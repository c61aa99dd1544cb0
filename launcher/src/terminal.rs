//! The terminal that is standard input, and which process group is in its foreground.

use nix::errno::Errno;
use nix::sys::signal::killpg;
use nix::unistd::{Pid, tcgetpgrp, tcsetpgrp};

/// Passes the terminal from one process group to another; false if the first does not have it. What belongs to a group that is no more
/// may be passed on too; what belongs to another one, such as the shell's after `bg`, is left alone. The caller blocks SIGTTOU.
pub fn pass(from: Pid, to: Pid) -> bool {
    let Ok(owner) = tcgetpgrp(std::io::stdin()) else { return false };
    (owner == from || killpg(owner, None) == Err(Errno::ESRCH)) && tcsetpgrp(std::io::stdin(), to).is_ok()
}

//! The watcher that ends this process when the launcher disappears.
//!
//! The launcher alone holds the write end of a pipe and never writes; the kernel closes it however the launcher
//! ends, and the read end then polls as hung up. The launcher's parent-death signal already covers the process that it
//! started; this also covers a library that runs below a wrapper (`shmemrun -n 2 sh -c ./program`), which the signal
//! does not reach.

use std::os::fd::{AsFd, OwnedFd};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::Pid;

/// Starts the watcher thread. It takes no signals and lasts as long as the process.
pub(crate) fn watch(lifeline: OwnedFd) -> std::io::Result<()> {
    std::thread::Builder::new().name("cushmem-lifeline".into()).stack_size(64 * 1024).spawn(move || {
        // Signals belong to the program's own threads. If this fails, a handler may run here, which is harmless.
        let _ = SigSet::all().thread_block();
        wait_for_end(&lifeline);
        // The launcher made this process group for this PE. Nobody is left to read a message.
        let _ = kill(Pid::from_raw(0), Signal::SIGKILL);
        std::process::abort();
    })?;
    Ok(())
}

fn wait_for_end(lifeline: &OwnedFd) {
    loop {
        let mut polled = [PollFd::new(lifeline.as_fd(), PollFlags::POLLIN)];
        match poll(&mut polled, PollTimeout::NONE) {
            Ok(_) => return,
            Err(Errno::EINTR | Errno::EAGAIN | Errno::ENOMEM) => {}
            Err(_) => return,
        }
    }
}

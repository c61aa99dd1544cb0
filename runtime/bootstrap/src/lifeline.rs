//! The thread that ends this process when the launcher disappears, and that tells the launcher what this process is waiting in.
//!
//! The lifeline is a socket pair. Only the launcher holds the other end; the kernel closes it when the launcher ends, whatever the
//! cause, and this end then reads as closed. The parent-death signal already covers the process that the launcher started; the lifeline
//! also covers a program below a wrapper (`shmemrun -n 2 sh -c ./program`), which the signal does not reach.
//!
//! Over the same socket the launcher asks what this PE is waiting in. The thread answers from what other threads have published
//! ([`crate::waits`]), so a PE answers whatever its threads are doing, unless the whole process is stopped. The thread never waits to
//! send an answer: one that the launcher does not take is dropped.

use std::os::fd::AsFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::Pid;

use crate::socket::{Progress, SeqPacket};
use crate::waits;
use crate::wire::{MAX_BODY_BYTES, Message, MessageKind};

/// Starts the thread. It takes no signals and runs as long as the process.
pub(crate) fn watch(lifeline: SeqPacket) -> std::io::Result<()> {
    std::thread::Builder::new().name("cushmem-lifeline".into()).stack_size(64 * 1024).spawn(move || {
        // Signals belong to the program's own threads. If this fails, a handler may run on this thread, which does no harm.
        let _ = SigSet::all().thread_block();
        answer_until_end(&lifeline);
        // The launcher made this process group for this PE. It is gone, so nothing can read a message.
        let _ = kill(Pid::from_raw(0), Signal::SIGKILL);
        std::process::abort();
    })?;
    Ok(())
}

fn answer_until_end(lifeline: &SeqPacket) {
    // A question is a message without a name and a body.
    let mut buffer = [0; 64];
    loop {
        let mut polled = [PollFd::new(lifeline.as_fd(), PollFlags::POLLIN)];
        match poll(&mut polled, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR | Errno::EAGAIN | Errno::ENOMEM) => {}
            Err(_) => return,
        }
        match lifeline.try_receive(&mut buffer) {
            Ok(Progress::Done(received)) => {
                let message = Message::decode(&buffer[..received.bytes], received.descriptors.len());
                if message.is_ok_and(|message| message.kind == MessageKind::Ask) {
                    answer(lifeline);
                }
            }
            Ok(Progress::WouldBlock) => {}
            Ok(Progress::Closed) => return,
            // The kernel is short of memory.
            Err(Errno::ENOMEM | Errno::ENOBUFS | Errno::EMSGSIZE) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return,
        }
    }
}

fn answer(lifeline: &SeqPacket) {
    let text = waits::describe();
    let end = text.floor_char_boundary(MAX_BODY_BYTES);
    let answer = Message { body: &text.as_bytes()[..end], ..Message::new(MessageKind::Doing, 0) };
    let _ = lifeline.try_send(&answer.encode(), None);
}

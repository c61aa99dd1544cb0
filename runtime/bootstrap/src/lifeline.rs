//! The thread that ends this process when its job ends early, and that tells the launcher what this process is waiting
//! for. It flushes the output of the process before ([`crate::output`]), whatever the other threads are doing.
//!
//! The lifeline is a connection whose other end belongs to the process that keeps the job together, and to no other.
//! When that process ends, whatever the cause, the operating system closes its end, and this end reads as closed.
//!
//! **Under `shmemrun`**, the parent-death signal already covers the process that the launcher started. The lifeline
//! also covers a program below a wrapper (`shmemrun -n 2 sh -c ./program`), which the signal does not reach. Over the
//! lifeline, the launcher asks what this PE is waiting for. The thread answers from what other threads have published
//! ([`crate::waits`]), so a PE answers whatever its threads are doing, unless the whole process is stopped. The thread
//! never waits to send an answer; an answer that the launcher does not take is dropped. Before the launcher kills what
//! is left of a job that ends early, it tells the PEs, which then end by themselves.
//!
//! **Otherwise**, the other end belongs to a thread of some PE's process ([`crate::server`]). That thread says over the
//! lifeline why the job ends early, or that all PEs have finalized. The process group is not the library's here, so
//! only this process ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::exit;
use crate::output;
use crate::said::{Said, has_ended, print_pending};
use crate::server::{Server, TELL_LIMIT};
use crate::socket::{MessageSocket, Progress, SeqPacket};
use crate::waits;
use crate::wire::{MAX_BODY_BYTES, MAX_MESSAGE_BYTES, Message, MessageKind};

/// How a lifeline ends.
enum End {
    /// All PEs have finalized.
    Finalized,
    /// The other end has closed.
    Closed,
    /// The job ends early, with this status and for this reason.
    Early(i32, String),
}

/// Starts the thread for a PE of `shmemrun`. It takes no signals and runs as long as the process.
pub(crate) fn watch(lifeline: SeqPacket) -> std::io::Result<()> {
    start(move || {
        if let End::Early(status, _) = until_end(&lifeline) {
            end_process(status);
        }
        // The launcher made this process group for this PE. The launcher has ended, so nobody would read a message.
        let _ = kill(Pid::from_raw(0), Signal::SIGKILL);
        std::process::abort();
    })
}

/// What the thread of [`watch_server`] has to know: as long as this value exists, this process belongs to the job, and
/// ends with it.
#[derive(Debug)]
pub(crate) struct Watched {
    has_left: Arc<AtomicBool>,
    said: Arc<Said>,
}

impl Watched {
    /// What the thread knows about lines that have been printed.
    pub(crate) fn said(&self) -> &Arc<Said> {
        &self.said
    }

    /// From now on this process ends by itself, whatever happens to the job.
    pub(crate) fn leave(&self) {
        // SYNC(left) release: pairs with the acquire in `watch_server`; connections are closed after it.
        self.has_left.store(true, Ordering::Release);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Starts the thread for PE `my_pe` of a job that is kept together by a thread of one of its processes. `keeper` names
/// that process; `server` is that thread if it runs in this process.
pub(crate) fn watch_server(
    lifeline: impl MessageSocket + 'static,
    my_pe: u32,
    keeper: &'static str,
    server: Option<Server>,
) -> std::io::Result<Watched> {
    let watched = Watched { has_left: Arc::default(), said: Arc::new(Said::new(my_pe, None)) };
    let (has_left, said) = (watched.has_left.clone(), watched.said.clone());
    start(move || {
        let end = until_end(&lifeline);
        // SYNC(left) acquire: pairs with the release of `Watched`, which comes before the end that it explains.
        if has_left.load(Ordering::Acquire) {
            return;
        }
        let (status, reason) = match end {
            End::Finalized => return,
            End::Closed => (1, format!("{keeper} has gone")),
            End::Early(status, reason) => (status, reason),
        };
        if let Some(server) = server {
            // The server ends with this process, and other PEs may not have been told yet.
            server.wait_until_told(TELL_LIMIT);
        }
        if status != 0 {
            said.say_end(&has_ended(&reason));
        }
        end_process(status)
    })?;
    Ok(watched)
}

/// Ends this process with the output that it has so far.
fn end_process(status: i32) -> ! {
    print_pending();
    output::flush();
    exit::run_within_limit();
    // SAFETY: `_exit` ends the process; no destructor or handler runs, so none can see state that is half updated.
    unsafe { libc::_exit(status) }
}

fn start(run: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let thread = Builder::new().name("cushmem-lifeline".into()).stack_size(128 * 1024);
    cushmem_thread::start(thread, run).map(drop)
}

/// Answers questions until the lifeline ends.
fn until_end(lifeline: &impl MessageSocket) -> End {
    let mut buffer = vec![0; MAX_MESSAGE_BYTES];
    loop {
        let mut polled = [PollFd::new(lifeline.as_fd(), PollFlags::POLLIN)];
        match poll(&mut polled, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR | Errno::EAGAIN | Errno::ENOMEM) => {}
            Err(_) => return End::Closed,
        }
        match lifeline.try_receive(&mut buffer) {
            Ok(Progress::Done(received)) => {
                match Message::decode(&buffer[..received.bytes], received.descriptors.len()) {
                    Ok(message) if message.kind == MessageKind::Ask => answer(lifeline),
                    Ok(message) if message.kind == MessageKind::Done => return End::Finalized,
                    Ok(message) if matches!(message.kind, MessageKind::Abort | MessageKind::Refused) => {
                        let status = if message.kind == MessageKind::Abort { message.value.cast_signed() } else { 1 };
                        return End::Early(status, String::from_utf8_lossy(message.body).into_owned());
                    }
                    _ => {}
                }
            }
            Ok(Progress::WouldBlock) => {}
            Ok(Progress::Closed) => return End::Closed,
            // The operating system is short of memory.
            Err(Errno::ENOMEM | Errno::ENOBUFS) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return End::Closed,
        }
    }
}

fn answer(lifeline: &impl MessageSocket) {
    // The first line has the waits. It is empty if there are none.
    let text = waits::describe() + &waits::notes();
    let end = text.floor_char_boundary(MAX_BODY_BYTES);
    let answer = Message { body: &text.as_bytes()[..end], ..Message::new(MessageKind::Doing, 0) };
    let _ = lifeline.try_send(&answer.encode(), None);
}

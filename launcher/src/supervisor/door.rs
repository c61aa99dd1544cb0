//! Where `shmemrun --status` knocks: a Unix socket with an abstract name, which vanishes with this process, however it ends.
//!
//! Abstract names have no permissions, so each caller's user is asked of the kernel; only the job's own user and root get an answer.
//! A caller that does not read, or too many of them, hold nobody up: each has its own queue and is dropped after a while.

use std::io::ErrorKind;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags};
use nix::sys::socket::{getsockopt, sockopt};
use nix::unistd::{Uid, getppid, getuid};

use super::Supervisor;
use super::relay::Outlet;
use crate::status::{self, GRANTED};

/// Callers at a time; more wait in the kernel's queue.
const MAX_CALLERS: usize = 8;
/// How long a caller may take to read its answer.
const CALLER_LIMIT: Duration = Duration::from_secs(5);
/// When to try again to let somebody in, if the system had no descriptor or no memory for it.
const RETRY: Duration = Duration::from_millis(100);

/// The socket and who has come.
pub struct Door {
    listener: UnixListener,
    callers: Vec<Caller>,
    /// Until then nobody is let in; who waits is still there afterwards.
    shut_until: Option<Instant>,
}

struct Caller {
    outlet: Outlet,
    until: Instant,
    has_answer: bool,
}

impl Door {
    /// Makes the socket. Its name tells the user, the front's process and the job.
    pub fn open(job_id: &str) -> Result<Door, String> {
        let name = status::Name { uid: getuid().as_raw(), pid: getppid().as_raw(), job_id: job_id.into() };
        let listener = name.address().and_then(|address| UnixListener::bind_addr(&address));
        let listener = listener.and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
        let listener = listener.map_err(|error| format!("make a socket: {error}"))?;
        Ok(Door { listener, callers: Vec::new(), shut_until: None })
    }

    /// What to poll.
    pub fn polled(&self) -> impl Iterator<Item = PollFd<'_>> {
        let is_open = self.callers.len() < MAX_CALLERS && self.shut_until.is_none();
        let listener = is_open.then(|| PollFd::new(self.listener.as_fd(), PollFlags::POLLIN));
        let waiting = self.callers.iter().filter(|caller| caller.outlet.has_waiting());
        listener.into_iter().chain(waiting.map(|caller| PollFd::new(caller.outlet.as_fd(), PollFlags::POLLOUT)))
    }

    /// When the next caller is to be dropped, or let in.
    pub fn next_limit(&self) -> Option<Instant> {
        self.callers.iter().map(|caller| caller.until).chain(self.shut_until).min()
    }

    /// Gives everybody who waits these lines.
    pub fn tell(&mut self, lines: &[String]) {
        for caller in self.callers.iter_mut().filter(|caller| !caller.has_answer) {
            caller.outlet.put(format!("{GRANTED}\n{}\n", lines.join("\n")).as_bytes());
            caller.has_answer = true;
        }
    }

    /// Lets the next caller in, and says whether it is to be answered.
    fn accept(&mut self) -> Option<bool> {
        if self.callers.len() >= MAX_CALLERS || self.shut_until.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        self.shut_until = None;
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
            // This caller has gone again.
            Err(error) if [ErrorKind::ConnectionAborted, ErrorKind::Interrupted].contains(&error.kind()) => {
                return Some(false);
            }
            // The caller stays in the kernel's queue, so it would be the same at once.
            Err(_) => {
                self.shut_until = Some(Instant::now() + RETRY);
                return None;
            }
        };
        let Ok(mut outlet) = prepare(&stream) else { return Some(false) };
        let is_welcome = getsockopt(&stream, sockopt::PeerCredentials)
            .is_ok_and(|peer| [getuid(), Uid::from_raw(0)].contains(&Uid::from_raw(peer.uid())));
        if !is_welcome {
            outlet.put(format!("this job belongs to user {}\n", getuid()).as_bytes());
        }
        self.callers.push(Caller { outlet, until: Instant::now() + CALLER_LIMIT, has_answer: !is_welcome });
        Some(is_welcome)
    }
}

fn prepare(stream: &UnixStream) -> Result<Outlet, String> {
    stream.set_nonblocking(true).map_err(|error| error.to_string())?;
    Outlet::new(stream.as_fd())
}

impl Supervisor {
    /// Lets callers in, asks the PEs for them, and writes what can be written.
    pub(super) fn serve_door(&mut self) {
        let Some(door) = &mut self.door else { return };
        let mut is_asked = false;
        while let Some(is_welcome) = door.accept() {
            is_asked |= is_welcome;
        }
        for caller in &mut door.callers {
            if caller.outlet.has_waiting() {
                caller.outlet.write_piece();
            }
        }
        let now = Instant::now();
        door.callers.retain(|caller| {
            let is_done = caller.has_answer && !caller.outlet.has_waiting();
            !is_done && !caller.outlet.is_broken() && now < caller.until
        });
        if is_asked {
            self.inquire();
        }
    }
}

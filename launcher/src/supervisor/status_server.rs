//! Answers `shmemrun --status` on a Unix socket with an abstract name, which vanishes with this process, however it
//! ends.
//!
//! Abstract names have no permissions, so this module asks the operating system for the user of each client. Only root
//! and the user who started the job get an answer. Clients that do not read do not delay the job: each has its own
//! queue and is dropped after a time limit. If there are many of them, other clients wait until the limit has passed.

use std::io::{ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags};
use nix::sys::socket::{getsockopt, sockopt};
use nix::unistd::{Uid, getppid, getuid};

use crate::status::{self, GRANTED};

/// How many clients are served at a time; others wait in the operating system's queue.
const MAX_CLIENTS: usize = 8;
/// How long a client may take to read its answer.
const CLIENT_LIMIT: Duration = Duration::from_secs(5);
/// How long to wait before the next accept if the system had no descriptor or no memory for one.
const RETRY: Duration = Duration::from_millis(100);

/// The socket and its clients.
pub struct StatusServer {
    listener: UnixListener,
    clients: Vec<Client>,
    /// Until this time no client is accepted; those in the operating system's queue stay there.
    paused_until: Option<Instant>,
}

struct Client {
    stream: UnixStream,
    /// The part of its answer that has not been sent; empty until it has one.
    unsent: Vec<u8>,
    until: Instant,
    has_answer: bool,
}

impl Client {
    fn answer(&mut self, text: String) {
        self.unsent = text.into_bytes();
        self.has_answer = true;
    }

    /// Sends as much as the socket accepts. False if the client has gone.
    fn send(&mut self) -> bool {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(bytes) => drop(self.unsent.drain(..bytes)),
                Err(error) => return [ErrorKind::WouldBlock, ErrorKind::Interrupted].contains(&error.kind()),
            }
        }
        true
    }
}

impl StatusServer {
    /// Opens the socket. Its name contains the user, the front's process and the job.
    pub fn open(job_id: &str) -> Result<StatusServer, String> {
        let name = status::Name { uid: getuid().as_raw(), pid: getppid().as_raw(), job_id: job_id.into() };
        let address = SocketAddr::from_abstract_name(name.text());
        let listener = address.and_then(|address| UnixListener::bind_addr(&address));
        let listener = listener.and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
        let listener = listener.map_err(|error| format!("create a socket: {error}"))?;
        Ok(StatusServer { listener, clients: Vec::new(), paused_until: None })
    }

    /// The descriptors to poll.
    pub fn polled(&self) -> impl Iterator<Item = PollFd<'_>> {
        let is_open = self.clients.len() < MAX_CLIENTS && self.paused_until.is_none();
        let listener = is_open.then(|| PollFd::new(self.listener.as_fd(), PollFlags::POLLIN));
        let waiting = self.clients.iter().filter(|client| !client.unsent.is_empty());
        listener.into_iter().chain(waiting.map(|client| PollFd::new(client.stream.as_fd(), PollFlags::POLLOUT)))
    }

    /// When to drop the next client, or to accept clients again.
    pub fn next_limit(&self) -> Option<Instant> {
        self.clients.iter().map(|client| client.until).chain(self.paused_until).min()
    }

    /// Sends these lines to all clients that are waiting for an answer.
    pub fn answer(&mut self, lines: &[String]) {
        for client in self.clients.iter_mut().filter(|client| !client.has_answer) {
            client.answer(format!("{GRANTED}\n{}\n", lines.join("\n")));
        }
    }

    /// Accepts the next client, and returns whether it may have an answer.
    fn accept(&mut self) -> Option<bool> {
        if self.clients.len() >= MAX_CLIENTS || self.paused_until.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        self.paused_until = None;
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
            // This client has already gone.
            Err(error) if [ErrorKind::ConnectionAborted, ErrorKind::Interrupted].contains(&error.kind()) => {
                return Some(false);
            }
            // The client stays in the operating system's queue, so an immediate second attempt would fail in the same
            // way.
            Err(_) => {
                self.paused_until = Some(Instant::now() + RETRY);
                return None;
            }
        };
        if stream.set_nonblocking(true).is_err() {
            return Some(false);
        }
        let is_allowed = getsockopt(&stream, sockopt::PeerCredentials)
            .is_ok_and(|peer| [getuid(), Uid::from_raw(0)].contains(&Uid::from_raw(peer.uid())));
        let until = Instant::now() + CLIENT_LIMIT;
        let mut client = Client { stream, unsent: Vec::new(), until, has_answer: false };
        if !is_allowed {
            client.answer(format!("this job belongs to user {}\n", getuid()));
        }
        self.clients.push(client);
        Some(is_allowed)
    }

    /// Accepts clients, and writes what can be written. Returns whether one asks for the states of the PEs.
    pub fn serve(&mut self) -> bool {
        let mut is_asked = false;
        while let Some(is_allowed) = self.accept() {
            is_asked |= is_allowed;
        }
        let now = Instant::now();
        self.clients.retain_mut(|client| {
            let is_there = client.send();
            let is_done = client.has_answer && client.unsent.is_empty();
            is_there && !is_done && now < client.until
        });
        is_asked
    }
}

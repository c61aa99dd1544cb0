//! What makes the ends of connections that answer. A thread of each process waits at a socket for those that want to
//! use the process's memory, so the program takes no part in that.
//!
//! *Who may.* Whoever sends the token that is in the process's name, which the processes of the job have got from each
//! other by the rendezvous. Everybody else is ignored.
//!
//! *One connection for each direction.* A process that uses a peer makes a queue pair, sends its number, and gets that
//! of one that the listener has made for it. The listener connects its end before it answers, so the first packet finds
//! it ready. Only the process that asked posts to the pair. If both ask at the same time, there are two pairs, and
//! nothing has to be decided; an error on one of them does not end the other.

use crate::verbs::device::Device;
use crate::verbs::name::{End, Name, Request, Token};
use crate::verbs::queue::Queue;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// The processes that may be asking at the same time. Others wait until one of these is done.
const MOST_ASKING: usize = 64;
/// How long the listener rests when the system refuses something.
const PAUSE_MS: u16 = 100;
/// How long one may take to send its few bytes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The listener of a process. It ends when this is dropped.
pub(super) struct Listener {
    pub(super) name: Name,
    stop: Arc<EventFd>,
    thread: Option<JoinHandle<()>>,
}

/// One that asks.
struct Asking {
    stream: TcpStream,
    got: [u8; Request::BYTES],
    bytes: usize,
    since: Instant,
}

/// What has become of it.
enum Step {
    Waits,
    Gone,
    Asked(Request),
}

impl Listener {
    pub(super) fn start(device: Arc<Device>, address: IpAddr) -> Result<Self, String> {
        let wrong = |what: &str, error: &dyn std::fmt::Display| format!("{what} at {address}: {error}");
        let socket = TcpListener::bind((address, 0)).map_err(|error| wrong("listen", &error))?;
        let address = socket.local_addr().map_err(|error| wrong("listen", &error))?;
        socket.set_nonblocking(true).map_err(|error| wrong("listen", &error))?;
        let mut token = Token::default();
        getrandom::fill(&mut token).map_err(|error| wrong("random numbers", &error))?;
        let stop = EventFd::from_flags(EfdFlags::EFD_CLOEXEC).map_err(|error| wrong("make an event", &error))?;
        let stop = Arc::new(stop);
        let layer = device.about.layer;
        let thread = cushmem_thread::start(Builder::new().name("cushmem-verbs".to_owned()), {
            let stop = stop.clone();
            move || listen(&device, &socket, token, &stop)
        });
        let thread = thread.map_err(|error| wrong("start a thread that listens", &error))?;
        Ok(Self { name: Name { address, token, layer }, stop, thread: Some(thread) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // The number cannot overflow, so this does not wait.
        let _ = self.stop.write(1);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Answers until it is told to stop. Returns with all ends that it made.
fn listen(device: &Arc<Device>, socket: &TcpListener, token: Token, stop: &EventFd) {
    let mut queues = Vec::new();
    let mut all: Vec<Asking> = Vec::new();
    loop {
        let mut waits = vec![PollFd::new(stop.as_fd(), PollFlags::POLLIN)];
        waits.extend(all.iter().map(|asking| PollFd::new(asking.stream.as_fd(), PollFlags::POLLIN)));
        if all.len() < MOST_ASKING {
            waits.push(PollFd::new(socket.as_fd(), PollFlags::POLLIN));
        }
        let timeout = if all.is_empty() { PollTimeout::NONE } else { PollTimeout::from(1000_u16) };
        let result = poll(&mut waits, timeout);
        if result.is_ok() && waits[0].any().unwrap_or(false) {
            return;
        }
        if result.is_err_and(|error| error != nix::errno::Errno::EINTR) && pauses(stop) {
            return;
        }
        let mut index = 0;
        while index < all.len() {
            match all[index].step() {
                Step::Waits => index += 1,
                Step::Gone => drop(all.swap_remove(index)),
                Step::Asked(request) => {
                    let asking = all.swap_remove(index);
                    if request.token == token {
                        answer(asking.stream, Queue::answering(device, &request.end), &mut queues);
                    }
                }
            }
        }
        while all.len() < MOST_ASKING {
            match socket.accept() {
                Ok((stream, _)) if stream.set_nonblocking(true).is_ok() => {
                    all.push(Asking { stream, got: [0; Request::BYTES], bytes: 0, since: Instant::now() });
                }
                Ok(_) => {}
                // Whoever asked has gone again.
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // The process has no descriptor or no memory for it now. The socket stays readable.
                Err(_) if pauses(stop) => return,
                Err(_) => break,
            }
        }
    }
}

/// Waits for a moment, because the system refuses something; returns whether the listener is to stop.
fn pauses(stop: &EventFd) -> bool {
    let mut waits = [PollFd::new(stop.as_fd(), PollFlags::POLLIN)];
    if poll(&mut waits, PollTimeout::from(PAUSE_MS)).is_err() {
        std::thread::sleep(Duration::from_millis(PAUSE_MS.into()));
    }
    waits[0].any().unwrap_or(false)
}

impl Asking {
    fn step(&mut self) -> Step {
        loop {
            match self.stream.read(&mut self.got[self.bytes..]) {
                Ok(0) => return Step::Gone,
                Ok(more) => self.bytes += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock && self.since.elapsed() < PATIENCE => {
                    return Step::Waits;
                }
                Err(_) => return Step::Gone,
            }
            if self.bytes == self.got.len() {
                return Step::Asked(Request::read(self.got));
            }
        }
    }
}

/// Sends the end that was made, or why there is none. Few bytes: the socket has room for them.
fn answer(mut stream: TcpStream, made: Result<(Queue, End), String>, queues: &mut Vec<Queue>) {
    let (queue, message) = match made {
        Ok((queue, end)) => (Some(queue), [&[ANSWERED][..], &end.bytes()].concat()),
        Err(why) => (None, [&[REFUSED][..], why.as_bytes()].concat()),
    };
    // If it fails, whoever asked is gone, and nobody will use the pair.
    if stream.write_all(&message).is_ok() {
        queues.extend(queue);
    }
}

/// The first byte of an answer.
const ANSWERED: u8 = 1;
const REFUSED: u8 = 2;
/// The longest reason that is read.
const LONGEST_REASON: u64 = 500;

/// A process that asks a listener. Nothing here waits.
pub(super) struct Dial {
    socket: Socket,
    request: [u8; Request::BYTES],
    sent: usize,
    answer: Vec<u8>,
}

/// A connection that may not be there yet.
type Socket = TcpStream;

impl Dial {
    /// Begins to ask.
    pub(super) fn start(name: &Name, end: End) -> Result<Self, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("connect to {}: {error}", name.address);
        let socket = connecting(name.address).map_err(|error| wrong(&error))?;
        let request = Request { token: name.token, end }.bytes();
        Ok(Self { socket, request, sent: 0, answer: Vec::new() })
    }

    /// Goes on; returns the other end when it is known.
    pub(super) fn step(&mut self) -> Result<Option<End>, String> {
        while self.sent < self.request.len() {
            match self.socket.write(&self.request[self.sent..]) {
                Ok(more) => self.sent += more,
                Err(error) if is_pending(&error) => return Ok(None),
                Err(error) => return Err(format!("ask for a connection: {error}")),
            }
        }
        let mut few = [0; 64];
        loop {
            match self.socket.read(&mut few) {
                Ok(0) => return self.refused(),
                Ok(more) => self.answer.extend(&few[..more]),
                Err(error) if is_pending(&error) => return Ok(None),
                Err(error) => return Err(format!("ask for a connection: {error}")),
            }
            if let Some((&ANSWERED, end)) = self.answer.split_first()
                && let Some(end) = end.first_chunk()
            {
                return Ok(Some(End::read(*end)));
            }
            if self.answer.len() as u64 > LONGEST_REASON {
                return self.refused();
            }
        }
    }

    fn refused(&self) -> Result<Option<End>, String> {
        match self.answer.split_first() {
            Some((&REFUSED, why)) => Err(format!("it answers: {}", String::from_utf8_lossy(why).replace('\n', " "))),
            _ => Err("it closed the socket without an answer".to_owned()),
        }
    }
}

/// Whether the same call may work later.
fn is_pending(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted | ErrorKind::NotConnected)
}

/// Begins to connect.
fn connecting(address: SocketAddr) -> std::io::Result<Socket> {
    use nix::sys::socket::{AddressFamily, SockFlag, SockType, SockaddrStorage, connect, socket};
    use std::os::fd::AsRawFd;
    let family = if address.is_ipv4() { AddressFamily::Inet } else { AddressFamily::Inet6 };
    let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
    let socket = socket(family, SockType::Stream, flags, None)?;
    match connect(socket.as_raw_fd(), &SockaddrStorage::from(address)) {
        Ok(()) | Err(nix::errno::Errno::EINPROGRESS) => Ok(socket.into()),
        Err(error) => Err(error.into()),
    }
}

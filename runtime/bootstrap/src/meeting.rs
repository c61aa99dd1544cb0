//! Where processes meet that no launcher of ours has started: by TCP with a unique id, or on one node under a name.
//! Both sides of a new connection.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::socket::{
    AddressFamily, Backlog, SockFlag, SockType, SockaddrStorage, bind, listen, setsockopt, socket, sockopt,
};

use crate::descriptors::fill_standard_streams;
use crate::forked::NotForked;
use crate::interfaces;
use crate::node::{self, LocalSocket};
use crate::server::{Listener, Server};
use crate::socket::{MessageSocket, Progress, SeqPacket, timeout_until};
use crate::tcp::{TcpMessages, set_options};
use crate::unique_id::{NONCE_BYTES, PROOF_BYTES, Side, UniqueId, random};

/// How many addresses a text has: each takes up to 48 characters.
const MAX_ADDRESSES: usize = 15;
/// How long to try one address before the next. Whoever gives up earlier may lose a place in the server's queue that
/// was nearly at its head.
pub(crate) const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// How long the operating system may take to connect to the loopback address before it is asked again. It drops
/// the request if the server's queue is full, and would repeat it after a second at the earliest.
const SHORT_CONNECT_LIMIT: Duration = Duration::from_millis(20);
/// The problems of an address that is worth another try: its process is busy, or has dropped this connection in favour
/// of another.
const NO_ANSWER: &str = "no answer";
const DROPPED: &str = "it has closed the connection";
/// The problem of an address at which another program listens.
const STRANGER: &str = "something else listens there";
/// The problem of an address at which the server of another id listens, or of one with another secret.
const OTHER_ID: &str = "it did not accept this id";
/// The answer to a wrong greeting, before the server hangs up.
const WRONG_GREETING: [u8; 1] = [0];
/// The answer to the right proof.
const ACCEPTED: [u8; 1] = [1];
/// The pause between two attempts to connect.
const LOOK_AGAIN: Duration = Duration::from_millis(5);
const GREETING_BYTES: usize = NONCE_BYTES + PROOF_BYTES;

/// The server's end of TCP.
///
/// ```text
///   member → server: nonce, 32 bytes; greeting, 32 bytes
///   server → member: nonce, 32 bytes; proof, 32 bytes; or one byte if the greeting is wrong
///   member → server: proof, 32 bytes
///   server → member: one byte: the connection stays open until the member closes it
/// ```
///
/// The member speaks first, and at once, so that a connection whose other end is slow and has the secret can be told
/// from a stranger's. A member that does not get the last byte tries again: the server has dropped the connection,
/// because the member was stopped for longer than [`PROOF_LIMIT`](crate::server::PROOF_LIMIT).
pub(crate) struct TcpMeeting {
    listener: NotForked<TcpListener>,
    id: UniqueId,
}

/// A connection whose other end has not yet proved that it has the secret.
pub(crate) struct Proving {
    socket: TcpMessages,
    /// The server's and the member's, once the other end has sent the greeting.
    nonces: Option<[[u8; NONCE_BYTES]; 2]>,
}

impl UniqueId {
    /// Creates an id and starts the thread of this process at which the job's processes will meet. They can join as
    /// long as this process runs, and after a finalize the same PEs can join again with the same id, until this process
    /// creates another one. It listens at the loopback address, where only processes of this machine can connect, or at
    /// that of the network interface which `CUSHMEM_NET_INTERFACE` names.
    pub fn create() -> io::Result<UniqueId> {
        Place::make(Reach::Host, false).map(|place| place.id)
    }
}

impl Place {
    /// As [`UniqueId::create`], for processes on this host or on several, which may use it for all their jobs.
    pub(crate) fn create(reach: Reach) -> io::Result<Place> {
        Place::make(reach, true)
    }

    fn make(reach: Reach, is_kept: bool) -> io::Result<Place> {
        fill_standard_streams();
        let (address, others) = addresses_to_listen_at(reach)?;
        let listener = listen_at(SocketAddr::new(address, 0))?;
        let port = listener.local_addr()?.port();
        let id = UniqueId::new(&others, port, &node::identity())?;
        serve(listener, id, is_kept)?;
        let addresses = others.into_iter().map(|ip| SocketAddr::new(ip, port)).collect();
        Ok(Place { id, addresses, is_agreed_before: false })
    }

    /// Starts the server in this process, at all addresses of this host, on the first of the ports that no other
    /// program has taken, unless it runs here. Fails if it runs in another process.
    pub(crate) fn serve(&self, ports: &[u16]) -> io::Result<()> {
        if server_of(&self.id.job_id()).is_some() {
            return Ok(());
        }
        let mut last = io::Error::other("no port");
        for port in ports {
            let both = listen_at((Ipv6Addr::UNSPECIFIED, *port).into());
            match both.or_else(|_| listen_at((Ipv4Addr::UNSPECIFIED, *port).into())) {
                Ok(listener) => return serve(listener, self.id, true),
                Err(error) => last = error.into(),
            }
            let here = (Ipv4Addr::LOCALHOST, *port).into();
            if connect_at(&self.id, here, Instant::now() + SHORT_TURN).is_ok() {
                return Err(io::Error::other(format!("another job with the same variables has port {port}")));
            }
        }
        let list: Vec<String> = ports.iter().map(ToString::to_string).collect();
        Err(io::Error::other(format!("cannot listen at any of the ports {}: {last}", list.join(", "))))
    }
}

/// Starts the thread that keeps the job of an id together.
fn serve(listener: TcpListener, id: UniqueId, is_kept: bool) -> io::Result<()> {
    let job = id.job_id();
    let (no_more, last) = SeqPacket::pair()?;
    let meeting = TcpMeeting { listener: NotForked::new(listener), id };
    let server = Server::start(meeting, job.clone(), None, Some(no_more))?;
    let process = std::process::id();
    let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
    // A process that makes an id for each job must not keep a thread for each.
    servers.retain(|kept| {
        let is_done = !kept.is_kept && kept.server.has_told();
        if is_done && kept.process == process {
            // If nobody reads it, the thread has ended.
            let _ = kept.last.try_send(&[0], None);
        }
        !is_done && kept.process == process
    });
    servers.push(Kept { job, process, server, is_kept, last });
    Ok(())
}

/// A thread that keeps together the job of a unique id.
struct Kept {
    job: String,
    /// The process in which it runs: a forked child has a copy of this list, but none of its parent's threads.
    process: u32,
    server: Server,
    /// Whether later jobs use it, although this process makes other ids.
    is_kept: bool,
    /// A message over this socket says that the id is not used again.
    last: SeqPacket,
}

/// The servers in this process that may still be needed. One of them may serve the job that this process joins.
static SERVERS: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// The server of this job, which this process has just joined, if it runs in this process.
pub(crate) fn server_of(job: &str) -> Option<Server> {
    let servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
    let here = std::process::id();
    servers.iter().find(|kept| kept.job == job && kept.process == here).map(|kept| kept.server.of_this_job())
}

/// Where the processes of a job are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Host,
    Hosts,
}

/// The address to listen at, and those at which others find it: of the interface that the user names, or else the
/// loopback address or, for several hosts, all that this host has.
fn addresses_to_listen_at(reach: Reach) -> io::Result<(IpAddr, Vec<IpAddr>)> {
    let wanted = cushmem_environment::net_interface().map_err(|bad| io::Error::other(bad.to_string()))?;
    if wanted.is_none() && reach == Reach::Host {
        let address = Ipv4Addr::LOCALHOST.into();
        return Ok((address, vec![address]));
    }
    let all = interfaces::addresses()?;
    let mut found: Vec<IpAddr> = all.iter().filter(|address| address.is_global()).map(|address| address.ip).collect();
    if let Some(wanted) = wanted {
        let of_it = all.iter().find(|address| address.interface == wanted && address.is_global());
        let address = of_it.map(|address| address.ip).ok_or_else(|| {
            let variable = cushmem_environment::NET_INTERFACE.name;
            let list: Vec<String> = all.iter().map(ToString::to_string).collect();
            let list = list.join(", ");
            io::Error::other(format!("{variable}='{wanted}' has no address for other hosts; here are {list}"))
        })?;
        return Ok((address, vec![address]));
    }
    // Where there are addresses of both versions, more hosts have one of version 4.
    found.sort_by_key(IpAddr::is_ipv6);
    let any = match found.first() {
        Some(IpAddr::V4(_)) => Ipv4Addr::UNSPECIFIED.into(),
        Some(IpAddr::V6(_)) => Ipv6Addr::UNSPECIFIED.into(),
        None => return Err(io::Error::other("this host has no address for other hosts")),
    };
    found.retain(|address| address.is_ipv4() == IpAddr::is_ipv4(&any));
    Ok((any, found))
}

/// Listens at an address, with the longest queue that the operating system allows.
fn listen_at(address: SocketAddr) -> nix::Result<TcpListener> {
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    let family = if address.is_ipv4() { AddressFamily::Inet } else { AddressFamily::Inet6 };
    let listener = socket(family, SockType::Stream, flags, None)?;
    if address.is_ipv6() {
        setsockopt(&listener, sockopt::Ipv6V6Only, &false)?;
    }
    // Connections of a job that has ended must not keep its port.
    setsockopt(&listener, sockopt::ReuseAddr, &true)?;
    bind(listener.as_raw_fd(), &SockaddrStorage::from(address))?;
    set_options(&listener)?;
    listen(&listener, Backlog::MAXCONN)?;
    Ok(listener.into())
}

impl AsFd for TcpMeeting {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

impl AsFd for Proving {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Listener for TcpMeeting {
    type Socket = TcpMessages;
    type Pending = Proving;

    fn accept(&self) -> io::Result<Option<Proving>> {
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::ConnectionAborted) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        // The other end may have gone.
        Ok(TcpMessages::accepted(stream).ok().map(|socket| Proving { socket, nonces: None }))
    }

    fn prove(&self, pending: &mut Proving) -> Progress<()> {
        let mut message = [0; GREETING_BYTES];
        let bytes = match pending.socket.try_receive(&mut message) {
            Ok(Progress::Done(received)) => received.bytes,
            Ok(Progress::WouldBlock) => return Progress::WouldBlock,
            _ => return Progress::Closed,
        };
        let Ok(own) = random() else { return Progress::Closed };
        let (answer, progress) = answer(&self.id, &mut pending.nonces, own, &message[..bytes]);
        // It fits into the socket's buffer. If the other end has gone, the next read reports it.
        let _ = answer.map(|answer| pending.socket.try_send(&answer, None));
        progress
    }

    fn greeting(pending: &Proving) -> Option<[u8; NONCE_BYTES]> {
        pending.nonces.map(|[_, member]| member)
    }

    fn proved(pending: Proving) -> TcpMessages {
        pending.socket
    }
}

/// How long to try one of several addresses, at some of which another program may listen and answer nothing.
const SHORT_TURN: Duration = Duration::from_secs(1);

/// Where the server of an id listens. As text, `ID,ADDRESS,ADDRESS...`, which has no blanks and, for any number of
/// addresses, less than 1,024 characters, the limit of some process managers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) id: UniqueId,
    pub(crate) addresses: Vec<SocketAddr>,
    /// Whether it may start after the others have come, and at which of the addresses is open until then.
    pub(crate) is_agreed_before: bool,
}

impl From<&UniqueId> for Place {
    fn from(id: &UniqueId) -> Self {
        Place { id: *id, addresses: id.addresses(), is_agreed_before: false }
    }
}

/// What the server answers to a message of a member, if anything, and how far the proof is then. `nonces` are the
/// server's and the member's once the greeting has come; `own` are random bytes in case this is the greeting.
pub(crate) fn answer(
    id: &UniqueId,
    nonces: &mut Option<[[u8; NONCE_BYTES]; 2]>,
    own: [u8; NONCE_BYTES],
    message: &[u8],
) -> (Option<Vec<u8>>, Progress<()>) {
    let (first, second) = (message.first_chunk(), message.last_chunk());
    match (*nonces, message.len(), first, second) {
        (None, GREETING_BYTES, Some(nonce), Some(greeting)) if id.is_greeting(nonce, greeting) => {
            *nonces = Some([own, *nonce]);
            (Some([own, id.proof(Side::Server, &own, nonce)].concat()), Progress::WouldBlock)
        }
        (None, GREETING_BYTES, ..) => (Some(WRONG_GREETING.into()), Progress::Closed),
        (Some([own, nonce]), PROOF_BYTES, Some(proof), _) if id.proves(Side::Member, &own, &nonce, proof) => {
            (Some(ACCEPTED.into()), Progress::Done(()))
        }
        _ => (None, Progress::Closed),
    }
}

/// What a member that has sent these random bytes answers to the server's proof. The error says what is wrong with it.
pub(crate) fn answer_of_member(
    id: &UniqueId,
    own: &[u8; NONCE_BYTES],
    proof: &[u8],
) -> Result<[u8; PROOF_BYTES], &'static str> {
    match (proof.len(), proof.first_chunk(), proof.last_chunk()) {
        (GREETING_BYTES, Some(nonce), Some(proof)) if id.proves(Side::Server, nonce, own, proof) => {
            Ok(id.proof(Side::Member, nonce, own))
        }
        (GREETING_BYTES, ..) => Err("it does not know the secret"),
        (bytes, ..) if bytes == WRONG_GREETING.len() => Err(OTHER_ID),
        _ => Err(STRANGER),
    }
}

impl Place {
    /// How long to try an address before the next.
    pub(crate) fn turn(&self) -> Duration {
        if self.is_agreed_before { SHORT_TURN } else { CONNECT_LIMIT }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)?;
        // Without the number of a network interface, which is of one host only.
        let plain = |address: &SocketAddr| SocketAddr::new(address.ip(), address.port());
        self.addresses.iter().take(MAX_ADDRESSES).try_for_each(|address| write!(f, ",{}", plain(address)))
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',');
        let id = parts.next().unwrap_or_default().parse()?;
        let address = |part: &str| {
            let found = part.parse().ok().filter(|found: &SocketAddr| found.port() != 0 && !part.contains('%'));
            found.ok_or_else(|| format!("'{}' is not an address", part.escape_debug()))
        };
        let addresses = parts.map(address).collect::<Result<Vec<_>, _>>()?;
        if !(1..=MAX_ADDRESSES).contains(&addresses.len()) {
            return Err(format!("it has {} addresses, expected 1 to {MAX_ADDRESSES}", addresses.len()));
        }
        Ok(Place { id, addresses, is_agreed_before: false })
    }
}

/// How often this process has tried again to connect to a rendezvous.
static RETRIES: AtomicU64 = AtomicU64::new(0);

/// How often this process has tried again to connect to a rendezvous, on this machine or elsewhere.
pub fn connection_retries() -> u64 {
    // Relaxed, as below: it stands alone.
    RETRIES.load(Ordering::Relaxed)
}

/// Waits before it is tried again to connect.
fn pause() {
    RETRIES.fetch_add(1, Ordering::Relaxed);
    std::thread::sleep(LOOK_AGAIN);
}

/// Connects to the server of an id, and proves that this process has the secret. An address that does not answer within
/// `turn` is tried again until the deadline, because its process may be busy. The error lists what was tried.
pub(crate) fn connect(place: &Place, deadline: Instant, turn: Duration) -> Result<TcpMessages, String> {
    // The last problem of each address, and whether somebody listens there: that says more than nobody does later.
    let mut problems: Vec<(String, bool)> = vec![(NO_ANSWER.to_owned(), false); place.addresses.len()];
    loop {
        let mut has_hope = place.is_agreed_before;
        for (address, last) in place.addresses.iter().zip(&mut problems) {
            match connect_at(&place.id, *address, deadline.min(Instant::now() + turn)) {
                Ok(socket) => return Ok(socket),
                Err(problem) => {
                    has_hope |= problem == NO_ANSWER || problem == DROPPED;
                    let answers = [STRANGER, OTHER_ID].contains(&&*problem);
                    if answers || !last.1 {
                        *last = (problem, answers);
                    }
                }
            }
        }
        if !has_hope || Instant::now() >= deadline {
            let whom = if place.is_agreed_before { "process 0" } else { "the process that made the unique id" };
            let all = place.addresses.iter().zip(&problems);
            let all: Vec<String> = all.map(|(address, (problem, _))| format!("{address}: {problem}")).collect();
            let hint = if place.addresses.iter().any(|address| !address.ip().is_loopback()) {
                format!(" ({} there names the network interface)", cushmem_environment::NET_INTERFACE.name)
            } else {
                String::new()
            };
            return Err(format!("cannot reach {whom}: {}{hint}", all.join("; ")));
        }
        pause();
    }
}

fn connect_at(id: &UniqueId, address: SocketAddr, deadline: Instant) -> Result<TcpMessages, String> {
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    let limit = left.min(if address.ip().is_loopback() { SHORT_CONNECT_LIMIT } else { SHORT_TURN });
    let stream = TcpStream::connect_timeout(&address, limit).map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => NO_ANSWER.to_owned(),
        _ => error.to_string(),
    })?;
    let socket = TcpMessages::new(stream).map_err(|error| error.to_string())?;
    let own: [u8; NONCE_BYTES] = random().map_err(|error| error.to_string())?;
    let send = |message: &[u8]| match socket.try_send(message, None) {
        Ok(Progress::Done(())) => Ok(()),
        Ok(_) => Err(DROPPED.to_owned()),
        Err(error) => Err(error.desc().to_owned()),
    };
    send(&[own, id.greeting(&own)].concat())?;
    let mut answer = [0; GREETING_BYTES];
    let bytes = receive(&socket, &mut answer, deadline)?;
    send(&answer_of_member(id, &own, &answer[..bytes])?)?;
    let mut last = [0; ACCEPTED.len()];
    receive(&socket, &mut last, deadline)?;
    if last == ACCEPTED { Ok(socket) } else { Err(STRANGER.into()) }
}

/// Receives one message and returns its length.
fn receive(socket: &TcpMessages, buffer: &mut [u8], deadline: Instant) -> Result<usize, String> {
    loop {
        // Before the attempt, so that one follows after the deadline: the process may have been stopped for a while.
        let is_late = Instant::now() >= deadline;
        match socket.try_receive(buffer) {
            Ok(Progress::Done(received)) => return Ok(received.bytes),
            Ok(Progress::WouldBlock) if is_late => return Err(NO_ANSWER.into()),
            Ok(Progress::WouldBlock) => {}
            Ok(Progress::Closed) => return Err(DROPPED.into()),
            Err(_) => return Err(STRANGER.into()),
        }
        let _ = poll(&mut [PollFd::new(socket.as_fd(), PollFlags::POLLIN)], timeout_until(deadline));
    }
}

/// The server's end of a name on one node.
pub(crate) struct LocalMeeting(NotForked<OwnedFd>);

impl LocalMeeting {
    /// Takes the name.
    pub(crate) fn new(name: &str) -> io::Result<Self> {
        Ok(LocalMeeting(NotForked::new(node::listen_at(name)?)))
    }
}

impl AsFd for LocalMeeting {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Listener for LocalMeeting {
    type Socket = LocalSocket;
    type Pending = LocalSocket;

    fn accept(&self) -> io::Result<Option<LocalSocket>> {
        node::accept_at(&self.0)
    }

    /// The operating system has confirmed that it is the same user.
    fn prove(&self, _: &mut LocalSocket) -> Progress<()> {
        Progress::Done(())
    }

    fn proved(pending: LocalSocket) -> LocalSocket {
        pending
    }
}

/// Connects to a name once somebody has taken it. `None` if nobody does before the deadline.
pub(crate) fn connect_locally(name: &str, deadline: Instant) -> io::Result<Option<LocalSocket>> {
    loop {
        // Before the attempt, as in `receive`.
        let is_late = Instant::now() >= deadline;
        if let Some(socket) = node::connect_to(name)? {
            return Ok(Some(socket));
        }
        if is_late {
            return Ok(None);
        }
        pause();
    }
}

#[cfg(test)]
#[path = "meeting_tests.rs"]
mod tests;

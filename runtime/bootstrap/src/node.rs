//! Which PEs are on one node, and the local sockets through which they find each other.
//!
//! PEs can share memory if they run under the same instance of the operating system, in the same network and process
//! namespaces: this is a node. Two containers of one host are two nodes unless they share both namespaces.
//!
//! The sockets have abstract names, so nothing is left in the file system, whichever process dies. Anybody on the
//! machine can connect to such a name, or take it first. So each side asks the operating system who the other is, and
//! continues only if it is the same user.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, Backlog, SockFlag, SockType, UnixAddr, accept4, bind, connect, getsockopt, listen, socket, sockopt,
};

use crate::forked::NotForked;
use crate::socket::{MessageSocket, Progress, Received, SeqPacket};

/// Identifies this PE's node: words that are the same on all PEs of the node and on no other node.
pub(crate) fn identity() -> String {
    let text = |path| std::fs::read_to_string(path).map(|text| text.trim().to_owned()).unwrap_or_default();
    let link = |path| std::fs::read_link(path).map(|link| link.display().to_string()).unwrap_or_default();
    let (system, name) = (text("/proc/sys/kernel/random/boot_id"), text("/proc/sys/kernel/hostname"));
    format!("{name} {system} {} {}", link("/proc/self/ns/net"), link("/proc/self/ns/pid"))
}

/// The machine's name in an identity, for display.
pub(crate) fn host_name(identity: &str) -> &str {
    identity.split(' ').next().unwrap_or("")
}

/// A local socket of this process.
#[derive(Debug)]
pub(crate) struct LocalSocket(NotForked<SeqPacket>);

impl MessageSocket for LocalSocket {
    fn try_send(&self, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> std::result::Result<Progress<()>, Errno> {
        self.0.try_send(bytes, descriptor)
    }

    fn try_flush(&self) -> std::result::Result<Progress<()>, Errno> {
        self.0.try_flush()
    }

    fn try_receive(&self, buffer: &mut [u8]) -> std::result::Result<Progress<Received>, Errno> {
        self.0.try_receive(buffer)
    }
}

impl AsFd for LocalSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Takes a name to which the PEs of a node can connect.
pub(crate) fn listen_at(name: &str) -> Result<OwnedFd> {
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    let listener = socket(AddressFamily::Unix, SockType::SeqPacket, flags, None)?;
    bind(listener.as_raw_fd(), &UnixAddr::new_abstract(name.as_bytes())?)?;
    listen(&listener, Backlog::MAXCONN)?;
    Ok(listener)
}

/// The next process of this user that has connected. `None` if there is none, or if the next one belongs to another
/// user and is turned away.
pub(crate) fn accept_at(listener: &impl AsFd) -> Result<Option<LocalSocket>> {
    match accept4(listener.as_fd().as_raw_fd(), SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK) {
        // SAFETY: the call has just made this descriptor, so nothing else owns it.
        Ok(number) => Ok(checked(unsafe { OwnedFd::from_raw_fd(number) }).ok()),
        Err(Errno::EAGAIN | Errno::EINTR | Errno::ECONNABORTED) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Connects to a name. `None` if nobody has taken it yet, or if the owner's queue of connections is full: a blocking
/// call would wait for the owner.
pub(crate) fn connect_to(name: &str) -> Result<Option<LocalSocket>> {
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    let socket = socket(AddressFamily::Unix, SockType::SeqPacket, flags, None)?;
    match connect(socket.as_raw_fd(), &UnixAddr::new_abstract(name.as_bytes())?) {
        Ok(()) => checked(socket).map(Some),
        Err(Errno::ECONNREFUSED | Errno::EAGAIN | Errno::EINTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes sure that the other end belongs to this user.
fn checked(socket: OwnedFd) -> Result<LocalSocket> {
    let theirs = getsockopt(&socket, sockopt::PeerCredentials)?.uid();
    let own = nix::unistd::geteuid().as_raw();
    if theirs != own {
        let text = format!("the other end belongs to user {theirs}, not to user {own}");
        return Err(Error::new(ErrorKind::PermissionDenied, text));
    }
    Ok(LocalSocket(NotForked::new(SeqPacket::from(socket))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_once_and_free_again() {
        let name = format!("cushmem-test-{}", std::process::id());
        assert!(connect_to(&name).unwrap().is_none());
        let listener = listen_at(&name).unwrap();
        assert_eq!(listen_at(&name).unwrap_err().kind(), ErrorKind::AddrInUse);
        let one = connect_to(&name).unwrap().unwrap();
        let other = accept_at(&listener).unwrap().unwrap();
        assert!(accept_at(&listener).unwrap().is_none());
        assert!(matches!(one.try_send(b"hello", None), Ok(Progress::Done(()))));
        let mut buffer = [0; 8];
        let Ok(Progress::Done(received)) = other.try_receive(&mut buffer) else { panic!("nothing received") };
        assert_eq!(&buffer[..received.bytes], b"hello");
        drop(listener);
        drop(listen_at(&name).unwrap());
    }

    #[test]
    fn identities_begin_with_the_name() {
        let own = identity();
        assert_eq!(own.split(' ').count(), 4);
        assert_eq!(host_name(&own), std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap().trim());
    }
}

//! The trait for sockets that carry messages, and the one used within a machine: a `SOCK_SEQPACKET` Unix socket that
//! never blocks and carries at most one file descriptor per message.
//!
//! A message arrives whole or not at all, so a process that is killed in the middle of a call leaves no torn message.
//! The pair has no name, so nothing is left in the file system, whichever process dies.

use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Instant;

use nix::cmsg_space;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::poll::PollTimeout;
use nix::sys::socket::{
    AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, UnixAddr, getsockname, getsockopt, recvmsg, sendmsg,
    socketpair, sockopt,
};

/// Carries messages in order, each whole or not at all.
pub(crate) trait MessageSocket: AsFd + std::fmt::Debug + Send + Sync {
    /// Takes one message, without waiting. After that, [`Self::try_flush`] may have to send the rest of it.
    fn try_send(&self, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<Progress<()>, Errno>;

    /// Sends what is left of messages that were taken, without waiting.
    fn try_flush(&self) -> Result<Progress<()>, Errno>;

    /// Receives one message into `buffer`, without waiting. A message that does not fit is an error (`EMSGSIZE`).
    fn try_receive(&self, buffer: &mut [u8]) -> Result<Progress<Received>, Errno>;
}

/// One end of a connection within a machine, between a PE and the party that keeps the job together.
#[derive(Debug)]
pub struct SeqPacket(OwnedFd);

/// The outcome of a send or a receive.
#[derive(Debug)]
pub enum Progress<T> {
    /// The message was sent or received.
    Done(T),
    /// The call would have to wait: poll, then try again.
    WouldBlock,
    /// The other end is closed.
    Closed,
}

/// A received message; its bytes are in the caller's buffer.
#[derive(Debug)]
pub struct Received {
    /// Length of the message in bytes.
    pub bytes: usize,
    /// The file descriptors that came with it, closed on exec.
    pub descriptors: Vec<OwnedFd>,
    /// Whether descriptors came with it that this process could not accept: either it had no descriptors left, or more
    /// came than a message may carry. The ones that arrived are then closed.
    pub lost_descriptors: bool,
}

impl SeqPacket {
    /// A connected pair, both ends closed on exec.
    pub fn pair() -> Result<(SeqPacket, SeqPacket), Errno> {
        let (one, other) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)?;
        Ok((SeqPacket(one), SeqPacket(other)))
    }

    /// Takes over an inherited socket by its number, checks that it is one, and sets it to close on exec.
    pub(crate) fn inherit(number: RawFd) -> Result<SeqPacket, String> {
        // SAFETY: it is borrowed for one call, which only asks for the socket's type, and fails if the descriptor is
        // not open.
        let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
        let found = match getsockopt(&borrowed, sockopt::SockType) {
            // SAFETY: the launcher left this socket open for the library, and the caller takes it once per process.
            Ok(SockType::SeqPacket) => return unsafe { inherit_descriptor(number) }.map(SeqPacket),
            Ok(kind) => format!("a socket of type {kind:?}"),
            Err(error) => error.desc().to_string(),
        };
        Err(format!("file descriptor {number} is not the launcher's socket ({found}): {ONE_PROCESS_PER_PE}"))
    }

    /// Sends one message, without waiting.
    pub fn try_send(&self, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<Progress<()>, Errno> {
        let raw = descriptor.map(|fd| [fd.as_raw_fd()]);
        let rights = raw.as_ref().map(|fds| [ControlMessage::ScmRights(fds)]);
        let control = rights.as_ref().map_or(&[][..], |messages| &messages[..]);
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
        loop {
            match sendmsg::<()>(self.0.as_raw_fd(), &[IoSlice::new(bytes)], control, flags, None) {
                Ok(_) => return Ok(Progress::Done(())),
                Err(Errno::EINTR) => {}
                // ETOOMANYREFS: too many descriptors are in flight; this passes as the receivers take theirs.
                Err(Errno::EAGAIN | Errno::ENOBUFS | Errno::ETOOMANYREFS) => return Ok(Progress::WouldBlock),
                Err(Errno::EPIPE | Errno::ECONNRESET) => return Ok(Progress::Closed),
                Err(error) => return Err(error),
            }
        }
    }

    /// Receives one message into `buffer`, without waiting. A message that does not fit is an error (`EMSGSIZE`).
    pub fn try_receive(&self, buffer: &mut [u8]) -> Result<Progress<Received>, Errno> {
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_CMSG_CLOEXEC;
        loop {
            let mut control = cmsg_space!([RawFd; 1]);
            let mut vectors = [IoSliceMut::new(buffer)];
            let message = match recvmsg::<()>(self.0.as_raw_fd(), &mut vectors, Some(&mut control), flags) {
                Ok(message) => message,
                Err(Errno::EINTR) => continue,
                Err(Errno::EAGAIN) => return Ok(Progress::WouldBlock),
                // The other end closed the connection without reading all messages. This is reported once, before the
                // messages that the other end had sent.
                Err(Errno::ECONNRESET) => continue,
                Err(error) => return Err(error),
            };
            let (bytes, flags) = (message.bytes, message.flags);
            // SAFETY: the buffer was all zeros, and only the operating system has written to it since.
            let mut descriptors = unsafe { arrived(&control) };
            let lost_descriptors = flags.contains(MsgFlags::MSG_CTRUNC);
            if lost_descriptors {
                descriptors.clear();
            }
            if flags.contains(MsgFlags::MSG_TRUNC) {
                return Err(Errno::EMSGSIZE);
            }
            return Ok(match bytes {
                // No message of the protocol is empty, so this is the end of the connection.
                0 => Progress::Closed,
                bytes => Progress::Done(Received { bytes, descriptors, lost_descriptors }),
            });
        }
    }
}

/// The descriptors that came with a message, even if others were cut off; in that case nix returns none at all.
///
/// # Safety
///
/// `control` is all zeros, or holds what the operating system has written there for a message that this process has
/// just received and whose descriptors nothing else owns.
unsafe fn arrived(control: &[u8]) -> Vec<OwnedFd> {
    let Some((header, _)) = control.split_first_chunk::<{ size_of::<libc::cmsghdr>() }>() else { return Vec::new() };
    // SAFETY: the type is made of integers, for which any bytes will do.
    let header = unsafe { header.as_ptr().cast::<libc::cmsghdr>().read_unaligned() };
    if (header.cmsg_level, header.cmsg_type) != (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
        return Vec::new();
    }
    let numbers = control.get(size_of::<libc::cmsghdr>()..header.cmsg_len).unwrap_or_default();
    let numbers = numbers.as_chunks::<4>().0.iter().map(|bytes| RawFd::from_ne_bytes(*bytes));
    // SAFETY: the operating system has made these descriptors for this process, so they are open, and by the contract
    // nothing else owns them.
    numbers.map(|number| unsafe { OwnedFd::from_raw_fd(number) }).collect()
}

/// The timeout of a poll for this deadline. A fraction of a millisecond counts as a whole one. A wait of more than a
/// minute takes several polls.
pub fn timeout_until(deadline: Instant) -> PollTimeout {
    let left_ms = deadline.saturating_duration_since(Instant::now()).as_millis() + 1;
    PollTimeout::from(u16::try_from(left_ms).unwrap_or(u16::MAX))
}

impl MessageSocket for SeqPacket {
    fn try_send(&self, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<Progress<()>, Errno> {
        SeqPacket::try_send(self, bytes, descriptor)
    }

    /// Nothing is ever left, because the socket takes each message whole.
    fn try_flush(&self) -> Result<Progress<()>, Errno> {
        Ok(Progress::Done(()))
    }

    fn try_receive(&self, buffer: &mut [u8]) -> Result<Progress<Received>, Errno> {
        SeqPacket::try_receive(self, buffer)
    }
}

impl From<OwnedFd> for SeqPacket {
    /// A connected `SOCK_SEQPACKET` socket.
    fn from(socket: OwnedFd) -> Self {
        SeqPacket(socket)
    }
}

impl AsFd for SeqPacket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// The advice for a missing inherited descriptor.
pub(crate) const ONE_PROCESS_PER_PE: &str =
    "one process per PE can use the library; a program that a PE starts needs a shmemrun of its own";

/// Takes over an inherited descriptor by its number and sets it to close on exec.
///
/// # Safety
///
/// If the number is an open descriptor, then this process inherited it for the caller, and nothing else in the process
/// owns it or will own it.
pub unsafe fn inherit_descriptor(number: RawFd) -> Result<OwnedFd, String> {
    if number < 0 {
        return Err(format!("file descriptor {number}: it is negative"));
    }
    // SAFETY: it is borrowed for one call, which fails if the descriptor is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl(borrowed, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))
        .map_err(|error| format!("file descriptor {number}: {}: {ONE_PROCESS_PER_PE}", error.desc()))?;
    // SAFETY: it is open, because the call above succeeded, and the caller guarantees that nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Whether an inherited descriptor is a local stream socket. Another one with its number is a file of the program.
pub(crate) fn is_stream(number: RawFd) -> bool {
    let local = |address: UnixAddr| address.path().is_none();
    // SAFETY: it is borrowed for one call, which only asks for the socket's type, and fails if the descriptor is not
    // open.
    let kind = getsockopt(&unsafe { BorrowedFd::borrow_raw(number.max(0)) }, sockopt::SockType);
    number >= 0 && matches!(kind, Ok(SockType::Stream)) && getsockname::<UnixAddr>(number).is_ok_and(local)
}

/// A descriptor of its own for an inherited local stream socket, which stays open. `exec` closes the new one.
pub(crate) fn duplicate_of_stream(number: RawFd) -> Result<OwnedFd, Errno> {
    if !is_stream(number) {
        return Err(Errno::EBADF);
    }
    // SAFETY: it is borrowed for one call, which fails if the descriptor is not open.
    let copy = fcntl(unsafe { BorrowedFd::borrow_raw(number) }, FcntlArg::F_DUPFD_CLOEXEC(3))?;
    // SAFETY: the call has just made this descriptor, so nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

/// Has `exec` close an inherited descriptor.
pub(crate) fn not_for_programs(number: RawFd) -> Result<(), Errno> {
    // SAFETY: it is borrowed for one call, which fails if the descriptor is not open.
    fcntl(unsafe { BorrowedFd::borrow_raw(number) }, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::poll::{PollFd, PollFlags, poll};
    use std::io::Read;

    /// Catches words to a process manager that are written into a file of the program, which has the number now.
    #[test]
    fn only_local_streams_are_a_managers() {
        use std::os::unix::net::{UnixListener, UnixStream};
        let (one, _other) = UnixStream::pair().unwrap();
        assert!(is_stream(one.as_raw_fd()));
        let copy = duplicate_of_stream(one.as_raw_fd()).unwrap();
        assert!(copy.as_raw_fd() != one.as_raw_fd() && is_stream(copy.as_raw_fd()));
        let (reader, _writer) = std::io::pipe().unwrap();
        let (packets, _) = SeqPacket::pair().unwrap();
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let folder = cushmem_scratch::Folder::new("named").unwrap();
        let named = UnixListener::bind(folder.join("socket")).unwrap();
        let file = std::fs::File::open("/dev/null").unwrap();
        let all = [reader.as_raw_fd(), packets.0.as_raw_fd(), tcp.as_raw_fd(), named.as_raw_fd(), file.as_raw_fd()];
        for other in all.into_iter().chain([-1, 100_000]) {
            assert!(!is_stream(other) && duplicate_of_stream(other).is_err(), "{other}");
        }
    }

    /// Catches a manager's descriptor that programs which a PE executes could use.
    #[test]
    fn programs_do_not_get_what_is_not_for_them() {
        let file = std::fs::File::open("/dev/null").unwrap();
        let flags = || fcntl(&file, FcntlArg::F_GETFD).map(FdFlag::from_bits_truncate);
        fcntl(&file, FcntlArg::F_SETFD(FdFlag::empty())).unwrap();
        assert_eq!(flags(), Ok(FdFlag::empty()));
        not_for_programs(file.as_raw_fd()).unwrap();
        assert_eq!(flags(), Ok(FdFlag::FD_CLOEXEC));
        assert_eq!(not_for_programs(100_000), Err(Errno::EBADF));
    }

    #[test]
    fn message_and_descriptor_arrive_together() {
        let (one, other) = SeqPacket::pair().unwrap();
        let (mut reader, writer) = std::io::pipe().unwrap();
        assert!(matches!(one.try_send(b"hello", Some(writer.as_fd())), Ok(Progress::Done(()))));
        drop(writer);
        let mut buffer = [0; 16];
        let Ok(Progress::Done(mut received)) = other.try_receive(&mut buffer) else { panic!("nothing received") };
        assert_eq!((&buffer[..received.bytes], received.descriptors.len()), (&b"hello"[..], 1));
        let copy = received.descriptors.pop().unwrap();
        nix::unistd::write(&copy, b"through").unwrap();
        drop(copy);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
    }

    /// Catches descriptors that stay open, with which a peer could exhaust this process's descriptors.
    #[test]
    fn descriptors_beyond_the_one_are_closed() {
        for count in [2, 3, 9] {
            let (one, other) = SeqPacket::pair().unwrap();
            let (reader, writer) = std::io::pipe().unwrap();
            let copies = vec![writer.as_raw_fd(); count];
            let rights = [ControlMessage::ScmRights(&copies)];
            let sent = sendmsg::<()>(one.0.as_raw_fd(), &[IoSlice::new(b"x")], &rights, MsgFlags::empty(), None);
            assert_eq!(sent, Ok(1));
            drop(writer);
            let Ok(Progress::Done(received)) = other.try_receive(&mut [0; 4]) else { panic!("nothing received") };
            assert!(received.lost_descriptors || received.descriptors.len() == count, "{count}: {received:?}");
            drop(received);
            // The pipe ends when nobody holds its other end open; a child of another test may do so for a moment.
            let ended = poll(&mut [PollFd::new(reader.as_fd(), PollFlags::POLLIN)], 20_000u16);
            assert_eq!(ended, Ok(1), "{count} descriptors were sent");
        }
    }

    #[test]
    fn nothing_to_receive_closed_and_too_long_are_told_apart() {
        let (one, other) = SeqPacket::pair().unwrap();
        let mut buffer = [0; 4];
        assert!(matches!(other.try_receive(&mut buffer), Ok(Progress::WouldBlock)));
        assert!(matches!(one.try_send(b"12345", None), Ok(Progress::Done(()))));
        assert!(matches!(other.try_receive(&mut buffer), Err(Errno::EMSGSIZE)));
        drop(one);
        assert!(matches!(other.try_receive(&mut buffer), Ok(Progress::Closed)));
        assert!(matches!(other.try_send(b"x", None), Ok(Progress::Closed)));
    }
}

//! Messages over TCP, between machines. Each follows its length: four bytes, little-endian.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, PoisonError};

use nix::errno::Errno;
use nix::sys::socket::{setsockopt, sockopt};

use crate::forked::NotForked;
use crate::socket::{MessageSocket, Progress, Received};
use crate::wire::MAX_MESSAGE_BYTES;

const LENGTH_BYTES: usize = 4;
/// After about this many seconds, a machine that has vanished without closing its connections is noticed.
const SILENCE_S: u32 = 15;

/// A TCP connection that carries messages and never blocks.
#[derive(Debug)]
pub(crate) struct TcpMessages {
    stream: NotForked<TcpStream>,
    /// Bytes of messages that were taken but not sent yet.
    outgoing: Mutex<Vec<u8>>,
    /// Bytes that were received but are not a whole message yet.
    incoming: Mutex<Vec<u8>>,
}

impl TcpMessages {
    /// Takes over a connected socket.
    pub(crate) fn new(stream: TcpStream) -> std::io::Result<Self> {
        set_options(&stream)?;
        Self::accepted(stream)
    }

    /// Takes over a socket that was accepted at a listener with [`set_options`], which it inherits.
    pub(crate) fn accepted(stream: TcpStream) -> std::io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(TcpMessages { stream: NotForked::new(stream), outgoing: Mutex::default(), incoming: Mutex::default() })
    }

    fn flush(&self, outgoing: &mut Vec<u8>) -> Result<Progress<()>, Errno> {
        let mut sent = 0;
        let progress = loop {
            if sent == outgoing.len() {
                break Ok(Progress::Done(()));
            }
            match (&*self.stream).write(&outgoing[sent..]) {
                Ok(bytes) => sent += bytes,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break Ok(Progress::WouldBlock),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break ended(&error),
            }
        };
        outgoing.drain(..sent);
        progress
    }
}

/// The first message of what has arrived; `None` if it is not complete yet. The error says that none has this length.
pub(crate) fn first(incoming: &[u8], most_bytes: usize) -> Result<Option<&[u8]>, Errno> {
    let Some((length, rest)) = incoming.split_first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
    let bytes = u32::from_le_bytes(*length) as usize;
    if bytes == 0 || bytes > most_bytes {
        return Err(Errno::EMSGSIZE);
    }
    Ok(rest.get(..bytes))
}

/// Sends messages at once, and notices a machine that has vanished.
pub(crate) fn set_options(socket: &impl AsFd) -> nix::Result<()> {
    setsockopt(socket, sockopt::TcpNoDelay, &true)?;
    setsockopt(socket, sockopt::KeepAlive, &true)?;
    setsockopt(socket, sockopt::TcpKeepIdle, &(SILENCE_S / 3))?;
    setsockopt(socket, sockopt::TcpKeepInterval, &(SILENCE_S / 3))?;
    setsockopt(socket, sockopt::TcpKeepCount, &2)
}

/// If the other side or the network has ended the connection, it is closed; anything else is an error.
fn ended<T>(error: &std::io::Error) -> Result<Progress<T>, Errno> {
    match Errno::from_raw(error.raw_os_error().unwrap_or(0)) {
        Errno::EPIPE | Errno::ECONNRESET | Errno::ETIMEDOUT | Errno::EHOSTUNREACH => Ok(Progress::Closed),
        other => Err(other),
    }
}

impl MessageSocket for TcpMessages {
    fn try_send(&self, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<Progress<()>, Errno> {
        if descriptor.is_some() {
            return Err(Errno::EINVAL);
        }
        let mut outgoing = self.outgoing.lock().unwrap_or_else(PoisonError::into_inner);
        match self.flush(&mut outgoing)? {
            Progress::Done(()) => {}
            unfinished => return Ok(unfinished),
        }
        outgoing.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        outgoing.extend_from_slice(bytes);
        Ok(match self.flush(&mut outgoing)? {
            Progress::Closed => Progress::Closed,
            _ => Progress::Done(()),
        })
    }

    fn try_flush(&self) -> Result<Progress<()>, Errno> {
        self.flush(&mut self.outgoing.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn try_receive(&self, buffer: &mut [u8]) -> Result<Progress<Received>, Errno> {
        let mut incoming = self.incoming.lock().unwrap_or_else(PoisonError::into_inner);
        let mut piece = [0; 8 * 1024];
        loop {
            if let Some(message) = first(&incoming, MAX_MESSAGE_BYTES.min(buffer.len()))? {
                let bytes = message.len();
                buffer[..bytes].copy_from_slice(message);
                incoming.drain(..LENGTH_BYTES + bytes);
                return Ok(Progress::Done(Received { bytes, descriptors: vec![], lost_descriptors: false }));
            }
            match (&*self.stream).read(&mut piece) {
                Ok(0) => return Ok(Progress::Closed),
                Ok(bytes) => incoming.extend_from_slice(&piece[..bytes]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Progress::WouldBlock),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return ended(&error),
            }
        }
    }
}

impl AsFd for TcpMessages {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::socket::{getsockopt, sockopt};
    use std::net::TcpListener;

    fn pair() -> (TcpMessages, TcpMessages) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (other, _) = listener.accept().unwrap();
        (TcpMessages::new(one).unwrap(), TcpMessages::new(other).unwrap())
    }

    /// Receives until a message or the end of the connection arrives.
    fn receive(socket: &TcpMessages, buffer: &mut [u8]) -> Result<Option<usize>, Errno> {
        loop {
            match socket.try_receive(buffer)? {
                Progress::Done(received) => return Ok(Some(received.bytes)),
                Progress::Closed => return Ok(None),
                Progress::WouldBlock => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn messages_of_all_sizes_keep_their_borders() {
        let (one, other) = pair();
        let sizes = [1, 31, 32, MAX_MESSAGE_BYTES, 8 * 1024, 8 * 1024 - 4, 3];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut buffer = vec![0; MAX_MESSAGE_BYTES];
                for _ in 0..20 {
                    for size in sizes {
                        assert_eq!(receive(&other, &mut buffer), Ok(Some(size)));
                        assert!(buffer[..size].iter().all(|byte| *byte == size as u8));
                    }
                }
                assert_eq!(receive(&other, &mut buffer), Ok(None));
            });
            for _ in 0..20 {
                for size in sizes {
                    let message = vec![size as u8; size];
                    while matches!(one.try_send(&message, None), Ok(Progress::WouldBlock)) {
                        std::thread::yield_now();
                    }
                }
            }
            while matches!(one.try_flush(), Ok(Progress::WouldBlock)) {
                std::thread::yield_now();
            }
            drop(one);
        });
    }

    #[test]
    fn lengths_that_no_message_has_are_refused() {
        for length in [0, MAX_MESSAGE_BYTES as u32 + 1, u32::MAX] {
            let (one, other) = pair();
            (&*one.stream).write_all(&length.to_le_bytes()).unwrap();
            let mut buffer = vec![0; MAX_MESSAGE_BYTES];
            assert_eq!(receive(&other, &mut buffer), Err(Errno::EMSGSIZE));
        }
    }

    /// Catches an operating system that closes the connection to a process which is stopped. Such a process takes
    /// nothing, and the limit also counts for what has to wait because the other end takes nothing.
    #[test]
    fn what_waits_for_a_stopped_process_has_no_limit() {
        let (one, other) = pair();
        for socket in [&one, &other] {
            assert_eq!(getsockopt(&*socket.stream, sockopt::TcpUserTimeout), Ok(0));
        }
    }

    #[test]
    fn a_descriptor_cannot_be_sent() {
        let (one, _other) = pair();
        assert!(matches!(one.try_send(b"x", Some(one.as_fd())), Err(Errno::EINVAL)));
    }
}

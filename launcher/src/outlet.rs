//! The launcher's stdout or stderr, written by a thread of its own. On a host of several, it leads to the launcher that
//! started the job.
//!
//! Any write may block for an unlimited time: the reader of a pipe may have stopped, a terminal may be held, or another
//! process may fill the pipe between a poll and the write. The descriptor cannot be made non-blocking either, because
//! it is shared with other processes. So a thread does the writing, and nothing else waits for a reader: the process
//! that owns the outlet adds text, and polls for news.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::stat::fstat;
use nix::unistd::write;

use crate::hosts::{Link, Standard};

/// An outlet is full while more than this many bytes are waiting in it.
const FULL_BYTES: usize = 1024 * 1024;
/// How much is written at once. Up to this many bytes go into a pipe in one piece (PIPE_BUF on Linux), not mixed with
/// what others write to it.
const PIECE_BYTES: usize = 4096;
/// How long the last words of a process may take to write.
const LAST_WORDS_LIMIT: Duration = Duration::from_secs(1);

/// Text on its way to a descriptor. Clones share one outlet.
#[derive(Clone)]
pub struct Outlet {
    shared: Arc<Shared>,
}

/// Where text goes.
enum Target {
    File(OwnedFd),
    Link(Link, Standard),
}

struct Shared {
    target: Target,
    text: Mutex<Text>,
    more: Condvar,
    news: EventFd,
}

struct Text {
    waiting: VecDeque<u8>,
    /// The number of lines from PEs that it has taken.
    lines: u64,
    /// Why nothing more can be written.
    error: Option<Errno>,
    /// Whether no more text follows.
    is_last: bool,
}

impl Outlet {
    /// Outlets for stdout and stderr. If they are the same file, one outlet serves both, so that lines of the two do
    /// not mix.
    pub fn pair() -> Result<(Outlet, Outlet), String> {
        let (stdout, stderr) = (std::io::stdout(), std::io::stderr());
        let file = |fd: BorrowedFd<'_>| fstat(fd).ok().map(|stat| (stat.st_dev, stat.st_ino));
        let out = Outlet::new(stdout.as_fd())?;
        let are_one = file(stdout.as_fd()).is_some_and(|one| Some(one) == file(stderr.as_fd()));
        let err = if are_one { out.clone() } else { Outlet::new(stderr.as_fd())? };
        Ok((out, err))
    }

    /// An outlet that writes to a copy of `fd`, and its thread.
    pub fn new(fd: BorrowedFd<'_>) -> Result<Outlet, String> {
        let fd = fd.try_clone_to_owned().map_err(|error| format!("copy stdout or stderr: {error}"))?;
        Outlet::to(Target::File(fd))
    }

    /// Outlets for stdout and stderr at the other end of a link.
    pub fn pair_over(link: &Link) -> Result<(Outlet, Outlet), String> {
        let to = |stream| Outlet::to(Target::Link(link.clone(), stream));
        Ok((to(Standard::Out)?, to(Standard::Err)?))
    }

    fn to(target: Target) -> Result<Outlet, String> {
        let news = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)
            .map_err(|error| format!("create an eventfd: {}", error.desc()))?;
        let text = Mutex::new(Text { waiting: VecDeque::new(), lines: 0, error: None, is_last: false });
        let shared = Arc::new(Shared { target, text, more: Condvar::new(), news });
        let writer = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("cushmem-output".into())
            .spawn(move || writer.write_all())
            .map_err(|error| format!("start a thread that writes output: {error}"))?;
        Ok(Outlet { shared })
    }

    /// Whether to give it no more text for now.
    pub fn is_full(&self) -> bool {
        self.shared.lock().waiting.len() > FULL_BYTES
    }

    /// How many bytes have not been written yet.
    pub fn waiting(&self) -> usize {
        self.shared.lock().waiting.len()
    }

    /// Why nothing more can be written: EPIPE if the reader has gone.
    pub fn error(&self) -> Option<Errno> {
        self.shared.lock().error
    }

    /// How many lines from PEs it has taken.
    pub fn lines(&self) -> u64 {
        self.shared.lock().lines
    }

    /// The descriptor to poll until the outlet is no longer full, is empty, or is broken; [`Self::take_news`] resets
    /// it.
    pub fn news(&self) -> BorrowedFd<'_> {
        self.shared.news.as_fd()
    }

    /// Resets the news, so that the next poll waits for new ones.
    pub fn take_news(&self) {
        // There may be none.
        let _ = self.shared.news.read();
    }

    /// Adds text to the waiting text.
    pub fn put(&self, text: &[u8]) {
        self.shared.lock().take(&[text]);
        self.shared.more.notify_one();
    }

    /// Closes the descriptor when everything has been written, if this is the last clone.
    pub fn close(self) {
        self.shared.lock().is_last = true;
        self.shared.more.notify_one();
    }

    /// Adds a line from a PE, and returns how many the outlet has now taken.
    pub fn put_line(&self, prefix: &[u8], line: &[u8]) -> u64 {
        let mut text = self.shared.lock();
        text.take(&[prefix, line]);
        text.lines += 1;
        self.shared.more.notify_one();
        text.lines
    }
}

impl Text {
    fn take(&mut self, parts: &[&[u8]]) {
        if self.error.is_none() {
            self.waiting.extend(parts.iter().copied().flatten());
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Text> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes all text as it arrives, until the reader has gone.
    fn write_all(&self) {
        let mut piece = Vec::new();
        loop {
            let mut text = self.lock();
            while text.waiting.is_empty() {
                if text.is_last {
                    return;
                }
                text = self.more.wait(text).unwrap_or_else(PoisonError::into_inner);
            }
            take_piece(&mut piece, &text.waiting);
            drop(text);
            let result = self.target.write(&piece);
            let mut text = self.lock();
            let was_full = text.waiting.len() > FULL_BYTES;
            match result {
                Ok(bytes) => drop(text.waiting.drain(..bytes)),
                Err(Errno::EINTR | Errno::EAGAIN) => continue,
                Err(error) => {
                    text.error = Some(error);
                    text.waiting.clear();
                }
            }
            if text.waiting.is_empty() || was_full && text.waiting.len() <= FULL_BYTES {
                // This fails only if there is a great deal of unread news.
                let _ = self.news.write(1);
            }
            if text.error.is_some() {
                return;
            }
        }
    }
}

impl Target {
    fn write(&self, piece: &[u8]) -> Result<usize, Errno> {
        match self {
            Target::File(fd) => {
                let result = write(fd, piece);
                if result == Err(Errno::EAGAIN) {
                    // Another process has made the descriptor non-blocking. If the poll fails, the loop tries again.
                    let _ = poll(&mut [PollFd::new(fd.as_fd(), PollFlags::POLLOUT)], PollTimeout::from(100u16));
                }
                result
            }
            Target::Link(link, stream) => link.write(*stream, piece),
        }
    }
}

/// Fills `piece` with the text to write next, in whole lines where they are short enough.
fn take_piece(piece: &mut Vec<u8>, waiting: &VecDeque<u8>) {
    piece.clear();
    piece.extend(waiting.iter().take(PIECE_BYTES));
    if let Some(end) = piece.iter().rposition(|byte| *byte == b'\n') {
        piece.truncate(end + 1);
    }
}

/// Writes a line to stderr for a process that is about to end, without letting a stopped reader delay that end.
pub fn write_last_line(line: &str) {
    let text = format!("shmemrun: {}\n", cushmem_command_line::printable(line));
    let Ok(outlet) = Outlet::new(std::io::stderr().as_fd()) else {
        // The system has no thread or no descriptor to give. If the write fails, there is nobody to tell.
        let _ = write(std::io::stderr(), text.as_bytes());
        return;
    };
    outlet.put(text.as_bytes());
    let deadline = Instant::now() + LAST_WORDS_LIMIT;
    while outlet.waiting() > 0 && Instant::now() < deadline {
        let _ = poll(&mut [PollFd::new(outlet.news(), PollFlags::POLLIN)], PollTimeout::from(100u16));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn text_arrives_whole_while_the_reader_stands_still() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let outlet = Outlet::new(writer.as_fd()).unwrap();
        drop(writer);
        let text: Vec<u8> = (0..400_000).flat_map(|n| format!("{n}\n").into_bytes()).collect();
        outlet.put(&text);
        assert!(outlet.is_full());
        let mut found = vec![0; text.len()];
        reader.read_exact(&mut found).unwrap();
        assert!(found == text);
        while outlet.waiting() > 0 {
            poll(&mut [PollFd::new(outlet.news(), PollFlags::POLLIN)], PollTimeout::NONE).unwrap();
            outlet.take_news();
        }
        drop(reader);
        outlet.put(b"to nobody");
        while outlet.error().is_none() {
            poll(&mut [PollFd::new(outlet.news(), PollFlags::POLLIN)], PollTimeout::NONE).unwrap();
        }
        assert_eq!((outlet.waiting(), outlet.error()), (0, Some(Errno::EPIPE)));
    }

    #[test]
    fn pieces_end_with_a_line_where_they_can() {
        let piece = |text: &[u8]| {
            let mut piece = Vec::new();
            take_piece(&mut piece, &text.iter().copied().collect());
            piece.len()
        };
        assert_eq!(piece(b"one\ntwo\nthr"), 8);
        assert_eq!(piece(b"unfinished"), 10);
        assert_eq!(piece(&[b'x'; 10_000]), PIECE_BYTES);
    }
}

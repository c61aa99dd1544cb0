//! Passes the PEs' output through the launcher: in whole lines, without blocking.
//!
//! A [`Stream`] is the read end of one PE's pipe. Its lines go to an [`Outlet`], the launcher's own stdout or stderr.
//! If the outlet is full because its reader is slow, streams are left unread: their PEs wait, as they would for any
//! full pipe, and the launcher does not.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::read;

use crate::outlet::Outlet;

/// How many lines of a PE's stderr are kept for the report of its failure.
const TAIL_LINES: usize = 5;
/// They are not repeated if at most this many lines of other PEs have followed.
const STILL_SEEN: u64 = 10;
/// How many bytes of each of these lines are kept.
const TAIL_LINE_BYTES: usize = 500;
/// A line longer than this is passed on in parts.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// The read end of a PE's stdout or stderr.
pub struct Stream {
    pipe: OwnedFd,
    prefix: String,
    partial: Vec<u8>,
    tail: VecDeque<String>,
    /// How many lines the outlet had taken when it took this stream's last line.
    last_line: u64,
    is_open: bool,
}

impl Stream {
    /// Takes over the read end of a pipe; each line will start with `prefix`.
    pub fn new(pipe: OwnedFd, prefix: String) -> Result<Stream, String> {
        fcntl(&pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))
            .map_err(|error| format!("set up a pipe: {}", error.desc()))?;
        Ok(Stream { pipe, prefix, partial: Vec::new(), tail: VecDeque::new(), last_line: 0, is_open: true })
    }

    /// Whether more may arrive.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The descriptor to poll for more.
    pub fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// The last lines that arrived, unless so few followed them in the outlet that the reader still sees them.
    pub fn tail_unless_seen(&self, outlet: &Outlet) -> impl Iterator<Item = &str> {
        let is_seen = outlet.lines() - self.last_line <= STILL_SEEN;
        self.tail.iter().filter(move |_| !is_seen).map(String::as_str)
    }

    /// Reads once and passes whole lines on; returns false if there was nothing to read.
    pub fn relay(&mut self, outlet: &Outlet) -> bool {
        if !self.is_open {
            return false;
        }
        let mut buffer = [0; 16 * 1024];
        match read(&self.pipe, &mut buffer) {
            Ok(0) => self.close(outlet),
            Ok(bytes) => self.take(&buffer[..bytes], outlet),
            Err(Errno::EINTR) => {}
            Err(Errno::EAGAIN) => return false,
            Err(_) => self.close(outlet),
        }
        true
    }

    /// Passes on everything that can be read now, even if the outlet is full.
    pub fn drain(&mut self, outlet: &Outlet) {
        // A child of a PE that writes without end must not keep the launcher here.
        const MAX_READS: usize = 256;
        for _ in 0..MAX_READS {
            if !self.relay(outlet) {
                return;
            }
        }
    }

    /// Passes on an unfinished last line and stops reading.
    pub fn close(&mut self, outlet: &Outlet) {
        if !self.partial.is_empty() {
            self.take(b"\n", outlet);
        }
        self.is_open = false;
    }

    fn take(&mut self, bytes: &[u8], outlet: &Outlet) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.partial.extend_from_slice(part);
            if self.partial.ends_with(b"\n") {
                self.pass_line(outlet);
            } else if self.partial.len() >= MAX_LINE_BYTES {
                self.partial.push(b'\n');
                self.pass_line(outlet);
            }
        }
    }

    fn pass_line(&mut self, outlet: &Outlet) {
        self.last_line = outlet.put_line(self.prefix.as_bytes(), &self.partial);
        let line = &self.partial[..self.partial.len() - 1];
        if self.tail.len() == TAIL_LINES {
            self.tail.pop_front();
        }
        self.tail.push_back(String::from_utf8_lossy(&line[..line.len().min(TAIL_LINE_BYTES)]).into_owned());
        self.partial.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// Lets a stream with the prefix "[1] " take each text, and returns the stream, the outlet, and what was written to
    /// it.
    fn relayed(texts: &[&str]) -> (Stream, Outlet, String) {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut stream = Stream::new(reader.into(), "[1] ".into()).unwrap();
        let (mut written, outlet_end) = std::io::pipe().unwrap();
        let outlet = Outlet::new(outlet_end.as_fd()).unwrap();
        for text in texts {
            writer.write_all(text.as_bytes()).unwrap();
            stream.drain(&outlet);
        }
        stream.close(&outlet);
        let mut text = String::new();
        let mut piece = [0; 1024];
        while outlet.waiting() > 0 {
            std::thread::yield_now();
        }
        while text.lines().count() < outlet.lines() as usize || !text.ends_with('\n') {
            let bytes = written.read(&mut piece).unwrap();
            text += str::from_utf8(&piece[..bytes]).unwrap();
        }
        (stream, outlet, text)
    }

    #[test]
    fn lines_are_whole_and_carry_the_prefix() {
        assert_eq!(relayed(&["one\ntw", "o\nthree"]).2, "[1] one\n[1] two\n[1] three\n");
    }

    #[test]
    fn the_last_five_lines_are_kept_and_clipped() {
        let long = "x".repeat(3000);
        let (stream, outlet, _) = relayed(&["a\nb\nc\nd\ne\nf\n", &long]);
        assert_eq!(stream.tail_unless_seen(&outlet).count(), 0, "they are the last that was seen");
        for _ in 0..STILL_SEEN {
            outlet.put_line(b"", b"another\n");
        }
        assert_eq!(stream.tail_unless_seen(&outlet).count(), 0, "they are just above");
        outlet.put_line(b"", b"another\n");
        let tail: Vec<&str> = stream.tail_unless_seen(&outlet).collect();
        assert_eq!(tail[..4], ["c", "d", "e", "f"]);
        assert_eq!(tail[4].len(), TAIL_LINE_BYTES);
    }
}

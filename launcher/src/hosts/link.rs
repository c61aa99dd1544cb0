//! The connection between the launcher that the user started and the one on a host: a pipe in each direction.
//!
//! Two threads serve it, so that neither launcher ever waits for the other. One writes frames, and an [`Frame::Alive`]
//! when there has been nothing to say for a while. The other reads; it decides that the other side is lost when it has
//! said nothing for [`silence`]. Time in which this process gets no core does not count: each look at the pipe adds at
//! most [`LONGEST_STEP`], however late it is. The owner polls [`Link::news`] and takes what has arrived.
//!
//! **Standard streams.** A link lets through only so many bytes of each as the other side has room for ([`WINDOW`]): it
//! reports what it has passed on ([`Frame::Passed`]). So a reader of the job's output that stands still
//! stops the PEs that write, and nothing else: other frames pass.
//!
//! **Clocks.** The thread that reads looks at the clock as soon as it has read a [`Frame::Clock`], and where PEs run
//! ([`Link::tell_time`]), it answers at once, in front of everything else that is to be written. A launcher in the
//! middle passes both on in front of records.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use cushmem_bootstrap::socket::timeout_until;
use cushmem_record::Reading;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::unistd::{read, write};

use super::clock;
use super::frame::{Frame, Standard};

/// A side that says nothing for [`silence`] is lost. Its network may be, or it is stopped. This is the shortest one.
const SILENCE: Duration = Duration::from_secs(15);
/// How long a look at the pipe waits, and what it adds at most.
const STEP: Duration = Duration::from_millis(250);
const LONGEST_STEP: Duration = Duration::from_millis(500);
/// How long the other side may take for what is said to it after it has closed the connection.
const LAST_WORDS_LIMIT: Duration = Duration::from_secs(1);
/// How often each side says something.
const ALIVE_EVERY: Duration = Duration::from_secs(4);
/// How many bytes of each standard stream may be on their way.
pub const WINDOW: usize = 256 * 1024;
/// How many bytes are read at once.
const PIECE_BYTES: usize = 64 * 1024;

/// One side of a connection. Clones share it.
#[derive(Clone)]
pub struct Link {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// There is something to write, or room for a stream.
    more: Condvar,
    /// Something has arrived.
    news: EventFd,
}

#[derive(Default)]
struct State {
    outgoing: VecDeque<Arc<[u8]>>,
    /// How many bytes the writer has taken and not written yet.
    writing: usize,
    incoming: VecDeque<Frame>,
    /// Why nothing more will arrive.
    end: Option<End>,
    /// Whether the other side takes nothing more. What it has sent before may still arrive.
    is_deaf: bool,
    /// By stream: how many bytes are on their way.
    on_their_way: [usize; 3],
    /// By stream: whether nobody reads it at the other side.
    has_no_reader: [bool; 3],
    /// Whether questions for the time are for this process.
    tells_time: bool,
}

/// How a connection ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The other side has closed it.
    Closed,
    /// It has said nothing for [`silence`].
    Silent,
    /// It has sent what the launcher never sends.
    Malformed(String),
}

/// How long the other side may say nothing: as long as a PE of another host may, if the user wants that to be longer.
/// Where programs keep all cores busy, the other side may get none for a while.
pub fn silence() -> Duration {
    // A PE says what is wrong with a value that is none.
    cushmem_environment::net_limit().map_or(SILENCE, |limit| limit.max(SILENCE))
}

impl Link {
    /// Starts to serve a connection.
    pub fn start(from: OwnedFd, to: OwnedFd) -> Result<Link, String> {
        let news = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)
            .map_err(|error| format!("create an eventfd: {}", error.desc()))?;
        let shared = Arc::new(Shared { state: Mutex::default(), more: Condvar::new(), news });
        let (reader, writer) = (shared.clone(), shared.clone());
        let started = |result: std::io::Result<_>| result.map_err(|error| format!("start a thread: {error}"));
        started(Builder::new().name("cushmem-to-host".into()).spawn(move || writer.write_all(&to)))?;
        started(Builder::new().name("cushmem-from-host".into()).spawn(move || reader.read_all(&from)))?;
        Ok(Link { shared })
    }

    /// Sends a frame. One for clocks overtakes records, of which there may be many.
    pub fn send(&self, frame: &Frame) {
        let bytes: Arc<[u8]> = frame.encode().into();
        if !matches!(frame, Frame::Clock { .. }) {
            return self.send_encoded(bytes);
        }
        let mut state = self.shared.lock();
        if !state.is_deaf {
            let records = state.outgoing.iter().position(|bytes| Frame::is_record(bytes));
            let at = records.unwrap_or(state.outgoing.len());
            state.outgoing.insert(at, bytes);
        }
        drop(state);
        self.shared.more.notify_all();
    }

    /// Sends a frame that has been encoded.
    pub fn send_encoded(&self, bytes: Arc<[u8]>) {
        let mut state = self.shared.lock();
        if !state.is_deaf {
            state.outgoing.push_back(bytes);
        }
        drop(state);
        self.shared.more.notify_all();
    }

    /// Sends a piece of a stream when there is room for it. Returns how many bytes were sent; waits until it is one, or
    /// nobody reads the stream.
    pub fn write(&self, stream: Standard, bytes: &[u8]) -> Result<usize, Errno> {
        let has_no_reader =
            |state: &State| state.end.is_some() || state.is_deaf || state.has_no_reader[stream as usize];
        let mut state = self.shared.lock();
        while state.on_their_way[stream as usize] >= WINDOW && !has_no_reader(&state) {
            state = self.shared.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if has_no_reader(&state) {
            return Err(Errno::EPIPE);
        }
        let room = WINDOW - state.on_their_way[stream as usize];
        let bytes = &bytes[..bytes.len().min(room)];
        state.on_their_way[stream as usize] += bytes.len();
        state.outgoing.push_back(Frame::Piece(stream, bytes.to_vec()).encode().into());
        drop(state);
        self.shared.more.notify_all();
        Ok(bytes.len())
    }

    /// Sends no more of a stream, which nobody reads at the other side.
    pub fn give_up(&self, stream: Standard) {
        self.shared.lock().has_no_reader[stream as usize] = true;
        self.shared.more.notify_all();
    }

    /// From now on, answers questions for the time.
    pub fn tell_time(&self) {
        self.shared.lock().tells_time = true;
    }

    /// The descriptor to poll for what has arrived; [`Self::receive`] resets it.
    pub fn news(&self) -> BorrowedFd<'_> {
        self.shared.news.as_fd()
    }

    /// Takes the frames that have arrived.
    pub fn receive(&self) -> VecDeque<Frame> {
        // There may be none.
        let _ = self.shared.news.read();
        std::mem::take(&mut self.shared.lock().incoming)
    }

    /// Why nothing more will arrive, once all that has arrived was taken.
    pub fn end(&self) -> Option<End> {
        let state = self.shared.lock();
        state.end.clone().filter(|_| state.incoming.is_empty())
    }

    /// Waits until all frames have been written, or the other side has gone. It is gone when it is silent for long. If
    /// nothing more arrives, it may still take something, for a while.
    pub fn flush(&self) {
        let is_busy = |state: &mut State| !state.outgoing.is_empty() || state.writing > 0;
        let state = self.shared.lock();
        let state = self.shared.more.wait_while(state, |state| is_busy(state) && state.end.is_none());
        let state = state.unwrap_or_else(PoisonError::into_inner);
        drop(self.shared.more.wait_timeout_while(state, LAST_WORDS_LIMIT, is_busy));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the end, the first that comes.
    fn end(&self, end: End) {
        self.lock().end.get_or_insert(end);
        self.more.notify_all();
        let _ = self.news.write(1);
    }

    /// Goes on when nothing more arrives, until the other side takes nothing more.
    fn write_all(&self, to: &OwnedFd) {
        let mut last = Instant::now();
        loop {
            let mut state = self.lock();
            while state.outgoing.is_empty() && last.elapsed() < ALIVE_EVERY {
                let left = ALIVE_EVERY.saturating_sub(last.elapsed());
                state = self.more.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            }
            let frame = state.outgoing.pop_front().unwrap_or_else(|| Frame::Alive.encode().into());
            state.writing = frame.len();
            drop(state);
            let result = write_whole(to, &frame);
            last = Instant::now();
            let mut state = self.lock();
            state.writing = 0;
            if result.is_err() {
                // The reader finds the end, behind what has been sent before it.
                state.is_deaf = true;
                state.outgoing.clear();
            }
            drop(state);
            self.more.notify_all();
            if result.is_err() {
                return;
            }
        }
    }

    fn read_all(&self, from: &OwnedFd) {
        let (mut bytes, mut piece) = (Vec::new(), vec![0; PIECE_BYTES]);
        let (mut silent, silence) = (Duration::ZERO, silence());
        loop {
            let mut polled = [PollFd::new(from.as_fd(), PollFlags::POLLIN)];
            let began = Instant::now();
            match poll(&mut polled, timeout_until(began + STEP)) {
                Ok(0) if silent >= silence => return self.end(End::Silent),
                Ok(0) | Err(Errno::EINTR) => {
                    silent += began.elapsed().min(LONGEST_STEP);
                    continue;
                }
                // The read says what it is.
                Ok(_) | Err(_) => {}
            }
            match read(from, &mut piece) {
                Ok(0) => return self.end(End::Closed),
                Ok(count) => bytes.extend_from_slice(&piece[..count]),
                Err(Errno::EINTR | Errno::EAGAIN) => continue,
                Err(_) => return self.end(End::Closed),
            }
            silent = Duration::ZERO;
            if let Err(why) = self.take_frames(&mut bytes) {
                return self.end(End::Malformed(why));
            }
        }
    }

    /// Takes the whole frames from the front of `bytes`.
    fn take_frames(&self, bytes: &mut Vec<u8>) -> Result<(), String> {
        let mut taken = 0;
        while let Some((frame, length)) = Frame::first(&bytes[taken..])? {
            taken += length;
            let mut state = self.lock();
            match frame {
                Frame::Alive => {}
                Frame::Passed(stream, passed) => {
                    let on_their_way = &mut state.on_their_way[stream as usize];
                    *on_their_way = on_their_way.saturating_sub(passed as usize);
                    drop(state);
                    self.more.notify_all();
                }
                Frame::Clock { host, reading } if state.tells_time => {
                    let answer = Frame::Clock { host, reading: Reading { there: clock::now(), ..reading } };
                    state.outgoing.push_front(answer.encode().into());
                    drop(state);
                    self.more.notify_all();
                }
                frame => {
                    let frame = match frame {
                        Frame::Clock { host, reading } => {
                            Frame::Clock { host, reading: Reading { back: clock::now(), ..reading } }
                        }
                        frame => frame,
                    };
                    state.incoming.push_back(frame);
                    drop(state);
                    let _ = self.news.write(1);
                }
            }
        }
        bytes.drain(..taken);
        Ok(())
    }
}

fn write_whole(to: &OwnedFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match write(to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::EINTR) => {}
            Err(Errno::EAGAIN) => {
                let _ = poll(&mut [PollFd::new(to.as_fd(), PollFlags::POLLOUT)], PollTimeout::from(100u16));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn pair() -> (Link, Link) {
        let ((from_one, to_one), (from_other, to_other)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        let one = Link::start(from_one.into(), to_other.into()).unwrap();
        (one, Link::start(from_other.into(), to_one.into()).unwrap())
    }

    /// Waits for something to arrive, for a while.
    fn next(link: &Link) -> Vec<Frame> {
        let limit = Instant::now() + Duration::from_secs(60);
        loop {
            let frames: Vec<Frame> = link.receive().into();
            if !frames.is_empty() || link.end().is_some() || Instant::now() >= limit {
                return frames;
            }
            let _ = poll(&mut [PollFd::new(link.news(), PollFlags::POLLIN)], PollTimeout::from(1000u16));
        }
    }

    #[test]
    fn frames_of_all_sizes_arrive_in_order() {
        let (one, other) = pair();
        let sizes = [0, 1, 70_000, 5, 3_000_000, 2];
        for size in sizes {
            one.send(&Frame::Piece(Standard::In, vec![7; size]));
        }
        let mut found = vec![];
        while found.len() < sizes.len() {
            let frames = next(&other);
            assert!(!frames.is_empty());
            found.extend(frames);
        }
        assert_eq!(found, sizes.map(|size| Frame::Piece(Standard::In, vec![7; size])));
        one.flush();
        assert_eq!(one.end(), None);
    }

    /// Catches a launcher in the middle whose questions and answers wait for the records of other hosts, and a question
    /// that comes before the job.
    #[test]
    fn a_question_for_the_time_overtakes_records_alone() {
        let ((from, _to_it), (from_it, to)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        let link = Link::start(from.into(), to.into()).unwrap();
        let record = |pe| Frame::Record { host: 1, pe, at: 0, bytes: vec![7; 100_000] };
        let clock = |host| Frame::Clock { host, reading: Reading { asked: 1, there: 2, back: 3 } };
        // The pipe is full, and nobody reads yet.
        link.send(&record(0));
        while link.shared.lock().writing == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        [Frame::Kill, clock(1), record(1), record(2), clock(2), clock(3)].iter().for_each(|frame| link.send(frame));
        let mut bytes =
            vec![0; 3 * record(0).encode().len() + Frame::Kill.encode().len() + 3 * clock(1).encode().len()];
        std::io::Read::read_exact(&mut std::fs::File::from(OwnedFd::from(from_it)), &mut bytes).unwrap();
        let mut found = vec![];
        while let Some((frame, length)) = Frame::first(&bytes).unwrap() {
            bytes.drain(..length);
            found.push(frame);
        }
        assert_eq!(found, [record(0), Frame::Kill, clock(1), clock(2), clock(3), record(1), record(2)]);
    }

    /// Catches a launcher whose last words are lost when it can no longer be reached: sshd closes the standard input of
    /// what it serves as soon as the first process there has ended, and still passes on what the others say.
    #[test]
    fn what_is_said_after_nothing_more_arrives_is_written() {
        let ((from, to_it), (mut from_it, to)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        let link = Link::start(from.into(), to.into()).unwrap();
        drop(to_it);
        assert_eq!(next(&link), []);
        assert_eq!(link.end(), Some(End::Closed));
        for status in 0..3 {
            link.send(&Frame::Over { status });
            link.flush();
            let mut bytes = Frame::Over { status: 9 }.encode();
            // It does not wait for ever if there is nothing.
            let polled = poll(&mut [PollFd::new(from_it.as_fd(), PollFlags::POLLIN)], PollTimeout::ZERO);
            assert_eq!(polled, Ok(1), "frame {status}");
            std::io::Read::read_exact(&mut from_it, &mut bytes).unwrap();
            assert_eq!(bytes, Frame::Over { status }.encode());
        }
    }

    #[test]
    fn streams_wait_for_room_and_other_frames_do_not() {
        let (one, other) = pair();
        let mut sent = 0;
        while sent < WINDOW {
            sent += one.write(Standard::Out, &[1; 100_000]).unwrap();
        }
        assert_eq!(sent, WINDOW);
        let writer = one.clone();
        let waits = std::thread::spawn(move || writer.write(Standard::Out, b"more"));
        assert_eq!(one.write(Standard::Err, b"error"), Ok(5), "it has a window of its own");
        one.send(&Frame::Over { status: 0 });
        let mut found = vec![];
        while !found.contains(&Frame::Over { status: 0 }) {
            found.extend(next(&other));
        }
        assert!(!waits.is_finished() && !found.contains(&Frame::Piece(Standard::Out, b"more".to_vec())));
        other.send(&Frame::Passed(Standard::Out, 4));
        assert_eq!(waits.join().unwrap(), Ok(4));
        assert_eq!(next(&other), [Frame::Piece(Standard::Out, b"more".to_vec())]);
        // It waits again, until nobody reads the stream any more.
        let writer = one.clone();
        let waits = std::thread::spawn(move || writer.write(Standard::Out, b"to nobody"));
        one.give_up(Standard::Out);
        assert_eq!(waits.join().unwrap(), Err(Errno::EPIPE));
        assert_eq!(one.write(Standard::Err, b"error"), Ok(5));
    }

    /// Catches a launcher that takes a host for lost which has said that it is done and closed its input, because it
    /// wrote to it a moment too late.
    #[test]
    fn what_was_sent_before_the_end_arrives_although_nothing_can_be_written() {
        let ((from, mut to), (from_other, to_other)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        let link = Link::start(from.into(), to_other.into()).unwrap();
        drop(from_other);
        link.send(&Frame::Kill);
        link.flush();
        assert_eq!((link.end(), link.write(Standard::In, b"x")), (None, Err(Errno::EPIPE)));
        to.write_all(&Frame::Over { status: 0 }.encode()).unwrap();
        assert_eq!(next(&link), [Frame::Over { status: 0 }]);
        drop(to);
        while link.end().is_none() {
            next(&link);
        }
        assert_eq!(link.end(), Some(End::Closed));
    }

    /// Catches a launcher that waits for a host which has sent half a frame and reads nothing.
    #[test]
    fn a_host_that_stands_still_in_a_frame_holds_up_no_other() {
        let ((from, mut to), (_unread, to_other)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        let stuck = Link::start(from.into(), to_other.into()).unwrap();
        let whole = Frame::Piece(Standard::Out, vec![7; 100_000]).encode();
        to.write_all(&whole[..50_000]).unwrap();
        let (one, other) = pair();
        // Far more than a pipe holds.
        for link in [&stuck, &one] {
            (0..20).for_each(|_| link.send(&Frame::Piece(Standard::In, vec![7; 100_000])));
        }
        let mut found = 0;
        while found < 20 {
            let frames = next(&other);
            assert!(!frames.is_empty());
            found += frames.len();
        }
        assert_eq!((stuck.receive().len(), stuck.end()), (0, None), "it may go on");
        to.write_all(&whole[50_000..]).unwrap();
        assert_eq!(next(&stuck).len(), 1);
    }

    #[test]
    fn the_end_comes_after_what_has_arrived() {
        let ((from, mut to), (_from_other, to_other)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        let link = Link::start(from.into(), to_other.into()).unwrap();
        to.write_all(&Frame::Kill.encode()).unwrap();
        to.write_all(&Frame::Inquire.encode()[..3]).unwrap();
        drop(to);
        let mut found = vec![];
        while link.end().is_none() {
            found.extend(next(&link));
        }
        assert_eq!((found, link.end()), (vec![Frame::Kill], Some(End::Closed)));
        assert_eq!(link.write(Standard::Out, b"x"), Err(Errno::EPIPE));
        let ((from, mut to), (_from_other, to_other)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        let link = Link::start(from.into(), to_other.into()).unwrap();
        to.write_all(&[1, 0, 0, 0, 99]).unwrap();
        while link.end().is_none() {
            next(&link);
        }
        assert_eq!(link.end(), Some(End::Malformed("a malformed frame of kind 99".into())));
    }
}

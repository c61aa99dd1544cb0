//! The supervisor on one host of several: what it says to the launcher that started the job, and does for it.
//!
//! It serves its PEs as always. What concerns the whole job goes over the link: rounds when all PEs of this host have
//! arrived, the failure of a PE, output, the answers to an inquiry. The other launcher decides why the job ends, and
//! reports it.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use cushmem_bootstrap::socket::timeout_until;
use cushmem_record::Reading;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::Signal;

use super::Supervisor;
use super::ending::{Cause, Ending};
use crate::hosts::{Frame, Link, NotStarted, Standard, WINDOW, too_long};
use crate::outlet::Outlet;
use crate::signals;

/// How many bytes of records are sent at a time.
const PIECE: usize = 64 * 1024;
/// How many bytes of counts of running PEs may be on their way from this host. Everything else that it has to say, such
/// as the answers to the inquiry and rounds of the job, waits behind them. In a tree of hosts, a launcher in the middle
/// keeps as many of each host behind it: with k of these, k MiB and those of its own are in front of its link. With
/// `--fan-out F`, k is at most the number of hosts divided by F, about.
const COUNTS: usize = 1 << 20;
/// How long the other launcher may take before it lets more of them come.
const TAKE_LIMIT: Duration = Duration::from_secs(30);

/// The link of a supervisor to the launcher that started the job.
pub struct Uplink {
    link: Link,
    /// The number of this host.
    host: u32,
    /// Standard input of PE 0, if it is on this host and gets some.
    input: Option<Outlet>,
    /// How many bytes of it have arrived that the other launcher still counts as on their way.
    unpassed: usize,
    /// Whether the other launcher knows that no round can complete.
    is_broken: bool,
    /// How many bytes of records may be sent.
    room: usize,
    /// How many bytes of counts of running PEs may be sent.
    room_for_counts: usize,
    counts: SentCounts,
}

/// How far the counts of running PEs have been sent. Each inquiry goes on where the last one ended, so that over a slow
/// link, those of all PEs come after some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SentCounts {
    /// The index of the PE whose counts come next.
    index: u32,
    /// How many bytes of them have been sent.
    bytes: usize,
    /// How many there are, if some have been.
    end: Option<usize>,
    /// For how many PEs, from this one on and in a circle, this inquiry still has to send them.
    left: u32,
}

impl SentCounts {
    /// Begins an inquiry of `n` PEs. One whose counts the last inquiry has sent in part gets the rest, and at the end
    /// all of them once more.
    fn begin(&mut self, n: u32) {
        self.left = n + u32::from(self.bytes > 0);
    }

    /// The next piece of the counts of `n` PEs, each of which has `used` bytes: which PE, where in its record, how many
    /// bytes. `None` if there is no room for more, or there are no more.
    fn next(&mut self, n: u32, used: impl Fn(u32) -> usize, room: usize) -> Option<(u32, usize, usize)> {
        while self.left > 0 {
            let (at, end) = (self.bytes, *self.end.get_or_insert_with(|| used(self.index)));
            if at < end {
                let bytes = PIECE.min(room).min(end - at);
                self.bytes += bytes;
                return (bytes > 0).then_some((self.index, at, bytes));
            }
            *self = Self { index: (self.index + 1) % n, left: self.left - 1, ..Self::default() };
        }
        None
    }

    /// The indices of the PEs whose counts this inquiry has not sent, or not all of them.
    fn unsent(&self, n: u32) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.left.min(n)).map(|next| (self.index + next) % n).collect();
        all.sort_unstable();
        all
    }
}

impl Uplink {
    pub fn new(link: Link, host: usize, input: Option<Outlet>) -> Self {
        Self {
            link,
            host: host as u32,
            input,
            unpassed: 0,
            is_broken: false,
            room: 0,
            room_for_counts: COUNTS,
            counts: SentCounts::default(),
        }
    }

    /// The descriptors to poll.
    pub fn polled(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        std::iter::once(self.link.news()).chain(self.input.as_ref().map(Outlet::news))
    }

    /// The link.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Sends a frame to the other launcher.
    pub fn send(&self, frame: &Frame) {
        self.link.send(frame);
    }

    /// Says that a PE cannot be started on this host.
    pub fn cannot_start(&self, status: u8, message: String) {
        self.link.send(&Frame::NotStarted(NotStarted { host: Some(self.host), status, message }));
    }

    /// Says that this host ends its PEs by itself, and why.
    pub fn give_up(&self, why: &str) {
        self.link.send(&Frame::Lost { host: self.host, how: format!("has ended its PEs: {why}") });
    }

    /// Says that all PEs of this host have ended.
    pub fn have_pes_ended(&self) {
        self.link.send(&Frame::Ended { host: self.host });
    }

    /// Says that this supervisor ends, and lets all frames leave.
    pub fn leave(&self, status: u8) {
        self.link.send(&Frame::Over { status });
        self.link.flush();
    }

    /// Takes a piece of standard input; it ends with an empty one. PE 0 may be gone.
    pub fn take_input(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            self.input.take().into_iter().for_each(Outlet::close);
        } else if let Some(input) = &self.input {
            input.put(bytes);
        }
        self.unpassed += bytes.len();
    }

    /// Lets more input come when PE 0 has read most of what there is, and says when nobody reads it any more.
    pub fn pass_input(&mut self) {
        if self.input.as_ref().is_some_and(|input| input.error().is_some()) {
            self.input = None;
            self.link.send(&Frame::Piece(Standard::In, vec![]));
        }
        let waiting = self.input.as_ref().map_or(0, |input| {
            input.take_news();
            input.waiting()
        });
        let passed = self.unpassed.saturating_sub(waiting);
        if passed > 0 && (waiting == 0 || passed >= WINDOW / 2) {
            self.unpassed -= passed;
            self.link.send(&Frame::Passed(Standard::In, passed as u32));
        }
    }
}

impl Supervisor {
    /// Does what the other launcher asks for, and tells it what has happened on this host.
    pub(super) fn serve_uplink(&mut self) {
        let Some(link) = self.uplink.as_ref().map(|uplink| uplink.link.clone()) else { return };
        for frame in link.receive() {
            if let Err(what) = self.take_frame(frame) {
                self.give_up(&what);
            }
        }
        if link.end().is_some() {
            // The link may have ended because the front was killed, which the other launcher can still be told.
            self.hear_front();
            self.end_alone();
        }
        if let Some(gathered) = self.rendezvous.gathered() {
            match too_long(&gathered.tag, &gathered.contributions) {
                Some(reason) => self.rendezvous.break_with(reason),
                None => link.send(&Frame::Gathered(gathered)),
            }
        }
        if let Some(seq) = self.rendezvous.question() {
            link.send(&Frame::WhoIsLate { seq });
        }
        if let Some(pe) = self.rendezvous.gone() {
            link.send(&Frame::Gone { pe });
        }
        let Some(uplink) = &mut self.uplink else { return };
        if let Some(reason) = self.rendezvous.broken().filter(|_| !uplink.is_broken) {
            link.send(&Frame::Broken { reason: reason.to_owned() });
            uplink.is_broken = true;
        }
        uplink.pass_input();
    }

    /// The error says that the other launcher never sends this.
    fn take_frame(&mut self, frame: Frame) -> Result<(), String> {
        match frame {
            Frame::Complete { seq, all } => self.rendezvous.complete_with(seq, all)?,
            Frame::Broken { reason } => {
                self.rendezvous.break_with(reason);
                self.uplink.iter_mut().for_each(|uplink| uplink.is_broken = true);
            }
            Frame::WhoIsLate { seq } => {
                let (pes, since) = self.rendezvous.late();
                self.tell(&Frame::Late { seq, pes, since });
            }
            Frame::Late { seq, pes, since } => self.rendezvous.tell_late(seq, &pes, since),
            Frame::Gone { pe } => self.rendezvous.ended_elsewhere(pe),
            Frame::End { status } => self.end(Cause::Elsewhere { status }),
            Frame::Kill => {
                self.end(Cause::Elsewhere { status: crate::STATUS_LAUNCHER });
                self.kill_pes();
            }
            Frame::Signal(number) => {
                let signal = Signal::try_from(number).map_err(|error| error.to_string())?;
                self.pass_on(signal);
                if signals::ENDING.contains(&signal) {
                    self.console.was_signalled = true;
                    self.wake_stopped();
                }
            }
            Frame::Inquire => self.inquire(),
            Frame::Take { bytes, .. } => self.uplink.iter_mut().for_each(|uplink| uplink.room += bytes as usize),
            Frame::Counted { bytes, .. } => {
                self.uplink.iter_mut().for_each(|uplink| uplink.room_for_counts += bytes as usize);
            }
            // It came before this process had said that it tells the time.
            Frame::Clock { host, reading } => {
                self.tell(&Frame::Clock { host, reading: Reading { there: reading.back, ..reading } });
            }
            // Nobody reads it any more: the PEs get SIGPIPE.
            Frame::Piece(Standard::Out, bytes) if bytes.is_empty() => {
                self.pes.iter_mut().for_each(|pe| pe.stdout = None);
            }
            Frame::Piece(Standard::In, bytes) => self.uplink.iter_mut().for_each(|uplink| uplink.take_input(&bytes)),
            _ => return Err("not a frame for a host".into()),
        }
        Ok(())
    }

    /// Sends a frame, if this is a host of several.
    pub(super) fn tell(&self, frame: &Frame) {
        self.uplink.iter().for_each(|uplink| uplink.send(frame));
    }

    /// Sends what the PEs have recorded, all of which have ended, as far as the other launcher lets it.
    pub(super) fn send_records(&mut self) {
        let here = self.template.pes.len() as u32;
        let Some(host) = self.uplink.as_ref().filter(|_| self.template.records.is_some()).map(|uplink| uplink.host)
        else {
            return;
        };
        // It wants none before it has compared the clocks, not even the word that there are none.
        let asked = self.wait_for_room().map(drop);
        match asked.and_then(|()| (0..here).try_for_each(|index| self.send_record(host, index))) {
            Ok(()) => self.tell(&Frame::Recorded { host }),
            Err(why) => why.iter().for_each(|why| self.console.say(why)),
        }
    }

    /// Sends the record at this index. The error says why nothing more can be sent, unless the other launcher has gone.
    fn send_record(&mut self, host: u32, index: u32) -> Result<(), Option<String>> {
        let used = self.template.records.as_ref().map(|records| records.used(index));
        for mut left in used.into_iter().flatten() {
            while !left.is_empty() {
                let bytes = self.wait_for_room()?.min(PIECE).min(left.len());
                self.send_piece(host, index, left.start, bytes)
                    .map_err(|error| Some(format!("read what PEs recorded: {error}")))?;
                self.uplink.iter_mut().for_each(|uplink| uplink.room -= bytes);
                left.start += bytes;
            }
        }
        Ok(())
    }

    fn send_piece(&self, host: u32, index: u32, at: usize, bytes: usize) -> std::io::Result<()> {
        let Some(records) = &self.template.records else { return Ok(()) };
        let (pe, _) = self.template.pes[index as usize];
        self.tell(&Frame::Record { host, pe, at: at as u64, bytes: records.piece(index, at, bytes)? });
        Ok(())
    }

    /// How many bytes of records may be sent, once there are any.
    fn wait_for_room(&mut self) -> Result<usize, Option<String>> {
        let Some(link) = self.uplink.as_ref().map(|uplink| uplink.link.clone()) else { return Err(None) };
        let until = Instant::now() + TAKE_LIMIT;
        loop {
            for frame in link.receive() {
                if let Err(what) = self.take_frame(frame) {
                    return Err(Some(what));
                }
            }
            self.conclude_inquiry();
            let room = self.uplink.as_ref().map_or(0, |uplink| uplink.room);
            if room > 0 {
                return Ok(room);
            }
            let (asked, front_is_gone) = self.console.hear_front();
            if link.end().is_some() || front_is_gone {
                return Err(None);
            }
            if asked.iter().any(|signal| signals::ENDING.contains(signal)) {
                return Err(Some("a signal stopped the sending of what its PEs recorded".into()));
            }
            if Instant::now() >= until {
                let limit = TAKE_LIMIT.as_secs();
                return Err(Some(format!("nobody has taken what its PEs recorded within {limit} s")));
            }
            let fds = [link.news(), self.console.front.as_fd()];
            let look_at = self.inquiry.as_ref().map_or(until, |inquiry| inquiry.until.min(until));
            let _ = poll(&mut fds.map(|fd| PollFd::new(fd, PollFlags::POLLIN)), timeout_until(look_at));
        }
    }

    /// Begins to send what the PEs have counted so far, for an inquiry.
    pub(super) fn begin_counts(&mut self) {
        let n = self.template.pes.len() as u32;
        self.uplink.iter_mut().for_each(|uplink| uplink.counts.begin(n));
    }

    /// Sends it, if it is wanted while the job runs, as far as there is room. Returns the PEs whose counts have not all
    /// been sent, or could not be read. A question for the time overtakes pieces, but not one that is being written.
    pub(super) fn send_counts(&mut self) -> Vec<u32> {
        let records = self.template.records.as_ref().filter(|records| records.has_stats());
        let (Some(records), Some(uplink)) = (records, &mut self.uplink) else { return vec![] };
        let pes = &self.template.pes;
        let (n, used) = (pes.len() as u32, |index| records.used(index)[0].end);
        let mut unread = vec![];
        while let Some((index, at, bytes)) = uplink.counts.next(n, used, uplink.room_for_counts) {
            let (pe, host) = (pes[index as usize].0, uplink.host);
            match records.piece(index, at, bytes) {
                Ok(piece) => {
                    uplink.send(&Frame::Counts { host, pe, at: at as u64, bytes: piece });
                    uplink.room_for_counts -= bytes;
                }
                Err(error) => {
                    if !unread.contains(&pe) {
                        self.console.say(&format!("read what PE {pe} counted: {error}"));
                        unread.push(pe);
                    }
                }
            }
        }
        let unsent = uplink.counts.unsent(n);
        unread.extend(unsent.into_iter().map(|index| pes[index as usize].0));
        unread
    }

    /// Tells the other launcher why this one ends the PEs, and does it.
    pub(super) fn give_up(&mut self, why: &str) {
        self.uplink.iter().for_each(|uplink| uplink.give_up(why));
        self.end_alone();
    }

    /// Ends the PEs because there is nobody left who keeps the job together.
    pub(super) fn end_alone(&mut self) {
        if !self.is_alone() {
            self.ending = Some(Ending {
                cause: Cause::FrontGone,
                kill_at: Instant::now(),
                asked: false,
                killed_at: None,
                suspects: vec![],
                states: vec![],
            });
        }
    }

    /// Reports the failure of a PE, unless it is due to the end of the job. `suspects` are PEs that were already dying.
    pub(super) fn report(&self, cause: &Cause, suspects: &[u32]) {
        let is_late = self.ending.as_ref().is_some_and(|ending| ending.asked || ending.killed_at.is_some());
        if cause.pe().is_some() && !is_late {
            self.tell(&Frame::Failed { cause: cause.clone(), suspects: suspects.to_vec() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches counts that fill the link to a slow launcher, where answers and rounds of the job wait behind them, and
    /// bytes that are sent twice or never when there is room again.
    #[test]
    fn counts_wait_for_room() {
        let used = [700_000, 0, 3, 900_000];
        let next = |sent: &mut SentCounts, room| sent.next(4, |index| used[index as usize], room);
        let (mut sent, mut room, mut found) = (SentCounts::default(), COUNTS, vec![]);
        sent.begin(4);
        let mut on_their_way = vec![];
        loop {
            while let Some((index, at, bytes)) = next(&mut sent, room) {
                room -= bytes;
                found.push((index, at, bytes));
                on_their_way.push(bytes);
            }
            let all: usize = on_their_way.iter().sum();
            assert!(all <= COUNTS && (all == COUNTS || sent.unsent(4).is_empty()), "{all}");
            // The other launcher takes the oldest piece.
            if on_their_way.is_empty() {
                break;
            }
            room += on_their_way.remove(0);
        }
        for (index, used) in (0..).zip(used) {
            let of: Vec<_> = found.iter().filter(|(of, ..)| *of == index).collect();
            assert!(of.iter().all(|(.., bytes)| (1..=PIECE).contains(bytes)));
            let end = of.iter().fold(0, |end, (_, at, bytes)| if *at == end { at + bytes } else { usize::MAX });
            assert_eq!(end, used, "PE {index}: {of:?}");
        }
        assert_eq!((room, next(&mut sent, room)), (COUNTS, None));
    }

    /// Catches PEs whose counts never come over a slow link, because each look begins with the others, or with the same
    /// bytes of one, and a PE that counts as sent with bytes of an earlier look.
    #[test]
    fn a_look_goes_on_where_the_last_one_ended() {
        let used = [5, 0, 40, 7];
        let mut sent = SentCounts::default();
        let mut look = |room: usize| {
            let (mut left, mut found) = (room, vec![]);
            sent.begin(4);
            while let Some(piece) = sent.next(4, |index| used[index as usize], left) {
                left -= piece.2;
                found.push(piece);
            }
            (found, sent.unsent(4))
        };
        assert_eq!(look(25), (vec![(0, 0, 5), (2, 0, 20)], vec![2, 3]));
        assert_eq!(look(10), (vec![(2, 20, 10)], vec![0, 1, 2, 3]));
        assert_eq!(look(25), (vec![(2, 30, 10), (3, 0, 7), (0, 0, 5), (2, 0, 3)], vec![2]));
        let all = vec![(2, 3, 37), (3, 0, 7), (0, 0, 5), (2, 0, 40)];
        assert_eq!(look(100), (all, vec![]));
        assert_eq!(look(100), (vec![(3, 0, 7), (0, 0, 5), (2, 0, 40)], vec![]));
    }
}

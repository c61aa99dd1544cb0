//! How the clocks of hosts compare with that of the first launcher, which asks them for their time.
//!
//! It asks in bursts, one question after the other: when a host has got its job, every [`EVERY`] after that, and when
//! its PEs have ended. Of a burst, the quickest answer counts ([`cushmem_record::Clock`]). Launchers in the middle pass
//! questions and answers on.

use std::time::{Duration, Instant};

use cushmem_record::{Clock, Reading};
use rustix::time::{ClockId, clock_gettime};

use super::frame::Frame;

/// How many questions there are in a burst.
const BURST: u32 = 16;
/// How often there is a burst while PEs run.
const EVERY: Duration = Duration::from_secs(30);

/// Nanoseconds of the monotonic clock, as PEs record them.
pub fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// The clocks of all hosts.
pub struct Clocks {
    hosts: Vec<OfHost>,
}

#[derive(Default)]
struct OfHost {
    /// The best readings of the bursts so far.
    readings: Vec<Reading>,
    best: Option<Reading>,
    /// How many questions are left in this burst; the last one has not been answered.
    left: u32,
    /// When the next burst is due.
    next: Option<Instant>,
}

impl Clocks {
    /// Those of so many hosts.
    pub fn new(hosts: usize) -> Self {
        Self { hosts: (0..hosts).map(|_| OfHost::default()).collect() }
    }

    /// Begins a burst. The frame goes to the host, unless an answer is still to come.
    pub fn begin(&mut self, host: usize, is_last: bool) -> Option<Frame> {
        let of = &mut self.hosts[host];
        of.next = (!is_last).then(|| Instant::now() + EVERY);
        let is_open = std::mem::replace(&mut of.left, BURST) > 0;
        (!is_open).then(|| question(host))
    }

    /// When the next burst is due.
    pub fn next(&self) -> Option<Instant> {
        self.hosts.iter().filter_map(|of| of.next).min()
    }

    /// Begins the bursts that are due. Each frame goes to the host with this number.
    pub fn due(&mut self) -> Vec<(usize, Frame)> {
        let now = Instant::now();
        let due: Vec<usize> =
            (0..self.hosts.len()).filter(|host| self.hosts[*host].next.is_some_and(|at| at <= now)).collect();
        due.into_iter().filter_map(|host| Some((host, self.begin(host, false)?))).collect()
    }

    /// Takes an answer. Returns the next question, or none at the end of a burst.
    pub fn take(&mut self, host: usize, reading: Reading) -> Option<Frame> {
        let of = &mut self.hosts[host];
        if of.left == 0 {
            // Nobody has asked.
            return None;
        }
        of.left -= 1;
        if of.best.is_none_or(|best| reading.error() < best.error()) {
            of.best = Some(reading);
        }
        if of.left > 0 {
            return Some(question(host));
        }
        of.readings.extend(of.best.take());
        None
    }

    /// The clock of a host, if it has answered.
    pub fn of(&self, host: usize) -> Option<Clock> {
        Clock::new(&self.hosts[host].readings)
    }
}

fn question(host: usize) -> Frame {
    Frame::Clock { host: host as u32, reading: Reading { asked: now(), there: 0, back: 0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a burst that never ends, and one of which another answer than the quickest counts.
    #[test]
    fn of_a_burst_the_quickest_answer_counts() {
        let mut clocks = Clocks::new(2);
        assert_eq!((clocks.of(1), clocks.next(), clocks.due().len()), (None, None, 0));
        for burst in 0..2u64 {
            assert!(clocks.begin(1, burst == 1).is_some());
            assert_eq!(clocks.begin(1, burst == 1), None, "one question at a time");
            for number in 1..=u64::from(BURST) {
                let asked = burst * 1_000_000_000 + number * 1_000_000;
                let took = 1_000 + number.abs_diff(7) * 100;
                let reading = Reading { asked, there: 5_000_000_000 + asked + took / 2, back: asked + took };
                let next = clocks.take(1, reading);
                assert_eq!(next.is_some(), number < u64::from(BURST), "answer {number}");
            }
            assert_eq!(clocks.next().is_some(), burst == 0);
        }
        assert_eq!(clocks.take(1, Reading { asked: 0, there: 0, back: 0 }), None);
        let clock = clocks.of(1).expect("it has answered");
        assert_eq!((clock.offset(), clock.error(), clock.drift()), (5_000_000_000, 500, 0));
        assert_eq!(clocks.of(0), None);
    }
}

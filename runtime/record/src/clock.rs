//! Times of another host as those of this machine.
//!
//! The clocks of hosts start when the hosts do, and run at speeds of their own. So the launcher asks each host for its
//! time: at the start of the job, every now and then, and when the PEs there have ended. A [`Reading`] is an answer:
//! the host has read its clock at some time between the question and the moment at which the answer was there. The
//! middle of these is at most half of their distance away from it. A quick answer says more than a slow one, so the
//! quickest of each time is kept, and between these the difference of the clocks changes evenly.
//!
//! While PEs compute, answers are slow. One that is slower than both the first and the last counts only if these
//! exclude it: then the clock has not drifted evenly.
//!
//! Clocks drift by at most [`MOST_DRIFT`]. What two readings differ by in addition is an error of theirs, and the
//! better one of them counts alone. How far the result is from any reading, with the error of that, is the error of the
//! clock.

/// How many nanoseconds clocks drift apart in a second at most: as many as the operating system slows down or speeds up
/// a clock that it sets right.
const MOST_DRIFT: i128 = 500_000;
const SECOND: i128 = 1_000_000_000;

/// What a host has answered to the question for its time. All times are nanoseconds of the monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// When it was asked, here.
    pub asked: u64,
    /// The time there.
    pub there: u64,
    /// When the answer was here.
    pub back: u64,
}

impl Reading {
    /// How far the middle of question and answer may be from the moment at which the host read its clock.
    pub fn error(&self) -> u64 {
        self.back.saturating_sub(self.asked).div_ceil(2)
    }

    fn point(&self) -> Point {
        let here = i128::from(self.asked) + i128::from(self.back.saturating_sub(self.asked) / 2);
        Point { there: self.there.into(), ahead: i128::from(self.there) - here, error: self.error() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    there: i128,
    /// How far the clock there is ahead of the one here.
    ahead: i128,
    error: u64,
}

/// How the clock of a host compares with the one here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// In the order of time; at least one.
    points: Vec<Point>,
    error: u64,
}

impl Clock {
    /// That of a host with these readings, in the order of their times; none without any.
    pub fn new(readings: &[Reading]) -> Option<Self> {
        let all: Vec<Point> = readings.iter().map(Reading::point).collect();
        let limit = all.first()?.error.max(all.last()?.error);
        let (exact, others): (Vec<Point>, Vec<Point>) = all.iter().partition(|point| point.error <= limit);
        let clock = Self::through(&exact);
        let is_allowed = |point: &Point| clock.distance(point) <= point.error;
        Some(if others.iter().all(is_allowed) { clock } else { Self::through(&all) })
    }

    /// The clock that these say, of which there is at least one.
    fn through(all: &[Point]) -> Self {
        let mut points: Vec<Point> = vec![];
        for point in all {
            let differs =
                |last: &&Point| (point.ahead - last.ahead).abs() * SECOND > MOST_DRIFT * (point.there - last.there);
            while points.last().filter(differs).is_some_and(|last| point.error < last.error) {
                points.pop();
            }
            if points.last().filter(differs).is_none() {
                points.push(*point);
            }
        }
        let clock = Self { points, error: 0 };
        let error = all.iter().map(|point| clock.distance(point).saturating_add(point.error)).max();
        Self { error: error.unwrap_or(0), ..clock }
    }

    /// How far it is from a reading.
    fn distance(&self, point: &Point) -> u64 {
        u64::try_from((point.ahead - self.ahead(point.there)).unsigned_abs()).unwrap_or(u64::MAX)
    }

    /// How far the clock there is ahead at a time there. Before the first reading and after the last one, it is as at
    /// these.
    fn ahead(&self, there: i128) -> i128 {
        let after = self.points.partition_point(|point| point.there <= there);
        let (Some(last), Some(next)) = (after.checked_sub(1).map(|index| self.points[index]), self.points.get(after))
        else {
            return self.points[after.min(self.points.len() - 1)].ahead;
        };
        last.ahead + (next.ahead - last.ahead) * (there - last.there) / (next.there - last.there)
    }

    /// A time there as one here.
    pub fn here(&self, there: u64) -> u64 {
        let here = i128::from(there) - self.ahead(there.into());
        u64::try_from(here.max(0)).unwrap_or(u64::MAX)
    }

    /// By how many nanoseconds a time here may be wrong.
    pub fn error(&self) -> u64 {
        self.error
    }

    /// By how many nanoseconds the clock there is ahead, at the first reading.
    pub fn offset(&self) -> i64 {
        let ahead = self.points.first().map_or(0, |point| point.ahead);
        i64::try_from(ahead).unwrap_or(if ahead < 0 { i64::MIN } else { i64::MAX })
    }

    /// By how many nanoseconds in a second it goes faster, from the first reading to the last.
    pub fn drift(&self) -> i64 {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return 0 };
        let seconds = (last.there - first.there).max(1);
        i64::try_from((last.ahead - first.ahead) * SECOND / seconds).unwrap_or(0)
    }

    /// The same clock, which turned out to be this much more ahead, and not to be wrong by more than that.
    pub(crate) fn corrected(&self, ahead: i128, error: u64) -> Self {
        let points = self.points.iter().map(|point| Point { ahead: point.ahead + ahead, ..*point }).collect();
        Self { points, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 7_000_000_000;

    /// A host whose clock is this many seconds ahead and gains so many nanoseconds in a second, which is asked at these
    /// times and answers after so long.
    fn readings(seconds: i64, gain: i64, asked: &[(u64, u64)]) -> Vec<Reading> {
        let one = |(asked, took): &(u64, u64)| {
            // Answers take longer than questions.
            let seen = START + asked + took / 4;
            Reading { asked: START + asked, there: there(seconds, gain, seen), back: START + asked + took }
        };
        asked.iter().map(one).collect()
    }

    fn there(seconds: i64, gain: i64, here: u64) -> u64 {
        let gained = (here - START) as i64 / 1_000 * gain / 1_000_000;
        (here as i64 + seconds * 1_000_000_000 + gained) as u64
    }

    /// Catches a clock that is taken for a shifted one although it is faster, and an error that is too small.
    #[test]
    fn a_clock_that_is_ahead_and_too_fast_is_set_right() {
        for (seconds, gain) in [(0, 0), (5_000, 0), (-6, 0), (5_000, 90_000), (-6, -90_000)] {
            let all = readings(seconds, gain, &[(0, 4_000), (30_000_000_000, 10_000), (60_000_000_000, 2_000)]);
            let clock = Clock::new(&all).expect("there are readings");
            assert!((2_000..6_000).contains(&clock.error()), "{clock:?}");
            assert!((clock.drift() - gain).abs() < 100, "{clock:?}");
            assert!((clock.offset() - seconds * 1_000_000_000).abs() < 2_000, "{clock:?}");
            for at in [0, 1_000_000_000, 29_999_999_999, 31_000_000_000, 60_000_000_000] {
                let here = clock.here(there(seconds, gain, START + at));
                assert!(here.abs_diff(START + at) <= clock.error(), "{seconds} s, {gain}: {here} at {at}");
            }
        }
        assert_eq!(Clock::new(&[]), None);
    }

    /// Catches a job of milliseconds whose times are stretched because its readings are not exact.
    #[test]
    fn what_no_clock_drifts_is_an_error_of_a_reading() {
        let all = readings(1, 0, &[(0, 400_000), (3_000_000, 100_000), (6_000_000, 200_000)]);
        let clock = Clock::new(&all).expect("there are readings");
        assert_eq!((clock.points.len(), clock.drift()), (1, 0));
        assert!(clock.error() >= 100_000 + 50_000, "{}", clock.error());
        let span = |from: u64, until: u64| clock.here(until) - clock.here(from);
        assert_eq!(span(START, START + 10_000_000), 10_000_000);
        // A clock that was set by a second in between is no drift either, and no small error.
        let set = [readings(1, 0, &[(0, 4_000)]), readings(2, 0, &[(60_000_000_000, 2_000)])].concat();
        assert!(Clock::new(&set).is_some_and(|clock| clock.error() > 999_000_000));
    }

    /// Catches a good clock that a single late answer makes a bad one, and one that drifts unevenly.
    #[test]
    fn a_slow_answer_counts_if_the_quick_ones_contradict_it() {
        let at = |seconds: u64, took: u64| (seconds * 1_000_000_000, took);
        let slow = |gain| readings(1, gain, &[at(0, 4_000), at(30, 900_000), at(60, 3_000)]);
        for gain in [0, 80_000] {
            assert!(Clock::new(&slow(gain)).is_some_and(|clock| clock.error() < 5_000));
        }
        let mut uneven = slow(0);
        uneven[1].there += 2_000_000;
        assert!(Clock::new(&uneven).is_some_and(|clock| clock.points.len() == 3 && clock.error() >= 450_000));
    }

    /// Catches times that change their order.
    #[test]
    fn later_stays_later() {
        let all = readings(3, 400_000, &[(0, 100_000), (1_000_000_000, 1_000), (1_000_400_000, 90_000)]);
        let clock = Clock::new(&all).expect("there are readings");
        let times: Vec<u64> = (0..2_000_000_000u64).step_by(999_983).map(|at| clock.here(START + at)).collect();
        assert!(times.is_sorted());
    }
}

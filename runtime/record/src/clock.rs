//! Times of another host as those of this machine.
//!
//! The clocks of hosts start when the hosts do, and run at speeds of their own. So the launcher asks each host for its
//! time: at the start of the job, every now and then, and when the PEs there have ended. A [`Reading`] is an answer:
//! the host has read its clock at some time between the question and the moment at which the answer was there. The
//! middle of these is at most half of their distance away from it. So of each time the quickest answer is kept, and
//! between these the difference of the clocks changes evenly.
//!
//! Clocks drift by at most [`MOST_DRIFT`]. A reading whose error is larger than what a better one and the drift since
//! then leave open says nothing, and does not count. While PEs compute, answers are slow. One that is slower than both
//! the first and the last that count is used only if these exclude it: then the clock has not drifted evenly.
//!
//! What two readings differ by beyond the drift is an error of theirs, and the better one of them counts alone. How far
//! the result is from any reading, with the error of that, is the error of the clock; where the job began or ended with
//! readings that do not count, so is what the clock may have drifted until then.

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

/// What something can be at most at a time.
pub(crate) type Limit = (i128, i128);

/// Lowers limits, which are in the order of their times, to what they are if what they limit rises and falls by at most
/// this much in a second.
pub(crate) fn narrow(limits: &mut [Limit], rate: i128) {
    let lower = |one: &mut Limit, by: Limit| one.1 = one.1.min(by.1 + in_time(rate, one.0 - by.0));
    for at in 1..limits.len() {
        let before = limits[at - 1];
        lower(&mut limits[at], before);
    }
    for at in (1..limits.len()).rev() {
        let behind = limits[at];
        lower(&mut limits[at - 1], behind);
    }
}

/// What so many nanoseconds in a second are in a time, rounded up.
pub(crate) fn in_time(rate: i128, ns: i128) -> i128 {
    (rate * ns.abs() + SECOND - 1) / SECOND
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
        let mut limits: Vec<Limit> = all.iter().map(|point| (point.there, point.error.into())).collect();
        narrow(&mut limits, MOST_DRIFT);
        let counts = |(point, (_, limit)): &(&Point, &Limit)| i128::from(point.error) == *limit;
        let counting: Vec<Point> = all.iter().zip(&limits).filter(counts).map(|(point, _)| *point).collect();
        let limit = counting.first()?.error.max(counting.last()?.error);
        let exact: Vec<Point> = counting.into_iter().filter(|point| point.error <= limit).collect();
        let clock = Self::through(&exact);
        if all.iter().any(|point| clock.distance(point) > point.error && !exact.contains(point)) {
            return Some(Self::through(&all));
        }
        let of_ends = [limits.first()?.1, limits.last()?.1].map(|limit| u64::try_from(limit).unwrap_or(u64::MAX));
        Some(Self { error: clock.error.max(of_ends[0]).max(of_ends[1]), ..clock })
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

    /// How many nanoseconds in a second it goes faster or slower than this says, at most. Between two readings, it is
    /// even: within the error at one of them, and within the error at the other one.
    pub(crate) fn wander(&self) -> i128 {
        let gaps = self.points.windows(2).map(|pair| pair[1].there - pair[0].there);
        gaps.min().map_or(MOST_DRIFT, |gap| (2 * i128::from(self.error) * SECOND / gap + 1).min(2 * MOST_DRIFT))
    }

    /// By how much a time here between these may be wrong if the clock does not drift evenly: between two readings, it
    /// may have gone as fast as it can for half of the time, and then as slowly.
    pub(crate) fn error_if_uneven(&self, from: u64, until: u64) -> u64 {
        let read: Vec<i128> = self.points.iter().map(|point| point.there - point.ahead).collect();
        let halves = read.windows(2).map(|pair| (pair[1] - pair[0]) / 2);
        let ends = [read[0] - i128::from(from), i128::from(until) - read[read.len() - 1]];
        let longest = halves.chain(ends).max().unwrap_or(0).max(0);
        self.error.saturating_add(u64::try_from(in_time(MOST_DRIFT, longest)).unwrap_or(u64::MAX))
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
        // The first and the last say less than the one between them does.
        assert!((51_400..51_600).contains(&clock.error()), "{}", clock.error());
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

    /// Catches a single poor answer at the end, when other hosts are busy, that makes all times of a short job as poor.
    #[test]
    fn a_reading_that_says_less_than_the_drift_does_not_count() {
        let all = readings(1, 0, &[(0, 20_000), (100_000_000, 30_000_000)]);
        let clock = Clock::new(&all).expect("there are readings");
        // The drift in 115 ms, to the middle of the last answer.
        assert!((10_000 + 50_000..10_000 + 58_000).contains(&clock.error()), "{}", clock.error());
        assert_eq!((clock.points.len(), clock.drift()), (1, 0));
        // After ten minutes the same answer says something.
        let late = readings(1, 0, &[(0, 20_000), (600_000_000_000, 30_000_000)]);
        assert!(Clock::new(&late).is_some_and(|clock| clock.points.len() == 2 && clock.error() >= 15_000_000));
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

//! Clocks of hosts, by what the PEs there have done together.
//!
//! A host's answer to the question for its time takes a tenth of a millisecond, and PEs of other hosts may exchange ten
//! messages in that. A barrier of all PEs says more: nobody leaves it before everybody has come to it. So by a common
//! clock each PE's end of a barrier lies behind each other one's beginning of the same barrier. For a host and the
//! first one, each barrier so limits the correction of the clock: from above at the time at which the last PE of the
//! host came, and from below at the time at which the first one left.
//!
//! The right correction is not the same all the time. But it changes by no more than [`Clock::wander`] says, and it is
//! nowhere larger than the error of the readings. So each limit holds at other times too, less closely the farther they
//! are away. The correction that is taken is the middle of all that are possible at any time of the job, and half of
//! their distance is its error. Where barriers are rare, or only in a part of the job, that is the error of the
//! readings.
//!
//! If limits exclude each other, a clock has not drifted evenly between the readings. Then nothing is corrected, and
//! the error is what such a clock can be wrong by, or what the barriers show if that is more.
//!
//! Barriers are told apart by their number from the end. That is the same for all PEs if they have counted equally
//! many: the last barriers are still in a record that has dropped its first events.

use crate::clock::{Clock, Limit, in_time, narrow};
use crate::names::Operation;
use crate::read::{Of, Record};
use std::collections::{BTreeMap, VecDeque};
use std::io;

/// Of each PE, so many of the last barriers are looked at.
const MOST: usize = 4096;
/// So many events are read between two questions whether to go on.
const ASK_EVERY: usize = 4096;

/// When the last PE of a host came to a barrier, and when the first one left it.
type Met = (u64, u64);

/// The clock of a host, and the barriers of its PEs.
struct OfHost {
    clock: Clock,
    met: Vec<Met>,
}

/// Sets the clocks of PEs on several hosts right. Asks whether to `go_on` from time to time; if not, they stay as they
/// are.
pub fn align(records: &mut [(u32, Record)], go_on: &mut dyn FnMut() -> bool) -> io::Result<()> {
    let of_barriers = |record: &Record| -> u64 {
        record.counts().filter(|(of, ..)| *of == Operation::Barrier).map(|(.., count)| count.operations).sum()
    };
    let mut numbers = records.iter().map(|(_, record)| of_barriers(record));
    let number = numbers.next().unwrap_or(0);
    if number == 0 || numbers.any(|other| other != number) {
        return Ok(());
    }
    let mut hosts: BTreeMap<String, OfHost> = BTreeMap::new();
    let mut first = None;
    let mut span = (u64::MAX, 0);
    for (_, record) in &*records {
        let Some((name, clock)) = record.host().and_then(|host| Some((host.name.clone(), host.clock.clone()?))) else {
            return Ok(());
        };
        let mut last: VecDeque<Met> = VecDeque::new();
        for (number, event) in record.events().enumerate() {
            if number % ASK_EVERY == 0 && !go_on() {
                return Ok(());
            }
            let event = event?;
            span = (span.0.min(event.from), span.1.max(event.until()));
            if matches!(event.of, Of::Operation(Operation::Barrier, _)) {
                last.truncate(MOST - 1);
                last.push_front((event.from, event.until()));
            }
        }
        first.get_or_insert_with(|| name.clone());
        match hosts.get_mut(&name) {
            Some(OfHost { met, .. }) => {
                met.truncate(last.len());
                met.iter_mut().zip(last).for_each(|(met, one)| *met = (met.0.max(one.0), met.1.min(one.1)));
            }
            None => drop(hosts.insert(name, OfHost { clock, met: last.into() })),
        }
    }
    let Some((first, of_first)) = first.and_then(|name| hosts.get_key_value(&name)) else { return Ok(()) };
    let better = |(name, there): (&String, &OfHost)| {
        let (later, error) = if name == first { (0, 0) } else { correction(of_first, there, span) };
        (name.clone(), there.clock.corrected(-later, error))
    };
    let clocks: BTreeMap<String, Clock> = hosts.iter().map(better).collect();
    for (_, record) in records {
        let clock = record.host().and_then(|host| clocks.get(&host.name)).cloned();
        clock.iter().for_each(|clock| record.set_clock(clock));
    }
    Ok(())
}

/// By how much times of a host have to become later, compared with those of the first host, and by how much they may
/// be wrong after that, in a job that lasted from one time until another.
fn correction(first: &OfHost, there: &OfHost, (from, until): (u64, u64)) -> (i128, u64) {
    let error = first.clock.error().saturating_add(there.clock.error());
    let wide = i128::from(error);
    let rate = first.clock.wander() + there.clock.wander();
    // At each time: by how much they have to become later, and earlier, at most.
    let mut limits = vec![(i128::from(from), wide, wide), (i128::from(until), wide, wide)];
    for (one, other) in first.met.iter().zip(&there.met) {
        let [came, left, came_there, left_there] = [one.0, one.1, other.0, other.1].map(i128::from);
        limits.push((came_there, wide.min(left - came_there), wide));
        limits.push((left_there, wide, wide.min(left_there - came)));
    }
    limits.sort_unstable();
    let mut later: Vec<Limit> = limits.iter().map(|(at, later, _)| (*at, *later)).collect();
    let mut earlier: Vec<Limit> = limits.iter().map(|(at, _, earlier)| (*at, *earlier)).collect();
    narrow(&mut later, rate);
    narrow(&mut earlier, rate);
    let excluded = later.iter().zip(&earlier).map(|(later, earlier)| -(later.1 + earlier.1)).max().unwrap_or(0);
    if excluded > 0 {
        let uneven = [first, there].map(|of| of.clock.error_if_uneven(from, until));
        let shown = error.saturating_add(u64::try_from(excluded).unwrap_or(u64::MAX));
        return (0, shown.max(uneven[0].saturating_add(uneven[1])));
    }
    let [later, earlier] = [later, earlier].map(|limits| highest(&limits, rate).min(wide));
    ((later - earlier).div_euclid(2), u64::try_from(later + earlier).unwrap_or(0).div_ceil(2))
}

/// The most that these limits allow at any time between the first and the last of them.
fn highest(limits: &[Limit], rate: i128) -> i128 {
    let between = |pair: &[Limit]| (pair[0].1 + pair[1].1 + in_time(rate, pair[1].0 - pair[0].0) + 1).div_euclid(2);
    limits.windows(2).map(between).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Reading;
    use crate::names::Way;
    use crate::read::Host;
    use crate::read::tests::{read, recorder};

    /// A PE on a host whose clock is ahead, which answers after so long, that was in barriers at these times here.
    fn record(host: &str, ahead: u64, took: u64, barriers: &[(u64, u64)]) -> Record<'static> {
        let (recorder, words) = recorder(2, 8);
        recorder.begin(1, ahead + 1_000);
        for (from, until) in barriers {
            recorder.operation((Operation::Barrier, Way::None), 0, (None, None), (ahead + from, ahead + until), 0);
        }
        // The answer was there at once, and the question took all the time.
        let reading = Reading { asked: 1_000_000, there: ahead + 1_000_000 + took, back: 1_000_000 + took };
        read(words).on_host(Host { name: host.into(), clock: Clock::new(&[reading]) })
    }

    fn spans(record: &Record) -> Vec<(u64, u64)> {
        record
            .events()
            .map(|event| event.expect("memory can be read"))
            .map(|event| (event.from, event.until()))
            .collect()
    }

    /// Catches clocks that are only as good as the answers of hosts.
    #[test]
    fn barriers_say_more_than_slow_answers() {
        let barriers = [(1_200_000, 1_200_900), (1_300_000, 1_300_500), (1_400_100, 1_400_800)];
        let others = [(1_200_100, 1_200_900), (1_300_100, 1_300_400), (1_400_000, 1_400_900)];
        let all = |barriers: &[(u64, u64)], others: &[(u64, u64)]| {
            let mut records = vec![(0, record("a", 5_000, 200, barriers)), (1, record("b", 9_000_000, 80_000, others))];
            let error = records[0].1.apart(&records[1].1);
            align(&mut records, &mut || true).expect("memory can be read");
            (error, records)
        };
        let (before, records) = all(&barriers, &others);
        let after = records[0].1.apart(&records[1].1);
        // In the 100 us between barriers, each of the clocks may drift by 50 ns.
        assert_eq!(before, 40_100);
        assert!((300..=400).contains(&after), "{after}");
        // Both are 100 ns early: the answer of the first host was taken for half of its time.
        for ((_, record), expected) in records.iter().zip([barriers, others]) {
            for (found, expected) in spans(record).into_iter().zip(expected) {
                assert!(found.0.abs_diff(expected.0 - 100) <= after, "{found:?} {expected:?} {after}");
            }
        }
        // PEs that met in another number of barriers, and those that no clock explains.
        let (before, records) = all(&barriers, &others[..2]);
        assert_eq!(records[0].1.apart(&records[1].1), before);
        let late = others.map(|(from, until)| (from + 900_000, until + 900_000));
        let (before, records) = all(&barriers, &late);
        let after = records[0].1.apart(&records[1].1);
        assert!(before == 40_100 && (850_000..1_000_000).contains(&after), "{before} {after}");
    }

    const SECOND: u64 = 1_000_000_000;

    /// A record on a host that is asked at these times, with a clock that is ahead by that much at a time.
    fn asked(host: &str, ahead: &dyn Fn(u64) -> u64, asked: &[u64], barriers: &[u64], last: u64) -> Record<'static> {
        let (recorder, words) = recorder(2, 8192);
        recorder.begin(1, SECOND + ahead(SECOND));
        let event = |of: Operation, from: u64, until: u64| {
            recorder.operation((of, Way::None), 0, (None, None), (from + ahead(from), until + ahead(until)), 0);
        };
        barriers.iter().for_each(|at| event(Operation::Barrier, *at, at + 1_000));
        event(Operation::Put, last, last + 1_000);
        let reading = |at: &u64| Reading { asked: *at, there: at + 50_000 + ahead(at + 50_000), back: at + 100_000 };
        let readings: Vec<Reading> = asked.iter().map(reading).collect();
        read(words).on_host(Host { name: host.into(), clock: Clock::new(&readings) })
    }

    /// How far times of two hosts are apart at most, as it is said, and how far those of a time are.
    fn said_and_true(ahead: &dyn Fn(u64) -> u64, readings: &[u64], barriers: &[u64], at: u64) -> (u64, u64) {
        let mut records =
            vec![(0, asked("a", &|_| 0, readings, barriers, at)), (1, asked("b", ahead, readings, barriers, at))];
        align(&mut records, &mut || true).expect("memory can be read");
        let [one, other] = [0, 1].map(|index| spans(&records[index].1).last().expect("an event").0);
        (records[0].1.apart(&records[1].1), one.abs_diff(other))
    }

    /// Catches a clock that is set right between two readings, faster and then slower, with the error of the readings.
    #[test]
    fn a_clock_that_drifts_unevenly_is_as_wrong_as_it_can_be() {
        let readings = [SECOND, 31 * SECOND];
        let slewed = |at: u64| 5 * SECOND + at.saturating_sub(SECOND).min((31 * SECOND).saturating_sub(at)) / 2_000;
        let barriers: Vec<u64> = (1..30).map(|second| (1 + second) * SECOND).collect();
        let (said, wrong) = said_and_true(&slewed, &readings, &barriers, 16 * SECOND);
        assert!(wrong > 7_000_000 && said >= wrong, "{said} {wrong}");
        assert!(said < 16_000_000, "each of the clocks may be as wrong: {said}");
        // A clock that was set.
        let set = |at: u64| if (10 * SECOND..20 * SECOND).contains(&at) { 6 * SECOND } else { 5 * SECOND };
        let (said, wrong) = said_and_true(&set, &readings, &barriers, 16 * SECOND);
        assert!(wrong >= SECOND && said >= wrong, "{said} {wrong}");
    }

    /// Catches a correction by barriers of one time that is promised for the whole job.
    #[test]
    fn barriers_of_one_time_say_nothing_of_another() {
        let barriers: Vec<u64> = (0..1000).map(|ms| SECOND + ms * 1_000_000).collect();
        // Both readings are exact within 50 us. At the first one the clock was 40 us behind, at the last one ahead.
        let even = |at: u64| 5 * SECOND + at / 45_000_000;
        for last in [SECOND + 1_001_000_000, 1_800 * SECOND, 3_599 * SECOND] {
            let (said, wrong) = said_and_true(&even, &[SECOND, 3_600 * SECOND], &barriers, last);
            assert!(said >= wrong && said <= 200_000, "{last}: {said} {wrong}");
            assert_eq!(said < 2_000, last < 3 * SECOND, "{last}: {said}");
        }
    }

    /// Catches a user who waits for all events of all PEs to be read although a signal has asked for the end.
    #[test]
    fn a_signal_stops_the_reading() {
        let barriers = [2 * SECOND];
        let mut records = ["a", "b"]
            .map(|host| (0, asked(host, &|_| 0, &[SECOND], &barriers, 3 * SECOND)))
            .into_iter()
            .collect::<Vec<_>>();
        let mut questions = 0;
        let mut go_on = || {
            questions += 1;
            false
        };
        let before = records[0].1.apart(&records[1].1);
        align(&mut records, &mut go_on).expect("memory can be read");
        assert_eq!((questions, records[0].1.apart(&records[1].1)), (1, before));
    }
}

//! Clocks of hosts, by what the PEs there have done together.
//!
//! A host's answer to the question for its time takes a tenth of a millisecond, and PEs of other hosts may exchange ten
//! messages in that. A barrier of all PEs says more: nobody leaves it before everybody has come to it. So by a common
//! clock each PE's end of a barrier lies behind each other one's beginning of the same barrier. For a host and the
//! first one, each barrier gives an earliest and a latest correction of the clock; those that suit all barriers lie
//! around the right one, and the middle of them is taken. If none suits all, or only one that the answers exclude, the
//! clocks did not drift evenly, and the answers count as they are.
//!
//! Barriers are told apart by their number from the end. That is the same for all PEs if they have counted equally
//! many: the last barriers are still in a record that has dropped its first events.

use crate::clock::Clock;
use crate::names::Operation;
use crate::read::{Of, Record};
use std::collections::{BTreeMap, VecDeque};
use std::io;

/// Of each PE, so many of the last barriers are looked at.
const MOST: usize = 4096;

/// When the last PE of a host came to a barrier, and when the first one left it.
type Met = (u64, u64);

/// Sets the clocks of PEs on several hosts right.
pub fn align(records: &mut [(u32, Record)]) -> io::Result<()> {
    let of_barriers = |record: &Record| -> u64 {
        record.counts().filter(|(of, ..)| *of == Operation::Barrier).map(|(.., count)| count.operations).sum()
    };
    let mut numbers = records.iter().map(|(_, record)| of_barriers(record));
    let number = numbers.next().unwrap_or(0);
    if number == 0 || numbers.any(|other| other != number) {
        return Ok(());
    }
    let mut hosts: BTreeMap<String, (Clock, Vec<Met>)> = BTreeMap::new();
    let mut first = None;
    for (_, record) in &*records {
        let Some((name, clock)) = record.host().and_then(|host| Some((host.name.clone(), host.clock.clone()?))) else {
            return Ok(());
        };
        let mut last: VecDeque<Met> = VecDeque::new();
        for event in record.events() {
            let event = event?;
            if matches!(event.of, Of::Operation(Operation::Barrier, _)) {
                last.truncate(MOST - 1);
                last.push_front((event.from, event.until()));
            }
        }
        first.get_or_insert_with(|| name.clone());
        match hosts.get_mut(&name) {
            Some((_, met)) => {
                met.truncate(last.len());
                met.iter_mut().zip(last).for_each(|(met, one)| *met = (met.0.max(one.0), met.1.min(one.1)));
            }
            None => drop(hosts.insert(name, (clock, last.into()))),
        }
    }
    let Some((first, (of_first, met))) = first.and_then(|name| hosts.get_key_value(&name)) else { return Ok(()) };
    let better = |(name, (clock, there)): (&String, &(Clock, Vec<Met>))| {
        let error = clock.error().saturating_add(of_first.error());
        let found = if name == first { Some((0, 0)) } else { correction(met, there, error) };
        let (later, error) = found.unwrap_or((0, error));
        (name.clone(), clock.corrected(-later, error))
    };
    let clocks: BTreeMap<String, Clock> = hosts.iter().map(better).collect();
    for (_, record) in records {
        let clock = record.host().and_then(|host| clocks.get(&host.name)).cloned();
        clock.iter().for_each(|clock| record.set_clock(clock));
    }
    Ok(())
}

/// By how much times of a host have to become later, and by how much that may be wrong, for the same barriers of the
/// first host and of this one. None if there are none, or no correction up to this error suits them.
fn correction(first: &[Met], there: &[Met], error: u64) -> Option<(i128, u64)> {
    let wide = i128::from(error);
    let (mut least, mut most) = (-wide, wide);
    for (one, other) in first.iter().zip(there) {
        least = least.max(i128::from(one.0) - i128::from(other.1));
        most = most.min(i128::from(one.1) - i128::from(other.0));
    }
    let half = u64::try_from(most - least).ok()?.div_ceil(2);
    (!first.is_empty() && !there.is_empty()).then_some((least + i128::from(half), half))
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
            align(&mut records).expect("memory can be read");
            (error, records)
        };
        let (before, records) = all(&barriers, &others);
        let after = records[0].1.apart(&records[1].1);
        assert_eq!((before, after), (40_100, 300));
        // Both are 100 ns early: the answer of the first host was taken for half of its time.
        for ((_, record), expected) in records.iter().zip([barriers, others]) {
            for (found, expected) in spans(record).into_iter().zip(expected) {
                assert!(found.0.abs_diff(expected.0 - 100) <= after, "{found:?} {expected:?} {after}");
            }
        }
        // PEs that met in other barriers, another number of them, and those that no clock explains.
        let late = others.map(|(from, until)| (from + 900_000, until + 900_000));
        for others in [&others[..2], &late] {
            let (before, records) = all(&barriers, others);
            assert_eq!(records[0].1.apart(&records[1].1), before);
        }
    }
}

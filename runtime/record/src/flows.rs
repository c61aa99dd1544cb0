//! From each signal to the wait that it ended.
//!
//! An operation that changes a word carries the word, and so does a wait for words. The signal that ended a wait is the
//! last one to its word that began before the wait was over, and each wait that follows another has a later one. The
//! next signal may have begun when a wait ends, which then waited for the one before, so both are needed: first each
//! wait, in the order of their ends, takes a signal if there is one left that it can have waited for, and then the last
//! waits choose first. Waits for a word at the same time may have the same signal. A wait for several words has the
//! last signal to any of them, unless an earlier wait had seen that.
//!
//! Clocks of several hosts agree only within an error ([`crate::clock`]). So a signal from another host may have begun
//! that much earlier than its time says, and the arrow to the wait that it ended may go back in time by as much.
//!
//! Times of kernels are exact only within the error of the comparison of their GPU's clock with that of their PE,
//! unless both are kernels of one PE. A wait that would have no signal left may have one that begins later than it
//! ended, by at most the errors of both: the next one that no wait before it has. Its arrow is drawn at one time, that
//! of the signal.
//!
//! What kernels store is in the record only of the blocks that record, so a wait that another block ended has no
//! signal, or one that nobody has waited for.

use crate::kernels::track_of;
use crate::names::{Operation, Subject};
use crate::read::{Event, Of, Record};
use cushmem_abi::KernelOperation;
use std::collections::BTreeMap;
use std::io;

/// Only so many signals, and so many waits, are looked at in a job: each PE has an equal share, and its first ones are
/// taken. Waits that a signal beyond these may have ended are left out too.
const MOST: usize = 1 << 22;

/// After how many waits to ask whether to go on.
const ASK_EVERY: usize = 1024;

/// Of the words that a wait is for, only so many with signals are looked at.
const MOST_WORDS: usize = 1024;

/// A place in the timeline: a PE, a track of it, and a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The PE.
    pub pe: u32,
    /// The track of its thread, or of a block of a kernel.
    pub track: u32,
    /// When, in nanoseconds of the monotonic clock.
    pub at: u64,
}

/// From the beginning of a signal to the end of the wait that it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The beginning of the operation.
    pub from: Place,
    /// The end of the wait.
    pub to: Place,
    /// Whether the operation begins after the end of the wait, by clocks of GPUs that agree only within an error.
    pub is_within_error: bool,
}

/// A word: its PE, segment and offset.
type Word = (u32, u8, u64);

struct Wait {
    place: Place,
    by: By,
    first: Word,
    last: Word,
    from: u64,
}

impl Wait {
    fn until(&self) -> u64 {
        self.place.at
    }

    /// Whether a signal that begins after its end may have ended it, because times of kernels are not exact.
    fn may_be_ended_by(&self, signal: &Signal) -> bool {
        signal.earliest.saturating_sub(self.by.apart(&signal.by)) <= self.until()
    }

    /// The flow from a signal to its end.
    fn ended_by(&self, signal: &Signal) -> Flow {
        let is_within_error = signal.earliest > self.until();
        Flow { from: signal.from, to: self.place, is_within_error }
    }
}

/// By whose clock a time is.
#[derive(Clone, Copy)]
enum By {
    Host,
    /// That of a PE's kernels, which may be wrong by so many nanoseconds.
    Kernel(u32, u64),
}

impl By {
    /// By how much times of both may be wrong, compared with each other.
    fn apart(&self, other: &By) -> u64 {
        match (self, other) {
            (By::Kernel(pe, _), By::Kernel(other, _)) if pe == other => 0,
            _ => self.error().saturating_add(other.error()),
        }
    }

    fn error(&self) -> u64 {
        if let By::Kernel(_, error) = self { *error } else { 0 }
    }
}

struct Signal {
    from: Place,
    by: By,
    /// When it may have begun, by the clock of the PE that waits, if times of kernels are exact.
    earliest: u64,
    /// When it was seen, in a wait for several words.
    seen: Option<u64>,
}

/// How many of these signals, which are in order, began before a time was over.
fn begun(signals: &[Signal], until: u64) -> usize {
    signals.partition_point(|signal| signal.earliest <= until)
}

/// Whether an event is one that changes a word for which somebody may wait. A stream does that at a time which is in
/// no record.
fn changes_word(event: &Event) -> bool {
    use Operation::{Atomic, CommandPut, CommandWord, Put, PutSignal, Signal};
    match event.of {
        Of::Operation(operation, _) => {
            matches!(operation, Put | Atomic | PutSignal | Signal | CommandPut | CommandWord)
        }
        Of::InKernel(operation, ..) => operation != KernelOperation::Wait,
        _ => false,
    }
}

/// The flows between these PEs, in the order in which the waits have ended. Asks whether to `go_on` from time to time;
/// if not, there are none.
pub(crate) fn flows(records: &[(u32, Record)], go_on: &mut dyn FnMut() -> bool) -> io::Result<Option<Vec<Flow>>> {
    flows_of(records, MOST, go_on)
}

fn flows_of(records: &[(u32, Record)], most: usize, go_on: &mut dyn FnMut() -> bool) -> io::Result<Option<Vec<Flow>>> {
    let (mut signals, mut waits): (BTreeMap<Word, Vec<Signal>>, Vec<Wait>) = Default::default();
    let share = most / records.len().max(1);
    // The beginning of the first signal that is not looked at.
    let mut end = u64::MAX;
    let by_pe: BTreeMap<u32, &Record> = records.iter().map(|(pe, record)| (*pe, record)).collect();
    for (pe, record) in records {
        let mut room = (share, share);
        for (number, event) in record.events().enumerate() {
            if number % ASK_EVERY == 0 && !go_on() {
                return Ok(None);
            }
            let event = event?;
            let Some(Subject::Word(segment, offset)) = event.subject else { continue };
            let track = match event.of {
                Of::InKernel(_, block, warp) => track_of(block, warp),
                _ => event.track.into(),
            };
            let place = |at| Place { pe: *pe, track, at };
            let by = match event.of {
                Of::InKernel(..) => By::Kernel(*pe, record.kernels_error().unwrap_or(0)),
                _ => By::Host,
            };
            match event.of {
                Of::Wait(_) | Of::InKernel(KernelOperation::Wait, ..) if room.1 > 0 => {
                    room.1 -= 1;
                    // A word is known by its first byte. A wait for one word has no bytes.
                    let more = event.bytes.saturating_sub(1);
                    let (first, last) = ((*pe, segment, offset), (*pe, segment, offset.saturating_add(more)));
                    waits.push(Wait { place: place(event.until()), by, first, last, from: event.from });
                }
                _ if changes_word(&event) => {
                    let Some(owner) = event.pe else { continue };
                    let apart = by_pe.get(&owner).map_or(0, |of_owner| record.apart(of_owner));
                    let earliest = event.from.saturating_sub(apart);
                    if room.0 == 0 {
                        end = end.min(earliest.saturating_sub(by.error()));
                        continue;
                    }
                    room.0 -= 1;
                    let signal = Signal { from: place(event.from), by, earliest, seen: None };
                    signals.entry((owner, segment, offset)).or_default().push(signal);
                }
                _ => {}
            }
        }
    }
    for of_word in signals.values_mut() {
        of_word.sort_by_key(|signal| signal.earliest);
    }
    waits.retain(|wait| wait.until().saturating_add(wait.by.error()) < end);
    waits.sort_by_key(Wait::until);
    let (mut by_word, mut flows): (BTreeMap<Word, Vec<Wait>>, Vec<Flow>) = Default::default();
    for (number, wait) in waits.into_iter().enumerate() {
        if number % ASK_EVERY == 0 && !go_on() {
            return Ok(None);
        }
        if wait.first == wait.last {
            by_word.entry(wait.first).or_default().push(wait);
        } else {
            flows.extend(to_several(&mut signals, &wait));
        }
    }
    for (word, waits) in by_word {
        flows.extend(signals.get(&word).into_iter().flat_map(|signals| to_one(signals, &waits)));
    }
    flows.sort_by_key(|flow| flow.to.at);
    Ok(Some(flows))
}

/// The flow to a wait for several words.
fn to_several(signals: &mut BTreeMap<Word, Vec<Signal>>, wait: &Wait) -> Option<Flow> {
    let of_words = signals.range_mut(wait.first..=wait.last).take(MOST_WORDS);
    let last = of_words.filter_map(|(_, of_word)| {
        let number = begun(of_word, wait.until());
        let is_seen = |signal: &Signal| signal.seen.is_some_and(|seen| seen <= wait.from);
        let takes_next = number.checked_sub(1).is_none_or(|last| is_seen(&of_word[last]))
            && of_word.get(number).is_some_and(|next| wait.may_be_ended_by(next));
        of_word.get_mut((number + usize::from(takes_next)).checked_sub(1)?)
    });
    let signal = last.max_by_key(|signal| signal.earliest)?;
    let is_new = signal.seen.is_none_or(|seen| seen > wait.from);
    signal.seen.get_or_insert(wait.until());
    is_new.then(|| wait.ended_by(signal))
}

/// How many signals had begun when a wait ended, if each of so many waits `before` it had one. If there is none left,
/// the next one counts too if it may have begun.
fn number_for(signals: &[Signal], wait: &Wait, before: usize) -> usize {
    let number = begun(signals, wait.until());
    if number <= before && signals.get(before).is_some_and(|next| wait.may_be_ended_by(next)) {
        before + 1
    } else {
        number
    }
}

/// The flows to waits for one word.
fn to_one(signals: &[Signal], waits: &[Wait]) -> Vec<Flow> {
    // Waits at the same time, and those that follow them.
    let mut groups: Vec<&[Wait]> = vec![];
    let mut rest = waits;
    while let Some(first) = rest.first() {
        let (group, others) = rest.split_at(rest.iter().take_while(|wait| wait.from <= first.until()).count().max(1));
        // The first one to end needs a signal that is left.
        if number_for(signals, first, groups.len()) > groups.len() {
            groups.push(group);
        }
        rest = others;
    }
    let (mut flows, mut limit) = (vec![], signals.len());
    for (before, group) in groups.into_iter().enumerate().rev() {
        let number_of = |wait: &Wait| number_for(signals, wait, before).min(limit);
        let chosen = group.iter().filter_map(|wait| Some((wait, number_of(wait).checked_sub(1)?)));
        let chosen: Vec<_> = chosen.collect();
        limit = chosen.iter().map(|(_, index)| *index).min().unwrap_or(0);
        flows.extend(chosen.into_iter().map(|(wait, index)| wait.ended_by(&signals[index])));
    }
    flows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Reading};
    use crate::names::{Cause, Way};
    use crate::read::Host;
    use crate::read::tests::{read, recorder};

    const WORD: Subject = Subject::Word(0, 64);

    fn all(records: &[(u32, Record)], most: usize) -> Vec<Flow> {
        flows_of(records, most, &mut || true).expect("memory can be read").expect("nobody stops it")
    }

    /// PE 1 waits at these times; PE 0 signals at those. Where each flow begins and ends.
    fn between(signals: &[(u64, u64)], waits: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let ((of_0, words_0), (of_1, words_1)) = (recorder(2, 64), recorder(2, 64));
        for at in signals {
            of_0.operation((Operation::PutSignal, Way::Nic), 4096, (Some(1), Some(WORD)), *at, 3);
            // The same word of another PE, another word, and no word at all.
            let (other, nothing) = (Subject::Word(0, 72), (Some(1), None));
            of_0.operation((Operation::Signal, Way::Nic), 8, (Some(0), Some(WORD)), *at, 3);
            of_0.operation((Operation::Signal, Way::Nic), 8, (Some(1), Some(other)), *at, 3);
            of_0.operation((Operation::Put, Way::Nic), 4096, nothing, *at, 3);
        }
        for at in waits {
            of_1.wait(Cause::Word, Some((WORD, 0)), *at, 5);
        }
        let found = all(&[(0, read(words_0)), (1, read(words_1))], MOST);
        assert!(found.iter().all(|flow| (flow.from.pe, flow.from.track, flow.to.pe, flow.to.track) == (0, 3, 1, 5)));
        found.iter().map(|flow| (flow.from.at, flow.to.at)).collect()
    }

    /// Catches flows that go backwards, or that begin at a signal that was there before.
    #[test]
    fn the_last_signal_before_the_end_has_ended_the_wait() {
        assert_eq!(between(&[(100, 120)], &[(50, 130)]), [(100, 130)]);
        assert_eq!(between(&[(100, 120), (110, 115), (140, 150)], &[(50, 130)]), [(110, 130)]);
        assert_eq!(between(&[(140, 150)], &[(50, 130)]), [], "it would go backwards");
        // The second wait was ended by a kernel: the signal had ended the first one before it began.
        assert_eq!(between(&[(100, 120)], &[(50, 130), (200, 300)]), [(100, 130)]);
        // Two threads have waited for it.
        assert_eq!(between(&[(100, 120)], &[(50, 130), (60, 135)]), [(100, 130), (100, 135)]);
        assert_eq!(between(&[(100, 120), (210, 220)], &[(50, 130), (200, 300)]), [(100, 130), (210, 300)]);
        // The second signal had begun when the first wait ended.
        assert_eq!(between(&[(100, 120), (125, 220)], &[(50, 130), (200, 300)]), [(100, 130), (125, 300)]);
        // Each wait is for two signals.
        let twice = [(100, 101), (110, 111), (210, 211), (220, 221)];
        assert_eq!(between(&twice, &[(50, 130), (200, 300)]), [(110, 130), (220, 300)]);
    }

    /// Catches waits without an arrow because a clock is a little late, and arrows to signals that no error explains.
    #[test]
    fn clocks_of_hosts_may_disagree_by_their_error() {
        // The signals are sent 20 ns before the waits end, by a clock that may be off by 100 ns, and is by 70.
        for (off, expected) in [(0, 3), (70, 3), (99, 3), (200, 0)] {
            let ((of_0, words_0), (of_1, words_1)) = (recorder(2, 64), recorder(2, 64));
            for until in [5_000, 5_400, 5_800] {
                let at = until - 20 + off;
                of_0.operation((Operation::PutSignal, Way::Nic), 8, (Some(1), Some(WORD)), (at, at + 50), 3);
                of_1.wait(Cause::Word, Some((WORD, 0)), (until - 150, until), 5);
            }
            let on = |name: &str, took: u64| {
                let reading = Reading { asked: 1_000 - took / 2, there: 1_000, back: 1_000 + took / 2 };
                Host { name: name.into(), clock: Clock::new(&[reading]) }
            };
            let records = [(0, read(words_0).on_host(on("a", 160))), (1, read(words_1).on_host(on("b", 40)))];
            let found = all(&records, MOST);
            let is_right = |flow: &&Flow| flow.from.at == flow.to.at - 20 + off;
            assert_eq!(found.iter().filter(is_right).count(), expected, "{off}: {found:?}");
        }
    }

    /// Catches kernels without arrows, and arrows on the tracks of threads.
    #[test]
    fn a_kernel_may_end_the_wait_of_another() {
        let ((of_0, words_0), (of_1, words_1)) = (recorder(2, 64), recorder(2, 64));
        of_0.in_kernel(KernelOperation::PutSignal, (64, Some(1), Some(WORD)), (100, 150), (7, 2));
        of_1.in_kernel(KernelOperation::Wait, (0, None, Some(WORD)), (90, 160), (3, 0));
        let found = all(&[(0, read(words_0)), (1, read(words_1))], MOST);
        let from = Place { pe: 0, track: track_of(7, 2), at: 100 };
        let to = Place { pe: 1, track: track_of(3, 0), at: 160 };
        assert_eq!(found, [Flow { from, to, is_within_error: false }]);
    }

    /// Catches waits without an arrow because the clock of a GPU is a little late, arrows that no error explains, and
    /// an error between kernels of one GPU.
    #[test]
    fn times_of_kernels_may_be_wrong_by_their_error() {
        let waits = [(900, 1_000), (1_400, 1_500), (1_900, 2_000)];
        // Each signal comes so much after the end of its wait, by clocks that may be wrong by 100 ns and by 50.
        for (late, other, expected) in [(0, true, 3), (100, true, 3), (150, true, 3), (151, true, 0), (1, false, 0)] {
            let ((of_0, words_0), (of_1, words_1)) = (recorder(2, 64), recorder(2, 64));
            of_0.kernels_recorded(0, 100);
            of_1.kernels_recorded(0, 50);
            for at in waits {
                let from = at.1 + late;
                let signals = if other { &of_0 } else { &of_1 };
                signals.in_kernel(KernelOperation::Signal, (8, Some(1), Some(WORD)), (from, from + 9), (0, 0));
                of_1.in_kernel(KernelOperation::Wait, (0, None, Some(WORD)), at, (1, 0));
            }
            let found = all(&[(0, read(words_0)), (1, read(words_1))], MOST);
            let right: Vec<_> = found.iter().filter(|flow| flow.from.at == flow.to.at + late).collect();
            assert_eq!(right.len(), expected, "{late}: {found:?}");
            assert!(right.iter().all(|flow| flow.is_within_error == (late > 0)), "{found:?}");
        }
        // A wait of the CPU for several words.
        let ((of_0, words_0), (of_1, words_1)) = (recorder(2, 64), recorder(2, 64));
        of_0.kernels_recorded(0, 100);
        for at in waits {
            of_0.in_kernel(KernelOperation::Signal, (8, Some(1), Some(WORD)), (at.1 + 90, at.1 + 99), (0, 0));
            of_1.wait(Cause::Word, Some((WORD, 16)), at, 5);
        }
        let found = all(&[(0, read(words_0)), (1, read(words_1))], MOST);
        assert!(found.len() == 3 && found.iter().all(|flow| flow.from.at == flow.to.at + 90), "{found:?}");
    }

    /// Catches a wait for several words that has only the first.
    #[test]
    fn a_wait_for_several_words_is_ended_by_any() {
        let (recorder, words) = recorder(1, 8);
        for (offset, from) in [(64, 100), (72, 200), (80, 300)] {
            let on = (Some(0), Some(Subject::Word(0, offset)));
            recorder.operation((Operation::Put, Way::Mapped), 8, on, (from, from + 9), 0);
        }
        recorder.wait(Cause::Word, Some((WORD, 16)), (50, 400), 0);
        let found = all(&[(0, read(words))], MOST);
        assert_eq!(found.iter().map(|flow| flow.from.at).collect::<Vec<_>>(), [200]);
    }

    /// Catches short words of which only the first one is looked at.
    #[test]
    fn a_wait_for_several_short_words_is_ended_by_any() {
        let (recorder, words) = recorder(1, 8);
        for (offset, from) in [(64, 100), (68, 200), (72, 300)] {
            let on = (Some(0), Some(Subject::Word(0, offset)));
            recorder.operation((Operation::Put, Way::Mapped), 4, on, (from, from + 9), 0);
        }
        recorder.wait(Cause::Word, Some((WORD, 8)), (50, 400), 0);
        let found = all(&[(0, read(words))], MOST);
        assert_eq!(found.iter().map(|flow| flow.from.at).collect::<Vec<_>>(), [200]);
    }

    /// Catches waits that get a signal from long before, because theirs is not looked at.
    #[test]
    fn no_flow_ends_behind_the_signals_that_are_looked_at() {
        let ((of_0, words_0), (of_1, words_1)) = (recorder(2, 64), recorder(2, 64));
        for at in (1_000..11_000).step_by(1_000) {
            let on = (Some(1), Some(WORD));
            of_0.operation((Operation::Signal, Way::Mapped), 8, on, (at, at + 9), 0);
            // Most waits are over at once, and in no record.
            if at % 4_000 == 0 {
                of_1.wait(Cause::Word, Some((WORD, 0)), (at - 500, at + 10), 0);
            }
        }
        let records = [(0, read(words_0)), (1, read(words_1))];
        let of = |most| all(&records, most).iter().map(|flow| (flow.from.at, flow.to.at)).collect::<Vec<_>>();
        assert_eq!(of(64), [(4_000, 4_010), (8_000, 8_010)]);
        // Six signals of each PE.
        assert_eq!(of(12), [(4_000, 4_010)]);
        let (mut asked, mut stop) = (0, || false);
        assert!(flows(&records, &mut stop).expect("memory can be read").is_none());
        let mut once = || {
            asked += 1;
            asked < 3
        };
        assert!(flows(&records, &mut once).expect("memory can be read").is_none(), "between the waits too");
    }
}

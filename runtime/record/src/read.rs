//! A record as its reader sees it.

use crate::area::{
    AT_BEGUN, AT_ENDED, AT_EVENTS, AT_PROCESS, AT_SLOTS, AT_TRACKS, Layout, MOST_TRACKS, NO_PE, PER_CAUSE, PER_EVENT,
    PER_PEER, PER_TRACK, WAITS,
};
use crate::counts::{Count, Waited};
use crate::names::{Cause, Extra, Operation, Way};

/// What took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// An operation, and its way.
    Operation(Operation, Way),
    /// A wait.
    Wait(Cause),
}

/// Something that took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub of: Of,
    /// The thread.
    pub track: u8,
    /// When it began, in nanoseconds of the monotonic clock.
    pub from: u64,
    /// How long it took.
    pub ns: u64,
    /// Its bytes.
    pub bytes: u64,
    /// The other PE, if there is one.
    pub pe: Option<u32>,
}

/// The record of a PE that has ended.
#[derive(Debug)]
pub struct Record {
    words: Vec<u64>,
    layout: Layout,
}

impl Record {
    /// Reads the bytes of a record; none if they are not those of one.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        let words: Vec<u64> = words.collect();
        let layout = Layout::of_head(words.get(..3)?.try_into().ok()?)?;
        (words.len() >= layout.words()).then_some(Self { words, layout })
    }

    /// Like [`Record::new`], from the bytes before the events, of which it then has none.
    pub fn of_counters(bytes: &[u8]) -> Option<Self> {
        let mut bytes = bytes.to_vec();
        bytes.get_mut(AT_SLOTS * 8..(AT_SLOTS + 1) * 8)?.fill(0);
        Self::new(&bytes)
    }

    /// The process of the PE; none if it did not join.
    pub fn process(&self) -> Option<u32> {
        u32::try_from(self.words[AT_PROCESS]).ok().filter(|process| *process > 0)
    }

    /// When the PE joined the job.
    pub fn begun(&self) -> Option<u64> {
        Some(self.words[AT_BEGUN]).filter(|at| *at > 0)
    }

    /// When it left the job; none if it ended before.
    pub fn ended(&self) -> Option<u64> {
        Some(self.words[AT_ENDED]).filter(|at| *at > 0)
    }

    /// All that was counted of operations, without those that there were none of.
    pub fn counts(&self) -> impl Iterator<Item = (Operation, Way, Count)> {
        let all = Operation::ALL.iter().flat_map(|operation| Way::ALL.iter().map(|way| (*operation, *way)));
        let count = |(operation, way)| {
            let cell = Layout::cell(operation, way);
            let [operations, bytes, ns] = [0, 1, 2].map(|at| self.words[cell + at]);
            (operation, way, Count { operations, bytes, ns })
        };
        all.map(count).filter(|(.., count)| count.operations > 0)
    }

    /// All that was counted of waits, without causes that there were none for.
    pub fn waits(&self) -> impl Iterator<Item = (Cause, Waited)> {
        let waited = |cause: &Cause| {
            let first = Layout::CAUSES + *cause as usize * PER_CAUSE;
            let buckets = std::array::from_fn(|bucket| self.words[first + 2 + bucket]);
            (*cause, Waited { waits: self.words[first], ns: self.words[first + 1], buckets })
        };
        Cause::ALL.iter().map(waited).filter(|(_, waited)| waited.waits > 0)
    }

    /// The other counts that are not 0.
    pub fn extras(&self) -> impl Iterator<Item = (Extra, u64)> {
        Extra::ALL.iter().map(|extra| (*extra, self.words[Layout::EXTRAS + *extra as usize])).filter(|(_, n)| *n > 0)
    }

    /// The PEs on whose memory this one has worked: operations and bytes.
    pub fn peers(&self) -> impl Iterator<Item = (u32, u64, u64)> {
        let peers = self.words[Layout::PEERS..self.layout.events()].chunks_exact(PER_PEER);
        (0u32..).zip(peers).map(|(pe, words)| (pe, words[0], words[1])).filter(|(_, operations, _)| *operations > 0)
    }

    /// The names of its threads.
    pub fn tracks(&self) -> impl Iterator<Item = String> {
        let tracks = self.words[AT_TRACKS].min(MOST_TRACKS as u64) as usize;
        self.words[Layout::TRACKS..].chunks_exact(PER_TRACK).take(tracks).map(|words| {
            let bytes: Vec<u8> =
                words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }

    /// Whether there is room for events.
    pub fn has_events(&self) -> bool {
        self.layout.slots > 0
    }

    /// How many events are not there any more, because later ones have taken their slots.
    pub fn dropped(&self) -> u64 {
        self.words[AT_EVENTS].saturating_sub(self.layout.slots as u64)
    }

    /// The events that are there, in the order of their numbers. One that the PE was writing when it ended is missing.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        let end = self.words[AT_EVENTS];
        (self.dropped()..if self.has_events() { end } else { 0 }).filter_map(|number| self.event(number))
    }

    fn event(&self, number: u64) -> Option<Event> {
        let slot = (number % self.layout.slots as u64) as usize;
        let at = self.layout.events() + slot * PER_EVENT;
        let [from, what, bytes, last] = self.words[at..at + PER_EVENT].try_into().expect("four words");
        // SYNC(record-event) acquire: the PE has ended, and a system call has read what it has written.
        if last & u64::from(u32::MAX) != (number + 1) & u64::from(u32::MAX) {
            return None;
        }
        let [kind, way, track, ..] = what.to_le_bytes();
        let of = match kind.checked_sub(WAITS) {
            Some(cause) => Of::Wait(Cause::of_number(cause)?),
            None => Of::Operation(Operation::of_number(kind)?, Way::of_number(way)?),
        };
        let pe = Some((last >> 32) as u32).filter(|pe| *pe != NO_PE);
        Some(Event { of, track, from, ns: what >> 24, bytes, pe })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::area::Recorder;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A new record, and its memory.
    pub(crate) fn recorder(peers: usize, slots: usize) -> (Recorder, &'static [AtomicU64]) {
        let layout = Layout { peers, slots };
        let words: &[AtomicU64] = (0..layout.words()).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak();
        (Recorder::new(words, layout).expect("it has room"), words)
    }

    pub(crate) fn read(words: &[AtomicU64]) -> Record {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect();
        Record::new(&bytes).expect("it is a record")
    }

    #[test]
    fn what_was_written_is_read() {
        let (recorder, words) = recorder(3, 8);
        recorder.begin(77, 1_000);
        assert_eq!((recorder.track("main"), recorder.track("cushmem-proxy")), (0, 1));
        recorder.operation((Operation::Put, Way::Nic), 64, Some(2), (2_000, 2_500), 0);
        recorder.operation((Operation::Put, Way::Mapped), 8, Some(1), (3_000, 3_100), 0);
        recorder.operation((Operation::Barrier, Way::None), 0, None, (4_000, 9_000), 1);
        recorder.wait(Cause::Peers, (4_100, 8_900), 1);
        recorder.set(Extra::Stalls, 5);
        recorder.end(10_000);
        assert_eq!(recorder.counts(Operation::Put, None), Count { operations: 2, bytes: 72, ns: 600 });
        assert_eq!(recorder.counts(Operation::Put, Some(Way::Nic)), Count { operations: 1, bytes: 64, ns: 500 });
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect();
        let counters = Record::of_counters(&bytes[..Layout { peers: 3, slots: 8 }.counter_bytes()]);
        let counters = counters.expect("it is the start of a record");
        assert_eq!((counters.counts().count(), counters.events().count()), (3, 0));
        let record = read(words);
        assert_eq!((record.process(), record.begun(), record.ended()), (Some(77), Some(1_000), Some(10_000)));
        assert_eq!(record.counts().count(), 3);
        assert_eq!(record.peers().collect::<Vec<_>>(), [(1, 1, 8), (2, 1, 64)]);
        assert_eq!(record.extras().collect::<Vec<_>>(), [(Extra::Stalls, 5)]);
        assert_eq!(record.tracks().collect::<Vec<_>>(), ["main", "cushmem-proxy"]);
        let (cause, waited) = record.waits().next().expect("one wait");
        assert_eq!((cause, waited, recorder.waited(cause)), (Cause::Peers, waited, waited));
        assert_eq!((waited.waits, waited.ns, waited.buckets[1]), (1, 4_800, 1));
        let events: Vec<_> = record.events().collect();
        assert_eq!(events.len(), 4);
        let of = Of::Operation(Operation::Put, Way::Nic);
        assert_eq!(events[0], Event { of, track: 0, from: 2_000, ns: 500, bytes: 64, pe: Some(2) });
        assert_eq!(events[3], Event { of: Of::Wait(cause), track: 1, from: 4_100, ns: 4_800, bytes: 0, pe: None });
    }

    /// Catches a ring that loses the latest events, or that does not say how many it has lost.
    #[test]
    fn the_latest_events_are_kept_and_the_others_counted() {
        let (recorder, words) = recorder(1, 4);
        for number in 0..10 {
            recorder.operation((Operation::Get, Way::Mapped), number, Some(0), (number, number), 0);
        }
        let record = read(words);
        assert_eq!(record.dropped(), 6);
        assert_eq!(record.events().map(|event| event.bytes).collect::<Vec<_>>(), [6, 7, 8, 9]);
        assert_eq!(record.counts().next().map(|(.., count)| count.operations), Some(10), "all are counted");
        // A PE was killed between its claim and the number of the event.
        words[AT_EVENTS].fetch_add(1, Ordering::Relaxed);
        assert_eq!(read(words).events().map(|event| event.bytes).collect::<Vec<_>>(), [7, 8, 9]);
    }

    /// Bytes from another process, of any content, are read without a panic.
    #[test]
    fn garbled_records_are_read() {
        let (_, words) = recorder(2, 16);
        for (index, word) in words.iter().enumerate().skip(3) {
            word.store((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15), Ordering::Relaxed);
        }
        let record = read(words);
        assert!(record.events().count() <= 16 && record.tracks().count() <= MOST_TRACKS);
        assert!(Record::new(&[0; 64]).is_none() && Record::new(&[]).is_none());
        let cut: Vec<u8> = Layout { peers: 1, slots: 1 }.head().iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(Record::new(&cut).is_none(), "it is too short");
    }
}

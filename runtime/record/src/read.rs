//! A record as its reader sees it.

use crate::area::{
    AT_BEGUN, AT_EMULATED, AT_ENDED, AT_EVENTS, AT_KERNELS_DROPPED, AT_KERNELS_ERROR, AT_LEFT, AT_NAMES, AT_PROCESS,
    AT_USED, EVENT_BYTES, IN_KERNEL, KERNEL, KERNEL_BYTES_BITS, Layout, MOST_TRACKS, NETWORK, NO_PE, PER_CAUSE,
    PER_EVENT, PER_TRACK, Recorder, WAITS,
};
use crate::clock::Clock;
use crate::counts::{Count, Waited};
use crate::functions::{MOST_NAMES, PER_NAME, unpacked};
use crate::names::{Cause, Extra, Operation, Subject, Transfer, Way};
use crate::peers;
use cushmem_abi::KernelOperation;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// What took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// An operation, and its way.
    Operation(Operation, Way),
    /// A wait.
    Wait(Cause),
    /// A kernel on its GPU, whose launch began at the time of the event.
    Kernel,
    /// A transfer of the network, from the posting to the completion.
    Network(Transfer),
    /// An operation in a kernel, by this block and this warp of it.
    InKernel(KernelOperation, u16, u8),
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
    /// Its bytes, or those of the words that a wait is for, if there are several; the blocks of a kernel; the handle of
    /// the stream that another one waits for.
    pub bytes: u64,
    /// The other PE, if there is one; of a kernel, how many of its blocks fit on the GPU together.
    pub pe: Option<u32>,
    /// The number of the name of the kernel that it is about; 0 if there is none.
    pub kernel: u8,
    /// What it is on, if that was noted.
    pub subject: Option<Subject>,
}

impl Event {
    /// When it ended.
    pub fn until(&self) -> u64 {
        self.from.saturating_add(self.ns)
    }

    /// The handle of the stream for which another one waits.
    pub(crate) fn awaited(&self) -> Option<u64> {
        matches!(self.of, Of::Operation(Operation::StreamWaitFor, _)).then_some(self.bytes)
    }
}

/// Where the bytes of a record are.
pub trait Source {
    /// Reads the bytes from this one on, as many as there is room for.
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

impl<T: AsRef<[u8]>> Source for T {
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(at).ok().and_then(|at| self.as_ref().get(at..)?.get(..bytes.len()));
        bytes.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// How many events are read at a time.
pub(crate) const EVENTS_AT_ONCE: usize = 2048;

/// The host of a PE, in a job on several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its clock, if the times of PEs matter.
    pub clock: Option<Clock>,
}

/// The record of a PE. Its counters are those of the moment at which it was read; its events, of which there may be
/// many millions, stay where they are.
pub struct Record<'a> {
    /// Those before the events.
    words: Vec<u64>,
    layout: Layout,
    source: Box<dyn Source + 'a>,
    host: Option<Host>,
}

/// Reads this many words.
fn words(source: &dyn Source, at: usize, number: usize) -> io::Result<Vec<u64>> {
    let mut bytes = vec![0; number * 8];
    source.read(at as u64 * 8, &mut bytes)?;
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    Ok(bytes.chunks_exact(8).map(word).collect())
}

impl<'a> Record<'a> {
    /// Reads the start of a record; none if it is not that of one.
    pub fn new(source: impl Source + 'a) -> Option<Self> {
        let layout = Layout::of_head(words(&source, 0, 3).ok()?.try_into().ok()?)?;
        let used = *words(&source, AT_USED, 1).ok()?.first()?;
        let words = words(&source, 0, layout.counters(used)).ok()?;
        // A PE that writes at the same time could have changed it.
        (Layout::of_head(words.get(..3)?.try_into().ok()?) == Some(layout)).then(|| Self {
            words,
            layout,
            source: Box::new(source),
            host: None,
        })
    }

    /// The same record, of a PE on this host. All times of it are then those of the first launcher's machine.
    #[must_use]
    pub fn on_host(self, host: Host) -> Self {
        Self { host: Some(host), ..self }
    }

    /// The host, in a job on several.
    pub fn host(&self) -> Option<&Host> {
        self.host.as_ref()
    }

    fn clock(&self) -> Option<&Clock> {
        self.host.as_ref()?.clock.as_ref()
    }

    /// Sets another clock, which is more exact.
    pub(crate) fn set_clock(&mut self, clock: &Clock) {
        self.host.iter_mut().for_each(|host| host.clock = Some(clock.clone()));
    }

    /// By how much times of this record and of another one may be wrong, compared with each other.
    pub(crate) fn apart(&self, other: &Record<'_>) -> u64 {
        if self.host().map(|host| &host.name) == other.host().map(|host| &host.name) {
            return 0;
        }
        let [one, two] = [self.clock(), other.clock()].map(|clock| clock.map_or(0, Clock::error));
        one.saturating_add(two)
    }

    fn here(&self, at: u64) -> u64 {
        self.clock().map_or(at, |clock| clock.here(at))
    }

    /// What a PE has counted so far, without its events.
    pub fn so_far(recorder: &Recorder<'_>) -> Option<Record<'static>> {
        // Relaxed: each word stands alone.
        let bytes = recorder.counters().iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes());
        Record::new(bytes.collect::<Vec<u8>>())
    }

    /// Where things are in it.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The process of the PE; none if it did not join.
    pub fn process(&self) -> Option<u32> {
        u32::try_from(self.words[AT_PROCESS]).ok().filter(|process| *process > 0)
    }

    /// When the PE joined the job.
    pub fn begun(&self) -> Option<u64> {
        Some(self.words[AT_BEGUN]).filter(|at| *at > 0).map(|at| self.here(at))
    }

    /// When it left the job; none if it ended before.
    pub fn ended(&self) -> Option<u64> {
        Some(self.words[AT_ENDED]).filter(|at| *at > 0).map(|at| self.here(at))
    }

    /// Whether its GPU was emulated.
    pub fn is_emulated(&self) -> bool {
        self.words[AT_EMULATED] > 0
    }

    /// All that was counted of operations, without those that there were none of.
    pub fn counts(&self) -> impl Iterator<Item = (Operation, Way, Count)> {
        let mut sums = [[Count::default(); Way::ALL.len()]; Operation::ALL.len()];
        for (operation, way, count) in self.on_none().chain(self.on_peers().map(|(_, of, way, count)| (of, way, count)))
        {
            let sum = &mut sums[operation as usize][way as usize];
            *sum = sum.plus(count);
        }
        let all = Operation::ALL.iter().flat_map(|operation| Way::ALL.iter().map(|way| (*operation, *way)));
        let counts = all.map(move |(operation, way)| (operation, way, sums[operation as usize][way as usize]));
        counts.filter(|(.., count)| count.operations > 0)
    }

    /// What was counted of operations that were not on one PE, or had no cell.
    fn on_none(&self) -> impl Iterator<Item = (Operation, Way, Count)> {
        let all = Operation::ALL.iter().flat_map(|operation| Way::ALL.iter().map(|way| (*operation, *way)));
        all.map(|(operation, way)| {
            let [operations, bytes, ns] = [0, 1, 2].map(|at| self.words[Layout::cell(operation, way) + at]);
            (operation, way, Count { operations, bytes, ns })
        })
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

    /// What was counted of the PEs on whose memory this one has worked, in the order in which it has begun to.
    pub fn on_peers(&self) -> impl Iterator<Item = (u32, Operation, Way, Count)> {
        self.words[Layout::PEERS..].chunks_exact(peers::PER_CELL).filter_map(peers::read_cell)
    }

    /// The PEs on whose memory this one has worked, in order, and the sums of all operations on each.
    pub fn peers(&self) -> BTreeMap<u32, Count> {
        let mut sums: BTreeMap<u32, Count> = BTreeMap::new();
        for (pe, .., count) in self.on_peers() {
            let sum = sums.entry(pe).or_default();
            *sum = sum.plus(count);
        }
        sums
    }

    /// How many operations on PEs are in none of these counts, because there were too many kinds.
    pub fn left_out(&self) -> u64 {
        self.words[AT_LEFT]
    }

    /// The tracks of its threads: their numbers and names.
    pub fn tracks(&self) -> impl Iterator<Item = (usize, String)> {
        let words = self.words[Layout::TRACKS..].chunks_exact(PER_TRACK).take(MOST_TRACKS);
        words.map(unpacked).enumerate().filter(|(_, name)| !name.is_empty())
    }

    /// The names of kernels, the first of which has number 1.
    pub fn kernels(&self) -> io::Result<Vec<String>> {
        let used = usize::try_from(self.words[AT_NAMES]).unwrap_or(usize::MAX);
        let used = if self.has_events() { used.min(MOST_NAMES) } else { 0 };
        let words = words(&*self.source, self.layout.names(), used * PER_NAME)?;
        Ok(words.chunks_exact(PER_NAME).map(unpacked).collect())
    }

    /// Whether there is room for events.
    fn has_events(&self) -> bool {
        self.layout.slots > 0
    }

    /// How many events are not there any more, because later ones have taken their slots.
    pub fn dropped(&self) -> u64 {
        self.overwritten().saturating_add(self.words[AT_KERNELS_DROPPED])
    }

    /// How many of these were in this record, and not in that of kernels.
    fn overwritten(&self) -> u64 {
        self.words[AT_EVENTS].saturating_sub(self.layout.slots as u64)
    }

    /// By how many nanoseconds the times of operations in kernels may be wrong; none if there is no such
    /// record.
    pub fn kernels_error(&self) -> Option<u64> {
        Some(self.words[AT_KERNELS_ERROR]).filter(|error| *error > 0)
    }

    /// The events that are there, in the order of their numbers. One that the PE was writing when it ended is missing.
    pub fn events(&self) -> impl Iterator<Item = io::Result<Event>> {
        let slots = self.layout.slots as u64;
        let (mut next, end) = (self.overwritten(), if self.has_events() { self.words[AT_EVENTS] } else { 0 });
        let parts = std::iter::from_fn(move || {
            let slot = (next < end).then(|| next % slots)?;
            let number = (EVENTS_AT_ONCE as u64).min(end - next).min(slots - slot);
            let part = (next, slot as usize, number as usize);
            next += number;
            Some(part)
        });
        parts.flat_map(|(first, slot, number)| self.part(first, slot, number))
    }

    /// Events whose slots follow each other.
    fn part(&self, first: u64, slot: usize, number: usize) -> Vec<io::Result<Event>> {
        match words(&*self.source, self.layout.events() + slot * PER_EVENT, number * PER_EVENT) {
            Ok(words) => {
                let events = words.chunks_exact(PER_EVENT).zip(first..);
                let events = events.filter_map(|(words, number)| event(number, words.try_into().ok()?));
                events.map(|event| Ok(self.event_here(event))).collect()
            }
            Err(error) => vec![Err(error)],
        }
    }
}

impl Record<'_> {
    /// An event whose times are those of this machine.
    fn event_here(&self, event: Event) -> Event {
        let from = self.here(event.from);
        // A GPU has measured how long a kernel took.
        let ns = if event.of == Of::Kernel { event.ns } else { self.here(event.until()).saturating_sub(from) };
        Event { from, ns, ..event }
    }

    /// The bytes of its counters.
    pub fn used_by_counters(&self) -> Range<usize> {
        0..self.words.len() * 8
    }

    /// The bytes of its events and of the names of kernels.
    pub fn used_by_events(&self) -> Range<usize> {
        let events = usize::try_from(self.words[AT_EVENTS]).unwrap_or(usize::MAX).min(self.layout.slots);
        self.layout.names() * 8..self.layout.events() * 8 + events * EVENT_BYTES
    }
}

/// The event with this number, in a slot with these words.
fn event(number: u64, [from, what, bytes, subject, last]: [u64; PER_EVENT]) -> Option<Event> {
    // SYNC(record-event) acquire: the PE has ended, and a system call has read what it has written.
    if last & u64::from(u32::MAX) != (number + 1) & u64::from(u32::MAX) {
        return None;
    }
    let [kind, way, track, ..] = what.to_le_bytes();
    let of = match kind.checked_sub(WAITS) {
        Some(cause) => Of::Wait(Cause::of_number(cause)?),
        None if kind == KERNEL => Of::Kernel,
        None if kind >= NETWORK => Of::Network(Transfer::of_number(kind - NETWORK)?),
        None if kind >= IN_KERNEL => {
            let by = bytes >> KERNEL_BYTES_BITS;
            Of::InKernel(KernelOperation::of_number(kind - IN_KERNEL)?, (by >> 8) as u16, by as u8)
        }
        None if kind == Operation::Launch as u8 => Of::Operation(Operation::Launch, Way::None),
        None => Of::Operation(Operation::of_number(kind)?, Way::of_number(way)?),
    };
    let kernel = if matches!(of, Of::Kernel | Of::Operation(Operation::Launch, _)) { way } else { 0 };
    let bytes = if matches!(of, Of::InKernel(..)) { bytes & ((1 << KERNEL_BYTES_BITS) - 1) } else { bytes };
    let pe = Some((last >> 32) as u32).filter(|pe| *pe != NO_PE);
    Some(Event { of, track, from, ns: what >> 24, bytes, pe, kernel, subject: Subject::of_bits(subject) })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    /// Catches blocks and bytes that run into each other, and drops of kernels that are taken for those of the record.
    #[test]
    fn operations_of_kernels_are_read_as_they_were_written() {
        let (recorder, words) = recorder(2, 4);
        let word = Some(Subject::Word(1, 64));
        recorder.in_kernel(KernelOperation::PutTask, (u64::MAX, Some(1), word), (100, 250), (u16::MAX, 31));
        recorder.in_kernel(KernelOperation::Put, (0, None, None), (300, 300), (0, 0));
        recorder.kernels_recorded(5, 700);
        let record = read(words);
        let all: Vec<_> = record.events().map(|event| event.expect("memory can be read")).collect();
        let most = (1 << KERNEL_BYTES_BITS) - 1;
        let first = Of::InKernel(KernelOperation::PutTask, u16::MAX, 31);
        assert_eq!((all[0].of, all[0].bytes, all[0].pe, all[0].subject, all[0].ns), (first, most, Some(1), word, 150));
        assert_eq!((all[1].of, all[1].bytes, all[1].pe), (Of::InKernel(KernelOperation::Put, 0, 0), 0, None));
        assert_eq!((all.len(), record.dropped(), record.kernels_error()), (2, 5, Some(700)));
    }

    /// A new record, and its memory.
    pub(crate) fn recorder(peers: usize, slots: usize) -> (Recorder<'static>, &'static [AtomicU64]) {
        let layout = Layout { cells: (4 * peers).next_power_of_two(), slots };
        let words: &[AtomicU64] = (0..layout.words()).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak();
        (Recorder::new(words, layout).expect("it has room"), words)
    }

    pub(crate) fn bytes(words: &[AtomicU64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect()
    }

    pub(crate) fn read(words: &[AtomicU64]) -> Record<'static> {
        Record::new(bytes(words)).expect("it is a record")
    }

    fn events(record: &Record) -> Vec<Event> {
        record.events().map(|event| event.expect("memory can be read")).collect()
    }

    /// Says how much was read at a time.
    struct Watched(Vec<u8>, std::rc::Rc<std::cell::Cell<usize>>);

    impl Source for Watched {
        fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
            self.1.set(self.1.get().max(bytes.len()));
            self.0.read(at, bytes)
        }
    }

    /// Catches a reader that has all events of a PE in memory at a time.
    #[test]
    fn events_are_read_in_parts() {
        let (recorder, words) = recorder(1, 50_000);
        let number = 70_000;
        for number in 0..number {
            recorder.operation((Operation::Get, Way::Mapped), number, (Some(0), None), (number, number), 0);
        }
        let most = std::rc::Rc::default();
        let record = Record::new(Watched(bytes(words), std::rc::Rc::clone(&most))).expect("it is a record");
        assert!(events(&record).iter().map(|event| event.bytes).eq(20_000..number));
        assert!(most.get() <= EVENTS_AT_ONCE * PER_EVENT * 8, "{} bytes at once", most.get());
    }

    #[test]
    fn what_was_written_is_read() {
        let (recorder, words) = recorder(3, 8);
        let word = Subject::Word(0, 4096);
        recorder.begin(77, 1_000);
        assert_eq!((recorder.track("main"), recorder.track("cushmem-proxy")), (0, 1));
        recorder.operation((Operation::Put, Way::Nic), 64, (Some(2), Some(word)), (2_000, 2_500), 0);
        recorder.operation((Operation::Put, Way::Mapped), 8, (Some(1), None), (3_000, 3_100), 0);
        recorder.operation((Operation::Barrier, Way::None), 0, (None, Some(Subject::Stream(9))), (4_000, 9_000), 1);
        recorder.wait(Cause::Peers, Some((word, 16)), (4_100, 8_900), 1);
        recorder.set(Extra::Stalls, 5);
        recorder.end(10_000);
        assert_eq!(recorder.counts(Operation::Put, None), Count { operations: 2, bytes: 72, ns: 600 });
        assert_eq!(recorder.counts(Operation::Put, Some(Way::Nic)), Count { operations: 1, bytes: 64, ns: 500 });
        let record = read(words);
        let counters = Record::new(&bytes(words)[record.used_by_counters()]).map(|record| {
            let errors = record.events().filter(Result::is_err).count();
            (record.counts().count(), record.on_peers().count(), errors)
        });
        assert_eq!(counters, Some((3, 2, 1)), "its start, without the events");
        assert_eq!((record.process(), record.begun(), record.ended()), (Some(77), Some(1_000), Some(10_000)));
        assert_eq!(record.counts().count(), 3);
        let put = |pe, way, bytes, ns| (pe, Operation::Put, way, Count { operations: 1, bytes, ns });
        let on_peers = [put(2, Way::Nic, 64, 500), put(1, Way::Mapped, 8, 100)];
        assert_eq!(record.on_peers().collect::<Vec<_>>(), on_peers);
        assert_eq!(record.peers(), BTreeMap::from([(1, on_peers[1].3), (2, on_peers[0].3)]));
        assert_eq!(recorder.counts_on(1, Operation::Put, None), on_peers[1].3);
        assert_eq!(recorder.counts_on(1, Operation::Put, Some(Way::Nic)), Count::default());
        assert_eq!(record.extras().collect::<Vec<_>>(), [(Extra::Stalls, 5)]);
        assert_eq!(record.tracks().collect::<Vec<_>>(), [(0, "main".into()), (1, "cushmem-proxy".into())]);
        let (cause, waited) = record.waits().next().expect("one wait");
        assert_eq!((cause, waited, recorder.waited(cause)), (Cause::Peers, waited, waited));
        assert_eq!((waited.waits, waited.ns, waited.buckets[1]), (1, 4_800, 1));
        let events = events(&record);
        assert_eq!(events.len(), 4);
        let of = Of::Operation(Operation::Put, Way::Nic);
        assert_eq!(
            events[0],
            Event { of, track: 0, from: 2_000, ns: 500, bytes: 64, pe: Some(2), kernel: 0, subject: Some(word) }
        );
        assert_eq!([events[1].subject, events[2].subject], [None, Some(Subject::Stream(9))]);
        let of = Of::Wait(cause);
        let wait = Event { of, track: 1, from: 4_100, ns: 4_800, bytes: 16, pe: None, kernel: 0, subject: Some(word) };
        assert_eq!(events[3], wait);
    }

    /// Catches a ring that loses the latest events, or that does not say how many it has lost.
    #[test]
    fn the_latest_events_are_kept_and_the_others_counted() {
        let (recorder, words) = recorder(1, 4);
        for number in 0..10 {
            recorder.operation((Operation::Get, Way::Mapped), number, (Some(0), None), (number, number), 0);
        }
        let record = read(words);
        assert_eq!(record.dropped(), 6);
        assert_eq!(events(&record).iter().map(|event| event.bytes).collect::<Vec<_>>(), [6, 7, 8, 9]);
        assert_eq!(record.counts().next().map(|(.., count)| count.operations), Some(10), "all are counted");
        // A PE was killed between its claim and the number of the event.
        words[AT_EVENTS].fetch_add(1, Ordering::Relaxed);
        assert_eq!(events(&read(words)).iter().map(|event| event.bytes).collect::<Vec<_>>(), [7, 8, 9]);
    }

    /// Catches a name that a PE was writing when it was killed, numbers without a name, and a reader that believes a
    /// damaged number of names.
    #[test]
    fn names_of_kernels_survive_kills_and_damage() {
        let (recorder, words) = recorder(1, 8);
        ["first", "second", "first"].iter().for_each(|name| recorder.launch((1, Some(name)), (1, 2), 0));
        recorder.launch((1, None), (1, 2), 0);
        recorder.kernel((1, Some("second")), (1, 2), None, 0);
        let record = read(words);
        assert_eq!(record.kernels().expect("memory can be read"), ["first", "second"]);
        assert_eq!(events(&record).iter().map(|event| event.kernel).collect::<Vec<_>>(), [1, 2, 1, 0, 2]);
        assert_eq!(record.counts().next().map(|(of, _, count)| (of, count.operations)), Some((Operation::Launch, 4)));
        // It is sent with the events, and nothing else is.
        let (names, sent) = (record.layout().names() * 8, record.used_by_events());
        assert_eq!(sent, names..record.layout().events() * 8 + 5 * EVENT_BYTES);
        // The first word of the next name.
        words[record.layout().names() + 2 * PER_NAME].store(u64::MAX, Ordering::Relaxed);
        assert_eq!(read(words).kernels().expect("memory can be read").len(), 2);
        words[AT_NAMES].store(u64::MAX, Ordering::Relaxed);
        let all = read(words).kernels().expect("memory can be read");
        assert_eq!(
            (all.len(), &*all[1], &*all[2], &*all[3]),
            (MOST_NAMES, "second", "\u{fffd}".repeat(8).as_str(), "")
        );
        recorder.launch((1, Some("third")), (1, 2), 0);
        assert_eq!(events(&read(words)).last().map(|event| event.kernel), Some(0), "there is no entry left");
        // Without events there are no names.
        let (recorder, words) = self::recorder(1, 0);
        recorder.launch((1, Some("first")), (1, 2), 0);
        assert!(read(words).kernels().expect("memory can be read").is_empty());
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
        assert!(record.kernels().is_ok_and(|names| names.len() <= MOST_NAMES));
        assert!(Record::new([0; 64]).is_none() && Record::new([]).is_none());
        let cut: Vec<u8> = Layout { cells: 1, slots: 1 }.head().iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(Record::new(cut).is_none(), "it is too short");
    }
}

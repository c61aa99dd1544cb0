//! The memory of a record, as the PE writes it.

use crate::counts::{BUCKETS, Count, Waited};
use crate::functions::{Functions, MOST_NAMES, PER_NAME, packed};
use crate::names::{Cause, Extra, Operation, Subject, Transfer, Way};
use crate::peers::{self, Peers, cells_for, words_of};
use cushmem_abi::KernelOperation;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Changes with the layout.
pub(crate) const MAGIC: u64 = 0x6375_7368_7265_6308;
/// The words at the start.
pub(crate) const AT_MAGIC: usize = 0;
pub(crate) const AT_CELLS: usize = 1;
pub(crate) const AT_SLOTS: usize = 2;
pub(crate) const AT_PROCESS: usize = 3;
pub(crate) const AT_BEGUN: usize = 4;
pub(crate) const AT_ENDED: usize = 5;
pub(crate) const AT_EVENTS: usize = 6;
pub(crate) const AT_TRACKS: usize = 7;
pub(crate) const AT_EMULATED: usize = 8;
pub(crate) const AT_KERNELS_DROPPED: usize = 9;
pub(crate) const AT_KERNELS_ERROR: usize = 10;
/// Cells of peers that are in use.
pub(crate) const AT_USED: usize = 11;
/// Operations on peers for which there was no cell.
pub(crate) const AT_LEFT: usize = 12;
/// Names of kernels.
pub(crate) const AT_NAMES: usize = 13;
const HEAD: usize = 16;
/// Operations, bytes, nanoseconds.
pub(crate) const PER_CELL: usize = 3;
/// Waits, nanoseconds, buckets.
pub(crate) const PER_CAUSE: usize = 2 + BUCKETS;
/// The most threads of a PE that have tracks of their own.
pub const MOST_TRACKS: usize = 64;
/// The name of a track has up to 32 bytes.
pub(crate) const PER_TRACK: usize = 4;
pub(crate) const PER_EVENT: usize = 5;
/// The size of an event.
pub const EVENT_BYTES: usize = PER_EVENT * 8;
/// Stands for a PE where there is none.
pub(crate) const NO_PE: u32 = u32::MAX;
/// Added to the number of a cause, in events.
pub(crate) const WAITS: u8 = 0x80;
/// The kind of an event that says how long a kernel took.
pub(crate) const KERNEL: u8 = 0x7f;
/// Added to the number of a transfer of the network, in events.
pub(crate) const NETWORK: u8 = 0x70;
/// Added to the number of an operation in a kernel, in events.
pub(crate) const IN_KERNEL: u8 = 0x50;
const _: () = assert!(Operation::ALL.len() <= IN_KERNEL as usize);
const _: () = assert!(IN_KERNEL as usize + KernelOperation::ALL.len() <= NETWORK as usize);
/// Bits of the bytes of an operation in a kernel; its block and warp are above them.
pub(crate) const KERNEL_BYTES_BITS: u32 = 40;
const MOST_NS: u64 = (1 << 40) - 1;

/// Where things are in a record, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of cells for what is counted of each peer, a power of two or 0.
    pub cells: usize,
    /// The number of slots for events; 0 without a timeline.
    pub slots: usize,
}

impl Layout {
    pub(crate) const CELLS: usize = HEAD;
    pub(crate) const CAUSES: usize = Self::CELLS + Operation::ALL.len() * Way::ALL.len() * PER_CELL;
    pub(crate) const EXTRAS: usize = Self::CAUSES + Cause::ALL.len() * PER_CAUSE;
    pub(crate) const TRACKS: usize = Self::EXTRAS + Extra::ALL.len();
    pub(crate) const PEERS: usize = Self::TRACKS + MOST_TRACKS * PER_TRACK;

    /// That of a job with this number of PEs, and with so many slots.
    pub fn of_job(n_pes: u32, slots: usize) -> Self {
        Self { cells: cells_for(n_pes), slots }
    }

    /// Where the names of kernels begin.
    pub(crate) fn names(&self) -> usize {
        Self::PEERS + words_of(self.cells)
    }

    /// Where the events begin, behind the names.
    pub(crate) fn events(&self) -> usize {
        self.names() + if self.slots > 0 { MOST_NAMES * PER_NAME } else { 0 }
    }

    /// The end of the counters, of which so many cells are in use.
    pub(crate) fn counters(&self, used: u64) -> usize {
        Self::PEERS + usize::try_from(used).unwrap_or(usize::MAX).min(self.cells) * peers::PER_CELL
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.events() + self.slots * PER_EVENT
    }

    /// The number of bytes, a multiple of the size of a page.
    pub fn bytes(&self) -> usize {
        (self.words() * 8).next_multiple_of(1 << 16)
    }

    /// The words at the start of a new record; the others are 0.
    pub fn head(&self) -> [u64; 3] {
        [MAGIC, self.cells as u64, self.slots as u64]
    }

    /// That of a record which begins with these words.
    pub fn of_head(head: [u64; 3]) -> Option<Self> {
        let [magic, cells, slots] = head;
        let layout = Self { cells: usize::try_from(cells).ok()?, slots: usize::try_from(slots).ok()? };
        let has_cells = layout.cells == 0 || layout.cells.is_power_of_two() && layout.cells <= peers::MOST_CELLS;
        (magic == MAGIC && has_cells && layout.slots <= 1 << 28).then_some(layout)
    }

    pub(crate) fn cell(operation: Operation, way: Way) -> usize {
        Self::CELLS + (operation as usize * Way::ALL.len() + way as usize) * PER_CELL
    }
}

/// The bucket of a wait.
fn bucket(ns: u64) -> usize {
    let mut limit = 1_000;
    (0..BUCKETS - 1)
        .find(|_| {
            let is_below = ns < limit;
            limit *= 10;
            is_below
        })
        .unwrap_or(BUCKETS - 1)
}

/// The record of this PE. Any thread may use it.
#[derive(Debug)]
pub struct Recorder<'a> {
    words: &'a [AtomicU64],
    layout: Layout,
    /// Held by a thread that adds the name of a kernel.
    adding: Mutex<()>,
}

impl<'a> Recorder<'a> {
    /// That in this memory, which is 0 or begins with a [`Layout::head`]. Fails if it is something else, or too small.
    pub fn new(words: &'a [AtomicU64], layout: Layout) -> Option<Self> {
        // Relaxed, as everywhere here except for the number of an event: each word stands alone.
        let head =
            [AT_MAGIC, AT_CELLS, AT_SLOTS].map(|at| words.get(at).map_or(0, |word| word.load(Ordering::Relaxed)));
        if head == [0; 3] && words.len() >= HEAD {
            for (word, value) in words.iter().zip(layout.head()) {
                word.store(value, Ordering::Relaxed);
            }
        } else if Layout::of_head(head) != Some(layout) {
            return None;
        }
        (words.len() >= layout.words()).then(|| Self { words, layout, adding: Mutex::default() })
    }

    /// This process has joined a job. It may join several, one after the other.
    pub fn begin(&self, process: u32, now: u64) {
        self.words[AT_PROCESS].store(process.into(), Ordering::Relaxed);
        // The first one counts.
        let _ = self.words[AT_BEGUN].compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed);
        self.words[AT_ENDED].store(0, Ordering::Relaxed);
    }

    /// Its GPU is emulated, so times of kernels say nothing about a real one.
    pub fn note_emulated(&self) {
        self.words[AT_EMULATED].store(1, Ordering::Relaxed);
    }

    /// It leaves the job.
    pub fn end(&self, now: u64) {
        self.words[AT_ENDED].store(now, Ordering::Relaxed);
    }

    /// A track for a thread with this name. If there are no more, the last one.
    pub fn track(&self, name: &str) -> u8 {
        let number = self.words[AT_TRACKS].fetch_add(1, Ordering::Relaxed) as usize;
        if number < MOST_TRACKS - 1 { self.name_track(number, name) } else { self.last_track() }
    }

    /// The track of threads that have none of their own.
    pub fn last_track(&self) -> u8 {
        self.name_track(MOST_TRACKS - 1, "other threads")
    }

    fn name_track(&self, number: usize, name: &str) -> u8 {
        let name: [u64; PER_TRACK] = packed(name);
        for (word, of) in self.words[Layout::TRACKS + number * PER_TRACK..].iter().zip(name) {
            word.store(of, Ordering::Relaxed);
        }
        number as u8
    }

    /// An operation on a PE and on something, if there are these, from one time to another, in nanoseconds of the
    /// monotonic clock.
    pub fn operation(
        &self,
        (operation, way): (Operation, Way),
        bytes: u64,
        (pe, subject): (Option<u32>, Option<Subject>),
        at: (u64, u64),
        track: u8,
    ) {
        let more = [1, bytes, at.1.saturating_sub(at.0)];
        let on_peer = pe.and_then(|pe| self.peers().cell(pe, operation, way));
        if pe.is_some() && on_peer.is_none() {
            self.add(AT_LEFT, 1);
        }
        let counts = on_peer.unwrap_or_else(|| &self.words[Layout::cell(operation, way)..]);
        for (word, more) in counts.iter().zip(more) {
            word.fetch_add(more, Ordering::Relaxed);
        }
        self.event((operation as u8, way as u8, track), (bytes, subject), pe.unwrap_or(NO_PE), at);
    }

    fn peers(&self) -> Peers<'_> {
        Peers::new(&self.words[Layout::PEERS..self.layout.names()], &self.words[AT_USED])
    }

    /// A wait, and the words that it was for: the first one, and the bytes of all.
    pub fn wait(&self, cause: Cause, words: Option<(Subject, u64)>, at: (u64, u64), track: u8) {
        let ns = at.1.saturating_sub(at.0);
        let first = Layout::CAUSES + cause as usize * PER_CAUSE;
        self.add(first, 1);
        self.add(first + 1, ns);
        self.add(first + 2 + bucket(ns), 1);
        let (subject, bytes) = words.unzip();
        self.event((WAITS + cause as u8, 0, track), (bytes.unwrap_or(0), subject), NO_PE, at);
    }

    /// A stream that waits for another one from now on.
    pub fn wait_for(&self, (stream, other): (u64, u64), at: (u64, u64), track: u8) {
        self.add_call(Operation::StreamWaitFor, at);
        let what = (Operation::StreamWaitFor as u8, Way::None as u8, track);
        self.event(what, (other, Some(Subject::Stream(stream))), NO_PE, at);
    }

    /// A launch on a stream: of a kernel with this name, or of something that has none.
    pub fn launch(&self, (stream, kernel): (u64, Option<&str>), at: (u64, u64), track: u8) {
        self.add_call(Operation::Launch, at);
        // It has no way; the number of the name is in its place.
        let what = (Operation::Launch as u8, self.function(kernel), track);
        self.event(what, (0, Some(Subject::Stream(stream))), NO_PE, at);
    }

    /// How long a kernel took that was launched on a stream by a call which began at this time, its name, its blocks,
    /// and how many like them fit on the GPU together, if these are known. It is not counted.
    pub fn kernel(
        &self,
        (stream, kernel): (u64, Option<&str>),
        (from, ns): (u64, u64),
        blocks: Option<(u64, u32)>,
        track: u8,
    ) {
        let (blocks, fit) = blocks.unwrap_or((0, NO_PE));
        let at = (from, from.saturating_add(ns));
        self.event((KERNEL, self.function(kernel), track), (blocks, Some(Subject::Stream(stream))), fit, at);
    }

    /// The number of a kernel's name.
    fn function(&self, name: Option<&str>) -> u8 {
        let words = &self.words[self.layout.names()..self.layout.events()];
        name.map_or(0, |name| Functions::new(words, &self.words[AT_NAMES], &self.adding).number(name))
    }

    /// Counts a call without bytes that is on no PE.
    fn add_call(&self, operation: Operation, (from, until): (u64, u64)) {
        let cell = Layout::cell(operation, Way::None);
        self.add(cell, 1);
        self.add(cell + 2, until.saturating_sub(from));
    }

    /// What the network has done for this PE, from the posting to the completion. It is not counted.
    pub fn network(&self, transfer: Transfer, bytes: u64, pe: u32, at: (u64, u64)) {
        self.event((NETWORK + transfer as u8, 0, 0), (bytes, None), pe, at);
    }

    /// An operation in a kernel, with its bytes, PE and word, by a block and a warp of it. It is not counted.
    pub fn in_kernel(
        &self,
        operation: KernelOperation,
        (bytes, pe, word): (u64, Option<u32>, Option<Subject>),
        at: (u64, u64),
        (block, warp): (u16, u8),
    ) {
        let by = u64::from(block) << 8 | u64::from(warp);
        let bytes = bytes.min((1 << KERNEL_BYTES_BITS) - 1) | by << KERNEL_BYTES_BITS;
        self.event((IN_KERNEL + operation as u8, 0, 0), (bytes, word), pe.unwrap_or(NO_PE), at);
    }

    /// How many operations in kernels are not there any more, and by how many nanoseconds the times of the others may
    /// be wrong.
    pub fn kernels_recorded(&self, dropped: u64, error: u64) {
        // Of all jobs of the process.
        self.words[AT_KERNELS_DROPPED].fetch_add(dropped, Ordering::Relaxed);
        self.words[AT_KERNELS_ERROR].fetch_max(error, Ordering::Relaxed);
    }

    /// How many events there is room for.
    pub fn slots(&self) -> usize {
        self.layout.slots
    }

    /// Whether there is a timeline.
    pub fn keeps_events(&self) -> bool {
        self.layout.slots > 0
    }

    /// Sets another count.
    pub fn set(&self, extra: Extra, value: u64) {
        self.words[Layout::EXTRAS + extra as usize].store(value, Ordering::Relaxed);
    }

    /// Adds to another count.
    pub fn count(&self, extra: Extra, more: u64) {
        self.add(Layout::EXTRAS + extra as usize, more);
    }

    fn add(&self, at: usize, more: u64) {
        self.words[at].fetch_add(more, Ordering::Relaxed);
    }

    fn event(
        &self,
        (what, way, track): (u8, u8, u8),
        (bytes, subject): (u64, Option<Subject>),
        pe: u32,
        (from, until): (u64, u64),
    ) {
        if self.layout.slots == 0 {
            return;
        }
        let number = self.words[AT_EVENTS].fetch_add(1, Ordering::Relaxed);
        let slot = (number % self.layout.slots as u64) as usize;
        let at = self.layout.events() + slot * PER_EVENT;
        let duration = until.saturating_sub(from).min(MOST_NS);
        let kinds = u64::from_le_bytes([what, way, track, 0, 0, 0, 0, 0]);
        for (word, value) in
            self.words[at..].iter().zip([from, duration << 24 | kinds, bytes, subject.map_or(0, Subject::bits)])
        {
            word.store(value, Ordering::Relaxed);
        }
        // SYNC(record-event) release: whoever reads the number of the event reads the event.
        let last = u64::from(pe) << 32 | (number + 1) & u64::from(u32::MAX);
        self.words[at + PER_EVENT - 1].store(last, Ordering::Release);
    }

    /// The words of the counters.
    pub(crate) fn counters(&self) -> &[AtomicU64] {
        &self.words[..self.layout.counters(self.words[AT_USED].load(Ordering::Relaxed))]
    }

    /// What was counted of an operation, in one way or in all.
    pub fn counts(&self, operation: Operation, way: Option<Way>) -> Count {
        let ways = Way::ALL.iter().filter(|one| way.is_none_or(|way| way == **one));
        let on_none = ways.map(|way| peers::count(&self.words[Layout::cell(operation, *way)..]));
        let peers = self.peers();
        let on_peers = peers.all().filter(|(_, of, by, _)| *of == operation && way.is_none_or(|way| way == *by));
        on_none.chain(on_peers.map(|(.., count)| count)).fold(Count::default(), Count::plus)
    }

    /// What was counted of an operation on a PE, in one way or in all.
    pub fn counts_on(&self, pe: u32, operation: Operation, way: Option<Way>) -> Count {
        let ways = Way::ALL.iter().filter(|one| way.is_none_or(|way| way == **one));
        ways.fold(Count::default(), |sum, way| sum.plus(self.peers().counted(pe, operation, *way)))
    }

    /// Another count.
    pub fn extra(&self, extra: Extra) -> u64 {
        self.words[Layout::EXTRAS + extra as usize].load(Ordering::Relaxed)
    }

    /// What was counted of waits.
    pub fn waited(&self, cause: Cause) -> Waited {
        let first = Layout::CAUSES + cause as usize * PER_CAUSE;
        let word = |at: usize| self.words[first + at].load(Ordering::Relaxed);
        Waited { waits: word(0), ns: word(1), buckets: std::array::from_fn(|bucket| word(2 + bucket)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_fall_into_buckets() {
        for (ns, expected) in
            [(0, 0), (999, 0), (1_000, 1), (9_999, 1), (10_000, 2), (999_999_999, 6), (1_000_000_000, 7), (u64::MAX, 7)]
        {
            assert_eq!(bucket(ns), expected, "{ns} ns");
        }
    }

    #[test]
    fn a_head_that_is_not_one_is_refused() {
        let layout = Layout { cells: 2, slots: 4 };
        assert_eq!(Layout::of_head(layout.head()), Some(layout));
        assert_eq!(Layout::of_head([MAGIC, 3, 4]), None);
        assert_eq!(Layout::of_head([MAGIC + 1, 2, 4]), None);
        assert_eq!(Layout::of_head([MAGIC, u64::MAX, 4]), None);
        let words = |n| -> &'static [AtomicU64] { (0..n).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak() };
        assert!(Recorder::new(words(layout.words()), layout).is_some());
        assert!(Recorder::new(words(layout.words() - 1), layout).is_none(), "it is too small");
        let others = words(layout.words());
        others[0].store(7, Ordering::Relaxed);
        assert!(Recorder::new(others, layout).is_none(), "it is something else");
    }
}

//! What a PE has counted for each other PE, by operation and way.
//!
//! *Layout.* There is a cell for each PE, operation and way that has occurred, in the order in which they did:
//!
//! ```text
//!   cells:   name │ operations │ bytes │ ns      as many as the head says are in use
//!   index:   a hash table, in which names lead to cells; only the PE itself reads it
//! ```
//!
//! A *name* is a PE, an operation, a way and the number of the cell, and is never 0. Pages of both parts are in memory
//! only where something was stored, and the names of one PE lie side by side in the index, so memory grows with the PEs
//! on which this one has worked.
//!
//! What is counted here is not counted elsewhere, so the total of an operation is the sum of its cells, and of what was
//! on no PE or found no cell.
//!
//! *Writing.* Any thread adds to a cell that it finds by the index: a load and a comparison, usually. A thread that
//! finds none takes the next cell, stores the name there, and then exchanges it for the 0 in the index. If another
//! thread has stored the same name first, its cell counts, and the one that was taken stays empty. Nothing is ever
//! removed, so an entry of the index that was found stays right, and all stores may be relaxed: each word stands alone.
//! A reader leaves out cells without a name or without operations.

use crate::counts::Count;
use crate::names::{Operation, Way};
use std::sync::atomic::{AtomicU64, Ordering};

/// A name, operations, bytes, nanoseconds.
pub(crate) const PER_CELL: usize = 4;
/// The most cells: 1.5 MiB, and half as much for the index.
pub(crate) const MOST_CELLS: usize = 1 << 16;
/// How many cells there are for each PE of a small job, which is more than the names that a PE can have.
const FOR_EACH: usize = 64;
/// Entries of the index for each cell.
const ENTRIES: usize = 2;
/// The entries in which the names of a PE are looked for first.
const GROUP: usize = 16;

const CELL_BITS: u32 = 22;
const WAY_BITS: u32 = 4;
const OPERATION_BITS: u32 = 6;
const _: () = assert!(MOST_CELLS < 1 << CELL_BITS);
const _: () = assert!(Way::ALL.len() <= 1 << WAY_BITS && Operation::ALL.len() <= 1 << OPERATION_BITS);
const _: () = assert!(CELL_BITS + WAY_BITS + OPERATION_BITS == 32);

/// The number of cells for a job with this number of PEs: a power of two.
pub(crate) fn cells_for(n_pes: u32) -> usize {
    (n_pes as usize).saturating_mul(FOR_EACH).next_power_of_two().min(MOST_CELLS)
}

/// The number of words of so many cells and their index.
pub(crate) fn words_of(cells: usize) -> usize {
    cells * (PER_CELL + ENTRIES)
}

/// A PE, an operation and a way, above the bits of a cell.
fn key(pe: u32, operation: Operation, way: Way) -> u64 {
    u64::from(pe) << 32 | (operation as u64) << (CELL_BITS + WAY_BITS) | (way as u64) << CELL_BITS
}

/// The cells and their index.
pub(crate) struct Peers<'a> {
    cells: &'a [AtomicU64],
    index: &'a [AtomicU64],
    used: &'a AtomicU64,
}

impl<'a> Peers<'a> {
    /// Those in these words, of which so many are `used`.
    pub(crate) fn new(words: &'a [AtomicU64], used: &'a AtomicU64) -> Self {
        let (cells, index) = words.split_at(words.len() / (PER_CELL + ENTRIES) * PER_CELL);
        Self { cells, index, used }
    }

    /// The counts of a name; those of the next cell if it has none yet. None if all cells are in use.
    #[inline]
    pub(crate) fn cell(&self, pe: u32, operation: Operation, way: Way) -> Option<&'a [AtomicU64]> {
        match self.find(key(pe, operation, way)) {
            Ok(counts) => Some(counts),
            Err(free) => self.take(key(pe, operation, way), free?),
        }
    }

    /// What was counted under a name.
    pub(crate) fn counted(&self, pe: u32, operation: Operation, way: Way) -> Count {
        self.find(key(pe, operation, way)).map_or_else(|_| Count::default(), count)
    }

    /// All that was counted.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, Operation, Way, Count)> {
        // Relaxed: each word stands alone.
        let used = self.used.load(Ordering::Relaxed);
        let cells = self.cells.chunks_exact(PER_CELL).take(used as usize);
        cells.filter_map(|cell| read_cell(&[0, 1, 2, 3].map(|at: usize| cell[at].load(Ordering::Relaxed))))
    }

    /// The counts of a key, or else the entry of the index where its name belongs, if there is one.
    #[inline]
    fn find(&self, key: u64) -> Result<&'a [AtomicU64], Option<usize>> {
        if self.index.is_empty() {
            return Err(None);
        }
        // Its length is a power of two.
        let (mask, group) = (self.index.len() - 1, (key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
        // Those of a PE begin at different entries of its group.
        let [way, operation] = [CELL_BITS, CELL_BITS + WAY_BITS].map(|shift| (key >> shift) as usize);
        let first = group as usize * GROUP + (way ^ operation) % GROUP;
        for step in 0..self.index.len() {
            let at = (first + step) & mask;
            // Relaxed: names are never changed, and what they lead to stands alone.
            let name = self.index[at].load(Ordering::Relaxed);
            if name == 0 {
                return Err(Some(at));
            }
            if name >> CELL_BITS == key >> CELL_BITS
                && let Some(counts) = self.counts_of(name)
            {
                return Ok(counts);
            }
        }
        Err(None)
    }

    /// The counts in the cell of a name, behind which nothing else is.
    #[inline]
    fn counts_of(&self, name: u64) -> Option<&'a [AtomicU64]> {
        let number = (name & ((1 << CELL_BITS) - 1)) as usize;
        self.cells.chunks_exact(PER_CELL).nth(number.checked_sub(1)?)?.get(1..)
    }

    /// Takes the next cell for a key, whose name belongs into this entry of the index or into one behind it.
    #[cold]
    #[inline(never)]
    fn take(&self, key: u64, mut entry: usize) -> Option<&'a [AtomicU64]> {
        // Relaxed, as everything here: each word stands alone.
        if self.used.load(Ordering::Relaxed) >= (self.cells.len() / PER_CELL) as u64 {
            return None;
        }
        let name = key | (self.used.fetch_add(1, Ordering::Relaxed) + 1);
        let counts = self.counts_of(name)?;
        self.cells[(name as usize & ((1 << CELL_BITS) - 1)) * PER_CELL - PER_CELL].store(name, Ordering::Relaxed);
        while self.index[entry].compare_exchange(0, name, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            match self.find(key) {
                Ok(others) => return Some(others),
                Err(next) => entry = next?,
            }
        }
        Some(counts)
    }
}

/// The counts in these words.
pub(crate) fn count(words: &[AtomicU64]) -> Count {
    // Relaxed: each word stands alone.
    let [operations, bytes, ns] = [0, 1, 2].map(|at: usize| words[at].load(Ordering::Relaxed));
    Count { operations, bytes, ns }
}

/// What a cell with these words has counted, unless it is empty or damaged.
pub(crate) fn read_cell(words: &[u64]) -> Option<(u32, Operation, Way, Count)> {
    let &[name, operations, bytes, ns] = words else { return None };
    let field = |from: u32, bits: u32| (name >> from & ((1 << bits) - 1)) as u8;
    let operation = Operation::of_number(field(CELL_BITS + WAY_BITS, OPERATION_BITS))?;
    let way = Way::of_number(field(CELL_BITS, WAY_BITS))?;
    (name != 0 && operations > 0).then_some(((name >> 32) as u32, operation, way, Count { operations, bytes, ns }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(cells: usize) -> Vec<AtomicU64> {
        (0..words_of(cells)).map(|_| AtomicU64::new(0)).collect()
    }

    fn add(peers: &Peers, pe: u32, operation: Operation, way: Way) -> bool {
        let Some(cell) = peers.cell(pe, operation, way) else { return false };
        cell[0].fetch_add(1, Ordering::Relaxed);
        true
    }

    /// Catches names that share a cell, also where they collide in the index, and threads whose counts are lost.
    #[test]
    fn each_name_has_one_cell_whichever_threads_come_first() {
        let (words, used) = (words(1024), AtomicU64::new(0));
        let peers = Peers::new(&words, &used);
        let ways = [Way::Mapped, Way::Nic, Way::None];
        let names = || (0..60).flat_map(|pe| Operation::ALL[..5].iter().flat_map(move |of| ways.map(|w| (pe, *of, w))));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| names().for_each(|(pe, of, way)| assert!(add(&peers, pe * 1_000_003, of, way))));
            }
        });
        for (pe, of, way) in names() {
            assert_eq!(peers.counted(pe * 1_000_003, of, way).operations, 3, "{pe} {of:?} {way:?}");
        }
        let read: Vec<_> = peers.all().collect();
        assert!(read.len() == 900 && read.iter().all(|(.., count)| count.operations == 3), "{}", read.len());
        assert_eq!(peers.counted(7, Operation::Put, Way::Nic), Count::default());
    }

    /// Catches cells that are overwritten, or looked for without an end, when there are no more.
    #[test]
    fn what_finds_no_cell_is_said() {
        let (words, used) = (words(4), AtomicU64::new(0));
        let peers = Peers::new(&words, &used);
        let added: Vec<bool> = (0..6).map(|pe| add(&peers, pe, Operation::Put, Way::None)).collect();
        assert_eq!(added, [true, true, true, true, false, false]);
        assert!(add(&peers, 3, Operation::Put, Way::None) && used.load(Ordering::Relaxed) == 4);
        assert!(!add(&Peers::new(&[], &used), 0, Operation::Put, Way::None));
    }

    /// Catches memory that grows with the job instead of with the PEs that are used: a page for each is the most.
    #[test]
    fn names_of_a_pe_lie_side_by_side() {
        assert_eq!([1, 2, 1024, 1 << 20].map(cells_for), [64, 128, MOST_CELLS, MOST_CELLS]);
        let (words, used) = (words(MOST_CELLS), AtomicU64::new(0));
        let peers = Peers::new(&words, &used);
        for pe in [3, 70_000, 1 << 19] {
            Operation::ALL[..8].iter().for_each(|of| assert!(add(&peers, pe, *of, Way::Nic)));
        }
        let pages = words.chunks(512).filter(|page| page.iter().any(|word| word.load(Ordering::Relaxed) != 0));
        assert!(pages.count() <= 1 + 2 * 3);
    }
}

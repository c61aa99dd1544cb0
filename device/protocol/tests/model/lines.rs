//! Lanes that read and write an array of three lines through a cache of one slot or two. Each line has an element for
//! each lane, which only that lane writes. The bytes in slots and behind them are relaxed words, so a lane
//! may see old ones wherever the protocol does not order it.

use crate::Looks;
use cushmem_protocol::lines::{
    BUSY, CLEAN, Memory, THERE, USED, USERS, VALID, fetched, flush, flushed, forget, hit, pin, unpin, written_back,
    wrote,
};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, Ordering::*};
use loom::thread;

const LANES: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    /// Lanes do not count as users.
    NoPin,
    /// Pinning does not acquire.
    RelaxedPin,
    /// What a lane adds to a state is no release.
    RelaxedAdd,
    /// The states are changed without order.
    RelaxedChange,
    /// Bits of the states are set without order.
    RelaxedSet,
    /// Owners are changed without order.
    RelaxedOwner,
    /// A lane says that it has written before it writes.
    DirtyFirst,
    /// Every line is as if the hand had just come by. That is no mistake, but finds more.
    Unused,
    /// A lane says that a line was written back before it has; [`Mistake::Unused`] too.
    EarlyEnd,
}

type Line = [AtomicU64; LANES];

struct Cache {
    states: Vec<AtomicU64>,
    owners: Vec<AtomicU64>,
    hand: AtomicU32,
    slots: Vec<Line>,
    /// What is behind the cache.
    array: Vec<Line>,
    mistake: Mistake,
}

struct Lane<'a> {
    cache: &'a Cache,
    me: usize,
    looks: Looks,
}

impl Cache {
    fn new(lines: usize, slots: usize, mistake: Mistake) -> Self {
        let words = |n: usize| (0..n).map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
        let line = || std::array::from_fn(|_| AtomicU64::new(0));
        Self {
            states: words(lines),
            owners: words(slots),
            hand: AtomicU32::new(0),
            slots: (0..slots).map(|_| line()).collect(),
            array: (0..lines).map(|_| line()).collect(),
            mistake,
        }
    }

    fn order(&self, of: Mistake, order: Ordering) -> Ordering {
        if self.mistake == of { Relaxed } else { order }
    }
}

impl Memory for Lane<'_> {
    fn slots(&self) -> u32 {
        self.cache.slots.len() as u32
    }
    fn add_user(&self, line: u32) -> u64 {
        let state = &self.cache.states[line as usize];
        let order = self.cache.order(Mistake::RelaxedPin, Acquire);
        state.fetch_add(u64::from(self.cache.mistake != Mistake::NoPin), order)
    }
    // Without order, so that nothing else relies on it. The model does not show the order of loads before it: here no
    // load comes behind what the program has behind it.
    fn remove_user(&self, line: u32, after: u64) {
        if self.cache.mistake != Mistake::NoPin {
            self.cache.states[line as usize].fetch_sub(1 + after, Relaxed);
        }
    }
    fn add(&self, line: u32, n: u64) {
        self.cache.states[line as usize].fetch_add(n, self.cache.order(Mistake::RelaxedAdd, Release));
    }
    fn set(&self, line: u32, bits: u64) {
        self.cache.states[line as usize].fetch_or(bits, self.cache.order(Mistake::RelaxedSet, Release));
    }
    fn state(&self, line: u32) -> u64 {
        let state = &self.cache.states[line as usize];
        if matches!(self.cache.mistake, Mistake::Unused | Mistake::EarlyEnd) {
            return state.fetch_and(!USED, AcqRel) & !USED;
        }
        state.load(self.cache.order(Mistake::RelaxedPin, Acquire))
    }
    fn change(&self, line: u32, expected: u64, new: u64) -> Result<(), u64> {
        let order = |order| self.cache.order(Mistake::RelaxedChange, order);
        self.cache.states[line as usize].compare_exchange(expected, new, order(AcqRel), order(Acquire)).map(drop)
    }
    fn owner(&self, slot: u32) -> u64 {
        self.cache.owners[slot as usize].load(self.cache.order(Mistake::RelaxedOwner, Acquire))
    }
    fn change_owner(&self, slot: u32, expected: u64, new: u64) -> bool {
        let order = self.cache.order(Mistake::RelaxedOwner, AcqRel);
        self.cache.owners[slot as usize].compare_exchange(expected, new, order, Relaxed).is_ok()
    }
    fn next_turn(&self) -> u32 {
        self.cache.hand.fetch_add(1, Relaxed)
    }
    fn pause(&self, _: u32) -> bool {
        self.looks.go_on()
    }
}

fn copy(to: &Line, from: &Line) {
    for (to, from) in to.iter().zip(from) {
        to.store(from.load(Relaxed), Relaxed);
    }
}

impl<'a> Lane<'a> {
    fn of(cache: &'a Cache, me: usize) -> Self {
        Self { cache, me, looks: Looks::new(10) }
    }

    fn write_back(&self, line: u32, slot: u32) {
        copy(&self.cache.array[line as usize], &self.cache.slots[slot as usize]);
    }

    /// Pins a line, with its bytes in a slot. `None` if this lane drops out.
    fn pinned(&self, line: u32) -> Option<&'a Line> {
        if let Some(slot) = hit(self, line) {
            return Some(&self.cache.slots[slot as usize]);
        }
        let pinned = pin(self, line).ok()?;
        let (slot, old) = (pinned.slot(), pinned.what());
        if old != THERE {
            if old != CLEAN && self.cache.mistake == Mistake::EarlyEnd {
                written_back(self, old, slot, line);
                self.write_back(old, slot);
            } else if old != CLEAN {
                self.write_back(old, slot);
                written_back(self, old, slot, line);
            }
            copy(&self.cache.slots[slot as usize], &self.cache.array[line as usize]);
            fetched(self, line, slot);
        }
        Some(&self.cache.slots[slot as usize])
    }

    /// Writes this lane's element of a line. Returns whether it did not drop out.
    fn write(&self, line: u32, value: u64) -> bool {
        let Some(words) = self.pinned(line) else { return false };
        if self.cache.mistake == Mistake::DirtyFirst {
            wrote(self, line);
            words[self.me].store(value, Relaxed);
        } else {
            words[self.me].store(value, Relaxed);
            wrote(self, line);
        }
        unpin(self, line, 0);
        true
    }

    /// Reads this lane's element of a line.
    fn read(&self, line: u32, expected: u64) -> bool {
        let Some(words) = self.pinned(line) else { return false };
        let found = words[self.me].load(Relaxed);
        assert_eq!(found, expected, "lane {} reads something else than it wrote", self.me);
        unpin(self, line, 0);
        true
    }

    fn flush(&self) -> bool {
        (0..self.slots()).all(|slot| {
            let Ok(line) = flush(self, slot) else { return false };
            if let Some(line) = line {
                self.write_back(line, slot);
                flushed(self, line);
            }
            true
        })
    }

    fn forget(&self) -> bool {
        (0..self.slots()).all(|slot| forget(self, slot).is_ok())
    }

    /// Whether this lane's element of a line is behind the cache, as it is after a flush.
    fn finds(&self, line: u32, expected: u64) -> bool {
        let found = self.cache.array[line as usize][self.me].load(Relaxed);
        assert_eq!(found, expected, "lane {}'s flush has not written back its element", self.me);
        true
    }
}

/// Writes its element of its own line, and reads it again behind another line.
fn goes_around(lane: &Lane<'_>) -> bool {
    let (mine, other) = (lane.me as u32 % 2, 1 - lane.me as u32 % 2);
    lane.write(mine, 5) && lane.read(other, 0) && lane.read(mine, 5)
}

/// Reads a line that another lane fetches too.
fn reads(lane: &Lane<'_>) -> bool {
    lane.read(0, 7) && lane.read(1, 7)
}

/// Writes twice, and flushes in between.
fn writes_and_flushes(lane: &Lane<'_>) -> bool {
    lane.write(0, 5) && lane.flush() && lane.finds(0, 5) && lane.write(0, 6)
}

/// Flushes what the other lane may be writing back, because it needs the slot.
fn flushes_what_leaves(lane: &Lane<'_>) -> bool {
    if lane.me == 0 { lane.write(0, 5) && lane.flush() && lane.finds(0, 5) } else { lane.read(1, 0) }
}

/// Forgets what it has learned to be old, and reads it again, while the other lane may be fetching it.
fn forgets_what_comes(lane: &Lane<'_>) -> bool {
    if lane.me > 0 {
        return lane.pinned(0).inspect(|_| unpin(lane, 0, 0)).is_some();
    }
    // As if another PE had written it.
    lane.cache.array[0][0].store(8, Relaxed);
    lane.forget() && lane.read(0, 8)
}

/// Writes while the other one flushes.
fn flushes(lane: &Lane<'_>) -> bool {
    if lane.me == 0 { lane.write(0, 5) && lane.write(0, 6) } else { lane.flush() }
}

/// Forgets what is clean while the others write.
fn forgets(lane: &Lane<'_>) -> bool {
    lane.write(0, 5) && lane.forget() && lane.read(0, 5)
}

/// Reads its element again while the other one needs the slot.
fn passes(lane: &Lane<'_>) -> bool {
    if lane.me == 0 { lane.write(0, 5) && lane.read(0, 5) } else { lane.read(1, 0) && lane.read(2, 0) }
}

/// What a lane does, and what its elements of the lines are at the end.
type Script = (fn(&Lane<'_>) -> bool, fn(usize, usize) -> u64);

const AROUND: Script = (goes_around, |line, lane| if line == lane % 2 { 5 } else { 0 });
const READS: Script = (reads, |_, _| 7);
const PASSES: Script = (passes, |line, lane| if line == 0 && lane == 0 { 5 } else { 0 });
const FLUSHES_BOTH: Script = (writes_and_flushes, |line, _| if line == 0 { 6 } else { 0 });
const FLUSHES: Script = (flushes, |line, lane| if line == 0 && lane == 0 { 6 } else { 0 });
const LEAVES: Script = (flushes_what_leaves, |line, lane| if line == 0 && lane == 0 { 5 } else { 0 });
const COMES: Script = (forgets_what_comes, |line, lane| if line == 0 && lane == 0 { 8 } else { 0 });
const FORGETS: Script = (forgets, |line, _| if line == 0 { 5 } else { 0 });

fn expect(lanes: usize, slots: usize, preemptions: usize, (script, after): Script, mistake: Mistake) {
    crate::explore(preemptions, move || {
        let cache = Cache::new(3, slots, mistake);
        // What was there before.
        let before = if script as usize == reads as usize { 7 } else { 0 };
        cache.array.iter().flatten().for_each(|word| word.store(before, Relaxed));
        let cache = Arc::new(cache);
        let others: Vec<_> = (1..lanes)
            .map(|me| {
                let cache = cache.clone();
                thread::spawn(move || script(&Lane::of(&cache, me)))
            })
            .collect();
        let mut passes = script(&Lane::of(&cache, 0));
        for other in others {
            passes &= other.join().expect("a lane");
        }
        if !passes {
            return false;
        }
        assert!(Lane::of(&cache, 0).flush(), "somebody left a line busy");
        for (number, line) in cache.array.iter().enumerate() {
            for (lane, word) in line.iter().enumerate().take(lanes) {
                assert_eq!(word.load(Relaxed), after(number, lane), "line {number}: lane {lane}'s element was lost");
            }
        }
        let in_slots = cache.states.iter().filter(|state| state.load(Relaxed) & VALID != 0).count();
        assert!(in_slots <= slots, "two lines in one slot");
        assert!(cache.states.iter().all(|state| state.load(Relaxed) & (BUSY | USERS) == 0), "a pin or BUSY stays");
        true
    });
}

#[test]
fn one_slot_for_two_lines() {
    expect(2, 1, 3, AROUND, Mistake::None);
    expect(2, 1, 3, READS, Mistake::None);
}

#[test]
fn two_slots() {
    expect(2, 2, 2, AROUND, Mistake::None);
    expect(2, 2, 3, READS, Mistake::None);
    expect(2, 2, 3, PASSES, Mistake::None);
    expect(2, 2, 3, PASSES, Mistake::Unused);
    expect(3, 2, 2, PASSES, Mistake::Unused);
}

#[test]
fn three_lanes() {
    expect(3, 1, 2, READS, Mistake::None);
    expect(3, 1, 2, AROUND, Mistake::None);
    expect(3, 2, 2, AROUND, Mistake::None);
}

#[test]
fn flushing_while_others_write() {
    expect(2, 1, 3, FLUSHES, Mistake::None);
    expect(2, 1, 2, FLUSHES_BOTH, Mistake::None);
    expect(3, 1, 2, FLUSHES_BOTH, Mistake::None);
    expect(2, 1, 3, LEAVES, Mistake::None);
    expect(2, 1, 3, LEAVES, Mistake::Unused);
    expect(2, 2, 2, LEAVES, Mistake::Unused);
}

#[test]
fn forgetting_while_others_write() {
    expect(2, 1, 3, FORGETS, Mistake::None);
    expect(3, 2, 2, FORGETS, Mistake::None);
}

#[test]
fn forgetting_while_others_fetch() {
    expect(2, 1, 3, COMES, Mistake::None);
    expect(2, 2, 3, COMES, Mistake::None);
    expect(3, 1, 2, COMES, Mistake::Unused);
}

#[test]
#[should_panic(expected = "reads something else")]
fn a_line_that_is_not_pinned_is_found() {
    expect(2, 1, 3, AROUND, Mistake::NoPin);
}

#[test]
#[should_panic(expected = "reads something else")]
fn a_pin_without_order_is_found() {
    expect(2, 1, 3, READS, Mistake::RelaxedPin);
}

#[test]
#[should_panic(expected = "reads something else")]
fn a_fetch_without_order_is_found() {
    expect(2, 1, 3, READS, Mistake::RelaxedAdd);
}

#[test]
#[should_panic(expected = "lost")]
fn a_write_back_without_order_is_found() {
    expect(2, 1, 3, FLUSHES, Mistake::RelaxedChange);
}

#[test]
#[should_panic(expected = "lost")]
fn a_line_that_is_dirty_too_early_is_found() {
    expect(2, 1, 3, FLUSHES, Mistake::DirtyFirst);
}

#[test]
#[should_panic(expected = "reads something else")]
fn a_line_that_is_given_up_too_early_is_found() {
    expect(2, 2, 2, PASSES, Mistake::EarlyEnd);
}

#[test]
#[should_panic(expected = "lost")]
fn a_dirty_line_without_order_is_found() {
    expect(2, 1, 3, FLUSHES, Mistake::RelaxedSet);
}

#[test]
#[should_panic(expected = "reads something else")]
fn an_owner_without_order_is_found() {
    expect(2, 1, 3, COMES, Mistake::RelaxedOwner);
}

#[test]
#[should_panic(expected = "has not written back")]
fn a_write_back_that_ends_too_early_is_found() {
    expect(2, 1, 3, LEAVES, Mistake::EarlyEnd);
}

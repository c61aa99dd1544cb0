//! The lines of a software cache: an array that is larger than the cache is read and written by lanes of one GPU
//! through slots in its memory.
//!
//! ```text
//!   GPU memory of one PE, changed by its lanes
//!   states[line]: | slot, 32 bits | … | USED | DIRTY | BUSY | VALID | users, 24 bits |       for each line of the
//!   array owners[slot]: the line that the slot has or had, plus 1; 0 if it has none                for each slot
//!   hand:         how many slots have been examined; it only grows, and is used modulo 2³²
//!   slots:        the lines' bytes
//! ```
//!
//! | state | what it means |
//! |---|---|
//! | none of the bits | the line has no slot |
//! | `BUSY` | one lane fetches the line |
//! | `VALID` | the line is in the slot; lanes that have pinned it read and write there |
//! | `VALID`, `BUSY` | the same, while one lane writes it back |
//! | `BUSY`, `DIRTY`, a slot | one lane writes it back before it gives the slot to another line |
//!
//! *A hit takes no lock*: a lane pins the line, by an addition to `users` that returns the state. If the line was
//! `VALID`, its slot is in the same word. The lane reads or writes, and unpins, by a subtraction.
//!
//! *A miss is taken by one lane*: the one that sets `BUSY` in a state that has neither `BUSY` nor `VALID`, by comparing
//! and swapping. The others wait for `VALID`. They keep their pins, so the line does not leave its slot before they
//! have used it; if the line that they wait for has only just been given up, one of them takes the miss.
//!
//! *A slot has one owner*: the line whose state is `VALID` with its number, or the lane that has taken it. A lane takes
//! a slot by changing the state of the line in it, from `VALID` without users and without `BUSY`. As the state names
//! the slot, this fails if the line is no longer there. `owners` is only a hint where to look, except for a slot that
//! has no line at all: its 0 is changed to the number of the next line, by comparing and swapping.
//!
//! *Replacement is the clock's*: slots are looked at in turn. A line that was pinned since the hand came by last is
//! `USED`; the hand clears that bit and goes on. A line that has users or is `BUSY` is passed over.
//!
//! *No line that is dirty is lost*: the lane that takes its slot leaves `BUSY` and `DIRTY`, writes the bytes back,
//! waits until they have arrived, and only then clears the state. So nobody fetches the line before. A lane that has
//! written sets `DIRTY` after its write and before it unpins. A flush clears `DIRTY` and sets `BUSY`, then copies: a
//! write that the copy misses sets `DIRTY` after that, and is left to the next flush. `BUSY` keeps a second flush, and
//! a lane that looks for a slot, from writing an older copy over a newer one. A flush waits for a line that is `BUSY`
//! in its slot, because somebody else is writing it back.
//!
//! *Order*: every change of a state is a read-modify-write, so each is in the release sequence of all before it.
//! `DIRTY` is a release, and taking a slot is an acquire: what lanes wrote to the slot comes before the copy. What
//! lanes read in the slot comes before the next line's bytes without a release, whose fence would cost as much as the
//! load: what a lane subtracts to unpin depends on what was read, and whoever takes the slot writes there only if the
//! state said that it may. A load that returned the next line's bytes would depend on itself, which PTX's axiom
//! *No-Thin-Air* forbids, and no processor does. So `after` must be computed in a way that no compiler knows to be 0.
//! The end of a fetch is a release, and pinning an acquire: the bytes come before what lanes read. The end of a
//! write-back is a release, and taking a miss an acquire: the copy comes before the next fetch.
//!
//! *No fetch escapes a `forget`*: bytes that were fetched before it, even for a miss that ends after it, are no longer
//! in a slot. So whoever has taken a slot changes its owner to the new line before it fetches, and whoever forgets
//! first changes the owner to what it is. Both are read-modify-writes of one word, so one of them sees the other:
//! either `forget` finds the line that is `BUSY`, waits for it and then forgets it, or the fetch comes behind what
//! `forget` was to be behind. A flush reads the owner as an acquire: if the slot has another line already, the
//! write-back of the previous one comes before.
//!
//! *No circular waits*: a lane that waits, for a line or a slot, has no line pinned that is `VALID` but the one that it
//! waits for. So each pinned line is unpinned by a lane that waits for nothing, and each `BUSY` ends, by a lane that
//! waits for a slot at most.
//!
//! *When a participant dies*: the states are in the memory of the GPU that uses them, so they are lost with it. A lane
//! that waits longer than the limit ends its kernel.

use crate::poll::poll;
use core::cell::Cell;

/// In a state: those who have pinned the line.
pub const USERS: u64 = (1 << 24) - 1;
/// In a state: the line's bytes are in its slot.
pub const VALID: u64 = 1 << 24;
/// In a state: one lane fetches the line or writes it back.
pub const BUSY: u64 = 1 << 25;
/// In a state: the slot has bytes that were not written back.
pub const DIRTY: u64 = 1 << 26;
/// In a state: the line was pinned since the hand came by.
pub const USED: u64 = 1 << 27;
const SLOT_SHIFT: u32 = 32;

/// The slot that a state names.
#[inline(always)]
pub const fn slot_of(state: u64) -> u32 {
    (state >> SLOT_SHIFT) as u32
}

/// A cache as a lane accesses it. Its lines and slots are numbered from 0.
pub trait Memory {
    /// The number of slots, at least 1.
    fn slots(&self) -> u32;
    /// Adds 1 to a line's state and returns the previous value; an acquire.
    fn add_user(&self, line: u32) -> u64;
    /// Subtracts 1 from a line's state, and `after`, which is 0 and depends on what was read in the line's slot;
    /// relaxed.
    fn remove_user(&self, line: u32, after: u64);
    /// Adds to a line's state, modulo 2⁶⁴; a release.
    fn add(&self, line: u32, n: u64);
    /// Sets bits of a line's state; a release.
    fn set(&self, line: u32, bits: u64);
    /// Loads a line's state, as an acquire.
    fn state(&self, line: u32) -> u64;
    /// Changes a line's state if it is `expected`, otherwise returns its value; acquire and release.
    fn change(&self, line: u32, expected: u64, new: u64) -> Result<(), u64>;
    /// Loads a slot's owner, as an acquire.
    fn owner(&self, slot: u32) -> u64;
    /// Changes a slot's owner if it is `expected`, and returns whether it was; acquire and release.
    fn change_owner(&self, slot: u32, expected: u64, new: u64) -> bool;
    /// Adds 1 to the hand and returns the previous value; relaxed.
    fn next_turn(&self) -> u32;
    /// Called between two polls for a line, or for a slot for it; returns whether to go on.
    fn pause(&self, line: u32) -> bool;
}

/// [`Memory::pause`] gave up, for this line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp(pub u32);

/// Instead of a line that is to be written back: the wanted line is in its slot.
pub const THERE: u32 = u32::MAX;
/// Instead of a line that is to be written back: there is none.
pub const CLEAN: u32 = u32::MAX - 1;

/// A line that this lane has pinned. It is one number, because a kernel would put more into local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pinned(u64);

impl Pinned {
    #[inline(always)]
    const fn new(slot: u32, what: u32) -> Self {
        Self((what as u64) << 32 | slot as u64)
    }

    /// The line's slot.
    #[inline(always)]
    pub const fn slot(self) -> u32 {
        self.0 as u32
    }

    /// [`THERE`], if the line's bytes are in the slot. Otherwise this lane must fetch them, and then call [`fetched`].
    /// If this is not [`CLEAN`] either, it is a line that is less than both: the slot has that line's bytes, which this
    /// lane must write back first. Then it calls [`written_back`].
    #[inline(always)]
    pub const fn what(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Pins a line if it is in a slot, and returns the slot.
#[inline(always)]
pub fn hit<M: Memory>(memory: &M, line: u32) -> Option<u32> {
    let state = look(memory, line);
    found(memory, line, state).then(|| slot_of(state))
}

/// Begins a [`hit`]: pins a line, and returns its state before. [`found`] comes next, unless the state [`is_at_hand`].
#[inline(always)]
pub fn look<M: Memory>(memory: &M, line: u32) -> u64 {
    memory.add_user(line)
}

/// Whether a line that was in this state when a lane pinned it is in a slot, and nothing is left to note.
#[inline(always)]
pub const fn is_at_hand(state: u64) -> bool {
    state & (VALID | USED) == VALID | USED
}

/// Whether the line is in a slot. If it is not, it is not pinned any more.
#[inline(always)]
pub fn found<M: Memory>(memory: &M, line: u32, state: u64) -> bool {
    if state & VALID == 0 {
        unpin(memory, line, 0);
        return false;
    }
    if state & USED == 0 {
        memory.set(line, USED);
    }
    true
}

/// Pins a line, and takes the miss if nobody else does. Waits until the line is in a slot or this lane has a slot for
/// it. The lane has no other line pinned.
#[inline(always)]
pub fn pin<M: Memory>(memory: &M, line: u32) -> Result<Pinned, GaveUp> {
    memory.add_user(line);
    let there = || {
        let state = memory.state(line);
        if state & VALID != 0 {
            return Some(Some(slot_of(state)));
        }
        if state & BUSY != 0 {
            return None;
        }
        memory.change(line, state, state | BUSY).is_ok().then_some(None)
    };
    match poll(there, || memory.pause(line)) {
        Some(Some(slot)) => Ok(Pinned::new(slot, THERE)),
        Some(None) => poll(|| take_slot(memory, line), || memory.pause(line)).ok_or(GaveUp(line)),
        None => Err(GaveUp(line)),
    }
}

/// Looks at the next slot and takes it for a line, if it can be taken.
#[inline(always)]
fn take_slot<M: Memory>(memory: &M, line: u32) -> Option<Pinned> {
    let slot = memory.next_turn() % memory.slots();
    let owner = memory.owner(slot);
    if owner == 0 {
        return memory.change_owner(slot, 0, owner_of(line)).then_some(Pinned::new(slot, CLEAN));
    }
    let old = (owner - 1) as u32;
    let state = memory.state(old);
    if state & VALID == 0 || slot_of(state) != slot || state & (BUSY | USERS) != 0 {
        return None;
    }
    if state & USED != 0 {
        // If another lane changes the state first, it pins the line or does the same.
        let _ = memory.change(old, state, state & !USED);
        return None;
    }
    let dirty = state & DIRTY != 0;
    let new = if dirty { (state | BUSY) & !VALID } else { 0 };
    if memory.change(old, state, new).is_err() {
        return None;
    }
    if dirty {
        return Some(Pinned::new(slot, old));
    }
    memory.change_owner(slot, owner, owner_of(line));
    Some(Pinned::new(slot, CLEAN))
}

/// The owner of a slot that has this line.
#[inline(always)]
const fn owner_of(line: u32) -> u64 {
    line as u64 + 1
}

/// The bytes of `old`, whose slot this lane has taken for `line`, have arrived where they belong.
#[inline(always)]
pub fn written_back<M: Memory>(memory: &M, old: u32, slot: u32, line: u32) {
    memory.add(old, (BUSY | DIRTY | u64::from(slot) << SLOT_SHIFT).wrapping_neg());
    // Not before: a flush that looks at the slot must find the line that is written back.
    memory.change_owner(slot, owner_of(old), owner_of(line));
}

/// The bytes of a line are in the slot that this lane has taken for it.
#[inline(always)]
pub fn fetched<M: Memory>(memory: &M, line: u32, slot: u32) {
    memory.add(line, (u64::from(slot) << SLOT_SHIFT | VALID | USED).wrapping_sub(BUSY));
}

/// This lane, or one that has synchronised with it, has written to a line that it has pinned.
#[inline(always)]
pub fn wrote<M: Memory>(memory: &M, line: u32) {
    memory.set(line, DIRTY);
}

/// This lane, and those that have synchronised with it, no longer use the line. `after` is 0, and depends on all that
/// they have read there: what says that they have. If they wrote, [`wrote`] comes before.
#[inline(always)]
pub fn unpin<M: Memory>(memory: &M, line: u32, after: u64) {
    memory.remove_user(line, after);
}

/// Begins to write back the line in a slot, if it is dirty. Returns the line; when its bytes have arrived, the lane
/// calls [`flushed`]. If somebody else is writing back what is in the slot, waits until that is done.
#[inline(always)]
pub fn flush<M: Memory>(memory: &M, slot: u32) -> Result<Option<u32>, GaveUp> {
    let late = Cell::new(0);
    let look = || {
        let Some(line) = memory.owner(slot).checked_sub(1) else { return Some(None) };
        let line = line as u32;
        late.set(line);
        let state = memory.state(line);
        // A line that is being fetched is in no slot yet.
        if state & (VALID | DIRTY) == 0 || slot_of(state) != slot {
            return Some(None);
        }
        if state & BUSY != 0 {
            return None;
        }
        if state & DIRTY == 0 {
            return Some(None);
        }
        memory.change(line, state, (state | BUSY) & !DIRTY).is_ok().then_some(Some(line))
    };
    poll(look, || memory.pause(late.get())).ok_or(GaveUp(late.get()))
}

/// The bytes of a line that [`flush`] returned have arrived where they belong.
#[inline(always)]
pub fn flushed<M: Memory>(memory: &M, line: u32) {
    memory.add(line, BUSY.wrapping_neg());
}

/// Forgets the line in a slot, unless it is dirty, and one that is being fetched there when it has come. Waits until
/// nobody uses it. This lane has no line pinned.
#[inline(always)]
pub fn forget<M: Memory>(memory: &M, slot: u32) -> Result<(), GaveUp> {
    let late = Cell::new(0);
    let look = || {
        let owner = memory.owner(slot);
        // Whoever fetches to the slot has changed the owner before, or changes it after this.
        if !memory.change_owner(slot, owner, owner) {
            return None;
        }
        let Some(line) = owner.checked_sub(1) else { return Some(()) };
        let line = line as u32;
        late.set(line);
        let state = memory.state(line);
        if state & (VALID | BUSY | DIRTY) == BUSY {
            return None;
        }
        if state & VALID == 0 || slot_of(state) != slot || state & DIRTY != 0 {
            return Some(());
        }
        if state & (BUSY | USERS) != 0 || memory.change(line, state, 0).is_err() {
            return None;
        }
        // The slot is this lane's until here.
        memory.change_owner(slot, owner, 0);
        Some(())
    };
    poll(look, || memory.pause(late.get())).ok_or(GaveUp(late.get()))
}

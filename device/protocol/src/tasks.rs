//! A row of a queue of tasks: blocks of one PE, or threads of its CPU, put tasks into the GPU memory of another PE, and
//! the blocks of that PE's executor take them.
//!
//! ```text
//!   initiators, own memory      target, GPU memory                                        executor's blocks
//!   tickets ─ take t ────────▶  slots[t mod n]: the words of a task, then ready = t + 1 ──▶ look at ready, read the words
//!                                 or marked words and data, and ready = t + 1, inline ────▶
//!   taken_seen ◀─────────────── taken: tickets below it are taken, their slots free ◀────── t becomes t + n: they are theirs
//! ```
//!
//! A queue has two rows for each PE, one for its kernels and one for its CPU. So the tickets of a row are in the memory
//! of those that take them, and no task costs a round trip to the target. Rows know nothing of each other.
//!
//! *Who writes what*: the initiator that has a ticket writes the words of the ticket's slot, and then its `ready`. Only
//! the blocks of the executor write `taken`, by comparing and swapping unless there is only one. The tickets and their
//! wait for a free slot are those of the [command ring](crate::ring). A kernel takes its ticket first and then waits:
//! it ends if no slot becomes free, and the job with it. A CPU goes on then, so it waits first, and takes the ticket by
//! comparing and swapping: nobody would ever fill the slot of a ticket that it has given up, and the executor takes no
//! task behind an empty slot.
//!
//! *A task is complete when `ready` says so.* It is stored as a release, after the data that the task is about and
//! after the words of the slot; between nodes it is a signal behind both, as that of a put. A block loads it as an
//! acquire. So whoever finds `ready` finds the words and the data. It is the number of the ticket plus 1, so it differs
//! from that of every other lap, and memory that is all zeros belongs to none. The words need no mark of their own.
//!
//! *A little data travels in the slot*, [inline](INLINE), so that the initiator need not wait until the data have
//! arrived before it stores `ready`. The words of the task and of its data are then in memory of their own, each in two
//! halves that are accessed as a whole and have a [mark], and nothing is ordered. `ready` only says where to look. A
//! block that finds a half without the mark of the ticket's lap treats the task as one that has not come. A half that
//! has it was stored by the initiator with this ticket: each 2³¹ laps, an initiator first [renews] all of them, with a
//! mark that none of the next 2³¹ laps has, so none has the mark of a lap 2³² laps before. A fence comes behind that:
//! the load of `ready`, an acquire, pairs with it, and `taken` carries the order on to the next lap. What the initiator
//! did before is not ordered before the task, unless the lane that stores `ready` has executed a fence.
//!
//! *A task is taken once.* A block that has found `ready` of the tickets from `t` on reads their words, and then
//! changes `taken` from `t` to `t + n`. Only one block succeeds. The others have read the same words in vain, or words
//! of the next lap, and [try again](take) behind the tasks that were taken, at once, as long as they have read the
//! words of more: a change of `taken` is a round trip to memory, and a look another one. A block takes up to
//! [`AT_ONCE`] tasks, and leaves [its share](share) to each of the other blocks. *A block that is alone* need not
//! compare: what it has read is its own, and another of its warps stores `taken` while the function runs.
//!
//! *Nothing is overwritten*: an initiator stores into its slot once `taken` is above the ticket one lap before. The
//! change of `taken` comes behind a release fence after the reads of the block that made it, and the initiator loads
//! `taken` as an acquire. What it saw, it leaves in `taken_seen`, as a release, where its other lanes find it, as an
//! acquire. Blocks change `taken` in the order of tickets, and each change follows the one before in the same word's
//! order of releases, so a count also covers what other blocks read for the tickets below it.
//!
//! *Each row has its turn*: the lanes of an executor's warp share the rows out. After a lane has found a task, [another
//! lane comes first](choose), and this lane begins at [the row behind it](row_behind). So the first task of a row
//! waits for a bounded number of others, however full the other rows are.
//!
//! *An executor that does not stay* is launched by the target's CPU, which looks at the slots: they are in host memory
//! then, and all else is the same. The CPU loads `ready` of the next ticket of each row as an acquire ([`watch`]) and
//! launches a kernel once one has come, each of whose blocks ends when it finds no task. *No task is forgotten*: the
//! kernel loads the words after the launch that the CPU had loaded before it, so for each ticket that the CPU has seen
//! it finds `ready`, or `taken` above it. The CPU has also seen all tickets before. So when the launch has ended, all
//! that the CPU had seen are taken, and what it had not seen it sees later. A launch that has ended before, because its
//! time was over, says so, and there is another behind it. The CPU needs no look at `taken`: a slot's `ready` only
//! grows, and grows by another lap only once the ticket was taken.
//!
//! *When an executor is launched again*, a block begins with what `taken` says. All state is in memory.
//!
//! *When the target dies*, `taken` stops. Initiators wait up to a limit, and then end with a line that names the PE.

use crate::places::await_place;

/// Words of a task: its head, where its data is, what to signal, and six arguments.
pub const WORDS: usize = 11;

/// Words of data that a task can have inline.
pub const INLINE_WORDS: usize = 8;

/// A bit of `ready`: the task's words, and its data behind them, are inline, and may not all have arrived.
pub const INLINE: u64 = 1 << 63;

/// The mark of words that are inline in the slot of a ticket: the lap, which counts from 1, modulo 2³².
#[inline(always)]
pub const fn mark(ticket: u64, slots: u64) -> u32 {
    ((ticket >> slots.trailing_zeros()) + 1) as u32
}

/// The mark that the initiator with this ticket stores in all inline words of the slot before anything else, if it has
/// to.
#[inline(always)]
pub const fn renews(ticket: u64, slots: u64) -> Option<u32> {
    let mark = mark(ticket, slots);
    if mark << 1 == 0 { Some(mark.wrapping_sub(1)) } else { None }
}

/// The halves of a word that is inline.
#[inline(always)]
pub const fn halves(word: u64, mark: u32) -> [u64; 2] {
    let mark = (mark as u64) << 32;
    [mark | word & 0xffff_ffff, mark | word >> 32]
}

/// Undoes [`halves`]. There is no word if a half has another mark.
#[inline(always)]
pub const fn word_of([low, high]: [u64; 2], mark: u32) -> Option<u64> {
    let has_come = (low >> 32) as u32 == mark && (high >> 32) as u32 == mark;
    if has_come { Some(low & 0xffff_ffff | high << 32) } else { None }
}

/// A row as those that put tasks access it.
pub trait Putting {
    /// The number of slots: a power of two.
    fn slots(&self) -> u64;
    /// What some initiator of the row has seen of `taken`, as an acquire.
    fn taken_seen(&self) -> u64;
    /// Loads `taken` itself, as an acquire, and leaves it in `taken_seen`, as a release.
    fn look_at_taken(&self) -> u64;
    /// Called between two polls; returns whether to go on.
    fn pause(&self) -> bool;
}

/// Waits until the slot of a ticket is free, until [`Putting::pause`] gives up. The caller has added 1 to the tickets,
/// relaxed, and got this one. It then stores the words, and [`ready`] after them and after the data.
#[inline(always)]
pub fn await_slot<P: Putting>(row: &P, ticket: u64) -> Option<()> {
    await_place(ticket, row.slots(), || row.taken_seen(), || row.look_at_taken(), || row.pause())
}

/// A row as those access it that must not leave a ticket behind.
pub trait PuttingLater: Putting {
    /// Loads the tickets; relaxed.
    fn tickets(&self) -> u64;
    /// Changes the tickets from `ticket` to `ticket + 1`; relaxed. Returns whether it has.
    fn take_if(&self, ticket: u64) -> bool;
}

/// Takes a ticket once its slot is free, as [`await_slot`] waits. Whoever gives up leaves nothing behind.
#[inline(always)]
pub fn claim_when_free<P: PuttingLater>(row: &P) -> Option<u64> {
    loop {
        let ticket = row.tickets();
        // Others may have taken this ticket by now, and the executor its task: then there is nothing to wait for.
        let up_to_ticket = |taken: u64| taken.min(ticket);
        let seen = || up_to_ticket(row.taken_seen());
        await_place(ticket, row.slots(), seen, || up_to_ticket(row.look_at_taken()), || row.pause())?;
        if row.take_if(ticket) {
            return Some(ticket);
        }
    }
}

/// What `ready` of a slot becomes when the task with this ticket is complete.
#[inline(always)]
pub const fn ready(ticket: u64) -> u64 {
    ticket + 1
}

/// A row as those access it that look for tasks.
pub trait Looking {
    /// The number of slots: a power of two.
    fn slots(&self) -> u64;
    /// Loads `ready` of a slot, as an acquire.
    fn ready(&self, slot: u64) -> u64;
}

/// A row as a block of the executor accesses it.
pub trait Taking: Looking {
    /// Loads the words of a slot; relaxed.
    fn words(&self, slot: u64) -> [u64; WORDS];
    /// Loads `taken`; relaxed.
    fn taken(&self) -> u64;
    /// A release fence, after the reads of the words by all lanes that read some.
    fn release(&self);
    /// Changes `taken` from `ticket` to `ticket + n`, relaxed; returns what it was before.
    fn take(&self, ticket: u64, n: u64) -> u64;
    /// Stores `taken` as a release, by a block that is alone.
    fn store_taken(&self, taken: u64);
}

/// The most tasks that a block takes at once.
pub const AT_ONCE: u32 = 8;

/// How many tasks one of `blocks` blocks takes at once. `come` has a bit for each of the tasks that come next in a row,
/// from bit 0 on, which says whether it is complete.
#[inline(always)]
pub const fn share(come: u32, blocks: u32) -> u32 {
    let (waiting, its) = (come.trailing_ones(), come.trailing_ones() / blocks);
    if its > AT_ONCE {
        AT_ONCE
    } else if its == 0 && waiting > 0 {
        1
    } else {
        its
    }
}

/// The lanes that look for tasks.
pub const LOOKERS: u64 = 32;

/// Of the lanes in the mask `found`, which is not 0, the one whose task comes next: the first from lane `turn` on, in a
/// circle. The turn then passes to the lane behind it.
#[inline(always)]
pub const fn choose(found: u32, turn: &mut u32) -> u32 {
    let lanes = LOOKERS as u32;
    let chosen = (found.rotate_right(*turn).trailing_zeros() + *turn) % lanes;
    *turn = (chosen + 1) % lanes;
    chosen
}

/// The row behind `row` among those of a lane, in a circle. They are [`LOOKERS`] apart, below `rows`.
#[inline(always)]
pub const fn row_behind(row: u64, rows: u64) -> u64 {
    if row + LOOKERS < rows { row + LOOKERS } else { row % LOOKERS }
}

/// Looks at the slot of a ticket.
#[inline(always)]
pub fn look<L: Looking>(row: &L, ticket: u64) -> u64 {
    row.ready(ticket & (row.slots() - 1))
}

/// Whether the task with this ticket is there, or `ticket` is behind. `is` is what [`look`] has returned.
#[inline(always)]
pub const fn has_come(is: u64, ticket: u64) -> bool {
    is & !INLINE >= ready(ticket)
}

/// Whether it is there, and `ticket` is not behind. If it is inline, all its words have to be there too.
#[inline(always)]
pub const fn is_there(is: u64, ticket: u64) -> bool {
    is & !INLINE == ready(ticket)
}

/// Whether the task is inline.
#[inline(always)]
pub const fn is_inline(is: u64) -> bool {
    is & INLINE != 0
}

/// Whether tasks have come from the ticket `next` on, for whoever launches a kernel that takes them. `next` becomes the
/// first one that has not come.
#[inline]
pub fn watch<L: Looking>(row: &L, next: &mut u64) -> bool {
    let first = *next;
    // Not further: there are other rows too.
    while *next - first < row.slots() && has_come(look(row, *next), *next) {
        *next += 1;
    }
    *next != first
}

/// How many tasks one of `blocks` blocks reads the words of before it takes some. `come` is as in [`share`].
#[inline(always)]
pub const fn to_read(come: u32, blocks: u32) -> u32 {
    if blocks == 1 { share(come, 1) } else { come.trailing_ones() }
}

/// Takes tasks from those of the ticket `first` on, for one of `blocks` blocks, of which it has read the words that
/// [`to_read`] says. Returns how many tasks come before those, and how many they are: 0 if others have taken all.
/// `next` becomes the block's guess of `taken`. A block that is alone stores `taken` afterwards.
#[inline(always)]
pub fn take<T: Taking>(row: &T, first: u64, come: u32, blocks: u32, next: &mut u64) -> (u32, u32) {
    if come & 1 == 0 {
        // Others have taken the task, and its slot is in use again; or its words have not all come.
        *next = row.taken();
        return (0, 0);
    }
    if blocks > 1 {
        row.release();
    }
    // Those behind one that had not come have come, but the block has not read their words.
    let read = come & !come.wrapping_add(1);
    let mut at = 0;
    loop {
        let (ticket, n) = (first + u64::from(at), share(read >> at, blocks));
        let before = if n == 0 || blocks == 1 { ticket } else { row.take(ticket, n.into()) };
        if before == ticket {
            *next = ticket + u64::from(n);
            return (at, n);
        }
        *next = before;
        let ahead = before.wrapping_sub(first);
        if ahead >= u32::BITS.into() {
            return (0, 0);
        }
        at = ahead as u32;
    }
}

//! The queue of PEs at a lock, served in order of arrival. It takes eight bytes on each PE, which must be 0 before the
//! first use.
//!
//! ```text
//!   on each PE: | tail, 4 bytes | node, 4 bytes |        node: | GRANTED | CLAIMED | next, 30 bits |
//!                 of the owner's copy only
//! ```
//!
//! `tail` and `next` hold a PE's number plus 1, so that 0 stands for no PE. The *owner* of a lock is a PE on which all
//! agree; its `tail` is the last PE of the queue. A PE joins the queue by swapping its own number into `tail`, and the
//! order of these swaps is the order of service. The nodes link the queue: each PE's `next` is the PE behind it.
//!
//! | word | which PE writes it, when |
//! |---|---|
//! | `tail` | any PE: swaps itself in to join the queue; changes it from itself to 0 if it leaves and no PE is behind it |
//! | `CLAIMED` of a node | its own PE, before it joins the queue; it clears the whole node when it leaves |
//! | `next` of a node | the PE behind it, once, after that PE has joined the queue |
//! | `GRANTED` of a node | the PE ahead, when it leaves; its own PE, if there was no PE ahead |
//!
//! *A lock has one holder*: the PE whose node is `GRANTED`. The first holder is the PE that swapped itself in for 0.
//! Any other PE gets the bit only from the PE ahead of it, which has left by then. Only the holder sets `tail` to 0,
//! and only if it is the last in the queue.
//!
//! *A node is not reused too early*: a PE clears its node only after the PE behind it has linked itself, or when there
//! is none behind it. No PE can get behind it again before it has swapped itself in again.
//!
//! *What was done under the lock is visible to the next holder*: leaving is a release (of `tail`, or of the `GRANTED`
//! that it sets), and getting the lock is an acquire of the same word.
//!
//! *When a PE dies*, the queue stops, and those behind it wait until the launcher ends the job.

/// In a node: its PE holds the lock.
pub const GRANTED: u32 = 1 << 31;
/// In a node: its PE holds the lock, is in the queue, or is about to join it.
pub const CLAIMED: u32 = 1 << 30;
/// In a node: the number of the PE behind, plus 1.
pub const NEXT: u32 = CLAIMED - 1;

/// The words of one lock, as a PE accesses them.
pub trait Memory {
    /// This PE.
    fn my_pe(&self) -> u32;
    /// The number of PEs of the job; less than [`NEXT`].
    fn n_pes(&self) -> u32;
    /// The owner's tail, as a hint; relaxed.
    fn tail(&self) -> u32;
    /// Exchanges the owner's tail; acquire and release.
    fn swap_tail(&self, ticket: u32) -> u32;
    /// Exchanges the owner's tail if it is `expected`, otherwise returns its value; acquire and release.
    fn compare_swap_tail(&self, expected: u32, ticket: u32) -> Result<(), u32>;
    /// Sets this PE's node to [`CLAIMED`] if it is 0; an acquire.
    fn claim(&self) -> bool;
    /// This PE's node, as an acquire.
    fn node(&self) -> u32;
    /// Sets this PE's node to 0, as a release.
    fn reset_node(&self);
    /// Sets bits in the node of PE `pe`, as a release, and wakes that PE.
    fn set_node(&self, pe: u32, bits: u32);
    /// Returns this PE's node once it has any of these bits, as an acquire. `ahead` is the PE ahead, if the wait is for
    /// that PE.
    fn wait_node(&self, bits: u32, ahead: Option<u32>) -> u32;
}

/// Why a call is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// This PE already holds the lock or waits for it, or the word was not 0 at the start.
    Claimed,
    /// This PE does not hold the lock.
    NotHeld,
    /// A word has a value that these routines do not write.
    Damaged(u32),
}

/// Gets the lock, after all PEs that asked for it before.
pub fn set<M: Memory>(memory: &M) -> Result<(), Misuse> {
    if !memory.claim() {
        return Err(Misuse::Claimed);
    }
    let me = memory.my_pe();
    match memory.swap_tail(me + 1) {
        0 => memory.set_node(me, GRANTED),
        ticket => {
            let ahead = pe_of(memory, ticket)?;
            memory.set_node(ahead, me + 1);
            memory.wait_node(GRANTED, Some(ahead));
        }
    }
    Ok(())
}

/// Gets the lock if no PE has it; returns whether it did.
pub fn test<M: Memory>(memory: &M) -> bool {
    // This first check is cheap where many PEs ask again and again.
    if memory.tail() != 0 || !memory.claim() {
        return false;
    }
    let me = memory.my_pe();
    if memory.compare_swap_tail(0, me + 1).is_ok() {
        memory.set_node(me, GRANTED);
        return true;
    }
    // This PE did not join the queue, so no PE is behind it.
    memory.reset_node();
    false
}

/// Passes the lock to the next PE.
pub fn clear<M: Memory>(memory: &M) -> Result<(), Misuse> {
    let node = memory.node();
    if node & GRANTED == 0 {
        return Err(Misuse::NotHeld);
    }
    let mut next = node & NEXT;
    if next == 0 {
        match memory.compare_swap_tail(memory.my_pe() + 1, 0) {
            Ok(()) => {
                memory.reset_node();
                return Ok(());
            }
            // Another PE has joined behind this one, and is about to link itself.
            Err(last) => drop(pe_of(memory, last)?),
        }
        next = memory.wait_node(NEXT, None) & NEXT;
    }
    let next = pe_of(memory, next)?;
    memory.reset_node();
    memory.set_node(next, GRANTED);
    Ok(())
}

/// The PE that a ticket written by another PE stands for.
fn pe_of<M: Memory>(memory: &M, ticket: u32) -> Result<u32, Misuse> {
    match ticket.checked_sub(1) {
        Some(pe) if pe < memory.n_pes() && pe != memory.my_pe() => Ok(pe),
        _ => Err(Misuse::Damaged(ticket)),
    }
}

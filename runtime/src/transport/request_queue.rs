//! The queue of requests from one PE to a node: how the PE's threads number them and learn that they are carried out,
//! and how exactly one of the node's PEs carries out each of them.
//!
//! The initiator numbers its requests from 1 and puts request `n` into slot `n % slots`, by one put that may arrive in
//! any order and in pieces. The words of a slot are those of request `n` when they have its seal (`sealed.rs`).
//!
//! Any thread of the initiator may request operations: it takes the next number by an exchange ([`Numbers::assign`]),
//! and then puts the request. The numbers before it may belong to threads that have not put theirs yet.
//!
//! The PEs of the node look for the next request. `turn` holds how many requests are carried out, and whether a PE
//! carries out some now. A PE that finds the next request takes the turn by an exchange, carries out the requests that
//! have arrived, one after the other, and gives the turn back ([`serve`]).
//!
//! * *Why once and in order*: only the PE that has the turn carries out requests and advances the number. `turn` never
//!   has the same value again, so a PE that read it long ago does not get the turn.
//! * *Why a slot has the words of its number*: the initiator puts request `n + slots` only when it knows that request
//!   `n` is carried out, and by then nobody reads that request's words any more. A PE that looks without having the
//!   turn may find words of several requests; it then finds no request, or one that it does not get the turn for. A
//!   request that is carried out need not be written completely: bytes that were the same before may still be on their
//!   way. Puts of a lane to one PE take effect in order, so they come before those of request `n + slots`. Where the
//!   network keeps no order, the initiator waits until the put is complete.
//! * *Why an answer is not overwritten by an older one*: several PEs write the answers of a slot, and there is no order
//!   between them. [`Answered`] says when the slot is used again.
//! * *Why nothing is carried out behind a gap*: if a request never arrives, the number does not advance.
//! * *Why a slot has one owner at the initiator*: a thread waits until the slot of the next number is free, and only
//!   then takes the number. If another thread was faster, it looks again, for another slot. A slot stays free until
//!   somebody takes its number.
//! * *Why a quiet of one thread covers what others posted*: an operation is counted behind its number ([`Posts::add`]).
//!   A thread that has read the count also finds the number, and waits for it. It may find later numbers too, which
//!   only makes it wait longer.
//!
//! `SYNC(requests-turn)`: whoever gives the turn back releases it, whoever takes it acquires it. So the operations of
//! all requests of an initiator happen one after the other, and who says that `n` are carried out knows it.

use crate::sync::shared_word::SharedWord;
use std::sync::atomic::Ordering;

/// The numbers of an initiator's requests to a node.
#[derive(Default)]
pub(crate) struct Numbers<W> {
    /// The last number that was assigned to a request.
    assigned: W,
    /// The number up to which requests are known to be carried out.
    seen: W,
}

impl<W: SharedWord> Numbers<W> {
    /// The last number that was assigned to a request.
    #[inline]
    pub(crate) fn last_assigned(&self) -> u64 {
        // Relaxed: a thread finds the numbers of its own requests, and of those that it knows to be posted.
        self.assigned.load(Ordering::Relaxed)
    }

    /// The number up to which requests are known to be carried out.
    #[inline]
    pub(crate) fn seen(&self) -> u64 {
        // SYNC(requests-seen) acquire: pairs with the release in `note`, by the thread that saw it.
        self.seen.load(Ordering::Acquire)
    }

    /// Notes that requests up to this number are carried out; returns up to which number they are.
    pub(crate) fn note(&self, done: u64) -> u64 {
        // SYNC(requests-seen) release: pairs with the acquire in `seen`. Acquire: in the same way, for a larger number
        // that another thread saw.
        done.max(self.seen.fetch_max(done, Ordering::AcqRel))
    }

    /// Takes the next number. `await_free` waits until the slot of the request with this number is free.
    #[inline]
    pub(crate) fn assign<E>(&self, slots: u64, await_free: impl Fn(u64) -> Result<(), E>) -> Result<u64, E> {
        let mut last = self.last_assigned();
        loop {
            let number = last + 1;
            if number > slots {
                await_free(number - slots)?;
            }
            // Relaxed: numbers are given once, and order nothing.
            match self.assigned.compare_exchange(last, number, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(number),
                Err(newer) => last = newer,
            }
        }
    }
}

/// By slot, a bit each: whether the answer to its last request is still to be read.
pub(crate) struct Unread<W, const WORDS: usize>([W; WORDS]);

impl<W: SharedWord + Default, const WORDS: usize> Default for Unread<W, WORDS> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| W::default()))
    }
}

impl<W: SharedWord, const WORDS: usize> Unread<W, WORDS> {
    fn bit(&self, slot: u64) -> (&W, u64) {
        (&self.0[(slot / 64) as usize], 1 << (slot % 64))
    }

    /// Called before the request is put.
    pub(crate) fn expect(&self, slot: u64) {
        let (word, bit) = self.bit(slot);
        // Relaxed: whoever waits for the slot knows that the request is carried out, so it was put, which came later.
        word.fetch_add(bit, Ordering::Relaxed);
    }

    /// Whether the answer to a request that is carried out is still to be read.
    pub(crate) fn is_set(&self, slot: u64) -> bool {
        let (word, bit) = self.bit(slot);
        // SYNC(requests-unread) acquire: pairs with the release in `clear`. The answer was read.
        word.load(Ordering::Acquire) & bit != 0
    }

    /// Called by the thread that has read the answer.
    pub(crate) fn clear(&self, slot: u64) {
        let (word, bit) = self.bit(slot);
        // SYNC(requests-unread) release: pairs with the acquire in `is_set`.
        word.fetch_add(bit.wrapping_neg(), Ordering::Release);
    }
}

/// By slot: the request that was answered there last, and who answered it.
///
/// An answer is believed when its seal agrees. That does not prove that all of it was written: bytes that were the same
/// before may be written later, into the answer to the slot's next request. So the slot is used again when the PE that
/// answered says that it has carried out the request. It says so by a flag that it puts behind its answers.
pub(crate) struct Answered<W>(Box<[W]>);

/// The number of a PE has this many bits.
pub(super) const PE_BITS: u32 = 16;

impl<W: SharedWord + Default> Answered<W> {
    pub(crate) fn new(slots: usize) -> Self {
        Self((0..slots).map(|_| W::default()).collect())
    }

    /// Called by the thread that has read the answer.
    pub(crate) fn note(&self, slot: u64, number: u64, pe: u64) {
        // SYNC(requests-answered) release: pairs with the acquire in `is_written`.
        self.0[slot as usize].store(number << PE_BITS | pe & ((1 << PE_BITS) - 1), Ordering::Release);
    }

    /// Whether the answer that was read last is written completely. `done` is up to which number a PE says that it has
    /// carried out requests.
    pub(crate) fn is_written(&self, slot: u64, done: impl FnOnce(u32) -> u64) -> bool {
        // SYNC(requests-answered) acquire: pairs with the release in `note`.
        let last = self.0[slot as usize].load(Ordering::Acquire);
        done((last & ((1 << PE_BITS) - 1)) as u32) >= last >> PE_BITS
    }
}

/// How many operations were posted to all nodes, and how many of them are known to be carried out.
#[derive(Default)]
pub(crate) struct Posts<W> {
    posted: W,
    complete: W,
}

impl<W: SharedWord> Posts<W> {
    /// Notes that an operation was posted, whose number was given.
    #[inline]
    pub(crate) fn add(&self) {
        // SYNC(atomics-posted) release: pairs with the acquire in `drain`, which then finds the request's number.
        self.posted.fetch_add(1, Ordering::Release);
    }

    /// Waits until all operations that were posted are carried out. `wait` waits for all numbers that were given.
    #[inline]
    pub(crate) fn drain<E>(&self, wait: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        // SYNC(atomics-posted) acquire: pairs with the release in `add`.
        let posted = self.posted.load(Ordering::Acquire);
        // SYNC(atomics-complete) acquire: pairs with the release below, of a thread that has waited.
        if self.complete.load(Ordering::Acquire) < posted {
            wait()?;
            // SYNC(atomics-complete) release: pairs with the acquire above.
            self.complete.fetch_max(posted, Ordering::Release);
        }
        Ok(())
    }
}

/// Fences, and up to which of them the puts before it are known to have arrived.
#[derive(Default)]
pub(crate) struct Fences<W> {
    called: W,
    covered: W,
}

impl<W: SharedWord> Fences<W> {
    /// Notes that a fence was called.
    #[inline]
    pub(crate) fn add(&self) {
        // SYNC(atomics-fence) release: pairs with the acquire in `pass`, which then covers the puts before.
        self.called.fetch_add(1, Ordering::Release);
    }

    /// Called before an operation that has to come behind all fences. If the puts before one may still be on their way,
    /// `drain` waits for them.
    #[inline]
    pub(crate) fn pass<E>(&self, drain: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        // SYNC(atomics-fence) acquire: pairs with the release in `add`.
        let called = self.called.load(Ordering::Acquire);
        // SYNC(atomics-covered) acquire: pairs with the release below.
        if self.covered.load(Ordering::Acquire) < called {
            drain()?;
            // SYNC(atomics-covered) release: pairs with the acquire above, in a thread that need not wait any more.
            self.covered.fetch_max(called, Ordering::Release);
        }
        Ok(())
    }
}

/// A PE carries out requests now. The other bits of `turn` count the requests that are carried out.
const BUSY: u64 = 1 << 63;

/// How many requests are carried out, according to `turn`.
#[inline]
pub(crate) fn carried_out(turn: u64) -> u64 {
    turn & !BUSY
}

/// Carries out up to `most` requests that have arrived, unless another PE does; returns the number of the last one.
/// `look` finds the request with a number, and returns `None` also to leave it to another PE.
#[inline]
pub(crate) fn serve<R>(
    turn: &impl SharedWord,
    most: u64,
    look: impl Fn(u64) -> Option<R>,
    mut carry_out: impl FnMut(u64, R),
) -> Option<u64> {
    // Relaxed: if the number is out of date, the exchange fails.
    let before = turn.load(Ordering::Relaxed);
    if before & BUSY != 0 {
        return None;
    }
    look(before + 1)?;
    // SYNC(requests-turn) acquire: pairs with the release below, by the PE that had the turn before. Relaxed: nothing
    // was read.
    turn.compare_exchange(before, before | BUSY, Ordering::Acquire, Ordering::Relaxed).ok()?;
    let mut last = before;
    while last - before < most
        && let Some(request) = look(last + 1)
    {
        last += 1;
        carry_out(last, request);
    }
    // SYNC(requests-turn) release: pairs with the acquire above.
    turn.store(last, Ordering::Release);
    (last > before).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn requests_are_carried_out_once_and_in_order() {
        let turn = AtomicU64::new(0);
        let arrived = RefCell::new(vec![false; 8]);
        let served = RefCell::new(Vec::new());
        let serve = |most| {
            let look = |number: u64| arrived.borrow()[number as usize].then_some(number);
            serve(&turn, most, look, |number, request| {
                assert_eq!(number, request);
                served.borrow_mut().push(number);
            })
        };
        assert_eq!(serve(9), None, "nothing has arrived");
        for number in [2, 3, 5] {
            arrived.borrow_mut()[number] = true;
        }
        assert_eq!(serve(9), None, "the first one is missing");
        arrived.borrow_mut()[1] = true;
        assert_eq!(serve(2), Some(2), "no more than asked for");
        assert_eq!(serve(9), Some(3), "number 4 is missing");
        assert_eq!(serve(9), None);
        assert_eq!(*served.borrow(), [1, 2, 3]);
    }

    #[test]
    fn nobody_takes_the_turn_of_another() {
        let turn = AtomicU64::new(0);
        let inner = |number| {
            assert_eq!(serve(&turn, 9, Some, |_, _| panic!("two at a time")), None);
            assert_eq!(carried_out(turn.load(Ordering::Relaxed)), number - 1, "request {number} is not");
        };
        assert_eq!(serve(&turn, 1, Some, |number, _| inner(number)), Some(1));
        assert_eq!(carried_out(turn.load(Ordering::Relaxed)), 1);
    }

    /// Catches a quiet that finds nothing to wait for because that of another thread has begun, or because it covers
    /// less.
    #[test]
    fn a_quiet_waits_while_another_one_does() {
        let posts = Posts::<AtomicU64>::default();
        let drain = |wait: &dyn Fn()| {
            let waited = std::cell::Cell::new(false);
            let wait = || {
                waited.set(true);
                wait();
                Ok::<(), ()>(())
            };
            posts.drain(wait).unwrap();
            waited.get()
        };
        assert!(!drain(&|| ()), "nothing was posted");
        posts.add();
        let meanwhile = || {
            assert!(drain(&|| ()), "the first one is not complete");
            posts.add();
        };
        assert!(drain(&meanwhile));
        assert!(drain(&|| ()), "the second one is not complete");
        assert!(!drain(&|| ()));
        assert_eq!(posts.drain(|| Err(())), Ok(()));
        posts.add();
        assert_eq!(posts.drain(|| Err(())), Err(()));
        assert!(drain(&|| ()), "the last wait failed");
    }
}

//! The queue of requests from one PE to a node, and how exactly one of the node's PEs carries out each of them.
//!
//! The initiator numbers its requests from 1 and puts request `n` into slot `n % slots`, by one put that may arrive in
//! any order and in parts. Each word of a slot therefore holds a half of 32 bits and the low half of the request's
//! number. The words are those of request `n` when all of them have its number ([`read`]).
//!
//! The PEs of the node look for the next request. `turn` holds how many requests are carried out, and whether a PE
//! carries out some now. A PE that finds the next request takes the turn by an exchange, carries out the requests that
//! have arrived, one after the other, and gives the turn back ([`serve`]).
//!
//! * *Why once and in order*: only the PE that has the turn carries out requests and advances the number. `turn` never
//!   has the same value again, so a PE that read it long ago does not get the turn.
//! * *Why a slot has the words of its number*: the initiator puts request `n + slots` only when it knows that request
//!   `n` is carried out, and by then nobody reads that request's words any more. A PE that looks without having the
//!   turn may find words of several requests; it then finds no request, or one that it does not get the turn for.
//! * *Why nothing is carried out behind a gap*: if a request never arrives, the number does not advance.
//!
//! `SYNC(requests-turn)`: whoever gives the turn back releases it, whoever takes it acquires it. So the operations of
//! all requests of an initiator happen one after the other, and who says that `n` are carried out knows it.

use std::sync::atomic::{AtomicU64, Ordering};

/// A word shared by the PEs that look.
pub(crate) trait SharedWord {
    fn load(&self, order: Ordering) -> u64;
    fn store(&self, value: u64, order: Ordering);
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>;
}

impl SharedWord for AtomicU64 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }
    #[inline(always)]
    fn store(&self, value: u64, order: Ordering) {
        self.store(value, order);
    }
    #[inline(always)]
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.compare_exchange(from, to, success, failure)
    }
}

/// A PE carries out requests now. The other bits of `turn` count the requests that are carried out.
const BUSY: u64 = 1 << 63;

/// The words of a message with this number.
#[inline]
pub(crate) fn tagged<const N: usize>(number: u64, halves: [u32; N]) -> [u64; N] {
    halves.map(|half| u64::from(half) << 32 | u64::from(number as u32))
}

/// The message with this number, unless a word is still that of an earlier one.
#[inline]
pub(crate) fn read<const N: usize>(number: u64, load: impl Fn(usize, Ordering) -> u64) -> Option<[u32; N]> {
    let mut halves = [0; N];
    for (at, half) in halves.iter_mut().enumerate() {
        // SYNC(net-target) acquire: pairs with the network's release of each word that it stores. What the sender knew
        // to have arrived before it put the message is visible.
        let word = load(at, Ordering::Acquire);
        if word as u32 != number as u32 {
            return None;
        }
        *half = (word >> 32) as u32;
    }
    Some(halves)
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
        let inner = |_| assert_eq!(serve(&turn, 9, Some, |_, _| panic!("two at a time")), None);
        assert_eq!(serve(&turn, 1, Some, |number, _| inner(number)), Some(1));
    }

    #[test]
    fn a_message_is_found_when_all_its_words_have_arrived() {
        let (old, new) = (tagged(7, [1, 2, 3]), tagged(7 + (1 << 40), [u32::MAX, 0, 9]));
        assert_eq!(read(7, |at, _| old[at]), Some([1, 2, 3]));
        let new_or_old = |first: usize| move |at: usize, _: Ordering| if at < first { new[at] } else { 0 };
        (0..3).for_each(|first| assert_eq!(read::<3>(7 + (1 << 40), new_or_old(first)), None));
        assert_eq!(read(7 + (1 << 40), new_or_old(3)), Some([u32::MAX, 0, 9]));
    }
}

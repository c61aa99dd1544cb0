//! How exactly one of several PEs carries out a request that all of them can see.
//!
//! The initiator writes the request, then its number into `asked`, and writes the next one only when this one has been
//! answered. Of the PEs that look, the one that advances `taken` from the previous number to this one carries out the
//! request and answers it.
//!
//! * *Why once*: both words only grow, and `taken` passes each number by a single exchange. A PE that read the number
//!   long ago, since when others have taken this request and later ones, finds that `taken` no longer has the previous
//!   number, whatever it now is.
//! * *Why it has the words of that number*: it read them before the exchange. The exchange shows that nobody had taken
//!   the request by then, so there was no answer, and hence no later request.

use std::sync::atomic::{AtomicU64, Ordering};

/// A word shared by the initiator and the PEs that look.
pub(crate) trait SharedWord {
    fn load(&self, order: Ordering) -> u64;
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>;
}

impl SharedWord for AtomicU64 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }
    #[inline(always)]
    fn compare_exchange(&self, from: u64, to: u64, success: Ordering, failure: Ordering) -> Result<u64, u64> {
        self.compare_exchange(from, to, success, failure)
    }
}

/// Takes the last request, unless there is none or another PE has taken it. Returns its number and what `look` made of
/// its words; `look` returns `None` to leave the request to another PE.
#[inline]
pub(crate) fn take<T>(
    asked: &impl SharedWord,
    taken: &impl SharedWord,
    look: impl FnOnce() -> Option<T>,
) -> Option<(u64, T)> {
    // SYNC(net-target) acquire: pairs with the network's release of `asked`, which was put behind the request.
    let number = asked.load(Ordering::Acquire);
    // Relaxed: only decides whether to go on.
    if taken.load(Ordering::Relaxed).wrapping_add(1) != number {
        return None;
    }
    let found = look()?;
    // Relaxed: the PE that takes a request reads nothing that another one of these PEs wrote.
    taken.compare_exchange(number - 1, number, Ordering::Relaxed, Ordering::Relaxed).ok()?;
    Some((number, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_is_taken_once() {
        let (asked, taken) = (AtomicU64::new(0), AtomicU64::new(0));
        let take = |words| take(&asked, &taken, || words);
        assert_eq!(take(Some('0')), None, "nothing was asked");
        for number in 1..=3 {
            asked.store(number, Ordering::Relaxed);
            assert_eq!(take(None), None, "it was left to another");
            assert_eq!(take(Some('a')), Some((number, 'a')));
            assert_eq!(take(Some('b')), None, "it was taken before");
            assert_eq!(taken.load(Ordering::Relaxed), number);
        }
    }
}

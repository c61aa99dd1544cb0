//! Who carries out a request that one PE makes to several: any of them, once.
//!
//! The one who asks writes the request, then its number into `asked`, and writes the next when this one is answered. Of
//! those who look, the one that moves `taken` from the number before to this number carries the request out, and
//! answers.
//!
//! *Why once*: both words only grow, and `taken` passes each number by one exchange. One who saw a number long ago,
//! since when others have taken it and later ones, finds that `taken` is no longer the number before, whatever it is.
//! *Why it has the words of that number*: it has read them before the exchange, which shows that nobody had taken the
//! request, so there was no answer, and no later request.

use std::sync::atomic::{AtomicU64, Ordering};

/// A word that those who ask and those who look have in common.
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

/// Takes the last request, unless there is none or another has taken it; returns its number, and what `look` made of
/// its words. That gives `None` to leave the request to another.
#[inline]
pub(crate) fn take<T>(
    asked: &impl SharedWord,
    taken: &impl SharedWord,
    look: impl FnOnce() -> Option<T>,
) -> Option<(u64, T)> {
    // SYNC(net-target) acquire: pairs with the network's release of `asked`, which was put behind the request.
    let number = asked.load(Ordering::Acquire);
    // Relaxed: only tells whether to look further.
    if taken.load(Ordering::Relaxed).wrapping_add(1) != number {
        return None;
    }
    let found = look()?;
    // Relaxed: the one who takes a request reads nothing that another who looks wrote.
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

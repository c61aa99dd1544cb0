//! Waits for several words, each of which announces a number that was stored before it.

use crate::mix::mix;
use cushmem_device::{
    Cmp, DevPtr, Ivars, SignalOp, Word, signal_fetch, signal_op, signal_wait_until, test, test_all, test_any,
    test_some, wait_until, wait_until_all_for, wait_until_any, wait_until_any_for, wait_until_some,
    wait_until_some_for,
};

/// What a lane finds wrong: counts.
#[derive(Clone, Copy)]
pub(crate) struct Arriving<T> {
    /// The words, the numbers that they announce, what each word is to become, and the status array.
    pub(crate) words: DevPtr<T>,
    pub(crate) numbers: DevPtr<u64>,
    pub(crate) values: DevPtr<T>,
    pub(crate) taken: DevPtr<i32>,
    pub(crate) n: usize,
}

/// Takes what arrives in round `round`, one word at a time (`by` 0), as many as there are (1), or all at once (2), and
/// returns how many words were taken with the right number. The status array has a 1 for each word that is taken. `by`
/// is 3 or 4 for the first two without a limit.
///
/// # Safety
/// All arrays have `n` elements; `places` too.
#[inline(always)]
pub(crate) unsafe fn take<T: Word>(all: Arriving<T>, round: u64, by: u32, places: DevPtr<u64>, limit_ns: u64) -> u64 {
    let words = Ivars::new(all.words, all.n).with_status(all.taken);
    let mut right = 0;
    // SAFETY: the caller guarantees the sizes; places are below `n`.
    unsafe {
        let take = |at: usize| {
            let is_new = all.taken.add(at).read() == 0;
            all.taken.add(at).write(1);
            u64::from(is_new && all.numbers.add(at).read() == mix(round, at as u64))
        };
        match by {
            0 | 3 => loop {
                let found = match by {
                    0 => wait_until_any_for(words, Cmp::Eq, all.values, limit_ns),
                    _ => wait_until_any(words, Cmp::Eq, all.values),
                };
                let Some(at) = found else { break };
                right += take(at);
            },
            1 | 4 => loop {
                let found = match by {
                    1 => wait_until_some_for(words, Cmp::Eq, all.values, places, limit_ns),
                    _ => wait_until_some(words, Cmp::Eq, all.values, places),
                };
                if found == 0 {
                    break;
                }
                let mut i = 0;
                while i < found {
                    let is_ascending = i == 0 || places.add(i - 1).read() < places.add(i).read();
                    right += take(places.add(i).read() as usize) * u64::from(is_ascending);
                    i += 1;
                }
            },
            _ => {
                if wait_until_all_for(words, Cmp::Eq, all.values, limit_ns) {
                    let mut at = 0;
                    while at < all.n {
                        right += take(at);
                        at += 1;
                    }
                }
            }
        }
    }
    right
}

/// In each round waits, without a limit, until the first number is announced by `word` and the second by `sig`, and
/// answers with a signal. Counts in `wrong` what is not the round's.
///
/// # Safety
/// There are two numbers; all words are symmetric.
#[inline(always)]
pub(crate) unsafe fn answer(
    numbers: DevPtr<u64>,
    (word, sig): (DevPtr<i64>, DevPtr<u64>),
    (answer, peer): (DevPtr<u64>, u32),
    rounds: u64,
    wrong: DevPtr<u64>,
) {
    let (mut round, mut differ) = (1, 0);
    while round <= rounds {
        // SAFETY: the caller guarantees the words.
        unsafe {
            let seen = wait_until(word, Cmp::Ge, round as i64);
            differ += u64::from(seen != round as i64 || numbers.read() != mix(round, 0));
            // The signal may have come already.
            let before = signal_fetch(sig);
            differ += u64::from(before != round && before != round - 1);
            let seen = signal_wait_until(sig, Cmp::Ge, round);
            differ += u64::from(seen != round || numbers.add(1).read() != mix(round, 1));
            differ += u64::from(signal_fetch(sig) != round);
            signal_op(answer, round, SignalOp::Set, peer);
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the word.
    unsafe { wrong.write(differ) };
}

/// What the functions without a wait, and waits with a short limit, say of words that do not change: of each word alone
/// (a mask), of all, of any, of some (how many, and a mask of the places), then of the waits.
///
/// # Safety
/// `words`, `status`, `values` and `places` have `n` elements, `out` has 8.
#[inline(always)]
pub(crate) unsafe fn looks<T: Word>(
    words: DevPtr<T>,
    status: DevPtr<i32>,
    values: DevPtr<T>,
    n: usize,
    places: DevPtr<u64>,
    out: DevPtr<u64>,
) {
    const SHORT_NS: u64 = 1000;
    let all = Ivars::new(words, n).with_status(status);
    // SAFETY: the caller guarantees the sizes.
    unsafe {
        let mask = |count: usize| {
            let (mut mask, mut i) = (0, 0);
            while i < count {
                mask |= 1 << places.add(i).read();
                i += 1;
            }
            mask
        };
        let place = |found: Option<usize>| found.map_or(u64::MAX, |at| at as u64);
        let (mut alone, mut at) = (0u64, 0);
        while at < n {
            alone |= u64::from(test(words.add(at), Cmp::Eq, values.add(at).read())) << at;
            at += 1;
        }
        out.write(alone);
        out.add(1).write(test_all(all, Cmp::Eq, values).into());
        out.add(2).write(place(test_any(all, Cmp::Eq, values)));
        out.add(3).write(mask(test_some(all, Cmp::Eq, values, places)));
        out.add(4).write(wait_until_all_for(all, Cmp::Eq, values, SHORT_NS).into());
        out.add(5).write(place(wait_until_any_for(all, Cmp::Eq, values, SHORT_NS)));
        out.add(6).write(mask(wait_until_some_for(all, Cmp::Eq, values, places, SHORT_NS)));
        // One value for all words, none of which may differ from it.
        out.add(7).write(test_all(Ivars::new(words, n), Cmp::Ne, values.read()).into());
    }
}

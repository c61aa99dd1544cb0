//! Shapes in which each lane has words of its own, and one lane of the peer with which it exchanges them. That peer may
//! also be a CPU, which then plays all lanes.

use crate::run::{Found, Run, SECTOR, STRIDE, lane};
use cushmem_device::{Cmp, DevPtr, arch, g, globaltimer, my_pe, p, wait_until_for};

/// *Message passing*. Each side sends a word and then a flag, and looks at the word once the flag has come. Forbidden:
/// an old word. The look is a plain one, which the L1 cache may serve, and the word's line is in that cache: a wait
/// that does not acquire leaves it there. Rounds alternate between two words, of which the peer may store the next one
/// already.
///
/// # Safety
/// The words are as [`Run`] says.
#[inline(always)]
pub(crate) unsafe fn message(
    run: Run,
    send: impl Fn(DevPtr<u64>, DevPtr<u64>, u64),
    hear: impl Fn(DevPtr<u64>, u64) -> bool,
) {
    let (data, flag) = (run.data.add(STRIDE * lane()), run.flag.add(STRIDE * lane()));
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        let word = data.add(of_round(round));
        send(word, flag, round);
        // SAFETY: the caller guarantees the words.
        let beside = unsafe { beside(word) };
        if !hear(flag, round) {
            found.late = round;
            break;
        }
        // SAFETY: the caller guarantees the words; who stores the next value has heard that this lane has looked.
        found.forbidden += u64::from(unsafe { word.read() } != round || beside != 0);
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

/// *Message passing by additions*, which leave a number that is at least as high as the round's.
///
/// # Safety
/// The words are as [`Run`] says.
#[inline(always)]
pub(crate) unsafe fn additions(
    run: Run,
    send: impl Fn(DevPtr<u64>, DevPtr<u64>, u64),
    look: impl Fn(DevPtr<u64>) -> u64,
) {
    let (data, flag) = (run.data.add(STRIDE * lane()), run.flag.add(STRIDE * lane()));
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        send(data, flag, round);
        // SAFETY: the caller guarantees the words.
        if !unsafe { wait(run, flag, round) } {
            found.late = round;
            break;
        }
        found.forbidden += u64::from(look(data) < round);
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

/// Where a lane's word of a round lies: in one of two sectors of its line.
#[inline(always)]
pub(crate) fn of_round(round: u64) -> usize {
    (round % 2) as usize * SECTOR
}

/// Loads the word beside this one, which nobody stores, and so brings the sector of both into the L1 cache. Returns 0.
///
/// # Safety
/// The word is the first of a sector.
#[inline(always)]
pub(crate) unsafe fn beside(word: DevPtr<u64>) -> u64 {
    // SAFETY: the caller guarantees the sector.
    unsafe { word.add(1).read() }
}

/// Waits for a flag as the API does.
///
/// # Safety
/// The flag is valid.
#[inline(always)]
pub(crate) unsafe fn wait(run: Run, flag: DevPtr<u64>, round: u64) -> bool {
    // SAFETY: the caller guarantees the flag.
    unsafe { wait_until_for(flag, Cmp::Ge, round, run.limit_ns).is_some() }
}

/// Waits for a flag by gets, which acquire nothing.
///
/// # Safety
/// The flag is a symmetric word.
#[inline(always)]
pub(crate) unsafe fn poll(run: Run, flag: DevPtr<u64>, round: u64) -> bool {
    let (start, mut looks) = (globaltimer(), 0u64);
    // SAFETY: the caller guarantees the flag.
    while unsafe { g(flag, my_pe()) } < round {
        arch::pause();
        looks += 1;
        if looks.is_multiple_of(64) && globaltimer().wrapping_sub(start) > run.limit_ns {
            return false;
        }
    }
    true
}

/// *Store buffering*. Each side stores a word and then loads the other's. Forbidden: neither sees the other's word.
/// Afterwards they tell each other what they saw. The words lie with who stores them (`way` 0) or with who loads them
/// (1).
///
/// # Safety
/// The words are as [`Run`] says.
#[inline(always)]
pub(crate) unsafe fn store_buffering(run: Run, order: impl Fn()) {
    let (word, told) = (run.data.add(STRIDE * lane()), run.told.add(STRIDE * lane()));
    let (to, from) = if run.way == 0 { (my_pe(), run.peer) } else { (run.peer, my_pe()) };
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        // SAFETY: the caller guarantees the words. The peer may already be in the next round, which has another word
        // to tell, but not in the one after that.
        unsafe {
            p(word, round, to);
            order();
            let missed = u64::from(g(word, from) < round);
            let told = told.add((round % 2) as usize);
            p(told, 2 * round + missed, run.peer);
            let Some(other) = wait_until_for(told, Cmp::Ge, 2 * round, run.limit_ns) else {
                found.late = round;
                break;
            };
            let missed = missed + (other & 1);
            found.forbidden += u64::from(missed == 2);
            found.overlapped += u64::from(missed == 0);
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

/// *Coherence*. Each side adds to a word of the other, and loads its own word twice. Forbidden: the later load returns
/// the older value.
///
/// # Safety
/// The words are as [`Run`] says.
#[inline(always)]
pub(crate) unsafe fn coherence(run: Run, add: impl Fn(DevPtr<u64>), look: impl Fn(DevPtr<u64>) -> u64) {
    let data = run.data.add(STRIDE * lane());
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        add(data);
        let (first, second) = (look(data), look(data));
        found.forbidden += u64::from(second < first);
        found.overlapped += u64::from(second > first);
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

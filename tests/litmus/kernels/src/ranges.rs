//! Shapes in which the lanes of a scope send a range together, and one of them announces it. Each lane looks at words
//! that another lane has sent.

use crate::run::{Found, PART, Run, STRIDE, all_lanes, lane};
use cushmem_device::{Cmp, DevPtr, Scope, g, my_pe, p, wait_until_for};

/// What a scope sends in a round, and where to.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub(crate) to: DevPtr<u64>,
    pub(crate) from: DevPtr<u64>,
    pub(crate) words: usize,
    /// A word on each PE that announces the range.
    pub(crate) flag: DevPtr<u64>,
    /// A word of this PE that holds the flag's value.
    pub(crate) value: DevPtr<u64>,
    pub(crate) round: u64,
    /// Whether this lane is the one that announces the range, where that is left to any lane: not always the first one,
    /// if `way` is 1.
    pub(crate) announces: bool,
}

/// *Message passing* by a scope. Forbidden: a word that is not of this round. The looks are plain ones, which the L1
/// cache may serve; it may still have the words of the round before the last. Rounds alternate between two halves of
/// the data: the peer sends to a half again when it has the flag of the round between, and so when this scope has
/// looked.
///
/// # Safety
/// The words are as [`Run`] says.
#[inline(always)]
pub(crate) unsafe fn ranges<S: Scope>(scope: S, run: Run, send: impl Fn(Range)) {
    let (lane, lanes, mine) = (lane(), scope.lanes(), scope.lane());
    let first = lane - mine;
    let neighbour = (mine + 1) % lanes;
    let words = PART * lanes;
    let flag = run.flag.add(STRIDE * first);
    let all = run.source.add(PART * first);
    // Behind the parts of all lanes comes a word of each.
    let value = run.source.add(PART * all_lanes() + first);
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        let half = run.data.add(2 * PART * first + (round % 2) as usize * words);
        let announcer = if run.way == 0 { 0 } else { round as usize % lanes };
        // SAFETY: the caller guarantees the words. The source may change: the last put of the scope has returned.
        unsafe {
            let mut i = 0;
            while i < PART {
                all.add(PART * mine + i).write(round);
                i += 1;
            }
            if mine == 0 {
                value.write(round);
            }
            scope.sync();
            let announces = mine == announcer;
            send(Range { to: half, from: all, words, flag, value, round, announces });
            let came = mine != 0 || wait_until_for(flag, Cmp::Ge, round, run.limit_ns).is_some();
            // All lanes of a scope leave together, and see what the one that waited sees.
            if scope.any(!came) {
                found.late = round;
                break;
            }
            let mut wrong = false;
            i = 0;
            while i < PART {
                wrong |= half.add(PART * neighbour + i).read() != round;
                i += 1;
            }
            found.forbidden += u64::from(wrong);
            // Nobody announces the next round before all have looked.
            scope.sync();
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

/// *Store buffering* by a block, of which each lane loads a word that another lane of the peer has stored. Forbidden:
/// on both sides there is a lane that misses a word.
///
/// # Safety
/// The words are as [`Run`] says.
#[inline(always)]
pub(crate) unsafe fn store_buffering_by<S: Scope>(scope: S, run: Run, order: impl Fn()) {
    let (lane, lanes, mine) = (lane(), scope.lanes(), scope.lane());
    let first = lane - mine;
    let (word, next) = (run.data.add(STRIDE * lane), run.data.add(STRIDE * (first + (mine + 1) % lanes)));
    let told = run.told.add(STRIDE * first);
    let (to, from) = if run.way == 0 { (my_pe(), run.peer) } else { (run.peer, my_pe()) };
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        // SAFETY: the caller guarantees the words.
        unsafe {
            p(word, round, to);
            order();
            let missed = scope.any(g(next, from) < round);
            let told = told.add((round % 2) as usize);
            let mut other = Some(0);
            if mine == 0 {
                p(told, 2 * round + u64::from(missed), run.peer);
                other = wait_until_for(told, Cmp::Ge, 2 * round, run.limit_ns);
            }
            if scope.any(other.is_none()) {
                found.late = round;
                break;
            }
            let theirs = other.is_some_and(|other| other & 1 != 0);
            found.forbidden += u64::from(missed && theirs);
            found.overlapped += u64::from(mine == 0 && !missed && !theirs);
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

//! Shapes of more than two parties, and of barriers.

use crate::run::{Found, Run, STRIDE, all_lanes, lane};
use crate::words::{beside, of_round};
use cushmem_device::{Block, Cmp, Scope, g, grid_sync, my_pe, p, wait_until_for};

/// Bits for what a reader saw in a round: the first word that it loads.
const SAW_FIRST: u64 = 1;
/// The second one.
const SAW_SECOND: u64 = 2;

/// *A chain*: PE 0 stores a word of PE 2 and tells PE 1, which tells PE 2, which looks at the word. Forbidden: an old
/// word.
///
/// # Safety
/// The words are as [`Run`] says; three PEs.
#[inline(always)]
pub(crate) unsafe fn chain(run: Run, complete: impl Fn(), order: impl Fn()) {
    let (data, flag) = (run.data.add(STRIDE * lane()), run.flag.add(STRIDE * lane()));
    let (me, mut round, mut found) = (my_pe(), 1, Found::default());
    while round <= run.rounds {
        // SAFETY: the caller guarantees the words.
        unsafe {
            if me == 0 {
                p(data, round, 2);
                complete();
                p(flag, round, 1);
            }
            let beside = beside(data);
            if wait_until_for(flag, Cmp::Ge, round, run.limit_ns).is_none() {
                found.late = round;
                break;
            }
            if me == 2 {
                // A plain look: PE 0 stores the next value when it has heard of this one.
                found.forbidden += u64::from(data.read() != round || beside != 0);
            }
            if me != 0 {
                order();
                p(flag, round, (me + 1) % 3);
            }
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

/// *Independent writes*: PEs 0 and 1 each store a word of their own. PE 2 loads PE 0's word and then PE 1's, and PE 3
/// loads them in the other order. Forbidden: both see only the first one, and so disagree on which came first.
///
/// # Safety
/// The words are as [`Run`] says; four PEs, with one block each.
#[inline(always)]
pub(crate) unsafe fn independent_writes(run: Run, order: impl Fn()) {
    let (word, told) = (run.data.add(STRIDE * lane()), run.told.add(STRIDE * lane()));
    let (me, mut round, mut found) = (my_pe(), 1, Found::default());
    while round <= run.rounds {
        Block.sync_all();
        // SAFETY: the caller guarantees the words.
        unsafe {
            if me < 2 {
                p(word, round, me);
            } else {
                let (first, second) = if me == 2 { (0, 1) } else { (1, 0) };
                let (mut looks, mut seen) = (0, 0);
                while seen < round && looks < 50 {
                    seen = g(word, first);
                    looks += 1;
                }
                order();
                let then = g(word, second);
                let mine = if seen >= round { SAW_FIRST } else { 0 } | if then >= round { SAW_SECOND } else { 0 };
                let told = told.add((round % 2) as usize);
                p(told, 4 * round + mine, 5 - me);
                let Some(other) = wait_until_for(told, Cmp::Ge, 4 * round, run.limit_ns) else {
                    // The other lanes go on: the barrier needs them all.
                    found.late = round;
                    round += 1;
                    continue;
                };
                found.forbidden += u64::from((mine, other % 4) == (SAW_FIRST, SAW_FIRST));
                found.overlapped += u64::from(mine == SAW_FIRST || other % 4 == SAW_FIRST);
            }
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

/// *A barrier of PEs*: each lane stores a word of the next PE, all meet, and each looks at a word that another lane of
/// the PE before has stored, by a plain load. Forbidden: any other than this round's. Rounds alternate between two
/// words.
///
/// # Safety
/// The words are as [`Run`] says; one block.
#[inline(always)]
pub(crate) unsafe fn barrier(run: Run) {
    let (mine, next) = (run.data.add(STRIDE * lane()), run.data.add(STRIDE * ((lane() + 1) % all_lanes())));
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        // SAFETY: the caller guarantees the words. A lane that stores a word again has met this one after
        // its look.
        unsafe {
            p(mine.add(of_round(round)), round, run.peer);
            let word = next.add(of_round(round));
            let beside = beside(word);
            Block.barrier_all();
            found.forbidden += u64::from(word.read() != round || beside != 0);
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

/// *A barrier of blocks*: each lane writes a word of this GPU, the grid meets, and each lane reads the word of a lane
/// of the next block. Forbidden: any other than this round's. Rounds alternate between two words.
///
/// # Safety
/// The words are as [`Run`] says; a cooperative launch.
#[inline(always)]
pub(crate) unsafe fn grid(run: Run) {
    let other = (lane() + Block.lanes()) % all_lanes();
    let (mut round, mut found) = (1, Found::default());
    while round <= run.rounds {
        let half = (round % 2) as usize;
        // SAFETY: the caller guarantees the words. The lane that reads a word meets the others before the
        // next write.
        unsafe {
            run.data.add(STRIDE * lane() + half).write(round);
            grid_sync(run.counter);
            found.forbidden += u64::from(run.data.add(STRIDE * other + half).read() != round);
        }
        round += 1;
    }
    // SAFETY: the caller guarantees the words.
    unsafe { run.report(found) };
}

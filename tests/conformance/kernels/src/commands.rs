//! Large numbers of requests to the CPU, and operations that follow copies by the CPU. Every wait has a limit.

use crate::mix::mix;
use crate::place;
use cushmem_device::{
    Block, Cmp, Ctx, DevPtr, Scope, SignalOp, Thread, Warp, arch, block_idx_x, g, my_pe, p, thread_idx_x,
    wait_until_for,
};

/// Words of a copy: too many to travel with the command.
pub const COPIED: usize = 7;

/// The value that a lane stores in a round, counted from 1. No other lane or round has the same value, and none has 0.
pub const fn named(pe: u32, block: u32, lane: u32, round: u64) -> u64 {
    (pe as u64) << 56 | (block as u64) << 40 | (lane as u64) << 28 | round
}

/// Every lane stores a word in each round, on the block's context, and leaves its completion to the CPU.
///
/// # Safety
/// `dst` is symmetric, a word for each lane and round.
#[inline(always)]
pub(crate) unsafe fn send_words(dst: DevPtr<u64>, rounds: u64, pe: u32) {
    let (context, lane, (_, lanes)) = (Ctx::new(), place::lane(), place::group(Thread));
    let mut round = 1;
    while round <= rounds {
        let word = dst.add((round as usize - 1) * lanes as usize + lane);
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { context.p(word, named(my_pe(), block_idx_x(), thread_idx_x(), round), pe) };
        round += 1;
    }
}

/// Puts the list's ranges (offset in `dst`, offset in `src`, bytes), each by a block, on its context. After every
/// second quiet it loads the last byte; `wrong` counts, for each block, how often that had not arrived.
///
/// # Safety
/// The list names ranges inside both; `wrong` has a word for each block.
#[inline(always)]
pub(crate) unsafe fn put_ranges(
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    list: DevPtr<u64>,
    n: u64,
    pe: u32,
    wrong: DevPtr<u64>,
) {
    let (context, (block, blocks)) = (Ctx::new(), place::block());
    let (mut i, mut round, mut missing) = (block, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while i < n {
            let entry = list.add(3 * i as usize);
            let (to, from, bytes) = (entry.read() as usize, entry.add(1).read() as usize, entry.add(2).read() as usize);
            if round % 3 == 0 {
                context.put(Block, dst.add(to), src.add(from), bytes, pe);
            } else {
                context.put_nbi(Block, dst.add(to), src.add(from), bytes, pe);
            }
            if round % 2 == 1 {
                context.quiet();
                Block.sync();
                let last = bytes - 1;
                if Block.lane() == 0 && context.g(dst.add(to + last), pe) != src.add(from + last).read() {
                    missing += 1;
                }
            }
            (i, round) = (i + blocks, round + 1);
        }
        if Block.lane() == 0 {
            wrong.add(block as usize).write(missing);
        }
    }
}

/// What [`put_and_spoil`] works on.
#[derive(Clone, Copy)]
pub(crate) struct Spoiled {
    /// Symmetric.
    pub(crate) dst: DevPtr<u8>,
    /// Private: `most` bytes per block.
    pub(crate) src: DevPtr<u8>,
    pub(crate) most: usize,
    /// `n` ranges: offset in `dst`, and number of bytes, at most `most`.
    pub(crate) list: DevPtr<u64>,
    pub(crate) n: u64,
    pub(crate) pe: u32,
}

/// The byte that is put into a range.
pub const fn spoiled(range: u64, i: usize) -> u8 {
    mix(range + 1, i as u64) as u8
}

/// Puts the ranges, each by a block, or by its first warp or lane in turn. All ranges come from one source of the
/// block, which is overwritten as soon as the put returns.
///
/// # Safety
/// As the fields say; blocks have whole warps.
#[inline(always)]
pub(crate) unsafe fn put_and_spoil(x: Spoiled) {
    let (context, (block, blocks), lane) = (Ctx::new(), place::block(), Block.lane());
    let src = x.src.add(block as usize * x.most);
    let mut range = block;
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while range < x.n {
            let entry = x.list.add(2 * range as usize);
            let (dst, bytes) = (x.dst.add(entry.read() as usize), entry.add(1).read() as usize);
            let mut i = lane;
            while i < bytes {
                src.add(i).write(spoiled(range, i));
                i += Block.lanes();
            }
            Block.sync();
            if range % 3 == 0 {
                context.put(Block, dst, src, bytes, x.pe);
            } else if range % 3 == 1 && lane < 32 {
                context.put(Warp, dst, src, bytes, x.pe);
            } else if range % 3 == 2 && lane == 0 {
                context.put(Thread, dst, src, bytes, x.pe);
            }
            Block.sync();
            i = lane;
            while i < bytes {
                src.add(i).write(0xff);
                i += Block.lanes();
            }
            Block.sync();
            range += blocks;
        }
    }
}

/// The word that a lane copies in a round.
#[inline(always)]
fn datum(lane: usize, round: u64, i: usize) -> u64 {
    mix(round, (COPIED * lane + i) as u64)
}

/// # Safety
/// `words` has [`COPIED`] words.
#[inline(always)]
unsafe fn fill(words: DevPtr<u64>, lane: usize, round: u64) {
    let mut i = 0;
    while i < COPIED {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { words.add(i).write(datum(lane, round, i)) };
        i += 1;
    }
}

/// Overwrites a source that may change.
///
/// # Safety
/// `words` has [`COPIED`] words.
#[inline(always)]
unsafe fn spoil(words: DevPtr<u64>) {
    let mut i = 0;
    while i < COPIED {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { words.add(i).write(u64::MAX) };
        i += 1;
    }
}

/// Puts. Every second time the source may change at once, otherwise after a quiet.
///
/// # Safety
/// Both have [`COPIED`] words; `dst` is symmetric.
#[inline(always)]
unsafe fn copy(context: &Ctx, dst: DevPtr<u64>, src: DevPtr<u64>, round: u64, pe: u32) {
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        if round.is_multiple_of(2) {
            context.put_nbi(Thread, dst, src, COPIED, pe);
        } else {
            context.put(Thread, dst, src, COPIED, pe);
            spoil(src);
        }
    }
}

/// Returns 1 if the words are not those of the round, otherwise 0.
///
/// # Safety
/// `words` has [`COPIED`] words, which this GPU reaches.
#[inline(always)]
unsafe fn differs(words: DevPtr<u64>, lane: usize, round: u64) -> u64 {
    let (mut i, mut differ) = (0, 0);
    while i < COPIED {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        if unsafe { g(words.add(i), my_pe()) } != datum(lane, round, i) {
            differ = 1;
        }
        i += 1;
    }
    differ
}

/// What an exchange works on, lane by lane.
#[derive(Clone, Copy)]
pub(crate) struct Messages {
    /// Symmetric: twice [`COPIED`] words per lane.
    pub(crate) data: DevPtr<u64>,
    /// [`COPIED`] words per lane.
    pub(crate) source: DevPtr<u64>,
    /// Symmetric: a word per lane.
    pub(crate) flag: DevPtr<u64>,
    pub(crate) rounds: u64,
    pub(crate) peer: u32,
    /// Two words per lane: how often the words differed, and the round in which no flag arrived.
    pub(crate) report: DevPtr<u64>,
    pub(crate) limit_ns: u64,
}

/// Both PEs put words that each lane has just stored, and overwrite their source as soon as they may. They compare the
/// words once they see the flag, which is the put's own signal or, with `FENCE`, a word that is stored after a fence.
///
/// # Safety
/// As the fields say.
#[inline(always)]
pub(crate) unsafe fn exchange<const FENCE: bool>(x: Messages) {
    let (lane, context) = (place::lane(), Ctx::new());
    let (data, source, flag) = (x.data.add(2 * COPIED * lane), x.source.add(COPIED * lane), x.flag.add(lane));
    let (mut round, mut wrong, mut late) = (1, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= x.rounds {
            // The peer writes this half again only after it has seen the next flag of this lane.
            let half = data.add((round % 2) as usize * COPIED);
            fill(source, lane, round);
            if FENCE {
                copy(&context, half, source, round, x.peer);
                context.fence();
                context.p(flag, round, x.peer);
                context.quiet();
                spoil(source);
            } else {
                context.put_signal(Thread, half, source, COPIED, flag, round, SignalOp::Set, x.peer);
                spoil(source);
            }
            if wait_until_for(flag, Cmp::Ge, round, x.limit_ns).is_none() {
                late = round;
                break;
            }
            wrong += differs(half, lane, round);
            round += 1;
        }
        x.report.add(2 * lane).write(wrong);
        x.report.add(2 * lane + 1).write(late);
    }
}

/// [`exchange`] with fences by block 0, while all other blocks store `others` words per lane.
///
/// # Safety
/// The conditions of [`exchange`], for the lanes of a block; `scratch` is symmetric, with a word for each lane of the
/// launch.
#[inline(always)]
pub(crate) unsafe fn exchange_among_others(x: Messages, scratch: DevPtr<u64>, others: u64) {
    if block_idx_x() == 0 {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        return unsafe { exchange::<true>(x) };
    }
    let (lane, context) = (place::lane(), Ctx::new());
    let mut i = 0;
    while i < others {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { context.p(scratch.add(lane), i, x.peer) };
        i += 1;
    }
}

/// PE 0 puts words to PE 2 and, after a quiet, sets a flag on PE 1, which gets the words from PE 2. `report` is as in
/// [`Messages`].
///
/// # Safety
/// `data` and `flag` are symmetric, [`COPIED`] words and one per lane; `local` has [`COPIED`] per lane. Three PEs take
/// part.
#[inline(always)]
pub(crate) unsafe fn copy_to_a_third(
    data: DevPtr<u64>,
    local: DevPtr<u64>,
    flag: DevPtr<u64>,
    rounds: u64,
    report: DevPtr<u64>,
    limit_ns: u64,
) {
    let (lane, context) = (place::lane(), Ctx::new());
    let (data, local, flag) = (data.add(COPIED * lane), local.add(COPIED * lane), flag.add(lane));
    let (mut round, mut wrong, mut late) = (1, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= rounds && my_pe() < 2 {
            if my_pe() == 0 {
                fill(local, lane, round);
                copy(&context, data, local, round, 2);
                context.quiet();
                spoil(local);
                p(flag, round, 1);
            }
            if wait_until_for(flag, Cmp::Ge, round, limit_ns).is_none() {
                late = round;
                break;
            }
            if my_pe() == 1 {
                context.get(Thread, local, data, COPIED, 2);
                wrong += differs(local, lane, round);
                p(flag, round, 0);
            }
            round += 1;
        }
        report.add(2 * lane).write(wrong);
        report.add(2 * lane + 1).write(late);
    }
}

/// Stores `n` words at offset `at` of the ring, and then runs until the limit, because a kernel that ended sooner would
/// not be named.
///
/// # Safety
/// The ring is not used any more, or these words are for its next slots.
#[inline(always)]
pub(crate) unsafe fn store_into_ring(words: DevPtr<u64>, n: usize, at: u64, limit_ns: u64) {
    let ring = DevPtr::<u64>::from_address(arch::context_ring() + at);
    let mut i = 0;
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while i < n {
            ring.add(i).write(words.add(i).read());
            i += 1;
        }
        wait_until_for(words, Cmp::Ne, words.read(), limit_ns);
    }
}

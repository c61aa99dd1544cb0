//! Litmus tests: small programs that distinguish one order of memory accesses from another. Every lane has its own
//! words and so runs its own copy; every wait has a limit.

use crate::place;
use cushmem_device::{
    Block, Cmp, Ctx, DevPtr, Scope, SignalOp, Thread, fence, g, my_pe, p, quiet, signal_op, wait_until_for,
};

/// Bits for what a lane saw in a round.
pub const SAW_FIRST: u64 = 1;
/// The second location held the round's value.
pub const SAW_SECOND: u64 = 2;

/// Both PEs send a word and then a flag, and check the word once they see the flag. `report` has two words per lane:
/// how often the word was old, and the round in which no flag arrived.
///
/// # Safety
/// `data` and `flag` are symmetric, a word per lane.
#[inline(always)]
pub(crate) unsafe fn message(
    data: DevPtr<u64>,
    flag: DevPtr<u64>,
    rounds: u64,
    peer: u32,
    report: DevPtr<u64>,
    limit_ns: u64,
) {
    let lane = place::lane();
    let (data, flag) = (data.add(lane), flag.add(lane));
    let (mut round, mut old, mut late) = (1, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= rounds {
            p(data, round, peer);
            fence();
            p(flag, round, peer);
            if wait_until_for(flag, Cmp::Ge, round, limit_ns).is_none() {
                late = round;
                break;
            }
            if g(data, my_pe()) < round {
                old += 1;
            }
            round += 1;
        }
        report.add(2 * lane).write(old);
        report.add(2 * lane + 1).write(late);
    }
}

/// Like [`message`], but the CPU carries out the signal: after a fence and as the signal of a put, alternately. `data`
/// has two words per lane, the second of which is the source; `flag` is in host memory.
///
/// # Safety
/// The conditions of [`message`].
#[inline(always)]
pub(crate) unsafe fn message_by_command(
    data: DevPtr<u64>,
    flag: DevPtr<u64>,
    rounds: u64,
    peer: u32,
    report: DevPtr<u64>,
    limit_ns: u64,
) {
    let lane = place::lane();
    let (data, source, flag) = (data.add(2 * lane), data.add(2 * lane + 1), flag.add(lane));
    let (mut round, mut old, mut late) = (1, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= rounds {
            if round % 2 == 0 {
                p(data, round, peer);
                fence();
                signal_op(flag, 1, SignalOp::Add, peer);
            } else {
                source.write(round);
                Ctx::new().put_signal(Thread, data, source, 1, flag, 1, SignalOp::Add, peer);
            }
            if wait_until_for(flag, Cmp::Ge, round, limit_ns).is_none() {
                late = round;
                break;
            }
            if g(data, my_pe()) < round {
                old += 1;
            }
            round += 1;
        }
        report.add(2 * lane).write(old);
        report.add(2 * lane + 1).write(late);
    }
}

/// Each lane asks the CPU for additions to a word of its own on `peer`, on the block's context, and checks the word
/// after a quiet. Then it leaves `left` more additions to the end of the kernel. `report` is as in [`message`].
///
/// # Safety
/// `counts` is symmetric, a word per lane, in host memory.
#[inline(always)]
pub(crate) unsafe fn quiet_for_commands(counts: DevPtr<u64>, rounds: u64, left: u64, peer: u32, report: DevPtr<u64>) {
    let (lane, context) = (place::lane(), Ctx::new());
    let count = counts.add(lane);
    let (mut round, mut old) = (1, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= rounds {
            context.atomic_add(count, 1, peer);
            context.quiet();
            if g(count, peer) < round {
                old += 1;
            }
            round += 1;
        }
        let mut more = 0;
        while more < left {
            context.atomic_add(count, 1, peer);
            more += 1;
        }
        report.add(2 * lane).write(old);
        report.add(2 * lane + 1).write(0);
    }
}

/// Like [`message`], but the CPU adds to the word, on the block's context, and the flag is the GPU's own store.
///
/// # Safety
/// The conditions of [`message`]; `data` is in host memory.
#[inline(always)]
pub(crate) unsafe fn message_behind_command(
    data: DevPtr<u64>,
    flag: DevPtr<u64>,
    rounds: u64,
    peer: u32,
    report: DevPtr<u64>,
    limit_ns: u64,
) {
    let (lane, context) = (place::lane(), Ctx::new());
    let (data, flag) = (data.add(lane), flag.add(lane));
    let (mut round, mut old, mut late) = (1, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= rounds {
            context.atomic_add(data, 1, peer);
            context.fence();
            p(flag, round, peer);
            if wait_until_for(flag, Cmp::Ge, round, limit_ns).is_none() {
                late = round;
                break;
            }
            if g(data, my_pe()) < round {
                old += 1;
            }
            round += 1;
        }
        report.add(2 * lane).write(old);
        report.add(2 * lane + 1).write(late);
    }
}

/// PE 0 writes a word of PE 2 and notifies PE 1, which notifies PE 2, which checks the word. `report` is as in
/// [`message`].
///
/// # Safety
/// `data` and `flag` are symmetric, a word per lane; three PEs take part.
#[inline(always)]
pub(crate) unsafe fn chain(data: DevPtr<u64>, flag: DevPtr<u64>, rounds: u64, report: DevPtr<u64>, limit_ns: u64) {
    let lane = place::lane();
    let (data, flag) = (data.add(lane), flag.add(lane));
    let (mut round, mut old, mut late) = (1, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= rounds {
            if my_pe() == 0 {
                p(data, round, 2);
                quiet();
                p(flag, round, 1);
            }
            if wait_until_for(flag, Cmp::Ge, round, limit_ns).is_none() {
                late = round;
                break;
            }
            match my_pe() {
                0 => {}
                1 => {
                    fence();
                    p(flag, round, 2);
                }
                _ => {
                    if g(data, 2) < round {
                        old += 1;
                    }
                    fence();
                    p(flag, round, 0);
                }
            }
            round += 1;
        }
        report.add(2 * lane).write(old);
        report.add(2 * lane + 1).write(late);
    }
}

/// PEs 0 and 1 each write a word, quiet, and read the other's word. `saw` gets what each lane saw in each round: at
/// least one of the two must see the other's word. The words lie with their reader (`remote_store` 1) or with their
/// writer (0).
///
/// # Safety
/// `words` is symmetric, a word per lane; `saw` has a word for each round and lane. One block per PE, which all PEs
/// launch.
#[inline(always)]
pub(crate) unsafe fn store_buffering(words: DevPtr<u64>, rounds: u64, remote_store: u32, saw: DevPtr<u64>) {
    let (lane, lanes) = (Block.lane(), Block.lanes());
    let (me, other) = (my_pe(), 1 - my_pe() % 2);
    let word = words.add(lane);
    let mut round = 1;
    while round <= rounds {
        Block.sync_all();
        if me < 2 {
            let (to, from) = if remote_store != 0 { (other, me) } else { (me, other) };
            // SAFETY: the caller guarantees what the function asks of its arguments.
            unsafe {
                p(word, round, to);
                quiet();
                let seen = if g(word, from) >= round { SAW_FIRST } else { 0 };
                saw.add((round as usize - 1) * lanes + lane).write(seen);
            }
        }
        round += 1;
    }
}

/// PEs 0 and 1 each write a word of their own. PE 2 reads PE 0's word and then PE 1's, and PE 3 reads them in the other
/// order, with a quiet in between: they must agree on which came first. `saw` gets [`SAW_FIRST`] and [`SAW_SECOND`] for
/// what each reader read first and second.
///
/// # Safety
/// The conditions of [`store_buffering`]; four PEs.
#[inline(always)]
pub(crate) unsafe fn independent_writes(words: DevPtr<u64>, rounds: u64, saw: DevPtr<u64>) {
    let (lane, lanes) = (Block.lane(), Block.lanes());
    let me = my_pe();
    let word = words.add(lane);
    let mut round = 1;
    while round <= rounds {
        Block.sync_all();
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            if me < 2 {
                p(word, round, me);
            } else if me < 4 {
                let (first, second) = if me == 2 { (0, 1) } else { (1, 0) };
                let mut looks = 0;
                let mut seen = 0;
                while seen < round && looks < 50 {
                    seen = g(word, first);
                    looks += 1;
                }
                quiet();
                let then = g(word, second);
                let bits = if seen >= round { SAW_FIRST } else { 0 } | if then >= round { SAW_SECOND } else { 0 };
                saw.add((round as usize - 1) * lanes + lane).write(bits);
            }
        }
        round += 1;
    }
}

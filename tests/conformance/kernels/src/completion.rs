//! Fences and quiets by a scope, and quiets for some PEs.

use crate::place;
use cushmem_device::{Cmp, Ctx, DevPtr, Scope, g, my_pe, p, wait_until_for};

/// What the lanes of a launch work on.
#[derive(Clone, Copy)]
pub(crate) struct News {
    /// Symmetric: a word per lane.
    pub(crate) data: DevPtr<u64>,
    /// Symmetric, in host memory: a word per lane.
    pub(crate) counts: DevPtr<u64>,
    /// Symmetric: a word per scope.
    pub(crate) flags: DevPtr<u64>,
    pub(crate) rounds: u64,
    pub(crate) peer: u32,
    /// Two words per lane: how often a word was old, and the round in which no flag arrived.
    pub(crate) report: DevPtr<u64>,
    pub(crate) limit_ns: u64,
}

/// Both PEs send a word and an addition by each lane of a scope, and one flag of the scope. A different lane stores the
/// flag in each round. Every second round the scope's fence is a quiet, and each lane then looks at what its neighbour
/// sent.
///
/// # Safety
/// As the fields say.
#[inline(always)]
pub(crate) unsafe fn scopes<S: Scope>(scope: S, x: News) {
    let (lane, context) = (place::lane(), Ctx::new());
    let (mine, (group, _)) = (scope.lane(), place::group(scope));
    let neighbour = lane - mine + (mine + 1) % scope.lanes();
    let flag = x.flags.add(group as usize);
    let (mut round, mut old, mut late) = (1, 0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= x.rounds {
            context.p(x.data.add(lane), round, x.peer);
            context.atomic_add(x.counts.add(lane), 1, x.peer);
            if round % 2 == 0 {
                context.fence_by(scope);
            } else {
                context.quiet_by(scope);
                old += u64::from(g(x.data.add(neighbour), x.peer) != round);
                old += u64::from(g(x.counts.add(neighbour), x.peer) != round);
            }
            if round % scope.lanes() as u64 == mine as u64 {
                p(flag, round, x.peer);
            }
            let came = wait_until_for(flag, Cmp::Ge, round, x.limit_ns).is_some();
            old += u64::from(came && g(x.data.add(lane), my_pe()) < round);
            old += u64::from(came && g(x.counts.add(lane), my_pe()) < round);
            // All lanes of a scope leave together. Nobody sends again before its neighbour has looked.
            if scope.any(!came) {
                late = round;
                break;
            }
            round += 1;
        }
        x.report.add(2 * lane).write(old);
        x.report.add(2 * lane + 1).write(late);
    }
}

/// Each lane adds to a word of its own on each PE of a list, and looks at these words after a quiet for the list.
/// `report` is as in [`News`].
///
/// # Safety
/// `counts` is symmetric, a word per lane, in host memory; the list has `n` PEs, each once.
#[inline(always)]
pub(crate) unsafe fn listed(counts: DevPtr<u64>, list: DevPtr<u32>, n: usize, rounds: u64, report: DevPtr<u64>) {
    let (lane, context) = (place::lane(), Ctx::new());
    let count = counts.add(lane);
    let (mut round, mut old) = (1, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while round <= rounds {
            let mut at = 0;
            while at < n {
                context.atomic_add(count, 1, list.add(at).read());
                at += 1;
            }
            context.pe_quiet(list, n);
            at = 0;
            while at < n {
                old += u64::from(g(count, list.add(at).read()) < round);
                at += 1;
            }
            round += 1;
        }
        report.add(2 * lane).write(old);
        report.add(2 * lane + 1).write(0);
    }
}

/// Each lane asks the CPU for additions to a word of its own on `peer`, on the block's context, and checks the word
/// after a quiet. Then it leaves `left` more additions to the end of the kernel. `report` is as in [`News`].
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

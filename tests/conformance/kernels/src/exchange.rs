//! Data with a signal. The receiver checks every word after the signal.

use crate::mix::mix;
use cushmem_device::{Cmp, Ctx, DevPtr, Scope, SignalOp, g, my_pe, quiet, signal_wait_until_for};

/// What an exchange works on.
#[derive(Clone, Copy)]
pub(crate) struct Exchange {
    /// Symmetric: two halves of `n` words.
    pub(crate) dst: DevPtr<u64>,
    /// Private: `n` words.
    pub(crate) src: DevPtr<u64>,
    pub(crate) n: usize,
    /// Symmetric.
    pub(crate) sig: DevPtr<u64>,
    pub(crate) rounds: u64,
    pub(crate) peer: u32,
    /// Private: the number of wrong words of each lane; then the round in which the wait ended without a signal.
    pub(crate) report: DevPtr<u64>,
    pub(crate) limit_ns: u64,
}

/// Each PE writes `n` words, puts them with a signal, waits for the peer's words and checks them. A half is written
/// again two rounds later, after the peer's next signal has shown that the peer no longer needs it. With `NBI`, a quiet
/// of the context comes before the source is written again.
///
/// # Safety
/// As the fields say; one scope per PE.
#[inline(always)]
pub(crate) unsafe fn run<S: Scope, const NBI: bool>(scope: S, x: Exchange, op: SignalOp) {
    let (lane, lanes, ctx) = (scope.lane(), scope.lanes(), Ctx::new());
    let late = x.report.add(lanes);
    let (mut round, mut wrong) = (1, 0);
    while round <= x.rounds {
        let half = x.dst.add((round % 2) as usize * x.n);
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            let mut i = lane;
            while i < x.n {
                x.src.add(i).write(mix(round, i as u64 + (u64::from(my_pe()) << 32)));
                i += lanes;
            }
            scope.sync();
            let value = if op == SignalOp::Add { 1 } else { round };
            match NBI {
                false => scope.put_signal(half, x.src, x.n, x.sig, value, op, x.peer),
                true if round % 3 == 0 => scope.put_signal_nbi(half, x.src, x.n, x.sig, value, op, x.peer),
                true => ctx.put_signal_nbi(scope, half, x.src, x.n, x.sig, value, op, x.peer),
            }
            if lane == 0 && signal_wait_until_for(x.sig, Cmp::Ge, round, x.limit_ns).is_none() {
                late.write(round);
            }
            scope.sync();
            if late.read() != 0 {
                break;
            }
            i = lane;
            while i < x.n {
                // A plain load: nobody writes the words before this PE's next signal.
                if half.add(i).read() != mix(round, i as u64 + (u64::from(x.peer) << 32)) {
                    wrong += 1;
                }
                i += lanes;
            }
            if NBI && lane == 0 {
                if round % 3 == 0 { quiet() } else { ctx.quiet() }
            }
            scope.sync();
        }
        round += 1;
    }
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe { x.report.add(lane).write(wrong) };
}

/// Waits for the CPU's signal, checks its data and answers with data and a signal, `rounds` times.
///
/// # Safety
/// As the fields say; `dst` and `sig` are symmetric memory that the CPU can watch.
#[inline(always)]
pub(crate) unsafe fn answer<S: Scope>(scope: S, x: Exchange) {
    let (lane, lanes) = (scope.lane(), scope.lanes());
    let late = x.report.add(lanes);
    let (mut round, mut wrong) = (1, 0);
    while round <= x.rounds {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            if lane == 0 && signal_wait_until_for(x.sig, Cmp::Ge, round, x.limit_ns).is_none() {
                late.write(round);
            }
            scope.sync();
            if late.read() != 0 {
                break;
            }
            let mut i = lane;
            while i < x.n {
                let seen = g(x.dst.add(i), my_pe());
                if seen != mix(round, i as u64) {
                    wrong += 1;
                }
                x.src.add(i).write(!seen);
                i += lanes;
            }
            scope.sync();
            scope.put_signal(x.dst, x.src, x.n, x.sig, round, SignalOp::Set, x.peer);
        }
        round += 1;
    }
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe { x.report.add(lane).write(wrong) };
}

/// The even PE sends words that change. The odd PE sends back what it received, directly from where it received it, and
/// the even PE checks what comes back.
///
/// # Safety
/// As the fields say; one scope per PE.
#[inline(always)]
pub(crate) unsafe fn relay<S: Scope>(scope: S, x: Exchange) {
    let (lane, lanes) = (scope.lane(), scope.lanes());
    let late = x.report.add(lanes);
    let starts = my_pe().is_multiple_of(2);
    let (mut round, mut wrong) = (1, 0);
    while round <= x.rounds {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            let mut i = lane;
            if starts {
                while i < x.n {
                    x.src.add(i).write(mix(round, i as u64));
                    i += lanes;
                }
                scope.sync();
                scope.put_signal(x.dst, x.src, x.n, x.sig, round, SignalOp::Set, x.peer);
            }
            if lane == 0 && signal_wait_until_for(x.sig, Cmp::Ge, round, x.limit_ns).is_none() {
                late.write(round);
            }
            scope.sync();
            if late.read() != 0 {
                break;
            }
            if starts {
                i = lane;
                while i < x.n {
                    if x.dst.add(i).read() != mix(round, i as u64) {
                        wrong += 1;
                    }
                    i += lanes;
                }
            } else {
                scope.put_signal(x.dst, x.dst, x.n, x.sig, round, SignalOp::Set, x.peer);
            }
            scope.sync();
        }
        round += 1;
    }
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe { x.report.add(lane).write(wrong) };
}

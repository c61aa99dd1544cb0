//! Barriers between PEs and between blocks. In each round a participant writes what another one reads after the
//! barrier. Rounds alternate between two halves: a participant in round `i + 2` has left barrier `i + 1`, so all have
//! read what round `i` wrote.

use crate::mix::mix;
use crate::place;
use cushmem_device::{
    Block, Cmp, DevPtr, DeviceTeam, Scope, SignalOp, g, globaltimer, grid_sync, my_pe, n_pes, p, signal_op,
    wait_until_for,
};

/// What a launch of [`pes`] works on.
#[derive(Clone, Copy)]
pub(crate) struct Meeting {
    /// Symmetric: two halves, each with a word per PE.
    pub(crate) slots: DevPtr<u64>,
    pub(crate) first: u64,
    pub(crate) rounds: u64,
    /// Symmetric: counts wrong words.
    pub(crate) wrong: DevPtr<u64>,
}

/// Makes a PE late now and then, a different one each time.
#[inline(always)]
fn dawdle(round: u64) {
    let chance = mix(round, u64::from(my_pe()));
    if chance.is_multiple_of(16) {
        let start = globaltimer();
        while globaltimer().wrapping_sub(start) < chance >> 32 & 4095 {}
    }
}

/// Makes a lane late with its store once in `times` times, while the other lanes of its scope run on. (The emulation
/// polls these in turn.)
///
/// # Safety
/// `wrong` is a counter of wrong words.
#[inline(always)]
unsafe fn linger(wrong: DevPtr<u64>, round: u64, number: u64, times: u64) {
    if (mix(round, number) >> 32).is_multiple_of(times) {
        // SAFETY: the caller guarantees that it is a word. The word never gets so large, so this ends after the minimum
        // number of polls.
        let _ = unsafe { wait_until_for(wrong, Cmp::Eq, u64::MAX, 0) };
    }
}

/// Whether this lane writes for its block in this round. It is not always the first lane, which enters barriers for
/// all.
#[inline(always)]
fn writes(round: u64, block: u64) -> bool {
    mix(round, block) % Block.lanes() as u64 == Block.lane() as u64
}

/// Rounds in which every PE sends the round's number to every PE before the barrier.
///
/// # Safety
/// The slots and the count are symmetric.
#[inline(always)]
pub(crate) unsafe fn pes<S: Scope, const QUIET: bool>(scope: S, meeting: Meeting) {
    let meet = || if QUIET { scope.barrier_all() } else { scope.sync_all() };
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe { members(scope, meeting, (my_pe(), n_pes()), |q| q, meet) }
}

/// Like [`pes`], among the PEs of a team, with a word for each of its PEs.
///
/// # Safety
/// The slots and the count are symmetric; the team is the host's.
#[inline(always)]
pub(crate) unsafe fn team<S: Scope>(scope: S, team: DeviceTeam, meeting: Meeting) {
    // SAFETY: the caller guarantees what the functions ask of their arguments.
    unsafe { members(scope, meeting, (team.my_pe, team.n_pes), |q| team.pe(q), || scope.team_sync(team)) }
}

/// Like [`team`], with barriers of the team in this slot.
///
/// # Safety
/// The slots and the count are symmetric; the host has a team in the slot.
#[inline(always)]
pub(crate) unsafe fn team_of_slot<S: Scope>(scope: S, slot: u32, meeting: Meeting) {
    let team = cushmem_device::team(slot);
    // SAFETY: the caller guarantees what the functions ask of their arguments.
    unsafe { members(scope, meeting, (team.my_pe, team.n_pes), |q| team.pe(q), || scope.team_barrier(team)) }
}

/// Rounds of member `me` of `n`, where `pe` is the PE of a member.
///
/// # Safety
/// The slots and the count are symmetric.
#[inline(always)]
unsafe fn members<S: Scope>(scope: S, meeting: Meeting, (me, n): (u32, u32), pe: impl Fn(u32) -> u32, meet: impl Fn()) {
    let n = n as usize;
    let (mut round, mut wrong) = (meeting.first, 0);
    while round < meeting.first + meeting.rounds {
        let half = meeting.slots.add((round % 2) as usize * n);
        // Start with the last lane, because the first lanes enter the barrier for all.
        let mut q = scope.lanes() - 1 - scope.lane();
        while q < n {
            // SAFETY: the caller guarantees what the function asks of its arguments.
            unsafe {
                linger(meeting.wrong, round, q as u64, 64);
                p(half.add(me as usize), mix(round, u64::from(my_pe())), pe(q as u32));
            }
            q += scope.lanes();
        }
        if scope.lane() == 0 {
            dawdle(round);
        }
        meet();
        q = scope.lane();
        while q < n {
            // SAFETY: the caller guarantees what the function asks of its arguments. A plain load: nobody writes the
            // word now, and the L1 cache may hold an old one.
            if unsafe { half.add(q).read() } != mix(round, u64::from(pe(q as u32))) {
                wrong += 1;
            }
            q += scope.lanes();
        }
        round += 1;
    }
    if wrong != 0 {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { signal_op(meeting.wrong, wrong, SignalOp::Add, my_pe()) };
    }
}

/// Rounds in which every block writes a word, and every lane reads another block's word.
///
/// # Safety
/// `words` has two halves, each with a word per block; `counter` is the stream's.
#[inline(always)]
pub(crate) unsafe fn blocks(counter: DevPtr<u32>, words: DevPtr<u64>, rounds: u64, wrong: DevPtr<u64>) {
    let (block, n) = place::block();
    let other = (block + 1 + Block.lane() as u64) % n;
    let (mut round, mut count) = (0, 0);
    while round < rounds {
        let half = words.add((round % 2 * n) as usize);
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            if writes(round, block) {
                linger(wrong, round, block, 8);
                half.add(block as usize).write(mix(round, block));
            }
            grid_sync(counter);
            if half.add(other as usize).read() != mix(round, other) {
                count += 1;
            }
        }
        round += 1;
    }
    if count != 0 {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { signal_op(wrong, count, SignalOp::Add, my_pe()) };
    }
}

/// Rounds in which every block writes to the same block of the next PE, followed by a barrier of all blocks of all PEs.
///
/// # Safety
/// `words` is symmetric, with two halves, each with a word per block; `counter` is the stream's.
#[inline(always)]
pub(crate) unsafe fn blocks_of_pes(counter: DevPtr<u32>, words: DevPtr<u64>, rounds: u64, wrong: DevPtr<u64>) {
    let (block, n) = place::block();
    let (next, previous) = ((my_pe() + 1) % n_pes(), (my_pe() + n_pes() - 1) % n_pes());
    let other = (block + 1 + Block.lane() as u64) % n;
    let (mut round, mut count) = (0, 0);
    while round < rounds {
        let half = words.add((round % 2 * n) as usize);
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            if writes(round, block) {
                linger(wrong, round, block, 8);
                p(half.add(block as usize), mix(round, block + u64::from(my_pe())), next);
            }
            grid_sync(counter);
            if block == 0 {
                Block.barrier_all();
            }
            grid_sync(counter);
            if g(half.add(other as usize), my_pe()) != mix(round, other + u64::from(previous)) {
                count += 1;
            }
        }
        round += 1;
    }
    if count != 0 {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { signal_op(wrong, count, SignalOp::Add, my_pe()) };
    }
}

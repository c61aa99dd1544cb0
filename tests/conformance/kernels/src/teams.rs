//! Teams that kernels find by their slots, and contexts for their PEs.

use crate::meet::{Meeting, team_of_slot};
use crate::mix::mix;
use cushmem_device::{
    Block, Cmp, DevPtr, DeviceTeam, Scope, SignalOp, TeamCtx, Thread, Warp, kernels_of_module, team, team_my_pe,
    team_n_pes, team_translate_pe, team_world, wait_until_for,
};

kernels_of_module! {
    /// Barriers of a team by one lane per PE.
    pub unsafe fn team_barrier_thread(slot: u32, slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        team_of_slot(Thread, slot, Meeting { slots, first, rounds, wrong });
    }

    /// Barriers of a team by one warp per PE.
    pub unsafe fn team_barrier_warp(slot: u32, slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        team_of_slot(Warp, slot, Meeting { slots, first, rounds, wrong });
    }

    /// Barriers of a team by one block per PE.
    pub unsafe fn team_barrier_block(slot: u32, slots: DevPtr<u64>, first: u64, rounds: u64, wrong: DevPtr<u64>) {
        team_of_slot(Block, slot, Meeting { slots, first, rounds, wrong });
    }

    /// One barrier of a team by a lane.
    pub unsafe fn team_barrier_once(slot: u32) {
        Thread.team_barrier(team(slot));
    }

    /// What a lane knows of a team.
    pub unsafe fn tell_team(slot: u32, other: u32, out: DevPtr<u64>) {
        tell(team(slot), team(other), out);
    }

    /// What a lane knows of a team that is made while it runs.
    pub unsafe fn tell_team_later(word: DevPtr<u64>, out: DevPtr<u64>, limit_ns: u64) {
        tell_later(word, out, limit_ns);
    }

    /// Operations of a block on the context of a team.
    pub unsafe fn operate_in_team(slot: u32, inbox: DevPtr<u64>, counts: DevPtr<u64>, scratch: DevPtr<u64>, wrong: DevPtr<u64>) {
        operate(slot, inbox, counts, scratch, wrong);
    }

    /// A store on the context of a team.
    pub unsafe fn p_in_team(slot: u32, word: DevPtr<u64>, value: u64, number: u32) {
        TeamCtx::new(team(slot)).p(word, value, number);
    }

    /// The translation of a number in a team.
    pub unsafe fn translate(slot: u32, number: u32) {
        team_translate_pe(team(slot), number, team_world());
    }

    /// A quiet for a list of numbers in a team.
    pub unsafe fn pe_quiet_in_team(slot: u32, list: DevPtr<u32>, n: usize) {
        TeamCtx::new(team(slot)).pe_quiet(list, n);
    }
}

/// Words in which a lane writes what it knows of a team of `n` PEs: its number and theirs, and the numbers of all PEs
/// in the team of all PEs and in another team.
pub const fn known_words(n: usize) -> usize {
    2 + 2 * n
}

/// The number of a PE that is not in a team.
pub const NOT_THERE: u64 = u64::MAX;

/// Writes what is known of a team into [`known_words`] words.
///
/// # Safety
/// `out` has room for them.
#[inline(always)]
pub(crate) unsafe fn tell(mine: DeviceTeam, other: DeviceTeam, out: DevPtr<u64>) {
    let number = |to: DeviceTeam, pe: u32| team_translate_pe(mine, pe, to).map_or(NOT_THERE, u64::from);
    let n = team_n_pes(mine);
    // SAFETY: the caller guarantees the room.
    unsafe {
        out.write(team_my_pe(mine).into());
        out.add(1).write(n.into());
        let mut pe = 0;
        while pe < n {
            out.add(2 + pe as usize).write(number(team_world(), pe));
            out.add((2 + n + pe) as usize).write(number(other, pe));
            pe += 1;
        }
    }
}

/// Waits until the host has stored 1 plus a slot into `word`, and looks at the team in that slot. Writes nothing if
/// nothing has come within the limit.
///
/// # Safety
/// The conditions of [`tell`].
#[inline(always)]
pub(crate) unsafe fn tell_later(word: DevPtr<u64>, out: DevPtr<u64>, limit_ns: u64) {
    // SAFETY: the caller guarantees what the functions ask of their arguments.
    unsafe {
        if let Some(slot) = wait_until_for(word, Cmp::Gt, 0, limit_ns) {
            let mine = team(slot as u32 - 1);
            tell(mine, mine, out);
        }
    }
}

/// Words of each PE of a team that [`operate`] works on, on the PE that it names.
pub const TEAM_WORDS: usize = 8;

/// The block sends to each PE of the team, and gets back what it has sent. Counts what differs in `wrong`. Each PE has
/// [`TEAM_WORDS`] words for each PE of the team on `inbox`, which are 0.
///
/// # Safety
/// `inbox` and `counts` are symmetric; `counts` is in host memory and has 2 words. `scratch` has 4 words, `wrong` one.
#[inline(always)]
pub(crate) unsafe fn operate(
    slot: u32,
    inbox: DevPtr<u64>,
    counts: DevPtr<u64>,
    scratch: DevPtr<u64>,
    wrong: DevPtr<u64>,
) {
    let mine = team(slot);
    let (context, me) = (TeamCtx::new(mine), u64::from(team_my_pe(mine)));
    let words = inbox.add(me as usize * TEAM_WORDS);
    let (mut pe, mut differ) = (0, 0);
    while pe < team_n_pes(mine) {
        let value = |i: u64| mix(me << 32 | u64::from(pe), i);
        // SAFETY: the caller guarantees what the functions ask of their arguments.
        unsafe {
            if Block.lane() < 2 {
                scratch.add(Block.lane()).write(value(Block.lane() as u64));
            }
            Block.sync();
            context.put(Block, words, scratch, 2, pe);
            if Block.lane() == 0 {
                context.p(words.add(2), value(2), pe);
                context.atomic_set(words.add(3), value(3), pe);
                context.atomic_add(counts, 1, pe);
                context.put_signal(Thread, words.add(4), scratch, 1, words.add(5), value(5), SignalOp::Set, pe);
                context.signal_op(words.add(6), value(6), SignalOp::Set, pe);
            }
            context.quiet_by(Block);
            context.get(Block, scratch.add(2), words, 2, pe);
            if Block.lane() == 0 {
                let got = [scratch.add(2).read(), scratch.add(3).read()];
                differ += u64::from(got[0] != value(0)) + u64::from(got[1] != value(1));
                differ += u64::from(context.g(words.add(2), pe) != value(2));
                differ += u64::from(context.atomic_fetch(words.add(3), pe) != value(3));
                differ += u64::from(context.g(words.add(4), pe) != value(0));
                context.atomic_fetch_add(counts.add(1), 1, pe);
            }
        }
        Block.sync();
        pe += 1;
    }
    if Block.lane() == 0 {
        // SAFETY: the caller guarantees the word.
        unsafe { wrong.write(differ) };
    }
}

//! What kernels ask the CPU for on contexts of teams, in barriers of teams and in quiets by a scope, in a job with PEs
//! that are not mapped. The tests use the hand-made job of [`crate::far`].

use crate::far::{Far, Said, one};
use crate::routes::{ALL, HOST, Job, WORD};
use cushmem::Grid;
use cushmem_abi::{CommandKind, ContextDone, ErrorCode, HostRing, TeamEntry, WordKind, WordOp};
use cushmem_conformance_kernels as kernels;
use std::mem::offset_of;

/// PEs 1 and 3 of four, backwards; this PE, whose number is 0, is not among them, but its number does not matter here.
const TEAM: TeamEntry = TeamEntry { start: 3, stride: -2, n_pes: 2, my_pe: 1 };

/// Catches a command for the PE of the job that has the number, and a barrier of the team in another slot.
#[test]
fn a_team_by_its_slot() {
    let mut far = Far::new();
    far.alone.set_team(63, TEAM);
    let word = far.alone.objects::<u64>(WORD).0;
    for (number, pe) in [(0, 3), (1, 1)] {
        let set = Said::new(CommandKind::Word(WordOp::Set), 8, pe, [word.address(), 7, 0]);
        assert_eq!(far.said(kernels::p_in_team, one(), (63, word, 7, number)), [set]);
    }
    let numbers = [3 | u64::from((-2i32).cast_unsigned()) << 32, 2 | 1 << 32, 63];
    let meets = Said::new(CommandKind::Sync, 0, 0, numbers).with_reply();
    assert_eq!(far.said(kernels::team_barrier_once, one(), (63,)), [meets]);
}

/// Catches a kernel that goes on with a team that it cannot use, or with a number that is not in its team.
#[test]
fn what_is_no_team_ends_the_kernel() {
    let word = |far: &Far| far.alone.objects::<u64>(WORD).0;
    for (slot, n_pes) in [(62, 0), (63, 3), (64, 0), (u32::MAX, 0)] {
        let mut far = Far::new();
        far.alone.set_team(61, TEAM);
        // Its PEs are not evenly spaced.
        far.alone.set_team(63, TeamEntry { start: 0, stride: 0, n_pes: 3, my_pe: 2 });
        let args = (slot, word(&far), 7, 0);
        let (code, record) = far.refused(kernels::p_in_team, one(), args);
        assert_eq!((code, record.value, record.limit), (Some(ErrorCode::NoTeam), slot.into(), n_pes));
    }
    for number in [2, u32::MAX] {
        let mut far = Far::new();
        far.alone.set_team(5, TEAM);
        let args = (5, word(&far), 7, number);
        let (code, record) = far.refused(kernels::p_in_team, one(), args);
        let expected = (Some(ErrorCode::PeOutOfTeam), number, 5, 2);
        assert_eq!((code, record.pe, record.value, record.limit), expected);
        let (code, record) = far_with(TEAM).refused(kernels::translate, one(), (5, number));
        assert_eq!((code, record.pe, record.value, record.limit), expected);
    }
}

fn far_with(team: TeamEntry) -> Far {
    let far = Far::new();
    far.alone.set_team(5, team);
    far
}

/// Catches a quiet of a scope that goes on before the commands of all of its lanes are complete, and one whose wait the
/// host cannot read.
#[test]
fn a_quiet_of_a_block_waits_for_the_commands_of_its_lanes() {
    let mut limits = [200_000_000, 2_000_000_000, 20_000_000_000].into_iter();
    loop {
        let limit = limits.next().expect("the last one has been judged");
        // Nobody answers.
        let far = Far::of(Job { far: 1, wait_limit_ns: limit, ..Job::of_four([ALL, 0, ALL, HOST]) });
        let objects = [0, 512, 1024].map(|at| far.alone.objects::<u64>(WORD + at).0);
        let report = far.alone.objects::<u64>(WORD + 4096).0;
        let args = (objects[0], objects[1], objects[2], 1, 1, report, 0);
        let (code, record) = far.alone.give_up(kernels::news_by_block, Grid::linear(1, 64), args);
        assert_eq!((code, record.limit), (Some(ErrorCode::NoReply), limit));
        // SAFETY: the kernel has ended, and nobody else accesses the record.
        let wait = unsafe { far.alone.reports.read_volatile() }.wait;
        if wait.address == 0 && limits.len() > 0 {
            // A lane that gets no core until the limit has passed gives up without a report.
            continue;
        }
        // The record is withdrawn when the wait ends, and otherwise stays. One lane waits for the word of the block's
        // context: a chunk from each warp, and an addition from each lane.
        let done = offset_of!(HostRing, done) + size_of::<ContextDone>();
        assert_eq!((wait.address, wait.lane), (far.alone.context.ring + done as u64, 0));
        assert_eq!((wait.comparison, wait.kind), (0, WordKind::Unsigned as u32));
        assert_eq!((wait.wanted, wait.seen), (2 + 64, 0));
        return;
    }
}

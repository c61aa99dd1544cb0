//! Teams that kernels find by their slots in the device tables, their barriers, and contexts for their PEs.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{ContextOptions, DevPtr, Grid, Kernel, Shmem, Team};
use cushmem_conformance::{conformance, expect_status};
use cushmem_conformance_kernels::{self as kernels, NOT_THERE, TEAM_WORDS, known_words, mix};

conformance! { soft, cuda => {
    kernels_know_teams_by_their_slots: 1, 2, 4, 5;
    a_kernel_learns_of_a_team_while_it_runs: 2, 4;
    barriers_of_teams: 1, 2, 4, 5;
    contexts_of_teams: 1, 2, 4, 5;
    a_slot_that_was_never_used: 1, 2;
    a_slot_whose_team_is_destroyed: 1, 2;
    a_slot_that_does_not_exist: 1;
    teams_are_destroyed_after_a_kernel_has_failed: 1, 2;
    numbers_that_are_not_in_the_team: 2;
    a_barrier_of_a_team_is_named: 2;
} }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => {
        barriers_of_teams: 2, 4;
        contexts_of_teams: 2, 4;
        a_split_that_fails_leaves_no_slot_behind: 2, 3;
    } }
}

/// The teams of a PE: some made before the GPUs start and some after it.
struct Split {
    row: Team,
    column: Team,
    backwards: Team,
    /// All PEs but the first, except on that one.
    rest: Option<Team>,
}

impl Split {
    fn new(shmem: &Shmem) -> Self {
        let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
        let (row, column) = shmem.team_split_2d(world, 2).expect("split");
        let backwards = shmem.team_split_strided(world, n - 1, -1, n).expect("split").expect("all are in");
        let rest = (n > 1).then(|| shmem.team_split_strided(world, 1, 1, n - 1).expect("split")).flatten();
        Self { row, column, backwards, rest }
    }

    fn all(&self) -> impl Iterator<Item = &Team> {
        [&self.row, &self.column, &self.backwards].into_iter().chain(&self.rest)
    }

    fn destroy(self, shmem: &Shmem) {
        [self.row, self.column, self.backwards].into_iter().chain(self.rest).for_each(|team| shmem.team_destroy(team));
    }
}

/// What the host knows of a team.
fn known(mine: &Team, other: &Team, world: &Team) -> Vec<u64> {
    let number = |pe, to| mine.translate_pe(pe, to).map_or(NOT_THERE, u64::from);
    let numbers = |to| (0..mine.n_pes()).map(move |pe| number(pe, to));
    [mine.my_pe(), mine.n_pes()].map(u64::from).into_iter().chain(numbers(world)).chain(numbers(other)).collect()
}

/// Catches an entry of another slot, one that keeps what an earlier team left there, one that is missing because the
/// team is older than the tables, and a number that is translated wrongly.
fn kernels_know_teams_by_their_slots(shmem: &Shmem) {
    let before = Split::new(shmem);
    let rig = Rig::new(shmem);
    let out = rig.private(&vec![0u64; known_words(shmem.n_pes() as usize)]);
    let check = |teams: &[&Team]| {
        for mine in teams {
            for other in teams {
                rig.run(
                    kernels::tell_team,
                    Grid::linear(1, 1),
                    (mine.slot() as u32, other.slot() as u32, out.device_ptr()),
                );
                let expected = known(mine, other, shmem.team_world());
                assert_eq!(out.to_vec().expect("read")[..expected.len()], expected, "{mine:?} {other:?}");
            }
        }
    };
    let split = |one: &Split, others: &[&Team]| check(&one.all().chain(others.iter().copied()).collect::<Vec<_>>());
    split(&before, &[shmem.team_world()]);
    if shmem.team_shared().pes() == shmem.team_world().pes() {
        check(&[shmem.team_shared(), &before.row]);
    }
    let after = Split::new(shmem);
    split(&after, &[&before.column, &before.row]);
    before.destroy(shmem);
    // In slots of others.
    let again = Split::new(shmem);
    split(&again, &[&after.row]);
    after.destroy(shmem);
    split(&again, &[]);
    rig.barrier();
}

/// Catches an entry that is not complete when the host has made the team.
fn a_kernel_learns_of_a_team_while_it_runs(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (word, out) = (rig.symmetric(&[0u64]), rig.private(&vec![0u64; known_words(shmem.n_pes() as usize)]));
    for round in 0..rig.times(20, 100) {
        word.copy_from(&[0]).expect("write");
        rig.start(kernels::tell_team_later, Grid::linear(1, 1), (word.device_ptr(), out.device_ptr(), LIMIT_NS));
        let split = Split::new(shmem);
        let mine = if round % 2 == 0 { &split.column } else { &split.backwards };
        shmem.p(word.at(0), 1 + mine.slot() as u64, shmem.my_pe()).expect("p");
        rig.wait();
        let expected = known(mine, mine, shmem.team_world());
        assert_eq!(out.to_vec().expect("read")[..expected.len()], expected, "{mine:?}");
        split.destroy(shmem);
    }
    rig.barrier();
}

/// Catches a barrier of a team that waits for other PEs or lets one go early, and one that does not complete stores.
fn barriers_of_teams(shmem: &Shmem) {
    type Rounds = (u32, DevPtr<u64>, u64, u64, DevPtr<u64>);
    let rig = Rig::new(shmem);
    let split = Split::new(shmem);
    let rounds = rig.times(60, 1000);
    let run = |team: &Team| {
        let n = shmem.n_pes() as usize;
        let (slots, wrong) = (rig.symmetric(&vec![0u64; 2 * n]), rig.symmetric(&[0u64]));
        shmem.team_sync(team).expect("sync");
        let ends = (slots.device_ptr(), wrong.device_ptr());
        fn start(rig: &Rig<'_>, kernel: impl Kernel<Args = Rounds>, lanes: u32, args: Rounds) {
            rig.start(kernel, Grid::linear(1, lanes), args);
        }
        let args = |part| (team.slot() as u32, ends.0, 1 + part * rounds, rounds, ends.1);
        start(&rig, kernels::team_barrier_thread, 1, args(0));
        start(&rig, kernels::team_barrier_warp, 32, args(1));
        start(&rig, kernels::team_barrier_block, 48, args(2));
        rig.wait();
        assert_eq!(wrong.to_vec().expect("read"), [0], "{team:?}: words of another round");
    };
    // Symmetric memory is allocated by all PEs, so they go through the teams together.
    for team in [&split.row, &split.column, &split.backwards, shmem.team_world()] {
        run(team);
        rig.barrier();
    }
    rig.barrier();
}

/// Catches an operation of a team's context that goes to the PE of the job with that number.
fn contexts_of_teams(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let split = Split::new(shmem);
    for team in [&split.row, &split.column, &split.backwards] {
        let n = team.n_pes() as usize;
        let most = shmem.n_pes() as usize;
        let (inbox, counts) = (rig.symmetric(&vec![0u64; most * TEAM_WORDS]), rig.on_host(&[0u64; 2]));
        let (scratch, wrong) = (rig.private(&[0u64; 4]), rig.private(&[9u64]));
        rig.barrier();
        let args =
            (team.slot() as u32, inbox.device_ptr(), counts.device_ptr(), scratch.device_ptr(), wrong.device_ptr());
        rig.run(kernels::operate_in_team, Grid::linear(1, 64), args);
        rig.barrier();
        assert_eq!(wrong.to_vec().expect("read"), [0], "{team:?}: words that came back");
        assert_eq!(counts.to_vec().expect("read"), [n as u64; 2], "{team:?}");
        let words = inbox.to_vec().expect("read");
        for from in 0..n {
            let value = |i| mix((from as u64) << 32 | u64::from(team.my_pe()), i);
            let expected = [value(0), value(1), value(2), value(3), value(0), value(5), value(6), 0];
            assert_eq!(words[from * TEAM_WORDS..][..TEAM_WORDS], expected, "{team:?}: from {from}");
        }
        assert!(words[n * TEAM_WORDS..].iter().all(|word| *word == 0), "{team:?}: {words:x?}");
        rig.barrier();
    }
}

/// Runs a kernel that has to give up, and compares what it says.
fn refused<K: Kernel>(rig: &Rig<'_>, kernel: K, args: K::Args, says: &str) {
    rig.start(kernel, Grid::linear(1, 1), args);
    let text = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    assert!(text.contains(says), "'{says}' is not in '{text}'");
    rig.barrier();
}

/// Catches a kernel that goes on with what lies in an empty slot.
fn a_slot_that_was_never_used(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    refused(
        &rig,
        kernels::team_barrier_once,
        (7,),
        "this PE has no team in slot 7: none was created there, or it is destroyed",
    );
}

/// Catches an entry that outlives its team.
fn a_slot_whose_team_is_destroyed(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let split = Split::new(shmem);
    let slot = split.backwards.slot() as u32;
    rig.run(kernels::team_barrier_once, Grid::linear(1, 1), (slot,));
    split.destroy(shmem);
    let says = format!("this PE has no team in slot {slot}: none was created there, or it is destroyed");
    refused(&rig, kernels::team_barrier_once, (slot,), &says);
}

/// Catches a slot beyond the table, whose entry would be that of a PE. The slot of active sets is no team either.
fn a_slot_that_does_not_exist(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    refused(&rig, kernels::team_barrier_once, (64,), "this PE has no team in slot 64: ");
}

/// Catches a team whose words are to be cleared on a GPU that is lost, which ends the job.
fn teams_are_destroyed_after_a_kernel_has_failed(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let split = Split::new(shmem);
    refused(&rig, kernels::team_barrier_once, (50,), "this PE has no team in slot 50: ");
    split.destroy(shmem);
    rig.barrier();
}

/// PE 1 has no context left for the thread that carries out a new team's collectives. Catches a team that exists on the
/// other PEs only, and a slot that nobody gives back.
fn a_split_that_fails_leaves_no_slot_behind(shmem: &Shmem) {
    let (rig, world, n) = (Rig::new(shmem), shmem.team_world(), shmem.n_pes() as i32);
    let split = || shmem.team_split_strided(world, 0, 1, n);
    let context = || shmem.context(world.pes(), ContextOptions::default()).ok();
    let all: Vec<_> = if shmem.my_pe() == 1 { std::iter::from_fn(context).collect() } else { vec![] };
    rig.barrier();
    let errors = [split().map(drop), shmem.team_split_2d(world, n).map(drop)].map(|done| done.expect_err("split"));
    for error in errors.map(|error| error.to_string()) {
        let why = if shmem.my_pe() == 1 {
            "the limit of 1024 contexts is reached"
        } else {
            "PE 1: its kernels could not be told of the team"
        };
        assert!(error.contains(why), "'{why}' is not in '{error}'");
    }
    drop(all);
    rig.barrier();
    let teams: Vec<Team> = std::iter::from_fn(|| split().ok().flatten()).collect();
    assert_eq!(teams.len(), 64 - 3);
    let last = teams.last().expect("there are teams");
    rig.run(kernels::team_barrier_once, Grid::linear(1, 1), (last.slot() as u32,));
    teams.into_iter().for_each(|team| shmem.team_destroy(team));
}

/// Catches an operation of a team's context on a PE of the job that is not in the team.
fn numbers_that_are_not_in_the_team(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let word = rig.symmetric(&[5u64]);
    let alone = shmem.team_split_2d(shmem.team_world(), 1).expect("split").0;
    rig.barrier();
    let slot = alone.slot() as u32;
    let says = format!("PE 1 is out of range (0 to 0) in the team of slot {slot}");
    // A kernel that gives up takes its GPU along, so each PE tries something else.
    if shmem.my_pe() == 0 {
        refused(&rig, kernels::p_in_team, (slot, word.device_ptr(), 6, 1), &says);
    } else {
        let list = rig.private(&[0u32, 1]);
        rig.run(kernels::pe_quiet_in_team, Grid::linear(1, 1), (slot, list.device_ptr(), 1));
        refused(&rig, kernels::pe_quiet_in_team, (slot, list.device_ptr(), 2), &says);
    }
}

/// Catches a barrier of a team in a kernel that is not reported, or is reported for another team.
fn a_barrier_of_a_team_is_named(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let split = Split::new(shmem);
    let slot = split.backwards.slot();
    rig.barrier();
    if shmem.my_pe() == 1 {
        let lane = format!("kernel team_barrier_once: block 0, thread 0 is in a barrier of team slot {slot}, ");
        let how = if rig.reaches_all() { "whose word is at 0x" } else { "which the CPUs carry out" };
        expect_status(&["PE 0: kernel team_barrier_once for ", &lane, how, "PE 1: computing\n"]);
    }
    rig.run(kernels::team_barrier_once, Grid::linear(1, 1), (slot as u32,));
    rig.barrier();
}

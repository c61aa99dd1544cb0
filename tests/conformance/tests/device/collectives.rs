//! Collectives that kernels carry out.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{DevPtr, F16, Grid, Kernel, Reduction, Shmem, SymSlice, Team, Word};
use cushmem_conformance::{all_gpus_are_mapped, conformance, expect_status, expect_words, on_nodes};
use cushmem_conformance_kernels as kernels;
use cushmem_device::DeviceTeam;

conformance! { soft, cuda => {
    by_every_scope: 1, 2, 3, 4;
    teams_of_all_kinds: 3, 4;
    kernels_streams_and_the_cpu_in_turn: 2, 3;
    in_host_memory: 2;
    blocks_in_turn: 2, 3;
    a_slot_of_other_members: 3;
    each_block_has_a_team: 1, 2, 3;
    who_is_late_is_named: 2;
} }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => {
        by_every_scope: 2, 3;
        teams_of_all_kinds: 4;
        kernels_streams_and_the_cpu_in_turn: 3;
        in_host_memory: 2;
        who_is_late_is_named: 2;
    } }
}

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

on_nodes! { with SOFT: {
    by_every_scope: 2 on 2, 4 on 2 by "cyclic";
    teams_of_all_kinds: 3 on 2;
    kernels_streams_and_the_cpu_in_turn: 2 on 2;
    who_is_late_is_named: 2 on 2;
} }

const MANY: &[(&str, &str)] = &[("CUSHMEM_TEAMS", "128")];
const MANY_APART: &[(&str, &str)] = &[("CUSHMEM_TEAMS", "128"), ("CUSHMEM_P2P", "0")];
const MANY_SOFT: &[(&str, &str)] = &[("CUSHMEM_TEAMS", "128"), ("CUSHMEM_GPU", "soft")];

/// With more slots than usual, of which the last ones are used.
mod many {
    use super::*;
    conformance! { with MANY: soft, cuda => { each_block_has_a_team: 2; the_last_slots: 2, 3; } }
    mod apart {
        use super::super::MANY_APART;
        use super::*;
        conformance! { with MANY_APART: soft, cuda => { the_last_slots: 2; } }
    }
    on_nodes! { with MANY_SOFT: verbs { the_last_slots: 3 on 2; } }
}

/// A kernel of random collectives of a team.
struct Random<'a, T: Word> {
    rig: &'a Rig<'a>,
    ends: [SymSlice<'a, T>; 2],
    most: usize,
    wrong: SymSlice<'a, u64>,
}

type Arguments<T> = (DeviceTeam, DevPtr<T>, DevPtr<T>, usize, u64, u64, DevPtr<u64>);

impl<'a, T: Word> Random<'a, T> {
    fn new(rig: &'a Rig<'a>, most: usize, allocate: impl Fn(usize) -> SymSlice<'a, T>) -> Self {
        let room = 2 * most * rig.shmem.n_pes() as usize;
        let ends = [allocate(room), allocate(room)];
        Self { rig, ends, most, wrong: rig.symmetric(&[0]) }
    }

    fn on_gpu(rig: &'a Rig<'a>, most: usize) -> Self {
        Self::new(rig, most, |len| rig.shmem.malloc_gpu(len).expect("malloc_gpu"))
    }

    fn run<K: Kernel<Args = Arguments<T>>>(&self, kernel: K, lanes: u32, team: &Team, first: u64, rounds: u64) {
        let [dst, src] = self.ends.map(|end| end.device_ptr());
        let args = (team.device(), dst, src, self.most, first, rounds, self.wrong.device_ptr());
        self.rig.run(kernel, Grid::linear(1, lanes), args);
        self.check(K::NAME, team);
    }

    fn check(&self, kernel: &str, team: &Team) {
        let wrong = self.wrong.to_vec().expect("read");
        assert_eq!(wrong, [0], "{kernel}, {} members: wrong elements", team.n_pes());
    }

    fn free(self) {
        self.rig.barrier();
        for end in self.ends {
            self.rig.shmem.free(end).expect("free");
        }
        self.rig.shmem.free(self.wrong).expect("free");
    }
}

impl Random<'_, f32> {
    /// All blocks of a cooperative launch.
    fn run_grid(&self, blocks: u32, team: &Team, first: u64, rounds: u64) {
        let ([dst, src], rig) = (self.ends.map(|end| end.device_ptr()), self.rig);
        let args =
            (team.device(), dst, src, self.most, first, rounds, rig.stream.grid_counter(), self.wrong.device_ptr());
        rig.start_cooperative(kernels::collectives_grid, Grid::linear(blocks, 128), args);
        rig.wait();
        self.check("collectives_grid", team);
    }
}

/// All kinds of collectives by a team, in each scope.
fn every_scope(rig: &Rig<'_>, team: &Team) {
    let rounds = rig.times(48, 400);
    let words = Random::on_gpu(rig, rig.times(300, 6000));
    words.run(kernels::collectives_thread, 1, team, 0, rounds);
    words.run(kernels::collectives_block, 96, team, rounds, rounds);
    words.free();
    // Long enough that each lane has its largest number of vectors in flight.
    let long = Random::on_gpu(rig, rig.times(3000, 50_000));
    long.run(kernels::collectives_wide, rig.times(32, 256), team, rounds, rig.times(12, 100));
    long.free();
    let floats = Random::<f32>::on_gpu(rig, rig.times(700, 20_000));
    floats.run(kernels::collectives_warp, 32, team, 2 * rounds, rounds);
    let most = rig.module.max_resident_blocks(kernels::collectives_grid, 128).expect("occupancy");
    for blocks in [1, 3, rig.times(4, most)] {
        floats.run_grid(blocks, team, 3 * rounds, rounds);
    }
    floats.free();
    let bytes = Random::on_gpu(rig, rig.times(3000, 20_000));
    bytes.run(kernels::collectives_block_u8, rig.times(64, 256), team, 4 * rounds, rounds);
    bytes.free();
    let halves = Random::<F16>::on_gpu(rig, rig.times(1000, 20_000));
    halves.run(kernels::collectives_block_f16, rig.times(64, 256), team, 5 * rounds, rounds);
    halves.free();
}

pub(crate) fn by_every_scope(shmem: &Shmem) {
    every_scope(&Rig::new(shmem), shmem.team_world());
}

/// Catches a collective that takes a member's number for its PE's, and teams that share words: those of the PEs with
/// even and with odd numbers work at the same time.
fn teams_of_all_kinds(shmem: &Shmem) {
    let (rig, world, n) = (Rig::new(shmem), shmem.team_world(), shmem.n_pes() as i32);
    let backwards = shmem.team_split_strided(world, n - 1, -1, n).expect("split").expect("all are members");
    every_scope(&rig, &backwards);
    let (row, column) = shmem.team_split_2d(world, 2).expect("split");
    for team in [&row, &column] {
        let rounds = rig.times(48, 400);
        let words = Random::on_gpu(&rig, 300);
        words.run(kernels::collectives_block, 64, team, 0, rounds);
        words.free();
    }
    for team in [row, column, backwards] {
        shmem.team_destroy(team);
    }
}

/// Catches collectives of a team that count differently, depending on who carries them out.
fn kernels_streams_and_the_cpu_in_turn(shmem: &Shmem) {
    let (rig, world, n) = (Rig::new(shmem), shmem.team_world(), shmem.n_pes());
    for len in [3usize, 2000] {
        let words = rig.symmetric(&vec![0u64; len]);
        for round in 0..12 {
            let number = |pe: u32, i: usize| kernels::mix(round, u64::from(pe) << 32 | i as u64);
            words.copy_from(&(0..len).map(|i| number(shmem.my_pe(), i)).collect::<Vec<_>>()).expect("write");
            rig.barrier();
            // Each of them also follows itself and each of the others.
            match [0, 1, 2, 2, 1, 0, 0, 2, 1, 1][round as usize % 10] {
                0 => {
                    let (lanes, args) = (rig.times(32, 512), (world.device(), words.device_ptr(), len, 1));
                    rig.run(kernels::reduce_in_place, Grid::linear(1, lanes), args);
                }
                1 => {
                    rig.stream.reduce(world, Reduction::Xor, words, words).expect("reduce");
                    rig.wait();
                }
                _ => shmem.reduce(world, Reduction::Xor, words, words).expect("reduce"),
            }
            let xor = |i| (0..n).fold(0, |all, pe| all ^ number(pe, i));
            expect_words(|| format!("{len} xors, round {round}"), &words.to_vec().expect("read"), xor);
            rig.barrier();
        }
        shmem.free(words).expect("free");
    }
}

/// Source and dest in the heap in host memory.
fn in_host_memory(shmem: &Shmem) {
    let (rig, world) = (Rig::new(shmem), shmem.team_world());
    let rounds = rig.times(24, 200);
    let words = Random::new(&rig, 200, |len| shmem.malloc(len).expect("malloc"));
    words.run(kernels::collectives_thread, 1, world, 0, rounds);
    words.run(kernels::collectives_block, 32, world, rounds, rounds);
    words.free();
    let floats = Random::<f32>::new(&rig, 200, |len| shmem.malloc(len).expect("malloc"));
    floats.run(kernels::collectives_warp, 32, world, 2 * rounds, rounds);
    floats.run_grid(3, world, 3 * rounds, rounds);
    floats.free();
}

/// Catches a collective that is counted after some lanes have returned: the next block would take its number.
fn blocks_in_turn(shmem: &Shmem) {
    let (rig, world) = (Rig::new(shmem), shmem.team_world());
    for len in [3usize, 2000] {
        let rounds = rig.times(50, 1001);
        let (words, turn) = (rig.symmetric(&vec![1u64 << shmem.my_pe(); len]), rig.symmetric(&[0u64]));
        rig.barrier();
        let args = (world.device(), words.device_ptr(), len, rounds, turn.device_ptr(), LIMIT_NS);
        rig.start_cooperative(kernels::reduce_in_turn, Grid::linear(2, 64), args);
        rig.wait();
        // After the first round all members have the same, of which an even number cancel each other.
        let all = (1 << shmem.n_pes()) - 1;
        let expected = if shmem.n_pes() % 2 == 1 { all } else { 0 };
        expect_words(|| format!("{len} words"), &words.to_vec().expect("read"), |_| expected);
        assert_eq!(turn.to_vec().expect("read"), [rounds]);
        rig.barrier();
        shmem.free(words).expect("free");
        shmem.free(turn).expect("free");
    }
}

/// Catches a team that goes on counting where the team that had its slot before ended: the one PE that was a member of
/// both would count otherwise than the others. Only kernels of the program have used the slot.
fn a_slot_of_other_members(shmem: &Shmem) {
    let (rig, world) = (Rig::new(shmem), shmem.team_world());
    let words = Random::on_gpu(&rig, 20);
    let mut slots = vec![];
    for (first, rounds) in [(0, 3), (1, 4), (0, 5)] {
        let team = shmem.team_split_strided(world, first, 1, 2).expect("split");
        if let Some(team) = &team {
            slots.push(team.slot());
            words.run(kernels::collectives_block, 32, team, 0, rounds);
        }
        team.into_iter().for_each(|team| shmem.team_destroy(team));
        rig.barrier();
    }
    assert!(slots.iter().all(|slot| *slot == slots[0]), "each team is to have the slot of the one before: {slots:?}");
    words.free();
}

/// Copies of the team of all PEs, in the last slots that there are.
fn copies(shmem: &Shmem, number: usize) -> Vec<Team> {
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    let limit = std::env::var("CUSHMEM_TEAMS").map_or(64, |text| text.parse().expect("a number"));
    let copy = |_| shmem.team_split_strided(world, 0, 1, n).expect("split").expect("all are members");
    let mut teams: Vec<Team> = (3..limit).map(copy).collect();
    let last = teams.split_off(teams.len() - number);
    teams.into_iter().for_each(|team| shmem.team_destroy(team));
    assert_eq!(last.last().map(Team::slot), Some(limit - 1));
    last
}

/// Catches teams that share words: 32 blocks carry out collectives at the same time, each with its own team.
fn each_block_has_a_team(shmem: &Shmem) {
    const BLOCKS: usize = 32;
    let (rig, most) = (Rig::new(shmem), 150);
    let teams = copies(shmem, BLOCKS);
    let slots = rig.private(&teams.iter().map(|team| team.slot() as u32).collect::<Vec<_>>());
    let words = Random::<u64>::on_gpu(&rig, BLOCKS * most);
    let [dst, src] = words.ends.map(|end| end.device_ptr());
    let args = (slots.device_ptr(), dst, src, most, 0, rig.times(12, 900), words.wrong.device_ptr());
    rig.start_cooperative(kernels::collectives_of_blocks, Grid::linear(BLOCKS as u32, rig.times(32, 128)), args);
    rig.wait();
    words.check("collectives_of_blocks", shmem.team_world());
    words.free();
    teams.into_iter().for_each(|team| shmem.team_destroy(team));
}

/// Catches a slot beyond the first 64 that some part of the library does not know.
fn the_last_slots(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let teams = copies(shmem, 2);
    for (team, round) in teams.iter().zip([0, 1]) {
        let words = Random::on_gpu(&rig, 60);
        words.run(kernels::collectives_block, 64, team, 50 * round, rig.times(24, 300));
        words.free();
        let counts = rig.symmetric(&vec![1u64; 3000]);
        rig.barrier();
        rig.stream.reduce(team, Reduction::Sum, counts, counts).expect("reduce");
        rig.stream.team_sync(team).expect("team_sync");
        rig.wait();
        rig.run(kernels::team_barrier_once, Grid::linear(1, 1), (team.slot() as u32,));
        shmem.reduce(team, Reduction::Sum, counts.slice(..7), counts.slice(..7)).expect("reduce");
        let n = u64::from(shmem.n_pes());
        let sum = |i| if i < 7 { n * n } else { n };
        expect_words(|| format!("slot {}", team.slot()), &counts.to_vec().expect("read"), sum);
        rig.barrier();
        shmem.free(counts).expect("free");
    }
    // A slot is clean when it gets another team.
    teams.into_iter().for_each(|team| shmem.team_destroy(team));
    let again = copies(shmem, 1);
    let words = Random::on_gpu(&rig, 60);
    words.run(kernels::collectives_block, 64, &again[0], 0, rig.times(24, 300));
    words.free();
    again.into_iter().for_each(|team| shmem.team_destroy(team));
}

/// A kernel waits for another member's part of a short collective.
const BY_INBOXES: [&str; 2] =
    ["kernel reduce_in_place: block 0, thread ", " on GPU memory, to which PE 1 has not contributed"];
/// A kernel waits for the other members before it reads their parts of a long one.
const BY_BARRIERS: [&str; 2] =
    ["kernel reduce_in_place: block 0, thread ", " is in a barrier of team slot 0, whose word is at "];
/// Where not all members are mapped, a thread of the library carries out the collective. It may begin to wait before or
/// after the thread that waits for the kernel, and the first one comes first.
const BY_THREAD: [&str; 2] = ["kernel reduce_in_place for ", "reduce of all PEs: waiting for PE 1 for "];

/// Catches a kernel that waits in a collective without a report, and a report of a short one that does not name the PE.
fn who_is_late_is_named(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for n in [2, 40_000] {
        let words = rig.symmetric(&vec![1u64 << shmem.my_pe(); n]);
        rig.barrier();
        if shmem.my_pe() == 1 {
            let by_kernel = if n == 2 { BY_INBOXES } else { BY_BARRIERS };
            expect_status(if all_gpus_are_mapped(shmem) { &by_kernel } else { &BY_THREAD });
        }
        let args = (shmem.team_world().device(), words.device_ptr(), n, 1);
        rig.run(kernels::reduce_in_place, Grid::linear(1, 32), args);
        assert!(words.to_vec().expect("read").iter().all(|word| *word == 3), "{n} words");
        rig.barrier();
    }
}

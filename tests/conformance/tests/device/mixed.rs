//! Collectives of several teams in a random order, carried out by kernels, streams and the CPU. `cargo xtask soak`
//! repeats them; `CUSHMEM_TEST_REQUESTS` says how many turns there are.

use crate::rig::Rig;
use cushmem::{Grid, Reduction, Shmem, SymSlice, Team};
use cushmem_conformance::{asked_requests, conformance, expect_words, on_nodes, seeded};
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => { several_teams_in_turn: 2, 3, 4; } }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => { several_teams_in_turn: 3; } }
}

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
on_nodes! { with SOFT: { several_teams_in_turn: 4 on 2 by "cyclic"; } }

/// The most elements of a collective in a kernel, and the elements of a reduction by others.
const MOST: usize = 400;
const LONG: usize = 3000;

/// All teams, in the same order on all PEs: `None` where this PE is no member.
fn teams(shmem: &Shmem) -> Vec<Option<Team>> {
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    let (row, column) = shmem.team_split_2d(world, (n + 1) / 2).expect("split");
    let split = |start, stride, size| shmem.team_split_strided(world, start, stride, size).expect("split");
    vec![Some(row), Some(column), split(0, 1, n), split(n - 1, -1, n), split(0, 1, n - 1), split(0, 2, (n + 1) / 2)]
}

/// The words of a round by others than kernels are those of its members' numbers in the world.
fn word(round: u64, pe: u32, i: usize) -> u64 {
    kernels::mix(round, u64::from(pe) << 32 | i as u64)
}

/// Reduces words by a stream or the CPU, on the members of the team.
fn reduce(rig: &Rig<'_>, team: &Team, words: SymSlice<'_, u64>, round: u64, by_stream: bool) {
    let world = rig.shmem.team_world();
    let own = rig.shmem.my_pe();
    words.copy_from(&(0..words.len()).map(|i| word(round, own, i)).collect::<Vec<_>>()).expect("write");
    rig.shmem.team_sync(team).expect("team_sync");
    if by_stream {
        rig.stream.reduce(team, Reduction::Xor, words, words).expect("reduce");
        rig.wait();
    } else {
        rig.shmem.reduce(team, Reduction::Xor, words, words).expect("reduce");
    }
    let members = (0..team.n_pes()).map(|member| team.translate_pe(member, world).expect("a member"));
    let members: Vec<u32> = members.collect();
    let xor = |i| members.iter().fold(0, |all, pe| all ^ word(round, *pe, i));
    expect_words(|| format!("round {round}, {} members", team.n_pes()), &words.to_vec().expect("read"), xor);
    rig.shmem.team_sync(team).expect("team_sync");
}

/// Catches teams that share a word, and counts of a team that differ by who carries its collectives out or by what
/// other teams did in between. All PEs draw the same order; a PE leaves out the teams to which it does not belong.
fn several_teams_in_turn(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let turns = asked_requests().unwrap_or_else(|| rig.times(12, 200));
    let teams = teams(shmem);
    let slots: Vec<u32> = teams.iter().map(|team| team.as_ref().map_or(!0, |team| team.slot() as u32)).collect();
    let slots = rig.private(&slots);
    let room = 2 * MOST * shmem.n_pes() as usize;
    let [dst, src] = [(); 2].map(|()| shmem.malloc_gpu::<u64>(room).expect("malloc_gpu"));
    let (wrong, words) = (rig.symmetric(&[0u64]), rig.symmetric(&[0u64; LONG]));
    rig.barrier();
    let mut random = seeded();
    let mut round = random.below(1 << 40) as u64;
    for turn in 0..turns {
        let (kind, drawn, rounds) = (random.below(3), random.below(teams.len()), 1 + random.below(20) as u64);
        let len = [1, 9, 200, LONG][random.below(4)];
        if kind == 0 {
            let (lanes, ends) = (rig.times(32, 128), (dst.device_ptr(), src.device_ptr()));
            let (kernel, list) = (kernels::collectives_of_teams, (slots.device_ptr(), teams.len() as u64));
            let args = (list.0, list.1, ends.0, ends.1, MOST, round, rounds, wrong.device_ptr());
            rig.run(kernel, Grid::linear(1, lanes), args);
            assert_eq!(wrong.to_vec().expect("read"), [0], "turn {turn}, rounds {round} to {}", round + rounds);
        } else if let Some(team) = &teams[drawn] {
            reduce(&rig, team, words.slice(..len), round, kind == 1);
        }
        round += rounds;
    }
    rig.barrier();
    for end in [dst, src, wrong, words] {
        shmem.free(end).expect("free");
    }
    teams.into_iter().flatten().for_each(|team| shmem.team_destroy(team));
}

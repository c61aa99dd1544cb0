//! Teams across nodes: one member on each node, all on one node, uneven ones.

use crate::collective::row;
use crate::team::{a_late_member_finds_its_data, every_shape};
use cushmem::{Reduction, Shmem, Team};
use cushmem_conformance::{on_nodes, seeded};

on_nodes! {
    collectives_by_turns_with_the_world: 4 on 2, 5 on 2, 5 on 3 by "cyclic";
    slots_change_hands: 4 on 2, 5 on 3;
    a_late_member_finds_its_data: 3 on 2, 3 on 2 by "cyclic", 3 on 3;
    the_shared_team_is_the_node: 5 on 2, 5 on 2 by "random:3", 4 on 3 by "random:8";
}

/// Catches flags or data of one team, or of one level of it, that are taken for another's: collectives of random kind
/// and length on teams of every shape, alternating with collectives of all PEs.
fn collectives_by_turns_with_the_world(shmem: &Shmem) {
    let made = every_shape(shmem);
    let world = Some(shmem.team_world());
    let mut teams: Vec<Option<&Team>> = made.iter().flat_map(|(_, team)| [team.as_ref(), world]).collect();
    teams.push(Some(shmem.team_shared()));
    let mut random = seeded();
    row::<u8>(shmem, &teams, &mut random, 60);
    row::<i64>(shmem, &teams, &mut random, 60);
    shmem.barrier_all().expect("barrier");
    made.into_iter().filter_map(|(_, team)| team).for_each(|team| shmem.team_destroy(team));
}

/// Catches a team that takes what the previous team left in its slot for its own: each time, another PE leads on each
/// node, and writes there.
fn slots_change_hands(shmem: &Shmem) {
    const ROUNDS: usize = 60;
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    let words = shmem.malloc::<u64>(2).expect("malloc");
    let (dest, source) = (words.slice(0..1), words.slice(1..2));
    let mut random = seeded();
    for round in 0..ROUNDS {
        let start = random.below(n as usize) as i32;
        let stride = 1 + random.below(n as usize - 1) as i32;
        let most = (n - 1 - start) / stride + 1;
        let size = 1 + random.below(most as usize) as i32;
        let team = shmem.team_split_strided(world, start, stride, size).expect("split");
        let calls = random.below(5) as u64;
        let Some(team) = team else { continue };
        for call in 0..calls {
            let value = |member: u32| 1000 * (round as u64 + 1) + 10 * call + u64::from(member);
            source.copy_from(&[value(team.my_pe())]).expect("write");
            if call % 2 == 0 {
                shmem.reduce(&team, Reduction::Max, dest, source).expect("reduce");
                assert_eq!(dest.to_vec().expect("read"), [value(team.n_pes() - 1)], "round {round}, call {call}");
            } else {
                // The root does not wait for the others.
                let root = round as u32 % team.n_pes();
                shmem.broadcast(&team, dest, source, root).expect("broadcast");
                assert_eq!(dest.to_vec().expect("read"), [value(root)], "round {round}, call {call}");
            }
        }
        shmem.team_destroy(team);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a team of PEs that share memory whose members are not the PEs of the node, however these are distributed.
/// Each PE compares it with the PEs that it reaches with loads and stores, and they all exchange their results.
fn the_shared_team_is_the_node(shmem: &Shmem) {
    let (me, n, shared) = (shmem.my_pe(), shmem.n_pes(), shmem.team_shared());
    let nodes = shmem.malloc::<u32>(n as usize + 1).expect("malloc");
    let (all, own) = (nodes.slice(..n as usize), nodes.slice(n as usize..));
    let members: Vec<u32> = (0..shared.n_pes()).map(|i| shared.pes().pe(i).expect("a member")).collect();
    assert_eq!(members[shared.my_pe() as usize], me);
    let reached: Vec<u32> = (0..n).filter(|&pe| !nodes.ptr(pe).is_null()).collect();
    assert_eq!(members, reached, "PE {me}");
    own.copy_from(&[members[0]]).expect("write");
    shmem.fcollect(shmem.team_world(), all, own).expect("fcollect");
    let all = all.to_vec().expect("read");
    let same: Vec<u32> = (0..n).filter(|&pe| all[pe as usize] == members[0]).collect();
    assert_eq!(members, same, "PE {me}");
    // A kernel is given the first PE and the distance. For a team without these, it would reach other PEs.
    let is_row = members.windows(3).all(|m| m[1] - m[0] == m[2] - m[1]);
    let device = std::panic::catch_unwind(|| shared.device());
    assert_eq!(device.is_ok(), is_row, "{members:?}");
    if let Ok(device) = device {
        let seen: Vec<u32> = (0..device.n_pes).map(|number| device.pe(number)).collect();
        assert_eq!(seen, members, "what a kernel sees");
    }
    let told: usize = std::env::var("CUSHMEM_NODES").expect("PEs are told").parse().expect("a number");
    let mut firsts = all;
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), told, "nodes");
    shmem.barrier_all().expect("barrier");
}

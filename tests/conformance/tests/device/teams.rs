//! Teams of the host that kernels synchronise.

use crate::rig::Rig;
use cushmem::{Grid, Shmem, Team};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => {
    teams_meet_on_their_own: 1, 2, 4, 5;
    teams_meet_at_once: 2, 4;
    a_team_in_several_steps: 18;
} }

mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => { teams_meet_on_their_own: 2, 4; } }
}

/// The PEs of one team synchronise, while other teams do so too.
fn rounds(rig: &Rig<'_>, team: Option<&Team>, rounds: u64) {
    let slots = rig.symmetric(&vec![0u64; 2 * rig.shmem.n_pes() as usize]);
    let wrong = rig.symmetric(&[0u64]);
    rig.barrier();
    if let Some(team) = team {
        let device = team.device();
        for part in 0..2 {
            let args =
                |scope: u64| (device, slots.device_ptr(), 1 + (3 * part + scope) * rounds, rounds, wrong.device_ptr());
            rig.start(kernels::team_thread, Grid::linear(1, 1), args(0));
            rig.start(kernels::team_warp, Grid::linear(1, 32), args(1));
            rig.start(kernels::team_block, Grid::linear(1, 48), args(2));
        }
        rig.wait();
    }
    assert_eq!(wrong.to_vec().expect("read"), [0], "{team:?}: words of another round");
    rig.barrier();
    rig.shmem.free(slots).expect("free");
    rig.shmem.free(wrong).expect("free");
}

/// Catches a team that uses another's words, signals PEs that are not in it, or finds what a team of another size left
/// in its slot.
fn teams_meet_on_their_own(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    let times = rig.times(100, 1000);
    rounds(&rig, Some(world), times);
    for _ in 0..3 {
        // All PEs backwards; then those with even and with odd numbers at the same time; then all except PE 0.
        let backwards = shmem.team_split_strided(world, n - 1, -1, n).expect("split").expect("all are members");
        rounds(&rig, Some(&backwards), times);
        shmem.team_destroy(backwards);
        let (row, column) = shmem.team_split_2d(world, 2).expect("split");
        rounds(&rig, Some(&column), times);
        rounds(&rig, Some(&row), times);
        shmem.team_destroy(row);
        shmem.team_destroy(column);
        if n > 1 {
            let rest = shmem.team_split_strided(world, 1, 1, n - 1).expect("split");
            rounds(&rig, rest.as_ref(), times);
            if let Some(team) = rest {
                shmem.team_destroy(team);
            }
        }
        rounds(&rig, Some(world), times);
    }
}

/// Catches teams of the same PEs that share their words: each PE synchronises with its row and its column, and with all
/// PEs in two orders, at the same time.
fn teams_meet_at_once(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let n = shmem.n_pes() as usize;
    let (row, column) = shmem.team_split_2d(shmem.team_world(), 2).expect("split");
    let backwards = shmem.team_split_strided(shmem.team_world(), n as i32 - 1, -1, n as i32).expect("split");
    let backwards = backwards.expect("all are members");
    let slots = rig.symmetric(&vec![0u64; 4 * n]);
    let wrong = rig.symmetric(&[0u64]);
    for (one, other) in [(&row, &column), (shmem.team_world(), &backwards)] {
        slots.copy_from(&vec![0; 4 * n]).expect("write");
        rig.barrier();
        let (slots, wrong) = (slots.device_ptr(), wrong.device_ptr());
        let args = (one.device(), other.device(), slots, 2 * n, rig.times(300, 3000), wrong);
        rig.start_cooperative(kernels::teams_at_once, Grid::linear(2, 32), args);
        rig.wait();
        rig.barrier();
    }
    assert_eq!(wrong.to_vec().expect("read"), [0], "words of another round");
    rig.barrier();
}

/// More PEs than one step serves, counted from another PE and backwards.
fn a_team_in_several_steps(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let n = shmem.n_pes() as i32;
    let team = shmem.team_split_strided(shmem.team_world(), n - 1, -1, n - 1).expect("split");
    rounds(&rig, team.as_ref(), 3);
}

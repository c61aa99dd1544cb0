//! Splits of several teams at a time, for which the threads of one PE compete.

use cushmem::{Shmem, Team};
use cushmem_conformance::conformance;
use std::sync::Barrier;

conformance! { host => { contested_splits_leave_no_slot_behind: 3, 4, 5, 5; } }

/// Catches a slot that one PE has taken for a split, that another PE could not get, and that nobody gives back. PE 0
/// splits several teams at a time, each with a different PE, and all of them take the first free slot.
fn contested_splits_leave_no_slot_behind(shmem: &Shmem) {
    const SPLITS: usize = 1000;
    let world = shmem.team_world();
    let pair = |stride| shmem.team_split_strided(world, 0, stride, 2).expect("split");
    let parents: Vec<Option<Team>> = (1..shmem.n_pes() as i32).map(pair).collect();
    // On PE 0, all threads look for a slot at the same time.
    let together = Barrier::new(parents.iter().flatten().count());
    std::thread::scope(|scope| {
        for parent in parents.iter().flatten() {
            let together = &together;
            scope.spawn(move || {
                for _ in 0..SPLITS {
                    together.wait();
                    let team = shmem.team_split_strided(parent, 0, 1, 2).expect("split").expect("both are in");
                    shmem.team_sync(&team).expect("sync");
                    shmem.team_destroy(team);
                }
            });
        }
    });
    shmem.barrier_all().expect("barrier");
    parents.into_iter().flatten().for_each(|team| shmem.team_destroy(team));
    // All slots that existed from the start are free, and no others.
    let all = shmem.n_pes() as i32;
    let teams = std::iter::from_fn(|| shmem.team_split_strided(world, 0, 1, all).ok());
    let teams: Vec<Team> = teams.flatten().collect();
    assert_eq!(teams.len(), 64 - 3);
    teams.into_iter().for_each(|team| shmem.team_destroy(team));
}

//! Teams: which PEs are in them, with which numbers, and that as many teams can be made as there is room for.

use cushmem::{Cmp, Reduction, Shmem, SymSlice, Team};
use cushmem_conformance::{conformance, expect_status};
use std::time::Duration;

conformance! { host => {
    splits_have_the_right_members: 1, 2, 3, 4, 5, 8;
    wrong_splits_are_refused: 1, 3;
    slots_run_out_and_come_back: 1, 2, 3;
    destroyed_teams_do_not_disturb_new_ones: 2, 3, 4;
    a_team_that_came_and_went_during_a_split: 3;
    a_late_member_finds_its_data: 3;
} }

const MANY: &[(&str, &str)] = &[("CUSHMEM_TEAMS", "1024")];

/// As many slots as there can be.
mod many {
    use super::*;
    use cushmem_conformance::on_nodes;
    conformance! { with MANY: host => {
        slots_run_out_and_come_back: 1, 3;
        destroyed_teams_do_not_disturb_new_ones: 3;
    } }
    on_nodes! { with MANY: verbs { slots_run_out_and_come_back: 2 on 2; } }
}

/// Returns named teams of every shape, for those that this PE is in. All PEs make them in the same order.
pub fn every_shape(shmem: &Shmem) -> Vec<(&'static str, Option<Team>)> {
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    let strided = |parent: &Team, start, stride, size| {
        shmem.team_split_strided(parent, start, stride, size).unwrap_or_else(|e| panic!("{e}"))
    };
    let all = strided(world, 0, 1, n);
    let reversed = strided(world, n - 1, -1, n);
    let even = strided(world, 0, 2, (n + 1) / 2);
    let odd_down = if n > 1 { strided(world, (n - 2) / 2 * 2 + 1, -2, n / 2) } else { None };
    let nested = even.as_ref().and_then(|even| strided(even, even.n_pes() as i32 - 1, -1, even.n_pes() as i32));
    let (row, column) = shmem.team_split_2d(world, 2).expect("split");
    let wide = shmem.team_split_2d(world, 3).expect("split");
    vec![
        ("all", all),
        ("reversed", reversed),
        ("even", even),
        ("odd, downwards", odd_down),
        ("nested", nested),
        ("row of 2", Some(row)),
        ("column of 2", Some(column)),
        ("row of 3", Some(wide.0)),
        ("column of 3", Some(wide.1)),
    ]
}

fn splits_have_the_right_members(shmem: &Shmem) {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let down = |from: u32, by: u32| (0..=from / by).map(move |i| from - i * by).collect::<Vec<_>>();
    let up = |from: u32, by: u32, end: u32| (from..end).step_by(by as usize).collect::<Vec<_>>();
    for (name, team) in every_shape(shmem) {
        let expected = match name {
            "all" => up(0, 1, n),
            "reversed" => down(n - 1, 1),
            "even" => up(0, 2, n),
            "odd, downwards" if n > 1 => down((n - 2) / 2 * 2 + 1, 2),
            "odd, downwards" => vec![],
            "nested" => down((n - 1) / 2 * 2, 2),
            "row of 2" => up(me / 2 * 2, 1, n.min(me / 2 * 2 + 2)),
            "column of 2" => up(me % 2.min(n), 2.min(n), n),
            "row of 3" => up(me / 3 * 3, 1, n.min(me / 3 * 3 + 3)),
            _ => up(me % 3.min(n), 3.min(n), n),
        };
        assert_eq!(team.is_some(), expected.contains(&me), "{name}: PE {me} of {n}");
        let Some(team) = team else { continue };
        let members: Vec<u32> = (0..team.n_pes()).map(|i| team.pes().pe(i).expect("a member")).collect();
        assert_eq!((members, team.pes().pe(team.n_pes())), (expected, None), "{name}");
        assert_eq!(team.pes().pe(team.my_pe()), Some(me), "{name}");
        let world = shmem.team_world();
        assert_eq!(team.translate_pe(team.my_pe(), world), Some(me), "{name}");
        for pe in 0..n {
            let there = world.translate_pe(pe, &team);
            assert!(there.is_none_or(|i| team.pes().pe(i) == Some(pe)), "{name}: PE {pe} is {there:?}");
        }
        assert_eq!(world.translate_pe(n, &team), None, "{name}");
        shmem.team_destroy(team);
    }
    shmem.barrier_all().expect("barrier");
}

fn wrong_splits_are_refused(shmem: &Shmem) {
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    for (start, stride, size) in
        [(0, 1, n + 1), (-1, 1, 1), (n, 1, 1), (0, 1, 0), (0, -1, 2), (0, 0, 2), (0, i32::MAX, 3)]
    {
        let refused = shmem.team_split_strided(world, start, stride, size).map(|_| ()).expect_err("not a team");
        assert!(refused.to_string().contains("not distinct PEs of the parent team (0 to "), "{refused}");
    }
    assert!(
        shmem.team_split_strided(world, 0, 0, 1).expect("one PE needs no stride").is_some() == (shmem.my_pe() == 0)
    );
    assert!(shmem.team_split_2d(world, 0).is_err() && shmem.team_split_2d(world, -3).is_err());
    assert_eq!(shmem.team_split_2d(world, i32::MAX).expect("one row").0.n_pes(), shmem.n_pes());
    shmem.barrier_all().expect("barrier");
}

fn slots_run_out_and_come_back(shmem: &Shmem) {
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    for _ in 0..3 {
        let mut teams = vec![];
        let refused = loop {
            match shmem.team_split_strided(world, 0, 1, n) {
                Ok(team) => teams.extend(team),
                Err(error) => break error,
            }
        };
        let limit = std::env::var("CUSHMEM_TEAMS").map_or(64, |text| text.parse().expect("a number"));
        let why = format!("is in {limit} teams already, which is the limit; CUSHMEM_TEAMS raises it, up to 1024");
        assert!(refused.to_string().contains(&why), "{refused}");
        assert_eq!(teams.len(), limit - 3);
        for team in &teams {
            shmem.team_sync(team).expect("sync");
        }
        teams.into_iter().for_each(|team| shmem.team_destroy(team));
    }
}

/// Catches a new team that takes flags or data of the previous team for its own. The last PE is in none of these teams,
/// and all PEs synchronise in between.
fn destroyed_teams_do_not_disturb_new_ones(shmem: &Shmem) {
    const ROUNDS: u64 = 200;
    let (world, n) = (shmem.team_world(), shmem.n_pes() as i32);
    let mut sums = Sums { shmem, words: shmem.malloc(64).expect("malloc"), count: 0 };
    let others = shmem.team_split_strided(world, 0, 1, n - 1).expect("split");
    for round in 0..ROUNDS {
        if let Some(others) = &others {
            // Each time, a team of one PE lives through a different number of collectives, so that its flags end at
            // different values.
            let size = others.n_pes() as i32;
            let one = shmem.team_split_strided(others, (round % size as u64) as i32, 1, 1).expect("split");
            if let Some(one) = one {
                (0..round % 7).for_each(|i| sums.check(&one, i));
                shmem.team_destroy(one);
            }
            let all = shmem.team_split_strided(others, size - 1, -1, size).expect("split").expect("all are in");
            (0..round % 3).for_each(|i| sums.check(&all, i));
            shmem.team_destroy(all);
        }
        sums.check(world, round);
    }
}

/// While a thread of PE 0 is in a split with PE 1, which is late, another thread makes a team with PE 2, uses it and
/// destroys it. Both teams get the same slot, and PE 1 could take the flags that the other team left on PE 0 for those
/// of its own team.
fn a_team_that_came_and_went_during_a_split(shmem: &Shmem) {
    let (me, world) = (shmem.my_pe(), shmem.team_world());
    let pair = |stride| shmem.team_split_strided(world, 0, stride, 2).expect("split");
    let (with_1, with_2) = (pair(1), pair(2));
    let words = shmem.malloc::<u64>(2).expect("malloc");
    words.copy_from(&[0; 2]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let (go, arrived) = (words.at(0), words.at(1));
    let wait = || std::thread::sleep(Duration::from_millis(100));
    let late = |parent: &Team| {
        if me == 1 {
            shmem.wait_until(go, Cmp::Eq, 1).expect("wait");
        }
        let team = shmem.team_split_strided(parent, 0, 1, 2).expect("split").expect("both are in");
        if me == 0 {
            wait();
            shmem.p(arrived, 1, 1).expect("p");
        }
        shmem.team_sync(&team).expect("sync");
        assert!(me == 0 || shmem.g(arrived, 1).expect("g") == 1, "PE 1 has left a sync that PE 0 did not enter");
        shmem.team_destroy(team);
    };
    let meanwhile = |parent: &Team| {
        // The other thread has seen which slots are free.
        wait();
        let team = shmem.team_split_strided(parent, 0, 1, 2).expect("split").expect("both are in");
        (0..50).for_each(|_| shmem.team_sync(&team).expect("sync"));
        shmem.team_destroy(team);
        if me == 0 {
            shmem.p(go, 1, 1).expect("p");
        }
    };
    std::thread::scope(|scope| {
        with_1.iter().for_each(|parent| drop(scope.spawn(|| late(parent))));
        with_2.iter().for_each(meanwhile);
    });
    shmem.barrier_all().expect("barrier");
    [with_1, with_2].into_iter().flatten().for_each(|team| shmem.team_destroy(team));
}

/// Catches a team whose slot becomes free while a member, here PE 2, still has to read what the others left there for
/// it.
pub fn a_late_member_finds_its_data(shmem: &Shmem) {
    let (me, world) = (shmem.my_pe(), shmem.team_world());
    let words = shmem.malloc::<u64>(2).expect("malloc");
    let (dest, source) = (words.slice(0..1), words.slice(1..2));
    let split = |size| shmem.team_split_strided(world, 0, 1, size).expect("split");
    let (pair, all) = (split(2), split(3).expect("all are in"));
    let slot = all.slot();
    let broadcast = |team: &Team, value| {
        source.copy_from(&[value]).expect("write");
        shmem.broadcast(team, dest, source, 0).expect("broadcast");
        let found = dest.to_vec().expect("read")[0];
        assert_eq!(found, value, "on PE {me}, in a team of {}", team.n_pes());
    };
    if me == 2 {
        // On several nodes, a PE waits for the first PE of its own node, and these first PEs wait for each other.
        let late = if shmem.team_shared().n_pes() == shmem.n_pes() { "2 for " } else { "" };
        let waits = [0, 1].map(|pe| format!("PE {pe}: team_destroy of all PEs: waiting for PE {late}"));
        expect_status(&[&waits[0], &waits[1]]);
    }
    broadcast(&all, 1);
    shmem.team_destroy(all);
    if let Some(pair) = pair {
        let next = shmem.team_split_strided(&pair, 0, 1, 2).expect("split").expect("both are in");
        assert_eq!(next.slot(), slot);
        (2..30).for_each(|value| broadcast(&next, value));
        shmem.team_destroy(next);
        shmem.team_destroy(pair);
    }
    shmem.barrier_all().expect("barrier");
}

/// Sums that are checked, each with words of its own.
struct Sums<'a> {
    shmem: &'a Shmem,
    words: SymSlice<'a, u64>,
    count: usize,
}

impl Sums<'_> {
    fn check(&mut self, team: &Team, number: u64) {
        self.count += 1;
        let me = u64::from(team.my_pe());
        let (source, dest) = (self.words.slice(0..1), self.words.slice(1..2));
        source.copy_from(&[number + me]).expect("write");
        self.shmem.reduce(team, Reduction::Sum, dest, source).expect("reduce");
        let n = u64::from(team.n_pes());
        let sum = dest.to_vec().expect("read")[0];
        assert_eq!(sum, n * number + n * (n - 1) / 2, "sum {} on {} PEs", self.count, n);
        self.shmem.team_sync(team).expect("sync");
    }
}

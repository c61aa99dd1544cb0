use super::*;
use std::collections::{BTreeMap, HashSet};

/// A SET in flight: the word's owner, row and step, and the number.
type Set = (u32, usize, usize, u64);

/// The members of teams on one slot, and a network that delivers in any order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    /// By PE, row and step.
    words: BTreeMap<(u32, usize, usize), u64>,
    under_way: Vec<Set>,
    /// By PE: its meeting in the plan, its step, and whether it has set the word of this step.
    pes: Vec<(usize, usize, bool)>,
}

/// The consecutive meetings of a slot: the team's PEs and the meeting's number.
type Plan = [(Vec<u32>, u64)];

/// One PE's view.
struct View<'a> {
    world: &'a mut World,
    team: &'a [u32],
    me: u32,
    /// Whether to use one row only, as a wrong protocol would.
    one_row: bool,
}

impl Words for View<'_> {
    fn set(&mut self, member: u32, row: usize, step: usize, number: u64) -> Result<bool> {
        let row = if self.one_row { 0 } else { row };
        self.world.under_way.push((self.team[member as usize], row, step, number));
        self.world.under_way.sort_unstable();
        Ok(true)
    }
    fn get(&self, row: usize, step: usize) -> u64 {
        let row = if self.one_row { 0 } else { row };
        self.world.words.get(&(self.me, row, step)).copied().unwrap_or(0)
    }
}

/// The next meeting of the plan in which a PE takes part.
fn next(plan: &Plan, pe: u32, from: usize) -> usize {
    (from..plan.len()).find(|at| plan[*at].0.contains(&pe)).unwrap_or(plan.len())
}

/// Explores all orders in which PEs advance and SETs arrive; returns the number of states, or what went wrong.
fn explore(plan: &Plan, n_pes: u32, one_row: bool) -> std::result::Result<usize, String> {
    let pes = (0..n_pes).map(|pe| (next(plan, pe, 0), 0, false)).collect();
    let first = World { words: BTreeMap::new(), under_way: vec![], pes };
    let (mut seen, mut open) = (HashSet::from([first.clone()]), vec![first]);
    while let Some(world) = open.pop() {
        let mut followers = vec![];
        for pe in 0..n_pes {
            let (at, step, is_set) = world.pes[pe as usize];
            let Some((team, number)) = plan.get(at) else { continue };
            // A team is created after the previous one was destroyed, which its members do when all have left its
            // meetings.
            let is_new = at > 0 && plan[at - 1].0 != *team;
            let still_in = |(_, q): (usize, &(usize, usize, bool))| q.0 < at;
            if is_new && world.pes.iter().enumerate().any(still_in) {
                continue;
            }
            let my_pe = team.iter().position(|p| *p == pe).expect("it is a member") as u32;
            let device = DeviceTeam { start: 0, stride: 1, n_pes: team.len() as u32, my_pe, slot: 0 };
            let mut meeting = Meeting { team: device, number: *number, step, is_set };
            let mut follower = world.clone();
            let come = meeting.progress(&mut View { world: &mut follower, team, me: pe, one_row }).expect("no network");
            follower.pes[pe as usize] = (at, meeting.step, meeting.is_set);
            if come {
                // All others must be in this meeting or beyond it.
                let absent =
                    team.iter().find(|q| world.pes[**q as usize].0 < at || !has_begun(&world, **q, at) && **q != pe);
                if let Some(absent) = absent {
                    return Err(format!("PE {pe} is out of meeting {at}, and PE {absent} has not come"));
                }
                follower.pes[pe as usize] = (next(plan, pe, at + 1), 0, false);
            }
            followers.push(follower);
        }
        for i in 0..world.under_way.len() {
            let mut follower = world.clone();
            let (pe, row, step, number) = follower.under_way.remove(i);
            follower.words.insert((pe, row, step), number);
            followers.push(follower);
        }
        let stuck = followers.iter().all(|follower| *follower == world);
        if stuck && world.pes.iter().any(|(at, ..)| *at < plan.len()) {
            return Err(format!("nobody can go on: {world:?}"));
        }
        open.extend(followers.into_iter().filter(|follower| seen.insert(follower.clone())));
    }
    Ok(seen.len())
}

/// Whether a PE has sent a SET in this meeting, or is beyond it.
fn has_begun(world: &World, pe: u32, at: usize) -> bool {
    let (now, step, is_set) = world.pes[pe as usize];
    now > at || now == at && (is_set || step > 0)
}

/// Meetings of one team and then of another on the same slot, which continues to count.
fn plan(first: &[u32], meetings: u64, second: &[u32]) -> Vec<(Vec<u32>, u64)> {
    let of = |team: &[u32], from| (1..=meetings).map(|e| (team.to_vec(), from + e)).collect::<Vec<_>>();
    [of(first, 0), of(second, meetings)].concat()
}

/// Catches a PE that leaves before another has arrived, a SET that is overwritten by an earlier one, and numbers of an
/// older team that are mistaken for new ones.
#[test]
fn all_come_before_any_goes_in_whatever_order_sets_arrive() {
    let states = [
        explore(&plan(&[0, 1], 3, &[1, 0]), 2, false),
        explore(&plan(&[0, 1, 2], 2, &[2, 0, 1]), 3, false),
        explore(&plan(&[0, 1, 2], 2, &[2, 1]), 3, false),
        explore(&plan(&[0, 1, 2, 3], 1, &[3, 1, 0, 2]), 4, false),
    ];
    for states in states {
        assert!(states.expect("the protocol holds") > 50, "the model tries nothing");
    }
}

/// Shows that the model detects errors: with one row for all meetings, a late SET overwrites a later one; a team that
/// counts from the start again sees old numbers.
#[test]
fn the_model_finds_what_the_protocol_avoids() {
    let why = explore(&plan(&[0, 1, 2], 2, &[2, 1]), 3, true).expect_err("one row is not enough");
    assert!(why.starts_with("nobody can go on"), "{why}");
    let mut anew = plan(&[0, 1], 2, &[1, 0]);
    (anew[2].1, anew[3].1) = (1, 2);
    let why = explore(&anew, 2, false).expect_err("old numbers are taken for new ones");
    assert!(why.contains("has not come"), "{why}");
}

/// Catches a command that names a team that does not exist or does not contain this PE.
#[test]
fn teams_that_make_no_sense_are_refused() {
    let team = |start, stride, n_pes, my_pe, slot| DeviceTeam { start, stride, n_pes, my_pe, slot };
    let says = |team: DeviceTeam| check(&team, 3, (8, 64)).err();
    for right in [team(0, 1, 8, 3, 0), team(7, -2, 4, 2, 5), team(3, 0, 1, 0, 1), team(3, 9, 1, 0, 63)] {
        assert_eq!(says(right), None, "{right:?}");
    }
    for wrong in
        [team(0, 1, 9, 3, 0), team(8, 1, 1, 0, 0), team(1, -2, 2, 0, 0), team(3, 0, 2, 0, 0), team(0, 1, 0, 3, 0)]
    {
        assert!(says(wrong).is_some_and(|why| why.ends_with("is out of range (0 to 7)")), "{wrong:?}");
    }
    assert_eq!(says(team(0, 1, 8, 2, 0)).unwrap(), "PE 3 is not number 2 of the team of 8 PEs from 0 with stride 1");
    assert_eq!(says(team(0, 1, 8, 3, 64)).unwrap(), "team slot 64 is out of range (0 to 63)");
    let sent = DeviceTeam::of_words([5 | (u64::from((-1i32).cast_unsigned()) << 32), 3 | (2 << 32), 1 << 40]);
    assert_eq!(sent, team(5, -1, 3, 2, u32::MAX));
}

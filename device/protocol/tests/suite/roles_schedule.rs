//! Tries every order in which a few blocks can run. Nobody may wait forever as long as enough blocks are resident
//! together.

use cushmem_protocol::roles::{Counter, Draws, Plan, Role};
use std::cell::Cell;
use std::collections::HashSet;

struct Word(Cell<u64>);

impl Counter for Word {
    fn draw(&self) -> u64 {
        self.0.replace(self.0.get() + 1)
    }
    fn reset(&self) {
        self.0.set(0);
    }
}

/// The resident blocks, and the roles that are finished.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    counter: u64,
    /// The draws and the current role of each.
    resident: Vec<(Draws, Option<Role>)>,
    /// Blocks that have not arrived yet.
    outside: u64,
    /// Which roles have been drawn and which are finished, by number.
    drawn: Vec<bool>,
    finished: Vec<bool>,
}

/// A launch of `blocks` blocks, `fit` of which are resident together.
struct Launch {
    plan: Plan,
    blocks: u64,
    fit: u64,
}

impl Launch {
    fn start(&self) -> State {
        let arrived = self.blocks.min(self.fit);
        let roles = self.plan.roles() as usize;
        State {
            counter: 0,
            resident: vec![(Draws::new(), None); arrived as usize],
            outside: self.blocks - arrived,
            drawn: vec![false; roles],
            finished: vec![false; roles],
        }
    }

    /// The hardest rules that are allowed. A lasting role ends after everything else, and waits until all other lasting
    /// roles have started. A computing role waits for all roles with lower numbers, and for the lasting roles to start.
    fn may_finish(&self, role: Role, state: &State) -> bool {
        let lasting = self.plan.lasting() as usize;
        let all_there = state.drawn[..lasting].iter().all(|d| *d);
        match role {
            Role::Compute(n) => all_there && state.finished[lasting..lasting + n as usize].iter().all(|f| *f),
            _ => all_there && state.finished[lasting..].iter().all(|f| *f),
        }
    }

    /// The state after block `i` has drawn or finished; `None` if it waits.
    fn step(&self, state: &State, i: usize) -> Option<State> {
        let mut next = state.clone();
        let (draws, role) = &mut next.resident[i];
        if let Some(role) = role.take() {
            if !self.may_finish(role, state) {
                return None;
            }
            let number = (0..).find(|n| self.plan.role(*n) == Some(role)).expect("it has a number");
            next.finished[number as usize] = true;
            return Some(next);
        }
        let word = Word(Cell::new(state.counter));
        let number = draws.next(&word, &self.plan, self.blocks);
        if let Some(begun) = self.plan.role(number) {
            draws.begin(&word, begun);
            *role = Some(begun);
            assert!(!next.drawn[number as usize], "role {number} is given twice");
            next.drawn[number as usize] = true;
        } else {
            assert_eq!(draws.next(&word, &self.plan, self.blocks), number, "asked again it goes on");
            if next.outside > 0 {
                next.outside -= 1;
                *draws = Draws::new();
            } else {
                next.resident.remove(i);
            }
        }
        next.counter = word.0.get();
        Some(next)
    }

    /// Whether there is an order in which blocks wait forever.
    fn can_hang(&self) -> bool {
        let (mut seen, mut open) = (HashSet::new(), vec![self.start()]);
        while let Some(state) = open.pop() {
            if state.resident.is_empty() {
                assert!(state.finished.iter().all(|f| *f), "{:?}: a role was left", self.plan);
                assert_eq!(state.counter, 0, "{:?}: the next launch begins with another role", self.plan);
                continue;
            }
            let next: Vec<_> = (0..state.resident.len()).filter_map(|i| self.step(&state, i)).collect();
            if next.is_empty() {
                return true;
            }
            open.extend(next.into_iter().filter(|s| seen.insert(s.clone())));
        }
        false
    }
}

fn plans() -> impl Iterator<Item = Plan> {
    (0..3).flat_map(|receivers| {
        (0..3).flat_map(move |senders| (0..4).map(move |computing| Plan { receivers, senders, computing }))
    })
}

#[test]
fn nobody_waits_for_ever_if_enough_blocks_are_resident() {
    for plan in plans().filter(|p| p.roles() > 0) {
        for fit in plan.resident()..plan.resident() + 2 {
            for blocks in fit..fit + 3 {
                assert!(!Launch { plan, blocks, fit }.can_hang(), "{plan:?}: {blocks} blocks, {fit} at a time");
            }
        }
    }
}

/// Shows that the bound is not larger than necessary, and that the search above finds what it looks for.
#[test]
fn one_block_less_may_wait_for_ever() {
    for plan in plans().filter(|p| p.lasting() > 0 && p.resident() > 1) {
        let fit = plan.resident() - 1;
        assert!(Launch { plan, blocks: fit + 1, fit }.can_hang(), "{plan:?}: {fit} at a time");
    }
}

#[test]
fn the_first_receives_and_the_second_sends() {
    let plan = Plan { receivers: 1, senders: 3, computing: 2 };
    let all: Vec<_> = (0..).map_while(|n| plan.role(n)).collect();
    let expected = [Role::Receive(0), Role::Send(0), Role::Send(1), Role::Send(2), Role::Compute(0), Role::Compute(1)];
    assert_eq!(all, expected);
    let plan = Plan { receivers: 3, senders: 1, computing: 0 };
    let all: Vec<_> = (0..).map_while(|n| plan.role(n)).collect();
    assert_eq!(all, [Role::Receive(0), Role::Send(0), Role::Receive(1), Role::Receive(2)]);
}

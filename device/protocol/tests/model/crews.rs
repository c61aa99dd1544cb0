//! Collectives through inboxes by several lanes of each member, one after the other, in the steps of `Inboxes` in
//! `device/src/collective/inbox.rs`: by the lanes of a scope or the blocks of a grid, in one kernel; by a kernel of the
//! library, whose blocks do not meet; and by teams that get the slot of another team.

use crate::Looks;
use cushmem_protocol::grid;
use cushmem_protocol::inbox::{decode, encode, flag, half, number, share};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use std::cell::Cell;

/// What the blocks of a collective count together.
const ALL: u32 = 4;

/// What the model omits.
#[derive(Clone, Copy, PartialEq)]
enum Without {
    Nothing,
    /// Lanes do not meet before they send.
    Enter,
    /// Lanes do not meet when they have received everything.
    Leave,
    /// Lanes do not meet at all. They count collectives for themselves, and touch no memory but the inboxes.
    Meetings,
    /// The collective is counted before all lanes know its number.
    Number,
    /// In a broadcast, only the root sends.
    Answers,
    /// A kernel begins before the one before it has ended.
    Boundary,
    /// The addition of a block's barrier does not release.
    Release,
    /// The wait of a block's barrier does not acquire.
    Acquire,
    /// A team leaves its count and its words in the slot.
    Clearing,
    /// The next team begins before all of its members have cleared the slot.
    Agreement,
}

/// Whose lanes carry out a collective.
#[derive(Clone, Copy, PartialEq)]
enum Crew {
    /// Those of a scope in a kernel of the program.
    Scope,
    /// The blocks of a grid, of one lane each.
    Grid,
    /// The blocks of a kernel of the library, of one lane each.
    Library,
}

/// A collective: each member's words go to all others, or only those of a root.
#[derive(Clone, Copy)]
struct Step {
    crew: Crew,
    /// Words of each member; each goes with the lane of its number.
    words: u64,
    root: Option<u64>,
    /// Whether a kernel begins with it, after the one before has ended.
    begins: bool,
}

const fn exchange(crew: Crew, words: u64) -> Step {
    Step { crew, words, root: None, begins: false }
}

const fn broadcast(root: u64, words: u64) -> Step {
    Step { crew: Crew::Scope, words, root: Some(root), begins: false }
}

const fn begin(step: Step) -> Step {
    Step { begins: true, ..step }
}

/// Where lanes meet without an order that the model could omit. All leave together, and with the same result.
pub(crate) struct Meeting {
    state: Mutex<(u64, u64, bool)>,
    changed: Condvar,
}

impl Meeting {
    pub(crate) fn new() -> Self {
        Self { state: Mutex::new((0, 0, true)), changed: Condvar::new() }
    }

    /// Waits for `all`. Returns whether none of them has dropped out, now or before.
    pub(crate) fn meet(&self, all: u64, is_in: bool) -> bool {
        let mut state = self.state.lock().expect("nobody panics");
        let turn = state.1;
        state.2 &= is_in;
        state.0 += 1;
        if state.0 == all {
            state.0 = 0;
            state.1 += 1;
            self.changed.notify_all();
        }
        while state.1 == turn {
            state = self.changed.wait(state).expect("nobody panics");
        }
        state.2
    }
}

struct Member {
    counted: AtomicU64,
    /// The words of the inbox, by half, sender and number.
    inbox: Vec<[AtomicU64; 2]>,
    memory: Vec<Memory>,
    scope: Meeting,
    kernel: Meeting,
    grid: AtomicU32,
}

/// A word of the program's source and dest, which the model checks for races.
struct Memory {
    source: UnsafeCell<u64>,
    dest: UnsafeCell<u64>,
}

struct Job {
    members: Vec<Member>,
    lanes: u64,
    without: Without,
    /// Where the members agree on a slot.
    agreement: Meeting,
}

/// The word that a member sends; `team` tells teams of a slot apart.
fn word(team: u64, number: u64, from: u64, i: u64) -> u64 {
    let part = team * 1000 + number * 100 + from * 10 + i;
    part << 32 | part
}

struct Lane<'a> {
    job: &'a Job,
    team: u64,
    me: u64,
    lane: u64,
    dropped_out: Cell<bool>,
}

impl grid::Counter for Lane<'_> {
    fn add(&self, n: u32) -> u32 {
        let order = if self.job.without == Without::Release { Acquire } else { AcqRel };
        self.member().grid.fetch_add(n, order)
    }
    fn wait_phase_change(&self, before: u32) {
        let order = if self.job.without == Without::Acquire { Relaxed } else { Acquire };
        let looks = Looks::new(crate::LOOKS);
        while !grid::phase_changed(before, self.member().grid.load(order)) {
            if !looks.go_on() {
                return self.dropped_out.set(true);
            }
        }
    }
}

impl Lane<'_> {
    fn member(&self) -> &Member {
        &self.job.members[self.me as usize]
    }

    fn part(&self, owner: u64, number: u64, sender: u64, i: u64) -> &[AtomicU64; 2] {
        let (n, lanes) = (self.job.members.len() as u64, self.job.lanes);
        &self.job.members[owner as usize].inbox[((half(number) * n + sender) * lanes + i) as usize]
    }

    /// Waits for the other lanes of the group. Returns whether nobody has dropped out.
    fn sync(&self, crew: Crew, is_in: bool) -> bool {
        match crew {
            Crew::Scope => self.member().scope.meet(self.job.lanes, is_in),
            Crew::Grid if is_in => {
                grid::enter(self, self.lane, self.job.lanes);
                !self.dropped_out.get()
            }
            Crew::Grid | Crew::Library => is_in,
        }
    }

    /// Carries out collectives one after the other, of which the first has the number 1. Returns whether nobody of the
    /// member has dropped out.
    fn run(&self, steps: &[Step]) -> bool {
        let mut is_in = true;
        for (number, step) in (1..).zip(steps) {
            if step.begins && !self.between_kernels(is_in) {
                return false;
            }
            if !is_in && self.job.without == Without::Leave {
                // The other lanes have not heard of it.
                return self.sync(step.crew, false);
            }
            is_in = is_in && self.collective(number, *step);
        }
        is_in
    }

    /// Waits until the kernel has ended on all lanes. Returns whether nobody has dropped out.
    fn between_kernels(&self, is_in: bool) -> bool {
        if self.job.without == Without::Boundary { is_in } else { self.member().kernel.meet(self.job.lanes, is_in) }
    }

    fn collective(&self, expected: u64, step: Step) -> bool {
        let (lanes, without) = (self.job.lanes, self.job.without);
        let Step { crew, words, root, begins } = step;
        // Another lane's words: what has come, and what is to be sent.
        let other = &self.member().memory[((self.lane + 1) % lanes) as usize];
        let touches = without != Without::Meetings;
        if touches {
            other.dest.with(|_| ());
            other.source.with_mut(|_| ());
        }
        if begins && !self.between_kernels(true) {
            return false;
        }
        let number = if touches { number(self.member().counted.load(Relaxed), ALL) } else { expected };
        if without == Without::Number && crew != Crew::Library {
            self.count(1);
        }
        let meets = |place| ![place, Without::Meetings].contains(&without);
        if meets(Without::Enter) && !self.sync(crew, true) {
            return false;
        }
        assert_eq!(number, expected, "lanes take different numbers");
        if without != Without::Number && crew != Crew::Library {
            self.count(1);
        }
        let (n, i) = (self.job.members.len() as u64, self.lane);
        let sends = |from| root.is_none_or(|root| root == from || i == 0 && without != Without::Answers);
        let others = || (0..n).filter(|other| *other != self.me);
        let mut is_in = true;
        if i < words {
            let own = &self.member().memory[i as usize];
            if touches {
                own.source.with(|_| ());
            }
            for to in others().filter(|_| sends(self.me)) {
                let words = encode(word(self.team, number, self.me, i), flag(number));
                self.part(to, number, self.me, i).iter().zip(words).for_each(|(part, word)| part.store(word, Relaxed));
            }
            is_in = others().filter(|from| sends(*from)).all(|from| self.receive(number, from, i));
            if touches {
                own.dest.with_mut(|_| ());
            }
        }
        if meets(Without::Leave) {
            is_in = self.sync(crew, is_in);
        }
        if crew == Crew::Library {
            self.count(lanes as u32);
        }
        is_in
    }

    /// Counts a collective, by a lane of each of so many groups.
    fn count(&self, groups: u32) {
        if groups > 1 || self.lane == 0 {
            self.member().counted.fetch_add(share(ALL, groups), Relaxed);
        }
    }

    /// Returns whether the word has come.
    fn receive(&self, number: u64, from: u64, i: u64) -> bool {
        let looks = Looks::new(crate::LOOKS);
        loop {
            let words = self.part(self.me, number, from, i).each_ref().map(|part| part.load(Relaxed));
            for word in words {
                assert!(word >> 32 <= flag(number) >> 32, "overwritten before it was read");
            }
            if let Some(found) = decode(words, flag(number)) {
                assert_eq!(found, word(self.team, number, from, i), "of another collective");
                return true;
            }
            if !looks.go_on() {
                return false;
            }
        }
    }

    /// Destroys a team and makes the next one in its slot, for a member that has not dropped out.
    fn next_team(&self, is_in: bool) -> bool {
        let (Job { without, agreement, .. }, member) = (self.job, self.member());
        if is_in && *without != Without::Clearing {
            member.counted.store(0, Relaxed);
            for part in member.inbox.iter().flatten() {
                let old = part.load(Relaxed);
                assert!(old & 0xffff_ffff < 1000 * (self.team + 1), "a word of the next team is cleared");
                part.store(0, Relaxed);
            }
        }
        if *without == Without::Agreement { is_in } else { agreement.meet(self.job.members.len() as u64, is_in) }
    }
}

/// Members of so many lanes each. Each lane does `run`, which returns whether nobody of its member has dropped out.
fn job(
    (n, lanes): (u64, u64),
    preemptions: usize,
    without: Without,
    run: impl Fn(&Job, u64, u64) -> bool + Copy + Send + Sync + 'static,
) {
    crate::explore(preemptions, move || {
        let memory = |_| Memory { source: UnsafeCell::new(0), dest: UnsafeCell::new(0) };
        let member = |_| Member {
            counted: AtomicU64::new(0),
            inbox: (0..2 * n * lanes).map(|_| [(); 2].map(|()| AtomicU64::new(0))).collect(),
            memory: (0..lanes).map(memory).collect(),
            scope: Meeting::new(),
            kernel: Meeting::new(),
            grid: AtomicU32::new(0),
        };
        let members = (0..n).map(member).collect();
        let job = Arc::new(Job { members, lanes, without, agreement: Meeting::new() });
        let others: Vec<_> = (1..n * lanes)
            .map(|lane| {
                let job = job.clone();
                thread::spawn(move || run(&job, lane / lanes, lane % lanes))
            })
            .collect();
        let passes = run(&job, 0, 0);
        others.into_iter().fold(passes, |all, lane| lane.join().expect("a lane") && all)
    });
}

/// Collectives of a new team.
fn collectives(size: (u64, u64), preemptions: usize, without: Without, steps: &'static [Step]) {
    job(size, preemptions, without, move |job, me, lane| {
        Lane { job, team: 0, me, lane, dropped_out: Cell::new(false) }.run(steps)
    });
}

/// The second lane has no word in the second collective.
const BY_SCOPE: &[Step] = &[exchange(Crew::Scope, 2), exchange(Crew::Scope, 1), exchange(Crew::Scope, 2)];

#[test]
fn lanes_of_one_kernel() {
    collectives((2, 2), 2, Without::Nothing, BY_SCOPE);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn lanes_meet_before_they_send() {
    collectives((2, 2), 2, Without::Enter, BY_SCOPE);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn lanes_meet_when_they_have_received() {
    collectives((2, 2), 2, Without::Leave, BY_SCOPE);
}

/// The meeting of a scope is what a kernel's end is where kernels follow each other.
#[test]
#[should_panic(expected = "overwritten before it was read")]
fn lanes_that_never_meet_overwrite() {
    collectives((2, 2), 2, Without::Meetings, BY_SCOPE);
}

#[test]
#[should_panic(expected = "lanes take different numbers")]
fn lanes_know_the_number_before_it_is_counted() {
    collectives((2, 2), 2, Without::Number, BY_SCOPE);
}

const BROADCASTS: &[Step] = &[broadcast(0, 2), broadcast(1, 2), broadcast(0, 2)];

#[test]
fn broadcasts_by_lanes() {
    collectives((2, 2), 2, Without::Nothing, BROADCASTS);
}

const OF_ONE_ROOT: &[Step] = &[broadcast(0, 1), broadcast(0, 1), broadcast(0, 1)];

#[test]
fn broadcasts_of_one_root() {
    collectives((3, 1), 2, Without::Nothing, OF_ONE_ROOT);
}

#[test]
#[should_panic(expected = "overwritten before it was read")]
fn who_only_hears_answers() {
    collectives((3, 1), 2, Without::Answers, OF_ONE_ROOT);
}

const BY_GRID: &[Step] = &[exchange(Crew::Grid, 2), exchange(Crew::Grid, 1)];

#[test]
fn blocks_in_any_order() {
    collectives((2, 2), 1, Without::Nothing, BY_GRID);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn blocks_release() {
    collectives((2, 2), 1, Without::Release, BY_GRID);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn blocks_acquire() {
    collectives((2, 2), 1, Without::Acquire, BY_GRID);
}

/// Kernels of the program and of the library, which the host starts, in turn.
const IN_TURN: &[Step] =
    &[exchange(Crew::Scope, 2), begin(exchange(Crew::Library, 2)), begin(exchange(Crew::Scope, 2))];

#[test]
fn a_kernel_and_then_the_host() {
    collectives((2, 2), 2, Without::Nothing, IN_TURN);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn kernels_follow_each_other() {
    collectives((2, 2), 2, Without::Boundary, IN_TURN);
}

/// A team, and another one in its slot, which starts to count afresh.
fn two_teams(without: Without) {
    job((2, 1), 3, without, move |job, me, lane| {
        let of = |team| Lane { job, team, me, lane, dropped_out: Cell::new(false) };
        let steps = [exchange(Crew::Scope, 1)];
        // A lane that has dropped out does not clear, and nobody goes on.
        let is_in = of(0).run(&steps);
        of(0).next_team(is_in) && of(1).run(&steps)
    });
}

#[test]
fn a_slot_of_another_team() {
    two_teams(Without::Nothing);
}

#[test]
#[should_panic(expected = "lanes take different numbers")]
fn a_team_clears_its_slot() {
    two_teams(Without::Clearing);
}

#[test]
#[should_panic(expected = "a word of the next team is cleared")]
fn all_clear_before_the_next_team_begins() {
    two_teams(Without::Agreement);
}

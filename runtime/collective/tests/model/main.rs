//! Explores with loom the interleavings of flags and stages, and the values that relaxed loads may return:
//! `RUSTFLAGS="--cfg loom" cargo test -p cushmem-collective --test model --release`.
//!
//! A model cannot contain an endless wait, so a member that has looked a few times drops out: it no longer posts,
//! writes or checks, and a member that depends on it drops out as well. The executions that remain, in which all waits
//! succeed, are checked, and counted to make sure that there are some. Data are words written by relaxed stores, so a
//! missing ordering shows as an old or a newer value.
#![cfg(loom)]

mod nodes;

use cushmem_collective::*;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*};
use loom::thread;
use std::sync::Arc as StdArc;
use std::sync::atomic::AtomicUsize as StdAtomicUsize;
use std::time::Duration;

/// The largest model is explored only for this long, not to its end.
const LONGEST: Duration = Duration::from_secs(3);
/// How often a member looks before it drops out.
const LOOKS: usize = 3;

/// What a member owns: its flags, a word of data in each stage, and a word of source and dest.
struct Memory {
    steps: Vec<AtomicU64>,
    done: AtomicU64,
    stages: Vec<(AtomicU64, AtomicU64)>,
    source: AtomicU64,
    dest: AtomicU64,
}

impl Memory {
    fn new() -> Self {
        let word = || AtomicU64::new(0);
        let stages = (0..STAGES).map(|_| (word(), word())).collect();
        Self { steps: (0..STEPS).map(|_| word()).collect(), done: word(), stages, source: word(), dest: word() }
    }

    fn flag(&self, flag: Flag) -> &AtomicU64 {
        match flag {
            Flag::Step(step) => &self.steps[step],
            Flag::Done => &self.done,
            Flag::Stage(stage) => &self.stages[stage].0,
        }
    }
}

struct Member {
    all: Arc<Vec<Memory>>,
    progress: Progress,
    me: u32,
    dropped_out: bool,
    accumulator: u64,
}

impl Member {
    fn own(&self) -> &Memory {
        &self.all[self.me as usize]
    }

    fn set_dest(&self, to: u32, value: u64) {
        if !self.dropped_out {
            self.all[to as usize].dest.store(value, Relaxed);
        }
    }

    fn combine(&mut self, how: Take, value: u64) {
        self.accumulator = if how == Take::First { value } else { self.accumulator + value };
    }
}

impl Group for Member {
    fn size(&self) -> u32 {
        self.all.len() as u32
    }
    fn me(&self) -> u32 {
        self.me
    }
    fn sync(&mut self) {
        sync(self);
    }
}

impl Copies for Member {
    fn put(&mut self, to: u32, _: usize, _: usize, _: usize) {
        self.set_dest(to, self.own().source.load(Relaxed));
    }
    fn get(&mut self, from: u32, _: usize, _: usize, _: usize) {
        self.set_dest(self.me, self.all[from as usize].source.load(Relaxed));
    }
}

impl Flags for Member {
    fn progress(&self) -> &Progress {
        &self.progress
    }
    fn post(&mut self, flag: Flag, value: u64) {
        if !self.dropped_out {
            self.own().flag(flag).store(value, Release);
        }
    }
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64 {
        for _ in 0..LOOKS {
            if self.dropped_out {
                break;
            }
            let seen = self.all[member as usize].flag(flag).load(Acquire);
            if seen >= value {
                return seen;
            }
            thread::yield_now();
        }
        self.dropped_out = true;
        value
    }
    fn stage_word(&mut self, stage: usize, _: usize, value: u64) {
        if !self.dropped_out {
            self.own().stages[stage].1.store(value, Relaxed);
        }
    }
    fn staged_word(&mut self, from: u32, stage: usize, _: usize) -> u64 {
        self.all[from as usize].stages[stage].1.load(Relaxed)
    }
}

impl Stages for Member {
    fn stage(&mut self, stage: usize, _: usize, _: usize, _: usize) {
        if !self.dropped_out {
            self.own().stages[stage].1.store(self.own().source.load(Relaxed), Relaxed);
        }
    }
    fn unstage(&mut self, from: u32, stage: usize, _: usize, _: usize, _: usize) {
        self.set_dest(self.me, self.all[from as usize].stages[stage].1.load(Relaxed));
    }
}

impl Fold for Member {
    fn element(&self) -> usize {
        8
    }
    fn zero(&mut self, _: usize) {
        self.accumulator = 0;
    }
    fn take(&mut self, how: Take, from: u32, _: usize, _: usize) {
        let value = self.all[from as usize].source.load(Relaxed);
        self.combine(how, value);
    }
    fn give(&mut self, to: u32, _: usize, _: usize) {
        self.set_dest(to, self.accumulator);
    }
    fn give_and_take(&mut self, how: Take, member: u32, _: usize, _: usize) {
        let value = self.all[member as usize].source.load(Relaxed);
        self.set_dest(member, self.accumulator);
        self.combine(how, value);
    }
}

impl StagedFold for Member {
    fn take_stage(&mut self, how: Take, from: u32, stage: usize, _: usize) {
        let value = self.all[from as usize].stages[stage].1.load(Relaxed);
        self.combine(how, value);
    }
    fn give_stage(&mut self, stage: usize, _: usize) {
        if !self.dropped_out {
            self.own().stages[stage].1.store(self.accumulator, Relaxed);
        }
    }
}

/// What a member does in a round; returns what it must then find in its dest.
type Round = fn(&mut Member, u64) -> u64;

/// Runs the rounds on each member. The source of round `r` is `100 * r + member`; it is overwritten after each round.
fn explore(n: u32, rounds: &'static [Round], preemptions: usize) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_duration = Some(LONGEST);
    model.max_branches = 20_000;
    let passed = StdArc::new(StdAtomicUsize::new(0));
    let count = passed.clone();
    model.check(move || {
        let all = Arc::new((0..n).map(|_| Memory::new()).collect::<Vec<_>>());
        let member =
            |me| Member { all: all.clone(), progress: Progress::new(0, n), me, dropped_out: false, accumulator: 0 };
        let run = |mut member: Member, passed: StdArc<StdAtomicUsize>| {
            for (r, round) in rounds.iter().enumerate() {
                let base = 100 * (r as u64 + 1);
                member.own().source.store(base + u64::from(member.me), Relaxed);
                let expected = round(&mut member, base);
                if member.dropped_out {
                    return;
                }
                assert_eq!(member.own().dest.load(Relaxed), expected, "round {r} on member {}", member.me);
                member.own().source.store(99, Relaxed);
            }
            passed.fetch_add(1, Relaxed);
        };
        let others: Vec<_> = (1..n)
            .map(|me| {
                let (member, passed) = (member(me), passed.clone());
                thread::spawn(move || run(member, passed))
            })
            .collect();
        run(member(0), passed.clone());
        others.into_iter().for_each(|t| t.join().unwrap());
    });
    assert!(count.load(Relaxed) > 0, "no execution passed, so nothing was checked");
}

fn sum_of(base: u64, n: u32) -> u64 {
    (0..u64::from(n)).map(|m| base + m).sum()
}

fn staged_sum(member: &mut Member, base: u64) -> u64 {
    reduce(member, 8);
    sum_of(base, member.size())
}

/// Twice in a row, this would require the program to keep peers out of its dest, so each test runs it only once.
fn direct_sum(member: &mut Member, base: u64) -> u64 {
    reduce_direct(member, 8);
    sum_of(base, member.size())
}

fn staged_broadcast(member: &mut Member, base: u64) -> u64 {
    broadcast(member, 8, 0, true);
    base
}

fn inclusive_scan(member: &mut Member, base: u64) -> u64 {
    scan(member, 8, true);
    sum_of(base, member.me + 1)
}

/// There are more rounds than stages.
#[test]
fn two_members_sum_again_and_again() {
    const ROUNDS: [Round; STAGES as usize + 1] = [staged_sum; STAGES as usize + 1];
    explore(2, &ROUNDS, 3);
}

#[test]
fn three_members_sum() {
    explore(3, &[staged_sum, staged_sum], 1);
}

#[test]
fn two_members_sum_directly() {
    explore(2, &[direct_sum], 3);
}

/// The root runs ahead, but must not overwrite what the other has not read: there are more rounds than
/// stages.
#[test]
fn broadcasts_run_ahead() {
    const ROUNDS: [Round; STAGES as usize + 2] = [staged_broadcast; STAGES as usize + 2];
    explore(2, &ROUNDS, 3);
}

#[test]
fn scans_and_sums_take_turns() {
    explore(2, &[inclusive_scan, inclusive_scan, staged_sum, inclusive_scan, inclusive_scan, staged_sum], 2);
}

/// A member that has the result of a sum does not know that the others have it, so its broadcasts must not overwrite
/// its contribution to the sum.
#[test]
fn broadcasts_after_a_sum() {
    explore(2, &[staged_sum, staged_broadcast, staged_broadcast, staged_broadcast, staged_broadcast], 3);
}

//! Triggers: lanes that bump, and the CPU that arms, cancels and arms again. Whoever looks too often drops out.

use crate::{LONGEST, LOOKS};
use cushmem_protocol::trigger::{Cpu, EVERY, Lane, Outcome, arm, arm_always, bump, cancel, settle};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};
use loom::thread;
use std::cell::Cell;
use std::sync::Arc as StdArc;
use std::sync::atomic::AtomicUsize as StdAtomicUsize;

/// Mistakes that the model has to find.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    /// A lane may load `armed` before it has added.
    NoFence,
    /// The CPU runs the operation when the count has come to the threshold.
    CountDecides,
    /// A lane that leaves an epoch does not wait for the decisions before.
    OutOfOrder,
    /// A bump orders nothing.
    RelaxedBump,
    /// A lane that finds an epoch firmly armed does not acquire.
    NoAcquire,
    /// An epoch that is firmly armed is cancelled.
    CancelsFirm,
}

struct Trigger {
    count: AtomicU64,
    armed: AtomicU64,
    ran: AtomicU64,
    decided: AtomicU64,
    /// By lane, what the operation sends. Loom complains if it is accessed without order.
    sent: Vec<UnsafeCell<u64>>,
    /// By epoch, how often it was run.
    runs: Vec<StdAtomicUsize>,
    /// How often it was run because all epochs are armed.
    always: StdAtomicUsize,
    mistake: Mistake,
}

impl Trigger {
    fn new(lanes: usize, mistake: Mistake) -> Self {
        let word = || AtomicU64::new(0);
        Self {
            count: word(),
            armed: word(),
            ran: word(),
            decided: word(),
            sent: (0..lanes).map(|_| UnsafeCell::new(0)).collect(),
            runs: (0..4).map(|_| StdAtomicUsize::new(0)).collect(),
            always: StdAtomicUsize::new(0),
            mistake,
        }
    }

    /// The operation of an epoch, which sends what these lanes wrote.
    fn run(&self, epoch: u64, lanes: &[usize]) {
        for lane in lanes {
            // SAFETY: loom fails the test if the lane writes it at the same time, or without order.
            self.sent[*lane].with(|sent| assert_eq!(unsafe { *sent }, 1, "lane {lane} had not written"));
        }
        if epoch == EVERY {
            self.always.fetch_add(1, SeqCst);
            return;
        }
        let before = self.runs[epoch as usize].fetch_add(1, SeqCst);
        assert_eq!(before, 0, "epoch {epoch} ran twice");
    }

    fn has_run(&self, epoch: usize) -> usize {
        self.runs[epoch].load(SeqCst)
    }
}

/// A lane or the CPU, with the looks that it has left.
struct Side<'a>(&'a Trigger, Cell<usize>);

impl<'a> Side<'a> {
    fn of(trigger: &'a Trigger) -> Self {
        Self(trigger, Cell::new(LOOKS))
    }

    fn goes_on(&self) -> bool {
        thread::yield_now();
        self.1.set(self.1.get().saturating_sub(1));
        self.1.get() > 0
    }
}

impl Lane for Side<'_> {
    fn add(&self, n: u64) -> u64 {
        self.0.count.fetch_add(n, if self.0.mistake == Mistake::RelaxedBump { Relaxed } else { Release })
    }
    fn acquire(&self) {
        if self.0.mistake != Mistake::NoAcquire {
            fence(Acquire);
        }
    }
    fn fence(&self) {
        if self.0.mistake != Mistake::NoFence {
            fence(SeqCst);
        }
    }
    fn armed(&self) -> u64 {
        self.0.armed.load(Relaxed)
    }
    fn decided(&self) -> u64 {
        if self.0.mistake == Mistake::OutOfOrder { u64::MAX } else { self.0.decided.load(Acquire) }
    }
    fn raise_ran(&self, epoch: u64) {
        self.0.ran.fetch_max(epoch, Relaxed);
    }
    fn raise_decided(&self, epoch: u64) {
        self.0.decided.fetch_max(epoch, Release);
    }
    fn pause(&self) -> bool {
        self.goes_on()
    }
}

/// Copies that the CPU waits for.
impl Cpu for Side<'_> {
    type Error = ();
    fn set_armed(&self, epoch: u64) -> Result<(), ()> {
        self.0.armed.store(epoch, Relaxed);
        fence(SeqCst);
        Ok(())
    }
    fn count(&self) -> Result<u64, ()> {
        Ok(self.0.count.load(Acquire))
    }
    fn decided(&self) -> Result<u64, ()> {
        Ok(if self.0.mistake == Mistake::CountDecides { u64::MAX } else { self.0.decided.load(Acquire) })
    }
    fn ran(&self) -> Result<u64, ()> {
        Ok(self.0.ran.load(Relaxed))
    }
    fn pause(&self) -> Result<(), ()> {
        if self.goes_on() { Ok(()) } else { Err(()) }
    }
}

/// What all lanes do: each writes what is sent, and bumps by `n`. Says whether it did not drop out.
fn lane(trigger: &Trigger, number: usize, threshold: u64, n: u64, sends: &[usize]) -> bool {
    // SAFETY: loom fails the test if somebody reads it at the same time, or without order.
    trigger.sent[number].with_mut(|sent| unsafe { *sent = 1 });
    let side = Side::of(trigger);
    bump(&side, threshold, n).is_none_or(|crossing| {
        if let Some(epoch) = crossing.runs {
            trigger.run(epoch, sends);
        }
        settle(&side, &crossing).is_some()
    })
}

/// What a model explores.
#[derive(Clone, Copy)]
struct Case {
    threshold: u64,
    /// By how much each lane bumps.
    bumps: &'static [u64],
    /// Whether operations send what all lanes wrote. Otherwise nothing.
    sends_all: bool,
    /// What the CPU does while they do; says whether it did not drop out.
    cpu: fn(&Trigger, &Case) -> bool,
    /// What must hold afterwards if nobody dropped out.
    after: fn(&Trigger),
    /// Whether the CPU arms firmly.
    firm: bool,
    mistake: Mistake,
}

const ARM: Case =
    Case { threshold: 1, bumps: &[1], sends_all: true, cpu: arms, after: once, firm: false, mistake: Mistake::None };

impl Case {
    fn sends(&self) -> &'static [usize] {
        if self.sends_all { &[0, 1][..self.bumps.len()] } else { &[] }
    }

    fn explore(self) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.max_duration = Some(LONGEST);
        let passed = StdArc::new(StdAtomicUsize::new(0));
        let count = passed.clone();
        model.check(move || {
            let trigger = Arc::new(Trigger::new(self.bumps.len(), self.mistake));
            let lanes: Vec<_> = (0..self.bumps.len())
                .map(|number| {
                    let trigger = trigger.clone();
                    thread::spawn(move || lane(&trigger, number, self.threshold, self.bumps[number], self.sends()))
                })
                .collect();
            let mut all = (self.cpu)(&trigger, &self);
            for lane in lanes {
                all &= lane.join().expect("a lane");
            }
            if all {
                (self.after)(&trigger);
                passed.fetch_add(1, SeqCst);
            }
        });
        assert!(count.load(SeqCst) > 0, "all executions dropped out: nothing was checked");
    }
}

/// Arms the first epoch.
fn arms(trigger: &Trigger, case: &Case) -> bool {
    let outcome = arm(&Side::of(trigger), case.threshold, 1, case.firm);
    if outcome == Ok(Outcome::Left) {
        trigger.run(1, case.sends());
    }
    outcome.is_ok()
}

fn once(trigger: &Trigger) {
    assert_eq!(trigger.has_run(1), 1, "the operation ran never, or more than once");
}

/// Arms the first epoch, and cancels it.
fn cancels(trigger: &Trigger, case: &Case) -> bool {
    let side = Side::of(trigger);
    match arm(&side, case.threshold, 1, case.firm) {
        Ok(Outcome::Pending) => match cancel(&side, case.threshold, 1) {
            Ok(Outcome::Ran) => {}
            // It must not run any more; `runs[0]` notes that.
            Ok(Outcome::Pending | Outcome::Left) => trigger.runs[0].store(1, SeqCst),
            Err(()) => return false,
        },
        Ok(Outcome::Left) => trigger.run(1, case.sends()),
        Ok(Outcome::Ran) => {}
        Err(()) => return false,
    }
    true
}

fn once_or_cancelled(trigger: &Trigger) {
    assert_eq!(trigger.has_run(0) + trigger.has_run(1), 1, "it was cancelled and ran, or neither");
}

/// Arms two epochs, the second when the first has run.
fn arms_twice(trigger: &Trigger, case: &Case) -> bool {
    let side = Side::of(trigger);
    for epoch in 1..=2 {
        match arm(&side, case.threshold, epoch, case.firm) {
            Ok(Outcome::Left) => trigger.run(epoch, case.sends()),
            Ok(Outcome::Ran) => {}
            Ok(Outcome::Pending) if epoch == 1 => {
                while side.decided_now() < 1 {
                    if !side.goes_on() {
                        return false;
                    }
                }
                assert_eq!(trigger.ran.load(Relaxed), 1, "it was armed, and left");
            }
            Ok(Outcome::Pending) => {}
            Err(()) => return false,
        }
    }
    true
}

impl Side<'_> {
    fn decided_now(&self) -> u64 {
        self.0.decided.load(Acquire)
    }
}

fn twice(trigger: &Trigger) {
    assert_eq!([trigger.has_run(1), trigger.has_run(2)], [1, 1], "an epoch ran never, or more than once");
}

/// Arms all epochs. What a lane has bumped before is not promised anything.
fn arms_always(trigger: &Trigger, _: &Case) -> bool {
    arm_always(&Side::of(trigger)) == Ok(true)
}

const ALWAYS: Case = Case {
    bumps: &[1, 1],
    sends_all: false,
    cpu: arms_always,
    after: |trigger| assert_eq!(trigger.always.load(SeqCst), 2, "not run each time"),
    ..ARM
};

const ALWAYS_BY_TWO: Case = Case {
    threshold: 2,
    sends_all: true,
    after: |trigger| assert_eq!(trigger.always.load(SeqCst), 1, "not run once"),
    ..ALWAYS
};

#[test]
fn arming_for_good() {
    ALWAYS.explore();
    ALWAYS_BY_TWO.explore();
}

#[test]
#[should_panic(expected = "not run each time")]
fn a_missing_fence_is_found_where_all_epochs_are_armed() {
    Case { mistake: Mistake::NoFence, ..ALWAYS }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_lane_that_does_not_acquire_is_found_where_all_epochs_are_armed() {
    Case { mistake: Mistake::NoAcquire, ..ALWAYS_BY_TWO }.explore();
}

#[test]
fn arming_against_the_crossing_bump() {
    ARM.explore();
}

#[test]
fn early_bumps_count() {
    Case { threshold: 2, bumps: &[2], ..ARM }.explore();
}

#[test]
fn two_lanes_bump() {
    Case { threshold: 2, bumps: &[1, 1], ..ARM }.explore();
}

/// The second lane crosses the threshold of an epoch that nobody arms.
#[test]
fn a_lane_runs_ahead() {
    Case { bumps: &[1, 1], sends_all: false, ..ARM }.explore();
}

#[test]
fn cancelling_against_the_crossing_bump() {
    Case { cpu: cancels, after: once_or_cancelled, ..ARM }.explore();
}

#[test]
fn arming_again() {
    Case { bumps: &[1, 1], sends_all: false, cpu: arms_twice, after: twice, ..ARM }.explore();
}

#[test]
fn a_bump_over_two_thresholds() {
    Case { bumps: &[2], sends_all: false, cpu: arms_twice, after: twice, ..ARM }.explore();
}

#[test]
fn arming_firmly() {
    Case { firm: true, ..ARM }.explore();
    Case { firm: true, threshold: 2, bumps: &[1, 1], ..ARM }.explore();
    Case { firm: true, bumps: &[1, 1], sends_all: false, cpu: arms_twice, after: twice, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "it was cancelled and ran")]
fn cancelling_what_is_firm_is_found() {
    Case { firm: true, cpu: cancels, after: once_or_cancelled, mistake: Mistake::CancelsFirm, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_firm_lane_that_does_not_acquire_is_found() {
    Case { firm: true, threshold: 2, bumps: &[1, 1], mistake: Mistake::NoAcquire, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "the operation ran never")]
fn a_missing_fence_is_found() {
    Case { mistake: Mistake::NoFence, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "ran twice")]
fn a_cpu_that_believes_the_count_is_found() {
    Case { mistake: Mistake::CountDecides, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "ran twice")]
fn decisions_out_of_order_are_found() {
    Case { bumps: &[1, 1], sends_all: false, mistake: Mistake::OutOfOrder, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_bump_without_order_is_found() {
    Case { threshold: 2, bumps: &[1, 1], mistake: Mistake::RelaxedBump, ..ARM }.explore();
}

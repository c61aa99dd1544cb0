//! Triggers: lanes that bump, and the CPU that arms, cancels and arms again. A participant that polls too often drops
//! out.

use crate::{LOOKS, Looks};
use cushmem_protocol::trigger::{Cpu, EVERY, Lane, Outcome, Word, arm, arm_always, bump, bump_next, cancel};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};
use loom::thread;
use std::cell::Cell;
use std::sync::atomic::AtomicUsize as StdAtomicUsize;

/// Mistakes that the model has to find.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    /// A lane may load `armed` before it has added.
    NoFence,
    /// The CPU runs the operation as soon as the count has reached the threshold.
    CountDecides,
    /// The CPU loads `ran` before `left`.
    RanFirst,
    /// A lane that leaves an epoch does not wait for earlier decisions.
    OutOfOrder,
    /// A bump orders nothing, although several bumps together make the operation due.
    RelaxedBump,
    /// A lane that finds an epoch armed does not acquire.
    NoAcquire,
    /// A lane that leaves an epoch does not release what came before.
    RelaxedLeft,
    /// A lane that has the proxy run the operation does not release what came before.
    RelaxedPost,
    /// A held stream waits for the count.
    StreamCounts,
    /// The lane that runs a chain's first epoch reports it as complete before it has bumped the next trigger.
    EarlyComplete,
}

struct Trigger {
    count: AtomicU64,
    armed: AtomicU64,
    ran: AtomicU64,
    left: AtomicU64,
    /// The epoch that a lane has the proxy run, and the one whose operation is complete.
    posted: AtomicU64,
    completed: AtomicU64,
    /// What operations send, indexed by the lane that wrote it; the last one is the CPU's. Loom reports an error if it
    /// is accessed without order.
    sent: Vec<UnsafeCell<u64>>,
    /// For each epoch, how often it was run.
    runs: Vec<StdAtomicUsize>,
    /// How often the operation was run because all epochs are armed.
    always: StdAtomicUsize,
    case: Case,
}

impl Trigger {
    fn new(case: Case) -> Self {
        let word = || AtomicU64::new(0);
        Self {
            count: word(),
            armed: word(),
            ran: word(),
            left: word(),
            posted: word(),
            completed: word(),
            sent: (0..=case.bumps.len()).map(|_| UnsafeCell::new(0)).collect(),
            runs: (0..4).map(|_| StdAtomicUsize::new(0)).collect(),
            always: StdAtomicUsize::new(0),
            case,
        }
    }

    /// A lane, or the CPU for an epoch, writes what the operation sends.
    fn write(&self, who: usize, value: u64) {
        // SAFETY: loom fails the test if somebody reads it at the same time, or without order.
        self.sent[who].with_mut(|sent| unsafe { *sent = value });
    }

    /// Runs the operation of an epoch. It sends what the CPU wrote for the epoch, and what the lanes wrote that have
    /// bumped by then. Unless these are all lanes, a lane that runs it knows only that its own is among them.
    fn run(&self, epoch: u64, by: Option<usize>) {
        let lanes = self.case.bumps.len();
        let epochs = if epoch == EVERY { 1 } else { epoch };
        let all = lanes == 1 || epochs * self.case.threshold == self.case.bumps.iter().sum();
        // SAFETY: loom fails the test if somebody writes it at the same time, or without order.
        let sent = |who: usize| self.sent[who].with(|sent| unsafe { *sent });
        for lane in (0..lanes).filter(|lane| all || Some(*lane) == by) {
            assert_eq!(sent(lane), 1, "lane {lane} had not written");
        }
        assert_eq!(sent(lanes), epoch, "the CPU had not written");
        if epoch == EVERY {
            self.always.fetch_add(1, SeqCst);
            return;
        }
        let before = self.runs[epoch as usize].fetch_add(1, SeqCst);
        assert_eq!(before, 0, "epoch {epoch} ran twice");
        self.completed.store(epoch, Release);
    }

    fn has_run(&self, epoch: usize) -> usize {
        self.runs[epoch].load(SeqCst)
    }

    fn makes(&self, mistake: Mistake) -> bool {
        self.case.mistake == mistake
    }
}

/// A lane or the CPU, with the polls that it has left, and the value of `ran` if it was loaded too early.
struct Side<'a>(&'a Trigger, Looks, Cell<u64>);

impl<'a> Side<'a> {
    fn of(trigger: &'a Trigger) -> Self {
        Self(trigger, Looks::new(LOOKS), Cell::new(0))
    }

    fn armed(&self) -> u64 {
        self.0.armed.load(if self.0.makes(Mistake::NoAcquire) { Relaxed } else { Acquire })
    }

    /// Waits until an epoch is complete, also in the role of the proxy.
    fn completes(&self, epoch: u64) -> bool {
        loop {
            let posted = self.0.posted.swap(0, Acquire);
            if posted > 0 {
                self.0.run(posted, None);
            }
            if self.0.completed.load(Acquire) >= epoch {
                return true;
            }
            if !self.1.go_on() {
                return false;
            }
        }
    }
}

impl Lane for Side<'_> {
    fn each(&self) -> bool {
        self.0.case.threshold == 1
    }
    fn always(&self) -> bool {
        self.0.case.told
    }
    fn threshold(&self) -> u64 {
        self.0.case.threshold
    }
    fn add(&self, n: u64) -> u64 {
        self.0.count.fetch_add(n, if self.0.makes(Mistake::RelaxedBump) { Relaxed } else { AcqRel })
    }
    fn count(&self, n: u64) {
        self.0.count.fetch_add(n, Relaxed);
    }
    fn add_and_look(&self, n: u64) -> (u64, u64) {
        let relaxed = self.each() || self.0.makes(Mistake::RelaxedBump);
        (self.0.count.fetch_add(n, if relaxed { Relaxed } else { AcqRel }), self.armed())
    }
    fn look_again(&self) -> u64 {
        if !self.0.makes(Mistake::NoFence) {
            fence(SeqCst);
        }
        self.armed()
    }
    fn ran(&self) -> u64 {
        self.0.ran.load(Relaxed)
    }
    fn left(&self) -> u64 {
        if self.0.makes(Mistake::OutOfOrder) { u64::MAX } else { self.0.left.load(Acquire) }
    }
    fn raise_ran(&self, epoch: u64) {
        self.0.ran.fetch_max(epoch, Relaxed);
    }
    fn raise_left(&self, epoch: u64) {
        self.0.left.fetch_max(epoch, if self.0.makes(Mistake::RelaxedLeft) { Relaxed } else { Release });
    }
    fn pause(&self) -> bool {
        self.1.go_on()
    }
}

/// Copies for which the CPU waits.
impl Cpu for Side<'_> {
    type Error = ();
    fn set_armed(&self, epoch: u64) -> Result<(), ()> {
        self.0.armed.store(epoch, Release);
        fence(SeqCst);
        Ok(())
    }
    fn count(&self) -> Result<u64, ()> {
        Ok(self.0.count.load(Acquire))
    }
    fn left(&self) -> Result<u64, ()> {
        self.2.set(self.0.ran.load(Relaxed));
        Ok(if self.0.makes(Mistake::CountDecides) { u64::MAX } else { self.0.left.load(Acquire) })
    }
    fn ran(&self) -> Result<u64, ()> {
        Ok(if self.0.makes(Mistake::RanFirst) { self.2.get() } else { self.0.ran.load(Relaxed) })
    }
    fn pause(&self) -> Result<(), ()> {
        if self.1.go_on() { Ok(()) } else { Err(()) }
    }
    fn set(&self, word: Word, value: u64) -> Result<(), ()> {
        let word = match word {
            Word::Count => &self.0.count,
            Word::Ran => &self.0.ran,
            Word::Left => &self.0.left,
        };
        word.store(value, Release);
        Ok(())
    }
}

/// What every lane does: it writes what is sent, and bumps. Returns whether it did not drop out.
fn lane(trigger: &Trigger, number: usize) -> bool {
    let case = trigger.case;
    trigger.write(number, 1);
    let bumped = bump(&Side::of(trigger), case.bumps[number]);
    match bumped {
        Ok(Some(epoch)) if case.by_proxy => {
            trigger.posted.store(epoch, if trigger.makes(Mistake::RelaxedPost) { Relaxed } else { Release });
        }
        Ok(Some(epoch)) => trigger.run(epoch, Some(number)),
        Ok(None) => {}
        Err(_) => return false,
    }
    true
}

/// What a model explores.
#[derive(Clone, Copy)]
struct Case {
    threshold: u64,
    /// By how much each lane bumps.
    bumps: &'static [u64],
    /// What the CPU does at the same time; returns whether it did not drop out.
    cpu: fn(&Trigger) -> bool,
    /// What must hold afterwards if nobody dropped out.
    after: fn(&Trigger),
    /// Whether the CPU arms firmly.
    firm: bool,
    /// Whether lanes have the proxy run the operation.
    by_proxy: bool,
    /// Whether lanes start after the CPU has armed all epochs, and know that it has.
    told: bool,
    mistake: Mistake,
}

const ARM: Case = Case {
    threshold: 1,
    bumps: &[1],
    cpu: arms,
    after: once,
    firm: false,
    by_proxy: false,
    told: false,
    mistake: Mistake::None,
};
/// Two lanes, with one epoch for each.
const AGAIN: Case = Case { bumps: &[1, 1], cpu: arms_twice, after: twice, ..ARM };

impl Case {
    fn explore(self) {
        crate::explore(3, move || {
            let trigger = Arc::new(Trigger::new(self));
            let mut all = !self.told || (self.cpu)(&trigger);
            let lanes: Vec<_> = (0..self.bumps.len())
                .map(|number| {
                    let trigger = trigger.clone();
                    thread::spawn(move || lane(&trigger, number))
                })
                .collect();
            all = all && (self.told || (self.cpu)(&trigger));
            for lane in lanes {
                all &= lane.join().expect("a lane");
            }
            if all {
                (self.after)(&trigger);
            }
            all
        });
    }
}

/// Writes what an epoch sends, and arms it. Runs the operation if a lane left it.
fn arm_and_run(side: &Side<'_>, epoch: u64) -> Result<Outcome, ()> {
    let trigger = side.0;
    trigger.write(trigger.case.bumps.len(), epoch);
    let outcome = arm(side, trigger.case.threshold, epoch, trigger.case.firm)?;
    if outcome == Outcome::Left {
        trigger.run(epoch, None);
    }
    Ok(outcome)
}

/// Arms the first epoch.
fn arms(trigger: &Trigger) -> bool {
    let side = Side::of(trigger);
    arm_and_run(&side, 1).is_ok() && (!trigger.case.by_proxy || side.completes(1))
}

fn once(trigger: &Trigger) {
    assert_eq!(trigger.has_run(1), 1, "the operation ran never, or more than once");
}

/// Holds a stream for the first epoch, with the operation after it.
fn holds_a_stream(trigger: &Trigger) -> bool {
    let side = Side::of(trigger);
    trigger.write(trigger.case.bumps.len(), 1);
    let word = if trigger.makes(Mistake::StreamCounts) { &trigger.count } else { &trigger.left };
    while word.load(Acquire) < 1 {
        if !side.1.go_on() {
            return false;
        }
    }
    trigger.run(1, None);
    true
}

/// Arms the first epoch, and cancels it.
fn cancels(trigger: &Trigger) -> bool {
    let side = Side::of(trigger);
    match arm_and_run(&side, 1) {
        Ok(Outcome::Pending) => match cancel(&side, trigger.case.threshold, 1) {
            Ok(Outcome::Ran) => {}
            // It must not run any more; `runs[0]` records that.
            Ok(Outcome::Pending | Outcome::Left) => trigger.runs[0].store(1, SeqCst),
            Err(()) => return false,
        },
        Ok(Outcome::Left | Outcome::Ran) => {}
        Err(()) => return false,
    }
    true
}

fn once_or_cancelled(trigger: &Trigger) {
    assert_eq!(trigger.has_run(0) + trigger.has_run(1), 1, "it was cancelled and ran, or neither");
}

/// Arms two epochs, the second after the first is complete.
fn arms_twice(trigger: &Trigger) -> bool {
    let side = Side::of(trigger);
    arm_and_run(&side, 1).is_ok()
        && side.completes(1)
        && arm_and_run(&side, 2).is_ok()
        && (!trigger.case.by_proxy || side.completes(2))
}

fn twice(trigger: &Trigger) {
    assert_eq!([trigger.has_run(1), trigger.has_run(2)], [1, 1], "an epoch ran never, or more than once");
}

/// Arms all epochs. There is no guarantee for bumps that came before.
fn arms_always(trigger: &Trigger) -> bool {
    trigger.write(trigger.case.bumps.len(), EVERY);
    arm_always(&Side::of(trigger)) == Ok(true)
}

const ALWAYS: Case = Case {
    bumps: &[1, 1],
    cpu: arms_always,
    after: |trigger| assert_eq!(trigger.always.load(SeqCst), 2, "not run each time"),
    ..ARM
};

const ALWAYS_BY_TWO: Case =
    Case { threshold: 2, after: |trigger| assert_eq!(trigger.always.load(SeqCst), 1, "not run once"), ..ALWAYS };

#[test]
fn arming_for_good() {
    ALWAYS.explore();
    ALWAYS_BY_TWO.explore();
    Case { told: true, ..ALWAYS }.explore();
    Case { told: true, ..ALWAYS_BY_TWO }.explore();
}

#[test]
#[should_panic(expected = "not run each time")]
fn a_missing_fence_is_found_where_all_epochs_are_armed() {
    Case { mistake: Mistake::NoFence, ..ALWAYS }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_lane_that_does_not_acquire_is_found_where_all_epochs_are_armed() {
    Case { mistake: Mistake::NoAcquire, ..ALWAYS }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_bump_without_order_is_found_where_all_epochs_are_armed() {
    Case { told: true, mistake: Mistake::RelaxedBump, ..ALWAYS_BY_TWO }.explore();
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
    Case { bumps: &[1, 1], ..ARM }.explore();
}

#[test]
fn cancelling_against_the_crossing_bump() {
    Case { cpu: cancels, after: once_or_cancelled, ..ARM }.explore();
}

#[test]
fn arming_again() {
    AGAIN.explore();
}

#[test]
fn a_bump_over_two_thresholds() {
    Case { bumps: &[2], ..AGAIN }.explore();
    Case { bumps: &[2], firm: true, ..AGAIN }.explore();
}

#[test]
fn arming_firmly() {
    Case { firm: true, ..ARM }.explore();
    Case { firm: true, threshold: 2, bumps: &[1, 1], ..ARM }.explore();
    Case { firm: true, ..AGAIN }.explore();
}

#[test]
fn by_the_proxy() {
    for firm in [false, true] {
        Case { by_proxy: true, firm, ..ARM }.explore();
        Case { by_proxy: true, firm, threshold: 2, bumps: &[1, 1], ..ARM }.explore();
        Case { by_proxy: true, firm, ..AGAIN }.explore();
    }
}

#[test]
fn on_a_stream() {
    Case { cpu: holds_a_stream, ..ARM }.explore();
}

/// One lane bumps the first trigger of a chain over two thresholds. The CPU arms both epochs, the second after the
/// first is complete, and the next trigger once.
fn explore_chain(mistake: Mistake) {
    crate::explore(3, move || {
        let one = || Arc::new(Trigger::new(Case { mistake, ..ARM }));
        let (first, next) = (one(), one());
        let lane = {
            let (first, next) = (first.clone(), next.clone());
            thread::spawn(move || {
                next.write(0, 1);
                let Ok(Some(epoch)) = bump(&Side::of(&first), 2) else { return };
                if mistake == Mistake::EarlyComplete {
                    first.completed.store(epoch, Release);
                }
                let due = bump(&Side::of(&next), 1);
                first.completed.store(epoch, Release);
                if let Ok(Some(epoch)) = due {
                    next.run(epoch, Some(0));
                }
            })
        };
        let passes = runs_chain(&first, &next);
        if passes {
            lane.join().expect("the lane");
            assert_eq!(
                next.has_run(1) + next.has_run(0),
                1,
                "the next trigger's operation ran never, or was cancelled and ran"
            );
        }
        passes
    });
}

/// The CPU's part; returns whether it did not drop out. At the end the next trigger is cancelled, unless it has run.
fn runs_chain(first: &Trigger, next: &Trigger) -> bool {
    let (of_first, of_next) = (Side::of(first), Side::of(next));
    next.write(1, 1);
    if arm(&of_next, 1, 1, false).is_err() {
        return false;
    }
    for epoch in 1..=2 {
        match arm(&of_first, 1, epoch, false) {
            Ok(Outcome::Left) => {
                let Ok(due) = bump_next(&of_next, 1, Some(1)) else { return false };
                if let Some(epoch) = due {
                    next.run(epoch, None);
                }
                first.completed.store(epoch, Release);
            }
            Ok(_) if of_first.completes(epoch) => {}
            _ => return false,
        }
    }
    match cancel(&of_next, 1, 1) {
        Ok(Outcome::Ran) => true,
        // `runs[0]` records that it must not run.
        Ok(Outcome::Pending | Outcome::Left) => {
            next.runs[0].store(1, SeqCst);
            true
        }
        Err(()) => false,
    }
}

#[test]
fn chains() {
    explore_chain(Mistake::None);
}

#[test]
#[should_panic(expected = "ran")]
fn a_chain_whose_first_is_complete_early_is_found() {
    explore_chain(Mistake::EarlyComplete);
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_stream_that_waits_for_the_count_is_found() {
    Case { cpu: holds_a_stream, mistake: Mistake::StreamCounts, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "it was cancelled and ran")]
fn cancelling_what_is_firm_is_found() {
    Case { firm: true, cpu: cancels, after: once_or_cancelled, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_lane_that_does_not_acquire_is_found() {
    Case { firm: true, mistake: Mistake::NoAcquire, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "the operation ran never")]
fn a_missing_fence_is_found() {
    Case { mistake: Mistake::NoFence, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "ran twice")]
fn a_cpu_that_believes_the_count_is_found() {
    Case { threshold: 2, bumps: &[2], mistake: Mistake::CountDecides, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "ran twice")]
fn a_cpu_that_looks_at_what_ran_first_is_found() {
    Case { bumps: &[1, 1], mistake: Mistake::RanFirst, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "ran twice")]
fn epochs_that_are_left_out_of_order_are_found() {
    Case { bumps: &[1, 1], mistake: Mistake::OutOfOrder, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_bump_without_order_is_found() {
    Case { threshold: 2, bumps: &[1, 1], mistake: Mistake::RelaxedBump, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "ran twice")]
fn an_epoch_that_is_left_without_order_is_found() {
    Case { bumps: &[2], mistake: Mistake::RelaxedLeft, ..ARM }.explore();
}

#[test]
#[should_panic(expected = "Causality violation")]
fn a_post_without_order_is_found() {
    Case { by_proxy: true, firm: true, mistake: Mistake::RelaxedPost, ..ARM }.explore();
}

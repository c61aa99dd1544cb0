//! Triggers: an operation that the CPU has described runs exactly once, when lanes of kernels have bumped a counter to
//! a threshold and the CPU has armed it.
//!
//! ```text
//!   GPU memory, changed by lanes                          GPU memory, changed by copies of the CPU
//!   count: the sum of all bumps, which only grows         armed: the epoch that may run, 0 if none
//!   ran:   the last epoch that a lane ran
//!   left:  the last epoch that a lane left to the CPU
//! ```
//!
//! *Epochs*: a trigger can be armed again and again. Epoch `e`, counted from 1, is due when `count` has reached
//! `e * threshold`. As `count` is never reset, no bump is lost, whether it comes before the trigger is armed or during
//! the epoch before. The CPU arms an epoch when the operation of the previous one is complete.
//!
//! *Who decides*: each threshold is crossed by one bump, the one with `old < e * threshold <= new`. Its lane checks
//! whether `e` is armed. If it is, the lane records this in `ran`, and runs the operation or has a thread of the CPU
//! run it. If not, the lane records in `left` that it leaves the epoch. The CPU arms the epoch and then loads `count`.
//! If `count` has reached the threshold already, the CPU waits for the lane's record, and runs the operation itself if
//! the lane left the epoch. It never decides from `count` alone, which shows that a lane came, but not what that lane
//! saw.
//!
//! *Why exactly once*: the lane adds to `count`, fences, and loads `armed`. The CPU stores `armed`, waits until the
//! store has arrived, and loads `count`. So at least one of them sees what the other wrote. If the lane sees that the
//! epoch is armed, the lane alone runs it: the CPU either sees that no threshold was crossed, or finds the epoch in
//! `ran`. If the lane does not see it armed, the CPU alone runs it: it sees the crossing and finds that the lane left
//! the epoch. *Cancelling* works in the same way, with `armed` set to 0: if the threshold is not crossed by then, the
//! lane that crosses it later sees the 0; otherwise the decision of the lane that crossed it counts.
//!
//! *Firmly armed*: with a bit of `armed` the CPU can promise not to cancel an epoch. A lane that sees the bit, at
//! whatever time, may run the epoch if its bump crosses the threshold: no other lane crosses it, and the CPU runs
//! nothing before the lane has decided. Such a lane needs no fence before it loads `armed`, and need not load it again.
//!
//! *Armed permanently*: before any lane bumps the trigger, the CPU may arm every epoch. The lane that crosses a
//! threshold then runs the operation, and no decision is recorded, because the CPU never asks for one. A bump that
//! crosses several thresholds runs it once. A lane that was told of this in advance need not load `armed`.
//!
//! *Epochs are left in order*: before a lane leaves epochs, it waits until all earlier ones are decided. So `left`
//! covers all epochs up to its value, except one that is in `ran`. The CPU asks about one epoch at a time, and loads
//! `left` first. If `left` has reached the epoch or gone beyond it, a lane that ran the epoch has recorded so before:
//! either the same lane did both, or the lane that left a later epoch has seen this one in `ran`. A lane that runs an
//! epoch waits for nobody: the CPU has armed that epoch, so it will not ask about earlier ones. Both words only grow,
//! so it does no harm if the lane of an earlier epoch, which is complete, writes them late. A lane that waits here
//! waits only for a lane that has added and has not yet decided. That lane waits for nothing else, or only for one
//! before it.
//!
//! *Chains*: the operation of a trigger may be to bump the next trigger by 1, if nothing else bumps that one. A lane
//! that runs such an operation decides on the next trigger's epoch before it reports the first one's epoch as complete.
//! So when the CPU runs a later epoch of the first trigger, no lane is bumping the next one, and all that lanes decided
//! on it is recorded: the CPU can change its words in place of the lanes.
//!
//! *Order*: bumps are both releases and acquires, so that the operation finds what lanes wrote before their bumps. With
//! a threshold of 1 they are neither. What the lane that runs an epoch wrote itself comes before its operation anyway.
//! What lanes of earlier epochs wrote comes before the operations of those epochs, which are complete before the CPU
//! arms this one; a lane that finds it armed acquires that, and what the CPU wrote before. (If the trigger is armed
//! permanently, an operation is ordered only after what its own lanes wrote.) `left` is a release: a CPU that reads it
//! and then runs the operation finds what the lanes wrote. `ran` needs no order, because the CPU then only waits until
//! the operation is complete.
//!
//! *When a participant dies*: if a kernel ends with an error, the GPU's memory is lost and the job ends. The CPU waits
//! for a decision up to a limit.

use crate::poll::poll;

/// A bit of `armed`: the epoch will not be cancelled.
pub const FIRM: u64 = 1 << 63;
/// In place of an epoch's number: every epoch, permanently.
pub const EVERY: u64 = FIRM - 1;

/// A trigger as a lane accesses it.
pub trait Lane {
    /// Whether the threshold is 1.
    fn each(&self) -> bool;
    /// Whether the CPU announced, when it described the trigger, that every epoch is armed. Every epoch may be armed
    /// even if it did not.
    fn always(&self) -> bool;
    /// The threshold.
    fn threshold(&self) -> u64;
    /// Adds to `count` and returns the previous value. A release and an acquire among the GPU's lanes.
    fn add(&self, n: u64) -> u64;
    /// Adds to `count`; relaxed.
    fn count(&self, n: u64);
    /// Adds to `count`, as a release and an acquire among the GPU's lanes, or relaxed if the threshold is 1. Then loads
    /// `armed`, as an acquire. Returns the previous `count` and `armed`. This is one function so that both accesses can
    /// be under way at the same time.
    fn add_and_look(&self, n: u64) -> (u64, u64);
    /// Loads `armed` once more, as an acquire, ordered after the addition for the CPU too.
    fn look_again(&self) -> u64;
    /// Loads `ran`; relaxed.
    fn ran(&self) -> u64;
    /// Loads `left`, as an acquire.
    fn left(&self) -> u64;
    /// Raises `ran` to this epoch; relaxed.
    fn raise_ran(&self, epoch: u64);
    /// Raises `left` to this epoch, as a release.
    fn raise_left(&self, epoch: u64);
    /// Called between two polls; returns whether to go on.
    fn pause(&self) -> bool;
}

/// [`Lane::pause`] gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

/// Bumps a trigger. Returns the epoch whose operation this lane must run or hand over, if there is one, or [`EVERY`].
#[inline(always)]
pub fn bump<L: Lane>(lane: &L, n: u64) -> Result<Option<u64>, GaveUp> {
    if lane.always() {
        if lane.each() {
            lane.count(n);
            return Ok((n > 0).then_some(EVERY));
        }
        let (old, threshold) = (lane.add(n), lane.threshold());
        return Ok((old / threshold < old.wrapping_add(n) / threshold).then_some(EVERY));
    }
    let (old, early) = lane.add_and_look(n);
    let new = old.wrapping_add(n);
    let (first, last) = if lane.each() {
        (old + 1, new)
    } else {
        let threshold = lane.threshold();
        (old / threshold + 1, new / threshold)
    };
    if first > last {
        return Ok(None);
    }
    let among = |epoch: u64| epoch == EVERY || first <= epoch && epoch <= last;
    let is_firm = early & FIRM != 0 && among(early & !FIRM);
    let armed = !FIRM & if is_firm { early } else { lane.look_again() };
    if among(armed) {
        if armed != EVERY {
            lane.raise_ran(armed);
        }
        if armed < last {
            lane.raise_left(last);
        }
        return Ok(Some(armed));
    }
    let is_turn = || lane.left().max(lane.ran()) >= first - 1;
    poll(|| is_turn().then_some(()), || lane.pause()).ok_or(GaveUp)?;
    lane.raise_left(last);
    Ok(None)
}

/// A trigger as the CPU accesses it. Each operation is complete when it returns, and they take effect in program order.
pub trait Cpu {
    /// Why a copy failed, or what has taken too long.
    type Error;
    /// Stores `armed`.
    fn set_armed(&self, epoch: u64) -> Result<(), Self::Error>;
    /// Loads `count`.
    fn count(&self) -> Result<u64, Self::Error>;
    /// Loads `left`, as an acquire.
    fn left(&self) -> Result<u64, Self::Error>;
    /// Loads `ran`.
    fn ran(&self) -> Result<u64, Self::Error>;
    /// Called between two polls; an error ends the wait.
    fn pause(&self) -> Result<(), Self::Error>;
    /// Stores `count`, `ran` or `left` at a time when no lane does.
    fn set(&self, word: Word, value: u64) -> Result<(), Self::Error>;
}

/// A word that lanes change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `count`.
    Count,
    /// `ran`.
    Ran,
    /// `left`.
    Left,
}

/// What happened to an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its threshold has not been crossed.
    Pending,
    /// A lane has run it, or has handed it over to be run.
    Ran,
    /// The lane that crossed the threshold did not find it armed. No other lane will run it.
    Left,
}

/// Arms an epoch; the epoch before it must be complete, and a firmly armed one is not cancelled. The caller runs the
/// operation if the result is [`Outcome::Left`].
pub fn arm<C: Cpu>(cpu: &C, threshold: u64, epoch: u64, firm: bool) -> Result<Outcome, C::Error> {
    cpu.set_armed(if firm { epoch | FIRM } else { epoch })?;
    outcome(cpu, threshold, epoch)
}

/// Arms every epoch permanently. Returns whether no lane had bumped the trigger before, which is required; lanes that
/// bump it afterwards see that it is armed.
pub fn arm_always<C: Cpu>(cpu: &C) -> Result<bool, C::Error> {
    cpu.set_armed(EVERY | FIRM)?;
    Ok(cpu.count()? == 0)
}

/// Cancels an armed epoch: it does not run any more, unless the result is [`Outcome::Ran`].
pub fn cancel<C: Cpu>(cpu: &C, threshold: u64, epoch: u64) -> Result<Outcome, C::Error> {
    cpu.set_armed(0)?;
    outcome(cpu, threshold, epoch)
}

/// Bumps the next trigger in a chain by 1, in place of the lanes that left the epoch of the trigger before it, which
/// are the only ones to bump it. `armed` is the epoch that is armed, if there is one. Returns the epoch that the caller
/// must run, if there is one.
pub fn bump_next<C: Cpu>(cpu: &C, threshold: u64, armed: Option<u64>) -> Result<Option<u64>, C::Error> {
    let count = cpu.count()? + 1;
    cpu.set(Word::Count, count)?;
    if !count.is_multiple_of(threshold) {
        return Ok(None);
    }
    let epoch = count / threshold;
    let runs = armed == Some(epoch);
    cpu.set(if runs { Word::Ran } else { Word::Left }, epoch)?;
    Ok(runs.then_some(epoch))
}

fn outcome<C: Cpu>(cpu: &C, threshold: u64, epoch: u64) -> Result<Outcome, C::Error> {
    if cpu.count()? < epoch * threshold {
        return Ok(Outcome::Pending);
    }
    let mut paused = Ok(());
    loop {
        // In this order: a lane that left a later epoch has seen this one in `ran`, if it was run.
        let left = cpu.left()?;
        if cpu.ran()? == epoch {
            return Ok(Outcome::Ran);
        }
        if left >= epoch {
            return Ok(Outcome::Left);
        }
        // An error of the pause counts after one more look, as in `poll`.
        paused?;
        paused = cpu.pause();
    }
}

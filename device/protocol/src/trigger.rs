//! Triggers: an operation that the CPU described runs when lanes of kernels have bumped a counter to a threshold, and
//! the CPU has armed it. Exactly once.
//!
//! ```text
//!   GPU memory, changed by lanes                          GPU memory, changed by copies of the CPU
//!   count: the sum of all bumps, which only grows         armed: the epoch that may run, 0 if none
//!   ran:   the last epoch that a lane ran
//!   left:  the last epoch that a lane left to the CPU
//! ```
//!
//! *Epochs*: a trigger can be armed again and again. Epoch `e`, from 1, is due when `count` has come to
//! `e * threshold`. As `count` is never set back, no bump is lost, whenever it comes: before the trigger is armed, or
//! in the epoch before. The CPU arms an epoch when the operation of the one before is complete.
//!
//! *Who decides*: each threshold is crossed by one bump, the one with `old < e * threshold <= new`. Its lane looks
//! whether `e` is armed. If so it says so in `ran`, and runs the operation or has a thread of the CPU run it; if not,
//! it says in `left` that it leaves the epoch. The CPU arms, and then looks at `count`. If that has come to the
//! threshold already, it waits for the lane's word, and runs the operation itself if the lane left it. It never decides
//! from `count` alone: that shows that a lane came, and not what it saw.
//!
//! *Why exactly once*: the lane adds to `count`, fences, and loads `armed`. The CPU stores `armed`, waits until that is
//! there, and loads `count`. So at least one sees what the other wrote. If the lane sees that the epoch is armed, it
//! alone runs it: the CPU either sees no threshold crossed, or finds the epoch in `ran`. If the lane does not, the CPU
//! sees the crossing, finds that the lane left, and alone runs it. *Cancelling* is the same with `armed` set to 0: if
//! the threshold is not crossed then, the lane that crosses it later sees the 0; otherwise its decision counts.
//!
//! *Firmly armed*: the CPU may promise not to cancel an epoch, by a bit of `armed`. A lane that sees it, at whatever
//! time, may run the epoch if its bump crosses the threshold: no other lane does, and the CPU runs nothing before the
//! lane has decided. It need not fence before it looks, nor look again.
//!
//! *Armed for good*: before any lane bumps the trigger, the CPU may arm every epoch. Then the lane that crosses a
//! threshold runs the operation, and no decision is written down, as the CPU never asks for one. One bump over several
//! thresholds runs it once. A lane that was told so need not look.
//!
//! *Epochs are left in order*: a lane that leaves epochs waits until those before are decided, so that `left` speaks
//! for all up to it but one that is in `ran`. The CPU asks about one epoch at a time; it loads `left` first. If that
//! has come to the epoch or beyond, a lane that ran the epoch has said so before: either the same lane did, or the lane
//! that left a later epoch has seen it in `ran`. A lane that runs an epoch waits for nobody: the CPU has armed it, so
//! it will not ask about those before. Both words only grow, so it does no harm if the lane of an earlier epoch, which
//! is complete, writes them late. A lane waits here only for a lane that has added and has not yet decided, which waits
//! for nothing else, or for one before it.
//!
//! *Chains*: the operation of a trigger may be to bump the next one by 1, which nothing else bumps. A lane that runs it
//! has decided on the next trigger's epoch before it says that the first one's is complete. So when the CPU runs a
//! later epoch of the first trigger, nobody bumps the next one, and what lanes decided on it is there: the CPU changes
//! its words in their place.
//!
//! *Order*: bumps are releases and acquires at once, so that what lanes wrote before their bumps is there when the
//! operation runs. With a threshold of 1 they are neither: what the lane wrote that runs an epoch comes before its
//! operation without more, and what lanes of earlier epochs wrote comes before these epochs' operations, which are
//! complete before the CPU arms this one; the lane that finds it armed acquires that, and what the CPU wrote before.
//! (If it is armed for good, an operation comes behind what its own lanes wrote.) `left` is a release: the CPU that
//! reads it and then runs the operation finds what the lanes wrote. `ran` needs no order: the CPU does nothing then but
//! wait until the operation is complete.
//!
//! *Who dies*: when a kernel ends with an error the GPU's memory is lost, and the job ends. The CPU waits for a
//! decision to a limit.

/// Bit of `armed`: the epoch is not cancelled.
pub const FIRM: u64 = 1 << 63;
/// In the place of an epoch's number: every epoch, for good.
pub const EVERY: u64 = FIRM - 1;

/// A trigger, as a lane reaches it.
pub trait Lane {
    /// Whether the threshold is 1.
    fn each(&self) -> bool;
    /// Whether the CPU has said, when it told of the trigger, that every epoch is armed; if not, that may be so all the
    /// same.
    fn always(&self) -> bool;
    /// The threshold.
    fn threshold(&self) -> u64;
    /// Adds to `count`; returns what it was. A release and an acquire among the GPU's lanes.
    fn add(&self, n: u64) -> u64;
    /// Adds to `count`; no order.
    fn count(&self, n: u64);
    /// Adds to `count`, a release and an acquire among the GPU's lanes, or with a threshold of 1 without order; then
    /// loads `armed`, as an acquire. Returns what both were. One function, as both are to be under way at the same
    /// time.
    fn add_and_look(&self, n: u64) -> (u64, u64);
    /// Loads `armed` once more, as an acquire, behind the addition with respect to the CPU as well.
    fn look_again(&self) -> u64;
    /// Loads `ran`; no order.
    fn ran(&self) -> u64;
    /// Loads `left`, as an acquire.
    fn left(&self) -> u64;
    /// Raises `ran` to this epoch; no order.
    fn raise_ran(&self, epoch: u64);
    /// Raises `left` to this epoch, as a release.
    fn raise_left(&self, epoch: u64);
    /// Between two looks; whether to go on.
    fn pause(&self) -> bool;
}

/// [`Lane::pause`] gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

/// Bumps a trigger; returns the epoch whose operation this lane is to run, or have run, if there is one, or [`EVERY`].
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
    while lane.left().max(lane.ran()) < first - 1 {
        if !lane.pause() {
            return Err(GaveUp);
        }
    }
    lane.raise_left(last);
    Ok(None)
}

/// A trigger, as the CPU reaches it: each of these is complete when it returns, and they take effect in their order.
pub trait Cpu {
    /// Why something could not be copied, or has taken too long.
    type Error;
    /// Stores `armed`.
    fn set_armed(&self, epoch: u64) -> Result<(), Self::Error>;
    /// Loads `count`.
    fn count(&self) -> Result<u64, Self::Error>;
    /// Loads `left`, as an acquire.
    fn left(&self) -> Result<u64, Self::Error>;
    /// Loads `ran`.
    fn ran(&self) -> Result<u64, Self::Error>;
    /// Between two looks; an error ends the wait.
    fn pause(&self) -> Result<(), Self::Error>;
    /// Stores `count`, `ran` or `left`, where no lane does at the time.
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

/// What became of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its threshold is not crossed.
    Pending,
    /// A lane has run it, or has it run.
    Ran,
    /// The lane that crossed the threshold did not find it armed. No other will run it.
    Left,
}

/// Arms an epoch, the one before which is complete; a firm one is not cancelled. What is [`Outcome::Left`] the caller
/// runs.
pub fn arm<C: Cpu>(cpu: &C, threshold: u64, epoch: u64, firm: bool) -> Result<Outcome, C::Error> {
    cpu.set_armed(if firm { epoch | FIRM } else { epoch })?;
    outcome(cpu, threshold, epoch)
}

/// Arms every epoch, for good. Says whether nobody has bumped before, as must be: a lane that bumps afterwards sees
/// that.
pub fn arm_always<C: Cpu>(cpu: &C) -> Result<bool, C::Error> {
    cpu.set_armed(EVERY | FIRM)?;
    Ok(cpu.count()? == 0)
}

/// Cancels an epoch that is armed: it is not run any more, unless it is [`Outcome::Ran`].
pub fn cancel<C: Cpu>(cpu: &C, threshold: u64, epoch: u64) -> Result<Outcome, C::Error> {
    cpu.set_armed(0)?;
    outcome(cpu, threshold, epoch)
}

/// Bumps a trigger by 1 that is the next in a chain, in the place of the lanes that left the epoch of the one before;
/// they alone bump it. `armed` is the epoch that is armed, if one is. Returns the epoch that the caller is to run, if
/// there is one.
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
    loop {
        // In this order: whoever left a later epoch has seen this one in `ran`, if it is there.
        let left = cpu.left()?;
        if cpu.ran()? == epoch {
            return Ok(Outcome::Ran);
        }
        if left >= epoch {
            return Ok(Outcome::Left);
        }
        cpu.pause()?;
    }
}

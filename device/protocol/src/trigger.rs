//! Triggers: an operation that the CPU described runs when lanes of kernels have bumped a counter to a threshold, and the CPU has armed it. Exactly once.
//!
//! ```text
//!   GPU memory, changed by lanes                     GPU memory, changed by copies of the CPU
//!   count:   the sum of all bumps, which only grows  armed: the epoch that may run, 0 if none
//!   ran:     the last epoch that a lane ran
//!   decided: the last epoch that a lane decided on
//! ```
//!
//! *Epochs*: a trigger can be armed again and again. Epoch `e`, from 1, is due when `count` has come to `e * threshold`. As `count` is never set
//! back, no bump is lost, whenever it comes: before the trigger is armed, or in the epoch before.
//!
//! *Who decides*: each threshold is crossed by one bump, the one with `old < e * threshold <= new`. Its lane looks whether `e` is armed. If so it
//! runs the operation (or has a thread of the CPU run it), and says so in `ran`; if not it leaves the epoch. Either way it then says in `decided` that it has
//! decided. The CPU arms, and then looks at `count`. If that has come to the threshold already, it waits for the decision, and runs the operation itself if
//! the lane left it. It never decides from `count` alone: that shows that a lane came, and not what it saw.
//!
//! *Why exactly once*: the lane adds to `count`, fences, and loads `armed`. The CPU stores `armed`, waits until that is there, and loads `count`. So at least
//! one sees what the other wrote. If the lane sees that the epoch is armed, it alone runs it: the CPU either sees no threshold crossed, or finds the epoch in `ran`. If the
//! lane does not, the CPU sees the crossing, finds that the lane left, and alone runs it. *Cancelling* is the same with `armed` set to 0: if the threshold is
//! not crossed then, the lane that crosses it later sees the 0; otherwise its decision counts.
//!
//! *Firmly armed*: the CPU may promise not to cancel an epoch, by a bit of `armed`. A lane that sees it, at whatever time, may run the epoch if its bump
//! crosses the threshold: no other lane does, and the CPU runs nothing before the lane has decided. It need not fence before it looks, nor look again.
//!
//! *Armed for good*: before any lane bumps the trigger, the CPU may arm every epoch. Then the lane that crosses a threshold runs the operation, and no decision is
//! written down, as the CPU never asks for one. One bump over several thresholds runs it once.
//!
//! *Decisions are in order*: the CPU asks about one epoch at a time, and arms the next one when the operation of this one is complete. A lane that leaves an epoch
//! waits for the decisions on those before, so that no lane says `decided` for one that is behind it. A lane that runs an epoch need not: the CPU has armed it, so
//! it will not ask about those before. Both words only grow, so it does no harm if the lane of an earlier epoch, which is complete, writes them late.
//! A lane waits here only for a lane that has added and has not yet decided, which waits for nothing else, or for one before it.
//!
//! *Order*: bumps are releases and acquires at once, so that what lanes wrote before their bumps is there when the operation runs. `ran` comes before
//! `decided`, which is a release: the CPU that reads `decided` and then runs the operation finds what the lanes wrote.
//!
//! *Who dies*: when a kernel ends with an error the GPU's memory is lost, and the job ends. The CPU waits for a decision to a limit.

/// Bit of `armed`: the epoch is not cancelled.
pub const FIRM: u64 = 1 << 63;
/// In the place of an epoch's number: every epoch, for good.
pub const EVERY: u64 = FIRM - 1;

/// A trigger, as a lane reaches it.
pub trait Lane {
    /// Adds to `count`, as a release among the GPU's lanes; returns what it was.
    fn add(&self, n: u64) -> u64;
    /// Makes the additions so far acquires, among the GPU's lanes.
    fn acquire(&self);
    /// The same, and orders the addition before the loads that follow, with respect to the CPU as well.
    fn fence(&self);
    /// Loads `armed`; no order.
    fn armed(&self) -> u64;
    /// Loads `decided`, as an acquire.
    fn decided(&self) -> u64;
    /// Raises `ran` to this epoch; no order.
    fn raise_ran(&self, epoch: u64);
    /// Raises `decided` to this epoch, as a release.
    fn raise_decided(&self, epoch: u64);
    /// Between two looks; whether to go on.
    fn pause(&self) -> bool;
}

/// What a bump that crossed a threshold has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The first and the last epoch whose threshold it crossed.
    epochs: (u64, u64),
    /// The one that is armed, if it is among them, or [`EVERY`]: the lane runs the operation.
    pub runs: Option<u64>,
}

/// Bumps a trigger. If it crossed a threshold, the lane runs the operation if told to, and then calls [`settle`].
#[inline(always)]
pub fn bump<L: Lane>(lane: &L, threshold: u64, n: u64) -> Option<Crossing> {
    let old = lane.add(n);
    // Under way at the same time.
    let early = lane.armed();
    let new = old.wrapping_add(n);
    // Most thresholds of 1 are crossed by every bump, and a division is slow.
    let epochs = if threshold == 1 { (old + 1, new) } else { (old / threshold + 1, new / threshold) };
    if epochs.0 > epochs.1 {
        return None;
    }
    let among = |epoch: u64| epoch == EVERY || epochs.0 <= epoch && epoch <= epochs.1;
    if early & FIRM != 0 && among(early & !FIRM) {
        lane.acquire();
        return Some(Crossing { epochs, runs: Some(early & !FIRM) });
    }
    lane.fence();
    let armed = lane.armed() & !FIRM;
    Some(Crossing { epochs, runs: among(armed).then_some(armed) })
}

/// Tells the CPU what became of the epochs that a bump crossed. `None` if [`Lane::pause`] gave up.
#[inline(always)]
pub fn settle<L: Lane>(lane: &L, crossing: &Crossing) -> Option<()> {
    match crossing.runs {
        Some(EVERY) => return Some(()),
        Some(epoch) => lane.raise_ran(epoch),
        None => {
            while lane.decided() < crossing.epochs.0 - 1 {
                if !lane.pause() {
                    return None;
                }
            }
        }
    }
    lane.raise_decided(crossing.epochs.1);
    Some(())
}

/// A trigger, as the CPU reaches it: each of these is complete when it returns, and they take effect in their order.
pub trait Cpu {
    /// Why something could not be copied, or has taken too long.
    type Error;
    /// Stores `armed`.
    fn set_armed(&self, epoch: u64) -> Result<(), Self::Error>;
    /// Loads `count`.
    fn count(&self) -> Result<u64, Self::Error>;
    /// Loads `decided`, as an acquire.
    fn decided(&self) -> Result<u64, Self::Error>;
    /// Loads `ran`.
    fn ran(&self) -> Result<u64, Self::Error>;
    /// Between two looks; an error ends the wait.
    fn pause(&self) -> Result<(), Self::Error>;
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

/// Arms an epoch, the one before which is complete; a firm one is not cancelled. What is [`Outcome::Left`] the caller runs.
pub fn arm<C: Cpu>(cpu: &C, threshold: u64, epoch: u64, firm: bool) -> Result<Outcome, C::Error> {
    cpu.set_armed(if firm { epoch | FIRM } else { epoch })?;
    outcome(cpu, threshold, epoch)
}

/// Arms every epoch, for good. Says whether nobody has bumped before, as must be: a lane that bumps afterwards sees that.
pub fn arm_always<C: Cpu>(cpu: &C) -> Result<bool, C::Error> {
    cpu.set_armed(EVERY | FIRM)?;
    Ok(cpu.count()? == 0)
}

/// Cancels an epoch that is armed: it is not run any more, unless it is [`Outcome::Ran`].
pub fn cancel<C: Cpu>(cpu: &C, threshold: u64, epoch: u64) -> Result<Outcome, C::Error> {
    cpu.set_armed(0)?;
    outcome(cpu, threshold, epoch)
}

fn outcome<C: Cpu>(cpu: &C, threshold: u64, epoch: u64) -> Result<Outcome, C::Error> {
    if cpu.count()? < epoch * threshold {
        return Ok(Outcome::Pending);
    }
    while cpu.decided()? < epoch {
        cpu.pause()?;
    }
    Ok(if cpu.ran()? == epoch { Outcome::Ran } else { Outcome::Left })
}

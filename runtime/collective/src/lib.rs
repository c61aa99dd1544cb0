//! The schedules of collectives: which member copies what, and which waits for which. They are written once over small
//! traits, so that the runtime runs them on shared memory and the tests on memory of their own.
//!
//! ```text
//! per team and member, written by that member alone, read by all:
//!   step 0 … STEPS-1   flags, in turn: how far it has come, in steps of synchronisation
//!   done               flag: staged rounds of which it reads nothing any more; not posted by rounds in which all hear of all
//!   stage 0 … STAGES-1 each: flag (the round that it belongs to), STAGE_BYTES of data beside it
//! ```
//!
//! All members make the same calls on a team in the same order, so they agree on the numbers of steps and rounds
//! without talking. Flags only grow, a waiter accepts any number beyond the one that it waits for, and nothing is ever
//! reset: a member that runs ahead does no harm. A post is a release and a wait an acquire, so a member that has seen a
//! flag sees all that its writer stored, or learnt, before.
//!
//! **Turns.** Steps and stages have several flags in turn, so that a member that has gone on does not store to a line
//! at which others still look. (Among 16 members a barrier takes a third of the time that it takes with one flag.)
//!
//! **Steps** ([`sync`]). Member `i` posts its own flag once, and the others look at it. In a round of dissemination
//! with distance `d` it waits for the members `i - j*d` to have come as far. A flag of `s + r` says that its writer has
//! finished the first `r - 1` rounds of the synchronisation that began at `s`, so after the last round each has heard,
//! directly or through others, of all.
//!
//! **Rounds** ([`stage`]). Data of few bytes travel beside their flag, in the same cache line: a member writes them
//! into the next of its own stages and posts the round; the others, who count its writes too, read them there. *Why
//! nobody reads what is overwritten*: a member writes into a stage only once all are done with the round that it holds.
//! It knows that from their `done` flags, or, without looking, from a round in which all heard of all: a member that
//! posts round `k` has finished with `k - 1`. So such a round needs no `done` flag: the next round either is of that
//! kind too, or ends with a flag that is higher. As one that writes seldom looks at `done` once for all its stages, it
//! waits for nobody else in most of its rounds.
//!
//! **Directly**. Where there is more, members write into each other's `dest`, which the specification wants ready
//! before anybody calls, and synchronise after; or, where they read each other's `source`, before and after.
//!
//! # Nodes
//!
//! A team may have members on several nodes, between which there is a network and no memory that both reach.
//! Collectives are then composed ([`levels`]): the members of a node meet as above, and so do the first members of all
//! nodes, their *leaders*. Each leader has a replica of every other one's flags and stages in its own memory, and to
//! post is to put the flag, after its data, to all of them.
//!
//! ```text
//! node A   members -> leader <- network -> leader <- members   node B
//!          flags of the node   replicas   flags of the node
//! ```
//!
//! *What a flag vouches for*. On a node: for all that its writer stored or learnt. Between nodes: for what the same
//! leader put to the same one before, and for nothing that a third one put. So leaders never learn of one from another:
//! they [meet](levels::sync) in one round, in which each waits for each, whatever their number. As a flag goes to all
//! of them anyway, that is also the cheapest. A stage is read by those who waited for its own flag, so rounds need
//! nothing else; neither do flags that say that something was read, as the reader has it then.
//!
//! *Why a result is whole*. What the members of a node did is done when their leader has seen the flags of all of them.
//! It then announces that to the other leaders, after what it put to them. What a leader has put or heard of, it hands
//! to its node by a flag of the node. Members put to members of other nodes themselves where each gets other data, and
//! wait until that has arrived ([`complete`](Levels::complete)) before they arrive at a synchronisation, as no flag of
//! theirs goes there.
//!
//! *Why nobody reads what is overwritten*. A member returns only after its leader has told it of the end, or nobody
//! else reads its memory. A leader returns only after the others' flags have told it that they have what they came for,
//! or after its puts are complete, as a network reads the source of a put late.
//!
//! # Ends
//!
//! *When a member dies* the others wait; the runtime's wait says for whom.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod cost;
mod layout;
pub mod levels;
mod moves;
mod reduce;
mod stage;
mod step;

pub use layout::Layout;
pub use levels::{Level, Levels, Side};
pub use moves::fcollect_direct;
pub use moves::{alltoall, alltoall_direct, alltoalls, broadcast, broadcast_direct, collect, collect_direct, fcollect};
pub use reduce::{reduce, reduce_direct, scan, scan_direct};
pub use stage::{Counts, gather_words};
pub use step::sync;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Step flags of a member.
pub const STEPS: u64 = 4;
/// Stages of a member; so few for the model checker that they are used again soon.
pub const STAGES: u64 = if cfg!(loom) { 2 } else { 8 };
// A round in which all hear of all posts no `done`: with one stage it would be written again before the next round has
// told of its end.
const _: () = assert!(STAGES >= 2);
/// Bytes of data in a stage: with its flag, a line more than 2 KiB, so that not all flags are in the same sets of a
/// cache.
pub const STAGE_BYTES: usize = 2104;
/// Bytes that a member combines at a time, so that they stay in its L1 cache.
pub const CHUNK_BYTES: usize = 4096;

/// The members of a collective, numbered from 0, and each one's `source` and `dest`. Positions and lengths are bytes.
pub trait Group {
    /// How many there are.
    fn size(&self) -> u32;
    /// This one.
    fn me(&self) -> u32;
    /// Returns when all have called it; what any stored before, all see after.
    fn sync(&mut self);
}

/// Members that move data.
pub trait Copies: Group {
    /// Copies from this member's source to another's dest.
    fn put(&mut self, to: u32, dest_at: usize, source_at: usize, bytes: usize);
    /// Copies from another member's source to this one's dest.
    fn get(&mut self, from: u32, dest_at: usize, source_at: usize, bytes: usize);
}

/// Members that combine what they have, in an accumulator.
pub trait Fold: Copies {
    /// Bytes of an element.
    fn element(&self) -> usize;
    /// Bytes to combine at a time, for which the accumulator has room: [`CHUNK_BYTES`], or more between nodes, where
    /// that many take longer to ask for than to move.
    fn chunk(&self) -> usize {
        CHUNK_BYTES
    }
    /// Sets the accumulator to zero.
    fn zero(&mut self, bytes: usize);
    /// Copies a part of a source to the accumulator, or combines it with what is there.
    fn take(&mut self, how: Take, from: u32, source_at: usize, bytes: usize);
    /// Copies the accumulator to a dest.
    fn give(&mut self, to: u32, dest_at: usize, bytes: usize);
    /// Gives the accumulator to a member's dest, and then takes what was in the same part of its source, even if that
    /// is its dest.
    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize);
}

/// How the accumulator takes data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// Forgets what it had.
    First,
    /// Combines.
    Next,
}

/// A word of a member that only grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// How far it has come, at steps of this remainder.
    Step(usize),
    /// Rounds with which it is done.
    Done,
    /// The round that this stage belongs to.
    Stage(usize),
}

impl Flag {
    /// The flag of a step, in a group of `size` members. Two keep to one line, as neither comes further than the other
    /// looks.
    #[inline]
    fn step(number: u64, size: u32) -> Self {
        Self::Step(if size == 2 { 0 } else { (number % STEPS) as usize })
    }
}

/// Members with flags.
pub trait Flags: Group {
    /// This member's numbers.
    fn progress(&self) -> &Progress;
    /// Sets a flag of this member, as a release.
    fn post(&mut self, flag: Flag, value: u64);
    /// Waits until another member's flag has come to `value`, as an acquire; returns what it is.
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64;
    /// Writes a number at the beginning of this member's stage.
    fn stage_word(&mut self, stage: usize, index: usize, value: u64);
    /// Reads it from another member's stage.
    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64;
}

/// Members that move data through stages.
pub trait Stages: Flags + Copies {
    /// Copies from this member's source to its own stage.
    fn stage(&mut self, stage: usize, at: usize, source_at: usize, bytes: usize);
    /// Copies from another member's stage to this one's dest.
    fn unstage(&mut self, from: u32, stage: usize, at: usize, dest_at: usize, bytes: usize);
}

/// Members that combine what is in stages.
pub trait StagedFold: Stages + Fold {
    /// As [`Fold::take`], from a stage.
    fn take_stage(&mut self, how: Take, from: u32, stage: usize, bytes: usize);
    /// Copies the accumulator to this member's stage.
    fn give_stage(&mut self, stage: usize, bytes: usize);
}

/// How far a member has come on a team. One thread at a time changes it.
#[derive(Debug)]
pub struct Progress {
    steps: AtomicU64,
    rounds: AtomicU64,
    /// All members are known to be done with this many rounds.
    heard: AtomicU64,
    /// Rounds that all members wrote.
    by_all: AtomicU64,
    /// Rounds that only this member wrote, for each.
    by_one: Box<[AtomicU64]>,
    /// The round that each of this member's stages holds.
    held: [AtomicU64; STAGES as usize],
}

impl Progress {
    /// The progress on a new team of `size` members, which agreed on a number beyond which none of their flags is.
    pub fn new(base: u64, size: u32) -> Self {
        let at_base = || AtomicU64::new(base);
        Self {
            steps: at_base(),
            rounds: at_base(),
            heard: at_base(),
            by_all: AtomicU64::new(0),
            by_one: (0..size).map(|_| AtomicU64::new(0)).collect(),
            held: std::array::from_fn(|_| at_base()),
        }
    }

    /// No flag of this member is beyond this number.
    pub fn highest(&self) -> u64 {
        self.steps().max(self.rounds())
    }

    #[inline]
    fn steps(&self) -> u64 {
        // Relaxed, as all of these: they are this member's own, and one thread of it is in a collective of a team at a
        // time.
        self.steps.load(Relaxed)
    }

    #[inline]
    fn rounds(&self) -> u64 {
        self.rounds.load(Relaxed)
    }

    #[inline]
    fn heard(&self) -> u64 {
        self.heard.load(Relaxed)
    }

    /// The next step.
    #[inline]
    fn step(&self) -> u64 {
        next(&self.steps)
    }

    #[inline]
    fn set_heard(&self, rounds: u64) {
        self.heard.store(rounds, Relaxed);
    }

    /// Counts a round that one member writes, or all do.
    #[inline]
    fn round(&self, writer: Option<u32>) -> u64 {
        match writer {
            Some(member) => next(&self.by_one[member as usize]),
            None => next(&self.by_all),
        };
        next(&self.rounds)
    }

    /// The stage that a member wrote last.
    #[inline]
    fn stage_of(&self, member: u32) -> usize {
        ((self.by_all.load(Relaxed) + self.by_one[member as usize].load(Relaxed)) % STAGES) as usize
    }

    /// Says which round a stage of this member holds from now on; returns the one that it held.
    #[inline]
    fn hold(&self, stage: usize, round: u64) -> u64 {
        let before = self.held[stage].load(Relaxed);
        self.held[stage].store(round, Relaxed);
        before
    }
}

/// Cheaper than an atomic addition, which one thread does not need.
#[inline]
fn next(count: &AtomicU64) -> u64 {
    let value = count.load(Relaxed) + 1;
    count.store(value, Relaxed);
    value
}

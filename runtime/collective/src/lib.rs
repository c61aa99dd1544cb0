//! The schedules of collectives: which member copies what, and which member waits for which. They are written once,
//! over small traits, so that the runtime runs them on shared memory and the tests on memory of their own.
//!
//! ```text
//! per team and member, written by that member alone, read by all:
//!   step 0 … STEPS-1   flags, in turn: how far it has come, in steps of synchronisation
//!   done               flag: staged rounds of which it reads nothing any more; not posted by rounds in which all hear of all
//!   stage 0 … STAGES-1 each: flag (the round that it belongs to), STAGE_BYTES of data beside it
//! ```
//!
//! All members make the same calls on a team in the same order, so they agree on the numbers of steps and rounds
//! without communicating. Flags only grow, a waiter accepts any number beyond the one that it waits for, and nothing is
//! ever reset, so a member that runs ahead does no harm. A post is a release and a wait is an acquire: a member that
//! has seen a flag sees everything that the flag's writer stored or saw before posting it.
//!
//! **Turns.** A member uses its several step flags and stages in turn. If it runs ahead, it does not store to a cache
//! line at which others still look. (With 16 members, a barrier takes a third of the time that it takes with one flag.)
//!
//! **Steps** ([`sync`]). Member `i` posts its own flag once, and the others look at it. In a round of dissemination
//! with distance `d`, it waits until the members `i - j*d` have come as far. A flag of `s + r` says that its writer has
//! finished the first `r - 1` rounds of the synchronisation that started at `s`. After the last round, each member has
//! therefore heard, directly or through others, from all members.
//!
//! **Rounds** ([`stage`]). Short data travel beside their flag, in the same cache line. A member writes them into the
//! next of its own stages and posts the round; the others, which count its writes too, read them there.
//!
//! *Why nobody reads overwritten data*: a member writes into a stage only once all members are done with the round that
//! it holds. It knows this from their `done` flags or, without looking at those, from a round in which all members
//! heard from all: a member that posts round `k` is done with round `k - 1`. A round of this kind needs no `done` flag
//! itself, because the next round either is of this kind too or ends with a higher `done` flag. A member that rarely
//! writes looks at the `done` flags once for all its stages, so in most of its rounds it waits for nobody.
//!
//! **Direct schedules.** Longer data are written directly into the other members' `dest`, which the specification
//! requires to be ready before any member makes the call; the members synchronise afterwards. If members read each
//! other's `source`, they synchronise before and after.
//!
//! # Nodes
//!
//! A team may have members on several nodes, which are connected by a network and share no memory. Its collectives are
//! composed ([`levels`]): the members of each node meet as above, and so do the first members of all nodes, the
//! *leaders*. Each leader has replicas of all other leaders' flags and stages in its own memory. To post means to put
//! the flag, after its data, to all of them.
//!
//! ```text
//! node A   members -> leader <- network -> leader <- members   node B
//!          flags of the node   replicas   flags of the node
//! ```
//!
//! *What a flag guarantees.* On a node, that everything its writer stored or saw before is visible. Between nodes, only
//! that what the same leader put to the same target before has arrived; it says nothing about the puts of a third
//! leader. Leaders therefore never learn about one leader from another: they [meet](levels::sync) in one round, in
//! which each waits for each, however many there are. As a flag goes to all of them anyway, this is also the cheapest
//! way. A stage is read only by members that waited for its own flag, so rounds need nothing more. Neither do flags
//! that say that something was read, because the reader has the data by then.
//!
//! *Why a result is complete.* The members of a node have done their part when their leader has seen the flags of all
//! of them. The leader then announces this to the other leaders, after what it put to them. A flag of the node passes
//! on to its members what the leader put or heard. If each member gets different data, members put to members of other
//! nodes themselves. They then wait until these puts have arrived ([`complete`](Levels::complete)) before they arrive
//! at a synchronisation, because none of their flags goes to those nodes.
//!
//! *Why nobody reads overwritten data.* A member returns only after its leader has announced the end, unless nobody
//! else reads its memory. A leader returns only after the others' flags have told it that they have what they need, or
//! after its puts are complete, because a network may read the source of a put late.
//!
//! # Failures
//!
//! *When a member dies*, the others wait; the runtime's wait reports for whom.
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
pub use moves::{alltoall, alltoall_direct, alltoalls, broadcast, collect, collect_direct, fcollect};
pub use moves::{broadcast_direct, fcollect_direct, root_puts};
pub use reduce::{reduce, reduce_direct, scan, scan_direct};
pub use stage::{Counts, gather_words};
pub use step::sync;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Step flags of a member.
pub const STEPS: u64 = 4;
/// Stages of a member. For the model checker there are few, so that they are soon reused.
pub const STAGES: u64 = if cfg!(loom) { 4 } else { 8 };
// A round in which all members hear from all posts no `done`. If there were only one stage, it would be overwritten
// before the next round has announced its end.
const _: () = assert!(STAGES >= 2);
/// Bytes of data in a stage. Together with its flag, a stage is one cache line longer than 2 KiB, so that not all flags
/// fall into the same cache sets.
pub const STAGE_BYTES: usize = 2104;
/// Bytes of data in a stage between nodes, where a message costs more than many bytes. Together with its flag and a
/// seal, it is one cache line longer than 4 KiB.
pub const FAR_STAGE_BYTES: usize = 4144;
/// Bytes that a member combines at a time, so that they stay in its L1 cache.
pub const CHUNK_BYTES: usize = 4096;

/// The members of a collective, numbered from 0, each with a `source` and a `dest`. Positions and lengths are in bytes.
pub trait Group {
    /// The number of members.
    fn size(&self) -> u32;
    /// The number of this member.
    fn me(&self) -> u32;
    /// Returns when all members have called it; what any stored before, all see afterwards.
    fn sync(&mut self);
}

/// Members that move data.
pub trait Copies: Group {
    /// Copies from this member's source to another's dest.
    fn put(&mut self, to: u32, dest_at: usize, source_at: usize, bytes: usize);
    /// Copies from another member's source to this one's dest.
    fn get(&mut self, from: u32, dest_at: usize, source_at: usize, bytes: usize);
}

/// Members that combine their data in an accumulator.
pub trait Fold: Copies {
    /// Bytes of an element.
    fn element(&self) -> usize;
    /// Bytes to combine at a time, for which the accumulator has room: [`CHUNK_BYTES`], or more between nodes, where so
    /// few bytes take longer to request than to move.
    fn chunk(&self) -> usize {
        CHUNK_BYTES
    }
    /// Sets the accumulator to zero.
    fn zero(&mut self, bytes: usize);
    /// Copies a part of a member's source to the accumulator, or combines it with the accumulator.
    fn take(&mut self, how: Take, from: u32, source_at: usize, bytes: usize);
    /// Copies the accumulator to a member's dest.
    fn give(&mut self, to: u32, dest_at: usize, bytes: usize);
    /// Copies the accumulator to a member's dest, and then takes what was in the same part of its source, even if
    /// source and dest are the same.
    fn give_and_take(&mut self, how: Take, member: u32, at: usize, bytes: usize);
}

/// How the accumulator takes data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// Replaces the accumulator.
    First,
    /// Combines with the accumulator.
    Next,
}

/// A word of a member; its value only grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// How far the member has come, for steps with this remainder.
    Step(usize),
    /// The rounds that the member is done with.
    Done,
    /// The round that this stage belongs to.
    Stage(usize),
}

impl Flag {
    /// The flag of a step, in a group of `size` members. Two members use one flag only, because neither gets further
    /// than what the other is waiting for.
    #[inline]
    fn step(number: u64, size: u32) -> Self {
        Self::Step(if size == 2 { 0 } else { (number % STEPS) as usize })
    }
}

/// Members with flags.
pub trait Flags: Group {
    /// This member's counters.
    fn progress(&self) -> &Progress;
    /// Sets a flag of this member, as a release.
    fn post(&mut self, flag: Flag, value: u64);
    /// Waits, as an acquire, until another member's flag has reached `value`; returns the flag's value.
    fn wait(&mut self, member: u32, flag: Flag, value: u64) -> u64;
    /// Writes a number into this member's stage.
    fn stage_word(&mut self, stage: usize, index: usize, value: u64);
    /// Reads a number from another member's stage.
    fn staged_word(&mut self, from: u32, stage: usize, index: usize) -> u64;
}

/// Members that move data through stages.
pub trait Stages: Flags + Copies {
    /// Copies from this member's source to its own stage.
    fn stage(&mut self, stage: usize, at: usize, source_at: usize, bytes: usize);
    /// Copies from another member's stage to this one's dest.
    fn unstage(&mut self, from: u32, stage: usize, at: usize, dest_at: usize, bytes: usize);
}

/// Members that combine data from stages.
pub trait StagedFold: Stages + Fold {
    /// Like [`Fold::take`], but from a stage.
    fn take_stage(&mut self, how: Take, from: u32, stage: usize, bytes: usize);
    /// Copies the accumulator to this member's stage.
    fn give_stage(&mut self, stage: usize, bytes: usize);
}

/// How far a member has come on a team. Only one thread at a time changes it.
#[derive(Debug)]
pub struct Progress {
    steps: AtomicU64,
    rounds: AtomicU64,
    /// All members are known to be done with this many rounds.
    heard: AtomicU64,
    /// Rounds that all members wrote.
    by_all: AtomicU64,
    /// For each member, the rounds that only this member wrote.
    by_one: Box<[AtomicU64]>,
    /// The round that each of this member's stages holds.
    held: [AtomicU64; STAGES as usize],
}

impl Progress {
    /// The progress on a new team of `size` members. They have agreed on `base`, which none of their flags exceeds.
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

    /// A number that no flag of this member exceeds.
    pub fn highest(&self) -> u64 {
        self.steps().max(self.rounds())
    }

    #[inline]
    fn steps(&self) -> u64 {
        // Relaxed, like all accesses to these counters: they are this member's own, and at most one of its threads is
        // in a collective of a team at a time.
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

    /// Starts the next step and returns its number.
    #[inline]
    fn step(&self) -> u64 {
        next(&self.steps)
    }

    #[inline]
    fn set_heard(&self, rounds: u64) {
        self.heard.store(rounds, Relaxed);
    }

    /// Counts a round that `writer` writes, or all members do; returns its number.
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
        self.stage_before(member, 0)
    }

    /// The stage that a member wrote so many rounds before the last one, if all wrote since.
    #[inline]
    fn stage_before(&self, member: u32, later: u64) -> usize {
        let written = self.by_all.load(Relaxed) + self.by_one[member as usize].load(Relaxed);
        ((written - later) % STAGES) as usize
    }

    /// Records which round a stage of this member holds from now on; returns the previous one.
    #[inline]
    fn hold(&self, stage: usize, round: u64) -> u64 {
        let before = self.held[stage].load(Relaxed);
        self.held[stage].store(round, Relaxed);
        before
    }
}

/// Cheaper than an atomic addition, which a single thread does not need.
#[inline]
fn next(count: &AtomicU64) -> u64 {
    let value = count.load(Relaxed) + 1;
    count.store(value, Relaxed);
    value
}

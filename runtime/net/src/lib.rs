//! A network of one machine. PEs that act as if they were on different machines send all their traffic through it. It
//! behaves as a NIC does, not as a memory copy does, and it uses every freedom that a NIC of its [`Profile`] has: what
//! works here does not rely on more than such a network promises.
//!
//! ```text
//!   poster:  ring[ticket] := work ──> full := ticket           done >= ticket: complete
//!                                        │                        ▲
//!   engine:                        takes it, later ── reads source │ ── stores at the target ── done := ticket   (delivered)
//!                                                                  └── done := ticket ── stores at the target   (early)
//!   target:  takes no part; its memory is a shared file, which the engine of the initiator maps
//! ```
//!
//! *Who writes.* A [`Lane`] is a ring of [`MOST_UNDER_WAY`] slots. A thread that posts takes a ticket, which makes the
//! slot its own, fills it in and marks it as full. The engine, one thread of the process, is the only reader of slots
//! and the only writer of `done`. A slot is used again once the operation before it is complete, by which time the
//! engine has taken it.
//!
//! *What pairs with what.* `net-post`: the mark on a slot releases work and source, the engine acquires it. `net-done`:
//! `done` releases all that the engine did, so whoever sees a ticket complete may change the source, finds the bytes of
//! a get or the old value of an AMO, and passes on what its own puts stored as if it had stored it. `net-bell`: a
//! poster takes its ticket and then looks whether the engine sleeps; the engine says that it sleeps and then looks at
//! the tickets; as these four are in one order, one of them sees the other, and the poster sees who the engine is. An
//! engine that finds a ticket without its mark stays awake. `net-target`: words at the target are stored relaxed,
//! behind a release fence that each operation begins with; so a target that acquires a flag sees what was put before it
//! on the same lane. A get, and the load of an AMO, end with an acquire fence, as a NIC elsewhere may have put what
//! they found. On x86-64 these fences only keep the compiler in order.
//!
//! *Complete is not delivered.* With [`Delivery::Always`] a put is complete when its bytes are at the target. Otherwise
//! the engine reads the source, reports completion on purpose, and stores the bytes some microseconds later; of a long
//! put that is true of its last piece. [`Delivery`] says what tells that they have arrived.
//!
//! *Sources are read late*, at any time between post and completion: a source that changes before its put is complete
//! may show either value.
//!
//! *Order.* Operations of a lane to one peer take effect in order if the profile is [ordered](Profile::ordered); there
//! is no other order, and the engine begins with the newest operation, or with the peer that became busy last. Tickets
//! are complete in their order all the same, so the ring bounds how long an operation waits for newer ones. A transfer
//! of more than a few KiB travels in pieces, of which the last goes first and between which others run. A naturally
//! aligned word of up to 8 bytes is always stored whole.
//!
//! *Atomic operations* are atomic among NICs only, as `amo` explains: a CPU that changes the word at the same time may
//! lose its change.
//!
//! *When a process dies or stops.* A peer that has died or is stopped notices nothing, as its file stays; an initiator
//! that dies leaves an operation half done, and its lock on a word goes with it. An initiator that is stopped in the
//! middle of an AMO keeps others from the word until it goes on, and nothing else from them.
//!
//! *After a fork* the child has no engine: it must not use the NIC, and dropping it does nothing there.
#![warn(missing_docs)]

mod amo;
mod bell;
mod copy;
mod engine;
mod faults;
mod flow;
mod gate;
mod hub;
mod lane;
mod memory;
mod nic;
mod profile;
mod sync;
#[cfg(test)]
mod tests;
mod wire;

pub use faults::{BadSettings, Faults, Settings};
pub use lane::{Lane, MOST_UNDER_WAY};
pub use memory::{Memory, ProcessMemory};
pub use nic::Nic;
pub use profile::{Delivery, Profile};

/// Bytes of a [`What::Inline`] at most.
pub const MOST_INLINE: usize = 64;

/// One operation on the memory of a peer.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Whose memory.
    pub peer: u32,
    /// Which of its regions, as in [`Nic::register`].
    pub region: u32,
    /// How far into the region, in bytes.
    pub at: u64,
    /// What to do there.
    pub what: What,
    /// Whether a put is to be complete only when its bytes are at the target. Matters with [`Delivery::Asked`] only.
    pub delivered: bool,
}

/// What an operation does. Addresses are those of the initiator's own memory.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// Writes at the peer what is at `from` when the engine looks.
    Put {
        /// The address of the source.
        from: usize,
        /// Its length.
        bytes: usize,
    },
    /// Writes at the peer what the post copied.
    Inline {
        /// The address of the source, which may change once it is posted.
        from: usize,
        /// Its length: at most [`MOST_INLINE`].
        bytes: usize,
    },
    /// Reads from the peer.
    Get {
        /// The address that the bytes go to.
        to: usize,
        /// How many.
        bytes: usize,
    },
    /// Changes an aligned word, atomically among NICs.
    Amo {
        /// How.
        op: NicOp,
        /// The word's size in bytes: 4 or 8.
        width: u32,
        /// The number to change it by, in the lower bytes.
        operand: u64,
        /// What [`NicOp::CompareSwap`] compares with, in the lower bytes.
        condition: u64,
        /// The address that the old value goes to, `width` bytes; 0: nowhere.
        to: usize,
    },
}

/// How a word changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NicOp {
    /// Adds, and wraps around.
    Add,
    /// Stores the operand and gives the old value.
    Swap,
    /// Stores the operand if the word is the condition.
    CompareSwap,
    /// And, bit by bit.
    And,
    /// Or, bit by bit.
    Or,
    /// Exclusive or, bit by bit.
    Xor,
    /// Changes nothing.
    Fetch,
    /// Stores the operand.
    Set,
}

/// What a post gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// The number of the operation on its lane, counted from 1.
    Ticket(u64),
    /// As many operations as a lane can have are under way. Nothing was done.
    Again,
}

/// Why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("peer {peer}: {why}")]
pub struct Failure {
    /// Whose memory it was for.
    pub peer: u32,
    /// The cause.
    pub why: String,
}

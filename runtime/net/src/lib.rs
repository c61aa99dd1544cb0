//! Networks between nodes. Lanes and the engine are the same for every network; a provider ([`Fabric`]) does what is
//! special to one: [`Ofi`] for libfabric, [`Verbs`] for InfiniBand and RoCE, and [`Loopback`], a network within one
//! machine. PEs that act as if they were on different machines send all their traffic through the latter. It behaves
//! like a NIC and not like a memory copy, and it takes every liberty that a NIC of its [`Profile`] may take, so a
//! program that works here relies on no more than such a network promises. What follows is about it.
//!
//! ```text
//!   poster:  ring[ticket] := work ──> full := ticket           done >= ticket: complete
//!                                        │                        ▲
//!   engine:                        takes it, later ── reads source │ ── stores at the target ── done := ticket   (delivered)
//!                                                                  └── done := ticket ── stores at the target   (early)
//!   target:  takes no part; its memory is a shared file, which the process of the initiator maps
//! ```
//!
//! *Who writes what.* A [`Lane`] is a ring of [`MOST_UNDER_WAY`] slots. A thread that posts takes a ticket, which gives
//! it a slot, fills the slot in and marks it as full. The engine is the only reader of slots and the only writer of
//! `done`. A slot is reused once its operation is complete; by then the engine has taken the work. The engine is one
//! thread at a time, whichever holds the lock of the provider: one that waits ([`Lane::poll`]), or the engine's own
//! thread when nobody does. The module `driver` says why no operation is left behind.
//!
//! *What pairs with what.*
//!
//! * `net-post`: the mark on a slot releases the work and its source; the engine acquires it.
//! * `net-done`: `done` releases everything that the engine did. A thread that sees a ticket complete may therefore
//!   change the source, and finds the bytes of a get or the old value of an AMO. If it releases a word of its own, it
//!   also passes on what its puts stored, as if it had stored that itself.
//! * `net-bell`: a poster takes its ticket and then looks whether the engine's thread sleeps. That thread says that it
//!   sleeps and then looks at the tickets. These four accesses are in one total order, so at least one side sees the
//!   other, and a poster that sees the engine asleep also sees which thread it is. An engine that finds a ticket whose
//!   slot is not marked yet stays awake.
//! * `net-target`: each operation starts with a release fence and then stores words at the target relaxed. A target
//!   that acquires a flag therefore sees everything that was put before it on the same lane. A get, and the load of an
//!   AMO, end with an acquire fence, because the NIC of another process may have put what they found. On x86-64 these
//!   fences only restrain the compiler.
//!
//! *Complete does not mean delivered.* With [`Delivery::Always`], a put is complete when its bytes are at the target.
//! Otherwise the engine reads the source, deliberately reports completion, and stores the bytes some microseconds
//! later; of a long put, it does this to the last piece. [`Delivery`] says how an initiator learns that the bytes have
//! arrived.
//!
//! *Sources are read late*, at any time between post and completion. If a source changes before its put is complete,
//! the target may receive either value.
//!
//! *Order.* If the profile is [ordered](Profile::ordered), operations of a lane to one peer take effect in order. There
//! is no other order: the engine starts with the newest operation, or with the peer that became busy last. Tickets
//! still complete in order, so the size of the ring bounds how long an operation can wait for newer ones. A transfer of
//! more than a few KiB travels in pieces; the last piece goes first, and other operations run between pieces. A
//! naturally aligned word of up to 8 bytes that is [set](Operation::Set) is always stored whole, behind everything that
//! was posted before it on its lane to its peer. If the profile [keeps words whole](Profile::whole_words), so is a word
//! of a put; otherwise each piece is cut once more, anywhere.
//!
//! *When an operation fails*, everything that was posted behind it, on its lane and for its peer, fails too and does
//! nothing, as on a queue pair in the error state. So no flag arrives without the data in front of it. Operations in
//! front of it, for other peers and on other lanes go on. Failures that depend on the operation alone are found in the
//! order of the posts, in every profile. If the system refuses a copy to another process, the copy fails when its turn
//! comes; a network without order may have executed later operations by then. The lane keeps its first [`Failure`].
//!
//! *Atomic operations* are atomic among NICs only (see `amo`): if a CPU changes the word at the same time, its change
//! may be lost.
//!
//! *When a process dies or stops.* The death or stop of a target has no effect on operations, because its file remains;
//! but with [`Profile::Tcp`], operations on a target that is stopped wait, and those on one that has ended fail. A peer
//! whose operations do not come to an end is not given up here: whoever uses the NIC looks at what is under way
//! ([`Nic::under_way`]) and declares peers dead ([`Nic::lost`]). If an initiator dies, its operation is left half done,
//! and its lock on a word is released. If an initiator is stopped in the middle of an AMO, other NICs cannot change
//! that word until it continues, but are not hindered otherwise.
//!
//! *After a fork*, the child has no engine: it must not use the NIC, and dropping the NIC does nothing in the child.
#![warn(missing_docs)]

mod bell;
mod column;
mod copy;
mod descriptor;
mod driver;
mod engine;
mod fabric;
mod far;
mod hub;
mod lane;
mod linked;
mod locked;
mod loopback;
mod nic;
mod ofi;
mod pieces;
mod process;
mod provider;
mod rails;
mod ring;
mod sync;
#[cfg(test)]
mod tests;
mod verbs;
mod watch;

pub use driver::{Service, Slept};
pub use fabric::{Fabric, GpuMemory, Local, Post, Promises, Tag, UnderWay};
pub use lane::Lane;
pub use loopback::Loopback;
pub use loopback::faults::{BadSettings, Faults, Settings};
pub use loopback::memory::{Memory, ProcessMemory};
pub use loopback::profile::{Delivery, Profile};
pub use nic::{Nic, Poller};
pub use ofi::survey::{Offer, offers};
pub use ofi::{Ofi, OfiSettings};
pub use process::Process;
pub use provider::Provider;
pub use rails::Rails;
pub use ring::MOST_UNDER_WAY;
pub use verbs::{Distance, Layer, Verbs, VerbsPort, VerbsPorts, VerbsSettings, gpu_addresses};
pub use watch::Watch;

pub use cushmem_abi::WordOp;
use std::fmt;

/// Maximum length of a [`Operation::Inline`].
pub const MOST_INLINE: usize = 64;

/// One operation on the memory of a peer.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// The PE whose memory it accesses.
    pub peer: u32,
    /// The region of that memory, as in [`Nic::register`].
    pub region: u32,
    /// The offset in the region, in bytes.
    pub at: u64,
    /// What to do there.
    pub operation: Operation,
    /// Whether a put is complete only when its bytes are at the target. Matters only with [`Delivery::OnRequest`].
    /// Without it, only later puts of the lane are sure to come behind it, on a network that
    /// [keeps their order](Promises::ordered).
    pub delivery_complete: bool,
}

impl Work {
    /// The failure of this operation, for this reason.
    pub fn failure(&self, why: String) -> Failure {
        Failure { peer: self.peer, region: self.region, operation: self.operation.to_string(), why }
    }
}

/// What an operation does. Addresses are in the initiator's own memory.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// Writes to the peer what is at `from` when the engine reads it.
    Put {
        /// The address of the source.
        from: usize,
        /// Its length.
        bytes: usize,
        /// Whether it is written behind everything that was posted before it on its lane to that peer, on every
        /// network. Otherwise it is only where the network [keeps that order](Promises::ordered).
        ordered: bool,
    },
    /// Writes to the peer what the call to post copied.
    Inline {
        /// The address of the source, which may change once the operation is posted.
        from: usize,
        /// Its length, at most [`MOST_INLINE`].
        bytes: usize,
        /// As for a put.
        ordered: bool,
    },
    /// Stores an aligned word of the peer as a whole, on every network.
    Set {
        /// The word's size in bytes: 2, 4 or 8.
        width: u32,
        /// The value, in the lower bytes.
        value: u64,
        /// Whether it is stored, with release, behind everything that was posted before it on its lane to that peer, on
        /// every network: whoever acquires the word finds all that in place, but for puts that do not
        /// [report their arrival](Work::delivery_complete). Otherwise it may overtake any of that.
        ordered: bool,
    },
    /// Reads from the peer.
    Get {
        /// The address of the destination.
        to: usize,
        /// The number of bytes.
        bytes: usize,
    },
    /// Changes an aligned word, atomically among NICs.
    Amo {
        /// The operation.
        op: WordOp,
        /// The word's size in bytes: 4 or 8.
        width: u32,
        /// The operand, in the lower bytes.
        operand: u64,
        /// The value that [`WordOp::CompareSwap`] compares with, in the lower bytes.
        condition: u64,
        /// The address of `width` bytes that receive the old value, or 0 if it is not wanted.
        to: usize,
    },
}

impl Operation {
    /// The number of bytes that it reads or writes at the peer.
    pub fn bytes(&self) -> usize {
        match *self {
            Self::Put { bytes, .. } | Self::Inline { bytes, .. } | Self::Get { bytes, .. } => bytes,
            Self::Set { width, .. } | Self::Amo { width, .. } => width as usize,
        }
    }
}

/// Why a word cannot be set, if it has another size or is not aligned.
pub(crate) fn check_set(width: u32, at: u64, address: usize) -> Result<(), String> {
    if matches!(width, 2 | 4 | 8) && address.is_multiple_of(width as usize) {
        return Ok(());
    }
    Err(format!("a word of {width} bytes at offset {at} cannot be set: it needs an aligned word of 2, 4 or 8"))
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put { bytes, .. } | Self::Inline { bytes, .. } => write!(f, "put of {bytes} bytes"),
            Self::Set { width, .. } => write!(f, "put of {width} bytes"),
            Self::Get { bytes, .. } => write!(f, "get of {bytes} bytes"),
            Self::Amo { width, .. } => write!(f, "atomic operation on {width} bytes"),
        }
    }
}

/// The result of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// The number of the operation on its lane, counted from 1.
    Ticket(u64),
    /// The lane has as many incomplete operations as it can hold. Nothing was done.
    Again,
}

/// Why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("peer {peer}: {operation}: {why}")]
pub struct Failure {
    /// The PE whose memory it was for.
    pub peer: u32,
    /// The region of that memory.
    pub region: u32,
    /// What it was to do there.
    pub operation: String,
    /// The cause.
    pub why: String,
}

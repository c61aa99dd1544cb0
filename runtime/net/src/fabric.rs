//! What a provider of a network does for the engine. One thread at a time calls it, and no call waits. Calls come from
//! different threads, also from those of the program.

use crate::{Delivery, Failure, Memory, Work};
use std::fmt;
use std::os::fd::OwnedFd;
use std::time::Instant;

/// Names an operation. A provider reports each tag that it has taken exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// The number of the lane. It matters for the order of operations.
    pub lane: u32,
    /// The ticket on that lane.
    pub ticket: u64,
}

/// What a provider promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// Whether operations of a lane to one peer take effect in the order of their posts. A put that does not
    /// [report its arrival](Work::delivery_complete) is in order with other puts only.
    pub ordered: bool,
    /// How an initiator learns that a put has arrived.
    pub delivery: Delivery,
    /// Whether a put stores each aligned word of up to 8 bytes as a whole. A word that is [set](crate::Operation::Set)
    /// always is.
    pub whole_words: bool,
    /// Whether there are atomic operations on words of 4 and 8 bytes.
    pub atomics: bool,
    /// Whether operations of others on this process's memory may need this process to call [`Fabric::poll`].
    pub target_polls: bool,
}

/// For people.
impl fmt::Display for Promises {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = if self.ordered { "keeps the order of puts" } else { "keeps no order" };
        let arrival = match self.delivery {
            Delivery::Always => "a complete put has arrived",
            Delivery::OnRequest => "a complete put has arrived if it asks for that",
            Delivery::Flushed => "a get shows that the puts before it have arrived",
        };
        let atomics = if self.atomics { "has atomic operations" } else { "has no atomic operations" };
        let polls = if self.target_polls { "; targets poll" } else { "" };
        write!(f, "{order}; {arrival}; {atomics}{polls}")
    }
}

/// An operation that was posted and is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnderWay {
    /// The PE whose memory it is for.
    pub peer: u32,
    /// Its name, which no other operation has.
    pub tag: Tag,
    /// How many bytes it is for.
    pub bytes: usize,
}

/// The result of [`Fabric::post`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Post {
    /// It is under way; its tag will be reported.
    Taken,
    /// It cannot start yet: there is no room, the connection is being made, or it has to wait for an earlier operation.
    /// Nothing was done. The same operation is to be posted again after a poll, before any other of its lane to this
    /// peer.
    Later,
    /// It will never be possible, for this reason. Nothing was done, and its tag will not be reported.
    Refused(String),
}

/// A range of this process's memory that belongs to a region. A region may consist of several pieces, which do not
/// overlap.
#[derive(Clone, Debug)]
pub struct Local {
    /// The offset in the region at which the piece starts.
    pub at: u64,
    /// The address at which it starts.
    pub address: usize,
    /// Its length.
    pub bytes: usize,
    /// The shared file that is mapped there, if any. A network within one machine needs it for atomic operations.
    pub file: Option<Memory>,
}

/// What a provider is told of GPU memory that peers are to use.
#[derive(Debug)]
pub struct GpuMemory {
    /// A dma-buf that has the memory, and the offset in it at which the memory starts; or why there is none.
    pub dma_buf: Result<(OwnedFd, u64), String>,
    /// Whether those who read the memory on its GPU see what devices write there in the order in which it comes.
    pub keeps_order: bool,
}

/// A provider.
///
/// A completion says that the operation's source may change, that the result of a get or an atomic operation is there,
/// and that bytes have arrived if [`Promises::delivery`] says so. After a failure, the provider takes no further
/// operations for that peer, and never repeats one.
pub trait Fabric {
    /// What it promises.
    fn promises(&self) -> Promises;

    /// What peers need in order to reach this process.
    fn name(&self) -> Vec<u8>;

    /// Introduces all peers, by the names that they have. The first has the number 0. Connects to none.
    ///
    /// # Errors
    ///
    /// If a name is not of this kind of provider. Then no peer was introduced.
    fn peers(&mut self, names: &[Vec<u8>]) -> Result<(), String>;

    /// Lets peers use a piece of memory. The card is what they need for it.
    ///
    /// # Safety
    /// The memory is mapped, for reading and writing, until the piece is forgotten. Peers may write it at any time.
    ///
    /// # Errors
    ///
    /// If the piece is already known, or the network refuses the memory.
    unsafe fn register(&mut self, region: u32, piece: u32, memory: Local) -> Result<Vec<u8>, String>;

    /// Lets peers use a piece of GPU memory. All pieces of GPU memory of a process are of one GPU. What is promised of
    /// puts and gets then holds for them too, as kernels of that GPU, its copies, and the CPU see them.
    ///
    /// # Safety
    /// As for [`register`](Self::register), but the CPU need not reach the memory.
    ///
    /// # Errors
    ///
    /// If the network does not reach GPU memory, or does not reach this. That is no failure: the memory can be staged.
    unsafe fn register_gpu(
        &mut self,
        _region: u32,
        _piece: u32,
        _memory: Local,
        _gpu: GpuMemory,
    ) -> Result<Vec<u8>, String> {
        Err("the network does not reach GPU memory".to_owned())
    }

    /// Introduces a piece of a peer's memory, by its card.
    ///
    /// # Errors
    ///
    /// If the card is malformed.
    fn learn(&mut self, peer: u32, region: u32, piece: u32, card: &[u8]) -> Result<(), String>;

    /// Forgets a piece, this process's and those of all peers. No operation on it may be under way.
    fn forget(&mut self, region: u32, piece: u32);

    /// Starts an operation.
    ///
    /// # Safety
    /// The conditions of [`Lane::post`](crate::Lane::post), but the source of an inline put also stays until its
    /// completion. Memory of other operations that [`lost`](Self::lost) ends stays valid until the provider is dropped.
    unsafe fn post(&mut self, work: &Work, tag: Tag) -> Post;

    /// Moves operations on, also those of peers on this process's memory, and reports each that is over to `done`.
    /// Returns whether anything happened.
    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool;

    /// How often so far a part of an operation that was taken could not go on, and has been tried again.
    fn retries(&self) -> u64 {
        0
    }

    /// A descriptor that becomes readable when a poll has something to do, if there is one. Asked once.
    fn descriptor(&self) -> Option<OwnedFd> {
        None
    }

    /// Whether nothing is left to do before the descriptor becomes readable, not even for operations that cannot start
    /// yet. Asked before each sleep there, and only then.
    fn may_sleep(&mut self) -> bool {
        false
    }

    /// When a poll has something to do next, if nothing is posted until then.
    fn next_due(&self) -> Option<Instant>;

    /// Whether nothing is under way, not even bytes of puts that are complete.
    fn is_idle(&self) -> bool;

    /// Forgets a lane, to which nothing is posted any more. All its operations were reported.
    fn forget_lane(&mut self, lane: u32);

    /// Ends all deliberate delays, because the process leaves the network.
    fn hurry(&mut self);

    /// Declares a peer dead. Its operations fail, those under way and all later ones. A network may read the sources
    /// and write the destinations of those under way until the provider is dropped, but not the sources of inline puts.
    fn lost(&mut self, peer: u32, why: &str);
}

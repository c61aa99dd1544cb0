//! The ways in which bytes move, one file each. A transport only moves: [`transfer`](crate::transfer) decides which
//! one, and waits.
//!
//! | transport | moves bytes by | complete |
//! |---|---|---|
//! | [`mapped`] | the CPU's loads and stores | when the call returns |
//! | [`copy_engine`] | a GPU's copy engine, on the stream of a lane | when the lane's host word has come to the copy's ticket |
//! | [`pageable`] | CPUs and a GPU's copy engine, through pinned memory | when the caller has been told so |
//! | [`agent`] | a small kernel, which takes commands | when the kernel has said so |
//! | [`cross_memory`] | the operating system, between two processes | when the call returns |
//! | [`stage`] | copy engines of both PEs, through host memory | when the proxy says so |
//! | [`network`](crate::sync::network) | the network between nodes | when the lane has come to its ticket, or has drained |
//!
//! [`atomics`] changes words of other nodes. Only copies of an engine and operations of the network are under way after
//! the call. Their `post` waits for none of them: it returns a ticket, or that there is no room at present
//! ([`Posted`]).

#[expect(unsafe_code, reason = "launches the kernel, whose commands name what callers vouch for")]
pub(crate) mod agent;
#[expect(unsafe_code, reason = "changes words of this node for others")]
pub(crate) mod atomics;
#[expect(unsafe_code, reason = "copies in GPU streams")]
pub(crate) mod copy_engine;
#[expect(unsafe_code, reason = "system calls that copy between processes")]
pub(crate) mod cross_memory;
#[expect(unsafe_code, reason = "launches kernels whose arguments the caller vouches for")]
pub(crate) mod library;
#[expect(unsafe_code, reason = "all access to host memory that peers write")]
pub(crate) mod mapped;
#[expect(unsafe_code, reason = "copies pieces for the caller")]
pub(crate) mod pageable;
mod requests;
#[expect(unsafe_code, reason = "copies chunks")]
pub(crate) mod stage;
#[expect(unsafe_code, reason = "stores past the caches")]
pub(crate) mod streaming;

/// What became of something that was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Posted {
    /// It is under way, and complete when the lane has come to this ticket.
    Ticket(u64),
    /// Nothing was done: too much is under way. To be posted again after some progress.
    Again,
}

/// The end of a copy that lies in this process: valid memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) address: usize,
    /// Whether only GPUs access it.
    pub(crate) on_gpu: bool,
}

/// How an atomic operation changes a word. The operation returns the old value.
/// [`Raw::update`](crate::raw::Raw::update) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmoOp {
    /// Stores the operand.
    Swap,
    /// Adds the operand, wrapping around.
    Add,
    /// Applies bitwise AND with the operand.
    And,
    /// Applies bitwise OR with the operand.
    Or,
    /// Applies bitwise XOR with the operand.
    Xor,
}

/// An atomic operation on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordOp {
    /// Loads it.
    Fetch,
    /// Stores the operand.
    Set,
    /// Stores the operand if the word is the condition.
    CompareSwap,
    /// Changes it.
    Update(AmoOp),
}

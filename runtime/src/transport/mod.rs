//! The ways to move bytes, one file each. A transport only moves bytes: [`transfer`](crate::transfer) decides which one
//! to use, and does the waiting.
//!
//! | transport | moves bytes by | complete |
//! |---|---|---|
//! | [`mapped`] | the CPU's loads and stores | when the call returns |
//! | [`copy_engine`] | a GPU's copy engine, on the stream of a copy lane | when the lane's host word has reached the copy's ticket |
//! | [`pageable`] | CPUs and a GPU's copy engine, through pinned memory | when the call returns |
//! | [`agent`] | a small kernel that takes commands | when the kernel reports it |
//! | [`cross_memory`] | the operating system, between two processes | when the call returns |
//! | [`stage`] | copy engines of both PEs, through host memory | when the proxy reports it |
//! | [`network`](crate::sync::network) | the network between nodes | when the lane has reached its ticket, or has drained |
//!
//! [`atomics`] changes words on other nodes. `post` of the copy engine never waits for copies under way: it returns a
//! ticket, or reports that there is no room at present ([`Posted`]).

#[expect(unsafe_code, reason = "launches a kernel whose commands name memory that callers guarantee to be valid")]
pub(crate) mod agent;
mod agent_commands;
mod agent_counts;
#[expect(unsafe_code, reason = "stores results where the program wants them")]
pub(crate) mod atomics;
#[expect(unsafe_code, reason = "changes words of this node for other nodes")]
pub(crate) mod atomics_server;
#[expect(unsafe_code, reason = "copies in GPU streams")]
pub(crate) mod copy_engine;
#[expect(unsafe_code, reason = "system calls that copy between processes")]
pub(crate) mod cross_memory;
#[expect(unsafe_code, reason = "launches kernels whose arguments the caller guarantees to be valid")]
pub(crate) mod library;
#[expect(unsafe_code, reason = "makes all accesses to host memory that peers write")]
pub(crate) mod mapped;
mod pace;
#[expect(unsafe_code, reason = "copies pieces for the caller")]
pub(crate) mod pageable;
mod request_queue;
#[expect(unsafe_code, reason = "copies chunks")]
pub(crate) mod stage;
#[expect(unsafe_code, reason = "makes stores that bypass the caches")]
pub(crate) mod streaming;

/// The outcome of posting something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Posted {
    /// It is under way, and is complete when the lane has reached this ticket.
    Ticket(u64),
    /// Nothing was done, because too much is under way. Post it again after some progress.
    Again,
}

/// The end of a copy that lies in this process. It is valid memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) address: usize,
    /// Whether only GPUs access it.
    pub(crate) on_gpu: bool,
}

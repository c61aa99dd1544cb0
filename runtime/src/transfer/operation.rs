//! Operations as values that are kept: what streams hand over, and what kernels and triggers start.

use super::Local;
use super::strided::Blocks;
use crate::job::Pe;
use crate::memory::At;
use crate::transport::WordOp;
use cushmem_device::SignalOp;

/// Both ends of a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) remote: At,
    pub(crate) local: Local,
    /// Not 0.
    pub(crate) bytes: usize,
}

/// What an operation does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// Bytes travel to the PE, if there are any, followed by a signal, if there is one.
    Put(Option<Ends>, Option<(At, u64, SignalOp)>),
    /// Bytes travel from the PE.
    Get(Option<Ends>),
    /// Blocks travel to or from the PE; both ends are those of the first block.
    Blocks { remote: At, local: Local, blocks: Blocks, to_peer: bool },
    /// A word of `width` bytes changes atomically.
    Amo { word: At, op: WordOp, width: usize, operand: u64 },
}

/// An operation on symmetric memory of a PE. Its ends were found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Described {
    pub(crate) what: What,
    pub(crate) pe: Pe,
}

//! Operations as values that are kept: what streams hand over, and what kernels and triggers start.

use super::context::Context;
use super::strided::Blocks;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers};
use crate::error::ArgumentError;
use crate::job::Pe;
use crate::memory::{At, Remote};
use crate::transport::stage;
use cushmem_abi::WordOp;
use cushmem_device::SignalOp;
use cushmem_record::Operation as Recorded;

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
pub(crate) enum PreparedKind {
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
pub(crate) struct PreparedOp {
    pub(crate) what: PreparedKind,
    pub(crate) pe: Pe,
}

impl PreparedOp {
    /// Whether it changes a word of GPU memory other than by setting it.
    pub(crate) fn changes_gpu_word(&self) -> bool {
        match self.what {
            PreparedKind::Put(_, Some((signal, _, SignalOp::Add))) => signal.segment.is_gpu(),
            PreparedKind::Amo { word, op, .. } => word.segment.is_gpu() && op != WordOp::Set,
            _ => false,
        }
    }

    /// What a kernel's command that starts it is in the record, and its bytes.
    pub(crate) fn recorded(&self) -> (Recorded, usize) {
        let bytes = |ends: &Option<Ends>| ends.map_or(0, |ends| ends.bytes);
        match &self.what {
            PreparedKind::Put(None, Some(_)) => (Recorded::CommandWord, size_of::<u64>()),
            PreparedKind::Put(ends, _) => (Recorded::CommandPut, bytes(ends)),
            PreparedKind::Get(ends) => (Recorded::CommandGet, bytes(ends)),
            PreparedKind::Blocks { blocks, to_peer: true, .. } => {
                (Recorded::CommandPut, Shape::Blocks(*blocks).bytes())
            }
            PreparedKind::Blocks { blocks, to_peer: false, .. } => {
                (Recorded::CommandGet, Shape::Blocks(*blocks).bytes())
            }
            PreparedKind::Amo { width, .. } => (Recorded::CommandWord, *width),
        }
    }

    /// Carries it out.
    ///
    /// # Safety
    /// The local end is valid for all bytes, until `quiet` of the context if `when` is [`Completion::Nbi`].
    pub(crate) unsafe fn carry_out(
        &self,
        transfers: &Transfers,
        context: &Context,
        when: Completion,
    ) -> std::result::Result<(), ArgumentError> {
        let pe = self.pe;
        let transfer = |operation, remote, when| Transfer { operation, pe, remote, when };
        let put = |ends: Ends| transfer(Operation::Put(ends.local, Shape::Bytes(ends.bytes)), ends.remote, when);
        // SAFETY: the caller guarantees that the local end is valid for all bytes; the other end was found when the
        // operation was described.
        unsafe {
            match self.what {
                PreparedKind::Put(data, Some(signal)) => {
                    transfers.data_then_signal(context, data.map(put).as_ref(), signal, pe)?
                }
                PreparedKind::Put(Some(ends), None) => drop(transfers.issue(context, &put(ends))?),
                PreparedKind::Get(Some(ends)) => {
                    let get = Operation::Get(ends.local, Shape::Bytes(ends.bytes));
                    transfers.issue(context, &transfer(get, ends.remote, when))?;
                }
                PreparedKind::Put(None, None) | PreparedKind::Get(None) => {}
                PreparedKind::Blocks { remote, local, blocks, to_peer } => {
                    transfers.issue(context, &transfer(blocks.operation(local, to_peer), remote, when))?;
                }
                PreparedKind::Amo { word, op: WordOp::Set, width, operand }
                    if matches!(transfers.memory.remote(word, pe), Remote::Staged(_)) =>
                {
                    let (value, condition) = (operand, 0);
                    let what = stage::StageOp::Word {
                        to: word,
                        bytes: width,
                        op: WordOp::Set,
                        value,
                        condition,
                        behind: false,
                    };
                    transfers.stage(context, pe, what)?;
                }
                PreparedKind::Amo { word, op: WordOp::Set, width, operand } if word.segment.is_gpu() => {
                    if let Remote::Device(there) = transfers.memory.remote(word, pe)
                        && transfers.defer_word(context, (there, operand, width as u64))?
                    {
                        return Ok(());
                    }
                    let local = Local { address: (&raw const operand).expose_provenance(), on_gpu: false };
                    let put = Operation::Put(local, Shape::Bytes(width));
                    // Blocking, because the operand lives in this function.
                    transfers.issue(context, &transfer(put, word, Completion::Blocking))?;
                }
                PreparedKind::Amo { word, op, width, operand } => {
                    let amo = Operation::Amo { op, width, operand, condition: 0 };
                    transfers.issue(context, &transfer(amo, word, Completion::Blocking))?;
                }
            }
        }
        Ok(())
    }
}

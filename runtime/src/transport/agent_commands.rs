//! The commands of the GPU agent.

use cushmem_abi::{CommandHead, CommandKind, WordOp};
use cushmem_protocol::ring::Command;

/// An atomic operation on a word.
pub(crate) struct Word {
    op: WordOp,
    behind: bool,
    address: u64,
    width: usize,
    operand: u64,
    condition: u64,
}

impl Word {
    /// An operation on a word; `behind` says whether it comes after earlier operations.
    pub(crate) fn new(op: WordOp, behind: bool, address: u64, width: usize, [operand, condition]: [u64; 2]) -> Self {
        Self { op, behind, address, width, operand, condition }
    }

    pub(super) fn command(&self) -> Command {
        let &Self { op, behind, address, width, operand, condition } = self;
        let head = CommandHead { kind: op as u8, width: width as u8, context: behind.into(), pe: 0 }.bits();
        Command { head, arguments: [address, operand, condition, 0, 0, 0, 0] }
    }
}

pub(super) fn head(kind: CommandKind, bytes: usize) -> u64 {
    CommandHead { kind: kind.number(), width: bytes as u8, context: 0, pe: 0 }.bits()
}

pub(super) fn copy_of(to: u64, from: u64, bytes: usize) -> Command {
    command(CommandKind::Put, 0, [to, from, bytes as u64])
}

pub(super) fn command(kind: CommandKind, bytes: usize, [a, b, c]: [u64; 3]) -> Command {
    Command { head: head(kind, bytes), arguments: [a, b, c, 0, 0, 0, 0] }
}

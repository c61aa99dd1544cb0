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

/// A copy. Only timelines tell a get from a put.
pub(super) fn copy_of((to, from): (u64, u64), bytes: usize, is_get: bool) -> Command {
    let head = CommandHead { kind: CommandKind::Put.number(), width: 0, context: is_get.into(), pe: 0 }.bits();
    Command { head, arguments: [to, from, bytes as u64, 0, 0, 0, 0] }
}

pub(super) fn get_of(from: u64, bytes: usize) -> Command {
    Command { head: head(CommandKind::Get, bytes), arguments: [from, 0, 0, 0, 0, 0, 0] }
}

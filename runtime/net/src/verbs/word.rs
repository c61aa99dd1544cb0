//! Atomic operations that the device lacks: by comparing and swapping the 8 bytes that contain the word.
//!
//! The word is read, its new value is computed here, and the device stores it if the 8 bytes are still those that were
//! read. Otherwise it says what they are now, and the next try starts from that. Each failure means that somebody else
//! has changed the bytes, so of all that try, one gets on. The device's comparison is atomic with those of all other
//! processes that use the same device, and nothing else may change a word for atomic operations of the network.
//!
//! *A word of 4 bytes has a neighbour.* It is written back as it was read, so what a CPU or a put stores there in
//! between is lost, unless the device is atomic with CPUs too (`IBV_ATOMIC_GLOB`). The neighbour belongs to the same
//! piece of the region: where it does not, at the edge of memory that starts or ends in the middle of 8 bytes, the
//! operation is refused, and the device has no access to what is beside the piece.

use crate::WordOp;

/// The change of a word of 4 or 8 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) op: WordOp,
    pub(super) width: u32,
    pub(super) operand: u64,
    pub(super) condition: u64,
    /// The place of the word in its 8 bytes, in bits: 0 or 32.
    pub(super) shift: u32,
}

impl Change {
    /// The word, from the 8 bytes.
    pub(super) fn word(&self, whole: u64) -> u64 {
        whole >> self.shift & self.mask()
    }

    /// What the 8 bytes are to become, or `None` if they stay as they are.
    pub(super) fn of(&self, whole: u64) -> Option<u64> {
        let new = self.op.changed(self.width as usize, self.word(whole), self.operand, self.condition)?;
        let mask = self.mask();
        Some(whole & !(mask << self.shift) | (new & mask) << self.shift)
    }

    fn mask(&self) -> u64 {
        if self.width == 4 { u32::MAX.into() } else { u64::MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a change of the other half, and one that takes it for a part of the number.
    #[test]
    fn half_of_the_bytes_changes_alone() {
        let whole = 0x1111_1111_ffff_ffff;
        let change = |shift| Change { op: WordOp::Add, width: 4, operand: 0xdead_0000_0001, condition: 0, shift };
        assert_eq!((change(0).word(whole), change(0).of(whole)), (0xffff_ffff, Some(0x1111_1111_0000_0000)));
        assert_eq!((change(32).word(whole), change(32).of(whole)), (0x1111_1111, Some(0x1111_1112_ffff_ffff)));
        let swap = Change { op: WordOp::CompareSwap, width: 4, operand: 7, condition: 0x1111_1111, shift: 32 };
        assert_eq!((swap.of(whole), Change { shift: 0, ..swap }.of(whole)), (Some(0x7_ffff_ffff), None));
        let all = Change { op: WordOp::Swap, width: 8, operand: u64::MAX, condition: 0, shift: 0 };
        assert_eq!((all.word(whole), all.of(whole)), (whole, Some(u64::MAX)));
    }
}

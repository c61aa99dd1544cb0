/// An atomic operation on a word. It has the same number in all memory through which one party asks another for it: in
/// commands of kernels, commands for the GPU agent, and requests between PEs.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordOp {
    /// Stores the operand if the word equals the condition; returns the old value.
    CompareSwap = 1,
    /// Stores the operand; returns the old value.
    Swap = 2,
    /// Adds the operand, wrapping around; returns the old value.
    Add = 3,
    /// Applies bitwise AND with the operand; returns the old value.
    And = 4,
    /// Applies bitwise OR with the operand; returns the old value.
    Or = 5,
    /// Applies bitwise exclusive OR with the operand; returns the old value.
    Xor = 6,
    /// Returns the word.
    Fetch = 8,
    /// Stores the operand.
    Set = 9,
}

impl WordOp {
    /// All operations.
    pub const ALL: [Self; 8] =
        [Self::CompareSwap, Self::Swap, Self::Add, Self::And, Self::Or, Self::Xor, Self::Fetch, Self::Set];

    /// The operation with this number.
    #[inline]
    pub const fn of_number(number: u8) -> Option<Self> {
        const BY_NUMBER: [Option<WordOp>; 1 + WordOp::Set as usize] = {
            let (mut ops, mut at) = ([None; 1 + WordOp::Set as usize], 0);
            while at < WordOp::ALL.len() {
                ops[WordOp::ALL[at] as usize] = Some(WordOp::ALL[at]);
                at += 1;
            }
            ops
        };
        if (number as usize) < BY_NUMBER.len() { BY_NUMBER[number as usize] } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_that_of_one_operation() {
        for number in 0..=u8::MAX {
            let expected = WordOp::ALL.into_iter().find(|op| *op as u8 == number);
            assert_eq!(WordOp::of_number(number), expected);
        }
        assert_eq!((0..=u8::MAX).filter_map(WordOp::of_number).count(), WordOp::ALL.len());
    }
}

/// An atomic operation on a word. It has the same number in all memory through which one party asks another for it: in
/// commands of kernels, commands for the GPU agent, and requests between PEs. Where it matters which kind of number the
/// word is, each kind has operations of its own, so a request names no type besides the number of bytes.
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
    /// Adds the operand, where both are floating-point numbers of the word's size; returns the old value.
    AddFloat = 32,
    /// Stores the smaller one of the word and the operand, as numbers without a sign; returns the old value.
    MinUnsigned = 33,
    /// Stores the larger one of the word and the operand, as numbers without a sign; returns the old value.
    MaxUnsigned = 34,
    /// Stores the smaller one of the word and the operand, as numbers with a sign; returns the old value.
    MinSigned = 35,
    /// Stores the larger one of the word and the operand, as numbers with a sign; returns the old value.
    MaxSigned = 36,
}

impl WordOp {
    /// All operations.
    pub const ALL: [Self; 13] = [
        Self::CompareSwap,
        Self::Swap,
        Self::Add,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Fetch,
        Self::Set,
        Self::AddFloat,
        Self::MinUnsigned,
        Self::MaxUnsigned,
        Self::MinSigned,
        Self::MaxSigned,
    ];

    /// The new value of a word of 4 or 8 bytes, or `None` if it does not change. The upper halves of the arguments do
    /// not count for a word of 4 bytes.
    #[inline]
    pub fn changed(self, width: usize, old: u64, operand: u64, condition: u64) -> Option<u64> {
        let half = width == 4;
        let unsigned = |bits: u64| if half { u64::from(bits as u32) } else { bits };
        let signed = |bits: u64| if half { i64::from(bits as i32) } else { bits as i64 };
        Some(match self {
            Self::Add => old.wrapping_add(operand),
            Self::Swap | Self::Set => operand,
            Self::CompareSwap => return (unsigned(old) == unsigned(condition)).then_some(operand),
            Self::And => old & operand,
            Self::Or => old | operand,
            Self::Xor => old ^ operand,
            Self::Fetch => return None,
            Self::AddFloat if half => (f32::from_bits(old as u32) + f32::from_bits(operand as u32)).to_bits().into(),
            Self::AddFloat => (f64::from_bits(old) + f64::from_bits(operand)).to_bits(),
            Self::MinUnsigned => return (unsigned(operand) < unsigned(old)).then_some(operand),
            Self::MaxUnsigned => return (unsigned(operand) > unsigned(old)).then_some(operand),
            Self::MinSigned => return (signed(operand) < signed(old)).then_some(operand),
            Self::MaxSigned => return (signed(operand) > signed(old)).then_some(operand),
        })
    }

    /// The operation with this number.
    #[inline]
    pub const fn of_number(number: u8) -> Option<Self> {
        const BY_NUMBER: [Option<WordOp>; 1 + WordOp::MaxSigned as usize] = {
            let (mut ops, mut at) = ([None; 1 + WordOp::MaxSigned as usize], 0);
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

    /// Catches an operation that reads the bits of a word as another kind of number, or the upper half of a word of 4
    /// bytes.
    #[test]
    fn an_operation_reads_bits_as_its_kind_of_number() {
        use WordOp::*;
        let (noise, low) = (0x8765_4321 << 32, u64::from(u32::MAX));
        let minus = -5_i64 as u64;
        for (op, old, operand, new) in [
            (MinUnsigned, 7, minus, 7),
            (MinUnsigned, minus, 7, 7),
            (MaxUnsigned, 7, minus, minus),
            (MaxUnsigned, minus, 7, minus),
            (MinSigned, 7, minus, minus),
            (MinSigned, minus, 7, minus),
            (MaxSigned, 7, minus, 7),
            (MaxSigned, minus, 7, 7),
        ] {
            let changed = op.changed(8, old, operand, 0);
            assert_eq!(changed, (new != old).then_some(new), "{op:?} of {old:#x} and {operand:#x}");
            let changed = op.changed(4, noise | old & low, !noise & !low | operand & low, 0);
            let expected = (new != old).then_some(new & low);
            assert_eq!(changed.map(|new| new & low), expected, "{op:?} of 4 bytes, {old:#x} and {operand:#x}");
        }
        let single = |value: f32| noise | u64::from(value.to_bits());
        assert_eq!(AddFloat.changed(4, single(1.5), single(2.25), 0), Some(3.75_f32.to_bits().into()));
        assert_eq!(AddFloat.changed(8, 1.5_f64.to_bits(), (-2.0_f64).to_bits(), 0), Some((-0.5_f64).to_bits()));
        // The sum of zeros of both signs is positive.
        let zeros = [0.0_f64, -0.0].map(f64::to_bits);
        assert_eq!(AddFloat.changed(8, zeros[1], zeros[0], 0), Some(zeros[0]));
        assert_eq!(AddFloat.changed(8, zeros[1], zeros[1], 0), Some(zeros[1]));
        let sum = AddFloat.changed(8, f64::NAN.to_bits(), 1.0_f64.to_bits(), 0);
        assert!(sum.is_some_and(|sum| f64::from_bits(sum).is_nan()));
        assert_eq!(CompareSwap.changed(4, noise | 3, 9, 3), Some(9));
        assert_eq!(CompareSwap.changed(8, noise | 3, 9, 3), None);
    }
}

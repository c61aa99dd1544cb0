//! Pieces of work dealt to blocks in order, round after round: one counter hands them out.
//!
//! A block that draws from the counter gets the next number. The first `n₀` numbers are the pieces of round 0, the next
//! `n₁` those of round 1, and so on; all blocks know every `n`. A block draws until it gets a number past the end of
//! the round, and keeps this number for the next round.
//!
//! **Each piece once.** The counter gives each number to one block. The block carries it out in the round to which the
//! number belongs, because it moves on to the next round only with a number past the end. So each block that draws must
//! go through all rounds, unless all blocks stop before the same round.
//!
//! **In order.** Numbers grow in the order in which blocks ask, so the blocks work on neighbouring pieces at any time.
//! With fixed shares, blocks would drift apart.
//!
//! **No memory order** follows from the counter. If a round reads what the previous round wrote, something else has to
//! order the two, such as a barrier of all blocks.

/// A block's progress through the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rounds {
    /// The number of the round's first piece.
    first: u64,
}

impl Rounds {
    /// The state before the first round.
    #[inline(always)]
    #[allow(clippy::new_without_default)] // a start, not an empty collection
    pub const fn new() -> Self {
        Self { first: 0 }
    }

    /// Returns which of the round's `count` pieces has this number. `None` means that the number belongs to a later
    /// round, and that this round is over for the block.
    #[inline(always)]
    pub fn piece(&mut self, number: u64, count: u64) -> Option<u64> {
        let piece = number - self.first;
        if piece < count {
            return Some(piece);
        }
        self.first += count;
        None
    }
}

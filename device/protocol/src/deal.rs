//! Pieces of work that blocks are dealt in their order, round after round: one counter hands them out.
//!
//! A block that draws from the counter gets the next number. The first `n₀` numbers are the pieces of round 0, the next
//! `n₁` those of round 1, and so on, where all blocks know the `n`. A block draws until it gets a number past the
//! round's end, and keeps this one for the next round.
//!
//! **Each piece once.** The counter gives each number to one block. The block carries it out in the round to which the
//! number belongs, as it goes on to the next round only with a number past the end. So each block that draws goes
//! through all rounds, unless all stop before the same one.
//!
//! **In their order.** Numbers grow in the order in which blocks ask, so the pieces on which blocks work at a time are
//! beside each other; with fixed shares blocks drift apart.
//!
//! **No order of memory** comes from it: what a round reads of the round before has to be ordered otherwise, by a
//! meeting of all blocks, say.

/// The rounds, as each block goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rounds {
    /// Number of the round's first piece.
    first: u64,
}

impl Rounds {
    /// Before the first round.
    #[inline(always)]
    #[allow(clippy::new_without_default)] // it is the beginning of something, not an empty one
    pub const fn new() -> Self {
        Self { first: 0 }
    }

    /// Which of the round's `count` pieces the number is. `None` if it belongs to a later round: then this one is over
    /// for the block.
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

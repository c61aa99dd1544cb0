//! Sets of slots of teams, which PEs exchange as words.

use cushmem_abi::MOST_TEAMS;

const WORDS: usize = MOST_TEAMS / u64::BITS as usize;

/// A set of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotSet([u64; WORDS]);

impl SlotSet {
    pub(super) const NONE: Self = Self([0; WORDS]);

    pub(super) fn of(slots: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::NONE;
        for slot in slots {
            set.0[slot / 64] |= 1 << (slot % 64);
        }
        set
    }

    pub(super) fn below(slots: usize) -> Self {
        Self::of(0..slots)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// Keeps those that other words have too. Words that they lack have none.
    pub(super) fn keep(&mut self, words: &[u64]) {
        let words = words.iter().copied().chain(std::iter::repeat(0));
        self.0.iter_mut().zip(words).for_each(|(own, theirs)| *own &= theirs);
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, theirs)| *own |= theirs);
    }

    pub(super) fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(own, theirs)| *own &= !theirs);
        self
    }

    pub(super) fn remove(&mut self, slot: usize) {
        *self = self.without(&Self::of([slot]));
    }

    /// Takes out the first one.
    pub(super) fn take_first(&mut self) -> Option<usize> {
        let index = self.0.iter().position(|word| *word != 0)?;
        let slot = 64 * index + self.0[index].trailing_zeros() as usize;
        self.remove(slot);
        Some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a slot that is lost at the border of a word.
    #[test]
    fn slots_of_all_words() {
        let slots = [0, 1, 63, 64, 127, 500, 1023];
        let mut set = SlotSet::of(slots);
        assert_eq!(set.len(), slots.len());
        assert_eq!(set.without(&SlotSet::below(64)), SlotSet::of([64, 127, 500, 1023]));
        let mut kept = set;
        kept.keep(&[1 << 63 | 1, 1]);
        assert_eq!(kept, SlotSet::of([0, 63, 64]));
        kept.add(&SlotSet::of([1023]));
        assert_eq!(kept, SlotSet::of([0, 63, 64, 1023]));
        assert_eq!(std::iter::from_fn(|| set.take_first()).collect::<Vec<_>>(), slots);
        assert_eq!(set, SlotSet::NONE);
        assert_eq!(SlotSet::below(1024).len(), 1024);
    }
}

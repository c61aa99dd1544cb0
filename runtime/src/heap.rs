//! Where objects lie in a symmetric heap: offsets, the same on every PE, because every PE makes the same calls in the same
//! order and the choice depends on nothing else.

use range_alloc::RangeAllocator;
use std::collections::BTreeMap;
use std::ops::Range;

/// Every object starts at a multiple of this, in bytes.
pub(crate) const ALIGNMENT: u64 = 256;

/// The free and used parts of a heap of up to `limit` bytes.
pub(crate) struct Heap {
    units: RangeAllocator<u64>,
    /// By the offset of each object: the units that it takes.
    live: BTreeMap<u64, Range<u64>>,
    limit: u64,
}

impl Heap {
    /// A heap whose first `reserved` bytes are taken.
    pub(crate) fn new(reserved: u64, limit: u64) -> Self {
        let first = reserved.div_ceil(ALIGNMENT);
        Self { units: RangeAllocator::new(first..(limit / ALIGNMENT).max(first)), live: BTreeMap::new(), limit }
    }

    /// Bytes that the heap can hold in all.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes `bytes` bytes, at least one, at a multiple of `alignment`, a power of two; returns their offset, or `None` if no free
    /// part is large enough.
    pub(crate) fn allocate(&mut self, bytes: u64, alignment: u64) -> Option<u64> {
        // Units at the front that an alignment beyond theirs may cost.
        let spare = alignment.max(ALIGNMENT) / ALIGNMENT - 1;
        let units = bytes.max(1).div_ceil(ALIGNMENT).checked_add(spare)?;
        let taken = self.units.allocate_range(units).ok()?;
        let offset = (taken.start * ALIGNMENT).next_multiple_of(alignment.max(ALIGNMENT));
        self.live.insert(offset, taken);
        Some(offset)
    }

    /// Gives back the object at `offset`; `false` if none starts there.
    pub(crate) fn free(&mut self, offset: u64) -> bool {
        let Some(taken) = self.live.remove(&offset) else { return false };
        self.units.free_range(taken);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Overlapping objects, objects in the reserved part or past the end, or a choice that differs between two PEs.
        #[test]
        fn objects_are_disjoint_and_the_same_everywhere(steps in proptest::collection::vec((any::<bool>(), 0u64..5000, any::<prop::sample::Index>()), 1..200)) {
            let (mut a, mut b) = (Heap::new(4096, 1 << 16), Heap::new(4096, 1 << 16));
            let mut live: BTreeMap<u64, u64> = BTreeMap::new();
            for (free, bytes, which) in steps {
                if free && !live.is_empty() {
                    let (&offset, _) = live.iter().nth(which.index(live.len())).unwrap();
                    live.remove(&offset);
                    prop_assert!(a.free(offset) && b.free(offset) && !a.free(offset) && !a.free(offset + 1));
                } else {
                    let alignment = 1 << (bytes % 13);
                    let offset = a.allocate(bytes, alignment);
                    prop_assert_eq!(offset, b.allocate(bytes, alignment));
                    if let Some(offset) = offset {
                        prop_assert!(offset >= 4096 && offset + bytes <= 1 << 16 && offset % ALIGNMENT == 0 && offset % alignment == 0);
                        prop_assert!(live.range(..=offset).next_back().is_none_or(|(o, s)| o + s.max(&1) <= offset));
                        prop_assert!(live.range(offset..).next().is_none_or(|(o, _)| offset + bytes.max(1) <= *o));
                        live.insert(offset, bytes);
                    }
                }
            }
            for offset in live.into_keys() {
                a.free(offset);
            }
            prop_assert_eq!(a.allocate((1 << 16) - 4096, 1), Some(4096), "freed parts were not joined again");
        }
    }
}

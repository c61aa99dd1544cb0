//! Where objects lie in a symmetric heap: offsets, the same on every PE, because every PE makes the same calls in the same
//! order and the choice depends on nothing else.

use range_alloc::RangeAllocator;
use std::collections::BTreeMap;
use std::ops::Range;

/// Every object starts at a multiple of this, in bytes.
pub(crate) const ALIGNMENT: u64 = 256;

/// Units that stay free after each object in check mode, so that an access past its end is not taken for one to the next object.
const GAP: u64 = 1;

/// The free and used parts of a heap of up to `limit` bytes.
pub(crate) struct Heap {
    units: RangeAllocator<u64>,
    /// By offset.
    live: BTreeMap<u64, Object>,
    /// Bytes of the objects that were freed and whose place no other has taken since, by offset; `None` outside of check mode.
    freed: Option<BTreeMap<u64, u64>>,
    gap: u64,
    limit: u64,
}

/// An object in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    /// What was asked for.
    pub(crate) bytes: u64,
    /// Which allocation of the heap it was, from 1.
    pub(crate) number: u64,
    units: Range<u64>,
}

/// What lies at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// An object, so many bytes of which follow.
    Object(u64),
    /// One that was freed.
    Freed,
    /// Nothing: no object is there, and none that was freed is remembered.
    Nothing,
}

impl Heap {
    /// A heap whose first `reserved` bytes are taken. In check mode it leaves gaps and remembers what was freed.
    pub(crate) fn new(reserved: u64, limit: u64, check: bool) -> Self {
        let first = reserved.div_ceil(ALIGNMENT);
        let units = RangeAllocator::new(first..(limit / ALIGNMENT).max(first));
        let (freed, gap) = (check.then(BTreeMap::new), if check { GAP } else { 0 });
        Self { units, live: BTreeMap::new(), freed, gap, limit }
    }

    /// Bytes that the heap can hold in all.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes `bytes` bytes, at least one, at a multiple of `alignment`, a power of two; returns their offset, or `None` if no free
    /// part is large enough. `number` tells the object from others in messages.
    pub(crate) fn allocate(&mut self, bytes: u64, alignment: u64, number: u64) -> Option<u64> {
        // Units that an alignment beyond theirs may cost, before the object or behind it.
        let spare = alignment.max(ALIGNMENT) / ALIGNMENT - 1;
        let needed = bytes.max(1).div_ceil(ALIGNMENT).checked_add(self.gap)?;
        let taken = self.units.allocate_range(needed.checked_add(spare)?).ok()?;
        let start = taken.start.next_multiple_of(spare + 1);
        let units = start..start + needed;
        // They are given back: for other objects, and because an object that grew into them would not pass through the code that
        // makes missing memory.
        for unused in [taken.start..units.start, units.end..taken.end] {
            if !unused.is_empty() {
                self.units.free_range(unused);
            }
        }
        let offset = start * ALIGNMENT;
        self.forget(offset, bytes);
        self.live.insert(offset, Object { bytes, number, units });
        Some(offset)
    }

    /// Gives back the object at `offset`; `false` if none starts there.
    pub(crate) fn free(&mut self, offset: u64) -> bool {
        let Some(object) = self.live.remove(&offset) else { return false };
        self.forget(offset, object.bytes);
        if let Some(freed) = &mut self.freed {
            freed.insert(offset, object.bytes.max(1));
        }
        self.units.free_range(object.units);
        true
    }

    /// Makes the object at `offset` `bytes` bytes long where it is; `false`, and nothing has changed, if there is no room, or no
    /// object.
    pub(crate) fn resize(&mut self, offset: u64, bytes: u64) -> bool {
        let Some(object) = self.live.get_mut(&offset) else { return false };
        let units = bytes.max(1).div_ceil(ALIGNMENT) + self.gap;
        let Some(end) = (offset / ALIGNMENT).checked_add(units) else { return false };
        if end > object.units.end {
            return false;
        }
        if end < object.units.end {
            self.units.free_range(end..object.units.end);
            object.units.end = end;
        }
        object.bytes = bytes;
        self.forget(offset, bytes);
        true
    }

    /// An object of `bytes` bytes is at `offset` now: forgets what was freed there.
    fn forget(&mut self, offset: u64, bytes: u64) {
        let Some(freed) = &mut self.freed else { return };
        let end = offset + bytes.max(1).next_multiple_of(ALIGNMENT);
        while let Some((&at, &bytes)) = freed.range(..end).next_back().filter(|(at, bytes)| **at + **bytes > offset) {
            freed.remove(&at);
            if at < offset {
                freed.insert(at, offset - at);
            }
            if at + bytes > end {
                freed.insert(end, at + bytes - end);
            }
        }
    }

    /// The object that starts at `offset`.
    pub(crate) fn get(&self, offset: u64) -> Option<&Object> {
        self.live.get(&offset)
    }

    /// What lies at `offset`.
    pub(crate) fn find(&self, offset: u64) -> Found {
        let left = |(at, bytes): (&u64, u64)| (at + bytes).checked_sub(offset).filter(|left| *left > 0);
        if let Some(left) = self.live.range(..=offset).next_back().and_then(|(at, o)| left((at, o.bytes))) {
            return Found::Object(left);
        }
        let freed = self.freed.as_ref().and_then(|f| f.range(..=offset).next_back()).and_then(|(at, b)| left((at, *b)));
        if freed.is_some() { Found::Freed } else { Found::Nothing }
    }

    /// All objects, by offset.
    pub(crate) fn objects(&self) -> impl ExactSizeIterator<Item = (u64, &Object)> {
        self.live.iter().map(|(offset, object)| (*offset, object))
    }
}

#[cfg(test)]
#[path = "allocator_tests.rs"]
mod tests;

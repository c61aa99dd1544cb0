//! Assigns offsets to objects in a symmetric heap. The offsets are the same on every PE, because every PE makes the
//! same calls in the same order and the choice depends on nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Every object starts at a multiple of this, in bytes.
pub(crate) const ALIGNMENT: u64 = 256;

/// Units that stay free after each object in check mode, so that an access past its end does not look like one to the
/// next object.
const GAP: u64 = 1;

/// The free and used parts of a heap of up to `limit` bytes.
pub(crate) struct Heap {
    units: Free,
    all: Range<u64>,
    /// By offset.
    live: BTreeMap<u64, Object>,
    /// Bytes of freed objects whose place has not been reused, by offset; `None` outside check mode.
    freed: Option<BTreeMap<u64, u64>>,
    gap: u64,
    limit: u64,
}

/// An object in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    /// The size that was requested.
    pub(crate) bytes: u64,
    /// The number of the allocation in the heap, counted from 1.
    pub(crate) number: u64,
    units: Range<u64>,
}

impl Object {
    /// The end of the space that it takes in the heap, in bytes.
    pub(crate) fn end(&self) -> u64 {
        self.units.end * ALIGNMENT
    }
}

/// What lies at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// An object. This many of its bytes follow the offset.
    Object(u64),
    /// An object that was freed.
    Freed,
    /// Nothing: there is no object, and no freed one is remembered.
    Nothing,
}

impl Heap {
    /// A heap whose first `reserved` bytes are taken. In check mode it leaves gaps and remembers freed objects.
    pub(crate) fn new(reserved: u64, limit: u64, check: bool) -> Self {
        let first = reserved.div_ceil(ALIGNMENT);
        let all = first..(limit / ALIGNMENT).max(first);
        let units = Free::new(all.clone());
        let (freed, gap) = (check.then(BTreeMap::new), if check { GAP } else { 0 });
        Self { units, all, live: BTreeMap::new(), freed, gap, limit }
    }

    /// This heap, but reporting this limit to users, because the rest belongs to the library.
    pub(crate) fn with_reported_limit(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// Creates a border at `offset`, which must not lie inside an object. From now on no object lies across it, because
    /// the GPU's driver treats the two sides as separate allocations.
    pub(crate) fn divide(&mut self, offset: u64) {
        debug_assert!(offset.is_multiple_of(ALIGNMENT));
        self.units.divide(offset / ALIGNMENT);
    }

    /// Adjacent free parts between borders that together have room for such an object. The range is from the first
    /// one's start to the last one's end, which is the heap's limit if nothing lies beyond.
    pub(crate) fn joinable(&self, bytes: u64, alignment: u64) -> Option<Range<u64>> {
        let run = self.units.joinable(self.units_of(bytes)?, in_units(alignment), self.all.clone())?;
        Some(run.start * ALIGNMENT..run.end * ALIGNMENT)
    }

    /// Removes the borders inside this range, in which nothing is in use.
    pub(crate) fn join(&mut self, range: Range<u64>) {
        self.units.join(range.start / ALIGNMENT..range.end / ALIGNMENT);
    }

    /// The end of the last object, or 0 if there is none.
    pub(crate) fn end(&self) -> u64 {
        self.live.values().next_back().map_or(0, Object::end)
    }

    /// The number of units that an object takes.
    fn units_of(&self, bytes: u64) -> Option<u64> {
        bytes.max(1).div_ceil(ALIGNMENT).checked_add(self.gap)
    }

    /// The capacity of the heap in bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes `bytes` bytes, at least one, at a multiple of `alignment`, a power of two. Returns their offset, or `None`
    /// if no free part is large enough. `number` identifies the object in messages.
    pub(crate) fn allocate(&mut self, bytes: u64, alignment: u64, number: u64) -> Option<u64> {
        self.allocate_below(u64::MAX, bytes, alignment, number)
    }

    /// Like [`Self::allocate`], in a free part that ends at `end` or before.
    pub(crate) fn allocate_below(&mut self, end: u64, bytes: u64, alignment: u64, number: u64) -> Option<u64> {
        let units = self.units.take(self.units_of(bytes)?, in_units(alignment), end / ALIGNMENT)?;
        let offset = units.start * ALIGNMENT;
        self.forget(offset, bytes);
        self.live.insert(offset, Object { bytes, number, units });
        Some(offset)
    }

    /// Frees the object at `offset`; `false` if none starts there.
    pub(crate) fn free(&mut self, offset: u64) -> bool {
        let Some(object) = self.live.remove(&offset) else { return false };
        self.forget(offset, object.bytes);
        if let Some(freed) = &mut self.freed {
            freed.insert(offset, object.bytes.max(1));
        }
        self.units.give(object.units);
        true
    }

    /// Resizes the object at `offset` to `bytes` bytes in place, if there is enough free space after it. Returns
    /// `false`, without changing anything, if there is not, or if there is no object.
    pub(crate) fn resize(&mut self, offset: u64, bytes: u64) -> bool {
        let Some(units) = self.units_of(bytes) else { return false };
        let Some(object) = self.live.get_mut(&offset) else { return false };
        let Some(end) = (offset / ALIGNMENT).checked_add(units) else { return false };
        if end > object.units.end {
            if !self.units.extend(object.units.end..end) {
                return false;
            }
        } else {
            self.units.give(end..object.units.end);
        }
        object.units.end = end;
        object.bytes = bytes;
        self.forget(offset, bytes);
        true
    }

    /// Forgets what was freed where a new object of `bytes` bytes at `offset` lies.
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

/// An alignment in units, at least one.
fn in_units(alignment: u64) -> u64 {
    alignment.max(ALIGNMENT) / ALIGNMENT
}

/// Where `length` units lie in a range if they start at the first multiple of `alignment` in it; `None` if they do not
/// fit.
fn fit(range: Range<u64>, length: u64, alignment: u64) -> Option<Range<u64>> {
    let start = range.start.checked_next_multiple_of(alignment)?;
    let end = start.checked_add(length)?;
    (end <= range.end).then_some(start..end)
}

/// Free ranges, by their start. Two of them touch only at a border, and none has a border inside.
struct Free {
    ranges: BTreeMap<u64, u64>,
    borders: BTreeSet<u64>,
}

impl Free {
    fn new(all: Range<u64>) -> Self {
        let mut free = Self { ranges: BTreeMap::new(), borders: BTreeSet::new() };
        free.give(all);
        free
    }

    /// Creates a border here, which must not lie inside a range in use.
    fn divide(&mut self, at: u64) {
        self.borders.insert(at);
        if let Some((_, end)) = self.ranges.range_mut(..at).next_back().filter(|(_, end)| **end > at) {
            let rest = std::mem::replace(end, at);
            self.ranges.insert(at, rest);
        }
    }

    /// The first run of two or more adjacent ranges in which so many units fit at such a multiple. Each of them starts
    /// and ends at a border or at an end of `all`.
    fn joinable(&self, length: u64, alignment: u64, all: Range<u64>) -> Option<Range<u64>> {
        let is_border = |at: &u64| *at == all.start || *at == all.end || self.borders.contains(at);
        let mut run: Option<Range<u64>> = None;
        for (&start, &end) in self.ranges.iter().filter(|(start, end)| is_border(start) && is_border(end)) {
            match &mut run {
                Some(run) if run.end == start => run.end = end,
                _ => {
                    run = Some(start..end);
                    continue;
                }
            }
            if let Some(found) = run.clone().filter(|run| fit(run.clone(), length, alignment).is_some()) {
                return Some(found);
            }
        }
        None
    }

    /// Removes the borders inside this range.
    fn join(&mut self, range: Range<u64>) {
        self.borders.retain(|border| *border <= range.start || *border >= range.end);
        for (start, end) in std::mem::take(&mut self.ranges) {
            self.give(start..end);
        }
    }

    /// Takes `length` units at the first multiple of `alignment` in the smallest range in which they fit and that ends
    /// by `last`; in the first such range if there are several.
    fn take(&mut self, length: u64, alignment: u64, last: u64) -> Option<Range<u64>> {
        let ranges = self.ranges.iter().map(|(start, end)| *start..*end).filter(|range| range.end <= last);
        let fitting = ranges.filter_map(|range| Some((range.end - range.start, fit(range, length, alignment)?)));
        let (_, found) = fitting.min_by_key(|(size, _)| *size)?;
        self.take_at(found.clone()).then_some(found)
    }

    /// Takes this range. Returns `false`, without changing anything, if it is not completely free or has a border
    /// inside.
    fn take_at(&mut self, range: Range<u64>) -> bool {
        let around = self.ranges.range(..=range.start).next_back().map(|(start, end)| *start..*end);
        let Some(around) = around.filter(|around| range.end <= around.end) else { return false };
        self.ranges.remove(&around.start);
        for rest in [around.start..range.start, range.end..around.end] {
            if !rest.is_empty() {
                self.ranges.insert(rest.start, rest.end);
            }
        }
        true
    }

    /// As [`Free::take_at`], to extend what is in use just before the range. The range must not start at a border.
    fn extend(&mut self, range: Range<u64>) -> bool {
        !self.borders.contains(&range.start) && self.take_at(range)
    }

    /// Returns a range, and joins it with its neighbours unless a border lies between them.
    fn give(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let joins = |at| !self.borders.contains(&at);
        let before = self.ranges.range(..range.start).next_back().filter(|(_, end)| **end == range.start);
        let start = before.filter(|_| joins(range.start)).map_or(range.start, |(start, _)| *start);
        let after = if joins(range.end) { self.ranges.remove(&range.end) } else { None };
        self.ranges.insert(start, after.unwrap_or(range.end));
    }
}

#[cfg(test)]
#[path = "allocator_tests.rs"]
mod tests;

//! The objects of the heaps: each PE makes the same changes to its own record of them, in the calls of
//! `api/allocation.rs`.

use super::{Memory, POISON, POISONED_BYTES, Segment};
use crate::error::Cause;
use crate::sync::network::Network;
use crate::{Error, Result};

/// The properties of a new object.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) bytes: u64,
    /// A power of two.
    pub(crate) alignment: u64,
    /// Whether it is cleared to zero; host memory only.
    pub(crate) cleared: bool,
}

impl Memory {
    /// The size of the object that starts at this offset.
    pub(crate) fn known_bytes(&self, routine: &str, segment: Segment, offset: u64) -> Result<u64> {
        let known = self.heaps().of(segment).get(offset).map(|object| object.bytes);
        known.ok_or_else(|| Error::new(routine.to_owned(), Cause::NoObject(offset)))
    }

    /// Local: releases an object that no PE uses any more.
    pub(crate) fn forget(&self, segment: Segment, offset: u64) {
        let mut heaps = self.heaps();
        let bytes = heaps.of(segment).get(offset).map_or(0, |object| object.bytes);
        heaps.of_mut(segment).free(offset);
        if self.checks() && segment == Segment::Host {
            self.host().fill(offset, POISON, bytes.min(POISONED_BYTES));
        }
    }

    /// Local: takes a place in the heap, if there is one. Also returns the heap's limit.
    pub(crate) fn choose(&self, segment: Segment, layout: Layout) -> (Option<u64>, u64) {
        // Memory that is already pinned is tried first.
        let reach = if segment == Segment::Host { self.host().within_reach() } else { u64::MAX };
        let mut heaps = self.heaps();
        heaps.allocations += 1;
        let number = heaps.allocations;
        let heap = heaps.of_mut(segment);
        let near = heap.allocate_below(reach, layout.bytes, layout.alignment, number);
        (near.or_else(|| heap.allocate(layout.bytes, layout.alignment, number)), heap.limit())
    }

    /// Collective like [`Memory::grow`]. Ensures that the new object's memory exists on all PEs. If that fails, it
    /// fails on all PEs, and the object is released.
    pub(crate) fn grow_new(&self, segment: Segment, offset: u64, network: Option<&Network>) -> Result<()> {
        let grown = self.grow(segment, offset, network);
        grown.inspect_err(|_| {
            self.heaps().of_mut(segment).free(offset);
        })
    }
}

//! Operations under way at libfabric.

use super::order::Kind;
use super::sys::CONTEXT_WORDS;
use crate::fabric::Tag;
use crate::{MOST_INLINE, Work};
use std::cell::UnsafeCell;
use std::ops::Deref;

/// Memory of an operation that the library uses until its completion.
#[repr(C)]
pub(super) struct Slot {
    /// The context, in which the provider may keep its own data.
    pub(super) context: UnsafeCell<[u64; CONTEXT_WORDS]>,
    /// The bytes of an inline put; or operand, condition and result of an atomic operation.
    pub(super) few: UnsafeCell<[u64; MOST_INLINE / 8]>,
}

/// The slots of all operations.
pub(super) struct Slots {
    all: Box<[Slot]>,
    /// Those that were used before and are free again.
    pub(super) free: Vec<usize>,
}

impl Slots {
    pub(super) fn new(number: usize) -> Self {
        let slot =
            |_| Slot { context: UnsafeCell::new([0; CONTEXT_WORDS]), few: UnsafeCell::new([0; MOST_INLINE / 8]) };
        Self { all: (0..number).map(slot).collect(), free: Vec::new() }
    }
}

impl Deref for Slots {
    type Target = [Slot];

    fn deref(&self) -> &[Slot] {
        &self.all
    }
}

/// An operation under way; its index is that of its slot.
#[derive(Clone, Copy)]
pub(super) struct Active {
    pub(super) work: Work,
    pub(super) tag: Tag,
    pub(super) kind: Kind,
    /// The bytes that were transferred, in parts that are complete.
    pub(super) done: usize,
    /// The bytes that are being transferred.
    pub(super) running: usize,
    /// Whether there are parts that were not posted yet.
    pub(super) is_partial: bool,
    pub(super) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    UnderWay,
    /// It was reported, but the library may still use its memory.
    Lost,
    /// The slot is free.
    Over,
}

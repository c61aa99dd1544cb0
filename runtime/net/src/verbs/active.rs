//! Operations under way at the device.

use super::order::Kind;
use crate::Work;
use crate::fabric::Tag;

/// An operation under way; its index is that of its slot.
#[derive(Clone, Copy)]
pub(super) struct Active {
    pub(super) work: Work,
    pub(super) tag: Tag,
    pub(super) kind: Kind,
    pub(super) fence: bool,
    /// The bytes for which requests were made.
    pub(super) posted: usize,
    /// The requests that are not over.
    pub(super) requests: usize,
    pub(super) local: LocalEnd,
    pub(super) step: Step,
    /// Whether what is behind it on its lane has to wait, because requests of it are still to be posted.
    pub(super) holds_back: bool,
    pub(super) state: State,
}

/// Where the local end of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalEnd {
    /// In its slot.
    Slot,
    /// In a buffer.
    Buffer(usize),
    /// Where the poster said.
    Memory,
}

/// How far an operation is that takes several requests, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It does not.
    None,
    /// The word is being read.
    Reads,
    /// The word is compared with this, and swapped.
    Swaps { expected: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    UnderWay,
    /// It has failed, but is reported only when the device uses its memory no more.
    Lost,
    /// The slot is free.
    Over,
}

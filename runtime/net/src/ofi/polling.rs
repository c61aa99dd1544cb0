//! Which endpoints a poll looks at.

use crate::far::ENDPOINTS;
use std::ffi::c_void;

/// While one endpoint has operations under way and the other has none, only every so many polls look at the other one.
/// There may be operations of peers, but a look costs a system call, as much as one that finds a completion.
const RARELY: usize = 4;

/// Which endpoints a poll looks at, and what it finds.
#[derive(Default)]
pub(super) struct Polling {
    /// By endpoint, how many operations are under way.
    pub(super) busy: [usize; ENDPOINTS],
    polls: usize,
    /// Kept so that a poll need not allocate.
    pub(super) found: Vec<(*mut c_void, Result<(), String>)>,
}

impl Polling {
    /// The endpoints to look at in the next poll.
    pub(super) fn next(&mut self) -> [bool; ENDPOINTS] {
        self.polls = self.polls.wrapping_add(1);
        let is_any_busy = self.busy.iter().any(|busy| *busy > 0);
        self.busy.map(|busy| busy > 0 || !is_any_busy || self.polls.is_multiple_of(RARELY))
    }
}

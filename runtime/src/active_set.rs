//! Collectives of active sets, the deprecated forms of OpenSHMEM 1.6 (sections 9.11 with `PE_start`, `logPE_stride`, `PE_size`).
//!
//! An active set exists for one call only, and sets may overlap, so what its members synchronise with belongs to pairs of PEs: each PE
//! has a line for each other, in which it counts how often the two have met. Two PEs make the calls in which both take part in the
//! same order, so both know the number of their next meeting, whatever the others do. A set meets when all its pairs meet.
//!
//! ```text
//! PE i's line for PE j: meetings   written by i, awaited by j
//!                       number     written by i before its meetings, read by j after; i writes it again only after they met once more
//! ```
//!
//! `pSync` and `pWrk` are not used. One thread of a PE at a time may be in these.

use crate::flags::Awaited;
use crate::host_heap::{HostArea, MOST_PAIRS, PairLine};
use crate::members::{Meeting, Members};
use crate::{PeSet, Shmem};
use cushmem_collective::{Counts, Group};
use std::fmt;
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

/// PEs of a collective without a team; see [`Raw::active_set`](crate::raw::Raw::active_set).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveSet {
    pub(crate) pes: PeSet,
    /// This PE's number in it.
    pub(crate) me: u32,
}

/// Why there is no such active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoActiveSet {
    /// They are not so many PEs of the job, or this PE is not among them; holds how many PEs the job has.
    NotPes(u32),
    /// This PE of it is too far.
    TooFar(u32),
}

impl fmt::Display for NoActiveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPes(n_pes) => write!(f, "are not PEs in 0..{n_pes} with this one"),
            Self::TooFar(pe) => {
                write!(f, "reach PE {pe}, but active sets reach PEs in 0..{MOST_PAIRS} only, unless they are all PEs")
            }
        }
    }
}

impl ActiveSet {
    /// The set of PE `my_pe` of `n_pes`; `None` if it is all of them.
    pub(crate) fn find(
        n_pes: u32,
        my_pe: u32,
        start: i32,
        log_stride: i32,
        size: i32,
    ) -> Result<Option<Self>, NoActiveSet> {
        let not_pes = NoActiveSet::NotPes(n_pes);
        let pes = PeSet::all(n_pes).active(start, log_stride, size).ok_or(not_pes)?;
        if pes.size() == n_pes {
            return Ok(None);
        }
        let me = pes.number_of(my_pe).ok_or(not_pes)?;
        // Strides are positive.
        let last = pes.at(pes.size() - 1);
        if last as usize >= MOST_PAIRS { Err(NoActiveSet::TooFar(last)) } else { Ok(Some(Self { pes, me })) }
    }
}

/// The way of meeting of an active set.
#[derive(Clone, Copy)]
pub(crate) struct Pairs;

impl Shmem {
    /// A word of PE `from`'s line for PE `to`.
    fn pair(&self, from: u32, to: u32, word: usize) -> &AtomicU64 {
        assert!((to as usize) < MOST_PAIRS);
        self.host.word(from, offset_of!(HostArea, pairs) + to as usize * size_of::<PairLine>() + word)
    }
}

impl<A> Members<'_, Pairs, A> {
    fn others(&self) -> impl Iterator<Item = u32> + use<A> {
        let (pes, me) = (self.pes, self.me);
        (me + 1..pes.size()).chain(0..me).map(move |member| pes.at(member))
    }
}

impl Meeting for Pairs {
    fn sync<A>(members: &mut Members<'_, Self, A>) {
        let shmem = members.shmem;
        let my_pe = shmem.my_pe();
        let meetings = offset_of!(PairLine, meetings);
        for pe in members.others() {
            let line = shmem.pair(my_pe, pe, meetings);
            // Relaxed: nobody else writes it.
            shmem.post(my_pe, line, line.load(Ordering::Relaxed) + 1);
        }
        for pe in members.others() {
            // Relaxed: as above.
            let number = shmem.pair(my_pe, pe, meetings).load(Ordering::Relaxed);
            let awaited = || Awaited { operation: members.operation, pes: members.pes, pe, slice: pe };
            shmem.await_flag(shmem.pair(pe, my_pe, meetings), number, awaited);
        }
    }
}

impl<A> Counts for Members<'_, Pairs, A> {
    fn sums(&mut self, mine: usize) -> (usize, usize) {
        let shmem = self.shmem;
        let my_pe = shmem.my_pe();
        let number = offset_of!(PairLine, number);
        for pe in self.others() {
            // Relaxed, here and below: the meeting orders it.
            shmem.pair(my_pe, pe, number).store(mine as u64, Ordering::Relaxed);
        }
        self.sync();
        let (mut before, mut all) = (0usize, 0usize);
        for member in 0..self.pes.size() {
            let theirs = if member == self.me {
                before = all;
                mine
            } else {
                shmem.pair(self.pes.at(member), my_pe, number).load(Ordering::Relaxed) as usize
            };
            all = all.saturating_add(theirs);
        }
        (before, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set that is right but too far, and reported as wrong; or one that would use lines which there are not.
    #[test]
    fn what_is_wrong_with_a_set() {
        let find = |n_pes, my_pe, (start, log_stride, size)| {
            ActiveSet::find(n_pes, my_pe, start, log_stride, size).map(|set| set.map(|set| set.me))
        };
        assert_eq!(find(2000, 1022, (0, 1, 512)), Ok(Some(511)));
        assert_eq!(find(2000, 1023, (1022, 0, 2)), Ok(Some(1)));
        assert_eq!(find(2000, 1023, (1023, 0, 2)), Err(NoActiveSet::TooFar(1024)));
        assert_eq!(find(2000, 0, (0, 0, 2000)), Ok(None));
        assert_eq!(find(2000, 0, (0, 0, 2001)), Err(NoActiveSet::NotPes(2000)));
        assert_eq!(find(2000, 1, (0, 1, 2)), Err(NoActiveSet::NotPes(2000)));
        let text = NoActiveSet::TooFar(1024).to_string();
        assert_eq!(text, "reach PE 1024, but active sets reach PEs in 0..1024 only, unless they are all PEs");
    }
}

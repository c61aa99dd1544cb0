//! Collectives of active sets, the deprecated interface of OpenSHMEM 1.6 (section 9.10, with `PE_start`,
//! `logPE_stride`, `PE_size`).
//!
//! An active set exists for one call only, and sets may overlap, so their members synchronise in pairs: each PE has a
//! line for each other PE, in which it counts how often the two have met. Two PEs make the calls in which both take
//! part in the same order, so both know the number of their next meeting, whatever other PEs do. A set meets when all
//! its pairs meet.
//!
//! ```text
//! PE i's line for PE j: meetings   written by i, awaited by j
//!                       number     written by i before its meetings, read by j after; i writes it again only after they met once more
//! ```
//!
//! A PE of another node cannot look at the line, so everything that is written to it is also put into that PE's area.
//!
//! `pSync` and `pWrk` are not used. Only one thread of a PE at a time may be in these collectives.

use super::Sync;
use super::child::refuse_children;
use super::control::PairLine;
use super::flags::Awaited;
use super::network_lane::{Region, RemoteAddr};
use crate::PeSet;
use crate::job::Pe;
use cushmem_collective::{Counts, Group};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

/// An active set: the PEs of a collective without a team. [`Raw::active_set`](crate::api::raw::Raw::active_set) creates
/// one and has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveSet {
    pub(crate) pes: PeSet,
    /// This PE's number in the set.
    pub(crate) me: u32,
}

/// The reason why there is no such active set.
/// [`Raw::active_set`](crate::api::raw::Raw::active_set) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoActiveSet {
    /// The set contains PEs that the job does not have. The value is the number of PEs in the job.
    #[error("are not all PEs of the job (0 to {last})", last = .0 - 1)]
    NotPes(u32),
    /// The set does not contain this PE.
    #[error("do not include this PE")]
    NotMember,
}

impl ActiveSet {
    /// The set that this PE, `my_pe` of `n_pes`, is a member of; `None` if it contains all PEs.
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
        let me = pes.number_of(my_pe).ok_or(NoActiveSet::NotMember)?;
        Ok(Some(Self { pes, me }))
    }
}

/// This PE as a member of an active set, in a collective.
#[derive(Clone, Copy)]
pub(crate) struct ActivePoint<'a> {
    pub(super) sync: &'a Sync,
    pub(super) set: ActiveSet,
    pub(super) operation: &'static str,
}

impl Sync {
    /// This PE as a member of an active set.
    #[inline(always)]
    pub(crate) fn active_point(&self, operation: &'static str, set: ActiveSet) -> ActivePoint<'_> {
        refuse_children(self.me().number(), operation);
        ActivePoint { sync: self, set, operation }
    }

    /// A word of PE `from`'s line for PE `to`.
    fn pair(&self, from: Pe, to: Pe, word: usize) -> &AtomicU64 {
        self.control.word(from, self.control.pair(to) + word)
    }

    /// A word of PE `from`'s line for this PE, and the PE in whose area this PE looks at it: `from`, or this PE if
    /// `from` is on another node and puts its words here.
    fn pair_of(&self, from: Pe, word: usize) -> (Pe, &AtomicU64) {
        if self.control.is_near(from) {
            (from, self.pair(from, self.me(), word))
        } else {
            (self.me(), self.control.word(self.me(), self.control.far_pair(from) + word))
        }
    }
}

impl ActivePoint<'_> {
    /// The PE of the job that is this member.
    #[inline(always)]
    pub(crate) fn pe(&self, member: u32) -> Pe {
        self.set.pes.at(member)
    }

    fn others(&self) -> impl Iterator<Item = Pe> + use<> {
        let ActiveSet { pes, me } = self.set;
        (me + 1..pes.size()).chain(0..me).map(move |member| pes.at(member))
    }
}

impl Group for ActivePoint<'_> {
    #[inline(always)]
    fn size(&self) -> u32 {
        self.set.pes.size()
    }

    #[inline(always)]
    fn me(&self) -> u32 {
        self.set.me
    }

    fn sync(&mut self) {
        let Self { sync, operation, .. } = *self;
        let (me, pes) = (sync.me(), self.set.pes);
        // Completes what was put to members on other nodes.
        self.done(sync.network.as_ref().map_or(Ok(()), |network| network.collective().drain()));
        for pe in self.others() {
            let line = sync.pair(me, pe, MEETINGS);
            // Relaxed: nobody else writes it.
            let number = line.load(Ordering::Relaxed) + 1;
            sync.post(me, line, number);
            self.put(pe, MEETINGS, number);
        }
        for pe in self.others() {
            // Relaxed: nobody else writes it.
            let number = sync.pair(me, pe, MEETINGS).load(Ordering::Relaxed);
            let (area, word) = sync.pair_of(pe, MEETINGS);
            let by_network = area == me;
            sync.await_flag(word, number, || Awaited { operation, pes, pe, area, by_network });
        }
    }
}

impl ActivePoint<'_> {
    /// Puts a word of this PE's line to a PE of another node. Everything that must be there before it has arrived.
    fn put(&self, pe: Pe, word: usize, value: u64) {
        let Some(network) = self.sync.network.as_ref().filter(|_| !self.sync.control.is_near(pe)) else { return };
        let at = (self.sync.control.far_pair(self.sync.me()) + word) as u64;
        let lane = network.collective();
        self.done(lane.set(RemoteAddr { pe, region: Region::Control, at }, size_of::<u64>(), value));
    }

    /// Ends the job if the network failed, because the others wait in the collective.
    fn done(&self, result: crate::Result<()>) {
        result.unwrap_or_else(|error| self.sync.job.end(self.operation, &error));
    }
}

impl Counts for ActivePoint<'_> {
    fn sums(&mut self, mine: usize) -> (usize, usize) {
        let sync = self.sync;
        let me = sync.me();
        for pe in self.others() {
            // Relaxed, here and below: the meeting orders the accesses.
            sync.pair(me, pe, NUMBER).store(mine as u64, Ordering::Relaxed);
            self.put(pe, NUMBER, mine as u64);
        }
        self.sync();
        let (mut before, mut all) = (0usize, 0usize);
        for member in 0..self.set.pes.size() {
            let theirs = if member == self.set.me {
                before = all;
                mine
            } else {
                sync.pair_of(self.pe(member), NUMBER).1.load(Ordering::Relaxed) as usize
            };
            all = all.saturating_add(theirs);
        }
        (before, all)
    }
}

const MEETINGS: usize = offset_of!(PairLine, meetings);
const NUMBER: usize = offset_of!(PairLine, number);

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a set that is refused in a large job, and one that is taken for the set of all PEs.
    #[test]
    fn what_is_wrong_with_a_set() {
        let find = |n_pes, my_pe, (start, log_stride, size)| {
            ActiveSet::find(n_pes, my_pe, start, log_stride, size).map(|set| set.map(|set| set.me))
        };
        assert_eq!(find(2000, 1022, (0, 1, 512)), Ok(Some(511)));
        assert_eq!(find(2000, 1999, (1998, 0, 2)), Ok(Some(1)));
        assert_eq!(find(2000, 1999, (1999, 0, 2)), Err(NoActiveSet::NotPes(2000)));
        assert_eq!(find(2000, 0, (0, 0, 2000)), Ok(None));
        assert_eq!(find(2000, 0, (0, 0, 2001)), Err(NoActiveSet::NotPes(2000)));
        assert_eq!(find(2000, 1, (0, 1, 2)), Err(NoActiveSet::NotMember));
    }
}

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
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

/// The way of meeting of an active set.
#[derive(Clone, Copy)]
pub(crate) struct Pairs;

impl Shmem {
    /// This PE's number in the set, and none if it is not in it or has a PE that is too far.
    pub(crate) fn number_in(&self, set: PeSet) -> Option<u32> {
        let last = set.at(set.size() - 1).max(set.at(0));
        set.number_of(self.my_pe()).filter(|_| (last as usize) < MOST_PAIRS)
    }

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

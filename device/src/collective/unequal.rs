//! The exchange in which each member sends as many rows as it likes to each other one.
//!
//! ```text
//!   member i                                  member j
//!   how many rows it sends ── COUNT of i ──▶  adds up what the members before i send: there i's rows start
//!   waits for the start    ◀── START of j ──
//!   the rows               ───────────────▶   its dest
//!                     the second meeting
//! ```
//!
//! Both words travel through the inboxes, in one collective of theirs. They replace the first meeting: who has the
//! start knows that everything that came earlier on that member has finished, so its dest may be written. The first
//! group sends both words. The lanes of every group read the starts, each on its own, and copy their part of all rows.
//!
//! *Why nothing is overwritten too early.* The groups of a member need the words until they have copied. A member that
//! sends in a later collective has left this one's second meeting, where each group has waited for those of the other
//! members that have its number.

use super::copy::unaligned;
use super::inbox::Inboxes;
use super::{Crew, of_member};
use crate::fail::fail;
use crate::scope::Group;
use crate::{DevPtr, DeviceTeam, arch, my_pe};
use cushmem_abi::{CollectiveArea, ErrorCode, UNEQUAL_BYTES};

/// The words of a member's part of an inbox: how many rows it sends, and where it wants the owner's rows to start.
const COUNT: usize = 0;
const START: usize = 1;
const _: () = assert!(UNEQUAL_BYTES == 8 * (START + 1));

/// What a member passes to [`unequal`].
#[derive(Clone, Copy)]
pub struct Unequal {
    /// For each member, how many rows it sends to this one, and then for each member, where they start.
    pub dst_splits: DevPtr<u64>,
    /// For each member, how many rows this one sends to it, and then for each member, where they start.
    pub src_splits: DevPtr<u64>,
    /// The rows for which the dest has room.
    pub room: usize,
    /// The rows of the source, as far as they are known.
    pub given: usize,
    /// The bytes of a row.
    pub row: usize,
}

impl Unequal {
    /// How many rows this member sends to that one, and where they start.
    ///
    /// # Safety
    /// The splits of the source are valid for `members` members, of which `member` is one.
    #[inline(always)]
    unsafe fn sent(&self, members: u32, member: u32) -> (usize, usize) {
        let count = self.src_splits.add(member as usize);
        // SAFETY: the caller guarantees that both words are valid; nobody writes them during the collective.
        unsafe { (count.read() as usize, count.add(members as usize).read() as usize) }
    }
}

/// Copies this member's rows for each member to that one's dest, in which the rows of all members follow each other.
/// Ends the kernel if they do not fit, or if a row has no bytes.
///
/// # Safety
/// Source, dest and splits of this member are valid, and nobody else accesses them. All lanes of the crews of all
/// members call it, with the same `row`.
#[inline(always)]
pub unsafe fn unequal<C: Crew>(crew: C, team: DeviceTeam, (dst, src): (DevPtr<u8>, DevPtr<u8>), what: Unequal) {
    if !CollectiveArea::is_short(team.slot, team.n_pes, UNEQUAL_BYTES) {
        let most = CollectiveArea::inbox(team.slot).1 / (4 * UNEQUAL_BYTES);
        fail(ErrorCode::TeamTooLarge, my_pe(), team.n_pes.into(), most as u64);
    }
    if what.row == 0 {
        fail(ErrorCode::EmptyRows, my_pe(), 0, 0);
    }
    let inboxes = Inboxes::enter(crew, team);
    let group = crew.group();
    let (first, lanes) = (group.lane() as u32, group.lanes() as u32);
    if crew.groups().0 == 0 {
        if !C::IS_KERNEL && first < team.n_pes {
            // The members that receive what this lane sends write to the dest, which other lanes may have read.
            arch::fence_acq_rel_sys();
        }
        let mut j = first;
        while j < team.n_pes {
            // SAFETY: the caller guarantees that the splits are valid.
            let (count, start) = unsafe { what.sent(team.n_pes, j) };
            // A start that nobody needs may be any number.
            if count > 0 && (start > what.given || count > what.given - start) {
                fail(
                    ErrorCode::RowsOutside,
                    team.pe(j),
                    (start as u64).saturating_add(count as u64),
                    what.given as u64,
                );
            }
            inboxes.send(j, COUNT, count as u64);
            j += lanes;
        }
        // SAFETY: the caller guarantees that the splits are valid.
        unsafe { place(&inboxes, team, (first, lanes), what) };
    }
    if first < team.n_pes {
        let mut j = first;
        while j < team.n_pes {
            inboxes.receive_word(j, START);
            j += lanes;
        }
        // What the members did with their dests before comes before what the lanes of this group write there.
        arch::fence_acq_rel_sys();
    }
    group.sync();
    if C::IS_KERNEL {
        Inboxes::count(crew, team);
    }
    // Warps start with different members, so that all links are busy, and none waits for this member's own rows.
    let (mut j, mut left) = ((crew.first() / 32) as u32 % team.n_pes, team.n_pes);
    while left > 0 {
        // SAFETY: the caller guarantees that source and splits are valid; that member's dest has room for these rows.
        unsafe {
            let (count, from) = what.sent(team.n_pes, j);
            let at = inboxes.receive_word(j, START) as usize;
            if count > 0 {
                let to = of_member(team, dst.add(at * what.row), j);
                unaligned(crew, to, src.add(from * what.row), count * what.row);
            }
        }
        j = if j + 1 < team.n_pes { j + 1 } else { 0 };
        left -= 1;
    }
    crew.meet(team);
}

/// Decides where the rows of each member start in this member's dest, and tells it.
///
/// # Safety
/// The splits of the dest are valid.
#[inline(always)]
unsafe fn place<C: Crew>(inboxes: &Inboxes<C>, team: DeviceTeam, (first, lanes): (u32, u32), what: Unequal) {
    let (mut start, mut mine, mut k) = (0u64, first, 0);
    while k < team.n_pes {
        let count = inboxes.receive_word(k, COUNT);
        let end = start.saturating_add(count);
        if k == mine {
            let split = what.dst_splits.add(k as usize);
            // SAFETY: the caller guarantees that the words are valid; only this lane writes those of this member.
            unsafe {
                split.write(count);
                split.add(team.n_pes as usize).write(start);
            }
            if end <= what.room as u64 {
                inboxes.send(k, START, start);
            }
            mine += lanes;
        }
        (start, k) = (end, k + 1);
    }
    if start > what.room as u64 {
        // All lanes come here. Each has sent its counts first, so the members learn whether they have too little room.
        inboxes.sync();
        fail(ErrorCode::DestTooSmall, my_pe(), start, what.room as u64);
    }
}

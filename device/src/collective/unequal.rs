//! The exchange in which each member sends as many rows as it likes to each other one.
//!
//! ```text
//!   member i                                          member j
//!   how many rows it sends to each member ──────────▶ knows who sends how many to whom: where all rows start
//!   knows the same                        ◀────────── how many rows it sends to each member
//!   the rows for j                        ──────────▶ its dest, behind the rows of the members before i
//!                              the second meeting
//! ```
//!
//! The counts travel through the inboxes, in one collective of theirs: every member sends all of its counts to every
//! member, so one round is enough. This round replaces the first meeting: a member's words tell that
//! everything that came earlier on that member has finished, so its dest may be written. The first block sends; every
//! block waits for the words by itself, because the lanes of a block meet in less time than a word takes from one block
//! to another. Each word is awaited by one lane of the block, which acquires what its sender did before; then the lanes
//! meet, and read the words as plain memory.
//!
//! Each lane of a warp finds out about one member: how many rows it gets, where they come from and where they go. Then
//! the warp copies its part of the rows for one member after the other, for which it needs no memory but the rows'.
//!
//! *Why nothing is overwritten too early.* A word is overwritten two collectives later. Its sender has then received
//! the words of the collective in between, which a member sends when all of its lanes have finished this one: its
//! kernel has ended, or its lanes have met. So the inbox's own argument holds here too.
//!
//! *Why a dest is not overrun.* All members compute the same sums from the same words. If they exceed what the dest of
//! any member has room for, which is the same on all, no member sends anything there: the kernels of all end.
//!
//! *Why nobody waits for a member whose kernel has ended so.* Only lanes of the first block end the kernel. The lanes
//! of this block have sent all words of the member and have met since, and [`fail`] has a fence at system scope before
//! the trap: it covers what the lane has seen of the others, so the words are on their way to all members no later than
//! the record of the error. A lane of another block would know only that its own member's words have come, which says
//! nothing about those for other members. It copies nothing to the member without room, and waits where the blocks
//! meet until the kernel ends.

use super::copy::unaligned;
use super::inbox::{Inboxes, arrived};
use super::{Crew, each_member, of_member};
use crate::fail::fail;
use crate::scope::Group;
use crate::{DevPtr, DeviceTeam, Scope, arch, my_pe, warp};
use cushmem_abi::{CollectiveArea, ErrorCode};

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
/// members call it, with the same `row` and `room`.
#[inline(always)]
pub unsafe fn unequal<C: Crew>(crew: C, team: DeviceTeam, (dst, src): (DevPtr<u8>, DevPtr<u8>), what: Unequal) {
    let (n, most) = (team.n_pes, CollectiveArea::unequal_members(team.slot));
    if n > most {
        fail(ErrorCode::TeamTooLarge, my_pe(), n.into(), most.into());
    }
    if what.row == 0 {
        fail(ErrorCode::EmptyRows, my_pe(), 0, 0);
    }
    let inboxes = Inboxes::enter(crew, team);
    // SAFETY: the caller guarantees that the splits are valid.
    unsafe { send_counts(crew, &inboxes, team, what) };
    let block = crew.group().of_block();
    let (lane, lanes) = (Scope::lane(block) as u32, Scope::lanes(block) as u32);
    let mut i = lane;
    while i < n * n {
        inboxes.await_word(i / n, (i % n) as usize);
        i += lanes;
    }
    Scope::sync(block);
    if C::IS_KERNEL {
        Inboxes::count(crew, team);
    }
    if is_of_first_block(crew) {
        let mut k = lane;
        while k < n {
            let split = what.dst_splits.add(k as usize);
            // SAFETY: the caller guarantees that the words are valid; only this lane writes those of this member.
            unsafe {
                split.write(inboxes.word(k, team.my_pe as usize));
                split.add(n as usize).write(before(&inboxes, k, team.my_pe));
            }
            k += lanes;
        }
    }
    // The lanes of this lane's warp that are of the block.
    let (own, rest) = (lane % 32, lanes - lane / 32 * 32);
    let width = if rest < 32 { rest } else { 32 };
    let mut first = 0;
    while first < n {
        let members = if n - first < width { n - first } else { width };
        // SAFETY: the caller guarantees that source and splits are valid.
        let mine =
            unsafe { if own < members { rows(crew, &inboxes, team, (dst, src), what, first + own) } else { [0; 3] } };
        // Warps start with different members, so that all links are busy, and none waits for this member's own rows.
        let (mut k, mut left) = ((crew.groups().0 + lane / 32) % members, members);
        while left > 0 {
            let [to, from, bytes] = of_lane(width, mine, k);
            if bytes > 0 {
                let [to, from] = [to, from].map(DevPtr::from_address);
                // SAFETY: the caller guarantees that the source is valid; that member's dest has room for these rows.
                unsafe { unaligned(crew, to, from, bytes as usize) };
            }
            k = if k + 1 < members { k + 1 } else { 0 };
            left -= 1;
        }
        first += width;
    }
    crew.meet(team);
}

/// Tells all members how many rows this one sends to each.
///
/// # Safety
/// The splits of the source are valid.
#[inline(always)]
unsafe fn send_counts<C: Crew>(crew: C, inboxes: &Inboxes<C>, team: DeviceTeam, what: Unequal) {
    let (block, n) = (crew.group().of_block(), team.n_pes);
    let mut i = Scope::lane(block) as u32;
    if !is_of_first_block(crew) || i >= n {
        return;
    }
    if !C::IS_KERNEL {
        // SYNC(unequal) fence.sys before the relaxed words: pairs with the acquire in `Inboxes::await_word`. The
        // members that receive what this lane sends write to the dest, which other lanes may have read.
        arch::fence_acq_rel_sys();
    }
    while i < n {
        // SAFETY: the caller guarantees that the splits are valid.
        let (count, start) = unsafe { what.sent(n, i) };
        // A start that nobody needs may be any number.
        if count > 0 && (start > what.given || count > what.given - start) {
            let end = (start as u64).saturating_add(count as u64);
            fail(ErrorCode::RowsOutside, team.pe(i), end, what.given as u64);
        }
        each_member(team, |j| inboxes.send(j, i as usize, count as u64));
        i += Scope::lanes(block) as u32;
    }
}

/// Whether this lane is of the crew's first block, which sends the words.
#[inline(always)]
fn is_of_first_block<C: Crew>(crew: C) -> bool {
    crew.first() < Scope::lanes(crew.group().of_block())
}

/// How many rows the members before number `end` send to a member.
#[inline(always)]
fn before<C: Crew>(inboxes: &Inboxes<C>, end: u32, member: u32) -> u64 {
    let (from, step) = inboxes.words(member as usize);
    sum(from, step, end)
}

/// The sum of `count` words that have come, with `step` bytes from one to the next. It is a call, because the compiler
/// unrolls the loop, and generic, so that it becomes part of the crate of the kernel.
#[inline(never)]
fn sum<T>(from: DevPtr<T>, step: usize, count: u32) -> u64 {
    let (mut at, mut sum, mut k) = (from, 0u64, 0);
    while k < count {
        // SAFETY: only `before` calls it, with words of an inbox that have come.
        sum = sum.saturating_add(unsafe { arrived(at.cast()) });
        at = at.byte_offset(step as isize);
        k += 1;
    }
    sum
}

/// Where this member's rows for a member go, where they come from, and how many bytes they have. Ends the kernel if the
/// member has too little room: see the head of this file.
///
/// # Safety
/// Source and splits are valid.
#[inline(always)]
unsafe fn rows<C: Crew>(
    crew: C,
    inboxes: &Inboxes<C>,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    what: Unequal,
    member: u32,
) -> [u64; 3] {
    // SAFETY: the caller guarantees that the splits are valid.
    let (count, from) = unsafe { what.sent(team.n_pes, member) };
    let at = before(inboxes, team.my_pe, member);
    let all = before(inboxes, team.n_pes, member);
    if all > what.room as u64 {
        if !is_of_first_block(crew) {
            return [0; 3];
        }
        // Each member says so of itself first.
        let own = before(inboxes, team.n_pes, team.my_pe);
        let (member, all) = if own > what.room as u64 { (team.my_pe, own) } else { (member, all) };
        fail(ErrorCode::DestTooSmall, team.pe(member), all, what.room as u64);
    }
    if count == 0 {
        return [0; 3];
    }
    let to = of_member(team, dst.add(at as usize * what.row), member);
    [to.address(), src.add(from * what.row).address(), (count * what.row) as u64]
}

/// What lane `k` of the warp has, of whose lanes the first `width` call it.
#[inline(always)]
fn of_lane(width: u32, mine: [u64; 3], k: u32) -> [u64; 3] {
    // A single lane may be any lane of its warp.
    if width == 1 { mine } else { mine.map(|word| warp::shfl_idx(u32::MAX >> (32 - width), word, k)) }
}

//! Short collectives, without a meeting. Each member has an inbox, with a part for each sender;
//! [`cushmem_protocol::inbox`] has the protocol. A collective counts [`COLLECTIVE_BLOCKS`], and each group of the crew
//! adds its share. *When a team gets a slot* that another team had, count and inbox are zero, because members clear
//! them when they destroy a team.

use super::number::Combiner;
use super::words::{load, load_piece, store, store_piece};
use super::{Crew, each_member, each_other, of_member};
use crate::scope::Group;
use crate::wait::{LOOKS_WITHOUT_CLOCK, wait_limit_ns};
use crate::{DevPtr, DeviceTeam, arch, sync};
use cushmem_abi::{COLLECTIVE_BLOCKS, CollectiveArea};
use cushmem_protocol::inbox;

/// The inboxes of a team, in one collective.
pub(super) struct Inboxes<C> {
    crew: C,
    team: DeviceTeam,
    /// The flag, in the upper half of a word.
    flag: u64,
    /// This member's inbox: the half for this collective.
    half: DevPtr<u8>,
    /// Bytes of each sender's part.
    part: usize,
}

/// Polls between two readings of the clock.
const LOOKS: u32 = 256;

impl<C: Crew> Inboxes<C> {
    #[inline(always)]
    fn passed(team: DeviceTeam) -> DevPtr<u64> {
        DevPtr::from_address(sync::collective_area() + CollectiveArea::passed(team.slot) as u64)
    }

    #[inline(always)]
    pub(super) fn enter(crew: C, team: DeviceTeam) -> Self {
        // SAFETY: a word of the library's own.
        let counted = unsafe { arch::ld_relaxed_sys_u64(Self::passed(team).raw()) };
        let number = inbox::number(counted, COLLECTIVE_BLOCKS);
        if !C::IS_KERNEL {
            // What any lane did before comes before what the others send. All lanes know the number now.
            crew.group().sync();
            Self::count(crew, team);
        }
        let (first, bytes) = CollectiveArea::inbox(team.slot);
        let half = |number| sync::collective_area() + first as u64 + inbox::half(number) * (bytes as u64 / 2);
        // The first group sends a word in each collective, so nobody goes on before it has cleared.
        if inbox::clears(number) && crew.groups().0 == 0 {
            let group = crew.group();
            // SAFETY: half of this member's inbox, which nobody needs any more; all lanes of the group are here,
            // because they have read the same number.
            unsafe { clear(DevPtr::<u8>::from_address(half(number - 1)), bytes / 2, group.lane(), group.lanes()) };
            group.sync();
            // The members that receive what this lane sends next write there afterwards, in later collectives.
            arch::fence_acq_rel_sys();
        }
        let half = half(number);
        let part = CollectiveArea::short_bytes(team.slot, team.n_pes) * 2;
        Self { crew, team, flag: inbox::flag(number), half: DevPtr::from_address(half), part }
    }

    /// Counts the collective, once all lanes of the group know its number.
    #[inline(always)]
    pub(super) fn count(crew: C, team: DeviceTeam) {
        if crew.group().lane() == 0 {
            let share = inbox::share(COLLECTIVE_BLOCKS, crew.groups().1);
            // SAFETY: a word of the library's own.
            unsafe { arch::red_add_relaxed_sys_u64(Self::passed(team).raw(), share) };
        }
    }

    /// Waits until all lanes of the group have received everything. The count is then visible to whoever they
    /// synchronise with, such as another group of this PE that carries out the team's next collective.
    #[inline(always)]
    fn leave(&self) {
        self.crew.group().sync();
        if C::IS_KERNEL {
            Self::count(self.crew, self.team);
        }
    }

    #[inline(always)]
    pub(super) fn send(&self, member: u32, i: usize, word: u64) {
        let to = self.half.add(self.team.my_pe as usize * self.part + i * 16);
        let words = inbox::encode(word, self.flag);
        // SAFETY: this member's part of that inbox, which has room for as many words as are sent.
        unsafe { arch::st_relaxed_sys_v2_u64(of_member(self.team, to, member).cast().raw(), words) };
    }

    #[inline(always)]
    fn send_all<const K: usize>(&self, member: u32, pieces: Pieces<K>, words: [u64; K]) {
        let mut k = 0;
        while k < K {
            self.send(member, pieces.number(k), words[k]);
            k += 1;
        }
    }

    #[inline(always)]
    fn at(&self, member: u32, i: usize) -> DevPtr<[u64; 2]> {
        self.half.add(member as usize * self.part + i * 16).cast()
    }

    /// Waits for a word. What its sender did before comes before what this lane does next.
    #[inline(always)]
    pub(super) fn await_word(&self, member: u32, i: usize) {
        let (from, mut looks) = (self.at(member, i), 0u32);
        while looks < LOOKS_WITHOUT_CLOCK {
            // SAFETY: a word of this member's inbox.
            // SYNC(unequal) acquire.sys: pairs with the fence before the words are sent.
            if inbox::decode(unsafe { arch::ld_acquire_sys_v2_u64(from.raw()) }, self.flag).is_some() {
                return;
            }
            arch::pause();
            looks += 1;
        }
        // SAFETY: the same word.
        unsafe { receive_late(from, self.flag, self.team.pe(member)) };
        // SYNC(unequal) fence.sys behind a relaxed look: the same.
        arch::fence_acq_rel_sys();
    }

    /// A word that a lane of this block has awaited before its lanes met.
    #[inline(always)]
    pub(super) fn word(&self, member: u32, i: usize) -> u64 {
        // SAFETY: a word of this member's inbox.
        unsafe { arrived(self.at(member, i)) }
    }

    /// The words of number `i` from all members: the first, and the bytes from one to the next.
    #[inline(always)]
    pub(super) fn words(&self, i: usize) -> (DevPtr<[u64; 2]>, usize) {
        (self.at(0, i), self.part)
    }

    /// Receives pieces. All of them are polled together, so that their latencies overlap.
    #[inline(always)]
    fn receive<const K: usize>(&self, member: u32, pieces: Pieces<K>) -> [u64; K] {
        let from = self.half.add(member as usize * self.part);
        let mut looks = 0u32;
        while looks < LOOKS_WITHOUT_CLOCK {
            let (mut parts, mut words, mut all_here) = ([[0; 2]; K], [0; K], true);
            let mut k = 0;
            while k < K {
                // SAFETY: a part of this member's inbox, which has room for as many words as are sent.
                parts[k] = unsafe { arch::ld_relaxed_sys_v2_u64(from.add(pieces.number(k) * 16).cast().raw()) };
                k += 1;
            }
            let mut k = 0;
            while k < K {
                let word = inbox::decode(parts[k], self.flag);
                (words[k], all_here) = (word.unwrap_or(0), all_here && word.is_some());
                k += 1;
            }
            if all_here {
                return words;
            }
            arch::pause();
            looks += 1;
        }
        let (mut words, mut k) = ([0; K], 0);
        while k < K {
            let (from, pe) = (from.add(pieces.number(k) * 16), self.team.pe(member));
            // SAFETY: one of the parts that were polled before.
            words[k] = unsafe { receive_late(from, self.flag, pe) };
            k += 1;
        }
        words
    }
}

/// `K` of a lane's pieces of up to 8 bytes.
#[derive(Clone, Copy)]
struct Pieces<const K: usize> {
    first: u32,
    stride: u32,
    /// The size of each.
    bytes: u32,
}

impl<const K: usize> Pieces<K> {
    #[inline(always)]
    fn number(self, k: usize) -> usize {
        (self.first + k as u32 * self.stride) as usize
    }

    /// # Safety
    /// These pieces of `from` are valid, and aligned if they are several.
    #[inline(always)]
    unsafe fn load(self, from: DevPtr<u8>) -> [u64; K] {
        let (mut words, mut k) = ([0; K], 0);
        while k < K {
            let at = from.add(self.number(k) * 8);
            // SAFETY: the caller guarantees that the piece is valid, and aligned if it is not the only one.
            words[k] = unsafe { if K > 1 { load(at, 8) } else { load_piece(at, self.bytes as usize) } };
            k += 1;
        }
        words
    }

    /// # Safety
    /// As for `load`.
    #[inline(always)]
    unsafe fn store(self, to: DevPtr<u8>, words: [u64; K]) {
        let mut k = 0;
        while k < K {
            let at = to.add(self.number(k) * 8);
            // SAFETY: the caller guarantees that the piece is valid, and aligned if it is not the only one.
            unsafe { if K > 1 { store(at, 8, words[k]) } else { store_piece(at, self.bytes as usize, words[k]) } };
            k += 1;
        }
    }
}

/// Goes through a lane's pieces of `$bytes` bytes: several at a time as long as there are so many whole ones, and then
/// one by one. `$ends` has the bits of all addresses. It is a macro, because a closure has no constant parameters.
macro_rules! each_piece { ($crew:ident: $C:ident, $bytes:expr, $ends:expr, |$pieces:ident| $body:block) => {
    // Inboxes have less than 4 GiB, and so have pieces that fit into them.
    let (mut first, stride, bytes) = ($crew.first() as u32, $crew.stride() as u32, $bytes as u32);
    let whole = if $ends.is_multiple_of(8) { bytes / 8 } else { 0 };
    each_piece!(if $C::VECTORS == 8, 4, first, stride, whole, $pieces, $body);
    each_piece!(if $C::VECTORS < 8, 2, first, stride, whole, $pieces, $body);
    while first * 8 < bytes {
        let rest = bytes - first * 8;
        let $pieces = Pieces::<1> { first, stride, bytes: if rest < 8 { rest } else { 8 } };
        $body
        first += stride;
    }
}; (if $if:expr, $k:literal, $first:ident, $stride:ident, $whole:ident, $pieces:ident, $body:block) => {
    while $if && $first + ($k - 1) * $stride < $whole {
        let $pieces = Pieces::<$k> { first: $first, stride: $stride, bytes: 8 };
        $body
        $first += $k * $stride;
    }
} }

/// Clears a lane's part of a half of this member's inbox, before what its group sends next. It is a call, because it is
/// rare, and generic, so that it becomes part of the crate of the kernel.
///
/// # Safety
/// The half has this many bytes, a multiple of 16.
#[cold]
#[inline(never)]
unsafe fn clear<T>(half: DevPtr<T>, bytes: usize, lane: usize, lanes: usize) {
    let mut at = 16 * lane;
    while at < bytes {
        // SAFETY: a part of the half, whose length is a multiple of 16.
        unsafe { arch::st_relaxed_sys_v2_u64(half.byte_offset(at as isize).cast().raw(), [0; 2]) };
        at += 16 * lanes;
    }
}

/// A word of a part, if it has arrived.
///
/// # Safety
/// It is a word of an inbox.
#[inline(always)]
unsafe fn part(from: DevPtr<[u64; 2]>, flag: u64) -> Option<u64> {
    // SAFETY: the caller guarantees that the word is valid.
    inbox::decode(unsafe { arch::ld_relaxed_sys_v2_u64(from.raw()) }, flag)
}

/// A word that a lane of this block has awaited before its lanes met. Nobody writes it until all lanes have finished
/// the collective.
///
/// # Safety
/// It is a word of an inbox, and has come.
#[inline(always)]
pub(super) unsafe fn arrived(from: DevPtr<[u64; 2]>) -> u64 {
    // SAFETY: the caller guarantees that the word is valid.
    inbox::bytes(unsafe { arch::ld_weak_v2_u64(from.raw()) })
}

/// The rest of a long wait; the host can read for which PE this lane waits. It is a call with little to remember,
/// because kernels would otherwise need more registers for it. It is generic like [`clear`].
///
/// # Safety
/// The conditions of [`part`].
#[cold]
#[inline(never)]
unsafe fn receive_late<T>(from: DevPtr<T>, flag: u64, pe: u32) -> u64 {
    let from = from.cast::<[u64; 2]>();
    let (number, limit_ns) = (inbox::number_of(flag), wait_limit_ns());
    let (start, mut looks, mut reported, mut late) = (arch::globaltimer(), 0u32, false, false);
    loop {
        // SAFETY: the caller guarantees what [`part`] requires.
        if let Some(word) = unsafe { part(from, flag) } {
            if reported {
                sync::collective_goes_on();
            }
            return word;
        }
        // After a look, so that a lane which was stopped for a while does not miss what has arrived.
        if late {
            sync::collective_late(pe, number, limit_ns);
        }
        if looks.is_multiple_of(LOOKS) {
            reported = sync::collective_waits(reported, from.address(), pe, number);
            late = arch::globaltimer().wrapping_sub(start) > limit_ns;
        }
        arch::pause();
        looks = looks.wrapping_add(1);
    }
}

/// Reduces `bytes` bytes, which fit into the inboxes.
///
/// # Safety
/// Source and dest of this member are valid, and nobody else accesses them. All lanes of the crews of all members call
/// it with the same arguments, of at least one byte.
#[inline(always)]
pub unsafe fn reduce_short<C: Crew, O: Combiner>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    bytes: usize,
    combiner: O,
) {
    let (inboxes, ends) = (Inboxes::enter(crew, team), dst.address() | src.address());
    // Not for lanes without a piece, of which a large block has many.
    if crew.first() * 8 < bytes {
        each_piece!(crew: C, bytes, ends, |pieces| {
            // SAFETY: the caller guarantees that the source is valid; these are parts of it.
            let own = unsafe { pieces.load(src) };
            each_other(team, |j| inboxes.send_all(j, pieces, own));
        });
        each_piece!(crew: C, bytes, ends, |pieces| {
            // SAFETY: as before. If the dest is the source, this lane has not written these parts yet, and no other
            // lane does.
            let own = unsafe { pieces.load(src) };
            let (mut all, mut j) = (own, 0);
            while j < team.n_pes {
                let theirs = if j == team.my_pe { own } else { inboxes.receive(j, pieces) };
                if j == 0 {
                    all = theirs;
                } else {
                    combiner.combine(&mut all, theirs);
                }
                j += 1;
            }
            // SAFETY: the caller guarantees that the dest is valid; these are parts of it.
            unsafe { pieces.store(dst, all) };
        });
    }
    inboxes.leave();
}

/// Copies like `copy` by all members, where member `i` copies to block `i` of each dest, with bytes that
/// fit into the inboxes.
///
/// # Safety
/// As for [`reduce_short`].
#[inline(always)]
pub unsafe fn copy_short<C: Crew>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    (bytes, step): (usize, usize),
) {
    let (inboxes, ends) = (Inboxes::enter(crew, team), dst.address() | src.address() | bytes as u64 | step as u64);
    // Not for lanes without a piece, of which a large block has many.
    if crew.first() * 8 < bytes {
        each_piece!(crew: C, bytes, ends, |pieces| {
            each_member(team, |j| {
                // SAFETY: the caller guarantees that the source is valid; these are parts of it.
                let own = unsafe { pieces.load(src.add(j as usize * step)) };
                if j != team.my_pe {
                    inboxes.send_all(j, pieces, own);
                } else {
                    // SAFETY: the caller guarantees that the dest is valid; this is this member's own block.
                    unsafe { pieces.store(dst.add(j as usize * bytes), own) };
                }
            });
        });
        each_piece!(crew: C, bytes, ends, |pieces| {
            each_other(team, |j| {
                let theirs = inboxes.receive(j, pieces);
                // SAFETY: the caller guarantees that the dest is valid; this is another member's block.
                unsafe { pieces.store(dst.add(j as usize * bytes), theirs) };
            });
        });
    }
    inboxes.leave();
}

/// Copies `bytes` bytes of member `root`, which fit into the inboxes, to the dest of all members. The other members
/// send a word too, so that a member which goes on knows that all have finished the collective before.
///
/// # Safety
/// As for [`reduce_short`].
#[inline(always)]
pub unsafe fn broadcast_short<C: Crew>(
    crew: C,
    team: DeviceTeam,
    (dst, src): (DevPtr<u8>, DevPtr<u8>),
    bytes: usize,
    root: u32,
) {
    let (inboxes, ends) = (Inboxes::enter(crew, team), dst.address() | src.address());
    // Not for lanes without a piece, of which a large block has many.
    if crew.first() * 8 < bytes {
        let token = Pieces::<1> { first: 0, stride: 0, bytes: 0 };
        if root == team.my_pe {
            each_piece!(crew: C, bytes, ends, |pieces| {
                // SAFETY: the caller guarantees that the root's source and dest are valid; these are parts of them.
                let own = unsafe { pieces.load(src) };
                each_other(team, |j| inboxes.send_all(j, pieces, own));
                // SAFETY: the caller guarantees that the root's dest is valid; these are parts of it.
                unsafe { pieces.store(dst, own) };
            });
        } else if crew.first() == 0 {
            each_other(team, |j| inboxes.send_all(j, token, [0]));
        }
        if crew.first() == 0 {
            each_other(team, |j| {
                if j != root {
                    inboxes.receive(j, token);
                }
            });
        }
        if root != team.my_pe {
            each_piece!(crew: C, bytes, ends, |pieces| {
                let theirs = inboxes.receive(root, pieces);
                // SAFETY: the caller guarantees that the dest is valid; these are parts of it.
                unsafe { pieces.store(dst, theirs) };
            });
        }
    }
    inboxes.leave();
}

//! Collectives of a team whose members' memory is mapped, by one kernel per member. All kernels are launched with the
//! same arguments and the same number of blocks, a power of two up to [`COLLECTIVE_BLOCKS`]. What changes from one
//! collective to the next is in GPU memory, so a captured launch is right at each replay.
//!
//! **Long collectives** have two barriers. In each, the blocks of one number synchronise across the members
//! ([`collective_sync`]), and no other block waits. *The first barrier*: when a block leaves it, each member's block of
//! its number has started, so everything earlier on that member's stream has finished: its source is ready, and its
//! dest may be written. *The second barrier*: when a block leaves it, everything that the other members' blocks of its
//! number wrote has arrived. So when all blocks of a member have ended, its dest is complete and nobody reads its
//! source.
//!
//! *In place*: in a reduction or scan, one lane reads an element of each member before it writes the result there, so
//! source and dest may be the same. The same holds for a broadcast, whose root writes to itself what it has read. Where
//! each member gets a block of a reduction, its dest may be that block of its own source, which no other member reads.
//! In all other collectives a member would write what another one has not read yet.
//!
//! **Short collectives** have no barrier. Each member has an inbox, with a part for each sender;
//! [`cushmem_protocol::inbox`] has the protocol. A collective counts [`COLLECTIVE_BLOCKS`], and each block adds its
//! share. *When a team gets a slot* that another team had, count and inbox are zero, because members clear them when
//! they destroy a team.
//!
//! *When a member does not arrive*, the others end with its number after the limit that holds for all collectives.

use crate::combine::combine;
use cushmem_abi::{COLLECTIVE_BLOCKS, CollectiveArea, Folding};
use cushmem_device::{
    Block, DevPtr, DeviceTeam, Scope, Thread, Wide, arch, block_dim_x, block_idx_x, collective_area,
    collective_goes_on, collective_late, collective_sync, collective_waits, grid_dim_x, syncthreads, thread_idx_x,
    wait_limit_ns,
};
use cushmem_protocol::inbox;

/// The address at which this GPU has a member's object.
#[inline(always)]
fn of_member(team: DeviceTeam, object: DevPtr<u8>, member: u32) -> DevPtr<u8> {
    object.byte_offset(arch::locate_loads_stores(object.address(), team.pe(member)).0 as isize)
}

/// This lane's number in the grid, and the number of lanes.
#[inline(always)]
fn lane() -> (usize, usize) {
    let threads = block_dim_x() as usize;
    (block_idx_x() as usize * threads + thread_idx_x() as usize, grid_dim_x() as usize * threads)
}

/// A member's share of `count` elements.
#[inline(always)]
fn share(count: usize, member: u32, n: u32) -> (usize, usize) {
    (count * member as usize / n as usize, count * (member as usize + 1) / n as usize)
}

/// What a long collective does with an element.
struct Fold {
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    code: u32,
    folding: u32,
}

impl Fold {
    /// Goes through the members, with words of all.
    #[inline(always)]
    fn through<const K: usize>(&self, load: impl Fn(DevPtr<u8>) -> [u64; K], store: impl Fn(DevPtr<u8>, &[u64; K])) {
        let Self { team, dst, src, code, folding } = *self;
        let mut all = [0; K];
        let mut j = 0;
        while j < team.n_pes {
            let theirs = load(of_member(team, src, j));
            if folding == Folding::Exscan as u32 {
                store(of_member(team, dst, j), &all);
            }
            if j == 0 {
                all = theirs;
            } else {
                combine(code, &mut all, theirs);
            }
            if folding == Folding::Inscan as u32 {
                store(of_member(team, dst, j), &all);
            }
            j += 1;
        }
        if folding == Folding::Scatter as u32 {
            store(dst, &all);
        } else if folding == Folding::Reduce as u32 {
            each_member(team, |j| store(of_member(team, dst, j), &all));
        }
    }

    /// Vectors `i`, `i + stride`, …, where `U` of them are in flight together.
    ///
    /// # Safety
    /// All vectors are valid on all members.
    #[inline(always)]
    unsafe fn vectors<const U: usize, const K: usize>(&self, i: usize, stride: usize) {
        let at = |of: DevPtr<u8>, k: usize| of.add((i + k * stride) * 16).cast::<[u64; 2]>().raw();
        self.through::<K>(
            |from| {
                let mut words = [0; K];
                let mut k = 0;
                while k < U {
                    // SAFETY: the caller guarantees that the vector is valid; it starts at a multiple of 16.
                    let [a, b] = unsafe { arch::ld_stream_v2_u64(at(from, k)) };
                    (words[2 * k], words[2 * k + 1]) = (a, b);
                    k += 1;
                }
                words
            },
            |to, words| {
                let mut k = 0;
                while k < U {
                    // SAFETY: the caller guarantees that the vector is valid; it starts at a multiple of 16.
                    unsafe { arch::st_stream_v2_u64(at(to, k), [words[2 * k], words[2 * k + 1]]) };
                    k += 1;
                }
            },
        );
    }
}

/// # Safety
/// `at` is an aligned word of `width` bytes.
#[inline(always)]
unsafe fn load(at: DevPtr<u8>, width: usize) -> u64 {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe {
        match width {
            1 => arch::ld_relaxed_sys_u8(at.raw()).into(),
            2 => arch::ld_relaxed_sys_u16(at.cast().raw()).into(),
            4 => arch::ld_relaxed_sys_u32(at.cast().raw()).into(),
            _ => arch::ld_relaxed_sys_u64(at.cast().raw()),
        }
    }
}

/// # Safety
/// `at` is an aligned word of `width` bytes.
#[inline(always)]
unsafe fn store(at: DevPtr<u8>, width: usize, value: u64) {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe {
        match width {
            1 => arch::st_relaxed_sys_u8(at.raw(), value as u8),
            2 => arch::st_relaxed_sys_u16(at.cast().raw(), value as u16),
            4 => arch::st_relaxed_sys_u32(at.cast().raw(), value as u32),
            _ => arch::st_relaxed_sys_u64(at.cast().raw(), value),
        }
    }
}

#[inline(always)]
pub(crate) unsafe fn fold(
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    width: u32,
    code: u32,
    folding: u32,
) {
    if arch::far() {
        return;
    }
    let scatters = folding == Folding::Scatter as u32;
    let src = if scatters { src.add(team.my_pe as usize * bytes) } else { src };
    let width = width as usize;
    collective_sync(team);
    let fold = Fold { team, dst, src, code, folding };
    let (lane, lanes) = lane();
    // In a scatter nobody else works on this member's block.
    let share = |count| if scatters { (0, count) } else { share(count, team.my_pe, team.n_pes) };
    let vectors = if (dst.address() | src.address()).is_multiple_of(16) { bytes / 16 } else { 0 };
    let (first, end) = share(vectors);
    let mut i = first + lane;
    // SAFETY: whoever launches the kernel guarantees that source and dest of all members are valid; the vectors and
    // elements are parts of them.
    unsafe {
        while i + 3 * lanes < end {
            fold.vectors::<4, 8>(i, lanes);
            i += 4 * lanes;
        }
        while i < end {
            fold.vectors::<1, 2>(i, lanes);
            i += lanes;
        }
        let rest = vectors * 16 / width;
        let (first, end) = share(bytes / width - rest);
        let mut i = first + lane;
        while i < end {
            let at = (rest + i) * width;
            fold.through::<1>(|from| [load(from.add(at), width)], |to, [word]| store(to.add(at), width, *word));
            i += lanes;
        }
    }
    collective_sync(team);
}

#[inline(always)]
pub(crate) unsafe fn copy(
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    step: usize,
    at: usize,
    root: u32,
) {
    if arch::far() {
        return;
    }
    collective_sync(team);
    if root != u32::MAX && root != team.my_pe {
        // This member has nothing to copy.
    } else if (dst.address() | src.address() | at as u64 | bytes as u64 | step as u64).is_multiple_of(16) {
        // SAFETY: whoever launches the kernel guarantees that source and dest of all members are valid.
        unsafe { spread(team, dst.add(at), src, (bytes / 16, step)) };
    } else {
        let (vectors, blocks, block) = (bytes.div_ceil(16), grid_dim_x(), block_idx_x());
        let (first, end) = share(vectors, block, blocks);
        let (first, end) = (first * 16, if end == vectors { bytes } else { end * 16 });
        each_member(team, |j| {
            let from = src.add(j as usize * step + first);
            // SAFETY: whoever launches the kernel guarantees that source and dest of all members are valid; this is a
            // part of them.
            unsafe { Wide(Block).put_nbi(dst.add(at + first), from, end - first, team.pe(j)) };
        });
    }
    collective_sync(team);
}

/// Calls `each` with all members, starting after this one, so that not all members access the same one.
#[inline(always)]
fn each_member(team: DeviceTeam, mut each: impl FnMut(u32)) {
    let mut k = 1;
    while k <= team.n_pes {
        let j = team.my_pe + k;
        each(if j < team.n_pes { j } else { j - team.n_pes });
        k += 1;
    }
}

/// Copies vectors to each member; those for member `j` start at `j * step` bytes. If all members get the same vectors,
/// these are loaded once. The member's own part is copied along with the others, so that the links do not wait for it.
///
/// # Safety
/// All are valid, and aligned to 16 bytes.
#[inline(always)]
unsafe fn spread(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, (vectors, step): (usize, usize)) {
    const TOGETHER: usize = 4;
    let (mut i, lanes) = lane();
    while i < vectors {
        // Vectors beyond the end are skipped.
        let here = |k: usize| i + k * lanes < vectors;
        let load = |j: u32| -> [[u64; 2]; TOGETHER] {
            let from = src.add(j as usize * step);
            // SAFETY: the caller guarantees what this requires of the vectors.
            let one = |k: usize| unsafe { arch::ld_stream_v2_u64(from.add(16 * (i + k * lanes)).cast().raw()) };
            core::array::from_fn(|k| if here(k) { one(k) } else { [0; 2] })
        };
        let mut all = if step == 0 { load(0) } else { [[0; 2]; TOGETHER] };
        each_member(team, |j| {
            if step != 0 {
                all = load(j);
            }
            let to = of_member(team, dst, j);
            let mut k = 0;
            while k < TOGETHER {
                if here(k) {
                    // SAFETY: the caller guarantees what this requires of the vectors.
                    unsafe { arch::st_stream_v2_u64(to.add(16 * (i + k * lanes)).cast().raw(), all[k]) };
                }
                k += 1;
            }
        });
        i += TOGETHER * lanes;
    }
}

#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe fn strided(
    team: DeviceTeam,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    size: usize,
    elements: usize,
    dst_stride: usize,
    src_stride: usize,
) {
    if arch::far() {
        return;
    }
    collective_sync(team);
    let (mut i, lanes) = lane();
    while i < elements * team.n_pes as usize {
        let (j, element) = (i / elements, i % elements);
        let to = (team.my_pe as usize * elements + element) * dst_stride * size;
        // SAFETY: whoever launches the kernel guarantees that source and dest of all members are valid; this is an
        // element of them.
        unsafe { Thread.put_nbi(dst.add(to), src.add(i * src_stride * size), size, team.pe(j as u32)) };
        i += lanes;
    }
    collective_sync(team);
}

/// The inboxes of a team, in one collective.
struct Inboxes {
    team: DeviceTeam,
    number: u64,
    /// The flag, in the upper half of a word.
    flag: u64,
    /// This member's inbox: the half for this collective.
    half: DevPtr<u8>,
    /// Bytes of each sender's part.
    part: usize,
    limit_ns: u64,
}

/// Polls before the clock is read for the first time: some milliseconds.
const LOOKS_WITHOUT_CLOCK: u32 = 4096;
/// Polls between two readings of the clock.
const LOOKS: u32 = 256;

impl Inboxes {
    #[inline(always)]
    fn passed(team: DeviceTeam) -> DevPtr<u64> {
        DevPtr::from_address(collective_area() + CollectiveArea::passed(team.slot) as u64)
    }

    #[inline(always)]
    fn enter(team: DeviceTeam) -> Self {
        // SAFETY: a word of the library's own.
        let counted = unsafe { arch::ld_relaxed_sys_u64(Self::passed(team).raw()) };
        let number = inbox::number(counted, COLLECTIVE_BLOCKS);
        let (first, bytes) = CollectiveArea::inbox(team.slot);
        let half = |number| collective_area() + first as u64 + inbox::half(number) * (bytes as u64 / 2);
        // The first block sends a word in each collective, so nobody goes on before it has cleared.
        if inbox::clears(number) && block_idx_x() == 0 {
            // SAFETY: half of this member's inbox, which nobody needs any more; all lanes of the block are here,
            // because they have read the same number.
            unsafe { clear(DevPtr::from_address(half(number - 1)), bytes / 2) };
        }
        let half = half(number);
        let part = CollectiveArea::short_bytes(team.slot, team.n_pes) * 2;
        let limit_ns = wait_limit_ns();
        let flag = inbox::flag(number);
        Self { team, number, flag, half: DevPtr::from_address(half), part, limit_ns }
    }

    /// Counts the collective, once all lanes of the block know its number.
    #[inline(always)]
    fn leave(&self) {
        syncthreads();
        if thread_idx_x() == 0 {
            let share = inbox::share(COLLECTIVE_BLOCKS, grid_dim_x());
            // SAFETY: a word of the library's own.
            unsafe { arch::red_add_relaxed_sys_u64(Self::passed(self.team).raw(), share) };
        }
    }

    #[inline(always)]
    fn send(&self, member: u32, i: usize, word: u64) {
        let to = self.half.add(self.team.my_pe as usize * self.part + i * 16);
        let words = inbox::encode(word, self.flag);
        // SAFETY: this member's part of that inbox, which has room for as many words as are sent.
        unsafe { arch::st_relaxed_sys_v2_u64(of_member(self.team, to, member).cast().raw(), words) };
    }

    #[inline(always)]
    fn receive(&self, member: u32, i: usize) -> u64 {
        let from = self.half.add(member as usize * self.part + i * 16).cast::<[u64; 2]>();
        let mut looks = 0u32;
        while looks < LOOKS_WITHOUT_CLOCK {
            // SAFETY: a part of this member's inbox, which has room for as many words as are sent.
            if let Some(word) = unsafe { part(from, self.flag) } {
                return word;
            }
            arch::pause();
            looks += 1;
        }
        // SAFETY: the part that was polled before.
        unsafe { receive_late(from, self.flag, self.team.pe(member), self.number, self.limit_ns) }
    }
}

/// Clears a half of this member's inbox, before what this block sends next. It is a call, because it is rare.
///
/// # Safety
/// The half has this many bytes. All lanes of the block call it.
#[cold]
#[inline(never)]
unsafe fn clear(half: DevPtr<u8>, bytes: usize) {
    let mut at = 16 * thread_idx_x() as usize;
    while at < bytes {
        // SAFETY: a part of the half, whose length is a multiple of 16.
        unsafe { arch::st_relaxed_sys_v2_u64(half.add(at).cast().raw(), [0; 2]) };
        at += 16 * block_dim_x() as usize;
    }
    syncthreads();
    // The members that receive what this lane sends next write there afterwards, in later kernels.
    arch::fence_acq_rel_sys();
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

/// The rest of a long wait; the host can read for which PE this lane waits. It is a call with little to remember,
/// because kernels would otherwise need more registers for it.
///
/// # Safety
/// The conditions of [`part`].
#[cold]
#[inline(never)]
unsafe fn receive_late(from: DevPtr<[u64; 2]>, flag: u64, pe: u32, number: u64, limit_ns: u64) -> u64 {
    let (start, mut looks, mut reported, mut late) = (arch::globaltimer(), 0u32, false, false);
    loop {
        // SAFETY: the caller guarantees what [`part`] requires.
        if let Some(word) = unsafe { part(from, flag) } {
            if reported {
                collective_goes_on();
            }
            return word;
        }
        // After a look, so that a lane which was stopped for a while does not miss what has arrived.
        if late {
            collective_late(pe, number, limit_ns);
        }
        if looks.is_multiple_of(LOOKS) {
            reported = collective_waits(reported, from.address(), pe, number);
            late = arch::globaltimer().wrapping_sub(start) > limit_ns;
        }
        arch::pause();
        looks = looks.wrapping_add(1);
    }
}

/// The size of the largest word in which a piece of up to 8 bytes can be loaded and stored.
#[inline(always)]
fn unit(at: DevPtr<u8>, bytes: usize) -> usize {
    1 << (at.address() as usize | bytes | 8).trailing_zeros()
}

/// Loads up to 8 bytes.
///
/// # Safety
/// They are valid.
#[inline(always)]
unsafe fn load_piece(from: DevPtr<u8>, bytes: usize) -> u64 {
    let (unit, mut word, mut k) = (unit(from, bytes), 0, 0);
    while k < bytes {
        // SAFETY: the caller guarantees that the bytes are valid; start and length are multiples of the unit.
        word |= unsafe { load(from.add(k), unit) } << (8 * k);
        k += unit;
    }
    word
}

/// # Safety
/// They are valid.
#[inline(always)]
unsafe fn store_piece(to: DevPtr<u8>, bytes: usize, word: u64) {
    let (unit, mut k) = (unit(to, bytes), 0);
    while k < bytes {
        // SAFETY: the caller guarantees that the bytes are valid; start and length are multiples of the unit.
        unsafe { store(to.add(k), unit, word >> (8 * k)) };
        k += unit;
    }
}

/// Calls `each` with this lane's pieces: the piece's number and its bytes.
#[inline(always)]
fn pieces(bytes: usize, each: impl Fn(usize, usize)) {
    let (mut i, lanes) = lane();
    while i * 8 < bytes {
        each(i, if bytes - i * 8 < 8 { bytes - i * 8 } else { 8 });
        i += lanes;
    }
}

#[inline(always)]
pub(crate) unsafe fn reduce_short(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, code: u32) {
    if arch::far() {
        return;
    }
    let inboxes = Inboxes::enter(team);
    pieces(bytes, |i, bytes| {
        // SAFETY: whoever launches the kernel guarantees that source and dest are valid; this is a part of them.
        let own = unsafe { load_piece(src.add(i * 8), bytes) };
        let mut j = 0;
        while j < team.n_pes {
            if j != team.my_pe {
                inboxes.send(j, i, own);
            }
            j += 1;
        }
        let (mut all, mut j) = ([0], 0);
        while j < team.n_pes {
            let theirs = if j == team.my_pe { own } else { inboxes.receive(j, i) };
            if j == 0 {
                all = [theirs];
            } else {
                combine(code, &mut all, [theirs]);
            }
            j += 1;
        }
        // SAFETY: whoever launches the kernel guarantees that dest is valid; this is a part of it.
        unsafe { store_piece(dst.add(i * 8), bytes, all[0]) };
    });
    inboxes.leave();
}

#[inline(always)]
pub(crate) unsafe fn copy_short(team: DeviceTeam, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, step: usize) {
    if arch::far() {
        return;
    }
    let inboxes = Inboxes::enter(team);
    pieces(bytes, |i, length| {
        each_member(team, |j| {
            // SAFETY: whoever launches the kernel guarantees that source and dest are valid; this is a part of them.
            let own = unsafe { load_piece(src.add(j as usize * step + i * 8), length) };
            if j != team.my_pe {
                inboxes.send(j, i, own);
            } else {
                // SAFETY: whoever launches the kernel guarantees that dest is valid; this is this member's own part.
                unsafe { store_piece(dst.add(j as usize * bytes + i * 8), length, own) };
            }
        });
        let mut j = 0;
        while j < team.n_pes {
            if j != team.my_pe {
                let theirs = inboxes.receive(j, i);
                // SAFETY: whoever launches the kernel guarantees that dest is valid; this is another PE's part.
                unsafe { store_piece(dst.add(j as usize * bytes + i * 8), length, theirs) };
            }
            j += 1;
        }
    });
    inboxes.leave();
}

//! Collectives that kernels carry out (OpenSHMEM 1.6, 9.9).

use crate::collective::{self, Number, Operation, Sum, Unequal, typed};
use crate::command::Ring;
use crate::fail::fail;
use crate::peer::{is_symmetric, refuse};
use crate::recorded::{Begun, NO_PE};
use crate::scope::Group;
use crate::team::not_in_team;
use crate::{Ctx, DevPtr, DeviceTeam, Need, arch, my_pe};
use cushmem_abi::{
    CollectiveArea, CollectiveCommand, CollectiveKind, CommandHead, CommandKind, ErrorCode, Folding, KernelOperation,
    Rows,
};

/// Collectives by all lanes of a [`Scope`](crate::Scope) or of a [`Grid`](crate::Grid).
///
/// All members of a team call the same collectives, in the same order, each with one scope at a time, of the same kind
/// and size and with the same arguments. Source and dest are symmetric memory of this PE, on the GPU or the host, and
/// aligned for their elements. What the lanes of the scope stored in the source before is what the members get, and on
/// return all lanes of the scope may read the dest and write the source. No other member writes to the dest before this
/// one has called the collective. All lanes of the scope meet in a collective, as in
/// [`Scope::sync`](crate::Scope::sync): what any of them stored before, each of them may read afterwards. A collective
/// orders and completes nothing else: after puts of other data, call [`Scope::barrier_all`](crate::Scope::barrier_all)
/// or [`Scope::team_barrier`](crate::Scope::team_barrier). Kernels, streams and the CPU may carry out collectives of
/// one team in turn, but not at the same time.
///
/// A kernel with a collective by a block or a warp takes up to 64 registers, more with its own work or with several
/// collectives, and one by a grid up to 128. If it is to run with more than 512 lanes in a block, its crate's manifest
/// says so: `launch-bounds = { KERNEL = [1024, 1] }`. With few lanes, [`Wide`](crate::Wide) is faster, and takes up to
/// 102 registers.
///
/// ```
/// use cushmem_device::{Block, Collective, DevPtr, DeviceTeam, Max, Scope, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Divides `n` numbers by the largest one of all members of `team`; `largest` has room for one.
///     pub unsafe fn scale(team: DeviceTeam, numbers: DevPtr<f32>, n: usize, largest: DevPtr<f32>) {
///         if Block.lane() == 0 {
///             let mut found = f32::NEG_INFINITY;
///             for i in 0..n {
///                 found = f32::max(found, numbers.add(i).read());
///             }
///             largest.write(found);
///         }
///         Block.reduce(team, Max, largest, largest, 1);
///         let mut i = Block.lane();
///         while i < n {
///             numbers.add(i).write(numbers.add(i).read() / largest.read());
///             i += Block.lanes();
///         }
///     }
/// }
/// ```
pub trait Collective: Group {
    /// Copies `n` elements of the member with the number `root` to the dest of all members, its own included
    /// (`shmem_broadcast`, 9.9.5). Source and dest may be the same.
    ///
    /// # Safety
    /// `dst` and, on the root, `src` are valid for `n` elements, and no other lane or PE accesses them until
    /// it returns. `root` is less than the number of members.
    #[inline(always)]
    unsafe fn broadcast<T: Copy>(self, team: DeviceTeam, dst: DevPtr<T>, src: DevPtr<T>, n: usize, root: u32) {
        let ([pes, numbers, slot], bytes) = (team.to_words(), n * size_of::<T>());
        if root >= team.n_pes {
            not_in_team(root, team.slot, team.n_pes);
        }
        let from = Begun::of(self.of_block());
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe {
            match way(self, team, (dst, src), bytes) {
                Way::None => {}
                Way::Far => {
                    by_cpu(self, dst, src, bytes, asked::<u8>(CollectiveKind::Broadcast, 0, team, root, [0; 2]))
                }
                Way::Short => broadcast_short(self, pes, numbers, slot, dst.cast(), src.cast(), bytes, root),
                Way::Long => copy(self, pes, numbers, slot, dst.cast(), src.cast(), bytes, 0, 0, root),
            }
        }
        from.end(KernelOperation::Collective, NO_PE, bytes, 0);
    }

    /// Copies `n` elements of each member to block `i` of the dest of all members, where `i` is the member's number
    /// (`shmem_fcollect`, 9.9.6).
    ///
    /// # Safety
    /// `src` is valid for `n` elements, and `dst` for `n` elements of each member; they do not overlap. No
    /// other lane or PE accesses them until it returns.
    #[inline(always)]
    unsafe fn fcollect<T: Copy>(self, team: DeviceTeam, dst: DevPtr<T>, src: DevPtr<T>, n: usize) {
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe { exchange(self, team, dst, src, n, false) }
    }

    /// Copies block `j` of `n` elements of each member's source to member `j`, where it becomes block `i` of the dest,
    /// for the member with the number `i` (`shmem_alltoall`, 9.9.7).
    ///
    /// # Safety
    /// `dst` and `src` are valid for `n` elements of each member; they do not overlap. No other lane or PE
    /// accesses them until it returns.
    #[inline(always)]
    unsafe fn alltoall<T: Copy>(self, team: DeviceTeam, dst: DevPtr<T>, src: DevPtr<T>, n: usize) {
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe { exchange(self, team, dst, src, n, true) }
    }

    /// Copies like [`Collective::alltoall`], with elements that lie `src_stride` elements apart in the source and
    /// `dst_stride` elements in the dest (`shmem_alltoalls`, 9.9.8). An element has at most 65,535 bytes.
    ///
    /// # Safety
    /// `dst` and `src` are valid for `n` elements of each member with these strides, which are at least 1; they do not
    /// overlap. No other lane or PE accesses them until it returns.
    #[inline(always)]
    unsafe fn alltoalls<T: Copy>(
        self,
        team: DeviceTeam,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        dst_stride: usize,
        src_stride: usize,
        n: usize,
    ) {
        let [pes, numbers, slot] = team.to_words();
        let from = Begun::of(self.of_block());
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe {
            match way_of_long(self, (dst, src), n) {
                Way::Far => {
                    let strides = [dst_stride, src_stride].map(|stride| if stride > MOST { 0 } else { stride as u32 });
                    by_cpu(self, dst, src, n, asked::<T>(CollectiveKind::Alltoalls, 0, team, 0, strides));
                }
                Way::Long => strided(self, pes, numbers, slot, dst, src, n, dst_stride, src_stride),
                Way::None | Way::Short => {}
            }
        }
        from.end(KernelOperation::Collective, NO_PE, n * size_of::<T>(), 0);
    }

    /// Copies rows of `width` elements: to each member as many as this one wants, which is known only now. OpenSHMEM
    /// 1.6 has no such routine. Source and dest have room for any number of rows; `room` is how many the dest has room
    /// for, and the same on all members, as `width` is.
    ///
    /// The *splits* of source and dest are symmetric memory too, of two numbers for each member of the team. Those of
    /// the source say how many rows this member sends to each member, and then where these start in the source, in
    /// rows. Those of the dest are written: how many rows each member has sent, and then where they start in the dest,
    /// in which they follow each other in the members' order. If the rows for a member do not fit into its dest, the
    /// kernels of all members end with a message that says how many they are; nothing is written behind the end.
    ///
    /// The team has at most 32 members, or 181 if it is the team of all PEs, unless the CPU carries the exchange out.
    ///
    /// ```
    /// use cushmem_device::{Block, Collective, DevPtr, DeviceTeam, Scope, kernels};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Sends each of this PE's tokens to the member that has its expert. They are sorted by member, and
    ///     /// `splits` has four numbers for each member, the first of which are how many tokens it gets.
    ///     pub unsafe fn dispatch(
    ///         team: DeviceTeam, received: DevPtr<f32>, tokens: DevPtr<f32>, splits: DevPtr<u64>, room: usize, width: usize
    ///     ) {
    ///         let (members, mut start) = (team.n_pes as usize, 0);
    ///         if Block.lane() == 0 {
    ///             for member in 0..members {
    ///                 splits.add(members + member).write(start);
    ///                 start += splits.add(member).read();
    ///             }
    ///         }
    ///         Block.alltoallv(team, (received, tokens), (splits.add(2 * members), splits), room, width);
    ///         // The third numbers are now how many tokens each member has sent.
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The splits are valid for two words of each member of the team, `src` for the rows that they name, and `dst` for
    /// `room` rows. None of them overlap. No other lane or PE accesses them until it returns.
    #[inline(always)]
    unsafe fn alltoallv<T: Copy>(
        self,
        team: DeviceTeam,
        (dst, src): (DevPtr<T>, DevPtr<T>),
        (dst_splits, src_splits): (DevPtr<u64>, DevPtr<u64>),
        room: usize,
        width: usize,
    ) {
        let ([pes, numbers, slot], row) = (team.to_words(), width * size_of::<T>());
        let from = Begun::of(self.of_block());
        // SAFETY: the caller guarantees what this requires of source, dest and splits.
        unsafe {
            way_of_long(self, (dst_splits, src_splits), 1);
            match way_of_long(self, (dst, src), 1) {
                Way::Far => {
                    let room = if room as u64 > Rows::MOST { Rows::MOST } else { room as u64 };
                    let row = if row > MOST { 0 } else { row as u32 };
                    let rows = Rows { row, room, dest_splits: dst_splits.address() };
                    let what = CollectiveCommand::of_rows(team.slot, rows).to_words();
                    by_cpu(self, dst, src, src_splits.address() as usize, what);
                }
                Way::Long => {
                    unequal(self, pes, numbers, slot, dst.cast(), src.cast(), dst_splits, src_splits, room, row)
                }
                Way::None | Way::Short => {}
            }
        }
        from.end(KernelOperation::Collective, NO_PE, 0, 0);
    }

    /// Combines `n` elements of all members by `operation`; all members get the result, bitwise the same
    /// (`shmem_sum_reduce` and the like, 9.9.9). Source and dest may be the same.
    ///
    /// # Safety
    /// `dst` and `src` are valid for `n` elements, the same or without common elements. No other lane or PE accesses
    /// them until it returns.
    #[inline(always)]
    unsafe fn reduce<T: Number, O: Operation<T>>(
        self,
        team: DeviceTeam,
        operation: O,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
    ) {
        let ([pes, numbers, slot], _) = (team.to_words(), operation);
        let from = Begun::of(self.of_block());
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe {
            match way(self, team, (dst, src), n * size_of::<T>()) {
                Way::None => {}
                Way::Far => {
                    let code = O::COMBINE.code(T::NUMBER);
                    by_cpu(self, dst, src, n, asked::<T>(CollectiveKind::Reduce, code, team, 0, [0; 2]));
                }
                Way::Short => reduce_short::<_, T, O>(self, pes, numbers, slot, dst, src, n),
                Way::Long => fold::<_, T, O, REDUCE>(self, pes, numbers, slot, dst, src, n),
            }
        }
        from.end(KernelOperation::Collective, NO_PE, n * size_of::<T>(), 0);
    }

    /// Combines blocks of `n` elements by `operation`: the member with the number `i` gets the combination of all
    /// members' block `i` (`shmem_sum_reducescatter` and the like).
    ///
    /// # Safety
    /// `src` is valid for `n` elements of each member and `dst` for `n` elements, which may be this member's block of
    /// `src` but otherwise have no element in common with it. No other lane or PE accesses them until it returns.
    #[inline(always)]
    unsafe fn reducescatter<T: Number, O: Operation<T>>(
        self,
        team: DeviceTeam,
        operation: O,
        dst: DevPtr<T>,
        src: DevPtr<T>,
        n: usize,
    ) {
        let _ = operation;
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe { folding::<_, T, O, SCATTER>(self, team, dst, src, n) }
    }

    /// Adds up elements of the members up to and including this one (`shmem_sum_inscan`, 9.9.10). Source and dest may
    /// be the same.
    ///
    /// # Safety
    /// The conditions of [`Collective::reduce`].
    #[inline(always)]
    unsafe fn sum_inscan<T: Number>(self, team: DeviceTeam, dst: DevPtr<T>, src: DevPtr<T>, n: usize)
    where
        Sum: Operation<T>,
    {
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe { folding::<_, T, Sum, INSCAN>(self, team, dst, src, n) }
    }

    /// Adds up elements of the members before this one (`shmem_sum_exscan`, 9.9.10); the first member gets zeros.
    /// Source and dest may be the same.
    ///
    /// # Safety
    /// The conditions of [`Collective::reduce`].
    #[inline(always)]
    unsafe fn sum_exscan<T: Number>(self, team: DeviceTeam, dst: DevPtr<T>, src: DevPtr<T>, n: usize)
    where
        Sum: Operation<T>,
    {
        // SAFETY: the caller guarantees what this requires of source and dest.
        unsafe { folding::<_, T, Sum, EXSCAN>(self, team, dst, src, n) }
    }
}

impl<G: Group> Collective for G {}

const REDUCE: u32 = Folding::Reduce as u32;
const INSCAN: u32 = Folding::Inscan as u32;
const EXSCAN: u32 = Folding::Exscan as u32;
const SCATTER: u32 = Folding::Scatter as u32;

/// The collective in which this [`Folding`] is.
const fn kind_of(folding: u32) -> CollectiveKind {
    match folding {
        INSCAN => CollectiveKind::Inscan,
        EXSCAN => CollectiveKind::Exscan,
        SCATTER => CollectiveKind::ReduceScatter,
        _ => CollectiveKind::Reduce,
    }
}

/// How the members of a team carry out a collective in which each sends so many bytes to each.
pub(crate) enum Way {
    None,
    Short,
    Long,
    /// By the CPU, because not all PEs of the job are mapped.
    Far,
}

/// The most words that a lane sends one after the other in a short collective; beyond that, meetings take less time.
const WORDS_OF_LANE: usize = 16;

/// Finds the way. All members find the same one, because their scopes have the same size.
#[inline(always)]
pub(crate) fn way<G: Group, T>(group: G, team: DeviceTeam, ends: (DevPtr<T>, DevPtr<T>), bytes: usize) -> Way {
    let long = way_of_long(group, ends, bytes);
    let is_short = bytes <= group.lanes() * 8 * WORDS_OF_LANE
        && team.n_pes > 1
        && CollectiveArea::is_short(team.slot, team.n_pes, bytes);
    if matches!(long, Way::Long) && is_short { Way::Short } else { long }
}

/// The way of a collective that has no short form. Ends the kernel with a message if the memory is not symmetric.
#[inline(always)]
fn way_of_long<G: Group, T>(group: G, (dst, src): (DevPtr<T>, DevPtr<T>), n: usize) -> Way {
    if n == 0 {
        group.sync();
        return Way::None;
    }
    if !is_symmetric(dst.address()) {
        refuse(dst.address(), my_pe(), Need::LoadStore);
    }
    if !is_symmetric(src.address()) {
        refuse(src.address(), my_pe(), Need::LoadStore);
    }
    if arch::far() { Way::Far } else { Way::Long }
}

/// A [`Folding`] that has no short form.
///
/// # Safety
/// The conditions of the collective in which it is.
#[inline(always)]
unsafe fn folding<G: Group, T: Number, O: Operation<T>, const FOLDING: u32>(
    group: G,
    team: DeviceTeam,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    n: usize,
) {
    let [pes, numbers, slot] = team.to_words();
    let from = Begun::of(group.of_block());
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe {
        match way_of_long(group, (dst, src), n) {
            Way::Far => {
                let (kind, code) = (const { kind_of(FOLDING) }, O::COMBINE.code(T::NUMBER));
                by_cpu(group, dst, src, n, asked::<T>(kind, code, team, 0, [0; 2]));
            }
            Way::Long => fold::<_, T, O, FOLDING>(group, pes, numbers, slot, dst, src, n),
            Way::None | Way::Short => {}
        }
    }
    from.end(KernelOperation::Collective, NO_PE, n * size_of::<T>(), 0);
}

/// # Safety
/// `n` elements for each member are valid in dest, and as many in the source, or `n` in all if all members get
/// the same.
#[inline(always)]
unsafe fn exchange<G: Group, T: Copy>(
    group: G,
    team: DeviceTeam,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    n: usize,
    differ: bool,
) {
    let ([pes, numbers, slot], bytes) = (team.to_words(), n * size_of::<T>());
    let step = if differ { bytes } else { 0 };
    let from = Begun::of(group.of_block());
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe {
        match way(group, team, (dst, src), bytes) {
            Way::None => {}
            Way::Far => {
                let kind = if differ { CollectiveKind::Alltoall } else { CollectiveKind::Fcollect };
                by_cpu(group, dst, src, bytes, asked::<u8>(kind, 0, team, 0, [0; 2]));
            }
            Way::Short => copy_short(group, pes, numbers, slot, dst.cast(), src.cast(), bytes, step),
            Way::Long => {
                let at = team.my_pe as usize * bytes;
                copy(group, pes, numbers, slot, dst.cast(), src.cast(), bytes, step, at, u32::MAX);
            }
        }
    }
    from.end(KernelOperation::Collective, NO_PE, bytes, 0);
}

/// The largest stride that a command holds; the CPU refuses 0, which stands for a larger one.
const MOST: usize = u32::MAX as usize;

/// What the CPU is asked for, in words, for elements of type `T`: bytes, if it only copies blocks.
#[inline(always)]
fn asked<T>(kind: CollectiveKind, code: u32, team: DeviceTeam, root: u32, strides: [u32; 2]) -> [u64; 3] {
    let width = const {
        assert!(size_of::<T>() <= u16::MAX as usize, "an element has at most 65,535 bytes");
        size_of::<T>() as u16
    };
    CollectiveCommand { kind, code, width, slot: team.slot, root, strides }.to_words()
}

/// Has the CPU carry out a collective, when all lanes are here.
#[inline(always)]
pub(crate) fn by_cpu<G: Group, T>(group: G, dst: DevPtr<T>, src: DevPtr<T>, n: usize, [what, team, strides]: [u64; 3]) {
    group.sync();
    if group.lane() == 0 {
        // The fence of this quiet orders what all lanes stored before the command, so that the CPU reads it.
        Ctx::DEFAULT.quiet_plain();
        ask_for_collective(dst, src, n, what, team, strides);
    }
    group.sync();
}

#[cold]
#[inline(never)]
fn ask_for_collective<T>(dst: DevPtr<T>, src: DevPtr<T>, n: usize, what: u64, team: u64, strides: u64) {
    if arch::context_ring() == 0 {
        fail(ErrorCode::NoProxy, my_pe(), 0, 0);
    }
    let ring = Ring::new(Some(team & u64::from(u32::MAX)));
    let head = CommandHead { kind: CommandKind::Collective.number(), width: 0, context: 0, pe: 0 }.bits();
    let (_, reply) = ring.send_more(head, [dst.address(), src.address(), n as u64], [what, team, strides], true);
    ring.answer(reply);
    // SYNC(command-reply) fence: pairs with the release of the reply on the CPU; what the other members sent comes
    // before it.
    arch::fence_acq_rel_sys();
}

// The collectives are calls: their loops would otherwise take registers of the kernel, and of each other, for addresses
// that the compiler computes beforehand. The team comes as words, because a structure would be passed in local memory.

/// # Safety
/// The conditions of [`Collective::broadcast`].
#[inline(never)]
#[allow(clippy::too_many_arguments)]
unsafe fn broadcast_short<G: Group>(
    group: G,
    pes: u64,
    numbers: u64,
    slot: u64,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    root: u32,
) {
    let team = DeviceTeam::of_words([pes, numbers, slot]);
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe { collective::broadcast_short(group, team, (dst, src), bytes, root) }
}

/// # Safety
/// The conditions of [`collective::copy_short`].
#[inline(never)]
#[allow(clippy::too_many_arguments)]
unsafe fn copy_short<G: Group>(
    group: G,
    pes: u64,
    numbers: u64,
    slot: u64,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    step: usize,
) {
    let team = DeviceTeam::of_words([pes, numbers, slot]);
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe { collective::copy_short(group, team, (dst, src), (bytes, step)) }
}

/// # Safety
/// The conditions of [`collective::copy`].
#[inline(never)]
#[allow(clippy::too_many_arguments)]
unsafe fn copy<G: Group>(
    group: G,
    pes: u64,
    numbers: u64,
    slot: u64,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    step: usize,
    at: usize,
    root: u32,
) {
    let team = DeviceTeam::of_words([pes, numbers, slot]);
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe { collective::copy(group, team, (dst, src), (bytes, step, at), root) }
}

/// # Safety
/// The conditions of [`Collective::alltoalls`].
#[inline(never)]
#[allow(clippy::too_many_arguments)]
unsafe fn strided<G: Group, T: Copy>(
    group: G,
    pes: u64,
    numbers: u64,
    slot: u64,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    n: usize,
    dst_stride: usize,
    src_stride: usize,
) {
    let team = DeviceTeam::of_words([pes, numbers, slot]);
    let (ends, strides) = ((dst.cast(), src.cast()), (dst_stride, src_stride));
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe { collective::strided(group, team, ends, (n, size_of::<T>()), strides) }
}

/// # Safety
/// The conditions of [`Collective::alltoallv`].
#[inline(never)]
#[allow(clippy::too_many_arguments)]
unsafe fn unequal<G: Group>(
    group: G,
    pes: u64,
    numbers: u64,
    slot: u64,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    dst_splits: DevPtr<u64>,
    src_splits: DevPtr<u64>,
    room: usize,
    row: usize,
) {
    let team = DeviceTeam::of_words([pes, numbers, slot]);
    let what = Unequal { dst_splits, src_splits, room, given: usize::MAX, row };
    // SAFETY: the caller guarantees what this requires of source, dest and splits.
    unsafe { collective::unequal(group, team, (dst, src), what) }
}

/// # Safety
/// The conditions of [`Collective::reduce`].
#[inline(never)]
unsafe fn reduce_short<G: Group, T: Number, O: Operation<T>>(
    group: G,
    pes: u64,
    numbers: u64,
    slot: u64,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    n: usize,
) {
    let team = DeviceTeam::of_words([pes, numbers, slot]);
    let (ends, bytes) = ((dst.cast(), src.cast()), n * size_of::<T>());
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe { collective::reduce_short(group, team, ends, bytes, typed::<T, O>()) }
}

/// # Safety
/// The conditions of [`Collective::reduce`] or [`Collective::reducescatter`].
#[inline(never)]
unsafe fn fold<G: Group, T: Number, O: Operation<T>, const FOLDING: u32>(
    group: G,
    pes: u64,
    numbers: u64,
    slot: u64,
    dst: DevPtr<T>,
    src: DevPtr<T>,
    n: usize,
) {
    let (team, width) = (DeviceTeam::of_words([pes, numbers, slot]), size_of::<T>());
    // SAFETY: the caller guarantees what this requires of source and dest.
    unsafe { collective::fold(group, team, (dst.cast(), src.cast()), (n * width, width), typed::<T, O>(), FOLDING) }
}

//! Operations by lanes whose scope is a value, for kernels in CUDA C++: one body serves threads,
//! warps and blocks there.

pub use crate::sync::block_of_grid;
pub use crate::wait_many::{Either, Want, test_many, wait_many};

use crate::collective::Crew;
use crate::{Block, DevPtr, DeviceTeam, Scope, Thread, Warp, collectives, strided, sync, team};
use cushmem_abi::CollectiveCommand;

/// The lanes of a thread, a warp or a block. Its bits say which of these it is, how many lanes there are, and which of
/// them this one is, so that it takes one register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Any(u32);

const LANE_BITS: u32 = 14;
const LANES: u32 = (1 << LANE_BITS) - 1;

impl Any {
    /// The scope with these bits.
    #[inline(always)]
    pub const fn of_bits(bits: u32) -> Self {
        Self(bits)
    }
    #[inline(always)]
    fn of<S: Scope>(scope: S, kind: u32) -> Self {
        Self(kind << (2 * LANE_BITS) | (scope.lanes() as u32) << LANE_BITS | scope.lane() as u32)
    }
    #[inline(always)]
    const fn kind(self) -> u32 {
        self.0 >> (2 * LANE_BITS)
    }
}

/// The scopes, in bits of [`Any`].
#[inline(always)]
pub fn thread() -> u32 {
    Any::of(Thread, THREAD).0
}
/// This lane's warp.
#[inline(always)]
pub fn warp() -> u32 {
    Any::of(Warp, WARP).0
}
/// This lane's block.
#[inline(always)]
pub fn block() -> u32 {
    Any::of(Block, WARP + 1).0
}

const THREAD: u32 = 0;
const WARP: u32 = 1;

impl Scope for Any {
    const UNROLL: usize = <Block as Scope>::UNROLL;
    #[inline(always)]
    fn lane(self) -> usize {
        (self.0 & LANES) as usize
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        (self.0 >> LANE_BITS & LANES) as usize
    }
    #[inline(always)]
    fn sync(self) {
        match self.kind() {
            THREAD => {}
            WARP => Warp.sync(),
            _ => Block.sync(),
        }
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        match self.kind() {
            THREAD => holds,
            WARP => Warp.any(holds),
            _ => Block.any(holds),
        }
    }
}

/// The lanes of a scope in a collective whose meetings are calls of their own ([`meet`]), before and after it, so that
/// the bodies of collectives do not contain them.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Apart(pub Any);

impl Crew for Apart {
    const IS_KERNEL: bool = false;
    const UNROLL: usize = <Any as Crew>::UNROLL;
    const VECTORS: usize = <Any as Crew>::VECTORS;
    type Group = Any;
    #[inline(always)]
    fn group(self) -> Any {
        self.0
    }
    #[inline(always)]
    fn groups(self) -> (u32, u32) {
        (0, 1)
    }
    #[inline(always)]
    fn meet(self, _: DeviceTeam) {}
}

/// The meeting of a collective: [`Scope::team_sync`], without the record.
///
/// # Safety
/// The conditions of [`Scope::team_sync`].
#[inline(always)]
pub unsafe fn meet(scope: Any, team: DeviceTeam) {
    sync::enter_plain::<_, _, false>(scope, team);
}

/// [`Scope::team_barrier`], without the record.
///
/// # Safety
/// The conditions of [`Scope::team_barrier`].
#[inline(always)]
pub unsafe fn barrier(scope: Any, team: DeviceTeam) {
    sync::enter_plain::<_, _, true>(scope, team);
}

/// The team in a slot. That of all PEs costs no load.
#[inline(always)]
pub fn team_of(slot: u32) -> DeviceTeam {
    if slot == 0 { team::team_world() } else { team::team(slot) }
}

/// Ends the kernel: the team in this slot has no member with this number.
#[inline(always)]
pub fn refuse_member(number: u32, slot: u32, n_pes: u32) -> ! {
    team::not_in_team(number, slot, n_pes)
}

/// Ends the kernel of PE `pe`: a strided exchange has distances below one element.
#[inline(always)]
pub fn refuse_strides(pe: u32, dst: u64, src: u64) -> ! {
    strided::refuse_strides(pe, dst, src)
}

/// How a collective with memory at `ends` is carried out: 0 if there is nothing to do, 1 if it has no meeting, and 2 if
/// it has two. `bytes` is what each member sends to each, or the largest number if the collective has no short form.
/// Waits for all lanes if there is nothing to do, and ends the kernel if the memory is not symmetric.
#[inline(always)]
pub fn way(scope: Any, team: DeviceTeam, ends: (DevPtr<u8>, DevPtr<u8>), bytes: usize) -> u32 {
    match collectives::way(scope, team, ends, bytes) {
        collectives::Way::None => 0,
        collectives::Way::Short => 1,
        // In a body for kernels in CUDA C++, the caller has asked before whether all PEs are mapped.
        collectives::Way::Long | collectives::Way::Far => 2,
    }
}

/// Has the CPU carry out a collective.
///
/// # Safety
/// The conditions of the routine of [`Collective`](crate::Collective) that has this kind, for its elements. The CPU
/// accesses the memory until this returns. All lanes of `scope` call it.
#[inline(always)]
pub unsafe fn by_cpu(scope: Any, ends: (DevPtr<u8>, DevPtr<u8>), n: usize, what: CollectiveCommand) {
    collectives::by_cpu(scope, ends.0, ends.1, n, what.to_words());
}

use crate::scope::Group;
use crate::{DeviceTeam, Lanes, Scope, arch, sync};

/// The lanes of a member that carry out a collective.
pub trait Crew: Copy {
    /// Whether they begin and end with a kernel, before and after which everything is ordered.
    const IS_KERNEL: bool;
    /// The vectors of each member that each lane has in flight in a reduction or scan: 3, 4 or 8.
    const VECTORS: usize;
    /// Those that it has in flight while it copies bytes which are not aligned, to one member: 2, 4 or 8. Where no
    /// vector is aligned on both sides, it has words in flight, at most 4.
    const UNROLL: usize;
    /// Those of them that can wait for each other.
    type Group: Group;
    /// The group of this lane.
    fn group(self) -> Self::Group;
    /// The number of this lane's group, and how many groups there are.
    fn groups(self) -> (u32, u32);
    /// Waits for the groups with this number of all members. What their lanes did before is visible to all of them.
    fn meet(self, team: DeviceTeam);

    /// The first of the elements that this lane takes: its number in the crew.
    #[inline(always)]
    fn first(self) -> usize {
        let group = self.group();
        self.groups().0 as usize * group.lanes() + group.lane()
    }
    /// How far it is from one of them to the next: the number of lanes in the crew.
    #[inline(always)]
    fn stride(self) -> usize {
        self.groups().1 as usize * self.group().lanes()
    }
}

impl<G: Group> Crew for G {
    const IS_KERNEL: bool = false;
    const VECTORS: usize = G::VECTORS;
    const UNROLL: usize = if G::VECTORS == 3 { 2 } else { G::VECTORS };
    type Group = G;
    #[inline(always)]
    fn group(self) -> G {
        self
    }
    #[inline(always)]
    fn groups(self) -> (u32, u32) {
        (0, 1)
    }
    #[inline(always)]
    fn meet(self, team: DeviceTeam) {
        sync::team_sync(self, team);
    }
}

/// All blocks of a kernel of the library, of one dimension each. Only one of these kernels runs for a team at a time.
#[derive(Clone, Copy)]
pub struct Blocks;

impl Crew for Blocks {
    const IS_KERNEL: bool = true;
    const VECTORS: usize = 4;
    const UNROLL: usize = 8;
    type Group = Lanes;
    #[inline(always)]
    fn group(self) -> Lanes {
        Lanes(arch::block_dim_x())
    }
    #[inline(always)]
    fn groups(self) -> (u32, u32) {
        (arch::block_idx_x(), arch::grid_dim_x())
    }
    #[inline(always)]
    fn meet(self, team: DeviceTeam) {
        sync::collective_sync(team);
    }
}

/// All lanes of a crew, for copies in which they do not wait for each other.
#[derive(Clone, Copy)]
pub(super) struct All<C>(pub C);

impl<C: Crew> Scope for All<C> {
    const UNROLL: usize = C::UNROLL;
    #[inline(always)]
    fn lane(self) -> usize {
        self.0.first()
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        self.0.stride()
    }
    #[inline(always)]
    fn sync(self) {}
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        holds
    }
}

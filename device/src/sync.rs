use crate::command::Ring;
use crate::fail::fail;
use crate::peer::{direct, team_at};
use crate::recorded::{Begun, NO_PE};
use crate::scope;
use crate::wait::{wait_limit_ns, wait_reported_for};
use crate::{
    AtomicNumber, Block, Cmp, Ctx, DevPtr, DeviceTeam, Need, Scope, Word, arch, my_pe, n_pes, report, team_world,
};
use core::mem::offset_of;
use cushmem_abi::{
    BarrierStep, CollectiveArea, CommandHead, CommandKind, ErrorCode, KernelOperation, SyncArea, TeamSync,
};
use cushmem_protocol::{barrier, grid};

/// Waits for all blocks of a cooperative launch. Everything that any lane did before is then visible to all lanes. All
/// lanes of all blocks call it, with the counter of the launch's stream (`Stream::grid_counter`).
///
/// ```
/// use cushmem_device::{DevPtr, block_idx_x, grid_dim_x, grid_sync, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Several blocks of one lane, of a cooperative launch. Each writes a number and reads that of the next one.
///     pub unsafe fn exchange(numbers: DevPtr<u32>, copies: DevPtr<u32>, counter: DevPtr<u32>) {
///         let (me, next) = (block_idx_x(), (block_idx_x() + 1) % grid_dim_x());
///         numbers.add(me as usize).write(10 * me);
///         grid_sync(counter);
///         copies.add(me as usize).write(numbers.add(next as usize).read());
///     }
/// }
/// ```
///
/// # Safety
/// `counter` is the counter of the stream on which the kernel was launched, and the launch is cooperative.
#[inline(always)]
pub unsafe fn grid_sync(counter: DevPtr<u32>) {
    arch::syncthreads();
    if Block.lane() == 0 {
        let (block, blocks) = block_of_grid();
        grid::enter(&Counter(counter), block, blocks);
    }
    arch::syncthreads();
}

/// The counter by which the blocks of a grid meet.
struct Counter(DevPtr<u32>);

impl grid::Counter for Counter {
    #[inline(always)]
    fn add(&self, n: u32) -> u32 {
        // SAFETY: whoever names the counter vouches for it.
        // SYNC(grid) acq_rel.gpu: pairs with the other blocks' additions and the acquire below.
        unsafe { arch::atom_add_acq_rel_gpu_u32(self.0.raw(), n) }
    }
    #[inline(always)]
    fn wait_phase_change(&self, before: u32) {
        // SAFETY: whoever names the counter vouches for it.
        // SYNC(grid) acquire.gpu: pairs with the addition that flips the phase.
        while !grid::phase_changed(before, unsafe { arch::ld_acquire_gpu_u32(self.0.raw()) }) {
            arch::pause_among_blocks();
        }
    }
}

/// The number of this block in the grid, and how many blocks there are.
#[inline(always)]
pub fn block_of_grid() -> (u64, u64) {
    let (x, y) = (u64::from(arch::grid_dim_x()), u64::from(arch::grid_dim_y()));
    let block =
        u64::from(arch::block_idx_x()) + x * (u64::from(arch::block_idx_y()) + y * u64::from(arch::block_idx_z()));
    (block, x * y * u64::from(arch::grid_dim_z()))
}

/// All lanes of all blocks of a cooperative launch, which carry out a [`Collective`](crate::Collective) together. Every
/// member of the team launches the same number of blocks, of the same size.
///
/// ```
/// use cushmem_device::{Collective, DevPtr, DeviceTeam, Grid, Sum, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// Any number of blocks, of a cooperative launch. Adds up the `n` gradients of all members of `team`, in place.
///     pub unsafe fn add_up(team: DeviceTeam, gradients: DevPtr<f32>, n: usize, counter: DevPtr<u32>) {
///         Grid::new(counter).reduce(team, Sum, gradients, gradients, n);
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grid(DevPtr<u32>);

impl Grid {
    /// The grid of this launch, with the counter of the launch's stream (`Stream::grid_counter`).
    ///
    /// # Safety
    /// `counter` is the counter of the stream on which the kernel was launched, and the launch is cooperative.
    #[inline(always)]
    pub unsafe fn new(counter: DevPtr<u32>) -> Self {
        Self(counter)
    }
}

impl scope::Group for Grid {
    const VECTORS: usize = 4;
    #[inline(always)]
    fn lane(self) -> usize {
        block_of_grid().0 as usize * Scope::lanes(Block) + Scope::lane(Block)
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        block_of_grid().1 as usize * Scope::lanes(Block)
    }
    #[inline(always)]
    fn sync(self) {
        // SAFETY: whoever made the value vouched for the counter.
        unsafe { grid_sync(self.0) }
    }
    type OfBlock = Block;
    #[inline(always)]
    fn of_block(self) -> Block {
        Block
    }
    #[inline(always)]
    fn sync_around(self, between: impl FnOnce(Block)) {
        let (counter, blocks) = (Counter(self.0), block_of_grid().1);
        arch::syncthreads();
        let is_last = Scope::lane(Block) == 0 && grid::arrive(&counter, blocks);
        if arch::syncthreads_or(is_last) {
            between(Block);
            if Scope::lane(Block) == 0 {
                grid::let_go(&counter, blocks);
            }
        }
    }
}

/// Carries out, with one lane, the barrier of a team of two PEs that reach each other, which has only one step. `here`
/// and `there` are its words on both PEs, which the CPU has looked up: looking them up takes a tenth of the time of
/// [`Scope::barrier_all`](crate::Scope::barrier_all) in a kernel of its own.
///
/// # Safety
/// `here` and `there` are those words, and `other` is the other PE. Only one scope of this PE is in a barrier of that
/// team at a time.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn meet_two(here: DevPtr<BarrierStep>, there: DevPtr<BarrierStep>, other: u32) {
    let awaited = here.byte_offset(offset_of!(BarrierStep, awaited) as isize).cast::<u64>();
    let [here, there] = [here, there].map(|at| at.byte_offset(offset_of!(BarrierStep, signals) as isize).cast::<u64>());
    // SAFETY: the caller guarantees that the words are valid.
    // SYNC(pe-barrier) fence.sys before the relaxed addition, and acquire.sys: as in `Counters`.
    unsafe {
        let target = u64::load_relaxed_sys(awaited) + 1;
        arch::fence_sc_sys();
        u64::add_relaxed_sys(there, 1);
        u64::store_relaxed_sys(awaited, target);
        let limit_ns = wait_limit_ns();
        if wait_reported_for(here, Cmp::Ge, target, limit_ns).is_none() {
            fail(ErrorCode::BarrierTimeout, other, target, limit_ns);
        }
    }
}

#[inline(always)]
pub(crate) fn barrier_all<S: scope::Group>(scope: S) {
    enter::<_, _, true>(scope, World);
}

#[inline(always)]
pub(crate) fn sync_all<S: scope::Group>(scope: S) {
    enter::<_, _, false>(scope, World);
}

#[inline(always)]
pub(crate) fn team_barrier<S: scope::Group>(scope: S, team: DeviceTeam) {
    enter::<_, _, true>(scope, team);
}

#[inline(always)]
pub(crate) fn team_sync<S: scope::Group>(scope: S, team: DeviceTeam) {
    enter::<_, _, false>(scope, team);
}

/// The PEs that take part in a barrier, with their numbers in it.
pub(crate) trait Members: Copy {
    fn n_pes(self) -> u32;
    fn my_pe(self) -> u32;
    /// The PE of the job that has this number.
    fn pe(self, number: u32) -> u32;
    /// The address of the words through which this PE synchronises with them.
    fn words(self) -> u64;
    /// The members as a team.
    fn team(self) -> DeviceTeam;
}

/// All PEs. Everything that is constant here needs no look-up.
#[derive(Clone, Copy)]
struct World;

impl Members for World {
    #[inline(always)]
    fn n_pes(self) -> u32 {
        n_pes()
    }
    #[inline(always)]
    fn my_pe(self) -> u32 {
        my_pe()
    }
    #[inline(always)]
    fn pe(self, number: u32) -> u32 {
        number
    }
    #[inline(always)]
    fn words(self) -> u64 {
        team_at(0).address()
    }
    #[inline(always)]
    fn team(self) -> DeviceTeam {
        team_world()
    }
}

impl Members for DeviceTeam {
    #[inline(always)]
    fn n_pes(self) -> u32 {
        self.n_pes
    }
    #[inline(always)]
    fn my_pe(self) -> u32 {
        self.my_pe
    }
    #[inline(always)]
    fn pe(self, number: u32) -> u32 {
        DeviceTeam::pe(self, number)
    }
    #[inline(always)]
    fn words(self) -> u64 {
        team_at(self.slot.into()).address()
    }
    #[inline(always)]
    fn team(self) -> DeviceTeam {
        self
    }
}

/// The blocks with one number, in the kernels that carry out a collective of a team.
#[derive(Clone, Copy)]
struct BlockOf {
    team: DeviceTeam,
    words: u64,
}

impl Members for BlockOf {
    #[inline(always)]
    fn n_pes(self) -> u32 {
        self.team.n_pes
    }
    #[inline(always)]
    fn my_pe(self) -> u32 {
        self.team.my_pe
    }
    #[inline(always)]
    fn pe(self, number: u32) -> u32 {
        self.team.pe(number)
    }
    #[inline(always)]
    fn words(self) -> u64 {
        self.words
    }
    #[inline(always)]
    fn team(self) -> DeviceTeam {
        self.team
    }
}

/// Synchronises like [`Scope::team_sync`](crate::Scope::team_sync) by a block, but only with the blocks that have this
/// block's number. For the library's own kernels, only one of which runs for a team at a time.
#[doc(hidden)]
#[inline(always)]
pub fn collective_sync(team: DeviceTeam) {
    let of_block = CollectiveArea::blocks(team.slot) + arch::block_idx_x() as usize * size_of::<TeamSync>();
    let words = collective_area() + of_block as u64;
    enter::<_, _, false>(Block, BlockOf { team, words });
}

/// Returns the address of this PE's area for copies that the lanes of the GPU agent make together.
#[doc(hidden)]
#[inline(always)]
pub fn agent_copy() -> DevPtr<u64> {
    DevPtr::from_address(arch::context_sync_area() + offset_of!(SyncArea, agent_copy) as u64)
}

/// Returns the address of this PE's [`CollectiveArea`].
#[doc(hidden)]
#[inline(always)]
pub fn collective_area() -> u64 {
    arch::context_sync_area() + offset_of!(SyncArea, collective) as u64
}

/// Tries to report to the host that this lane waits for a PE's part of a collective, at this word of an inbox, and
/// returns whether the report is this lane's. `mine` is the result of the previous call.
#[doc(hidden)]
#[cold]
#[inline]
pub fn collective_waits(mine: bool, inbox: u64, pe: u32, number: u64) -> bool {
    report::write(mine, DevPtr::<u64>::from_address(inbox), Cmp::Eq, pe.into(), number)
}

/// Withdraws the report that this lane waits: the part has arrived.
#[doc(hidden)]
#[cold]
#[inline]
pub fn collective_goes_on() {
    report::withdraw();
}

/// Ends the kernel because a member of a collective has not sent its part within `limit_ns` nanoseconds.
#[doc(hidden)]
#[cold]
#[inline]
pub fn collective_late(pe: u32, number: u64, limit_ns: u64) -> ! {
    fail(ErrorCode::BarrierTimeout, pe, number, limit_ns)
}

/// The counters of [`barrier`] in symmetric GPU memory.
struct Counters<S, M, const QUIET: bool> {
    scope: S,
    members: M,
}

/// The address of this PE's words for a step.
#[inline(always)]
fn step_of<M: Members>(members: M, step: u32) -> u64 {
    let step = offset_of!(TeamSync, barrier) + step as usize * size_of::<BarrierStep>();
    members.words() + step as u64
}

#[inline(always)]
fn signals<M: Members>(members: M, step: u32) -> DevPtr<u64> {
    DevPtr::from_address(step_of(members, step) + offset_of!(BarrierStep, signals) as u64)
}

#[inline(always)]
fn awaited<M: Members>(members: M, step: u32) -> DevPtr<u64> {
    DevPtr::from_address(step_of(members, step) + offset_of!(BarrierStep, awaited) as u64)
}

impl<S: Scope, M: Members, const QUIET: bool> barrier::Memory for Counters<S, M, QUIET> {
    #[inline(always)]
    fn lane(&self) -> u32 {
        self.scope.lane() as u32
    }
    #[inline(always)]
    fn lanes(&self) -> u32 {
        self.scope.lanes() as u32
    }
    #[inline(always)]
    fn sync_lanes(&self) {
        self.scope.sync();
    }
    #[inline(always)]
    fn release(&self) {
        // SYNC(pe-barrier) fence.sys before the relaxed addition: pairs with the acquire in `wait` on the peer. The
        // quiet of a barrier is the stronger of the two and serves as both.
        if QUIET { Ctx::DEFAULT.quiet_plain() } else { Ctx::DEFAULT.fence() }
    }
    #[inline(always)]
    fn signal(&self, number: u32, step: u32) {
        let counter = direct(signals(self.members, step), self.members.pe(number), Need::Atomic);
        // SAFETY: the sync area is symmetric memory of the library, at that address on the peer.
        unsafe { u64::add_relaxed_sys(counter, 1) }
    }
    #[inline(always)]
    fn wait(&self, step: u32, due: u32, distance: u32) {
        let (counter, awaited) = (signals(self.members, step), awaited(self.members, step));
        // SAFETY: the sync area is the library's own, and one scope of this PE is in a barrier of these members at a
        // time. SYNC(pe-barrier) acquire.sys: pairs with the fence in `release` on the peers.
        unsafe {
            let target = u64::load_relaxed_sys(awaited) + u64::from(due);
            u64::store_relaxed_sys(awaited, target);
            let limit_ns = wait_limit_ns();
            if wait_reported_for(counter, Cmp::Ge, target, limit_ns).is_none() {
                let (m, number) = (self.members, target / u64::from(due));
                let late = late(
                    m.pe(0),
                    m.pe(1).wrapping_sub(m.pe(0)),
                    m.n_pes(),
                    m.my_pe(),
                    awaited.address(),
                    target,
                    due,
                    distance,
                );
                fail(ErrorCode::BarrierTimeout, late, number, limit_ns);
            }
        }
    }
}

/// Returns the peer that has not reached this step, because its `awaited` is smaller. The team's values are passed one
/// by one: in a call they would be put into local memory as a structure.
#[cold]
#[inline]
#[allow(clippy::too_many_arguments)]
fn late(start: u32, stride: u32, n_pes: u32, my_pe: u32, awaited: u64, target: u64, due: u32, distance: u32) -> u32 {
    let from = |j| start.wrapping_add(barrier::sender(my_pe, n_pes, distance, j).wrapping_mul(stride));
    let mut j = 1;
    while j < due {
        let there = direct(DevPtr::from_address(awaited), from(j), Need::LoadStore);
        // SAFETY: the sync area is symmetric memory of the library, at that address on the peer.
        if unsafe { u64::load_relaxed_sys(there) } < target {
            break;
        }
        j += 1;
    }
    from(j)
}

#[inline(always)]
fn enter<G: scope::Group, M: Members, const QUIET: bool>(group: G, members: M) {
    let from = Begun::of(group.of_block());
    enter_plain::<G, M, QUIET>(group, members);
    from.end(if QUIET { KernelOperation::Barrier } else { KernelOperation::Sync }, NO_PE, 0, 0);
}

/// [`enter`], without the record.
#[inline(always)]
pub(crate) fn enter_plain<G: scope::Group, M: Members, const QUIET: bool>(group: G, members: M) {
    group.sync_around(|scope| {
        let counters = Counters::<_, _, QUIET> { scope, members };
        if members.n_pes() == 1 {
            scope.sync();
            barrier::Memory::release(&counters);
        } else if arch::far() {
            return enter_by_cpu(&counters);
        }
        barrier::enter(&counters, members.my_pe(), members.n_pes());
    });
}

/// The barrier among the CPUs, for kernels: this lane reports its arrival when everything that it did before is
/// complete, and learns when all PEs have arrived.
#[inline(always)]
fn enter_by_cpu<S: Scope, M: Members, const QUIET: bool>(counters: &Counters<S, M, QUIET>) {
    counters.scope.sync();
    if counters.scope.lane() == 0 {
        barrier::Memory::release(counters);
        meet(counters.members.team());
    }
    counters.scope.sync();
}

/// Returns when all PEs of a team have called it. Called by one lane.
#[inline(always)]
pub(crate) fn meet(team: DeviceTeam) {
    let [pes, numbers, slot] = team.to_words();
    ask_to_meet(pes, numbers, slot);
}

#[cold]
#[inline(never)]
fn ask_to_meet<T: Word + Into<u64>>(pes: T, numbers: u64, slot: u64) {
    let pes = pes.into();
    if arch::context_ring() == 0 {
        fail(ErrorCode::NoProxy, my_pe(), 0, 0);
    }
    let ring = Ring::new(Some(slot));
    let head = CommandHead { kind: CommandKind::Sync.number(), width: 0, context: 0, pe: 0 }.bits();
    let (_, reply) = ring.send(head, [pes, numbers, slot], true);
    ring.answer(reply);
    // SYNC(command-reply) fence: pairs with the release of the reply on the CPU; what the other PEs did comes before
    // it.
    arch::fence_acq_rel_sys();
}

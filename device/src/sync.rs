use crate::fail::fail;
use crate::{Block, Cmp, DevPtr, Scope, SignalOp, Thread, Word, arch, my_pe, n_pes};
use core::mem::offset_of;
use cushmem_abi::{BarrierStep, ErrorCode, SyncArea};
use cushmem_ring::{barrier, grid};

/// Orders this lane's puts to each PE before its later ones to the same PE (`shmem_fence`, OpenSHMEM 1.6, 9.11.1).
#[inline(always)]
pub fn fence() {
    arch::fence_acq_rel_sys();
}

/// Completes this lane's operations: they are visible to all PEs, and what the lane reads afterwards is not older
/// (`shmem_quiet`, OpenSHMEM 1.6, 9.11.2). After the block's own barrier it covers the other lanes' operations too.
#[inline(always)]
pub fn quiet() {
    arch::fence_sc_sys();
}

/// Waits for all blocks of a cooperative launch; what any lane did before, all lanes see after. All lanes of all blocks
/// call it, with the counter that the launch gave (`Stream::grid_counter`).
///
/// # Safety
/// `counter` is that counter, and the launch is cooperative.
#[inline(always)]
pub unsafe fn grid_sync(counter: DevPtr<u32>) {
    struct Counter(DevPtr<u32>);
    impl grid::Counter for Counter {
        #[inline(always)]
        fn add(&self, n: u32) -> u32 {
            // SAFETY: the caller of `grid_sync` vouches for the word.
            // SYNC(grid) acq_rel.gpu: pairs with the other blocks' additions and the acquire below.
            unsafe { arch::atom_add_acq_rel_gpu_u32(self.0.raw(), n) }
        }
        #[inline(always)]
        fn wait_phase_change(&self, before: u32) {
            // SAFETY: the caller of `grid_sync` vouches for the word.
            // SYNC(grid) acquire.gpu: pairs with the addition of the last block to arrive.
            while !grid::phase_changed(before, unsafe { arch::ld_acquire_gpu_u32(self.0.raw()) }) {
                arch::pause();
            }
        }
    }
    arch::syncthreads();
    if Block.rank() == 0 {
        let (x, y) = (u64::from(arch::grid_dim_x()), u64::from(arch::grid_dim_y()));
        let blocks = x * y * u64::from(arch::grid_dim_z());
        let block =
            u64::from(arch::block_idx_x()) + x * (u64::from(arch::block_idx_y()) + y * u64::from(arch::block_idx_z()));
        grid::enter(&Counter(counter), block, blocks);
    }
    arch::syncthreads();
}

#[inline(always)]
pub(crate) fn barrier_all<S: Scope>(scope: S) {
    enter::<S, true>(scope);
}

#[inline(always)]
pub(crate) fn sync_all<S: Scope>(scope: S) {
    enter::<S, false>(scope);
}

/// The counters of [`barrier`] in symmetric GPU memory.
struct Counters<S, const QUIET: bool> {
    scope: S,
}

impl<S: Scope, const QUIET: bool> Counters<S, QUIET> {
    #[inline(always)]
    fn step(step: u32) -> u64 {
        arch::context_sync_area() + (offset_of!(SyncArea, barrier) + step as usize * size_of::<BarrierStep>()) as u64
    }

    #[inline(always)]
    fn signals(step: u32) -> DevPtr<u64> {
        DevPtr::from_address(Self::step(step) + offset_of!(BarrierStep, signals) as u64)
    }

    #[inline(always)]
    fn awaited(step: u32) -> DevPtr<u64> {
        DevPtr::from_address(Self::step(step) + offset_of!(BarrierStep, awaited) as u64)
    }
}

impl<S: Scope, const QUIET: bool> barrier::Memory for Counters<S, QUIET> {
    #[inline(always)]
    fn lane(&self) -> u32 {
        self.scope.rank() as u32
    }
    #[inline(always)]
    fn lanes(&self) -> u32 {
        self.scope.size() as u32
    }
    #[inline(always)]
    fn sync_lanes(&self) {
        self.scope.sync();
    }
    #[inline(always)]
    fn release(&self) {
        // SYNC(pe-barrier) fence.sys before the relaxed addition: pairs with the acquire in `wait` on the peer. The quiet of a
        // barrier is the stronger of the two and serves as both.
        if QUIET { arch::fence_sc_sys() } else { arch::fence_acq_rel_sys() }
    }
    #[inline(always)]
    fn signal(&self, pe: u32, step: u32) {
        // SAFETY: the sync area is symmetric memory of the library.
        unsafe { crate::signal_op(Self::signals(step), 1, SignalOp::Add, pe) }
    }
    #[inline(always)]
    fn wait(&self, step: u32, signals: u32, distance: u32) {
        // SAFETY: the sync area is the library's own, and one scope of this PE is in a barrier at a time.
        // SYNC(pe-barrier) acquire.sys: pairs with the fence in `release` on the peers.
        unsafe {
            let target = u64::load_relaxed_sys(Self::awaited(step)) + u64::from(signals);
            u64::store_relaxed_sys(Self::awaited(step), target);
            let limit_ns = match arch::context_wait_limit_ns() {
                0 => u64::MAX,
                limit => limit,
            };
            if crate::wait_until_for(Self::signals(step), Cmp::Ge, target, limit_ns).is_none() {
                let number = target / u64::from(signals);
                fail(ErrorCode::BarrierTimeout, late(step, target, signals, distance), number, limit_ns);
            }
        }
    }
}

/// Which of the peers has not come to this step: it awaits less there.
#[cold]
#[inline]
fn late(step: u32, target: u64, signals: u32, distance: u32) -> u32 {
    let from = |j| barrier::sender(my_pe(), n_pes(), distance, j);
    let mut j = 1;
    while j < signals {
        // SAFETY: the sync area is symmetric memory of the library.
        if unsafe { crate::g(Counters::<Thread, false>::awaited(step), from(j)) } < target {
            break;
        }
        j += 1;
    }
    from(j)
}

#[inline(always)]
fn enter<S: Scope, const QUIET: bool>(scope: S) {
    let counters = Counters::<S, QUIET> { scope };
    if n_pes() == 1 {
        scope.sync();
        barrier::Memory::release(&counters);
    }
    barrier::enter(&counters, my_pe(), n_pes());
}

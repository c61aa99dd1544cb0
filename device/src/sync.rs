use crate::fail::fail;
use crate::{Block, DevPtr, Scope, Word, arch, my_pe, n_pes};
use core::mem::offset_of;
use cushmem_abi::{ErrorCode, SyncArea};
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

/// The flags of [`barrier`] in symmetric GPU memory.
struct Flags<S, const QUIET: bool> {
    scope: S,
    area: u64,
    epoch_word: DevPtr<u64>,
}

impl<S: Scope, const QUIET: bool> Flags<S, QUIET> {
    #[inline(always)]
    fn word(&self, slot: u32) -> DevPtr<u64> {
        DevPtr::from_address(self.area + offset_of!(SyncArea, arrivals) as u64 + 8 * u64::from(slot))
    }
}

impl<S: Scope, const QUIET: bool> barrier::Memory for Flags<S, QUIET> {
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
        // SYNC(pe-barrier) fence.sys before the relaxed store of the epoch: pairs with the acquire in `wait` on the peer. The
        // quiet of a barrier is the stronger of the two and serves as both.
        if QUIET { arch::fence_sc_sys() } else { arch::fence_acq_rel_sys() }
    }
    #[inline(always)]
    fn signal(&self, pe: u32, slot: u32, epoch: u64) {
        // SAFETY: the sync area is symmetric memory of the library.
        unsafe { crate::p(self.word(slot), epoch, pe) }
    }
    #[inline(always)]
    fn wait(&self, from: u32, slot: u32, epoch: u64) {
        let word = self.word(slot);
        if self.scope.rank() == 0 {
            // SAFETY: the word is the library's own. Relaxed: only this PE reads it, when it enters the next barrier; the store
            // takes no time here, where the lane waits anyway, while the next barrier's fence would have to wait for it.
            unsafe { arch::st_relaxed_gpu_u64(self.epoch_word.raw(), epoch) };
        }
        // SAFETY: the sync area is symmetric memory of the library.
        // SYNC(pe-barrier) acquire.sys: pairs with the fence in `release` on PE `from`.
        if unsafe { u64::load_acquire_sys(word) } >= epoch {
            return;
        }
        let limit_ns = match arch::context_wait_limit_ns() {
            0 => u64::MAX,
            limit => limit,
        };
        // SAFETY: the sync area is symmetric memory of the library.
        if unsafe { crate::wait_until_for(word, crate::Cmp::Ge, epoch, limit_ns) }.is_none() {
            fail(ErrorCode::BarrierTimeout, from, epoch, limit_ns);
        }
    }
}

/// All lanes read the epoch before the scope's first synchronisation, and one writes it after that.
#[inline(always)]
fn enter<S: Scope, const QUIET: bool>(scope: S) {
    let area = arch::context_sync_area();
    let epoch_word = DevPtr::<u64>::from_address(area + offset_of!(SyncArea, epoch) as u64);
    // SAFETY: the word is the library's own; one scope of this PE uses it at a time, and scopes that follow each other are
    // ordered by their caller.
    let epoch = unsafe { arch::ld_relaxed_gpu_u64(epoch_word.raw()) } + 1;
    let flags = Flags::<S, QUIET> { scope, area, epoch_word };
    if n_pes() == 1 {
        scope.sync();
        barrier::Memory::release(&flags);
    }
    barrier::enter(&flags, my_pe(), n_pes(), epoch);
}

//! Shared memory that a kernel lends to the library for a part of its life, so that copies can use the bulk engine.

use crate::engine::{self, ALIGNMENT, BARRIER_BYTES, STAGES, Smem};
use crate::fail::fail;
use crate::{DevPtr, Scope, SharedPtr, arch, my_pe};
use cushmem_abi::ErrorCode;

/// The least and the most bytes of a stage.
const STAGE_BYTES: [u32; 2] = [1 << 10, 16 << 10];

/// The least number of bytes for [`GiveSmem::give_smem`], which has an example.
pub const SMEM_MIN_BYTES: u32 = smem_bytes(STAGE_BYTES[0]);

/// The number of bytes for [`GiveSmem::give_smem`] beyond which copies do not become faster
/// (`nvshmemx_ask_smem` of NVSHMEM).
pub const SMEM_BYTES: u32 = smem_bytes(STAGE_BYTES[1]);

/// What a kernel has to lend for stages of so many bytes.
const fn smem_bytes(stage: u32) -> u32 {
    (ALIGNMENT - 16) + STAGES * (stage + BARRIER_BYTES)
}

/// For scopes of up to so many lanes, the least number of bytes that the bulk engine puts, and gets, faster than the
/// lanes do. Larger scopes do not use the engine, because it has no more bytes in flight than they have. From these
/// rows of two H100, in µs for a copy and a quiet (a lane of 64 has half the vectors in flight of a lane of a warp):
///
/// | | 1 KiB | 8 KiB | 16 KiB | 32 KiB | 64 KiB | 1 MiB |
/// |---|---|---|---|---|---|---|
/// | put by a thread | 3.5 | 15.8 | 30.0 | 58.1 | 114.9 | 1788 |
/// | put by a warp | 2.1 | 2.3 | 2.7 | 3.8 | 5.9 | 68.5 |
/// | put by 256 lanes | 1.9 | 2.2 | 2.1 | 2.6 | 3.3 | 25.6 |
/// | put by the engine | 2.3 | 2.4 | 2.6 | 2.9 | 3.6 | 25.2 |
/// | get by a thread | 9.8 | 61.2 | 121 | 240 | 478 | 7601 |
/// | get by a warp | 3.8 | 4.1 | 5.7 | 9.8 | 17.4 | 254 |
/// | get by the engine | 3.0 | 3.1 | 3.3 | 3.5 | 4.2 | 30.0 |
const CUT_OVERS: [(usize, Least); 2] =
    [(1, Least { put: 1 << 10, get: 512 }), (64, Least { put: 16 << 10, get: 8 << 10 })];

/// See [`CUT_OVERS`].
#[derive(Clone, Copy)]
struct Least {
    put: usize,
    get: usize,
}

/// The lanes of a scope with the shared memory that they have lent by [`GiveSmem::give_smem`], which has an example.
///
/// On GPUs from sm_90 on, long copies go through the memory by the GPU's bulk engine (`cp.async.bulk`), which one lane
/// operates: put, get, their nbi forms, and put with a signal. Both ends are in global memory, and their addresses
/// agree modulo 16. The lanes make all other copies, as they do without the memory; so they do on older GPUs, and in
/// jobs with PEs that are not mapped. The crate with the kernels says `sm_90 = true` in the
/// `[package.metadata.cushmem]` of its `Cargo.toml`; otherwise it has no build with the engine.
#[derive(Clone, Copy, Debug)]
pub struct Lent<S> {
    scope: S,
    smem: Smem,
}

/// What lanes do that have shared memory to lend.
/// [`GiveSmem::give_smem`] has an example.
pub trait GiveSmem: Scope {
    /// Lends `bytes` bytes of shared memory for copies by the GPU's bulk engine (`nvshmemx_give_smem` of NVSHMEM):
    /// those of the scope that this returns. [`Lent`] says which. Large copies by few lanes become much faster. The
    /// lanes meet. Fewer bytes than [`SMEM_MIN_BYTES`](crate::SMEM_MIN_BYTES) end the kernel with a message, and more
    /// than [`SMEM_BYTES`](crate::SMEM_BYTES) are of no use.
    ///
    /// ```
    /// use cushmem_device::{
    ///     DevPtr, GiveSmem, Scope, Warp, dynamic_shared, dynamic_shared_bytes, kernels, my_pe, n_pes,
    /// };
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block of a warp, with `SMEM_BYTES` of shared memory. Puts `n` elements to the next PE.
    ///     pub unsafe fn pass_on(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize) {
    ///         let warp = Warp.give_smem(dynamic_shared(), dynamic_shared_bytes());
    ///         warp.put(inbox, outbox, n, (my_pe() + 1) % n_pes());
    ///         warp.release_smem();
    ///         // From here on, the kernel can use the shared memory for other things.
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The bytes lie in this block's shared memory. Until [`Lent::release_smem`] nobody accesses them, and no other
    /// scope is lent them; afterwards, the scope that this returns makes no copies.
    #[inline(always)]
    unsafe fn give_smem(self, smem: SharedPtr<u8>, bytes: u32) -> Lent<Self> {
        if bytes < SMEM_MIN_BYTES {
            fail(ErrorCode::SmemTooSmall, my_pe(), bytes.into(), SMEM_MIN_BYTES.into());
        }
        let skipped = smem.address().wrapping_neg() as u32 % ALIGNMENT;
        let stage = (bytes - skipped) / STAGES - BARRIER_BYTES;
        let stage = if stage < STAGE_BYTES[1] { stage - stage % ALIGNMENT } else { STAGE_BYTES[1] };
        // What lanes did with the memory is behind them when the first one copies.
        self.sync();
        Lent { scope: self, smem: Smem { at: smem.add(skipped as usize).address(), stage } }
    }
}

impl<S: Scope> GiveSmem for S {}

impl<S: Scope> Lent<S> {
    /// Takes the memory back (`nvshmemx_release_smem` of NVSHMEM), and returns the scope: its lanes can use the memory
    /// again, which holds arbitrary values. The lanes meet.
    /// [`GiveSmem::give_smem`] has an example.
    #[inline(always)]
    pub fn release_smem(self) -> S {
        self.scope.sync();
        self.scope
    }
}

impl<S: Scope> Scope for Lent<S> {
    const UNROLL: usize = S::UNROLL;
    #[inline(always)]
    fn lane(self) -> usize {
        self.scope.lane()
    }
    #[inline(always)]
    fn lanes(self) -> usize {
        self.scope.lanes()
    }
    #[inline(always)]
    fn sync(self) {
        self.scope.sync();
    }
    #[inline(always)]
    fn any(self, holds: bool) -> bool {
        self.scope.any(holds)
    }
    #[inline(always)]
    fn smem(self) -> Option<Smem> {
        Some(self.smem)
    }
}

/// Copies by the bulk engine, if the scope has lent memory for it and it is faster than the lanes are. Returns whether
/// it did. All lanes of the scope return the same.
///
/// # Safety
/// Both ranges are valid, their addresses and `bytes` are multiples of 16, and nobody writes either at the same time.
#[inline(always)]
pub(crate) unsafe fn copy<S: Scope, const IS_PUT: bool>(
    scope: S,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
) -> bool {
    let Some(smem) = scope.smem().filter(|_| arch::HAS_BULK_COPIES) else { return false };
    let is_faster = is_faster::<IS_PUT>(scope.lanes(), bytes);
    if !is_faster || !arch::is_global(dst.address()) || !arch::is_global(src.address()) {
        return false;
    }
    if scope.lane() == 0 {
        // SAFETY: the caller guarantees what this requires of the ranges, whose length is above 0. Only this lane of
        // the scope to which the memory is lent uses it.
        unsafe { engine::copy(smem, dst, src, bytes) };
    }
    true
}

/// Whether the engine copies faster than so many lanes do.
#[inline(always)]
fn is_faster<const IS_PUT: bool>(lanes: usize, bytes: usize) -> bool {
    let mut i = 0;
    while i < CUT_OVERS.len() {
        let (most, least) = CUT_OVERS[i];
        if lanes <= most {
            return bytes >= if IS_PUT { least.put } else { least.get };
        }
        i += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches lines of the table in the wrong order, of which some would not count.
    #[test]
    fn more_lanes_need_longer_copies() {
        let rising = |get: fn(&(usize, Least)) -> usize| CUT_OVERS.iter().map(get).is_sorted_by(|a, b| a < b);
        assert!(rising(|(lanes, _)| *lanes) && rising(|(_, least)| least.put) && rising(|(_, least)| least.get));
        assert!(is_faster::<true>(1, 1 << 20) && is_faster::<false>(32, 1 << 20) && !is_faster::<true>(1024, 1 << 30));
        assert!(!is_faster::<true>(1, 16) && !is_faster::<false>(32, 1 << 10));
    }
}

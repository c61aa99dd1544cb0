//! PTX: each function is one instruction, or the shortest sequence that does it.

mod bulk;
mod context;
mod math;
mod shared;

pub use bulk::*;
pub use context::*;
use core::arch::asm;
use core::arch::nvptx as nv;
pub use math::*;
pub use shared::*;

macro_rules! special_registers { ($($name:ident = $intrinsic:ident, $doc:literal;)*) => {$(
    #[doc = $doc]
    #[inline(always)]
    pub fn $name() -> u32 {
        // SAFETY: reads a special register.
        unsafe { nv::$intrinsic() as u32 }
    }
)*} }
special_registers! {
    thread_idx_x = _thread_idx_x, "Index of this lane in its block.";
    thread_idx_y = _thread_idx_y, "Index of this lane in its block.";
    thread_idx_z = _thread_idx_z, "Index of this lane in its block.";
    block_idx_x = _block_idx_x, "Index of this block in the grid.";
    block_idx_y = _block_idx_y, "Index of this block in the grid.";
    block_idx_z = _block_idx_z, "Index of this block in the grid.";
    block_dim_x = _block_dim_x, "Lanes of a block.";
    block_dim_y = _block_dim_y, "Lanes of a block.";
    block_dim_z = _block_dim_z, "Lanes of a block.";
    grid_dim_x = _grid_dim_x, "Blocks of the grid.";
    grid_dim_y = _grid_dim_y, "Blocks of the grid.";
    grid_dim_z = _grid_dim_z, "Blocks of the grid.";
}

unsafe extern "unadjusted" {
    #[link_name = "llvm.nvvm.barrier.cta.sync.aligned.all"]
    fn llvm_barrier_all(id: i32);
    #[link_name = "llvm.nvvm.barrier.cta.sync.count"]
    fn llvm_barrier_count(id: i32, count: i32);
    #[link_name = "llvm.nvvm.barrier.cta.red.or.aligned.all"]
    fn llvm_barrier_or(id: i32, holds: bool) -> bool;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn llvm_warp_sync(mask: i32);
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn llvm_shfl_idx(mask: i32, value: i32, lane: i32, clamp: i32) -> i32;
    #[link_name = "llvm.nvvm.shfl.sync.down.i32"]
    fn llvm_shfl_down(mask: i32, value: i32, delta: i32, clamp: i32) -> i32;
    #[link_name = "llvm.nvvm.shfl.sync.up.i32"]
    fn llvm_shfl_up(mask: i32, value: i32, delta: i32, clamp: i32) -> i32;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    fn llvm_shfl_xor(mask: i32, value: i32, bits: i32, clamp: i32) -> i32;
    #[link_name = "llvm.nvvm.match.any.sync.i64"]
    fn llvm_match_any(mask: i32, value: i64) -> i32;
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn llvm_ballot(mask: i32, predicate: bool) -> i32;
    #[link_name = "llvm.nvvm.activemask"]
    fn llvm_activemask() -> i32;
}

/// Waits for all lanes of the block; orders their memory accesses. All lanes must call it.
#[inline(always)]
pub fn syncthreads() {
    // SAFETY: only the lanes of this block wait, as the caller's kernel arranges.
    unsafe { llvm_barrier_all(0) }
}

/// [`syncthreads`], which returns whether `holds` is true on any of the lanes.
#[inline(always)]
pub fn syncthreads_or(holds: bool) -> bool {
    // SAFETY: only the lanes of this block wait, as the caller's kernel arranges.
    unsafe { llvm_barrier_or(0, holds) }
}

/// The first word of [`syncthreads_from_first`] for [`crate::Roles`], and for [`crate::Deal`].
pub const ROLES_WORD: u32 = 0;
/// See [`ROLES_WORD`].
pub const DEAL_WORD: u32 = 2;

/// [`syncthreads`], which returns the first lane's `value`, below 2⁶³, and whether `holds` is true on any of the lanes.
/// Callers alternate between two values of `word`, so that one barrier is enough: a lane reads a word before the
/// barrier that lies between this call and the next store to the word.
#[inline(always)]
pub fn syncthreads_from_first(word: u32, value: u64, holds: bool) -> (u64, bool) {
    let [x, y, z] = [thread_idx_x(), thread_idx_y(), thread_idx_z()];
    let at: u32;
    // SAFETY: the words belong to this block, and only this function uses them.
    unsafe {
        asm!("mov.u32 {0}, cushmem_block_words;", out(reg32) at, options(pure, nomem, nostack, preserves_flags));
        let at = at + 8 * word;
        if x | y | z == 0 {
            asm!("st.shared.u64 [{0}], {1};", in(reg32) at, in(reg64) value, options(nostack, preserves_flags));
        }
        let any = syncthreads_or(holds);
        let value;
        asm!("ld.shared.u64 {0}, [{1}];", out(reg64) value, in(reg32) at, options(nostack, preserves_flags));
        (value, any)
    }
}

/// Barrier `id` (0 to 15) of `count` lanes, a multiple of 32.
#[inline(always)]
pub fn bar_sync(id: u32, count: u32) {
    // SAFETY: only lanes of this block wait, as the caller's kernel arranges.
    unsafe { llvm_barrier_count(id as i32, count as i32) }
}

/// Waits for the lanes of the warp in `mask`; orders their memory accesses.
#[inline(always)]
pub fn syncwarp(mask: u32) {
    // SAFETY: only lanes of this warp wait.
    unsafe { llvm_warp_sync(mask as i32) }
}

/// This lane's block and thread numbers, as records hold them: `block << 32 | thread`. The compiler does not move the
/// computation to where kernels must be fast.
#[inline(always)]
pub fn block_and_thread() -> u64 {
    let both;
    // SAFETY: reads special registers.
    unsafe {
        asm!("{{ .reg .b32 thread, block, size, index; mov.u32 thread, %tid.z; mov.u32 size, %ntid.y; mov.u32 index, %tid.y;",
             "mad.lo.u32 thread, thread, size, index; mov.u32 size, %ntid.x; mov.u32 index, %tid.x;",
             "mad.lo.u32 thread, thread, size, index; mov.u32 block, %ctaid.z; mov.u32 size, %nctaid.y; mov.u32 index, %ctaid.y;",
             "mad.lo.u32 block, block, size, index; mov.u32 size, %nctaid.x; mov.u32 index, %ctaid.x;",
             "mad.lo.u32 block, block, size, index; mov.b64 {0}, {{thread, block}}; }}",
             out(reg64) both, options(nomem, nostack, preserves_flags))
    }
    both
}

/// This lane's number in its warp.
#[inline(always)]
pub fn lane_id() -> u32 {
    let lane;
    // SAFETY: reads a special register.
    unsafe { asm!("mov.u32 {0}, %laneid;", out(reg32) lane, options(pure, nomem, nostack, preserves_flags)) }
    lane
}

/// `value` of lane `source` of the warp.
#[inline(always)]
pub fn shfl_idx(mask: u32, value: u32, source: u32) -> u32 {
    // SAFETY: exchanges registers within the warp.
    unsafe { llvm_shfl_idx(mask as i32, value as i32, source as i32, 31) as u32 }
}

/// `value` of the lane that is `delta` higher, or the lane's own value if there is no such lane.
#[inline(always)]
pub fn shfl_down(mask: u32, value: u32, delta: u32) -> u32 {
    // SAFETY: exchanges registers within the warp.
    unsafe { llvm_shfl_down(mask as i32, value as i32, delta as i32, 31) as u32 }
}

/// `value` of the lane that is `delta` lower, or the lane's own value if there is no such lane.
#[inline(always)]
pub fn shfl_up(mask: u32, value: u32, delta: u32) -> u32 {
    // SAFETY: exchanges registers within the warp.
    unsafe { llvm_shfl_up(mask as i32, value as i32, delta as i32, 0) as u32 }
}

/// `value` of the lane whose number differs in these bits.
#[inline(always)]
pub fn shfl_xor(mask: u32, value: u32, bits: u32) -> u32 {
    // SAFETY: exchanges registers within the warp.
    unsafe { llvm_shfl_xor(mask as i32, value as i32, bits as i32, 31) as u32 }
}

/// A bit for each lane in `mask` that passed the same value.
#[inline(always)]
pub fn match_any(mask: u32, value: u64) -> u32 {
    // SAFETY: exchanges registers within the warp.
    unsafe { llvm_match_any(mask as i32, value as i64) as u32 }
}

/// A bit for each lane in `mask` whose predicate holds.
#[inline(always)]
pub fn ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: exchanges registers within the warp.
    unsafe { llvm_ballot(mask as i32, predicate) as u32 }
}

/// The lanes of the warp that currently execute this together.
#[inline(always)]
pub fn activemask() -> u32 {
    // SAFETY: reads the mask.
    unsafe { llvm_activemask() as u32 }
}

/// Whether a generic address is that of global memory, rather than of shared memory or of a lane's stack.
#[inline(always)]
pub fn is_global(address: u64) -> bool {
    let is_global: u32;
    // SAFETY: examines a number.
    unsafe {
        asm!("{{ .reg .pred global; isspacep.global global, {1}; selp.u32 {0}, 1, 0, global; }}", out(reg32) is_global,
             in(reg64) address, options(pure, nomem, nostack, preserves_flags));
    }
    is_global != 0
}

macro_rules! loads { ($($name:ident: $t:ty, $reg:ident $out:ty, $instruction:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`")]
    /// # Safety
    /// `address` is valid and aligned device-visible memory: global memory, except for `ld_generic`.
    #[inline(always)]
    pub unsafe fn $name(address: *const $t) -> $t {
        let value: $out;
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { asm!(concat!($instruction, " {0}, [{1}];"), out($reg) value, in(reg64) address, options(nostack, preserves_flags)) }
        value as $t
    }
)*} }
loads! {
    ld_relaxed_sys_u8: u8, reg32 u32, "ld.relaxed.sys.global.u8";
    ld_relaxed_sys_u16: u16, reg16 u16, "ld.relaxed.sys.global.u16";
    ld_relaxed_sys_u32: u32, reg32 u32, "ld.relaxed.sys.global.u32";
    ld_relaxed_sys_u64: u64, reg64 u64, "ld.relaxed.sys.global.u64";
    ld_acquire_sys_u8: u8, reg32 u32, "ld.acquire.sys.global.u8";
    ld_acquire_sys_u16: u16, reg16 u16, "ld.acquire.sys.global.u16";
    ld_acquire_sys_u32: u32, reg32 u32, "ld.acquire.sys.global.u32";
    ld_acquire_sys_u64: u64, reg64 u64, "ld.acquire.sys.global.u64";
    ld_acquire_gpu_u32: u32, reg32 u32, "ld.acquire.gpu.global.u32";
    ld_acquire_gpu_u64: u64, reg64 u64, "ld.acquire.gpu.global.u64";
    ld_generic_u8: u8, reg32 u32, "ld.u8";
    ld_generic_u16: u16, reg16 u16, "ld.u16";
    ld_generic_u32: u32, reg32 u32, "ld.u32";
    ld_generic_u64: u64, reg64 u64, "ld.u64";
    ld_weak_u8: u8, reg32 u32, "ld.global.u8";
    ld_weak_u16: u16, reg16 u16, "ld.global.u16";
    ld_weak_u32: u32, reg32 u32, "ld.global.u32";
    ld_weak_u64: u64, reg64 u64, "ld.global.u64";
}

macro_rules! stores { ($($name:ident: $t:ty, $reg:ident $in:ty, $instruction:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`")]
    /// # Safety
    /// `address` is valid and aligned device-visible memory: global memory, except for `st_generic`.
    #[inline(always)]
    pub unsafe fn $name(address: *mut $t, value: $t) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { asm!(concat!($instruction, " [{0}], {1};"), in(reg64) address, in($reg) value as $in, options(nostack, preserves_flags)) }
    }
)*} }
stores! {
    st_generic_u8: u8, reg32 u32, "st.u8";
    st_generic_u16: u16, reg16 u16, "st.u16";
    st_generic_u32: u32, reg32 u32, "st.u32";
    st_generic_u64: u64, reg64 u64, "st.u64";
    st_relaxed_sys_u8: u8, reg32 u32, "st.relaxed.sys.global.u8";
    st_relaxed_sys_u16: u16, reg16 u16, "st.relaxed.sys.global.u16";
    st_relaxed_sys_u32: u32, reg32 u32, "st.relaxed.sys.global.u32";
    st_relaxed_sys_u64: u64, reg64 u64, "st.relaxed.sys.global.u64";
    st_release_sys_u32: u32, reg32 u32, "st.release.sys.global.u32";
    st_release_sys_u64: u64, reg64 u64, "st.release.sys.global.u64";
    red_add_relaxed_sys_u32: u32, reg32 u32, "red.relaxed.sys.global.add.u32";
    red_and_relaxed_sys_u32: u32, reg32 u32, "red.relaxed.sys.global.and.b32";
    red_or_relaxed_sys_u32: u32, reg32 u32, "red.relaxed.sys.global.or.b32";
    red_xor_relaxed_sys_u32: u32, reg32 u32, "red.relaxed.sys.global.xor.b32";
    red_add_relaxed_sys_u64: u64, reg64 u64, "red.relaxed.sys.global.add.u64";
    red_and_relaxed_sys_u64: u64, reg64 u64, "red.relaxed.sys.global.and.b64";
    red_or_relaxed_sys_u64: u64, reg64 u64, "red.relaxed.sys.global.or.b64";
    red_xor_relaxed_sys_u64: u64, reg64 u64, "red.relaxed.sys.global.xor.b64";
    red_add_relaxed_sys_f32: f32, reg32 f32, "red.relaxed.sys.global.add.f32";
    red_add_relaxed_sys_f64: f64, reg64 f64, "red.relaxed.sys.global.add.f64";
    red_min_relaxed_sys_u32: u32, reg32 u32, "red.relaxed.sys.global.min.u32";
    red_min_relaxed_sys_i32: i32, reg32 i32, "red.relaxed.sys.global.min.s32";
    red_min_relaxed_sys_u64: u64, reg64 u64, "red.relaxed.sys.global.min.u64";
    red_min_relaxed_sys_i64: i64, reg64 i64, "red.relaxed.sys.global.min.s64";
    red_max_relaxed_sys_u32: u32, reg32 u32, "red.relaxed.sys.global.max.u32";
    red_max_relaxed_sys_i32: i32, reg32 i32, "red.relaxed.sys.global.max.s32";
    red_max_relaxed_sys_i64: i64, reg64 i64, "red.relaxed.sys.global.max.s64";
    red_max_relaxed_gpu_u64: u64, reg64 u64, "red.relaxed.gpu.global.max.u64";
    red_max_relaxed_sys_u64: u64, reg64 u64, "red.relaxed.sys.global.max.u64";
    red_add_release_sys_u64: u64, reg64 u64, "red.release.sys.global.add.u64";
    red_add_release_gpu_u64: u64, reg64 u64, "red.release.gpu.global.add.u64";
    red_add_dependent_gpu_u64: u64, reg64 u64, "red.relaxed.gpu.global.add.u64";
    red_or_release_gpu_u64: u64, reg64 u64, "red.release.gpu.global.or.b64";
}

macro_rules! atomics { ($($name:ident: $t:ty, $reg:ident, $instruction:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`; returns the value before.")]
    /// # Safety
    /// `address` is valid and aligned device-visible global memory.
    #[inline(always)]
    pub unsafe fn $name(address: *mut $t, value: $t) -> $t {
        let before;
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { asm!(concat!($instruction, " {0}, [{1}], {2};"), out($reg) before, in(reg64) address, in($reg) value, options(nostack, preserves_flags)) }
        before
    }
)*} }
atomics! {
    atom_add_acq_rel_gpu_u32: u32, reg32, "atom.acq_rel.gpu.global.add.u32";
    atom_add_acq_rel_gpu_u64: u64, reg64, "atom.acq_rel.gpu.global.add.u64";
    atom_add_acquire_gpu_u64: u64, reg64, "atom.acquire.gpu.global.add.u64";
    atom_add_relaxed_gpu_u64: u64, reg64, "atom.relaxed.gpu.global.add.u64";
    atom_exch_relaxed_gpu_u64: u64, reg64, "atom.relaxed.gpu.global.exch.b64";
    atom_add_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.add.u32";
    atom_and_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.and.b32";
    atom_or_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.or.b32";
    atom_xor_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.xor.b32";
    atom_exch_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.exch.b32";
    atom_add_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.add.u64";
    atom_and_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.and.b64";
    atom_or_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.or.b64";
    atom_xor_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.xor.b64";
    atom_exch_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.exch.b64";
    atom_add_relaxed_sys_f32: f32, reg32, "atom.relaxed.sys.global.add.f32";
    atom_add_relaxed_sys_f64: f64, reg64, "atom.relaxed.sys.global.add.f64";
    atom_min_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.min.u32";
    atom_min_relaxed_sys_i32: i32, reg32, "atom.relaxed.sys.global.min.s32";
    atom_min_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.min.u64";
    atom_min_relaxed_sys_i64: i64, reg64, "atom.relaxed.sys.global.min.s64";
    atom_max_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.max.u32";
    atom_max_relaxed_sys_i32: i32, reg32, "atom.relaxed.sys.global.max.s32";
    atom_max_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.max.u64";
    atom_max_relaxed_sys_i64: i64, reg64, "atom.relaxed.sys.global.max.s64";
}

macro_rules! compare_swaps { ($($name:ident: $t:ty, $reg:ident, $instruction:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`: stores `value` if the word is `expected`; returns the value before.")]
    /// # Safety
    /// `address` is valid and aligned device-visible global memory.
    #[inline(always)]
    pub unsafe fn $name(address: *mut $t, expected: $t, value: $t) -> $t {
        let before;
        // SAFETY: the caller guarantees that the address is valid.
        unsafe {
            asm!(concat!($instruction, " {0}, [{1}], {2}, {3};"), out($reg) before, in(reg64) address, in($reg) expected,
                 in($reg) value, options(nostack, preserves_flags))
        }
        before
    }
)*} }
compare_swaps! {
    atom_cas_acq_rel_gpu_u64: u64, reg64, "atom.acq_rel.gpu.global.cas.b64";
    atom_cas_relaxed_sys_u32: u32, reg32, "atom.relaxed.sys.global.cas.b32";
    atom_cas_relaxed_sys_u64: u64, reg64, "atom.relaxed.sys.global.cas.b64";
    atom_cas_release_sys_u64: u64, reg64, "atom.release.sys.global.cas.b64";
}

macro_rules! pair_loads { ($($name:ident: $instruction:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`: two words, each loaded whole.")]
    /// # Safety
    /// `address` is valid memory, aligned to 16 bytes: global memory, except for `ld_generic`.
    #[inline(always)]
    pub unsafe fn $name(address: *const [u64; 2]) -> [u64; 2] {
        let (a, b);
        // SAFETY: the caller guarantees that the address is valid.
        unsafe {
            asm!(concat!($instruction, " {{{0}, {1}}}, [{2}];"), out(reg64) a, out(reg64) b, in(reg64) address,
                 options(nostack, preserves_flags))
        }
        [a, b]
    }
)*} }
pair_loads! {
    ld_generic_v2_u64: "ld.v2.u64";
    ld_weak_v2_u64: "ld.global.v2.u64";
    ld_stream_v2_u64: "ld.global.L1::no_allocate.v2.u64";
    ld_relaxed_gpu_v2_u64: "ld.relaxed.gpu.global.v2.u64";
    ld_relaxed_sys_v2_u64: "ld.relaxed.sys.global.v2.u64";
    ld_acquire_sys_v2_u64: "ld.acquire.sys.global.v2.u64";
}

/// Eight words, which all lanes of the warp load with a single request (`ld.relaxed.sys.global.v2.u64`); relaxed.
///
/// If one lane loads several words of a line of host memory, the loads are carried out one after the other, each as a
/// round trip over the bus. Loads by neighbouring lanes are combined into one.
/// # Safety
/// `address` is the same on all lanes of the warp, valid global memory, and aligned to 64 bytes.
#[inline(always)]
pub unsafe fn ld_relaxed_sys_v8_u64_by_warp(address: *const [u64; 8]) -> [u64; 8] {
    let own = lane_id() as usize % 4;
    // SAFETY: the caller guarantees that the address is valid.
    let pair = unsafe { ld_relaxed_sys_v2_u64(address.cast::<[u64; 2]>().wrapping_add(own)) };
    of_warp(pair)
}

/// Like [`ld_relaxed_sys_v8_u64_by_warp`], but each lane acquires the words that it loads, and there are none unless
/// bit 0 of each is that of `bit`. Looking in vain takes few instructions.
/// # Safety
/// `address` is the same on all lanes of the warp, as `bit` is, valid global memory, and aligned to 64 bytes.
#[inline(always)]
pub unsafe fn ld_acquire_sys_v8_u64_by_warp(address: *const [u64; 8], bit: u64) -> Option<[u64; 8]> {
    let own = lane_id() as usize % 4;
    // SAFETY: the caller guarantees that the address is valid.
    let pair = unsafe { ld_acquire_sys_v2_u64(address.cast::<[u64; 2]>().wrapping_add(own)) };
    (ballot(!0, (pair[0] ^ bit | pair[1] ^ bit) & 1 == 0) == !0).then(|| of_warp(pair))
}

/// The pairs of the first four lanes.
#[inline(always)]
fn of_warp(pair: [u64; 2]) -> [u64; 8] {
    let of_lane = |word: u64, lane: u32| {
        let half = |part| u64::from(shfl_idx(!0, part, lane));
        half(word as u32) | half((word >> 32) as u32) << 32
    };
    let [a, b] = pair;
    [
        of_lane(a, 0),
        of_lane(b, 0),
        of_lane(a, 1),
        of_lane(b, 1),
        of_lane(a, 2),
        of_lane(b, 2),
        of_lane(a, 3),
        of_lane(b, 3),
    ]
}

macro_rules! pair_stores { ($($name:ident: $instruction:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`: two words, each stored as a whole.")]
    /// # Safety
    /// `address` is valid memory, aligned to 16 bytes: global memory, except for `st_generic`.
    #[inline(always)]
    pub unsafe fn $name(address: *mut [u64; 2], [a, b]: [u64; 2]) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe {
            asm!(concat!($instruction, " [{2}], {{{0}, {1}}};"), in(reg64) a, in(reg64) b, in(reg64) address,
                 options(nostack, preserves_flags))
        }
    }
)*} }
pair_stores! {
    st_generic_v2_u64: "st.L1::no_allocate.v2.u64";
    st_relaxed_sys_v2_u64: "st.relaxed.sys.global.v2.u64";
    st_stream_v2_u64: "st.global.L1::no_allocate.v2.u64";
}

macro_rules! fences { ($($name:ident: $instruction:literal;)*) => {$(
    #[doc = concat!("`", $instruction, "`")]
    #[inline(always)]
    pub fn $name() {
        // SAFETY: orders memory accesses, touches none.
        unsafe { asm!($instruction, options(nostack, preserves_flags)) }
    }
)*} }
fences! {
    fence_acq_rel_gpu: "fence.acq_rel.gpu;";
    fence_acq_rel_sys: "fence.acq_rel.sys;";
    fence_sc_sys: "fence.sc.sys;";
}

/// `cvt.f32.f16`
#[inline(always)]
pub fn f32_of_f16(bits: u16) -> f32 {
    let value;
    // SAFETY: converts a register.
    unsafe {
        asm!("cvt.f32.f16 {0}, {1};", out(reg32) value, in(reg16) bits, options(pure, nomem, nostack, preserves_flags))
    }
    value
}

/// `cvt.rn.f16.f32`
#[inline(always)]
pub fn f16_of_f32(value: f32) -> u16 {
    let bits;
    // SAFETY: converts a register.
    unsafe {
        asm!("cvt.rn.f16.f32 {0}, {1};", out(reg16) bits, in(reg32) value, options(pure, nomem, nostack, preserves_flags))
    }
    bits
}

/// Nanoseconds on a clock that all SMs of the GPU share.
#[inline(always)]
pub fn globaltimer() -> u64 {
    let ns;
    // SAFETY: reads a special register.
    unsafe { asm!("mov.u64 {0}, %globaltimer;", out(reg64) ns, options(nomem, nostack, preserves_flags)) }
    ns
}

/// Called between two polls of a word that another party will change.
#[inline(always)]
pub fn pause() {}

/// Called between two polls of a word that so many blocks poll that they would delay the lanes that change it: takes
/// about 20 ns, at most 40.
#[inline(always)]
pub fn pause_among_blocks() {
    // SAFETY: sleeping touches neither memory nor registers.
    unsafe { asm!("nanosleep.u32 20;", options(nostack, preserves_flags)) }
}

/// The number itself, of which the compiler then knows nothing, so that it computes nothing from it in advance.
#[inline(always)]
pub fn opaque(number: usize) -> usize {
    let same;
    // SAFETY: copies a register.
    unsafe { asm!("mov.u64 {0}, {1};", out(reg64) same, in(reg64) number, options(nomem, nostack, preserves_flags)) }
    same
}

/// Ends the kernel, and with it the GPU's usability for this process.
#[inline(always)]
pub fn trap() -> ! {
    // SAFETY: does not return.
    unsafe { nv::trap() }
}

/// Returns the address itself: device memory is where its address says.
#[inline(always)]
pub fn resolve<T>(address: *mut T) -> *mut T {
    address
}

//! The emulated GPU: indices and all collective operations come from the lane; memory is the process's own.

mod bulk;
mod context;
mod math;
mod shared;

pub use bulk::*;
pub use context::*;
use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering, fence};
use cushmem_abi::lane::{Dim3, Event, WarpOp, current};
use cushmem_abi::soft;
pub use math::*;
pub use shared::*;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

macro_rules! indices { ($($name:ident = $field:ident[$axis:literal], $doc:literal;)*) => {$(
    #[doc = $doc]
    #[inline]
    pub fn $name() -> u32 {
        current().$field[$axis]
    }
)*} }
indices! {
    thread_idx_x = thread_idx[0], "Index of this lane in its block.";
    thread_idx_y = thread_idx[1], "Index of this lane in its block.";
    thread_idx_z = thread_idx[2], "Index of this lane in its block.";
    block_idx_x = block_idx[0], "Index of this block in the grid.";
    block_idx_y = block_idx[1], "Index of this block in the grid.";
    block_idx_z = block_idx[2], "Index of this block in the grid.";
    block_dim_x = block_dim[0], "Lanes of a block.";
    block_dim_y = block_dim[1], "Lanes of a block.";
    block_dim_z = block_dim[2], "Lanes of a block.";
    grid_dim_x = grid_dim[0], "Blocks of the grid.";
    grid_dim_y = grid_dim[1], "Blocks of the grid.";
    grid_dim_z = grid_dim[2], "Blocks of the grid.";
}

/// Waits for all lanes of the block; orders their memory accesses. All lanes must call it.
pub fn syncthreads() {
    (current().suspend)(Event::Barrier { id: 0, count: 0 });
}

/// [`syncthreads`], which returns whether `holds` is true on any of the lanes.
pub fn syncthreads_or(holds: bool) -> bool {
    (current().suspend)(Event::BarrierOr { bits: holds.into() }) != 0
}

/// The first word of [`syncthreads_from_first`] for [`crate::Roles`], and for [`crate::Deal`].
pub const ROLES_WORD: u32 = 0;
/// See [`ROLES_WORD`].
pub const DEAL_WORD: u32 = 2;

/// [`syncthreads`], which returns the first lane's `value`, below 2⁶³, and whether `holds` is true on any of the lanes.
pub fn syncthreads_from_first(_: u32, value: u64, holds: bool) -> (u64, bool) {
    let value = if thread() == 0 { value } else { 0 };
    let bits = (current().suspend)(Event::BarrierOr { bits: u64::from(holds) << 63 | value });
    (bits << 1 >> 1, bits >> 63 != 0)
}

/// Barrier `id` (0 to 15) of `count` lanes, a multiple of 32.
pub fn bar_sync(id: u32, count: u32) {
    (current().suspend)(Event::Barrier { id, count });
}

fn warp(mask: u32, op: WarpOp, value: u64) -> u64 {
    (current().suspend)(Event::Warp { mask, op, value })
}

/// Waits for the lanes of the warp in `mask`; orders their memory accesses.
pub fn syncwarp(mask: u32) {
    warp(mask, WarpOp::Sync, 0);
}

/// This lane's block and thread numbers, as records hold them: `block << 32 | thread`.
pub fn block_and_thread() -> u64 {
    let lane = current();
    u64::from(number(lane.block_idx, lane.grid_dim)) << 32 | u64::from(thread())
}

/// This lane's number in its block.
fn thread() -> u32 {
    let lane = current();
    number(lane.thread_idx, lane.block_dim)
}

/// The number of an index within an extent, x fastest.
fn number([x, y, z]: Dim3, [width, height, _]: Dim3) -> u32 {
    x + width * (y + height * z)
}

/// This lane's number in its warp.
pub fn lane_id() -> u32 {
    thread() % 32
}

/// `value` of lane `source` of the warp.
pub fn shfl_idx(mask: u32, value: u32, source: u32) -> u32 {
    warp(mask, WarpOp::ShuffleIdx(source), value.into()) as u32
}

/// `value` of the lane that is `delta` higher, or the lane's own value if there is no such lane.
pub fn shfl_down(mask: u32, value: u32, delta: u32) -> u32 {
    warp(mask, WarpOp::ShuffleDown(delta), value.into()) as u32
}

/// `value` of the lane that is `delta` lower, or the lane's own value if there is no such lane.
pub fn shfl_up(mask: u32, value: u32, delta: u32) -> u32 {
    warp(mask, WarpOp::ShuffleUp(delta), value.into()) as u32
}

/// `value` of the lane whose number differs in these bits.
pub fn shfl_xor(mask: u32, value: u32, bits: u32) -> u32 {
    warp(mask, WarpOp::ShuffleXor(bits), value.into()) as u32
}

/// A bit for each lane in `mask` that passed the same value.
pub fn match_any(mask: u32, value: u64) -> u32 {
    warp(mask, WarpOp::MatchAny, value) as u32
}

/// A bit for each lane in `mask` whose predicate holds.
pub fn ballot(mask: u32, predicate: bool) -> u32 {
    warp(mask, WarpOp::Ballot, predicate.into()) as u32
}

/// The lanes of the warp that execute this together: those that get to the same place in the program before the other
/// lanes of the block wait.
#[track_caller]
pub fn activemask() -> u32 {
    let place = core::ptr::from_ref(core::panic::Location::caller()).addr() as u64;
    (current().suspend)(Event::Together { place }) as u32
}

/// Whether an address is that of global memory, rather than of shared memory or of a lane's stack.
pub fn is_global(address: u64) -> bool {
    (current().suspend)(Event::IsGlobal { address }) != 0
}

macro_rules! loads { ($($name:ident: $t:ty, $atomic:ident, $order:ident;)*) => {$(
    /// Load with the order and at least the scope of its name.
    /// # Safety
    /// `address` is valid and aligned memory that the emulated GPU reaches.
    #[inline]
    pub unsafe fn $name(address: *const $t) -> $t {
        // SAFETY: the caller guarantees that the address is valid.
        // SYNC(device-word) acquire loads pair with the release stores and additions of this file.
        unsafe { $atomic::from_ptr(resolve(address.cast_mut())) }.load(Ordering::$order)
    }
)*} }
loads! {
    ld_relaxed_sys_u8: u8, AtomicU8, Relaxed;
    ld_relaxed_sys_u16: u16, AtomicU16, Relaxed;
    ld_relaxed_sys_u32: u32, AtomicU32, Relaxed;
    ld_relaxed_sys_u64: u64, AtomicU64, Relaxed;
    ld_acquire_sys_u8: u8, AtomicU8, Acquire;
    ld_acquire_sys_u16: u16, AtomicU16, Acquire;
    ld_acquire_sys_u32: u32, AtomicU32, Acquire;
    ld_acquire_sys_u64: u64, AtomicU64, Acquire;
    ld_acquire_gpu_u32: u32, AtomicU32, Acquire;
    ld_acquire_gpu_u64: u64, AtomicU64, Acquire;
    ld_generic_u8: u8, AtomicU8, Relaxed;
    ld_generic_u16: u16, AtomicU16, Relaxed;
    ld_generic_u32: u32, AtomicU32, Relaxed;
    ld_generic_u64: u64, AtomicU64, Relaxed;
    ld_weak_u8: u8, AtomicU8, Relaxed;
    ld_weak_u16: u16, AtomicU16, Relaxed;
    ld_weak_u32: u32, AtomicU32, Relaxed;
    ld_weak_u64: u64, AtomicU64, Relaxed;
}

macro_rules! stores { ($($name:ident: $t:ty, $atomic:ident, $method:ident, $order:ident;)*) => {$(
    /// Store, or atomic operation without a result, with the order and at least the scope of its name.
    /// # Safety
    /// `address` is valid and aligned memory that the emulated GPU reaches.
    #[inline]
    pub unsafe fn $name(address: *mut $t, value: $t) {
        // SAFETY: the caller guarantees that the address is valid.
        // SYNC(device-word) releases pair with the acquire loads of this file.
        unsafe { $atomic::from_ptr(resolve(address)) }.$method(value, Ordering::$order);
    }
)*} }
stores! {
    st_generic_u8: u8, AtomicU8, store, Relaxed;
    st_generic_u16: u16, AtomicU16, store, Relaxed;
    st_generic_u32: u32, AtomicU32, store, Relaxed;
    st_generic_u64: u64, AtomicU64, store, Relaxed;
    st_relaxed_sys_u8: u8, AtomicU8, store, Relaxed;
    st_relaxed_sys_u16: u16, AtomicU16, store, Relaxed;
    st_relaxed_sys_u32: u32, AtomicU32, store, Relaxed;
    st_relaxed_sys_u64: u64, AtomicU64, store, Relaxed;
    st_release_sys_u32: u32, AtomicU32, store, Release;
    st_release_sys_u64: u64, AtomicU64, store, Release;
    red_add_relaxed_sys_u32: u32, AtomicU32, fetch_add, Relaxed;
    red_and_relaxed_sys_u32: u32, AtomicU32, fetch_and, Relaxed;
    red_or_relaxed_sys_u32: u32, AtomicU32, fetch_or, Relaxed;
    red_xor_relaxed_sys_u32: u32, AtomicU32, fetch_xor, Relaxed;
    red_add_relaxed_sys_u64: u64, AtomicU64, fetch_add, Relaxed;
    red_and_relaxed_sys_u64: u64, AtomicU64, fetch_and, Relaxed;
    red_or_relaxed_sys_u64: u64, AtomicU64, fetch_or, Relaxed;
    red_xor_relaxed_sys_u64: u64, AtomicU64, fetch_xor, Relaxed;
    red_min_relaxed_sys_u32: u32, AtomicU32, fetch_min, Relaxed;
    red_min_relaxed_sys_i32: i32, AtomicI32, fetch_min, Relaxed;
    red_min_relaxed_sys_u64: u64, AtomicU64, fetch_min, Relaxed;
    red_min_relaxed_sys_i64: i64, AtomicI64, fetch_min, Relaxed;
    red_max_relaxed_sys_u32: u32, AtomicU32, fetch_max, Relaxed;
    red_max_relaxed_sys_i32: i32, AtomicI32, fetch_max, Relaxed;
    red_max_relaxed_sys_i64: i64, AtomicI64, fetch_max, Relaxed;
    red_max_relaxed_gpu_u64: u64, AtomicU64, fetch_max, Relaxed;
    red_max_relaxed_sys_u64: u64, AtomicU64, fetch_max, Relaxed;
    red_add_release_sys_u64: u64, AtomicU64, fetch_add, Release;
    red_add_release_gpu_u64: u64, AtomicU64, fetch_add, Release;
    // Rust has no order by dependency.
    red_add_dependent_gpu_u64: u64, AtomicU64, fetch_add, Release;
    red_or_release_gpu_u64: u64, AtomicU64, fetch_or, Release;
}

macro_rules! atomics { ($($name:ident: $t:ty, $atomic:ident, $method:ident, $order:ident;)*) => {$(
    /// Atomic operation with the order and at least the scope of its name; returns the previous value.
    /// # Safety
    /// `address` is valid and aligned memory that the emulated GPU reaches.
    #[inline]
    pub unsafe fn $name(address: *mut $t, value: $t) -> $t {
        // SAFETY: the caller guarantees that the address is valid.
        // SYNC(device-word) pairs with itself and the acquire loads of this file.
        unsafe { $atomic::from_ptr(resolve(address)) }.$method(value, Ordering::$order)
    }
)*} }
atomics! {
    atom_add_acq_rel_gpu_u32: u32, AtomicU32, fetch_add, AcqRel;
    atom_add_acq_rel_gpu_u64: u64, AtomicU64, fetch_add, AcqRel;
    atom_add_acquire_gpu_u64: u64, AtomicU64, fetch_add, Acquire;
    atom_add_relaxed_gpu_u64: u64, AtomicU64, fetch_add, Relaxed;
    atom_exch_relaxed_gpu_u64: u64, AtomicU64, swap, Relaxed;
    atom_add_relaxed_sys_u32: u32, AtomicU32, fetch_add, Relaxed;
    atom_and_relaxed_sys_u32: u32, AtomicU32, fetch_and, Relaxed;
    atom_or_relaxed_sys_u32: u32, AtomicU32, fetch_or, Relaxed;
    atom_xor_relaxed_sys_u32: u32, AtomicU32, fetch_xor, Relaxed;
    atom_exch_relaxed_sys_u32: u32, AtomicU32, swap, Relaxed;
    atom_add_relaxed_sys_u64: u64, AtomicU64, fetch_add, Relaxed;
    atom_and_relaxed_sys_u64: u64, AtomicU64, fetch_and, Relaxed;
    atom_or_relaxed_sys_u64: u64, AtomicU64, fetch_or, Relaxed;
    atom_xor_relaxed_sys_u64: u64, AtomicU64, fetch_xor, Relaxed;
    atom_exch_relaxed_sys_u64: u64, AtomicU64, swap, Relaxed;
    atom_min_relaxed_sys_u32: u32, AtomicU32, fetch_min, Relaxed;
    atom_min_relaxed_sys_i32: i32, AtomicI32, fetch_min, Relaxed;
    atom_min_relaxed_sys_u64: u64, AtomicU64, fetch_min, Relaxed;
    atom_min_relaxed_sys_i64: i64, AtomicI64, fetch_min, Relaxed;
    atom_max_relaxed_sys_u32: u32, AtomicU32, fetch_max, Relaxed;
    atom_max_relaxed_sys_i32: i32, AtomicI32, fetch_max, Relaxed;
    atom_max_relaxed_sys_u64: u64, AtomicU64, fetch_max, Relaxed;
    atom_max_relaxed_sys_i64: i64, AtomicI64, fetch_max, Relaxed;
}

macro_rules! float_additions { ($($name:ident, $quiet:ident: $t:ty, $atomic:ident;)*) => {$(
    /// Adds a number and returns the previous value; relaxed.
    /// # Safety
    /// `address` is valid and aligned memory that the emulated GPU reaches.
    #[inline]
    pub unsafe fn $name(address: *mut $t, value: $t) -> $t {
        // SAFETY: the caller guarantees that the address is valid.
        let word = unsafe { $atomic::from_ptr(resolve(address).cast()) };
        let sum = |before| Some((<$t>::from_bits(before) + value).to_bits());
        // Relaxed: the operation has no order.
        let before = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
        <$t>::from_bits(before.unwrap_or_else(|same| same))
    }

    /// Adds a number; relaxed.
    /// # Safety
    /// `address` is valid and aligned memory that the emulated GPU reaches.
    #[inline]
    pub unsafe fn $quiet(address: *mut $t, value: $t) {
        // SAFETY: the caller guarantees that the address is valid.
        unsafe { $name(address, value) };
    }
)*} }
float_additions! {
    atom_add_relaxed_sys_f32, red_add_relaxed_sys_f32: f32, AtomicU32;
    atom_add_relaxed_sys_f64, red_add_relaxed_sys_f64: f64, AtomicU64;
}

macro_rules! compare_swaps { ($($name:ident: $t:ty, $atomic:ident, $order:ident $failure:ident;)*) => {$(
    /// Stores `value` if the word is `expected`; returns the previous value. It has the order and at least the scope of
    /// its name.
    /// # Safety
    /// `address` is valid and aligned memory that the emulated GPU reaches.
    #[inline]
    pub unsafe fn $name(address: *mut $t, expected: $t, value: $t) -> $t {
        // SAFETY: the caller guarantees that the address is valid.
        // SYNC(device-word) pairs with itself and with the acquire loads and releases of this file.
        match unsafe { $atomic::from_ptr(resolve(address)) }.compare_exchange(expected, value, Ordering::$order, Ordering::$failure) {
            Ok(before) | Err(before) => before,
        }
    }
)*} }
compare_swaps! {
    atom_cas_acq_rel_gpu_u64: u64, AtomicU64, AcqRel Acquire;
    atom_cas_relaxed_sys_u32: u32, AtomicU32, Relaxed Relaxed;
    atom_cas_relaxed_sys_u64: u64, AtomicU64, Relaxed Relaxed;
    atom_cas_release_sys_u64: u64, AtomicU64, Release Relaxed;
}

/// Loads two words, each as a whole; relaxed.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn ld_relaxed_gpu_v2_u64(address: *const [u64; 2]) -> [u64; 2] {
    let words = address.cast::<u64>();
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { [ld_relaxed_sys_u64(words), ld_relaxed_sys_u64(words.wrapping_add(1))] }
}

/// Loads two words, each as a whole; relaxed.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn ld_relaxed_sys_v2_u64(address: *const [u64; 2]) -> [u64; 2] {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { ld_relaxed_gpu_v2_u64(address) }
}

/// Loads two words, each as a whole; acquire.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn ld_acquire_sys_v2_u64(address: *const [u64; 2]) -> [u64; 2] {
    let words = address.cast::<u64>();
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { [ld_acquire_sys_u64(words), ld_acquire_sys_u64(words.wrapping_add(1))] }
}

/// Loads eight words, each as a whole; relaxed.
/// # Safety
/// `address` is the same on all lanes of the warp, valid, and aligned to 64 bytes.
#[inline]
pub unsafe fn ld_relaxed_sys_v8_u64_by_warp(address: *const [u64; 8]) -> [u64; 8] {
    let word = address.cast::<u64>();
    // SAFETY: the caller guarantees that the address is valid.
    core::array::from_fn(|i| unsafe { ld_relaxed_sys_u64(word.wrapping_add(i)) })
}

/// Eight words, which the lane acquires; none unless bit 0 of each is that of `bit`. All lanes of the warp return the
/// same.
/// # Safety
/// `address` is valid and aligned to 64 bytes.
pub unsafe fn ld_acquire_sys_v8_u64_by_warp(address: *const [u64; 8], bit: u64) -> Option<[u64; 8]> {
    let word = address.cast::<u64>();
    // SAFETY: the caller guarantees that the address is valid.
    let words: [u64; 8] = core::array::from_fn(|i| unsafe { ld_acquire_sys_u64(word.wrapping_add(i)) });
    (ballot(!0, words.iter().all(|word| word & 1 == bit)) == !0).then_some(words)
}

/// Loads two words, each as a whole; no order.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn ld_generic_v2_u64(address: *const [u64; 2]) -> [u64; 2] {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { ld_relaxed_gpu_v2_u64(address) }
}

/// Stores two words, each as a whole; no order.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn st_generic_v2_u64(address: *mut [u64; 2], value: [u64; 2]) {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { st_relaxed_sys_v2_u64(address, value) }
}

/// Loads two words, each as a whole; no order.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn ld_weak_v2_u64(address: *const [u64; 2]) -> [u64; 2] {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { ld_relaxed_gpu_v2_u64(address) }
}

/// Stores two words, each as a whole; relaxed.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn st_relaxed_sys_v2_u64(address: *mut [u64; 2], [a, b]: [u64; 2]) {
    let words = address.cast::<u64>();
    // SAFETY: the caller guarantees that the address is valid.
    unsafe {
        st_relaxed_sys_u64(words, a);
        st_relaxed_sys_u64(words.wrapping_add(1), b);
    }
}

/// Loads two words, each as a whole, which do not stay in the L1 cache if there is one; no order.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn ld_stream_v2_u64(address: *const [u64; 2]) -> [u64; 2] {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { ld_relaxed_gpu_v2_u64(address) }
}

/// Stores two words, each as a whole; no order.
/// # Safety
/// `address` is valid and aligned to 16 bytes.
#[inline]
pub unsafe fn st_stream_v2_u64(address: *mut [u64; 2], value: [u64; 2]) {
    // SAFETY: the caller guarantees that the address is valid.
    unsafe { st_relaxed_sys_v2_u64(address, value) }
}

/// Orders earlier accesses before later ones, with respect to all lanes, GPUs and CPUs that do the same.
pub fn fence_acq_rel_sys() {
    // SYNC(device-word) fence form of the pairs of this file.
    fence(Ordering::AcqRel);
}

/// Like [`fence_acq_rel_sys`], among the lanes of this GPU.
pub fn fence_acq_rel_gpu() {
    // SYNC(device-word) fence form of the pairs of this file.
    fence(Ordering::AcqRel);
}

/// Like [`fence_acq_rel_sys`], and also orders earlier stores before later loads.
pub fn fence_sc_sys() {
    // SYNC(device-word) fence form of the pairs of this file.
    fence(Ordering::SeqCst);
}

/// The value of a binary16 number.
pub fn f32_of_f16(bits: u16) -> f32 {
    crate::half::f32_of_f16(bits)
}

/// The nearest binary16 number.
pub fn f16_of_f32(value: f32) -> u16 {
    crate::half::f16_of_f32(value)
}

/// Nanoseconds on a clock that all lanes of this process share and that nobody sets: since 1970, like a GPU's.
pub fn globaltimer() -> u64 {
    static START: LazyLock<(Duration, Instant)> = LazyLock::new(|| {
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        (since_1970.expect("a clock that is right"), Instant::now())
    });
    (START.0 + START.1.elapsed()).as_nanos() as u64
}

/// Called between two polls of a word that another party will change: lets the other lanes run.
pub fn pause() {
    (current().suspend)(Event::Yield);
}

/// Like [`pause`]: here it makes no difference how many lanes poll.
pub fn pause_among_blocks() {
    pause();
}

/// The number itself.
pub fn opaque(number: usize) -> usize {
    number
}

/// Ends the kernel with an error.
pub fn trap() -> ! {
    (current().trap)()
}

/// Where this process keeps the bytes of a device address.
#[inline(always)]
pub fn resolve<T>(address: *mut T) -> *mut T {
    address.wrapping_byte_add(soft::resolve(address.addr() as u64).wrapping_sub(address.addr() as u64) as usize)
}

/// For tests: makes this thread a lane with this index in a block of this size. It never waits for others.
#[cfg(test)]
pub(crate) fn in_lane(thread_idx: Dim3, block_dim: Dim3) {
    use cushmem_abi::lane::{Lane, set_current};
    static CONTEXT: cushmem_abi::DeviceContext = cushmem_abi::DeviceContext {
        abi_version: cushmem_abi::ABI_VERSION,
        my_pe: 0,
        n_pes: 1,
        my_place: 0,
        direct_pes: 1,
        atomic_pes: 1,
        far: 0,
        host: cushmem_abi::Units { first: 0, count: 0, stride: 0 },
        gpu: cushmem_abi::Units { first: 0, count: 0, stride: 0 },
        put_to_processor: u32::MAX,
        processor: 0,
        tables: 0,
        sync_area: 0,
        reports: 0,
        ring: 0,
        wait_limit_ns: 3_600_000_000_000,
        get_to_processor: u32::MAX,
        record_every: 1,
        record: 0,
        record_slots: 1,
    };
    let (suspend, trap) = (|_| 0, || panic!("a trap"));
    let (block_idx, grid_dim, shared_bytes) = ([1, 2, 3], [4, 5, 6], 0);
    let (kernel, context) = ("test", Some(&CONTEXT));
    set_current(Some(Lane {
        thread_idx,
        block_idx,
        block_dim,
        grid_dim,
        shared_bytes,
        kernel,
        context,
        suspend,
        trap,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{thread, time::Duration};

    /// Catches lanes of two streams that disagree about the time.
    #[test]
    fn streams_have_one_clock() {
        globaltimer();
        thread::sleep(Duration::from_millis(2));
        let before = globaltimer();
        let there = thread::spawn(globaltimer).join().expect("it does not panic");
        assert!(before <= there && there <= globaltimer());
    }

    /// Catches records that look the same for blocks which differ only in y or z.
    #[test]
    fn blocks_have_numbers() {
        in_lane([1, 2, 0], [8, 4, 1]);
        assert_eq!(block_and_thread(), (1 + 4 * (2 + 5 * 3)) << 32 | (1 + 8 * 2));
    }
}

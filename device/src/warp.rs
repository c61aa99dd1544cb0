//! What the lanes of a warp tell each other without memory: shuffles, votes and matches.
//!
//! Each function takes a mask, with a bit for each lane of the warp that takes part: `u32::MAX` for all of them. The
//! rules are those of PTX's `.sync` instructions:
//!
//! * The calling lane is in its own mask.
//! * All lanes of the mask call the same function with the same mask, each in the same order as the others. A lane
//!   waits for the rest, which may come from other branches. Lanes that the block does not have take no part.
//! * A lane of the mask that has returned from the kernel is a mistake: the emulated GPU ends the kernel with a
//!   message, and a GPU may wait for ever.
//! * Nothing orders accesses to memory, except [`crate::syncwarp`].
//!
//! A function costs one instruction for each 32 bits of the value, and some 25 cycles.

use crate::{Word, arch, ballot};

macro_rules! shuffles { ($($(#[$doc:meta])* $name:ident, $argument:ident;)*) => {$(
    $(#[$doc])*
    #[inline(always)]
    pub fn $name<T: Word>(mask: u32, value: T, $argument: u32) -> T {
        let bits = value.to_command();
        let low = arch::$name(mask, bits as u32, $argument);
        let high = if size_of::<T>() > 4 { arch::$name(mask, (bits >> 32) as u32, $argument) } else { 0 };
        T::of_command(u64::from(high) << 32 | u64::from(low))
    }
)*} }
shuffles! {
    /// Returns `value` of lane `source % 32` of the warp (CUDA's `__shfl_sync`). If that lane is not in the mask, the
    /// result is arbitrary. The module's rules about masks hold: all lanes of `mask` call it.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, kernels, lane_id, shfl_idx};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One warp. Gives the first lane's number to all lanes.
    ///     pub unsafe fn spread(numbers: DevPtr<f64>) {
    ///         let number = numbers.add(lane_id() as usize);
    ///         number.write(shfl_idx(u32::MAX, number.read(), 0));
    ///     }
    /// }
    /// ```
    shfl_idx, source;
    /// Returns `value` of the lane that is `delta % 32` lower, or the lane's own value if there is no such lane (CUDA's
    /// `__shfl_up_sync`). If that lane is not in the mask, the result is arbitrary. All lanes of `mask` call it.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, kernels, lane_id, shfl_up};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One warp. Replaces each number but the first by its difference to the one before.
    ///     pub unsafe fn differences(numbers: DevPtr<i32>) {
    ///         let number = numbers.add(lane_id() as usize);
    ///         let before = shfl_up(u32::MAX, number.read(), 1);
    ///         if lane_id() > 0 {
    ///             number.write(number.read() - before);
    ///         }
    ///     }
    /// }
    /// ```
    shfl_up, delta;
    /// Returns `value` of the lane that is `delta % 32` higher, or the lane's own value if there is no such lane
    /// (CUDA's `__shfl_down_sync`). If that lane is not in the mask, the result is arbitrary. All lanes of `mask` call
    /// it.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, kernels, lane_id, shfl_down};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One warp. Counts the neighbours that are equal.
    ///     pub unsafe fn equal(numbers: DevPtr<u64>, equal: DevPtr<u32>) {
    ///         let number = numbers.add(lane_id() as usize).read();
    ///         let next = shfl_down(u32::MAX, number, 1);
    ///         let pairs = cushmem_device::ballot(u32::MAX, lane_id() < 31 && number == next).count_ones();
    ///         if lane_id() == 0 {
    ///             equal.write(pairs);
    ///         }
    ///     }
    /// }
    /// ```
    shfl_down, delta;
    /// Returns `value` of the lane whose number differs in the low five of the given bits (CUDA's `__shfl_xor_sync`).
    /// If that lane is not in the mask, the result is arbitrary. All lanes of `mask` call it.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, kernels, lane_id, shfl_xor};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One warp. Swaps numbers 0 and 1, 2 and 3, and so on.
    ///     pub unsafe fn swap(numbers: DevPtr<f32>) {
    ///         let number = numbers.add(lane_id() as usize);
    ///         number.write(shfl_xor(u32::MAX, number.read(), 1));
    ///     }
    /// }
    /// ```
    shfl_xor, bits;
}

/// Returns whether `holds` is true on all lanes of the mask (CUDA's `__all_sync`). All lanes of `mask` call it.
///
/// ```
/// use cushmem_device::{DevPtr, kernels, lane_id, vote_all};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One warp. Halves 32 numbers until one of them is odd.
///     pub unsafe fn halve(numbers: DevPtr<u32>) {
///         let number = numbers.add(lane_id() as usize);
///         while vote_all(u32::MAX, number.read() > 0 && number.read() % 2 == 0) {
///             number.write(number.read() / 2);
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn vote_all(mask: u32, holds: bool) -> bool {
    ballot(mask, !holds) == 0
}

/// Returns whether `holds` is true on any lane of the mask (CUDA's `__any_sync`). All lanes of `mask` call it.
///
/// ```
/// use cushmem_device::{DevPtr, kernels, lane_id, vote_any};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One warp. Says whether one of 32 numbers is negative.
///     pub unsafe fn is_negative(numbers: DevPtr<f32>, negative: DevPtr<u8>) {
///         let any = vote_any(u32::MAX, numbers.add(lane_id() as usize).read() < 0.0);
///         if lane_id() == 0 {
///             negative.write(any.into());
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn vote_any(mask: u32, holds: bool) -> bool {
    ballot(mask, holds) != 0
}

/// Returns a bit for each lane of the mask that passed the same bits as this one (CUDA's `__match_any_sync`). All lanes
/// of `mask` call it.
///
/// ```
/// use cushmem_device::{DevPtr, atomic_add, kernels, lane_id, match_any, my_pe};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One warp. Counts keys, with one addition for each key that occurs.
///     pub unsafe fn count(keys: DevPtr<u32>, counts: DevPtr<u64>) {
///         let key = keys.add(lane_id() as usize).read();
///         let same = match_any(u32::MAX, key);
///         if same.trailing_zeros() == lane_id() {
///             atomic_add(counts.add(key as usize), same.count_ones().into(), my_pe());
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn match_any<T: Word>(mask: u32, value: T) -> u32 {
    arch::match_any(mask, value.to_command())
}

/// Returns whether all lanes of the mask passed the same bits (CUDA's `__match_all_sync`). All lanes of `mask` call it.
///
/// ```
/// use cushmem_device::{DevPtr, kernels, lane_id, match_all, p};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One warp. Stores a number to each of 32 PEs; says whether all numbers were the same.
///     pub unsafe fn tell(numbers: DevPtr<u64>, inbox: DevPtr<u64>, same: DevPtr<u8>) {
///         let number = numbers.add(lane_id() as usize).read();
///         p(inbox, number, lane_id());
///         same.add(lane_id() as usize).write(match_all(u32::MAX, number).into());
///     }
/// }
/// ```
#[inline(always)]
pub fn match_all<T: Word>(mask: u32, value: T) -> bool {
    let first = shfl_idx(mask, value, mask.trailing_zeros());
    vote_all(mask, first.to_command() == value.to_command())
}

//! Reductions and scans over the lanes of a warp or a block. They involve no other PE.

use crate::warp::{shfl_down, shfl_idx, shfl_up};
use crate::{And, Block, Max, Min, Operation, Or, Scope, Shared, Sum, Warp, Word, Xor, arch, shared_id};

/// An operation that combines the values of lanes. Sums of floating-point numbers are added in an order that depends on
/// the number of lanes only, so that the result has the same bits each time and on the emulated GPU. [`Warp::fold`] has
/// an example.
pub trait Fold<T>: Operation<T> {
    /// What an exclusive scan gives to the first lane: a value that does not change others.
    const IDENTITY: T;
}

macro_rules! folds { ($($operation:ident: $($t:ty = $identity:expr),*;)*) => {$($(
    impl Fold<$t> for $operation {
        const IDENTITY: $t = $identity;
    }
)*)*} }
folds! {
    Sum: u32 = 0, i32 = 0, u64 = 0, i64 = 0, f32 = 0.0, f64 = 0.0;
    Min: u32 = u32::MAX, i32 = i32::MAX, u64 = u64::MAX, i64 = i64::MAX, f32 = f32::INFINITY, f64 = f64::INFINITY;
    Max: u32 = 0, i32 = i32::MIN, u64 = 0, i64 = i64::MIN, f32 = f32::NEG_INFINITY, f64 = f64::NEG_INFINITY;
    And: u32 = !0, i32 = !0, u64 = !0, i64 = !0;
    Or: u32 = 0, i32 = 0, u64 = 0, i64 = 0;
    Xor: u32 = 0, i32 = 0, u64 = 0, i64 = 0;
}

/// The first `count` lanes of a warp, which are at least one.
#[derive(Clone, Copy)]
struct Lanes {
    lane: u32,
    count: u32,
    /// All lanes of the warp that the block has.
    mask: u32,
}

impl Lanes {
    /// Returns the combined value of the `count` lanes to lane 0; the others get a part of it.
    #[inline(always)]
    fn fold<T: Word, F: Fold<T>>(self, mut value: T) -> T {
        let mut distance = 16;
        while distance > 0 {
            let other = shfl_down(self.mask, value, distance);
            if self.lane + distance < self.count {
                value = F::apply(value, other);
            }
            distance /= 2;
        }
        value
    }

    /// Returns the combined value of this lane and those before it.
    #[inline(always)]
    fn scan<T: Word, F: Fold<T>>(self, mut value: T) -> T {
        let mut distance = 1;
        while distance < 32 {
            let other = shfl_up(self.mask, value, distance);
            if self.lane >= distance {
                value = F::apply(other, value);
            }
            distance *= 2;
        }
        value
    }

    /// Returns the result of [`Lanes::scan`] of the lane before this one.
    #[inline(always)]
    fn before<T: Word, F: Fold<T>>(self, scanned: T) -> T {
        let before = shfl_up(self.mask, scanned, 1);
        if self.lane > 0 { before } else { F::IDENTITY }
    }
}

impl Warp {
    #[inline(always)]
    fn all(self) -> Lanes {
        Lanes { lane: arch::lane_id(), count: 32, mask: u32::MAX }
    }

    /// Combines the values of all lanes, and returns the result to each. All lanes of the warp call it.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, Max, Scope, Warp, kernels};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One warp. Finds the largest of `n` numbers.
    ///     pub unsafe fn largest(numbers: DevPtr<f32>, n: usize, result: DevPtr<f32>) {
    ///         let (mut i, mut largest) = (Warp.lane(), f32::NEG_INFINITY);
    ///         while i < n {
    ///             largest = largest.max(numbers.add(i).read());
    ///             i += Warp.lanes();
    ///         }
    ///         let largest = Warp.fold(Max, largest);
    ///         if Warp.lane() == 0 {
    ///             result.write(largest);
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn fold<T: Word, F: Fold<T>>(self, _: F, value: T) -> T {
        shfl_idx(u32::MAX, self.all().fold::<T, F>(value), 0)
    }

    /// Combines the values of this lane and of those before it. All lanes of the warp call it.
    ///
    /// ```
    /// use cushmem_device::{DevPtr, Scope, Sum, Warp, kernels};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One warp. Replaces each of 32 numbers by the sum up to it.
    ///     pub unsafe fn add_up(numbers: DevPtr<u64>) {
    ///         let number = numbers.add(Warp.lane());
    ///         number.write(Warp.inclusive_scan(Sum, number.read()));
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn inclusive_scan<T: Word, F: Fold<T>>(self, _: F, value: T) -> T {
        self.all().scan::<T, F>(value)
    }

    /// Combines the values of the lanes before this one; the first lane gets [`Fold::IDENTITY`]. All lanes of the warp
    /// call it. [`Block::exclusive_scan`] has an example.
    #[inline(always)]
    pub fn exclusive_scan<T: Word, F: Fold<T>>(self, _: F, value: T) -> T {
        self.all().before::<T, F>(self.all().scan::<T, F>(value))
    }
}

/// What the warps of a block tell each other: a value of each, and what the first warp makes of them.
///
/// A warp stores its value, and the first warp loads all values after a barrier and stores the results, which all lanes
/// load after a second one. The next call can start at once. It overwrites values, which the first warp loaded before
/// the second barrier; and results only behind its own first barrier, which no lane reaches before it has loaded its
/// result of this call.
const WORDS: Shared<u64, { 2 * WARPS }, FOLD_ID> = Shared::new();
/// The most warps of a block.
const WARPS: usize = 32;
#[doc(hidden)]
pub const FOLD_ID: u64 = shared_id("cushmem-device fold", 0, 0);
#[doc(hidden)]
pub const FOLD_BYTES: usize = 2 * WARPS * size_of::<u64>();

impl Block {
    /// The lanes of this lane's warp, of which the last one of a block can lack some.
    #[inline(always)]
    fn of_warp(self) -> Lanes {
        let (number, lanes) = (self.lane() as u32, self.lanes() as u32);
        let count = (lanes - number / 32 * 32).min(32);
        Lanes { lane: number % 32, count, mask: u32::MAX >> (32 - count) }
    }

    /// Gives `value` of lane `source` of each warp to the first warp, whose lanes combine them: `combine` gets the
    /// lanes that have a value, and returns the results. Returns result `index`.
    #[inline(always)]
    fn among_warps<T: Word>(self, value: T, source: u32, index: usize, combine: impl FnOnce(Lanes, T) -> T) -> T {
        let (of_warp, number) = (self.of_warp(), self.lane());
        let warps = self.lanes().div_ceil(32);
        let (values, results) = (WORDS.ptr(), WORDS.ptr().add(WARPS));
        // SAFETY: there are two words for each warp, and the barriers separate their accesses, as `WORDS` says.
        unsafe {
            if of_warp.lane == source {
                values.add(number / 32).write(value.to_command());
            }
            self.sync();
            if number < 32 {
                let given = T::of_command(values.add(number.min(warps - 1)).read());
                let result = combine(Lanes { count: warps as u32, ..of_warp }, given);
                results.add(number).write(result.to_command());
            }
            self.sync();
            T::of_command(results.add(index).read())
        }
    }

    /// Combines the values of all lanes, and returns the result to each. All lanes of the block call it; it also does
    /// what [`Scope::sync`] does, twice.
    ///
    /// ```
    /// use cushmem_device::{Block, DevPtr, Scope, Sum, kernels};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Returns the scalar product of two vectors of `n` elements.
    ///     pub unsafe fn dot(a: DevPtr<f64>, b: DevPtr<f64>, n: usize, result: DevPtr<f64>) {
    ///         let (mut i, mut sum) = (Block.lane(), 0.0);
    ///         while i < n {
    ///             sum += a.add(i).read() * b.add(i).read();
    ///             i += Block.lanes();
    ///         }
    ///         let sum = Block.fold(Sum, sum);
    ///         if Block.lane() == 0 {
    ///             result.write(sum);
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn fold<T: Word, F: Fold<T>>(self, _: F, value: T) -> T {
        let of_warp = self.of_warp().fold::<T, F>(value);
        self.among_warps(of_warp, 0, 0, |lanes, value| lanes.fold::<T, F>(value))
    }

    /// Returns the combined values of this lane and those before it, and of those before it only.
    #[inline(always)]
    fn scan<T: Word, F: Fold<T>>(self, value: T) -> [T; 2] {
        let (of_warp, warp) = (self.of_warp(), self.lane() / 32);
        let scanned = of_warp.scan::<T, F>(value);
        let exclusive = of_warp.before::<T, F>(scanned);
        let before = self.among_warps(scanned, of_warp.count - 1, warp, |lanes, value| {
            lanes.before::<T, F>(lanes.scan::<T, F>(value))
        });
        if warp == 0 {
            [scanned, exclusive]
        } else {
            [F::apply(before, scanned), if of_warp.lane == 0 { before } else { F::apply(before, exclusive) }]
        }
    }

    /// Combines the values of this lane and of those before it. All lanes of the block call it; it also does what
    /// [`Scope::sync`] does, twice. [`Warp::inclusive_scan`] has an example.
    #[inline(always)]
    pub fn inclusive_scan<T: Word, F: Fold<T>>(self, _: F, value: T) -> T {
        self.scan::<T, F>(value)[0]
    }

    /// Combines the values of the lanes before this one; the first lane gets [`Fold::IDENTITY`]. All lanes of the block
    /// call it; it also does what [`Scope::sync`] does, twice.
    ///
    /// ```
    /// use cushmem_device::{Block, DevPtr, Scope, Sum, kernels};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block. Packs the numbers that are not 0, of which each lane has one.
    ///     pub unsafe fn pack(numbers: DevPtr<u32>, packed: DevPtr<u32>) {
    ///         let number = numbers.add(Block.lane()).read();
    ///         let at = Block.exclusive_scan(Sum, u32::from(number != 0));
    ///         if number != 0 {
    ///             packed.add(at as usize).write(number);
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn exclusive_scan<T: Word, F: Fold<T>>(self, _: F, value: T) -> T {
        self.scan::<T, F>(value)[1]
    }
}

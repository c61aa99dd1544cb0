//! Atomic operations on numbers of several kinds: sums of floats, and minimum and maximum of integers.

use crate::place;
use cushmem_device::{
    Atomic, AtomicNumber, Ctx, DevPtr, atomic_add, atomic_compare_swap_nbi, atomic_fetch, atomic_fetch_add,
    atomic_fetch_inc_nbi, atomic_fetch_max, atomic_fetch_max_nbi, atomic_fetch_min, atomic_fetch_nbi,
    atomic_fetch_or_nbi, atomic_max, atomic_min, atomic_set, atomic_swap, atomic_swap_nbi, kernels_of_module, my_pe,
    quiet,
};

kernels_of_module! {
    /// Sums of `f32`: see [`sums`].
    pub unsafe fn sums_f32(words: DevPtr<u32>, pe: u32, first: u32, times: u32, wrong: DevPtr<u64>) {
        sums::<f32>(Numbers { words: words.cast(), pe, first, times, wrong });
    }

    /// Sums of `f64`: see [`sums`].
    pub unsafe fn sums_f64(words: DevPtr<u64>, pe: u32, first: u32, times: u32, wrong: DevPtr<u64>) {
        sums::<f64>(Numbers { words: words.cast(), pe, first, times, wrong });
    }

    /// Operations that store their result in memory: see [`later`].
    pub unsafe fn amo_later(words: DevPtr<u64>, pe: u32, first: u32, found: DevPtr<u64>, wrong: DevPtr<u64>) {
        later(Numbers { words, pe, first, times: 1, wrong }, found);
    }

    /// Minimum and maximum of `u32`: see [`extrema`].
    pub unsafe fn extrema_u32(words: DevPtr<u32>, pe: u32, first: u32, times: u32, wrong: DevPtr<u64>) {
        extrema::<u32>(Numbers { words: words.cast(), pe, first, times, wrong });
    }

    /// Minimum and maximum of `i32`: see [`extrema`].
    pub unsafe fn extrema_i32(words: DevPtr<u32>, pe: u32, first: u32, times: u32, wrong: DevPtr<u64>) {
        extrema::<i32>(Numbers { words: words.cast(), pe, first, times, wrong });
    }

    /// Minimum and maximum of `u64`: see [`extrema`].
    pub unsafe fn extrema_u64(words: DevPtr<u64>, pe: u32, first: u32, times: u32, wrong: DevPtr<u64>) {
        extrema::<u64>(Numbers { words: words.cast(), pe, first, times, wrong });
    }

    /// Minimum and maximum of `i64`: see [`extrema`].
    pub unsafe fn extrema_i64(words: DevPtr<u64>, pe: u32, first: u32, times: u32, wrong: DevPtr<u64>) {
        extrema::<i64>(Numbers { words: words.cast(), pe, first, times, wrong });
    }

    /// Minimum and maximum of `usize`: see [`extrema`].
    pub unsafe fn extrema_usize(words: DevPtr<u64>, pe: u32, first: u32, times: u32, wrong: DevPtr<u64>) {
        extrema::<usize>(Numbers { words: words.cast(), pe, first, times, wrong });
    }
}

/// Words that all lanes change. They are followed by one word for each lane of all PEs, of which there are at most
/// [`NUMBER_LANES`].
pub const NUMBER_WORDS: usize = 4;
/// The most lanes of all PEs.
pub const NUMBER_LANES: usize = 64;

/// What a launch works on.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<T> {
    /// Symmetric.
    pub(crate) words: DevPtr<T>,
    pub(crate) pe: u32,
    /// The number of this PE's first lane among the lanes of all PEs.
    pub(crate) first: u32,
    pub(crate) times: u32,
    /// Symmetric: counts results that no order of the operations explains.
    pub(crate) wrong: DevPtr<u64>,
}

impl<T> Numbers<T> {
    #[inline(always)]
    fn me(&self) -> u32 {
        self.first + place::lane() as u32
    }

    /// The word of this lane alone.
    #[inline(always)]
    fn own(&self) -> DevPtr<T> {
        self.words.add(NUMBER_WORDS + self.me() as usize)
    }

    #[inline(always)]
    unsafe fn report(&self, wrong: u64) {
        quiet();
        if wrong != 0 {
            // SAFETY: the caller guarantees that the counter is valid.
            unsafe { atomic_add(self.wrong, wrong, my_pe()) }
        }
    }
}

/// A floating-point number under test.
pub(crate) trait Float: AtomicNumber {
    /// A NaN whose bits no operation of the hardware makes.
    const NAN: Self;
    fn of(value: u32) -> Self;
    fn negated(self) -> Self;
    fn same(self, other: Self) -> bool;
    fn is_not_a_number(self) -> bool;
}

macro_rules! floats { ($($t:ty: $nan:literal;)*) => {$(
    impl Float for $t {
        const NAN: Self = <$t>::from_bits($nan);
        #[inline(always)]
        fn of(value: u32) -> Self {
            value as $t
        }
        #[inline(always)]
        fn negated(self) -> Self {
            -self
        }
        #[inline(always)]
        fn same(self, other: Self) -> bool {
            self.to_bits() == other.to_bits()
        }
        #[inline(always)]
        fn is_not_a_number(self) -> bool {
            self.is_nan()
        }
    }
)*} }
floats! { f32: 0xffc1_2345; f64: 0xfff8_1234_5678_9abc; }

/// Each lane adds 1 to one word and 2 to another, `times` times each, takes part in swaps of a third, and uses its own
/// word as the rules for zeros and NaN say. All sums are exact.
///
/// # Safety
/// As the fields say; one block.
#[inline(always)]
pub(crate) unsafe fn sums<T: Float>(numbers: Numbers<T>) {
    let Numbers { words, pe, times, .. } = numbers;
    let (zero, own, ctx) = (T::of(0), numbers.own(), Ctx::new());
    let (mut wrong, mut i, mut last) = (0, 0, T::of(1).negated());
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while i < times {
            atomic_add(words, T::of(1), pe);
            let before = atomic_fetch_add(words.add(1), T::of(2), pe);
            // Nobody subtracts.
            wrong += u64::from(before <= last);
            last = before;
            i += 1;
        }
        // What comes out is what another lane, or the test, has put in.
        let swapped = atomic_swap(words.add(2), T::of(numbers.me() + 1), pe);
        wrong += u64::from(!(swapped >= zero && swapped <= T::of(NUMBER_LANES as u32)));
        // The sum of negative zeros keeps the sign, and that with a positive zero loses it.
        atomic_set(own, zero.negated(), pe);
        ctx.fence();
        quiet();
        wrong += u64::from(!atomic_fetch_add(own, zero.negated(), pe).same(zero.negated()));
        wrong += u64::from(!ctx.atomic_fetch_add(own, zero, pe).same(zero.negated()));
        wrong += u64::from(!atomic_fetch(own, pe).same(zero));
        // A swap keeps the bits of a NaN, and a sum with one is one.
        wrong += u64::from(!atomic_swap(own, T::NAN, pe).same(zero));
        wrong += u64::from(!ctx.atomic_swap(own, T::of(5), pe).same(T::NAN));
        ctx.atomic_add(own, T::NAN, pe);
        ctx.quiet();
        wrong += u64::from(!atomic_fetch_add(own, T::of(1), pe).is_not_a_number());
        wrong += u64::from(!atomic_fetch(own, pe).is_not_a_number());
        ctx.atomic_set(own, T::of(numbers.me()), pe);
        ctx.quiet();
        numbers.report(wrong);
    }
}

/// Each lane changes its own word by every operation that stores its result in memory, here in `found`, which has a
/// private word for each lane.
///
/// # Safety
/// As the fields say; one block.
#[inline(always)]
pub(crate) unsafe fn later(numbers: Numbers<u64>, found: DevPtr<u64>) {
    let (own, pe, ctx) = (numbers.own(), numbers.pe, Ctx::new());
    let (fetch, mut wrong) = (found.add(place::lane()), 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        let mut check = |expected: u64| {
            quiet();
            ctx.quiet();
            wrong += u64::from(fetch.read() != expected);
        };
        atomic_set(own, 5, pe);
        quiet();
        atomic_fetch_nbi(fetch, own, pe);
        check(5);
        atomic_fetch_inc_nbi(fetch, own, pe);
        check(5);
        ctx.atomic_fetch_add_nbi(fetch, own, 4, pe);
        check(6);
        atomic_compare_swap_nbi(fetch, own, 10, 12, pe);
        check(10);
        ctx.atomic_fetch_and_nbi(fetch, own, 9, pe);
        check(12);
        atomic_fetch_or_nbi(fetch, own, 3, pe);
        check(8);
        ctx.atomic_fetch_xor_nbi(fetch, own, 2, pe);
        check(11);
        atomic_fetch_max_nbi(fetch, own, 20, pe);
        check(9);
        ctx.atomic_fetch_min_nbi(fetch, own, 7, pe);
        check(20);
        let float = |value: f64| value.to_bits();
        atomic_swap_nbi(fetch, own, float(1.5), pe);
        check(7);
        ctx.atomic_fetch_add_nbi(fetch.cast::<f64>(), own.cast(), 0.25, pe);
        check(float(1.5));
        atomic_fetch_nbi(fetch.cast::<f64>(), own.cast(), pe);
        check(float(1.75));
        numbers.report(wrong);
    }
}

/// An integer under test.
pub(crate) trait Integer: Atomic + Ord {
    fn of(bits: u64) -> Self;
}

macro_rules! integers { ($($t:ty)*) => {$(
    impl Integer for $t {
        #[inline(always)]
        fn of(bits: u64) -> Self {
            bits as $t
        }
    }
)*} }
integers! { u32 i32 u64 i64 usize }

/// Each lane offers `times` numbers to words that keep the largest and the smallest, and tries numbers on both sides of
/// the sign on its own word.
///
/// # Safety
/// As the fields say; one block.
#[inline(always)]
pub(crate) unsafe fn extrema<T: Integer>(numbers: Numbers<T>) {
    let Numbers { words, pe, times, .. } = numbers;
    let (own, ctx) = (numbers.own(), Ctx::new());
    let (mut wrong, mut i) = (0, 0);
    let (mut largest, mut smallest) = (None::<T>, None::<T>);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while i < times {
            let offer = u64::from(numbers.me() * times + i);
            atomic_max(words, T::of(1000 + offer), pe);
            ctx.atomic_min(words.add(1), T::of(1_000_000 - offer), pe);
            let before = ctx.atomic_fetch_max(words.add(2), T::of(1000 + offer), pe);
            wrong += u64::from(largest.is_some_and(|last| before < last));
            largest = Some(if before > T::of(1000 + offer) { before } else { T::of(1000 + offer) });
            let before = atomic_fetch_min(words.add(3), T::of(1_000_000 - offer), pe);
            wrong += u64::from(smallest.is_some_and(|last| before > last));
            smallest = Some(if before < T::of(1_000_000 - offer) { before } else { T::of(1_000_000 - offer) });
            i += 1;
        }
        // All bits are the largest number, or minus one.
        let (one, ones) = (T::of(1), T::of(u64::MAX));
        let (low, high) = if ones > one { (one, ones) } else { (ones, one) };
        atomic_set(own, low, pe);
        quiet();
        wrong += u64::from(atomic_fetch_max(own, high, pe) != low);
        wrong += u64::from(atomic_fetch_max(own, low, pe) != high);
        wrong += u64::from(atomic_fetch_min(own, high, pe) != high);
        wrong += u64::from(ctx.atomic_fetch_min(own, low, pe) != high);
        wrong += u64::from(atomic_fetch(own, pe) != low);
        ctx.atomic_max(own, high, pe);
        ctx.quiet();
        ctx.atomic_max(own, low, pe);
        ctx.quiet();
        wrong += u64::from(atomic_fetch(own, pe) != high);
        atomic_min(own, low, pe);
        quiet();
        atomic_min(own, high, pe);
        quiet();
        wrong += u64::from(atomic_fetch(own, pe) != low);
        numbers.report(wrong);
    }
}

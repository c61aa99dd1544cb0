//! Atomic operations of all lanes of all PEs on the same words.

use crate::place;
use cushmem_device::{
    Atomic, Ctx, DevPtr, atomic_add, atomic_and, atomic_compare_swap, atomic_fetch, atomic_fetch_add, atomic_fetch_and,
    atomic_fetch_inc, atomic_fetch_or, atomic_fetch_xor, atomic_inc, atomic_or, atomic_swap, atomic_xor, my_pe,
};

/// Words that all lanes change, 8 bytes apart: a counter; sums without results, with results and by compare-and-swap;
/// bits by OR, AND and exclusive OR, without results and with results; the last swapped value. They are followed by one
/// word for each lane.
pub const AMO_WORDS: usize = 11;

/// What a launch works on.
#[derive(Clone, Copy)]
pub(crate) struct Amos {
    /// Symmetric: [`AMO_WORDS`] words and one for each lane of all PEs.
    pub(crate) words: DevPtr<u64>,
    pub(crate) pe: u32,
    /// The number of this PE's first lane among the lanes of all PEs, of which there are at most 32.
    pub(crate) first: u32,
    pub(crate) times: usize,
    /// Private: for each lane `times` values of the counter, and one that was swapped out.
    pub(crate) fetched: DevPtr<u64>,
    /// Symmetric: counts results that no order of the operations explains.
    pub(crate) wrong: DevPtr<u64>,
}

/// A type of number under test.
pub(crate) trait Number: Atomic {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! numbers { ($($t:ty: $unsigned:ty;)*) => {$(
    impl Number for $t {
        #[inline(always)]
        fn of(bits: u64) -> Self {
            bits as $t
        }
        #[inline(always)]
        fn bits(self) -> u64 {
            (self as $unsigned).into()
        }
    }
)*} }
numbers! { u32: u32; i32: u32; u64: u64; i64: u64; }

/// Every lane does every operation.
///
/// # Safety
/// As the fields say; one block.
#[inline(always)]
pub(crate) unsafe fn all<T: Number>(amos: Amos) {
    let (pe, me) = (amos.pe, u64::from(amos.first) + place::lane() as u64);
    let word = |i: usize| amos.words.add(i).cast::<T>();
    let fetched = amos.fetched.add(place::lane() * (amos.times + 1));
    let ctx = Ctx::new();
    let (mut wrong, mut i) = (0, 0);
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while i < amos.times {
            fetched.add(i).write(atomic_fetch_inc(word(0), pe).bits());
            atomic_inc(word(1), pe);
            atomic_add(word(1), T::of(me), pe);
            atomic_fetch_add(word(2), T::of(me.wrapping_neg()), pe);
            let mut seen = atomic_fetch(word(3), pe);
            loop {
                let before = atomic_compare_swap(word(3), seen, T::of(seen.bits() + 1), pe);
                if before == seen {
                    break;
                }
                seen = before;
            }
            i += 1;
        }
        let (bit, others) = (T::of(1 << me), T::of(!(1 << me)));
        // Twice, because the second time makes no difference, whereas an addition or exclusive OR in its place would.
        atomic_or(word(4), bit, pe);
        ctx.atomic_or(word(4), bit, pe);
        atomic_and(word(5), others, pe);
        ctx.atomic_and(word(5), others, pe);
        atomic_xor(word(6), bit, pe);
        // Nobody else touches this lane's bit.
        let had = |before: T| before.bits() & bit.bits() != 0;
        wrong += u64::from(had(atomic_fetch_or(word(7), bit, pe)));
        wrong += u64::from(!had(ctx.atomic_fetch_or(word(7), bit, pe)));
        wrong += u64::from(!had(atomic_fetch_and(word(8), others, pe)));
        wrong += u64::from(had(ctx.atomic_fetch_and(word(8), others, pe)));
        wrong += u64::from(!had(atomic_fetch_xor(word(9), bit, pe)));
        fetched.add(amos.times).write(atomic_swap(word(10), T::of(me + 1), pe).bits());
        let own = word(AMO_WORDS + me as usize);
        ctx.atomic_set(own, T::of(me + 7), pe);
        // Sets are stores where the GPU reaches the word, even if the CPU carries out the next operation.
        ctx.fence();
        wrong += u64::from(atomic_compare_swap(own, T::of(me + 8), T::of(1), pe).bits() != me + 7);
        atomic_and(own, T::of(u64::MAX), pe);
        ctx.quiet();
        wrong += u64::from(atomic_fetch(own, pe).bits() != me + 7);
        if wrong != 0 {
            atomic_add(amos.wrong, wrong, my_pe());
        }
    }
}

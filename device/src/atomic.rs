use crate::{DevPtr, Word, arch};
use cushmem_abi::WordOp;

/// A number of 4 or 8 bytes that has the atomic operations fetch, set, swap and add: an integer, `f32` or `f64`. These
/// are OpenSHMEM's extended AMO types, which have no addition there. All operations are relaxed, at system scope.
///
/// Sums of integers wrap around. Sums of floating-point numbers are rounded to the nearest number, with ties to even,
/// so the result of several additions depends on their order. If the word or the operand is NaN, so is the sum, with
/// unspecified bits. The sum of two zeros is negative only if both are. A GPU, which changes the words in its memory,
/// takes a subnormal `f32` for a zero with its sign, and stores such a zero instead of one; a CPU does not. Fetch, set
/// and swap keep all bits, those of a NaN too.
///
/// ```
/// use cushmem_device::{AtomicNumber, DevPtr, atomic_add, kernels, thread_idx_x};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// /// In a kernel: adds to a sum that PE 0 keeps.
/// ///
/// /// # Safety
/// /// `sum` is a symmetric, aligned word.
/// unsafe fn add_up<T: AtomicNumber>(sum: DevPtr<T>, part: T) {
///     // SAFETY: the caller vouches for the word.
///     unsafe { atomic_add(sum, part, 0) }
/// }
///
/// kernels! {
///     /// Adds all `parts` to a sum that PE 0 keeps, each by a lane of the block.
///     pub unsafe fn sum(sum: DevPtr<f64>, parts: DevPtr<f64>) {
///         add_up(sum, parts.add(thread_idx_x() as usize).read());
///     }
/// }
/// ```
///
/// Floating-point numbers have no bitwise operations, minimum or maximum, and no compare-and-swap:
///
/// ```compile_fail,E0277
/// use cushmem_device::{DevPtr, atomic_or};
///
/// unsafe fn mark(word: DevPtr<f32>) {
///     unsafe { atomic_or(word, 1.0, 0) }
/// }
/// ```
pub trait AtomicNumber: Word {
    /// What the CPU is asked for to add to a word.
    #[doc(hidden)]
    const ADD: WordOp;

    /// Adds `value` to the word.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn add_relaxed_sys(to: DevPtr<Self>, value: Self);
    /// Adds `value` to the word and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn fetch_add_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
    /// Stores `value` to the word and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn swap_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
}

/// An integer of 4 or 8 bytes, which one instruction changes as a whole. All operations are relaxed, at system scope,
/// and wrap around. Minimum and maximum compare as the type does, with or without a sign.
///
/// ```
/// use cushmem_device::{DevPtr, atomic_compare_swap, atomic_fetch_add, atomic_max, kernels, my_pe};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Takes a ticket from PE 0; the PE that is first claims `owner` there, which is 0, by its number plus 1.
///     pub unsafe fn queue(tickets: DevPtr<u64>, mine: DevPtr<u64>, owner: DevPtr<u32>, highest: DevPtr<i32>) {
///         let ticket = atomic_fetch_add(tickets, 1, 0);
///         mine.write(ticket);
///         if ticket == 0 {
///             atomic_compare_swap(owner, 0, my_pe() + 1, 0);
///         }
///         atomic_max(highest, my_pe() as i32, 0);
///     }
/// }
/// ```
pub trait Atomic: AtomicNumber {
    /// The value that an increment adds.
    const ONE: Self;
    /// What the CPU is asked for to take the minimum.
    #[doc(hidden)]
    const MINIMUM: WordOp;
    /// What the CPU is asked for to take the maximum.
    #[doc(hidden)]
    const MAXIMUM: WordOp;

    /// Applies bitwise AND with `value` to the word.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn and_relaxed_sys(to: DevPtr<Self>, value: Self);
    /// Applies bitwise OR with `value` to the word.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn or_relaxed_sys(to: DevPtr<Self>, value: Self);
    /// Applies bitwise XOR with `value` to the word.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn xor_relaxed_sys(to: DevPtr<Self>, value: Self);
    /// Stores `value` to the word if it is smaller.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn min_relaxed_sys(to: DevPtr<Self>, value: Self);
    /// Stores `value` to the word if it is larger.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn max_relaxed_sys(to: DevPtr<Self>, value: Self);
    /// Applies bitwise AND with `value` to the word and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn fetch_and_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
    /// Applies bitwise OR with `value` to the word and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn fetch_or_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
    /// Applies bitwise XOR with `value` to the word and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn fetch_xor_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
    /// Stores `value` to the word if it is smaller, and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn fetch_min_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
    /// Stores `value` to the word if it is larger, and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn fetch_max_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
    /// Stores `value` to the word if the word equals `expected`, and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn compare_swap_relaxed_sys(to: DevPtr<Self>, expected: Self, value: Self) -> Self;
}

/// Methods without and with a result: the bits of the word's type are those of the type that the instruction is for.
macro_rules! methods {
    ($($quiet:ident = $red:ident as $bits:ty,)* ; $($fetching:ident = $atom:ident as $fetched:ty,)*) => {
        $(
            #[inline(always)]
            unsafe fn $quiet(to: DevPtr<Self>, value: Self) {
                let value = <$bits>::from_ne_bytes(value.to_ne_bytes());
                // SAFETY: the caller guarantees that the address is valid.
                unsafe { arch::$red(to.cast::<$bits>().raw(), value) }
            }
        )*
        $(
            #[inline(always)]
            unsafe fn $fetching(to: DevPtr<Self>, value: Self) -> Self {
                let value = <$fetched>::from_ne_bytes(value.to_ne_bytes());
                // SAFETY: the caller guarantees that the address is valid.
                let before = unsafe { arch::$atom(to.cast::<$fetched>().raw(), value) };
                Self::from_ne_bytes(before.to_ne_bytes())
            }
        )*
    };
}

macro_rules! numbers { ($($t:ty: $op:ident, $red:ident, $atom:ident as $sum:ty, $exch:ident as $bits:ty;)*) => {$(
    impl AtomicNumber for $t {
        const ADD: WordOp = WordOp::$op;
        methods! {
            add_relaxed_sys = $red as $sum,;
            fetch_add_relaxed_sys = $atom as $sum, swap_relaxed_sys = $exch as $bits,
        }
    }
)*} }
// A sum wraps around to the same bits with or without a sign.
numbers! {
    u32: Add, red_add_relaxed_sys_u32, atom_add_relaxed_sys_u32 as u32, atom_exch_relaxed_sys_u32 as u32;
    i32: Add, red_add_relaxed_sys_u32, atom_add_relaxed_sys_u32 as u32, atom_exch_relaxed_sys_u32 as u32;
    u64: Add, red_add_relaxed_sys_u64, atom_add_relaxed_sys_u64 as u64, atom_exch_relaxed_sys_u64 as u64;
    i64: Add, red_add_relaxed_sys_u64, atom_add_relaxed_sys_u64 as u64, atom_exch_relaxed_sys_u64 as u64;
    usize: Add, red_add_relaxed_sys_u64, atom_add_relaxed_sys_u64 as u64, atom_exch_relaxed_sys_u64 as u64;
    f32: AddFloat, red_add_relaxed_sys_f32, atom_add_relaxed_sys_f32 as f32, atom_exch_relaxed_sys_u32 as u32;
    f64: AddFloat, red_add_relaxed_sys_f64, atom_add_relaxed_sys_f64 as f64, atom_exch_relaxed_sys_u64 as u64;
}

macro_rules! bitwise {
    (u32) => {
        methods! {
            and_relaxed_sys = red_and_relaxed_sys_u32 as u32, or_relaxed_sys = red_or_relaxed_sys_u32 as u32,
            xor_relaxed_sys = red_xor_relaxed_sys_u32 as u32,;
            fetch_and_relaxed_sys = atom_and_relaxed_sys_u32 as u32,
            fetch_or_relaxed_sys = atom_or_relaxed_sys_u32 as u32,
            fetch_xor_relaxed_sys = atom_xor_relaxed_sys_u32 as u32,
        }
        #[inline(always)]
        unsafe fn compare_swap_relaxed_sys(to: DevPtr<Self>, expected: Self, value: Self) -> Self {
            // SAFETY: the caller guarantees that the address is valid.
            unsafe { arch::atom_cas_relaxed_sys_u32(to.cast::<u32>().raw(), expected as u32, value as u32) as Self }
        }
    };
    (u64) => {
        methods! {
            and_relaxed_sys = red_and_relaxed_sys_u64 as u64, or_relaxed_sys = red_or_relaxed_sys_u64 as u64,
            xor_relaxed_sys = red_xor_relaxed_sys_u64 as u64,;
            fetch_and_relaxed_sys = atom_and_relaxed_sys_u64 as u64,
            fetch_or_relaxed_sys = atom_or_relaxed_sys_u64 as u64,
            fetch_xor_relaxed_sys = atom_xor_relaxed_sys_u64 as u64,
        }
        #[inline(always)]
        unsafe fn compare_swap_relaxed_sys(to: DevPtr<Self>, expected: Self, value: Self) -> Self {
            // SAFETY: the caller guarantees that the address is valid.
            unsafe { arch::atom_cas_relaxed_sys_u64(to.cast::<u64>().raw(), expected as u64, value as u64) as Self }
        }
    };
}

macro_rules! ordered {
    (u32) => {
        methods! {
            min_relaxed_sys = red_min_relaxed_sys_u32 as u32, max_relaxed_sys = red_max_relaxed_sys_u32 as u32,;
            fetch_min_relaxed_sys = atom_min_relaxed_sys_u32 as u32,
            fetch_max_relaxed_sys = atom_max_relaxed_sys_u32 as u32,
        }
    };
    (i32) => {
        methods! {
            min_relaxed_sys = red_min_relaxed_sys_i32 as i32, max_relaxed_sys = red_max_relaxed_sys_i32 as i32,;
            fetch_min_relaxed_sys = atom_min_relaxed_sys_i32 as i32,
            fetch_max_relaxed_sys = atom_max_relaxed_sys_i32 as i32,
        }
    };
    (u64) => {
        methods! {
            min_relaxed_sys = red_min_relaxed_sys_u64 as u64, max_relaxed_sys = red_max_relaxed_sys_u64 as u64,;
            fetch_min_relaxed_sys = atom_min_relaxed_sys_u64 as u64,
            fetch_max_relaxed_sys = atom_max_relaxed_sys_u64 as u64,
        }
    };
    (i64) => {
        methods! {
            min_relaxed_sys = red_min_relaxed_sys_i64 as i64, max_relaxed_sys = red_max_relaxed_sys_i64 as i64,;
            fetch_min_relaxed_sys = atom_min_relaxed_sys_i64 as i64,
            fetch_max_relaxed_sys = atom_max_relaxed_sys_i64 as i64,
        }
    };
}

macro_rules! integers { ($($t:ty: $bits:tt, $compared:tt, $min:ident, $max:ident;)*) => {$(
    impl Atomic for $t {
        const ONE: Self = 1;
        const MINIMUM: WordOp = WordOp::$min;
        const MAXIMUM: WordOp = WordOp::$max;
        bitwise! { $bits }
        ordered! { $compared }
    }
)*} }
integers! {
    u32: u32, u32, MinUnsigned, MaxUnsigned;
    i32: u32, i32, MinSigned, MaxSigned;
    u64: u64, u64, MinUnsigned, MaxUnsigned;
    i64: u64, i64, MinSigned, MaxSigned;
    usize: u64, u64, MinUnsigned, MaxUnsigned;
}

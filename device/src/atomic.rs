use crate::{DevPtr, Word, arch};

/// An integer of 4 or 8 bytes, which one instruction changes as a whole. All operations are relaxed, at system scope,
/// and wrap around.
///
/// ```
/// use cushmem_device::{DevPtr, atomic_compare_swap, atomic_fetch_add, kernels, my_pe};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Takes a ticket from PE 0; the PE that is first claims `owner` there, which is 0, by its number plus 1.
///     pub unsafe fn queue(tickets: DevPtr<u64>, mine: DevPtr<u64>, owner: DevPtr<u32>) {
///         let ticket = atomic_fetch_add(tickets, 1, 0);
///         mine.write(ticket);
///         if ticket == 0 {
///             atomic_compare_swap(owner, 0, my_pe() + 1, 0);
///         }
///     }
/// }
/// ```
pub trait Atomic: Word {
    /// The value that an increment adds.
    const ONE: Self;

    /// Adds `value` to the word.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn add_relaxed_sys(to: DevPtr<Self>, value: Self);
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
    /// Adds `value` to the word and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn fetch_add_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
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
    /// Stores `value` to the word and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn swap_relaxed_sys(to: DevPtr<Self>, value: Self) -> Self;
    /// Stores `value` to the word if the word equals `expected`, and returns the old value.
    /// # Safety
    /// `to` is valid and aligned.
    unsafe fn compare_swap_relaxed_sys(to: DevPtr<Self>, expected: Self, value: Self) -> Self;
}

macro_rules! atomics {
    ($($t:ty as $bits:ty: $cas:ident; $($quiet:ident = $red:ident,)* ; $($fetching:ident = $atom:ident,)* ;)*) => {$(
        impl Atomic for $t {
            const ONE: Self = 1;
            $(
                #[inline(always)]
                unsafe fn $quiet(to: DevPtr<Self>, value: Self) {
                    // SAFETY: the caller guarantees that the address is valid.
                    unsafe { arch::$red(to.cast::<$bits>().raw(), value as $bits) }
                }
            )*
            $(
                #[inline(always)]
                unsafe fn $fetching(to: DevPtr<Self>, value: Self) -> Self {
                    // SAFETY: the caller guarantees that the address is valid.
                    unsafe { arch::$atom(to.cast::<$bits>().raw(), value as $bits) as Self }
                }
            )*
            #[inline(always)]
            unsafe fn compare_swap_relaxed_sys(to: DevPtr<Self>, expected: Self, value: Self) -> Self {
                // SAFETY: the caller guarantees that the address is valid.
                unsafe { arch::$cas(to.cast::<$bits>().raw(), expected as $bits, value as $bits) as Self }
            }
        }
    )*};
    // A sum wraps around to the same bits with or without a sign.
    (32: $($t:ty)*) => { atomics! { $($t as u32: atom_cas_relaxed_sys_u32;
        add_relaxed_sys = red_add_relaxed_sys_u32, and_relaxed_sys = red_and_relaxed_sys_u32,
        or_relaxed_sys = red_or_relaxed_sys_u32, xor_relaxed_sys = red_xor_relaxed_sys_u32,;
        fetch_add_relaxed_sys = atom_add_relaxed_sys_u32, fetch_and_relaxed_sys = atom_and_relaxed_sys_u32,
        fetch_or_relaxed_sys = atom_or_relaxed_sys_u32, fetch_xor_relaxed_sys = atom_xor_relaxed_sys_u32,
        swap_relaxed_sys = atom_exch_relaxed_sys_u32,;)* } };
    (64: $($t:ty)*) => { atomics! { $($t as u64: atom_cas_relaxed_sys_u64;
        add_relaxed_sys = red_add_relaxed_sys_u64, and_relaxed_sys = red_and_relaxed_sys_u64,
        or_relaxed_sys = red_or_relaxed_sys_u64, xor_relaxed_sys = red_xor_relaxed_sys_u64,;
        fetch_add_relaxed_sys = atom_add_relaxed_sys_u64, fetch_and_relaxed_sys = atom_and_relaxed_sys_u64,
        fetch_or_relaxed_sys = atom_or_relaxed_sys_u64, fetch_xor_relaxed_sys = atom_xor_relaxed_sys_u64,
        swap_relaxed_sys = atom_exch_relaxed_sys_u64,;)* } };
}
atomics! { 32: u32 i32 }
atomics! { 64: u64 i64 usize }

//! Atomic memory operations (OpenSHMEM 1.6, section 9.7). They are not ordered among themselves or with puts. An
//! operation that fetches returns when it has happened; the others are complete after [`Ctx::quiet`].
//!
//! A word in GPU memory is changed by the GPU that owns it, whoever issues the operation. Words in host memory are
//! changed by the CPU, which a kernel asks with a command. Loads and stores of mapped memory ([`Ctx::atomic_fetch`],
//! [`Ctx::atomic_set`]) need no command, because they are atomic anywhere. On PEs that are not mapped, the CPU is asked
//! for every operation; words in GPU memory are then changed by the owner's GPU.

use crate::command::{ask, post};
use crate::peer::{direct, find};
use crate::{Atomic, Ctx, DevPtr, Need, far};
use cushmem_abi::{CommandHead, CommandKind, WordOp};

impl Ctx {
    /// The head of a command on this context, without its PE.
    #[inline(always)]
    pub(crate) const fn head<T>(&self, kind: CommandKind) -> u64 {
        let (width, context) = (size_of::<T>() as u8, self.number() as u16);
        CommandHead { kind: kind.number(), width, context, pe: 0 }.bits()
    }
}

impl Ctx {
    /// Loads a word of PE `pe` and returns it (`shmem_ctx_atomic_fetch`, 9.7).
    ///
    /// # Safety
    /// `source` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn atomic_fetch<T: Atomic>(&self, source: DevPtr<T>, pe: u32) -> T {
        if far::is_needed(source, pe) {
            return far::fetch(self, source, pe);
        }
        // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
        unsafe { T::load_relaxed_sys(direct(source, pe, Need::LoadStore)) }
    }

    /// Stores `value` to a word of PE `pe` (`shmem_ctx_atomic_set`, 9.7).
    ///
    /// # Safety
    /// `dest` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn atomic_set<T: Atomic>(&self, dest: DevPtr<T>, value: T, pe: u32) {
        if far::is_needed(dest, pe) {
            return post(self.head::<T>(CommandKind::Word(WordOp::Set)), pe, dest, value);
        }
        // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
        unsafe { T::store_relaxed_sys(direct(dest, pe, Need::LoadStore), value) }
    }

    /// Stores `value` to a word of PE `pe` if the word equals `cond`, and returns the old value
    /// (`shmem_ctx_atomic_compare_swap`, 9.7).
    ///
    /// # Safety
    /// `dest` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn atomic_compare_swap<T: Atomic>(&self, dest: DevPtr<T>, cond: T, value: T, pe: u32) -> T {
        match find(dest, pe, Need::Atomic) {
            // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
            Some(there) => unsafe { T::compare_swap_relaxed_sys(there, cond, value) },
            None => ask(self.head::<T>(CommandKind::Word(WordOp::CompareSwap)), pe, dest, value, cond),
        }
    }

    /// Adds 1 to a word of PE `pe` and returns the old value (`shmem_ctx_atomic_fetch_inc`, 9.7).
    ///
    /// # Safety
    /// `dest` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn atomic_fetch_inc<T: Atomic>(&self, dest: DevPtr<T>, pe: u32) -> T {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { self.atomic_fetch_add(dest, T::ONE, pe) }
    }

    /// Adds 1 to a word of PE `pe` (`shmem_ctx_atomic_inc`, 9.7).
    ///
    /// # Safety
    /// `dest` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn atomic_inc<T: Atomic>(&self, dest: DevPtr<T>, pe: u32) {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { self.atomic_add(dest, T::ONE, pe) }
    }
}

macro_rules! fetching { ($($name:ident, $method:ident, $kind:ident, $what:literal;)*) => {
    impl Ctx {$(
        #[doc = concat!($what, " a word of PE `pe` and returns the old value")]
        #[doc = concat!("(`shmem_ctx_", stringify!($name), "`, 9.7).")]
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: Atomic>(&self, dest: DevPtr<T>, value: T, pe: u32) -> T {
            match find(dest, pe, Need::Atomic) {
                // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
                Some(there) => unsafe { T::$method(there, value) },
                None => ask(self.head::<T>(CommandKind::Word(WordOp::$kind)), pe, dest, value, value),
            }
        }
    )*}
    $(
        #[doc = concat!("Does what [`Ctx::", stringify!($name), "`] does, on the default context.")]
        /// [`Atomic`] has an example.
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: Atomic>(dest: DevPtr<T>, value: T, pe: u32) -> T {
            // SAFETY: the caller guarantees that the word is valid.
            unsafe { Ctx::DEFAULT.$name(dest, value, pe) }
        }
    )*
} }
fetching! {
    atomic_swap, swap_relaxed_sys, Swap, "Stores `value` to";
    atomic_fetch_add, fetch_add_relaxed_sys, Add, "Adds `value` to";
    atomic_fetch_and, fetch_and_relaxed_sys, And, "Applies bitwise AND with `value` to";
    atomic_fetch_or, fetch_or_relaxed_sys, Or, "Applies bitwise OR with `value` to";
    atomic_fetch_xor, fetch_xor_relaxed_sys, Xor, "Applies bitwise XOR with `value` to";
}

macro_rules! changing { ($($name:ident, $method:ident, $kind:ident, $what:literal;)*) => {
    impl Ctx {$(
        #[doc = concat!($what, " a word of PE `pe` (`shmem_ctx_", stringify!($name), "`, 9.7).")]
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: Atomic>(&self, dest: DevPtr<T>, value: T, pe: u32) {
            match find(dest, pe, Need::Atomic) {
                // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
                Some(there) => unsafe { T::$method(there, value) },
                None => post(self.head::<T>(CommandKind::Word(WordOp::$kind)), pe, dest, value),
            }
        }
    )*}
    $(
        #[doc = concat!("Does what [`Ctx::", stringify!($name), "`] does, on the default context.")]
        /// [`Atomic`] has an example.
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: Atomic>(dest: DevPtr<T>, value: T, pe: u32) {
            // SAFETY: the caller guarantees that the word is valid.
            unsafe { Ctx::DEFAULT.$name(dest, value, pe) }
        }
    )*
} }
changing! {
    atomic_add, add_relaxed_sys, Add, "Adds `value` to";
    atomic_and, and_relaxed_sys, And, "Applies bitwise AND with `value` to";
    atomic_or, or_relaxed_sys, Or, "Applies bitwise OR with `value` to";
    atomic_xor, xor_relaxed_sys, Xor, "Applies bitwise XOR with `value` to";
}

/// Loads a word, like [`Ctx::atomic_fetch`], on the default context. [`Atomic`] has an example.
///
/// # Safety
/// `source` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn atomic_fetch<T: Atomic>(source: DevPtr<T>, pe: u32) -> T {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.atomic_fetch(source, pe) }
}

/// Stores a word, like [`Ctx::atomic_set`], on the default context. [`Atomic`] has an example.
///
/// # Safety
/// `dest` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn atomic_set<T: Atomic>(dest: DevPtr<T>, value: T, pe: u32) {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.atomic_set(dest, value, pe) }
}

/// Compares and swaps, like [`Ctx::atomic_compare_swap`], on the default context. [`Atomic`] has an example.
///
/// # Safety
/// `dest` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn atomic_compare_swap<T: Atomic>(dest: DevPtr<T>, cond: T, value: T, pe: u32) -> T {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.atomic_compare_swap(dest, cond, value, pe) }
}

/// Adds 1 and returns the old value, like [`Ctx::atomic_fetch_inc`], on the default context. [`Atomic`] has an example.
///
/// # Safety
/// `dest` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn atomic_fetch_inc<T: Atomic>(dest: DevPtr<T>, pe: u32) -> T {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.atomic_fetch_inc(dest, pe) }
}

/// Adds 1, like [`Ctx::atomic_inc`], on the default context. [`Atomic`] has an example.
///
/// # Safety
/// `dest` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn atomic_inc<T: Atomic>(dest: DevPtr<T>, pe: u32) {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.atomic_inc(dest, pe) }
}

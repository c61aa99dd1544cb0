//! Atomic memory operations (OpenSHMEM 1.6, section 9.7), and minimum, maximum and floating-point sums besides. They
//! are not ordered among themselves or with puts. An operation that fetches returns when it has happened; the others
//! are complete after [`Ctx::quiet`].
//!
//! A word in GPU memory is changed by the GPU that owns it, whoever issues the operation. Words in host memory are
//! changed by the CPU, which a kernel asks with a command. Loads and stores of mapped memory ([`Ctx::atomic_fetch`],
//! [`Ctx::atomic_set`]) need no command, because they are atomic anywhere. On PEs that are not mapped, the CPU is asked
//! for every operation; words in GPU memory are then changed by the owner's GPU.

use crate::command::{ask, post};
use crate::peer::{direct, direct_at_once, find, find_at_once};
use crate::{Atomic, AtomicNumber, Ctx, DevPtr, Need, far};
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
    pub unsafe fn atomic_fetch<T: AtomicNumber>(&self, source: DevPtr<T>, pe: u32) -> T {
        if far::is_needed_at_once(source, pe) {
            return far::fetch(self, source, pe);
        }
        // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
        unsafe { T::load_relaxed_sys(direct_at_once(source, pe, Need::LoadStore)) }
    }

    /// Stores `value` to a word of PE `pe` (`shmem_ctx_atomic_set`, 9.7).
    ///
    /// # Safety
    /// `dest` is a symmetric, aligned word.
    #[inline(always)]
    pub unsafe fn atomic_set<T: AtomicNumber>(&self, dest: DevPtr<T>, value: T, pe: u32) {
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
        match find_at_once(dest, pe, Need::Atomic) {
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

macro_rules! fetching { ($($name:ident: $bound:ident, $method:ident, $op:expr, $what:literal, $clause:literal;)*) => {
    impl Ctx {$(
        #[doc = concat!($what, " a word of PE `pe` and returns the old value")]
        #[doc = concat!("(`shmem_ctx_", stringify!($name), "`, ", $clause, ").")]
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: $bound>(&self, dest: DevPtr<T>, value: T, pe: u32) -> T {
            match find_at_once(dest, pe, Need::Atomic) {
                // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
                Some(there) => unsafe { T::$method(there, value) },
                None => ask(self.head::<T>(CommandKind::Word($op)), pe, dest, value, value),
            }
        }
    )*}
    $(
        #[doc = concat!("Does what [`Ctx::", stringify!($name), "`] does, on the default context.")]
        #[doc = concat!("[`", stringify!($bound), "`] has an example.")]
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: $bound>(dest: DevPtr<T>, value: T, pe: u32) -> T {
            // SAFETY: the caller guarantees that the word is valid.
            unsafe { Ctx::DEFAULT.$name(dest, value, pe) }
        }
    )*
} }
fetching! {
    atomic_swap: AtomicNumber, swap_relaxed_sys, WordOp::Swap, "Stores `value` to", "9.7";
    atomic_fetch_add: AtomicNumber, fetch_add_relaxed_sys, T::ADD, "Adds `value` to", "9.7";
    atomic_fetch_and: Atomic, fetch_and_relaxed_sys, WordOp::And, "Applies bitwise AND with `value` to", "9.7";
    atomic_fetch_or: Atomic, fetch_or_relaxed_sys, WordOp::Or, "Applies bitwise OR with `value` to", "9.7";
    atomic_fetch_xor: Atomic, fetch_xor_relaxed_sys, WordOp::Xor, "Applies bitwise XOR with `value` to", "9.7";
    atomic_fetch_min: Atomic, fetch_min_relaxed_sys, T::MINIMUM, "Stores `value`, if it is smaller, to", "an extension of 9.7";
    atomic_fetch_max: Atomic, fetch_max_relaxed_sys, T::MAXIMUM, "Stores `value`, if it is larger, to", "an extension of 9.7";
}

macro_rules! changing { ($($name:ident: $bound:ident, $method:ident, $op:expr, $what:literal, $clause:literal;)*) => {
    impl Ctx {$(
        #[doc = concat!($what, " a word of PE `pe` (`shmem_ctx_", stringify!($name), "`, ", $clause, ").")]
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: $bound>(&self, dest: DevPtr<T>, value: T, pe: u32) {
            match find(dest, pe, Need::Atomic) {
                // SAFETY: the caller guarantees that the word is valid; it is at that address on `pe`.
                Some(there) => unsafe { T::$method(there, value) },
                None => post(self.head::<T>(CommandKind::Word($op)), pe, dest, value),
            }
        }
    )*}
    $(
        #[doc = concat!("Does what [`Ctx::", stringify!($name), "`] does, on the default context.")]
        #[doc = concat!("[`", stringify!($bound), "`] has an example.")]
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word.
        #[inline(always)]
        pub unsafe fn $name<T: $bound>(dest: DevPtr<T>, value: T, pe: u32) {
            // SAFETY: the caller guarantees that the word is valid.
            unsafe { Ctx::DEFAULT.$name(dest, value, pe) }
        }
    )*
} }
changing! {
    atomic_add: AtomicNumber, add_relaxed_sys, T::ADD, "Adds `value` to", "9.7";
    atomic_and: Atomic, and_relaxed_sys, WordOp::And, "Applies bitwise AND with `value` to", "9.7";
    atomic_or: Atomic, or_relaxed_sys, WordOp::Or, "Applies bitwise OR with `value` to", "9.7";
    atomic_xor: Atomic, xor_relaxed_sys, WordOp::Xor, "Applies bitwise XOR with `value` to", "9.7";
    atomic_min: Atomic, min_relaxed_sys, T::MINIMUM, "Stores `value`, if it is smaller, to", "an extension of 9.7";
    atomic_max: Atomic, max_relaxed_sys, T::MAXIMUM, "Stores `value`, if it is larger, to", "an extension of 9.7";
}

/// Loads a word, like [`Ctx::atomic_fetch`], on the default context. [`Atomic`] has an example.
///
/// # Safety
/// `source` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn atomic_fetch<T: AtomicNumber>(source: DevPtr<T>, pe: u32) -> T {
    // SAFETY: the caller guarantees that the word is valid.
    unsafe { Ctx::DEFAULT.atomic_fetch(source, pe) }
}

/// Stores a word, like [`Ctx::atomic_set`], on the default context. [`Atomic`] has an example.
///
/// # Safety
/// `dest` is a symmetric, aligned word.
#[inline(always)]
pub unsafe fn atomic_set<T: AtomicNumber>(dest: DevPtr<T>, value: T, pe: u32) {
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

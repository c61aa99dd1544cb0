//! Non-blocking fetching atomic operations (OpenSHMEM 1.6, section 9.7): the result is in memory of this PE after a
//! quiet.
//!
//! Each of them is complete on return. What the GPU changes itself, it cannot change without the result. Where the CPU
//! is asked, the fastest way back is a reply that the lane stores: into GPU memory the CPU stores by a copy engine.

use crate::{Atomic, AtomicNumber, Ctx, DevPtr};

macro_rules! later { ($($(#[$example:meta])* $name:ident: $now:ident, $bound:ident, ($($arg:ident),*);)*) => {
    impl Ctx {$(
        #[doc = concat!("Does what [`Ctx::", stringify!($now), "`] does, and stores what that returns at `fetch`")]
        #[doc = concat!("(`shmem_ctx_", stringify!($name), "`, 9.7). It is there after [`Ctx::quiet`].")]
        ///
        /// # Safety
        /// `dest` is a symmetric, aligned word. `fetch` is an aligned word of this PE, which nobody else accesses
        /// before the quiet.
        #[inline(always)]
        pub unsafe fn $name<T: $bound>(&self, fetch: DevPtr<T>, dest: DevPtr<T>, $($arg: T,)* pe: u32) {
            // SAFETY: the caller guarantees that both words are valid.
            unsafe { fetch.write(self.$now(dest, $($arg,)* pe)) }
        }
    )*}
    $(
        #[doc = concat!("Does what [`Ctx::", stringify!($name), "`] does, on the default context.")]
        $(#[$example])*
        ///
        /// # Safety
        #[doc = concat!("The conditions of [`Ctx::", stringify!($name), "`].")]
        #[inline(always)]
        pub unsafe fn $name<T: $bound>(fetch: DevPtr<T>, dest: DevPtr<T>, $($arg: T,)* pe: u32) {
            // SAFETY: the caller guarantees that both words are valid.
            unsafe { Ctx::DEFAULT.$name(fetch, dest, $($arg,)* pe) }
        }
    )*
} }
later! {
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_fetch_nbi: atomic_fetch, AtomicNumber, ();
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_compare_swap_nbi: atomic_compare_swap, Atomic, (cond, value);
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_swap_nbi: atomic_swap, AtomicNumber, (value);
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_fetch_inc_nbi: atomic_fetch_inc, Atomic, ();
    ///
    /// ```
    /// use cushmem_device::{DevPtr, atomic_fetch_add_nbi, kernels, quiet, thread_idx_x};
    /// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
    ///
    /// kernels! {
    ///     /// One block with a lane for each PE. Each lane takes 8 tickets of its PE.
    ///     pub unsafe fn take(tickets: DevPtr<u64>, first: DevPtr<u64>) {
    ///         let pe = thread_idx_x();
    ///         atomic_fetch_add_nbi(first.add(pe as usize), tickets, 8, pe);
    ///         quiet();
    ///     }
    /// }
    /// ```
    atomic_fetch_add_nbi: atomic_fetch_add, AtomicNumber, (value);
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_fetch_and_nbi: atomic_fetch_and, Atomic, (value);
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_fetch_or_nbi: atomic_fetch_or, Atomic, (value);
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_fetch_xor_nbi: atomic_fetch_xor, Atomic, (value);
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_fetch_min_nbi: atomic_fetch_min, Atomic, (value);
    /// [`atomic_fetch_add_nbi`] has an example.
    atomic_fetch_max_nbi: atomic_fetch_max, Atomic, (value);
}

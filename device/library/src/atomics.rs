//! Atomic operations. Those that return a value have a form that stores it.

use crate::{at, exports};
use cushmem_device::{
    atomic_add, atomic_and, atomic_compare_swap, atomic_fetch, atomic_fetch_add, atomic_fetch_and, atomic_fetch_max,
    atomic_fetch_min, atomic_fetch_or, atomic_fetch_xor, atomic_max, atomic_min, atomic_or, atomic_set, atomic_swap,
    atomic_xor,
};

/// Stores what an operation without a wait returns.
///
/// # Safety
/// `fetch` is a valid word.
#[inline(always)]
unsafe fn give<T: Copy>(fetch: *mut T, value: T) {
    // SAFETY: the caller guarantees the word.
    unsafe { fetch.write(value) }
}

macro_rules! extended { ($($name:ident $t:ty;)*) => { mod extended {$(
    mod $name {
        use crate::atomics::*;
        exports! {
            concat!("shmem_", stringify!($name), "_atomic_fetch") => fn fetch(source: u64, pe: i32) -> $t {
                atomic_fetch::<$t>(at(source), pe as u32)
            }
            concat!("shmem_", stringify!($name), "_atomic_fetch_nbi") => fn fetch_nbi(fetch: *mut $t, source: u64, pe: i32) {
                give(fetch, atomic_fetch::<$t>(at(source), pe as u32))
            }
            concat!("shmem_", stringify!($name), "_atomic_set") => fn set(dest: u64, value: $t, pe: i32) {
                atomic_set::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmem_", stringify!($name), "_atomic_swap") => fn swap(dest: u64, value: $t, pe: i32) -> $t {
                atomic_swap::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmem_", stringify!($name), "_atomic_swap_nbi") => fn swap_nbi(fetch: *mut $t, dest: u64, value: $t, pe: i32) {
                give(fetch, atomic_swap::<$t>(at(dest), value, pe as u32))
            }
        }
    }
)*} } }
extended! {
    float f32;
    double f64;
    int i32;
    long i64;
    longlong i64;
    uint u32;
    ulong u64;
    ulonglong u64;
    int32 i32;
    int64 i64;
    uint32 u32;
    uint64 u64;
    size u64;
    ptrdiff i64;
}

/// Beyond OpenSHMEM.
macro_rules! ordered { ($($name:ident $t:ty;)*) => { mod ordered {$(
    mod $name {
        use crate::atomics::*;
        exports! {
            concat!("shmemx_", stringify!($name), "_atomic_min") => fn min(dest: u64, value: $t, pe: i32) {
                atomic_min::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmemx_", stringify!($name), "_atomic_max") => fn max(dest: u64, value: $t, pe: i32) {
                atomic_max::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmemx_", stringify!($name), "_atomic_fetch_min") => fn fetch_min(dest: u64, value: $t, pe: i32) -> $t {
                atomic_fetch_min::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmemx_", stringify!($name), "_atomic_fetch_max") => fn fetch_max(dest: u64, value: $t, pe: i32) -> $t {
                atomic_fetch_max::<$t>(at(dest), value, pe as u32)
            }
        }
    }
)*} } }
ordered! {
    int i32;
    long i64;
    longlong i64;
    uint u32;
    ulong u64;
    ulonglong u64;
    int32 i32;
    int64 i64;
    uint32 u32;
    uint64 u64;
    size u64;
    ptrdiff i64;
}

macro_rules! sums { ($($name:ident $t:ty;)*) => { mod sums {$(
    mod $name {
        use crate::atomics::*;
        exports! {
            concat!("shmemx_", stringify!($name), "_atomic_add") => fn add(dest: u64, value: $t, pe: i32) {
                atomic_add::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmemx_", stringify!($name), "_atomic_fetch_add") => fn fetch_add(dest: u64, value: $t, pe: i32) -> $t {
                atomic_fetch_add::<$t>(at(dest), value, pe as u32)
            }
        }
    }
)*} } }
sums! {
    float f32;
    double f64;
}

macro_rules! standard { ($($name:ident $t:ty;)*) => { mod standard {$(
    mod $name {
        use crate::atomics::*;
        exports! {
            concat!("shmem_", stringify!($name), "_atomic_compare_swap") => fn compare_swap(dest: u64, cond: $t, value: $t, pe: i32) -> $t {
                atomic_compare_swap::<$t>(at(dest), cond, value, pe as u32)
            }
            concat!("shmem_", stringify!($name), "_atomic_compare_swap_nbi") => fn compare_swap_nbi(fetch: *mut $t, dest: u64, cond: $t, value: $t, pe: i32) {
                give(fetch, atomic_compare_swap::<$t>(at(dest), cond, value, pe as u32))
            }
            concat!("shmem_", stringify!($name), "_atomic_fetch_add") => fn fetch_add(dest: u64, value: $t, pe: i32) -> $t {
                atomic_fetch_add::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmem_", stringify!($name), "_atomic_fetch_add_nbi") => fn fetch_add_nbi(fetch: *mut $t, dest: u64, value: $t, pe: i32) {
                give(fetch, atomic_fetch_add::<$t>(at(dest), value, pe as u32))
            }
            concat!("shmem_", stringify!($name), "_atomic_add") => fn add(dest: u64, value: $t, pe: i32) {
                atomic_add::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmem_", stringify!($name), "_atomic_fetch_inc") => fn fetch_inc(dest: u64, pe: i32) -> $t {
                atomic_fetch_add::<$t>(at(dest), 1, pe as u32)
            }
            concat!("shmem_", stringify!($name), "_atomic_fetch_inc_nbi") => fn fetch_inc_nbi(fetch: *mut $t, dest: u64, pe: i32) {
                give(fetch, atomic_fetch_add::<$t>(at(dest), 1, pe as u32))
            }
            concat!("shmem_", stringify!($name), "_atomic_inc") => fn inc(dest: u64, pe: i32) {
                atomic_add::<$t>(at(dest), 1, pe as u32)
            }
        }
    }
)*} } }
standard! {
    int i32;
    long i64;
    longlong i64;
    uint u32;
    ulong u64;
    ulonglong u64;
    int32 i32;
    int64 i64;
    uint32 u32;
    uint64 u64;
    size u64;
    ptrdiff i64;
}

macro_rules! bitwise { ($($name:ident $t:ty;)*) => { mod bitwise {$(
    mod $name {
        use crate::atomics::*;
        bitwise_op! { $name $t, "and", atomic_and atomic_fetch_and, and fetch_and fetch_and_nbi }
        bitwise_op! { $name $t, "or", atomic_or atomic_fetch_or, or fetch_or fetch_or_nbi }
        bitwise_op! { $name $t, "xor", atomic_xor atomic_fetch_xor, xor fetch_xor fetch_xor_nbi }
    }
)*} } }
macro_rules! bitwise_op { ($name:ident $t:ty, $op:literal, $change:ident $fetch:ident, $plain:ident $fetching:ident $nbi:ident) => { exports! {
    concat!("shmem_", stringify!($name), "_atomic_", $op) => fn $plain(dest: u64, value: $t, pe: i32) {
        $change::<$t>(at(dest), value, pe as u32)
    }
    concat!("shmem_", stringify!($name), "_atomic_fetch_", $op) => fn $fetching(dest: u64, value: $t, pe: i32) -> $t {
        $fetch::<$t>(at(dest), value, pe as u32)
    }
    concat!("shmem_", stringify!($name), "_atomic_fetch_", $op, "_nbi") => fn $nbi(fetch: *mut $t, dest: u64, value: $t, pe: i32) {
        give(fetch, $fetch::<$t>(at(dest), value, pe as u32))
    }
} } }
bitwise! {
    uint u32;
    ulong u64;
    ulonglong u64;
    int32 i32;
    int64 i64;
    uint32 u32;
    uint64 u64;
}

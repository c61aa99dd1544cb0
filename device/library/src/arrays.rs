//! Arrays of words: waits and tests. Each type of words has one function for all waits and one for all tests, which
//! those with OpenSHMEM's names call.

use crate::{at, cmp_of};
use cushmem_device::Ivars;
use cushmem_device::any::{Either, Want, test_many, wait_many};

/// What a wait or test wants: 0 for all words, 1 for any, 2 for some.
#[inline(always)]
fn want_of(number: u32) -> Want {
    match number {
        0 => Want::All,
        1 => Want::Any,
        _ => Want::Some,
    }
}

macro_rules! bodies { ($($t:ident)*) => { mod bodies {$(
    pub(super) mod $t {
        use crate::arrays::*;

        /// # Safety
        /// The caller guarantees the words and arrays.
        #[inline(never)]
        #[allow(clippy::too_many_arguments)] // the specification's
        pub(in crate::arrays) unsafe fn wait(ivars: u64, n: u64, status: u64, cmp: i32, value: $t, each: u64, want: u32, places: u64) -> u64 {
            let words = Ivars::<$t>::new(at(ivars), n as usize).with_status(at(status));
            // SAFETY: the caller guarantees the words and arrays.
            unsafe { wait_many(words, cmp_of(cmp), Either { value, each: at(each) }, want_of(want), at(places)) }
        }

        /// # Safety
        /// The caller guarantees the words and arrays.
        #[inline(never)]
        #[allow(clippy::too_many_arguments)] // the specification's
        pub(in crate::arrays) unsafe fn test(ivars: u64, n: u64, status: u64, cmp: i32, value: $t, each: u64, want: u32, places: u64) -> u64 {
            let words = Ivars::<$t>::new(at(ivars), n as usize).with_status(at(status));
            // SAFETY: the caller guarantees the words and arrays.
            unsafe { test_many(words, cmp_of(cmp), Either { value, each: at(each) }, want_of(want), at(places)) }
        }
    }
)*} } }
bodies! { u16 i16 u32 i32 u64 i64 }

macro_rules! arrays { ($($name:ident $t:ident;)*) => {$(
    mod $name {
        use crate::arrays::bodies::$t::{test, wait};
        use crate::exports;
        exports! {
            concat!("shmem_", stringify!($name), "_wait_until_all") => fn wait_all(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_value: $t) {
                wait(ivars, nelems, status, cmp, cmp_value, 0, 0, 0);
            }
            concat!("shmem_", stringify!($name), "_wait_until_any") => fn wait_any(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_value: $t) -> u64 {
                wait(ivars, nelems, status, cmp, cmp_value, 0, 1, 0)
            }
            concat!("shmem_", stringify!($name), "_wait_until_some") => fn wait_some(ivars: u64, nelems: u64, indices: u64, status: u64, cmp: i32, cmp_value: $t) -> u64 {
                wait(ivars, nelems, status, cmp, cmp_value, 0, 2, indices)
            }
            concat!("shmem_", stringify!($name), "_wait_until_all_vector") => fn wait_all_vector(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_values: u64) {
                wait(ivars, nelems, status, cmp, 0, cmp_values, 0, 0);
            }
            concat!("shmem_", stringify!($name), "_wait_until_any_vector") => fn wait_any_vector(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_values: u64) -> u64 {
                wait(ivars, nelems, status, cmp, 0, cmp_values, 1, 0)
            }
            concat!("shmem_", stringify!($name), "_wait_until_some_vector") => fn wait_some_vector(ivars: u64, nelems: u64, indices: u64, status: u64, cmp: i32, cmp_values: u64) -> u64 {
                wait(ivars, nelems, status, cmp, 0, cmp_values, 2, indices)
            }
            concat!("shmem_", stringify!($name), "_test_all") => fn test_all(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_value: $t) -> i32 {
                test(ivars, nelems, status, cmp, cmp_value, 0, 0, 0) as i32
            }
            concat!("shmem_", stringify!($name), "_test_any") => fn test_any(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_value: $t) -> u64 {
                test(ivars, nelems, status, cmp, cmp_value, 0, 1, 0)
            }
            concat!("shmem_", stringify!($name), "_test_some") => fn test_some(ivars: u64, nelems: u64, indices: u64, status: u64, cmp: i32, cmp_value: $t) -> u64 {
                test(ivars, nelems, status, cmp, cmp_value, 0, 2, indices)
            }
            concat!("shmem_", stringify!($name), "_test_all_vector") => fn test_all_vector(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_values: u64) -> i32 {
                test(ivars, nelems, status, cmp, 0, cmp_values, 0, 0) as i32
            }
            concat!("shmem_", stringify!($name), "_test_any_vector") => fn test_any_vector(ivars: u64, nelems: u64, status: u64, cmp: i32, cmp_values: u64) -> u64 {
                test(ivars, nelems, status, cmp, 0, cmp_values, 1, 0)
            }
            concat!("shmem_", stringify!($name), "_test_some_vector") => fn test_some_vector(ivars: u64, nelems: u64, indices: u64, status: u64, cmp: i32, cmp_values: u64) -> u64 {
                test(ivars, nelems, status, cmp, 0, cmp_values, 2, indices)
            }
        }
    }
)*} }
crate::for_each_wait! { arrays }

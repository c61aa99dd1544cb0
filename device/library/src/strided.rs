//! Strided copies. Each size of elements has one function for puts and one for gets, which those with OpenSHMEM's names
//! call; it gets the scope as a number.

use crate::{at, exports, for_each_type};
use cushmem_device::Scope;
use cushmem_device::any::{Any, block, thread, warp};

macro_rules! bodies { ($($module:ident $t:ty: $($same:ty)*;)*) => {
    mod bodies {$(
        pub(super) mod $module {
            use crate::strided::*;

            /// # Safety
            /// The caller guarantees the elements.
            #[inline(never)]
            pub(in crate::strided) unsafe fn iput(scope: u32, dest: u64, source: u64, dst: i64, sst: i64, n: u64, pe: i32) {
                let (dst, sst) = (dst as isize, sst as isize);
                // SAFETY: the caller guarantees the elements.
                unsafe { Any::of_bits(scope).iput(at::<$t>(dest), at(source), dst, sst, n as usize, pe as u32) }
            }

            /// # Safety
            /// The caller guarantees the elements.
            #[inline(never)]
            pub(in crate::strided) unsafe fn iget(scope: u32, dest: u64, source: u64, dst: i64, sst: i64, n: u64, pe: i32) {
                let (dst, sst) = (dst as isize, sst as isize);
                // SAFETY: the caller guarantees the elements.
                unsafe { Any::of_bits(scope).iget(at::<$t>(dest), at(source), dst, sst, n as usize, pe as u32) }
            }
        }
    )*}
    $($(impl Element for $same {
        #[inline(always)]
        unsafe fn iput(scope: u32, dest: u64, source: u64, dst: i64, sst: i64, n: u64, pe: i32) {
            // SAFETY: the caller guarantees the elements.
            unsafe { bodies::$module::iput(scope, dest, source, dst, sst, n, pe) }
        }
        #[inline(always)]
        unsafe fn iget(scope: u32, dest: u64, source: u64, dst: i64, sst: i64, n: u64, pe: i32) {
            // SAFETY: the caller guarantees the elements.
            unsafe { bodies::$module::iget(scope, dest, source, dst, sst, n, pe) }
        }
    })*)*
} }

/// Elements of the sizes that strided copies have.
trait Element {
    /// # Safety
    /// The caller guarantees the elements.
    unsafe fn iput(scope: u32, dest: u64, source: u64, dst: i64, sst: i64, n: u64, pe: i32);
    /// # Safety
    /// The caller guarantees the elements.
    unsafe fn iget(scope: u32, dest: u64, source: u64, dst: i64, sst: i64, n: u64, pe: i32);
}
bodies! {
    of_8 u8: u8 i8;
    of_16 u16: u16 i16;
    of_32 u32: u32 i32 f32;
    of_64 u64: u64 i64 f64;
    of_128 [u64; 2]: [u64; 2];
}

macro_rules! names { ($t:ty, $type:expr, $size:expr, $module:ident, $scope:ident, $before:literal, $after:literal) => {
    mod $module {
        use crate::strided::*;
        exports! {
            concat!($before, $type, "iput", $size, $after) => fn iput(dest: u64, source: u64, dst: i64, sst: i64, nelems: u64, pe: i32) {
                <$t as Element>::iput($scope(), dest, source, dst, sst, nelems, pe)
            }
            concat!($before, $type, "iget", $size, $after) => fn iget(dest: u64, source: u64, dst: i64, sst: i64, nelems: u64, pe: i32) {
                <$t as Element>::iget($scope(), dest, source, dst, sst, nelems, pe)
            }
        }
    }
} }

macro_rules! of_sizes { ($($name:ident $size:literal $t:ty;)*) => {$(
    mod $name {
        names! { $t, "", $size, by_thread, thread, "shmem_", "" }
        names! { $t, "", $size, by_warp, warp, "shmemx_", "_warp" }
        names! { $t, "", $size, by_block, block, "shmemx_", "_block" }
    }
)*} }
of_sizes! {
    bits_8 "8" u8;
    bits_16 "16" u16;
    bits_32 "32" u32;
    bits_64 "64" u64;
    bits_128 "128" [u64; 2];
}

macro_rules! of_types { ($($name:ident $t:ty;)*) => { mod types {$(
    mod $name {
        names! { $t, concat!(stringify!($name), "_"), "", by_thread, thread, "shmem_", "" }
        names! { $t, concat!(stringify!($name), "_"), "", by_warp, warp, "shmemx_", "_warp" }
        names! { $t, concat!(stringify!($name), "_"), "", by_block, block, "shmemx_", "_block" }
    }
)*} } }
for_each_type! { of_types }

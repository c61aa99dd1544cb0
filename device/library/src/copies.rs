//! Copies: by a thread, a warp or a block; of bytes, of elements of a size in bits, or of a type.

use crate::{at, exports, for_each_type, signal_op_of};
use cushmem_device::{Block, Scope, Thread, Warp};

/// The copies of bytes. `called` has the same once more, for all others to call: a compiler may put the copies of bytes
/// into its kernels, but each type need not have a copy of them.
macro_rules! of_bytes { ($($module:ident $scope:ident $before:literal $after:literal;)*) => { mod bytes {$(
    pub(super) mod $module {
        use crate::copies::*;
        exports! {
            concat!($before, "putmem", $after) => fn put(dest: u64, source: u64, nelems: u64, pe: i32) {
                $scope.put(at::<u8>(dest), at(source), nelems as usize, pe as u32)
            }
            concat!($before, "getmem", $after) => fn get(dest: u64, source: u64, nelems: u64, pe: i32) {
                $scope.get(at::<u8>(dest), at(source), nelems as usize, pe as u32)
            }
            concat!($before, "putmem_nbi", $after) => fn put_nbi(dest: u64, source: u64, nelems: u64, pe: i32) {
                $scope.put_nbi(at::<u8>(dest), at(source), nelems as usize, pe as u32)
            }
            concat!($before, "getmem_nbi", $after) => fn get_nbi(dest: u64, source: u64, nelems: u64, pe: i32) {
                $scope.get_nbi(at::<u8>(dest), at(source), nelems as usize, pe as u32)
            }
            concat!($before, "putmem_signal", $after) => fn put_signal(dest: u64, source: u64, nelems: u64, sig_addr: u64, signal: u64, sig_op: i32, pe: i32) {
                $scope.put_signal(at::<u8>(dest), at(source), nelems as usize, at(sig_addr), signal, signal_op_of(sig_op), pe as u32)
            }
            concat!($before, "putmem_signal_nbi", $after) => fn put_signal_nbi(dest: u64, source: u64, nelems: u64, sig_addr: u64, signal: u64, sig_op: i32, pe: i32) {
                put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe)
            }
        }

        pub(in crate::copies) mod called {
            called! { put get put_nbi get_nbi: dest: u64, source: u64, nelems: u64, pe: i32 }
            called! { put_signal: dest: u64, source: u64, nelems: u64, sig_addr: u64, signal: u64, sig_op: i32, pe: i32 }
        }
    }
)*} } }

macro_rules! called {
    ($name:ident: $($argument:ident: $t:ty),*) => {
        #[inline(never)]
        pub(in crate::copies) unsafe fn $name($($argument: $t),*) {
            // SAFETY: the caller guarantees what the copy requires.
            unsafe { super::$name($($argument),*) }
        }
    };
    (put get put_nbi get_nbi: $($arguments:tt)*) => {
        called! { put: $($arguments)* }
        called! { get: $($arguments)* }
        called! { put_nbi: $($arguments)* }
        called! { get_nbi: $($arguments)* }
    };
}
of_bytes! {
    thread Thread "shmem_" "";
    warp Warp "shmemx_" "_warp";
    block Block "shmemx_" "_block";
}

/// The copies of elements, for one scope. `$type` stands before the operation's name, and `$size` after it.
macro_rules! of_elements { ($bytes:expr, $type:expr, $size:expr, $module:ident, $before:literal, $after:literal) => {
    mod $module {
        use crate::copies::*;
        const BYTES: u64 = $bytes as u64;
        exports! {
            concat!($before, $type, "put", $size, $after) => fn put(dest: u64, source: u64, nelems: u64, pe: i32) {
                bytes::$module::called::put(dest, source, nelems * BYTES, pe)
            }
            concat!($before, $type, "get", $size, $after) => fn get(dest: u64, source: u64, nelems: u64, pe: i32) {
                bytes::$module::called::get(dest, source, nelems * BYTES, pe)
            }
            concat!($before, $type, "put", $size, "_nbi", $after) => fn put_nbi(dest: u64, source: u64, nelems: u64, pe: i32) {
                bytes::$module::called::put_nbi(dest, source, nelems * BYTES, pe)
            }
            concat!($before, $type, "get", $size, "_nbi", $after) => fn get_nbi(dest: u64, source: u64, nelems: u64, pe: i32) {
                bytes::$module::called::get_nbi(dest, source, nelems * BYTES, pe)
            }
            concat!($before, $type, "put", $size, "_signal", $after) => fn put_signal(dest: u64, source: u64, nelems: u64, sig_addr: u64, signal: u64, sig_op: i32, pe: i32) {
                bytes::$module::called::put_signal(dest, source, nelems * BYTES, sig_addr, signal, sig_op, pe)
            }
            concat!($before, $type, "put", $size, "_signal_nbi", $after) => fn put_signal_nbi(dest: u64, source: u64, nelems: u64, sig_addr: u64, signal: u64, sig_op: i32, pe: i32) {
                bytes::$module::called::put_signal(dest, source, nelems * BYTES, sig_addr, signal, sig_op, pe)
            }
        }
    }
} }

macro_rules! of_sizes { ($($name:ident $size:literal $bytes:literal;)*) => {$(
    mod $name {
        of_elements! { $bytes, "", $size, thread, "shmem_", "" }
        of_elements! { $bytes, "", $size, warp, "shmemx_", "_warp" }
        of_elements! { $bytes, "", $size, block, "shmemx_", "_block" }
    }
)*} }
of_sizes! {
    bits_8 "8" 1;
    bits_16 "16" 2;
    bits_32 "32" 4;
    bits_64 "64" 8;
    bits_128 "128" 16;
}

macro_rules! of_types { ($($name:ident $t:ty;)*) => { mod types {$(
    mod $name {
        of_elements! { size_of::<$t>(), concat!(stringify!($name), "_"), "", thread, "shmem_", "" }
        of_elements! { size_of::<$t>(), concat!(stringify!($name), "_"), "", warp, "shmemx_", "_warp" }
        of_elements! { size_of::<$t>(), concat!(stringify!($name), "_"), "", block, "shmemx_", "_block" }
    }
)*} } }

for_each_type! { of_types }

macro_rules! of_halves { ($($name:ident)*) => {$(
    mod $name {
        of_elements! { 2, concat!(stringify!($name), "_"), "", thread, "shmemx_", "" }
        of_elements! { 2, concat!(stringify!($name), "_"), "", warp, "shmemx_", "_warp" }
        of_elements! { 2, concat!(stringify!($name), "_"), "", block, "shmemx_", "_block" }
    }
)*} }
of_halves! { half bfloat16 }

//! OpenSHMEM's routines for kernels under their own names, with the signatures of `shmem.h`: the functions of
//! `libcushmem_device`, which `cargo xtask device-library` makes. It is for kernels that are linked instead of including
//! `shmem.h`: those of Triton and of other compilers that read LLVM's bitcode, and those that nvJitLink links.
//!
//! All functions see one context, `cushmem_context`, which `shmemx_module_init` fills in.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch))]
#![cfg_attr(not(target_arch = "nvptx64"), allow(dead_code))]

use cushmem_abi::SignalOp;
use cushmem_device::{Block, Cmp, DevPtr, Scope, Thread, Warp, Word, cxx};

mod alone;
mod arrays;
mod atomics;
mod collectives;
mod copies;
mod strided;
mod teams;

// What kernels know about the job, as in `shmemx_device.cuh`.
#[cfg(target_arch = "nvptx64")]
core::arch::global_asm!(
    ".visible .const .align 16 .b8 cushmem_context[{bytes}] = {{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,255,255,255,255,255,255,255,255}};",
    ".visible .global .align 4 .u32 cushmem_abi_version = {version};",
    bytes = const size_of::<cushmem_abi::DeviceContext>(),
    version = const cushmem_abi::ABI_VERSION,
);

/// Ends the kernel if the library has not told it about the job.
#[inline(always)]
pub(crate) fn told() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads a constant, or ends the kernel.
    unsafe {
        core::arch::asm!(
            "{{ .reg .pred untold; .reg .u32 version; ld.const.u32 version, [cushmem_context];",
            "setp.ne.u32 untold, version, {version}; @untold trap; }}",
            version = const cushmem_abi::ABI_VERSION,
        );
    }
}

/// Exports functions under names that are known when the macro is expanded.
macro_rules! exports { ($($export:expr => fn $name:ident($($argument:ident: $t:ty),* $(,)?) $(-> $r:ty)? $body:block)*) => {$(
    #[doc = concat!("`", $export, "`")]
    ///
    /// # Safety
    /// What OpenSHMEM requires of the call.
    #[cfg_attr(target_arch = "nvptx64", unsafe(export_name = $export))]
    #[allow(clippy::too_many_arguments)]
    pub unsafe extern "C" fn $name($($argument: $t),*) $(-> $r)? {
        $crate::told();
        // SAFETY: the caller guarantees what the operation requires.
        #[allow(unused_unsafe)]
        unsafe { $body }
    }
)*} }
pub(crate) use exports;

#[inline(always)]
pub(crate) fn at<T>(address: u64) -> DevPtr<T> {
    DevPtr::from_address(address)
}

/// The comparison with this number. OpenSHMEM defines no other numbers; they count as the last one.
#[inline(always)]
pub(crate) fn cmp_of(number: i32) -> Cmp {
    match number {
        0 => Cmp::Eq,
        1 => Cmp::Ne,
        2 => Cmp::Gt,
        3 => Cmp::Le,
        4 => Cmp::Lt,
        _ => Cmp::Ge,
    }
}

/// The operation with this number: `SHMEM_SIGNAL_SET` or `SHMEM_SIGNAL_ADD`.
#[inline(always)]
pub(crate) fn signal_op_of(number: i32) -> SignalOp {
    cxx::signal_op(number.cast_unsigned()).unwrap_or_else(|| cxx::refuse_signal_op(number.cast_unsigned()))
}

exports! {
    "shmem_my_pe" => fn my_pe() -> i32 { cushmem_device::my_pe() as i32 }
    "shmem_n_pes" => fn n_pes() -> i32 { cushmem_device::n_pes() as i32 }
    "shmem_ptr" => fn ptr(dest: u64, pe: i32) -> u64 {
        cushmem_device::ptr(at::<u8>(dest), pe as u32).map_or(0, |there| there.address())
    }
    "shmem_signal_set" => fn signal_set(sig_addr: u64, signal: u64, pe: i32) {
        cushmem_device::signal_op(at(sig_addr), signal, SignalOp::Set, pe as u32);
    }
    "shmem_signal_add" => fn signal_add(sig_addr: u64, signal: u64, pe: i32) {
        cushmem_device::signal_op(at(sig_addr), signal, SignalOp::Add, pe as u32);
    }
    "shmem_signal_fetch" => fn signal_fetch(sig_addr: u64) -> u64 { cushmem_device::signal_fetch(at(sig_addr)) }
    "shmem_signal_wait_until" => fn signal_wait_until(sig_addr: u64, cmp: i32, cmp_value: u64) -> u64 {
        cushmem_device::wait_until(at(sig_addr), cmp_of(cmp), cmp_value)
    }
}

macro_rules! orders { ($($module:ident $scope:ident $before:literal $after:literal;)*) => {$(
    mod $module {
        use super::*;
        exports! {
            concat!($before, "fence", $after) => fn fence() { $scope.fence() }
            concat!($before, "quiet", $after) => fn quiet() { $scope.quiet() }
            concat!($before, "barrier_all", $after) => fn barrier_all() { $scope.barrier_all() }
            concat!($before, "sync_all", $after) => fn sync_all() { $scope.sync_all() }
        }
    }
)*} }
orders! {
    by_thread Thread "shmem_" "";
    by_warp Warp "shmemx_" "_warp";
    by_block Block "shmemx_" "_block";
}

/// `p` and `g`.
macro_rules! words { ($($name:ident $t:ty;)*) => { mod words {$(
    pub(super) mod $name {
        use crate::*;
        exports! {
            concat!("shmem_", stringify!($name), "_p") => fn p(dest: u64, value: $t, pe: i32) {
                cushmem_device::p::<$t>(at(dest), value, pe as u32)
            }
            concat!("shmem_", stringify!($name), "_g") => fn g(source: u64, pe: i32) -> $t {
                cushmem_device::g::<$t>(at(source), pe as u32)
            }
        }
    }
)*} } }

/// Waits for a word.
macro_rules! waits { ($($name:ident $t:ty;)*) => { mod waits {$(
    pub(super) mod $name {
        use crate::*;
        exports! {
            concat!("shmem_", stringify!($name), "_wait_until") => fn wait_until(ivar: u64, cmp: i32, cmp_value: $t) {
                cushmem_device::wait_until::<$t>(at(ivar), cmp_of(cmp), cmp_value);
            }
            concat!("shmem_", stringify!($name), "_test") => fn test(ivar: u64, cmp: i32, cmp_value: $t) -> i32 {
                i32::from(cmp_of(cmp).holds(<$t>::load_acquire_sys(at(ivar)), cmp_value))
            }
        }
    }
)*} } }

/// The types of remote memory access, by their names in OpenSHMEM.
macro_rules! for_each_type {
    ($callback:ident) => {
        $callback! {
            float f32;
            double f64;
            char i8;
            schar i8;
            short i16;
            int i32;
            long i64;
            longlong i64;
            uchar u8;
            ushort u16;
            uint u32;
            ulong u64;
            ulonglong u64;
            int8 i8;
            int16 i16;
            int32 i32;
            int64 i64;
            uint8 u8;
            uint16 u16;
            uint32 u32;
            uint64 u64;
            size u64;
            ptrdiff i64;
        }
    };
}
pub(crate) use for_each_type;

/// The types of words for which there are waits, by their names in OpenSHMEM.
macro_rules! for_each_wait {
    ($callback:ident) => {
        $callback! {
            short i16;
            ushort u16;
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
    };
}
pub(crate) use for_each_wait;
for_each_type! { words }
for_each_wait! { waits }

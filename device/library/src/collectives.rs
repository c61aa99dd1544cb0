//! Collectives that only copy: broadcast, fcollect and alltoall. Each has one function, for bytes, which those with
//! OpenSHMEM's names call; it gets the scope as a number.

use crate::teams::team_of;
use crate::{at, exports, for_each_type};
use cushmem_device::Collective;
use cushmem_device::any::{Any, block, thread, warp};

/// # Safety
/// The caller guarantees what OpenSHMEM requires.
#[inline(never)]
unsafe fn broadcast(scope: u32, team: u64, dest: u64, source: u64, bytes: u64, root: i32) -> i32 {
    // SAFETY: the caller guarantees what OpenSHMEM requires.
    unsafe {
        Any::of_bits(scope).broadcast(team_of(team), at::<u8>(dest), at(source), bytes as usize, root as u32);
    }
    0
}

/// # Safety
/// The caller guarantees what OpenSHMEM requires.
#[inline(never)]
unsafe fn fcollect(scope: u32, team: u64, dest: u64, source: u64, bytes: u64) -> i32 {
    // SAFETY: the caller guarantees what OpenSHMEM requires.
    unsafe { Any::of_bits(scope).fcollect(team_of(team), at::<u8>(dest), at(source), bytes as usize) }
    0
}

/// # Safety
/// The caller guarantees what OpenSHMEM requires.
#[inline(never)]
unsafe fn alltoall(scope: u32, team: u64, dest: u64, source: u64, bytes: u64) -> i32 {
    // SAFETY: the caller guarantees what OpenSHMEM requires.
    unsafe { Any::of_bits(scope).alltoall(team_of(team), at::<u8>(dest), at(source), bytes as usize) }
    0
}

/// `$type` stands before the operation's name, and `$mem` after it.
macro_rules! names { ($bytes:expr, $type:expr, $mem:literal, $module:ident, $scope:ident, $before:literal, $after:literal) => {
    mod $module {
        use crate::collectives::*;
        const BYTES: u64 = $bytes as u64;
        exports! {
            concat!($before, $type, "broadcast", $mem, $after) => fn broadcast(team: u64, dest: u64, source: u64, nelems: u64, root: i32) -> i32 {
                crate::collectives::broadcast($scope(), team, dest, source, nelems * BYTES, root)
            }
            concat!($before, $type, "fcollect", $mem, $after) => fn fcollect(team: u64, dest: u64, source: u64, nelems: u64) -> i32 {
                crate::collectives::fcollect($scope(), team, dest, source, nelems * BYTES)
            }
            concat!($before, $type, "alltoall", $mem, $after) => fn alltoall(team: u64, dest: u64, source: u64, nelems: u64) -> i32 {
                crate::collectives::alltoall($scope(), team, dest, source, nelems * BYTES)
            }
        }
    }
} }

mod bytes {
    names! { 1, "", "mem", by_thread, thread, "shmem_", "" }
    names! { 1, "", "mem", by_warp, warp, "shmemx_", "_warp" }
    names! { 1, "", "mem", by_block, block, "shmemx_", "_block" }
}

macro_rules! of_types { ($($name:ident $t:ty;)*) => { mod types {$(
    mod $name {
        names! { size_of::<$t>(), concat!(stringify!($name), "_"), "", by_thread, thread, "shmem_", "" }
        names! { size_of::<$t>(), concat!(stringify!($name), "_"), "", by_warp, warp, "shmemx_", "_warp" }
        names! { size_of::<$t>(), concat!(stringify!($name), "_"), "", by_block, block, "shmemx_", "_block" }
    }
)*} } }
for_each_type! { of_types }

macro_rules! of_halves { ($($name:ident)*) => {$(
    mod $name {
        names! { 2, concat!(stringify!($name), "_"), "", by_thread, thread, "shmemx_", "" }
        names! { 2, concat!(stringify!($name), "_"), "", by_warp, warp, "shmemx_", "_warp" }
        names! { 2, concat!(stringify!($name), "_"), "", by_block, block, "shmemx_", "_block" }
    }
)*} }
of_halves! { half bfloat16 }

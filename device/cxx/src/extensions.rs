//! Atomic operations beyond those of OpenSHMEM, completion for some PEs, and the end of the job.

use crate::at;
use cushmem_device::{Atomic, AtomicNumber};

macro_rules! ordered { ($($t:ty: $min:ident $max:ident $fetch_min:ident $fetch_max:ident;)*) => { exports! {$(
    /// Stores a value if it is smaller.
    fn $min(to: u64, value: $t) { <$t>::min_relaxed_sys(at(to), value) }
    /// Stores a value if it is larger.
    fn $max(to: u64, value: $t) { <$t>::max_relaxed_sys(at(to), value) }
    /// Stores a value if it is smaller, and returns the old value.
    fn $fetch_min(to: u64, value: $t) -> $t { <$t>::fetch_min_relaxed_sys(at(to), value) }
    /// Stores a value if it is larger, and returns the old value.
    fn $fetch_max(to: u64, value: $t) -> $t { <$t>::fetch_max_relaxed_sys(at(to), value) }
)*} } }
ordered! {
    u32: min_u32 max_u32 fetch_min_u32 fetch_max_u32;
    i32: min_i32 max_i32 fetch_min_i32 fetch_max_i32;
    u64: min_u64 max_u64 fetch_min_u64 fetch_max_u64;
    i64: min_i64 max_i64 fetch_min_i64 fetch_max_i64;
}

// Floating-point numbers come as their bits.
exports! {
    /// Adds.
    fn add_f32(to: u64, value: u32) { f32::add_relaxed_sys(at(to), f32::from_bits(value)) }
    /// Adds.
    fn add_f64(to: u64, value: u64) { f64::add_relaxed_sys(at(to), f64::from_bits(value)) }
    /// Adds, and returns the old value.
    fn fetch_add_f32(to: u64, value: u32) -> u32 { f32::fetch_add_relaxed_sys(at(to), f32::from_bits(value)).to_bits() }
    /// Adds, and returns the old value.
    fn fetch_add_f64(to: u64, value: u64) -> u64 { f64::fetch_add_relaxed_sys(at(to), f64::from_bits(value)).to_bits() }
    /// Completes this lane's operations, after a check of the list.
    fn pe_quiet(pes: u64, count: u64) { cushmem_device::pe_quiet(at(pes), count as usize) }
    /// Ends the job.
    fn global_exit(status: u32) { cushmem_device::global_exit(status.cast_signed()) }
}

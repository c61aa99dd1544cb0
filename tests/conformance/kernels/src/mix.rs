//! Values that both sides can compute.

use cushmem_numbers::mixed;

/// A number that differs for every `round` and `index` in most bits.
#[inline(always)]
pub const fn mix(round: u64, index: u64) -> u64 {
    mixed(mixed(round) ^ index)
}

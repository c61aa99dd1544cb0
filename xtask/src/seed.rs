//! The seed of a run whose random values can be repeated.

use cushmem_environment::TEST_SEED;
use std::time::{SystemTime, UNIX_EPOCH};

/// Holds the seed of tests.
pub const VARIABLE: &str = TEST_SEED.name;

/// The seed of tests: the one that the user gave, or one from the clock.
pub fn of_tests() -> u64 {
    let given = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok());
    given.unwrap_or_else(from_clock)
}

/// A seed that differs from run to run. It is short, so that it is easy to type.
pub fn from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| u64::from(time.subsec_nanos()))
}

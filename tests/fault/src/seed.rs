//! Random numbers that can be reproduced after a test has failed.

use std::time::{SystemTime, UNIX_EPOCH};

/// A small generator (xorshift64*), seeded from `CUSHMEM_TEST_SEED` or the clock.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a seeded generator and prints its seed.
    pub fn announced(test: &str) -> Random {
        let given = std::env::var("CUSHMEM_TEST_SEED").ok().and_then(|text| text.parse().ok());
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
        let seed = given.unwrap_or_else(clock);
        println!("{test}: repeat with CUSHMEM_TEST_SEED={seed}");
        Random(seed | 1)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % limit
    }
}

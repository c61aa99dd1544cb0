use std::time::{SystemTime, UNIX_EPOCH};

/// Holds the seed of a test run.
pub(crate) const VARIABLE: &str = "CUSHMEM_TEST_SEED";

/// A small generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

/// Returns the seed that the user gave, or one from the clock.
pub(crate) fn seed() -> u64 {
    let given = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |t| t.as_nanos() as u64))
}

impl Random {
    /// Returns the sequence that is the same on all PEs of the job.
    pub fn shared() -> Self {
        Self(seed())
    }

    /// Returns another sequence, which is the same wherever `key` is the same.
    pub fn split(&self, key: u64) -> Self {
        let mut other = Self(self.0 ^ key.wrapping_mul(0xd1b5_4a32_d192_ed03));
        Self(other.bits())
    }

    /// Returns any number.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (((self.bits() >> 32) * limit as u64) >> 32) as usize
    }
}

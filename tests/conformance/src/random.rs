use cushmem_numbers::Random;
use xtask::seed;

/// Returns the sequence that is the same on all PEs of the job.
pub fn seeded() -> Random {
    Random::new(seed::of_tests())
}

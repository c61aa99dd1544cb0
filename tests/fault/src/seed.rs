use cushmem_numbers::Random;
use xtask::seed;

/// Returns a seeded generator and prints its seed, so that a failure can be repeated.
pub fn seeded(test: &str) -> Random {
    let seed = seed::of_tests();
    println!("{test}: repeat with {}={seed}", seed::VARIABLE);
    Random::new(seed)
}

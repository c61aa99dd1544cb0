//! Makes the same call many times and does nothing else, for tools that count instructions. `c/count_bench.c` does the
//! same in C.

use anyhow::Result;
use cushmem::Shmem;
use std::hint::black_box;

#[derive(clap::Args)]
pub struct Options {
    /// The operation to call
    #[arg(value_parser = ["put", "p", "get", "g", "fetch_add"])]
    operation: String,
    /// The number of calls
    #[arg(long, default_value_t = 1000)]
    calls: u64,
}

const SLOTS: usize = 8;

/// PE 0 calls with itself as the target, which takes the same path as any mapped peer.
pub fn run(shmem: &Shmem, options: &Options) -> Result<()> {
    let words = shmem.malloc::<u64>(SLOTS)?;
    let slots: Vec<_> = black_box((0..SLOTS).map(|i| words.slice(i..i + 1)).collect());
    let points: Vec<_> = black_box(slots.iter().map(|s| s.at(0)).collect());
    let pe = black_box(0);
    // Each operation has its own loop, so that the loop contains nothing but the call.
    let n = options.calls;
    let at = |i: u64| i as usize % SLOTS;
    match options.operation.as_str() {
        "put" => (0..n).try_for_each(|i| shmem.put(slots[at(i)], &[i], pe))?,
        "p" => (0..n).try_for_each(|i| shmem.p(points[at(i)], i, pe))?,
        "get" => (0..n).try_for_each(|i| shmem.get(black_box(&mut [0]), slots[at(i)], pe))?,
        "g" => (0..n).try_for_each(|i| shmem.g(points[at(i)], pe).map(|value| _ = black_box(value)))?,
        _ => (0..n).try_for_each(|i| shmem.fetch_add(points[at(i)], 1, pe).map(|old| _ = black_box(old)))?,
    }
    Ok(shmem.free(words)?)
}

//! The same call many times and nothing else, for tools that count instructions.

use anyhow::Result;
use cushmem::Shmem;
use std::hint::black_box;

#[derive(clap::Args)]
pub struct Options {
    /// What is called.
    #[arg(value_parser = ["put", "p", "get", "fetch_add"])]
    operation: String,
    /// How often.
    #[arg(long, default_value_t = 1000)]
    calls: u64,
}

const SLOTS: usize = 8;

/// PE 0 calls with itself as the target, which takes the same path as any mapped peer.
pub fn run(shmem: &Shmem, options: &Options) -> Result<()> {
    let words = shmem.malloc::<u64>(SLOTS)?;
    let slots: Vec<_> = black_box((0..SLOTS).map(|i| words.slice(i..i + 1)).collect());
    let points: Vec<_> = black_box(slots.iter().map(|s| s.at(0)).collect());
    let (pe, mut value) = (black_box(0), [0]);
    for i in 0..options.calls {
        let at = i as usize % SLOTS;
        match options.operation.as_str() {
            "put" => shmem.put(slots[at], &[i], pe)?,
            "p" => shmem.p(points[at], i, pe)?,
            "get" => shmem.get(&mut value, slots[at], pe)?,
            _ => value[0] = shmem.fetch_add(points[at], 1, pe)?,
        }
    }
    black_box(value);
    Ok(shmem.free(words)?)
}

//! Measures memory bandwidth, for programs that it limits.

use crate::job::is_emulated;
use anyhow::{Context, Result};
use cushmem::{Shmem, Stream};
use cushmem_numbers::median;

/// Bytes in a copy: many more than a cache holds, or few on the emulated GPU, where the CPU copies.
const BYTES: usize = 512 << 20;
const EMULATED_BYTES: usize = 4 << 20;
/// Copies between two events, and the number of times they are timed.
const COPIES: usize = 4;
const TIMES: usize = 5;

/// The bandwidth of a copy engine in the memory of this PE's GPU, reads plus writes, in GB/s: the median of a few
/// measurements. Collective.
pub fn copy_gb_s(shmem: &Shmem, stream: &Stream<'_>) -> Result<f64> {
    let bytes = if is_emulated(shmem) { EMULATED_BYTES } else { BYTES };
    let memory = shmem.malloc_gpu::<u64>(2 * bytes / size_of::<u64>())?;
    let (from, to) = (memory.slice(..memory.len() / 2), memory.slice(memory.len() / 2..));
    let mut rates = [0.0; TIMES];
    for rate in &mut rates {
        let begin = stream.record()?;
        for _ in 0..COPIES {
            stream.put(to, from, shmem.my_pe())?;
        }
        let seconds = f64::from(stream.record()?.elapsed_ms(&begin)?) / 1e3;
        *rate = (2 * COPIES * bytes) as f64 / seconds.max(1e-9) / 1e9;
    }
    shmem.free(memory)?;
    median(&mut rates).context("nothing was measured")
}

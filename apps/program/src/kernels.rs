//! What programs need that launch kernels.

use crate::job::is_emulated;
use anyhow::{Error, Result, anyhow, ensure};
use cushmem::{DeviceBuffer, Shmem};
use std::env;
use std::time::Duration;

/// Lanes of a block on a GPU, so many that lbm's blocks update a whole row of 256 cells at a time. With 128 they touch
/// the halves far apart, which takes kernels that stay 3 % longer.
const LANES: u32 = 256;
/// The same on the emulated GPU, where each lane has a stack: those of a warp stay in the L1 cache. With 256, stencil2d
/// took two to three times as long.
const EMULATED_LANES: u32 = 32;
/// Blocks on the emulated GPU, whose lanes take turns anyway.
const EMULATED_BLOCKS: u32 = 8;

/// A variable for tests of what several warps of a block do: if it is set, the emulated GPU too gets blocks of 256
/// lanes.
const LANES_OF_GPUS: &str = "LANES_OF_GPUS";

/// Lanes of a block, for all kernels of a program.
pub fn lanes(shmem: &Shmem) -> u32 {
    if is_emulated(shmem) && env::var_os(LANES_OF_GPUS).is_none() { EMULATED_LANES } else { LANES }
}

/// The most blocks of a kernel that ends: on a GPU one for each tile or piece. It begins them in their order, so those
/// that run together share what they load; blocks that go on with another tile drift apart.
pub fn most_blocks(shmem: &Shmem) -> u32 {
    if is_emulated(shmem) { EMULATED_BLOCKS } else { u32::MAX }
}

/// Words in GPU memory, at least one.
pub fn words_on_gpu<'a>(shmem: &'a Shmem, words: &[u64]) -> Result<DeviceBuffer<'a, u64>> {
    let buffer = shmem.device_alloc(words.len().max(1))?;
    if !words.is_empty() {
        buffer.copy_from(words)?;
    }
    Ok(buffer)
}

/// Fails if fewer blocks are `resident` together than wait for each other.
pub fn ensure_resident(resident: u32, lanes: u32, needed: u64) -> Result<()> {
    ensure!(
        u64::from(resident) >= needed,
        "this mode needs {needed} blocks of {lanes} lanes, but only {resident} fit on this GPU: use --mode host"
    );
    Ok(())
}

/// Why a kernel gave up in a step, such as "iteration 3": nothing came `from` a neighbour, or, if that is `None`, from
/// other blocks of the PE.
pub fn gave_up(shmem: &Shmem, step: &str, from: Option<&str>, limit: Duration) -> Error {
    let (pe, limit) = (shmem.my_pe(), limit.as_secs());
    match from {
        Some(from) => anyhow!("PE {pe}: {step}: nothing came from {from} within {limit} s (--limit)"),
        None => anyhow!("PE {pe}: {step}: blocks waited for others of this PE for more than {} s", 2 * limit),
    }
}

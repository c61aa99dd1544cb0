//! What programs need to launch kernels.

use crate::job::is_emulated;
use anyhow::{Error, Result, anyhow, ensure};
use cushmem::{DeviceBuffer, Shmem};
use std::env;
use std::time::Duration;

/// Lanes in a block on a GPU: enough that lbm's blocks update a whole row of 256 cells at a time. With 128, the two
/// halves of a row are touched far apart, and persistent kernels take 3 % longer.
const LANES: u32 = 256;
/// Lanes in a block on the emulated GPU, where each lane has a stack. The stacks of one warp fit in the L1 cache; with
/// 256 lanes, stencil2d took two to three times as long.
const EMULATED_LANES: u32 = 32;
/// The most blocks on the emulated GPU, whose lanes take turns anyway.
const EMULATED_BLOCKS: u32 = 8;

/// An environment variable for tests of blocks with several warps: if it is set, the emulated GPU also gets blocks of
/// 256 lanes.
const LANES_OF_GPUS: &str = "LANES_OF_GPUS";

/// The number of lanes in a block, for all kernels of a program.
pub fn lanes(shmem: &Shmem) -> u32 {
    if is_emulated(shmem) && env::var_os(LANES_OF_GPUS).is_none() { EMULATED_LANES } else { LANES }
}

/// The most blocks for a kernel that is not persistent. On a GPU there is no limit, so each tile or piece has its own
/// block. The GPU starts blocks in order, so blocks that run together share what they load, whereas blocks that each
/// update several tiles drift apart.
pub fn most_blocks(shmem: &Shmem) -> u32 {
    if is_emulated(shmem) { EMULATED_BLOCKS } else { u32::MAX }
}

/// Copies words to a buffer in GPU memory, which has room for at least one.
pub fn words_on_gpu<'a>(shmem: &'a Shmem, words: &[u64]) -> Result<DeviceBuffer<'a, u64>> {
    let buffer = shmem.device_alloc(words.len().max(1))?;
    if !words.is_empty() {
        buffer.copy_from(words)?;
    }
    Ok(buffer)
}

/// Fails if fewer than `needed` blocks, which wait for each other, can be `resident` at the same time.
pub fn ensure_resident(resident: u32, lanes: u32, needed: u64) -> Result<()> {
    ensure!(
        u64::from(resident) >= needed,
        "this mode needs {needed} blocks of {lanes} threads, but only {resident} fit on this GPU: use --mode host"
    );
    Ok(())
}

/// The error of a kernel that gave up in a step, such as "iteration 3", because nothing came `from` a neighbour or, if
/// that is `None`, from other blocks of the PE.
pub fn gave_up(shmem: &Shmem, step: &str, from: Option<&str>, limit: Duration) -> Error {
    let (pe, limit) = (shmem.my_pe(), limit.as_secs());
    match from {
        Some(from) => anyhow!("PE {pe}: {step}: nothing came from {from} within {limit} s (--limit)"),
        None => anyhow!("PE {pe}: {step}: blocks waited for others of this PE for more than {} s", 2 * limit),
    }
}

//! Puts of one thread that do not wait for their data, with a command processor (`CUSHMEM_COMMAND_PROCESSOR=1`) or
//! without it, beside the block's put; and what a kernel that computes at the same time loses.

use crate::report::Report;
use crate::rounds::median;
use anyhow::Result;
use cushmem::{Grid, Module, Shmem, Stream};
use shmem_bench_kernels as kernels;

const SIZES: [usize; 3] = [4 << 10, 64 << 10, 1 << 20];
const THREADS: u32 = 512;
/// Launches of which the median is reported.
const LAUNCHES: usize = 9;

/// Measures from PE 0 to the last one, which may be itself. Collective.
pub fn run(shmem: &Shmem, gpu: (&Stream<'_>, &Module<'_>), report: &mut Report, smoke: bool) -> Result<()> {
    let largest = SIZES[SIZES.len() - 1];
    let (dst, src) = (shmem.malloc_gpu::<u8>(largest)?, shmem.malloc_gpu::<u8>(largest)?);
    let spent = shmem.device_alloc::<u64>(3)?;
    spent.copy_from(&[0; 3])?;
    let (n, launches, threads) = if smoke { (2, 2, 32) } else { (200, LAUNCHES, THREADS) };
    let (stream, module) = gpu;
    for bytes in if smoke { &SIZES[..1] } else { &SIZES[..] } {
        for by_block in [0, 1] {
            let (mut returned, mut complete) = (vec![], vec![]);
            for _ in 0..launches {
                if shmem.my_pe() == 0 {
                    let args = (dst.device_ptr(), src.device_ptr(), *bytes, n, by_block, spent.device_ptr());
                    // SAFETY: both have room for the largest size, and nobody else uses them.
                    unsafe { stream.launch(module, kernels::put_nbi_times, Grid::linear(1, threads), args)? };
                    stream.synchronize()?;
                    let words = spent.to_vec()?;
                    returned.push(words[0] as f64 / n as f64 / 1e3);
                    complete.push(words[1] as f64 / n as f64 / 1e3);
                }
            }
            shmem.barrier_all()?;
            let by = match (by_block, spent.to_vec()?[2]) {
                (1, _) => format!("block of {threads}"),
                (_, 0) => "thread".to_owned(),
                _ => "thread and processor".to_owned(),
            };
            for (part, times) in [("return", returned), ("arrive", complete)] {
                let us = if times.is_empty() { 0.0 } else { median(&times) };
                let keys = [("by", by.clone()), ("part", part.to_owned()), ("bytes", bytes.to_string())];
                report.row("dev_put_nbi", &keys, us, "us")?;
            }
        }
    }
    beside(shmem, gpu, (dst.device_ptr(), src.device_ptr()), report, smoke)?;
    [dst, src].into_iter().try_for_each(|object| Ok(shmem.free(object)?))
}

/// A kernel that computes in all multiprocessors, alone and while a thread puts all the time.
fn beside(
    shmem: &Shmem,
    (stream, module): (&Stream<'_>, &Module<'_>),
    (dst, src): (cushmem::DevPtr<u8>, cushmem::DevPtr<u8>),
    report: &mut Report,
    smoke: bool,
) -> Result<()> {
    let processors = shmem.gpu().map_or(1, |gpu| gpu.sm_count.max(1));
    let (blocks, lanes, steps) = if smoke { (2, 32, 10) } else { (64 * processors, 256, 20_000u64) };
    let out = shmem.device_alloc::<f32>((blocks * lanes) as usize)?;
    let spent = shmem.device_alloc::<u64>(3)?;
    let other = shmem.stream()?;
    for (what, puts) in [("nothing", 0), ("puts", if smoke { 2u64 } else { 20_000 })] {
        let mut times = vec![];
        for _ in 0..if smoke { 1 } else { LAUNCHES } {
            if shmem.my_pe() == 0 {
                if puts > 0 {
                    let args = (dst, src, 64 << 10, puts, 0, spent.device_ptr());
                    // SAFETY: both have room for 64 KiB, and nobody else uses them.
                    unsafe { other.launch(module, kernels::put_nbi_times, Grid::linear(1, 32), args)? };
                }
                let start = stream.record()?;
                // SAFETY: there is a number for each lane.
                unsafe {
                    stream.launch(module, kernels::compute, Grid::linear(blocks, lanes), (steps, out.device_ptr()))?
                };
                let end = stream.record()?;
                stream.synchronize()?;
                times.push(f64::from(end.elapsed_ms(&start)?));
                other.synchronize()?;
            }
        }
        shmem.barrier_all()?;
        let ms = if times.is_empty() { 0.0 } else { median(&times) };
        report.row("dev_compute", &[("beside", what.to_owned())], ms, "ms")?;
    }
    Ok(())
}

//! Cached arrays: a hit beside a plain load, and lines drawn at random from a peer beside the block's get.

use crate::report::Report;
use anyhow::{Result, ensure};
use cushmem::{ArrayMode, Grid, Kernel, Module, Shmem, Stream, SymArray};
use shmem_bench_kernels::{self as kernels, ARRAY_LINE};

/// As in BaM's measurements, and as many as the multiprocessors of an H200 or H100.
const BLOCKS: u32 = 132;
const LANES: u32 = 256;

pub fn run(shmem: &Shmem, gpu: (&Stream<'_>, &Module<'_>), report: &mut Report, smoke: bool) -> Result<()> {
    hits(shmem, gpu, report, smoke)?;
    if shmem.n_pes() >= 2 {
        misses(shmem, gpu, report, smoke)?;
    }
    Ok(())
}

/// Milliseconds of the second of two launches.
fn time<K: Kernel>((stream, module): (&Stream<'_>, &Module<'_>), kernel: K, grid: Grid, args: K::Args) -> Result<f64>
where
    K::Args: Copy,
{
    let mut ms = 0.0;
    for _ in 0..2 {
        let start = stream.record()?;
        // SAFETY: every caller passes memory that the kernel may use, and keeps it.
        unsafe { stream.launch(module, kernel, grid, args)? };
        let end = stream.record()?;
        stream.synchronize()?;
        ms = end.elapsed_ms(&start)?.into();
    }
    Ok(ms)
}

fn array<'a>(shmem: &'a Shmem, lines: u64, slots: u64, on_host: bool) -> Result<SymArray<'a, u64>> {
    let array = shmem.array((lines * ARRAY_LINE) as usize * shmem.n_pes() as usize);
    let array = array.line_bytes(8 * ARRAY_LINE as usize).slots(slots as usize).mode(ArrayMode::ReadOnly);
    let array = if on_host { array.on_host() } else { array }.create::<u64>()?;
    if let Some(part) = array.part() {
        let first = array.range(shmem.my_pe()).start as u64;
        part.copy_from(&(0..part.len() as u64).map(|i| first + i).collect::<Vec<_>>())?;
    }
    shmem.barrier_all()?;
    Ok(array)
}

/// Reads of an array in host memory that is in the cache as a whole, and loads of the same words of GPU memory.
fn hits(shmem: &Shmem, gpu: (&Stream<'_>, &Module<'_>), report: &mut Report, smoke: bool) -> Result<()> {
    let (lines, n, blocks) = if smoke { (4, 2, 2) } else { (2048, 2000, BLOCKS) };
    let (array, grid) = (array(shmem, lines, lines * 2, true)?, Grid::linear(blocks, LANES));
    let lanes = (blocks * LANES) as usize;
    let (out, words) = (shmem.device_alloc::<u64>(lanes)?, shmem.device_alloc::<u64>((lines * ARRAY_LINE) as usize)?);
    words.copy_from(&(0..lines * ARRAY_LINE).collect::<Vec<_>>())?;
    let rate = |ms: f64| f64::from(blocks * LANES) * n as f64 / ms / 1e3;
    let keys = [("ctas", blocks.to_string()), ("threads", LANES.to_string())];
    let ms = time(gpu, kernels::array_loads, grid, (words.device_ptr(), lines, n, out.device_ptr()))?;
    report.row("dev_array_load", &keys, rate(ms), "Mop/s")?;
    let expected = out.to_vec()?;
    let ms = time(gpu, kernels::array_reads, grid, (array.device(), 0, lines, n, out.device_ptr()))?;
    ensure!(out.to_vec()? == expected, "PE {}: reads through the cache differ from loads", shmem.my_pe());
    report.row("dev_array_hit", &keys, rate(ms), "Mop/s")?;
    array.free()?;
    Ok(())
}

/// Reads in lines of PE 1's GPU memory that are drawn, by PE 0, through a cache for a sixteenth of them.
fn misses(shmem: &Shmem, gpu: (&Stream<'_>, &Module<'_>), report: &mut Report, smoke: bool) -> Result<()> {
    let (lines, n, blocks) = if smoke { (32, 2, 2) } else { (1 << 16, 60, BLOCKS) };
    let (array, grid) = (array(shmem, lines, lines / 16, false)?, Grid::linear(blocks, LANES));
    let out = shmem.device_alloc::<u64>((blocks * LANES) as usize)?;
    let mut ms = 0.0;
    if shmem.my_pe() == 0 {
        let first = lines * ARRAY_LINE;
        ms = time(gpu, kernels::array_reads, grid, (array.device(), first, lines, n, out.device_ptr()))?;
    }
    shmem.barrier_all()?;
    let bytes = 8 * ARRAY_LINE * n * u64::from(blocks * LANES / 32);
    let keys = [("ctas", blocks.to_string()), ("threads", LANES.to_string()), ("bytes", (8 * ARRAY_LINE).to_string())];
    report.row("dev_array_get", &keys, bytes as f64 / ms / 1e6, "GB/s")?;
    array.free()?;
    Ok(())
}

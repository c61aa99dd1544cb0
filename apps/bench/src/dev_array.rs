//! Cached arrays: a hit beside a plain load, lines drawn at random from a peer beside the block's get, from host memory
//! beside a copy by the copy engine, and from a file.

use crate::report::Report;
use anyhow::{Context as _, Result, ensure};
use cushmem::{ArrayMode, Grid, Kernel, Module, Shmem, Stream, SymArray};
use shmem_bench_kernels::{self as kernels, ARRAY_LINE};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// As in BaM's measurements, and as many as the multiprocessors of an H200 or H100.
const BLOCKS: u32 = 132;
const LANES: u32 = 256;

type Gpu<'a> = (&'a Stream<'a>, &'a Module<'a>);

pub fn run(shmem: &Shmem, gpu: Gpu<'_>, report: &mut Report, smoke: bool, files: Option<&Path>) -> Result<()> {
    // Lines that the GPU's L2 cache holds, and more than it holds.
    for (lines, lanes) in [2048, 1 << 16].into_iter().flat_map(|lines| [(lines, LANES), (lines, 2 * LANES)]) {
        hits(shmem, gpu, report, if smoke { None } else { Some(lines) }, lanes)?;
    }
    if shmem.n_pes() >= 2 {
        drawn(shmem, gpu, report, smoke, false)?;
    }
    drawn(shmem, gpu, report, smoke, true)?;
    if let Some(folder) = files {
        for words in [ARRAY_LINE, 16 * ARRAY_LINE] {
            from_file(shmem, gpu, report, smoke, folder, words)?;
        }
    }
    Ok(())
}

/// Milliseconds of the second of two rounds of `work`.
fn time(stream: &Stream<'_>, work: impl Fn() -> Result<()>) -> Result<f64> {
    let mut ms = 0.0;
    for _ in 0..2 {
        let start = stream.record()?;
        work()?;
        let end = stream.record()?;
        stream.synchronize()?;
        ms = end.elapsed_ms(&start)?.into();
    }
    Ok(ms)
}

/// [`time`] of a launch.
fn launched<K: Kernel>((stream, module): Gpu<'_>, kernel: K, grid: Grid, args: K::Args) -> Result<f64>
where
    K::Args: Copy,
{
    // SAFETY: every caller passes memory that the kernel may use, and keeps it.
    time(stream, || unsafe { Ok(stream.launch(module, kernel, grid, args)?) })
}

/// An array of so many lines for each PE, whose elements are their indices.
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
fn hits(shmem: &Shmem, gpu: Gpu<'_>, report: &mut Report, lines: Option<u64>, lanes: u32) -> Result<()> {
    let (lines, n, blocks) = lines.map_or((4, 2, 2), |lines| (lines, 2000, BLOCKS));
    let (array, grid) = (array(shmem, lines, lines * 2, true)?, Grid::linear(blocks, lanes));
    let all = (blocks * lanes) as usize;
    let (out, words) = (shmem.device_alloc::<u64>(all)?, shmem.device_alloc::<u64>((lines * ARRAY_LINE) as usize)?);
    words.copy_from(&(0..lines * ARRAY_LINE).collect::<Vec<_>>())?;
    let rate = |ms: f64| all as f64 * n as f64 / ms / 1e3;
    let bytes = 8 * ARRAY_LINE * lines;
    let keys = [("ctas", blocks.to_string()), ("threads", lanes.to_string()), ("bytes", bytes.to_string())];
    let ms = launched(gpu, kernels::array_loads, grid, (words.device_ptr(), lines, n, out.device_ptr()))?;
    report.row("dev_array_load", &keys, rate(ms), "Mop/s")?;
    let own = out.to_vec()?;
    let first = array.range(shmem.my_pe()).start as u64;
    let ms = launched(gpu, kernels::array_reads, grid, (array.device(), first, lines, n, out.device_ptr()))?;
    let expected = own.iter().map(|sum| sum.wrapping_add(n * first));
    ensure!(out.to_vec()?.into_iter().eq(expected), "PE {}: reads through the cache differ from loads", shmem.my_pe());
    report.row("dev_array_hit", &keys, rate(ms), "Mop/s")?;
    let gb_s = |ms: f64| rate(ms) * 8e-3;
    let near = |array: &SymArray<'_, u64>, first: u64| {
        launched(gpu, kernels::array_near_reads, grid, (array.device(), first, lines, n, out.device_ptr()))
    };
    let ms = near(&array, first)?;
    report.row("dev_array_near_hit", &keys, gb_s(ms), "GB/s")?;
    let cached = out.to_vec()?;
    array.free()?;
    // The PEs read at the same time, each in the next one's memory.
    let elsewhere = (u64::from(shmem.my_pe()) + 1) % u64::from(shmem.n_pes()) * lines * ARRAY_LINE;
    for (from, on_host, start) in [("gpu", false, elsewhere), ("host", true, first)] {
        // Of one PE, all GPU memory is its own.
        if shmem.n_pes() == 1 && !on_host {
            continue;
        }
        let array = match self::array(shmem, lines, 0, on_host) {
            Ok(array) => array,
            // Nobody has it then, for example because the GPUs do not reach each other.
            Err(why) => {
                if shmem.my_pe() == 0 {
                    eprintln!("shmem-bench: dev_array_near_load from {from} is left out: {why:#}");
                }
                continue;
            }
        };
        let ms = near(&array, start)?;
        let expected = cached.iter().map(|sum| sum.wrapping_sub(n * first).wrapping_add(n * start));
        ensure!(out.to_vec()?.into_iter().eq(expected), "PE {}: reads in place differ from hits", shmem.my_pe());
        let keys = [&keys[..], &[("from", from.to_owned())]].concat();
        report.row("dev_array_near_load", &keys, gb_s(ms), "GB/s")?;
        shmem.barrier_all()?;
        array.free()?;
    }
    Ok(())
}

/// The share of reads in lines that are drawn which find the line in no slot.
fn misses(lines: u64, slots: u64) -> f64 {
    1.0 - slots as f64 / lines as f64
}

/// PE 0 reads in lines that are drawn from PE 1's GPU memory, or from its own host memory, through a cache for a
/// sixteenth of them.
fn drawn(shmem: &Shmem, gpu: Gpu<'_>, report: &mut Report, smoke: bool, on_host: bool) -> Result<()> {
    let (lines, n, blocks) = if smoke { (32, 2, 2) } else { (1 << 16, 60, BLOCKS) };
    let (slots, grid) = (lines / 16, Grid::linear(blocks, LANES));
    let array = array(shmem, lines, slots, on_host)?;
    let out = shmem.device_alloc::<u64>((blocks * LANES) as usize)?;
    let reads = n * u64::from(blocks * LANES / 32);
    let bytes = 8 * ARRAY_LINE as usize;
    let keys = [("ctas", blocks.to_string()), ("threads", LANES.to_string()), ("bytes", bytes.to_string())];
    let whole = shmem.malloc_gpu::<u64>(if on_host { (lines * ARRAY_LINE) as usize } else { 1 })?;
    let copying = shmem.stream()?;
    let (mut ms, mut copy_ms) = (0.0, 0.0);
    if shmem.my_pe() == 0 {
        let first = if on_host { 0 } else { lines * ARRAY_LINE };
        ms = launched(gpu, kernels::array_reads, grid, (array.device(), first, lines, n, out.device_ptr()))?;
        if let Some(part) = array.part().filter(|_| on_host) {
            copy_ms = time(&copying, || Ok(copying.get(whole, part, 0)?))?;
        }
    }
    shmem.barrier_all()?;
    let fetched = (8 * ARRAY_LINE * reads) as f64 * misses(lines, slots);
    report.row(if on_host { "dev_array_host" } else { "dev_array_get" }, &keys, fetched / ms / 1e6, "GB/s")?;
    if on_host {
        report.row("dev_array_copy", &[], (8 * ARRAY_LINE * lines) as f64 / copy_ms / 1e6, "GB/s")?;
    }
    shmem.free(whole)?;
    array.free()?;
    Ok(())
}

/// Whether the folder is on a file system in memory.
fn in_memory(folder: &Path) -> Result<bool> {
    let system = nix::sys::statfs::statfs(folder).with_context(|| format!("look at {}", folder.display()))?;
    Ok(system.filesystem_type() == nix::sys::statfs::TMPFS_MAGIC)
}

/// A file that is gone when this is dropped.
struct Created(PathBuf);

impl Created {
    fn new(path: &Path, words: u64) -> Result<Self> {
        let created = std::fs::File::create_new(path).with_context(|| format!("create {}", path.display()))?;
        let (this, mut file) = (Self(path.to_owned()), BufWriter::with_capacity(1 << 20, created));
        (0..words).try_for_each(|word| file.write_all(&word.to_ne_bytes())).context("fill the file")?;
        file.into_inner()?.sync_all().context("fill the file")?;
        Ok(this)
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// PE 0 reads in lines of so many words that are drawn from a file.
fn from_file(shmem: &Shmem, gpu: Gpu<'_>, report: &mut Report, smoke: bool, folder: &Path, words: u64) -> Result<()> {
    let (bytes, blocks) = (8 * words as usize, if smoke { 2 } else { BLOCKS });
    // A quarter of a GiB or half of one; as many slots as warps, at least.
    let (lines, slots, n) = match words {
        _ if smoke => (32, 16, 2),
        ARRAY_LINE => (1 << 16, 1 << 12, 60),
        _ => (1 << 13, 1 << 11, 8),
    };
    // The number of PE 0's process is the same for all PEs.
    let number = shmem.malloc::<u64>(1)?;
    number.copy_from(&[std::process::id().into()])?;
    shmem.barrier_all()?;
    let path = folder.join(format!("shmem-bench-{}.array", shmem.g(number.at(0), 0)?));
    shmem.barrier_all()?;
    shmem.free(number)?;
    let created = (shmem.my_pe() == 0).then(|| Created::new(&path, lines * words)).transpose()?;
    shmem.barrier_all()?;
    let array = shmem.array((lines * words) as usize).line_bytes(bytes).slots(slots as usize);
    let array: SymArray<'_, u64> = array.mode(ArrayMode::ReadOnly).in_file(&path).create()?;
    drop(created);
    let (grid, out) = (Grid::linear(blocks, LANES), shmem.device_alloc::<u64>((blocks * LANES) as usize)?);
    let mut ms = 0.0;
    if shmem.my_pe() == 0 {
        ms = launched(gpu, kernels::array_reads, grid, (array.device(), 0, lines, n, out.device_ptr()))?;
    }
    shmem.barrier_all()?;
    let requests = (n * u64::from(blocks * LANES / 32)) as f64 * misses(lines, slots);
    let keys = [
        ("on", if in_memory(folder)? { "memory" } else { "disk" }.to_owned()),
        ("ctas", blocks.to_string()),
        ("threads", LANES.to_string()),
        ("bytes", bytes.to_string()),
    ];
    report.row("dev_array_file", &keys, requests / ms / 1e3, "Mop/s")?;
    array.free()?;
    Ok(())
}

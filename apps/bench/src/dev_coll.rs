//! Collectives that kernels carry out. Each is checked once before it is measured.

use crate::report::Report;
use crate::uneven::{TOKEN, TOKENS, Uneven};
use anyhow::{Result, ensure};
use cushmem::DeviceTeam;
use cushmem::{DevPtr, Grid, Kernel, Module, Shmem, Stream, SymSlice};
use shmem_bench_kernels as kernels;

/// Elements of each member, in collectives of one block.
const ELEMENTS: [usize; 5] = [1, 256, 4096, 65_536, 1 << 20];
/// Elements in all blocks of the dest, in collectives of a grid: 64 MiB.
const OF_GRID: usize = 1 << 24;

struct Bench<'a> {
    shmem: &'a Shmem,
    stream: &'a Stream<'a>,
    module: &'a Module<'a>,
    dest: SymSlice<'a, f32>,
    source: SymSlice<'a, f32>,
    /// Of the dest and the source, for exchanges of unequal size.
    splits: [SymSlice<'a, u64>; 2],
    smoke: bool,
}

pub fn run(
    shmem: &Shmem,
    (stream, module): (&Stream<'_>, &Module<'_>),
    report: &mut Report,
    smoke: bool,
) -> Result<()> {
    let n_pes = shmem.n_pes() as usize;
    let most = if smoke { 4096 } else { ELEMENTS[ELEMENTS.len() - 1] };
    let of_grid = if smoke { 8192 } else { OF_GRID } / n_pes * n_pes;
    let room = (most * n_pes).max(of_grid);
    let (dest, source) = (shmem.malloc_gpu::<f32>(room)?, shmem.malloc_gpu::<f32>(room)?);
    source.copy_from(&(0..room).map(|i| number(shmem.my_pe(), i)).collect::<Vec<_>>())?;
    let splits = [shmem.malloc_gpu::<u64>(2 * n_pes)?, shmem.malloc_gpu::<u64>(2 * n_pes)?];
    shmem.barrier_all()?;
    let bench = Bench { shmem, stream, module, dest, source, splits, smoke };
    for elems in ELEMENTS.into_iter().filter(|&elems| elems <= most) {
        for threads in if smoke { &[128][..] } else { &[128, 512, 1024] } {
            let keys = [("scope", "block".into()), ("threads", threads.to_string()), ("elems", elems.to_string())];
            let grid = Grid::linear(1, *threads);
            let by = |kernel: Kind| bench.by_block(kernel, grid, elems);
            report.row("dev_reduce_sum_f32", &keys, by(Kind::Reduce)?, "us")?;
            report.row("dev_fcollect_f32", &keys, by(Kind::Fcollect)?, "us")?;
            report.row("dev_alltoall_f32", &keys, by(Kind::Alltoall)?, "us")?;
            report.row("dev_broadcast_f32", &keys, by(Kind::Broadcast)?, "us")?;
        }
    }
    let us = bench.block(kernels::reduce_warp, Grid::linear(1, 32), Kind::Reduce, 1)?;
    report.row("dev_reduce_sum_f32", &[("scope", "warp".into()), ("elems", 1.to_string())], us, "us")?;
    for (ctas, threads) in if smoke { &[(2, 32)][..] } else { &[(32, 512), (64, 512), (128, 512)] } {
        let (grid, size) = (Grid::linear(*ctas, *threads), ("total_elems", of_grid.to_string()));
        let keys = [("scope", "grid".into()), ("ctas", ctas.to_string()), ("threads", threads.to_string()), size];
        let each = of_grid / n_pes;
        let us = bench.by_grid(kernels::reduce_grid, grid, Kind::Reduce, of_grid)?;
        report.row("dev_reduce_sum_f32", &keys, us, "us")?;
        let us = bench.by_grid(kernels::fcollect_grid, grid, Kind::Fcollect, each)?;
        report.row("dev_fcollect_f32", &keys, us, "us")?;
        let us = bench.by_grid(kernels::alltoall_grid, grid, Kind::Alltoall, each)?;
        report.row("dev_alltoall_f32", &keys, us, "us")?;
        for tokens in if smoke { &TOKENS[..1] } else { &TOKENS } {
            let (bytes, us) = bench.alltoallv(grid, *tokens)?;
            let mut keys = keys[..3].to_vec();
            keys.extend([("tokens", tokens.to_string()), ("largest_bytes", bytes.to_string())]);
            report.row("dev_alltoallv_7k", &keys, us, "us")?;
        }
    }
    shmem.barrier_all()?;
    for words in splits {
        shmem.free(words)?;
    }
    shmem.free(source)?;
    shmem.free(dest)?;
    Ok(())
}

/// Element `i` of a PE's source: a whole number small enough that sums are exact.
fn number(pe: u32, i: usize) -> f32 {
    ((i * 31 + pe as usize * 7) % 1000) as f32
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Reduce,
    Fcollect,
    Alltoall,
    Broadcast,
}

type OfBlock = (DeviceTeam, DevPtr<f32>, DevPtr<f32>, usize, u64);
type OfGrid = (DeviceTeam, DevPtr<f32>, DevPtr<f32>, usize, u64, DevPtr<u32>);

impl Bench<'_> {
    fn by_block(&self, kind: Kind, grid: Grid, elems: usize) -> Result<f64> {
        match (kind, grid.threads_per_block() <= 512) {
            (Kind::Reduce, true) => self.block(kernels::reduce_wide, grid, kind, elems),
            (Kind::Reduce, false) => self.block(kernels::reduce_block, grid, kind, elems),
            (Kind::Fcollect, true) => self.block(kernels::fcollect_wide, grid, kind, elems),
            (Kind::Fcollect, false) => self.block(kernels::fcollect_block, grid, kind, elems),
            (Kind::Alltoall, true) => self.block(kernels::alltoall_wide, grid, kind, elems),
            (Kind::Alltoall, false) => self.block(kernels::alltoall_block, grid, kind, elems),
            (Kind::Broadcast, true) => self.block(kernels::broadcast_wide, grid, kind, elems),
            (Kind::Broadcast, false) => self.block(kernels::broadcast_block, grid, kind, elems),
        }
    }

    fn block<K: Kernel<Args = OfBlock> + Copy>(&self, kernel: K, grid: Grid, kind: Kind, elems: usize) -> Result<f64> {
        let (team, dst, src) = self.arguments();
        // SAFETY: dest and source have room for `elems` elements of each member, and all PEs launch the same.
        self.each(kind, elems, if elems > 4096 { 3 } else { 20 }, |n| unsafe {
            self.stream.launch(self.module, kernel, grid, (team, dst, src, elems, n))
        })
    }

    fn by_grid<K: Kernel<Args = OfGrid> + Copy>(&self, kernel: K, grid: Grid, kind: Kind, elems: usize) -> Result<f64> {
        let ((team, dst, src), counter) = (self.arguments(), self.stream.grid_counter());
        // SAFETY: dest and source have room for `elems` elements of each member, all PEs launch the same, and the
        // counter is that of the stream.
        self.each(kind, elems, 20, |n| unsafe {
            self.stream.launch_cooperative(self.module, kernel, grid, (team, dst, src, elems, n, counter))
        })
    }

    /// Also returns the most bytes that a PE sends to another one.
    fn alltoallv(&self, grid: Grid, tokens: usize) -> Result<(usize, f64)> {
        let width = if self.smoke { 64 } else { TOKEN };
        let (uneven, room) = (Uneven::new(self.shmem, tokens, width), self.dest.len() / width);
        let [came, sent] = self.splits;
        sent.copy_from(&uneven.splits())?;
        self.shmem.barrier_all()?;
        let ((team, dst, src), counter) = (self.arguments(), self.stream.grid_counter());
        let [came, sent] = [came, sent].map(|words| words.device_ptr());
        // SAFETY: dest and source have room for the rows, the splits for two words of each PE, all PEs launch the same,
        // and the counter is that of the stream.
        let launch = |n| unsafe {
            let args = (team, dst, src, came, sent, room, width, n, counter);
            self.stream.launch_cooperative(self.module, kernels::alltoallv_grid, grid, args)
        };
        let sources = uneven.sources();
        let expected = |i| {
            let (pe, element) = sources(i);
            number(pe, element)
        };
        let us = self.time(20, launch, || {
            let found = self.splits[0].slice(..2 * self.shmem.n_pes() as usize).to_vec()?;
            ensure!(found == uneven.dest_splits(), "PE {}: wrong splits of alltoallv", self.shmem.my_pe());
            self.compare("alltoallv", uneven.elements(), expected)
        })?;
        Ok((uneven.largest_bytes(), us))
    }

    fn arguments(&self) -> (DeviceTeam, DevPtr<f32>, DevPtr<f32>) {
        (self.shmem.team_world().device(), self.dest.device_ptr(), self.source.device_ptr())
    }

    fn each(&self, kind: Kind, elems: usize, n: u64, launch: impl Fn(u64) -> cushmem::Result<()>) -> Result<f64> {
        self.time(n, launch, || self.check(kind, elems))
    }

    /// Microseconds per collective, in launches of `n`. One collective whose result is checked runs first.
    fn time(
        &self,
        n: u64,
        launch: impl Fn(u64) -> cushmem::Result<()>,
        check: impl FnOnce() -> Result<()>,
    ) -> Result<f64> {
        const LAUNCHES: u64 = 3;
        launch(1)?;
        self.stream.synchronize()?;
        check()?;
        self.shmem.barrier_all()?;
        let n = if self.smoke { 2 } else { n };
        // While this one runs, all PEs enqueue the next ones, so that none of those waits for another PE's CPU.
        launch(n)?;
        let start = self.stream.record()?;
        (0..LAUNCHES).try_for_each(|_| launch(n))?;
        let end = self.stream.record()?;
        self.stream.synchronize()?;
        self.shmem.barrier_all()?;
        Ok(f64::from(end.elapsed_ms(&start)?) * 1e3 / (LAUNCHES * n) as f64)
    }

    fn check(&self, kind: Kind, elems: usize) -> Result<()> {
        let (me, n_pes) = (self.shmem.my_pe(), self.shmem.n_pes());
        let blocks = if matches!(kind, Kind::Fcollect | Kind::Alltoall) { n_pes as usize } else { 1 };
        self.compare(&format!("{kind:?}"), elems * blocks, |i| {
            let (member, of_block) = ((i / elems) as u32, i % elems);
            match kind {
                Kind::Reduce => (0..n_pes).map(|pe| number(pe, i)).sum(),
                Kind::Fcollect => number(member, of_block),
                Kind::Alltoall => number(member, me as usize * elems + of_block),
                Kind::Broadcast => number(0, i),
            }
        })
    }

    fn compare(&self, what: &str, elements: usize, expected: impl Fn(usize) -> f32) -> Result<()> {
        let (me, found) = (self.shmem.my_pe(), self.dest.slice(..elements).to_vec()?);
        let wrong = (0..elements).find(|&i| found[i] != expected(i));
        ensure!(wrong.is_none(), "PE {me}: {what} of {elements} elements: element {wrong:?} is wrong");
        Ok(())
    }
}

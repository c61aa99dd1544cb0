//! Collectives on GPU memory, carried out by streams. Each is checked once before it is measured.

use crate::report::Report;
use crate::uneven::{TOKEN, TOKENS, Uneven};
use anyhow::{Result, ensure};
use cushmem::{Reduction, Shmem, Stream, SymSlice};

/// The number of elements in all blocks together.
const ELEMENTS: [usize; 6] = [2, 256, 16_384, 65_536, 1 << 20, 1 << 24];

struct Bench<'a> {
    shmem: &'a Shmem,
    stream: &'a Stream<'a>,
    dest: SymSlice<'a, f32>,
    source: SymSlice<'a, f32>,
    smoke: bool,
}

pub fn run(shmem: &Shmem, stream: &Stream<'_>, report: &mut Report, smoke: bool) -> Result<()> {
    let n_pes = shmem.n_pes() as usize;
    let room = ELEMENTS[ELEMENTS.len() - 1].next_multiple_of(n_pes);
    let (dest, source) = (shmem.malloc_gpu::<f32>(room)?, shmem.malloc_gpu::<f32>(room)?);
    let bench = Bench { shmem, stream, dest, source, smoke };
    source.copy_from(&(0..room).map(|i| bench.number(shmem.my_pe(), i)).collect::<Vec<_>>())?;
    shmem.barrier_all()?;
    for elements in ELEMENTS {
        let mut rows = |metric: &str, (once, replayed): (f64, f64)| {
            let keys = [("total_elems", elements.to_string()), ("replay", "graph".to_owned())];
            report.row(metric, &keys[..1], once, "us")?;
            report.row(metric, &keys, replayed, "us")
        };
        rows("stream_reduce_sum_f32", bench.reduce(elements)?)?;
        if elements >= n_pes {
            rows("stream_fcollect_f32", bench.fcollect(elements / n_pes)?)?;
            rows("stream_alltoall_f32", bench.alltoall(elements / n_pes)?)?;
        }
        if !smoke {
            rows("stream_broadcast_f32", bench.broadcast(elements)?)?;
        }
    }
    let splits = [shmem.malloc_gpu::<u64>(2 * n_pes)?, shmem.malloc_gpu::<u64>(2 * n_pes)?];
    for tokens in TOKENS {
        let (bytes, (once, replayed)) = bench.alltoallv(tokens, splits)?;
        let keys =
            [("tokens", tokens.to_string()), ("largest_bytes", bytes.to_string()), ("replay", "graph".to_owned())];
        report.row("stream_alltoallv_7k", &keys[..2], once, "us")?;
        report.row("stream_alltoallv_7k", &keys, replayed, "us")?;
    }
    shmem.barrier_all()?;
    for words in splits {
        shmem.free(words)?;
    }
    shmem.free(source)?;
    shmem.free(dest)?;
    Ok(())
}

impl Bench<'_> {
    /// Element `i` of a PE's source: a whole number small enough that sums are exact.
    fn number(&self, pe: u32, i: usize) -> f32 {
        ((i * 31 + pe as usize * 7) % 1000) as f32
    }

    /// Microseconds per collective, for many enqueued back to back, and for many enqueued by a graph. One collective
    /// whose result is checked runs first.
    fn each(
        &self,
        what: &str,
        elements: usize,
        enqueue: impl Fn() -> cushmem::Result<()>,
        expected: impl Fn(usize) -> f32,
    ) -> Result<(f64, f64)> {
        enqueue()?;
        self.stream.synchronize()?;
        let found = self.dest.slice(..elements).to_vec()?;
        let wrong = (0..elements).find(|&i| found[i] != expected(i));
        ensure!(wrong.is_none(), "{what} of {elements} elements: element {wrong:?} is wrong");
        self.shmem.barrier_all()?;
        let (in_graph, n) = match elements {
            _ if self.smoke => (1, 1),
            ..=65_536 => (25, 500),
            _ => (2, 20),
        };
        let once = self.time(n, &enqueue)?;
        let graph = self.stream.capture(|| (0..in_graph).try_for_each(|_| enqueue()))?;
        // SAFETY: source and dest exist until the stream has been synchronised.
        let replay = || unsafe { self.stream.replay(&graph) };
        if !self.smoke {
            self.time(1, replay)?;
        }
        Ok((once, self.time(n / in_graph, replay)? / f64::from(in_graph)))
    }

    fn time(&self, n: u32, enqueue: impl Fn() -> cushmem::Result<()>) -> Result<f64> {
        // While this one runs, all PEs enqueue the next ones, so that none of those waits for another PE's CPU.
        enqueue()?;
        let start = self.stream.record()?;
        (0..n).try_for_each(|_| enqueue())?;
        let end = self.stream.record()?;
        self.stream.synchronize()?;
        self.shmem.barrier_all()?;
        Ok(f64::from(end.elapsed_ms(&start)?) * 1e3 / f64::from(n))
    }

    fn reduce(&self, elements: usize) -> Result<(f64, f64)> {
        let (team, n_pes) = (self.shmem.team_world(), self.shmem.n_pes());
        let (dest, source) = (self.dest.slice(..elements), self.source.slice(..elements));
        let sum = |i| (0..n_pes).map(|pe| self.number(pe, i)).sum();
        self.each("reduce", elements, || self.stream.reduce(team, Reduction::Sum, dest, source), sum)
    }

    fn fcollect(&self, each: usize) -> Result<(f64, f64)> {
        let (team, all) = (self.shmem.team_world(), each * self.shmem.n_pes() as usize);
        let (dest, source) = (self.dest.slice(..all), self.source.slice(..each));
        let block = |i| self.number((i / each) as u32, i % each);
        self.each("fcollect", all, || self.stream.fcollect(team, dest, source), block)
    }

    fn alltoall(&self, each: usize) -> Result<(f64, f64)> {
        let (team, all) = (self.shmem.team_world(), each * self.shmem.n_pes() as usize);
        let (dest, source) = (self.dest.slice(..all), self.source.slice(..all));
        let own = self.shmem.my_pe() as usize * each;
        let block = |i| self.number((i / each) as u32, own + i % each);
        self.each("alltoall", all, || self.stream.alltoall(team, dest, source), block)
    }

    /// Also returns the most bytes that a PE sends to another one.
    fn alltoallv(&self, tokens: usize, [received, sent]: [SymSlice<'_, u64>; 2]) -> Result<(usize, (f64, f64))> {
        let (team, uneven) = (self.shmem.team_world(), Uneven::new(self.shmem, tokens, TOKEN));
        sent.copy_from(&uneven.splits())?;
        self.shmem.barrier_all()?;
        let sources = uneven.sources();
        let expected = |i: usize| {
            let (pe, element) = sources(i);
            self.number(pe, element)
        };
        let enqueue = || self.stream.alltoallv(team, (self.dest, self.source), (received, sent), TOKEN);
        let times = self.each("alltoallv", uneven.elements(), enqueue, expected)?;
        Ok((uneven.largest_bytes(), times))
    }

    fn broadcast(&self, elements: usize) -> Result<(f64, f64)> {
        let team = self.shmem.team_world();
        let (dest, source) = (self.dest.slice(..elements), self.source.slice(..elements));
        let of_root = |i| self.number(0, i);
        self.each("broadcast", elements, || self.stream.broadcast(team, dest, source, 0), of_root)
    }
}

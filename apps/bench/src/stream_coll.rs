//! Collectives on GPU memory, carried out by streams. Each is checked once before it is measured.

use crate::report::Report;
use anyhow::{Result, ensure};
use cushmem::{Reduction, Shmem, Stream, SymSlice};

/// The number of elements in all blocks together.
const ELEMENTS: [usize; 6] = [2, 256, 16_384, 65_536, 1 << 20, 1 << 24];

/// The tokens that each PE sends in an exchange of unequal size, and the elements of a token: 7 KiB.
const TOKENS: [usize; 5] = [8, 64, 256, 1024, 4096];
const TOKEN: usize = 1792;

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

    /// How many of its tokens a PE sends to another one: three times as many to some as to others.
    fn tokens(&self, tokens: usize, from: u32, to: u32) -> usize {
        let weight = |to: u32| 1 + (from as usize + 2 * to as usize) % 3;
        let all: usize = (0..self.shmem.n_pes()).map(weight).sum();
        tokens * weight(to) / all
    }

    /// Also returns the most bytes that a PE sends to another one.
    fn alltoallv(&self, tokens: usize, [received, sent]: [SymSlice<'_, u64>; 2]) -> Result<(usize, (f64, f64))> {
        let (team, me, n_pes) = (self.shmem.team_world(), self.shmem.my_pe(), self.shmem.n_pes());
        let pes = || 0..n_pes;
        let starts = |counts: Vec<usize>| {
            let starts = counts.iter().scan(0, |start, count| Some(std::mem::replace(start, *start + count)));
            let starts: Vec<_> = starts.collect();
            (counts, starts)
        };
        let (counts, from) = starts(pes().map(|to| self.tokens(tokens, me, to)).collect());
        let (came, at) = starts(pes().map(|from| self.tokens(tokens, from, me)).collect());
        sent.copy_from(&counts.iter().chain(&from).map(|number| *number as u64).collect::<Vec<_>>())?;
        self.shmem.barrier_all()?;
        let expected = |i: usize| {
            let row = i / TOKEN;
            let pe = pes().rfind(|pe| at[*pe as usize] <= row && came[*pe as usize] > 0).unwrap_or(0);
            let before: usize = (0..me).map(|to| self.tokens(tokens, pe, to)).sum();
            self.number(pe, (before + row - at[pe as usize]) * TOKEN + i % TOKEN)
        };
        let all = came.iter().sum::<usize>() * TOKEN;
        let ends = (self.dest, self.source);
        let times =
            self.each("alltoallv", all, || self.stream.alltoallv(team, ends, (received, sent), TOKEN), expected)?;
        let between = pes().flat_map(|from| pes().filter(move |to| *to != from).map(move |to| (from, to)));
        let largest = between.map(|(from, to)| self.tokens(tokens, from, to)).max().unwrap_or(0);
        Ok((largest * TOKEN * size_of::<f32>(), times))
    }

    fn broadcast(&self, elements: usize) -> Result<(f64, f64)> {
        let team = self.shmem.team_world();
        let (dest, source) = (self.dest.slice(..elements), self.source.slice(..elements));
        let of_root = |i| self.number(0, i);
        self.each("broadcast", elements, || self.stream.broadcast(team, dest, source, 0), of_root)
    }
}

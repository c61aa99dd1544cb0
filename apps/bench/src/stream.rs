//! Operations carried out by a stream.

use crate::names::By;
use crate::report::{Output, Report};
use crate::rounds::Figure;
use crate::stream_coll;
use anyhow::{Result, ensure};
use cushmem::{Operation, Shmem, SignalOp, Stream, SymPtr, SymSlice};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    output: Output,
    /// Run a few steps of everything to test the program; the figures are meaningless
    #[arg(long)]
    smoke: bool,
    /// Measure only collectives
    #[arg(long)]
    collectives: bool,
}

const LIMIT: Duration = Duration::from_secs(30);
const WARM_UP: Duration = Duration::from_millis(200);
const SIZES: [usize; 6] = [8, 4096, 65_536, 1 << 20, 1 << 24, 1 << 28];

/// The number of operations in a graph that is replayed.
const IN_GRAPH: u64 = 25;

struct Bench<'a> {
    shmem: &'a Shmem,
    stream: Stream<'a>,
    /// Symmetric: target and source of data, on the GPU and on the host, and a signal.
    dst: SymSlice<'a, u64>,
    src: SymSlice<'a, u64>,
    host: SymSlice<'a, u64>,
    flag: SymSlice<'a, u64>,
    bytes: usize,
    report: Report,
    smoke: bool,
}

pub fn run(shmem: &Shmem, options: &Options) -> Result<()> {
    let emulated = shmem.gpu().is_none_or(|g| g.emulated);
    let smoke = options.smoke || emulated;
    let bytes = if smoke { 1 << 20 } else { SIZES[SIZES.len() - 1] };
    let backend = if emulated { "soft" } else { "cuda" };
    let mut bench = Bench {
        shmem,
        stream: shmem.stream()?,
        dst: shmem.malloc_gpu(bytes / 8)?,
        src: shmem.malloc_gpu(bytes / 8)?,
        host: shmem.malloc(1 << 17)?,
        flag: shmem.malloc_gpu(2)?,
        bytes,
        report: Report::new(shmem, "operations that a stream carries out", backend, &options.output)?,
        smoke,
    };
    bench.flag.copy_from(&[0, 0])?;
    if shmem.n_pes() >= 2 {
        bench.posts()?;
    }
    if !smoke && shmem.pes_on_my_gpu() > Some(1) {
        let why = "PEs share a GPU: their streams would wait for each other's time slices";
        bench.report.left_out("all other rows", why)?;
        return bench.report.finish();
    }
    let start = Instant::now();
    while start.elapsed() < if bench.smoke { Duration::ZERO } else { WARM_UP } {
        bench.stream.put(bench.dst, bench.src, shmem.my_pe())?;
        bench.stream.synchronize()?;
    }
    if !options.collectives {
        if shmem.n_pes() >= 2 {
            bench.transfers()?;
            bench.graphs()?;
        }
        bench.meetings()?;
    }
    stream_coll::run(shmem, &bench.stream, &mut bench.report, bench.smoke)?;
    bench.report.finish()
}

impl Bench<'_> {
    fn steps(&self, n: u64) -> u64 {
        if self.smoke { n.min(3) } else { n }
    }

    /// Microseconds per operation on the GPU, for `n` operations enqueued back to back after one that is complete.
    fn each(&self, n: u64, enqueue: impl Fn() -> cushmem::Result<()>) -> Result<f64> {
        enqueue()?;
        self.stream.synchronize()?;
        let n = self.steps(n);
        let start = self.stream.record()?;
        (0..n).try_for_each(|_| enqueue())?;
        let end = self.stream.record()?;
        self.stream.synchronize()?;
        Ok(f64::from(end.elapsed_ms(&start)?) * 1e3 / n as f64)
    }

    /// Microseconds per operation, as [`Bench::each`] measures them, on PE 0 alone, while the others wait.
    fn alone(&self, n: u64, enqueue: impl Fn(&Stream<'_>) -> cushmem::Result<()>) -> Result<f64> {
        self.shmem.barrier_all()?;
        let us = if self.shmem.my_pe() == 0 { self.each(n, || enqueue(&self.stream))? } else { 0.0 };
        self.shmem.barrier_all()?;
        Ok(us)
    }

    /// How long a get takes that the CPU has prepared and a stream releases: from the end of what is in front of it on
    /// the stream, as the CPU sees it, until the data are here. The reference is the CPU's own get. Between nodes, the
    /// difference is the time from the release to the posting on the network.
    fn posts(&mut self) -> Result<()> {
        let (me, flag, inbox) = (self.shmem.my_pe(), self.host.at(0), self.host.at(1));
        let source = self.host.slice(2..3);
        source.copy_from(&[1])?;
        self.shmem.barrier_all()?;
        let (mut posted, mut direct) = (vec![], vec![]);
        if me == 0 {
            let get = self.shmem.prepare(Operation::get(self.host.slice(1..2), source, 1)?)?;
            for round in 1..=self.steps(500) {
                self.shmem.p(inbox, 0, me)?;
                self.stream.p(flag, round, me)?;
                self.stream.post(&get)?;
                self.until(flag, round)?;
                let start = Instant::now();
                self.until(inbox, 1)?;
                posted.push(start.elapsed().as_secs_f64() * 1e6);
                self.stream.synchronize()?;
                let start = Instant::now();
                self.shmem.get(&mut [0], source, 1)?;
                direct.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
        self.shmem.barrier_all()?;
        if me == 0 {
            let keys = [("kinds", "H-H".to_owned()), ("bytes", "8".to_owned())];
            self.report.row("stream_post_get", &keys, Figure::of(&posted, |us| us), "us")?;
            self.report.row_by(By::Limit, "stream_post_get", &keys, Figure::of(&direct, |us| us), "us")?;
        }
        Ok(())
    }

    /// Waits until one of this PE's words in host memory has a value.
    fn until(&self, word: SymPtr<'_, u64>, value: u64) -> Result<()> {
        let start = Instant::now();
        while self.shmem.g(word, self.shmem.my_pe())? != value {
            ensure!(start.elapsed() < LIMIT, "a word was not {value} within {LIMIT:?}");
        }
        Ok(())
    }

    fn transfers(&mut self) -> Result<()> {
        let sig = self.flag.at(0);
        for bytes in SIZES.into_iter().filter(|&bytes| bytes <= self.bytes) {
            let n = if bytes > 1 << 20 { 10 } else { 500 };
            let (dst, src) = (self.dst.slice(..bytes / 8), self.src.slice(..bytes / 8));
            let keys = |kinds: &str| [("kinds", kinds.to_owned()), ("bytes", bytes.to_string())];
            let us = self.alone(n, |stream| stream.put(dst, src, 1))?;
            self.report.row("stream_put", &keys("D-D"), us, "us")?;
            let us = self.alone(n, |stream| stream.get(dst, src, 1))?;
            self.report.row("stream_get", &keys("D-D"), us, "us")?;
            let us = self.alone(n, |stream| stream.put_signal(dst, src, sig, 7, SignalOp::Set, 1))?;
            self.report.row("stream_put_signal", &keys("D-D"), us, "us")?;
            if bytes <= 1 << 20 {
                let host = self.host.slice(..bytes / 8);
                let us = self.alone(n, |stream| stream.put(dst, host, 1))?;
                self.report.row("stream_put", &keys("H-D"), us, "us")?;
                let us = self.alone(n, |stream| stream.put(host, src, 1))?;
                self.report.row("stream_put", &keys("D-H"), us, "us")?;
                let us = self.alone(n, |stream| stream.put(host, host, 1))?;
                self.report.row("stream_put", &keys("H-H"), us, "us")?;
            }
        }
        let us = self.alone(500, |stream| stream.p(self.dst.at(0), 3, 1))?;
        self.report.row("stream_p", &[("bytes", 8.to_string())], us, "us")?;
        let us = self.alone(500, |stream| stream.signal_op(sig, 7, SignalOp::Set, 1))?;
        self.report.row("stream_signal_op", &[], us, "us")?;
        let us = self.alone(500, |stream| stream.quiet())?;
        self.report.row("stream_quiet", &[], us, "us")
    }

    /// Microseconds per operation that a graph enqueues, [`IN_GRAPH`] times each time it is replayed.
    fn each_of_graph(&self, enqueue: impl Fn() -> cushmem::Result<()>) -> Result<f64> {
        let graph = self.stream.capture(|| (0..IN_GRAPH).try_for_each(|_| enqueue()))?;
        // SAFETY: the symmetric memory exists until the stream has been synchronised.
        let us = self.each(20, || unsafe { self.stream.replay(&graph) })?;
        Ok(us / IN_GRAPH as f64)
    }

    fn graphs(&mut self) -> Result<()> {
        let (dst, src, sig) = (self.dst.slice(..1), self.src.slice(..1), self.flag.at(0));
        let keys = [("kinds", "D-D".to_owned()), ("bytes", "8".to_owned()), ("replay", "graph".to_owned())];
        let (mut put, mut signal) = (0.0, 0.0);
        self.shmem.barrier_all()?;
        if self.shmem.my_pe() == 0 {
            put = self.each_of_graph(|| self.stream.put(dst, src, 1))?;
            signal = self.each_of_graph(|| self.stream.put_signal(dst, src, sig, 7, SignalOp::Set, 1))?;
        }
        self.shmem.barrier_all()?;
        self.report.row("stream_put", &keys, put, "us")?;
        self.report.row("stream_put_signal", &keys, signal, "us")
    }

    /// Every PE takes part.
    fn meetings(&mut self) -> Result<()> {
        self.shmem.barrier_all()?;
        let us = self.each(500, || self.stream.barrier_all())?;
        self.report.row("stream_barrier_all", &[], us, "us")?;
        let us = self.each(500, || self.stream.sync_all())?;
        self.report.row("stream_sync_all", &[], us, "us")?;
        self.shmem.barrier_all()?;
        let us = self.each_of_graph(|| self.stream.barrier_all())?;
        self.report.row("stream_barrier_all", &[("replay", "graph".to_owned())], us, "us")
    }
}

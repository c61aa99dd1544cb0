//! Operations issued by a kernel.

use crate::report::{Output, Report};
use crate::rounds::median;
use crate::{dev_array, dev_coll, processor, tasks};
use anyhow::{Result, ensure};
use clap::ValueEnum;
use cushmem::{
    DevPtr, DeviceBuffer, Grid, Kernel, Module, Operation, Shmem, SignalOp, Stream, SymSlice, Trigger, WordUpdate,
};
use shmem_bench_kernels as kernels;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    output: Output,
    /// Run a few steps of everything to test the program; the figures are meaningless
    #[arg(long)]
    smoke: bool,
    /// Measure only these [default: all]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "GROUP")]
    only: Vec<Group>,
    /// Also time cached arrays in a file, which is created in this folder and removed
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Group {
    /// Puts, gets, single words and bandwidth, between two PEs
    Operations,
    /// The proxy and triggers, between two PEs
    Proxy,
    /// Puts by a thread with and without the command processor, and a kernel that computes beside them
    Processor,
    /// Puts with a task
    Tasks,
    /// Barriers
    Barriers,
    /// Cached arrays
    Arrays,
    /// Collectives
    Collectives,
}

/// How often a measurement is repeated. The best is reported, as other libraries' benchmarks do for ping-pongs.
const ROUNDS: usize = 3;
/// In how many places a ping-pong's word lies in turn. How fast a GPU sees a word depends on the part of its cache that
/// holds it: on H100, one way takes between 0.59 and 0.77 µs.
const PLACES: usize = 16;
/// Words from one place to the next.
const PLACE: usize = 1024;
const WARM_UP: Duration = Duration::from_millis(200);

struct Bench<'a> {
    shmem: &'a Shmem,
    stream: Stream<'a>,
    module: Module<'a>,
    /// Symmetric: target and source of bulk data, and the word used in ping-pongs.
    dst: SymSlice<'a, u64>,
    src: SymSlice<'a, u64>,
    flag: SymSlice<'a, u64>,
    /// Private: a word that a kernel sets if it has waited too long, and results that keep loops from being optimised
    /// away.
    late: DeviceBuffer<'a, u64>,
    bytes: usize,
    report: Report,
    smoke: bool,
}

pub fn run(shmem: &Shmem, options: &Options) -> Result<()> {
    let emulated = shmem.gpu().is_none_or(|g| g.emulated);
    let bytes = if options.smoke || emulated { 1 << 22 } else { 1 << 28 };
    let report =
        Report::new(shmem, "operations that a kernel issues", if emulated { "soft" } else { "cuda" }, &options.output)?;
    let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
    let late = shmem.device_alloc(1)?;
    late.copy_from(&[0])?;
    let mut bench = Bench {
        shmem,
        stream,
        module,
        dst: shmem.malloc_gpu(bytes / 8)?,
        src: shmem.malloc_gpu(bytes / 8)?,
        flag: shmem.malloc_gpu(PLACES * PLACE)?,
        late,
        bytes,
        report,
        smoke: options.smoke || emulated,
    };
    ensure!(
        bench.smoke || shmem.pes_on_my_gpu() <= Some(1),
        "PEs share a GPU, whose kernels would wait for each other's time slices: start as many PEs as there are GPUs, or \
         add --smoke"
    );
    let load_ms = bench.module.load_ms();
    bench.report.row("module_load", &[], load_ms, "ms")?;
    bench.warm_up()?;
    ensure!(
        shmem.n_pes() >= 2
            || options.only.is_empty()
            || options.only.iter().any(|group| !matches!(group, Group::Operations | Group::Proxy)),
        "operations are measured between two PEs; run with -n 2"
    );
    let is_asked = |group| options.only.is_empty() || options.only.contains(&group);
    if shmem.n_pes() >= 2 && is_asked(Group::Operations) {
        bench.pingpongs()?;
        bench.put_quiet()?;
        bench.gets()?;
        bench.words()?;
        bench.bandwidths()?;
    }
    if shmem.n_pes() >= 2 && is_asked(Group::Proxy) {
        bench.by_proxy()?;
        bench.triggers()?;
    }
    if is_asked(Group::Processor) {
        processor::run(shmem, (&bench.stream, &bench.module), &mut bench.report, bench.smoke)?;
    }
    if is_asked(Group::Tasks) {
        tasks::run(shmem, (&bench.stream, &bench.module), &mut bench.report, bench.smoke)?;
    }
    if is_asked(Group::Barriers) {
        bench.barriers()?;
    }
    if is_asked(Group::Arrays) {
        let files = options.files.as_deref();
        dev_array::run(shmem, (&bench.stream, &bench.module), &mut bench.report, bench.smoke, files)?;
    }
    if is_asked(Group::Collectives) {
        dev_coll::run(shmem, (&bench.stream, &bench.module), &mut bench.report, bench.smoke)?;
    }
    bench.report.finish()
}

impl Bench<'_> {
    /// Gives the clocks time to rise; they are low on an idle GPU.
    fn warm_up(&self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < if self.smoke { Duration::ZERO } else { WARM_UP } {
            let (dst, src) = (self.dst.device_ptr().cast(), self.src.device_ptr().cast());
            if self.shmem.n_pes() >= 2 {
                self.launch(kernels::put_bw, Grid::linear(64, 256), (dst, src, self.bytes / 64))?;
            }
            self.stream.synchronize()?;
        }
        Ok(())
    }

    fn launch<K: Kernel>(&self, kernel: K, grid: Grid, args: K::Args) -> Result<()> {
        // SAFETY: every caller passes memory of this struct, and lengths within it, and the kernels name PE 0 and PE 1
        // only where both exist.
        unsafe { self.stream.launch(&self.module, kernel, grid, args)? };
        Ok(())
    }

    /// Milliseconds that the launches of `work` take on the GPU.
    fn time(&self, work: impl Fn() -> Result<()>) -> Result<f64> {
        let start = self.stream.record()?;
        work()?;
        let end = self.stream.record()?;
        self.stream.synchronize()?;
        Ok(end.elapsed_ms(&start)?.into())
    }

    fn steps(&self, n: u64) -> u64 {
        if self.smoke { n.min(3) } else { n }
    }

    /// Runs the same kernel on PEs 0 and 1, with a word in each of the places in turn. Microseconds one way, the best.
    fn pingpong(&self, n: u64, work: impl Fn(u64, DevPtr<u64>) -> Result<()>) -> Result<f64> {
        let n = self.steps(n);
        let mut best = f64::INFINITY;
        for place in 0..PLACES {
            let flag = self.flag.device_ptr().add(place * PLACE);
            self.flag.copy_from(&vec![0; self.flag.len()])?;
            self.shmem.barrier_all()?;
            let ms = if self.shmem.my_pe() < 2 { self.time(|| work(n, flag))? } else { 0.0 };
            best = best.min(ms * 1e3 / n as f64 / 2.0);
            ensure!(self.late.to_vec()? == [0], "PE {}: the peer did not answer within the limit", self.shmem.my_pe());
        }
        Ok(best)
    }

    fn pingpongs(&mut self) -> Result<()> {
        let late = self.late.device_ptr();
        let one = Grid::linear(1, 1);
        let us = self.pingpong(5000, |n, flag| self.launch(kernels::p_pingpong, one, (flag, n, late)))?;
        self.report.row("dev_p_pingpong", &[("bytes", 8.to_string())], us, "us")?;
        let us = self.pingpong(5000, |n, flag| self.launch(kernels::signal_pingpong, one, (flag, n, late)))?;
        self.report.row("dev_signal_pingpong", &[], us, "us")?;
        let (dst, src) = (self.dst.device_ptr().cast(), self.src.device_ptr().cast());
        for bytes in [8, 1024, 16384, 131072, 1048576] {
            for threads in [32, 256, 1024] {
                let grid = Grid::linear(1, threads);
                let us = self.pingpong(if bytes > 65536 { 300 } else { 2000 }, |n, flag| match threads {
                    ..=512 => self.launch(kernels::put_signal_pingpong_wide, grid, (dst, src, bytes, flag, n, late)),
                    _ => self.launch(kernels::put_signal_pingpong, grid, (dst, src, bytes, flag, n, late)),
                })?;
                let keys = [("threads", threads.to_string()), ("bytes", bytes.to_string())];
                self.report.row("dev_put_signal_pingpong", &keys, us, "us")?;
            }
        }
        Ok(())
    }

    /// PE 0 works while the others wait in the barrier. Microseconds per launch, over `launches` launches after one to
    /// warm up.
    fn alone(&self, launches: u64, work: impl Fn() -> Result<()>) -> Result<f64> {
        self.shmem.barrier_all()?;
        let mut us = 0.0;
        if self.shmem.my_pe() == 0 {
            let launches = self.steps(launches);
            work()?;
            self.stream.synchronize()?;
            us = self.time(|| (0..launches).try_for_each(|_| work()))? * 1e3 / launches as f64;
        }
        self.shmem.barrier_all()?;
        Ok(us)
    }

    fn put_quiet(&mut self) -> Result<()> {
        let (dst, src) = (self.dst.device_ptr().cast(), self.src.device_ptr().cast());
        for bytes in [8, 64, 1024, 8192, 65536, 1048576] {
            let n = self.steps(if bytes > 8192 { 30 } else { 500 });
            let args = (dst, src, bytes, n);
            let size = ("bytes", bytes.to_string());
            let us = self.alone(3, || self.launch(kernels::put_quiet_thread, Grid::linear(1, 1), args))? / n as f64;
            self.report.row("dev_put_quiet", &[("scope", "thread".into()), size.clone()], us, "us")?;
            let us = self.alone(3, || self.launch(kernels::put_quiet_warp, Grid::linear(1, 32), args))? / n as f64;
            self.report.row("dev_put_quiet", &[("scope", "warp".into()), size.clone()], us, "us")?;
            let us = self.alone(3, || self.launch(kernels::put_quiet_block, Grid::linear(1, 1024), args))? / n as f64;
            self.report.row(
                "dev_put_quiet",
                &[("scope", "block".into()), ("threads", 1024.to_string()), size.clone()],
                us,
                "us",
            )?;
            let grid = |lanes| Grid::linear(1, lanes).with_shared(kernels::SMEM_BYTES);
            let us = self.alone(3, || self.launch(kernels::put_quiet_lent_thread, grid(1), args))? / n as f64;
            self.report.row("dev_put_quiet", &[("scope", "lent thread".into()), size.clone()], us, "us")?;
            let us = self.alone(3, || self.launch(kernels::put_quiet_lent_warp, grid(32), args))? / n as f64;
            self.report.row("dev_put_quiet", &[("scope", "lent warp".into()), size.clone()], us, "us")?;
            let us = self.alone(3, || self.launch(kernels::put_quiet_lent_block, grid(64), args))? / n as f64;
            let keys = [("scope", "lent block".into()), ("threads", 64.to_string()), size];
            self.report.row("dev_put_quiet", &keys, us, "us")?;
        }
        for bytes in [64, 1024, 8192] {
            let (n, grid) = (self.steps(500), Grid::linear(1, 1024).with_shared(bytes as u32));
            let us = self.alone(3, || self.launch(kernels::put_quiet_shared, grid, (dst, bytes, n)))? / n as f64;
            let keys = [("scope", "block"), ("threads", "1024"), ("from", "shared memory")].map(|(k, v)| (k, v.into()));
            self.report.row("dev_put_quiet", &[&keys[..], &[("bytes", bytes.to_string())]].concat(), us, "us")?;
        }
        Ok(())
    }

    /// Words of PE 1: a chain of dependent fetch-adds, and how many puts and additions all lanes issue in a second.
    fn words(&mut self) -> Result<()> {
        let words = self.dst.device_ptr();
        self.dst.copy_from(&vec![0; self.dst.len()])?;
        let n = self.steps(1000);
        let args = (words, n, self.late.device_ptr());
        let us = self.alone(3, || self.launch(kernels::fetch_add_chain, Grid::linear(1, 1), args))? / n as f64;
        self.report.row("dev_fetch_add", &[("bytes", 8.to_string())], us, "us")?;
        let (blocks, n) = if self.smoke { (2, 2) } else { (128, 100) };
        let many = [("ctas", blocks.to_string()), ("threads", 1024.to_string())];
        let ops = f64::from(blocks) * 1024.0;
        let us = self.alone(3, || self.launch(kernels::p_rate, Grid::linear(blocks, 1024), (words, n)))?;
        self.report.row("dev_p_rate", &many, ops * n as f64 / us, "Mop/s")?;
        self.shmem.barrier_all()?;
        self.dst.copy_from(&vec![0; self.dst.len()])?;
        let n = self.steps(20);
        let us = self.alone(3, || self.launch(kernels::inc_rate, Grid::linear(blocks, 1024), (words, n)))?;
        let keys = [&many[..], &[("addresses", "distinct".into())]].concat();
        self.report.row("dev_atomic_inc_rate", &keys, ops * n as f64 / us, "Mop/s")?;
        let launches = 1 + self.steps(3);
        let (expected, lanes) = (if self.shmem.my_pe() == 1 { launches * n } else { 0 }, blocks as usize * 1024);
        let wrong = self.dst.slice(..lanes).to_vec()?.iter().position(|&word| word != expected);
        ensure!(wrong.is_none(), "PE {}: word {wrong:?} is not {expected}", self.shmem.my_pe());
        let us = self.alone(3, || self.launch(kernels::inc_one_rate, Grid::linear(blocks, 256), (words, n)))?;
        let keys = [("ctas", blocks.to_string()), ("threads", 256.to_string()), ("addresses", "one".into())];
        self.report.row("dev_atomic_inc_rate", &keys, ops / 4.0 * n as f64 / us, "Mop/s")?;
        self.dst.copy_from(&vec![0; self.dst.len()])?;
        self.late.copy_from(&[0])?;
        self.shmem.barrier_all()?;
        Ok(())
    }

    /// A chain of dependent gets, each in its own cache line; no line is visited twice.
    fn gets(&mut self) -> Result<()> {
        const LINE_WORDS: usize = 1024;
        let steps = self.steps(1000);
        let lines = (self.bytes / 8 / LINE_WORDS - 1).min(4001);
        let mut table = vec![0u64; lines * LINE_WORDS];
        for line in 0..lines {
            table[line * LINE_WORDS] = ((line + 1) * LINE_WORDS) as u64;
        }
        self.src.slice(..table.len()).copy_from(&table)?;
        let (table, out) = (self.src.device_ptr(), self.late.device_ptr());
        self.shmem.barrier_all()?;
        let mut best = f64::INFINITY;
        if self.shmem.my_pe() == 0 {
            for round in 0..ROUNDS as u64 {
                let start = round * steps * LINE_WORDS as u64;
                let ms = self.time(|| self.launch(kernels::g_chain, Grid::linear(1, 1), (table, start, steps, out)))?;
                best = best.min(ms * 1e3 / steps as f64);
                let reached = self.late.to_vec()?[0];
                let expected = start + steps * LINE_WORDS as u64;
                ensure!(reached == expected, "the chain of gets ended at {reached} instead of {expected}");
            }
            self.late.copy_from(&[0])?;
        }
        self.shmem.barrier_all()?;
        self.report.row("dev_g", &[("bytes", 8.to_string())], best, "us")
    }

    fn bandwidths(&mut self) -> Result<()> {
        let (dst, src) = (self.dst.device_ptr().cast(), self.src.device_ptr().cast());
        for blocks in [1, 2, 4, 8, 16, 32, 64, 128] {
            for threads in [256, 1024] {
                let (grid, part) = (Grid::linear(blocks, threads), self.bytes / blocks as usize);
                let wide = threads <= 512;
                let keys = [("ctas", blocks.to_string()), ("threads", threads.to_string())];
                let us = self.alone(4, || match wide {
                    true => self.launch(kernels::put_bw_wide, grid, (dst, src, part)),
                    false => self.launch(kernels::put_bw, grid, (dst, src, part)),
                })?;
                self.report.row("dev_put_bw", &keys, self.bytes as f64 / us / 1e3, "GB/s")?;
                let us = self.alone(4, || match wide {
                    true => self.launch(kernels::get_bw_wide, grid, (dst, src, part)),
                    false => self.launch(kernels::get_bw, grid, (dst, src, part)),
                })?;
                self.report.row("dev_get_bw", &keys, self.bytes as f64 / us / 1e3, "GB/s")?;
            }
        }
        Ok(())
    }

    /// Additions to host memory, carried out by the CPU: the time of one, the rate of many, and a check that none is
    /// lost.
    fn by_proxy(&mut self) -> Result<()> {
        const BLOCKS: [u32; 4] = [1, 64, 512, 4096];
        const LAUNCHES: u64 = 3;
        const LANES: u64 = 32;
        let words = self.shmem.malloc::<u64>(BLOCKS[3] as usize)?;
        words.copy_from(&vec![0; words.len()])?;
        let word = words.device_ptr();
        let n = self.steps(2000);
        let us = self.alone(LAUNCHES, || self.launch(kernels::proxy_add, Grid::linear(1, 1), (word, n, 1)))?;
        self.report.row("proxy_roundtrip", &[("op", "add-quiet".into())], us / n as f64, "us")?;
        let us = self.alone(LAUNCHES, || self.launch(kernels::proxy_fetch_add, Grid::linear(1, 1), (word, n)))?;
        self.report.row("proxy_roundtrip", &[("op", "fetch-add".into())], us / n as f64, "us")?;
        let launches = 1 + self.steps(LAUNCHES);
        let mut expected = 2 * launches * n;
        for blocks in BLOCKS {
            let each = if self.smoke { 2 } else { 4096 * 1000 / LANES / u64::from(blocks) };
            let grid = Grid::linear(blocks, LANES as u32);
            let us = self.alone(LAUNCHES, || self.launch(kernels::proxy_add, grid, (word, each, 0)))?;
            let all = each * LANES * u64::from(blocks);
            self.report.row("proxy_rate", &[("ctas", blocks.to_string())], all as f64 / us, "M/s")?;
            // At this rate, this is how long it takes until one operation of each block has been carried out.
            let turn_us = us * f64::from(blocks) / all as f64;
            self.report.row("proxy_turn", &[("ctas", blocks.to_string())], turn_us, "us")?;
            expected += launches * all;
        }
        for (blocks, rounds) in [(BLOCKS[1], 4000), (BLOCKS[3], 200)] {
            let n = self.steps(rounds);
            let us = self.service_us(word, blocks, n)?;
            self.report.row("proxy_service", &[("ctas", blocks.to_string())], us, "us")?;
            expected += 2 * n * u64::from(blocks);
        }
        let sum: u64 = words.to_vec()?.iter().sum();
        let expected = if self.shmem.my_pe() == 1 { expected } else { 0 };
        ensure!(sum == expected, "PE {}: additions of kernels sum to {sum} instead of {expected}", self.shmem.my_pe());
        self.shmem.free(words)?;
        Ok(())
    }

    /// The median time of an operation until its block sees that it is complete, while the other blocks issue
    /// operations too. Each block issues `n`. Only the second of two launches counts.
    fn service_us(&self, word: DevPtr<u64>, blocks: u32, n: u64) -> Result<f64> {
        let ns = self.shmem.device_alloc::<u64>(blocks as usize * n as usize)?;
        let grid = Grid::linear(blocks, 32);
        self.alone(1, || self.launch(kernels::proxy_service, grid, (word, n, ns.device_ptr())))?;
        let all: Vec<f64> = ns.to_vec()?.into_iter().map(|ns| ns as f64).collect();
        Ok(median(&all) / 1e3)
    }

    /// Triggers that a single bump fires: a put with signal between PEs 0 and 1, carried out by the kernel itself, and
    /// an addition to host memory, carried out by the CPU. They are either armed permanently, or armed for one launch
    /// at a time. The latter can be firm, because only the CPU arms them again and nobody cancels them. Each put sets a
    /// different value.
    fn triggers(&mut self) -> Result<()> {
        let n = self.steps(500);
        let word = self.shmem.malloc::<u64>(1)?;
        word.copy_from(&[0])?;
        let peer = 1 - self.shmem.my_pe().min(1);
        let late = self.late.device_ptr();
        let mut launches = 0;
        for how in ["always", "firm"] {
            let make = |operation| {
                let trigger = self.shmem.trigger(operation, 1)?;
                if how == "firm" {
                    return Ok(trigger.firm());
                }
                trigger.arm_always()?;
                Ok::<_, anyhow::Error>(trigger)
            };
            let (dst, src, flag) = (self.dst.slice(..1), self.src.slice(..1), self.flag.at(0));
            let puts = (1..=n).map(|i| make(Operation::put_signal(dst, src, flag, i, SignalOp::Set, peer)?));
            let puts = puts.collect::<Result<Vec<_>>>()?;
            let of_puts = names(self.shmem, &puts)?;
            let us = self.armed(&puts, how == "firm", 0..2, || {
                let args = (of_puts.device_ptr().cast(), self.flag.device_ptr(), n, late);
                self.launch(kernels::trigger_pingpong, Grid::linear(1, 32), args)
            })?;
            ensure!(self.late.to_vec()? == [0], "PE {}: the peer did not answer within the limit", self.shmem.my_pe());
            let keys = [("armed", how.into()), ("threads", 32.to_string()), ("bytes", 8.to_string())];
            self.report.row("trigger_direct", &keys, us / n as f64 / 2.0, "us")?;
            drop(puts);

            let adds = (0..n).map(|_| make(Operation::atomic(word.at(0), WordUpdate::Add, 1, 1)?));
            let adds = adds.collect::<Result<Vec<_>>>()?;
            let of_adds = names(self.shmem, &adds)?;
            let us = self.armed(&adds, how == "firm", 0..1, || {
                self.launch(kernels::trigger_proxy, Grid::linear(1, 1), (of_adds.device_ptr().cast(), n))
            })?;
            let keys = [("armed", how.into()), ("op", "add-quiet".into())];
            self.report.row("trigger_proxy", &keys, us / n as f64, "us")?;
            launches += ROUNDS as u64;
            let (expected, found) = (if self.shmem.my_pe() == 1 { launches * n } else { 0 }, word.to_vec()?);
            ensure!(found == [expected], "PE {}: found {found:?} additions instead of {expected}", self.shmem.my_pe());
        }
        self.trigger_stream(word)?;
        self.shmem.free(word)?;
        Ok(())
    }

    /// The time from a bump until the kernel sees the 8 bytes that a stream's copy engine stores on this PE.
    fn trigger_stream(&mut self, go: SymSlice<'_, u64>) -> Result<()> {
        let n = self.steps(200);
        self.flag.copy_from(&vec![0; self.flag.len()])?;
        go.copy_from(&[0])?;
        let mut us = 0.0;
        if self.shmem.my_pe() == 0 {
            let ns = self.shmem.device_alloc::<u64>(1)?;
            let set = Operation::signal(self.flag.at(0), 1, SignalOp::Set, 0)?;
            let trigger = self.shmem.trigger(set, 1)?;
            let (go_there, flag, late) = (go.device_ptr(), self.flag.device_ptr(), self.late.device_ptr());
            // The kernel comes first: a stream that is held back may share a queue with the kernel's stream.
            let args = (trigger.device(), go_there, flag, n, ns.device_ptr(), late);
            self.launch(kernels::trigger_stream, Grid::linear(1, 1), args)?;
            for round in 1..=n {
                trigger.arm_on_stream()?;
                self.shmem.p(go.at(0), round, 0)?;
                trigger.wait()?;
            }
            self.stream.synchronize()?;
            ensure!(self.late.to_vec()? == [0], "PE 0: the stream did not store within the limit");
            us = ns.to_vec()?[0] as f64 / 1e3 / n as f64;
        }
        self.shmem.barrier_all()?;
        self.report.row("trigger_stream", &[("bytes", 8.to_string())], us, "us")
    }

    /// Launches `work` on some PEs; microseconds of the best round. With `each_time`, the triggers are armed before
    /// each launch and waited for after it; otherwise they are armed permanently.
    fn armed(
        &self,
        triggers: &[Trigger<'_>],
        each_time: bool,
        pes: std::ops::Range<u32>,
        work: impl Fn() -> Result<()>,
    ) -> Result<f64> {
        let mut best = f64::INFINITY;
        for round in 0..ROUNDS {
            self.flag.copy_from(&vec![0; self.flag.len()])?;
            let takes_part = pes.contains(&self.shmem.my_pe());
            if takes_part && each_time {
                triggers.iter().try_for_each(|trigger| if round == 0 { trigger.arm() } else { trigger.rearm() })?;
            }
            self.shmem.barrier_all()?;
            let ms = if takes_part { self.time(&work)? } else { 0.0 };
            best = best.min(ms * 1e3);
            if takes_part && each_time {
                triggers.iter().try_for_each(Trigger::wait)?;
            }
            self.shmem.barrier_all()?;
        }
        Ok(best)
    }

    /// Every PE takes part. Microseconds per barrier, after one launch to warm up.
    fn barriers(&mut self) -> Result<()> {
        let n = self.steps(300);
        let together = |work: &dyn Fn() -> Result<()>| -> Result<f64> {
            work()?;
            self.stream.synchronize()?;
            self.shmem.barrier_all()?;
            Ok(self.time(|| (0..3).try_for_each(|_| work()))? * 1e3 / 3.0 / n as f64)
        };
        let barrier = together(&|| self.launch(kernels::barrier_thread, Grid::linear(1, 1), (n,)))?;
        let sync = together(&|| self.launch(kernels::sync_thread, Grid::linear(1, 1), (n,)))?;
        let block = together(&|| self.launch(kernels::sync_block, Grid::linear(1, 64), (n,)))?;
        self.report.row("dev_barrier_all", &[("scope", "thread".into())], barrier, "us")?;
        self.report.row("dev_sync_all", &[("scope", "thread".into())], sync, "us")?;
        self.report.row("dev_sync_all", &[("scope", "block".into())], block, "us")
    }
}

/// The triggers in GPU memory, in the form that kernels take.
fn names<'a>(shmem: &'a Shmem, triggers: &[Trigger<'_>]) -> Result<DeviceBuffer<'a, u64>> {
    let names: Vec<_> = triggers.iter().map(|trigger| trigger.device().number()).collect();
    let buffer = shmem.device_alloc(names.len())?;
    buffer.copy_from(&names)?;
    Ok(buffer)
}

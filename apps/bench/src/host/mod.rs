//! Operations issued by the CPU. The rows called `limit` are the same work done by hand through mapped memory. It takes
//! turns with the library's calls, so that both see the same conditions.

mod by_hand;
mod ends;
mod gpu;
mod latency;
mod meet;
mod sizes;
mod staged;

use crate::report::{Output, Report};
use crate::rounds::Rounds;
use anyhow::{Result, ensure};
use cudarc::driver::{CudaContext, sys};
use cushmem::{Shmem, SymSlice};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    output: Output,
    /// Sizes of puts and gets in bytes; multiples of 8
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "BYTES,…",
        default_value = "8,64,512,4096,32768,262144,1048576,16777216"
    )]
    sizes: Vec<usize>,
    /// The PE with which PE 0 exchanges data
    #[arg(long, default_value_t = 1, value_name = "PE")]
    peer: u32,
    /// Number of rounds of each measurement; the median is reported
    #[arg(long, default_value_t = 31)]
    rounds: usize,
    /// Measure host memory only, even if there is a GPU
    #[arg(long)]
    no_gpu: bool,
    /// Run a few steps of everything to test the program; the figures are meaningless
    #[arg(long)]
    smoke: bool,
}

/// What was measured about the library's start.
pub struct Init {
    pub took: Duration,
    pub context_was_made: bool,
}

const WARM_UP: Duration = Duration::from_millis(200);

/// The number of words that latency loops alternate between, each in its own cache line.
const SLOTS: usize = 8;
const LINE_WORDS: usize = 8;

struct Bench<'a> {
    shmem: &'a Shmem,
    options: &'a Options,
    report: Report,
    peer: u32,
    /// Symmetric: single words.
    words: SymSlice<'a, u64>,
    rounds: Rounds<'a>,
}

/// Makes the CUDA context that the library will find, so that the time for it does not count as the library's. `None`
/// without a GPU.
pub fn make_cuda_context() -> Option<Arc<CudaContext>> {
    let number = |name| std::env::var(name).ok().and_then(|value: String| value.parse::<usize>().ok());
    let chosen = std::env::var("CUSHMEM_GPU").unwrap_or_default();
    // SAFETY: the call only opens the driver's library, which any program may do at any time.
    if matches!(chosen.as_str(), "soft" | "none") || !unsafe { sys::is_culib_present() } {
        return None;
    }
    let count = CudaContext::device_count().ok().filter(|n| *n > 0)? as usize;
    CudaContext::new(number("CUSHMEM_LOCAL_PE").unwrap_or(0) % count).ok()
}

pub fn run(shmem: &Shmem, options: &Options, init: Init) -> Result<()> {
    let (pes, largest) = (shmem.n_pes(), options.sizes.iter().copied().max().unwrap_or(8));
    ensure!(
        options.sizes.iter().all(|s| *s > 0 && s.is_multiple_of(8)),
        "--sizes: each must be a positive multiple of 8"
    );
    ensure!(pes == 1 || (1..pes).contains(&options.peer), "--peer: PE {} is not in 1..{pes}", options.peer);
    let milliseconds = |took: Duration| took.as_secs_f64() * 1e3;
    let (made, start) = (if init.context_was_made { "made" } else { "none" }, Instant::now());
    // A library that opens the GPU when it starts has done so by now. Either all PEs have a GPU, or none has.
    let has_gpu = !options.no_gpu && shmem.malloc_gpu::<u64>(1).and_then(|word| shmem.free(word)).is_ok();
    let started = init.took + if init.context_was_made { start.elapsed() } else { Duration::ZERO };
    let backend = match shmem.gpu() {
        None => "none",
        Some(gpu) if gpu.emulated => "soft",
        Some(_) => "cuda",
    };
    let mut bench = Bench {
        shmem,
        options,
        report: Report::new(shmem, "operations that the CPU issues", backend, &options.output)?,
        peer: options.peer,
        words: shmem.malloc(4 * SLOTS * LINE_WORDS)?,
        rounds: Rounds { shmem, rounds: if options.smoke { 1 } else { options.rounds.max(1) }, smoke: options.smoke },
    };
    bench.report.row("join_ms", &[], milliseconds(init.took), "ms")?;
    bench.report.row("init_ms", &[("context", made.into())], milliseconds(started), "ms")?;
    bench.library_bytes()?;
    if pes < 2 {
        bench.report.left_out("host_*_hh", "the job has one PE: start it with shmemrun -n 2")?;
        return bench.report.finish();
    }
    let has_nodes = shmem.team_shared().n_pes() < pes;
    if has_nodes || std::env::var("CUSHMEM_P2P").as_deref() == Ok("0") {
        bench
            .report
            .left_out("host_*", "PEs cannot reach each other's memory: use shmem-bench net to measure the network")?;
        if has_gpu {
            bench.staged(if has_nodes { "network" } else { "pinned" })?;
        }
        return bench.report.finish();
    }
    bench.warm_up()?;
    bench.latencies()?;
    bench.sizes(largest)?;
    bench.meetings()?;
    if has_gpu {
        bench.gpu()?;
        bench.ends()?;
    }
    bench.report.finish()
}

impl Bench<'_> {
    fn slot(&self, i: usize) -> SymSlice<'_, u64> {
        self.words.slice(i * LINE_WORDS..i * LINE_WORDS + 1)
    }

    /// Gives the clocks time to rise; they are low on an idle machine.
    fn warm_up(&self) -> Result<()> {
        let start = Instant::now();
        while !self.options.smoke && start.elapsed() < WARM_UP {
            self.shmem.put(self.slot(0), &[1], self.peer)?;
            self.shmem.quiet()?;
        }
        Ok(self.shmem.barrier_all()?)
    }

    /// The size of the C library, which contains everything that a program needs at run time.
    fn library_bytes(&mut self) -> Result<()> {
        let program = std::env::current_exe()?;
        let folder = program.parent().unwrap_or(&program);
        let paths = ["libcushmem.so", "c/lib/libcushmem.so", "../lib/libcushmem.so"].map(|path| folder.join(path));
        match paths.iter().find_map(|p| p.metadata().ok()) {
            Some(file) => self.report.row("library_bytes", &[], file.len() as f64, "B"),
            None => {
                let reason = "there is no libcushmem.so beside this program, in c/lib or ../lib";
                self.report.left_out("library_bytes", reason)
            }
        }
    }
}

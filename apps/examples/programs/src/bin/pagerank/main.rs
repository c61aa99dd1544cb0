//! PageRank of Graph500's graph in compressed rows, with the edges in the memory of this GPU, in managed memory, and
//! then in cached arrays that are larger than their cache: in the memory of another GPU, in host memory, and in a file.
//! In memory, they are also read in place. The ranks have the same bits each time.

mod managed;

use anyhow::{Context as _, Result};
use clap::Parser;
use cushmem::{ArrayMode, DeviceBuffer, Grid, Kernel, Module, Reduction, Shmem, Stream, SymArray, SymSlice};
use cushmem_examples_programs::graph500::Part;
use cushmem_examples_programs::{combined, figures, is_emulated, n_pes, seconds, tell, total};
use cushmem_examples_programs_kernels::{self as kernels, pagerank::Rows};
use cushmem_program::{parse, run};
use managed::Managed;
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::ExitCode;

/// The number of lanes in a block.
const LANES: u32 = 256;
const DAMPING: f64 = 0.85;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 2 pagerank                           edges in each kind of memory, compared
  shmemrun -n 2 pagerank --scale 24 --cache 16     268 million edges, a cache for a sixteenth of them

A vertex without edges gives nothing to the others. The first line is the limit: all edges in the GPU's own memory.
Managed memory (cuMemAllocManaged) is there for comparison: the driver moves its pages to the GPU when kernels first use
them, or is told to keep them on the host, where kernels read them over PCIe. It is left out on emulated GPUs.";

/// Compute PageRank with edges that do not fit into the GPU
#[derive(Parser)]
#[command(name = "pagerank", version, after_help = EXAMPLES, term_width = 120)]
struct Args {
    /// Use 2^N vertices and 16 times as many edges [default: 20 on a GPU, 9 on the emulated GPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=26))]
    scale: Option<u32>,
    /// Number of iterations
    #[arg(long, value_name = "I", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,
    /// Let the cache hold 1/C of a PE's edges
    #[arg(long, value_name = "C", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=65536))]
    cache: u32,
    /// Bytes of a line of the cache: a power of two
    #[arg(long, value_name = "BYTES", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(512..=65536))]
    line: u32,
    /// Create the file of edges here, without a name once it is open [default: the folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Where the edges are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Own,
    /// Managed memory, whose pages move to the GPU, or stay on the host.
    Moving,
    Staying,
    Peer,
    /// The same without a cache.
    PeerLoads,
    Host,
    HostLoads,
    File,
}

impl Place {
    const ALL: [Self; 8] =
        [Self::Own, Self::Moving, Self::Staying, Self::Peer, Self::PeerLoads, Self::Host, Self::HostLoads, Self::File];

    const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Moving => "managed",
            Self::Staying => "managed_host",
            Self::Peer => "peer",
            Self::PeerLoads => "peer_in_place",
            Self::Host => "host",
            Self::HostLoads => "host_in_place",
            Self::File => "file",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Own => "edges in this GPU's memory",
            Self::Moving => "edges in managed memory",
            Self::Staying => "managed memory on the host",
            Self::Peer => "edges in the next GPU's memory",
            Self::PeerLoads => "there, read in place",
            Self::Host => "edges in host memory",
            Self::HostLoads => "there, read in place",
            Self::File => "edges in a file",
        }
    }
}

/// The graph and the memory for ranks.
struct Ranks<'a> {
    shmem: &'a Shmem,
    module: Module<'a>,
    stream: Stream<'a>,
    part: Part,
    first: DeviceBuffer<'a, u32>,
    ranks: DeviceBuffer<'a, f64>,
    /// What this PE's vertices give, and what those of all PEs do.
    own: SymSlice<'a, f64>,
    all: SymSlice<'a, f64>,
    /// The most edges of a PE, rounded up to whole lines.
    each: usize,
}

fn main() -> ExitCode {
    run(parse, pagerank)
}

fn pagerank(shmem: &Shmem, args: &Args) -> Result<()> {
    let scale = args.scale.unwrap_or(if is_emulated(shmem)? { 9 } else { 20 });
    let ranks = Ranks::new(shmem, args, Part::of_kronecker(scale, shmem.my_pe(), shmem.n_pes()))?;
    let edges = total(shmem, ranks.part.neighbours.len())?;
    let mut limit: Option<(f64, Vec<f64>)> = None;
    for place in Place::ALL {
        let Some((seconds, result)) = ranks.measure(args, place)? else { continue };
        let wrong = match &limit {
            Some((_, expected)) => result.iter().zip(expected).filter(|(a, b)| a.to_bits() != b.to_bits()).count(),
            None => ranks.wrong(&result)?,
        };
        let wrong = total(shmem, wrong)?;
        let (best, _) = limit.get_or_insert((seconds, result));
        let rate = edges as f64 * f64::from(args.iterations) / seconds;
        let times = seconds / *best;
        let row = json!({
            "program": "pagerank", "edges_in": place.name(), "pes": shmem.n_pes(), "scale": scale, "edges": edges,
            "iterations": args.iterations, "cache": args.cache, "line_bytes": args.line, "seconds": seconds,
            "edges_per_s": rate, "times_own": times, "wrong": wrong,
        });
        let text = format!(
            "pagerank: {:<29} {}, scale {scale}: {:>8} ms per iteration, {:>7} M edges/s, {:>5} times",
            place.text(),
            n_pes(shmem),
            figures(seconds / f64::from(args.iterations) * 1e3),
            figures(rate / 1e6),
            figures(times)
        );
        tell(shmem, args.json, &text, row, wrong == 0)?;
    }
    Ok(())
}

impl<'a> Ranks<'a> {
    fn new(shmem: &'a Shmem, args: &Args, part: Part) -> Result<Self> {
        let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
        let first = shmem.device_alloc(part.vertices + 1)?;
        first.copy_from(&part.first)?;
        let (own, all) = (shmem.malloc_gpu(part.vertices)?, shmem.malloc_gpu(part.vertices * part.pes as usize)?);
        let line = args.line as usize / size_of::<u32>();
        let each = combined(shmem, Reduction::Max, part.neighbours.len() as u64)? as usize;
        let (ranks, each) = (shmem.device_alloc(part.vertices)?, each.max(1).next_multiple_of(line));
        Ok(Self { shmem, module, stream, part, first, ranks, own, all, each })
    }

    /// All iterations, twice, of which the second time counts. Returns the seconds and the ranks, or nothing if a GPU
    /// has no such memory.
    fn measure(&self, args: &Args, place: Place) -> Result<Option<(f64, Vec<f64>)>> {
        let (shmem, part) = (self.shmem, &self.part);
        if place == Place::Own {
            let edges = shmem.device_alloc(part.neighbours.len().max(1))?;
            if !part.neighbours.is_empty() {
                edges.copy_from(&part.neighbours)?;
            }
            return self.twice(args, |rows| self.step(kernels::pagerank_own, (rows, edges.device_ptr()))).map(Some);
        }
        if matches!(place, Place::Moving | Place::Staying) {
            let edges = Managed::of(shmem, &part.neighbours, place == Place::Staying)?;
            if combined(shmem, Reduction::Min, u64::from(edges.is_some()))? == 0 {
                return Ok(None);
            }
            let Some(edges) = edges else { return Ok(None) };
            return self.twice(args, |rows| self.step(kernels::pagerank_own, (rows, edges.device_ptr()))).map(Some);
        }
        let file = (place == Place::File).then(|| self.file(args)).transpose()?;
        let slots = (self.each / (args.line as usize / 4) / args.cache as usize).max(1);
        let array = shmem.array(self.each * part.pes as usize).line_bytes(args.line as usize).slots(slots);
        let array = array.mode(ArrayMode::ReadOnly);
        let array = match (&file, place) {
            (Some(path), _) => array.in_file(path),
            (_, Place::Host) => array.on_host(),
            (_, Place::PeerLoads) => array.slots(0),
            (_, Place::HostLoads) => array.on_host().slots(0),
            _ => array,
        };
        let array: SymArray<'_, u32> = match array.create() {
            // Nobody has it then, for example because the next GPU is not reached.
            Err(why) if matches!(place, Place::PeerLoads | Place::HostLoads) => {
                if part.me == 0 {
                    eprintln!("pagerank: {} is left out: {why}", place.name());
                }
                return Ok(None);
            }
            made => made?,
        };
        // All PEs have opened the file, so nothing stays behind whatever happens.
        if let Some(path) = file.as_ref().filter(|_| part.me == 0) {
            std::fs::remove_file(path)?;
        }
        // The edges of a PE are with the next one, so that its own GPU does not have them.
        let pe = if file.is_some() { part.me } else { (part.me + 1) % part.pes };
        if let Some(memory) = array.part().filter(|_| !part.neighbours.is_empty()) {
            shmem.put(memory.slice(..part.neighbours.len()), &part.neighbours, pe)?;
        }
        shmem.barrier_all()?;
        let (edges, first) = (array.device(), u64::from(pe) * self.each as u64);
        let result = self.twice(args, |rows| self.step(kernels::pagerank_cached, (rows, edges, first)))?;
        array.free()?;
        Ok(Some(result))
    }

    fn step<K: Kernel>(&self, kernel: K, arguments: K::Args) -> Result<()> {
        let blocks = self.module.max_resident_blocks(kernel, LANES)?.min(self.part.vertices.div_ceil(8) as u32);
        // SAFETY: the memory is as `Rows` requires, and stays until the stream was waited for.
        unsafe { self.stream.launch(&self.module, kernel, Grid::linear(blocks.max(1), LANES), arguments)? };
        Ok(())
    }

    fn twice(&self, args: &Args, step: impl Fn(Rows) -> Result<()>) -> Result<(f64, Vec<f64>)> {
        let (shmem, part) = (self.shmem, &self.part);
        let all = f64::from(part.all);
        let rows = Rows {
            first: self.first.device_ptr(),
            vertices: part.vertices as u32,
            pes: part.pes,
            gives: self.all.device_ptr(),
            will_give: self.own.device_ptr(),
            ranks: self.ranks.device_ptr(),
            least: (1.0 - DAMPING) / all,
            damping: DAMPING,
        };
        let mut last = 0.0;
        for _ in 0..2 {
            let gives: Vec<_> = (0..part.vertices).map(|v| 1.0 / all / part.of(v).len().max(1) as f64).collect();
            self.own.copy_from(&gives)?;
            last = seconds(shmem, || {
                for _ in 0..args.iterations {
                    // The kernels of all PEs have read what the others gave before.
                    shmem.sync_all()?;
                    shmem.fcollect(shmem.team_world(), self.all, self.own)?;
                    step(rows)?;
                    self.stream.synchronize()?;
                }
                Ok(())
            })?;
        }
        Ok((last, self.ranks.to_vec()?))
    }

    /// The number of vertices whose rank is not what the CPU computes from what the others gave last.
    fn wrong(&self, ranks: &[f64]) -> Result<usize> {
        let (part, gives) = (&self.part, self.all.to_vec()?);
        let given = |v: u32| gives[(v % part.pes) as usize * part.vertices + (v / part.pes) as usize];
        let is_wrong = |&v: &usize| {
            let sum: f64 = part.of(v).iter().map(|other| given(*other)).sum();
            let expected = (1.0 - DAMPING) / f64::from(part.all) + DAMPING * sum;
            // A rank that is no number is not right.
            let is_right = (ranks[v] - expected).abs() <= 1e-9 * expected;
            !is_right
        };
        Ok((0..part.vertices).filter(is_wrong).count())
    }

    /// Creates the file of all edges, one PE behind the other. Returns its path.
    fn file(&self, args: &Args) -> Result<PathBuf> {
        let (shmem, part) = (self.shmem, &self.part);
        // The number of a process is the same for all PEs.
        let number = combined(shmem, Reduction::Max, if part.me == 0 { u64::from(std::process::id()) } else { 0 })?;
        let folder = args.folder.clone().unwrap_or_else(std::env::temp_dir);
        let path = folder.join(format!("pagerank-{number}.edges"));
        let about = || format!("create {}", path.display());
        let bytes = 4 * self.each as u64;
        if part.me == 0 {
            File::create(&path).and_then(|file| file.set_len(bytes * u64::from(part.pes))).with_context(about)?;
        }
        shmem.barrier_all()?;
        let file = OpenOptions::new().write(true).open(&path).with_context(about)?;
        let own: Vec<u8> = part.neighbours.iter().flat_map(|v| v.to_ne_bytes()).collect();
        file.write_all_at(&own, bytes * u64::from(part.me)).with_context(about)?;
        shmem.barrier_all()?;
        Ok(path)
    }
}

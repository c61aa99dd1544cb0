//! Breadth-first search of Graph500's graph, level by level. It does not suit models in which the GPU starts exchanges
//! that were described in advance, because only the kernel of a level knows how much PEs send each other. Three ways
//! are compared. The CPU exchanges, and reads the amounts from each kernel. A stream exchanges, and always puts the
//! largest possible amount. One kernel searches all levels; its blocks meet several times in each level, and it runs
//! with fewer lanes. The last line says what that costs here, or gains.

use anyhow::{Result, ensure};
use clap::Parser;
use cushmem::{DeviceBuffer, Event, Grid, Kernel, Module, Reduction, Shmem, Stream, SymSlice};
use cushmem_examples_programs::graph500::{NONE, Part};
use cushmem_examples_programs::{combined, combined_in, figures, is_emulated, n_pes, seconds, tell, total};
use cushmem_examples_programs_kernels::{self as kernels, bfs::Search};
use cushmem_numbers::mixed;
use cushmem_program::{parse, run, say};
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;

/// The number of lanes in a block.
const LANES: u32 = 256;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 2 bfs                exchange by the CPU, by a stream and by a kernel, compared
  shmemrun -n 2 bfs --scale 24     268 million edges

TEPS are the edges that the search followed, each counted once, divided by its time in seconds; MTEPS are millions of
TEPS. Each tree is verified by the rules of Graph500. Unlike in Graph500, roots may repeat.";

/// Run a breadth-first search on a graph that is distributed over the PEs
#[derive(Parser)]
#[command(name = "bfs", version, after_help = EXAMPLES, term_width = 120)]
struct Args {
    /// Use 2^N vertices and 16 times as many edges [default: 20 on a GPU, 11 on the emulated GPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=26))]
    scale: Option<u32>,
    /// Number of searches, each from its own root [default: 16 on a GPU, 2 on the emulated GPU]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=64))]
    roots: Option<u32>,
    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// What searches cost on this PE: time and data sent.
#[derive(Default)]
struct Cost {
    seconds: f64,
    exchange_s: f64,
    levels: u64,
    /// Messages that the CPU or the stream sent.
    messages: u64,
    bytes: u64,
}

/// The start and end of an exchange on the stream.
type Events<'a> = Option<[Event<'a>; 2]>;

/// The memory for searches. Everything but the graph is symmetric.
struct Searches<'a> {
    shmem: &'a Shmem,
    module: Module<'a>,
    stream: Stream<'a>,
    part: Part,
    _graph: [DeviceBuffer<'a, u32>; 2],
    /// Parents, levels, and the vertices of two levels.
    vertices: [SymSlice<'a, u32>; 3],
    seen: SymSlice<'a, u32>,
    /// The numbers of vertices queued, sent and received, and the number of vertices in the next level.
    counts: [SymSlice<'a, u32>; 4],
    boxes: [SymSlice<'a, u64>; 2],
    times: DeviceBuffer<'a, u64>,
    /// A word in host memory for what PEs agree on in each level.
    word: SymSlice<'a, u64>,
    /// The numbers of blocks of the two kernels of a level, and of the kernel that searches all levels.
    blocks: [u32; 3],
    search: Search,
}

fn main() -> ExitCode {
    run(parse, bfs)
}

fn bfs(shmem: &Shmem, args: &Args) -> Result<()> {
    let (scale, roots) = if is_emulated(shmem)? { (11, 2) } else { (20, 16) };
    let (scale, roots) = (args.scale.unwrap_or(scale), args.roots.unwrap_or(roots));
    let searches = Searches::new(shmem, Part::of_kronecker(scale, shmem.my_pe(), shmem.n_pes()))?;
    let (cpu, by_cpu) = searches.measure(args, scale, roots, "CPU", |s| s.by_levels(Searches::by_cpu))?;
    let (stream, by_stream) = searches.measure(args, scale, roots, "stream", |s| s.by_levels(Searches::by_stream))?;
    let (kernel, _) = searches.measure(args, scale, roots, "kernel", Searches::by_kernel)?;
    if shmem.my_pe() == 0 && shmem.n_pes() > 1 && !args.json {
        let (bytes, stream, kernel) = (by_stream as f64 / by_cpu.max(1) as f64, stream / cpu, kernel / cpu);
        say(&format!(
            "bfs: compared with the CPU, the stream, which does not know how much a level sends, puts {} times \
             the bytes and takes {} times as long; the kernel takes {} times as long",
            figures(bytes),
            figures(stream),
            figures(kernel)
        ))?;
    }
    Ok(())
}

impl<'a> Searches<'a> {
    fn new(shmem: &'a Shmem, part: Part) -> Result<Self> {
        let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
        let (n, pes) = (part.vertices, part.pes as usize);
        let graph = [shmem.device_alloc(n + 1)?, shmem.device_alloc(part.neighbours.len().max(1))?];
        graph[0].copy_from(&part.first)?;
        if !part.neighbours.is_empty() {
            graph[1].copy_from(&part.neighbours)?;
        }
        let words = |n| shmem.malloc_gpu::<u32>(n);
        let vertices = [words(n)?, words(n)?, words(2 * n)?];
        let seen = words(part.all.div_ceil(32) as usize)?;
        let counts = [words(2)?, words(pes)?, words(pes)?, words(pes)?];
        let boxes = [shmem.malloc_gpu(pes * n)?, shmem.malloc_gpu(pes * n)?];
        let search = Search {
            first: graph[0].device_ptr(),
            neighbours: graph[1].device_ptr(),
            vertices: n as u32,
            parents: vertices[0].device_ptr(),
            levels: vertices[1].device_ptr(),
            seen: seen.device_ptr(),
            queue: vertices[2].device_ptr(),
            queued: counts[0].device_ptr(),
            outbox: boxes[0].device_ptr(),
            sent: counts[1].device_ptr(),
            inbox: boxes[1].device_ptr(),
            received: counts[2].device_ptr(),
            totals: counts[3].device_ptr(),
        };
        let (times, word) = (shmem.device_alloc(2)?, shmem.malloc(1)?);
        let blocks = [
            module.max_resident_blocks(kernels::bfs_expand, LANES)?,
            module.max_resident_blocks(kernels::bfs_absorb, LANES)?,
            module.max_resident_blocks(kernels::bfs_search, LANES)?,
        ];
        Ok(Self {
            shmem,
            module,
            stream,
            part,
            _graph: graph,
            vertices,
            seen,
            counts,
            boxes,
            times,
            word,
            blocks,
            search,
        })
    }

    /// Searches from several roots and verifies each search. Returns the total seconds and bytes.
    fn measure(
        &self,
        args: &Args,
        scale: u32,
        roots: u32,
        by: &str,
        search: fn(&Self) -> Result<Cost>,
    ) -> Result<(f64, u64)> {
        let (shmem, mut all, mut wrong, mut edges) = (self.shmem, Cost::default(), 0, 0);
        let mut inverse_teps = 0.0;
        // The search from the first root runs twice, the first time to warm up.
        for i in 0..=roots {
            let root = self.root(i.saturating_sub(1))?;
            self.begin(root)?;
            let mut cost = Cost::default();
            let seconds = seconds(shmem, || {
                cost = search(self)?;
                Ok(())
            })?;
            let (edges_now, wrong_now) = self.verify(root)?;
            wrong += wrong_now;
            if i > 0 {
                edges += edges_now;
                inverse_teps += seconds / edges_now.max(1) as f64;
                all.seconds += seconds;
                all.exchange_s += combined(shmem, Reduction::Max, cost.exchange_s)?;
                all.levels += cost.levels;
                all.messages += combined(shmem, Reduction::Sum, cost.messages)?;
                all.bytes += combined(shmem, Reduction::Sum, cost.bytes)?;
            }
        }
        let mteps = f64::from(roots) / inverse_teps / 1e6;
        let (levels, share) = (all.levels as f64, all.exchange_s / all.seconds);
        let row = json!({
            "program": "bfs", "by": by.to_lowercase(), "pes": shmem.n_pes(), "scale": scale, "roots": roots, "seconds": all.seconds,
            "exchange_s": all.exchange_s, "levels": all.levels, "messages": all.messages, "bytes": all.bytes, "edges": edges,
            "mteps": mteps, "wrong": wrong,
        });
        let mut text = format!(
            "bfs: the {by} exchanges, {}, scale {scale}: {} MTEPS, {} us per level, exchange {} % of that",
            n_pes(shmem),
            figures(mteps),
            figures(all.seconds / levels * 1e6),
            figures(share * 100.0)
        );
        if all.messages > 0 {
            let (messages, bytes) = (all.messages as f64, all.bytes as f64);
            text += &format!(" for {} messages of {} bytes", figures(messages / levels), figures(bytes / messages));
        }
        tell(shmem, args.json, &text, row, wrong == 0)?;
        Ok((all.seconds, all.bytes))
    }

    /// A vertex that has an edge, the same on all PEs.
    fn root(&self, i: u32) -> Result<u32> {
        let (part, all) = (&self.part, u64::from(self.part.all));
        // Each PE looks for one of its own vertices, and the largest is taken. Vertices are shuffled, so that is as
        // good as any. Roots may repeat.
        let own = |k: u64| ((mixed(u64::from(i) << 32 | k) % all) as u32 / part.pes) as usize;
        let own = (0..1000).map(own).find(|&v| v < part.vertices && !part.of(v).is_empty());
        let vertex = own.map_or(-1, |v| i64::from(v as u32 * part.pes + part.me));
        let root = combined(self.shmem, Reduction::Max, vertex)?;
        ensure!(root >= 0, "the graph has no edges");
        Ok(root as u32)
    }

    /// Sets the start of a search: only the root is reached.
    fn begin(&self, root: u32) -> Result<()> {
        let Part { me, pes, .. } = self.part;
        let [parents, levels, queue] = &self.vertices;
        let [queued, sent, received, _] = &self.counts;
        parents.copy_from(&vec![NONE; parents.len()])?;
        levels.copy_from(&vec![NONE; levels.len()])?;
        self.seen.copy_from(&vec![0; self.seen.len()])?;
        sent.copy_from(&vec![0; sent.len()])?;
        received.copy_from(&vec![0; received.len()])?;
        queued.copy_from(&[u32::from(root % pes == me), 0])?;
        if root % pes == me {
            let v = (root / pes) as usize;
            parents.slice(v..=v).copy_from(&[root])?;
            levels.slice(v..=v).copy_from(&[0])?;
            queue.slice(..1).copy_from(&[root / pes])?;
        }
        Ok(())
    }

    /// Runs two kernels for each level, and the exchange between them. After each level, the CPU learns whether all PEs
    /// are done.
    fn by_levels(&self, exchange: fn(&Self, u32, &mut Cost) -> Result<Events<'a>>) -> Result<Cost> {
        let ([queued, ..], [expand, absorb, _]) = (&self.counts, self.blocks);
        let mut cost = Cost::default();
        loop {
            let level = cost.levels as u32;
            self.step(kernels::bfs_expand, expand, level)?;
            let events = exchange(self, level, &mut cost)?;
            self.step(kernels::bfs_absorb, absorb, level)?;
            self.stream.synchronize()?;
            if let Some([begin, end]) = events {
                cost.exchange_s += f64::from(end.elapsed_ms(&begin)?) / 1e3;
            }
            let before = Instant::now();
            let next = queued.to_vec()?[1 - level as usize % 2];
            let next = combined_in(self.shmem, self.word, Reduction::Sum, next.into())?;
            cost.exchange_s += before.elapsed().as_secs_f64();
            cost.levels += 1;
            if next == 0 {
                return Ok(cost);
            }
        }
    }

    fn step<K: Kernel<Args = (Search, u32)>>(&self, kernel: K, blocks: u32, level: u32) -> Result<()> {
        let grid = Grid::linear(blocks, LANES);
        // SAFETY: the memory is as `Search` requires, and the steps follow each other on one stream.
        unsafe { self.stream.launch(&self.module, kernel, grid, (self.search, level))? };
        Ok(())
    }

    /// The CPU reads how much there is for each PE, and puts exactly that.
    fn by_cpu(&self, level: u32, cost: &mut Cost) -> Result<Events<'a>> {
        self.stream.synchronize()?;
        let before = Instant::now();
        let [queued, sent, received, _] = &self.counts;
        let staged = sent.to_vec()?;
        for pe in self.others() {
            let n = staged[pe as usize];
            if n > 0 {
                self.shmem.put_nbi(self.inbox(n as usize), self.outbox(pe, n as usize), pe)?;
                cost.messages += 1;
                cost.bytes += 8 * u64::from(n);
            }
            self.shmem.p(received.at(self.part.me as usize), n, pe)?;
        }
        sent.copy_from(&vec![0; sent.len()])?;
        queued.slice(level as usize % 2..).slice(..1).copy_from(&[0])?;
        self.shmem.barrier_all()?;
        cost.exchange_s += before.elapsed().as_secs_f64();
        Ok(None)
    }

    /// The stream does the same without the CPU. The length of a put is fixed when it is enqueued, so it has to suffice
    /// for any level.
    fn by_stream(&self, level: u32, cost: &mut Cost) -> Result<Events<'a>> {
        let ([queued, sent, received, _], stream) = (&self.counts, &self.stream);
        let (me, n) = (self.part.me, self.part.vertices);
        let begin = stream.record()?;
        for pe in self.others() {
            stream.put(self.inbox(n), self.outbox(pe, n), pe)?;
            stream.put(received.at(me as usize).as_slice(), sent.at(pe as usize).as_slice(), pe)?;
            cost.messages += 1;
            cost.bytes += 8 * n as u64;
        }
        stream.barrier_all()?;
        (0..self.part.pes).try_for_each(|pe| stream.p(sent.at(pe as usize), 0, me))?;
        stream.p(queued.at(level as usize % 2), 0, me)?;
        Ok(Some([begin, stream.record()?]))
    }

    fn others(&self) -> impl Iterator<Item = u32> {
        let Part { me, pes, .. } = self.part;
        (1..pes).map(move |k| (me + k) % pes)
    }

    /// The room for `n` messages from this PE.
    fn inbox(&self, n: usize) -> SymSlice<'a, u64> {
        self.boxes[1].slice(self.part.me as usize * self.part.vertices..).slice(..n)
    }

    /// The first `n` messages for a PE.
    fn outbox(&self, pe: u32, n: usize) -> SymSlice<'a, u64> {
        self.boxes[0].slice(pe as usize * self.part.vertices..).slice(..n)
    }

    /// One kernel searches all levels.
    fn by_kernel(&self) -> Result<Cost> {
        let [.., blocks] = self.blocks;
        let arguments = (self.search, self.stream.grid_counter(), self.times.device_ptr());
        // SAFETY: the memory is as `Search` requires, and all PEs launch the kernel.
        unsafe {
            self.stream.launch_cooperative(&self.module, kernels::bfs_search, Grid::linear(blocks, LANES), arguments)?
        };
        self.stream.synchronize()?;
        let times = self.times.to_vec()?;
        Ok(Cost { exchange_s: times[0] as f64 / 1e9, levels: times[1], ..Cost::default() })
    }

    /// The number of edges that the search has followed, and of vertices, on all PEs, that violate a rule.
    fn verify(&self, root: u32) -> Result<(u64, u64)> {
        let (shmem, n) = (self.shmem, self.part.vertices);
        let (own, all) = (shmem.malloc(n)?, shmem.malloc(n * self.part.pes as usize)?);
        own.copy_from(&self.vertices[1].to_vec()?)?;
        shmem.fcollect(shmem.team_world(), all, own)?;
        let parents = self.vertices[0].to_vec()?;
        let wrong = total(shmem, self.part.wrong_vertices(root, &parents, &all.to_vec()?))?;
        let edges = total(shmem, self.part.edge_ends(&parents))? / 2;
        shmem.free(all)?;
        shmem.free(own)?;
        Ok((edges, wrong))
    }
}

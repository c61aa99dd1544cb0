//! Sums a long vector over all PEs, with the result on all PEs, in four ways: by a kernel of this program, on a stream,
//! and by the CPU on GPU memory and on host memory. Bandwidths are defined as in NCCL's tests.
//!
//! Three more ways show what a task takes the place of. Each PE puts a part of its vector to each PE, which adds the
//! parts of all up and puts the sums to all: by its CPU, by a kernel that its CPU launches, or by tasks, in which its
//! CPU takes no part.

use anyhow::Result;
use clap::{Parser, ValueEnum};
use cushmem::{Cmp, Grid, Reduction, Shmem, SignalOp, SymSlice, TaskFunction, TaskOptions, Word};
use cushmem_examples_programs::{figures, have_gpus, is_emulated, n_pes, seconds, tell, total};
use cushmem_examples_programs_kernels as kernels;
use cushmem_program::{parse, run};
use serde::Serialize;
use serde_json::json;
use std::ops::Range;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 2 allreduce                                  64 MiB in every way
  shmemrun -n 2 allreduce --by kernel --elements 1048576   4 MiB in one way
  shmemrun -n 2 allreduce --by parts,launch,tasks          64 MiB in three ways, of which one is by tasks

The algorithm bandwidth is the length of the vector divided by the time. The bus bandwidth is 2 (n - 1) / n times that
for n PEs: what the link of each PE carries in each direction if the work is evenly divided.";

/// Sum a vector over all PEs
#[derive(Parser)]
#[command(name = "allreduce", version, after_help = EXAMPLES, term_width = 120)]
struct Args {
    /// Number of 4-byte elements on each PE [default: 16777216, or 262144 on the emulated GPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..1 << 32))]
    elements: Option<u64>,
    /// Number of timed sums, after one that is not timed; the mean time is printed [default: 20, or 3 on the emulated
    /// GPU]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Who computes the sum [default: the first four in turn, or only the CPU in host memory if there is no GPU]
    #[arg(long, value_enum, value_delimiter = ',')]
    by: Vec<By>,
    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum By {
    /// A kernel that gets and puts
    Kernel,
    /// A reduction on a stream
    Stream,
    /// A reduction that the CPU starts, on GPU memory
    CpuOnGpu,
    /// A reduction that the CPU starts, on host memory
    Cpu,
    /// The CPU of each PE adds a part, in host memory
    Parts,
    /// A kernel on each PE that its CPU launches adds a part
    Launch,
    /// Tasks on each PE's GPU that all CPUs put add a part
    Tasks,
}

/// The symmetric memory of a measurement.
struct Vectors<'a> {
    dest: SymSlice<'a, f32>,
    /// The sources of even rounds and of odd rounds.
    sources: [SymSlice<'a, f32>; 2],
}

fn main() -> ExitCode {
    run(parse, allreduce)
}

fn allreduce(shmem: &Shmem, args: &Args) -> Result<()> {
    let ways = match &args.by[..] {
        [] if have_gpus(shmem)? => vec![By::Kernel, By::Stream, By::CpuOnGpu, By::Cpu],
        [] => vec![By::Cpu],
        chosen => chosen.to_vec(),
    };
    ways.into_iter().try_for_each(|by| measure(shmem, args, by))
}

fn measure(shmem: &Shmem, args: &Args, by: By) -> Result<()> {
    let (default_n, default_rounds) = if is_emulated(shmem)? { (1 << 18, 3) } else { (1 << 24, 20) };
    let n = args.elements.unwrap_or(default_n) as usize;
    let rounds = args.rounds.unwrap_or(default_rounds);
    let memory = || if matches!(by, By::Cpu | By::Parts) { shmem.malloc::<f32>(n) } else { shmem.malloc_gpu(n) };
    let vectors = Vectors { dest: memory()?, sources: [memory()?, memory()?] };
    for (round, source) in vectors.sources.iter().enumerate() {
        source.copy_from(&(0..n).map(|i| number(shmem.my_pe(), round as u32, i)).collect::<Vec<_>>())?;
    }
    let seconds = match by {
        By::Kernel => by_kernel(shmem, &vectors, rounds)?,
        By::Stream => by_stream(shmem, &vectors, rounds)?,
        By::Parts => by_parts(shmem, &vectors, rounds)?,
        By::Launch => by_launch(shmem, &vectors, rounds)?,
        By::Tasks => by_tasks(shmem, &vectors, rounds)?,
        By::CpuOnGpu | By::Cpu => {
            let team = shmem.team_world();
            timed(
                shmem,
                &vectors,
                rounds,
                |source| Ok(shmem.reduce(team, Reduction::Sum, vectors.dest, source)?),
                || Ok(()),
            )?
        }
    };
    let seconds = seconds / f64::from(rounds);
    let wrong = total(shmem, wrong_elements(&vectors.dest.to_vec()?, shmem.n_pes(), rounds))?;
    vectors.sources.into_iter().chain([vectors.dest]).try_for_each(|vector| shmem.free(vector))?;
    let (bytes, pes) = (4 * n as u64, f64::from(shmem.n_pes()));
    let algorithm = bytes as f64 / seconds / 1e9;
    let bus = algorithm * 2.0 * (pes - 1.0) / pes;
    let row = json!({
        "program": "allreduce", "by": by, "pes": shmem.n_pes(), "bytes": bytes, "seconds": seconds, "algorithm_gb_s": algorithm,
        "bus_gb_s": bus, "wrong": wrong,
    });
    let how = match by {
        By::Kernel => "a kernel that gets and puts",
        By::Stream => "on a stream",
        By::CpuOnGpu => "the CPU on GPU memory",
        By::Cpu => "the CPU on host memory",
        By::Parts => "parts by the CPUs, in host memory",
        By::Launch => "parts by kernels that the CPUs launch",
        By::Tasks => "parts by tasks",
    };
    let text = format!(
        "allreduce: {how}, {}, {bytes} bytes of f32: {} us, algorithm {} GB/s, bus {} GB/s",
        n_pes(shmem),
        figures(seconds * 1e6),
        figures(algorithm),
        figures(bus)
    );
    tell(shmem, args.json, &text, row, wrong == 0)
}

/// Element `i` of a PE in a round: an integer, small enough that sums are exact.
fn number(pe: u32, round: u32, i: usize) -> f32 {
    ((i * 31 + pe as usize * 7 + round as usize % 2 * 13) % 1000) as f32
}

/// The seconds of all rounds, after one that is not timed. The final content of `dest` comes from the last round:
/// `dest` is cleared before the first timed round, and successive rounds sum different numbers.
fn timed<'a>(
    shmem: &Shmem,
    Vectors { dest, sources }: &Vectors<'a>,
    rounds: u32,
    mut sum: impl FnMut(SymSlice<'a, f32>) -> Result<()>,
    wait: impl Fn() -> Result<()>,
) -> Result<f64> {
    sum(sources[0])?;
    wait()?;
    // Nobody writes to `dest` now, and nobody will before all PEs meet in `seconds`.
    dest.copy_from(&vec![f32::NAN; dest.len()])?;
    seconds(shmem, || {
        (1..=rounds).try_for_each(|round| sum(sources[round as usize % 2]))?;
        wait()
    })
}

fn by_kernel(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u32) -> Result<f64> {
    let (module, stream, dest) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?, vectors.dest);
    let n = dest.len();
    let (threads, piece) = (256, kernels::allreduce::PIECE);
    // All blocks must be resident together, because they wait for each other. Blocks without a piece would do nothing.
    let useful = n.div_ceil(shmem.n_pes() as usize).div_ceil(piece) as u32;
    let blocks = module.max_resident_blocks(kernels::allreduce_sum, threads)?.min(useful);
    let room = shmem.device_alloc::<f32>((blocks * shmem.n_pes()) as usize * piece)?;
    let sum = |source: SymSlice<'_, f32>| -> Result<()> {
        let arguments = (dest.device_ptr(), source.device_ptr(), n, room.device_ptr(), stream.grid_counter());
        // SAFETY: `dest` and `source` are symmetric and have `n` elements, and `room` has a piece for each block and
        // PE.
        unsafe {
            stream.launch_cooperative(&module, kernels::allreduce_sum, Grid::linear(blocks, threads), arguments)?
        };
        Ok(())
    };
    timed(shmem, vectors, rounds, sum, || Ok(stream.synchronize()?))
}

fn by_stream(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u32) -> Result<f64> {
    let (stream, team) = (shmem.stream()?, shmem.team_world());
    let sum = |source| Ok(stream.reduce(team, Reduction::Sum, vectors.dest, source)?);
    timed(shmem, vectors, rounds, sum, || Ok(stream.synchronize()?))
}

/// Symmetric memory in which a PE adds its part up.
struct Part<'a> {
    shmem: &'a Shmem,
    /// The room for a part.
    most: usize,
    /// A part from each PE.
    inbox: SymSlice<'a, f32>,
    sums: SymSlice<'a, f32>,
    /// Of each PE, in host memory, the last round of which its numbers have come here.
    numbers_of: SymSlice<'a, u64>,
    /// Of each PE, in host memory, the last round of which its sums have come here.
    sums_of: SymSlice<'a, u64>,
}

impl<'a> Part<'a> {
    /// Collective.
    fn new(shmem: &'a Shmem, n: usize, on_gpu: bool) -> Result<Self> {
        let pes = shmem.n_pes() as usize;
        let most = n.div_ceil(pes);
        let memory = |n| if on_gpu { shmem.malloc_gpu::<f32>(n) } else { shmem.malloc(n) };
        let words = || -> Result<SymSlice<'a, u64>> { zeros(shmem, shmem.malloc(pes)?) };
        Ok(Self {
            shmem,
            most,
            inbox: memory(most * pes)?,
            sums: memory(most)?,
            numbers_of: words()?,
            sums_of: words()?,
        })
    }

    /// Where the part of a PE is among `n` elements.
    fn of(&self, pe: u32, n: usize) -> Range<usize> {
        let start = |pe: u32| (pe as usize * self.most).min(n);
        start(pe)..start(pe + 1)
    }

    /// All PEs, beginning with the next one, so that they do not all put to the same.
    fn pes(&self) -> impl Iterator<Item = u32> + use<> {
        let (me, n) = (self.shmem.my_pe(), self.shmem.n_pes());
        (1..=n).map(move |i| (me + i) % n)
    }

    fn wait(&self, words: SymSlice<'_, u64>, round: u64) -> Result<()> {
        self.pes()
            .try_for_each(|pe| Ok(self.shmem.signal_wait_until(words.at(pe as usize), Cmp::Ge, round).map(drop)?))
    }

    /// One sum: `add` adds the `n` elements of each PE up that are at the start of each part of the inbox.
    fn sum(
        &self,
        (dest, source): (SymSlice<'_, f32>, SymSlice<'_, f32>),
        round: u64,
        add: impl FnOnce(usize) -> Result<()>,
    ) -> Result<()> {
        let (shmem, me) = (self.shmem, self.shmem.my_pe());
        for pe in self.pes() {
            let part = source.slice(self.of(pe, source.len()));
            let inbox = self.inbox.slice(me as usize * part.len()..(me as usize + 1) * part.len());
            shmem.put_signal(inbox, part, self.numbers_of.at(me as usize), round, SignalOp::Set, pe)?;
        }
        self.wait(self.numbers_of, round)?;
        let mine = self.of(me, dest.len());
        add(mine.len())?;
        let (to, sums) = (dest.slice(mine.clone()), self.sums.slice(..mine.len()));
        for pe in self.pes() {
            shmem.put_signal(to, sums, self.sums_of.at(me as usize), round, SignalOp::Set, pe)?;
        }
        self.wait(self.sums_of, round)
    }

    /// Collective.
    fn free(self) -> Result<()> {
        [self.inbox, self.sums].into_iter().try_for_each(|object| self.shmem.free(object))?;
        Ok([self.numbers_of, self.sums_of].into_iter().try_for_each(|object| self.shmem.free(object))?)
    }
}

/// The object with zeros. Collective.
fn zeros<'a, T: Word + Default>(shmem: &Shmem, object: SymSlice<'a, T>) -> Result<SymSlice<'a, T>> {
    object.copy_from(&vec![T::default(); object.len()])?;
    shmem.barrier_all()?;
    Ok(object)
}

fn by_parts(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u32) -> Result<f64> {
    let part = Part::new(shmem, vectors.dest.len(), false)?;
    let (mut numbers, mut sums) = (vec![0.0; part.inbox.len()], vec![0.0; part.most]);
    let mut round = 0;
    let sum = |source| {
        round += 1;
        part.sum((vectors.dest, source), round, |n| {
            part.inbox.copy_to(&mut numbers)?;
            sums.fill(0.0);
            for part in numbers.chunks_exact(n.max(1)).take(shmem.n_pes() as usize) {
                sums.iter_mut().zip(part).for_each(|(sum, number): (&mut f32, _)| *sum += number);
            }
            Ok(part.sums.copy_from(&sums)?)
        })
    };
    let time = timed(shmem, vectors, rounds, sum, || Ok(()))?;
    part.free()?;
    Ok(time)
}

fn by_launch(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u32) -> Result<f64> {
    let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
    let part = Part::new(shmem, vectors.dest.len(), true)?;
    let mut round = 0;
    let sum = |source| {
        round += 1;
        part.sum((vectors.dest, source), round, |n| {
            let grid = Grid::linear(n.div_ceil(256).clamp(1, 1024) as u32, 256);
            let arguments = (part.sums.device_ptr(), part.inbox.device_ptr(), n, shmem.n_pes());
            // SAFETY: the sums have room for `n` numbers, and the inbox has as many of each PE, which nobody writes
            // until all PEs have these sums.
            unsafe { stream.launch(&module, kernels::allreduce_add, grid, arguments)? };
            Ok(stream.synchronize()?)
        })
    };
    let time = timed(shmem, vectors, rounds, sum, || Ok(()))?;
    part.free()?;
    Ok(time)
}

fn by_tasks(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u32) -> Result<f64> {
    let module = shmem.load(&kernels::IMAGE)?;
    let part = Part::new(shmem, vectors.dest.len(), true)?;
    let count = zeros(shmem, shmem.malloc_gpu::<u64>(1)?)?;
    // A single block, because the tasks add to the same sums.
    let threads = if is_emulated(shmem)? { 32 } else { 512 };
    let queue = shmem.task_queue(&module, &kernels::tasks::TASKS, TaskOptions { threads, ..TaskOptions::default() })?;
    let (inbox, sums, dest) = (queue.buffer(part.inbox)?, queue.buffer(part.sums)?, queue.buffer(vectors.dest)?);
    let (count_number, come) = (queue.buffer(count)?, queue.buffer(part.sums_of)?);
    let mut round = 0;
    let sum = |source: SymSlice<'_, f32>| {
        round += 1;
        for pe in part.pes() {
            let range = part.of(pe, source.len());
            let call = kernels::tasks::allreduce_task.call((sums, count_number, dest, come, range.start as u64));
            let place = 4 * shmem.my_pe() as usize * part.most;
            // SAFETY: each PE has room in the inbox, which its task before has read: all sums of that round have come.
            unsafe { queue.put_task(call.at(inbox, place as u64), source.slice(range), pe)? };
        }
        part.wait(part.sums_of, round)
    };
    let time = timed(shmem, vectors, rounds, sum, || Ok(()))?;
    queue.free()?;
    shmem.free(count)?;
    part.free()?;
    Ok(time)
}

/// How many elements of the result are not exactly the sum of this round.
fn wrong_elements(found: &[f32], pes: u32, round: u32) -> usize {
    let sum = |i| (0..pes).map(|pe| number(pe, round, i)).sum::<f32>();
    (0..found.len()).filter(|&i| found[i] != sum(i)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a verification that accepts one PE's part alone, the sum of the previous round, or elements that nobody
    /// wrote.
    #[test]
    fn wrong_sums_are_found() {
        let right: Vec<f32> = (0..2000).map(|i| number(0, 1, i) + number(1, 1, i) + number(2, 1, i)).collect();
        assert_eq!(wrong_elements(&right, 3, 1), 0);
        assert_eq!(wrong_elements(&right, 3, 3), 0);
        assert_eq!(wrong_elements(&right, 3, 2), 2000);
        assert_eq!(wrong_elements(&right, 2, 1), (0..2000).filter(|&i| number(2, 1, i) != 0.0).count());
        let mut wrong = right.clone();
        wrong[0] += 1.0;
        wrong[1999] = f32::NAN;
        assert_eq!(wrong_elements(&wrong, 3, 1), 2);
    }
}

//! Sums a long vector over all PEs, with the result on all PEs, in four ways: by a kernel of this program, on a stream,
//! and by the CPU on GPU memory and on host memory. Bandwidths are defined as in NCCL's tests.

use anyhow::Result;
use clap::{Parser, ValueEnum};
use cushmem::{Grid, Reduction, Shmem, SymSlice};
use cushmem_examples_programs::{figures, have_gpus, is_emulated, n_pes, seconds, tell, total};
use cushmem_examples_programs_kernels as kernels;
use cushmem_program::{parse, run};
use serde::Serialize;
use serde_json::json;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 2 allreduce                                  64 MiB in every way
  shmemrun -n 2 allreduce --by kernel --elements 1048576   4 MiB in one way

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
    /// Who computes the sum [default: all in turn, or only the CPU in host memory if there is no GPU]
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
    let memory = || if by == By::Cpu { shmem.malloc::<f32>(n) } else { shmem.malloc_gpu(n) };
    let vectors = Vectors { dest: memory()?, sources: [memory()?, memory()?] };
    for (round, source) in vectors.sources.iter().enumerate() {
        source.copy_from(&(0..n).map(|i| number(shmem.my_pe(), round as u32, i)).collect::<Vec<_>>())?;
    }
    let seconds = match by {
        By::Kernel => by_kernel(shmem, &vectors, rounds)?,
        By::Stream => by_stream(shmem, &vectors, rounds)?,
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
    sum: impl Fn(SymSlice<'a, f32>) -> Result<()>,
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

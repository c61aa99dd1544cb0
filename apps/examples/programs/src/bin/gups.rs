//! RandomAccess, modelled on that of the HPC Challenge (HPCC): every PE updates words at random places in the tables of
//! all PEs. There are four updates for each word. The result is billions of updates per second (GUP/s). There are two
//! deviations from HPCC's rules: with atomic operations, kernels have more updates in flight than the 1024 per process
//! allowed, and the default table is smaller than the required half of the memory. The time is the median of a few
//! passes, after one that warms up.

use anyhow::{Context, Result};
use clap::Parser;
use cushmem::{Grid, Shmem, SymSlice};
use cushmem_examples_programs::{By, PASSES, figures, is_emulated, n_pes, seconds, tell, total, ways};
use cushmem_examples_programs_kernels::{self as kernels, gups::*};
use cushmem_numbers::median;
use cushmem_program::{parse, run};
use serde_json::json;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 2 gups                       kernels on GPU memory, then CPUs on host memory
  shmemrun -n 2 gups --by gpu --log2 28    2 GiB on each GPU

Each update is an exclusive or with the next number of a random sequence, whose bits choose the word. Each CPU then goes
through the sequence again, which must restore the initial values: all of them if the updates are atomic operations,
else 99 %. Unlike in the HPC Challenge, kernels have more than 1024 updates in flight (except with --plain), and the
default table is small.";

/// Measure random updates of the memory of all PEs
#[derive(Parser)]
#[command(name = "gups", version, after_help = EXAMPLES, term_width = 120)]
struct Args {
    /// Give each PE a table of 2^N words of 8 bytes [default: 25 on a GPU, 22 in host memory; 14 and 18 without a GPU;
    /// 8 and 12 between nodes, where each update is a message]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(3..=33))]
    log2: Option<u32>,
    /// Who updates: kernels in GPU memory, or CPUs in host memory [default: both in turn]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Use loads and stores instead of atomic operations, with at most 1024 updates in flight on each PE; up to 1 % of
    /// the words may be wrong
    #[arg(long)]
    plain: bool,
    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    run(parse, |shmem, args: &Args| ways(shmem, args.by)?.into_iter().try_for_each(|by| measure(shmem, args, by)))
}

fn measure(shmem: &Shmem, args: &Args, by: By) -> Result<()> {
    let (me, pes) = (shmem.my_pe(), shmem.n_pes());
    let is_far = shmem.team_shared().n_pes() < pes;
    let log2 = args.log2.unwrap_or(match (by, is_emulated(shmem)?) {
        (By::Gpu, _) if is_far => 8,
        (By::Cpu, _) if is_far => 12,
        (By::Gpu, false) => 25,
        (By::Gpu, true) => 14,
        (By::Cpu, false) => 22,
        (By::Cpu, true) => 18,
    });
    // The tables are symmetric, so all PEs can reach them. Numbered across all PEs, word i starts with the value i.
    let words = 1 << log2;
    let table = if by == By::Gpu { shmem.malloc_gpu(words)? } else { shmem.malloc(words)? };
    let start: Vec<_> = (0..words).map(|i| first(me, log2, i)).collect();
    let mut times = vec![];
    for pass in 0..=PASSES {
        // Without this, a second pass would undo the first.
        table.copy_from(&start)?;
        let seconds = match by {
            By::Gpu => update_by_kernel(shmem, table, log2, args.plain)?,
            By::Cpu => seconds(shmem, || update_by_cpu(shmem, table, log2, args.plain))?,
        };
        times.extend((pass > 0).then_some(seconds));
    }
    let seconds = median(&mut times).context("no pass was timed")?;
    shmem.barrier_all()?;
    let wrong = total(shmem, wrong_words(table.to_vec()?, me, pes, log2))?;
    let updates = updates(log2) * u64::from(pes);
    let gups = updates as f64 / seconds / 1e9;
    let most = if args.plain { updates / 4 / 100 } else { 0 };
    let row = json!({
        "program": "gups", "by": by, "plain": args.plain, "pes": pes, "log2": log2, "updates": updates,
        "passes": PASSES, "seconds": seconds, "gups": gups, "gups_a_pe": gups / f64::from(pes), "wrong": wrong,
    });
    let what = match (by, args.plain) {
        (By::Gpu, false) => "atomic operations of kernels on GPU memory",
        (By::Gpu, true) => "loads and stores of kernels to GPU memory",
        (By::Cpu, false) => "atomic operations of CPUs on host memory",
        (By::Cpu, true) => "loads and stores of CPUs to host memory",
    };
    let text = format!(
        "gups: {what}, {}, 2^{log2} words each, {} s: {} GUP/s, {} a PE, {wrong} words wrong",
        n_pes(shmem),
        figures(seconds),
        figures(gups),
        figures(gups / f64::from(pes))
    );
    shmem.free(table)?;
    tell(shmem, args.json, &text, row, wrong <= most)
}

/// The number of updates that each PE makes.
fn updates(log2: u32) -> u64 {
    4 << log2
}

/// The start value of word `i` of PE `pe`.
fn first(pe: u32, log2: u32, i: usize) -> u64 {
    (u64::from(pe) << log2) + i as u64
}

/// Returns the seconds of the slowest PE. All blocks are resident together, and each lane has its own part of the
/// stream.
fn update_by_kernel(shmem: &Shmem, table: SymSlice<'_, u64>, log2: u32, plain: bool) -> Result<f64> {
    let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
    // HPCC allows 1024 loads and stores in flight per process, so that few updates are lost.
    let resident = u64::from(module.max_resident_blocks(kernels::gups_update, 256)?) * 256;
    let most = if plain { resident.min(1024) } else { resident };
    // A power of two, so that all lanes have the same amount of work.
    let lanes = (1 << most.ilog2()).min(updates(log2));
    let each = updates(log2) / lanes;
    let (start, step) = (number(u64::from(shmem.my_pe()) * updates(log2)), number(each));
    let starts = shmem.device_alloc(lanes as usize)?;
    let all_starts = std::iter::successors(Some(start), |&start| Some(product(start, step)));
    starts.copy_from(&all_starts.take(lanes as usize).collect::<Vec<_>>())?;
    let threads = lanes.min(256) as u32;
    let grid = Grid::linear(lanes as u32 / threads, threads);
    seconds(shmem, || {
        let arguments = (table.device_ptr(), log2, starts.device_ptr(), each, u32::from(plain));
        // SAFETY: the table is symmetric and has `1 << log2` words, and each lane has a start.
        unsafe { stream.launch(&module, kernels::gups_update, grid, arguments)? };
        Ok(stream.synchronize()?)
    })
}

fn update_by_cpu(shmem: &Shmem, table: SymSlice<'_, u64>, log2: u32, plain: bool) -> Result<()> {
    let mut ran = number(u64::from(shmem.my_pe()) * updates(log2));
    for _ in 0..updates(log2) {
        ran = next(ran);
        let (pe, index) = place(ran, log2, shmem.n_pes());
        let word = table.at(index);
        if plain {
            shmem.p(word, shmem.g(word, pe)? ^ ran, pe)?;
        } else {
            shmem.fetch_xor(word, ran, pe)?;
        }
    }
    Ok(shmem.quiet()?)
}

/// Repeats the updates of all PEs on this PE's words. Afterwards they must have their start values again; returns how
/// many do not.
fn wrong_words(mut table: Vec<u64>, me: u32, pes: u32, log2: u32) -> usize {
    let mut ran = number(0);
    for _ in 0..updates(log2) * u64::from(pes) {
        ran = next(ran);
        let (pe, index) = place(ran, log2, pes);
        if pe == me {
            table[index] ^= ran;
        }
    }
    (0..table.len()).filter(|&i| table[i] != first(me, log2, i)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_begins_anywhere() {
        let mut ran = 1;
        for k in 0..1000 {
            assert_eq!(number(k), ran, "{k}");
            ran = next(ran);
        }
        assert_eq!(number(1 << 40), product(number((1 << 40) - 77), number(77)));
    }

    /// Catches a verification that misses a lost update, or a table that nobody changed.
    #[test]
    fn lost_updates_are_found() {
        let (pes, log2) = (3, 9);
        for me in 0..pes {
            let start: Vec<u64> = (0..1 << log2).map(|i| first(me, log2, i)).collect();
            let (mut right, mut ran, mut last) = (start.clone(), 1, (0, 0));
            for _ in 0..updates(log2) * u64::from(pes) {
                ran = next(ran);
                if let (pe, index) = place(ran, log2, pes)
                    && pe == me
                {
                    right[index] ^= ran;
                    last = (index, ran);
                }
            }
            assert_eq!(wrong_words(right.clone(), me, pes, log2), 0);
            right[last.0] ^= last.1;
            assert_eq!(wrong_words(right, me, pes, log2), 1);
            assert!(wrong_words(start, me, pes, log2) > 1 << (log2 - 1));
        }
    }
}

//! Adds integers of each PE to sums on the GPU of the next PE, as MPI_Accumulate does: the target's CPU adds them in
//! host memory, or waits for them and launches a kernel, or the numbers bring a task, which the target's GPU runs
//! without its CPU.

use anyhow::{Result, ensure};
use clap::{Parser, ValueEnum};
use cushmem::{Cmp, Grid, Shmem, SignalOp, SymSlice, TaskExecutor, TaskFunction, TaskOptions};
use cushmem_examples_programs::{figures, have_gpus, is_emulated, n_pes, seconds, tell, total};
use cushmem_examples_programs_kernels::{self as kernels, accumulate::Parts};
use cushmem_program::{parse, run};
use serde::Serialize;
use serde_json::json;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 2 accumulate                              1 to 1048576 integers in every way
  shmemrun -n 2 accumulate --by tasks --elements 1024   1024 integers in one way
  shmemrun -n 2 accumulate --by tasks --launched        the same, by executors that do not stay on the GPU

The time of an addition begins when a PE begins to put its numbers, and ends when it knows that they have been added.";

/// Add integers to sums of another PE
#[derive(Parser)]
#[command(name = "accumulate", version, after_help = EXAMPLES, term_width = 120)]
struct Args {
    /// Numbers of integers [default: 1 to 1048576 in powers of 4, or to 4096 on the emulated GPU]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..1 << 28))]
    elements: Vec<u64>,
    /// Number of timed additions, after one that is not timed; the mean time is printed [default: 200, or 5 on the
    /// emulated GPU]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Who adds the numbers [default: all in turn, or only the CPU if there is no GPU]
    #[arg(long, value_enum, value_delimiter = ',')]
    by: Vec<By>,
    /// Have the executors of tasks launched when tasks have come, instead of staying on the GPU
    #[arg(long)]
    launched: bool,
    /// Print lines of JSON instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum By {
    /// The target's CPU, in host memory
    Cpu,
    /// A kernel that the target's CPU launches
    Launch,
    /// A task that the CPU puts
    Tasks,
    /// A task that a kernel puts
    TasksOfKernels,
}

/// The most blocks of an executor.
const MOST_BLOCKS: usize = 64;

fn main() -> ExitCode {
    run(parse, accumulate)
}

fn accumulate(shmem: &Shmem, args: &Args) -> Result<()> {
    let ways = match &args.by[..] {
        [] if have_gpus(shmem)? => vec![By::Cpu, By::Launch, By::Tasks, By::TasksOfKernels],
        [] => vec![By::Cpu],
        chosen => chosen.to_vec(),
    };
    let is_small = is_emulated(shmem)?;
    let sizes = match &args.elements[..] {
        [] => (0..=if is_small { 6 } else { 10 }).map(|power| 4 << (2 * power) >> 2).collect(),
        chosen => chosen.to_vec(),
    };
    let rounds = args.rounds.unwrap_or(if is_small { 5 } else { 200 });
    for n in sizes {
        for by in &ways {
            measure(shmem, args, *by, n as usize, u64::from(rounds))?;
        }
    }
    Ok(())
}

/// The symmetric memory of a measurement.
struct Vectors<'a> {
    sums: SymSlice<'a, u64>,
    inbox: SymSlice<'a, u64>,
    /// What even rounds put, and what odd rounds put.
    sources: SymSlice<'a, u64>,
    /// Rounds of which the numbers have come here.
    come: SymSlice<'a, u64>,
    /// Rounds of which the numbers of this PE have been added; by each task, if kernels put tasks.
    done: SymSlice<'a, u64>,
}

fn measure(shmem: &Shmem, args: &Args, by: By, n: usize, rounds: u64) -> Result<()> {
    let on_host = by == By::Cpu;
    let memory = |n| if on_host { shmem.malloc::<u64>(n) } else { shmem.malloc_gpu(n) };
    let signal = || if by == By::TasksOfKernels { shmem.malloc_gpu(Parts::of(n).tasks) } else { shmem.malloc(1) };
    let (sums, inbox, sources) = (memory(n)?, memory(n)?, memory(2 * n)?);
    let vectors = Vectors { sums, inbox, sources, come: signal()?, done: signal()? };
    let me = shmem.my_pe();
    sums.copy_from(&vec![0; n])?;
    sources.copy_from(&(0..2 * n).map(|i| number(me, (i / n) as u64, i % n)).collect::<Vec<_>>())?;
    [vectors.come, vectors.done].iter().try_for_each(|signal| signal.copy_from(&vec![0; signal.len()]))?;
    shmem.barrier_all()?;
    let seconds = match by {
        By::Cpu => by_cpu(shmem, &vectors, rounds)?,
        By::Launch => by_launch(shmem, &vectors, rounds)?,
        By::Tasks => by_tasks(shmem, &vectors, rounds, options(shmem, args, 1)?)?,
        By::TasksOfKernels => by_tasks_of_kernels(shmem, &vectors, rounds, options(shmem, args, Parts::of(n).tasks)?)?,
    };
    shmem.barrier_all()?;
    let previous = (me + shmem.n_pes() - 1) % shmem.n_pes();
    let wrong = total(shmem, wrong_elements(&sums.to_vec()?, previous, 1 + rounds))?;
    [sums, inbox, sources, vectors.come, vectors.done].into_iter().try_for_each(|object| shmem.free(object))?;
    let seconds = seconds / rounds as f64;
    let is_launched = args.launched && matches!(by, By::Tasks | By::TasksOfKernels);
    let row = json!({
        "program": "accumulate", "by": by, "launched_executor": is_launched, "pes": shmem.n_pes(), "elements": n, "seconds": seconds, "wrong": wrong,
    });
    let how = match by {
        By::Cpu => "the target's CPU, in host memory",
        By::Launch => "a kernel that the target's CPU launches",
        By::Tasks => "a task that the CPU puts",
        By::TasksOfKernels => "a task that a kernel puts",
    };
    let how = how.to_owned() + if is_launched { ", for a launched executor" } else { "" };
    let text = format!("accumulate: {n} of u64, {}, {how}: {} us", n_pes(shmem), figures(seconds * 1e6));
    tell(shmem, args.json, &text, row, wrong == 0)
}

/// Element `i` of what a PE puts in a round.
fn number(pe: u32, round: u64, i: usize) -> u64 {
    1 + (i as u64 * 31 + u64::from(pe) * 7 + round % 2 * 13) % 1000
}

/// How many elements are not the sum of what a PE has put in the rounds from 1 on.
fn wrong_elements(found: &[u64], pe: u32, rounds: u64) -> usize {
    let (even, odd) = (rounds / 2, rounds.div_ceil(2));
    (0..found.len()).filter(|&i| found[i] != even * number(pe, 0, i) + odd * number(pe, 1, i)).count()
}

impl<'a> Vectors<'a> {
    fn source(&self, round: u64) -> SymSlice<'a, u64> {
        let (n, which) = (self.sums.len(), round as usize % 2);
        self.sources.slice(which * n..(which + 1) * n)
    }
}

/// The seconds of `rounds` rounds, after a first one that is not timed: those in which each PE's CPU puts its numbers
/// to the next one, adds those that have come by `add`, and says so.
fn by_target(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u64, mut add: impl FnMut() -> Result<()>) -> Result<f64> {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (next, previous) = ((me + 1) % n, (me + n - 1) % n);
    let mut one = |round: u64| -> Result<()> {
        shmem.put_signal(vectors.inbox, vectors.source(round), vectors.come.at(0), round, SignalOp::Set, next)?;
        shmem.signal_wait_until(vectors.come.at(0), Cmp::Ge, round)?;
        add()?;
        let nothing = vectors.done.slice(..0);
        shmem.put_signal(nothing, &[], vectors.done.at(0), round, SignalOp::Set, previous)?;
        shmem.signal_wait_until(vectors.done.at(0), Cmp::Ge, round)?;
        Ok(())
    };
    one(1)?;
    seconds(shmem, || (2..=1 + rounds).try_for_each(one))
}

fn by_cpu(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u64) -> Result<f64> {
    let n = vectors.sums.len();
    let (mut numbers, mut sums) = (vec![0; n], vec![0; n]);
    let time = by_target(shmem, vectors, rounds, || {
        vectors.inbox.copy_to(&mut numbers)?;
        sums.iter_mut().zip(&numbers).for_each(|(sum, number): (&mut u64, _)| *sum = sum.wrapping_add(*number));
        Ok(())
    })?;
    vectors.sums.copy_from(&sums)?;
    Ok(time)
}

fn by_launch(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u64) -> Result<f64> {
    let (module, stream, n) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?, vectors.sums.len());
    let grid = Grid::linear(n.div_ceil(256).min(256) as u32, 256);
    by_target(shmem, vectors, rounds, || {
        let arguments = (vectors.sums.device_ptr(), vectors.inbox.device_ptr(), n);
        // SAFETY: both have `n` elements, and nobody writes them until this PE has said that they are added.
        unsafe { stream.launch(&module, kernels::accumulate_add, grid, arguments)? };
        Ok(stream.synchronize()?)
    })
}

fn by_tasks(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u64, options: TaskOptions) -> Result<f64> {
    let (module, next) = (shmem.load(&kernels::IMAGE)?, (shmem.my_pe() + 1) % shmem.n_pes());
    let queue = shmem.task_queue(&module, &kernels::tasks::TASKS, options)?;
    let (inbox, sums) = (queue.buffer(vectors.inbox)?, queue.buffer(vectors.sums)?);
    let one = |round: u64| -> Result<()> {
        let call = kernels::tasks::accumulate_task.call((sums, 0)).at(inbox, 0);
        let call = call.then(vectors.done.device_ptr(), round, SignalOp::Set);
        // SAFETY: the inbox has room for the numbers, and only this PE puts to it, once those before were added.
        unsafe { queue.put_task(call, vectors.source(round), next)? };
        shmem.signal_wait_until(vectors.done.at(0), Cmp::Ge, round)?;
        Ok(())
    };
    one(1)?;
    let time = seconds(shmem, || (2..=1 + rounds).try_for_each(one))?;
    queue.free()?;
    Ok(time)
}

fn by_tasks_of_kernels(shmem: &Shmem, vectors: &Vectors<'_>, rounds: u64, options: TaskOptions) -> Result<f64> {
    let (module, stream) = (shmem.load(&kernels::IMAGE)?, shmem.stream()?);
    let next = (shmem.my_pe() + 1) % shmem.n_pes();
    let queue = shmem.task_queue(&module, &kernels::tasks::TASKS, options)?;
    ensure!((queue.buffer(vectors.inbox)?, queue.buffer(vectors.sums)?) == (0, 1), "the kernel names them so");
    let is_small = is_emulated(shmem)?;
    let run = |rounds: u64, before: u64| -> Result<()> {
        let (sources, done) = (vectors.sources.device_ptr(), vectors.done.device_ptr());
        let arguments = (queue.device(), sources, vectors.sums.len(), rounds, done, before, next);
        let blocks = Parts::of(vectors.sums.len()).blocks;
        let (blocks, threads) = if is_small { (blocks.min(4), 32) } else { (blocks, 512) };
        // SAFETY: the inbox has room for the numbers, and only this PE puts to it, once those before were added.
        unsafe { stream.launch(&module, kernels::accumulate_put, Grid::linear(blocks as u32, threads), arguments)? };
        Ok(stream.synchronize()?)
    };
    run(1, 0)?;
    let time = seconds(shmem, || run(rounds, 1))?;
    queue.free()?;
    Ok(time)
}

/// With a block for each of the tasks of a round, as far as there are so many. They add to different sums.
fn options(shmem: &Shmem, args: &Args, tasks: usize) -> Result<TaskOptions> {
    let blocks = tasks.min(if is_emulated(shmem)? { 2 } else { MOST_BLOCKS }) as u32;
    let executor = if args.launched { TaskExecutor::Launched } else { TaskExecutor::Resident };
    Ok(TaskOptions { threads: if is_emulated(shmem)? { 32 } else { 512 }, blocks, executor, ..TaskOptions::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a verification that accepts a round too few or too many, those of another PE, or elements that nobody
    /// added to.
    #[test]
    fn wrong_sums_are_found() {
        let right: Vec<u64> = (0..500).map(|i| 2 * number(1, 1, i) + number(1, 2, i)).collect();
        assert_eq!(wrong_elements(&right, 1, 3), 0);
        assert_eq!(wrong_elements(&right, 1, 2), 500);
        assert_eq!(wrong_elements(&right, 1, 4), 500);
        assert_eq!(wrong_elements(&right, 0, 3), 500);
        assert_eq!(wrong_elements(&[0; 10], 1, 3), 10);
    }

    /// Catches numbers of a kernel that no task adds, or two.
    #[test]
    fn each_number_has_one_task() {
        for n in [1, 8191, 8192, 8193, 100_000, 262_144, 262_145, 270_343, 300_001, 1 << 20, (1 << 22) + 7] {
            let mut next = 0;
            let mut parts: Vec<_> = (0..Parts::of(n).tasks).map(|task| Parts::of(n).of_task(task)).collect();
            parts.sort_unstable();
            for (first, len) in parts {
                assert_eq!(first, next, "of {n} numbers");
                next += len;
            }
            assert_eq!(next, n);
        }
    }
}

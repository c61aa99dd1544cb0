//! Puts with a task, and what a program does without them: the target's CPU waits for the data and launches a kernel.

use crate::report::Report;
use crate::rounds::median;
use anyhow::{Result, ensure};
use cushmem::{Cmp, Grid, Module, Shmem, Stream, TaskExecutor, TaskOptions};
use shmem_bench_kernels as kernels;

/// Bytes of the data.
const SIZES: [usize; 3] = [8, 64, 4096];
const BLOCKS: u32 = 1024;
/// Launches of which the median is reported.
const LAUNCHES: u64 = 9;
const THREADS: u32 = 128;

/// Measures from PE 0 to the last one, which may be itself. Collective.
pub fn run(shmem: &Shmem, gpu: (&Stream<'_>, &Module<'_>), report: &mut Report, smoke: bool) -> Result<()> {
    by_tasks(shmem, gpu, report, (TaskExecutor::Resident, "tasks"), smoke)?;
    by_tasks(shmem, gpu, report, (TaskExecutor::Launched, "launched-tasks"), smoke)?;
    rates(shmem, gpu, report, smoke)?;
    if shmem.n_pes() >= 2 { by_launches(shmem, gpu, report, smoke) } else { Ok(()) }
}

/// Microseconds that a launch takes on the GPU.
fn time(stream: &Stream<'_>, launch: impl FnOnce() -> cushmem::Result<()>) -> Result<f64> {
    let start = stream.record()?;
    launch()?;
    let end = stream.record()?;
    stream.synchronize()?;
    Ok(f64::from(end.elapsed_ms(&start)?) * 1e3)
}

fn by_tasks(
    shmem: &Shmem,
    (stream, module): (&Stream<'_>, &Module<'_>),
    report: &mut Report,
    (executor, by): (TaskExecutor, &str),
    smoke: bool,
) -> Result<()> {
    let largest = SIZES[SIZES.len() - 1];
    let (data, source) = (shmem.malloc_gpu::<u8>(largest)?, shmem.malloc_gpu::<u8>(largest)?);
    let (words, done) = (shmem.malloc_gpu::<u64>(2)?, shmem.malloc_gpu::<u64>(BLOCKS as usize)?);
    let [spent, late] = [shmem.device_alloc::<u64>(1)?, shmem.device_alloc::<u64>(1)?];
    let clear = || -> Result<()> {
        words.copy_from(&[0; 2])?;
        done.copy_from(&[0; BLOCKS as usize])?;
        Ok(late.copy_from(&[0])?)
    };
    clear()?;
    let threads = if smoke { 32 } else { THREADS };
    let options = TaskOptions { slots: 1024, threads, executor, ..TaskOptions::default() };
    let queue = shmem.task_queue(module, &kernels::tasks::TASKS, options)?;
    ensure!((queue.buffer(data)?, queue.buffer(words)?) == (0, 1), "the kernels name them so");
    let (n, launches) = if smoke { (3, 2) } else { (500, LAUNCHES) };
    let mut runs = 0;
    for bytes in SIZES {
        let (mut all, mut puts) = (vec![], vec![]);
        if shmem.my_pe() == 0 {
            for _ in 0..launches {
                let pointers = (source.device_ptr(), done.device_ptr(), spent.device_ptr(), late.device_ptr());
                let (src, done, spent_at, late_at) = pointers;
                let args = (queue.device(), src, bytes, done, runs, n, spent_at, late_at);
                // SAFETY: the buffers and the source have room for the largest size, and nobody else uses them.
                let launch =
                    || unsafe { stream.launch(module, kernels::task_roundtrip, Grid::linear(1, threads), args) };
                all.push(time(stream, launch)? / n as f64);
                puts.push(spent.to_vec()?[0] as f64 / 1e3 / n as f64);
                runs += n;
            }
            ensure!(late.to_vec()? == [0], "a task did not run within the limit");
        }
        shmem.barrier_all()?;
        // On the last PE, and there since the last size.
        let mut found = [0; 2];
        shmem.get(&mut found, words, shmem.n_pes() - 1)?;
        shmem.barrier_all()?;
        ensure!(shmem.my_pe() != 0 || found[0] == launches * n, "{} tasks ran, not {}", found[0], launches * n);
        let execution = found[1] as f64 / 1e3 / (launches * n) as f64;
        words.copy_from(&[0; 2])?;
        shmem.barrier_all()?;
        let [all, puts] = [all, puts].map(|times| if times.is_empty() { 0.0 } else { median(&times) });
        for (part, us) in [("all", all), ("put", puts), ("execution", execution)] {
            let keys = [("by", by.to_owned()), ("part", part.to_owned()), ("bytes", bytes.to_string())];
            report.row("task_roundtrip", &keys, us, "us")?;
        }
    }
    queue.free()?;
    [words, done].into_iter().try_for_each(|object| shmem.free(object))?;
    [data, source].into_iter().try_for_each(|object| Ok(shmem.free(object)?))
}

/// Tasks without data, from one block and from many, to executors of one block and of several.
fn rates(shmem: &Shmem, (stream, module): (&Stream<'_>, &Module<'_>), report: &mut Report, smoke: bool) -> Result<()> {
    let (data, words) = (shmem.malloc_gpu::<u64>(1)?, shmem.malloc_gpu::<u64>(2)?);
    let (done, late) = (shmem.malloc_gpu::<u64>(BLOCKS as usize)?, shmem.device_alloc::<u64>(1)?);
    late.copy_from(&[0])?;
    for executors in if smoke { vec![2] } else { vec![1, 4, 16] } {
        words.copy_from(&[0; 2])?;
        done.copy_from(&[0; BLOCKS as usize])?;
        let options = TaskOptions { slots: 1024, blocks: executors, threads: 32, ..TaskOptions::default() };
        let queue = shmem.task_queue(module, &kernels::tasks::TASKS, options)?;
        ensure!((queue.buffer(data)?, queue.buffer(words)?) == (0, 1), "the kernels name them so");
        let mut round = 0;
        for blocks in if smoke { vec![4] } else { vec![1, 64, BLOCKS] } {
            let each = if smoke { 3 } else { 20_000 / u64::from(blocks) + 20 };
            let mut times = vec![];
            if shmem.my_pe() == 0 {
                for _ in 0..if smoke { 2 } else { LAUNCHES } {
                    round += 1;
                    let args = (queue.device(), done.device_ptr(), round, each, late.device_ptr());
                    // SAFETY: there is a signal for each block.
                    let launch = || unsafe { stream.launch(module, kernels::task_rate, Grid::linear(blocks, 1), args) };
                    times.push(f64::from(blocks) * each as f64 / time(stream, launch)?);
                }
                ensure!(late.to_vec()? == [0], "a task did not run within the limit");
            }
            shmem.barrier_all()?;
            let rate = if times.is_empty() { 0.0 } else { median(&times) };
            let keys = [("ctas", blocks.to_string()), ("executors", executors.to_string())];
            report.row("task_rate", &keys, rate, "M/s")?;
        }
        queue.free()?;
    }
    [data, words, done].into_iter().try_for_each(|object| Ok(shmem.free(object)?))
}

fn by_launches(
    shmem: &Shmem,
    (stream, module): (&Stream<'_>, &Module<'_>),
    report: &mut Report,
    smoke: bool,
) -> Result<()> {
    let largest = SIZES[SIZES.len() - 1];
    let (data, source) = (shmem.malloc_gpu::<u8>(largest)?, shmem.malloc_gpu::<u8>(largest)?);
    // The CPU waits for the one in host memory, and the kernel for the one in GPU memory.
    let (come, done, word) = (shmem.malloc::<u64>(1)?, shmem.malloc_gpu::<u64>(1)?, shmem.malloc_gpu::<u64>(1)?);
    let late = shmem.device_alloc::<u64>(1)?;
    late.copy_from(&[0])?;
    let (n, launches) = if smoke { (3, 2) } else { (200, LAUNCHES) };
    let threads = if smoke { 32 } else { THREADS };
    for bytes in SIZES {
        let mut times = vec![];
        for _ in 0..launches {
            come.copy_from(&[0])?;
            done.copy_from(&[0])?;
            shmem.barrier_all()?;
            match shmem.my_pe() {
                0 => {
                    let pointers = (data.device_ptr(), source.device_ptr(), come.device_ptr(), done.device_ptr());
                    let (dst, src, come, done) = pointers;
                    let args = (dst, src, bytes, come, done, n, late.device_ptr());
                    // SAFETY: both have room for the largest size, and nobody else uses them.
                    let launch = || unsafe {
                        stream.launch(module, kernels::launched_roundtrip, Grid::linear(1, threads), args)
                    };
                    times.push(time(stream, launch)? / n as f64);
                    ensure!(late.to_vec()? == [0], "PE 1 did not launch a kernel within the limit");
                }
                1 => {
                    for round in 1..=n {
                        shmem.signal_wait_until(come.at(0), Cmp::Ge, round)?;
                        let args = (word.device_ptr(), done.device_ptr(), round);
                        // SAFETY: two words.
                        unsafe { stream.launch(module, kernels::add_and_tell, Grid::linear(1, 1), args)? };
                    }
                    stream.synchronize()?;
                }
                _ => {}
            }
            shmem.barrier_all()?;
        }
        let us = if times.is_empty() { 0.0 } else { median(&times) };
        let keys = [("by", "launch".to_owned()), ("part", "all".to_owned()), ("bytes", bytes.to_string())];
        report.row("task_roundtrip", &keys, us, "us")?;
    }
    [come, done, word].into_iter().try_for_each(|object| shmem.free(object))?;
    [data, source].into_iter().try_for_each(|object| Ok(shmem.free(object)?))
}

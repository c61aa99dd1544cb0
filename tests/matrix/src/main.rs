//! `cargo xtask matrix`: every operation on every pair of kinds of memory, in real jobs.
//!
//! The matrix is data: `matrix.toml` contains the axes, the jobs, and the rules by which cells are refused. A job tries
//! all cells: each PE carries out each operation with each PE, and a refusal is compared with the text in the rule.
//! Nothing is skipped.

mod data;
mod driver;
mod explained;
mod job;
mod memory;
mod one_sided;
mod operations;
mod pe;
mod table;
mod together;

use anyhow::{Context, Result, bail};
use clap::Parser;
use data::{Gpus, Job, Matrix};
use std::ffi::{CStr, c_char, c_int};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Try every operation on every pair of kinds of memory
#[derive(Debug, Parser)]
#[command(name = "cushmem-matrix", version)]
struct Args {
    /// Only with GPUs of this kind: none, soft (emulated), cuda (default: emulated ones, and real ones where there are
    /// some)
    #[arg(long, value_parser = gpus)]
    gpus: Option<Gpus>,
    /// Only the job with this name in `matrix.toml`
    #[arg(long)]
    job: Option<String>,
    /// Instead, try what other PEs do while the target computes, is stopped, or has its GPU full
    #[arg(long)]
    one_sided: bool,
    /// Length of each of these windows in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Write the table of docs/one-sided.md to this file
    #[arg(long, value_name = "FILE", requires = "one_sided")]
    write_docs: Option<PathBuf>,
    /// Skip the jobs that take longest
    #[arg(long)]
    brief: bool,
    /// Seconds that a job may take
    #[arg(long, default_value_t = 120)]
    timeout: u32,
    /// Be a PE of this job
    #[arg(long, hide = true)]
    pe: Option<String>,
    /// Keep the globals private
    #[arg(long, hide = true)]
    private_globals: bool,
}

/// The option, which is also looked for before `main`.
const PRIVATE_GLOBALS: &str = "--private-globals";

/// Does for this program what `shmemcc` does for a C program: its globals become shared before its own code runs.
#[used]
#[unsafe(link_section = ".init_array")]
static SHARE_GLOBALS: unsafe extern "C" fn(c_int, *const *const c_char) = share_globals;

/// # Safety
/// The arguments are those of `main`, and no thread has been started.
unsafe extern "C" fn share_globals(n: c_int, arguments: *const *const c_char) {
    for at in 0..usize::try_from(n).unwrap_or(0) {
        // SAFETY: the caller guarantees that there are this many strings.
        if unsafe { CStr::from_ptr(*arguments.add(at)) }.to_bytes() == PRIVATE_GLOBALS.as_bytes() {
            return;
        }
    }
    // SAFETY: the caller guarantees that there is one thread, and that the program's own code has not started.
    unsafe { cushmem::raw::share_globals() };
}

fn gpus(text: &str) -> Result<Gpus, String> {
    let all = [Gpus::None, Gpus::Soft, Gpus::Cuda];
    all.into_iter().find(|gpus| gpus.to_string() == text).ok_or_else(|| "it is none, soft or cuda".to_owned())
}

fn main() -> ExitCode {
    let args = Args::parse();
    match &args.pe {
        Some(job) => be_a_pe(&args, job),
        None => match run(&args) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("cushmem-matrix: {error:#}");
                ExitCode::FAILURE
            }
        },
    }
}

fn be_a_pe(args: &Args, job: &str) -> ExitCode {
    let matrix = Matrix::load().expect("the data were read before");
    let job = matrix.job(job).expect("a job of the matrix");
    let gpus = args.gpus.expect("a PE knows its kind of GPU");
    let shmem = cushmem::raw::init().expect("init");
    let lines = if args.one_sided {
        let pe = pe::Pe::new(&shmem, &matrix, job, gpus, one_sided::SLOT, one_sided::PLACES);
        one_sided::run(&shmem, pe, args.seconds)
    } else {
        pe::Pe::new(&shmem, &matrix, job, gpus, pe::SLOT, 1).run()
    };
    // In one piece, so that the lines of two PEs do not mix.
    std::io::stdout().write_all(lines.as_bytes()).expect("write to stdout");
    ExitCode::SUCCESS
}

fn run(args: &Args) -> Result<()> {
    let (matrix, launcher) = (Matrix::load()?, job::launcher()?);
    let kinds = match args.gpus {
        Some(gpus) => vec![gpus],
        None if cushmem_gpu::cuda::device_count().is_ok_and(|n| n > 0) => vec![Gpus::None, Gpus::Soft, Gpus::Cuda],
        None => vec![Gpus::None, Gpus::Soft],
    };
    let (mut passed, mut failed, mut skipped, mut refused, mut shown) = (0, 0, 0, 0, Vec::new());
    for gpus in kinds {
        let is_wanted = |job: &&Job| {
            args.job.as_ref().is_none_or(|name| *name == job.name)
                && (!args.one_sided || job.one_sided)
                && !(args.brief && job.long)
        };
        for job in matrix.jobs(gpus).filter(is_wanted) {
            let start = Instant::now();
            let outcome = if args.one_sided {
                let (outcome, seen) = job::try_windows(&matrix, &launcher, job, gpus, args.timeout, args.seconds)?;
                shown.push((job, gpus, seen));
                outcome
            } else {
                job::try_cells(&matrix, &launcher, job, gpus, args.timeout)?
            };
            let is_refused = |cell: &data::Cell| matrix.refusal(job, gpus, cell).is_some();
            refused += if args.one_sided { 0 } else { matrix.cells(job).into_iter().filter(is_refused).count() };
            for cell in &outcome.skipped {
                println!("SKIPPED {gpus} {}: {cell}", job.name);
            }
            skipped += outcome.skipped.len();
            for line in outcome.failed.iter().chain(&outcome.job) {
                println!("FAILED {gpus} {}: {line}", job.name);
            }
            let (good, bad) = (outcome.passed, outcome.failed.len() + outcome.lost);
            let seconds = start.elapsed().as_secs_f32();
            println!("{gpus:4} {:22} {good:5} passed, {bad} failed, {seconds:.1} s", job.name);
            (passed, failed) = (passed + good, failed + bad);
        }
    }
    if passed + failed == 0 {
        bail!("no job of matrix.toml is called so");
    }
    if let Some(file) = &args.write_docs {
        std::fs::write(file, table::page(&matrix, &shown, args.seconds))
            .with_context(|| format!("write {}", file.display()))?;
    }
    println!("of these, {refused} are refused, as a rule says");
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed + skipped > 0 { bail!("{} cells do other than matrix.toml says", failed + skipped) } else { Ok(()) }
}

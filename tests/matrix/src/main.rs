//! `cargo xtask matrix`: every operation on every pair of kinds of memory, in real jobs.
//!
//! The matrix is data: `matrix.toml` has the axes, the jobs, and the rules by which cells are refused. A job has all cells: each PE carries out each
//! operation with each PE, and a refusal is compared with what the rule says. Nothing is left out.

mod data;
mod driver;
mod job;
mod memory;
mod operations;
mod pe;
mod together;

use anyhow::{Result, bail};
use clap::Parser;
use data::{Gpus, Matrix};
use std::ffi::{CStr, c_char, c_int};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// Try every operation on every pair of kinds of memory
#[derive(Debug, Parser)]
#[command(name = "cushmem-matrix", version)]
struct Args {
    /// Only with GPUs of this kind: none, soft (emulated), cuda (default: emulated ones, and real ones where there are some)
    #[arg(long, value_parser = gpus)]
    gpus: Option<Gpus>,
    /// Only this job, whose name `matrix.toml` has
    #[arg(long)]
    job: Option<String>,
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

/// The option, which is looked for before `main` too.
const PRIVATE_GLOBALS: &str = "--private-globals";

/// Does for this program what `shmemcc` does for one in C: its globals become shared before its own code runs.
#[used]
#[unsafe(link_section = ".init_array")]
static SHARE_GLOBALS: unsafe extern "C" fn(c_int, *const *const c_char) = share_globals;

/// # Safety
/// The arguments are those of `main`, and no thread has begun.
unsafe extern "C" fn share_globals(n: c_int, arguments: *const *const c_char) {
    for at in 0..usize::try_from(n).unwrap_or(0) {
        // SAFETY: the caller guarantees so many strings.
        if unsafe { CStr::from_ptr(*arguments.add(at)) }.to_bytes() == PRIVATE_GLOBALS.as_bytes() {
            return;
        }
    }
    // SAFETY: the caller guarantees that there is one thread, and that the program has not begun.
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
    let lines = pe::Pe::new(&shmem, &matrix, job, gpus).run();
    // In one piece, so that lines of two PEs do not mix.
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
    let (mut passed, mut failed) = (0, 0);
    for gpus in kinds {
        for job in matrix.jobs(gpus).filter(|job| args.job.as_ref().is_none_or(|name| *name == job.name)) {
            let start = Instant::now();
            let outcome = job::try_cells(&matrix, &launcher, job, gpus, args.timeout)?;
            for line in outcome.failed.iter().chain(&outcome.job) {
                println!("FAILED {gpus} {}: {line}", job.name);
            }
            let (good, bad, seconds) =
                (outcome.passed, outcome.failed.len() + outcome.lost, start.elapsed().as_secs_f32());
            println!("{gpus:4} {:16} {good:5} passed, {bad} failed, {seconds:.1} s", job.name);
            (passed, failed) = (passed + good, failed + bad);
        }
    }
    if passed + failed == 0 {
        bail!("no job of matrix.toml is called so");
    }
    println!("{passed} passed, {failed} failed, 0 skipped");
    if failed > 0 { bail!("{failed} cells do other than matrix.toml says") } else { Ok(()) }
}

//! `shmem-advise`: says from the timeline of a job whether another communication mode would be faster, and why.
//!
//! It reads the file that `shmemrun --trace` wrote (`trace`), finds what the program repeats (`iterations`), fills the
//! model of GPUDirect Async (`model`) and puts the result into words (`advice`) and pictures (`report`).
#![forbid(unsafe_code)]

mod advice;
#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz;
mod iterations;
mod measured;
mod model;
mod report;
mod trace;

use advice::Advice;
use clap::Parser;
use cushmem_command_line::{printable, replace};
use cushmem_path::{Costs, GpuLink, Measured};
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Record a job in which the CPU communicates (the modes host and staged of the example programs), with at least a hundred \
iterations, and have its timeline looked at:
  shmemrun -n 2 --trace t.json.gz ./program
  shmem-advise t.json.gz

It finds the loop of the program by the calls that repeat, and says what an iteration consists of: the kernels whose \
results are sent (A), those that need nothing of the exchange (B), those that use what has come (C), the sends (S) and the \
waits (W). From this it predicts what an iteration would take if streams carried out the exchange, or a kernel, and says \
whether the conditions for that hold, what to change first, and what it could not know. docs/recording.md has the model.

The costs of messages are those of CUSHMEM_COSTS, a file of shmem-tune, or else those that come with the library. The times \
of emulated GPUs say nothing about real ones.

Exit status: 0, 1 if the file cannot be read, 2 for bad arguments.
";

/// Say from the timeline of a job whether another communication mode would be faster, and why.
#[derive(Parser)]
#[command(name = "shmem-advise", bin_name = "shmem-advise", version, after_help = AFTER_HELP, max_term_width = 110)]
struct Args {
    /// The file that `shmemrun --trace` wrote
    #[arg(value_name = "TRACE")]
    trace: PathBuf,

    /// Also write a page with the figures as plots and numbers, which needs no network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Print what was measured beside the predictions: how many microseconds an iteration took in this mode, without
    /// --trace. The modes are recorded (the one of TRACE), stream, graph (a stream, from a graph), device and fused
    #[arg(long, value_name = "MODE=US,…", value_delimiter = ',', value_parser = measured::parse)]
    measured: Vec<measured::Measured>,
}

fn main() -> ExitCode {
    let args: Args = match cushmem_command_line::parse() {
        Ok(args) => args,
        Err(status) => return status,
    };
    match advise(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shmem-advise: {}", printable(&error));
            ExitCode::FAILURE
        }
    }
}

fn advise(args: &Args) -> Result<(), String> {
    let trace = trace::read(&args.trace).map_err(|error| format!("{}: {error}", args.trace.display()))?;
    let costs = costs()?;
    let advice = Advice::of(&trace, &costs);
    let text = measured::table(&args.measured, &advice) + &advice::text(&advice, &costs.table(None));
    if let Some(file) = &args.report {
        let page = report::page(&args.trace, &trace, &advice, &text)?;
        replace(file, |to| to.write_all(page.as_bytes())).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    cushmem_command_line::print(text)
}

/// The costs of this machine.
fn costs() -> Result<Costs, String> {
    let given = cushmem_environment::costs().map_err(|error| error.to_string())?;
    let measured = given.map_or(Ok(Measured::default()), |(file, text)| Measured::parse(&file, &text));
    let mut costs = Costs::shipped(GpuLink::NvLink);
    measured.map_err(|error| error.to_string())?.apply(&mut costs);
    Ok(costs)
}

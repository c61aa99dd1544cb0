//! `shmem-info`: what the library would find on this machine, and every variable of the environment.
//!
//! [`report::Report`] is what was found, as plain values; `--json` prints it as it is, [`text`] for people. Each section is
//! found by one module. Nothing here fails because something is missing: that it is missing, and why, is the answer.

mod gpus;
mod heaps;
mod libraries;
mod machine;
mod report;
mod text;

use clap::Parser;
use report::Report;
use std::io::Write;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
What the sections say:
  cushmem      version and what was built in
  GPUs         which kind PEs use; the driver's GPUs and how they reach each other
  libraries    which optional ones can be opened here, from where, or why not
  machine      NUMA nodes, cores, and the CPUs that shmemrun shares among PEs
  heaps        how large the symmetric heaps may become, by which variable
  environment  every variable: its value here, its default, its meaning

A PE's kernels and copies reach the memory of those GPUs only with which its own has peer access. A library that is missing \
is not needed: the section says what it would be used for.

Examples:
  shmem-info                                    everything, for people
  shmem-info --json | jq .gpus                  one section, for programs
  shmemrun -n 2 --tag shmem-info                what each PE of a job finds
  SHMEM_SYMMETRIC_SIZE=16G shmem-info           what a setting would do

No GPU is used and no job is needed. The exit status is 0 whatever is missing.
";

/// Show what cushmem finds on this machine: GPUs and their links, libraries, cores, heap sizes, variables.
#[derive(Parser)]
#[command(name = "shmem-info", bin_name = "shmem-info", version, after_help = AFTER_HELP, max_term_width = 110)]
struct Args {
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let report = Report::collect();
    let text = if args.json { json(&report) } else { Ok(text::of(&report)) };
    let printed = text.and_then(|text| match std::io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever reads only the first lines has had enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("write to stdout: {error}")),
        _ => Ok(()),
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shmem-info: {error}");
            ExitCode::FAILURE
        }
    }
}

fn json(report: &Report) -> Result<String, String> {
    let text = serde_json::to_string_pretty(report).map_err(|error| format!("write JSON: {error}"))?;
    Ok(text + "\n")
}

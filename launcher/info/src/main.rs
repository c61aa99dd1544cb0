//! `shmem-info`: shows what the library would find on this machine, and every environment variable.
//!
//! [`report::Report`] holds what was found, as plain values; `--json` prints it as it is, and [`text`] formats it for people. One module
//! finds the values of each section. Nothing here fails because something is missing: the answer is that it is missing, and why.

mod gpus;
mod heaps;
mod libraries;
mod machine;
mod report;
mod text;

use clap::{CommandFactory, Parser};
use report::Report;
use std::io::Write;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
What the sections say:
  cushmem      the version, and what was built in
  GPUs         the kind that PEs use; the driver's GPUs and how they reach each other
  libraries    which optional libraries can be opened, from where, or why not
  machine      NUMA nodes, cores, and the CPUs that shmemrun shares among PEs
  heaps        how large the symmetric heaps may become, and which variable sets that
  environment  every variable: its value here, its default, its meaning

A PE's kernels and copies reach the memory of another GPU only if its own GPU has peer access to it. No optional library is needed; \
the section says what each is for.

Examples:
  shmem-info                                    everything, as text
  shmem-info --json | jq .gpus                  one section, for programs
  shmemrun -n 2 --tag shmem-info                what each PE of a job finds
  SHMEM_SYMMETRIC_SIZE=16G shmem-info           the effect of a setting

shmem-info uses no GPU and needs no job. Its exit status is 0 even if something is missing.
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
    if let Some(status) = cushmem_command_line::generate(Args::command) {
        return status;
    }
    let args = Args::parse();
    let report = Report::collect();
    let text = if args.json { json(&report) } else { Ok(text::of(&report)) };
    let printed = text.and_then(|text| match std::io::stdout().lock().write_all(text.as_bytes()) {
        // The reader has closed the pipe, perhaps after the first lines, as `head` does.
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

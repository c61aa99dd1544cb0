//! `shmem-info`: shows what the library would find on this machine, and every environment variable.
//!
//! [`report::Report`] holds the findings as plain values. `--json` prints it as it is, and [`text`] formats it for
//! people. Each section has a module that finds its values. A missing part is never an error: the report says that it
//! is missing, and why.

mod gpus;
mod heaps;
mod libraries;
mod machine;
mod networks;
mod nics;
mod paths;
mod report;
mod text;

use clap::Parser;
use gpus::Gpus;
use report::Report;
use serde::Serialize;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Sections:
  cushmem      the version and the built-in features
  GPUs         the kind that PEs use; the driver's GPUs and the links between them
  libraries    which optional libraries can be opened and from where, or why not
  networks     the providers of libfabric for CUSHMEM_NET=ofi:PROVIDER, what each has, or why it cannot be used
  NICs         InfiniBand and RoCE: each port, how far it is from each GPU, which one PEs would use with CUSHMEM_NET=verbs
  machine      NUMA nodes, cores, and the CPUs that shmemrun divides among PEs
  heaps        the limits of the symmetric heaps, and the variables that set them
  environment  every variable: its current value, its default, its meaning

A PE's kernels and copies reach the memory of another GPU only if its own GPU has peer access to it. No optional library \
is required; the section says what each one is for.

With --paths, it prints instead which path the bytes of each operation take in a job that you describe: by what starts \
the operation (a CPU thread, a stream, a kernel), the memory at both ends, and what separates the PEs (own, mapped, \
mapped-without-atomics, attached, unmapped, far). The GPUs are those of this machine, or the kind that CUSHMEM_GPU \
chooses; CUSHMEM_PATH applies too. A table comes first. Then each row shows the sizes for which each path is taken, the \
predicted time, and why each other path costs more or cannot serve. `shmemrun --explain` prints the same rows for a \
running job.

Examples:
  shmem-info                                    everything, as text
  shmem-info --json | jq .gpus                  one section, for programs
  shmemrun -n 2 --tag shmem-info                what each PE of a job finds
  SHMEM_SYMMETRIC_SIZE=16G shmem-info           the effect of a setting
  shmem-info --paths -n 4 --nodes 2             the paths of a job on two nodes
  CUSHMEM_GPU=none shmem-info --paths --globals the paths of a C program without GPUs

shmem-info uses no GPU and needs no job. Its exit status is 0 even if something is missing, 1 if the job that --paths \
describes is impossible, and 2 for bad arguments.
";

/// Show what cushmem finds on this machine: GPUs and their links, libraries, cores, heap sizes, variables.
#[derive(Parser)]
#[command(name = "shmem-info", bin_name = "shmem-info", version, after_help = AFTER_HELP, max_term_width = 110)]
struct Args {
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    job: paths::Job,
}

fn main() -> ExitCode {
    let args: Args = match cushmem_command_line::parse() {
        Ok(args) => args,
        Err(status) => return status,
    };
    let text = if args.job.paths { paths(&args) } else { everything(&args) };
    match text.and_then(cushmem_command_line::print) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shmem-info: {}", cushmem_command_line::printable(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}

fn everything(args: &Args) -> Result<String, String> {
    let report = Report::collect();
    if args.json { json(&report) } else { Ok(text::of(&report)) }
}

fn paths(args: &Args) -> Result<String, String> {
    let answer = args.job.answer(&Gpus::find())?;
    if args.json { json(&answer) } else { Ok(answer.text().to_owned()) }
}

fn json(value: &impl Serialize) -> Result<String, String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| format!("write JSON: {error}"))?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a description of a job that no launcher could start, whose table would take forever.
    #[test]
    fn a_described_job_has_as_many_pes_as_a_real_one() {
        let of = |line: &str| Args::try_parse_from(line.split_whitespace()).is_ok();
        assert!(of("shmem-info --paths -n 65536 --nodes 65536"));
        assert!(!of("shmem-info --paths -n 65537") && !of("shmem-info --paths --nodes 65537"));
    }
}

//! `shmem-bench`: latency and bandwidth of every way to move data. Run it under `shmemrun`.

mod device;
mod report;

use clap::{Parser, Subcommand};
use cushmem::Shmem;
use std::process::ExitCode;

/// Measures latency and bandwidth between PEs.
///
/// Prints a table; with --json also one JSON object a line, with the metric names and keys that other libraries'
/// benchmarks in this field use. A ping-pong is one way (round trip / 2), 1 GB is 1e9 bytes.
#[derive(Parser)]
#[command(after_help = "Example:\n  shmemrun -n 2 shmem-bench device --json results.jsonl")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Operations that a kernel issues: PE 0 and PE 1 take part, and all in barriers.
    Device(device::Options),
}

fn main() -> ExitCode {
    let options = Options::parse();
    cushmem::run(|shmem: &Shmem| match &options.command {
        Command::Device(options) => device::run(shmem, options),
    })
}

//! `shmem-bench`: latency and bandwidth of every way to move data. Run it under `shmemrun`.

mod coll;
mod count;
mod dev_array;
mod dev_coll;
mod device;
mod heading;
mod host;
mod names;
mod net;
mod plot;
mod processor;
mod report;
mod rounds;
mod stream;
mod stream_coll;
mod tasks;
mod uneven;

use clap::{Parser, Subcommand};
use cushmem::Shmem;
use std::process::ExitCode;
use std::time::Instant;

/// Measure latency and bandwidth between PEs.
///
/// Prints a table. With --json, it also writes one JSON object per line, with the metric names and keys that the
/// benchmarks of similar libraries use. The time of a ping-pong is the time of one way (half a round trip); 1 GB is
/// 1e9 bytes.
#[derive(Parser)]
#[command(name = "shmem-bench", version)]
#[command(after_help = "Examples:\n  shmemrun -n 2 shmem-bench host --plot curves.png\n  \
                        shmemrun -n 2 shmem-bench device --json results.jsonl\n  \
                        shmemrun -n 2 --nodes 2 shmem-bench net --report > report.txt")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure operations that a kernel issues, between PEs 0 and 1; barriers involve all PEs
    Device(device::Options),
    /// Measure operations that a stream carries out, from PE 0 to PE 1; barriers and collectives involve all PEs
    Stream(stream::Options),
    /// Measure operations that the CPU issues, between PEs 0 and 1; barriers involve all PEs
    Host(host::Options),
    /// Measure collectives of all PEs on host memory
    Coll(coll::Options),
    /// Measure operations between two nodes with one PE each
    Net(net::Options),
    /// Make one call many times, for tools that count instructions
    #[command(hide = true)]
    Count(count::Options),
}

fn main() -> ExitCode {
    let options: Options = match cushmem_command_line::parse() {
        Ok(options) => options,
        Err(status) => return status,
    };
    let context = match options.command {
        Command::Host(_) => host::make_cuda_context(),
        Command::Device(_) | Command::Stream(_) | Command::Coll(_) | Command::Net(_) | Command::Count(_) => None,
    };
    let start = Instant::now();
    cushmem::run(|shmem: &Shmem| match &options.command {
        Command::Device(options) => device::run(shmem, options),
        Command::Stream(options) => stream::run(shmem, options),
        Command::Count(options) => count::run(shmem, options),
        Command::Coll(options) => coll::run(shmem, options),
        Command::Net(options) => net::run(shmem, options),
        Command::Host(options) => {
            host::run(shmem, options, host::Init { took: start.elapsed(), context_was_made: context.is_some() })
        }
    })
}

//! `shmem-tune`: measures what each path costs on this machine, and writes the file that `CUSHMEM_COSTS` names.
//!
//! It starts itself as the PEs of a few jobs (`jobs`), each of which forces the operations of interest onto one path.
//! PE 0 times the operations (`measure`), fits a line to the times (`fit`) and reports the result to the first process
//! as JSON lines (`said`). The first process prints a table and writes the file (`file`).
#![forbid(unsafe_code)]

mod file;
mod fit;
mod jobs;
mod measure;
mod said;

use clap::Parser;
use cushmem_command_line::printable;
use file::{Origin, Unnamed};
use jobs::Job;
use said::Found;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
The library moves the bytes of each operation by one of several paths, such as a copy engine or the GPU agent, and takes \
the one that costs least at that size. The cost of a path is modelled as a straight line: a start time plus the bytes \
divided by a bandwidth. The library has built-in figures for some machines; shmem-tune measures those of this machine.

It runs short jobs of itself, each restricted to one path (CUSHMEM_PATH), and writes a file with one line for each path \
and pair of kinds of memory. Jobs use the file if CUSHMEM_COSTS names it; shmemrun --explain then shows each decision and \
the figures behind it. If something cannot be measured on this machine, shmem-tune says so, and the library's own figures \
apply.

Columns: `start` is the time of the shortest operation until it is complete; `spread` is the range of the middle half of \
the rounds; `off` is the largest error of the line at the sizes in between. The machine should be otherwise idle during \
the measurement.

Examples:
  shmem-tune                                     measure, and write ./cushmem.costs
  shmem-tune -o /etc/cushmem.costs --force       write elsewhere, and replace an older file
  shmem-tune --nodes 2                           also the network between two virtual nodes
  CUSHMEM_COSTS=cushmem.costs shmemrun --explain -n 2 ./program
                                                 see the effect

The GPUs are the ones that PEs use according to CUSHMEM_GPU. Emulated ones are measured too, but their figures say \
nothing about real ones. With two or more GPUs, each PE has its own. With one GPU, the PEs share it, and the GPU agent \
copies nothing. With CUSHMEM_COMMAND_PROCESSOR=1 it also measures copies by single threads of kernels (thread-put, \
thread-get) and those of the command processor for them (processor-put, processor-get).

Exit status: 0 if all that this machine can do was measured, 1 if a job failed or no file was written, 2 for bad \
arguments.
";

/// Measure what each path costs on this machine, and write it to a file for CUSHMEM_COSTS.
#[derive(Parser)]
#[command(name = "shmem-tune", bin_name = "shmem-tune", version, after_help = AFTER_HELP, max_term_width = 110)]
struct Args {
    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "cushmem.costs")]
    output: PathBuf,

    /// Replace the file if it already exists
    #[arg(long)]
    force: bool,

    /// Number of PEs in each job; PE 0 measures the paths to the last one
    #[arg(short = 'n', long = "pes", value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=i64::from(cushmem_environment::MAX_PES)))]
    pes: u32,

    /// Also measure the network between the first and the last of K virtual nodes
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..=i64::from(cushmem_environment::MAX_PES)))]
    nodes: Option<u32>,

    /// Measure fewer rounds and sizes, for a rough result or a test
    #[arg(long)]
    quick: bool,

    /// Be a PE of this job
    #[arg(long, hide = true)]
    measure: Option<Job>,
}

fn main() -> ExitCode {
    let args: Args = match cushmem_command_line::parse() {
        Ok(args) => args,
        Err(status) => return status,
    };
    if let Some(job) = args.measure {
        return cushmem::run(|shmem| measure::measure(shmem, job, args.quick));
    }
    if let Some(nodes) = args.nodes.filter(|nodes| *nodes > args.pes) {
        eprintln!("shmem-tune: --nodes {nodes}: each node needs a PE, and there are only {}", args.pes);
        return ExitCode::from(STATUS_USAGE);
    }
    match tune(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shmem-tune: {}", printable(&error));
            ExitCode::FAILURE
        }
    }
}

/// Exit status for bad arguments.
const STATUS_USAGE: u8 = 2;
/// The spread above which figures are doubtful.
const SHAKY: f64 = 0.5;

fn tune(args: &Args) -> Result<(), String> {
    let file = Unnamed::new(&args.output, args.force)?;
    let mut found = Found::default();
    say(file::heading())?;
    for job in Job::ALL.iter().copied() {
        let before = found.lines.len();
        match job.reason_against(args.nodes, found.gpu.as_ref()) {
            Some(why) => found.absent(job.measures(), &why),
            None => {
                let ran = job.run(args.pes, args.nodes, args.quick, &mut found);
                if let Err(why) = ran {
                    return Err(file.abandon(found.lines.is_empty(), &why));
                }
            }
        }
        file.write(&file::text(&Origin::of_this_machine(&found, args.pes), &found))?;
        found.lines[before..].iter().try_for_each(say)?;
    }
    if found.lines.is_empty() {
        return Err(file.abandon(true, &format!("nothing was measured: {}", found.absent.join("; "))));
    }
    found.add_sums();
    file.write(&file::text(&Origin::of_this_machine(&found, args.pes), &found))?;
    file.finish()?;
    say("")?;
    for absent in &found.absent {
        say(format_args!("not measured: {absent}"))?;
    }
    if let Some(worst) = found.lines.iter().map(|line| line.spread).filter(|s| *s > SHAKY).reduce(f64::max) {
        let percent = 100.0 * worst;
        say(format_args!(
            "the rounds of one path differ by {percent:.0} %: the machine was busy with other work, so measure again"
        ))?;
    }
    say(format_args!("wrote {0}; jobs use it with CUSHMEM_COSTS={0}", args.output.display()))?;
    match found.failed {
        0 => Ok(()),
        failed => Err(format!("jobs that failed: {failed}; the file lacks what they measure")),
    }
}

fn say(line: impl Display) -> Result<(), String> {
    cushmem_command_line::print(format!("{}\n", printable(&line.to_string())))
}

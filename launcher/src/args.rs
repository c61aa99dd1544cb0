//! The command line.

use std::ffi::OsString;
use std::time::Duration;

use clap::Parser;
use clap::error::ErrorKind;

use crate::map::Map;

const USAGE: &str = "shmemrun [OPTIONS] -n <N> <PROGRAM [ARGS]>...\n       shmemrun --status [JOB]";

/// The largest number of PEs on one machine.
const MAX_PES: i64 = 1024;
const TIMEOUT_RANGE_S: std::ops::RangeInclusive<f64> = 0.1..=31_536_000.0;

const AFTER_HELP: &str = "\
Examples:
  shmemrun -n 4 ./stencil2d --size 4096        four PEs on this machine
  shmemrun -n 8 --tag ./hello                  each line begins with the number of its PE
  shmemrun -n 2 --timeout 60 ./test            end the job after a minute
  shmemrun -n 2 sh -c './a > out.$CUSHMEM_PE'  one output file for each PE
  shmemrun -n 8 --map cyclic ./solver          even PEs on one NUMA node, odd PEs on the other
  shmemrun --status                            your jobs: process of shmemrun, job, command
  shmemrun --status 4711                       what the PEs of that job are waiting in

Status: one line for each PE says what it is waiting in (a barrier, a collective, a wait, a lock, finalize), for which PEs and for how \
long, or `computing` if no thread has been waiting in the library for 10 ms. The same lines are printed when --timeout ends a job. \
Only root and the user who started the job can ask.

Binding: if there are at least as many cores as PEs, each PE gets physical cores of its own, near each other; with more PEs than \
cores, no PE is bound. The PE at place p of this machine uses GPU p modulo the number of GPUs, unless the program chose one before it \
initialised the library.

Places: a place is the index of a PE among those of its machine, CUSHMEM_LOCAL_PE. It decides the PE's cores, its GPU and its \
slot in the memory that PEs map from each other; neighbouring places are close. --map says in which order the numbers of the PEs \
are laid over the places. block (the default): PE p has place p. cyclic: PEs are dealt out in turn to the NUMA nodes, so with two nodes \
PEs 0, 2, 4… are on the first and PEs 1, 3, 5… on the second; on a machine with one node, they are dealt out to two halves of the places. random:SEED: \
a permutation that depends on SEED (0 to 18446744073709551615) and the number of PEs only: a Fisher-Yates shuffle from the last place down, \
with the numbers of SplitMix64 modulo what is left. The order may change speed, never results.

Exit status: that of the first PE that failed, or 128+n if signal n killed it (a crash or SIGKILL right after another PE's exit counts \
as first); the code of a PE that aborted the job; 124 at the time limit; 126 or 127 if the program cannot be started; 2 for bad \
arguments; else 0. When a PE fails, the others are killed with all their children. A PE that used the library also fails if it exits \
without finalize, even with status 0.

Signals: INT, TERM, HUP, QUIT, USR1 and USR2 are passed on to the PEs. The second of the first four kills them, and so does the first \
if the launcher's second process is stopped and does not answer within 2 s. PEs start with no signal blocked, and with none ignored but \
HUP, INT and QUIT, if they were (nohup).

Input and output: PE 0 reads standard input if it is not a terminal; the others read nothing. Standard error is passed on line \
by line; standard output is the PEs' own unless --tag is given.

Environment of a PE: CUSHMEM_PE, CUSHMEM_LOCAL_PE, CUSHMEM_N_PES, CUSHMEM_OVERSUBSCRIBED, CUSHMEM_CPUS (if bound) and \
CUSHMEM_JOB; CUDA_MODULE_LOADING=EAGER unless set. Set CUSHMEM_WAIT_LIMIT_S to change the limit of the library's own waits \
from 30 seconds.
";

/// Start a program as the PEs of an OpenSHMEM job on this machine, watch them, and leave nothing behind.
#[derive(Debug, Clone, Parser)]
#[command(name = "shmemrun", bin_name = "shmemrun", version, override_usage = USAGE, after_help = AFTER_HELP, max_term_width = 110)]
pub struct Args {
    /// Number of PEs, 1 to 1024
    #[arg(short, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_PES))]
    pub n: u32,

    /// End the job after this many seconds, with exit status 124
    #[arg(long, allow_negative_numbers = true, value_name = "S", value_parser = parse_timeout)]
    pub timeout: Option<Duration>,

    /// Leave the PEs' placement on cores to the operating system
    #[arg(long)]
    pub no_bind: bool,

    /// Lay PEs over the places of this machine in this order: block, cyclic or random:SEED
    #[arg(long, value_name = "ORDER", default_value = "block", hide_default_value = true)]
    pub map: Map,

    /// Begin each line of output with the number of the PE that wrote it: `[3] …`
    #[arg(long)]
    pub tag: bool,

    /// The program, then its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM [ARGS]")]
    pub command: Vec<OsString>,
}

/// What to do instead of starting a job.
pub enum Instead {
    /// Show what the PEs of this job are waiting in, or which jobs there are.
    Status(Option<String>),
    /// Print this text and succeed (`--help`, `--version`).
    Print(String),
    /// Report this line and exit with status 2.
    Complain(String),
}

/// Reads the command line.
pub fn parse(args: impl Iterator<Item = OsString>) -> Result<Args, Instead> {
    let args: Vec<OsString> = args.collect();
    if args.get(1).is_some_and(|first| first == "--status") {
        return Err(match &args[2..] {
            [] => Instead::Status(None),
            [job] => Instead::Status(Some(job.to_string_lossy().into_owned())),
            _ => Instead::Complain("--status takes at most one job (shmemrun --help explains)".into()),
        });
    }
    Args::try_parse_from(args).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Instead::Print(error.render().to_string()),
        _ => Instead::Complain(one_line(&error.render().to_string())),
    })
}

/// clap's report without the usage, on one line.
fn one_line(report: &str) -> String {
    let lines = report.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let words = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let text = words.collect::<Vec<_>>().join(" ");
    format!("{} (shmemrun --help explains)", text.strip_prefix("error: ").unwrap_or(&text))
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if TIMEOUT_RANGE_S.contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("not a number of seconds from 0.1 to 31536000".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Args, Instead> {
        parse(line.split_whitespace().map(OsString::from))
    }

    fn complaint(line: &str) -> String {
        match parsed(line) {
            Err(Instead::Complain(text)) => text,
            _ => panic!("'{line}' was accepted"),
        }
    }

    #[test]
    fn options_after_the_program_belong_to_the_program() {
        let args = parsed("shmemrun -n 2 prog --tag -n 9 --help").ok().unwrap();
        assert_eq!((args.n, args.tag, args.command.len()), (2, false, 5));
    }

    #[test]
    fn status_comes_first_or_belongs_to_the_program() {
        let status = |line| match parsed(line) {
            Err(Instead::Status(job)) => job,
            _ => panic!("'{line}' does not ask for the status"),
        };
        assert_eq!(status("shmemrun --status"), None);
        assert_eq!(status("shmemrun --status 4711").as_deref(), Some("4711"));
        assert_eq!(parsed("shmemrun -n 2 prog --status").ok().unwrap().command.len(), 2);
        assert!(complaint("shmemrun --status 1 2").contains("one job"));
    }

    #[test]
    fn complaints_are_one_line_with_what_where_and_range() {
        for (line, parts) in [
            ("shmemrun -n 0 prog", &["'0'", "-n", "1..=1024"][..]),
            ("shmemrun -n many prog", &["'many'", "-n"]),
            ("shmemrun -n 2 --timeout soon prog", &["'soon'", "--timeout", "0.1 to 31536000"]),
            ("shmemrun prog", &["-n"]),
            ("shmemrun -n 2", &["PROGRAM"]),
            ("shmemrun -n 2 --tagg prog", &["--tagg"]),
            ("shmemrun -n 2 --map round prog", &["'round'", "--map", "block, cyclic, random:SEED"]),
            ("shmemrun -n 2 --map random prog", &["--map", "SEED", "0 to 18446744073709551615"]),
        ] {
            let text = complaint(line);
            assert!(!text.contains('\n'), "{text}");
            for part in parts {
                assert!(text.contains(part), "'{text}' lacks '{part}'");
            }
        }
    }
}

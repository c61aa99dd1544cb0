//! The command line.

use std::ffi::OsString;
use std::time::Duration;

use clap::Parser;
use clap::error::ErrorKind;

const USAGE: &str = "shmemrun [OPTIONS] -n <N> <PROGRAM [ARGS]>...\n       shmemrun --status [JOB]";

/// The largest number of PEs on one machine.
const MAX_PES: i64 = 1024;
const TIMEOUT_RANGE_S: std::ops::RangeInclusive<f64> = 0.1..=31_536_000.0;

const AFTER_HELP: &str = "\
Examples:
  shmemrun -n 4 ./stencil2d --size 4096        four PEs on this machine
  shmemrun -n 8 --tag ./hello                  each line with the PE that wrote it
  shmemrun -n 2 --timeout 60 ./test            end the job after a minute
  shmemrun -n 2 sh -c './a > out.$CUSHMEM_PE'  a file of output for each PE
  shmemrun --status                            your jobs on this machine: shmemrun's process, job identifier, command
  shmemrun --status 4711                       what each PE of that job is in; an identifier (CUSHMEM_JOB) does as well

Status: a line for each PE says what it is in (a barrier, a collective, a wait, a lock, finalize), for whom it waits and since when, \
or `computing` if no thread has waited in the library for 10 ms. The same is printed when --timeout ends a job. \
Only the user who started a job, and root, can ask.

Binding: each PE gets physical cores of its own, near each other, if there are as many cores as PEs; with more PEs than cores \
none is bound. PE number p of this machine uses GPU p modulo the number of GPUs, unless the program chose one before it \
initialised the library.

Exit status: that of the first PE that failed (a crash or SIGKILL right after another PE's exit counts as first), 128+n if signal n killed it, the code of a PE that aborted the job, 124 at the \
time limit, 126 or 127 if the program cannot be started, 2 for bad arguments, else 0. When a PE fails the others are killed, \
with all their children. A PE that used the library also fails if it exits, even with status 0, without finalize.

Signals: INT, TERM, HUP, QUIT, USR1 and USR2 are passed on to the PEs; a second one of the first four kills them.

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

    /// Put the number of the PE that wrote it before each line of output: `[3] …`
    #[arg(long)]
    pub tag: bool,

    /// The program, then its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM [ARGS]")]
    pub command: Vec<OsString>,
}

/// What to do instead of starting a job.
pub enum Instead {
    /// Tell what the PEs of this job are in, or which jobs there are.
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
            _ => Instead::Complain("--status takes one job at most (shmemrun --help explains)".into()),
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
    fn options_behind_the_program_are_the_programs() {
        let args = parsed("shmemrun -n 2 prog --tag -n 9 --help").ok().unwrap();
        assert_eq!((args.n, args.tag, args.command.len()), (2, false, 5));
    }

    #[test]
    fn status_comes_first_or_is_the_programs() {
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
        ] {
            let text = complaint(line);
            assert!(!text.contains('\n'), "{text}");
            for part in parts {
                assert!(text.contains(part), "'{text}' lacks '{part}'");
            }
        }
    }
}

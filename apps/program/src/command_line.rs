//! Parses a command line and starts the run.

use clap::Parser;
use cushmem::Shmem;
use std::env::ArgsOs;
use std::ffi::OsString;
use std::fmt::Display;
use std::process::ExitCode;

/// The exit status for a wrong command line.
pub(crate) const STATUS_WRONG_USE: u8 = 2;

/// Why there is nothing to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Help was asked for.
    Help(String),
    /// The command line is wrong; this one line says why.
    Wrong(String),
}

/// Parses the words of a command line, starting with the program's name.
pub fn parse<A: Parser>(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<A, Refusal> {
    use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
    cushmem_command_line::try_parse_from(words).map_err(|error| match error.kind() {
        DisplayHelp | DisplayVersion => Refusal::Help(error.to_string()),
        _ => Refusal::Wrong(cushmem_command_line::one_line(&error)),
    })
}

/// The body of `main`: runs the program with what `read` returns for this process's command line, or says why there is
/// nothing to run.
pub fn run<A: Parser, E: Display>(
    read: impl FnOnce(ArgsOs) -> Result<A, Refusal>,
    program: impl FnOnce(&Shmem, &A) -> Result<(), E>,
) -> ExitCode {
    if let Some(status) = cushmem_command_line::generate(A::command) {
        return status;
    }
    match read(std::env::args_os()) {
        Ok(args) => cushmem::run(|shmem| program(shmem, &args)),
        Err(refusal) => answer(A::command().get_name(), refusal),
    }
}

/// Prints a line, such as a report. It is not an error if the reader has gone.
pub fn say(line: &str) -> anyhow::Result<()> {
    cushmem_command_line::print(format!("{line}\n")).map_err(anyhow::Error::msg)
}

/// Prints help or a complaint once for the whole job. The job has not started yet, so each PE knows only its own
/// number.
fn answer(program: &str, refusal: Refusal) -> ExitCode {
    match refusal {
        Refusal::Help(text) => {
            let speaks = std::env::var("CUSHMEM_PE").map_or(true, |pe| pe == "0");
            if speaks && let Err(why) = cushmem_command_line::print(&text) {
                eprintln!("{program}: {why}");
                return ExitCode::from(STATUS_WRONG_USE);
            }
            ExitCode::SUCCESS
        }
        Refusal::Wrong(line) => {
            cushmem_command_line::let_pe_0_speak();
            eprintln!("{program}: {line} (see --help)");
            ExitCode::from(STATUS_WRONG_USE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rings.
    #[derive(Debug, PartialEq, Parser)]
    #[command(name = "bell", version)]
    struct Bell {
        /// So often
        #[arg(long)]
        times: u32,
    }

    #[test]
    fn a_wrong_line_is_answered_in_one_line_and_help_in_full() {
        let bell = |line: &str| parse::<Bell>(line.split_whitespace());
        assert_eq!(bell("bell --times 3"), Ok(Bell { times: 3 }));
        let Err(Refusal::Wrong(text)) = bell("bell --times x") else { panic!("no complaint") };
        assert!(text.contains("--times") && !text.contains('\n'), "{text}");
        let Err(Refusal::Help(text)) = bell("bell --help") else { panic!("no help") };
        assert!(text.contains("Rings") && text.contains("So often"), "{text}");
        assert!(matches!(bell("bell --version"), Err(Refusal::Help(_))));
    }
}

//! `cargo shmem-ptx`: see `cargo shmem-ptx --help`.
#![forbid(unsafe_code)]

use clap::{CommandFactory, Parser};
use cushmem_command_line::printable_lines;
use cushmem_ptx::{Options, Outcome, ptx};
use std::process::ExitCode;

/// Compile the kernels in the crates of this workspace to PTX, check the PTX, and write it next to each crate
#[derive(Parser)]
#[command(name = "cargo-shmem-ptx", bin_name = "cargo shmem-ptx", version)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

fn main() -> ExitCode {
    if let Some(status) = cushmem_command_line::generate(Arguments::command) {
        return status;
    }
    // cargo passes the subcommand's name as the first argument.
    let arguments = std::env::args_os().enumerate().filter(|(at, word)| *at != 1 || word != "shmem-ptx");
    let arguments: Arguments = match cushmem_command_line::try_parse_from(arguments.map(|(_, word)| word)) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match ptx(&arguments.options) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::LeftOut(reason)) => {
            eprintln!("cargo shmem-ptx: nothing was compiled: {}", printable_lines(&reason));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("cargo shmem-ptx: {}", printable_lines(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

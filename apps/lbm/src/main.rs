//! lbm: two fluids by a lattice-Boltzmann method, on a grid shared by the PEs of a job. `lbm --help` explains its use.
//!
//! | module | subject |
//! |---|---|
//! | `args` | the command line |
//! | `problem` | what is computed: the model, the drop at the start |
//! | `decomposition` | which PE updates which cells |
//! | `plan` | messages in pieces, cells in boxes |
//! | `field` | the arrays in GPU memory, and the kernels for parts of a step |
//! | `element` | the kernels for each type of value |
//! | `solver` | what all modes have in common |
//! | `host_mode` | the CPU exchanges messages; each mode argues, here or at its kernel, why nothing is overwritten too early |
//! | `reference`, `verify` | the serial reference, and the comparison with it |
//! | `words` | some words of each PE, for all |

#![allow(dead_code)] // until all modes are there

mod args;
mod decomposition;
mod element;
mod field;
mod host_mode;
mod plan;
mod problem;
mod program;
mod reference;
mod solver;
mod verify;
mod words;

use args::{Args, Refusal};
use clap::CommandFactory;
use std::process::ExitCode;
use std::time::Duration;

/// Exit status for a wrong command line.
const STATUS_WRONG_USE: i32 = 2;

fn main() -> ExitCode {
    if let Some(status) = cushmem_command_line::generate(Args::command) {
        return status;
    }
    match Args::parse_from_words(std::env::args_os()) {
        Ok(args) => cushmem::run(|shmem| program::run(shmem, &args)),
        Err(refusal) => answer(refusal),
    }
}

/// Prints help or a complaint once for all PEs. The job has not started, so each PE knows only its own number.
fn answer(refusal: Refusal) -> ExitCode {
    let speaks = std::env::var("CUSHMEM_PE").map_or(true, |pe| pe == "0");
    match refusal {
        Refusal::Help(text) => {
            if speaks {
                print!("{text}");
            }
            ExitCode::SUCCESS
        }
        Refusal::Wrong(line) => {
            if speaks {
                eprintln!("lbm: {line} (--help shows how)");
            } else {
                // The launcher ends the job when the first PE fails, so PE 0, which says why, must be the first.
                std::thread::sleep(Duration::from_secs(1));
            }
            ExitCode::from(STATUS_WRONG_USE as u8)
        }
    }
}

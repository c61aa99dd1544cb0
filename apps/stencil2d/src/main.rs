//! stencil2d: a nine-point stencil, shared by the PEs of a job.
//!
//! The program proves that the library works: kernels put halos into the peers' GPU memory, or the CPU does so between kernels, and the
//! result must agree with a serial reference to the last bit. `stencil2d --help` explains its use.
//!
//! | module | subject |
//! |---|---|
//! | `args` | the command line |
//! | `decomposition` | which PE updates which cells |
//! | `plan` | pieces of the rim and tiles, for kernels that exchange halos themselves |
//! | `field` | the buffers |
//! | `solver` | what all modes have in common |
//! | `host_mode`, `kernel_mode` | the ways to iterate; each argues, here or at its kernel, why no halo is overwritten too early |
//! | `reference`, `verify` | the serial reference, and the comparison with it |
//! | `sweep` | what the exchange takes, for several sizes and modes |
//! | `picture`, `report`, `progress` | what the user sees |

mod args;
mod cells;
mod decomposition;
mod field;
mod host_mode;
mod kernel_mode;
mod picture;
mod plan;
mod program;
mod progress;
mod reference;
mod report;
mod solver;
mod sweep;
mod verify;

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
                eprintln!("stencil2d: {line} (--help shows how)");
            } else {
                // The launcher ends the job when the first PE fails, so PE 0, which says why, must be the first.
                std::thread::sleep(Duration::from_secs(1));
            }
            ExitCode::from(STATUS_WRONG_USE as u8)
        }
    }
}

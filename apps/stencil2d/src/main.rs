//! stencil2d: a nine-point stencil, shared by the PEs of a job.
//!
//! The program proves the library: kernels put halos into the peers' GPU memory, or the CPU does between kernels, and the
//! result must agree with a serial reference to the last bit. `stencil2d --help` says how to use it.
//!
//! | module | subject |
//! |---|---|
//! | `args` | the command line |
//! | `decomposition` | which PE updates which cells |
//! | `plan` | pieces of the rim and tiles, for device mode |
//! | `field` | the buffers |
//! | `host_mode`, `device_mode` | the two ways to iterate; each argues why no halo is overwritten too early |
//! | `reference`, `verify` | the serial reference, and the comparison with it |
//! | `picture`, `report`, `progress` | what people see |

mod args;
mod cells;
mod decomposition;
mod device_mode;
mod field;
mod host_mode;
mod picture;
mod plan;
mod program;
mod progress;
mod reference;
mod report;
mod verify;

use args::{Args, Refusal};
use std::process::ExitCode;
use std::time::Duration;

/// Exit status of a program that was started in the wrong way.
const STATUS_WRONG_USE: i32 = 2;

fn main() -> ExitCode {
    match Args::parse_from_words(std::env::args_os()) {
        Ok(args) => cushmem::run(|shmem| program::run(shmem, &args)),
        Err(refusal) => answer(refusal),
    }
}

/// Help or a complaint, once for all PEs: the job has not started, so each knows only its own number.
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
                // The launcher ends the job with the first PE that fails; let that be the one that says why.
                std::thread::sleep(Duration::from_secs(1));
            }
            ExitCode::from(STATUS_WRONG_USE as u8)
        }
    }
}

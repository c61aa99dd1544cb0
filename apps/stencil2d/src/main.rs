//! stencil2d: a nine-point stencil, shared by the PEs of a job.
//!
//! The program proves that the library works: kernels put halos into the peers' GPU memory, or the CPU does so between
//! kernels, and the result must agree with a serial reference to the last bit. `stencil2d --help` explains its use.
//!
//! | module | subject |
//! |---|---|
//! | `args` | the command line |
//! | `decomposition` | which PE updates which cells |
//! | `plan` | pieces of the rim and tiles, for kernels that exchange halos themselves |
//! | `field` | the buffers |
//! | `solver` | what all modes have in common |
//! | `rim_first` | an iteration as two kernels that send nothing |
//! | `host_mode`, `stream_mode`, `kernel_mode` | the ways to iterate; each argues, here or at its kernel, why no halo is overwritten too early |
//! | `reference`, `verify` | the serial reference, and the comparison with it |
//! | `sweep` | what the exchange takes, for several sizes and modes |
//! | `picture`, `report` | what the user sees |

mod args;
mod cells;
mod decomposition;
mod field;
mod host_mode;
mod kernel_mode;
mod picture;
mod plan;
mod program;
mod reference;
mod report;
mod rim_first;
mod solver;
mod stream_mode;
mod sweep;
mod verify;

use args::Args;
use std::process::ExitCode;

/// Its name, before what it says.
const NAME: &str = "stencil2d";

fn main() -> ExitCode {
    cushmem_program::run(Args::parse_from_words, program::run)
}

//! stencil2d: a nine-point stencil on a grid distributed over the PEs of a job.
//!
//! The program tests the library: halos are put into the peers' GPU memory by kernels, or by streams or the CPU between
//! kernels, and the result must agree with a serial reference to the last bit. `stencil2d --help` explains how to use
//! it.
//!
//! | module | subject |
//! |---|---|
//! | `args` | the command line |
//! | `decomposition` | which PE updates which cells |
//! | `plan` | pieces of the rim, and tiles for the rest |
//! | `field` | the buffers |
//! | `solver` | what all modes have in common |
//! | `start` | the solver of a mode, and iterations from the start values |
//! | `rim_first` | an iteration as two kernels that send nothing |
//! | `host_mode`, `stream_mode`, `kernel_mode` | the modes; each explains, here or at its kernel, why no halo is overwritten too early |
//! | `reference`, `verify` | the serial reference, and the comparison with it |
//! | `sweep` | the cost of the exchange, for several sizes and modes |
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
mod start;
mod stream_mode;
mod sweep;
mod verify;

use args::Args;
use std::process::ExitCode;

/// The program's name, which precedes its messages.
const NAME: &str = "stencil2d";

fn main() -> ExitCode {
    cushmem_program::run(Args::parse_from_words, program::run)
}

//! lbm: two fluids by a lattice-Boltzmann method, on a grid shared by the PEs of a job. `lbm --help` explains its use.
//!
//! | module | subject |
//! |---|---|
//! | `args` | the command line |
//! | `problem`, `course` | what is computed: the model, the drop at the start, how many steps |
//! | `decomposition` | which PE updates which cells |
//! | `plan` | messages in pieces, cells in boxes |
//! | `field` | the arrays in GPU memory, and the kernels for parts of a step |
//! | `element` | the kernels for each type of value |
//! | `solver` | what all modes have in common |
//! | `host_mode`, `stream_mode`, `kernel_mode` | the CPU exchanges messages, or streams, or a kernel; each mode argues, here or at its kernel, why nothing is overwritten too early |
//! | `reference`, `verify` | the serial reference, and the comparison with it |
//! | `sum`, `sheets` | what PEs tell each other: sums that do not round, planes of the whole box |
//! | `cells`, `measure`, `check`, `physics` | what cells show, what follows for a drop, and what physics says about that |
//! | `state`, `checkpoint` | a run is saved and taken up again |
//! | `output`, `picture`, `vtk`, `report` | what the user sees |

mod args;
mod cells;
mod check;
mod checkpoint;
mod course;
mod decomposition;
mod element;
mod field;
mod host_mode;
mod kernel_mode;
mod measure;
mod output;
#[cfg(test)]
mod physics;
mod picture;
mod plan;
mod problem;
mod program;
mod reference;
mod report;
mod sheets;
mod solver;
mod state;
mod stream_mode;
mod sum;
mod verify;
mod vtk;

use args::Args;
use std::process::ExitCode;

/// Its name, before what it says.
const NAME: &str = "lbm";

fn main() -> ExitCode {
    cushmem_program::run(Args::parse_from_words, program::run)
}

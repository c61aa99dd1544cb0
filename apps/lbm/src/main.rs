//! lbm: simulates two fluids with a lattice-Boltzmann method, on a grid distributed over the PEs of a job. `lbm --help`
//! explains how to use it.
//!
//! | module | subject |
//! |---|---|
//! | `args` | the command line |
//! | `problem`, `course` | what is computed: the model, the drop at the start, how many steps |
//! | `decomposition` | which PE updates which cells |
//! | `plan` | messages divided into pieces, cells into boxes |
//! | `field` | the arrays in GPU memory, and the kernels for parts of a step |
//! | `element` | the kernels for each type of value |
//! | `solver` | what all modes have in common |
//! | `host_mode`, `stream_mode`, `kernel_mode` | messages exchanged by the CPU, by streams or by a kernel; each mode explains, here or at its kernel, why nothing is overwritten too early |
//! | `reference`, `verify` | the serial reference, and the comparison with it |
//! | `sum`, `sheets` | data that PEs combine: sums without rounding, planes of the whole box |
//! | `cells`, `measure`, `check`, `physics` | observed cells, measurements of a drop, and comparison with theory |
//! | `steps` | the start and the steps, for a run and for a comparison with theory |
//! | `state`, `checkpoint` | saving and resuming a run |
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
mod steps;
mod stream_mode;
mod sum;
mod verify;
mod vtk;

use std::process::ExitCode;

/// The program's name, which precedes its messages.
const NAME: &str = "lbm";

fn main() -> ExitCode {
    cushmem_program::run(program::parse, program::run)
}

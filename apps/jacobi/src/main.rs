//! jacobi: Laplace's equation on a square, solved by Jacobi iterations on a grid whose rows are shared by the PEs of a
//! job. The model of a solver in one kernel, beside the same solver driven by the CPU and by a stream.
//!
//! | module | subject |
//! |---|---|
//! | [`jacobi_kernels`] | the solver in one kernel, and an iteration for the other modes |
//! | `solver` | the memory, and the loop of each mode |
//! | `problem` | which PE updates which rows, the start values, the serial reference |
//! | `args`, `program`, `report`, `picture` | the command line, a run, and what the user sees |

mod args;
mod picture;
mod problem;
mod program;
mod report;
mod solver;

use std::process::ExitCode;

/// The program's name, which precedes its messages.
const NAME: &str = "jacobi";

fn main() -> ExitCode {
    cushmem_program::run(cushmem_program::parse, program::run)
}

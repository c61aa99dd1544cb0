//! What a run and a sweep have in common: the solver of a mode, and iterations from the start values.

use crate::cells::Cell;
use crate::field::{Job, Times};
use crate::host_mode::HostMode;
use crate::kernel_mode::KernelMode;
use crate::solver::Solver;
use crate::stream_mode::StreamMode;
use anyhow::Result;
use cushmem_program::{Mode, Way};
use std::time::Duration;

/// A solver for a mode. Collective.
pub fn new_solver<'a, T: Cell>(job: Job<'a>, mode: Mode, limit: Duration) -> Result<Box<dyn Solver<'a, T> + 'a>> {
    Ok(match mode.way() {
        Way::Host { is_staged } => Box::new(HostMode::new(job, is_staged)?),
        Way::Stream => Box::new(StreamMode::new(job)?),
        Way::Kernel(how) => Box::new(KernelMode::new(job, how, limit)?),
    })
}

/// Runs from the start values. Collective.
pub fn iterate<'a, T: Cell>(solver: &mut dyn Solver<'a, T>, iterations: u32, exchange: bool) -> Result<Times> {
    let shmem = solver.field().job.shmem;
    solver.field().fill()?;
    let times = solver.run(iterations, exchange)?;
    // No PE fills its field while a neighbour may still store into its halo.
    shmem.barrier_all()?;
    Ok(times)
}

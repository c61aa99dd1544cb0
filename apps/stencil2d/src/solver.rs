//! What all modes have in common: the interface for iterating.

use crate::cells::Cell;
use crate::field::{Field, Job, Times};
use crate::host_mode::HostMode;
use crate::kernel_mode::KernelMode;
use crate::stream_mode::StreamMode;
use anyhow::Result;
use cushmem_program::{Mode, Way};
use std::time::Duration;

/// Approximate number of progress reports in a run.
const REPORTS: u32 = 200;

/// The number of iterations from one report to the next.
pub fn report_every(iterations: u32) -> u32 {
    (iterations / REPORTS).max(1)
}

/// Iterates over the field, in one of the modes.
pub trait Solver<'a, T> {
    /// The field.
    fn field(&self) -> &Field<'a, T>;
    /// Runs `iterations` on a field that has just been filled. Without `exchange` it does the same work, but sends
    /// nothing and waits for nobody. That shows what the exchange costs; the result is wrong. Collective.
    fn run(&mut self, iterations: u32, exchange: bool) -> Result<Times>;
    /// The buffer that holds the result of `iterations`.
    fn result(&self, iterations: u32) -> u32;
    /// Frees the symmetric memory. Collective.
    fn free(self: Box<Self>) -> Result<()>;
}

/// A solver for a mode. Collective.
pub fn new<'a, T: Cell>(job: Job<'a>, mode: Mode, limit: Duration) -> Result<Box<dyn Solver<'a, T> + 'a>> {
    Ok(match mode.way() {
        Way::Host { is_staged } => Box::new(HostMode::new(job, is_staged)?),
        Way::Stream => Box::new(StreamMode::new(job)?),
        Way::Kernel(how) => Box::new(KernelMode::new(job, how, limit)?),
    })
}

//! The ways to iterate: what they have in common.

use crate::cells::Cell;
use crate::field::{Field, Job, Times};
use crate::host_mode::HostMode;
use crate::kernel_mode::KernelMode;
use crate::stream_mode::StreamMode;
use anyhow::Result;
use cushmem_program::{Mode, Way};
use std::time::Duration;

/// About how many times a run reports its progress.
const REPORTS: u32 = 200;

/// Iterations from one report to the next.
pub fn report_every(iterations: u32) -> u32 {
    (iterations / REPORTS).max(1)
}

/// Iterates over the field, in one of the modes.
pub trait Solver<'a, T> {
    /// The field.
    fn field(&self) -> &Field<'a, T>;
    /// Runs `iterations` from a field that has just been filled. Without `exchange` it computes the same, but sends
    /// nothing and waits for nobody, which shows what the exchange takes; the result is wrong then. Collective.
    fn run(&mut self, iterations: u32, exchange: bool) -> Result<Times>;
    /// Buffer that holds the result of `iterations`.
    fn result(&self, iterations: u32) -> u32;
    /// Gives the symmetric memory back. Collective.
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

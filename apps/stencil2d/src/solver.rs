//! The ways to iterate: what they have in common.

use crate::args::Mode;
use crate::cells::Cell;
use crate::field::{Field, Job, Times};
use crate::host_mode::HostMode;
use crate::kernel_mode::{How, KernelMode};
use crate::stream_mode::StreamMode;
use anyhow::Result;
use std::time::Duration;

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
    Ok(match mode {
        Mode::Staged => Box::new(HostMode::new(job, true)?),
        Mode::Auto | Mode::Host => Box::new(HostMode::new(job, false)?),
        Mode::Stream => Box::new(StreamMode::new(job)?),
        Mode::Device => Box::new(KernelMode::new(job, How::Device, limit)?),
        Mode::Fused => Box::new(KernelMode::new(job, How::Fused, limit)?),
        Mode::Triggered => Box::new(KernelMode::new(job, How::Triggered, limit)?),
    })
}

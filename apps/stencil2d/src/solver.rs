//! What all modes have in common: the interface for iterating.

use crate::field::{Field, Times};
use anyhow::Result;

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

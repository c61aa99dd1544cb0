//! What all modes have in common: the interface for making steps.

use crate::element::Element;
use crate::field::Field;
use anyhow::Result;
use lbm_kernels::cell::Params;
use std::time::Duration;

/// Makes steps, in one of the modes.
pub trait Solver<'a, T: Element> {
    /// The field.
    fn field(&self) -> &Field<'a, T>;
    /// The field, to fill or restore it. [`Solver::begin`] must follow.
    fn field_mut(&mut self) -> &mut Field<'a, T>;
    /// Sends what the first step needs. Collective.
    fn begin(&mut self) -> Result<()>;
    /// Makes steps. Without `exchange` it does the same work, but sends nothing and waits for nobody. That shows what
    /// the exchange costs; the result is wrong, and [`Solver::begin`] must follow. Collective.
    fn run(&mut self, params: &Params<T>, steps: u64, exchange: bool) -> Result<Duration>;
    /// Frees the symmetric memory. Collective.
    fn free(self: Box<Self>) -> Result<()>;
}

//! The ways to make steps: what they have in common.

use crate::element::Element;
use crate::field::Field;
use anyhow::Result;
use lbm_kernels::cell::Params;
use std::time::Duration;

/// Makes steps, in one of the modes.
pub trait Solver<'a, T: Element> {
    /// The field.
    fn field(&self) -> &Field<'a, T>;
    /// The field, to fill or restore it; then [`Solver::begin`] follows.
    fn field_mut(&mut self) -> &mut Field<'a, T>;
    /// Sends what the first step needs. Collective.
    fn begin(&mut self) -> Result<()>;
    /// Makes steps. Without `exchange` it computes the same, but sends nothing and waits for nobody, which
    /// shows what the exchange takes; the result is wrong then, and [`Solver::begin`] has to follow. Collective.
    fn run(&mut self, params: &Params<T>, steps: u64, exchange: bool) -> Result<Duration>;
    /// Gives the symmetric memory back. Collective.
    fn free(self: Box<Self>) -> Result<()>;
}

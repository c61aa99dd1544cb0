//! What a run and a comparison with theory have in common: the division of the box, the start and the steps.

use crate::NAME;
use crate::args::Args;
use crate::course::Course;
use crate::decomposition::Decomposition;
use crate::element::Element;
use crate::field::{Field, Job};
use crate::host_mode::HostMode;
use crate::kernel_mode::KernelMode;
use crate::solver::Solver;
use crate::stream_mode::StreamMode;
use crate::sum::{Everybody, Sum};
use anyhow::{Result, bail};
use cushmem::Shmem;
use cushmem_program::{Mode, Way, is_emulated, refuse};
use lbm_kernels::cell::{MOST_EXCESS, MOST_PHI, Params};
use lbm_kernels::layout::arrays;
use std::time::Duration;

/// The most cell updates, and the most steps, between checks that all cells are sound, on a GPU and on the emulated
/// GPU. The progress line moves as often.
const LOOK_EVERY: (u64, u64) = (1 << 32, 500);
const LOOK_EVERY_EMULATED: (u64, u64) = (1 << 20, 500);

/// Decides which PE has which cells, for values of `bytes` bytes.
pub fn decompose(shmem: &Shmem, args: &Args, size: [u32; 3], bytes: usize) -> Result<Decomposition> {
    let grid = match args.pe_grid {
        Some(pes) if pes.iter().map(|&n| u64::from(n)).product::<u64>() != u64::from(shmem.n_pes()) => {
            let [x, y, z] = pes;
            Err(format!("--pe-grid {x}x{y}x{z} does not fit the job: it has {} PEs", shmem.n_pes()))
        }
        Some(pes) => Decomposition::with_pe_grid(size, pes),
        None => Decomposition::choose(size, shmem.n_pes()),
    };
    let too_large = |grid: &Decomposition| {
        let [x, y, z] = grid.largest();
        format!("{x} × {y} × {z} cells are too many for a PE in all or on one side: use more PEs or another --pe-grid")
    };
    let grid = grid.and_then(|grid| if grid.fits(bytes) { Ok(grid) } else { Err(too_large(&grid)) });
    grid.or_else(|why| refuse(shmem, NAME, &why))
}

/// A solver for a mode. Collective.
pub fn new_solver<'a, T: Element>(job: Job<'a>, mode: Mode, args: &Args) -> Result<Box<dyn Solver<'a, T> + 'a>> {
    Ok(match mode.way() {
        Way::Host { is_staged } => Box::new(HostMode::new(job, is_staged)?),
        Way::Stream => Box::new(StreamMode::new(job)?),
        Way::Kernel(how) => Box::new(KernelMode::new(job, how, args.options.limit())?),
    })
}

/// Sets the start of a problem, and returns the mean of φ. Collective.
pub fn start<T: Element>(solver: &mut dyn Solver<'_, T>, course: &Course) -> Result<f64> {
    solver.field_mut().fill(&course.problem.model.params(0.0, 0.0))?;
    mean(solver.field())
}

/// The model before and after gravity acts.
pub fn phases<T: Element>(course: &Course) -> [Params<T>; 2] {
    let Course { problem, mean, .. } = *course;
    [problem.model.params(0.0, 0.0), problem.model.params(problem.gravity(), mean)]
}

/// Makes steps until `until`, and checks now and then that all cells are sound. Calls `after` after each check, and
/// whenever the number of steps is a multiple of `every`. Collective.
pub fn advance<T: Element>(
    solver: &mut dyn Solver<'_, T>,
    params: &Params<T>,
    until: u64,
    every: Option<u64>,
    after: &mut dyn FnMut(&Field<'_, T>) -> Result<()>,
) -> Result<Duration> {
    let Job { shmem, problem, grid, .. } = solver.field().job;
    let (updates, most) = if is_emulated(shmem) { LOOK_EVERY_EMULATED } else { LOOK_EVERY };
    let chunk = (updates * u64::from(grid.n_pes()) / problem.cells()).clamp(1, most);
    let mut time = Duration::ZERO;
    while solver.field().done() < until {
        let done = solver.field().done();
        let stop = every.map_or(until, |every| (done / every + 1) * every).min(done + chunk).min(until);
        time += solver.run(params, stop - done, true)?;
        if let Some((step, cell)) = solver.field().bad()? {
            let ([x, y, z], [density, phi]) = (cell, solver.field().values(cell)?);
            bail!(
                "step {step}: cell {x}, {y}, {z} is not sound: its density is not between {} and {}, or φ not between {} \
                 and {}; at the end of step {} they are {density} and {phi}",
                1.0 - MOST_EXCESS,
                1.0 + MOST_EXCESS,
                -MOST_PHI,
                MOST_PHI,
                solver.field().done(),
            );
        }
        after(solver.field())?;
    }
    Ok(time)
}

/// The mean of the order parameter over all cells, from the start values. Collective.
fn mean<T: Element>(field: &Field<'_, T>) -> Result<f64> {
    let values = field.read(arrays::PHI, 0..field.region.size[2])?;
    let mut sum = [rounded_sum(values.into_iter().map(Into::into))];
    Everybody::add(field.job.shmem, &mut sum)?;
    Ok(sum[0].value() / field.job.problem.cells() as f64)
}

/// The sum of values, each rounded to a multiple of 2⁻³⁰. The bits of a run's results depend on this rounding.
fn rounded_sum(values: impl Iterator<Item = f64>) -> Sum {
    const UNITS: f64 = (1 << 30) as f64;
    let mut sum = Sum::default();
    values.for_each(|value| sum.add((value * UNITS).round_ties_even() / UNITS));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches sums that overflow with many cells, and a mean whose bits differ from those of earlier versions.
    #[test]
    fn a_mean_has_room_and_keeps_its_bits() {
        assert_eq!(rounded_sum([2f64.powi(31); 8].into_iter()).value(), 2f64.powi(34));
        let units = [0.1, -0.7, 1.0 / 3.0].map(|value| (value * 2f64.powi(30)).round_ties_even() as i64);
        let sum = rounded_sum([0.1, -0.7, 1.0 / 3.0].into_iter());
        assert_eq!(sum.value(), units.into_iter().sum::<i64>() as f64 / 2f64.powi(30));
    }
}

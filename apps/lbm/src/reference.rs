//! The serial reference: the same cell functions on the CPU, for the whole box and without ghosts. Threads share its
//! planes, which does not change a bit.

use crate::problem::Problem;
use lbm_kernels::cell::{Params, Real};
use lbm_kernels::layout::{Shape, arrays};
use lbm_kernels::memory::Plain;
use lbm_kernels::sweep::{self, Cells};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

/// The whole box.
pub struct Reference<T> {
    /// The layout of its cells in an array.
    pub shape: Shape,
    memory: Vec<T>,
    done: u64,
    /// The first step with a cell that is not sound, and the cell's index.
    bad: Option<(u64, u32)>,
}

impl<T: Real> Reference<T> {
    /// The shape for a box of this size, unless the box is too large.
    pub fn shape(size: [u32; 3]) -> Option<Shape> {
        Shape::new(size, [false; 3], size_of::<T>())
    }

    /// The start of a problem.
    pub fn new(problem: &Problem, params: &Params<T>) -> Self {
        Self::from_phi(problem.size, params, |at| T::of(problem.start(at)))
    }

    /// A fluid at rest with this `φ`.
    pub fn from_phi(size: [u32; 3], params: &Params<T>, phi: impl Fn([u32; 3]) -> T) -> Self {
        #[expect(clippy::expect_used, reason = "callers pass only boxes that fit")]
        let shape = Self::shape(size).expect("the box fits");
        let memory = vec![T::NAN; arrays::COUNT as usize * shape.volume as usize];
        let mut new = Self { shape, memory, done: 0, bad: None };
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let at = new.index(arrays::PHI, [x, y, z]);
                    new.memory[at] = phi([x, y, z]);
                }
            }
        }
        // SAFETY: `start` reads `φ`, and writes the other arrays of its own cell only.
        new.sweep(params, 1, |cells, _, at| unsafe { sweep::start(cells, at) }, |_, _, _| true);
        new
    }

    /// The first step in which a cell was not sound, and this cell.
    #[cfg(test)]
    pub fn bad(&self) -> Option<(u64, [u32; 3])> {
        let [nx, ny, _] = self.shape.size;
        self.bad.map(|(step, cell)| (step, [cell % nx, cell / nx % ny, cell / nx / ny]))
    }

    /// Makes `steps` steps.
    pub fn run(&mut self, params: &Params<T>, steps: u64) {
        self.sweep(
            params,
            steps,
            |cells, k, at| {
                // SAFETY: the cells belong to the box, and threads synchronise before and after this half of a step.
                unsafe { sweep::order_parameter(cells, (k & 1) as u32, at) };
                true
            },
            // SAFETY: the cells belong to the box, and threads synchronise before and after this half of a step.
            |cells, k, at| unsafe { sweep::momentum(cells, (k & 1) as u32, at) },
        );
        self.done += steps;
    }

    /// A value of one of the [`arrays`].
    pub fn value(&self, array: u32, at: [u32; 3]) -> T {
        self.memory[self.index(array, at)]
    }

    /// Sets a value.
    #[cfg(test)]
    pub fn set(&mut self, array: u32, at: [u32; 3], value: T) {
        let index = self.index(array, at);
        self.memory[index] = value;
    }

    /// Observes a cell.
    #[cfg(test)]
    pub fn observe(&mut self, params: &Params<T>, at: [u32; 3]) -> lbm_kernels::cell::Observed {
        let cells = Cells {
            memory: Plain::new(self.memory.as_mut_ptr()),
            volume: self.shape.volume,
            shape: &self.shape,
            params,
        };
        // SAFETY: the cell belongs to the box, and nobody changes it.
        unsafe { sweep::observe(&cells, (self.done & 1) as u32, at) }
    }

    fn index(&self, array: u32, at: [u32; 3]) -> usize {
        array as usize * self.shape.volume as usize + self.shape.at(at) as usize
    }

    /// Calls both functions for all cells, `steps` times.
    fn sweep(
        &mut self,
        params: &Params<T>,
        steps: u64,
        first: impl Fn(&Cells<'_, T, Plain<T>>, u64, [u32; 3]) -> bool + Sync,
        second: impl Fn(&Cells<'_, T, Plain<T>>, u64, [u32; 3]) -> bool + Sync,
    ) {
        let (shape, done) = (self.shape, self.done);
        let memory = Plain::new(self.memory.as_mut_ptr());
        let [nx, ny, nz] = shape.size;
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(nz as usize) as u32;
        let meeting = Barrier::new(threads as usize);
        let bad = AtomicU64::new(u64::MAX);
        let work = |thread: u32| {
            let cells = Cells { memory, volume: shape.volume, shape: &shape, params };
            let planes = nz * thread / threads..nz * (thread + 1) / threads;
            for k in done..done + steps {
                for half in 0..2 {
                    for at in planes.clone().flat_map(|z| (0..ny).map(move |y| (y, z))) {
                        for x in 0..nx {
                            let at = [x, at.0, at.1];
                            let sound = if half == 0 { first(&cells, k, at) } else { second(&cells, k, at) };
                            if !sound {
                                let cell = (at[2] * ny + at[1]) * nx + x;
                                bad.fetch_min(k << 32 | u64::from(cell), Ordering::Relaxed);
                            }
                        }
                    }
                    meeting.wait();
                }
            }
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|thread| {
                scope.spawn(move || work(thread));
            });
            work(0);
        });
        let bad = bad.into_inner();
        if self.bad.is_none() && bad != u64::MAX {
            self.bad = Some((bad >> 32, bad as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Model;

    /// The parameters for which an independent program computed the expected values.
    const B: Model = Model { sigma: 0.001, mobility: 0.02, width: 4.0, tau_g: 1.0, tau_phi: 1.0 };

    fn drop(size: [u32; 3], radius: f64) -> Problem {
        Problem { size, model: B, radius, is_bubble: false, eotvos: 0.0, shift: 1.0 }
    }

    fn sum<T: Real>(reference: &Reference<T>, array: u32) -> f64 {
        let [nx, ny, nz] = reference.shape.size;
        let cells = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        cells.map(|at| reference.value(array, at).into()).sum()
    }

    /// The pressure jump times `R / (2 σ)`, where `R` is the radius of a sphere with the volume of `φ > 0`, smoothly
    /// counted.
    fn laplace<T: Real>(problem: &Problem, steps: u64) -> f64 {
        let params = problem.model.params::<T>(0.0, 0.0);
        let mut reference = Reference::new(problem, &params);
        reference.run(&params, steps);
        assert_eq!(reference.bad(), None);
        let (centre, width) = (problem.centre(), problem.model.width);
        let (mut inside, mut outside, mut shown) = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), vec![]);
        let [nx, ny, nz] = problem.size;
        for at in (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z]))) {
            let o = reference.observe(&params, at);
            let r = (0..3).map(|d| (f64::from(at[d]) + 0.5 - centre[d]).powi(2)).sum::<f64>().sqrt();
            let add = |(n, phi, p): (f64, f64, f64)| (n + 1.0, phi + o.phi, p + o.pressure);
            if r < problem.radius - width {
                inside = add(inside);
            } else if r > problem.radius + width {
                outside = add(outside);
            }
            shown.push(o.phi);
        }
        let mean = |(n, phi, p): (f64, f64, f64)| (phi / n, p / n);
        let ((phi_in, p_in), (phi_out, p_out)) = (mean(inside), mean(outside));
        let volume: f64 = shown.iter().map(|phi| (phi - phi_out) / (phi_in - phi_out)).sum();
        let pi = std::f64::consts::PI;
        let mut radius = problem.radius;
        for _ in 0..50 {
            radius = (volume * 3.0 / (4.0 * pi) - pi * pi * width * width * radius / 16.0).cbrt();
        }
        (p_in - p_out) * radius / (2.0 * problem.model.sigma)
    }

    /// Catches a wrong model: the expected value comes from an independent program.
    #[test]
    fn a_small_drop_has_the_pressure_of_its_surface_tension() {
        let ratio = laplace::<f64>(&drop([32; 3], 8.0), 400);
        assert!((ratio - 0.983).abs() < 0.01, "{ratio}");
        let single = laplace::<f32>(&drop([32; 3], 8.0), 400);
        assert!((single - ratio).abs() < 0.003, "{single} in f32, {ratio} in f64");
    }

    /// Catches a scheme that creates or loses mass.
    #[test]
    fn mass_is_conserved_to_rounding() {
        let problem = Problem { eotvos: 1.0, ..drop([16, 20, 24], 5.0) };
        let params = problem.model.params::<f64>(problem.gravity(), -0.7);
        let mut reference = Reference::new(&problem, &params);
        let phi = sum(&reference, arrays::PHI);
        reference.run(&params, 100);
        assert!((sum(&reference, arrays::PHI) - phi).abs() < 1e-11 * phi.abs());
        let excess: f64 = (0..19).map(|i| sum(&reference, arrays::G[0] + i)).sum();
        assert!(excess.abs() < 1e-10, "{excess}");
    }

    /// Catches relaxation of `f` by a rounded constant, which in f32 creates or loses about 1e-8 of φ in each step, and
    /// collisions of `g` that create mass.
    #[test]
    fn mass_drifts_no_more_in_f32_than_sums_are_rounded() {
        for tau in [0.7, 0.85, 1.0, 1.3] {
            let mut problem = Problem { eotvos: 1.0, ..drop([16, 20, 24], 5.0) };
            (problem.model.tau_g, problem.model.tau_phi) = (tau, tau);
            let params = problem.model.params::<f32>(problem.gravity(), -0.7);
            let mut reference = Reference::new(&problem, &params);
            let (steps, cells) = (200, problem.cells() as f64);
            let sums =
                |r: &Reference<f32>| [sum(r, arrays::PHI), (0..19).map(|i| sum(r, arrays::G[0] + i)).sum::<f64>()];
            let before = sums(&reference);
            reference.run(&params, steps);
            let after = sums(&reference);
            let [of_phi, of_mass] = [0, 1].map(|i| ((after[i] - before[i]) / cells / steps as f64).abs());
            assert!(of_phi < 4e-10 && of_mass < 4e-11, "τ = {tau}: φ {of_phi:.1e}, mass {of_mass:.1e} a step");
        }
    }

    /// Catches bad values that go unnoticed, and a report that names too late a step.
    #[test]
    fn the_first_cell_that_is_not_sound_is_named() {
        let problem = drop([8, 9, 10], 3.0);
        let params = problem.model.params::<f32>(0.0, 0.0);
        let mut reference = Reference::new(&problem, &params);
        reference.run(&params, 3);
        reference.set(arrays::G[1] + 1, [4, 5, 6], f32::NAN);
        reference.run(&params, 4);
        assert_eq!(reference.bad(), Some((3, [5, 5, 6])));
    }
}

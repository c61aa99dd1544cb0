//! Measures a drop or a bubble: its position, size, roundness and speed, and the pressure inside and outside.
//!
//! All sums are those of [`crate::sum`], so that the figures are the same, to the last bit, for every decomposition.
//!
//! * *Inside* is where φ has the drop's sign.
//! * A cell x reaches from x to x + 1, so its middle is at x + ½.
//! * The *centre* is the phase of the first Fourier mode of φ in each direction, which does not depend on where the
//!   periodic box is cut.
//! * The *radius* is where φ = 0, computed from the volume ∫(φ−φ_out)/(φ_in−φ_out) = (4π/3)(R³ + π²W²R/16). The second
//!   term is the excess of the profile tanh(2x/W) outside over its deficit inside. φ_in and φ_out are means at r < R₀−W
//!   and r > R₀+W, where R₀ follows from the number of cells inside. The pressures are means over the same cells.
//! * *Roundness* is the ratio of the smallest to the largest of three radii, 1 for a sphere. They are the radii of the
//!   ellipsoid with the same second moments of φ inside.

use crate::cells::Cells;
use crate::problem::Problem;
use crate::sum::{Everybody, Sum};
use anyhow::Result;
use lbm_kernels::cell::Observed;
use serde::Serialize;
use std::f64::consts::{PI, TAU};

/// What is known about the drop before it is measured.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Cells of the whole grid.
    pub extent: [u32; 3],
    /// 1 for a drop, which has φ > 0 inside, −1 for a bubble.
    pub sign: f64,
    /// Width W of the interface.
    pub width: f64,
    /// Surface tension σ.
    pub tension: f64,
}

impl Body {
    /// The drop or bubble of a problem.
    pub fn of(problem: &Problem) -> Self {
        let Problem { size: extent, model, is_bubble, .. } = *problem;
        Self { extent, sign: if is_bubble { -1.0 } else { 1.0 }, width: model.width, tension: model.sigma }
    }
}

/// Measured figures of a drop or bubble, in lattice units with n = φ* = 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// Σφ over all cells.
    pub phi_sum: f64,
    pub radius: f64,
    pub roundness: f64,
    pub centre: [f64; 3],
    /// Mean velocity inside.
    pub velocity: [f64; 3],
    pub pressure_inside: f64,
    pub pressure_outside: f64,
    /// (p_in − p_out)·R/(2σ): 1 by Laplace's law.
    pub laplace: f64,
    /// Largest speed of a cell.
    pub speed: f64,
}

/// Calls its argument with boxes that cover this PE's cells.
pub type Visit<'a> = dyn FnMut(&mut dyn FnMut(&Cells)) -> Result<()> + 'a;

/// The figures, or why there are none, which is the same on all PEs.
pub type Figures = Result<Measures, String>;

/// Measures the drop or bubble. Visits all cells twice. Collective.
pub fn measure(body: &Body, visit: &mut Visit<'_>, everybody: &dyn Everybody) -> Result<Figures> {
    let mut first = First::new(body);
    visit(&mut |cells| first.look(cells))?;
    everybody.add(&mut first.sums)?;
    let mut speed = [first.speed];
    everybody.largest(&mut speed)?;
    let found = match first.found() {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    let mut second = Second::new(body, found);
    visit(&mut |cells| second.look(cells))?;
    everybody.add(&mut second.sums)?;
    Ok(second.measures(speed[0]))
}

/// Indices of the sums of the first pass.
mod one {
    pub const PHI: usize = 0;
    pub const INSIDE: usize = 1;
    pub const VELOCITY: usize = 2;
    pub const COSINE: usize = 5;
    pub const SINE: usize = 8;
    pub const COUNT: usize = 11;
}

/// The first pass: roughly where the drop is and how large.
struct First<'a> {
    body: &'a Body,
    sums: [Sum; one::COUNT],
    speed: f64,
    /// Cosine and sine of 2πx/N at the middle of each cell in each direction.
    waves: [Vec<(f64, f64)>; 3],
}

/// What the first pass found.
#[derive(Clone, Copy, Debug)]
struct Found {
    phi_sum: f64,
    /// From the number of cells inside.
    radius: f64,
    centre: [f64; 3],
    velocity: [f64; 3],
}

impl<'a> First<'a> {
    fn new(body: &'a Body) -> Self {
        let wave = |n: u32| {
            let angles = (0..n).map(|x| TAU * middle(x) / f64::from(n));
            angles.map(|angle| (angle.cos(), angle.sin())).collect()
        };
        Self { body, sums: Default::default(), speed: 0.0, waves: body.extent.map(wave) }
    }

    fn look(&mut self, cells: &Cells) {
        for (place, shown) in cells.places() {
            let Observed { phi, velocity, .. } = *shown;
            self.sums[one::PHI].add(phi);
            for (d, x) in place.into_iter().enumerate() {
                let (cosine, sine) = self.waves[d][x as usize];
                self.sums[one::COSINE + d].add(phi * cosine);
                self.sums[one::SINE + d].add(phi * sine);
            }
            if self.body.sign * phi > 0.0 {
                self.sums[one::INSIDE].add(1.0);
                for (d, u) in velocity.into_iter().enumerate() {
                    self.sums[one::VELOCITY + d].add(u);
                }
            }
            self.speed = self.speed.max(velocity.iter().map(|u| u * u).sum::<f64>().sqrt());
        }
    }

    fn found(&self) -> Result<Found, String> {
        let sum = |i: usize| self.sums[i].value();
        let inside = sum(one::INSIDE);
        let all = self.body.extent.iter().map(|n| f64::from(*n)).product::<f64>();
        if sum(one::PHI).is_nan() {
            return Err("some cells are not finite".into());
        }
        if inside == 0.0 || inside == all {
            return Err(format!("there is no {} left", if self.body.sign > 0.0 { "drop" } else { "bubble" }));
        }
        let centre = |d: usize| {
            let angle = (self.body.sign * sum(one::SINE + d)).atan2(self.body.sign * sum(one::COSINE + d));
            let n = f64::from(self.body.extent[d]);
            (angle / TAU * n).rem_euclid(n)
        };
        Ok(Found {
            phi_sum: sum(one::PHI),
            radius: (3.0 * inside / (4.0 * PI)).cbrt(),
            centre: std::array::from_fn(centre),
            velocity: std::array::from_fn(|d| sum(one::VELOCITY + d) / inside),
        })
    }
}

/// Indices of the sums of the second pass.
mod two {
    pub const INSIDE: usize = 0;
    pub const PHI_INSIDE: usize = 1;
    pub const PRESSURE_INSIDE: usize = 2;
    pub const OUTSIDE: usize = 3;
    pub const PHI_OUTSIDE: usize = 4;
    pub const PRESSURE_OUTSIDE: usize = 5;
    pub const WEIGHT: usize = 6;
    /// xx, yy, zz, xy, xz, yz.
    pub const MOMENT: usize = 7;
    pub const COUNT: usize = 13;
}

/// The second pass, relative to the centre.
struct Second<'a> {
    body: &'a Body,
    found: Found,
    sums: [Sum; two::COUNT],
}

impl<'a> Second<'a> {
    fn new(body: &'a Body, found: Found) -> Self {
        Self { body, found, sums: Default::default() }
    }

    fn look(&mut self, cells: &Cells) {
        let (Body { width, sign, extent, .. }, Found { radius, centre, .. }) = (*self.body, self.found);
        for (place, shown) in cells.places() {
            let from_centre = |d: usize| nearest(middle(place[d]) - centre[d], extent[d]);
            let [x, y, z] = std::array::from_fn(from_centre);
            let r = (x * x + y * y + z * z).sqrt();
            let Observed { phi, pressure, .. } = *shown;
            let mut add = |index: usize, value: f64| self.sums[index].add(value);
            if r < radius - width {
                add(two::INSIDE, 1.0);
                add(two::PHI_INSIDE, phi);
                add(two::PRESSURE_INSIDE, pressure);
            } else if r > radius + width {
                add(two::OUTSIDE, 1.0);
                add(two::PHI_OUTSIDE, phi);
                add(two::PRESSURE_OUTSIDE, pressure);
            }
            let weight = sign * phi;
            if weight > 0.0 {
                add(two::WEIGHT, weight);
                for (i, moment) in [x * x, y * y, z * z, x * y, x * z, y * z].into_iter().enumerate() {
                    add(two::MOMENT + i, weight * moment);
                }
            }
        }
    }

    fn measures(&self, speed: f64) -> Figures {
        let (Body { extent, width, tension, .. }, found) = (*self.body, self.found);
        let sum = |i: usize| self.sums[i].value();
        if sum(two::INSIDE) == 0.0 || sum(two::OUTSIDE) == 0.0 {
            let radius = found.radius;
            let why =
                format!("a radius of {radius:.1} cells and an interface of {width} leave no cell inside or outside");
            return Err(why);
        }
        let [phi_in, pressure_inside] = [two::PHI_INSIDE, two::PRESSURE_INSIDE].map(|i| sum(i) / sum(two::INSIDE));
        let [phi_out, pressure_outside] = [two::PHI_OUTSIDE, two::PRESSURE_OUTSIDE].map(|i| sum(i) / sum(two::OUTSIDE));
        let all = extent.iter().map(|n| f64::from(*n)).product::<f64>();
        let radius = radius((found.phi_sum - all * phi_out) / (phi_in - phi_out), width);
        let moments = std::array::from_fn(|i| sum(two::MOMENT + i) / sum(two::WEIGHT));
        let [least, .., most] = eigenvalues(moments);
        Ok(Measures {
            phi_sum: found.phi_sum,
            radius,
            roundness: (least / most).sqrt(),
            centre: found.centre,
            velocity: found.velocity,
            pressure_inside,
            pressure_outside,
            laplace: (pressure_inside - pressure_outside) * radius / (2.0 * tension),
            speed,
        })
    }
}

/// The middle of a cell.
fn middle(x: u32) -> f64 {
    f64::from(x) + 0.5
}

/// A distance in a periodic row of `n` cells, taken the shortest way round.
fn nearest(distance: f64, n: u32) -> f64 {
    let n = f64::from(n);
    distance - n * (distance / n).round()
}

/// The radius at which φ = 0, for a drop of this volume.
fn radius(volume: f64, width: f64) -> f64 {
    let (wanted, slope) = (volume * 3.0 / (4.0 * PI), PI * PI * width * width / 16.0);
    let mut r = wanted.max(0.0).cbrt();
    // Newton's method on a convex function, from above: it converges in a few steps.
    for _ in 0..50 {
        r -= (r * r * r + slope * r - wanted) / (3.0 * r * r + slope);
    }
    r
}

/// Eigenvalues of a symmetric matrix [xx, yy, zz, xy, xz, yz], ascending, by the trigonometric solution of the cubic.
fn eigenvalues([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> [f64; 3] {
    let mean = (xx + yy + zz) / 3.0;
    let [a, b, c] = [xx - mean, yy - mean, zz - mean];
    let spread = ((a * a + b * b + c * c + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0).sqrt();
    if spread <= mean.abs() * f64::EPSILON {
        return [mean; 3];
    }
    let determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
    let angle = (determinant / (2.0 * spread.powi(3))).clamp(-1.0, 1.0).acos() / 3.0;
    let most = mean + 2.0 * spread * angle.cos();
    let least = mean + 2.0 * spread * (angle + TAU / 3.0).cos();
    [least, 3.0 * mean - least - most, most]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sum::Alone;

    const BODY: Body = Body { extent: [40, 36, 44], sign: 1.0, width: 4.0, tension: 0.01 };

    /// A drop with the equilibrium profile, cut into boxes.
    fn boxes(body: &Body, centre: [f64; 3], radii: [f64; 3], pieces: [u32; 3]) -> Vec<Cells> {
        let size: [u32; 3] = std::array::from_fn(|d| body.extent[d] / pieces[d]);
        let numbers = (0..pieces.iter().product::<u32>())
            .map(|i| [i % pieces[0], i / pieces[0] % pieces[1], i / pieces[0] / pieces[1]]);
        let cell = |place: [u32; 3]| {
            let from = |d: usize| nearest(middle(place[d]) - centre[d], body.extent[d]);
            let r = (0..3).map(|d| from(d) * from(d)).sum::<f64>().sqrt();
            // Where the ray from the centre crosses the ellipsoid.
            let surface = r / (0..3).map(|d| (from(d) / radii[d]).powi(2)).sum::<f64>().sqrt().max(1e-12);
            let phi = body.sign * (2.0 * (surface - r) / body.width).tanh();
            let pressure = if r < surface { 2.0 * body.tension / radii[0] } else { 0.0 };
            Observed { phi, pressure, velocity: [0.0, 0.0, 1e-3 * body.sign * phi] }
        };
        numbers.map(|number| Cells::of(std::array::from_fn(|d| number[d] * size[d]), size, cell)).collect()
    }

    fn measured(body: &Body, boxes: &[Cells]) -> Measures {
        let mut visit = |look: &mut dyn FnMut(&Cells)| {
            boxes.iter().for_each(look);
            Ok(())
        };
        measure(body, &mut visit, &Alone).expect("sums").expect("a drop")
    }

    #[test]
    fn a_drop_is_found_wherever_it_is() {
        for (sign, centre) in [(1.0, [20.0, 17.5, 21.3]), (-1.0, [1.0, 35.5, 43.9])] {
            let body = Body { sign, ..BODY };
            let m = measured(&body, &boxes(&body, centre, [10.0; 3], [1; 3]));
            assert!((m.radius - 10.0).abs() < 0.03, "{m:?}");
            assert!((m.roundness - 1.0).abs() < 0.003, "{m:?}");
            for (d, n) in body.extent.into_iter().enumerate() {
                assert!(nearest(m.centre[d] - centre[d], n).abs() < 0.01, "{m:?}");
            }
            assert!((m.laplace - 1.0).abs() < 0.003, "{m:?}");
            assert!(m.velocity[2] > 5e-4 && m.velocity[0] == 0.0 && (m.speed - 1e-3).abs() < 1e-8, "{m:?}");
        }
    }

    #[test]
    fn a_long_drop_is_not_round() {
        let m = measured(&BODY, &boxes(&BODY, [20.0, 18.0, 22.0], [9.0, 9.0, 11.0], [1; 3]));
        assert!((m.roundness - 9.0 / 11.0).abs() < 0.02, "{m:?}");
    }

    #[test]
    fn every_decomposition_gives_the_same_bits() {
        let body = Body { extent: [24, 24, 24], ..BODY };
        let [whole, cut] = [[1, 1, 1], [2, 3, 4]].map(|pieces| boxes(&body, [11.0, 12.5, 3.0], [7.0; 3], pieces));
        let whole = measured(&body, &whole);
        assert_eq!(whole, measured(&body, &cut));
        let backwards: Vec<Cells> = cut.into_iter().rev().collect();
        assert_eq!(whole, measured(&body, &backwards));
    }

    #[test]
    fn a_drop_that_is_gone_or_not_finite_is_reported() {
        let body = Body { extent: [24, 24, 24], ..BODY };
        let said = |phi: &dyn Fn([u32; 3]) -> f64| {
            let all = Cells::of([0; 3], body.extent, |at| Observed { phi: phi(at), pressure: 0.0, velocity: [0.0; 3] });
            let mut visit = |look: &mut dyn FnMut(&Cells)| {
                look(&all);
                Ok(())
            };
            measure(&body, &mut visit, &Alone).expect("sums").unwrap_err()
        };
        assert_eq!(said(&|at| if at == [3, 4, 5] { f64::NAN } else { 1.0 }), "some cells are not finite");
        assert_eq!(said(&|_| -1.0), "there is no drop left");
        let thin = said(&|at| if at[0] == 3 && at[1] < 3 { 1.0 } else { -1.0 });
        assert!(thin.contains("leave no cell inside"), "{thin}");
    }

    #[test]
    fn eigenvalues_of_a_rotated_matrix() {
        assert_eq!(eigenvalues([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]), [2.0; 3]);
        for (got, want) in eigenvalues([2.0, 2.0, 5.0, 1.0, 0.0, 0.0]).into_iter().zip([1.0, 3.0, 5.0]) {
            assert!((got - want).abs() < 1e-12);
        }
    }

    #[test]
    fn the_radius_solves_the_formula() {
        for r in [3.0f64, 8.0, 40.0] {
            let volume = 4.0 * PI / 3.0 * (r.powi(3) + PI * PI * 16.0 * r / 16.0);
            assert!((radius(volume, 4.0) - r).abs() < 1e-12 * r);
        }
    }
}

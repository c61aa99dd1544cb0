//! The arithmetic of a cell. Kernels and the reference call the same functions, so their results agree to the last bit:
//! each product, quotient and sum is rounded on its own, in the order written here.
//!
//! The model is that of Zheng, Shu and Chew (J. Comput. Phys. 218, 2006), in units in which the mean density `n` and
//! the order parameter `φ` of the phases are 1; the phases are `φ = ±1`. The energy of a cell is
//! `α (φ² − 1)² + ½ κ |∇φ|²`, so `μ = 4 α φ (φ² − 1) − κ ∇²φ`. Populations `f` carry the order parameter, and
//! populations `g` carry momentum:
//!
//! ```text
//!   φ = Σ f_i        1 + δ = Σ g_i        u = (Σ c_i g_i + F / 2) / (1 + δ)        F = μ ∇φ − gravity (φ − mean φ) e_z
//! ```
//!
//! For `g_i` the value `g_i − w_i` is stored, because in f32 the sums would otherwise lose the digits that matter.

use crate::lattice::{AT_REST, PAIRS, Q7, Q19, TO_EDGE, TO_FACE};
use core::ops::{Add, Div, Mul, Sub};
use cushmem_device::Word;

/// Type of a value.
pub trait Real:
    Word + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Into<f64> + Send + Sync
{
    /// Not a number: marks elements to which nothing has been stored.
    const NAN: Self;
    /// Name on the command line.
    const NAME: &'static str;
    /// The nearest value.
    fn of(value: f64) -> Self;
    /// The bits, zero-extended.
    fn bits(self) -> u64;
}

impl Real for f32 {
    const NAN: Self = f32::NAN;
    const NAME: &'static str = "f32";
    #[inline(always)]
    fn of(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Real for f64 {
    const NAN: Self = f64::NAN;
    const NAME: &'static str = "f64";
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// The model's numbers, as the arithmetic needs them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params<T> {
    /// `4 α`.
    pub bulk: T,
    /// `κ`.
    pub gradient: T,
    /// `½ Γ`.
    pub half_mobility: T,
    /// `q = 1 / (τ_φ + ½)`.
    pub q: T,
    /// `1 / τ_φ`.
    pub rate_f: T,
    /// `1 / (2 q)`.
    pub drift: T,
    /// `1 / τ_g`.
    pub rate_g: T,
    /// `1 − 1 / (2 τ_g)`.
    pub source: T,
    /// The acceleration that pulls the phase `φ > 0` down along z.
    pub gravity: T,
    /// Mean of `φ` at the start.
    pub mean: T,
}

/// What drives the populations `f`: their equilibrium in direction `c_i` is `a + c_i · b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive<T> {
    /// `½ Γ μ`.
    pub a: T,
    /// `φ u / (2 q)`.
    pub b: [T; 3],
}

/// Chemical potential and force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force<T> {
    /// `μ`.
    pub potential: T,
    /// `F`.
    pub force: [T; 3],
}

/// The sum of populations `f`.
#[inline(always)]
pub fn order_parameter<T: Real>(f: &[T; Q7]) -> T {
    ((f[0] + (f[1] + f[2])) + (f[3] + f[4])) + (f[5] + f[6])
}

/// The next population at rest of a cell with these populations and this `a`.
#[inline(always)]
pub fn at_rest<T: Real>(p: &Params<T>, f: &[T; Q7], a: T) -> T {
    let equilibrium = order_parameter(f) - T::of(6.0) * a;
    f[0] + (equilibrium - f[0]) * p.rate_f
}

/// The next value of a moving population: `own` belongs to the cell, `upstream` to the cell from which it comes, where
/// its equilibrium is `equilibrium`.
#[inline(always)]
pub fn moved<T: Real>(p: &Params<T>, own: T, upstream: T, equilibrium: T) -> T {
    (own - p.q * own) + (p.q * upstream + (equilibrium - upstream) * p.rate_f)
}

/// `c_i · v` summed over all directions: turns the differences `first − second` of all pairs into a vector, with faces
/// counted `face` times.
#[inline(always)]
fn along_axes<T: Real>(d: &[T; PAIRS], face: impl Fn(T) -> T) -> [T; 3] {
    [
        face(d[0]) + ((d[3] + d[4]) + (d[5] + d[6])),
        face(d[1]) + ((d[3] - d[4]) + (d[7] + d[8])),
        face(d[2]) + ((d[5] - d[6]) + (d[7] - d[8])),
    ]
}

/// `c · v` for the first direction of each pair.
#[inline(always)]
fn projections<T: Real>(v: [T; 3]) -> [T; PAIRS] {
    let [x, y, z] = v;
    [x, y, z, x + y, x - y, x + z, x - z, y + z, y - z]
}

/// The differences or sums of the pairs.
#[inline(always)]
fn of_pairs<T: Real>(v: &[T; Q19], of: impl Fn(T, T) -> T) -> [T; PAIRS] {
    [
        of(v[1], v[2]),
        of(v[3], v[4]),
        of(v[5], v[6]),
        of(v[7], v[8]),
        of(v[9], v[10]),
        of(v[11], v[12]),
        of(v[13], v[14]),
        of(v[15], v[16]),
        of(v[17], v[18]),
    ]
}

/// `∇²φ` and `∇φ` from `φ` of a cell (direction 0) and of its 18 neighbours.
#[inline(always)]
pub fn derivatives<T: Real>(phi: &[T; Q19]) -> (T, [T; 3]) {
    let two = T::of(2.0);
    let sums = of_pairs(phi, |first, second| first + second);
    let edges = ((sums[3] + sums[4]) + (sums[5] + sums[6])) + (sums[7] + sums[8]);
    let faces = (sums[0] + sums[1]) + sums[2];
    let laplacian = ((edges + two * faces) - T::of(24.0) * phi[0]) * T::of(1.0 / 6.0);
    let slope = along_axes(&of_pairs(phi, |first, second| first - second), |d| two * d);
    (laplacian, slope.map(|d| d * T::of(1.0 / 12.0)))
}

/// Potential and force from `φ` of a cell (direction 0) and of its 18 neighbours.
#[inline(always)]
pub fn force<T: Real>(p: &Params<T>, phi: &[T; Q19]) -> Force<T> {
    let own = phi[0];
    let (laplacian, slope) = derivatives(phi);
    let potential = p.bulk * (own * (own * own - T::of(1.0))) - p.gradient * laplacian;
    let [x, y, z] = slope.map(|d| potential * d);
    Force { potential, force: [x, y, z - p.gravity * (own - p.mean)] }
}

/// Populations `f` of a fluid at rest.
#[inline(always)]
pub fn resting_f<T: Real>(p: &Params<T>, phi: T, force: &Force<T>) -> [T; Q7] {
    let a = p.half_mobility * force.potential;
    [phi - T::of(6.0) * a, a, a, a, a, a, a]
}

/// Populations `g`, as stored, of a fluid at rest whose density is 1.
#[inline(always)]
pub fn resting_g<T: Real>(phi: T, force: &Force<T>) -> [T; Q19] {
    let pressure = phi * force.potential;
    let (face, edge) = (T::of(3.0 * TO_FACE) * pressure, T::of(3.0 * TO_EDGE) * pressure);
    let (f, e) = (face, edge);
    [T::of(-6.0 * AT_REST) * pressure, f, f, f, f, f, f, e, e, e, e, e, e, e, e, e, e, e, e]
}

/// Density minus 1, and velocity, of populations `g` that have arrived.
#[inline(always)]
pub fn flow<T: Real>(g: &[T; Q19], force: &Force<T>) -> (T, [T; 3]) {
    let sums = of_pairs(g, |first, second| first + second);
    let edges = ((sums[3] + sums[4]) + (sums[5] + sums[6])) + (sums[7] + sums[8]);
    let excess = (g[0] + ((sums[0] + sums[1]) + sums[2])) + edges;
    let momentum = along_axes(&of_pairs(g, |first, second| first - second), |d| d);
    let inverse = T::of(1.0) / (T::of(1.0) + excess);
    let ([mx, my, mz], [fx, fy, fz], half) = (momentum, force.force, T::of(0.5));
    (excess, [(mx + half * fx) * inverse, (my + half * fy) * inverse, (mz + half * fz) * inverse])
}

/// What can be observed of a cell, in the model's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// `φ`.
    pub phi: f64,
    /// The pressure normal to the interface, minus 1/3, which is that of a fluid at rest far from it.
    pub pressure: f64,
    /// The velocity.
    pub velocity: [f64; 3],
}

/// The observables of a cell after a step, from `φ` of the cell and its neighbours and from its populations `g`.
#[inline(always)]
pub fn observed<T: Real>(p: &Params<T>, phi: &[T; Q19], g: &[T; Q19]) -> Observed {
    let (laplacian, slope) = derivatives(phi);
    let ([dx, dy, dz], laplacian): ([f64; 3], f64) = (slope.map(Into::into), laplacian.into());
    let (bulk, gradient, own): (f64, f64, f64) = (p.bulk.into(), p.gradient.into(), phi[0].into());
    // A collision adds the other half of the force: what `flow` adds is subtracted here.
    let after = force(p, phi);
    let backward = Force { force: after.force.map(|f| T::of(0.0) - f), ..after };
    let (excess, velocity) = flow(g, &backward);
    let excess: f64 = excess.into();
    let square = own * own;
    let normal = bulk * 0.25 * (3.0 * square * square - 2.0 * square - 1.0)
        + gradient * (0.5 * (dx * dx + dy * dy + dz * dz) - own * laplacian);
    Observed { phi: own, pressure: normal + excess / 3.0, velocity: velocity.map(Into::into) }
}

/// The most by which a sound cell's density differs from 1.
pub const MOST_EXCESS: f64 = 0.5;
/// The largest `φ` of a sound cell, with either sign.
pub const MOST_PHI: f64 = 2.0;

/// Whether a cell's values are sound, so that the model can go on: no NaN, a density between a half and three halves,
/// `φ` near its range.
#[inline(always)]
pub fn is_sound<T: Real>(phi: T, excess: T) -> bool {
    excess > T::of(-MOST_EXCESS) && excess < T::of(MOST_EXCESS) && phi > T::of(-MOST_PHI) && phi < T::of(MOST_PHI)
}

/// Collides the populations `g` of a cell. Also returns what drives `f`, and whether the cell is sound.
#[inline(always)]
pub fn collide<T: Real>(p: &Params<T>, phi: T, force: &Force<T>, g: &[T; Q19]) -> ([T; Q19], Drive<T>, bool) {
    let (excess, u) = flow(g, force);
    let (one, three) = (T::of(1.0), T::of(3.0));
    let n = one + excess;
    let pressure = phi * force.potential;
    let [ux, uy, uz] = u;
    let [fx, fy, fz] = force.force;
    let kinetic = T::of(1.5) * (n * ((ux * ux + uy * uy) + uz * uz));
    let work = p.source * (three * ((ux * fx + uy * fy) + uz * fz));
    // `v + (equilibrium - v) rate` is `(1 - rate) v + rate equilibrium`. The difference is exact for rates from ½ to 2.
    let keep = one - p.rate_g;
    // Relaxation and source of two opposite directions have an even part, which is the same for both, and an odd part,
    // which changes sign. These are the parts for the directions to edges; for those to faces the weight is twice as
    // large.
    let (drag, push) = (T::of(3.0 * TO_EDGE) * (p.rate_g * n), T::of(3.0 * TO_EDGE) * p.source);
    let [px, py, pz] = force.force.map(|f| push * f);
    let [ox, oy, oz] = [drag * ux + px, drag * uy + py, drag * uz + pz];
    let slope = |odd: T, pushed: T| T::of(1.5) * (odd + pushed);
    let base = T::of(TO_EDGE) * (p.rate_g * ((excess + three * pressure) - kinetic) - work);
    let slopes = projections([slope(ox, px), slope(oy, py), slope(oz, pz)]);
    let (cu, odd) = (projections(u), projections([ox, oy, oz]));
    let pair = |pair: usize, even: T, odd: T| {
        let (first, second) = (keep * g[2 * pair + 1], keep * g[2 * pair + 2]);
        (first + (even + odd), second + (even - odd))
    };
    let edge = |i: usize| pair(i, base + cu[i] * slopes[i], odd[i]);
    let face = |i: usize| {
        let even = base + cu[i] * slopes[i];
        pair(i, even + even, odd[i] + odd[i])
    };
    let ((g1, g2), (g3, g4), (g5, g6)) = (face(0), face(1), face(2));
    let ((g7, g8), (g9, g10), (g11, g12)) = (edge(3), edge(4), edge(5));
    let ((g13, g14), (g15, g16), (g17, g18)) = (edge(6), edge(7), edge(8));
    let rest = (excess - T::of(6.0) * pressure) - kinetic;
    let g0 = keep * g[0] + T::of(AT_REST) * (p.rate_g * rest - work);
    let drift = phi * p.drift;
    let drive = Drive { a: p.half_mobility * force.potential, b: [drift * ux, drift * uy, drift * uz] };
    let next = [g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18];
    (next, drive, is_sound(phi, excess))
}

#[cfg(not(target_arch = "nvptx64"))]
// SAFETY: `repr(C)`, numbers only.
unsafe impl<T: Real> cushmem_device::KernelArg for Params<T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::DIRECTIONS;

    fn params() -> Params<f64> {
        let (q, tau_f, tau_g) = (1.0 / 1.2, 0.7, 0.85);
        Params {
            bulk: 0.03,
            gradient: 0.015,
            half_mobility: 0.25,
            q,
            rate_f: 1.0 / tau_f,
            drift: 0.5 / q,
            rate_g: 1.0 / tau_g,
            source: 1.0 - 0.5 / tau_g,
            gravity: 1e-3,
            mean: 0.1,
        }
    }

    fn c(i: usize) -> [f64; 3] {
        DIRECTIONS[i].map(f64::from)
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-14, "{a} instead of {b}");
    }

    /// Catches a wrong sign or weight in the stencils: they are exact for these polynomials.
    #[test]
    fn force_follows_from_laplacian_and_gradient() {
        let p = params();
        let at =
            |[x, y, z]: [f64; 3]| 0.3 + 0.01 * x - 0.02 * y + 0.03 * z + 0.004 * x * x + 0.006 * y * z - 0.002 * z * z;
        let phi = std::array::from_fn(|i| at(c(i)));
        let f = force(&p, &phi);
        let mu = p.bulk * 0.3 * (0.09 - 1.0) - p.gradient * (0.008 - 0.004);
        near(f.potential, mu);
        near(f.force[0], mu * 0.01);
        near(f.force[1], mu * -0.02);
        near(f.force[2], mu * 0.03 - 1e-3 * (0.3 - 0.1));
        near(derivatives(&phi).1[1], -0.02);
    }

    /// Catches wrong moments of the equilibria: with `1 / τ = 1` a collision leaves the equilibrium and the source.
    #[test]
    fn a_collision_conserves_density_and_adds_the_force_to_momentum() {
        let p = Params { rate_g: 1.0, source: 0.5, ..params() };
        let force = Force { potential: 0.02, force: [1e-3, -2e-3, 3e-3] };
        let g: [f64; Q19] = std::array::from_fn(|i| 1e-3 * (i as f64 * 0.7).sin());
        let (next, drive, sound) = collide(&p, 0.8, &force, &g);
        assert!(sound);
        let sum = |g: &[f64; Q19], f: &dyn Fn([f64; 3]) -> f64| (0..Q19).map(|i| f(c(i)) * g[i]).sum::<f64>();
        near(sum(&next, &|_| 1.0), sum(&g, &|_| 1.0));
        let (excess, u) = flow(&g, &force);
        for (axis, v) in u.iter().enumerate() {
            near(sum(&next, &|c| c[axis]), sum(&g, &|c| c[axis]) + force.force[axis]);
            near(drive.b[axis], 0.8 * v * p.drift);
        }
        let n = 1.0 + excess;
        // Second moment: (φ μ + n/3) I + n u u, from which w_i n removes 1/3 I, and half of u F + F u.
        let want = n * u[0] * u[2] + 0.5 * (u[0] * force.force[2] + u[2] * force.force[0]);
        near(sum(&next, &|c| c[0] * c[2]), want);
        near(sum(&next, &|c| c[1] * c[1]), 0.016 + excess / 3.0 + n * u[1] * u[1] + u[1] * force.force[1]);
    }

    /// Catches a collision that differs from the model's relaxation towards the equilibrium and source, direction by
    /// direction.
    #[test]
    fn a_collision_is_relaxation_and_source() {
        let p = params();
        let force = Force { potential: 0.02, force: [1e-3, -2e-3, 3e-3] };
        let g: [f64; Q19] = std::array::from_fn(|i| 1e-3 * (i as f64 * 0.7).sin());
        let (phi, (excess, u)) = (0.8, flow(&g, &force));
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (next, _, _) = collide(&p, phi, &force, &g);
        for i in 0..Q19 {
            let (c, f) = (c(i), force.force);
            let (weight, pressure) = match i {
                0 => (AT_REST, -6.0 * phi * force.potential),
                1..Q7 => (TO_FACE, 3.0 * phi * force.potential),
                _ => (TO_EDGE, 3.0 * phi * force.potential),
            };
            let (along, square) = (dot(c, u), dot(u, u));
            let moving = 3.0 * along + 4.5 * along * along - 1.5 * square;
            let equilibrium = weight * (excess + pressure + (1.0 + excess) * moving);
            let source = p.source * weight * (3.0 * (dot(c, f) - dot(u, f)) + 9.0 * along * dot(c, f));
            near(next[i], g[i] + (equilibrium - g[i]) * p.rate_g + source);
        }
    }

    /// Catches a relaxation towards anything but `φ`, `φ u / q` and `Γ μ`.
    #[test]
    fn populations_of_the_order_parameter_have_their_moments() {
        let p = params();
        let force = Force { potential: -0.03, force: [0.0; 3] };
        let f = resting_f(&p, 0.6, &force);
        near(order_parameter(&f), 0.6);
        near(f[3] + f[4], 2.0 * p.half_mobility * -0.03);
        near(at_rest(&p, &f, p.half_mobility * -0.03), f[0]);
        near(moved(&p, f[1], f[1], f[1]), f[1]);
        let g = resting_g(0.6, &force);
        near(g.iter().sum::<f64>(), 0.0);
        near(g[1] + g[2] + 2.0 * (g[7] + g[9] + g[11] + g[13]), 0.6 * -0.03);
    }

    #[test]
    fn what_is_not_sound_is_seen() {
        assert!(is_sound(1.1f32, 0.01));
        for (phi, excess) in [(f32::NAN, 0.0), (0.0, f32::NAN), (2.5, 0.0), (-2.5, 0.0), (0.0, 0.6), (0.0, -0.6)] {
            assert!(!is_sound(phi, excess), "{phi} {excess}");
        }
    }
}

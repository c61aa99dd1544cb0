//! What is computed: the box, the model and the drop at the start.

use lbm_kernels::cell::{Params, Real};

/// The model's parameters. Only two ratios matter: surface tension to mean density, and mobility times surface tension
/// to the square of the phases' difference. Densities only label the output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Surface tension, for a mean density of 1.
    pub sigma: f64,
    /// Mobility times surface tension, `Γ σ`, for phases `φ = ±1`.
    pub mobility: f64,
    /// Width of the interface, in cells.
    pub width: f64,
    /// Relaxation time of momentum: the kinematic viscosity is `(τ − ½) / 3`.
    pub tau_g: f64,
    /// Relaxation time of the order parameter.
    pub tau_phi: f64,
}

impl Model {
    /// Kinematic viscosity.
    pub fn viscosity(&self) -> f64 {
        (self.tau_g - 0.5) / 3.0
    }

    /// About the largest mobility for which the scheme is stable in a fluid at rest, according to a linear analysis of
    /// `f` in one phase, for relaxation times of at least 0.7.
    pub fn most_mobility(&self) -> f64 {
        0.4 / (6.0 / self.width + 2.0 * self.width)
    }

    /// The parameters in the form that the arithmetic of cells takes.
    pub fn params<T: Real>(&self, gravity: f64, mean: f64) -> Params<T> {
        let alpha = 0.75 * self.sigma / self.width;
        let q = 1.0 / (self.tau_phi + 0.5);
        Params {
            bulk: T::of(4.0 * alpha),
            gradient: T::of(0.5 * alpha * self.width * self.width),
            half_mobility: T::of(0.5 * self.mobility / self.sigma),
            q: T::of(q),
            rate_f: T::of(1.0 / self.tau_phi),
            drift: T::of(0.5 / q),
            rate_g: T::of(1.0 / self.tau_g),
            source: T::of(1.0 - 0.5 / self.tau_g),
            gravity: T::of(gravity),
            mean: T::of(mean),
        }
    }
}

/// A drop in the middle of a periodic box, or a bubble.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// Cells along x, y, z.
    pub size: [u32; 3],
    /// The model.
    pub model: Model,
    /// The drop's radius, in cells.
    pub radius: f64,
    /// Whether it is a bubble: the phase `φ > 0` is outside.
    pub is_bubble: bool,
    /// Eötvös number: gravity times difference of density times square of the diameter, over surface tension.
    pub eotvos: f64,
    /// The initial shift of `φ`, in units of the shift that surface tension causes in both phases (Gibbs–Thomson). With
    /// 1 the drop starts near equilibrium, with the pressure of Laplace's law.
    pub shift: f64,
}

impl Problem {
    /// The drop's middle.
    pub fn centre(&self) -> [f64; 3] {
        self.size.map(|n| 0.5 * f64::from(n))
    }

    /// `φ` of a cell at the start.
    pub fn start(&self, at: [u32; 3]) -> f64 {
        let (centre, width) = (self.centre(), self.model.width);
        let square: f64 = (0..3)
            .map(|d| {
                let distance = (f64::from(at[d]) + 0.5 - centre[d]).abs();
                let nearest = distance.min(f64::from(self.size[d]) - distance);
                nearest * nearest
            })
            .sum();
        let phi = (2.0 * (self.radius - square.sqrt()) / width).tanh() + self.shift * width / (6.0 * self.radius);
        if self.is_bubble { -phi } else { phi }
    }

    /// The acceleration, as the arithmetic of cells takes it, for this Eötvös number.
    pub fn gravity(&self) -> f64 {
        self.eotvos * self.model.sigma / (8.0 * self.radius * self.radius)
    }

    /// Why the drop does not fit in the box, if it does not.
    pub fn misfit(&self) -> Option<String> {
        let (radius, width) = (self.radius, self.model.width);
        let shortest = self.size.into_iter().min().unwrap_or_default();
        let (least, below) = (0.5 * width, 0.5 * f64::from(shortest));
        if radius >= least && radius < below {
            return None;
        }
        let instead = if least < below {
            format!("--radius from {least} to below {below}")
        } else {
            format!("--width below {shortest}")
        };
        Some(format!(
            "a radius of {radius} cells: for --width {width} and a shortest side of {shortest} cells, use {instead}"
        ))
    }

    /// The number of cells.
    pub fn cells(&self) -> u64 {
        self.size.iter().map(|&n| u64::from(n)).product()
    }
}

//! What a run computes, as given by the command line or by the head of a saved state.

use crate::args::{Args, MOST};
use crate::checkpoint::Fields;
use crate::problem::{Model, Problem};
use anyhow::{Result, ensure};
use cushmem_program::Type;

/// A problem, and the number of steps of each kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    pub problem: Problem,
    pub element: Type,
    /// Steps without gravity, which come first.
    pub relax: u64,
    /// Steps after those.
    pub iters: u64,
    /// Mean of φ over all cells at the start.
    pub mean: f64,
}

impl Course {
    /// The course that the command line asks for. The mean is set later, from the start values.
    pub fn of(args: &Args) -> Self {
        let size = args.grid();
        let shortest = f64::from(size.into_iter().min().unwrap_or(1));
        let Args { sigma, mobility, width, tau_g, tau_phi, .. } = *args;
        let problem = Problem {
            size,
            model: Model { sigma, mobility, width, tau_g, tau_phi },
            radius: args.radius.unwrap_or(shortest / 4.0),
            is_bubble: args.bubble,
            eotvos: args.eo,
            shift: 1.0,
        };
        Self { problem, element: args.options.element, relax: args.relax.into(), iters: args.iterations(), mean: 0.0 }
    }

    /// All steps.
    pub fn steps(&self) -> u64 {
        self.relax + self.iters
    }

    /// The fields for the head of a file, with the number of steps made so far. Numbers have enough digits to be
    /// restored exactly.
    pub fn to_fields(self, done: u64) -> Fields {
        let (Problem { size: [x, y, z], model, radius, is_bubble, eotvos, .. }, mut fields) =
            (self.problem, Fields::default());
        fields.set("steps", done);
        fields.set("type", self.element.name());
        fields.set("x", x);
        fields.set("y", y);
        fields.set("z", z);
        fields.set("relax", self.relax);
        fields.set("iters", self.iters);
        fields.set("sigma", model.sigma);
        fields.set("mobility", model.mobility);
        fields.set("width", model.width);
        fields.set("tau-g", model.tau_g);
        fields.set("tau-phi", model.tau_phi);
        fields.set("radius", radius);
        fields.set("bubble", is_bubble);
        fields.set("eo", eotvos);
        fields.set("mean", self.mean);
        fields
    }

    /// The reverse of [`Self::to_fields`]. Refuses numbers that the command line would refuse.
    pub fn of_fields(fields: &Fields) -> Result<(Self, u64)> {
        let finite = |key| fields.get_if(key, |n: &f64| n.is_finite());
        let positive = |key| fields.get_if(key, |n: &f64| n.is_finite() && *n > 0.0);
        let relaxation = |key| fields.get_if(key, |n: &f64| n.is_finite() && *n > 0.5);
        let side = |key| fields.get_if(key, |n: &u32| (1..=MOST).contains(n));
        let steps = |key| fields.get_if(key, |n: &u64| *n <= u32::MAX.into());
        let model = Model {
            sigma: positive("sigma")?,
            mobility: positive("mobility")?,
            width: positive("width")?,
            tau_g: relaxation("tau-g")?,
            tau_phi: relaxation("tau-phi")?,
        };
        let problem = Problem {
            size: [side("x")?, side("y")?, side("z")?],
            model,
            radius: positive("radius")?,
            is_bubble: fields.get("bubble")?,
            eotvos: finite("eo")?,
            shift: 1.0,
        };
        let course = Self {
            problem,
            element: fields.get("type")?,
            relax: steps("relax")?,
            iters: steps("iters")?,
            mean: finite("mean")?,
        };
        let done = fields.get("steps")?;
        ensure!(done <= course.steps(), "`steps {done}` is more than all steps of the run");
        Ok((course, done))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bit_is_lost_in_a_head() {
        let model =
            Model { sigma: 0.1 + 0.2, mobility: 1e-300, width: 4.0, tau_g: 0.5 + f64::EPSILON, tau_phi: 5.0 / 3.0 };
        let problem =
            Problem { size: [7, 8, 65536], model, radius: 1e17 + 1.0, is_bubble: true, eotvos: -0.5, shift: 1.0 };
        let course = Course { problem, element: Type::F64, relax: 3, iters: u32::MAX.into(), mean: -0.1 };
        assert_eq!(Course::of_fields(&course.to_fields(99)).expect("all fields"), (course, 99));

        // Catches a head that is believed no matter what it says.
        let nan = Course { mean: f64::NAN, ..course };
        assert_eq!(Course::of_fields(&nan.to_fields(9)).unwrap_err().to_string(), "`mean NaN` is not valid");
        let endless = Course { iters: u64::MAX, ..course };
        assert!(Course::of_fields(&endless.to_fields(9)).unwrap_err().to_string().contains("`iters "));
        assert!(Course::of_fields(&course.to_fields(1 << 40)).unwrap_err().to_string().contains("`steps "));
    }
}

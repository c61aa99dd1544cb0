//! `--check`: compares results with theory, on the PEs and in the mode of the command line.

use crate::NAME;
use crate::args::{Args, Check};
use crate::course::Course;
use crate::element::Element;
use crate::field::Job;
use crate::measure::Measures;
use crate::output::measures;
use crate::problem::Problem;
use crate::steps::{advance, decompose, new_solver, phases, start};
use anyhow::{Result, bail};
use cushmem::{Module, Shmem, Stream};
use cushmem_program::{Progress, Type, is_watched, json_line, refuse, say};
use serde::Serialize;
use std::f64::consts::PI;

/// Ratios of the box's side to the radii of the drops.
const SHARES: [f64; 4] = [8.0, 6.0, 5.0, 4.0];
/// The initial shift of φ, relative to the right one, and with it the pressure in the drop. It is wrong on purpose, so
/// that the run has to correct it.
pub const LAPLACE_SHIFT: f64 = 1.2;
/// The number of steps, in units of the time N²/ν in which sound decays in the box. After half of them the pressure
/// hardly changes.
const LAPLACE_TIMES: f64 = 0.03;
/// Tolerated relative error of the slope, which should be the surface tension.
const LAPLACE_TOLERANCE: f64 = 0.05;
/// Ratio of the box's side to the radius of the bubble.
const BUBBLE_SHARE: f64 = 6.0;
/// Eötvös number, small enough that the bubble stays a sphere.
const BUBBLE_EOTVOS: f64 = 0.5;
/// The number of steps, in units of the time R²/ν in which the flow adapts to the bubble.
const BUBBLE_TIMES: f64 = 6.0;
/// Tolerated relative error of the bubble's speed: the theory assumes an interface without width.
const BUBBLE_TOLERANCE: f64 = 0.15;

/// A comparison. Its fields are the keys of the JSON line.
#[derive(Serialize)]
struct Verdict {
    app: &'static str,
    check: &'static str,
    size: u32,
    #[serde(rename = "type")]
    element: &'static str,
    mode: &'static str,
    pes: u32,
    expected: f64,
    found: f64,
    tolerance: f64,
    passed: bool,
    drops: Vec<Measures>,
}

/// Runs and reports; fails if the result is too far from theory. Collective.
pub fn run(shmem: &Shmem, args: &Args, check: Check) -> Result<()> {
    let module = shmem.load(&lbm_kernels::IMAGE)?;
    let stream = shmem.stream()?;
    match args.options.element {
        Type::F32 => run_with::<f32>(shmem, &module, &stream, args, check),
        Type::F64 => run_with::<f64>(shmem, &module, &stream, args, check),
    }
}

fn run_with<T: Element>(
    shmem: &Shmem,
    module: &Module<'_>,
    stream: &Stream<'_>,
    args: &Args,
    check: Check,
) -> Result<()> {
    let smallest = f64::from(args.size) / if check == Check::Laplace { SHARES[0] } else { BUBBLE_SHARE };
    if smallest < 1.25 * args.width {
        let why = format!(
            "--size {}: the smallest radius of this check, {smallest} cells, is too small for an interface of {}",
            args.size, args.width
        );
        return refuse(shmem, NAME, &why);
    }
    let grid = decompose(shmem, args, args.grid(), size_of::<T>())?;
    let mode = args.options.choose_mode(shmem, NAME)?;
    let one = |course: Course| {
        let job = Job { shmem, module, stream, grid, problem: course.problem };
        let mut course = course;
        let mut solver = new_solver::<T>(job, mode, args)?;
        course.mean = start(solver.as_mut(), &course)?;
        solver.begin()?;
        let mut progress = Progress::new(is_watched(shmem), "step", course.steps());
        let [_, falling] = phases(&course);
        advance(solver.as_mut(), &falling, course.steps(), None, &mut |field| {
            progress.show(field.done());
            Ok(())
        })?;
        drop(progress);
        let found = measures(solver.field(), &falling)?.map_err(anyhow::Error::msg)?;
        solver.free()?;
        Ok::<_, anyhow::Error>(found)
    };
    let (expected, found, tolerance, drops) = match check {
        Check::Laplace => {
            let drops = SHARES.map(|share| one(laplace(args, share))).into_iter().collect::<Result<Vec<_>>>()?;
            (args.sigma, slope(&drops), LAPLACE_TOLERANCE, drops)
        }
        Check::Bubble => {
            let course = bubble(args);
            let found = one(course)?;
            (rising_speed(&course.problem), found.velocity[2], BUBBLE_TOLERANCE, vec![found])
        }
    };
    if shmem.my_pe() != 0 {
        return Ok(());
    }
    let passed = (found / expected - 1.0).abs() <= tolerance;
    let verdict = Verdict {
        app: NAME,
        check: if check == Check::Laplace { "laplace" } else { "bubble" },
        size: args.size,
        element: T::NAME,
        mode: mode.name(),
        pes: shmem.n_pes(),
        expected,
        found,
        tolerance,
        passed,
        drops,
    };
    let printed = say(&if args.options.json { json_line(&verdict) } else { verdict.text(check) });
    if !passed {
        bail!("{}: {found:e} is not within {} % of {expected:e}", verdict.check, 100.0 * tolerance);
    }
    printed
}

/// A run with a drop whose radius is the box's side divided by `share`.
fn laplace(args: &Args, share: f64) -> Course {
    let radius = f64::from(args.size) / share;
    let course = Course::of(&Args { radius: Some(radius), eo: 0.0, ..args.clone() });
    let problem = Problem { shift: LAPLACE_SHIFT, ..course.problem };
    let iters = args.iters.map_or_else(|| laplace_steps(&problem), u64::from);
    Course { problem, relax: 0, iters, ..course }
}

/// Enough steps that the pressure of a drop in a cubic box no longer depends on its start value.
pub fn laplace_steps(problem: &Problem) -> u64 {
    let side = f64::from(problem.size[0]);
    (LAPLACE_TIMES * side * side / problem.model.viscosity()).ceil() as u64
}

fn bubble(args: &Args) -> Course {
    let radius = f64::from(args.size) / BUBBLE_SHARE;
    let course = Course::of(&Args { radius: Some(radius), bubble: true, eo: BUBBLE_EOTVOS, ..args.clone() });
    let steps = (BUBBLE_TIMES * radius * radius / course.problem.model.viscosity()).ceil() as u64;
    Course { relax: 0, iters: args.iters.map_or(steps, u64::from), ..course }
}

/// The slope through 0 of the jumps against 2/R, by least squares.
pub fn slope(drops: &[Measures]) -> f64 {
    let points = || drops.iter().map(|m| (2.0 / m.radius, m.pressure_inside - m.pressure_outside));
    points().map(|(x, y)| x * y).sum::<f64>() / points().map(|(x, _)| x * x).sum::<f64>()
}

/// The speed of a spherical bubble in a fluid of the same viscosity (Hadamard and Rybczyński), in a periodic box in
/// which the net force is zero. Its periodic images and the backflow slow the bubble down (Hasimoto), corrected for the
/// volume that the bubble itself fills.
pub fn rising_speed(problem: &Problem) -> f64 {
    let (r, nu) = (problem.radius, problem.model.viscosity());
    let volume: f64 = problem.size.iter().map(|n| f64::from(*n)).product();
    let in_a_box = 1.0 - 5.0 / 6.0 * 2.837 * r / volume.cbrt() + 0.5 * 4.0 / 3.0 * PI * r.powi(3) / volume;
    4.0 / 15.0 * 2.0 * problem.gravity() * r * r / nu * in_a_box
}

impl Verdict {
    /// The report for people.
    fn text(&self, check: Check) -> String {
        let mut text = String::new();
        for m in &self.drops {
            let jump = m.pressure_inside - m.pressure_outside;
            text += &match check {
                Check::Laplace => {
                    format!("radius {:9.4}: pressure {jump:.6e} higher inside, {:.4} of 2σ/R\n", m.radius, m.laplace)
                }
                Check::Bubble => {
                    format!("radius {:9.4}, roundness {:.4}, middle at z = {:.3}\n", m.radius, m.roundness, m.centre[2])
                }
            };
        }
        let what = match check {
            Check::Laplace => "surface tension, given and from the slope",
            Check::Bubble => "speed, in theory and of the bubble",
        };
        let (off, tolerance) = (100.0 * (self.found / self.expected - 1.0), 100.0 * self.tolerance);
        text + &format!(
            "{what}: {:.5e}, {:.5e}: {off:+.1} %, {} ({tolerance} % allowed)",
            self.expected,
            self.found,
            if self.passed { "passed" } else { "FAILED" },
        )
    }
}

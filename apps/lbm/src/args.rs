//! The command line.

use crate::picture::Show;
use clap::{Parser, ValueEnum};
use cushmem_program::{Options, numbers};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 4 lbm                                        a drop in 64 × 64 × 64 cells, verified
  shmemrun -n 2 lbm --size 256 --no-verify --json          one line of JSON for programs
  shmemrun -n 4 lbm --size 48 --bubble --eo 0.5 --iters 3000 --measure --png bubble.png --show speed
  shmemrun -n 4 lbm --size 96 --iters 5000 --save run.lbm --save-every 500
  shmemrun -n 2 lbm --restore run.lbm --iters 9000         continue where that run ended or was killed, to 9000 steps
  shmemrun -n 2 lbm --size 128 --check laplace             compare the result with theory

Two fluids, φ = 1 and φ = -1, in a periodic box, in the lattice-Boltzmann model of Zheng, Shu and Chew (2006).
The energy α(φ² - 1)² + ½κ|∇φ|² separates them by an interface of width W with surface tension σ.
In each cell, 7 populations carry φ and 19 carry momentum; they stream to the neighbours and relax with τ_φ and τ_g.
Units are a cell, a step and the mean density: the viscosity is (τ_g - ½)/3, the pressure in a drop 2σ/R higher.
A drop starts at rest; after --relax steps, gravity acts if --eo is given, and the timing starts.

The result is identical, to the last bit, for any number of PEs, any mode and any GPU.";

const DEFAULT_ITERATIONS: u32 = 100;
/// The most cells, or PEs, along a side: the product of three fits in 64 bits with room to spare.
pub const MOST: u32 = 65_536;

/// Simulate two fluids in a periodic box that is distributed over the PEs of the job.
#[derive(Clone, Debug, PartialEq, Parser)]
#[command(name = "lbm", version, about, after_help = EXAMPLES, term_width = 120)]
pub struct Args {
    /// Cells along each of x, y and z
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    pub size: u32,
    /// Cells along x, along y and along z
    #[arg(long, value_name = "XxYxZ", value_parser = numbers::<3, MOST>, conflicts_with = "size")]
    pub grid: Option<[u32; 3]>,
    /// Steps after --relax, which are timed; those that a restored run has made count [default: 100, or those of the
    /// saved run, or as many as --check needs]
    #[arg(long, value_name = "I", value_parser = clap::value_parser!(u32).range(1..))]
    pub iters: Option<u32>,
    /// Steps before these, without gravity
    #[arg(long, value_name = "I", default_value_t = 20)]
    pub relax: u32,
    /// Steps before all others, first with messages and then without, to show the cost of messages [default: same as
    /// --iters, at most 500, on a GPU; 0 on the emulated GPU]
    #[arg(long, value_name = "I")]
    pub warmup: Option<u64>,
    /// Radius of the drop in cells [default: a quarter of the shortest side]
    #[arg(long, value_name = "R", value_parser = positive)]
    pub radius: Option<f64>,
    /// Simulate a bubble instead of a drop
    #[arg(long)]
    pub bubble: bool,
    /// Eötvös number: gravity times density difference times diameter squared, divided by surface tension
    #[arg(long, value_name = "EO", default_value_t = 0.0, value_parser = finite, allow_negative_numbers = true)]
    pub eo: f64,
    /// Surface tension divided by mean density
    #[arg(long, value_name = "σ", default_value_t = 0.001, value_parser = positive)]
    pub sigma: f64,
    /// Mobility times surface tension
    #[arg(long, value_name = "Γσ", default_value_t = 0.02, value_parser = positive)]
    pub mobility: f64,
    /// Width of the interface in cells
    #[arg(long, value_name = "W", default_value_t = 4.0, value_parser = positive)]
    pub width: f64,
    /// Relaxation time of momentum
    #[arg(long, value_name = "τ_g", default_value_t = 1.0, value_parser = relaxation)]
    pub tau_g: f64,
    /// Relaxation time of the order parameter
    #[arg(long, value_name = "τ_φ", default_value_t = 1.0, value_parser = relaxation)]
    pub tau_phi: f64,
    /// Print radius, roundness, position, velocity and pressure of the drop
    #[arg(long)]
    pub measure: bool,
    /// Write a picture of a slice through the drop to this PNG file
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Quantity that the colours of the picture show
    #[arg(long, value_enum, default_value = "pressure", requires = "png")]
    pub show: Show,
    /// Write order parameter, pressure and velocity to this file, for ParaView (.vti)
    #[arg(long, value_name = "FILE")]
    pub vtk: Option<PathBuf>,
    /// Save the whole state to this file at the end
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Also save the state each time this many steps have been made
    #[arg(long, value_name = "I", requires = "save", value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: Option<u64>,
    /// Continue from the state in this file, with any number of PEs and in any mode
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "size", "grid", "relax", "element", "radius", "bubble", "eo", "sigma", "mobility", "width", "tau_g", "tau_phi",
    ])]
    pub restore: Option<PathBuf>,
    /// Compare with theory: Laplace's law for four radii, or the speed of a bubble
    #[arg(long, value_enum, conflicts_with_all = [
        "grid", "radius", "bubble", "eo", "verify", "measure", "png", "vtk", "save", "restore", "hash", "relax", "warmup",
        "no_verify", "save_every",
    ])]
    pub check: Option<Check>,
    /// Print a hash of all bits of the result
    #[arg(long)]
    pub hash: bool,
    /// PEs along x, y and z [default: the shape that sends the fewest bytes, along z first]
    #[arg(long, value_name = "AxBxC", value_parser = numbers::<3, MOST>)]
    pub pe_grid: Option<[u32; 3]>,
    #[command(flatten)]
    pub options: Options,
}

/// What `--check` compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Check {
    /// Pressure jump of four drops against 2/R; the slope is the surface tension
    Laplace,
    /// Speed of a bubble, compared with that of a sphere in creeping flow
    Bubble,
}

impl Args {
    /// Cells along x, y, z.
    pub fn grid(&self) -> [u32; 3] {
        self.grid.unwrap_or([self.size; 3])
    }

    /// Timed steps of a run that starts from scratch.
    pub fn iterations(&self) -> u64 {
        self.iters.unwrap_or(DEFAULT_ITERATIONS).into()
    }
}

fn number(text: &str, fits: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    text.parse().ok().filter(|n: &f64| n.is_finite() && fits(*n)).ok_or_else(|| format!("expected {what}"))
}

fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "a number")
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |n| n > 0.0, "a number above 0")
}

fn relaxation(text: &str) -> Result<f64, String> {
    number(text, |n| n > 0.5, "a number above 0.5")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program;
    use cushmem_program::Refusal;

    fn parse(line: &str) -> Result<Args, Refusal> {
        program::parse(["lbm"].into_iter().chain(line.split_whitespace()))
    }

    #[test]
    fn wrong_values_are_answered_in_one_line_with_what_is_right() {
        for (line, part) in [
            ("--size 0", "1..=65536"),
            ("--grid 3x4", "like 2x3x4"),
            ("--grid 3x4x65537", "from 1 to 65536"),
            ("--size 3 --grid 3x4x5", "--grid"),
            ("--iters 0", "1.."),
            ("--type f16", "f32, f64"),
            ("--mode gpu", "auto, staged, host"),
            ("--pe-grid 0x3x1", "like 2x3x4"),
            ("--radius=-1", "a number above 0"),
            ("--size 32 --radius 100", "use --radius from 2 to below 16"),
            ("--size 32 --radius 16", "use --radius from 2 to below 16"),
            ("--size 32 --radius 1.9", "use --radius from 2 to below 16"),
            ("--size 32 --width 40 --radius 8", "use --width below 32"),
            ("--sigma 0", "a number above 0"),
            ("--sigma nan", "a number above 0"),
            ("--tau-g 0.5", "a number above 0.5"),
            ("--save-every 5", "--save"),
            ("--restore a --size 3", "--size"),
            ("--restore a --type f32", "--type"),
            ("--check laplace --bubble", "--bubble"),
            ("--check laplace --relax 5", "--relax"),
            ("--check laplace --warmup 5", "--warmup"),
            ("--check laplace --no-verify", "--no-verify"),
            ("--check fish", "laplace, bubble"),
            ("--show speed", "--png"),
            ("--sice 3", "--size"),
        ] {
            match parse(line) {
                Err(Refusal::Wrong(text)) => assert!(text.contains(part) && !text.contains('\n'), "{line}: {text}"),
                other => panic!("{line}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_is_not_given_has_a_default() {
        let args = parse("--grid 7x5x3 --eo -0.5").expect("a good line");
        assert_eq!((args.grid(), args.iterations(), args.eo), ([7, 5, 3], 100, -0.5));
        assert!(parse("--size 32 --radius 2").is_ok() && parse("--size 32 --radius 15.9").is_ok());
        assert!(parse("--restore a --iters 5 --pe-grid 1x1x2 --mode host --png b --show phi").is_ok());
    }

    /// Catches a description of the physics that is not five lines of at most 120 columns.
    #[test]
    fn help_has_examples_and_the_physics_in_five_lines() {
        let Err(Refusal::Help(text)) = parse("--help") else { panic!("no help") };
        let physics = text.lines().skip_while(|l| !l.starts_with("Two fluids, ")).take_while(|l| !l.is_empty());
        assert_eq!(physics.inspect(|l| assert!(l.chars().count() <= 120, "{l}")).count(), 5, "{text}");
        assert!(text.contains("shmemrun -n 4 lbm") && text.contains("--restore"), "{text}");
    }
}

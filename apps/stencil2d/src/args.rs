//! The command line.

use clap::Parser;
use cushmem_program::{Options, Refusal, Type, numbers};
use std::ffi::OsString;
use std::path::PathBuf;
use stencil2d_kernels::cell::Real;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 4 stencil2d                                   the default: 1024 × 1024 cells, 100 iterations, verified
  shmemrun -n 4 stencil2d --size 4096 --mode host           the CPU exchanges the halos between kernels
  shmemrun -n 6 stencil2d --rows 1000 --cols 777 --type f64 --png field.png
  shmemrun -n 2 stencil2d --size 16384 --no-verify --json   one line of JSON for programs
  shmemrun -n 2 stencil2d --sweep                           the time of the exchange, by mode and size

Each cell becomes 0.25 of itself, plus 0.15 of each of the four cells beside it, plus 0.05 of each of the four at its
corners. The cells around the grid are fixed. The field starts with random values that depend on --seed only, and the
result is the same, to the last bit, for any number of PEs, any mode and any GPU.";

/// Largest number of rows or of columns.
const MAX_EXTENT: i64 = 1 << 24;
const DEFAULT_EXTENT: u32 = 1024;
const DEFAULT_ITERATIONS: u32 = 100;
/// The sides of the squares of a sweep, and the largest one allowed. With 256 PEs in a row, the grid then has the
/// largest extent allowed.
const SWEEP: &str = "256,512,1024,2048,4096,8192";
const MAX_SIDE: u32 = 1 << 16;

/// Run a nine-point stencil on a grid that is distributed over the PEs of the job.
#[derive(Clone, Debug, PartialEq, Parser)]
#[command(name = "stencil2d", version, about, after_help = EXAMPLES, term_width = 120)]
pub struct Args {
    /// Number of rows that are updated [default: 1024]
    #[arg(long, value_name = "R", requires = "cols", value_parser = clap::value_parser!(u32).range(1..=MAX_EXTENT))]
    rows: Option<u32>,
    /// Number of columns that are updated [default: 1024]
    #[arg(long, value_name = "C", requires = "rows", value_parser = clap::value_parser!(u32).range(1..=MAX_EXTENT))]
    cols: Option<u32>,
    /// Number of rows and of columns of a square grid
    #[arg(long, value_name = "N", conflicts_with_all = ["rows", "cols"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=MAX_EXTENT))]
    size: Option<u32>,
    /// Number of iterations [default: 100; in a sweep, enough to be timed and verified]
    #[arg(long, value_name = "I", value_parser = clap::value_parser!(u32).range(1..))]
    pub iters: Option<u32>,
    /// Seed of the initial values
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write a picture of the final field to this PNG file
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Time an iteration with and without exchange, in all modes or in --mode, for N × N cells on each PE, and verify
    /// every result [default sizes: 256,512,1024,2048,4096,8192]
    #[arg(long, value_name = "N,…", num_args = 0..=1, require_equals = true, value_delimiter = ',')]
    #[arg(default_missing_value = SWEEP, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SIDE)))]
    #[arg(conflicts_with_all = ["rows", "cols", "size", "png", "verify", "no_verify"])]
    pub sweep: Vec<u32>,
    /// Take the sizes of the sweep as those of the whole grid, not of the part on each PE
    #[arg(long, requires = "sweep")]
    pub whole: bool,
    /// Rows and columns of PEs [default: the shape that sends the fewest bytes]
    #[arg(long, value_name = "RxC", value_parser = numbers::<2, MAX_SIDE>)]
    pub pe_grid: Option<[u32; 2]>,
    /// Iterations before the timing starts [default: same as --iters on a GPU, 0 on the emulated GPU]
    #[arg(long, value_name = "I")]
    pub warmup: Option<u32>,
    #[command(flatten)]
    pub options: Options,
}

impl Args {
    /// Parses the words of a command line, starting with the program's name.
    pub fn parse_from_words(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, Refusal> {
        let args: Self = cushmem_program::parse(words)?;
        args.check()?;
        Ok(args)
    }

    fn check(&self) -> Result<(), Refusal> {
        let (limit, name) = match self.options.element {
            Type::F32 => (f32::MAX_ITERATIONS, f32::NAME),
            Type::F64 => (f64::MAX_ITERATIONS, f64::NAME),
        };
        let instead = match self.options.element {
            Type::F32 => format!(", or --type f64 for up to {}", f64::MAX_ITERATIONS),
            Type::F64 => String::new(),
        };
        for (option, iterations) in [("--iters", self.iterations()), ("--warmup", self.warmup.unwrap_or(0))] {
            if iterations > limit {
                return Err(Refusal::Wrong(format!(
                    "{option} {iterations}: values grow by up to 5 % in each iteration and may overflow {name} after {limit}; \
                     use at most {limit}{instead}"
                )));
            }
        }
        Ok(())
    }

    /// The iterations of a run that is not a sweep.
    pub fn iterations(&self) -> u32 {
        self.iters.unwrap_or(DEFAULT_ITERATIONS)
    }

    /// The rows and columns of cells.
    pub fn grid(&self) -> (u32, u32) {
        let default = self.size.unwrap_or(DEFAULT_EXTENT);
        (self.rows.unwrap_or(default), self.cols.unwrap_or(default))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, Refusal> {
        Args::parse_from_words(["stencil2d"].into_iter().chain(line.split_whitespace()))
    }

    fn complaint(line: &str) -> String {
        match parse(line) {
            Err(Refusal::Wrong(text)) => text,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_grid_is_given_in_either_way_or_not_at_all() {
        let grid = |line| parse(line).map(|a| a.grid());
        assert_eq!(grid(""), Ok((1024, 1024)));
        assert_eq!(grid("--size 64"), Ok((64, 64)));
        assert_eq!(grid("--rows 1000 --cols 777"), Ok((1000, 777)));
        complaint("--rows 3");
        complaint("--size 3 --rows 3 --cols 3");
    }

    #[test]
    fn iterations_that_would_overflow_are_refused_with_the_limit() {
        assert!(complaint("--iters 1781").contains("use at most 1780, or --type f64"));
        assert!(complaint("--iters 14501 --type f64").contains("use at most 14500"));
        assert!(complaint("--warmup 1781").contains("--warmup 1781"));
        assert!(parse("--iters 1780").is_ok() && parse("--iters 1781 --type f64").is_ok());
    }

    #[test]
    fn wrong_values_are_answered_in_one_line_with_what_is_right() {
        for (line, part) in [
            ("--size 0", "1..=16777216"),
            ("--size x", "invalid"),
            ("--iters 0", "1.."),
            ("--type f16", "f32, f64"),
            ("--mode gpu", "auto, staged, host, stream, device, fused, triggered"),
            ("--pe-grid 2", "like 2x3"),
            ("--pe-grid 0x3", "like 2x3"),
            ("--rowz 3", "--rowz"),
            ("--limit 0", "1..=86400"),
        ] {
            let text = complaint(line);
            assert!(text.contains(part) && !text.contains('\n'), "{line}: {text}");
        }
    }

    #[test]
    fn a_sweep_has_sizes_of_its_own() {
        let sweep = |line| parse(line).map(|a| a.sweep);
        assert_eq!(sweep(""), Ok(vec![]));
        assert_eq!(sweep("--sweep"), Ok(vec![256, 512, 1024, 2048, 4096, 8192]));
        assert_eq!(sweep("--sweep=16,40 --mode fused"), Ok(vec![16, 40]));
        complaint("--sweep --size 3");
        complaint("--sweep --no-verify");
        complaint("--whole");
        assert!(parse("--sweep=64 --whole").is_ok_and(|args| args.whole));
        assert!(complaint("--sweep=0").contains("1..=65536"));
    }

    #[test]
    fn help_has_examples() {
        let Err(Refusal::Help(text)) = parse("--help") else { panic!("no help") };
        assert!(text.contains("shmemrun -n 4 stencil2d") && text.contains("--seed"));
    }

    #[test]
    fn pe_grids() {
        assert_eq!(parse("--pe-grid 2x3").map(|a| a.pe_grid), Ok(Some([2, 3])));
    }
}

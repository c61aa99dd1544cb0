//! The command line.

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 4 lbm                                   a drop in 64 × 64 × 64 cells, verified
  shmemrun -n 2 lbm --size 256 --no-verify --json     one line for programs
  shmemrun -n 4 lbm --bubble --eo 0.5 --iters 3000 --type f64

Two fluids, φ = 1 and φ = -1, in a periodic box, by the lattice-Boltzmann model of Zheng, Shu and Chew (2006). A drop begins at rest; in the relaxation phase it
finds its equilibrium, then gravity acts, if --eo gives it, and the clock runs. The result is the same, to the last bit, for any number of PEs, any mode and any GPU.";

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Type {
    F32,
    F64,
}

/// How messages are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Device mode if each PE has a GPU of its own, else host mode
    Auto,
    /// The CPU, by way of host memory: copies, puts between CPUs, copies
    Staged,
    /// The CPU: puts between the GPUs' memories
    Host,
}

impl Mode {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Staged => "staged",
            Self::Host => "host",
        }
    }
}

/// Two fluids in a periodic box that is shared by all PEs of the job.
#[derive(Clone, Debug, PartialEq, Parser)]
#[command(name = "lbm", version, about, after_help = EXAMPLES, term_width = 120)]
pub struct Args {
    /// Cells along x, y and z
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub size: u32,
    /// The same for each
    #[arg(long, value_name = "XxYxZ", value_parser = parse_three, conflicts_with = "size")]
    pub grid: Option<[u32; 3]>,
    /// Steps that are timed
    #[arg(long, value_name = "I", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub iters: u32,
    /// Steps before, without gravity
    #[arg(long, value_name = "I", default_value_t = 20)]
    pub relax: u32,
    /// Type of the values
    #[arg(long = "type", value_name = "TYPE", value_enum, default_value = "f32")]
    pub element: Type,
    /// How messages are exchanged
    #[arg(long, value_enum, default_value = "auto")]
    pub mode: Mode,
    /// The drop's radius, in cells [default: a quarter of the shortest side]
    #[arg(long)]
    pub radius: Option<f64>,
    /// A bubble instead of a drop
    #[arg(long)]
    pub bubble: bool,
    /// Eötvös number of gravity
    #[arg(long, default_value_t = 0.0)]
    pub eo: f64,
    /// Surface tension over mean density
    #[arg(long, default_value_t = 0.001)]
    pub sigma: f64,
    /// Mobility times surface tension, for phases -1 and 1
    #[arg(long, default_value_t = 0.02)]
    pub mobility: f64,
    /// Width of the interface, in cells
    #[arg(long, default_value_t = 4.0)]
    pub width: f64,
    /// Relaxation time of momentum
    #[arg(long, default_value_t = 1.0)]
    pub tau_g: f64,
    /// Relaxation time of the order parameter
    #[arg(long, default_value_t = 1.0)]
    pub tau_phi: f64,
    /// Compare the result with the serial reference [default: if that takes only a few seconds]
    #[arg(long, overrides_with = "no_verify")]
    verify: bool,
    /// Do not compare the result with the serial reference
    #[arg(long, overrides_with = "verify")]
    no_verify: bool,
    /// Print a hash of all bits of the result
    #[arg(long)]
    pub hash: bool,
    /// Print one line of JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// PEs along x, y and z [default: those that send the fewest bytes, along z first]
    #[arg(long, value_name = "AxBxC", value_parser = parse_three)]
    pub pe_grid: Option<[u32; 3]>,
    /// Longest wait of a kernel for a neighbour, seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub limit: u32,
    /// Allow kernels that wait for each other if PEs share a GPU: they may wait long for each other, because the GPU runs them in turns
    #[arg(long)]
    pub share_gpu: bool,
}

/// Why there is nothing to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Help was asked for.
    Help(String),
    /// The command line is wrong; this one line says why.
    Wrong(String),
}

impl Args {
    /// Reads the words of a command line, the program's name first.
    pub fn parse_from_words(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, Refusal> {
        let matches = Self::command().try_get_matches_from(words).map_err(|e| refusal(&e))?;
        Self::from_arg_matches(&matches).map_err(|e| refusal(&e))
    }

    /// Cells along x, y, z.
    pub fn grid(&self) -> [u32; 3] {
        self.grid.unwrap_or([self.size; 3])
    }

    /// Whether the result is to be compared with the reference; `None` if the user did not say.
    pub fn wants_verification(&self) -> Option<bool> {
        match (self.verify, self.no_verify) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

fn parse_three(text: &str) -> Result<[u32; 3], String> {
    let numbers: Option<Vec<u32>> = text.split(['x', 'X', '×']).map(|n| n.parse().ok().filter(|n| *n > 0)).collect();
    let three = numbers.and_then(|numbers| numbers.try_into().ok());
    three.ok_or_else(|| "expected three numbers, like 2x3x4".into())
}

/// What clap says instead of arguments.
fn refusal(error: &clap::Error) -> Refusal {
    use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
    let text = error.to_string();
    if matches!(error.kind(), DisplayHelp | DisplayVersion) {
        return Refusal::Help(text);
    }
    Refusal::Wrong(cushmem_command_line::one_line(error))
}

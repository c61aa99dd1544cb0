//! The command line.

use clap::{Parser, ValueEnum};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  shmemrun -n 4 jacobi                                      1024 × 1024 cells in one kernel, verified
  shmemrun -n 2 jacobi --compare --size 4096 --iters 1000   all modes side by side
  shmemrun -n 2 jacobi --size 256 --iters 100000 --tolerance 1e-5 --every 100 --png plate.png
  shmemrun -n 4 --nodes 2 jacobi --size 128                 between nodes, by way of the CPU

A square plate is kept at temperature 1 along its upper edge and at 0 along the others; inside it starts with random
values. In each iteration, each cell becomes the mean of its four neighbours. The norm is the largest change of a cell.
Unlike a sum, it is exact in any order: grid and norms have the same bits for any number of PEs, any mode and any GPU,
and so does the checksum, which covers both.

GB/s are 8 bytes for each cell and iteration, one load and one store, of all PEs together.";

/// Solve Laplace's equation on a square grid whose rows are shared by the PEs of the job.
#[derive(Clone, Debug, PartialEq, Parser)]
#[command(name = "jacobi", version, about, after_help = EXAMPLES, term_width = 120)]
pub struct Args {
    /// Number of rows and of columns that are updated
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(2..=131_072))]
    pub size: u32,
    /// The most iterations [default: 1000, or 100 on the emulated GPU]
    #[arg(long, value_name = "I", value_parser = clap::value_parser!(u32).range(1..=16_777_216))]
    pub iters: Option<u32>,
    /// Iterations from one norm to the next
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Stop when no cell changes by more than this
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_negative_numbers = true, value_parser = tolerance)]
    pub tolerance: f32,
    /// Who exchanges halos and reduces norms [default: device, or host if PEs share a GPU]
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    /// Run all modes, one after the other
    #[arg(long, conflicts_with = "mode")]
    pub compare: bool,
    /// Compare the result with a serial reference [default: if that takes only a few seconds]
    #[arg(long, overrides_with = "no_verify")]
    verify: bool,
    /// Do not compare the result with a serial reference
    #[arg(long, overrides_with = "verify")]
    no_verify: bool,
    /// Longest time that the kernel of mode `device` waits for a neighbour, in seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    limit: u32,
    /// Write a picture of the final grid to this PNG file
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Print a line of JSON for each mode instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Who exchanges halos and reduces norms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// CPU: a kernel for each iteration, then puts with signals and a reduction
    Host,
    /// GPU stream: kernels, puts with signals, waits and reductions are enqueued
    Stream,
    /// GPU: one kernel for all iterations
    Device,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Host, Self::Stream, Self::Device];

    /// The mode's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Stream => "stream",
            Self::Device => "device",
        }
    }
}

impl Args {
    /// How long to wait for a halo.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }

    /// Whether to compare the result with the reference, which is computed unasked for up to `quick` updates.
    pub fn verifies(&self, iterations: u32, quick: u64) -> bool {
        let updates = u64::from(self.size) * u64::from(self.size) * u64::from(iterations);
        self.verify || (!self.no_verify && updates <= quick)
    }
}

fn tolerance(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|t: &f32| t.is_finite() && *t >= 0.0);
    number.ok_or_else(|| "expected a number that is not negative, like 1e-5".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_program::{Refusal, parse};

    fn complaint(line: &str) -> String {
        match parse::<Args>(["jacobi"].into_iter().chain(line.split_whitespace())) {
            Err(Refusal::Wrong(text)) => text,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn wrong_values_are_answered_in_one_line_with_what_is_right() {
        for (line, part) in [
            ("--size 1", "2..=131072"),
            ("--iters 0", "1..=16777216"),
            ("--every 0", "1.."),
            ("--tolerance -1", "not negative"),
            ("--tolerance nan", "not negative"),
            ("--limit 0", "1..=86400"),
            ("--mode fused", "host, stream, device"),
            ("--mode host --compare", "--compare"),
        ] {
            let text = complaint(line);
            assert!(text.contains(part) && !text.contains('\n'), "{line}: {text}");
        }
    }
}

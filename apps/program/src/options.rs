//! Options that programs have in common.

use crate::job::{is_emulated, refuse, to_all};
use crate::modes::Mode;
use anyhow::Result;
use clap::ValueEnum;
use cushmem::Shmem;
use std::time::Duration;

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Type {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

impl Type {
    /// The type's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The size of a value in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => size_of::<f32>(),
            Self::F64 => size_of::<f64>(),
        }
    }
}

impl std::str::FromStr for Type {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        <Self as ValueEnum>::from_str(text, false)
    }
}

/// How a program computes, and how it says what came out.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Options {
    /// Type of the values
    #[arg(long = "type", value_name = "TYPE", value_enum, default_value = "f32")]
    pub element: Type,
    /// How PEs exchange data
    #[arg(long, value_enum, default_value = "auto")]
    mode: Mode,
    /// Compare the result with a serial reference [default: if that takes only a few seconds]
    #[arg(long, overrides_with = "no_verify")]
    verify: bool,
    /// Do not compare the result with a serial reference
    #[arg(long, overrides_with = "verify")]
    no_verify: bool,
    /// Print one line of JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Longest time that a kernel waits for a neighbour, in seconds; must exceed the time of an iteration
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    limit: u32,
    /// Allow kernels that wait for each other even if PEs share a GPU; the waits may be long, because the GPU runs
    /// these kernels in turns
    #[arg(long)]
    share_gpu: bool,
}

impl Options {
    /// Whether to compare the result with the reference; `None` if the user did not say.
    pub fn wants_verification(&self) -> Option<bool> {
        match (self.verify, self.no_verify) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// The longest time that a kernel waits for a neighbour.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }

    /// The mode of a run, the same on all PEs. Ends the job if the user has chosen a mode that does not work here.
    /// Collective.
    pub fn choose_mode(&self, shmem: &Shmem, program: &str) -> Result<Mode> {
        let sharing = most_on_one_gpu(shmem)?;
        let mode = match self.mode {
            Mode::Auto if sharing > 1 => Mode::Host,
            Mode::Auto => Mode::Device,
            mode => mode,
        };
        self.serving(shmem, program, mode, sharing)?;
        Ok(mode)
    }

    /// The modes of a comparison: if the user has chosen none, all that work here. Collective.
    pub fn choose_modes(&self, shmem: &Shmem, program: &str) -> Result<Vec<Mode>> {
        self.serving(shmem, program, self.mode, most_on_one_gpu(shmem)?)
    }

    fn serving(&self, shmem: &Shmem, program: &str, choice: Mode, sharing: u32) -> Result<Vec<Mode>> {
        let modes = choice.serving(sharing, self.share_gpu);
        if modes.is_empty() {
            let why = format!(
                "--mode {}: up to {sharing} PEs share a GPU, which runs their kernels in turns while they wait for \
                 each other; use --mode host or staged, or add --share-gpu to accept that",
                choice.name()
            );
            return refuse(shmem, program, &why);
        }
        if shmem.my_pe() == 0 && sharing > 1 && !modes.iter().all(|mode| mode.waits_on_host()) {
            eprintln!(
                "{program}: warning: up to {sharing} PEs share a GPU: each wait for a neighbour may last a time slice"
            );
        }
        Ok(modes)
    }
}

/// The largest number of PEs that share a GPU. Their kernels run in turns. Kernels on an emulated GPU do not, so it
/// counts as not shared. Collective.
pub fn most_on_one_gpu(shmem: &Shmem) -> Result<u32> {
    let own = if is_emulated(shmem) { 1 } else { shmem.pes_on_my_gpu().unwrap_or(1) };
    Ok(to_all(shmem, [own])?.into_iter().map(|[sharing]| sharing).max().unwrap_or(1))
}

/// Parses numbers from 1 to `MOST` with × or x between them: cells or PEs in each direction.
pub fn numbers<const N: usize, const MOST: u32>(text: &str) -> Result<[u32; N], String> {
    let number = |text: &str| text.parse().ok().filter(|n| (1..=MOST).contains(n));
    let numbers: Option<Vec<u32>> = text.split(['x', 'X', '×']).map(number).collect();
    let wrong = || format!("expected {N} numbers from 1 to {MOST}, like {}", &"2x3x4"[..2 * N - 1]);
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Args {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn verification_is_asked_for_refused_or_left_open() {
        let wants = |line: &str| {
            let words = ["program"].into_iter().chain(line.split_whitespace());
            Args::try_parse_from(words).map(|args| args.options.wants_verification()).ok()
        };
        assert_eq!(wants(""), Some(None));
        assert_eq!(wants("--verify"), Some(Some(true)));
        assert_eq!(wants("--no-verify"), Some(Some(false)));
        assert_eq!(wants("--verify --no-verify"), Some(Some(false)));
    }

    #[test]
    fn numbers_are_in_their_range_and_as_many_as_are_wanted() {
        assert_eq!(numbers::<2, 9>("2x3"), Ok([2, 3]));
        assert_eq!(numbers::<3, 9>("2×3X9"), Ok([2, 3, 9]));
        for wrong in ["", "2", "0x3", "2x10", "2x3x4", "2xx"] {
            assert_eq!(numbers::<2, 9>(wrong), Err("expected 2 numbers from 1 to 9, like 2x3".into()), "{wrong}");
        }
    }
}

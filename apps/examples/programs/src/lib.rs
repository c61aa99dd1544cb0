//! What the small programs share: who does the work, how PEs combine their values, and how the result is reported.
#![forbid(unsafe_code)]

pub mod graph500;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use cushmem::{Arithmetic, Reduction, Shmem, SymSlice};
use cushmem_program::{gpu_name, say};
use serde::Serialize;
use serde_json::Value;
use std::time::Instant;

/// Who does the work, and in which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Kernels, in GPU memory
    Gpu,
    /// CPUs, in host memory
    Cpu,
}

/// The way that the user chose, or both ways if there are GPUs. Collective.
pub fn ways(shmem: &Shmem, chosen: Option<By>) -> Result<Vec<By>> {
    Ok(match chosen {
        Some(by) => vec![by],
        None if have_gpus(shmem)? => vec![By::Gpu, By::Cpu],
        None => vec![By::Cpu],
    })
}

/// The reduction of all PEs' values. Collective.
pub fn combined<T: Arithmetic>(shmem: &Shmem, reduction: Reduction, value: T) -> Result<T> {
    let word = shmem.malloc(1)?;
    let result = combined_in(shmem, word, reduction, value)?;
    shmem.free(word)?;
    Ok(result)
}

/// The reduction of all PEs' values in the caller's symmetric word, because an allocation would be timed too.
/// Collective.
pub fn combined_in<T: Arithmetic>(shmem: &Shmem, word: SymSlice<'_, T>, reduction: Reduction, value: T) -> Result<T> {
    word.copy_from(&[value])?;
    shmem.reduce(shmem.team_world(), reduction, word, word)?;
    Ok(word.to_vec()?[0])
}

/// The number of PEs, in words.
pub fn n_pes(shmem: &Shmem) -> String {
    let n = shmem.n_pes();
    format!("{n} PE{}", if n == 1 { "" } else { "s" })
}

/// The sum of all PEs' counts. Collective.
pub fn total(shmem: &Shmem, count: usize) -> Result<u64> {
    combined(shmem, Reduction::Sum, count as u64)
}

/// Seconds that `work` takes on the slowest PE; all PEs start together. Collective.
pub fn seconds(shmem: &Shmem, work: impl FnOnce() -> Result<()>) -> Result<f64> {
    shmem.barrier_all()?;
    let start = Instant::now();
    work()?;
    combined(shmem, Reduction::Max, start.elapsed().as_secs_f64())
}

/// How often what is short is timed, after a first pass that is not.
pub const PASSES: usize = 3;

/// Whether all PEs have a GPU. Collective.
pub fn have_gpus(shmem: &Shmem) -> Result<bool> {
    Ok(combined(shmem, Reduction::Min, u32::from(shmem.gpu().is_some()))? == 1)
}

/// Whether some PE has no real GPU, in which case sizes, which must be the same on all PEs, should be small.
/// Collective.
pub fn is_emulated(shmem: &Shmem) -> Result<bool> {
    let here = shmem.gpu().is_none_or(|gpu| gpu.emulated);
    Ok(combined(shmem, Reduction::Max, u32::from(here))? == 1)
}

/// PE 0 prints the result, as text or as a line of JSON; the job fails if the result is wrong. Collective.
pub fn tell(shmem: &Shmem, json: bool, text: &str, mut row: Value, is_right: bool) -> Result<()> {
    if shmem.my_pe() == 0 {
        row["verified"] = is_right.into();
        row["gpu"] = gpu_name(shmem).into();
        match json {
            true => say(&row.to_string())?,
            false => say(&format!("{text}, {}", if is_right { "verified" } else { "WRONG" }))?,
        }
    }
    // No PE ends the job before the line has been written.
    shmem.barrier_all()?;
    ensure!(is_right, "the result is wrong");
    Ok(())
}

/// Three significant figures, without an exponent.
pub fn figures(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(2 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

//! Settings from the environment.

use crate::{Error, Result};
use std::env;

/// Which GPU a PE uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GpuChoice {
    /// NVIDIA if there is one, else the emulation.
    Auto,
    Cuda,
    Soft,
    None,
}

/// What the user chose, with defaults filled in.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// `CUSHMEM_GPU`
    pub gpu: GpuChoice,
    /// `SHMEM_SYMMETRIC_SIZE`: most bytes of symmetric host memory a PE can allocate.
    pub host_heap_bytes: u64,
    /// `CUSHMEM_GPU_HEAP_SIZE`: the same for GPU memory; the default is what the GPU has.
    pub gpu_heap_bytes: Option<u64>,
}

const DEFAULT_HOST_HEAP_BYTES: u64 = 4 << 30;
/// A symmetric heap holds at least the library's own words; beyond the upper bound no address space could hold a job.
const HEAP_BYTES_RANGE: std::ops::RangeInclusive<u64> = (1 << 20)..=(1 << 42);

impl Config {
    pub(crate) fn from_env() -> Result<Self> {
        let gpu = match text("CUSHMEM_GPU")?.as_deref() {
            None | Some("" | "auto") => GpuChoice::Auto,
            Some("cuda") => GpuChoice::Cuda,
            Some("soft") => GpuChoice::Soft,
            Some("none") => GpuChoice::None,
            Some(other) => {
                return Err(Error::new("read CUSHMEM_GPU", format!("`{other}` is not one of auto, cuda, soft, none")));
            }
        };
        Ok(Self {
            gpu,
            host_heap_bytes: heap_bytes("SHMEM_SYMMETRIC_SIZE")?.unwrap_or(DEFAULT_HOST_HEAP_BYTES),
            gpu_heap_bytes: heap_bytes("CUSHMEM_GPU_HEAP_SIZE")?,
        })
    }
}

fn text(variable: &str) -> Result<Option<String>> {
    match env::var(variable) {
        Ok(text) => Ok(Some(text)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(Error::new(format!("read {variable}"), "it is not valid UTF-8")),
    }
}

fn heap_bytes(variable: &str) -> Result<Option<u64>> {
    let Some(text) = text(variable)?.filter(|t| !t.is_empty()) else { return Ok(None) };
    match parse_bytes(&text) {
        Some(bytes) if HEAP_BYTES_RANGE.contains(&bytes) => Ok(Some(bytes)),
        Some(bytes) => Err(Error::new(format!("read {variable}"), format!("{bytes} bytes are not in 1M..=4T"))),
        None => Err(Error::new(
            format!("read {variable}"),
            format!("`{text}` is not a size: a number, with a fraction if you like, and K, M, G or T (powers of 1024)"),
        )),
    }
}

/// A size as OpenSHMEM writes it (1.6, section 8): `1.5G`, `512m`, `1048576`.
fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, shift) = match text.chars().last()?.to_ascii_uppercase() {
        'K' => (&text[..text.len() - 1], 10),
        'M' => (&text[..text.len() - 1], 20),
        'G' => (&text[..text.len() - 1], 30),
        'T' => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    let value: f64 = number.trim().parse().ok()?;
    let bytes = (value * (1u64 << shift) as f64).ceil();
    (number.starts_with(|c: char| c.is_ascii_digit() || c == '.') && bytes.is_finite() && bytes <= 2f64.powi(60))
        .then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::parse_bytes;

    #[test]
    fn sizes_with_suffix_and_fraction() {
        for (text, bytes) in
            [("1048576", 1 << 20), ("1m", 1 << 20), ("1.5G", 3 << 29), (".5K", 512), (" 2T ", 2 << 40), ("0.1", 1)]
        {
            assert_eq!(parse_bytes(text), Some(bytes), "{text}");
        }
    }

    #[test]
    fn nonsense_is_no_size() {
        for text in ["", "K", "-1M", "1MB", "inf", "nan", "1e300", "0x10", "+1", "1 2"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
    }
}

//! The settings that the library reads when it starts. `shmem-info` shows the same ones.

use crate::bytes::after_multiplier;
use crate::{CHECK, EXPLAIN, GPU, NET, NET_LIMIT_S, NODES, P2P, SYMMETRIC_SIZE, Variable, parse_heap_bytes, text_of};
use std::fmt;
use std::time::Duration;

/// A value that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// The name of the variable that is set.
    pub variable: String,
    /// What is wrong with its value.
    pub cause: String,
}

impl BadValue {
    pub(crate) fn of(variable: &Variable, cause: impl Into<String>) -> Self {
        Self { variable: variable.name_in_use(), cause: cause.into() }
    }
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read {}: {}", self.variable, self.cause)
    }
}

impl std::error::Error for BadValue {}

/// Which GPU a PE uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuChoice {
    /// An NVIDIA GPU if there is one, otherwise the emulation.
    Auto,
    /// An NVIDIA GPU.
    Cuda,
    /// The emulation.
    Soft,
    /// No GPU.
    None,
}

impl GpuChoice {
    /// All choices.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Cuda, Self::Soft, Self::None];

    /// Returns the word that the user writes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cuda => "cuda",
            Self::Soft => "soft",
            Self::None => "none",
        }
    }
}

/// The value of `CUSHMEM_GPU`.
pub fn gpu_choice() -> Result<GpuChoice, BadValue> {
    given(&GPU)?.map_or(Ok(GpuChoice::Auto), |text| parse_gpu_choice(&text))
}

fn parse_gpu_choice(text: &str) -> Result<GpuChoice, BadValue> {
    let named = GpuChoice::ALL.into_iter().find(|choice| choice.name() == text);
    let cause = || format!("`{}` is not one of auto, cuda, soft, none", text.escape_debug());
    named.ok_or_else(|| BadValue::of(&GPU, cause()))
}

/// Which huge pages the host heap has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HugePages {
    /// Those that the system gives to shared memory that asks for them.
    Auto,
    /// None.
    Never,
    /// Those that the administrator has reserved.
    Reserved,
}

impl HugePages {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Never, Self::Reserved];

    /// Returns the word that the user writes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Never => "never",
            Self::Reserved => "reserved",
        }
    }
}

/// The value of `CUSHMEM_HUGE_PAGES`.
pub fn huge_pages() -> Result<HugePages, BadValue> {
    given(&crate::HUGE_PAGES)?.map_or(Ok(HugePages::Auto), |text| parse_huge_pages(&text))
}

fn parse_huge_pages(text: &str) -> Result<HugePages, BadValue> {
    let named = HugePages::ALL.into_iter().find(|choice| choice.name() == text);
    let cause = || format!("`{}` is not one of auto, never, reserved", text.escape_debug());
    named.ok_or_else(|| BadValue::of(&crate::HUGE_PAGES, cause()))
}

/// `CUSHMEM_COMMAND_PROCESSOR`: whether the GPU of a PE has a command processor.
pub fn command_processor() -> Result<bool, BadValue> {
    on_or_off(&crate::COMMAND_PROCESSOR)
}

/// `CUSHMEM_CHECK`: whether the library checks for wrong uses of symmetric memory.
pub fn check() -> Result<bool, BadValue> {
    on_or_off(&CHECK)
}

/// What PE 0 explains when it leaves the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explain {
    /// Nothing.
    Nothing,
    /// What it did, and why its operations took their paths.
    Done,
    /// All paths that operations can take.
    All,
}

/// `CUSHMEM_EXPLAIN`.
pub fn explain() -> Result<Explain, BadValue> {
    match given(&EXPLAIN)?.as_deref() {
        None | Some("0") => Ok(Explain::Nothing),
        Some("1") => Ok(Explain::Done),
        Some("all") => Ok(Explain::All),
        Some(other) => Err(BadValue::of(&EXPLAIN, format!("`{}` is not 0, 1 or all", other.escape_debug()))),
    }
}

/// `CUSHMEM_STATS`: whether a PE counts what it does.
pub fn stats() -> Result<bool, BadValue> {
    on_or_off(&crate::STATS)
}

/// `CUSHMEM_FLUSH`: whether host barriers flush standard output.
pub fn flushes_at_barriers() -> Result<bool, BadValue> {
    match given(&crate::FLUSH)?.as_deref() {
        None | Some("never") => Ok(false),
        Some("barrier") => Ok(true),
        Some(other) => {
            Err(BadValue::of(&crate::FLUSH, format!("`{}` is not one of never, barrier", other.escape_debug())))
        }
    }
}

/// `CUSHMEM_P2P`: whether GPUs reach the memory of other PEs' GPUs.
pub fn p2p() -> Result<bool, BadValue> {
    Ok(given(&P2P)?.is_none() || on_or_off(&P2P)?)
}

fn on_or_off(variable: &Variable) -> Result<bool, BadValue> {
    match given(variable)?.as_deref() {
        None | Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(other) => Err(BadValue::of(variable, format!("`{}` is not 0 or 1", other.escape_debug()))),
    }
}

/// `CUSHMEM_PATH`, if it is set: which paths the user chooses. `cushmem-path` interprets it.
pub fn path() -> Result<Option<String>, BadValue> {
    given(&crate::PATH)
}

/// `CUSHMEM_COSTS`: the name and the text of the file, if it is set. `cushmem-path` interprets the text.
pub fn costs() -> Result<Option<(String, String)>, BadValue> {
    let Some(file) = given(&crate::COSTS)? else { return Ok(None) };
    let bad = |error: std::io::Error| BadValue::of(&crate::COSTS, format!("read `{}`: {error}", file.escape_debug()));
    let text = text_of(&file).map_err(bad)?;
    Ok(Some((file, text)))
}

/// `CUSHMEM_NET`: the network between nodes, which has another default `between_hosts` than between virtual nodes. The
/// transport between the nodes interprets it.
pub fn net(between_hosts: bool) -> Result<String, BadValue> {
    let is_set = NET.raw_value().is_some_and(|value| !value.is_empty());
    if between_hosts && !is_set { Ok("ofi".to_owned()) } else { given(&NET).map(Option::unwrap_or_default) }
}

/// `CUSHMEM_NICS`: the InfiniBand and RoCE devices that may be used; empty if all may.
pub fn nics() -> Result<String, BadValue> {
    given(&crate::NICS).map(Option::unwrap_or_default)
}

/// `CUSHMEM_LIBFABRIC`: the file of libfabric.
pub fn libfabric() -> Result<String, BadValue> {
    given(&crate::LIBFABRIC).map(Option::unwrap_or_default)
}

/// `CUSHMEM_NET_INTERFACE`, if it is set: the network interface for other hosts.
pub fn net_interface() -> Result<Option<String>, BadValue> {
    given(&crate::NET_INTERFACE)
}

/// `CUSHMEM_NET_LIMIT_S`: how long a PE of another node may answer nothing.
pub fn net_limit() -> Result<Duration, BadValue> {
    let text = given(&NET_LIMIT_S)?.unwrap_or_default();
    let seconds = text.trim().parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    let cause = || format!("`{}` is not a number of seconds from 0.01 to 86400", text.escape_debug());
    seconds.map(Duration::from_secs_f64).ok_or_else(|| BadValue::of(&NET_LIMIT_S, cause()))
}

/// `CUSHMEM_NODES`: the number of virtual nodes. The caller, which knows the number of PEs, checks that it is not
/// larger.
pub fn nodes() -> Result<u32, BadValue> {
    let Some(text) = given(&NODES)? else { return Ok(1) };
    let nodes = text.parse().ok().filter(|nodes| *nodes >= 1);
    let cause = || format!("`{}` is not a number from 1 to the number of PEs", text.escape_debug());
    nodes.ok_or_else(|| BadValue::of(&NODES, cause()))
}

/// `CUSHMEM_COPY_THREADS`: how many threads may copy pageable memory; `None` leaves the number to the library.
pub fn copy_threads() -> Result<Option<usize>, BadValue> {
    let Some(text) = given(&crate::COPY_THREADS)? else { return Ok(None) };
    let threads = text.parse().ok().filter(|threads| (1..=8).contains(threads));
    let cause = || format!("`{}` is not a number from 1 to 8", text.escape_debug());
    threads.map(Some).ok_or_else(|| BadValue::of(&crate::COPY_THREADS, cause()))
}

/// `CUSHMEM_TEAMS`: how many teams a PE can be a member of at a time.
pub fn teams() -> Result<u16, BadValue> {
    let text = given(&crate::TEAMS)?.unwrap_or_default();
    let teams = text.parse().ok().filter(|teams| (64..=1024).contains(teams));
    let cause = || format!("`{}` is not a number from 64 to 1024", text.escape_debug());
    teams.ok_or_else(|| BadValue::of(&crate::TEAMS, cause()))
}

/// `CUSHMEM_TRACE_BLOCKS`: of how many blocks of a kernel one is in a timeline; 0 for none.
pub fn trace_blocks() -> Result<u32, BadValue> {
    let text = given(&crate::TRACE_BLOCKS)?.unwrap_or_default();
    let blocks = text.parse().ok().filter(|blocks| *blocks <= 65536);
    let cause = || format!("`{}` is not a number from 0 to 65536", text.escape_debug());
    blocks.ok_or_else(|| BadValue::of(&crate::TRACE_BLOCKS, cause()))
}

/// `SHMEM_SYMMETRIC_SIZE`: how many bytes of symmetric host memory a PE can allocate.
pub fn host_heap_bytes() -> Result<u64, BadValue> {
    heap_bytes(&SYMMETRIC_SIZE).map(Option::unwrap_or_default)
}

/// `CUSHMEM_GPU_HEAP_SIZE`: the same for GPU memory; `None` means all memory of the GPU.
pub fn gpu_heap_bytes() -> Result<Option<u64>, BadValue> {
    heap_bytes(&crate::GPU_HEAP_SIZE)
}

fn heap_bytes(variable: &Variable) -> Result<Option<u64>, BadValue> {
    let bytes = given(variable)?.map(|text| parse_heap_bytes(&text)).transpose();
    bytes.map_err(|cause| BadValue::of(variable, cause))
}

/// Warnings about parts of values that are ignored.
pub fn ignored() -> Vec<String> {
    let warning = |variable: &Variable| {
        let text = given(variable).ok()??;
        let rest = after_multiplier(&text)?.escape_debug();
        Some(format!(
            "{}: `{rest}` after the multiplier of `{}` is ignored",
            variable.name_in_use(),
            text.escape_debug()
        ))
    };
    [&SYMMETRIC_SIZE, &crate::GPU_HEAP_SIZE].into_iter().filter_map(warning).collect()
}

/// Returns the variable's value or, if it is not set or empty, its default.
fn given(variable: &Variable) -> Result<Option<String>, BadValue> {
    let value = variable.raw_value().map(|value| value.into_string()).transpose();
    let value = value.map_err(|_| BadValue::of(variable, "it is not valid UTF-8"))?;
    Ok(value.filter(|text| !text.is_empty()).or_else(|| variable.default_value().map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_the_table_is_accepted() {
        let choices: Vec<&str> = GPU.values.split(", ").map(|v| v.trim_matches('`')).collect();
        let parsed: Vec<_> = choices.iter().map(|c| parse_gpu_choice(c).unwrap()).collect();
        assert_eq!(parsed, [GpuChoice::Auto, GpuChoice::Cuda, GpuChoice::Soft, GpuChoice::None]);
        assert_eq!(GPU.default_value(), Some("auto"));
        let error = parse_gpu_choice("yes").unwrap_err().to_string();
        assert_eq!(error, "read CUSHMEM_GPU: `yes` is not one of auto, cuda, soft, none");
    }

    #[test]
    fn every_kind_of_huge_pages_of_the_table_is_accepted() {
        let choices = crate::HUGE_PAGES.values.split(", ").map(|v| v.trim_matches('`'));
        let parsed: Vec<_> = choices.map(|c| parse_huge_pages(c).unwrap()).collect();
        assert_eq!(parsed, HugePages::ALL);
        assert_eq!(crate::HUGE_PAGES.default_value(), Some(HugePages::Auto.name()));
        let error = parse_huge_pages("1").unwrap_err().to_string();
        assert_eq!(error, "read CUSHMEM_HUGE_PAGES: `1` is not one of auto, never, reserved");
    }
}

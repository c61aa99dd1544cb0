//! The costs that come with the library, as files: those in `costs`, one for any machine and one for each kind of machine that was measured.

use crate::cost::{Costs, GpuLink};
use crate::measured::Measured;

/// docs/perf: the machine with four H200.
const H200: &str = "measured: docs/perf, 2026-11-20-h200x4";
const TWO_CORES: &str = "measured: process_vm_writev on the two-core machine of docs/perf";
const SUM: &str = "the sum of its two steps";
const LONGEST: &str = "start: the sum of its steps; bandwidth: the slowest one's";
const ASSUMED: &str = "assumed, not measured";

/// `host_put_hh` and `store_visible` of 8 bytes, `host_put_bw_hh` of 1 MiB.
const LOADS_AND_STORES: Cost = Cost::figure(4.0, 154.0, 27.6);
/// One lane until its peer sees it (`dev_p_pingpong`); the bandwidth of one block.
const KERNEL: Cost = Cost::figure(20.0, 673.0, 46.0);
const KERNEL_PCIE: Cost = Cost::figure(20.0, 1_500.0, 10.0);
/// A launch in a stream behind others, and from then until a launched kernel has run.
pub(crate) const LAUNCH: Cost = Cost::figure(2_600.0, 5_300.0, 1e9);
/// `stream_put` of 8 bytes in a row, and the rest of `host_put_quiet`.
const ENGINE_START: (f64, f64) = (1_800.0, 5_200.0);
const ENGINE_NVLINK: Cost = Cost::figure(ENGINE_START.0, ENGINE_START.1, 392.0);
const ENGINE_PCIE: Cost = Cost::figure(ENGINE_START.0, ENGINE_START.1, 25.0);
const ENGINE_PINNED: Cost = Cost::figure(ENGINE_START.0, ENGINE_START.1, 55.0);
/// The driver copies pageable memory through buffers of its own.
const ENGINE_PAGEABLE: Cost = Cost::figure(ENGINE_START.0, ENGINE_START.1, 11.0);
/// `host_put_quiet` of 8 bytes to 64 KiB by the GPU agent.
const AGENT: Cost = Cost::figure(200.0, 3_400.0, 30.0);
const AGENT_PINNED: Cost = Cost::figure(200.0, 3_300.0, 10.0);
/// The CPU copies through a chunk.
const AGENT_PAGEABLE: Cost = Cost::figure(200.0, 3_300.0, 7.0);
/// A store over PCI Express.
const BAR_STORES: Cost = Cost::figure(100.0, 700.0, 7.0);
/// Each load waits for the one before.
const BAR_LOADS: Cost = Cost::figure(100.0, 1_500.0, 0.3);
const SYSTEM_COPIES: Cost = Cost::figure(1_580.0, 0.0, 12.0);
/// A NIC of 200 Gbit/s.
const NIC: Cost = Cost::figure(300.0, 2_000.0, 24.0);
const NIC_ON_GPU: Cost = Cost::figure(300.0, 2_500.0, 20.0);
/// A command's way to a proxy that is awake, and the answer (`proxy_roundtrip`).
pub(crate) const COMMAND: Cost = Cost::figure(200.0, 3_000.0, 10.0);
/// A stream that is held until lanes let it go, with a copy of 8 bytes behind (`trigger_stream`).
const HELD: Cost = Cost::figure(0.0, 8_400.0, f64::MAX);
/// `staged_put` of 8 bytes, and `staged_bw` of 64 MiB, through memory that both PEs map.
const STAGED_HERE: Cost = Cost::figure(300.0, 18_000.0, 40.7);
/// The machine with two H200, whose GPUs were kept from each other.
const KERNELS_COMMAND: &str = "a kernel's command; measured: docs/perf, 2026-11-22-h200x2-staged";
const TWO_H200: &str = "measured: docs/perf, 2026-11-22-h200x2-staged";

/// How staged copies are cut, on one node and between nodes.
pub(crate) const CHUNKS_HERE: Chunks = Chunks { bytes: 2 << 20, depth: 16 };
pub(crate) const CHUNKS_FAR: Chunks = Chunks { bytes: 256 << 10, depth: 16 };

/// What staged copies cost on one node.
pub(crate) fn staged_here() -> Figure {
    Figure { cost: STAGED_HERE, source: TWO_H200.into() }
/// A file.
#[derive(Debug, PartialEq)]
pub(crate) struct Shipped {
    /// What a GPU's name has in it, if the file is of such.
    pub gpu: &'static str,
    text: &'static str,
}

/// Every path, on any machine.
pub(crate) const ANY: Shipped = Shipped { gpu: "", text: include_str!("../costs/any.costs") };
/// The only machine yet whose GPUs are joined by NVLink, so it stands for all of them. What it does not tell is as on any machine.
pub(crate) const NVLINK: Shipped = Shipped { gpu: "H200", text: include_str!("../costs/h200.costs") };

impl Shipped {
    /// The one for GPUs that are joined like this.
    pub(crate) const fn of(link: GpuLink) -> &'static Self {
        match link {
            GpuLink::NvLink => &NVLINK,
            GpuLink::Pcie => &ANY,
        }
    }

    pub(crate) fn apply(&self, costs: &mut Costs) {
        // A test reads all of them.
        Measured::parse("a shipped file", self.text).unwrap_or_else(|e| panic!("{e}")).replace(costs);
    }

/// What a path costs between two kinds of memory.
pub(crate) fn figure(path: Path, from: LocalKind, to: LocalKind, link: GpuLink) -> Figure {
    let both_gpu = from == Gpu && to == Gpu;
    let (cost, source) = match path {
        Path::Mapped => (LOADS_AND_STORES, H200),
        Path::GpuDirect if both_gpu && link == GpuLink::NvLink => (KERNEL, H200),
        Path::GpuDirect => (KERNEL_PCIE, ASSUMED),
        Path::CopyEngine => engine(from, to, link),
        Path::GpuAgent if both_gpu => (AGENT, H200),
        Path::GpuAgent if from == Pageable || to == Pageable => (AGENT_PAGEABLE, H200),
        Path::GpuAgent => (AGENT_PINNED, H200),
        Path::Bar if from == Gpu => (BAR_LOADS, ASSUMED),
        Path::Bar => (BAR_STORES, ASSUMED),
        Path::CrossMemory => (SYSTEM_COPIES, TWO_CORES),
        // The buffer between them is not pinned.
        Path::CrossMemoryStaged => (ENGINE_PAGEABLE.then(SYSTEM_COPIES), SUM),
        Path::Nic => (NIC, ASSUMED),
        Path::Gdr => (NIC_ON_GPU, ASSUMED),
        Path::Staged => (ENGINE_PINNED.pipelined(NIC).pipelined(ENGINE_PINNED), LONGEST),
        Path::Proxy => (COMMAND, KERNELS_COMMAND),
    };
    Figure { cost, source: source.into() }
    /// Which costs these are, in words, for a PE with a GPU of this name.
    pub(crate) fn told(&self, gpu: Option<&str>) -> String {
        match (self.gpu, gpu) {
            ("", _) => "those for any machine, which come with the library".to_owned(),
            (known, Some(name)) if !name.contains(known) => {
                format!("those of {known}, which come with the library, as nobody has measured {name}")
            }
            (known, _) => format!("those of {known}, which come with the library"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches figures of another GPU that are not said to be of another one.
    #[test]
    fn a_gpu_that_nobody_measured_is_named() {
        let told = |link, gpu| Costs::shipped(link).table(gpu);
        let end = "which come with the library (shmem-tune measures this machine's)";
        assert_eq!(told(GpuLink::NvLink, Some("NVIDIA H200")), format!("costs: those of H200, {end}"));
        assert_eq!(told(GpuLink::NvLink, None), format!("costs: those of H200, {end}"));
        assert_eq!(
            told(GpuLink::NvLink, Some("NVIDIA A100")),
            "costs: those of H200, which come with the library, as nobody has measured NVIDIA A100 (shmem-tune measures this machine's)"
        );
        assert_eq!(told(GpuLink::Pcie, Some("NVIDIA H200")), format!("costs: those for any machine, {end}"));
    }
}

//! Cores and memory.

use cushmem_topology::{CpuSet, Machine};
use serde::Serialize;
use std::path::Path;

/// The part of the machine that this process may use.
#[derive(Serialize)]
pub struct MachineReport {
    /// Why the machine is unknown, if it is.
    pub reason: Option<String>,
    pub numa_nodes: Vec<Node>,
    /// Hardware threads that this process may use, up to its quota.
    pub usable_cpus: usize,
    /// The quota of the control group, in thousandths of a CPU.
    pub quota_milli_cpus: Option<u64>,
    pub memory_bytes: Option<u64>,
}

/// One NUMA node.
#[derive(Serialize)]
pub struct Node {
    pub node: u32,
    /// Physical cores.
    pub cores: usize,
    /// Their hardware threads, as a list such as `0-3,8`.
    pub cpus: String,
}

impl MachineReport {
    /// Examines this machine.
    pub fn discover() -> Self {
        let memory_bytes = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_bytes(&text));
        match Machine::discover(Path::new("/")) {
            Ok(machine) => Self { memory_bytes, ..Self::of(&machine) },
            Err(error) => Self {
                reason: Some(error.to_string()),
                numa_nodes: vec![],
                usable_cpus: std::thread::available_parallelism().map_or(1, usize::from),
                quota_milli_cpus: None,
                memory_bytes,
            },
        }
    }

    fn of(machine: &Machine) -> Self {
        // Cores are sorted by node.
        let nodes = machine.cores.chunk_by(|a, b| a.numa_node == b.numa_node).map(|cores| Node {
            node: cores[0].numa_node,
            cores: cores.len(),
            cpus: cores.iter().flat_map(|core| core.cpus.iter()).collect::<CpuSet>().to_string(),
        });
        Self {
            reason: None,
            numa_nodes: nodes.collect(),
            usable_cpus: machine.usable_cpus(),
            quota_milli_cpus: machine.quota_milli_cpus,
            memory_bytes: None,
        }
    }
}

/// `MemTotal` of `/proc/meminfo`, which counts in units of 1024 bytes.
fn total_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_topology::Core;

    #[test]
    fn cores_are_counted_by_node() {
        let core = |numa_node, cpus: &str| Core { numa_node, package: 0, cpus: cpus.parse().unwrap() };
        let cores = vec![core(0, "0,4"), core(0, "1,5"), core(1, "2")];
        let report = MachineReport::of(&Machine { cores, quota_milli_cpus: Some(2500) });
        let nodes: Vec<_> = report.numa_nodes.iter().map(|n| (n.node, n.cores, n.cpus.as_str())).collect();
        assert_eq!(nodes, [(0, 2, "0-1,4-5"), (1, 1, "2")]);
        assert_eq!(report.usable_cpus, 3);
    }

    #[test]
    fn memory_is_read() {
        assert_eq!(total_bytes("MemTotal:       16384 kB\nMemFree: 1 kB\n"), Some(16 << 20));
        assert_eq!(total_bytes("MemFree: 1 kB\n"), None);
    }
}

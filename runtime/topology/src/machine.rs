//! Discovery: what the operating system says about the machine, as plain values.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cpu_list::CpuSet;
use crate::error::{TopologyError, optional};
use crate::quota::quota;

/// A physical core, with those of its hardware threads that this process may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Core {
    /// The NUMA node to which the core belongs; 0 if the operating system names none.
    pub numa_node: u32,
    /// The package (socket); 0 if the operating system names none.
    pub package: u32,
    /// Its hardware threads that this process may use.
    pub cpus: CpuSet,
}

/// The part of the machine that this process may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The physical cores, ordered by NUMA node, package and first CPU. Never empty.
    pub cores: Vec<Core>,
    /// The control group's limit on CPU time, in thousandths of a CPU, if it has one.
    pub quota_milli_cpus: Option<u64>,
}

impl Machine {
    /// Reads `proc/self/{status,cgroup}`, `sys/devices/system/{cpu,node}` and `sys/fs/cgroup` below `root` (`/` on a
    /// real machine).
    ///
    /// Only the list of allowed CPUs is required. If the siblings of a CPU are unknown, it counts as a core of its own;
    /// if NUMA nodes are unknown, all cores belong to node 0.
    pub fn discover(root: &Path) -> Result<Machine, TopologyError> {
        let allowed = allowed_cpus(root)?;
        let nodes = numa_nodes(&root.join("sys/devices/system/node"))?;
        let mut cores: Vec<Core> = Vec::new();
        for cpu in allowed.iter() {
            // A sibling has listed this CPU already. No CPU belongs to two cores, whatever the files say.
            if cores.iter().any(|core| core.cpus.contains(cpu)) {
                continue;
            }
            let topology = root.join(format!("sys/devices/system/cpu/cpu{cpu}/topology"));
            let siblings = match optional::<CpuSet>(&topology.join("core_cpus_list"))? {
                Some(siblings) => Some(siblings),
                None => optional::<CpuSet>(&topology.join("thread_siblings_list"))?,
            };
            let siblings = siblings.filter(|s| s.contains(cpu)).unwrap_or_else(|| CpuSet::from_iter([cpu]));
            let untaken = |sibling: &u32| !cores.iter().any(|core| core.cpus.contains(*sibling));
            let cpus = siblings.intersection(&allowed).iter().filter(untaken).collect();
            let package = optional::<i64>(&topology.join("physical_package_id"))?;
            let package = package.and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
            let numa_node = nodes.iter().find(|(_, cpus)| cpus.contains(cpu)).map_or(0, |(node, _)| *node);
            cores.push(Core { numa_node, package, cpus });
        }
        cores.sort_by_key(|core| (core.numa_node, core.package, core.cpus.iter().next()));
        Ok(Machine { cores, quota_milli_cpus: quota(root)? })
    }

    /// Returns the hardware threads that this process may use.
    pub fn cpus(&self) -> CpuSet {
        self.cores.iter().flat_map(|core| core.cpus.iter()).collect()
    }

    /// Returns how many of them the quota pays for, at least one.
    pub fn usable_cpus(&self) -> usize {
        self.usable_of(&self.cpus())
    }

    /// Returns how many of a given set of hardware threads, such as those of all PEs together, the quota pays for, at
    /// least one.
    pub fn usable_of(&self, cpus: &CpuSet) -> usize {
        let paid = self.quota_milli_cpus.and_then(|milli| usize::try_from(milli.div_ceil(1000)).ok());
        cpus.len().min(paid.unwrap_or(usize::MAX)).max(1)
    }
}

/// Returns the CPUs that are allowed and online. The allowed CPUs include those that are switched off or not plugged
/// in.
fn allowed_cpus(root: &Path) -> Result<CpuSet, TopologyError> {
    let status = root.join("proc/self/status");
    let text = std::fs::read_to_string(&status)
        .map_err(|error| TopologyError::Read { path: status.clone(), cause: error.to_string() })?;
    let parse = |cause| TopologyError::Parse { path: status.clone(), cause };
    let list = text
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .ok_or_else(|| parse("no line 'Cpus_allowed_list:'".into()))?;
    let allowed = list.parse::<CpuSet>().map_err(parse)?;
    if allowed.is_empty() {
        return Err(parse("'Cpus_allowed_list:' is empty".into()));
    }
    let online = optional::<CpuSet>(&root.join("sys/devices/system/cpu/online"))?;
    let both = online.map(|online| online.intersection(&allowed)).filter(|both| !both.is_empty());
    Ok(both.unwrap_or(allowed))
}

fn numa_nodes(folder: &Path) -> Result<BTreeMap<u32, CpuSet>, TopologyError> {
    let mut nodes = BTreeMap::new();
    for number in optional::<CpuSet>(&folder.join("online"))?.unwrap_or_default().iter() {
        if let Some(cpus) = optional::<CpuSet>(&folder.join(format!("node{number}/cpulist")))? {
            nodes.insert(number, cpus);
        }
    }
    Ok(nodes)
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;

//! Which CPUs each place gets, and whether the machine has enough of them.

use std::path::Path;

use cushmem_bootstrap::virtual_nodes::sizes;
use cushmem_topology::{Core, CpuSet, Machine, Sharing};

/// The CPUs that this machine gives to its places. A place is the index of a PE among the PEs of its machine.
pub struct Binding {
    /// The CPUs of each place, in both notations; empty if PEs are not bound.
    pub shares: Vec<Share>,
    /// The number of places on each NUMA node, in the order of the places; empty if the machine is unknown.
    pub per_node: Vec<u32>,
    /// Whether the machine has fewer hardware threads than PEs, or shares them with other programs.
    pub oversubscribed: bool,
    /// A message to the user if PEs should be bound but cannot be.
    pub note: Option<String>,
}

/// The CPUs of a place.
pub struct Share {
    /// As a list, for display.
    pub cpus: CpuSet,
    /// As a mask, for the operating system.
    pub mask: nix::sched::CpuSet,
}

/// Examines this machine and divides its CPUs between the places; does not if they are `shared` with other programs.
pub fn choose(n_pes: u32, bind: bool, shared: bool) -> Binding {
    let machine = match Machine::discover(Path::new("/")) {
        Ok(machine) => machine,
        Err(error) => {
            // An unknown machine is treated as crowded: yielding too early costs less than spinning on the only core of
            // another PE.
            return Binding {
                shares: Vec::new(),
                per_node: Vec::new(),
                oversubscribed: shared || n_pes > 1,
                note: Some(format!("PEs are not bound: {error}")),
            };
        }
    };
    let oversubscribed = shared || n_pes as usize > machine.usable_cpus();
    let sharing = if oversubscribed { Sharing::Unbound } else { Sharing::new(&machine, n_pes as usize) };
    let per_node = per_node(&machine, &sharing, n_pes);
    let shares = match sharing {
        Sharing::Disjoint(sets) if bind => sets.into_iter().map(share).collect(),
        Sharing::Disjoint(_) | Sharing::Unbound => Ok(Vec::new()),
    };
    match shares {
        Ok(shares) => Binding { shares, per_node, oversubscribed, note: None },
        Err(note) => Binding { shares: Vec::new(), per_node, oversubscribed, note: Some(note) },
    }
}

/// The number of places on each NUMA node: the places that have cores there, or equal parts if places have no cores of
/// their own.
fn per_node(machine: &Machine, sharing: &Sharing, n_pes: u32) -> Vec<u32> {
    let nodes: Vec<_> = machine.cores.chunk_by(|a, b| a.numa_node == b.numa_node).collect();
    let Sharing::Disjoint(sets) = sharing else { return sizes(n_pes, nodes.len() as u32) };
    let is_on = |set: &&CpuSet, node: &[Core]| {
        // A place on several nodes counts for its first.
        set.iter().next().is_some_and(|first| node.iter().any(|core| core.cpus.contains(first)))
    };
    nodes.iter().map(|node| sets.iter().filter(|set| is_on(set, node)).count() as u32).collect()
}

fn share(cpus: CpuSet) -> Result<Share, String> {
    let mut mask = nix::sched::CpuSet::new();
    for cpu in cpus.iter() {
        mask.set(cpu as usize).map_err(|_| {
            format!("PEs are not bound: CPU {cpu} is over the limit of {}", nix::sched::CpuSet::count())
        })?;
    }
    Ok(Share { cpus, mask })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_on_their_nodes() {
        let core = |cpu: u32| Core { numa_node: cpu / 4, package: 0, cpus: CpuSet::from_iter([cpu]) };
        let machine = Machine { cores: (0..8).map(core).collect(), quota_milli_cpus: None };
        let counts = |n_pes: u32| per_node(&machine, &Sharing::new(&machine, n_pes as usize), n_pes);
        assert_eq!(counts(1), [1, 0]);
        assert_eq!(counts(3), [2, 1]);
        assert_eq!(counts(8), [4, 4]);
        assert_eq!(counts(9), [5, 4], "more PEs than cores");
    }
    /// Catches PEs that spin while sharing hardware threads, and PEs that yield although each has threads of its own.
    #[test]
    fn one_pe_more_than_hardware_threads() {
        let threads = Machine::discover(Path::new("/")).expect("a machine").usable_cpus() as u32;
        assert_eq!([threads, threads + 1].map(|n_pes| choose(n_pes, true, false).oversubscribed), [false, true]);
    }
}

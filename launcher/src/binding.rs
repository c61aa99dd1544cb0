//! Which CPUs each PE gets, and whether there are enough.

use std::path::Path;

use cushmem_topology::{CpuSet, Machine, Sharing};

/// The binding of all PEs.
pub struct Binding {
    /// By PE: its CPUs, in both notations; empty if PEs are not bound.
    pub shares: Vec<Share>,
    /// Whether the machine has fewer hardware threads than PEs.
    pub oversubscribed: bool,
    /// What to tell the user if something keeps PEs from being bound that should be.
    pub note: Option<String>,
}

/// The CPUs of a PE.
pub struct Share {
    /// For people.
    pub cpus: CpuSet,
    /// For the kernel.
    pub mask: nix::sched::CpuSet,
}

/// Finds out what this machine has, and shares it.
pub fn choose(n_pes: u32, bind: bool) -> Binding {
    let machine = match Machine::discover(Path::new("/")) {
        Ok(machine) => machine,
        Err(error) => {
            // Unknown is treated as crowded: yielding too early costs less than spinning on a PE's only core.
            return Binding {
                shares: Vec::new(),
                oversubscribed: n_pes > 1,
                note: Some(format!("PEs are not bound: {error}")),
            };
        }
    };
    let oversubscribed = n_pes as usize > machine.usable_cpus();
    let sharing = if bind && !oversubscribed { Sharing::new(&machine, n_pes as usize) } else { Sharing::Unbound };
    let shares = match sharing {
        Sharing::Unbound => Ok(Vec::new()),
        Sharing::Disjoint(sets) => sets.into_iter().map(share).collect(),
    };
    match shares {
        Ok(shares) => Binding { shares, oversubscribed, note: None },
        Err(note) => Binding { shares: Vec::new(), oversubscribed, note: Some(note) },
    }
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

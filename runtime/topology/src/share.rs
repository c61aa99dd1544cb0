//! How the PEs of a machine share its cores.

use crate::cpu_list::CpuSet;
use crate::machine::{Core, Machine};

/// The cores for each PE of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sharing {
    /// For each local PE, the CPUs of whole physical cores that no other PE has.
    Disjoint(Vec<CpuSet>),
    /// There are fewer physical cores than PEs, so the scheduler places the PEs.
    Unbound,
}

impl Sharing {
    /// Gives each of `n_pes` PEs a contiguous share of the cores. If there are at least as many PEs as NUMA nodes, each
    /// share lies within one node; otherwise it consists of whole nodes.
    ///
    /// PEs are assigned to nodes in order and in proportion to the nodes' cores, so PEs with neighbouring numbers are
    /// close to each other. On a node, the shares differ by at most one core. A node that is too small to earn a PE
    /// stays unused.
    pub fn new(machine: &Machine, n_pes: usize) -> Sharing {
        if n_pes == 0 || n_pes > machine.cores.len() {
            return Sharing::Unbound;
        }
        let nodes: Vec<&[Core]> = machine.cores.chunk_by(|a, b| a.numa_node == b.numa_node).collect();
        let shares = if n_pes < nodes.len() {
            (0..n_pes).map(|pe| cpus_of(nodes[part(nodes.len(), n_pes, pe)].iter().copied().flatten())).collect()
        } else {
            let sizes: Vec<usize> = nodes.iter().map(|cores| cores.len()).collect();
            let counts = proportional(&sizes, n_pes);
            let share = |(cores, count): (&&[Core], usize)| {
                (0..count).map(|pe| cpus_of(&cores[part(cores.len(), count, pe)])).collect::<Vec<_>>()
            };
            nodes.iter().zip(counts).flat_map(share).collect()
        };
        Sharing::Disjoint(shares)
    }
}

/// Returns the `index`-th of `parts` contiguous ranges of `0..len`, whose lengths differ by at most one.
fn part(len: usize, parts: usize, index: usize) -> std::ops::Range<usize> {
    len * index / parts..len * (index + 1) / parts
}

/// Splits `total` in proportion to `sizes`, by largest remainder. If `total` is at most the sum of `sizes`, no count
/// exceeds its size.
fn proportional(sizes: &[usize], total: usize) -> Vec<usize> {
    let sum: usize = sizes.iter().sum();
    let mut counts: Vec<usize> = sizes.iter().map(|size| total * size / sum).collect();
    let mut by_remainder: Vec<usize> = (0..sizes.len()).collect();
    by_remainder.sort_by_key(|&index| std::cmp::Reverse(total * sizes[index] % sum));
    let left = total - counts.iter().sum::<usize>();
    for index in by_remainder.into_iter().take(left) {
        counts[index] += 1;
    }
    counts
}

fn cpus_of<'a>(cores: impl IntoIterator<Item = &'a Core>) -> CpuSet {
    cores.into_iter().flat_map(|core| core.cpus.iter()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with these numbers of single-threaded cores in its nodes.
    fn machine(cores_per_node: &[u32]) -> Machine {
        let mut cores = Vec::new();
        for (node, count) in (0u32..).zip(cores_per_node) {
            for _ in 0..*count {
                let cpus = CpuSet::from_iter([cores.len() as u32]);
                cores.push(Core { numa_node: node, package: node, cpus });
            }
        }
        Machine { cores, quota_milli_cpus: None }
    }

    fn shares(cores_per_node: &[u32], n_pes: usize) -> Vec<String> {
        match Sharing::new(&machine(cores_per_node), n_pes) {
            Sharing::Disjoint(shares) => shares.iter().map(CpuSet::to_string).collect(),
            Sharing::Unbound => vec!["unbound".into()],
        }
    }

    #[test]
    fn shares_stay_within_nodes() {
        assert_eq!(shares(&[4], 1), ["0-3"]);
        assert_eq!(shares(&[4], 3), ["0", "1", "2-3"]);
        assert_eq!(shares(&[4, 4], 1), ["0-7"]);
        assert_eq!(shares(&[4, 4], 2), ["0-3", "4-7"]);
        assert_eq!(shares(&[4, 4], 3), ["0-1", "2-3", "4-7"]);
        assert_eq!(shares(&[2, 6], 4), ["0-1", "2-3", "4-5", "6-7"]);
        assert_eq!(shares(&[6, 2], 4), ["0-1", "2-3", "4-5", "6-7"]);
        assert_eq!(shares(&[1, 7], 2), ["1-3", "4-7"]);
        assert_eq!(shares(&[2, 2, 2, 2], 2), ["0-3", "4-7"]);
        // The first node earns 8/9 of a PE and the second 10/9. The remaining PE goes to the larger remainder, not to
        // the larger node.
        assert_eq!(shares(&[4, 5], 2), ["0-3", "4-8"]);
    }

    #[test]
    fn more_pes_than_cores_are_unbound() {
        assert_eq!(shares(&[2, 2], 5), ["unbound"]);
        assert_eq!(shares(&[2], 0), ["unbound"]);
    }

    #[test]
    fn every_pe_has_a_core_of_its_own_on_every_small_machine() {
        for a in 0..6 {
            for b in 0..6 {
                for c in 0..4 {
                    let machine = machine(&[a, b, c]);
                    for n_pes in 1..=(a + b + c) as usize {
                        let Sharing::Disjoint(shares) = Sharing::new(&machine, n_pes) else { panic!("unbound") };
                        assert_eq!(shares.len(), n_pes);
                        for (pe, share) in shares.iter().enumerate() {
                            assert!(!share.is_empty(), "PE {pe} of {n_pes} on {a}+{b}+{c}");
                            assert!(shares[..pe].iter().all(|other| other.is_disjoint(share)));
                        }
                    }
                }
            }
        }
    }
}

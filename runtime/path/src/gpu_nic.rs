//! What it costs a NIC to read and write GPU memory, by how far it is from the GPU.
//!
//! Nothing here was measured: no machine with a NIC for InfiniBand or RoCE was there. The order is what others report:
//! behind one PCI switch a NIC is limited by its own link; across the root complex, reads of GPU memory are slower than
//! writes, because few of them are under way at a time; and across sockets both are slow, reads most. From some size
//! on, such a machine does better with copies in chunks through host memory ([`Path::Staged`]), for which the owner's
//! proxy handles the owner's GPU memory. Where the policy changes from one to the other follows from these figures and
//! those of `staged`; `shmem-tune` and `CUSHMEM_COSTS` replace them.

use crate::cost::{Cost, Costs, Figure};
use crate::path::Path;
use crate::request::{LocalKind, words};
use std::fmt;

words! {
    /// How far a NIC is from a GPU.
    NicDistance {
        /// Behind the same PCI switch or port of the root complex.
        Switch = "switch",
        /// At the same root complex.
        Root = "root",
        /// At the same NUMA node.
        Node = "node",
        /// At another NUMA node.
        Far = "far",
    }
}

/// Overhead and latency in nanoseconds, and how fast the NIC reads GPU memory and writes it, in bytes per nanosecond.
const ASSUMED: [(NicDistance, f64, f64, f64, f64); 4] = [
    (NicDistance::Switch, 300.0, 2500.0, 20.0, 24.0),
    (NicDistance::Root, 300.0, 2700.0, 10.0, 16.0),
    (NicDistance::Node, 300.0, 2900.0, 6.0, 12.0),
    (NicDistance::Far, 300.0, 3500.0, 1.0, 3.0),
];

/// Where these are from.
const SOURCE: &str = "assumed for a NIC at this distance, not measured";

impl Costs {
    /// Sets what GPUDirect RDMA costs if all NICs of the job are at this distance from their GPUs, or the farthest is.
    pub fn set_nic_distance(&mut self, distance: NicDistance) {
        let (_, overhead, latency, reads, writes) = ASSUMED[distance as usize];
        for from in LocalKind::ALL {
            for to in LocalKind::ALL {
                // The slower end decides. Host memory is as fast as the NIC.
                let bandwidth = match (from, to) {
                    (LocalKind::Gpu, LocalKind::Gpu) => f64::min(reads, writes),
                    (LocalKind::Gpu, _) => reads,
                    (_, LocalKind::Gpu) => writes,
                    _ => continue,
                };
                let Some(cost) = Cost::new(overhead, latency, bandwidth) else { continue };
                self.set(Path::Gdr, *from, *to, Figure { cost, source: SOURCE.into() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GpuLink;

    /// Catches a table in another order than its index, and a NIC that becomes faster with the distance.
    #[test]
    fn farther_is_never_cheaper() {
        assert_eq!(ASSUMED.map(|(distance, ..)| distance).as_slice(), NicDistance::ALL);
        let of = |distance: &NicDistance, from, to| {
            let mut costs = Costs::shipped(GpuLink::Pcie);
            costs.set_nic_distance(*distance);
            costs.figure(Path::Gdr, from, to).clone()
        };
        for (from, to) in
            [(LocalKind::Gpu, LocalKind::Pinned), (LocalKind::Pinned, LocalKind::Gpu), (LocalKind::Gpu, LocalKind::Gpu)]
        {
            let all: Vec<Figure> = NicDistance::ALL.iter().map(|distance| of(distance, from, to)).collect();
            for pair in all.windows(2) {
                assert!(pair[0].cost.start_ns() < pair[1].cost.start_ns(), "{from} {to}");
                assert!(pair[0].cost.bytes_per_ns() > pair[1].cost.bytes_per_ns(), "{from} {to}");
            }
            assert!(all.iter().all(|figure| figure.source.contains("not measured")));
        }
        let [read, write, both] = [
            (LocalKind::Gpu, LocalKind::Pinned),
            (LocalKind::Pinned, LocalKind::Gpu),
            (LocalKind::Gpu, LocalKind::Gpu),
        ]
        .map(|(from, to)| of(&NicDistance::Far, from, to).cost.bytes_per_ns());
        assert_eq!((read, write, both), (1.0, 3.0, 1.0));
    }
}

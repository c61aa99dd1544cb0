//! The settings that PEs exchange when they join.

use super::config::{Config, GpuChoice};
use crate::error::Cause;
use crate::{Error, Result};
use cushmem_bootstrap::{Bootstrap, virtual_nodes};
use std::collections::HashMap;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A PE's settings in the form in which they are sent: there is no padding, and any bytes are a valid value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Settings {
    /// How many bytes of symmetric host memory a PE can allocate.
    pub(crate) host_bytes: u64,
    /// The PE's host.
    host: u32,
    /// The PE's place on its host.
    pub(crate) place: u32,
    /// The number of virtual nodes of each host.
    nodes: u32,
    /// `CUSHMEM_CHECK`.
    check: u8,
    /// `CUSHMEM_GPU`, as an index into [`GpuChoice::ALL`].
    gpu: u8,
    /// `CUSHMEM_TEAMS`.
    pub(super) teams: u16,
}

impl Settings {
    /// The settings of this process.
    pub(crate) fn new(config: &Config, job: &cushmem_bootstrap::Job) -> Self {
        let gpu = GpuChoice::ALL.iter().position(|choice| *choice == config.gpu).unwrap_or(0) as u8;
        let (host_bytes, nodes, check) = (config.host_heap_bytes, config.nodes, u8::from(config.check));
        Self { host_bytes, host: job.host, place: job.local_pe, nodes, check, gpu, teams: config.teams }
    }

    /// Whether the PE runs in check mode.
    pub(crate) fn check(&self) -> bool {
        self.check != 0
    }

    fn choice(&self) -> GpuChoice {
        GpuChoice::ALL.get(usize::from(self.gpu)).copied().unwrap_or(GpuChoice::Auto)
    }

    /// Collective: returns the settings of all PEs. Fails if PEs ask for different kinds of GPU.
    pub(super) fn exchange(self, bootstrap: &Bootstrap) -> Result<Vec<Self>> {
        let mut all = vec![];
        for (pe, part) in bootstrap.allgather("settings", self.as_bytes())?.iter().enumerate() {
            all.push(Self::read_from_bytes(part).map_err(|_| {
                let (got, wanted) = (part.len(), size_of::<Self>());
                mismatch(format!("PE {pe} sent {got} bytes instead of {wanted}"))
            })?);
        }
        let asks = |settings: &Self| (settings.choice() != GpuChoice::Auto).then_some(settings.choice());
        let mut asked = all.iter().enumerate().filter_map(|(pe, settings)| Some((pe, asks(settings)?)));
        if let Some((first, choice)) = asked.next()
            && let Some((pe, other)) = asked.find(|(_, other)| *other != choice)
        {
            let text = format!(
                "PE {first} has CUSHMEM_GPU={} and PE {pe} {}; set the same value on all PEs",
                choice.name(),
                other.name()
            );
            return Err(mismatch(text));
        }
        if let Some((pe, other)) = all.iter().enumerate().find(|(_, settings)| settings.teams != all[0].teams) {
            let text = format!(
                "PE 0 has CUSHMEM_TEAMS={} and PE {pe} {}; set the same value on all PEs",
                all[0].teams, other.teams
            );
            return Err(mismatch(text));
        }
        Ok(all)
    }

    /// Why the job has no GPUs, if any PE asks for none.
    pub(crate) fn no_gpus(all: &[Self]) -> Option<String> {
        let (pe, _) = all.iter().enumerate().find(|(_, settings)| settings.choice() == GpuChoice::None)?;
        let of = if all.iter().all(|settings| settings.choice() == GpuChoice::None) {
            String::new()
        } else {
            format!("PE {pe}: ")
        };
        Some(format!("{of}CUSHMEM_GPU=none"))
    }
}

fn mismatch(text: String) -> Error {
    Error::new("compare settings", Cause::Mismatch(text))
}

/// The number of hosts. A PE that has joined has a host whose number is below the number of PEs.
pub(super) fn hosts(all: &[Settings]) -> u32 {
    all.iter().map(|settings| settings.host.min(all.len() as u32 - 1) + 1).max().unwrap_or(1)
}

/// The node of each PE, and its place there. The nodes of the first host come first. On each host, no two PEs have the
/// same place.
pub(super) fn places(all: &[Settings]) -> Result<Box<[(u32, u32)]>> {
    let nodes = all.first().map_or(1, |settings| settings.nodes);
    if let Some((pe, other)) = all.iter().enumerate().find(|(_, settings)| settings.nodes != nodes) {
        let text = format!("PE 0 has CUSHMEM_NODES={nodes} and PE {pe} {}; set the same value on all PEs", other.nodes);
        return Err(mismatch(text));
    }
    let hosts = hosts(all);
    let mut pes_of = vec![0; hosts as usize];
    for (pe, Settings { host, .. }) in all.iter().enumerate() {
        let of_host = pes_of.get_mut(*host as usize);
        *of_host.ok_or_else(|| mismatch(format!("PE {pe} has the host {host}, which is out of range")))? += 1;
    }
    let fewest = pes_of.iter().copied().min().unwrap_or(0);
    if !(1..=fewest).contains(&nodes) {
        let on = if hosts > 1 { "a host" } else { "a job" };
        return Err(mismatch(format!("CUSHMEM_NODES={nodes}: {on} of {fewest} PEs has 1 to {fewest} nodes")));
    }
    let mut taken = HashMap::new();
    let mut places = Vec::with_capacity(all.len());
    for (pe, Settings { host, place, .. }) in all.iter().enumerate() {
        let here = pes_of[*host as usize];
        if *place >= here {
            let range = format!("out of range (0 to {})", here - 1);
            return Err(mismatch(format!("PE {pe} has the place {place}, which is {range}")));
        }
        if let Some(other) = taken.insert((host, place), pe) {
            return Err(mismatch(format!("PEs {other} and {pe} have the same place {place}")));
        }
        let (node, there) = virtual_nodes::split(*place, here, nodes);
        places.push((host * nodes + node, there));
    }
    Ok(places.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_hosts(numbers: &[(u32, u32)], nodes: u32) -> Result<Box<[(u32, u32)]>> {
        let zeros = || Settings::read_from_bytes(&[0; size_of::<Settings>()]).expect("zeros");
        places(&numbers.iter().map(|&(host, place)| Settings { host, place, nodes, ..zeros() }).collect::<Vec<_>>())
    }

    fn with_places(numbers: &[u32], nodes: u32) -> Result<Box<[(u32, u32)]>> {
        on_hosts(&numbers.iter().map(|place| (0, *place)).collect::<Vec<_>>(), nodes)
    }

    #[test]
    fn each_host_has_nodes_of_its_own() {
        let found = on_hosts(&[(0, 0), (1, 1), (1, 0), (0, 1), (1, 2)], 2).expect("two hosts");
        assert_eq!(*found, [(0, 0), (2, 1), (2, 0), (1, 0), (3, 0)]);
        let cause = |numbers: &[(u32, u32)], nodes| on_hosts(numbers, nodes).expect_err("wrong places").to_string();
        assert_eq!(
            cause(&[(0, 0), (0, 1), (1, 0)], 2),
            "compare settings: CUSHMEM_NODES=2: a host of 1 PEs has 1 to 1 nodes"
        );
        assert_eq!(cause(&[(0, 0), (2, 0)], 1), "compare settings: PE 1 has the host 2, which is out of range");
        assert_eq!(cause(&[(1, 0), (1, 1)], 1), "compare settings: CUSHMEM_NODES=1: a host of 0 PEs has 1 to 0 nodes");
        assert_eq!(
            cause(&[(0, 0), (1, 1)], 1),
            "compare settings: PE 1 has the place 1, which is out of range (0 to 0)"
        );
    }

    #[test]
    fn places_are_a_permutation() {
        assert_eq!(*with_places(&[2, 0, 1], 1).expect("a permutation"), [(0, 2), (0, 0), (0, 1)]);
        assert_eq!(*with_places(&[2, 0, 1], 2).expect("a permutation"), [(1, 0), (0, 0), (0, 1)]);
        let cause = |numbers: &[u32], nodes| with_places(numbers, nodes).expect_err("no permutation").to_string();
        assert_eq!(cause(&[0, 1, 0], 1), "compare settings: PEs 0 and 2 have the same place 0");
        assert_eq!(cause(&[0, 2], 1), "compare settings: PE 1 has the place 2, which is out of range (0 to 1)");
        let wrong = |nodes| format!("compare settings: CUSHMEM_NODES={nodes}: a job of 2 PEs has 1 to 2 nodes");
        assert_eq!([cause(&[0, 1], 0), cause(&[0, 1], 3)], [wrong(0), wrong(3)]);
    }

    #[test]
    fn settings_survive_their_bytes() {
        let settings =
            Settings { host_bytes: 1 << 40, place: 7, check: 1, ..Settings::read_from_bytes(&[9; 24]).unwrap() };
        assert_eq!(Settings::read_from_bytes(settings.as_bytes()), Ok(settings));
        assert!(Settings::read_from_bytes(&settings.as_bytes()[1..]).is_err());
    }
}

//! The devices for InfiniBand and RoCE, and which of them PEs would use.

use crate::gpus::Gpus;
use cushmem_net::{VerbsPort, VerbsPorts, VerbsSettings};
use serde::Serialize;

/// The devices of this machine.
#[derive(Serialize)]
pub struct Nics {
    pub ports: Vec<Port>,
    /// What a PE on these cores would use, for each GPU; one without a GPU if there is none.
    pub used: Vec<Used>,
    /// Why there are none.
    pub reason: Option<String>,
}

/// A port of a device.
#[derive(Clone, Serialize)]
pub struct Port {
    pub device: String,
    pub port: u8,
    pub state: &'static str,
    /// InfiniBand or RoCE.
    pub kind: String,
    pub gbit: u32,
    pub gid: Option<String>,
    pub numa_node: Option<u32>,
    /// What its atomic operations are atomic with.
    pub atomics: &'static str,
    /// How far it is from each GPU.
    pub gpus: Vec<FromGpu>,
    /// Why it cannot be used, if it cannot.
    pub refused: Option<String>,
}

/// The distance to a GPU.
#[derive(Clone, Serialize)]
pub struct FromGpu {
    pub gpu: u32,
    pub distance: String,
}

/// What a PE would use.
#[derive(Serialize)]
pub struct Used {
    /// Its GPU.
    pub gpu: Option<u32>,
    pub device: String,
    pub port: u8,
    pub because: String,
}

impl Nics {
    /// Asks libibverbs and the system.
    pub fn find(gpus: &Gpus) -> Self {
        let located = gpus.devices.iter().filter_map(|gpu| Some((gpu.ordinal, gpu.pci.clone()?)));
        let located: Vec<(u32, String)> = located.collect();
        let device = match cushmem_environment::nics() {
            Ok(device) => device,
            Err(bad) => return Self::none(bad.to_string()),
        };
        let ports = |gpu: Option<&String>| {
            let (library, address) = (VerbsSettings::LIBRARY.to_owned(), "127.0.0.1".to_owned());
            VerbsPorts::find(&VerbsSettings { library, device: device.clone(), gpu: gpu.cloned(), address })
        };
        let all = match ports(None) {
            Ok(all) => all,
            Err(why) => return Self::none(why),
        };
        let used_by = |(gpu, pci): (Option<u32>, Option<&String>)| {
            let ports = ports(pci).ok()?;
            let (device, port, because) = ports.choice()?;
            Some(Used { gpu, device: device.to_owned(), port, because })
        };
        let used = match located.as_slice() {
            [] => used_by((None, None)).into_iter().collect(),
            all => all.iter().filter_map(|(gpu, pci)| used_by((Some(*gpu), Some(pci)))).collect(),
        };
        let ports = all.all().iter().map(|port| Port::of(port, &located)).collect();
        Self { ports, used, reason: None }
    }

    fn none(reason: String) -> Self {
        Self { ports: vec![], used: vec![], reason: Some(reason) }
    }
}

impl Port {
    fn of(port: &VerbsPort, gpus: &[(u32, String)]) -> Self {
        let from = |(gpu, pci): &(u32, String)| FromGpu { gpu: *gpu, distance: port.distance(pci) };
        Self {
            device: port.device.clone(),
            port: port.port,
            state: port.state,
            kind: port.layer.to_string(),
            gbit: port.gbit,
            gid: port.gid.map(|gid| gid.to_string()),
            numa_node: port.numa_node(),
            atomics: port.atomics,
            gpus: gpus.iter().map(from).collect(),
            refused: port.refused.clone(),
        }
    }
}

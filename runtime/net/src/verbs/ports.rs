//! The ports of this machine: what they are, which may be used, and which a process takes.

use super::choice::{Layer, Nic, Place, Seat, choose, is_listed, layer, speeds};
use super::device::{About, Device, Devices, Open};
use super::library::{self, library};
use super::places::{self, SYS};
use super::sys::*;
use std::ffi::c_int;
use std::net::{IpAddr, Ipv6Addr};
use std::path::Path;
use std::sync::Arc;

/// The completions for which the queue has room, unless the device has less.
const COMPLETIONS: c_int = 4096;
/// The longest part that an operation is cut into. Devices take up to 1 or 2 GiB in one.
const LONGEST_PART: u32 = 1 << 30;

/// A port of a device of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerbsPort {
    /// The device.
    pub device: String,
    /// The number of the port.
    pub port: u8,
    /// Its state, such as `active`.
    pub state: &'static str,
    /// Its kind.
    pub layer: Layer,
    /// Its speed in Gbit/s; 0 if the library does not say.
    pub gbit: u32,
    /// The address that packets would have, if it has one.
    pub gid: Option<Ipv6Addr>,
    /// What the device's atomic operations are atomic with.
    pub atomics: &'static str,
    /// The vendor, the part, and the version of the device's firmware.
    pub model: String,
    /// Why it cannot be used, if it cannot.
    pub refused: Option<String>,
    place: Place,
}

impl VerbsPort {
    /// Its NUMA node, if the system says.
    pub fn numa_node(&self) -> Option<u32> {
        self.place.node
    }

    /// How far it is from a PCI device, such as a GPU, whose address Linux writes as `0000:3b:00.0`.
    pub fn distance(&self, pci: &str) -> String {
        self.place.distance(&places::of_pci(Path::new(SYS), pci)).from("it")
    }
}

impl Open {
    /// What a port is, and what is to be known of it if it can be used.
    fn port_of(
        &self,
        port: u8,
        address: Option<IpAddr>,
        all: &ibv_device_attr,
        sys: &Path,
    ) -> (VerbsPort, Option<About>) {
        let mut seen = VerbsPort {
            device: self.name.clone(),
            port,
            state: "unknown",
            layer: Layer::InfiniBand,
            gbit: 0,
            gid: None,
            atomics: match all.atomic_cap {
                IBV_ATOMIC_NONE => "none",
                IBV_ATOMIC_GLOB => "with all of the machine",
                _ => "with this device",
            },
            model: format!("{:#06x}:{}, firmware {}", all.vendor_id, all.vendor_part_id, text(&all.fw_ver)),
            refused: None,
            place: places::of_device(sys, &self.name),
        };
        let of_port = match self.port(port) {
            Ok(of_port) => of_port,
            Err(why) => return (VerbsPort { refused: Some(why), ..seen }, None),
        };
        seen.state = state(of_port.state);
        if of_port.link_layer == IBV_LINK_LAYER_ETHERNET {
            seen.layer = Layer::Ethernet;
        }
        seen.gbit = gbit(of_port.active_width, of_port.active_speed);
        let gid = self.gid(port, of_port.gid_tbl_len, address);
        seen.gid = gid.as_ref().ok().map(|(gid, _)| Ipv6Addr::from(*gid));
        let about = match gid {
            _ if of_port.state != IBV_PORT_ACTIVE => Err("it is not active".to_owned()),
            _ if all.atomic_cap == IBV_ATOMIC_NONE => Err(format!("{} has no atomic operations", self.name)),
            Err(why) => Err(why),
            Ok((gid, gid_index)) => Ok(About {
                name: self.name.clone(),
                port,
                gid,
                gid_index,
                lid: of_port.lid,
                mtu: of_port.active_mtu as u8,
                layer: seen.layer,
                longest: (of_port.max_msg_sz.clamp(1 << 12, LONGEST_PART) >> 12 << 12) as usize,
                depth: all.max_qp_wr.clamp(1, 128) as usize,
                completions: all.max_cqe.clamp(1, COMPLETIONS) as usize,
                chosen: String::new(),
                gpu_distance: None,
                reads: all.max_qp_init_rd_atom.clamp(1, 128) as u8,
                answers: all.max_qp_rd_atom.clamp(1, 128) as u8,
            }),
        };
        match about {
            Ok(about) => (seen, Some(about)),
            Err(why) => (VerbsPort { refused: Some(why), ..seen }, None),
        }
    }
}

/// The speed of a port, in Gbit/s, from the numbers by which the library calls its width and the speed of a lane.
fn gbit(width: u8, speed: u8) -> u32 {
    let lanes = match width {
        2 => 4,
        4 => 8,
        8 => 12,
        16 => 2,
        _ => 1,
    };
    let of_lane = match speed {
        2 => 5,
        4 | 8 => 10,
        16 => 14,
        32 => 25,
        64 => 50,
        128 => 100,
        _ => 2,
    };
    lanes * of_lane
}

/// A text that ends with a zero, or with its place; without what does not belong into a line.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).chars().filter(|c| !c.is_control()).collect()
}

/// The state of a port, as the library numbers it.
fn state(number: c_int) -> &'static str {
    match number {
        1 => "down",
        2 => "being initialised",
        3 => "armed",
        IBV_PORT_ACTIVE => "active",
        5 => "active, deferred",
        _ => "unknown",
    }
}

/// What there is to choose from, and the process that chooses.
pub(super) struct Found {
    devices: Devices,
    /// All ports, of all devices.
    pub(super) ports: Vec<VerbsPort>,
    /// Those that may be used: the number of the device, and what is known.
    abouts: Vec<(usize, About)>,
    nics: Vec<Nic>,
    pub(super) seat: Seat,
    wanted: String,
}

impl Found {
    /// Looks for ports that a process may use that is on these cores. `wanted` is empty, or a list of devices with
    /// commas between them, each of which a colon and a port may follow.
    ///
    /// *Forks.* Memory that is registered is pinned. Kernels before Linux 5.12 share pinned private pages with a forked
    /// child until one side writes, and if this process does, it gets a copy that the device does not know. The
    /// library's `ibv_fork_init` finds out whether the kernel copies such pages for the child at once; if not, it keeps
    /// them from the child. It fails if somebody else in the process has registered memory before; then that one has
    /// decided.
    pub(super) fn new(
        file: &str,
        wanted: &str,
        address: Option<IpAddr>,
        cores: Place,
        gpu: Option<&str>,
    ) -> Result<Self, String> {
        let (library, sys) = (library(file)?, library::sys(file));
        for entry in wanted.split(',').filter(|entry| !entry.is_empty()) {
            if let Some((_, port)) = entry.split_once(':')
                && port.parse::<u8>().is_err()
            {
                return Err(format!("`{port}` is no number of a port"));
            }
        }
        // SAFETY: it may be called at any time, and several times.
        let _ = unsafe { (library.fork_init)() };
        let devices = Devices::new(library)?;
        let names = devices.names();
        for entry in wanted.split(',') {
            let device = entry.split_once(':').map_or(entry, |(device, _)| device);
            if !device.is_empty() && !names.iter().any(|name| name == device) {
                return Err(format!("there is no device `{device}`; this machine has {}", names.join(", ")));
            }
        }
        // A port without a device is that of every device.
        let every = names.iter().map(|name| format!("{name}{wanted}")).collect::<Vec<_>>().join(",");
        let list = if wanted.starts_with(':') { &every } else { wanted };
        // What does not say where it is counts as not there.
        let gpu = gpu.map(|pci| places::of_pci(&sys, pci)).filter(|place| *place != Place::default());
        let seat = Seat { cores, gpu, gbit: [0; 2] };
        let mut found =
            Self { devices, ports: Vec::new(), abouts: Vec::new(), nics: Vec::new(), seat, wanted: wanted.to_owned() };
        for (at, name) in names.iter().enumerate() {
            let open = found.devices.open(at, name).and_then(|open| open.attributes().map(|all| (open, all)));
            let (open, all) = match open {
                Ok(found) => found,
                Err(why) => {
                    found.ports.push(VerbsPort::refused(name, why));
                    continue;
                }
            };
            for port in 1..=all.phys_port_cnt {
                let (mut seen, about) = open.port_of(port, address, &all, &sys);
                if !is_listed(list, name, port) {
                    seen.refused = Some(NOT_NAMED.to_owned());
                } else if let Some(about) = about {
                    let (gbit, layer) = (seen.gbit, seen.layer);
                    found.nics.push(Nic { name: name.clone(), port, gbit, layer, place: seen.place.clone() });
                    found.abouts.push((at, about));
                }
                found.ports.push(seen);
            }
        }
        found.seat.gbit = speeds(&found.nics, &found.seat);
        Ok(found)
    }

    /// Which of the ports would be used, and why: `all` are the processes of the job, `here` those of this machine, and
    /// `own` is which of these this one is. None if none can be used.
    pub(super) fn choose(&self, all: &[Seat], here: &[Seat], own: usize) -> Option<(Vec<usize>, String)> {
        let layer = layer(all);
        let of_layer = |at: &usize| layer.is_none_or(|layer| self.nics[*at].layer == layer);
        let numbers: Vec<usize> = (0..self.nics.len()).filter(of_layer).collect();
        let nics: Vec<Nic> = numbers.iter().map(|at| self.nics[*at].clone()).collect();
        let (chosen, why) = choose(&nics, here, own)?;
        Some((chosen.into_iter().map(|at| numbers[at]).collect(), format!("{why}, one of {}", nics.len())))
    }

    /// The device and the number of a port that was chosen.
    pub(super) fn name(&self, chosen: usize) -> (&str, u8) {
        (&self.nics[chosen].name, self.nics[chosen].port)
    }

    /// Opens the ports that are chosen so.
    pub(super) fn open(&self, all: &[Seat], here: &[Seat], own: usize) -> Result<Vec<Arc<Device>>, String> {
        let Some((chosen, why)) = self.choose(all, here, own) else { return Err(self.none()) };
        let open = |port: usize| {
            let (at, about) = &self.abouts[port];
            let open = self.devices.open(*at, &about.name)?;
            let gpu_distance = here[own].gpu_distance(&self.nics[port]);
            Device::of(open, About { chosen: why.clone(), gpu_distance, ..about.clone() }).map(Arc::new)
        };
        chosen.into_iter().map(open).collect()
    }

    /// Why no port can be used.
    fn none(&self) -> String {
        let wrong = self.ports.iter().filter(|port| port.refused.as_deref() != Some(NOT_NAMED));
        let mut wrong = wrong.filter(|port| port.refused.is_some() && matches!(port.state, "active" | "unknown"));
        let names = || self.devices.names().join(", ");
        wrong.next_back().and_then(|port| port.refused.clone()).unwrap_or_else(|| match self.wanted.as_str() {
            "" => format!("no port is active of {}", names()),
            wanted => format!("no port is active of those that `{wanted}` names"),
        })
    }
}

/// Why a port is not used that a list does not name.
const NOT_NAMED: &str = "it is not one of those that CUSHMEM_NICS or CUSHMEM_NET names";

impl VerbsPort {
    /// One of a device that cannot be opened.
    fn refused(device: &str, why: String) -> Self {
        Self {
            device: device.to_owned(),
            port: 1,
            state: "unknown",
            layer: Layer::InfiniBand,
            gbit: 0,
            gid: None,
            atomics: "unknown",
            model: "unknown".to_owned(),
            refused: Some(why),
            place: Place::default(),
        }
    }
}

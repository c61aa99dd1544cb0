//! What is to be known before a port is opened, and said of one that is.

use super::choice::Seat;
use super::device::About;
use super::gpu_memory::Unread;
use super::memory::{FEW, SHORT};
use super::places::{self, SYS};
use super::ports::{Found, VerbsPort};
use super::*;
use crate::Rails;
use std::net::{IpAddr, Ipv6Addr};
use std::path::Path;

/// Which device to use, and how.
#[derive(Clone, Debug)]
pub struct VerbsSettings {
    /// The library's file, as the loader takes it, such as [`VerbsSettings::LIBRARY`].
    pub library: String,
    /// Names of devices with commas between them, such as `mlx5_0`, each of which a colon and the number of a port may
    /// follow; or nothing, for all. The nearest that has an active port is used.
    pub device: String,
    /// The PCI address of the process's GPU, as Linux writes it, if it has one.
    pub gpu: Option<String>,
    /// An address of this machine, at which peers ask for connections.
    pub address: String,
}

impl VerbsSettings {
    /// The library's file.
    pub const LIBRARY: &str = library::LIBRARY;
}

/// The ports of this machine, for a process that is going to use one of them.
pub struct VerbsPorts {
    found: Found,
    address: IpAddr,
}

impl VerbsPorts {
    /// Looks for them.
    ///
    /// # Errors
    ///
    /// In one line, what is missing: the library, a device, or one that `settings` names.
    pub fn find(settings: &VerbsSettings) -> Result<Self, String> {
        let VerbsSettings { library, device, gpu, address } = settings;
        let address: IpAddr = address.parse().map_err(|_| format!("`{address}` is no address"))?;
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
        let cores = places::of_cores(Path::new(SYS), &status);
        let found = Found::new(library, device, Some(address), cores, gpu.as_deref())?;
        Ok(Self { found, address })
    }

    /// All of them, also those that cannot be used.
    pub fn all(&self) -> &[VerbsPort] {
        &self.found.ports
    }

    /// What the other processes of the job need to know of this one, so that all choose well.
    pub fn card(&self) -> Vec<u8> {
        self.found.seat.bytes()
    }

    /// The device and port that a process alone on this machine would use, and why; for people.
    pub fn choice(&self) -> Option<(&str, u8, String)> {
        let own = [self.found.seat.clone()];
        let (chosen, why) = self.found.choose(&own, &own, 0)?;
        let (device, port) = self.found.name(*chosen.first()?);
        Some((device, port, why))
    }

    /// Opens those that this process uses. `cards` are those of all processes of the job, `here` says which of them are
    /// on this machine, in order, and `own` is the number of this one.
    ///
    /// # Errors
    ///
    /// In one line, what is missing: an active port, or what its device should have; or whose card is malformed.
    pub fn open(self, cards: &[Vec<u8>], here: &[usize], own: usize) -> Result<Rails<Verbs>, String> {
        let read = |(number, card): (usize, &Vec<u8>)| {
            Seat::read(card).map_err(|why| format!("what peer {number} says of its ports {why}"))
        };
        let all: Vec<Seat> = cards.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        let place = here.iter().position(|number| *number == own).unwrap_or_default();
        let here: Vec<Seat> = here.iter().filter_map(|number| all.get(*number).cloned()).collect();
        let devices = self.found.open(&all, &here, place)?;
        let rails = devices.into_iter().map(|device| Verbs::over(device, self.address));
        rails.collect::<Result<_, _>>().map(Rails::new)
    }
}

/// The PCI addresses of NVIDIA's GPUs in this machine, in order, as the system lists them. CUDA is not asked.
pub fn gpu_addresses() -> Vec<String> {
    places::gpus(Path::new(SYS))
}

impl Verbs {
    /// Opens the first port that a process alone on this machine would use, and starts to listen.
    ///
    /// # Errors
    ///
    /// As [`VerbsPorts::find`] and [`VerbsPorts::open`].
    pub fn open(settings: &VerbsSettings) -> Result<Self, String> {
        let VerbsPorts { found, address } = VerbsPorts::find(settings)?;
        let own = [found.seat.clone()];
        Self::over(found.open(&own, &own, 0)?.swap_remove(0), address)
    }

    fn over(device: Arc<Device>, address: IpAddr) -> Result<Self, String> {
        Ok(Self {
            peers: Vec::new(),
            far: Far::default(),
            operations: Vec::new(),
            free: Vec::new(),
            flows: FxHashMap::default(),
            unread: Unread::default(),
            gone: FxHashMap::default(),
            over: VecDeque::new(),
            stalled: Vec::new(),
            reasons: FxHashMap::default(),
            pending: Vec::new(),
            dialled: Vec::new(),
            requests: 0,
            wrs: Vec::new(),
            parts: Vec::new(),
            found: vec![ibv_wc::default(); AT_ONCE],
            ended: Vec::new(),
            broken: None,
            patience: PATIENCE,
            ending: Vec::new(),
            links: FxHashMap::default(),
            running: Vec::new(),
            own: Own::default(),
            all: AllMemory::of(&device),
            room: Room::new(MOST_POSTED, &device)?,
            listener: Listener::start(device.clone(), address)?,
            device,
        })
    }

    /// The device, its port and address.
    fn description(&self) -> String {
        let about = &self.device.about;
        let (About { name, port, layer, chosen, .. }, gid) = (about, Ipv6Addr::from(about.gid));
        format!("verbs, {layer}, device {name}, port {port} ({chosen}), GID {gid}")
    }

    /// What operations on the memory of a peer do, one in a line; for people.
    pub(crate) fn explanation(&self) -> String {
        let About { longest, reads, mtu, .. } = self.device.about;
        // The library numbers the sizes of packets: 1 is 256 bytes.
        let packet = 128_u32 << mtu.clamp(1, 5);
        let parts = longest >> 10;
        let others = match self.all {
            Some(_) => format!("reached by paging on demand if there are more than {SHORT}"),
            None => format!("registered for the operation if there are more than {SHORT}"),
        };
        format!(
            "put of up to {FEW} bytes: a write request that carries the bytes, if the device has such requests\n\
             longer put: a write request, in packets of up to {packet} bytes and parts of up to {parts} KiB; bytes that are \
             in no symmetric object go through a buffer, or are {others}\n\
             get: a read request, in the same way; at most {reads} reads and atomic operations are under way to a peer\n\
             signal: a write request of its word, behind the data on the same connection\n\
             add and compare-and-swap of 8 bytes: an atomic request of the device; other atomic operations of the network: \
             a read, then compare-and-swap until it succeeds\n\
             quiet: a read behind the writes, to each peer that was written to\n\
             GPU memory: {}\n",
            self.own.gpu.explanation()
        )
    }
}

impl Rails<Verbs> {
    /// How far the first device is from the GPU of this process, if that has one.
    pub(crate) fn gpu_distance(&self) -> Option<Distance> {
        self.rails[0].device.about.gpu_distance
    }

    /// The devices, their ports and addresses.
    pub(crate) fn description(&self) -> String {
        let (first, others) = self.rails.split_first().expect("there is one");
        let also: Vec<String> = others
            .iter()
            .map(|rail| {
                let About { name, port, gid, .. } = &rail.device.about;
                format!("device {name}, port {port}, GID {}", Ipv6Addr::from(*gid))
            })
            .collect();
        let also = if also.is_empty() { String::new() } else { format!("; long transfers also: {}", also.join("; ")) };
        first.description() + &also
    }

    /// What operations on the memory of a peer do, one in a line; for people.
    pub(crate) fn explanation(&self) -> String {
        let count = self.rails.len();
        let striped = match count {
            1 => String::new(),
            _ => format!(
                "put or get of {} KiB and more: in {count} parts, one for each NIC; a get of one byte behind each part of a \
                 put shows that it has arrived, and what follows on the same lane to the same PE waits for that\n",
                self.striped >> 10
            ),
        };
        // Memory that one of them refuses is registered with none.
        let refuses = self.rails.iter().find(|rail| rail.own.gpu.is_refused());
        refuses.unwrap_or(&self.rails[0]).explanation() + &striped
    }
}

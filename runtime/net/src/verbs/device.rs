//! A device and one of its ports, opened: where the other parts get their objects from.

use super::choice::{Distance, Layer};
use crate::locked::refused_for_limit;
use crate::verbs::library::Library;
use crate::verbs::sys::*;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use std::ffi::{CStr, c_int};
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::sync::Arc;

/// What is known of a device and its port.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) name: String,
    pub(super) port: u8,
    pub(super) gid: [u8; 16],
    pub(super) gid_index: u8,
    pub(super) lid: u16,
    pub(super) mtu: u8,
    pub(super) layer: Layer,
    /// The longest part of an operation, in bytes: whole pages, so that no word is cut.
    pub(super) longest: usize,
    /// The operations that a queue pair has room for.
    pub(super) depth: usize,
    /// The completions that the queue has room for.
    pub(super) completions: usize,
    /// Why it was chosen.
    pub(super) chosen: String,
    /// How far it is from the GPU of this process, if that has one.
    pub(super) gpu_distance: Option<Distance>,
    /// How many reads and atomic operations a queue pair may have under way, and how many it answers.
    pub(super) reads: u8,
    pub(super) answers: u8,
}

/// The library's objects of an open device. It may be used by several threads: the library's functions take locks of
/// their own.
pub(super) struct Device {
    pub(super) library: &'static Library,
    pub(super) about: About,
    pub(super) domain: *mut ibv_pd,
    pub(super) completions: *mut ibv_cq,
    /// Where the queue reports that a completion has come.
    channel: *mut ibv_comp_channel,
    context: *mut ibv_context,
}

// SAFETY: the objects belong to no thread, and the library's functions may be called from several (ibv_open_device(3),
// and the section on threads in the library's documentation).
unsafe impl Send for Device {}
// SAFETY: the same documentation lets several threads call the functions at the same time.
unsafe impl Sync for Device {}

/// The devices that the system has.
pub(super) struct Devices {
    list: *mut *mut ibv_device,
    count: usize,
    library: &'static Library,
}

/// An open device without anything else. It is closed when it is dropped.
pub(super) struct Open {
    context: *mut ibv_context,
    pub(super) name: String,
    library: &'static Library,
}

impl Devices {
    pub(super) fn new(library: &'static Library) -> Result<Self, String> {
        let mut count = 0;
        // SAFETY: the number outlives the call.
        let list = unsafe { (library.get_device_list)(&mut count) };
        if list.is_null() || count == 0 {
            let devices = Self { list, count: 0, library };
            drop(devices);
            return Err("this machine has no InfiniBand or RoCE device".to_owned());
        }
        Ok(Self { list, count: count as usize, library })
    }

    pub(super) fn names(&self) -> Vec<String> {
        // SAFETY: there are so many devices in the list, and each has a name that ends with a zero.
        let name = |at| unsafe { CStr::from_ptr((self.library.get_device_name)(*self.list.add(at))) };
        (0..self.count).map(|at| name(at).to_string_lossy().into_owned()).collect()
    }

    pub(super) fn open(&self, at: usize, name: &str) -> Result<Open, String> {
        // SAFETY: the device is in the list.
        let context = unsafe { (self.library.open_device)(*self.list.add(at)) };
        if context.is_null() {
            return Err(failed(&format!("open the device {name}")));
        }
        Ok(Open { context, name: name.to_owned(), library: self.library })
    }
}

impl Drop for Devices {
    fn drop(&mut self) {
        if !self.list.is_null() {
            // SAFETY: the library made the list, and no device of it is opened later.
            unsafe { (self.library.free_device_list)(self.list) };
        }
    }
}

/// What the system says of the call that has just failed.
pub(super) fn failed(what: &str) -> String {
    format!("{what}: {}", io::Error::last_os_error())
}

impl Open {
    pub(super) fn attributes(&self) -> Result<ibv_device_attr, String> {
        // SAFETY: zeroes are a valid value; the structure has the size that the library writes.
        let mut attributes: ibv_device_attr = unsafe { std::mem::zeroed() };
        // SAFETY: the device is open.
        match unsafe { (self.library.query_device)(self.context, &mut attributes) } {
            0 => Ok(attributes),
            code => Err(format!("query the device {}: {}", self.name, io::Error::from_raw_os_error(code))),
        }
    }

    pub(super) fn port(&self, port: u8) -> Result<ibv_port_attr, String> {
        // The library may write somewhat more than the structure.
        let mut room = [0_u64; 32];
        // SAFETY: the device is open, and there is more room than any version of the structure needs.
        match unsafe { (self.library.query_port)(self.context, port, room.as_mut_ptr().cast()) } {
            // SAFETY: the room begins with the structure, whose members are numbers.
            0 => Ok(unsafe { room.as_ptr().cast::<ibv_port_attr>().read() }),
            code => Err(format!("query port {port} of {}: {}", self.name, io::Error::from_raw_os_error(code))),
        }
    }

    /// The address of a port to use, and its index.
    pub(super) fn gid(&self, port: u8, count: c_int, address: Option<IpAddr>) -> Result<([u8; 16], u8), String> {
        let get = |index: u8| {
            let mut gid = ibv_gid { raw: [0; 16] };
            // SAFETY: the device is open, and the address has 16 bytes.
            let code = unsafe { (self.library.query_gid)(self.context, port, index.into(), &mut gid) };
            let gid = gid.raw;
            // Most places of the table are empty.
            if code != 0 || gid == [0; 16] {
                return None;
            }
            Some((rank(gid, &self.kind(port, index), address)?, gid, index))
        };
        let all = (0..count.clamp(0, 255) as u8).filter_map(get);
        // The first of the best.
        let best = all.min_by_key(|(rank, _, index)| (u8::MAX - rank, *index));
        let (_, gid, index) = best.ok_or_else(|| format!("port {port} of {} has no GID", self.name))?;
        Ok((gid, index))
    }

    /// The kind of a GID, as the system calls it.
    fn kind(&self, port: u8, index: u8) -> String {
        let path = format!("/sys/class/infiniband/{}/ports/{port}/gid_attrs/types/{index}", self.name);
        std::fs::read_to_string(path).unwrap_or_default().trim().to_owned()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.context.is_null() {
            // SAFETY: it is open, and nothing was made from it.
            unsafe { (self.library.close_device)(self.context) };
        }
    }
}

/// How well a GID suits: one that packets of RoCE version 2 with addresses of IPv4 have is routed and is known to the
/// other hosts. None if there is nothing in this place.
fn rank(gid: [u8; 16], kind: &str, address: Option<IpAddr>) -> Option<u8> {
    if gid == [0; 16] {
        return None;
    }
    let ip = Ipv6Addr::from(gid);
    let version_2 = kind == "RoCE v2";
    let is_local = ip.is_unicast_link_local();
    Some(match IpAddr::V6(ip).to_canonical() {
        ip if version_2 && Some(ip) == address => 4,
        IpAddr::V4(_) if version_2 => 3,
        IpAddr::V6(_) if version_2 && !is_local => 2,
        _ if version_2 => 1,
        _ => 0,
    })
}

impl Device {
    pub(super) fn of(mut open: Open, about: About) -> Result<Self, String> {
        let (library, room) = (open.library, about.completions as c_int);
        let context = std::mem::replace(&mut open.context, null_mut());
        let mut device =
            Self { library, about, domain: null_mut(), completions: null_mut(), channel: null_mut(), context };
        // SAFETY: the device is open.
        device.domain = unsafe { (library.alloc_pd)(context) };
        if device.domain.is_null() {
            return Err(failed("make a protection domain"));
        }
        // SAFETY: the device is open.
        device.channel = unsafe { (library.create_comp_channel)(context) };
        if device.channel.is_null() {
            return Err(failed("make a channel for completions"));
        }
        // SAFETY: the channel was made, and stays until this is dropped.
        let events = unsafe { BorrowedFd::borrow_raw((*device.channel).fd) };
        fcntl(events, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(|error| format!("ask for completions: {error}"))?;
        // SAFETY: the device is open, and so is the channel.
        device.completions = unsafe { (library.create_cq)(context, room, null_mut(), device.channel, 0) };
        if device.completions.is_null() {
            return Err(failed(&format!("make a queue of {room} completions")));
        }
        Ok(device)
    }

    /// A descriptor that becomes readable when a completion has come since the last call of [`Device::arm`].
    pub(super) fn descriptor(&self) -> Option<OwnedFd> {
        // SAFETY: the channel was made, and stays until this is dropped.
        let events = unsafe { BorrowedFd::borrow_raw((*self.channel).fd) };
        events.try_clone_to_owned().ok()
    }

    /// Has the descriptor become readable with the next completion that comes, and not before, and takes the events
    /// that have made it readable so far; returns whether that works. Completions that have come by now are not
    /// reported: whoever wants to sleep polls behind this.
    pub(super) fn arm(&self) -> bool {
        let (mut queue, mut context) = (null_mut(), null_mut());
        // SAFETY: the channel was made, the places outlive the call, and it does not wait.
        while unsafe { (self.library.get_cq_event)(self.channel, &mut queue, &mut context) } == 0 {
            // SAFETY: it is the only queue of the channel, and has reported an event.
            unsafe { (self.library.ack_cq_events)(self.completions, 1) };
        }
        // SAFETY: the device is open, and the library filled the table.
        let Some(arm) = (unsafe { (*self.context).ops.req_notify_cq }) else { return false };
        // SAFETY: the queue was made.
        unsafe { arm(self.completions, 0) == 0 }
    }

    /// Takes completions from the queue; returns how many.
    pub(super) fn poll(&self, found: &mut [ibv_wc]) -> Result<usize, String> {
        // SAFETY: the device is open, and the library filled the table.
        let poll = unsafe { (*self.context).ops.poll_cq }.ok_or("the device has no function that polls")?;
        // SAFETY: there is room for so many.
        match unsafe { poll(self.completions, found.len() as c_int, found.as_mut_ptr()) } {
            count if count >= 0 => Ok(count as usize),
            code => Err(format!("the queue of completions of {} failed with {code}", self.about.name)),
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: everything that was made from these has an `Arc` of this, and is gone.
        unsafe {
            if !self.completions.is_null() {
                (self.library.destroy_cq)(self.completions);
            }
            if !self.channel.is_null() {
                (self.library.destroy_comp_channel)(self.channel);
            }
            if !self.domain.is_null() {
                (self.library.dealloc_pd)(self.domain);
            }
            (self.library.close_device)(self.context);
        }
    }
}

/// For what memory is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// This process's operations read it.
    Source,
    /// This process's operations write it.
    Destination,
    /// Peers use it, and so does this process.
    Peers,
    /// Like [`Purpose::Source`], but the device asks the system for pages when it needs them.
    SourceOnDemand,
    /// Like [`Purpose::Destination`], but the device asks the system for pages when it needs them.
    DestinationOnDemand,
}

impl Purpose {
    pub(super) fn access(self) -> c_int {
        match self {
            Self::Source => 0,
            Self::Destination => IBV_ACCESS_LOCAL_WRITE,
            Self::SourceOnDemand => IBV_ACCESS_ON_DEMAND,
            Self::DestinationOnDemand => IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND,
            Self::Peers => {
                IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC
            }
        }
    }
}

/// Memory that the device may use.
pub(super) struct Registered {
    memory: *mut ibv_mr,
    device: Arc<Device>,
}

// SAFETY: the object belongs to no thread.
unsafe impl Send for Registered {}

impl Registered {
    /// # Safety
    /// The memory is mapped until this is dropped.
    pub(super) unsafe fn new(
        device: &Arc<Device>,
        address: usize,
        bytes: usize,
        purpose: Purpose,
    ) -> Result<Self, String> {
        let start = with_exposed_provenance_mut(address);
        // SAFETY: the caller guarantees the memory.
        let memory = unsafe { (device.library.reg_mr)(device.domain, start, bytes, purpose.access()) };
        if memory.is_null() {
            let error = io::Error::last_os_error();
            let limit = refused_for_limit(error.raw_os_error().unwrap_or(0), bytes);
            let why = limit.unwrap_or_else(|| error.to_string());
            return Err(format!("{} refuses {bytes} bytes of memory: {why}", device.about.name));
        }
        Ok(Self { memory, device: device.clone() })
    }

    /// One that was made otherwise, which this drops.
    ///
    /// # Safety
    /// The library made it for this device, and nobody else deregisters it. The memory is mapped until this is dropped.
    pub(super) unsafe fn of(memory: *mut ibv_mr, device: &Arc<Device>) -> Self {
        Self { memory, device: device.clone() }
    }

    /// The key for operations of this process.
    pub(super) fn local_key(&self) -> u32 {
        // SAFETY: the library made it, and it is there until this is dropped.
        unsafe { (*self.memory).lkey }
    }

    /// The key for operations of peers.
    pub(super) fn key(&self) -> u32 {
        // SAFETY: the library made the object, and it is there until this is dropped.
        unsafe { (*self.memory).rkey }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // SAFETY: the library made it, and no operation of this process uses it any more.
        unsafe { (self.device.library.dereg_mr)(self.memory) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a GID that only one subnet or nobody knows where there is a better one.
    #[test]
    fn the_gid_is_one_that_other_hosts_know() {
        let gid = |text: &str| text.parse::<Ipv6Addr>().expect("an address").octets();
        let (local, global, v4) = (gid("fe80::1"), gid("fd00::1"), gid("::ffff:10.0.0.1"));
        let here = Some("10.0.0.1".parse().expect("an address"));
        assert_eq!(rank([0; 16], "RoCE v2", None), None);
        let ranks = [
            rank(local, "IB/RoCE v1", None),
            rank(local, "RoCE v2", None),
            rank(global, "RoCE v2", None),
            rank(v4, "RoCE v2", None),
            rank(v4, "RoCE v2", here),
        ];
        assert_eq!(ranks, [0, 1, 2, 3, 4].map(Some));
        assert_eq!(rank(v4, "IB/RoCE v1", here), Some(0), "packets of version 1 are not routed");
    }

    /// A source may be read-only memory, and no peer may reach memory that is not meant for it.
    #[test]
    fn memory_is_registered_for_its_purpose_alone() {
        assert_eq!(Purpose::Source.access(), 0);
        assert_eq!(Purpose::Destination.access(), IBV_ACCESS_LOCAL_WRITE);
        assert_eq!(Purpose::SourceOnDemand.access(), IBV_ACCESS_ON_DEMAND);
        assert_eq!(Purpose::DestinationOnDemand.access(), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
        let all = [IBV_ACCESS_LOCAL_WRITE, IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_READ, IBV_ACCESS_REMOTE_ATOMIC];
        assert_eq!(Purpose::Peers.access(), all.iter().sum::<c_int>());
    }
}

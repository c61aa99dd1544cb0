//! GPU memory that the device reads and writes itself (GPUDirect RDMA): how it is registered, and when what was written
//! there is there.
//!
//! *Registration* ([`Ways`]). The driver of the GPU gives a dma-buf for the memory, which the device takes
//! (`ibv_reg_dmabuf_mr`). If the system or the device has no such thing, the address is registered like that of host
//! memory, which works if the kernel's module nvidia-peermem translates it, or if the GPU is emulated and its memory is
//! the host's. If that is refused too, GPU memory is staged. The first piece decides, and the reason is kept.
//!
//! *When it is there* ([`Unread`]). A device writes to host memory and to the GPU by requests on the bus that wait for
//! no answer. Those of one destination arrive in order, but the two destinations are reached by different ways: a word
//! in host memory may be there while the data that were sent before it are still on their way to the GPU, and the other
//! way round. So on a lane, the initiator reads a byte back from one destination before it writes to the other. The
//! argument, for data `D` in one and a word `W` in the other destination of a target that takes no part:
//!
//! 1. The connection executes the read behind the writes of `D`, so the target's device sends the bus its read behind
//!    them. On the bus, a read never passes a write in front of it. So when it is answered, all of `D` has reached the
//!    memory, or the GPU.
//! 2. `W` is written by a request with a fence, which waits until the read is complete. So whoever finds `W` finds `D`
//!    at its place: a CPU in host memory, and on the GPU whoever reads at the point where the read was answered.
//! 3. A get proves that the puts before it have arrived ([`Delivery::Flushed`](crate::Delivery::Flushed)). It does so
//!    for the destination that it reads itself; for the other one a byte is read back in front of it, and reads
//!    complete in order.
//!
//! *What the GPU says* (`CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING`, which travels in the card). If it keeps
//! the order of remote writes for those who read on it, `D` and `W` that are both on the GPU need nothing. If it does
//! not, a kernel could find `W` before `D`, so `W` is preceded by a read back too. `cuFlushGPUDirectRDMAWrites` would
//! do the same at the target, but has to be called there behind `W`, by a CPU, and a kernel that waits for `W` cannot
//! call it; by rule 2 there is nothing left to flush when `W` is there. Copies and kernels that the target's CPU starts
//! when it has found `W` are ordered by CUDA itself. Other GPUs of the target's node reach the memory through its GPU;
//! if that keeps no order for them alone, it counts as one that keeps none.
//!
//! A word that may overtake anything is preceded by nothing.

use super::Verbs;
use super::device::{Device, Purpose, Registered};
use super::link::Request;
use super::order::Kind;
use super::sys::IBV_WR_RDMA_READ;
use crate::Work;
use crate::fabric::{GpuMemory, Local};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io;
use std::os::fd::AsRawFd;
use std::sync::Arc;

/// Bits of a card's key above those of the device: the piece is GPU memory, and the GPU keeps the order of writes.
const ON_GPU: u64 = 1 << 32;
const KEEPS_ORDER: u64 = 1 << 33;

/// The key in the card of a piece of GPU memory.
pub(super) fn card_key(key: u32, keeps_order: bool) -> u64 {
    u64::from(key) | ON_GPU | if keeps_order { KEEPS_ORDER } else { 0 }
}

/// How the device reaches GPU memory, once it was asked.
#[derive(Default)]
pub(super) struct Ways(Option<Way>);

enum Way {
    DmaBuf,
    /// By its address. The reason why not by a dma-buf.
    Address(String),
    /// Not at all, for this reason.
    Staged(String),
}

impl Ways {
    /// Whether the device was asked and refuses.
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.0, Some(Way::Staged(_)))
    }

    /// In one line, for people.
    pub(super) fn explanation(&self) -> String {
        match &self.0 {
            None => "registered by a dma-buf, else by its address, else staged; none was registered so far".to_owned(),
            Some(Way::DmaBuf) => "the device reads and writes it, registered by a dma-buf".to_owned(),
            Some(Way::Address(why)) => {
                format!("the device reads and writes it, registered by its address (no dma-buf: {why})")
            }
            Some(Way::Staged(why)) => {
                format!("staged through host memory at both ends; the device does not read or write it: {why}")
            }
        }
    }

    /// Registers GPU memory for peers. The first call decides the way.
    ///
    /// # Safety
    /// The memory is mapped until the registration is dropped.
    pub(super) unsafe fn register(
        &mut self,
        device: &Arc<Device>,
        memory: &Local,
        gpu: GpuMemory,
    ) -> Result<Registered, String> {
        // SAFETY: the caller guarantees the memory.
        let by_address = || unsafe { Registered::new(device, memory.address, memory.bytes, Purpose::Peers) };
        match &self.0 {
            // SAFETY: the caller guarantees the memory.
            Some(Way::DmaBuf) => unsafe { of_dma_buf(device, memory, gpu) },
            Some(Way::Address(_)) => by_address(),
            Some(Way::Staged(why)) => Err(why.clone()),
            None => {
                // SAFETY: the caller guarantees the memory.
                let (way, registered) = match unsafe { of_dma_buf(device, memory, gpu) } {
                    Ok(registered) => (Way::DmaBuf, Ok(registered)),
                    Err(no_dma_buf) => match by_address() {
                        Ok(registered) => (Way::Address(no_dma_buf), Ok(registered)),
                        Err(why) => {
                            let why = format!("{no_dma_buf}; by its address: {why} (is nvidia-peermem loaded?)");
                            (Way::Staged(why.clone()), Err(why))
                        }
                    },
                };
                self.0 = Some(way);
                registered
            }
        }
    }
}

/// Registers what a dma-buf has. The device then keeps the buffer, so its descriptor is closed.
///
/// # Safety
/// The memory is mapped until the registration is dropped.
unsafe fn of_dma_buf(device: &Arc<Device>, memory: &Local, gpu: GpuMemory) -> Result<Registered, String> {
    let (buffer, offset) = gpu.dma_buf?;
    let Some(register) = device.library.reg_dmabuf_mr else {
        return Err("libibverbs has no ibv_reg_dmabuf_mr (rdma-core 34 or later does)".to_owned());
    };
    let (address, bytes, access) = (memory.address as u64, memory.bytes, Purpose::Peers.access());
    // SAFETY: the domain is there as long as the device, and the caller guarantees the memory. Peers name it by its
    // address, which has the same offset in its page as the memory has in the buffer.
    let registered = unsafe { register(device.domain, offset, bytes, address, buffer.as_raw_fd(), access) };
    if registered.is_null() {
        let error = io::Error::last_os_error();
        return Err(format!("{} refuses a dma-buf of {bytes} bytes: {error}", device.about.name));
    }
    // SAFETY: the library made it just now.
    Ok(unsafe { Registered::of(registered, device) })
}

/// Where the device of a peer writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Host,
    Gpu { keeps_order: bool },
}

impl Destination {
    /// That of a piece with this key in its card.
    pub(super) fn of(key: u64) -> Self {
        if key & ON_GPU == 0 { Self::Host } else { Self::Gpu { keeps_order: key & KEEPS_ORDER != 0 } }
    }

    fn index(self) -> usize {
        usize::from(self != Self::Host)
    }
}

/// The last write to a destination: its region and offset.
#[derive(Clone, Copy, Debug)]
struct Written {
    place: (u32, u64),
    /// Whether it was read back, by a read that need not be complete.
    is_read: bool,
}

/// What was written to each destination, by lane and peer, and was not read back behind it. Only peers with GPU memory
/// have two destinations; what was written to one before its first card was learned is not noted, because processes
/// wait for what they have posted before they exchange cards.
#[derive(Default)]
pub(super) struct Unread {
    with_gpu: FxHashSet<u32>,
    by_lane: FxHashMap<(u32, u32), [Option<Written>; 2]>,
}

/// What an operation needs in front of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Before {
    /// Bytes that are read back, of one destination or of both.
    pub(super) reads: [Option<(u32, u64)>; 2],
    /// A fence, so that it is executed behind the reads.
    pub(super) fence: bool,
}

impl Unread {
    /// Learns of a piece of a peer, by its card.
    pub(super) fn learn(&mut self, peer: u32, card: &[u8]) {
        let key = card.last_chunk().map_or(0, |key| u64::from_le_bytes(*key));
        if Destination::of(key) != Destination::Host {
            self.with_gpu.insert(peer);
        }
    }

    pub(super) fn forget_lane(&mut self, lane: u32) {
        self.by_lane.retain(|(other, _), _| *other != lane);
    }

    /// Whether a peer has two destinations.
    pub(super) fn matters(&self, peer: u32) -> bool {
        !self.with_gpu.is_empty() && self.with_gpu.contains(&peer)
    }

    /// The destinations of which an operation finds everything in place that was written before.
    fn others(kind: Kind, to: Destination) -> [Option<usize>; 2] {
        let other = Some(1 - to.index());
        match (kind, to) {
            (Kind::Word, _) => [None, None],
            // Each read shows what is at its own destination.
            _ if is_read(kind) => [other, None],
            (_, Destination::Gpu { keeps_order: false }) => [other, Some(to.index())],
            _ => [other, None],
        }
    }

    /// What an operation of a lane on a peer needs in front of it.
    pub(super) fn before(&self, lane: (u32, u32), kind: Kind, to: Destination) -> Before {
        let Some(written) = self.by_lane.get(&lane) else { return Before::default() };
        let found = Self::others(kind, to).map(|index| written[index?]);
        let reads = found.map(|written| written.filter(|written| !written.is_read).map(|written| written.place));
        Before { reads, fence: !is_read(kind) && found.iter().any(Option::is_some) }
    }

    /// Notes an operation that was posted, behind what it needs.
    pub(super) fn note(&mut self, lane: (u32, u32), kind: Kind, to: Destination, place: (u32, u64)) {
        let written = self.by_lane.entry(lane).or_default();
        for index in Self::others(kind, to).into_iter().flatten() {
            if !is_read(kind) {
                // What is behind it is behind the reads too.
                written[index] = None;
            } else if let Some(other) = &mut written[index] {
                // A write behind it may overtake it, and the reads with it.
                other.is_read = true;
            }
        }
        if !matches!(kind, Kind::Read | Kind::Fetch) {
            written[to.index()] = Some(Written { place, is_read: false });
        } else if let Some(own) = &mut written[to.index()] {
            own.is_read = true;
        }
    }
}

/// Whether the first request of an operation is a read.
fn is_read(kind: Kind) -> bool {
    matches!(kind, Kind::Read | Kind::Fetch | Kind::Loop)
}

impl Verbs {
    /// Where an operation takes effect, if that matters for its peer.
    pub(super) fn destination(&mut self, work: &Work) -> Option<Destination> {
        if !self.unread.matters(work.peer) {
            return None;
        }
        let (there, _) = self.far.find(work.peer, work.region, work.at, work.operation.bytes(), 0)?;
        Some(Destination::of(there.key))
    }

    /// Makes the requests that an operation needs in front of it, as a part of it.
    pub(super) fn read_back(&mut self, index: usize, before: &Before) {
        let peer = self.operations[index].work.peer;
        for (region, at) in before.reads.into_iter().flatten() {
            // What was forgotten meanwhile was waited for.
            let Some((there, _)) = self.far.find(peer, region, at, 1, 0) else { continue };
            let (nowhere, local_key) = (self.room.nowhere.get(0).expose_provenance(), self.room.nowhere.key());
            self.request(
                index,
                Request {
                    operation: index,
                    opcode: IBV_WR_RDMA_READ,
                    flags: 0,
                    address: nowhere,
                    bytes: 1,
                    local_key,
                    there: there.address,
                    key: there.key as u32,
                    compare_add: 0,
                    swap: 0,
                },
            );
        }
    }

    /// Takes the requests of an operation back, none of which the device has.
    pub(super) fn take_back(&mut self, index: usize) {
        let peer = self.operations[index].work.peer;
        if let Some(link) = self.links.get_mut(&peer) {
            let before = link.pending.len();
            link.pending.retain(|request| request.operation != index);
            self.requests -= before - link.pending.len();
        }
        self.operations[index].requests = 0;
    }
}

#[cfg(test)]
#[path = "gpu_memory_tests.rs"]
mod tests;

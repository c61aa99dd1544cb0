//! Memory that the program allocated itself and registered, for itself or as symmetric memory.
//!
//! *Symmetric* memory is registered by all PEs together. Each registers a range of its own, of the same length and kind
//! as the others' ranges, at any address. A PE names it by its own address, as it does its globals. The ranges have no
//! stride, and not even a common offset. Instead an [`At`] holds the number of the registration, which the PEs count
//! together and use again only after a million others, and the offset in the range. So an unregistered range is not
//! found any more, and is not soon confused with another one. Kernels compute addresses from a stride, so they cannot
//! reach peers' ranges.
//!
//! | memory | a peer reaches it |
//! |---|---|
//! | of the host | by the operating system, which copies between processes; on another node by the network |
//! | of a GPU, made with `cuMemCreate` such that it can be shared | at an address of its own, where the same chunks are mapped |
//! | of a GPU, of `cudaMalloc` | at an address of its own, by the driver's handle of the allocation that the range lies in |
//! | of a GPU, from a pool, or of a GPU that is not reached | through its owner, as GPU heaps that are not reached |
//! | of a GPU of another node | by the network, if it reaches GPU memory and takes this; otherwise through its owner |
//!
//! *When a range exists*: a PE that has completed the agreement may use the ranges of the others at once, and its
//! requests reach their proxies. So each PE adds its range before it agrees, and removes it if the agreement fails.
//! Unregistering removes the range after a meeting before which all PEs have completed the operations that they
//! started.

use super::registered_peers::{Peer, Record, STAGED, exchange};
use super::{At, Memory, Remote, Segment, SymOffset};
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::job::Pe;
use crate::sync::network::Network;
use crate::sync::network_lane::{Region, RemoteAddr};
use cushmem_net::{GpuMemory, Local};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Bits for the offset within a range; the bits above hold the number of the registration.
const BITS: u32 = 44;
/// The most symmetric ranges at a time.
const MOST: u64 = (1 << (u64::BITS - BITS)) - 1;
const PAGE: usize = 4096;

const GONE: &str = "it was unregistered";

/// All registered ranges.
#[derive(Default)]
pub(crate) struct Registered {
    /// The number of ranges, so that usually no lock is needed to look up an address.
    count: AtomicUsize,
    /// The number of the last registration of symmetric memory, the same on all PEs.
    last: AtomicU64,
    /// How many ranges for this PE alone were offered to the network.
    offered: AtomicU32,
    all: RwLock<Vec<Range>>,
}

/// A range of this PE.
struct Range {
    start: usize,
    bytes: usize,
    on_gpu: bool,
    /// The pages that were pinned for it.
    pinned: Option<(u64, u64)>,
    /// For GPU memory that the network reaches: what is added to addresses for it.
    distance: Option<usize>,
    /// The number of the piece, if it was registered with the network for this PE alone.
    piece: Option<u32>,
    symmetric: Option<Symmetric>,
}

struct Symmetric {
    number: u64,
    /// By PE, the start of its range there.
    starts: Vec<u64>,
    /// By PE.
    peers: Vec<Peer>,
    /// By PE, whether the network reaches its range, which is GPU memory. Empty if it reaches none.
    reached: Vec<bool>,
}

impl At {
    /// For registered memory: the number of the registration, and the offset in the range.
    pub(crate) fn in_range(self) -> (u32, u64) {
        ((self.offset.0 >> BITS) as u32, self.offset.0 & ((1 << BITS) - 1))
    }

    /// The inverse, for GPU memory.
    pub(crate) fn of_range(number: u32, offset: u64) -> Option<Self> {
        let offset = (offset >> BITS == 0).then_some(u64::from(number) << BITS | offset)?;
        Some(Self::new(Segment::RegisteredGpu, offset))
    }
}

impl Range {
    fn has(&self, address: usize) -> bool {
        (self.start..self.start + self.bytes).contains(&address)
    }

    fn overlaps(&self, start: usize, bytes: usize) -> bool {
        start < self.start + self.bytes && self.start < start + bytes
    }
}

/// The number after `last` that is not in use. After the largest one comes 1, so that a number which a program still
/// uses by mistake is not soon another's.
fn next_number(last: u64, used: &[u64]) -> Option<u64> {
    // Among one more than there are in use, one is free, unless all are used.
    (0..=used.len() as u64).map(|more| (last + more) % MOST + 1).find(|number| !used.contains(number))
}

impl Registered {
    fn read(&self) -> RwLockReadGuard<'_, Vec<Range>> {
        self.all.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Vec<Range>> {
        self.all.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, range: Range) {
        let mut all = self.write();
        all.push(range);
        // Relaxed: whoever uses an address knows of its registration by other means.
        self.count.store(all.len(), Ordering::Relaxed);
    }

    fn take(&self, which: impl Fn(&Range) -> bool) -> Option<Range> {
        let mut all = self.write();
        let at = all.iter().position(which)?;
        let range = all.swap_remove(at);
        // Relaxed: as in `add`.
        self.count.store(all.len(), Ordering::Relaxed);
        Some(range)
    }

    /// The numbers in use, the same on all PEs.
    fn numbers(&self) -> Vec<u64> {
        self.read().iter().filter_map(|range| Some(range.symmetric.as_ref()?.number)).collect()
    }

    fn is_empty(&self) -> bool {
        // Relaxed: as in `add`.
        self.count.load(Ordering::Relaxed) == 0
    }

    /// What lies at an address of this PE, if it is symmetric.
    pub(super) fn find(&self, address: usize, bytes: usize) -> Option<std::result::Result<At, ArgumentError>> {
        if self.is_empty() {
            return None;
        }
        let all = self.read();
        let range = all.iter().find(|range| range.symmetric.is_some() && range.has(address))?;
        let (offset, number) = (address - range.start, range.symmetric.as_ref()?.number);
        let segment = if range.on_gpu { Segment::RegisteredGpu } else { Segment::RegisteredHost };
        let left = range.bytes - offset;
        let at = At { segment, offset: SymOffset(number << BITS | offset as u64) };
        Some(if bytes > left { Err(ArgumentError::PastObject(left as u64)) } else { Ok(at) })
    }

    /// Where a PE has this symmetric address.
    pub(super) fn remote(&self, at: At, pe: Pe) -> Remote<'static> {
        let (number, offset) = at.in_range();
        let (all, far) = (self.read(), RemoteAddr { pe, region: Region::Registered(number), at: offset });
        let Some((range, symmetric)) = numbered(&all, number) else { return Remote::Unreachable(GONE) };
        let offset = offset as usize;
        match &symmetric.peers[pe.index()] {
            Peer::Own if range.on_gpu => Remote::Device((range.start + offset) as u64),
            Peer::Own => Remote::Near(range.start + offset),
            Peer::Attached(attached) => Remote::Attached(*attached, offset),
            Peer::Device(start, _) => Remote::Device(start + offset as u64),
            Peer::Net => Remote::Net(far),
            Peer::Staged(why) => Remote::Staged(why),
        }
    }

    /// Whether the network reaches this GPU memory of another node itself.
    pub(super) fn is_reached(&self, at: At, pe: Pe) -> bool {
        let of = |(_, symmetric): (_, &Symmetric)| symmetric.reached.get(pe.index()) == Some(&true);
        numbered(&self.read(), at.in_range().0).is_some_and(of)
    }

    /// What is added for the network to these addresses of GPU memory of this PE, if it reaches all of them.
    pub(super) fn distance(&self, address: usize, bytes: usize) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let has = |range: &&Range| range.has(address) && bytes <= range.bytes - (address - range.start);
        self.read().iter().filter(has).find_map(|range| range.distance)
    }

    /// Whether a PE has this symmetric address at a multiple of `bytes`.
    pub(super) fn is_aligned(&self, at: At, pe: Pe, bytes: u64) -> bool {
        let (number, offset) = at.in_range();
        numbered(&self.read(), number).is_some_and(|(_, symmetric)| {
            let start = symmetric.starts[pe.index()];
            start.wrapping_add(offset).is_multiple_of(bytes)
        })
    }

    /// Whether the range with this number has `bytes` bytes there.
    pub(super) fn has(&self, at: At, bytes: usize) -> bool {
        let (number, offset) = at.in_range();
        let has = |range: &Range| offset.checked_add(bytes as u64).is_some_and(|end| end <= range.bytes as u64);
        numbered(&self.read(), number).is_some_and(|(range, _)| has(range))
    }

    /// The boundaries, inside this host memory and in order, of pages that were pinned for registrations. An engine
    /// accepts no range across one.
    pub(super) fn borders(&self, address: u64, bytes: u64) -> Vec<u64> {
        if self.is_empty() {
            return vec![];
        }
        let all = self.read();
        let borders = all.iter().filter_map(|range| range.pinned).flat_map(|(start, length)| [start, start + length]);
        let inside = |border: &u64| address < *border && *border - address < bytes;
        let mut borders: Vec<u64> = borders.filter(inside).collect();
        borders.sort_unstable();
        borders
    }
}

/// The symmetric range with this number.
fn numbered(all: &[Range], number: u32) -> Option<(&Range, &Symmetric)> {
    let is_it = |range: &&Range| range.symmetric.as_ref().is_some_and(|symmetric| symmetric.number == number.into());
    let range = all.iter().find(is_it)?;
    Some((range, range.symmetric.as_ref()?))
}

impl Memory {
    /// Registers memory for this PE alone: host memory is pinned, so that copies to and from GPUs are asynchronous. GPU
    /// memory is registered with the network, if it reaches GPUs.
    pub(crate) fn register_local(&self, start: usize, bytes: usize, network: Option<&Network>) -> Result<()> {
        let operation = "register memory";
        self.check_range(start, bytes).map_err(|why| Error::new(operation, Cause::Mismatch(why)))?;
        let on_gpu = self.is_device(start);
        let pinned = if on_gpu { None } else { self.pin(start, bytes).map_err(Error::of(operation))? };
        let mut range = Range { start, bytes, on_gpu, pinned, distance: None, piece: None, symmetric: None };
        if let (true, Some(network)) = (on_gpu && self.is_on_network(), network) {
            // Relaxed: the numbers need only differ. A network that refuses the memory copies it through the host.
            let piece = self.registered.offered.fetch_add(1, Ordering::Relaxed);
            let given = self.for_network(start, bytes).and_then(|(distance, (memory, gpu))| {
                network.register_gpu(Region::Local, piece, memory, gpu).map(|_| distance)
            });
            self.job.debug(|| match &given {
                Ok(_) => format!("has {bytes} bytes of GPU memory at {start:#x} registered with the network"),
                Err(why) => format!("stages {bytes} bytes of GPU memory at {start:#x}: {why}"),
            });
            (range.distance, range.piece) = (given.as_ref().ok().copied(), given.is_ok().then_some(piece));
        }
        self.registered.add(range);
        Ok(())
    }

    /// What the network is told of GPU memory of the program, and what is added to its addresses.
    fn for_network(&self, start: usize, bytes: usize) -> std::result::Result<(usize, (Local, GpuMemory)), String> {
        let gpu = self.gpu().ok_or("the GPUs of the job have not been started")?;
        let own = gpu.net().own(&**gpu.gpu(), 0, (start as u64, bytes as u64))?;
        Ok((own.0.address.wrapping_sub(start), own))
    }

    /// Undoes [`Memory::register_local`].
    pub(crate) fn unregister_local(&self, start: usize, network: Option<&Network>) -> Result<()> {
        let range = self.registered.take(|range| range.symmetric.is_none() && range.start == start);
        let none = || Error::new("unregister memory", Cause::Mismatch(format!("nothing is registered at {start:#x}")));
        self.forget_range(&range.ok_or_else(none)?, network);
        Ok(())
    }

    /// Collective. Registers a range of each PE as symmetric memory, on all PEs or on none. If there are GPUs, they
    /// have been started. `stage` is collective too, and enables staging of GPU memory through its owners.
    pub(crate) fn register_symmetric(
        &self,
        start: usize,
        bytes: usize,
        network: Option<&Network>,
        stage: impl FnOnce() -> Result<()>,
    ) -> Result<At> {
        let operation = "register symmetric memory";
        let job = self.job.clone();
        let on_gpu = self.is_device(start);
        let mut chunks = vec![];
        let own = self.check_range(start, bytes).and_then(|()| self.share(start, bytes, on_gpu, &mut chunks));
        let all = exchange(&job, operation, own)?;
        if self.stage().is_none() && all.len() > 1 && all.iter().any(|record| record.kind == STAGED) {
            stage()?;
        }
        // Relaxed: only one thread of a PE makes collective calls.
        let (last, used) = (self.registered.last.load(Ordering::Relaxed), self.registered.numbers());
        // All PEs choose the same, because they register and unregister together.
        let next = next_number(last, &used);
        let room = if next.is_some() { Ok(()) } else { Err(format!("{MOST} ranges are registered")) };
        let number = next.unwrap_or(0);
        let told = match network {
            // The same on all PEs.
            Some(network) if next.is_some() && all.iter().any(Record::is_host) => {
                let own = (!on_gpu).then_some(Local { at: 0, address: start, bytes, file: None });
                network.share(&job, 0, &[(Region::Registered(number as u32), own)]).map(drop)
            }
            _ => Ok(()),
        };
        let (mut reached, mut distance) = (vec![], None);
        let told = told.and_then(|()| match network {
            // The same on all PEs.
            Some(network) if next.is_some() && self.is_on_network() && !all.iter().all(Record::is_host) => {
                let own = if on_gpu { self.for_network(start, bytes) } else { Err("it is host memory".to_owned()) };
                let own = own.map(|(found, own)| {
                    distance = Some(found);
                    own
                });
                let (have, why) = network.share_gpu(&job, Region::Registered(number as u32), 0, own)?;
                if let Some(why) = why {
                    distance = None;
                    job.debug(|| format!("stages {bytes} bytes of GPU memory at {start:#x}: {why}"));
                }
                reached = have;
                Ok(())
            }
            _ => Ok(()),
        });
        let told = told.map_err(|error| error.to_string());
        let prepared = self.import_all(&all, &chunks).and_then(|peers| {
            let pinned = if on_gpu { Ok(None) } else { self.pin(start, bytes) };
            let starts = all.iter().map(|record| record.start).collect();
            let range = Range {
                start,
                bytes,
                on_gpu,
                pinned: pinned.as_ref().copied().unwrap_or(None),
                distance,
                piece: None,
                symmetric: Some(Symmetric { number, starts, peers, reached }),
            };
            let right = room.and(told).and(pinned.map(drop).map_err(|error| error.to_string()));
            match right {
                Ok(()) => {
                    self.registered.add(range);
                    Ok(())
                }
                Err(why) => {
                    self.forget_range(&range, network);
                    Err(why)
                }
            }
        });
        if let (Err(_), Some(network), Some(number)) = (&prepared, network, next) {
            // It may be known there although this PE has no range.
            network.forget(Region::Registered(number as u32));
        }
        let agreed = job.agree(operation, prepared.as_ref().map(drop).map_err(String::clone));
        if let (Err(_), Ok(())) = (&agreed, &prepared) {
            self.unregister_symmetric(number, network);
        }
        agreed?;
        prepared.map_err(|why| Error::new(operation, Cause::Mismatch(why)))?;
        self.registered.last.store(number, Ordering::Relaxed);
        let segment = if on_gpu { Segment::RegisteredGpu } else { Segment::RegisteredHost };
        Ok(At { segment, offset: SymOffset(number << BITS) })
    }

    /// The number of the symmetric range that starts there.
    pub(crate) fn registration_at(&self, start: usize) -> Option<u64> {
        let all = self.registered.read();
        let range = all.iter().find(|range| range.symmetric.is_some() && range.start == start)?;
        range.symmetric.as_ref().map(|symmetric| symmetric.number)
    }

    /// Undoes [`Memory::register_symmetric`] on this PE, after the meeting at which all PEs agreed.
    pub(crate) fn unregister_symmetric(&self, number: u64, network: Option<&Network>) {
        let is_it = |range: &Range| range.symmetric.as_ref().is_some_and(|symmetric| symmetric.number == number);
        if let Some(range) = self.registered.take(is_it) {
            self.forget_range(&range, network);
        }
    }

    /// Called at the end of the job.
    pub(super) fn unregister_all(&self, network: Option<&Network>) {
        while let Some(range) = self.registered.take(|_| true) {
            self.forget_range(&range, network);
        }
    }

    fn forget_range(&self, range: &Range, network: Option<&Network>) {
        if let Some(Symmetric { number, peers, .. }) = &range.symmetric {
            self.release(peers);
            if let Some(network) = network {
                network.forget(Region::Registered(*number as u32));
            }
        }
        if let (Some(network), Some(piece)) = (network, range.piece) {
            network.forget_piece(Region::Local, piece);
        }
        self.unpin(range);
    }

    /// Checks a range that is to be registered.
    fn check_range(&self, start: usize, bytes: usize) -> std::result::Result<(), String> {
        let end = start.checked_add(bytes).and_then(|end| end.checked_next_multiple_of(PAGE));
        let end = end.filter(|_| start != 0 && bytes != 0 && bytes >> BITS == 0);
        end.ok_or_else(|| format!("{bytes} bytes at {start:#x} are not a valid range"))?;
        if self.heap_of_any(start).is_some() || self.is_global(start) {
            return Err(format!("{start:#x} is already symmetric memory"));
        }
        match self.registered.read().iter().find(|range| range.overlaps(start, bytes)) {
            Some(Range { start, bytes, .. }) => Err(format!("{bytes} bytes at {start:#x} are registered already")),
            None => Ok(()),
        }
    }

    /// Pins the pages of host memory, if this PE has a GPU. A page can be pinned only once, so if the first or the last
    /// page is pinned already, or another registration has pinned any page of the range, this range stays unpinned.
    fn pin(&self, start: usize, bytes: usize) -> cushmem_gpu::Result<Option<(u64, u64)>> {
        let Some(gpu) = self.opened_gpu() else { return Ok(None) };
        let (first, last) = (start / PAGE * PAGE, start + bytes - 1);
        let length = (start + bytes).next_multiple_of(PAGE) - first;
        let (first, length) = (first as u64, length as u64);
        let is_pinned = |address: usize| gpu.is_pinned(address as u64, 1);
        let overlaps = |(start, bytes): (u64, u64)| start < first + length && first < start + bytes;
        if is_pinned(start) || is_pinned(last) || self.registered.read().iter().filter_map(|r| r.pinned).any(overlaps) {
            return Ok(None);
        }
        gpu.register_host(first, length)?;
        Ok(Some((first, length)))
    }

    /// Unpins a range that is no longer registered. Ranges that relied on its pages are pinned themselves, if they can
    /// be.
    fn unpin(&self, range: &Range) {
        if let (Some((start, length)), Some(gpu)) = (range.pinned, self.opened_gpu()) {
            // If it fails, the pages merely stay pinned.
            let _ = gpu.unregister_host(start);
            let left = |other: &&Range| {
                !other.on_gpu && other.pinned.is_none() && other.overlaps(start as usize, length as usize)
            };
            let left: Vec<_> = self.registered.read().iter().filter(left).map(|r| (r.start, r.bytes)).collect();
            for (start, bytes) in left {
                let Ok(Some(pages)) = self.pin(start, bytes) else { continue };
                let mut all = self.registered.write();
                match all.iter_mut().find(|other| other.start == start && other.pinned.is_none()) {
                    Some(other) => other.pinned = Some(pages),
                    // Another thread has unregistered it.
                    None => drop(gpu.unregister_host(pages.0)),
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "registered_tests.rs"]
mod tests;

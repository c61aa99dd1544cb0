//! From a plain address to the memory that lies there, and from a symmetric address to its place on a PE.
//!
//! Three ranges of addresses answer nearly every question. An address in this PE's segment of the host heap, of the GPU
//! heap or of the globals is symmetric, and its distance from the segment's start is the offset on every PE. Any other
//! address is private: device memory if the driver says so, otherwise host memory.

use super::{At, Memory, NETWORK_BYTES, Remote, Segment};
use crate::error::ArgumentError;
use crate::job::Pe;
use crate::sync::network_lane::{Region, RemoteAddr};
use cushmem_gpu::cuda;

type Result<T> = std::result::Result<T, ArgumentError>;

impl Memory {
    /// The object that contains all `bytes` bytes at this address of this PE. Only in check mode does it have to be a
    /// single object.
    pub(crate) fn locate(&self, address: usize, bytes: usize) -> Result<At> {
        if let Some(offset) = self.globals.find(address, bytes) {
            return Ok(At { segment: Segment::Globals, offset: offset? });
        }
        let Some((found, length)) = self.segment_of(address) else {
            return self.registered.find(address, bytes).unwrap_or(Err(ArgumentError::NotSymmetric));
        };
        let left = length - found.offset.0;
        if bytes as u64 > left {
            return Err(ArgumentError::PastEnd(left));
        }
        self.check_object(found, bytes)?;
        Ok(found)
    }

    /// Where a word of this PE is, or was, if it is symmetric: its object may have been freed since. Registered memory
    /// has to be registered still.
    pub(crate) fn place_of_word(&self, address: usize) -> Option<At> {
        let in_heap = self.segment_of(address).map(|(at, _)| at);
        in_heap.or_else(|| self.locate(address, 1).ok())
    }

    /// The heap in which this address of this PE lies, and the end of the heap.
    pub(super) fn segment_of(&self, address: usize) -> Option<(At, u64)> {
        let address = address as u64;
        let me = self.job.me();
        let at = |start: u64, reserved: u64, end: u64| {
            address.checked_sub(start).filter(|offset| (reserved..end).contains(offset))
        };
        let start = self.host.window().at(me, 0)?;
        let bytes = self.host.bytes();
        if let Some(offset) = at(start, 0, bytes) {
            return Some((At::new(Segment::Host, offset), bytes));
        }
        let behind = if self.has(Segment::Network) { NETWORK_BYTES } else { 0 };
        if let Some(offset) = at(start + self.host.behind(), 0, behind) {
            return Some((At::new(Segment::Network, offset), behind));
        }
        let gpu = self.gpu()?;
        let (start, mapped) = (gpu.window().at(me, 0)?, gpu.mapped());
        at(start, self.words_in_gpu(), mapped).map(|offset| (At::new(Segment::Gpu, offset), mapped))
    }

    /// Whether a symmetric address is that of a global.
    pub(crate) fn is_global(&self, address: usize) -> bool {
        self.globals.find(address, 0).is_some()
    }

    /// Whether an address of this PE lies in the host heap.
    pub(crate) fn is_heap(&self, address: usize) -> bool {
        self.segment_of(address).is_some_and(|(at, _)| at.segment == Segment::Host)
    }

    /// The heap and offset of an address in any PE's segment, as mapped here.
    pub(super) fn heap_of_any(&self, address: usize) -> Option<At> {
        let address = address as u64;
        let host = self.host.window().offset_of(address).map(|offset| match offset.checked_sub(self.host.behind()) {
            Some(behind) if self.has(Segment::Network) => At::new(Segment::Network, behind),
            _ => At::new(Segment::Host, offset),
        });
        let in_gpu = || {
            let offset = self.gpu()?.window().offset_of(address)?;
            Some(At::new(Segment::Gpu, offset))
        };
        host.or_else(in_gpu)
    }

    /// The PE of this node in whose heap an address is, as mapped here.
    pub(crate) fn pe_of(&self, address: u64) -> Option<u32> {
        self.host.window().pe_of(address).or_else(|| self.gpu()?.window().pe_of(address))
    }

    /// Whether only GPUs access the memory at a private address.
    pub(crate) fn is_device(&self, address: usize) -> bool {
        if self.is_known_host(address) {
            return false;
        }
        // Device memory belongs to the library or to the program.
        let gpu = match self.opened_gpu() {
            None if cuda::is_in_use() => self.own_gpu("look up an address").ok(),
            opened => opened,
        };
        let device = gpu.is_some_and(|gpu| gpu.is_device_address(address as u64));
        if !device && !self.check {
            self.known.remember(address);
        }
        device
    }

    /// Whether a copy engine reaches this host memory, of this PE or of another one. If not, it is pageable.
    pub(crate) fn is_pinned(&self, address: u64, bytes: u64) -> bool {
        self.is_pinned_heap(address) || self.opened_gpu().is_some_and(|gpu| gpu.is_pinned(address, bytes))
    }

    /// Whether an address lies in a host heap, of this PE or of another one, within the part that this GPU reaches.
    pub(crate) fn is_pinned_heap(&self, address: u64) -> bool {
        let reached = || self.host.window().offset_of(address).is_some_and(|at| at < self.host.within_reach());
        self.gpu().is_some() && reached()
    }

    /// Splits a copy between two addresses where an engine accepts no range across. `copy` gets the offset and the
    /// length of each part.
    pub(crate) fn in_parts<E>(
        &self,
        ends: [usize; 2],
        bytes: usize,
        mut copy: impl FnMut(usize, usize) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let inside = |start: usize| {
            let borders = self.registered.borders(start as u64, bytes as u64);
            borders.into_iter().map(move |border| border as usize - start)
        };
        let mut cuts: Vec<usize> = ends.into_iter().flat_map(inside).collect();
        cuts.sort_unstable();
        let mut from = 0;
        for end in cuts.into_iter().chain([bytes]) {
            if end > from {
                copy(from, end - from)?;
                from = end;
            }
        }
        Ok(())
    }

    /// Where a PE has the object, as seen from here.
    pub(crate) fn remote(&self, at: At, pe: Pe) -> Remote<'_> {
        match (at.segment, self.gpu()) {
            (Segment::Globals, _) => self.globals.remote(at.offset, pe),
            (Segment::RegisteredHost | Segment::RegisteredGpu, _) => self.registered.remote(at, pe),
            (Segment::Gpu, Some(gpu)) => match (gpu.reach(pe), gpu.window().at(pe, at.offset.0)) {
                (Ok(_), Some(address)) => Remote::Device(address),
                (Err(why), _) => Remote::Staged(why),
                (_, None) => unreachable!("what a GPU reaches has an address"),
            },
            (Segment::Gpu, None) => Remote::Unreachable("this job has no GPU memory"),
            (Segment::Host | Segment::Network, _) => {
                let RemoteAddr { at, .. } = self.far(at, pe);
                match self.host.window().at(pe, at) {
                    Some(address) => Remote::Near(address as usize),
                    None => Remote::Net(RemoteAddr { pe, region: Region::Host, at }),
                }
            }
        }
    }

    /// Whether a PE has this symmetric address at a multiple of `bytes`.
    pub(crate) fn is_aligned(&self, at: At, pe: Pe, bytes: usize) -> bool {
        // Other segments start at multiples of any width.
        if at.segment.is_registered() {
            self.registered.is_aligned(at, pe, bytes as u64)
        } else {
            at.offset.0.is_multiple_of(bytes as u64)
        }
    }

    /// The address of GPU memory of this PE that another PE names by its registration's number, if all `bytes` bytes
    /// exist.
    pub(crate) fn of_registration(&self, number: u32, offset: u64, bytes: usize) -> Option<u64> {
        let at = At::of_range(number, offset).filter(|at| self.registered.has(*at, bytes))?;
        match self.registered.remote(at, self.job.me()) {
            Remote::Device(address) => Some(address),
            _ => None,
        }
    }

    /// Where the network finds host memory of a PE.
    pub(crate) fn far(&self, at: At, pe: Pe) -> RemoteAddr {
        match at.segment {
            Segment::Globals => RemoteAddr { pe, region: Region::Globals, at: at.offset.0 },
            Segment::Network => RemoteAddr { pe, region: Region::Host, at: self.host.behind() + at.offset.0 },
            // No caller asks for the others.
            Segment::Host | Segment::Gpu | Segment::RegisteredHost | Segment::RegisteredGpu => {
                RemoteAddr { pe, region: Region::Host, at: at.offset.0 }
            }
        }
    }

    /// Address of this PE's own object.
    pub(crate) fn own(&self, at: At) -> u64 {
        match self.remote(at, self.job.me()) {
            Remote::Near(address) => address as u64,
            Remote::Device(address) => address,
            Remote::Attached(..) | Remote::Net(_) | Remote::Staged(_) | Remote::Unreachable(_) => {
                unreachable!("a PE reaches its own memory")
            }
        }
    }
}

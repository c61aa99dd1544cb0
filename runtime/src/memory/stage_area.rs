//! The memory through which GPU memory travels that not all PEs reach. Each PE has a *pair* for each other PE, with
//! control words and slots for data. [`transport::stage`](crate::transport::stage) says who writes what.
//!
//! The area is one sparse anonymous file per node, which all PEs of the node map; PEs of other nodes reach it by the
//! network. A PE's part starts with the requests of all other PEs, side by side, because the PE polls all of them. A
//! pair that is never used takes no other memory.

use crate::error::Cause;
use crate::job::{Job, Pe};
use crate::sync::network::Network;
use crate::sync::network_lane::{Region, RemoteAddr};
use crate::sync::shared_file::{not_in_core_dumps, share_file, shared_file};
use crate::{Error, Result};
use cushmem_net::{Local, Memory};
use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::c_void;
use std::mem::offset_of;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// The slots of a pair in each direction, and the most requests that are under way. A chunk has one slot or several
/// adjacent ones.
pub(crate) const SLOTS: usize = 16;
/// Bytes of a slot.
pub(crate) const SLOT_BYTES: usize = 1 << 20;
/// The most words of a request.
const LINE: usize = 8;

/// The requests of one PE to another one. Only the requesting PE writes them.
type Requests = [[AtomicU64; LINE]; SLOTS];

/// The rest of a pair: what one PE keeps for another one, called the *other* here.
#[repr(C, align(4096))]
struct PairMemory {
    /// Which requests of this PE the other has carried out. Only the other writes them.
    acks: [AtomicU64; SLOTS],
    /// Words that this PE copies to its GPU.
    values: [AtomicU64; SLOTS],
    /// Chunks of the other's requests.
    inward: Chunks,
    /// Chunks of this PE's requests, if the other is on another node. On the same node, this PE uses the other's
    /// `inward` chunks.
    outward: Chunks,
}

#[repr(C, align(4096))]
struct Chunks([[u8; SLOT_BYTES]; SLOTS]);

/// Bytes of a pair.
const BYTES: usize = size_of::<PairMemory>();

/// The pairs of all PEs of this node.
pub(crate) struct StageArea {
    base: NonNull<u8>,
    bytes: NonZeroUsize,
    /// By PE, where its part starts; 0 for a PE of another node.
    starts: Box<[usize]>,
    /// The size of the requests at the start of a part.
    requests: usize,
}

// SAFETY: it is an address range; words are atomics, and chunks are used through raw pointers only.
unsafe impl Send for StageArea {}
// SAFETY: it is an address range; words are atomics, and chunks are used through raw pointers only.
unsafe impl Sync for StageArea {}

/// A pair that is mapped here: what one PE keeps for another.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    requests: usize,
    start: usize,
    /// Whether the other is on this node.
    near: bool,
    area: std::marker::PhantomData<&'a StageArea>,
}

impl StageArea {
    /// Collective. The first PE of each node creates the node's file, and all PEs of the node map it; the others reach
    /// it by the network.
    pub(super) fn create(job: &Job, network: Option<&Network>) -> Result<Self> {
        let operation = "share memory to stage in";
        let n = job.n_pes() as usize;
        let requests = (size_of::<Requests>() * n).next_multiple_of(align_of::<PairMemory>());
        let each = requests + BYTES * n;
        let total = each * job.node_pes() as usize;
        let failed = |what: &str, e: String| Error::new(format!("{operation}: {what} {total} bytes"), Cause::System(e));
        let bytes = NonZeroUsize::new(total).ok_or_else(|| failed("map", "there is no PE".to_owned()))?;
        let make = || shared_file(c"cushmem-stage", total as u64).map_err(|e| failed("make", e));
        let file = share_file(job, operation, total as u64, make)?;
        let (protection, flags) =
            (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE);
        // SAFETY: a new mapping at an address that the operating system chooses touches no memory in use.
        let base = unsafe { mmap(None, bytes, protection, flags, &file, 0) }
            .map_err(|e| failed("map", e.to_string()))?
            .cast::<u8>();
        not_in_core_dumps(base.cast(), total);
        let start = base.expose_provenance().get();
        if let Some(network) = network {
            let offset = job.place_there(job.me()) as usize * each;
            let file = Some(Memory { file, offset: offset as u64, bytes: each as u64 });
            let own = Local { at: 0, address: start + offset, bytes: each, file };
            network.share(job, &[(Region::Stage, Some(own))])?;
        }
        let starts = job.by_pe(|place| start + place as usize * each);
        Ok(Self { base, bytes, starts, requests })
    }

    /// What a PE of this node keeps for another PE.
    pub(crate) fn pair(&self, of: Pe, other: Pe) -> Option<Pair<'_>> {
        let start = self.starts[of.index()];
        let near = self.starts[other.index()] != 0;
        let requests = start + other.index() * size_of::<Requests>();
        let start = start + self.requests + other.index() * BYTES;
        let pair = Pair { requests, start, near, area: std::marker::PhantomData };
        (self.starts[of.index()] != 0).then_some(pair)
    }

    /// Where the network finds a request to `pe` by `other`.
    pub(crate) fn request_at(pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        let at = other.index() * size_of::<Requests>() + slot * LINE * size_of::<u64>();
        RemoteAddr { pe, region: Region::Stage, at: at as u64 }
    }

    /// Where it finds the acknowledgement by `other` of a request of `pe`.
    pub(crate) fn ack_at(&self, pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        self.far(pe, other, offset_of!(PairMemory, acks) + slot * size_of::<u64>())
    }

    /// Where it finds a chunk of a request to `pe` by `other`.
    pub(crate) fn inward_at(&self, pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        self.far(pe, other, offset_of!(PairMemory, inward) + slot * SLOT_BYTES)
    }

    /// Where it finds a chunk of a request of `pe` to `other`.
    pub(crate) fn outward_at(&self, pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        self.far(pe, other, offset_of!(PairMemory, outward) + slot * SLOT_BYTES)
    }

    fn far(&self, pe: Pe, other: Pe, offset: usize) -> RemoteAddr {
        RemoteAddr { pe, region: Region::Stage, at: (self.requests + other.index() * BYTES + offset) as u64 }
    }
}

impl Drop for StageArea {
    fn drop(&mut self) {
        // In a panic, a copy of the emulated GPU may still use it, and the process is about to end.
        if !std::thread::panicking() {
            // SAFETY: the mapping is ours, and nothing that refers to it outlives the library's handle.
            let _ = unsafe { munmap(self.base.cast::<c_void>(), self.bytes.get()) };
        }
    }
}

impl<'a> Pair<'a> {
    /// The address and size of the part in use, in whole pages.
    pub(crate) fn range(self) -> (u64, u64) {
        let bytes = if self.near { offset_of!(PairMemory, outward) } else { BYTES };
        (self.start as u64, bytes as u64)
    }

    /// The words of a request by the other.
    pub(crate) fn request<const N: usize>(self, slot: usize) -> [&'a AtomicU64; N] {
        const { assert!(N <= LINE) };
        assert!(slot < SLOTS);
        std::array::from_fn(|word| self.word_at(self.requests + (slot * LINE + word) * size_of::<u64>()))
    }

    /// The number of a request that the other has carried out.
    pub(crate) fn ack(self, slot: usize) -> &'a AtomicU64 {
        self.word(offset_of!(PairMemory, acks) + slot * size_of::<u64>())
    }

    /// A word on its way to this PE's GPU.
    pub(crate) fn value(self, slot: usize) -> &'a AtomicU64 {
        self.word(offset_of!(PairMemory, values) + slot * size_of::<u64>())
    }

    /// Address of a chunk of the other's requests.
    pub(crate) fn inward(self, slot: usize) -> usize {
        assert!(slot < SLOTS);
        self.start + offset_of!(PairMemory, inward) + slot * SLOT_BYTES
    }

    /// Address of a chunk of this PE's requests.
    pub(crate) fn outward(self, slot: usize) -> usize {
        assert!(slot < SLOTS);
        self.start + offset_of!(PairMemory, outward) + slot * SLOT_BYTES
    }

    fn word(self, offset: usize) -> &'a AtomicU64 {
        assert!(offset < offset_of!(PairMemory, inward));
        self.word_at(self.start + offset)
    }

    /// The word at an address in the pair.
    fn word_at(self, address: usize) -> &'a AtomicU64 {
        // SAFETY: an aligned word inside the mapping, which lives as long as the area; it is only used as an atomic.
        unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(address)) }
    }
}

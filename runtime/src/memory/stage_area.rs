//! The memory through which GPU memory travels that not all PEs reach. Each PE has a *pair* for each other PE, with
//! control words and slots for data. [`transport::stage`](crate::transport::stage) says who writes what.
//!
//! Each node has one sparse anonymous file; PEs of other nodes reach it by the network. It starts with the words of all
//! PEs, which all PEs of the node map from the start. A PE's words start with the requests of all other PEs, side by
//! side, because the PE polls all of them. The chunks of a pair are mapped on first use ([`Pair::make`]), by the one or
//! two PEs that use them.

use crate::error::Cause;
use crate::job::{Job, Pe};
use crate::sync::network::Network;
use crate::sync::network_lane::{Region, RemoteAddr};
use crate::sync::shared_file::{Mapping, share_file, shared_file};
use crate::{Error, Result};
use cushmem_net::{Local, Memory};
use std::mem::offset_of;
use std::num::NonZeroUsize;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The slots of a pair in each direction, and the most requests that are under way. A chunk has one slot or several
/// adjacent ones.
pub(crate) const SLOTS: usize = 16;
/// Bytes of a slot.
pub(crate) const SLOT_BYTES: usize = 1 << 20;
/// The most words of a request, and the words of a card.
pub(crate) const LINE: usize = 8;

/// A line of words that one put carries.
type Line = [AtomicU64; LINE];

/// What another PE writes for the one that has it. Only that PE writes it.
#[repr(C, align(64))]
struct Incoming {
    /// Its requests.
    requests: [Line; SLOTS],
    /// The card of its chunks, if it is on another node.
    card: Line,
}

/// Which requests of the PE that has it another one has carried out. Only the other writes them.
type Acks = [AtomicU64; SLOTS];

/// The chunks of a pair: what one PE keeps for another one, called the *other* here. They start on a page, also
/// on systems with pages of 64 KiB.
#[repr(C, align(65536))]
struct PairMemory {
    /// Words that this PE copies to its GPU.
    values: [AtomicU64; SLOTS],
    /// Chunks of the other's requests.
    inward: Chunks,
    /// Chunks of this PE's requests, if the other is on another node. On the same node, this PE uses the other's
    /// `inward` chunks.
    outward: Chunks,
}

#[repr(C, align(65536))]
struct Chunks([[u8; SLOT_BYTES]; SLOTS]);

/// Bytes of the chunks of a pair.
const BYTES: usize = size_of::<PairMemory>();

/// The pairs of all PEs of this node.
pub(crate) struct StageArea {
    me: Pe,
    file: Arc<OwnedFd>,
    /// The words of all PEs of this node.
    _words: Mapping,
    /// By PE, where its words start; 0 for a PE of another node.
    starts: Box<[usize]>,
    /// By PE of this node, the offset of the chunks of its pairs in the file.
    offsets: Box<[usize]>,
    /// Where the acknowledgements start in the words of a PE.
    acks: usize,
    /// By PE, the chunks of this PE's pair for it, and of its pair for this PE if it is on this node.
    chunks: Box<[[OnceLock<Mapping>; 2]]>,
    /// How many of them are mapped.
    mapped_pairs: AtomicU64,
}

/// A pair of a PE of this node: what that PE keeps for another.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    area: &'a StageArea,
    incoming: usize,
    acks: usize,
    /// The chunks, and their offset in the file.
    chunks: &'a OnceLock<Mapping>,
    offset: usize,
    /// Whether the other is on this node.
    near: bool,
}

const OPERATION: &str = "share memory to stage in";

fn failed(what: &str, bytes: usize, why: String) -> Error {
    Error::new(format!("{OPERATION}: {what} {bytes} bytes"), Cause::System(why))
}

impl StageArea {
    /// Collective. The first PE of each node creates the node's file, and all PEs of the node map its words; the others
    /// reach these by the network.
    pub(super) fn create(job: &Job, network: Option<&Network>) -> Result<Self> {
        let (n, places) = (job.n_pes() as usize, job.node_pes() as usize);
        let acks = size_of::<Incoming>() * n;
        let each = (acks + size_of::<Acks>() * n).next_multiple_of(align_of::<PairMemory>());
        let words = each * places;
        let total = words + BYTES * n * places;
        let mapped = NonZeroUsize::new(words).ok_or_else(|| failed("map", words, "there is no PE".to_owned()))?;
        let make = || shared_file(c"cushmem-stage", total as u64).map_err(|e| failed("make", total, e));
        let file = share_file(job, OPERATION, total as u64, make)?;
        let mapping = Mapping::of(&file, 0, mapped).map_err(|e| failed("map", words, e))?;
        let start = mapping.address();
        if let Some(network) = network {
            let offset = job.place_there(job.me()) as usize * each;
            let part = Some(Memory { file: file.clone(), offset: offset as u64, bytes: each as u64 });
            let own = Local { at: 0, address: start + offset, bytes: each, file: part };
            network.share(job, 0, &[(Region::Stage, Some(own))])?;
        }
        Ok(Self {
            me: job.me(),
            file,
            _words: mapping,
            starts: job.by_pe(|place| start + place as usize * each),
            offsets: job.by_pe(|place| words + place as usize * n * BYTES),
            acks,
            chunks: job.pes().map(|_| <[OnceLock<Mapping>; 2]>::default()).collect(),
            mapped_pairs: AtomicU64::new(0),
        })
    }

    /// What a PE of this node keeps for another PE. This PE is one of the two.
    pub(crate) fn pair(&self, of: Pe, other: Pe) -> Option<Pair<'_>> {
        let start = self.starts[of.index()];
        let [own, theirs] = &self.chunks[if of == self.me { other } else { of }.index()];
        let pair = Pair {
            area: self,
            incoming: start + other.index() * size_of::<Incoming>(),
            acks: start + self.acks + other.index() * size_of::<Acks>(),
            chunks: if of == self.me { own } else { theirs },
            offset: self.offsets[of.index()] + other.index() * BYTES,
            near: self.starts[other.index()] != 0,
        };
        (start != 0).then_some(pair)
    }

    /// How many pairs have their chunks mapped here.
    pub(crate) fn mapped_pairs(&self) -> u64 {
        // Relaxed: a statistic.
        self.mapped_pairs.load(Ordering::Relaxed)
    }

    /// Where the network finds a request to `pe` by `other`.
    pub(crate) fn request_at(pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        Self::incoming_at(pe, other, offset_of!(Incoming, requests) + slot * size_of::<Line>())
    }

    /// Where it finds the card that `other` gives to `pe`.
    pub(crate) fn card_at(pe: Pe, other: Pe) -> RemoteAddr {
        Self::incoming_at(pe, other, offset_of!(Incoming, card))
    }

    fn incoming_at(pe: Pe, other: Pe, offset: usize) -> RemoteAddr {
        RemoteAddr { pe, region: Region::Stage, at: (other.index() * size_of::<Incoming>() + offset) as u64 }
    }

    /// Where it finds the acknowledgement by `other` of a request of `pe`.
    pub(crate) fn ack_at(&self, pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        let at = self.acks + other.index() * size_of::<Acks>() + slot * size_of::<u64>();
        RemoteAddr { pe, region: Region::Stage, at: at as u64 }
    }

    /// Where it finds a chunk of a request to `pe` by `other`.
    pub(crate) fn inward_at(pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        let at = offset_of!(PairMemory, inward) + slot * SLOT_BYTES;
        RemoteAddr { pe, region: Region::Pair(other), at: at as u64 }
    }

    /// Where it finds a chunk of a request of `pe` to `other`.
    pub(crate) fn outward_at(pe: Pe, other: Pe, slot: usize) -> RemoteAddr {
        let at = offset_of!(PairMemory, outward) + slot * SLOT_BYTES;
        RemoteAddr { pe, region: Region::Pair(other), at: at as u64 }
    }
}

impl<'a> Pair<'a> {
    /// Maps the chunks here, unless they are. One thread of a PE, its proxy, does this and uses them.
    pub(crate) fn make(self) -> Result<()> {
        if self.chunks.get().is_none() {
            let bytes = self.bytes();
            let mapped = NonZeroUsize::new(bytes).expect("a pair has bytes");
            let mapping = Mapping::of(&self.area.file, self.offset, mapped).map_err(|e| failed("map", bytes, e))?;
            let _ = self.chunks.set(mapping);
            // Relaxed: a statistic.
            self.area.mapped_pairs.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The bytes that are in use, in whole pages.
    fn bytes(self) -> usize {
        if self.near { offset_of!(PairMemory, outward) } else { BYTES }
    }

    /// Where the chunks were mapped.
    fn start(self) -> usize {
        self.chunks.get().expect("it was made before its first use").address()
    }

    /// The address and size of the chunks.
    pub(crate) fn range(self) -> (u64, u64) {
        (self.start() as u64, self.bytes() as u64)
    }

    /// The chunks, for the network.
    pub(crate) fn local(self) -> Local {
        let (file, bytes) = (self.area.file.clone(), self.bytes());
        let file = Some(Memory { file, offset: self.offset as u64, bytes: bytes as u64 });
        Local { at: 0, address: self.start(), bytes, file }
    }

    /// The words of a request by the other.
    pub(crate) fn request<const N: usize>(self, slot: usize) -> [&'a AtomicU64; N] {
        assert!(slot < SLOTS);
        self.line(offset_of!(Incoming, requests) + slot * size_of::<Line>())
    }

    /// The words of the other's card.
    pub(crate) fn card(self) -> [&'a AtomicU64; LINE] {
        self.line(offset_of!(Incoming, card))
    }

    fn line<const N: usize>(self, offset: usize) -> [&'a AtomicU64; N] {
        const { assert!(N <= LINE) };
        std::array::from_fn(|word| self.word_at(self.incoming + offset + word * size_of::<u64>()))
    }

    /// The number of a request that the other has carried out.
    pub(crate) fn ack(self, slot: usize) -> &'a AtomicU64 {
        assert!(slot < SLOTS);
        self.word_at(self.acks + slot * size_of::<u64>())
    }

    /// A word on its way to this PE's GPU.
    pub(crate) fn value(self, slot: usize) -> &'a AtomicU64 {
        assert!(slot < SLOTS);
        self.word_at(self.start() + offset_of!(PairMemory, values) + slot * size_of::<u64>())
    }

    /// Address of a chunk of the other's requests.
    pub(crate) fn inward(self, slot: usize) -> usize {
        assert!(slot < SLOTS);
        self.start() + offset_of!(PairMemory, inward) + slot * SLOT_BYTES
    }

    /// Address of a chunk of this PE's requests, if the other is on another node.
    pub(crate) fn outward(self, slot: usize) -> usize {
        assert!(slot < SLOTS && !self.near);
        self.start() + offset_of!(PairMemory, outward) + slot * SLOT_BYTES
    }

    /// The word at an address in the pair.
    fn word_at(self, address: usize) -> &'a AtomicU64 {
        // SAFETY: an aligned word inside a mapping that lives as long as the area; it is only used as an atomic.
        unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(address)) }
    }
}

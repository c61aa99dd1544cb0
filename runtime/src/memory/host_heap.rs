//! The symmetric host heap: a window with a segment for each PE of the node. Every PE maps all segments. The heap is
//! one sparse anonymous file, where a page exists once it is touched.
//!
//! Kernels and copy engines reach only pinned memory, and pinning allocates all pages. So each segment is pinned piece
//! by piece, from the moment when the job's GPUs are started: first the part with the objects allocated until then,
//! later whatever the heap has to grow by.
//!
//! * *Who pins what*: in a collective call, each PE pins the same piece of all segments for its own GPU.
//! * *Borders*: the driver refuses a copy that extends beyond a piece, so the allocator places no object across a
//!   border.
//! * *Nothing moves*: what the CPU or a GPU uses stays where it is, and stays pinned. Pieces that contain no object may
//!   be unpinned and pinned again as one ([`HostHeap::join`]).
//!
//! In a job with a network, each PE registers its own segment with it by pieces too, because a network pins what is
//! registered. A piece is registered when an object first needs it ([`HostHeap::share`]), and stays. An object may lie
//! across the border of two such pieces: the network cuts operations there. Borders lie between pages, so no aligned
//! word does.
//!
//! * *Who learns of a piece, and when*: all PEs in the collective call that allocates the object, after the meeting in
//!   which they have compared their calls. Each registers its piece and sends its card to all; when it has the cards of
//!   all, every piece is registered. Only then does the call return, so nobody knows of the object before.
//! * *How many there are*: with each at least half as large as all before, 16 for 4 GiB that are allocated little by
//!   little. A large object takes one piece.

use super::huge_pages;
use super::window::{self, BASE_ALIGNMENT, Window};
use crate::error::Cause;
use crate::job::{HugePages, Job, Pe};
use crate::sync::locked;
use crate::sync::network::Network;
use crate::sync::network_lane::Region;
use crate::sync::shared_file::{not_in_core_dumps, share_file, shared_file};
use crate::{Error, Result};
use cushmem_gpu::Gpu;
use cushmem_net::{Local, Memory};
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// The least bytes of a piece, which also has at least half of what the pieces before it have. This keeps the number of
/// borders low, and the unused space behind the last object of a piece small compared with the heap.
const LEAST_PIECE: u64 = 8 << 20;

/// The number of the piece that is registered of the memory after the heap. Those of the heap follow.
const BEHIND: u32 = 0;

/// The segments of all PEs of this node.
pub(crate) struct HostHeap {
    job: Arc<Job>,
    window: Window,
    bytes: u64,
    base: NonNull<u8>,
    length: NonZeroUsize,
    file: Arc<OwnedFd>,
    /// How far core dumps include this PE's segment: up to the end of the objects so far.
    dumped: AtomicU64,
    pinned: Mutex<Option<Pinned>>,
    /// How far the pinned pieces go. Written with the lock of `pinned` held.
    within_reach: AtomicU64,
    shared: Mutex<Shared>,
}

/// What is registered with the network.
#[derive(Default)]
struct Shared {
    /// The pieces of the heap, and the end of the last one.
    pieces: u32,
    end: u64,
    /// Whether the memory after the heap is registered.
    behind: bool,
}

/// The ends of the pieces. Each piece starts where the previous one ends.
struct Pinned {
    gpu: Arc<dyn Gpu>,
    ends: Vec<u64>,
}

impl Pinned {
    fn bytes(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }
}

// SAFETY: it is an address range; access to the bytes goes through the functions of `transport::mapped`.
unsafe impl Send for HostHeap {}
// SAFETY: it is an address range; access to the bytes goes through the functions of `transport::mapped`.
unsafe impl Sync for HostHeap {}

impl HostHeap {
    /// Collective. Creates a heap of up to `bytes` bytes, where no PE may have more than `largest`. In a job with a
    /// network, `behind` bytes follow. `pages` is what the user asks for.
    pub(crate) fn create(job: &Arc<Job>, bytes: u64, largest: u64, behind: u64, pages: HugePages) -> Result<Self> {
        let has_network = job.nodes() > 1;
        let needed = if has_network { behind_heap(largest) + behind } else { largest };
        let stride = window::stride(needed, BASE_ALIGNMENT)?;
        // The network maps parts of the file that do not start at such pages.
        let reserve = (pages == HugePages::Reserved && !has_network).then(|| bytes.next_multiple_of(BASE_ALIGNMENT));
        let (base, length, file) = map_file(job, stride, window::own_alignment(bytes), reserve)?;
        let pages = huge_pages::ask(pages, &file, base.cast(), length);
        job.debug(|| format!("the host heap has {pages}"));
        let window = Window::new(job, base.expose_provenance().get() as u64, stride);
        let (dumped, pinned, within_reach) = (AtomicU64::new(0), Mutex::default(), AtomicU64::new(u64::MAX));
        let shared = Mutex::default();
        Ok(Self { job: job.clone(), window, bytes, base, length, file, dumped, pinned, within_reach, shared })
    }

    /// Where the segments are.
    #[inline(always)]
    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// Where the memory after the heap starts, which is not part of it. It does not follow the heap directly.
    pub(crate) fn behind(&self) -> u64 {
        behind_heap(self.bytes)
    }

    /// The most bytes that a segment can have.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Collective, called once. From now on this PE's GPU reaches the heap, whose first `used` bytes have objects.
    /// Returns a border.
    pub(crate) fn attach(&self, gpu: &Arc<dyn Gpu>, used: u64) -> Result<Option<u64>> {
        if self.pinned().is_some() {
            return Ok(None);
        }
        let end = used.next_multiple_of(BASE_ALIGNMENT).min(self.bytes.next_multiple_of(BASE_ALIGNMENT));
        self.pin(&**gpu, 0..end)?;
        let ends = if end > 0 { vec![end] } else { vec![] };
        *self.pinned() = Some(Pinned { gpu: gpu.clone(), ends });
        // Relaxed: as for the load.
        self.within_reach.store(end, Ordering::Relaxed);
        Ok(Some(end))
    }

    /// The bytes of every segment that GPUs reach; all of it before they are started.
    pub(crate) fn within_reach(&self) -> u64 {
        // Relaxed: whoever uses an object knows of its allocation, which comes after this.
        self.within_reach.load(Ordering::Relaxed)
    }

    /// Collective if something is missing. Ensures that `needed` bytes of every segment can be used. Returns the border
    /// if there is a new one. Only the one thread of a PE that makes collective calls takes the lock.
    pub(crate) fn grow(&self, needed: u64) -> Result<Option<u64>> {
        self.dump(needed);
        let mut pinned = self.pinned();
        let Some(pinned) = pinned.as_mut().filter(|pinned| pinned.bytes() < needed) else { return Ok(None) };
        let start = pinned.bytes();
        let end = self.end_of_piece(start, needed);
        self.pin(&*pinned.gpu, start..end)?;
        pinned.ends.push(end);
        // Relaxed: as for the load.
        self.within_reach.store(end, Ordering::Relaxed);
        Ok(Some(end))
    }

    /// Where the piece ends that starts there and has `needed` in it, the end of an object.
    fn end_of_piece(&self, start: u64, needed: u64) -> u64 {
        let end = needed.max(start + LEAST_PIECE.max(start / 2));
        end.next_multiple_of(BASE_ALIGNMENT).min(self.bytes.next_multiple_of(BASE_ALIGNMENT))
    }

    /// Collective if something is missing. Ensures that the network reaches `needed` bytes of the segment of every PE,
    /// or changes nothing on any PE.
    pub(crate) fn share(&self, network: &Network, needed: u64) -> Result<()> {
        let mut shared = locked(&self.shared);
        let start = shared.end;
        if start < needed {
            let end = self.end_of_piece(start, needed);
            self.share_piece(network, BEHIND + 1 + shared.pieces, start..end)?;
            (shared.pieces, shared.end) = (shared.pieces + 1, end);
        }
        Ok(())
    }

    /// Collective if it is missing. Ensures that the network reaches the `bytes` bytes after the heap of every PE, or
    /// changes nothing on any PE.
    pub(crate) fn share_behind(&self, network: &Network, bytes: u64) -> Result<()> {
        let mut shared = locked(&self.shared);
        if !shared.behind {
            let start = self.behind();
            self.share_piece(network, BEHIND, start..start + bytes)?;
            shared.behind = true;
        }
        Ok(())
    }

    fn share_piece(&self, network: &Network, number: u32, piece: Range<u64>) -> Result<()> {
        let bytes = piece.end - piece.start;
        let offset = u64::from(self.job.place_there(self.job.me())) * self.window.stride() + piece.start;
        let file = Some(Memory { file: self.file.clone(), offset, bytes });
        let address = self.own(piece.start).expose_provenance();
        let own = Local { at: piece.start, address, bytes: bytes as usize, file };
        self.job
            .debug(|| format!("registers {bytes} bytes of the host heap at offset {} with the network", piece.start));
        network.share(&self.job, number, &[(Region::Host, Some(own))]).map(drop)
    }

    /// Collective. Joins the pieces in this range, which contains no object, into one; if they are the last pieces,
    /// they are only unpinned. The driver first waits for all kernels of this GPU.
    pub(crate) fn join(&self, range: Range<u64>) -> Result<()> {
        let mut pinned = self.pinned();
        let Some(Pinned { gpu, ends }) = pinned.as_mut() else { return Ok(()) };
        // The heap may end inside a page of this size.
        let range = range.start..range.end.next_multiple_of(BASE_ALIGNMENT);
        let inside = range.end < ends.last().copied().unwrap_or(0);
        self.unpin(&**gpu, ends, &range);
        // Relaxed: no object is in what was unpinned.
        self.within_reach.store(ends.last().copied().unwrap_or(0), Ordering::Relaxed);
        if inside {
            self.pin(&**gpu, range.clone())?;
            ends.insert(ends.partition_point(|end| *end < range.end), range.end);
        }
        Ok(())
    }

    /// Unpins the pieces in this range. A piece that the driver fails to unpin cannot be pinned again either, and that
    /// error is reported then.
    fn unpin(&self, gpu: &dyn Gpu, ends: &mut Vec<u64>, range: &Range<u64>) {
        let starts = std::iter::once(0).chain(ends.iter().copied()).take(ends.len());
        for piece in starts.filter(|start| range.contains(start)) {
            for segment in self.window.starts().iter().filter(|segment| **segment != 0) {
                let _ = gpu.unregister_host(*segment as u64 + piece);
            }
        }
        ends.retain(|end| *end <= range.start || *end > range.end);
    }

    /// Collective. Pins a piece of every segment, or none on any PE. Each PE starts with its own segment, so that most
    /// of the segment's pages are allocated near it.
    fn pin(&self, gpu: &dyn Gpu, piece: Range<u64>) -> Result<()> {
        let mine = self.job.me();
        let pes = std::iter::once(mine).chain(self.job.pes().filter(|pe| *pe != mine));
        let mut done = vec![];
        let pin = |start| gpu.register_host(start, piece.end - piece.start).map(|()| done.push(start));
        let starts = pes.filter_map(|pe| self.window.at(pe, piece.start)).filter(|_| !piece.is_empty());
        let own = { starts }.try_for_each(pin).map_err(|error| error.to_string());
        self.job.agree("pin the host heap", own).inspect_err(|_| {
            for start in done {
                // The error that matters is the one that led here.
                let _ = gpu.unregister_host(start);
            }
        })
    }

    /// Includes this PE's segment up to `end` in core dumps. If it fails, core dumps merely lack it.
    fn dump(&self, end: u64) {
        let end = end.next_multiple_of(BASE_ALIGNMENT).min(self.window.stride());
        // Relaxed: one thread at a time changes the heap.
        let start = self.dumped.load(Ordering::Relaxed);
        if let Some(from) = NonNull::new(self.own(start).cast::<c_void>()).filter(|_| start < end) {
            // SAFETY: a part of this PE's segment; core dump settings do not change the memory.
            let _ = unsafe { madvise(from, (end - start) as usize, MmapAdvise::MADV_DODUMP) };
            self.dumped.store(end, Ordering::Relaxed);
        }
    }

    fn pinned(&self) -> MutexGuard<'_, Option<Pinned>> {
        locked(&self.pinned)
    }

    /// The byte at `offset` of this PE's segment.
    #[inline]
    pub(crate) fn own(&self, offset: u64) -> *mut u8 {
        self.of(self.job.me(), offset).expect("a PE is on its own node")
    }

    #[inline]
    fn of(&self, pe: Pe, offset: u64) -> Option<*mut u8> {
        self.window.at(pe, offset).map(|at| std::ptr::with_exposed_provenance_mut(at as usize))
    }

    /// Overwrites an object of this PE that no peer uses.
    pub(crate) fn fill(&self, offset: u64, value: u8, bytes: u64) {
        // SAFETY: it lies in this PE's segment, and during the collective call nobody else may use the object.
        unsafe { self.own(offset).write_bytes(value, bytes as usize) };
    }

    /// Unmaps and unpins everything. If it fails, the memory is released when the process ends.
    pub(crate) fn give_back(&self) {
        if let Some(Pinned { gpu, mut ends }) = self.pinned().take() {
            self.unpin(&*gpu, &mut ends, &(0..u64::MAX));
        }
        // SAFETY: the mapping is ours, and nothing that refers to it outlives the library's handle.
        let _ = unsafe { munmap(self.base.cast::<c_void>(), self.length.get()) };
    }
}

/// Where the memory after a heap of `bytes` bytes starts.
const fn behind_heap(bytes: u64) -> u64 {
    bytes.next_multiple_of(BASE_ALIGNMENT) + BASE_ALIGNMENT
}

/// Collective. The first PE of each node creates the node's file, and all PEs of the node map it. If each segment is to
/// `reserve` that many bytes of huge pages, the file has them if they are there. Also returns the file.
fn map_file(
    job: &Job,
    stride: u64,
    alignment: u64,
    reserve: Option<u64>,
) -> Result<(NonNull<u8>, NonZeroUsize, Arc<OwnedFd>)> {
    let bytes = stride * u64::from(job.node_pes());
    let failed = |what: &str, e: String| {
        let remedy = "lower SHMEM_SYMMETRIC_SIZE";
        Error::new(format!("create the host heap: {what} {bytes} bytes ({remedy})"), Cause::System(e))
    };
    let make = || {
        let reserved = reserve.map(|reserve| huge_pages::reserved_file(stride, job.node_pes(), reserve));
        if let Some(Err(why)) = &reserved {
            job.debug(|| format!("cannot reserve huge pages: {why}"));
        }
        match reserved {
            Some(Ok(file)) => Ok(file),
            _ => shared_file(c"cushmem-host-heap", bytes).map_err(|e| failed("share", e)),
        }
    };
    let file = share_file(job, "create the host heap", bytes, make)?;
    let length = NonZeroUsize::new(bytes as usize).ok_or_else(|| failed("map", nix::Error::EINVAL.to_string()))?;
    let own = u64::from(job.place(job.me()).unwrap_or(0)) * stride;
    // Choosing a place takes more addresses for a moment. If there is a limit on them, the alignment is smaller.
    let base = map(file.as_fd(), bytes, own, alignment)
        .or_else(|_| map(file.as_fd(), bytes, own, BASE_ALIGNMENT))
        .map_err(|e| failed("map", e.to_string()))?;
    Ok((base, length, file))
}

/// Maps the file so that its byte at `own` lies at a multiple of `alignment`.
fn map(file: BorrowedFd<'_>, bytes: u64, own: u64, alignment: u64) -> nix::Result<NonNull<u8>> {
    let (length, spare) = (bytes as usize, alignment as usize);
    let (Some(size), Some(roomy)) = (NonZeroUsize::new(length), NonZeroUsize::new(length + spare)) else {
        return Err(nix::Error::EINVAL);
    };
    // SAFETY: a new mapping at an address that the operating system chooses touches no memory in use.
    let room =
        unsafe { mmap_anonymous(None, roomy, ProtFlags::PROT_NONE, MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE)? };
    let before = window::place(room.addr().get() as u64, own, alignment) as usize - room.addr().get();
    // SAFETY: both are at most the mapping's length.
    let (base, end) = unsafe { (room.byte_add(before), room.byte_add(before + length)) };
    for (start, unused) in [(room, before), (end, spare - before)] {
        if unused > 0 {
            // SAFETY: an unused part of the mapping above. If it fails, some addresses stay reserved.
            let _ = unsafe { munmap(start, unused) };
        }
    }
    let (protection, flags) =
        (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE);
    // SAFETY: it replaces the remaining part of the mapping above.
    let base = unsafe { mmap(Some(base.addr()), size, protection, flags | MapFlags::MAP_FIXED, file, 0)? };
    not_in_core_dumps(base, length);
    Ok(base.cast())
}

//! The symmetric host heap of a node: one anonymous shared file, a slice a PE, mapped by every PE as a whole.
//!
//! The slice of PE `i` starts at `base + i * stride`. The file is sparse: memory is taken when it is first touched. It has no
//! name, so it goes with the last process.

use crate::agreement::Announcement;
use crate::{Error, Result};
use cushmem_abi::ErrorRecord;
use cushmem_bootstrap::Bootstrap;
use cushmem_collective::{Flag, STAGE_BYTES, STAGES, STEPS};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::mem::offset_of;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// The library's own words at the start of each slice.
#[repr(C, align(4096))]
pub(crate) struct HostArea {
    /// Where kernels of the owner report errors.
    pub(crate) error: ErrorRecord,
    /// How many threads, of any PE, sleep for words of this slice (see `flags`).
    sleepers: Line,
    /// The collective call that the owner is in, for odd and even numbers of barriers.
    pub(crate) announcements: [Announcement; 2],
    /// What the owner tells each PE in collectives of active sets.
    pub(crate) pairs: [PairLine; MOST_PAIRS],
    /// What teams synchronise with. What no team has used yet takes no memory.
    pub(crate) teams: [TeamArea; TEAM_SLOTS],
}

#[repr(C, align(64))]
struct Line(AtomicU64);

/// Words of the owner for one other PE, which alone reads them.
#[repr(C, align(64))]
pub(crate) struct PairLine {
    /// How often they have met.
    pub(crate) meetings: AtomicU64,
    /// A number for the next meeting.
    pub(crate) number: AtomicU64,
}

/// Words of the owner for one team, which only the owner writes: the layout of `cushmem_collective`.
#[repr(C, align(64))]
pub(crate) struct TeamArea {
    steps: [Line; STEPS as usize],
    done: Line,
    stages: [Stage; STAGES as usize],
}

#[repr(C, align(64))]
struct Stage {
    round: AtomicU64,
    data: [u64; STAGE_BYTES / 8],
}

/// Teams of a PE at a time.
pub(crate) const TEAM_SLOTS: usize = 64;
/// PEs from this number on take no part in collectives of active sets.
pub(crate) const MOST_PAIRS: usize = 1024;

impl HostArea {
    /// Bytes set aside for it.
    pub(crate) const BYTES: u64 = size_of::<HostArea>() as u64;
}

/// What the window begins at a multiple of, on each PE; strides are multiples of it, so an object that is aligned on one PE is on
/// all, seen from each.
pub(crate) const BASE_ALIGNMENT: u64 = 2 << 20;
// The distance between slices has room for it beside the largest heap.
const _: () = assert!(HostArea::BYTES < 2 << 20);

impl TeamArea {
    /// Where a flag is.
    #[inline(always)]
    pub(crate) const fn flag(flag: Flag) -> usize {
        match flag {
            Flag::Step(turn) => offset_of!(TeamArea, steps) + turn * size_of::<Line>(),
            Flag::Done => offset_of!(TeamArea, done),
            Flag::Stage(stage) => Self::stage(stage) + offset_of!(Stage, round),
        }
    }

    /// Where a stage's data is.
    #[inline(always)]
    pub(crate) const fn data(stage: usize) -> usize {
        Self::stage(stage) + offset_of!(Stage, data)
    }

    #[inline(always)]
    const fn stage(stage: usize) -> usize {
        assert!(stage < STAGES as usize);
        offset_of!(TeamArea, stages) + stage * size_of::<Stage>()
    }
}

/// All PEs' slices.
pub(crate) struct HostHeap {
    base: NonNull<u8>,
    stride: u64,
    n_pes: u32,
}

// SAFETY: it is an address range; access to the bytes goes through the functions of `mapped`.
unsafe impl Send for HostHeap {}
// SAFETY: as above.
unsafe impl Sync for HostHeap {}

impl HostHeap {
    /// Collective. PE 0 makes the file, all map it.
    pub(crate) fn create(bootstrap: &Bootstrap, stride: u64) -> Result<Self> {
        let (n_pes, my_pe) = (bootstrap.job().n_pes, bootstrap.job().my_pe);
        let bytes = stride * u64::from(n_pes);
        let failed = |what: &str, e: nix::Error| {
            Error::new(format!("create the host heap: {what} {bytes} bytes"), e.to_string())
        };
        let own = match my_pe {
            0 => Some(shared_file(bytes).map_err(|e| failed("share", e))?),
            _ => None,
        };
        let parts = bootstrap.allgather("host heap", &bytes.to_ne_bytes(), own.as_ref().map(AsFd::as_fd))?;
        let file = parts.into_iter().next().and_then(|p| p.fd);
        let file = file.ok_or_else(|| Error::new("create the host heap", "PE 0 passed no file descriptor"))?;
        let base = map(&file, bytes).map_err(|e| failed("map", e))?;
        Ok(Self { base, stride, n_pes })
    }

    /// Address of PE 0's slice.
    pub(crate) fn base(&self) -> u64 {
        self.base.addr().get() as u64
    }

    /// The byte at `offset` of PE `pe`'s slice.
    #[inline]
    pub(crate) fn at(&self, pe: u32, offset: u64) -> *mut u8 {
        debug_assert!(pe < self.n_pes && offset < self.stride);
        self.base.as_ptr().wrapping_add(pe as usize * self.stride as usize + offset as usize)
    }

    /// A word of the library at `offset` of PE `pe`'s slice.
    #[inline(always)]
    pub(crate) fn word(&self, pe: u32, offset: usize) -> &AtomicU64 {
        debug_assert!((offset as u64) < HostArea::BYTES && offset.is_multiple_of(8));
        // SAFETY: an aligned word inside the mapping, which lives as long as `self`; it is only used as an atomic.
        unsafe { AtomicU64::from_ptr(self.at(pe, offset as u64).cast()) }
    }

    /// How many threads, of any PE, sleep for words of PE `pe`'s slice.
    #[inline]
    pub(crate) fn sleepers(&self, pe: u32) -> &AtomicU32 {
        debug_assert!(pe < self.n_pes, "sleepers of PE {pe}");
        // SAFETY: as above.
        unsafe { AtomicU32::from_ptr(self.at(pe, offset_of!(HostArea, sleepers) as u64).cast()) }
    }
}

impl Drop for HostHeap {
    fn drop(&mut self) {
        // A copy of the emulated GPU may still use it, and the process is about to end.
        if std::thread::panicking() {
            return;
        }
        let bytes = self.stride as usize * self.n_pes as usize;
        // SAFETY: the mapping is ours, and nothing that refers to it outlives the library's handle.
        let _ = unsafe { munmap(self.base.cast::<c_void>(), bytes) };
    }
}

/// Maps the file at a multiple of [`BASE_ALIGNMENT`].
fn map(file: &OwnedFd, bytes: u64) -> nix::Result<NonNull<u8>> {
    let (length, spare) = (bytes as usize, BASE_ALIGNMENT as usize);
    let (Some(size), Some(roomy)) = (NonZeroUsize::new(length), NonZeroUsize::new(length + spare)) else {
        return Err(nix::Error::EINVAL);
    };
    // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
    let room =
        unsafe { mmap_anonymous(None, roomy, ProtFlags::PROT_NONE, MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE)? };
    let before = room.addr().get().next_multiple_of(spare) - room.addr().get();
    // SAFETY: both are at most the mapping's length.
    let (base, end) = unsafe { (room.byte_add(before), room.byte_add(before + length)) };
    for (start, unused) in [(room, before), (end, spare - before)] {
        if unused > 0 {
            // SAFETY: a part of the mapping above, in which there is nothing. A failure leaves addresses unused.
            let _ = unsafe { munmap(start, unused) };
        }
    }
    let (protection, flags) =
        (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE);
    // SAFETY: it takes the place of what is left of the mapping above.
    unsafe { mmap(Some(base.addr()), size, protection, flags | MapFlags::MAP_FIXED, file, 0) }.map(NonNull::cast)
}

fn shared_file(bytes: u64) -> nix::Result<OwnedFd> {
    let file = memfd_create("cushmem-host-heap", MFdFlags::MFD_CLOEXEC)?;
    nix::unistd::ftruncate(&file, bytes as i64)?;
    Ok(file)
}

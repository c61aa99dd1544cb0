//! The library's own words: one anonymous shared file for a node, an area for each of its PEs, mapped by every one of them as a whole.
//!
//! The area of the PE at place `i` starts at `base + i * size_of::<ControlArea>()`. The file is sparse: memory is taken when it is
//! first touched, or pinned, as each PE does with its own area where there is a GPU. It has no name, so it goes with the last process.
//! Symmetric memory is elsewhere, since futexes need pages that the operating system manages, and the host heap may consist of memory
//! that a GPU's driver made.

use super::agreement::Announcement;
use crate::error::Cause;
use crate::job::{Job, Pe};
use crate::{Error, Result};
use cushmem_abi::{ErrorCode, ErrorRecord, Reports, WaitRecord};
use cushmem_bootstrap::{Contribution, WaitLimit};
use cushmem_collective::{Flag, STAGE_BYTES, STAGES, STEPS};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap, munmap};
use nix::sys::resource::{Resource, getrlimit};
use std::ffi::{CStr, c_void};
use std::mem::offset_of;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The words of one PE.
#[repr(C, align(4096))]
pub(crate) struct ControlArea {
    /// What the owner's GPU writes: in pages of their own, which are pinned for it.
    gpu: GpuWords,
    /// How many threads, of any PE, sleep for words of this area (see `flags`).
    sleepers: Line,
    /// The collective call that the owner is in, for odd and even numbers of barriers.
    pub(crate) announcements: [Announcement; 2],
    /// What the owner tells each PE in collectives of active sets.
    pub(crate) pairs: [PairLine; MOST_PAIRS],
    /// What teams synchronise with. What no team has used yet takes no memory.
    pub(crate) teams: [TeamArea; TEAM_SLOTS],
}

#[repr(C, align(4096))]
struct GpuWords {
    /// What kernels report.
    reports: Reports,
    /// For each lane of copies: the ticket up to which they are complete. The lane's stream writes it.
    done: [AtomicU64; MOST_LANES],
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

/// Looks at a record that changes all the time.
const LOOKS: usize = 100;
/// Lanes of copies of a PE at a time: one for each context.
pub(crate) const MOST_LANES: usize = 1025;
/// Teams of a PE at a time.
pub(crate) const TEAM_SLOTS: usize = cushmem_abi::TEAM_SLOTS;
/// PEs from this number on take no part in collectives of active sets.
pub(crate) const MOST_PAIRS: usize = 1024;

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

/// Memory that all PEs of this node map.
struct Mapping {
    base: NonNull<u8>,
    bytes: NonZeroUsize,
}

/// The areas of all PEs of this node.
pub(crate) struct Control {
    mapping: Arc<Mapping>,
    /// By PE: where its area is; 0 for a PE of another node.
    areas: Box<[usize]>,
    own: Pe,
}

// SAFETY: it is an address range whose words are atomics.
unsafe impl Send for Mapping {}
// SAFETY: it is an address range whose words are atomics.
unsafe impl Sync for Mapping {}

impl Control {
    /// Collective. PE 0 makes the file, all map it.
    pub(crate) fn create(job: &Job) -> Result<Self> {
        let bytes = NonZeroUsize::new(size_of::<ControlArea>() * job.node_pes() as usize).unwrap_or(NonZeroUsize::MIN);
        let failed = |what: &str, e: String| {
            Error::new(format!("share the library's words: {what} {bytes} bytes"), Cause::System(e))
        };
        let own = match job.my_pe() {
            0 => Some(shared_file(c"cushmem-control", bytes.get() as u64).map_err(|e| failed("make", e))?),
            _ => None,
        };
        let number = (bytes.get() as u64).to_ne_bytes();
        let parts =
            job.bootstrap().share("the library's words", &number, own.as_ref().map(AsFd::as_fd), WaitLimit::Limited)?;
        let part = parts.into_iter().next();
        let file = part.as_ref().map_or(Err("it is missing"), Contribution::descriptor);
        let file = file.map_err(|why| {
            Error::new("share the library's words", Cause::Mismatch(format!("PE 0's contribution: {why}")))
        })?;
        let (protection, flags) =
            (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE);
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let base = unsafe { mmap(None, bytes, protection, flags, file, 0) }
            .map_err(|e| failed("map", e.to_string()))?
            .cast::<u8>();
        not_in_core_dumps(base.cast(), bytes.get());
        let start = base.expose_provenance().get();
        let areas = job.by_pe(|place| start + place as usize * size_of::<ControlArea>());
        Ok(Self { mapping: Arc::new(Mapping { base, bytes }), areas, own: job.me() })
    }

    #[inline(always)]
    fn at(&self, pe: Pe, offset: usize) -> usize {
        debug_assert!(offset < size_of::<ControlArea>());
        self.areas[pe.index()] + offset
    }

    /// The bytes at `offset` of a PE's area.
    #[inline(always)]
    pub(crate) fn data(&self, pe: Pe, offset: usize) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.at(pe, offset))
    }

    /// The word at `offset` of a PE's area.
    #[inline(always)]
    pub(crate) fn word(&self, pe: Pe, offset: usize) -> &AtomicU64 {
        debug_assert!(offset.is_multiple_of(8));
        // SAFETY: an aligned word inside the mapping, which lives as long as `self`; it is only used as an atomic.
        unsafe { AtomicU64::from_ptr(self.data(pe, offset).cast()) }
    }

    /// How many threads, of any PE, sleep for words of a PE's area.
    #[inline(always)]
    pub(crate) fn sleepers(&self, pe: Pe) -> &AtomicU32 {
        // SAFETY: an aligned word inside the mapping, which lives as long as `self`; it is only used as an atomic.
        unsafe { AtomicU32::from_ptr(self.data(pe, offset_of!(ControlArea, sleepers)).cast()) }
    }

    /// A call that a PE announced.
    pub(super) fn announcement(&self, pe: Pe, number: u64) -> &Announcement {
        let offset = offset_of!(ControlArea, announcements) + (number % 2) as usize * size_of::<Announcement>();
        // SAFETY: it lies inside the mapping, which lives as long as `self`, and consists of atomics.
        unsafe { &*self.data(pe, offset).cast::<Announcement>() }
    }

    /// Where this PE's kernels report to.
    pub(crate) fn reports(&self) -> u64 {
        self.at(self.own, offset_of!(ControlArea, gpu) + offset_of!(GpuWords, reports)) as u64
    }

    /// What a kernel of this PE wrote down before it gave up.
    pub(crate) fn read_error_record(&self) -> Option<(ErrorCode, ErrorRecord)> {
        let record = ReportWords {
            address: self.reports() as usize + offset_of!(Reports, error),
            _mapping: self.mapping.clone(),
        };
        // SYNC(error-record) acquire: pairs with the fence in the kernel's `fail`.
        let code = ErrorCode::from_u32(record.half(offset_of!(ErrorRecord, code)).load(Ordering::Acquire))?;
        // Relaxed: the fields were written before the code.
        let (pe, field) =
            (record.half(offset_of!(ErrorRecord, pe)), |offset| record.word(offset).load(Ordering::Relaxed));
        let record = ErrorRecord {
            code: code as u32,
            pe: pe.load(Ordering::Relaxed),
            value: field(offset_of!(ErrorRecord, value)),
            limit: field(offset_of!(ErrorRecord, limit)),
            lane: field(offset_of!(ErrorRecord, lane)),
        };
        Some((code, record))
    }

    /// Where this PE's kernels write down what they wait for, to be read at any time.
    pub(crate) fn wait_record(&self) -> ReportWords {
        ReportWords { address: self.reports() as usize + offset_of!(Reports, wait), _mapping: self.mapping.clone() }
    }

    /// The word of a lane of this PE's copies.
    pub(crate) fn done(&self, lane: usize) -> &AtomicU64 {
        assert!(lane < MOST_LANES);
        self.word(self.own, offset_of!(ControlArea, gpu) + offset_of!(GpuWords, done) + lane * size_of::<AtomicU64>())
    }

    /// Address and bytes of what this PE's GPU writes, in whole pages.
    pub(crate) fn gpu_words(&self) -> (u64, u64) {
        (self.at(self.own, offset_of!(ControlArea, gpu)) as u64, size_of::<GpuWords>() as u64)
    }
}

/// Words of a record of this PE's kernels.
pub(crate) struct ReportWords {
    address: usize,
    _mapping: Arc<Mapping>,
}

impl ReportWords {
    fn half(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: an aligned word of the record, inside the mapping, which lives as long as `self`; it is only used as an atomic.
        unsafe { AtomicU32::from_ptr(std::ptr::with_exposed_provenance_mut(self.address + offset)) }
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: an aligned word of the record, inside the mapping, which lives as long as `self`; it is only used as an atomic.
        unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(self.address + offset)) }
    }

    /// What a lane has waited for long, if one does.
    pub(crate) fn read_wait(&self) -> Option<WaitRecord> {
        let look = || {
            // SYNC(wait-record) acquire: pairs with the fence in the kernel's `report::write`.
            let comparison = self.half(offset_of!(WaitRecord, comparison)).load(Ordering::Acquire);
            // SYNC(wait-record) acquire: what this look finds of a later record, the next one finds whole.
            let field = |offset| self.word(offset).load(Ordering::Acquire);
            let kind = self.half(offset_of!(WaitRecord, kind)).load(Ordering::Acquire);
            WaitRecord {
                comparison,
                kind,
                lane: field(offset_of!(WaitRecord, lane)),
                address: field(offset_of!(WaitRecord, address)),
                wanted: field(offset_of!(WaitRecord, wanted)),
                seen: field(offset_of!(WaitRecord, seen)),
            }
        };
        // A record is withdrawn before the next is written, so two looks that find the same found one record.
        let mut before = look();
        let found = (0..LOOKS).find_map(|_| {
            let now = look();
            (now == std::mem::replace(&mut before, now)).then_some(now)
        });
        found.filter(|record| record.comparison != 0)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // A copy of the emulated GPU may still use it, and the process is about to end.
        if std::thread::panicking() {
            return;
        }
        // SAFETY: the mapping is ours, and nothing that refers to it outlives the library's handle.
        let _ = unsafe { munmap(self.base.cast::<c_void>(), self.bytes.get()) };
    }
}

/// A sparse file without a name.
pub(crate) fn shared_file(name: &CStr, bytes: u64) -> std::result::Result<OwnedFd, String> {
    // The system would end the process.
    if let Ok((limit, _)) = getrlimit(Resource::RLIMIT_FSIZE)
        && bytes > limit
    {
        return Err(format!("the limit of file sizes is {limit} bytes (ulimit -f), and shared memory is a file"));
    }
    let file = memfd_create(name, MFdFlags::MFD_CLOEXEC).map_err(|e| e.to_string())?;
    nix::unistd::ftruncate(&file, bytes as i64).map_err(|e| e.to_string())?;
    Ok(file)
}

/// Keeps a mapping out of core dumps: of a sparse file they would hold, and so allocate, every page, and each PE has all segments mapped.
/// A failure makes them larger.
pub(crate) fn not_in_core_dumps(start: NonNull<c_void>, bytes: usize) {
    // SAFETY: what a dump holds changes nothing in the memory.
    let _ = unsafe { madvise(start, bytes, MmapAdvise::MADV_DONTDUMP) };
}

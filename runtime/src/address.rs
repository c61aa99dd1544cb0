//! From a plain address to what lies there: the way of callers that have pointers, not [`SymSlice`](crate::SymSlice)s.
//!
//! Three ranges of addresses tell nearly everything. An address in this PE's slice of the host window or of the GPU window is
//! symmetric, and its distance from the slice's start is the offset on every PE. Any other is private: device memory where the
//! back end says so, else host memory.
//!
//! ```text
//! host window  | PE 0's slice | PE 1's slice: [library's words][ symmetric memory ][ unused ] | PE 2's slice | …
//! GPU window   | PE 0's slice | PE 1's slice: [library's words][ mapped so far ][ not yet ]   | PE 2's slice | …
//! ```

use crate::gpu_heap::GpuHeap;
use crate::host_heap::{HostArea, HostHeap};
use crate::sym::Kind;
use crate::{Error, Shmem};
use cushmem_abi::SyncArea;
use cushmem_bootstrap::Job;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is wrong with the arguments of an operation on addresses, or why it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// There is no such PE; holds how many there are.
    Pe(u32),
    /// The symmetric end is not in this PE's symmetric memory.
    NotSymmetric,
    /// The symmetric end begins inside a heap and reaches past its end; so many bytes are left there.
    PastEnd(u64),
    /// The symmetric end reaches so many bytes below its first element, and so below the start of what that lies in.
    BelowStart(u64, &'static str),
    /// In check mode: the symmetric end begins in an object and reaches past its end; so many bytes are left there.
    PastObject(u64),
    /// In check mode: the object at this address was freed.
    Freed,
    /// In check mode: the address lies in the symmetric heap where no object is.
    NoObject,
    /// No object starts at this address of the symmetric heap.
    NotAStart,
    /// In check mode: source and target overlap, but are not the same.
    Overlap,
    /// In check mode: what is wrong with the end that may be private.
    Private(Box<Misuse>),
    /// The symmetric end begins among the globals of the program and reaches past their end; so many bytes are left there.
    PastGlobals(u64),
    /// The symmetric end is a global of the program, which cannot be used so on that PE; says why.
    Global(String),
    /// The private end is NULL.
    NullPrivate,
    /// A word that has to be aligned to its size, this many bytes, is not.
    Misaligned(usize),
    /// The signal's address, for an operation that has data too.
    Signal(Box<Misuse>),
    /// The word lies in GPU memory, where the CPU neither watches nor is atomic.
    GpuWord,
    /// The range lies in GPU memory, which collectives do not reach.
    GpuRange,
    /// What is wrong with a lock, in words.
    Lock(String),
    /// The arguments are right, but it did not work.
    Failed(Error),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pe(n_pes) => write!(f, "is not in 0..{n_pes}"),
            Self::NotSymmetric => write!(f, "is not symmetric memory of this PE"),
            Self::PastEnd(left) => write!(f, "reaches past the end of the symmetric heap, where {left} bytes are left"),
            Self::BelowStart(bytes, whole) => write!(f, "reaches {bytes} bytes below that, past the start of {whole}"),
            Self::PastObject(left) => write!(f, "reaches past the end of its object, where {left} bytes are left"),
            Self::Freed => write!(f, "lies in an object that was freed"),
            Self::NoObject => write!(f, "lies in the symmetric heap where no object is"),
            Self::NotAStart => write!(f, "is not the start of an object of the symmetric heap"),
            Self::Overlap => write!(f, "overlaps the other end of the copy"),
            Self::PastGlobals(left) => write!(f, "reaches past the end of the globals, where {left} bytes are left"),
            Self::Global(why) => f.write_str(why),
            Self::NullPrivate => write!(f, "is NULL"),
            Self::Misaligned(bytes) => write!(f, "is not aligned to {bytes} bytes"),
            Self::Signal(why) | Self::Private(why) => why.fmt(f),
            Self::GpuWord => {
                write!(f, "lies in GPU memory, which the CPU neither watches nor changes atomically; use host memory")
            }
            Self::GpuRange => write!(f, "lies in GPU memory; collectives are on host memory so far"),
            Self::Lock(why) => f.write_str(why),
            Self::Failed(error) => f.write_str(error.cause()),
        }
    }
}

impl From<Error> for Misuse {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Granules of addresses, of which one holds no two kinds of memory: drivers map device memory in larger units.
const GRANULE_BITS: u32 = 16;
const KNOWN: usize = 64;

/// The ranges, ready for comparing. What a put between host memories needs is in the first cache line.
#[repr(C, align(64))]
pub(crate) struct Windows {
    /// First symmetric byte of this PE's host slice, and how many may be accessed without more ado: none in check mode.
    host_first: usize,
    host_bytes: usize,
    /// First symmetric byte of PE 0's host slice, and from there to the next PE's.
    host_first_of_0: usize,
    stride: usize,
    /// Private addresses from here on are host memory for certain: 1, so that NULL is not, or none where there is a GPU.
    surely_host_from: usize,
    pub(crate) n_pes: u32,
    /// First symmetric byte of this PE's GPU slice, and how many are mapped.
    gpu_first: usize,
    gpu_bytes: AtomicUsize,
    /// How many symmetric bytes a host slice has.
    host_length: usize,
    /// Granules that the GPU's driver called host memory, each plus 1; none in check mode. A private range can change its kind: the driver
    /// takes addresses for new device memory from the system, which may give it those of a buffer that the program unmapped. Such a
    /// granule would be taken for host memory still, and the CPU's access fault: the program is killed, nothing is silently wrong. To
    /// ask the driver each time would be sound and cost a call of it for each put from private memory.
    known_host: [AtomicUsize; KNOWN],
}

impl Windows {
    pub(crate) fn new(
        job: &Job,
        host: &HostHeap,
        host_bytes: u64,
        stride: u64,
        gpu: Option<&GpuHeap>,
        check: bool,
    ) -> Self {
        let host_length = host_bytes as usize;
        Self {
            host_first: host.at(job.my_pe, HostArea::BYTES).expose_provenance(),
            host_bytes: if check { 0 } else { host_length },
            host_length,
            host_first_of_0: host.at(0, HostArea::BYTES).expose_provenance(),
            stride: stride as usize,
            n_pes: job.n_pes,
            gpu_first: gpu.map_or(0, |g| g.address(job.my_pe, SyncArea::BYTES) as usize),
            gpu_bytes: AtomicUsize::new(0),
            surely_host_from: if gpu.is_some() { usize::MAX } else { 1 },
            known_host: [const { AtomicUsize::new(0) }; KNOWN],
        }
    }

    /// The GPU slices have grown to `mapped` bytes.
    pub(crate) fn set_gpu_bytes(&self, mapped: u64) {
        // Relaxed: who got an address beyond the old end got it after the barrier of its allocation.
        self.gpu_bytes.store(mapped.saturating_sub(SyncArea::BYTES) as usize, Ordering::Relaxed);
    }

    /// Where the object is on PE `pe`, if there is such a PE and all `bytes` bytes are symmetric host memory.
    #[inline(always)]
    pub(crate) fn host<T>(&self, address: *const T, bytes: usize, pe: u32) -> Option<*mut T> {
        let at = address.addr().wrapping_sub(self.host_first);
        let inside = self.host_bytes.checked_sub(bytes).is_some_and(|last| at <= last) && pe < self.n_pes;
        inside.then(|| std::ptr::with_exposed_provenance_mut(self.host_first_of_0 + pe as usize * self.stride + at))
    }

    /// Whether a private address is host memory for certain, found by comparing alone.
    #[inline(always)]
    pub(crate) fn surely_host(&self, address: usize) -> bool {
        address >= self.surely_host_from || self.is_known(address)
    }

    /// What was asked about before, and the own slice, of which a large one would not be remembered as a whole.
    #[inline(always)]
    fn is_known(&self, address: usize) -> bool {
        let granule = address >> GRANULE_BITS;
        // Relaxed: the word alone says all.
        self.known_host[granule % KNOWN].load(Ordering::Relaxed) == granule + 1
            || address.wrapping_sub(self.host_first) < self.host_bytes
    }
}

impl Shmem {
    /// Which heap holds all `bytes` bytes, and at which offset; in check mode, whether one object does.
    pub(crate) fn locate(&self, address: usize, bytes: usize) -> Result<(Kind, u64), Misuse> {
        let w = &self.windows;
        // Relaxed: as where it is stored.
        let gpu_bytes = w.gpu_bytes.load(Ordering::Relaxed);
        let ranges = [
            (Kind::Host, w.host_first, w.host_length, HostArea::BYTES),
            (Kind::Gpu, w.gpu_first, gpu_bytes, SyncArea::BYTES),
        ];
        for (kind, first, length, reserved) in ranges {
            let at = address.wrapping_sub(first);
            if at < length {
                let left = length - at;
                if bytes > left {
                    return Err(Misuse::PastEnd(left as u64));
                }
                let offset = at as u64 + reserved;
                return self.check_object(kind, offset, bytes).map(|()| (kind, offset));
            }
        }
        Err(Misuse::NotSymmetric)
    }

    /// Whether only GPUs access the memory at a private address.
    pub(crate) fn is_device(&self, address: usize) -> bool {
        let w = &self.windows;
        if w.surely_host(address) {
            return false;
        }
        let Some(gpu) = &self.gpu else { return false };
        let granule = address >> GRANULE_BITS;
        let device = gpu.heap.gpu.is_device_address(address as u64);
        // NULL's granule stays unknown, so that NULL does.
        if !device && granule != 0 && !self.check {
            // Relaxed: the word alone says all.
            w.known_host[granule % KNOWN].store(granule + 1, Ordering::Relaxed);
        }
        device
    }

    /// Where `offset` of PE `pe` is seen from here.
    pub(crate) fn seen_at(&self, kind: Kind, offset: u64, pe: u32) -> u64 {
        match (kind, &self.gpu) {
            (Kind::Gpu, Some(gpu)) => gpu.heap.address(pe, offset),
            _ => self.host.at(pe, offset).addr() as u64,
        }
    }
}

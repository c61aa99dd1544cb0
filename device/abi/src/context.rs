use crate::BARRIER_STEPS;

/// What a kernel needs to know about the job. It sits in the module's constant memory, so that reading it costs no
/// trip to memory and an acquire load does not discard it.
///
/// Symmetric memory of every kind lies in windows of the same stride, one slice a PE, so the address of an object on
/// PE `q` is its address here plus `(q - my_pe) * stride`, whatever kind of memory it is in.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceContext {
    /// [`crate::ABI_VERSION`] of the library that wrote this.
    pub abi_version: u32,
    /// This PE's number.
    pub my_pe: u32,
    /// PEs in the job.
    pub n_pes: u32,
    /// All PEs below this number are reached by loads and stores of this GPU.
    pub mapped_pes: u32,
    /// Bytes between the slices of PE `i` and PE `i + 1`, in the GPU window and in the host window.
    pub stride: u64,
    /// Device address of this PE's [`SyncArea`], at the start of its GPU heap.
    pub sync_area: u64,
    /// Device address of this PE's [`ErrorRecord`], in host memory.
    pub error_record: u64,
    /// Longest wait inside a collective of the library, nanoseconds; 0 waits for ever.
    pub wait_limit_ns: u64,
    /// A bit for each PE that is reached by loads and stores of this GPU.
    pub mapped: [u64; MAPPED_WORDS],
}

/// Bytes between the slices of two PEs, for heaps of up to this size: a power of two, at least 2 MiB, and 2 MiB more; `None`
/// if there is no such number.
///
/// A PE that puts to an object of its peer often loads its own copy next, as in every ping-pong and barrier. If slices lay a
/// power of two apart, both addresses would agree in all low bits, by which processors guess what a load depends on, or, as
/// AMD's Zen does, where in its first cache a line is: the two then evict each other. 2 MiB is what GPUs map memory in.
pub const fn stride(heap_bytes: u64) -> Option<u64> {
    const GPU_PIECE: u64 = 2 << 20;
    match (if heap_bytes < GPU_PIECE { GPU_PIECE } else { heap_bytes }).checked_next_power_of_two() {
        Some(power) => power.checked_add(GPU_PIECE),
        None => None,
    }
}

/// Words of [`DeviceContext::mapped`]: PEs from `64 * MAPPED_WORDS` on count as unmapped, unless all below are mapped.
pub const MAPPED_WORDS: usize = 4;

const _: () = assert!(size_of::<DeviceContext>() == 80);

/// The library's own words at the start of each PE's symmetric GPU memory. All zero at the start.
#[repr(C)]
pub struct SyncArea {
    /// One for each step of the barrier.
    pub barrier: [BarrierStep; BARRIER_STEPS],
    /// 0 until a lane of this PE claims the right to fill in the error record. Local.
    pub error_claim: u64,
}

const _: () = assert!(size_of::<SyncArea>() <= SyncArea::BYTES as usize);

/// One step of the barrier between PEs; `cushmem-ring` has the protocol.
#[repr(C, align(16))]
pub struct BarrierStep {
    /// Signals that peers have added, in all barriers so far.
    pub signals: u64,
    /// Signals that this PE has waited for or is waiting for. Written by this PE only; peers look at it to find out who is
    /// late.
    pub awaited: u64,
}

impl SyncArea {
    /// Bytes set aside for it at the start of a slice.
    pub const BYTES: u64 = 4096;
}

/// Why a kernel gave up. Written by one lane, read by the host after the kernel has ended.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorRecord {
    /// An [`ErrorCode`]; 0 while there was no error. Written last.
    pub code: u32,
    /// PE that the operation named, or that is late.
    pub pe: u32,
    /// First argument; its meaning depends on the code.
    pub value: u64,
    /// Second argument.
    pub limit: u64,
    /// Block and thread that failed: `block << 32 | thread`.
    pub place: u64,
}

const _: () = assert!(size_of::<ErrorRecord>() == 32);

/// Codes of [`ErrorRecord::code`].
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// An operation named a PE that is not in `0..n_pes`; `limit` is `n_pes`.
    PeOutOfRange = 1,
    /// An operation named a PE whose memory this GPU cannot reach by loads and stores.
    PeNotMapped = 2,
    /// A collective waited `limit` nanoseconds for `pe`; `value` is the number of its barrier.
    BarrierTimeout = 3,
}

impl ErrorCode {
    /// The code with this number, if there is one.
    pub fn from_u32(code: u32) -> Option<Self> {
        [Self::PeOutOfRange, Self::PeNotMapped, Self::BarrierTimeout].into_iter().find(|c| *c as u32 == code)
    }
}

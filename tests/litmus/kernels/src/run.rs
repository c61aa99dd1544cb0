use cushmem_device::{DevPtr, block_dim_x, block_idx_x, grid_dim_x, thread_idx_x};

/// Words from one lane's to the next one's: no two lanes share a line.
pub const STRIDE: usize = 16;
/// Words of the unit in which the L1 cache is filled.
pub const SECTOR: usize = 4;
/// Words that a lane sends in a test of ranges.
pub const PART: usize = 4;
/// Words of a lane's report: forbidden outcomes, the round in which it gave up, and the rounds in which the outcome was
/// one that only accesses at the same time have.
pub const REPORT: usize = 3;

/// What a launch works on. All symmetric words are 0 at the start.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Symmetric: [`STRIDE`] words per lane, or twice [`PART`].
    pub data: DevPtr<u64>,
    /// Symmetric: [`STRIDE`] words per lane.
    pub flag: DevPtr<u64>,
    /// Symmetric: [`STRIDE`] words per lane, for what lanes tell each other about the outcome.
    pub told: DevPtr<u64>,
    /// Memory of this PE: [`PART`] words per lane, and one more per lane.
    pub source: DevPtr<u64>,
    /// Memory of this PE: [`REPORT`] words per lane.
    pub report: DevPtr<u64>,
    /// The counter of the launch's stream.
    pub counter: DevPtr<u32>,
    /// How often each lane tries.
    pub rounds: u64,
    /// The limit of each wait.
    pub limit_ns: u64,
    /// The next PE, with which this one exchanges words if there are two.
    pub peer: u32,
    /// What a kernel says of it.
    pub way: u32,
}

// SAFETY: numbers and addresses in C's layout.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl cushmem_device::KernelArg for Run {}

/// What a lane has found.
#[derive(Clone, Copy, Default)]
pub(crate) struct Found {
    pub(crate) forbidden: u64,
    pub(crate) late: u64,
    pub(crate) overlapped: u64,
}

impl Run {
    /// Stores what this lane has found.
    ///
    /// # Safety
    /// The report has room for all lanes.
    #[inline(always)]
    pub(crate) unsafe fn report(&self, found: Found) {
        let words = self.report.add(REPORT * lane());
        // SAFETY: the caller guarantees the room; no other lane has these words.
        unsafe {
            words.write(found.forbidden);
            words.add(1).write(found.late);
            words.add(2).write(found.overlapped);
        }
    }
}

/// This lane's number in the launch, which has one dimension.
#[inline(always)]
pub(crate) fn lane() -> usize {
    block_idx_x() as usize * block_dim_x() as usize + thread_idx_x() as usize
}

/// How many lanes the launch has.
#[inline(always)]
pub(crate) fn all_lanes() -> usize {
    grid_dim_x() as usize * block_dim_x() as usize
}

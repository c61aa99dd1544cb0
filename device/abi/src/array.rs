use crate::RingCounter;

/// What a PE's lanes need to fetch lines of a cached array. It lies in the PE's GPU memory; the host writes all but the
/// hand before kernels use the array.
#[repr(C, align(128))]
pub struct ArrayHead {
    /// The hand of the clock, which lanes change.
    pub hand: RingCounter,
    /// Address of this PE's part of the elements, which is symmetric; 0 if they are in a file.
    pub elements: u64,
    /// Lines of each PE's part.
    pub lines_per_pe: u64,
    /// Bytes of a line.
    pub line_bytes: u64,
    /// Bytes of all elements.
    pub bytes: u64,
    /// Slots of the cache.
    pub slots: u64,
    /// Address of the slots' bytes.
    pub data: u64,
    /// Address of a word for each slot.
    pub owners: u64,
    /// Address of a word for each line.
    pub states: u64,
    /// The file's number and, in the upper half, its generation.
    pub file: u64,
}

/// Words of a cached array as kernels take it: `DeviceArray` of the device API, and the beginning of
/// `shmemx_device_array_t` of the header `shmemx.h`.
pub const ARRAY_WORDS: usize = 9;

/// Instead of a slot, in kernels in CUDA C++: an element is not accessed through the cache, or not at all.
pub const ARRAY_ELSEWHERE: u32 = u32::MAX - 2;

/// What kernels may do with a cached array.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayMode {
    /// Read elements.
    ReadOnly = 0,
    /// Read elements and write them.
    ReadWrite = 1,
    /// Add to elements, and read them without the cache.
    Accumulate = 2,
}

/// The least bytes of a line.
pub const LEAST_LINE_BYTES: usize = 512;
/// The most bytes of a line: a file's line travels in a chunk of the command ring.
pub const MOST_LINE_BYTES: usize = crate::CHUNK_BYTES;

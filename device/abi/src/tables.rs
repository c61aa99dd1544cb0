use crate::TEAM_SLOTS;

/// What kernels look up when the [`DeviceContext`](crate::DeviceContext) alone does not determine where an object is.
/// It is in device memory, written once before the first kernel is loaded, and never changed, except for `teams`.
///
/// ```text
///   | Tables | PeEntry of PE 0 | … | PeEntry of PE n_pes - 1 | zeros | TeamEntry of slot 64 | … |
/// ```
///
/// The zeros are an entry for PE numbers that do not exist: a kernel takes the smaller of the number and `n_pes`, and
/// needs no branch. The entries of teams follow only where a PE can have more than [`TEAM_SLOTS`](crate::TEAM_SLOTS) of
/// them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// [`crate::ABI_VERSION`] of the library that wrote them.
    pub version: u32,
    /// [`Tables::bytes`].
    pub bytes: u32,
    /// Indexed by the number of the [`Segment`].
    pub segments: [SegmentEntry; SEGMENTS],
    /// How many teams a PE can have at a time.
    pub n_teams: u64,
    /// The teams of this PE, indexed by slot. Those of more slots are behind everything else.
    pub teams: [TeamEntry; TEAM_SLOTS],
}

impl Tables {
    /// Offset of the entry of the team with this slot, in a job of `n_pes` PEs.
    #[inline(always)]
    pub const fn team(slot: u32, n_pes: u32) -> u64 {
        let entry = size_of::<TeamEntry>() as u64;
        if (slot as usize) < TEAM_SLOTS {
            return core::mem::offset_of!(Tables, teams) as u64 + slot as u64 * entry;
        }
        Self::bytes(n_pes).next_multiple_of(entry) + (slot as u64 - TEAM_SLOTS as u64) * entry
    }

    /// Size in bytes of the tables of a job of `n_pes` PEs, with the entries of all PEs and the one of zeros, without
    /// those of teams that follow.
    pub const fn bytes(n_pes: u32) -> u64 {
        Self::entry(n_pes) + size_of::<PeEntry>() as u64
    }

    /// Offset of the entry of this PE.
    pub const fn entry(pe: u32) -> u64 {
        size_of::<Tables>() as u64 + pe as u64 * size_of::<PeEntry>() as u64
    }
}

/// Symmetric memory of one kind.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// The heap in host memory.
    Host = 0,
    /// The heap in GPU memory.
    Gpu = 1,
}

/// The number of segments.
pub const SEGMENTS: usize = 2;

/// The window of one segment.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentEntry {
    /// First address.
    pub base: u64,
    /// Bytes of the whole window.
    pub bytes: u64,
    /// Bytes between two places.
    pub stride: u64,
    /// An [`Agent`].
    pub agent: u32,
    /// 0.
    pub reserved: u32,
}

/// Which processor executes the atomic operations on a segment. A single processor executes all of them, because two
/// would lose each other's updates.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// The CPUs of the machine.
    Cpu = 0,
    /// The GPU that owns the memory.
    Gpu = 1,
}

/// What kernels of this GPU can do with the memory of one PE. Kernels load it as one word of 64 bits, with `place` in
/// the low half.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeEntry {
    /// Its place in the windows.
    pub place: u32,
    /// [`PeEntry::loads_stores`] and [`PeEntry::atomics`] of each segment.
    pub reach: u32,
}

impl PeEntry {
    /// The part of `reach` for loads and stores, for PEs below [`direct_pes`](crate::DeviceContext::direct_pes).
    pub const NEAR_LOADS_STORES: u32 = Self::loads_stores(Segment::Host) | Self::loads_stores(Segment::Gpu);
    /// The part of `reach` for atomics, for PEs below [`atomic_pes`](crate::DeviceContext::atomic_pes).
    pub const NEAR_ATOMICS: u32 = Self::atomics(Segment::Gpu);

    /// A bit of `reach`: loads and stores reach the segment.
    pub const fn loads_stores(segment: Segment) -> u32 {
        1 << (2 * segment as u32)
    }

    /// A bit of `reach`: atomics reach the segment, and are atomic with all other atomics on it.
    pub const fn atomics(segment: Segment) -> u32 {
        2 << (2 * segment as u32)
    }
}

/// A team of this PE. Kernels load it as two words of 64 bits.
///
/// *Who writes it*: the PE's CPU, by a copy, when it creates a team in the slot and before it gives that team to the
/// program, and again, as zeros, when all members have come to destroy the team and before another team can have the
/// slot. Only one thread of the CPU does so at a time. *Who reads it*: kernels of this PE that name the slot. A program
/// destroys a team only after the kernels that use it have ended, and a kernel gets the slot's number from the program,
/// by a launch or a word of memory. So the copy is complete before any lane that may use the team reads the entry, and
/// no copy overlaps such a read. A lane that reads at any other time names a slot without a team, and may be told so,
/// or take the team that is there before or after it, or a mixture of both.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamEntry {
    /// The PE of the job that is number 0 of the team.
    pub start: u32,
    /// The distance from one PE to the next; 0 if kernels cannot use the slot.
    pub stride: i32,
    /// The number of PEs in the team; 0 if there is no team.
    pub n_pes: u32,
    /// This PE's number in the team.
    pub my_pe: u32,
}

impl TeamEntry {
    /// The slot of no team.
    pub const NONE: Self = Self { start: 0, stride: 0, n_pes: 0, my_pe: 0 };
}

const _: () = assert!(size_of::<SegmentEntry>() == 32 && size_of::<PeEntry>() == 8 && size_of::<TeamEntry>() == 16);
const _: () = assert!(size_of::<Tables>() == 80 + 16 * TEAM_SLOTS);

use crate::{CollectiveArea, DeviceRing, TEAM_SLOTS, TeamSync};

/// The library's own words at the start of each PE's symmetric GPU memory. All zero at the start.
#[repr(C, align(4096))]
pub struct SyncArea {
    /// The words through which teams synchronise, indexed by the slot that the host gave to the team. Slot 0 is the
    /// team of all PEs.
    pub teams: [TeamSync; TEAM_SLOTS],
    /// 0 until a lane of this PE claims the right to fill in the error record. Local.
    pub error_claim: u64,
    /// 1 while a lane of this PE holds the wait record. Local.
    pub wait_claim: u64,
    /// The current copy that the lanes of the GPU agent make together: bytes, and addresses of the target and the
    /// source. Local.
    pub agent_copy: [u64; 4],
    /// This GPU's half of the command ring. Local.
    pub ring: DeviceRing,
    /// For collectives that kernels of the library carry out.
    pub collective: CollectiveArea,
}

impl SyncArea {
    /// Bytes set aside for it at the start of a segment.
    pub const BYTES: u64 = size_of::<SyncArea>() as u64;
}

const _: () = assert!(SyncArea::BYTES == 45_056 + size_of::<CollectiveArea>() as u64);

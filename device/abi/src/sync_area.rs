use crate::collective::is_more;
use crate::{CollectiveArea, DeviceRing, MoreTeam, TEAM_SLOTS, TeamSync};

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

    /// Bytes set aside in a job in which a PE can have so many teams: for a [`MoreTeam`] each, beyond
    /// [`TEAM_SLOTS`](crate::TEAM_SLOTS), too.
    pub const fn bytes(teams: u32) -> u64 {
        let more = if is_more(teams) { MoreTeam::at(teams) } else { 0 };
        Self::BYTES + more.next_multiple_of(align_of::<SyncArea>()) as u64
    }

    /// Offset of the words through which a team synchronises.
    #[inline(always)]
    pub const fn team(slot: u32) -> usize {
        if is_more(slot) {
            return Self::BYTES as usize + MoreTeam::at(slot) + core::mem::offset_of!(MoreTeam, sync);
        }
        core::mem::offset_of!(SyncArea, teams) + slot as usize * size_of::<TeamSync>()
    }
}

const _: () = assert!(SyncArea::BYTES == 45_056 + size_of::<CollectiveArea>() as u64);

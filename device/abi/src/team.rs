use crate::BARRIER_STEPS;

/// The words of one PE for one team.
///
/// Between two barriers of a team, `signals` and `awaited` are equal in every counter, so a slot needs no reset before
/// the host gives it to another team.
#[repr(C, align(128))]
pub struct TeamSync {
    /// One for each step of the barrier.
    pub barrier: [BarrierStep; BARRIER_STEPS],
}

const _: () = assert!(size_of::<TeamSync>() == 256);

/// One step of the barrier between PEs; `cushmem-protocol` has the protocol.
#[repr(C, align(16))]
pub struct BarrierStep {
    /// Signals that peers have added, in all barriers so far.
    pub signals: u64,
    /// Signals that this PE has waited for or is waiting for. Only this PE writes it; peers read it to find out which
    /// PE is late.
    pub awaited: u64,
}

/// A team of the host as kernels see it: PE `start + i * stride` of the job is number `i` of `n_pes`. Kernels take it
/// as a parameter.
///
/// ```
/// # use cushmem_abi::DeviceTeam;
/// // PEs 1, 3 and 5, the second of which is this one.
/// let team = DeviceTeam { start: 1, stride: 2, n_pes: 3, my_pe: 1, slot: 4 };
/// assert_eq!(team.pe(team.my_pe), 3);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceTeam {
    /// The PE of the job that is number 0 of the team.
    pub start: u32,
    /// The distance from one PE to the next, which may be negative.
    pub stride: i32,
    /// The number of PEs in the team.
    pub n_pes: u32,
    /// This PE's number in the team.
    pub my_pe: u32,
    /// The number that identifies the team on this PE: the index of its words
    /// ([`SyncArea::team`](crate::SyncArea::team)) and of its entry ([`Tables::team`](crate::Tables::team)).
    pub slot: u32,
}

const _: () = assert!(size_of::<DeviceTeam>() == 20);

impl DeviceTeam {
    /// Returns the PE of the job that has this number in the team. `number` must be below `n_pes`.
    #[inline(always)]
    pub const fn pe(self, number: u32) -> u32 {
        self.start.wrapping_add(number.wrapping_mul(self.stride.cast_unsigned()))
    }

    /// The team in three words: the first PE and the stride, the number of PEs and this PE's number, the slot. The
    /// first of each two is the low half.
    #[inline(always)]
    pub const fn to_words(self) -> [u64; 3] {
        let pes = self.start as u64 | (self.stride.cast_unsigned() as u64) << 32;
        [pes, self.n_pes as u64 | (self.my_pe as u64) << 32, self.slot as u64]
    }

    /// The team that three words say. A slot beyond the largest number stays too large for any team.
    #[inline(always)]
    pub const fn of_words([pes, numbers, slot]: [u64; 3]) -> Self {
        let slot = if slot > u32::MAX as u64 { u32::MAX } else { slot as u32 };
        let stride = ((pes >> 32) as u32).cast_signed();
        Self { start: pes as u32, stride, n_pes: numbers as u32, my_pe: (numbers >> 32) as u32, slot }
    }
}

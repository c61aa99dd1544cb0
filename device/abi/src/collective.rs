use crate::{TEAM_SLOTS, TeamSync};

/// The most blocks of a kernel that carries out a collective of all PEs. Their number is a power of two.
pub const COLLECTIVE_BLOCKS: u32 = 128;
/// The most blocks of a kernel that carries out a collective of any other team. Several of these may have kernels at a
/// time, which must fit on the GPU together.
pub const TEAM_BLOCKS: u32 = 32;

/// What collectives on GPU memory use, indexed by the slot of the team. It is at the end of the
/// [`SyncArea`](crate::SyncArea), and all zero at the start.
#[repr(C, align(4096))]
pub struct CollectiveArea {
    /// The words through which the blocks of a number synchronise across the PEs of the team of all PEs.
    pub world: [TeamSync; COLLECTIVE_BLOCKS as usize],
    /// The words through which the blocks of a number synchronise across the PEs of each other team.
    pub teams: [[TeamSync; TEAM_BLOCKS as usize]; TEAM_SLOTS - 1],
    /// One cache line per team: [`COLLECTIVE_BLOCKS`] for each collective through the inboxes that this PE has finished
    /// or, in a kernel of the program, begun; its groups add equal shares. Local.
    pub passed: [[u64; 16]; TEAM_SLOTS],
    /// The inbox of the team of all PEs, followed by those of the other teams.
    pub inboxes: [u8; WORLD_INBOX + (TEAM_SLOTS - 1) * TEAM_INBOX],
}

/// The words of a team whose slot is not below [`TEAM_SLOTS`](crate::TEAM_SLOTS). They lie behind the
/// [`SyncArea`](crate::SyncArea), in the order of the slots.
#[repr(C, align(128))]
pub struct MoreTeam {
    /// As in [`SyncArea::teams`](crate::SyncArea::teams).
    pub sync: TeamSync,
    /// As in [`CollectiveArea::teams`].
    pub blocks: [TeamSync; TEAM_BLOCKS as usize],
    /// As in [`CollectiveArea::passed`].
    pub passed: [u64; 16],
    /// As in [`CollectiveArea::inboxes`].
    pub inbox: [u8; TEAM_INBOX],
}

impl MoreTeam {
    /// Offset of a team's words behind the [`SyncArea`](crate::SyncArea).
    pub const fn at(slot: u32) -> usize {
        (slot as usize - TEAM_SLOTS) * size_of::<MoreTeam>()
    }
}

/// Whether the words of this slot are a [`MoreTeam`].
#[inline(always)]
pub(crate) const fn is_more(slot: u32) -> bool {
    slot as usize >= TEAM_SLOTS
}

/// Bytes of the inbox of the team of all PEs.
const WORLD_INBOX: usize = 1 << 20;
/// Bytes of the inbox of any other team: enough for 1 KiB from each of 8 members ([`CollectiveArea::short_bytes`]).
const TEAM_INBOX: usize = 32 << 10;

impl CollectiveArea {
    /// Offset in the area of the [`TeamSync`] of the team's first block; those of the others follow.
    pub const fn blocks(slot: u32) -> usize {
        match slot {
            0 => core::mem::offset_of!(CollectiveArea, world),
            _ if is_more(slot) => Self::more(slot) + core::mem::offset_of!(MoreTeam, blocks),
            _ => {
                let of_team = size_of::<[TeamSync; TEAM_BLOCKS as usize]>();
                core::mem::offset_of!(CollectiveArea, teams) + (slot as usize - 1) * of_team
            }
        }
    }

    /// Offset of a [`MoreTeam`]: the area is the last part of the [`SyncArea`](crate::SyncArea).
    const fn more(slot: u32) -> usize {
        size_of::<CollectiveArea>() + MoreTeam::at(slot)
    }

    /// Offset in the area of the team's word of `passed`.
    pub const fn passed(slot: u32) -> usize {
        if is_more(slot) {
            return Self::more(slot) + core::mem::offset_of!(MoreTeam, passed);
        }
        core::mem::offset_of!(CollectiveArea, passed) + slot as usize * size_of::<[u64; 16]>()
    }

    /// Offset in the area of a team's inbox, and its size in bytes.
    pub const fn inbox(slot: u32) -> (usize, usize) {
        let first = core::mem::offset_of!(CollectiveArea, inboxes);
        match slot {
            0 => (first, WORLD_INBOX),
            _ if is_more(slot) => (Self::more(slot) + core::mem::offset_of!(MoreTeam, inbox), TEAM_INBOX),
            _ => (first + WORLD_INBOX + (slot as usize - 1) * TEAM_INBOX, TEAM_INBOX),
        }
    }

    /// Whether as many bytes fit into the part of an inbox that each member of a team of `n_pes` has.
    #[inline(always)]
    pub const fn is_short(slot: u32, n_pes: u32, bytes: usize) -> bool {
        // Without a division, which takes a kernel long.
        bytes.div_ceil(8) * 16 * n_pes as usize <= Self::inbox(slot).1 / 2
    }

    /// The most members of a team that carries out an exchange of unequal size through its inboxes: each sends a word
    /// for each member to each.
    #[inline(always)]
    pub const fn unequal_members(slot: u32) -> u32 {
        const fn members(inbox: usize) -> u32 {
            (inbox / 2 / 16).isqrt() as u32
        }
        if slot == 0 { const { members(WORLD_INBOX) } } else { const { members(TEAM_INBOX) } }
    }

    /// The most bytes that a member of a team of `n_pes` sends to another member through its inbox. An inbox has two
    /// halves, for odd and even collectives, each with a part for each sender. Of each 16 bytes, 8 are data.
    pub const fn short_bytes(slot: u32, n_pes: u32) -> usize {
        // A division of 64 bits would take a kernel long.
        ((Self::inbox(slot).1 / 2) as u32 / n_pes / 16 * 8) as usize
    }
}

const _: () = assert!(CollectiveArea::short_bytes(1, 8) == 1024);
// So many members have room for a word for each, and one more has not.
const _: () = assert!(CollectiveArea::unequal_members(0) == 181 && CollectiveArea::unequal_members(1) == 32);
const _: () = assert!(CollectiveArea::is_short(0, 181, 8 * 181) && !CollectiveArea::is_short(0, 182, 8 * 182));
const _: () = assert!(CollectiveArea::is_short(1, 32, 8 * 32) && !CollectiveArea::is_short(1, 33, 8 * 33));
// Each PE has one in its GPU's memory.
const _: () = assert!(size_of::<CollectiveArea>() <= 4 << 20);

/// How a kernel combines elements; see [`Combine::code`] for the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Combine {
    /// Bitwise AND, for any type.
    And = 0,
    /// Bitwise OR.
    Or = 1,
    /// Bitwise exclusive OR.
    Xor = 2,
    /// The minimum.
    Min = 3,
    /// The maximum.
    Max = 4,
    /// The sum; integers wrap around.
    Sum = 5,
    /// The product; integers wrap around.
    Prod = 6,
}

/// The types of numbers that kernels combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs)] // as the types are called
pub enum Number {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    U64 = 6,
    I64 = 7,
    F32 = 8,
    F64 = 9,
    F16 = 10,
    Bf16 = 11,
}

impl Combine {
    /// The number by which a kernel identifies operation and type. Bitwise operations are those on 64-bit words, and
    /// sums and products of integers are the same with or without a sign.
    #[inline(always)]
    pub const fn code(self, number: Number) -> u32 {
        let number = match (self, number) {
            (Self::And | Self::Or | Self::Xor, _) => Number::U64,
            (Self::Min | Self::Max, number) => number,
            (_, Number::I8) => Number::U8,
            (_, Number::I16) => Number::U16,
            (_, Number::I32) => Number::U32,
            (_, Number::I64) => Number::U64,
            (_, number) => number,
        };
        (self as u32) << 4 | number as u32
    }
}

/// What a kernel asks the CPU for, besides the addresses and the number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectiveCommand {
    /// Which collective it is.
    pub kind: CollectiveKind,
    /// [`Combine::code`] of a reduction or scan, otherwise 0. Of [`CollectiveKind::Alltoallv`], see [`Rows`].
    pub code: u32,
    /// The bytes of an element.
    pub width: u16,
    /// The slot of the team.
    pub slot: u32,
    /// The root of a broadcast, otherwise 0.
    pub root: u32,
    /// The strides of dest and source, of [`CollectiveKind::Alltoalls`], otherwise 0.
    pub strides: [u32; 2],
}

impl CollectiveCommand {
    /// An exchange of unequal size.
    #[inline(always)]
    pub const fn of_rows(slot: u32, Rows { row, room, dest_splits }: Rows) -> Self {
        let (width, root) = ((room >> 32) as u16, room as u32);
        let strides = [dest_splits as u32, (dest_splits >> 32) as u32];
        Self { kind: CollectiveKind::Alltoallv, code: row, width, slot, root, strides }
    }

    /// What an exchange of unequal size holds.
    pub const fn rows(self) -> Rows {
        let room = (self.width as u64) << 32 | self.root as u64;
        Rows { row: self.code, room, dest_splits: self.strides[0] as u64 | (self.strides[1] as u64) << 32 }
    }

    /// The three arguments that hold it.
    #[inline(always)]
    pub const fn to_words(self) -> [u64; 3] {
        let what = self.kind as u64 | (self.width as u64) << 16 | (self.code as u64) << 32;
        [what, self.slot as u64 | (self.root as u64) << 32, self.strides[0] as u64 | (self.strides[1] as u64) << 32]
    }

    /// What three arguments hold, or none if there is no such collective.
    pub fn of_words([what, team, strides]: [u64; 3]) -> Option<Self> {
        let kind = CollectiveKind::ALL.into_iter().find(|kind| *kind as u64 == what & 0xffff)?;
        let (width, code) = ((what >> 16) as u16, (what >> 32) as u32);
        let strides = [strides as u32, (strides >> 32) as u32];
        Some(Self { kind, code, width, slot: team as u32, root: (team >> 32) as u32, strides })
    }
}

/// An exchange of unequal size, of which a command has the address of the source's splits in place of the number of
/// elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The bytes of a row.
    pub row: u32,
    /// The rows for which the dest has room: at most [`Rows::MOST`].
    pub room: u64,
    /// The address of the dest's splits.
    pub dest_splits: u64,
}

impl Rows {
    /// The most rows that a command holds.
    pub const MOST: u64 = (1 << 48) - 1;
}

/// The collectives that kernels ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[allow(missing_docs)] // as OpenSHMEM calls them
pub enum CollectiveKind {
    Broadcast = 1,
    Fcollect = 2,
    Alltoall = 3,
    Alltoalls = 4,
    Reduce = 5,
    ReduceScatter = 6,
    Inscan = 7,
    Exscan = 8,
    Alltoallv = 9,
}

impl CollectiveKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Broadcast,
        Self::Fcollect,
        Self::Alltoall,
        Self::Alltoalls,
        Self::Reduce,
        Self::ReduceScatter,
        Self::Inscan,
        Self::Exscan,
        Self::Alltoallv,
    ];
}

/// How a kernel folds the members' elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Folding {
    /// All members get the combination of all.
    Reduce = 0,
    /// Each member gets the combination of the members up to and including itself.
    Inscan = 1,
    /// Each member gets the combination of the members before itself; the first one gets zeros.
    Exscan = 2,
    /// Each member gets its block of the combination of all.
    Scatter = 3,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches fields that overlap or do not fit.
    #[test]
    fn a_command_keeps_its_fields() {
        for kind in CollectiveKind::ALL {
            let of = |code, width, slot, root, strides| CollectiveCommand { kind, code, width, slot, root, strides };
            for command in [
                of(0, 1, 63, 0, [0; 2]),
                of(u32::MAX, 0, 0, 0, [0, u32::MAX]),
                of(0, u16::MAX, 0, u32::MAX, [0; 2]),
                of(0, 0, u32::MAX, 0, [u32::MAX, 0]),
            ] {
                assert_eq!(CollectiveCommand::of_words(command.to_words()), Some(command));
            }
        }
        for rows in [
            Rows { row: u32::MAX, room: 0, dest_splits: 0 },
            Rows { row: 0, room: Rows::MOST, dest_splits: 0 },
            Rows { row: 0, room: 0, dest_splits: u64::MAX },
        ] {
            let command = CollectiveCommand::of_rows(7, rows);
            assert_eq!(
                CollectiveCommand::of_words(command.to_words()).map(|read| (read.slot, read.rows())),
                Some((7, rows))
            );
        }
        assert_eq!([0, 10, 0x101].map(|what| CollectiveCommand::of_words([what, 0, 0])), [None; 3]);
    }

    /// Catches bytes that are sent through an inbox although they do not fit, or are not although they do.
    #[test]
    fn what_is_short_fits() {
        for (slot, n_pes) in [(0, 1), (0, 2), (0, 3), (0, 64), (0, 1000), (5, 1), (5, 2), (5, 7), (5, 240), (5, 241)] {
            let most = CollectiveArea::short_bytes(slot, n_pes);
            for bytes in (0..=64).chain(most.saturating_sub(20)..most + 20) {
                assert_eq!(CollectiveArea::is_short(slot, n_pes, bytes), bytes <= most, "{bytes} bytes, {n_pes} PEs");
            }
        }
    }
}

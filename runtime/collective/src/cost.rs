//! Which schedule serves: from bytes and the number of members, by what a message and a byte cost between two processors of a machine.
//! All members get the same answers, as they ask with the same numbers.

use crate::STAGE_BYTES;

/// What a flag costs, in bytes that could be read from another processor's cache meanwhile.
const FLAG_BYTES: usize = 1500;
/// The same for each member whose flag is looked at.
const LOOK_BYTES: usize = 200;

/// Members that meet in one round.
const FLAT: u32 = 16;
const RADIX: u32 = 8;

/// The radix of dissemination among so many members.
#[inline]
pub(crate) const fn radix(size: u32) -> u32 {
    if size <= FLAT { size } else { RADIX }
}

/// Whether a broadcast goes through the root's stage. Between two members the copy into the stage is saved sooner.
#[inline]
pub(crate) const fn broadcast_staged(bytes: usize, size: u32) -> bool {
    bytes <= if size == 2 { STAGE_BYTES / 2 } else { STAGE_BYTES }
}

/// Whether blocks that everybody gets go through stages.
#[inline]
pub(crate) const fn fcollect_staged(bytes: usize) -> bool {
    bytes <= STAGE_BYTES / 2
}

/// Whether blocks that one member gets go through stages, all of a member in one.
#[inline]
pub(crate) const fn alltoall_staged(bytes: usize, size: u32) -> bool {
    bytes <= STAGE_BYTES / size as usize
}

/// Whether each member combines all by itself: it reads `(size - 1) * bytes` instead of twice `bytes`, and saves a synchronisation.
#[inline]
pub(crate) const fn reduce_staged(bytes: usize, size: u32) -> bool {
    let sync = FLAG_BYTES + LOOK_BYTES * size as usize;
    // Beyond a flat team, groups combine first.
    let readers = if size <= FLAT { size } else { 2 * group(size) } as usize;
    bytes <= STAGE_BYTES && readers.saturating_sub(2) * bytes <= sync
}

/// Members of the groups that combine first, so that there are about as many groups; all of a small team.
#[inline]
pub(crate) const fn group(size: u32) -> u32 {
    if size <= FLAT {
        return size;
    }
    let mut group = 1u32;
    while (group as u64) * (group as u64) < size as u64 {
        group *= 2;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bytes_are_staged_and_many_are_not() {
        for size in 1..300 {
            assert!(reduce_staged(8, size) && broadcast_staged(8, size) && fcollect_staged(8), "{size} members");
            assert!(!reduce_staged(65536, size) && !broadcast_staged(65536, size) && !alltoall_staged(65536, size));
        }
        assert!(reduce_staged(STAGE_BYTES, 2) && !reduce_staged(STAGE_BYTES, 8));
    }

    /// Groups that leave out a member, or so few that one member reads most of the others.
    #[test]
    fn groups_cover_all_members() {
        for size in 1..2000u32 {
            let group = group(size);
            assert!(group * size.div_ceil(group) >= size && size.div_ceil(group) <= group.max(1), "{size} members");
        }
    }
}

//! Which schedule serves best, by the number of bytes and members: what a message and a byte cost between two
//! processors of a machine. All members get the same answers, as they ask with the same numbers.

use crate::STAGE_BYTES;

/// Data in the cache line of a stage's flag.
pub(crate) const LINE_BYTES: usize = 56;
/// What a synchronisation of few members costs: as much time as this many bytes take from one processor's cache to
/// another's.
const SYNC_BYTES: usize = 400;

/// Members that meet in one round.
const FLAT: u32 = 16;
const RADIX: u32 = 8;

/// The radix of dissemination among `size` members.
#[inline]
pub(crate) const fn radix(size: u32) -> u32 {
    if size <= FLAT { size } else { RADIX }
}

/// Whether a broadcast goes through the root's stage. Between two members the copy into the stage is saved sooner.
#[inline]
pub(crate) const fn broadcast_staged(bytes: usize, size: u32) -> bool {
    bytes <= if size == 2 { STAGE_BYTES / 2 } else { STAGE_BYTES }
}

/// Whether the root of two members writes the other's dest. Otherwise each copies its own part at the same time, which
/// takes one flag more.
#[inline]
pub(crate) const fn broadcast_pushed(bytes: usize, size: u32) -> bool {
    size == 2 && bytes <= 8 * SYNC_BYTES
}

/// Whether blocks that everybody gets go through stages: as long as they fit into the lines of the flags. Beyond that
/// it takes no longer to write them where they belong.
#[inline]
pub(crate) const fn fcollect_staged(bytes: usize) -> bool {
    bytes <= LINE_BYTES
}

/// Whether blocks that one member gets go through stages, all of a member in one. Among few that saves little once
/// there is more than the flag's line; among many each would write, and then synchronise, with all.
#[inline]
pub(crate) const fn alltoall_staged(bytes: usize, size: u32) -> bool {
    bytes * size as usize <= if size <= 4 { LINE_BYTES } else { STAGE_BYTES / 2 }
}

/// Whether each member combines all by itself, which saves a synchronisation: always if all fits into the lines of the
/// flags; else if what all read and write of stages is less than that is worth.
#[inline]
pub(crate) const fn reduce_staged(bytes: usize, size: u32) -> bool {
    bytes <= LINE_BYTES || (bytes <= STAGE_BYTES && (size as usize - 1) * bytes <= SYNC_BYTES)
}

/// What a flag costs between nodes: as much time as this many bytes take.
const FAR_FLAG_BYTES: usize = 32 * 1024;

/// Whether the root of a broadcast between nodes gives each other leader a share, and these give them to each other.
/// All are sent twice then, and not once a leader by the same one, which takes two flags more.
#[inline]
pub(crate) const fn scattered(bytes: usize, leaders: u32) -> bool {
    leaders > 3 && (leaders as usize - 3) * bytes > 2 * FAR_FLAG_BYTES
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
        assert!(reduce_staged(SYNC_BYTES, 2) && !reduce_staged(SYNC_BYTES, 8));
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

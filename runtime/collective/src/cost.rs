//! Chooses the best schedule for a number of bytes and members, from the cost of a message and of a byte between two
//! processors of a machine. All members ask with the same numbers and therefore get the same answers.

use crate::{FAR_STAGE_BYTES, STAGE_BYTES};

/// Bytes of data in the cache line of a stage's flag.
pub(crate) const LINE_BYTES: usize = 56;
/// The cost of a synchronisation of few members, as the number of bytes that travel from one processor's cache to
/// another's in that time.
const SYNC_BYTES: usize = 400;

/// Up to this many members meet in one round.
const FLAT: u32 = 16;
const RADIX: u32 = 8;

/// The radix of dissemination among `size` members.
#[inline]
pub(crate) const fn radix(size: u32) -> u32 {
    if size <= FLAT { size } else { RADIX }
}

/// Whether a broadcast goes through the root's stage. With two members, avoiding the copy into the stage pays off
/// sooner.
#[inline]
pub(crate) const fn broadcast_staged(bytes: usize, size: u32) -> bool {
    bytes <= if size == 2 { STAGE_BYTES / 2 } else { STAGE_BYTES }
}

/// Whether the root of two members writes the other's dest. If not, the other reads while the root fills its own dest,
/// which takes one more flag.
#[inline]
pub(crate) const fn broadcast_pushed(bytes: usize, size: u32) -> bool {
    size == 2 && bytes <= 8 * SYNC_BYTES
}

/// Whether blocks that everybody gets go through stages: yes, if they fit into the cache lines of the flags. Beyond
/// that, writing them where they belong takes no longer.
#[inline]
pub(crate) const fn fcollect_staged(bytes: usize) -> bool {
    bytes <= LINE_BYTES
}

/// Whether blocks that one member gets go through stages; a stage holds all blocks of its member. With few members this
/// saves little once the data exceed the flag's line. With many, each would otherwise write to all, and then
/// synchronise with all.
#[inline]
pub(crate) const fn alltoall_staged(bytes: usize, size: u32) -> bool {
    bytes * size as usize <= if size <= 4 { LINE_BYTES } else { STAGE_BYTES / 2 }
}

/// Whether each member combines everything by itself, which saves a synchronisation. Always if the data fit into the
/// lines of the flags, otherwise if the traffic through stages costs less than the synchronisation.
#[inline]
pub(crate) const fn reduce_staged(bytes: usize, size: u32) -> bool {
    bytes <= LINE_BYTES || (bytes <= STAGE_BYTES && (size as usize - 1) * bytes <= SYNC_BYTES)
}

/// The cost of a flag between nodes, as the number of bytes that travel in that time.
const FAR_FLAG_BYTES: usize = 32 * 1024;

/// Whether each leader sends its contribution to all others, through stages. Otherwise the leaders meet, combine a
/// share each, which they get from the others and put to them, and meet again.
#[inline]
pub(crate) const fn far_reduce_staged(bytes: usize, leaders: u32) -> bool {
    bytes <= FAR_STAGE_BYTES || (leaders as usize - 1) * bytes <= FAR_FLAG_BYTES
}

/// Whether the root of a broadcast between nodes gives each other leader a share, and the leaders exchange their
/// shares. This takes the time to send the data twice, and two more flags. Otherwise the root sends the data once per
/// leader.
#[inline]
pub(crate) const fn scattered(bytes: usize, leaders: u32) -> bool {
    leaders > 3 && (leaders as usize - 3) * bytes > 2 * FAR_FLAG_BYTES
}

/// The size of the groups that combine first, such that there are about as many groups as members in a group. A small
/// team is a single group.
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

    /// Catches groups that leave out a member, and groups so small or so large that one member reads most of the
    /// others.
    #[test]
    fn groups_cover_all_members() {
        for size in 1..2000u32 {
            let group = group(size);
            assert!(group * size.div_ceil(group) >= size && size.div_ceil(group) <= group.max(1), "{size} members");
        }
    }
}

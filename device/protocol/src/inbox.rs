//! Inboxes through which the members of a team pass each other short data in a collective, without meeting.
//!
//! ```text
//!   half of even collectives                  half of odd ones
//!   | of member 0 | of member 1 | … |         | of member 0 | of member 1 | … |
//!     each: | data, flag | data, flag | …       4 bytes each, stored together
//! ```
//!
//! *Writer* of a part: the member that it is of. *Reader*: the owner. A flag tells the number of the collective, so a
//! reader that sees it has the data beside it: both are one word, which is stored and loaded whole, and no other memory
//! is involved. *Why nothing is overwritten too early*: each member sends to each in every collective. A member that
//! sends in collective `e + 2` has had something of each other one in `e + 1`, which that one sent after it had
//! finished `e`, as kernels of a stream follow each other; so it has read what is overwritten. *The number* is counted
//! in the owner's memory: each block adds its share when its lanes have read the count, so until the last one has, the
//! quotient stays. Flags come again after 2^31 collectives.

/// The number of the next collective, from 1, if blocks have counted so much, and those of a collective count `all`
/// together.
#[inline(always)]
pub const fn number(counted: u64, all: u32) -> u64 {
    counted / all as u64 + 1
}

/// What each of `blocks` counts.
#[inline(always)]
pub const fn share(all: u32, blocks: u32) -> u64 {
    (all / blocks) as u64
}

/// The half of the inboxes that a collective uses.
#[inline(always)]
pub const fn half(number: u64) -> u64 {
    number & 1
}

/// Its flag, in the upper half of a word. It differs from memory that is all zeros.
#[inline(always)]
pub const fn flag(number: u64) -> u64 {
    (number << 32) | 1 << 63
}

/// Eight bytes, and the flag beside each four.
#[inline(always)]
pub const fn encode(word: u64, flag: u64) -> [u64; 2] {
    [word & 0xffff_ffff | flag, word >> 32 | flag]
}

/// The bytes, if all have come.
#[inline(always)]
pub const fn decode([a, b]: [u64; 2], flag: u64) -> Option<u64> {
    let is_here = a >> 32 == flag >> 32 && b >> 32 == flag >> 32;
    if is_here { Some(a & 0xffff_ffff | b << 32) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches blocks of one collective that count different numbers, in whatever order they read and count.
    #[test]
    fn blocks_agree_on_the_number() {
        const ALL: u32 = 128;
        for blocks in (0..=7).map(|log| 1 << log) {
            let mut counted = 0;
            for collective in 1..=3 {
                for _ in 0..blocks {
                    assert_eq!(number(counted, ALL), collective);
                    counted += share(ALL, blocks);
                }
            }
        }
    }

    /// Catches a flag that memory without one has, or the collective that used the half before.
    #[test]
    fn a_part_is_of_its_collective() {
        for e in [1, 2, 0x7fff_ffff, 0x8000_0000] {
            let word = 0x89ab_cdef_0123_4567;
            assert_eq!(decode(encode(word, flag(e)), flag(e)), Some(word));
            assert_eq!(decode([0; 2], flag(e)), None);
            assert_eq!(decode(encode(word, flag(e)), flag(e + 2)), None);
            let [old, new] = [e, e + 2].map(|number| encode(word, flag(number)));
            assert_eq!((decode([new[0], old[1]], flag(e + 2)), decode([old[0], new[1]], flag(e + 2))), (None, None));
        }
    }
}

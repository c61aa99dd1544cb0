//! Inboxes through which the members of a team pass short data to each other in a collective, without a barrier.
//!
//! ```text
//!   half of even collectives                  half of odd ones
//!   | of member 0 | of member 1 | … |         | of member 0 | of member 1 | … |
//!     each: | data, flag | data, flag | …       4 bytes each, stored together
//! ```
//!
//! *Writer* of the part of member `i`: member `i`. *Reader*: the owner of the inbox.
//!
//! A flag holds the number of the collective, so a reader that sees the flag also has the data next to it: both are in
//! one word, which is stored and loaded as a whole. No other memory is involved.
//!
//! *Why nothing is overwritten too early*: in every collective each member sends to each other one. A member that sends
//! in collective `e + 2` has received from every other member in `e + 1`. That member sent after it had finished `e`,
//! so it has read the words that are now overwritten: kernels of a stream follow each other, and in one kernel the
//! lanes of a member meet when they have received everything, before any of them begins the next collective. They also
//! meet before they send, which orders what one of them wrote to the source before another one reads it.
//!
//! *The number* of the collective is counted in the owner's memory. Each block adds its share after its lanes have read
//! the count, so the quotient does not change until the last block has added.
//!
//! *Old words*: a flag has 31 bits of the number, so it repeats after 2^31 collectives, and a word beyond the length of
//! recent collectives keeps an old flag. So once in 2^30 collectives each member clears its own inbox ([`clears`]): in
//! the collective `e` it clears the half of `e - 1` before it sends, in the next one the other half. Afterwards no flag
//! in the inbox is older than 2^30 + 1 collectives. *Why nothing that is needed is cleared*: the member has finished
//! `e - 1`, so it has read all words of that half. The next words there are those of `e + 1`, whose sender has received
//! everything that this member sent in `e`, after it had cleared.

/// The number of the next collective, from 1, when blocks have `counted` so much so far and the blocks of one
/// collective add `all` together.
#[inline(always)]
pub const fn number(counted: u64, all: u32) -> u64 {
    counted / all as u64 + 1
}

/// What each of `blocks` adds.
#[inline(always)]
pub const fn share(all: u32, blocks: u32) -> u64 {
    (all / blocks) as u64
}

/// The half of the inboxes that a collective uses.
#[inline(always)]
pub const fn half(number: u64) -> u64 {
    number & 1
}

/// The collective's flag, in the upper half of a word. It differs from memory that is all zeros.
#[inline(always)]
pub const fn flag(number: u64) -> u64 {
    (number << 32) | 1 << 63
}

/// The number of the collective with this flag, of which a flag has 31 bits.
#[inline(always)]
pub const fn number_of(flag: u64) -> u64 {
    flag << 1 >> 33
}

/// How many collectives there are between two clearings.
const PERIOD: u64 = 1 << 30;

/// Whether a member clears, before it sends in this collective, the half of its inbox that the one before used.
#[inline(always)]
pub const fn clears(number: u64) -> bool {
    number & (PERIOD - 1) < 2 && number > 1
}

/// Encodes eight bytes, with the flag next to each four.
#[inline(always)]
pub const fn encode(word: u64, flag: u64) -> [u64; 2] {
    [word & 0xffff_ffff | flag, word >> 32 | flag]
}

/// Returns the bytes, if all have arrived.
#[inline(always)]
pub const fn decode([a, b]: [u64; 2], flag: u64) -> Option<u64> {
    let is_here = a >> 32 == flag >> 32 && b >> 32 == flag >> 32;
    if is_here { Some(bytes([a, b])) } else { None }
}

/// The bytes of a word that has arrived.
#[inline(always)]
pub const fn bytes([a, b]: [u64; 2]) -> u64 {
    a & 0xffff_ffff | b << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches blocks of one collective that compute different numbers, depending on the order in which they read and
    /// add.
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

    /// Catches a half that is not cleared before its flags repeat.
    #[test]
    fn both_halves_are_cleared_before_flags_repeat() {
        assert_eq!([1, 2, 3].map(clears), [false; 3], "an inbox is clear at the start");
        for period in 1..5 {
            let first = period * PERIOD;
            assert_eq!([first - 1, first, first + 1, first + 2].map(clears), [false, true, true, false]);
            assert_ne!(half(first - 1), half(first));
        }
        assert_eq!(flag(7), flag(7 + 2 * PERIOD), "twice as many collectives as between two clearings");
        assert_ne!(flag(7), flag(7 + PERIOD + 2));
    }

    /// Catches a flag that equals memory without one, or the flag of the collective that used the half before.
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

//! Messages of several words that a network may deliver in any pieces and in any order, without a word that announces
//! them.
//!
//! Each message has a number, and lies where the one with a smaller number was. Its last word is its *seal*: a sum over
//! the number and the other words. A reader that knows which number comes next takes the message when the seal agrees.
//! So a message is one put on every network, and messages need not wait for each other.
//!
//! *A message that is believed need not be written completely.* Bytes of it that are the same as before may be written
//! later. So whoever puts the next message there first makes sure that the put of this one is complete, or that the
//! network keeps the order of the two puts. `transport/request_queue.rs` says how, and `level.rs` for
//! flags.
//!
//! The lower 16 bits of the seal are those of the number, so that a look at an old message ends with one word. The
//! other 48 bits are the sum. A reader that looks at a message in pieces would believe it wrongly once in 2^48 looks.
//! Flags ([`SealedFlag`]) have their number in front of the seal, and a sum of 64 bits.

use crate::sync::shared_word::SharedWord;
use cushmem_numbers::mixed;
use std::sync::atomic::Ordering;

/// Bits of the seal that are those of the number.
const BITS: u32 = 16;

/// Puts the seal of the message with this number into its last word.
#[inline]
pub(crate) fn sealed<const N: usize>(number: u64, mut words: [u64; N]) -> [u64; N] {
    words[N - 1] = seal(number, &words);
    words
}

/// The message with this number, unless a part of it is still that of an earlier one.
#[inline]
pub(crate) fn unsealed<W: SharedWord, const N: usize>(number: u64, words: [&W; N]) -> Option<[u64; N]> {
    // SYNC(net-target) acquire: pairs with the network's release of what it stores, or with that of the PE that stored
    // the message. What the sender knew to have arrived before it sent the message is visible.
    let load = |word: &W| word.load(Ordering::Acquire);
    if (load(words[N - 1]) ^ number) << (u64::BITS - BITS) != 0 {
        return None;
    }
    let words = words.map(load);
    (words[N - 1] == seal(number, &words)).then_some(words)
}

/// A flag for which PEs of other nodes wait, where they wait for it, or where its sender has written it to put it from
/// there: its head, a seal, and words of data behind these two. The head is the flag's value and, in the lower 16 bits,
/// the number of words. Values grow, so the value is the number of the message. The seal has 64 bits, because a reader
/// may look at a long message many times before all of it has arrived.
#[derive(Clone, Copy)]
pub(crate) struct SealedFlag<'a, W> {
    pub(crate) head: &'a W,
    pub(crate) seal: &'a W,
    /// As many words of data as it may bring.
    pub(crate) data: &'a [W],
}

impl<W: SharedWord> SealedFlag<'_, W> {
    /// Writes the flag that brings so many words of data, which its sender has written.
    #[inline]
    pub(crate) fn seal(&self, value: u64, words: usize) {
        // Relaxed: only the sender uses these words, and the network, to which they are posted behind this.
        let data = self.data[..words].iter().map(|word| word.load(Ordering::Relaxed));
        self.seal.store(flag_seal(head(value, words), data), Ordering::Relaxed);
        self.head.store(head(value, words), Ordering::Relaxed);
    }

    /// The flag's value if it is at least this one, unless a part of it, or of the data that it brings, is still that
    /// of an earlier one.
    #[inline]
    pub(crate) fn reached(&self, least: u64) -> Option<u64> {
        // SYNC(net-target) acquire: as in `unsealed`.
        let load = |word: &W| word.load(Ordering::Acquire);
        let head = load(self.head);
        let (value, words) = (head >> BITS, head & ((1 << BITS) - 1));
        if value < least {
            return None;
        }
        let data = self.data.get(..words as usize)?;
        (load(self.seal) == flag_seal(head, data.iter().map(load))).then_some(value)
    }
}

/// The message of a flag without data.
pub(crate) fn flag_alone(value: u64) -> [u64; 2] {
    [head(value, 0), flag_seal(head(value, 0), [].into_iter())]
}

#[inline]
fn head(value: u64, words: usize) -> u64 {
    debug_assert!(value >> (u64::BITS - BITS) == 0 && words >> BITS == 0, "{value}, {words} words");
    value << BITS | words as u64
}

/// The seal of a flag with this head and these data. They are summed up in rows, which a processor computes side by
/// side.
#[inline]
fn flag_seal(head: u64, data: impl Iterator<Item = u64>) -> u64 {
    const ROWS: usize = 4;
    let mut rows = [mixed(head); ROWS];
    for (index, word) in data.enumerate() {
        let row = &mut rows[index % ROWS];
        // One to one, so no single word can differ. The rotation takes high bits to where the product spreads them.
        *row = (*row ^ word).rotate_left(29).wrapping_mul(ODD);
    }
    rows.iter().fold(head, |sum, row| mixed(sum ^ row))
}

/// An odd number whose bits look random.
const ODD: u64 = mixed(0) | 1;

#[inline]
fn seal<const N: usize>(number: u64, words: &[u64; N]) -> u64 {
    let sum = words[..N - 1].iter().fold(mixed(number), |sum, word| mixed(sum ^ word));
    sum << BITS | number & ((1 << BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    fn read<const N: usize>(number: u64, words: [u64; N]) -> Option<[u64; N]> {
        let words = words.map(AtomicU64::new);
        unsealed(number, words.each_ref())
    }

    /// Catches a message that is believed while some of its bytes are those of the message that was there before, or
    /// zeros.
    #[test]
    fn a_message_is_believed_when_all_its_bytes_have_arrived() {
        for number in [1, 7, 256, 1 << 16, u64::MAX] {
            let new = sealed(number, [number, u64::MAX, 9, 0]);
            assert_eq!(read(number, new), Some(new));
            for other in [number.wrapping_sub(256), number.wrapping_sub(1 << 16), number ^ 1] {
                assert_eq!(read(other, new), None);
                for old in [sealed(other, [other, 5, 9, 0]), [0; 4]] {
                    // Each way in which some of the bytes are there that differ.
                    let differ: Vec<usize> =
                        (0..32).filter(|byte| (new[byte / 8] ^ old[byte / 8]) >> (byte % 8 * 8) & 0xff != 0).collect();
                    for missing in 0..differ.len() {
                        for most in [1, missing + 1] {
                            let mut torn = new;
                            for byte in differ[missing..].iter().take(most) {
                                let bits = 0xff << (byte % 8 * 8);
                                torn[byte / 8] = torn[byte / 8] & !bits | old[byte / 8] & bits;
                            }
                            assert_eq!(read(number, torn), None, "{number}, {missing}, {most}");
                        }
                    }
                }
            }
        }
    }

    fn of(words: &[AtomicU64]) -> SealedFlag<'_, AtomicU64> {
        SealedFlag { head: &words[0], seal: &words[1], data: &words[2..] }
    }

    /// What a put of a flag with these data leaves in memory that has all these words.
    fn put(into: &[u64], value: u64, data: &[u64]) -> Vec<u64> {
        let mut arrived = into.to_vec();
        arrived[2..2 + data.len()].copy_from_slice(data);
        let arrived: Vec<_> = arrived.into_iter().map(AtomicU64::new).collect();
        of(&arrived).seal(value, data.len());
        arrived.into_iter().map(AtomicU64::into_inner).collect()
    }

    fn reached(words: &[u64], least: u64) -> Option<u64> {
        let words: Vec<_> = words.iter().copied().map(AtomicU64::new).collect();
        of(&words).reached(least)
    }

    /// Catches a flag that is believed while some of its bytes, or of the data that it brings, are those of the one
    /// before, or zeros.
    #[test]
    fn a_flag_is_believed_when_all_its_bytes_have_arrived() {
        const MOST: usize = 40;
        let data =
            |value: u64, words: usize| (0..words as u64).map(|word| mixed(value << 8 | word)).collect::<Vec<_>>();
        for (value, words) in [(1, 0), (2, 1), (255, 3), (256, 8), ((1 << 48) - 1, 2), (7, MOST)] {
            let empty = vec![0; MOST + 2];
            let before = |words| put(&empty, value - 1, &data(value - 1, words));
            for old in [empty.clone(), before(words), before(MOST)] {
                let new = put(&old, value, &data(value, words));
                assert_eq!(reached(&new, value), Some(value));
                assert!(words > 0 || new[..2] == flag_alone(value));
                assert_eq!(reached(&old, value), None);
                let differs = |byte: &usize| (new[byte / 8] ^ old[byte / 8]) >> (byte % 8 * 8) & 0xff != 0;
                for byte in (0..8 * (words + 2)).filter(differs) {
                    let bits = 0xff << (byte % 8 * 8);
                    let with = |most: &[u64], one: &[u64]| {
                        let mut torn = most.to_vec();
                        torn[byte / 8] = torn[byte / 8] & !bits | one[byte / 8] & bits;
                        reached(&torn, value)
                    };
                    assert_eq!(with(&new, &old), None, "{value}, {words} words, byte {byte} is missing");
                    assert_eq!(with(&old, &new), None, "{value}, {words} words, only byte {byte} has arrived");
                }
            }
        }
    }

    /// Catches a seal in which the same change of two words cancels out, such as that of two signs.
    #[test]
    fn two_missing_words_are_missed() {
        const WORDS: usize = 24;
        for bit in [0, 1, 31, 62, 63] {
            let [old, data] = [[3_u64; WORDS], [3 ^ 1 << bit; WORDS]];
            let old = put(&[0; WORDS + 2], 1, &old);
            let new = put(&old, 2, &data);
            for first in 2..WORDS + 2 {
                for second in first + 1..WORDS + 2 {
                    let mut torn = new.clone();
                    (torn[first], torn[second]) = (old[first], old[second]);
                    assert_eq!(reached(&torn, 2), None, "bit {bit} of the words {first} and {second}");
                }
            }
        }
    }
}

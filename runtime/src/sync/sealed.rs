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

/// The words of the longest message with a flag, which one put carries.
pub(crate) const FLAG_WORDS: usize = 8;
/// The maximum number of words of data that a flag brings.
pub(crate) const MOST_BESIDE: usize = FLAG_WORDS - 2;

/// A flag for which PEs of other nodes wait, as one message: its value, its seal, and at most [`MOST_BESIDE`] words
/// that are stored behind these two. Values grow, so the value is the number of the message.
pub(crate) struct FlagMessage {
    words: [u64; FLAG_WORDS],
    length: usize,
}

impl FlagMessage {
    pub(crate) fn new(value: u64, beside: impl Iterator<Item = u64>) -> Self {
        let (mut words, mut length) = ([value, mixed(value), 0, 0, 0, 0, 0, 0], 2);
        for word in beside {
            words[length] = word;
            words[1] = mixed(words[1] ^ word);
            length += 1;
        }
        Self { words, length }
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words[..self.length]
    }
}

/// A flag, in the memory where PEs of other nodes put it.
#[derive(Clone, Copy)]
pub(crate) struct SealedFlag<'a, W> {
    pub(crate) value: &'a W,
    pub(crate) seal: &'a W,
    /// The words of data that it may have brought.
    pub(crate) beside: &'a [W],
}

impl<W: SharedWord> SealedFlag<'_, W> {
    /// What a put of the flag leaves, without data.
    #[cfg(test)]
    pub(crate) fn put(&self, value: u64) {
        self.value.store(value, Ordering::Release);
        self.seal.store(mixed(value), Ordering::Release);
    }

    /// The flag's value if it is at least this one, unless a part of it, or of the data that it brings, is still that
    /// of an earlier one. The message does not say how many words it has, so each number of them is tried.
    #[inline]
    pub(crate) fn reached(&self, least: u64) -> Option<u64> {
        // SYNC(net-target) acquire: as in `unsealed`.
        let load = |word: &W| word.load(Ordering::Acquire);
        let value = load(self.value);
        if value < least {
            return None;
        }
        let (mut sum, seal) = (mixed(value), load(self.seal));
        let mut words = self.beside.iter();
        while sum != seal {
            sum = mixed(sum ^ load(words.next()?));
        }
        Some(value)
    }
}

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
        SealedFlag { value: &words[0], seal: &words[1], beside: &words[2..] }
    }

    /// Catches a flag that is believed while some of its bytes, or of the data that it brings, are those of the one
    /// before, or zeros.
    #[test]
    fn a_flag_is_believed_when_all_its_bytes_have_arrived() {
        let words_of = |value: u64, beside: usize| {
            let data = (0..beside as u64).map(|word| mixed(value << 8 | word));
            FlagMessage::new(value, data).words
        };
        for (value, beside) in [(1, 0), (2, 1), (255, 3), (256, MOST_BESIDE), (u64::MAX, 2)] {
            let (new, length) = (words_of(value, beside), beside + 2);
            for old in [[0; FLAG_WORDS], words_of(value - 1, beside), words_of(value - 1, MOST_BESIDE)] {
                let mut arrived = old;
                arrived[..length].copy_from_slice(&new[..length]);
                let read = |words: [u64; FLAG_WORDS], least| of(&words.map(AtomicU64::new)).reached(least);
                assert_eq!(read(arrived, value), Some(value));
                assert_eq!(read(old, value), None);
                for byte in (0..8 * length).filter(|byte| (new[byte / 8] ^ old[byte / 8]) >> (byte % 8 * 8) & 0xff != 0)
                {
                    let bits = 0xff << (byte % 8 * 8);
                    let mut torn = arrived;
                    torn[byte / 8] = torn[byte / 8] & !bits | old[byte / 8] & bits;
                    assert_eq!(read(torn, value), None, "{value}, {beside} words, byte {byte} is missing");
                    let mut torn = old;
                    torn[byte / 8] = torn[byte / 8] & !bits | new[byte / 8] & bits;
                    assert_eq!(read(torn, value), None, "{value}, {beside} words, only byte {byte} has arrived");
                }
            }
        }
    }
}

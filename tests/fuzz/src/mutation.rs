//! How inputs are changed: bits and bytes, numbers at the borders of what fits, parts that are cut off, removed,
//! repeated, or taken from other inputs, and words that the parser knows. Half of the time, lengths are corrected, so
//! that what grew is read.

use cushmem_numbers::Random;

/// The most changes of an input.
const MOST_CHANGES: usize = 4;
/// The longest part that is moved at once is two to the power of one less than this.
const PART_BITS: usize = 9;
/// How often a part is repeated at most: two to the power of one less than this.
const REPEAT_BITS: usize = 16;

/// How far before a place there may be a length that includes it.
const LENGTHS_BEFORE: usize = 40;

/// What inputs are made of.
pub(crate) struct Mutation<'a> {
    pub(crate) corpus: &'a [Vec<u8>],
    pub(crate) tokens: &'a [Vec<u8>],
    pub(crate) most_bytes: usize,
}

impl Mutation<'_> {
    /// An input of the corpus that was changed.
    pub(crate) fn bytes(&self, random: &mut Random) -> Vec<u8> {
        let bytes = if self.corpus.is_empty() { vec![] } else { random.one_of(self.corpus).clone() };
        self.changed(bytes, random)
    }

    fn changed(&self, mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
        for _ in 0..=random.below(MOST_CHANGES) {
            self.change(&mut bytes, random);
            bytes.truncate(self.most_bytes);
        }
        bytes
    }

    /// Messages of the corpus in another order, some of them changed. `parts` are the inputs of the corpus.
    pub(crate) fn messages(&self, parts: &[Vec<Vec<u8>>], random: &mut Random) -> Vec<Vec<u8>> {
        let mut messages = if parts.is_empty() { vec![] } else { random.one_of(parts).clone() };
        for _ in 0..=random.below(MOST_CHANGES) {
            let at = random.below(messages.len() + 1);
            match random.below(6) {
                0 => messages.truncate(at),
                1 if at < messages.len() => drop(messages.remove(at)),
                2 if !self.corpus.is_empty() => messages.insert(at, random.one_of(self.corpus).clone()),
                3 if at < messages.len() => {
                    let other = random.below(messages.len());
                    messages.swap(at, other);
                }
                4 if at < messages.len() => messages.insert(at, messages[at].clone()),
                _ if at < messages.len() => messages[at] = self.changed(std::mem::take(&mut messages[at]), random),
                _ => {}
            }
        }
        messages
    }

    fn change(&self, bytes: &mut Vec<u8>, random: &mut Random) {
        let at = random.below(bytes.len() + 1);
        match random.below(10) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 if at < bytes.len() => bytes[at] = random.bits() as u8,
            3 | 4 => set_number(bytes, at, random),
            5 => drop(bytes.drain(part(bytes, at, random))),
            6 => {
                let part = bytes[part(bytes, at, random)].to_vec();
                let most = self.most_bytes.saturating_sub(bytes.len()) / part.len().max(1);
                let times = mostly_small(REPEAT_BITS, random).min(most);
                let grown = part.repeat(times);
                insert(bytes, at, &grown);
                if random.below(2) == 0 {
                    correct_lengths(bytes, at, grown.len());
                }
            }
            7 if !self.corpus.is_empty() => {
                // The end of another input, or a part of it.
                let other = random.one_of(self.corpus);
                let from = random.below(other.len() + 1);
                if random.below(2) == 0 {
                    bytes.truncate(at);
                    bytes.extend(&other[from..]);
                } else {
                    insert(bytes, at, &other[part(other, from, random)]);
                }
            }
            8 if !self.tokens.is_empty() => insert(bytes, at, random.one_of::<Vec<u8>>(self.tokens)),
            _ => {
                let some: Vec<u8> = (0..1 + random.below(8)).map(|_| random.bits() as u8).collect();
                insert(bytes, at, &some);
            }
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, part: &[u8]) {
    bytes.splice(at..at, part.iter().copied());
}

/// Adds to the numbers before a place what was inserted there, if they are the lengths of parts that include it, or the
/// number of their items of four bytes.
fn correct_lengths(bytes: &mut [u8], at: usize, inserted: usize) {
    for start in at.saturating_sub(LENGTHS_BEFORE)..at.saturating_sub(size_of::<u32>() - 1) {
        let Some((number, rest)) = bytes[start..].split_first_chunk_mut() else { return };
        let (old, end) = (u32::from_le_bytes(*number) as usize, rest.len() - inserted);
        let before = at - start - number.len();
        for (item, place) in [(1, old), (4, old.saturating_mul(4))] {
            if old > 0 && (before..=end).contains(&place) && inserted.is_multiple_of(item) {
                *number = ((old + inserted / item) as u32).to_le_bytes();
                break;
            }
        }
    }
}

/// A number from 1 to two to the power of one less than this.
fn mostly_small(bits: usize, random: &mut Random) -> usize {
    let bits = random.below(bits);
    1 + random.below(1 << bits)
}

/// A part of the bytes that begins there. Most are short.
fn part(bytes: &[u8], at: usize, random: &mut Random) -> std::ops::Range<usize> {
    let length = mostly_small(PART_BITS, random);
    at..bytes.len().min(at + length)
}

/// Writes a number at a border of its type, of what follows, or near the one that is there.
fn set_number(bytes: &mut [u8], at: usize, random: &mut Random) {
    let width = 1 << random.below(4);
    let Some(number) = bytes.get_mut(at..at + width) else { return };
    let mut old = [0; 8];
    old[..width].copy_from_slice(number);
    let (old, rest) = (u64::from_le_bytes(old), (bytes.len() - at - width) as u64);
    let max = u64::MAX >> (64 - 8 * width);
    let near = if random.below(2) == 0 { old } else { rest };
    let new = match random.below(8) {
        0 => 0,
        1 => 1,
        2 => max,
        3 => max - 1,
        4 => max / 2 + random.below(2) as u64,
        5 => 1 << random.below(8 * width),
        _ => near.wrapping_add(random.below(9) as u64).wrapping_sub(4),
    };
    bytes[at..at + width].copy_from_slice(&new.to_le_bytes()[..width]);
}

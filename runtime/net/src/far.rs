//! What a provider that reaches memory by keys knows of the memory of peers.

use crate::column::Column;
use crate::pieces::{Piece, Regions, Ways, wrong_card};

/// The endpoints of a process: the one for puts and gets, and the one for atomic operations if there is one.
pub(crate) const ENDPOINTS: usize = 2;

/// One word of a card.
const WORD: usize = 8;

/// Where an operation takes effect.
#[derive(Clone, Copy)]
pub(crate) struct There {
    pub(crate) peer: u32,
    pub(crate) address: u64,
    pub(crate) key: u64,
}

/// The memory of peers.
#[derive(Default)]
pub(crate) struct Far {
    regions: Regions<Columns>,
    recent: Recent,
}

/// How to reach a piece, by endpoint: the address to use for its first byte, and the key.
type Way = [(u64, u64); ENDPOINTS];

/// The ways to the pieces of many peers: addresses and keys for the first endpoint, and by which bits those for the
/// second differ. Most providers let this process choose one key for both.
#[derive(Default)]
struct Columns {
    first: (Column, Column),
    difference: (Column, Column),
}

/// The pieces that were used last, each at the index that its peer and region give. Most operations use one of few, and
/// need not look for it among all.
struct Recent([Known; RECENT]);

/// How many there are.
const RECENT: usize = 32;

/// A piece that was used.
#[derive(Clone, Copy, Default)]
struct Known {
    peer: u32,
    region: u32,
    at: u64,
    /// 0 if there is none.
    bytes: u64,
    way: Way,
}

impl Ways for Columns {
    type Way = Way;

    fn insert(&mut self, place: usize, [(address, key), (other_address, other_key)]: Way) {
        self.first.0.insert(place, address);
        self.first.1.insert(place, key);
        self.difference.0.insert(place, address ^ other_address);
        self.difference.1.insert(place, key ^ other_key);
    }
}

impl Columns {
    fn get(&self, place: usize) -> Way {
        let (address, key) = (self.first.0.get(place), self.first.1.get(place));
        let (address_bits, key_bits) = (self.difference.0.get(place), self.difference.1.get(place));
        [(address, key), (address ^ address_bits, key ^ key_bits)]
    }
}

impl Default for Recent {
    fn default() -> Self {
        Self([Known::default(); RECENT])
    }
}

impl Recent {
    fn index(peer: u32, region: u32) -> usize {
        // A few regions of one PE, or the same region of a few, have places of their own.
        (peer.wrapping_mul(5).wrapping_add(region)) as usize % RECENT
    }

    /// The piece that has the byte at an offset, if it was used last at its index.
    fn find(&self, peer: u32, region: u32, at: u64) -> Option<&Known> {
        let known = &self.0[Self::index(peer, region)];
        (known.peer == peer && known.region == region && at.wrapping_sub(known.at) < known.bytes).then_some(known)
    }

    fn note(&mut self, known: Known) {
        self.0[Self::index(known.peer, known.region)] = known;
    }
}

impl Far {
    /// Learns a piece of a peer from its card, which `endpoints` endpoints made.
    pub(crate) fn learn(&mut self, peer: u32, key: (u32, u32), card: &[u8], endpoints: usize) -> Result<(), String> {
        let (region, number) = key;
        let wrong = |why: String| wrong_card((peer, region), number, &why);
        let expected = WORD * (2 + 2 * endpoints);
        if card.len() != expected {
            return Err(wrong(format!("has {} bytes instead of {expected}", card.len())));
        }
        let words: Vec<u64> = card.as_chunks::<WORD>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let (at, bytes) = (words[0], words[1]);
        let mut way = [(0, 0); ENDPOINTS];
        for (end, pair) in way.iter_mut().zip(words[2..].chunks(2)) {
            *end = (pair[0], pair[1]);
        }
        if let Some((start, _)) = way.iter().find(|(start, _)| start.checked_add(bytes).is_none()) {
            return Err(wrong(format!("describes an impossible range: {bytes} bytes at address {start}")));
        }
        self.regions.learn(region, Piece { peer, number, at, bytes, way })
    }

    pub(crate) fn forget(&mut self, key: (u32, u32)) {
        self.regions.forget(key.0, key.1);
        self.recent = Recent::default();
    }

    /// Whether all bytes of an operation are in pieces that are known.
    pub(crate) fn check(&self, peer: u32, region: u32, at: u64, bytes: usize) -> Result<(), String> {
        match self.recent.find(peer, region, at) {
            Some(known) if bytes as u64 <= known.bytes - (at - known.at) => Ok(()),
            _ => self.regions.check((peer, region), at, bytes),
        }
    }

    /// Where bytes of an operation, which was checked, lie for an endpoint, and how many of them lie there in one
    /// piece.
    pub(crate) fn find(
        &mut self,
        peer: u32,
        region: u32,
        at: u64,
        bytes: usize,
        which: usize,
    ) -> Option<(There, usize)> {
        let known = match self.recent.find(peer, region, at) {
            Some(known) => *known,
            None => {
                let piece = self.regions.holding((peer, region), at)?;
                let (ways, place) = piece.way();
                let known = Known { peer, region, at: piece.at, bytes: piece.bytes, way: ways.get(place) };
                self.recent.note(known);
                known
            }
        };
        let (base, key) = known.way[which];
        let inside = at - known.at;
        // The piece may have been forgotten.
        if inside >= known.bytes && bytes > 0 {
            return None;
        }
        Some((There { peer, address: base + inside, key }, bytes.min((known.bytes - inside) as usize)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn card(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn cards_of_a_wrong_length_or_range_are_refused() {
        let mut far = Far::default();
        let mut refused = |words: &[u64]| far.learn(3, (1, 0), &card(words), 1).expect_err("it is wrong");
        let why = refused(&[0, 100, 0]);
        assert_eq!(why, "the card of piece 0 of region 1 of peer 3 has 24 bytes instead of 32");
        assert!(refused(&[0, 100, 0, 7, 0, 8]).ends_with("has 48 bytes instead of 32"));
        assert!(refused(&[]).ends_with("has 0 bytes instead of 32"));
        for words in [[0, 0, 0, 7], [u64::MAX, 2, 0, 7], [0, 2, u64::MAX, 7]] {
            assert!(refused(&words).contains("an impossible range"), "{words:?}");
        }
        assert_eq!(far.check(3, 1, 0, 1), Err("region 1 is not registered".to_owned()));
    }

    #[test]
    fn each_piece_has_its_own_address_and_key() {
        let mut far = Far::default();
        far.learn(3, (1, 1), &card(&[100, 50, 0, 8]), 1).expect("the second");
        far.learn(3, (1, 0), &card(&[0, 100, 4096, 7]), 1).expect("the first");
        assert_eq!(far.check(3, 1, 90, 60), Ok(()));
        let mut found = |at, bytes| {
            let (there, here) = far.find(3, 1, at, bytes, 0).expect("it is there");
            (there.address, there.key, here)
        };
        assert_eq!(found(90, 60), (4186, 7, 10));
        assert_eq!(found(100, 50), (0, 8, 50));
        far.forget((1, 1));
        assert!(far.check(3, 1, 90, 60).is_err());
        assert!(far.find(3, 1, 100, 50, 0).is_none(), "the rest of an operation whose piece was forgotten");
    }

    /// Catches a piece that stays in use when it was forgotten and another one has its bytes, and the piece of one peer
    /// or region that is taken for another's at the same index.
    #[test]
    fn what_was_used_last_is_not_taken_for_something_else() {
        let mut far = Far::default();
        let peers = 3 * RECENT as u32;
        for round in 0..2 {
            for (peer, region) in (0..peers).flat_map(|peer| [(peer, 0), (peer, 1)]) {
                let way = [u64::from(peer), u64::from(region + 10 * round)];
                far.learn(peer, (region, 0), &card(&[8, 8, way[0], way[1]]), 1).expect("it is new");
            }
            for (peer, region) in (0..peers).flat_map(|peer| [(peer, 0), (peer, 1), (peer, 0)]) {
                for (at, left) in [(8, 8), (15, 1)] {
                    assert_eq!(far.check(peer, region, at, left), Ok(()));
                    assert!(far.check(peer, region, at, left + 1).is_err());
                    let (there, here) = far.find(peer, region, at, 8, 0).expect("it is there");
                    let expected = (u64::from(peer) + at - 8, u64::from(region + 10 * round), left);
                    assert_eq!((there.address, there.key, here), expected);
                }
                assert!(far.check(peer, region, 7, 1).is_err() && far.check(peer, region, 16, 1).is_err());
                assert!(far.find(peer, region, 16, 1, 0).is_none());
            }
            [0, 1].into_iter().for_each(|region| far.forget((region, 0)));
            assert!(far.check(0, 0, 8, 1).is_err() && far.find(0, 0, 8, 1, 0).is_none());
        }
    }

    /// What a PE of a large job knows of each other one: a piece of the control area, two of the host heap, one of the
    /// globals. Providers differ in whether this process chooses the keys, whether these are long, and in whether
    /// memory has addresses.
    #[test]
    fn a_peer_that_is_not_used_costs_at_most_64_bytes() {
        const PEERS: u64 = 4096;
        let random = |seed: u64| (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bytes = |ways: &dyn Fn(u64) -> [u64; 4]| {
            let mut far = Far::default();
            for (region, piece) in [(0, 0), (1, 0), (1, 1), (2, 0)] {
                for peer in 0..PEERS {
                    let range = [u64::from(piece) << 23, 1 << 23];
                    let seed = peer + PEERS * u64::from(2 * region + piece);
                    let card = card(&[&range[..], &ways(seed)].concat());
                    far.learn(peer as u32, (region, piece), &card, 2).expect("it is new");
                }
            }
            far.regions.bytes(|ways| {
                let Columns { first, difference } = ways;
                [&first.0, &first.1, &difference.0, &difference.1].map(Column::bytes).iter().sum()
            }) as u64
                / PEERS
        };
        let offsets = |seed| [0, random(seed), 0, random(seed)];
        assert!((32..=33).contains(&bytes(&offsets)), "tcp: {}", bytes(&offsets));
        let address = |seed| (random(seed) >> 17) & !4095;
        let addresses = |seed| [address(seed), random(seed), address(seed), random(seed)];
        assert!(bytes(&addresses) <= 66, "shm: {}", bytes(&addresses));
        let short = |seed| [address(seed), random(seed) >> 32, address(seed), random(seed + (1 << 20)) >> 32];
        assert!(bytes(&short) <= 66, "keys of the provider: {}", bytes(&short));
    }
}

#[cfg(test)]
mod fuzz {
    use super::tests::card;
    use super::*;
    use cushmem_fuzz::{Parser, is_one_line};

    /// Several cards of pieces of one region, of two peers. Each has the number of the piece and of the peer in front.
    #[test]
    fn ofi_cards() {
        let numbered = |number: u8, words: &[u64]| [&[number], &card(words)[..]].concat();
        let two = [numbered(0, &[0, 100, 4096, 7]), numbered(1, &[100, 50, 0, 8]), numbered(16, &[0, 9, 1, 2])];
        let parser = Parser::new("ofi_cards", env!("CARGO_PKG_NAME"));
        parser.messages("two_peers", &two).run_messages(|messages| {
            let mut far = Far::default();
            for message in messages {
                let Some((number, card)) = message.split_first() else { continue };
                let (peer, piece) = (u32::from(number >> 4) % 2, u32::from(number & 3));
                match far.learn(peer, (1, piece), card, 1) {
                    Ok(()) => {
                        let at = u64::from_le_bytes(*card.first_chunk().expect("a word"));
                        assert_eq!(far.check(peer, 1, at, 1), Ok(()));
                        let (_, here) = far.find(peer, 1, at, usize::MAX, 0).expect("it is there");
                        assert!(here > 0 && far.check(peer, 1, at, here).is_ok());
                    }
                    Err(why) => is_one_line(&why, card),
                }
            }
        });
    }
}

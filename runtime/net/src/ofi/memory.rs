//! Memory that this process lets peers use, and what it knows of theirs.

use crate::fabric::Local;
use crate::ofi::endpoint::{Endpoint, Here, Purpose, Registered, There};
use crate::ofi::sys::{FI_MR_LOCAL, FI_MR_VIRT_ADDR};
use crate::pieces::{Piece, Regions, wrong_card};
use std::collections::HashMap;
use std::ptr::null_mut;

/// The endpoints of a process: the one for puts and gets, and the one for atomic operations if there is one.
pub(crate) const ENDPOINTS: usize = 2;

/// One word of a card.
const WORD: usize = 8;

/// The memory of this process.
#[derive(Default)]
pub(crate) struct Own {
    pieces: HashMap<(u32, u32), OwnPiece>,
}

struct OwnPiece {
    memory: Local,
    /// By endpoint.
    registered: Vec<Registered>,
}

/// The memory of peers.
#[derive(Default)]
pub(crate) struct Far {
    /// For each piece, by endpoint: the address to use for its first byte, and the key.
    regions: Regions<[(u64, u64); ENDPOINTS]>,
}

impl Own {
    /// Registers a piece with each endpoint, and returns its card.
    ///
    /// # Safety
    /// The memory is mapped until the piece is forgotten.
    pub(crate) unsafe fn register(
        &mut self,
        key: (u32, u32),
        memory: Local,
        endpoints: &mut [Endpoint],
    ) -> Result<Vec<u8>, String> {
        let (region, piece) = key;
        if self.pieces.contains_key(&key) {
            return Err(format!("piece {piece} of region {region} is registered already"));
        }
        let mut card: Vec<u8> = [memory.at, memory.bytes as u64].iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut registered = Vec::new();
        for endpoint in endpoints {
            // SAFETY: the caller guarantees the memory; `forget` drops the registration.
            let here = unsafe { endpoint.register(memory.address, memory.bytes, Purpose::Peers)? };
            let base = if endpoint.needs(FI_MR_VIRT_ADDR) { memory.address as u64 } else { 0 };
            card.extend(base.to_le_bytes());
            card.extend(here.key().to_le_bytes());
            registered.push(here);
        }
        self.pieces.insert(key, OwnPiece { memory, registered });
        Ok(card)
    }

    pub(crate) fn forget(&mut self, key: (u32, u32)) {
        self.pieces.remove(&key);
    }

    pub(crate) fn forget_all(&mut self) {
        self.pieces.clear();
    }

    /// The piece that has the byte at an address, and how many of these bytes it has.
    fn holding(&self, address: usize, bytes: usize) -> Option<(&OwnPiece, usize)> {
        let inside = |piece: &OwnPiece| address.checked_sub(piece.memory.address).filter(|at| *at < piece.memory.bytes);
        self.pieces.values().find_map(|piece| Some((piece, bytes.min(piece.memory.bytes - inside(piece)?))))
    }

    /// The local end of a transfer, of as many of the bytes as lie in one registration. If the provider wants one and
    /// the memory has none, it is registered for the transfer alone.
    ///
    /// # Safety
    /// The memory is mapped until the registration is dropped.
    pub(crate) unsafe fn local(
        &self,
        address: usize,
        bytes: usize,
        purpose: Purpose,
        which: usize,
        endpoint: &mut Endpoint,
    ) -> Result<(Here, Option<Registered>), String> {
        if !endpoint.needs(FI_MR_LOCAL) || bytes == 0 {
            return Ok((Here { address, bytes, desc: null_mut() }, None));
        }
        if let Some((piece, bytes)) = self.holding(address, bytes) {
            return Ok((Here { address, bytes, desc: piece.registered[which].desc() }, None));
        }
        // SAFETY: the caller guarantees the memory.
        let registered = unsafe { endpoint.register(address, bytes, purpose)? };
        Ok((Here { address, bytes, desc: registered.desc() }, Some(registered)))
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
    }

    /// Whether all bytes of an operation are in pieces that are known.
    pub(crate) fn check(&self, peer: u32, region: u32, at: u64, bytes: usize) -> Result<(), String> {
        self.regions.check((peer, region), at, bytes)
    }

    /// Where bytes of an operation, which was checked, lie for an endpoint, and how many of them lie there in one
    /// piece.
    pub(crate) fn find(&self, peer: u32, region: u32, at: u64, bytes: usize, which: usize) -> Option<(There, usize)> {
        let piece = self.regions.holding((peer, region), at)?;
        let (base, key) = piece.way[which];
        let inside = at - piece.at;
        // The piece may have been forgotten.
        if inside >= piece.bytes && bytes > 0 {
            return None;
        }
        Some((There { peer, address: base + inside, key }, bytes.min((piece.bytes - inside) as usize)))
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
        let found = |at, bytes| {
            let (there, here) = far.find(3, 1, at, bytes, 0).expect("it is there");
            (there.address, there.key, here)
        };
        assert_eq!(found(90, 60), (4186, 7, 10));
        assert_eq!(found(100, 50), (0, 8, 50));
        far.forget((1, 1));
        assert!(far.check(3, 1, 90, 60).is_err());
        assert!(far.find(3, 1, 100, 50, 0).is_none(), "the rest of an operation whose piece was forgotten");
    }

    /// Catches memory that is registered once more for each transfer, because its bytes lie in two pieces.
    #[test]
    fn a_local_end_is_cut_where_a_piece_ends() {
        let mut own = Own::default();
        for (number, address, bytes) in [(0, 1000, 100), (1, 1100, 50)] {
            let memory = Local { at: 0, address, bytes, file: None };
            own.pieces.insert((1, number), OwnPiece { memory, registered: Vec::new() });
        }
        let found = |address, bytes| own.holding(address, bytes).map(|(piece, here)| (piece.memory.address, here));
        assert_eq!(found(1000, 100), Some((1000, 100)));
        assert_eq!(found(1090, 60), Some((1000, 10)));
        assert_eq!(found(1100, 50), Some((1100, 50)));
        assert_eq!(found(1149, 9), Some((1100, 1)));
        assert_eq!((found(999, 50), found(1150, 1)), (None, None));
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

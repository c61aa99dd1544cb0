//! What a provider knows of the memory of peers. A region consists of pieces, which may be registered at different
//! times and lie at different addresses. An operation does not know where one ends.

use std::collections::HashMap;

/// A piece of a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<T> {
    pub(crate) number: u32,
    /// The offset in the region at which it starts.
    pub(crate) at: u64,
    /// Its length, at least 1.
    pub(crate) bytes: u64,
    /// How the provider reaches it.
    pub(crate) way: T,
}

impl<T> Piece<T> {
    fn end(&self) -> u64 {
        self.at + self.bytes
    }
}

/// A peer, and the number of its region.
pub(crate) type Key = (u32, u32);

/// The regions of peers that are known. Each has a piece.
pub(crate) struct Regions<T>(HashMap<Key, Vec<Piece<T>>>);

impl<T> Default for Regions<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// Says what is wrong with a card.
pub(crate) fn wrong_card((peer, region): Key, number: u32, why: &str) -> String {
    format!("the card of piece {number} of region {region} of peer {peer} {why}")
}

impl<T> Regions<T> {
    /// Adds a piece, if it has bytes and none of them belongs to another piece. Pieces are kept in the order of their
    /// offsets.
    pub(crate) fn learn(&mut self, key: Key, piece: Piece<T>) -> Result<(), String> {
        let Piece { number, at, bytes, .. } = piece;
        let Some(end) = at.checked_add(bytes).filter(|end| *end > at) else {
            let why = format!("describes an impossible range: {bytes} bytes at offset {at}");
            return Err(wrong_card(key, number, &why));
        };
        // Most regions have one piece, and there is one of each kind for each peer.
        let pieces = self.0.entry(key).or_insert_with(|| Vec::with_capacity(1));
        if let Some(other) = pieces.iter().find(|other| at < other.end() && other.at < end) {
            return Err(wrong_card(key, number, &format!("describes bytes that piece {} has", other.number)));
        }
        let place = pieces.partition_point(|other| other.at < at);
        pieces.insert(place, piece);
        Ok(())
    }

    /// Forgets a piece of all peers.
    pub(crate) fn forget(&mut self, region: u32, number: u32) {
        self.0.retain(|(_, other), pieces| {
            if *other == region {
                pieces.retain(|piece| piece.number != number);
            }
            !pieces.is_empty()
        });
    }

    /// Whether all bytes of an operation are in pieces that are known.
    pub(crate) fn check(&self, key: Key, at: u64, bytes: usize) -> Result<(), String> {
        let region = key.1;
        let pieces = self.0.get(&key).ok_or_else(|| format!("region {region} is not registered"))?;
        let outside = || {
            let valid: Vec<String> = pieces.iter().map(|piece| format!("{}..{}", piece.at, piece.end())).collect();
            let valid = valid.join(", ");
            format!("{bytes} bytes at offset {at} of region {region} are outside of the valid range {valid}")
        };
        let end = at.checked_add(bytes as u64).ok_or_else(outside)?;
        let mut reached = at;
        for piece in pieces.iter().filter(|piece| piece.end() >= at) {
            if piece.at > reached {
                break;
            }
            reached = reached.max(piece.end());
            if reached >= end {
                return Ok(());
            }
        }
        Err(outside())
    }

    /// The piece that has the byte at an offset, of an operation that was checked. If it has no bytes, a piece that
    /// ends there will do.
    pub(crate) fn holding(&self, key: Key, at: u64) -> Option<&Piece<T>> {
        let pieces = self.0.get(&key)?;
        pieces[..pieces.partition_point(|piece| piece.at <= at)].last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = (3, 7);

    fn piece(number: u32, at: u64, bytes: u64) -> Piece<()> {
        Piece { number, at, bytes, way: () }
    }

    #[test]
    fn operations_may_cross_from_a_piece_to_the_next() {
        let mut regions = Regions::default();
        for piece in [piece(1, 100, 50), piece(0, 0, 100), piece(2, 200, 50)] {
            regions.learn(KEY, piece).expect("it has its own bytes");
        }
        for (at, bytes) in [(90, 60), (0, 0), (0, 150), (150, 0), (149, 1), (200, 50), (250, 0)] {
            assert_eq!(regions.check(KEY, at, bytes), Ok(()), "{bytes} bytes at {at}");
        }
        for (at, bytes) in [(90, 61), (160, 1), (199, 2), (150, 1), (160, 0), (251, 0), (u64::MAX, 1)] {
            let why = regions.check(KEY, at, bytes).expect_err("it is outside");
            let valid = "0..100, 100..150, 200..250";
            assert_eq!(why, format!("{bytes} bytes at offset {at} of region 7 are outside of the valid range {valid}"));
        }
        let number_at = |at| regions.holding(KEY, at).map(|piece| piece.number);
        assert_eq!([0, 99, 100, 150, 249, 250].map(number_at), [0, 0, 1, 1, 2, 2].map(Some));
        regions.forget(7, 1);
        assert!(regions.check(KEY, 90, 60).is_err() && regions.check(KEY, 90, 10).is_ok());
        [0, 2].into_iter().for_each(|number| regions.forget(7, number));
        assert_eq!(regions.check(KEY, 0, 1), Err("region 7 is not registered".to_owned()));
    }

    #[test]
    fn pieces_have_bytes_of_their_own() {
        let mut regions = Regions::default();
        let mut refused = |number, at, bytes| regions.learn(KEY, piece(number, at, bytes)).err();
        assert_eq!(refused(4, 100, 50), None);
        for (at, bytes) in [(100, 50), (149, 1), (0, 101), (120, 10), (0, 1000)] {
            let why = "the card of piece 5 of region 7 of peer 3 describes bytes that piece 4 has";
            assert_eq!(refused(5, at, bytes).as_deref(), Some(why), "{bytes} bytes at {at}");
        }
        for (at, bytes) in [(0, 0), (u64::MAX, 2)] {
            let why = refused(5, at, bytes).expect("it is impossible");
            assert!(why.ends_with(&format!("describes an impossible range: {bytes} bytes at offset {at}")), "{why}");
        }
        assert_eq!((refused(5, 150, 1), refused(6, 99, 1)), (None, None));
    }
}

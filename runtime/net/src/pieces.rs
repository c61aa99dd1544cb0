//! What a provider knows of the memory of peers. A region consists of pieces, which may be registered at different
//! times and lie at different addresses. An operation does not know where one ends.

use std::collections::HashMap;

/// A piece of a region of a peer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<T> {
    pub(crate) peer: u32,
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

/// The regions of peers that are known, by number. Each has a piece. Most peers of a large job are never used, and this
/// is most of what they cost: nothing is allocated for a peer alone.
pub(crate) struct Regions<T>(HashMap<u32, Vec<Pieces<T>>>);

/// The pieces with one number, of all peers that have one, in the order of the peers.
struct Pieces<T>(Vec<Piece<T>>);

impl<T> Default for Regions<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// Says what is wrong with a card.
pub(crate) fn wrong_card((peer, region): Key, number: u32, why: &str) -> String {
    format!("the card of piece {number} of region {region} of peer {peer} {why}")
}

impl<T> Pieces<T> {
    /// Where the piece of a peer is, or would be. If all peers have one, it is where the peer's number says.
    fn place(&self, peer: u32) -> Result<usize, usize> {
        let likely = peer as usize;
        if self.0.get(likely).is_some_and(|piece| piece.peer == peer) {
            return Ok(likely);
        }
        self.0.binary_search_by_key(&peer, |piece| piece.peer)
    }

    fn of(&self, peer: u32) -> Option<&Piece<T>> {
        self.place(peer).ok().map(|place| &self.0[place])
    }

    fn insert(&mut self, place: usize, piece: Piece<T>) {
        if self.0.len() == self.0.capacity() {
            // A vector that grows by itself would have room for up to twice as many.
            self.0.reserve_exact(1 + self.0.len() / 8);
        }
        self.0.insert(place, piece);
    }
}

impl<T> Regions<T> {
    /// The pieces of a region, in no order.
    fn of(&self, (peer, region): Key) -> impl Iterator<Item = &Piece<T>> + Clone {
        self.0.get(&region).into_iter().flatten().filter_map(move |pieces| pieces.of(peer))
    }

    /// Adds a piece, if it has bytes and none of them belongs to another piece.
    pub(crate) fn learn(&mut self, region: u32, piece: Piece<T>) -> Result<(), String> {
        let Piece { peer, number, at, bytes, .. } = piece;
        let key = (peer, region);
        let Some(end) = at.checked_add(bytes).filter(|end| *end > at) else {
            let why = format!("describes an impossible range: {bytes} bytes at offset {at}");
            return Err(wrong_card(key, number, &why));
        };
        if let Some(other) = self.of(key).find(|other| at < other.end() && other.at < end) {
            return Err(wrong_card(key, number, &format!("describes bytes that piece {} has", other.number)));
        }
        let of_region = self.0.entry(region).or_insert_with(|| Vec::with_capacity(1));
        let same = of_region.iter().position(|pieces| pieces.0[0].number == number);
        let Some(pieces) = same else {
            of_region.push(Pieces(vec![piece]));
            return Ok(());
        };
        let Err(place) = of_region[pieces].place(peer) else {
            return Err(wrong_card(key, number, "is the second one"));
        };
        of_region[pieces].insert(place, piece);
        Ok(())
    }

    /// Forgets a piece of all peers.
    pub(crate) fn forget(&mut self, region: u32, number: u32) {
        if let Some(of_region) = self.0.get_mut(&region) {
            of_region.retain(|pieces| pieces.0[0].number != number);
            if of_region.is_empty() {
                self.0.remove(&region);
            }
        }
    }

    /// Whether all bytes of an operation are in pieces that are known.
    pub(crate) fn check(&self, key: Key, at: u64, bytes: usize) -> Result<(), String> {
        let (region, pieces) = (key.1, self.of(key));
        let outside = || {
            let mut valid: Vec<_> = pieces.clone().map(|piece| (piece.at, piece.end())).collect();
            valid.sort_unstable();
            let valid: Vec<String> = valid.iter().map(|(at, end)| format!("{at}..{end}")).collect();
            if valid.is_empty() {
                return format!("region {region} is not registered");
            }
            let valid = valid.join(", ");
            format!("{bytes} bytes at offset {at} of region {region} are outside of the valid range {valid}")
        };
        let end = at.checked_add(bytes as u64).ok_or_else(outside)?;
        let mut reached = at;
        loop {
            // No two pieces overlap, so the one that goes furthest has the byte, or ends there.
            let next = pieces.clone().filter(|piece| piece.at <= reached).map(Piece::end).max();
            match next {
                Some(next) if next >= end => return Ok(()),
                Some(next) if next > reached => reached = next,
                _ => return Err(outside()),
            }
        }
    }

    /// The piece that has the byte at an offset, of an operation that was checked. If it has no bytes, a piece that
    /// ends there will do.
    pub(crate) fn holding(&self, key: Key, at: u64) -> Option<&Piece<T>> {
        self.of(key).filter(|piece| piece.at <= at).max_by_key(|piece| piece.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = (3, 7);

    fn piece(number: u32, at: u64, bytes: u64) -> Piece<()> {
        Piece { peer: KEY.0, number, at, bytes, way: () }
    }

    #[test]
    fn operations_may_cross_from_a_piece_to_the_next() {
        let mut regions = Regions::default();
        for piece in [piece(1, 100, 50), piece(0, 0, 100), piece(2, 200, 50)] {
            regions.learn(KEY.1, piece).expect("it has its own bytes");
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
        let mut refused = |number, at, bytes| regions.learn(KEY.1, piece(number, at, bytes)).err();
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

    /// Catches pieces of one peer that are taken for another's, whichever peers have some and whoever comes first, and
    /// a second card of a piece.
    #[test]
    fn each_peer_has_its_own_pieces() {
        let mut regions = Regions::default();
        let peers = [9, 2, 70, 0, 1, 30];
        for number in [0, 1] {
            for peer in peers {
                let (at, bytes) = (u64::from(100 * number), 10 + u64::from(peer));
                regions.learn(7, Piece { peer, number, at, bytes, way: (peer, number) }).expect("it is new");
            }
        }
        for peer in 0..80 {
            let known = peers.contains(&peer);
            let way = |at| regions.holding((peer, 7), at).map(|piece| piece.way);
            assert_eq!([way(5), way(104)], [0, 1].map(|number| known.then_some((peer, number))), "{peer}");
            assert_eq!(regions.check((peer, 7), 100, 10 + peer as usize).is_ok(), known, "{peer}");
            assert!(regions.check((peer, 7), 100, 11 + peer as usize).is_err(), "{peer}");
        }
        let again = regions.learn(7, Piece { peer: 30, number: 1, at: 500, bytes: 1, way: (30, 1) });
        assert_eq!(again, Err("the card of piece 1 of region 7 of peer 30 is the second one".to_owned()));
        regions.forget(7, 1);
        assert!(regions.check((30, 7), 100, 1).is_err() && regions.check((30, 7), 0, 1).is_ok());
    }

    /// Catches what is allocated for each peer of a large job: a piece costs its own bytes and little room for more.
    #[test]
    fn a_peer_that_is_not_used_costs_a_piece() {
        type Way = [(u64, u64); 2];
        let mut regions = Regions::default();
        for peer in 0..5000 {
            regions.learn(7, Piece { peer, number: 0, at: 0, bytes: 1, way: Way::default() }).expect("it is new");
        }
        let room: usize = regions.0[&7].iter().map(|pieces| pieces.0.capacity()).sum();
        assert!(room * size_of::<Piece<Way>>() <= 5000 * 64, "{room} pieces of {} bytes", size_of::<Piece<Way>>());
    }
}

//! What a provider knows of the memory of peers. A region consists of pieces, which may be registered at different
//! times and lie at different addresses. An operation does not know where one ends.

use crate::column::{Column, insert};
use rustc_hash::FxHashMap;

/// A piece of a region of a peer, to be added.
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

/// A piece that is known.
pub(crate) struct Found<'a, W> {
    pub(crate) number: u32,
    /// The offset in the region at which it starts.
    pub(crate) at: u64,
    pub(crate) bytes: u64,
    ways: &'a W,
    place: usize,
}

/// How a provider reaches the pieces with one number of all peers, by place.
pub(crate) trait Ways: Default {
    /// How it reaches one.
    type Way;

    /// Puts a way in front of the one that has this place, or behind all.
    fn insert(&mut self, place: usize, way: Self::Way);
}

/// A peer, and the number of its region.
pub(crate) type Key = (u32, u32);

/// The regions of peers that are known, by number. Each has a piece. Most peers of a large job are never used, and this
/// is most of what they cost: nothing is allocated for a peer alone, and what is the same for all is there once.
pub(crate) struct Regions<W>(FxHashMap<u32, Vec<Pieces<W>>>);

/// The pieces with one number, of all peers that have one, in the order of the peers. A heap grows by the same bytes on
/// all PEs, and globals are those of the same program, so most columns have one number.
struct Pieces<W> {
    number: u32,
    peers: Peers,
    at: Column,
    bytes: Column,
    ways: W,
}

/// Which peers have a piece, in their order.
enum Peers {
    /// All below this one.
    Below(usize),
    These(Vec<u32>),
}

impl<T> Ways for Vec<T> {
    type Way = T;

    fn insert(&mut self, place: usize, way: T) {
        insert(self, place, way);
    }
}

impl<W> Default for Regions<W> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<W> Clone for Found<'_, W> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, W> Found<'a, W> {
    fn end(&self) -> u64 {
        self.at + self.bytes
    }

    /// The ways to all pieces with this number, and the place of the way to this one.
    pub(crate) fn way(&self) -> (&'a W, usize) {
        (self.ways, self.place)
    }
}

/// Says what is wrong with a card.
pub(crate) fn wrong_card((peer, region): Key, number: u32, why: &str) -> String {
    format!("the card of piece {number} of region {region} of peer {peer} {why}")
}

impl Peers {
    /// Where a peer is, or would be.
    fn place(&self, peer: u32) -> Result<usize, usize> {
        match self {
            Self::Below(count) if (peer as usize) < *count => Ok(peer as usize),
            Self::Below(count) => Err(*count),
            Self::These(peers) => peers.binary_search(&peer),
        }
    }

    /// Inserts a peer where it would be.
    fn insert(&mut self, place: usize, peer: u32) {
        match self {
            Self::Below(count) if *count == peer as usize => *count += 1,
            Self::Below(count) => {
                let mut peers: Vec<u32> = (0..*count as u32).collect();
                insert(&mut peers, place, peer);
                *self = Self::These(peers);
            }
            Self::These(peers) => insert(peers, place, peer),
        }
    }
}

impl<W: Ways> Pieces<W> {
    fn of(&self, peer: u32) -> Option<Found<'_, W>> {
        let place = self.peers.place(peer).ok()?;
        let (at, bytes) = (self.at.get(place), self.bytes.get(place));
        Some(Found { number: self.number, at, bytes, ways: &self.ways, place })
    }

    /// Inserts a piece where it would be.
    fn insert(&mut self, place: usize, piece: Piece<W::Way>) {
        self.peers.insert(place, piece.peer);
        self.at.insert(place, piece.at);
        self.bytes.insert(place, piece.bytes);
        self.ways.insert(place, piece.way);
    }
}

impl<W: Ways> Regions<W> {
    /// The pieces of a region, in no order.
    fn of(&self, (peer, region): Key) -> impl Iterator<Item = Found<'_, W>> + Clone {
        self.0.get(&region).into_iter().flatten().filter_map(move |pieces| pieces.of(peer))
    }

    /// Adds a piece, if it has bytes and none of them belongs to another piece.
    pub(crate) fn learn(&mut self, region: u32, piece: Piece<W::Way>) -> Result<(), String> {
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
        let same = of_region.iter().position(|pieces| pieces.number == number);
        let index = same.unwrap_or_else(|| {
            let (at, bytes, ways) = (Column::default(), Column::default(), W::default());
            of_region.push(Pieces { number, peers: Peers::Below(0), at, bytes, ways });
            of_region.len() - 1
        });
        let Err(place) = of_region[index].peers.place(peer) else {
            return Err(wrong_card(key, number, "is the second one"));
        };
        of_region[index].insert(place, piece);
        Ok(())
    }

    /// Forgets a piece of all peers.
    pub(crate) fn forget(&mut self, region: u32, number: u32) {
        if let Some(of_region) = self.0.get_mut(&region) {
            of_region.retain(|pieces| pieces.number != number);
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
            let next = pieces.clone().filter(|piece| piece.at <= reached).map(|piece| piece.end()).max();
            match next {
                Some(next) if next >= end => return Ok(()),
                Some(next) if next > reached => reached = next,
                _ => return Err(outside()),
            }
        }
    }

    /// The piece that has the byte at an offset, of an operation that was checked. If it has no bytes, a piece that
    /// ends there will do.
    pub(crate) fn holding(&self, key: Key, at: u64) -> Option<Found<'_, W>> {
        self.of(key).filter(|piece| piece.at <= at).max_by_key(|piece| piece.at)
    }

    /// What all pieces take in memory, but for the few that have a peer's whole job in common.
    #[cfg(test)]
    pub(crate) fn bytes(&self, of_ways: impl Fn(&W) -> usize) -> usize {
        let of = |pieces: &Pieces<W>| {
            let peers = match &pieces.peers {
                Peers::Below(_) => 0,
                Peers::These(peers) => size_of::<u32>() * peers.capacity(),
            };
            peers + pieces.at.bytes() + pieces.bytes.bytes() + of_ways(&pieces.ways)
        };
        self.0.values().flatten().map(of).sum()
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
        let mut regions = Regions::<Vec<_>>::default();
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
        let mut regions = Regions::<Vec<_>>::default();
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
        [[9, 2, 70, 0, 1, 30], [0, 1, 2, 3, 70, 30], [0, 1, 5, 30, 3, 2]].into_iter().for_each(each_of);
    }

    fn each_of(peers: [u32; 6]) {
        let mut regions = Regions::<Vec<_>>::default();
        for number in [0, 1] {
            for peer in peers {
                let (at, bytes) = (u64::from(100 * number), 10 + u64::from(peer));
                regions.learn(7, Piece { peer, number, at, bytes, way: (peer, number) }).expect("it is new");
            }
        }
        for peer in 0..80 {
            let known = peers.contains(&peer);
            let way = |at| regions.holding((peer, 7), at).map(|piece| piece.way()).map(|(ways, place)| ways[place]);
            assert_eq!([way(5), way(104)], [0, 1].map(|number| known.then_some((peer, number))), "{peer}");
            assert_eq!(regions.check((peer, 7), 100, 10 + peer as usize).is_ok(), known, "{peer}");
            assert!(regions.check((peer, 7), 100, 11 + peer as usize).is_err(), "{peer}");
        }
        let again = regions.learn(7, Piece { peer: 30, number: 1, at: 500, bytes: 1, way: (30, 1) });
        assert_eq!(again, Err("the card of piece 1 of region 7 of peer 30 is the second one".to_owned()));
        regions.forget(7, 1);
        assert!(regions.check((30, 7), 100, 1).is_err() && regions.check((30, 7), 0, 1).is_ok());
    }
}

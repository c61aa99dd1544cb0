//! `--map`: the order in which PEs are assigned to the places of this machine.
//!
//! A *place* is the index of a PE among the PEs of its machine. It decides the PE's cores, its GPU, its virtual node
//! and its slot in the windows of memory. Everything else, from messages to exit statuses, goes by the PE's number.
//! Neighbouring places are close to each other: each NUMA node and each virtual node has a range of places.

use std::str::FromStr;

use cushmem_bootstrap::virtual_nodes::sizes;
use cushmem_numbers::Random;

/// The order in which PEs are assigned to places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Map {
    /// PE `p` has place `p`.
    Block,
    /// The numbers are dealt in turn to the virtual nodes; if there is only one, to the NUMA nodes; and if there is
    /// only one of those, to the two halves of the places.
    Cyclic,
    /// A permutation made from this seed.
    Random(u64),
}

impl FromStr for Map {
    type Err = String;

    fn from_str(text: &str) -> Result<Map, String> {
        match text.split_once(':') {
            None if text == "block" => Ok(Map::Block),
            None if text == "cyclic" => Ok(Map::Cyclic),
            Some(("random", seed)) => match seed.parse() {
                Ok(seed) => Ok(Map::Random(seed)),
                Err(_) => Err(format!("SEED '{seed}' is not a whole number from 0 to {}", u64::MAX)),
            },
            None if text == "random" => Err(format!("random needs a SEED, a whole number from 0 to {}", u64::MAX)),
            _ => Err("not one of block, cyclic, random:SEED".into()),
        }
    }
}

impl Map {
    /// The place of each PE. Always a permutation of `0..n_pes`.
    ///
    /// `per_node` has the number of places on each virtual node or NUMA node, in the order of the places.
    pub fn places(self, n_pes: u32, per_node: &[u32]) -> Vec<u32> {
        match self {
            Map::Block => (0..n_pes).collect(),
            Map::Cyclic if per_node.len() > 1 => dealt(per_node),
            Map::Cyclic => dealt(&sizes(n_pes, 2)),
            Map::Random(seed) => shuffled(n_pes, seed),
        }
    }
}

/// Takes a place from each part in turn until all are taken, and skips parts that have none left.
fn dealt(sizes: &[u32]) -> Vec<u32> {
    let firsts = sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size)));
    let parts: Vec<(u32, u32)> = firsts.zip(sizes.iter().copied()).collect();
    let longest = sizes.iter().copied().max().unwrap_or(0);
    let of_turn = |turn| parts.iter().filter(move |(_, size)| turn < *size).map(move |(first, _)| first + turn);
    (0..longest).flat_map(of_turn).collect()
}

/// The permutation of a seed: a Fisher–Yates shuffle from the last place down, with the numbers of SplitMix64. `--help`
/// promises that the same seed gives the same permutation in every version.
fn shuffled(n_pes: u32, seed: u64) -> Vec<u32> {
    let mut places: Vec<u32> = (0..n_pes).collect();
    let mut random = Random::new(seed);
    for last in (1..places.len()).rev() {
        let other = random.bits() % (last as u64 + 1);
        places.swap(last, other as usize);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_bootstrap::virtual_nodes::split;
    use proptest::prelude::*;

    #[test]
    fn block_is_the_number_itself() {
        assert_eq!(Map::Block.places(3, &[2, 1]), [0, 1, 2]);
    }

    #[test]
    fn cyclic_deals_to_two_halves_of_a_single_node() {
        assert_eq!(Map::Cyclic.places(1, &[1]), [0]);
        assert_eq!(Map::Cyclic.places(2, &[2]), [0, 1]);
        assert_eq!(Map::Cyclic.places(4, &[4]), [0, 2, 1, 3]);
        assert_eq!(Map::Cyclic.places(5, &[5]), [0, 3, 1, 4, 2]);
        assert_eq!(Map::Cyclic.places(4, &[]), [0, 2, 1, 3], "nothing is known of the machine");
    }

    #[test]
    fn cyclic_deals_to_the_numa_nodes() {
        assert_eq!(Map::Cyclic.places(6, &[2, 2, 2]), [0, 2, 4, 1, 3, 5]);
        assert_eq!(Map::Cyclic.places(5, &[4, 1]), [0, 4, 1, 2, 3], "a full node is passed over");
        assert_eq!(Map::Cyclic.places(5, &[1, 4]), [0, 1, 2, 3, 4]);
        assert_eq!(Map::Cyclic.places(3, &[0, 2, 1]), [0, 2, 1]);
        assert_eq!(Map::Cyclic.places(2, &[1, 1, 0]), [0, 1], "fewer PEs than nodes");
    }

    /// The permutations come from an independent implementation of the documented procedure.
    #[test]
    fn a_seed_gives_the_documented_permutation() {
        assert_eq!(shuffled(8, 7), [1, 4, 5, 2, 6, 0, 3, 7]);
        assert_eq!(shuffled(8, 8), [3, 5, 0, 2, 4, 1, 7, 6]);
        assert_eq!(shuffled(3, 2), [2, 0, 1]);
        assert_eq!(shuffled(1, 9), [0]);
    }

    #[test]
    fn names_are_read_and_others_refused_with_what_is_valid() {
        assert_eq!("block".parse(), Ok(Map::Block));
        assert_eq!("cyclic".parse(), Ok(Map::Cyclic));
        assert_eq!("random:0".parse(), Ok(Map::Random(0)));
        assert_eq!(format!("random:{}", u64::MAX).parse(), Ok(Map::Random(u64::MAX)));
        for (text, part) in [
            ("", "block, cyclic, random:SEED"),
            ("blocks", "block, cyclic, random:SEED"),
            ("cyclic:2", "block, cyclic, random:SEED"),
            ("random", "0 to 18446744073709551615"),
            ("random:", "SEED ''"),
            ("random:-1", "0 to 18446744073709551615"),
            ("random:18446744073709551616", "0 to 18446744073709551615"),
        ] {
            let error = text.parse::<Map>().unwrap_err();
            assert!(error.contains(part), "'{text}': {error}");
        }
    }

    fn is_permutation(places: &[u32], n_pes: u32) -> bool {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        sorted.into_iter().eq(0..n_pes)
    }

    proptest! {
        #[test]
        fn every_map_is_a_permutation(per_node in proptest::collection::vec(0u32..40, 1..9), seed: u64) {
            let n_pes = per_node.iter().sum();
            for map in [Map::Block, Map::Cyclic, Map::Random(seed)] {
                let places = map.places(n_pes, &per_node);
                prop_assert!(is_permutation(&places, n_pes), "{map:?}: {places:?}");
            }
        }

        #[test]
        fn cyclic_neighbours_are_on_different_nodes(n_pes in 2u32..=1024, nodes in 2u32..9) {
            let nodes = nodes.min(n_pes);
            let node = |place| split(place, n_pes, nodes).0;
            for pair in Map::Cyclic.places(n_pes, &sizes(n_pes, nodes)).windows(2) {
                prop_assert!(node(pair[0]) != node(pair[1]), "{pair:?}");
            }
        }
    }
}

//! Graph500: the Kronecker graph, a PE's part of it, and the rules by which the tree of a breadth-first search is
//! verified.

use cushmem_numbers::mixed;

/// Edges for each vertex.
const EDGE_FACTOR: u64 = 16;
/// In place of a vertex or a level: not reached.
pub const NONE: u32 = u32::MAX;

/// Vertices of one PE with their neighbours: PE `k` has vertices `k`, `k + pes`, …
pub struct Part {
    /// The PE.
    pub me: u32,
    /// All of them.
    pub pes: u32,
    /// Vertices of the graph.
    pub all: u32,
    /// Vertices of a PE, or one more than it has.
    pub vertices: usize,
    /// Where the neighbours of each of its vertices begin, and where the last one's end.
    pub first: Vec<u32>,
    /// The neighbours. Several edges between two vertices are as many neighbours; a vertex is not its own.
    pub neighbours: Vec<u32>,
}

impl Part {
    /// Of the graph of 2^`scale` vertices.
    pub fn of_kronecker(scale: u32, me: u32, pes: u32) -> Self {
        Self::new(1 << scale, me, pes, (0..EDGE_FACTOR << scale).map(|e| edge(e, scale)))
    }

    fn new(all: u32, me: u32, pes: u32, edges: impl Iterator<Item = (u32, u32)>) -> Self {
        let both = edges.filter(|(a, b)| a != b).flat_map(|(a, b)| [(a, b), (b, a)]);
        let own: Vec<_> = both.filter(|(a, _)| a % pes == me).collect();
        let vertices = all.div_ceil(pes) as usize;
        let mut first = vec![0; vertices + 1];
        own.iter().for_each(|(a, _)| first[(a / pes) as usize + 1] += 1);
        (0..vertices).for_each(|v| first[v + 1] += first[v]);
        let (mut next, mut neighbours) = (first.clone(), vec![0; own.len()]);
        for (a, b) in own {
            let at = &mut next[(a / pes) as usize];
            neighbours[*at as usize] = b;
            *at += 1;
        }
        Self { me, pes, all, vertices, first, neighbours }
    }

    /// Neighbours of this PE's vertex `v`.
    pub fn of(&self, v: usize) -> &[u32] {
        &self.neighbours[self.first[v] as usize..self.first[v + 1] as usize]
    }

    /// Twice the edges that a search has seen.
    pub fn edge_ends(&self, parents: &[u32]) -> usize {
        (0..self.vertices).filter(|&v| parents[v] != NONE).map(|v| self.of(v).len()).sum()
    }

    /// How many of this PE's vertices break a rule. `levels` are those of all PEs, one PE behind the other: the root is
    /// its own parent, on level 0; every other vertex that was reached has a parent on the level before, to which it
    /// has an edge; both ends of an edge were reached, on levels that differ by at most 1, or neither was.
    pub fn wrong_vertices(&self, root: u32, parents: &[u32], levels: &[u32]) -> usize {
        let level = |v: u32| levels[(v % self.pes) as usize * self.vertices + (v / self.pes) as usize];
        let is_wrong = |&v: &usize| {
            let id = v as u32 * self.pes + self.me;
            if id >= self.all {
                return false;
            }
            let (parent, own) = (parents[v], level(id));
            let in_tree = match (parent, own) {
                _ if id == root => parent == root && own == 0,
                (NONE, NONE) => true,
                (NONE, _) | (_, NONE) => false,
                _ => own > 0 && self.of(v).contains(&parent) && level(parent) == own - 1,
            };
            let agrees = |w: &u32| (own == NONE) == (level(*w) == NONE) && own.abs_diff(level(*w)) <= 1;
            !in_tree || !self.of(v).iter().all(agrees)
        };
        (0..self.vertices).filter(is_wrong).count()
    }
}

/// Edge `e` of the Kronecker graph: for each bit of both ends one of four quarters, with the probabilities 0.57, 0.19,
/// 0.19 and 0.05.
fn edge(e: u64, scale: u32) -> (u32, u32) {
    let (mut a, mut b, mut random) = (0, 0, 0);
    for bit in 0..scale {
        random = if bit % 4 == 0 { mixed(e << 3 | u64::from(bit / 4)) } else { random >> 16 };
        let quarter = [37_356, 49_807, 62_259].into_iter().filter(|&limit| random & 0xffff >= limit).count() as u32;
        a = (a << 1) | (quarter >> 1);
        b = (b << 1) | (quarter & 1);
    }
    (shuffled(a, scale), shuffled(b, scale))
}

/// Another vertex for each, as the first ones have the most edges.
fn shuffled(v: u32, scale: u32) -> u32 {
    let mask = u32::MAX >> (32 - scale);
    let v = v.wrapping_mul(0x9e37_79b1) & mask;
    (v ^ v >> scale.div_ceil(2)).wrapping_mul(0x85eb_ca6b) & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_loses_no_vertex() {
        for scale in [1, 2, 5, 12] {
            let mut all: Vec<_> = (0..1 << scale).map(|v| shuffled(v, scale)).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..1 << scale), "{scale}");
        }
    }

    #[test]
    fn parts_have_each_edge_at_both_ends() {
        let whole = Part::of_kronecker(8, 0, 1);
        assert!(whole.neighbours.len() > 6000 && whole.neighbours.len() <= 2 * 16 * 256);
        for part in (0..3).map(|me| Part::of_kronecker(8, me, 3)) {
            for v in (0..part.vertices).filter(|&v| v * 3 + (part.me as usize) < 256) {
                assert_eq!(part.of(v), whole.of(v * 3 + part.me as usize));
            }
        }
        for v in 0..256 {
            for &w in whole.of(v) {
                assert!(whole.of(w as usize).contains(&(v as u32)) && w as usize != v);
            }
        }
    }

    /// Catches trees that break one rule each: 0 - 1 - 2 - 3 and 0 - 4 - 3; 5 is alone.
    #[test]
    fn wrong_trees_are_found() {
        let graph = Part::new(6, 0, 1, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 5)].into_iter());
        let (parents, levels) = ([0, 0, 1, 4, 0, NONE], [0, 1, 2, 2, 1, NONE]);
        let wrong = |changes: &[(usize, u32, u32)]| {
            let (mut parents, mut levels) = (parents, levels);
            changes.iter().for_each(|&(v, parent, level)| (parents[v], levels[v]) = (parent, level));
            graph.wrong_vertices(0, &parents, &levels)
        };
        assert_eq!(wrong(&[]), 0);
        assert_eq!(wrong(&[(0, NONE, NONE)]), 3, "the root is not there, and its neighbours are");
        assert_eq!(wrong(&[(3, 2, 2)]), 1, "a parent on the same level");
        assert_eq!(wrong(&[(3, 2, 3)]), 2, "an edge to two levels before");
        assert_eq!(wrong(&[(2, 0, 2)]), 1, "a parent without an edge");
        assert_eq!(wrong(&[(2, NONE, NONE)]), 2 + 1, "neighbours of what was not reached");
        assert_eq!(wrong(&[(5, 0, 1)]), 1, "a vertex that cannot be reached");
        assert_eq!(wrong(&[(5, NONE, 1)]), 1, "a level without a parent");
        assert_eq!(wrong(&[(2, 3, 3), (3, 2, 3)]), 4, "a circle");
    }
}

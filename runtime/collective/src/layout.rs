//! How the members of a team are distributed over nodes.

use std::collections::HashMap;

/// How the members of a team are distributed over nodes. All members have the same layout, except for `me`. Nodes are
/// numbered in the order of their first members, which are their leaders.
#[derive(Debug, Clone)]
pub struct Layout {
    me: u32,
    /// The size of the largest node.
    most: u32,
    /// The node of each member, and its number there.
    places: Box<[(u32, u32)]>,
    /// Where the members of each node start in `members`; the last entry is the end.
    starts: Box<[u32]>,
    /// The members of each node in turn, in the team's order.
    members: Box<[u32]>,
}

impl Layout {
    /// `nodes` gives, for each member, any number that identifies its node; `me` is this member.
    pub fn new(nodes: impl Iterator<Item = u32>, me: u32) -> Self {
        let mut numbers = HashMap::new();
        let mut sizes = Vec::<u32>::new();
        let place = |name| {
            let node = *numbers.entry(name).or_insert(sizes.len() as u32);
            if node as usize == sizes.len() {
                sizes.push(0);
            }
            let size = &mut sizes[node as usize];
            *size += 1;
            (node, *size - 1)
        };
        let places: Box<[_]> = nodes.map(place).collect();
        assert!((me as usize) < places.len(), "member {me} of {}", places.len());
        let mut end = 0;
        let next = |size: &u32| {
            end += size;
            end
        };
        let starts: Box<[u32]> = std::iter::once(0).chain(sizes.iter().map(next)).collect();
        let mut members = vec![0; places.len()].into_boxed_slice();
        for (member, &(node, inner)) in places.iter().enumerate() {
            members[(starts[node as usize] + inner) as usize] = member as u32;
        }
        let most = sizes.into_iter().max().unwrap_or(0);
        Self { me, most, places, starts, members }
    }

    /// The number of members of the team.
    #[inline]
    pub fn size(&self) -> u32 {
        self.places.len() as u32
    }

    /// This member's number in the team.
    #[inline]
    pub fn me(&self) -> u32 {
        self.me
    }

    /// The number of nodes.
    #[inline]
    pub fn nodes(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// This member's node.
    #[inline]
    pub fn node(&self) -> u32 {
        self.node_of(self.me)
    }

    /// A member's node.
    #[inline]
    pub fn node_of(&self, member: u32) -> u32 {
        self.places[member as usize].0
    }

    /// A member's number on its node.
    #[inline]
    pub fn inner_of(&self, member: u32) -> u32 {
        self.places[member as usize].1
    }

    /// The members of a node, in the team's order.
    #[inline]
    pub fn members(&self, node: u32) -> &[u32] {
        let start = |node: u32| self.starts[node as usize] as usize;
        &self.members[start(node)..start(node + 1)]
    }

    /// The number of members of the largest node.
    #[inline]
    pub fn most(&self) -> u32 {
        self.most
    }

    /// The first member of a node.
    #[inline]
    pub fn leader(&self, node: u32) -> u32 {
        self.members(node)[0]
    }

    /// Whether this member is its node's leader.
    #[inline]
    pub fn is_leader(&self) -> bool {
        self.inner_of(self.me) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_numbered_by_their_first_members() {
        let layout = Layout::new([7, 3, 7, 9, 3, 7].into_iter(), 4);
        assert_eq!((layout.size(), layout.nodes(), layout.most()), (6, 3, 3));
        assert_eq!((layout.me(), layout.node(), layout.is_leader()), (4, 1, false));
        assert_eq!([0, 1, 2].map(|node| layout.members(node)), [&[0, 2, 5][..], &[1, 4], &[3]]);
        assert_eq!([0, 1, 2].map(|node| layout.leader(node)), [0, 1, 3]);
        let places: Vec<_> = (0..6).map(|m| (layout.node_of(m), layout.inner_of(m))).collect();
        assert_eq!(places, [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]);
        assert!(Layout::new([7, 3].into_iter(), 1).is_leader());
    }
}

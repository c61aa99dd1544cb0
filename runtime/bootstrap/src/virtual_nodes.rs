//! Which PEs share memory. The PEs of a machine may be divided into *virtual nodes* (`shmemrun --nodes`), which behave
//! like machines: data between them travels over a network. Launcher and library both use this module, so they agree.
//!
//! The places of the machine are divided into ranges whose sizes differ by at most one, the larger ones first. So a
//! PE's node, and its place there, follow from its place on the machine.

/// The node of the PE at `place`, and its place there, on a machine of `places` places that is divided into `nodes`
/// nodes.
pub fn split(place: u32, places: u32, nodes: u32) -> (u32, u32) {
    let (least, larger) = (places / nodes, places % nodes);
    let first_of_least = larger * (least + 1);
    if place < first_of_least {
        (place / (least + 1), place % (least + 1))
    } else {
        let at = place - first_of_least;
        (larger + at / least, at % least)
    }
}

/// The number of places on each node.
pub fn sizes(places: u32, nodes: u32) -> Vec<u32> {
    (0..nodes).map(|node| places / nodes + u32::from(node < places % nodes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_ranges_of_places() {
        let sizes = |places, nodes| {
            let mut so_far = vec![0; nodes as usize];
            for place in 0..places {
                let (node, at) = split(place, places, nodes);
                assert_eq!(at, so_far[node as usize], "place {place} of {places} on {nodes} nodes");
                assert!(so_far[node as usize + 1..].iter().all(|size| *size == 0));
                so_far[node as usize] += 1;
            }
            assert_eq!(sizes(places, nodes), so_far);
            so_far
        };
        assert_eq!(sizes(5, 2), [3, 2]);
        assert_eq!(sizes(7, 3), [3, 2, 2]);
        assert_eq!(sizes(4, 4), [1, 1, 1, 1]);
        assert_eq!(sizes(8, 1), [8]);
        assert_eq!(sizes(1024, 3), [342, 341, 341]);
    }
}

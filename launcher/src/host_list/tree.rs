//! Which launcher starts that of which host: a tree, if there are many.

/// A host whose launcher is started, and the hosts whose launchers that one starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The number of the host.
    pub host: usize,
    /// The numbers of the hosts behind it.
    pub behind: Vec<usize>,
}

/// Divides hosts, which are given by their numbers, into at most `fan_out` branches of the same size. Hosts that follow
/// each other in the list, which are often near each other, come into the same branch.
pub fn branches(hosts: &[usize], fan_out: usize) -> Vec<Branch> {
    let count = hosts.len().min(fan_out);
    let start = |branch: usize| branch * hosts.len() / count;
    let of = |branch| &hosts[start(branch)..start(branch + 1)];
    (0..count).map(|branch| Branch { host: of(branch)[0], behind: of(branch)[1..].to_vec() }).collect()
}

/// How many levels of launchers are below the one that has this many hosts to start.
pub fn height(hosts: usize, fan_out: usize) -> u32 {
    if hosts == 0 { 0 } else { 1 + height(hosts.div_ceil(fan_out) - 1, fan_out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hosts that the launcher with these hosts to start reaches, and how many levels of launchers are below it.
    fn reach(hosts: &[usize], fan_out: usize) -> (Vec<usize>, u32) {
        let branches = branches(hosts, fan_out);
        assert!(branches.len() <= fan_out);
        let sizes = branches.iter().map(|branch| branch.behind.len());
        assert!(sizes.clone().max().unwrap_or(0) - sizes.min().unwrap_or(0) <= 1, "they are of the same size");
        let (mut all, mut levels) = (vec![], 0);
        for Branch { host, behind } in branches {
            let (below, levels_below) = reach(&behind, fan_out);
            all.push(host);
            all.extend(below);
            levels = levels.max(1 + levels_below);
        }
        (all, levels)
    }

    #[test]
    fn every_host_is_in_the_tree_once() {
        for fan_out in [1, 2, 3, 32] {
            for count in [0, 1, 2, 5, 32, 33, 64, 100] {
                let hosts: Vec<usize> = (7..7 + count).collect();
                assert_eq!(reach(&hosts, fan_out), (hosts, height(count, fan_out)), "{count} hosts, {fan_out}");
            }
        }
        assert_eq!((height(32, 32), height(33, 32), height(32 + 32 * 32, 32), height(1057, 32)), (1, 2, 2, 3));
        let branch = |host, behind: &[usize]| Branch { host, behind: behind.to_vec() };
        assert_eq!(branches(&[1, 2, 3, 4, 5], 2), [branch(1, &[2]), branch(3, &[4, 5])]);
        assert_eq!(branches(&[4, 6], 1), [branch(4, &[6])]);
    }
}

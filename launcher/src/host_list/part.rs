//! What the launcher on one host of several knows about the job.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use cushmem_environment::MAX_PES;

use crate::map::Map;

use super::{Branch, Host, cut, parse};

/// One host's part of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The host, and those whose launchers the one there starts.
    pub branch: Branch,
    /// The job's identifier.
    pub job_id: String,
    /// All hosts of the job.
    pub hosts: Vec<Host>,
}

impl Part {
    /// The host.
    pub fn own(&self) -> &Host {
        &self.hosts[self.branch.host]
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<String> = self.hosts.iter().map(Host::to_string).collect();
        let Branch { host, behind } = &self.branch;
        let numbers: Vec<String> = std::iter::once(host).chain(behind).map(usize::to_string).collect();
        write!(f, "{} {} {}", numbers.join(","), self.job_id, hosts.join(","))
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(' ');
        let (numbers, job_id, hosts) = (words.next(), words.next(), words.next());
        let wrong = || format!("'{}' is not the part of a host", cut(text));
        let (Some(numbers), Some(job_id), Some(hosts), None) = (numbers, job_id, hosts, words.next()) else {
            return Err(wrong());
        };
        let hosts = parse(hosts)?;
        let n_pes: u64 = hosts.iter().map(|host| u64::from(host.pes)).sum();
        if n_pes > u64::from(MAX_PES) {
            return Err(format!("the hosts have {n_pes} PEs: the limit is {MAX_PES}"));
        }
        let number = |text: &str| text.parse().ok().filter(|host| *host < hosts.len());
        let numbers: Option<Vec<usize>> = numbers.split(',').map(number).collect();
        let mut seen = HashSet::new();
        let numbers = numbers.filter(|numbers| numbers.iter().all(|host| seen.insert(*host)));
        let (host, behind) = numbers.as_deref().and_then(<[usize]>::split_first).ok_or_else(wrong)?;
        let branch = Branch { host: *host, behind: behind.to_vec() };
        Ok(Part { branch, job_id: job_id.to_owned(), hosts })
    }
}

/// The PEs of each host, in the order of their numbers, each with its number and its place there.
pub fn pes_of(hosts: &[Host], map: Map) -> Vec<Vec<(u32, u32)>> {
    let sizes: Vec<u32> = hosts.iter().map(|host| host.pes).collect();
    let of_host = |(host, size): (usize, &u32)| (0..*size).map(move |there| (host, there));
    let all: Vec<(usize, u32)> = sizes.iter().enumerate().flat_map(of_host).collect();
    let mut pes = vec![vec![]; hosts.len()];
    for (pe, place) in (0..).zip(map.places(sizes.iter().sum(), &sizes)) {
        let (host, there) = all[place as usize];
        pes[host].push((pe, there));
    }
    pes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_survives_its_text() {
        let part = |host, behind: &[usize]| Part {
            branch: Branch { host, behind: behind.to_vec() },
            job_id: "ab01".into(),
            hosts: parse("a:2,b:3,c:1").unwrap(),
        };
        for (part, text) in [(part(1, &[]), "1 ab01 a:2,b:3,c:1"), (part(0, &[2, 1]), "0,2,1 ab01 a:2,b:3,c:1")] {
            assert_eq!((part.to_string(), part.to_string().parse()), (text.into(), Ok(part)));
        }
        for text in [
            "",
            "2 ab a:1,b:1",
            "0,2 ab a:1,b:1",
            "0, ab a:1,b:1",
            "0,0 ab a:1,b:1",
            "x ab a",
            "0 ab",
            "0 ab a b",
            "0 ab a:0",
            "0 ab a:65536,b",
        ] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }

    #[test]
    fn hosts_get_their_pes_in_the_order_of_the_map() {
        let hosts = parse("a:2,b:1,c:2").unwrap();
        assert_eq!(pes_of(&hosts, Map::Block), [vec![(0, 0), (1, 1)], vec![(2, 0)], vec![(3, 0), (4, 1)]]);
        assert_eq!(pes_of(&hosts, Map::Cyclic), [vec![(0, 0), (3, 1)], vec![(1, 0)], vec![(2, 0), (4, 1)]]);
        let mut all: Vec<u32> = pes_of(&hosts, Map::Random(7)).into_iter().flatten().map(|(pe, _)| pe).collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4]);
    }
}

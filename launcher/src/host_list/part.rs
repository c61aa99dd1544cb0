//! What the launcher on one host of several knows about the job.

use std::fmt;
use std::str::FromStr;

use crate::map::Map;

use super::{Host, parse};

/// One host's part of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The number of the host.
    pub host: usize,
    /// The job's identifier.
    pub job_id: String,
    /// All hosts of the job.
    pub hosts: Vec<Host>,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<String> = self.hosts.iter().map(Host::to_string).collect();
        write!(f, "{} {} {}", self.host, self.job_id, hosts.join(","))
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(' ');
        let (host, job_id, hosts) = (words.next(), words.next(), words.next());
        let wrong = || format!("'{text}' is not the part of a host");
        let (Some(host), Some(job_id), Some(hosts), None) = (host, job_id, hosts, words.next()) else {
            return Err(wrong());
        };
        let hosts = parse(hosts)?;
        let host = host.parse().ok().filter(|host| *host < hosts.len()).ok_or_else(wrong)?;
        Ok(Part { host, job_id: job_id.to_owned(), hosts })
    }
}

/// The PEs of each host, in the order of their numbers, each with its number and its place there.
pub fn pes_of(hosts: &[Host], map: Map) -> Vec<Vec<(u32, u32)>> {
    let sizes: Vec<u32> = hosts.iter().map(|host| host.pes).collect();
    let places = map.places(sizes.iter().sum(), &sizes);
    let mut first = 0;
    let of_host = |size: &u32| {
        let here = first..first + size;
        first = here.end;
        let place_there = |(pe, place): (u32, &u32)| here.contains(place).then(|| (pe, place - here.start));
        (0..).zip(&places).filter_map(place_there).collect()
    };
    sizes.iter().map(of_host).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_survives_its_text() {
        let part = Part { host: 1, job_id: "ab01".into(), hosts: parse("a:2,b:3").unwrap() };
        assert_eq!((part.to_string(), part.to_string().parse()), ("1 ab01 a:2,b:3".into(), Ok(part)));
        for text in ["", "2 ab a:1,b:1", "x ab a", "0 ab", "0 ab a b", "0 ab a:0"] {
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

//! Which of a machine's NICs a process uses: the nearest to it, of these the fastest, and of these in turn with the
//! other processes of the machine. A pure function of what is known of the machine ([`crate::verbs::places`]).

use std::fmt;

/// A port of a device that could be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nic {
    pub(super) name: String,
    pub(super) port: u8,
    pub(super) gbit: u32,
    pub(super) place: Place,
}

/// Where something is: a NIC, a GPU, or the cores of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Its NUMA node, if the system says.
    pub(super) node: Option<u32>,
    /// The PCI devices on the way to it, from the root complex to itself. Cores have none.
    pub(super) path: Vec<String>,
}

/// How far two things are from each other, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distance {
    /// Behind the same switch or port of the root complex: what travels between them passes no processor.
    Switch,
    /// At the same root complex.
    Root,
    /// At the same NUMA node.
    Node,
    /// The system does not say.
    Unknown,
    /// At another NUMA node.
    Far,
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Switch => "behind the same PCI switch",
            Self::Root => "at the same PCI root",
            Self::Node => "at the same NUMA node",
            Self::Unknown => "at an unknown distance",
            Self::Far => "at another NUMA node",
        })
    }
}

impl Place {
    pub(super) fn distance(&self, other: &Self) -> Distance {
        let common = self.path.iter().zip(&other.path).take_while(|(one, other)| one == other).count();
        match (common, self.node, other.node) {
            (2.., _, _) => Distance::Switch,
            (1, _, _) => Distance::Root,
            (0, Some(one), Some(other)) if one == other => Distance::Node,
            (0, Some(_), Some(_)) => Distance::Far,
            (0, _, _) => Distance::Unknown,
        }
    }
}

/// Whether a user's list, of names of devices which a colon and the number of a port may follow, has this port. An
/// empty list has all.
pub(super) fn is_listed(list: &str, name: &str, port: u8) -> bool {
    list.is_empty()
        || list.split(',').any(|entry| match entry.split_once(':') {
            Some((device, number)) => device == name && number.parse() == Ok(port),
            None => entry == name,
        })
}

/// The NIC for a process, or for a GPU, that is here, and how far it is. `turn` counts the processes of the machine.
pub(super) fn choose(nics: &[Nic], here: &Place, turn: usize) -> Option<(usize, Distance)> {
    let distance = |nic: &Nic| nic.place.distance(here);
    let nearest = nics.iter().map(distance).min()?;
    let near = || (0..nics.len()).filter(|at| distance(&nics[*at]) == nearest);
    let fastest = near().map(|at| nics[at].gbit).max()?;
    let best: Vec<usize> = near().filter(|at| nics[*at].gbit == fastest).collect();
    Some((best[turn % best.len()], nearest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(node: impl Into<Option<u32>>, path: &str) -> Place {
        Place { node: node.into(), path: path.split_whitespace().map(str::to_owned).collect() }
    }

    fn nic(name: &str, gbit: u32, node: impl Into<Option<u32>>, path: &str) -> Nic {
        Nic { name: name.to_owned(), port: 1, gbit, place: place(node, path) }
    }

    /// What each process gets, in turn.
    fn chosen(nics: &[Nic], places: &[Place]) -> Vec<String> {
        let of = |(turn, here)| {
            let (at, distance) = choose(nics, here, turn).expect("there is one");
            format!("{} {distance}", nics[at].name)
        };
        places.iter().enumerate().map(of).collect()
    }

    #[test]
    fn each_gpu_has_the_nic_behind_its_switch() {
        let nics: Vec<Nic> =
            (0..4).map(|at| nic(&format!("n{at}"), 400, at / 2, &format!("root{at} port{at} nic{at}"))).collect();
        let gpus: Vec<Place> = (0..4).map(|at| place(at / 2, &format!("root{at} port{at} gpu{at}"))).collect();
        let expected = ["n0", "n1", "n2", "n3"].map(|name| format!("{name} behind the same PCI switch"));
        assert_eq!(chosen(&nics, &gpus), expected);
    }

    #[test]
    fn two_nics_serve_the_gpus_of_their_sockets() {
        let nics = [nic("a", 200, 0, "r0 p0 a"), nic("b", 200, 1, "r4 p0 b")];
        let gpus: Vec<Place> = (0..8).map(|at| place(at / 4, &format!("r{at} q g{at}"))).collect();
        let expected: Vec<&str> = (0..8)
            .map(|at| match at {
                0 => "a at the same PCI root",
                4 => "b at the same PCI root",
                1..4 => "a at the same NUMA node",
                _ => "b at the same NUMA node",
            })
            .collect();
        assert_eq!(chosen(&nics, &gpus), expected);
    }

    #[test]
    fn a_machine_with_one_nic_uses_it_from_both_sockets() {
        let nics = [nic("a", 100, 0, "r0 p0 a")];
        let expected = ["a at the same NUMA node", "a at another NUMA node", "a at an unknown distance"];
        assert_eq!(chosen(&nics, &[place(0, ""), place(1, ""), place(None, "")]), expected);
    }

    #[test]
    fn processes_take_equal_nics_in_turn_and_slower_ones_not_at_all() {
        let nics = [nic("a", 200, 0, "r0 a"), nic("slow", 25, 0, "r1 s"), nic("b", 200, 0, "r2 b")];
        let names: Vec<String> = chosen(&nics, &vec![place(0, ""); 4]);
        assert_eq!(names, ["a", "b", "a", "b"].map(|name| format!("{name} at the same NUMA node")));
        assert_eq!(choose(&[], &place(0, ""), 0), None);
        // A near one is taken though a far one is faster.
        let nics = [nic("far", 400, 1, "r8 f"), nic("near", 100, 0, "r0 n")];
        assert_eq!(chosen(&nics, &[place(0, "")]), ["near at the same NUMA node"]);
    }

    #[test]
    fn a_list_names_devices_and_ports() {
        for (list, name, port, expected) in [
            ("", "mlx5_0", 1, true),
            ("mlx5_0", "mlx5_0", 2, true),
            ("mlx5_0", "mlx5_01", 1, false),
            ("mlx5_1,mlx5_0:2", "mlx5_0", 2, true),
            ("mlx5_1,mlx5_0:2", "mlx5_0", 1, false),
            ("mlx5_1,mlx5_0:2", "mlx5_1", 1, true),
        ] {
            assert_eq!(is_listed(list, name, port), expected, "{list}: {name}:{port}");
        }
    }
}

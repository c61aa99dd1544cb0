//! Which of a machine's NICs each process uses: the nearest to its GPU and its cores, of these the fastest, and of
//! these the one that the fewest processes in front of it use; and besides, equal ones that no process uses. All
//! processes of a job use ports of one kind, InfiniBand or RoCE, because those of different kinds do not reach each
//! other. Pure functions of what is known of the machines ([`crate::verbs::places`]) and of what the processes have
//! told each other ([`Seat`]).

use std::cmp::Reverse;
use std::fmt;

/// A port of a device that could be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nic {
    pub(super) name: String,
    pub(super) port: u8,
    pub(super) gbit: u32,
    pub(super) layer: Layer,
    pub(super) place: Place,
}

/// The kind of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// InfiniBand.
    InfiniBand,
    /// Ethernet, so RoCE.
    Ethernet,
}

impl Layer {
    const ALL: [Self; 2] = [Self::InfiniBand, Self::Ethernet];
}

/// What it makes of verbs.
impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::InfiniBand => "InfiniBand",
            Self::Ethernet => "RoCE",
        })
    }
}

/// Where something is: a NIC, a GPU, or the cores of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Its NUMA node, if the system says.
    pub(super) node: Option<u32>,
    /// The PCI devices on the way to it, from the root complex to itself. Cores have none.
    pub(super) path: Vec<String>,
}

/// What the choice needs of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seat {
    /// Where its cores are.
    pub(super) cores: Place,
    /// Where its GPU is, if it has one and the system says.
    pub(super) gpu: Option<Place>,
    /// The speed of the port that it would use, in Gbit/s, by kind; 0 if there is none.
    pub(super) gbit: [u32; 2],
}

/// How far two things are from each other, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
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

impl Distance {
    /// In words: how far something is from `what`.
    pub(super) fn from(self, what: &str) -> String {
        match self {
            Self::Switch => format!("behind the same PCI switch as {what}"),
            Self::Root => format!("at the same PCI root as {what}"),
            Self::Node => format!("at the same NUMA node as {what}"),
            Self::Unknown => format!("at an unknown distance from {what}"),
            Self::Far => format!("at another NUMA node than {what}"),
        }
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

impl Seat {
    /// How far a NIC is from the GPU, or from the cores of a process without one; and from the cores.
    fn distances(&self, nic: &Nic) -> (Distance, Distance) {
        let cores = nic.place.distance(&self.cores);
        (self.gpu.as_ref().map_or(cores, |gpu| nic.place.distance(gpu)), cores)
    }

    /// How far a NIC is from the GPU, if there is one.
    pub(super) fn gpu_distance(&self, nic: &Nic) -> Option<Distance> {
        self.gpu.as_ref().map(|gpu| nic.place.distance(gpu))
    }

    /// As bytes, for the other processes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![KIND];
        let node = |place: &Place| place.node.unwrap_or(u32::MAX).to_le_bytes();
        bytes.extend(node(&self.cores));
        bytes.extend(self.gbit.iter().flat_map(|gbit| gbit.to_le_bytes()));
        if let Some(gpu) = &self.gpu {
            bytes.extend(node(gpu));
            for part in &gpu.path {
                // Names of PCI devices are short.
                bytes.push(part.len().min(255) as u8);
                bytes.extend(part.bytes().take(255));
            }
        }
        bytes
    }

    /// From what a process sent. The error follows the words that say whose it is.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let malformed = || format!("has {} bytes that describe no process", bytes.len());
        let mut rest = bytes.strip_prefix(&[KIND]).ok_or_else(malformed)?;
        let mut number = || -> Result<u32, String> {
            let (first, after) = rest.split_first_chunk().ok_or_else(malformed)?;
            rest = after;
            Ok(u32::from_le_bytes(*first))
        };
        let node = |number: u32| (number != u32::MAX).then_some(number);
        let cores = Place { node: node(number()?), path: Vec::new() };
        let gbit = [number()?, number()?];
        if rest.is_empty() {
            return Ok(Self { cores, gpu: None, gbit });
        }
        let (first, mut rest) = rest.split_first_chunk().ok_or_else(malformed)?;
        let mut gpu = Place { node: node(u32::from_le_bytes(*first)), path: Vec::new() };
        while let Some((length, after)) = rest.split_first() {
            let (part, after) = after.split_at_checked((*length).into()).ok_or_else(malformed)?;
            gpu.path.push(std::str::from_utf8(part).map_err(|_| malformed())?.to_owned());
            rest = after;
        }
        Ok(Self { cores, gpu: Some(gpu), gbit })
    }
}

/// The kind and version of these bytes.
const KIND: u8 = 1;
/// How many NICs a process uses at most.
const MOST_RAILS: usize = 4;

/// Whether a user's list, of names of devices which a colon and the number of a port may follow, has this port. An
/// empty list has all.
pub(super) fn is_listed(list: &str, name: &str, port: u8) -> bool {
    list.is_empty()
        || list.split(',').any(|entry| match entry.split_once(':') {
            Some((device, number)) => device == name && number.parse() == Ok(port),
            None => entry == name,
        })
}

/// The speed of the port of each kind that a process would use alone: of the nearest ones, the fastest.
pub(super) fn speeds(nics: &[Nic], seat: &Seat) -> [u32; 2] {
    let key = |nic: &&Nic| (seat.distances(nic), Reverse(nic.gbit));
    let of = |layer| nics.iter().filter(|nic| nic.layer == layer).min_by_key(key);
    // One of unknown speed is one.
    Layer::ALL.map(|layer| of(layer).map_or(0, |nic| nic.gbit.max(1)))
}

/// The kind of port that all processes of a job use: of the kinds that each of them has, the one whose slowest process
/// is fastest, and InfiniBand if both are equal. None if no kind is everywhere.
pub(super) fn layer(seats: &[Seat]) -> Option<Layer> {
    let slowest = |layer: &Layer| seats.iter().map(|seat| seat.gbit[*layer as usize]).min().unwrap_or(0);
    let all = Layer::ALL.into_iter().filter(|layer| slowest(layer) > 0);
    all.max_by_key(|layer| (slowest(layer), Reverse(*layer)))
}

/// The NICs for one of these processes, which are those of a machine, in order; and why. The first one is for all but
/// long transfers. Processes take equal NICs in turn. NICs that no process has then are dealt out among those for which
/// they are equal to their first one, so that no process takes a part of another one's.
pub(super) fn choose(nics: &[Nic], seats: &[Seat], own: usize) -> Option<(Vec<usize>, String)> {
    let key = |seat: &Seat, at: usize| (seat.distances(&nics[at]), Reverse(nics[at].gbit));
    let mut users = vec![0_usize; nics.len()];
    let mut chosen: Vec<Vec<usize>> = Vec::with_capacity(seats.len());
    for seat in seats {
        let best = (0..nics.len()).min_by_key(|at| (key(seat, *at), users[*at], *at))?;
        users[best] += 1;
        chosen.push(vec![best]);
    }
    for _ in 1..MOST_RAILS {
        for (seat, chosen) in seats.iter().zip(&mut chosen) {
            let is_equal = |at: &usize| users[*at] == 0 && key(seat, *at) == key(seat, chosen[0]);
            if let Some(next) = (0..nics.len()).find(is_equal) {
                users[next] += 1;
                chosen.push(next);
            }
        }
    }
    let seat = seats.get(own)?;
    let what = if seat.gpu.is_some() { "its GPU" } else { "its cores" };
    let chosen = chosen.swap_remove(own);
    let why = seat.distances(&nics[chosen[0]]).0.from(what);
    Some((chosen, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(node: impl Into<Option<u32>>, path: &str) -> Place {
        Place { node: node.into(), path: path.split_whitespace().map(str::to_owned).collect() }
    }

    fn nic(name: &str, gbit: u32, node: impl Into<Option<u32>>, path: &str) -> Nic {
        Nic { name: name.to_owned(), port: 1, gbit, layer: Layer::InfiniBand, place: place(node, path) }
    }

    fn cores(node: impl Into<Option<u32>>) -> Seat {
        Seat { cores: place(node, ""), ..Seat::default() }
    }

    fn gpu(cores: u32, node: u32, path: &str) -> Seat {
        Seat { cores: place(cores, ""), gpu: Some(place(node, path)), ..Seat::default() }
    }

    /// What each process gets.
    fn chosen(nics: &[Nic], seats: &[Seat]) -> Vec<String> {
        let of = |own| {
            let (all, why) = choose(nics, seats, own).expect("there is one");
            let names: Vec<&str> = all.iter().map(|at| nics[*at].name.as_str()).collect();
            format!("{} {why}", names.join("+"))
        };
        (0..seats.len()).map(of).collect()
    }

    /// Eight GPUs and eight NICs, each two behind a switch of their own, in an order of their own.
    #[test]
    fn a_machine_with_a_nic_for_each_gpu() {
        let nics: Vec<Nic> =
            (0..8).map(|at| nic(&format!("n{at}"), 400, at / 4, &format!("root{at} port{at} nic{at}"))).collect();
        let order = [3, 0, 1, 2, 7, 4, 5, 6];
        let gpus = order.map(|at| gpu(at / 4, at / 4, &format!("root{at} port{at} gpu{at}")));
        assert_eq!(chosen(&nics, &gpus), order.map(|at| format!("n{at} behind the same PCI switch as its GPU")));
    }

    /// One NIC a socket.
    #[test]
    fn a_machine_with_two_nics_and_eight_gpus() {
        let nics = [nic("a", 200, 0, "r0 p0 a"), nic("b", 200, 1, "r4 p0 b")];
        let gpus: Vec<Seat> = (0..8).map(|at| gpu(at / 4, at / 4, &format!("r{at} q g{at}"))).collect();
        let expected: Vec<&str> = (0..8)
            .map(|at| match at {
                0 => "a at the same PCI root as its GPU",
                4 => "b at the same PCI root as its GPU",
                1..4 => "a at the same NUMA node as its GPU",
                _ => "b at the same NUMA node as its GPU",
            })
            .collect();
        assert_eq!(chosen(&nics, &gpus), expected);
    }

    /// All NICs at one socket, all GPUs at the other: those at the socket of the cores are no nearer to the GPU.
    #[test]
    fn a_machine_whose_nics_are_at_the_other_socket() {
        let nics = [nic("a", 200, 0, "r0 p0 a"), nic("b", 200, 0, "r1 p0 b")];
        let gpus: Vec<Seat> = (0..4).map(|at| gpu(1, 1, &format!("r{} q g{at}", at + 8))).collect();
        let expected = ["a", "b", "a", "b"].map(|name| format!("{name} at another NUMA node than its GPU"));
        assert_eq!(chosen(&nics, &gpus), expected);
        // Cores that are near a NIC decide only between NICs that are equally far from the GPU.
        let nics = [nic("a", 200, 0, "r0 p0 a"), nic("b", 200, 1, "r8 p0 b")];
        assert_eq!(chosen(&nics, &[gpu(0, 1, "r8 p0 g")]), ["b behind the same PCI switch as its GPU"]);
        assert_eq!(chosen(&nics, &[gpu(1, 2, "r9 p0 g")]), ["b at another NUMA node than its GPU"]);
    }

    /// GPUs on PCI Express alone: two switches with two GPUs and a NIC each, and a faster NIC that is at the root.
    #[test]
    fn a_machine_with_gpus_behind_two_switches() {
        let nics = [nic("a", 100, 0, "r0 p0 s0 a"), nic("b", 100, 0, "r0 p1 s0 b"), nic("fast", 400, 0, "r0 p2 fast")];
        let gpus = [(0, 0), (0, 1), (1, 2), (1, 3)].map(|(switch, at)| gpu(0, 0, &format!("r0 p{switch} s1 g{at}")));
        let expected = ["a", "a", "b", "b"].map(|name| format!("{name} behind the same PCI switch as its GPU"));
        assert_eq!(chosen(&nics, &gpus), expected);
        // A GPU that is behind none of the switches takes the fastest at the root.
        assert_eq!(chosen(&nics, &[gpu(0, 0, "r0 p7 g")]), ["fast at the same PCI root as its GPU"]);
    }

    #[test]
    fn a_machine_with_one_nic_uses_it_from_both_sockets() {
        let nics = [nic("a", 100, 0, "r0 p0 a")];
        let expected = [
            "a at the same NUMA node as its cores",
            "a at another NUMA node than its cores",
            "a at an unknown distance from its cores",
        ];
        assert_eq!(chosen(&nics, &[cores(0), cores(1), cores(None)]), expected);
    }

    #[test]
    fn processes_take_equal_nics_in_turn_and_slower_ones_not_at_all() {
        let nics = [nic("a", 200, 0, "r0 a"), nic("slow", 25, 0, "r1 s"), nic("b", 200, 0, "r2 b")];
        let names: Vec<String> = chosen(&nics, &vec![cores(0); 4]);
        assert_eq!(names, ["a", "b", "a", "b"].map(|name| format!("{name} at the same NUMA node as its cores")));
        assert_eq!(choose(&[], &[cores(0)], 0), None);
        // A near one is taken though a far one is faster.
        let nics = [nic("far", 400, 1, "r8 f"), nic("near", 100, 0, "r0 n")];
        assert_eq!(chosen(&nics, &[cores(0)]), ["near at the same NUMA node as its cores"]);
    }

    /// Catches a turn that counts processes which take other NICs: of those that are bound to the sockets one after the
    /// other, every second one would take the same NIC of its socket.
    #[test]
    fn processes_that_alternate_between_sockets_use_all_nics() {
        let nics =
            [(0, "a"), (0, "b"), (1, "c"), (1, "d")].map(|(node, name)| nic(name, 200, node, &format!("r{name}")));
        let seats: Vec<Seat> = (0..8).map(|at| cores(at % 2)).collect();
        let names: Vec<String> = chosen(&nics, &seats).iter().map(|chosen| chosen[..1].to_owned()).collect();
        assert_eq!(names, ["a", "c", "b", "d", "a", "c", "b", "d"]);
    }

    /// NICs that nobody has go to processes for which they are as good as their first, and no process has a part of
    /// what another one has.
    #[test]
    fn nics_that_nobody_has_are_dealt_out() {
        let names = |nics: &[Nic], seats: &[Seat]| -> String {
            let words = chosen(nics, seats);
            words.iter().map(|words| words.split_once(' ').expect("words").0).collect::<Vec<_>>().join(" ")
        };
        let equal = |count: usize| -> Vec<Nic> {
            let name = |at: usize| char::from(b'a' + at as u8).to_string();
            (0..count).map(|at| nic(&name(at), 200, 0, &format!("r{at} p n"))).collect()
        };
        for (nics, users, expected) in [
            (2, 1, "a+b"),
            (3, 2, "a+c b"),
            (4, 2, "a+c b+d"),
            (4, 3, "a+d b c"),
            (2, 2, "a b"),
            (2, 3, "a b a"),
            (9, 2, "a+c+e+g b+d+f+h"),
        ] {
            assert_eq!(names(&equal(nics), &vec![cores(0); users]), expected);
        }
        // One that is slower, or at the other socket, is nobody's.
        let nics = [nic("a", 200, 0, "r0 n"), nic("slow", 100, 0, "r1 n"), nic("far", 200, 1, "r8 n")];
        assert_eq!(names(&nics, &[cores(0)]), "a");
        assert_eq!(names(&nics, &[cores(0), cores(1)]), "a far");
    }

    /// Catches a job whose processes take the nearest port each, which do not reach each other.
    #[test]
    fn all_use_ports_of_a_kind_that_each_has() {
        let seat = |gbit| Seat { gbit, ..Seat::default() };
        for (gbits, expected) in [
            (&[[200, 0], [200, 400]][..], Some(Layer::InfiniBand)),
            (&[[0, 100], [200, 400]], Some(Layer::Ethernet)),
            (&[[200, 400], [200, 100]], Some(Layer::InfiniBand)),
            (&[[40, 400], [200, 400]], Some(Layer::Ethernet)),
            (&[[200, 200]], Some(Layer::InfiniBand)),
            (&[[200, 0], [0, 200]], None),
            (&[], None),
        ] {
            let seats: Vec<Seat> = gbits.iter().copied().map(seat).collect();
            assert_eq!(layer(&seats), expected, "{gbits:?}");
        }
        // The speed that counts is that of the port which would be used: a faster one that is farther away is not.
        let ethernet = Nic { layer: Layer::Ethernet, ..nic("e", 0, 0, "") };
        let nics = [nic("a", 100, 0, ""), nic("b", 200, 0, ""), nic("far", 400, 1, ""), ethernet];
        assert_eq!([0, 1].map(|node| speeds(&nics, &cores(node))), [[200, 1], [400, 1]]);
    }

    #[test]
    fn a_seat_comes_back_as_it_was() {
        let seats = [cores(None), cores(3), gpu(0, 1, "pci0000:80 0000:80:01.0 0000:81:00.0")];
        for seat in seats.map(|seat| Seat { gbit: [0, 400], ..seat }) {
            assert_eq!(Seat::read(&seat.bytes()), Ok(seat));
        }
        let bytes = gpu(0, 1, "pci0000:80").bytes();
        for wrong in [&bytes[..12], &bytes[..15], &bytes[..20], &bytes[1..], &[]] {
            let why = format!("has {} bytes that describe no process", wrong.len());
            assert_eq!(Seat::read(wrong), Err(why), "{wrong:?}");
        }
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

#[cfg(test)]
mod fuzz {
    use super::*;
    use cushmem_fuzz::{Parser, is_one_line, within};

    #[test]
    fn verbs_seat() {
        let path = vec!["pci0000:80".to_owned(), "0000:80:01.0".to_owned()];
        let seat = Seat { gpu: Some(Place { node: Some(1), path }), gbit: [200, 0], ..Seat::default() };
        Parser::new("verbs_seat", env!("CARGO_PKG_NAME")).sample("one", seat.bytes()).run(|bytes| {
            // Each part of the path is a text of its own, and their list grows.
            match within(256 + 100 * bytes.len(), || Seat::read(bytes)) {
                Ok(seat) => assert!(Seat::read(&seat.bytes()) == Ok(seat)),
                Err(why) => is_one_line(&why, bytes),
            }
        });
    }
}

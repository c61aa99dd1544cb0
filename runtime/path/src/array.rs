//! Whether kernels access the elements of an array where they are, or through a cache in their GPU's memory.

use crate::array_read::ArrayRead;
use crate::cost::{Costs, Figure};
use crate::policy::Policy;
use crate::request::{Class, RemoteKind};
use std::fmt;

/// Whether an array for which the program does not say how many slots its cache has is accessed in place, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayAccess {
    /// Whether it is.
    pub in_place: bool,
    /// Why.
    pub why: String,
}

impl Costs {
    /// The cost of such reads, and the figure's origin.
    fn array_read(&self, read: ArrayRead) -> &Figure {
        &self.array_reads[read as usize]
    }
}

impl Policy {
    /// Why kernels of this PE cannot access all symmetric memory of this kind by loads and stores, if they cannot.
    pub fn array_in_place(&self, remote: RemoteKind) -> Result<(), String> {
        let machine = self.machine();
        if remote == RemoteKind::Host {
            machine.kernels_reach_host.clone()?;
        }
        let apart = |class| !matches!(class, Class::Own | Class::Mapped { .. });
        match machine.reach.iter().find(|reach| reach.remote == remote && apart(reach.class)) {
            Some(reach) => {
                let why = reach.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
                Err(format!("{remote} memory of some PEs is {}{why}", reach.class))
            }
            None => Ok(()),
        }
    }

    /// How kernels of this PE access an array whose elements are in GPU memory or host memory of all PEs. A cache pays
    /// only if lines are used again, which nobody knows in advance, and at best every access is a hit: if plain loads
    /// are no slower than that, there is none.
    pub fn array_access(&self, remote: RemoteKind) -> ArrayAccess {
        if let Err(why) = self.array_in_place(remote) {
            return ArrayAccess { in_place: false, why };
        }
        let costs = &self.machine().costs;
        let elsewhere = |class| matches!(class, Class::Mapped { .. });
        let read = match remote {
            RemoteKind::Gpu if !self.machine().reach.iter().any(|r| r.remote == remote && elsewhere(r.class)) => {
                return ArrayAccess { in_place: true, why: "all of it is in this GPU's memory".to_owned() };
            }
            RemoteKind::Gpu => ArrayRead::FromGpu,
            _ => ArrayRead::FromHost,
        };
        let [load, hit] = [read, ArrayRead::Hit].map(|read| costs.array_read(read));
        let why = format!("plain loads: {}; hits of a cache: {}", Told(load), Told(hit));
        ArrayAccess { in_place: load.cost.bytes_per_ns() >= hit.cost.bytes_per_ns(), why }
    }

    /// Says for both kinds of memory what [`Policy::array_access`] says, a line each.
    pub fn arrays_in_words(&self) -> String {
        let line = |remote| {
            let ArrayAccess { in_place, why } = self.array_access(remote);
            let how = if in_place { "in place" } else { "through a cache" };
            format!("arrays in {remote} memory of all PEs, whose slots are not given, by kernels: {how} ({why})\n")
        };
        [RemoteKind::Gpu, RemoteKind::Host].map(line).concat()
    }
}

struct Told<'a>(&'a Figure);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} GB/s, {}", self.0.cost.bytes_per_ns(), self.0.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GpuLink, Machine, Measured, Overrides};

    const MAPPED: Class = Class::Mapped { atomics: true };

    fn policy(reach: &[(RemoteKind, Class)], lines: &str) -> Policy {
        let mut machine = Machine::today(GpuLink::NvLink);
        reach.iter().for_each(|(remote, class)| machine.add_reach(*remote, *class, None));
        let file = format!("{}\n{lines}", crate::COSTS_HEAD);
        Measured::parse("FILE", &file).expect("costs").apply(&mut machine.costs);
        Policy::new(&machine, &Overrides::default())
    }

    /// Catches a figure of other memory, the wrong side of the comparison, and a cache where both are alike.
    #[test]
    fn loads_that_are_no_slower_than_hits_need_no_cache() {
        let reach = [RemoteKind::Gpu, RemoteKind::Host].map(|remote| [(remote, Class::Own), (remote, MAPPED)]).concat();
        for (gpu, host, hit, expected) in [
            (300, 20, 200, [true, false]),
            (20, 300, 200, [false, true]),
            (200, 200, 200, [true; 2]),
            (1, 1, 2, [false; 2]),
        ] {
            let lines = format!(
                "array-load-gpu any any 0 0 {gpu} a\narray-load-host any any 0 0 {host} b\narray-hit any any 0 0 {hit} c"
            );
            let policy = policy(&reach, &lines);
            let found = [RemoteKind::Gpu, RemoteKind::Host].map(|remote| policy.array_access(remote));
            assert_eq!([found[0].in_place, found[1].in_place], expected, "{lines}");
            assert_eq!(found[0].why, format!("plain loads: {gpu} GB/s, a; hits of a cache: {hit} GB/s, c"));
            assert_eq!(found[1].why, format!("plain loads: {host} GB/s, b; hits of a cache: {hit} GB/s, c"));
        }
    }

    /// Catches loads from memory that kernels do not reach, whatever they would cost, and a cache for own memory.
    #[test]
    fn only_what_kernels_reach_is_accessed_in_place() {
        let fast = "array-load-gpu any any 0 0 2\narray-load-host any any 0 0 2\narray-hit any any 0 0 1";
        for class in [Class::Unmapped, Class::Far, Class::Attached] {
            for remote in [RemoteKind::Gpu, RemoteKind::Host] {
                let policy = policy(&[(remote, Class::Own), (remote, MAPPED), (remote, class)], fast);
                let ArrayAccess { in_place, why } = policy.array_access(remote);
                assert_eq!((in_place, why), (false, format!("{remote} memory of some PEs is {class}")));
            }
        }
        let slow = "array-load-gpu any any 0 0 1\narray-load-host any any 0 0 1\narray-hit any any 0 0 2";
        let policy = policy(&[(RemoteKind::Gpu, Class::Own), (RemoteKind::Host, Class::Own)], slow);
        let found = policy.array_access(RemoteKind::Gpu);
        assert_eq!((found.in_place, &*found.why), (true, "all of it is in this GPU's memory"));
        assert!(!policy.array_access(RemoteKind::Host).in_place, "own host memory is behind a link, too");
    }

    /// Catches words that say the opposite, or that leave out what decided.
    #[test]
    fn the_words_name_the_decision_and_the_figures() {
        let reach = [RemoteKind::Gpu, RemoteKind::Host].map(|remote| (remote, MAPPED));
        let lines = "array-load-gpu any any 0 0 3 a\narray-load-host any any 0 0 1 b\narray-hit any any 0 0 2 c";
        assert_eq!(
            policy(&reach, lines).arrays_in_words(),
            "arrays in gpu memory of all PEs, whose slots are not given, by kernels: in place (plain loads: 3 GB/s, a; \
             hits of a cache: 2 GB/s, c)\n\
             arrays in host memory of all PEs, whose slots are not given, by kernels: through a cache (plain loads: \
             1 GB/s, b; hits of a cache: 2 GB/s, c)\n"
        );
    }
}

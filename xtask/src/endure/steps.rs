//! What a step does. It is drawn only from the seed of the run and the step's number, so that each step can be repeated
//! without those before it.

use crate::launch;
use crate::soak::NETS;
use cushmem_environment::{NET, TEST_SEED};
use cushmem_numbers::Random;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A test executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    pub name: String,
    pub path: PathBuf,
    /// The tests that this machine can run, in the executable's order.
    pub tests: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub number: u64,
    /// The seed of the tests and of the network.
    pub seed: u32,
    pub placement: Placement,
    pub what: What,
}

/// How PEs are placed on nodes, and which network connects the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub map: String,
    pub nodes: u32,
    /// A value of `CUSHMEM_NET`.
    pub net: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Some tests of a suite.
    Tests { suite: Suite },
    /// A job that is killed.
    Kill(Kill),
}

/// A job, which of its processes are killed, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    pub program: &'static str,
    pub arguments: Vec<String>,
    pub pes: u32,
    pub victim: Victim,
    /// The time after the start at which they are killed.
    pub moment: Duration,
    /// The program may end before that.
    pub ends: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    /// A PE, by SIGKILL, like the next three.
    Pe(u32),
    /// The process that the user started.
    Front,
    /// Its child, which starts the PEs.
    Supervisor,
    /// Launcher and PEs.
    All,
    /// The launcher, by this signal.
    Signal(&'static str),
}

impl Victim {
    /// The exit status of `shmemrun`, as a shell shows it.
    pub fn status(self) -> i32 {
        match self {
            Self::Signal("INT") => 128 + 2,
            Self::Signal("TERM") => 128 + 15,
            _ => 128 + 9,
        }
    }
}

/// A word for the file in which a program saves its state.
pub const STATE: &str = "STATE";

/// A program that runs long enough to be killed while it works.
struct Program {
    name: &'static str,
    /// `SIDE` stands for the side of a grid, and [`STATE`] for a file.
    arguments: &'static str,
    /// Sides of grids on emulated GPUs and on CUDA.
    sides: [u32; 2],
    has_modes: bool,
    /// It also works if PEs share a GPU.
    shares: bool,
    ends: bool,
}

const fn program(name: &'static str, arguments: &'static str) -> Program {
    Program { name, arguments, sides: [0; 2], has_modes: false, shares: false, ends: false }
}

const PROGRAMS: [Program; 13] = [
    Program {
        sides: [1024, 16384],
        has_modes: true,
        shares: true,
        ..program("stencil2d", "--type f64 --size SIDE --iters 14000 --no-verify")
    },
    Program { sides: [256, 16384], ..program("jacobi", "--size SIDE --iters 1000000 --no-verify") },
    Program {
        sides: [16, 64],
        has_modes: true,
        shares: true,
        ..program("lbm", "--size SIDE --iters 1000000 --no-verify --save STATE --save-every 3")
    },
    Program { shares: true, ..program("shmem-bench", "host --rounds 1000000") },
    Program { shares: true, ..program("shmem-bench", "coll --rounds 1000000") },
    Program { shares: true, ends: true, ..program("host-ring", "") },
    program("allreduce", "--rounds 1000000"),
    Program { ends: true, ..program("shmem-bench", "device") },
    Program { ends: true, ..program("shmem-bench", "stream") },
    Program { ends: true, ..program("gups", "") },
    Program { ends: true, ..program("bfs", "--roots 64") },
    Program { ends: true, ..program("isort", "") },
    Program { ends: true, ..program("kernel-ring", "") },
];
const MODES: [&str; 6] = ["staged", "host", "stream", "device", "fused", "triggered"];
/// Suites whose jobs may run on several nodes, except `ON_ONE_NODE`, which tests behaviour on a single node.
/// The programs of `tests/spec` exchange too much for a step in which PEs share cores; `soak` runs them on several
/// nodes.
const ON_NODES: [&str; 2] = ["cushmem-conformance.", "cushmem-fault-tests."];
const ON_ONE_NODE: &str = "cushmem-fault-tests.one_node";
/// Suites whose jobs give correct results on every network.
const ON_ANY_NETWORK: &str = "cushmem-conformance.";
/// The latest moment of a kill, drawn from these: the first covers the start of the launcher and the PEs, the second
/// the start of the GPUs, the third the work.
const MOMENTS_MS: [u64; 3] = [40, 400, 3000];
/// The maximum number of tests in a step. In a large suite, up to 1/`PART` of its tests run instead.
const MOST_TESTS: usize = 8;
const PART: usize = 16;

/// The step with this number. Suites and kills take turns, and each suite runs in part before one of them runs again.
pub fn step(seed: u64, number: u64, suites: &[Suite], gpus: usize) -> Step {
    let mut random = Random::new(seed).split(2 * number + 1);
    let (of_round, nth) = ((number / 2) / suites.len() as u64, (number / 2) as usize % suites.len());
    let placement = placement(&mut random);
    let step_seed = random.below(u32::MAX as usize) as u32 + 1;
    if number % 2 == 1 {
        let kill = kill(&mut random, gpus);
        let nodes = placement.nodes.min(kill.pes);
        return Step { number, seed: step_seed, placement: placement.on(nodes, step_seed), what: What::Kill(kill) };
    }
    let suite = &suites[order(&mut Random::new(seed).split(2 * of_round), suites.len())[nth]];
    let most = suite.tests.len().min(MOST_TESTS.max(suite.tests.len() / PART));
    let mut chosen = order(&mut random, suite.tests.len());
    chosen.truncate(1 + random.below(most));
    let tests = chosen.into_iter().map(|test| suite.tests[test].clone()).collect();
    let on_nodes = suite.name != ON_ONE_NODE && ON_NODES.iter().any(|prefix| suite.name.starts_with(prefix));
    let on_any = suite.name.starts_with(ON_ANY_NETWORK);
    let nodes = if on_nodes { placement.nodes } else { 1 };
    let placement = placement.on(nodes, step_seed);
    let placement = Placement { net: placement.net.filter(|_| on_any), ..placement };
    Step { number, seed: step_seed, placement, what: What::Tests { suite: Suite { tests, ..suite.clone() } } }
}

impl Placement {
    /// The placement on this many nodes; a single node has no network.
    fn on(self, nodes: u32, seed: u32) -> Self {
        let net = self.net.filter(|_| nodes > 1).map(|net| format!("{net}:{seed}"));
        Self { nodes, net, ..self }
    }
}

impl Step {
    /// The environment variables of its processes.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let Placement { map, nodes, net } = &self.placement;
        let mut all = vec![
            (TEST_SEED.name, self.seed.to_string()),
            (launch::MAP, map.clone()),
            (launch::NODES, nodes.to_string()),
        ];
        all.extend(net.iter().map(|net| (NET.name, net.clone())));
        all
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Tests { suite } => write!(f, "{}: {} tests", suite.name, suite.tests.len())?,
            What::Kill(Kill { program, arguments, pes, victim, moment, .. }) => {
                let words = arguments.iter().fold(String::new(), |line, word| line + " " + word);
                write!(f, "{program}{words}, {pes} PEs: {victim} after {} ms", moment.as_millis())?;
            }
        }
        let Placement { map, nodes, net } = &self.placement;
        write!(f, ", --map {map}")?;
        if *nodes > 1 {
            write!(f, " --nodes {nodes}")?;
        }
        match net {
            Some(net) => write!(f, " {net}"),
            None => write!(f, ", seed {}", self.seed),
        }
    }
}

impl fmt::Display for Victim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pe(pe) => write!(f, "SIGKILL to PE {pe}"),
            Self::Front => write!(f, "SIGKILL to shmemrun"),
            Self::Supervisor => write!(f, "SIGKILL to the supervisor"),
            Self::All => write!(f, "SIGKILL to all"),
            Self::Signal(name) => write!(f, "SIG{name} to shmemrun"),
        }
    }
}

/// The numbers below `count`, shuffled.
fn order(random: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    random.shuffle(&mut order);
    order
}

fn placement(random: &mut Random) -> Placement {
    let map = match random.below(3) {
        0 => "block".to_owned(),
        1 => "cyclic".to_owned(),
        _ => format!("random:{}", random.below(1000)),
    };
    let nodes = *random.one_of(&[1, 2, 4]);
    Placement { map, nodes, net: Some(format!("loopback:{}", random.one_of(&NETS))) }
}

fn kill(random: &mut Random, gpus: usize) -> Kill {
    let pes = 2 + random.below(7) as u32;
    let is_shared = gpus > 0 && pes as usize > gpus;
    let program = loop {
        let program = random.one_of(&PROGRAMS);
        if program.shares || !is_shared {
            break program;
        }
    };
    let side = program.sides[usize::from(gpus > 0)].to_string();
    let mut arguments: Vec<_> = program.arguments.split_whitespace().map(|word| word.replace("SIDE", &side)).collect();
    let mode = *random.one_of(&MODES);
    if program.has_modes && !is_shared {
        arguments.extend(["--mode".to_owned(), mode.to_owned()]);
    }
    let victim = match random.below(7) {
        0 | 1 => Victim::Pe(random.below(pes as usize) as u32),
        2 => Victim::Front,
        3 => Victim::Supervisor,
        4 => Victim::All,
        5 => Victim::Signal("TERM"),
        _ => Victim::Signal("INT"),
    };
    let longest = *random.one_of(&MOMENTS_MS);
    let moment = Duration::from_millis(random.below(longest as usize) as u64);
    Kill { program: program.name, arguments, pes, victim, moment, ends: program.ends }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn suites() -> Vec<Suite> {
        let names = ["cushmem-conformance.host", "b", "c"].into_iter().zip([611, 3, 1]);
        let suite = |(name, tests): (&str, usize)| Suite {
            name: name.into(),
            path: name.into(),
            tests: (0..tests).map(|test| format!("t{test}")).collect(),
        };
        names.map(suite).collect()
    }

    fn steps(seed: u64, gpus: usize) -> Vec<Step> {
        (0..300).map(|number| step(seed, number, &suites(), gpus)).collect()
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(steps(7, 0), steps(7, 0));
        let (one, other) = (steps(7, 0), steps(8, 0));
        let same = one.iter().zip(&other).filter(|(a, b)| a.what == b.what).count();
        assert!(same < 75, "{same} of {} steps are those of another seed", one.len());
        // Step 0 of a seed is not step 1 of its neighbour.
        let seeds: BTreeSet<_> = one.iter().chain(&other).map(|step| step.seed).collect();
        assert_eq!(seeds.len(), one.len() + other.len());
    }

    #[test]
    fn suites_come_in_turn_by_parts() {
        let all = steps(7, 0);
        let of = |step: &Step| match &step.what {
            What::Tests { suite } => Some(suite.clone()),
            What::Kill(_) => None,
        };
        assert!(all.iter().all(|step| of(step).is_some() == step.number.is_multiple_of(2)));
        let parts: Vec<Suite> = all.iter().filter_map(of).collect();
        for round in parts.chunks(3) {
            assert_eq!(round.iter().map(|part| &part.name).collect::<BTreeSet<_>>().len(), 3);
        }
        let large = parts.iter().filter(|part| part.name.ends_with("host"));
        let seen: BTreeSet<_> = large.clone().flat_map(|part| &part.tests).collect();
        assert!(large.map(|part| part.tests.len()).max() <= Some(611 / PART) && seen.len() > 300);
        assert!(parts.iter().all(|part| !part.tests.is_empty()));
    }

    #[test]
    fn kills_are_of_every_kind_and_only_some_programs_share_gpus() {
        let kills = |gpus| {
            steps(3, gpus).into_iter().filter_map(|step| match step.what {
                What::Kill(kill) => Some((kill, step.placement.nodes)),
                What::Tests { .. } => None,
            })
        };
        let kinds: BTreeSet<_> = kills(0).map(|(kill, _)| kill.victim.to_string()).collect();
        let expected = [
            Victim::Pe(0),
            Victim::Front,
            Victim::Supervisor,
            Victim::All,
            Victim::Signal("TERM"),
            Victim::Signal("INT"),
        ];
        assert!(expected.iter().all(|victim| kinds.contains(&victim.to_string())), "{kinds:?}");
        assert!(kills(0).all(|(kill, nodes)| (2..=8).contains(&kill.pes) && nodes <= kill.pes));
        assert!(kills(0).any(|(_, nodes)| nodes == 4));
        assert!(kills(0).any(|(kill, _)| kill.arguments.contains(&STATE.to_owned())));
        let shared: BTreeSet<_> = kills(2).filter(|(kill, _)| kill.pes > 2).map(|(kill, _)| kill.program).collect();
        assert_eq!(shared, ["host-ring", "lbm", "shmem-bench", "stencil2d"].into());
        assert!(kills(8).any(|(kill, _)| kill.pes > 2 && kill.program == "allreduce"));
    }

    #[test]
    fn networks_are_for_nodes_and_for_suites_that_allow_them() {
        for step in steps(5, 0) {
            let any = match &step.what {
                What::Tests { suite } => suite.name.starts_with("cushmem-conformance"),
                What::Kill(_) => true,
            };
            assert_eq!(step.placement.net.is_some(), any && step.placement.nodes > 1, "{step}");
        }
    }
}

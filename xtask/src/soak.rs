//! `cargo xtask soak`: runs the suites that compare results on virtual nodes, with networks that delay and reorder
//! according to a seed. It can run for as long as you like; `ci` runs a part of one suite in one combination.

use crate::bundle::executables;
use crate::fuzz::fuzz;
use crate::launch;
use crate::left_out::{self, List, Suites};
use crate::machine::has_library;
use crate::process::{Ended, cargo, output_of, run, run_limited};
use crate::ptx::Outcome;
use crate::runner::limit_threads;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use cushmem_environment::{NET, TEST_REQUESTS, TEST_SEED};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Options of `cargo xtask soak`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Number of seeds
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub seeds: u64,
    /// The first seed; the others follow it
    #[arg(long, default_value_t = 1, value_name = "SEED", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    pub from: u64,
    /// Run all combinations with every seed, instead of one combination per seed
    #[arg(long)]
    pub all: bool,
    /// Connect the nodes by libfabric, on 2 and on 4 nodes with every seed, instead of emulated networks
    #[arg(long, conflicts_with = "all")]
    pub ofi: bool,
    /// How many rounds of a put and its signal two nodes exchange over libfabric, with the first seed
    #[arg(long, requires = "ofi", default_value_t = 1_000_000, value_name = "N")]
    pub rounds: u64,
    /// In how many turns kernels, streams and the CPU carry out collectives of several teams first, with the first seed
    #[arg(long, default_value_t = 20_000, value_name = "N", conflicts_with = "ofi")]
    pub turns: u64,
    /// How many damaged inputs each parser gets first, with the first seed
    #[arg(long, default_value_t = 10_000_000, value_name = "N", conflicts_with = "ofi")]
    pub inputs: u64,
    /// Start no run after this many seconds
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    pub seconds: Option<u64>,
}

/// Each job of a suite has its own limit; this one is for a suite that does not end in spite of that.
const RUN_LIMIT: Duration = Duration::from_secs(1800);

/// How many failed tests a line names. If there are more, the line says to repeat the whole run.
const MOST_NAMED: usize = 6;

/// Some tests of an executable.
#[derive(Debug, PartialEq, Eq)]
struct Suite {
    package: &'static str,
    test: &'static str,
    /// The names of the tests start with this or contain it, so it also names the suite.
    filter: &'static str,
}

const HOST: Suite = Suite { package: "cushmem-conformance", test: "host", filter: "host::" };
const SUITES: [Suite; 4] = [
    HOST,
    Suite { package: "cushmem-conformance", test: "host", filter: "staged_traffic::soft::" },
    Suite { package: "cushmem-conformance", test: "device", filter: "soft::" },
    Suite { package: "cushmem-spec-tests", test: "suite", filter: "clauses::" },
];
/// Data and the signals that announce them, as often as it is asked for.
const SIGNALLED: Suite = Suite { filter: "signalled::host::", ..HOST };
/// Collectives of several teams by kernels, streams and the CPU: on mapped GPUs, on others, and on nodes of each
/// network.
const MIXED: Suite = Suite { package: "cushmem-conformance", test: "device", filter: "mixed::" };
const NODES: [u32; 2] = [2, 4];
pub(crate) const NETS: [&str; 3] = ["verbs", "tcp", "efa"];

/// `ci` runs one of this many parts of a suite, and one of more parts over libfabric, where jobs start more slowly.
const SHARES: usize = 3;
const SHARES_OFI: usize = 12;
/// The network of libfabric, which has no seed.
const OFI: &str = "ofi";
const LIBFABRIC: &str = "libfabric.so.1";

/// One run of a suite.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    suite: &'static Suite,
    /// Which part of the suite, and of how many, or all of it.
    part: Option<(usize, usize)>,
    nodes: u32,
    map: String,
    net: String,
    seed: u64,
    /// How often its tests repeat something, if they should not decide that themselves.
    times: Option<u64>,
}

impl Run {
    fn variables(&self) -> Vec<(&'static str, String)> {
        let variables = [
            (launch::NODES, self.nodes.to_string()),
            (launch::MAP, self.map.clone()),
            (NET.name, self.net.clone()),
            (TEST_SEED.name, self.seed.to_string()),
        ];
        variables.into_iter().chain(self.times.map(|times| (TEST_REQUESTS.name, times.to_string()))).collect()
    }

    /// The shell command that repeats these tests of the run, or all of its tests if none is named.
    fn command(&self, tests: &[&str]) -> String {
        let variables =
            self.variables().iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
        let Suite { package, test, filter } = self.suite;
        let which = if tests.is_empty() { (*filter).to_owned() } else { format!("--exact {}", tests.join(" ")) };
        format!("{variables} cargo test -p {package} --test {test} -- {which}")
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { suite: Suite { filter, .. }, nodes, map, net, .. } = self;
        write!(f, "{filter:22} --nodes {nodes} --map {map} {net}")
    }
}

/// All combinations of nodes, PE orders and networks for a seed.
fn combinations(seed: u64) -> Vec<(u32, String, String)> {
    let mut all = Vec::new();
    for net in NETS {
        for map in ["block".to_owned(), "cyclic".to_owned(), format!("random:{seed}")] {
            all.extend(NODES.map(|nodes| (nodes, map.clone(), format!("loopback:{net}:{seed}"))));
        }
    }
    all
}

/// A different combination for each seed, or all of them.
fn runs(seeds: std::ops::Range<u64>, all: bool) -> Vec<Run> {
    let of_seed = |seed: u64| {
        let mut chosen = combinations(seed);
        if !all {
            let one = chosen.swap_remove(seed as usize % chosen.len());
            chosen = vec![one];
        }
        let of = move |(nodes, map, net): (u32, String, String)| {
            SUITES.iter().map(move |suite| Run {
                suite,
                nodes,
                map: map.clone(),
                net: net.clone(),
                seed,
                part: None,
                times: None,
            })
        };
        chosen.into_iter().flat_map(of)
    };
    seeds.flat_map(of_seed).collect()
}

/// These tests say themselves on how many nodes they run.
fn mixed(turns: u64, seed: u64) -> Run {
    let (nodes, map, net) = (1, "block".to_owned(), format!("loopback:tcp:{seed}"));
    Run { suite: &MIXED, nodes, map, net, seed, part: None, times: Some(turns) }
}

/// Runs a third of the Rust tests that need no GPU, in one combination. The seed decides which ones, and which
/// combination. The caller has built everything, and closes the list of what is left out.
pub fn share(seed: u32, list: &List) -> Result<Outcome> {
    let seed = u64::from(seed);
    let combinations = combinations(seed);
    let (turn, part) = (seed as usize % combinations.len(), seed as usize / combinations.len() % SHARES);
    let (nodes, map, net) = combinations[turn].clone();
    println!("part {} of {SHARES}", part + 1);
    soak_these(&[Run { suite: &HOST, nodes, map, net, seed, part: Some((part, SHARES)), times: None }], list, None)?;
    Ok(Outcome::Done)
}

/// Runs a twelfth of the Rust tests that need no GPU, on two nodes that libfabric connects, or all suites on two nodes
/// and on four. The caller is that of [`share`].
pub fn share_over_libfabric(seed: u32, all: bool, list: &List) -> Result<Outcome> {
    if !has_library(LIBFABRIC) {
        return Ok(Outcome::LeftOut(format!("there is no {LIBFABRIC}")));
    }
    let seed = u64::from(seed);
    let part = seed as usize % SHARES_OFI;
    let of_part = Run { part: Some((part, SHARES_OFI)), ..over_libfabric(&HOST, 2, seed) };
    soak_these(&if all { all_over_libfabric(seed) } else { vec![of_part] }, list, None)?;
    Ok(Outcome::Done)
}

fn over_libfabric(suite: &'static Suite, nodes: u32, seed: u64) -> Run {
    Run { suite, nodes, map: format!("random:{seed}"), net: OFI.to_owned(), seed, part: None, times: None }
}

fn all_over_libfabric(seed: u64) -> Vec<Run> {
    NODES.iter().flat_map(|nodes| SUITES.iter().map(|suite| over_libfabric(suite, *nodes, seed))).collect()
}

/// Runs the suites. Fails if a test fails, or was left out although this machine has what it needs.
pub fn soak(options: &Options) -> Result<()> {
    let seeds = options.from..options.from + options.seeds;
    let all: Vec<Run> = if options.ofi {
        let signalled = Run { times: Some(options.rounds), ..over_libfabric(&SIGNALLED, 2, options.from) };
        std::iter::once(signalled).chain(seeds.flat_map(all_over_libfabric)).collect()
    } else {
        let mixed = (options.turns > 0).then(|| mixed(options.turns, options.from));
        mixed.into_iter().chain(runs(seeds, options.all)).collect()
    };
    let workspace = Workspace::load()?;
    let list = List::new(&workspace.target)?;
    let left_out = prepare(&workspace)?;
    if !options.ofi && options.inputs > 0 {
        fuzz(&workspace, options.inputs, options.from)?;
    }
    let result = soak_these(&all, &list, options.seconds.map(Duration::from_secs));
    list.close(&left_out, Suites::Some)?;
    result
}

/// Builds what the suites start. Returns what has to be left out.
fn prepare(workspace: &Workspace) -> Result<Vec<String>> {
    // Tests start programs that `cargo test` alone does not build.
    run(cargo().current_dir(&workspace.root).args(["build", "--quiet", "--workspace", "--bins"]))?;
    match crate::library::library(crate::build::Profile::Dev)? {
        Outcome::LeftOut(reason) => Ok(vec![format!("C programs: {reason}")]),
        Outcome::Done => Ok(Vec::new()),
    }
}

fn soak_these(all: &[Run], list: &List, limit: Option<Duration>) -> Result<()> {
    let workspace = Workspace::load()?;
    let logs = workspace.target.join("soak");
    std::fs::create_dir_all(&logs).with_context(|| format!("make {}", logs.display()))?;
    let programs = programs(&workspace)?;
    let started = Instant::now();
    let is_over = || limit.is_some_and(|limit| started.elapsed() >= limit);
    let (mut begun, mut bad) = (0, 0);
    let mut failures = BTreeMap::new();
    for run in all.iter().take_while(|_| !is_over()) {
        begun += 1;
        let log = logs.join(format!("{begun}.log"));
        let start = Instant::now();
        let failure = run.failure(&programs[run.suite.test], list, &log)?;
        let (of, seconds) = (all.len(), start.elapsed().as_secs_f64());
        let Some(failure) = failure else {
            println!("[{begun}/{of}] ok     {seconds:6.1} s  {run}");
            continue;
        };
        println!("[{begun}/{of}] FAILED {seconds:6.1} s  {run}: {failure}");
        bad += 1;
        for what in failure.what {
            *failures.entry(format!("{}: {what}", run.suite.test)).or_insert(0) += 1;
        }
    }
    println!("soak: {begun} of {} runs in {:.0} s, {bad} failed", all.len(), started.elapsed().as_secs_f64());
    for (what, times) in &failures {
        println!("{times:4} × {what}");
    }
    ensure!(bad == 0, "{bad} of {begun} runs failed");
    Ok(())
}

/// The executable of each suite. It is started without cargo, because killing cargo at the time limit would leave it
/// running.
fn programs(workspace: &Workspace) -> Result<BTreeMap<String, PathBuf>> {
    let mut build = cargo();
    build.args(["test", "--no-run"]);
    build.args(SUITES.iter().flat_map(|suite| ["-p", suite.package, "--test", suite.test]));
    let built = executables(workspace, &mut build)?;
    let programs: BTreeMap<_, _> = built.into_iter().map(|(artifact, path)| (artifact.target.name, path)).collect();
    let missing = SUITES.iter().find(|suite| !programs.contains_key(suite.test));
    ensure!(missing.is_none(), "cargo has not built {missing:?}");
    Ok(programs)
}

/// How a run failed.
struct Failure {
    /// The tests that failed, or how the run ended.
    what: Vec<String>,
    repeat: String,
    log: PathBuf,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, repeat, log } = self;
        let more = what.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named: Vec<&str> = what.iter().take(MOST_NAMED).map(String::as_str).collect();
        write!(f, "{}{more}; its output is in {}; to repeat it: {repeat}", named.join(", "), log.display())
    }
}

impl Run {
    /// Runs the suite. Returns `None` if it succeeds. If it fails, its output goes to `log`.
    fn failure(&self, program: &Path, list: &List, log: &Path) -> Result<Option<Failure>> {
        let mut command = Command::new(program);
        command.arg(self.suite.filter).envs(self.variables()).env(left_out::VARIABLE, list.path());
        if let Some((part, parts)) = self.part {
            let listed = output_of(Command::new(program).args([self.suite.filter, "--list", "--format", "terse"]))?;
            let tests = part_of(&listed, part, parts);
            // Without names, all tests of the program would run.
            ensure!(!tests.is_empty(), "no test is called {}", self.suite.filter);
            command = Command::new(program);
            command.arg("--exact").args(tests);
            command.envs(self.variables()).env(left_out::VARIABLE, list.path());
        }
        limit_threads(&mut command);
        let (ended, said) = run_limited(&mut command, RUN_LIMIT)?;
        let how = match ended.failure() {
            None if passed(&said) == 0 => "no test ran".to_owned(),
            None => return Ok(None),
            Some(how) => how,
        };
        std::fs::write(log, &said).with_context(|| format!("write {}", log.display()))?;
        let tests = if ended == Ended::TimedOut(RUN_LIMIT) { vec![] } else { failed(&said) };
        let what = if tests.is_empty() { vec![how] } else { tests.iter().map(|test| (*test).to_owned()).collect() };
        let repeat = self.command(if tests.len() > MOST_NAMED { &[] } else { &tests });
        Ok(Some(Failure { what, repeat, log: log.into() }))
    }
}

/// One of so many parts of the tests that a test program lists.
fn part_of(listed: &str, part: usize, parts: usize) -> Vec<&str> {
    let tests = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    tests.enumerate().filter(|(i, _)| i % parts == part).map(|(_, test)| test).collect()
}

/// How many tests passed, according to the test runner's last lines.
pub(crate) fn passed(said: &str) -> u64 {
    let line = said.lines().rev().find_map(|line| line.strip_prefix("test result: ok. "));
    line.and_then(|line| line.split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// The tests that failed, according to the test runner's line for each.
pub(crate) fn failed(said: &str) -> Vec<&str> {
    said.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_once_and_each_seed_before_the_next() {
        let all = runs(7..9, true);
        assert_eq!(all.len(), 2 * SUITES.len() * 2 * 3 * 3);
        assert!((0..all.len()).all(|i| !all[i + 1..].contains(&all[i])));
        assert!(all.iter().take(72).all(|run| run.seed == 7));
        assert!(all.iter().skip(72).all(|run| run.seed == 8 && run.net.ends_with(":8")));
    }

    #[test]
    fn as_many_seeds_as_combinations_see_them_all() {
        let some = runs(1..19, false);
        assert_eq!(some.len(), SUITES.len() * 18);
        let shape = |run: &Run| {
            (run.nodes, run.map.split(':').next().map(str::to_owned), run.net.split(':').nth(1).map(str::to_owned))
        };
        let seen: std::collections::BTreeSet<_> = some.iter().map(shape).collect();
        assert_eq!(seen.len(), 18);
    }

    #[test]
    fn a_run_can_be_repeated_whole_or_in_part() {
        let all = runs(7..8, true);
        let variables = "CUSHMEM_TEST_NODES=4 CUSHMEM_TEST_MAP=random:7 CUSHMEM_NET=loopback:efa:7 CUSHMEM_TEST_SEED=7";
        let [host, staged, device, spec] = &all[68..] else { panic!("{all:?}") };
        assert!(staged.command(&[]).ends_with("--test host -- staged_traffic::soft::"));
        assert_eq!(host.command(&[]), format!("{variables} cargo test -p cushmem-conformance --test host -- host::"));
        assert!(device.command(&[]).ends_with("cargo test -p cushmem-conformance --test device -- soft::"));
        assert_eq!(
            spec.command(&[]),
            format!("{variables} cargo test -p cushmem-spec-tests --test suite -- clauses::")
        );
        assert!(
            spec.command(&["clauses::rma", "clauses::order"])
                .ends_with("--test suite -- --exact clauses::rma clauses::order")
        );
        assert_eq!(spec.to_string(), "clauses::              --nodes 4 --map random:7 loopback:efa:7");
    }

    #[test]
    fn the_parts_make_up_the_suite() {
        let listed = "a: test\nb: test\nc: test\nd: test\n";
        let mut all: Vec<&str> = (0..SHARES).flat_map(|part| part_of(listed, part, SHARES)).collect();
        assert_eq!(part_of(listed, 0, SHARES), ["a", "d"]);
        all.sort_unstable();
        assert_eq!(all, ["a", "b", "c", "d"]);
    }

    #[test]
    fn a_line_does_not_name_all_of_many() {
        let shown = |n: usize| {
            let what = (0..n).map(|test| test.to_string()).collect();
            Failure { what, repeat: "again".into(), log: "1.log".into() }.to_string()
        };
        assert_eq!(shown(2), "0, 1; its output is in 1.log; to repeat it: again");
        assert!(shown(6).starts_with("0, 1, 2, 3, 4, 5; "));
        assert!(shown(8).starts_with("0, 1, 2, 3, 4, 5 and 2 more; "));
    }

    #[test]
    fn failed_tests_are_found_in_what_the_runner_says() {
        let said = "test put::host::a ... ok\ntest put::host::b ... FAILED\ntest c has been running for over 60 seconds\n\
                    test d ... FAILED\n\nfailures:\n    d\n\ntest result: FAILED. 1 passed; 2 failed\n";
        assert_eq!(failed(said), ["put::host::b", "d"]);
        assert_eq!(passed("test a ... ok\n\ntest result: ok. 12 passed; 0 failed; 1 filtered out\n"), 12);
        assert_eq!((passed(said), passed("")), (0, 0));
        assert!(failed("thread 'main' panicked").is_empty());
    }
}

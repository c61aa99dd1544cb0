//! `cargo xtask endure --silences N`: small jobs on several emulated nodes, of which one PE no longer answers those of
//! other nodes, from any of their operations on, as if its machine had died. Each job must end within [`LIMIT`] with a
//! line that names the PE, its node and an operation, and leave nothing behind.

use super::leftovers::{Before, LIMIT, MARK, SHARED_MEMORY};
use super::report_round;
use crate::build::{Profile, build};
use crate::soak::NETS;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use cushmem_environment::{NET, NET_LIMIT_S};
use cushmem_numbers::Random;
use cushmem_scratch::Folder;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a PE may not answer, in seconds. Long enough for a PE that waits for a core.
const SILENT_S: &str = "0.5";
/// The PE falls silent after fewer operations than this. A job starts with about a hundred.
const MOST_OPERATIONS: f64 = 3000.0;
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// What the PEs do in the meantime, as steps of `fault-pe`. They would do it for ever.
const WORK: &str = "traffic";

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Round {
    number: u64,
    pes: usize,
    nodes: usize,
    net: &'static str,
    silent: usize,
    after: u64,
}

fn draw(seed: u64, number: u64) -> Round {
    let mut random = Random::new(seed).split(number);
    let net = NETS[number as usize % NETS.len()];
    let nodes = *random.one_of(&[2, 3]);
    let pes = nodes + random.below(2);
    // Early operations come as often as late ones.
    let part = random.below(1000) as f64 / 1000.0;
    Round { number, pes, nodes, net, silent: random.below(pes), after: MOST_OPERATIONS.powf(part) as u64 - 1 }
}

impl Round {
    fn setting(&self) -> String {
        format!("loopback:{}:{},silent={}@{}", self.net, self.number, self.silent, self.after)
    }

    /// Whether the job ended as it must: with an error, and a line that says why.
    fn is_right(&self, succeeded: bool, said: &str) -> bool {
        let named = |line: &str| {
            let of_pe = format!(" of PE {} cannot be reached from here: ", self.silent);
            let why = format!(" has not answered for {SILENT_S} s");
            line.contains(&of_pe) && line.contains(" bytes: node ") && line.contains(&why)
        };
        !succeeded && said.lines().any(named)
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} PEs on {} nodes, {}", self.pes, self.nodes, self.setting())
    }
}

/// Runs the rounds and prints a table. Fails if a round failed.
pub fn silences(bin_dir: Option<&Path>, seed: u64, numbers: impl Iterator<Item = u64>) -> Result<()> {
    let bin_dir = match bin_dir {
        Some(folder) => folder.canonicalize().with_context(|| format!("find {}", folder.display()))?,
        None => build(&Workspace::load()?, Profile::Dev, &["cushmem-launcher", "cushmem-fault-tests"])?,
    };
    let folder = Folder::new("silences").context("make a folder")?;
    let mut table: BTreeMap<&str, (u32, Duration)> = BTreeMap::new();
    let (mut good, mut bad) = (0, 0);
    for round in numbers.map(|number| draw(seed, number)) {
        let (time, wrong, said) = run_round(&round, &bin_dir, &folder)?;
        if wrong.is_empty() {
            good += 1;
            let (count, longest) = table.entry(round.net).or_default();
            (*count, *longest) = (*count + 1, time.max(*longest));
            continue;
        }
        bad += 1;
        report_round("--silences", seed, (round.number, &round), &wrong, &said);
    }
    println!("network, jobs, longest time until nothing was left:");
    for (net, (count, longest)) in table {
        println!("{net:6} {count:6} {:6.2} s", longest.as_secs_f64());
    }
    println!("{good} rounds passed, {bad} failed");
    ensure!(bad == 0, "{bad} rounds failed");
    Ok(())
}

/// Runs a job. Returns how long it took until nothing was left, what went wrong, and what the job printed.
fn run_round(round: &Round, bin_dir: &Path, folder: &Path) -> Result<(Duration, Vec<String>, String)> {
    let mark = format!("mark={}-{}", std::process::id(), round.number);
    let own = folder.join("own");
    fs::create_dir_all(&own).with_context(|| format!("make {}", own.display()))?;
    let before = Before::look(&mark, &own, Path::new(SHARED_MEMORY), None);
    let log = folder.join("job.log");
    let file = File::create(&log).with_context(|| format!("write {}", log.display()))?;
    let mut command = Command::new(bin_dir.join("shmemrun"));
    command.args(["-n", &round.pes.to_string(), "--nodes", &round.nodes.to_string(), "--timeout", "60"]);
    command.arg(bin_dir.join("fault-pe")).args([&*mark, "init", WORK]);
    command.env(NET.name, round.setting()).env(NET_LIMIT_S.name, SILENT_S).env("CUSHMEM_GPU", "none");
    command.env(MARK, &mark).env("TMPDIR", &own).current_dir(&own);
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let begin = Instant::now();
    let mut job = command.spawn().context("start shmemrun")?;
    let status = loop {
        let status = job.try_wait()?;
        if status.is_some() && before.processes().is_empty() || begin.elapsed() >= LIMIT {
            break status;
        }
        sleep(LOOK_EVERY);
    };
    let time = begin.elapsed();
    let rest = LIMIT.saturating_sub(time).max(LIMIT / 8);
    let mut wrong: Vec<String> = before.left(rest).into_iter().map(|what| format!("left behind: {what}")).collect();
    before.kill();
    job.wait().context("wait for shmemrun")?;
    fs::remove_dir_all(&own).with_context(|| format!("remove {}", own.display()))?;
    let said = fs::read(&log).with_context(|| format!("read {}", log.display()))?;
    let said = String::from_utf8_lossy(&said).into_owned();
    match status {
        None => wrong.push(format!("it did not end within {LIMIT:?}")),
        Some(status) if !round.is_right(status.success(), &said) => wrong.push(format!("it ended with {status}")),
        Some(_) => {}
    }
    Ok((time, wrong, said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_pe_falls_silent_at_any_moment_on_every_network() {
        let all: Vec<Round> = (0..900).map(|number| draw(7, number)).collect();
        assert_eq!(all, (0..900).map(|number| draw(7, number)).collect::<Vec<_>>());
        let kinds: BTreeSet<_> = all.iter().map(|round| (round.net, round.pes, round.nodes, round.silent)).collect();
        // 2 and 3 PEs on 2 nodes, 3 and 4 on 3.
        assert_eq!(kinds.len(), NETS.len() * (2 + 3 + 3 + 4));
        let early = all.iter().filter(|round| round.after < 100).count();
        assert!((300..700).contains(&early), "{early}");
        assert!(all.iter().any(|round| round.after == 0) && all.iter().all(|round| round.after < 3000));
    }

    #[test]
    fn a_job_must_say_who_does_not_answer() {
        let round = Round { silent: 2, ..draw(1, 0) };
        let line =
            |pe, why| format!("x\nnetwork: memory of PE {pe} cannot be reached from here: put of 8 bytes: {why}\n");
        let right = line(2, "node 1 has not answered for 0.5 s (CUSHMEM_NET_LIMIT_S)");
        assert!(round.is_right(false, &right) && !round.is_right(true, &right));
        assert!(!round.is_right(false, &line(1, "node 1 has not answered for 0.5 s")));
        assert!(!round.is_right(false, &line(2, "the connection is lost")) && !round.is_right(false, ""));
    }
}

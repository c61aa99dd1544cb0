//! `cargo xtask endure --kills N`: small jobs, of which each process gets each signal, at any moment. Whatever the
//! process and the signal, the job must end and leave nothing behind: within [`SLOW`] if the machine has a core for
//! every process that computes, and within [`LIMIT`] otherwise.
//!
//! A signal that does not end a job, such as SIGSTOP, is followed by one that must.

use super::leftovers::{Before, LIMIT, MARK, SHARED_MEMORY, signal, text};
use super::report_round;
use crate::build::{Profile, build};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use cushmem_numbers::Random;
use cushmem_scratch::Folder;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PROCESSES: [Process; 6] =
    [Process::Front, Process::Keeper, Process::Supervisor, Process::Pe, Process::Child, Process::Daemon];
const SIGNALS: [&str; 4] = ["KILL", "STOP", "TERM", "INT"];
/// The latest moment of a signal, drawn from these: the first covers the start of the launcher and the PEs, the second
/// joining and leaving, the third the work.
const MOMENTS_MS: [u64; 3] = [12, 80, 400];
/// How long the process may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);
/// The longest time between a signal that does not end the job and the one that does.
const PAUSE_MS: usize = 50;
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// A clean-up that takes longer has failed on a machine that is not busy.
const SLOW: Duration = Duration::from_secs(10);

/// A process of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Process {
    Front,
    Keeper,
    Supervisor,
    Pe,
    /// A child of a PE, in the PE's process group.
    Child,
    /// A process in a session of its own. Its parent is a child of a PE, or has gone.
    Daemon,
}

/// What happens to a job.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Round {
    number: u64,
    pes: usize,
    nodes: usize,
    /// The job ends by itself.
    ends: bool,
    process: Process,
    signal: &'static str,
    /// An index of [`MOMENTS_MS`], and the time after the start.
    moment: (usize, Duration),
    /// Chooses among several processes.
    which: usize,
    pause: Duration,
    /// A stopped front is continued and asked to end the job, instead of being killed.
    continues: bool,
}

fn draw(seed: u64, number: u64) -> Round {
    let mut random = Random::new(seed).split(number);
    // All combinations come equally often.
    let turn = number as usize;
    let (process, turn) = (PROCESSES[turn % PROCESSES.len()], turn / PROCESSES.len());
    let (signal, turn) = (SIGNALS[turn % SIGNALS.len()], turn / SIGNALS.len());
    let longest = turn % MOMENTS_MS.len();
    let moment = Duration::from_micros(random.below(1000 * MOMENTS_MS[longest] as usize) as u64);
    let nodes = *random.one_of(&[1, 2, 4]);
    Round {
        number,
        pes: nodes.max(2) + random.below(3),
        nodes,
        ends: random.below(4) == 0,
        process,
        signal,
        moment: (longest, moment),
        which: random.below(1000),
        pause: Duration::from_millis(random.below(PAUSE_MS) as u64),
        continues: random.below(2) == 0,
    }
}

impl Round {
    /// The signals that follow and must end the job: none if the first one must.
    fn next(&self) -> &'static [&'static str] {
        match (self.process, self.signal) {
            (Process::Front, "STOP") if self.continues => &["CONT", "TERM"],
            (Process::Front, "STOP") => &["KILL"],
            (Process::Child | Process::Daemon, _) | (_, "STOP") => &["TERM"],
            _ => &[],
        }
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (process, moment) = (self.process.name(), self.moment.1);
        write!(f, "{} PEs on {} nodes: SIG{} to {process} after {moment:.1?}", self.pes, self.nodes, self.signal)?;
        self.next().iter().try_for_each(|signal| write!(f, ", then SIG{signal} to the front"))
    }
}

impl Process {
    fn name(self) -> &'static str {
        match self {
            Self::Front => "the front",
            Self::Keeper => "the keeper",
            Self::Supervisor => "the supervisor",
            Self::Pe => "a PE",
            Self::Child => "a child of a PE",
            Self::Daemon => "a process in its own session",
        }
    }

    /// The process of the job, if it exists; `which` chooses among several.
    fn find(self, front: u32, which: usize) -> Option<u32> {
        let below = |all: &[u32]| all.iter().copied().flat_map(children).collect::<Vec<_>>();
        let is_daemon = |pid: &u32| text(*pid, "cmdline").contains("\0session\0");
        let keeper = children(front);
        let supervisor = below(&keeper);
        // A daemon whose parent has gone is a child of the supervisor.
        let (lost, pes): (Vec<u32>, Vec<u32>) = below(&supervisor).into_iter().partition(is_daemon);
        let all = match self {
            Self::Front => vec![front],
            Self::Keeper => keeper,
            Self::Supervisor => supervisor,
            Self::Pe => pes,
            Self::Child => below(&pes),
            Self::Daemon => {
                let lower = below(&below(&pes));
                lost.into_iter().chain(lower.into_iter().filter(is_daemon)).collect()
            }
        };
        (!all.is_empty()).then(|| all[which % all.len()])
    }
}

/// The children of a process; none if it has ended.
fn children(parent: u32) -> Vec<u32> {
    let all = text(parent, &format!("task/{parent}/children"));
    all.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// How many signals of a kind were sent, and the longest time until nothing was left of the job.
#[derive(Clone, Copy, Default)]
struct Cell {
    count: u32,
    longest: Duration,
}

/// Runs the rounds and prints a table. Fails if a round failed.
pub fn kills(bin_dir: Option<&Path>, seed: u64, numbers: impl Iterator<Item = u64>) -> Result<()> {
    let ignores_sigint = ignores_sigint()?;
    let bin_dir = match bin_dir {
        Some(folder) => folder.canonicalize().with_context(|| format!("find {}", folder.display()))?,
        None => build(&Workspace::load()?, Profile::Dev, &["cushmem-launcher", "cushmem-fault-tests"])?,
    };
    let folder = Folder::new("kills").context("make a folder")?;
    let mut table: BTreeMap<(Process, &str), [Cell; MOMENTS_MS.len()]> = BTreeMap::new();
    let (mut good, mut early, mut bad) = (0, 0, 0);
    let mut slowest = (Duration::ZERO, 0);
    for round in numbers.map(|number| draw(seed, number)) {
        ensure!(round.signal != "INT" || !ignores_sigint, "SIGINT is ignored here: start this in the foreground");
        let (end, wrong, said) = run_round(&round, &bin_dir, &folder)?;
        if let Some(end) = end {
            slowest = slowest.max((end, round.number));
            let cell = &mut table.entry((round.process, round.signal)).or_default()[round.moment.0];
            *cell = Cell { count: cell.count + 1, longest: cell.longest.max(end) };
        }
        if wrong.is_empty() {
            early += u32::from(end.is_none());
            good += 1;
            continue;
        }
        bad += 1;
        report_round("--kills", seed, (round.number, &round), &wrong, &said);
    }
    let limits = MOMENTS_MS.map(|limit| format!("{:>13}", format!("< {limit} ms")));
    println!("signals by process and moment, with the longest time until nothing was left:");
    println!("{:8} {:29}{}", "signal", "process", limits.concat());
    for ((process, signal), cells) in table {
        let cells = cells.map(|Cell { count, longest }| format!("{count:5} {:5.2} s", longest.as_secs_f64()));
        println!("SIG{signal:5} {:29}{}", process.name(), cells.concat());
    }
    println!("{good} rounds passed, {bad} failed; in {early} of them the job had ended before the signal");
    println!("the slowest clean-up took {:.2} s, in round {}", slowest.0.as_secs_f64(), slowest.1);
    ensure!(bad == 0, "{bad} rounds failed");
    Ok(())
}

/// What is wrong with a clean-up that took this long while `waiting` processes computed or waited for a core, on
/// average over the last minute.
fn is_slow(took: Duration, waiting: f64, cores: usize) -> Option<String> {
    let is_idle = waiting <= cores as f64;
    (took > SLOW && is_idle).then(|| format!("the clean-up took {took:.1?}, though the machine was not busy"))
}

/// The load of the machine, as the operating system averages it over a minute. Infinite if it does not say.
fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|load| load.parse().ok()).unwrap_or(f64::INFINITY)
}

/// Whether this process ignores SIGINT, as its jobs would. A shell without job control has it ignored in what it runs
/// in the background.
fn ignores_sigint() -> Result<bool> {
    let status = text(std::process::id(), "status");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map_or("0", str::trim);
    // Bit n-1 stands for signal n.
    Ok(u64::from_str_radix(ignored, 16).context("read which signals are ignored")? & 2 != 0)
}

/// Starts the job, sends the signals and waits for the end. Returns how long it took, unless the job had ended before;
/// what went wrong; and what the job printed.
fn run_round(round: &Round, bin_dir: &Path, folder: &Path) -> Result<(Option<Duration>, Vec<String>, String)> {
    let mark = format!("mark={}-{}", std::process::id(), round.number);
    let own = folder.join("own");
    fs::create_dir_all(&own).with_context(|| format!("make {}", own.display()))?;
    let before = Before::look(&mark, &own, Path::new(SHARED_MEMORY), None);
    let log = folder.join("job.log");
    let file = File::create(&log).with_context(|| format!("write {}", log.display()))?;
    let mut command = Command::new(bin_dir.join("shmemrun"));
    command.args(["-n", &round.pes.to_string(), "--nodes", &round.nodes.to_string(), "--timeout", "60"]);
    command.arg(bin_dir.join("fault-pe")).args([&*mark, "spawn", "family", "init"]);
    command.args(if round.ends { ["barrier", "leave"] } else { ["barrier", "traffic"] });
    command.env(MARK, &mark).env("TMPDIR", &own).current_dir(&own);
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let mut job = command.spawn().context("start shmemrun")?;
    sleep(round.moment.1);
    let sent = send(round, &mut job)?;
    let begin = Instant::now();
    let mut wrong = vec![];
    let status = loop {
        let status = job.try_wait()?;
        if status.is_some() && before.processes().is_empty() || begin.elapsed() >= LIMIT {
            break status;
        }
        sleep(LOOK_EVERY);
    };
    wrong.extend(complaint(round, sent, status));
    // More than one look, because other programs have sockets too.
    let rest = LIMIT.saturating_sub(begin.elapsed()).max(LIMIT / 8);
    wrong.extend(before.left(rest).into_iter().map(|what| format!("left behind: {what}")));
    let end = begin.elapsed();
    wrong.extend(is_slow(end, load(), std::thread::available_parallelism()?.get()));
    before.kill();
    job.wait().context("wait for shmemrun")?;
    fs::remove_dir_all(&own).with_context(|| format!("remove {}", own.display()))?;
    let said = fs::read(&log).with_context(|| format!("read {}", log.display()))?;
    Ok((sent.then_some(end), wrong, String::from_utf8_lossy(&said).into_owned()))
}

fn complaint(round: &Round, sent: bool, status: Option<ExitStatus>) -> Option<String> {
    let ended_well = status?.success();
    match (sent, round.ends) {
        (false, false) => Some("the job ended, or the process did not start, before the signal".into()),
        (true, false) if ended_well => Some("the job of endless PEs ended with status 0".into()),
        _ => None,
    }
}

/// Sends the signals as soon as the process exists. Returns false if the job ended before that.
fn send(round: &Round, job: &mut Child) -> Result<bool> {
    let deadline = Instant::now() + START_LIMIT;
    while job.try_wait()?.is_none() && Instant::now() < deadline {
        if let Some(pid) = round.process.find(job.id(), round.which) {
            signal(round.signal, &[pid]);
            if !round.next().is_empty() {
                sleep(round.pause);
            }
            for name in round.next() {
                // It has not been waited for, so the number is its own.
                if job.try_wait()?.is_none() {
                    signal(name, &[job.id()]);
                }
            }
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_process_gets_every_signal_at_every_moment() {
        let all: Vec<Round> = (0..720).map(|number| draw(7, number)).collect();
        let kinds: Vec<_> = all.iter().map(|round| (round.process, round.signal, round.moment.0)).collect();
        let distinct: BTreeSet<_> = kinds.iter().collect();
        assert_eq!(distinct.len(), PROCESSES.len() * SIGNALS.len() * MOMENTS_MS.len());
        assert!(distinct.into_iter().all(|kind| kinds.iter().filter(|other| *other == kind).count() == 10));
        let nodes: BTreeSet<_> = all.iter().map(|round| round.nodes).collect();
        assert_eq!(nodes, [1, 2, 4].into());
        assert!(all.iter().all(|round| round.pes >= round.nodes));
        assert_eq!(all, (0..720).map(|number| draw(7, number)).collect::<Vec<_>>());
        assert_ne!(all[0], draw(8, 0));
    }

    /// Catches a clean-up that hangs until some process has reached its limit: the one for busy machines hides that.
    #[test]
    fn a_slow_clean_up_fails_unless_the_machine_is_busy() {
        let [quick, slow] = [9, 11].map(Duration::from_secs);
        assert_eq!(
            [(quick, 0.5), (quick, 50.0), (slow, 2.5)].map(|(took, load)| is_slow(took, load, 2)),
            [const { None }; 3]
        );
        assert!(is_slow(slow, 2.0, 2).is_some());
        assert!(load() < f64::INFINITY, "Linux says it");
    }

    #[test]
    fn what_does_not_end_a_job_is_followed_by_what_does() {
        let next = |process, signal| Round { process, signal, continues: false, ..draw(1, 0) }.next();
        assert_eq!(next(Process::Front, "STOP"), ["KILL"]);
        assert_eq!(next(Process::Pe, "STOP"), ["TERM"]);
        assert_eq!(next(Process::Child, "KILL"), ["TERM"]);
        assert_eq!(next(Process::Pe, "INT"), [""; 0]);
    }
}

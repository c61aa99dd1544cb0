//! `cargo xtask endure`: for some minutes, runs parts of all suites in turn, and between them jobs that are killed.
//! Nothing may fail, and nothing may be left behind. With `--bin-dir` it needs neither cargo nor the sources.

mod kills;
mod leftovers;
mod repeat;
mod silences;
mod steps;

use crate::build::{Profile, bin_dir};
use crate::bundle::{Executable, suites};
use crate::kernels::{self, Kernels, Need};
use crate::left_out::{self, List, Suites};
use crate::machine::cuda_gpus;
use crate::process::{Ended, cargo, output_of, run, run_limited};
use crate::ptx::Outcome;
use crate::report::shown;
use crate::runner::limit_threads;
use crate::soak::{failed, passed};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use cushmem_scratch::Folder;
use leftovers::{Before, LIMIT, MARK, OnGpus, SHARED_MEMORY, signal};
use std::fmt::Display;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use steps::{Kill, STATE, Step, Suite, Victim, What, step};

/// What `cargo xtask endure` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder that contains the programs, and in `deps` the suites; without it, they are built
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// Start no step after this many seconds, and stop a step that runs more than 45 seconds past them [default: 540;
    /// no limit for --repeat]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub seconds: Option<u64>,
    /// Random seed that determines all steps [default: from the clock]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Only send N signals to small jobs: every signal to every process of a job, at any moment
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    pub kills: Option<u64>,
    /// Only run N small jobs on several emulated nodes, of which one PE falls silent, as if its machine had died
    #[arg(long, value_name = "N", conflicts_with_all = ["seconds", "kills"])]
    pub silences: Option<u64>,
    /// Run only the step with this number
    #[arg(long, value_name = "N")]
    pub step: Option<u64>,
    /// Instead, run every suite whole, N times
    #[arg(long, value_name = "N", conflicts_with_all = ["kills", "silences", "step"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub repeat: Option<u64>,
    /// How many suites run at the same time, also if they share GPUs
    #[arg(long, value_name = "N", requires = "repeat", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub beside: u64,
    /// Take only suites whose names contain TEXT
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["kills", "silences"])]
    pub suite: Option<String>,
}

/// How long steps are started unless the user says it.
const SECONDS: u64 = 540;
/// Each job of a suite has its own limit; this one is for tests that do not end in spite of that.
const TESTS_LIMIT: Duration = Duration::from_secs(180);
/// How long a step may continue after the time is over.
const OVERTIME: Duration = Duration::from_secs(45);
/// How long the process to be killed may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);
/// The time limit of a job that outlives its kill.
const JOB_LIMIT_S: &str = "60";
/// A test of symbol names, which the stripped programs of a bundle lack.
const NOT_IN_A_BUNDLE: &str = "profilers_find_the_names_of_functions";
/// How many lines of a failed step's output are shown.
const LINES_SHOWN: usize = 15;

/// What all steps share.
struct Run {
    bin_dir: PathBuf,
    suites: Vec<Suite>,
    gpus: usize,
    /// The processes that were on the GPUs before.
    on_gpus: Option<OnGpus>,
    /// Whether jobs may run on GPUs.
    kernels: Kernels,
    /// The folder for the steps' own folders, the logs and the list of skipped tests.
    folder: Folder,
    list: List,
}

/// How a step ended.
struct Outcomes {
    /// What went wrong.
    wrong: Vec<String>,
    /// What it printed.
    said: String,
    /// The end of the whole run cut the step short.
    is_cut: bool,
}

/// Runs steps until the time is over. Fails if a step failed, or if none was completed.
pub fn endure(options: &Options) -> Result<()> {
    let seed = options.seed.unwrap_or_else(crate::seed::from_clock);
    println!("seed {seed}");
    if let Some(count) = options.kills {
        let numbers = options.step.map_or(0..count, |number| number..number + 1);
        return kills::kills(options.bin_dir.as_deref(), seed, numbers);
    }
    if let Some(count) = options.silences {
        let numbers = options.step.map_or(0..count, |number| number..number + 1);
        return silences::silences(options.bin_dir.as_deref(), seed, numbers);
    }
    let run = Run::new(options)?;
    if let Some(count) = options.repeat {
        println!("{} suites, {count} times; logs of what fails: {}", run.suites.len(), shown(&run.folder));
        let time = options.seconds.map(Duration::from_secs);
        let (good, bad) = repeat::repeat(&run, seed, count, options.beside, time)?;
        run.end()?;
        ensure!(bad == 0, "{bad} runs of a suite failed");
        ensure!(good > 0, "no suite ran to its end");
        return Ok(());
    }
    let seconds = options.seconds.unwrap_or(SECONDS);
    let gpus = if run.gpus == 0 { "emulated GPUs".into() } else { format!("{} GPUs", run.gpus) };
    println!("{} suites, {gpus}, {seconds} s; logs of what fails: {}", run.suites.len(), run.folder.display());
    let begin = Instant::now();
    let time = Duration::from_secs(seconds);
    let numbers = options.step.map_or(0..u64::MAX, |number| number..number + 1);
    let (mut good, mut bad) = (0, 0);
    for step in numbers.map(|number| step(seed, number, &run.suites, run.gpus)).take_while(|_| begin.elapsed() < time) {
        let start = Instant::now();
        let outcomes = run.step(&step, (time + OVERTIME).saturating_sub(begin.elapsed()))?;
        let word = match outcomes.wrong.is_empty() {
            false => "FAILED",
            true if outcomes.is_cut => "cut",
            true => "ok",
        };
        println!("[{:3}] {word:6} {:5.1} s  {step}", step.number, start.elapsed().as_secs_f64());
        if outcomes.wrong.is_empty() {
            good += u32::from(!outcomes.is_cut);
            continue;
        }
        bad += 1;
        report(&run.folder, step.number, &outcomes)?;
        println!("        to repeat it: {}", command_of(options, seed, step.number));
    }
    println!("{good} steps passed, {bad} failed");
    run.end()?;
    ensure!(bad == 0, "{bad} steps failed");
    ensure!(good > 0, "no step was completed in {seconds} s");
    Ok(())
}

/// Prints what went wrong and the last lines of the output, all of which goes to a file in this folder, which is kept.
fn report(folder: &Folder, number: u64, outcomes: &Outcomes) -> Result<()> {
    let lines: Vec<&str> = outcomes.said.lines().collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..].iter().for_each(|line| println!("        | {line}"));
    outcomes.wrong.iter().for_each(|what| println!("        {what}"));
    let log = folder.join(format!("{number}.log"));
    folder.keep();
    fs::write(&log, &outcomes.said).with_context(|| format!("write {}", log.display()))
}

/// Prints that a round of `option` failed: what went wrong, what the job printed, and the command that repeats it.
fn report_round(option: &str, seed: u64, (number, round): (u64, &impl Display), wrong: &[String], said: &str) {
    println!("[{number:5}] FAILED {round}");
    wrong.iter().for_each(|what| println!("        {what}"));
    said.lines().for_each(|line| println!("        | {line}"));
    println!("        to repeat it: cargo xtask endure {option} {} --seed {seed} --step {number}", number + 1);
}

/// The command that repeats a step.
fn command_of(options: &Options, seed: u64, number: u64) -> String {
    let program = match &options.bin_dir {
        Some(folder) => format!("{0}/xtask endure --bin-dir {0}", folder.display()),
        None => "cargo xtask endure".into(),
    };
    format!("{program} --seed {seed} --step {number}")
}

impl Run {
    fn new(options: &Options) -> Result<Self> {
        let (bin_dir, mut executables, kernels) = match &options.bin_dir {
            Some(folder) => {
                let folder = folder.canonicalize().with_context(|| format!("find {}", folder.display()))?;
                let suites = in_bundle(&folder.join("deps"))?;
                (folder, suites, Kernels::Ready)
            }
            None => build()?,
        };
        executables.sort_by(|a, b| a.name.cmp(&b.name));
        let gpus = if matches!(kernels, Kernels::LeftOut(_)) { 0 } else { cuda_gpus().unwrap_or(0) };
        let mut suites = vec![];
        for Executable { name, path } in executables {
            let mut tests = tests(&path, gpus)?;
            tests.retain(|test| options.bin_dir.is_none() || test != NOT_IN_A_BUNDLE);
            let is_wanted = options.suite.as_ref().is_none_or(|part| name.contains(part));
            suites.extend((is_wanted && !tests.is_empty()).then_some(Suite { name, path, tests }));
        }
        let wanted = options.suite.as_ref().map_or(String::new(), |part| format!(" whose name contains {part:?}"));
        ensure!(!suites.is_empty(), "{} has no suite{wanted}", bin_dir.display());
        let folder = Folder::new("endure").context("make a folder")?;
        let list = List::new(&folder)?;
        let on_gpus = (gpus > 0).then(leftovers::on_gpus);
        Ok(Self { bin_dir, suites, kernels, gpus, on_gpus, folder, list })
    }

    /// What all tests and jobs get.
    fn prepare(&self, command: &mut Command) {
        command.env(left_out::VARIABLE, self.list.path());
        self.kernels.limit(command);
    }

    /// Says what was skipped. Fails if something was skipped that this machine can run.
    fn end(self) -> Result<()> {
        self.list.close(&[], Suites::Some)
    }

    /// Runs a step within the limit and cleans up after it. Fails if that was not possible.
    fn step(&self, step: &Step, limit: Duration) -> Result<Outcomes> {
        let mark = format!("{}-{}", std::process::id(), step.number);
        let own = self.folder.join("step");
        // It is not in the step's folder, where nothing may be left.
        let saved = self.folder.join("saved");
        for folder in [&own, &saved] {
            fs::create_dir_all(folder).with_context(|| format!("make {}", folder.display()))?;
        }
        let state = saved.join("state.lbm");
        let before = Before::look(&mark, &own, Path::new(SHARED_MEMORY), self.on_gpus.clone());
        let prepared = |program: &Path| {
            let mut command = Command::new(program);
            command.envs(step.variables()).env(MARK, &mark).env("TMPDIR", &own).current_dir(&own);
            self.prepare(&mut command);
            command
        };
        let mut outcomes = match &step.what {
            What::Tests { suite } => self.tests(suite, prepared(&suite.path), limit, TESTS_LIMIT)?,
            What::Kill(kill) => self.kill(kill, step, prepared(&self.bin_dir.join("shmemrun")), &state, &before)?,
        };
        if !outcomes.is_cut {
            outcomes.wrong.extend(before.left(LIMIT).into_iter().map(|what| format!("left behind: {what}")));
        }
        before.kill();
        if state.exists() {
            outcomes.wrong.extend(self.restore(&state, prepared(&self.bin_dir.join("shmemrun")))?);
        }
        for folder in [&own, &saved] {
            fs::remove_dir_all(folder).with_context(|| format!("remove {}", folder.display()))?;
        }
        Ok(outcomes)
    }

    /// Runs these tests of a suite. `limit` is what is left of the whole run, and `own` the limit of the tests.
    fn tests(&self, suite: &Suite, mut command: Command, limit: Duration, own: Duration) -> Result<Outcomes> {
        command.arg("--exact").args(&suite.tests);
        // Tests that share GPUs run one after the other.
        if self.gpus > 0 {
            command.arg("--test-threads=1");
        } else {
            limit_threads(&mut command);
        }
        let (ended, said) = run_limited(&mut command, limit.min(own))?;
        let is_cut = limit < own && ended == Ended::TimedOut(limit);
        Ok(Outcomes { wrong: wrong_tests(suite, &ended, &said, is_cut), said, is_cut })
    }

    /// Restores the state that a killed run saved. Returns what went wrong, if anything.
    fn restore(&self, state: &Path, mut command: Command) -> Result<Option<String>> {
        let content = fs::read(state).with_context(|| format!("read {}", state.display()))?;
        // The file begins with lines of text. Its count includes the steps of `--relax`, which `--iters` does not, so
        // only as many steps as `--relax` makes are left.
        let steps = content.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(b"steps "));
        let steps = steps.map_or("1".into(), |steps| String::from_utf8_lossy(steps));
        command.args(["-n", "1", "--timeout", JOB_LIMIT_S]).arg(self.bin_dir.join("lbm")).arg("--restore").arg(state);
        command.args(["--iters", &steps, "--warmup", "0", "--no-verify"]);
        let (ended, said) = run_limited(&mut command, TESTS_LIMIT)?;
        let last = said.lines().last().unwrap_or("it printed nothing");
        Ok(ended.failure().map(|how| format!("the saved state cannot be restored: {how}: {last}")))
    }

    fn kill(&self, kill: &Kill, step: &Step, mut command: Command, state: &Path, before: &Before) -> Result<Outcomes> {
        let log = self.folder.join("job.log");
        let file = File::create(&log).with_context(|| format!("write {}", log.display()))?;
        command.args(["-n", &kill.pes.to_string(), "--map", &step.placement.map, "--timeout", JOB_LIMIT_S]);
        if step.placement.nodes > 1 {
            command.args(["--nodes", &step.placement.nodes.to_string()]);
        }
        command.arg(self.bin_dir.join(kill.program));
        for word in &kill.arguments {
            if word == STATE {
                command.arg(state)
            } else {
                command.arg(word)
            };
        }
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let mut job = command.spawn().context("start shmemrun")?;
        sleep(kill.moment);
        let is_killed = send(kill.victim, &mut job, before)?;
        let wrong = match end(&mut job)? {
            None if is_killed => Some(format!("shmemrun still runs {} s after the kill", LIMIT.as_secs())),
            None => Some("the process to be killed did not start".into()),
            Some(0) if kill.ends => None,
            Some(status) if !is_killed => Some(format!("it ended with status {status} before the kill")),
            Some(status) if status == kill.victim.status() => None,
            Some(status) => Some(format!("shmemrun ended with status {status} instead of {}", kill.victim.status())),
        };
        if wrong.is_some() {
            signal("KILL", &before.processes());
            job.wait().context("wait for shmemrun")?;
        }
        let said = fs::read(&log).with_context(|| format!("read {}", log.display()))?;
        fs::remove_file(&log).with_context(|| format!("remove {}", log.display()))?;
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok(Outcomes { wrong: wrong.into_iter().collect(), said, is_cut: false })
    }
}

/// What is wrong with tests that ended in this way. Running out of time is not a fault.
fn wrong_tests(suite: &Suite, ended: &Ended, said: &str, is_cut: bool) -> Vec<String> {
    let mut wrong: Vec<_> = failed(said).into_iter().map(|test| format!("failed: {test}")).collect();
    match ended.failure() {
        _ if is_cut => {}
        Some(how) => wrong.push(how),
        None if passed(said) < suite.tests.len() as u64 => wrong.push("not all of its tests ran".into()),
        None => {}
    }
    wrong
}

/// Sends the signal to the victim as soon as it exists. Returns false if the job ended before that, or if the victim
/// did not start in time.
fn send(victim: Victim, job: &mut Child, before: &Before) -> Result<bool> {
    let deadline = Instant::now() + START_LIMIT;
    while job.try_wait()?.is_none() && Instant::now() < deadline {
        let of_job = before.processes().into_iter();
        let (name, pids): (_, Vec<u32>) = match victim {
            Victim::Signal(name) => (name, vec![job.id()]),
            Victim::Front => ("KILL", vec![job.id()]),
            Victim::All => ("KILL", of_job.collect()),
            Victim::Supervisor => ("KILL", of_job.filter(|pid| leftovers::name(*pid) == "cushmem-superv").collect()),
            Victim::Pe(pe) => {
                let variable = format!("CUSHMEM_PE={pe}");
                let is_pe = |pid: &u32| leftovers::environment(*pid).split('\0').any(|v| v == variable);
                ("KILL", of_job.filter(is_pe).collect())
            }
        };
        if !pids.is_empty() {
            signal(name, &pids);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Waits for the end of a job. Returns its exit status as a shell shows it.
fn end(job: &mut Child) -> Result<Option<i32>> {
    let deadline = Instant::now() + LIMIT;
    while Instant::now() < deadline {
        if let Some(status) = job.try_wait()? {
            return Ok(status.code().or_else(|| Some(128 + status.signal()?)));
        }
        sleep(Duration::from_millis(5));
    }
    Ok(None)
}

/// The tests of a suite that this machine runs: either those on emulated GPUs and host memory or those on CUDA, as in
/// the bundle's `run.sh`.
fn tests(suite: &Path, gpus: usize) -> Result<Vec<String>> {
    let skipped: &[&str] = if gpus > 0 { &["soft::", "host::"] } else { &["cuda::"] };
    let list = |which: &[&str]| output_of(Command::new(suite).args(which).arg("--list"));
    // Ignored tests are started by other tests.
    let ignored = list(&["--ignored"])?;
    let ignored: Vec<&str> = ignored.lines().collect();
    let all = list(&[])?;
    let chosen = all.lines().filter(|line| !ignored.contains(line)).filter_map(|line| line.strip_suffix(": test"));
    Ok(chosen.filter(|test| !skipped.iter().any(|part| test.contains(part))).map(str::to_owned).collect())
}

/// The suites of a bundle.
fn in_bundle(folder: &Path) -> Result<Vec<Executable>> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))? {
        let (name, path) = entry.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))?;
        let metadata = fs::metadata(&path).with_context(|| format!("look at {}", path.display()))?;
        if metadata.is_file() && metadata.permissions().mode() & 0o111 != 0 {
            found.push(Executable { name, path });
        }
    }
    Ok(found)
}

/// Builds the programs and the suites. Returns the programs' folder, the suites and the kernels.
fn build() -> Result<(PathBuf, Vec<Executable>, Kernels)> {
    let workspace = Workspace::load()?;
    // The PTX is built before the programs and suites, which embed it.
    let kernels = kernels::ready(&workspace, None, Need::Here)?;
    kernels.say();
    run(cargo().current_dir(&workspace.root).args(["build", "--quiet", "--workspace", "--bins"]))?;
    if let Outcome::LeftOut(reason) = crate::library::library(Profile::Dev)? {
        println!("left out: C programs: {reason}");
    }
    Ok((bin_dir(&workspace.target, Profile::Dev), suites(&workspace, Profile::Dev)?, kernels))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a run that ends early, for whatever reason, and takes along the logs whose place it has printed.
    #[test]
    fn the_folder_stays_from_the_first_log_on() {
        let parent = Folder::new("parent").expect("room");
        let [with, without] = ["with", "without"].map(|what| Folder::within(&parent, what).expect("room"));
        let outcomes = Outcomes { wrong: vec!["failed: a".into()], said: "a line\n".into(), is_cut: false };
        report(&with, 7, &outcomes).expect("room");
        let paths = [&with, &without].map(|folder| folder.to_path_buf());
        drop((with, without));
        assert_eq!(fs::read_to_string(paths[0].join("7.log")).expect("it is kept"), "a line\n");
        assert!(!paths[1].exists());
    }

    /// Catches a failure that is hidden because the time is over.
    #[test]
    fn the_end_of_the_time_is_forgiven_and_a_failure_before_is_not() {
        let suite = Suite { name: "s".into(), path: "s".into(), tests: vec!["a".into(), "b".into()] };
        let timed_out = Ended::TimedOut(Duration::from_secs(50));
        let wrong = |said, is_cut| wrong_tests(&suite, &timed_out, said, is_cut);
        assert_eq!(wrong("test b ... ok\n", true), [""; 0]);
        assert_eq!(wrong("test a ... FAILED\n", true), ["failed: a"]);
        assert_eq!(wrong("test b ... ok\n", false).len(), 1);
    }
}

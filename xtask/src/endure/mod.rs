//! `cargo xtask endure`: for some minutes, parts of all suites in turn, and between them jobs that are killed. Nothing
//! may fail, and nothing may be left behind. With `--bin-dir` it needs neither cargo nor the sources.

mod leftovers;
mod steps;

use crate::bundle::{Executable, suites};
use crate::demo::{Profile, bin_dir};
use crate::left_out::{self, List, Suites};
use crate::machine::cuda_gpus;
use crate::process::{Ended, cargo, output_of, run, run_limited};
use crate::ptx::{Outcome, build_uncommitted};
use crate::soak::{failed, passed};
use crate::test::limit_threads;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use leftovers::{Before, LIMIT, MARK, OnGpus, SHARED_MEMORY, signal};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use steps::{Kill, Step, Suite, Victim, What, step};

/// What `cargo xtask endure` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Folder that contains the programs, and in `deps` the suites; without it, they are built
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// Start no step after this many seconds, and stop a step that runs more than 45 seconds past them
    #[arg(long, value_name = "S", default_value_t = 540)]
    pub seconds: u64,
    /// Random seed that determines all steps [default: from the clock]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Run only the step with this number
    #[arg(long, value_name = "N")]
    pub step: Option<u64>,
}

/// Each job of a suite has a limit of its own; this one is for tests that do not end in spite of that.
const TESTS_LIMIT: Duration = Duration::from_secs(180);
/// How long a step may go on when the time is over.
const OVERTIME: Duration = Duration::from_secs(45);
/// How long the process to be killed may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);
/// The time limit of a job that outlives its kill.
const JOB_LIMIT_S: &str = "60";
/// A test of what the programs of a bundle lack, which are stripped.
const NOT_IN_A_BUNDLE: &str = "profilers_find_the_names_of_functions";
/// How many lines of a failed step's output are shown.
const LINES_SHOWN: usize = 15;

/// What all steps need.
struct Run {
    bin_dir: PathBuf,
    suites: Vec<Suite>,
    gpus: usize,
    /// What was on the GPUs before.
    on_gpus: Option<OnGpus>,
    /// For what steps leave, logs and the list of what was left out.
    folder: PathBuf,
    list: List,
}

/// How a step ended.
struct Outcomes {
    /// What went wrong.
    wrong: Vec<String>,
    /// What it printed.
    said: String,
    /// It had less time than a step may take, and needed more.
    is_cut: bool,
}

/// Runs steps until the time is over; an error if one failed, or none was completed.
pub fn endure(options: &Options) -> Result<()> {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| u64::from(time.subsec_nanos()));
    let seed = options.seed.unwrap_or_else(clock);
    println!("seed {seed}");
    let run = Run::new(options)?;
    let gpus = if run.gpus == 0 { "emulated GPUs".into() } else { format!("{} GPUs", run.gpus) };
    println!(
        "{} suites, {gpus}, {} s; logs of what fails: {}",
        run.suites.len(),
        options.seconds,
        run.folder.display()
    );
    let begin = Instant::now();
    let time = Duration::from_secs(options.seconds);
    let numbers = options.step.map_or(0..u64::MAX, |number| number..number + 1);
    let (mut good, mut bad) = (0, 0);
    for step in numbers.map(|number| step(seed, number, &run.suites, run.gpus)).take_while(|_| begin.elapsed() < time) {
        let start = Instant::now();
        let Outcomes { wrong, said, is_cut } = run.step(&step, (time + OVERTIME).saturating_sub(begin.elapsed()))?;
        let word = match wrong.is_empty() {
            _ if is_cut => "cut",
            true => "ok",
            false => "FAILED",
        };
        println!("[{:3}] {word:6} {:5.1} s  {step}", step.number, start.elapsed().as_secs_f64());
        if is_cut || wrong.is_empty() {
            good += u32::from(!is_cut);
            continue;
        }
        bad += 1;
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(LINES_SHOWN)..].iter().for_each(|line| println!("        | {line}"));
        wrong.iter().for_each(|what| println!("        {what}"));
        println!("        to repeat it: {}", repeat(options, seed, step.number));
        let log = run.folder.join(format!("{}.log", step.number));
        fs::write(&log, &said).with_context(|| format!("write {}", log.display()))?;
    }
    let left_out = run.list.close(&[], Suites::Some);
    if bad == 0 {
        fs::remove_dir_all(&run.folder).with_context(|| format!("remove {}", run.folder.display()))?;
    }
    println!("{good} steps passed, {bad} failed");
    left_out?;
    ensure!(bad == 0, "{bad} steps failed");
    ensure!(good > 0, "no step was completed in {} s", options.seconds);
    Ok(())
}

fn repeat(options: &Options, seed: u64, number: u64) -> String {
    let program = match &options.bin_dir {
        Some(folder) => format!("{0}/xtask endure --bin-dir {0}", folder.display()),
        None => "cargo xtask endure".into(),
    };
    format!("{program} --seed {seed} --step {number}")
}

impl Run {
    fn new(options: &Options) -> Result<Self> {
        let (bin_dir, mut executables) = match &options.bin_dir {
            Some(folder) => {
                let folder = folder.canonicalize().with_context(|| format!("find {}", folder.display()))?;
                let suites = in_bundle(&folder.join("deps"))?;
                (folder, suites)
            }
            None => build()?,
        };
        executables.sort_by(|a, b| a.name.cmp(&b.name));
        let gpus = cuda_gpus().unwrap_or(0);
        let mut suites = vec![];
        for Executable { name, path } in executables {
            let mut tests = tests(&path, gpus)?;
            tests.retain(|test| options.bin_dir.is_none() || test != NOT_IN_A_BUNDLE);
            suites.extend((!tests.is_empty()).then_some(Suite { name, path, tests }));
        }
        ensure!(!suites.is_empty(), "no suite in {}", bin_dir.display());
        let folder = std::env::temp_dir().join(format!("cushmem-endure-{}", std::process::id()));
        let list = List::new(&folder)?;
        let on_gpus = (gpus > 0).then(leftovers::on_gpus);
        Ok(Self { bin_dir, suites, gpus, on_gpus, folder: folder.canonicalize()?, list })
    }

    /// Runs a step within the limit, and cleans up after it; an error if that was not possible.
    fn step(&self, step: &Step, limit: Duration) -> Result<Outcomes> {
        let mark = format!("{}-{}", std::process::id(), step.number);
        let own = self.folder.join("step");
        fs::create_dir_all(&own).with_context(|| format!("make {}", own.display()))?;
        let before = Before::look(&mark, &own, Path::new(SHARED_MEMORY), self.on_gpus.clone());
        let prepared = |program: &Path| {
            let mut command = Command::new(program);
            command.envs(step.variables()).env(MARK, &mark).env("TMPDIR", &own).current_dir(&own);
            command.env(left_out::VARIABLE, self.list.path());
            command
        };
        let mut outcomes = match &step.what {
            What::Tests { suite } => self.tests(suite, prepared(&suite.path), limit)?,
            What::Kill(kill) => self.kill(kill, step, prepared(&self.bin_dir.join("shmemrun")), &before)?,
        };
        if !outcomes.is_cut {
            outcomes.wrong.extend(before.left(LIMIT).into_iter().map(|what| format!("left behind: {what}")));
        }
        before.kill();
        fs::remove_dir_all(&own).with_context(|| format!("remove {}", own.display()))?;
        Ok(outcomes)
    }

    fn tests(&self, suite: &Suite, mut command: Command, limit: Duration) -> Result<Outcomes> {
        command.arg("--exact").args(&suite.tests);
        // Tests on the same GPUs wait for each other.
        if self.gpus > 0 {
            command.arg("--test-threads=1");
        } else {
            limit_threads(&mut command);
        }
        let (ended, said) = run_limited(&mut command, limit.min(TESTS_LIMIT))?;
        let is_cut = limit < TESTS_LIMIT && ended == Ended::TimedOut(limit);
        let mut wrong: Vec<_> = failed(&said).into_iter().map(|test| format!("failed: {test}")).collect();
        match ended.failure() {
            Some(how) => wrong.push(how),
            None if passed(&said) < suite.tests.len() as u64 => wrong.push("not all of its tests ran".into()),
            None => {}
        }
        Ok(Outcomes { wrong, said, is_cut })
    }

    fn kill(&self, kill: &Kill, step: &Step, mut command: Command, before: &Before) -> Result<Outcomes> {
        let log = self.folder.join("job.log");
        let file = File::create(&log).with_context(|| format!("write {}", log.display()))?;
        command.args(["-n", &kill.pes.to_string(), "--map", &step.placement.map, "--timeout", JOB_LIMIT_S]);
        if step.placement.nodes > 1 {
            command.args(["--nodes", &step.placement.nodes.to_string()]);
        }
        command.arg(self.bin_dir.join(kill.program)).args(&kill.arguments);
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

/// Kills who is to be killed, as soon as it is there; false if the job has ended before.
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

/// Waits for the end of a job; its exit status as a shell shows it.
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

/// The tests of a suite that this machine runs: those of emulated GPUs and host memory, or those on CUDA, as in the
/// bundle's `run.sh`.
fn tests(suite: &Path, gpus: usize) -> Result<Vec<String>> {
    let skipped: &[&str] = if gpus > 0 { &["soft::", "host::"] } else { &["cuda::"] };
    let list = |which: &[&str]| output_of(Command::new(suite).args(which).arg("--list"));
    // Tests start these.
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

/// Builds programs and suites; where the programs lie, and the suites.
fn build() -> Result<(PathBuf, Vec<Executable>)> {
    let workspace = Workspace::load()?;
    // Before the programs and suites, which hold it.
    if let Outcome::LeftOut(reason) = build_uncommitted(&workspace)? {
        println!("left out: PTX of tests and benchmarks: {reason}");
    }
    run(cargo().current_dir(&workspace.root).args(["build", "--quiet", "--workspace", "--bins"]))?;
    if let Outcome::LeftOut(reason) = crate::library::library(Profile::Dev)? {
        println!("left out: C programs: {reason}");
    }
    Ok((bin_dir(&workspace.target, Profile::Dev), suites(&workspace, Profile::Dev)?))
}

//! Runs test suites: with cargo-nextest, which runs tests of all suites side by side, or with `cargo test`, one suite
//! after the other, where cargo-nextest is not installed.

use crate::kernels::Kernels;
use crate::launch::OVERSUBSCRIBE;
use crate::process::{cargo, run, show};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use cushmem_scratch::{Folder, PREFIX};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A test job is already several processes, so more of them at once only compete for the same cores.
const MOST_AT_ONCE: usize = 4;
/// Slots of cargo-nextest for each of them. A test with several PEs takes two, as `.config/nextest.toml` says.
const SLOTS: usize = 3;

/// The program that runs test suites.
pub enum Runner {
    /// cargo-nextest, at this path.
    Nextest(PathBuf),
    /// `cargo test`.
    Cargo,
}

/// What is left out of a run of all suites.
#[derive(Default)]
pub struct Without {
    /// Members.
    pub packages: Vec<&'static str>,
    /// Tests, by their full names.
    pub tests: Vec<&'static str>,
}

/// How the suites ran.
#[derive(Default)]
pub struct Ran {
    /// The lines with which the runner ended, if they were held back.
    pub closing: Vec<String>,
    /// The time of each suite, if the runner tells it.
    pub times: BTreeMap<String, SuiteTime>,
}

/// How long the tests of one suite took, added up; several of them may run at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SuiteTime {
    /// How many tests there were.
    pub tests: u32,
    /// Their seconds, added up.
    pub seconds: f64,
}

impl Runner {
    /// cargo-nextest on the `PATH` or in the target folder, or else `cargo test`.
    pub fn find(workspace: &Workspace) -> Self {
        let candidates = [PathBuf::from("cargo-nextest"), workspace.target.join("tools/bin/cargo-nextest")];
        let works = |program: &PathBuf| {
            let asked = Command::new(program).args(["nextest", "--version"]).output();
            asked.is_ok_and(|out| out.status.success())
        };
        candidates.into_iter().find(works).map_or(Self::Cargo, Self::Nextest)
    }

    /// The command that runs the tests of all members.
    pub fn all(&self, workspace: &Workspace, without: &Without) -> Command {
        let mut command;
        match self {
            Self::Nextest(program) => {
                command = Command::new(program);
                command.args(["nextest", "run", "--workspace", "--cargo-quiet", "--no-fail-fast"]);
                command.arg(format!("--test-threads={}", SLOTS * at_once()));
                let packages = without.packages.iter().map(|package| format!("package({package})"));
                let tests = without.tests.iter().map(|test| format!("test(={test})"));
                let named: Vec<String> = packages.chain(tests).collect();
                if !named.is_empty() {
                    command.arg(format!("--filterset=not ({})", named.join(" or ")));
                }
            }
            Self::Cargo => {
                command = cargo();
                command.args(["test", "--workspace", "--no-fail-fast", "--lib", "--bins", "--tests"]);
                command.args(without.packages.iter().flat_map(|package| ["--exclude", package]));
                command.arg("--").args(without.tests.iter().flat_map(|test| ["--skip", test]));
                limit_threads(&mut command);
            }
        }
        command.current_dir(&workspace.root);
        // A job has two PEs or more, each with threads of the library. Where jobs wait for each other's cores, those
        // that wait should not spin.
        if SLOTS * at_once() > cores() {
            command.env(OVERSUBSCRIBE, "1");
        }
        command
    }

    /// Runs a command of [`Runner::all`] and passes on what it prints, except its last lines, which are returned.
    pub fn run_holding_back(&self, mut command: Command) -> (Result<()>, Ran) {
        let mut ran = Ran::default();
        let result = match self {
            Self::Nextest(_) => {
                // The messages are the only thing that says how long each test took.
                command
                    .args(["--color", "never", "--message-format", "libtest-json"])
                    .env("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1");
                pass_on(&mut command, &mut ran, Held::of_nextest())
            }
            Self::Cargo => pass_on(&mut command, &mut ran, Held::of_cargo()),
        };
        (result, ran)
    }
}

/// How many jobs of tests run at once, unless the user has set it.
pub fn at_once() -> usize {
    let set = std::env::var("RUST_TEST_THREADS").ok().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
    set.unwrap_or(cores().min(MOST_AT_ONCE))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Limits how many tests a command runs at once without cargo-nextest.
pub fn limit_threads(command: &mut Command) {
    command.env("RUST_TEST_THREADS", at_once().to_string());
}

/// Runs suites with a folder of their own for temporary files. Fails if they pass and leave something of ours in it. If
/// they fail, what they leave is kept: a test may have told the user to look at it.
pub fn leaving_nothing(mut suites: Command, run: impl FnOnce(Command) -> Result<()>) -> Result<()> {
    let folder = Folder::new("suites").context("make a folder for temporary files")?;
    suites.env("TMPDIR", folder.as_os_str());
    if let Err(error) = run(suites) {
        if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
            folder.keep();
            bail!("{error:#}; their temporary files are kept in {}", folder.display());
        }
        return Err(error);
    }
    let entries = folder.read_dir().with_context(|| format!("list {}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut left: Vec<String> = names.filter(|name| name.starts_with(PREFIX)).collect();
    left.sort_unstable();
    ensure!(left.is_empty(), "the suites passed, and left in the folder for temporary files: {}", left.join(", "));
    Ok(())
}

/// Runs the examples in the documentation of all members, which cargo-nextest does not.
pub fn doctests(workspace: &Workspace, kernels: &Kernels) -> Result<()> {
    let mut command = cargo();
    kernels.limit(&mut command);
    command.current_dir(&workspace.root).args(["test", "--quiet", "--workspace", "--no-fail-fast", "--doc"]);
    limit_threads(&mut command);
    run(&mut command)
}

/// Decides which lines are held back.
struct Held {
    nextest: bool,
    /// nextest draws a line of its own above its summary, and above other things.
    rule: Option<String>,
    in_summary: bool,
}

impl Held {
    fn of_nextest() -> Self {
        Self { nextest: true, rule: None, in_summary: false }
    }

    fn of_cargo() -> Self {
        Self { nextest: false, rule: None, in_summary: false }
    }

    /// Takes the next line. Returns lines to print now; the others are added to `closing`.
    fn take(&mut self, line: String, closing: &mut Vec<String>) -> Vec<String> {
        if !self.nextest {
            if line.starts_with("test result: ") {
                closing.push(line.clone());
            }
            return vec![line];
        }
        let rule = self.rule.take();
        if line.trim_start().starts_with("Summary [") {
            closing.extend(rule);
            closing.push(line);
            self.in_summary = true;
            return Vec::new();
        }
        if self.in_summary {
            closing.push(line);
            return Vec::new();
        }
        let mut now: Vec<String> = rule.into_iter().collect();
        if !line.trim().is_empty() && line.trim().chars().all(|c| c == '─') {
            self.rule = Some(line);
        } else {
            now.push(line);
        }
        now
    }
}

/// Starts the command, reads messages from its standard output and passes on its standard error.
fn pass_on(command: &mut Command, ran: &mut Ran, mut held: Held) -> Result<()> {
    let shown = show(command);
    let messages_on_stdout = held.nextest;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("start {shown}"))?;
    let (stdout, stderr) = (child.stdout.take().expect("it is piped"), child.stderr.take().expect("it is piped"));
    let lines = |stream: Box<dyn std::io::Read + Send>| {
        BufReader::new(stream).split(b'\n').map_while(Result::ok).map(|l| String::from_utf8_lossy(&l).into_owned())
    };
    let (others, watched): (Box<dyn std::io::Read + Send>, Box<dyn std::io::Read + Send>) =
        if messages_on_stdout { (Box::new(stdout), Box::new(stderr)) } else { (Box::new(stderr), Box::new(stdout)) };
    std::thread::scope(|scope| {
        let times = scope.spawn(move || {
            let mut times = BTreeMap::new();
            for line in lines(others) {
                if messages_on_stdout {
                    add_time(&line, &mut times);
                } else {
                    eprintln!("{line}");
                }
            }
            times
        });
        for line in lines(watched) {
            held.take(line, &mut ran.closing).iter().for_each(|line| println!("{line}"));
        }
        held.rule.take().iter().for_each(|line| println!("{line}"));
        ran.times = times.join().expect("it does not panic");
    });
    let status = child.wait().with_context(|| format!("wait for {shown}"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// One message of nextest.
#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    event: String,
    /// `PACKAGE::SUITE$TEST`.
    #[serde(default)]
    name: String,
    exec_time: Option<f64>,
}

/// Adds the time of a test that has ended.
fn add_time(line: &str, times: &mut BTreeMap<String, SuiteTime>) {
    let Ok(message) = serde_json::from_str::<Message>(line) else { return };
    let (Some((suite, _)), Some(seconds)) = (message.name.split_once('$'), message.exec_time) else { return };
    if message.kind == "test" && message.event != "started" {
        let time = times.entry(suite.to_owned()).or_default();
        time.tests += 1;
        time.seconds += seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn split(mut held: Held, said: &str) -> (Vec<String>, Vec<String>) {
        let mut closing = Vec::new();
        let now = said.lines().flat_map(|line| held.take(line.to_owned(), &mut closing)).collect();
        (now, closing)
    }

    #[test]
    fn the_summary_of_nextest_is_held_back() {
        let said = "────────────\n Nextest run ID 1\n    PASS [   0.1s] a b\n────────────\n     Summary [   1s] 2 tests\n  FAIL a c";
        let (now, closing) = split(Held::of_nextest(), said);
        assert_eq!(now, ["────────────", " Nextest run ID 1", "    PASS [   0.1s] a b"]);
        assert_eq!(closing, ["────────────", "     Summary [   1s] 2 tests", "  FAIL a c"]);
    }

    /// Catches folders of tests that fill the disk of whoever runs them often, and files of a suite that
    /// failed which are gone, among them the input that a parser could not digest.
    #[test]
    fn what_suites_leave_behind_is_a_failure() {
        let suites = |script: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-ec", script]);
            leaving_nothing(shell, |mut shell| run(&mut shell)).map_err(|error| format!("{error:#}"))
        };
        // Tools have folders as well.
        assert_eq!(suites("mkdir $TMPDIR/cushmem-a && rmdir $TMPDIR/cushmem-a && touch $TMPDIR/cc7.o"), Ok(()));
        let left = "the suites passed, and left in the folder for temporary files: cushmem-a-1, cushmem-b-1";
        assert_eq!(suites("mkdir $TMPDIR/cushmem-b-1; touch $TMPDIR/cushmem-a-1"), Err(left.into()));
        let failed = suites("touch $TMPDIR/cushmem-a-1; exit 3").expect_err("its own failure");
        let (failed, kept) = failed.split_once("; their temporary files are kept in ").expect("they are");
        assert!(failed.contains("exit status: 3"), "{failed}");
        std::fs::remove_file(Path::new(kept).join("cushmem-a-1")).expect("it is kept");
        std::fs::remove_dir(kept).expect("nothing else is");
        let failed = suites("exit 3").expect_err("its own failure");
        assert!(failed.ends_with("exit status: 3"), "{failed}");
    }

    #[test]
    fn results_of_cargo_are_repeated() {
        let (now, closing) = split(Held::of_cargo(), "test a ... ok\ntest result: ok. 1 passed");
        assert_eq!((now.len(), closing), (2, vec!["test result: ok. 1 passed".to_owned()]));
    }

    #[test]
    fn times_of_a_suite_are_added_up() {
        let mut times = BTreeMap::new();
        for line in [
            r#"{"type":"suite","event":"started","test_count":2}"#,
            r#"{"type":"test","event":"started","name":"cushmem-net::processes$a::b"}"#,
            r#"{"type":"test","event":"ok","name":"cushmem-net::processes$a::b","exec_time":0.5}"#,
            r#"{"type":"test","event":"failed","name":"cushmem-net::processes$c","exec_time":0.25,"stdout":"x"}"#,
            "no message",
        ] {
            add_time(line, &mut times);
        }
        assert_eq!(times, BTreeMap::from([("cushmem-net::processes".into(), SuiteTime { tests: 2, seconds: 0.75 })]));
    }
}

//! The checks of one run: their results, and the seconds of each check and each suite as lines of JSON.

use crate::process::{run_limited, show};
use crate::ptx::Outcome;
use crate::runner::SuiteTime;
use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The slowest of these commands takes minutes; this is for one that hangs.
const LIMIT: Duration = Duration::from_secs(3600);

/// How a check ended.
enum How {
    Ok,
    LeftOut(String),
    /// Its inputs are those with which it has passed.
    Unchanged(String),
    Failed,
}

impl How {
    fn word(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::LeftOut(_) => "left out",
            Self::Unchanged(_) => "unchanged",
            Self::Failed => "FAILED",
        }
    }
}

/// One check.
struct Check {
    name: &'static str,
    seconds: f64,
    how: How,
}

/// All checks so far, from all threads.
#[derive(Default)]
pub struct Board {
    checks: Mutex<Vec<Check>>,
}

/// One line of the file.
#[derive(Serialize)]
struct Line<'a> {
    commit: &'a str,
    cores: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<u32>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
}

impl Board {
    /// Runs a check and keeps its result. Returns whether it passed.
    pub fn check(&self, name: &'static str, body: impl FnOnce() -> Result<Outcome>) -> bool {
        println!("== {name}");
        self.quiet(name, || (body(), String::new()))
    }

    /// Runs a check whose output is printed in one piece when it has ended.
    pub fn quiet(&self, name: &'static str, body: impl FnOnce() -> (Result<Outcome>, String)) -> bool {
        let start = Instant::now();
        let (result, mut said) = body();
        let seconds = start.elapsed().as_secs_f64();
        let how = match result {
            Ok(Outcome::Done) => How::Ok,
            Ok(Outcome::LeftOut(reason)) => How::LeftOut(reason),
            Err(error) => {
                said += &format!("xtask: {name}: {error:#}\n");
                How::Failed
            }
        };
        // One call, so that lines of the other thread do not come between.
        println!("{said}== {name}: {} after {seconds:.1} s", how.word());
        let passed = matches!(how, How::Ok);
        self.lock().push(Check { name, seconds, how });
        passed
    }

    /// Keeps a check that did not run, because its inputs have not changed.
    pub fn unchanged(&self, name: &'static str, reason: String) {
        println!("== {name}: {reason}");
        self.lock().push(Check { name, seconds: 0.0, how: How::Unchanged(reason) });
    }

    /// The names of the checks that failed.
    pub fn failed(&self) -> Vec<&'static str> {
        self.lock().iter().filter(|check| matches!(check.how, How::Failed)).map(|check| check.name).collect()
    }

    /// What was left out because something is missing here, with the reasons.
    pub fn left_out(&self) -> Vec<String> {
        let reason = |check: &Check| match &check.how {
            How::LeftOut(reason) => Some(format!("{}: {reason}", check.name)),
            _ => None,
        };
        self.lock().iter().filter_map(reason).collect()
    }

    /// Prints a line for each check.
    pub fn print(&self) {
        println!("== checks");
        for Check { name, seconds, how } in self.lock().iter() {
            let why = match how {
                How::LeftOut(reason) | How::Unchanged(reason) => format!(": {reason}"),
                How::Ok | How::Failed => String::new(),
            };
            println!("{name:12} {seconds:6.1} s  {}{why}", how.word());
        }
    }

    /// Writes a line of JSON for each check and each suite.
    pub fn write(&self, path: &Path, commit: &str, suites: &BTreeMap<String, SuiteTime>) -> Result<()> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let line = Line { commit, cores, check: None, suite: None, tests: None, seconds: 0.0, result: None };
        let mut text = String::new();
        let mut add = |line: &Line| -> Result<()> {
            text += &format!("{}\n", serde_json::to_string(line)?);
            Ok(())
        };
        for Check { name, seconds, how } in self.lock().iter() {
            add(&Line { check: Some(name), seconds: tenths(*seconds), result: Some(how.word()), ..line })?;
        }
        for (suite, SuiteTime { tests, seconds }) in suites {
            add(&Line { suite: Some(suite), tests: Some(*tests), seconds: tenths(*seconds), ..line })?;
        }
        fs::write(path, text).with_context(|| format!("write {}", path.display()))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Check>> {
        self.checks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

/// The command at low priority: it has work all the time, while suites often wait.
pub fn low(command: Command) -> Command {
    let mut low = Command::new("nice");
    low.args(["-n", "10"]).arg(command.get_program()).args(command.get_args());
    low.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => low.env(name, value),
            None => low.env_remove(name),
        };
    }
    low
}

/// Runs a command and returns how it ended and what it printed, both streams together.
pub fn output(command: &mut Command) -> (Result<Outcome>, String) {
    let shown = show(command);
    match run_limited(command, LIMIT) {
        Ok((ended, said)) => match ended.failure() {
            None => (Ok(Outcome::Done), said),
            Some(how) => (Err(anyhow!("{shown}: {how}")), said),
        },
        Err(error) => (Err(error), String::new()),
    }
}

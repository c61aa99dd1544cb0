//! `cargo xtask endure --repeat N`: every suite, whole, N times. It finds the tests that fail by chance.

use super::steps::Suite;
use super::{OVERTIME, Outcomes, Run, report};
use anyhow::{Context, Result};
use cushmem_environment::TEST_SEED;
use cushmem_numbers::Random;
use std::fs;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The limit on all tests of a suite. Each job of a suite has its own, much shorter limit.
const SUITE_LIMIT: Duration = Duration::from_secs(3600);

/// The runs of a suite.
#[derive(Default)]
struct Runs {
    good: u32,
    bad: u32,
    /// The end of the time cut these short.
    cut: u32,
    longest: Duration,
}

/// What the threads that run the suites share.
struct Shared {
    /// The next run: its number among all runs of all suites.
    next: u64,
    runs: Vec<Runs>,
}

/// Runs every suite `count` times, `beside` of them at the same time, and prints a table. Starts none after `time`.
/// Returns how many runs passed and how many failed.
pub fn repeat(run: &Run, seed: u64, count: u64, beside: u64, time: Option<Duration>) -> Result<(u32, u32)> {
    let end = time.map(|time| Instant::now() + time);
    let suites = &run.suites;
    let shared = Mutex::new(Shared { next: 0, runs: suites.iter().map(|_| Runs::default()).collect() });
    let lock = || shared.lock().expect("no thread panics while it holds the lock");
    let work = || -> Result<()> {
        loop {
            let number = {
                let mut shared = lock();
                let number = shared.next;
                if number == count * suites.len() as u64 || end.is_some_and(|end| end <= Instant::now()) {
                    return Ok(());
                }
                shared.next += 1;
                number
            };
            let suite = (number % suites.len() as u64) as usize;
            let start = Instant::now();
            let left = end.map_or(SUITE_LIMIT, |end| end.saturating_duration_since(start) + OVERTIME);
            let test_seed = Random::new(seed).split(number).below(u32::MAX as usize) + 1;
            let outcomes = whole(run, &suites[suite], number, test_seed, left).unwrap_or_else(|error| Outcomes {
                wrong: vec![format!("{error:#}")],
                said: String::new(),
                is_cut: false,
            });
            let took = start.elapsed();
            let mut shared = lock();
            let runs = &mut shared.runs[suite];
            runs.longest = runs.longest.max(took);
            if outcomes.wrong.is_empty() {
                runs.good += u32::from(!outcomes.is_cut);
                runs.cut += u32::from(outcomes.is_cut);
            } else {
                runs.bad += 1;
                let (name, seconds) = (&suites[suite].name, took.as_secs_f64());
                println!("[{number:3}] FAILED {seconds:5.1} s  {name}, {}={test_seed}", TEST_SEED.name);
                report(&run.folder, number, &outcomes)?;
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..beside).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("the thread returns its errors"))
    })?;
    let Shared { runs, .. } = shared.into_inner().expect("no thread panicked");
    println!("{:<44} {:>5} {:>6} {:>6} {:>4} {:>9}", "suite", "tests", "passed", "failed", "cut", "longest s");
    for (suite, Runs { good, bad, cut, longest }) in suites.iter().zip(&runs) {
        let (tests, longest) = (suite.tests.len(), longest.as_secs_f64());
        println!("{:<44} {tests:>5} {good:>6} {bad:>6} {cut:>4} {longest:>9.1}", suite.name);
    }
    Ok(runs.iter().fold((0, 0), |(good, bad), runs| (good + runs.good, bad + runs.bad)))
}

/// One run of a suite, in a folder of its own.
fn whole(run: &Run, suite: &Suite, number: u64, test_seed: usize, left: Duration) -> Result<Outcomes> {
    let own = run.folder.join(format!("run-{number}"));
    fs::create_dir_all(&own).with_context(|| format!("make {}", own.display()))?;
    let mut command = Command::new(&suite.path);
    command.env(TEST_SEED.name, test_seed.to_string()).env("TMPDIR", &own).current_dir(&own);
    run.prepare(&mut command);
    let outcomes = run.tests(suite, command, left, SUITE_LIMIT)?;
    fs::remove_dir_all(&own).with_context(|| format!("remove {}", own.display()))?;
    Ok(outcomes)
}

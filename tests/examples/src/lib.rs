//! Runs the examples as a reader of the README would.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

/// The time limit that shmemrun gets, in seconds. On a busy machine a job takes a few seconds.
const LIMIT_S: u64 = 240;

/// The path of a program that cargo builds into the target folder.
///
/// # Panics
/// If the program does not exist.
pub fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("tests live in target/<profile>/deps");
    let path = folder.join(name);
    assert!(path.exists(), "{} is missing: run `cargo build --workspace --bins` first", path.display());
    path
}

/// Returns what a job of `n` PEs prints, with its lines sorted because PEs print in any order. `gpu` is a value of
/// `CUSHMEM_GPU`.
///
/// # Panics
/// If the job fails or takes too long.
pub fn lines_of(program: &str, n: u32, gpu: &str) -> Vec<String> {
    lines_with(program, n, gpu, &[])
}

/// [`lines_of`], with more variables in the job's environment.
///
/// # Panics
/// If the job fails or takes too long.
pub fn lines_with(program: &str, n: u32, gpu: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let (failure, lines) = job(program, n, gpu, variables);
    assert!(failure.is_none(), "{program} with {n} PEs on {gpu}: {failure:?}\n{}", lines.join("\n"));
    lines
}

/// Returns what a job that must fail prints, in the form of [`lines_with`].
///
/// # Panics
/// If the job succeeds.
pub fn lines_of_failure(program: &str, n: u32, gpu: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let (failure, lines) = job(program, n, gpu, variables);
    assert!(failure.is_some(), "{program} with {n} PEs on {gpu} and {variables:?} succeeds:\n{}", lines.join("\n"));
    lines
}

/// Returns how a job failed, if it did, and what it printed.
fn job(program: &str, n: u32, gpu: &str, variables: &[(&str, &str)]) -> (Option<String>, Vec<String>) {
    let shmemrun = built("shmemrun");
    let mut job = launch::shmemrun(&shmemrun, n);
    job.envs(variables.iter().copied())
        .env("CUSHMEM_GPU", gpu)
        .args(["--timeout", &LIMIT_S.to_string()])
        .arg(built(program));
    // The longer limit catches a shmemrun that does not keep its own.
    let (ended, said) = run_limited(&mut job, Duration::from_secs(LIMIT_S + 10)).expect("shmemrun starts");
    let mut lines: Vec<String> = said.lines().map(str::to_owned).collect();
    lines.sort();
    (ended.failure(), lines)
}

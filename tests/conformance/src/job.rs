//! Running a test as a job under `shmemrun`.

use crate::{Backend, random};
use cushmem::Shmem;
use cushmem_bootstrap::env;
use std::ffi::OsStr;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use xtask::{launch, left_out};

/// `shmemrun` ends a job that takes longer; the longest takes a tenth, and more where others use the cores too. With
/// requests asked for, another second for each 2,000 of them.
fn job_limit_s() -> u64 {
    120 + asked_requests().unwrap_or(0) as u64 / 2000
}

/// How long `shmemrun` itself is waited for beyond that.
const GRACE: Duration = Duration::from_secs(30);
/// What the test itself prints of a PE's lines if it succeeds: those that have this.
pub const TOLD: &str = "conformance: told: ";
/// What a PE prints last. A test name that does not exist would make a PE succeed without it.
const FINISHED: &str = "conformance: this PE has finished";

/// Variables of the PEs' environment.
pub type Variables<'a> = &'a [(&'a str, &'a str)];

/// In a PE: runs `body`. Else: starts this program's test `name` (with its module path) as jobs of these numbers of
/// PEs.
///
/// # Panics
/// If a job fails.
pub fn run(name: &str, backend: Backend, n_pes: &[u32], variables: Variables<'_>, body: fn(&Shmem)) {
    run_owned(name, backend, n_pes, variables, |shmem| body(&shmem));
}

/// As [`run`], for a body that leaves the job itself.
///
/// # Panics
/// If a job fails.
pub fn run_owned(name: &str, backend: Backend, n_pes: &[u32], variables: Variables<'_>, body: impl Fn(Shmem)) {
    if is_pe() {
        return be_a_pe(body);
    }
    for &n in n_pes {
        match backend.check(n) {
            Ok(()) => {
                start(name, backend, variables, n, random::seed(), launch::shmemrun(&shmemrun(), n));
            }
            Err((what, why)) => {
                assert!(backend == Backend::Cuda, "{name} needs no GPU, and was refused: {what}: {why}");
                left_out::record(&what, &why);
            }
        }
    }
}

/// A job on virtual nodes, wherever other jobs run.
#[derive(Clone, Copy, Debug)]
pub struct OnNodes {
    /// PEs.
    pub n_pes: u32,
    /// Nodes.
    pub nodes: u32,
    /// The value of `--map`.
    pub map: &'static str,
}

/// As [`run`], for a job of two PEs on one node that fails and says all texts of `says`, and none of `silent`.
///
/// # Panics
/// If the job succeeds or says something else.
pub fn run_to_failure(
    name: &str,
    backend: Backend,
    variables: Variables<'_>,
    says: &[&str],
    silent: &[&str],
    body: impl Fn(Shmem),
) {
    if is_pe() {
        return be_a_pe(body);
    }
    if let Err((what, why)) = backend.check(2) {
        return left_out::record(&what, &why);
    }
    let (output, succeeded) =
        output(test_command(name, backend, variables, random::seed(), launch::on_nodes(&shmemrun(), 2, 1)));
    let missing: Vec<_> = says.iter().filter(|text| !output.contains(**text)).collect();
    let found: Vec<_> = silent.iter().filter(|text| output.contains(**text)).collect();
    let is_right = !succeeded && missing.is_empty() && found.is_empty();
    assert!(is_right, "{name}: succeeded: {succeeded}, missing: {missing:?}, found: {found:?}; its output:\n{output}");
    left_out::ran(&format!("conformance jobs on {backend:?}"));
}

/// As [`run`], for jobs on several nodes, without GPUs unless the variables say otherwise. Between the nodes is a
/// network of this profile; the seed of the test is also that of its delays.
///
/// # Panics
/// If a job fails.
pub fn run_on_nodes(name: &str, profile: &str, jobs: &[OnNodes], variables: Variables<'_>, body: fn(&Shmem)) {
    if is_pe() {
        return be_a_pe(|shmem| body(&shmem));
    }
    for &OnNodes { n_pes, nodes, map } in jobs {
        let seed = random::seed();
        let mut command = Command::new(shmemrun());
        command.args(["-n", &n_pes.to_string(), "--nodes", &nodes.to_string(), "--map", map]);
        command.env("CUSHMEM_NET", format!("loopback:{profile}:{seed}"));
        start(name, Backend::Host, variables, n_pes, seed, command);
    }
}

/// In a PE: whether GPUs of a node reach each other's memory.
pub fn gpus_reach_each_other() -> bool {
    std::env::var("CUSHMEM_P2P").as_deref() != Ok("0")
}

/// How many requests to one PE a test is to make, if somebody has asked.
pub fn asked_requests() -> Option<usize> {
    std::env::var("CUSHMEM_TEST_REQUESTS").ok()?.parse().ok()
}

fn is_pe() -> bool {
    std::env::var_os(env::BOOTSTRAP_FD).is_some()
}

fn be_a_pe(body: impl Fn(Shmem)) {
    let shmem = cushmem::init().unwrap_or_else(|e| panic!("init: {e}"));
    body(shmem);
    println!("{FINISHED}");
}

/// Starts this program's test in a job.
fn test_command(name: &str, backend: Backend, variables: Variables<'_>, seed: u64, mut command: Command) -> Command {
    let name = name.split_once("::").map_or(name, |(_crate, path)| path);
    let test = std::env::current_exe().expect("a test knows its own path");
    command.args(["--timeout", &job_limit_s().to_string(), "--tag"]).arg(&test);
    command.args(["--exact", name, "--nocapture", "--test-threads", "1"]).stdin(Stdio::null());
    command.env("CUSHMEM_GPU", backend.setting()).env(random::VARIABLE, seed.to_string());
    command.envs(variables.iter().copied());
    // The failed test in the output is enough.
    command.env("RUST_BACKTRACE", "0");
    command
}

fn start(name: &str, backend: Backend, variables: Variables<'_>, n: u32, seed: u64, command: Command) {
    let (output, succeeded) = output(test_command(name, backend, variables, seed, command));
    let finished = output.matches(FINISHED).count();
    let repeat = format!("repeat with {}={seed}", random::VARIABLE);
    assert!(succeeded, "{name} with {n} PEs failed; {repeat}; its output:\n{output}");
    assert!(finished == n as usize, "{name}: {finished} of {n} PEs finished; {repeat}; their output:\n{output}");
    // With --nocapture.
    output.lines().filter(|line| line.contains(TOLD)).for_each(|line| println!("{line}"));
    left_out::ran(&format!("conformance jobs on {backend:?}"));
}

/// The launcher: it lies beside this program, or one folder above where cargo puts tests.
///
/// # Panics
/// If it is not there.
pub fn shmemrun() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folders = test.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join("shmemrun")).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("no shmemrun beside {}: run `cargo build -p shmemrun` first", test.display()))
}

/// What the command printed, and whether it succeeded.
fn output(mut command: Command) -> (String, bool) {
    let shown: Vec<_> = command.get_args().map(OsStr::to_string_lossy).map(String::from).collect();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    command.stdout(writer.try_clone().expect("a second end")).stderr(writer);
    let mut child = command.spawn().unwrap_or_else(|e| panic!("shmemrun {}: {e}", shown.join(" ")));
    // The command holds ends of the pipe.
    drop(command);
    let parts = collect(reader);
    let deadline = Instant::now() + Duration::from_secs(job_limit_s()) + GRACE;
    let mut text = String::new();
    loop {
        match parts.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(part) => text += &part,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                panic!("watchdog: shmemrun {} did not end; its output:\n{text}", shown.join(" "));
            }
        }
    }
    let status = child.wait().expect("the launcher is a child");
    if !status.success() {
        text += &format!("shmemrun: {status}\n");
    }
    (text, status.success())
}

fn collect(mut pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(bytes @ 1..) = pipe.read(&mut buffer) {
            if sender.send(String::from_utf8_lossy(&buffer[..bytes]).into_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}

//! Runs a test as a job under `shmemrun`.

use crate::Backend;
use cushmem::Shmem;
use cushmem_bootstrap::env;
use cushmem_scratch::Folder;
use std::ffi::OsStr;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use xtask::{launch, left_out, seed};

/// The time limit after which `shmemrun` ends a job. The longest job takes a tenth of it, and more if others use the
/// cores too. If a number of requests is asked for, each 200 of them add another second.
fn job_limit_s() -> u64 {
    // On several nodes, threads do what is otherwise done by loads and stores.
    let is_spread = [launch::NODES, launch::HOSTS].into_iter().any(|name| std::env::var_os(name).is_some());
    let longest = if is_spread { 480 } else { 120 };
    longest + asked_requests().unwrap_or(0) as u64 / 200
}

/// How the PEs of a job of three or more are placed, unless the run asks for something else. It shows that nothing
/// relies on PEs with neighbouring numbers being neighbours in the machine.
const PLACEMENT: &str = "random:1";

/// How much longer the test waits for `shmemrun` itself.
const GRACE: Duration = Duration::from_secs(30);
/// Marks the lines of a PE that the test itself prints if it succeeds.
pub const TOLD: &str = "conformance: told: ";
/// What a PE prints last. Without this check, a PE would also succeed if the test name did not exist.
const FINISHED: &str = "conformance: this PE has finished";

/// Variables in the environment of the PEs.
pub type Variables<'a> = &'a [(&'a str, &'a str)];

/// In a PE: runs `body`. Otherwise: starts this program's test `name` (with its module path) as jobs with these numbers
/// of PEs.
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
                let mut job = launch::shmemrun(&shmemrun(), n);
                if n > 2 && !launch::is_placed() {
                    job.args(["--map", PLACEMENT]);
                }
                start(name, backend, variables, n, seed::of_tests(), job);
            }
            Err((what, why)) => {
                assert!(backend == Backend::Cuda, "{name} needs no GPU, and was refused: {what}: {why}");
                left_out::record(&what, &why);
            }
        }
    }
}

/// A job on virtual nodes, whatever other jobs run on.
#[derive(Clone, Copy, Debug)]
pub struct OnNodes {
    /// The number of PEs.
    pub n_pes: u32,
    /// The number of nodes.
    pub nodes: u32,
    /// The value of `--map`.
    pub map: &'static str,
}

/// As [`run`], for a job of two PEs on one node that must fail. Its output must contain all texts of `says` and none of
/// `silent`. Returns the output, if this process has started the job.
///
/// # Panics
/// If the job succeeds or prints something else.
pub fn run_to_failure(
    name: &str,
    backend: Backend,
    variables: Variables<'_>,
    says: &[&str],
    silent: &[&str],
    body: impl Fn(Shmem),
) -> Option<String> {
    if is_pe() {
        be_a_pe(body);
        return None;
    }
    if let Err((what, why)) = backend.check(2) {
        left_out::record(&what, &why);
        return None;
    }
    let (output, succeeded) = output(name, backend, variables, seed::of_tests(), launch::on_nodes(&shmemrun(), 2, 1));
    let missing: Vec<_> = says.iter().filter(|text| !output.contains(**text)).collect();
    let found: Vec<_> = silent.iter().filter(|text| output.contains(**text)).collect();
    let is_right = !succeeded && missing.is_empty() && found.is_empty();
    assert!(is_right, "{name}: succeeded: {succeeded}, missing: {missing:?}, found: {found:?}; its output:\n{output}");
    left_out::ran(&format!("conformance jobs on {backend:?}"));
    Some(output)
}

/// As [`run`], for a job of `n_pes` PEs that ends with `status` before its PEs have returned from `body`. Its output
/// must contain all texts of `says`.
///
/// # Panics
/// If the job ends otherwise or prints something else.
pub fn run_to_exit(
    name: &str,
    backend: Backend,
    n_pes: u32,
    variables: Variables<'_>,
    status: i32,
    says: &[String],
    body: impl Fn(Shmem),
) {
    if is_pe() {
        return be_a_pe(body);
    }
    if let Err((what, why)) = backend.check(n_pes) {
        return left_out::record(&what, &why);
    }
    let job = launch::shmemrun(&shmemrun(), n_pes);
    let (output, succeeded) = output(name, backend, variables, seed::of_tests(), job);
    // The last line.
    let ended =
        succeeded == (status == 0) && (succeeded || output.contains(&format!("shmemrun: exit status: {status}\n")));
    let missing: Vec<_> = says.iter().filter(|text| !output.contains(*text)).collect();
    let is_right = ended && missing.is_empty() && !output.contains("panicked") && !output.contains(FINISHED);
    assert!(is_right, "{name}: succeeded: {succeeded}, missing: {missing:?}; its output:\n{output}");
    left_out::ran(&format!("conformance jobs on {backend:?}"));
}

/// As [`run`], for jobs on several nodes, without GPUs unless the variables say otherwise. The nodes are connected by a
/// network of this profile, which uses the test's seed for its delays.
///
/// # Panics
/// If a job fails.
pub fn run_on_nodes(name: &str, profile: &str, jobs: &[OnNodes], variables: Variables<'_>, body: fn(&Shmem)) {
    if is_pe() {
        return be_a_pe(|shmem| body(&shmem));
    }
    for &OnNodes { n_pes, nodes, map } in jobs {
        let seed = seed::of_tests();
        let mut command = launch::on_nodes(&shmemrun(), n_pes, nodes);
        command.args(["--map", map]);
        command.env("CUSHMEM_NET", format!("loopback:{profile}:{seed}"));
        start(name, Backend::Host, variables, n_pes, seed, command);
    }
}

/// In a PE: whether GPUs of a node reach each other's memory.
pub fn gpus_reach_each_other() -> bool {
    std::env::var("CUSHMEM_P2P").as_deref() != Ok("0")
}

/// Whether every PE reaches every other one's GPU memory: they share a node, and their GPUs reach each other.
pub fn all_gpus_are_mapped(shmem: &Shmem) -> bool {
    gpus_reach_each_other() && shmem.team_shared().n_pes() == shmem.n_pes()
}

/// Returns how many requests to one PE a test should make, if the user has asked for a number.
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

/// In a PE: the folder for the files of its job, which is removed with them when the job has ended.
pub fn folder() -> PathBuf {
    std::env::temp_dir()
}

/// Adds this program's test to a command that starts jobs.
fn add_test(command: &mut Command, name: &str, backend: Backend, variables: Variables<'_>, seed: u64, folder: &Folder) {
    let name = name.split_once("::").map_or(name, |(_crate, path)| path);
    let test = std::env::current_exe().expect("a test knows its own path");
    command.args(["-x", &format!("TMPDIR={}", folder.display())]);
    command.args(["--timeout", &job_limit_s().to_string(), "--tag"]).arg(&test);
    command.args(["--exact", name, "--nocapture", "--test-threads", "1"]).stdin(Stdio::null());
    command.env("CUSHMEM_GPU", backend.setting()).env(seed::VARIABLE, seed.to_string());
    command.envs(variables.iter().copied());
    // The failed test in the output is enough information.
    command.env("RUST_BACKTRACE", "0");
}

fn start(name: &str, backend: Backend, variables: Variables<'_>, n: u32, seed: u64, command: Command) {
    let (output, succeeded) = output(name, backend, variables, seed, command);
    let finished = output.matches(FINISHED).count();
    let repeat = format!("repeat with {}={seed}", seed::VARIABLE);
    assert!(succeeded, "{name} with {n} PEs failed; {repeat}; its output:\n{output}");
    assert!(finished == n as usize, "{name}: {finished} of {n} PEs finished; {repeat}; their output:\n{output}");
    // Visible with --nocapture.
    output.lines().filter(|line| line.contains(TOLD)).for_each(|line| println!("{line}"));
    left_out::ran(&format!("conformance jobs on {backend:?}"));
}

/// The launcher. It lies beside this program, or one folder above if cargo put the test there.
///
/// # Panics
/// If it does not exist.
pub fn shmemrun() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folders = test.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join("shmemrun")).find(|path| path.exists());
    found
        .unwrap_or_else(|| panic!("no shmemrun beside {}: run `cargo build -p cushmem-launcher` first", test.display()))
}

/// Runs this program's test in a job. Returns what it printed, and whether it succeeded.
fn output(name: &str, backend: Backend, variables: Variables<'_>, seed: u64, mut command: Command) -> (String, bool) {
    let folder = Folder::new("job").expect("a folder");
    add_test(&mut command, name, backend, variables, seed, &folder);
    let shown: Vec<_> = command.get_args().map(OsStr::to_string_lossy).map(String::from).collect();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    command.stdout(writer.try_clone().expect("a second end")).stderr(writer);
    let mut child = command.spawn().unwrap_or_else(|e| panic!("shmemrun {}: {e}", shown.join(" ")));
    // The command holds the other ends of the pipe.
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

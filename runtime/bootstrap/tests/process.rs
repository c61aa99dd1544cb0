//! What a process joins, given its environment. Each test starts this program again with certain variables and no
//! others.

use cushmem_bootstrap::rendezvous::Rendezvous;
use cushmem_bootstrap::socket::{Progress, SeqPacket};
use cushmem_bootstrap::wire::MAX_MESSAGE_BYTES;
use cushmem_bootstrap::{Bootstrap, env};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::poll::{PollFd, PollFlags, poll};
use std::ffi::OsStr;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Precedes what the started process has found.
const FOUND: &str = "it found: ";
const ALONE: &str = "limit 30s, PE 0 of 1 at 0 of ''";

#[test]
#[ignore = "started by the others"]
fn this_process_joins() {
    let limit = env::wait_limit().map_or_else(|error| error.to_string(), |limit| format!("limit {limit:?}"));
    let job = Bootstrap::from_env().map(|bootstrap| bootstrap.job().clone());
    let job = job.map_or_else(
        |error| error.to_string(),
        |job| format!("PE {} of {} at {} of '{}'", job.my_pe, job.n_pes, job.local_pe, job.id),
    );
    println!("\n{FOUND}{limit}, {job}");
}

fn start(variables: &[(&str, impl AsRef<OsStr>)]) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("a test knows its own path"));
    command.args(["--exact", "this_process_joins", "--ignored", "--nocapture"]);
    command.env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
    // In a group of its own, because the end of its lifeline kills its process group.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a test starts")
}

fn found(child: Child) -> String {
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix(FOUND));
    line.unwrap_or_else(|| panic!("{}: {text}", output.status)).to_owned()
}

/// What a process finds with these variables and no others.
fn with(variables: &[(&str, impl AsRef<OsStr>)]) -> String {
    found(start(variables))
}

#[track_caller]
fn expect(variables: &[(&str, &str)], parts: &[&str]) {
    let found = with(variables);
    for part in parts {
        assert!(found.contains(part), "{variables:?}: '{found}' lacks '{part}'");
    }
}

#[test]
fn without_a_launcher_a_process_is_a_job() {
    assert_eq!(with(&[("PATH", "")]), ALONE);
    let lonely = [("OMPI_COMM_WORLD_SIZE", "1"), ("PMI_SIZE", "many"), ("WORLD_SIZE", "2")];
    assert_eq!(with(&lonely), ALONE);
}

#[test]
fn launchers_that_cannot_join_their_processes_are_refused() {
    expect(
        &[("OMPI_COMM_WORLD_SIZE", "2")],
        &["Open MPI's mpirun or oshrun has started 2 processes (OMPI_COMM_WORLD_SIZE=2)"],
    );
    expect(&[("PMI_SIZE", " 3 ")], &["a launcher with PMI has started 3 processes", "shmemrun -n N"]);
    expect(&[("SLURM_STEP_NUM_TASKS", "2")], &["srun has started 2", "srun --mpi=pmix or srun --mpi=pmi2"]);
    // Numbers alone connect nobody.
    assert_eq!(with(&[("PMIX_RANK", "0")]), ALONE);
    // A manager that is not there.
    expect(
        &[("PMI_FD", "987"), ("PMI_RANK", "0"), ("PMI_SIZE", "2")],
        &["process manager (PMI): PMI_FD=987: Bad file"],
    );
    expect(&[("PMI_FD", "0"), ("PMI_RANK", "x"), ("PMI_SIZE", "2")], &["PMI_RANK: PMI_FD is set, and 'x' is not a"]);
    expect(&[("PMI_FD", "987"), ("PMI_RANK", "3"), ("PMI_SIZE", "1")], &["process 3 of 1", "0 to 0"]);
    assert_eq!(with(&[("PMI_FD", "987"), ("PMI_RANK", "0"), ("PMI_SIZE", "1")]), ALONE);
    expect(&[("PMIX_NAMESPACE", "job"), ("PMIX_RANK", "1")], &["process manager (PMIx): "]);
}

/// Catches a value that controls the terminal on which its error is read.
#[test]
fn control_characters_of_values_are_escaped() {
    let red = "\u{1b}[31m";
    let torchrun = [("TORCHELASTIC_RUN_ID", "x"), ("RANK", "0"), ("WORLD_SIZE", red)];
    for variables in [&[("CUSHMEM_WAIT_LIMIT_S", red)][..], &[("CUSHMEM_BOOTSTRAP_FD", red)], &torchrun] {
        let found = with(variables);
        assert!(found.contains(r"'\u{1b}[31m' is not a") && !found.contains(red), "{variables:?}: {found:?}");
    }
}

#[test]
fn torchrun_is_a_launcher() {
    let run = std::process::id().to_string();
    let variables = [
        ("TORCHELASTIC_RUN_ID", run.as_str()),
        ("RANK", "0"),
        ("WORLD_SIZE", "1"),
        ("LOCAL_WORLD_SIZE", "1"),
        ("MASTER_PORT", "29500"),
    ];
    expect(&variables, &["PE 0 of 1 at 0", &format!("'torchrun-29500-{run}-0-1-0'")]);
}

#[test]
fn the_wait_limit_can_be_set() {
    expect(&[("CUSHMEM_WAIT_LIMIT_S", "0.5")], &["limit 500ms, PE 0 of 1"]);
    let refused = "environment variable CUSHMEM_WAIT_LIMIT_S: ";
    // An error of the wait limit also prevents it from joining.
    let found = with(&[("CUSHMEM_WAIT_LIMIT_S", OsStr::from_bytes(b"1\xff"))]);
    assert_eq!(found.matches(&format!("{refused}its value is not UTF-8")).count(), 2, "{found}");
    let found = with(&[("CUSHMEM_WAIT_LIMIT_S", "soon")]);
    assert_eq!(found.matches(&format!("{refused}'soon' is not a number of seconds")).count(), 2, "{found}");
}

#[test]
fn what_is_no_socket_of_a_launcher_is_refused() {
    for number in ["-1", "x", ""] {
        let refused = format!("CUSHMEM_BOOTSTRAP_FD: '{number}' is not a file descriptor number");
        expect(&[("CUSHMEM_BOOTSTRAP_FD", number)], &[&refused]);
    }
    expect(&[("CUSHMEM_BOOTSTRAP_FD", "0")], &["CUSHMEM_LIFELINE_FD: it is not set"]);
    let variables = [("CUSHMEM_BOOTSTRAP_FD", "0"), ("CUSHMEM_LIFELINE_FD", "0"), ("CUSHMEM_JOB", "x")];
    expect(&variables, &["CUSHMEM_BOOTSTRAP_FD: file descriptor 0 is not the launcher's socket"]);
}

#[test]
fn a_launcher_tells_a_process_its_place() {
    let [(rounds, its_rounds), (lifeline, its_lifeline)] = [(); 2].map(|()| SeqPacket::pair().expect("a pair"));
    for inherited in [&its_rounds, &its_lifeline] {
        fcntl(inherited, FcntlArg::F_SETFD(FdFlag::empty())).expect("it is open");
    }
    let number = |socket: &SeqPacket| socket.as_fd().as_raw_fd().to_string();
    let child = start(&[
        ("CUSHMEM_BOOTSTRAP_FD", number(&its_rounds)),
        ("CUSHMEM_LIFELINE_FD", number(&its_lifeline)),
        ("CUSHMEM_JOB", "00ff".into()),
    ]);
    drop((its_rounds, its_lifeline));
    let mut launcher = Rendezvous::new(&[1, 0], "00ff", false);
    poll(&mut [PollFd::new(rounds.as_fd(), PollFlags::POLLIN)], 20_000u16).expect("a wait");
    let mut buffer = vec![0; MAX_MESSAGE_BYTES];
    let Ok(Progress::Done(hello)) = rounds.try_receive(&mut buffer) else { panic!("no hello") };
    launcher.receive(0, &buffer[..hello.bytes], hello.descriptors, false).expect("a hello");
    let welcome = launcher.next_outgoing(0).expect("a welcome");
    assert!(matches!(rounds.try_send(welcome.bytes(), None), Ok(Progress::Done(()))));
    assert_eq!(found(child), "limit 30s, PE 0 of 2 at 1 of '00ff'");
    drop(lifeline);
}

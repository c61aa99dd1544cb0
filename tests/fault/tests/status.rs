//! What the PEs of a job are in: at the time limit, and when somebody asks.

use cushmem_fault_tests::{Job, Running};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::time::{Duration, Instant};

/// Asks until the answer holds all of these texts: the PEs need a moment to get there.
fn expect_status(job: &Running, texts: &[&str]) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let status = job.status();
        if texts.iter().all(|text| status.stdout.contains(text)) {
            assert_eq!((status.code(), status.stderr.as_str()), (0, ""));
            return status.stdout;
        }
        assert!(Instant::now() < deadline, "{texts:?} are not in {status:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn children(parent: i32) -> Vec<i32> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let text = std::fs::read_to_string(path).expect("the kernel lists children");
    text.split_whitespace().map(|pid| pid.parse().expect("a number")).collect()
}

fn supervisor(job: &Running) -> i32 {
    children(job.pid().as_raw())[0]
}

#[test]
fn each_pe_says_what_it_is_in_and_for_whom_it_waits() {
    let steps = ["3:sleep", "join", "out=joined", "fence=x", "1:sleep", "finalize"];
    // PE 3 never joins, so the others are in their first fence.
    let job = Job::steps(4, &["--timeout", "30"], &steps).start();
    job.wait_for_output("joined", 3);
    let lines = expect_status(&job, &["PE 0: fence x since ", "PE 1: fence x since ", "PE 2: fence x since "]);
    assert!(lines.lines().count() == 4 && lines.contains("PE 3: has not joined the job\n"), "{lines}");
    assert_eq!(lines.matches(" s, waiting for PE 3\n").count(), 3, "{lines}");
    job.signal(Signal::SIGKILL);
    job.finish();

    let job = Job::steps(3, &["--timeout", "30"], &steps).start();
    let late = "waiting for PE 1\n";
    let lines = expect_status(&job, &["PE 0: finalize since ", "PE 1: computing\n", "PE 2: finalize since ", late]);
    assert_eq!(lines.matches(late).count(), 2, "{lines}");
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn a_stopped_pe_is_told_as_one_and_answers_again_later() {
    let job = Job::steps(2, &["--timeout", "30"], &["1:stop", "join", "out=joined", "fence=x", "0:sleep", "finalize"]);
    let job = job.start();
    let stopped = "PE 1: has not joined the job\n";
    expect_status(&job, &[stopped]);
    // It stopped before it joined: let it go on, and stop it in finalize.
    let pe = Pid::from_raw(children(supervisor(&job))[1]);
    kill(pe, Signal::SIGCONT).expect("PE 1 is there");
    expect_status(&job, &["PE 0: computing\n", "PE 1: finalize since ", ", waiting for PE 0\n"]);
    kill(pe, Signal::SIGSTOP).expect("PE 1 is there");
    for _ in 0..3 {
        expect_status(&job, &["PE 0: computing\n", "PE 1: does not answer: its process is stopped\n"]);
    }
    kill(pe, Signal::SIGCONT).expect("PE 1 is there");
    expect_status(&job, &["PE 1: finalize since "]);
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn the_time_limit_shows_what_each_pe_is_in() {
    let steps = ["join", "1:stop", "2:sleep", "fence=late"];
    let job = Job::steps(3, &["--timeout", "1"], &steps).run();
    job.expect(
        124,
        &[
            "shmemrun: PE 0: fence late since ",
            ", waiting for PEs 1, 2\n",
            "shmemrun: PE 1: does not answer: its process is stopped\n",
            "shmemrun: PE 2: computing\n",
        ],
    );
}

#[test]
fn jobs_are_listed_and_found_by_their_identifier() {
    let job = Job::steps(1, &["--timeout", "30"], &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    let list = Job::new(["--status"]).run();
    let line = list.stdout.lines().find(|line| line.contains(&job.mark)).expect("the job is listed");
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], job.pid().to_string());
    let status = Job::new(["--status", words[1]]).run();
    assert_eq!((status.code(), status.stdout.as_str()), (0, "PE 0: computing\n"), "{status:?}");
    job.signal(Signal::SIGKILL);
    job.finish();
    let nobody = Job::new(["--status", words[1]]).run();
    nobody.expect(1, &["no such job here"]);
}

#[test]
fn another_user_is_refused() {
    const NOBODY: u32 = 65_534;
    if !nix::unistd::getuid().is_root() {
        xtask::left_out::record("another user's --status", "only root can start a process as another user");
        return;
    }
    let job = Job::steps(1, &["--timeout", "30"], &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    let refused = Job::new(["--status".to_string(), job.pid().to_string()]).user(NOBODY).run();
    refused.expect(1, &["refused: this job belongs to user 0"]);
    assert_eq!(refused.stdout, "");
    let list = Job::new(["--status"]).user(NOBODY).run();
    assert!(list.code() == 0 && !list.stdout.contains(&job.mark), "{list:?}");
    job.signal(Signal::SIGKILL);
    job.finish();
}

/// Sets the limit of open files of a process; returns what it was.
fn limit_open_files(pid: i32, files: u64) -> u64 {
    let mut before = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: asks for the limits; the variable outlives the call.
    let asked = unsafe { libc::prlimit(pid, libc::RLIMIT_NOFILE, std::ptr::null(), &raw mut before) };
    let limit = libc::rlimit { rlim_cur: files, ..before };
    // SAFETY: as above.
    let set = unsafe { libc::prlimit(pid, libc::RLIMIT_NOFILE, &raw const limit, std::ptr::null_mut()) };
    assert_eq!((asked, set), (0, 0), "the limits of process {pid}");
    before.rlim_cur
}

#[test]
fn callers_for_whom_no_descriptor_is_left_wait_and_hold_nobody_up() {
    let job = Job::steps(1, &["--timeout", "30"], &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    let supervisor = supervisor(&job);
    let is_free = |number: &u64| !std::path::Path::new(&format!("/proc/{supervisor}/fd/{number}")).exists();
    let full = (0..).find(is_free).expect("a number is free");
    let call = || {
        let pid = job.pid().to_string();
        let caller = std::thread::spawn(move || Job::new(["--status", &pid]).run());
        std::thread::sleep(Duration::from_millis(300));
        assert!(!caller.is_finished(), "{:?}", caller.join());
        caller
    };
    let before = limit_open_files(supervisor, full);
    let caller = call();
    limit_open_files(supervisor, before);
    assert_eq!(caller.join().expect("it asks").stdout, "PE 0: computing\n");
    limit_open_files(supervisor, full);
    let caller = call();
    job.signal(Signal::SIGTERM);
    job.finish().expect(128 + Signal::SIGTERM as i32, &["PE 0 killed by signal 15 (SIGTERM)"]);
    assert_eq!(caller.join().expect("it asks").code(), 1);
}

#[test]
fn callers_who_do_not_read_hold_nobody_up() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    let job = Job::steps(2, &["--timeout", "30"], &["join", "out=joined", "1:sleep", "finalize"]).start();
    job.wait_for_output("joined", 2);
    let table = std::fs::read_to_string("/proc/net/unix").expect("the kernel lists Unix sockets");
    let pid = format!("/{}/", job.pid());
    let name =
        table.lines().filter_map(|line| line.rsplit_once(" @")).map(|(_, name)| name).find(|name| name.contains(&pid));
    let address = SocketAddr::from_abstract_name(name.expect("the job has a socket")).expect("it is a name");
    // More than are let in at a time.
    let _callers: Vec<_> = (0..20).map(|_| UnixStream::connect_addr(&address).expect("it listens")).collect();
    expect_status(&job, &["PE 0: finalize since ", "waiting for PE 1\n", "PE 1: computing\n"]);
    job.signal(Signal::SIGKILL);
    job.finish();
}

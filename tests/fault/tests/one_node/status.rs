//! What the PEs of a job are waiting in, as shown at the time limit and by `--status`.

use cushmem_fault_tests::{
    Job, Running, built, children, eventually, expect_at_time_limit, expect_status_of, fault_pe, leave_no_descriptor,
    limit_open_files, state,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::time::Duration;

const NOBODY: u32 = 65_534;

/// Waits until PE `pe` of the job is a stopped process. A signal to continue that came earlier would be lost.
fn stopped(job: &Running, pe: usize) -> Pid {
    eventually("the PE stops", || {
        let pid = *children(job.supervisor()).get(pe)?;
        (state(pid) == Some('T')).then_some(pid)
    })
}

#[test]
fn each_pe_says_what_it_is_waiting_in_and_for_which_pes() {
    let steps = ["3:sleep", "join", "out=joined", "fence=x", "1:sleep", "finalize"];
    // PE 3 never joins, so the others are in their first fence.
    let job = Job::steps(4, &["--timeout", "30"], &steps).start();
    job.wait_for_output("joined", 3);
    let in_fence = ["PE 0: fence x for ", "PE 1: fence x for ", "PE 2: fence x for "];
    let lines = job.expect_status_that(|lines| {
        in_fence.iter().all(|text| lines.contains(text)) && lines.matches(" s, waiting for PE 3\n").count() == 3
    });
    assert!(lines.lines().count() == 4 && lines.contains("PE 3: has not joined the job\n"), "{lines}");
    job.signal(Signal::SIGKILL);
    job.finish();

    let job = Job::steps(3, &["--timeout", "30"], &steps).start();
    let in_finalize = ["PE 0: finalize for ", "PE 1: computing\n", "PE 2: finalize for "];
    job.expect_status_that(|lines| {
        in_finalize.iter().all(|text| lines.contains(text)) && lines.matches(" s, waiting for PE 1\n").count() == 2
    });
    job.signal(Signal::SIGKILL);
    job.finish();
}

/// Catches a note that counts as a wait, stands between the PEs' lines, or does not say whose it is. This is also
/// checked at the time limit.
#[test]
fn notes_of_pes_come_after_their_waits() {
    let steps = ["join", "1:note=12 commands\n\u{1b}[31m", "0:note=3 commands", "out=joined", "0:fence=x", "1:sleep"];
    let job = Job::steps(2, &["--timeout", "30", "--nodes", "1"], &steps).start();
    job.wait_for_output("joined", 2);
    // PE 1 may still be on its way to its sleep, which is no wait, and PE 0 to the fence.
    let lines = job.expect_status(&["PE 0: fence x for ", " s, waiting for PE 1\nPE 1: computing\n"]);
    let (waits, notes) = lines.split_once("\nPE 1: computing\n").unwrap_or_else(|| panic!("{lines}"));
    assert!(waits.ends_with(" s, waiting for PE 1") && waits.lines().count() == 1, "{lines}");
    assert_eq!(notes, "PE 0: 3 commands\nPE 1: 12 commands\nPE 1: \\x1b[31m\n");
    job.signal(Signal::SIGKILL);
    job.finish();

    let job = |limit: &str| Job::steps(2, &["--timeout", limit, "--nodes", "1"], &["join", "note=3 commands", "sleep"]);
    let texts = ["PE 0: computing\n", "PE 1: computing\n", "PE 0: 3 commands\n", "PE 1: 3 commands\n"];
    expect_at_time_limit(job, &texts);
}

/// Catches a message of a time limit that says nothing of the kernels which were running. A PE that has not come to its
/// kernel within a short limit gets a longer one.
#[test]
fn a_time_limit_says_what_is_seen_of_kernels() {
    let program = built("lbm");
    let endless = ["--size", "16", "--mode", "device", "--iters", "100000000"];
    let texts = ["time limit of ", "PE 0: kernels: ", "PE 1: kernels: ", " so far"];
    for limit in ["4", "16", "60"] {
        let job =
            Job::new(["-n", "2", "--timeout", limit, program.to_str().expect("plain words")].iter().chain(&endless));
        let job = job.env("CUSHMEM_GPU", "soft").run();
        if limit == "60" || texts.iter().all(|text| job.stderr.contains(text)) {
            return job.expect(124, &texts);
        }
    }
}

/// Catches a query that says nothing, or only after a long time, because the process that answers is stopped.
#[test]
fn a_stopped_supervisor_is_reported_as_stopped() {
    let job = Job::steps(2, &["--timeout", "60"], &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 2);
    let supervisor = job.supervisor();
    kill(supervisor, Signal::SIGSTOP).expect("it is there");
    eventually("the supervisor stops", || (state(supervisor) == Some('T')).then_some(()));
    let status = job.status();
    assert_eq!(status.code(), 1, "{status:?}");
    let said = format!("its process {supervisor} is stopped and cannot answer: 'kill -CONT {supervisor}' resumes it");
    assert!(status.stderr.contains(&said) && status.stderr.lines().count() == 1, "{status:?}");
    kill(supervisor, Signal::SIGCONT).expect("it is there");
    job.expect_status(&["PE 0: computing\n", "PE 1: computing\n"]);
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn a_stopped_pe_is_reported_as_stopped_and_answers_again_later() {
    let job = Job::steps(2, &["--timeout", "30"], &["1:stop", "join", "out=joined", "fence=x", "0:sleep", "finalize"]);
    let job = job.start();
    // The PE stops before it joins: let it go on, and stop it in finalize.
    let pe = stopped(&job, 1);
    job.expect_status(&["PE 1: has not joined the job\n"]);
    kill(pe, Signal::SIGCONT).expect("PE 1 is there");
    job.expect_status(&["PE 0: computing\n", "PE 1: finalize for ", ", waiting for PE 0\n"]);
    kill(pe, Signal::SIGSTOP).expect("PE 1 is there");
    for _ in 0..3 {
        job.expect_status(&["PE 0: computing\n", "PE 1: does not answer: its process is stopped\n"]);
    }
    kill(pe, Signal::SIGCONT).expect("PE 1 is there");
    job.expect_status(&["PE 1: finalize for "]);
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn the_time_limit_shows_what_each_pe_is_waiting_in() {
    let steps = ["join", "1:stop", "2:sleep", "fence=late"];
    expect_at_time_limit(
        |limit| Job::steps(3, &["--timeout", limit], &steps),
        &[
            "PE 0: fence late for ",
            ", waiting for PEs 1, 2\n",
            "PE 1: does not answer: its process is stopped\n",
            "PE 2: computing\n",
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
    expect_status_of(words[1], |answer| answer == "PE 0: computing\n");
    job.signal(Signal::SIGKILL);
    job.finish();
    let ended = Job::new(["--status", words[1]]).run();
    ended.expect(1, &["no such job on this machine"]);
}

#[test]
fn another_user_is_refused() {
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
    list.expect(0, &["shmemrun: no job of yours runs on this machine"]);
    assert_eq!(list.stdout, "");
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn names_that_another_user_has_taken_are_not_believed() {
    if !nix::unistd::getuid().is_root() {
        xtask::left_out::record("another user's --status", "only root can start a process as another user");
        return;
    }
    let job = Job::steps(1, &["--timeout", "30"], &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    // This name sorts before the job's own.
    let steps = [format!("take-name=cushmem/0/{}/0", job.pid()), "mark=\u{1b}[31m".into()];
    let mut command = std::process::Command::new(fault_pe());
    let mut thief = command.args(steps).uid(NOBODY).stdout(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut taken = [0; 5];
    thief.stdout.take().expect("a pipe").read_exact(&mut taken).expect("it takes the name");
    job.expect_status_that(|answer| answer == "PE 0: computing\n");
    let list = Job::new(["--status"]).run();
    thief.kill().expect("it is there");
    thief.wait().expect("it is a child");
    assert!(!list.stdout.contains("take-name"), "{list:?}");
    assert_eq!(list.stdout.matches(&format!("{} ", job.pid())).count(), 1, "{list:?}");
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn control_characters_of_a_command_line_are_shown_as_numbers() {
    let job = Job::steps(1, &["--timeout", "30"], &["mark=\u{1b}[31mred\n", "join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    let list = Job::new(["--status"]).run();
    assert!(list.stdout.contains(r"mark=\x1b[31mred\x0a join"), "{list:?}");
    job.signal(Signal::SIGKILL);
    job.finish();
}

/// Whether the operating system has connected clients of this job that the supervisor has not accepted. `--status` of
/// another test, which lists all jobs, is one too.
fn has_clients_in_its_queue(job: &Running) -> bool {
    // The state of a socket that belongs to no process yet, and the name, which it has from the socket that listens.
    let (connecting, pid) = ("02", format!("/{}/", job.pid()));
    let table = std::fs::read_to_string("/proc/net/unix").expect("the kernel lists Unix sockets");
    let mut rows = table.lines().filter_map(|row| row.rsplit_once(" @cushmem/"));
    rows.any(|(row, name)| name.contains(&pid) && row.split_whitespace().nth(5) == Some(connecting))
}

/// What clients are told that come when PEs end is a matter of time: the end of a PE gives back descriptors, for one
/// more answer.
#[test]
fn clients_for_which_no_descriptor_is_left_wait_and_delay_nothing() {
    let job = Job::steps(1, &["--timeout", "60"], &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    let supervisor = job.supervisor();
    let call = || {
        let pid = job.pid().to_string();
        let client = std::thread::spawn(move || Job::new(["--status", &pid]).run());
        eventually("a client is in the queue", || has_clients_in_its_queue(&job).then_some(()));
        // The supervisor looks at the queue more than once.
        std::thread::sleep(Duration::from_millis(300));
        assert!(has_clients_in_its_queue(&job) && !client.is_finished());
        client
    };
    let before = leave_no_descriptor(supervisor);
    let client = call();
    limit_open_files(supervisor, before);
    let answer = client.join().expect("it asks");
    assert!(answer.code() == 0 && answer.stdout.starts_with("PE 0: "), "{answer:?}");
    leave_no_descriptor(supervisor);
    let client = call();
    job.signal(Signal::SIGTERM);
    job.finish().expect(128 + Signal::SIGTERM as i32, &["PE 0 was killed by signal 15 (SIGTERM)"]);
    let answer = client.join().expect("it asks");
    let is_told = answer.code() == 0 && answer.stdout.starts_with("PE 0: ");
    assert!(is_told || answer.code() == 1 && answer.stderr.contains(": it has just ended"), "{answer:?}");
}

/// The number of PEs whose answers are more than fits into the buffer of a socket.
const ANSWERING: usize = 8;
/// The length of an answer.
const ANSWER_BYTES: usize = 60_000;

#[test]
fn clients_that_do_not_read_delay_nothing() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    let last = format!("{ANSWERING}:stop");
    let waits = format!("waits={ANSWER_BYTES}");
    let steps = ["join", &waits, "out=joined", &last, "fence=x", "out=met", "sleep"];
    let job = Job::steps(ANSWERING as u32 + 1, &["--timeout", "60"], &steps).start();
    job.wait_for_output("joined", ANSWERING + 1);
    let late = stopped(&job, ANSWERING);
    let table = std::fs::read_to_string("/proc/net/unix").expect("the kernel lists Unix sockets");
    let pid = format!("/{}/", job.pid());
    let name =
        table.lines().filter_map(|line| line.rsplit_once(" @")).map(|(_, name)| name).find(|name| name.contains(&pid));
    let address = SocketAddr::from_abstract_name(name.expect("the job has a socket")).expect("it is a name");
    // More than the supervisor serves at a time.
    let mut clients: Vec<_> = (0..12).map(|_| UnixStream::connect_addr(&address).expect("it listens")).collect();
    let first = &mut clients[0];
    first.set_read_timeout(Some(Duration::from_secs(20))).expect("it is not zero");
    first.read_exact(&mut [0]).expect("an answer begins");
    // The supervisor now has to send the rest of it. The job goes on, and so do other clients.
    kill(late, Signal::SIGCONT).expect("the PE is there");
    job.wait_for_output("met", ANSWERING + 1);
    let status = job.status();
    assert_eq!((status.code(), status.stderr.as_str()), (0, ""));
    assert_eq!(status.stdout.lines().count(), ANSWERING + 1);
    // The supervisor gave up on the first client half-way.
    let (mut rest, whole) = (Vec::new(), ANSWERING * ANSWER_BYTES);
    clients[0].read_to_end(&mut rest).expect("the connection was closed");
    assert!(rest.len() < whole / 2, "{} of {whole} bytes came: is net.core.wmem_default large here?", rest.len());
    job.signal(Signal::SIGKILL);
    job.finish();
}

/// Catches counts that can be seen at the end only, and a running PE that is said not to have left.
#[test]
fn a_job_that_counts_shows_the_table_so_far() {
    let steps = ["init", "barrier", "barrier", "out=met", "1:sleep", "barrier"];
    let job = Job::steps(2, &["--stats", "--timeout", "30"], &steps).env("CUSHMEM_GPU", "none").start();
    job.wait_for_output("met", 2);
    let row = "\n  barrier          -                               4 ";
    let lines = job.expect_status(&["PE 1: computing\n", "\noperations of 2 PEs, summed", row]);
    assert!(!lines.contains("did not leave"), "{lines}");
    job.signal(Signal::SIGKILL);
    job.finish();
}

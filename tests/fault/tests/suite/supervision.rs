//! The launcher ends its job whatever it was started from, and whatever has stopped: a reader, the supervisor, the
//! terminal.

use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;

use cushmem_fault_tests::{Before, Job, Running, children, eventually, pids_with_mark, seeded, state};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

const TERMINATED: i32 = 128 + Signal::SIGTERM as i32;

/// A job that ignores this signal from its start on.
fn ignoring(signal: &str, job: Job) -> Job {
    let perl = ["perl", "-e", &format!("$SIG{{{signal}}} = 'IGNORE'; exec @ARGV or die")];
    // Perl would warn of a locale that the machine lacks.
    job.under(&perl).env("PERL_BADLANG", "0")
}

fn stop(pid: Pid) {
    kill(pid, Signal::SIGSTOP).expect("the process is there");
    eventually("the process stops", || (state(pid) == Some('T')).then_some(()));
}

#[test]
fn a_job_whose_parent_ignored_sigchld_ends() {
    let job = ignoring("CHLD", Job::steps(2, &[], &["join", "fence=x", "finalize"])).run();
    assert_eq!((job.code(), job.stderr.as_str()), (0, ""), "{job:?}");
    let job = ignoring("CHLD", Job::steps(2, &[], &["join", "fence=x", "1:exit=7", "sleep"])).run();
    job.expect(7, &["PE 1 exited with status 7"]);
    let before = Before::look();
    let job = ignoring("CHLD", Job::steps(2, &[], &["join", "out=joined", "sleep"])).start();
    job.wait_for_output("joined", 2);
    job.signal(Signal::SIGKILL);
    let mark = job.mark.clone();
    assert_eq!(job.finish().code(), 137);
    before.expect_nothing_left(&mark, "after the front was killed");
}

/// Signal masks as the operating system prints them, without the two signals that the C library keeps for itself.
fn masks(text: &str) -> Vec<u64> {
    let words = text.split_whitespace().map(|word| u64::from_str_radix(word, 16).expect("a mask"));
    words.map(|mask| mask & !(0b11 << 31)).collect()
}

#[test]
fn pes_start_with_default_actions_and_no_mask() {
    let words = "sed -n 's/^Sig\\(Ign\\|Blk\\):[[:space:]]*//p' /proc/self/status";
    let script = "use POSIX; \
                  $SIG{$_} = 'IGNORE' for qw(CHLD TERM USR1 USR2 PIPE ALRM TSTP TTIN CONT); \
                  sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM, SIGCHLD, SIGUSR1, SIGALRM)); \
                  exec @ARGV or die";
    let job = Job::new(["-n", "1", "sh", "-c", words]).under(&["perl", "-e", script]).run();
    job.expect(0, &[]);
    assert_eq!(masks(&job.stdout), [0, 0], "{job:?}");
}

#[test]
fn what_nohup_ignores_stays_ignored() {
    let words = "sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status";
    let job = ignoring("HUP", Job::new(["-n", "1", "sh", "-c", words])).run();
    assert_eq!(masks(&job.stdout), [1 << (Signal::SIGHUP as u32 - 1)], "{job:?}");
}

#[test]
fn a_stopped_supervisor_does_not_keep_sigterm_from_ending_the_job() {
    let before = Before::look();
    let job = Job::steps(2, &[], &["daemon", "join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 2);
    stop(job.supervisor());
    job.signal(Signal::SIGTERM);
    let mark = job.mark.clone();
    job.finish().expect(TERMINATED, &["the supervisor did not answer SIGTERM within 2 s; its PEs were killed"]);
    before.expect_nothing_left(&mark, "after the supervisor was stopped");
}

#[test]
fn a_stopped_keeper_does_not_hold_the_job() {
    let before = Before::look();
    let start = || {
        let job = Job::steps(2, &[], &["daemon", "join", "out=joined", "sleep"]).start();
        job.wait_for_output("joined", 2);
        stop(job.keeper());
        job
    };
    let job = start();
    job.signal(Signal::SIGTERM);
    let mark = job.mark.clone();
    job.finish().expect(TERMINATED, &["killed by signal 15 (SIGTERM)"]);
    before.expect_nothing_left(&mark, "after SIGTERM to the front");

    let job = start();
    kill(job.supervisor(), Signal::SIGKILL).expect("the supervisor is there");
    let mark = job.mark.clone();
    job.finish().expect(137, &["the supervisor was killed by signal 9 (SIGKILL); its PEs were killed"]);
    before.expect_nothing_left(&mark, "after the supervisor was killed");

    let job = start();
    job.signal(Signal::SIGKILL);
    let mark = job.mark.clone();
    job.finish().expect(137, &["shmemrun was killed: the PEs were killed"]);
    before.expect_nothing_left(&mark, "after the front was killed");
}

/// Catches a front that waits for a keeper which was stopped right after it had started the supervisor: it still has
/// the supervisor's end of the socket, so the front does not see that the supervisor closes it.
#[test]
fn a_keeper_that_is_stopped_at_its_start_does_not_hold_the_job() {
    let mut random = seeded("a_keeper_that_is_stopped_at_its_start_does_not_hold_the_job");
    for _ in 0..30 {
        let job = Job::steps(2, &[], &["join", "churn"]).start();
        let keeper = eventually("the keeper starts", || children(job.pid()).first().copied());
        std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
        kill(keeper, Signal::SIGSTOP).expect("the keeper is there");
        job.signal(Signal::SIGTERM);
        job.finish().expect(TERMINATED, &[]);
    }
}

#[test]
fn a_stopped_supervisor_ends_the_job_if_the_front_is_killed() {
    let before = Before::look();
    // The subreaper is in the same terminal session as the supervisor that it inherits. Otherwise the operating system
    // would continue a stopped process by itself.
    let script = format!(
        "syscall({}, {}, 1, 0, 0, 0) == 0 or die; exec @ARGV or die unless fork; 1 while wait > 0",
        libc::SYS_prctl,
        libc::PR_SET_CHILD_SUBREAPER
    );
    let job = Job::steps(2, &[], &["daemon", "join", "out=joined", "sleep"]).under(&["perl", "-e", &script]).start();
    job.wait_for_output("joined", 2);
    let front = *children(job.pid()).first().expect("the front runs");
    let keeper = *children(front).first().expect("the keeper runs");
    let supervisor = *children(keeper).first().expect("the supervisor runs");
    stop(supervisor);
    kill(front, Signal::SIGKILL).expect("the front is there");
    let mark = job.mark.clone();
    job.finish().expect(0, &["shmemrun was killed: the PEs were killed"]);
    before.expect_nothing_left(&mark, "after the front was killed");
}

/// An executable file that nobody can open or execute until the lease is given back: whoever tries has to wait.
fn leased(script: &str) -> std::fs::File {
    // SAFETY: the name is a C string.
    let made = unsafe { libc::memfd_create(c"leased".as_ptr(), libc::MFD_CLOEXEC) };
    assert!(made >= 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the descriptor is new and has no other owner.
    let mut written = std::fs::File::from(unsafe { OwnedFd::from_raw_fd(made) });
    written.write_all(script.as_bytes()).expect("there is memory");
    let file = std::fs::File::open(format!("/proc/self/fd/{made}")).expect("it is there");
    drop(written);
    const F_SETSIG: i32 = 10;
    // The system tells the holder that somebody waits, by SIGIO unless another signal is chosen: this one is ignored.
    // SAFETY: neither command reads memory of this process.
    let set = |command, value: libc::c_int| unsafe { libc::fcntl(file.as_raw_fd(), command, value) };
    assert_eq!(set(F_SETSIG, libc::SIGURG), 0, "{}", std::io::Error::last_os_error());
    // A child of another test may still have `written` open, until it executes its program.
    eventually("a lease", || (set(libc::F_SETLEASE, libc::F_WRLCK) == 0).then_some(()));
    file
}

fn give_back(program: &std::fs::File) {
    // SAFETY: the command reads no memory of this process.
    assert_eq!(unsafe { libc::fcntl(program.as_raw_fd(), libc::F_SETLEASE, libc::F_UNLCK) }, 0);
}

fn path_of(program: &std::fs::File) -> String {
    format!("/proc/{}/fd/{}", std::process::id(), program.as_raw_fd())
}

/// Starts a job of three PEs, of which the second cannot start until its program is given back. Returns the job and the
/// first PE.
fn held_up(program: &std::fs::File, limit: &str, third: &[&str]) -> (Running, Pid) {
    let second = path_of(program);
    let parts = ["-n", "1", "--timeout", limit, "sleep", "1000", ":", "-n", "1", &second, ":", "-n", "1"];
    let job = Job::new(parts.iter().chain(third)).start();
    let supervisor = job.supervisor();
    let pes = eventually("three PEs start", || Some(children(supervisor)).filter(|pes| pes.len() == 3));
    (job, pes[0])
}

/// Catches a launcher that waits for a PE which does not execute its program, because the process is stopped or the
/// file system does not answer: no time limit, signal or question would reach the job.
#[test]
fn a_pe_that_does_not_start_holds_nothing() {
    let program = leased("#!/bin/sh\nexec sleep 1000\n");
    let (job, _) = held_up(&program, "3", &["sleep", "1000"]);
    job.finish().expect(124, &["time limit of 3 s reached: PEs 0, 1, 2 were still running"]);

    let (job, first) = held_up(&program, "30", &["sleep", "1000"]);
    job.expect_status(&["PE 1: has not joined the job"]);
    kill(first, Signal::SIGKILL).expect("PE 0 is there");
    job.finish().expect(137, &["PE 0 was killed by signal 9 (SIGKILL)"]);

    let (job, _) = held_up(&program, "30", &["sleep", "1000"]);
    job.signal(Signal::SIGTERM);
    job.finish().expect(TERMINATED, &["killed by signal 15 (SIGTERM)"]);

    let (job, _) = held_up(&program, "30", &["sleep", "1000"]);
    let supervisor = job.supervisor();
    let all: Vec<Pid> = children(supervisor).into_iter().chain([supervisor]).collect();
    job.signal(Signal::SIGKILL);
    job.finish();
    let has_ended = |pid: &Pid| matches!(state(*pid), None | Some('Z'));
    eventually("all processes end", || all.iter().all(has_ended).then_some(()));
    give_back(&program);
}

/// Catches a launcher that runs out of descriptors only because PEs have not executed their programs yet.
#[test]
fn pes_that_are_slow_to_start_cost_no_descriptors() {
    const N: usize = 23;
    let program = leased("#!/bin/sh\nexit 0\n");
    let args = ["-n", &N.to_string(), "--timeout", "30", &path_of(&program)];
    // Room for 3 descriptors of each PE, but not for 4.
    let job = Job::new(args).under(&["prlimit", "--nofile=100:100"]).start();
    let supervisor = job.supervisor();
    let has_ended = || matches!(state(supervisor), None | Some('Z'));
    eventually("all PEs start", || (children(supervisor).len() == N || has_ended()).then_some(()));
    give_back(&program);
    job.finish().expect(0, &[]);
}

/// Catches a signal that is lost because it comes before the PE has executed its program.
#[test]
fn a_signal_before_the_program_counts() {
    let program = leased("#!/bin/sh\nexec sleep 1000\n");
    let (job, _) = held_up(&program, "30", &["sleep", "1000"]);
    let supervisor = job.supervisor();
    job.signal(Signal::SIGTSTP);
    eventually("the front stops", || (state(job.pid()) == Some('T')).then_some(()));
    eventually("three PEs are stopped", || {
        let pes = children(supervisor);
        (pes.len() == 3 && pes.iter().all(|pe| state(*pe) == Some('T'))).then_some(())
    });
    give_back(&program);
    job.signal(Signal::SIGCONT);
    job.signal(Signal::SIGTERM);
    job.finish().expect(TERMINATED, &["killed by signal 15 (SIGTERM)"]);
}

#[test]
fn a_supervisor_that_answers_is_left_alone() {
    let script = "trap 'sleep 4; echo done; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
    let job = Job::new(["-n", "2", "sh", "-c", script]).start();
    job.wait_for_output("ready", 2);
    job.signal(Signal::SIGTERM);
    let job = job.finish();
    assert_eq!((job.code(), job.stdout.matches("done").count()), (0, 2), "{job:?}");
}

/// Reads, and stops reading once a thread of the process is blocked in a write to the pipe.
fn read_until_blocked(pid: Pid, pipe: &mut impl Read) {
    let is_blocked = || {
        let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("the supervisor is there").flatten();
        let mut calls = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("wchan")).ok());
        calls.any(|call| call.contains("pipe_write"))
    };
    let mut piece = [0; 64 * 1024];
    eventually("the supervisor is blocked in write()", || {
        pipe.read_exact(&mut piece).expect("the PEs write");
        std::thread::sleep(Duration::from_millis(20));
        is_blocked().then_some(())
    });
}

#[test]
fn a_reader_that_stops_does_not_stop_the_supervisor() {
    let before = Before::look();
    // The PEs write to this pipe themselves, so there may be room when the supervisor looks, and none when it writes.
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let copy = OwnedFd::from(writer.try_clone().expect("a copy"));
    let job = Job::steps(2, &[], &["join", "fence=x", "flood-both"]).start_with(OwnedFd::from(writer), copy);
    read_until_blocked(job.supervisor(), &mut reader);
    job.expect_status(&["PE 0: computing\n", "PE 1: computing\n"]);
    job.signal(Signal::SIGTERM);
    let mark = job.mark.clone();
    assert_eq!(job.finish().code(), TERMINATED);
    before.expect_nothing_left(&mark, "after its reader stopped");
    reader.read_to_end(&mut Vec::new()).expect("all have closed the pipe");
}

/// Catches the loss of what a PE sent before it closed its connection, if the supervisor first sends something to it.
#[test]
fn the_last_words_of_a_pe_are_heard() {
    let steps = ["join", "out=joined", "0:fence=x", "1:stop", "1:quit=3"];
    let job = Job::steps(2, &["--timeout", "20"], &steps).start();
    job.wait_for_output("joined", 2);
    let supervisor = job.supervisor();
    let pe = eventually("PE 1 stops", || children(supervisor).into_iter().find(|pe| state(*pe) == Some('T')));
    stop(supervisor);
    kill(pe, Signal::SIGCONT).expect("PE 1 is there");
    job.wait_for_output("quit", 1);
    kill(supervisor, Signal::SIGCONT).expect("the supervisor is there");
    job.finish().expect(3, &["PE 1 ended the job with status 3"]);
}

/// Makes this thread trace the process: until the thread reaps it, nobody else can.
fn hold(pid: Pid) {
    // SAFETY: the call reads no memory of this process.
    let held = unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid.as_raw(), 0, 0) };
    assert_eq!(held, 0, "{}", std::io::Error::last_os_error());
}

/// Makes this thread trace the process, which stops when it is about to end, until the thread lets it go.
fn hold_at_its_end(pid: Pid) {
    // SAFETY: the call reads no memory of this process.
    let held = unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid.as_raw(), 0, libc::PTRACE_O_TRACEEXIT) };
    assert_eq!(held, 0, "{}", std::io::Error::last_os_error());
}

/// Catches processes that outlive the job because a supervisor that was killed does not end in time: whoever waits for
/// it finds them only when it has ended.
#[test]
fn what_is_below_a_supervisor_that_ends_too_late_is_killed() {
    let before = Before::look();
    let mut job = Job::steps(2, &[], &["daemon", "spawn", "join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 2);
    let (keeper, supervisor, mark) = (job.keeper(), job.supervisor(), job.mark.clone());
    hold_at_its_end(supervisor);
    kill(keeper, Signal::SIGKILL).expect("the keeper is there");
    assert_eq!(job.wait_for_end(), 137);
    job.wait_for_errors("1 processes of the job could not be ended within 5 s", 1);
    eventually("only the supervisor is left", || (pids_with_mark(&mark) == [supervisor]).then_some(()));
    nix::sys::ptrace::detach(supervisor, None).expect("this thread traces it");
    before.expect_nothing_left(&mark, "after the supervisor has ended");
}

/// Catches a process that outlives the job because it loses its parent while the front kills what is below a PE: the
/// parent is below the PE, and the process then is a child of the front itself.
#[test]
fn orphans_of_what_is_below_a_pe_that_ends_too_late_are_killed() {
    let before = Before::look();
    // Some of their children end before the front looks again, whatever the machine is doing.
    let families = [&["family"; 16][..], &["join", "out=joined", "sleep"]].concat();
    let mut job = Job::steps(1, &[], &families).start();
    job.wait_for_output("joined", 1);
    let (keeper, supervisor, mark) = (job.keeper(), job.supervisor(), job.mark.clone());
    let parents = |pid: &Pid| children(*pid).into_iter().filter(|pid| !children(*pid).is_empty()).collect::<Vec<_>>();
    // The other children of the supervisor are daemons whose parents have ended.
    let pe = eventually("the PE has children", || parents(&supervisor).first().copied());
    eventually("its children have daemons", || (parents(&pe).len() == 16).then_some(()));
    hold_at_its_end(pe);
    // The keeper cannot act when the supervisor dies, so the PE becomes a child of the front.
    stop(keeper);
    kill(supervisor, Signal::SIGKILL).expect("the supervisor is there");
    kill(keeper, Signal::SIGKILL).expect("the keeper is there");
    assert_eq!(job.wait_for_end(), 137);
    job.wait_for_errors("1 processes of the job could not be ended within 5 s", 1);
    eventually("only the PE is left", || (pids_with_mark(&mark) == [pe]).then_some(()));
    nix::sys::ptrace::detach(pe, None).expect("this thread traces it");
    before.expect_nothing_left(&mark, "after the PE has ended");
}

#[test]
fn a_launcher_without_threads_says_so() {
    if !nix::unistd::getuid().is_root() {
        xtask::left_out::record("a limit of processes", "only root can start a process as another user");
        return;
    }
    // Room for the front, the keeper and the supervisor: this user has no other process, also while the suite runs
    // several times at once. Containers often map the numbers up to 65,535 only.
    let nobody_else = 20_000 + std::process::id() % 39_999;
    let job = Job::new(["-n", "1", "true"]).under(&["prlimit", "--nproc=3"]).user(nobody_else).run();
    job.expect(1, &["shmemrun: start a thread that writes output: "]);
}

#[test]
fn lines_stay_whole_where_stdout_and_stderr_are_one() {
    // Longer than what a pipe takes at once.
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let copy = writer.try_clone().expect("a copy");
    let script = "i=0; while [ $i -lt 100 ]; do printf '%05999d\\n' 0; printf '%05999d\\n' 0 >&2; i=$((i + 1)); done";
    let mut job = Job::new(["-n", "2", "--tag", "sh", "-c", script]).start_with(writer, copy);
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("text");
    assert_eq!(job.wait_for_end(), 0);
    let is_whole = |line: &str| line.len() == 6003 && (line.starts_with("[0] 0") || line.starts_with("[1] 0"));
    let torn: Vec<usize> = text.lines().filter(|line| !is_whole(line)).map(str::len).collect();
    assert_eq!((text.lines().count(), torn), (400, vec![]));
}

#[test]
fn a_reader_that_stops_does_not_hold_a_job_beyond_its_time_limit() {
    for stays in ["sleep 1000", "exit 0"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        // More than the 64 KiB that fit into the pipe.
        let script = format!("i=0; while [ $i -lt 100 ]; do printf '%01999d\\n' 0; i=$((i + 1)); done; {stays}");
        let args = ["-n", "1", "--tag", "--timeout", "1", "sh", "-c", &script];
        let (mut errors, stderr) = std::io::pipe().expect("a pipe");
        let mut job = Job::new(args).start_with(writer, stderr);
        assert_eq!(job.wait_for_end(), 124, "{stays}");
        drop(reader);
        let mut text = String::new();
        errors.read_to_string(&mut text).expect("text");
        assert!(text.contains("time limit of 1 s reached: "), "{text}");
    }
}

#[test]
fn output_that_cannot_be_written_is_reported() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let mut job = Job::new(["-n", "1", "--tag", "echo", "text"]).start_with(full, writer);
    assert_eq!(job.wait_for_end(), 1);
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("text");
    assert_eq!(text, "shmemrun: write to stdout: No space left on device\n");
}

/// Catches a launcher that panics when its reader has seen enough, as `head` has.
#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    for args in [&["--help"][..], &["--version"], &["--generate", "man"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let (mut errors, stderr) = std::io::pipe().expect("a pipe");
        let mut job = Job::new(args).start_with(writer, stderr);
        let mut text = String::new();
        errors.read_to_string(&mut text).expect("text");
        assert_eq!((job.wait_for_end(), text.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn a_supervisor_that_cleans_up_answers() {
    let job = Job::steps(1, &[], &["daemon", "join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    let pe = *children(job.supervisor()).first().expect("the PE runs");
    let daemon = eventually("the PE has a child", || children(pe).first().copied());
    hold(daemon);
    job.signal(Signal::SIGTERM);
    // The PE has ended, and the supervisor tries to end the rest.
    eventually("the child was killed", || (state(daemon) == Some('Z')).then_some(()));
    job.signal(Signal::SIGTERM);
    job.finish()
        .expect(TERMINATED, &["PE 0 was killed by signal 15 (SIGTERM)", "1 processes of the job could not be ended"]);
    waitpid(daemon, Some(WaitPidFlag::__WALL)).expect("this thread traces it");
}

/// Seconds of CPU that a process has used.
fn used(pid: Pid) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let fields = stat.rsplit(')').next().expect("fields follow the name").split_whitespace();
    // SAFETY: the call takes a number only.
    let ticks_per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    // utime and stime
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().expect("a number")).sum::<f64>() / ticks_per_second as f64
}

/// Catches a supervisor that spins on the closed socket of its front while it waits for a PE that cannot end.
#[test]
fn a_supervisor_that_waits_without_its_front_sleeps() {
    let job = Job::steps(1, &[], &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 1);
    let supervisor = job.supervisor();
    let pe = *children(supervisor).first().expect("the PE runs");
    hold(pe);
    job.signal(Signal::SIGKILL);
    eventually("the PE was killed", || (state(pe) == Some('Z')).then_some(()));
    let before = used(supervisor);
    std::thread::sleep(Duration::from_secs(2));
    let seconds = used(supervisor) - before;
    waitpid(pe, Some(WaitPidFlag::__WALL)).expect("this thread traces it");
    assert_eq!(job.finish().code(), 137);
    assert!(seconds < 0.5, "{seconds} s of CPU in 2 s");
}

#[test]
fn a_slow_reader_gets_all_output_after_a_signal() {
    // Lines that have not been written when the signal comes, and that the reader then takes more than a second to
    // read.
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let script = "trap 'exit 0' TERM; i=0; while [ $i -lt 400 ]; do printf '%01000d\\n' $i; i=$((i + 1)); done; \
                  echo written >&2; while :; do sleep 0.05; done";
    let (mut err, err_writer) = std::io::pipe().expect("a pipe");
    let mut job = Job::new(["-n", "1", "--tag", "sh", "-c", script]).start_with(writer, err_writer);
    err.read_exact(&mut [0; 11]).expect("the PE says that it has written");
    job.signal(Signal::SIGTERM);
    let mut text = String::new();
    let mut piece = vec![0; 16 * 1024];
    loop {
        let bytes = reader.read(&mut piece).expect("a pipe");
        if bytes == 0 {
            break;
        }
        text += str::from_utf8(&piece[..bytes]).expect("digits");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!((job.wait_for_end(), text.lines().count()), (0, 400));
}

#[test]
fn a_terminal_that_stops_writers_in_the_background_stops_no_job() {
    // Each PE is in a process group of its own, so all of them are in the background.
    let steps = ["out=to-stdout", "err=to-stderr", "join", "finalize"];
    let job = Job::steps(2, &["--timeout", "30"], &steps).in_a_terminal("stty tostop").run();
    let count = |text| job.stdout.matches(text).count();
    assert_eq!((job.code(), count("to-stdout"), count("to-stderr")), (0, 2, 2), "{job:?}");
}

#[test]
fn a_child_of_the_shell_that_became_shmemrun_is_left_alone() {
    // The child ends with its input, so it leaves nothing behind.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let before = Before::look();
    let script = "exec 3<&0; cat <&3 >/dev/null 2>&1 & echo child $!.; exec 3<&-; exec \"$0\" \"$@\"";
    let job = Job::steps(2, &[], &["daemon", "join", "out=joined", "sleep"]).under(&["sh", "-c", script]);
    let job = job.stdin(reader).start();
    let text = job.wait_for_output("joined", 2);
    let child = text.split("child ").nth(1).and_then(|rest| rest.split('.').next()).expect("the shell names it");
    let child = Pid::from_raw(child.parse().expect("a number"));
    kill(job.supervisor(), Signal::SIGKILL).expect("the supervisor is there");
    let mark = job.mark.clone();
    job.finish().expect(137, &["the supervisor was killed by signal 9 (SIGKILL); its PEs were killed"]);
    before.expect_nothing_left(&mark, "after the supervisor was killed");
    assert!(matches!(state(child), Some('S' | 'R')), "{:?}", state(child));
    drop(writer);
    eventually("the child ends", || matches!(state(child), None | Some('Z')).then_some(()));
}

//! Nothing of a job is left, whichever process is killed, at any moment.

use std::time::{Duration, Instant};

use cushmem_fault_tests::{Before, Job, Running, eventually, expect_at_time_limit, pids_with_mark, seeded};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getsid};
use xtask::launch::word;

const ROUNDS: u64 = 50;
const N_PES: u32 = 3;
/// One of these limits is chosen at random: the first covers the start of the launcher and of the PEs, and joining; the
/// second covers mostly allgathers.
const MOMENT_LIMITS_US: [usize; 2] = [12_000, 80_000];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Victim {
    Pe(u32),
    Front,
    Keeper,
    Supervisor,
    FrontAndKeeper,
    FrontAndSupervisor,
    KeeperAndSupervisor,
}

fn field(pid: Pid, file: &str, find: impl Fn(&str) -> Option<String>) -> Option<String> {
    std::fs::read(format!("/proc/{pid}/{file}")).ok().and_then(|bytes| find(&String::from_utf8_lossy(&bytes)))
}

fn parent(pid: Pid) -> Option<i32> {
    field(pid, "status", |text| Some(text.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().into()))?
        .parse()
        .ok()
}

fn pe(job: &Running, pe: u32) -> Option<Pid> {
    let supervisor = job.supervisor().as_raw();
    let variable = format!("CUSHMEM_PE={pe}");
    let is_pe = |pid: &Pid| {
        parent(*pid) == Some(supervisor)
            && field(*pid, "environ", |text| text.split('\0').find(|v| *v == variable).map(String::from)).is_some()
    };
    pids_with_mark(&job.mark).into_iter().find(is_pe)
}

/// Finds the process, which may not exist yet.
fn find(what: impl Fn() -> Option<Pid>) -> Pid {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match what() {
            Some(pid) => return pid,
            None => assert!(Instant::now() < deadline, "the process to kill did not start"),
        }
    }
}

#[test]
fn fifty_kills_leave_nothing() {
    let mut random = seeded("fifty_kills_leave_nothing");
    let victims = [
        Victim::Pe(0),
        Victim::Front,
        Victim::Pe(1),
        Victim::Front,
        Victim::Pe(2),
        Victim::Supervisor,
        Victim::Keeper,
        Victim::FrontAndKeeper,
        Victim::KeeperAndSupervisor,
        Victim::FrontAndSupervisor,
    ];
    for round in 0..ROUNDS {
        let victim = victims[(round % victims.len() as u64) as usize];
        let limit = MOMENT_LIMITS_US[random.below(2)];
        let moment = Duration::from_micros(random.below(limit) as u64);
        let children = match round % 3 {
            0 => &["join", "churn"][..],
            1 => &["spawn", "join", "daemon", "churn"],
            _ => &["join", "1:family", "spawn", "churn"],
        };
        kill_one(victim, moment, children, &format!("round {round}, {victim:?} after {moment:?}"));
    }
}

fn kill_two(first: Pid, second: Pid) -> nix::Result<()> {
    kill(first, Signal::SIGKILL).and(kill(second, Signal::SIGKILL))
}

fn kill_one(victim: Victim, moment: Duration, steps: &[&str], context: &str) {
    let before = Before::look();
    let job = Job::steps(N_PES, &["--timeout", "30"], steps).start();
    let mark = job.mark.clone();
    std::thread::sleep(moment);
    let signalled = match victim {
        Victim::Front => kill(job.pid(), Signal::SIGKILL),
        Victim::Keeper => kill(job.keeper(), Signal::SIGKILL),
        Victim::Supervisor => kill(job.supervisor(), Signal::SIGKILL),
        Victim::FrontAndKeeper => kill_two(job.keeper(), job.pid()),
        Victim::FrontAndSupervisor => kill_two(job.supervisor(), job.pid()),
        Victim::KeeperAndSupervisor => kill_two(job.supervisor(), job.keeper()),
        Victim::Pe(number) => kill(find(|| pe(&job, number)), Signal::SIGKILL),
    };
    signalled.unwrap_or_else(|error| panic!("{context}: kill: {error}"));
    let finished = job.finish();
    assert_eq!(finished.code(), 137, "{context}: {finished:#?}");
    let text = match victim {
        Victim::Pe(number) => format!("PE {number} was killed by signal 9 (SIGKILL)"),
        Victim::Supervisor => "the supervisor was killed by signal 9 (SIGKILL)".into(),
        Victim::Keeper => "the supervisor's keeper was killed by signal 9 (SIGKILL)".into(),
        Victim::KeeperAndSupervisor => "was killed by signal 9 (SIGKILL)".into(),
        Victim::Front | Victim::FrontAndKeeper | Victim::FrontAndSupervisor => String::new(),
    };
    assert!(finished.stderr.contains(&text), "{context}: {finished:#?}");
    before.expect_nothing_left(&mark, context);
}

#[test]
fn children_in_sessions_of_their_own_do_not_outlive_a_job() {
    for steps in [&["join", "daemon", "spawn", "finalize"][..], &["daemon", "1:exit=3", "sleep"]] {
        let before = Before::look();
        let job = Job::steps(2, &[], steps).start();
        let mark = job.mark.clone();
        job.finish();
        before.expect_nothing_left(&mark, "after the end");
    }
}

#[test]
fn a_stopped_pe_does_not_survive_a_job() {
    let job = |limit: &str| Job::steps(2, &["--timeout", limit], &["join", "1:stop", "fence=never"]);
    expect_at_time_limit(job, &["fence 'never' was waiting for PE 1"]);
}

/// Starts a job whose PEs have children of every kind: in the PE's process group and in sessions of their own, their
/// children, and those whose parent has gone. Returns once all of them are there.
fn with_children() -> Running {
    let job = Job::steps(2, &[], &["join", "spawn", "family", "out=ready", "churn"]).start();
    job.wait_for_output("ready", 2);
    let has_session = |pid: &Pid| getsid(Some(*pid)) == Ok(*pid);
    // Of each PE: itself, two children, the daemon of one of them, and that of a child that has ended.
    eventually("all children are there", || {
        let all = pids_with_mark(&job.mark);
        let sessions = all.iter().filter(|pid| has_session(pid)).count();
        (all.len() == 3 + 2 * 5 && sessions == 4).then_some(())
    });
    job
}

#[test]
fn children_of_pes_end_if_two_processes_of_the_launcher_are_killed() {
    let two: [fn(&Running) -> [Pid; 2]; 3] =
        [|job| [job.supervisor(), job.pid()], |job| [job.keeper(), job.pid()], |job| [job.supervisor(), job.keeper()]];
    for of in two {
        let before = Before::look();
        let job = with_children();
        let victims = of(&job);
        // None of the two can act when the other has died.
        kill(victims[1], Signal::SIGSTOP).expect("it is there");
        kill_two(victims[0], victims[1]).expect("both are there");
        let mark = job.mark.clone();
        assert_eq!(job.finish().code(), 137);
        before.expect_nothing_left(&mark, &format!("after the death of {victims:?}"));
    }
}

/// Kills the processes of the launcher in such a way that none can clean up: those above the supervisor are stopped
/// while it dies.
fn kill_launcher(job: &Running) {
    let (keeper, supervisor) = (job.keeper(), job.supervisor());
    job.signal(Signal::SIGSTOP);
    kill(keeper, Signal::SIGSTOP).unwrap();
    kill(supervisor, Signal::SIGKILL).unwrap();
    // If the front died first, the operating system would continue the keeper, because its process group is orphaned.
    kill(keeper, Signal::SIGKILL).unwrap();
    job.signal(Signal::SIGKILL);
}

#[test]
fn programs_without_the_library_end_with_the_launcher() {
    // Only their parent-death signal ends these processes.
    let before = Before::look();
    let job = Job::steps(2, &[], &["out=ready", "sleep"]).start();
    job.wait_for_output("ready", 2);
    kill_launcher(&job);
    before.expect_nothing_left(&job.mark, "after the death of the launcher");
    job.finish();
}

#[test]
fn a_library_below_a_wrapper_ends_with_the_launcher() {
    // The parent-death signal reaches only the shell. The program that uses the library has nothing but its lifeline.
    let before = Before::look();
    let program = cushmem_fault_tests::fault_pe();
    let mark = format!("mark=wrapped-{}", std::process::id());
    let script = format!("{} {mark} join fence=x out=ready sleep; true", word(&program));
    let job = Job::new(["-n", "2", "sh", "-c", &script]).start();
    job.wait_for_output("ready", 2);
    let programs = pids_with_mark(&mark);
    assert_eq!(programs.len(), 2, "one program per PE");
    kill_launcher(&job);
    before.expect_nothing_left(&mark, "after the death of the launcher");
    job.finish();
}

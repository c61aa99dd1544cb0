//! Jobs whose processes find each other without `shmemrun`: with a unique id, or through torchrun's environment
//! variables.

use cushmem_scratch::Folder;
use std::io::Write;
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cushmem_bootstrap::UniqueId;
use cushmem_fault_tests::{Before, Finished, Job, Running, eventually, pids_with_mark, seeded, state};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};

/// Far longer than the library needs on a busy machine.
const SOON: Duration = Duration::from_secs(30);

/// The process that made the id needs three descriptors for each PE, and some more: where 256 are allowed, that is
/// enough.
const MANY: u32 = 20;

/// A file for the id of a job, in a folder of its own.
struct IdFile(PathBuf, #[expect(dead_code, reason = "it lives as long as the file")] Folder);

impl IdFile {
    fn new(name: &str) -> IdFile {
        let folder = Folder::new(name).expect("a folder");
        IdFile(folder.join("an id"), folder)
    }

    fn step(&self) -> String {
        format!("meet={}", self.0.display())
    }

    fn wait_for(&self) {
        let deadline = Instant::now() + SOON;
        while !self.0.exists() {
            assert!(Instant::now() < deadline, "PE 0 has made no id");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn start(jobs: Vec<Job>) -> Vec<Running> {
    jobs.into_iter().map(Job::start).collect()
}

fn finish(running: Vec<Running>) -> Vec<Finished> {
    running.into_iter().map(Running::finish).collect()
}

/// Runs `n` processes that join with a unique id and then carry out these steps.
fn with_id(name: &str, n: u32, steps: &[&str]) -> Vec<Finished> {
    let file = IdFile::new(name);
    let meet = file.step();
    finish(start(Job::loose(n, &[&[meet.as_str()], steps].concat())))
}

/// Processes as torchrun starts them on one host.
fn torchrun(n: u32, run_id: &str, steps: &[&str]) -> Vec<Job> {
    let run_id = format!("{run_id}{}", std::process::id());
    let with = |job: Job| {
        job.env("TORCHELASTIC_RUN_ID", &run_id)
            .env("TORCHELASTIC_RESTART_COUNT", "0")
            .env("LOCAL_WORLD_SIZE", &n.to_string())
            .env("MASTER_PORT", "29500")
    };
    Job::loose(n, steps).into_iter().map(with).collect()
}

const ROUNDS: [&str; 6] = ["gather=0", "gather=1", "gather=65536", "fence=x", "gather=4097", "finalize"];

#[test]
fn processes_meet_with_a_unique_id() {
    for n in [1, 2, 5, MANY] {
        for (pe, process) in with_id(&format!("meet-{n}"), n, &ROUNDS).iter().enumerate() {
            assert_eq!((process.code(), process.stderr.as_str()), (0, ""), "PE {pe} of {n}: {process:?}");
        }
    }
}

#[test]
fn processes_of_torchrun_meet_by_themselves() {
    let steps = [&["join"], &ROUNDS[..]].concat();
    for n in [1, 4] {
        let before = Before::look();
        let processes = start(torchrun(n, "meet", &steps));
        let mark = processes[0].mark.clone();
        for (pe, process) in finish(processes).iter().enumerate() {
            assert_eq!((process.code(), process.stderr.as_str()), (0, ""), "PE {pe} of {n}: {process:?}");
        }
        before.expect_nothing_left(&mark, "after a job of torchrun");
    }
}

/// Kills one of three PEs and expects the others to end, within a time that is printed.
fn kill_one(processes: Vec<Running>, victim: usize, moment: Duration, context: &str) {
    let mark = processes[0].mark.clone();
    std::thread::sleep(moment);
    processes[victim].signal(Signal::SIGKILL);
    let killed = Instant::now();
    let ends = finish(processes);
    let took = killed.elapsed();
    println!("{context}: all had ended after {took:?}");
    assert!(took < SOON, "{context}: took {took:?}");
    for (pe, end) in ends.iter().enumerate() {
        if pe == victim {
            assert_eq!(end.code(), 137, "{context}: {end:?}");
        } else {
            // A process that comes too late finds nobody, or is told that the PE has ended.
            assert!(end.code() == 1 && !end.stderr.is_empty(), "{context}: PE {pe}: {end:?}");
        }
    }
    for pid in pids_with_mark(&mark) {
        kill(pid, Signal::SIGKILL).expect("only forked children are left");
    }
}

#[test]
fn kills_end_jobs_with_a_unique_id() {
    let mut random = seeded("kills_end_jobs_with_a_unique_id");
    for round in 0..18 {
        let before = Before::look();
        let file = IdFile::new(&format!("kill-{round}"));
        let meet = file.step();
        let steps = [&[meet.as_str()][..], &["churn"]].concat();
        // The first limit covers joining, the second mostly allgathers.
        let moment = Duration::from_micros(random.below([6_000, 80_000][round % 2]) as u64);
        let processes =
            start(Job::loose(3, &steps).into_iter().map(|job| job.env("CUSHMEM_WAIT_LIMIT_S", "2")).collect());
        let mark = processes[0].mark.clone();
        // Without an id, the others would have nowhere to join.
        file.wait_for();
        kill_one(processes, round % 3, moment, &format!("round {round}, PE {} after {moment:?}", round % 3));
        before.expect_nothing_left(&mark, "after a kill");
    }
}

#[test]
fn kills_end_jobs_of_torchrun() {
    for victim in 0..3 {
        let steps = ["join", "out=joined", "fence=x", "churn"];
        let before = Before::look();
        let processes = start(torchrun(3, &format!("kill{victim}"), &steps));
        for process in &processes {
            process.wait_for_output("joined", 1);
        }
        let mark = processes[0].mark.clone();
        kill_one(processes, victim, Duration::ZERO, &format!("torchrun, PE {victim}"));
        before.expect_nothing_left(&mark, "after a kill");
    }
}

#[test]
fn a_forked_child_does_not_hide_the_end_of_its_parent() {
    for victim in [0, 1] {
        let file = IdFile::new(&format!("fork-{victim}"));
        let meet = file.step();
        let processes = start(Job::loose(3, &[&meet, "worker", "fence=x", "out=ready", "sleep"]));
        for process in &processes {
            process.wait_for_output("ready", 1);
        }
        // A child also holds its parent's output, so the test waits only for the processes that it started.
        let killed = Instant::now();
        processes[victim].signal(Signal::SIGKILL);
        for (pe, mut process) in processes.into_iter().enumerate() {
            let code = process.wait_for_end();
            assert_eq!(code, if pe == victim { 137 } else { 1 }, "PE {pe}");
            assert!(killed.elapsed() < SOON, "PE {pe} ended after {:?}", killed.elapsed());
            for pid in pids_with_mark(&process.mark).into_iter().filter(|pid| parent_is_gone(*pid)) {
                let _ = kill(pid, Signal::SIGKILL);
            }
        }
    }
}

/// Whether a process is not, or no longer, a child of this test.
fn parent_is_gone(pid: nix::unistd::Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")?.trim().parse().ok());
    parent != Some(std::process::id())
}

/// Catches PEs that go on, that are not told why they end, or that lose what they have printed.
#[test]
fn a_pe_that_leaves_early_or_aborts_ends_all() {
    for (name, n, steps, status, text) in [
        ("exit", MANY, &["fence=x", "1:exit=0", "fence=y"][..], 1, "PE 1 has ended without finalize"),
        // The process with the server has to outlive its own end of the lifeline, or some PEs do not get the reason.
        ("abort", MANY, &["fence=x", "1:abort=5", "sleep"], 5, "PE 1 ended it with status 5: the step said so"),
        ("root", 3, &["fence=x", "0:abort=7", "sleep"], 7, "PE 0 ended it with status 7"),
        ("gone", 3, &["fence=x", "0:exit=0", "sleep"], 1, "the process that made the unique id has gone"),
        ("zero", MANY, &["fence=x", "2:abort=0", "sleep"], 0, ""),
    ] {
        let ends = with_id(name, n, &[&["keep=last words"], steps].concat());
        for (pe, end) in ends.iter().enumerate() {
            assert_eq!(end.stdout, "last words", "{name}: PE {pe}: {end:?}");
        }
        let who = steps[1][..1].parse::<usize>().unwrap();
        let own = steps[1].split_once('=').unwrap().1.parse::<i32>().unwrap();
        assert_eq!(ends[who].code(), own, "{name}: {:?}", ends[who]);
        for (pe, end) in ends.iter().enumerate().filter(|(pe, _)| *pe != who) {
            assert_eq!(end.code(), status, "{name}: PE {pe}: {end:?}");
            let lines: Vec<&str> = end.stderr.lines().collect();
            assert!(lines.iter().any(|line| line.contains(text)) || text.is_empty(), "{name}: PE {pe}: {end:?}");
            assert!(text.is_empty() == lines.is_empty(), "{name}: PE {pe}: {end:?}");
        }
    }
}

/// Catches the reason of an abort that other PEs print as it is.
#[test]
fn a_reason_cannot_control_a_terminal() {
    let abort = "1:abort=5:\u{1b}[31m\ncushmem: forged";
    for (pe, end) in with_id("evil", 3, &["fence=x", abort, "sleep"]).iter().enumerate().filter(|(pe, _)| *pe != 1) {
        end.expect(5, &[r"PE 1 ended it with status 5: \x1b[31m\x0acushmem: forged"]);
        assert_eq!(end.stderr.lines().count(), 1, "PE {pe}: {end:?}");
    }
}

#[test]
fn finalize_waits_for_the_slowest() {
    for (pe, end) in with_id("slow", 3, &["2:sleep=1", "finalize", "0:exit=0", "1:sleep=0.5"]).iter().enumerate() {
        assert_eq!((end.code(), end.stderr.as_str()), (0, ""), "PE {pe}: {end:?}");
    }
}

#[test]
fn late_pes_are_named() {
    let is_named = |end: &Finished| end.stderr.contains("allgather host: PE 2 has not arrived after ");
    // Within a short limit, PE 1 may be late as well.
    let mut runs = ["1", "5", "25"].into_iter().map(|limit| {
        let ends = without_pe_2(limit);
        println!("within {limit} s: {ends:#?}");
        ends
    });
    assert!(runs.any(|ends| ends.iter().any(is_named)), "PE 2 is late, and nobody says it");
}

fn without_pe_2(limit: &str) -> Vec<Finished> {
    let file = IdFile::new("late");
    let meet = file.step();
    let mut jobs = Job::loose(3, &[&meet, "fence=x"]);
    jobs.truncate(2);
    let ends = finish(start(jobs.into_iter().map(|job| job.env("CUSHMEM_WAIT_LIMIT_S", limit)).collect()));
    assert!(ends.iter().all(|end| end.code() == 1), "{ends:?}");
    ends
}

/// How many sockets a process has open.
fn sockets(pid: nix::unistd::Pid) -> usize {
    let Ok(open) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { return 0 };
    let targets = open.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
    targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
}

/// Returns what a process says that joins with this id as this PE.
fn refused(id: &str, pe: &str, n_pes: &str) -> Finished {
    let step = format!("id={id}");
    let mut jobs = Job::loose(1, &[&step]);
    jobs.remove(0).env("RANK", pe).env("WORLD_SIZE", n_pes).env("CUSHMEM_WAIT_LIMIT_S", "20").run()
}

#[test]
fn processes_that_do_not_belong_to_the_job_are_refused() {
    let id = UniqueId::create().unwrap();
    let text = id.to_string();
    // This process stays in the job, as the only one of two.
    let step = format!("id={text}");
    let first = Job::loose(1, &[&step, "sleep"]).remove(0).env("WORLD_SIZE", "2").env("CUSHMEM_WAIT_LIMIT_S", "1000");
    let first = first.start();
    // Until it has joined, another process would be the first. It connects once more when it has.
    eventually("the first process joins", || (sockets(first.pid()) >= 2).then_some(()));
    refused(&text, "0", "2").expect(1, &["two processes have this number"]);
    refused(&text, "1", "3").expect(1, &["PE 1 says that the job has 3 PEs, others that it has 2"]);
    refused(&text, "2", "2").expect(1, &["PE 2 of 2 PEs: the valid range is 0 to 1"]);
    refused(&text, "0", "70000").expect(1, &["70000 PEs: the valid range is 1 to 65536"]);
    let mut other = id.to_bytes();
    other[30] ^= 1;
    let other = UniqueId::from_bytes(other).unwrap().to_string();
    refused(&other, "1", "2").expect(1, &["127.0.0.1:", "it did not accept this id"]);
    let mut gone = id.to_bytes();
    // Nobody listens at port 1.
    gone[6..8].copy_from_slice(&1u16.to_le_bytes());
    let gone = UniqueId::from_bytes(gone).unwrap().to_string();
    refused(&gone, "1", "2")
        .expect(1, &["cannot reach the process that made the unique id: 127.0.0.1:1: Connection refused"]);
    refused("00", "0", "1").expect(1, &["2 characters are not the 256 hexadecimal digits of an id"]);
    first.signal(Signal::SIGKILL);
    first.finish();
}

#[test]
fn strangers_at_the_port_disturb_nobody() {
    let id = UniqueId::create().unwrap();
    let port = u16::from_le_bytes([id.to_bytes()[6], id.to_bytes()[7]]);
    let connect = || TcpStream::connect(("127.0.0.1", port)).unwrap();
    let silent: Vec<TcpStream> = (0..50).map(|_| connect()).collect();
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 4], &[64, 0, 0, 0, 1, 2], &[0; 4]] {
        connect().write_all(bytes).unwrap();
    }
    let step = format!("id={id}");
    let steps = [&[step.as_str()], &ROUNDS[..]].concat();
    for (pe, end) in finish(start(Job::loose(3, &steps))).iter().enumerate() {
        assert_eq!((end.code(), end.stderr.as_str()), (0, ""), "PE {pe}: {end:?}");
    }
    drop(silent);
}

/// Catches strangers that keep PEs out: 2,000 of them did, because connections had to wait until those that came before
/// them had run out of time. Whole jobs show what a connection to the server alone does not: PE 0 is a member of the
/// job that it serves, with descriptors of its own, and the strangers are still there during the rounds and at the end.
#[test]
fn thousands_of_strangers_keep_nobody_out_of_a_job() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    // Each needs a descriptor here, and the test some more. Where few are allowed, fewer strangers have to do.
    let n = most.saturating_sub(500).max(most / 2).min(4000);
    setrlimit(Resource::RLIMIT_NOFILE, most.min(n + 500), most).unwrap();
    let file = IdFile::new("strangers");
    let meet = file.step();
    let mut jobs = Job::loose(2, &[&meet, "fence=x", "finalize"]);
    let late = jobs.pop().unwrap();
    let first = jobs.remove(0).start();
    file.wait_for();
    let id: UniqueId = std::fs::read_to_string(&file.0).unwrap().parse().unwrap();
    let port = u16::from_le_bytes([id.to_bytes()[6], id.to_bytes()[7]]);
    let mut strangers = vec![];
    for number in 0..n {
        // The server's queue may be full for a moment.
        let connect = || TcpStream::connect_timeout(&([127, 0, 0, 1], port).into(), Duration::from_millis(200)).ok();
        let mut stranger = eventually("the port takes a connection", connect);
        // A stranger that the server has hung up on cannot say anything.
        let _ = match number % 4 {
            0 => Ok(()),
            1 => stranger.write_all(&[64, 0, 0, 0, 1, 2]),
            2 => stranger.write_all(&[0xff; 100]),
            _ => stranger.shutdown(std::net::Shutdown::Both),
        };
        strangers.push(stranger);
    }
    let (pid, started) = (first.pid(), Instant::now());
    let second = late.start();
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    let ends = finish(vec![first, second]);
    let took = started.elapsed();
    println!("{n} strangers: the job took {took:?} with them, and PE 0 had {open} descriptors open");
    for (pe, end) in ends.iter().enumerate() {
        assert_eq!((end.code(), end.stderr.as_str()), (0, ""), "PE {pe}: {end:?}");
    }
    // Far more than the second by which they may delay the join: the job also starts a process on a busy machine.
    assert!(took < SOON, "{n} strangers: {took:?}");
    assert!(open < 400, "{n} strangers: PE 0 had {open} descriptors open");
}

#[test]
fn an_id_of_another_machine_is_refused() {
    let mut bytes = UniqueId::create().unwrap().to_bytes();
    bytes[12] ^= 1;
    let other = UniqueId::from_bytes(bytes).unwrap().to_string();
    refused(&other, "0", "2").expect(1, &["made on another machine or in another container", "CUSHMEM_NET_INTERFACE"]);
}

#[test]
fn a_name_that_somebody_else_has_is_not_trusted() {
    const NOBODY: u32 = 65_534;
    if !nix::unistd::getuid().is_root() {
        xtask::left_out::record("names that another user has taken", "only root can start a process as another user");
        return;
    }
    let run_id = format!("taken{}", std::process::id());
    let name = format!("cushmem-{}-torchrun-29500-{run_id}-0-12-0", nix::unistd::getuid());
    let take = format!("take={name}");
    let thief = Job::loose(1, &[&take, "out=taken", "sleep"]).remove(0).user(NOBODY).start();
    thief.wait_for_output("taken", 1);
    // More than fit into the thief's queue, and the thief accepts nobody.
    let jobs = torchrun(12, "taken", &["join"]).into_iter().map(|job| job.env("CUSHMEM_WAIT_LIMIT_S", "1")).collect();
    let ends = finish(start(jobs));
    assert!(ends.iter().all(|end| end.code() == 1), "{ends:?}");
    ends[0].expect(1, &["cushmem-0-torchrun-29500-taken", "is in use"]);
    let stranger = "the other end belongs to user 65534, not to user 0";
    assert!(ends[1..].iter().any(|end| end.stderr.contains(stranger)), "{ends:?}");
    thief.signal(Signal::SIGKILL);
    thief.finish();
}

#[test]
fn callers_of_another_user_are_hung_up_on() {
    const NOBODY: u32 = 65_534;
    if !nix::unistd::getuid().is_root() {
        xtask::left_out::record("callers of another user", "only root can start a process as another user");
        return;
    }
    let mut jobs = torchrun(2, "called", &["join", "fence=x", "finalize"]);
    let late = jobs.pop().unwrap();
    let first = jobs.remove(0).start();
    let call = format!("call=cushmem-0-torchrun-29500-called{}-0-2-0", std::process::id());
    let deadline = Instant::now() + SOON;
    loop {
        let caller = Job::loose(1, &[&call]).remove(0).user(NOBODY).run();
        if caller.stdout == "hung up\n" {
            break;
        }
        assert!(Instant::now() < deadline, "{caller:?}");
    }
    for end in finish(vec![first, late.start()]) {
        assert_eq!((end.code(), end.stderr.as_str()), (0, ""), "{end:?}");
    }
}

#[test]
fn children_of_the_process_that_made_the_id_join() {
    let end = Job::loose(1, &["brood=3"]).remove(0).run();
    assert_eq!((end.code(), end.stderr.as_str()), (0, ""), "{end:?}");
    // A child that took the parent's thread for its own would wait 5 s for that thread to say that all have been told.
    let quick = |pe: u32| (0..5).any(|seconds| end.stdout.contains(&format!("PE {pe} took {seconds} s")));
    assert!((0..3).all(quick), "{end:?}");
}

#[test]
fn a_process_that_has_left_goes_on() {
    let ends = with_id("left", 1, &["part", "sleep=0.3", "out=alive"]);
    assert_eq!((ends[0].code(), ends[0].stdout.as_str(), ends[0].stderr.as_str()), (0, "alive\n", ""), "{ends:?}");
}

#[test]
fn finalize_waits_for_a_stopped_server() {
    let file = IdFile::new("stopped");
    let meet = file.step();
    // The server stops once it has answered PE 1.
    let jobs = Job::loose(2, &[&meet, "out=met", "1:stop", "finalize"]);
    let processes = start(jobs.into_iter().map(|job| job.env("CUSHMEM_WAIT_LIMIT_S", "3")).collect());
    for process in &processes {
        process.wait_for_output("met", 1);
    }
    processes[0].signal(Signal::SIGSTOP);
    for process in &processes {
        eventually("both stop", || (state(process.pid()) == Some('T')).then_some(()));
    }
    processes[1].signal(Signal::SIGCONT);
    // Longer than PE 1 waits for an answer, which is until 5 s after the limit.
    std::thread::sleep(Duration::from_secs(10));
    processes[0].signal(Signal::SIGCONT);
    let ends = finish(processes);
    assert!(ends.iter().all(|end| end.code() == 0), "{ends:?}");
    assert!(ends[1].stderr.contains("finalize: the job's server has not answered after"), "{ends:?}");
}

#[test]
fn several_hosts_of_torchrun_need_the_address_of_one() {
    let job =
        |address| torchrun(4, "hosts", &["join"]).remove(0).env("LOCAL_WORLD_SIZE", "2").env("MASTER_ADDR", address);
    job("").run().expect(1, &["MASTER_ADDR: ''"]);
    job("no.such.host.invalid").run().expect(1, &["MASTER_ADDR: 'no.such.host.invalid': failed to lookup"]);
}

#[test]
fn launchers_that_give_no_way_to_join_are_named() {
    for (variable, launcher) in [
        ("OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun or oshrun has started 2 processes"),
        ("PMI_SIZE", "a launcher with PMI has started 2 processes"),
        ("SLURM_STEP_NUM_TASKS", "srun has started 2 processes"),
    ] {
        let process = Job::loose(1, &["join"]).remove(0).env(variable, "2").run();
        process.expect(1, &[launcher, variable, "shmemrun -n N", "shmemx_init_attr"]);
        assert_eq!(process.stderr.lines().count(), 1, "{process:?}");
        // A job of one process needs nobody else.
        Job::loose(1, &["join", "finalize"]).remove(0).env(variable, "1").run().expect(0, &[]);
        // shmemrun under such a launcher joins its own PEs.
        Job::steps(2, &[], &["join", "fence=x", "finalize"]).env(variable, "2").run().expect(0, &[]);
    }
}

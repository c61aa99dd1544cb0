//! Jobs on several hosts. Without root, and where there is no sshd, only those on `localhost` run, which needs no ssh.

use cushmem_fault_tests::{Before, Finished, Job, children, eventually, expect_at_time_limit, fault_pe, seeded};
use cushmem_numbers::Random;
use cushmem_scratch::Folder;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::time::{Duration, Instant};
use xtask::hosts::Hosts;
use xtask::left_out::record;

/// How long a job may take to end after something has died.
pub const END_LIMIT: Duration = Duration::from_secs(20);

/// Hosts `h0` and so on, if this machine can have them.
pub fn hosts(count: usize, test: &str) -> Option<Hosts> {
    Hosts::start(count).map_err(|why| record(&format!("fault::hosts {test}"), &why)).ok()
}

/// A job on these hosts.
pub fn on(hosts: &Hosts, job: Job) -> Job {
    let words = hosts.entry();
    job.env("CUSHMEM_RSH", &hosts.rsh()).under(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

pub fn steps(list: &str, n: u32, options: &[&str], steps: &[&str]) -> Job {
    let limit: &[&str] = if options.contains(&"--timeout") { &[] } else { &["--timeout", "100"] };
    // All hosts have the cores of this machine.
    Job::steps(n, &[&["--hosts", list, "--oversubscribe"], limit, options].concat(), steps)
}

pub fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// The launcher on a host does what the one on a single machine does.
#[test]
fn a_job_on_one_host_is_like_one_on_this_machine() {
    let before = Before::look();
    let job = steps("localhost:3", 3, &[], &["join", "place", "gather=1000", "fence=x", "finalize"]).start();
    let mark = job.mark.clone();
    let job = job.finish();
    job.expect(0, &[]);
    assert_eq!((sorted(&job.stdout), job.stderr.as_str()), (vec!["0 0", "1 1", "2 2"], ""));
    before.expect_nothing_left(&mark, "a good end");
    let job = steps("localhost:3", 3, &["--tag"], &["1:out=one", "2:err=two"]).run();
    assert_eq!((job.code(), job.stdout.as_str(), job.stderr.as_str()), (0, "[1] one\n", "[2] two\n"));
    let job = steps("localhost:2", 2, &[], &["join", "1:exit=7", "sleep"]).start();
    let mark = job.mark.clone();
    let job = job.finish();
    job.expect(7, &["shmemrun: PE 1 exited with status 7"]);
    assert_eq!(job.stderr.lines().count(), 1, "{job:#?}");
    before.expect_nothing_left(&mark, "a failure");
    steps("localhost:2", 2, &[], &["join", "1:abort=9:enough", "sleep"])
        .run()
        .expect(9, &["PE 1 ended the job with status 9"]);
    steps("localhost:2", 2, &[], &["join", "1:fence=a", "0:fence=b"]).run().expect(1, &["fence 'a'", "fence 'b'"]);
}

/// This machine as two hosts, which needs no ssh: by its name, and as `localhost`. PEs there cannot use the network.
fn twice(pes: u32) -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    format!("localhost:{pes},{}:{pes}", name.trim())
}

/// Catches a launcher that ends with 0 because the last connection has ended before the loss was noticed, and one that
/// sleeps because nothing wakes it.
#[test]
fn a_launcher_that_is_killed_on_a_host_is_noticed() {
    for (round, list) in ["localhost:2".to_owned(), twice(2)].iter().cycle().take(8).enumerate() {
        let before = Before::look();
        let n = if list.contains(',') { 4 } else { 2 };
        let job = steps(list, n, &[], &["join", "out=joined", "sleep"]).start();
        let mark = job.mark.clone();
        job.wait_for_output("joined", n as usize);
        let agent = children(job.supervisor())[round % (n as usize / 2)];
        let victims = [Some(agent), below(agent, "cushmem-keeper"), below(agent, "cushmem-superv")];
        kill(victims[round % 3].expect("it runs"), Signal::SIGKILL).expect("it is there");
        let job = job.finish();
        assert_eq!(job.code(), 1, "{list}, round {round}: {job:#?}");
        let what = ["its shmemrun was killed", "was killed by signal 9 (SIGKILL)", "was killed by signal 9 (SIGKILL)"];
        let is_named = job.stderr.contains("shmemrun: host ") && job.stderr.contains(what[round % 3]);
        assert!(is_named, "{list}, round {round}: {job:#?}");
        before.expect_nothing_left(&mark, list);
    }
}

/// Catches a question who is late that nobody answers after the first.
#[test]
fn who_is_late_is_said_again_and_again() {
    let job = Job::steps(4, &["--hosts", &twice(2), "--timeout", "100"], &["join", "3:sleep", "finalize"]);
    let job = job.env("CUSHMEM_WAIT_LIMIT_S", "1").start();
    // Three PEs wait, each of which says so three times.
    job.wait_for_errors("finalize: still waiting for PE 3 after ", 9);
    job.signal(Signal::SIGTERM);
    job.finish();
}

/// Catches PEs that write for ever to a reader that has gone.
#[test]
fn a_reader_that_has_gone_ends_the_pes_that_write() {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let mut job = Job::new(["--hosts", "localhost:1", "yes"]).start_with(writer, std::process::Stdio::null());
    std::io::Read::read_exact(&mut reader, &mut [0; 100]).expect("output");
    drop(reader);
    assert_eq!(job.wait_for_end(), 128 + Signal::SIGPIPE as i32);
}

#[test]
fn input_goes_to_the_first_pe_and_all_of_a_long_output_comes() {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let text: String = (0..100_000).map(|line| format!("line {line}\n")).collect();
    let copy = text.clone();
    let feeder = std::thread::spawn(move || std::io::Write::write_all(&mut writer, copy.as_bytes()));
    let job = Job::new(["--hosts", "localhost:2", "sh", "-c", "[ $CUSHMEM_PE = 1 ] || cat"]).stdin(reader).run();
    feeder.join().expect("it does not panic").expect("all is read");
    assert_eq!((job.code(), job.stderr.as_str()), (0, ""));
    assert!(job.stdout == text, "{} of {} bytes", job.stdout.len(), text.len());
}

#[test]
fn what_cannot_be_started_is_one_clear_line() {
    let folder = Folder::new("fakes").expect("make a folder");
    let fake = |name: &str, script: &str| {
        let path = folder.join(name);
        std::fs::write(&path, script).expect("write a script");
        let mut mode = std::fs::metadata(&path).expect("it is there").permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
        std::fs::set_permissions(&path, mode).expect("make it a program");
        path.to_str().expect("a plain path").to_owned()
    };
    let other = fake("other", "#!/bin/sh\necho cushmem-agent 1 0.0.0\nsleep 1000\n");
    let chatter = fake("chatter", "#!/bin/sh\nwhile :; do echo what a fine day it is; done\n");
    let mute = fake("mute", "#!/bin/sh\necho the disk is full >&2\nexit 3\n");
    let pe = fault_pe();
    let pe = pe.to_str().expect("a plain path");
    for (words, status, text) in [
        (vec!["--hosts", "localhost:2", "./nope"], 127, ": program './nope': not found"),
        (
            vec!["--hosts", "localhost", "--remote-path", &other, pe],
            1,
            "host localhost: another version of shmemrun is there: 1 0.0.0",
        ),
        (vec!["--hosts", "localhost", "--remote-path", &chatter, pe], 1, "65536 bytes came before the greeting"),
        (vec!["--hosts", "localhost", "--remote-path", &mute, pe], 1, "host localhost: the disk is full"),
        (
            vec!["--hosts", "localhost", "--remote-path", "/no/shmemrun", pe],
            1,
            "host localhost: start the program that connects to it: No such file",
        ),
        (vec!["--hosts", "localhost:0", pe], 2, "'localhost:0': the number of PEs is from 1 to 65536"),
    ] {
        let job = Job::new(&words).run();
        job.expect(status, &[text]);
        assert_eq!(job.stderr.lines().count(), 1, "{job:#?}");
    }
}

/// PEs of two hosts meet, exchange data and leave; descriptors stay on their host.
#[test]
fn pes_of_several_hosts_are_one_job() {
    let Some(hosts) = hosts(2, "pes_of_several_hosts_are_one_job") else { return };
    let before = Before::look();
    let job =
        on(&hosts, steps("h0:2,h1:2", 4, &[], &["init", "barrier", "asks=put", "asks=add", "asks=signal", "leave"]));
    let job = job.env("CUSHMEM_GPU", "none").start();
    let mark = job.mark.clone();
    let job = job.finish();
    job.expect(0, &[]);
    assert_eq!((job.stdout.matches("asks\n").count(), job.stderr.as_str()), (12, ""));
    before.expect_nothing_left(&mark, "a good end");
    let script = "echo $CUSHMEM_PE $CUSHMEM_LOCAL_PE $(cat /proc/sys/kernel/hostname) $CUSHMEM_WAIT_LIMIT_S$MINE";
    let told = |options: &[&str]| {
        let words = [&["--hosts", "h0:3,h1:2", "-x", "MINE"], options, &["sh", "-c", script]].concat();
        let job = on(&hosts, Job::new(words)).env("CUSHMEM_WAIT_LIMIT_S", "7").env("MINE", "x").run();
        job.expect(0, &[]);
        sorted(&job.stdout).join(", ")
    };
    assert_eq!(told(&[]), "0 0 h0 7x, 1 1 h0 7x, 2 2 h0 7x, 3 0 h1 7x, 4 1 h1 7x");
    assert_eq!(told(&["--map", "cyclic"]), "0 0 h0 7x, 1 0 h1 7x, 2 1 h0 7x, 3 1 h1 7x, 4 2 h0 7x");
    assert_eq!(told(&["-n", "4"]), "0 0 h0 7x, 1 1 h0 7x, 2 2 h0 7x, 3 0 h1 7x");
    assert_eq!(told(&["-N", "1"]), "0 0 h0 7x, 1 0 h1 7x");
    // Two PEs of a host, which are on two virtual nodes, and one of another host.
    let job = steps("h0:2,h1:2", 4, &["--nodes", "2"], &["init", "barrier", "asks=put", "leave"]);
    on(&hosts, job).env("CUSHMEM_GPU", "none").run().expect(0, &[]);
    let job = on(&hosts, steps("h0:1,h1:1", 2, &[], &["init", "leave"])).env("CUSHMEM_NET", "loopback:tcp").run();
    job.expect(
        1,
        &["CUSHMEM_NET='loopback:tcp': it is a network within one machine, and this job has 2 hosts; use ofi"],
    );
    let job = on(&hosts, steps("h0:1,h1:1", 2, &[], &["init", "leave"])).env("CUSHMEM_NET_INTERFACE", "eth7").run();
    job.expect(1, &["CUSHMEM_NET_INTERFACE='eth7': this host has lo, eth0"]);
    let job = on(&hosts, steps("h0:1,h1:1", 2, &[], &["init", "leave"])).env("CUSHMEM_NET_INTERFACE", "lo").run();
    job.expect(
        1,
        &["no network in which each host has an address of its own", "host of PE 0: none; host of PE 1: none"],
    );
}

#[test]
fn late_pes_of_other_hosts_are_named() {
    let Some(hosts) = hosts(2, "late_pes_of_other_hosts_are_named") else { return };
    let limited = |job: Job| on(&hosts, job).env("CUSHMEM_WAIT_LIMIT_S", "2").run();
    let job = limited(steps("h0:2,h1:2", 4, &[], &["join", "fence=first", "2:sleep", "fence=late"]));
    job.expect(1, &["fence late: ", "PE 2"]);
    assert!(!job.stderr.contains("PE 3 has not"), "{job:#?}");
    let job =
        on(&hosts, steps("h0:2,h1:2", 4, &["--tag"], &["join", "0:fence=a", "1:fence=a", "2:fence=b", "3:fence=b"]))
            .run();
    let reasons =
        ["PE 0 called fence 'a' while PE 2 called fence 'b'", "PE 2 called fence 'b' while PE 0 called fence 'a'"];
    assert!(reasons.iter().any(|reason| job.stderr.matches(reason).count() == 4), "{job:#?}");
    // A PE of another host is gone when others join again.
    let job =
        on(&hosts, steps("h0:1,h1:1", 2, &[], &["join", "finalize", "part", "0:exit=0", "join", "fence=again"])).run();
    job.expect(1, &["PE 0 has ended without joining the job again"]);
}

/// Catches an answer that lacks a host, or names one for the PEs of another.
#[test]
fn the_status_and_the_time_limit_tell_of_all_hosts() {
    let Some(hosts) = hosts(4, "the_status_and_the_time_limit_tell_of_all_hosts") else { return };
    let list = "h0:2,h1:1,h2:1,h3:1";
    let job = on(&hosts, steps(list, 5, &[], &["join", "out=joined", "0:fence=x", "3:fence=x", "sleep"])).start();
    job.wait_for_output("joined", 5);
    let ask = || on(&hosts, Job::new(["--status".to_owned(), job.pid().to_string()])).run().stdout;
    let starts = [
        "host h0, PE 0: fence x for ",
        "host h0, PE 1: computing",
        "host h1, PE 2: computing",
        "host h2, PE 3: fence x for ",
        "host h3, PE 4: computing",
    ];
    let is_it = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        // The launcher of h0 learns from the others which of their PEs are late.
        let names_late = lines.first().is_some_and(|line| line.ends_with("waiting for PEs 1, 2, 4"));
        names_late
            && lines.len() == starts.len()
            && lines.iter().zip(starts).all(|(line, start)| line.starts_with(start))
    };
    eventually("all PEs answer", || is_it(&ask()).then_some(()));
    job.signal(Signal::SIGTERM);
    let job = job.finish();
    assert_eq!(job.code(), 143, "{job:#?}");
    assert!(job.stderr.contains("was killed by signal 15 (SIGTERM)"), "{job:#?}");
    let job = |limit: &str| on(&hosts, steps("h0:1,h1:1", 2, &["--timeout", limit], &["join", "0:fence=x", "sleep"]));
    let texts = [" s reached: PEs 0, 1 were still running", " s, waiting for PE 1", "host h1, PE 1: computing"];
    expect_at_time_limit(job, &texts);
}

/// Catches a job that takes a network that loses packets, or a slow one, for a dead one, and data that are damaged or
/// out of order there. A packet that is lost comes 200 ms later or more.
#[test]
fn a_network_that_loses_packets_or_is_slow_only_delays_a_job() {
    const TEST: &str = "a_network_that_loses_packets_or_is_slow_only_delays_a_job";
    let Some(hosts) = hosts(2, TEST) else { return };
    let lossy = "nft add table ip lossy; add chain ip lossy input { type filter hook input priority 0; }; \
                 add rule ip lossy input ip protocol tcp numgen random mod 100 < 5 counter drop";
    let slow = "tc qdisc add dev eth0 root tbf rate 100mbit burst 64kb latency 50ms";
    for (what, begin, look, counter, end) in [
        ("loses packets", lossy, "nft list table ip lossy", "counter packets ", "nft delete table ip lossy"),
        ("is slow", slow, "tc -s qdisc show dev eth0", "overlimits ", "tc qdisc del dev eth0 root"),
    ] {
        let both = |line: &str| [0, 1].map(|host| hosts.in_network(host, &line.split(' ').collect::<Vec<_>>()));
        if let [Err(why), _] | [_, Err(why)] = both(begin) {
            record(&format!("fault::a network that {what}"), &format!("{why:#}"));
            continue;
        }
        let work = ["asks=put:20", "asks=get:20", "asks=add:20", "asks=signal:20", "asks=barrier:20", "asks=long:3"];
        let job = steps("h0:2,h1:2", 4, &[], &[&["init"], &work[..], &["asks=broadcast:20", "leave"]].concat());
        let job = on(&hosts, job).env("CUSHMEM_GPU", "none").run();
        job.expect(0, &[]);
        assert_eq!(job.stdout.matches("asks\n").count(), 28, "{job:#?}");
        for said in both(look) {
            let said = said.expect("it was there before");
            let count = said.split_once(counter).and_then(|(_, rest)| rest.split(' ').next());
            assert!(count.is_some_and(|count| count.parse().is_ok_and(|count: u64| count > 0)), "no effect: {said}");
        }
        both(end).into_iter().for_each(|ended| drop(ended.expect("it was there before")));
    }
}

#[test]
fn hosts_that_cannot_be_reached_are_one_clear_line() {
    let Some(hosts) = hosts(1, "hosts_that_cannot_be_reached_are_one_clear_line") else { return };
    let rsh = |more: &str| hosts.rsh().replacen("ssh ", &format!("ssh {more} "), 1);
    let pe = fault_pe();
    let pe = pe.to_str().expect("a plain path");
    for (rsh, host, text) in [
        (rsh(""), "h9", "host h9: ssh: Could not resolve hostname h9"),
        (rsh("-p 2223"), "h0", "host h0: ssh: connect to host 10.78.0.1 port 2223: Connection refused"),
        (
            rsh("-o HostName=10.78.0.77 -o ConnectTimeout=2"),
            "h0",
            "host h0: ssh: connect to host 10.78.0.77 port 2222: ",
        ),
        (rsh("-o PubkeyAuthentication=no"), "h0", "host h0: root@10.78.0.1: Permission denied (publickey"),
        (rsh("-o UserKnownHostsFile=/dev/null"), "h0", "host h0: Host key verification failed."),
        (rsh(""), "h0:2", ""),
    ] {
        let job = on(&hosts, Job::new(["--hosts", host, pe])).env("CUSHMEM_RSH", &rsh).run();
        job.expect(i32::from(!text.is_empty()), &[text]);
        assert_eq!(job.stderr.lines().count(), usize::from(!text.is_empty()), "{job:#?}");
    }
    let job = on(&hosts, Job::new(["--hosts", "h0", "--remote-path", "/no/shmemrun", pe])).run();
    job.expect(1, &["host h0: ", "/no/shmemrun"]);
    assert_eq!(job.stderr.lines().count(), 1, "{job:#?}");
    let job = on(&hosts, Job::new(["--hosts", "h0", "--wdir", "/proc/self/fdinfo", "/no/program"])).run();
    job.expect(127, &["host h0: start PE 0: program '/no/program': not found"]);
}

/// Processes that nobody has started together join by a unique id: two on each of two hosts.
#[test]
fn a_unique_id_joins_processes_of_several_hosts() {
    let Some(hosts) = hosts(2, "a_unique_id_joins_processes_of_several_hosts") else { return };
    let folder = Folder::new("hosts-id").expect("make a folder");
    let file = folder.join("id");
    let run = |interface: &str, steps: &[&str]| {
        let _ = std::fs::remove_file(&file);
        let meet = format!("meet={}", file.display());
        let jobs = Job::loose(4, &[&[meet.as_str()], steps].concat()).into_iter().enumerate();
        let start = |(pe, job): (usize, Job)| {
            let words = hosts.entry_of(pe % 2);
            // Without an interface, two of them wait for two that are refused.
            let limit = if interface.is_empty() { "3" } else { "30" };
            let job = job.env("CUSHMEM_NET_INTERFACE", interface).env("CUSHMEM_WAIT_LIMIT_S", limit);
            job.under(&words.iter().map(String::as_str).collect::<Vec<_>>()).start()
        };
        let running: Vec<_> = jobs.map(start).collect();
        running.into_iter().map(|job| job.finish()).collect::<Vec<Finished>>()
    };
    let ends = run("eth0", &["place", "fence=x", "big=1000", "finalize"]);
    let told: Vec<&str> = ends.iter().map(|end| end.stdout.trim()).collect();
    assert!(ends.iter().all(|end| end.code() == 0), "{ends:#?}");
    assert_eq!(told, ["0 0", "1 0", "2 1", "3 1"], "number and place");
    let ends = run("eth0", &["3:abort=9:enough", "fence=x", "sleep"]);
    assert!(ends.iter().all(|end| end.code() == 9), "{ends:#?}");
    // Without an interface, the id is for its own machine.
    let ends = run("", &["fence=x"]);
    let refused = "the unique id was made on another machine or in another container";
    assert!([1, 3].iter().all(|pe| ends[*pe].code() == 1 && ends[*pe].stderr.contains(refused)), "{ends:#?}");
}

/// What dies, or stops.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Victim {
    Pe,
    /// One of the three processes of the launcher on a host, from the outermost.
    Agent(usize),
    /// The program that connects to a host.
    Ssh,
    /// What serves that connection on the host.
    Sshd,
    /// All processes of a host, as when its power fails.
    Host,
    /// The network of a host.
    Link,
    /// The launcher that the user started, from the outermost process.
    Launcher(usize),
    /// A PE, or the supervisor of a host, is stopped.
    StoppedPe,
    StoppedAgent,
}

/// What the PEs are doing then.
const PHASES: [(&str, &[&str]); 6] = [
    ("start", &["init", "barrier", "sleep"]),
    ("traffic", &["init", "traffic"]),
    ("barriers", &["init", "out=traffic", "misses=barrier"]),
    ("rounds", &["join", "out=traffic", "fences"]),
    ("malloc", &["init", "out=traffic", "mallocs"]),
    ("finalize", &["init", "barrier", "out=traffic", "3:sleep", "leave"]),
];

/// The process below `parent` with this name.
pub fn below(parent: Pid, name: &str) -> Option<Pid> {
    let comm = |pid: &Pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim() == name;
    let direct = children(parent);
    direct.iter().copied().find(comm).or_else(|| direct.iter().find_map(|child| below(*child, name)))
}

/// One round: whatever dies, the job ends in time, says what it was, and leaves nothing behind.
fn round(seed: u64, victim: Victim) {
    let mut random = Random::new(seed);
    let Some(mut hosts) = hosts(2, "whatever_dies_the_job_ends") else { return };
    // A PE that is stopped between its operations on others is waited for.
    let phases = if victim == Victim::StoppedPe { &PHASES[1..2] } else { &PHASES[..] };
    let (phase, work) = phases[random.below(phases.len())];
    let before = Before::look();
    let options = ["--hosts", "h0:2,h1:2", "--oversubscribe", "--timeout", "100"];
    let job =
        on(&hosts, Job::steps(4, &options, work)).env("CUSHMEM_GPU", "none").env("CUSHMEM_NET_LIMIT_S", "12").start();
    let (mark, context) = (job.mark.clone(), format!("seed {seed}, {victim:?} during {phase}"));
    if phase != "start" {
        job.wait_for_output("traffic", if phase == "traffic" { 4 } else { 1 });
    }
    let first = Pid::from_raw(hosts.first(1).parse().expect("a number"));
    let of_h1 = |name: &str| eventually(name, || below(first, name));
    // A PE of h0 can say that it has joined the job before h1 has any.
    let pe = eventually("a PE of h1", || children(of_h1("cushmem-superv")).into_iter().next());
    std::thread::sleep(Duration::from_micros(random.below(200_000) as u64));
    let sshd = || eventually("sshd", || children(first).into_iter().find(|sshd| below(*sshd, "shmemrun").is_some()));
    // Without it nothing would end the job.
    let send = |pid: Pid, signal| kill(pid, signal).unwrap_or_else(|error| panic!("{context}: {error}"));
    let began = Instant::now();
    match victim {
        Victim::Pe => send(pe, Signal::SIGKILL),
        Victim::StoppedPe => send(pe, Signal::SIGSTOP),
        Victim::Agent(0) => send(of_h1("shmemrun"), Signal::SIGKILL),
        Victim::Agent(1) => send(of_h1("cushmem-keeper"), Signal::SIGKILL),
        Victim::Agent(_) => send(of_h1("cushmem-superv"), Signal::SIGKILL),
        Victim::StoppedAgent => send(of_h1("cushmem-superv"), Signal::SIGSTOP),
        Victim::Ssh => send(children(job.supervisor())[1], Signal::SIGKILL),
        Victim::Sshd => send(sshd(), Signal::SIGKILL),
        Victim::Host => hosts.end(1),
        Victim::Link => hosts.connect(1, false).expect("h1 is cut off"),
        Victim::Launcher(0) => send(job.pid(), Signal::SIGKILL),
        Victim::Launcher(1) => send(job.keeper(), Signal::SIGKILL),
        Victim::Launcher(_) => send(job.supervisor(), Signal::SIGKILL),
    }
    let finished: Finished = job.finish();
    let took = began.elapsed();
    assert!(took <= END_LIMIT, "{context}: took {took:.1?}: {finished:#?}");
    assert_ne!(finished.code(), 0, "{context}: {finished:#?}");
    let said = |text: &str| finished.stderr.contains(text);
    let is_named = match victim {
        // It is the first of h1.
        Victim::Pe => said("PE 2 was killed by signal 9 (SIGKILL)"),
        Victim::StoppedPe => said("PE 2"),
        Victim::Host | Victim::Link | Victim::Ssh | Victim::Sshd | Victim::StoppedAgent => {
            said("host h1") || said("node 1")
        }
        // A PE of the other host may notice it first.
        Victim::Agent(0) => {
            said("host h1 (PEs 2, 3) has ended its PEs: its shmemrun was killed") || said("PE 2") || said("PE 3")
        }
        Victim::Agent(_) => said("host h1 (PEs 2, 3) ") || said("PE 2") || said("PE 3"),
        Victim::Launcher(0) => true,
        Victim::Launcher(_) => said("was killed by signal 9 (SIGKILL); its PEs were killed"),
    };
    assert!(is_named, "{context}: {finished:#?}");
    // A host that is cut off finds out by itself. A stopped supervisor is ended by its front.
    before.expect_nothing_left(&mark, &context);
    println!("{context}: {took:.1?}");
}

const VICTIMS: [Victim; 13] = [
    Victim::Pe,
    Victim::Agent(0),
    Victim::Agent(1),
    Victim::Agent(2),
    Victim::Ssh,
    Victim::Sshd,
    Victim::Host,
    Victim::Link,
    Victim::Launcher(0),
    Victim::Launcher(1),
    Victim::Launcher(2),
    Victim::StoppedPe,
    Victim::StoppedAgent,
];

fn rounds(name: &str, victims: &[Victim]) {
    let mut random = seeded(name);
    for victim in victims {
        round(random.below(1 << 30) as u64, *victim);
    }
}

#[test]
fn whatever_dies_on_a_host_the_job_ends() {
    rounds("whatever_dies_on_a_host_the_job_ends", &VICTIMS[..6]);
}

#[test]
fn whatever_dies_at_the_launcher_the_job_ends() {
    rounds("whatever_dies_at_the_launcher_the_job_ends", &VICTIMS[8..11]);
}

#[test]
fn a_host_that_dies_or_is_cut_off_ends_the_job() {
    rounds("a_host_that_dies_or_is_cut_off_ends_the_job", &VICTIMS[6..8]);
}

#[test]
fn a_host_that_is_stopped_ends_the_job() {
    rounds("a_host_that_is_stopped_ends_the_job", &VICTIMS[11..]);
}

/// `CUSHMEM_TEST_REQUESTS=60 cargo test -p cushmem-fault-tests -- --ignored whatever_dies_in_many_rounds`
#[test]
#[ignore = "60 rounds take six minutes"]
fn whatever_dies_in_many_rounds_the_job_ends() {
    let count = std::env::var("CUSHMEM_TEST_REQUESTS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let victims: Vec<Victim> = VICTIMS.into_iter().cycle().take(count).collect();
    rounds("whatever_dies_in_many_rounds_the_job_ends", &victims);
}

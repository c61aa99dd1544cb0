//! Jobs on several hosts whose launchers are a tree. With `--fan-out 1`, four hosts are a chain; with 2, two of them
//! have one host each behind them.

use crate::hosts::{END_LIMIT, below, hosts, on, sorted, steps};
use cushmem_fault_tests::{
    Before, Job, children, eventually, expect_at_time_limit, expect_within_wait_limit, fault_pe, seeded,
};
use cushmem_scratch::Folder;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Instant;
use xtask::hosts::Hosts;

const FAN_OUTS: [&str; 2] = ["1", "2"];
const FOUR: &str = "h0:2,h1:2,h2:2,h3:2";

/// A file in a folder of its own.
struct Temporary(PathBuf, #[expect(dead_code, reason = "it lives as long as the file")] Folder);

impl Temporary {
    /// One that somebody else will make.
    fn named(name: &str) -> Self {
        let folder = Folder::new(name).expect("make a folder");
        Self(folder.join(name), folder)
    }

    fn script(name: &str, text: &str) -> Self {
        let script = Self::named(name);
        std::fs::write(&script.0, format!("#!/bin/sh\n{text}\n")).expect("write a script");
        std::fs::set_permissions(&script.0, std::fs::Permissions::from_mode(0o755)).expect("make it a program");
        script
    }

    /// A pipe with a name.
    fn fifo(name: &str) -> Self {
        let fifo = Self::named(name);
        nix::unistd::mkfifo(&fifo.0, nix::sys::stat::Mode::S_IRWXU).expect("make a pipe with a name");
        fifo
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

/// Needs neither root nor ssh: what takes its place starts everything on this machine. PEs cannot use the network.
#[test]
fn streams_and_variables_pass_through_launchers_in_the_middle() {
    let rsh =
        Temporary::script("rsh", "OF_THE_HOST=$1; export OF_THE_HOST SHMEM_OF_THE_HOST=$1; shift; exec sh -c \"$1\"");
    let job = |fan_out: &str, options: &[&str], words: &[&str]| {
        let first = ["--hosts", "a:2,b:2,c:2,d:2", "--oversubscribe", "--fan-out", fan_out];
        Job::new([&first, options, words].concat()).env("CUSHMEM_RSH", rsh.path())
    };
    let text: String = (0..100_000).map(|line| format!("line {line}\n")).collect();
    for fan_out in FAN_OUTS {
        let script = "echo $CUSHMEM_PE $OF_THE_HOST $SHMEM_OF_THE_HOST $SHMEM_MINE $MINE $CUSHMEM_HOST_PART";
        let told = job(fan_out, &["-x", "MINE"], &["sh", "-c", script]).env("SHMEM_MINE", "x").env("MINE", "y").run();
        told.expect(0, &[]);
        let of = |pe: usize| format!("{pe} {0} {0} x y", ["a", "b", "c", "d"][pe / 2]);
        assert_eq!(sorted(&told.stdout), (0..8).map(of).collect::<Vec<_>>(), "--fan-out {fan_out}");
        // PE 0 is on the last host.
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let copy = text.clone();
        let feeder = std::thread::spawn(move || std::io::Write::write_all(&mut writer, copy.as_bytes()));
        let script = "[ $CUSHMEM_PE != 0 ] || { echo $OF_THE_HOST >&2; cat; }";
        let echo = job(fan_out, &["--map", LAST_FIRST], &["sh", "-c", script]).stdin(reader).run();
        feeder.join().expect("it does not panic").expect("all is read");
        echo.expect(0, &[]);
        assert_eq!(echo.stderr, "d\n", "--fan-out {fan_out}");
        assert!(echo.stdout == text, "{} of {} bytes", echo.stdout.len(), text.len());
        let tagged =
            job(fan_out, &["--tag"], &["sh", "-c", "[ $CUSHMEM_PE != 7 ] || { echo out; echo err >&2; }"]).run();
        assert_eq!((tagged.code(), tagged.stdout.as_str(), tagged.stderr.as_str()), (0, "[7] out\n", "[7] err\n"));
        // PE 0 reads nothing of an input without end, and the launcher stops reading it.
        let zeros = std::fs::File::open("/dev/zero").expect("it is there");
        let script = "exec < /dev/null; echo ready; exec sleep 1000";
        let deaf = job(fan_out, &["--map", LAST_FIRST], &["sh", "-c", script]).stdin(zeros).start();
        deaf.wait_for_output("ready", 8);
        eventually("the thread that reads it ends", || (!has_thread(deaf.supervisor(), "cushmem-input")).then_some(()));
        deaf.signal(Signal::SIGTERM);
        assert_eq!(deaf.finish().code(), 143);
        // PEs of all hosts write to a reader that has gone.
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let mut yes = job(fan_out, &[], &["yes"]).start_with(writer, std::process::Stdio::null());
        std::io::Read::read_exact(&mut reader, &mut [0; 100]).expect("output");
        drop(reader);
        assert_eq!(yes.wait_for_end(), 128 + Signal::SIGPIPE as i32, "--fan-out {fan_out}");
    }
}

/// Catches a host that answers while the job ends already, and is then taken for one that was lost: the job would end
/// with another status, for another reason. Whether it answers just then is a matter of chance, hence several rounds.
#[test]
fn a_program_that_fails_at_once_is_what_ends_the_job() {
    let rsh = Temporary::script("late", "shift; sleep 0.0$(($$ % 5)); exec sh -c \"$1\"");
    for round in 0..8 {
        let fan_out = FAN_OUTS[round % FAN_OUTS.len()];
        let job = ["--hosts", "a,b,c,d,e,f,g,h", "--oversubscribe", "--fan-out", fan_out, "sh", "-c", "exit 7"];
        let told = Job::new(job).env("CUSHMEM_RSH", rsh.path()).run();
        told.expect(7, &["exited with status 7"]);
        assert!(!told.stderr.contains("has gone"), "{told:?}");
    }
}

/// Catches a list that travels as one text in an environment variable or an argument, which the system limits to 128
/// KiB. Needs no network: the launchers of the second level are refused.
#[test]
fn a_list_of_ten_thousand_long_names_reaches_the_launchers() {
    let name = |host: usize| format!("h{host}-{}", "x".repeat(240));
    let list: String = (0..10_000).map(|host| name(host) + "\n").collect();
    let file = Temporary::named("many-hosts");
    std::fs::write(&file.0, list).expect("write a file");
    let further = "[ -z \"$SHMEM_LEVEL\" ] || { echo as far as this >&2; exit 1; }; SHMEM_LEVEL=1; export SHMEM_LEVEL";
    let rsh = Temporary::script("far", &format!("{further}; exec sh -c \"$2\""));
    let words = ["--hostfile", file.path(), "--fan-out", "1", "--oversubscribe", "true"];
    let told = Job::new(words).env("CUSHMEM_RSH", rsh.path()).run();
    told.expect(1, &[&format!("shmemrun: host {}: as far as this", name(1))]);
    assert_eq!(told.stderr.lines().count(), 1, "{told:?}");
}

/// Catches a signal that is put down to the host whose launcher gets it while it starts others.
#[test]
fn a_signal_during_the_start_is_named_instead_of_a_host() {
    for fan_out in FAN_OUTS {
        let file = Temporary::named(&format!("started-{fan_out}"));
        let waits = format!("[ -z \"$SHMEM_LEVEL\" ] || {{ echo > {}; exec sleep 1000; }}", file.path());
        let next = "SHMEM_LEVEL=1; export SHMEM_LEVEL; exec sh -c \"$2\"";
        let rsh = Temporary::script("waits", &format!("{waits}; {next}"));
        let words = ["--hosts", "a,b,c,d", "--fan-out", fan_out, "--oversubscribe", "sleep", "1000"];
        let job = Job::new(words).env("CUSHMEM_RSH", rsh.path()).start();
        eventually("a host starts another one", || file.0.exists().then_some(()));
        job.signal(Signal::SIGTERM);
        let job = job.finish();
        job.expect(143, &[]);
        assert_eq!(job.stderr, "shmemrun: SIGTERM came before all hosts had answered\n", "--fan-out {fan_out}");
    }
}

/// Catches a line that depends on which host is faster: the launcher of the first one reports only when that of the
/// second one has ended, which begins when the first one has its job.
#[test]
fn of_several_hosts_that_cannot_start_the_first_is_named() {
    let (begun, ended) = (Temporary::fifo("first-has-its-job"), Temporary::fifo("second-has-ended"));
    let (has_job, has_ended) = (begun.path(), ended.path());
    // The frames: the job could not be started on host 0, for the reason `no`; it ends with status 3.
    let frames = r"\017\0\0\0\011\0\0\0\0\003\0\0\0\002\0\0\0no\005\0\0\0\022\003\0\0\0";
    let greet = "${2#exec } < /dev/null; head -c 1 > /dev/null";
    let report = format!("read line < {has_ended}; printf '{frames}'; exec cat > /dev/null");
    let first = format!("{greet}; echo > {has_job}; {report}");
    let second = format!("read line < {has_job}; sh -c \"$2\"; echo > {has_ended}");
    let rsh = Temporary::script("two", &format!("case $1 in a) {first};; *) {second};; esac"));
    let words = ["--hosts", "a,b", "--timeout", "100", "--oversubscribe", "./nope"];
    let job = Job::new(words).env("CUSHMEM_RSH", rsh.path()).run();
    job.expect(3, &[]);
    assert_eq!(job.stderr, "shmemrun: host a: no\n");
}

fn has_thread(process: Pid, name: &str) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
    let comm = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
    threads.flatten().any(|thread| comm(thread).trim() == name)
}

/// A map with PE 0 on the last of four hosts with two PEs each.
const LAST_FIRST: &str = "random:3";

#[test]
fn a_tree_of_launchers_runs_one_job() {
    let Some(hosts) = hosts(4, "a_tree_of_launchers_runs_one_job") else { return };
    for fan_out in FAN_OUTS {
        let before = Before::look();
        let job = |options: &[&str], work: &[&str]| {
            on(&hosts, steps(FOUR, 8, &[&["--fan-out", fan_out], options].concat(), work))
        };
        let work = ["init", "barrier", "asks=put", "asks=add", "asks=signal", "leave"];
        let good = job(&[], &work).env("CUSHMEM_GPU", "none").start();
        let mark = good.mark.clone();
        let good = good.finish();
        good.expect(0, &[]);
        assert_eq!((good.stdout.matches("asks\n").count(), good.stderr.as_str()), (24, ""));
        before.expect_nothing_left(&mark, "a good end");
        let bad = job(&[], &["join", "7:exit=7", "sleep"]).start();
        let mark = bad.mark.clone();
        let bad = bad.finish();
        bad.expect(7, &["shmemrun: PE 7 exited with status 7"]);
        assert_eq!(bad.stderr.lines().count(), 1, "{bad:#?}");
        before.expect_nothing_left(&mark, "a failure");
        job(&[], &["join", "5:abort=9:enough", "sleep"]).run().expect(9, &["PE 5 ended the job with status 9: enough"]);
        let last = job(&[], &["join", "6:err=the last words", "0:err=another", "6:exit=3", "sleep"]).run();
        last.expect(3, &["PE 6 exited with status 3", "the last words"]);
        // PEs of three levels call different things.
        job(&[], &["join", "6:fence=b", "7:fence=b", "fence=a"]).run().expect(1, &["fence 'a'", "fence 'b'"]);
        let late = |_| job(&[], &["join", "fence=first", "6:sleep", "fence=late"]);
        expect_within_wait_limit(late, 1, &["fence late: PE 6 has not arrived after {} s"]);
        // A PE is gone when those of other hosts join again.
        for gone in ["0", "6"] {
            let exit = format!("{gone}:exit=0");
            let again = job(&[], &["join", "finalize", "part", &exit, "join", "fence=again"]).run();
            again.expect(1, &[&format!("PE {gone} has ended without joining the job again")]);
        }
    }
}

#[test]
fn signals_and_inquiries_reach_all_hosts_of_a_tree() {
    let Some(hosts) = hosts(4, "signals_and_inquiries_reach_all_hosts_of_a_tree") else { return };
    for fan_out in FAN_OUTS {
        let list = "h0,h1,h2,h3";
        let options = ["--fan-out", fan_out];
        let work = ["join", "out=joined", "0:fence=x", "sleep"];
        let job = on(&hosts, steps(list, 4, &options, &work)).start();
        job.wait_for_output("joined", 4);
        let ask = || on(&hosts, Job::new(["--status".to_owned(), job.pid().to_string()])).run().stdout;
        let rest = " s, waiting for PEs 1, 2, 3\nhost h1, PE 1: computing\nhost h2, PE 2: computing\nhost h3, PE 3: computing\n";
        let is_it = |text: &str| text.starts_with("host h0, PE 0: fence x for ") && text.ends_with(rest);
        eventually("all PEs answer", || is_it(&ask()).then_some(()));
        job.signal(Signal::SIGTERM);
        let job = job.finish();
        job.expect(143, &["was killed by signal 15 (SIGTERM)"]);
        let job = |limit: &str| on(&hosts, steps(list, 4, &[&options[..], &["--timeout", limit]].concat(), &work));
        expect_at_time_limit(job, &[" s reached: PEs 0, 1, 2, 3 were still running", "host h3, PE 3: computing"]);
    }
}

/// Each line names the host that is at fault, wherever it is in the tree.
#[test]
fn what_cannot_be_started_behind_another_host_is_one_clear_line() {
    let Some(hosts) = hosts(4, "what_cannot_be_started_behind_another_host_is_one_clear_line") else { return };
    let shmemrun = std::env::current_exe()
        .expect("its path")
        .parent()
        .and_then(|deps| deps.parent())
        .map(|target| target.join("shmemrun").to_str().expect("a plain path").to_owned());
    let shmemrun = shmemrun.expect("tests live in target/<profile>/deps");
    let on_h3 =
        |what: &str| format!("[ $(cat /proc/sys/kernel/hostname) != h3 ] || {{ {what}; }}; exec {shmemrun} \"$@\"");
    let other = Temporary::script("other-there", &on_h3("echo cushmem-agent 1 0.0.0; exec sleep 1000"));
    let mute = Temporary::script("mute-there", &on_h3("echo the disk is full >&2; exit 3"));
    // A program that is on all hosts but one.
    for host in 0..3 {
        let entry = hosts.entry_of(host);
        let copy = ["cp", "/bin/true", "/dev/shm/it"];
        let copied = std::process::Command::new(&entry[0]).args(&entry[1..]).args(copy).status();
        assert!(copied.expect("nsenter starts").success());
    }
    let key = "ssh -o PreferredAuthentications=none";
    let no_key =
        Temporary::script("no-key", &format!("case \"$*\" in *' h3 '*) exec {key} \"$@\";; esac; exec ssh \"$@\""));
    let no_key = hosts.rsh().replacen("ssh ", &format!("{} ", no_key.path()), 1);
    let slow = hosts.rsh().replacen("ssh ", "ssh -o ConnectTimeout=2 ", 1);
    let pe = fault_pe();
    let pe = pe.to_str().expect("a plain path");
    for fan_out in FAN_OUTS {
        let check = |list: &str, rsh: &str, words: &[&str], status: i32, text: &str| {
            let before = Before::look();
            let mark = format!("mark={fan_out}-{status}-{}", text.len());
            let job = Job::new([&["--hosts", list, "--fan-out", fan_out], words, &[&mark]].concat());
            let job = on(&hosts, job).env("CUSHMEM_RSH", rsh).run();
            job.expect(status, &[text]);
            assert_eq!(job.stderr.lines().count(), 1, "{job:#?}");
            before.expect_nothing_left(&mark, text);
        };
        let (list, rsh) = ("h0,h1,h2,h3", hosts.rsh());
        let sleep = [pe, "sleep"];
        check("h0,h1,h2,h9", &rsh, &sleep, 1, "shmemrun: host h9: ssh: Could not resolve hostname h9");
        check(list, &no_key, &sleep, 1, "shmemrun: host h3: root@10.78.0.4: Permission denied");
        let options = |path| [&["--remote-path", path], &sleep[..]].concat();
        check(
            list,
            &rsh,
            &options(other.path()),
            1,
            "host h3: another version of shmemrun is there: 1 0.0.0 instead of ",
        );
        check(list, &rsh, &options(mute.path()), 1, "shmemrun: host h3: the disk is full");
        let text = "shmemrun: host h3: start PE 3: program '/dev/shm/it': not found";
        check(list, &rsh, &["/dev/shm/it"], 127, text);
        hosts.connect(3, false).expect("it has a network");
        check(list, &slow, &sleep, 1, "shmemrun: host h3: ssh: connect to host 10.78.0.4 port 2222: ");
        hosts.connect(3, true).expect("it had a network");
    }
}

/// What dies. In both trees h2 has h3 behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Victim {
    /// One of the three processes of the launcher on h2, from the outermost.
    Middle(usize),
    /// The launcher of the PEs of h2.
    OwnAgent,
    /// All processes of h2.
    Host,
    /// The network of h2.
    Link,
    /// The supervisor of h2 is stopped.
    StoppedMiddle,
    /// The program that connects h2 to h3.
    Ssh,
    /// A PE of h3.
    Pe,
    /// The launcher that the user started.
    Launcher,
}

/// What the PEs are doing then. They do not use the network, so that none of them notices it first.
const PHASES: [&[&str]; 2] = [&["init", "barrier", "out=ready", "sleep"], &["join", "out=ready", "fences"]];

/// One round: whatever dies, the job ends in time, says what it was, and leaves nothing behind.
fn round(hosts: &mut Hosts, fan_out: &str, work: &[&str], victim: Victim) {
    let before = Before::look();
    let options = ["--hosts", FOUR, "--oversubscribe", "--fan-out", fan_out];
    let job = on(hosts, Job::steps(8, &options, work)).env("CUSHMEM_GPU", "none").start();
    let (mark, context) = (job.mark.clone(), format!("{victim:?} with --fan-out {fan_out} during {work:?}"));
    job.wait_for_output("ready", 8);
    let first = |host| Pid::from_raw(hosts.first(host).parse().expect("a number"));
    let middle = || below(first(2), "cushmem-superv").expect("a supervisor of h2");
    let send = |pid: Option<Pid>, signal| kill(pid.expect("it runs"), signal).expect("it is there");
    let began = Instant::now();
    match victim {
        Victim::Middle(0) => send(below(first(2), "shmemrun"), Signal::SIGKILL),
        Victim::Middle(1) => send(below(first(2), "cushmem-keeper"), Signal::SIGKILL),
        Victim::Middle(_) => send(Some(middle()), Signal::SIGKILL),
        Victim::OwnAgent => send(below(middle(), "shmemrun"), Signal::SIGKILL),
        Victim::Host => hosts.end(2),
        Victim::Link => hosts.connect(2, false).expect("it has a network"),
        Victim::StoppedMiddle => send(Some(middle()), Signal::SIGSTOP),
        Victim::Ssh => send(below(middle(), "ssh"), Signal::SIGKILL),
        Victim::Pe => {
            let supervisor = below(first(3), "cushmem-superv").expect("a supervisor of h3");
            send(children(supervisor).first().copied(), Signal::SIGKILL);
        }
        Victim::Launcher => send(Some(job.supervisor()), Signal::SIGKILL),
    }
    let finished = job.finish();
    let took = began.elapsed();
    assert!(took <= END_LIMIT, "{context}: took {took:.1?}: {finished:#?}");
    let (status, texts): (i32, &[&str]) = match victim {
        Victim::Pe => (137, &["PE 6 was killed by signal 9 (SIGKILL)"]),
        Victim::Ssh => (1, &["shmemrun: host h3 (PEs 6, 7) has gone"]),
        Victim::OwnAgent => (1, &["shmemrun: host h2 (PEs 4, 5) "]),
        Victim::Launcher => (137, &["was killed by signal 9 (SIGKILL); its PEs were killed"]),
        Victim::Link | Victim::StoppedMiddle => {
            (1, &["shmemrun: host h2 (PEs 4, 5) has not answered for 15 s; host h3 was behind it"])
        }
        Victim::Middle(0) => {
            (1, &["shmemrun: host h2 (PEs 4, 5) has ended its PEs: its shmemrun was killed; host h3 was behind it"])
        }
        Victim::Middle(_) | Victim::Host => (1, &["shmemrun: host h2 (PEs 4, 5) ", "; host h3 was behind it"]),
    };
    let is_named = finished.code() == status && texts.iter().all(|text| finished.stderr.contains(text));
    assert!(is_named, "{context}: {finished:#?}");
    before.expect_nothing_left(&mark, &context);
    println!("{context}: {took:.1?}");
}

fn rounds(name: &str, victims: &[Victim]) {
    let mut random = seeded(name);
    let Some(mut all) = hosts(4, name) else { return };
    for victim in victims {
        let (fan_out, work) = (FAN_OUTS[random.below(2)], PHASES[random.below(2)]);
        round(&mut all, fan_out, work, *victim);
    }
}

const VICTIMS: [Victim; 9] = [
    Victim::Middle(0),
    Victim::Middle(1),
    Victim::Middle(2),
    Victim::OwnAgent,
    Victim::Ssh,
    Victim::Pe,
    Victim::Launcher,
    Victim::StoppedMiddle,
    Victim::Host,
];

#[test]
fn whatever_dies_in_a_tree_the_job_ends() {
    rounds("whatever_dies_in_a_tree_the_job_ends", &VICTIMS[..7]);
    rounds("whatever_dies_in_a_tree_the_job_ends", &[Victim::Host]);
}

/// The host behind it finds out by itself.
#[test]
fn a_host_in_the_middle_that_is_cut_off_or_stopped_ends_the_job() {
    rounds("a_host_in_the_middle_that_is_cut_off_or_stopped_ends_the_job", &[Victim::StoppedMiddle, Victim::Link]);
}

/// `CUSHMEM_TEST_REQUESTS=60 cargo test -p cushmem-fault-tests -- --ignored whatever_dies_in_a_tree_in_many_rounds`
#[test]
#[ignore = "60 rounds take five minutes"]
fn whatever_dies_in_a_tree_in_many_rounds_the_job_ends() {
    let count = std::env::var("CUSHMEM_TEST_REQUESTS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let victims: Vec<Victim> = VICTIMS[..8].iter().copied().cycle().take(count).collect();
    rounds("whatever_dies_in_a_tree_in_many_rounds_the_job_ends", &victims);
}

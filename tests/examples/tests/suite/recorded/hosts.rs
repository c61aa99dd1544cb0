//! Records of PEs on several hosts: namespaces of this machine with an sshd each, whose clocks are hours apart.

use super::perfetto::{ERRORS, OPERATIONS, ask, counts_of};
use super::{counted, expect_nested, folder, list, number, read, text, traced};
use cushmem_examples_tests::built;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use xtask::hosts::Hosts;
use xtask::left_out::record;
use xtask::process::run_limited;

/// By how many seconds the clock of each host is ahead.
const AHEAD: [u32; 3] = [0, 90_000, 700];
/// How long a look at a host may take.
const LOOK: Duration = Duration::from_secs(30);
const LIST: &str = "h0:2,h1:2,h2:2";

fn hosts() -> Option<Hosts> {
    Hosts::with_clocks(&AHEAD).map_err(|why| record("recorded::hosts", &why)).ok()
}

/// A job on these hosts with these options and the program with its words.
fn job(hosts: &Hosts, options: &[&str], words: &[&str]) -> Command {
    let mut job = hosts.command(built("shmemrun").to_str().expect("a plain path"));
    job.args(["--hosts", LIST, "--oversubscribe"]).args(options);
    job.arg(built(words[0])).args(&words[1..]).env("CUSHMEM_GPU", "soft");
    job
}

fn names(count: &[Value], name: &str) -> Vec<String> {
    count.iter().map(|one| text(&one[name])).collect()
}

/// By how much times of different hosts may be wrong, in microseconds, as the launcher and the file say it. All hosts
/// have the same clock, so how wrong they are is known.
fn apart(said: &str, trace: &Value) -> f64 {
    let clocks = list(&trace["otherData"], "clocks");
    assert_eq!(names(clocks, "host"), ["h0", "h1", "h2"]);
    let offset = |clock: &Value| clock["offset_ns"].as_i64().expect("a number");
    for (clock, ahead) in clocks.iter().zip(AHEAD) {
        let wrong = (offset(clock) - offset(&clocks[0]) - i64::from(ahead) * 1_000_000_000).unsigned_abs();
        let error = number(&clock["error_ns"]) + number(&clocks[0]["error_ns"]);
        println!("{wrong} ns wrong, at most {error}");
        assert!(wrong <= error, "{wrong}: {clock}");
    }
    let error = |clock: &Value| number(&clock["error_ns"]);
    let both = clocks.iter().map(error).sum::<u64>() - clocks.iter().map(error).min().expect("there are three");
    let line = said.split("; times of different hosts compare within ").nth(1).expect("the line says it");
    let us: f64 = line.split(" us\n").next().expect("and ends").parse().expect("a number");
    let exact = both as f64 / 1_000.0;
    assert!(us >= exact && us < exact + 0.11, "{us}, {exact}: {said}");
    exact
}

/// How many flows there are, and how many between hosts. None goes back in time by more than this, and none takes
/// longer than the job.
fn flows_within(trace: &Value, apart: f64) -> (usize, usize) {
    let events = list(trace, "traceEvents");
    let us = |value: &Value| value.as_f64().expect("a number");
    let by_id = |phase: &str| -> BTreeMap<u64, &Value> {
        events.iter().filter(|event| event["ph"] == phase).map(|event| (number(&event["id"]), event)).collect()
    };
    let (starts, ends) = (by_id("s"), by_id("f"));
    assert!(starts.keys().eq(ends.keys()), "each has both ends");
    let host = |event: &Value| number(&event["pid"]) / 2;
    let mut far = 0;
    for (id, start) in &starts {
        let end = ends[id];
        let is_far = host(start) != host(end);
        far += usize::from(is_far);
        let took = us(&end["ts"]) - us(&start["ts"]);
        let back = if is_far { apart + 0.001 } else { 0.001 };
        assert!(took >= -back && took < 60e6, "{took} us, within {apart}: {start} to {end}");
    }
    (starts.len(), far)
}

/// Catches records of other hosts that are lost or damaged on their way, clocks that are not compared, and arrows that
/// go to a wait of another time.
#[test]
fn pes_of_all_hosts_are_in_one_file() {
    let Some(hosts) = hosts() else { return };
    for (name, options) in [("hosts", &[][..]), ("tree", &["--fan-out", "1"])] {
        let folder = folder();
        let (stats, trace) = (folder.join("stats.json"), folder.join("trace.json.gz"));
        let recorded = [format!("--stats={}", stats.display()), format!("--trace={}", trace.display())];
        let options = [options, &["--timeout", "100"], &[recorded[0].as_str(), &recorded[1]]].concat();
        let words = ["stencil2d", "--size", "64", "--mode", "host", "--iters", "100"];
        let (ended, said) =
            run_limited(&mut job(&hosts, &options, &words), Duration::from_secs(110)).expect("it starts");
        assert!(ended.failure().is_none() && said.contains("verified"), "{name}: {said}");
        let (stats, timeline) = (read(&stats), read(&trace));
        let pes = list(&stats, "pes");
        assert_eq!(names(pes, "host"), ["h0", "h0", "h1", "h1", "h2", "h2"], "{name}");
        assert!(pes.iter().all(|pe| pe["joined"] == true && pe["left"] == true), "{name}: {stats}");
        let counted = counted(&stats);
        assert_eq!(counted, traced(&timeline), "{name}");
        assert_eq!(number(&timeline["otherData"]["dropped_events"]), 0, "{name}");
        expect_nested(&timeline);
        let apart = apart(&said, &timeline);
        // Each PE has a neighbour on each side. There is nothing to send in the last iteration. Between hosts, a signal
        // that follows another within the clocks' error may take its arrow, and leave one out.
        let (flows, far) = flows_within(&timeline, apart);
        assert_eq!(flows - far, 6 * 99, "{name}, within {apart} us");
        assert!((99..=4 * 99).contains(&far), "{name}: {far} between hosts, within {apart} us");
        if let Some(answers) = ask(&trace, &[OPERATIONS, ERRORS, "select count(*) as number from flow"]) {
            assert_eq!(counts_of(&answers[0]), counted, "{name}");
            assert_eq!(number(&answers[2][0]["number"]), flows as u64, "{name}");
            assert!(answers[1].is_empty(), "{name}: {:?}", answers[1]);
        }
    }
}

/// A job that runs for long, and counts.
fn long(hosts: &Hosts, options: &[&str]) -> Child {
    let words = ["stencil2d", "--size", "64", "--mode", "host", "--type", "f64", "--iters", "14000"];
    let mut job = job(hosts, &[&["--timeout", "100", "--stats"], options].concat(), &words);
    job.stderr(Stdio::piped()).spawn().expect("shmemrun starts")
}

/// What `shmemrun --status` says of it when all PEs have begun to exchange.
fn status(hosts: &Hosts, job: &Child) -> String {
    let limit = Instant::now() + Duration::from_secs(60);
    loop {
        let mut status = hosts.command(built("shmemrun").to_str().expect("a plain path"));
        status.args(["--status", &job.id().to_string()]);
        let (_, said) = run_limited(&mut status, Duration::from_secs(30)).expect("shmemrun starts");
        if said.contains("put-signal") || Instant::now() >= limit {
            return said;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Catches records that are lost without a word, and those of the other hosts that are lost with them.
#[test]
fn what_a_lost_host_has_recorded_is_left_out_with_one_line() {
    let Some(mut hosts) = hosts() else { return };
    let folder = folder();
    let trace = folder.join("lost.json");
    let recorded = format!("--trace={}", trace.display());
    let job = long(&hosts, &[&recorded]);
    status(&hosts, &job);
    hosts.end(1);
    let ended = job.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success(), "{said}");
    let left_out = said.lines().filter(|line| line.contains(" is left out")).collect::<Vec<_>>();
    assert_eq!(left_out, ["shmemrun: what PEs 2, 3 on host h1 recorded is left out"], "{said}");
    assert!(said.contains("host h1 (PEs 2, 3)") && said.contains("operations of 4 PEs, summed"), "{said}");
    let of: BTreeSet<u64> = traced(&read(&trace)).keys().map(|(pe, ..)| *pe).collect();
    assert!(of.into_iter().eq([0, 1, 4, 5]), "{said}");
}

/// A job whose records are on their way from h1, over a slow network: 2.5 MB, which take 2.5 s and are more than may be
/// under way at a time.
fn sending(hosts: &Hosts, options: &[&str], trace: &Path) -> Child {
    let slow = "tc qdisc replace dev eth0 root tbf rate 8mbit burst 16kb latency 400ms";
    hosts.in_network(1, &slow.split(' ').collect::<Vec<_>>()).expect("tc makes the network slow");
    let recorded = format!("--trace={}", trace.display());
    let words = ["stencil2d", "--size", "64", "--mode", "host", "--type", "f64", "--iters", "3000"];
    let mut job = job(hosts, &[&["--timeout", "100", &recorded], options].concat(), &words);
    let mut job = job.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("shmemrun starts");
    let mut lines = BufReader::new(job.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("result ")), "the program ends well");
    // The other hosts are done when the launchers of their PEs have ended: a front, a keeper and a supervisor.
    let limit = Instant::now() + Duration::from_secs(20);
    let others: &[usize] = if options.is_empty() { &[0, 2] } else { &[0] };
    let left = if options.is_empty() { 0 } else { 3 };
    while others.iter().any(|host| launchers(vec![hosts.first(*host)]).len() > left) {
        assert!(Instant::now() < limit, "other hosts send");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    job
}

/// Catches a user who must wait for the records of a slow host, or who is not told that they are missing.
#[test]
fn a_signal_does_without_records_that_are_on_their_way() {
    let Some(hosts) = hosts() else { return };
    let folder = folder();
    let trace = folder.join("slow.json");
    let job = sending(&hosts, &[], &trace);
    kill(&job, "TERM");
    let asked = Instant::now();
    let ended = job.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(143), "{said}");
    assert!(asked.elapsed() < Duration::from_secs(20), "{said}");
    let line = "what PEs 2, 3 on host h1 recorded is left out: a signal stopped its way here\n";
    assert!(said.contains(line) && said.matches(" is left out").count() == 1, "{said}");
    let of: BTreeSet<u64> = traced(&read(&trace)).keys().map(|(pe, ..)| *pe).collect();
    assert!(of.into_iter().eq([0, 1, 4, 5]), "{said}");
}

/// The processes of this machine that are shmemrun, below one of these or one of these.
fn launchers(below: Vec<String>) -> Vec<String> {
    let shmemrun = built("shmemrun").canonicalize().expect("it is built");
    let (mut found, mut left) = (vec![], below);
    while let Some(process) = left.pop() {
        let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
        left.extend(children.split_whitespace().map(str::to_owned));
        if std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|file| file == shmemrun) {
            found.push(process);
        }
    }
    found
}

fn signal_all(signal: &str, processes: &[String]) {
    assert!(!processes.is_empty(), "there are launchers");
    // In one call, so that none of them hears of another's end. One that has ended since it was found is no failure.
    let status = Command::new("kill").args(["-s", signal]).args(processes).stderr(Stdio::null()).status();
    status.expect("kill runs");
}

/// Fails if a launcher of a host does not end.
fn expect_no_launchers(hosts: &Hosts) {
    let limit = Instant::now() + Duration::from_secs(20);
    loop {
        let left = launchers((0..3).map(|host| hosts.first(host)).collect());
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < limit, "left: {left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Catches a job that waits for records of a host whose launchers were killed while they sent them, of one behind it,
/// or of none, or one that keeps half of a record.
#[test]
fn records_of_launchers_that_are_killed_on_the_way_are_left_out() {
    let Some(hosts) = hosts() else { return };
    for (options, lost, of) in [
        (&[][..], &["PEs 2, 3 on host h1"][..], &[0, 1, 4, 5][..]),
        (&["--fan-out", "1"], &["PEs 2, 3 on host h1", "PEs 4, 5 on host h2"], &[0, 1]),
    ] {
        let folder = folder();
        let trace = folder.join("killed.json");
        let job = sending(&hosts, options, &trace);
        signal_all("KILL", &launchers(vec![hosts.first(1)]));
        let killed = Instant::now();
        let ended = job.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(killed.elapsed() < Duration::from_secs(20) && !ended.status.success(), "{said}");
        let left_out: Vec<&str> = said.lines().filter(|line| line.contains(" is left out")).collect();
        assert_eq!(left_out.len(), lost.len(), "{said}");
        for (line, who) in left_out.iter().zip(lost) {
            assert!(line.starts_with(&format!("shmemrun: what {who} recorded is left out")), "{said}");
        }
        // By then, the host may have said that its PEs have ended.
        let reasons = ["host h1 (PEs 2, 3)", "is left out: the connection to the host ended before"];
        assert!(reasons.iter().any(|reason| said.contains(reason)), "{said}");
        let found: BTreeSet<u64> = traced(&read(&trace)).keys().map(|(pe, ..)| *pe).collect();
        assert!(found.iter().eq(of), "{found:?}: {said}");
        expect_no_launchers(&hosts);
    }
}

/// Catches hosts that wait for ever to send to a launcher that was killed.
#[test]
fn hosts_end_when_the_first_launcher_is_killed_while_they_send() {
    let Some(hosts) = hosts() else { return };
    for options in [&[][..], &["--fan-out", "1"]] {
        let folder = folder();
        let mut job = sending(&hosts, options, &folder.join("first.json"));
        signal_all("KILL", &launchers(vec![job.id().to_string()]));
        assert!(job.wait().is_ok_and(|status| !status.success()), "it was killed");
        expect_no_launchers(&hosts);
    }
}

fn kill(job: &Child, signal: &str) {
    let mut kill = Command::new("kill");
    let killed = kill.args(["-s", signal, &job.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()), "the job runs");
}

/// Catches a status without the counts of other hosts, and one that does not say which are those of an earlier look.
#[test]
fn the_status_counts_the_pes_of_all_hosts() {
    let Some(hosts) = hosts() else { return };
    // In the tree, h2 is behind h1, which answers for it.
    for (options, stopped, pes) in [(&[][..], 1, "2, 3"), (&["--fan-out", "1"], 2, "4, 5")] {
        let mut job = long(&hosts, options);
        let said = status(&hosts, &job);
        assert!(said.contains("operations of 6 PEs, summed") && said.contains("put-signal"), "{options:?}: {said}");
        assert!(!said.contains("left out"), "{options:?}: {said}");
        signal_all("STOP", &launchers(vec![hosts.first(stopped)]));
        let said = status(&hosts, &job);
        let line = format!("\nwhat PEs {pes} counted since an earlier look is left out\n");
        let silent = format!("host h{stopped}: does not answer\n");
        assert!(said.contains(&silent) && said.contains(&line), "{options:?}: {said}");
        assert_eq!(said.matches(" is left out\n").count(), 1, "{options:?}: {said}");
        job.kill().expect("it runs");
        job.wait().expect("it ends");
        // The stopped ones would be found by the next job's look for launchers.
        signal_all("CONT", &launchers(vec![hosts.first(stopped)]));
        expect_no_launchers(&hosts);
    }
}

/// Nothing of a job is left on any host. All have the folders of this machine but /dev/shm. Other programs leave files
/// in these as well, but not during each of several jobs.
#[test]
fn no_files_are_left() {
    let Some(hosts) = hosts() else { return };
    let all = || -> BTreeSet<String> {
        let folders = ["/tmp", "/dev/shm", "/var/tmp"].map(Path::new).map(std::fs::read_dir);
        let files = folders.into_iter().flatten().flatten().flatten();
        let here = files.map(|file| file.path().display().to_string());
        let there = (0..3).map(|host| {
            let [first, rest @ ..] = &hosts.entry_of(host)[..] else { unreachable!("it has words") };
            let (_, found) =
                run_limited(Command::new(first).args(rest).args(["ls", "-A", "/dev/shm"]), LOOK).expect("ls");
            found.lines().map(|name| format!("h{host}: {name}")).collect::<Vec<_>>()
        });
        here.chain(there.flatten()).collect()
    };
    let folder = folder();
    let trace = folder.join("left.json");
    let options = ["--timeout", "100", &format!("--trace={}", trace.display())];
    let mut left = BTreeSet::new();
    for _ in 0..4 {
        let before = all();
        let (ended, said) =
            run_limited(&mut job(&hosts, &options, &["host-ring"]), Duration::from_secs(110)).expect("it starts");
        assert!(ended.failure().is_none(), "{said}");
        left = &all() - &before;
        if left.is_empty() {
            return;
        }
    }
    panic!("left: {left:?}");
}

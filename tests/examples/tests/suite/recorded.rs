//! What `shmemrun --stats` and `--trace` say of a job.

mod agent;
mod browser;
mod hosts;
mod network;
mod nvtx;
mod perfetto;

use cushmem_examples_tests::built;
use cushmem_scratch::Folder;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

/// By PE, operation and path: the number of operations, and their bytes.
type Counts = BTreeMap<(u64, String, String), (u64, u64)>;

/// A folder for the files of one test.
fn folder() -> Folder {
    Folder::new("recorded").expect("make a folder")
}

/// A job of stencil2d with these options of shmemrun, on emulated GPUs.
fn stencil(options: &[String], (pes, nodes): (u32, u32), mode: &str, iterations: u32) -> String {
    let mut job = launch::on_nodes(&built("shmemrun"), pes, nodes);
    job.args(["--timeout", "60"]).args(options).arg(built("stencil2d"));
    job.args(["--size", "64", "--mode", mode, "--iters", &iterations.to_string()]).env("CUSHMEM_GPU", "soft");
    job.env("CUSHMEM_TRACE_BLOCKS", "1");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none() && said.contains("verified"), "{options:?}: {said}");
    said
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).expect("shmemrun has written the file");
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("it is packed");
    } else {
        text = String::from_utf8(bytes).expect("it is text");
    }
    serde_json::from_str(&text).expect("it is JSON")
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} is a list: {value}"))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a number"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is text")).to_owned()
}

fn counted(stats: &Value) -> Counts {
    let of_pe = |pe: &Value| {
        let row = |of: &Value| {
            let key = (number(&pe["pe"]), text(&of["operation"]), text(&of["path"]));
            (key, (number(&of["number"]), number(&of["bytes"])))
        };
        list(pe, "operations").iter().map(row).collect::<Vec<_>>()
    };
    list(stats, "pes").iter().flat_map(of_pe).collect()
}

fn traced(trace: &Value) -> Counts {
    let mut counts = Counts::new();
    let is_operation = |event: &&Value| event["ph"] == "X" && (event["cat"] == "call" || event["cat"] == "command");
    for event in list(trace, "traceEvents").iter().filter(is_operation) {
        let key = (number(&event["pid"]), text(&event["name"]), text(&event["args"]["path"]));
        let count = counts.entry(key).or_default();
        *count = (count.0 + 1, count.1 + event["args"]["bytes"].as_u64().unwrap_or(0));
    }
    counts
}

fn sum(counts: &Counts, operation: &str) -> (u64, u64) {
    let of = counts.iter().filter(|((_, name, _), _)| name == operation);
    of.fold((0, 0), |sum, (_, count)| (sum.0 + count.0, sum.1 + count.1))
}

/// Events of a track lie inside each other or do not overlap, or viewers would not show them.
fn expect_nested(trace: &Value) {
    let mut tracks: BTreeMap<(u64, u64), Vec<(u64, u64)>> = BTreeMap::new();
    // Nanoseconds, which these numbers have three places for.
    let ns = |us: &Value| (us.as_f64().expect("a number") * 1000.0).round() as u64;
    for event in list(trace, "traceEvents").iter().filter(|event| event["ph"] == "X") {
        let span = (ns(&event["ts"]), ns(&event["ts"]) + ns(&event["dur"]));
        tracks.entry((number(&event["pid"]), number(&event["tid"]))).or_default().push(span);
    }
    for (track, mut spans) in tracks {
        spans.sort_by_key(|(from, until)| (*from, std::cmp::Reverse(*until)));
        let mut open: Vec<u64> = vec![];
        for (from, until) in spans {
            open.retain(|end| *end > from);
            assert!(open.iter().all(|end| until <= *end), "{track:?}: {from} to {until} ends after {open:?}");
            open.push(until);
        }
    }
}

/// Whether an event is a wait for a word, of the CPU or of a kernel.
fn is_wait(event: &Value) -> bool {
    event["name"] == "wait: word" || event["cat"] == "device" && event["name"] == "wait"
}

/// The flows of a timeline. Each goes forward in time, from an operation to a wait for a word. By clocks that are only
/// exact within an error, the wait may have ended before; then both ends are at one time.
fn flows(trace: &Value) -> usize {
    let events = list(trace, "traceEvents");
    let us = |value: &Value| value.as_f64().expect("a number");
    let by_id = |phase: &str| -> BTreeMap<u64, &Value> {
        events.iter().filter(|event| event["ph"] == phase).map(|event| (number(&event["id"]), event)).collect()
    };
    let (starts, ends) = (by_id("s"), by_id("f"));
    assert_eq!(starts.len(), events.iter().filter(|event| event["ph"] == "s").count(), "each has an id of its own");
    assert!(starts.keys().eq(ends.keys()), "each has both ends");
    let on = |end: &Value, is: &dyn Fn(&Value) -> bool| {
        let at = us(&end["ts"]);
        events.iter().any(|event| {
            let same = event["ph"] == "X" && ["pid", "tid"].iter().all(|key| event[*key] == end[*key]);
            // These numbers have three places.
            same && is(event) && at >= us(&event["ts"]) - 0.0005 && at <= us(&event["ts"]) + us(&event["dur"]) + 0.0005
        })
    };
    let mut late = 0;
    for (id, start) in &starts {
        let end = ends[id];
        assert!(us(&start["ts"]) <= us(&end["ts"]), "{start} to {end}");
        assert!(on(start, &|event| event["cat"] != "wait" && event["args"]["pe"] == end["pid"]), "{start} to {end}");
        let marks = events.iter().filter(|event| event["name"] == "signal seen" && event["ts"] == end["ts"]);
        let is_late = |mark: &Value| {
            ["pid", "tid"].iter().all(|key| mark[*key] == end[*key]) && mark["args"]["within_error"] == true
        };
        if marks.clone().any(is_late) {
            assert_eq!(start["ts"], end["ts"], "{start} to {end}");
            late += 1;
        } else {
            assert!(on(end, &|event| is_wait(event)), "{start} to {end}");
        }
    }
    assert_eq!(number(&trace["arrows_within_error"]), late);
    starts.len()
}

/// Catches operations that are counted and not traced, or the other way round, and the wrong path. The program's own
/// numbers: in an iteration, each PE tells each neighbour of its edge.
#[test]
fn counters_and_timeline_agree_with_the_program() {
    // The CPU waits for each edge of each neighbour, and between nodes all waits are recorded. In a kernel a thread
    // waits for each neighbour, and the first one records.
    for (mode, sends, waits) in [("host", "put-signal", 6 * 9), ("device", "command put", 4 * 9)] {
        let folder = folder();
        let (stats, trace) = (folder.join("stats.json"), folder.join("trace.json.gz"));
        let options = [format!("--stats={}", stats.display()), "--trace".to_owned(), trace.display().to_string()];
        let said = stencil(&options, (4, 2), mode, 10);
        let line = format!(" events in {}, for ui.perfetto.dev or chrome://tracing\n", trace.display());
        assert!(said.contains(&line) && !said.contains("operations of"), "{said}");
        let (stats, trace) = (read(&stats), read(&trace));
        let (counted, traced) = (counted(&stats), traced(&trace));
        assert_eq!(counted, traced, "{mode}");
        assert_eq!(list(&stats, "pes").len(), 4);
        assert!(list(&stats, "pes").iter().all(|pe| pe["joined"] == true && pe["left"] == true), "{stats}");
        assert_eq!(number(&trace["otherData"]["dropped_events"]), 0);
        expect_nested(&trace);
        let found = flows(&trace);
        assert_eq!(found, waits, "{mode}: {found} of {waits} waits have an arrow");
        // Four PEs side by side have six edges between them, of which the two in the middle are between nodes. There is
        // nothing to send in the last iteration.
        let edges = sum(&counted, sends);
        assert_eq!(edges, (2 * 9, 2 * 9 * 64 * 4), "{mode}: {counted:#?}");
    }
}

/// What kernels did on a PE: names, bytes, and the tracks.
fn in_kernels(trace: &Value, pe: u64) -> Vec<(String, u64, u64)> {
    let of = list(trace, "traceEvents").iter().filter(|event| event["cat"] == "device" && event["pid"] == pe);
    of.map(|event| (text(&event["name"]), number(&event["args"]["bytes"]), number(&event["tid"]))).collect()
}

/// Catches operations of kernels that are missing, or recorded by several lanes of a scope, blocks that nobody has
/// asked for, and arrows that miss kernels.
#[test]
fn what_kernels_do_is_in_the_timeline() {
    let traced = |blocks: &str, mode: &str| {
        let folder = folder();
        let trace = folder.join("trace.json");
        let mut job = launch::mapped(&built("shmemrun"), 2);
        job.args(["--timeout", "60", "--trace"]).arg(&trace).arg(built("stencil2d"));
        job.args(["--size", "64", "--mode", mode, "--iters", "10"]);
        job.env("CUSHMEM_GPU", "soft").env("CUSHMEM_TRACE_BLOCKS", blocks);
        let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
        assert!(ended.failure().is_none() && said.contains("verified"), "{said}");
        read(&trace)
    };
    // An edge of 64 numbers, and a signal, in each iteration but the last.
    let trace = traced("1", "device");
    for pe in 0..2 {
        let all = in_kernels(&trace, pe);
        let count = |name: &str, bytes: u64| all.iter().filter(|(of, n, _)| of == name && *n == bytes).count();
        assert_eq!((count("put-signal", 256), count("wait", 0), all.len()), (9, 9, 18), "{all:?}");
    }
    expect_nested(&trace);
    assert_eq!(flows(&trace), 2 * 9, "each wait has an arrow");
    let error = number(&trace["otherData"]["kernels_error_ns"]);
    assert!((1..100_000_000).contains(&error), "{error} ns");
    // Several blocks wait in this mode, and each has a track.
    let tracks = |blocks: &str| {
        let trace = traced(blocks, "fused");
        expect_nested(&trace);
        let tracks: std::collections::BTreeSet<u64> =
            in_kernels(&trace, 0).iter().map(|(_, _, track)| *track).collect();
        tracks.len()
    };
    let all = tracks("1");
    assert!(all > 2, "{all} blocks");
    assert_eq!((tracks("2"), tracks("65536"), tracks("0")), (all.div_ceil(2), 1, 0));
}

/// Catches commands of the command processor that are missing, are on the track of a kernel, or name no PE.
#[test]
fn what_the_command_processor_does_is_in_the_timeline() {
    let folder = folder();
    let trace = folder.join("processor.json");
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(["--timeout", "60", "--trace"]).arg(&trace).arg(built("shmem-bench")).args(["device", "--smoke"]);
    job.env("CUSHMEM_GPU", "soft").env("CUSHMEM_COMMAND_PROCESSOR", "1").env("CUSHMEM_TRACE_BLOCKS", "65536");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let trace = read(&trace);
    let events = list(&trace, "traceEvents");
    let is_track = |event: &&Value| event["ph"] == "M" && event["args"]["name"] == "command processor";
    let tracks: Vec<&Value> = events.iter().filter(is_track).collect();
    // Only PE 0 leaves copies to its own.
    assert!(tracks.len() == 1 && tracks[0]["pid"] == 0, "{tracks:?}");
    let of_it =
        |event: &&Value| event["cat"] == "device" && ["pid", "tid"].iter().all(|key| event[*key] == tracks[0][*key]);
    let done: Vec<&Value> = events.iter().filter(of_it).collect();
    // Two launches with two puts of 4 KiB, and one that puts until another kernel has ended.
    let is_put =
        |event: &&&Value| event["name"] == "put" && event["args"]["pe"] == 1 && number(&event["args"]["bytes"]) >= 4096;
    assert!(done.len() >= 4 && done.iter().all(|event| is_put(&event)), "{done:?}");
    expect_nested(&trace);
}

/// Catches a table without the operations of the program, and a job that is changed by being watched.
#[test]
fn a_table_says_what_a_job_did() {
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(["--stats"]).arg(built("host-ring")).env("CUSHMEM_GPU", "none");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let row = |name: &str| {
        let words = said.lines().map(|line| line.split_whitespace().take(5).collect::<Vec<_>>());
        words.filter(|words| words.first() == Some(&name)).map(|words| words[1..].join(" ")).collect::<Vec<_>>()
    };
    assert!(said.contains("\noperations of 2 PEs, summed"), "{said}");
    assert_eq!(row("put-signal"), ["mapped 2 32 B"], "{said}");
    assert_eq!(row("atomic"), ["mapped 2 16 B"], "{said}");
    assert!(said.contains("PE 0 of 2: PE 1 sent [10, 11, 12, 13]"), "{said}");
    assert!(said.lines().skip_while(|line| !line.starts_with("operations of")).count() < 40, "{said}");
}

/// Catches waits for copies through host memory that count as waits for the network, of which there is none.
#[test]
fn waits_for_the_proxy_are_no_waits_for_the_network() {
    let folder = folder();
    let stats = folder.join("proxy.json");
    let mut job = launch::on_nodes(&built("shmemrun"), 2, 1);
    job.args(["--timeout", "60", &format!("--stats={}", stats.display())]).arg(built("stencil2d"));
    job.args(["--size", "512", "--mode", "host", "--iters", "20"]);
    job.env("CUSHMEM_GPU", "soft").env("CUSHMEM_P2P", "0");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let waits: Vec<_> = list(&read(&stats), "pes").iter().flat_map(|pe| list(pe, "waits").to_vec()).collect();
    let has = |cause: &str| waits.iter().any(|wait| wait["for"] == cause);
    assert!(has("proxy") && !has("network"), "{waits:?}");
}

/// Catches a ring of events that grows, keeps the oldest, or does not say what it has lost.
#[test]
fn a_full_ring_drops_the_oldest_and_says_so() {
    let folder = folder();
    let trace = folder.join("full.json");
    let mut job = launch::on_nodes(&built("shmemrun"), 2, 1);
    job.args(["--trace"]).arg(&trace).arg(built("stencil2d")).env("CUSHMEM_TRACE_EVENTS", "1024");
    job.args(["--size", "16", "--mode", "host", "--iters", "600"]).env("CUSHMEM_GPU", "soft");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    assert!(said.contains("earlier ones were dropped (CUSHMEM_TRACE_EVENTS keeps more)"), "{said}");
    let trace = read(&trace);
    assert!(number(&trace["otherData"]["dropped_events"]) > 0);
    let events = list(&trace, "traceEvents");
    for pe in 0..2 {
        let is_kept = |event: &&Value| {
            let is_span = event["ph"] == "X" && event["cat"] != "stream" && event["cat"] != "signal";
            event["pid"] == pe && (is_span || event["cat"] == "kernel")
        };
        let kept: Vec<_> = events.iter().filter(is_kept).collect();
        assert_eq!(kept.len(), 1024, "PE {pe}");
        assert!(kept.iter().any(|event| event["name"] == "barrier"), "the last ones, of which barriers are a part");
        let says = |event: &&Value| event["ph"] == "i" && event["pid"] == pe;
        assert!(text(&events.iter().find(says).expect("a mark")["name"]).ends_with("earlier events were dropped"));
    }
    expect_nested(&trace);
}

/// Catches a job that runs before it is known that its timeline cannot be written.
#[test]
fn what_cannot_be_recorded_is_refused_before_the_start() {
    for (options, events, cause) in [
        (&["--trace", "/nowhere/t.json"][..], "", "/nowhere/t.json: No such file or directory"),
        (&["--stats=/nowhere/s.json"][..], "", "/nowhere/s.json: No such file or directory"),
        (
            &["--trace", "/dev/null"][..],
            "7",
            "CUSHMEM_TRACE_EVENTS: '7' is not a number of events from 1024 to 16777216",
        ),
        (&["--trace", "/tmp/", "--stats"][..], "", "/tmp/: Is a directory"),
        (&["--trace", "/dev/null", "--stats=/tmp"][..], "", "/tmp: Is a directory"),
        (
            &["--trace", "/nowhere/t.json", "--hosts", "localhost:1"][..],
            "",
            "/nowhere/t.json: No such file or directory",
        ),
    ] {
        let mut job = Command::new(built("shmemrun"));
        job.args(["-n", "1"]).args(options).env("CUSHMEM_TRACE_EVENTS", events).args(["echo", "it ran"]);
        let (ended, said) = run_limited(&mut job, Duration::from_secs(60)).expect("shmemrun starts");
        assert!(ended.failure().is_some() && said.contains(cause) && !said.contains("it ran"), "{options:?}: {said}");
    }
}

/// Whether a job with these options of shmemrun ends well, and what it said.
fn ring(options: &[&str]) -> (bool, String) {
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(options).arg(built("host-ring")).env("CUSHMEM_GPU", "none");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    (ended.failure().is_none(), said)
}

/// Catches a result that is lost without a sign, or takes the place of another one.
#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    let (is_well, said) = ring(&["--stats=/dev/full"]);
    assert!(!is_well && said.contains("--stats: /dev/full: No space left on device"), "{said}");
    let (is_well, said) = ring(&["--trace", "/dev/full"]);
    assert!(!is_well && said.contains("--trace: /dev/full: No space left on device"), "{said}");
    let folder = folder();
    let one = folder.join("one.json").display().to_string();
    let (is_well, said) = ring(&[&format!("--stats={one}"), "--trace", &one]);
    assert!(!is_well && said.contains("--stats and --trace both name "), "{said}");
    assert!(!Path::new(&one).exists(), "a job that did not start has left a file");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()), "make a pipe");
    let (is_well, said) = ring(&["--trace", &pipe.display().to_string()]);
    assert!(!is_well && said.contains("it is a pipe, not a file"), "{said}");
}

/// Catches a job that replaces an earlier result although it has none, or leaves an empty file.
#[test]
fn a_job_that_nobody_joins_writes_nothing() {
    let folder = folder();
    let (old, new) = (folder.join("old.json"), folder.join("new.json"));
    std::fs::write(&old, "what an earlier job has left, which is longer").expect("write a file");
    for program in ["true", "/nowhere/program"] {
        let mut job = Command::new(built("shmemrun"));
        job.args(["-n", "2", &format!("--stats={}", old.display()), "--trace"]).arg(&new).arg(program);
        let (_, said) = run_limited(&mut job, Duration::from_secs(60)).expect("shmemrun starts");
        let line = "no PE has joined the job, so nothing was recorded";
        assert_eq!(said.contains(line), program == "true", "{said}");
        assert!(std::fs::read_to_string(&old).is_ok_and(|text| text.starts_with("what")) && !new.exists(), "{said}");
    }
    let (is_well, said) = ring(&[&format!("--stats={}", old.display())]);
    assert!(is_well, "{said}");
    // All of it is new.
    assert_eq!(list(&read(&old), "pes").len(), 2);
}

/// What `shmem-advise` says of a job of this program on emulated GPUs. Its page is `advice.html` in the folder.
fn advice(folder: &Path, program: &str, words: &[&str]) -> String {
    let trace = folder.join("trace.json.gz");
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(["--timeout", "60", "--trace"]).arg(&trace).arg(built(program)).args(words).env("CUSHMEM_GPU", "soft");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let (mut advise, page) = (Command::new(built("shmem-advise")), folder.join("advice.html"));
    advise.arg(&trace).arg("--report").arg(&page);
    let (ended, said) = run_limited(&mut advise, Duration::from_secs(60)).expect("shmem-advise starts");
    assert!(ended.failure().is_none(), "{said}");
    let page = std::fs::read_to_string(page).expect("it has written the page");
    // The page has the same numbers, and needs nothing but itself.
    let iteration = said.lines().find_map(|line| line.strip_prefix("iteration      ")?.split(" (").next());
    assert!(iteration.is_none_or(|time| page.contains(&format!("<td>as recorded</td><td>{time}"))), "{said}{page}");
    assert!(said.lines().all(|line| page.contains(&line.replace('<', "&lt;").replace('>', "&gt;"))), "{said}{page}");
    let linked = page.replace("http://www.w3.org/", "");
    assert!(["http", "src=", "href="].iter().all(|link| !linked.contains(link)), "{page}");
    said
}

/// Catches an advisor that does not recognise the iterations of real programs, or promises a gain to one that has none.
/// How long anything takes on emulated GPUs means nothing.
#[test]
fn an_advisor_knows_iterations_from_a_timeline() {
    let folder = folder();
    let stencil = advice(&folder, "stencil2d", &["--size", "64", "--mode", "host", "--iters", "200"]);
    // There is nothing to send in the last iteration, and the last but one has nothing of its like behind it.
    assert!(stencil.contains(", of 197 on PE"), "{stencil}");
    assert!(stencil.contains("\nmessages       1 of 264 bytes in all, 1 round, by copy-engine, mapped\n"), "{stencil}");
    let lbm = advice(&folder, "lbm", &["--size", "16", "--mode", "staged", "--iters", "100"]);
    // Density and distributions, to the neighbour on each side; with one other PE it is the same one.
    assert!(lbm.contains("2 rounds, by mapped\n"), "{lbm}");
    for said in [&stencil, &lbm] {
        assert!(said.contains("\nGPU            A ") && said.contains("\npredicted      stream "), "{said}");
        assert!(said.contains("\nasynchrony     holds: all iterations send the same"), "{said}");
    }
    let bfs = advice(&folder, "bfs", &["--scale", "8", "--roots", "4"]);
    assert!(
        bfs.contains("\nasynchrony     does not hold: ") || bfs.starts_with("asynchrony     does not hold: "),
        "{bfs}"
    );
    assert!(bfs.contains("\ngain           does not hold: ") && bfs.contains("gain nothing"), "{bfs}");
}

/// The program counts the messages of its searches itself, with puts of the CPU and of streams. It makes each search
/// twice, and counts the second one. Behind each message comes its length; the CPU also sends that where there is no
/// message.
#[test]
fn puts_of_bfs_are_those_that_it_counts() {
    let folder = folder();
    let (stats, trace) = (folder.join("bfs.json"), folder.join("bfs.trace.json"));
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.arg(format!("--stats={}", stats.display())).arg("--trace").arg(&trace).args(["--timeout", "60"]);
    job.arg(built("bfs")).args(["--json", "--scale", "8", "--roots", "1"]).env("CUSHMEM_GPU", "soft");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let rows: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let row = |by: &str| rows.iter().find(|row| row["by"] == by).unwrap_or_else(|| panic!("{by}: {said}"));
    let (cpu, stream) = (row("cpu"), row("stream"));
    let (stats, trace) = (read(&stats), read(&trace));
    assert_eq!(counted(&stats), traced(&trace));
    // The program times what streams exchange by events, and waits for them.
    let waits = |event: &&Value| event["name"] == "synchronize" && event["args"]["stream"].is_null();
    assert!(list(&trace, "traceEvents").iter().any(|event| waits(&event)), "a wait for an event is not recorded");
    let messages = number(&stream["messages"]);
    let copies = (2 * 2 * messages, 2 * (number(&stream["bytes"]) + 4 * messages));
    assert_eq!(sum(&counted(&stats), "stream copy"), copies, "{said}");
    // Kernels put too.
    let of_cpu = |event: &Value| event["cat"] == "call" && event["name"] == "put";
    let others = |event: &&Value| of_cpu(event) && event["args"]["pe"] != event["pid"];
    let puts = list(&trace, "traceEvents").iter().filter(others).count() as u64;
    assert_eq!(puts, 2 * (number(&cpu["messages"]) + 2 * number(&cpu["levels"])), "{said}");
}

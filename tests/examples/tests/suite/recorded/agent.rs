//! The track of the GPU agent.

use super::perfetto::{ERRORS, ask, counts_of};
use super::{Counts, counted, expect_nested, folder, in_kernels, list, number, read, text};
use cushmem_examples_tests::built;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

/// The most bytes of a put or get of pageable memory that are one command.
const CHUNK: u64 = 64 << 10;
/// What Perfetto finds on the tracks of the agents.
const COMMANDS: &str = "
    select pid as pe, slice.name as operation, 'gpu-agent' as path, count(*) as number,
        sum(extract_arg(slice.arg_set_id, 'args.bytes')) as bytes
    from slice join thread_track on slice.track_id = thread_track.id
        join thread using (utid) join process using (upid)
    where category = 'device' and thread.name = 'GPU agent' group by 1, 2";

/// The counters and the timeline of a job of two PEs that have the agent carry out what it can.
fn job(program: &[&str], variables: &[(&str, &str)]) -> (Counts, Value) {
    let folder = folder();
    let (stats, trace) = (folder.join("stats.json"), folder.join("trace.json"));
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(["--timeout", "100", &format!("--stats={}", stats.display()), "--trace"]).arg(&trace);
    job.arg(built(program[0])).args(&program[1..]).envs(variables.iter().copied());
    job.env("CUSHMEM_GPU", "soft").env("CUSHMEM_PATH", "gpu-agent");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(110)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let (counted, timeline) = (counted(&read(&stats)), read(&trace));
    let found = commands(&timeline);
    if let Some(answers) = ask(&trace, &[COMMANDS, ERRORS]) {
        let mut of_all = Counts::new();
        for event in &found {
            let key = (number(&event["pid"]), text(&event["name"]), "gpu-agent".to_owned());
            let count = of_all.entry(key).or_default();
            *count = (count.0 + 1, count.1 + number(&event["args"]["bytes"]));
        }
        assert_eq!(counts_of(&answers[0]), of_all);
        assert!(answers[1].is_empty(), "{:?}", answers[1]);
    }
    expect_nested(&timeline);
    (counted, timeline)
}

/// The events on the tracks of the agents. They carry out one command after the other, so each has one track.
fn commands(trace: &Value) -> Vec<&Value> {
    let events = list(trace, "traceEvents");
    let is_track = |event: &&Value| {
        event["ph"] == "M" && event["args"]["name"].as_str().is_some_and(|name| name.starts_with("GPU agent"))
    };
    let tracks: Vec<_> = events.iter().filter(is_track).map(|track| (&track["pid"], &track["tid"])).collect();
    let pes: std::collections::BTreeSet<u64> = tracks.iter().map(|(pe, _)| number(pe)).collect();
    assert_eq!(pes.len(), tracks.len(), "{tracks:?}");
    let is_its = |event: &&Value| event["cat"] == "device" && tracks.contains(&(&event["pid"], &event["tid"]));
    events.iter().filter(is_its).collect()
}

/// Catches commands that are missing, are there twice, are another operation or on another PE, and times of another
/// clock.
#[test]
fn has_what_the_cpu_had_carried_out() {
    let (counted, trace) = job(&["shmem-bench", "host", "--smoke"], &[]);
    assert_eq!(number(&trace["otherData"]["dropped_events"]), 0);
    // By PE, operation and PE on which it is: the number of those that are one command, by their bytes, and all bytes.
    type Moved = BTreeMap<(u64, String, u64), (BTreeMap<u64, u64>, u64)>;
    let moved = |events: &[&Value]| {
        let mut moved = Moved::new();
        for event in events {
            let bytes = number(&event["args"]["bytes"]);
            let key = (number(&event["pid"]), text(&event["name"]), number(&event["args"]["pe"]));
            let (numbers, all) = moved.entry(key).or_default();
            *all += bytes;
            if bytes < CHUNK {
                *numbers.entry(bytes).or_default() += 1;
            }
        }
        moved
    };
    let is_call = |event: &&Value| event["cat"] == "call" && event["args"]["path"] == "gpu-agent";
    let calls: Vec<_> = list(&trace, "traceEvents").iter().filter(is_call).collect();
    let found = commands(&trace);
    assert_eq!(moved(&found), moved(&calls));
    let counts = |operation: &str| {
        let of = counted.iter().filter(|((_, name, path), _)| name == operation && path == "gpu-agent");
        of.fold((0, 0), |sum, (_, count)| (sum.0 + count.0, sum.1 + count.1))
    };
    for operation in ["put", "get", "atomic"] {
        let its = found.iter().filter(|event| event["name"] == operation);
        let all = its.clone().count() as u64;
        let (number_of_calls, bytes) = counts(operation);
        assert_eq!(its.map(|event| number(&event["args"]["bytes"])).sum::<u64>(), bytes, "{operation}");
        assert!(number_of_calls > 0 && all >= number_of_calls, "{operation}: {all} of {number_of_calls}");
    }
    // While the PE was in the job. It knows that its last command is complete before the agent records that.
    let error = number(&trace["otherData"]["kernels_error_ns"]) as f64 / 1000.0;
    let late = error + 100_000.0;
    let us = |event: &Value| {
        let [from, took] = ["ts", "dur"].map(|key| event[key].as_f64().expect("a number"));
        (from, from + took)
    };
    for pe in 0..2 {
        let of_pe = |event: &&&Value| event["pid"] == pe;
        let times = calls.iter().filter(of_pe).map(|call| us(call));
        let (first, last) = times.fold((f64::MAX, 0.0f64), |all, its| (all.0.min(its.0), all.1.max(its.1)));
        let outside = found.iter().filter(of_pe).find(|event| us(event).0 < first - error || us(event).1 > last + late);
        assert!(outside.is_none(), "from {first} to {last}: {outside:?}");
    }
}

/// Catches commands of the CPU that take the room of what kernels have done, those that are not counted as dropped, and
/// a track that is there although nobody wants one.
#[test]
fn leaves_kernels_their_room() {
    // When the kernels have ended, each PE copies 4.7 million numbers to pageable memory, to verify them.
    let program = ["stencil2d", "--size", "3072", "--mode", "device", "--iters", "4", "--verify"];
    let (_, trace) = job(&program, &[("CUSHMEM_TRACE_EVENTS", "1024"), ("CUSHMEM_TRACE_BLOCKS", "1")]);
    let all = commands(&trace);
    for pe in 0..2 {
        assert_eq!(all.iter().filter(|event| event["pid"] == pe).count(), 256, "PE {pe}");
        let waits = in_kernels(&trace, pe).iter().filter(|(name, ..)| name == "wait").count();
        assert_eq!(waits, 3, "PE {pe}: {:?}", in_kernels(&trace, pe));
    }
    assert!(number(&trace["otherData"]["dropped_events"]) > 0);
    let program = ["stencil2d", "--size", "64", "--mode", "device", "--iters", "4"];
    let (counted, trace) = job(&program, &[("CUSHMEM_TRACE_BLOCKS", "0")]);
    assert!(counted.keys().any(|(.., path)| path == "gpu-agent") && commands(&trace).is_empty(), "{counted:?}");
}

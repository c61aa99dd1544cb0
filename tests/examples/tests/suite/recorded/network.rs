//! The network in timelines.

use super::{folder, list, number, read};
use cushmem_examples_tests::built;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

/// Nanoseconds, which times have three places for.
fn ns(us: &Value) -> u64 {
    (us.as_f64().expect("a number") * 1000.0).round() as u64
}

/// A transfer of the network.
struct Transfer<'a> {
    pe: u64,
    begin: &'a Value,
    from: u64,
    until: u64,
}

/// All of them. Each has a beginning and an end.
fn transfers(trace: &Value) -> Vec<Transfer<'_>> {
    let events = list(trace, "traceEvents").iter().filter(|event| event["cat"] == "network");
    let (mut begins, mut all) = (BTreeMap::new(), vec![]);
    for event in events {
        let key = (number(&event["pid"]), event["id2"]["local"].to_string());
        if event["ph"] == "b" {
            assert!(begins.insert(key, event).is_none(), "{event} has an id of its own");
        } else {
            let begin = begins.remove(&key).unwrap_or_else(|| panic!("{event} has no beginning"));
            assert_eq!((&event["ph"], &event["name"]), (&"e".into(), &begin["name"]));
            all.push(Transfer { pe: key.0, begin, from: ns(&begin["ts"]), until: ns(&event["ts"]) });
        }
    }
    assert!(begins.is_empty(), "{begins:?} have no end");
    all
}

fn trace_of(nodes: u32) -> Value {
    let folder = folder();
    let trace = folder.join("trace.json");
    let mut job = launch::on_nodes(&built("shmemrun"), 2, nodes);
    job.args(["--timeout", "60", "--trace"]).arg(&trace).arg(built("host-ring")).env("CUSHMEM_GPU", "none");
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    read(&trace)
}

/// Catches far operations that are not seen on the network, or at another time than they were posted, and a curve that
/// does not say what is under way.
#[test]
fn far_operations_are_seen_from_posting_to_completion() {
    let trace = trace_of(2);
    let (events, transfers) = (list(&trace, "traceEvents"), transfers(&trace));
    for pe in 0..2 {
        // Each PE sends the other one 16 bytes and a signal.
        let is_call = |event: &&Value| event["ph"] == "X" && event["pid"] == pe && event["name"] == "put-signal";
        let calls: Vec<_> = events.iter().filter(is_call).collect();
        let [call] = calls[..] else { panic!("one put with signal: {calls:?}") };
        assert_eq!((&call["args"]["path"], &call["args"]["bytes"]), (&"nic".into(), &16.into()));
        let (from, until) = (ns(&call["ts"]), ns(&call["ts"]) + ns(&call["dur"]));
        let own = || transfers.iter().filter(move |transfer| transfer.pe == pe);
        for (name, bytes) in [("network put", 16), ("network word", 8)] {
            let is_it = |transfer: &&Transfer| {
                let args = &transfer.begin["args"];
                let during = from <= transfer.from && transfer.from <= until;
                transfer.begin["name"] == name && args["bytes"] == bytes && args["pe"] == 1 - pe && during
            };
            assert_eq!(own().filter(is_it).count(), 1, "PE {pe}: {name} of {bytes} bytes in {call}");
        }
        assert!(own().all(|transfer| transfer.from < transfer.until), "a transfer takes time");
        // The curve, at each of its points.
        let is_level = |event: &&Value| event["ph"] == "C" && event["pid"] == pe;
        let levels: Vec<_> = events.iter().filter(is_level).collect();
        assert!(!levels.is_empty() && levels.is_sorted_by_key(|level| ns(&level["ts"])));
        for level in &levels {
            let at = ns(&level["ts"]);
            let under_way = || own().filter(|transfer| transfer.from <= at && at < transfer.until);
            let bytes: u64 = under_way().map(|transfer| number(&transfer.begin["args"]["bytes"])).sum();
            let found = (number(&level["args"]["operations"]), number(&level["args"]["bytes"]));
            assert_eq!(found, (under_way().count() as u64, bytes), "PE {pe}: {level}");
        }
        assert_eq!(levels.last().map(|level| number(&level["args"]["operations"])), Some(0));
    }
    let near = trace_of(1);
    let of_network = |event: &&Value| event["cat"] == "network" || event["ph"] == "C";
    assert!(!list(&near, "traceEvents").iter().any(|event| of_network(&event)), "there is no network");
}

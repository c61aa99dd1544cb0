//! What a PE counts is what the program has done.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::process::Command;
use xtask::launch::{self, word};

const PROGRAM: &str = include_str!("counters.c");
/// The operations of `counters.c`, on each PE.
const EXPECTED: [&str; 12] = [
    "put by all: 19, 752 bytes",
    "get by all: 5, 264 bytes",
    "atomic by all: 10, 80 bytes",
    "put-signal by all: 6, 384 bytes",
    "fence by all: 1, 0 bytes",
    "quiet by all: 2, 0 bytes",
    "barrier by all: 3, 0 bytes",
    "sync by all: 2, 0 bytes",
    "broadcast by all: 1, 64 bytes",
    "alltoall by all: 1, 0 bytes",
    "reduce by all: 1, 64 bytes",
    "allocate by all: 6, 4304 bytes",
];

fn of_pe(job: &Finished, pe: u32) -> Vec<&str> {
    job.lines.iter().filter_map(|line| line.strip_prefix(&format!("PE {pe}: "))).collect()
}

/// Catches an operation that is counted twice or not at all, such as one that takes the inline fast path, a part of a
/// collective, a quiet inside a barrier, or what a child does that has the memory in which shmemrun reads.
#[test]
fn what_a_program_did_is_counted() {
    let Some(rig) = Rig::find("capi::what_a_program_did_is_counted") else { return };
    let program = rig.compile("counters.c", PROGRAM, Library::Shared, &["-std=c99"]);
    for (nodes, path, other) in [(1, "mapped", "nic"), (2, "nic", "mapped")] {
        for launcher_reads in [false, true] {
            let mut job = launch::on_nodes(&rig.tool("shmemrun"), 2, nodes);
            if launcher_reads {
                job.arg("--stats=/dev/null");
            }
            job.args(["--timeout", "60"]).arg(&program).env("CUSHMEM_GPU", "none").env("CUSHMEM_STATS", "1");
            let job = Rig::finish(&mut job);
            assert!(job.status == Some(0) && !job.lines.iter().any(|line| line == "it did not move"), "{job:#?}");
            (0..2).for_each(|pe| expect_counts(&job, pe, (path, other)));
        }
    }
}

fn expect_counts(job: &Finished, pe: u32, (path, other): (&str, &str)) {
    let lines = of_pe(job, pe);
    let by_path = [
        format!("put by {path}: 19, 752 bytes"),
        format!("put by {other}: 0, 0 bytes"),
        "puts by all: nothing".to_owned(),
        "put by pigeon: nothing".to_owned(),
    ];
    for expected in EXPECTED.into_iter().chain(by_path.iter().map(String::as_str)) {
        assert!(lines.contains(&expected), "PE {pe}: {expected}\n{job:#?}");
    }
}

/// Catches operations that are counted for another PE, on another path, or not in one of the two places where they are
/// found: `shmemx_counters_get_pe`, which the program compares with its own counts, and the JSON of `shmemrun --stats`.
#[test]
fn what_was_done_on_each_pe_is_counted() {
    let Some(rig) = Rig::find("capi::what_was_done_on_each_pe_is_counted") else { return };
    let program = rig.compile("counters_by_pe.c", include_str!("counters_by_pe.c"), Library::Shared, &["-std=c99"]);
    for nodes in [1, 2] {
        let file = rig.path("counters.json");
        let mut job = launch::on_nodes(&rig.tool("shmemrun"), 4, nodes);
        job.arg(format!("--stats={}", file.display())).args(["--timeout", "60"]).arg(&program);
        let job = Rig::finish(job.env("CUSHMEM_GPU", "none"));
        let same = (0..4).filter(|pe| job.lines.contains(&format!("PE {pe}: the same"))).count();
        assert_eq!((job.status, same), (Some(0), 4), "{job:#?}");
        let text = std::fs::read_to_string(&file).expect("shmemrun has written the file");
        std::fs::remove_file(&file).expect("nobody else removes it");
        let stats: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let mut found = vec![];
        for pe in list(&stats["pes"]) {
            for peer in list(&pe["peers"]) {
                for of in list(&peer["operations"]) {
                    let [operation, path] = ["operation", "path"].map(|key| of[key].as_str().unwrap_or_default());
                    let (number, bytes) = (&of["number"], &of["bytes"]);
                    found.push(format!("{} {} {operation} {path} {number} {bytes}", pe["pe"], peer["pe"]));
                    assert!(of["ns"].as_u64().is_some_and(|ns| ns > 0), "{of}");
                }
            }
        }
        let is_row = |line: &&String| line.chars().next().is_some_and(|c| c.is_ascii_digit());
        let mut said: Vec<String> = job.lines.iter().filter(is_row).cloned().collect();
        found.sort();
        said.sort();
        assert!(said.len() > 30 && found == said, "{said:#?}\n{found:#?}");
    }
}

/// Catches what is tried again and not counted, or counted although it was done at once: a network that is not there
/// yet takes operations later, and lanes have room for fewer than the program posts; within a node there is neither,
/// unless the program uses a GPU.
#[test]
fn what_is_tried_again_is_counted() {
    let Some(rig) = Rig::find("capi::what_is_tried_again_is_counted") else { return };
    let program = rig.compile("retries.c", include_str!("retries.c"), Library::Shared, &["-std=c99"]);
    for (nodes, network, gpu, [at_the_network, in_lanes, of_copies]) in [
        (2, "loopback:verbs:0,later=20", "none", ["some", "some", "none"]),
        (2, "loopback:verbs", "none", ["none", "some", "none"]),
        (1, "loopback:verbs", "none", ["none", "none", "none"]),
        (1, "loopback:verbs", "soft", ["none", "none", "some"]),
    ] {
        let mut job = launch::on_nodes(&rig.tool("shmemrun"), 2, nodes);
        job.args(["--stats", "--timeout", "60"]).arg(&program).env("CUSHMEM_GPU", gpu).env("CUSHMEM_NET", network);
        job.args((gpu == "soft").then_some("gpu"));
        let job = Rig::finish(&mut job);
        let has = |line: String| job.lines.contains(&line);
        let is_right = |pe: u32| {
            has(format!("PE {pe}: network operations: {at_the_network}"))
                && has(format!("PE {pe}: posts to full network lanes: {in_lanes}"))
                && has(format!("PE {pe}: posts to full copy lanes: {of_copies}"))
        };
        assert!(job.status == Some(0) && is_right(0) && is_right(1), "{network}, {nodes} nodes: {job:#?}");
        let line = job.lines.iter().find(|line| line.starts_with("tried again: "));
        assert_eq!(line.is_some_and(|line| line.contains(" posts to full network lanes (")), nodes == 2, "{job:#?}");
    }
}

/// Catches attempts to reach PE 0 that are not counted, or counted although the first one has reached it.
#[test]
fn attempts_to_reach_the_rendezvous_are_counted() {
    let Some(rig) = Rig::find("capi::attempts_to_reach_the_rendezvous_are_counted") else { return };
    let source = "#include <inttypes.h>\n#include <shmem.h>\n#include <shmemx.h>\n#include <stdio.h>\n\
        int main(void) {\n    uint64_t counts[3];\n    shmem_init();\n\
        if (shmemx_counters_get(\"count\", \"connections\", counts) != 0) return 1;\n\
        printf(\"PE %d: %s\\n\", shmem_my_pe(), counts[0] > 0 ? \"some\" : \"none\");\n\
        shmem_finalize();\n    return 0;\n}\n";
    let program = rig.compile("connections.c", source, Library::Shared, &["-std=c99"]);
    for ([first, second], of_1) in [([1, 0], "some"), ([0, 1], "none")] {
        let (path, id) = (word(&program), format!("connections{of_1}{}", std::process::id()));
        // The second one starts when the first one has tried for a second or, if that is PE 0, can be reached.
        let ready = if first == 0 { format!("grep -q {id} /proc/net/unix") } else { "sleep 1".to_owned() };
        let script = format!(
            "RANK={first} timeout 60 {path} & n=0; until {ready} || [ $n = 200 ]; do sleep 0.1; n=$((n + 1)); done; \
             RANK={second} timeout 60 {path} & wait"
        );
        let mut job = Command::new("sh");
        job.args(["-c", &script]).envs([("WORLD_SIZE", "2"), ("LOCAL_WORLD_SIZE", "2"), ("MASTER_PORT", "29519")]);
        job.envs([("TORCHELASTIC_RUN_ID", &*id), ("TORCHELASTIC_RESTART_COUNT", "0"), ("CUSHMEM_STATS", "1")]);
        let job = Rig::finish(job.env("CUSHMEM_GPU", "none"));
        assert_eq!(job.lines, ["PE 0: none".to_owned(), format!("PE 1: {of_1}")], "PE {first} first: {job:#?}");
    }
}

/// Catches a PE that counts although nobody has asked it to.
#[test]
fn nothing_is_counted_unless_somebody_asks() {
    let Some(rig) = Rig::find("capi::nothing_is_counted_unless_somebody_asks") else { return };
    let program = rig.compile("counters.c", PROGRAM, Library::Static, &["-std=c99"]);
    let job = rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none")]);
    assert_eq!(job.status, Some(0), "{job:#?}");
    assert!(job.lines.len() == 32 && job.lines.iter().all(|line| line.ends_with(": nothing")), "{job:#?}");
}

/// The profiling interface as a tool of others uses it: a library that is loaded in front of this one and knows nothing
/// of it. Catches a routine that a tool cannot replace, or a twin that comes back to the tool.
#[test]
fn a_profile_by_call_site_sees_each_call() {
    let Some(rig) = Rig::find("capi::a_profile_by_call_site_sees_each_call") else { return };
    let source = include_str!("../../../../apps/examples/c/profile.c");
    let tool = rig.compile("profile.c", source, Library::Shared, &["-std=gnu11", "-shared", "-fPIC", "-Wall"]);
    let program = rig.compile("counters.c", PROGRAM, Library::Shared, &["-std=c99"]);
    // The loader would take a blank in the name of the rig's folder for the end of a name.
    let folder = cushmem_scratch::Folder::new("profile").expect("a folder");
    let plain = folder.join("profile.so");
    std::fs::copy(tool, &plain).expect("there is room");
    let preload = plain.to_str().expect("plain words");
    let job = rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none"), ("LD_PRELOAD", preload)]);
    assert_eq!(job.status, Some(0), "{job:#?}");
    for pe in 0..2 {
        let sites: Vec<_> = of_pe(&job, pe).into_iter().filter(|line| line.starts_with("shmem_")).collect();
        for (routine, calls) in [
            ("shmem_long_put", "10 calls, 640 bytes"),
            ("shmem_long_p", "5 calls, 40 bytes"),
            ("shmem_long_get", "4 calls, 256 bytes"),
            ("shmem_barrier_all", "3 calls, 0 bytes"),
        ] {
            let of = |line: &&&str| line.starts_with(&format!("{routine} at ")) && line.contains("counters.c-Shared");
            let lines: Vec<_> = sites.iter().filter(of).collect();
            assert!(lines.len() == 1 && lines[0].contains(calls), "PE {pe}, {routine}: {job:#?}");
        }
        let quiets = sites.iter().filter(|line| line.starts_with("shmem_quiet at ")).count();
        assert_eq!(quiets, 2, "two places: {job:#?}");
    }
}

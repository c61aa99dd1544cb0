//! `--nodes`: which PE is on which virtual node, and who is told.

use cushmem_fault_tests::{
    Before, Job, children, expect_at_time_limit, let_go, other_threads, seeded, stop_thread, thread,
};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use std::time::Duration;
use xtask::left_out::record;
use xtask::machine::has_library;

/// Returns what the five PEs of a job print, in the order of the PEs: number, place, and the number of nodes if they
/// are told it.
fn told(options: &[&str]) -> Vec<String> {
    let script = ["sh", "-c", "echo $CUSHMEM_PE $CUSHMEM_LOCAL_PE ${CUSHMEM_NODES-none}"];
    let words = [&["-n", "5"], options, &script].concat();
    // A value left over from another job, in which this one may have been started.
    let job = Job::new(words).env("CUSHMEM_NODES", "9").run();
    job.expect(0, &[]);
    let mut lines: Vec<String> = job.stdout.lines().map(str::to_string).collect();
    lines.sort();
    lines
}

#[test]
fn pes_are_told_how_many_nodes_there_are() {
    assert_eq!(told(&["--nodes", "2"]), ["0 0 2", "1 1 2", "2 2 2", "3 3 2", "4 4 2"]);
    assert_eq!(told(&["-x", "CUSHMEM_NODES=3"])[4], "4 4 none");
    assert_eq!(told(&["--nodes", "1"])[4], "4 4 none");
}

#[test]
fn cyclic_deals_the_pes_out_to_the_virtual_nodes() {
    let cyclic = |nodes| told(&["--map", "cyclic", "--nodes", nodes]);
    assert_eq!(cyclic("2"), ["0 0 2", "1 3 2", "2 1 2", "3 4 2", "4 2 2"]);
    assert_eq!(cyclic("3"), ["0 0 3", "1 2 3", "2 4 3", "3 1 3", "4 3 3"]);
    assert_eq!(cyclic("5"), ["0 0 5", "1 1 5", "2 2 5", "3 3 5", "4 4 5"]);
    assert_eq!(told(&["--map", "random:1", "--nodes", "2"]), with_nodes(told(&["--map", "random:1"]), "2"));
}

fn with_nodes(lines: Vec<String>, nodes: &str) -> Vec<String> {
    lines.into_iter().map(|line| line.replace("none", nodes)).collect()
}

#[test]
fn the_status_says_on_which_node_a_pe_is() {
    let options = ["--nodes", "2", "--map", "cyclic", "--timeout", "30"];
    let job = Job::steps(3, &options, &["join", "out=joined", "sleep"]).start();
    job.wait_for_output("joined", 3);
    let expected = "node 0, PE 0: computing\nnode 1, PE 1: computing\nnode 0, PE 2: computing\n";
    job.expect_status_that(|answer| answer == expected);
    job.signal(Signal::SIGKILL);
    job.finish();
}

#[test]
fn the_time_limit_says_on_which_node_a_pe_is() {
    let job = |limit: &str| Job::steps(2, &["--nodes", "2", "--timeout", limit], &["join", "1:sleep", "fence=late"]);
    let texts = ["shmemrun: node 0, PE 0: fence late for ", "shmemrun: node 1, PE 1: computing\n"];
    expect_at_time_limit(job, &texts);
}

#[test]
fn a_number_of_nodes_that_there_cannot_be_is_one_clear_line() {
    for (args, text) in [
        (["-n", "2", "--nodes", "0", "true"], "'0' for '--nodes <K>': 0 is not in 1..=65536"),
        (["-n", "2", "--nodes", "3", "true"], "--nodes 3: each node needs a PE, so with 2 PEs there are 1 to 2 nodes"),
    ] {
        let job = Job::new(args).run();
        job.expect(2, &[text]);
        assert_eq!(job.stderr.lines().count(), 1, "{job:?}");
    }
}

/// A PE on another node dies in the middle of traffic: the job ends at once, and nothing of it is left.
#[test]
fn a_pe_that_is_killed_in_heavy_traffic_ends_the_job() {
    let mut random = seeded("a_pe_that_is_killed_in_heavy_traffic_ends_the_job");
    for (round, profile) in ["verbs", "tcp", "efa"].into_iter().cycle().take(6).enumerate() {
        let before = Before::look();
        let victim = round % 3;
        let job = Job::steps(3, &["--nodes", "2", "--timeout", "30"], &["init", "traffic"]);
        let job = job.env("CUSHMEM_NET", &format!("loopback:{profile}:{round}")).start();
        let mark = job.mark.clone();
        job.wait_for_output("traffic", 3);
        // Any moment will do.
        std::thread::sleep(Duration::from_micros(random.below(5000) as u64));
        kill(children(job.supervisor())[victim], Signal::SIGKILL).expect("the PE runs");
        let context = format!("{profile}, PE {victim}");
        let finished = job.finish();
        let text = format!("PE {victim} was killed by signal 9 (SIGKILL)");
        assert!(finished.code() == 137 && finished.stderr.contains(&text), "{context}: {finished:#?}");
        before.expect_nothing_left(&mark, &context);
    }
}

/// The network loses a PE: the job ends with a line that says which PE and why, whatever the job was doing.
#[test]
fn a_pe_that_is_cut_off_ends_the_job() {
    const BUSY: &[&str] = &["init", "traffic"];
    const MEETS: &[&str] = &["init", "barrier", "barrier", "barrier", "leave"];
    for (after, steps) in [(50, BUSY), (51, BUSY), (52, BUSY), (53, BUSY), (75, BUSY), (76, BUSY), (2, MEETS)] {
        let before = Before::look();
        let job = Job::steps(2, &["--nodes", "2", "--timeout", "30"], steps);
        let job = job.env("CUSHMEM_NET", &format!("loopback:verbs:7,cut=1@{after}")).start();
        let mark = job.mark.clone();
        let finished = job.finish();
        let lost = format!("the connection is lost: it was cut after {after} operations");
        let named = |line: &str| line.contains("memory of PE 1 ") && line.contains(&lost);
        assert!(finished.stderr.lines().any(named), "after {after}: {finished:#?}");
        assert_eq!(finished.code(), 1, "after {after}: {finished:#?}");
        before.expect_nothing_left(&mark, &format!("after {after} operations"));
    }
}

/// Operations of all kinds, on a PE of another node.
const ASKED: [&str; 9] = ["put", "get", "add", "signal", "nbi", "set", "staged", "barrier", "broadcast"];
/// What a job needs that has GPU memory on other nodes.
const SOFT: (&str, &str) = ("CUSHMEM_GPU", "soft");

fn asking(operation: &str, net: &str, limit: &str) -> Job {
    let steps = ["init", &format!("asks={operation}"), "barrier", "leave"];
    let job = Job::steps(3, &["--nodes", "2", "--timeout", "60"], &steps);
    job.env("CUSHMEM_NET", net).env("CUSHMEM_NET_LIMIT_S", limit).env(SOFT.0, SOFT.1)
}

/// A PE of another node no longer answers, as if it or its machine had died unnoticed, or never does. Whatever the
/// others were doing, the job ends, and says which PE it was, on which node, and what it was asked.
#[test]
fn a_pe_that_does_not_answer_ends_the_job() {
    let mut random = seeded("a_pe_that_does_not_answer_ends_the_job");
    for (round, operation) in ASKED.into_iter().enumerate() {
        let before = Before::look();
        let profile = ["verbs", "tcp", "efa"][round % 3];
        // While the job starts, there are fewer operations than this.
        let fault = if round % 4 == 3 { "later=3600000".into() } else { format!("silent=2@{}", random.below(100)) };
        let net = format!("loopback:{profile}:{round},{fault}");
        let job = asking(operation, &net, "0.3").start();
        let mark = job.mark.clone();
        let finished = job.finish();
        let context = format!("{operation}, {net}");
        let named = |line: &str| {
            // Nobody can be reached if no connection is ever made.
            let pes = if fault.starts_with("later") { vec![(0, 0), (1, 0), (2, 1)] } else { vec![(2, 1)] };
            let names = |(pe, node)| {
                line.contains(&format!(" of PE {pe} cannot be reached from here: "))
                    && line.contains(&format!(" bytes: node {node} has not answered for 0.3 s"))
            };
            pes.into_iter().any(names)
        };
        assert!(finished.stderr.lines().any(named), "{context}: {finished:#?}");
        assert_eq!(finished.code(), 1, "{context}: {finished:#?}");
        before.expect_nothing_left(&mark, &context);
    }
}

/// A PE falls silent after it has answered everything, while others wait for its flag. Nothing is under way to it then
/// but what their waits ask.
#[test]
fn a_pe_that_falls_silent_while_others_wait_for_it_ends_the_job() {
    for (round, call) in ["barrier", "reduction", "barrier"].into_iter().enumerate() {
        let before = Before::look();
        let profile = ["verbs", "tcp", "efa"][round];
        let net = format!("loopback:{profile}:{round},silent=2@40");
        let job = Job::steps(3, &["--nodes", "2", "--timeout", "60"], &["init", &format!("misses={call}")]);
        let job = job.env("CUSHMEM_NET", &net).env("CUSHMEM_NET_LIMIT_S", "0.3").start();
        let mark = job.mark.clone();
        let finished = job.finish();
        let context = format!("{call}, {net}");
        // It answered until the others waited.
        assert_eq!(finished.stdout.matches("misses").count(), 3, "{context}: {finished:#?}");
        let named = |line: &str| {
            line.contains(" of PE 2 cannot be reached from here: ")
                && line.contains(" bytes: node 1 has not answered for 0.3 s (CUSHMEM_NET_LIMIT_S)")
        };
        assert!(finished.stderr.lines().any(named), "{context}: {finished:#?}");
        assert_eq!(finished.code(), 1, "{context}: {finished:#?}");
        before.expect_nothing_left(&mark, &context);
    }
}

/// What PE 0 does over libfabric, which thread of PE 1 it needs for that, and what it waits in without this thread.
const OVER_LIBFABRIC: [(&str, Option<&str>, &str); 7] = [
    ("asks=put:1000000000", None, ""),
    ("asks=get:1000000000", None, ""),
    ("asks=signal:1000000000", None, ""),
    ("asks=add:1000000000", None, ""),
    ("asks=staged:1000000000", Some("cushmem-proxy"), "PE 0: copies through host memory: waiting for PE 1 "),
    ("misses=barrier", None, "PE 0: barrier_all of all PEs: waiting for PE 1 "),
    ("misses=reduction", None, "PE 0: reduce of all PEs: waiting for PE 1 "),
];

/// The same over libfabric, which needs its targets: no thread of PE 1 lets the network work any more, but its process
/// goes on, and its connections stay open.
#[test]
fn a_pe_that_does_not_answer_over_libfabric_ends_the_job() {
    const LIBRARY: &str = "libfabric.so.1";
    if !has_library(LIBRARY) {
        let test = "fault::a_pe_that_does_not_answer_over_libfabric_ends_the_job over libfabric";
        return record(test, &format!("there is no {LIBRARY}"));
    }
    for (operation, serves, wait) in OVER_LIBFABRIC {
        let before = Before::look();
        let job =
            Job::steps(2, &["--nodes", "2", "--timeout", "60"], &["init", operation, "sleep"]).env(SOFT.0, SOFT.1);
        // Here a PE that waits for a core answers nothing, so the limit is longer.
        let job = job.env("CUSHMEM_NET", "ofi").env("CUSHMEM_NET_LIMIT_S", "3").start();
        let mark = job.mark.clone();
        job.wait_for_output(operation.split('=').next().expect("a name"), 2);
        // The main thread of PE 1 sleeps outside of the library from now on.
        let process = children(job.supervisor())[1];
        let serves = serves.map(|name| thread(process, name).expect("PE 1 has this thread"));
        // First the thread that would answer, if there is one. The network still acknowledges the request, so nothing
        // is under way.
        serves.into_iter().for_each(stop_thread);
        if !wait.is_empty() {
            job.expect_status(&[wait]);
        }
        let stopped = other_threads(process);
        stopped.iter().filter(|thread| serves != Some(**thread)).for_each(|thread| stop_thread(*thread));
        let said = job.wait_for_errors(" of PE 1 cannot be reached from here: ", 1);
        stopped.iter().for_each(|thread| let_go(*thread));
        let finished = job.finish();
        let said = said + &finished.stderr;
        let named = |line: &str| {
            line.contains(" of PE 1 cannot be reached from here: ")
                && line.contains(" bytes: node 1 has not answered for 3 s (CUSHMEM_NET_LIMIT_S)")
        };
        assert!(said.lines().any(named), "{operation}: {said}, {finished:#?}");
        assert_eq!(finished.code(), 1, "{operation}: {finished:#?}");
        before.expect_nothing_left(&mark, operation);
    }
}

/// A PE that is slow, stops for a while or is hard to connect to is not lost, and its job succeeds.
#[test]
fn a_pe_that_answers_late_is_waited_for() {
    for (round, operation) in ASKED.into_iter().enumerate() {
        let profile = ["verbs", "tcp", "efa"][round % 3];
        for fault in ["stop=2", "later=150"] {
            let net = format!("loopback:{profile}:{round},{fault}");
            let finished = asking(operation, &net, "60").run();
            finished.expect(0, &[]);
        }
    }
}

/// One operation of PE 0 fails, and the network would carry out those behind it: data are never announced without
/// having arrived, whatever announces them, and one line says which operation failed, for which PE, and why.
#[test]
fn no_flag_arrives_without_the_data_before_it() {
    let mut random = seeded("no_flag_arrives_without_the_data_before_it");
    for round in 0..18 {
        let profile = ["verbs", "tcp", "efa"][round % 3];
        let after = 10 + random.below(190);
        let job = Job::steps(2, &["--nodes", "2", "--timeout", "30"], &["init", "announced", "leave"]);
        let net = format!("loopback:{profile}:{round},fail=1@{after}");
        let finished = job.env("CUSHMEM_NET", &net).run();
        assert!(!finished.stdout.contains("wrong data"), "{net}: {finished:#?}");
        let why = format!("the settings of the network make it fail, after {after} operations");
        let named = |line: &&str| line.contains(" bytes: ") && line.contains(" of PE 1 ") && line.contains(&why);
        assert_eq!(finished.stderr.lines().filter(named).count(), 1, "{net}: {finished:#?}");
        assert_eq!(finished.code(), 1, "{net}: {finished:#?}");
    }
}

/// A failure that the program does not ask for: the library ends the job, with a line that names the network once.
#[test]
fn a_failure_that_nobody_asks_for_ends_the_job() {
    let job = Job::steps(2, &["--nodes", "2", "--timeout", "30"], &["init", "unheard", "sleep"]);
    let finished = job.env("CUSHMEM_NET", "loopback:verbs:7,fail=1@150").run();
    let line = "with status 1: network: host memory of PE 1 cannot be reached from here: put of 72 bytes: ";
    assert!(finished.stderr.contains(line), "{finished:#?}");
    assert_eq!(finished.code(), 1, "{finished:#?}");
}

/// Catches a quiet that fails because of a put, and leaves a result for a later quiet, when the program may use the
/// memory for something else.
#[test]
fn a_quiet_that_fails_leaves_no_result_for_later() {
    let run = |_| {
        let job = Job::steps(2, &["--nodes", "2", "--timeout", "30"], &["init", "result", "sleep"]);
        job.env("CUSHMEM_NET", "loopback:verbs:0,fail=1@150").run()
    };
    // If the program takes too long after the failure, the library ends the job before it has said anything.
    let finished = (0..9).map(run).find(|finished| finished.stdout.contains("quiet")).expect("one is fast enough");
    assert_eq!(finished.stdout, "quiet failed, result 5\n", "{finished:#?}");
    assert_eq!(finished.code(), 1, "{finished:#?}");
}

/// PE 1 carries out additions, and what it says afterwards does not leave it, as if it had been stopped too soon: no
/// thread of it waits, so only the network's own thread would send that, and this one is stopped. The PE that asked
/// learns from the node itself that they are carried out, and goes on.
#[test]
fn nobody_waits_for_a_pe_that_cannot_say_what_it_has_done() {
    let job = Job::steps(3, &["--nodes", "2", "--timeout", "60"], &["init", "additions", "sleep"]);
    let job = job.env("CUSHMEM_NET", "loopback:tcp").start();
    job.wait_for_output("additions", 1);
    let network = thread(children(job.supervisor())[1], "cushmem-net").expect("PE 1 has a network");
    stop_thread(network);
    job.wait_for_output("additions", 50);
    ptrace::detach(network, None).expect("it is traced");
    job.signal(Signal::SIGTERM);
    job.finish();
}

/// Calls that differ between PEs of two nodes are compared over the network.
#[test]
fn allocations_that_differ_between_nodes_are_named() {
    let steps = ["init", "0:malloc=64", "1:malloc=64", "2:malloc=128"];
    let job = Job::steps(3, &["--nodes", "2", "--timeout", "30"], &steps).run();
    assert!(![0, 124].contains(&job.code()), "{job:#?}");
    job.expect(job.code(), &["malloc: ", "on this PE, but "]);
}

/// The network of PE 1 refuses one part of its memory, whichever it is. Either no PE starts, or an allocation fails on
/// all PEs, for the same reason, and costs nothing: the others have room, and their memory is reached.
#[test]
fn memory_that_one_pe_cannot_register_is_allocated_on_none() {
    // Three of the four have room.
    const ALLOCATIONS: [&str; 4] = ["malloc=40000000"; 4];
    let steps = [&["init"], &ALLOCATIONS[..], &["asks=put", "barrier", "leave"]].concat();
    let (mut at_the_start, mut allocations) = (0, 0);
    for after in 0.. {
        let before = Before::look();
        let net = format!("loopback:{}:{after},refuse=1@{after}", ["verbs", "tcp", "efa"][after % 3]);
        let job = Job::steps(3, &["--nodes", "2", "--timeout", "60"], &steps);
        let job = job.env("CUSHMEM_NET", &net).env("SHMEM_SYMMETRIC_SIZE", "128M").start();
        let mark = job.mark.clone();
        let finished = job.finish();
        before.expect_nothing_left(&mark, &net);
        let why = format!("PE 1: the settings of the network refuse this memory, after {after} registrations");
        if !finished.stdout.contains("malloc: ") {
            assert_eq!(finished.code(), 1, "{net}: {finished:#?}");
            // Each of the three programs prints its error.
            assert_eq!(finished.stderr.matches(&why).count(), 3, "{net}: {finished:#?}");
            at_the_start += 1;
            continue;
        }
        // The later ones go on.
        assert_eq!(finished.code(), 0, "{net}: {finished:#?}");
        let said = |pe: u32| {
            let of_pe = format!("PE {pe}: malloc: ");
            finished.stdout.lines().filter_map(|line| Some(line.strip_prefix(&of_pe)?.to_owned())).collect::<Vec<_>>()
        };
        assert_eq!((said(1), said(2)), (said(0), said(0)), "{net}: {finished:#?}");
        if !finished.stdout.contains(&why) {
            break;
        }
        let ok = said(0).iter().filter(|outcome| *outcome == "ok").count();
        assert_eq!((said(0).len(), ok), (4, 3), "{net}: {finished:#?}");
        allocations += 1;
    }
    assert!(at_the_start > 0 && allocations >= 3, "{at_the_start} and {allocations}");
}

/// The network of PE 1 refuses one part of its memory, with GPUDirect RDMA. If that is a piece of the GPU heap, or GPU
/// memory that the program registered, the job goes on: what was registered before is reached by the network, and the
/// rest is staged. Catches a PE that believes that another one has what was refused there.
#[test]
fn gpu_memory_that_one_pe_cannot_register_is_staged() {
    let steps =
        ["init", "asks=staged", "ranges", "malloc_gpu=70000000", "asks=staged", "asks=staged", "ranges", "leave"];
    let (mut staged, mut ranges) = (vec![], 0);
    for after in 0.. {
        let before = Before::look();
        let net = format!("loopback:{}:{after},refuse=1@{after}", ["verbs", "tcp", "efa"][after % 3]);
        let job = Job::steps(3, &["--nodes", "2", "--timeout", "60"], &steps).env("CUSHMEM_NET", &net);
        let job = job.env("CUSHMEM_GPU", "soft").env("CUSHMEM_PATH", "gdr").env("SHMEM_DEBUG", "1").start();
        let mark = job.mark.clone();
        let finished = job.finish();
        before.expect_nothing_left(&mark, &net);
        let why = format!("the settings of the network refuse this memory, after {after} registrations");
        let lines = finished.stderr.lines().filter(|line| line.contains(&why));
        let from = |line: &str| Some(line.split_once("stages GPU memory from ")?.1.split(' ').next()?.to_owned());
        match lines.clone().find_map(from) {
            Some(from) => {
                assert_eq!(finished.code(), 0, "{net}: {finished:#?}");
                staged.push(from);
            }
            None if lines.clone().any(|line| line.contains(": stages 40000 bytes of GPU memory at ")) => {
                assert_eq!(finished.code(), 0, "{net}: {finished:#?}");
                ranges += 1;
            }
            None if lines.count() == 0 => {
                assert_eq!(finished.code(), 0, "{net}: {finished:#?}");
                break;
            }
            None => assert_eq!(finished.code(), 1, "{net}: {finished:#?}"),
        }
    }
    let (first, later) = staged.split_first().expect("the first piece was refused");
    assert!(first == "0" && later.iter().any(|from| from != "0"), "{staged:?}");
    // Twice one that all PEs have, and one of PE 1 alone.
    assert_eq!(ranges, 4);
}

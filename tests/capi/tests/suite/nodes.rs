//! Globals of C programs, and atomic operations on them, in jobs of several nodes, whatever other jobs run on. The
//! tests use each kind of network between the nodes, with delays and reordering.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::path::{Path, PathBuf};
use xtask::launch::word;

pub const NODES: &str = include_str!("globals-nodes.c");
pub const POSTED: &str = include_str!("posted.c");
/// Each PE opens as many files as its argument says, and adds its number to a global of PE 0.
const SUM: &str = r#"
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
static long sum;
int main(int argc, char **argv) {
    for (int left = argc > 1 ? atoi(argv[1]) : 0; left > 0; left--)
        if (open("/dev/null", O_RDONLY) < 0)
            perror("open");
    shmem_init();
    shmem_long_atomic_add(&sum, shmem_my_pe(), 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("sum %ld\n", sum);
    shmem_finalize();
    return 0;
}
"#;
const NETWORKS: [&str; 3] = ["loopback:verbs:1", "loopback:tcp:2", "loopback:efa:3"];
/// The option that turns off `shmemcc`'s default.
const PRIVATE: &str = "-cushmem-private-globals";

pub fn on(network: &str) -> [(&str, &str); 2] {
    [("CUSHMEM_GPU", "none"), ("CUSHMEM_NET", network)]
}

pub fn all_right(job: &Finished, n: u32) {
    let lines: Vec<_> = (0..n).map(|me| format!("PE {me} of {n}: 0 wrong")).collect();
    assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
}

fn told(job: &Finished, start: &str, end: &str) {
    let found = job.lines.iter().any(|line| line.starts_with(start) && line.ends_with(end));
    assert!(job.status == Some(134) && found, "{start}…{end}: {job:#?}");
}

/// Catches an atomic operation without a result that is lost, carried out twice, or out of order with a fence, a
/// signal, a result or a quiet.
#[test]
fn posted_operations_are_complete_and_in_order() {
    let Some(rig) = Rig::find("capi::posted_operations_are_complete_and_in_order") else { return };
    let program = rig.compile("posted.c", POSTED, Library::Shared, &["-O1"]);
    for network in NETWORKS.into_iter().chain(["loopback:verbs", "loopback:tcp", "loopback:efa"]) {
        for (nodes, n) in [(2, 2), (2, 4), (3, 3)] {
            all_right(&rig.run_on_nodes(nodes, &program, n, &[], &on(network)), n);
        }
    }
}

/// Catches an addition, or a non-blocking operation, that waits for an answer before the next one is posted: the PE
/// that would answer is stopped until all are posted.
#[test]
fn a_burst_of_additions_waits_for_no_answer() {
    let Some(rig) = Rig::find("capi::a_burst_of_additions_waits_for_no_answer") else { return };
    let program = rig.compile("posted.c", POSTED, Library::Shared, &["-O1"]);
    for network in NETWORKS {
        all_right(&rig.run_on_nodes(2, &program, 2, &["burst"], &on(network)), 2);
    }
}

/// Catches an operation on a global that does not reach the PE on the other node, or that is out of order.
#[test]
fn shared_globals_are_reached() {
    let Some(rig) = Rig::find("capi::shared_globals_are_reached") else { return };
    let compile = |file, source, library, options: &[&str]| rig.compile(file, source, library, options);
    let all = compile("all.c", include_str!("globals.c"), Library::Shared, &["-O2"]);
    let collectives = compile("old.c", include_str!("globals-old.c"), Library::Static, &[]);
    let forks = compile("fork.c", include_str!("globals-fork.c"), Library::Shared, &["-pthread"]);
    let uses = compile("uses.c", NODES, Library::Shared, &[]);
    for variables in NETWORKS.map(on) {
        for (nodes, n) in [(2, 2), (2, 3), (4, 4)] {
            for (program, how) in [(&all, "all"), (&all, "ends"), (&collectives, "")] {
                all_right(&rig.run_on_nodes(nodes, program, n, &[how], &variables), n);
            }
        }
        all_right(&rig.run_on_nodes(2, &forks, 2, &[], &variables), 2);
        for (name, ..) in USES {
            all_right(&rig.run_on_nodes(2, &uses, 2, &[name], &variables), 2);
        }
    }
    let checked = [("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")];
    all_right(&rig.run_on_nodes(2, &all, 3, &["all"], &checked), 3);
    all_right(&rig.run_on_nodes(2, &collectives, 3, &[], &checked), 3);
}

/// What the program does, the routine, and the argument that the routine refuses if the globals are not shared.
const USES: &[(&str, &str, &str)] = &[
    ("put", "shmem_long_put", "dest"),
    ("put-nbi", "shmem_long_put_nbi", "dest"),
    ("get", "shmem_long_get", "source"),
    ("get-nbi", "shmem_long_get_nbi", "source"),
    ("p", "shmem_long_p", "dest"),
    ("g", "shmem_long_g", "source"),
    ("iput", "shmem_long_iput", "dest"),
    ("iget", "shmem_long_iget", "source"),
    ("ibput", "shmem_long_ibput", "dest"),
    ("inc", "shmem_long_atomic_inc", "dest"),
    ("fetch", "shmem_long_atomic_fetch", "source"),
    ("set", "shmem_long_atomic_set", "dest"),
    ("fetch-add-nbi", "shmem_long_atomic_fetch_add_nbi", "dest"),
    ("put-signal", "shmem_long_put_signal", "dest"),
    ("signal", "shmem_long_put_signal", "sig_addr"),
    ("signal-add", "shmem_signal_add", "sig_addr"),
    ("lock", "shmem_set_lock", "lock"),
    ("reduce", "shmem_long_sum_reduce", "source"),
    ("broadcast", "shmem_long_broadcast", "dest"),
    ("collect", "shmem_long_collect", "source"),
    ("fcollect", "shmem_long_fcollect", "dest"),
    ("alltoall", "shmem_long_alltoall", "dest"),
    ("active-set", "shmem_broadcast64", "dest"),
];

/// Catches a use of unshared globals that is not refused, or is refused without saying why. A use that stays on one
/// node works.
#[test]
fn private_globals_are_reached_on_their_node_only() {
    let Some(rig) = Rig::find("capi::private_globals_are_reached_on_their_node_only") else { return };
    let program = rig.compile("private.c", NODES, Library::Shared, &[PRIVATE]);
    let variables = on(NETWORKS[0]);
    for &(name, routine, argument) in USES {
        let job = rig.run_on_nodes(2, &program, 2, &[name], &variables);
        let pe = if job.lines.iter().any(|line| line.starts_with("cushmem: PE 1: ")) { 1 } else { 0 };
        let end = format!(
            "is a global, but PE {} is on another node and does not share it; link the program with shmemcc",
            1 - pe
        );
        told(&job, &format!("cushmem: PE {pe}: {routine}: argument {argument}: 0x"), &end);
    }
    all_right(&rig.run_on_nodes(2, &program, 4, &["teams"], &variables), 4);
    let copies = rig.compile("copies.c", include_str!("globals.c"), Library::Static, &[PRIVATE]);
    all_right(&rig.run_on_nodes(2, &copies, 5, &["copies", "node"], &variables), 5);
    all_right(&rig.run_on_nodes(2, &copies, 5, &["ends", "node"], &variables), 5);
    let forks = rig.compile("forks.c", include_str!("globals-fork.c"), Library::Shared, &[PRIVATE]);
    all_right(&rig.run_on_nodes(2, &forks, 4, &["node"], &variables), 4);
}

/// Catches advice that does not help: the executable is marked, but the system refused to share.
#[test]
fn what_the_system_refused_to_share_is_said() {
    let Some(rig) = Rig::find("capi::what_the_system_refused_to_share_is_said") else { return };
    let source = format!("{NODES}\nchar large[64 << 20];\n");
    let program = rig.compile("large.c", &source, Library::Shared, &[]);
    let script = format!("ulimit -f 65536; exec {} put", word(&program));
    let variables = [("CUSHMEM_GPU", "none"), ("SHMEM_SYMMETRIC_SIZE", "1M")];
    let job = rig.run_on_nodes(2, Path::new("/bin/sh"), 2, &["-c", &script], &variables);
    let end =
        "is a global, but PE 0 is on another node, where the system refused to share it (File too large (os error 27))";
    told(&job, "cushmem: PE 1: shmem_long_put: argument dest: 0x", end);
}

/// Catches a job that the usual limit on open files ends, even if the program has many files open: the emulated
/// network keeps three open for each PE of another node. If the hard limit is too low, the library says so.
#[test]
fn many_nodes_need_no_higher_limit_of_open_files() {
    let Some(rig) = Rig::find("capi::many_nodes_need_no_higher_limit_of_open_files") else { return };
    let program = rig.compile("many.c", SUM, Library::Shared, &[]);
    let run = |n: u32, limit: &str, open: u32| {
        let script = format!("ulimit {limit}; exec {} {open}", word(&program));
        rig.run_on_nodes(n, Path::new("/bin/sh"), n, &["-c", &script], &on(NETWORKS[0]))
    };
    for (n, limit, open, sum) in [(24, "-S -n 40", 0, "sum 276"), (11, "-S -n 64", 35, "sum 55")] {
        let job = run(n, limit, open);
        assert_eq!((job.status, &job.lines), (Some(0), &vec![sum.to_owned()]), "{job:#?}");
    }
    let job = run(24, "-n 40", 0);
    let line = ": this process cannot open more files (ulimit -n)";
    assert!(
        job.status == Some(1) && job.lines.iter().any(|l| l.starts_with("cushmem: shmem_init: ") && l.ends_with(line)),
        "{job:#?}"
    );
}

/// Catches advice to enlarge the heap, which does not enlarge this memory, and an object that is lost.
#[test]
fn memory_for_the_networks_atomics_says_its_limit() {
    const PROGRAM: &str = r#"
#include <shmem.h>
#include <stdio.h>
int main(void) {
    shmem_init();
    long *words = shmem_malloc_with_hints(sizeof(long), SHMEM_MALLOC_ATOMICS_REMOTE);
    shmem_long_p(words, 7, shmem_my_pe());
    int kept = !shmem_realloc(words, 2 << 20);
    printf("PE %d: %ld, %s\n", shmem_my_pe(), shmem_long_g(words, shmem_my_pe()), kept ? "kept" : "moved");
    shmem_free(words);
    shmem_finalize();
    return 0;
}
"#;
    let Some(rig) = Rig::find("capi::memory_for_the_networks_atomics_says_its_limit") else { return };
    let program = rig.compile("limit.c", PROGRAM, Library::Shared, &[]);
    let job = rig.run_on_nodes(2, &program, 2, &[], &on(NETWORKS[0]));
    let line = "cushmem: PE 0: shmem_realloc: argument size: 2097152 bytes do not fit into the 1048576 bytes for \
                SHMEM_MALLOC_ATOMICS_REMOTE, whose size is fixed";
    let lines = ["PE 0: 7, kept", "PE 1: 7, kept", line].map(str::to_owned).to_vec();
    assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
}

/// PEs 0 and 1 share a node, as do PEs 2 and 3; even and odd PEs run different executables. Catches an atomic operation
/// that is carried out, or refused, by a PE of the node that does not have this global.
#[test]
fn pes_of_a_node_may_run_different_executables() {
    let Some(rig) = Rig::find("capi::pes_of_a_node_may_run_different_executables") else { return };
    let one = rig.compile("one.c", NODES, Library::Shared, &[]);
    let other = rig.compile("other.c", &format!("{NODES}\nlong one_more = 1;\n"), Library::Shared, &[]);
    let script = |how: &str, even: &PathBuf, odd: &PathBuf| {
        let (even, odd) = (word(even), word(odd));
        format!("if [ $((CUSHMEM_PE % 2)) = 0 ]; then exec {even} {how}; else exec {odd} {how}; fi")
    };
    let run = |n, script: &str, variables: &[(&str, &str)]| {
        rig.run_on_nodes(2, Path::new("/bin/sh"), n, &["-c", script], variables)
    };
    for variables in NETWORKS.map(on) {
        all_right(&run(4, &script("pairs", &one, &other), &variables), 4);
    }
    for (name, routine, argument) in USES.iter().filter(|(name, ..)| ["put", "inc", "lock", "signal"].contains(name)) {
        let job = run(2, &script(name, &one, &other), &on(NETWORKS[0]));
        let end = "is a global, but PE 0 runs another executable, which has its own";
        told(&job, &format!("cushmem: PE 1: {routine}: argument {argument}: 0x"), end);
    }
}

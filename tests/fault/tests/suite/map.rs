//! `--map`: which PE gets which place, and what depends on the place.

use cushmem_fault_tests::{Job, fault_pe};

/// Returns what the PEs of a job print, in the order of the PEs: the script starts each line with `$CUSHMEM_PE`.
fn printed(n: u32, map: &str, script: &str) -> Vec<String> {
    let job = Job::new(["-n", &n.to_string(), "--map", map, "sh", "-c", script]).run();
    job.expect(0, &[]);
    let mut lines: Vec<String> = job.stdout.lines().map(str::to_string).collect();
    lines.sort_by_key(|line| line.split(' ').next().and_then(|pe| pe.parse::<u32>().ok()));
    lines
}

const PE_AND_PLACE: &str = "echo $CUSHMEM_PE $CUSHMEM_LOCAL_PE";
/// The places that `random:1` gives four PEs.
const RANDOM_1: [&str; 4] = ["0 2", "1 0", "2 3", "3 1"];

#[test]
fn each_pe_is_told_its_place() {
    assert_eq!(printed(4, "block", PE_AND_PLACE), ["0 0", "1 1", "2 2", "3 3"]);
    assert_eq!(printed(4, "random:1", PE_AND_PLACE), RANDOM_1);
    assert_eq!(printed(4, "random:1", PE_AND_PLACE), RANDOM_1, "the same seed gives the same places");
    // With several NUMA nodes, the places depend on how many cores each has.
    if std::fs::read_to_string("/sys/devices/system/node/online").is_ok_and(|nodes| nodes.trim() == "0") {
        assert_eq!(printed(4, "cyclic", PE_AND_PLACE), ["0 0", "1 2", "2 1", "3 3"]);
    }
}

#[test]
fn the_library_learns_its_place_from_the_launcher_and_not_from_the_environment() {
    let script = format!("CUSHMEM_PE=7 CUSHMEM_LOCAL_PE=7 exec {} join place finalize", fault_pe().display());
    assert_eq!(printed(4, "random:1", &script), RANDOM_1);
}

/// The machine may have only two cores, so the seed is one that swaps two PEs.
#[test]
fn cores_go_with_the_place() {
    let script =
        "echo $CUSHMEM_PE ${CUSHMEM_CPUS-unbound} $(sed -n 's/Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)";
    let (plain, swapped) = (printed(2, "block", script), printed(2, "random:2", script));
    let cpus = |lines: &[String], pe: usize| lines[pe].split_once(' ').map(|(_, cpus)| cpus.to_string());
    assert_eq!((cpus(&swapped, 0), cpus(&swapped, 1)), (cpus(&plain, 1), cpus(&plain, 0)), "{plain:?} {swapped:?}");
}

#[test]
fn messages_and_output_go_by_the_number() {
    let job =
        Job::steps(4, &["--map", "random:1", "--tag"], &["join", "fence=x", "2:out=here", "2:exit=7", "sleep"]).run();
    job.expect(7, &["shmemrun: PE 2 exited with status 7"]);
    assert_eq!(job.stdout, "[2] here\n");
}

//! Kills while kernels read a file through a cache, or are about to: requests to the system may be under way.

use cushmem_fault_tests::{Before, Job, children, seeded};
use nix::sys::signal::{Signal, kill};
use std::time::Duration;

const ROUNDS: usize = 6;

/// Catches a process that waits for a file's request for ever when the other PE is gone, and one that the system cannot
/// end. The rounds in which the program had finished do not count.
#[test]
fn kills_while_a_file_is_read_leave_nothing() {
    let (mut random, mut counted) = (seeded("kills_while_a_file_is_read_leave_nothing"), 0);
    for round in 0..ROUNDS {
        let before = Before::look();
        let words =
            ["--json", "--scale", "8", "--iterations", "10", "--line", "512", "--cache", "16", "--folder", "{}"];
        let (job, folder) = Job::program(2, None, "pagerank", &words);
        let job = job.env("CUSHMEM_GPU", "soft").start();
        let rows = job.wait_for_output("\n", 3);
        let (_, of_host) = rows.split_once("\"edges_in\":\"host\"").expect("the third row is that of host memory");
        let (_, seconds) = of_host.split_once("\"seconds\":").expect("how long its second half took");
        let seconds: f64 = seconds.split(',').next().and_then(|number| number.parse().ok()).expect("a number");
        // Reading the file takes at least twice that.
        std::thread::sleep(Duration::from_secs_f64(seconds * (10 + random.below(180)) as f64 / 100.0));
        let victim = job.supervisor_now().and_then(|supervisor| children(supervisor).get(round % 2).copied());
        let killed = victim.is_some_and(|pe| kill(pe, Signal::SIGKILL).is_ok());
        let mark = job.mark.clone();
        let finished = job.finish();
        if killed && finished.code() != 0 {
            assert_eq!(finished.code(), 137, "{finished:#?}");
            assert!(finished.stderr.contains("was killed by signal 9 (SIGKILL)"), "{finished:#?}");
            counted += 1;
        }
        before.expect_nothing_left(&mark, &format!("round {round}, after the death of {victim:?}"));
        std::fs::remove_dir_all(folder).expect("remove the folder");
    }
    assert!(counted >= ROUNDS / 2, "only {counted} of {ROUNDS} kills came in time");
}

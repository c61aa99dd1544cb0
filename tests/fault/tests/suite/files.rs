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
        let words = ["--scale", "8", "--iterations", "60", "--line", "512", "--cache", "16", "--folder", "{}"];
        let (job, folder) = Job::program(2, None, "pagerank", &words);
        let job = job.env("CUSHMEM_GPU", "soft").start();
        job.wait_for_output("edges in host memory", 1);
        std::thread::sleep(Duration::from_millis(20 + random.below(150) as u64));
        let victims = children(job.supervisor());
        let victim = victims.get(round % 2).copied();
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
